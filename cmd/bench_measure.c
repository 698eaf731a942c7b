/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the rate of a flow, and of its kernels. */
#include "bench.h"
#include "ewi_error.h"
#include "ewi_pace.h"
#include "ewi_team.h"

#include <math.h>

enum { ROUNDS = 3, WARM_ROUNDS = 2 };

void cmd_bench_prepare(const struct bench *bench, struct cmd_flow *flow, int order)
{
    flow->problem.order = order;
    flow->problem.flux = bench->arguments->flux;
}

static int timed_steps(ew_solver *solver, double length, int64_t *chunk, double *seconds_a_step, ew_error *error)
{
    int64_t done = 0;
    double begun = ewi_seconds(), spent = 0;
    while (spent < length) {
        double before = ewi_seconds();
        TRY(ew_solver_advance(solver, INFINITY, *chunk, NULL, error));
        done += *chunk;
        *chunk = ewi_next_chunk(*chunk, *chunk, ewi_seconds() - before);
        spent = ewi_seconds() - begun;
    }
    *seconds_a_step = spent / (double)done;
    return EW_OK;
}

/*
 * Measures the best of a few rounds. The processor warms up before them, because at its power limit it lowers its
 * clock.
 */
static int measure_step(const struct bench *bench, ew_solver *solver, double *seconds, ew_error *error)
{
    int64_t chunk = 1;
    double now;
    int status = timed_steps(solver, WARM_ROUNDS * bench->seconds, &chunk, &now, error);
    *seconds = INFINITY;
    for (int round = 0; round < ROUNDS && status == EW_OK; round++) {
        status = timed_steps(solver, bench->seconds, &chunk, &now, error);
        *seconds = fmin(*seconds, now);
    }
    return status;
}

/* Measures once more, because other programs may have disturbed the first measurement. The larger values count. */
static int measure_limits_again(struct bench *bench, ew_error *error)
{
    ew_limits now, *limits = &bench->limits;
    TRY(ew_measure_limits(NULL, &bench->side.problem, &now, error));
    limits->copy_bytes_per_s = fmax(limits->copy_bytes_per_s, now.copy_bytes_per_s);
    limits->flops_per_s = fmax(limits->flops_per_s, now.flops_per_s);
    limits->tensor_flops_per_s = fmax(limits->tensor_flops_per_s, now.tensor_flops_per_s);
    bench->again = true;
    return EW_OK;
}

/* Profiles about `seconds` of steps, but at least one step. */
static int measure_kernels(struct bench *bench, ew_solver *solver, struct cmd_bench_rate *rate, ew_error *error)
{
    double steps = bench->arguments->kernels ? bench->seconds / rate->seconds : 1;
    rate->steps = steps < 1 ? 1 : steps > 10000 ? 10000 : (int64_t)steps;
    int status = ew_solver_profile(solver, rate->steps, rate->profile, &rate->profiles, error);
    if (status == EW_EUNAVAILABLE && !bench->arguments->kernels) {
        rate->profiles = 0;
        return EW_OK;
    }
    if (status == EW_OK && !bench->again && cmd_bench_exceeds(&bench->limits, rate))
        status = measure_limits_again(bench, error);
    if (status == EW_OK)
        rate->bound = cmd_bench_bound(&bench->limits, rate);
    return status;
}

static bool has_room(const struct cmd_flow *flow, struct cmd_bench_rate *rate)
{
    size_t bytes = 0;
    double available = ew_available_memory();
    char needs[32], has[32];
    if (ew_solver_memory(flow->mesh, &flow->problem, &bytes, NULL, NULL) != EW_OK || !((double)bytes > available))
        return true;
    snprintf(rate->skipped, sizeof rate->skipped, "it takes %s, but only %s are available",
             ewi_bytes_in_words((double)bytes, needs, sizeof needs), ewi_bytes_in_words(available, has, sizeof has));
    return false;
}

static int measure_solver(struct bench *bench, ew_solver *solver, struct cmd_bench_rate *rate, ew_error *error)
{
    int status = ew_solver_time_step(solver, &rate->dt, error);
    if (status == EW_OK)
        status = measure_step(bench, solver, &rate->seconds, error);
    double unknowns = (double)rate->elements * rate->info.basis * rate->info.law->variables * rate->info.stages;
    rate->gdof_stage_per_s = unknowns / rate->seconds / 1e9;
    return status == EW_OK && bench->parts == 0 ? measure_kernels(bench, solver, rate, error) : status;
}

int cmd_bench_measure(struct bench *bench, const struct cmd_flow *flow, struct cmd_bench_rate *rate, ew_error *error)
{
    ew_solver *solver = NULL;
    *rate = (struct cmd_bench_rate){.elements = flow->elements, .order = flow->problem.order, .seconds = NAN, .dt = NAN,
                                    .gdof_stage_per_s = NAN, .bound = NAN};
    if (!has_room(flow, rate))
        return EW_OK;
    int status = ew_solver_create(&cli_host, flow->mesh, &flow->problem, &solver, error);
    if (status == EW_ENOMEM) {
        snprintf(rate->skipped, sizeof rate->skipped, "%s", error->message);
        return EW_OK;
    }
    if (status != EW_OK)
        return status;
    ew_solver_get_info(solver, &rate->info);
    status = measure_solver(bench, solver, rate, error);
    ew_solver_destroy(solver);
    return status;
}
