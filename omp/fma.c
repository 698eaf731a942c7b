/* SPDX-License-Identifier: BSD-2-Clause */
/* How fast an instruction level multiplies and adds; compiled once for each, like the kernels. */
#include "ewi_omp.h"
#include "kernels/begin.h"
#include "kernels/end.h"

enum { CHAINS = 12 }; /* more than an fma's latency times the units that there are */

#define EWI_FMA EWI_JOIN4(ewi_omp_, EWI_LEVEL, _, fma)
double EWI_FMA(int64_t steps, double *sum);

double EWI_FMA(int64_t steps, double *sum)
{
    ewi_v chain[CHAINS], factor = ewi_set(0.999999), term = ewi_set(1e-6);
    for (int k = 0; k < CHAINS; k++)
        chain[k] = ewi_set(1.0 + 0.1 * k);
    for (int64_t step = 0; step < steps; step++)
        for (int k = 0; k < CHAINS; k++)
            chain[k] = ewi_fma(chain[k], factor, term);
    for (int k = 0; k < CHAINS; k++)
        *sum += ewi_lane(chain[k], 0);
    return (double)steps * CHAINS * EWI_LANES;
}
