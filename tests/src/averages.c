/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Averages over time: those of a travelling wave are known, and all backends, kernel sets, threads, parts, divisions of
 * a run and restarts have the same bits.
 */
#include "edgewise.h"
#include "ewi_backend.h"
#include "fake-cuda.h"
#include "flows.h"
#include "helpers.h"

enum { STEPS = 3, MOST = 12 };

static ew_mesh *mesh;
static ew_formula *wave, *velocity, *square, *twist;
static ew_error error;

static ew_formula *output_formula(const char *law, const char *text)
{
    ew_scope *scope, *with_outputs;
    ew_formula *made;
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_scope_with_outputs(scope, ew_law_find(law), &with_outputs, &error), &error);
    must(ew_formula_create(with_outputs, 1, &text, &made, &error), &error);
    ew_scope_destroy(with_outputs);
    ew_scope_destroy(scope);
    return made;
}

static int number_of(const ew_solver *solver, const char *name)
{
    int k = 0;
    for (const char *of; (of = ew_solver_output(solver, k, NULL)) != NULL; k++)
        if (strcmp(of, name) == 0)
            return k;
    bail_out("there is no output %s", name);
    return -1;
}

/* ---- values that are known --------------------------------------------------------------------------------------- */

/* Element 0 at one of its nodes, or anywhere. */
static double value_at(ew_solver *solver, const char *name, double r, double s)
{
    double value, rs[2] = {r, s};
    int number = number_of(solver, name);
    must(ew_solver_sample_outputs(solver, 0, 1, 1, rs, 1, &number, &value, &error), &error);
    return value;
}

/* sin(2 pi (x - t)) over one period: mean 0, variance 1/2; its square has the mean 1/2 and the variance 1/8. */
static void check_wave(void)
{
    ew_quantity quantity = {"square", NULL, square};
    int first = 0;
    while (ew_law_output(ew_law_find("advection"), first, NULL))
        first++;
    ew_average average[] = {{"mean", NULL, EW_MEAN, 0, 0, 0},          {"var", NULL, EW_VARIANCE, 0, 0, 0},
                            {"mean2", NULL, EW_MEAN, first, 0, 0},     {"var2", NULL, EW_VARIANCE, first, 0, 0},
                            {"cov", NULL, EW_COVARIANCE, 0, first, 0}, {"min", NULL, EW_MINIMUM, 0, 0, 0},
                            {"max", NULL, EW_MAXIMUM, 0, 0, 0},        {"when", NULL, EW_ARRIVAL, 0, 0, 0.99},
                            {"never", NULL, EW_ARRIVAL, 0, 0, 2.0}};
    ew_problem problem = {.law = "advection", .order = 4, .field.formula = velocity, .initial.formula = wave,
                          .backend = "omp", .threads = 1, .quantities = 1, .quantity = &quantity,
                          .averages = {.steps = 1, .count = COUNT(average), .average = average}};
    ew_averages_info info;
    ew_solver *solver;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    ok(isnan(value_at(solver, "mean", 0, 0)), "before the first sample there is no mean");
    must(ew_solver_advance(solver, 1.0, INT64_MAX, NULL, &error), &error);
    ew_solver_averages_info(solver, &info);
    is_close(info.duration, 1.0, 1e-12, "the weights are the time since the start");
    is_int(info.first, first + 1, "averages follow the quantities");
    for (int k = 0; k < 3; k++) {
        double r = k == 0 ? 0 : 0.25, s = k == 2 ? 0.3 : 0;
        is_close(value_at(solver, "mean", r, s), 0.0, 1e-3, "the mean of a wave over a period");
        is_close(value_at(solver, "var", r, s), 0.5, 1e-3, "... its variance");
        is_close(value_at(solver, "mean2", r, s), 0.5, 1e-3, "... the mean of its square");
        is_close(value_at(solver, "var2", r, s), 0.125, 1e-3, "... the variance of that");
        is_close(value_at(solver, "cov", r, s), 0.0, 1e-3, "... and their covariance");
    }
    is_close(value_at(solver, "max", 0, 0), 1.0, 2e-3, "the maximum");
    is_close(value_at(solver, "min", 0, 0), -1.0, 2e-3, "the minimum");
    double from = value_at(solver, "when", 0, 0), x[2 * 200];
    ew_mesh_info mesh_info;
    int64_t triangle[3 * 400];
    ew_mesh_get_info(mesh, &mesh_info);
    if (mesh_info.nodes > 200 || mesh_info.elements > 400)
        bail_out("the mesh is too large");
    ew_mesh_get_nodes(mesh, x);
    ew_mesh_get_triangles(mesh, triangle);
    double phase = x[2 * triangle[0]] - (0.25 - acos(0.99) / (2 * M_PI)); /* where the wave's crest begins, when */
    is_close(fmod(phase - 2 * acos(0.99) / (2 * M_PI) + 2, 1.0), from, 0.03, "the crest arrives when it should");
    ok(isnan(value_at(solver, "never", 0, 0)), "what never comes has no time");
    ew_solver_destroy(solver);
}

/* Between nodes, extrema and arrivals are linear: within the values at the nodes. */
static void check_between(void)
{
    ew_average average[] = {{"m", NULL, EW_MEAN, 0, 0, 0}, {"max", NULL, EW_MAXIMUM, 0, 0, 0}};
    ew_problem problem = {.law = "advection", .order = 2, .field.formula = velocity, .initial.formula = wave,
                          .backend = "omp", .threads = 1, .averages = {.steps = 1, .count = 2, .average = average}};
    ew_solver *solver;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    must(ew_solver_advance(solver, never, 1, NULL, &error), &error);
    double u = value_at(solver, "u", 0.3, 0.45);
    is_close(value_at(solver, "m", 0.3, 0.45), u, 1e-14, "a mean of one sample is the polynomial itself");
    double corner = value_at(solver, "u", 0.5, 0.5), edge = value_at(solver, "u", 0, 0.5),
           middle = value_at(solver, "u", 0.5, 0);
    is_close(value_at(solver, "max", 0.3, 0.45), corner * 0.5 + edge * 0.4 + middle * 0.1, 1e-14,
             "a maximum is linear between nodes");
    ew_solver_destroy(solver);
}

/* On an edge whose nodes have a time, rounding does not bring in the third node, which has none. */
static void check_empty(void)
{
    enum { CUTS = 12, ELEMENTS = 40, POINTS = (CUTS + 1) * (CUTS + 2) / 2 };
    ew_average average = {"when", NULL, EW_ARRIVAL, 0, 0, 0.5};
    ew_problem problem = {.law = "advection", .order = 1, .field.formula = velocity, .initial.formula = wave,
                          .backend = "omp", .threads = 1, .averages = {.steps = 1, .count = 1, .average = &average}};
    double rs[2 * POINTS], *at = rs, value[ELEMENTS * POINTS];
    int infinite = 0, finite = 0, empty = 0;
    ew_solver *solver;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    must(ew_solver_advance(solver, never, 3, NULL, &error), &error);
    for (int j = 0; j <= CUTS; j++)
        for (int i = 0; i + j <= CUTS; i++) {
            *at++ = (double)i / CUTS;
            *at++ = (double)j / CUTS;
        }
    int number = number_of(solver, "when");
    must(ew_solver_sample_outputs(solver, 0, ELEMENTS, POINTS, rs, 1, &number, value, &error), &error);
    for (int k = 0; k < ELEMENTS * POINTS; k++) {
        infinite += isinf(value[k]) != 0;
        finite += isfinite(value[k]) != 0;
        empty += isnan(value[k]) != 0;
    }
    is_int(infinite, 0, "between nodes a time is finite or not a number");
    ok(finite > 0 && empty > 0, "... and both occur");
    ok(ew_solver_output_is_linear(solver, number) && !ew_solver_output_is_linear(solver, 0),
       "an arrival is linear between nodes, a variable is not");
    ew_solver_destroy(solver);
}

/* ---- bits -------------------------------------------------------------------------------------------------------- */

static ew_average all_of(int k, int vorticity, int formula)
{
    const ew_average average[MOST] = {
        {"m0", NULL, EW_MEAN, 0, 0, 0},          {"v0", NULL, EW_VARIANCE, 0, 0, 0},
        {"v3", NULL, EW_VARIANCE, 3, 0, 0},      {"c12", NULL, EW_COVARIANCE, 1, 2, 0},
        {"c31", NULL, EW_COVARIANCE, 3, 1, 0},   {"min3", NULL, EW_MINIMUM, 3, 0, 0},
        {"max4", NULL, EW_MAXIMUM, 4, 0, 0},     {"mv", NULL, EW_MEAN, vorticity, 0, 0},
        {"vf", NULL, EW_VARIANCE, formula, 0, 0}, {"maxf", NULL, EW_MAXIMUM, formula, 0, 0},
        {"a0", NULL, EW_ARRIVAL, 0, 0, 1.1},     {"af", NULL, EW_ARRIVAL, formula, 0, 0.05}};
    return average[k];
}

struct made {
    ew_quantity quantity;
    ew_average average[MOST];
    ew_problem problem;
};

static void make_problem(struct made *made, int order)
{
    const ew_law *law = ew_law_find("euler");
    int vorticity = 0, outputs = 0;
    for (; ew_law_output(law, outputs, NULL); outputs++)
        if (strcmp(ew_law_output(law, outputs, NULL), "vorticity") == 0)
            vorticity = outputs;
    made->quantity = (ew_quantity){"twist", NULL, twist};
    for (int k = 0; k < MOST; k++)
        made->average[k] = all_of(k, vorticity, outputs);
    made->problem = (ew_problem){
        .order = order, .limiter = order == 1 ? "barth-jespersen" : "none", .initial.formula = square, .threads = 1,
        .backend = "omp", .kernels = "edgewise", .quantities = 1, .quantity = &made->quantity,
        .averages = {.from = 0.01, .steps = STEPS, .count = MOST, .average = made->average}};
}

static double *values_of(ew_solver *solver, ew_averages_info *info)
{
    ew_solver_averages_info(solver, info);
    double *values = calloc(info->values, sizeof *values);
    must(ew_solver_get_averages(solver, values, &error), &error);
    return values;
}

static bool same_averages(ew_solver *a, ew_solver *b)
{
    ew_averages_info of_a, of_b;
    double *values_a = values_of(a, &of_a), *values_b = values_of(b, &of_b);
    bool same = of_a.values == of_b.values && of_a.duration == of_b.duration && of_a.last == of_b.last &&
                memcmp(values_a, values_b, of_a.values * sizeof *values_a) == 0;
    free(values_a);
    free(values_b);
    return same;
}

static ew_solver *run(const ew_problem *problem, int64_t steps)
{
    ew_solver *solver;
    must(ew_solver_create(NULL, mesh, problem, &solver, &error), &error);
    must(ew_solver_advance(solver, never, steps, NULL, &error), &error);
    return solver;
}

static void check_same(const ew_problem *problem, ew_solver *reference, const char *name)
{
    ew_solver *solver = run(problem, 11);
    ok(same_averages(solver, reference), "%s, p = %d: the same bits", name, problem->order);
    ew_solver_destroy(solver);
}

static ew_solver *resume(const ew_problem *problem, ew_solver *solver)
{
    ew_averages_info info;
    ew_solver *other;
    ew_moment moment;
    size_t count = (size_t)elements_of(mesh) * 4 * 21;
    double *state = calloc(count, sizeof *state), *values = values_of(solver, &info);
    must(ew_solver_get_coefficients(solver, state, &error), &error);
    ew_solver_moment(solver, &moment);
    must(ew_solver_create(NULL, mesh, problem, &other, &error), &error);
    must(ew_solver_advance(other, never, 5, NULL, &error), &error);
    must(ew_solver_restore(other, problem->order, state, &moment, &error), &error);
    must(ew_solver_set_averages(other, values, info.duration, info.last, &error), &error);
    free(state);
    free(values);
    return other;
}

static void check_divisions(const ew_problem *problem, ew_solver *reference)
{
    ew_solver *solver = run(problem, 0), *snapshot = NULL;
    for (int k = 1; k <= 4; k++)
        must(ew_solver_advance(solver, never, k == 4 ? 5 : k, NULL, &error), &error);
    ok(same_averages(solver, reference), "... in calls of 1, 2, 3 and 5 steps");
    ew_solver_destroy(solver);
    for (int steps = 4; steps <= 6; steps++) {
        solver = run(problem, steps);
        ew_solver *other = resume(problem, solver);
        must(ew_solver_advance(other, never, 11 - steps, NULL, &error), &error);
        ok(same_averages(other, reference), "... with a restart after %d steps", steps);
        ew_solver_destroy(other);
        ew_solver_destroy(solver);
    }
    solver = run(problem, 11);
    must(ew_solver_snapshot(solver, 0, NULL, &snapshot, &error), &error);
    must(ew_solver_advance(solver, never, 5, NULL, &error), &error);
    ok(same_averages(snapshot, reference) && !same_averages(solver, reference), "a snapshot keeps its averages");
    must(ew_solver_snapshot(solver, 0, NULL, &snapshot, &error), &error);
    ok(same_averages(snapshot, solver), "... until it is taken again");
    ew_solver_destroy(snapshot);
    ew_solver_destroy(solver);
}

static void check_ensemble(struct made *made, ew_solver *reference)
{
    ew_ensemble *ensemble;
    must(ew_ensemble_create(NULL, &ensemble, &error), &error);
    made->problem.ensemble = ensemble;
    ew_solver *solver = run(&made->problem, 11);
    ok(same_averages(solver, reference), "a member of an ensemble: the same bits");
    ew_advance advance = {.solver = solver, .until = never, .max_steps = 1};
    is_int(ew_ensemble_advance(ensemble, 1, &advance, 0, &error), EW_EINVAL, "... but not by ew_ensemble_advance");
    contains(error.message, "has averages", "... which says why");
    ew_solver_destroy(solver);
    ew_ensemble_destroy(ensemble);
    made->problem.ensemble = NULL;
}

static void check_bits(int order)
{
    struct made made;
    make_problem(&made, order);
    ew_solver *reference = run(&made.problem, 11);
    made.problem.tile = -1;
    check_same(&made.problem, reference, "the paper's layout");
    made.problem.tile = 0;
    made.problem.kernels = "fused";
    check_same(&made.problem, reference, "fused kernels");
    made.problem.threads = 3;
    check_same(&made.problem, reference, "3 threads");
    made.problem.level = "scalar";
    check_same(&made.problem, reference, "scalar kernels");
    made.problem.level = NULL;
    made.problem.threads = 1;
    made.problem.parts = 3;
    check_same(&made.problem, reference, "3 parts");
    made.problem.parts = 0;
    check_divisions(&made.problem, reference);
    check_ensemble(&made, reference);
    made.problem.backend = "cuda";
    made.problem.kernels = "edgewise";
    check_same(&made.problem, reference, "cuda, the paper's kernels");
    made.problem.kernels = "fused";
    check_same(&made.problem, reference, "cuda, fused kernels");
    check_divisions(&made.problem, reference);
    check_ensemble(&made, reference);
    ew_solver_destroy(reference);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void refuses(ew_averages averages, const char *sentence)
{
    ew_problem problem = {.order = 2, .initial.formula = square, .averages = averages};
    is_int(ew_problem_check(NULL, NULL, &problem, NULL, &error), EW_EINVAL, "refused");
    contains(error.message, sentence, "... because %s", sentence);
}

#define ONE(...) .count = 1, .average = &(ew_average){__VA_ARGS__}

enum { MOST_SAMPLES = 16 };

/* Averages of 16 quantities by formula, and of one more. */
static void check_most(int first)
{
    ew_average average[MOST_SAMPLES + 1];
    ew_quantity quantity[MOST_SAMPLES + 1];
    char name[MOST_SAMPLES + 1][2][16];
    for (int k = 0; k <= MOST_SAMPLES; k++) {
        snprintf(name[k][0], sizeof name[k][0], "q%d", k);
        snprintf(name[k][1], sizeof name[k][1], "m%d", k);
        quantity[k] = (ew_quantity){name[k][0], NULL, twist};
        average[k] = (ew_average){name[k][1], NULL, EW_MEAN, first + k, 0, 0};
    }
    ew_problem problem = {.order = 2, .initial.formula = square, .quantities = COUNT(quantity), .quantity = quantity,
                          .averages = {.steps = 1, .count = MOST_SAMPLES, .average = average}};
    must(ew_problem_check(NULL, NULL, &problem, NULL, &error), &error);
    problem.averages.count++;
    is_int(ew_problem_check(NULL, NULL, &problem, NULL, &error), EW_EINVAL, "refused");
    contains(error.message, "more than 16 quantities", "... because there are more than 16 quantities");
}

static void check_errors(void)
{
    int limiter = 0;
    while (strcmp(ew_law_output(ew_law_find("euler"), limiter, NULL), "limiter") != 0)
        limiter++;
    refuses((ew_averages){.steps = 0, ONE("m", NULL, EW_MEAN, 0, 0, 0)}, "every 0 steps");
    refuses((ew_averages){.steps = 1, .from = NAN, ONE("m", NULL, EW_MEAN, 0, 0, 0)}, "begin at t = nan");
    refuses((ew_averages){.steps = 1, ONE("p", NULL, EW_MEAN, 0, 0, 0)}, "it is a quantity of the law");
    refuses((ew_averages){.steps = 1, ONE(NULL, NULL, EW_MEAN, 0, 0, 0)}, "must begin with a letter");
    refuses((ew_averages){.steps = 1, ONE("m", NULL, EW_MEAN, limiter, 0, 0)}, "except \"limiter\"");
    refuses((ew_averages){.steps = 1, ONE("m", NULL, EW_MEAN, 999, 0, 0)}, "not of number 999");
    refuses((ew_averages){.steps = 1, ONE("m", NULL, EW_COVARIANCE, 0, -1, 0)}, "not of number -1");
    refuses((ew_averages){.steps = 1, ONE("m", NULL, EW_ARRIVAL, 0, 0, INFINITY)}, "threshold of an arrival is inf");
    refuses((ew_averages){.steps = 1, ONE("m", NULL, (enum ew_statistic)17, 0, 0, 0)}, "no statistic 17");
    refuses((ew_averages){.steps = 1, .count = 1}, "where is NULL");
    refuses((ew_averages){.steps = 1, .count = 99, .average = &(ew_average){0}}, "there can be 0 to 64");
    ew_average two[] = {{"m", NULL, EW_MEAN, 0, 0, 0}, {"m", NULL, EW_MEAN, 1, 0, 0}};
    refuses((ew_averages){.steps = 1, .count = 2, .average = two}, "two quantities \"m\"");
    check_most(limiter + 1);
}

static void check_without(void)
{
    ew_problem problem = {.order = 1, .initial.formula = square, .backend = "omp", .threads = 1};
    ew_averages_info info;
    double value = 0;
    ew_solver *solver = run(&problem, 1);
    ew_solver_averages_info(solver, &info);
    is_int(info.count, 0, "a solver without averages has none");
    is_int(ew_solver_get_averages(solver, &value, &error), EW_EINVAL, "... nor values of them");
    is_int(ew_solver_set_averages(solver, &value, 0, 0, &error), EW_EINVAL, "... nor does it take any");
    ew_solver_destroy(solver);
}

/* Every allocation of a solver with averages, and of its snapshot, can fail. */
static void check_memory(void)
{
    struct made made;
    make_problem(&made, 2);
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    int failures = 0, status = EW_ENOMEM;
    for (long allowed = 0; status != EW_OK && allowed < 1000; allowed++, failures++) {
        ew_solver *solver = NULL, *snapshot = NULL;
        memory_allow(&memory, allowed);
        status = ew_solver_create(&host, mesh, &made.problem, &solver, &error);
        if (status == EW_OK)
            status = ew_solver_snapshot(solver, 0, NULL, &snapshot, &error);
        ew_solver_destroy(snapshot);
        ew_solver_destroy(solver);
        if (status != EW_OK && status != EW_ENOMEM)
            break;
    }
    memory_allow(&memory, -1);
    is_int(status, EW_OK, "failures of %d allocations are reported", failures - 1);
    is_int(memory.blocks, 0, "... and leave nothing behind");
}

int main(void)
{
#ifndef EW_REAL_GPU
    load_fake_cuda();
#endif
    if (!ewi_backend_find("cuda")->usable(&error))
        skip_all(error.message);
    mesh = box((struct box){5, 4, 1.0, 1.0, 0.2, true});
    wave = formula_from("sin(2*pi*x)");
    velocity = formula_from("1;0");
    square = output_formula("advection", "u^2");
    check_wave();
    check_between();
    check_empty();
    ew_formula_destroy(square);
    square = formula_from("1 + 0.2*sin(2*pi*x);0.3*cos(2*pi*y);0.1*sin(2*pi*x);1 + 0.1*cos(2*pi*x)");
    twist = output_formula("euler", "vorticity^2*x + t");
    check_bits(1);
    check_bits(3);
    check_errors();
    check_without();
    check_memory();
    ew_formula_destroy(square);
    ew_formula_destroy(twist);
    ew_formula_destroy(wave);
    ew_formula_destroy(velocity);
    ew_mesh_destroy(mesh);
    return done_testing();
}
