/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan's limiter on a state in the host's memory, outside the time loop (omp/limit.c). */
#ifndef EWI_LIMIT_H
#define EWI_LIMIT_H

#include "ewi_plan.h"
#include "ewi_subcells.h"

/* Doubles of the scratch that ewi_limit_state needs. */
static inline size_t ewi_limit_doubles(const struct ewi_plan *plan, const struct ewi_grid *grid)
{
    return ewi_limiter_has_sensor(plan->limiter) ? 2 * (size_t)grid->slots : 1;
}

/*
 * Limits a state in the plan's layout after a step of length `step`, by the bodies that backends compile; a jump sensor
 * takes its jumps from the same state. The grid is the plan's or one like it.
 */
void ewi_limit_state(const struct ewi_plan *plan, const struct ewi_grid *grid, double step, double *scratch,
                     double *state);

/* alpha of the limiter subcell, [elements], for a step from a state. */
static inline size_t ewi_alpha_doubles(const struct ewi_grid *grid)
{
    return 2 * (size_t)grid->padded + EWI_SUBCELL_JUMPS * (size_t)grid->slots;
}
void ewi_find_alpha_of(const struct ewi_plan *plan, const struct ewi_grid *grid, const double *state, double *scratch,
                       double *alpha);

#endif
