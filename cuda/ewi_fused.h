/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fused set: one kernel per Runge-Kutta stage. A thread block takes blocks of EWI_FUSED_ELEMENTS consecutive
 * elements, with all edges that touch them; an edge between two blocks is computed in both. What a block reads besides
 * the state is made here once, in the order in which it is read: shared by the host, which plans, and the kernels.
 *
 * Traces, and later the fluxes in their place, lie in shared memory at places of two variables (16 bytes), a plane for
 * each pair. Laws with gradients have the state and its diffusion there, and later the flux and S
 * (kernels/diffusion.h). Point e of side k of a block's element i is at ewi_fused_place(..) + e * EWI_FUSED_STRIDE of
 * its plane; places from EWI_FUSED_OWN on are sides just outside the block ("halo"), whose planes lie elsewhere, with a
 * stride of halo_room. Planes begin at multiples of eight places and strides are two more than one, so that a place's
 * remainder tells the banks of all its points.
 */
#ifndef EWI_FUSED_H
#define EWI_FUSED_H

#include "ewi_layout.h"
#include "ewi_variants.h"

#include <stdint.h>

enum {
    EWI_FUSED_MOST_VARIABLES = 4, /* two threads share a side of the halo, and four lanes a limited element */
    EWI_FUSED_SHAPE = 5,      /* rows of the geometry that elements need: EWI_XR .. EWI_INVERSE_DET */
    EWI_FUSED_MAP = 4         /* ... that gradients in halo cells need: EWI_XR .. EWI_YS */
};

#define EWI_FUSED_EDGE_DOUBLES(variant) (3 + EWI_FUSED_DIFFUSES(variant))
#define EWI_FUSED_EDGE_BYTES(variant) (8 * EWI_FUSED_EDGE_DOUBLES(variant) + 4)

#define EWI_FUSED_THREADS(variant) (32 * EWI_FUSED_WARPS(variant))
#define EWI_FUSED_ELEMENTS(variant) ((EWI_FUSED_MATRIX(variant) ? 8 : 32) * EWI_FUSED_WARPS(variant))
#define EWI_FUSED_MOST_ELEMENTS 192

struct ewi_fused_block {
    int32_t edge_first; /* a multiple of 4 */
    uint16_t edges, boundary_edges;
    int32_t halo_first, halos;
    int32_t number;                /* its elements are those from number * EWI_FUSED_ELEMENTS on */
    int32_t message_first, messages; /* in a part: the messages to other parts (ewi_cuda_message) */
    int32_t role; /* among levels of time steps, else 0: halvings of the step's length, and the bits below */
};
enum { EWI_FUSED_HALVINGS = 0xff, EWI_FUSED_KEEPS_RHS = 0x100, EWI_FUSED_ONLY_EDGES = 0x200 };
enum { EWI_FUSED_BLOCK_DOUBLES = (int)(sizeof(struct ewi_fused_block) / sizeof(double)) };

/*
 * Edges of a block, from byte edge_first * EWI_FUSED_EDGE_BYTES on, `room` being `edges` rounded up to a multiple of 4:
 *   double nx[room], ny[room], length[room]; uint16_t place[room][2] (of the left and the right trace)
 * For laws with gradients penalty[room] follows length. Of a side without an edge (ewi_grid.h) both places are its own.
 * A block's part of the list `halo` has element << 2 | side of each of its sides, and then the slots (ewi_grid.h) of
 * its boundary edges; the traces of ghosts follow those of the halo in the same order.
 */

/*
 * Neighbours, for stages that limit on load. Those of an own element, by sides: an element of the block or, from
 * EWI_FUSED_ELEMENTS on, a side of its halo; itself at a boundary. Those of a halo cell: the element of the block on
 * whose side it lies, which of its own sides that is, and two elements of the state, of its next side and the one after
 * that; itself at a boundary.
 */
#define EWI_FUSED_FAR_BITS 27 /* of an element of the state */
#define EWI_FUSED_NEAR_BITS 8 /* ... of a block */

EW_HD uint32_t ewi_fused_pack_neighbours(const int *place)
{
    return (uint32_t)place[0] | (uint32_t)place[1] << 10 | (uint32_t)place[2] << 20;
}

EW_HD int ewi_fused_neighbour(uint32_t neighbours, int side) { return (int)(neighbours >> 10 * side & 1023); }

EW_HD uint64_t ewi_fused_pack_halo_neighbours(int side, int own, int32_t next, int32_t last)
{
    return ((uint64_t)side << EWI_FUSED_NEAR_BITS | (uint64_t)own) << 2 * EWI_FUSED_FAR_BITS |
           (uint64_t)last << EWI_FUSED_FAR_BITS | (uint64_t)next;
}

EW_HD int ewi_fused_halo_side(uint64_t halo_neighbours)
{
    return (int)(halo_neighbours >> (2 * EWI_FUSED_FAR_BITS + EWI_FUSED_NEAR_BITS));
}

EW_HD int ewi_fused_halo_own(uint64_t halo_neighbours)
{
    return (int)(halo_neighbours >> 2 * EWI_FUSED_FAR_BITS & ((1 << EWI_FUSED_NEAR_BITS) - 1));
}

/* last: 0 or 1. */
EW_HD int64_t ewi_fused_halo_neighbour(uint64_t halo_neighbours, int last)
{
    return (int64_t)(halo_neighbours >> last * EWI_FUSED_FAR_BITS & ((1 << EWI_FUSED_FAR_BITS) - 1));
}

/*
 * The place of basis function j = 4 four + t of variable m of element e of a tile in a state on the device. In the rows
 * of eight elements of ewi_layout.h, each number of an element is in a sector of memory (32 bytes) of its own, of which
 * a block that loads this element alone uses a quarter. Where an element has a thread, rows are interleaved in pairs,
 * element by element, and a thread loads and stores a pair at once; the first rows of all variables come first, so a
 * load of an element's means gets those of two variables at once. Where an element has four lanes, which load four rows
 * of a variable at once, four rows are interleaved; the remaining rows of the variables share sectors behind all
 * others. Lane 4 e + t has address 4 e + t plus a constant for all lanes, as far as possible.
 */
EW_HD int ewi_fused_row(int matrix, int variables, int np, int m, int four, int t, int e)
{
    int left = np % 4, fours = np - left, rest = EWI_TILE * variables * fours, row = (4 * four + t) * variables + m;
    if (!matrix)
        return row < (variables * np & ~1) ? EWI_TILE * (row & ~1) + (row & 1) + 2 * e : EWI_TILE * row + e;
    if (4 * four < fours)
        return EWI_TILE * (m * fours + 4 * four) + (4 * e + t);
    if (left == 1)
        return rest + variables * e + m;
    if (left == 2 && (m | 1) < variables)
        return rest + 4 * EWI_TILE * (m / 2) + 2 * (m % 2) + (4 * e + t);
    if (left == 3 && variables == 4)
        return m < 3 ? rest + 4 * EWI_TILE * m + (4 * e + t) : rest + 4 * EWI_TILE * t + 4 * e + 3;
    return rest + left * (EWI_TILE * m + e) + t;
}

/*
 * How many of these groups of four rows there are, at the tile's begin: all but what is left of some numbers of
 * variables.
 */
EW_HD int ewi_fused_fours(int variables, int np)
{
    int left = np % 4, fours = variables * (np / 4);
    return left == 2 ? fours + variables / 2 : left > 0 && variables == 4 ? fours + left : fours;
}

/* Places of a block: stride between the points of its own elements' sides, and where the halo's begin. */
#define EWI_FUSED_STRIDE(variant) (EWI_FUSED_ELEMENTS(variant) + 2)
#define EWI_FUSED_OWN(variant, ne) (3 * (ne)*EWI_FUSED_STRIDE(variant))
#define EWI_FUSED_PLANE(variant, ne) (EWI_FUSED_UP(EWI_FUSED_OWN(variant, ne), 8) * 8)

EW_HD int ewi_fused_place(int variant, int ne, int side, int element)
{
    return side * ne * EWI_FUSED_STRIDE(variant) + element;
}

/*
 * ---- tables as operands of products of small matrices ----
 *
 * A warp multiplies (16 x 4) (4 x 8): rows are eight elements with one variable each, and again with another one; lane
 * 4 g + t holds element g. Column n of product G is index 8 G + 4 (n & 1) + (n >> 1) of a table, so that what a lane
 * gets from one product is what it has to give to the next. A fragment is the right factor, a double a lane.
 */
#define EWI_FUSED_UP(a, b) (((a) + (b)-1) / (b))
#define EWI_FUSED_KS(np) EWI_FUSED_UP(np, 4)  /* steps over basis functions */
#define EWI_FUSED_KQ(nq) EWI_FUSED_UP(nq, 4)  /* ... over volume points */
#define EWI_FUSED_KE(ne) EWI_FUSED_UP(ne, 4)  /* ... over a side's points */
#define EWI_FUSED_GE(ne) EWI_FUSED_UP(3 * (ne), 8) /* products whose columns are the points of the sides */
#define EWI_FUSED_GQ(nq) EWI_FUSED_UP(nq, 8)
#define EWI_FUSED_GJ(np) EWI_FUSED_UP(np, 8)

/* Tables for each operator: values and, for laws with gradients, derivatives along r and s, one after the other. */
#define EWI_FUSED_TABLES(variant) (EWI_FUSED_DIFFUSES(variant) ? 3 : 1)
#define EWI_FUSED_SIDE_FRAGMENTS(np, ne) (EWI_FUSED_GE(ne) * EWI_FUSED_KS(np))
#define EWI_FUSED_POINT_FRAGMENTS(np, nq) (EWI_FUSED_GQ(nq) * EWI_FUSED_KS(np))
#define EWI_FUSED_LIFT_FRAGMENTS(np, ne) (3 * EWI_FUSED_KE(ne) * EWI_FUSED_GJ(np))
#define EWI_FUSED_AT_SIDES 0
#define EWI_FUSED_AT_POINTS(variant, np, ne) (EWI_FUSED_TABLES(variant) * EWI_FUSED_SIDE_FRAGMENTS(np, ne))
#define EWI_FUSED_AT_GRADIENTS(variant, np, nq, ne) \
    (EWI_FUSED_AT_POINTS(variant, np, ne) + EWI_FUSED_TABLES(variant) * EWI_FUSED_POINT_FRAGMENTS(np, nq))
#define EWI_FUSED_AT_LIFT(variant, np, nq, ne) \
    (EWI_FUSED_AT_GRADIENTS(variant, np, nq, ne) + 2 * EWI_FUSED_KQ(nq) * EWI_FUSED_GJ(np))
#define EWI_FUSED_FRAGMENTS(variant, np, nq, ne) \
    (EWI_FUSED_AT_LIFT(variant, np, nq, ne) + EWI_FUSED_TABLES(variant) * EWI_FUSED_LIFT_FRAGMENTS(np, ne))
/*
 * In doubles. Where an element has a thread there are no products, but the side table [side][j][ne], for sides of the
 * halo.
 */
#define EWI_FUSED_TABLE(variant, np, nq, ne) \
    (EWI_FUSED_MATRIX(variant) ? 32 * EWI_FUSED_FRAGMENTS(variant, np, nq, ne) : 3 * (np) * (ne))

EW_HD int ewi_fused_column(int product, int n) { return 8 * product + 4 * (n & 1) + (n >> 1); }

/* ---- shared memory of a thread block, in doubles; every part begins at 16 bytes ---- */

/*
 * A block's own coefficients are on their way while the one before it is computed, and those of the halo in rounds of
 * eight sides a warp. So are shapes, but where an element has a thread, whose registers they reach as early as they are
 * needed.
 */
#define EWI_FUSED_SHAPES(variant) EWI_FUSED_MATRIX(variant)
#define EWI_FUSED_ROUNDS(variant) (EWI_FUSED_MATRIX(variant) ? 1 : 2)
#define EWI_FUSED_SIDES_A_ROUND(variant) (8 * EWI_FUSED_WARPS(variant))
/* The maps of elements behind a round's sides of the halo, tiles of EWI_FUSED_MAP rows. */
#define EWI_FUSED_HALO_MAPS(variant) /* doubles */ \
    (EWI_FUSED_DIFFUSES(variant) * EWI_FUSED_ROUNDS(variant) * EWI_FUSED_SIDES_A_ROUND(variant) * EWI_FUSED_MAP)
#define EWI_FUSED_HALO(variant, variables, np) /* doubles */ \
    (EWI_FUSED_ROUNDS(variant) * EWI_FUSED_SIDES_A_ROUND(variant) * (variables) * (np))
/*
 * True if a block's edges are distributed from the last warp on: the first warps have other work at that time. This
 * requires a power of two of warps, and more edges than threads.
 */
#define EWI_FUSED_BACKWARDS(variant) (EWI_FUSED_WARPS(variant) == 8)
/* True if a flux of so many operations takes long: it needs registers, and leaves memory idle. */
#define EWI_FUSED_TAKES_LONG(operations) ((operations) > 100)
/*
 * True if a stage can find the states behind boundary edges, which saves the launch of eval_ghosts: 9 to 15 % of the
 * time of small meshes. Not for laws with gradients, which need fluxes there, nor from order 4 on, for lack of
 * registers. At orders 2 and 3 those of plain steps (fused/stage_kernels.h) cannot either: it costs them 1 and 7 %.
 */
#define EWI_FUSED_FINDS_GHOSTS(variant) (EWI_FUSED_ORDER(variant) < 4 && !EWI_FUSED_DIFFUSES(variant))
#define EWI_FUSED_FINDS_GHOSTS_IF_PLAIN(variant) (EWI_FUSED_ORDER(variant) < 2 && !EWI_FUSED_DIFFUSES(variant))
/* True if the update's first loads are issued before the side sums, which requires registers. */
#define EWI_FUSED_EARLY(variant) (EWI_FUSED_ORDER(variant) < 3)
/* Ring buffer of descriptions: of the current block and the two after it. */
#define EWI_FUSED_DESCRIPTIONS 4
#define EWI_FUSED_GATES 2

/* The current step as all threads of a thread block need it, once the first one has read the clock. */
enum ewi_fused_state { EWI_FUSED_STOPPED, EWI_FUSED_RUNS, EWI_FUSED_INADMISSIBLE };
struct ewi_fused_step {
    double step, kept_step;  /* of the update, with the step's length multiplied in */
    double length;
    const double *ghosts;    /* in a part: the address at which the ghost layer would follow the state */
    int32_t state;           /* enum ewi_fused_state; inadmissible: a stage before this one has found out */
    int32_t odd;             /* the step's number is odd */
    int32_t limiter_pending; /* in a stage that limits on load: of the state that it loads */
    int32_t padding;
};
enum { EWI_FUSED_STEP_DOUBLES = (int)(sizeof(struct ewi_fused_step) / sizeof(double)) };

struct ewi_fused_memory {
    /* known when kernels are compiled; halo: behind staged */
    int table, staged, halo, halo_map, shape, description, gate, steps, own;
    int outer, edges, doubles;
    int outer_plane; /* places from a pair of variables of the halo's traces to the next */
    /*
     * For stages with a jump sensor: first coefficients of own elements and then of the halo's, [2 pairs]; and for own
     * sides, element by element in rows of EWI_FUSED_STRIDE, the jump at each point, that of means, and the length.
     */
    int first, jump, sensor_doubles; /* sensor_doubles: all doubles, with these */
    /* For stages that limit on load: neighbours of own elements, and of the halo cells of the rounds. */
    int neighbours, halo_neighbours, limiting;
};

#define EWI_FUSED_JUMP_ROWS(ne) ((ne) + 2) /* of a side */

/* edge_values: numbers at a point of an edge (EWI_EDGE_VALUES) */
EW_HD struct ewi_fused_memory ewi_fused_memory(int variant, int variables, int edge_values, int np, int nq, int ne,
                                               int halo_room, int edge_room)
{
    struct ewi_fused_memory m;
    int elements = EWI_FUSED_ELEMENTS(variant), pairs = (edge_values + 1) / 2;
    m.table = 0;
    m.staged = m.table + EWI_FUSED_UP(EWI_FUSED_TABLE(variant, np, nq, ne), 2) * 2;
    m.halo = m.staged + elements * variables * np;
    m.halo_map = m.halo + EWI_FUSED_HALO(variant, variables, np);
    m.shape = m.halo_map + EWI_FUSED_HALO_MAPS(variant);
    m.description = m.shape + EWI_FUSED_SHAPES(variant) * elements * EWI_FUSED_SHAPE;
    m.gate = m.description + EWI_FUSED_BLOCK_DOUBLES * EWI_FUSED_DESCRIPTIONS;
    m.steps = m.gate + EWI_FUSED_GATES;
    m.own = EWI_FUSED_UP(m.steps + EWI_FUSED_STEP_DOUBLES, 16) * 16;
    m.outer = m.own + 2 * pairs * EWI_FUSED_PLANE(variant, ne);
    m.outer_plane = EWI_FUSED_UP(ne * halo_room, 8) * 8;
    m.edges = m.outer + 2 * pairs * m.outer_plane;
    m.doubles = m.edges + EWI_FUSED_UP(edge_room * EWI_FUSED_EDGE_BYTES(variant), 16) * 2;
    m.first = m.doubles;
    m.jump = m.first + (elements + halo_room) * 2 * ((variables + 1) / 2);
    m.sensor_doubles = m.jump + 3 * EWI_FUSED_JUMP_ROWS(ne) * EWI_FUSED_STRIDE(variant);
    m.neighbours = m.doubles;
    m.halo_neighbours = m.neighbours + elements / 2;
    m.limiting = m.halo_neighbours + EWI_FUSED_ROUNDS(variant) * EWI_FUSED_SIDES_A_ROUND(variant);
    return m;
}

#endif
