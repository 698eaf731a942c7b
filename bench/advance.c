/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rate of the time loop on a periodic, jittered unit square with a smooth wave, in GDOF-stage/s:
 *     elements x (p+1)(p+2)/2 x 4 x stages x steps / seconds / 1e9, the best of three rounds.
 * With a limiter, a line more says how many times longer a step takes with it; rounds with and without take turns.
 * Usage: advance [-n cells] [-p order] [-k fused|edgewise] [-l level] [-t threads] [-s seconds of a round] [-f flux]
 *     [-b backend] [-r scheme] [-L limiter] [-P (positivity)]
 */
#include "edgewise.h"

#include <stdbool.h>
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

/* Calls of so many steps that what a call costs by itself does not count. */
static double round_of(ew_solver *solver, double length, int64_t *steps)
{
    ew_error error;
    enum ew_stop stop;
    int64_t call = 4;
    double begin = seconds(), before = 0.0, spent = 0.0;
    for (*steps = 0; spent < length; *steps += call) {
        if (*steps > 0 && spent - before < 0.02)
            call *= 2;
        before = spent;
        stop_on(ew_solver_advance(solver, 1e9, call, &stop, &error), &error);
        spent = seconds() - begin;
    }
    return spent;
}

/* What is measured beside each other: without and with a limiter. */
struct side {
    ew_solver *solver;
    ew_solver_info info;
    double best; /* GDOF-stage/s */
};

static void measure(struct side *side, double elements, double length)
{
    int64_t steps;
    double spent = round_of(side->solver, length, &steps);
    double rate = elements * side->info.basis * 4 * side->info.stages * (double)steps / spent / 1e9;
    side->best = rate > side->best ? rate : side->best;
}

/* One order, in three rounds. */
static void compare(const ew_mesh *mesh, ew_problem problem, double elements, double length)
{
    struct side side[2] = {{0}};
    bool limits = problem.limiter || problem.positivity;
    ew_error error;
    for (int k = 0; k <= limits; k++) {
        ew_problem one = problem;
        one.limiter = k ? problem.limiter : NULL;
        one.positivity = k && problem.positivity;
        stop_on(ew_solver_create(NULL, mesh, &one, &side[k].solver, &error), &error);
        ew_solver_get_info(side[k].solver, &side[k].info);
        measure(&side[k], elements, 0.1 * length);
        side[k].best = 0.0;
    }
    for (int round = 0; round < 3; round++)
        for (int k = 0; k <= limits; k++)
            measure(&side[k], elements, length);
    for (int k = 0; k <= limits; k++) {
        printf("edgewise p=%d elements=%.0f kernels=%s device=\"%s\" limited=%d gdof_stage_per_s=%.3f\n", problem.order,
               elements, side[k].info.kernels, side[k].info.device, k, side[k].best);
        ew_solver_destroy(side[k].solver);
    }
    if (limits)
        printf("  limited/plain: %.3f\n", side[0].best / side[1].best);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int cells = 125, only = 0, option;
    double length = 1.0;
    ew_problem problem = {.backend = "omp"};
    while ((option = getopt(argc, argv, "n:p:k:l:t:s:f:b:r:L:P")) != -1)
        switch (option) {
        case 'n': cells = (int)strtol(optarg, NULL, 10); break;
        case 'p': only = (int)strtol(optarg, NULL, 10); break;
        case 'k': problem.kernels = optarg; break;
        case 'l': problem.level = optarg; break;
        case 't': problem.threads = (int)strtol(optarg, NULL, 10); break;
        case 's': length = strtod(optarg, NULL); break;
        case 'f': problem.flux = optarg; break;
        case 'b': problem.backend = optarg; break;
        case 'r': problem.scheme = optarg; break;
        case 'L': problem.limiter = optarg; break;
        case 'P': problem.positivity = 1; break;
        default: return 64;
        }
    ew_mesh *mesh = periodic_square(cells);
    static const char *const texts[4] = {"1 + 0.2*sin(2*pi*(x+y))", "0.5 + 0.2*sin(2*pi*y)", "0.3 + 0.2*cos(2*pi*x)",
                                         "1 + 0.1*cos(2*pi*(x-y))"};
    ew_formula *formula;
    ew_error error;
    stop_on(ew_formula_create(NULL, 4, texts, &formula, &error), &error);
    problem.initial.callback = wave;
    problem.initial.context = formula;
    for (problem.order = only ? only : 1; problem.order <= (only ? only : EW_MAX_ORDER); problem.order++)
        compare(mesh, problem, 2.0 * cells * cells, length);
    ew_formula_destroy(formula);
    ew_mesh_destroy(mesh);
    return 0;
}
