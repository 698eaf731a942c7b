/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Volume integrals and side sums in matrix variants. From p = 3 on the loops over groups of the volume's points and
 * over sides in their sums stay loops: unrolled, they take so many registers that some are spilled.
 */

/* Fluxes of the h-th half of a group's points; what fills the group up is -0. */
EWI_DEVICE void EWI_K(volume_fluxes)(const struct EWI_K(context) *ctx, int number, const struct EWI_K(thread) *own,
                                     const struct EWI_K(values) *values, const struct EWI_K(shape) *map, int group,
                                     int h, double *fr, double *fs, int thread)
{
    int point = 8 * group + 4 * h + thread % 4;
    const double *parameter = ctx->parameter;
    double u[EWI_M], field[EWI_FIELD_ROOM];
    if (EWI_HAS_BOUND) {
        int64_t i = (int64_t)number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
        i = i < ctx->call->a.padded ? i : ctx->call->a.padded - 1;
        parameter = ewi_parameter_at(EWI_MEDIA, parameter, ctx->call->a.volume_field, i);
        const double *fields = ctx->call->a.volume_field + ewi_layout_base(EWI_TILE, EWI_NQ * EWI_FIELDS, i);
        for (int f = 0; f < EWI_FIELDS; f++)
            field[f] = fields[((point < EWI_NQ ? point : 0) * EWI_FIELDS + f) * EWI_TILE];
    }
    EWI_K(take_values)(values, 0, h, u);
    EWI_L(volume_flux)(parameter, field, u, own->shape[EWI_XR], own->shape[EWI_XS], own->shape[EWI_YR],
                       own->shape[EWI_YS], fr, fs);
#if EWI_HAS_DIFFUSION
    double ur[EWI_M], us[EWI_M];
    EWI_K(take_values)(values, 1, h, ur);
    EWI_K(take_values)(values, 2, h, us);
    EWI_K(subtract_diffusion)(parameter, map, u, ur, us, fr, fs);
#else
    (void)map;
#endif
    if (EWI_NQ % 4 != 0 && point >= EWI_NQ)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            fr[m] = fs[m] = -0.0;
}

/* Adds the products of fluxes and a fragment of the derivatives to sums from `first` on of each pair. */
EWI_DEVICE void EWI_K(project)(const struct EWI_K(context) *ctx, const double (*flux)[EWI_M], int first, int number,
                               struct EWI_K(thread) *own)
{
    struct ewi_factors factors[EWI_PRIVATE];
    EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
    {
        for (int mine = 0; mine < EWI_PRIVATE; mine++) {
            factors[mine].a0 = flux[mine][2 * pair];
            factors[mine].a1 = 2 * pair + 1 < EWI_M ? flux[mine][EWI_K(partner)(2 * pair)] : 0.0;
            factors[mine].b = EWI_K(fragment)(ctx, number, ewi_thread(mine));
        }
        ewi_warp_product(&own->sum[pair * EWI_GJ * 4 + first], EWI_THREAD_DOUBLES, factors);
    }
}

EWI_DEVICE void EWI_K(volume)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own)
{
    const int number = ctx->block->number;
    struct EWI_K(shape) map[EWI_PRIVATE];
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        EWI_UNROLL for (int x = 0; x < EWI_SUMS; x++)
            own[mine].sum[x] = 0.0;
        if (EWI_HAS_DIFFUSION)
            map[mine] = EWI_K(own_map)(&own[mine]);
    }
    EWI_NO_UNROLL for (int group = 0; group < EWI_FUSED_GQ(EWI_NQ); group++)
    {
        struct EWI_K(values) values[EWI_PRIVATE];
        EWI_K(interpolate)(ctx, own, 0, EWI_FUSED_AT_POINTS(EWI_VARIANT, EWI_NP, EWI_NE),
                           EWI_FUSED_POINT_FRAGMENTS(EWI_NP, EWI_NQ), group, values);
        EWI_UNROLL for (int h = 0; h < 2; h++)
            if (8 * group + 4 * h < EWI_NQ) {
                double fr[EWI_PRIVATE][EWI_M], fs[EWI_PRIVATE][EWI_M];
                for (int mine = 0; mine < EWI_PRIVATE; mine++)
                    EWI_K(volume_fluxes)(ctx, number, &own[mine], &values[mine], &map[mine], group, h, fr[mine],
                                         fs[mine], ewi_thread(mine));
                EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                {
                    int at_r = EWI_FUSED_AT_GRADIENTS(EWI_VARIANT, EWI_NP, EWI_NQ, EWI_NE) +
                               2 * ((2 * group + h) * EWI_GJ + n);
                    EWI_K(project)(ctx, fr, 4 * n, at_r, own);
                    EWI_K(project)(ctx, fs, 4 * n, at_r + 1, own);
                }
            }
    }
    /* The first basis function is constant; 0 * infinity would not be. */
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        if (ewi_thread(mine) % 4 == 0)
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                own[mine].sum[EWI_K(sum_at)(m, 0)] = 0.0;
}

/* A pair of a thread's fluxes at a side's points and, with gradients, its symmetry terms along r and s. */
struct EWI_K(lifted) {
    double f[EWI_TABLES][EWI_FUSED_KE(EWI_NE)][2];
};

#if EWI_HAS_DIFFUSION
/* The symmetry terms at point e, where S is behind the flux. */
EWI_DEVICE void EWI_K(take_symmetry)(const struct EWI_K(context) *ctx, const double *flux, int e, int pair,
                                     const struct EWI_K(thread) *own, double *along_r, double *along_s)
{
    const struct EWI_K(shape) map = EWI_K(own_map)(own);
    double values[2 * EWI_EDGE_PAIRS], r[EWI_M], s[EWI_M];
    EWI_K(get_trace)(flux, EWI_K(plane)(ctx, 1), values);
    EWI_K(symmetry_terms)(&map, e, values, r + EWI_FIRST_DIFFUSING, s + EWI_FIRST_DIFFUSING);
    EWI_UNROLL for (int x = 0; x < 2; x++)
    {
        int m = 2 * pair + x, diffuses = m >= EWI_FIRST_DIFFUSING && m < EWI_M;
        along_r[x] = diffuses ? r[m] : 0.0;
        along_s[x] = diffuses ? s[m] : 0.0;
    }
}
#endif

EWI_DEVICE void EWI_K(take_fluxes)(const struct EWI_K(context) *ctx, int k, int pair, const struct EWI_K(thread) *own,
                                   struct EWI_K(lifted) *side, int thread)
{
    (void)own;
    EWI_UNROLL for (int s = 0; s < EWI_FUSED_KE(EWI_NE); s++)
    {
        int e = 4 * s + thread % 4;
        int place = ewi_fused_place(EWI_VARIANT, EWI_NE, k, EWI_K(element_of)(thread)) + e * EWI_STRIDE;
        EWI_UNROLL for (int table = 0; table < EWI_TABLES; table++)
            side->f[table][s][0] = side->f[table][s][1] = -0.0;
        if (e < EWI_NE) {
            ewi_get_pair(EWI_K(own_point)(ctx, pair, place), &side->f[0][s][0], &side->f[0][s][1]);
#if EWI_HAS_DIFFUSION
            EWI_K(take_symmetry)(ctx, EWI_K(own_point)(ctx, 0, place), e, pair, own, side->f[1][s], side->f[2][s]);
#endif
        }
    }
}

/* Adds the products with one table to the sums of side k. */
EWI_DEVICE void EWI_K(lift_terms)(const struct EWI_K(context) *ctx, int k, int table, const struct EWI_K(lifted) *side,
                                  double (*z)[EWI_GJ][4])
{
    struct ewi_factors factors[EWI_PRIVATE];
    EWI_UNROLL for (int s = 0; s < EWI_FUSED_KE(EWI_NE); s++)
        EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
        {
            int number = EWI_FUSED_AT_LIFT(EWI_VARIANT, EWI_NP, EWI_NQ, EWI_NE) +
                         table * EWI_FUSED_LIFT_FRAGMENTS(EWI_NP, EWI_NE) +
                         (k * EWI_FUSED_KE(EWI_NE) + s) * EWI_GJ + n;
            for (int mine = 0; mine < EWI_PRIVATE; mine++) {
                factors[mine].a0 = side[mine].f[table][s][0];
                factors[mine].a1 = side[mine].f[table][s][1];
                factors[mine].b = EWI_K(fragment)(ctx, number, ewi_thread(mine));
            }
            ewi_warp_product(z[0][n], EWI_GJ * 4, factors);
        }
}

/* Adds those with the derivatives' tables. A variable that does not diffuse keeps its sums, even a zero's sign. */
EWI_DEVICE void EWI_K(lift_symmetry)(const struct EWI_K(context) *ctx, int k, int pair,
                                     const struct EWI_K(lifted) *side, double (*z)[EWI_GJ][4])
{
#if EWI_HAS_DIFFUSION
    double kept[EWI_PRIVATE][EWI_GJ][2];
    if (2 * pair + 1 < EWI_FIRST_DIFFUSING)
        return;
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
            EWI_UNROLL for (int x = 0; x < 2; x++)
                kept[mine][n][x] = z[mine][n][x];
    EWI_K(lift_terms)(ctx, k, 1, side, z);
    EWI_K(lift_terms)(ctx, k, 2, side, z);
    for (int mine = 0; 2 * pair < EWI_FIRST_DIFFUSING && mine < EWI_PRIVATE; mine++)
        EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
            EWI_UNROLL for (int x = 0; x < 2; x++)
                z[mine][n][x] = kept[mine][n][x];
#else
    (void)ctx, (void)k, (void)pair, (void)side, (void)z;
#endif
}

EWI_DEVICE void EWI_K(lift)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own)
{
    enum { AT_ONCE = EWI_ORDER < 3 && !EWI_HAS_DIFFUSION ? 3 : 1 }; /* sides, for which registers have room */
    EWI_UNROLL_BY(AT_ONCE) for (int k = 0; k < 3; k++)
        EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
        {
            double z[EWI_PRIVATE][EWI_GJ][4];
            struct EWI_K(lifted) side[EWI_PRIVATE];
            for (int mine = 0; mine < EWI_PRIVATE; mine++) {
                EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                    EWI_UNROLL for (int x = 0; x < 4; x++)
                        z[mine][n][x] = 0.0;
                EWI_K(take_fluxes)(ctx, k, pair, &own[mine], &side[mine], ewi_thread(mine));
            }
            EWI_K(lift_terms)(ctx, k, 0, side, z);
            EWI_K(lift_symmetry)(ctx, k, pair, side, z);
            for (int mine = 0; mine < EWI_PRIVATE; mine++)
                EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                    EWI_UNROLL for (int x = 0; x < 4; x++)
                        own[mine].sum[(pair * EWI_GJ + n) * 4 + x] =
                            own[mine].sum[(pair * EWI_GJ + n) * 4 + x] + z[mine][n][x];
        }
}
