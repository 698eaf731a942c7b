/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts in tables of comma-separated values. */
#include "ewi_text.h"

#include <string.h>

/* True if the whole text is a decimal number, as "-1.5e3". */
static bool is_number(const char *text)
{
    double value;
    text += *text == '-' || *text == '+';
    size_t length = ewi_read_number(text, &value);
    return length > 0 && text[length] == '\0';
}

/* Spreadsheets run a cell that begins like this, but take one that begins with an apostrophe for a text. */
static bool is_formula(const char *text)
{
    return *text && strchr(EWI_BEGINS_FORMULA, *text) && !is_number(text);
}

void ewi_csv_text(FILE *file, const char *text)
{
    bool plain = !strpbrk(text, ",\"\r\n");
    if (!plain)
        fputc('"', file);
    if (is_formula(text))
        fputc('\'', file);
    for (; *text; text++)
        ewi_fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    if (!plain)
        fputc('"', file);
}
