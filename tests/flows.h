/* SPDX-License-Identifier: BSD-2-Clause */
/* Meshes, formulas, solvers and errors of tests that run flows. */
#ifndef FLOWS_H
#define FLOWS_H

#include "edgewise.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define GAMMA 1.4
static const double never = 1e9; /* a time that no run reaches */

/* A rectangle with one corner at (0, 0); its boundaries are bottom, right, top, left, or all periodic. */
struct box {
    int nx, ny;
    double width, height, jitter;
    bool periodic;
};

static inline ew_mesh *box(struct box box)
{
    ew_side_part part[4];
    const char *const names[4] = {"bottom", "right", "top", "left"};
    const ew_periodic pairs[2] = {{.first = "left", .second = "right", .automatic = 1},
                                  {.first = "bottom", .second = "top", .automatic = 1}};
    ew_rectangle rectangle = {.x1 = box.width,
                              .y1 = box.height, .nx = box.nx, .ny = box.ny, .jitter = box.jitter, .seed = 5,
                              .periodics = box.periodic ? 2 : 0,
                              .periodic = pairs};
    for (int k = 0; k < 4; k++) {
        part[k] = (ew_side_part){names[k], 0.0, k % 2 ? box.height : box.width};
        rectangle.side[k].parts = 1;
        rectangle.side[k].part = &part[k];
    }
    ew_mesh *mesh;
    ew_error error;
    if (ew_mesh_rectangle(NULL, &rectangle, &mesh, &error))
        bail_out("no mesh: %s", error.message);
    return mesh;
}

static inline int64_t elements_of(const ew_mesh *mesh)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    return info.elements;
}

static inline ew_formula *formula(int outputs, const char *const *texts)
{
    ew_scope *scope;
    ew_formula *made;
    ew_error error;
    if (ew_scope_create(NULL, &scope, &error) || ew_scope_set(scope, "gamma", GAMMA, &error) ||
        ew_formula_create(scope, outputs, texts, &made, &error))
        bail_out("no formula: %s", error.message);
    ew_scope_destroy(scope);
    return made;
}

/* The source of a law with so many variables, which its formulas call a, b, c and d. */
static inline ew_formula *source_formula(int variables, const char *const *texts)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    ew_scope *scope, *with_state;
    ew_formula *made;
    ew_error error;
    if (ew_scope_create(NULL, &scope, &error) || ew_scope_with_state(scope, variables, names, &with_state, &error) ||
        ew_formula_create(with_state, variables, texts, &made, &error))
        bail_out("no source: %s", error.message);
    ew_scope_destroy(with_state);
    ew_scope_destroy(scope);
    return made;
}

/* Boundaries of one kind, with one state. */
static inline size_t boundaries(const ew_mesh *mesh, const char *kind, ew_data state, ew_boundary *boundary)
{
    size_t count = 0;
    for (const char *name; (name = ew_mesh_boundary(mesh, (int32_t)count, NULL)); count++)
        boundary[count] = (ew_boundary){.name = name, .kind = kind, .state = state};
    return count;
}

static inline ew_solver *start(const ew_mesh *mesh, const ew_problem *problem)
{
    ew_problem here = *problem;
    here.backend = "omp";
    here.threads = 1;
    ew_solver *solver;
    ew_error error;
    if (ew_solver_create(NULL, mesh, &here, &solver, &error))
        bail_out("no solver: %s", error.message);
    return solver;
}

static inline bool advance(ew_solver *solver, double until, int64_t steps)
{
    ew_error error;
    if (!ew_solver_advance(solver, until, steps, NULL, &error))
        return true;
    diag("%s", error.message);
    return false;
}

/* Corners, middles of the sides and centroid of the reference triangle. */
enum { samples = 7 };
static const double points[samples][2] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0, 0.5}, {0.5, 0.5}, {1.0 / 3, 1.0 / 3}};

/* Primitive variables [elements][samples][variables]; the caller frees them. */
static inline double *sample(ew_solver *solver, int64_t elements)
{
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    double *values = malloc((size_t)elements * samples * (size_t)info.law->variables * sizeof *values);
    ew_error error;
    if (!values || ew_solver_sample(solver, 0, elements, samples, &points[0][0], 1, values, &error))
        bail_out("no samples");
    return values;
}

static inline ew_norms norms_of(ew_solver *solver)
{
    ew_norms norms;
    ew_error error;
    if (ew_solver_norms(solver, &norms, &error))
        bail_out("no norms: %s", error.message);
    return norms;
}

/* The error of the first variable at time `end`; NaN if the run fails. */
static inline double error_at(const ew_mesh *mesh, const ew_problem *problem, double end)
{
    ew_solver *solver = start(mesh, problem);
    double error = advance(solver, end, INT64_MAX) ? norms_of(solver).error_l2[0] : NAN;
    ew_solver_destroy(solver);
    return error;
}

/* A problem with an exact solution at all boundaries, on two meshes; the rate of the L2 error. */
static inline double rate_on_squares(int cells_first, ew_problem *problem, double end, double *errors)
{
    for (int k = 0; k < 2; k++) {
        int n = cells_first << k;
        ew_mesh *mesh = box((struct box){.nx = n, .ny = n, .width = 1.0, .height = 1.0, .jitter = 0.2});
        ew_boundary boundary[4];
        problem->boundaries = boundaries(mesh, "state", problem->exact, boundary);
        problem->boundary = boundary;
        errors[k] = error_at(mesh, problem, end);
        ew_mesh_destroy(mesh);
    }
    return log2(errors[0] / errors[1]);
}

/*
 * The integral of |first variable - exact(x, t)| over a tube of height h, divided by h: each triangle is cut into 16,
 * with their centroids.
 */
static inline double error_l1(ew_solver *solver, const ew_mesh *mesh, double (*exact)(double x, double t),
                              double height)
{
    double rs[16][2], *values, sum = 0.0;
    int count = 0;
    ew_solver_info about;
    ew_solver_get_info(solver, &about);
    size_t variables = (size_t)about.law->variables;
    for (int i = 0; i < 4; i++)
        for (int j = 0; i + j < 4; j++) {
            rs[count][0] = (i + 1.0 / 3) / 4;
            rs[count++][1] = (j + 1.0 / 3) / 4;
            if (i + j < 3) {
                rs[count][0] = (i + 2.0 / 3) / 4;
                rs[count++][1] = (j + 2.0 / 3) / 4;
            }
        }
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    double(*xy)[2] = malloc((size_t)info.nodes * sizeof *xy);
    int64_t(*triangle)[3] = malloc((size_t)info.elements * sizeof *triangle);
    values = malloc((size_t)info.elements * 16 * variables * sizeof *values);
    ew_error error;
    if (!xy || !triangle || !values ||
        ew_solver_sample(solver, 0, info.elements, 16, &rs[0][0], 1, values, &error))
        bail_out("no samples");
    ew_mesh_get_nodes(mesh, &xy[0][0]);
    ew_mesh_get_triangles(mesh, &triangle[0][0]);
    for (int64_t e = 0; e < info.elements; e++) {
        const double *a = xy[triangle[e][0]], *b = xy[triangle[e][1]], *c = xy[triangle[e][2]];
        double area = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
        for (int q = 0; q < 16; q++) {
            double x = a[0] + rs[q][0] * (b[0] - a[0]) + rs[q][1] * (c[0] - a[0]);
            sum += area / 16 *
                   fabs(values[((size_t)e * 16 + (size_t)q) * variables] - exact(x, ew_solver_time(solver)));
        }
    }
    free(xy);
    free(triangle);
    free(values);
    return sum / height;
}

#endif
