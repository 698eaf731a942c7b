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

enum ewi_way { EWI_SENDS, EWI_RECEIVES };

struct ewi_level_exchange;

/* `plan`: the part's. Both must outlive it. */
int ewi_level_exchange_create(const struct ewi_plan *plan, const struct ewi_level_plan *levels,
                              struct ewi_level_exchange **result, ew_error *error);
void ewi_level_exchange_destroy(struct ewi_level_exchange *exchange);

/*
 * Range of an exchange: the elements of levels first .. end[kind] - 1 of each kind. A trial has the level of the
 * interface element that it is for.
 */
struct ewi_level_range {
    int first, end[EWI_SENT_COUNT];
};

/*
 * Range for a list of the step (`elements`); level: the highest one that a stage updates, or whose steps end. Views
 * have one more, which active elements see, or at the end of steps all.
 */
struct ewi_level_range ewi_level_exchange_range(int levels, int elements, int level);
/*
 * The elements that an exchange packs one after the other, or unpacks, of all messages; returns how many. Each array
 * may be NULL. place: in a buffer with room for whatever may be sent or received, EWI_SENT_COUNT places for each
 * element of the ghost layer, peer by peer. Counted from the peer's first place, sender and receiver have the same.
 */
int32_t ewi_level_exchange_list(const struct ewi_level_exchange *exchange, enum ewi_way way,
                                const struct ewi_level_range *levels, int32_t *number, int32_t *place);
/* Its messages, [2 peers] at most, of so many doubles an element, in these buffers; returns their number. */
int ewi_level_exchange_messages(const struct ewi_level_exchange *exchange, const struct ewi_level_range *levels,
                                int64_t doubles, double *outgoing, double *incoming, struct ewi_message *message);

struct ewi_level_message {
    struct ewi_level_range levels;
    double *state;  /* in the plan of levels, or NULL */
    double *number; /* one of each element, or NULL; at least one of both is given */
};

/*
 * Fills the ghost layer of a state, or of numbers of elements. If `takes` is false, messages are exchanged, but the
 * arrays stay as they are. Collective over all parts.
 */
void ewi_level_exchange(struct ewi_level_exchange *exchange, const struct ewi_level_message *message, bool takes);

/*
 * Breaks of parts, for ewi_clock_key: ordered by the stage of the macro step, from 0, by operation, couples being the
 * later one, and by the level whose boundary data are bad (-1: none is). The lowest code is the earliest break.
 */
enum { EWI_LEVELS_OF_CODE = 32 };
static inline int ewi_level_break_code(int64_t stage, bool couples, int level)
{
    return 1 + (int)(2 * stage + couples) * EWI_LEVELS_OF_CODE + (level < 0 ? EWI_LEVELS_OF_CODE - 1 : level);
}

/* Stage and operation: twice the stage, and one more if it couples. */
static inline int ewi_level_break_place(int code)
{
    return (code - 1) / EWI_LEVELS_OF_CODE;
}

static inline int ewi_level_break_level(int code)
{
    int level = (code - 1) % EWI_LEVELS_OF_CODE;
    return level == EWI_LEVELS_OF_CODE - 1 ? -1 : level;
}

#endif
