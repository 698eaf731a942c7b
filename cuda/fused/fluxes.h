/* SPDX-License-Identifier: BSD-2-Clause */
/* Numerical fluxes at the points of a block's edges. */

/* Returns the element of a place in the traces, and sets *side to its local side. */
EWI_DEVICE int64_t EWI_K(element_at)(const struct EWI_K(context) *ctx, int number, int place, int *side)
{
    if (place >= EWI_OWN) {
        int32_t entry = ctx->call->halo[ctx->block->halo_first + place - EWI_OWN];
        *side = entry & 3;
        return entry >> 2;
    }
    *side = place / (EWI_NE * EWI_STRIDE);
    return (int64_t)number * EWI_BLOCK_ELEMENTS + place % (EWI_NE * EWI_STRIDE);
}

/* The media on both sides of an edge; behind a boundary it is that of the element. */
EWI_DEVICE void EWI_K(media_at)(const struct EWI_K(context) *ctx, int number, int left, int right, double *field)
{
    int side, is_ghost = right >= EWI_OWN + ctx->block->halos;
    int64_t first = EWI_K(element_at)(ctx, number, left, &side);
    int64_t second = is_ghost ? first : EWI_K(element_at)(ctx, number, right, &side);
    for (int f = 0; f < EWI_MEDIA; f++) {
        field[f] = ctx->call->a.volume_field[ewi_layout_index(EWI_TILE, EWI_MEDIA, f, first)];
        field[EWI_MEDIA + f] = ctx->call->a.volume_field[ewi_layout_index(EWI_TILE, EWI_MEDIA, f, second)];
    }
}

/* The law's fields at a point of an edge, which its left element keeps. */
EWI_DEVICE void EWI_K(fields_at)(const struct EWI_K(context) *ctx, int number, int left, int right, int e,
                                 double *field)
{
    if (EWI_MEDIA > 0)
        EWI_K(media_at)(ctx, number, left, right, field);
    if (EWI_FIELDS > 0) {
        int side;
        int64_t element = EWI_K(element_at)(ctx, number, left, &side);
        for (int f = 0; f < EWI_FIELDS; f++)
            field[f] = ctx->call->a.edge_field[ewi_layout_index(EWI_TILE, 3 * EWI_NE * EWI_FIELDS,
                                                                (side * EWI_NE + e) * EWI_FIELDS + f, element)];
    }
}

/* Where the traces at a point of an edge are. */
struct EWI_K(edge_point) {
    double *left, *right;
    int left_plane, right_plane;
};

/* Stores what the left element adds, if it is an own one, and its negative for the right one; S has one sign. */
EWI_DEVICE void EWI_K(put_fluxes)(const struct EWI_K(edge_point) *at, int own_left, int own_right, const double *f)
{
    if (own_left) {
        EWI_UNROLL for (int pair = 0; pair < EWI_EDGE_PAIRS; pair++)
            ewi_put_pair(at->left + pair * (2 * EWI_PLANE), f[2 * pair], f[2 * pair + 1]);
    }
    if (own_right) {
        double other[2 * EWI_EDGE_PAIRS];
        EWI_UNROLL for (int m = 0; m < 2 * EWI_EDGE_PAIRS; m++)
            other[m] = m < EWI_M ? -f[m] : f[m];
        EWI_UNROLL for (int pair = 0; pair < EWI_EDGE_PAIRS; pair++)
            ewi_put_pair(at->right + pair * (2 * EWI_PLANE), other[2 * pair], other[2 * pair + 1]);
    }
}

/* The slot of a left side's edge, if the limiter subcell has its flux, or -1. */
EWI_DEVICE int32_t EWI_K(touched_slot)(const struct EWI_K(context) *ctx, int number, int left)
{
    const struct ewi_arguments *a = &ctx->call->a;
    int side;
    if (!EWI_HAS_SUBCELLS || !ctx->touched)
        return -1;
    int64_t element = EWI_K(element_at)(ctx, number, left, &side);
    return a->subcells.touched_slot[side * a->padded + element];
}

/*
 * The flux at point e from the traces ul, ur, or that of a touched edge, whose slot is given, as the left element adds
 * it. With gradients the states' diffusion is behind them, and S behind the flux. geometry: the edge's, in steps of
 * `room` (ewi_fused.h)
 */
EWI_DEVICE void EWI_K(flux_at)(const struct EWI_K(context) *ctx, const double *field, const double *geometry, int room,
                               int e, int32_t touched, const double *ul, const double *ur, double *f)
{
    const double *parameter = ctx->parameter;
    double nx = geometry[0], ny = geometry[room], length = geometry[2 * room];
    EWI_L(numerical_flux)(ctx->flux, parameter, field, ul, ur, nx, ny, length, f);
    for (int m = 0; touched >= 0 && m < EWI_M; m++)
        f[m] = ctx->call->a.subcells.flux[((int64_t)touched * EWI_NE + e) * EWI_M + m];
#if EWI_HAS_DIFFUSION
    struct EWI_K(symmetry) symmetry;
    EWI_L(diffuse)(parameter, ul, ul + EWI_M, ur, ur + EWI_M, nx, ny, geometry[3 * room], f, symmetry.x, symmetry.y);
    EWI_K(weigh_point)(e, f, &symmetry);
#else
    double weight = -0.5 * EWI_TABLE(EDGE_WEIGHT)[e];
    EWI_UNROLL for (int m = 0; m < 2 * EWI_PAIRS; m++)
        f[m] = m < EWI_M ? weight * f[m] : 0.0;
#endif
}

/*
 * Fluxes of the block's edges in place of the traces. Threads side by side have the same point of edges whose traces
 * lie in different banks (ewi_blocks.h). With gradients boundary edges have their fluxes already (eval_ghosts).
 */
EWI_DEVICE void EWI_K(fluxes)(const struct EWI_K(context) *ctx, int thread)
{
    const int number = ctx->block->number;
    int room = EWI_K(edge_room)(ctx->block), columns = (ctx->block->edges + 7) & ~7, e = 0;
    int edge = EWI_FUSED_BACKWARDS(EWI_VARIANT) ? thread ^ (EWI_THREADS - 32) : thread;
    const double *geometry = EWI_K(edges)(ctx); /* nx, ny, length; penalty */
    const uint16_t *places = (const uint16_t *)(geometry + EWI_FUSED_EDGE_DOUBLES(EWI_VARIANT) * room);
    EWI_NO_UNROLL for (;; edge += EWI_THREADS)
    {
        for (; edge >= columns; edge -= columns)
            e++;
        if (e >= EWI_NE)
            break;
        if (edge >= ctx->block->edges)
            continue;
        int left = places[2 * edge], right = places[2 * edge + 1];
        int own_left = left < EWI_OWN, own_right = right < EWI_OWN;
        struct EWI_K(edge_point) at = {EWI_K(point)(ctx, left, e), EWI_K(point)(ctx, right, EWI_NE - 1 - e),
                                       EWI_K(plane)(ctx, own_left), EWI_K(plane)(ctx, own_right)};
        double ul[2 * EWI_EDGE_PAIRS], ur[2 * EWI_EDGE_PAIRS], f[2 * EWI_EDGE_PAIRS], field[EWI_FIELD_ROOM];
        if (!ctx->plain && left == right) { /* of a side without an edge (ewi_fused.h) */
            EWI_UNROLL for (int m = 0; m < 2 * EWI_EDGE_PAIRS; m++)
                f[m] = 0.0;
            EWI_K(put_fluxes)(&at, 1, 1, f);
            continue;
        }
        int32_t touched = EWI_K(touched_slot)(ctx, number, left);
        EWI_K(get_trace)(at.left, at.left_plane, ul);
        EWI_K(get_trace)(at.right, at.right_plane, ur);
        if (ctx->jump_sensor)
            EWI_K(leave_jump)(ctx, left, right, e, geometry[2 * room + edge], ul, ur);
        if (EWI_HAS_DIFFUSION && right >= EWI_OWN + ctx->block->halos) {
            EWI_K(put_fluxes)(&at, own_left, 0, ur);
            continue;
        }
        EWI_K(fields_at)(ctx, number, left, right, e, field);
        EWI_K(flux_at)(ctx, field, geometry + edge, room, e, touched, ul, ur, f);
        EWI_K(put_fluxes)(&at, own_left, own_right, f);
    }
}
