/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What parts of a case on GPUs send each other (parts.c): through the hosts, pack_rim and fill_ring; or directly, into
 * the memory of other GPUs, send_rim, take_ring and vote. The latter wait for kernels of other parts, which run at the
 * same time and wait for others only in the same order, so nobody waits for ever; a part that has failed is given up
 * after a time. Who sends for the (n+1)-th time has what its neighbours sent for the n-th one, so these have taken what
 * was sent before that: two places in turn do.
 */
#ifndef EWI_PART_KERNELS_H
#define EWI_PART_KERNELS_H

#include "ewi_cuda_threads.h"

#define EWI_MOST_SECONDS_LATE 30

/* ---- words that other GPUs write --------------------------------------------------------------------------------- */

#ifdef EWI_CUDA_ON_HOST

#include <sched.h>
#include <time.h>

EWI_DEVICE void ewi_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
EWI_DEVICE void ewi_show(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
EWI_DEVICE uint64_t ewi_seen(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
EWI_DEVICE double ewi_sent(const double *word) { return *word; }
EWI_DEVICE void ewi_rest(void) { sched_yield(); }
EWI_DEVICE uint64_t ewi_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Whether this is the last of so many blocks that count themselves here, which begins again with 0. */
EWI_DEVICE int ewi_is_last(uint32_t *counter, uint32_t blocks)
{
    *counter = *counter + 1 < blocks ? *counter + 1 : 0;
    return *counter == 0;
}

#else

EWI_DEVICE void ewi_fence(void) { asm volatile("membar.sys;" ::: "memory"); }
EWI_DEVICE void ewi_show(uint64_t *word, uint64_t value)
{
    ewi_fence();
    *(volatile uint64_t *)word = value;
}
EWI_DEVICE uint64_t ewi_seen(const uint64_t *word)
{
    uint64_t value = *(const volatile uint64_t *)word;
    ewi_fence();
    return value;
}
EWI_DEVICE double ewi_sent(const double *word) { return *(const volatile double *)word; }
EWI_DEVICE void ewi_rest(void) {}
EWI_DEVICE uint64_t ewi_nanoseconds(void)
{
    uint64_t now = 0;
#if defined(__CUDACC__) /* the paper's card has no such clock, and no parts */
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
#endif
    return now;
}
EWI_DEVICE int ewi_is_last(uint32_t *counter, uint32_t blocks)
{
    uint32_t before;
    asm volatile("atom.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(blocks - 1) : "memory");
    return before == blocks - 1;
}

#endif

/* Until the word has reached a number; 0: it has not, after a long time, or whoever is to write it has failed. */
EWI_DEVICE int ewi_await(const struct ewi_cuda_call *call, const uint64_t *word, uint64_t number)
{
    uint64_t begun = ewi_nanoseconds();
    while (ewi_seen(word) < number) {
        if (((const volatile int64_t *)call->trail)[EWI_TRAIL_LEAVES] != 0 ||
            ewi_nanoseconds() - begun > EWI_MOST_SECONDS_LATE * (uint64_t)1000000000)
            return 0;
        ewi_rest();
    }
    return 1;
}

/* ---- rims and rings ---------------------------------------------------------------------------------------------- */

/* Where a number of a packed element lies in a state, in the fused set's order. */
EWI_DEVICE int64_t row_of_packed(const struct ewi_cuda_call *call, int64_t i)
{
    int64_t rows = call->variables * call->np, k = i / rows;
    int row = (int)(i % rows), j = row % call->np;
    int64_t element = call->rim ? call->rim[k] : call->elements + k;
    return element / EWI_TILE * (EWI_TILE * rows) + ewi_fused_row(call->matrix, call->variables, call->np,
                                                                  row / call->np, j / 4, j % 4,
                                                                  (int)(element % EWI_TILE));
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

/* The word of rank `of` in this rank's mail, or in `to`'s, for what: arrived, voted, vote, change. */
EWI_DEVICE uint64_t *mail_of(const struct ewi_cuda_post *post, int32_t to, enum ewi_cuda_mail what, int32_t of)
{
    return post->mails[to] + EWI_MAIL_RANKS + (int64_t)what * post->ranks + of;
}

EWI_DEVICE void send_rim_of(const struct ewi_cuda_call *call, int64_t block)
{
    const struct ewi_cuda_post *post = &call->post;
    uint64_t *own = post->mails[post->rank];
    int64_t rows = call->variables * call->np, doubles = call->packs * rows;
    if (call->clock->state != EWI_CLOCK_RUNNING)
        return;
    uint64_t sent = own[EWI_MAIL_SENT];
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int64_t i = block * EWI_CUDA_BLOCK + ewi_thread(mine);
        if (i < doubles)
            post->to[i / rows][(int64_t)(sent & 1) * post->stride + i % rows] = call->target[row_of_packed(call, i)];
    }
    ewi_fence();
    EWI_BARRIER;
    uint32_t blocks = (uint32_t)((doubles + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK);
    if (EWI_FIRST_THREAD && ewi_is_last((uint32_t *)(own + EWI_MAIL_BLOCKS), blocks)) {
        own[EWI_MAIL_SENT] = sent + 1;
        for (int32_t p = 0; p < post->peers; p++)
            ewi_show(mail_of(post, post->peer[p], EWI_MAIL_ARRIVED, post->rank), sent + 1);
    }
}
EWI_KERNEL(send_rim, send_rim_of)

/* Ends the time loop here: another part does not answer. */
EWI_DEVICE void leave(const struct ewi_cuda_call *call)
{
    struct ewi_clock clock = *call->clock;
    clock.state = EWI_CLOCK_LEFT;
    *call->clock = call->turn->clock = clock;
    call->turn->due = 0;
}

EWI_DEVICE void take_ring_of(const struct ewi_cuda_call *call, int64_t block)
{
    EWI_SHARED int all;
    const struct ewi_cuda_post *post = &call->post;
    int64_t doubles = call->packs * call->variables * call->np;
    if (call->clock->state != EWI_CLOCK_RUNNING)
        return;
    uint64_t sent = post->mails[post->rank][EWI_MAIL_SENT];
    if (EWI_FIRST_THREAD) {
        all = 1;
        for (int32_t p = 0; p < post->peers && all; p++)
            all = ewi_await(call, mail_of(post, post->rank, EWI_MAIL_ARRIVED, post->peer[p]), sent);
        if (!all && block == 0)
            leave(call);
    }
    EWI_BARRIER;
    const double *packed = call->packed + (int64_t)((sent - 1) & 1) * post->stride;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int64_t i = block * EWI_CUDA_BLOCK + ewi_thread(mine);
        if (i < doubles && all)
            call->target[row_of_packed(call, i)] = ewi_sent(packed + i);
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
        *(volatile uint64_t *)mail_of(post, r, votes_at, post->rank) = *vote;
        *(volatile uint64_t *)mail_of(post, r, changes_at, post->rank) = *change;
        ewi_show(mail_of(post, r, EWI_MAIL_VOTED, post->rank), votes + 1);
    }
    own[EWI_MAIL_VOTES] = votes + 1;
    for (int32_t r = 0; r < post->ranks && all; r++) {
        all = ewi_await(call, mail_of(post, post->rank, EWI_MAIL_VOTED, r), votes + 1);
        uint64_t other = ewi_seen(mail_of(post, post->rank, votes_at, r)),
                 changed = ewi_seen(mail_of(post, post->rank, changes_at, r));
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
        leave(call);
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
