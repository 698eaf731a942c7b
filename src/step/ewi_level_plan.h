/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plan for levels of time steps (ew_problem.step_levels). Steps of level k are 2^k times as long as those of level 0,
 * and begin at the instants n = 0, 1, .. of a macro step, 2^(levels - 1) shortest steps, whose numbers 2^k divides. At
 * each instant the active levels, those whose steps begin, take whole Runge-Kutta steps together, stage by stage.
 *
 * An element with a faster neighbour, one level below its own, is an interface element. It has a second state, its
 * view, which its faster neighbours see: the view moves with each of their steps, and is the element's new state at the
 * end of its own step. So that the usual kernels can evaluate it, a view is an element of this plan, of the same place:
 * the edges to faster elements are the view's, all others the interface element's. Likewise two more:
 *   sum    the interface element, whose right-hand side is of the edges to faster elements in trial states
 *   trial  a faster neighbour in the state that it would have after a stage of the interface element's longer step
 * With four stages, a trial of the third stage follows from the whole right-hand side of the faster neighbour in the
 * second one, which also needs its neighbours in such states.
 *
 * Elements are sorted by level, and within a level interface elements come last; the elements of all levels come before
 * all views, sums and trials. Ranges are padded to whole units by copies of an element that are their own neighbours;
 * their inverse determinant is 0, so they never change, and their width ratio, so they limit no step. A side without an
 * edge has the slot `none`, which no group has. Its surface integrals are +0, and so are volume integrals of views and
 * sums: adding them is part of the order of operations.
 *
 * In a part, elements of the ghost layer and their views come last. Their owners send
 * their values, so no operation lists them. Trials of such elements are computed here, except those that need
 * right-hand sides, which owners send, too.
 */
#ifndef EWI_LEVEL_PLAN_H
#define EWI_LEVEL_PLAN_H

#include "ewi_element_lists.h"
#include "ewi_level_kinds.h"

struct ewi_level {
    struct ewi_listed list[EWI_LEVEL_KINDS]; /* without slots */
    int32_t first[EWI_LEVEL_KINDS], padded[EWI_LEVEL_KINDS];
    int32_t coupled; /* interface elements of lower levels, padded: where this level's begin in arrays of these alone */
    /*
     * When this is the highest active level: all active elements, with their edges but those to slower elements that
     * are active, too; these are the faster ones'. What they see: views of levels up to the next one. Trials with their
     * edges, and sums, of active interface elements.
     */
    struct ewi_listed active, views, trials, sums;
    struct ewi_listed ghosts; /* of the ghost layer, likewise: active elements, and views up to the next level's */
    struct ewi_listed boundary; /* without elements: the edges of this level on boundaries */
    struct ewi_listed coupled_active; /* active interface elements; all active edges of interface elements and views */
};

/* The edges of a group of the grid. */
struct ewi_level_group {
    int level;    /* that of the edge's faster element; of trials, that of their interface elements */
    bool coupled; /* an interface element or a view has it */
    bool trial;   /* of a trial and an interface element; */
    bool outer;   /* ... of a trial and a neighbour of it, or a boundary */
};

struct ewi_level_plan {
    struct ewi_plan *plan;
    int levels;
    int32_t moving;   /* own elements that are no views, sums or trials, padded: the first ones */
    int32_t coupled;  /* interface elements of all levels, padded */
    int32_t none;     /* slot */
    int32_t *edge_slot; /* [3][padded]: like the grid's side_slot, but also of sides to faster elements */
    int32_t *of;      /* [padded]: numbers in the whole plan */
    /* [whole elements and ghost layer]: numbers in this plan; `view` and `trial` are -1 for elements without one */
    int32_t *local, *view, *trial;
    uint8_t *level_of; /* [padded] */
    int32_t *boundary_slot; /* [boundary slots of the whole]: numbers here */
    int32_t *original; /* [padded]: of views, sums and trials, the element's own number here */
    struct ewi_level level[EW_MAX_STEP_LEVELS];
    struct ewi_listed all; /* of `moving` elements */
    struct ewi_level_group *group; /* [plan->grid->groups] */
};

/* How a backend wants elements in order. */
struct ewi_level_room {
    int32_t unit;   /* ranges of elements are padded to multiples of it, itself a multiple of EWI_TILE; */
    int32_t filled; /* ... all but those without faster neighbours are the first ones of each unit, so many */
    int32_t most;   /* elements or slots of a range in a list */
};

int ewi_level_plan_create(const struct ewi_plan *whole, struct ewi_level_room room, struct ewi_level_plan **result,
                          ew_error *error);
void ewi_level_plan_destroy(struct ewi_level_plan *levels);

/* Before there is a mesh, about: the number of interface elements, and the sizes of the plan of levels. */
int32_t ewi_level_interface_elements(const struct ewi_sizes *whole);
struct ewi_sizes ewi_level_sizes(const struct ewi_sizes *whole);

/* A state in the layout of the whole plan to this one's, with views; and elements first .. last - 1 of it back. */
void ewi_level_plan_take(const struct ewi_level_plan *levels, const struct ewi_plan *whole, const double *from,
                         double *state);
void ewi_level_plan_give(const struct ewi_level_plan *levels, const struct ewi_plan *whole, const double *state,
                         double *to, int32_t first, int32_t last);

/* Rows of tiles over boundary slots, one of each variable: of the whole plan from this one's, and back. */
void ewi_level_plan_give_slots(const struct ewi_level_plan *levels, const struct ewi_plan *whole, const double *own,
                               double *to);
void ewi_level_plan_take_slots(const struct ewi_level_plan *levels, const struct ewi_plan *whole, const double *from,
                               double *own);

/* The level with whose steps element `at` of this plan changes: views do with those of their faster neighbours. */
int ewi_level_of_steps(const struct ewi_level_plan *levels, int32_t at);
/* Grows with element `at` from list to list of the levels' kinds, as elements are sorted; in all parts alike. */
uint32_t ewi_level_precedence(const struct ewi_level_plan *levels, int32_t at);

/* The highest level whose steps begin at instant n of a macro step; that of the end: whose steps end there. */
static inline int ewi_level_top(int levels, int64_t n)
{
    int k = 0;
    while (k < levels - 1 && !(n >> k & 1))
        k++;
    return k;
}

#endif
