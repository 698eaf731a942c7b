/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All kernels of one instruction level and one order, for every law. kernels_p<order>.c is compiled once for each
 * level, with
 *   -DEWI_LEVEL=name -DEWI_LANES=n and the compiler's options for that level.
 */
#include "tables/order.h"
#include "tables/volumes_order.h"

#include "ewi_omp.h"
#include "kernels/begin.h"
#include "kernels/update.h"

#include <string.h>

#include "kernel_tables.h"

#include "kernels/end.h"

#define EWI_EACH_LAW_FILE "law_kernels.h"
#include "each_law.h"

#define EWI_KERNEL_ROW(law) &EWI_JOIN4(kernels_, law, _p, EWI_ORDER),
#define EWI_ARRAY EWI_JOIN4(ewi_omp_, EWI_LEVEL, _p, EWI_ORDER)
extern const struct ewi_omp_kernels *const EWI_ARRAY[];
const struct ewi_omp_kernels *const EWI_ARRAY[] = {EWI_LAWS(EWI_KERNEL_ROW)};
