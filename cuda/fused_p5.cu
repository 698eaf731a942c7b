/* SPDX-License-Identifier: BSD-2-Clause */
#define EWI_ORDER 5
#include "fused_entries.h"
