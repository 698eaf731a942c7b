/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limits of laws: one of five variables and three parameters (tests/laws), each of whose variables is advected like
 * the one of linear advection, must have the bits of that law. GPUs have only the paper's kernels for it. And a limiter
 * that is only a file and a row, which halves slopes.
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

static ew_solver *halving_solver(const char *backend, int order, ew_formula *state)
{
    struct way way = {.order = order, .limiter = "halving", .backend = backend};
    ew_solver *solver;
    ew_error error;
    if (try_solver(&way, "passengers", (ew_data){.formula = state}, (ew_data){.formula = NULL}, &solver, &error))
        bail_out("no solver: %s", error.message);
    return solver;
}

/* The largest and the least limiter activity. */
static void activity_range(ew_solver *solver, double *least, double *most)
{
    const double middle[] = {1.0 / 3, 1.0 / 3};
    int64_t elements = elements_of(mesh);
    double *activity = malloc((size_t)elements * sizeof *activity);
    int number = 0;
    ew_error error;
    while (strcmp(ew_law_output(ew_law_find("passengers"), number, NULL), "limiter") != 0)
        number++;
    if (!activity || ew_solver_sample_outputs(solver, 0, elements, 1, middle, 1, &number, activity, &error))
        bail_out("no activity: %s", error.message);
    *least = INFINITY, *most = -INFINITY;
    for (int64_t i = 0; i < elements; i++) {
        *least = fmin(*least, activity[i]);
        *most = fmax(*most, activity[i]);
    }
    free(activity);
}

static void check_limiter(const char *backend)
{
    for (int order = 1; order <= 2; order++) {
        ew_formula *state = formula(VARIABLES, texts);
        ew_solver *solver = halving_solver(backend, order, state), *host = halving_solver("omp", order, state);
        ew_solver_info info;
        double least, most;
        uint64_t hash, expected;
        ew_error error;
        ew_solver_get_info(solver, &info);
        is_str(info.kernels, "edgewise", "%s, p = %d: a limiter without fused kernels gets the paper's", backend,
               order);
        activity_range(solver, &least, &most);
        ok(fabs(least - 0.5) < 1e-12 && fabs(most - 0.5) < 1e-12, "... and its activity is what it removes");
        ok(advance(solver, never, STEPS) && advance(host, never, STEPS) && !ew_solver_hash(solver, &hash, &error) &&
               !ew_solver_hash(host, &expected, &error) && hash == expected, "... and its bits are the same");
        ew_solver_destroy(solver);
        ew_solver_destroy(host);
        ew_formula_destroy(state);
    }
}

static void check_refusal(void)
{
    struct way way = {.order = 1, .limiter = "halving", .kernels = "fused"};
    ew_formula *state = formula(VARIABLES, texts);
    ew_solver *solver;
    ew_error error;
    is_int(try_solver(&way, "passengers", (ew_data){.formula = state}, (ew_data){.formula = NULL}, &solver, &error),
           EW_EINVAL, "fused kernels refuse a limiter that they lack");
    contains(error.message, "the kernels \"fused\" lack the limiter \"halving\"", "... and say so");
    ew_formula_destroy(state);
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
    check_limiter("cuda");
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
    check_refusal();
    check_limiter("omp");
    check_gpu();
    ew_mesh_destroy(mesh);
    return done_testing();
}
