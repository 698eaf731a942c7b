/* SPDX-License-Identifier: BSD-2-Clause */
/* Volume integrals and side sums in vector variants. */

EWI_DEVICE void EWI_K(volume_of)(const struct EWI_K(context) *ctx, int number, struct EWI_K(thread) *own, int thread)
{
    int64_t i = (int64_t)number * EWI_BLOCK_ELEMENTS + thread;
    i = i < ctx->call->a.padded ? i : ctx->call->a.padded - 1;
    const double *fields =
        EWI_FIELDS ? ctx->call->a.volume_field + ewi_layout_base(EWI_TILE, EWI_NQ * EWI_FIELDS, i) : 0;
    const double *parameter = ewi_parameter_at(EWI_MEDIA, ctx->parameter, ctx->call->a.volume_field, i);
    double fr[EWI_NQ][EWI_M], fs[EWI_NQ][EWI_M]; /* one group of points */
#if EWI_HAS_DIFFUSION
    const struct EWI_K(shape) map = EWI_K(own_map)(own);
#endif
    EWI_UNROLL for (int q = 0; q < EWI_NQ; q++)
    {
        double u[EWI_M], field[EWI_FIELD_ROOM];
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        {
            u[m] = 0.0;
            EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
                u[m] = ewi_fma(EWI_PHI(q, j), own->c[m][j], u[m]);
        }
        for (int f = 0; f < EWI_FIELDS; f++)
            field[f] = fields[(q * EWI_FIELDS + f) * EWI_TILE];
        EWI_L(volume_flux)(parameter, field, u, own->shape[EWI_XR], own->shape[EWI_XS], own->shape[EWI_YR],
                           own->shape[EWI_YS], fr[q], fs[q]);
#if EWI_HAS_DIFFUSION /* gradients of linear functions are constant */
        EWI_K(diffuse_volume)(parameter, &map, EWI_ORDER > 1 ? q : 0, u, own->c, fr[q], fs[q]);
#endif
    }
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
    {
        own->sum[EWI_K(sum_at)(m, 0)] = 0.0;
        EWI_UNROLL for (int j = 1; j < EWI_NP; j++)
        {
            double sum = 0.0;
            EWI_UNROLL for (int q = 0; q < EWI_NQ; q++)
                sum = ewi_fma(EWI_DR(q, j), fr[q][m], sum);
            EWI_UNROLL for (int q = 0; q < EWI_NQ; q++)
                sum = ewi_fma(EWI_DS(q, j), fs[q][m], sum);
            own->sum[EWI_K(sum_at)(m, j)] = sum;
        }
    }
}

EWI_DEVICE void EWI_K(volume)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own)
{
    const int number = ctx->block->number;
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(volume_of)(ctx, number, &own[mine], ewi_thread(mine));
}

EWI_DEVICE void EWI_K(lift_of)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own, int thread)
{
#if EWI_HAS_DIFFUSION
    const struct EWI_K(shape) map = EWI_K(own_map)(own);
#endif
    EWI_UNROLL for (int k = 0; k < 3; k++)
    {
        int place = ewi_fused_place(EWI_VARIANT, EWI_NE, k, thread);
        double f[EWI_NE][2 * EWI_EDGE_PAIRS];
        EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
            EWI_K(get_trace)(EWI_K(own_point)(ctx, 0, place + e * EWI_STRIDE), EWI_K(plane)(ctx, 1), f[e]);
#if EWI_HAS_DIFFUSION
        double along_r[EWI_NE][EWI_DIFFUSING], along_s[EWI_NE][EWI_DIFFUSING];
        EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
            EWI_K(symmetry_terms)(&map, e, f[e], along_r[e], along_s[e]);
#endif
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            {
                double side = 0.0;
                EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
                    side = ewi_fma(EWI_SIDE(k, e, j), f[e][m], side);
#if EWI_HAS_DIFFUSION
                const int64_t first = k * (EWI_NE * EWI_NP);
                side = EWI_K(add_symmetry)(m, j, &first, along_r, along_s, side);
#endif
                own->sum[EWI_K(sum_at)(m, j)] = own->sum[EWI_K(sum_at)(m, j)] + side;
            }
    }
}

EWI_DEVICE void EWI_K(lift)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own)
{
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(lift_of)(ctx, &own[mine], ewi_thread(mine));
}
