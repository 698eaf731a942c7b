/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing two arrays of doubles word by word, and finding where they differ most. */
#ifndef EDGEWISE_CMD_DIFFERENCE_H
#define EDGEWISE_CMD_DIFFERENCE_H

#include <stddef.h>
#include <stdint.h>

#define CMD_ULP_NAN UINT64_MAX /* the distance between a NaN and a number */

/* How many steps from one double to the next lie between a and b; none between +0 and -0, nor between two NaNs. */
uint64_t cmd_ulp_distance(double a, double b);

struct cmd_difference {
    size_t words, differing; /* differing: in at least one bit; all NaNs count as equal */
    uint64_t ulp;            /* the largest distance */
    size_t index;            /* of the first word with that distance, if any differs */
    double a, b;             /* its values */
};

/* difference[variable] of two arrays [items][variables][basis]. */
void cmd_compare_words(const double *a, const double *b, size_t items, int variables, int basis,
                       struct cmd_difference *difference);

#endif
