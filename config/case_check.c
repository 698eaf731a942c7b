/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the tree of settings against the option table: unknown keys, wrong types, missing keys. */
#include "ewi_case.h"
#include "ewi_hints.h"
#include "ewi_text.h"

#include <string.h>

enum { MOST_CANDIDATES = 64 };

/* ---- unknown keys ------------------------------------------------------------------------------------------------ */

/* The names that a capitalized name in the table allows; false: any name. */
static bool allowed_names(const ew_law *law, const struct ewi_option *any, const char **names, size_t *count)
{
    const char *last = strrchr(any->path, '.') + 1;
    bool conserved = strncmp(any->path, "source.", 7) == 0;
    if (strcmp(last, "VARIABLE") == 0)
        for (int m = 0; law && m < law->variables; m++) {
            names[*count] = conserved ? ewi_source_name(law, m) : law->primitive[m];
            *count += names[*count] != NULL;
        }
    else if (strcmp(last, "PARAMETER") == 0)
        for (int k = 0; law && k < (law->media ? law->fields : law->parameters); k++)
            names[(*count)++] = law->media ? law->field[k] : law->parameter[k].name;
    else
        return false;
    return law;
}

/* Only some laws have the keys "law.velocity", "law.bulk_modulus" and "law.bed". */
static bool is_for_law(const ew_law *law, const struct ewi_option *option)
{
    if (law && strcmp(option->path, "law.velocity") == 0)
        return law->fields > 0 && !law->media;
    if (law && strcmp(option->path, "law.bed") == 0)
        return strncmp(law->name, "shallow-water", 13) == 0;
    return !law || strcmp(option->path, "law.bulk_modulus") != 0 || ewi_has_bulk_modulus(law);
}

/* The names that a group may contain; *open: it may contain any other name, too. */
static size_t members_of(const struct ewi_reader *reader, const char *group, const char **names, bool *open)
{
    size_t count = 0, options;
    const struct ewi_option *option = ewi_options(&options), *any = ewi_option_any_member(group);
    *open = any && !allowed_names(reader->law, any, names, &count);
    for (size_t k = 0; k < options && count < MOST_CANDIDATES; k++) {
        const char *name;
        if (ewi_option_is_in(&option[k], group, &name) && &option[k] != any && is_for_law(reader->law, &option[k]))
            names[count++] = name;
    }
    return count;
}

/* The path of a key that belongs to another group, or NULL. Members of lists of groups have keys of their own. */
static const char *elsewhere(const char *group, const char *name)
{
    size_t count;
    const struct ewi_option *options = ewi_options(&count), *found = NULL;
    if (strstr(group, ".PART"))
        return NULL;
    for (size_t k = 0; k < count; k++) {
        const char *dot = strrchr(options[k].path, '.'), *last;
        if (!dot || strcmp(dot + 1, name) != 0 || strpbrk(options[k].path, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") ||
            ewi_option_is_in(&options[k], group, &last))
            continue;
        if (found)
            return NULL;
        found = &options[k];
    }
    return found ? found->path : NULL;
}

/* True if all keys of the group are names of the law, which no key of another group replaces. */
static bool has_only_names(const char *group)
{
    size_t count;
    const struct ewi_option *option = ewi_options(&count), *any = ewi_option_any_member(group);
    const char *last;
    bool only = any;
    for (size_t k = 0; k < count; k++)
        only = only && (!ewi_option_is_in(&option[k], group, &last) || &option[k] == any);
    return only;
}

static void remember_suggestion(struct ewi_reader *reader, const config_setting_t *group, const char *name)
{
    if (reader->suggestions == EWI_SUGGESTIONS)
        return;
    reader->suggestion[reader->suggestions].group = group;
    reader->suggestion[reader->suggestions++].name = name;
}

static void unknown_key(struct ewi_reader *reader, const config_setting_t *group, const char *group_path,
                        const config_setting_t *setting)
{
    const char *names[MOST_CANDIDATES], *name = config_setting_name(setting);
    char rest[512], where[256], place[EWI_LONGEST_PATH + 2];
    bool open;
    size_t count = members_of(reader, group_path, names, &open);
    ewi_setting_path(group, where, sizeof where);
    ewi_snprintf(place, sizeof place, "%s.", group_path);
    const struct ewi_hint *hint = ewi_hint_find(place, reader->law ? reader->law->name : NULL, name);
    const char *nearest = hint ? hint->instead : ewi_nearest(name, names, count);
    const char *other = hint || nearest || has_only_names(group_path) ? NULL : elsewhere(group_path, name);
    bool is_name = config_setting_is_root(group) && ewi_source_has_name(reader, name);
    if (nearest && !is_name)
        remember_suggestion(reader, group, nearest);
    if (is_name)
        ewi_snprintf(rest, sizeof rest, "; did you mean \"let.%s\"?", name);
    else if (other)
        ewi_snprintf(rest, sizeof rest, "; did you mean \"%s\"?", other);
    else
        ewi_alternatives(reader, place, name, names, count, rest, sizeof rest);
    ewi_issue(reader, setting, "there is no key \"%s\" %s%s%s", name, where[0] ? "in " : "here", where, rest);
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static const struct ewi_option *option_of(const struct ewi_reader *reader, const char *group, const char *name)
{
    const struct ewi_option *option = ewi_option_member(group, name), *any = ewi_option_any_member(group);
    if (option)
        return is_for_law(reader->law, option) ? option : NULL;
    if (!any)
        return NULL;
    const char *names[MOST_CANDIDATES];
    size_t count = 0;
    if (!allowed_names(reader->law, any, names, &count))
        return any;
    for (size_t k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return any;
    return NULL;
}

static void check_missing(struct ewi_reader *reader, const config_setting_t *group, const char *group_path)
{
    size_t count;
    const struct ewi_option *option = ewi_options(&count), *any = ewi_option_any_member(group_path);
    for (size_t k = 0; k < count; k++) {
        const char *name;
        if (!ewi_option_is_in(&option[k], group_path, &name) || option[k].value || &option[k] == any ||
            config_setting_get_member(group, name) || ewi_was_suggested(reader, group, name))
            continue;
        char where[256];
        ewi_setting_path(group, where, sizeof where);
        ewi_issue(reader, config_setting_is_root(group) ? NULL : group, "the key \"%s%s%s\" is missing: %s", where,
                  where[0] ? "." : "", name, option[k].text);
    }
}

static void check_group(struct ewi_reader *reader, const config_setting_t *group, const char *group_path);

static void check_parts(struct ewi_reader *reader, const config_setting_t *list, const struct ewi_option *option)
{
    char path[EWI_LONGEST_PATH];
    ewi_snprintf(path, sizeof path, "%s.PART", option->path);
    for (int k = 0; k < config_setting_length(list); k++)
        check_group(reader, config_setting_get_elem(list, (unsigned)k), path);
}

/* Recursive, but only as deep as the table's paths. */
static void check_group(struct ewi_reader *reader, const config_setting_t *group, const char *group_path)
{
    for (int k = 0; k < config_setting_length(group); k++) {
        const config_setting_t *setting = config_setting_get_elem(group, (unsigned)k);
        const struct ewi_option *option = option_of(reader, group_path, config_setting_name(setting));
        if (!option)
            unknown_key(reader, group, group_path, setting);
        else if (!ewi_type_fits(option, setting))
            ewi_issue_type(reader, option, setting);
        else if (config_setting_is_group(setting))
            check_group(reader, setting, option->path);
        else if ((option->type == EWI_TEXT_OR_PARTS || option->type == EWI_PARTS) &&
                 config_setting_is_aggregate(setting))
            check_parts(reader, setting, option);
        else if (reader->only_settings)
            ewi_check_value(reader, option, setting);
    }
    if (!reader->only_settings)
        check_missing(reader, group, group_path);
}

void ewi_check_tree(struct ewi_reader *reader)
{
    check_group(reader, reader->root, "");
}

void ewi_check_sweep(struct ewi_reader *reader, const config_setting_t *sweep)
{
    check_group(reader, sweep, "sweep");
}
