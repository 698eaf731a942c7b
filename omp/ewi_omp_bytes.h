/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory that the OpenMP backend takes, before there is a mesh. */
#ifndef EWI_OMP_BYTES_H
#define EWI_OMP_BYTES_H

#include "ewi_sizes.h"

/* The sets of kernels, with one level of time steps or several. */
enum ewi_omp_kind { EWI_OMP_PAPER, EWI_OMP_FUSED, EWI_OMP_PAPER_LEVELS, EWI_OMP_FUSED_LEVELS };

size_t ewi_omp_bytes(const struct ewi_sizes *sizes, enum ewi_omp_kind kind, int threads);

#endif
