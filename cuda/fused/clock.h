/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock in a stage: whether it runs, and the maximum speed in the new state. */

/* Reads the clock, for all threads of a block: whether the stage runs, and what it needs of the step. */
EWI_DEVICE void EWI_K(read_clock)(const struct EWI_K(context) *ctx)
{
    const struct ewi_cuda_stage *call = ctx->call;
    struct ewi_fused_step *step = EWI_K(step)(ctx);
    struct ewi_clock clock;
    int runs = ewi_cuda_enter_step(&call->head, ctx->grid_block, 1, 1, &clock);
    step->step = call->update.step * clock.step;
    step->kept_step = call->update.kept_step * clock.step;
    step->state = runs                                                       ? EWI_FUSED_RUNS
                  : !call->head.begins && clock.state == EWI_CLOCK_RUNNING ? EWI_FUSED_INADMISSIBLE
                                                                           : EWI_FUSED_STOPPED;
    step->odd = (int32_t)(clock.steps % 2);
    step->length = clock.step;
    if (ctx->limits_on_load)
        step->limiter_pending = ewi_cuda_limits_on_load(&call->head, call->limits_on_load);
    if (runs && call->ends && ctx->grid_block == 0)
        ewi_cuda_end(&call->head, call->leaves_pending, &clock);
}

/* The largest of all threads' numbers, in largest[0]; only the first thread may read it. */
EWI_DEVICE void EWI_K(find_largest)(double *largest, const struct EWI_K(thread) *own)
{
    double of_warp[EWI_PRIVATE];
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        of_warp[mine] = own[mine].largest;
    ewi_warp_largest(of_warp);
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        if (ewi_thread(mine) % 32 == 0)
            largest[ewi_thread(mine) / 32] = of_warp[mine];
    EWI_BARRIER;
    if (EWI_FIRST_THREAD)
        EWI_UNROLL for (int warp = 1; warp < EWI_THREADS / 32; warp++)
            largest[0] = ewi_cuda_larger(largest[0], largest[warp]);
}

/* The largest speed of the means of the new state. */
EWI_DEVICE void EWI_K(leave_speed)(const struct EWI_K(context) *ctx, int odd, struct EWI_K(thread) *own)
{
    double *largest = EWI_K(table)(ctx); /* no longer needed */
    ewi_copies_wait();
    EWI_BARRIER;
    EWI_K(find_largest)(largest, own);
    if (EWI_FIRST_THREAD)
        ewi_cuda_raise_speed(ctx->call->head.device_clock, odd, largest[0]);
}
