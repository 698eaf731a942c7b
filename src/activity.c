/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limiter activity, a diagnostic: the share of each slope that the limiter removes. A limited state does not show it.
 * So one explicit Euler step of the next step's length is taken from it, and compared with its limited result. Residual
 * and length come from the backend, whose bits do not depend on it, and the rest is computed here; so the activity,
 * too, is a function of state and time alone.
 */
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_limiting.h"
#include "ewi_parallel.h"
#include "ewi_solver.h"

#include <math.h>

/*
 * Excursions that nobody sees: relative to the largest mean of the variable, which may be nothing but rounding, and of
 * all.
 */
#define OWN_FLOOR 1e-6
#define COMMON_FLOOR 1e-11

struct trial {
    const struct ewi_plan *plan;
    const struct ewi_grid *grid; /* the plan's, or one like it */
    const double *state, *rhs;
    double dt, floor[EW_MAX_VARIABLES];
    double *activity;
};

static double coefficient(const struct trial *trial, int32_t i, int row)
{
    const struct ewi_plan *plan = trial->plan;
    int64_t at = ewi_layout_index(plan->width, plan->rows, row, i);
    return trial->state[at] + trial->dt * trial->rhs[at];
}

static void find_floors(struct trial *trial)
{
    const struct ewi_plan *plan = trial->plan;
    double all = 0;
    for (int m = 0; m < plan->variables; m++) {
        double largest = 0;
        for (int32_t i = 0; i < plan->grid->elements; i++)
            largest = fmax(largest, fabs(EWI_SQRT2 * coefficient(trial, i, m * plan->basis->np)));
        trial->floor[m] = OWN_FLOOR * largest;
        all = fmax(all, largest);
    }
    for (int m = 0; m < plan->variables; m++)
        trial->floor[m] = fmax(trial->floor[m], COMMON_FLOOR * all);
}

/* 1 - alpha of one variable, as limiter/barth_jespersen.h has it. */
static double removed_share(const struct trial *trial, int32_t i, int m)
{
    const struct ewi_plan *plan = trial->plan;
    const struct ewi_basis *basis = plan->basis;
    int row = m * basis->np;
    double mean = coefficient(trial, i, row), largest = mean, smallest = mean, above = 0, below = 0, alpha = 1;
    for (int k = 0; k < 3; k++) {
        double other = coefficient(trial, trial->grid->neighbour[(int64_t)k * trial->grid->padded + i], row);
        largest = fmax(largest, other);
        smallest = fmin(smallest, other);
    }
    for (int point = 0; point < 3 * basis->ne; point++) {
        const double *phi = basis->side + (size_t)point * (size_t)basis->np;
        double d = phi[1] * coefficient(trial, i, row + 1) + phi[2] * coefficient(trial, i, row + 2);
        above = fmax(above, d);
        below = fmin(below, d);
    }
    if (fmax(above, -below) <= trial->floor[m])
        return 0;
    if (above > EWI_SQRT2 * (largest - mean))
        alpha = fmin(alpha, EWI_SQRT2 * (largest - mean) / above);
    if (below < EWI_SQRT2 * (smallest - mean))
        alpha = fmin(alpha, EWI_SQRT2 * (smallest - mean) / below);
    return 1 - alpha;
}

/* All variables at point e of a side. */
static void trial_trace(const struct trial *trial, int32_t i, int side, int e, double *u)
{
    const struct ewi_basis *basis = trial->plan->basis;
    const double *phi = basis->side + (size_t)(side * basis->ne + e) * (size_t)basis->np;
    for (int m = 0; m < trial->plan->variables; m++) {
        u[m] = 0;
        for (int j = 0; j < basis->np; j++)
            u[m] += phi[j] * coefficient(trial, i, m * basis->np + j);
    }
}

static double largest_of(const double *number, int count)
{
    double largest = 0;
    for (int k = 0; k < count; k++)
        largest = fmax(largest, number[k]);
    return largest;
}

/* On an inner side: the jump of the polynomials, and of the means (limiter/oscillation_free.h). */
static void find_jumps(const struct trial *trial, int32_t i, int side, double *jump, double *between)
{
    const struct ewi_plan *plan = trial->plan;
    const struct ewi_basis *basis = plan->basis;
    int64_t behind = (int64_t)side * trial->grid->padded + i;
    int32_t other = trial->grid->neighbour[behind];
    double own[EW_MAX_VARIABLES], outer[EW_MAX_VARIABLES], mean[EW_MAX_VARIABLES], z[EW_MAX_VARIABLES];
    for (int m = 0; m < plan->variables; m++) {
        own[m] = EWI_SQRT2 * coefficient(trial, i, m * basis->np);
        outer[m] = EWI_SQRT2 * coefficient(trial, other, m * basis->np);
        mean[m] = 0.5 * (own[m] + outer[m]);
        own[m] -= outer[m];
    }
    plan->law->jumps(plan->parameter, mean, own, z);
    *between = largest_of(z, plan->law->jump_count);
    *jump = 0;
    for (int e = 0; e < basis->ne; e++) {
        trial_trace(trial, i, side, e, own);
        trial_trace(trial, other, trial->grid->neighbour_side[behind], basis->ne - 1 - e, outer);
        for (int m = 0; m < plan->variables; m++)
            own[m] -= outer[m];
        plan->law->jumps(plan->parameter, mean, own, z);
        *jump += basis->edge_weight[e] * largest_of(z, plan->law->jump_count);
    }
}

/* 1 - f of all variables, as limiter/oscillation_free.h has it. */
static double damped(const struct trial *trial, int32_t i)
{
    const struct ewi_plan *plan = trial->plan;
    double jump[3] = {0}, between, most = 1e-10, sum = 0, mean[EW_MAX_VARIABLES];
    for (int k = 0; k < 3; k++)
        if (trial->grid->neighbour[(int64_t)k * trial->grid->padded + i] != i) {
            find_jumps(trial, i, k, &jump[k], &between);
            most = fmax(most, between);
        }
    for (int k = 0; k < 3; k++) {
        double length = trial->grid->geometry[ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_SIDES + 3 * k + 2, i)];
        sum += jump[k] * fmin(1, jump[k] / most) * fabs(length);
    }
    for (int m = 0; m < plan->variables; m++)
        mean[m] = EWI_SQRT2 * coefficient(trial, i, m * plan->basis->np);
    double x = 2 * EWI_DAMPING * trial->dt * plan->law->speed(plan->parameter, mean, 0) * sum *
               trial->grid->geometry[ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_INVERSE_DET, i)];
    return x > 0 ? x / (1 + x) : 0;
}

static void find_most(void *context, int64_t first, int64_t last)
{
    const struct trial *trial = context;
    for (int32_t i = (int32_t)first; i < last; i++) {
        double most = 0;
        if (trial->plan->limiter->kind == EWI_LIMITER_JUMP_SENSOR)
            most = damped(trial, i);
        else
            for (int m = 0; m < trial->plan->variables; m++)
                most = fmax(most, removed_share(trial, i, m));
        trial->activity[i] = most;
    }
}

static int find_activity(ew_solver *solver, double *rhs, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    struct trial trial = {.plan = plan, .grid = plan->grid, .rhs = rhs, .activity = solver->activity};
    struct ewi_grid *again = NULL;
    int status;
    if (!plan->grid->neighbour) {
        EWI_TRY(ewi_grid_create(&solver->host, plan->mesh, &again, error));
        trial.grid = again;
    }
    EWI_TRY(ew_solver_get_kernel_output(solver, "time_step", &trial.dt, error));
    EWI_TRY(solver->backend->residual(solver->instance, solver->time, NULL, NULL, rhs, error));
    EWI_TRY(ewi_solver_view(solver, &trial.state, error));
    find_floors(&trial);
    ewi_parallel_shares(plan->grid->elements, EWI_FEW, find_most, &trial);
out:
    ewi_grid_destroy(again);
    return status;
}

int ewi_solver_activity(ew_solver *solver, const double **activity, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    double *rhs = NULL;
    int status = EW_OK;
    if (!solver->activity)
        solver->activity = ewi_alloc(&solver->host, (size_t)plan->grid->elements, sizeof *solver->activity);
    if (plan->limiter && !solver->has_activity && solver->activity)
        rhs = ewi_alloc(&solver->host, ewi_plan_state_doubles(plan), sizeof *rhs);
    if (!solver->activity || (plan->limiter && !solver->has_activity && !rhs))
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the limiter activity");
    if (rhs)
        status = find_activity(solver, rhs, error);
    ewi_free(&solver->host, rhs);
    solver->has_activity = status == EW_OK;
    *activity = solver->activity;
    return status;
}
