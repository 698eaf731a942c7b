/* SPDX-License-Identifier: BSD-2-Clause */
/* A solver's time, number of steps and step length, and how an advance begins and ends. */
#include "ewi_clock.h"
#include "ewi_error.h"
#include "ewi_solver.h"

#include <math.h>

struct ewi_progress ewi_solver_start(const ew_solver *solver)
{
    return (struct ewi_progress){
        .time = solver->time, .dt = solver->dt, .change = solver->change, .rate = solver->rate,
        .largest_rate = solver->largest_rate, .steps = solver->steps, .element = -1};
}

int ewi_solver_advanced(ew_solver *solver, int status, const struct ewi_progress *progress, ew_error *error)
{
    solver->copied = solver->has_activity = false;
    solver->sampled = NULL;
    if (status != EW_OK && status != EW_ESTATE)
        return status;
    solver->time = progress->time;
    solver->steps = progress->steps;
    if (status == EW_ESTATE) /* where it broke, however the run was divided */
        return ewi_solver_inadmissible(solver, progress, error);
    solver->dt = progress->dt;
    solver->change = progress->change;
    solver->rate = progress->rate;
    solver->largest_rate = progress->largest_rate;
    return EW_OK;
}

int ewi_solver_may_advance(const ew_solver *solver, double until, int64_t max_steps, ew_error *error)
{
    if (isnan(until) || until < solver->time)
        return ewi_fail(error, EW_EINVAL, "the time to reach is %g; the solver is at %g", until, solver->time);
    if (max_steps < 0)
        return ewi_fail(error, EW_EINVAL, "the number of steps is %lld; it must be 0 or greater", (long long)max_steps);
    EWI_REQUIRE_MOVING(solver);
    return EW_OK;
}

double ew_solver_time(const ew_solver *solver)
{
    return solver ? solver->time : (double)NAN;
}

int64_t ew_solver_steps(const ew_solver *solver)
{
    return solver ? solver->steps : 0;
}

double ew_solver_change(const ew_solver *solver)
{
    return solver ? solver->change : (double)NAN;
}

double ew_solver_orders_fallen(const ew_solver *solver)
{
    return solver && !isnan(solver->change) ? log10(solver->largest_rate / solver->rate) : (double)NAN;
}

int ew_solver_is_steady(const ew_solver *solver)
{
    if (!solver || !solver->plan->watches_change)
        return 0;
    struct ewi_progress progress = ewi_solver_start(solver);
    struct ewi_clock clock = ewi_clock_start(solver->plan, &progress, solver->time, 0);
    return ewi_clock_is_steady(&clock);
}

int ewi_solver_next_step(ew_solver *solver, double *dt, ew_error *error)
{
    EWI_REQUIRE_MOVING(solver);
    struct ewi_progress progress = {.time = solver->time, .steps = solver->steps, .element = -1};
    int status = solver->backend->time_step(solver->instance, dt, &progress, error);
    return status == EW_ESTATE ? ewi_solver_inadmissible(solver, &progress, error) : status;
}

int ew_solver_time_step(ew_solver *solver, double *dt, ew_error *error)
{
    EWI_REQUIRE(solver, dt);
    if (!isfinite(solver->dt))
        return ewi_solver_next_step(solver, dt, error);
    *dt = solver->dt;
    return EW_OK;
}
