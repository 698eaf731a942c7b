/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Many cases as an ensemble, beside the same ones one after the other and beside one mesh as large as all of them: a
 * periodic, jittered unit square each, with a smooth wave.
 * Usage: ensemble [-b backend] [-m members] [-n cells] [-p order] [-l limiter] [-s steps]
 */
#include "edgewise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct wanted {
    const char *backend, *limiter;
    int members, cells, order;
    long steps;
    ew_formula *formula;
};

/* Seconds. */
struct taken {
    double setup, stepping;
};

static void stop_on(int status, const ew_error *error)
{
    if (status == EW_OK)
        return;
    fprintf(stderr, "ensemble: %s\n", error->message);
    exit(1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static ew_mesh *periodic_square(int cells, unsigned seed)
{
    static const ew_side_part parts[4] = {{"bottom", 0, 1}, {"right", 0, 1}, {"top", 0, 1}, {"left", 0, 1}};
    static const ew_periodic pairs[2] = {{"left", "right", 1, 0, 0}, {"bottom", "top", 0, 1, 0}};
    ew_rectangle square = {
        .x1 = 1, .y1 = 1, .nx = cells, .ny = cells, .jitter = 0.3, .seed = seed, .periodics = 2, .periodic = pairs};
    for (int k = 0; k < 4; k++) {
        square.side[k].parts = 1;
        square.side[k].part = &parts[k];
    }
    ew_mesh *mesh = NULL;
    ew_error error;
    stop_on(ew_mesh_rectangle(NULL, &square, &mesh, &error), &error);
    return mesh;
}

static ew_solver *solver_on(const struct wanted *wanted, const ew_mesh *mesh, ew_ensemble *ensemble)
{
    ew_problem problem = {.order = wanted->order, .limiter = wanted->limiter, .backend = wanted->backend,
                          .initial = {.formula = wanted->formula}, .ensemble = ensemble};
    ew_solver *solver;
    ew_error error;
    stop_on(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    return solver;
}

static void add_hash(ew_solver *solver, uint64_t *sum)
{
    uint64_t hash;
    ew_error error;
    stop_on(ew_solver_hash(solver, &hash, &error), &error);
    *sum = *sum * 31 + hash;
}

static struct taken one_after_another(const struct wanted *wanted, int members, int cells, uint64_t *hashes)
{
    struct taken taken = {0};
    ew_error error;
    for (int k = 0; k < members; k++) {
        double begun = seconds();
        ew_mesh *mesh = periodic_square(cells, 1 + (unsigned)k);
        ew_solver *solver = solver_on(wanted, mesh, NULL);
        stop_on(ew_solver_advance(solver, INFINITY, 1, NULL, &error), &error);
        double made = seconds();
        stop_on(ew_solver_advance(solver, INFINITY, wanted->steps, NULL, &error), &error);
        taken.setup += made - begun;
        taken.stepping += seconds() - made;
        add_hash(solver, hashes);
        ew_solver_destroy(solver);
        ew_mesh_destroy(mesh);
    }
    return taken;
}

static void advance_all(ew_ensemble *ensemble, const struct wanted *wanted, ew_advance *member, int64_t steps)
{
    ew_error error;
    for (int k = 0; k < wanted->members; k++) {
        member[k].until = INFINITY;
        member[k].max_steps = steps;
    }
    stop_on(ew_ensemble_advance(ensemble, wanted->members, member, 0, &error), &error);
    for (int k = 0; k < wanted->members; k++)
        stop_on(member[k].status, &member[k].error);
}

static struct taken together(const struct wanted *wanted, uint64_t *hashes)
{
    struct taken taken;
    ew_ensemble *ensemble;
    ew_error error;
    ew_mesh **mesh = calloc((size_t)wanted->members, sizeof(ew_mesh *));
    ew_advance *member = calloc((size_t)wanted->members, sizeof *member);
    if (!mesh || !member)
        exit(1);
    double begun = seconds();
    stop_on(ew_ensemble_create(NULL, &ensemble, &error), &error);
    for (int k = 0; k < wanted->members; k++) {
        mesh[k] = periodic_square(wanted->cells, 1 + (unsigned)k);
        member[k].solver = solver_on(wanted, mesh[k], ensemble);
    }
    advance_all(ensemble, wanted, member, 1);
    double made = seconds();
    advance_all(ensemble, wanted, member, wanted->steps);
    taken = (struct taken){.setup = made - begun, .stepping = seconds() - made};
    for (int k = 0; k < wanted->members; k++) {
        add_hash(member[k].solver, hashes);
        ew_solver_destroy(member[k].solver);
        ew_mesh_destroy(mesh[k]);
    }
    ew_ensemble_destroy(ensemble);
    free(member);
    free(mesh);
    return taken;
}

static void report(const char *name, const struct wanted *wanted, double elements, struct taken taken)
{
    double unknowns = elements * (wanted->order + 1) * (wanted->order + 2) / 2 * 4;
    printf("  %-18s set-up %8.3f s, steps %8.4f s, %7.2f GDOF-stage/s\n", name, taken.setup, taken.stepping,
           unknowns * 3 * (double)wanted->steps / taken.stepping / 1e9);
}

int main(int argc, char **argv)
{
    static const char *const texts[4] = {"1 + 0.2*sin(2*pi*(x+y))", "0.5 + 0.2*sin(2*pi*y)", "0.3 + 0.2*cos(2*pi*x)",
                                         "1 + 0.1*cos(2*pi*(x-y))"};
    struct wanted wanted = {.members = 100, .cells = 22, .order = 1, .steps = 500};
    ew_error error;
    for (int option; (option = getopt(argc, argv, "b:m:n:p:l:s:")) != -1;)
        switch (option) {
        case 'b': wanted.backend = optarg; break;
        case 'm': wanted.members = (int)strtol(optarg, NULL, 10); break;
        case 'n': wanted.cells = (int)strtol(optarg, NULL, 10); break;
        case 'p': wanted.order = (int)strtol(optarg, NULL, 10); break;
        case 'l': wanted.limiter = optarg; break;
        case 's': wanted.steps = strtol(optarg, NULL, 10); break;
        default: return 64;
        }
    stop_on(ew_formula_create(NULL, 4, texts, &wanted.formula, &error), &error);
    double elements = 2.0 * wanted.cells * wanted.cells * wanted.members;
    int large = (int)lround(sqrt(0.5 * elements));
    uint64_t alone = 0, joint = 0, one = 0;
    printf("%d cases of %d triangles, p = %d, limiter %s, ssprk33, %ld steps\n", wanted.members,
           2 * wanted.cells * wanted.cells, wanted.order, wanted.limiter ? wanted.limiter : "none", wanted.steps);
    struct taken first = one_after_another(&wanted, wanted.members, wanted.cells, &alone);
    struct taken second = together(&wanted, &joint);
    struct taken third = one_after_another(&wanted, 1, large, &one);
    report("one after another", &wanted, elements, first);
    report("an ensemble", &wanted, elements, second);
    report("one mesh", &wanted, 2.0 * large * large, third);
    printf("  an ensemble does %.1f times the steps a second of one after another, %.0f %% of one mesh's; %s\n",
           first.stepping / second.stepping, 100.0 * third.stepping / second.stepping,
           alone == joint ? "the bits are the same" : "THE BITS DIFFER");
    ew_formula_destroy(wanted.formula);
    return alone != joint;
}
