/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fused set's kernels of one variant, for every law: a module of the device. The build defines EWI_VARIANT_NAME, EWI_ORDER and
 * EWI_MATRIX by the variant's line in ewi_variants.h.
 */
#include "ewi_cuda_device.h"
#include "ewi_fused.h"

#define EWI_VARIANT EWI_JOIN2(EWI_FUSED_, EWI_VARIANT_NAME)
#define EWI_THREADS EWI_FUSED_THREADS(EWI_VARIANT)
#include "ewi_cuda_warp.h"
#include "tables/order.h"
#include "kernels/begin.h"

#include "constants.h"

#define EWI_MODULE EWI_JOIN2(fused_, EWI_VARIANT_NAME)

/* How many of a thread block's products differ from chains of fma: whether the device's matrix units keep the contract. */
EWI_FUSED_KERNEL(check_products, 1)
{
    EWI_BEGIN;
    EWI_DYNAMIC_SHARED(shared);
    if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 0)) {
        double d[EWI_PRIVATE][4];
        EWI_FUSED_EACH
        {
            const double *factor = call.state + (EWI_BLOCK_NUMBER * EWI_THREADS + thread) * 3;
            EWI_UNROLL for (int x = 0; x < 3; x++)
                shared[x * EWI_THREADS + thread] = factor[x];
            EWI_UNROLL for (int x = 0; x < 4; x++)
                d[mine][x] = 0.0;
        }
        EWI_BARRIER;
        EWI_WARP_PRODUCT(d[mine], shared[thread], shared[EWI_THREADS + thread], shared[2 * EWI_THREADS + thread]);
        EWI_FUSED_EACH
        {
            int row = thread & ~3, column = thread / 32 * 32 + 8 * (thread % 4), different = 0;
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
            call.partial[EWI_BLOCK_NUMBER * EWI_THREADS + thread] = different;
        }
    }
}

#include "kernels/end.h"

#define EWI_EACH_LAW_FILE "fused_kernels.h"
#include "kernels/each_law.h"
