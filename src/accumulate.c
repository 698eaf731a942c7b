/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Averages over time, which accumulate between steps at the lattice of the order in each element. For a sample q of
 * weight w, whose sum with those before it is W, means, variances and covariances follow West (1979):
 *
 *   d = q - mean,   mean += (w/W) d,   e = q - mean,   sum += w d_a e_b,
 *
 * which does not cancel however large the mean is, and whose bits depend on the samples and their order alone. Backends
 * that accumulate them themselves do so with the same operations in the same order.
 */
#include "ewi_averages.h"
#include "ewi_error.h"
#include "ewi_formula.h"
#include "ewi_host.h"
#include "ewi_parallel.h"

#include <string.h>

enum { MOST_LANES = EWI_MAX_NP * EWI_TILE };

struct sample_of_all {
    const struct ewi_plan *plan;
    struct ewi_averages *averages;
    double weight, ratio, time; /* ratio: of the weight to the sum of all */
};

static void add_extremum(const struct ewi_plan_average *average, double time, int lanes, const double *q, double *value)
{
    for (int k = 0; k < lanes; k++)
        switch (average->statistic) {
        case EW_MINIMUM:
            value[k] = q[k] < value[k] ? q[k] : value[k];
            break;
        case EW_MAXIMUM:
            value[k] = q[k] > value[k] ? q[k] : value[k];
            break;
        default:
            value[k] = q[k] > average->above && time < value[k] ? time : value[k];
        }
}

/* Samples q[samples][lanes] to the accumulators values[slots][lanes]. */
static void accumulate(const struct sample_of_all *all, int lanes, const double *q, double *values)
{
    const struct ewi_plan_averages *of = &all->plan->averages;
    double before[EWI_AVERAGE_SAMPLES * MOST_LANES], after[EWI_AVERAGE_SAMPLES * MOST_LANES];
    for (int s = 0; s < of->samples; s++)
        for (int k = 0; of->mean[s] >= 0 && k < lanes; k++) {
            double *mean = &values[of->mean[s] * lanes + k], sample = q[s * lanes + k];
            before[s * lanes + k] = sample - *mean;
            *mean += all->ratio * before[s * lanes + k];
            after[s * lanes + k] = sample - *mean;
        }
    for (int n = 0; n < of->count; n++) {
        const struct ewi_plan_average *average = &of->average[n];
        double *value = values + average->slot * lanes;
        const double *d = before + average->a * lanes, *e = after + average->b * lanes;
        if (average->statistic == EW_VARIANCE || average->statistic == EW_COVARIANCE)
            for (int k = 0; k < lanes; k++)
                value[k] += all->weight * (d[k] * e[k]);
        else if (average->statistic != EW_MEAN)
            add_extremum(average, all->time, lanes, q + average->a * lanes, value);
    }
}

static void load_tile(const struct ewi_plan *plan, const double *state, int32_t first, double *c)
{
    const double *base = state + ewi_layout_base(plan->width, plan->rows, first);
    for (int row = 0; row < plan->rows; row++)
        memcpy(c + row * EWI_TILE, base + row * plan->width, EWI_TILE * sizeof *c);
}

static void sample_tiles(void *context, int64_t from, int64_t to)
{
    const struct sample_of_all *all = context;
    const struct ewi_plan *plan = all->plan;
    const struct ewi_sampling *sampling = &all->averages->sampling;
    int lanes = plan->basis->np * EWI_TILE;
    double c[EW_MAX_VARIABLES * EWI_MAX_NP * EWI_TILE], q[EWI_AVERAGE_SAMPLES * MOST_LANES];
    for (int64_t tile = from; tile < to; tile++) {
        int32_t i[EWI_TILE], first = (int32_t)tile * EWI_TILE, rest = plan->grid->elements - first;
        for (int k = 0; k < EWI_TILE; k++)
            i[k] = first + k;
        load_tile(plan, sampling->state, first, c);
        ewi_sampling_tile(sampling, i, rest < EWI_TILE ? rest : EWI_TILE, c, q);
        accumulate(all, lanes, q, all->averages->values + (size_t)tile * (size_t)(plan->averages.slots * lanes));
    }
}

int ewi_solver_sample_averages(ew_solver *solver, ew_error *error)
{
    struct ewi_averages *averages = solver->averages;
    struct sample_of_all all = {.plan = solver->plan, .averages = averages, .time = solver->time,
                                .weight = solver->time - averages->last};
    if (!(all.weight > 0))
        return EW_OK;
    if (!averages->elsewhere)
        TRY(ewi_solver_view(solver, &averages->sampling.state, error));
    averages->sampling.time = solver->time;
    averages->duration += all.weight;
    averages->last = solver->time;
    averages->fetched = false;
    all.ratio = all.weight / averages->duration;
    if (averages->elsewhere)
        return solver->backend->add_sample(solver->instance, all.weight, all.ratio, all.time, error);
    ewi_parallel_parts(0, ewi_average_tiles(solver->plan), 64, sample_tiles, &all);
    return EW_OK;
}

int64_t ewi_solver_steps_to_sample(const ew_solver *solver)
{
    int64_t steps = solver->plan->averages.steps;
    return steps - solver->steps % steps;
}

static int prepare_sampling(const ew_solver *solver, struct ewi_averages *averages, ew_error *error)
{
    const struct ewi_plan_averages *of = &solver->plan->averages;
    int p = solver->plan->basis->order, np = solver->plan->basis->np;
    averages->rs = ewi_alloc(&solver->host, 2 * (size_t)np, sizeof *averages->rs);
    if (!averages->rs)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the averages");
    for (int b = 0; b <= p; b++)
        for (int a = 0; a <= p - b; a++) {
            averages->rs[2 * ewi_average_node(p, a, b)] = (double)a / p;
            averages->rs[2 * ewi_average_node(p, a, b) + 1] = (double)b / p;
        }
    averages->sampling = (struct ewi_sampling){.plan = solver->plan, .points = np, .rs = averages->rs};
    TRY(ewi_sampling_choose(solver, &averages->sampling, of->samples, of->sample, error));
    return ewi_sampling_basis(solver, &averages->sampling, error);
}

/* True if a quantity reads a raster. The host then takes the samples, as backends' kernels have no rasters. */
static bool averages_rasters(const struct ewi_plan *plan)
{
    for (int s = 0; s < plan->averages.samples; s++) {
        struct ewi_output output;
        ewi_plan_output(plan, plan->averages.sample[s], &output);
        if (output.from == EWI_FROM_FORMULA && plan->quantity[output.index].program->rasters > 0)
            return true;
    }
    return false;
}

int ewi_solver_begin_averages(ew_solver *solver, ew_error *error)
{
    TRY(ewi_averages_create(solver, &solver->averages, error));
    struct ewi_averages *averages = solver->averages;
    if (!averages)
        return EW_OK;
    TRY(prepare_sampling(solver, averages, error));
    averages->elsewhere = solver->backend->begin_averages && !averages_rasters(solver->plan);
    if (averages->elsewhere)
        TRY(solver->backend->begin_averages(solver->instance, averages->sampling.phi, averages->rs, error));
    return ewi_solver_clear_averages(solver, error);
}
