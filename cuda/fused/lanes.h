/* SPDX-License-Identifier: BSD-2-Clause */
/* How threads share a block's elements: four lanes an element, or a thread. */

/* Each of four lanes copies a row of the map of the element behind a side. */
EWI_DEVICE void EWI_K(copy_map)(const struct EWI_K(context) *ctx, int32_t entry, int round, int thread)
{
    const int t = thread % 4;
    ewi_copy_8(EWI_K(halo_maps)(ctx, round, thread) + t * EWI_TILE + EWI_K(side_of)(thread) % EWI_TILE,
               ctx->call->shape + ewi_layout_index(EWI_TILE, EWI_FUSED_SHAPE, t, entry >> 2));
}

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
