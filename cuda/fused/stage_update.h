/* SPDX-License-Identifier: BSD-2-Clause */
/* The new state from right-hand sides (src/kernels/update.h), and what a stage finds out about it. */

/*
 * Rows of variables first .. end - 1 of a thread's element, from one of the update's arrays. `mean` is that array
 * again, or, if it has slopes only, the state that they belong to. The stage's own state is in registers already.
 */
EWI_DEVICE void EWI_K(take_rows)(const double *mean, const double *array, const double *state, int64_t element,
                                 int first, int end, const struct EWI_K(thread) *own, int thread,
                                 double (*x)[EWI_OWN_ROWS])
{
    if (array != state) {
        int64_t base = EWI_K(tile_of)(element) + EWI_K(lane_of)(thread);
        EWI_K(load_rows)(mean + base, array + base, first, end, thread, x);
        return;
    }
    EWI_UNROLL for (int m = first; m < end; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            x[m][q] = own->c[m][q];
}

/*
 * The new state of variables first .. end - 1 in place of their right-hand sides (src/kernels/update.h). All loads come
 * first, since one of the arrays may be the target.
 */
EWI_DEVICE void EWI_K(update_some)(const struct EWI_K(context) *ctx, int terms, double step, double kept_step,
                                   int64_t element, int first, int end, struct EWI_K(thread) *own, int thread)
{
    const struct ewi_cuda_stage *call = ctx->call;
    const struct ewi_update *u = &call->update;
    double loaded[EWI_M][EWI_OWN_ROWS], x[3][EWI_M][EWI_OWN_ROWS], kept[EWI_M][EWI_OWN_ROWS],
        difference[EWI_M][EWI_OWN_ROWS];
    const double(*start)[EWI_OWN_ROWS] = EWI_FUSED_EARLY(EWI_VARIANT) ? own->start : loaded;
    if (!EWI_FUSED_EARLY(EWI_VARIANT))
        EWI_K(take_rows)(u->base, u->base, call->state, element, first, end, own, thread, loaded);
    EWI_UNROLL for (int k = 0; k < terms; k++)
        EWI_K(take_rows)(EWI_K(slopes_only)(ctx) ? call->mean_of_term[k] : u->term[k], u->term[k], call->state, element,
                         first, end, own, thread, x[k]);
    EWI_UNROLL for (int k = 0; k < terms; k++)
        EWI_UNROLL for (int m = first; m < end; m++)
            EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
                difference[m][q] = ewi_fma(u->weight[k], x[k][m][q] - start[m][q], k > 0 ? difference[m][q] : 0.0);
    if (terms > 0 && u->kept) {
        EWI_K(take_rows)(u->kept, u->kept, NULL, element, first, end, own, thread, kept);
        EWI_UNROLL for (int m = first; m < end; m++)
            EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
                difference[m][q] = ewi_fma(kept_step, kept[m][q], difference[m][q]);
    }
    EWI_UNROLL for (int m = first; m < end; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
        {
            double value = terms > 0 ? start[m][q] + difference[m][q] : start[m][q],
                *sum = &own->sum[EWI_K(sum_at)(m, q)];
            *sum = ewi_fma(step, *sum, value);
        }
}

EWI_DEVICE void EWI_K(update)(const struct EWI_K(context) *ctx, int terms, double step, double kept_step,
                              int64_t element, struct EWI_K(thread) *own, int thread)
{
    const int at_once = (EWI_ORDER > 3 || terms > 1) && EWI_M > 3 ? 2 : EWI_M; /* what registers hold */
    EWI_UNROLL for (int m = 0; m < EWI_M; m += at_once)
        EWI_K(update_some)(ctx, terms, step, kept_step, element, m, m + at_once < EWI_M ? m + at_once : EWI_M, own,
                           thread);
}

/*
 * Each lane has its rows of the update from here on; what that begins with is on its way while side sums are computed.
 */
EWI_DEVICE void EWI_K(begin_update)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own, int thread)
{
    const struct ewi_cuda_stage *call = ctx->call;
    int64_t element = (int64_t)ctx->block->number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            if (EWI_K(leads)(m, q))
                own->c[m][q] = ewi_combine_lanes(own->c[m][q], own->c[EWI_K(partner)(m)][q], thread);
    if (EWI_FUSED_EARLY(EWI_VARIANT)) { /* assigned in every case, or it stays in registers from block to block */
        const double *array = call->target && element < call->a.padded ? call->update.base : call->state;
        EWI_K(take_rows)(EWI_K(slopes_only)(ctx) ? call->mean_of_base : array, array, call->state, element, 0, EWI_M,
                         own, thread, own->start);
    }
}

/* Notes whether the element's new mean is admissible and, at the end of a step, its speed. */
EWI_DEVICE void EWI_K(inspect)(const struct EWI_K(context) *ctx, int64_t element, struct EWI_K(thread) *own)
{
    const struct ewi_cuda_stage *call = ctx->call;
    double mean[EWI_M];
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        mean[m] = EWI_SQRT2 * own->sum[EWI_K(sum_at)(m, 0)];
    if (!EWI_L(admissible)(call->a.parameter, mean))
        ewi_cuda_break_off(&call->head);
    if (call->ends) {
        double bound = EWI_HAS_BOUND ? call->a.speed_bound[element] : 0.0;
        double speed = EWI_K(step_rate)(&call->a, element, mean, EWI_L(speed)(call->a.parameter, mean, bound));
        own->largest = ewi_cuda_larger(own->largest, speed);
    }
}

/* Right-hand sides from sums, and with them the new state: stored, damped and inspected. role: of the block. */
EWI_DEVICE void EWI_K(finish)(const struct EWI_K(context) *ctx, int number, int role, struct EWI_K(thread) *own,
                              int thread)
{
    const struct ewi_cuda_stage *call = ctx->call;
    double part = ewi_cuda_halved(role & EWI_FUSED_HALVINGS), step = EWI_K(step)(ctx)->step * part,
           kept_step = EWI_K(step)(ctx)->kept_step * part;
    int64_t element = (int64_t)number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
    if (element >= call->a.padded)
        return;
    int64_t base = EWI_K(tile_of)(element) + EWI_K(lane_of)(thread);
    double inverse_det = own->shape[EWI_INVERSE_DET];
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
        {
            double *sum = &own->sum[EWI_K(sum_at)(m, q)];
            if (EWI_K(leads)(m, q))
                *sum = ewi_combine_lanes(*sum, own->sum[EWI_K(sum_at)(EWI_K(partner)(m), q)], thread);
        }
    double alpha = ctx->touched ? EWI_K(load_alpha)(&call->a, element) : 0.0;
    if (EWI_K(any_divided)(alpha)) { /* EWI_K(blended_sum) */
        for (int k = 0; k < EWI_SUMS; k++)
            own->sum[k] = (1.0 - alpha) * own->sum[k];
        EWI_K(add_to_sums)(call->a.subcells.lifted + base, own, thread);
    }
    if (call->sources && !(role & EWI_FUSED_ONLY_EDGES) && ewi_source_of(&call->a, element) >= 0)
        EWI_K(add_to_sums)(call->sources + EWI_K(tile_of)(ewi_source_of(&call->a, element)) + EWI_K(lane_of)(thread),
                           own, thread);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            own->sum[EWI_K(sum_at)(m, q)] = own->sum[EWI_K(sum_at)(m, q)] * inverse_det;
    if (role & EWI_FUSED_KEEPS_RHS) {
        EWI_K(store_rows)(call->rhs + base, own, thread);
        return;
    }
    if (call->update.keep)
        EWI_K(store_rows)(call->update.keep + base, own, thread);
    if (!call->target)
        return;
    switch (call->update.terms) { /* a number that the compiler knows */
    case 0: EWI_K(update)(ctx, 0, step, kept_step, element, own, thread); break;
    case 1: EWI_K(update)(ctx, 1, step, kept_step, element, own, thread); break;
    case 2: EWI_K(update)(ctx, 2, step, kept_step, element, own, thread); break;
    default: EWI_K(update)(ctx, 3, step, kept_step, element, own, thread); break;
    }
    if (ctx->jump_sensor)
        EWI_K(damp_rows)(ctx, element < call->elements, own, thread);
    EWI_K(store_rows)(call->target + base, own, thread);
    if (EWI_K(basis_of)(0, thread) == 0 && element < call->elements)
        EWI_K(inspect)(ctx, element, own);
}
