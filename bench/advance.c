/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rate of the time loop on a periodic, jittered unit square with a smooth wave, in GDOF-stage/s:
 *     elements x (p+1)(p+2)/2 x 4 x stages x steps / seconds / 1e9, the best of three rounds.
 * Usage: advance [-n cells] [-p order] [-k fused|edgewise] [-l level] [-t threads] [-s seconds of a round] [-f flux]
 */
#include "edgewise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void stop_on(int status, const ew_error *error)
{
    if (status == EW_OK)
        return;
    fprintf(stderr, "advance: %s\n", error->message);
    exit(1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static ew_mesh *periodic_square(int cells)
{
    static const ew_side_part parts[4] = {{"bottom", 0, 1}, {"right", 0, 1}, {"top", 0, 1}, {"left", 0, 1}};
    static const ew_periodic pairs[2] = {{"left", "right", 1, 0, 0}, {"bottom", "top", 0, 1, 0}};
    ew_rectangle square = {
        .x1 = 1, .y1 = 1, .nx = cells, .ny = cells, .jitter = 0.3, .seed = 77, .periodics = 2, .periodic = pairs};
    for (int k = 0; k < 4; k++) {
        square.side[k].parts = 1;
        square.side[k].part = &parts[k];
    }
    ew_mesh *mesh = NULL;
    ew_error error;
    stop_on(ew_mesh_rectangle(NULL, &square, &mesh, &error), &error);
    return mesh;
}

/* The wave that the peers' benches start from: bench/pyfr. */
static void wave(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    const ew_formula *formula = context;
    ew_formula_evaluate(formula, n, x, y, t, values, n);
}

static double round_of(ew_solver *solver, double length, int64_t *steps)
{
    ew_error error;
    enum ew_stop stop;
    int64_t done = 0;
    double begin = seconds(), spent;
    do {
        stop_on(ew_solver_advance(solver, 1e9, 4, &stop, &error), &error);
        done += 4;
        spent = seconds() - begin;
    } while (spent < length);
    *steps = done;
    return spent;
}

int main(int argc, char **argv)
{
    int cells = 125, only = 0, option, threads = 0;
    double length = 1.0;
    const char *kernels = NULL, *level = NULL, *flux = NULL;
    while ((option = getopt(argc, argv, "n:p:k:l:t:s:f:")) != -1)
        switch (option) {
        case 'n': cells = (int)strtol(optarg, NULL, 10); break;
        case 'p': only = (int)strtol(optarg, NULL, 10); break;
        case 'k': kernels = optarg; break;
        case 'l': level = optarg; break;
        case 't': threads = (int)strtol(optarg, NULL, 10); break;
        case 's': length = strtod(optarg, NULL); break;
        case 'f': flux = optarg; break;
        default: return 64;
        }
    ew_mesh *mesh = periodic_square(cells);
    static const char *const texts[4] = {"1 + 0.2*sin(2*pi*(x+y))", "0.5 + 0.2*sin(2*pi*y)", "0.3 + 0.2*cos(2*pi*x)",
                                         "1 + 0.1*cos(2*pi*(x-y))"};
    ew_formula *formula;
    ew_error error;
    stop_on(ew_formula_create(NULL, 4, texts, &formula, &error), &error);
    for (int order = only ? only : 1; order <= (only ? only : EW_MAX_ORDER); order++) {
        ew_problem problem = {.order = order,
                              .initial = {.callback = wave, .context = formula},
                              .kernels = kernels,
                              .level = level,
                              .flux = flux,
                              .threads = threads,
                              .backend = "omp"};
        ew_solver *solver;
        stop_on(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
        ew_solver_info info;
        ew_solver_get_info(solver, &info);
        double best = 0.0, elements = 2.0 * cells * cells;
        int64_t steps;
        round_of(solver, 0.1 * length, &steps);
        for (int k = 0; k < 3; k++) {
            double spent = round_of(solver, length, &steps);
            double rate = elements * info.basis * 4 * info.stages * (double)steps / spent / 1e9;
            best = rate > best ? rate : best;
        }
        printf("edgewise p=%d elements=%.0f kernels=%s device=\"%s\" gdof_stage_per_s=%.3f\n", order, elements,
               info.kernels, info.device, best);
        fflush(stdout);
        ew_solver_destroy(solver);
    }
    ew_formula_destroy(formula);
    ew_mesh_destroy(mesh);
    return 0;
}
