/* SPDX-License-Identifier: BSD-2-Clause */
/* Values along walls: pressure, shear stress and heat flux at the points of their edges, and the wall's length. */
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_ghosts.h"
#include "ewi_solver.h"

#include <math.h>
#include <string.h>

static ew_wall_point place_of(const struct ewi_plan *plan, int32_t slot, int q)
{
    const int ne = plan->basis->ne;
    const double *at = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * q, slot);
    const double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * ne, 2 * q, slot);
    return (ew_wall_point){.x = at[0], .y = at[EWI_TILE], .normal = {normal[0], normal[EWI_TILE]}, .pressure = NAN,
                           .temperature = NAN, .conductivity = NAN, .shear = NAN, .heat = NAN};
}

/* Fills the values at point q of an element with the coefficients `base`. */
static void fill_values(const ew_solver *solver, const double *base, int32_t b, int32_t slot, int q,
                        ew_wall_point *point)
{
    const struct ewi_plan *plan = solver->plan;
    double u[EW_MAX_VARIABLES], w[EW_MAX_VARIABLES];
    struct ewi_boundary_flux through;
    ewi_wall_flux(plan, b, slot, q, solver->time, base, u, &through);
    plan->law->primitive(ewi_plan_parameter_at(plan, slot), u, w);
    point->pressure = w[ewi_law_pressure(plan->law->info)];
    point->heat = through.heat;
    point->shear = point->normal[0] * through.viscous[2] - point->normal[1] * through.viscous[1];
    if (!plan->law->info->viscous)
        return;
    point->temperature = point->pressure / w[0];
    point->conductivity = plan->law->conductivity(plan->parameter, u);
}

/* The sine of the angle from direction a, a unit vector, to direction b of length `length`. */
static double sine(const double a[2], const double b[2], double length)
{
    return (a[0] * b[1] - a[1] * b[0]) / length;
}

/*
 * The length of the wall between two points, as that of an arc of a circle whose mean angle to its chord is that of the
 * wall. The normals (nullable) are the wall's at both points; NULL at a node, and at both ends of a straight piece.
 */
static double length_between(const double *from, const double *to, const double *from_normal, const double *to_normal)
{
    const double chord[2] = {to[0] - from[0], to[1] - from[1]}, length = hypot(chord[0], chord[1]);
    double first = 0, second = 0;
    if (from_normal)
        first = sine((double[2]){-from_normal[1], from_normal[0]}, chord, length);
    if (to_normal)
        second = -sine((double[2]){-to_normal[1], to_normal[0]}, chord, length);
    double mean = from_normal && to_normal ? 0.5 * (first + second) : first + second;
    return fabs(mean) > 1e-8 && fabs(mean) < 1 ? length * (asin(mean) / mean) : length;
}

/* Measures the wall along an edge with these points; returns its length. */
static double measure(const ew_mesh *mesh, int32_t i, int side, bool curved, int points, ew_wall_point *point)
{
    double from[2], end[2], arc = 0;
    const double *normal = NULL;
    ewi_mesh_side_point(mesh, i, side, 0.0, &from[0], &from[1]);
    ewi_mesh_side_point(mesh, i, side, 1.0, &end[0], &end[1]);
    for (int q = 0; q < points; q++) {
        const double to[2] = {point[q].x, point[q].y}, *next = curved ? point[q].normal : NULL;
        arc += length_between(from, to, normal, next);
        point[q].arc = arc;
        memcpy(from, to, sizeof from);
        normal = next;
    }
    return arc + length_between(from, end, normal, NULL);
}

static int check_wall(const ew_solver *solver, int32_t k, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    if (k < 0 || k >= plan->mesh->boundaries)
        return ewi_fail(error, EW_EINVAL, "there is no boundary %d; the mesh has %d", k, plan->mesh->boundaries);
    if (ewi_law_pressure(plan->law->info) < 0)
        return ewi_fail(error, EW_EINVAL, "the law \"%s\" has no pressure, and so no values along walls",
                        plan->law->info->name);
    if (!ewi_ghost_is_wall(plan->boundary[k].ghost))
        return ewi_fail(error, EW_EINVAL, "boundary \"%s\" is not a wall, of kind \"wall\" or \"no-slip\"",
                        plan->mesh->boundary[k].name);
    return EW_OK;
}

int ew_solver_wall_places(const ew_solver *solver, int32_t k, ew_wall_point *point, double *length, ew_error *error)
{
    EWI_REQUIRE(solver);
    TRY(check_wall(solver, k, error));
    const struct ewi_plan *plan = solver->plan;
    const struct ewi_mesh_boundary *boundary = &plan->mesh->boundary[k];
    const int ne = plan->basis->ne;
    const bool curved = ewi_ghost_is_curved(plan->boundary[k].ghost);
    for (int32_t e = 0; point && e < boundary->count; e++) {
        int32_t edge = boundary->first + e;
        for (int q = 0; q < ne; q++)
            point[e * ne + q] = place_of(plan, plan->grid->group[k].first + e, q);
        double whole = measure(plan->mesh, plan->mesh->left[edge], plan->mesh->left_side[edge], curved, ne,
                               &point[e * ne]);
        if (length)
            length[e] = whole;
    }
    return EW_OK;
}

int ew_solver_wall(ew_solver *solver, int32_t k, ew_wall_point *point, double *length, ew_error *error)
{
    EWI_REQUIRE(solver, point);
    const double *state;
    TRY(ew_solver_wall_places(solver, k, point, length, error));
    TRY(ewi_solver_view(solver, &state, error));
    const struct ewi_plan *plan = solver->plan;
    const struct ewi_mesh_boundary *boundary = &plan->mesh->boundary[k];
    const int ne = plan->basis->ne;
    for (int32_t e = 0; e < boundary->count; e++) {
        const double *base = state + ewi_layout_base(plan->width, plan->rows, plan->mesh->left[boundary->first + e]);
        for (int q = 0; q < ne; q++)
            fill_values(solver, base, k, plan->grid->group[k].first + e, q, &point[e * ne + q]);
    }
    return EW_OK;
}
