/* SPDX-License-Identifier: BSD-2-Clause */
/* How many levels of time steps are enough: fewer are preferred if they take hardly more work. */
#ifndef EWI_LEVEL_WORK_H
#define EWI_LEVEL_WORK_H

#include <math.h>

#define EWI_HARDLY_MORE_WORK 1.1

/* work[k]: of k + 1 levels. The least k, thus the number of the highest level, whose work is within this factor of the
 * least work. */
static inline int ewi_fewest_levels(const double *work, int levels, double factor)
{
    double least = INFINITY;
    int k = 0;
    for (int n = 0; n < levels; n++)
        least = fmin(least, work[n]);
    while (work[k] > factor * least)
        k++;
    return k;
}

#endif
