/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Levels of time steps over a bed, with shores that run through all levels: lakes at rest keep every bit, water is
 * conserved and never negative, moving shores have the errors of one level, order in time where all is wet, and the
 * same bits from any number of threads and parts and after a restart.
 */
#include "edgewise.h"
#include "graded.h"
#include "helpers.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 5, LEVELS = 4 };

struct flow {
    const char *state; /* h, u, v, bed, surface */
    int order;
    const char *scheme, *limiter, *source;
    double dry, manning, cfl;
    int levels, threads, parts; /* 0: one */
    const char *level;   /* of instructions; NULL: the best */
};

struct run {
    ew_mesh *mesh;
    ew_formula *state, *source;
    ew_solver *solver;
};

static struct run begin(const struct flow *flow)
{
    struct run run = {graded_mesh(1.6), formula_from(flow->state), flow->source ? formula_from(flow->source) : NULL,
                      NULL};
    const ew_boundary around = {.name = "around", .kind = "wall"};
    const ew_parameter parameter[] = {{.name = "manning", .value = flow->manning}, {.name = "dry", .value = flow->dry}};
    const ew_problem problem = {.law = "shallow-water-bed", .order = flow->order, .cfl = flow->cfl,
                                .scheme = flow->scheme ? flow->scheme : "ssprk33", .initial.formula = run.state,
                                .exact.formula = run.state, .source.formula = run.source, .limiter = flow->limiter,
                                .parameter = parameter, .parameters = flow->dry > 0.0 ? 2 : 1, .boundaries = 1,
                                .boundary = &around, .step_levels = flow->levels, .backend = "omp",
                                .level = flow->level, .threads = flow->threads ? flow->threads : 1,
                                .parts = flow->parts};
    ew_error error;
    must(ew_solver_create(NULL, run.mesh, &problem, &run.solver, &error), &error);
    return run;
}

static void end(struct run *run)
{
    ew_solver_destroy(run->solver);
    ew_mesh_destroy(run->mesh);
    ew_formula_destroy(run->state);
    ew_formula_destroy(run->source);
}

struct result {
    double volume, speed, lowest, error;
    uint64_t hash;
};

static struct result result_of(const struct run *run)
{
    struct result result;
    ew_norms norms;
    ew_error error;
    must(ew_solver_norms(run->solver, &norms, &error), &error);
    must(ew_solver_hash(run->solver, &result.hash, &error), &error);
    result.volume = norms.total[4];
    result.speed = fmax(fmax(norms.max[1], -norms.min[1]), fmax(norms.max[2], -norms.min[2]));
    result.lowest = norms.min[0];
    result.error = norms.error_l2[4];
    return result;
}

/* The state at the start, and at a time or after some macro steps. */
static void take(const struct flow *flow, double until, int64_t steps, struct result *first, struct result *last)
{
    struct run run = begin(flow);
    ew_error error;
    *first = result_of(&run);
    must(ew_solver_advance(run.solver, until, steps, NULL, &error), &error);
    *last = result_of(&run);
    end(&run);
}

#define SWAMP "-1e300;0;0;0.1*sin(9*x)*cos(7*y)+0.06*sin(21*y+x);0"
/* Water that breaks into a basin of rough ground, over its rim. */
#define FLOOD "x<-0.3?0.6:0;0;0;0.05*sin(19*x)*sin(23*y)+(hypot(x-0.3,y)<0.2?0.8:0);0"
/* A bore over ground that stays wet but for a hill. */
#define SURGE "x<-0.2?0.9:0.5;0;0;0.04*sin(19*x)*sin(13*y)+(hypot(x-0.4,y)<0.2?0.7:0);0"
/* Fast, thin water: what flows out of many elements is cut. */
#define RAPIDS "-1e300;2*cos(5*y);-sin(7*x);0.1*sin(19*x)*sin(23*y);0.03"
/* ... and out of its middle, from small triangles into large ones. */
#define SPRING "hypot(x,y)<0.15?0.5:0;0;0;0.02*sin(19*x)*sin(23*y);0"

static void check_rest(void)
{
    for (int order = 1; order <= 3; order++) {
        struct flow lake = {.state = SWAMP, .order = order, .levels = LEVELS};
        struct result first, last;
        for (int k = 0; k < 2; k++) {
            lake.limiter = k ? "subcell" : NULL;
            take(&lake, INFINITY, 5, &first, &last);
            ok(last.speed == 0.0 && last.hash == first.hash && first.volume > 0.01,
               "order %d, limiter %s: a swamp keeps every bit, with shores through all levels", order,
               k ? "subcell" : "none");
        }
    }
}

static const struct flow floods[] = {
    {.state = FLOOD, .order = 1, .dry = 1e-6}, {.state = FLOOD, .order = 2, .dry = 1e-6},
    {.state = FLOOD, .order = 3, .dry = 1e-6, .limiter = "oscillation-free", .manning = 0.03},
    {.state = FLOOD, .order = 2, .dry = 1e-6, .limiter = "oscillation-free", .scheme = "ssprk22"},
    {.state = SPRING, .order = 1, .dry = 1e-6, .scheme = "ssprk22"}, {.state = SPRING, .order = 2, .dry = 1e-6},
    {.state = SPRING, .order = 3, .dry = 1e-6, .limiter = "oscillation-free", .manning = 0.03},
    {.state = SURGE, .order = 2, .dry = 1e-6, .limiter = "subcell"},
    {.state = SURGE, .order = 3, .dry = 1e-6, .limiter = "subcell", .manning = 0.03, .scheme = "ssprk22"}};
enum { FLOODS = sizeof floods / sizeof *floods };

static void check_floods(void)
{
    for (int k = 0; k < FLOODS; k++) {
        struct flow flow = floods[k];
        bool divided = flow.limiter && strcmp(flow.limiter, "subcell") == 0;
        if (!long_checks() && flow.limiter && !divided)
            continue;
        struct result first, last, one;
        take(&flow, 0.3, INT64_MAX, &first, &one);
        flow.levels = LEVELS;
        take(&flow, 0.3, INT64_MAX, &first, &last);
        ok(fabs(last.volume - first.volume) < 1e-13 * first.volume && last.lowest >= 0.0,
           "flood %d: water is conserved, and no depth is negative", k);
        ok(last.speed < 1.2 * one.speed + 1.0, "flood %d: no velocity is much larger than with one level", k);
        if (divided)
            is_close(last.speed / one.speed, 1.0, 0.05, "flood %d: the greatest velocity is that of one level", k);
        diag("volume %+.1e, greatest velocity %.3g, of one level %.3g", last.volume / first.volume - 1.0, last.speed,
             one.speed);
    }
}

/* ---- order in time ---- */

#define SLOSH "-1e300;0.2*x;0.1*y;0.1*sin(4*x)*cos(3*y);1 + 0.05*cos(3*x)*cos(4*y)"

static size_t doubles_of(const struct run *run)
{
    ew_solver_info info;
    ew_solver_get_info(run->solver, &info);
    return (size_t)(TRIANGLES * info.basis * info.law->variables);
}

/* The coefficients at time 0.2, to be freed. */
static double *coefficients_of(const struct flow *flow, size_t *count)
{
    struct run run = begin(flow);
    ew_error error;
    *count = doubles_of(&run);
    double *state = calloc(*count, sizeof *state);
    must(ew_solver_advance(run.solver, 0.2, INT64_MAX, NULL, &error), &error);
    must(ew_solver_get_coefficients(run.solver, state, &error), &error);
    end(&run);
    return state;
}

static double distance_of(const struct flow *flow, const double *exact)
{
    size_t count;
    double *state = coefficients_of(flow, &count), sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += (state[n] - exact[n]) * (state[n] - exact[n]);
    free(state);
    return sqrt(sum);
}

/* The error in time alone: against the same mesh with short steps of one level. */
static void check_orders_of(const char *what, double manning, const char *source)
{
    static const struct {
        const char *name;
        int order;
    } schemes[] = {{"ssprk22", 2}, {"ssprk33", 3}};
    struct flow flow = {.state = SLOSH, .order = 2, .manning = manning, .dry = 1e-6, .source = source, .cfl = 0.1};
    size_t count;
    double *exact = coefficients_of(&flow, &count), error[2];
    flow.levels = LEVELS;
    for (int s = 0; s < 2; s++) {
        flow.scheme = schemes[s].name;
        for (int k = 0; k < 2; k++) {
            flow.cfl = 0.3 / (1 << k);
            error[k] = distance_of(&flow, exact);
        }
        double order = log2(error[0] / error[1]);
        ok(order > schemes[s].order - 0.2, "%s, %s: order %d in time (%.2f, error %.2g)", what, schemes[s].name,
           schemes[s].order, order, error[1]);
    }
    free(exact);
}

static void check_orders(void)
{
    check_orders_of("water that sloshes, with friction and rain", 0.05, "0.3*sin(20*t)*x;sin(15*t);y;0;0");
    if (long_checks())
        check_orders_of("... without", 0.0, NULL);
}

/* ---- moving shores ---- */

/* Thacker's planar surface, g = 9.81: om = sqrt(2 g 0.1)/0.5. */
#define OM "2.801428208"
#define ETA "0.1*(2*x*cos(" OM "*t)+2*y*sin(" OM "*t)-0.25)"
#define BASIN "0.1*(4*(x^2+y^2)-1)"
#define WET(u) ETA ">" BASIN "?" u ":0"
#define PLANAR \
    "-1e300;" WET("-0.25*" OM "*sin(" OM "*t)") ";" WET("0.25*" OM "*cos(" OM "*t)") ";" BASIN ";" ETA

static void check_planar(void)
{
    for (int order = long_checks() ? 1 : 2; order <= 2; order++) {
        struct flow flow = {.state = PLANAR, .order = order, .cfl = 0.3};
        struct result first, one, last;
        take(&flow, 1.2, INT64_MAX, &first, &one);
        flow.levels = LEVELS;
        take(&flow, 1.2, INT64_MAX, &first, &last);
        is_close(last.error / one.error, 1.0, 0.05, "order %d: a tilted surface has the error of one level within 5 %%",
                 order);
        ok(fabs(last.volume - first.volume) < 1e-13 * first.volume && last.lowest >= 0.0,
           "order %d: its water is conserved, and no depth is negative", order);
        diag("error %.4e, of one level %.4e", last.error, one.error);
    }
}

/* ---- the number of levels ---- */

/* Water that is deeper where triangles are wider, so that all allow nearly the same steps, and of the same depth. */
#define DEEPER_IN_WIDE "-1e300;0;0;-(0.023+0.6*min(abs(x),abs(y)))^2;0"
#define LEVEL "-1e300;0;0;-1;0"

static void check_number(void)
{
    const struct {
        const char *state;
        int levels, found;
        double shortening[2]; /* between these */
    } cases[] = {{LEVEL, LEVELS, LEVELS, {0.999, 1.001}},
                 {DEEPER_IN_WIDE, LEVELS, LEVELS, {2.5, 8.0}},
                 {DEEPER_IN_WIDE, EW_STEP_LEVELS_AUTO, 1, {0.999, 1.001}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct flow flow = {.state = cases[k].state, .order = 1, .levels = cases[k].levels};
        struct run run = begin(&flow);
        ew_solver_info info;
        ew_solver_get_info(run.solver, &info);
        double shortening = info.level_shortening[info.step_levels - 1];
        is_int(info.step_levels, cases[k].found, "depth %zu: levels", k);
        ok(shortening > cases[k].shortening[0] && shortening < cases[k].shortening[1],
           "... with steps %.3g times as short as those of one", shortening);
        end(&run);
    }
}

/* ---- bits ---- */

static uint64_t hash_of(const struct flow *flow)
{
    struct result first, last;
    take(flow, 0.05, INT64_MAX, &first, &last);
    return last.hash;
}

static void check_bits(int number)
{
    struct flow flow = floods[number];
    uint64_t before = hash_of(&flow);
    flow.levels = 1;
    ok(hash_of(&flow) == before, "flood %d: step_levels = 1 has the bits of no levels", number);
    flow.levels = LEVELS;
    uint64_t one = hash_of(&flow);
    ok(one != before, "flood %d: several levels change the bits", number);
    for (flow.threads = 2; flow.threads <= 3; flow.threads++)
        ok(hash_of(&flow) == one, "flood %d: %d threads have the bits of one", number, flow.threads);
}

/* Parts begin within levels, and their borders cross those between levels. */
static void check_parts(const struct flow *of, const char *what)
{
    struct flow flow = *of;
    flow.levels = LEVELS;
    uint64_t one = hash_of(&flow);
    for (flow.parts = 2; flow.parts <= (long_checks() ? 5 : 3); flow.parts++) {
        flow.threads = 1 + flow.parts % 2;
        ok(hash_of(&flow) == one, "%s, order %d, limiter %s: %d parts have the bits of one", what, flow.order,
           flow.limiter ? flow.limiter : "none", flow.parts);
    }
}

static void check_all_parts(void)
{
    for (int k = 0; k < FLOODS; k++)
        check_parts(&floods[k], "flood");
    for (int order = 1; order <= 3; order++) {
        check_parts(&(struct flow){.state = SWAMP, .order = order}, "swamp");
        check_parts(&(struct flow){.state = RAPIDS, .order = order, .dry = 1e-6, .cfl = 0.8}, "rapids");
    }
}

/* In other parts than before. */
static void check_restart(int number)
{
    struct flow flow = floods[number];
    flow.levels = LEVELS;
    struct run run[2] = {begin(&flow)};
    flow.parts = 3;
    run[1] = begin(&flow);
    ew_moment moment;
    ew_error error;
    double *state = calloc(doubles_of(&run[0]), sizeof *state);
    must(ew_solver_advance(run[0].solver, 0.1, INT64_MAX, NULL, &error), &error);
    must(ew_solver_get_coefficients(run[0].solver, state, &error), &error);
    ew_solver_moment(run[0].solver, &moment);
    must(ew_solver_restore(run[1].solver, flow.order, state, &moment, &error), &error);
    for (int k = 0; k < 2; k++)
        must(ew_solver_advance(run[k].solver, 0.2, INT64_MAX, NULL, &error), &error);
    ok(result_of(&run[0]).hash == result_of(&run[1]).hash, "flood %d: a continued run has the same bits", number);
    for (int k = 0; k < 2; k++)
        end(&run[k]);
    free(state);
}

static void check_sets(void)
{
    struct flow flow = floods[2];
    flow.levels = LEVELS;
    uint64_t best = hash_of(&flow);
    flow.level = "scalar";
    ok(hash_of(&flow) == best, "vectors have the bits of single numbers");
}

int main(void)
{
    check_rest();
    check_floods();
    if (!getenv("EW_NO_CONVERGENCE"))
        check_orders();
    check_planar();
    check_number();
    for (int k = 1; k < FLOODS; k += 5) {
        check_bits(k);
        check_restart(k);
    }
    check_all_parts();
    check_sets();
    return done_testing();
}
