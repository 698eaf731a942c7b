/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of place and time: formulas or callbacks. */
#include "ewi_data.h"

bool ewi_data_is_given(const ew_data *data)
{
    return data->formula || data->callback;
}

bool ewi_data_has_outputs(const ew_data *data, int outputs)
{
    return ewi_data_is_given(data) && (!data->formula || ew_formula_outputs(data->formula) == outputs);
}

unsigned ewi_data_variables(const ew_data *data)
{
    return data->formula ? ew_formula_variables(data->formula) : data->callback ? data->variables : 0;
}

void ewi_data_evaluate(const ew_data *data, size_t n, const double *x, const double *y, double t, double *values)
{
    if (data->formula)
        ew_formula_evaluate(data->formula, n, x, y, t, values, n);
    else
        data->callback(data->context, n, x, y, t, values);
}
