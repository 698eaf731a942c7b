/* SPDX-License-Identifier: BSD-2-Clause */
/* The numerical flux through boundary edges: what the scheme's kernels compute there. */
#include "ewi_element.h"
#include "ewi_solver.h"

/* The given state or values at point q of a slot at time t. */
static void given_at(const struct ewi_plan *plan, const struct ewi_plan_boundary *boundary, int32_t slot, int q,
                     double t, double *given)
{
    int ne = plan->basis->ne, variables = plan->variables;
    double values[EW_MAX_VARIABLES] = {0};
    const double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * q, slot);
    for (int m = 0; m < variables; m++)
        given[m] = plan->given[ewi_layout_index(EWI_TILE, ne * variables, q * variables + m, slot)];
    if (!boundary->time_dependent)
        return;
    ewi_data_evaluate(&boundary->state, 1, &point[0], &point[EWI_TILE], t, values);
    plan->law->given(boundary->ghost, ewi_plan_parameter_at(plan, slot), values, given);
}

/* The inner polynomials' value on the wall's curve above point q (kernels/wall.h). */
static void wall_at(const struct ewi_plan *plan, const double *base, int32_t slot, int q, const double *normal,
                    double *wall)
{
    int ne = plan->basis->ne, np = plan->basis->np;
    const double *closing = plan->excess ? plan->excess + (int64_t)slot * 2 * np : NULL;
    double excess = 0.0;
    ewi_value_at(plan, base, plan->wall + ((int64_t)slot * ne + q) * np, wall);
    for (int k = 0; closing && k < 2 * np; k++)
        excess += closing[k] * base[(np + k) * plan->width];
    for (int m = 1; closing && m < 3; m++)
        wall[m] += excess * normal[(m - 1) * EWI_TILE];
}

void ewi_boundary_flux(const struct ewi_plan *plan, int32_t b, int32_t slot, int q, double t, const double *base,
                       const double *field, double nx, double ny, double *flux)
{
    const struct ewi_basis *basis = plan->basis;
    const struct ewi_plan_boundary *boundary = &plan->boundary[b];
    const double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * basis->ne, 2 * q, slot);
    double u[EW_MAX_VARIABLES], given[EW_MAX_VARIABLES], ghost[EW_MAX_VARIABLES];
    const double *parameter = ewi_plan_parameter_at(plan, slot);
    int side = plan->mesh->left_side[plan->mesh->boundary[b].first + slot - plan->grid->group[b].first];
    ewi_value_at(plan, base, basis->side + (side * basis->ne + q) * basis->np, u);
    if (ewi_ghost_takes_wall(boundary->ghost))
        wall_at(plan, base, slot, q, normal, given);
    else
        given_at(plan, boundary, slot, q, t, given);
    plan->law->ghost(boundary->ghost, parameter, u, given, normal[0], normal[EWI_TILE], ghost);
    const double *inner = ewi_ghost_replaces_trace(boundary->ghost) ? ghost : u;
    plan->law->numerical_flux(plan->flux, parameter, field, inner, ghost, nx, ny, flux);
}
