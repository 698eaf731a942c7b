/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads into shared memory: what a block reads, while the one before it is computed. Copies are asynchronous, by each
 * thread (ewi_copy_16) or, for whole pieces, in bulk by one (ewi_bulk_copy), which all wait for at a gate.
 */

EWI_DEVICE void EWI_K(copy_table)(const struct EWI_K(context) *ctx, int thread)
{
    EWI_NO_UNROLL for (int x = thread; x < EWI_FUSED_UP(EWI_FUSED_TABLE(EWI_VARIANT, EWI_NP, EWI_NQ, EWI_NE), 2);
                        x += EWI_THREADS)
        ewi_copy_16(EWI_K(table)(ctx) + 2 * x, ctx->call->table + 2 * x);
}

/*
 * Copies the coefficients and shapes of a block, in the order of the state: in bulk, or each warp its own tiles (after
 * the last tile, that one again).
 */
EWI_DEVICE void EWI_K(copy_own)(const struct EWI_K(context) *ctx, int number, int thread)
{
    enum { TILES = EWI_BLOCK_ELEMENTS / EWI_TILE };
    const struct ewi_cuda_stage *call = ctx->call;
    int all = (int)(call->a.padded / EWI_TILE), first = number * TILES;
    if (EWI_BULK) {
        if (thread == 0) {
            int tiles = all - first < TILES ? all - first : TILES, bytes = tiles * EWI_TILE * (int)sizeof(double);
            ewi_bulk_expect(EWI_K(own_gate)(ctx),
                            bytes * (EWI_ROWS + EWI_FUSED_SHAPES(EWI_VARIANT) * EWI_FUSED_SHAPE));
            ewi_bulk_copy(EWI_K(staged)(ctx), call->state + (int64_t)first * (EWI_TILE * EWI_ROWS), bytes * EWI_ROWS,
                          EWI_K(own_gate)(ctx));
            if (EWI_FUSED_SHAPES(EWI_VARIANT))
                ewi_bulk_copy(EWI_K(shapes)(ctx), call->shape + (int64_t)first * (EWI_TILE * EWI_FUSED_SHAPE),
                              bytes * EWI_FUSED_SHAPE, EWI_K(own_gate)(ctx));
        }
    } else {
        int warp = thread / 32, lane = thread % 32;
        EWI_UNROLL for (int k = 0; k < EWI_WARP_TILES; k++)
        {
            int here = warp * EWI_WARP_TILES + k, tile = first + here < all ? first + here : all - 1;
            const double *state = call->state + (int64_t)tile * (EWI_TILE * EWI_ROWS);
            double *staged = EWI_K(staged)(ctx) + here * (EWI_TILE * EWI_ROWS);
            EWI_UNROLL for (int row = 0; row < EWI_ROWS; row += 8)
            {
                if (row + 8 <= EWI_ROWS || row + lane / 4 < EWI_ROWS)
                    ewi_copy_16(staged + 2 * lane + 8 * row, state + 2 * lane + 8 * row);
            }
            if (EWI_FUSED_SHAPES(EWI_VARIANT) && lane < 4 * EWI_FUSED_SHAPE)
                ewi_copy_16(EWI_K(shapes)(ctx) + (here * (4 * EWI_FUSED_SHAPE) + lane) * 2,
                            call->shape + ((int64_t)tile * (4 * EWI_FUSED_SHAPE) + lane) * 2);
        }
    }
}

EWI_DEVICE void EWI_K(copy_halo)(const struct EWI_K(context) *ctx, const int32_t *entry, int thread)
{
    EWI_UNROLL for (int round = 0; round < EWI_ROUNDS; round++)
    {
        if (entry[round] >= 0)
            EWI_K(copy_side)(ctx, entry[round], round, thread);
    }
}

/* Copies a round for which there was no room before, and waits for it. */
EWI_DEVICE int32_t EWI_K(copy_late)(const struct EWI_K(context) *ctx, int round, int column, int thread)
{
    int32_t entry = EWI_K(halo_entry)(ctx->call, ctx->block, round, thread);
    EWI_WARP_BARRIER; /* its lanes copy for each other */
    if (entry >= 0)
        EWI_K(copy_side)(ctx, entry, column, thread);
    ewi_copies_end();
    ewi_copies_wait();
    EWI_WARP_BARRIER;
    return entry;
}

EWI_DEVICE void EWI_K(copy_edges)(const struct EWI_K(context) *ctx, const struct ewi_fused_block *block, int thread)
{
    int pieces = EWI_K(edge_room)(block) / 4 * (EWI_FUSED_EDGE_BYTES(EWI_VARIANT) / 4);
    const double *edge = ctx->call->edge + (int64_t)block->edge_first / 4 * (EWI_FUSED_EDGE_BYTES(EWI_VARIANT) / 2);
    if (EWI_BULK) {
        if (thread == 0) {
            ewi_bulk_expect(EWI_K(edge_gate)(ctx), 16 * pieces);
            ewi_bulk_copy(EWI_K(edges)(ctx), edge, 16 * pieces, EWI_K(edge_gate)(ctx));
        }
    } else {
        EWI_NO_UNROLL for (int x = thread; x < pieces; x += EWI_THREADS)
            ewi_copy_16(EWI_K(edges)(ctx) + 2 * x, edge + 2 * x);
    }
}

/* Copies the description of the block at a place of the list to its slot of the ring buffer. */
EWI_DEVICE void EWI_K(copy_description)(const struct EWI_K(context) *ctx, int slot, int place, int thread)
{
    int last = ctx->call->blocks - 1;
    if (2 * thread < EWI_FUSED_BLOCK_DOUBLES)
        ewi_copy_16((double *)EWI_K(description)(ctx, slot) + 2 * thread,
                    (const double *)(ctx->call->block + (place < last ? place : last)) + 2 * thread);
}

/*
 * Copies the neighbours of a block's elements and of its halo cells, for a stage that limits on load. It gets numbers
 * instead of the context, which a function that is not inlined would read from memory.
 */
EWI_DEVICE void EWI_K(copy_places)(const uint32_t *neighbours, int neighbours_at, const uint64_t *halo_neighbours,
                                   int sides, int halo_neighbours_at, int thread)
{
    double *const shared = ewi_fused_shared;
    if (4 * thread < EWI_BLOCK_ELEMENTS)
        ewi_copy_16(shared + neighbours_at + 2 * thread, (const double *)neighbours + 2 * thread);
    EWI_NO_UNROLL for (int x = thread; x < sides; x += EWI_THREADS)
        ewi_copy_8(shared + halo_neighbours_at + x, (const double *)halo_neighbours + x);
}

/* Where registers have no room for what it computes with. */
EWI_APART void EWI_K(copy_places_apart)(const uint32_t *neighbours, int neighbours_at, const uint64_t *halo_neighbours,
                                        int sides, int halo_neighbours_at, int thread)
{
    EWI_K(copy_places)(neighbours, neighbours_at, halo_neighbours, sides, halo_neighbours_at, thread);
}

EWI_DEVICE void EWI_K(take_places)(const struct EWI_K(context) *ctx, const struct ewi_fused_block *block, int thread)
{
    enum { ROOM = EWI_ROUNDS * EWI_SIDES_A_ROUND };
    const uint32_t *neighbours = ctx->call->neighbours + (int64_t)block->number * EWI_BLOCK_ELEMENTS;
    const uint64_t *halo_neighbours = ctx->call->halo_neighbours + block->halo_first;
    int sides = block->halos < ROOM ? block->halos : ROOM, at = ctx->at.neighbours, halo_at = ctx->at.halo_neighbours;
    if (EWI_APART_IF_LIMITING)
        EWI_K(copy_places_apart)(neighbours, at, halo_neighbours, sides, halo_at, thread);
    else
        EWI_K(copy_places)(neighbours, at, halo_neighbours, sides, halo_at, thread);
}

/*
 * Ghosts that replace the inner state also take the place of the own traces, after all threads have written those. Not
 * inlined, and without the context, as few cases have such boundaries; own_at: where own traces begin.
 */
EWI_APART void EWI_K(replace_traces)(const struct ewi_cuda_stage *call, const struct ewi_fused_block *block, int own_at,
                                     int thread)
{
    double *const own = ewi_fused_shared + own_at;
    EWI_NO_UNROLL for (int x = thread; x < block->boundary_edges * EWI_NE; x += EWI_THREADS)
    {
        int edge = x / EWI_NE, e = x % EWI_NE;
        int64_t slot = call->halo[block->halo_first + block->halos + edge];
        const double *ghost = ewi_fused_shared + call->memory.outer +
                              2 * (block->halos + edge + (EWI_NE - 1 - e) * call->halo_room);
        int element = call->a.left[slot] - block->number * EWI_BLOCK_ELEMENTS;
        int place = ewi_fused_place(EWI_VARIANT, EWI_NE, call->a.left_side[slot], element) + e * EWI_STRIDE;
        if (!ewi_ghost_replaces(call->ghost[slot / EWI_TILE]))
            continue;
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            own[2 * (m / 2 * EWI_PLANE + place) + m % 2] = ghost[m / 2 * (2 * call->memory.outer_plane) + m % 2];
    }
}

/* Prefetches the arrays that the update reads into L2 while the block is computed: one array per warp. */
EWI_DEVICE void EWI_K(prefetch)(const struct EWI_K(context) *ctx, int thread)
{
    const struct ewi_cuda_stage *call = ctx->call;
    const struct ewi_update *u = &call->update;
    if ((EWI_MATRIX && !call->prefetches) || thread % 32 != 0 || !call->target)
        return;
    int64_t first = (int64_t)ctx->block->number * EWI_BLOCK_ELEMENTS, rest = call->a.padded - first;
    const double *array = thread < 32 ? u->base : thread < 64 ? u->term[0] : thread < 96 ? u->term[1]
                          : u->kept   ? u->kept
                                      : u->term[2];
    int there = thread < 32 || thread / 32 <= u->terms || (thread >= 96 && u->kept);
    if (there && array != call->state)
        ewi_prefetch_l2(array + first * EWI_ROWS,
                        (rest < EWI_BLOCK_ELEMENTS ? rest : EWI_BLOCK_ELEMENTS) * EWI_ROWS * (int64_t)sizeof(double));
}

/* Does the work that depends on no other kernel: loads tables, gates, and the first block's edges. */
EWI_DEVICE void EWI_K(prepare)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own, int thread)
{
    const struct ewi_fused_block *block = &ctx->call->block[ctx->grid_block];
    EWI_K(copy_table)(ctx, thread);
    own->largest = 0.0;
    if (thread == 0) {
        ewi_bulk_begin(EWI_K(own_gate)(ctx));
        ewi_bulk_begin(EWI_K(edge_gate)(ctx));
    }
    EWI_WARP_BARRIER; /* the warp makes them, and its first thread is the first to use one */
    EWI_UNROLL for (int round = 0; round < EWI_ROUNDS; round++)
        own->halo[round] = EWI_K(halo_entry)(ctx->call, block, round, thread);
    if (ctx->limits_on_load)
        EWI_K(take_places)(ctx, block, thread);
    EWI_K(copy_edges)(ctx, block, thread);
    EWI_K(copy_description)(ctx, 0, (int)ctx->grid_block, thread);
    EWI_K(copy_description)(ctx, 1, EWI_K(place_at)(ctx, 1), thread);
}
