/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers of C tests: calls that must succeed, random numbers, checks of meshes, and a host that counts allocations. */
#ifndef HELPERS_H
#define HELPERS_H

#include "edgewise.h"
#include "tap.h"

/* Bails out with the error's sentence if a call that only prepares a check has failed. */
void must(int status, const ew_error *error);

/* A formula whose outputs are separated by ';' in the text. Destroy it with ew_formula_destroy. */
ew_formula *formula_from(const char *texts);

/* The mesh of a rectangle whose sides are named bottom, right, top and left. Destroy it with ew_mesh_destroy. */
ew_mesh *mesh_of_rectangle(ew_rectangle rectangle);

/* The next number of splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
uint64_t splitmix64(uint64_t *state);
/* The next one as a number in [-1, 1). */
double random_double(uint64_t *state);

/* A hash of the outflow of all boundary edges; 0 if the solver does not integrate it. */
uint64_t outflow_hash(ew_solver *solver);

/* Checks every invariant of a mesh (ewi_mesh.h); the nullable error names a broken one. */
bool mesh_is_valid(const ew_mesh *mesh, ew_error *error);

/* Blocks and bytes that are held; the counts are atomic, because another thread writes frames. */
struct memory {
    long fail_at;      /* the call that fails, from 1, and all after it; 0: none */
    bool once;         /* ... only that call */
    _Atomic bool misaligned; /* an alignment was not a power of two */
    _Atomic long calls, blocks;
    _Atomic size_t bytes, peak;
};
ew_host memory_host(struct memory *memory);
/* So many allocations succeed from now on; negative: all. */
void memory_allow(struct memory *memory, long allocations);

#endif
