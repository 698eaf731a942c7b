/* SPDX-License-Identifier: BSD-2-Clause */
/* A barrier whose threads spin briefly and then sleep. OpenMP's spins on while other programs need the core. */
#define _GNU_SOURCE /* for syscall */
#include "ewi_team.h"

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#ifdef __linux__
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <sched.h>
#endif

enum { PAUSES = 64 };
#define SPIN_SECONDS 50e-6 /* about the time to sleep and wake, and negligible next to a time slice */

double ewi_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void sleep_while(_Atomic uint32_t *word, uint32_t value)
{
#ifdef __linux__
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
#else
    (void)word, (void)value;
    sched_yield();
#endif
}

static void wake_all(_Atomic uint32_t *word)
{
#ifdef __linux__
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#else
    (void)word;
#endif
}

static void pause_shortly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/*
 * A thread that yielded its core in place of sleeping would get it back a whole time slice later, and be nine times
 * slower.
 */
static bool changes_soon(_Atomic uint32_t *word, uint32_t value)
{
    double begun = ewi_seconds();
    do {
        for (int k = 0; k < PAUSES; k++) {
            if (atomic_load_explicit(word, memory_order_acquire) != value)
                return true;
            pause_shortly();
        }
    } while (ewi_seconds() - begun < SPIN_SECONDS);
    return false;
}

static void wait_while(struct ewi_thread *thread, _Atomic uint32_t *word, uint32_t value)
{
    if (changes_soon(word, value))
        return;
    double begun = ewi_seconds();
    atomic_fetch_add(&thread->barrier->asleep, 1);
    while (atomic_load(word) == value)
        sleep_while(word, value);
    atomic_fetch_sub(&thread->barrier->asleep, 1);
    thread->slept += ewi_seconds() - begun;
}

static void change(struct ewi_barrier *barrier, _Atomic uint32_t *word)
{
    atomic_fetch_add(word, 1);
    if (atomic_load(&barrier->asleep) > 0)
        wake_all(word);
}

void ewi_barrier_reset(struct ewi_barrier *barrier)
{
    atomic_store(&barrier->arrived, 0);
    atomic_store(&barrier->opened, 0);
    atomic_store(&barrier->largest[0], 0);
    atomic_store(&barrier->largest[1], 0);
}

uint64_t ewi_team_max(struct ewi_thread *thread, uint64_t value)
{
    if (thread->size == 1)
        return value;
    struct ewi_barrier *barrier = thread->barrier;
    uint32_t number = thread->waits++;
    _Atomic uint64_t *largest = &barrier->largest[number % 2];
    uint64_t known = atomic_load_explicit(largest, memory_order_relaxed);
    while (known < value &&
           !atomic_compare_exchange_weak_explicit(largest, &known, value, memory_order_relaxed, memory_order_relaxed))
        ;
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 == (uint32_t)thread->size) {
        atomic_store_explicit(&barrier->largest[1 - number % 2], 0, memory_order_relaxed); /* all have read it */
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        change(barrier, &barrier->opened);
    } else {
        wait_while(thread, &barrier->opened, number);
    }
    return atomic_load_explicit(largest, memory_order_relaxed);
}

bool ewi_team_any(struct ewi_thread *thread, bool value)
{
    return ewi_team_max(thread, value) != 0;
}

void ewi_team_wait(struct ewi_thread *thread)
{
    ewi_team_max(thread, 0);
}

struct ewi_share ewi_team_share(const struct ewi_thread *thread, int64_t count)
{
    int64_t part = count / thread->size, rest = count % thread->size, number = thread->number;
    int64_t first = number * part + (number < rest ? number : rest);
    return (struct ewi_share){first, first + part + (number < rest)};
}
