/* SPDX-License-Identifier: BSD-2-Clause */
/* The OpenMP backend with levels of time steps: what it does within a macro step, and what it needs around it. */
#ifndef EWI_LEVEL_OPERATIONS_H
#define EWI_LEVEL_OPERATIONS_H

#include "ewi_worker.h"

/* The operations of an instant; NULL: as without levels. */
extern ewi_performer *const ewi_level_operation[EWI_OP_COUNT];

/* Replaces the plan by that of the levels, if it has several, and makes what they need. */
int ewi_level_operations_create(struct ewi_omp *omp, ew_error *error);
/* The tiles of the fused set. */
int ewi_level_operations_tile(struct ewi_omp *omp, ew_error *error);
/* Views and sums have no sources: -0 leaves every sum unchanged. Integrals that are never evaluated stay zero. */
void ewi_level_clear_sources(struct ewi_omp *omp);

/* The ghost layer of a part; outside of instants, of all levels. */
void ewi_level_exchange_states(struct ewi_worker *worker, const struct ewi_operation *operation);
/* Before the operations of an instant. */
void ewi_level_begin_instant(struct ewi_worker *worker);

/* Replaces the number of an inadmissible element, if there is one, by that in the whole plan. */
void ewi_level_find_element(const struct ewi_omp *omp, struct ewi_progress *progress);
/* Does that, and finds the time of its stage or boundary data. */
void ewi_level_find_place(const struct ewi_omp *omp, const struct ewi_level_break *at, struct ewi_progress *progress);

/* Copies this thread's share of the elements to the state of the whole plan. */
void ewi_level_give_state(const struct ewi_worker *worker);
/* All registers get it: limiters look at means of inactive elements, too, and all elements must be admissible. */
void ewi_level_share_state(struct ewi_omp *omp);
/* The outflow of levels is in tiles of their own boundary slots. */
int ewi_level_get_outflow(const struct ewi_omp *omp, double *outflow, ew_error *error);
int ewi_level_set_outflow(const struct ewi_omp *omp, const double *outflow, ew_error *error);

#endif
