/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the time from the command line to the first step goes, in seconds on the clock, the best of some rounds:
 *     read       the mesh file, byte by byte, and nothing else
 *     mesh       from the file to a mesh: reading, checks, order, edges; `prepare` is that part of it behind the reader
 *     case       the case file, its mesh included
 *     plan       geometry, neighbours, boundary data, and the initial state, whose projection alone is `initial`
 *     blocks     what the fused kernels of a GPU need to know of the mesh
 *     solver     ew_solver_create: the plan, the backend and the initial state
 *     step       the first step
 * Usage: setup [-b backend] [-t threads] [-p order] [-r rounds] CASE.cfg
 */
#include "edgewise-case.h"
#include "ewi_blocks.h"
#include "ewi_host.h"
#include "ewi_mesh.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { READ, MESH, PREPARE, CASE, PLAN, INITIAL, BLOCKS, SOLVER, STEP, PHASES };
static const char *const name[PHASES] = {"read", "mesh", "prepare", "case", "plan", "initial", "blocks", "solver", "step"};

static double best[PHASES], begun;

static void start(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    begun = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void stop(int phase)
{
    double before = begun;
    start();
    best[phase] = fmin(best[phase], begun - before);
}

static void stop_on(int status, const ew_error *error)
{
    if (status == EW_OK)
        return;
    fprintf(stderr, "setup: %s\n", error->message);
    exit(1);
}

static void read_plainly(const char *path)
{
    static char buffer[1 << 20];
    int file = open(path, O_RDONLY);
    start();
    while (file >= 0 && read(file, buffer, sizeof buffer) > 0)
        continue;
    if (file >= 0)
        close(file);
    stop(READ);
}

/* Arrays as a reader would have made them, in the file's order. */
static void prepare_again(const ew_mesh *mesh)
{
    ew_mesh_info info;
    ew_error error;
    ew_mesh *again = NULL;
    ew_mesh_get_info(mesh, &info);
    double *xy = malloc((size_t)info.nodes * 2 * sizeof *xy);
    int64_t *triangle = malloc((size_t)info.elements * 3 * sizeof *triangle);
    int64_t *line = malloc((size_t)info.boundary_edges * 2 * sizeof *line);
    int32_t *line_name = malloc((size_t)info.boundary_edges * sizeof *line_name);
    const char **names = malloc((size_t)info.boundaries * sizeof *names);
    if (!xy || !triangle || !line || !line_name || !names)
        exit(1);
    ew_mesh_get_nodes(mesh, xy);
    ew_mesh_get_triangles(mesh, triangle);
    for (int64_t e = 0; e < info.boundary_edges; e++) {
        int64_t element;
        int side;
        ew_mesh_boundary_edge(mesh, e, &element, &side, &line_name[e]);
        line[2 * e] = triangle[3 * element + side];
        line[2 * e + 1] = triangle[3 * element + (side + 1) % 3];
    }
    for (int32_t k = 0; k < info.boundaries; k++)
        names[k] = ew_mesh_boundary(mesh, k, NULL);
    const ew_mesh_data data = {.nodes = info.nodes, .xy = xy, .triangles = info.elements, .triangle = triangle,
                               .lines = info.boundary_edges, .line = line, .line_name = line_name, .names = info.boundaries,
                               .name = names};
    start();
    stop_on(ew_mesh_create(NULL, &data, &again, &error), &error);
    stop(PREPARE);
    ew_mesh_destroy(again);
    free(xy);
    free(triangle);
    free(line);
    free(line_name);
    free(names);
}

static void measure_parts(const ew_mesh *mesh, const ew_problem *problem)
{
    ew_plan *plan = NULL;
    struct ewi_blocks blocks;
    struct ewi_bad_points points;
    ew_error error;
    start();
    stop_on(ew_problem_check(NULL, mesh, problem, &plan, &error), &error);
    stop(PLAN);
    start();
    ewi_project_initial(plan, problem, plan->initial, &points);
    stop(INITIAL);
    stop_on(ewi_blocks_create(plan, plan->basis->order, &blocks, &error), &error);
    stop(BLOCKS);
    ewi_blocks_destroy(&plan->host, &blocks);
    ew_plan_destroy(plan);
}

static void measure(const char *path, const ew_problem *wanted)
{
    ew_error error;
    ew_case *that;
    ew_case_info info;
    ew_solver *solver = NULL;
    start();
    stop_on(ew_case_read(NULL, path, NULL, &that, &error), &error);
    stop(CASE);
    ew_case_get_info(that, &info);
    const ew_mesh *mesh = ew_case_mesh(that);
    ew_problem problem = *ew_case_problem(that);
    problem.backend = wanted->backend;
    problem.threads = wanted->threads;
    problem.order = wanted->order ? wanted->order : problem.order;
    start();
    stop_on(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    stop(SOLVER);
    stop_on(ew_solver_advance(solver, INFINITY, 1, NULL, &error), &error);
    stop(STEP);
    ew_solver_destroy(solver);
    measure_parts(mesh, &problem);
    prepare_again(mesh);
    if (info.cells[0] == 0) {
        ew_mesh *again = NULL;
        read_plainly(info.plan.mesh);
        stop_on(ew_gmsh_read(NULL, info.plan.mesh, NULL, &again, &error), &error);
        stop(MESH);
        ew_mesh_destroy(again);
    }
    ew_case_destroy(that);
}

int main(int argc, char **argv)
{
    ew_problem wanted = {.backend = "omp"};
    int option, rounds = 3;
    while ((option = getopt(argc, argv, "b:t:p:r:")) != -1)
        switch (option) {
        case 'b': wanted.backend = optarg; break;
        case 't': wanted.threads = (int)strtol(optarg, NULL, 10); break;
        case 'p': wanted.order = (int)strtol(optarg, NULL, 10); break;
        case 'r': rounds = (int)strtol(optarg, NULL, 10); break;
        default: return 64;
        }
    if (optind != argc - 1) {
        fprintf(stderr, "usage: setup [-b backend] [-t threads] [-p order] [-r rounds] CASE.cfg\n");
        return 64;
    }
    for (int k = 0; k < PHASES; k++)
        best[k] = INFINITY;
    for (int round = 0; round < rounds; round++)
        measure(argv[optind], &wanted);
    printf("setup backend=%s", wanted.backend);
    for (int k = 0; k < PHASES; k++)
        if (isfinite(best[k]))
            printf(" %s_s=%.3f", name[k], best[k]);
    printf(" all_s=%.3f\n", best[CASE] + best[SOLVER] + best[STEP]);
    return 0;
}
