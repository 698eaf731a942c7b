/* SPDX-License-Identifier: BSD-2-Clause */
/* Polynomials at points, for every law; compiled once for each instruction level, like the kernels. */
#include "ewi_every_law.h"
#include "ewi_omp.h"
#include "ewi_points.h"

#define EWI_EACH_LAW_FILE "points.h"
#include "each_law.h"

#define EWI_POINTS_ROW(law) {.values = values_##law, .extrema = extrema_##law},
#define EWI_POINTS EWI_JOIN4(ewi_omp_, EWI_LEVEL, _, points)
extern const struct ewi_points EWI_POINTS[];
const struct ewi_points EWI_POINTS[] = {EWI_LAWS(EWI_POINTS_ROW)};
