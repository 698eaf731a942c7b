/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Division and square root for kernels that do many side by side: the bits of 1.0 / a and sqrt(a) without the branch
 * that the compiler's own have, around which nothing can be overlapped. Newton's iteration from the hardware's
 * approximation; its steps scale with powers of two, so that the result depends on the mantissa alone.
 * tests/src/parity-gpu compares them with IEEE's.
 *
 * The bits are IEEE's for 0, infinity, NaN and sizes from 2^-960 to 2^1020; of others (there are none in a flow) they
 * are not.
 */
#ifndef EWI_CUDA_QUICK_H
#define EWI_CUDA_QUICK_H

#if defined(__CUDACC__) && defined(__CUDA_ARCH__)
#define EWI_HAS_QUICK_ARITHMETIC
#ifndef EWI_IEEE_ARITHMETIC  /* of a module whose numbers may be of any size */
#define EWI_QUICK_ARITHMETIC /* for ewi_lanes.h */
#endif

static __device__ __forceinline__ double ewi_quick_inverse(double a)
{
    double first, y, e;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(first) : "d"(a));
    e = __fma_rn(-a, first, 1.0);
    e = __fma_rn(e, e, e);
    y = __fma_rn(e, first, first);
    e = __fma_rn(-a, y, 1.0);
    y = __fma_rn(e, y, y);
    /* The one mantissa that this rounds wrongly, all ones: the inverse is the power of two below, plus one unit. */
    int high = __double2hiint(a), low = __double2loint(a);
    int ones = (high & 0xfffff) == 0xfffff && low == -1;
    double special = __hiloint2double((0x7fd << 20) - (high & 0x7ff00000) + (high & (int)0x80000000), 1);
    y = ones ? special : y;
    /* The approximation is exact for 0 and infinity, and NaN for NaN. */
    unsigned exponent = (unsigned)high & 0x7ff00000u;
    return exponent - 0x00100000u < 0x7fe00000u ? y : first;
}

static __device__ __forceinline__ double ewi_quick_root(double a)
{
    double y, e, s;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
    e = __fma_rn(a, -__dmul_rn(y, y), 1.0);
    y = __fma_rn(__fma_rn(e, 0.375, 0.5), __dmul_rn(y, e), y);
    s = __dmul_rn(a, y);
    s = __fma_rn(__fma_rn(s, -s, a), __dmul_rn(0.5, y), s);
    /* 0 and infinity are their own roots. */
    unsigned exponent = (unsigned)__double2hiint(a) & 0x7ff00000u;
    return exponent - 0x00100000u < 0x7fe00000u ? s : a < 0.0 ? __longlong_as_double(0x7ff8000000000000ll) : a;
}

/*
 * The bits of a / b for |a| <= |b|, if it is `sure` of them: for a = 0, and for sizes at which the compiler's own
 * division takes these steps, too (from 2^-969 of a, to 2^1017 of b).
 */
static __device__ __forceinline__ double ewi_quick_part(double a, double b, int *sure)
{
    double first, y, e, part;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(first) : "d"(b));
    first = __hiloint2double(__double2hiint(first), 1);
    e = __fma_rn(-b, first, 1.0);
    e = __fma_rn(e, e, e);
    y = __fma_rn(first, e, first);
    e = __fma_rn(-b, y, 1.0);
    y = __fma_rn(y, e, y);
    part = __dmul_rn(a, y);
    e = __fma_rn(-b, part, a);
    part = __fma_rn(y, e, part);
    /* The upper halves as floats: 0 times one that is infinite or NaN is NaN, and so in no order. */
    float size = __fmaf_rn(0.0f, __int_as_float(__double2hiint(b)), __int_as_float(__double2hiint(part)));
    int zero = a == 0.0;
    *sure = zero | ((fabsf(__int_as_float(__double2hiint(a))) >= 0x1.cp-121f) & (fabsf(size) > 0x1p-129f));
    return zero ? __hiloint2double((__double2hiint(a) ^ __double2hiint(b)) & (int)0x80000000, 0) : part;
}

#endif
#endif
