/* SPDX-License-Identifier: BSD-2-Clause */
/* The laws and limiters of tests/src/limits, in place of the library's: included before everything else. */
#ifndef EWI_LAWS /* kernels of a GPU's fused set have one law */
#define EWI_LAWS(X) X(advection) X(passengers)
#endif
#define EWI_SUBCELL_ORDERS 0
#define EWI_LIMITERS(X)                                                                          \
    X(barth_jespersen, "barth-jespersen", 1, 1, EWI_LIMITER_CELL_MEANS, 26, "as in the library") \
    X(halving, "halving", 1, 5, EWI_LIMITER_CELL_MEANS, 1, "halves all slopes")                  \
    X(oscillation_free, "oscillation-free", 1, 5, EWI_LIMITER_JUMP_SENSOR, 8, "the same")        \
    X(fading, "fading", 1, 5, EWI_LIMITER_JUMP_SENSOR, 8, "halves what is beside a jump")
