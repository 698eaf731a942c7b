/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of kernels/couple.h: a stage of interface elements and their views. */
#ifndef EWI_COUPLING_H
#define EWI_COUPLING_H

#include "ewi_scheme.h"

#include <stdint.h>

/* The stage, alike for all elements; names as in kernels/couple.h. */
struct ewi_coupling {
    int stage, stages;
    double row[EWI_MAX_STAGES];  /* a_im, or b_m in the last stage */
    double time[EWI_MAX_STAGES]; /* c_m */
    int latest;                  /* the latest known m with c_m > 0, or 0 */
    int64_t doubles;             /* of one stage in k, sum and q */
    double share;                /* the sum of row: the time that the stage reaches, over the step */
};

/* Those of a level; pointers are to its first element. */
struct ewi_coupled {
    int steps;     /* non-zero: the elements' own step has this stage, too; */
    double before; /* ... or else this step of their neighbours is the second one in it: 1 */
    double own_step, view_step; /* H, h */
    const double *own, *of_view, *of_sum; /* right-hand sides of this stage; of_sum: of stages 1 .. s - 2 */
    double *k, *sum, *q, *slope;          /* K_m, K_m + T_m, Q_m, one stage after the other; G_1 */
    const double *base, *source, *view_base; /* U_0, S_{i-1}, V_0 */
    double *target, *view_target;
    double *own_rate, *view_rate; /* not NULL: instead of new states, where mean rates go from which they follow */
};

/* Stage number `stage`, from 1, of a scheme with levels. */
struct ewi_coupling ewi_coupling_of(const struct ewi_scheme *scheme, int stage, int64_t doubles);
/* ... for mean rates: the row is divided by its sum. */
struct ewi_coupling ewi_coupling_of_rates(const struct ewi_scheme *scheme, int stage, int64_t doubles);

#endif
