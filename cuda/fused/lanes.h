/* SPDX-License-Identifier: BSD-2-Clause */
/* How threads share a block's elements: four lanes an element, or a thread. */
#if EWI_MATRIX
#include "lanes_matrix.h"
#else
#include "lanes_vector.h"
#endif

/* The means of a thread's element in the new state, for all of its lanes. */
EWI_DEVICE void EWI_K(new_mean)(const struct EWI_K(thread) *own, int thread, double *mean)
{
    /* On the host one thread runs all lanes one after the other, and the first of an element's four is done. */
    const struct EWI_K(thread) *first = EWI_MATRIX && !EWI_LANES_EXCHANGE ? own - thread % 4 : own;
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
    {
        double own_mean = EWI_SQRT2 * first->sum[EWI_K(sum_at)(m, 0)];
        mean[m] = EWI_MATRIX ? ewi_first_of_four(own_mean) : own_mean;
    }
}
