/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads that stay: those of a solver from its creation to its end, and through all passes over the mesh of a call.
 * They are no threads of OpenMP's, since those spin for milliseconds at the end of each parallel region and in each
 * barrier, unless OpenMP was told otherwise before the program began; where other programs use the cores, that takes as
 * long as the others like. A team's threads spin shortly and sleep then, between two calls, too.
 */
#ifndef EWI_TEAM_H
#define EWI_TEAM_H

#include "edgewise.h"

#include <stdbool.h>
#include <stdint.h>

struct ewi_team;

/*
 * A thread in a call. Number 0 is the caller's. All of a team call ewi_team_max, ewi_team_any and ewi_team_wait alike.
 */
struct ewi_member {
    int number, size; /* size: of the threads there are */
    struct ewi_team *team;
    uint32_t waits;
    double slept; /* seconds in all */
};

/*
 * NULL: there is no memory. Where the system gives fewer threads, the team is smaller. Calls are made by one thread at
 * a time.
 */
struct ewi_team *ewi_team_create(const ew_host *host, int threads);
void ewi_team_destroy(struct ewi_team *team);
/* In a child of fork, which has none of the threads: frees the memory. */
void ewi_team_forget(struct ewi_team *team);
int ewi_team_size(const struct ewi_team *team);

/*
 * Has all threads call `work`, and waits until all have returned. From within a parallel region of the host's, whose
 * threads have the cores already, the caller is alone.
 */
void ewi_team_run(struct ewi_team *team, void (*work)(struct ewi_member *member, void *context), void *context);

/* Waits until all are here. Returns the largest value that one has brought. */
uint64_t ewi_team_max(struct ewi_member *member, uint64_t value);
bool ewi_team_any(struct ewi_member *member, bool value);
void ewi_team_wait(struct ewi_member *member);

/* Of `count` items those that are this member's: first .. last - 1. */
struct ewi_share {
    int64_t first, last;
};
struct ewi_share ewi_team_share(const struct ewi_member *member, int64_t count);

/*
 * The share of the time in which the threads could have run and did not, since others had their cores: of the calls
 * since it was last known, once these took `least` seconds. < 0: not yet known, or the system does not tell.
 */
double ewi_team_lost(struct ewi_team *team, double least);

double ewi_seconds(void);

#endif
