/* SPDX-License-Identifier: BSD-2-Clause */
/* The element of a boundary slot. */
#include "ewi_plan.h"

/* A plan that has been divided has no slots, but its mesh has their edges; a part's plan has slots, but no mesh. */
int32_t ewi_plan_element_at(const struct ewi_plan *plan, int32_t slot)
{
    const struct ewi_edge_group *group = plan->grid->group;
    if (plan->grid->left)
        return plan->grid->left[slot];
    while (slot >= group->first + group->padded)
        group++;
    int32_t k = slot - group->first < group->count ? slot - group->first : group->count - 1;
    return plan->mesh->left[plan->mesh->boundary[group->boundary].first + k];
}
