/* SPDX-License-Identifier: BSD-2-Clause */
/* Backends store the length of the current step as a law's last parameter, which no law uses otherwise. */
#ifndef EWI_STEP_PARAMETER_H
#define EWI_STEP_PARAMETER_H

#include "edgewise.h"

enum { EWI_STEP_PARAMETER = EW_MAX_PARAMETERS - 1 };

#endif
