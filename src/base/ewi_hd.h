/* SPDX-License-Identifier: BSD-2-Clause */
/* One spelling for functions that host compilers, nvcc and clang's NVPTX target all compile. */
#ifndef EWI_HD_H
#define EWI_HD_H

#include "ewi_arithmetic.h"

#if defined(__CUDACC__) || defined(__CUDA__)
#define EW_HD static __host__ __device__ inline __attribute__((always_inline))
#elif defined(__OPTIMIZE__) && !defined(EWI_CUDA_ON_HOST)
#define EW_HD static inline __attribute__((always_inline, unused))
#else /* Without optimization, and in tests of CUDA's kernels, what takes time is compiling. */
#define EW_HD static inline __attribute__((unused))
#endif

/* For large functions that are called rarely: without it, all would be one. */
#if defined(__CUDACC__) || defined(__CUDA__)
#define EW_HD_APART static __host__ __device__ __noinline__
#else
#define EW_HD_APART static __attribute__((noinline, unused))
#endif

#endif
