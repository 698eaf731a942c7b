/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The paper's kernels over a list of elements, or their edges. All threads of a parallel region call each function;
 * they share its loops, each always the same elements and edges, and do not wait for each other at its end.
 */
#ifndef EWI_PAPER_H
#define EWI_PAPER_H

#include "ewi_element_lists.h"
#include "ewi_omp.h"
#include "ewi_plan.h"

struct ewi_paper {
    const struct ewi_omp_kernels *kernels;
    const struct ewi_arguments *arguments;
    const struct ewi_plan *plan;
};

/* The kind of a slot's ghosts; -1: it is an inner edge. */
int ewi_paper_ghost_at(const struct ewi_plan *plan, int32_t slot);

/* States and right-hand sides are in tiles of elements; `surface` has all left contributions, then all right ones. */
void ewi_paper_volume(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state,
                      double *volume);
void ewi_paper_surface(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state,
                       double *surface);
/* Adds the flux times `time` to outflow: rows [variables] in tiles of boundary slots. */
void ewi_paper_outflow(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state, double time,
                       double *outflow);
/* sources: at ewi_source_of; NULL if there are none. t: the time of the state. */
void ewi_paper_source(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state,
                      double t, double *sources);
void ewi_paper_rhs(const struct ewi_paper *paper, const struct ewi_listed *of, const double *volume,
                   const double *surface, const double *sources, double *rhs);
void ewi_paper_update(const struct ewi_paper *paper, const struct ewi_listed *of, const struct ewi_update *update,
                      const double *rhs, double *target);
/* True if the means of this thread's elements are admissible. */
bool ewi_paper_is_admissible(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state);
/* The largest wave speed in this thread's elements; NaN if a mean is not admissible. */
double ewi_paper_speed(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state);
/* Jumps at their inner edges, for a limiter with a jump sensor. */
void ewi_paper_jump_sensor(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state,
                           double *sensor);
void ewi_paper_limit(const struct ewi_paper *paper, const struct ewi_listed *of, const struct ewi_limiting *with,
                     double *state);
void ewi_paper_make_positive(const struct ewi_paper *paper, const struct ewi_listed *of, double *state);

#endif
