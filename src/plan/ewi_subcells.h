/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays of the limiter subcell (limiter/subcell.h), wherever the backend keeps them, and alpha of an element. */
#ifndef EWI_SUBCELLS_H
#define EWI_SUBCELLS_H

#include "ewi_hd.h"
#include "ewi_layout.h"

#include <stdint.h>

/* Rows of `jumps`: J of all quantities, J of the pressure, and V. */
enum { EWI_JUMP_OF_ALL, EWI_JUMP_OF_PRESSURE, EWI_JUMP_OF_MEANS, EWI_SUBCELL_JUMPS };

/* All NULL where the limiter does not act. */
struct ewi_subcells {
    int64_t boundary_slots, edge_slots; /* as in ewi_grid.h */
    const uint8_t *ghost; /* [boundary_slots / EWI_TILE]: the kind of boundary of each tile of slots */
    double *jumps; /* in tiles of slots; 0 at boundaries */
    double *own;   /* [2][padded]: alpha by an element's own jumps, of all quantities and of the pressure */
    double *alpha; /* [padded] */
    uint8_t *touched; /* [slots] */
    /*
     * The fused set on GPUs: [blocks], whether a block of so many elements has touched edges; and [3][padded] the slot
     * of the edge at a side of its left element, or -1 if that is not touched.
     */
    uint8_t *touched_block;
    int64_t block_elements, blocks;
    int32_t *touched_slot;
    /* The divided elements, those of the ghost layer, too, and the touched edges, in any order; the lengths of both. */
    int32_t *element, *edge, *count;
    double *trace;  /* [padded][3][ne][variables]: of divided elements, on their sides */
    double *flux;   /* [slots][ne][variables]: of touched edges, in the edge's direction */
    double *lifted; /* laid out like a state: of divided elements, the sums of inner faces, then lift_volumes' result */
};

#define EWI_LEAST_ALPHA 1e-3 /* smaller ones are 0 */

/* min(max(jump/mean_jump/R0 - 1, 0), 1); each R0 was chosen by measurement, on the flows of bench/noise. */
EW_HD double ewi_alpha_of(int order, double jump, double mean_jump)
{
    double r0 = order == 1 ? 0.3 : order == 2 ? 0.2 : 0.13, alpha = jump / (r0 * mean_jump) - 1.0;
    return alpha < 0.0 ? 0.0 : alpha < 1.0 ? alpha : 1.0;
}

/* Element i by its own jumps: a->own; side_slot as in ewi_grid.h. */
EW_HD void ewi_find_own_alpha(const struct ewi_subcells *a, int order, const int32_t *side_slot, int64_t padded,
                              int64_t i)
{
    double largest[EWI_SUBCELL_JUMPS] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++)
        for (int row = 0; row < EWI_SUBCELL_JUMPS; row++) {
            double jump = a->jumps[ewi_layout_index(EWI_TILE, EWI_SUBCELL_JUMPS, row, side_slot[k * padded + i] >> 1)];
            largest[row] = jump > largest[row] ? jump : largest[row];
        }
    double mean_jump = largest[EWI_JUMP_OF_MEANS] > 0.0 ? largest[EWI_JUMP_OF_MEANS] : 1.0; /* boundaries all around */
    a->own[i] = ewi_alpha_of(order, largest[EWI_JUMP_OF_ALL], mean_jump);
    a->own[padded + i] = ewi_alpha_of(order, largest[EWI_JUMP_OF_PRESSURE], mean_jump);
}

/* Element i by its own jumps, and by its neighbours' jumps of the pressure. */
EW_HD double ewi_find_alpha(const struct ewi_subcells *a, const int32_t *neighbour, int64_t padded, int64_t i)
{
    const double *by_all = a->own, *by_pressure = a->own + padded;
    double alpha = by_all[i] > by_pressure[i] ? by_all[i] : by_pressure[i];
    for (int k = 0; k < 3; k++) {
        double other = by_pressure[neighbour[k * padded + i]];
        alpha = other > alpha ? other : alpha;
    }
    return alpha > EWI_LEAST_ALPHA ? alpha : 0.0;
}

EW_HD int ewi_is_touched(const struct ewi_subcells *a, const int32_t *left, const int32_t *right, int64_t slot)
{
    return a->alpha[left[slot]] > 0.0 || a->alpha[right[slot]] > 0.0;
}

#endif
