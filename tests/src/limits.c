/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limits of laws: one of five variables and three parameters (tests/laws), each of whose variables is advected like
 * the one of linear advection, must have the bits of that law. GPUs have only the paper's kernels for it. And limiters
 * that are only a file and a row, one of each kind.
 */
#include "ewi_law_list.h"
#include "fake-cuda.h"
#include "flows.h"

enum { VARIABLES = ewi_passengers_variables, STEPS = 3 };

static const char *const texts[VARIABLES] = {"1 + 0.5*sin(pi*x)*sin(2*pi*y + t)", "x < 0.7 ? 1 : 2", "x*y - t",
                                             "exp(-x^2 - y^2)", "0.3*cos(3*x - t)"};
static const char *const wind[] = {"1.5", "2"};
static const ew_parameter parameters[] = {{"wind_y", 2}, {"scale", 1}, {"wind_x", 1.5}};

static ew_mesh *mesh;

struct way {
    int order;
    const char *limiter, *kernels, *level;
    const char *backend; /* NULL: omp */
};

static int try_solver(const struct way *way, const char *law, ew_data state, ew_data field, ew_solver **solver,
                      ew_error *error)
{
    ew_boundary boundary[4];
    ew_problem problem = {.law = law, .order = way->order, .scheme = "ssprk33", .cfl = 0.3, .limiter = way->limiter,
                          .kernels = way->kernels, .level = way->level, .initial = state, .field = field,
                          .boundary = boundary, .backend = way->backend ? way->backend : "omp", .threads = 1};
    if (!field.formula)
        problem.parameters = COUNT(parameters), problem.parameter = parameters;
    problem.boundaries = boundaries(mesh, "state", state, boundary);
    boundary[1] = (ew_boundary){.name = boundary[1].name, .kind = "copy"};
    return ew_solver_create(NULL, mesh, &problem, solver, error);
}

/* Coefficients [elements][variables][basis] after some steps, and the norms. */
static double *result_of(const struct way *way, const char *law, int variables, const char *const *text,
                         ew_norms *norms)
{
    ew_formula *state = formula(variables, text), *field = variables == 1 ? formula(2, wind) : NULL;
    ew_solver *solver;
    size_t basis = (size_t)((way->order + 1) * (way->order + 2) / 2);
    double *c = malloc((size_t)elements_of(mesh) * (size_t)variables * basis * sizeof *c);
    ew_error error;
    if (try_solver(way, law, (ew_data){.formula = state}, (ew_data){.formula = field}, &solver, &error))
        bail_out("no solver: %s", error.message);
    if (!c || !advance(solver, never, STEPS) || ew_solver_get_coefficients(solver, c, &error))
        bail_out("%s does not run", law);
    *norms = norms_of(solver);
    ew_solver_destroy(solver);
    ew_formula_destroy(state);
    ew_formula_destroy(field);
    return c;
}

static void check_way(const struct way *way)
{
    ew_norms all, one;
    size_t basis = (size_t)((way->order + 1) * (way->order + 2) / 2), different = 0;
    struct way on_host = *way;
    on_host.backend = NULL;
    double *together = result_of(way, "passengers", VARIABLES, texts, &all);
    for (size_t m = 0; m < VARIABLES; m++) {
        double *alone = result_of(&on_host, "advection", 1, &texts[m], &one);
        for (size_t i = 0; i < (size_t)elements_of(mesh); i++)
            different += memcmp(together + (i * VARIABLES + m) * basis, alone + i * basis, basis * sizeof *alone) != 0;
        different += all.total[m] != one.total[0] || all.min[m] != one.min[0] || all.max[m] != one.max[0];
        free(alone);
    }
    is_int((int64_t)different, 0, "p = %d, %s, %s, %s: five variables have the bits of one each", way->order,
           way->limiter ? way->limiter : "no limiter", way->kernels, way->level ? way->level : way->backend);
    free(together);
}

static void check_ways(void)
{
    static const char *const kernels[] = {"edgewise", "fused"}, *const levels[] = {"base", "scalar"};
    for (int order = 1; order <= EW_MAX_ORDER; order++)
        for (size_t k = 0; k < COUNT(kernels); k++)
            for (size_t l = 0; l < COUNT(levels); l++) {
                check_way(&(struct way){order, NULL, kernels[k], levels[l], NULL});
                if (order == 1)
                    check_way(&(struct way){order, "barth-jespersen", kernels[k], levels[l], NULL});
            }
}

/* A solver and the formulas that it evaluates. */
struct limited {
    ew_solver *solver;
    ew_formula *state, *field;
};

static struct limited run_limited(const struct way *way, const char *law)
{
    bool all = strcmp(law, "passengers") == 0;
    struct limited run = {.state = formula(all ? VARIABLES : 1, texts), .field = all ? NULL : formula(2, wind)};
    ew_error error;
    if (try_solver(way, law, (ew_data){.formula = run.state}, (ew_data){.formula = run.field}, &run.solver, &error))
        bail_out("no solver: %s", error.message);
    if (!advance(run.solver, never, STEPS))
        bail_out("%s does not run", law);
    return run;
}

static void destroy_limited(struct limited *run)
{
    ew_solver_destroy(run->solver);
    ew_formula_destroy(run->state);
    ew_formula_destroy(run->field);
}

/* The bits of the paper's kernels on the host. */
static void check_limiter(const struct way *way, const char *law)
{
    const struct way paper = {way->order, way->limiter, "edgewise", "scalar", NULL};
    const struct way unlimited = {way->order, NULL, "edgewise", "scalar", NULL};
    struct limited run[] = {run_limited(way, law), run_limited(&paper, law), run_limited(&unlimited, law)};
    uint64_t hash[COUNT(run)];
    ew_solver_info info;
    ew_error error;
    ew_solver_get_info(run[0].solver, &info);
    is_str(info.kernels, way->kernels, "%s has kernels of the set %s", way->limiter, way->kernels);
    for (size_t k = 0; k < COUNT(run); k++) {
        if (ew_solver_hash(run[k].solver, &hash[k], &error))
            bail_out("no hash: %s", error.message);
        destroy_limited(&run[k]);
    }
    ok(hash[0] == hash[1] && hash[1] != hash[2], "p = %d, %s, %s, %s, %s: the bits of the paper's kernels", way->order,
       law, way->limiter, way->kernels, way->level ? way->level : way->backend);
}

static void check_limiters(void)
{
    static const char *const limiters[] = {"halving", "fading"}, *const kernels[] = {"edgewise", "fused"},
                             *const levels[] = {"base", "scalar"};
    for (int order = 1; order <= 2; order++)
        for (size_t l = 0; l < COUNT(limiters); l++)
            for (size_t k = 0; k < COUNT(kernels); k++)
                for (size_t n = 0; n < COUNT(levels); n++)
                    check_limiter(&(struct way){order, limiters[l], kernels[k], levels[n], NULL}, "passengers");
}

static void check_limiters_on_gpu(void)
{
    for (int order = 1; order <= 2; order++) {
        check_limiter(&(struct way){order, "halving", "edgewise", NULL, "cuda"}, "passengers");
        check_limiter(&(struct way){order, "fading", "edgewise", NULL, "cuda"}, "passengers");
        check_limiter(&(struct way){order, "halving", "fused", NULL, "cuda"}, "advection");
    }
}

/* Halving removes a half of each slope, everywhere. */
static void check_activity(void)
{
    const struct way way = {2, "halving", "fused", NULL, NULL};
    const double middle[] = {1.0 / 3, 1.0 / 3};
    struct limited run = run_limited(&way, "passengers");
    int64_t elements = elements_of(mesh);
    double *activity = malloc((size_t)elements * sizeof *activity), least = INFINITY, most = -INFINITY;
    int number = 0;
    ew_error error;
    while (strcmp(ew_law_output(ew_law_find("passengers"), number, NULL), "limiter") != 0)
        number++;
    if (!activity || ew_solver_sample_outputs(run.solver, 0, elements, 1, middle, 1, &number, activity, &error))
        bail_out("no activity: %s", error.message);
    for (int64_t i = 0; i < elements; i++) {
        least = fmin(least, activity[i]);
        most = fmax(most, activity[i]);
    }
    ok(fabs(least - 0.5) < 1e-12 && fabs(most - 0.5) < 1e-12, "the activity of a limiter is what it removes");
    free(activity);
    destroy_limited(&run);
}

static void check_choice(void)
{
    struct way way = {.order = 2, .kernels = "fused", .backend = "cuda"};
    ew_formula *state = formula(VARIABLES, texts);
    ew_solver *solver;
    ew_solver_info info;
    ew_error error;
    is_int(try_solver(&way, "passengers", (ew_data){.formula = state}, (ew_data){.formula = NULL}, &solver, &error),
           EW_EUNAVAILABLE, "a GPU's fused kernels refuse a law of five variables");
    contains(error.message, "it is for laws of at most 4 variables, and passengers has 5", "... and say why");
    way.kernels = NULL;
    if (try_solver(&way, "passengers", (ew_data){.formula = state}, (ew_data){.formula = NULL}, &solver, &error))
        bail_out("no solver: %s", error.message);
    ew_solver_get_info(solver, &info);
    is_str(info.kernels, "edgewise", "without a choice, such a law gets the paper's kernels");
    ew_solver_destroy(solver);
    ew_formula_destroy(state);
}

static void check_gpu(void)
{
    if (!load_fake_cuda_of("laws")) {
        skip("this build has no shared libraries", "a law of five variables on a GPU");
        return;
    }
    check_choice();
    check_limiters_on_gpu();
    check_way(&(struct way){1, NULL, "edgewise", NULL, "cuda"});
    check_way(&(struct way){1, "barth-jespersen", "edgewise", NULL, "cuda"});
    check_way(&(struct way){2, NULL, "edgewise", NULL, "cuda"});
}

static void check_tables(void)
{
    const ew_law *law = ew_law_find("passengers");
    const double parameter[] = {1, 1, 2}, primitive[VARIABLES] = {1, 2, 3, 4, 5};
    double conserved[VARIABLES], sum;
    ew_law_conserved(law, parameter, 1, primitive, conserved);
    ew_law_derived(law, parameter, 0, 1, conserved, NULL, &sum);
    is_int((int64_t)sum, 30, "the fifth variable is converted and counts in derived quantities");
    is_str(ew_law_output(law, VARIABLES - 1, NULL), "z", "the fifth variable can be written");
}

int main(void)
{
    mesh = box((struct box){.nx = 5, .ny = 4, .width = 2, .height = 1, .jitter = 0.5});
    check_tables();
    check_ways();
    check_limiters();
    check_activity();
    check_gpu();
    ew_mesh_destroy(mesh);
    return done_testing();
}
