/* SPDX-License-Identifier: BSD-2-Clause */
#define EWI_ORDER 4
#include "bed_kernels.h"
