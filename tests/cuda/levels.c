/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Levels of time steps on a GPU: the bits of the backend omp, in both sets of kernels. levels-gpu (EW_REAL_GPU) runs
 * it on a GPU; this one, as tests/src/parity does, on the host.
 */
#include "ewi_backend.h"
#include "ewi_host.h"
#include "fake-cuda.h"
#include "level-flows.h"

static void check_flow(const ew_mesh *mesh, const struct flow *flow)
{
    static const char *const sets[] = {"fused", "edgewise"};
    struct outcome omp = outcome_of(mesh, flow, (struct way){"omp", "fused", 1, 1, 0});
    for (int s = 0; s < COUNT(sets); s++) {
        struct outcome cuda = outcome_of(mesh, flow, (struct way){"cuda", sets[s], 1, 1, 0});
        if (flow_breaks(flow))
            is_str(cuda.error, omp.error[0] ? omp.error : "an error",
                   "%s, order %d, %s: a run breaks at the same place and time", flow->scheme, flow->order, sets[s]);
        else
            ok(cuda.hash == omp.hash && cuda.steps == omp.steps && cuda.time == omp.time &&
                   memcmp(cuda.outflow, omp.outflow, sizeof omp.outflow) == 0,
               "%s, order %d, %s, %s: the bits of omp after %lld steps", flow->scheme, flow->order, flow->flux, sets[s],
               (long long)omp.steps);
    }
}

/* One level on a mesh that fills the device: at orders 2 and 3 boundary states have a launch of their own then. */
static void check_one_level(const ew_mesh *mesh, int order, const char *limiter)
{
    static const char *const backends[] = {"omp", "cuda"};
    ew_formula *box = formula_from(BOX);
    const ew_boundary around = {.name = "around", .kind = "wall"};
    uint64_t hash[2];
    for (int b = 0; b < 2; b++) {
        const ew_problem problem = {.law = "euler", .order = order, .limiter = limiter, .scheme = "ssprk33",
                                    .initial.formula = box, .boundaries = 1, .boundary = &around,
                                    .backend = backends[b], .kernels = "fused", .threads = 1};
        ew_solver *solver;
        ew_error error;
        must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
        must(ew_solver_advance(solver, 1.0, 5, NULL, &error), &error);
        must(ew_solver_hash(solver, &hash[b], &error), &error);
        ew_solver_destroy(solver);
    }
    ok(hash[0] == hash[1], "one level, order %d, limiter %s, fused: the bits of omp", order,
       limiter ? limiter : "none");
    ew_formula_destroy(box);
}

/* ---- other laws ---- */

struct other {
    const char *law, *initial, *field, *kind, *scheme, *flux, *limiter;
    int order;
    bool calls;            /* boundary data by a callback, that of formulas being `initial` */
    const char *source;    /* or NULL */
    double manning;        /* over a bed */
};

#define PULSE "exp(-20*((x + 0.2)^2 + y^2))"
#define WAVE PULSE "*(1 + sin(9*t));0;0"
#define MEDIUM "x > 0.1 ? 3 : 1;1 + 0.5*(y > 0.2)"
#define SWIRL "1 - y;0.5 + x*y"
#define FLOOD "x<-0.3?0.6:0;0;0;0.05*sin(19*x)*sin(23*y)+(hypot(x-0.3,y)<0.2?0.8:0);0"
#define SWAMP "-1e300;0;0;0.1*sin(9*x)*cos(7*y)+0.06*sin(21*y+x);0"
/* A bore over ground that stays wet but for a hill. */
#define HILL "0.04*sin(19*x)*sin(13*y)+(hypot(x-0.4,y)<0.2?0.7:0)"
#define SURGE "x<-0.2?0.9:0.5;0;0;" HILL ";0"
#define TIDE "(x<-0.2?0.9:0.5)+0.2*sin(9*t);0;0;" HILL ";0"
/* The state breaks within a macro step, and then has NaNs, whose bits may differ. */
#define BLOW "0;1e300*(t>0.03);0;0;0"
#define BED "shallow-water-bed"

static const struct other others[] = {
    {"acoustics-media", WAVE, MEDIUM, "far", "rk4", NULL, NULL, 2, false, NULL, 0},
    {"acoustics-media", WAVE, MEDIUM, "state", "ssprk33", NULL, NULL, 3, true, NULL, 0},
    {"maxwell-tm-media", WAVE, MEDIUM, "state", "rk43", NULL, NULL, 1, false, NULL, 0},
    {"advection", PULSE "*cos(3*t)", SWIRL, "state", "ssprk32", NULL, NULL, 4, false, NULL, 0},
    {"advection", PULSE "*cos(3*t)", SWIRL, "state", "rk43", NULL, NULL, 1, true, NULL, 0},
    {"advection", PULSE "*cos(3*t)", SWIRL, "state", "rk2", NULL, NULL, 2, true, NULL, 0},
    {"euler", VORTEX, NULL, "state", "rk4", "roe", NULL, 2, true, NULL, 0},
    {"euler", BAD_DATA, NULL, "state", "ssprk33", "llf", NULL, 2, true, NULL, 0},
    {BED, FLOOD, NULL, "wall", "ssprk33", NULL, NULL, 1, false, NULL, 0},
    {BED, FLOOD, NULL, "wall", "ssprk22", NULL, NULL, 2, false, "0.1*x;0;0;0;0", 0.03},
    {BED, FLOOD, NULL, "wall", "ssprk33", NULL, "oscillation-free", 3, false, NULL, 0.03},
    {BED, FLOOD, NULL, "wall", "ssprk33", NULL, NULL, 5, false, NULL, 0},
    {BED, SWAMP, NULL, "wall", "ssprk33", NULL, "subcell", 2, false, NULL, 0},
    {BED, SURGE, NULL, "wall", "ssprk33", NULL, "subcell", 1, false, "0.1*x;0;0;0;0", 0},
    {BED, SURGE, NULL, "wall", "ssprk33", NULL, "subcell", 2, false, NULL, 0},
    {BED, SURGE, NULL, "wall", "ssprk22", NULL, "subcell", 3, false, NULL, 0.03},
    {BED, TIDE, NULL, "state", "ssprk33", NULL, "subcell", 2, false, NULL, 0},
    {BED, TIDE, NULL, "state", "ssprk22", NULL, "subcell", 1, true, NULL, 0},
    {BED, SURGE, NULL, "wall", "ssprk33", NULL, "subcell", 2, false, BLOW, 0},
};

static void evaluate(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    ew_formula_evaluate(context, n, x, y, t, values, n);
}

static struct outcome outcome_of_other(const ew_mesh *mesh, const struct other *other, const char *backend,
                                       const char *kernels, int parts)
{
    static const int gpus[] = {0, 1};
    char text[256];
    bool two = ew_device_describe(1, text, sizeof text) > 0;
    struct outcome outcome = {.hash = 0};
    bool breaks = strcmp(other->initial, BAD_DATA) == 0, bed = strcmp(other->law, BED) == 0;
    ew_formula *data = formula_from(other->initial), *initial = formula_from(breaks ? STREAM : other->initial),
               *field = other->field ? formula_from(other->field) : NULL,
               *source = other->source ? formula_from(other->source) : NULL;
    const ew_parameter parameter[] = {{"manning", other->manning}, {"dry", 1e-6}};
    ew_boundary around = {.name = "around", .kind = other->kind};
    if (strcmp(other->kind, "wall") != 0)
        around.state = other->calls ? (ew_data){.callback = evaluate, .context = data, .variables = EW_X | EW_Y | EW_T}
                                    : (ew_data){.formula = data};
    const ew_problem problem = {.law = other->law, .flux = other->flux, .order = other->order,
                                .parameters = bed ? 2 : 0, .parameter = parameter, .limiter = other->limiter,
                                .scheme = other->scheme, .step_levels = 4, .kernels = kernels,
                                .initial.formula = initial, .field.formula = field, .source.formula = source,
                                .boundaries = 1, .boundary = &around, .backend = backend, .threads = 1,
                                .parts = parts, .devices = parts > 1 ? 1 + two : 0, .device_of_part = gpus};
    ew_solver *solver;
    ew_error error = {.message = ""};
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    int status = EW_OK;
    for (int k = 1; status == EW_OK && k <= 3; k++)
        status = ew_solver_advance(solver, (other->order > 2 ? 0.006 : 0.015) * k, INT64_MAX, NULL, &error);
    if (status != EW_OK)
        strcpy(outcome.error, error.message);
    must(ew_solver_hash(solver, &outcome.hash, &error), &error);
    outcome.time = ew_solver_time(solver);
    outcome.steps = ew_solver_steps(solver);
    ew_solver_destroy(solver);
    ew_formula_destroy(data);
    ew_formula_destroy(initial);
    ew_formula_destroy(field);
    ew_formula_destroy(source);
    return outcome;
}

/* NaNs have no bits of their own. */
static bool is_same(const struct other *other, const struct outcome *a, const struct outcome *b)
{
    bool has_nan = other->source && strcmp(other->source, BLOW) == 0;
    return (has_nan ? a->error[0] != '\0' : a->hash == b->hash) && a->steps == b->steps && a->time == b->time &&
           strcmp(a->error, b->error) == 0;
}

/* A bed has the kernels "edgewise" only. */
static void check_other(const ew_mesh *mesh, const struct other *other)
{
    static const char *const sets[] = {"edgewise", "fused"};
    struct outcome omp = outcome_of_other(mesh, other, "omp", "edgewise", 1);
    for (int s = 0; s < (strcmp(other->law, BED) == 0 ? 1 : 2); s++) {
        struct outcome cuda = outcome_of_other(mesh, other, "cuda", sets[s], 1);
        ok(is_same(other, &cuda, &omp) && omp.steps > 0,
           "%s, %s, order %d, %s%s: the bits of omp after %lld steps", other->law, other->scheme, other->order, sets[s],
           other->calls ? ", by a callback" : "", (long long)omp.steps);
        if (omp.error[0])
            diag("%s", omp.error);
    }
    if (other->calls) /* which parts in one process do not have */
        return;
    struct outcome parts = outcome_of_other(mesh, other, "cuda", NULL, 3);
    ok(is_same(other, &parts, &omp), "%s, %s, order %d: 3 parts have the bits of omp", other->law, other->scheme,
       other->order);
}

#ifndef EW_REAL_GPU
/* Each allocation of a bed with the limiter subcell fails in turn. */
static void check_memory(const ew_mesh *mesh, bool on_device)
{
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    ew_formula *initial = formula_from(SURGE);
    const ew_boundary around = {.name = "around", .kind = "wall"};
    const ew_problem problem = {.law = BED, .order = 1, .limiter = "subcell", .scheme = "ssprk33", .step_levels = 4,
                                .initial.formula = initial, .boundaries = 1, .boundary = &around, .backend = "cuda"};
    ew_solver *solver = NULL;
    int status = EW_ENOMEM, failed = 0;
    bool right = true;
    for (; status != EW_OK && failed < 1000; failed++) {
        char rule[64] = "";
        ew_error error = {.message = ""};
        if (on_device)
            snprintf(rule, sizeof rule, "cuMemAlloc_v2:2@%d", failed + 1);
        setenv("FAKE_CUDA", rule, 1);
        memory_allow(&memory, on_device ? -1 : failed);
        status = ew_solver_create(&host, mesh, &problem, &solver, &error);
        right = right && (status == EW_OK || (status == EW_ENOMEM && memory.blocks == 0 &&
                                              strstr(error.message, on_device ? "GPU 0" : "memory")));
    }
    ok(right && status == EW_OK && failed > 60, "each of %d allocations on the %s may fail, with a sentence",
       failed - 1, on_device ? "GPU" : "host");
    ew_solver_destroy(solver);
    ew_formula_destroy(initial);
}
#endif

int main(void)
{
    ew_error error;
#ifndef EW_REAL_GPU
    load_fake_cuda();
#endif
    if (!ewi_backend_find("cuda")->usable(&error))
        skip_all(error.message);
    ew_mesh *mesh = graded_mesh(1.6);
    for (int f = 0; f < COUNT(flows); f++)
        check_flow(mesh, &flows[f]);
    for (int order = 1; order <= 3; order++) {
        check_one_level(mesh, order, NULL);
        check_one_level(mesh, order, "oscillation-free");
    }
    for (int f = 0; f < COUNT(others); f++)
        check_other(mesh, &others[f]);
#ifndef EW_REAL_GPU
    check_memory(mesh, false);
    check_memory(mesh, true);
#endif
    ew_mesh_destroy(mesh);
    return done_testing();
}
