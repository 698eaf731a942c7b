/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A part of a case: a contiguous range of elements, with about as much work as any other part's (ewi_part_cut), and the
 * ghost layer, which are the elements of other parts behind its interface edges. The plan of a part is extracted from
 * that of the whole case, with the same numbers, so a backend steps it like any other plan. Own elements come first,
 * then the ghost layer (ewi_grid.h). Every edge keeps its orientation. Ghost elements have inverse_det 0, so their
 * right-hand side is 0 and they do not change by themselves: exchanges write the owners' values into them.
 */
#ifndef EWI_PART_H
#define EWI_PART_H

#include "ewi_comm.h"
#include "ewi_plan.h"

/* Another part with which elements are exchanged. */
struct ewi_peer {
    int rank;
    int32_t sends, *send;     /* own elements, in ascending order */
    int32_t receives, first;  /* elements of the ghost layer, from number `first` on */
    double *outgoing, *incoming;
};

struct ewi_part {
    struct ew_comm *comm;
    int32_t *cut; /* [comm->size + 1]: ewi_part_cut */
    /* number of the first element in the whole; own elements; elements of the ghost layer */
    int32_t first, count, ghosts;
    struct ew_mesh mesh;        /* only its boundaries' counts, and its info */
    int peers;
    struct ewi_peer *peer;
    struct ewi_message *message; /* [2 peers] */
    uint64_t mark;               /* of the whole's case, if it has been asked for (parts.c) */
};

/*
 * The first elements of `size` parts and, last, the number of elements: *cut, [size + 1], is the caller's to free.
 * Their work differs by at most about that of one element, which is 2^-k at level k of time steps; without levels, 1.
 */
int ewi_part_cut(const struct ewi_plan *whole, int size, int32_t **cut, ew_error *error);
/* The part that element i belongs to, and the number of edges between two parts. */
int ewi_part_of(const int32_t *cut, int size, int32_t i);
int64_t ewi_part_cut_edges(const struct ewi_grid *whole, const int32_t *cut, int size);
/* By how much the largest work of a part exceeds the mean. */
double ewi_part_imbalance(const struct ewi_plan *whole, const int32_t *cut, int size);

/*
 * The plan of the comm's part. The whole plan is only read, and neither it nor its mesh is needed then, but the
 * boundaries' formulas are.
 */
int ewi_part_create(const struct ewi_plan *whole, struct ew_comm *comm, struct ewi_plan **plan, ew_error *error);

/* Fills the ghost layer of a state with the owners' values. Collective over all parts. */
void ewi_part_exchange(const struct ewi_plan *plan, double *state);
/* The same for an array with one number per element. */
void ewi_part_exchange_numbers(const struct ewi_plan *plan, double *number);

/*
 * All-reduce over all parts, whose backends may differ: each calls ewi_part_exchange and ewi_part_max where the list of
 * operations (src/step) has an exchange and a reduction, of the change or of its key (ewi_clock.h). A failed part does
 * so too.
 */
static inline uint64_t ewi_part_max(const struct ewi_plan *plan, uint64_t value)
{
    struct ew_comm *comm = plan->part->comm;
    return comm->calls->max(comm, value);
}

/* Elements first .. first + count - 1 of a state as [count][rows], and back. */
void ewi_part_pack(const struct ewi_plan *plan, const double *state, int32_t first, int32_t count, double *packed);
void ewi_part_unpack(const struct ewi_plan *plan, const double *packed, int32_t first, int32_t count, double *state);

#endif
