/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Levels of time steps on the device (ewi_level_plan.h). The operations of an instant are lowered once for each highest
 * active level, and those at its end once for each highest level that ends; a macro step launches them in turn.
 */
#ifndef EWI_CUDA_LEVELS_H
#define EWI_CUDA_LEVELS_H

#include "ewi_cuda.h"
#include "ewi_level_exchange.h"
#include "ewi_level_plan.h"

/* Blocks of the fused set, by what a stage needs: at an instant, the first end[highest active level] of a list. */
enum { EWI_CUDA_NO_TRIALS, EWI_CUDA_SUMS, EWI_CUDA_TRIALS, EWI_CUDA_BLOCK_LISTS };

enum { EWI_CUDA_GRAPH_LEVELS = 11 }; /* most levels whose macro step, of 2^(levels - 1) instants, is a graph */

enum { EWI_CUDA_NO_LEVEL = 255 }; /* of slots of trials: above all levels, so never active */

struct ewi_cuda_levels {
    struct ewi_level_plan *of;
    cu_address local, original; /* copies of the plan's arrays of these names */
    cu_address kind, level;    /* of each tile: enum ewi_level_kind, and its level */
    cu_address slot_level, own_slot_level; /* of each tile of boundary slots; own: of trials EWI_CUDA_NO_LEVEL */
    cu_address coupling;       /* k, sum and q of all stages, and slope (kernels/couple.h) */
    cu_address state;          /* in the order of the whole plan and of ewi_layout.h */
    cu_address zeros;          /* like a state; without the fused set */
    cu_address blocks;         /* all lists of blocks, one after the other */
    struct {
        int32_t first, end[EW_MAX_STEP_LEVELS]; /* end: from `first` on */
    } list[EWI_CUDA_BLOCK_LISTS];
    cu_address edge_slot;      /* like that of the plan */
    cu_address alpha_neighbour; /* of the limiter subcell: the neighbours' elements, whose views have no alpha yet */
    cu_address room;           /* over a bed (ewi_arguments.h) */
    struct ewi_cuda_items items[EW_MAX_STEP_LEVELS][EWI_LIST_SUMS + 1][EWI_CUDA_ITEMS];
    struct ewi_cuda_items means[EW_MAX_STEP_LEVELS]; /* active elements without faster neighbours, and views */
    struct ewi_cuda_items ghosts[EW_MAX_STEP_LEVELS]; /* of a part's ghost layer: active elements, and views */
    int now;                   /* the level of the operations that are lowered */
    struct ewi_cuda_range stages[EW_MAX_STEP_LEVELS], end[EW_MAX_STEP_LEVELS];
    int32_t exchanges;         /* in a part, twice those of the macro step so far: sent, and received */
    /* In a part, after a break: the lowest level of bad boundary data, or -1; of all parts, or if direct, its own. */
    int bad_level;
};

/* Replaces the plan by that of the levels, whose ranges are padded to multiples of `unit`, if the case has levels. */
int ewi_cuda_make_level_plan(struct ewi_cuda *cuda, int32_t unit, ew_error *error);
/* Allocates the arrays that levels have on the device besides those of ewi_cuda_allocate, which comes first. */
int ewi_cuda_allocate_levels(struct ewi_cuda *cuda, ew_error *error);
/* In the context, if there is one. */
void ewi_cuda_free_levels(struct ewi_cuda *cuda);
/* lists.c: the elements whose states are those of the case, for its speed and its change: the first ones. */
int32_t ewi_cuda_moving(const struct ewi_cuda *cuda);
/* Steps and times of tiles of elements, of boundary slots, or of those that are no trials' (all others: never). */
enum ewi_cuda_steps_of { EWI_CUDA_STEPS_OF_ELEMENTS, EWI_CUDA_STEPS_OF_SLOTS, EWI_CUDA_STEPS_OF_OWN_SLOTS };
struct ewi_cuda_steps ewi_cuda_steps_of(const struct ewi_cuda *cuda, enum ewi_cuda_steps_of of);
/* Volume integrals of views and sums, for the kernels "edgewise". */
double *ewi_cuda_zeros(const struct ewi_cuda *cuda);
/*
 * Exchanges of a part: how many kinds there are, one or, with levels, one for each list of the step and highest level;
 * what a kind exchanges; and the messages of an operation that is being lowered.
 */
int ewi_cuda_kinds_of_exchange(const struct ewi_cuda *cuda);
struct ewi_level_range ewi_cuda_exchange_range(const struct ewi_cuda *cuda, int kind);
const struct ewi_cuda_messages *ewi_cuda_messages_of(const struct ewi_cuda *cuda,
                                                     const struct ewi_operation *operation);
/* The items of a list of elements in the operation that is being lowered. */
const struct ewi_cuda_items *ewi_cuda_items_of(const struct ewi_cuda *cuda, int list);
/*
 * True if `couple` also stores a view's last state as its element's new one. Limiters and positivity act between the
 * two, so with these it is copied at the end of the element's step.
 */
bool ewi_cuda_closes_early(const struct ewi_cuda *cuda);
/* elements: becomes the number of its interface elements. */
struct ewi_cuda_couple ewi_cuda_couple_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation,
                                          int32_t *elements);
/* Over a bed: how much water edges may take after a stage; operation NULL: at the start of active elements' steps. */
struct ewi_cuda_couple ewi_cuda_rooms_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation);
struct ewi_cuda_views ewi_cuda_views_of(const struct ewi_cuda *cuda, bool back);
struct ewi_cuda_trials ewi_cuda_trials_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation);

/* launch.c: the launches of a macro step's instants. They look at the clock after each EWI_CUDA_INSTANTS_UNSEEN. */
enum { EWI_CUDA_INSTANTS_UNSEEN = 1024 };
int ewi_cuda_launch_instants(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error);
/* The time of a stage, counted from the start of the macro step, in the steps of a level. */
double ewi_cuda_level_time(const struct ewi_cuda *cuda, int stage, int level);
/* The clock's stage as one of the scheme. */
int ewi_cuda_stage_of_clock(const struct ewi_cuda *cuda);
/* The lowest active level whose boundary data are not admissible at the clock's stage; -1: all are. */
int ewi_cuda_level_of_bad_data(const struct ewi_cuda *cuda);
/* An inadmissible element's number in the whole plan, and the time of its stage, or of boundary data. */
void ewi_cuda_find_place(const struct ewi_cuda *cuda, struct ewi_progress *progress);

#endif
