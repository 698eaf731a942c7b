/* SPDX-License-Identifier: BSD-2-Clause */
/* A thread block's shared memory, by what lies in it (struct ewi_fused_memory). */

/* Tables as fragments [fragment][lane], or the side table [side][j][ne] where an element has a thread. */
EWI_DEVICE double *EWI_K(table)(const struct EWI_K(context) *ctx) { return ewi_fused_shared + ctx->at.table; }

/* Coefficients of the block's elements: tiles as in a state. */
EWI_DEVICE double *EWI_K(staged)(const struct EWI_K(context) *ctx) { return ewi_fused_shared + ctx->at.staged; }

/* A warp's elements behind sides of the halo, in a round, lie like a tile of their own. */
EWI_DEVICE double *EWI_K(copied)(const struct EWI_K(context) *ctx, int round, int thread)
{
    return ewi_fused_shared + ctx->at.halo +
           (round * EWI_FUSED_WARPS(EWI_VARIANT) + thread / 32) * (EWI_TILE * EWI_ROWS);
}

/* ... tiles of the halo's sides, one after the other. */
EWI_DEVICE double *EWI_K(halo_tiles)(const struct EWI_K(context) *ctx) { return ewi_fused_shared + ctx->at.halo; }

/* The maps of elements behind a warp's sides of the halo, in a round: a tile of EWI_FUSED_MAP rows. */
EWI_DEVICE double *EWI_K(halo_maps)(const struct EWI_K(context) *ctx, int round, int thread)
{
    return ewi_fused_shared + ctx->at.halo_map +
           (round * EWI_FUSED_WARPS(EWI_VARIANT) + thread / 32) * (EWI_TILE * EWI_FUSED_MAP);
}

/* Shapes of the block's elements: tiles of EWI_FUSED_SHAPE rows. */
EWI_DEVICE double *EWI_K(shapes)(const struct EWI_K(context) *ctx) { return ewi_fused_shared + ctx->at.shape; }

/* The ring buffer of descriptions. */
EWI_DEVICE struct ewi_fused_block *EWI_K(description)(const struct EWI_K(context) *ctx, int slot)
{
    const int at_slot = EWI_FUSED_BLOCK_DOUBLES * (slot % EWI_FUSED_DESCRIPTIONS);
    return (struct ewi_fused_block *)(ewi_fused_shared + ctx->at.description + at_slot);
}

/* Gates of bulk copies: of a block's coefficients and shapes, and of its edges. */
EWI_DEVICE ewi_gate *EWI_K(own_gate)(const struct EWI_K(context) *ctx)
{
    return (ewi_gate *)(ewi_fused_shared + ctx->at.gate);
}

EWI_DEVICE ewi_gate *EWI_K(edge_gate)(const struct EWI_K(context) *ctx)
{
    return (ewi_gate *)(ewi_fused_shared + ctx->at.gate + 1);
}

EWI_DEVICE struct ewi_fused_step *EWI_K(step)(const struct EWI_K(context) *ctx)
{
    return (struct ewi_fused_step *)(ewi_fused_shared + ctx->at.steps);
}

/* A pair of variables of an own side's point, by its place (ewi_fused_place): the trace, and later the flux. */
EWI_DEVICE double *EWI_K(own_point)(const struct EWI_K(context) *ctx, int pair, int place)
{
    return ewi_fused_shared + ctx->at.own + 2 * (pair * EWI_PLANE + place);
}

/* ... of a side just outside the block, by its place behind EWI_OWN. */
EWI_DEVICE double *EWI_K(outer_point)(const struct EWI_K(context) *ctx, int pair, int place)
{
    return ewi_fused_shared + ctx->at.outer + 2 * (pair * ctx->at.outer_plane + place);
}

/* The first pair of point e of the side at any place; the next pair is a plane further. */
EWI_DEVICE double *EWI_K(point)(const struct EWI_K(context) *ctx, int place, int e)
{
    return ewi_fused_shared + (place < EWI_OWN ? ctx->at.own + 2 * (place + e * EWI_STRIDE)
                                               : ctx->at.outer + 2 * (place - EWI_OWN + e * ctx->call->halo_room));
}

EWI_DEVICE int EWI_K(plane)(const struct EWI_K(context) *ctx, int is_own)
{
    return 2 * (is_own ? EWI_PLANE : ctx->at.outer_plane);
}

/* The numbers at a point of an edge, from its first pair on. */
EWI_DEVICE void EWI_K(get_trace)(const double *trace, int plane, double *values)
{
    EWI_UNROLL for (int pair = 0; pair < EWI_EDGE_PAIRS; pair++)
        ewi_get_pair(trace + pair * plane, &values[2 * pair], &values[2 * pair + 1]);
}

/* A block's edges (ewi_fused.h). */
EWI_DEVICE int EWI_K(edge_room)(const struct ewi_fused_block *block) { return (block->edges + 3) & ~3; }

EWI_DEVICE double *EWI_K(edges)(const struct EWI_K(context) *ctx) { return ewi_fused_shared + ctx->at.edges; }

/* The place of an element's first coefficients, for stages with a jump sensor. */
EWI_DEVICE double *EWI_K(first_at)(const struct EWI_K(context) *ctx, int place)
{
    int element = place < EWI_OWN ? place % (EWI_NE * EWI_STRIDE) : EWI_BLOCK_ELEMENTS + place - EWI_OWN;
    return ewi_fused_shared + ctx->at.first + element * (2 * EWI_PAIRS);
}

/* Jumps on own sides, for damping: rows of EWI_STRIDE elements, EWI_FUSED_JUMP_ROWS a side. */
EWI_DEVICE double *EWI_K(jumps)(const struct EWI_K(context) *ctx) { return ewi_fused_shared + ctx->at.jump; }

/* Places of the neighbours of a thread's element. */
EWI_DEVICE uint32_t EWI_K(neighbour_places)(const struct EWI_K(context) *ctx, int element)
{
    return ((const uint32_t *)(ewi_fused_shared + ctx->at.neighbours))[element];
}

/* Neighbours of a halo cell, from the copy in shared memory, which covers the sides for which there was room. */
EWI_DEVICE uint64_t EWI_K(copied_halo_neighbours)(const struct EWI_K(context) *ctx, int side)
{
    return *(const uint64_t *)(ewi_fused_shared + ctx->at.halo_neighbours + side);
}
