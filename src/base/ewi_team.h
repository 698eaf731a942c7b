/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Persistent threads: a solver keeps its team from its creation to its end. OpenMP's threads would spin for
 * milliseconds at the end of each parallel region and in each barrier, unless the environment says otherwise, and wait
 * even longer if other programs use the cores. A team's threads spin briefly and then sleep, also between two calls.
 */
#ifndef EWI_TEAM_H
#define EWI_TEAM_H

#include "edgewise.h"

#include <stdbool.h>
#include <stdint.h>

struct ewi_team;

/*
 * A thread in a call. Number 0 is the caller's. All members must make the same calls of ewi_team_max, ewi_team_any and
 * ewi_team_wait.
 */
struct ewi_member {
    int number, size; /* size: the number of threads */
    struct ewi_team *team;
    uint32_t waits;
    double slept; /* seconds in all */
};

/*
 * NULL: no memory. If the system grants fewer threads, the team is smaller. Only one thread at a time may call a team.
 */
struct ewi_team *ewi_team_create(const ew_host *host, int threads);
void ewi_team_destroy(struct ewi_team *team);
/* Frees the memory in a child of fork, which has none of the threads. */
void ewi_team_forget(struct ewi_team *team);
int ewi_team_size(const struct ewi_team *team);

/*
 * All threads call `work`; waits until all have returned. Within a parallel region of the host's, whose threads have
 * the cores already, the caller works alone.
 */
void ewi_team_run(struct ewi_team *team, void (*work)(struct ewi_member *member, void *context), void *context);

/* Waits for all members. Returns the largest of their values. */
uint64_t ewi_team_max(struct ewi_member *member, uint64_t value);
bool ewi_team_any(struct ewi_member *member, bool value);
void ewi_team_wait(struct ewi_member *member);

/* This member's share of `count` items: first .. last - 1. */
struct ewi_share {
    int64_t first, last;
};
struct ewi_share ewi_team_share(const struct ewi_member *member, int64_t count);

/*
 * The share of time that the threads lost to other programs on their cores, in the calls since the last answer, once
 * these took `least` seconds. Negative: not yet known, or the system does not report it.
 */
double ewi_team_lost(struct ewi_team *team, double least);

double ewi_seconds(void);

#endif
