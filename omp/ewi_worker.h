/* SPDX-License-Identifier: BSD-2-Clause */
/* The OpenMP backend's instance, and what its threads know while they go over the mesh. */
#ifndef EWI_WORKER_H
#define EWI_WORKER_H

#include "ewi_backend.h"
#include "ewi_clock.h"
#include "ewi_element_lists.h"
#include "ewi_level_exchange.h"
#include "ewi_level_steps.h"
#include "ewi_levels.h"
#include "ewi_omp_subcells.h"
#include "ewi_paper.h"
#include "ewi_step.h"
#include "ewi_team.h"

#include <math.h>
#include <string.h>

enum { EWI_CHUNK = 64 }; /* elements or slots that a thread takes at once, a multiple of all numbers of lanes */

/*
 * Derived data of the current state. While a team steps, each thread has its own copy, and all come to the same
 * decisions.
 */
struct ewi_known {
    double *border[2];    /* traces on the borders of all tiles, in the present and the next state */
    const double *border_of; /* the register that border[0] belongs to; NULL: none */
    unsigned next;        /* classes whose traces in the next state, border[1], are made; 0: of none */
    double speed[EWI_MAX_CLASSES]; /* the largest wave speed in each class of elements; < 0: not known */
};

struct ewi_omp {
    ew_host host;
    struct ewi_plan *plan;
    /*
     * Levels of time steps: `plan` is levels->plan, and `whole` the case's, of one level; whole_state is the state in
     * its layout after each call. `plain` evaluates residuals, by plain_plan. Without levels, `whole` is `plan`.
     */
    const struct ewi_plan *whole;
    struct ewi_level_plan *levels; /* NULL: one level */
    struct ewi_level_exchange *level_exchange; /* of a part */
    struct ewi_level_steps level_steps;
    struct ewi_level_tiles level_tiles; /* fused set only */
    double *level_border[EWI_MAX_REGISTERS]; /* fused set only: each register's traces on the borders of tiles */
    double *whole_state;
    double speed; /* at the start of the last step; 0: not known */
    bool growth_warned;
    struct ewi_plan *plain_plan;
    struct ewi_omp *plain;
    const struct ewi_omp_level *level;
    const struct ewi_omp_kernels *kernels;
    bool fused;
    struct ewi_step step, passes; /* passes: with the limiter by itself, where tiles cannot take it */
    struct ewi_element_lists lists; /* of both; units are tiles of the fused set */
    struct ewi_team *team;
    struct ewi_arguments arguments;
    double *state[EWI_MAX_REGISTERS];
    double *kept;        /* a right-hand side, if the scheme keeps one */
    double *before;      /* the state at the step's start, if a steady state is looked for */
    /* Jump sensor of the limiter, if stages do not include it: two rows in tiles of slots; boundaries have no jump. */
    double *sensor;
    /* of the edgewise set; rhs_surface: all left contributions, then all right ones */
    double *rhs_volume, *rhs_surface, *rhs;
    double *sources;
    struct ewi_omp_subcells subcells; /* empty without the limiter subcell */
    double *outflow; /* of boundary slots, if it is integrated */
    struct ewi_tiles tiles; /* of the fused set */
    double *first;          /* of a limiter by cell means (ewi_limiting.h) */
    double *scratch;        /* [threads][tiles.scratch, padded] */
    size_t scratch_stride;
    struct ewi_known known;
    bool warned;
    ew_kernel_profile *profile; /* of a call that times each kernel, otherwise NULL */
    int profiles;
};

/*
 * One thread of the team that goes over the mesh. Each pass is called by all of them; where its end is not waited for,
 * it says so.
 */
struct ewi_worker {
    struct ewi_omp *omp;
    struct ewi_thread *thread;
    struct ewi_known known;
    bool given;             /* boundary data are admissible at the time that they were last evaluated for, */
    double given_speed;     /* ... and their largest speed */
    double speed;           /* of state and boundary data, of all parts */
    uint64_t change;        /* bits of the largest one of this thread's elements */
    /*
     * Stage of this step, from 1, in which the state became inadmissible; 0: none. In a part with levels, more than
     * that (worker.c).
     */
    int inadmissible;
    struct ewi_clock clock; /* every thread's own shows the same */
    struct ewi_arguments arguments; /* with the length of the current step */
    struct ewi_paper paper; /* the set edgewise; of the fused set, what stages do not take */
    double *volume, *surface, *rhs; /* where integrals go; rhs NULL: it is not asked for */
    int failed_level;               /* the lowest one whose boundary data are not admissible; -1: none */
    int64_t instant;                /* of a macro step; */
    struct ewi_level_moment now;    /* ... and what it has, for levels of time steps */
};

/* Performs an operation of a step. */
typedef void ewi_performer(struct ewi_worker *worker, const struct ewi_operation *operation);

/*
 * For numbers >= 0, bits have the order of the numbers, and NaN is the largest: a maximum with the same bits in any
 * order of threads.
 */
static inline uint64_t ewi_bits_of(double speed)
{
    uint64_t bits;
    speed = isnan(speed) ? NAN : speed;
    memcpy(&bits, &speed, sizeof bits);
    return bits & INT64_MAX;
}

enum { EWI_INADMISSIBLE = -1 }; /* as a number without sign greater than the bits of any speed */

static inline double ewi_speed_of(uint64_t bits)
{
    double speed;
    memcpy(&speed, &bits, sizeof speed);
    return speed;
}

/* The largest of all threads. Waits for them. */
static inline uint64_t ewi_largest_of_all(struct ewi_worker *worker, uint64_t value)
{
    return ewi_team_max(worker->thread, value);
}

/* This thread's elements of `padded`, which begin at a multiple of EWI_CHUNK. */
struct ewi_share ewi_own_elements(const struct ewi_worker *worker, int64_t padded);
/* The elements of an operation, and its edges. */
const struct ewi_listed *ewi_listed_of(const struct ewi_worker *worker, const struct ewi_operation *operation);
/* Formulas are shared among the threads; a callback is called by the thread that the host has called. */
bool ewi_evaluate_own_slots(struct ewi_worker *worker, const struct ewi_edge_group *group, double t, double *max_speed);
/* The result of all boundary data: bits of the largest speed, or EWI_INADMISSIBLE minus failed_level. */
void ewi_take_given(struct ewi_worker *worker, uint64_t largest);
struct ewi_update ewi_update_of(const struct ewi_omp *omp, const struct ewi_stage *stage, double dt);
/* Where a macro step broke off. */
struct ewi_level_break {
    double time, macro; /* its beginning and length */
    int64_t instant;
    int failed_level; /* as in the worker */
};
/* The place from the worker's `inadmissible` of some part; whether this part's own breaks at the same one. */
bool ewi_level_decode_break(const struct ewi_omp *omp, int code, int own, struct ewi_level_break *at, int *stage);
/* Register `target` holds a new state, which is admissible or not. */
void ewi_end_stage(struct ewi_worker *worker, const struct ewi_operation *operation, bool admissible);

#endif
