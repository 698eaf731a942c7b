/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limiter subcell (limiter/subcell.h) with levels of time steps (ewi_level_plan.h). An element's alpha follows from
 * states and views at the start of its own step, and holds for all of that step; its view, trial and sum have it, too.
 * A right-hand side is linear in the fluxes through sides, so those of an interface element's own edges and of its
 * view's are blended each by itself, the inner faces with the own edges. Means change by the fluxes of edges alone, of
 * which both sides use the same one: the scheme is conservative as without the limiter, whatever alpha they have.
 */
#ifndef EWI_LEVEL_SUBCELLS_H
#define EWI_LEVEL_SUBCELLS_H

#include "ewi_worker.h"

/* Operations of an instant. All wait for the other threads at their end. */
ewi_performer ewi_level_sense, ewi_level_find_alpha, ewi_level_divide, ewi_level_evaluate_volumes;

#endif
