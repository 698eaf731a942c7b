/* SPDX-License-Identifier: BSD-2-Clause */
/* Blow-up check: a state may be admissible, but far larger than all given values. */
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_plan_parts.h"
#include "ewi_solver.h"

#include <math.h>
#include <stdio.h>

/*
 * How many times the greatest value that was given a mean may have. A shock compresses a gas six times, and bores are a
 * few times as deep as the water before them; a linear law's variables differ by a wave's impedance.
 */
#define BLOW_UP_FACTOR 1e3
#define LINEAR_BLOW_UP_FACTOR 1e9
enum { SAMPLES = 8 }; /* at states given by formulas of t */

/* The first variable, for laws with a positive one: others may be 0 at first. */
static int variables_of(const struct ewi_plan *plan)
{
    return plan->law->has_positive ? 1 : plan->variables;
}

static void raise(double *most, double value)
{
    if (fabs(value) > *most) /* no NaN is */
        *most = fabs(value);
}

static double mean_of(const struct ewi_plan *plan, const double *state, int32_t i, int m)
{
    return sqrt(2.0) * state[ewi_layout_index(plan->width, plan->rows, m * plan->basis->np, i)];
}

/* The greatest mean, and where it is. */
static double greatest(const struct ewi_plan *plan, const double *state, int32_t *element, int *variable)
{
    double most = 0.0;
    for (int m = 0; m < variables_of(plan); m++)
        for (int32_t i = 0; i < plan->grid->elements; i++) {
            double value = fabs(mean_of(plan, state, i, m));
            if (!(value > most))
                continue;
            most = value;
            *element = i;
            *variable = m;
        }
    return most;
}

void ewi_plan_find_most(struct ewi_plan *plan)
{
    int32_t element;
    int variable, ne = plan->basis->ne;
    plan->most = greatest(plan, plan->initial, &element, &variable);
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        const struct ewi_edge_group *group = &plan->grid->group[b];
        for (int32_t slot = group->first; plan->boundary[b].given && slot < group->first + group->count; slot++)
            for (int m = 0; m < variables_of(plan); m++)
                raise(&plan->most, plan->given[ewi_layout_index(EWI_TILE, ne * plan->variables, m, slot)]);
    }
}

static void raise_by_formula(const struct ewi_plan *plan, int32_t boundary, double t, double *most)
{
    const struct ewi_edge_group *group = &plan->grid->group[boundary];
    for (int32_t slot = group->first; slot < group->first + group->count; slot++) {
        double primitive[EW_MAX_VARIABLES] = {0}, conserved[EW_MAX_VARIABLES];
        const double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * plan->basis->ne, 0, slot);
        ewi_data_evaluate(&plan->boundary[boundary].state, 1, &point[0], &point[EWI_TILE], t, primitive);
        plan->law->conserved(plan->parameter, primitive, conserved);
        for (int m = 0; m < variables_of(plan); m++)
            raise(most, conserved[m]);
    }
}

/* The greatest value that was given until now; infinity if that is not known. */
static double most_given(const ew_solver *solver)
{
    const struct ewi_plan *plan = solver->plan;
    double most = plan->most;
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        if (!plan->boundary[b].time_dependent)
            continue;
        if (!plan->boundary[b].state.formula)
            return INFINITY;
        for (int k = 1; k <= SAMPLES; k++)
            raise_by_formula(plan, b, plan->start + (solver->time - plan->start) * k / SAMPLES, &most);
    }
    return most;
}

int ew_solver_check_growth(ew_solver *solver, ew_error *error)
{
    EWI_REQUIRE(solver);
    const struct ewi_plan *plan = solver->plan;
    const double *state;
    int32_t i = 0;
    int m = 0, status = ewi_solver_view(solver, &state, error);
    if (status != EW_OK)
        return status;
    double value = greatest(plan, state, &i, &m), most = plan->most,
           factor = plan->law->has_positive ? BLOW_UP_FACTOR : LINEAR_BLOW_UP_FACTOR;
    if (value > factor * most)
        most = most_given(solver);
    if (!(value > factor * most) || most == 0.0)
        return EW_OK;
    char advice[400];
    struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
    ewi_advise(plan, i, true, advice, sizeof advice);
    return ewi_fail(error, EW_ESTATE,
                    "at t = %.10g the mean of %s is %.3g in element %d with the centroid (%.6g, %.6g), but the initial "
                    "state and the boundaries have at most %.3g: the run is unstable there, though it has not broken; "
                    "%s",
                    solver->time, plan->law->info->conserved[m], mean_of(plan, state, i, m),
                    plan->mesh->file_index[i], corner.x + (corner.xr + corner.xs) / 3.0,
                    corner.y + (corner.yr + corner.ys) / 3.0, most, advice);
}
