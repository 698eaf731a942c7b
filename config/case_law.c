/* SPDX-License-Identifier: BSD-2-Clause */
/* The law, the names that formulas may use, and the law's given fields. */
#include "ewi_case.h"

#include <math.h>
#include <string.h>

/* "law" is a name, or a group with one. */
void ewi_read_law(struct ewi_reader *reader)
{
    const config_setting_t *setting = ewi_get(reader->root, "law");
    const char *name = ewi_option_find("law")->value;
    bool given;
    if (setting && config_setting_is_group(setting))
        given = !config_setting_get_member(setting, "name") || ewi_get_text(reader, setting, "law.name", &name);
    else
        given = !config_setting_get_member(reader->root, "law") || ewi_get_text(reader, reader->root, "law", &name);
    bool has_bed = setting && config_setting_is_group(setting) && config_setting_get_member(setting, "bed");
    if (has_bed && strcmp(name, "shallow-water") == 0)
        name = EWI_LAW_WITH_BED;
    reader->law = given ? ew_law_find(name) : NULL;
    if (reader->law && ewi_law_has_bed(reader) && !has_bed)
        ewi_issue(reader, config_setting_get_member(reader->root, "law"),
                  "the law \"%s\" needs a bed: law = { name = \"shallow-water\"; bed = \"...\"; }", name);
    reader->that->problem.law = reader->law ? reader->law->name : NULL;
}

/* The name becomes NaN, so that its uses are not reported as well. */
static void add_broken_name(struct ewi_reader *reader, const char *name)
{
    reader->broken_name = true;
    if (ew_scope_set(reader->scope, name, NAN, NULL) == EW_ENOMEM)
        reader->out_of_memory = true;
}

static void name_issue(struct ewi_reader *reader, const config_setting_t *setting, int status, const ew_error *error)
{
    char path[256];
    if (status == EW_ENOMEM)
        reader->out_of_memory = true;
    else
        ewi_issue(reader, setting, "%s: %s", ewi_setting_path(setting, path, sizeof path), error->message);
}

static void read_parameters(struct ewi_reader *reader)
{
    const config_setting_t *group = ewi_get(reader->root, "law");
    const ew_law *law = reader->law;
    ew_problem *problem = &reader->that->problem;
    ew_parameter *parameter = ewi_keep(reader, (size_t)law->parameters, sizeof *parameter);
    double value[EW_MAX_PARAMETERS];
    if (!parameter)
        return;
    problem->parameter = parameter;
    for (int k = 0; k < law->parameters; k++) {
        const config_setting_t *setting =
            group && config_setting_is_group(group) ? config_setting_get_member(group, law->parameter[k].name) : NULL;
        value[k] = law->parameter[k].value;
        if (!setting || !ewi_type_fits(ewi_option_find("law.PARAMETER"), setting))
            continue;
        if (!ewi_constant(reader, setting, &value[k])) {
            reader->broken_name = true;
            value[k] = NAN;
        }
        parameter[problem->parameters++] = (ew_parameter){.name = law->parameter[k].name, .value = value[k]};
    }
    /* only now, because a parameter's own formula may not use names */
    for (int k = 0; k < law->parameters; k++)
        if (ew_scope_set(reader->scope, law->parameter[k].name, value[k], NULL) == EW_ENOMEM)
            reader->out_of_memory = true;
}

static void break_parameter(struct ewi_reader *reader, const char *name)
{
    const config_setting_t *let = ewi_get(reader->root, "let");
    if (!let || !config_setting_get_member(let, name))
        add_broken_name(reader, name);
}

/* If the law is unknown, the parameters of any law may be meant, and those that the case sets. */
static void break_parameters(struct ewi_reader *reader)
{
    const config_setting_t *group = ewi_get(reader->root, "law");
    const char *name;
    for (int i = 0; (name = ew_list_name(EW_LAWS, i)) != NULL; i++)
        for (int k = 0; k < ew_law_find(name)->parameters; k++)
            break_parameter(reader, ew_law_find(name)->parameter[k].name);
    for (int k = 0; group && config_setting_is_group(group) && k < config_setting_length(group); k++)
        break_parameter(reader, config_setting_name(config_setting_get_elem(group, (unsigned)k)));
}

static bool is_parameter(const ew_law *law, const char *name)
{
    for (int k = 0; law && k < law->parameters; k++)
        if (strcmp(law->parameter[k].name, name) == 0)
            return true;
    return false;
}

static void read_let(struct ewi_reader *reader, const config_setting_t *setting)
{
    const char *name = config_setting_name(setting);
    char digits[EWI_DIGITS];
    ew_error error;
    const char *text = NULL;
    if (ewi_type_fits(ewi_option_find("let.NAME"), setting))
        text = ewi_formula_text(reader, setting, digits);
    if (is_parameter(reader->law, name)) {
        ewi_issue(reader, setting, "let.%s: the name \"%s\" is taken: it is the law's parameter, which law.%s sets; "
                  "choose another one", name, name, name);
        return;
    }
    int status = text ? ew_scope_define(reader->scope, name, text, &error) : EW_OK;
    if (status != EW_OK)
        name_issue(reader, setting, status, &error);
    if (!text || status != EW_OK)
        add_broken_name(reader, name);
}

/* The bed may use names of `let`, and is a name for the states. */
static void read_bed(struct ewi_reader *reader)
{
    const config_setting_t *law = ewi_get(reader->root, "law"), *bed = law ? ewi_get(law, "law.bed") : NULL;
    char digits[EWI_DIGITS];
    ew_data unused;
    ew_error error;
    if (!ewi_law_has_bed(reader))
        return;
    bool good = bed && ewi_get_formulas(reader, law, "law.bed", EW_X | EW_Y, &unused);
    const char *text = good ? ewi_formula_text(reader, bed, digits) : NULL;
    int status = text ? ew_scope_define(reader->scope, "bed", text, &error) : EW_OK;
    if (status != EW_OK)
        name_issue(reader, bed, status, &error);
    if (!text || status != EW_OK)
        add_broken_name(reader, "bed");
}

void ewi_read_scope(struct ewi_reader *reader)
{
    if (reader->law)
        read_parameters(reader);
    else
        break_parameters(reader);
    const config_setting_t *let = ewi_get(reader->root, "let");
    for (int k = 0; let && k < config_setting_length(let); k++)
        read_let(reader, config_setting_get_elem(let, (unsigned)k));
    read_bed(reader);
}

void ewi_read_field(struct ewi_reader *reader)
{
    const config_setting_t *group = ewi_get(reader->root, "law");
    if (!reader->law || reader->law->fields == 0)
        return;
    bool given = group && config_setting_is_group(group) && config_setting_get_member(group, "velocity");
    if (given)
        ewi_get_formulas(reader, group, "law.velocity", EW_X | EW_Y, &reader->that->problem.field);
    else
        ewi_issue(reader, config_setting_get_member(reader->root, "law"),
                  "the law \"%s\" needs a velocity: law = { name = \"%s\"; velocity = [ \"...\", \"...\" ]; }",
                  reader->law->name, reader->law->name);
}
