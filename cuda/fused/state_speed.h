/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * eval_speed: the maximum speed of each thread block's elements, a thread per element, before the first step; or, after
 * each step, where speeds of points count, too, together with the maximum that the last stage has found in the means.
 */

EWI_DEVICE void EWI_K(speed)(const struct ewi_cuda_speed *call, int64_t block)
{
    double speed[EWI_HERE(EWI_CUDA_BLOCK)], mean[EWI_M];
    if (!ewi_cuda_enter(&call->head, block, 0))
        return;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int64_t i = ewi_cuda_item(call->list, block, ewi_thread(mine));
        speed[mine] = 0.0;
        if (i >= call->elements)
            continue;
        for (int m = 0; m < EWI_M; m++)
            mean[m] = EWI_SQRT2 * call->state[EWI_K(tile_of)(i) + EWI_K(row)(m, 0, (int)(i % EWI_TILE))];
        speed[mine] = EWI_L(speed)(call->a.parameter, mean, EWI_HAS_BOUND ? call->a.speed_bound[i] : 0.0);
        if (EWI_HAS_POSITIVE && call->a.preserves_order)
            speed[mine] = EWI_K(speed_of_points)(call->a.parameter, speed[mine], call->state, call->a.width,
                                                 EWI_K(place)(call->a.width, i));
        speed[mine] = EWI_K(step_rate)(&call->a, i, mean, speed[mine]);
    }
    ewi_cuda_leave_speed(call, block, speed);
}
EWI_KERNEL(EWI_NAME(eval_speed), speed, EWI_K(speed))
