/* SPDX-License-Identifier: BSD-2-Clause */
/* The paper's kernels of one order, EWI_ORDER, for every law: a module, with its tables in constant memory. */
#define EWI_SOLO
#include "ewi_cuda_threads.h"
#include "tables/order.h"
#include "tables/volumes_order.h"
#include "kernels/begin.h"
#include "kernels/update.h"

#include "constants.h"

#define EWI_MODULE EWI_JOIN2(kernels_p, EWI_ORDER)

#include "kernels/end.h"

#define EWI_EACH_LAW_FILE "edgewise_kernels.h"
#include "each_law.h"
