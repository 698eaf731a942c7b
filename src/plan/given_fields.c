/* SPDX-License-Identifier: BSD-2-Clause */
/* A plan's given fields, at the points where kernels need them. */
#include "ewi_element.h"
#include "ewi_diagnostics.h"
#include "ewi_plan_parts.h"

#include <math.h>

static void field_at(const struct ewi_plan *plan, const ew_data *data, double x, double y, double *field,
                     struct ewi_bad_points *points)
{
    bool finite = true;
    ewi_data_evaluate(data, 1, &x, &y, 0.0, field);
    for (int f = 0; f < plan->fields; f++)
        finite = finite && isfinite(field[f]);
    points->points++;
    if (!finite)
        ewi_count_bad_point(points, x, y, field, plan->fields);
}

static double size_of(const double *field, int fields)
{
    double square = 0.0;
    for (int f = 0; f < fields; f++)
        square += field[f] * field[f];
    return sqrt(square);
}

static void fill_volume_field(struct ewi_plan *plan, const ew_data *data, int32_t i, struct ewi_bad_points *points)
{
    const struct ewi_basis *basis = plan->basis;
    struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
    double x[EWI_MAX_NF], y[EWI_MAX_NF], field[EW_MAX_FIELDS];
    ewi_points_in(&corner, basis->nq, basis->r, basis->s, x, y);
    for (int q = 0; q < basis->nq; q++) {
        field_at(plan, data, x[q], y[q], field, points);
        for (int f = 0; f < plan->fields; f++)
            plan->volume_field[ewi_layout_index(EWI_TILE, basis->nq * plan->fields, q * plan->fields + f, i)] =
                field[f];
        plan->speed_bound[i] = fmax(plan->speed_bound[i], size_of(field, plan->fields));
    }
}

/* Once per edge, on the left element, and in reverse to the right one, so that both have the same bits. */
static void fill_edge_field(struct ewi_plan *plan, const ew_data *data, int32_t slot, struct ewi_bad_points *points)
{
    const struct ewi_grid *grid = plan->grid;
    int ne = plan->basis->ne, rows = 3 * ne * plan->fields;
    int32_t left = grid->left[slot], right = grid->right[slot];
    for (int e = 0; e < ne; e++) {
        double x, y, field[EW_MAX_FIELDS];
        ewi_mesh_side_point(plan->mesh, left, grid->left_side[slot], plan->basis->edge_t[e], &x, &y);
        field_at(plan, data, x, y, field, points);
        double size = size_of(field, plan->fields);
        for (int f = 0; f < plan->fields; f++) {
            int reverse = (grid->right_side[slot] * ne + ne - 1 - e) * plan->fields + f;
            int own = (grid->left_side[slot] * ne + e) * plan->fields + f;
            if (slot >= grid->boundary_slots)
                plan->edge_field[ewi_layout_index(EWI_TILE, rows, reverse, right)] = field[f];
            plan->edge_field[ewi_layout_index(EWI_TILE, rows, own, left)] = field[f];
        }
        plan->speed_bound[left] = fmax(plan->speed_bound[left], size);
        plan->speed_bound[right] = fmax(plan->speed_bound[right], size);
    }
}

void ewi_given_fields_fill(struct ewi_plan *plan, const ew_data *data, struct ewi_diagnostics *diagnostics)
{
    struct ewi_bad_points points = {0}, repeated = {0};
    const ew_law *law = plan->law->info;
    int wrong = 0;
    for (int32_t i = 0; i < plan->grid->elements; i++)
        fill_volume_field(plan, data, i, &points);
    for (int32_t g = 0; g < plan->grid->groups; g++)
        for (int32_t k = 0; k < plan->grid->group[g].padded; k++)
            fill_edge_field(plan, data, plan->grid->group[g].first + k,
                            k < plan->grid->group[g].count ? &points : &repeated);
    if (points.bad == 0)
        return;
    while (wrong + 1 < plan->fields && isfinite(points.primitive[wrong]))
        wrong++;
    char at[160], why[EWI_EXPLANATION];
    ewi_diagnose(diagnostics, (ew_place){.member = "field", .variable = law->field[wrong]},
                 "%s is %g %s; it must be finite%s", law->field[wrong], points.primitive[wrong],
                 ewi_bad_points_where(&points, at, sizeof at), ewi_data_explain(data, points.x, points.y, 0.0, why));
}
