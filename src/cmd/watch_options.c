/* The options of "edgewise watch", and what they mean. */
#include "watch.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

/* "30", "30s", "5m", "2h", "1d"; "512K", "64M", "2G": the unit's factor, or NAN. */
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

static int read_number(const char *option, const char *text, bool bytes, double *value)
{
    char *end;
    if (!text)
        return EX_OK;
    errno = 0;
    double number = strtod(text, &end), factor = unit_factor(end, bytes);
    if (end == text || !isdigit((unsigned char)end[-1]) || errno || !(number >= 0) || !isfinite(number * factor) ||
        number * factor > 1e15) {
        cmd_error("--%s needs %s, not \"%s\".", option,
                  bytes ? "a number of bytes, for example 64M" : "a time, for example 30, 5m or 2h", text);
        return EX_USAGE;
    }
    *value = number * factor;
    return EX_OK;
}

static int read_count(const char *option, const char *text, int64_t least, int64_t most, int64_t *value)
{
    if (!text)
        return EX_OK;
    errno = 0;
    long long number = strtoll(text, NULL, 10); /* the parser has seen to it that it is one */
    if (errno || number < least || number > most) {
        cmd_error("--%s must be from %lld to %lld, not %s.", option, (long long)least, (long long)most, text);
        return EX_USAGE;
    }
    *value = number;
    return EX_OK;
}

int watch_read_settings(const struct cmd_arguments *arguments, struct watch_settings *settings)
{
    *settings = (struct watch_settings){.timeout = 600, .retry_delay = 10, .settle = 2, .mesh_wait = 60, .poll = 30, .grace = 60,
                                        .exec = arguments->exec, .once = arguments->once, .drain = arguments->drain,
                                        .settings = arguments->settings, .setting = arguments->setting};
    int64_t jobs = 1, attempts = 3, files = 1000;
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
        {"max-size", arguments->max_size, true, &size},
        {"min-free", arguments->min_free, true, &room},
    };
    int code = read_count("jobs", arguments->jobs, 1, 1024, &jobs);
    if (code == EX_OK)
        code = read_count("max-attempts", arguments->max_attempts, 1, 1000, &attempts);
    if (code == EX_OK)
        code = read_count("max-files", arguments->max_files, 0, 1000000000, &files);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && code == EX_OK; k++)
        code = read_number(numbers[k].option, numbers[k].text, numbers[k].bytes, numbers[k].value);
    settings->jobs = (int)jobs;
    settings->max_attempts = (int)attempts;
    settings->max_files = files;
    settings->max_size = (int64_t)size;
    settings->min_free = (int64_t)room;
    if (code == EX_OK && settings->poll < 0.1) {
        cmd_error("--poll must be at least 0.1.");
        code = EX_USAGE;
    }
    return code;
}
