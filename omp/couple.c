/* SPDX-License-Identifier: BSD-2-Clause */
/* Interface elements and their views in a stage; compiled once for each instruction level, like the kernels. */
#include "ewi_omp.h"
#include "kernels/begin.h"
#include "kernels/couple.h"
#include "kernels/end.h"

#define EWI_COUPLE EWI_JOIN4(ewi_omp_, EWI_LEVEL, _, couple)
void EWI_COUPLE(const struct ewi_coupling *coupling, const struct ewi_coupled *of, int64_t first, int64_t last);

void EWI_COUPLE(const struct ewi_coupling *coupling, const struct ewi_coupled *of, int64_t first, int64_t last)
{
    for (int64_t at = first; at < last; at += EWI_LANES) {
        if (of->steps)
            ewi_couple_own(coupling, of, at);
        ewi_couple_view(coupling, of, at);
    }
}
