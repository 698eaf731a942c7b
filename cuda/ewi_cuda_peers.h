/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels of parts of a case write into the memory of other GPUs, and wait for words that others write here. A place
 * holds EWI_NOT_SENT until its number arrives, so each number is its own flag, and senders need neither fences nor
 * notifications. Kernels wait for kernels of other parts, which run at the same time and wait in the same order, so
 * there is no deadlock; a failed part is given up after a timeout.
 *
 * Without levels of time steps, the ghost layer has four buffers in rotation. The receiver of message n clears the
 * buffer of message n - 1, which is no longer read. The sender of message n + 1 has received some of each neighbour's
 * message n, so the neighbours' earlier kernels, which cleared the buffer of message n - 3, are complete, and it may
 * write there.
 */
#ifndef EWI_CUDA_PEERS_H
#define EWI_CUDA_PEERS_H

#include "ewi_cuda_threads.h"
#include "ewi_math.h"

#ifdef EWI_CUDA_ON_HOST /* where a look takes a time slice */
#define EWI_MOST_SECONDS_LATE 10
#define EWI_PROMPT 16
#else
#define EWI_MOST_SECONDS_LATE 30
#define EWI_PROMPT 1024 /* polls of a word before the check for a failed sender, which takes longer */
#endif

/* ---- words that other GPUs write --------------------------------------------------------------------------------- */

#define EWI_NOT_SENT ((uint64_t)EWI_HALF_NOT_SENT << 32 | EWI_HALF_NOT_SENT)

#ifdef EWI_CUDA_ON_HOST

#include <sched.h>
#include <time.h>

typedef uint64_t __attribute__((may_alias)) ewi_word;

EWI_DEVICE void ewi_put(void *word, uint64_t value) { __atomic_store_n((ewi_word *)word, value, __ATOMIC_RELEASE); }
EWI_DEVICE uint64_t ewi_seen(const void *word) { return __atomic_load_n((const ewi_word *)word, __ATOMIC_ACQUIRE); }
EWI_DEVICE void ewi_fence(void) {}
EWI_DEVICE void ewi_rest(void) { sched_yield(); }
EWI_DEVICE uint64_t ewi_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
EWI_DEVICE void ewi_add(uint64_t *count, uint64_t more) { *count += more; } /* blocks are run one after the other */

#else

EWI_DEVICE void ewi_put(void *word, uint64_t value) { *(volatile uint64_t *)word = value; }
EWI_DEVICE uint64_t ewi_seen(const void *word) { return *(const volatile uint64_t *)word; }
EWI_DEVICE void ewi_fence(void) { asm volatile("membar.gl;" ::: "memory"); }
EWI_DEVICE void ewi_rest(void) {}
EWI_DEVICE uint64_t ewi_nanoseconds(void)
{
    uint64_t now = 0;
#if defined(__CUDACC__) /* the paper's card has no such clock, and no parts */
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
#endif
    return now;
}
EWI_DEVICE void ewi_add(uint64_t *count, uint64_t more)
{
    asm volatile("red.global.add.u64 [%0], %1;" ::"l"(count), "l"(more) : "memory");
}

#endif

/* Sends a number. EWI_NOT_SENT itself becomes another NaN, so that the receiver sees that it has arrived. */
EWI_DEVICE void ewi_send(double *to, double value)
{
    uint64_t bits = ewi_to_bits(value);
    ewi_put(to, bits == EWI_NOT_SENT ? bits + 1 : bits);
}

/* True if the sender may still write. */
EWI_DEVICE int ewi_may_come(const struct ewi_cuda_head *head, uint64_t begun)
{
    return ((const volatile int64_t *)head->trail)[EWI_TRAIL_LEAVES] == 0 &&
           ((const volatile struct ewi_clock *)head->clock)->state != EWI_CLOCK_LEFT &&
           ewi_nanoseconds() - begun <= EWI_MOST_SECONDS_LATE * (uint64_t)1000000000;
}

/* Ends the time loop here: another part does not answer. */
EWI_DEVICE void ewi_leave(const struct ewi_cuda_head *head)
{
    struct ewi_clock clock = *head->clock;
    clock.state = EWI_CLOCK_LEFT;
    *head->clock = head->device_clock->clock = clock;
    head->device_clock->due = 0;
}

/* Waits for a word and returns it; returns EWI_NOT_SENT after a timeout, or if the sender has failed. */
EWI_DEVICE uint64_t ewi_await(const struct ewi_cuda_head *head, const void *place)
{
    uint64_t begun = 0, bits;
    for (int polls = 1; (bits = ewi_seen(place)) == EWI_NOT_SENT; polls++) {
        if (polls % EWI_PROMPT == 0) {
            begun = begun == 0 ? ewi_nanoseconds() : begun;
            if (!ewi_may_come(head, begun)) {
                ewi_leave(head);
                return EWI_NOT_SENT;
            }
        }
        ewi_rest();
    }
    return bits;
}

/* The word of rank `of` in the flags of rank `to`. */
EWI_DEVICE uint64_t *ewi_flag(const struct ewi_cuda_peers *peers, int32_t to, enum ewi_cuda_flag what, int32_t of)
{
    return peers->flags[to] + EWI_FLAG_RANKS + (int64_t)what * peers->ranks + of;
}

/*
 * The ghost buffer that its owners filled last: its number follows from how often this part has sent its whole
 * interface. A send in progress does not count before its last number.
 */
EWI_DEVICE double *ewi_ghost_buffer(const struct ewi_cuda_peers *peers)
{
    uint64_t times = peers->flags[peers->rank][EWI_FLAG_SENT] / (uint64_t)peers->sends;
    return peers->ghosts + (int64_t)(times % EWI_GHOST_BUFFERS) * peers->stride;
}

/* Offset from a ghost buffer to the one before it, and to the one after it. */
EWI_DEVICE int64_t ewi_to_previous_buffer(const struct ewi_cuda_peers *peers, const double *ghosts)
{
    return ghosts == peers->ghosts ? (EWI_GHOST_BUFFERS - 1) * peers->stride : -peers->stride;
}
EWI_DEVICE int64_t ewi_next_buffer(const struct ewi_cuda_peers *peers, const double *ghosts)
{
    int64_t place = ghosts - peers->ghosts + peers->stride;
    return place < EWI_GHOST_BUFFERS * peers->stride ? place : 0;
}

/* Counts the numbers that the threads of a block have sent. All of them must have found the ghost buffer before. */
EWI_DEVICE void ewi_has_sent(const struct ewi_cuda_peers *peers, int64_t numbers)
{
    ewi_add(peers->flags[peers->rank] + EWI_FLAG_SENT, (uint64_t)numbers);
}

#endif
