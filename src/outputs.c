/* SPDX-License-Identifier: BSD-2-Clause */
/* The names and numbers of a solver's output quantities. */
#include "ewi_error.h"
#include "ewi_formula.h"
#include "ewi_solver.h"

int ewi_solver_check_output(const ew_solver *solver, int output, ew_error *error)
{
    const ew_law *law = solver->plan->law->info;
    int known = solver->plan->quantities;
    if (ew_solver_output(solver, output, NULL))
        return EW_OK;
    return known ? ewi_fail(error, EW_EINVAL, "the law \"%s\", with %d quantities by formula, has no quantity %d",
                            law->name, known, output)
                 : ewi_fail(error, EW_EINVAL, "the law \"%s\" has no quantity %d", law->name, output);
}

int ew_solver_output_varies(const ew_solver *solver, int index)
{
    int k = solver ? index - ewi_law_outputs(solver->plan->law->info) : 0;
    return solver && (k < 0 || k >= solver->plan->quantities || ewi_program_varies(solver->plan->quantity[k].program));
}

int ew_solver_output_is_linear(const ew_solver *solver, int index)
{
    struct ewi_output output;
    return solver && ewi_plan_output(solver->plan, index, &output) && output.from == EWI_FROM_AVERAGE &&
           !ewi_average_is_smooth(solver->plan->averages.average[output.index].statistic);
}

const char *ew_solver_output(const ew_solver *solver, int index, const char **long_name)
{
    struct ewi_output output;
    if (long_name)
        *long_name = NULL;
    if (!solver || !ewi_plan_output(solver->plan, index, &output))
        return NULL;
    const struct ewi_plan *plan = solver->plan;
    int formula = index - ewi_law_outputs(plan->law->info);
    if (formula < 0)
        return ew_law_output(plan->law->info, index, long_name);
    bool is_average = output.from == EWI_FROM_AVERAGE;
    if (long_name)
        *long_name = is_average ? plan->averages.average[output.index].description
                                : plan->quantity[formula].description;
    return is_average ? plan->averages.average[output.index].name : plan->quantity[formula].name;
}
