/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples of output quantities, as fields (sample.c) and averages (averages.c) take them. */
#ifndef EWI_SAMPLING_H
#define EWI_SAMPLING_H

#include "ewi_element.h"
#include "ewi_solver.h"

/* The values to sample in every element. */
struct ewi_sampling {
    const struct ewi_plan *plan;
    const double *state, *activity; /* activity: NULL if it is not asked for */
    const struct ewi_averages *averages; /* NULL without averages among the outputs */
    const double *rs;               /* [points][2] */
    double *phi;                    /* [3][points][np]: the basis functions at the points, and their derivatives */
    double time;
    int points, outputs;
    struct ewi_output output[EW_MAX_OUTPUTS];
    bool gradients, primitive, formulas; /* whether they are asked for */
    bool single;               /* columns are of floats */
};

int ewi_sampling_choose(const ew_solver *solver, struct ewi_sampling *sampling, int outputs, const int *output,
                        ew_error *error);
/* Sets `phi`, for the caller to free. */
int ewi_sampling_basis(const ew_solver *solver, struct ewi_sampling *sampling, ew_error *error);
/*
 * Quantities other than "limiter" at all points of the first `count` elements i of a tile, in the solver's order, from
 * their coefficients c[rows][EWI_TILE]: value[outputs][points][EWI_TILE], 0 in other lanes.
 */
void ewi_sampling_tile(const struct ewi_sampling *sampling, const int32_t *i, int count, const double *c,
                       double *value);

#endif
