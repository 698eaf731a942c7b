/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exchanges of a part with levels of time steps (ewi_level_plan.h): what neighbours see of its elements. An element's
 * owner sends it; the lists of owner and receiver have one order: states, views and trials, each by level and then by
 * number in the whole case. So the levels from one number to another are a range of both.
 */
#ifndef EWI_LEVEL_EXCHANGE_H
#define EWI_LEVEL_EXCHANGE_H

#include "ewi_level_plan.h"
#include "ewi_part.h"

enum ewi_level_sent { EWI_SENT_STATE, EWI_SENT_VIEW, EWI_SENT_TRIAL, EWI_SENT_COUNT };

struct ewi_level_exchange;

/* `plan`: the part's. Both must outlive it. */
int ewi_level_exchange_create(const struct ewi_plan *plan, const struct ewi_level_plan *levels,
                              struct ewi_level_exchange **result, ew_error *error);
void ewi_level_exchange_destroy(struct ewi_level_exchange *exchange);

/*
 * What to exchange: of each kind, the elements of levels first .. end[kind] - 1. A trial has the level of the interface
 * element that it is for.
 */
struct ewi_level_message {
    int first, end[EWI_SENT_COUNT];
    double *state; /* in the plan of levels; NULL: only */
    double *room;  /* ... a number of each element (ewi_bed_room.h); NULL: only the state */
};

/*
 * Fills the ghost layer of a state, or of numbers of elements. If `takes` is false, messages are exchanged, but the
 * arrays stay as they are. Collective over all parts.
 */
void ewi_level_exchange(struct ewi_level_exchange *exchange, const struct ewi_level_message *message, bool takes);

#endif
