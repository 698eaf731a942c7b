/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What kernels of parts of a case write into the memory of other GPUs, and how they wait for what others write here.
 * They wait for kernels of other parts, which run at the same time and wait for others only in the same order, so
 * nobody waits for ever; a part that has failed is given up after a time. Who sends for the (n+1)-th time has what its
 * neighbours sent for the n-th one, so these have read what was sent before that: two places in turn do.
 */
#ifndef EWI_CUDA_POST_H
#define EWI_CUDA_POST_H

#include "ewi_cuda_threads.h"

#define EWI_MOST_SECONDS_LATE 30
#define EWI_PROMPT 1024 /* looks at a word before others are asked whether it can still come, which takes longer */

/* ---- words that other GPUs write --------------------------------------------------------------------------------- */

/* Who shows a word has fenced what it stands for. */
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
EWI_DEVICE void ewi_show(uint64_t *word, uint64_t value) { *(volatile uint64_t *)word = value; }
EWI_DEVICE uint64_t ewi_seen(const uint64_t *word)
{
    uint64_t value;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
#else
    value = *(const volatile uint64_t *)word;
    ewi_fence();
#endif
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

/* Whether whoever is to write something may still do so. */
EWI_DEVICE int ewi_may_come(const struct ewi_cuda_call *call, uint64_t begun)
{
    return ((const volatile int64_t *)call->trail)[EWI_TRAIL_LEAVES] == 0 &&
           ((const volatile struct ewi_clock *)call->clock)->state != EWI_CLOCK_LEFT &&
           ewi_nanoseconds() - begun <= EWI_MOST_SECONDS_LATE * (uint64_t)1000000000;
}

/* Until the word has reached a number; 0: it has not, after a long time, or whoever is to write it has failed. */
EWI_DEVICE int ewi_await(const struct ewi_cuda_call *call, const uint64_t *word, uint64_t number)
{
    uint64_t begun = 0;
    for (int looks = 0; ewi_seen(word) < number; looks++) {
        if (looks % EWI_PROMPT == EWI_PROMPT - 1) {
            begun = begun == 0 ? ewi_nanoseconds() : begun;
            if (!ewi_may_come(call, begun))
                return 0;
        }
        ewi_rest();
    }
    return 1;
}

/* The word of rank `of` in this rank's mail, or in `to`'s, for what: arrived, voted, vote, change. */
EWI_DEVICE uint64_t *ewi_mail(const struct ewi_cuda_post *post, int32_t to, enum ewi_cuda_mail what, int32_t of)
{
    return post->mails[to] + EWI_MAIL_RANKS + (int64_t)what * post->ranks + of;
}

/* Ends the time loop here: another part does not answer. */
EWI_DEVICE void ewi_leave(const struct ewi_cuda_call *call)
{
    struct ewi_clock clock = *call->clock;
    clock.state = EWI_CLOCK_LEFT;
    *call->clock = call->turn->clock = clock;
    call->turn->due = 0;
}

/* Where the ring is that its owners sent last; for one thread, which waits until it is there. */
EWI_DEVICE const double *ewi_ring(const struct ewi_cuda_call *call)
{
    const struct ewi_cuda_post *post = &call->post;
    uint64_t sent = post->mails[post->rank][EWI_MAIL_SENT];
    int all = 1;
    for (int32_t p = 0; p < post->peers && all; p++)
        all = ewi_await(call, ewi_mail(post, post->rank, EWI_MAIL_ARRIVED, post->peer[p]), sent);
    if (!all)
        ewi_leave(call);
    return post->ring + (int64_t)(sent & 1) * post->stride;
}

/* How far what is sent next lies behind an element's first place. */
EWI_DEVICE int64_t ewi_next_place(const struct ewi_cuda_post *post)
{
    return (int64_t)((post->mails[post->rank][EWI_MAIL_SENT] + 1) & 1) * post->stride;
}

/* A share has been sent, and this is one of the threads that did, behind a barrier; the last tells the neighbours. */
EWI_DEVICE void ewi_has_sent(const struct ewi_cuda_post *post)
{
    uint64_t *own = post->mails[post->rank], sent = own[EWI_MAIL_SENT] + 1;
    ewi_fence();
    if (ewi_is_last((uint32_t *)(own + EWI_MAIL_BLOCKS), (uint32_t)post->sends)) {
        own[EWI_MAIL_SENT] = sent;
        ewi_fence();
        for (int32_t p = 0; p < post->peers; p++)
            ewi_show(ewi_mail(post, post->peer[p], EWI_MAIL_ARRIVED, post->rank), sent);
    }
}

#endif
