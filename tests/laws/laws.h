/* SPDX-License-Identifier: BSD-2-Clause */
/* The laws and limiters of tests/src/limits, in place of the library's: included before everything else. */
#define EWI_LAWS(X) X(advection) X(passengers)
/* The fused sets have the first two. */
#define EWI_LIMITERS(X)                                                                            \
    X(barth_jespersen, "barth-jespersen", 1, 1, EWI_LIMITER_CELL_MEANS, 1, 26, "as in the library") \
    X(oscillation_free, "oscillation-free", 1, 5, EWI_LIMITER_JUMP_SENSOR, 1, 8, "the same")        \
    X(halving, "halving", 1, 5, EWI_LIMITER_CELL_MEANS, 0, 1, "halves all slopes")
