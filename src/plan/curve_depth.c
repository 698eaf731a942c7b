/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The depth of curved walls: the height of a curve over an edge, divided by the height of the triangle at that edge.
 * At a curve outside of its triangle, polynomials are extrapolated, which shortens the stable time step. At a curve
 * that cuts its triangle, waves may grow at any time step.
 */
#include "ewi_diagnostics.h"
#include "ewi_element.h"
#include "ewi_host.h"
#include "ewi_plan_parts.h"

#include <math.h>

#define MOST_DEPTH 0.3

/*
 * By order. full: up to this depth the scheme's Courant number is stable; beyond it, (full / depth)^2 of that is.
 * growth: beyond these depths, out of the domain and into it, waves grow at any Courant number. All are from
 * eigenvalues of the operator of sound at rest on 60 meshes of discs and rings with 5 to 18 edges a circle;
 * bench/stable-cfl -w measures discs.
 */
static const struct {
    double full, growth[EWI_DEPTHS];
} limit[EW_MAX_ORDER + 1] = {
    [1] = {MOST_DEPTH, {MOST_DEPTH, MOST_DEPTH}},
    [2] = {0.23, {MOST_DEPTH, 0.1}},
    [3] = {0.135, {0.2, 0.075}},
    [4] = {0.07, {0.1, 0.05}},
    [5] = {0.06, {0.035, 0.035}},
};

void ewi_depth_measure(struct ewi_plan *plan, int32_t boundary, int32_t slot, int points, const double *height)
{
    int32_t element = plan->grid->left[slot];
    int side = plan->grid->left_side[slot];
    struct ewi_corners corner = ewi_corners_of(plan->mesh, element);
    double from[2], to[2];
    ewi_mesh_side_point(plan->mesh, element, side, 0.0, &from[0], &from[1]);
    ewi_mesh_side_point(plan->mesh, element, side, 1.0, &to[0], &to[1]);
    double dx = to[0] - from[0], dy = to[1] - from[1], length = sqrt(dx * dx + dy * dy);
    double triangle = fabs(corner.xr * corner.ys - corner.xs * corner.yr) / length;
    for (int k = 0; k < points; k++) {
        struct ewi_depth *depth = &plan->boundary[boundary].depth[height[k] < 0 ? EWI_INTO_DOMAIN : EWI_OUT_OF_DOMAIN];
        if (fabs(height[k]) > depth->ratio * triangle)
            *depth = (struct ewi_depth){fabs(height[k]) / triangle, 0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])};
    }
}

void ewi_depth_check(const struct ewi_plan_boundary *boundary, const char *name, struct ewi_diagnostics *diagnostics)
{
    const ew_place place = {.member = "curve", .boundary = name};
    for (int k = 0; k < EWI_DEPTHS; k++)
        if (boundary->depth[k].ratio > MOST_DEPTH)
            ewi_diagnose(diagnostics, place,
                         "boundary \"%s\": over the edge at (%.9g, %.9g) the curve rises to %.3g of the triangle's "
                         "height, and at most %g is possible; take shorter edges, or keep the boundary straight",
                         name, boundary->depth[k].x, boundary->depth[k].y, boundary->depth[k].ratio, MOST_DEPTH);
}

void ewi_depth_choose_cfl(struct ewi_plan *plan, const ew_problem *problem)
{
    double depth = limit[plan->basis->order].full, share;
    for (int32_t b = 0; b < plan->mesh->boundaries; b++)
        depth = fmax(depth, plan->boundary[b].depth[EWI_OUT_OF_DOMAIN].ratio);
    share = limit[plan->basis->order].full / depth;
    plan->stable_cfl = plan->scheme ? share * share * plan->scheme->stable[plan->basis->order - 1] : INFINITY;
    if (problem->cfl == 0.0)
        plan->cfl = fmin(plan->cfl, EWI_SAFE_SHARE * plan->stable_cfl);
}

static void warn_of_growth(const struct ewi_plan *plan, int32_t b, int direction)
{
    const struct ewi_depth *depth = &plan->boundary[b].depth[direction];
    int order = plan->basis->order;
    double most = limit[order].growth[direction];
    bool cuts = direction == EWI_INTO_DOMAIN;
    if (depth->ratio > most)
        ewi_log(&plan->host, EW_LOG_WARNING,
                "boundary \"%s\": over the edge at (%.9g, %.9g) the curve %s %.3g of %s height; above %g, "
                "waves at order %d may grow at any cfl; take shorter edges there, or a lower order",
                plan->mesh->boundary[b].name, depth->x, depth->y,
                cuts ? "cuts the triangle at" : "rises to", depth->ratio, cuts ? "its" : "the triangle's", most,
                order);
}

void ewi_depth_warn(const struct ewi_plan *plan)
{
    for (int32_t b = 0; b < plan->mesh->boundaries; b++)
        for (int direction = 0; direction < EWI_DEPTHS; direction++)
            warn_of_growth(plan, b, direction);
}
