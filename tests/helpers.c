/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers of C tests. */
#include "helpers.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void must(int status, const ew_error *error)
{
    if (status != EW_OK)
        bail_out("%s", error->message);
}

ew_formula *formula_from(const char *texts)
{
    char text[1024], *part[EW_MAX_VARIABLES];
    int parts = 0;
    ew_scope *scope;
    ew_formula *formula;
    ew_error error;
    strcpy(text, texts);
    for (char *next = strtok(text, ";"); next; next = strtok(NULL, ";"))
        part[parts++] = next;
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_formula_create(scope, parts, (const char *const *)part, &formula, &error), &error);
    ew_scope_destroy(scope);
    return formula;
}

ew_mesh *mesh_of_rectangle(ew_rectangle rectangle)
{
    const ew_side_part part[4] = {{"bottom", rectangle.x0, rectangle.x1}, {"right", rectangle.y0, rectangle.y1},
                                  {"top", rectangle.x0, rectangle.x1}, {"left", rectangle.y0, rectangle.y1}};
    for (int k = 0; k < 4; k++) {
        rectangle.side[k].parts = 1;
        rectangle.side[k].part = &part[k];
    }
    ew_mesh *mesh;
    ew_error error;
    must(ew_mesh_rectangle(NULL, &rectangle, &mesh, &error), &error);
    return mesh;
}

uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

double random_double(uint64_t *state)
{
    return (double)(splitmix64(state) >> 11) * 0x1p-52 - 1;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

uint64_t outflow_hash(ew_solver *solver)
{
    ew_mesh_info mesh;
    ew_solver_info info;
    ew_error error;
    uint64_t hash = 0;
    ew_solver_get_info(solver, &info);
    ew_mesh_get_info(info.mesh, &mesh);
    size_t count = (size_t)(mesh.boundary_edges * info.law->variables);
    double *outflow = calloc(count + 1, sizeof *outflow);
    int status = ew_solver_get_edge_outflow(solver, outflow, &error);
    for (size_t k = 0; status == EW_OK && k < count; k++) {
        uint64_t word;
        memcpy(&word, &outflow[k], sizeof word);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    free(outflow);
    if (info.outflow)
        must(status, &error);
    return hash;
}

static bool fails(struct memory *memory)
{
    long call = ++memory->calls;
    return memory->fail_at > 0 && (memory->once ? call == memory->fail_at : call >= memory->fail_at);
}

/* The size lies in front of the block, one alignment before it. */
static void *allocate(void *context, size_t alignment, size_t bytes)
{
    struct memory *memory = context;
    if (fails(memory))
        return NULL;
    if (alignment < sizeof(size_t[2]))
        bail_out("an alignment of %zu bytes was asked for", alignment);
    if ((alignment & (alignment - 1)) != 0)
        memory->misaligned = true;
    size_t whole = (alignment + bytes + alignment - 1) / alignment * alignment;
    char *block = aligned_alloc(alignment, whole);
    if (!block)
        return NULL;
    memset(block, 0xa5, whole);
    memcpy(block + alignment - sizeof(size_t[2]), (size_t[2]){alignment, bytes}, sizeof(size_t[2]));
    memory->blocks++;
    size_t held = atomic_fetch_add(&memory->bytes, bytes) + bytes, peak = memory->peak;
    while (held > peak && !atomic_compare_exchange_weak(&memory->peak, &peak, held))
        continue;
    return block + alignment;
}

static void release(void *context, void *pointer)
{
    struct memory *memory = context;
    size_t header[2];
    memcpy(header, (char *)pointer - sizeof header, sizeof header);
    memory->blocks--;
    memory->bytes -= header[1];
    free((char *)pointer - header[0]);
}

ew_host memory_host(struct memory *memory)
{
    return (ew_host){.allocate = allocate, .release = release, .context = memory};
}

void memory_allow(struct memory *memory, long allocations)
{
    memory->calls = 0;
    memory->fail_at = allocations < 0 ? 0 : allocations + 1;
}
