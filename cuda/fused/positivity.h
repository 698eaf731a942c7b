/* SPDX-License-Identifier: BSD-2-Clause */
/* Positivity of what the update has stored (kernels/positive.h). An element's lanes share the points. */

#if EWI_LANES_EXCHANGE
/* Row q of variable m of the new state, as a lane has it that has basis function basis_of(q). */
EWI_DEVICE double EWI_K(new_row)(int m, int q, const struct EWI_K(thread) *own)
{
    if (EWI_K(follows)(m, q))
        return ewi_handed_down(own->sum[EWI_K(sum_at)(m - 1, q)]);
    return own->sum[EWI_K(sum_at)(m, q)];
}

/* kernels/positive.h's is_positive, from what lanes have in registers; sums in another order are no matter there. */
EWI_DEVICE int EWI_K(stays_positive)(const struct ewi_arguments *a, const double *mean, const struct EWI_K(thread) *own,
                                     int thread)
{
    double frame[EWI_FRAME], spread[EWI_M], c[EWI_M], relative[EWI_M];
    EWI_L(frame)(a->parameter, mean, frame);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        spread[m] = 0.0;
    EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
    {
        int j = EWI_K(basis_of)(q, thread);
        double reach = j > 0 && j < EWI_NP ? EWI_TABLE(REACH)[j] : 0.0;
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            c[m] = EWI_K(new_row)(m, q, own);
        EWI_L(relative)(frame, c, relative);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            spread[m] = reach > 0.0 ? ewi_fma(reach, ewi_abs(relative[m]), spread[m]) : spread[m];
    }
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        spread[m] = EWI_MATRIX ? ewi_sum_of_four(spread[m]) : spread[m];
    return EWI_L(is_positive)(a->parameter, a->floor, frame, mean, spread);
}

/*
 * kernels/positive.h's scaling, from what has been stored; a function of its own, since it is rare and must not cost
 * registers. scales: whether this thread's element is to be.
 */
EWI_APART void EWI_K(scale)(const struct ewi_cuda_stage *call, int64_t element, int scales, int thread)
{
    const int first = EWI_MATRIX ? thread % 4 : 0, step = EWI_MATRIX ? 4 : 1;
    int64_t width = call->a.width, place = EWI_K(place)(width, element);
    double mean[EWI_M];
    EWI_WARP_BARRIER; /* others have stored their rows */
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        mean[m] = EWI_SQRT2 * call->target[EWI_K(at)(width, place, m, 0)];
    double lowest = EWI_K(lowest)(&call->a, mean[0], first, step, call->target, width, place);
    lowest = EWI_MATRIX ? ewi_least_of_four(lowest) : lowest;
    double share = EWI_K(share_of)(call->a.floor, mean[0], lowest), others = call->a.preserves_order ? share : 1.0;
    double common = EWI_K(common_share)(&call->a, mean, share, lowest, first, step, call->target, width, place);
    common = EWI_MATRIX ? ewi_least_of_four(common) : common;
    EWI_WARP_BARRIER; /* ... and have read them */
    EWI_NO_UNROLL for (int row = first; scales && row < EWI_ROWS; row += step)
    {
        double *at = call->target + EWI_K(at)(width, place, row / EWI_NP, row % EWI_NP);
        if (row % EWI_NP != 0)
            *at = common * ((row < EWI_NP ? share : others) * *at);
    }
}

EWI_DEVICE void EWI_K(keep_positive)(const struct EWI_K(context) *ctx, int number, struct EWI_K(thread) *own,
                                     int thread)
{
    int64_t element = (int64_t)number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
    int there = element < ctx->call->a.padded;
    double mean[EWI_M];
    EWI_K(new_mean)(own, thread, mean);
    int stays = EWI_K(stays_positive)(&ctx->call->a, mean, own, thread);
    if (ewi_warp_any(there && !stays))
        EWI_K(scale)(ctx->call, there ? element : 0, there && !stays, thread);
}
#else
EWI_DEVICE void EWI_K(keep_positive)(const struct EWI_K(context) *ctx, int number, struct EWI_K(thread) *own,
                                     int thread)
{
    const struct ewi_arguments *a = &ctx->call->a;
    int64_t element = (int64_t)number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
    (void)own;
    if (element < a->padded && EWI_K(basis_of)(0, thread) == 0)
        EWI_K(make_positive)(a, ctx->call->target, a->width, EWI_K(place)(a->width, element));
}
#endif
