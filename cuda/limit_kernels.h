/* SPDX-License-Identifier: BSD-2-Clause */
/* Positivity between stages, for one law and one order, in both sets: a thread per element. */
EWI_DEVICE void EWI_K(make_target_positive)(const struct ewi_cuda_limit *call, int64_t i)
{
    EWI_K(make_positive)(&call->a, call->target, call->a.width, EWI_K(place)(call->a.width, i));
}

EWI_DEVICE void EWI_K(positive)(const struct ewi_cuda_limit *call, int64_t block, int64_t i)
{
    if (ewi_cuda_enter(&call->head, block, 0) && i < call->a.padded)
        EWI_K(make_target_positive)(call, i);
}
EWI_LIST_KERNEL(EWI_NAME(make_positive), limit, EWI_K(positive))
