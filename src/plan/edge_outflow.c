/* SPDX-License-Identifier: BSD-2-Clause */
/* The outflow of boundary edges: in tiles of slots, as kernels have it, and without padding. */
#include "ewi_plan.h"

size_t ewi_outflow_bytes(const struct ewi_plan *plan)
{
    return plan->outflow ? (size_t)plan->mesh->boundary_edges * (size_t)plan->variables * sizeof(double) : 0;
}

void ewi_outflow_pack(const struct ewi_plan *plan, const double *tiles, double *packed)
{
    const struct ewi_edge_group *group = plan->grid->group;
    for (int32_t g = 0; g < plan->grid->groups && group[g].boundary >= 0; g++)
        for (int32_t slot = group[g].first; slot < group[g].first + group[g].count; slot++)
            for (int m = 0; m < plan->variables; m++)
                *packed++ = tiles[ewi_layout_index(EWI_TILE, plan->variables, m, slot)];
}

void ewi_outflow_unpack(const struct ewi_plan *plan, const double *packed, double *tiles)
{
    const struct ewi_edge_group *group = plan->grid->group;
    for (int32_t g = 0; g < plan->grid->groups && group[g].boundary >= 0; g++)
        for (int32_t slot = group[g].first; slot < group[g].first + group[g].count; slot++)
            for (int m = 0; m < plan->variables; m++)
                tiles[ewi_layout_index(EWI_TILE, plan->variables, m, slot)] = *packed++;
}
