/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces in matrix variants: of the own sides and of the halo, as products of matrices. */

/*
 * d[..][pair][..]: values of c, or of what is `outside`, at the eight points of product `number` of the fragments from
 * `first` on.
 */
EWI_DEVICE void EWI_K(interpolate)(const struct EWI_K(context) *ctx, const struct EWI_K(thread) *own, int outside,
                                   int first, int number, double (*d)[EWI_PAIRS][4])
{
    struct ewi_factors factors[EWI_PRIVATE];
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
            EWI_UNROLL for (int x = 0; x < 4; x++)
                d[mine][pair][x] = 0.0;
    EWI_UNROLL for (int s = 0; s < EWI_KS; s++)
        EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
        {
            for (int mine = 0; mine < EWI_PRIVATE; mine++) {
                const double(*c)[EWI_OWN_ROWS] = outside ? own[mine].outside : own[mine].c;
                factors[mine].a0 = c[2 * pair][s];
                factors[mine].a1 = 2 * pair + 1 < EWI_M ? c[EWI_K(partner)(2 * pair)][s] : 0.0;
                factors[mine].b = EWI_K(fragment)(ctx, first + number * EWI_KS + s, ewi_thread(mine));
            }
            ewi_warp_product(d[0][pair], EWI_PAIRS * 4, factors);
        }
}

/*
 * The traces of the own sides (`own_too`), of a round's sides of the halo (`others`), or of both with the same
 * operands.
 */
EWI_DEVICE void EWI_K(traces_of)(const struct EWI_K(context) *ctx, int own_too, int others, const int32_t *entry,
                                 int round, struct EWI_K(thread) *own)
{
    int32_t first[EWI_PRIVATE]; /* its first point among those of all three sides; none if there is no side */
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        int thread = ewi_thread(mine);
        const double *copied = EWI_K(copied)(ctx, 0, thread) + EWI_K(lane_of)(thread);
        first[mine] = entry[mine] >= 0 ? (entry[mine] & 3) * EWI_NE : -3 * EWI_NE;
        EWI_UNROLL for (int m = 0; m < (others ? EWI_M : 0); m++)
            EWI_UNROLL for (int q = 0; q < EWI_KS; q++)
                own[mine].outside[m][q] =
                    entry[mine] >= 0 && EWI_K(basis_of)(q, thread) < EWI_NP ? copied[EWI_K(own_row)(m, q, thread)]
                                                                            : -0.0;
        if (ctx->jump_sensor && others && entry[mine] >= 0 && thread % 4 == 0)
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                EWI_K(first_at)(ctx, EWI_OWN + round * EWI_SIDES_A_ROUND + EWI_K(side_of)(thread))[m] =
                    own[mine].outside[m][0];
    }
    EWI_UNROLL for (int number = 0; number < EWI_FUSED_GE(EWI_NE); number++)
    {
        double d[EWI_PRIVATE][EWI_PAIRS][4], outer[EWI_PRIVATE][EWI_PAIRS][4];
        if (own_too)
            EWI_K(interpolate)(ctx, own, 0, EWI_FUSED_AT_SIDES, number, d);
        if (others)
            EWI_K(interpolate)(ctx, own, 1, EWI_FUSED_AT_SIDES, number, outer);
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            EWI_UNROLL for (int h = 0; h < 2; h++)
            {
                int thread = ewi_thread(mine), point = 8 * number + 4 * h + thread % 4;
                int place = EWI_K(element_of)(thread) + point * EWI_STRIDE, e = point - first[mine];
                int there = round * EWI_SIDES_A_ROUND + EWI_K(side_of)(thread) + e * ctx->call->halo_room;
                EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
                {
                    if (own_too && point < 3 * EWI_NE)
                        ewi_put_pair(EWI_K(own_point)(ctx, pair, place), d[mine][pair][h], d[mine][pair][2 + h]);
                    if (others && e >= 0 && e < EWI_NE)
                        ewi_put_pair(EWI_K(outer_point)(ctx, pair, there), outer[mine][pair][h],
                                     outer[mine][pair][2 + h]);
                }
            }
    }
}

EWI_DEVICE void EWI_K(traces)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own)
{
    int32_t entry[EWI_PRIVATE];
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        entry[mine] = own[mine].halo[0];
    EWI_K(limit_round)(ctx, entry, 0, own);
    if (ewi_warp_any(entry[0] >= 0))
        EWI_K(traces_of)(ctx, 1, 1, entry, 0, own);
    else
        EWI_K(traces_of)(ctx, 1, 0, entry, 0, own);
    /* Sides for which there was no room: few sides of few blocks. */
    EWI_NO_UNROLL for (int round = 1; round * EWI_SIDES_A_ROUND < ctx->block->halos; round++)
    {
        if (ctx->limits_on_load && round == EWI_ROUNDS) {
            EWI_BARRIER; /* until now others read means in the place where copy_late copies */
        }
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            entry[mine] = EWI_K(copy_late)(ctx, round, 0, ewi_thread(mine));
        EWI_K(limit_round)(ctx, entry, round, own);
        EWI_K(traces_of)(ctx, 0, 1, entry, round, own);
    }
}
