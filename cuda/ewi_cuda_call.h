/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The argument of every kernel, the same struct for all; pointers are device addresses. Shared by host and device code.
 */
#ifndef EWI_CUDA_CALL_H
#define EWI_CUDA_CALL_H

#include "ewi_arguments.h"
#include "ewi_clock.h"
#include "ewi_formula.h"
#include "ewi_fused.h"
#include "ewi_scheme.h"

enum { EWI_CUDA_BLOCK = 256 }; /* threads of a block: the paper's choice */
enum { EWI_CUDA_GIVEN_AT_START = 4 };
enum { EWI_TRAIL_LAUNCH, EWI_TRAIL_STEP, EWI_TRAIL_LEAVES };
enum { EWI_CUDA_POINT_SHAPE = 5, EWI_CUDA_POINT_OUTPUTS = 2 * EW_MAX_VARIABLES + EW_MAX_DERIVED };
enum { EWI_CUDA_FROM_PRIMITIVE, EWI_CUDA_FROM_CONSERVED, EWI_CUDA_FROM_DERIVED };

/* Where a tile of boundary slots has its given state's formula: in the arrays `code` and `constant`. */
struct ewi_cuda_program {
    int32_t code, length, constant; /* length 0: it has none */
};

/*
 * State between two steps of the fused set. The last stage of a step stores its clock here unchanged, and the maximum
 * speed in the new state. Each thread block of the next step's first kernel computes that step's clock from these while
 * its loads are in flight, and one of them writes the clock for the kernels that follow. So no kernel waits for a whole
 * stage to complete.
 */
struct ewi_cuda_device_clock {
    /* of the next step; or, if `due`, of a completed step that has yet to be counted (ewi_clock_end) */
    struct ewi_clock clock;
    int64_t due;
    /* bits of the maximum speeds in the states after even and odd steps */
    uint64_t max_speed[2];
    /*
     * Those of the states that formulas give boundaries: at the end of steps, by their numbers' last two bits, and at
     * the state that a clock is started with. Of three steps in a row, one takes its number, one leaves it, and one
     * is still to begin with 0.
     */
    uint64_t given[EWI_CUDA_GIVEN_AT_START + 1];
    /* the limiter is pending: the next step's first stage applies it, or a pass if there is no next step */
    int64_t limiter_pending;
};

/*
 * Flags of a part whose GPU reaches those of all others: words that others write. The first ones count the numbers that
 * the part has sent and its reductions, and name the stage in which its own state became inadmissible. Then come, for
 * each rank, its keys (ewi_clock.h) and the changes of its state, each in two places used alternately.
 */
enum { EWI_FLAG_SENT, EWI_FLAG_REDUCTIONS, EWI_FLAG_INADMISSIBLE, EWI_FLAG_RANKS };
enum ewi_cuda_flag {
    EWI_FLAG_EVEN_KEY, EWI_FLAG_ODD_KEY, EWI_FLAG_EVEN_CHANGE, EWI_FLAG_ODD_CHANGE, EWI_FLAG_KINDS
};
#define EWI_GHOST_BUFFERS 4
#define EWI_HALF_NOT_SENT 0xfffbadedu /* twice: in place of what has not come; a NaN that no arithmetic makes */

/* Sends an interface element to the ghost buffer of another GPU: item `item` of a tile. */
struct ewi_cuda_message {
    double *tile;
    int32_t element, item;
};

struct ewi_cuda_peers {
    int32_t rank, ranks;
    /*
     * In a stage of the fused set: the blocks of the list that border on the ghost layer. They read it from `ghosts`,
     * and send their interface themselves.
     */
    int32_t interface_blocks, first_interface;
    int64_t sends; /* numbers in the whole interface */
    /* send_interface: elements of the ghost layer to discard, if nobody has read them since they arrived */
    int64_t drops;
    uint64_t *const *flags; /* [ranks]: the flags of each */
    const struct ewi_cuda_message *message; /* ordered by block number */
    /* Tiles of a state, from the one with the first ghost element on; the next buffer is `stride` doubles further. */
    double *ghosts;
    int64_t stride;
};

/* Points at which the state is sampled (sample_kernels.h); all that it names is on the device. */
struct ewi_cuda_points {
    int64_t count;
    const int32_t *element; /* [count], in the order of the state; below 0: none, and the value is NaN */
    const double *rs;       /* [count][2] */
    const double *shape;    /* [elements][EWI_CUDA_POINT_SHAPE]: xr, xs, yr, ys, determinant; NULL: no gradients */
    void *values;           /* [outputs][count], doubles or floats */
    int32_t order, single, primitive, outputs; /* primitive: whether some output is one */
    struct {
        int32_t from, index;                   /* EWI_CUDA_FROM_..., and which of these */
    } output[EWI_CUDA_POINT_OUTPUTS];
};

struct ewi_cuda_call {
    struct ewi_arguments a;
    struct ewi_clock *clock; /* of the step in hand; kernels do nothing once it has stopped */
    struct ewi_cuda_device_clock *device_clock; /* NULL for the paper's kernels, if no formula depends on t */
    int32_t begins, ends;    /* first kernel of a step; last stage of a step */
    int32_t stages;          /* of the Runge-Kutta scheme */
    /*
     * in the host's memory: number and step of the launch that began last, for the sentence on a fault; and whether
     * another part has failed
     */
    int64_t *trail;
    int32_t number, stage;   /* of this launch in its step; of the Runge-Kutta scheme, from 1 */
    double stage_time;       /* of ewi_stage */
    int64_t elements, slots, boundary_slots;
    const uint8_t *ghost;    /* of each tile of boundary slots: a number of EWI_GHOST_LIST */

    const double *state;
    double *target;
    double *rhs_volume, *rhs_surface, *rhs;
    int64_t right_offset;    /* from left to right contributions in rhs_surface */
    struct ewi_update update; /* step and kept_step are still to be multiplied by the clock's step */

    int32_t positive;        /* whether `target` is made positive (kernels/positive.h) */
    int32_t jump_sensor;     /* a stage of the fused set limits by a jump sensor */
    double *sensor;          /* jump sensor of the limiter, if stages do not include it (ewi_limiting.h) */
    /* a stage of the fused set limits on load; the first one of a step only if the limiter is pending */
    int32_t limits_on_load;
    int32_t leaves_pending;  /* the last stage of a step leaves the limiter pending */
    int32_t finalizes;       /* limits only if the limiter is pending; in advance_clock: runs after that */
    double *limited;         /* where it leaves that, if somebody else needs it; else NULL */
    /* states with the means of the update's arrays, where those have limited slopes only (EWI_PREFETCH) */
    const double *mean_of_base, *mean_of_term[EWI_MAX_TERMS];

    double *partial;         /* [blocks]: maxima */
    int64_t partials;
    double *before;          /* the state at the step's start */
    int64_t doubles;         /* of a state */

    /*
     * Given states by formulas of t, rows [ne][variables] of each boundary slot, at so many stages' times one after the
     * other.
     */
    const struct ewi_cuda_program *program; /* of each tile of boundary slots; NULL: there are none */
    const struct ewi_instruction *code;
    const double *constant, *point;
    double *given_now;
    double given_time[EWI_MAX_STAGES + 1];  /* as stage_time */
    int32_t given_times, given_speed;       /* given_speed: whether the speeds at the last of these count */
    int32_t ne, np, variables;
    int64_t first;                          /* of an arithmetic trial's numbers */

    /* The fused set's (ewi_fused.h). */
    const struct ewi_fused_block *block;
    const double *edge;    /* chunks of EWI_FUSED_EDGE_BYTES an edge */
    const int32_t *halo;
    /* for stages that limit on load: neighbours of each block's elements (ewi_fused_neighbour) */
    const uint32_t *neighbours;
    const uint64_t *halo_neighbours; /* ... and of each side of `halo` (ewi_fused_halo_neighbour) */
    const double *table, *shape;
    int32_t blocks, grid;  /* number of blocks, and of thread blocks that share them */
    int32_t halo_room, edge_room;
    int32_t prefetches;    /* stages of matrix variants prefetch the arrays that their updates read */
    struct ewi_fused_memory memory;
    double *ghosts;        /* of boundary slots, rows [ne][variables] */
    const double *changes; /* [changed]: maxima, as partial */
    int64_t changed;
    int32_t matrix;        /* of the fused set's variant (ewi_variants.h) */
    /* In a part: `packs` elements of a state, those of the list or all from `elements` on, [packs][rows]. */
    const int32_t *send_list;
    double *packed;
    int64_t packs;
    struct ewi_cuda_peers peers;
    const struct ewi_cuda_points *points;
    /* whether a state's rows are to be put in the fused set's order, or back in ewi_layout.h's */
    int32_t regroups;
};

/*
 * The argument of an ensemble's kernels: the calls of its members one after the other, and the member and block that
 * each thread block of the grid computes.
 */
struct ewi_cuda_place {
    int32_t member, block;
};

struct ewi_cuda_members {
    const struct ewi_cuda_call *call;
    const struct ewi_cuda_place *place;
};

#endif
