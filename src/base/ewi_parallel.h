/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loops whose items several threads divide among them: setting up, sampling, norms, pictures. The threads are teams
 * (ewi_team.h) that sleep between two loops and serve all objects of the process. A loop within a loop, or within a
 * parallel region of the host's, stays with the thread that calls it.
 */
#ifndef EWI_PARALLEL_H
#define EWI_PARALLEL_H

#include <stdint.h>

/* Does items first .. last - 1. */
typedef void ewi_items(void *context, int64_t first, int64_t last);

/* Loops over more elements, edges or slots than these, of a set-up, are worth waking other threads for. */
enum { EWI_MANY = 20000 };
/* Loops over more values than these, of which each takes tens of nanoseconds, too. */
enum { EWI_FEW = 2048 };

/*
 * Each thread does one contiguous share of `count` items, the same one of any array: pages lie where they are used.
 * Loops over `few` items or less stay with the caller.
 */
void ewi_parallel_shares(int64_t count, int64_t few, ewi_items *items, void *context);

/* Parts of `part` items go to whoever is free, `threads` at most (0: as many as OpenMP would take). */
void ewi_parallel_parts(int threads, int64_t count, int64_t part, ewi_items *items, void *context);

#endif
