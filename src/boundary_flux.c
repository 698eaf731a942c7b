/* SPDX-License-Identifier: BSD-2-Clause */
/* The numerical flux through boundary edges: what the scheme's kernels compute there. */
#include "ewi_basis.h"
#include "ewi_diffusing.h"
#include "ewi_element.h"
#include "ewi_ghosts.h"
#include "ewi_solver.h"

#include <math.h>
#include <string.h>

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

/* The law's diffusion where the basis functions have these values and derivatives. */
static void diffusion_at(const struct ewi_plan *plan, const double *base, int32_t element, const double *phi,
                         const double *dr, const double *ds, double *u, double *diffusion)
{
    struct ewi_corners corner = ewi_corners_of(plan->mesh, element);
    double det = ewi_mesh_det(plan->mesh, element), ur[EW_MAX_VARIABLES] = {0}, us[EW_MAX_VARIABLES] = {0},
           ux[EW_MAX_VARIABLES], uy[EW_MAX_VARIABLES];
    ewi_value_at(plan, base, phi, u);
    ewi_value_at(plan, base, dr, ur);
    ewi_value_at(plan, base, ds, us);
    for (int m = 0; m < plan->variables; m++) {
        ux[m] = (corner.ys * ur[m] - corner.yr * us[m]) / det;
        uy[m] = (corner.xr * us[m] - corner.xs * ur[m]) / det;
    }
    plan->law->diffusion(plan->parameter, u, ux, uy, diffusion);
}

/* A point of a boundary edge. */
struct place {
    int32_t element, slot;
    int ghost, side, q;
    const double *normal; /* rows x, y of a tile */
    const double *given;
};

/* The law's diffusion on the wall's curve above the point. */
static void diffusion_on_curve(const struct ewi_plan *plan, const struct place *at, const double *base, double *u,
                               double *diffusion)
{
    const int np = plan->basis->np;
    const int64_t over = (int64_t)at->slot * plan->basis->ne + at->q;
    diffusion_at(plan, base, at->element, plan->wall + over * np, plan->wall_gradient + 2 * over * np,
                 plan->wall_gradient + (2 * over + 1) * np, u, diffusion);
}

/* The penalty of a boundary edge, times its length. */
static double penalty_of(const struct ewi_plan *plan, const struct place *at)
{
    double x0, y0, x1, y1;
    ewi_mesh_side_point(plan->mesh, at->element, at->side, 0.0, &x0, &y0);
    ewi_mesh_side_point(plan->mesh, at->element, at->side, 1.0, &x1, &y1);
    double length = sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)); /* a divided plan has no geometry any more */
    return ewi_penalty(plan->basis->order) * 2.0 * length / ewi_mesh_det(plan->mesh, at->element);
}

/* The diffusive flux and the heat along the unit normal (nx, ny). */
static void diffuse(const struct ewi_plan *plan, const struct place *at, const struct ewi_diffusing_side *point,
                    double nx, double ny, struct ewi_boundary_flux *through)
{
    memset(through->viscous, 0, sizeof through->viscous);
    plan->law->diffuse_at_boundary(at->ghost, plan->parameter, point, at->given, nx, ny, penalty_of(plan, at),
                                   through->viscous);
    through->heat = plan->law->wall_heat(at->ghost, point, at->given, through->viscous);
}

/* Adds the diffusive flux through the edge, along its unit normal (nx, ny). */
static void add_diffusion(const struct ewi_plan *plan, const struct place *at, const double *base, double nx, double ny,
                          struct ewi_boundary_flux *through)
{
    const struct ewi_basis *basis = plan->basis;
    const int np = basis->np, point = at->side * basis->ne + at->q;
    double u[EW_MAX_VARIABLES], wall[EW_MAX_VARIABLES], inner[EW_MAX_VARIABLES], outer[EW_MAX_VARIABLES];
    struct ewi_diffusing_side side = {u, inner, u, inner, at->normal[0], at->normal[EWI_TILE]};
    diffusion_at(plan, base, at->element, basis->side + point * np, basis->side_r + point * np,
                 basis->side_s + point * np, u, inner);
    if (ewi_ghost_is_curved(at->ghost)) {
        diffusion_on_curve(plan, at, base, wall, outer);
        side.wall = wall;
        side.wall_diffusion = outer;
    }
    diffuse(plan, at, &side, nx, ny, through);
    for (int m = 0; m < plan->variables; m++)
        through->flux[m] += through->viscous[m];
}

void ewi_boundary_flux(const struct ewi_plan *plan, int32_t b, int32_t slot, int q, double t, const double *base,
                       const double *field, double nx, double ny, struct ewi_boundary_flux *through)
{
    const struct ewi_basis *basis = plan->basis;
    const struct ewi_plan_boundary *boundary = &plan->boundary[b];
    const double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * basis->ne, 2 * q, slot);
    double u[EW_MAX_VARIABLES], given[EW_MAX_VARIABLES], wall[EW_MAX_VARIABLES], ghost[EW_MAX_VARIABLES];
    const double *parameter = ewi_plan_parameter_at(plan, slot);
    int32_t edge = plan->mesh->boundary[b].first + slot - plan->grid->group[b].first;
    int side = plan->mesh->left_side[edge];
    bool curved = ewi_ghost_is_curved(boundary->ghost);
    *through = (struct ewi_boundary_flux){.heat = 0.0};
    ewi_value_at(plan, base, basis->side + (side * basis->ne + q) * basis->np, u);
    given_at(plan, boundary, slot, q, t, given);
    if (curved)
        wall_at(plan, base, slot, q, normal, wall);
    if (curved && plan->law->has_diffusion)
        plan->law->wall_motion(boundary->ghost, given, wall);
    plan->law->ghost(boundary->ghost, parameter, u, curved ? wall : given, normal[0], normal[EWI_TILE], ghost);
    const double *inner = ewi_ghost_replaces(boundary->ghost) ? ghost : u;
    plan->law->numerical_flux(plan->flux, parameter, field, inner, ghost, nx, ny, through->flux);
    if (plan->law->has_diffusion)
        add_diffusion(plan, &(struct place){plan->mesh->left[edge], slot, boundary->ghost, side, q, normal, given},
                      base, nx, ny, through);
}

void ewi_wall_flux(const struct ewi_plan *plan, int32_t b, int32_t slot, int q, double t, const double *base, double *u,
                   struct ewi_boundary_flux *through)
{
    const struct ewi_basis *basis = plan->basis;
    const double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * basis->ne, 2 * q, slot);
    double given[EW_MAX_VARIABLES], diffusion[EW_MAX_VARIABLES];
    int32_t edge = plan->mesh->boundary[b].first + slot - plan->grid->group[b].first, i = plan->mesh->left[edge];
    int ghost = plan->boundary[b].ghost, side = plan->mesh->left_side[edge], point = side * basis->ne + q;
    const struct place at = {i, slot, ghost, side, q, normal, given};
    bool curved = ewi_ghost_is_curved(ghost);
    *through = (struct ewi_boundary_flux){.heat = 0.0};
    given_at(plan, &plan->boundary[b], slot, q, t, given);
    if (curved && plan->law->has_diffusion)
        diffusion_on_curve(plan, &at, base, u, diffusion);
    else if (curved)
        wall_at(plan, base, slot, q, normal, u);
    else if (plan->law->has_diffusion)
        diffusion_at(plan, base, i, basis->side + point * basis->np, basis->side_r + point * basis->np,
                     basis->side_s + point * basis->np, u, diffusion);
    else
        ewi_value_at(plan, base, basis->side + point * basis->np, u);
    const struct ewi_diffusing_side on = {u, diffusion, u, diffusion, normal[0], normal[EWI_TILE]};
    if (plan->law->has_diffusion)
        diffuse(plan, &at, &on, normal[0], normal[EWI_TILE], through);
}
