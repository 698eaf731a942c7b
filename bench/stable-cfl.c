/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The largest stable Courant number of each time scheme at each order, beside that of src/method/scheme.c. By
 * bisection: gas at rest on a uniform, periodic rectangle, with noise of 1e-8 in all variables and so in all modes,
 * flux llf; a number is stable if the momentum does not grow in so many steps. With -c the left half has a density of 1
 * and the right half the given one, at the same pressure: the contact between them takes from what is stable. Only the
 * light gas then has the wave speed by which the step is chosen, and the contact is smeared in time: it need not grow
 * without end, only a hundred times.
 * With -w the mesh is a disc of so many triangles around its centre, with a circle as its wall. Waves may grow slowly
 * there at any number: only a growth by a million is unstable. The numbers then are beside those that curves leave of
 * the table's (src/plan/curve_depth.c).
 * Usage: stable-cfl [-n cells] [-s steps] [-c density | -w triangles] [SCHEME...]
 */
#include "edgewise.h"
#include "ewi_scheme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOKS = 100 };

static int cells = 8, steps = 2000, around;
static double heavy = 1.0;

static void stop_on(int status, const ew_error *error)
{
    if (status == EW_OK)
        return;
    fprintf(stderr, "stable-cfl: %s\n", error->message);
    exit(1);
}

static ew_mesh *square(void)
{
    static const ew_side_part part[4] = {{"bottom", 0, 1}, {"right", 0, 1}, {"top", 0, 1}, {"left", 0, 1}};
    const ew_periodic pairs[2] = {{.first = "left", .second = "right", .automatic = 1},
                                  {.first = "bottom", .second = "top", .automatic = 1}};
    const ew_rectangle rectangle = {.x1 = 1, .y1 = 1, .nx = cells, .ny = cells, .periodics = 2, .periodic = pairs,
                                    .side = {{1, &part[0]}, {1, &part[1]}, {1, &part[2]}, {1, &part[3]}}};
    ew_mesh *mesh;
    ew_error error;
    stop_on(ew_mesh_rectangle(NULL, &rectangle, &mesh, &error), &error);
    return mesh;
}

static ew_mesh *disc(void)
{
    enum { MOST = 100 };
    static double xy[MOST + 1][2];
    static int64_t triangle[MOST][3], line[MOST][2];
    static int32_t name[MOST];
    const char *const names[] = {"wall"};
    for (int k = 0; k < around && k < MOST; k++) {
        xy[k + 1][0] = cos(2 * 3.14159265358979323846 * k / around);
        xy[k + 1][1] = sin(2 * 3.14159265358979323846 * k / around);
        line[k][0] = triangle[k][1] = k + 1;
        line[k][1] = triangle[k][2] = (k + 1) % around + 1;
    }
    const ew_mesh_data data = {.nodes = around + 1, .xy = xy[0], .triangles = around, .triangle = triangle[0],
                               .lines = around, .line = line[0], .line_name = name, .names = 1, .name = names};
    ew_mesh *mesh;
    ew_error error;
    if (around < 5 || around > MOST) {
        fprintf(stderr, "stable-cfl: a disc has 5 to %d triangles\n", MOST);
        exit(2);
    }
    stop_on(ew_mesh_create(NULL, &data, &mesh, &error), &error);
    return mesh;
}

/* The same noise wherever it is asked for. */
static void noise(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)t;
    for (size_t k = 0; k < n; k++)
        for (size_t m = 0; m < 4; m++) {
            double mean = m == 0 && x[k] > 0.5 ? heavy : m == 0 || m == 3;
            values[m * n + k] = mean + 1e-8 * sin(1e5 * (x[k] * (double)(m + 2) + y[k] * y[k] + 1));
        }
}

static double momentum(ew_solver *solver, const ew_mesh *mesh)
{
    ew_mesh_info info;
    ew_solver_info about;
    ew_error error;
    double sum = 0.0;
    ew_mesh_get_info(mesh, &info);
    ew_solver_get_info(solver, &about);
    size_t basis = (size_t)about.basis, elements = (size_t)info.elements;
    double *c = malloc(elements * 4 * basis * sizeof *c);
    if (!c)
        exit(1);
    stop_on(ew_solver_get_coefficients(solver, c, &error), &error);
    for (size_t i = 0; i < elements; i++)
        for (size_t j = basis; j < 3 * basis; j++)
            sum += c[4 * basis * i + j] * c[4 * basis * i + j];
    free(c);
    return sqrt(sum);
}

static ew_solver *solver_of(const ew_mesh *mesh, const char *scheme, int order, double cfl)
{
    const ew_boundary_curve circle = {.kind = EW_CURVE_CIRCLE, .radius = 1};
    const ew_boundary wall = {.name = "wall", .kind = "wall", .curve = &circle};
    const ew_problem problem = {.order = order, .scheme = scheme, .cfl = cfl, .backend = "omp", .threads = 1,
                                .boundaries = around > 0, .boundary = &wall,
                                .initial = {.callback = noise, .variables = EW_X | EW_Y}};
    ew_solver *solver;
    ew_error error;
    stop_on(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    return solver;
}

static bool is_stable(const ew_mesh *mesh, const char *scheme, int order, double cfl)
{
    ew_solver *solver = solver_of(mesh, scheme, order, cfl);
    ew_error error;
    double first = momentum(solver, mesh), now = first, most = around ? 1e6 * first : first;
    int status = EW_OK;
    for (int k = 0; k < LOOKS && status == EW_OK && now <= 100.0 * most; k++) {
        status = ew_solver_advance(solver, INFINITY, steps / LOOKS, NULL, &error);
        now = status == EW_OK ? momentum(solver, mesh) : INFINITY;
    }
    ew_solver_destroy(solver);
    return now <= most;
}

static double largest(const ew_mesh *mesh, const char *scheme, int order)
{
    int stable = 0, unstable = 256; /* hundredths */
    while (unstable - stable > 1) {
        int middle = (stable + unstable) / 2;
        *(is_stable(mesh, scheme, order, 0.01 * middle) ? &stable : &unstable) = middle;
    }
    return 0.01 * stable;
}

static double share_of_curves(const ew_mesh *mesh, const char *scheme, int order)
{
    ew_solver *solver = solver_of(mesh, scheme, order, 0.1);
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    ew_solver_destroy(solver);
    return info.curve_share;
}

static bool is_asked(const char *name, int count, char **names)
{
    bool asked = count == 0;
    for (int k = 0; k < count; k++)
        asked = asked || strcmp(name, names[k]) == 0;
    return asked;
}

int main(int argc, char **argv)
{
    for (int option; (option = getopt(argc, argv, "n:s:c:w:")) != -1;) {
        if (option == '?')
            return 2;
        if (option == 'c')
            heavy = atof(optarg);
        else
            *(option == 'n' ? &cells : option == 's' ? &steps : &around) = atoi(optarg);
    }
    const struct ewi_scheme *scheme;
    ew_mesh *mesh = around ? disc() : square();
    printf("%-8s %5s  %8s  %5s\n", "scheme", "order", "measured", "table");
    for (int k = 0; (scheme = ewi_scheme_at(k)); k++)
        for (int order = 1; order <= EW_MAX_ORDER && is_asked(scheme->name, argc - optind, argv + optind); order++) {
            printf("%-8s %5d  %8.2f  %5.2f\n", scheme->name, order, largest(mesh, scheme->name, order),
                   scheme->stable[order - 1] * share_of_curves(mesh, scheme->name, order));
            fflush(stdout);
        }
    ew_mesh_destroy(mesh);
    return 0;
}
