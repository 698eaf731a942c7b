/* SPDX-License-Identifier: BSD-2-Clause */
/* How much each element limits the time step: by its width, the speed of its waves, and diffusion. */
#include "ewi_bed.h"
#include "ewi_element.h"
#include "ewi_parallel.h"
#include "ewi_plan_parts.h"

#include <math.h>

/* The width of an element, as it counts for a step of level 0. */
static double width_of_step(const struct ewi_plan *plan, int32_t i)
{
    double width = ewi_mesh_inscribed_diameter(plan->mesh, i);
    return plan->level ? ldexp(width, -plan->level[i]) : width;
}

/*
 * For each element, its own width ratio or that of a neighbour, whichever is larger: the flux between the two depends
 * on the larger speed, regardless of which is narrower.
 */
static void find_width_ratio(void *context, int64_t first, int64_t last)
{
    struct ewi_plan *plan = context;
    const struct ewi_grid *grid = plan->grid;
    double smallest = plan->mesh->info.smallest_diameter;
    for (int32_t i = (int32_t)first; i < last; i++) {
        double width = width_of_step(plan, i);
        for (int k = 0; k < 3; k++)
            width = fmin(width, width_of_step(plan, grid->neighbour[k * grid->padded + i]));
        plan->width_ratio[i] = smallest / width;
    }
}

void ewi_step_limits_fill(struct ewi_plan *plan)
{
    if (!plan->uniform_step)
        ewi_parallel_shares(plan->grid->elements, EWI_FEW, find_width_ratio, plan);
    if (plan->law->has_diffusion && plan->scheme)
        ewi_diffusion_fill(plan);
}

double ewi_step_speed(const struct ewi_plan *plan, int32_t i)
{
    double mean[EW_MAX_VARIABLES];
    for (int m = 0; m < plan->variables; m++)
        mean[m] = ewi_element_mean(plan, plan->initial, i, m);
    if (ewi_bed_has(plan->law))
        mean[EWI_BED_DEPTH] = EWI_SQRT2 * ewi_bed_initial_depth(plan, i);
    double speed = plan->law->speed(ewi_plan_parameter(plan, i), mean, plan->fields ? plan->speed_bound[i] : 0.0);
    speed = plan->width_ratio ? speed * plan->width_ratio[i] : speed;
    return plan->law->has_diffusion ? fma(plan->law->diffusivity(plan->parameter, mean), plan->diffusion_rate[i], speed)
                                    : speed;
}
