/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each kernel makes of a state, as ew_solver_get_kernel_output gives it: in the order of the mesh, whatever the
 * layout.
 */
#include "edgewise.h"
#include "helpers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static double *doubles(size_t count)
{
    double *array = calloc(count ? count : 1, sizeof *array);
    if (!array)
        bail_out("no memory");
    return array;
}

/* Steep enough that the limiter has something to do. */
static void flow(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context;
    for (size_t i = 0; i < n; i++) {
        values[i] = 1 + 0.4 * (x[i] > 0.5) + 0.1 * x[i] + 0.1 * t;
        values[n + i] = 0.3 * y[i];
        values[2 * n + i] = 0.2 - 0.1 * x[i] * y[i];
        values[3 * n + i] = 1 + 0.5 * (y[i] > 0.4);
    }
}

static ew_mesh *make_mesh(void)
{
    static const ew_periodic pair = {.first = "bottom", .second = "top", .automatic = 1};
    ew_rectangle box = {
        .x1 = 1, .y1 = 1, .nx = 5, .ny = 7, .jitter = 0.5, .seed = 11, .periodics = 1, .periodic = &pair};
    return mesh_of_rectangle(box);
}

static ew_solver *make_solver(const ew_mesh *mesh, int order, const char *kernels, int tile, const char *limiter)
{
    const ew_data data = {.callback = flow, .variables = EW_X | EW_Y | EW_T};
    const ew_boundary boundaries[] = {{.name = "right", .kind = "state", .state = data},
                                      {.name = "left", .kind = "wall"}};
    const ew_problem problem = {.order = order, .initial = data, .time = 0.5, .boundaries = 2, .boundary = boundaries,
                                .backend = "omp", .kernels = kernels, .tile = tile, .threads = 2, .limiter = limiter};
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    return solver;
}

static double *output_of(ew_solver *solver, const char *kernel, ew_kernel_shape *shape)
{
    ew_kernel_shape own;
    ew_error error;
    shape = shape ? shape : &own;
    must(ew_solver_kernel_shape(solver, kernel, shape, &error), &error);
    double *output = doubles(shape->count);
    must(ew_solver_get_kernel_output(solver, kernel, output, &error), &error);
    return output;
}

static double determinant(const ew_mesh *mesh, int64_t element)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    double *xy = doubles(2 * (size_t)info.nodes);
    int64_t *triangle = malloc(3 * (size_t)info.elements * sizeof *triangle);
    if (!triangle)
        bail_out("no memory");
    ew_mesh_get_nodes(mesh, xy);
    ew_mesh_get_triangles(mesh, triangle);
    const double *a = xy + 2 * triangle[3 * element], *b = xy + 2 * triangle[3 * element + 1],
                 *c = xy + 2 * triangle[3 * element + 2];
    double det = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    free(xy);
    free(triangle);
    return det;
}

/*
 * eval_rhs is the volume integrals and those of the three sides, each edge of the mesh found by its elements, over det
 * J.
 */
static void check_sum(const ew_mesh *mesh, int order)
{
    ew_solver *solver = make_solver(mesh, order, "edgewise", 8, NULL);
    ew_kernel_shape shape, edges;
    double *volume = output_of(solver, "eval_volume", &shape), *surface = output_of(solver, "eval_surface", &edges);
    double *rhs = output_of(solver, "eval_rhs", NULL), worst = 0, outside = 0;
    size_t rows = (size_t)(shape.variables * shape.basis);
    int64_t element[2];
    int side[2], sides = 0;
    for (int64_t e = 0; e < edges.items && ew_mesh_edge(mesh, e, element, side) == EW_OK; e++)
        for (int part = 0; part < 2; part++) {
            const double *from = surface + (size_t)(2 * e + part) * rows;
            sides += element[part] >= 0;
            for (size_t row = 0; row < rows; row++)
                if (element[part] >= 0)
                    volume[(size_t)element[part] * rows + row] += from[row];
                else
                    outside = fmax(outside, fabs(from[row]));
        }
    for (int64_t i = 0; i < shape.items; i++) {
        double det = determinant(mesh, i);
        for (size_t row = 0; row < rows; row++)
            worst = fmax(worst, fabs(volume[(size_t)i * rows + row] / det - rhs[(size_t)i * rows + row]));
    }
    ok(sides == 3 * shape.items, "p = %d: every element has three sides among the edges", order);
    is_close(worst, 0, 1e-11, "p = %d: eval_rhs is the sum of eval_volume and eval_surface", order);
    is_close(outside, 0, 0, "p = %d: nothing is told of the right element that a boundary edge has not", order);
    free(volume);
    free(surface);
    free(rhs);
    ew_solver_destroy(solver);
}

static void check_layouts(const ew_mesh *mesh, int order)
{
    ew_solver *tiled = make_solver(mesh, order, "edgewise", 8, NULL),
              *flat = make_solver(mesh, order, "edgewise", -1, NULL);
    for (int k = 0; ew_list_name(EW_KERNEL_OUTPUTS, k); k++) {
        const char *name = ew_list_name(EW_KERNEL_OUTPUTS, k);
        if (strcmp(name, "limit_c") == 0)
            continue;
        ew_kernel_shape shape;
        double *a = output_of(tiled, name, &shape), *b = output_of(flat, name, NULL);
        ok(memcmp(a, b, shape.count * sizeof *a) == 0, "p = %d: %s has the same bits in both layouts", order, name);
        free(a);
        free(b);
    }
    ew_solver_destroy(tiled);
    ew_solver_destroy(flat);
}

/* update and time_step say what the next step does, and leave the solver as it is. */
static void check_step(const ew_mesh *mesh, const char *kernels, int order)
{
    ew_solver *solver = make_solver(mesh, order, kernels, 8, order == 1 ? "barth-jespersen" : NULL);
    ew_error error;
    must(ew_solver_advance(solver, 1e3, 2, NULL, &error), &error);
    uint64_t before, after;
    must(ew_solver_hash(solver, &before, &error), &error);
    ew_kernel_shape shape;
    double *update = output_of(solver, "update", &shape), *dt = output_of(solver, "time_step", NULL), taken;
    must(ew_solver_hash(solver, &after, &error), &error);
    ok(before == after && ew_solver_steps(solver) == 2, "%s, p = %d: the solver stays as it is", kernels, order);
    must(ew_solver_advance(solver, 1e3, 1, NULL, &error), &error);
    must(ew_solver_time_step(solver, &taken, &error), &error);
    double *now = doubles(shape.count);
    must(ew_solver_get_coefficients(solver, now, &error), &error);
    ok(memcmp(now, update, shape.count * sizeof *now) == 0, "%s, p = %d: update is the state after the next step",
       kernels, order);
    ok(memcmp(&taken, dt, sizeof taken) == 0, "%s, p = %d: time_step is that step's length", kernels, order);
    free(now);
    free(update);
    free(dt);
    ew_solver_destroy(solver);
}

static void check_limiter(const ew_mesh *mesh)
{
    ew_solver *solver = make_solver(mesh, 1, "edgewise", 8, "barth-jespersen"),
              *plain = make_solver(mesh, 1, "edgewise", 8, NULL);
    ew_kernel_shape shape;
    ew_error error;
    must(ew_solver_kernel_shape(solver, "limit_c", &shape, &error), &error);
    double *limited = doubles(shape.count), *coefficients = doubles(shape.count);
    must(ew_solver_get_coefficients(solver, limited, &error), &error); /* the initial state is limited */
    must(ew_solver_get_coefficients(plain, coefficients, &error), &error);
    ok(memcmp(limited, coefficients, shape.count * sizeof *limited) != 0, "the limiter changes the initial state");
    must(ew_solver_set_coefficients(solver, coefficients, 0, 0, &error), &error);
    double *again = output_of(solver, "limit_c", NULL);
    ok(memcmp(limited, again, shape.count * sizeof *limited) == 0, "limit_c limits once");
    is_int(ew_solver_get_kernel_output(plain, "limit_c", again, &error), EW_EINVAL,
           "without a limiter there is no output of it");
    is_str(error.message, "the solver has no limiter, so there is no output of limit_c", "and a sentence says so");
    free(limited);
    free(coefficients);
    free(again);
    ew_solver_destroy(solver);
    ew_solver_destroy(plain);
}

static void check_refusals(const ew_mesh *mesh)
{
    ew_solver *solver = make_solver(mesh, 2, "fused", 8, NULL);
    ew_kernel_shape shape;
    ew_error error;
    int64_t element[2];
    int side[2];
    must(ew_solver_kernel_shape(solver, "eval_surface", &shape, &error), &error);
    double *room = doubles(shape.count);
    is_int(ew_solver_get_kernel_output(solver, "eval_volume", room, &error), EW_EINVAL,
           "the fused set has no volume integrals");
    is_str(error.message, "the kernel set fused has no volume integrals of its own; the set edgewise has",
           "and says so");
    is_int(ew_solver_get_kernel_output(solver, "eval_surface", room, &error), EW_EINVAL, "nor surface integrals");
    is_int(ew_solver_get_kernel_output(solver, "eval_flux", room, &error), EW_EINVAL,
           "there is no kernel of a wrong name");
    is_int(ew_solver_kernel_shape(solver, "", &shape, NULL), EW_EINVAL, "nor a shape of it");
    is_int(ew_mesh_edge(mesh, -1, element, side), EW_EINVAL, "there is no edge before the first one");
    is_int(ew_mesh_edge(mesh, 1000000, element, side), EW_EINVAL, "nor after the last one");
    free(room);
    ew_solver_destroy(solver);
    const ew_problem problem = {.order = 1, .initial = {.callback = flow}, .backend = "omp", .image = "sm_20"};
    is_int(ew_solver_create(NULL, mesh, &problem, &solver, &error), EW_EINVAL, "the CPU has no images");
}

int main(void)
{
    ew_mesh *mesh = make_mesh();
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        check_sum(mesh, order);
        check_layouts(mesh, order);
        check_step(mesh, order % 2 ? "edgewise" : "fused", order);
    }
    check_step(mesh, "fused", 1);
    check_limiter(mesh);
    check_refusals(mesh);
    ew_mesh_destroy(mesh);
    return done_testing();
}
