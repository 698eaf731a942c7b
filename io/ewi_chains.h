/* SPDX-License-Identifier: BSD-2-Clause */
/* Edges of boundaries, and their order along the curves that they form. */
#ifndef EWI_CHAINS_H
#define EWI_CHAINS_H

#include "ewi_error.h"
#include "ewi_host.h"

#include <stdbool.h>

struct ewi_chain_edge {
    double from[2], to[2]; /* with the domain on its left */
    int64_t element;
    int side, boundary;
    int64_t number;        /* among the edges of its boundary */
    bool follows, taken;   /* follows: another edge ends where this one begins */
};

struct ewi_chains {
    struct ewi_arena memory;
    int64_t count;
    struct ewi_chain_edge *edge;   /* [count] */
    struct ewi_chain_edge **start; /* [count]: room for the edges, sorted by their starting points */
};

/* Anything but EW_OK ends the visit. */
typedef int ewi_chain_visitor(void *context, const struct ewi_chain_edge *edge, ew_error *error);
/*
 * Visits all edges curve by curve: first the open curves, in the order of their first edges, each from its start; then
 * the closed ones, each from its greatest x, which is an airfoil's trailing edge.
 */
int ewi_chains_visit(struct ewi_chains *all, ewi_chain_visitor *visit, void *context, ew_error *error);

#endif
