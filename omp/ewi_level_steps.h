/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operations that levels of time steps (ewi_level_plan.h) add to the paper's kernels. All threads of a parallel region
 * call each function; none waits for the others at its end.
 */
#ifndef EWI_LEVEL_STEPS_H
#define EWI_LEVEL_STEPS_H

#include "ewi_level_plan.h"
#include "ewi_omp.h"
#include "ewi_paper.h"
#include "ewi_tiles.h"

struct ewi_level_steps {
    const struct ewi_level_plan *of;
    const struct ewi_omp_level *level;
    const struct ewi_scheme *scheme;
    double row[EWI_MAX_STAGES][EWI_MAX_STAGES]; /* ewi_scheme_rows */
    double *room; /* [of->plan->padded]: ewi_bed_room.h; NULL: the law has no bed */
    /* For interface elements, [of->coupled] in tiles (kernels/couple.h). */
    double *k, *sum, *q, *slope; /* all but slope: of all stages, one after the other */
};

/* Where a macro step is, and its arrays. */
struct ewi_level_moment {
    int top, ending; /* the highest level whose steps begin at this instant; whose steps end at its end */
    double macro;    /* length of the macro step */
    double *const *state;
    double *rhs;
};

/* A tile of the fused set. */
struct ewi_level_tile {
    int32_t number, before; /* before: elements of those before it in their array */
    uint8_t level;          /* active with this one; of trials and sums, that of their interface elements */
    uint8_t kind;           /* enum ewi_level_kind */
};

/* Tiles that stages evaluate: at an instant whose highest active level is k, the first end[k] of them. */
struct ewi_level_tiles {
    struct ewi_level_tile *tile; /* NULL: there are none; with one more, which begins where the last one ends */
    int32_t end[EW_MAX_STEP_LEVELS];
};

/*
 * Divides all elements into tiles of at most `size`, and lists those above. `list` gets them all, and is to be freed
 * also after a failure.
 */
int ewi_level_tiles_create(const struct ewi_level_plan *of, int32_t size, int threads, struct ewi_level_tiles *tiles,
                           struct ewi_tile_list *list, ew_error *error);
void ewi_level_tiles_destroy(const ew_host *host, struct ewi_level_tiles *tiles);
/* A thread's share of the first `end` tiles. */
struct ewi_share ewi_level_tiles_share(const struct ewi_level_tiles *tiles, int32_t end, int thread, int threads);

/* false: not enough memory */
bool ewi_level_steps_create(struct ewi_level_steps *steps, const struct ewi_level_plan *of,
                            const struct ewi_omp_level *level);
void ewi_level_steps_destroy(struct ewi_level_steps *steps);

/* The length of the steps of level k. */
double ewi_level_step(const struct ewi_level_steps *steps, double macro, int k);

/* Trial states of active interface elements' faster neighbours, of stage number `stage` from 1. */
void ewi_level_trial(const struct ewi_level_steps *steps, const struct ewi_level_moment *now, int stage);
/* A stage, from 1, of interface elements and views; their right-hand sides are known. */
void ewi_level_couple(const struct ewi_level_steps *steps, const struct ewi_level_moment *now, int stage);
/*
 * Over a bed, ewi_level_couple leaves mean rates, of which this makes the new states. `arguments` are this thread's
 * own; their step changes.
 */
void ewi_level_update_over_bed(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                               const struct ewi_paper *paper, struct ewi_arguments *arguments, int stage);
/* Caps on outflow (ewi_bed_room.h) after a stage that is settled: of own edges, and of edges of views. */
void ewi_level_find_own_rooms(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                              const struct ewi_paper *paper, int stage);
void ewi_level_find_view_rooms(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                               const struct ewi_paper *paper, int stage);
/* Both at the start of the active elements' steps. */
void ewi_level_begin_rooms(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                           const struct ewi_paper *paper);
/* True if the new means of this thread's interface elements and views are admissible. */
bool ewi_level_is_admissible(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                             const struct ewi_paper *paper, int stage);
/*
 * Copies new means to the other registers, for limiters by means: views are limited when their neighbours are not
 * active.
 */
void ewi_level_spread_means(const struct ewi_level_steps *steps, const struct ewi_level_moment *now);
/* Those of a part's ghost layer, once they have come. */
void ewi_level_spread_ghosts(const struct ewi_level_steps *steps, const struct ewi_level_moment *now);
/* Means, [elements][components], of a state, for limiters in tiles (ewi_limiting.h). */
void ewi_level_means(const struct ewi_level_steps *steps, const struct ewi_ranges *of, const double *state,
                     double *means, int components);
/* New states of interface elements whose steps end, from their views; and views of these once they are limited. */
void ewi_level_close(const struct ewi_level_steps *steps, const struct ewi_level_moment *now);
void ewi_level_view(const struct ewi_level_steps *steps, const struct ewi_level_moment *now);

#endif
