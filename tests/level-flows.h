/* SPDX-License-Identifier: BSD-2-Clause */
/* Flows with levels of time steps, for tests that compare the bits of two ways to run them. */
#ifndef EW_LEVEL_FLOWS_H
#define EW_LEVEL_FLOWS_H

#include "edgewise.h"
#include "graded.h"
#include "helpers.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* A pressure that falls within a macro step until the gas is no gas any more. */
#define BREAKING "1;3*tanh(20*x);0;1e-3"

struct flow {
    const char *initial, *kind, *scheme, *flux, *limiter;
    int order, positivity;
    const char *source; /* or NULL; */
    double sponge;      /* ... its width, or 0 */
    int outflow;
    double mu; /* 0: without viscosity */
};

#define SOURCE "0.3*sin(20*t)*x;sin(20*t);y*cos(15*t);1 + sin(25*t)*x*y"
/* Density becomes negative within a macro step. */
#define BAD_DATA "0.0013 - t;0;0;1"

static const struct flow flows[] = {
    {VORTEX, "far", "rk2", "roe", NULL, 1, 0, NULL, 0, 0, 0},
    {BOX, "wall", "ssprk22", "llf", NULL, 2, 0, NULL, 0, 0, 0},
    {BOX, "wall", "ssprk33", "hllc", NULL, 3, 1, NULL, 0, 0, 0},
    {BOX, "wall", "ssprk32", "llf", NULL, 1, 1, NULL, 0, 0, 0},
    {VORTEX, "far", "rk4", "llf", NULL, 2, 0, NULL, 0, 0, 0},
    {BOX, "wall", "rk43", "hllc", NULL, 1, 1, NULL, 0, 0, 0},
    {VORTEX, "far", "rk43", "roe", NULL, 4, 0, NULL, 0, 0, 0},
    {BOX, "wall", "ssprk33", "llf", NULL, 5, 0, NULL, 0, 0, 0},
    {BOX, "wall", "ssprk22", "roe", "barth-jespersen", 1, 0, NULL, 0, 0, 0},
    {BOX, "wall", "rk43", "llf", "barth-jespersen", 1, 1, NULL, 0, 0, 0},
    {BOX, "wall", "ssprk33", "hllc", "barth-jespersen", 1, 1, NULL, 0, 0, 0},
    {BOX, "wall", "ssprk33", "llf", "oscillation-free", 1, 0, NULL, 0, 0, 0},
    {BOX, "wall", "ssprk32", "llf", "oscillation-free", 3, 1, NULL, 0, 0, 0},
    {BOX, "wall", "rk4", "llf", "oscillation-free", 2, 1, NULL, 0, 0, 0},
    {VORTEX, "state", "ssprk33", "llf", NULL, 2, 0, NULL, 0, 1, 0},
    {VORTEX, "state", "rk4", "hllc", "oscillation-free", 2, 1, NULL, 0, 1, 0},
    {STREAM, "state", "ssprk32", "llf", NULL, 1, 0, SOURCE, 0.5, 0, 0},
    {STREAM, "far", "rk43", "roe", NULL, 3, 0, SOURCE, 0.5, 1, 0},
    {VORTEX, "state", "rk2", "llf", "barth-jespersen", 1, 1, SOURCE, 0, 1, 0},
    {VORTEX, "state", "ssprk33", "llf", NULL, 2, 0, NULL, 0, 1, 0.01},
    {BOX, "no-slip", "rk43", "hllc", NULL, 1, 1, NULL, 0, 1, 0.02},
    {BOX, "no-slip", "rk4", "llf", "oscillation-free", 2, 1, SOURCE, 0, 0, 1e-3},
    {BOX, "no-slip", "rk4", "llf", NULL, 3, 1, NULL, 0, 0, 1e-3},
    {BOX, "no-slip", "ssprk22", "roe", "barth-jespersen", 1, 1, NULL, 0, 0, 1e-3},
    {BLAST, "wall", "ssprk33", "llf", "subcell", 1, 0, NULL, 0, 0, 0},
    {BLAST, "wall", "ssprk32", "llf", "subcell", 2, 1, SOURCE, 0, 0, 0},
    {BLAST, "state", "rk43", "hllc", "subcell", 3, 1, NULL, 0.5, 1, 0},
    {BLAST, "far", "rk4", "llf", "subcell", 2, 1, NULL, 0, 1, 0},
    {BLAST, "wall", "rk2", "roe", "subcell", 1, 1, NULL, 0, 0, 0},
    {BAD_DATA, "state", "ssprk33", "llf", NULL, 2, 0, NULL, 0, 0, 0},
    {BREAKING, "far", "ssprk33", "llf", NULL, 2, 0, NULL, 0, 0, 0},
    {BREAKING, "far", "rk4", "llf", NULL, 1, 0, NULL, 0, 0, 0},
};

/* The result of a run: its state, and where it ended. */
struct outcome {
    uint64_t hash;
    double time, outflow[4];
    int64_t steps;
    char error[1024];
};

/* Formulas of a solver, which outlive it. */
struct formulas {
    ew_formula *initial, *stream, *source;
};

static void free_formulas(const struct formulas *formulas)
{
    ew_formula_destroy(formulas->initial);
    ew_formula_destroy(formulas->stream);
    ew_formula_destroy(formulas->source);
}

/* Choices that leave the bits as they are. */
struct way {
    const char *backend, *kernels;
    int parts, threads, devices; /* devices: 0: each part has a GPU of its own; 1: all share one */
};

static ew_solver *solver_for(const ew_mesh *mesh, const struct flow *flow, struct way way, struct formulas *formulas)
{
    ew_error error;
    ew_solver *solver;
    bool bad = strcmp(flow->initial, BAD_DATA) == 0, far = strcmp(flow->kind, "far") == 0;
    ew_formula *formula = formula_from(flow->initial), *stream = formula_from(STREAM),
               *source = flow->source ? formula_from(flow->source) : NULL;
    const ew_parameter mu = {"mu", flow->mu};
    static const int gpus[] = {0, 1, 2};
    ew_boundary around = {.name = "around", .kind = flow->kind, .sponge_width = flow->sponge};
    if (strcmp(flow->kind, "wall") != 0 && strcmp(flow->kind, "no-slip") != 0)
        around.state.formula = far ? stream : formula;
    const ew_problem problem = {.law = flow->mu > 0.0 ? "navier-stokes" : "euler", .parameters = flow->mu > 0.0,
                                .parameter = &mu, .flux = flow->flux, .order = flow->order, .limiter = flow->limiter,
                                .positivity = flow->positivity, .scheme = flow->scheme, .step_levels = 4,
                                .kernels = way.kernels, .initial.formula = bad ? stream : formula,
                                .source.formula = source, .outflow = flow->outflow, .boundaries = 1,
                                .boundary = &around, .backend = way.backend, .threads = way.threads,
                                .parts = way.parts, .devices = way.devices, .device_of_part = gpus};
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    *formulas = (struct formulas){formula, stream, source};
    return solver;
}

/* When each of several calls ends, so that steps are cut; short steps and high orders take long. */
static double end_of_call(const struct flow *flow)
{
    return flow->mu > 0.0 || flow->order > 2 ? 0.005 : 0.015;
}

static struct outcome outcome_of(const ew_mesh *mesh, const struct flow *flow, struct way way)
{
    struct outcome outcome = {.hash = 0};
    struct formulas formulas;
    ew_solver *solver = solver_for(mesh, flow, way, &formulas);
    ew_error error = {.message = ""};
    int status = EW_OK;
    for (int k = 1; status == EW_OK && k <= 3; k++)
        status = ew_solver_advance(solver, end_of_call(flow) * k, INT64_MAX, NULL, &error);
    if (status != EW_OK)
        strcpy(outcome.error, error.message);
    must(ew_solver_hash(solver, &outcome.hash, &error), &error);
    if (flow->outflow)
        must(ew_solver_outflow(solver, 0, outcome.outflow, &error), &error);
    outcome.time = ew_solver_time(solver);
    outcome.steps = ew_solver_steps(solver);
    ew_solver_destroy(solver);
    free_formulas(&formulas);
    return outcome;
}

/* True if a run of this flow ends with a broken state. */
static bool flow_breaks(const struct flow *flow)
{
    return strcmp(flow->initial, BREAKING) == 0 || strcmp(flow->initial, BAD_DATA) == 0;
}

#endif
