/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Levels of time steps in a case that is divided among parts, threads of this process here: the bits and sentences of
 * one part, whatever the scheme, the limiter, the boundaries, the backend, the set of kernels and the number of parts
 * and threads.
 *
 * tests/comm/level-parts runs the CUDA kernels on the host (tests/cuda/fake); tests/comm/level-parts-gpu (EW_REAL_GPU)
 * on a GPU, which all parts share, and where there is a second one on two.
 */
#include "ewi_backend.h"
#include "ewi_host.h"
#include "ewi_part.h"
#include "fake-cuda.h"
#include "level-flows.h"

static const struct way ways[] = {
    {"omp", "edgewise", 2, 1, 0}, {"omp", "fused", 3, 1, 0},    {"omp", "fused", 5, 2, 0},
    {"omp", "fused", 2, 1, 0},    {"omp", "edgewise", 3, 2, 0}, {"omp", "edgewise", 5, 1, 0},
    {"cuda", "fused", 4, 1, 1},   {"cuda", "fused", 3, 1, 1},   {"cuda", "fused", 2, 1, 2},
    {"cuda", "fused", 3, 1, 3},   {"cuda", "fused", 2, 1, 1},
};
enum { FIRST_ON_GPU = 6 };
#ifdef EW_REAL_GPU
enum { FIRST_WAY = FIRST_ON_GPU };
#else
enum { FIRST_WAY = 0 };
#endif
#define FAKE_GPUS "devices:3"

static const struct way one = {"omp", "fused", 1, 1, 0};

static bool has_gpus(int count)
{
    char text[256];
    return count == 0 || ew_device_describe(count - 1, text, sizeof text) > 0;
}

/* The ways take turns, but in long checks: those on cores by thirds, those on GPUs one by one. */
static bool is_turn_of(int way, int number)
{
    int gpus = COUNT(ways) - FIRST_ON_GPU;
    return way < FIRST_ON_GPU ? way % 3 == number % 3 : (way - FIRST_ON_GPU) % gpus == number % gpus;
}

static void check_flow(const ew_mesh *mesh, const struct flow *flow, int number)
{
    struct outcome whole = outcome_of(mesh, flow, one);
    for (int w = FIRST_WAY; w < COUNT(ways); w++) {
        bool always = long_checks() || (FIRST_WAY > 0 && ways[w].parts == 2);
        if (!(always || is_turn_of(w, number)) || !has_gpus(ways[w].devices))
            continue;
        struct outcome parts = outcome_of(mesh, flow, ways[w]);
        if (flow_breaks(flow))
            is_str(parts.error, whole.error[0] ? whole.error : "an error",
                   "%s, order %d: %d parts, %s, %s: a run breaks at the same place and time", flow->scheme,
                   flow->order, ways[w].parts, ways[w].backend, ways[w].kernels);
        else
            ok(parts.hash == whole.hash && parts.steps == whole.steps && parts.time == whole.time &&
                   memcmp(parts.outflow, whole.outflow, sizeof whole.outflow) == 0,
               "%s, order %d, %s, limiter %s: %d parts, %s, %s, %d GPUs: the bits of one after %lld steps",
               flow->scheme, flow->order, flow->flux, flow->limiter ? flow->limiter : "none", ways[w].parts,
               ways[w].backend, ways[w].kernels, ways[w].devices, (long long)parts.steps);
    }
}

/* ---- what else rank 0 is asked for ------------------------------------------------------------------------------- */

static double *coefficients_of(ew_solver *solver, bool residual)
{
    ew_error error;
    double *values = calloc((size_t)TRIANGLES * 4 * 6, sizeof *values);
    must(residual ? ew_solver_get_residual(solver, values, &error) : ew_solver_get_coefficients(solver, values, &error),
         &error);
    return values;
}

/* Copies the outflow of one solver to another. */
static void take_outflow(ew_solver *from, ew_solver *to)
{
    ew_error error;
    double outflow[LINES * 4];
    must(ew_solver_get_edge_outflow(from, outflow, &error), &error);
    must(ew_solver_set_edge_outflow(to, outflow, &error), &error);
}

/* To 5 parts. */
static void check_restart(const ew_mesh *mesh, struct way way)
{
    const struct flow flow = {VORTEX, "state", "rk43", "hllc", "oscillation-free", 2, 1, NULL, 0, 1, 0};
    struct formulas formulas[3];
    ew_error error;
    ew_moment moment;
    ew_solver *through = solver_for(mesh, &flow, one, &formulas[0]),
              *before = solver_for(mesh, &flow, way, &formulas[1]),
              *after = solver_for(mesh, &flow, (struct way){way.backend, "fused", 5, 1, way.devices > 0}, &formulas[2]);
    must(ew_solver_advance(through, 1.0, 5, NULL, &error), &error);
    must(ew_solver_advance(before, 1.0, 2, NULL, &error), &error);
    double *half = coefficients_of(before, false);
    ew_solver_moment(before, &moment);
    must(ew_solver_restore(after, flow.order, half, &moment, &error), &error);
    take_outflow(before, after);
    must(ew_solver_advance(after, 1.0, 3, NULL, &error), &error);
    uint64_t hash[2];
    must(ew_solver_hash(through, &hash[0], &error), &error);
    must(ew_solver_hash(after, &hash[1], &error), &error);
    ok(hash[0] == hash[1] && ew_solver_time(through) == ew_solver_time(after) &&
           outflow_hash(through) == outflow_hash(after),
       "%s: 5 parts go on where %d have stopped, to the bits of one", way.backend, way.parts);
    double *rhs = coefficients_of(through, true), *same = coefficients_of(after, true);
    ok(memcmp(rhs, same, (size_t)TRIANGLES * 4 * 6 * sizeof *rhs) == 0, "... and have its residual");
    free(half);
    free(rhs);
    free(same);
    ew_solver *const solver[] = {through, before, after};
    for (int k = 0; k < 3; k++) {
        ew_solver_destroy(solver[k]);
        free_formulas(&formulas[k]);
    }
}

/* Another law, with given velocities, until its change is small. */
static void check_steady(const ew_mesh *mesh, struct way way)
{
    ew_formula *initial = formula_from("exp(-9*(x^2 + y^2))"), *still = formula_from("0"),
               *velocity = formula_from("1 + 0.5*y;0.3 - 0.4*x");
    const ew_boundary around = {.name = "around", .kind = "state", .state.formula = still};
    static const int gpus[] = {0, 1};
    double change[2], dt[2];
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        const ew_problem problem = {.law = "advection", .order = 2, .scheme = "ssprk33", .step_levels = 4,
                                    .steady = 1e-12, .initial.formula = initial, .field.formula = velocity,
                                    .boundaries = 1, .boundary = &around, .backend = k ? way.backend : "omp",
                                    .threads = 1, .parts = k ? way.parts : 1, .devices = k ? way.devices : 0,
                                    .device_of_part = gpus};
        ew_solver *solver;
        ew_error error;
        must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
        must(ew_solver_advance(solver, 1.0, 6, NULL, &error), &error);
        must(ew_solver_hash(solver, &hash[k], &error), &error);
        must(ew_solver_time_step(solver, &dt[k], &error), &error);
        change[k] = ew_solver_change(solver);
        ew_solver_destroy(solver);
    }
    ok(hash[0] == hash[1] && dt[0] == dt[1], "given velocities, %s: %d parts have the bits of one, and its next step",
       way.backend, way.parts);
    ok(change[0] == change[1] && change[0] > 0.0, "... and the change of its last step (%g)", change[0]);
    ew_formula_destroy(initial);
    ew_formula_destroy(still);
    ew_formula_destroy(velocity);
}

/* ---- where parts begin ------------------------------------------------------------------------------------------- */

static void check_cut(const ew_mesh *mesh, int levels)
{
    ew_formula *stream = formula_from(STREAM);
    const ew_boundary around = {.name = "around", .kind = "wall"};
    const ew_problem problem = {.law = "euler", .order = 1, .scheme = "ssprk32", .step_levels = levels,
                                .initial.formula = stream, .boundaries = 1, .boundary = &around};
    ew_plan *plan;
    ew_error error;
    bool ascends = true, as_before = true;
    double excess = 0.0, imbalance = 0.0;
    must(ew_problem_check(NULL, mesh, &problem, &plan, &error), &error);
    for (int size = 1; size <= 40; size++) {
        int32_t *cut;
        double all = 0.0, largest = 0.0;
        must(ewi_part_cut(plan, size, &cut, &error), &error);
        for (int r = 0; r < size; r++) {
            double work = 0.0;
            for (int32_t i = cut[r]; i < cut[r + 1]; i++)
                work += plan->level ? ldexp(1.0, -plan->level[i]) : 1.0;
            all += work;
            largest = fmax(largest, work);
            ascends = ascends && cut[r] < cut[r + 1] && cut[0] == 0 && cut[size] == TRIANGLES;
            as_before = as_before && cut[r] == (int64_t)TRIANGLES * r / size;
        }
        excess = fmax(excess, largest - all / size);
        imbalance = fmax(imbalance, fabs(ewi_part_imbalance(plan, cut, size) - (largest * size / all - 1.0)));
        ewi_free(&plan->host, cut);
    }
    ok(ascends, "%d levels: each part has elements, and each element a part", levels);
    ok(excess <= 1.0, "%d levels: no part has more work than the mean and an element (%g)", levels, excess);
    is_close(imbalance, 0.0, 1e-12, "%d levels: the imbalance is that of the work", levels);
    ok(as_before == (levels == 1), "%d levels: parts have the same number of elements only without levels", levels);
    ew_plan_destroy(plan);
    ew_formula_destroy(stream);
}

/* ---- what fails -------------------------------------------------------------------------------------------------- */

#ifndef EW_REAL_GPU
/* Each allocation of two parts fails in turn; without a limiter, over a bed. */
static void check_memory(const ew_mesh *mesh, const char *backend, const char *kernels, const char *limiter)
{
    const int gpu = 0;
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    ew_formula *initial = formula_from(limiter ? STREAM : "0.5;0;0;0.1*x;0");
    const ew_boundary around = {.name = "around", .kind = "wall"};
    const ew_problem problem = {.law = limiter ? "euler" : "shallow-water-bed", .order = 1, .limiter = limiter,
                                .scheme = limiter ? "rk4" : "ssprk33", .step_levels = 4, .kernels = kernels,
                                .initial.formula = initial, .boundaries = 1, .boundary = &around, .backend = backend,
                                .threads = 1, .parts = 2, .devices = strcmp(backend, "cuda") == 0,
                                .device_of_part = &gpu};
    ew_solver *solver = NULL;
    int status = EW_ENOMEM;
    long failed = 0;
    bool right = true;
    for (; status == EW_ENOMEM && failed < 2000; failed++) {
        ew_error error = {.message = ""};
        memory.calls = 0;
        memory.fail_at = failed + 1;
        status = ew_solver_create(&host, mesh, &problem, &solver, &error);
        bool good = status == EW_OK || (status == EW_ENOMEM && !solver && memory.blocks == 0 && error.message[0]);
        if (!good)
            diag("allocation %ld: status %d, %ld blocks, \"%s\"", failed + 1, status, memory.blocks, error.message);
        right = right && good;
    }
    ok(right && status == EW_OK && failed > 100,
       "%s, %s: each of %ld allocations of two parts may fail, with a sentence, and nothing is left", backend, kernels,
       failed - 1);
    ew_solver_destroy(solver);
    ok(memory.blocks == 0, "... and they give back all that they took");
    ew_formula_destroy(initial);
}

/* Each allocation on one of two GPUs fails in turn; `rule`: what else its driver does. */
static void check_device_memory(const ew_mesh *mesh, const char *rule)
{
    static const int gpus[] = {0, 1};
    ew_formula *stream = formula_from(STREAM);
    const ew_boundary around = {.name = "around", .kind = "wall"};
    const ew_problem problem = {.law = "euler", .order = 1, .limiter = "barth-jespersen", .scheme = "rk4",
                                .step_levels = 4, .initial.formula = stream, .boundaries = 1, .boundary = &around,
                                .backend = "cuda", .parts = 2, .devices = 2, .device_of_part = gpus};
    ew_solver *solver = NULL;
    int status = EW_ENOMEM, failed = 0;
    bool right = true;
    for (; status != EW_OK && failed < 500; failed++) {
        char rules[128];
        ew_error error = {.message = ""};
        snprintf(rules, sizeof rules, "devices:2 cuMemAlloc_v2:2@%d only:1 %s", failed + 1, rule);
        setenv("FAKE_CUDA", rules, 1);
        status = ew_solver_create(NULL, mesh, &problem, &solver, &error);
        right = right && (status == EW_OK || (status == EW_ENOMEM && !solver && strstr(error.message, "GPU 1")));
    }
    ok(right && status == EW_OK && failed > 50, "each of %d allocations on a GPU may fail, with a sentence: %s",
       failed - 1, rule);
    ew_solver_destroy(solver);
    ew_formula_destroy(stream);
    setenv("FAKE_CUDA", FAKE_GPUS, 1);
}

/* One of three GPUs fails in the middle of a macro step: all parts end, with its sentence. */
static void check_failure(const ew_mesh *mesh)
{
    static const char *const failures[] = {"cuLaunchKernel:700@200 only:1", "cuMemcpyDtoHAsync_v2:700@50 only:1",
                                           "cuStreamSynchronize:700@90 only:1", "cuMemcpyHtoDAsync_v2:700@60 only:1",
                                           "cuLaunchKernel:700@2 only:1",   "cuMemcpyDtoHAsync_v2:700@3 only:1",
                                           "cuStreamSynchronize:700@3 only:1", "cuGraphLaunch:700@2 only:1"};
    enum { DIRECT = 4 };
    struct flow flow = {VORTEX, "state", "rk43", "hllc", "subcell", 1, 1, NULL, 0, 1, 0};
    for (int k = 0; k < COUNT(failures); k++) {
        struct formulas formulas;
        char rule[96];
        ew_error error;
        flow.limiter = k < DIRECT ? "subcell" : "barth-jespersen";
        setenv("FAKE_CUDA", k < DIRECT ? "devices:3 cuCtxEnablePeerAccess:217" : FAKE_GPUS, 1);
        const struct way way = {"cuda", k < DIRECT && k % 2 ? "edgewise" : "fused", 3, 1, 3};
        ew_solver *solver = solver_for(mesh, &flow, way, &formulas);
        snprintf(rule, sizeof rule, "devices:3 %s", failures[k]);
        setenv("FAKE_CUDA", rule, 1);
        is_int(ew_solver_advance(solver, 1.0, 100000, NULL, &error), EW_EDEVICE, "a GPU fails, %s: %s",
               k < DIRECT ? "others wait on the host" : "others wait on theirs", failures[k]);
        contains(error.message, "part 1: GPU 1 (no GPU at all) failed", "... and says so");
        is_int(ew_solver_advance(solver, 1.0, 1, NULL, &error), EW_EDEVICE, "... once more");
        ew_solver_destroy(solver);
        free_formulas(&formulas);
    }
    setenv("FAKE_CUDA", FAKE_GPUS, 1);
}
#endif

int main(void)
{
    ew_error error;
#ifndef EW_REAL_GPU
    load_fake_cuda();
    setenv("FAKE_CUDA", FAKE_GPUS, 1);
#endif
    if (!ewi_backend_find("cuda")->usable(&error))
        skip_all(error.message);
    ew_mesh *mesh = graded_mesh(1.6);
    for (int f = 0; f < COUNT(flows); f++)
        check_flow(mesh, &flows[f], f);
    check_restart(mesh, (struct way){"omp", "edgewise", 3, 1, 0});
    check_restart(mesh, (struct way){"cuda", "fused", 3, 1, 1});
    check_steady(mesh, (struct way){"omp", "fused", 4, 1, 0});
    check_steady(mesh, (struct way){"cuda", "fused", 4, 1, 1});
    if (has_gpus(2)) {
        check_restart(mesh, (struct way){"cuda", "fused", 2, 1, 2});
        check_steady(mesh, (struct way){"cuda", "fused", 2, 1, 2});
    }
    for (int levels = 1; levels <= 5; levels++)
        check_cut(mesh, levels);
#ifndef EW_REAL_GPU /* which would load its code each time */
    check_memory(mesh, "omp", "edgewise", "barth-jespersen");
    check_memory(mesh, "omp", "fused", "barth-jespersen");
    check_memory(mesh, "cuda", "fused", "subcell");
    check_memory(mesh, "cuda", "edgewise", NULL);
    check_device_memory(mesh, "");
    check_device_memory(mesh, "cuCtxEnablePeerAccess:217");
    check_failure(mesh);
#endif
    ew_mesh_destroy(mesh);
    return done_testing();
}
