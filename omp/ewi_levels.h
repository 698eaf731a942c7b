/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of all laws, by level. */
#ifndef EWI_LEVELS_H
#define EWI_LEVELS_H

#include "ewi_omp.h"

/* law: its number in the list of all laws. */
const struct ewi_omp_kernels *ewi_omp_kernels_of(const struct ewi_omp_level *level, int order, int law);

#endif
