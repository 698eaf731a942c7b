/* SPDX-License-Identifier: BSD-2-Clause */
/* Where among a law's constants backends put the length of the step in hand: the last place, which no law has. */
#ifndef EWI_STEP_PARAMETER_H
#define EWI_STEP_PARAMETER_H

#include "edgewise.h"

enum { EWI_STEP_PARAMETER = EW_MAX_PARAMETERS - 1 };

#endif
