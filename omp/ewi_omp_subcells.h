/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limiter subcell on CPUs (limiter/subcell.h): its arrays, and the passes of each operation, which all threads of
 * the team make; each ends when all have made it.
 */
#ifndef EWI_OMP_SUBCELLS_H
#define EWI_OMP_SUBCELLS_H

#include "ewi_paper.h"
#include "ewi_team.h"

/*
 * With levels of time steps, which divided elements of the list `element` are what, and which touched edges: those of
 * active elements, and of trials (level_subcells.c).
 */
enum ewi_subcell_list {
    EWI_DIVIDED_TRIALS, EWI_DIVIDED_GHOSTS, EWI_DIVIDED_OWN, EWI_DIVIDED_VIEWS, EWI_DIVIDED_SUMS,
    EWI_TOUCHED_OWN, EWI_TOUCHED_TRIALS,
    EWI_SUBCELL_LISTS
};

struct ewi_omp_subcells {
    struct ewi_subcells arrays;
    uint8_t *ghost;
    int32_t *found; /* [threads][EWI_SUBCELL_LISTS]: how many items each thread adds to a list */
    int32_t first[EWI_SUBCELL_LISTS], end[EWI_SUBCELL_LISTS]; /* of each list, with levels */
};

/* Bytes of all arrays. */
size_t ewi_omp_subcells_bytes(const struct ewi_sizes *sizes);
int ewi_omp_subcells_create(const struct ewi_plan *plan, int threads, struct ewi_omp_subcells *subcells,
                            ew_error *error);
void ewi_omp_subcells_destroy(const ew_host *host, struct ewi_omp_subcells *subcells);

/* Jumps of inner edges. Does not wait for the other threads. */
void ewi_omp_sense_edges(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state);
/* ... and alpha of elements by their own sides. */
void ewi_omp_sense(const struct ewi_paper *paper, struct ewi_thread *thread, const struct ewi_listed *of,
                   const double *state);
/* alpha of all elements, from their own jumps and their neighbours'. */
void ewi_omp_find_alpha(const struct ewi_paper *paper, struct ewi_thread *thread);
/* The lists of divided elements and touched edges. */
void ewi_omp_divide(const struct ewi_paper *paper, struct ewi_thread *thread, struct ewi_omp_subcells *subcells);
/* Fluxes of touched edges, and sums over control volumes, of a stage. */
void ewi_omp_evaluate_volumes(const struct ewi_paper *paper, struct ewi_thread *thread, const double *state);

#endif
