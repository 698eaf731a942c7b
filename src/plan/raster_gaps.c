/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Warnings of rasters that lack values for the exact solution or a quantity at the start. Both may be NaN; all other
 * formulas must have values.
 */
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_formula.h"
#include "ewi_host.h"
#include "ewi_plan_parts.h"

/* Points of the reference triangle. */
struct points {
    int count;
    const double *r, *s;
};

/*
 * True if a formula is NaN at a point because a raster has no value there. A quantity sees a state of ones, because
 * rasters are nearly always of x, y and t alone.
 */
static bool has_gap(const ew_formula *formula, double x, double y, double t, char *why, size_t size)
{
    const struct ewi_program *program = ewi_formula_program(formula);
    double state[EW_MAX_OUTPUTS], value[EWI_FORMULA_OUTPUTS];
    bool is_nan = false;
    for (int k = 0; k < EW_MAX_OUTPUTS; k++)
        state[k] = 1.0;
    ewi_program_evaluate(program->code, program->length, program->constant, program->raster, x, y, t, state, value, 1);
    for (int k = 0; k < ew_formula_outputs(formula); k++)
        is_nan = is_nan || value[k] != value[k];
    return is_nan && ewi_formula_explain(formula, x, y, t, state, why, size);
}

static void warn_of(const struct ewi_plan *plan, const ew_formula *formula, double t, struct points at,
                    const char *what, const char *name)
{
    char why[EWI_EXPLANATION], where[160];
    struct ewi_bad_points gaps = {.points = (int64_t)plan->grid->elements * at.count};
    if (!formula || ewi_formula_program(formula)->rasters == 0)
        return;
    for (int32_t i = 0; i < plan->grid->elements; i++) {
        struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
        double x[EWI_MAX_NF], y[EWI_MAX_NF];
        ewi_points_in(&corner, at.count, at.r, at.s, x, y);
        for (int k = 0; k < at.count; k++) {
            char here[EWI_EXPLANATION];
            if (has_gap(formula, x[k], y[k], t, gaps.bad > 0 ? here : why, sizeof why))
                ewi_count_bad_point(&gaps, x[k], y[k], NULL, 0);
        }
    }
    if (gaps.bad > 0)
        ewi_log(&plan->host, EW_LOG_WARNING, "%s%s is NaN %s, t = %g; %s", what, name,
                ewi_bad_points_where(&gaps, where, sizeof where), t, why);
}

void ewi_gaps_warn(const struct ewi_plan *plan, const ew_problem *problem)
{
    const struct ewi_basis *basis = plan->basis;
    const struct points rule = {basis->nq, basis->r, basis->s};
    double r[EWI_MAX_NP], s[EWI_MAX_NP];
    int nodes = 0;
    for (int b = 0; b <= basis->order; b++)
        for (int a = 0; a + b <= basis->order; a++, nodes++) {
            r[nodes] = (double)a / basis->order;
            s[nodes] = (double)b / basis->order;
        }
    warn_of(plan, problem->exact.formula, problem->time, rule, "the exact solution", "");
    for (int k = 0; k < problem->quantities; k++)
        warn_of(plan, problem->quantity[k].formula, problem->time, (struct points){nodes, r, s}, "the quantity ",
                problem->quantity[k].name);
}
