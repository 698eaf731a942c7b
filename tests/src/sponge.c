/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sponges: a uniform flow of the boundary's state does not notice them, and exact solutions through them are found at
 * the full order.
 */
#include "edgewise.h"
#include "helpers.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* A channel from x = 0 to `length`, of height 1, periodic in y. */
static ew_mesh *channel(double length, int nx, int ny, double jitter)
{
    static const ew_periodic pair = {.first = "bottom", .second = "top", .dy = 1.0};
    ew_rectangle rectangle = {.x1 = length, .y1 = 1.0, .nx = nx, .ny = ny, .jitter = jitter, .seed = 3, .periodics = 1,
                              .periodic = &pair};
    return mesh_of_rectangle(rectangle);
}

static ew_solver *solver_for(const ew_mesh *mesh, const ew_problem *problem)
{
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(NULL, mesh, problem, &solver, &error), &error);
    return solver;
}

static void advance(ew_solver *solver, double end)
{
    ew_error error;
    must(ew_solver_advance(solver, end, INT64_MAX, NULL, &error), &error);
}

/* ---- the boundary's own state ---- */

static const struct {
    const char *law, *flux, *kind, *state;
} uniform[] = {{"euler", "hllc", "far", "1.3;0.4;0.1;0.9"},
               {"shallow-water", "llf", "far", "1.2;0.3;-0.1"},
               {"acoustics", "upwind", "far", "0.2;0.1;0.3"},
               {"maxwell-tm", "upwind", "state", "0.2;0.1;0.3"}};

static void check_uniform(int k)
{
    ew_formula *formula = formula_from(uniform[k].state);
    ew_data state = {.formula = formula};
    ew_mesh *mesh = channel(2.0, 12, 6, 0.2);
    ew_boundary boundary[2] = {{.name = "left", .kind = uniform[k].kind, .state = state, .sponge_width = 0.5},
                               {.name = "right", .kind = uniform[k].kind, .state = state, .sponge_width = 0.8}};
    ew_problem problem = {.law = uniform[k].law, .flux = uniform[k].flux, .order = 3, .initial = state, .boundaries = 2,
                          .boundary = boundary, .threads = 1};
    ew_solver *with = solver_for(mesh, &problem);
    boundary[0].sponge_width = boundary[1].sponge_width = 0.0;
    ew_solver *without = solver_for(mesh, &problem);
    size_t count = 144 * 10 * (size_t)ew_law_find(uniform[k].law)->variables;
    double *a = calloc(count, sizeof *a), *b = calloc(count, sizeof *b);
    ew_error error;
    advance(with, 0.3);
    advance(without, 0.3);
    must(ew_solver_get_coefficients(with, a, &error), &error);
    must(ew_solver_get_coefficients(without, b, &error), &error);
    double worst = 0.0;
    for (size_t i = 0; i < count; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    is_close(worst, 0.0, 1e-13, "%s: a flow of the boundary's state meets no sponge", uniform[k].law);
    free(a);
    free(b);
    ew_solver_destroy(with);
    ew_solver_destroy(without);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(formula);
}

/* ---- exact solutions ---- */

/*
 * What goes right with speed 1 through u_t + u_x = -strength (1 - 2 d)^2 u, d = 1 - x < 1/2, is exp(-(2 x - 1)^3) times
 * as large there, with a strength of 6: a steady flow and a pulse of sound. The third derivative jumps at d = 1/2,
 * where elements meet.
 */
static const struct {
    const char *law, *outer, *exact;
    double end;
} cases[] = {
    {"advection", "0", "exp(-max(2*x - 1, 0)^3)", 1.5},
    {"acoustics", "0;0;0",
     "exp(-30*(x - t)^2 - max(2*x - 1, 0)^3);exp(-30*(x - t)^2 - max(2*x - 1, 0)^3);0", 0.7},
};

static double error_of(int k, int order, int cells)
{
    ew_formula *exact = formula_from(cases[k].exact), *outer = formula_from(cases[k].outer);
    ew_formula *velocity = formula_from("1;0");
    ew_mesh *mesh = channel(1.0, cells, 4, 0.0);
    ew_boundary boundary[2] = {{.name = "left", .kind = "state", .state.formula = exact},
                               {.name = "right", .kind = "state", .state.formula = outer, .sponge_width = 0.5,
                                .sponge_strength = 6.0}};
    ew_problem problem = {.law = cases[k].law, .flux = "llf", .order = order, .initial.formula = exact,
                          .exact.formula = exact, .boundaries = 2, .boundary = boundary, .cfl = 0.3, .threads = 1};
    if (ew_law_find(problem.law)->fields > 0)
        problem.field.formula = velocity;
    ew_solver *solver = solver_for(mesh, &problem);
    ew_norms norms;
    ew_error error;
    advance(solver, cases[k].end);
    must(ew_solver_norms(solver, &norms, &error), &error);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(exact);
    ew_formula_destroy(outer);
    ew_formula_destroy(velocity);
    return norms.error_l2[0];
}

static void check_rate(int k, int order)
{
    double coarse = error_of(k, order, 12), fine = error_of(k, order, 24), rate = log2(coarse / fine);
    diag("%s, order %d: %.3e %.3e, rate %.2f", cases[k].law, order, coarse, fine, rate);
    ok(rate > order + 0.5 && rate < order + 2.0, "%s, order %d: what a sponge leaves converges as h^%d", cases[k].law,
       order, order + 1);
}

int main(void)
{
    for (int k = 0; k < COUNT(uniform); k++)
        check_uniform(k);
    for (int k = 0; k < COUNT(cases); k++)
        for (int order = 1; order <= EW_MAX_ORDER; order++)
            check_rate(k, order);
    return done_testing();
}
