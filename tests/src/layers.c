/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Levels of time steps in viscous flow, on a mesh whose layers grow from a wall: order in time, conservation, a free
 * stream, stability, and the same bits from both sets of kernels, any number of threads and after a restart.
 */
#include "edgewise.h"
#include "helpers.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define PI 3.14159265358979323846

enum { COLUMNS = 9, LAYERS = 9, NODES = (COLUMNS + 1) * (LAYERS + 1), TRIANGLES = 2 * COLUMNS * LAYERS,
       LINES = 2 * (COLUMNS + LAYERS) };

static int64_t node(int i, int j)
{
    return j * (COLUMNS + 1) + i;
}

/* The heights of the layers' borders in [0, 1]: each layer is `growth` times as high as the one below. */
static void space(double growth, double y[LAYERS + 1])
{
    y[0] = 0.0;
    for (int j = 0; j < LAYERS; j++)
        y[j + 1] = y[j] + pow(growth, j);
    for (int j = 1; j <= LAYERS; j++)
        y[j] /= y[LAYERS];
}

/* Layers over the wall "bottom", which has a hump of this height; the other sides are "around". */
static ew_mesh *layers(double growth, double hump)
{
    static double xy[NODES][2];
    static int64_t triangle[TRIANGLES][3], line[LINES][2];
    static int32_t line_name[LINES];
    static const char *const name[] = {"bottom", "around"};
    double y[LAYERS + 1];
    uint64_t seed = 3;
    ew_error error;
    ew_mesh *mesh;
    int t = 0, l = 0;
    space(growth, y);
    for (int j = 0; j <= LAYERS; j++)
        for (int i = 0; i <= COLUMNS; i++) {
            double shift = i > 0 && i < COLUMNS ? 0.2 * random_double(&seed) / COLUMNS : 0.0;
            double x = (double)i / COLUMNS + shift, wall = hump * sin(PI * x) * sin(PI * x);
            xy[node(i, j)][0] = x;
            xy[node(i, j)][1] = wall + (1.0 - wall) * y[j];
        }
    for (int j = 0; j < LAYERS; j++)
        for (int i = 0; i < COLUMNS; i++) {
            const int64_t corner[4] = {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)};
            for (int half = 0; half < 2; half++, t++)
                for (int k = 0; k < 3; k++)
                    triangle[t][k] = corner[((i + j) % 2 + 2 * half + k) % 4];
        }
    for (int k = 0; k < COLUMNS; k++)
        for (int side = 0; side < 2; side++, l++) {
            line[l][0] = node(k, side * LAYERS);
            line[l][1] = node(k + 1, side * LAYERS);
            line_name[l] = side;
        }
    for (int k = 0; k < LAYERS; k++)
        for (int side = 0; side < 2; side++, l++) {
            line[l][0] = node(side * COLUMNS, k);
            line[l][1] = node(side * COLUMNS, k + 1);
            line_name[l] = 1;
        }
    const ew_mesh_data data = {.nodes = NODES, .xy = *xy, .triangles = TRIANGLES, .triangle = *triangle, .lines = LINES,
                               .line = *line, .line_name = line_name, .names = 2, .name = name};
    must(ew_mesh_create(NULL, &data, &mesh, &error), &error);
    return mesh;
}

/* A vortex over a wall along which the gas slips from rest; a hot spot in a box; a stream. */
#define VORTEX                                                                                                  \
    "1 + 0.1*sin(3*x + t); 0.3*y + 0.2*y*cos(5*t)*exp(-20*((x - 0.5)^2 + (y - 0.2)^2)); 0.1*y*sin(3*x - 4*t); " \
    "1 + 0.1*cos(2*y + 3*t)"
#define BOX "1 + 0.3*tanh(9*(0.1 - (x - 0.5)^2 - y^2)); 0; 0; 1 + 0.5*tanh(9*(0.1 - (x - 0.4)^2 - y^2))"
#define STREAM "1; 0.4; 0; 0.7"
#define NOISE "1 + 0.05*sin(57*x)*cos(130*y); 0.1*cos(71*x + 90*y); 0.1*sin(43*x)*sin(210*y); 1 + 0.05*cos(91*x - 60*y)"

struct flow {
    const char *initial, *around; /* around: kind of the other boundary; NULL: "state" on the wall, too */
    int order;
    double mu, hump;
    const char *limiter;
    int positivity;
    const char *kernels;
};

static ew_solver *solver_for(const ew_mesh *mesh, const struct flow *flow, const char *scheme, int levels, double cfl,
                             int threads, ew_formula **formula)
{
    ew_error error;
    ew_solver *solver;
    *formula = formula_from(flow->initial);
    char hump[64];
    snprintf(hump, sizeof hump, "%g*sin(pi*x)^2 - y", flow->hump);
    ew_formula *height = formula_from(hump);
    const ew_parameter mu = {.name = "mu", .value = flow->mu};
    const ew_boundary_curve curve = {.boundary = "bottom", .kind = EW_CURVE_LEVEL, .level.formula = height};
    ew_boundary boundary[] = {{.name = "bottom", .kind = flow->around ? "no-slip" : "state"},
                              {.name = "around", .kind = flow->around ? flow->around : "state"}};
    for (int k = 0; k < 2; k++)
        if (strcmp(boundary[k].kind, "no-slip") != 0)
            boundary[k].state.formula = *formula;
    if (flow->hump > 0.0)
        boundary[0].curve = &curve;
    const ew_problem problem = {.law = "navier-stokes", .parameters = 1, .parameter = &mu, .order = flow->order,
                                .limiter = flow->limiter, .positivity = flow->positivity, .scheme = scheme,
                                .cfl = cfl, .step_levels = levels, .kernels = flow->kernels,
                                .initial.formula = *formula, .exact.formula = *formula, .outflow = 1,
                                .boundaries = 2, .boundary = boundary, .backend = "omp", .threads = threads};
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    ew_formula_destroy(height);
    return solver;
}

static size_t doubles_of(const ew_solver *solver)
{
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    return (size_t)TRIANGLES * (size_t)info.basis * (size_t)info.law->variables;
}

/* The coefficients at time `end`, to be freed; *norms: the nullable norms. */
static double *state_at(const ew_mesh *mesh, const struct flow *flow, const char *scheme, int levels, double cfl,
                        double end, ew_norms *norms)
{
    ew_error error;
    ew_formula *formula;
    ew_solver *solver = solver_for(mesh, flow, scheme, levels, cfl, 1, &formula);
    double *state = calloc(doubles_of(solver), sizeof *state);
    must(ew_solver_advance(solver, end, INT64_MAX, NULL, &error), &error);
    must(ew_solver_get_coefficients(solver, state, &error), &error);
    if (norms)
        must(ew_solver_norms(solver, norms, &error), &error);
    ew_solver_destroy(solver);
    ew_formula_destroy(formula);
    return state;
}

static const struct {
    const char *name;
    int order;
} schemes[] = {{"rk2", 2}, {"ssprk22", 2}, {"ssprk32", 2}, {"ssprk33", 3}, {"rk43", 3}, {"rk4", 3}};

/* ---- results ---- */

static double distance(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

static void check_levels(const ew_mesh *mesh)
{
    const struct flow flow = {STREAM, NULL, 1, 0.01, 0, NULL, 0, NULL};
    ew_formula *formula;
    ew_solver_info info;
    ew_solver *solver = solver_for(mesh, &flow, "rk43", EW_STEP_LEVELS_AUTO, 0.0, 1, &formula);
    ew_solver_get_info(solver, &info);
    ok(info.step_levels > 2, "layers have levels by themselves (%d, work %.2f)", info.step_levels, info.level_work);
    ew_solver_destroy(solver);
    ew_formula_destroy(formula);
}

/* The error in time alone: against the same mesh with short steps of one level. */
static void check_orders(const ew_mesh *mesh)
{
    const struct flow flow = {VORTEX, NULL, 2, 0.002, 0, NULL, 0, NULL};
    const double end = 0.05;
    double *exact = state_at(mesh, &flow, "rk4", 1, 0.1, end, NULL);
    for (int s = 0; s < COUNT(schemes); s++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            double *state = state_at(mesh, &flow, schemes[s].name, 3, 0.4 / (1 << k), end, NULL);
            error[k] = distance(state, exact, (size_t)TRIANGLES * 4 * 6);
            free(state);
        }
        double order = log2(error[0] / error[1]);
        ok(order > schemes[s].order - 0.2, "%s: order %d in time with 3 levels (%.2f, error %.2g)", schemes[s].name,
           schemes[s].order, order, error[1]);
    }
    free(exact);
}

/* At the default Courant number: diffusion alone limits the steps of all levels. */
static void check_stability(const ew_mesh *mesh)
{
    for (int order = 1; order <= 3; order++)
        for (int s = 0; s < COUNT(schemes); s++) {
            const struct flow noise = {NOISE, "no-slip", order, 0.5, 0, NULL, 0, NULL};
            ew_norms one, levels;
            free(state_at(mesh, &noise, schemes[s].name, 1, 0.0, 0.0005, &one));
            free(state_at(mesh, &noise, schemes[s].name, 4, 0.0, 0.0005, &levels));
            is_close(levels.error_l2[3] / one.error_l2[3], 1.0, 0.02,
                     "order %d, %s: noise decays as with one level at the default Courant number", order,
                     schemes[s].name);
        }
}

static void check_stream(const ew_mesh *mesh)
{
    const struct flow flow = {STREAM, NULL, 3, 0.01, 0, NULL, 0, NULL};
    for (int s = 0; s < COUNT(schemes); s++) {
        ew_norms norms;
        free(state_at(mesh, &flow, schemes[s].name, 4, 0.0, 0.02, &norms));
        is_close(norms.error_l2[0] + norms.error_l2[3], 0.0, 1e-12, "%s: a uniform stream stays", schemes[s].name);
    }
}

static void check_box(const ew_mesh *mesh)
{
    const struct flow flow[] = {{BOX, "no-slip", 2, 0.01, 0, NULL, 0, NULL},
                                {BOX, "no-slip", 2, 0.01, 0, "oscillation-free", 1, NULL}};
    for (int f = 0; f < COUNT(flow); f++)
        for (int s = 0; s < COUNT(schemes); s++) {
            ew_norms before, after;
            free(state_at(mesh, &flow[f], schemes[s].name, 4, 0.0, 0.0, &before));
            free(state_at(mesh, &flow[f], schemes[s].name, 4, 0.0, 0.02, &after));
            double lost = fabs(after.total[0] / before.total[0] - 1) + fabs(after.total[3] / before.total[3] - 1);
            is_close(lost, 0.0, 1e-13, "%s, %s: a box with insulated walls keeps mass and energy", schemes[s].name,
                     flow[f].limiter ? flow[f].limiter : "no limiter");
        }
}

/* The totals lose as much as leaves through the boundary, by diffusion, too. */
static void check_outflow(const ew_mesh *mesh)
{
    const struct flow flow = {VORTEX, NULL, 2, 0.01, 0, NULL, 0, NULL};
    ew_error error;
    for (int s = 0; s < COUNT(schemes); s++) {
        ew_norms before, after;
        double outflow[2][4], lost = 0.0;
        ew_formula *formula;
        ew_solver *solver = solver_for(mesh, &flow, schemes[s].name, 4, 0.0, 2, &formula);
        must(ew_solver_norms(solver, &before, &error), &error);
        must(ew_solver_advance(solver, 0.02, INT64_MAX, NULL, &error), &error);
        must(ew_solver_norms(solver, &after, &error), &error);
        for (int k = 0; k < 2; k++)
            must(ew_solver_outflow(solver, k, outflow[k], &error), &error);
        for (int m = 0; m < 4; m++)
            lost = fmax(lost, fabs(after.total[m] + outflow[0][m] + outflow[1][m] - before.total[m]));
        is_close(lost, 0.0, 1e-12, "%s: totals and the flux through the boundary balance", schemes[s].name);
        ew_solver_destroy(solver);
        ew_formula_destroy(formula);
    }
}

/* ---- bits ---- */

static uint64_t hash_at(const ew_mesh *mesh, const struct flow *flow, const char *scheme, int levels, int threads)
{
    ew_error error;
    ew_formula *formula;
    uint64_t hash;
    ew_solver *solver = solver_for(mesh, flow, scheme, levels, 0.0, threads, &formula);
    must(ew_solver_advance(solver, 0.005, INT64_MAX, NULL, &error), &error);
    must(ew_solver_hash(solver, &hash, &error), &error);
    ew_solver_destroy(solver);
    ew_formula_destroy(formula);
    return hash;
}

static const struct flow bits[] = {{VORTEX, NULL, 2, 0.01, 0, NULL, 0, NULL},
                                   {BOX, "no-slip", 3, 0.01, 0.02, NULL, 1, NULL},
                                   {BOX, "far", 1, 0.01, 0.02, "barth-jespersen", 1, NULL},
                                   {BOX, "no-slip", 2, 0.01, 0, "oscillation-free", 1, NULL}};

static void check_bits_of(int number)
{
    static const char *const some[] = {"ssprk22", "ssprk33", "rk43"}; /* of 2, 3 and 4 stages */
    const struct flow *flow = &bits[number];
    struct flow by_edges = *flow;
    ew_mesh *mesh = layers(1.6, flow->hump), *uniform = layers(1.0, flow->hump);
    by_edges.kernels = "edgewise";
    for (int s = 0; s < COUNT(some); s++) {
        uint64_t one = hash_at(mesh, flow, some[s], 4, 1);
        ok(hash_at(mesh, &by_edges, some[s], 4, 2) == one, "flow %d, %s: both sets of kernels have the same bits",
           number, some[s]);
        ok(hash_at(mesh, flow, some[s], 4, 3) == one, "flow %d, %s: 3 threads have the bits of one", number, some[s]);
        ok(hash_at(mesh, flow, some[s], 0, 1) != one, "flow %d, %s: those of one level are others", number, some[s]);
    }
    ok(hash_at(uniform, flow, "rk43", EW_STEP_LEVELS_AUTO, 1) == hash_at(uniform, flow, "rk43", 0, 1),
       "flow %d: a uniform mesh has the bits of one level", number);
    ew_mesh_destroy(mesh);
    ew_mesh_destroy(uniform);
}

static void check_restart(int number)
{
    const struct flow *flow = &bits[number];
    ew_mesh *mesh = layers(1.6, flow->hump);
    ew_error error;
    ew_formula *formula[2];
    ew_moment moment;
    uint64_t hash[2];
    ew_solver *solver[2];
    for (int k = 0; k < 2; k++)
        solver[k] = solver_for(mesh, flow, "rk43", 4, 0.0, 1, &formula[k]);
    double *state = calloc(doubles_of(solver[0]), sizeof *state);
    must(ew_solver_advance(solver[0], 1.0, 2, NULL, &error), &error);
    must(ew_solver_get_coefficients(solver[0], state, &error), &error);
    ew_solver_moment(solver[0], &moment);
    must(ew_solver_restore(solver[1], flow->order, state, &moment, &error), &error);
    for (int k = 0; k < 2; k++) {
        must(ew_solver_advance(solver[k], 1.0, 2, NULL, &error), &error);
        must(ew_solver_hash(solver[k], &hash[k], &error), &error);
        ew_solver_destroy(solver[k]);
        ew_formula_destroy(formula[k]);
    }
    ok(hash[0] == hash[1], "flow %d: a run continued from the state after a step has the same bits", number);
    free(state);
    ew_mesh_destroy(mesh);
}

int main(void)
{
    ew_mesh *mesh = layers(1.6, 0.0);
    check_levels(mesh);
    if (!getenv("EW_NO_CONVERGENCE"))
        check_orders(mesh);
    check_stability(mesh);
    check_stream(mesh);
    check_box(mesh);
    check_outflow(mesh);
    for (int f = 0; f < COUNT(bits); f++) {
        check_bits_of(f);
        check_restart(f);
    }
    ew_mesh_destroy(mesh);
    return done_testing();
}
