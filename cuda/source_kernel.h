/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * eval_source: the integrals of sources before a stage, of EWI_CUDA_SOURCE_ELEMENTS elements at a time: first a thread
 * per element and several points, for formulas, then one per element and several variables. The threads of a warp share
 * their points and variables.
 */
#define EWI_SOURCE_POINTS 1
#include "kernels/source_points.h"
#undef EWI_SOURCE_POINTS

/* The elements of a thread block: those of its range of the list, if there is one. */
EWI_DEVICE struct ewi_range EWI_K(source_elements)(const struct ewi_cuda_sources *call, int64_t block)
{
    if (call->list)
        return call->list[block];
    int32_t first = (int32_t)block * EWI_CUDA_SOURCE_ELEMENTS, last = first + EWI_CUDA_SOURCE_ELEMENTS;
    struct ewi_range range = {first, last < call->a.padded ? last : (int32_t)call->a.padded};
    return range;
}

EWI_DEVICE void EWI_K(source_of_element)(const struct ewi_cuda_sources *call, const double *values, int64_t i,
                                         int group)
{
    int64_t own = ewi_source_of(&call->a, i);
    for (int m = group; own >= 0 && m < EWI_M; m += EWI_CUDA_BLOCK / EWI_CUDA_SOURCE_ELEMENTS)
        EWI_K(eval_source)(&call->a, call->state, values, EWI_CUDA_SOURCE_ELEMENTS, i, m, call->sources, own);
}

EWI_DEVICE void EWI_K(sources)(const struct ewi_cuda_sources *call, int64_t block)
{
    enum { ELEMENTS = EWI_CUDA_SOURCE_ELEMENTS, GROUPS = EWI_CUDA_BLOCK / ELEMENTS };
    EWI_SHARED double values[EWI_NQ * EWI_M * ELEMENTS];
    struct ewi_clock clock;
    ewi_await_previous();
    ewi_next_may_begin();
    if (!ewi_cuda_enter_step(&call->head, block, 1, EWI_FIRST_THREAD, &clock))
        return;
    struct ewi_range range = EWI_K(source_elements)(call, block);
    double t = ewi_clock_stage_time(&clock, call->time);
    int formulas = call->a.source.program.length > 0;
    for (int64_t first = range.first; first < range.last; first += ELEMENTS) {
        for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
            int lane = ewi_thread(mine) % ELEMENTS;
            for (int q = ewi_thread(mine) / ELEMENTS; formulas && first + lane < range.last && q < EWI_NQ; q += GROUPS)
                EWI_K(source_points)(&call->a, call->state, t, first + lane, q, q + 1, values + lane, ELEMENTS);
        }
        EWI_BARRIER;
        for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
            int lane = ewi_thread(mine) % ELEMENTS;
            if (first + lane < range.last)
                EWI_K(source_of_element)(call, formulas ? values + lane : NULL, first + lane,
                                         ewi_thread(mine) / ELEMENTS);
        }
        EWI_BARRIER;
    }
}
EWI_KERNEL(EWI_NAME(eval_source), sources, EWI_K(sources))
