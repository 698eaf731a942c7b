/* SPDX-License-Identifier: BSD-2-Clause */
/* The given velocity of walls, which must be along the wall: the scheme has no walls that leave their place. */
#include "ewi_diagnostics.h"
#include "ewi_host.h"
#include "ewi_plan_parts.h"

#include <math.h>
#include <string.h>

/*
 * The largest normal component of a wall's velocity, as a share of the wall's largest speed; a tenth is a warning. On a
 * curve it is that at any point. On straight edges it is the mean over an edge, and may be larger if the velocity
 * depends on the place: the edges may stand for a round wall, whose normals they do not have, and along which the
 * normal components at the points of an edge nearly cancel.
 */
#define LARGEST_NORMAL 0.01
#define LARGEST_NORMAL_ON_CHORDS 0.1
#define WARNING_SHARE 0.1

/* Returns the number of the wall's velocity u among a boundary's values; -1: it has none. */
static int velocity_of(const struct ewi_plan *plan, int ghost)
{
    const ew_boundary_value *value = plan->law->values(ghost);
    for (int k = 0, first = 0; value && value[k].name; first += value[k++].outputs)
        if (strcmp(value[k].name, "u") == 0)
            return first;
    return -1;
}

/* The given velocity at point e of a slot, and its normal component. */
static struct ewi_wall_motion motion_at(const struct ewi_plan *plan, int first, int32_t slot, int e)
{
    int ne = plan->basis->ne, rows = ne * plan->variables;
    const double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
    const double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
    const double *given = plan->given + ewi_layout_index(EWI_TILE, rows, e * plan->variables + first, slot);
    struct ewi_wall_motion motion = {.x = point[0], .y = point[EWI_TILE], .u = given[0], .v = given[EWI_TILE]};
    motion.normal = motion.u * normal[0] + motion.v * normal[EWI_TILE];
    motion.v_blamed = fabs(motion.v * normal[EWI_TILE]) > fabs(motion.u * normal[0]);
    return motion;
}

/*
 * The motion of a slot's edge at the point with the largest normal component. Raises *speed to the edge's largest
 * speed; *counts is the normal component that counts: on curves that of the point, otherwise the mean.
 */
static struct ewi_wall_motion motion_of(const struct ewi_plan *plan, int first, int32_t slot, bool curved,
                                        double *speed, double *counts)
{
    struct ewi_wall_motion most = {.normal = 0.0};
    double mean = 0.0;
    for (int e = 0; e < plan->basis->ne; e++) {
        struct ewi_wall_motion here = motion_at(plan, first, slot, e);
        *speed = fmax(*speed, hypot(here.u, here.v));
        mean += plan->basis->edge_weight[e] * here.normal;
        if (e == 0 || fabs(here.normal) > fabs(most.normal))
            most = here;
    }
    *counts = fabs(curved ? most.normal : mean);
    return most;
}

static void refuse(const struct ewi_wall_motion *motion, const char *name, double time,
                   struct ewi_diagnostics *diagnostics)
{
    ewi_diagnose(diagnostics,
                 (ew_place){.member = "state", .boundary = name, .variable = motion->v_blamed ? "v" : "u"},
                 "boundary \"%s\": the wall's velocity at (%g, %g), t = %g is (%g, %g), of which %g is along the "
                 "wall's normal; a wall can only move along itself: remove that part; for a body that moves through "
                 "gas, let the gas move instead; for gas that enters, take kind \"inlet\"",
                 name, motion->x, motion->y, time, motion->u, motion->v, fabs(motion->normal));
}

void ewi_wall_motion_check(struct ewi_plan *plan, const struct ewi_edge_group *group, const char *name, double time,
                           struct ewi_diagnostics *diagnostics)
{
    struct ewi_plan_boundary *boundary = &plan->boundary[group->boundary];
    int first = velocity_of(plan, boundary->ghost);
    struct ewi_wall_motion most = {.normal = 0.0};
    double speed = 0.0, counts, largest = 0.0;
    for (int32_t slot = group->first; first >= 0 && slot < group->first + group->count; slot++) {
        struct ewi_wall_motion here = motion_of(plan, first, slot, boundary->curved, &speed, &counts);
        if (counts > largest) {
            largest = counts;
            most = here;
        }
    }
    bool chords = !boundary->curved && (ewi_data_variables(&boundary->state) & (EW_X | EW_Y));
    double share = largest / (speed * (chords ? LARGEST_NORMAL_ON_CHORDS : LARGEST_NORMAL));
    if (share > 1.0)
        refuse(&most, name, time, diagnostics);
    else if (share > WARNING_SHARE)
        boundary->motion = most;
}

void ewi_wall_motion_warn(const struct ewi_plan *plan)
{
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        const struct ewi_wall_motion *motion = &plan->boundary[b].motion;
        if (motion->normal != 0.0)
            ewi_log(&plan->host, EW_LOG_WARNING,
                    "boundary \"%s\": the wall's velocity at (%g, %g) is (%g, %g), of which %g is along the wall's "
                    "normal; a wall can only move along itself; is it the velocity of this wall?",
                    plan->mesh->boundary[b].name, motion->x, motion->y, motion->u, motion->v, fabs(motion->normal));
    }
}
