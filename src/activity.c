/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limiter activity, a diagnostic: the share of each slope that the limiter removes. A limited state does not show it.
 * So one explicit Euler step of the next step's length is taken from it, and compared with its limited result. Residual
 * and length come from the backend, and the limiter is the body that all backends compile; so the activity, too, is a
 * function of state and time alone. The limiter subcell limits no state: its activity is the share of finite volumes in
 * the next step.
 */
#include "ewi_bed.h"
#include "ewi_bed_rows.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_limit.h"
#include "ewi_parallel.h"
#include "ewi_solver.h"

#include <math.h>
#include <string.h>

/*
 * Excursions that nobody sees: relative to the largest mean of the variable, which may be nothing but rounding, and of
 * all.
 */
#define OWN_FLOOR 1e-6
#define COMMON_FLOOR 1e-11

struct trial {
    const struct ewi_plan *plan;
    const double *state;
    double dt, floor[EW_MAX_VARIABLES];
    double *before; /* the residual, and then the result of the step */
    double *after;  /* ... limited */
    double *activity;
};

static int64_t place_of(const struct trial *trial, int32_t i, int m, int j)
{
    return ewi_layout_index(trial->plan->width, trial->plan->rows, m * trial->plan->basis->np + j, i);
}

static void take_step(void *context, int64_t first, int64_t last)
{
    const struct trial *trial = context;
    const struct ewi_plan *plan = trial->plan;
    const int moving = ewi_bed_has(plan->law) ? EWI_BED_BED * plan->basis->np : plan->rows; /* others have no rates */
    for (int row = 0; row < plan->rows; row++)
        for (int32_t i = (int32_t)first; i < last; i++) {
            int64_t at = ewi_layout_index(plan->width, plan->rows, row, i);
            double change = row < moving ? trial->dt * trial->before[at] : 0.0;
            trial->before[at] = trial->after[at] = trial->state[at] + change;
        }
}

static void find_floors(struct trial *trial)
{
    double all = 0;
    for (int m = 0; m < trial->plan->variables; m++) {
        double largest = 0;
        for (int32_t i = 0; i < trial->plan->grid->elements; i++)
            largest = fmax(largest, fabs(EWI_SQRT2 * trial->before[place_of(trial, i, m, 0)]));
        trial->floor[m] = OWN_FLOOR * largest;
        all = fmax(all, largest);
    }
    for (int m = 0; m < trial->plan->variables; m++)
        trial->floor[m] = fmax(trial->floor[m], COMMON_FLOOR * all);
}

/* The largest excursion from the mean at the points of the sides, by the slopes alone. */
static double excursion(const struct ewi_basis *basis, double c1, double c2)
{
    double largest = 0;
    for (int point = 0; point < 3 * basis->ne; point++) {
        const double *phi = basis->side + (size_t)point * (size_t)basis->np;
        largest = fmax(largest, fabs(phi[1] * c1 + phi[2] * c2));
    }
    return largest;
}

static double removed_share(const struct trial *trial, int32_t i, int m)
{
    int64_t first = place_of(trial, i, m, 1), second = place_of(trial, i, m, 2);
    double c1 = trial->before[first], c2 = trial->before[second];
    if (!(excursion(trial->plan->basis, c1, c2) > trial->floor[m]))
        return 0;
    return fmin(fmax(1 - hypot(trial->after[first], trial->after[second]) / hypot(c1, c2), 0), 1);
}

static void find_most(void *context, int64_t first, int64_t last)
{
    const struct trial *trial = context;
    for (int32_t i = (int32_t)first; i < last; i++) {
        trial->activity[i] = 0;
        for (int m = 0; m < trial->plan->variables; m++)
            trial->activity[i] = fmax(trial->activity[i], removed_share(trial, i, m));
    }
}

static int find_alpha(ew_solver *solver, const struct ewi_grid *grid, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    const double *state;
    TRY(ewi_solver_view(solver, &state, error));
    double *scratch = ewi_alloc(&solver->host, ewi_alpha_doubles(grid), sizeof *scratch);
    if (!scratch)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the limiter activity");
    ewi_find_alpha_of(plan, grid, state, scratch, solver->activity);
    ewi_free(&solver->host, scratch);
    return EW_OK;
}

static int compare(ew_solver *solver, const struct ewi_grid *grid, struct trial *trial, double *scratch,
                   ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    TRY(ew_solver_get_kernel_output(solver, "time_step", &trial->dt, error));
    trial->dt = ldexp(trial->dt, 1 - plan->levels); /* a step of the smallest elements, if there are levels */
    TRY(solver->backend->residual(solver->instance, solver->time, NULL, NULL, trial->before, error));
    TRY(ewi_solver_view(solver, &trial->state, error));
    memcpy(trial->after, trial->state, ewi_plan_state_doubles(plan) * sizeof *trial->after); /* padded elements */
    ewi_parallel_shares(plan->grid->elements, EWI_FEW, take_step, trial);
    ewi_limit_state(plan, grid, trial->dt, scratch, trial->after);
    find_floors(trial);
    ewi_parallel_shares(plan->grid->elements, EWI_FEW, find_most, trial);
    return EW_OK;
}

static int find_activity(ew_solver *solver, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    struct trial trial = {.plan = plan, .activity = solver->activity};
    struct ewi_grid *again = NULL;
    double *scratch = NULL;
    int status = EW_OK;
    if (!plan->grid->neighbour)
        EWI_TRY(ewi_grid_create(&solver->host, plan->mesh, &again, error));
    if (again)
        ewi_local_steps_scale(plan, again);
    const struct ewi_grid *grid = again ? again : plan->grid;
    if (ewi_limiter_has_subcells(plan->limiter)) {
        status = find_alpha(solver, grid, error);
        goto out;
    }
    trial.before = ewi_alloc(&solver->host, ewi_plan_state_doubles(plan), sizeof *trial.before);
    trial.after = ewi_alloc(&solver->host, ewi_plan_state_doubles(plan), sizeof *trial.after);
    scratch = ewi_alloc(&solver->host, ewi_limit_doubles(plan, grid), sizeof *scratch);
    if (!trial.before || !trial.after || !scratch)
        EWI_TRY(ewi_fail(error, EW_ENOMEM, "not enough memory for the limiter activity"));
    EWI_TRY(compare(solver, grid, &trial, scratch, error));
out:
    ewi_free(&solver->host, scratch);
    ewi_free(&solver->host, trial.after);
    ewi_free(&solver->host, trial.before);
    ewi_grid_destroy(again);
    return status;
}

int ewi_solver_activity(ew_solver *solver, const double **activity, ew_error *error)
{
    int status = EW_OK;
    if (!solver->activity)
        solver->activity = ewi_alloc(&solver->host, (size_t)solver->plan->grid->elements, sizeof *solver->activity);
    if (!solver->activity)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the limiter activity");
    if (solver->plan->limiter && !solver->has_activity)
        status = find_activity(solver, error);
    solver->has_activity = status == EW_OK;
    *activity = solver->activity;
    return status;
}
