/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Results have the same bits everywhere only if the compiler does the floating-point operations that the sources state.
 * Whatever CFLAGS were given, to configure or to make, this header refuses what shows in a macro.
 */
#ifndef EWI_ARITHMETIC_H
#define EWI_ARITHMETIC_H

#if !defined(__CUDACC__) && !defined(__CUDA__)

#include <float.h>

#if defined(__ASSOCIATIVE_MATH__)
#error "-fassociative-math (part of -funsafe-math-optimizations and -ffast-math) reorders sums: leave it out"
#elif defined(__RECIPROCAL_MATH__)
#error "-freciprocal-math (part of -funsafe-math-optimizations) replaces divisions by products: leave it out"
#elif __FINITE_MATH_ONLY__ > 0
#error "-ffinite-math-only (part of -ffast-math and -Ofast) takes NaN and infinity for impossible: leave it out"
#elif defined(__NO_SIGNED_ZEROS__)
#error "-fno-signed-zeros (part of -funsafe-math-optimizations and -ffast-math) exchanges 0 and -0: leave it out"
#elif defined(__FAST_MATH__)
#error "-ffast-math (part of -Ofast) reorders and approximates arithmetic: results would have other bits; leave it out"
#endif

/* 1, 16, 32 and 64 say how narrower types are evaluated: AVX512-FP16 makes it 16. */
#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD > 64
#error "double is evaluated with more than 53 bits (x87): on 32-bit x86 add -msse2 -mfpmath=sse"
#endif

#if DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024
#error "double is not the 64-bit format of IEEE 754, which edgewise needs"
#endif

#ifndef __cplusplus
_Static_assert(sizeof 0.1 == sizeof(double),
               "-fsingle-precision-constant rounds constants to float: results would have other bits; leave it out");
#endif

#endif

#endif
