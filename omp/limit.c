/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits a state outside the time loop; see ewi_limit.h. */
#include "ewi_bed.h"
#include "ewi_bed_rows.h"
#include "ewi_levels.h"
#include "ewi_limit.h"
#include "ewi_parallel.h"

#include <string.h>

static const struct ewi_omp_kernels *kernels_of(const struct ewi_plan *plan)
{
    return ewi_omp_kernels_of(ewi_omp_best_level(), plan->basis->order, plan->law->number);
}

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

/* alpha of the limiter subcell. */
struct alpha_pass {
    const struct ewi_omp_kernels *kernels;
    struct ewi_arguments arguments;
    int order;
    int64_t first_slot; /* of inner edges */
    const double *state;
};

static void sense_edges(void *context, int64_t first, int64_t last)
{
    const struct alpha_pass *pass = context;
    pass->kernels->sense(&pass->arguments, pass->state, pass->first_slot + first * EWI_TILE,
                         pass->first_slot + last * EWI_TILE);
}

static void find_own_alpha(void *context, int64_t first, int64_t last)
{
    const struct alpha_pass *pass = context;
    const struct ewi_arguments *a = &pass->arguments;
    for (int64_t i = first; i < last; i++)
        ewi_find_own_alpha(&a->subcells, pass->order, a->side_slot, a->padded, i);
}

static void find_alpha(void *context, int64_t first, int64_t last)
{
    const struct ewi_arguments *a = &((const struct alpha_pass *)context)->arguments;
    for (int64_t i = first; i < last; i++)
        a->subcells.alpha[i] = ewi_find_alpha(&a->subcells, a->neighbour, a->padded, i);
}

/* Elements that are not wet all over are not divided (limiter/subcell_bed.h). */
static void clear_alpha_where_dry(const struct ewi_plan *plan, const double *state, double *alpha)
{
    for (int32_t i = 0; ewi_bed_has(plan->law) && i < plan->grid->elements; i++)
        if (!(state[ewi_layout_index(plan->width, plan->rows, EWI_BED_DEPTH * plan->basis->np, i)] < 0.0))
            alpha[i] = 0.0;
}

void ewi_find_alpha_of(const struct ewi_plan *plan, const struct ewi_grid *grid, const double *state, double *scratch,
                       double *alpha)
{
    struct alpha_pass pass = {
        .kernels = kernels_of(plan),
        .arguments = {.width = plan->width, .padded = grid->padded, .neighbour = grid->neighbour,
                      .side_slot = grid->side_slot, .left = grid->left, .right = grid->right,
                      .left_side = grid->left_side, .right_side = grid->right_side,
                      .subcells = {.own = scratch, .jumps = scratch + 2 * grid->padded, .alpha = alpha}},
        .order = plan->basis->order, .first_slot = grid->boundary_slots, .state = state,
    };
    memcpy(pass.arguments.parameter, plan->parameter, sizeof pass.arguments.parameter);
    memset(scratch, 0, ewi_alpha_doubles(grid) * sizeof *scratch);
    ewi_parallel_shares((grid->slots - grid->boundary_slots) / EWI_TILE, EWI_FEW / EWI_TILE, sense_edges, &pass);
    ewi_parallel_shares(grid->elements, EWI_FEW, find_own_alpha, &pass);
    ewi_parallel_shares(grid->elements, EWI_FEW, find_alpha, &pass);
    clear_alpha_where_dry(plan, state, alpha);
}

void ewi_limit_state(const struct ewi_plan *plan, const struct ewi_grid *grid, double step, double *scratch,
                     double *state)
{
    struct limit_pass pass = {
        .kernels = kernels_of(plan),
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
