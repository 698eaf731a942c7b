/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arguments of kernels, by value: a struct for each operation or family of operations. All begin with the head,
 * which says where the kernel is in its step. Pointers are device addresses. Shared by host and device code.
 */
#ifndef EWI_CUDA_CALL_H
#define EWI_CUDA_CALL_H

#include "ewi_arguments.h"
#include "ewi_clock.h"
#include "ewi_coupling.h"
#include "ewi_formula.h"
#include "ewi_fused.h"
#include "ewi_level_kinds.h"
#include "ewi_scheme.h"

enum { EWI_CUDA_BLOCK = 256 }; /* threads of a block: the paper's choice */
#define EWI_CUDA_LANES 32 /* items of a list that a warp has, where threads share the work on an item */
enum { EWI_CUDA_GIVEN_AT_START = 4 };
enum { EWI_TRAIL_LAUNCH, EWI_TRAIL_STEP, EWI_TRAIL_LEAVES };
enum { EWI_CUDA_POINT_SHAPE = 5, EWI_CUDA_POINT_OUTPUTS = 2 * EW_MAX_VARIABLES + EW_MAX_DERIVED };
enum { EWI_CUDA_FROM_PRIMITIVE, EWI_CUDA_FROM_CONSERVED, EWI_CUDA_FROM_DERIVED };

/* Where a tile of boundary slots has its given state's formula: in the arrays `code`, `constant` and `raster`. */
struct ewi_cuda_program {
    int32_t code, length, constant, raster; /* length 0: it has none */
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
    int32_t stages_before; /* of a member of an ensemble with levels of time steps: stages before the present instant */
};

/*
 * Flags of a part whose GPU reaches those of all others: words that others write. The first ones count the numbers that
 * the part has sent and its reductions, and name the stage in which its own state became inadmissible. Then come, for
 * each rank, its keys (ewi_clock.h), the changes of its state and, with levels of time steps, a flag that its
 * interface has been sent, each in two places used alternately.
 */
enum { EWI_FLAG_SENT, EWI_FLAG_REDUCTIONS, EWI_FLAG_INADMISSIBLE, EWI_FLAG_RANKS };
enum ewi_cuda_flag {
    EWI_FLAG_EVEN_KEY, EWI_FLAG_ODD_KEY, EWI_FLAG_EVEN_CHANGE, EWI_FLAG_ODD_CHANGE, EWI_FLAG_EVEN_LEVELS,
    EWI_FLAG_ODD_LEVELS, EWI_FLAG_KINDS
};
#define EWI_GHOST_BUFFERS 4
#define EWI_LEVEL_GHOST_BUFFERS 2 /* with levels of time steps (part_kernels.h) */
#define EWI_HALF_NOT_SENT 0xfffbadedu /* twice: in place of what has not come; a NaN that no arithmetic makes */

/* Sends an interface element to the ghost buffer of another GPU: item `item` of a tile or, with levels, all of it. */
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
    const struct ewi_cuda_message *message; /* ordered by block number; with levels of time steps, by place */
    /*
     * Tiles of a state, from the one with the first ghost element on, or with levels elements by place; the next buffer
     * is `stride` doubles further.
     */
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

/* ---- arguments ---- */

struct ewi_cuda_head {
    struct ewi_clock *clock; /* of the current step; kernels do nothing once it has stopped */
    struct ewi_cuda_device_clock *device_clock; /* NULL for the paper's kernels of one part without formulas of t */
    /* in the host's memory (EWI_TRAIL_...): for the sentence on a fault, and whether another part has failed */
    int64_t *trail;
    int32_t number, stage;   /* of this launch in its step; of the Runge-Kutta scheme, from 1 */
    int32_t stages;          /* of the scheme */
    int32_t begins;          /* first kernel of a step */
    /* after the last step: limits the state only if the limiter is pending; advance_clock then clears that flag */
    int32_t finalizes;
    int32_t in_instants;     /* `stage` is to be counted on from the device clock's stages_before */
    /* formulas of t for given states: of each tile of boundary slots; NULL: there are none */
    const struct ewi_cuda_program *program;
};

/* Levels of time steps, whose steps have lengths and times of their own. */
struct ewi_cuda_steps {
    const uint8_t *level;   /* of each tile of elements, or of slots; NULL: there is one level */
    int32_t levels, stages; /* stages: of the scheme; the head's stage counts those of all instants of a macro step */
};

/* Common head of calls over a list of elements. */
struct ewi_cuda_listed {
    struct ewi_cuda_head head;
    const struct ewi_range *list; /* items of each thread block, at most EWI_CUDA_BLOCK; NULL: all, block by block */
};

/* eval_speed: the maximum speed of each thread block's elements. */
struct ewi_cuda_speed {
    struct ewi_cuda_head head;
    const struct ewi_range *list; /* as in ewi_cuda_listed */
    struct ewi_arguments a;
    int64_t elements;
    const double *state;
    double *partial; /* [blocks]: maxima; NULL: they go to the device clock, as those of a step's last stage */
    int32_t ends;    /* ends the step, of which no stage is the last one */
};

/* begin_step, end_step, advance_clock: from maxima to the clock. */
struct ewi_cuda_reduce {
    struct ewi_cuda_head head;
    const double *partial; /* [partials]: maxima of speeds, or of changes at a step's end */
    int64_t partials;
};

/* all_reduce: likewise, with other parts. */
struct ewi_cuda_all_reduce {
    struct ewi_cuda_head head;
    int32_t ends; /* at a step's end */
    double *partial;
    int64_t partials;
    struct ewi_cuda_peers peers;
};

/* keep_state, eval_change: a step's change, in the steady case. */
struct ewi_cuda_change {
    struct ewi_cuda_head head;
    const double *state;
    double *before;  /* the state at the step's start */
    int64_t doubles; /* of a state */
    double *partial; /* [partials] */
    int64_t partials; /* also the number of thread blocks */
};

/* next_instant: of the macro step of each member of an ensemble. */
struct ewi_cuda_instants {
    struct ewi_cuda_head head;
    struct ewi_cuda_device_clock *device_clock; /* [members] */
    int32_t members, stages, of_macro_step;     /* stages of an instant, and of all of them */
};

/* eval_given: given states by formulas, at so many stages' times one after the other. */
struct ewi_cuda_given {
    struct ewi_cuda_head head;
    double parameter[EW_MAX_PARAMETERS];
    const uint8_t *ghost;                   /* as in ewi_cuda_integrals */
    const double *normal;                   /* as in ewi_arguments */
    const int32_t *left;
    const double *volume_field, *width_ratio; /* as in ewi_arguments */
    int64_t boundary_slots;
    int32_t ne;
    const struct ewi_instruction *code;
    const double *constant, *point;
    const struct ewi_raster_use *raster;
    double *given;                          /* rows [ne][variables] of each boundary slot, for each time */
    double given_time[EWI_MAX_STAGES + 1];  /* as ewi_stage's */
    int32_t given_times, given_speed;       /* given_speed: whether the speeds at the last of these count */
    int32_t top;                            /* the highest active level of `steps` */
    struct ewi_cuda_steps steps;
};

/* eval_source: the integrals of sources in tiles that have them (ewi_source_of), laid out like the state. */
enum {
    EWI_CUDA_SOURCE_BLOCK = 128,   /* threads of a block */
    EWI_CUDA_SOURCE_ELEMENTS = 32, /* elements that a block takes at a time */
    EWI_CUDA_SOURCE_GROUPS = EWI_CUDA_SOURCE_BLOCK / EWI_CUDA_SOURCE_ELEMENTS
};
struct ewi_cuda_sources {
    struct ewi_cuda_head head;
    const struct ewi_range *list; /* as in ewi_cuda_listed */
    struct ewi_arguments a; /* width: also 0 and -1 (source_kernel.h) */
    const double *state;
    double *sources;
    double time; /* as ewi_stage's */
    struct ewi_cuda_steps steps;
};

/* eval_volume, eval_surface, eval_rhs. */
struct ewi_cuda_integrals {
    struct ewi_cuda_head head;
    const struct ewi_range *list; /* as in ewi_cuda_listed */
    struct ewi_arguments a;
    int64_t slots, boundary_slots;
    const uint8_t *ghost;    /* of each tile of boundary slots: a number of EWI_GHOST_LIST */
    const double *state;
    const double *sources;
    double *rhs_volume, *rhs_surface, *rhs;
    int64_t right_offset;    /* from left to right contributions in rhs_surface */
};

struct ewi_cuda_update {
    struct ewi_cuda_head head;
    const struct ewi_range *list; /* as in ewi_cuda_listed */
    struct ewi_arguments a;
    int64_t elements;
    const double *rhs;
    double *target;
    struct ewi_update update; /* step and kept_step are still to be multiplied by the clock's step */
    const uint8_t *kind;      /* of each tile: enum ewi_level_kind; NULL: there is one level */
    struct ewi_cuda_steps steps;
};

/* jump_sensor, limit_c, make_positive. */
struct ewi_cuda_limit {
    struct ewi_cuda_head head;
    const struct ewi_range *list; /* as in ewi_cuda_listed */
    struct ewi_arguments a;
    int64_t slots, boundary_slots;
    const double *state;
    double *target, *sensor; /* sensor: of the limiter, if it has one (ewi_limiting.h) */
    int32_t positive;        /* whether `target` is made positive (kernels/positive.h) */
    struct ewi_cuda_steps steps;
};

/*
 * sense_edges, find_own_alpha, find_alpha, list_divided; divide_elements, touched_fluxes, lift_volumes: what they write
 * is in a.subcells.
 */
struct ewi_cuda_subcells {
    struct ewi_cuda_head head;
    const struct ewi_range *list; /* as in ewi_cuda_listed */
    struct ewi_arguments a;
    int64_t elements, connected, slots, threads; /* connected: with the ghost layer; threads: of the whole grid */
    int32_t order;
    const double *state;
    const double *given_now; /* as in ewi_cuda_outflow */
    int32_t top;                 /* the highest level that is active at an instant, */
    const uint8_t *kind, *level; /* ... and of each tile enum ewi_level_kind and level; NULL: there is one level */
    const int32_t *original;     /* of ewi_level_plan */
};

/* eval_ghosts: the states behind boundary edges, or, for laws with gradients, the fluxes; for a fused stage. */
struct ewi_cuda_ghosts {
    struct ewi_cuda_head head;
    const struct ewi_range *list; /* as in ewi_cuda_listed */
    struct ewi_arguments a;
    int64_t boundary_slots;
    const uint8_t *ghost;    /* as in ewi_cuda_integrals */
    const double *state;
    const double *given_now; /* given states by formulas, at the stage's time */
    double *ghosts;          /* of boundary slots, rows [ne][edge_values] (ewi_laws.h) */
    int32_t limits_on_load, limiter; /* as in ewi_cuda_stage; number of EWI_LIMITERS */
};

/* eval_outflow: adds the flux through boundary edges to its integral over time. */
struct ewi_cuda_outflow {
    struct ewi_cuda_head head;
    const struct ewi_range *list; /* as in ewi_cuda_listed */
    struct ewi_arguments a;
    int64_t boundary_slots;
    const uint8_t *ghost;    /* as in ewi_cuda_integrals */
    const double *state;
    const double *given_now; /* as in ewi_cuda_ghosts; NULL: all are in a.given */
    double weight;           /* of the stage in the step, to be multiplied by the clock's step */
    double *outflow;         /* of boundary slots, rows [variables] */
    int32_t top;             /* as in ewi_cuda_given */
    struct ewi_cuda_steps steps;
};

/* A stage of the fused set (ewi_fused.h). */
struct ewi_cuda_stage {
    struct ewi_cuda_head head;
    struct ewi_arguments a;
    int64_t elements;
    const double *state;
    double *target;           /* NULL: none, only the right-hand side */
    double *rhs;              /* of blocks that only keep theirs (EWI_FUSED_KEEPS_RHS) */
    struct ewi_update update; /* as in ewi_cuda_update */
    int32_t ends;             /* last stage of a step */
    int32_t positive;         /* as in ewi_cuda_limit */
    /* the state is limited on load; in the first stage of a step only if the limiter is pending */
    int32_t limits_on_load;
    int32_t leaves_pending;   /* the last stage of a step leaves the limiter pending */
    double *limited;          /* where the limited state is stored, if a later stage needs it; else NULL */
    /* states with the means of the update's arrays, where those have limited slopes only (EWI_PREFETCH) */
    const double *mean_of_base, *mean_of_term[EWI_MAX_TERMS];
    const struct ewi_fused_block *block;
    const double *edge;       /* chunks of EWI_FUSED_EDGE_BYTES an edge */
    const int32_t *halo;
    /* for stages that limit on load: neighbours of each block's elements (ewi_fused_neighbour) */
    const uint32_t *neighbours;
    const uint64_t *halo_neighbours; /* ... and of each side of `halo` (ewi_fused_halo_neighbour) */
    const double *table, *shape;
    const double *ghosts;     /* by eval_ghosts; NULL: the stage finds them */
    const uint8_t *ghost;     /* as in ewi_cuda_integrals */
    int32_t replaces;         /* some ghost replaces the inner state */
    const double *sources;    /* by eval_source; NULL: there are none */
    int32_t blocks, grid;     /* number of blocks, and of thread blocks that share them */
    int32_t halo_room, edge_room;
    int32_t prefetches;       /* stages of matrix variants prefetch the arrays that their updates read */
    struct ewi_fused_memory memory;
    struct ewi_cuda_peers peers;
};

/* Where elements of a level of time steps begin (ewi_level_plan.h); coupled: in arrays of interface elements alone. */
struct ewi_cuda_level {
    int32_t coupled, own, view;
    int32_t sum;
};

/*
 * couple: a stage of interface elements and their views (kernels/couple.h), of levels 1 .. highest. find_rooms, over a
 * bed: how much water their edges may take then (ewi_bed_room.h), or at the start of a step.
 */
struct ewi_cuda_couple {
    struct ewi_cuda_head head;
    struct ewi_arguments a;
    struct ewi_coupling coupling;
    int32_t levels, top, highest; /* top: the highest level whose own steps have this stage */
    struct ewi_cuda_level level[EW_MAX_STEP_LEVELS];
    double *rhs;                 /* over a bed, mean rates replace it */
    double *k, *sum, *q, *slope; /* as in ewi_coupled */
    int32_t closes;              /* views that are elements' new states go there, too */
    const double *base, *source; /* states; base: at the step's start */
    double *target;
    double *room;         /* [a.padded]; NULL: the law has no bed */
    int32_t elements;     /* find_rooms: interface elements */
    int32_t begins, none; /* begins: a step starts with `base`; none: the slot of sides without an edge */
};

/* spread_means: means of register 0 to all others, which limiters of neighbours read. */
struct ewi_cuda_spread {
    struct ewi_cuda_head head;
    const struct ewi_range *list; /* as in ewi_cuda_listed */
    int64_t width, padded;
    int32_t registers;
    double *state[EWI_MAX_REGISTERS];
};

/* move_views: new states of interface elements from their views, or the other way, of levels 1 .. highest. */
struct ewi_cuda_views {
    struct ewi_cuda_head head;
    int32_t highest, rows;
    int32_t elements; /* all interface elements of these levels */
    int32_t back;     /* to the views */
    struct ewi_cuda_level level[EW_MAX_STEP_LEVELS];
    double *state;
};

/* give_state: the state of levels of time steps in the order of the whole plan, and in rows of ewi_layout.h's. */
struct ewi_cuda_give {
    struct ewi_cuda_head head;
    int32_t variables, np, matrix, grouped; /* grouped: in the fused set's order; matrix: of its variant */
    int64_t elements, doubles;              /* of the whole plan, with the ghost layer, and of its state */
    const int32_t *local;                   /* [elements]: numbers in the plan of the levels */
    const double *state;
    double *target;
};

/* try_states: of faster neighbours of interface elements (ewi_level_plan.h), and of sums. */
struct ewi_cuda_trials {
    struct ewi_cuda_head head;
    const struct ewi_range *list; /* as in ewi_cuda_listed */
    struct ewi_arguments a;
    int32_t levels, stage;      /* stage: of the scheme, from 1 */
    int32_t first, elements;    /* elements first .. elements - 1 */
    const int32_t *original;    /* [elements]: numbers of the elements that they are states of */
    const uint8_t *kind, *level; /* of each tile: enum ewi_level_kind, and the level of the interface elements */
    double weight;              /* a_21 of the scheme */
    const double *base, *rhs;   /* base: the state at the step's start */
    double *state;
};

/*
 * pack_interface, unpack_ghosts, send_interface, receive_ghosts: of a part; send_levels, receive_levels: of one with
 * levels of time steps.
 */
struct ewi_cuda_interface {
    struct ewi_cuda_head head;
    int64_t elements;
    int32_t variables, np, matrix; /* matrix: of the fused set's variant (ewi_variants.h) */
    int64_t width;                 /* of the state's tiles in ewi_layout.h's order; 0: it is in the fused set's */
    double *target;
    double *room; /* NULL, or numbers of elements that go ahead of their states, when these are packed */
    /* `packs` elements of a state, those of the list or all from `elements` on: [packs][rows]; with room [1 + rows] */
    const int32_t *list;
    double *packed;
    int64_t packs;
    struct ewi_cuda_peers peers;
    /* Levels: `list` has places among all that may be sent or received; of the latter, which element that is. */
    const int32_t *received;
    int32_t odd; /* the buffer that this exchange takes */
};

/* regroup: puts a state's rows in the fused set's order, or back in ewi_layout.h's. */
struct ewi_cuda_regroup {
    struct ewi_cuda_head head;
    int32_t variables, np, matrix; /* as in ewi_cuda_interface */
    int32_t regroups;              /* in the fused set's order */
    const double *state;
    double *target;
};

struct ewi_cuda_sample {
    struct ewi_cuda_head head;
    double parameter[EW_MAX_PARAMETERS];
    const double *volume_field; /* as in ewi_arguments */
    int64_t width; /* of the state's tiles */
    const double *state;
    const struct ewi_cuda_points *points;
};

/* check_products, check_arithmetic, measure_fma, measure_matrix. */
struct ewi_cuda_check {
    struct ewi_cuda_head head;
    const double *factor; /* of products */
    int64_t first;        /* seed of the random operands */
    int64_t tries;        /* operands, or loops, a thread */
    double *partial;      /* counts, or a number of operations */
};

union ewi_cuda_call {
    struct ewi_cuda_head head;
    struct ewi_cuda_listed listed;
    struct ewi_cuda_speed speed;
    struct ewi_cuda_reduce reduce;
    struct ewi_cuda_all_reduce all_reduce;
    struct ewi_cuda_change change;
    struct ewi_cuda_instants instants;
    struct ewi_cuda_given given;
    struct ewi_cuda_sources sources;
    struct ewi_cuda_integrals integrals;
    struct ewi_cuda_update update;
    struct ewi_cuda_limit limit;
    struct ewi_cuda_subcells subcells;
    struct ewi_cuda_couple couple;
    struct ewi_cuda_spread spread;
    struct ewi_cuda_views views;
    struct ewi_cuda_trials trials;
    struct ewi_cuda_give give;
    struct ewi_cuda_ghosts ghosts;
    struct ewi_cuda_outflow outflow;
    struct ewi_cuda_stage stage;
    struct ewi_cuda_interface interface;
    struct ewi_cuda_regroup regroup;
    struct ewi_cuda_sample sample;
    struct ewi_cuda_check check;
};

/*
 * The argument of an ensemble's kernels: the calls of its members one after the other, and the member and block that
 * each thread block of the grid computes.
 */
struct ewi_cuda_place {
    int32_t member, block;
};

struct ewi_cuda_members {
    const void *call; /* [members], of the kernel's struct */
    const struct ewi_cuda_place *place;
};

#endif
