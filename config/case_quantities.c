/* SPDX-License-Identifier: BSD-2-Clause */
/* output.quantities: quantities by formulas, which other keys of output name like those of the law. */
#include "ewi_case.h"

#include <math.h>
#include <string.h>

static bool is_of_law(const ew_law *law, const char *name)
{
    for (int k = 0; ew_law_output(law, k, NULL); k++)
        if (strcmp(ew_law_output(law, k, NULL), name) == 0)
            return true;
    return false;
}

/* Later formulas may use it, and must not fail for a wrong one. Names of the law are an error of the problem. */
static void define(struct ewi_reader *reader, const config_setting_t *setting, const char *text)
{
    const char *name = config_setting_name(setting);
    ew_error error;
    if (is_of_law(reader->law, name))
        return;
    int status = text ? ew_scope_define(reader->scope, name, text, &error)
                      : ew_scope_set(reader->scope, name, NAN, &error);
    if (status == EW_ENOMEM)
        reader->out_of_memory = true;
    else if (status != EW_OK)
        ewi_issue(reader, setting, "output.quantities.%s: %s", name, error.message);
}

/* An invalid formula leaves the quantity's NULL, so that keys that name the quantity cause no further errors. */
static void read_quantity(struct ewi_reader *reader, const config_setting_t *setting, ew_quantity *quantity)
{
    char digits[EWI_DIGITS];
    ew_data data = {.formula = NULL};
    bool good = ewi_type_fits(ewi_option_find("output.quantities.NAME"), setting) &&
                ewi_compile_formulas(reader, 1, &setting, EW_X | EW_Y | EW_T | EW_STATE, &data);
    const char *text = good ? ewi_formula_text(reader, setting, digits) : NULL;
    quantity->name = ewi_keep_text(reader, config_setting_name(setting));
    quantity->description = text ? ewi_keep_text(reader, text) : NULL;
    quantity->formula = data.formula;
    define(reader, setting, text);
}

static void read_all(struct ewi_reader *reader, const config_setting_t *group)
{
    ew_problem *problem = &reader->that->problem;
    int count = config_setting_length(group);
    ew_quantity *quantity = ewi_keep(reader, (size_t)count, sizeof *quantity);
    if (!quantity)
        return;
    for (int k = 0; k < count; k++)
        read_quantity(reader, config_setting_get_elem(group, (unsigned)k), &quantity[k]);
    problem->quantity = quantity;
    problem->quantities = count;
}

void ewi_read_quantities(struct ewi_reader *reader)
{
    const config_setting_t *group = ewi_get(ewi_get(reader->root, "output"), "output.quantities");
    ew_scope *outer = reader->scope, *scope;
    ew_error error;
    if (!group || !reader->law || !ewi_check_names_of_state(reader, "output.quantities"))
        return;
    int status = ew_scope_with_outputs(outer, reader->law, &scope, &error);
    if (status == EW_ENOMEM)
        reader->out_of_memory = true;
    else if (status != EW_OK)
        ewi_issue(reader, group, "output.quantities: %s", error.message);
    if (status != EW_OK)
        return;
    reader->scope = scope;
    read_all(reader, group);
    reader->scope = outer;
    ew_scope_destroy(scope);
}
