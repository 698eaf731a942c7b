/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Levels of time steps: an element of level k takes steps 2^k times as long as those of level 0. Its level is the
 * largest k with an inscribed diameter of at least 2^k times the smallest one, but at most one more than that of a
 * neighbour. Each rule only lowers levels, so they do not depend on the order of elements. Only how many levels there
 * are also depends on the initial state: where waves are faster in wider elements, more levels make all steps shorter.
 */
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_level_work.h"
#include "ewi_plan_parts.h"

#include <math.h>
#include <string.h>

/* One level is preferred if its work is within this factor of the least: with levels, an evaluation takes longer. */
#define ONE_LEVEL_TOLERANCE 1.3

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

static void count(const struct ewi_plan *plan, int64_t elements[EW_MAX_STEP_LEVELS])
{
    for (int k = 0; k < EW_MAX_STEP_LEVELS; k++)
        elements[k] = 0;
    for (int32_t i = 0; i < plan->grid->elements; i++)
        elements[plan->level ? plan->level[i] : 0]++;
}

/* The share of the elements that take a step at an instant, on average. */
static double active_share(const struct ewi_plan *plan)
{
    int64_t elements[EW_MAX_STEP_LEVELS];
    double active = 0.0;
    count(plan, elements);
    for (int k = 0; k < EW_MAX_STEP_LEVELS; k++)
        active += ldexp((double)elements[k], -k);
    return active / plan->grid->elements;
}

/* The speed by which the initial state limits steps; 0 if nothing moves. */
static double find_speed(const struct ewi_plan *plan)
{
    double largest = 0.0;
    for (int32_t i = 0; i < plan->grid->elements; i++) {
        double speed = ewi_step_speed(plan, i);
        largest = speed > largest && isfinite(speed) ? speed : largest;
    }
    return largest;
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
    bool asked = plan->levels != 1;
    plan->levels = 1; /* until it is chosen */
    plan->level_shortening[0] = 1.0;
    if (!asked)
        return EW_OK;
    plan->level = ewi_alloc(&plan->host, (size_t)plan->grid->elements, sizeof *plan->level);
    plan->neighbour_levels = ewi_alloc(&plan->host, (size_t)plan->grid->elements, sizeof *plan->neighbour_levels);
    if (!plan->level || !plan->neighbour_levels)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the levels of time steps");
    for (int32_t i = 0; i < plan->grid->elements; i++)
        plan->level[i] = level_by_width(plan, i);
    for (int k = 0; k + 1 < EW_MAX_STEP_LEVELS; k++)
        lower_neighbours(plan, k);
    return EW_OK;
}

/* [k]: of k + 1 levels. */
struct costs {
    double speed[EW_MAX_STEP_LEVELS];
    double work[EW_MAX_STEP_LEVELS]; /* evaluations of all elements per unit of time, in an arbitrary unit */
};

/* Lowers levels above `top`. */
static void cut_levels(struct ewi_plan *plan, int top, struct costs *costs)
{
    for (int32_t i = 0; i < plan->grid->elements; i++)
        plan->level[i] = plan->level[i] < top ? plan->level[i] : (uint8_t)top;
    ewi_step_limits_fill(plan);
    double speed = find_speed(plan);
    costs->speed[top] = speed;
    costs->work[top] = active_share(plan) * (speed > 0.0 ? speed : 1.0);
}

/* True if steps of k + 1 levels would be cut for outputs. */
static bool are_cut(const struct ewi_plan *plan, const struct costs *costs, int k, double interval)
{
    double length = plan->cfl * plan->mesh->info.smallest_diameter / (2 * plan->basis->order + 1);
    return interval > 0.0 && costs->speed[k] > 0.0 && 4.0 * ldexp(length / costs->speed[k], k) > interval;
}

/* The number of the highest level, at most `most`. */
static int choose_automatic(const struct ewi_plan *plan, const struct costs *costs, int most, double interval)
{
    while (most > 0 && are_cut(plan, costs, most, interval))
        most--;
    bool is_one = ewi_fewest_levels(costs->work, most + 1, ONE_LEVEL_TOLERANCE) == 0;
    return is_one ? 0 : ewi_fewest_levels(costs->work, most + 1, EWI_HARDLY_MORE_WORK);
}

int ewi_step_levels_choose(struct ewi_plan *plan, double interval, ew_error *error)
{
    size_t elements = (size_t)plan->grid->elements;
    struct costs costs;
    int most = (plan->levels_asked > 0 ? plan->levels_asked : EW_MAX_STEP_LEVELS) - 1, highest = 0;
    if (!plan->level)
        return EW_OK;
    uint8_t *level = ewi_alloc(&plan->host, elements, sizeof *level);
    if (!level)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the levels of time steps");
    for (size_t i = 0; i < elements; i++)
        highest = plan->level[i] > highest ? plan->level[i] : highest;
    most = most < highest ? most : highest;
    memcpy(level, plan->level, elements * sizeof *level);
    for (int k = most; k >= 0; k--)
        cut_levels(plan, k, &costs);
    int top = plan->levels_asked > 0 ? most : choose_automatic(plan, &costs, most, interval);
    memcpy(plan->level, level, elements * sizeof *level);
    ewi_free(&plan->host, level);
    cut_levels(plan, top, &costs);
    plan->levels = top + 1;
    for (int k = 0; k <= top; k++)
        plan->level_shortening[k] = costs.speed[0] > 0.0 ? costs.speed[k] / costs.speed[0] : 1.0;
    for (int32_t i = 0; i < plan->grid->elements; i++)
        plan->neighbour_levels[i] = find_neighbour_levels(plan, i);
    if (top == 0)
        forget_levels(plan);
    return EW_OK;
}

int ew_plan_step_levels(const ew_plan *plan, int64_t elements[EW_MAX_STEP_LEVELS], double *work)
{
    if (!plan)
        return 0;
    if (elements)
        count(plan, elements);
    if (work)
        *work = active_share(plan);
    return plan->levels;
}
