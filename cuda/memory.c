/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory of members of an ensemble. The driver takes and releases memory only when the whole device is idle, or waits
 * for that, while other members step. So a member's arrays lie in a few chunks, and these, like its page-locked memory,
 * are the next member's when it has gone.
 */
#include "ewi_cuda.h"
#include "ewi_host.h"

struct ewi_cuda_chunk {
    struct ewi_cuda_chunk *next;
    cu_address address;
    size_t bytes, used;
};

/* At the begin of page-locked memory that nobody uses. */
struct ewi_cuda_pages {
    struct ewi_cuda_pages *next;
    size_t bytes;
};

enum { ALIGNMENT = 256, LEAST_CHUNK = 4 << 20 };

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void lock(const struct ewi_cuda *owner)
{
    pthread_mutex_lock(&owner->pool->lock);
}

static void unlock(const struct ewi_cuda *owner)
{
    pthread_mutex_unlock(&owner->pool->lock);
}

/* ---- chunks ---- */

/* A spare chunk of at least so many bytes, and not of many more; NULL: there is none. */
static struct ewi_cuda_chunk *take_spare(struct ewi_cuda *owner, size_t bytes)
{
    lock(owner);
    struct ewi_cuda_chunk **at = &owner->pool->chunk, *found;
    while (*at && ((*at)->bytes < bytes || (*at)->bytes / 2 > bytes))
        at = &(*at)->next;
    found = *at;
    if (found)
        *at = found->next;
    unlock(owner);
    return found;
}

static void release_chunks(struct ewi_cuda *owner)
{
    lock(owner);
    for (struct ewi_cuda_chunk *chunk = owner->pool->chunk, *next; chunk; chunk = next) {
        next = chunk->next;
        owner->driver.release(chunk->address);
        ewi_free(&owner->host, chunk);
    }
    owner->pool->chunk = NULL;
    unlock(owner);
}

static cu_result make_chunk(struct ewi_cuda *owner, size_t bytes, struct ewi_cuda_chunk **made)
{
    struct ewi_cuda_chunk *chunk = ewi_alloc(&owner->host, 1, sizeof *chunk);
    if (!chunk)
        return CU_OUT_OF_MEMORY;
    *chunk = (struct ewi_cuda_chunk){.bytes = bytes};
    cu_result result = owner->driver.allocate(&chunk->address, bytes);
    if (result == CU_OUT_OF_MEMORY) {
        release_chunks(owner);
        result = owner->driver.allocate(&chunk->address, bytes);
    }
    if (result == 0)
        *made = chunk;
    else
        ewi_free(&owner->host, chunk);
    return result;
}

cu_result ewi_cuda_take(struct ewi_cuda *cuda, cu_address *address, size_t bytes)
{
    if (!cuda->owner)
        return cuda->driver.allocate(address, bytes);
    struct ewi_cuda_chunk *chunk = cuda->chunk;
    while (chunk && chunk->bytes - chunk->used < bytes)
        chunk = chunk->next;
    if (!chunk) {
        size_t wanted = bytes > LEAST_CHUNK ? aligned(bytes) : LEAST_CHUNK;
        cu_result result = 0;
        chunk = take_spare(cuda->owner, wanted);
        if (!chunk)
            result = make_chunk(cuda->owner, wanted, &chunk);
        if (result != 0)
            return result;
        chunk->next = cuda->chunk;
        chunk->used = 0;
        cuda->chunk = chunk;
    }
    *address = chunk->address + chunk->used;
    chunk->used += aligned(bytes) < chunk->bytes - chunk->used ? aligned(bytes) : chunk->bytes - chunk->used;
    return 0;
}

void ewi_cuda_give(struct ewi_cuda *cuda, cu_address address)
{
    if (!cuda->owner)
        cuda->driver.release(address);
}

void ewi_cuda_give_chunks(struct ewi_cuda *cuda)
{
    struct ewi_cuda_chunk *last = cuda->chunk;
    if (!last)
        return;
    cuda->driver.stream_wait(cuda->stream);
    while (last->next)
        last = last->next;
    lock(cuda->owner);
    last->next = cuda->owner->pool->chunk;
    cuda->owner->pool->chunk = cuda->chunk;
    unlock(cuda->owner);
    cuda->chunk = NULL;
}

/* ---- page-locked memory ---- */

static size_t size_of_pages(size_t bytes)
{
    return bytes > sizeof(struct ewi_cuda_pages) ? bytes : sizeof(struct ewi_cuda_pages);
}

cu_result ewi_cuda_take_pages(struct ewi_cuda *cuda, void **pointer, size_t bytes)
{
    size_t size = size_of_pages(bytes);
    struct ewi_cuda_pages *found = NULL;
    if (cuda->owner) {
        lock(cuda->owner);
        struct ewi_cuda_pages **at = &cuda->owner->pool->pages;
        while (*at && (*at)->bytes != size)
            at = &(*at)->next;
        found = *at;
        if (found)
            *at = found->next;
        unlock(cuda->owner);
    }
    if (!found)
        return cuda->driver.host_allocate(pointer, size, CU_HOST_MAPPED);
    *pointer = found;
    return 0;
}

void ewi_cuda_give_pages(struct ewi_cuda *cuda, void *pointer, size_t bytes)
{
    struct ewi_cuda_pages *pages = pointer;
    if (!cuda->owner) {
        cuda->driver.host_release(pointer);
        return;
    }
    lock(cuda->owner);
    *pages = (struct ewi_cuda_pages){.next = cuda->owner->pool->pages, .bytes = size_of_pages(bytes)};
    cuda->owner->pool->pages = pages;
    unlock(cuda->owner);
}

/* ---- the owner's ---- */

void ewi_cuda_release_pool(struct ewi_cuda *owner)
{
    release_chunks(owner);
    for (struct ewi_cuda_pages *pages = owner->pool->pages, *next; pages; pages = next) {
        next = pages->next;
        owner->driver.host_release(pages);
    }
    owner->pool->pages = NULL;
}
