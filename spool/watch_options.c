/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the options of "edgewise watch" from the command line and from watch.conf. */
#include "ewi_text.h"
#include "watch.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

/* The factor of a unit of time ("s", "m", "h", "d") or size ("K", "M", "G", "T"); NAN if there is no such unit. */
static double unit_factor(const char *unit, bool bytes)
{
    static const struct {
        const char *unit;
        double factor;
    } times[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}},
      sizes[] = {{"", 1}, {"K", 1024.0}, {"M", 1048576.0}, {"G", 1073741824.0}, {"T", 1099511627776.0}};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        if (strcmp(bytes ? sizes[k].unit : times[k].unit, unit) == 0)
            return bytes ? sizes[k].factor : times[k].factor;
    return NAN;
}

int watch_read_number(const char *option, const char *text, bool bytes, double *value)
{
    char *end;
    if (!text)
        return EX_OK;
    errno = 0;
    double number = strtod(text, &end), factor = unit_factor(end, bytes);
    if (end == text || !isdigit((unsigned char)end[-1]) || errno || !(number >= 0) || !isfinite(number * factor) ||
        number * factor > 1e15)
        return cli_fail(EX_USAGE, "--%s needs %s, not \"%s\".", option,
                        bytes ? "a number of bytes, for example 64M" : "a time, for example 30, 5m or 2h", text);
    *value = number * factor;
    return EX_OK;
}

/* The parser has checked the range. */
static int64_t count_or(const char *text, int64_t otherwise)
{
    return text ? strtoll(text, NULL, 10) : otherwise;
}

static int read_html(const char *text, enum watch_html *html)
{
    static const char *const words[] = {[HTML_NONE] = "none", [HTML_STATUS] = "status", [HTML_REPORTS] = "reports"};
    for (int k = 0; text && k < 3; k++)
        if (strcmp(words[k], text) == 0) {
            *html = (enum watch_html)k;
            return EX_OK;
        }
    return text ? cli_fail(EX_USAGE, "--html needs none, status or reports, not \"%s\".", text) : EX_OK;
}

/* Finds most errors without a case. They would make every job fail. */
static int check_settings(const struct cli_arguments *arguments)
{
    ew_error error;
    const ew_case_options options = {.settings = arguments->settings,
                                     .setting = (const char *const *)arguments->setting,
                                     .setting_name = (const char *const *)arguments->setting_name};
    int status = ew_case_check_settings(&cli_host, &options, &error);
    return status == EW_OK ? EX_OK : cli_fail(status == EW_ENOMEM ? EX_OSERR : EX_USAGE, "%s", error.message);
}

/* Checks --set backend.device=1 like --device 1. */
static int check_set_devices(const struct cli_arguments *arguments)
{
    static const char key[] = "backend.device=";
    int code = EX_OK;
    for (size_t k = 0; code == EX_OK && k < arguments->settings; k++) {
        const char *name = arguments->setting_name[k], *value = arguments->setting[k] + sizeof key - 1;
        if (strncmp(name, "--set ", 6) == 0 && strncmp(arguments->setting[k], key, sizeof key - 1) == 0 &&
            cli_is_whole_number(value, 0, 0))
            code = cli_check_gpu(name, strtod(value, NULL));
    }
    return code;
}

static int read_settings(const struct watch_arguments *arguments, struct watch_settings *settings)
{
    *settings = (struct watch_settings){.timeout = 600, .retry_delay = 10, .settle = 2, .mesh_wait = 60, .poll = 30,
                                        .grace = 60, .html = HTML_STATUS, .reload = 10, .exec = arguments->exec,
                                        .once = arguments->once, .drain = arguments->drain,
                                        .settings = arguments->common.settings,
                                        .setting = arguments->common.setting};
    double size = 64.0 * 1073741824.0, room = 64.0 * 1048576.0;
    const struct {
        const char *option, *text;
        bool bytes;
        double *value;
    } numbers[] = {
        {"timeout", arguments->timeout, false, &settings->timeout},
        {"max-time", arguments->max_time, false, &settings->max_time},
        {"retry-delay", arguments->retry_delay, false, &settings->retry_delay},
        {"settle", arguments->settle, false, &settings->settle},
        {"mesh-wait", arguments->mesh_wait, false, &settings->mesh_wait},
        {"poll", arguments->poll, false, &settings->poll},
        {"grace", arguments->grace, false, &settings->grace},
        {"reload", arguments->reload, false, &settings->reload},
        {"max-size", arguments->max_size, true, &size},
        {"min-free", arguments->min_free, true, &room},
    };
    int code = EX_OK;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && code == EX_OK; k++)
        code = watch_read_number(numbers[k].option, numbers[k].text, numbers[k].bytes, numbers[k].value);
    if (code == EX_OK)
        code = read_html(arguments->html, &settings->html);
    if (code == EX_OK && settings->reload > 0 && settings->reload < 1)
        code = cli_fail(EX_USAGE, "--reload must be 0, or at least 1.");
    if (code == EX_OK && arguments->devices)
        code = cli_read_devices(arguments->devices, settings->device, &settings->devices);
    for (int k = 0; code == EX_OK && k < settings->devices; k++)
        code = cli_check_gpu("--devices", settings->device[k]);
    if (code == EX_OK)
        code = check_settings(&arguments->common);
    bool given = cli_gives_device(&arguments->common);
    if (code == EX_OK && given && settings->devices > 0)
        code = cli_fail(EX_USAGE, "--device and --devices exclude each other.");
    if (code == EX_OK && given && !settings->exec)
        code = cli_check_device(&arguments->common);
    if (code == EX_OK && !settings->exec)
        code = check_set_devices(&arguments->common);
    settings->jobs = (int)count_or(arguments->jobs, settings->devices > 0 ? settings->devices : 1);
    settings->pack = (int)count_or(arguments->pack, 1);
    if (code == EX_OK && settings->exec && (settings->pack > 1 || settings->devices > 0))
        code = cli_fail(EX_USAGE, "--exec runs each job by a command of its own; leave out --pack and --devices.");
    settings->max_attempts = (int)count_or(arguments->max_attempts, 3);
    settings->limits = (struct ewi_limits){count_or(arguments->max_files, 1000), (int64_t)size, (int64_t)room};
    return code == EX_OK && settings->poll < 0.1 ? cli_fail(EX_USAGE, "--poll must be at least 0.1.") : code;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

enum { LARGEST_FILE = 65536 };

/* Makes a word "--name=value" from a line "name = value"; NULL: the line is empty. Free the result. */
static char *make_word(char *line)
{
    line[strcspn(line, "#")] = '\0';
    char *value = strchr(line, '=');
    if (value)
        *value++ = '\0';
    char *name = ewi_trimmed(line);
    return *name || value ? cli_format("--%s%s%s", name, value ? "=" : "", value ? ewi_trimmed(value) : "") : NULL;
}

static void make_words(char *text, struct watch_options *options)
{
    char *rest = NULL;
    size_t count = 0, lines = 1;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    options->word = cli_allocate((lines + 1) * sizeof *options->word);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if ((options->word[count] = make_word(line)) != NULL)
            count++;
    options->word[count] = NULL;
}

static int parse_words(char *place, struct watch_options *options)
{
    int count = 1;
    while (options->word[count - 1])
        count++;
    char **all = cli_allocate(((size_t)count + 2) * sizeof *all); /* with the operand and NULL */
    all[0] = (char[]){"watch"};
    memcpy(all + 1, options->word, ((size_t)count - 1) * sizeof *all);
    all[count] = place;
    int code = cli_parse(&cmd_watch, count + 1, all, &options->all.common);
    free(all);
    const struct watch_arguments *given = &options->all;
    if (code == EX_OK && (given->init || given->once || given->drain || given->common.help))
        code = cli_fail(EX_USAGE, "the options init, once, drain and help belong on the command line.");
    if (code != EX_OK)
        cli_error("the error is in the options file %s.", place);
    return code;
}

static int read_file(const struct ewi_spool *spool, struct watch_options *options)
{
    char place[4096];
    size_t length;
    snprintf(place, sizeof place, "%s/%s", spool->path, WATCH_OPTIONS_FILE);
    char *text = ewi_read_file(spool->root, WATCH_OPTIONS_FILE, LARGEST_FILE, &length);
    if (text) {
        make_words(text, options);
        free(text);
        return parse_words(place, options);
    }
    if (errno == ENOENT)
        return EX_OK;
    return cli_fail(EX_NOINPUT, "cannot read the options file %s: %s", place, ewi_open_error(errno));
}

/* Options of the command line override those of the file; later settings override earlier ones. */
static void merge(const struct watch_arguments *arguments, struct watch_arguments *all)
{
    for (const struct cli_option *option = cmd_watch.options; option->name; option++) {
        const void *member = (const char *)arguments + option->member;
        const char *value = option->kind == CLI_TEXT ? *(const char *const *)member : NULL;
        if (value)
            *(const char **)((char *)all + option->member) = value;
    }
    all->once = arguments->once;
    all->drain = arguments->drain;
    for (size_t k = 0; k < arguments->common.settings; k++)
        cli_add_setting(&all->common, arguments->common.setting_name[k], arguments->common.setting[k]);
}

int watch_read_options(const struct ewi_spool *spool, const struct watch_arguments *arguments,
                       struct watch_options *options)
{
    *options = (struct watch_options){0};
    int code = read_file(spool, options);
    if (code == EX_OK) {
        merge(arguments, &options->all);
        code = read_settings(&options->all, &options->settings);
    }
    if (code != EX_OK)
        watch_free_options(options);
    return code;
}

void watch_free_options(struct watch_options *options)
{
    cli_free_arguments(&options->all.common);
    for (size_t k = 0; options->word && options->word[k]; k++)
        free(options->word[k]);
    free(options->word);
    *options = (struct watch_options){0};
}
