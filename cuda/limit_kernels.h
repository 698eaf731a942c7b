/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limiter kernels between stages, for one law and one order, in both sets: a thread per element. The including file
 * defines EWI_K(limit_c), Barth and Jespersen's limiter of an element, if EWI_ORDER is 1.
 */
EWI_DEVICE void EWI_K(make_target_positive)(const struct ewi_cuda_limit *call, int64_t i)
{
    EWI_K(make_positive)(call->a.parameter, call->target, call->a.width, EWI_K(place)(call->a.width, i));
}

#if EWI_ORDER == 1
EWI_DEVICE void EWI_K(limit_bj)(const struct ewi_cuda_limit *call, int64_t block, int64_t item)
{
    /* From the end: what a stage wrote last is still in the second cache, and what comes last here it reads first. */
    int64_t turned = (call->a.padded - 1) / EWI_CUDA_BLOCK - 2 * block, i = item + turned * EWI_CUDA_BLOCK;
    ewi_await_previous();
    ewi_next_may_begin();
    if (!(call->head.finalizes ? ewi_cuda_limiter_pending(&call->head) : ewi_cuda_enter(&call->head, block, 0)) ||
        i >= call->a.padded)
        return;
    EWI_K(limit_c)(call, i);
    if (call->positive)
        EWI_K(make_target_positive)(call, i);
}
EWI_THREAD_KERNEL(EWI_JOIN3(limit_c_, EWI_LAW, _barth_jespersen), limit, EWI_K(limit_bj))
#endif

EWI_DEVICE void EWI_K(positive)(const struct ewi_cuda_limit *call, int64_t block, int64_t i)
{
    if (ewi_cuda_enter(&call->head, block, 0) && i < call->a.padded)
        EWI_K(make_target_positive)(call, i);
}
EWI_THREAD_KERNEL(EWI_NAME(make_positive), limit, EWI_K(positive))
