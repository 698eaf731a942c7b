/* SPDX-License-Identifier: BSD-2-Clause */
/* The tiles of the fused set on a CPU. */
#ifndef EWI_TILES_H
#define EWI_TILES_H

#include "ewi_omp.h"
#include "ewi_plan.h"
#include "ewi_team.h"

/* Fills `tiles`, by the team that will work on them; ewi_tiles_destroy empties them, also after a failure. */
int ewi_tiles_create(const struct ewi_plan *plan, const struct ewi_omp_kernels *kernels, struct ewi_team *team,
                     struct ewi_tiles *tiles, ew_error *error);
void ewi_tiles_destroy(const ew_host *host, struct ewi_tiles *tiles);

#endif
