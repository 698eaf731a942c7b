/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A law's source by formulas at the points of the volume rule, of any order, before eval_source integrates it: a thread
 * per element and point; consecutive threads take the elements of a tile at one point.
 */
#define EWI_ORDER 1 /* begin.h needs one; these kernels serve all */
#include "kernels/begin.h"

/* The state's rows for source_points.h: in the order of the paper's set, or of the fused one. */
EWI_DEVICE int64_t EWI_L(row)(int64_t layout, int variables, int np, int row, int64_t i)
{
    int j = row % np;
    if (layout > 0)
        return ewi_layout_index(layout, variables * np, row, i);
    return i / EWI_TILE * (EWI_TILE * variables * np) +
           ewi_fused_row(layout == EWI_CUDA_MATRIX, variables, np, row / np, j / 4, j % 4, (int)(i % EWI_TILE));
}

#define EWI_SOURCE_POINTS 1
#include "kernels/source_points.h"
#undef EWI_SOURCE_POINTS

EWI_DEVICE void EWI_L(eval_source_points)(const struct ewi_cuda_source_points *call, int64_t block, int64_t k)
{
    struct ewi_clock clock;
    if (!ewi_cuda_enter_step(&call->head, block, 1, EWI_FIRST_THREAD, &clock) || k >= call->a.padded * call->nq)
        return;
    int q = (int)(k / EWI_TILE % call->nq);
    int64_t i = k / (EWI_TILE * call->nq) * EWI_TILE + k % EWI_TILE;
    EWI_L(source_points)(&call->a, call->layout, call->state, ewi_clock_stage_time(&clock, call->time), i, call->np, q,
                         q + 1, call->values + ewi_layout_base(EWI_TILE, call->nq * EWI_M, i));
}
EWI_THREAD_KERNEL(EWI_JOIN2(eval_source_points_, EWI_LAW), source_points, EWI_L(eval_source_points))

#include "kernels/end.h"
