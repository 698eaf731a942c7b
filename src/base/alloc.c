/* SPDX-License-Identifier: BSD-2-Clause */
/* Zeroed memory, copies of texts, and arenas. Several threads zero a large array. */
#include "ewi_host.h"
#include "ewi_parallel.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void zero(void *bytes, int64_t first, int64_t last)
{
    memset((char *)bytes + first, 0, (size_t)(last - first));
}

void *ewi_alloc(const ew_host *host, size_t count, size_t size)
{
    void *pointer = ewi_alloc_untouched(host, count, size);
    /*
     * The system hands pages out one by one at the first touch of each: a second's work for the arrays of a large mesh.
     */
    if (pointer)
        ewi_parallel_shares((int64_t)(count * size), (int64_t)8 << 20, zero, pointer);
    return pointer;
}

char *ewi_strdup(const ew_host *host, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = ewi_alloc(host, bytes, 1);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

struct ewi_piece {
    struct ewi_piece *next;
    max_align_t bytes[];
};

void *ewi_arena_alloc(struct ewi_arena *arena, size_t count, size_t size)
{
    bool fits = size == 0 || count <= SIZE_MAX / 2 / size;
    struct ewi_piece *piece = fits ? ewi_alloc(&arena->host, 1, sizeof *piece + count * size) : NULL;
    if (!piece) {
        arena->lacks = true;
        return NULL;
    }
    piece->next = arena->pieces;
    arena->pieces = piece;
    return piece->bytes;
}

char *ewi_arena_strdup(struct ewi_arena *arena, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = ewi_arena_alloc(arena, bytes, 1);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

void ewi_arena_free(struct ewi_arena *arena)
{
    while (arena->pieces) {
        struct ewi_piece *piece = arena->pieces;
        arena->pieces = piece->next;
        ewi_free(&arena->host, piece);
    }
}
