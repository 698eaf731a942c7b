/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Local time steps, for steady flows: in a step of length dt element i advances by dt times its width over the smallest
 * one. Its right-hand side is multiplied by that ratio, by way of 1/det J, so no kernel knows of it, and a steady state
 * is the same as without.
 */
#include "ewi_bed.h"
#include "ewi_diagnostics.h"
#include "ewi_host.h"
#include "ewi_plan_parts.h"

static void check_time(const struct ewi_plan *plan, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    bool source = (ewi_data_variables(&problem->source) & EW_T) != 0;
    const char *what = plan->time_dependent ? "a boundary" : source ? "the source" : NULL;
    if (what)
        ewi_diagnose(diagnostics, (ew_place){.member = "local_step"},
                     "with local steps the elements are not at one time, but %s depends on t; take steps by element",
                     what);
}

void ewi_local_steps_check(const struct ewi_plan *plan, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    ew_place place = {.member = "local_step"};
    if (!plan->local_step)
        return;
    if (plan->uniform_step || plan->levels != 1)
        ewi_diagnose(diagnostics, place, "the steps are local and %s; leave one of these out",
                     plan->uniform_step ? "uniform" : "have levels");
    if (!plan->watches_change)
        ewi_diagnose(diagnostics, place,
                     "local steps lead to a steady state only; give steady or steady_orders, which say when");
    if (ewi_bed_has(plan->law))
        ewi_diagnose(diagnostics, place, "the law \"%s\" has no local steps so far; take steps by element",
                     plan->law->info->name);
    if (plan->outflow || plan->average_slots > 0)
        ewi_diagnose(diagnostics, (ew_place){.member = plan->outflow ? "outflow" : "averages"},
                     "%s over time, and with local steps the elements are not at one time; leave it out",
                     plan->outflow ? "the outflow is integrated" : "averages are taken");
    check_time(plan, problem, diagnostics);
}

bool ewi_local_steps_fill(struct ewi_plan *plan)
{
    const struct ewi_grid *grid = plan->grid;
    plan->step_ratio = ewi_alloc(&plan->host, (size_t)grid->elements, sizeof *plan->step_ratio);
    if (!plan->step_ratio)
        return false;
    for (int32_t i = 0; i < grid->elements; i++) {
        double *inverse_det = &grid->geometry[ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_INVERSE_DET, i)];
        double ratio = 1.0 / plan->width_ratio[i];
        plan->step_ratio[i] = ratio;
        *inverse_det *= ratio;
        plan->width_ratio[i] = 1.0;
        if (plan->diffusion_rate)
            plan->diffusion_rate[i] *= ratio;
    }
    return true;
}

void ewi_local_steps_undo(const struct ewi_plan *plan, double *rhs)
{
    for (int32_t i = 0; plan->step_ratio && i < plan->grid->elements; i++)
        for (int row = 0; row < plan->rows; row++)
            rhs[ewi_layout_index(plan->width, plan->rows, row, i)] /= plan->step_ratio[i];
}
