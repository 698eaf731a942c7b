/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the reader and the check of a case: types of values, and the words that an issue suggests. */
#include "ewi_case.h"
#include "ewi_hints.h"
#include "ewi_text.h"

#include <string.h>

/* ---- types ------------------------------------------------------------------------------------------------------- */

static bool is_text(const config_setting_t *setting)
{
    return config_setting_type(setting) == CONFIG_TYPE_STRING;
}

static bool is_number_or_text(const config_setting_t *setting)
{
    return config_setting_is_number(setting) || is_text(setting);
}

static bool is_flag(const config_setting_t *setting)
{
    return config_setting_type(setting) == CONFIG_TYPE_BOOL;
}

static bool is_group(const config_setting_t *setting)
{
    return config_setting_is_group(setting);
}

static bool is_list(const config_setting_t *setting)
{
    return config_setting_is_list(setting) || config_setting_is_array(setting);
}

static bool is_scalar(const config_setting_t *setting)
{
    return is_number_or_text(setting) || is_flag(setting);
}

static bool is_value(const config_setting_t *setting)
{
    if (is_scalar(setting))
        return true;
    for (int k = 0; is_list(setting) && k < config_setting_length(setting); k++)
        if (!is_scalar(config_setting_get_elem(setting, (unsigned)k)))
            return false;
    return is_list(setting);
}

typedef bool is_of_kind(const config_setting_t *setting);

/*
 * For each type, the kinds of values that it allows (`one`, `other`, or a list of `member`), and their name in
 * sentences.
 */
static const struct {
    is_of_kind *one, *other, *member;
    bool may_be_empty; /* a list may be */
    const char *wanted;
} types[EWI_TYPES] = {
    [EWI_GROUP] = {is_group, .wanted = "a group { ... }"},
    [EWI_TEXT] = {is_text, .wanted = "a string in \"\""},
    [EWI_WORD] = {is_text, .wanted = "a name in \"\""},
    [EWI_FLAG] = {is_flag, .wanted = "true or false"},
    [EWI_NUMBER] = {is_number_or_text, .wanted = "a number or a formula of constants"},
    [EWI_INTEGER] = {is_number_or_text, .wanted = "an integer or a formula of constants"},
    [EWI_FORMULA] = {is_number_or_text, .wanted = "a number or a formula"},
    [EWI_NUMBERS] = {.member = is_number_or_text, .may_be_empty = true, .wanted = "numbers"},
    [EWI_INTEGERS] = {.member = is_number_or_text, .may_be_empty = true, .wanted = "integers"},
    [EWI_FORMULAS] = {.member = is_number_or_text, .may_be_empty = true, .wanted = "formulas"},
    [EWI_NAMES] = {.member = is_text, .wanted = "names"},
    [EWI_VALUES] = {.member = is_value, .may_be_empty = true, .wanted = "values"},
    [EWI_TEXT_OR_GROUP] = {is_text, is_group, .wanted = "a string in \"\" or a group { ... }"},
    [EWI_WORD_OR_GROUP] = {is_text, is_group, .wanted = "a name in \"\" or a group { ... }"},
    [EWI_CURVE] = {is_text, .member = is_number_or_text, .wanted = "a name, a formula or two formulas"},
    [EWI_PARTS] = {.member = is_group, .may_be_empty = true, .wanted = "a list of groups ( { ... }, { ... } )"},
    [EWI_TEXT_OR_PARTS] = {is_text, .member = is_group,
                           .wanted = "a name in \"\" or a list of groups ( { ... }, { ... } )"},
};

static int most_members(const struct ewi_option *option)
{
    return option->most > 0 ? option->most : EWI_LONGEST_LIST;
}

bool ewi_type_fits(const struct ewi_option *option, const config_setting_t *setting)
{
    is_of_kind *one = types[option->type].one, *other = types[option->type].other, *member = types[option->type].member;
    if ((one && one(setting)) || (other && other(setting)))
        return true;
    if (!member || !is_list(setting))
        return false;
    int length = config_setting_length(setting);
    for (int k = 0; k < length; k++)
        if (!member(config_setting_get_elem(setting, (unsigned)k)))
            return false;
    if (option->count > 0)
        return length == option->count;
    return length <= most_members(option) && (length > 0 || types[option->type].may_be_empty);
}

static const char *name_of_type(const config_setting_t *setting)
{
    return config_setting_type(setting) == CONFIG_TYPE_BOOL ? "true or false"
           : config_setting_is_number(setting)              ? "a number"
           : is_text(setting)                               ? "a string"
           : is_group(setting)                              ? "a group"
                                                            : "a list";
}

void ewi_issue_type(struct ewi_reader *reader, const struct ewi_option *option, const config_setting_t *setting)
{
    enum { MOST = 32 };
    const char *wanted = types[option->type].wanted, *words[MOST];
    char path[256], choices[512] = "";
    size_t count = 0;
    for (; count < MOST && ewi_option_word(option, (int)count); count++)
        words[count] = ewi_option_word(option, (int)count);
    if (count > 0)
        ewi_alternatives(reader, NULL, "", words, count, choices, sizeof choices);
    ewi_setting_path(setting, path, sizeof path);
    bool wants_list = option->type >= EWI_NUMBERS && option->type <= EWI_VALUES;
    if (is_list(setting) && option->count == 0 && config_setting_length(setting) > most_members(option))
        ewi_issue(reader, setting, "%s has %d members; %d are the most", path, config_setting_length(setting),
                  most_members(option));
    else if (!wants_list)
        ewi_issue(reader, setting, "%s must be %s, not %s%s", path, wanted, name_of_type(setting), choices);
    else if (option->count == 0 && is_list(setting) && config_setting_length(setting) == 0)
        ewi_issue(reader, setting, "%s is an empty list; give it %s", path, wanted);
    else if (option->count == 0)
        ewi_issue(reader, setting, "%s must be a list of %s", path, wanted);
    else if (is_list(setting))
        ewi_issue(reader, setting, "%s must be a list of %d %s; it has %d member%s", path, option->count, wanted,
                  config_setting_length(setting), config_setting_length(setting) == 1 ? "" : "s");
    else
        ewi_issue(reader, setting, "%s must be a list of %d %s, not %s", path, option->count, wanted,
                  name_of_type(setting));
}

/* ---- suggestions ------------------------------------------------------------------------------------------------- */

static const struct ewi_hint *find_hint(const struct ewi_reader *reader, const char *place, const char *word)
{
    return place ? ewi_hint_find(place, reader->law ? reader->law->name : NULL, word) : NULL;
}

const char *ewi_alternatives(const struct ewi_reader *reader, const char *place, const char *word,
                             const char *const *candidates, size_t count, char *text, size_t size)
{
    const struct ewi_hint *hint = find_hint(reader, place, word);
    const char *nearest = hint ? NULL : ewi_nearest(word, candidates, count);
    text[0] = '\0';
    if (hint)
        return ewi_hint_text(hint, text, size);
    if (nearest) {
        ewi_snprintf(text, size, "; did you mean \"%s\"?", nearest);
        return text;
    }
    size_t length = 0;
    for (size_t k = 0; k < count; k++) {
        const char *first = count > 1 ? "; the choices are " : "; the only choice is ";
        const char *between = k + 1 < count ? ", " : " and ";
        length = ewi_append(text, size, length, "%s%s", k == 0 ? first : between, candidates[k]);
    }
    return text;
}

bool ewi_was_suggested(const struct ewi_reader *reader, const config_setting_t *group, const char *name)
{
    for (size_t k = 0; k < reader->suggestions; k++)
        if (reader->suggestion[k].group == group && strcmp(reader->suggestion[k].name, name) == 0)
            return true;
    return false;
}
