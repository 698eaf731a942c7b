/* SPDX-License-Identifier: BSD-2-Clause */
/* A plan's media: rows of each element, from means of their coefficients over it (ewi_media.h). */
#include "ewi_diagnostics.h"
#include "ewi_element.h"
#include "ewi_medium.h"
#include "ewi_parallel.h"
#include "ewi_plan_parts.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

static double *rows_of(struct ewi_plan *plan, int32_t i)
{
    return plan->volume_field + ewi_layout_base(EWI_TILE, plan->media, i);
}

static bool is_positive(double value)
{
    return value > 0.0 && isfinite(value);
}

static bool is_medium(const struct ewi_plan *plan, const double *field)
{
    double coefficient[EWI_MEDIUM_ROWS], rows[EWI_MEDIUM_ROWS * EWI_TILE];
    ewi_law_coefficients(plan->law, field, coefficient);
    double speed = ewi_medium_rows(coefficient, rows);
    return is_positive(field[0]) && is_positive(field[1]) && is_positive(speed) && is_positive(rows[0]) &&
           is_positive(speed * rows[EWI_TILE]);
}

/* Weighted means of the coefficients at the points of the volume rule, which lie between their extremes. */
static void find_means(const struct ewi_plan *plan, const double *values, double *mean)
{
    const struct ewi_basis *basis = plan->basis;
    double least[EWI_MEDIUM_ROWS] = {INFINITY, INFINITY}, greatest[EWI_MEDIUM_ROWS] = {0}, all = 0.0;
    memset(mean, 0, EWI_MEDIUM_ROWS * sizeof *mean);
    for (int q = 0; q < basis->nq; q++) {
        double field[EW_MAX_FIELDS] = {values[q], values[basis->nq + q]}, here[EWI_MEDIUM_ROWS];
        ewi_law_coefficients(plan->law, field, here);
        for (int k = 0; k < EWI_MEDIUM_ROWS; k++) {
            mean[k] += basis->weight[q] * here[k];
            least[k] = fmin(least[k], here[k]);
            greatest[k] = fmax(greatest[k], here[k]);
        }
        all += basis->weight[q];
    }
    for (int k = 0; k < EWI_MEDIUM_ROWS; k++)
        mean[k] = fmin(fmax(mean[k] / all, least[k]), greatest[k]); /* of a constant, this constant */
}

/* Fills the rows of element i, unless a value is not possible. */
static void fill_element(struct ewi_plan *plan, const ew_data *data, int32_t i, struct ewi_bad_points *points)
{
    const struct ewi_basis *basis = plan->basis;
    struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
    double x[EWI_MAX_NF], y[EWI_MAX_NF], values[EWI_MAX_NF * EW_MAX_FIELDS], mean[EWI_MEDIUM_ROWS];
    ewi_points_in(&corner, basis->nq, basis->r, basis->s, x, y);
    ewi_data_evaluate(data, (size_t)basis->nq, x, y, 0.0, values);
    for (int q = 0; q < basis->nq; q++) {
        const double field[EW_MAX_FIELDS] = {values[q], values[basis->nq + q]};
        if (!is_medium(plan, field))
            ewi_count_bad_point(points, x[q], y[q], field, plan->fields);
    }
    if (points->bad > 0)
        return;
    find_means(plan, values, mean);
    plan->speed_bound[i] = ewi_medium_rows(mean, rows_of(plan, i));
}

struct filling {
    struct ewi_plan *plan;
    const ew_data *data;
    _Atomic int64_t bad, first; /* impossible points; the first element with one, in the file's order */
};

static void fill_elements(void *context, int64_t first, int64_t last)
{
    struct filling *filling = context;
    for (int32_t i = (int32_t)first; i < last; i++) {
        struct ewi_bad_points own = {.bad = 0};
        fill_element(filling->plan, filling->data, i, &own);
        if (own.bad == 0)
            continue;
        atomic_fetch_add(&filling->bad, own.bad);
        int64_t index = filling->plan->mesh->file_index[i], known = atomic_load(&filling->first);
        while (index < known && !atomic_compare_exchange_weak(&filling->first, &known, index))
            ;
    }
}

static void report(const struct ewi_plan *plan, const struct ewi_bad_points *points,
                   struct ewi_diagnostics *diagnostics)
{
    const double *here = points->primitive;
    int wrong = is_positive(here[0]);
    char at[160], why[EWI_EXPLANATION];
    ewi_bad_points_where(points, at, sizeof at);
    ew_place place = {.member = "field", .variable = plan->law->info->field[wrong]};
    if (is_positive(here[wrong]))
        ewi_diagnose(diagnostics, place, "%s is %g and %s is %g %s, which is too much or too little for a number",
                     plan->law->info->field[0], here[0], place.variable, here[1], at);
    else
        ewi_diagnose(diagnostics, place, "%s is %g %s; it must be greater than 0 and finite%s", place.variable,
                     here[wrong], at, ewi_data_explain(points->data, points->x, points->y, 0.0, why));
}

/* The root of the ratio of the largest to the smallest inertia, times that of the compliance. */
static double contrast_of(struct ewi_plan *plan)
{
    double least[2] = {INFINITY, INFINITY}, greatest[2] = {0.0, 0.0};
    for (int32_t i = 0; i < plan->grid->elements; i++) {
        const double *rows = rows_of(plan, i), value[] = {rows[0], rows[0] * rows[EWI_TILE] * rows[EWI_TILE]};
        for (int k = 0; k < 2; k++) {
            least[k] = fmin(least[k], value[k]);
            greatest[k] = fmax(greatest[k], value[k]);
        }
    }
    return sqrt(greatest[0] / least[0]) * sqrt(greatest[1] / least[1]);
}

/* Other elements than those of the mesh have the unit medium, and so have those whose own is not possible. */
static void fill_unit(struct ewi_plan *plan)
{
    for (int32_t i = 0; i < plan->grid->padded; i++) {
        rows_of(plan, i)[0] = rows_of(plan, i)[EWI_TILE] = 1.0;
        plan->speed_bound[i] = i < plan->grid->elements ? 1.0 : 0.0;
    }
}

void ewi_media_fill(struct ewi_plan *plan, const ew_data *data, struct ewi_diagnostics *diagnostics)
{
    int32_t elements = plan->grid->elements;
    struct filling filling = {.plan = plan, .data = data, .first = elements};
    fill_unit(plan);
    if (!ewi_data_has_outputs(data, plan->fields) || (ewi_data_variables(data) & EW_T))
        return;
    ewi_parallel_shares(elements, data->formula ? EWI_FEW : elements, fill_elements, &filling);
    struct ewi_bad_points points = {.bad = 0, .data = data};
    if (filling.bad > 0) {
        fill_element(plan, data, plan->mesh->order[filling.first], &points);
        points.bad = filling.bad;
        points.points = (int64_t)elements * plan->basis->nq;
        report(plan, &points, diagnostics);
    }
    plan->contrast = contrast_of(plan);
}

int ew_plan_media(const ew_plan *plan, int k, double *least, double *greatest)
{
    if (!plan || !plan->media || k < 0 || k >= plan->fields || !least || !greatest)
        return 0;
    const double none[EW_MAX_VARIABLES] = {0};
    *least = INFINITY;
    *greatest = 0.0;
    for (int32_t i = 0; i < plan->grid->elements; i++) { /* the law's first outputs are its fields */
        double value = plan->law->derived(k, ewi_plan_parameter(plan, i), none, none, none);
        *least = fmin(*least, value);
        *greatest = fmax(*greatest, value);
    }
    return 1;
}
