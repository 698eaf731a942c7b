/* SPDX-License-Identifier: BSD-2-Clause */
/* Time, time step and stages of a step, as every backend counts them. */
#include "ewi_clock.h"
#include "ewi_backend.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_plan.h"

#include <math.h>
#include <string.h>

struct ewi_clock ewi_clock_start(const struct ewi_plan *plan, const struct ewi_progress *progress, double until,
                                 int64_t max_steps)
{
    return (struct ewi_clock){
        .until = until,
        .length = ldexp(plan->cfl * plan->mesh->info.smallest_diameter / (2 * plan->basis->order + 1),
                        plan->levels - 1),
        .ramp = plan->levels - 1,
        .watches_change = plan->watches_change,
        .steady = plan->steady,
        .fallen = plan->steady_orders > 0.0 ? pow(10.0, -plan->steady_orders) : 0.0,
        .floor = plan->given_speed,
        .last_step = max_steps < INT64_MAX - progress->steps ? progress->steps + max_steps : INT64_MAX,
        .time = progress->time,
        .dt = progress->dt,
        .change = progress->change,
        .rate = progress->rate,
        .largest_rate = progress->largest_rate,
        .steps = progress->steps,
    };
}

#define MOST_GROWTH 1.25 /* the default cfl leaves this margin */

bool ewi_clock_warn_of_growth(const ew_host *host, double growth)
{
    if (!(growth > MOST_GROWTH))
        return false;
    ewi_log(host, EW_LOG_WARNING,
            "waves became %.3g times as fast within one step of the highest level of time steps, and the steps of all "
            "levels follow from the speed at its start; fewer levels, or a smaller cfl, are safer",
            growth);
    return true;
}

/* True of elements of levels of time steps that other parts own, and of padding: other elements have others' states. */
static bool is_copy(const struct ewi_grid *grid, int32_t i)
{
    return grid->geometry && grid->geometry[ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_INVERSE_DET, i)] == 0.0;
}

/* The first element whose mean is not admissible or has no finite speed. state NULL: it is another part's. */
static int inadmissible(const struct ewi_plan *plan, const double *state, int stage, double time,
                        struct ewi_progress *progress)
{
    for (int32_t i = 0; state && i < plan->grid->elements; i++) {
        double mean[EW_MAX_VARIABLES];
        for (int m = 0; m < plan->variables; m++)
            mean[m] = EWI_SQRT2 * state[ewi_layout_index(plan->width, plan->rows, m * plan->basis->np, i)];
        double speed = plan->law->speed(ewi_plan_parameter(plan, i), mean, plan->fields ? plan->speed_bound[i] : 0.0);
        if (is_copy(plan->grid, i) || (plan->law->admissible(ewi_plan_parameter(plan, i), mean) && isfinite(speed)))
            continue;
        progress->element = i;
        memcpy(progress->mean, mean, sizeof mean);
        break;
    }
    progress->stage = stage;
    progress->time = time;
    return EW_ESTATE;
}

int ewi_clock_first_step(const struct ewi_clock *clock, const struct ewi_plan *plan, const double *state, double *dt,
                         struct ewi_progress *progress, ew_error *error)
{
    (void)error;
    if (!isfinite(clock->speed))
        return inadmissible(plan, state, 0, progress->time, progress);
    *dt = ewi_clock_length(clock);
    return EW_OK;
}

int ewi_clock_result(const struct ewi_clock *clock, const struct ewi_plan *plan, const double *state,
                     struct ewi_progress *progress, ew_error *error)
{
    progress->time = clock->time;
    progress->steps = clock->steps;
    progress->dt = clock->dt;
    progress->change = clock->change;
    progress->rate = clock->rate;
    progress->largest_rate = clock->largest_rate;
    switch (clock->state) {
    case EWI_CLOCK_TIME:
        progress->stop = EW_STOP_TIME;
        return EW_OK;
    case EWI_CLOCK_STEPS:
        progress->stop = EW_STOP_STEPS;
        return EW_OK;
    case EWI_CLOCK_STEADY:
        progress->stop = EW_STOP_STEADY;
        return EW_OK;
    case EWI_CLOCK_INADMISSIBLE: {
        const struct ewi_stage *stage = clock->stage > 0 ? &plan->scheme->stage[clock->stage - 1] : NULL;
        return inadmissible(plan, state, clock->stage, stage ? ewi_clock_stage_time(clock, stage->time) : clock->time,
                            progress);
    }
    case EWI_CLOCK_AT_REST:
        return ewi_fail(error, EW_EINVAL, "nothing moves, so there is no time step; give a final time");
    case EWI_CLOCK_LOST:
        if (clock->steps > 0) {
            progress->stage = EWI_STAGE_LOST;
            return EW_ESTATE;
        }
        return ewi_fail(error, EW_EINVAL, "the time step is %g, which is lost in t = %g: take a larger cfl",
                        clock->step, clock->time);
    case EWI_CLOCK_LEFT:
        return ewi_fail(error, EW_EUNAVAILABLE, "another part of the case has failed");
    default:
        return ewi_fail(error, EW_EINTERNAL, "the time loop stopped without a reason (%d); this is a bug",
                        clock->state);
    }
}
