/* SPDX-License-Identifier: BSD-2-Clause */
/* How many time steps are done between two looks at the rest of the world. */
#ifndef EWI_PACE_H
#define EWI_PACE_H

#include <math.h>
#include <stdint.h>

#define EWI_PIECE_SECONDS 0.1

/*
 * The last piece was to have `chunk` steps, and `steps` took `seconds`. A run starts with single steps, since
 * nobody knows how long one takes.
 */
static inline int64_t ewi_next_chunk(int64_t chunk, int64_t steps, double seconds)
{
    if (steps < chunk)
        return chunk;
    double fitting = seconds > 0 ? (double)steps * EWI_PIECE_SECONDS / seconds : INFINITY;
    double longer = fmin(fitting, 2.0 * (double)chunk);
    return longer < 1 ? 1 : longer > 1e9 ? 1000000000 : (int64_t)longer;
}

#endif
