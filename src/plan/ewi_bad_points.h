/* SPDX-License-Identifier: BSD-2-Clause */
/* Points at which given data are not what they must be: how many of how many, and the first of them. */
#ifndef EWI_BAD_POINTS_H
#define EWI_BAD_POINTS_H

#include "ewi_sizes.h"

struct ewi_bad_points {
    int64_t bad, points;
    double x, y, t;
    double primitive[EW_MAX_VARIABLES]; /* the data there: of a state, its primitive variables */
    const ew_data *data;            /* where they come from; NULL: unknown */
    const ew_boundary_value *value; /* names of data that are a boundary's own values (ew_law_boundary); else NULL */
    int hidden;                     /* variables of the state that are not given, as bits */
    int blamed;                     /* the first of these that is not possible; -1: none by itself */
};

void ewi_count_bad_point(struct ewi_bad_points *points, double x, double y, const double *values, int count);

/* "at (0.5, 0)", "at 3 of 40 points, for example (0.5, 0)". Returns the text. */
const char *ewi_bad_points_where(const struct ewi_bad_points *points, char *text, size_t size);

/* A sentence without an end on states that are not admissible; `what` is the state in words. */
void ewi_describe_states(const struct ewi_sizes *sizes, const struct ewi_bad_points *points, const char *what,
                         char *text, size_t size);

/* Reports bad points, if there are some. */
void ewi_report_states(const struct ewi_sizes *sizes, const struct ewi_bad_points *points, ew_place place,
                       const char *what, struct ewi_diagnostics *diagnostics);

#endif
