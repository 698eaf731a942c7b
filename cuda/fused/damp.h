/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stages that limit by a jump sensor (kernels/limit.h), which are a step's last ones: they store the jumps of the
 * traces when they compute fluxes, and damp the new state by them.
 */

/* Stores the first coefficients of a thread's own element, for the jumps of means. */
EWI_DEVICE void EWI_K(keep_first)(const struct EWI_K(context) *ctx, const struct EWI_K(thread) *own, int thread)
{
    double *first = EWI_K(first_at)(ctx, EWI_K(element_of)(thread));
    if (EWI_K(basis_of)(0, thread) == 0)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            first[m] = own->c[m][0];
}

/* Stores the jumps at point e of an edge, in the edge's own order of points. */
EWI_DEVICE void EWI_K(leave_jump)(const struct EWI_K(context) *ctx, int left, int right, int e, double length,
                                  const double *ul, const double *ur)
{
    enum { ROWS = EWI_FUSED_JUMP_ROWS(EWI_NE) };
    struct EWI_K(gauge) gauge;
    double d[EWI_M];
    int inner = right < EWI_OWN + ctx->block->halos;
    double between = EWI_K(gauge_edge)(ctx->limiter, ctx->call->a.parameter, EWI_K(first_at)(ctx, left),
                                       EWI_K(first_at)(ctx, inner ? right : left), &gauge);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        d[m] = ul[m] - ur[m];
    double jump = inner ? EWI_K(gauged)(&gauge, d) : 0.0;
    EWI_UNROLL for (int side = 0; side < 2; side++)
    {
        int place = side == 0 ? left : right, number = place / (EWI_NE * EWI_STRIDE);
        double *row = EWI_K(jumps)(ctx) + place + number * ((ROWS - EWI_NE) * EWI_STRIDE);
        if (place >= EWI_OWN)
            continue;
        row[e * EWI_STRIDE] = jump;
        if (e == 0) {
            row[EWI_NE * EWI_STRIDE] = between;
            row[(EWI_NE + 1) * EWI_STRIDE] = length;
        }
    }
}

/* Damps the new state, by what leave_jump left of the element's sides; there: whether there is one. */
EWI_DEVICE void EWI_K(damp_rows)(const struct EWI_K(context) *ctx, int there, struct EWI_K(thread) *own, int thread)
{
    enum { ROWS = EWI_FUSED_JUMP_ROWS(EWI_NE) };
    const double *row = EWI_K(jumps)(ctx) + EWI_K(element_of)(thread);
    double jump[3], between[3], length[3], factor[EWI_ORDER];
    EWI_UNROLL for (int k = 0; k < 3; k++)
    {
        jump[k] = 0.0;
        EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
            jump[k] = ewi_fma(EWI_TABLE(EDGE_WEIGHT)[e], row[(k * ROWS + e) * EWI_STRIDE], jump[k]);
        between[k] = row[(k * ROWS + EWI_NE) * EWI_STRIDE];
        length[k] = row[(k * ROWS + EWI_NE + 1) * EWI_STRIDE];
    }
    double f = EWI_K(damping)(ctx->limiter, EWI_K(step)(ctx)->length, jump, between, length,
                              own->shape[EWI_INVERSE_DET]);
    double power = there ? f : 1.0;
    factor[0] = power;
    EWI_UNROLL for (int d = 1; d < EWI_ORDER; d++)
    {
        power = power * factor[0];
        factor[d] = factor[d - 1] * power;
    }
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
        {
            int j = EWI_K(basis_of)(q, thread) - (EWI_K(leads)(m, q) && thread % 4 >= 2 ? 2 : 0);
            double own_factor = 1.0;
            EWI_UNROLL for (int d = 1; d <= EWI_ORDER; d++)
                own_factor = j >= d * (d + 1) / 2 ? factor[d - 1] : own_factor;
            own->sum[EWI_K(sum_at)(m, q)] = own_factor * own->sum[EWI_K(sum_at)(m, q)];
        }
}
