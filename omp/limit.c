/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits a state outside the time loop; see ewi_limit.h. */
#include "ewi_limit.h"
#include "ewi_omp.h"
#include "ewi_parallel.h"

#include <string.h>

struct limit_pass {
    const struct ewi_omp_kernels *kernels;
    struct ewi_arguments arguments;
    struct ewi_limiting with;
    int64_t first_slot; /* of inner edges */
    double *sensor, *state;
};

static void sense_tiles(void *context, int64_t first, int64_t last)
{
    const struct limit_pass *pass = context;
    pass->kernels->jump_sensor(&pass->arguments, &pass->with, pass->state, pass->sensor,
                               pass->first_slot + first * EWI_TILE, pass->first_slot + last * EWI_TILE);
}

static void limit_tiles(void *context, int64_t first, int64_t last)
{
    const struct limit_pass *pass = context;
    pass->kernels->limit(&pass->arguments, &pass->with, pass->state, first * EWI_TILE, last * EWI_TILE);
}

/* Data that only the sensor of finite volumes reads. */
struct share_pass {
    const struct ewi_omp_kernels *kernels;
    struct ewi_arguments arguments;
    const double *state;
};

static void sense_elements(void *context, int64_t first, int64_t last)
{
    const struct share_pass *pass = context;
    pass->kernels->sense(&pass->arguments, pass->state, first * EWI_TILE, last * EWI_TILE);
}

static void share_elements(void *context, int64_t first, int64_t last)
{
    const struct share_pass *pass = context;
    for (int64_t i = first; i < last; i++)
        pass->arguments.subcells.alpha[i] = ewi_subcell_share(&pass->arguments, i);
}

void ewi_volume_shares(const struct ewi_plan *plan, const struct ewi_grid *grid, const double *state, double *sensed,
                       double *share)
{
    struct share_pass pass = {
        .kernels = ewi_omp_best_level()->kernels[plan->basis->order - 1][plan->law->number],
        .arguments = {.width = plan->width, .padded = grid->padded, .neighbour = grid->neighbour,
                      .neighbour_side = grid->neighbour_side, .subcells = {.sensed = sensed, .alpha = share}},
        .state = state,
    };
    memcpy(pass.arguments.parameter, plan->parameter, sizeof pass.arguments.parameter);
    ewi_parallel_shares(grid->padded / EWI_TILE, EWI_FEW / EWI_TILE, sense_elements, &pass);
    ewi_parallel_shares(grid->elements, EWI_FEW, share_elements, &pass);
}

void ewi_limit_state(const struct ewi_plan *plan, const struct ewi_grid *grid, double step, double *scratch,
                     double *state)
{
    struct limit_pass pass = {
        .kernels = ewi_omp_best_level()->kernels[plan->basis->order - 1][plan->law->number],
        .arguments = {.width = plan->width, .padded = grid->padded, .geometry = grid->geometry,
                      .neighbour = grid->neighbour, .side_slot = grid->side_slot, .left = grid->left,
                      .right = grid->right, .left_side = grid->left_side, .right_side = grid->right_side},
        .with = {.limiter = plan->limiter, .sensor = scratch, .step = step},
        .first_slot = grid->boundary_slots,
        .sensor = scratch, .state = state,
    };
    memcpy(pass.arguments.parameter, plan->parameter, sizeof pass.arguments.parameter);
    memset(scratch, 0, ewi_limit_doubles(plan, grid) * sizeof *scratch);
    if (ewi_limiter_has_sensor(plan->limiter))
        ewi_parallel_shares((grid->slots - grid->boundary_slots) / EWI_TILE, EWI_FEW / EWI_TILE, sense_tiles, &pass);
    ewi_parallel_shares(grid->padded / EWI_TILE, EWI_FEW / EWI_TILE, limit_tiles, &pass);
}
