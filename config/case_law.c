/* SPDX-License-Identifier: BSD-2-Clause */
/* The law, the names that formulas may use, and the law's given fields. */
#include "ewi_case.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

static const config_setting_t *member_of_law(const struct ewi_reader *reader, const char *name)
{
    const config_setting_t *group = ewi_get(reader->root, "law");
    return group && config_setting_is_group(group) ? config_setting_get_member(group, name) : NULL;
}

bool ewi_has_bulk_modulus(const ew_law *law)
{
    return strncmp(law->name, "acoustics", strlen("acoustics")) == 0;
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

/* Derives c0, the second parameter of acoustics, from law.bulk_modulus. */
static void read_bulk_modulus(struct ewi_reader *reader, ew_parameter *parameter, double *value)
{
    const config_setting_t *setting = member_of_law(reader, "bulk_modulus");
    ew_problem *problem = &reader->that->problem;
    double modulus = 0.0;
    if (!setting || reader->law->media || !ewi_has_bulk_modulus(reader->law) || member_of_law(reader, "c0") ||
        !ewi_type_fits(ewi_option_find("law.bulk_modulus"), setting))
        return;
    if (ewi_constant(reader, setting, &modulus) && !(modulus > 0.0))
        ewi_issue(reader, setting, "law.bulk_modulus is %g; it must be greater than 0", modulus);
    reader->broken_name = reader->broken_name || !(modulus > 0.0);
    value[1] = sqrt(modulus / value[0]);
    parameter[problem->parameters++] = (ew_parameter){.name = reader->law->parameter[1].name, .value = value[1]};
}

/* A parameter without a default that the case does not give; group: "law", or NULL. */
static void report_missing(struct ewi_reader *reader, const config_setting_t *group, int k)
{
    bool is_group = group && config_setting_is_group(group);
    ewi_issue(reader, is_group ? group : config_setting_get_member(reader->root, "law"),
              "the law \"%s\" needs law.%s, the %s", reader->law->name, reader->law->parameter[k].name,
              reader->law->parameter[k].description);
    reader->broken_name = true;
}

/* Reports law.S where it would have no effect. */
static void check_sutherland(struct ewi_reader *reader, const double *value)
{
    const config_setting_t *setting = member_of_law(reader, "S");
    const ew_law *law = reader->law;
    bool has_none = !member_of_law(reader, "T0");
    for (int k = 0; k < law->parameters; k++)
        has_none = has_none || (strcmp(law->parameter[k].name, "T0") == 0 && value[k] == 0.0);
    if (setting && has_none)
        ewi_issue(reader, setting, "law.S has no effect without law.T0, the temperature p/rho at which the viscosity "
                  "is mu; give law.T0 a value above 0, or remove law.S");
}

/* ---- parameters ---- */

/* The law's parameters, whose formulas may use names of `let`, which may use parameters. */
struct parameters {
    double value[EW_MAX_PARAMETERS];
    const config_setting_t *given[EW_MAX_PARAMETERS];   /* by the case, or NULL */
    const config_setting_t *pending[EW_MAX_PARAMETERS]; /* a formula without a value so far, or NULL */
};

/*
 * Parameters may use names of `let`, which may use parameters: each round evaluates those whose names all have values.
 * A parameter that is left over has an error, or depends on itself.
 */

/* Notes a lack of memory; other failures are expected, since another round may have the name that lacks. */
static bool succeeded(struct ewi_reader *reader, int status)
{
    reader->out_of_memory = reader->out_of_memory || status == EW_ENOMEM;
    return status == EW_OK;
}

static void try_let(struct ewi_reader *reader, ew_scope *scope, const config_setting_t *setting)
{
    const char *name = config_setting_name(setting);
    if (config_setting_type(setting) == CONFIG_TYPE_STRING)
        succeeded(reader, ew_scope_define(scope, name, config_setting_get_string(setting), NULL));
    else if (config_setting_is_number(setting))
        succeeded(reader, ew_scope_set(scope, name, ewi_literal(setting), NULL));
}

/* A scope of the parameters that have values and the names of `let` that need no others. NULL: memory is short. */
static ew_scope *known_names(struct ewi_reader *reader, const struct parameters *parameters)
{
    const config_setting_t *let = ewi_get(reader->root, "let");
    ew_scope *scope;
    if (!succeeded(reader, ew_scope_create(&reader->host, &scope, NULL)))
        return NULL;
    succeeded(reader, ewi_provide_rasters(reader, scope, NULL));
    for (int k = 0; k < reader->law->parameters; k++)
        if (!parameters->pending[k])
            succeeded(reader, ew_scope_set(scope, reader->law->parameter[k].name, parameters->value[k], NULL));
    for (int k = 0; let && k < config_setting_length(let); k++)
        try_let(reader, scope, config_setting_get_elem(let, (unsigned)k));
    return scope;
}

static bool is_constant_in(struct ewi_reader *reader, const ew_scope *scope, const config_setting_t *setting)
{
    const char *text = config_setting_get_string(setting);
    ew_formula *formula = NULL;
    bool is_constant = succeeded(reader, ew_formula_create(scope, 1, &text, &formula, NULL)) &&
                       ew_formula_variables(formula) == 0;
    ew_formula_destroy(formula);
    return is_constant;
}

/* True for a text that is not a constant: a formula of x and y, or an invalid one. */
static bool is_field(struct ewi_reader *reader, const ew_scope *scope, const config_setting_t *setting)
{
    return setting && config_setting_get_string(setting) && !is_constant_in(reader, scope, setting);
}

/* A formula of x and y in place of a parameter is one of media, if the law has them. */
static bool has_media(struct ewi_reader *reader)
{
    const ew_law *law = reader->law, *other = ew_law_of_media(law);
    if (!other)
        return false;
    struct parameters any = {.value = {0}}; /* which formulas are constant does not depend on the values */
    ew_scope *scope = known_names(reader, &any);
    bool has = scope && ewi_has_bulk_modulus(law) && is_field(reader, scope, member_of_law(reader, "bulk_modulus"));
    for (int k = 0; scope && k < other->fields; k++)
        has = has || is_field(reader, scope, member_of_law(reader, other->field[k]));
    ew_scope_destroy(scope);
    return has;
}

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
    if (reader->law && has_media(reader))
        reader->law = ew_law_of_media(reader->law);
    reader->that->problem.law = reader->law ? reader->law->name : NULL;
}

static void read_parameter(struct ewi_reader *reader, const config_setting_t *setting, double *value)
{
    if (ewi_constant(reader, setting, value))
        return;
    reader->broken_name = true;
    *value = NAN;
}

static bool has_pending(const struct ewi_reader *reader, const struct parameters *parameters)
{
    for (int k = 0; k < reader->law->parameters; k++)
        if (parameters->pending[k])
            return true;
    return false;
}

/* Reads the pending parameters whose names all have values; returns true if there was one. */
static bool evaluate_known(struct ewi_reader *reader, struct parameters *parameters)
{
    bool any = false;
    ew_scope *whole = reader->scope, *scope = known_names(reader, parameters);
    for (int k = 0; scope && k < reader->law->parameters; k++) {
        if (!parameters->pending[k] || !is_constant_in(reader, scope, parameters->pending[k]))
            continue;
        reader->scope = scope;
        read_parameter(reader, parameters->pending[k], &parameters->value[k]);
        reader->scope = whole;
        parameters->pending[k] = NULL;
        any = true;
    }
    ew_scope_destroy(scope);
    return any;
}

/* Parameters that are still pending become NaN, so that their uses are not reported as well. */
static void evaluate_pending(struct ewi_reader *reader, struct parameters *parameters)
{
    while (has_pending(reader, parameters) && evaluate_known(reader, parameters))
        continue;
    for (int k = 0; k < reader->law->parameters; k++)
        if (parameters->pending[k]) {
            reader->broken_name = true;
            parameters->value[k] = NAN;
        }
}

static void collect_parameters(struct ewi_reader *reader, struct parameters *parameters)
{
    const config_setting_t *group = ewi_get(reader->root, "law");
    const ew_law *law = reader->law;
    for (int k = 0; k < law->parameters; k++) {
        const config_setting_t *setting = member_of_law(reader, law->parameter[k].name);
        parameters->value[k] = law->parameter[k].value;
        if (isnan(law->parameter[k].value) && !setting)
            report_missing(reader, group, k);
        if (!setting || !ewi_type_fits(ewi_option_find("law.PARAMETER"), setting))
            continue;
        parameters->given[k] = setting;
        if (config_setting_is_number(setting))
            read_parameter(reader, setting, &parameters->value[k]);
        else
            parameters->pending[k] = setting;
    }
}

static void read_parameters(struct ewi_reader *reader, struct parameters *parameters)
{
    const ew_law *law = reader->law;
    ew_problem *problem = &reader->that->problem;
    ew_parameter *parameter = ewi_keep(reader, (size_t)law->parameters, sizeof *parameter);
    if (!parameter)
        return;
    problem->parameter = parameter;
    collect_parameters(reader, parameters);
    evaluate_pending(reader, parameters);
    for (int k = 0; k < law->parameters; k++)
        if (parameters->given[k])
            parameter[problem->parameters++] =
                (ew_parameter){.name = law->parameter[k].name, .value = parameters->value[k]};
    read_bulk_modulus(reader, parameter, parameters->value);
    if (strcmp(law->name, "navier-stokes") == 0)
        check_sutherland(reader, parameters->value);
    for (int k = 0; k < law->parameters; k++)
        if (ew_scope_set(reader->scope, law->parameter[k].name, parameters->value[k], NULL) == EW_ENOMEM)
            reader->out_of_memory = true;
}

/* Reports why parameters have no values; call it when all names are defined. */
static void report_pending(struct ewi_reader *reader, const struct parameters *parameters)
{
    char path[256];
    double unused;
    for (int k = 0; k < reader->law->parameters; k++)
        if (parameters->pending[k])
            ewi_constant(reader, parameters->pending[k], &unused);
    if (ewi_issue_told(reader, ewi_get(reader->root, "law")) || ewi_issue_told(reader, ewi_get(reader->root, "let")))
        return;
    for (int k = 0; k < reader->law->parameters; k++)
        if (parameters->pending[k])
            ewi_issue(reader, parameters->pending[k], "%s has no value: a name in its formula depends on itself",
                      ewi_setting_path(parameters->pending[k], path, sizeof path));
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
    for (int k = 0; law && law->media && k < law->fields; k++)
        if (strcmp(law->field[k], name) == 0)
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

/* ---- media ---- */

/* Defines a name by a formula of x and y; NULL and reported: it is none. */
static void define_medium(struct ewi_reader *reader, const config_setting_t *setting, const char *name,
                          const char *text)
{
    ew_error error;
    bool good = !text || !setting || ewi_check_formula(reader, setting, text, EW_X | EW_Y);
    int status = text && good ? ew_scope_define(reader->scope, name, text, &error) : EW_EINVAL;
    if (status == EW_OK)
        return;
    if (text && good)
        name_issue(reader, setting, status, &error);
    add_broken_name(reader, name);
}

/* The default of a parameter of the law with one medium. */
static double default_of(const ew_law *media, const char *parameter)
{
    const char *name;
    for (int i = 0; (name = ew_list_name(EW_LAWS, i)) != NULL; i++) {
        const ew_law *law = ew_law_find(name);
        for (int k = 0; ew_law_of_media(law) == media && k < law->parameters; k++)
            if (strcmp(law->parameter[k].name, parameter) == 0)
                return law->parameter[k].value;
    }
    return NAN;
}

/* Field k; without a formula it has the parameter's default. */
static void read_medium(struct ewi_reader *reader, int k)
{
    const char *name = reader->law->field[k];
    const config_setting_t *setting = member_of_law(reader, name), *bulk = member_of_law(reader, "bulk_modulus");
    char digits[EWI_DIGITS];
    if (setting && !ewi_type_fits(ewi_option_find("law.PARAMETER"), setting)) {
        add_broken_name(reader, name);
    } else if (!setting && bulk && strcmp(name, "c0") == 0) {
        bool fits = ewi_type_fits(ewi_option_find("law.bulk_modulus"), bulk);
        define_medium(reader, bulk, "bulk_modulus", fits ? ewi_formula_text(reader, bulk, digits) : NULL);
        define_medium(reader, NULL, name, "sqrt(bulk_modulus/rho0)");
    } else {
        ewi_snprintf(digits, sizeof digits, "%.17g", default_of(reader->law, name));
        define_medium(reader, setting, name, setting ? ewi_formula_text(reader, setting, digits) : digits);
    }
}

static void check_bulk_modulus(struct ewi_reader *reader)
{
    const config_setting_t *bulk = member_of_law(reader, "bulk_modulus");
    if (bulk && ewi_has_bulk_modulus(reader->law) && member_of_law(reader, "c0"))
        ewi_issue(reader, bulk, "law.bulk_modulus and law.c0 are both given; one follows from the other and rho0, so "
                  "leave one out");
}

void ewi_read_scope(struct ewi_reader *reader)
{
    struct parameters parameters = {.given = {NULL}};
    if (reader->law)
        check_bulk_modulus(reader);
    if (reader->law)
        read_parameters(reader, &parameters);
    else
        break_parameters(reader);
    const config_setting_t *let = ewi_get(reader->root, "let");
    for (int k = 0; let && k < config_setting_length(let); k++)
        read_let(reader, config_setting_get_elem(let, (unsigned)k));
    if (reader->law)
        report_pending(reader, &parameters);
    read_bed(reader);
    for (int k = 0; reader->law && reader->law->media && k < reader->law->fields; k++)
        read_medium(reader, k);
}

/* Compiles the law's fields. The formulas of media have already been defined under the fields' names. */
static void read_media(struct ewi_reader *reader)
{
    ew_formula *formula;
    ew_error error;
    int status = ew_formula_create(reader->scope, reader->law->fields, reader->law->field, &formula, &error);
    if (status == EW_OK && ewi_keep_formula(reader, formula))
        reader->that->problem.field.formula = formula;
    else if (status == EW_ENOMEM)
        reader->out_of_memory = true;
    else if (status != EW_OK)
        ewi_issue(reader, ewi_get(reader->root, "law"), "law: %s", error.message);
}

void ewi_read_field(struct ewi_reader *reader)
{
    const config_setting_t *group = ewi_get(reader->root, "law");
    if (!reader->law || reader->law->fields == 0)
        return;
    if (reader->law->media) {
        read_media(reader);
        return;
    }
    bool given = group && config_setting_is_group(group) && config_setting_get_member(group, "velocity");
    if (given)
        ewi_get_formulas(reader, group, "law.velocity", EW_X | EW_Y, &reader->that->problem.field);
    else
        ewi_issue(reader, config_setting_get_member(reader->root, "law"),
                  "the law \"%s\" needs a velocity: law = { name = \"%s\"; velocity = [ \"...\", \"...\" ]; }",
                  reader->law->name, reader->law->name);
}
