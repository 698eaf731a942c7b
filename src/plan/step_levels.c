/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Levels of time steps, from the mesh alone: an element of level k takes steps 2^k times as long as those of level 0.
 * Its level is the largest k with an inscribed diameter of at least 2^k times the smallest one, but at most one more
 * than that of a neighbour. Each rule only lowers levels, so they do not depend on the order of elements.
 */
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_plan_parts.h"

#include <math.h>

/* Fewer levels are preferred if their work is within this factor of the least. */
#define WORK_TOLERANCE 1.1

static uint8_t level_by_width(const struct ewi_plan *plan, int32_t i)
{
    double width = ewi_mesh_inscribed_diameter(plan->mesh, i), smallest = plan->mesh->info.smallest_diameter;
    int k = 0;
    while (k + 1 < EW_MAX_STEP_LEVELS && width >= ldexp(smallest, k + 1))
        k++;
    return (uint8_t)k;
}

/* Elements of level k are final once those below are. */
static void lower_neighbours(const struct ewi_plan *plan, int k)
{
    const struct ewi_grid *grid = plan->grid;
    for (int32_t i = 0; i < grid->elements; i++)
        for (int side = 0; plan->level[i] == k && side < 3; side++) {
            uint8_t *other = &plan->level[grid->neighbour[side * grid->padded + i]];
            *other = *other > k + 1 ? (uint8_t)(k + 1) : *other;
        }
}

/* The work of levels 0 .. top, those above being of level `top`. */
static double work_of(const int64_t *elements, int top)
{
    double all = 0.0, work = 0.0;
    for (int k = 0; k < EW_MAX_STEP_LEVELS; k++) {
        all += (double)elements[k];
        work += ldexp((double)elements[k], -(k < top ? k : top));
    }
    return work / all;
}

static void count(const struct ewi_plan *plan, int64_t elements[EW_MAX_STEP_LEVELS])
{
    for (int k = 0; k < EW_MAX_STEP_LEVELS; k++)
        elements[k] = 0;
    for (int32_t i = 0; i < plan->grid->elements; i++)
        elements[plan->level ? plan->level[i] : 0]++;
}

/* The number of the highest level, at most `most`. */
static int choose_top(const struct ewi_plan *plan, int most, bool automatic)
{
    int64_t elements[EW_MAX_STEP_LEVELS];
    count(plan, elements);
    while (most > 0 && elements[most] == 0)
        most--;
    double least = WORK_TOLERANCE * work_of(elements, most);
    for (int k = 0; automatic && k < most; k++)
        if (work_of(elements, k) <= least)
            return k;
    return most;
}

static uint8_t find_neighbour_levels(const struct ewi_plan *plan, int32_t i)
{
    const struct ewi_grid *grid = plan->grid;
    unsigned found = 0;
    for (int side = 0; side < 3; side++) {
        uint8_t other = plan->level[grid->neighbour[side * grid->padded + i]];
        found |= other < plan->level[i] ? EWI_NEIGHBOUR_FASTER : other > plan->level[i] ? EWI_NEIGHBOUR_SLOWER : 0;
    }
    return (uint8_t)found;
}

static void forget_levels(struct ewi_plan *plan)
{
    ewi_free(&plan->host, plan->level);
    ewi_free(&plan->host, plan->neighbour_levels);
    plan->level = plan->neighbour_levels = NULL;
}

int ewi_step_levels_find(struct ewi_plan *plan, ew_error *error)
{
    int asked = plan->levels;
    plan->levels = 1;
    if (asked == 1)
        return EW_OK;
    plan->level = ewi_alloc(&plan->host, (size_t)plan->grid->elements, sizeof *plan->level);
    plan->neighbour_levels = ewi_alloc(&plan->host, (size_t)plan->grid->elements, sizeof *plan->neighbour_levels);
    if (!plan->level || !plan->neighbour_levels)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the levels of time steps");
    for (int32_t i = 0; i < plan->grid->elements; i++)
        plan->level[i] = level_by_width(plan, i);
    for (int k = 0; k + 1 < EW_MAX_STEP_LEVELS; k++)
        lower_neighbours(plan, k);
    int top = choose_top(plan, (asked > 0 ? asked : EW_MAX_STEP_LEVELS) - 1, asked < 0);
    for (int32_t i = 0; i < plan->grid->elements; i++)
        plan->level[i] = plan->level[i] < top ? plan->level[i] : (uint8_t)top;
    plan->levels = top + 1;
    for (int32_t i = 0; i < plan->grid->elements; i++)
        plan->neighbour_levels[i] = find_neighbour_levels(plan, i);
    if (top == 0)
        forget_levels(plan);
    return EW_OK;
}

int ew_plan_step_levels(const ew_plan *plan, int64_t elements[EW_MAX_STEP_LEVELS], double *work)
{
    int64_t own[EW_MAX_STEP_LEVELS];
    if (!plan)
        return 0;
    count(plan, elements ? elements : own);
    if (work)
        *work = work_of(elements ? elements : own, plan->levels - 1);
    return plan->levels;
}
