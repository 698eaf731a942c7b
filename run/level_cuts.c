/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Work that levels of time steps save if the times of frames count. Steps end there, and one of the highest level that
 * is cut short takes as many evaluations as a whole one.
 */
#include "ewi_level_work.h"
#include "ewi_run.h"
#include "step/ewi_clock.h"

#include <math.h>

#define WASTEFUL 1.25

enum { MOST_FRAMES = 1000 }; /* those after them are assumed to be alike */

/* The steps that are counted: from `time` to the plan's end. */
struct span {
    const ew_run_plan *plan;
    const ew_solver_info *info;
    double time, length; /* length: of the steps of one level */
    int64_t steps;       /* before it */
};

/* Steps of the highest level to the end of an interval. begun: those before it, up to `top`: so many are shorter. */
static double count_steps(double interval, double length, int64_t *begun, int top)
{
    struct ewi_clock clock = {.until = interval, .length = ldexp(length, top), .speed = 1.0, .ramp = top,
                              .steps = *begun, .last_step = top};
    while (clock.state == EWI_CLOCK_RUNNING) {
        ewi_clock_begin(&clock);
        ewi_clock_end(&clock);
    }
    double shorter = (double)(clock.steps - *begun);
    *begun = clock.steps;
    return shorter + ceil((interval - clock.time) / clock.length * (1.0 - 1e-9));
}

/* Evaluations of elements in a step of the highest level, if there are only levels 0 .. top. */
static double evaluations_of_step(const ew_solver_info *info, int top)
{
    double sum = 0.0;
    for (int k = 0; k < info->step_levels; k++)
        sum += ldexp((double)info->level_elements[k], k < top ? top - k : 0);
    return sum;
}

static double evaluations(const struct span *span, int top, int *frames, double *end)
{
    double steps = 0.0, time = span->time;
    int64_t begun = span->steps;
    for (*frames = 0; *frames < MOST_FRAMES && time < span->plan->end; ++*frames) {
        double next = ew_run_plan_next_frame(span->plan, time);
        if (!(next > time))
            break;
        steps += count_steps(next - time, span->length / span->info->level_shortening[top], &begun, top);
        time = next;
    }
    *end = time;
    return steps * evaluations_of_step(span->info, top);
}

static void choose_enough(const double *work, ew_run_levels *levels)
{
    levels->enough = 1 + ewi_fewest_levels(work, levels->levels, EWI_HARDLY_MORE_WORK);
    levels->enough_work = work[levels->enough - 1];
    levels->is_wasteful = levels->work > WASTEFUL * levels->enough_work;
}

void ew_run_get_levels(const ew_run_plan *plan, ew_solver *solver, ew_run_levels *levels)
{
    ew_solver_info info;
    double work[EW_MAX_STEP_LEVELS], next, end = 0.0;
    int frames = 0;
    if (levels)
        *levels = (ew_run_levels){.levels = 1, .enough = 1, .work = 1, .enough_work = 1, .step = NAN, .interval = NAN};
    if (!plan || !solver || !levels)
        return;
    ew_solver_get_info(solver, &info);
    levels->levels = levels->enough = info.step_levels;
    levels->work = levels->enough_work = info.level_work * info.level_shortening[info.step_levels - 1];
    struct span span = {plan, &info, ew_solver_time(solver), 0.0, ew_solver_steps(solver)};
    int top = info.step_levels - 1;
    if (top == 0 || ew_solver_time_step(solver, &next, NULL) != EW_OK || !isfinite(next) || !isfinite(plan->end))
        return;
    double shortest = ldexp(next, span.steps < top ? -(int)span.steps : -top);
    levels->step = ldexp(shortest, top);
    span.length = shortest * info.level_shortening[top];
    for (int k = top; k >= 0; k--)
        work[k] = evaluations(&span, k, &frames, &end);
    for (int k = top; k >= 0; k--)
        work[k] /= work[0];
    if (frames == 0)
        return;
    levels->interval = (end - span.time) / frames;
    levels->work = work[top];
    choose_enough(work, levels);
}
