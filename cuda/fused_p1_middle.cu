/* SPDX-License-Identifier: BSD-2-Clause */
#define EWI_ORDER 1
#define EWI_VARIANT 7 /* EWI_FUSED_P1_MIDDLE */
#define EWI_MODULE fused_p1_middle
#include "fused_entries.h"
