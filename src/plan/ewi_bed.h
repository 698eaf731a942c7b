/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan's part for water over a bed (physics/shallow_water_bed.h). */
#ifndef EWI_BED_H
#define EWI_BED_H

#include "ewi_basis.h"
#include "ewi_bed_rows.h"
#include "ewi_plan.h"

#include <math.h>

struct ewi_diagnostics;

bool ewi_bed_has(const struct ewi_law *law);

/* The mean of an element whose first coefficient is c; of the depth over a bed, that itself but for its sign. */
static inline double ewi_mean_of(const struct ewi_law *law, int m, double c)
{
    return ewi_bed_has(law) && m == EWI_BED_DEPTH ? fabs(c) : EWI_SQRT2 * c;
}

/* Chooses what the law needs: the kernels edgewise, and positivity; reports what it cannot have. */
void ewi_bed_choose(struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics);

/*
 * The rows c[rows] of element i from data of the primitive variables, before the pass that settles an element
 * (kernels/bed_settle.h). Counts the points where the data are not admissible.
 */
void ewi_bed_project(const struct ewi_plan *plan, const ew_data *data, double time, int32_t i, double *c,
                     struct ewi_bad_points *points);

void ewi_bed_count_bad_point(struct ewi_bad_points *points, double x, double y, const double *given);

/* The mean depth of an element in the initial state, which has not been settled yet. */
double ewi_bed_initial_depth(const struct ewi_plan *plan, int32_t i);

/* The depth `dry`, where the case gives none: 1e-6 of the largest mean depth. Without water there must be one. */
void ewi_bed_find_dry(struct ewi_plan *plan, struct ewi_diagnostics *diagnostics);

#endif
