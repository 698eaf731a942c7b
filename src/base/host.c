/* SPDX-License-Identifier: BSD-2-Clause */
/* The host's allocator and log. */
#include "ewi_host.h"
#include "ewi_error.h"
#include "ewi_parallel.h"
#include "ewi_text.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define CACHE_LINE 64
#define LARGE_PAGE ((size_t)2 << 20)
#define LARGE (2 * LARGE_PAGE) /* bytes of an array from which on it is put into large pages */

static void *default_allocate(void *context, size_t alignment, size_t bytes)
{
    (void)context;
    if (bytes >= LARGE)
        alignment = LARGE_PAGE;
    size_t rounded = bytes + alignment - 1;
    if (rounded < bytes)
        return NULL;
    rounded = rounded / alignment * alignment;
    void *pointer = aligned_alloc(alignment, rounded);
#ifdef MADV_HUGEPAGE
    /*
     * Kernels read a dozen arrays at once, and small pages of so many are slow to find. Where there are no large ones,
     * nothing is lost.
     */
    if (pointer && bytes >= LARGE)
        madvise(pointer, rounded, MADV_HUGEPAGE);
#endif
    return pointer;
}

static void default_release(void *context, void *pointer)
{
    (void)context;
    free(pointer);
}

ew_host ewi_host_or_default(const ew_host *host)
{
    ew_host result = host ? *host : (ew_host){0};
    if (!result.allocate || !result.release) {
        result.allocate = default_allocate;
        result.release = default_release;
    }
    return result;
}

static void zero(void *bytes, int64_t first, int64_t last)
{
    memset((char *)bytes + first, 0, (size_t)(last - first));
}

void *ewi_alloc_untouched(const ew_host *host, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - CACHE_LINE) / size)
        return NULL;
    size_t product = count * size, bytes = product > 0 ? product : 1;
    return host->allocate(host->context, CACHE_LINE, bytes);
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

void ewi_free(const ew_host *host, void *pointer)
{
    if (pointer)
        host->release(host->context, pointer);
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

void ewi_log(const ew_host *host, int level, const char *format, ...)
{
    if (!host->log)
        return;
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    ewi_vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    ewi_show_controls(sentence, sizeof sentence);
    host->log(host->context, level, sentence);
}

int ewi_fail(ew_error *error, int code, const char *format, ...)
{
    if (error) {
        error->code = code;
        va_list arguments;
        va_start(arguments, format);
        ewi_vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        ewi_show_controls(error->message, sizeof error->message);
    }
    return code;
}
