/* SPDX-License-Identifier: BSD-2-Clause */
#define EWI_ORDER 1
#include "bed_kernels.h"
