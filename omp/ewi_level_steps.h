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
    /* For interface elements, [of->coupled] in tiles (kernels/couple.h). */
    double *k[EWI_MAX_STAGES], *sum[EWI_MAX_STAGES], *q[EWI_MAX_STAGES], *slope;
};

/* Where a macro step is, and its arrays. */
struct ewi_level_moment {
    int top, ending; /* the highest level whose steps begin at this instant; whose steps end at its end */
    double macro;    /* length of the macro step */
    double *const *state;
    const double *rhs;
};

/* Tiles of elements without faster neighbours, by level: those of levels 0 .. k are the first end[k]. */
struct ewi_level_tiles {
    int32_t *tile; /* numbers of tiles of the fused set; NULL: there are none */
    uint8_t *level;
    int32_t end[EW_MAX_STEP_LEVELS];
};

/*
 * Divides all elements into tiles of at most `size`, and lists those above. `list` gets them all, and is to be freed
 * also after a failure.
 */
int ewi_level_tiles_create(const struct ewi_level_plan *of, int32_t size, int threads, struct ewi_level_tiles *tiles,
                           struct ewi_tile_list *list, ew_error *error);
void ewi_level_tiles_destroy(const ew_host *host, struct ewi_level_tiles *tiles);

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
/* True if the new means of this thread's interface elements and views are admissible. */
bool ewi_level_is_admissible(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                             const struct ewi_paper *paper, int stage);
/*
 * Copies new means to the other registers, for limiters by means: views are limited when their neighbours are not
 * active.
 */
void ewi_level_spread_means(const struct ewi_level_steps *steps, const struct ewi_level_moment *now);
/* New states of interface elements whose steps end, from their views; and views of these once they are limited. */
void ewi_level_close(const struct ewi_level_steps *steps, const struct ewi_level_moment *now);
void ewi_level_view(const struct ewi_level_steps *steps, const struct ewi_level_moment *now);

#endif
