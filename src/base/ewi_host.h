/* SPDX-License-Identifier: BSD-2-Clause */
/* The host's allocator and logger. Every object keeps its own copy of ew_host. */
#ifndef EWI_HOST_H
#define EWI_HOST_H

#include "edgewise.h"

#include <stdbool.h>

/* The host with the C library in place of what is NULL. */
ew_host ewi_host_or_default(const ew_host *host);

/*
 * Zeroed memory for count objects, aligned to a cache line; NULL if there is none or the product overflows. count may
 * be 0.
 */
void *ewi_alloc(const ew_host *host, size_t count, size_t size);
/*
 * The same, not zeroed: on machines with several memories, an array's pages go to that of the thread that first touches
 * them.
 */
void *ewi_alloc_untouched(const ew_host *host, size_t count, size_t size);
void ewi_free(const ew_host *host, void *pointer);
char *ewi_strdup(const ew_host *host, const char *text);

/* Memory that is freed all at once. */
struct ewi_arena {
    ew_host host;
    struct ewi_piece *pieces;
    bool lacks; /* one of the calls below has returned NULL */
};
void *ewi_arena_alloc(struct ewi_arena *arena, size_t count, size_t size); /* zeroed; NULL: not enough memory */
char *ewi_arena_strdup(struct ewi_arena *arena, const char *text);
void ewi_arena_free(struct ewi_arena *arena);

void ewi_log(const ew_host *host, int level, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
