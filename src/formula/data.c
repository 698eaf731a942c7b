/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of place and time: formulas or callbacks. */
#include "ewi_data.h"
#include "ewi_formula.h"

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

const char *ewi_data_explain(const ew_data *data, double x, double y, double t, char text[EWI_EXPLANATION])
{
    text[0] = ';';
    text[1] = ' ';
    bool explained = data && data->formula && !(ew_formula_variables(data->formula) & EW_STATE) &&
                     ewi_formula_explain(data->formula, x, y, t, NULL, text + 2, EWI_EXPLANATION - 2);
    text[0] = explained ? ';' : '\0';
    return text;
}

void ewi_data_evaluate(const ew_data *data, size_t n, const double *x, const double *y, double t, double *values)
{
    if (data->formula)
        ew_formula_evaluate(data->formula, n, x, y, t, values, n);
    else
        data->callback(data->context, n, x, y, t, values);
}
