/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Design order on irregular meshes: a wave of density that a uniform flow carries through a doubly periodic square.
 * With half the mesh size the error becomes 2^(p+1) times smaller. The table is printed as diagnostics.
 */
#include "edgewise.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

/* Random nodes: a finer mesh of a row is no exact refinement of a coarser one, so rates scatter around p + 1. */
static const double jitter = 0.2, end = 0.25;
static const double cfl = 0.5; /* so small that with rk4 the error in time is far below the one in space */
/* The coarser of two meshes, by order, and that of two finer ones, or 0. */
static const int cells[] = {0, 12, 8, 5, 8, 8}, finer_cells[] = {0, 24, 16, 10, 0, 0};

/*
 * Only a contact moves here, of which hllc is the upwind flux. llf damps it with the speed of sound, and at high orders
 * needs finer meshes for its full rate.
 */
static const struct {
    const char *name;
    double least; /* rate, less the order p */
} fluxes[] = {{"hllc", 0.7}, {"llf", 0.4}};

static ew_mesh *periodic_square(int n)
{
    static const ew_side_part parts[4] = {{"bottom", 0, 1}, {"right", 0, 1}, {"top", 0, 1}, {"left", 0, 1}};
    static const ew_periodic pairs[2] = {{.first = "left", .second = "right", .dx = 1.0},
                                         {.first = "bottom", .second = "top", .dy = 1.0}};
    ew_rectangle square = {.x1 = 1.0, .y1 = 1.0, .nx = n, .ny = n, .jitter = jitter, .seed = 3, .periodics = 2,
                           .periodic = pairs};
    for (int k = 0; k < 4; k++) {
        square.side[k].parts = 1;
        square.side[k].part = &parts[k];
    }
    ew_mesh *mesh;
    ew_error error;
    if (ew_mesh_rectangle(NULL, &square, &mesh, &error))
        bail_out("no mesh: %s", error.message);
    return mesh;
}

static ew_formula *density_wave(void)
{
    static const char *const texts[4] = {"1 + 0.2*sin(2*pi*(x + y - t*(0.7 + 0.3)))", "0.7", "0.3", "1"};
    ew_scope *scope;
    ew_formula *formula;
    ew_error error;
    if (ew_scope_create(NULL, &scope, &error) || ew_formula_create(scope, 4, texts, &formula, &error))
        bail_out("no formula: %s", error.message);
    ew_scope_destroy(scope);
    return formula;
}

static void density_errors(const ew_formula *wave, int order, const char *flux, int n, double *l2, double *linf)
{
    ew_data data = {.formula = wave};
    ew_problem problem = {.order = order, .flux = flux, .scheme = "rk4", .cfl = cfl, .initial = data, .exact = data,
                          .backend = "omp", .threads = 1};
    ew_mesh *mesh = periodic_square(n);
    ew_solver *solver;
    ew_norms norms;
    ew_error error;
    if (ew_solver_create(NULL, mesh, &problem, &solver, &error) ||
        ew_solver_advance(solver, end, INT64_MAX, NULL, &error) || ew_solver_norms(solver, &norms, &error))
        bail_out("order %d, %s, %d cells: %s", order, flux, n, error.message);
    *l2 = norms.error_l2[0];
    *linf = norms.error_linf[0];
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
}

static void check_order(const ew_formula *wave, int order, const char *flux, double least, int n)
{
    double l2[2], linf[2];
    for (int k = 0; k < 2; k++)
        density_errors(wave, order, flux, n << k, &l2[k], &linf[k]);
    double rate = log2(l2[0] / l2[1]), rate_linf = log2(linf[0] / linf[1]);
    diag("%-4s  %d      %2d     %.3e   -     %.3e   -", flux, order, n, l2[0], linf[0]);
    diag("%-4s  %d      %2d     %.3e  %.2f   %.3e  %.2f", flux, order, 2 * n, l2[1], rate, linf[1], rate_linf);
    ok(rate > order + least && rate < order + 1.6, "%s, order %d, %d cells: the L2 error falls as h^%d", flux, order,
       n, order + 1);
    ok(rate_linf > order + 0.1, "%s, order %d, %d cells: the largest error falls with it", flux, order, n);
}

int main(void)
{
    if (getenv("EW_NO_CONVERGENCE"))
        skip_all("EW_NO_CONVERGENCE is set: it is only arithmetic, and minutes of it under a sanitizer");
    ew_formula *wave = density_wave();
    diag("flux  order  cells  L2 error   rate  Linf error rate");
    for (size_t f = 0; f < sizeof fluxes / sizeof *fluxes; f++)
        for (int order = 1; order <= EW_MAX_ORDER; order++) {
            check_order(wave, order, fluxes[f].name, fluxes[f].least, cells[order]);
            if (long_checks() && finer_cells[order])
                check_order(wave, order, fluxes[f].name, fluxes[f].least, finer_cells[order]);
        }
    ew_formula_destroy(wave);
    return done_testing();
}
