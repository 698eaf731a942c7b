/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of the paper's set around the bodies of one law and one order, whichever bodies the law has. */

EWI_DEVICE void EWI_K(volume)(const struct ewi_cuda_integrals *call, int64_t block, int64_t i)
{
    if (ewi_cuda_enter(&call->head, block, 1) && i < call->a.padded)
        EWI_K(eval_volume)(&call->a, call->state, call->rhs_volume, i);
}
EWI_LIST_KERNEL(EWI_NAME(eval_volume), integrals, EWI_K(volume))

EWI_DEVICE void EWI_K(rhs)(const struct ewi_cuda_integrals *call, int64_t block, int64_t i)
{
    if (ewi_cuda_enter(&call->head, block, 1) && i < call->a.padded)
        EWI_K(eval_rhs)(&call->a, call->rhs_volume, call->rhs_surface, call->right_offset, call->sources, call->rhs, i);
}
EWI_LIST_KERNEL(EWI_NAME(eval_rhs), integrals, EWI_K(rhs))

EWI_DEVICE void EWI_K(speed)(const struct ewi_cuda_speed *call, int64_t block)
{
    double speed[EWI_HERE(EWI_CUDA_BLOCK)];
    if (!ewi_cuda_enter(&call->head, block, 0))
        return;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int64_t i = ewi_cuda_item(call->list, block, ewi_thread(mine));
        speed[mine] = i < call->elements ? EWI_K(eval_speed)(&call->a, call->state, i) : 0.0;
    }
    ewi_cuda_leave_speed(call, block, speed);
}
EWI_KERNEL(EWI_NAME(eval_speed), speed, EWI_K(speed))
