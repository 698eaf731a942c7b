/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A Runge-Kutta stage of one law and one order in one kernel: the integrals of the shared bodies of src/kernels, by the
 * same sums in the same order.
 *  reads   the state, with the sides just outside a block; the block's edges; geometry; boundary data; fields; the
 *  update's arrays
 *  writes  the new state; the maximum wave speed in it, if it is a step's last stage
 * As many thread blocks as the device holds share the blocks of elements; while one block is computed, the coefficients
 * of the next are loaded into shared memory. Per block:
 *  traces of the own sides and of the halo | barrier | every edge's flux once, in place of the traces | volume
 *  integrals in registers; warps with fewer edges catch up here | barrier | side sums, update
 * Two barriers suffice: after the second, a thread reads only its own element's fluxes, so the next block's traces may
 * overwrite the others. A limited stage, which is a step's last one, stores the jumps of the traces next to their
 * fluxes, and uses them to damp the new state (limiter/oscillation_free.h). A stage that limits on load stores its new
 * state unlimited; the next stage limits it on load, for its own elements and for neighbours
 * (limiter/barth_jespersen.h). A separate limiter pass follows only the last step of a call, or each step if the host
 * reads the state. The means of neighbours of own elements are in shared memory, as those of the block and its halo
 * are; those of neighbours of the halo come from the state.
 */
#include "kernels/begin.h"

#define EWI_NAME(kernel) EWI_JOIN3(kernel, _, EWI_LAW)
#define EWI_PAIRS ((EWI_M + 1) / 2)
#define EWI_BLOCK_ELEMENTS EWI_FUSED_ELEMENTS(EWI_VARIANT)
#define EWI_STRIDE EWI_FUSED_STRIDE(EWI_VARIANT)
#define EWI_OWN EWI_FUSED_OWN(EWI_VARIANT, EWI_NE)
#define EWI_PLANE EWI_FUSED_PLANE(EWI_VARIANT, EWI_NE)
#define EWI_ROUNDS EWI_FUSED_ROUNDS(EWI_VARIANT)
#define EWI_SIDES_A_ROUND EWI_FUSED_SIDES_A_ROUND(EWI_VARIANT)
/* Where threads have few registers. */
#define EWI_APART_IF_LIMITING (EWI_FUSED_HELD(EWI_VARIANT) > 2)
#define EWI_LIMITED_AT_ONCE (EWI_FUSED_HELD(EWI_VARIANT) > 2 ? 1 : EWI_M) /* variables of an element */
/* Variables per lane when it limits a halo cell. */
#define EWI_LANE_VARIABLES (EWI_MATRIX ? 1 : 2)
/*
 * True if a stage prefetches the arrays that its update reads. By measurement, a stage whose threads have an element
 * each and many registers should not; nor should one that limits on load, unless its flux takes long. A stage that does
 * not prefetch stores limited slopes without their means, which the unlimited state still has. That saves a third of
 * the writes, but leaves too many pieces to prefetch.
 */
#define EWI_PREFETCH (EWI_MATRIX || EWI_FUSED_HELD(EWI_VARIANT) > 2)
#define EWI_LIMIT_ON_LOAD_PREFETCH(operations) (EWI_MATRIX || EWI_FUSED_TAKES_LONG(operations))
#define EWI_WARP_TILES (EWI_BLOCK_ELEMENTS / EWI_TILE / EWI_FUSED_WARPS(EWI_VARIANT))
/* A thread's rows of an element, and how many sums it has of them. */
#define EWI_OWN_ROWS (EWI_MATRIX ? EWI_FUSED_KS(EWI_NP) : EWI_NP)
#define EWI_SUMS (EWI_MATRIX ? EWI_PAIRS * EWI_FUSED_GJ(EWI_NP) * 4 : EWI_ROWS)

/* A thread's private numbers between barriers. */
struct EWI_K(kept) {
    double c[EWI_M][EWI_OWN_ROWS];
    double outside[EWI_M][EWI_OWN_ROWS]; /* of the side of the halo that it handles */
    double sum[EWI_SUMS]; /* where: EWI_K(sum_at) */
    double start[EWI_M][EWI_OWN_ROWS]; /* what the update begins with, if it is asked for early */
    double shape[EWI_FUSED_SHAPE];
    int32_t halo[EWI_ROUNDS];
    /* Stages that limit on load: whether the limiter is pending, and means of the neighbours of a lane's halo cell. */
    int limiter_pending;
    double halo_mean[EWI_LANE_VARIABLES][2];
    double largest;
};

#define EWI_KEPT_DOUBLES ((int)(sizeof(struct EWI_K(kept)) / sizeof(double)))

/* ---- what each kind of bodies has of its own, in fused_vector.h and fused_matrix.h ---- */

EWI_DEVICE int EWI_K(element_of)(int thread); /* of a block: a thread's */
EWI_DEVICE int EWI_K(item_of)(int thread); /* ... in its tile */
EWI_DEVICE int EWI_K(lane_of)(int thread); /* what all of its addresses in a tile have in common, or nearly all */
/* the basis function of its row q; that there is one if it is below EWI_NP */
EWI_DEVICE int EWI_K(basis_of)(int q, int thread);
/* where its row q of variable m lies in the tile, of element e */
EWI_DEVICE int EWI_K(row_at)(int m, int q, int thread, int e);
/* ... of its own element, behind what all its addresses have in common */
EWI_DEVICE int EWI_K(own_row)(int m, int q, int thread);
EWI_DEVICE int EWI_K(sum_at)(int m, int q); /* where that row's sum is */
EWI_DEVICE void EWI_K(copy_side)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at, double *shared,
                                 int32_t entry, int round, int thread);

/* ---- what both need ---- */

/* Where an element's tile begins in a state. */
EWI_DEVICE int64_t EWI_K(tile_of)(int64_t element) { return element / EWI_TILE * (EWI_TILE * EWI_ROWS); }

/* Where basis function j of variable m lies in a tile. */
EWI_DEVICE int EWI_K(row)(int m, int j, int e) { return ewi_fused_row(EWI_MATRIX, EWI_M, EWI_NP, m, j / 4, j % 4, e); }

/* The place of kernels/rows.h is an element's number here. */
EWI_DEVICE int64_t EWI_K(place)(int64_t width, int64_t i)
{
    (void)width;
    return i;
}

EWI_DEVICE int64_t EWI_K(at)(int64_t width, int64_t place, int m, int j)
{
    (void)width;
    return EWI_K(tile_of)(place) + EWI_K(row)(m, j, (int)(place % EWI_TILE));
}

EWI_DEVICE double EWI_K(gather)(const double *state, int64_t width, const int64_t *place, int m, int j)
{
    return state[EWI_K(at)(width, *place, m, j)];
}

#include "kernels/trace.h"
#include "kernels/limit.h"
#include "kernels/positive.h"

/* The variable that forms a pair with variable m, or m. */
EWI_DEVICE int EWI_K(partner)(int m) { return (m | 1) < EWI_M ? m | 1 : m; }

/*
 * Where two rows are left of each variable, those of two variables share a sector (ewi_fused_row): from the update on,
 * lanes that have none of the first's have the second's, so that four lanes ask for a whole sector at once: the first
 * one leads, the other follows.
 */
EWI_DEVICE int EWI_K(shares)(int m, int q)
{
    return EWI_LANES_EXCHANGE && EWI_MATRIX && EWI_NP % 4 == 2 && q == EWI_NP / 4 && (m | 1) < EWI_M;
}

EWI_DEVICE int EWI_K(leads)(int m, int q) { return m % 2 == 0 && EWI_K(shares)(m, q); }
EWI_DEVICE int EWI_K(follows)(int m, int q) { return m % 2 != 0 && EWI_K(shares)(m, q); }

EWI_DEVICE int EWI_K(has_row)(int m, int q, int thread)
{
    return EWI_K(shares)(m, q) || EWI_K(basis_of)(q, thread) < EWI_NP;
}

/* The side of the halo that a thread handles in a round, with three others. */
EWI_DEVICE int EWI_K(side_of)(int thread) { return thread / 32 * 8 + thread % 32 / 4; }

/* The side of the halo that four lanes handle in a round, element << 2 | side; -1: none. */
EWI_DEVICE int32_t EWI_K(halo_entry)(const struct ewi_cuda_stage *call, const struct ewi_fused_block *block, int round,
                                     int thread)
{
    int side = round * EWI_SIDES_A_ROUND + EWI_K(side_of)(thread);
    return side < block->halos ? call->halo[block->halo_first + side] : -1;
}

/* Neighbours of a halo cell, from the copy in shared memory, which covers the sides for which there was room. */
EWI_DEVICE uint64_t EWI_K(copied_halo_neighbours)(const struct ewi_fused_memory *at, const double *shared, int side)
{
    return *(const uint64_t *)(shared + at->halo_neighbours + side);
}

/*
 * In a part, for thread blocks with neighbours in the ghost layer: the address at which the ghost layer would follow
 * the state.
 */
EWI_DEVICE const double *EWI_K(ghosts_at)(const struct ewi_fused_memory *at, const double *shared)
{
    return *(const double *const *)(shared + at->steps + 5);
}

/* The state of an element behind a side of the halo. Ghost cells are read from the buffer that their owners write. */
EWI_DEVICE const double *EWI_K(state_of)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                         const double *shared, int32_t element)
{
    return call->peers.interface_blocks && element >= (int32_t)call->elements
               ? EWI_K(ghosts_at)(at, shared)
               : call->state;
}

/* A warp's elements behind sides of the halo, in a round, lie like a tile of their own. */
EWI_DEVICE double *EWI_K(copied)(const struct ewi_fused_memory *at, double *shared, int round, int thread)
{
    return shared + at->halo + (round * EWI_FUSED_WARPS(EWI_VARIANT) + thread / 32) * (EWI_TILE * EWI_ROWS);
}

/*
 * In a part, the side of the halo that a thread handles with three others, if it is in the ghost layer. Waits for
 * values that had not arrived when the side was copied, or for all values if it was not copied (`tile` NULL), and
 * clears the buffer of the stage before. Not inlined: it is rare and must not cost registers.
 */
EWI_APART void EWI_K(await_side)(const struct ewi_cuda_stage *call, const double *ghosts, int32_t entry, double *tile,
                                 int thread)
{
    int32_t element = entry >> 2;
    if (element < call->elements)
        return;
    int64_t back = EWI_K(tile_of)(call->elements), before = ewi_to_previous_buffer(&call->peers, ghosts + back);
    EWI_NO_UNROLL for (int x = thread % 4; x < EWI_ROWS; x += 4)
    {
        int m = x / EWI_NP, j = x % EWI_NP;
        int row = EWI_K(row)(m, j, EWI_K(side_of)(thread) % 8);
        double *place = (double *)ghosts + EWI_K(at)(0, element, m, j);
        if (!tile)
            ewi_await(&call->head, place);
        else if (ewi_to_bits(tile[row]) == EWI_NOT_SENT)
            tile[row] = ewi_from_bits(ewi_await(&call->head, place));
        ewi_put(place + before, EWI_NOT_SENT);
    }
}

/* True if the block at a place of the list borders on the ghost layer. */
EWI_DEVICE int EWI_K(is_interface)(const struct ewi_cuda_stage *call, int place)
{
    return (uint32_t)(place - call->peers.first_interface) < (uint32_t)call->peers.interface_blocks;
}

/* Address of a variable's mean in one of the two further neighbours of a halo cell. */
EWI_DEVICE const double *EWI_K(halo_neighbour_mean)(const struct ewi_cuda_stage *call, uint64_t halo_neighbours,
                                                    int last, int m)
{
    return call->state + EWI_K(at)(0, ewi_fused_halo_neighbour(halo_neighbours, last), m, 0);
}

/* A mean that was not copied for lack of room. Not inlined: other threads would wait for this load, too. */
EWI_APART double EWI_K(late_mean)(const double *mean) { return *mean; }

/*
 * Where things lie in shared memory: constants, but for what depends on the mesh. Threads with an element of their own
 * have no registers for that and read it from the call, whose numbers are operands; four lanes compute it once.
 */
EWI_DEVICE struct ewi_fused_memory EWI_K(memory)(const struct ewi_cuda_stage *call)
{
    struct ewi_fused_memory at =
        ewi_fused_memory(EWI_VARIANT, EWI_M, EWI_NP, EWI_NQ, EWI_NE, call->halo_room, call->edge_room);
    if (!EWI_MATRIX) {
        at.outer_plane = call->memory.outer_plane;
        at.edges = call->memory.edges;
        at.first = call->memory.first;
        at.jump = call->memory.jump;
        at.neighbours = call->memory.neighbours;
        at.halo_neighbours = call->memory.halo_neighbours;
    }
    return at;
}

/* Copies a round for which there was no room before, and waits for it. */
EWI_DEVICE int32_t EWI_K(copy_late)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                    double *shared, const struct ewi_fused_block *block, int round, int column,
                                    int thread)
{
    int32_t entry = EWI_K(halo_entry)(call, block, round, thread);
    EWI_WARP_BARRIER; /* its lanes copy for each other */
    if (entry >= 0)
        EWI_K(copy_side)(call, at, shared, entry, column, thread);
    ewi_copies_end();
    ewi_copies_wait();
    EWI_WARP_BARRIER;
    return entry;
}

/* The place of an element's first coefficients, for stages with a jump sensor. */
EWI_DEVICE double *EWI_K(first_at)(const struct ewi_fused_memory *at, double *shared, int place)
{
    int element = place < EWI_OWN ? place % (EWI_NE * EWI_STRIDE) : EWI_BLOCK_ELEMENTS + place - EWI_OWN;
    return shared + at->first + element * (2 * EWI_PAIRS);
}

/* True if the limiter of the state that a stage loads is pending. */
EWI_DEVICE int EWI_K(is_limiter_pending)(const struct ewi_fused_memory *at, const double *shared)
{
    return shared[at->steps + 5] != 0.0;
}

/* a / b where it is `wanted`, for |a| <= |b|, and 1 elsewhere; takes from `sure` where its bits may be wrong. */
EWI_DEVICE double EWI_K(part)(int wanted, double a, double b, int *sure)
{
#ifdef EWI_QUICK_ARITHMETIC
    int good;
    double part = ewi_quick_part(a, b, &good);
    *sure &= !wanted | good;
    return wanted ? part : 1.0;
#else
    (void)sure;
    return wanted ? a / b : 1.0;
#endif
}

/*
 * The bits of limit_factor by one division, where it is `sure` of them: of two quotients the smaller one is that whose
 * product across is smaller, also rounded, unless the products round to the same, or are none. x/d falls as d grows,
 * also rounded. Where all means are equal, as in gas at rest, both quotients are 0 and the second one counts.
 */
EWI_DEVICE double EWI_K(quick_factor)(double c0, double c1, double c2, const double *other, int *sure)
{
    struct EWI_K(reach) r = EWI_K(reach_of)(c0, c1, c2, other);
    int over = r.above > r.room_above, under = r.room_below > r.below;
    double of_above = over & under ? r.room_above * -r.below : -1.0, of_below = -r.room_below * r.above;
    int first = of_below > of_above;
    *sure = first | (of_above > of_below) | (r.room_above == r.room_below);
    first &= over;
    return EWI_K(part)(over | under, first ? r.room_above : r.room_below, first ? r.above : r.below, sure);
}

/*
 * Limiter factors of some of an element's variables, from the means of its neighbours. Quotients have no branches where
 * their bits are sure, so that none waits for another one.
 */
EWI_DEVICE void EWI_K(factors)(int count, double (*c)[EWI_NP], double (*other)[3], double *alpha)
{
    int all = 1;
    EWI_UNROLL for (int m = 0; m < count; m++)
    {
        int sure;
        alpha[m] = EWI_K(quick_factor)(c[m][0], c[m][1], c[m][2], other[m], &sure);
        all &= sure;
    }
    if (!all)
        EWI_UNROLL for (int m = 0; m < count; m++)
            alpha[m] = EWI_K(limit_factor)(c[m][0], c[m][1], c[m][2], other[m]);
}

/* Slopes by their factors. */
EWI_DEVICE void EWI_K(scale_slopes)(int count, const double *alpha, double (*c)[EWI_NP])
{
    EWI_UNROLL for (int m = 0; m < count; m++)
        EWI_UNROLL for (int j = 1; j < EWI_NP; j++)
            c[m][j] = alpha[m] * c[m][j];
}

/* A variable's slopes of an element whose tile in the order of states is here. */
EWI_DEVICE void EWI_K(limit_variable)(int m, double *tile, int e, const double *other)
{
    double c[1][EWI_NP], neighbour[1][3] = {{other[0], other[1], other[2]}}, alpha[1];
    EWI_UNROLL for (int j = 0; j < 3; j++)
        c[0][j] = tile[EWI_K(row)(m, j, e)];
    EWI_K(factors)(1, c, neighbour, alpha);
    tile[EWI_K(row)(m, 1, e)] = alpha[0] * c[0][1];
    tile[EWI_K(row)(m, 2, e)] = alpha[0] * c[0][2];
}

/*
 * First coefficients, from variable `first` on, of the neighbour at a place of ewi_fused_neighbour, from the copy in
 * shared memory if there was room for it.
 */
EWI_DEVICE void EWI_K(neighbour_means)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                       const double *shared, const struct ewi_fused_block *block, int place, int first,
                                       int count, double *mean)
{
    if (place < EWI_BLOCK_ELEMENTS + EWI_ROUNDS * EWI_SIDES_A_ROUND) {
        const double *tile = shared + at->staged + EWI_K(tile_of)(place);
        EWI_UNROLL for (int m = 0; m < count; m++)
            mean[m] = tile[EWI_K(row)(first + m, 0, place % EWI_TILE)];
    } else {
        int64_t element = call->halo[block->halo_first + place - EWI_BLOCK_ELEMENTS] >> 2;
        EWI_UNROLL for (int m = 0; m < count; m++)
            mean[m] = EWI_K(late_mean)(call->state + EWI_K(at)(0, element, first + m, 0));
    }
}

/* Orders means by sides, as limit_c does: `here` on side `side`, then the further neighbours. */
EWI_DEVICE void EWI_K(by_sides)(int side, double here, double next, double last, double *other)
{
    other[0] = side == 0 ? here : side == 1 ? last : next;
    other[1] = side == 1 ? here : side == 2 ? last : next;
    other[2] = side == 2 ? here : side == 0 ? last : next;
}

/* Limits a halo cell that has been copied: each of its four lanes has a variable. */
EWI_DEVICE void EWI_K(limit_halo)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at, double *shared,
                                  const struct ewi_fused_block *block, int32_t entry, int round, int column,
                                  const struct EWI_K(kept) *own, int thread)
{
    int m = thread % 4, place = round * EWI_SIDES_A_ROUND + EWI_K(side_of)(thread);
    EWI_WARP_BARRIER; /* copied by the four of them */
    if (entry >= 0 && m < EWI_M && own->limiter_pending) {
        double next = own->halo_mean[0][0], last = own->halo_mean[0][1], other[3];
        uint64_t halo_neighbours;
        if (EWI_MATRIX && round < EWI_ROUNDS)
            halo_neighbours = EWI_K(copied_halo_neighbours)(at, shared, place);
        else {
            halo_neighbours = call->halo_neighbours[block->halo_first + place];
            next = EWI_K(late_mean)(EWI_K(halo_neighbour_mean)(call, halo_neighbours, 0, m));
            last = EWI_K(late_mean)(EWI_K(halo_neighbour_mean)(call, halo_neighbours, 1, m));
        }
        int here = ewi_fused_halo_own(halo_neighbours);
        EWI_K(by_sides)(entry & 3, shared[at->staged + EWI_K(tile_of)(here) + EWI_K(row)(m, 0, here % EWI_TILE)], next,
                        last, other);
        EWI_K(limit_variable)(m, EWI_K(copied)(at, shared, column, thread), EWI_K(side_of)(thread) % 8, other);
    }
    EWI_WARP_BARRIER;
}

/* Places of the neighbours of a thread's element. */
EWI_DEVICE uint32_t EWI_K(neighbour_places)(const struct ewi_fused_memory *at, const double *shared, int thread)
{
    return ((const uint32_t *)(shared + at->neighbours))[EWI_K(element_of)(thread)];
}

/*
 * A thread's number. A stage that limits has no registers for what depends on it alone, which the compiler would keep
 * from block to block, and spill.
 */
EWI_DEVICE int EWI_K(thread_of)(int limits_on_load, int mine)
{
    return limits_on_load ? ewi_recompute(ewi_thread(mine)) : ewi_thread(mine);
}

#if EWI_MATRIX
#include "fused_matrix.h"
#else
#include "fused_vector.h"
#endif

/* ---- what they share ---- */

/* Stores the limited state for later stages; slopes_only: without its means, which the state still has. */
EWI_DEVICE void EWI_K(leave_limited)(int slopes_only, const struct ewi_cuda_stage *call, int number,
                                     const struct EWI_K(kept) *own, int thread)
{
    int64_t element = (int64_t)number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
    if (element < call->a.padded)
        EWI_K(store_limited)(slopes_only, call->limited + EWI_K(tile_of)(element) + EWI_K(lane_of)(thread), own,
                             thread);
}

EWI_DEVICE void EWI_K(copy_halo)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at, double *shared,
                                 const int32_t *entry, int thread)
{
    EWI_UNROLL for (int round = 0; round < EWI_ROUNDS; round++)
    {
        if (entry[round] >= 0)
            EWI_K(copy_side)(call, at, shared, entry[round], round, thread);
    }
}

/*
 * Copies the neighbours of a block's elements and of its halo cells, for a stage that limits on load. It gets numbers
 * instead of the call, which a function that is not inlined would read from memory.
 */
EWI_DEVICE void EWI_K(copy_places)(const uint32_t *neighbours, int neighbours_at, const uint64_t *halo_neighbours,
                                   int sides, int halo_neighbours_at, int thread)
{
    double *const shared = ewi_fused_shared;
    if (4 * thread < EWI_BLOCK_ELEMENTS)
        ewi_copy_16(shared + neighbours_at + 2 * thread, (const double *)neighbours + 2 * thread);
    EWI_NO_UNROLL for (int x = thread; x < sides; x += EWI_THREADS)
        ewi_copy_8(shared + halo_neighbours_at + x, (const double *)halo_neighbours + x);
}

/* Where registers have no room for what it computes with. */
EWI_APART void EWI_K(copy_places_apart)(const uint32_t *neighbours, int neighbours_at, const uint64_t *halo_neighbours,
                                        int sides, int halo_neighbours_at, int thread)
{
    EWI_K(copy_places)(neighbours, neighbours_at, halo_neighbours, sides, halo_neighbours_at, thread);
}

EWI_DEVICE void EWI_K(take_places)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                   const struct ewi_fused_block *block, int thread)
{
    enum { ROOM = EWI_ROUNDS * EWI_SIDES_A_ROUND };
    const uint32_t *neighbours = call->neighbours + (int64_t)block->number * EWI_BLOCK_ELEMENTS;
    const uint64_t *halo_neighbours = call->halo_neighbours + block->halo_first;
    int sides = block->halos < ROOM ? block->halos : ROOM;
    if (EWI_APART_IF_LIMITING)
        EWI_K(copy_places_apart)(neighbours, at->neighbours, halo_neighbours, sides, at->halo_neighbours, thread);
    else
        EWI_K(copy_places)(neighbours, at->neighbours, halo_neighbours, sides, at->halo_neighbours, thread);
}

/*
 * Copies the coefficients and shapes of a block, in the order of the state: in bulk, or each warp its own tiles (after
 * the last tile, that one again).
 */
EWI_DEVICE void EWI_K(copy_own)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at, double *shared,
                                int block, int thread)
{
    enum { TILES = EWI_BLOCK_ELEMENTS / EWI_TILE };
    int all = (int)(call->a.padded / EWI_TILE), first = block * TILES;
    if (EWI_BULK) {
        if (thread == 0) {
            int tiles = all - first < TILES ? all - first : TILES, bytes = tiles * EWI_TILE * (int)sizeof(double);
            ewi_bulk_expect(shared + at->gate, bytes * (EWI_ROWS + EWI_FUSED_SHAPES(EWI_VARIANT) * EWI_FUSED_SHAPE));
            ewi_bulk_copy(shared + at->staged, call->state + (int64_t)first * (EWI_TILE * EWI_ROWS), bytes * EWI_ROWS,
                          shared + at->gate);
            if (EWI_FUSED_SHAPES(EWI_VARIANT))
                ewi_bulk_copy(shared + at->shape, call->shape + (int64_t)first * (EWI_TILE * EWI_FUSED_SHAPE),
                              bytes * EWI_FUSED_SHAPE, shared + at->gate);
        }
    } else {
        int warp = thread / 32, lane = thread % 32;
        EWI_UNROLL for (int k = 0; k < EWI_WARP_TILES; k++)
        {
            int here = warp * EWI_WARP_TILES + k, tile = first + here < all ? first + here : all - 1;
            const double *state = call->state + (int64_t)tile * (EWI_TILE * EWI_ROWS);
            double *staged = shared + at->staged + here * (EWI_TILE * EWI_ROWS);
            EWI_UNROLL for (int row = 0; row < EWI_ROWS; row += 8)
            {
                if (row + 8 <= EWI_ROWS || row + lane / 4 < EWI_ROWS)
                    ewi_copy_16(staged + 2 * lane + 8 * row, state + 2 * lane + 8 * row);
            }
            if (EWI_FUSED_SHAPES(EWI_VARIANT) && lane < 4 * EWI_FUSED_SHAPE)
                ewi_copy_16(shared + at->shape + (here * (4 * EWI_FUSED_SHAPE) + lane) * 2,
                            call->shape + ((int64_t)tile * (4 * EWI_FUSED_SHAPE) + lane) * 2);
        }
    }
}

EWI_DEVICE int EWI_K(edge_room)(const struct ewi_fused_block *block) { return (block->edges + 3) & ~3; }

EWI_DEVICE void EWI_K(copy_edges)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at, double *shared,
                                  const struct ewi_fused_block *block, int thread)
{
    int pieces = EWI_K(edge_room)(block) / 4 * (EWI_FUSED_EDGE_BYTES / 4);
    const double *edge = call->edge + (int64_t)block->edge_first / 4 * (EWI_FUSED_EDGE_BYTES / 2);
    if (EWI_BULK) {
        if (thread == 0) {
            ewi_bulk_expect(shared + at->gate + 1, 16 * pieces);
            ewi_bulk_copy(shared + at->edges, edge, 16 * pieces, shared + at->gate + 1);
        }
    } else {
        EWI_NO_UNROLL for (int x = thread; x < pieces; x += EWI_THREADS)
            ewi_copy_16(shared + at->edges + 2 * x, edge + 2 * x);
    }
}

/*
 * The states behind boundary edges, in reverse order of points, as a neighbour would have them; eval_ghosts made them.
 */
EWI_DEVICE void EWI_K(take_ghosts)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at, double *shared,
                                   const struct ewi_fused_block *block, int thread)
{
    EWI_NO_UNROLL for (int x = thread; x < block->boundary_edges * EWI_NE; x += EWI_THREADS)
    {
        int edge = x / EWI_NE, e = x % EWI_NE;
        int64_t slot = call->halo[block->halo_first + block->halos + edge];
        const double *ghost = call->ghosts + ewi_layout_index(EWI_TILE, EWI_NE * EWI_M, e * EWI_M, slot);
        double *outer = shared + at->outer + 2 * (block->halos + edge + (EWI_NE - 1 - e) * call->halo_room);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            outer[m / 2 * 2 * at->outer_plane + m % 2] = ghost[m * EWI_TILE];
    }
}

/* The law's fields at a point of an edge, which its left element keeps. */
EWI_DEVICE void EWI_K(fields_at)(const struct ewi_cuda_stage *call, const struct ewi_fused_block *block, int number,
                                 int left, int e, double *field)
{
    if (EWI_FIELDS > 0) {
        int side = left / (EWI_NE * EWI_STRIDE);
        int64_t element = (int64_t)number * EWI_BLOCK_ELEMENTS + left % (EWI_NE * EWI_STRIDE);
        if (left >= EWI_OWN) {
            int32_t entry = call->halo[block->halo_first + left - EWI_OWN];
            side = entry & 3;
            element = entry >> 2;
        }
        for (int f = 0; f < EWI_FIELDS; f++)
            field[f] = call->a.edge_field[ewi_layout_index(EWI_TILE, 3 * EWI_NE * EWI_FIELDS,
                                                           (side * EWI_NE + e) * EWI_FIELDS + f, element)];
    }
}

/* Where point e of the side at a place lies in shared memory. */
EWI_DEVICE int EWI_K(trace_at)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at, int place, int e)
{
    return place < EWI_OWN ? at->own + 2 * (place + e * EWI_STRIDE)
                           : at->outer + 2 * (place - EWI_OWN + e * call->halo_room);
}

/* ... of a thread's own element. */
EWI_DEVICE void EWI_K(keep_first)(const struct ewi_fused_memory *at, double *shared, const struct EWI_K(kept) *own,
                                  int thread)
{
    double *first = EWI_K(first_at)(at, shared, EWI_K(element_of)(thread));
    if (EWI_K(basis_of)(0, thread) == 0)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            first[m] = own->c[m][0];
}

/*
 * Stores the jumps at point e of an edge for damping (limiter/oscillation_free.h), in the edge's own order of points.
 */
EWI_DEVICE void EWI_K(leave_jump)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at, double *shared,
                                  const struct ewi_fused_block *block, int left, int right, int e, double length,
                                  const double *ul, const double *ur)
{
    enum { ROWS = EWI_FUSED_JUMP_ROWS(EWI_NE) };
    struct EWI_K(gauge) gauge;
    double d[EWI_M];
    int inner = right < EWI_OWN + block->halos;
    double between = EWI_K(gauge_edge)(call->a.parameter, EWI_K(first_at)(at, shared, left),
                                       EWI_K(first_at)(at, shared, inner ? right : left), &gauge);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        d[m] = ul[m] - ur[m];
    double jump = inner ? EWI_K(gauged)(&gauge, d) : 0.0;
    EWI_UNROLL for (int side = 0; side < 2; side++)
    {
        int place = side == 0 ? left : right, number = place / (EWI_NE * EWI_STRIDE);
        double *row = shared + at->jump + place + number * ((ROWS - EWI_NE) * EWI_STRIDE);
        if (place >= EWI_OWN)
            continue;
        row[e * EWI_STRIDE] = jump;
        if (e == 0) {
            row[EWI_NE * EWI_STRIDE] = between;
            row[(EWI_NE + 1) * EWI_STRIDE] = length;
        }
    }
}

/*
 * Fluxes of the block's edges in place of the traces: what the left element adds at a point, and its negative for the
 * right one. Threads side by side have the same point of edges whose traces lie in different banks (ewi_blocks.h).
 */
EWI_DEVICE void EWI_K(fluxes)(int flux, int jump_sensor, const struct ewi_cuda_stage *call,
                              const struct ewi_fused_memory *at, double *shared, const struct ewi_fused_block *block,
                              int number, int thread)
{
    int room = EWI_K(edge_room)(block), columns = (block->edges + 7) & ~7, e = 0;
    int edge = EWI_FUSED_BACKWARDS(EWI_VARIANT) ? thread ^ (EWI_THREADS - 32) : thread;
    const double *geometry = shared + at->edges;
    const uint16_t *places = (const uint16_t *)(geometry + 3 * room);
    EWI_NO_UNROLL for (;; edge += EWI_THREADS)
    {
        for (; edge >= columns; edge -= columns)
            e++;
        if (e >= EWI_NE)
            break;
        if (edge >= block->edges)
            continue;
        int left = places[2 * edge], right = places[2 * edge + 1];
        int own_left = left < EWI_OWN, own_right = right < EWI_OWN;
        double *at_left = shared + EWI_K(trace_at)(call, at, left, e);
        double *at_right = shared + EWI_K(trace_at)(call, at, right, EWI_NE - 1 - e);
        int left_plane = 2 * (own_left ? EWI_PLANE : at->outer_plane);
        int right_plane = 2 * (own_right ? EWI_PLANE : at->outer_plane);
        double ul[2 * EWI_PAIRS], ur[2 * EWI_PAIRS], f[2 * EWI_PAIRS], field[EWI_FIELD_ROOM];
        EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
        {
            ewi_get_pair(at_left + pair * left_plane, &ul[2 * pair], &ul[2 * pair + 1]);
            ewi_get_pair(at_right + pair * right_plane, &ur[2 * pair], &ur[2 * pair + 1]);
        }
        if (jump_sensor)
            EWI_K(leave_jump)(call, at, shared, block, left, right, e, geometry[2 * room + edge], ul, ur);
        EWI_K(fields_at)(call, block, number, left, e, field);
        EWI_L(numerical_flux)(flux, call->a.parameter, field, ul, ur, geometry[edge], geometry[room + edge],
                              geometry[2 * room + edge], f);
        double weight = -0.5 * EWI_TABLE(EDGE_WEIGHT)[e];
        EWI_UNROLL for (int m = 0; m < 2 * EWI_PAIRS; m++)
            f[m] = m < EWI_M ? weight * f[m] : 0.0;
        if (own_left) {
            EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
                ewi_put_pair(at_left + pair * (2 * EWI_PLANE), f[2 * pair], f[2 * pair + 1]);
        }
        if (own_right) {
            EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
                ewi_put_pair(at_right + pair * (2 * EWI_PLANE), -f[2 * pair], -f[2 * pair + 1]);
        }
    }
}

/*
 * Rows of variables first .. end - 1 of a thread's element, from one of the update's arrays. `mean` is that array
 * again, or, if it has slopes only, the state that they belong to. The stage's own state is in registers already.
 */
EWI_DEVICE void EWI_K(take_rows)(const double *mean, const double *array, const double *state, int64_t element,
                                 int first, int end, const struct EWI_K(kept) *own, int thread,
                                 double (*x)[EWI_OWN_ROWS])
{
    if (array != state) {
        int64_t base = EWI_K(tile_of)(element) + EWI_K(lane_of)(thread);
        EWI_K(load_rows)(mean + base, array + base, first, end, thread, x);
        return;
    }
    EWI_UNROLL for (int m = first; m < end; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            x[m][q] = own->c[m][q];
}

/*
 * The new state of variables first .. end - 1 in place of their right-hand sides (src/kernels/update.h). All loads come
 * first, since one of the arrays may be the target.
 */
EWI_DEVICE void EWI_K(update_some)(int terms, int slopes_only, const struct ewi_cuda_stage *call, double step,
                                   double kept_step, int64_t element, int first, int end, struct EWI_K(kept) *own,
                                   int thread)
{
    const struct ewi_update *u = &call->update;
    double loaded[EWI_M][EWI_OWN_ROWS], x[3][EWI_M][EWI_OWN_ROWS], kept[EWI_M][EWI_OWN_ROWS],
        difference[EWI_M][EWI_OWN_ROWS];
    const double(*start)[EWI_OWN_ROWS] = EWI_FUSED_EARLY(EWI_VARIANT) ? own->start : loaded;
    if (!EWI_FUSED_EARLY(EWI_VARIANT))
        EWI_K(take_rows)(u->base, u->base, call->state, element, first, end, own, thread, loaded);
    EWI_UNROLL for (int k = 0; k < terms; k++)
        EWI_K(take_rows)(slopes_only ? call->mean_of_term[k] : u->term[k], u->term[k], call->state, element, first, end,
                         own, thread, x[k]);
    EWI_UNROLL for (int k = 0; k < terms; k++)
        EWI_UNROLL for (int m = first; m < end; m++)
            EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
                difference[m][q] = ewi_fma(u->weight[k], x[k][m][q] - start[m][q], k > 0 ? difference[m][q] : 0.0);
    if (terms > 0 && u->kept) {
        EWI_K(take_rows)(u->kept, u->kept, NULL, element, first, end, own, thread, kept);
        EWI_UNROLL for (int m = first; m < end; m++)
            EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
                difference[m][q] = ewi_fma(kept_step, kept[m][q], difference[m][q]);
    }
    EWI_UNROLL for (int m = first; m < end; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
        {
            double value = terms > 0 ? start[m][q] + difference[m][q] : start[m][q],
                *sum = &own->sum[EWI_K(sum_at)(m, q)];
            *sum = ewi_fma(step, *sum, value);
        }
}

EWI_DEVICE void EWI_K(update)(int terms, int slopes_only, const struct ewi_cuda_stage *call, double step,
                              double kept_step, int64_t element, struct EWI_K(kept) *own, int thread)
{
    const int at_once = (EWI_ORDER > 3 || terms > 1) && EWI_M > 3 ? 2 : EWI_M; /* what registers hold */
    EWI_UNROLL for (int m = 0; m < EWI_M; m += at_once)
        EWI_K(update_some)(terms, slopes_only, call, step, kept_step, element, m,
                           m + at_once < EWI_M ? m + at_once : EWI_M, own, thread);
}

/*
 * Each lane has its rows of the update from here on; what that begins with is on its way while side sums are computed.
 */
EWI_DEVICE void EWI_K(begin_update)(int slopes_only, const struct ewi_cuda_stage *call, int number,
                                    struct EWI_K(kept) *own, int thread)
{
    int64_t element = (int64_t)number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            if (EWI_K(leads)(m, q))
                own->c[m][q] = ewi_combine_lanes(own->c[m][q], own->c[EWI_K(partner)(m)][q], thread);
    if (EWI_FUSED_EARLY(EWI_VARIANT)) { /* something in all cases, or registers kept it from block to block */
        const double *array = call->target && element < call->a.padded ? call->update.base : call->state;
        EWI_K(take_rows)(slopes_only ? call->mean_of_base : array, array, call->state, element, 0, EWI_M, own, thread,
                         own->start);
    }
}

/* The means of a thread's element in the new state. */
EWI_DEVICE void EWI_K(new_mean)(const struct EWI_K(kept) *own, int thread, double *mean)
{
    /* On the host one thread runs all lanes one after the other, and the first of an element's four is done. */
    const struct EWI_K(kept) *first = EWI_MATRIX && !EWI_LANES_EXCHANGE ? own - thread % 4 : own;
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
    {
        double own_mean = EWI_SQRT2 * first->sum[EWI_K(sum_at)(m, 0)];
        mean[m] = EWI_MATRIX ? ewi_first_of_four(own_mean) : own_mean;
    }
}

/* Damps the new state, by what leave_jump left of the element's sides; there: whether there is one. */
EWI_DEVICE void EWI_K(damp_rows)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                 const double *shared, int there, struct EWI_K(kept) *own, int thread)
{
    enum { ROWS = EWI_FUSED_JUMP_ROWS(EWI_NE) };
    const double *row = shared + at->jump + EWI_K(element_of)(thread);
    double mean[EWI_M], jump[3], between[3], length[3], factor[EWI_ORDER];
    EWI_UNROLL for (int k = 0; k < 3; k++)
    {
        jump[k] = 0.0;
        EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
            jump[k] = ewi_fma(EWI_TABLE(EDGE_WEIGHT)[e], row[(k * ROWS + e) * EWI_STRIDE], jump[k]);
        between[k] = row[(k * ROWS + EWI_NE) * EWI_STRIDE];
        length[k] = row[(k * ROWS + EWI_NE + 1) * EWI_STRIDE];
    }
    EWI_K(new_mean)(own, thread, mean);
    double f = EWI_K(damping)(call->a.parameter, shared[at->steps + 4], jump, between, length,
                              own->shape[EWI_INVERSE_DET], mean);
    double power = there ? f : 1.0;
    factor[0] = power;
    EWI_UNROLL for (int d = 1; d < EWI_ORDER; d++)
    {
        power = power * factor[0];
        factor[d] = factor[d - 1] * power;
    }
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
        {
            int j = EWI_K(basis_of)(q, thread) - (EWI_K(leads)(m, q) && thread % 4 >= 2 ? 2 : 0);
            double own_factor = 1.0;
            EWI_UNROLL for (int d = 1; d <= EWI_ORDER; d++)
                own_factor = j >= d * (d + 1) / 2 ? factor[d - 1] : own_factor;
            own->sum[EWI_K(sum_at)(m, q)] = own_factor * own->sum[EWI_K(sum_at)(m, q)];
        }
}

EWI_DEVICE void EWI_K(finish)(int jump_sensor, int slopes_only, const struct ewi_cuda_stage *call,
                              const struct ewi_fused_memory *at, const double *shared, int number,
                              struct EWI_K(kept) *own, int thread)
{
    double step = shared[at->steps], kept_step = shared[at->steps + 1];
    int64_t element = (int64_t)number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
    if (element >= call->a.padded)
        return;
    int64_t base = EWI_K(tile_of)(element) + EWI_K(lane_of)(thread);
    double inverse_det = own->shape[EWI_INVERSE_DET];
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
        {
            double *sum = &own->sum[EWI_K(sum_at)(m, q)];
            if (EWI_K(leads)(m, q))
                *sum = ewi_combine_lanes(*sum, own->sum[EWI_K(sum_at)(EWI_K(partner)(m), q)], thread);
            *sum = *sum * inverse_det;
        }
    if (call->update.keep)
        EWI_K(store_rows)(call->update.keep + base, own, thread);
    if (!call->target)
        return;
    switch (call->update.terms) { /* a number that the compiler knows */
    case 0: EWI_K(update)(0, slopes_only, call, step, kept_step, element, own, thread); break;
    case 1: EWI_K(update)(1, slopes_only, call, step, kept_step, element, own, thread); break;
    case 2: EWI_K(update)(2, slopes_only, call, step, kept_step, element, own, thread); break;
    default: EWI_K(update)(3, slopes_only, call, step, kept_step, element, own, thread); break;
    }
    if (jump_sensor)
        EWI_K(damp_rows)(call, at, shared, element < call->elements, own, thread);
    EWI_K(store_rows)(call->target + base, own, thread);
    if (EWI_K(basis_of)(0, thread) == 0 && element < call->elements) {
        double mean[EWI_M];
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            mean[m] = EWI_SQRT2 * own->sum[EWI_K(sum_at)(m, 0)];
        if (!EWI_L(admissible)(call->a.parameter, mean))
            call->head.clock->stage = call->head.stage;
        if (call->ends) {
            double bound = EWI_FIELDS ? call->a.speed_bound[element] : 0.0;
            double speed = EWI_L(speed)(call->a.parameter, mean, bound);
            if (call->a.width_ratio)
                speed *= call->a.width_ratio[element];
            own->largest = ewi_cuda_larger(own->largest, speed);
        }
    }
}

/*
 * Positivity of what finish has stored. An element's lanes share the points, and what they find.
 */
#if EWI_LANES_EXCHANGE
/* Row q of variable m of the new state, as a lane has it that has basis function basis_of(q). */
EWI_DEVICE double EWI_K(new_row)(int m, int q, const struct EWI_K(kept) *own)
{
    if (EWI_K(follows)(m, q))
        return ewi_handed_down(own->sum[EWI_K(sum_at)(m - 1, q)]);
    return own->sum[EWI_K(sum_at)(m, q)];
}

/* kernels/positive.h's is_positive, from what lanes have in registers; sums in another order are no matter there. */
EWI_DEVICE int EWI_K(stays_positive)(const double *parameter, const double *mean, const struct EWI_K(kept) *own,
                                     int thread)
{
    double frame[EWI_FRAME], spread[EWI_M], c[EWI_M], relative[EWI_M];
    EWI_L(frame)(parameter, mean, frame);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        spread[m] = 0.0;
    EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
    {
        int j = EWI_K(basis_of)(q, thread);
        double reach = j > 0 && j < EWI_NP ? EWI_TABLE(REACH)[j] : 0.0;
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            c[m] = EWI_K(new_row)(m, q, own);
        EWI_L(relative)(frame, c, relative);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            spread[m] = reach > 0.0 ? ewi_fma(reach, ewi_abs(relative[m]), spread[m]) : spread[m];
    }
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        spread[m] = EWI_MATRIX ? ewi_sum_of_four(spread[m]) : spread[m];
    return EWI_L(is_positive)(parameter, frame, mean, spread);
}

/*
 * kernels/positive.h's scaling, from what has been stored; a function of its own, since it is rare and must not cost
 * registers. scales: whether this thread's element is to be.
 */
EWI_APART void EWI_K(scale)(const struct ewi_cuda_stage *call, int64_t element, int scales, int thread)
{
    const int first = EWI_MATRIX ? thread % 4 : 0, step = EWI_MATRIX ? 4 : 1;
    int64_t width = call->a.width, place = EWI_K(place)(width, element);
    double mean[EWI_M];
    EWI_WARP_BARRIER; /* others have stored their rows */
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        mean[m] = EWI_SQRT2 * call->target[EWI_K(at)(width, place, m, 0)];
    double lowest = EWI_K(lowest)(mean[0], first, step, call->target, width, place);
    double share = EWI_K(share_of)(1.0 / EWI_THINNEST, mean[0], EWI_MATRIX ? ewi_least_of_four(lowest) : lowest);
    double common = EWI_K(common_share)(call->a.parameter, mean, share, first, step, call->target, width, place);
    common = EWI_MATRIX ? ewi_least_of_four(common) : common;
    EWI_WARP_BARRIER; /* ... and have read them */
    EWI_NO_UNROLL for (int row = first; scales && row < EWI_ROWS; row += step)
    {
        double *at = call->target + EWI_K(at)(width, place, row / EWI_NP, row % EWI_NP);
        if (row % EWI_NP != 0)
            *at = common * ((row < EWI_NP ? share : 1.0) * *at);
    }
}

EWI_DEVICE void EWI_K(keep_positive)(const struct ewi_cuda_stage *call, int number, struct EWI_K(kept) *own, int thread)
{
    int64_t element = (int64_t)number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
    int there = element < call->a.padded;
    double mean[EWI_M];
    EWI_K(new_mean)(own, thread, mean);
    int stays = EWI_K(stays_positive)(call->a.parameter, mean, own, thread);
    if (ewi_warp_any(there && !stays))
        EWI_K(scale)(call, there ? element : 0, there && !stays, thread);
}
#else
EWI_DEVICE void EWI_K(keep_positive)(const struct ewi_cuda_stage *call, int number, struct EWI_K(kept) *own, int thread)
{
    int64_t element = (int64_t)number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
    (void)own;
    if (element < call->a.padded && EWI_K(basis_of)(0, thread) == 0)
        EWI_K(make_positive)(call->a.parameter, call->target, call->a.width, EWI_K(place)(call->a.width, element));
}
#endif

/* Prefetches the arrays that the update reads into L2 while the block is computed: one array per warp. */
EWI_DEVICE void EWI_K(prefetch)(const struct ewi_cuda_stage *call, int number, int thread)
{
    const struct ewi_update *u = &call->update;
    if ((EWI_MATRIX && !call->prefetches) || thread % 32 != 0 || !call->target)
        return;
    int64_t first = (int64_t)number * EWI_BLOCK_ELEMENTS, rest = call->a.padded - first;
    const double *array = thread < 32 ? u->base : thread < 64 ? u->term[0] : thread < 96 ? u->term[1]
                          : u->kept   ? u->kept
                                      : u->term[2];
    int there = thread < 32 || thread / 32 <= u->terms || (thread >= 96 && u->kept);
    if (there && array != call->state)
        ewi_prefetch_l2(array + first * EWI_ROWS,
                        (rest < EWI_BLOCK_ELEMENTS ? rest : EWI_BLOCK_ELEMENTS) * EWI_ROWS * (int64_t)sizeof(double));
}

/* The place in the list of a thread block's block number `iteration`. */
EWI_DEVICE int EWI_K(place_at)(const struct ewi_cuda_stage *call, int grid_block, int iteration)
{
    return iteration * call->grid + grid_block;
}

/* Copies the description of the block after next to its slot of the ring buffer. */
EWI_DEVICE void EWI_K(copy_description)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                        double *shared, int slot, int place, int thread)
{
    int last = call->blocks - 1;
    if (2 * thread < EWI_FUSED_BLOCK_DOUBLES)
        ewi_copy_16(shared + at->description + EWI_FUSED_BLOCK_DOUBLES * (slot % EWI_FUSED_DESCRIPTIONS) + 2 * thread,
                    (const double *)(call->block + (place < last ? place : last)) + 2 * thread);
}

EWI_DEVICE const struct ewi_fused_block *EWI_K(description)(const struct ewi_fused_memory *at, const double *shared,
                                                            int slot)
{
    const int at_slot = EWI_FUSED_BLOCK_DOUBLES * (slot % EWI_FUSED_DESCRIPTIONS);
    return (const struct ewi_fused_block *)(shared + at->description + at_slot);
}

/* The largest of all threads' numbers, in largest[0] for the first of them; the others may be late. */
EWI_DEVICE void EWI_K(find_largest)(double *largest, const struct EWI_K(kept) *own)
{
    double of_warp[EWI_PRIVATE];
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        of_warp[mine] = own[mine].largest;
    ewi_warp_largest(of_warp);
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        if (ewi_thread(mine) % 32 == 0)
            largest[ewi_thread(mine) / 32] = of_warp[mine];
    EWI_BARRIER;
    if (EWI_FIRST_THREAD)
        EWI_UNROLL for (int warp = 1; warp < EWI_THREADS / 32; warp++)
            largest[0] = ewi_cuda_larger(largest[0], largest[warp]);
}

/* The largest speed in the new state, or a NaN, whose bits without a sign are larger than those of any number. */
EWI_DEVICE void EWI_K(leave_speed)(const struct ewi_cuda_stage *call, double *shared, int odd, struct EWI_K(kept) *own)
{
    ewi_copies_wait();
    EWI_BARRIER;
    EWI_K(find_largest)(shared, own);
    if (EWI_FIRST_THREAD) {
        union {
            double value;
            uint64_t bits;
        } speed;
        speed.value = shared[0];
        ewi_raise(&call->head.device_clock->max_speed[odd], speed.bits << 1 >> 1);
    }
}

/* Reads the clock: whether the stage runs, and the numbers of the step that it needs, for all threads of a block. */
EWI_DEVICE void EWI_K(read_clock)(int limits_on_load, const struct ewi_cuda_stage *call, double *steps,
                                  int64_t grid_block)
{
    struct ewi_clock clock;
    int runs = ewi_cuda_enter_step(&call->head, grid_block, 1, 1, &clock);
    steps[0] = call->update.step * clock.step;
    steps[1] = call->update.kept_step * clock.step;
    /* -1: it is inadmissible */
    steps[2] = runs ? 1.0 : !call->head.begins && clock.state == EWI_CLOCK_RUNNING ? -1.0 : 0.0;
    steps[3] = (double)(clock.steps % 2);
    steps[4] = clock.step;
    if (limits_on_load)
        steps[5] = ewi_cuda_limits_on_load(&call->head, call->limits_on_load);
    if (runs && call->ends && grid_block == 0)
        ewi_cuda_end(&call->head, call->leaves_pending, &clock);
}

/* Does the work that depends on no other kernel: loads tables, gates, and the first block's edges. */
EWI_DEVICE void EWI_K(prepare)(int limits_on_load, const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                               double *shared, int64_t grid_block, struct EWI_K(kept) *own, int thread)
{
    EWI_NO_UNROLL for (int x = thread; x < EWI_FUSED_UP(EWI_FUSED_TABLE(EWI_VARIANT, EWI_NP, EWI_NQ, EWI_NE), 2);
                        x += EWI_THREADS)
        ewi_copy_16(shared + at->table + 2 * x, call->table + 2 * x);
    own->largest = 0.0;
    if (thread == 0) {
        ewi_bulk_begin(shared + at->gate);
        ewi_bulk_begin(shared + at->gate + 1);
    }
    EWI_WARP_BARRIER; /* the warp makes them, and its first thread is the first to use one */
    EWI_UNROLL for (int round = 0; round < EWI_ROUNDS; round++)
        own->halo[round] = EWI_K(halo_entry)(call, &call->block[grid_block], round, thread);
    if (limits_on_load)
        EWI_K(take_places)(call, at, &call->block[grid_block], thread);
    EWI_K(copy_edges)(call, at, shared, &call->block[grid_block], thread);
    EWI_K(copy_description)(call, at, shared, 0, (int)grid_block, thread);
    EWI_K(copy_description)(call, at, shared, 1, EWI_K(place_at)(call, (int)grid_block, 1), thread);
}

/* Computes one block, while the loads of the next one are in flight. */
EWI_DEVICE void EWI_K(take_block)(int flux, int positive, int jump_sensor, int limits_on_load, int prefetch,
                                  const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at, double *shared,
                                  int grid_block, int iteration, struct EWI_K(kept) *own)
{
    const struct ewi_fused_block *block = EWI_K(description)(at, shared, iteration);
    const struct ewi_fused_block *next = EWI_K(description)(at, shared, iteration + 1);
    int more = EWI_K(place_at)(call, grid_block, iteration + 1) < call->blocks;
    int shapes_late = limits_on_load && !EWI_MATRIX; /* limiting would wait for them with what it needs */
    const int slopes_only = limits_on_load && !prefetch; /* see EWI_PREFETCH */
    uint32_t neighbours[EWI_PRIVATE];
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        int thread = EWI_K(thread_of)(limits_on_load, mine);
        neighbours[mine] = limits_on_load ? EWI_K(neighbour_places)(at, shared, thread) : 0;
        EWI_K(take_ghosts)(call, at, shared, block, thread);
        if (limits_on_load)
            EWI_K(load_halo_means)(call, at, shared, block, &own[mine], thread);
        ewi_copies_wait_but_last();
        ewi_bulk_wait(shared + at->gate, iteration & 1);
        EWI_WARP_BARRIER;
    }
    if (limits_on_load) {
        EWI_BARRIER; /* means of others' elements, too */
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            EWI_K(limit_staged)(call, at, shared, block, neighbours[mine], &own[mine], ewi_thread(mine));
    }
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        int thread = EWI_K(thread_of)(limits_on_load, mine);
        EWI_K(take_own)(at, shared, &own[mine], thread);
        if (limits_on_load)
            EWI_K(limit_taken)(call, at, shared, block, neighbours[mine], &own[mine]);
        if (!shapes_late)
            EWI_K(take_shape)(call, at, shared, block->number, &own[mine], thread);
        if (limits_on_load && call->limited)
            EWI_K(leave_limited)(slopes_only, call, block->number, &own[mine], thread);
        if (jump_sensor)
            EWI_K(keep_first)(at, shared, &own[mine], thread);
    }
    EWI_K(traces)(jump_sensor, limits_on_load, call, at, shared, block, own);
    ewi_copies_wait();
    EWI_BARRIER;
    if (!more) /* sooner, its thread blocks would crowd multiprocessors that are still busy */
        ewi_next_may_begin();
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        int thread = EWI_K(thread_of)(limits_on_load, mine);
        if (limits_on_load && more) /* before what is asked for here: a call waits for that */
            EWI_K(take_places)(call, at, next, thread);
        if (limits_on_load)
            ewi_copies_end();
        EWI_UNROLL for (int round = 0; round < EWI_ROUNDS; round++)
            own[mine].halo[round] = more ? EWI_K(halo_entry)(call, next, round, thread) : -1;
        if (shapes_late)
            EWI_K(take_shape)(call, at, shared, block->number, &own[mine], thread);
        if (prefetch)
            EWI_K(prefetch)(call, block->number, thread);
        if (more)
            EWI_K(copy_own)(call, at, shared, next->number, thread);
        EWI_K(copy_description)(call, at, shared, iteration + 2, EWI_K(place_at)(call, grid_block, iteration + 2),
                                thread);
        ewi_bulk_wait(shared + at->gate + 1, iteration & 1);
        EWI_K(fluxes)(flux, jump_sensor, call, at, shared, block, block->number, thread);
        EWI_K(copy_halo)(call, at, shared, own[mine].halo, thread);
        ewi_copies_end();
    }
    EWI_K(volume)(call, at, shared, block->number, own);
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(begin_update)(slopes_only, call, block->number, &own[mine], ewi_thread(mine));
    if (limits_on_load)
        ewi_copies_wait_but_last(); /* places of the next block */
    EWI_BARRIER;
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        if (more)
            EWI_K(copy_edges)(call, at, shared, next, ewi_thread(mine));
        ewi_copies_end();
    }
    EWI_K(lift)(at, shared, own);
    const int number = block->number;
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(finish)(jump_sensor, slopes_only, call, at, shared, number, &own[mine], ewi_thread(mine));
    if (positive)
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            EWI_K(keep_positive)(call, number, &own[mine], ewi_thread(mine));
}

/* In a part: sends a block's interface elements to other parts. Not inlined, like scale. */
EWI_APART void EWI_K(send)(const struct ewi_cuda_stage *call, const struct ewi_fused_block *block, const double *ghosts)
{
    const struct ewi_cuda_peers *peers = &call->peers;
    int first = block->message_first * EWI_ROWS, end = first + block->messages * EWI_ROWS;
    int64_t next = ewi_next_buffer(peers, ghosts + EWI_K(tile_of)(call->elements));
    EWI_BARRIER; /* others have stored their rows */
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_NO_UNROLL for (int x = first + ewi_thread(mine); x < end; x += EWI_THREADS)
        {
            struct ewi_cuda_message message = peers->message[x / EWI_ROWS];
            int m = x % EWI_ROWS / EWI_NP, j = x % EWI_NP;
            ewi_send(message.tile + next + EWI_K(row)(m, j, message.item),
                     call->target[EWI_K(at)(call->a.width, message.element, m, j)]);
        }
    if (EWI_FIRST_THREAD)
        ewi_has_sent(peers, end - first);
}

/*
 * Waits for the ghost cells next to a block: those already copied, and those that are copied later, of which the
 * multiprocessor may still cache old values.
 */
EWI_APART void EWI_K(await_ghosts)(const struct ewi_cuda_stage *call, const struct ewi_fused_block *block,
                                   const double *ghosts)
{
    double *const shared = ewi_fused_shared;
    const struct ewi_fused_memory at = EWI_K(memory)(call);
    ewi_copies_wait();
    EWI_WARP_BARRIER; /* its lanes copy for each other */
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_NO_UNROLL for (int round = 0; round * EWI_SIDES_A_ROUND < block->halos; round++)
        {
            int thread = ewi_thread(mine);
            double *tile = round < EWI_ROUNDS ? EWI_K(copied)(&at, shared, round, thread) : NULL;
            EWI_K(await_side)(call, ghosts, EWI_K(halo_entry)(call, block, round, thread), tile, thread);
        }
    if (block->halos > EWI_ROUNDS * EWI_SIDES_A_ROUND)
        ewi_fence();
    EWI_WARP_BARRIER;
}

/* The first interface block in a thread block's share of the list, or the length of the list if it has none. */
EWI_DEVICE int EWI_K(interface_place)(const struct ewi_cuda_stage *call, int grid_block)
{
    int place = grid_block;
    EWI_NO_UNROLL while (place < call->peers.first_interface)
        place += call->grid;
    return EWI_K(is_interface)(call, place) ? place : call->blocks;
}

/* For an inadmissible state: other parts still wait for this interface, and their messages must be received. */
EWI_APART void EWI_K(pass_on)(const struct ewi_cuda_stage *call, int place, const double *ghosts)
{
    EWI_NO_UNROLL for (; EWI_K(is_interface)(call, place); place += call->grid)
    {
        const struct ewi_fused_block *block = &call->block[place];
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            EWI_NO_UNROLL for (int round = 0; round * EWI_SIDES_A_ROUND < block->halos; round++)
                EWI_K(await_side)(call, ghosts, EWI_K(halo_entry)(call, block, round, ewi_thread(mine)), NULL,
                                  ewi_thread(mine));
        EWI_K(send)(call, block, ghosts);
    }
}

EWI_DEVICE void EWI_K(stage)(int flux, int positive, int jump_sensor, int limits_on_load, int prefetch,
                             const struct ewi_cuda_stage *call, int64_t grid_block)
{
    double *const shared = ewi_fused_shared;
    struct EWI_K(kept) own[EWI_PRIVATE];
    const struct ewi_fused_memory at = EWI_K(memory)(call);
    const int first = call->block[grid_block].number;

    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(prepare)(limits_on_load, call, &at, shared, grid_block, &own[mine], ewi_thread(mine));
    ewi_await_previous();
    /* On their way while the clock is read, which may say that they are not needed. */
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(copy_own)(call, &at, shared, first, ewi_thread(mine));
    if (!limits_on_load && EWI_K(interface_place)(call, (int)grid_block) < call->blocks) {
        if (EWI_FIRST_THREAD)
            *(const double **)(shared + at.steps + 5) = ewi_ghost_buffer(&call->peers) - EWI_K(tile_of)(call->elements);
        EWI_BARRIER;
    }
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(copy_halo)(call, &at, shared, own[mine].halo, ewi_thread(mine));
    if (EWI_FIRST_THREAD) /* whose numbers registers have no room for meanwhile */
        EWI_K(read_clock)(limits_on_load, call, shared + at.steps, grid_block);
    ewi_copies_end();
    ewi_copies_wait();
    EWI_BARRIER;
    if (shared[at.steps + 2] <= 0.0) {
        /* Nothing may be on its way to what is another's soon. */
        ewi_bulk_wait(shared + at.gate, 0);
        ewi_bulk_wait(shared + at.gate + 1, 0);
        if (!limits_on_load && shared[at.steps + 2] < 0.0)
            EWI_K(pass_on)(call, EWI_K(interface_place)(call, (int)grid_block), EWI_K(ghosts_at)(&at, shared));
        return;
    }
    for (int mine = 0; limits_on_load && mine < EWI_PRIVATE; mine++)
        own[mine].limiter_pending = EWI_K(is_limiter_pending)(&at, shared);
    EWI_NO_UNROLL for (int iteration = 0; EWI_K(place_at)(call, (int)grid_block, iteration) < call->blocks; iteration++)
    {
        if (!limits_on_load && EWI_K(is_interface)(call, EWI_K(place_at)(call, (int)grid_block, iteration)))
            EWI_K(await_ghosts)(call, EWI_K(description)(&at, shared, iteration), EWI_K(ghosts_at)(&at, shared));
        EWI_K(take_block)(flux, positive, jump_sensor, limits_on_load, prefetch, call, &at, shared, (int)grid_block,
                          iteration, own);
        int again = ewi_recompute(iteration); /* so that no register keeps what is known of the place */
        if (!limits_on_load && EWI_K(is_interface)(call, EWI_K(place_at)(call, (int)grid_block, again)))
            EWI_K(send)(call, EWI_K(description)(&at, shared, iteration), EWI_K(ghosts_at)(&at, shared));
    }
    if (call->ends)
        EWI_K(leave_speed)(call, shared, shared[at.steps + 3] != 0.0, own);
}

#define EWI_STAGE_KERNEL(law, flux, operations)                                           \
    EWI_DEVICE void EWI_K(stage_##flux)(const struct ewi_cuda_stage *call, int64_t block) \
    {                                                                                     \
        EWI_K(stage)(EWI_FLUX_##flux, 0, 0, 0, EWI_PREFETCH, call, block);                \
    }                                                                                     \
    EWI_FUSED_KERNEL(EWI_JOIN4(stage_, law, _, flux), stage, EWI_K(stage_##flux), EWI_FUSED_HELD(EWI_VARIANT))
EWI_JOIN2(EWI_FLUXES_, EWI_LAW)(EWI_STAGE_KERNEL)

/* Kernels of their own: what positivity takes of registers is no other run's loss. */
#define EWI_POSITIVE_STAGE_KERNEL(law, flux, operations)                                            \
    EWI_DEVICE void EWI_K(positive_stage_##flux)(const struct ewi_cuda_stage *call, int64_t block)  \
    {                                                                                               \
        EWI_K(stage)(EWI_FLUX_##flux, 1, 0, 0, EWI_PREFETCH, call, block);                          \
    }                                                                                               \
    EWI_FUSED_KERNEL(EWI_JOIN4(positive_stage_, law, _, flux), stage, EWI_K(positive_stage_##flux), \
                     EWI_FUSED_HELD(EWI_VARIANT))
EWI_JOIN2(EWI_POSITIVE_FLUXES_, EWI_LAW)(EWI_POSITIVE_STAGE_KERNEL)

#define EWI_LIMITED_STAGE_KERNEL(law, flux, operations)                                           \
    EWI_DEVICE void EWI_K(limited_stage_##flux)(const struct ewi_cuda_stage *call, int64_t block) \
    {                                                                                             \
        EWI_K(stage)(EWI_FLUX_##flux, call->positive, 1, 0, EWI_PREFETCH, call, block);           \
    }                                                                                             \
    EWI_FUSED_KERNEL(EWI_JOIN4(limited_stage_, law, _, flux), stage, EWI_K(limited_stage_##flux), \
                     EWI_FUSED_HELD(EWI_VARIANT))
EWI_JOIN2(EWI_POSITIVE_FLUXES_, EWI_LAW)(EWI_LIMITED_STAGE_KERNEL)

#if EWI_ORDER == 1
#define EWI_LIMIT_ON_LOAD_STAGE_KERNEL(law, flux, operations)                                                 \
    EWI_DEVICE void EWI_K(limit_on_load_stage_##flux)(const struct ewi_cuda_stage *call, int64_t block)       \
    {                                                                                                         \
        EWI_K(stage)(EWI_FLUX_##flux, 0, 0, 1, EWI_LIMIT_ON_LOAD_PREFETCH(operations), call, block);          \
    }                                                                                                         \
    EWI_FUSED_KERNEL(EWI_JOIN4(limit_on_load_stage_, law, _, flux), stage, EWI_K(limit_on_load_stage_##flux), \
                     EWI_FUSED_HELD(EWI_VARIANT))
EWI_JOIN2(EWI_FLUXES_, EWI_LAW)(EWI_LIMIT_ON_LOAD_STAGE_KERNEL)
#endif

/* The coefficients of variable m of an element in a stage's state, limited if the limiter is pending. */
EWI_DEVICE void EWI_K(take_variable)(const struct ewi_cuda_ghosts *call, int64_t element, int m, const double *tile,
                                     double *c)
{
    EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
        c[j] = tile[EWI_K(row)(m, j, (int)(element % EWI_TILE))];
    if (EWI_ORDER == 1 && ewi_cuda_limits_on_load(&call->head, call->limits_on_load)) {
        double one[1][EWI_NP], other[1][3], alpha[1];
        EWI_UNROLL for (int k = 0; k < 3; k++)
            other[0][k] = call->state[EWI_K(at)(0, call->a.neighbour[k * call->a.padded + element], m, 0)];
        EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            one[0][j] = c[j];
        EWI_K(factors)(1, one, other, alpha);
        EWI_UNROLL for (int j = 1; j < EWI_NP; j++)
            c[j] = alpha[0] * c[j];
    }
}

/*
 * The states behind boundary edges at their points, once before a stage: the stage's kernel has no registers for what
 * few need.
 */
EWI_DEVICE void EWI_K(ghosts)(const struct ewi_cuda_ghosts *call, int64_t block, int64_t i)
{
    struct ewi_clock clock;
    ewi_await_previous();
    ewi_next_may_begin(); /* the stage, whose thread blocks have their tables to fetch */
    if (!ewi_cuda_enter_step(&call->head, block, 1, EWI_FIRST_THREAD, &clock) || i >= call->boundary_slots * EWI_NE)
        return;
    int64_t slot = i / EWI_NE, e = i % EWI_NE, element = call->a.left[slot];
    const double *c = call->state + EWI_K(tile_of)(element);
    const double *phi = EWI_TABLE(SIDE) + (call->a.left_side[slot] * EWI_NE + e) * EWI_NP;
    const double *unit = call->a.normal + ewi_layout_index(EWI_TILE, 2 * EWI_NE, 2 * e, slot);
    int64_t row = ewi_layout_index(EWI_TILE, EWI_NE * EWI_M, e * EWI_M, slot);
    /* by a formula, at the stage's time */
    int now = call->head.program && call->head.program[slot / EWI_TILE].length > 0;
    const double *states = now ? call->given_now : call->a.given;
    double u[EWI_M], given[EWI_M], ghost[EWI_M];
    for (int m = 0; m < EWI_M; m++) {
        double here[EWI_NP];
        EWI_K(take_variable)(call, element, m, c, here);
        u[m] = 0.0;
        EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            u[m] = ewi_fma(phi[j], here[j], u[m]);
        given[m] = states[row + m * EWI_TILE];
    }
    if (now && !EWI_L(admissible)(call->a.parameter, given))
        call->head.clock->stage = call->head.stage;
    EWI_L(ghost)(call->ghost[slot / EWI_TILE], call->a.parameter, u, given, unit[0], unit[EWI_TILE], ghost);
    for (int m = 0; m < EWI_M; m++)
        call->ghosts[row + m * EWI_TILE] = ghost[m];
}
EWI_THREAD_KERNEL(EWI_NAME(eval_ghosts), ghosts, EWI_K(ghosts))

EWI_DEVICE void EWI_K(speed)(const struct ewi_cuda_speed *call, int64_t block)
{
    double speed[EWI_HERE(EWI_CUDA_BLOCK)], mean[EWI_M];
    if (!ewi_cuda_enter(&call->head, block, 0))
        return;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int64_t i = block * EWI_CUDA_BLOCK + ewi_thread(mine);
        speed[mine] = 0.0;
        if (i >= call->elements)
            continue;
        for (int m = 0; m < EWI_M; m++)
            mean[m] = EWI_SQRT2 * call->state[EWI_K(tile_of)(i) + EWI_K(row)(m, 0, (int)(i % EWI_TILE))];
        speed[mine] = EWI_L(speed)(call->a.parameter, mean, EWI_FIELDS ? call->a.speed_bound[i] : 0.0);
        if (call->a.width_ratio)
            speed[mine] *= call->a.width_ratio[i];
    }
    ewi_cuda_leave_speed(call->partial, block, speed);
}
EWI_KERNEL(EWI_NAME(eval_speed), speed, EWI_K(speed))

#if EWI_ORDER == 1
/* Loads the input of limit_c for element i: its coefficients, and the first ones of its neighbours. */
EWI_DEVICE void EWI_K(take_element)(const struct ewi_cuda_limit *call, int64_t i, double (*c)[EWI_NP],
                                    double (*other)[3])
{
    const int e = (int)(i % EWI_TILE);
    const double *tile = call->target + EWI_K(tile_of)(i);
    int64_t neighbour[3];
    EWI_UNROLL for (int k = 0; k < 3; k++)
        neighbour[k] = call->a.neighbour[k * call->a.padded + i];
    EWI_UNROLL for (int r = 0; r < EWI_ROWS; r++)
    {
        int m = r % EWI_M, j = r / EWI_M, next = (m + 1) % EWI_M, next_j = (r + 1) / EWI_M;
        if (EWI_MATRIX || (r + 1 == EWI_ROWS && r % 2 == 0))
            c[m][j] = tile[EWI_K(row)(m, j, e)];
        else if (r % 2 == 0)
            ewi_get_pair(tile + EWI_K(row)(m, j, e), &c[m][j], &c[next][next_j]);
    }
    EWI_UNROLL for (int k = 0; k < 3; k++)
    {
        const double *tile_of_other = call->target + EWI_K(tile_of)(neighbour[k]);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        {
            const double *first = tile_of_other + EWI_K(row)(m, 0, (int)(neighbour[k] % EWI_TILE));
            if (EWI_MATRIX || (m + 1 == EWI_M && m % 2 == 0))
                other[m][k] = *first;
            else if (m % 2 == 0)
                ewi_get_pair(first, &other[m][k], &other[EWI_K(partner)(m)][k]);
        }
    }
}

/*
 * src/limiter/barth_jespersen.h, one thread per element: all loads are issued before anything is computed, and only
 * slopes that change are written, or that share a pair with one that does.
 */
EWI_DEVICE void EWI_K(limit_c)(const struct ewi_cuda_limit *call, int64_t i)
{
    double c[EWI_M][EWI_NP], other[EWI_M][3], alpha[EWI_M], *tile = call->target + EWI_K(tile_of)(i);
    const int e = (int)(i % EWI_TILE);
    EWI_K(take_element)(call, i, c, other);
    EWI_K(factors)(EWI_M, c, other, alpha);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int j = 1; j < EWI_NP; j++)
        {
            int pairs = !EWI_MATRIX && EWI_M % 2 == 0, next = EWI_K(partner)(m);
            if (pairs && m % 2 == 0 && (alpha[m] != 1.0 || alpha[next] != 1.0))
                ewi_put_pair(tile + EWI_K(row)(m, j, e), alpha[m] * c[m][j], alpha[next] * c[next][j]);
            else if (!pairs && alpha[m] != 1.0)
                tile[EWI_K(row)(m, j, e)] = alpha[m] * c[m][j];
        }
}
#endif

#include "limit_kernels.h"

#include "kernels/end.h"
