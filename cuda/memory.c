/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory of members of an ensemble. The driver allocates and releases device memory only when the whole device is idle,
 * while other members step. So a member's arrays lie in a few large chunks. When it ends, these and its page-locked
 * memory are kept for members that come later, as long as there are others.
 */
#include "ewi_cuda.h"
#include "ewi_host.h"

/* Device memory, of which `used` bytes are taken; without an address, page-locked memory that begins with this. */
struct ewi_cuda_chunk {
    struct ewi_cuda_chunk *next;
    cu_address address;
    size_t bytes, used;
};

enum { ALIGNMENT = 256, LEAST_CHUNK = 4 << 20 };

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* True if memory of a size does for a smaller one without much waste. */
static bool fits(size_t bytes, size_t wanted)
{
    return bytes >= wanted && bytes - wanted <= wanted / 4;
}

static void lock(const struct ewi_cuda *owner)
{
    pthread_mutex_lock(&owner->pool->lock);
}

static void unlock(const struct ewi_cuda *owner)
{
    pthread_mutex_unlock(&owner->pool->lock);
}

/* ---- spare memory ---- */

/* Takes a chunk from a list of the owner's pool; NULL: none fits. */
static struct ewi_cuda_chunk *take_spare(const struct ewi_cuda *owner, struct ewi_cuda_chunk **at, size_t wanted)
{
    lock(owner);
    while (*at && !fits((*at)->bytes, wanted))
        at = &(*at)->next;
    struct ewi_cuda_chunk *found = *at;
    if (found)
        *at = found->next;
    unlock(owner);
    return found;
}

void ewi_cuda_release_pool(struct ewi_cuda *owner)
{
    lock(owner);
    for (struct ewi_cuda_chunk *chunk = owner->pool->chunk, *next; chunk; chunk = next) {
        next = chunk->next;
        owner->driver.release(chunk->address);
        ewi_free(&owner->host, chunk);
    }
    for (struct ewi_cuda_chunk *pages = owner->pool->pages, *next; pages; pages = next) {
        next = pages->next;
        owner->driver.host_release(pages);
    }
    owner->pool->chunk = NULL;
    owner->pool->pages = NULL;
    unlock(owner);
}

/* Counts members that come or go. The pool of a last one is of no use. */
static void count_member(struct ewi_cuda *owner, int more)
{
    lock(owner);
    int members = owner->pool->members += more;
    unlock(owner);
    if (more < 0 && members <= 1)
        ewi_cuda_release_pool(owner);
}

/* ---- device memory ---- */

cu_result ewi_cuda_allocate_apart(struct ewi_cuda *cuda, cu_address *address, size_t bytes)
{
    struct ewi_cuda *owner = cuda->owner ? cuda->owner : cuda;
    cu_result result = cuda->driver.allocate(address, bytes);
    if (result != CU_OUT_OF_MEMORY || !owner->pool)
        return result;
    ewi_cuda_release_pool(owner);
    return cuda->driver.allocate(address, bytes);
}

static cu_result make_chunk(struct ewi_cuda *cuda, size_t bytes, struct ewi_cuda_chunk **made)
{
    struct ewi_cuda_chunk *chunk = ewi_alloc(&cuda->host, 1, sizeof *chunk);
    if (!chunk)
        return CU_OUT_OF_MEMORY;
    *chunk = (struct ewi_cuda_chunk){.bytes = bytes};
    cu_result result = ewi_cuda_allocate_apart(cuda, &chunk->address, bytes);
    if (result == 0)
        *made = chunk;
    else
        ewi_free(&cuda->host, chunk);
    return result;
}

/* A chunk of the member with room for so many bytes. */
static cu_result find_chunk(struct ewi_cuda *cuda, size_t bytes, struct ewi_cuda_chunk **found)
{
    size_t wanted = bytes > LEAST_CHUNK ? aligned(bytes) : LEAST_CHUNK;
    cu_result result = 0;
    for (*found = cuda->chunk; *found; *found = (*found)->next)
        if ((*found)->bytes - (*found)->used >= bytes)
            return 0;
    *found = take_spare(cuda->owner, &cuda->owner->pool->chunk, wanted);
    if (!*found)
        result = make_chunk(cuda, wanted, found);
    if (result != 0)
        return result;
    if (!cuda->chunk)
        count_member(cuda->owner, 1);
    (*found)->next = cuda->chunk;
    (*found)->used = 0;
    cuda->chunk = *found;
    return 0;
}

cu_result ewi_cuda_take(struct ewi_cuda *cuda, cu_address *address, size_t bytes)
{
    struct ewi_cuda_chunk *chunk = NULL;
    if (!cuda->owner)
        return cuda->driver.allocate(address, bytes);
    cu_result result = find_chunk(cuda, bytes, &chunk);
    if (result != 0)
        return result;
    size_t rest = chunk->bytes - chunk->used;
    *address = chunk->address + chunk->used;
    chunk->used += aligned(bytes) < rest ? aligned(bytes) : rest;
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
    count_member(cuda->owner, -1);
}

static void free_list(const ew_host *host, struct ewi_cuda_chunk **list)
{
    for (struct ewi_cuda_chunk *chunk = *list, *next; chunk; chunk = next) {
        next = chunk->next;
        ewi_free(host, chunk);
    }
    *list = NULL;
}

void ewi_cuda_forget_chunks(struct ewi_cuda *cuda)
{
    free_list(&cuda->host, &cuda->chunk);
    if (cuda->pool)
        free_list(&cuda->host, &cuda->pool->chunk);
}

/* ---- page-locked memory ---- */

static size_t size_of_pages(size_t bytes)
{
    return bytes > sizeof(struct ewi_cuda_chunk) ? bytes : sizeof(struct ewi_cuda_chunk);
}

cu_result ewi_cuda_take_pages(struct ewi_cuda *cuda, void **pointer, size_t bytes)
{
    size_t size = size_of_pages(bytes);
    *pointer = cuda->owner ? take_spare(cuda->owner, &cuda->owner->pool->pages, size) : NULL;
    if (*pointer)
        return 0;
    cu_result result = cuda->driver.host_allocate(pointer, size, CU_HOST_MAPPED);
    if (result == 0 || !cuda->owner)
        return result;
    ewi_cuda_release_pool(cuda->owner);
    return cuda->driver.host_allocate(pointer, size, CU_HOST_MAPPED);
}

void ewi_cuda_give_pages(struct ewi_cuda *cuda, void *pointer, size_t bytes)
{
    struct ewi_cuda_chunk *pages = pointer;
    if (!cuda->owner) {
        cuda->driver.host_release(pointer);
        return;
    }
    lock(cuda->owner);
    *pages = (struct ewi_cuda_chunk){.next = cuda->owner->pool->pages, .bytes = size_of_pages(bytes)};
    cuda->owner->pool->pages = pages;
    unlock(cuda->owner);
}
