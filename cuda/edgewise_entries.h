/* SPDX-License-Identifier: BSD-2-Clause */
/* All kernels of one order, for every law: one module of the device, with its tables in constant memory. */
#include "ewi_cuda_device.h"

#include "tables/order.h"

#include "ewi_cuda_threads.h"
#include "kernels/begin.h"
#include "kernels/update.h"

#include "constants.h"

#ifdef EWI_CUDA_ON_HOST
#define EWI_ON_HOST(name) EWI_JOIN4(ewi_on_host_p, EWI_ORDER, _, name)
#endif

#include "kernels/end.h"

#define EWI_EACH_LAW_FILE "edgewise_kernels.h"
#include "kernels/each_law.h"
