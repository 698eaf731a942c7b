/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Positivity and the limiter oscillation-free: states stay admissible at every point of the rules, no mass is lost, and
 * smooth flows keep their order and nearly their error, also near vacuum. Planar shocks stay planar. tests/src/physics
 * has tubes, tests/src/parity the bits.
 */
#include "ewi_basis.h"
#include "flows.h"
#include "helpers.h"

static const char *const names[] = {"euler", "shallow-water"};
enum { LAWS = 2 };

/* ---- nearly nothing beside something ----------------------------------------------------------------------------- */

/* Primitive variables, whose projections are negative at some points. */
static const char *const steep[LAWS][4] = {
    {"x < 0.5 ? 1 : 0.02", "0.4*sin(2*pi*y)", "y < 0.5 ? 0.3 : -2", "x < 0.5 ? 1 : 0.01"},
    {"x < 0.5 ? 1 : 0.01", "0.4*sin(2*pi*y)", "y < 0.5 ? 0.3 : -2"}};

/* The points of the sides and of the volume rule. */
static int rule_points(int order, double *rs)
{
    const struct ewi_basis *basis = ewi_basis_get(order);
    int n = 0;
    for (int e = 0; e < basis->ne; e++) {
        const double t = basis->edge_t[e], at[3][2] = {{t, 0}, {1 - t, t}, {0, 1 - t}};
        for (int k = 0; k < 3; k++, n++) {
            rs[2 * n] = at[k][0];
            rs[2 * n + 1] = at[k][1];
        }
    }
    for (int q = 0; q < basis->nq; q++, n++) {
        rs[2 * n] = basis->r[q];
        rs[2 * n + 1] = basis->s[q];
    }
    return n;
}

/* Primitive variables at these points of all elements, *count in number. */
static double *values_at_points(ew_solver *solver, int64_t elements, int order, int variables, int64_t *count)
{
    double rs[2 * 64];
    int each = rule_points(order, rs);
    double *values = malloc((size_t)elements * (size_t)(each * variables) * sizeof *values);
    ew_error error;
    if (!values || ew_solver_sample(solver, 0, elements, each, rs, 1, values, &error))
        bail_out("no samples");
    *count = elements * each;
    return values;
}

/* The smallest density or depth, and pressure, at these points. */
static double smallest(ew_solver *solver, int64_t elements, int order, int variables)
{
    double least = INFINITY;
    int64_t count;
    double *values = values_at_points(solver, elements, order, variables, &count);
    for (int64_t k = 0; k < count; k++) {
        least = fmin(least, values[k * variables]);
        if (variables == 4)
            least = fmin(least, values[k * variables + 3]);
    }
    free(values);
    return least;
}

/* A cfl of 0 is the default. */
static void check_positive(int law, int order, const char *limiter, const char *scheme, double cfl)
{
    ew_mesh *mesh = box((struct box){.nx = 7, .ny = 6, .width = 1, .height = 1, .jitter = 0.4, .periodic = true});
    ew_formula *initial = formula(law == 0 ? 4 : 3, steep[law]);
    ew_problem problem = {.law = names[law], .order = order, .limiter = limiter, .scheme = scheme, .cfl = cfl,
                          .initial = {.formula = initial}};
    int variables = law == 0 ? 4 : 3;
    ew_solver *plain = start(mesh, &problem);
    problem.positivity = 1;
    ew_solver *solver = start(mesh, &problem);
    if (!limiter || strcmp(limiter, "oscillation-free") == 0)
        ok(smallest(plain, elements_of(mesh), order, variables) < 0, "%s, order %d: something is to be done",
           names[law], order);
    ok(smallest(solver, elements_of(mesh), order, variables) > 0, "%s, order %d: the initial state is positive",
       names[law], order);
    double before = norms_of(solver).total[0];
    ok(advance(solver, never, 20), "%s, order %d, %s, %s: it runs", names[law], order, limiter ? limiter : "no limiter",
       scheme);
    ok(smallest(solver, elements_of(mesh), order, variables) > 0, "... and is positive at every point");
    is_close(norms_of(solver).total[0], before, 1e-14, "... and loses no mass");
    ew_solver_destroy(plain);
    ew_solver_destroy(solver);
    ew_formula_destroy(initial);
    ew_mesh_destroy(mesh);
}

/*
 * Water that flows apart, until the bed is dry: where c is lost in the speed by rounding, so is what the bound on
 * discharges leaves. Where films meet, hllc's estimate of the depth between them is far too large.
 */
static void check_film(int order, const char *flux)
{
    static const char *const apart[3] = {"1", "x < 1.5 ? -50 : 50", "0"};
    ew_mesh *mesh = box((struct box){.nx = 120, .ny = 2, .width = 3, .height = 0.05, .jitter = 0.2, .periodic = true});
    ew_formula *initial = formula(3, apart);
    ew_problem problem = {.law = "shallow-water", .order = order, .flux = flux, .limiter = "oscillation-free",
                          .positivity = 1, .scheme = "ssprk33", .initial = {.formula = initial}};
    ew_solver *solver = start(mesh, &problem);
    ok(advance(solver, 0.026, INT64_MAX), "order %d, %s: a film becomes as good as dry", order, flux);
    double least = smallest(solver, elements_of(mesh), order, 3);
    if (!ok(least > 0 && least < 1e-35, "... and keeps a depth at all points"))
        diag("%g", least);
    ew_solver_destroy(solver);
    ew_formula_destroy(initial);
    ew_mesh_destroy(mesh);
}

/* ---- smooth flows ------------------------------------------------------------------------------------------------ */

/* The density error of a wave in a gas that carries it along the diagonal. */
static double carried_wave_error(int order, int cells, int speed, const char *limiter)
{
    char rho[64], velocity[16];
    snprintf(rho, sizeof rho, "1 + 0.2*sin(2*pi*(x + y - 2*%d*t))", speed);
    snprintf(velocity, sizeof velocity, "%d", speed);
    const char *const texts[4] = {rho, velocity, velocity, "1"};
    ew_mesh *mesh = box((struct box){.nx = cells, .ny = cells, .width = 1, .height = 1, .jitter = 0.2,
                                     .periodic = true});
    ew_formula *wave = formula(4, texts);
    ew_problem problem = {.order = order, .limiter = limiter, .positivity = limiter != NULL, .scheme = "ssprk54",
                          .cfl = 0.3, .initial = {.formula = wave}, .exact = {.formula = wave}};
    ew_solver *solver = start(mesh, &problem);
    if (!advance(solver, long_checks() ? 0.2 : 0.1, INT64_MAX))
        bail_out("a wave failed");
    double error = norms_of(solver).error_l2[0];
    ew_solver_destroy(solver);
    ew_formula_destroy(wave);
    ew_mesh_destroy(mesh);
    return error;
}

static double wave_error(int order, int cells, const char *limiter)
{
    return carried_wave_error(order, cells, 1, limiter);
}

static void check_waves(void)
{
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        double coarse = wave_error(order, 6, "oscillation-free"), fine = wave_error(order, 12, "oscillation-free");
        double plain = wave_error(order, 12, NULL), rate = log2(coarse / fine);
        ok(fine < 1.10 * plain, "order %d: a smooth wave has nearly the error of no limiter", order);
        ok(rate > order + 0.4, "order %d: it converges", order);
        diag("errors %.3e and %.3e, rate %.2f; without the limiter %.3e, ratio %.3f", coarse, fine, rate, plain,
             fine / plain);
    }
}

/* Damping by the speed of the flow, not by differences, would blur it more the faster it is carried. */
static void check_carried_wave(void)
{
    double limited = carried_wave_error(2, 6, 20, "oscillation-free"), plain = carried_wave_error(2, 6, 20, NULL);
    if (!ok(limited < 1.05 * plain, "a wave that is carried at Mach 24 has nearly the error of no limiter"))
        diag("%.3e, without the limiter %.3e, ratio %.3f", limited, plain, limited / plain);
}

/* ---- smooth flows near vacuum, and fast thin sheets -------------------------------------------------------------- */

static ew_mesh *periodic_square(int cells)
{
    return box((struct box){.nx = cells, .ny = cells, .width = 1, .height = 1, .jitter = 0.2, .periodic = true});
}

/* The error of the first variable, relative to that without positivity. */
static double error_ratio(int law, int order, int cells, double until, const char *const *texts)
{
    ew_mesh *mesh = periodic_square(cells);
    ew_formula *exact = formula(law == 0 ? 4 : 3, texts);
    double error[2];
    for (int k = 0; k < 2; k++) {
        ew_problem problem = {.law = names[law], .order = order, .positivity = k, .scheme = "ssprk54", .cfl = 0.4,
                              .initial = {.formula = exact}, .exact = {.formula = exact}};
        ew_solver *solver = start(mesh, &problem);
        error[k] = advance(solver, until, INT64_MAX) ? norms_of(solver).error_l2[0] : NAN;
        ew_solver_destroy(solver);
    }
    ew_formula_destroy(exact);
    ew_mesh_destroy(mesh);
    diag("%s, order %d, %d cells: error %.3e, with positivity %.3e", names[law], order, cells, error[0], error[1]);
    return error[1] / error[0];
}

/* A density wave that comes close to vacuum (Zhang and Shu 2010), and steady shear at a Froude number of 30. */
static const char *const thin_wave[] = {"1 + 0.98*sin(2*pi*(x + y - 2*t))", "1", "1", "1"};
static const char *const thinner_wave[] = {"1 + 0.999*sin(2*pi*(x + y - 2*t))", "1", "1", "1"};
static const char *const sheet[] = {"1e-4", "1 + 0.5*sin(2*pi*y)", "0"};

static void check_orders_stay(void)
{
    double until = long_checks() ? 0.1 : 0.01;
    for (int order = 2; order <= EW_MAX_ORDER; order++) {
        ok(error_ratio(0, order, 8, until, thin_wave) < 1.05, "order %d: positivity keeps the error of a thin wave",
           order);
        ok(error_ratio(1, order, 8, until, sheet) < 1.05, "order %d: ... and of a fast sheet of water", order);
        if (long_checks() && order > 2) /* without positivity, order 2 breaks */
            ok(error_ratio(0, order, 16, until, thinner_wave) < 1.05, "order %d: ... and of a thinner wave", order);
    }
}

static double time_step(const ew_mesh *mesh, const char *rho, int positivity, double *fastest)
{
    const char *const texts[] = {rho, "0", "0", "1"};
    ew_formula *initial = formula(4, texts);
    ew_problem problem = {.order = 3, .positivity = positivity, .uniform_step = 1, .scheme = "ssprk33", .cfl = 0.4,
                          .initial = {.formula = initial}};
    ew_solver *solver = start(mesh, &problem);
    ew_error error;
    double step = 0;
    int64_t count;
    must(ew_solver_time_step(solver, &step, &error), &error);
    double *values = values_at_points(solver, elements_of(mesh), 3, 4, &count);
    *fastest = 0;
    for (int64_t k = 0; k < count; k++)
        *fastest = fmax(*fastest, sqrt(1.4 * values[4 * k + 3] / values[4 * k]));
    free(values);
    ew_solver_destroy(solver);
    ew_formula_destroy(initial);
    return step;
}

/* For gas at rest, steps are inversely proportional to the speed of sound. */
static void check_speeds_of_points(void)
{
    ew_mesh *mesh = periodic_square(8);
    double fastest, sound, step = time_step(mesh, "1", 1, &sound);
    double thin = time_step(mesh, "1 + 0.999*sin(2*pi*(x + y))", 1, &fastest);
    is_close(thin * fastest, step * sound, 1e-12, "near vacuum, the time step follows the fastest point");
    ok(fastest > 20 * sound, "... which is much faster than means");
    thin = time_step(mesh, "1 + 0.2*sin(2*pi*(x + y))", 1, &fastest);
    ok(thin == time_step(mesh, "1 + 0.2*sin(2*pi*(x + y))", 0, &fastest),
       "elsewhere, it is the one without positivity");
    ew_mesh_destroy(mesh);
}

/* ---- planar shocks stay planar ----------------------------------------------------------------------------------- */

/* The momentum along y that a shock of Mach 6 has after 54 cells, in L2. Its mesh is nearly aligned with it. */
static double planar_shock_error(const char *flux)
{
    static const char *const shock[4] = {"1.4*(x < 5 ? 86.4/16.4 : 1)", "x < 5 ? 6*(1 - 16.4/86.4) : 0", "0",
                                         "x < 5 ? (2.8*36 - 0.4)/2.4 : 1"};
    ew_mesh *mesh = box((struct box){.nx = 60, .ny = 6, .width = 60, .height = 6, .jitter = 0.1});
    ew_formula *initial = formula(4, shock);
    ew_boundary boundary[4];
    size_t count = boundaries(mesh, "symmetry", (ew_data){0}, boundary);
    for (size_t k = 0; k < count; k++)
        if (strcmp(boundary[k].name, "left") == 0 || strcmp(boundary[k].name, "right") == 0)
            boundary[k] = (ew_boundary){.name = boundary[k].name, .kind = "state", .state = {.formula = initial}};
    ew_problem problem = {.order = 1, .flux = flux, .limiter = "oscillation-free", .positivity = 1,
                          .scheme = "ssprk33", .cfl = 0.4, .boundaries = count, .boundary = boundary,
                          .initial = {.formula = initial}, .exact = {.formula = initial}};
    ew_solver *solver = start(mesh, &problem);
    double error = advance(solver, 9, INT64_MAX) ? norms_of(solver).error_l2[2] : NAN;
    ew_solver_destroy(solver);
    ew_formula_destroy(initial);
    ew_mesh_destroy(mesh);
    return error;
}

/* Quirk's problem (1994). Without shear viscosity at the shock, hllc has four times the error of llf. */
static void check_planar_shock(void)
{
    double robust = planar_shock_error("llf"), error = planar_shock_error("hllc");
    ok(error < 2.5 * robust, "with hllc, a strong shock stays planar");
    diag("momentum along the shock %.3f, with llf %.3f", error, robust);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void check_refused(const char *law, const char *limiter, int positivity, const char *sentence)
{
    static const char *const one[4] = {"1", "1", "1", "1"};
    ew_mesh *mesh = box((struct box){.nx = 3, .ny = 3, .width = 1, .height = 1, .periodic = true});
    int variables = ew_law_find(law)->variables;
    ew_formula *initial = formula(variables, one), *field = formula(2, one);
    ew_problem problem = {.law = law, .order = 2, .limiter = limiter, .positivity = positivity, .backend = "omp",
                          .initial = {.formula = initial}};
    if (ew_law_find(law)->fields)
        problem.field = (ew_data){.formula = field};
    ew_solver *solver = NULL;
    ew_error error;
    is_int(ew_solver_create(NULL, mesh, &problem, &solver, &error), EW_EINVAL, "%s: refused", law);
    contains(error.message, sentence, "... with a sentence");
    ew_formula_destroy(initial);
    ew_formula_destroy(field);
    ew_mesh_destroy(mesh);
}

int main(void)
{
    for (int law = 0; law < LAWS; law++)
        for (int order = 1; order <= EW_MAX_ORDER; order++) {
            check_positive(law, order, order == 1 ? "barth-jespersen" : NULL, "ssprk33", 0.3);
            check_positive(law, order, "oscillation-free", "ssprk33", 0.3);
            check_positive(law, order, order % 2 ? "oscillation-free" : NULL, "ssprk32", 0);
        }
    for (int order = 1; order <= 2; order++) {
        check_film(order, "llf");
        check_film(order, "hllc");
    }
    check_waves();
    check_carried_wave();
    check_orders_stay();
    check_speeds_of_points();
    check_planar_shock();
    check_refused("acoustics", "oscillation-free", 0, "is for nonlinear laws; the law \"acoustics\" is linear");
    check_refused("advection", NULL, 1,
                  "positivity is set, but the law \"advection\" has nothing that must stay positive");
    return done_testing();
}
