/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exchanges of a part with levels of time steps (ewi_level_plan.h): what neighbours see of its elements. An element's
 * owner sends it; the lists of owner and receiver have one order: states, views and trials, each by level and then by
 * number in the whole case. So the levels below any number are a range of both.
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
 * Fills the ghost layer of a state in the plan of levels: of each kind, the elements of levels below end[kind]. A trial
 * has the level of the interface element that it is for. If `takes` is false, messages are exchanged, but `state` stays
 * as it is. Collective over all parts.
 */
void ewi_level_exchange(struct ewi_level_exchange *exchange, const int end[EWI_SENT_COUNT], bool takes, double *state);

#endif
