/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Navier-Stokes equations: orders of manufactured and exact solutions, walls at which the gas sticks, straight and
 * curved, conservation in a closed box, and the time step.
 */
#include "edgewise.h"
#include "helpers.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

enum { LETS = 64 };

/* make check has no time for the highest orders, and rates are minutes of arithmetic under a sanitizer. */
static int most_order(void)
{
    return getenv("EW_LONG") ? EW_MAX_ORDER : getenv("EW_NO_CONVERGENCE") ? 1 : 3;
}

struct flow {
    const char *name, *let[LETS][2], *exact[4], *source[4];
    ew_parameter parameter[4];
    int parameters;
};

/* The exact solution and the source, which may use the names of `let`. */
struct made {
    ew_formula *exact, *source;
};

static struct made make(const struct flow *flow)
{
    static const char *const names[] = {"rho", "u", "v", "p"};
    ew_scope *scope, *with_state;
    ew_error error;
    struct made made = {.exact = NULL};
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_scope_set(scope, "gamma", 1.4, &error), &error);
    must(ew_scope_set(scope, "prandtl", 0.72, &error), &error);
    for (int k = 0; k < flow->parameters; k++)
        must(ew_scope_set(scope, flow->parameter[k].name, flow->parameter[k].value, &error), &error);
    for (int n = 0; flow->let[n][0]; n++)
        must(ew_scope_define(scope, flow->let[n][0], flow->let[n][1], &error), &error);
    must(ew_formula_create(scope, 4, flow->exact, &made.exact, &error), &error);
    must(ew_scope_with_state(scope, 4, names, &with_state, &error), &error);
    if (flow->source[0])
        must(ew_formula_create(with_state, 4, flow->source, &made.source, &error), &error);
    ew_scope_destroy(with_state);
    ew_scope_destroy(scope);
    return made;
}

/* The L2 error of all variables at the time `end` of a flow that starts from its exact, steady solution. */
static double error_of(const struct flow *flow, const ew_mesh *mesh, const ew_boundary *boundaries, int count,
                       int order, double end)
{
    struct made made = make(flow);
    ew_boundary boundary[4];
    for (int k = 0; k < count; k++) {
        boundary[k] = boundaries[k];
        if (strcmp(boundary[k].kind, "state") == 0)
            boundary[k].state.formula = made.exact;
    }
    ew_problem problem = {.law = "navier-stokes", .order = order, .scheme = "rk4", .parameter = flow->parameter,
                          .parameters = (size_t)flow->parameters, .initial.formula = made.exact,
                          .exact.formula = made.exact,
                          .source.formula = made.source, .boundaries = (size_t)count, .boundary = boundary,
                          .fine_errors = 1, .backend = "omp", .threads = 1};
    ew_solver *solver;
    ew_norms norms;
    ew_error error;
    double sum = 0.0;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    must(ew_solver_advance(solver, end, INT64_MAX, NULL, &error), &error);
    must(ew_solver_norms(solver, &norms, &error), &error);
    for (int m = 0; m < 4; m++)
        sum += norms.error_l2[m] * norms.error_l2[m];
    ew_solver_destroy(solver);
    ew_formula_destroy(made.exact);
    ew_formula_destroy(made.source);
    return sqrt(sum);
}

static ew_mesh *square(int n)
{
    return mesh_of_rectangle((ew_rectangle){.x1 = 1.0, .y1 = 1.0, .nx = n, .ny = n, .jitter = 0.3, .seed = 7});
}

static void check_rate(const struct flow *flow, const ew_boundary *boundaries, int order, double end)
{
    int n = order < 3 ? 6 : 4;
    ew_mesh *coarse = square(n), *fine = square(2 * n);
    double first = error_of(flow, coarse, boundaries, 4, order, end),
           second = error_of(flow, fine, boundaries, 4, order, end);
    double rate = log2(first / second);
    /* In so short a time on meshes so coarse, density and energy gain less than p + 1, as they do beside walls. */
    ok(rate > order + 0.15 && rate < order + 1.9, "%s, p = %d: order %.2f, error %.2e", flow->name, order, rate,
       second);
    ew_mesh_destroy(coarse);
    ew_mesh_destroy(fine);
}

/* ---- manufactured flow ---- */

/*
 * R, U, V and P with their derivatives (R1 is both of R, PP the Laplacian of P), stress t, its divergence f, and the
 * divergence of the heat flux q; for constant viscosity.
 */
static const struct flow manufactured = {
    .name = "manufactured flow between given states",
    .parameter = {{.name = "mu", .value = 0.05}}, .parameters = 1,
    .let = {{"w", "2"}, {"sR", "sin(w*(x + y))"}, {"cR", "cos(w*(x + y))"},
            {"sU", "sin(w*x + 1)"}, {"cU", "cos(w*x + 1)"}, {"sx", "sin(w*x)"}, {"cx", "cos(w*x)"},
            {"sy", "sin(w*y)"}, {"cy", "cos(w*y)"}, {"sV", "sin(w*(x - y))"}, {"cV", "cos(w*(x - y))"},
            {"R", "1 + 0.2*sR"}, {"R1", "0.2*w*cR"}, {"R2", "-0.2*w*w*sR"},
            {"U", "0.3 + 0.15*sU*cy"}, {"Ux", "0.15*w*cU*cy"}, {"Uy", "-0.15*w*sU*sy"},
            {"UU", "-0.15*w*w*sU*cy"}, {"Uxy", "-0.15*w*w*cU*sy"},
            {"V", "0.2 + 0.15*cV"}, {"Vx", "-0.15*w*sV"}, {"Vy", "0.15*w*sV"}, {"VV", "-0.15*w*w*cV"},
            {"P", "1 + 0.2*sx*cy"}, {"Px", "0.2*w*cx*cy"}, {"Py", "-0.2*w*sx*sy"}, {"PP", "-0.4*w*w*sx*cy"},
            {"M", "R1*U + R*Ux + R1*V + R*Vy"}, {"T", "P/R"}, {"Tx", "(Px - T*R1)/R"}, {"Ty", "(Py - T*R1)/R"},
            {"TT", "(PP - 2*T*R2 - 2*R1*(Tx + Ty))/R"}, {"D", "Ux + Vy"}, {"Dx", "UU - VV"}, {"Dy", "Uxy + VV"},
            {"txx", "mu*(2*Ux - 2*D/3)"}, {"tyy", "mu*(2*Vy - 2*D/3)"}, {"txy", "mu*(Uy + Vx)"},
            {"fx", "mu*(2*UU + Dx/3)"}, {"fy", "mu*(2*VV + Dy/3)"}, {"q", "mu*gamma/prandtl/(gamma - 1)*TT"},
            {"K", "(U*U + V*V)/2"}, {"H", "gamma/(gamma - 1)*P + R*K"},
            {"Hx", "gamma/(gamma - 1)*Px + R1*K + R*(U*Ux + V*Vx)"},
            {"Hy", "gamma/(gamma - 1)*Py + R1*K + R*(U*Uy + V*Vy)"}},
    .exact = {"R", "U", "V", "P"},
    .source = {"M", "U*M + R*(U*Ux + V*Uy) + Px - fx", "V*M + R*(U*Vx + V*Vy) + Py - fy",
               "Hx*U + Hy*V + H*D - (Ux*txx + txy*txy/mu + Vy*tyy + U*fx + V*fy + q)"},
};

static void check_manufactured(void)
{
    static const ew_boundary given[] = {{.name = "bottom", .kind = "state"}, {.name = "right", .kind = "state"},
                                        {.name = "top", .kind = "state"}, {.name = "left", .kind = "state"}};
    for (int order = 1; order <= most_order(); order++)
        check_rate(&manufactured, given, order, 0.2);
}

/* ---- between plates ---- */

/* Couette's flow: the upper plate moves with 1. */
static const struct flow couette = {
    .name = "Couette's flow between warm plates",
    .parameter = {{.name = "mu", .value = 0.05}}, .parameters = 1,
    .let = {{"T", "1 + 0.2*y + prandtl/7*y*(1 - y)"}},
    .exact = {"1/T", "y", "0", "1"},
};
static const struct flow insulated = {
    .name = "Couette's flow over a plate without heat flux",
    .parameter = {{.name = "mu", .value = 0.05}}, .parameters = 1,
    .let = {{"T", "1.2 + prandtl/7*(1 - y^2)"}},
    .exact = {"1/T", "y", "0", "1"},
};

/* Sutherland's law: shear stress s and heat flux s u + b are constant, so the source balances what mu(T) changes. */
static const struct flow sutherland = {
    .name = "shear with Sutherland's law",
    .parameter = {{.name = "mu", .value = 0.05}, {.name = "T0", .value = 1.1}, {.name = "S", .value = 0.4}},
    .parameters = 3,
    .let = {{"T", "1 + 0.3*y"}, {"h", "T/T0"}, {"m", "mu*h*sqrt(h)*(1 + S)/(h + S)"},
            {"m1", "m*(1.5/h - 1/(h + S))*0.3/T0"}, {"c", "gamma/prandtl/(gamma - 1)"}},
    .exact = {"1/T", "y", "0", "1"},
    .source = {"0", "-m1", "0", "-(m + y*m1 + c*0.3*m1)"},
};

static void check_plates(void)
{
    ew_formula *cold = formula_from("1;0;0"), *warm = formula_from("1.2;1;0"), *rest = formula_from("0;0"),
               *hot = formula_from("1.3;1;0");
    ew_boundary between[] = {{.name = "bottom", .kind = "no-slip", .ghost = "isothermal", .state.formula = cold},
                             {.name = "top", .kind = "no-slip", .ghost = "isothermal", .state.formula = warm},
                             {.name = "left", .kind = "state"}, {.name = "right", .kind = "state"}};
    for (int order = 1; order <= most_order(); order++)
        check_rate(&couette, between, order, 0.2);
    between[1].state.formula = hot;
    for (int order = 1; order <= most_order(); order++)
        check_rate(&sutherland, between, order, 0.2);
    between[1].state.formula = warm;
    between[0] = (ew_boundary){.name = "bottom", .kind = "no-slip", .ghost = "adiabatic", .state.formula = rest};
    for (int order = 1; order <= most_order(); order++)
        check_rate(&insulated, between, order, 0.2);
    ew_formula *const formulas[] = {cold, warm, rest, hot};
    for (int k = 0; k < COUNT(formulas); k++)
        ew_formula_destroy(formulas[k]);
}

/* ---- between rotating cylinders ---- */

/*
 * Between an inner cylinder of radius 1, which turns with the speed 1 at the temperature 1, and an outer one of radius
 * 2, at rest and without heat flux. log(P) is the integral of V^2/(r T), as a polynomial of z = 2 r - 3.
 */
static struct flow cylinders = {
    .name = "flow between rotating cylinders",
    .parameter = {{.name = "mu", .value = 0.05}}, .parameters = 1,
    .let = {{"r", "hypot(x, y)"}, {"z", "2*r - 3"}, {"V", "-r/3 + 4/(3*r)"}, {"a", "prandtl*0.4/1.4*16/9"},
            {"T", "1 - a/2*log(r) - a*(1/r^2 - 1)"}},
    .exact = {"P/T", "-V*y/r", "V*x/r", "P"},
};

static double slope(double r)
{
    double v = -r / 3 + 4 / (3 * r), a = 0.72 * 0.4 / 1.4 * 16 / 9, t = 1 - a / 2 * log(r) - a * (1 / (r * r) - 1);
    return v * v / (r * t);
}

/* The integral of `slope` from 1 to r, by Simpson's rule. */
static double integral(double r)
{
    enum { PARTS = 2000 };
    double sum = 0, step = (r - 1) / PARTS;
    for (int k = 0; k < PARTS; k++)
        sum += step / 6 * (slope(1 + k * step) + 4 * slope(1 + (k + 0.5) * step) + slope(1 + (k + 1) * step));
    return sum;
}

enum { POINTS = 13 };

/* P as a formula: exp of Newton's polynomial through Chebyshev's points. */
static void write_pressure(char *text, size_t size)
{
    double at[POINTS], difference[POINTS];
    for (int k = 0; k < POINTS; k++) {
        at[k] = cos(acos(-1) * (k + 0.5) / POINTS);
        difference[k] = integral(1.5 + 0.5 * at[k]);
    }
    for (int order = 1; order < POINTS; order++)
        for (int k = POINTS - 1; k >= order; k--)
            difference[k] = (difference[k] - difference[k - 1]) / (at[k] - at[k - order]);
    size_t length = (size_t)snprintf(text, size, "exp(%.17g", difference[0]);
    for (int k = 1; k < POINTS; k++)
        length += (size_t)snprintf(text + length, size - length, " + (z - %.17g)*(%.17g", at[k - 1], difference[k]);
    for (int k = 0; k < POINTS; k++)
        length += (size_t)snprintf(text + length, size - length, ")");
}

/* A quarter of the annulus, of n by 2 n cells. */
static ew_mesh *quarter(int n)
{
    enum { MOST = 8 };
    static const char *const names[] = {"inner", "outer", "sides"};
    double node[(MOST + 1) * (2 * MOST + 1) * 2];
    int64_t triangle[4 * MOST * MOST * 3], line[6 * MOST * 2], triangles = 0;
    int32_t line_name[6 * MOST];
    for (int k = 0, i = 0; i <= n; i++)
        for (int j = 0; j <= 2 * n; j++, k++) {
            double r = 1.0 + (double)i / n, angle = acos(-1) / 2 * j / (2 * n);
            node[2 * k] = r * cos(angle);
            node[2 * k + 1] = r * sin(angle);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++) {
            const int64_t a = i * (2 * n + 1) + j, b = a + 2 * n + 1;
            const int64_t two[2][3] = {{a, b, b + 1}, {a, b + 1, a + 1}};
            memcpy(triangle + 3 * triangles, two, sizeof two);
            triangles += 2;
        }
    for (int k = 0; k < 6 * n; k++) {
        int along = 2 * n + 1, j = k % (2 * n), i = k % n;
        int from = k < 2 * n ? j : k < 4 * n ? n * along + j : k < 5 * n ? i * along : i * along + 2 * n;
        line[2 * k] = from;
        line[2 * k + 1] = k < 4 * n ? from + 1 : from + along;
        line_name[k] = k < 2 * n ? 0 : k < 4 * n ? 1 : 2;
    }
    ew_mesh *mesh;
    ew_error error;
    must(ew_mesh_create(NULL,
                        &(ew_mesh_data){.nodes = (n + 1) * (2 * n + 1), .xy = node, .triangles = triangles,
                                        .triangle = triangle, .lines = 6 * n, .line = line, .line_name = line_name,
                                        .names = 3, .name = names},
                        &mesh, &error),
         &error);
    return mesh;
}

static void check_cylinders(void)
{
    char pressure[2000];
    ew_formula *turning = formula_from("1;-y/hypot(x, y);x/hypot(x, y)"), *rest = formula_from("0;0");
    ew_formula *inside = formula_from("hypot(x, y) - 1"), *outside = formula_from("hypot(x, y) - 2");
    const ew_boundary_curve inner = {.kind = EW_CURVE_LEVEL, .level.formula = inside},
                            outer = {.kind = EW_CURVE_LEVEL, .level.formula = outside};
    ew_boundary walls[] = {{.name = "inner", .kind = "no-slip", .ghost = "isothermal", .state.formula = turning},
                           {.name = "outer", .kind = "no-slip", .ghost = "adiabatic", .state.formula = rest},
                           {.name = "sides", .kind = "state"}};
    ew_mesh *coarse = quarter(2), *fine = quarter(4);
    write_pressure(pressure, sizeof pressure);
    cylinders.let[5][0] = "P";
    cylinders.let[5][1] = pressure;
    double straight = error_of(&cylinders, fine, walls, 3, 3, 0.3);
    walls[0].curve = &inner;
    walls[1].curve = &outer;
    for (int order = 1; order <= (most_order() > 4 ? 4 : 3); order++) {
        double first = error_of(&cylinders, coarse, walls, 3, order, 0.3),
               second = error_of(&cylinders, fine, walls, 3, order, 0.3), rate = log2(first / second);
        ok(rate > order + 0.5 && rate < order + 2.2, "%s along true walls, p = %d: order %.2f, error %.2e",
           cylinders.name, order, rate, second);
        if (order == 3)
            ok(straight > 20 * second, "straight edges have %.0f times that error", straight / second);
    }
    ew_mesh_destroy(coarse);
    ew_mesh_destroy(fine);
    ew_formula *const formulas[] = {turning, rest, inside, outside};
    for (int k = 0; k < COUNT(formulas); k++)
        ew_formula_destroy(formulas[k]);
}

/* ---- what a closed box keeps ---- */

static ew_solver *box_solver(const ew_mesh *mesh, ew_formula *rest, ew_formula *initial, const char *kernels, double mu)
{
    const ew_parameter parameter = {.name = "mu", .value = mu};
    ew_boundary boundary[4];
    static const char *const names[] = {"bottom", "right", "top", "left"};
    for (int k = 0; k < 4; k++)
        boundary[k] = (ew_boundary){.name = names[k], .kind = "no-slip", .ghost = "adiabatic", .state.formula = rest};
    ew_problem problem = {.law = "navier-stokes", .flux = "hllc", .order = 3, .scheme = "ssprk54", .parameters = 1,
                          .parameter = &parameter, .initial.formula = initial, .boundaries = 4, .boundary = boundary,
                          .backend = "omp", .kernels = kernels, .threads = 1};
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    return solver;
}

static void check_box(void)
{
    ew_formula *rest = formula_from("0;0"),
               *vortex = formula_from("1;sin(pi*x)^2*sin(2*pi*y);-sin(pi*y)^2*sin(2*pi*x);5");
    ew_mesh *mesh = square(4);
    ew_solver *solver = box_solver(mesh, rest, vortex, "edgewise", 0.1);
    ew_norms before, after;
    ew_error error;
    double dt, half;
    must(ew_solver_norms(solver, &before, &error), &error);
    must(ew_solver_advance(solver, 0.5, INT64_MAX, NULL, &error), &error);
    must(ew_solver_norms(solver, &after, &error), &error);
    is_close(after.total[0], before.total[0], 1e-13, "an insulated box keeps its mass");
    is_close(after.total[3], before.total[3], 1e-12 * before.total[3], "and its energy");
    ok(after.max[1] < 0.1 * before.max[1], "viscosity brings the gas to rest: u %.3f, before %.3f", after.max[1],
       before.max[1]);
    ew_solver *slow = box_solver(mesh, rest, vortex, "fused", 1.0), *slower = box_solver(mesh, rest, vortex, NULL, 2.0);
    must(ew_solver_time_step(slow, &dt, &error), &error);
    must(ew_solver_time_step(slower, &half, &error), &error);
    ok(half < 0.6 * dt && half > 0.5 * dt, "where viscosity limits the step, twice as much halves it: %.2e, %.2e", dt,
       half);
    ew_solver *const solvers[] = {solver, slow, slower};
    for (int k = 0; k < COUNT(solvers); k++)
        ew_solver_destroy(solvers[k]);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(rest);
    ew_formula_destroy(vortex);
}

int main(void)
{
    check_manufactured();
    check_plates();
    check_cylinders();
    check_box();
    return done_testing();
}
