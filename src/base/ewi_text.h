/* SPDX-License-Identifier: BSD-2-Clause */
/* Words and numbers in texts. */
#ifndef EWI_TEXT_H
#define EWI_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

static inline bool ewi_is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/* The text without blanks at its ends, in place. */
char *ewi_trimmed(char *text);
/* False if both are equal. */
bool ewi_ends_in(const char *text, const char *end);
/* True if the first `length` letters spell a number that is not finite: "nan", "Inf", "infinity". */
bool ewi_is_not_finite(const char *word, size_t length);
/* True if the word is one of the lower-case names, in any case. */
bool ewi_is_one_of(const char *const *names, size_t count, const char *word, size_t length);

/*
 * The candidate nearest to a mistyped word: the first one with the fewest inserted, missing, wrong or exchanged
 * letters, ignoring case. NULL if none is near enough to suggest.
 */
const char *ewi_nearest(const char *word, const char *const *candidates, size_t count);

/*
 * Reads an unsigned decimal number, "12", "1.5", ".5", "2e-3", from the start of a text, with a point whatever the
 * locale. Returns how many characters it has, 0 if there is none; *value is rounded to nearest, infinite if it is too
 * large.
 */
size_t ewi_read_number(const char *text, double *value);

/*
 * The C library's functions, but with a point in numbers whatever the host program's locale. The libraries call no
 * others to write and read numbers (a test).
 */
int ewi_snprintf(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int ewi_vsnprintf(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int ewi_fprintf(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
double ewi_strtod(const char *text, char **end);

/* For libconfig: numbers have a point in this thread until it returns to the locale that ewi_enter_c_locale gave. */
void *ewi_enter_c_locale(void);
void ewi_leave_c_locale(void *before);

/* In a message: control characters become \\n, \\t, \\x1b. Cut at the size. */
void ewi_show_controls(char *text, size_t size);

/* Characters that column names in CSV files must not have; in boundaries' names a _ replaces them. */
#define EWI_NOT_IN_COLUMNS ",\"\n\r\t "
/* A cell that begins with one of these is a formula to spreadsheets, unless it is a number. */
#define EWI_BEGINS_FORMULA "=+-@\t\r"

/* Writes a field of a table of comma-separated values: in quotes if it needs them, and never as a formula. */
void ewi_csv_text(FILE *file, const char *text);

/* Length of the UTF-8 character at the start of a text, or 0 if it is invalid. */
size_t ewi_character_length(const unsigned char *text);
/*
 * Shows the first character of a text that is not empty, as names of others are printed: an invalid byte, a control
 * character, or one that is not seen itself but moves others, as those for the direction of writing do, is shown as
 * \xHH or \uHHHH. Returns its length.
 */
enum { EWI_SHOWN = 8 };
size_t ewi_show_character(const unsigned char *text, char shown[EWI_SHOWN]);

/* "a, b and c", cut at the size; returns the text. */
const char *ewi_in_words(const char *const *names, int count, char *text, size_t size);

/* "12.3 MiB"; returns `text`. */
const char *ewi_bytes_in_words(double bytes, char *text, size_t size);

#endif
