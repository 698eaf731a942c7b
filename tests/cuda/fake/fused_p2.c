/* SPDX-License-Identifier: BSD-2-Clause */
#define EWI_CUDA_ON_HOST
#include "fused_p2.cu"
