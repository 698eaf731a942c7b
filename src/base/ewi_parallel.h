/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loops whose items several threads share: set-up, sampling, norms, pictures. The threads are teams (ewi_team.h) that
 * sleep between loops and serve all objects of the process. A loop within a loop, or within a parallel region of the
 * host's, stays with the calling thread.
 */
#ifndef EWI_PARALLEL_H
#define EWI_PARALLEL_H

#include <stdint.h>

/* Does items first .. last - 1. */
typedef void ewi_items(void *context, int64_t first, int64_t last);

/* Loops over more elements, edges or slots than these, of a set-up, are worth waking other threads for. */
enum { EWI_MANY = 20000 };
/* The same for loops over values that each take tens of nanoseconds. */
enum { EWI_FEW = 2048 };

/*
 * Each thread does one contiguous share of `count` items, always the same one, so pages lie where they are used. The
 * caller does loops over `few` items or less alone.
 */
void ewi_parallel_shares(int64_t count, int64_t few, ewi_items *items, void *context);

/* Free threads take parts of `part` items; at most `threads` threads (0: OpenMP's number). */
void ewi_parallel_parts(int threads, int64_t count, int64_t part, ewi_items *items, void *context);

#endif
