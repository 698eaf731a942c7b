/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of averages over time: at points, in snapshots, and for restarts. accumulate.c adds samples to them. */
#include "ewi_averages.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <math.h>
#include <string.h>

/* A point within this distance of a node, in intervals of the lattice, is at the node. */
#define AT_NODE 1e-9

size_t ewi_averages_bytes(const struct ewi_plan *plan)
{
    return ewi_average_doubles(plan) * sizeof(double);
}

static double empty_value(enum ew_statistic statistic)
{
    return statistic == EW_MINIMUM || statistic == EW_ARRIVAL ? (double)INFINITY
           : statistic == EW_MAXIMUM                          ? (double)-INFINITY
                                                              : 0.0;
}

bool ewi_average_is_smooth(enum ew_statistic statistic)
{
    return statistic == EW_MEAN || statistic == EW_VARIANCE || statistic == EW_COVARIANCE;
}

/* ---- values at points -------------------------------------------------------------------------------------------- */

static double factor(int count, double length)
{
    double product = 1;
    for (int k = 0; k < count; k++)
        product *= (length - k) / (count - k);
    return product;
}

/* The polynomials of degree p that are 1 at one node and 0 at the others. */
static void find_polynomials(int p, double x, double y, double *weight)
{
    for (int b = 0; b <= p; b++)
        for (int a = 0; a <= p - b; a++)
            *weight++ = factor(a, x) * factor(b, y) * factor(p - a - b, p - x - y);
}

static int cell_of(int p, double x)
{
    return x < 0 ? 0 : x >= p ? p - 1 : (int)x;
}

/* The linear functions on the triangle of the lattice that contains the point. */
static void find_hats(int p, double x, double y, double *weight)
{
    int a = cell_of(p, x), b = cell_of(p, y);
    if (a + b > p - 1)
        a = p - 1 - b;
    x -= a;
    y -= b;
    bool lower = x + y <= 1 || a + b == p - 1;
    memset(weight, 0, (size_t)((p + 1) * (p + 2) / 2) * sizeof *weight);
    weight[ewi_average_node(p, a, b + 1)] = lower ? y : 1 - x;
    weight[ewi_average_node(p, a + 1, b)] = lower ? x : 1 - y;
    weight[lower ? ewi_average_node(p, a, b) : ewi_average_node(p, a + 1, b + 1)] = lower ? 1 - x - y : x + y - 1;
}

/* At a node, which rounding may have moved, the others do not count. */
static void find_weights(int p, bool smooth, const double rs[2], double weight[EWI_MAX_NP])
{
    double x = p * rs[0], y = p * rs[1], a = nearbyint(x), b = nearbyint(y);
    bool at_node = fabs(x - a) < AT_NODE && fabs(y - b) < AT_NODE && a >= 0 && b >= 0 && a + b <= p;
    if (at_node) {
        memset(weight, 0, EWI_MAX_NP * sizeof *weight);
        weight[ewi_average_node(p, (int)a, (int)b)] = 1;
    } else if (smooth) {
        find_polynomials(p, x, y, weight);
    } else {
        find_hats(p, x, y, weight);
    }
}

/* NaN if a node in whose triangle the point lies is empty. A weight due to rounding does not place the point there. */
static double weighted_sum(int np, const double *weight, const double *value, double empty)
{
    double sum = 0;
    for (int j = 0; j < np; j++) {
        bool is_empty = value[j * EWI_TILE] == empty;
        if (is_empty && fabs(weight[j]) > AT_NODE)
            return NAN;
        if (!is_empty && weight[j] != 0)
            sum += weight[j] * value[j * EWI_TILE];
    }
    return sum;
}

double ewi_average_at(const struct ewi_plan *plan, const struct ewi_averages *averages, int number, int32_t i,
                      const double rs[2])
{
    const struct ewi_plan_average *average = &plan->averages.average[number];
    bool sums = average->statistic == EW_VARIANCE || average->statistic == EW_COVARIANCE;
    int np = plan->basis->np, lanes = np * EWI_TILE;
    const double *value = averages->values + (size_t)(i / EWI_TILE) * (size_t)(plan->averages.slots * lanes) +
                          average->slot * lanes + i % EWI_TILE;
    bool smooth = ewi_average_is_smooth(average->statistic);
    double weight[EWI_MAX_NP];
    if (!(averages->duration > 0))
        return NAN;
    find_weights(plan->basis->order, smooth, rs, weight);
    double sum = weighted_sum(np, weight, value, smooth ? NAN : empty_value(average->statistic));
    return sums ? sum / averages->duration : sum;
}

/* ---- their life -------------------------------------------------------------------------------------------------- */

static int upload(ew_solver *solver, ew_error *error)
{
    struct ewi_averages *averages = solver->averages;
    averages->fetched = true;
    return averages->elsewhere ? solver->backend->set_averages(solver->instance, averages->values, error) : EW_OK;
}

int ewi_solver_view_averages(ew_solver *solver, const struct ewi_averages **averages, ew_error *error)
{
    struct ewi_averages *own = solver->averages;
    *averages = own;
    if (!own || !own->elsewhere || own->fetched)
        return EW_OK;
    TRY(solver->backend->get_averages(solver->instance, own->values, error));
    own->fetched = true;
    return EW_OK;
}

int ewi_solver_clear_averages(ew_solver *solver, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    struct ewi_averages *averages = solver->averages;
    if (!averages)
        return EW_OK;
    size_t lanes = (size_t)plan->basis->np * EWI_TILE, slots = (size_t)plan->averages.slots;
    memset(averages->values, 0, ewi_averages_bytes(plan));
    for (int n = 0; n < plan->averages.count; n++) {
        const struct ewi_plan_average *average = &plan->averages.average[n];
        for (size_t tile = 0; tile < (size_t)ewi_average_tiles(plan); tile++)
            for (size_t k = 0; k < lanes && empty_value(average->statistic) != 0.0; k++)
                averages->values[(tile * slots + (size_t)average->slot) * lanes + k] = empty_value(average->statistic);
    }
    averages->duration = 0;
    averages->last = fmax(plan->averages.from, solver->time);
    return upload(solver, error);
}

/* Allocates the averages of a solver or a snapshot; *result is NULL if the problem has none. */
int ewi_averages_create(const ew_solver *solver, struct ewi_averages **result, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    *result = NULL;
    if (plan->averages.count == 0)
        return EW_OK;
    struct ewi_averages *averages = ewi_alloc(&solver->host, 1, sizeof *averages);
    if (averages)
        averages->values = ewi_alloc(&solver->host, ewi_average_doubles(plan), sizeof *averages->values);
    if (averages && averages->values) {
        *result = averages;
        return EW_OK;
    }
    ewi_averages_destroy(&solver->host, averages);
    return ewi_fail(error, EW_ENOMEM, "not enough memory for the averages, which take %zu MB",
                    ewi_averages_bytes(plan) >> 20);
}

int ewi_averages_copy(ew_solver *solver, struct ewi_averages *copy, ew_error *error)
{
    const struct ewi_averages *from;
    TRY(ewi_solver_view_averages(solver, &from, error));
    if (!from)
        return EW_OK;
    memcpy(copy->values, from->values, ewi_averages_bytes(solver->plan));
    copy->duration = from->duration;
    copy->last = from->last;
    return EW_OK;
}

void ewi_averages_destroy(const ew_host *host, struct ewi_averages *averages)
{
    if (!averages)
        return;
    ewi_free(host, averages->values);
    ewi_free(host, averages->rs);
    ewi_free(host, averages->sampling.phi);
    ewi_free(host, averages);
}

/* ---- for restarts ------------------------------------------------------------------------------------------------ */

void ew_solver_averages_info(const ew_solver *solver, ew_averages_info *info)
{
    if (info)
        *info = (ew_averages_info){.count = 0};
    if (!info || !solver || !solver->averages)
        return;
    const struct ewi_plan *plan = solver->plan;
    size_t per_element = (size_t)(plan->averages.slots * plan->basis->np);
    int first = 0;
    for (struct ewi_output output; ewi_plan_output(plan, first, &output) && output.from != EWI_FROM_AVERAGE;)
        first++;
    *info = (ew_averages_info){.count = plan->averages.count, .first = first, .from = plan->averages.from,
                               .steps = plan->averages.steps, .duration = solver->averages->duration,
                               .last = solver->averages->last,
                               .values = (size_t)plan->grid->elements * per_element};
}

static int check_averages(const ew_solver *solver, ew_error *error)
{
    return solver->averages ? EW_OK
                            : ewi_fail(error, EW_EINVAL, "the solver has no averages; set `averages` of the problem");
}

/* Copies accumulators from the solver's tiles to file order, or back. */
static void exchange(const ew_solver *solver, double *packed, bool unpacks)
{
    const struct ewi_plan *plan = solver->plan;
    size_t rows = (size_t)(plan->averages.slots * plan->basis->np);
    for (int32_t f = 0; f < plan->grid->elements; f++) {
        size_t i = (size_t)plan->mesh->order[f];
        double *tile = solver->averages->values + i / EWI_TILE * rows * EWI_TILE + i % EWI_TILE;
        for (size_t row = 0; row < rows; row++)
            if (unpacks)
                tile[row * EWI_TILE] = packed[(size_t)f * rows + row];
            else
                packed[(size_t)f * rows + row] = tile[row * EWI_TILE];
    }
}

int ew_solver_get_averages(ew_solver *solver, double *values, ew_error *error)
{
    EWI_REQUIRE(solver, values);
    const struct ewi_averages *averages;
    TRY(check_averages(solver, error));
    TRY(ewi_solver_view_averages(solver, &averages, error));
    exchange(solver, values, false);
    return EW_OK;
}

int ew_solver_set_averages(ew_solver *solver, const double *values, double duration, double last, ew_error *error)
{
    EWI_REQUIRE(solver, values);
    EWI_REQUIRE_MOVING(solver);
    TRY(check_averages(solver, error));
    if (!(duration >= 0) || !isfinite(duration) || !isfinite(last))
        return ewi_fail(error, EW_EINVAL, "averages are to extend over a time of %g until t = %g", duration, last);
    exchange(solver, (double *)(uintptr_t)values, true);
    solver->averages->duration = duration;
    solver->averages->last = last;
    return upload(solver, error);
}
