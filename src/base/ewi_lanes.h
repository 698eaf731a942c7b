/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The number type of all time-loop code. EWI_LANES elements, edges or points are worked on at once: a kernel body is
 * written once on ewi_v, which is a double on a GPU thread and a vector register on a CPU. Every operation here acts on
 * each lane by itself with IEEE rounding, so results do not depend on the number of lanes.
 *
 * Besides these functions, only the operators + - * / are used on ewi_v. Multiplication and addition are never
 * contracted (-ffp-contract=off, -fmad=false): what shall be fused says ewi_fma.
 */
#ifndef EWI_LANES_H
#define EWI_LANES_H

#include "ewi_hd.h"

#ifndef EWI_LANES
#define EWI_LANES 1
#endif

#if EWI_LANES == 1

#if !defined(__CUDACC__) && !defined(__CUDA__)
#include <math.h>
#endif
#include <stdint.h>

typedef double ewi_v;
typedef int ewi_mask;

EW_HD ewi_v ewi_set(double a) { return a; }
EW_HD ewi_v ewi_load(const double *p) { return *p; }
EW_HD void ewi_store(double *p, ewi_v a) { *p = a; }
EW_HD ewi_v ewi_fma(ewi_v a, ewi_v b, ewi_v c) { return __builtin_fma(a, b, c); }
/* A device may have its own, of the same bits, which it defines before. */
#ifdef EWI_QUICK_ARITHMETIC
EW_HD ewi_v ewi_root(ewi_v a) { return ewi_quick_root(a); }
EW_HD ewi_v ewi_inverse(ewi_v a) { return ewi_quick_inverse(a); }
#else
EW_HD ewi_v ewi_root(ewi_v a) { return __builtin_sqrt(a); }
EW_HD ewi_v ewi_inverse(ewi_v a) { return 1.0 / a; }
#endif
EW_HD ewi_v ewi_abs(ewi_v a) { return __builtin_fabs(a); }
EW_HD ewi_mask ewi_gt(ewi_v a, ewi_v b) { return a > b; }
EW_HD ewi_mask ewi_isnan(ewi_v a) { return a != a; }
EW_HD ewi_mask ewi_or(ewi_mask a, ewi_mask b) { return a | b; }
EW_HD ewi_mask ewi_and(ewi_mask a, ewi_mask b) { return a & b; }
EW_HD int ewi_all(ewi_mask m) { return m; }
EW_HD ewi_v ewi_select(ewi_mask m, ewi_v a, ewi_v b) { return m ? a : b; }
EW_HD ewi_v ewi_gather(const double *p, const int64_t *offset) { return p[offset[0]]; }
EW_HD double ewi_lane(ewi_v a, int lane) { (void)lane; return a; }
EW_HD ewi_v ewi_set_lane(ewi_v a, int lane, double value) { (void)a; (void)lane; return value; }
/* Four vectors to and from `lanes` runs of four contiguous doubles. */
EW_HD void ewi_load4(const double *p, const int64_t *offset, ewi_v *a)
{
    for (int m = 0; m < 4; m++)
        a[m] = p[offset[0] + m];
}
EW_HD void ewi_store4(double *p, const int64_t *offset, const ewi_v *a)
{
    for (int m = 0; m < 4; m++)
        p[offset[0] + m] = a[m];
}

#elif EWI_LANES == 8

#include <immintrin.h>
#include <stdint.h>

typedef __m512d ewi_v;
typedef __mmask8 ewi_mask;

EW_HD ewi_v ewi_set(double a) { return _mm512_set1_pd(a); }
EW_HD ewi_v ewi_load(const double *p) { return _mm512_loadu_pd(p); }
EW_HD void ewi_store(double *p, ewi_v a) { _mm512_storeu_pd(p, a); }
EW_HD ewi_v ewi_fma(ewi_v a, ewi_v b, ewi_v c) { return _mm512_fmadd_pd(a, b, c); }
EW_HD ewi_v ewi_root(ewi_v a) { return _mm512_sqrt_pd(a); }
EW_HD ewi_v ewi_abs(ewi_v a) { return _mm512_abs_pd(a); }
EW_HD ewi_mask ewi_gt(ewi_v a, ewi_v b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
EW_HD ewi_mask ewi_isnan(ewi_v a) { return _mm512_cmp_pd_mask(a, a, _CMP_UNORD_Q); }
EW_HD ewi_mask ewi_or(ewi_mask a, ewi_mask b) { return (ewi_mask)(a | b); }
EW_HD ewi_mask ewi_and(ewi_mask a, ewi_mask b) { return (ewi_mask)(a & b); }
EW_HD int ewi_all(ewi_mask m) { return m == 0xff; }
EW_HD ewi_v ewi_select(ewi_mask m, ewi_v a, ewi_v b) { return _mm512_mask_blend_pd(m, b, a); }
EW_HD ewi_v ewi_gather(const double *p, const int64_t *offset)
{
    return _mm512_i64gather_pd(_mm512_loadu_si512(offset), p, 8);
}
EW_HD void ewi_load4(const double *p, const int64_t *o, ewi_v *a)
{
#define EWI_PAIR(i, j) \
    _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(p + o[i])), _mm256_loadu_pd(p + o[j]), 1)
    ewi_v r02 = EWI_PAIR(0, 2), r46 = EWI_PAIR(4, 6), r13 = EWI_PAIR(1, 3), r57 = EWI_PAIR(5, 7);
#undef EWI_PAIR
    __m512i low = _mm512_setr_epi64(0, 1, 4, 5, 8, 9, 12, 13), high = _mm512_setr_epi64(2, 3, 6, 7, 10, 11, 14, 15);
    ewi_v l01 = _mm512_permutex2var_pd(r02, low, r46), l23 = _mm512_permutex2var_pd(r02, high, r46);
    ewi_v h01 = _mm512_permutex2var_pd(r13, low, r57), h23 = _mm512_permutex2var_pd(r13, high, r57);
    a[0] = _mm512_unpacklo_pd(l01, h01);
    a[1] = _mm512_unpackhi_pd(l01, h01);
    a[2] = _mm512_unpacklo_pd(l23, h23);
    a[3] = _mm512_unpackhi_pd(l23, h23);
}
EW_HD void ewi_store4(double *p, const int64_t *o, const ewi_v *a)
{
    ewi_v l01 = _mm512_unpacklo_pd(a[0], a[1]), h01 = _mm512_unpackhi_pd(a[0], a[1]);
    ewi_v l23 = _mm512_unpacklo_pd(a[2], a[3]), h23 = _mm512_unpackhi_pd(a[2], a[3]);
    __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    ewi_v r02 = _mm512_permutex2var_pd(l01, low, l23), r46 = _mm512_permutex2var_pd(l01, high, l23);
    ewi_v r13 = _mm512_permutex2var_pd(h01, low, h23), r57 = _mm512_permutex2var_pd(h01, high, h23);
#define EWI_PAIR(r, i, j)                               \
    _mm256_storeu_pd(p + o[i], _mm512_castpd512_pd256(r)); \
    _mm256_storeu_pd(p + o[j], _mm512_extractf64x4_pd(r, 1))
    EWI_PAIR(r02, 0, 2);
    EWI_PAIR(r46, 4, 6);
    EWI_PAIR(r13, 1, 3);
    EWI_PAIR(r57, 5, 7);
#undef EWI_PAIR
}

#elif EWI_LANES == 4

#include <immintrin.h>
#include <stdint.h>

typedef __m256d ewi_v;
typedef __m256d ewi_mask;

EW_HD ewi_v ewi_set(double a) { return _mm256_set1_pd(a); }
EW_HD ewi_v ewi_load(const double *p) { return _mm256_loadu_pd(p); }
EW_HD void ewi_store(double *p, ewi_v a) { _mm256_storeu_pd(p, a); }
EW_HD ewi_v ewi_fma(ewi_v a, ewi_v b, ewi_v c) { return _mm256_fmadd_pd(a, b, c); }
EW_HD ewi_v ewi_root(ewi_v a) { return _mm256_sqrt_pd(a); }
EW_HD ewi_v ewi_abs(ewi_v a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
EW_HD ewi_mask ewi_gt(ewi_v a, ewi_v b) { return _mm256_cmp_pd(a, b, _CMP_GT_OQ); }
EW_HD ewi_mask ewi_isnan(ewi_v a) { return _mm256_cmp_pd(a, a, _CMP_UNORD_Q); }
EW_HD ewi_mask ewi_or(ewi_mask a, ewi_mask b) { return _mm256_or_pd(a, b); }
EW_HD ewi_mask ewi_and(ewi_mask a, ewi_mask b) { return _mm256_and_pd(a, b); }
EW_HD int ewi_all(ewi_mask m) { return _mm256_movemask_pd(m) == 0xf; }
EW_HD ewi_v ewi_select(ewi_mask m, ewi_v a, ewi_v b) { return _mm256_blendv_pd(b, a, m); }
EW_HD ewi_v ewi_gather(const double *p, const int64_t *o)
{
    return _mm256_set_pd(p[o[3]], p[o[2]], p[o[1]], p[o[0]]);
}
EW_HD void ewi_transpose4(ewi_v *a)
{
    ewi_v t0 = _mm256_unpacklo_pd(a[0], a[1]), t1 = _mm256_unpackhi_pd(a[0], a[1]);
    ewi_v t2 = _mm256_unpacklo_pd(a[2], a[3]), t3 = _mm256_unpackhi_pd(a[2], a[3]);
    a[0] = _mm256_permute2f128_pd(t0, t2, 0x20);
    a[1] = _mm256_permute2f128_pd(t1, t3, 0x20);
    a[2] = _mm256_permute2f128_pd(t0, t2, 0x31);
    a[3] = _mm256_permute2f128_pd(t1, t3, 0x31);
}
EW_HD void ewi_load4(const double *p, const int64_t *offset, ewi_v *a)
{
    for (int lane = 0; lane < 4; lane++)
        a[lane] = ewi_load(p + offset[lane]);
    ewi_transpose4(a);
}
EW_HD void ewi_store4(double *p, const int64_t *offset, const ewi_v *a)
{
    ewi_v rows[4] = {a[0], a[1], a[2], a[3]};
    ewi_transpose4(rows);
    for (int lane = 0; lane < 4; lane++)
        ewi_store(p + offset[lane], rows[lane]);
}

#elif EWI_LANES == 2

/*
 * Two lanes by the compilers' vector extension: SSE2 without FMA hardware, NEON, and whatever else has 128-bit vectors.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef double ewi_v __attribute__((vector_size(16)));
typedef int64_t ewi_mask __attribute__((vector_size(16)));

EW_HD ewi_v ewi_set(double a) { return (ewi_v){a, a}; }
EW_HD ewi_v ewi_load(const double *p)
{
    ewi_v a;
    memcpy(&a, p, sizeof a);
    return a;
}
EW_HD void ewi_store(double *p, ewi_v a) { memcpy(p, &a, sizeof a); }
#if defined(__SSE2__)
#include <emmintrin.h>
EW_HD ewi_v ewi_root(ewi_v a) { return (ewi_v)_mm_sqrt_pd((__m128d)a); }
#else
EW_HD ewi_v ewi_root(ewi_v a) { return (ewi_v){__builtin_sqrt(a[0]), __builtin_sqrt(a[1])}; }
#endif
EW_HD ewi_v ewi_abs(ewi_v a) { return (ewi_v)((ewi_mask)a & (ewi_mask){INT64_MAX, INT64_MAX}); }
EW_HD ewi_mask ewi_gt(ewi_v a, ewi_v b) { return (ewi_mask)(a > b); }
EW_HD ewi_mask ewi_isnan(ewi_v a) { return (ewi_mask)(a != a); }
EW_HD ewi_mask ewi_or(ewi_mask a, ewi_mask b) { return a | b; }
EW_HD ewi_mask ewi_and(ewi_mask a, ewi_mask b) { return a & b; }
EW_HD int ewi_all(ewi_mask m) { return (m[0] & m[1]) != 0; }
EW_HD ewi_v ewi_select(ewi_mask m, ewi_v a, ewi_v b) { return (ewi_v)((m & (ewi_mask)a) | (~m & (ewi_mask)b)); }
EW_HD ewi_v ewi_gather(const double *p, const int64_t *o) { return (ewi_v){p[o[0]], p[o[1]]}; }
EW_HD void ewi_load4(const double *p, const int64_t *o, ewi_v *a)
{
    for (int m = 0; m < 4; m++)
        a[m] = (ewi_v){p[o[0] + m], p[o[1] + m]};
}
EW_HD void ewi_store4(double *p, const int64_t *o, const ewi_v *a)
{
    for (int m = 0; m < 4; m++) {
        p[o[0] + m] = a[m][0];
        p[o[1] + m] = a[m][1];
    }
}

#if defined(__FMA__) || defined(__aarch64__) || defined(__FP_FAST_FMA) || !defined(__SSE2__)
EW_HD ewi_v ewi_fma(ewi_v a, ewi_v b, ewi_v c)
{
    return (ewi_v){__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
}
#else
/*
 * The bits of fma() without FMA hardware, where glibc's fma() would be hundreds of times slower: the product and its
 * error (Dekker 1971), two exact sums (Knuth), the lower parts rounded to odd, one last addition (Boldo and Melquiond
 * 2008). The error-free steps hold away from overflow and underflow; lanes outside that range take fma() itself. Not
 * inlined: a kernel has hundreds of them, and a compiler minutes of work with so many copies.
 */
EW_HD ewi_mask ewi_between(ewi_v a, double low, double high)
{
    ewi_v size = ewi_abs(a);
    return (ewi_mask)(size >= ewi_set(low)) & (ewi_mask)(size <= ewi_set(high));
}
__attribute__((noinline, unused)) static ewi_v ewi_fma(ewi_v a, ewi_v b, ewi_v c)
{
    const ewi_v zero = {0.0, 0.0}, split = {134217729.0, 134217729.0};
    ewi_v ta = split * a, ah = ta - (ta - a), al = a - ah;
    ewi_v tb = split * b, bh = tb - (tb - b), bl = b - bh;
    ewi_v product = a * b, rest = ((ah * bh - product) + ah * bl + al * bh) + al * bl;
    ewi_v th = c + rest, z = th - c, tl = (c - (th - z)) + (rest - z);
    ewi_v vh = product + th, y = vh - product, w = (product - (vh - y)) + (th - y);
    ewi_v low = tl + w, x = low - tl, error = (tl - (low - x)) + (w - x);
    ewi_mask bits = (ewi_mask)low, odd = bits & 1, inexact = (ewi_mask)(error != zero);
    ewi_mask direction = ((ewi_mask)error ^ bits) >> 63;
    low = (ewi_v)(bits + ((direction | 1) & inexact & (odd - 1)));
    ewi_v sum = product + c; /* exact in its sign of zero where a factor is zero */
    ewi_mask factor_zero = (ewi_mask)(a == zero) | (ewi_mask)(b == zero);
    ewi_mask safe = factor_zero | (ewi_between(product, 0x1p-900, 0x1p+900) & ewi_between(a, 0x1p-900, 0x1p+900) &
                                   ewi_between(b, 0x1p-900, 0x1p+900) & (ewi_mask)(ewi_abs(c) <= ewi_set(0x1p+900)));
    ewi_v result = ewi_select(factor_zero, sum, vh + low);
    if (__builtin_expect((safe[0] & safe[1]) == 0, 0))
        for (int lane = 0; lane < 2; lane++)
            if (!safe[lane])
                result[lane] = fma(a[lane], b[lane], c[lane]);
    return result;
}
#endif

#else
#error "EWI_LANES is 1, 2, 4 or 8"
#endif

#if EWI_LANES > 1
EW_HD ewi_v ewi_inverse(ewi_v a) { return ewi_set(1.0) / a; }
EW_HD double ewi_lane(ewi_v a, int lane) { return a[lane]; }
EW_HD ewi_v ewi_set_lane(ewi_v a, int lane, double value)
{
    a[lane] = value;
    return a;
}
#endif

/*
 * Stores that bypass the caches, where available; p is a multiple of the vector. The data is visible after
 * ewi_streamed.
 */
#if EWI_LANES == 8
EW_HD void ewi_stream(double *p, ewi_v a) { _mm512_stream_pd(p, a); }
EW_HD void ewi_streamed(void) { _mm_sfence(); }
#elif EWI_LANES == 4
EW_HD void ewi_stream(double *p, ewi_v a) { _mm256_stream_pd(p, a); }
EW_HD void ewi_streamed(void) { _mm_sfence(); }
#else
EW_HD void ewi_stream(double *p, ewi_v a) { ewi_store(p, a); }
EW_HD void ewi_streamed(void) {}
#endif

/* a > b ? a : b, and a < b ? a : b, as one instruction where there is one: b if either is NaN, or both are zero. */
#if EWI_LANES == 8
EW_HD ewi_v ewi_larger(ewi_v a, ewi_v b) { return _mm512_max_pd(a, b); }
EW_HD ewi_v ewi_smaller(ewi_v a, ewi_v b) { return _mm512_min_pd(a, b); }
#elif EWI_LANES == 4
EW_HD ewi_v ewi_larger(ewi_v a, ewi_v b) { return _mm256_max_pd(a, b); }
EW_HD ewi_v ewi_smaller(ewi_v a, ewi_v b) { return _mm256_min_pd(a, b); }
#elif EWI_LANES == 2 && defined(__SSE2__)
EW_HD ewi_v ewi_larger(ewi_v a, ewi_v b) { return (ewi_v)_mm_max_pd((__m128d)a, (__m128d)b); }
EW_HD ewi_v ewi_smaller(ewi_v a, ewi_v b) { return (ewi_v)_mm_min_pd((__m128d)a, (__m128d)b); }
#else
EW_HD ewi_v ewi_larger(ewi_v a, ewi_v b) { return ewi_select(ewi_gt(a, b), a, b); }
EW_HD ewi_v ewi_smaller(ewi_v a, ewi_v b) { return ewi_select(ewi_gt(b, a), a, b); }
#endif

/* The larger one; NaN if either is, so that a maximum does not hide an inadmissible state. */
EW_HD ewi_v ewi_max(ewi_v a, ewi_v b) { return ewi_select(ewi_or(ewi_gt(a, b), ewi_isnan(a)), a, b); }
EW_HD ewi_v ewi_min(ewi_v a, ewi_v b) { return ewi_select(ewi_or(ewi_gt(b, a), ewi_isnan(a)), a, b); }

/* a / b where it is `wanted`, and 1 elsewhere. */
#if EWI_LANES == 1
EW_HD ewi_v ewi_part(ewi_mask wanted, ewi_v a, ewi_v b) { return wanted ? a / b : 1.0; }
#else
EW_HD ewi_v ewi_part(ewi_mask wanted, ewi_v a, ewi_v b) { return ewi_select(wanted, a / b, ewi_set(1.0)); }
#endif

/* True if it is of any lane. */
EW_HD int ewi_any(ewi_mask m)
{
    return !ewi_all(ewi_gt(ewi_set(1.0), ewi_select(m, ewi_set(2.0), ewi_set(0.0))));
}

#endif
