/* SPDX-License-Identifier: BSD-2-Clause */
/* eval_source: the integrals of sources before a stage, a thread per element of the mesh. */
EWI_DEVICE void EWI_K(sources)(const struct ewi_cuda_sources *call, int64_t block, int64_t i)
{
    struct ewi_clock clock;
    ewi_await_previous();
    ewi_next_may_begin();
    if (!ewi_cuda_enter_step(&call->head, block, 1, EWI_FIRST_THREAD, &clock) || i >= call->a.padded)
        return;
    int64_t own = ewi_source_of(&call->a, i);
    if (own >= 0)
        EWI_K(eval_source)(&call->a, call->state, ewi_cuda_source_values(call, EWI_NQ * EWI_M, i), i, call->sources,
                           own);
}
EWI_LIST_KERNEL(EWI_NAME(eval_source), sources, EWI_K(sources))
