/* SPDX-License-Identifier: BSD-2-Clause */
/* The initial state: projected onto the basis, and looked at on the way. */
#include "ewi_bed.h"
#include "ewi_element.h"
#include "ewi_parallel.h"
#include "ewi_plan_parts.h"

#include <stdatomic.h>
#include <string.h>

void ewi_project_data(const struct ewi_plan *plan, const ew_data *data, double time, int32_t i, double *c,
                      struct ewi_bad_points *points)
{
    const struct ewi_basis *basis = plan->basis;
    int variables = plan->variables;
    double x[EWI_MAX_NF], y[EWI_MAX_NF], values[EWI_MAX_NF * EW_MAX_VARIABLES];
    struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
    ewi_points_in(&corner, basis->nq, basis->r, basis->s, x, y);
    ewi_data_evaluate(data, (size_t)basis->nq, x, y, time, values);
    memset(c, 0, (size_t)plan->rows * sizeof *c);
    for (int q = 0; q < basis->nq; q++) {
        double primitive[EW_MAX_VARIABLES], u[EW_MAX_VARIABLES];
        for (int m = 0; m < variables; m++)
            primitive[m] = values[m * basis->nq + q];
        plan->law->conserved(ewi_plan_parameter(plan, i), primitive, u);
        if (!plan->law->admissible(ewi_plan_parameter(plan, i), u))
            ewi_count_bad_point(points, x[q], y[q], primitive, variables);
        for (int m = 0; m < variables; m++)
            for (int j = 0; j < basis->np; j++)
                c[m * basis->np + j] += basis->project[q * basis->np + j] * u[m];
    }
}

/* state may be NULL: only the points count. */
static void project_element(const struct ewi_plan *plan, const ew_problem *problem, int32_t i, double *state,
                            struct ewi_bad_points *points)
{
    double c[EW_MAX_VARIABLES * EWI_MAX_NP];
    if (ewi_bed_has(plan->law))
        ewi_bed_project(plan, &problem->initial, problem->time, i, c, points);
    else
        ewi_project_data(plan, &problem->initial, problem->time, i, c, points);
    double *base = state ? state + ewi_layout_base(plan->width, plan->rows, i) : NULL;
    for (int row = 0; base && row < plan->rows; row++)
        base[row * plan->width] = c[row];
}

void ewi_fill_padding(const struct ewi_plan *plan, double *state)
{
    double primitive[EW_MAX_VARIABLES], u[EW_MAX_VARIABLES];
    plan->law->rest(primitive);
    for (int32_t i = plan->grid->connected; i < plan->grid->padded; i++) {
        plan->law->conserved(ewi_plan_parameter(plan, i), primitive, u);
        for (int row = 0; row < plan->rows; row++)
            state[ewi_layout_index(plan->width, plan->rows, row, i)] =
                row % plan->basis->np == 0 ? u[row / plan->basis->np] / EWI_SQRT2 : 0.0;
    }
}

struct projecting {
    const struct ewi_plan *plan;
    const ew_problem *problem;
    double *state;
    _Atomic int64_t bad, first; /* inadmissible points; the first element with one, in the file's order */
};

static void project_elements(void *context, int64_t first, int64_t last)
{
    struct projecting *projecting = context;
    const struct ewi_plan *plan = projecting->plan;
    for (int32_t i = (int32_t)first; i < last; i++) {
        struct ewi_bad_points own = {.bad = 0};
        project_element(plan, projecting->problem, i, projecting->state, &own);
        if (own.bad == 0)
            continue;
        atomic_fetch_add(&projecting->bad, own.bad);
        int64_t index = plan->mesh->file_index[i], known = atomic_load(&projecting->first);
        while (index < known && !atomic_compare_exchange_weak(&projecting->first, &known, index))
            ;
    }
}

/* The first point is that of the first element in the file's order, whatever the number of threads. */
void ewi_project_initial(const struct ewi_plan *plan, const ew_problem *problem, double *state,
                         struct ewi_bad_points *points)
{
    int32_t elements = plan->grid->elements;
    struct projecting all = {.plan = plan, .problem = problem, .state = state, .first = elements};
    ewi_parallel_shares(elements, problem->initial.formula ? EWI_FEW : elements, project_elements, &all);
    *points = (struct ewi_bad_points){.t = problem->time, .data = &problem->initial};
    if (all.bad > 0)
        project_element(plan, problem, plan->mesh->order[all.first], NULL, points);
    points->bad = all.bad;
    points->points = (int64_t)elements * (plan->basis->nq + (ewi_bed_has(plan->law) ? 3 * plan->basis->ne : 0));
    ewi_fill_padding(plan, state);
}
