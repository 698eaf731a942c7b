/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fused set's kernels of one variant, for every law: a module of the device. The build defines EWI_VARIANT_NAME,
 * EWI_ORDER, EWI_MATRIX and EWI_DIFFUSES by the variant's line in ewi_variants.h.
 */
#include "ewi_cuda_device.h"

#define EWI_VARIANT EWI_JOIN2(EWI_FUSED_, EWI_VARIANT_NAME)
#define EWI_THREADS EWI_FUSED_THREADS(EWI_VARIANT)
#include "tables/order.h"
#include "tables/volumes_order.h"
#include "kernels/begin.h"

#include "constants.h"
#include "ewi_cuda_warp.h"
#include "ewi_cuda_peers.h"

#define EWI_MODULE EWI_JOIN2(fused_, EWI_VARIANT_NAME)

/* How many of a block's products differ from chains of fma: whether the device's matrix units keep the contract. */
EWI_DEVICE void check_products_of(const struct ewi_cuda_check *call, int64_t block)
{
    double *shared = ewi_fused_shared, d[EWI_PRIVATE][4];
    struct ewi_factors factors[EWI_PRIVATE];
    if (!ewi_cuda_enter(&call->head, block, 0))
        return;
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        int thread = ewi_thread(mine);
        const double *factor = call->factor + (block * EWI_THREADS + thread) * 3;
        EWI_UNROLL for (int x = 0; x < 3; x++)
            shared[x * EWI_THREADS + thread] = factor[x];
        EWI_UNROLL for (int x = 0; x < 4; x++)
            d[mine][x] = 0.0;
        factors[mine].a0 = factor[0];
        factors[mine].a1 = factor[1];
        factors[mine].b = factor[2];
    }
    EWI_BARRIER;
    ewi_warp_product(d[0], 4, factors);
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        int thread = ewi_thread(mine), row = thread & ~3, column = thread / 32 * 32 + 8 * (thread % 4), different = 0;
        EWI_UNROLL for (int x = 0; x < 4; x++)
        {
            union {
                double value;
                uint64_t bits;
            } sum, product;
            sum.value = 0.0;
            product.value = d[mine][x];
            EWI_UNROLL for (int k = 0; k < 4; k++)
                sum.value = ewi_fma(shared[x / 2 * EWI_THREADS + row + k],
                                    shared[2 * EWI_THREADS + column + 4 * (x % 2) + k], sum.value);
            different += sum.bits != product.bits;
        }
        call->partial[block * EWI_THREADS + thread] = different;
    }
}
EWI_FUSED_KERNEL(check_products, check, check_products_of, 1)

#include "kernels/end.h"

#define EWI_EACH_LAW_FILE "stage.h"
#include "each_law.h"
