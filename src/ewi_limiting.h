/* SPDX-License-Identifier: BSD-2-Clause */
/* What limiters and positivity are told beside the state, and their constants (measured: bench/results). */
#ifndef EWI_LIMITING_H
#define EWI_LIMITING_H

#define EWI_FRAME 3 /* numbers of a mean with which a law says what it looks like to who moves with it */
#define EWI_POSITIVE_SHARE 1e-6 /* of the mean's density, pressure ... that positivity leaves at every point */
#define EWI_DAMPING 7.0 /* kappa of the limiter oscillation-free */

struct ewi_limiting {
    const double *sensor; /* two rows in tiles of slots, by the limiter's `sense` */
    double step;          /* dt */
    int positive;         /* positivity follows */
    int senses;           /* a stage senses and limits by itself, without a sensor */
};

#endif
