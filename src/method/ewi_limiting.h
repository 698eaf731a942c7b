/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of limiters and positivity besides the state, and their constants (measured: bench/results). */
#ifndef EWI_LIMITING_H
#define EWI_LIMITING_H

#define EWI_FRAME 3 /* numbers that describe an element's mean, for example its velocity: a law's `frame` writes them */
#define EWI_POSITIVE_SHARE 1e-6 /* of the mean's pressure, or what else a law's `positive` gives, left at every point */
#define EWI_LOW_FLOOR 1e-3 /* of the first variable's mean, left at every point where positivity preserves the order */
#define EWI_DAMPING 7.0 /* kappa of the limiter oscillation-free */

/* `limit_point` (physics/advection.h) of a law whose primitive variables are finite at every point */
#define EWI_DEFINE_NO_POINT_LIMIT(law)                                                          \
    EW_HD void ewi_##law##_limit_point(const double *parameter, const ewi_v *mean, ewi_v *u) \
    {                                                                                           \
        (void)parameter, (void)mean, (void)u;                                                   \
    }

struct ewi_limiter;

struct ewi_limiting {
    const struct ewi_limiter *limiter; /* on a GPU NULL: its kernels are of one limiter each */
    const double *sensor; /* output of the limiter's jump sensor: two rows in tiles of slots */
    double step;          /* dt */
    int positive;         /* whether positivity follows */
    int jump_sensor;      /* the stage evaluates the jump sensor and limits by itself, without `sensor` */
    /* [padded][components]: first coefficients of a stage's new state, if the limiter waits for those of neighbours */
    double *first;
};

#endif
