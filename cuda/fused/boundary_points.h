/* SPDX-License-Identifier: BSD-2-Clause */
/* The states behind boundary edges, for eval_ghosts and for stages that find them themselves. */
#if !EWI_HAS_DIFFUSION
/* The coefficients of variable m of an element; limits: the number of the limiter that it still needs, if any. */
EWI_DEVICE void EWI_K(load_limited)(const struct ewi_arguments *a, const double *state, int limits, int64_t element,
                                    int m, double *c)
{
    EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
        c[j] = state[EWI_K(at)(0, element, m, j)];
    if (EWI_LIMITS_BY_MEANS && limits != EWI_NO_LIMITER) {
        double one[1][EWI_NP], other[1][3], alpha[1];
        EWI_UNROLL for (int k = 0; k < 3; k++)
            other[0][k] = state[EWI_K(at)(0, a->neighbour[k * a->padded + element], m, 0)];
        EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            one[0][j] = c[j];
        EWI_K(factors)(limits, 1, one, other, alpha);
        EWI_UNROLL for (int j = 1; j < EWI_NP; j++)
            c[j] = alpha[0] * c[j];
    }
}

/* The inner state u at point e of a boundary edge, and the given one: on a curved wall, that on the curve. */
EWI_DEVICE void EWI_K(load_boundary)(const struct ewi_arguments *a, const double *state, const double *states, int kind,
                                     int limits, int64_t slot, int e, double *u, double *given)
{
    const int64_t element = a->left[slot];
    const double *phi = EWI_TABLE(SIDE) + (a->left_side[slot] * EWI_NE + e) * EWI_NP;
    const double *unit = a->normal + ewi_layout_index(EWI_TILE, 2 * EWI_NE, 2 * e, slot);
    const int64_t row = ewi_layout_index(EWI_TILE, EWI_NE * EWI_M, e * EWI_M, slot);
    const double *wall = kind == EWI_GHOST_curved ? a->wall + (slot * EWI_NE + e) * EWI_NP : NULL;
    const double *closing = wall && a->excess ? a->excess + slot * (2 * EWI_NP) : NULL;
    double excess = 0.0;
    for (int m = 0; m < EWI_M; m++) {
        double here[EWI_NP];
        EWI_K(load_limited)(a, state, limits, element, m, here);
        u[m] = 0.0;
        EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            u[m] = ewi_fma(phi[j], here[j], u[m]);
        given[m] = wall ? 0.0 : states[row + m * EWI_TILE];
        for (int j = 0; wall && j < EWI_NP; j++)
            given[m] = ewi_fma(wall[j], here[j], given[m]);
        for (int j = 0; closing && (m == 1 || m == 2) && j < EWI_NP; j++)
            excess = ewi_fma(closing[(m - 1) * EWI_NP + j], here[j], excess);
    }
    for (int m = 1; closing && m < 3 && m < EWI_M; m++)
        given[m] = ewi_fma(excess, unit[(m - 1) * EWI_TILE], given[m]);
}

/*
 * The states behind a block's boundary edges, in reverse order of points, as a neighbour would have them. Not inlined,
 * and without the context, which would then lie in memory: few blocks have such edges. A stage calls this where it has
 * the fewest numbers in registers: once its traces are there, the call would cost 7 to 18 % of its time (measured).
 */
EWI_APART void EWI_K(find_ghosts)(const struct ewi_cuda_stage *call, const struct ewi_fused_block *block, int limits,
                                  int thread)
{
    EWI_NO_UNROLL for (int x = thread; x < block->boundary_edges * EWI_NE; x += EWI_THREADS)
    {
        int edge = x / EWI_NE, e = x % EWI_NE;
        int64_t slot = call->halo[block->halo_first + block->halos + edge];
        int kind = call->ghost[slot / EWI_TILE];
        const double *unit = call->a.normal + ewi_layout_index(EWI_TILE, 2 * EWI_NE, 2 * e, slot);
        double u[EWI_M], given[EWI_M], ghost[EWI_M];
        EWI_K(load_boundary)(&call->a, call->state, call->a.given, kind, limits, slot, e, u, given);
        EWI_L(ghost)(kind, call->a.parameter, u, given, unit[0], unit[EWI_TILE], ghost);
        double *outer = ewi_fused_shared + call->memory.outer +
                        2 * (block->halos + edge + (EWI_NE - 1 - e) * call->halo_room);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            outer[m / 2 * (2 * call->memory.outer_plane) + m % 2] = ghost[m];
    }
}
#endif

/* The states behind boundary edges that eval_ghosts made; for laws with gradients, the fluxes. */
EWI_DEVICE void EWI_K(copy_ghosts)(const struct EWI_K(context) *ctx, int thread)
{
    const struct ewi_fused_block *block = ctx->block;
    EWI_NO_UNROLL for (int x = thread; x < block->boundary_edges * EWI_NE; x += EWI_THREADS)
    {
        int edge = x / EWI_NE, e = x % EWI_NE;
        int64_t slot = ctx->call->halo[block->halo_first + block->halos + edge];
        const double *ghost =
            ctx->call->ghosts + ewi_layout_index(EWI_TILE, EWI_NE * EWI_EDGE_VALUES, e * EWI_EDGE_VALUES, slot);
        double *outer =
            EWI_K(outer_point)(ctx, 0, block->halos + edge + (EWI_NE - 1 - e) * ctx->call->halo_room);
        EWI_UNROLL for (int m = 0; m < EWI_FLUX_VALUES; m++)
            outer[m / 2 * EWI_K(plane)(ctx, 0) + m % 2] = ghost[m * EWI_TILE];
    }
}

EWI_DEVICE void EWI_K(take_ghosts)(const struct EWI_K(context) *ctx, int limiter_pending, int thread)
{
#if !EWI_HAS_DIFFUSION
    int finds = ctx->plain ? EWI_FUSED_FINDS_GHOSTS_IF_PLAIN(EWI_VARIANT) : EWI_FUSED_FINDS_GHOSTS(EWI_VARIANT);
    if (finds && ctx->block->boundary_edges > 0 && !ctx->call->ghosts) {
        int limits = ctx->limits_on_load && limiter_pending ? ctx->limiter : EWI_NO_LIMITER;
        EWI_K(find_ghosts)(ctx->call, ctx->block, limits, thread);
        return;
    }
#endif
    (void)limiter_pending;
    EWI_K(copy_ghosts)(ctx, thread);
}
