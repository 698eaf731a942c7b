/* SPDX-License-Identifier: BSD-2-Clause */
/* Differences of two arrays of doubles, word by word and in units in the last place. */
#include "difference.h"

#include <math.h>
#include <string.h>

#define SIGN 0x8000000000000000u

static uint64_t word_of(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* Ascends with the value, by one from each double to the next. */
static uint64_t rank(double value)
{
    uint64_t word = word_of(value);
    return word & SIGN ? SIGN - (word & ~SIGN) : SIGN + word;
}

uint64_t cmd_ulp_distance(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? 0 : CMD_ULP_NAN;
    uint64_t from = rank(a), to = rank(b);
    return from < to ? to - from : from - to;
}

static void add_word(struct cmd_difference *difference, double a, double b, size_t index)
{
    if (word_of(a) == word_of(b) || (isnan(a) && isnan(b)))
        return;
    uint64_t ulp = cmd_ulp_distance(a, b);
    if (difference->differing++ == 0 || ulp > difference->ulp) {
        difference->ulp = ulp;
        difference->index = index;
        difference->a = a;
        difference->b = b;
    }
}

void cmd_compare_words(const double *a, const double *b, size_t items, int variables, int basis,
                       struct cmd_difference *difference)
{
    size_t functions = (size_t)basis, rows = (size_t)variables * functions;
    for (int m = 0; m < variables; m++)
        difference[m] = (struct cmd_difference){.words = items * functions};
    if (memcmp(a, b, items * rows * sizeof *a) == 0)
        return;
    for (size_t k = 0; k < items * rows; k++)
        add_word(&difference[k % rows / functions], a[k], b[k], k);
}
