/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A Runge-Kutta stage of one law and one order in one kernel: the integrals of the shared bodies of src/kernels, by the
 * same sums in the same order.
 *  reads   the state, with the sides just outside a block; the block's edges; geometry; boundary data; fields; the
 *  update's arrays
 *  writes  the new state; the maximum wave speed in it, if it is a step's last stage
 * As many thread blocks as the device holds share the blocks of elements; while one block is computed, the coefficients
 * of the next are loaded into shared memory. Per block:
 *  traces of the own sides and of the halo | barrier | every edge's flux once, in place of the traces | volume
 *  integrals in registers; warps with fewer edges catch up here | barrier | side sums, update
 * A block also finds the states behind its boundary edges, unless eval_ghosts has (EWI_FUSED_FINDS_GHOSTS).
 * Two barriers suffice: after the second, a thread reads only its own element's fluxes, so the next block's traces may
 * overwrite the others.
 *
 * Each operation has a file, which is included for each law:
 */
#include "kernels/begin.h"

#if EWI_HAS_DIFFUSION != EWI_DIFFUSES /* this law has other variants */
#include "kernels/end.h"
#else
#include "context.h"
#include "layout.h"
#include "shared.h"
#include "exchange.h"
#include "lanes.h"
#include "load.h"

#include "kernels/eval_source.h"
#include "kernels/trace.h"
#include "kernels/media.h"
#include "kernels/wall.h"
#include "kernels/boundary_states.h"
#include "kernels/diffusion.h"
#include "maps.h"
#include "kernels/touched.h"
#include "kernels/eval_outflow.h"
#include "kernels/step_rate.h"
#include "kernels/limit.h"
#include "kernels/positive.h"

#include "limit_on_load.h"
#include "boundary_points.h"
#include "damp.h"
#if EWI_MATRIX
#include "limit_matrix.h"
#include "traces_matrix.h"
#include "volume_matrix.h"
#else
#include "limit_vector.h"
#include "traces_vector.h"
#include "volume_vector.h"
#endif
#include "fluxes.h"
#include "stage_update.h"
#include "positivity.h"
#include "clock.h"

/* The block's own coefficients from shared memory to registers, when all of its loads have arrived; limited on load. */
EWI_DEVICE void EWI_K(take_coefficients)(const struct EWI_K(context) *ctx, int iteration, int shapes_late,
                                         struct EWI_K(thread) *own)
{
    uint32_t neighbours[EWI_PRIVATE];
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        int thread = EWI_K(thread_of)(ctx, mine);
        neighbours[mine] = ctx->limits_on_load ? EWI_K(neighbour_places)(ctx, EWI_K(element_of)(thread)) : 0;
        EWI_K(take_ghosts)(ctx, ctx->limits_on_load && own[mine].limiter_pending, thread);
        if (ctx->limits_on_load)
            EWI_K(load_halo_means)(ctx, &own[mine], thread);
        ewi_copies_wait_but_last();
        ewi_bulk_wait(EWI_K(own_gate)(ctx), iteration & 1);
        EWI_WARP_BARRIER;
    }
    if (ctx->limits_on_load) {
        EWI_BARRIER; /* means of others' elements, too */
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            EWI_K(limit_staged)(ctx, neighbours[mine], &own[mine], ewi_thread(mine));
    }
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        int thread = EWI_K(thread_of)(ctx, mine);
        EWI_K(take_own)(ctx, &own[mine], thread);
        if (ctx->limits_on_load)
            EWI_K(limit_taken)(ctx, neighbours[mine], &own[mine]);
        if (!shapes_late)
            EWI_K(take_shape)(ctx, &own[mine], thread);
        if (ctx->limits_on_load && ctx->call->limited)
            EWI_K(leave_limited)(ctx, &own[mine], thread);
        if (ctx->jump_sensor)
            EWI_K(keep_first)(ctx, &own[mine], thread);
    }
}

/* Computes one block, while the loads of the next one are in flight. */
EWI_DEVICE void EWI_K(take_block)(struct EWI_K(context) *ctx, int iteration, struct EWI_K(thread) *own)
{
    const struct ewi_fused_block *next = EWI_K(description)(ctx, iteration + 1);
    ctx->block = EWI_K(description)(ctx, iteration);
    ctx->touched = EWI_HAS_SUBCELLS && !ctx->plain && ctx->call->a.subcells.flux &&
                   ctx->call->a.subcells.touched_block[ctx->block->number];
    int more = EWI_K(place_at)(ctx, iteration + 1) < ctx->call->blocks;
    int shapes_late = ctx->limits_on_load && !EWI_MATRIX; /* loading them earlier would delay the limiter */
    EWI_K(take_coefficients)(ctx, iteration, shapes_late, own);
    EWI_K(traces)(ctx, own);
    if (!EWI_HAS_DIFFUSION && !ctx->plain && ctx->call->replaces && ctx->block->boundary_edges > 0) {
        EWI_BARRIER;
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            EWI_K(replace_traces)(ctx->call, ctx->block, ctx->at.own, ewi_thread(mine));
    }
    ewi_copies_wait();
    EWI_BARRIER;
    if (!more) /* sooner, its thread blocks would crowd multiprocessors that are still busy */
        ewi_next_may_begin();
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        int thread = EWI_K(thread_of)(ctx, mine);
        if (ctx->limits_on_load && more) /* first, since the call waits for loads already issued */
            EWI_K(take_places)(ctx, next, thread);
        if (ctx->limits_on_load)
            ewi_copies_end();
        EWI_UNROLL for (int round = 0; round < EWI_ROUNDS; round++)
            own[mine].halo[round] = more ? EWI_K(halo_entry)(ctx->call, next, round, thread) : -1;
        if (shapes_late)
            EWI_K(take_shape)(ctx, &own[mine], thread);
        if (ctx->prefetch)
            EWI_K(prefetch)(ctx, thread);
        if (more)
            EWI_K(copy_own)(ctx, next->number, thread);
        EWI_K(copy_description)(ctx, iteration + 2, EWI_K(place_at)(ctx, iteration + 2), thread);
        ewi_bulk_wait(EWI_K(edge_gate)(ctx), iteration & 1);
        EWI_K(fluxes)(ctx, thread);
        EWI_K(copy_halo)(ctx, own[mine].halo, thread);
        ewi_copies_end();
    }
    EWI_K(volume)(ctx, own);
    const int number = ctx->block->number, role = ctx->plain ? 0 : ctx->block->role;
    if (role & EWI_FUSED_ONLY_EDGES)
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            EWI_UNROLL for (int k = 0; k < EWI_SUMS; k++)
                own[mine].sum[k] = 0.0;
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(begin_update)(ctx, &own[mine], ewi_thread(mine));
    if (ctx->limits_on_load)
        ewi_copies_wait_but_last(); /* places of the next block */
    EWI_BARRIER;
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        if (more)
            EWI_K(copy_edges)(ctx, next, ewi_thread(mine));
        ewi_copies_end();
    }
    EWI_K(lift)(ctx, own);
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(finish)(ctx, number, role, &own[mine], ewi_thread(mine));
    if (ctx->positive && !(role & EWI_FUSED_KEEPS_RHS))
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            EWI_K(keep_positive)(ctx, number, &own[mine], ewi_thread(mine));
}

EWI_DEVICE void EWI_K(stage)(struct EWI_K(context) *ctx)
{
    const struct ewi_cuda_stage *call = ctx->call;
    const int grid_block = (int)ctx->grid_block, first = call->block[ctx->grid_block].number;
    const struct ewi_fused_step *step = EWI_K(step)(ctx);
    struct EWI_K(thread) own[EWI_PRIVATE];

    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(prepare)(ctx, &own[mine], ewi_thread(mine));
    ewi_await_previous();
    /* On their way while the clock is read, which may say that they are not needed. */
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(copy_own)(ctx, first, ewi_thread(mine));
    const int exchanges = !ctx->limits_on_load && !ctx->plain;
    if (exchanges && EWI_K(interface_place)(call, grid_block) < call->blocks) {
        if (EWI_FIRST_THREAD)
            EWI_K(step)(ctx)->ghosts = ewi_ghost_buffer(&call->peers) - EWI_K(tile_of)(call->elements);
        EWI_BARRIER;
    }
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(copy_halo)(ctx, own[mine].halo, ewi_thread(mine));
    if (EWI_FIRST_THREAD) /* one only, through shared memory: the clock would cost every thread registers */
        EWI_K(read_clock)(ctx);
    ewi_copies_end();
    ewi_copies_wait();
    EWI_BARRIER;
    if (step->state != EWI_FUSED_RUNS) {
        /* No copy may arrive after another block owns this shared memory. */
        ewi_bulk_wait(EWI_K(own_gate)(ctx), 0);
        ewi_bulk_wait(EWI_K(edge_gate)(ctx), 0);
        if (exchanges && step->state == EWI_FUSED_INADMISSIBLE)
            EWI_K(pass_on)(call, EWI_K(interface_place)(call, grid_block), step->ghosts);
        return;
    }
    for (int mine = 0; ctx->limits_on_load && mine < EWI_PRIVATE; mine++)
        own[mine].limiter_pending = step->limiter_pending;
    EWI_NO_UNROLL for (int iteration = 0; EWI_K(place_at)(ctx, iteration) < call->blocks; iteration++)
    {
        if (exchanges && EWI_K(is_interface)(call, EWI_K(place_at)(ctx, iteration)))
            EWI_K(await_ghosts)(call, EWI_K(description)(ctx, iteration), step->ghosts);
        EWI_K(take_block)(ctx, iteration, own);
        int again = ewi_recompute(iteration); /* so that no register keeps what is known of the place */
        if (exchanges && EWI_K(is_interface)(call, EWI_K(place_at)(ctx, again)))
            EWI_K(send)(call, EWI_K(description)(ctx, iteration), step->ghosts);
    }
    if (call->ends)
        EWI_K(leave_speed)(ctx, step->odd, own);
}

#include "stage_kernels.h"
#endif
