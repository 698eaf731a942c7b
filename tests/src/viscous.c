/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Navier-Stokes equations: orders of manufactured and exact solutions, a resolved shock among them, walls at which
 * the gas sticks, straight and curved, conservation in a closed box, the time step, and positivity.
 */
#include "edgewise.h"
#include "ewi_basis.h"
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
    bool has_prandtl = false;
    for (int k = 0; k < flow->parameters; k++)
        has_prandtl = has_prandtl || strcmp(flow->parameter[k].name, "prandtl") == 0;
    if (!has_prandtl)
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

/* ---- values along walls ---- */

/* Exact values on a wall; the pressure is left out if it is 0. */
struct wall {
    const char *name; /* NULL after the last one */
    double shear, heat, pressure;
};

enum { WALL_POINTS = 128 };

static int32_t number_of(const ew_mesh *mesh, const char *name)
{
    int32_t k = 0;
    while (strcmp(ew_mesh_boundary(mesh, k, NULL), name) != 0)
        k++;
    return k;
}

/* Fills the points of a wall and, if `length` is not NULL, the lengths of its edges; returns the number of points. */
static int wall_points(ew_solver *solver, const char *name, ew_wall_point *point, double *length)
{
    ew_solver_info info;
    ew_error error;
    int64_t edges;
    ew_solver_get_info(solver, &info);
    int32_t k = number_of(info.mesh, name);
    ew_mesh_boundary(info.mesh, k, &edges);
    must(ew_solver_wall(solver, k, point, length, &error), &error);
    return (int)edges * (info.order + 1);
}

/* The largest error of shear, heat flux and pressure along walls. */
static double largest_wall_error(ew_solver *solver, const struct wall *wall)
{
    ew_wall_point point[WALL_POINTS];
    double largest = 0.0;
    for (; wall->name; wall++)
        for (int k = wall_points(solver, wall->name, point, NULL) - 1; k >= 0; k--) {
            largest = fmax(largest, fabs(point[k].shear - wall->shear));
            largest = fmax(largest, fabs(point[k].heat - wall->heat));
            largest = fmax(largest, wall->pressure > 0 ? fabs(point[k].pressure - wall->pressure) : 0.0);
        }
    return largest;
}

/* ---- errors and their orders ---- */

/* The errors of a flow: the L2 norm of that of all variables, and the largest along walls. */
struct errors {
    double norm, wall;
};

/* The errors at the time `end` of a flow that starts from its exact, steady solution. `walls` may be NULL. */
static struct errors errors_of(const struct flow *flow, const ew_mesh *mesh, const ew_boundary *boundaries, int count,
                               int order, double end, const struct wall *walls)
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
    struct errors errors = {.norm = sqrt(sum), .wall = walls ? largest_wall_error(solver, walls) : NAN};
    ew_solver_destroy(solver);
    ew_formula_destroy(made.exact);
    ew_formula_destroy(made.source);
    return errors;
}

static ew_mesh *square(int n)
{
    return mesh_of_rectangle((ew_rectangle){.x1 = 1.0, .y1 = 1.0, .nx = n, .ny = n, .jitter = 0.3, .seed = 7});
}

/* Values along walls have gradients, and so one order less; these are the largest errors on meshes without order. */
static void check_wall_rate(const struct flow *flow, int order, double first, double second)
{
    double rate = log2(first / second);
    ok(rate > order - 0.8 && rate < order + 1.6, "%s, p = %d: along walls order %.2f, error %.2e", flow->name, order,
       rate, second);
}

static void check_rate(const struct flow *flow, const ew_boundary *boundaries, int order, double end,
                       const struct wall *walls)
{
    int n = order < 3 ? 6 : 4;
    ew_mesh *coarse = square(n), *fine = square(2 * n);
    struct errors first = errors_of(flow, coarse, boundaries, 4, order, end, walls),
                  second = errors_of(flow, fine, boundaries, 4, order, end, walls);
    double rate = log2(first.norm / second.norm);
    /* In so short a time on meshes so coarse, density and energy gain less than p + 1, as they do beside walls. */
    ok(rate > order + 0.15 && rate < order + 1.9, "%s, p = %d: order %.2f, error %.2e", flow->name, order, rate,
       second.norm);
    if (walls)
        check_wall_rate(flow, order, first.wall, second.wall);
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
        check_rate(&manufactured, given, order, 0.2, NULL);
}

/* ---- a shock with its inner structure ---- */

/*
 * Becker's shock ("Stosswelle und Detonation", Zeitschrift fuer Physik 8, 1922) for Pr = 3/4, at which the total
 * enthalpy is constant: with mass flux 1, velocity W before and behind the shock 2 and 1, and H = 6,
 *     4/3 mu W' = (gamma + 1)/(2 gamma) (W - 1)(W - 2)/W.
 * The shock (Mach 1.58) runs at the speed c along (0.8, 0.6) into gas of the velocity 2 + c.
 */
static const struct flow shock = {
    .name = "a shock with its inner structure",
    .parameter = {{.name = "mu", .value = 0.1}, {.name = "prandtl", .value = 0.75}}, .parameters = 2,
    .let = {{"c", "-0.5"}, {"z", "0.8*(x - 0.5) + 0.6*(y - 0.5) - c*t"},
            {"e", "exp(3*(gamma + 1)/(8*gamma*mu)*z)"}, {"W", "1 + 2/(2 + e + sqrt(e*(e + 4)))"}},
    .exact = {"1/W", "0.8*(W + c)", "0.6*(W + c)", "(gamma - 1)/gamma*(6 - W^2/2)/W"},
};

static void check_shock(void)
{
    static const ew_boundary given[] = {{.name = "bottom", .kind = "state"}, {.name = "right", .kind = "state"},
                                        {.name = "top", .kind = "state"}, {.name = "left", .kind = "state"}};
    for (int order = 1; order <= most_order(); order++)
        check_rate(&shock, given, order, 0.2, NULL);
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

/* The heat flux for a unit gradient of the temperature. */
#define CONDUCTIVITY (0.05 * 1.4 / (0.72 * 0.4))

static void check_plates(void)
{
    static const struct wall warm_walls[] = {{"bottom", 0.05, CONDUCTIVITY * (0.2 + 0.72 / 7), 1},
                                             {"top", 0.05, -CONDUCTIVITY * (0.2 - 0.72 / 7), 1}, {0}};
    static const struct wall insulated_walls[] = {{"bottom", 0.05, 0, 1},
                                                  {"top", 0.05, CONDUCTIVITY * 0.72 / 7 * 2, 1}, {0}};
    ew_formula *cold = formula_from("1;0;0"), *warm = formula_from("1.2;1;0"), *hot = formula_from("1.3;1;0");
    ew_boundary between[] = {{.name = "bottom", .kind = "no-slip", .ghost = "isothermal", .state.formula = cold},
                             {.name = "top", .kind = "no-slip", .ghost = "isothermal", .state.formula = warm},
                             {.name = "left", .kind = "state"}, {.name = "right", .kind = "state"}};
    for (int order = 1; order <= most_order(); order++)
        check_rate(&couette, between, order, 0.2, warm_walls);
    between[1].state.formula = hot;
    for (int order = 1; order <= most_order(); order++)
        check_rate(&sutherland, between, order, 0.2, NULL);
    between[1].state.formula = warm;
    between[0] = (ew_boundary){.name = "bottom", .kind = "no-slip"};
    for (int order = 1; order <= most_order(); order++)
        check_rate(&insulated, between, order, 0.2, insulated_walls);
    ew_formula *const formulas[] = {cold, warm, hot};
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

/* `a` of cylinders; the temperature's derivative is 1.5 a at the inner one. */
#define SLOPE (0.72 * 0.4 / 1.4 * 16 / 9)

/* The lengths of both walls along their curves, the torque on them, and their friction and heat. */
static void check_torque(const ew_mesh *mesh, const ew_boundary *walls)
{
    struct made made = make(&cylinders);
    ew_boundary boundary[3] = {walls[0], walls[1], {.name = "sides", .kind = "state", .state.formula = made.exact}};
    ew_problem problem = {.law = "navier-stokes", .order = 3, .scheme = "rk4", .parameter = cylinders.parameter,
                          .parameters = 1, .initial.formula = made.exact, .boundaries = 3, .boundary = boundary,
                          .backend = "omp", .threads = 1};
    ew_solver *solver;
    ew_error error;
    const double quarter = acos(-1) / 2;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    must(ew_solver_advance(solver, 0.1, INT64_MAX, NULL, &error), &error);
    for (int k = 0; k < 2; k++) {
        ew_wall_point point[WALL_POINTS];
        double length[WALL_POINTS], whole = 0, radius = 1 + k;
        ew_boundary_integrals integrals;
        int edges = wall_points(solver, walls[k].name, point, length) / 4;
        for (int e = 0; e < edges; e++)
            whole += length[e];
        is_close(whole, radius * quarter, 1e-12, "the length of the %s wall", walls[k].name);
        double angle = fabs(atan2(point[2].y, point[2].x) - atan2(point[1].y, point[1].x));
        is_close(point[2].arc - point[1].arc, radius * angle, 1e-12, "... and that between two points of an edge");
        must(ew_solver_boundary(solver, number_of(mesh, walls[k].name), &integrals, &error), &error);
        double torque = (k == 0 ? -1 : 1) * 0.05 * 8 / 3 * quarter, force = torque / (radius * quarter);
        is_close(integrals.moment, torque, 1e-4, "the torque on the %s wall", walls[k].name);
        is_close(integrals.friction[0], -force, 2e-4, "... the friction along x");
        is_close(integrals.friction[1], force, 2e-4, "... and along y");
        is_close(integrals.heat, k == 0 ? CONDUCTIVITY * 1.5 * SLOPE * quarter : 0, 3e-3, "... and the heat");
    }
    ew_solver_destroy(solver);
    ew_formula_destroy(made.exact);
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
    static const struct wall values[] = {{"inner", 0.05 * 8 / 3, CONDUCTIVITY * 1.5 * SLOPE, 0},
                                         {"outer", 0.05 * 2 / 3, 0, 0}, {0}};
    ew_mesh *coarse = quarter(2), *fine = quarter(4);
    write_pressure(pressure, sizeof pressure);
    cylinders.let[5][0] = "P";
    cylinders.let[5][1] = pressure;
    double straight = errors_of(&cylinders, fine, walls, 3, 3, 0.3, NULL).norm;
    walls[0].curve = &inner;
    walls[1].curve = &outer;
    for (int order = 1; order <= (most_order() > 4 ? 4 : 3); order++) {
        struct errors first = errors_of(&cylinders, coarse, walls, 3, order, 0.3, values),
                      second = errors_of(&cylinders, fine, walls, 3, order, 0.3, values);
        double rate = log2(first.norm / second.norm);
        ok(rate > order + 0.5 && rate < order + 2.2, "%s along true walls, p = %d: order %.2f, error %.2e",
           cylinders.name, order, rate, second.norm);
        check_wall_rate(&cylinders, order, first.wall, second.wall);
        if (order == 3)
            ok(straight > 20 * second.norm, "straight edges have %.0f times that error", straight / second.norm);
    }
    check_torque(fine, walls);
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
    ew_solver *unsaid = box_solver(mesh, NULL, vortex, NULL, 0.1);
    must(ew_solver_advance(unsaid, 0.5, INT64_MAX, NULL, &error), &error);
    uint64_t hash[2];
    must(ew_solver_hash(solver, &hash[0], &error), &error);
    must(ew_solver_hash(unsaid, &hash[1], &error), &error);
    ok(hash[0] == hash[1], "walls are at rest if nothing says otherwise");
    ew_solver *slow = box_solver(mesh, rest, vortex, "fused", 1.0), *slower = box_solver(mesh, rest, vortex, NULL, 2.0);
    must(ew_solver_time_step(slow, &dt, &error), &error);
    must(ew_solver_time_step(slower, &half, &error), &error);
    ok(half < 0.6 * dt && half > 0.5 * dt, "where viscosity limits the step, twice as much halves it: %.2e, %.2e", dt,
       half);
    ew_solver *const solvers[] = {solver, unsaid, slow, slower};
    for (int k = 0; k < COUNT(solvers); k++)
        ew_solver_destroy(solvers[k]);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(rest);
    ew_formula_destroy(vortex);
}

/* ---- thin gas ---- */

enum { THIN_ORDER = 2, MOST_POINTS = 64, THIN_ELEMENTS = 72 };

/* The points at which the scheme uses states: of the sides, and of the volume rule. Returns their number. */
static int scheme_points(double rs[MOST_POINTS][2])
{
    const struct ewi_basis *basis = ewi_basis_get(THIN_ORDER);
    static const double corner[4][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 0}};
    int count = 0;
    for (int side = 0; side < 3; side++)
        for (int e = 0; e < basis->ne; e++, count++)
            for (int d = 0; d < 2; d++)
                rs[count][d] = corner[side][d] + basis->edge_t[e] * (corner[side + 1][d] - corner[side][d]);
    for (int q = 0; q < basis->nq; q++, count++) {
        rs[count][0] = basis->r[q];
        rs[count][1] = basis->s[q];
    }
    return count;
}

/* The least shares of the mean's density and pressure at these points of any triangle. */
struct shares {
    double density, pressure;
};

static double pressure_of(const double *conserved)
{
    double square = conserved[1] * conserved[1] + conserved[2] * conserved[2];
    return 0.4 * (conserved[3] - square / (2 * conserved[0]));
}

static struct shares least_shares(ew_solver *solver)
{
    static double value[THIN_ELEMENTS][MOST_POINTS][4], mean[THIN_ELEMENTS][4];
    double rs[MOST_POINTS][2];
    struct shares least = {INFINITY, INFINITY};
    ew_error error;
    const int points = scheme_points(rs);
    must(ew_solver_get_means(solver, &mean[0][0], &error), &error);
    for (int i = 0; i < THIN_ELEMENTS; i++) {
        must(ew_solver_sample(solver, i, 1, points, &rs[0][0], 0, &value[i][0][0], &error), &error);
        for (int k = 0; k < points; k++) {
            least.density = fmin(least.density, value[i][k][0] / mean[i][0]);
            least.pressure = fmin(least.pressure, pressure_of(value[i][k]) / pressure_of(mean[i]));
        }
    }
    return least;
}

static ew_solver *thin_solver(const ew_mesh *mesh, ew_formula *thin, int positivity)
{
    const ew_parameter parameter = {.name = "mu", .value = 1e-3};
    static const char *const names[] = {"bottom", "right", "top", "left"};
    ew_boundary boundary[4];
    for (int k = 0; k < 4; k++)
        boundary[k] = (ew_boundary){.name = names[k], .kind = "far", .state.formula = thin};
    ew_problem problem = {.law = "navier-stokes", .order = THIN_ORDER, .scheme = "ssprk54", .positivity = positivity,
                          .parameters = 1, .parameter = &parameter, .initial.formula = thin, .boundaries = 4,
                          .boundary = boundary, .backend = "omp", .threads = 1};
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    return solver;
}

static void check_shares(ew_solver *solver, const char *when)
{
    struct shares least = least_shares(solver);
    is_close(least.density, 0.1, 1e-12, "%s, a tenth of the mean's density is left at the thinnest point", when);
    ok(least.pressure > 0.999e-6, "... and a millionth of its pressure (%.3g)", least.pressure);
}

/*
 * The diffusivity of gas grows as its density falls, and steps follow that of means: positivity has the same floor as
 * with a limiter. In this gas, the polynomials of density and pressure are negative at points.
 */
static void check_thin_gas(void)
{
    ew_formula *thin = formula_from("1 + 0.999*sin(2*pi*(x + y));1;0.5;0.02*(1 + 0.99*sin(2*pi*(x - y)))");
    ew_mesh *mesh = mesh_of_rectangle((ew_rectangle){.x1 = 1.0, .y1 = 1.0, .nx = 6, .ny = 6});
    ew_solver *solver = thin_solver(mesh, thin, 1), *without = thin_solver(mesh, thin, 0);
    ew_error error = {.message = ""};
    struct shares least = least_shares(without);
    ok(least.density < 0 && least.pressure < 0, "thin gas is not admissible at points (%.3g, %.3g)", least.density,
       least.pressure);
    is_int(ew_solver_advance(without, 0.05, INT64_MAX, NULL, NULL), EW_ESTATE, "... where a run breaks down");
    check_shares(solver, "with positivity");
    is_int(ew_solver_advance(solver, 0.05, INT64_MAX, NULL, &error), EW_OK, "... where it runs%s", error.message);
    check_shares(solver, "after the run");
    ew_solver_destroy(solver);
    ew_solver_destroy(without);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(thin);
}

int main(void)
{
    check_manufactured();
    check_shock();
    check_plates();
    check_cylinders();
    check_box();
    check_thin_gas();
    return done_testing();
}
