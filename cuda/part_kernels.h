/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels of a part of a case (parts.c): what goes through the hosts is packed by pack_rim and unpacked by fill_ring;
 * send_rim writes it into the memory of other GPUs, where take_ring puts it into the state, and vote decides with them.
 * Stages of the fused set may do so by themselves (ewi_cuda_post.h).
 */
#ifndef EWI_PART_KERNELS_H
#define EWI_PART_KERNELS_H

#include "ewi_cuda_post.h"

/* ---- rims and rings ---------------------------------------------------------------------------------------------- */

/* Where a row of an element lies in a state, in the fused set's order. */
EWI_DEVICE int64_t row_of(const struct ewi_cuda_call *call, int64_t element, int64_t row)
{
    int64_t rows = call->variables * call->np;
    int j = (int)(row % call->np);
    return element / EWI_TILE * (EWI_TILE * rows) + ewi_fused_row(call->matrix, call->variables, call->np,
                                                                  (int)(row / call->np), j / 4, j % 4,
                                                                  (int)(element % EWI_TILE));
}

/* ... the i-th number of all packed elements. */
EWI_DEVICE int64_t row_of_packed(const struct ewi_cuda_call *call, int64_t i)
{
    int64_t rows = call->variables * call->np, k = i / rows;
    return row_of(call, call->rim ? call->rim[k] : call->elements + k, i % rows);
}

EWI_DEVICE void pack_rim_of(const struct ewi_cuda_call *call, int64_t block, int64_t i)
{
    (void)block;
    if (i < call->packs * call->variables * call->np)
        call->packed[i] = call->target[row_of_packed(call, i)];
}
EWI_THREAD_KERNEL(pack_rim, pack_rim_of)

EWI_DEVICE void fill_ring_of(const struct ewi_cuda_call *call, int64_t block, int64_t i)
{
    (void)block;
    if (i < call->packs * call->variables * call->np)
        call->target[row_of_packed(call, i)] = call->packed[i];
}
EWI_THREAD_KERNEL(fill_ring, fill_ring_of)

EWI_DEVICE void send_rim_of(const struct ewi_cuda_call *call, int64_t block)
{
    const struct ewi_cuda_post *post = &call->post;
    int64_t rows = call->variables * call->np, doubles = call->packs * rows;
    if (call->clock->state != EWI_CLOCK_RUNNING)
        return;
    int64_t place = ewi_next_place(post);
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int64_t i = block * EWI_CUDA_BLOCK + ewi_thread(mine);
        if (i < doubles) {
            struct ewi_cuda_parcel parcel = post->parcel[i / rows];
            parcel.tile[place + row_of(call, parcel.item, i % rows)] =
                call->target[row_of(call, parcel.element, i % rows)];
        }
    }
    EWI_BARRIER;
    if (EWI_FIRST_THREAD)
        ewi_has_sent(post);
}
EWI_KERNEL(send_rim, send_rim_of)

EWI_DEVICE void take_ring_of(const struct ewi_cuda_call *call, int64_t block)
{
    EWI_SHARED const double *ring;
    int64_t first = row_of(call, call->elements / EWI_TILE * EWI_TILE, 0);
    if (call->clock->state != EWI_CLOCK_RUNNING)
        return;
    if (EWI_FIRST_THREAD)
        ring = ewi_ring(call);
    EWI_BARRIER;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int64_t i = block * EWI_CUDA_BLOCK + ewi_thread(mine);
        if (i < call->packs * call->variables * call->np) {
            int64_t row = row_of_packed(call, i);
            call->target[row] = ewi_sent(ring + (row - first));
        }
    }
}
EWI_KERNEL(take_ring, take_ring_of)

/* ---- votes ------------------------------------------------------------------------------------------------------- */

/* The largest of all parts' votes and changes; 0: some have not voted. */
EWI_DEVICE int exchange_votes(const struct ewi_cuda_call *call, uint64_t *vote, uint64_t *change)
{
    const struct ewi_cuda_post *post = &call->post;
    uint64_t *own = post->mails[post->rank], votes = own[EWI_MAIL_VOTES];
    enum ewi_cuda_mail votes_at = votes & 1 ? EWI_MAIL_ODD_VOTE : EWI_MAIL_EVEN_VOTE,
                       changes_at = votes & 1 ? EWI_MAIL_ODD_CHANGE : EWI_MAIL_EVEN_CHANGE;
    int all = 1;
    for (int32_t r = 0; r < post->ranks; r++) {
        *(volatile uint64_t *)ewi_mail(post, r, votes_at, post->rank) = *vote;
        *(volatile uint64_t *)ewi_mail(post, r, changes_at, post->rank) = *change;
    }
    ewi_fence();
    for (int32_t r = 0; r < post->ranks; r++)
        ewi_show(ewi_mail(post, r, EWI_MAIL_VOTED, post->rank), votes + 1);
    own[EWI_MAIL_VOTES] = votes + 1;
    for (int32_t r = 0; r < post->ranks && all; r++) {
        all = ewi_await(call, ewi_mail(post, post->rank, EWI_MAIL_VOTED, r), votes + 1);
        uint64_t other = ewi_seen(ewi_mail(post, post->rank, votes_at, r)),
                 changed = ewi_seen(ewi_mail(post, post->rank, changes_at, r));
        *vote = other > *vote ? other : *vote;
        *change = changed > *change ? changed : *change;
    }
    return all;
}

EWI_DEVICE uint64_t own_vote(const struct ewi_cuda_call *call, const struct ewi_clock *clock, double largest)
{
    const struct ewi_cuda_turn *turn = call->turn;
    int at = call->ends ? (int)(clock->steps & 3) : EWI_CUDA_GIVEN_AT_START;
    union {
        uint64_t bits;
        double value;
    } speed;
    speed.value = largest;
    if (call->ends)
        speed.bits = turn->fastest[clock->steps % 2];
    if (call->program)
        speed.value = ewi_cuda_faster(speed.value, turn->given[at]);
    return ewi_clock_vote(call->ends ? clock->stage : 0, speed.value < clock->floor ? clock->floor : speed.value);
}

/* One block: at the end of a step, or before the first one, where each part finds a broken boundary by itself. */
EWI_DEVICE void vote_of(const struct ewi_cuda_call *call, int64_t block)
{
    EWI_SHARED double largest[EWI_CUDA_BLOCK];
    (void)block;
    ewi_await_previous();
    ewi_next_may_begin();
    if (call->clock->state != EWI_CLOCK_RUNNING)
        return;
    all_blocks_maximum(largest, call->partial, call->partials);
    if (!EWI_FIRST_THREAD)
        return;
    struct ewi_clock clock = *call->clock;
    double speed;
    union {
        double value;
        uint64_t bits;
    } change;
    change.value = largest[0];
    uint64_t vote = own_vote(call, &clock, largest[0]);
    call->post.mails[call->post.rank][EWI_MAIL_BROKEN] = (uint64_t)clock.stage;
    if (!exchange_votes(call, &vote, &change.bits)) {
        ewi_leave(call);
    } else if (!ewi_clock_decide(&clock, vote, &speed)) {
        *call->clock = call->turn->clock = clock;
        call->turn->due = 0;
    } else if (call->ends) {
        call->turn->fastest[clock.steps % 2] = vote;
        if (call->partials > 0)
            call->partial[0] = change.value;
    } else {
        call->clock->stage = 0;
        call->partial[0] = speed;
    }
}
EWI_KERNEL(vote, vote_of)

#endif
