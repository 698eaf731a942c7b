/* SPDX-License-Identifier: BSD-2-Clause */
/* From settings to values. */
#include "ewi_case.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LONGEST_SETTING = 256, DEEPEST_VALUE = 16, MOST_FORMULAS = EW_MAX_VARIABLES };

const config_setting_t *ewi_get(const config_setting_t *group, const char *path)
{
    const char *dot = strrchr(path, '.');
    if (!group || !config_setting_is_group(group))
        return NULL;
    const config_setting_t *setting = config_setting_get_member(group, dot ? dot + 1 : path);
    return setting && ewi_type_fits(ewi_option_find(path), setting) ? setting : NULL;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static const char *names_of(unsigned variables)
{
    static const char *const names[] = {"", "x", "y", "x and y", "t", "x and t", "y and t", "x, y and t"};
    return names[variables & (EW_X | EW_Y | EW_T)];
}

/* Returns NULL and reports the error at the setting if a text is wrong. */
static ew_formula *compile(struct ewi_reader *reader, const config_setting_t *setting, size_t count,
                           const char *const *texts)
{
    char path[LONGEST_SETTING];
    ew_formula *formula;
    ew_error error;
    int status = ew_formula_create(reader->scope, (int)count, texts, &formula, &error);
    if (status == EW_ENOMEM)
        reader->out_of_memory = true;
    else if (status != EW_OK)
        ewi_issue(reader, setting, "%s: %s", ewi_setting_path(setting, path, sizeof path), error.message);
    return status == EW_OK ? formula : NULL;
}

/* Compiles a formula that depends only on `variables`; NULL, with an issue, on failure. */
static ew_formula *compile_one(struct ewi_reader *reader, const config_setting_t *setting, const char *text,
                               unsigned variables)
{
    ew_formula *formula = compile(reader, setting, 1, &text);
    unsigned others = formula ? ew_formula_variables(formula) & ~variables : 0;
    char path[LONGEST_SETTING];
    if (!others)
        return formula;
    ewi_setting_path(setting, path, sizeof path);
    if (variables)
        ewi_issue(reader, setting, "%s depends on %s; it may depend on %s only", path, names_of(others),
                  names_of(variables));
    else
        ewi_issue(reader, setting, "%s depends on %s; it must be a constant", path, names_of(others));
    ew_formula_destroy(formula);
    return NULL;
}

static bool constant_formula(struct ewi_reader *reader, const config_setting_t *setting, double *value)
{
    ew_formula *formula = compile_one(reader, setting, config_setting_get_string(setting), 0);
    if (!formula)
        return false;
    ew_formula_evaluate(formula, 1, &(double){0.0}, &(double){0.0}, 0.0, value, 1);
    ew_formula_destroy(formula);
    return true;
}

double ewi_literal(const config_setting_t *setting)
{
    return config_setting_type(setting) == CONFIG_TYPE_FLOAT ? config_setting_get_float(setting)
                                                             : (double)config_setting_get_int64(setting);
}

bool ewi_constant(struct ewi_reader *reader, const config_setting_t *setting, double *value)
{
    double number = 0.0;
    if (config_setting_is_number(setting))
        number = ewi_literal(setting);
    else if (!constant_formula(reader, setting, &number))
        return false;
    if (!isfinite(number)) {
        char path[LONGEST_SETTING];
        if (!isnan(number) || !reader->broken_name)
            ewi_issue(reader, setting, "%s is %s; it must be finite", ewi_setting_path(setting, path, sizeof path),
                      isnan(number) ? "not a number" : number > 0 ? "infinite" : "minus infinity");
        return false;
    }
    *value = number;
    return true;
}

/* Reads a number in the option's range. */
static bool number_in_range(struct ewi_reader *reader, const struct ewi_option *option, const config_setting_t *setting,
                            double *value)
{
    double number;
    if (!ewi_constant(reader, setting, &number))
        return false;
    bool whole = option->type == EWI_INTEGER || option->type == EWI_INTEGERS;
    bool fits = !whole || number == nearbyint(number);
    char path[LONGEST_SETTING], range[128];
    if (fits && ewi_option_admits(option, number)) {
        *value = number;
        return true;
    }
    ewi_setting_path(setting, path, sizeof path);
    ewi_option_range(option, range, sizeof range);
    ewi_issue(reader, setting, "%s is %.16g; it must be %s", path, number, fits ? range : "an integer");
    return false;
}

bool ewi_get_number(struct ewi_reader *reader, const config_setting_t *group, const char *path, double *value)
{
    const struct ewi_option *option = ewi_option_find(path);
    const config_setting_t *setting = ewi_get(group, path);
    if (option->value && option->value[0] != '(')
        *value = ewi_strtod(option->value, NULL);
    return setting && number_in_range(reader, option, setting, value);
}

bool ewi_get_integer(struct ewi_reader *reader, const config_setting_t *group, const char *path, int64_t *value)
{
    double number = (double)*value;
    bool given = ewi_get_number(reader, group, path, &number);
    const char *text = ewi_option_find(path)->value;
    if (given || (text && text[0] != '('))
        *value = (int64_t)number;
    return given;
}

bool ewi_get_numbers(struct ewi_reader *reader, const config_setting_t *group, const char *path, double *values)
{
    const struct ewi_option *option = ewi_option_find(path);
    const config_setting_t *setting = ewi_get(group, path);
    bool good = setting;
    for (int k = 0; setting && k < config_setting_length(setting); k++)
        good = number_in_range(reader, option, config_setting_get_elem(setting, (unsigned)k), &values[k]) && good;
    return good;
}

/* ---- words and texts --------------------------------------------------------------------------------------------- */

enum { MOST_WORDS = 32 };

static bool is_word_of(struct ewi_reader *reader, const struct ewi_option *option, const config_setting_t *setting)
{
    const char *words[MOST_WORDS], *word = config_setting_get_string(setting);
    size_t count = 0;
    for (; count < MOST_WORDS && ewi_option_word(option, (int)count); count++) {
        words[count] = ewi_option_word(option, (int)count);
        if (strcmp(words[count], word) == 0)
            return true;
    }
    char path[LONGEST_SETTING], rest[512];
    ewi_issue(reader, setting, "%s cannot be \"%s\"%s", ewi_setting_path(setting, path, sizeof path), word,
              ewi_alternatives(reader, option->path, word, words, count, rest, sizeof rest));
    return false;
}

bool ewi_get_text(struct ewi_reader *reader, const config_setting_t *group, const char *path, const char **value)
{
    const struct ewi_option *option = ewi_option_find(path);
    const config_setting_t *setting = ewi_get(group, path);
    if (option->value && option->value[0] != '(')
        *value = option->value;
    if (!setting || config_setting_type(setting) != CONFIG_TYPE_STRING)
        return false;
    bool is_word = option->type == EWI_WORD || option->type == EWI_WORD_OR_GROUP;
    if (is_word && !is_word_of(reader, option, setting))
        return false;
    const char *text = ewi_keep_text(reader, config_setting_get_string(setting));
    if (text)
        *value = text;
    return text;
}

void ewi_get_flag(const config_setting_t *group, const char *path, int *value)
{
    const config_setting_t *setting = ewi_get(group, path);
    *value = setting && config_setting_get_bool(setting);
}

/* ---- any value --------------------------------------------------------------------------------------------------- */

bool ewi_check_value(struct ewi_reader *reader, const struct ewi_option *option, const config_setting_t *setting)
{
    bool is_number = option->type == EWI_NUMBER || option->type == EWI_INTEGER || option->type == EWI_NUMBERS ||
                     option->type == EWI_INTEGERS;
    bool is_word = option->type == EWI_WORD || option->type == EWI_WORD_OR_GROUP, good = true;
    double number;
    if (!ewi_type_fits(option, setting)) {
        ewi_issue_type(reader, option, setting);
        return false;
    }
    if (config_setting_is_number(setting))
        return !is_number || number_in_range(reader, option, setting, &number);
    if (!config_setting_is_aggregate(setting))
        return !is_word || is_word_of(reader, option, setting);
    for (int k = 0; is_number && k < config_setting_length(setting); k++) {
        const config_setting_t *member = config_setting_get_elem(setting, (unsigned)k);
        bool is_text = config_setting_type(member) == CONFIG_TYPE_STRING;
        good = (is_text || number_in_range(reader, option, member, &number)) && good;
    }
    return good;
}

const char *ewi_shortest(double number, char digits[EWI_SHORTEST])
{
    for (int precision = 15; precision <= 17; precision++) {
        ewi_snprintf(digits, EWI_SHORTEST, "%.*g", precision, number);
        if (ewi_strtod(digits, NULL) == number)
            break;
    }
    return digits;
}

static size_t put_quoted(const char *value, char *text, size_t size, size_t length)
{
    length = ewi_append(text, size, length, "\"");
    for (; *value; value++)
        length = *value == '"' || *value == '\\'      ? ewi_append(text, size, length, "\\%c", *value)
                 : (unsigned char)*value < ' '         ? ewi_append(text, size, length, "\\x%02x", *value)
                                                       : ewi_append(text, size, length, "%c", *value);
    return ewi_append(text, size, length, "\"");
}

static size_t put_scalar(const config_setting_t *setting, bool quoted, char *text, size_t size, size_t length)
{
    char digits[EWI_SHORTEST];
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_FLOAT:
        return ewi_append(text, size, length, "%s", ewi_shortest(config_setting_get_float(setting), digits));
    case CONFIG_TYPE_STRING:
        return quoted ? put_quoted(config_setting_get_string(setting), text, size, length)
                      : ewi_append(text, size, length, "%s", config_setting_get_string(setting));
    case CONFIG_TYPE_BOOL:
        return ewi_append(text, size, length, "%s", config_setting_get_bool(setting) ? "true" : "false");
    default:
        return ewi_append(text, size, length, "%" PRId64, (int64_t)config_setting_get_int64(setting));
    }
}

/* ( ) may hold values of different types. */
size_t ewi_put_value(const config_setting_t *setting, bool quoted, char *text, size_t size, size_t length, int depth)
{
    if (!config_setting_is_aggregate(setting))
        return put_scalar(setting, quoted, text, size, length);
    bool is_array = config_setting_is_array(setting) || !quoted;
    length = ewi_append(text, size, length, is_array ? "[" : "(");
    for (int k = 0; k < config_setting_length(setting) && depth < DEEPEST_VALUE; k++) {
        length = ewi_append(text, size, length, "%s", k > 0 ? ", " : "");
        length = ewi_put_value(config_setting_get_elem(setting, (unsigned)k), quoted, text, size, length, depth + 1);
    }
    return ewi_append(text, size, length, is_array ? "]" : ")");
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

const char *ewi_formula_text(struct ewi_reader *reader, const config_setting_t *setting, char digits[EWI_DIGITS])
{
    double number;
    if (config_setting_type(setting) == CONFIG_TYPE_STRING)
        return config_setting_get_string(setting);
    if (!ewi_constant(reader, setting, &number))
        return NULL;
    ewi_snprintf(digits, EWI_DIGITS, "%.17g", number);
    return digits;
}

bool ewi_check_formula(struct ewi_reader *reader, const config_setting_t *setting, const char *text,
                       unsigned variables)
{
    ew_formula *formula = compile_one(reader, setting, text, variables);
    ew_formula_destroy(formula);
    return formula;
}

/* Compiles each text alone first, so that every invalid one is reported. */
bool ewi_compile_formulas(struct ewi_reader *reader, size_t count, const config_setting_t *const *settings,
                          unsigned variables, ew_data *data)
{
    char digits[MOST_FORMULAS][EWI_DIGITS];
    const char *texts[MOST_FORMULAS];
    bool good = true;
    for (size_t k = 0; k < count; k++) {
        texts[k] = settings[k] ? ewi_formula_text(reader, settings[k], digits[k]) : "0";
        ew_formula *alone = texts[k] ? compile_one(reader, settings[k], texts[k], variables) : NULL;
        good = good && alone;
        ew_formula_destroy(alone);
    }
    size_t first = 0;
    while (!settings[first])
        first++;
    ew_formula *formula = good ? compile(reader, settings[first], count, texts) : NULL;
    if (!formula || !ewi_keep_formula(reader, formula))
        return false;
    data->formula = formula;
    return true;
}

bool ewi_get_formulas(struct ewi_reader *reader, const config_setting_t *group, const char *path, unsigned variables,
                      ew_data *data)
{
    const config_setting_t *list = ewi_get(group, path), *member[MOST_FORMULAS];
    if (!list)
        return false;
    bool is_one = !config_setting_is_aggregate(list);
    int count = is_one ? 1 : config_setting_length(list);
    for (int k = 0; k < count && k < MOST_FORMULAS; k++)
        member[k] = is_one ? list : config_setting_get_elem(list, (unsigned)k);
    return ewi_compile_formulas(reader, (size_t)count, member, variables, data);
}

/* Fills in the texts of the depth or surface and, if the state `moves`, of the velocity, which is 0 otherwise. */
static bool bed_texts(struct ewi_reader *reader, const config_setting_t *group, const char *depth, bool moves,
                      char (*digits)[EWI_DIGITS], const char **texts)
{
    const char *const keys[] = {depth, "u", "v"};
    bool good = true;
    texts[1] = texts[2] = "0";
    for (int k = 0; k < (moves ? 3 : 1); k++) {
        const config_setting_t *member = config_setting_get_member(group, keys[k]);
        bool fits = member && ewi_type_fits(ewi_option_find("initial.VARIABLE"), member);
        texts[k] = fits ? ewi_formula_text(reader, member, digits[k]) : NULL;
        ew_formula *alone = texts[k] ? compile_one(reader, member, texts[k], EW_X | EW_Y | EW_T) : NULL;
        good = good && alone;
        ew_formula_destroy(alone);
        if (!member && !ewi_was_suggested(reader, group, keys[k])) {
            char path[LONGEST_SETTING];
            ewi_issue(reader, group, "%s lacks \"%s\"%s", ewi_setting_path(group, path, sizeof path), keys[k],
                      k == 0 ? ", or \"surface\"" : "");
        }
    }
    return good;
}

bool ewi_get_bed_state(struct ewi_reader *reader, const config_setting_t *group, bool moves, ew_data *data)
{
    const config_setting_t *surface = config_setting_get_member(group, "surface");
    char digits[3][EWI_DIGITS], path[LONGEST_SETTING];
    const char *texts[5], *surplus = config_setting_get_member(group, "bed") ? "bed" : NULL;
    if (surface && config_setting_get_member(group, "h"))
        surplus = "h";
    if (surplus)
        ewi_issue(reader, config_setting_get_member(group, surplus), "%s.%s: %s",
                  ewi_setting_path(group, path, sizeof path), surplus,
                  strcmp(surplus, "h") == 0 ? "the surface is given, too; leave out one of them"
                                            : "the bed is law.bed; leave it out here");
    if (!bed_texts(reader, group, surface ? "surface" : "h", moves, digits, texts) || surplus)
        return false;
    texts[3] = "bed";
    texts[4] = surface ? texts[0] : "0";
    texts[0] = surface ? "-1e300" : texts[0];
    ew_formula *formula = compile(reader, group, 5, texts);
    if (!formula || !ewi_keep_formula(reader, formula))
        return false;
    data->formula = formula;
    return true;
}

/* Formulas of an incomplete state are compiled as well, to report their own errors. */
bool ewi_get_state(struct ewi_reader *reader, const config_setting_t *group, ew_data *data)
{
    const ew_law *law = reader->law;
    const config_setting_t *member[EW_MAX_VARIABLES];
    char missing[256] = "", path[LONGEST_SETTING];
    size_t length = 0, given = 0;
    ew_data unused, *target = data;
    if (ewi_law_has_bed(reader))
        return ewi_get_bed_state(reader, group, true, data);
    for (int m = 0; law && m < law->variables; m++) {
        member[given] = config_setting_get_member(group, law->primitive[m]);
        if (!member[given] && !ewi_was_suggested(reader, group, law->primitive[m]))
            length = ewi_append(missing, sizeof missing, length, "%s\"%s\" (%s)", length > 0 ? " and " : "",
                                law->primitive[m], law->primitive_long[m]);
        if (member[given] && ewi_type_fits(ewi_option_find("initial.VARIABLE"), member[given]))
            given++;
        else
            target = &unused;
    }
    if (length > 0)
        ewi_issue(reader, group, "%s lacks %s", ewi_setting_path(group, path, sizeof path), missing);
    bool compiled = given > 0 && ewi_compile_formulas(reader, given, member, EW_X | EW_Y | EW_T, target);
    return compiled && target == data;
}

/* A name of `let` would hide one of the state, or be hidden by it. */
bool ewi_check_names_of_state(struct ewi_reader *reader, const char *formulas)
{
    const config_setting_t *let = ewi_get(reader->root, "let");
    bool good = true;
    for (int m = 0; let && m < reader->law->variables; m++) {
        const char *name = reader->law->primitive[m];
        const config_setting_t *setting = config_setting_get_member(let, name);
        if (setting)
            ewi_issue(reader, setting, "let.%s: in the formulas of %s, \"%s\" is the local state's; choose "
                      "another name", name, formulas, name);
        good = good && !setting;
    }
    return good;
}

static bool compile_source(struct ewi_reader *reader, const config_setting_t *const *settings, ew_data *data)
{
    ew_scope *outer = reader->scope, *scope;
    ew_error error;
    int variables = reader->law->variables,
        status = ew_scope_with_state(outer, variables, reader->law->primitive, &scope, &error);
    if (status == EW_ENOMEM)
        reader->out_of_memory = true;
    else if (status != EW_OK)
        ewi_issue(reader, ewi_get(reader->root, "source"), "source: %s", error.message);
    if (status != EW_OK)
        return false;
    reader->scope = scope;
    bool good = ewi_compile_formulas(reader, (size_t)variables, settings, EW_X | EW_Y | EW_T | EW_STATE, data);
    reader->scope = outer;
    ew_scope_destroy(scope);
    return good;
}

bool ewi_get_source(struct ewi_reader *reader, const config_setting_t *group, ew_data *data)
{
    const ew_law *law = reader->law;
    static const char *const bed_sources[] = {"h", "h_u", "h_v"};
    const config_setting_t *settings[EW_MAX_VARIABLES];
    char names[256];
    int given = 0;
    bool fit = true;
    for (int m = 0; law && m < law->variables; m++) {
        const char *name = ewi_source_name(law, m);
        settings[m] = name ? config_setting_get_member(group, name) : NULL;
        given += settings[m] != NULL;
        fit = fit && (!settings[m] || ewi_type_fits(ewi_option_find("source.VARIABLE"), settings[m]));
    }
    if (law && config_setting_length(group) == 0)
        ewi_issue(reader, group, "source is empty; give it formulas of some of %s, or leave it out",
                  ewi_in_words(ewi_law_has_bed(reader) ? bed_sources : law->conserved,
                               ewi_law_has_bed(reader) ? 3 : law->variables, names, sizeof names));
    return given > 0 && ewi_check_names_of_state(reader, "a source") && fit && compile_source(reader, settings, data);
}

static bool value_fits(const config_setting_t *member, const ew_boundary_value *value)
{
    const struct ewi_option *option = ewi_option_member("boundary.NAME", value->name);
    return ewi_type_fits(option ? option : ewi_option_any_member("boundary.NAME"), member);
}

/* As for states, incomplete values are compiled as well. */
bool ewi_get_boundary_values(struct ewi_reader *reader, const config_setting_t *boundary, const ew_boundary_kind *kind,
                             ew_data *data)
{
    const config_setting_t *settings[MOST_FORMULAS];
    size_t count = 0;
    ew_data unused, *target = data;
    for (int k = 0; k < kind->values; k++) {
        const ew_boundary_value *value = &kind->value[k];
        const config_setting_t *member = config_setting_get_member(boundary, value->name);
        if (member ? !value_fits(member, value) : !value->optional) {
            target = &unused;
            continue;
        }
        for (int m = 0; m < value->outputs; m++)
            settings[count++] = member && value->outputs > 1 ? config_setting_get_elem(member, (unsigned)m) : member;
    }
    bool compiled = count > 0 && ewi_compile_formulas(reader, count, settings, EW_X | EW_Y | EW_T, target);
    return compiled && target == data;
}
