/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels of EWI_LIMITER between stages, for one law and one order: a thread per element, or per edge. Both sets
 * have them, each with its own EWI_K(limit_element); stages damp by themselves in the fused one, unless there are
 * levels of time steps.
 */
#ifndef EWI_LIMITER_KERNELS
#define EWI_LIMITER_KERNELS
#define EWI_LIMITED(name) EWI_JOIN3(name, _, EWI_LIMITER)
#define EWI_LIMITED_K_(name) EWI_K(name)
#define EWI_LIMITED_K(name) EWI_LIMITED_K_(EWI_LIMITED(name))
#define EWI_THIS_LIMITER EWI_JOIN2(EWI_LIMITER_, EWI_LIMITER)
#endif

#if EWI_LIMITER_HAS_ORDER && EWI_LIMITER_IS_BY_MEANS
/*
 * All elements from the end: those that a stage wrote last are still in the second cache, and the next stage begins
 * with those limited last.
 */
EWI_DEVICE void EWI_LIMITED_K(limit_by)(const struct ewi_cuda_limit *call, int64_t block, int64_t item)
{
    int64_t turned = (call->a.padded - 1) / EWI_CUDA_BLOCK - 2 * block;
    int64_t i = call->list ? item : item + turned * EWI_CUDA_BLOCK;
    ewi_await_previous();
    ewi_next_may_begin();
    if (!(call->head.finalizes ? ewi_cuda_limiter_pending(&call->head) : ewi_cuda_enter(&call->head, block, 0)) ||
        i >= call->a.padded)
        return;
    EWI_K(limit_element)(EWI_THIS_LIMITER, call, i);
    if (call->positive)
        EWI_K(make_target_positive)(call, i);
}
EWI_LIST_KERNEL(EWI_LIMITED(EWI_NAME(limit_c)), limit, EWI_LIMITED_K(limit_by))
#endif

#if EWI_LIMITER_HAS_ORDER && EWI_LIMITER_HAS_SENSOR
/* Before a step's last stage, and after it. */
EWI_DEVICE void EWI_LIMITED_K(sense_for)(const struct ewi_cuda_limit *call, int64_t block, int64_t s)
{
    ewi_await_previous();
    ewi_next_may_begin();
    if (!ewi_cuda_enter(&call->head, block, 0) || s >= call->slots)
        return;
    double *at = call->sensor + ewi_layout_base(EWI_TILE, 2, s);
    if (s < call->boundary_slots)
        at[0] = at[EWI_TILE] = 0.0;
    else
        EWI_K(jump_sensor)(EWI_THIS_LIMITER, &call->a, call->state, call->sensor, s);
}
EWI_LIST_KERNEL(EWI_LIMITED(EWI_NAME(jump_sensor)), limit, EWI_LIMITED_K(sense_for))

EWI_DEVICE void EWI_LIMITED_K(limit_by)(const struct ewi_cuda_limit *call, int64_t block, int64_t i)
{
    ewi_await_previous();
    ewi_next_may_begin();
    if (!ewi_cuda_enter(&call->head, block, 0) || i >= call->a.padded)
        return;
    double step = ewi_cuda_step_of(&call->steps, call->head.clock, i);
    struct ewi_limiting with = {NULL, call->sensor, step, call->positive, 0, NULL};
    EWI_K(damp_elements)(EWI_THIS_LIMITER, &call->a, &with, call->target, i);
    if (with.positive)
        EWI_K(make_target_positive)(call, i);
}
EWI_LIST_KERNEL(EWI_LIMITED(EWI_NAME(limit_c)), limit, EWI_LIMITED_K(limit_by))
#endif
