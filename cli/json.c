/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes JSON objects on one line. */
#include "cli.h"
#include "ewi_text.h"

#include <math.h>

/* Invalid UTF-8, which file names may have, becomes the replacement character. */
static void put_string(FILE *file, const char *string)
{
    const unsigned char *text = (const unsigned char *)string;
    fputc('"', file);
    while (*text) {
        size_t length = ewi_character_length(text);
        if (length == 0)
            fputs("\\ufffd", file);
        else if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if (*text == '\n')
            fputs("\\n", file);
        else if (*text == '\t')
            fputs("\\t", file);
        else if (*text < 0x20 || *text == 0x7f)
            fprintf(file, "\\u%04x", *text);
        else if (text[0] == 0xc2 && text[1] < 0xa0)
            fprintf(file, "\\u%04x", text[1]);
        else
            fwrite(text, 1, length, file);
        text += length > 0 ? length : 1;
    }
    fputc('"', file);
}

static void put_name(struct cli_json *json, const char *name)
{
    if (json->started)
        fputs(", ", json->file);
    json->started = true;
    if (name) {
        put_string(json->file, name);
        fputs(": ", json->file);
    }
}

/* Writes the name, and null if the value is unknown. */
static bool put_known(struct cli_json *json, const char *name, bool known)
{
    put_name(json, name);
    if (!known)
        fputs("null", json->file);
    return known;
}

void cli_json_open(struct cli_json *json, const char *name, char bracket)
{
    put_name(json, name);
    fputc(bracket, json->file);
    json->started = false;
}

struct cli_json cli_json_begin(FILE *file)
{
    struct cli_json json = {.file = file};
    cli_json_open(&json, NULL, '{');
    return json;
}

void cli_json_end(struct cli_json *json)
{
    cli_json_close(json, '}');
    fputc('\n', json->file);
}

void cli_json_close(struct cli_json *json, char bracket)
{
    fputc(bracket, json->file);
    json->started = true;
}

void cli_json_null(struct cli_json *json, const char *name)
{
    put_known(json, name, false);
}

void cli_json_text(struct cli_json *json, const char *name, const char *text)
{
    if (put_known(json, name, text))
        put_string(json->file, text);
}

void cli_json_number(struct cli_json *json, const char *name, double value)
{
    if (put_known(json, name, isfinite(value)))
        fprintf(json->file, "%.17g", value);
}

void cli_json_integer(struct cli_json *json, const char *name, int64_t value)
{
    put_name(json, name);
    fprintf(json->file, "%lld", (long long)value);
}

void cli_json_bool(struct cli_json *json, const char *name, bool value)
{
    put_name(json, name);
    fputs(value ? "true" : "false", json->file);
}

void cli_json_texts(struct cli_json *json, const char *name, size_t count, const char *const *text)
{
    cli_json_open(json, name, '[');
    for (size_t k = 0; k < count; k++)
        cli_json_text(json, NULL, text[k]);
    cli_json_close(json, ']');
}

void cli_json_raw(struct cli_json *json, const char *name, const char *value)
{
    if (!put_known(json, name, value))
        return;
    for (; *value; value++)
        if (*value != '\n' && *value != '\r')
            fputc(*value, json->file);
}

void cli_json_variables(struct cli_json *json, const char *name, int count, const char *const *names,
                        const double *values)
{
    if (!values) {
        cli_json_null(json, name);
        return;
    }
    cli_json_open(json, name, '{');
    for (int m = 0; m < count; m++)
        cli_json_number(json, names[m], values[m]);
    cli_json_close(json, '}');
}
