/* SPDX-License-Identifier: BSD-2-Clause */
/* Averages of a solver: their values (averages.c), and how samples of the state change them (accumulate.c). */
#ifndef EWI_AVERAGES_H
#define EWI_AVERAGES_H

#include "ewi_sampling.h"

/* values[tiles][slots][np][EWI_TILE], elements in the solver's order; the tables of samples at the lattice. */
struct ewi_averages {
    double duration, last;
    bool elsewhere, fetched; /* the backend has the values; those here are up to date */
    double *values;
    double *rs; /* [np][2] */
    struct ewi_sampling sampling;
};

static inline int64_t ewi_average_tiles(const struct ewi_plan *plan)
{
    return ((int64_t)plan->grid->elements + EWI_TILE - 1) / EWI_TILE;
}

/* The number of node (a, b), at r = a/p, s = b/p. */
static inline int ewi_average_node(int p, int a, int b)
{
    return b * (p + 1) - b * (b - 1) / 2 + a;
}

#endif
