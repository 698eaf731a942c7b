/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the JSON that the service writes. A value is a pointer into a text that cli_json_is_valid has accepted. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST_JSON = 32 };

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* The end of the string that starts here, or NULL. */
static const char *skip_string(const char *at)
{
    if (*at != '"')
        return NULL;
    for (at++; *at && *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            return NULL;
        if (*at == '\\' && !*++at)
            return NULL;
    }
    return *at ? at + 1 : NULL;
}

static const char *skip_scalar(const char *at)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strncmp(at, words[k], strlen(words[k])) == 0)
            return at + strlen(words[k]);
    size_t length = strspn(at, "+-.eE0123456789");
    char *end;
    if (length == 0 || at[0] == '+' || at[0] == '.')
        return NULL;
    strtod(at, &end);
    return end == at + length ? end : NULL;
}

/* The end of `"name":`, or NULL. */
static const char *skip_name(const char *at)
{
    at = skip_string(skip_blanks(at));
    at = at ? skip_blanks(at) : NULL;
    return at && *at == ':' ? at + 1 : NULL;
}

/* The end of the value that starts here, or NULL. */
static const char *skip_value(const char *at)
{
    char closing[DEEPEST_JSON];
    int depth = 0;
    bool opened = false; /* right behind an opening bracket */
    for (;;) {
        at = skip_blanks(at);
        if (depth > 0 && *at == closing[depth - 1]) {
            if (!opened)
                return NULL; /* a comma before it */
            at++;
            depth--;
        } else {
            if (depth > 0 && closing[depth - 1] == '}' && !(at = skip_name(at)))
                return NULL;
            at = skip_blanks(at);
            if (*at == '{' || *at == '[') {
                if (depth == DEEPEST_JSON)
                    return NULL;
                closing[depth++] = *at++ == '{' ? '}' : ']';
                opened = true;
                continue;
            }
            at = *at == '"' ? skip_string(at) : skip_scalar(at);
        }
        while (at && depth > 0 && *(at = skip_blanks(at)) == closing[depth - 1]) {
            at++;
            depth--;
        }
        if (!at || depth == 0)
            return at;
        if (*at++ != ',')
            return NULL;
        opened = false;
    }
}

bool cli_json_is_valid(const char *text)
{
    const char *end = skip_value(text);
    return end && !*skip_blanks(end);
}

const char *cli_json_member(const char *object, const char *name)
{
    size_t length = strlen(name);
    const char *at = object ? skip_blanks(object) : "";
    if (*at != '{')
        return NULL;
    do {
        const char *key = skip_blanks(at + 1);
        if (*key != '"')
            return NULL;
        at = skip_blanks(skip_name(key));
        if (strncmp(key + 1, name, length) == 0 && key[1 + length] == '"')
            return at;
        at = skip_blanks(skip_value(at));
    } while (*at == ',');
    return NULL;
}

const char *cli_json_first(const char *array)
{
    const char *at = array ? skip_blanks(array) : "";
    if (*at != '[')
        return NULL;
    at = skip_blanks(at + 1);
    return *at == ']' ? NULL : at;
}

const char *cli_json_next(const char *value)
{
    const char *at = skip_blanks(skip_value(value));
    return *at == ',' ? skip_blanks(at + 1) : NULL;
}

const char *cli_json_each(const char *object, const char *value, char *name, size_t size)
{
    const char *at = value ? skip_blanks(skip_value(value)) : object ? skip_blanks(object) : "";
    if (*at != (value ? ',' : '{'))
        return NULL;
    at = skip_blanks(at + 1);
    return cli_json_get_text(at, name, size) ? skip_blanks(skip_name(at)) : NULL;
}

double cli_json_get_number(const char *value)
{
    return value && *value && strchr("-0123456789", *value) ? strtod(value, NULL) : NAN;
}

double cli_json_number_of(const char *object, const char *name)
{
    return cli_json_get_number(cli_json_member(object, name));
}

static size_t put_utf8(unsigned code, char *text)
{
    if (code < 0x80) {
        text[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        text[0] = (char)(0xc0 | code >> 6);
        text[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    text[0] = (char)(0xe0 | code >> 12);
    text[1] = (char)(0x80 | (code >> 6 & 0x3f));
    text[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

bool cli_json_get_text(const char *value, char *text, size_t size)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    size_t length = 0;
    text[0] = '\0';
    if (!value || *value != '"')
        return false;
    for (const char *at = value + 1; *at && *at != '"' && length + 4 < size; at++) {
        if (*at != '\\') {
            text[length++] = *at;
            continue;
        }
        const char *escape = strchr(escapes, *++at);
        if (*at == 'u') {
            char digits[5];
            snprintf(digits, sizeof digits, "%.4s", at + 1);
            length += put_utf8((unsigned)strtoul(digits, NULL, 16), text + length);
            at += strcspn(digits, "\"") == 4 ? 4 : 0;
        } else {
            text[length++] = escape ? meant[escape - escapes] : *at;
        }
    }
    text[length] = '\0';
    return true;
}
