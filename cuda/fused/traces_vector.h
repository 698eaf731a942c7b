/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traces in vector variants: a thread has those of its element, and a lane has one variable on a side of the halo or,
 * if the law has gradients, one point.
 */

#if EWI_HAS_DIFFUSION
/* Appends the diffusion to the state at a point of an element's sides. Gradients of linear functions are constant. */
EWI_DEVICE void EWI_K(append_diffusion)(const struct EWI_K(context) *ctx, const struct EWI_K(shape) *map, int point,
                                        const double (*c)[EWI_NP], double *trace)
{
    const int row = EWI_ORDER > 1 ? point * EWI_NP : 0;
    double ur[EWI_M], us[EWI_M];
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
    {
        ur[m] = us[m] = 0.0;
        EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
        {
            ur[m] = ewi_fma(EWI_TABLE(SIDE_R)[row + j], c[m][j], ur[m]);
            us[m] = ewi_fma(EWI_TABLE(SIDE_S)[row + j], c[m][j], us[m]);
        }
    }
    EWI_K(diffusion)(ctx->parameter, map, trace, ur, us, trace + EWI_M);
}

/* A lane has the trace at a point of a side of the halo: its diffusion depends on all variables. */
EWI_DEVICE void EWI_K(halo_trace)(const struct EWI_K(context) *ctx, int32_t entry, int round, int column, int thread)
{
    const int item = EWI_K(side_of)(thread) % EWI_TILE, place = round * EWI_SIDES_A_ROUND + EWI_K(side_of)(thread);
    const double *side = EWI_K(table)(ctx) + (entry & 3) * (EWI_NP * EWI_NE);
    const double *copied = EWI_K(copied)(ctx, column, thread);
    const struct EWI_K(shape) map = EWI_K(outside_map)(ctx, column, thread);
    double c[EWI_M][EWI_NP];
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            c[m][j] = copied[EWI_K(row)(m, j, item)];
    for (int e = thread % 4; e < EWI_NE; e += 4) {
        double trace[2 * EWI_EDGE_PAIRS] = {0.0};
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
                trace[m] = ewi_fma(side[j * EWI_NE + e], c[m][j], trace[m]);
        EWI_K(append_diffusion)(ctx, &map, (entry & 3) * EWI_NE + e, c, trace);
        EWI_UNROLL for (int pair = 0; pair < EWI_EDGE_PAIRS; pair++)
            ewi_put_pair(EWI_K(outer_point)(ctx, pair, place + e * ctx->call->halo_room), trace[2 * pair],
                         trace[2 * pair + 1]);
    }
    if (ctx->jump_sensor && thread % 4 == 0)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            EWI_K(first_at)(ctx, EWI_OWN + place)[m] = c[m][0];
}
#else
/* A lane has the trace of one variable on a side of the halo. */
EWI_DEVICE void EWI_K(halo_trace)(const struct EWI_K(context) *ctx, int32_t entry, int round, int column, int thread)
{
    const double *side = EWI_K(table)(ctx) + (entry & 3) * (EWI_NP * EWI_NE);
    const double *c = EWI_K(copied)(ctx, column, thread);
    int variable = thread % 4, place = round * EWI_SIDES_A_ROUND + EWI_K(side_of)(thread);
    double u[EWI_NE];
    EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
        u[e] = 0.0;
    EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
    {
        double here = c[EWI_K(row)(variable, j, EWI_K(side_of)(thread) % 8)];
        EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
            u[e] = ewi_fma(side[j * EWI_NE + e], here, u[e]);
    }
    double *trace = EWI_K(outer_point)(ctx, variable / 2, place) + variable % 2;
    EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
        trace[2 * e * ctx->call->halo_room] = u[e];
    if (ctx->jump_sensor)
        EWI_K(first_at)(ctx, EWI_OWN + place)[variable] = c[EWI_K(row)(variable, 0, EWI_K(side_of)(thread) % 8)];
}
#endif

/*
 * Limited traces of sides of the halo that have been copied, which are as many as there is room for: two lanes have a
 * side, and two variables each, since rounds of a variable a lane would wait one for the other.
 */
EWI_DEVICE void EWI_K(limited_traces)(const struct EWI_K(context) *ctx, const struct EWI_K(thread) *own, int thread)
{
    const int place = thread / 2, first = thread % 2 * 2;
    if (place >= ctx->block->halos || first >= EWI_M)
        return;
    const uint64_t halo_neighbours = EWI_K(copied_halo_neighbours)(ctx, place);
    const double *side = EWI_K(table)(ctx) + ewi_fused_halo_side(halo_neighbours) * (EWI_NP * EWI_NE);
    double c[2][EWI_NP], *trace = EWI_K(outer_point)(ctx, first / 2, place);
    EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
        EWI_K(get_two)(EWI_K(halo_tiles)(ctx) + EWI_K(tile_of)(place), first, j, place % EWI_TILE, &c[0][j], &c[1][j]);
    if (own->limiter_pending)
        EWI_K(limit_two)(ctx, halo_neighbours, first, own, c);
    EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
    {
        double u[2] = {0.0, 0.0};
        EWI_UNROLL for (int m = 0; m < 2; m++)
            EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
                u[m] = ewi_fma(side[j * EWI_NE + e], c[m][j], u[m]);
        ewi_put_pair(trace + 2 * e * ctx->call->halo_room, u[0], u[1]);
    }
}

EWI_DEVICE void EWI_K(halo_traces)(const struct EWI_K(context) *ctx, const struct EWI_K(thread) *own)
{
    for (int mine = 0; ctx->limits_on_load && mine < EWI_PRIVATE; mine++)
        EWI_K(limited_traces)(ctx, &own[mine], EWI_K(thread_of)(ctx, mine));
    EWI_NO_UNROLL for (int round = ctx->limits_on_load ? EWI_ROUNDS : 0;
                        round * EWI_SIDES_A_ROUND < ctx->block->halos; round++)
    {
        int32_t entry[EWI_PRIVATE];
        int column = round < EWI_ROUNDS ? round : 0;
        if (ctx->limits_on_load && round == EWI_ROUNDS) {
            EWI_BARRIER; /* until now others read means in the place where copy_late copies */
        }
        for (int mine = 0; mine < EWI_PRIVATE; mine++) {
            entry[mine] = own[mine].halo[0];
            EWI_UNROLL for (int k = 1; k < EWI_ROUNDS; k++)
                entry[mine] = round == k ? own[mine].halo[k] : entry[mine];
            if (round >= EWI_ROUNDS) /* what there was no room for: few sides of few blocks */
                entry[mine] = EWI_K(copy_late)(ctx, round, column, EWI_K(thread_of)(ctx, mine));
        }
        for (int mine = 0; ctx->limits_on_load && mine < EWI_PRIVATE; mine++)
            EWI_K(limit_halo)(ctx, entry[mine], round, column, &own[mine], EWI_K(thread_of)(ctx, mine));
        for (int mine = 0; mine < EWI_PRIVATE; mine++) {
            int thread = EWI_K(thread_of)(ctx, mine);
            if (entry[mine] >= 0 && thread % 4 < EWI_M)
                EWI_K(halo_trace)(ctx, entry[mine], round, column, thread);
        }
    }
}

EWI_DEVICE void EWI_K(own_traces)(const struct EWI_K(context) *ctx, const struct EWI_K(thread) *own, int thread)
{
#if EWI_HAS_DIFFUSION
    const struct EWI_K(shape) map = EWI_K(own_map)(own);
#endif
    EWI_UNROLL for (int point = 0; point < 3 * EWI_NE; point++)
    {
        int place = ewi_fused_place(EWI_VARIANT, EWI_NE, point / EWI_NE, thread) + point % EWI_NE * EWI_STRIDE;
        double u[2 * EWI_EDGE_PAIRS];
        EWI_UNROLL for (int m = 0; m < 2 * EWI_EDGE_PAIRS; m++)
        {
            u[m] = 0.0;
            EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
                u[m] = ewi_fma(EWI_TABLE(SIDE)[point * EWI_NP + j], m < EWI_M ? own->c[m < EWI_M ? m : 0][j] : 0.0,
                               u[m]);
        }
#if EWI_HAS_DIFFUSION
        EWI_K(append_diffusion)(ctx, &map, point, own->c, u);
#endif
        EWI_UNROLL for (int pair = 0; pair < EWI_EDGE_PAIRS; pair++)
            ewi_put_pair(EWI_K(own_point)(ctx, pair, place), u[2 * pair], u[2 * pair + 1]);
    }
}

EWI_DEVICE void EWI_K(traces)(const struct EWI_K(context) *ctx, const struct EWI_K(thread) *own)
{
    EWI_K(halo_traces)(ctx, own);
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(own_traces)(ctx, &own[mine], ewi_thread(mine));
}
