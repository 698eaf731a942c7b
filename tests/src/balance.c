/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The totals change at the rate at which boundaries of any kind let mass, momentum and energy in, and the total plus
 * the outflow stays constant.
 */
#include "edgewise.h"
#include "helpers.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define SQRT2 1.4142135623730950488

static ew_mesh *square(void)
{
    ew_rectangle rectangle = {.x1 = 1.0, .y1 = 1.0, .nx = 7, .ny = 6, .jitter = 0.3, .seed = 5};
    return mesh_of_rectangle(rectangle);
}

/* state: of bottom, right and left, by kinds; the top is a wall or, if it has a curve, a curved one. */
static const struct {
    const char *law, *flux, *initial;
    struct {
        const char *kind, *ghost, *state;
    } bottom, right, left;
    int curved, conservative;
} cases[] = {
    {"euler", "llf", "1 + 0.2*sin(4*x)*y;0.4*y;0.3*x - 0.1;1 + 0.1*cos(3*y)",
     {"state", NULL, "1;0.1;0.2*cos(10*t);1 + x"}, {"far", NULL, "0.9;0.3;0.1;1"}, {"copy", NULL, NULL}, 1, 1},
    {"euler", "hllc", "1 + 0.2*sin(4*x)*y;0.4 + 0.1*y;0.1*x;1 + 0.1*cos(3*y)", {"wall", "tangential", NULL},
     {"outlet", NULL, "0.9 + 0.1*sin(9*t)"}, {"inlet", "total", "1.3;1.1;0;0"}, 1, 0},
    {"euler", "roe", "1 + 0.2*sin(4*x)*y;0.4 + 0.1*y;0.1*x;1 + 0.1*cos(3*y)", {"symmetry", NULL, NULL},
     {"outlet", NULL, "0.9"}, {"inlet", "mass-flow", "0.4 + y;1"}, 0, 0},
    {"shallow-water", "hllc", "1 + 0.2*sin(4*x)*y;0.4*y;0.3*x - 0.1", {"state", NULL, "1;0.1 + t;0.2"},
     {"far", NULL, "0.9;0.3;0.1"}, {"wall", NULL, NULL}, 1, 0},
    {"acoustics", "upwind", "0.2*sin(4*x)*y;0.4*y;0.3*x - 0.1", {"state", NULL, "1;0.1 + t;0.2"},
     {"far", NULL, "0.9;0.3;0.1"}, {"wall", NULL, NULL}, 1, 1},
    {"maxwell-tm", "llf", "0.2*sin(4*x)*y;0.4*y;0.3*x - 0.1", {"state", NULL, "1;0.1 + t;0.2"},
     {"far", NULL, "0.9;0.3;0.1"}, {"symmetry", NULL, NULL}, 1, 0},
};

static double area_of(const double *xy, const int64_t *triangle)
{
    const double *a = xy + 2 * triangle[0], *b = xy + 2 * triangle[1], *c = xy + 2 * triangle[2];
    return 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
}

/* The largest gain of a total that no flux explains, over the largest flux. */
static double imbalance_of(ew_solver *solver, const ew_mesh *mesh, int variables, int basis)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    size_t rows = (size_t)(variables * basis), elements = (size_t)info.elements;
    double *residual = calloc(elements * rows, sizeof *residual), gain[4] = {0}, largest = 0.0, worst = 0.0;
    double *xy = calloc((size_t)info.nodes, 2 * sizeof *xy);
    int64_t *triangle = calloc(elements, 3 * sizeof *triangle);
    ew_error error;
    ew_mesh_get_nodes(mesh, xy);
    ew_mesh_get_triangles(mesh, triangle);
    must(ew_solver_get_residual(solver, residual, &error), &error);
    for (size_t i = 0; i < elements; i++)
        for (int m = 0; m < variables; m++)
            gain[m] += SQRT2 * residual[i * rows + (size_t)(m * basis)] * area_of(xy, triangle + 3 * i);
    for (int32_t b = 0; ew_mesh_boundary(mesh, b, NULL); b++) {
        ew_boundary_integrals integrals;
        must(ew_solver_boundary(solver, b, &integrals, &error), &error);
        for (int m = 0; m < variables; m++) {
            gain[m] += integrals.flux[m];
            largest = fmax(largest, fabs(integrals.flux[m]));
        }
    }
    for (int m = 0; m < variables; m++)
        worst = fmax(worst, fabs(gain[m]));
    free(residual);
    free(xy);
    free(triangle);
    return worst / largest;
}

/* The largest change of a total since it was `before`, that the outflow does not explain, over the largest of both. */
static double loss_of(ew_solver *solver, const ew_mesh *mesh, int variables, const double *before)
{
    double left[EW_MAX_VARIABLES], largest = 0.0, worst = 0.0;
    ew_norms norms;
    ew_error error;
    must(ew_solver_norms(solver, &norms, &error), &error);
    for (int m = 0; m < variables; m++) {
        left[m] = norms.total[m] - before[m];
        largest = fmax(largest, fabs(before[m]));
    }
    for (int32_t b = 0; ew_mesh_boundary(mesh, b, NULL); b++) {
        double outflow[EW_MAX_VARIABLES];
        must(ew_solver_outflow(solver, b, outflow, &error), &error);
        for (int m = 0; m < variables; m++) {
            left[m] += outflow[m];
            largest = fmax(largest, fabs(outflow[m]));
        }
    }
    for (int m = 0; m < variables; m++)
        worst = fmax(worst, fabs(left[m]));
    return worst / largest;
}

/* The force is on a wall the flux of momentum; elsewhere it is that of the pressure, with no part along the edge. */
static void check_forces(ew_solver *solver, const ew_mesh *mesh, const ew_boundary *boundary, const char *law)
{
    const char *name;
    for (int32_t b = 0; (name = ew_mesh_boundary(mesh, b, NULL)); b++) {
        const ew_boundary *here = boundary;
        ew_boundary_integrals of;
        ew_error error;
        while (strcmp(here->name, name) != 0)
            here++;
        must(ew_solver_boundary(solver, b, &of, &error), &error);
        if (!ew_law_find(law)->pressure)
            ok(isnan(of.force[0]) && isnan(of.moment), "... %s: there is no force", name);
        else if (strcmp(here->kind, "wall") == 0)
            ok(of.force[0] == of.flux[1] && of.force[1] == of.flux[2], "... %s: the force is the flux of momentum",
               name);
        else
            is_close(of.force[b % 2 == 0 ? 0 : 1], 0.0, 1e-13, "... %s: the force is that of the pressure", name);
    }
}

static ew_boundary boundary_of(const char *name, const char *kind, const char *ghost, ew_formula *state)
{
    return (ew_boundary){.name = name, .kind = kind, .ghost = ghost, .state.formula = state};
}

static const char *const schemes[] = {"rk2", "rk4", "ssprk22", "ssprk33", "ssprk54", "ssprk32", "rk43"};

struct method {
    int order;
    const char *kernels, *scheme, *limiter;
    int positivity;
};

/* Runs on, and sets the outflow of a run that begins halfway: the same bits. */
static void check_restart(ew_solver *solver, const ew_mesh *mesh, const ew_problem *problem, size_t coefficients)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    size_t outflows = (size_t)info.boundary_edges * EW_MAX_VARIABLES;
    double *state = calloc(coefficients, sizeof *state), *outflow = calloc(outflows, sizeof *outflow);
    ew_moment moment;
    ew_solver *other;
    ew_error error;
    must(ew_solver_get_coefficients(solver, state, &error), &error);
    must(ew_solver_get_edge_outflow(solver, outflow, &error), &error);
    ew_solver_moment(solver, &moment);
    must(ew_solver_create(NULL, mesh, problem, &other, &error), &error);
    must(ew_solver_restore(other, problem->order, state, &moment, &error), &error);
    must(ew_solver_set_edge_outflow(other, outflow, &error), &error);
    must(ew_solver_advance(solver, INFINITY, 2, NULL, &error), &error);
    must(ew_solver_advance(other, INFINITY, 2, NULL, &error), &error);
    ok(outflow_hash(solver) == outflow_hash(other), "... and a restart continues them with the same bits");
    ew_solver_destroy(other);
    free(state);
    free(outflow);
}

static void check_case(int k, struct method method)
{
    const char *const texts[] = {cases[k].bottom.state, cases[k].right.state, cases[k].left.state, cases[k].initial,
                                 "y - 1 - 0.002*sin(9*x)"};
    ew_formula *formula[COUNT(texts)];
    for (int f = 0; f < COUNT(texts); f++)
        formula[f] = texts[f] ? formula_from(texts[f]) : NULL;
    ew_boundary_curve curve = {.kind = EW_CURVE_LEVEL, .level.formula = formula[4]};
    ew_boundary boundary[4] = {
        boundary_of("bottom", cases[k].bottom.kind, cases[k].bottom.ghost, formula[0]),
        boundary_of("right", cases[k].right.kind, cases[k].right.ghost, formula[1]),
        boundary_of("left", cases[k].left.kind, cases[k].left.ghost, formula[2]),
        {.name = "top", .kind = "wall", .curve = cases[k].curved ? &curve : NULL,
         .conservative = cases[k].conservative}};
    ew_problem problem = {.law = cases[k].law, .flux = cases[k].flux, .order = method.order, .time = 0.3,
                          .scheme = method.scheme, .limiter = method.limiter, .positivity = method.positivity,
                          .initial.formula = formula[3], .boundaries = 4, .boundary = boundary, .backend = "omp",
                          .outflow = 1, .kernels = method.kernels, .threads = 1};
    ew_mesh *mesh = square();
    ew_mesh_info mesh_info;
    ew_solver *solver;
    ew_solver_info info;
    ew_norms norms;
    ew_error error;
    ew_mesh_get_info(mesh, &mesh_info);
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    must(ew_solver_norms(solver, &norms, &error), &error);
    must(ew_solver_advance(solver, INFINITY, 40, NULL, &error), &error);
    ew_solver_get_info(solver, &info);
    is_close(imbalance_of(solver, mesh, info.law->variables, info.basis), 0.0, 1e-12,
             "%s, %s, p = %d, %s, %s: fluxes explain what totals gain", cases[k].law, cases[k].flux, method.order,
             method.scheme, method.kernels);
    is_close(loss_of(solver, mesh, info.law->variables, norms.total), 0.0, 1e-13,
             "... and outflows what they have lost%s%s%s", method.limiter ? ", limited by " : "",
             method.limiter ? method.limiter : "", method.positivity ? ", positive" : "");
    check_forces(solver, mesh, boundary, cases[k].law);
    check_restart(solver, mesh, &problem, (size_t)(mesh_info.elements * info.law->variables * info.basis));
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    for (int f = 0; f < COUNT(texts); f++)
        ew_formula_destroy(formula[f]);
}

int main(void)
{
    for (int k = 0; k < COUNT(cases); k++) {
        bool linear = strcmp(cases[k].law, "acoustics") == 0 || strcmp(cases[k].law, "maxwell-tm") == 0;
        check_case(k, (struct method){2, "edgewise", schemes[k % COUNT(schemes)], NULL, 0});
        check_case(k, (struct method){3, "fused", schemes[(k + 2) % COUNT(schemes)], NULL, 0});
        if (linear)
            continue;
        check_case(k, (struct method){1, "fused", schemes[(k + 1) % COUNT(schemes)], "barth-jespersen", k % 2});
        check_case(k, (struct method){2, "fused", schemes[(k + 3) % COUNT(schemes)], "oscillation-free", 1});
        check_case(k, (struct method){4, "edgewise", schemes[(k + 4) % COUNT(schemes)], NULL, 1});
    }
    return done_testing();
}
