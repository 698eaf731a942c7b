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
    const struct {
        bool depends;
        const char *name;
    } data[] = {{plan->time_dependent, "a boundary"},
                {(ewi_data_variables(&problem->source) & EW_T) != 0, "the source"}};
    for (int k = 0; k < 2; k++)
        if (data[k].depends)
            ewi_diagnose(diagnostics, (ew_place){.member = "local_step"},
                         "with local steps the elements are not at one time, but %s depends on t; take steps by "
                         "element", data[k].name);
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
                     "local steps are for steady states; give steady or steady_orders, by which the run ends");
    if (ewi_bed_has(plan->law))
        ewi_diagnose(diagnostics, place, "the law \"%s\" has no local steps so far; take steps by element",
                     plan->law->info->name);
    if (plan->outflow)
        ewi_diagnose(diagnostics, (ew_place){.member = "outflow"},
                     "with local steps the elements are not at one time, so no outflow is integrated; leave it out");
    if (plan->average_slots > 0)
        ewi_diagnose(diagnostics, (ew_place){.member = "averages"},
                     "with local steps the elements are not at one time, so there are no averages; leave them out");
    check_time(plan, problem, diagnostics);
}

void ewi_local_steps_scale(const struct ewi_plan *plan, const struct ewi_grid *grid)
{
    for (int32_t i = 0; plan->step_ratio && i < grid->elements; i++)
        grid->geometry[ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_INVERSE_DET, i)] *= plan->step_ratio[i];
}

bool ewi_local_steps_fill(struct ewi_plan *plan)
{
    plan->step_ratio = ewi_alloc(&plan->host, (size_t)plan->grid->elements, sizeof *plan->step_ratio);
    if (!plan->step_ratio)
        return false;
    for (int32_t i = 0; i < plan->grid->elements; i++) {
        plan->step_ratio[i] = 1.0 / plan->width_ratio[i];
        plan->width_ratio[i] = 1.0;
        if (plan->diffusion_rate)
            plan->diffusion_rate[i] *= plan->step_ratio[i];
    }
    ewi_local_steps_scale(plan, plan->grid);
    return true;
}

void ewi_local_steps_undo(const struct ewi_plan *plan, double *rhs)
{
    for (int32_t i = 0; plan->step_ratio && i < plan->grid->elements; i++)
        for (int row = 0; row < plan->rows; row++)
            rhs[ewi_layout_index(plan->width, plan->rows, row, i)] /= plan->step_ratio[i];
}
