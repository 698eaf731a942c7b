/*
 * The fused set: one kernel per Runge-Kutta stage. A thread block takes blocks of EWI_FUSED_ELEMENTS consecutive elements, with all
 * edges that touch them; an edge between two blocks is computed in both. What a block reads besides the state is made here once,
 * in the order in which it is read: shared by the host, which plans, and the kernels.
 *
 * Traces, and later the fluxes in their place, lie in shared memory at places of two variables (16 bytes), a plane for each pair.
 * Point e of side k of a block's element i is at ewi_fused_place(..) + e * EWI_FUSED_STRIDE of its plane; places from EWI_FUSED_OWN
 * on are sides just outside the block ("halo"), whose planes lie elsewhere, with a stride of halo_room. Planes begin at multiples of
 * eight places and strides are two more than one, so that a place's remainder tells the banks of all its points.
 */
#ifndef EWI_FUSED_H
#define EWI_FUSED_H

#include "ewi_layout.h"

#include <stdint.h>

enum {
    EWI_FUSED_SHAPE = 5,      /* rows of the geometry that elements need: EWI_XR .. EWI_INVERSE_DET */
    EWI_FUSED_EDGE_BYTES = 3 * 8 + 4
};

/*
 * p = 1: a thread per element; from p = 2 on four lanes of a warp, which multiplies small matrices. Larger blocks have fewer sides to
 * others, smaller ones wait less for each other (measured: bench/results).
 */
#define EWI_FUSED_WARPS(order) ((order) == 2 ? 10 : (order) == 3 ? 8 : (order) == 4 ? 6 : 4)
#define EWI_FUSED_THREADS(order) (32 * EWI_FUSED_WARPS(order))
#define EWI_FUSED_ELEMENTS(order) ((order) == 1 ? EWI_FUSED_THREADS(order) : 8 * EWI_FUSED_WARPS(order))
#define EWI_FUSED_MOST_ELEMENTS 128

struct ewi_fused_block {
    int32_t edge_first; /* a multiple of 4 */
    uint16_t edges, rims; /* rims: boundary edges */
    int32_t halo_first, halos;
};

/*
 * Edges of a block, from byte edge_first * EWI_FUSED_EDGE_BYTES on, `room` being `edges` rounded up to a multiple of 4:
 *   double nx[room], ny[room], length[room]; uint16_t place[room][2] (of the left and the right trace)
 * A block's part of the list `halo` has element << 2 | side of each of its sides, and then the slots (ewi_grid.h) of its boundary
 * edges; the traces of ghosts follow those of the halo in the same order.
 */

/*
 * Where basis function j of variable m of element e of a tile lies in a state on the device: at p = 1 as ewi_layout.h has it. From p = 2 on
 * four lanes share an element, and ask for four rows of a variable at once: those lie side by side, element by element, so that they
 * are one sector of memory (32 bytes), and who wants one element of a tile gets no others with it. What is left of variables after their
 * last four shares sectors behind all others. Lane 4 e + t has address 4 e + t plus what is the same for all lanes, as far as that goes.
 */
EW_HD int ewi_fused_row(int order, int variables, int np, int m, int four, int t, int e) /* j = 4 four + t */
{
    int left = np % 4, fours = np - left, rest = EWI_TILE * variables * fours;
    if (order == 1)
        return EWI_TILE * (m * np + 4 * four + t) + e;
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

/* How many of these groups of four rows there are, at the tile's begin: all but what is left of some numbers of variables. */
EW_HD int ewi_fused_fours(int variables, int np)
{
    int left = np % 4, fours = variables * (np / 4);
    return left == 2 ? fours + variables / 2 : left > 0 && variables == 4 ? fours + left : fours;
}

/* Places of a block: stride between the points of its own elements' sides, and where the halo's begin. */
#define EWI_FUSED_STRIDE(order) (EWI_FUSED_ELEMENTS(order) + 2)
#define EWI_FUSED_OWN(order, ne) (3 * (ne)*EWI_FUSED_STRIDE(order))
#define EWI_FUSED_PLANE(order, ne) (EWI_FUSED_UP(EWI_FUSED_OWN(order, ne), 8) * 8)

EW_HD int ewi_fused_place(int order, int ne, int side, int element)
{
    return side * ne * EWI_FUSED_STRIDE(order) + element;
}

/* ---- tables as operands of products of small matrices ----
 *
 * A warp multiplies (16 x 4) (4 x 8): rows are eight elements with one variable each, and again with another one; lane 4 g + t holds
 * element g. Column n of product G is index 8 G + 4 (n & 1) + (n >> 1) of a table, so that what a lane gets from one product is
 * what it has to give to the next. A fragment is the right factor, a double a lane.
 */
#define EWI_FUSED_UP(a, b) (((a) + (b)-1) / (b))
#define EWI_FUSED_KS(np) EWI_FUSED_UP(np, 4)  /* steps over basis functions */
#define EWI_FUSED_KQ(nq) EWI_FUSED_UP(nq, 4)  /* ... over volume points */
#define EWI_FUSED_KE(ne) EWI_FUSED_UP(ne, 4)  /* ... over a side's points */
#define EWI_FUSED_GE(ne) EWI_FUSED_UP(3 * (ne), 8) /* products whose columns are the points of the sides */
#define EWI_FUSED_GQ(nq) EWI_FUSED_UP(nq, 8)
#define EWI_FUSED_GJ(np) EWI_FUSED_UP(np, 8)

#define EWI_FUSED_AT_SIDES 0
#define EWI_FUSED_AT_POINTS(np, ne) (EWI_FUSED_GE(ne) * EWI_FUSED_KS(np))
#define EWI_FUSED_AT_GRADIENTS(np, nq, ne) (EWI_FUSED_AT_POINTS(np, ne) + EWI_FUSED_GQ(nq) * EWI_FUSED_KS(np))
#define EWI_FUSED_AT_LIFT(np, nq, ne) (EWI_FUSED_AT_GRADIENTS(np, nq, ne) + 2 * EWI_FUSED_KQ(nq) * EWI_FUSED_GJ(np))
#define EWI_FUSED_FRAGMENTS(np, nq, ne) \
    ((ne) == 2 ? 0 : EWI_FUSED_AT_LIFT(np, nq, ne) + 3 * EWI_FUSED_KE(ne) * EWI_FUSED_GJ(np)) /* p = 1 has no products */
/* In their place at p = 1: the side table [side][j][ne], for sides of the halo; in doubles */
#define EWI_FUSED_TABLE(np, nq, ne) ((ne) == 2 ? 3 * (np) * (ne) : 32 * EWI_FUSED_FRAGMENTS(np, nq, ne))

EW_HD int ewi_fused_column(int product, int n)
{
    return 8 * product + 4 * (n & 1) + (n >> 1);
}

/* ---- shared memory of a thread block, in doubles; every part begins at 16 bytes ---- */

/*
 * Whether a block's own coefficients are on their way while the one before it is computed: with p = 1 so many thread blocks fit a
 * multiprocessor that they hide each other's latency, and this room is better spent on one more of them. Coefficients of the halo
 * are, in rounds: of one side and variable a thread (p = 1), or of eight sides a warp, as operands of products.
 */
#define EWI_FUSED_STAGES(order) ((order) > 1)
#define EWI_FUSED_ROUNDS(order) ((order) == 1 ? 2 : 1)
#define EWI_FUSED_SIDES_A_ROUND(order, variables) ((order) == 1 ? EWI_FUSED_THREADS(order) / (variables) : 8 * EWI_FUSED_WARPS(order))
#define EWI_FUSED_HALO(order, variables, np) \
    (EWI_FUSED_ROUNDS(order) * ((order) == 1 ? EWI_FUSED_THREADS(order) * (np) : EWI_FUSED_ELEMENTS(order) * (variables) * (np))) /* doubles */
/* Descriptions of the block at hand and of the two after it. */
#define EWI_FUSED_RING 4
#define EWI_FUSED_GATES 2

struct ewi_fused_memory {
    int table, staged, halo, shape, ring, gate, steps, own; /* known when kernels are compiled */
    int outer, edges, doubles;
    int outer_plane; /* places from a pair of variables of the halo's traces to the next */
};

EW_HD struct ewi_fused_memory ewi_fused_memory(int order, int variables, int np, int nq, int ne, int halo_room, int edge_room)
{
    struct ewi_fused_memory m;
    int elements = EWI_FUSED_ELEMENTS(order), pairs = (variables + 1) / 2;
    m.table = 0;
    m.staged = m.table + EWI_FUSED_UP(EWI_FUSED_TABLE(np, nq, ne), 2) * 2;
    m.halo = m.staged + EWI_FUSED_STAGES(order) * elements * variables * np;
    m.shape = m.halo + EWI_FUSED_HALO(order, variables, np);
    m.ring = m.shape + EWI_FUSED_STAGES(order) * elements * EWI_FUSED_SHAPE;
    m.gate = m.ring + 2 * EWI_FUSED_RING;
    m.steps = m.gate + EWI_FUSED_GATES;
    m.own = EWI_FUSED_UP(m.steps + 2, 16) * 16;
    m.outer = m.own + 2 * pairs * EWI_FUSED_PLANE(order, ne);
    m.outer_plane = EWI_FUSED_UP(ne * halo_room, 8) * 8;
    m.edges = m.outer + 2 * pairs * m.outer_plane;
    m.doubles = m.edges + EWI_FUSED_UP(edge_room * EWI_FUSED_EDGE_BYTES, 16) * 2;
    return m;
}

#endif
