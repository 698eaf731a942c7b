/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns --sweep KEY=VALUES into the group `sweep` of a case, which config/ reads and checks. */
#include "cases.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

__attribute__((format(printf, 3, 4))) static int refuse(ew_error *error, const char *option, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return cli_fail(EX_USAGE, "--sweep %s: %s", option, error->message);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void put_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++)
        fprintf(file, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', file);
}

/* Writes numbers and booleans unchanged, anything else as a text. */
static void put_value(FILE *file, const char *text)
{
    double number;
    if (cli_read_numbers(text, 1, 1, &number) == 1 || strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        fputs(text, file);
    else
        put_quoted(file, text);
}

/* Reads "0..9" or "0..1:5"; false: not a range. */
static bool read_range(const char *text, double range[2], double *steps)
{
    char first[64], last[64] = "";
    const char *dots = strstr(text, ".."), *colon = dots ? strchr(dots, ':') : NULL;
    if (!dots || dots - text >= (ptrdiff_t)sizeof first)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(dots - text), text);
    snprintf(last, sizeof last, "%.*s", (int)(colon ? (size_t)(colon - dots - 2) : sizeof last), dots + 2);
    *steps = 0;
    return cli_read_numbers(first, 1, 1, &range[0]) == 1 && cli_read_numbers(last, 1, 1, &range[1]) == 1 &&
           (!colon || (cli_read_numbers(colon + 1, 1, 1, steps) == 1 && *steps >= 2 && *steps == floor(*steps)));
}

/* True for "0..x", "0..1:0", "0:4" and "0:4:5", which are meant as ranges, but not for "../a.msh". */
static bool begins_range(const char *text)
{
    const char *dots = strstr(text, "..");
    size_t number = strspn(text, "+-.0123456789eE");
    bool colons = number > 0 && text[number] == ':' && strspn(text, "+-.:0123456789eE") == strlen(text);
    return colons || (dots && dots > text && number >= (size_t)(dots - text));
}

/* Writes the numbers of a range in steps of one. */
static int put_range(FILE *file, const char *option, const double range[2], ew_error *error)
{
    double width = fabs(range[1] - range[0]), sign = range[1] < range[0] ? -1 : 1;
    if (width != floor(width))
        return refuse(error, option, "from %g to %g there is no whole number of steps of 1; say how many values, "
                      "for example %g..%g:5", range[0], range[1], range[0], range[1]);
    if (width >= EW_MOST_MEMBERS)
        return refuse(error, option, "%.15g values are too many; %d members are the most", width + 1, EW_MOST_MEMBERS);
    for (double k = 0; k <= width; k++)
        fprintf(file, "%s%.17g", k > 0 ? ", " : "", range[0] + sign * k);
    return EX_OK;
}

/* Ends the value at the next comma outside parentheses and quotes; returns what follows it, NULL: nothing. */
static char *cut_value(char *value)
{
    int depth = 0;
    bool quoted = false;
    for (; *value; value++) {
        quoted = quoted != (*value == '\'');
        depth += quoted ? 0 : (*value == '(') - (*value == ')');
        if (*value == ',' && !quoted && depth <= 0) {
            *value = '\0';
            return value + 1;
        }
    }
    return NULL;
}

static int put_one(FILE *file, const char *option, const char *value, ew_error *error)
{
    double range[2], steps;
    bool is_range = read_range(value, range, &steps);
    if (!*value)
        return refuse(error, option, "a value is missing");
    if (!is_range && begins_range(value))
        return refuse(error, option, "a range is FIRST..LAST, or FIRST..LAST:COUNT with 2 values or more, not %s",
                      value);
    if (is_range && steps > 0)
        return refuse(error, option, "the range %s cannot be part of a list; list its values instead", value);
    if (is_range)
        return put_range(file, option, range, error);
    put_value(file, value);
    return EX_OK;
}

static int put_values(FILE *file, const char *option, char *values, ew_error *error)
{
    int code = EX_OK;
    double range[2], steps;
    if (read_range(values, range, &steps) && steps > 0) {
        fprintf(file, "from = %.17g; to = %.17g; steps = %.0f; ", range[0], range[1], steps);
        return EX_OK;
    }
    fputs("values = (", file);
    for (char *value = values, *next; value && code == EX_OK; value = next) {
        next = cut_value(value);
        fputs(value > values ? ", " : "", file);
        code = put_one(file, option, value, error);
    }
    fputs("); ", file);
    return code;
}

static int put_key(FILE *file, const char *option, ew_error *error)
{
    char *key = cli_copy(option), *equals = strchr(key, '=');
    int code = EX_OK;
    if (strchr(option, '\n')) {
        code = refuse(error, option, "a setting cannot have a line break");
    } else if (!equals || equals == key) {
        code = refuse(error, option, "this needs KEY=VALUES, for example let.alpha=0..9 or order=1,2,3");
    } else {
        *equals = '\0';
        fputs("{ key = ", file);
        put_quoted(file, key);
        fputs("; ", file);
        code = put_values(file, option, equals + 1, error);
        fputs("}", file);
    }
    free(key);
    return code;
}

/* ---- the sweep --------------------------------------------------------------------------------------------------- */

/* Writes "sweep={...}" to *setting, which the caller frees. */
static int make_setting(const struct cli_texts *options, char **setting, ew_error *error)
{
    size_t length = 0;
    int code = EX_OK;
    FILE *file = open_memstream(setting, &length);
    if (!file)
        return cli_fail(EX_OSERR, "not enough memory for --sweep");
    fputs("sweep={ over = (", file);
    for (size_t k = 0; k < options->count && code == EX_OK; k++) {
        fputs(k > 0 ? ", " : "", file);
        code = put_key(file, options->text[k], error);
    }
    fputs("); }", file);
    return fclose(file) == 0 ? code : cli_fail(EX_OSERR, "not enough memory for --sweep");
}

/* The options as sentences name them: "--sweep order=1,2 --sweep flux=roe,hllc". The caller frees the text. */
static char *name_options(const struct cli_texts *options)
{
    char *name = cli_copy("");
    for (size_t k = 0; k < options->count; k++) {
        char *longer = cli_format("%s%s--sweep %.200s", name, k > 0 ? " " : "", options->text[k]);
        free(name);
        name = longer;
    }
    return name;
}

/* Refuses a --set of the sweep, which would have no effect. */
static int refuse_other_sweeps(const struct cli_arguments *arguments, const struct cli_texts *options, ew_error *error)
{
    for (size_t k = 0; k < arguments->settings; k++)
        if (strncmp(arguments->setting[k], "sweep", 5) == 0 && strchr(".= ", arguments->setting[k][5]))
            return refuse(error, options->text[0], "%.100s is about another sweep, whose place this takes; leave out "
                          "one of them", arguments->setting_name[k]);
    return EX_OK;
}

int cli_sweep_setting(const struct cli_arguments *arguments, const struct cli_texts *options, char **name,
                      char **setting, ew_error *error)
{
    int code = refuse_other_sweeps(arguments, options, error);
    if (code != EX_OK)
        return code;
    code = make_setting(options, setting, error);
    *name = code == EX_OK ? name_options(options) : NULL;
    if (code != EX_OK) {
        free(*setting);
        *setting = NULL;
    }
    return code;
}
