/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limiter subcell's kernels of one law and one order (limiter/subcell.h), in both sets: a thread per element.
 * sense_subcells may begin a step.
 */
#if EWI_HAS_SUBCELLS
EWI_DEVICE void EWI_K(sense)(const struct ewi_cuda_subcells *call, int64_t block, int64_t i)
{
    struct ewi_clock clock;
    if (ewi_cuda_enter_step(&call->head, block, 0, EWI_FIRST_THREAD, &clock) && i < call->a.padded)
        EWI_K(sense_subcells)(&call->a, call->state, i);
}
EWI_LIST_KERNEL(EWI_NAME(sense_subcells), subcells, EWI_K(sense))

EWI_DEVICE void EWI_K(add)(const struct ewi_cuda_subcells *call, int64_t block, int64_t i)
{
    if (ewi_cuda_enter(&call->head, block, 1) && i < call->a.padded)
        EWI_K(add_subcells)(&call->a, call->state, i);
}
EWI_LIST_KERNEL(EWI_NAME(add_subcells), subcells, EWI_K(add))
#endif
