/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limiter kernels between stages, for one law and one order, in both sets: a thread per element.
 * EWI_DEFINE_LIMIT_BY_MEANS makes that of a limiter by cell means from EWI_K(limit_c_<limiter>), which limits an
 * element.
 */
EWI_DEVICE void EWI_K(make_target_positive)(const struct ewi_cuda_limit *call, int64_t i)
{
    EWI_K(make_positive)(call->a.parameter, call->target, call->a.width, EWI_K(place)(call->a.width, i));
}

#ifndef EWI_DEFINE_LIMIT_BY_MEANS
/*
 * All elements from the end: what a stage wrote last is still in the second cache, and what comes last here it reads
 * first.
 */
#define EWI_DEFINE_LIMIT_BY_MEANS(limiter)                                                                     \
    EWI_DEVICE void EWI_K(limit_by_##limiter)(const struct ewi_cuda_limit *call, int64_t block, int64_t item)  \
    {                                                                                                          \
        int64_t turned = (call->a.padded - 1) / EWI_CUDA_BLOCK - 2 * block;                                    \
        int64_t i = call->list ? item : item + turned * EWI_CUDA_BLOCK;                                        \
        ewi_await_previous();                                                                                  \
        ewi_next_may_begin();                                                                                  \
        if (!(call->head.finalizes ? ewi_cuda_limiter_pending(&call->head)                                     \
                                   : ewi_cuda_enter(&call->head, block, 0)) ||                                 \
            i >= call->a.padded)                                                                               \
            return;                                                                                            \
        EWI_K(limit_c_##limiter)(call, i);                                                                     \
        if (call->positive)                                                                                    \
            EWI_K(make_target_positive)(call, i);                                                              \
    }                                                                                                          \
    EWI_LIST_KERNEL(EWI_JOIN3(limit_c_, EWI_LAW, _##limiter), limit, EWI_K(limit_by_##limiter))
#endif

EWI_DEVICE void EWI_K(positive)(const struct ewi_cuda_limit *call, int64_t block, int64_t i)
{
    if (ewi_cuda_enter(&call->head, block, 0) && i < call->a.padded)
        EWI_K(make_target_positive)(call, i);
}
EWI_LIST_KERNEL(EWI_NAME(make_positive), limit, EWI_K(positive))
