/* SPDX-License-Identifier: BSD-2-Clause */
/* A plan's boundaries: their names and kinds, the points and normals of their edges, and the states given there. */
#include "ewi_bed.h"
#include "ewi_curve.h"
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_diagnostics.h"
#include "ewi_formula.h"
#include "ewi_ghosts.h"
#include "ewi_host.h"
#include "ewi_math.h"
#include "ewi_plan_parts.h"
#include "ewi_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PLACE(...) ((ew_place){.member = __VA_ARGS__})

enum { BATCH = 64 }; /* points that are handed to a formula at once */

/* ---- names and kinds ---- */

static bool has_boundary_array(const ew_problem *problem)
{
    return problem->boundary && problem->boundaries <= INT32_MAX;
}

static const ew_boundary *boundary_named(const ew_problem *problem, const char *name)
{
    for (size_t k = 0; has_boundary_array(problem) && k < problem->boundaries; k++)
        if (problem->boundary[k].name && strcmp(problem->boundary[k].name, name) == 0)
            return &problem->boundary[k];
    return NULL;
}

static bool is_in_mesh(const ew_mesh *mesh, const char *name)
{
    for (int32_t b = 0; b < mesh->boundaries; b++)
        if (strcmp(mesh->boundary[b].name, name) == 0)
            return true;
    return false;
}

static void check_boundary_name(const ew_mesh *mesh, const ew_problem *problem, size_t k,
                                struct ewi_diagnostics *diagnostics)
{
    const ew_boundary *boundary = &problem->boundary[k];
    const ew_place place = {.boundary = boundary->name};
    if (!boundary->name || !boundary->kind)
        ewi_diagnose(diagnostics, place, "the condition for boundary \"%s\" has no %s",
                     boundary->name ? boundary->name : "", boundary->name ? "kind" : "name");
    else if (boundary_named(problem, boundary->name) != boundary)
        ewi_diagnose(diagnostics, place, "there are two conditions for boundary \"%s\"", boundary->name);
    else if (!is_in_mesh(mesh, boundary->name))
        ewi_diagnose(diagnostics, place, "boundary \"%s\" is not in the mesh", boundary->name);
}

static void check_boundary_names(const ew_mesh *mesh, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    if (problem->boundaries > 0 && !has_boundary_array(problem)) {
        ewi_diagnose(diagnostics, PLACE("boundary"),
                     problem->boundary ? "%zu boundaries are said to be given; the mesh has %d"
                                      : "%zu boundaries are said to be given, but where is NULL",
                     problem->boundaries, mesh->boundaries);
        return;
    }
    for (size_t k = 0; k < problem->boundaries; k++)
        check_boundary_name(mesh, problem, k, diagnostics);
    for (int32_t b = 0; b < mesh->boundaries; b++)
        if (!boundary_named(problem, mesh->boundary[b].name))
            ewi_diagnose(diagnostics, PLACE("boundary"),
                         "the mesh has a boundary \"%s\", for which there is no condition", mesh->boundary[b].name);
}

static void check_curve(const ew_boundary *given, struct ewi_diagnostics *diagnostics)
{
    ew_error error;
    if (given->curve && ewi_data_is_given(&given->normal))
        ewi_diagnose(diagnostics, PLACE("normal", .boundary = given->name),
                     "boundary \"%s\" has a curve, which gives the normals; leave out the others", given->name);
    if (given->curve && given->ghost && strcmp(given->ghost, "tangential") == 0)
        ewi_diagnose(diagnostics, PLACE("ghost", .boundary = given->name),
                     "boundary \"%s\" has a curve, at which the flow is mirrored; leave out the ghost \"%s\"",
                     given->name, given->ghost);
    if (given->curve && ewi_curve_check(given->curve, given->name, &error) != EW_OK)
        ewi_diagnose(diagnostics, PLACE("curve", .boundary = given->name), "%s", error.message);
}

static void check_conservative(const struct ewi_plan *plan, const ew_boundary *given,
                               struct ewi_diagnostics *diagnostics)
{
    const ew_place place = {.member = "conservative", .boundary = given->name};
    if (given->conservative && !given->curve)
        ewi_diagnose(diagnostics, place,
                     "boundary \"%s\" is conservative, but has no curve; give one, or remove \"conservative\"",
                     given->name);
    else if (given->conservative && !ewi_law_has_solid_walls(plan->law))
        ewi_diagnose(diagnostics, place,
                     "boundary \"%s\" is conservative, but the law \"%s\" has no mass; remove \"conservative\"",
                     given->name, plan->law->info->name);
    else if (given->conservative && !ewi_flux_takes_mean(plan->flux))
        ewi_diagnose(diagnostics, place,
                     "boundary \"%s\" is conservative, but the flux \"%s\" lets mass through a curve; take the flux "
                     "llf",
                     given->name, ewi_flux_choice(plan->flux).name);
}

static void check_angle(const ew_boundary *given, struct ewi_diagnostics *diagnostics)
{
    const ew_place place = {.member = "angle", .boundary = given->name};
    if (!(given->angle >= 0.0 && given->angle < 90.0))
        ewi_diagnose(diagnostics, place, "boundary \"%s\": its angle is %g degrees; it must be at least 0 and less "
                     "than 90", given->name, given->angle);
    else if (given->angle > 0.0 && strcmp(given->kind, "far") != 0)
        ewi_diagnose(diagnostics, place, "boundary \"%s\" of kind \"%s\" takes no angle; one of kind \"far\" does",
                     given->name, given->kind);
}

static void check_sponge(const struct ewi_law *law, const struct ewi_plan_boundary *boundary, const ew_boundary *given,
                         struct ewi_diagnostics *diagnostics)
{
    const char *wrong = given->sponge_width < 0.0 || !isfinite(given->sponge_width)         ? "sponge_width"
                        : given->sponge_strength < 0.0 || !isfinite(given->sponge_strength) ? "sponge_strength"
                                                                                            : NULL;
    const ew_place place = {.member = wrong ? wrong : "sponge_width", .boundary = given->name};
    if (wrong)
        ewi_diagnose(diagnostics, place,
                     "boundary \"%s\": width and strength of its sponge are %g and %g; they must be greater than 0",
                     given->name, given->sponge_width, given->sponge_strength);
    else if (given->sponge_width == 0.0 && given->sponge_strength > 0.0)
        ewi_diagnose(diagnostics, place, "boundary \"%s\": its sponge has a strength, but no width", given->name);
    else if (given->sponge_width > 0.0 && (!boundary->given || law->values(boundary->ghost)))
        ewi_diagnose(diagnostics, place, "boundary \"%s\" of kind \"%s\" has no state to which a sponge could relax; "
                     "give the sponge to one of kind \"far\" or \"state\"", given->name, given->kind);
    else if (given->sponge_width > 0.0 && ewi_data_variables(&given->state) & EW_T)
        ewi_diagnose(diagnostics, place, "boundary \"%s\" has a sponge, but its state depends on t; give a state of x "
                     "and y, or leave out the sponge", given->name);
}

/* Members that the boundary's kind would not look at. */
static void check_unused(const struct ewi_plan_boundary *boundary, const ew_boundary *given,
                         struct ewi_diagnostics *diagnostics)
{
    const char *unused = NULL;
    if (!boundary->given && ewi_data_is_given(&given->state))
        unused = "state";
    else if (strcmp(given->kind, "no-slip") == 0)
        unused = ewi_data_is_given(&given->normal) ? "normal" : given->conservative ? "conservative" : NULL;
    else if (strcmp(given->kind, "wall") != 0)
        unused = ewi_data_is_given(&given->normal) ? "normal"
                 : given->curve                      ? "curve"
                 : given->conservative               ? "conservative"
                                                     : NULL;
    if (unused)
        ewi_diagnose(diagnostics, PLACE(unused, .boundary = given->name), "boundary \"%s\" of kind \"%s\" takes no %s",
                     given->name, given->kind, unused);
}

/* True if a boundary without given values is one with all of them 0, as an adiabatic wall at rest is. */
static bool may_lack_values(const struct ewi_plan *plan, int ghost)
{
    const ew_boundary_value *value = plan->law->values(ghost);
    bool optional = value != NULL;
    for (; optional && value->name; value++)
        optional = value->optional;
    return optional;
}

static void choose_boundary(struct ewi_plan *plan, const ew_boundary *given, struct ewi_plan_boundary *boundary,
                            struct ewi_diagnostics *diagnostics)
{
    char what[160];
    const char *wrong;
    ew_error error;
    if (ewi_ghost_find(plan->law, given, &boundary->ghost, &boundary->given, &wrong, &error) != EW_OK) {
        ewi_diagnose(diagnostics, PLACE(wrong, .boundary = given->name), "%s", error.message);
        return;
    }
    boundary->known = true;
    if (may_lack_values(plan, boundary->ghost))
        boundary->given = ewi_data_is_given(&given->state);
    if (boundary->given && !ewi_data_is_given(&given->state))
        ewi_diagnose(diagnostics, PLACE("state", .boundary = given->name),
                     "boundary \"%s\" of kind \"%s\" needs a state", given->name, given->kind);
    ewi_snprintf(what, sizeof what, "boundary \"%.100s\": the state", given->name);
    boundary->values = ewi_ghost_outputs(plan->law, boundary->ghost);
    ewi_check_outputs(&given->state, boundary->values, PLACE("state", .boundary = given->name), what, diagnostics);
    ewi_snprintf(what, sizeof what, "boundary \"%.100s\": the normal", given->name);
    ewi_check_outputs(&given->normal, 2, PLACE("normal", .boundary = given->name), what, diagnostics);
    check_curve(given, diagnostics);
    check_conservative(plan, given, diagnostics);
    check_angle(given, diagnostics);
    check_sponge(plan->law, boundary, given, diagnostics);
    check_unused(boundary, given, diagnostics);
    boundary->state = given->state;
    boundary->sponge_width = given->sponge_width;
    boundary->sponge_strength = given->sponge_strength;
    boundary->time_dependent = boundary->given && (ewi_data_variables(&given->state) & EW_T);
    plan->time_dependent = plan->time_dependent || boundary->time_dependent;
    plan->callbacks = plan->callbacks || (boundary->time_dependent && !boundary->state.formula);
}

static void count_program(struct ewi_plan *plan, const struct ewi_plan_boundary *boundary)
{
    if (!boundary->time_dependent || !boundary->state.formula)
        return;
    const struct ewi_program *program = ewi_formula_program(boundary->state.formula);
    plan->instructions += (size_t)program->length;
    plan->constants += (size_t)program->constants;
    plan->rasters += (size_t)program->rasters;
    plan->raster_bytes += ewi_program_raster_bytes(program);
}

void ewi_boundaries_choose(struct ewi_plan *plan, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    check_boundary_names(plan->mesh, problem, diagnostics);
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        const ew_boundary *given = boundary_named(problem, plan->mesh->boundary[b].name);
        if (given && given->kind)
            choose_boundary(plan, given, &plan->boundary[b], diagnostics);
        count_program(plan, &plan->boundary[b]);
    }
}

/* ---- points and normals ---- */

/* Coordinates of the points of one boundary's edges, and the edges' own normals, of length `size`. */
static void fill_boundary_points(struct ewi_plan *plan, const struct ewi_edge_group *group, double size)
{
    const struct ewi_grid *grid = plan->grid;
    int ne = plan->basis->ne;
    for (int32_t slot = group->first; slot < group->first + group->padded; slot++) {
        int32_t element = grid->left[slot];
        int side = grid->left_side[slot];
        const double *geometry = grid->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, element);
        double nx = geometry[(EWI_SIDES + 3 * side) * EWI_TILE], ny = geometry[(EWI_SIDES + 3 * side + 1) * EWI_TILE];
        double length = fabs(geometry[(EWI_SIDES + 3 * side + 2) * EWI_TILE]);
        for (int e = 0; e < ne; e++) {
            double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            ewi_mesh_side_point(grid->mesh, element, side, plan->basis->edge_t[e], &point[0], &point[EWI_TILE]);
            normal[0] = size * (nx / length);
            normal[EWI_TILE] = size * (ny / length);
        }
    }
}

/* The length of a boundary's normals: 1/cos of a far field's angle, otherwise 1. */
static double normal_length(const ew_boundary *given)
{
    bool oblique = given && given->angle > 0.0 && given->angle < 90.0;
    return oblique ? 1.0 / ewi_cos(given->angle * (0x1.921fb54442d18p1 / 180.0)) : 1.0;
}

/* The cosine of the angle between a curve and its edges beyond which a normal is another curve's, more likely. */
#define USUAL_NORMAL 0.7071

static bool has_valid_curve(const struct ewi_plan_boundary *boundary, const ew_boundary *given)
{
    return boundary->known && ewi_ghost_is_curved(boundary->ghost) && given->curve &&
           ewi_curve_check(given->curve, given->name, NULL) == EW_OK;
}

/* The pieces of all boundary edges; *piece is NULL if no boundary has a spline. */
static int make_splines(struct ewi_plan *plan, const ew_problem *problem, struct ewi_bezier **piece, ew_error *error)
{
    int status;
    const ew_mesh *mesh = plan->mesh;
    bool wanted = false;
    double *corner = ewi_alloc(&plan->host, (size_t)mesh->boundaries, sizeof *corner);
    ew_spline_info *info = ewi_alloc(&plan->host, (size_t)mesh->boundaries, sizeof *info);
    *piece = NULL;
    for (int32_t b = 0; corner && b < mesh->boundaries; b++) {
        const ew_boundary *given = boundary_named(problem, mesh->boundary[b].name);
        bool spline = has_valid_curve(&plan->boundary[b], given) && given->curve->kind == EW_CURVE_SPLINE;
        corner[b] = !spline ? -1 : given->curve->corner > 0 ? given->curve->corner : EWI_USUAL_CORNER;
        plan->boundary[b].corner = corner[b];
        wanted = wanted || spline;
    }
    if (wanted)
        *piece = ewi_alloc(&plan->host, (size_t)mesh->boundary_edges, sizeof **piece);
    EWI_TRY(corner && info && (*piece || !wanted)
                ? EW_OK
                : ewi_fail(error, EW_ENOMEM, "not enough memory for splines through the boundaries"));
    if (wanted)
        EWI_TRY(ewi_spline_make(&plan->host, mesh, corner, *piece, info, error));
    for (int32_t b = 0; b < mesh->boundaries; b++)
        plan->boundary[b].spline = info[b];
out:
    ewi_free(&plan->host, corner);
    ewi_free(&plan->host, info);
    return status;
}

/* Given normals, made unit vectors; they must point outward. */
static void fill_normals(struct ewi_plan *plan, const struct ewi_edge_group *group, const ew_boundary *given,
                         struct ewi_diagnostics *diagnostics)
{
    int ne = plan->basis->ne;
    const ew_place place = {.member = "normal", .boundary = given->name};
    struct ewi_bad_points none = {.points = (int64_t)group->count * ne}, inward = none;
    struct ewi_bad_points *odd = &plan->boundary[group->boundary].odd;
    *odd = none;
    char at[160], why[EWI_EXPLANATION];
    for (int32_t slot = group->first; slot < group->first + group->padded; slot++)
        for (int e = 0; e < ne; e++) {
            double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            double n[2];
            ewi_data_evaluate(&given->normal, 1, &point[0], &point[EWI_TILE], 0.0, n);
            double length = sqrt(n[0] * n[0] + n[1] * n[1]);
            bool has_direction = isfinite(length) && length != 0.0;
            double along = n[0] * normal[0] + n[1] * normal[EWI_TILE];
            if (has_direction && along > 0.0) {
                if (along < USUAL_NORMAL * length && slot < group->first + group->count)
                    ewi_count_bad_point(odd, point[0], point[EWI_TILE], n, 2);
                normal[0] = n[0] / length;
                normal[EWI_TILE] = n[1] / length;
            } else if (slot < group->first + group->count) {
                ewi_count_bad_point(has_direction ? &inward : &none, point[0], point[EWI_TILE], n, 2);
            }
        }
    if (none.bad > 0)
        ewi_diagnose(diagnostics, place, "boundary \"%s\": the normal has no direction %s: it is (%g, %g)%s",
                     given->name, ewi_bad_points_where(&none, at, sizeof at), none.primitive[0], none.primitive[1],
                     ewi_data_explain(&given->normal, none.x, none.y, 0.0, why));
    if (inward.bad > 0)
        ewi_diagnose(diagnostics, place,
                     "boundary \"%s\": the normal points into the domain %s: it is (%g, %g); it must point outward",
                     given->name, ewi_bad_points_where(&inward, at, sizeof at), inward.primitive[0],
                     inward.primitive[1]);
}

/* ---- true curves ---- */

/* Edge k of a boundary with its curve; piece: splines of all boundary edges. */
static struct ewi_arc arc_of(const struct ewi_plan *plan, const struct ewi_edge_group *group, const ew_boundary *given,
                             const struct ewi_bezier *piece, int32_t k)
{
    struct ewi_arc arc = {.curve = given->curve, .boundary = given->name};
    int32_t element = plan->grid->left[group->first + k];
    int side = plan->grid->left_side[group->first + k];
    if (given->curve->kind == EW_CURVE_SPLINE) {
        arc.piece = piece[plan->mesh->boundary[group->boundary].first + k];
    } else {
        ewi_mesh_side_point(plan->mesh, element, side, 0.0, &arc.piece.from[0], &arc.piece.from[1]);
        ewi_mesh_side_point(plan->mesh, element, side, 1.0, &arc.piece.to[0], &arc.piece.to[1]);
    }
    return arc;
}

/* The points of the curve over an edge's points, its normals, and the basis functions there, which are extrapolated. */
static void fill_slot(struct ewi_plan *plan, int32_t slot, const double *height, double (*curve_normal)[2])
{
    const struct ewi_basis *basis = plan->basis;
    struct ewi_corners corner = ewi_corners_of(plan->mesh, plan->grid->left[slot]);
    for (int e = 0; e < basis->ne; e++) {
        double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * basis->ne, 2 * e, slot), rs[2];
        ewi_point_over(&corner, plan->grid->left_side[slot], basis->edge_t[e],
                       (double[2]){normal[0], normal[EWI_TILE]}, height[e], rs);
        size_t point = (size_t)slot * (size_t)basis->ne + (size_t)e, np = (size_t)basis->np;
        ewi_basis_eval(basis->order, rs[0], rs[1], plan->wall + point * np);
        if (plan->wall_gradient)
            ewi_basis_eval_grad(basis->order, rs[0], rs[1], plan->wall_gradient + 2 * point * np,
                                plan->wall_gradient + (2 * point + 1) * np);
        double *at = plan->point + ewi_layout_index(EWI_TILE, 2 * basis->ne, 2 * e, slot);
        at[0] += height[e] * normal[0];
        at[EWI_TILE] += height[e] * normal[EWI_TILE];
        normal[0] = curve_normal[e][0];
        normal[EWI_TILE] = curve_normal[e][1];
    }
}

/*
 * The flow through the edge with the ghosts of a wall is the sum over its points of w (m.n - (m*.N)(N.n)), m* on the
 * curve. More of m*.N, the same at all points, makes it zero.
 */
static void fill_excess(struct ewi_plan *plan, int32_t slot, const double *edge_normal)
{
    const struct ewi_basis *basis = plan->basis;
    int ne = basis->ne, np = basis->np;
    const double *side = basis->side + (size_t)(plan->grid->left_side[slot] * ne * np),
                 *wall = plan->wall + (size_t)slot * (size_t)(ne * np);
    double *excess = plan->excess + (size_t)slot * 2 * (size_t)np, length = 0;
    for (int e = 0; e < ne; e++) {
        const double *at = plan->normal + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
        const double normal[2] = {at[0], at[EWI_TILE]}, w = basis->edge_weight[e];
        double along = normal[0] * edge_normal[0] + normal[1] * edge_normal[1];
        length += w * along;
        for (int k = 0; k < 2 * np; k++)
            excess[k] += w * (side[e * np + k % np] * edge_normal[k / np] -
                              wall[e * np + k % np] * normal[k / np] * along);
    }
    for (int k = 0; k < 2 * np; k++)
        excess[k] /= length;
}

static void fill_curve(struct ewi_plan *plan, const struct ewi_edge_group *group, const ew_boundary *given,
                       const struct ewi_bezier *piece, struct ewi_diagnostics *diagnostics)
{
    const ew_place place = {.member = "curve", .boundary = given->name};
    int ne = plan->basis->ne;
    double t[EWI_MAX_NE + 1] = {0.5}, height[EWI_MAX_NE + 1], normal[EWI_MAX_NE + 1][2];
    ew_error error;
    memcpy(t + 1, plan->basis->edge_t, (size_t)ne * sizeof *t);
    for (int32_t k = 0; k < group->padded; k++) {
        struct ewi_arc arc = arc_of(plan, group, given, piece, k < group->count ? k : group->count - 1);
        if (ewi_curve_over(&arc, ne + 1, t, height, normal, &error) != EW_OK) {
            ewi_diagnose(diagnostics, place, "%s", error.message);
            return;
        }
        ewi_depth_measure(plan, group->boundary, group->first + k, ne + 1, height);
        const double *edge = plan->normal + ewi_layout_index(EWI_TILE, 2 * ne, 0, group->first + k);
        const double edge_normal[2] = {edge[0], edge[EWI_TILE]};
        fill_slot(plan, group->first + k, height + 1, normal + 1);
        if (given->conservative)
            fill_excess(plan, group->first + k, edge_normal);
    }
    ewi_depth_check(&plan->boundary[group->boundary], given->name, diagnostics);
}

void ewi_boundaries_warn(const struct ewi_plan *plan)
{
    char at[160];
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        const struct ewi_bad_points *odd = &plan->boundary[b].odd;
        if (plan->boundary[b].corner > 0)
            ewi_spline_warn(&plan->host, plan->mesh->boundary[b].name, plan->boundary[b].corner,
                            &plan->boundary[b].spline);
        if (odd->bad > 0)
            ewi_log(&plan->host, EW_LOG_WARNING,
                    "boundary \"%s\": the normal is more than 45 degrees off the edges' %s: it is (%g, %g); is it that "
                    "of this boundary's curve?",
                    plan->mesh->boundary[b].name, ewi_bad_points_where(odd, at, sizeof at), odd->primitive[0],
                    odd->primitive[1]);
    }
}

/* ---- given states ---- */

static bool is_valid(const struct ewi_plan *plan, int ghost, int32_t slot, int e, const double *given)
{
    const double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * plan->basis->ne, 2 * e, slot);
    const double *parameter = ewi_plan_parameter_at(plan, slot);
    return plan->law->valid(ghost, parameter, given, normal[0], normal[EWI_TILE]);
}

/* The elements know a field's speed. */
static void measure_given(const struct ewi_plan *plan, int ghost, int32_t slot, const double *given, double *max_speed)
{
    double u[EW_MAX_VARIABLES];
    const double *parameter = ewi_plan_parameter_at(plan, slot);
    plan->law->scale(ghost, parameter, given, u);
    double speed = plan->law->speed(parameter, u, 0.0);
    if (plan->width_ratio)
        speed *= plan->width_ratio[plan->grid->left[slot]];
    if (speed > *max_speed && isfinite(speed))
        *max_speed = speed;
}

bool ewi_plan_evaluate_boundary(struct ewi_plan *plan, const struct ewi_edge_group *group, int32_t first, int32_t count,
                                double t, double *max_speed)
{
    bool good = true;
    const struct ewi_plan_boundary *boundary = &plan->boundary[group->boundary];
    int ne = plan->basis->ne, variables = plan->variables;
    double x[BATCH], y[BATCH], values[BATCH * EW_MAX_VARIABLES] = {0};
    int32_t slots = BATCH / ne; /* so many slots fill a batch */
    for (int32_t begin = first; begin < first + count; begin += slots) {
        int32_t some = first + count - begin < slots ? first + count - begin : slots;
        size_t n = 0;
        for (int32_t slot = begin; slot < begin + some; slot++)
            for (int e = 0; e < ne; e++, n++) {
                const double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
                x[n] = point[0];
                y[n] = point[EWI_TILE];
            }
        ewi_data_evaluate(&boundary->state, n, x, y, t, values);
        size_t i = 0;
        for (int32_t slot = begin; slot < begin + some; slot++)
            for (int e = 0; e < ne; e++, i++) {
                double here[EW_MAX_VARIABLES] = {0}, kept[EW_MAX_VARIABLES];
                for (int m = 0; m < boundary->values; m++)
                    here[m] = values[(size_t)m * n + i];
                plan->law->given(boundary->ghost, ewi_plan_parameter_at(plan, slot), here, kept);
                if (is_valid(plan, boundary->ghost, slot, e, kept))
                    measure_given(plan, boundary->ghost, slot, kept, max_speed);
                else
                    good = false;
                double *given = plan->given + ewi_layout_index(EWI_TILE, ne * variables, e * variables, slot);
                for (int m = 0; m < variables; m++)
                    given[m * EWI_TILE] = kept[m];
            }
    }
    return good;
}

/* The first value that is not possible even if all others are usual; -1: none. e: a point of the slot. */
static int value_to_blame(const struct ewi_plan *plan, int ghost, int32_t slot, int e, const double *given)
{
    const ew_boundary_value *value = plan->law->values(ghost);
    double usual[EW_MAX_VARIABLES] = {0};
    for (int k = 0, first = 0; value && value[k].name; first += value[k++].outputs)
        usual[first] = value[k].outputs == 1 ? 1.0 : 0.0;
    for (int k = 0, first = 0; value && value[k].name; first += value[k++].outputs) {
        double here[EW_MAX_VARIABLES];
        memcpy(here, usual, sizeof here);
        memcpy(here + first, given + first, (size_t)value[k].outputs * sizeof *here);
        if (!is_valid(plan, ghost, slot, e, here))
            return k;
    }
    return -1;
}

static void check_given_states(const struct ewi_plan *plan, const struct ewi_edge_group *group, double t,
                               struct ewi_bad_points *points)
{
    const struct ewi_plan_boundary *boundary = &plan->boundary[group->boundary];
    int ne = plan->basis->ne, variables = plan->variables;
    *points = (struct ewi_bad_points){
        .points = (int64_t)group->count * ne, .t = t, .data = &boundary->state,
        .value = plan->law->values(boundary->ghost)};
    for (int32_t slot = group->first; slot < group->first + group->count; slot++)
        for (int e = 0; e < ne; e++) {
            double u[EW_MAX_VARIABLES] = {0}, w[EW_MAX_VARIABLES] = {0};
            for (int m = 0; m < variables; m++)
                u[m] = plan->given[ewi_layout_index(EWI_TILE, ne * variables, e * variables + m, slot)];
            if (is_valid(plan, boundary->ghost, slot, e, u))
                continue;
            const double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            ewi_data_evaluate(&boundary->state, 1, &point[0], &point[EWI_TILE], t, w);
            if (points->bad == 0)
                points->blamed = value_to_blame(plan, boundary->ghost, slot, e, u);
            if (ewi_bed_has(plan->law) && !points->value)
                ewi_bed_count_bad_point(points, point[0], point[EWI_TILE], w);
            else
                ewi_count_bad_point(points, point[0], point[EWI_TILE], w, boundary->values);
        }
}

static void say_what_is_given(const struct ewi_bad_points *points, const char *name, char *what, size_t size)
{
    ewi_snprintf(what, size, "boundary \"%.100s\": the given %s", name, points->value ? "values" : "state");
}

bool ewi_plan_describe_bad_boundary(struct ewi_plan *plan, double t, char *text, size_t size)
{
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        const struct ewi_edge_group *group = &plan->grid->group[b];
        struct ewi_bad_points points;
        char what[160];
        double speed = 0.0;
        if (!plan->boundary[b].time_dependent ||
            ewi_plan_evaluate_boundary(plan, group, group->first, group->padded, t, &speed))
            continue;
        check_given_states(plan, group, t, &points);
        say_what_is_given(&points, plan->mesh->boundary[b].name, what, sizeof what);
        ewi_describe_states(&plan->sizes, &points, what, text, size);
        return true;
    }
    return false;
}

static bool is_same_data(const ew_data *a, const ew_data *b)
{
    return a->formula == b->formula && (a->formula || (a->callback == b->callback && a->context == b->context));
}

static void fill_given_states(struct ewi_plan *plan, double time, const struct ewi_edge_group *group, const char *name,
                              bool told, struct ewi_diagnostics *diagnostics)
{
    struct ewi_bad_points points;
    char what[160];
    double now = 0.0;
    ewi_plan_evaluate_boundary(plan, group, group->first, group->padded, time,
                               plan->boundary[group->boundary].time_dependent ? &now : &plan->given_speed);
    if (told)
        return;
    check_given_states(plan, group, time, &points);
    say_what_is_given(&points, name, what, sizeof what);
    ewi_report_states(&plan->sizes, &points, PLACE("state", .boundary = name), what, diagnostics);
    if (points.bad == 0)
        ewi_wall_motion_check(plan, group, name, time, diagnostics);
}

int ewi_boundaries_fill(struct ewi_plan *plan, const ew_problem *problem, const struct ewi_bad_points *initial,
                        struct ewi_diagnostics *diagnostics, ew_error *error)
{
    struct ewi_bezier *piece = NULL;
    int status;
    EWI_TRY(make_splines(plan, problem, &piece, error));
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        const struct ewi_edge_group *group = &plan->grid->group[b];
        const ew_boundary *given = boundary_named(problem, plan->mesh->boundary[b].name);
        fill_boundary_points(plan, group, normal_length(given));
        if (!plan->boundary[b].known)
            continue;
        bool curve = has_valid_curve(&plan->boundary[b], given);
        plan->boundary[b].curved = curve || ewi_data_has_outputs(&given->normal, 2);
        if (curve)
            fill_curve(plan, group, given, piece, diagnostics);
        else if (plan->boundary[b].curved)
            fill_normals(plan, group, given, diagnostics);
        /* Reports a common cause only once. */
        bool told = initial->bad > 0 && is_same_data(&given->state, &problem->initial);
        if (plan->boundary[b].given && ewi_data_has_outputs(&given->state, plan->boundary[b].values) &&
            isfinite(problem->time))
            fill_given_states(plan, problem->time, group, given->name, told, diagnostics);
    }
out:
    ewi_free(&plan->host, piece);
    return status;
}
