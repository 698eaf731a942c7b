/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In a part, stages read the ghost layer from the buffer in which other GPUs write, and send their interface themselves
 * (ewi_cuda_peers.h). Few blocks do, so the functions are not inlined and take no context, which would then lie in
 * memory: they must not cost registers.
 */

/* The state of an element behind a side of the halo. Ghost cells are read from the buffer that their owners write. */
EWI_DEVICE const double *EWI_K(state_of)(const struct EWI_K(context) *ctx, int32_t element)
{
    return !ctx->plain && ctx->call->peers.interface_blocks && element >= (int32_t)ctx->call->elements
               ? EWI_K(step)(ctx)->ghosts
               : ctx->call->state;
}

/*
 * The side of the halo that a thread handles with three others, if it is in the ghost layer: waits for values that had
 * not arrived when the side was copied, or for all values if it was not copied (`tile` NULL), and clears the buffer of
 * the stage before.
 */
EWI_APART void EWI_K(await_side)(const struct ewi_cuda_stage *call, const double *ghosts, int32_t entry, double *tile,
                                 int thread)
{
    int32_t element = entry >> 2;
    if (element < call->elements)
        return;
    int64_t back = EWI_K(tile_of)(call->elements), before = ewi_to_previous_buffer(&call->peers, ghosts + back);
    EWI_NO_UNROLL for (int x = thread % 4; x < EWI_ROWS; x += 4)
    {
        int m = x / EWI_NP, j = x % EWI_NP;
        int row = EWI_K(row)(m, j, EWI_K(side_of)(thread) % 8);
        double *place = (double *)ghosts + EWI_K(at)(0, element, m, j);
        if (!tile)
            ewi_await(&call->head, place);
        else if (ewi_to_bits(tile[row]) == EWI_NOT_SENT)
            tile[row] = ewi_from_bits(ewi_await(&call->head, place));
        ewi_put(place + before, EWI_NOT_SENT);
    }
}

/* True if the block at a place of the list borders on the ghost layer. */
EWI_DEVICE int EWI_K(is_interface)(const struct ewi_cuda_stage *call, int place)
{
    return (uint32_t)(place - call->peers.first_interface) < (uint32_t)call->peers.interface_blocks;
}

/* Sends a block's interface elements to other parts. */
EWI_APART void EWI_K(send)(const struct ewi_cuda_stage *call, const struct ewi_fused_block *block, const double *ghosts)
{
    const struct ewi_cuda_peers *peers = &call->peers;
    int first = block->message_first * EWI_ROWS, end = first + block->messages * EWI_ROWS;
    int64_t next = ewi_next_buffer(peers, ghosts + EWI_K(tile_of)(call->elements));
    EWI_BARRIER; /* others have stored their rows */
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_NO_UNROLL for (int x = first + ewi_thread(mine); x < end; x += EWI_THREADS)
        {
            struct ewi_cuda_message message = peers->message[x / EWI_ROWS];
            int m = x % EWI_ROWS / EWI_NP, j = x % EWI_NP;
            ewi_send(message.tile + next + EWI_K(row)(m, j, message.item),
                     call->target[EWI_K(at)(call->a.width, message.element, m, j)]);
        }
    if (EWI_FIRST_THREAD)
        ewi_has_sent(peers, end - first);
}

/*
 * Waits for the ghost cells next to a block: those already copied, and those that are copied later, of which the
 * multiprocessor may still cache old values.
 */
EWI_APART void EWI_K(await_ghosts)(const struct ewi_cuda_stage *call, const struct ewi_fused_block *block,
                                   const double *ghosts)
{
    const struct EWI_K(context) ctx = EWI_K(context_of)(call, 0);
    ewi_copies_wait();
    EWI_WARP_BARRIER; /* its lanes copy for each other */
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_NO_UNROLL for (int round = 0; round * EWI_SIDES_A_ROUND < block->halos; round++)
        {
            int thread = ewi_thread(mine);
            double *tile = round < EWI_ROUNDS ? EWI_K(copied)(&ctx, round, thread) : NULL;
            EWI_K(await_side)(call, ghosts, EWI_K(halo_entry)(call, block, round, thread), tile, thread);
        }
    if (block->halos > EWI_ROUNDS * EWI_SIDES_A_ROUND)
        ewi_fence();
    EWI_WARP_BARRIER;
}

/* The first interface block in a thread block's share of the list, or the length of the list if it has none. */
EWI_DEVICE int EWI_K(interface_place)(const struct ewi_cuda_stage *call, int grid_block)
{
    int place = grid_block;
    EWI_NO_UNROLL while (place < call->peers.first_interface)
        place += call->grid;
    return EWI_K(is_interface)(call, place) ? place : call->blocks;
}

/* For an inadmissible state: other parts still wait for this interface, and their messages must be received. */
EWI_APART void EWI_K(pass_on)(const struct ewi_cuda_stage *call, int place, const double *ghosts)
{
    EWI_NO_UNROLL for (; EWI_K(is_interface)(call, place); place += call->grid)
    {
        const struct ewi_fused_block *block = &call->block[place];
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            EWI_NO_UNROLL for (int round = 0; round * EWI_SIDES_A_ROUND < block->halos; round++)
                EWI_K(await_side)(call, ghosts, EWI_K(halo_entry)(call, block, round, ewi_thread(mine)), NULL,
                                  ewi_thread(mine));
        EWI_K(send)(call, block, ghosts);
    }
}
