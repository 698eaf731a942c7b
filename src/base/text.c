/* SPDX-License-Identifier: BSD-2-Clause */
/* Words and numbers in texts. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* uselocale */
#endif
#include "ewi_text.h"

#include <locale.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the nearest word -------------------------------------------------------------------------------------------- */

enum { LONGEST_WORD = 64 };

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + ('a' - 'A')) : letter;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The number of insertions, deletions, replacements and exchanges of neighbours that turn a into b. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[3][LONGEST_WORD + 1];
    for (size_t j = 0; j <= b_length; ++j)
        row[0][j] = j;
    for (size_t i = 1; i <= a_length; ++i) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *before_that = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b_length; ++j) {
            char from = lower(a[i - 1]), to = lower(b[j - 1]);
            size_t distance = before[j - 1] + (from != to);
            distance = least(distance, least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && from == lower(b[j - 2]) && lower(a[i - 2]) == to)
                distance = least(distance, before_that[j - 2] + 1);
            now[j] = distance;
        }
    }
    return row[a_length % 3][b_length];
}

bool ewi_is_one_of(const char *const *names, size_t count, const char *word, size_t length)
{
    for (size_t k = 0; k < count; k++) {
        size_t same = 0;
        while (same < length && names[k][same] && lower(word[same]) == names[k][same])
            same++;
        if (same == length && !names[k][same])
            return true;
    }
    return false;
}

bool ewi_is_not_finite(const char *word, size_t length)
{
    static const char *const names[] = {"nan", "inf", "infinity"};
    return ewi_is_one_of(names, sizeof names / sizeof *names, word, length);
}

const char *ewi_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    size_t word_length = strlen(word), smallest = SIZE_MAX;
    if (word_length > LONGEST_WORD)
        return NULL;
    for (size_t i = 0; i < count; ++i) {
        size_t length = strlen(candidates[i]);
        if (length > LONGEST_WORD)
            continue;
        size_t distance = edit_distance(word, word_length, candidates[i], length);
        size_t longer = word_length > length ? word_length : length;
        bool near_enough = distance == 0 || (longer >= 3 && 3 * distance <= longer + 1);
        if (near_enough && distance < smallest) {
            smallest = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static locale_t c_locale;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

void *ewi_enter_c_locale(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_c_locale);
    return uselocale(c_locale);
}

void ewi_leave_c_locale(void *before)
{
    uselocale(before);
}

int ewi_vsnprintf(char *text, size_t size, const char *format, va_list arguments)
{
    void *before = ewi_enter_c_locale();
    int length = vsnprintf(text, size, format, arguments);
    ewi_leave_c_locale(before);
    return length;
}

int ewi_snprintf(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = ewi_vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}

int ewi_fprintf(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    void *before = ewi_enter_c_locale();
    int length = vfprintf(file, format, arguments);
    ewi_leave_c_locale(before);
    va_end(arguments);
    return length;
}

double ewi_strtod(const char *text, char **end)
{
    void *before = ewi_enter_c_locale();
    double value = strtod(text, end);
    ewi_leave_c_locale(before);
    return value;
}

size_t ewi_read_number(const char *text, double *value)
{
    char *end;
    if (!ewi_is_digit(text[text[0] == '.']))
        return 0;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) { /* to strtod, the start of a hexadecimal number */
        *value = 0;
        return 1;
    }
    *value = ewi_strtod(text, &end);
    return (size_t)(end - text);
}

const char *ewi_in_words(const char *const *names, int count, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; k < count && length < size; k++)
        length += (size_t)ewi_snprintf(text + length, size - length, "%s%s",
                                       k == 0          ? ""
                                       : k + 1 < count ? ", "
                                                       : " and ",
                                       names[k]);
    return text;
}

char *ewi_trimmed(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    return text;
}

bool ewi_ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

const char *ewi_bytes_in_words(double bytes, char *text, size_t size)
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t k = 0;
    for (; bytes >= 1024 && k + 1 < sizeof unit / sizeof *unit; k++)
        bytes /= 1024;
    ewi_snprintf(text, size, "%.*f %s", k == 0 || bytes >= 100 ? 0 : 1, bytes, unit[k]);
    return text;
}

size_t ewi_character_length(const unsigned char *text)
{
    size_t length = text[0] < 0x80   ? 1
                    : text[0] < 0xc2 ? 0
                    : text[0] < 0xe0 ? 2
                    : text[0] < 0xf0 ? 3
                    : text[0] < 0xf5 ? 4
                                     : 0;
    for (size_t k = 1; k < length; k++)
        if ((text[k] & 0xc0) != 0x80)
            return 0;
    bool overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    bool surrogate_or_beyond = (text[0] == 0xed && text[1] > 0x9f) || (text[0] == 0xf4 && text[1] > 0x8f);
    return overlong || surrogate_or_beyond ? 0 : length;
}

static unsigned code_point(const unsigned char *text, size_t length)
{
    unsigned code = length < 2 ? text[0] : text[0] & (0xffu >> (length + 1));
    for (size_t k = 1; k < length; k++)
        code = code << 6 | (text[k] & 0x3f);
    return code;
}

/* Control characters, ends of lines, directions of writing, characters without width that no language needs. */
static bool is_unseen(unsigned code)
{
    static const unsigned range[][2] = {{0x0, 0x1f},       {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200b, 0x200b},
                                        {0x200e, 0x200f},  {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff},
                                        {0xfff9, 0xfffb}};
    for (size_t k = 0; k < sizeof range / sizeof *range; k++)
        if (code >= range[k][0] && code <= range[k][1])
            return true;
    return false;
}

size_t ewi_show_character(const unsigned char *text, char shown[EWI_SHOWN])
{
    size_t length = ewi_character_length(text);
    unsigned code = code_point(text, length);
    if (length > 0 && !is_unseen(code)) {
        memcpy(shown, text, length);
        shown[length] = '\0';
    } else {
        ewi_snprintf(shown, EWI_SHOWN, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
    }
    return length > 0 ? length : 1;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* Replaces `length` characters at `at` by others; what then goes beyond the size is cut. */
static size_t replace(char *text, size_t size, size_t at, size_t length, const char *by)
{
    size_t put = strlen(by), left = strlen(text + at + length), room = size - 1 - at;
    put = least(put, room);
    left = least(left, room - put);
    memmove(text + at + put, text + at + length, left);
    memcpy(text + at, by, put);
    text[at + put + left] = '\0';
    return put;
}

void ewi_show_controls(char *text, size_t size)
{
    for (size_t at = 0; text[at];) {
        const unsigned char *c = (const unsigned char *)text + at;
        size_t length = ewi_character_length(c);
        char by[EWI_SHOWN];
        if (length == 0 || !is_unseen(code_point(c, length))) {
            at += length > 0 ? length : 1;
            continue;
        }
        if (c[0] == '\n' || c[0] == '\t' || c[0] == '\r')
            ewi_snprintf(by, sizeof by, "\\%c", c[0] == '\n' ? 'n' : c[0] == '\t' ? 't' : 'r');
        else
            ewi_show_character(c, by);
        at += replace(text, size, at, length, by);
    }
}
