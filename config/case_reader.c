/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors of a case, sorted by place, and the memory that a case keeps. */
#include "ewi_case.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_text.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* in the order in which errors are reported */
enum { FROM_OVERRIDES, FROM_CASE, FROM_INCLUDED, FROM_MESH };
enum { MOST_ISSUES = 1000 }; /* limit for stored issues; more are only counted */

struct ewi_issue {
    struct ewi_issue *next;
    int source;
    unsigned line;
    const config_setting_t *setting; /* NULL: no setting */
    char sentence[];
};

static bool comes_after(const struct ewi_issue *issue, int source, unsigned line)
{
    return issue->source != source ? issue->source > source : issue->line > line;
}

static struct ewi_issue *add_issue(struct ewi_reader *reader, int source, unsigned line, const char *place,
                                   const char *sentence)
{
    size_t size = 4 * (strlen(place) + strlen(sentence)) + 1;
    if (++reader->issue_count > MOST_ISSUES)
        return NULL;
    struct ewi_issue *issue = ewi_alloc(&reader->host, 1, sizeof *issue + size);
    if (!issue) {
        reader->out_of_memory = true;
        return NULL;
    }
    issue->source = source;
    issue->line = line;
    ewi_snprintf(issue->sentence, size, "%s%s", place, sentence);
    ewi_show_controls(issue->sentence, size);
    struct ewi_issue **link = &reader->issues;
    while (*link && !comes_after(*link, source, line))
        link = &(*link)->next;
    issue->next = *link;
    *link = issue;
    return issue;
}

enum { LONGEST_SENTENCE = sizeof((ew_error *)0)->message };

#define FORMAT_SENTENCE(sentence)                              \
    do {                                                       \
        va_list arguments;                                     \
        va_start(arguments, format);                           \
        ewi_vsnprintf(sentence, sizeof sentence, format, arguments); \
        va_end(arguments);                                     \
    } while (0)

static struct ewi_issue *issue_in_text(struct ewi_reader *reader, const char *file, unsigned line, const char *sentence)
{
    char place[LONGEST_SENTENCE];
    /* libconfig names included files without their folder */
    bool included = file && strcmp(file, reader->path) != 0;
    const char *folder = included && strncmp(file, reader->folder, strlen(reader->folder)) != 0 ? reader->folder : "";
    if (line > 0)
        ewi_snprintf(place, sizeof place, "%s%s:%u: ", folder, file ? file : reader->path, line);
    else
        ewi_snprintf(place, sizeof place, "%s%s: ", folder, file ? file : reader->path);
    return add_issue(reader, included ? FROM_INCLUDED : FROM_CASE, line > 0 ? line : UINT_MAX, place, sentence);
}

void ewi_issue_at(struct ewi_reader *reader, const char *file, unsigned line, const char *format, ...)
{
    char sentence[LONGEST_SENTENCE];
    FORMAT_SENTENCE(sentence);
    issue_in_text(reader, file, line, sentence);
}

static struct ewi_issue *issue_in_override(struct ewi_reader *reader, const char *override, const char *sentence)
{
    char place[LONGEST_SENTENCE];
    ewi_snprintf(place, sizeof place, "%s: ", override);
    return add_issue(reader, FROM_OVERRIDES, 0, place, sentence);
}

void ewi_issue_override(struct ewi_reader *reader, const char *override, const char *format, ...)
{
    char sentence[LONGEST_SENTENCE];
    FORMAT_SENTENCE(sentence);
    issue_in_override(reader, override, sentence);
}

const char *ewi_override_of(const config_setting_t *setting)
{
    return config_setting_get_hook(setting);
}

void ewi_issue(struct ewi_reader *reader, const config_setting_t *setting, const char *format, ...)
{
    char sentence[LONGEST_SENTENCE];
    FORMAT_SENTENCE(sentence);
    const char *override = setting ? ewi_override_of(setting) : NULL;
    struct ewi_issue *issue = override ? issue_in_override(reader, override, sentence)
                                       : issue_in_text(reader, setting ? config_setting_source_file(setting) : NULL,
                                                       setting ? config_setting_source_line(setting) : 0, sentence);
    if (issue)
        issue->setting = setting;
}

static bool is_within(const config_setting_t *setting, const config_setting_t *group)
{
    while (setting && setting != group)
        setting = config_setting_parent(setting);
    return setting;
}

bool ewi_issue_told(const struct ewi_reader *reader, const config_setting_t *setting)
{
    for (const struct ewi_issue *issue = reader->issues; issue; issue = issue->next)
        if (is_within(issue->setting, setting))
            return true;
    return false;
}

void ewi_issue_mesh(void *reader, const char *sentence)
{
    add_issue(reader, FROM_MESH, 0, "", sentence);
}

void ewi_issues_drop_mesh(struct ewi_reader *reader)
{
    struct ewi_issue **link = &reader->issues;
    while (*link) {
        struct ewi_issue *issue = *link;
        if (issue->source != FROM_MESH) {
            link = &issue->next;
            continue;
        }
        *link = issue->next;
        ewi_free(&reader->host, issue);
        reader->issue_count--;
    }
}

void ewi_lack_memory(struct ewi_reader *reader, const config_setting_t *setting, const char *sentence)
{
    reader->out_of_memory = true;
    unsigned line = config_setting_source_line(setting);
    if (ewi_override_of(setting))
        ewi_append(reader->lack, sizeof reader->lack, 0, "%s: %s", ewi_override_of(setting), sentence);
    else
        ewi_append(reader->lack, sizeof reader->lack, 0, "%s:%u: %s", reader->path, line, sentence);
}

int ewi_issues_finish(struct ewi_reader *reader, ew_error *error)
{
    const ew_case_options *options = &reader->options;
    int status = EW_OK;
    if (reader->lack[0])
        status = ewi_fail(error, EW_ENOMEM, "%s", reader->lack);
    else if (reader->out_of_memory)
        status = ewi_fail(error, EW_ENOMEM, "%s: not enough memory to read the case", reader->path);
    else if (reader->issues) {
        status = reader->issues->source == FROM_MESH ? EW_EMESH : EW_ECONFIG;
        if (reader->issue_count > 1)
            ewi_fail(error, status, "%.960s (and %zu more error%s)", reader->issues->sentence, reader->issue_count - 1,
                     reader->issue_count > 2 ? "s" : "");
        else
            ewi_fail(error, status, "%s", reader->issues->sentence);
    }
    char others[64];
    ewi_snprintf(others, sizeof others, "%zu more errors are not shown", reader->issue_count - MOST_ISSUES);
    bool has_others = reader->issue_count > MOST_ISSUES && reader->issues && !reader->out_of_memory;
    while (reader->issues) {
        struct ewi_issue *issue = reader->issues;
        reader->issues = issue->next;
        if (!reader->out_of_memory && options->report)
            options->report(options->report_context, issue->sentence);
        ewi_free(&reader->host, issue);
    }
    if (has_others && options->report)
        options->report(options->report_context, others);
    reader->issue_count = 0;
    return status;
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

enum { DEEPEST_PATH = 16 };

size_t ewi_append(char *text, size_t size, size_t length, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int added = ewi_vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
    return added < 0 ? length : length + (size_t)added < size ? length + (size_t)added : size - 1;
}

const char *ewi_setting_path(const config_setting_t *setting, char *text, size_t size)
{
    const config_setting_t *chain[DEEPEST_PATH];
    int depth = 0;
    for (; setting && config_setting_parent(setting) && depth < DEEPEST_PATH; setting = config_setting_parent(setting))
        chain[depth++] = setting;
    size_t length = 0;
    text[0] = '\0';
    while (depth-- > 0) {
        const char *name = config_setting_name(chain[depth]);
        if (name)
            length = ewi_append(text, size, length, "%s%s", length > 0 ? "." : "", name);
        else
            length = ewi_append(text, size, length, "[%d]", config_setting_index(chain[depth]));
    }
    return text;
}

const char *ewi_case_path(struct ewi_reader *reader, const char *path)
{
    if (path[0] == '/' || !reader->folder[0])
        return ewi_keep_text(reader, path);
    size_t size = strlen(reader->folder) + strlen(path) + 1;
    char *joined = ewi_keep(reader, size, 1);
    if (joined)
        ewi_snprintf(joined, size, "%s%s", reader->folder, path);
    return joined;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

struct ewi_formulas {
    struct ewi_formulas *next;
    ew_formula *formula;
};

void *ewi_keep(struct ewi_reader *reader, size_t count, size_t size)
{
    void *memory = ewi_arena_alloc(&reader->that->memory, count, size);
    reader->out_of_memory = reader->out_of_memory || !memory;
    return memory;
}

char *ewi_keep_text(struct ewi_reader *reader, const char *text)
{
    char *copy = ewi_arena_strdup(&reader->that->memory, text);
    reader->out_of_memory = reader->out_of_memory || !copy;
    return copy;
}

bool ewi_keep_formula(struct ewi_reader *reader, ew_formula *formula)
{
    struct ewi_formulas *kept = ewi_keep(reader, 1, sizeof *kept);
    if (!kept) {
        ew_formula_destroy(formula);
        return false;
    }
    *kept = (struct ewi_formulas){reader->that->formulas, formula};
    reader->that->formulas = kept;
    return true;
}

void ewi_free_kept(ew_case *that)
{
    for (; that->formulas; that->formulas = that->formulas->next)
        ew_formula_destroy(that->formulas->formula);
    ewi_arena_free(&that->memory);
}
