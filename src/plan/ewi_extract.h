/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Plans that are extracted from the plan of a whole case, with the same numbers: of a part (ewi_part.h), or of levels
 * of time steps (ewi_level_plan.h).
 */
#ifndef EWI_EXTRACT_H
#define EWI_EXTRACT_H

#include "ewi_plan.h"

struct ewi_extraction {
    const struct ewi_plan *whole;
    struct ewi_plan *plan;
    const int32_t *of;   /* [padded]: numbers of elements in the whole, or -1 */
    const int32_t *slot; /* [slots]: numbers of slots in the whole */
};

/* Rows of tiles over `count` elements or slots; numbers below 0 are left out. */
void ewi_extract_rows(int64_t rows, const int32_t *of, int32_t count, const double *from, double *to);
/* All that depends on elements or boundary slots, but the grid and the initial state. Needs the plan's sizes. */
int ewi_extract_data(const struct ewi_extraction *x, ew_error *error);

#endif
