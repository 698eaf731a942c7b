/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares two case texts setting by setting, independent of order and notation. */
#include "ewi_difference.h"
#include "ewi_case.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_text.h"

#include <string.h>

enum { LONGEST_PATH = 128, LONGEST_VALUE = 16384, SHOWN = 60, DEEPEST = 16 };

static const char set[] = "# --set ";

/* ---- a text as a tree -------------------------------------------------------------------------------------------- */

struct side {
    ew_case that;
    struct ewi_reader reader;
    bool is_case;
};

/* Included text has been expanded; any other @include is ignored. */
static bool has_include(const char *text)
{
    for (const char *at = text; (at = strstr(at, "@include")) != NULL; at++) {
        const char *line = at;
        while (line > text && (line[-1] == ' ' || line[-1] == '\t'))
            line--;
        if (line == text || line[-1] == '\n')
            return true;
    }
    return false;
}

/* The first override among the comments at the end. */
static const char *find_overrides(const char *text)
{
    const char *end = text + strlen(text), *first = end;
    while (first > text) {
        const char *line = first - 1;
        while (line > text && line[-1] != '\n')
            line--;
        if (strncmp(line, set, sizeof set - 1) != 0)
            break;
        first = line;
    }
    return first;
}

static void apply_overrides(struct ewi_reader *reader, const char *text)
{
    for (const char *line = find_overrides(text), *end; *line; line = *end ? end + 1 : end) {
        end = strchr(line, '\n') ? strchr(line, '\n') : line + strlen(line);
        size_t length = (size_t)(end - line) - (sizeof set - 1);
        char *override = ewi_alloc(&reader->host, length + 1, 1);
        if (!override) {
            reader->out_of_memory = true;
            return;
        }
        memcpy(override, line + sizeof set - 1, length);
        override[length] = '\0';
        ewi_source_override(reader, override, "--set");
        ewi_free(&reader->host, override);
    }
}

static void open_side(struct side *side, const ew_host *host, const char *text)
{
    struct ewi_reader *reader = &side->reader;
    *side = (struct side){.that = {.memory.host = *host, .info.plan.text = text},
                          .reader = {.host = *host, .path = "a case"}};
    reader->that = &side->that;
    config_init(&reader->config);
    reader->folder = ewi_keep_text(reader, "");
    side->is_case = reader->folder && !has_include(text) && ewi_source_parse(reader);
    if (side->is_case)
        apply_overrides(reader, text);
}

static int close_side(struct side *side, ew_error *error)
{
    int status = EW_OK;
    if (side->reader.out_of_memory)
        status = ewi_fail(error, EW_ENOMEM, "not enough memory to compare two texts of the case");
    ewi_issues_finish(&side->reader, NULL);
    config_destroy(&side->reader.config);
    ewi_free_kept(&side->that);
    return status;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void show(const config_setting_t *setting, const char *value, char shown[SHOWN + 4])
{
    if (!setting)
        ewi_snprintf(shown, SHOWN + 4, "not given");
    else if (config_setting_is_number(setting))
        ewi_snprintf(shown, SHOWN + 4, "%.9g",
                     config_setting_get_float(setting) != 0 ? config_setting_get_float(setting)
                                                            : (double)config_setting_get_int64(setting));
    else
        ewi_snprintf(shown, SHOWN + 4, "%.*s%s", SHOWN, value, strlen(value) > SHOWN ? "..." : "");
}

/* ---- side by side ------------------------------------------------------------------------------------------------ */

static bool starts_with(const char *path, const char *name)
{
    size_t length = strlen(name);
    return strncmp(path, name, length) == 0 && (path[length] == '\0' || path[length] == '.');
}

struct comparison {
    ew_text_difference *result;
    bool end_counts; /* time.end affects the result */
};

/* True for settings that do not affect the result, and for the mesh, whose hash is compared instead. */
static bool is_aside(const char *path)
{
    static const char *const names[] = {"title", "mesh", "output", "backend", "spool", "sweep", "time.end",
                                        "time.steps", "time.steady", "time.steady_orders"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (starts_with(path, names[k]))
            return true;
    return false;
}

/*
 * True for definitions in output that both cases have: a resumed run continues the series of these names. `output`
 * itself has such members.
 */
static bool is_definition(const char *path, const config_setting_t *before, const config_setting_t *after)
{
    bool is_one = starts_with(path, "output.quantities") || starts_with(path, "output.forces") ||
                  starts_with(path, "output.probes");
    return before && after && (is_one || strcmp(path, "output") == 0);
}

/*
 * True for settings that a restart file has as attributes; a law's numbers are its parameters, its texts formulas of
 * the bed or of media.
 */
static bool is_attribute(const char *path, const config_setting_t *setting)
{
    static const char *const names[] = {"order", "flux", "limiter", "time.cfl", "time.scheme", "time.levels"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(path, names[k]) == 0)
            return true;
    bool formula = config_setting_type(setting) == CONFIG_TYPE_STRING && strcmp(path, "law") != 0 &&
                   strcmp(path, "law.name") != 0;
    return starts_with(path, "law") && !config_setting_is_aggregate(setting) && !formula;
}

static bool has_levels_or_one(const config_setting_t *step)
{
    const char *word = step ? config_setting_get_string(step) : "element";
    return word && (strcmp(word, "element") == 0 || strcmp(word, "levels") == 0);
}

/* True if only the number of levels of time steps changes, which a restart file has as an attribute. */
static bool is_number_of_levels(const char *path, const config_setting_t *before, const config_setting_t *after)
{
    return strcmp(path, "time.step") == 0 && has_levels_or_one(before) && has_levels_or_one(after);
}

static void tell(ew_text_difference *result, const char *path, const config_setting_t *before,
                 const config_setting_t *after, char value[2][LONGEST_VALUE])
{
    static const char more[] = ", and more";
    char shown[2][SHOWN + 4], part[LONGEST_PATH + 2 * SHOWN + 32];
    show(before, value[0], shown[0]);
    show(after, value[1], shown[1]);
    size_t length = strlen(result->text);
    ewi_snprintf(part, sizeof part, "%s%s %s (was %s)", length > 0 ? ", " : "", path, shown[1], shown[0]);
    bool is_full = length >= sizeof more && strcmp(result->text + length - (sizeof more - 1), more) == 0;
    if (!is_full)
        ewi_append(result->text, sizeof result->text, length, "%s",
                   length + strlen(part) + sizeof more <= sizeof result->text ? part : more);
}

static void compare_values(ew_text_difference *result, const char *path, const config_setting_t *before,
                           const config_setting_t *after)
{
    char value[2][LONGEST_VALUE] = {"", ""};
    if (before)
        ewi_put_value(before, false, value[0], LONGEST_VALUE, 0, 0);
    if (after)
        ewi_put_value(after, false, value[1], LONGEST_VALUE, 0, 0);
    if (before && after && strcmp(value[0], value[1]) == 0)
        return;
    result->differs = true;
    result->initial = result->initial || starts_with(path, "initial") || strcmp(path, "time.start") == 0;
    if (!is_attribute(path, after ? after : before) && !is_number_of_levels(path, before, after))
        tell(result, path, before, after, value);
}

/* Recursive, but no deeper than DEEPEST. Either may be NULL. */
static void compare(const struct comparison *comparison, const char *path, const config_setting_t *before,
                    const config_setting_t *after, int depth)
{
    const config_setting_t *sides[2] = {after, before};
    bool groups[2];
    for (int k = 0; k < 2; k++)
        groups[k] = sides[k] && config_setting_is_group(sides[k]);
    bool counts = !is_aside(path) || is_definition(path, before, after) ||
                  (comparison->end_counts && strcmp(path, "time.end") == 0);
    if (depth == DEEPEST || !counts)
        return;
    if (!groups[0] && !groups[1]) {
        compare_values(comparison->result, path, before, after);
        return;
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; groups[k] && i < config_setting_length(sides[k]); i++) {
            char longer[LONGEST_PATH];
            const config_setting_t *member = config_setting_get_elem(sides[k], (unsigned)i);
            const char *name = config_setting_name(member);
            const config_setting_t *other = groups[1 - k] ? config_setting_get_member(sides[1 - k], name) : NULL;
            ewi_snprintf(longer, sizeof longer, "%s%s%s", path, path[0] ? "." : "", name);
            if (k == 0)
                compare(comparison, longer, other, member, depth + 1);
            else if (!other)
                compare(comparison, longer, member, NULL, depth + 1);
        }
}

int ewi_compare_texts(const ew_host *host, const char *before, const char *after, bool end_counts,
                      ew_text_difference *result, ew_error *error)
{
    struct side sides[2];
    const struct comparison comparison = {result, end_counts};
    *result = (ew_text_difference){0};
    open_side(&sides[0], host, before);
    open_side(&sides[1], host, after);
    if (sides[0].is_case && sides[1].is_case)
        compare(&comparison, "", sides[0].reader.root, sides[1].reader.root, 0);
    int status = close_side(&sides[0], error), other = close_side(&sides[1], error);
    return status != EW_OK ? status : other;
}

/* ---- one side ---------------------------------------------------------------------------------------------------- */

/* Fowler, Noll and Vo's FNV-1a over the text and its terminating zero. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    while (*text++);
    return hash;
}

/* Recursive, but no deeper than DEEPEST. */
static uint64_t hash_setting(const config_setting_t *setting, uint64_t hash, int depth)
{
    char value[LONGEST_VALUE];
    hash = hash_text(hash, config_setting_name(setting) ? config_setting_name(setting) : "");
    if (!config_setting_is_aggregate(setting)) {
        ewi_put_value(setting, true, value, sizeof value, 0, 0);
        return hash_text(hash, value);
    }
    for (int k = 0; k < config_setting_length(setting) && depth < DEEPEST; k++)
        hash = hash_setting(config_setting_get_elem(setting, (unsigned)k), hash, depth + 1);
    return hash_text(hash, "]");
}

uint64_t ewi_hash_settings(const config_setting_t *root)
{
    static const char *const aside[] = {"title", "backend", "spool", "sweep"};
    uint64_t hash = 0xcbf29ce484222325u;
    for (int k = 0; k < config_setting_length(root); k++) {
        const config_setting_t *setting = config_setting_get_elem(root, (unsigned)k);
        bool counts = true;
        for (size_t i = 0; i < sizeof aside / sizeof *aside; i++)
            counts = counts && strcmp(aside[i], config_setting_name(setting)) != 0;
        hash = counts ? hash_setting(setting, hash, 0) : hash;
    }
    return hash;
}
