/* SPDX-License-Identifier: BSD-2-Clause */
/* The OpenMP backend's kernels: one table per instruction level, order and law, compiled from omp/kernels.h. */
#ifndef EWI_OMP_H
#define EWI_OMP_H

#include "ewi_arguments.h"
#include "ewi_limiters.h"
#include "ewi_limiting.h"
#include "ewi_points.h"

/*
 * Tiles of the fused set: `size` elements whose traces stay in a core's cache. A thread's scratch holds the traces of
 * the tile's own sides, [size][3][ne][components]; then those behind the tile's border, and of boundary ghosts,
 * [..][ne][components] each. Blocks are `lanes` sides of one boundary (ghosts), or edges; padded by repetition.
 *
 * The border of a tile are the sides with a neighbour in another tile. Each stage writes the traces of its new state on
 * the borders of all tiles to one array, [border][ne][components], in the order in which the neighbours read them:
 * gathering a neighbour's coefficients instead would take a cache line for each.
 */
struct ewi_tiles {
    int32_t size, count; /* size: of the largest tile */
    int32_t *first;      /* [count + 1]: elements */
    int components;        /* doubles at a point of a trace (fused.h) */
    int32_t *behind_first; /* [count + 1]: start of the traces that a tile reads, in the array of all borders */
    int32_t *border_first; /* [elements/EWI_TILE + 1]: start of the border sides of each group of elements */
    int32_t *border_side;  /* [border]: side times EWI_TILE, plus the element's number in its group */
    int32_t *border_place; /* [border]: place in the array of all borders */
    /*
     * [3][np][ne, padded to lanes]: basis functions at the points of a side, which are lanes then; for laws with
     * gradients [3] of these, also their derivatives along r and s.
     */
    double *border_table;
    int32_t *ghost_first;  /* [count + 1] */
    int32_t *ghost;        /* [ghost blocks]: number of EWI_GHOST_LIST */
    int32_t *ghost_slot;   /* [ghost blocks][lanes] */
    int32_t *ghost_own;    /* [ghost blocks][lanes]: where in the scratch the inner trace begins */
    int32_t *closed_first; /* [count + 1]: start of the sides without an edge: those of levels of time steps (step/) */
    int32_t *closed;       /* where in the scratch their traces begin */
    /* [count + 1]: blocks of all edges that touch the tile, for laws with gradients only of the inner ones */
    int32_t *edge_first;
    int32_t *edge_left, *edge_right; /* [edge blocks][lanes]: where in the scratch the edge's two traces begin */
    int32_t *edge_slot; /* [edge blocks][lanes]: for the limiter subcell */
    /* [edge blocks][lanes]: elements, for jump sensors; a boundary edge has the left one twice */
    int32_t *left_element, *right_element;
    /*
     * For limiters by cell means: a stage limits EWI_TILE elements as soon as the new means of all neighbours exist.
     * `due`, [elements/EWI_TILE]: each thread's groups in that order, and the end, [count], of those that can be
     * limited after a tile; the rest has neighbours of other threads. `slot`, [elements/EWI_TILE]: place in `waiting`
     * of streamed states until then.
     */
    int32_t *due, *due_end, *slot;
    int threads; /* that these are made for */
    /* [edge blocks][3 or 4][lanes]: normal times length, length and, for laws with gradients, the penalty */
    double *edge_geometry;
    /* [edge blocks][ne][fields][lanes]: given fields in the edge's orientation; or [edge blocks][2 media][lanes] */
    double *edge_field;
    bool streams;          /* new states go past the caches, which could not keep them until the next stage */
    size_t scratch;        /* doubles for a thread */
    size_t jumps;          /* where in it J and V of sides begin, in the order of their traces; 0: nowhere */
    size_t waiting;        /* ... and the slots, of EWI_TILE elements each, of new states that wait to be limited */
    size_t border;         /* doubles of the array of all borders */
};

/* True if a stage's new state bypasses the caches: not if it replaces a state that the stage has read. */
static inline bool ewi_streams(const struct ewi_tiles *tiles, const struct ewi_update *update, const double *target)
{
    return tiles->streams && target != update->base;
}

struct ewi_omp_kernels {
    int lanes;
    int32_t tile; /* elements of a tile of the fused set */
    int components;

    /* Edgewise set: elements, or slots, first .. last - 1, multiples of lanes. */
    void (*eval_volume)(const struct ewi_arguments *a, const double *state, double *rhs_volume, int64_t first,
                        int64_t last);
    void (*eval_surface)(const struct ewi_arguments *a, const double *state, int ghost, double *left, double *right,
                         int64_t first, int64_t last);
    void (*eval_rhs)(const struct ewi_arguments *a, const double *rhs_volume, const double *rhs_surface,
                     int64_t right_offset, const double *sources, double *rhs, int64_t first, int64_t last);
    void (*eval_source)(const struct ewi_arguments *a, const double *state, double t, double *sources, int64_t first,
                        int64_t last);
    void (*eval_outflow)(const struct ewi_arguments *a, const double *state, int ghost, double time, double *outflow,
                         int64_t first, int64_t last);
    void (*update)(const struct ewi_arguments *a, const struct ewi_update *update, const double *rhs, double *target,
                   int64_t first, int64_t last);
    /* By `with`'s limiter, which has the order; jump_sensor: one that has a sensor. */
    void (*jump_sensor)(const struct ewi_arguments *a, const struct ewi_limiting *with, const double *state,
                        double *sensor, int64_t first, int64_t last);
    void (*limit)(const struct ewi_arguments *a, const struct ewi_limiting *with, double *state, int64_t first,
                  int64_t last);
    void (*make_positive)(const struct ewi_arguments *a, double *state, int64_t first, int64_t last);
    /* Over a bed: the water at sides, a set of bits, of element i (ewi_bed_room.h). */
    double (*water_at_sides)(const struct ewi_arguments *a, const double *state, int64_t i, int sides);

    /*
     * For laws and orders with finite volumes in elements (limiter/subcell.h): jumps of inner edges in slots, and three
     * bodies for first .. last - 1 of the list of divided elements, or of touched edges; lift_volumes needs no state.
     */
    void (*sense)(const struct ewi_arguments *a, const double *state, int64_t first, int64_t last);
    void (*divide)(const struct ewi_arguments *a, const double *state, int64_t first, int64_t last);
    void (*touched_fluxes)(const struct ewi_arguments *a, const double *state, int64_t first, int64_t last);
    void (*lift_volumes)(const struct ewi_arguments *a, const double *state, int64_t first, int64_t last);

    /*
     * All sets. The maximum wave speed of elements < elements, NaN if a mean is inadmissible; the first such element or
     * -1.
     */
    double (*speed)(const struct ewi_arguments *a, const double *state, int64_t elements, int64_t first, int64_t last);
    int64_t (*inadmissible)(const struct ewi_arguments *a, const double *state, int64_t elements, int64_t first,
                            int64_t last);

    /*
     * A whole stage of one tile, given the traces of `state` on all borders. Writes those of `target` to `border`
     * unless it is NULL, after applying `with`. Returns the first element whose new mean is inadmissible, or -1.
     */
    int64_t (*stage)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, const double *state,
                     const double *behind, const struct ewi_update *update, double *target, double *border,
                     const struct ewi_limiting *with, int64_t elements, int32_t tile, double *scratch);
    /* The right-hand side of edges alone, without boundaries, given the traces on all borders. */
    void (*edge_rhs)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, const double *state,
                     const double *behind, double *rhs, int32_t tile, double *scratch);
    /* Limits a state in place by the jumps at edges, given its traces on all borders, and makes it positive. */
    void (*damp_tile)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, const struct ewi_limiting *with,
                      const double *behind, double *state, int32_t tile, double *scratch);
    /*
     * Runs after a stage of a tile, `with` first coefficients: limits numbers from .. to - 1 of tiles->due, which are
     * in their slots if the state `streams`, and writes their traces on borders.
     */
    void (*limit_due)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, const struct ewi_limiting *with,
                      bool streams, double *target, double *border, int32_t from, int32_t to, double *scratch);
    void (*border)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, const double *state, double *border,
                   int64_t first, int64_t last);
};

struct ewi_coupling;
struct ewi_coupled;

struct ewi_omp_level {
    const char *name, *description, *description_absent; /* the latter for a machine that has it not */
    int (*runs_here)(void);
    const struct ewi_omp_kernels *const *kernels[EW_MAX_ORDER]; /* of each order: an array over laws */
    /*
     * As many fma as the level can do at once, `steps` times, without touching memory; adds what they make, returns
     * their number.
     */
    double (*fma_chains)(int64_t steps, double *sum);
    const struct ewi_points *points; /* of each law */
    /* Rows first .. last - 1, multiples of all numbers of lanes, of interface elements of levels of time steps. */
    void (*couple)(const struct ewi_coupling *coupling, const struct ewi_coupled *of, int64_t first, int64_t last);
};

const struct ewi_omp_level *ewi_omp_level_at(int index); /* the best one first */
const struct ewi_omp_level *ewi_omp_best_level(void);          /* of this machine */

#endif
