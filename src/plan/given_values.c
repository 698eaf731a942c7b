/* SPDX-License-Identifier: BSD-2-Clause */
/* The largest values that a problem is given, for the blow-up check. */
#include "ewi_element.h"
#include "ewi_plan_parts.h"

#include <math.h>

enum { SAMPLES = 8 }; /* at states given by formulas of t */

/* The first variable, for laws with a positive one: others may be 0 at first. */
static int variables_of(const struct ewi_plan *plan)
{
    return plan->law->has_positive ? 1 : plan->variables;
}

static void raise(double *most, double value)
{
    if (fabs(value) > *most) /* no NaN is */
        *most = fabs(value);
}

struct ewi_greatest ewi_plan_greatest(const struct ewi_plan *plan, const double *state)
{
    struct ewi_greatest most = {.mean = 0.0};
    for (int m = 0; m < variables_of(plan); m++)
        for (int32_t i = 0; i < plan->grid->elements; i++) {
            double mean = ewi_element_mean(plan, state, i, m);
            if (fabs(mean) > fabs(most.mean))
                most = (struct ewi_greatest){mean, i, m};
        }
    return most;
}

static void raise_by_given(const struct ewi_plan *plan, int ghost, int32_t slot, const double *kept, double *most)
{
    double u[EW_MAX_VARIABLES];
    plan->law->scale(ghost, ewi_plan_parameter_at(plan, slot), kept, u);
    for (int m = 0; m < variables_of(plan); m++)
        raise(most, u[m]);
}

void ewi_plan_find_most(struct ewi_plan *plan)
{
    int ne = plan->basis->ne;
    plan->most = fabs(ewi_plan_greatest(plan, plan->initial).mean);
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        const struct ewi_edge_group *group = &plan->grid->group[b];
        for (int32_t slot = group->first; plan->boundary[b].given && slot < group->first + group->count; slot++) {
            double kept[EW_MAX_VARIABLES];
            for (int m = 0; m < plan->variables; m++)
                kept[m] = plan->given[ewi_layout_index(EWI_TILE, ne * plan->variables, m, slot)];
            raise_by_given(plan, plan->boundary[b].ghost, slot, kept, &plan->most);
        }
    }
}

static void raise_by_formula(const struct ewi_plan *plan, int32_t boundary, double t, double *most)
{
    const struct ewi_edge_group *group = &plan->grid->group[boundary];
    for (int32_t slot = group->first; slot < group->first + group->count; slot++) {
        double values[EW_MAX_VARIABLES] = {0}, kept[EW_MAX_VARIABLES];
        const double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * plan->basis->ne, 0, slot);
        ewi_data_evaluate(&plan->boundary[boundary].state, 1, &point[0], &point[EWI_TILE], t, values);
        plan->law->given(plan->boundary[boundary].ghost, ewi_plan_parameter_at(plan, slot), values,
                         kept);
        raise_by_given(plan, plan->boundary[boundary].ghost, slot, kept, most);
    }
}

double ewi_plan_most_given(const struct ewi_plan *plan, double t)
{
    double most = plan->most;
    if (plan->has_source)
        return INFINITY;
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        if (!plan->boundary[b].time_dependent)
            continue;
        if (!plan->boundary[b].state.formula)
            return INFINITY;
        for (int k = 1; k <= SAMPLES; k++)
            raise_by_formula(plan, b, plan->start + (t - plan->start) * k / SAMPLES, &most);
    }
    return most;
}
