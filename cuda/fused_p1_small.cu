/* SPDX-License-Identifier: BSD-2-Clause */
#define EWI_ORDER 1
#define EWI_VARIANT 6 /* EWI_FUSED_P1_SMALL */
#define EWI_MODULE fused_p1_small
#include "fused_entries.h"
