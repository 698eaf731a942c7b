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
    if (output.from != EWI_FROM_FORMULA)
        return ew_law_output(solver->plan->law->info, index, long_name);
    const struct ewi_plan_quantity *quantity = &solver->plan->quantity[output.index];
    if (long_name)
        *long_name = quantity->description;
    return quantity->name;
}
