/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads that work together. A team is an OpenMP parallel region for each call: OpenMP makes, binds and counts its
 * threads. A gang has threads of its own, for the parts of a case, which OpenMP would not let use OpenMP in turn.
 *
 * Within a call threads meet at a barrier that spins briefly and then sleeps. OpenMP's own spins for milliseconds
 * unless the environment says otherwise, which takes the cores from other programs that use them.
 */
#ifndef EWI_TEAM_H
#define EWI_TEAM_H

#include "edgewise.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct ewi_barrier {
    _Alignas(64) _Atomic uint32_t arrived;
    _Atomic uint64_t largest[2]; /* at this barrier and, perhaps still to be read, at the one before */
    _Alignas(64) _Atomic uint32_t opened; /* the number of barriers that have opened, on which threads sleep */
    _Atomic uint32_t asleep;
};

/* A thread in a call, from number 0, the caller's. All threads make the same calls of ewi_team_max and others. */
struct ewi_thread {
    int number, size; /* size: the number of threads */
    struct ewi_barrier *barrier;
    uint32_t waits;
    double slept; /* seconds in all */
};

/* Between two calls, while no thread waits. */
void ewi_barrier_reset(struct ewi_barrier *barrier);
/* Waits for all threads. Returns the largest of their values. */
uint64_t ewi_team_max(struct ewi_thread *thread, uint64_t value);
bool ewi_team_any(struct ewi_thread *thread, bool value);
void ewi_team_wait(struct ewi_thread *thread);

/* This thread's share of `count` items: first .. last - 1. */
struct ewi_share {
    int64_t first, last;
};
struct ewi_share ewi_team_share(const struct ewi_thread *thread, int64_t count);

/* ---- OpenMP (team.c) ---- */

struct ewi_team;

/*
 * NULL: not enough memory. If the system grants fewer threads, the team is smaller. One thread at a time may call a
 * team.
 */
struct ewi_team *ewi_team_create(const ew_host *host, int threads);
void ewi_team_destroy(struct ewi_team *team);
int ewi_team_size(const struct ewi_team *team);
/*
 * All threads call `work`, in one parallel region; perhaps fewer than the team's size, as OpenMP decides, and within a
 * parallel region of the host's the caller alone.
 */
void ewi_team_run(struct ewi_team *team, void (*work)(struct ewi_thread *thread, void *context), void *context);
/*
 * The share of time that the threads lost to other programs on their cores, in the calls since the last answer, once
 * these took `least` seconds. Negative: not yet known, or the system does not report it.
 */
double ewi_team_lost(struct ewi_team *team, double least);
/*
 * A parallel region, whose threads all call `body`. It makes fork safe for this thread, and its other threads take no
 * signals.
 */
void ewi_parallel_region(int threads, void (*body)(void *context), void *context);

/* ---- threads of our own (gang.c) ---- */

struct ewi_gang;

/* NULL: not enough memory, or no threads. */
struct ewi_gang *ewi_gang_create(const ew_host *host, int size);
void ewi_gang_destroy(struct ewi_gang *gang);
/* In a child of fork the threads are made again; false: there are not enough. */
bool ewi_gang_run(struct ewi_gang *gang, void (*work)(struct ewi_thread *thread, void *context), void *context);
/* How many forks lie between this process and the one that asked first: threads that were made before are gone. */
unsigned ewi_forks(void);
/* A thread that takes no signals; false: there is none. */
bool ewi_thread_start(pthread_t *thread, void *(*run)(void *context), void *context);
/* As many threads as wanted, or as the system lets a process have. */
int ewi_threads_to_have(int wanted);

double ewi_seconds(void);

#endif
