/* SPDX-License-Identifier: BSD-2-Clause */
/* The names and numbers of a solver's output quantities. */
#include "ewi_error.h"
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

const char *ew_solver_output(const ew_solver *solver, int index, const char **long_name)
{
    struct ewi_output output;
    if (long_name)
        *long_name = NULL;
    if (!solver || !ewi_plan_output(solver->plan, index, &output))
        return NULL;
    const struct ewi_plan *plan = solver->plan;
    bool is_formula = output.from == EWI_FROM_FORMULA;
    if (!is_formula && output.from != EWI_FROM_AVERAGE)
        return ew_law_output(plan->law->info, index, long_name);
    if (long_name)
        *long_name = is_formula ? plan->quantity[output.index].description
                                : plan->averages.average[output.index].description;
    return is_formula ? plan->quantity[output.index].name : plan->averages.average[output.index].name;
}
