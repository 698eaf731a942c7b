/* SPDX-License-Identifier: BSD-2-Clause */
/* The tiles of the fused set on a CPU. */
#ifndef EWI_TILES_H
#define EWI_TILES_H

#include "ewi_omp.h"
#include "ewi_plan.h"
#include "ewi_team.h"

/* Where tiles begin, [count + 1] with the end; multiples of EWI_TILE. */
struct ewi_tile_list {
    int32_t count, *first;
};

/*
 * given: tiles of other sizes, whose elements are limited by cell means in any order, after whole stages; NULL: the
 * kernels' size. Fills `tiles`, by the team that will work on them; ewi_tiles_destroy empties them, also after a
 * failure.
 */
int ewi_tiles_create(const struct ewi_plan *plan, const struct ewi_omp_kernels *kernels, struct ewi_team *team,
                     const struct ewi_tile_list *given, struct ewi_tiles *tiles, ew_error *error);
void ewi_tiles_destroy(const ew_host *host, struct ewi_tiles *tiles);

#endif
