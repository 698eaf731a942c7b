/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Elementary functions that have the same bits on every machine: IEEE double precision by + - * / sqrt, comparisons and
 * integer operations only, compiled by host compilers with -ffp-contract=off, by nvcc with -fmad=false and for NVPTX.
 *
 * The algorithms are classical; nothing is derived from another library's source. Polynomials are interpolations at
 * Chebyshev points, computed with 300 bits. What must be more accurate than one double is carried as the unevaluated
 * sum of two ("double-double": Dekker, "A floating-point technique for extending the available precision", Numer. Math.
 * 18,
 * 1971); large arguments of sin, cos and tan are reduced as Payne and Hanek do ("Radian reduction for trigonometric
 * functions", SIGNUM Newsletter 18, 1983). Errors are below 1 ulp of the true value; tests/base/math.c measures them.
 */
#ifndef EWI_MATH_H
#define EWI_MATH_H

#include <stdint.h>

#include "ewi_hd.h"

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2
#error "edgewise needs double arithmetic without excess precision: compile with -msse2 -mfpmath=sse"
#endif
#if defined(__FAST_MATH__)
#error "edgewise cannot be compiled with -ffast-math: results would depend on the compiler"
#endif

/* Functions that are large and called rarely, or from many places: not inlined. */
#if defined(__CUDACC__) || defined(__CUDA__)
#define EWI_HD_CALL static __host__ __device__ __attribute__((noinline, unused))
#else
#define EWI_HD_CALL static __attribute__((noinline, unused))
#endif

typedef struct ewi_pair {
    double hi, lo; /* stands for hi + lo; |lo| is about an ulp of hi or less, where not said otherwise */
} ewi_pair;

EW_HD uint64_t ewi_to_bits(double x)
{
    union {
        double value;
        uint64_t bits;
    } both;
    both.value = x;
    return both.bits;
}

EW_HD double ewi_from_bits(uint64_t bits)
{
    union {
        uint64_t bits;
        double value;
    } both;
    both.bits = bits;
    return both.value;
}

EW_HD double ewi_infinity(void)
{
    return ewi_from_bits(0x7ff0000000000000u);
}

/* The one NaN that results contain: machines differ in the sign and payload of those that they produce. */
EW_HD double ewi_nan(void)
{
    return ewi_from_bits(0x7ff8000000000000u);
}

EW_HD double ewi_fabs(double x)
{
#if defined(__NVCC__)
    return fabs(x);
#else
    return __builtin_fabs(x);
#endif
}

EW_HD double ewi_sqrt(double x)
{
#if defined(__NVCC__)
    return sqrt(x);
#else
    return __builtin_sqrt(x);
#endif
}

EW_HD double ewi_copysign(double magnitude, double sign)
{
    return ewi_from_bits((ewi_to_bits(magnitude) & 0x7fffffffffffffffu) | (ewi_to_bits(sign) & 0x8000000000000000u));
}

/* Exponent of a normal number, as stored: 1023 stands for 2^0; 0 for subnormals and zero. */
EW_HD int32_t ewi_biased_exponent(double x)
{
    return (int32_t)((ewi_to_bits(x) >> 52) & 0x7ff);
}

/* 2^k, -1022 <= k <= 1023 */
EW_HD double ewi_power_of_two(int32_t k)
{
    return ewi_from_bits((uint64_t)(uint32_t)(k + 1023) << 52);
}

/* x 2^k for 1/4 <= |x| <= 4, -1600 <= k <= 2000, with gradual underflow. */
EW_HD double ewi_scale(double x, int32_t k)
{
    if (k > 1000)
        return x * ewi_power_of_two(1000) * ewi_power_of_two(k - 1000);
    if (k < -1000)
        return x * ewi_power_of_two(k + 600) * ewi_power_of_two(-600);
    return x * ewi_power_of_two(k);
}

/* Nearest integer, ties to even; |x| < 2^51. */
EW_HD double ewi_round_even(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

/* a + b = hi + lo exactly, if |a| >= |b| or a == 0. */
EW_HD ewi_pair ewi_fast_two_sum(double a, double b)
{
    ewi_pair sum;
    sum.hi = a + b;
    sum.lo = b - (sum.hi - a);
    return sum;
}

/* a + b = hi + lo exactly (Knuth). */
EW_HD ewi_pair ewi_two_sum(double a, double b)
{
    ewi_pair sum;
    sum.hi = a + b;
    double part = sum.hi - a;
    sum.lo = (a - (sum.hi - part)) + (b - part);
    return sum;
}

/*
 * a b = hi + lo exactly, for products from 2^-900 to 2^900. The error term is a double, hence it does not matter for
 * the bits whether fma or Dekker's splitting finds it.
 */
EW_HD ewi_pair ewi_two_product(double a, double b)
{
    ewi_pair product;
    product.hi = a * b;
#if defined(__NVCC__) && defined(__CUDA_ARCH__)
    product.lo = fma(a, b, -product.hi);
#elif defined(__CUDA_ARCH__) || defined(__FP_FAST_FMA) || defined(__FMA__) || defined(__aarch64__)
    product.lo = __builtin_fma(a, b, -product.hi);
#else
    double a_split = 134217729.0 * a, b_split = 134217729.0 * b; /* 2^27 + 1 */
    double a_high = a_split - (a_split - a), b_high = b_split - (b_split - b);
    double a_low = a - a_high, b_low = b - b_high;
    product.lo = ((a_high * b_high - product.hi) + a_high * b_low + a_low * b_high) + a_low * b_low;
#endif
    return product;
}

EW_HD ewi_pair ewi_pair_multiply(ewi_pair a, ewi_pair b)
{
    ewi_pair product = ewi_two_product(a.hi, b.hi);
    product.lo += a.hi * b.lo + a.lo * b.hi;
    return product;
}

EW_HD ewi_pair ewi_pair_divide(ewi_pair a, ewi_pair b)
{
    ewi_pair quotient;
    quotient.hi = a.hi / b.hi;
    ewi_pair back = ewi_two_product(quotient.hi, b.hi);
    quotient.lo = (((a.hi - back.hi) - back.lo) + (a.lo - quotient.hi * b.lo)) / b.hi;
    return quotient;
}

/* ---- exp, log, pow ----------------------------------------------------------------------------------------------- */

/* exp(x.hi + x.lo) = 2^k (1 + result), |x.hi| <= 800, result between -0.3 and 0.42. */
EW_HD ewi_pair ewi_exp_parts(ewi_pair x, int32_t *k)
{
    double multiple = ewi_round_even(x.hi * 0x1.71547652b82fep+0);
    *k = (int32_t)multiple;
    /* ln 2 in two parts, the first of 41 bits: the first difference is exact */
    ewi_pair r = ewi_two_sum(x.hi - multiple * 0x1.62e42fefa3000p-1, x.lo - multiple * 0x1.3de6af278ece6p-42);

    /* r + r^2/2 as a pair, r^3 (1/6 + ...) as a double */
    ewi_pair square = ewi_two_product(r.hi, r.hi);
    double tail = 0x1.1f6717774d5e0p-29;
    tail = tail * r.hi + 0x1.af390ba7e6f47p-26;
    tail = tail * r.hi + 0x1.27e4e1dcf773bp-22;
    tail = tail * r.hi + 0x1.71de0d85293b8p-19;
    tail = tail * r.hi + 0x1.a01a01a48116fp-16;
    tail = tail * r.hi + 0x1.a01a01a7cebcdp-13;
    tail = tail * r.hi + 0x1.6c16c16c167dap-10;
    tail = tail * r.hi + 0x1.11111111109a6p-7;
    tail = tail * r.hi + 0x1.5555555555555p-5;
    tail = tail * r.hi + 0x1.5555555555556p-3;
    ewi_pair result = ewi_fast_two_sum(r.hi, 0.5 * square.hi);
    result.lo += (r.lo + r.hi * r.lo + 0.5 * square.lo) + tail * (r.hi * square.hi);
    return result;
}

EW_HD double ewi_exp_pair(ewi_pair x)
{
    int32_t k;
    ewi_pair part = ewi_exp_parts(x, &k);
    ewi_pair sum = ewi_fast_two_sum(1.0, part.hi);
    return ewi_scale(sum.hi + (sum.lo + part.lo), k);
}

EW_HD double ewi_exp(double x)
{
    if (x != x)
        return ewi_nan();
    if (x > 800.0)
        return ewi_infinity();
    if (x < -800.0)
        return 0.0;
    ewi_pair argument = {x, 0.0};
    return ewi_exp_pair(argument);
}

/* log(x) for finite x > 0, to about 2^-66 of its value. */
EW_HD ewi_pair ewi_log_pair(double x)
{
    int32_t k = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        k = -54;
    }
    /* x = 2^k m, sqrt(1/2) <= m < sqrt(2) */
    uint64_t shifted = ewi_to_bits(x) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    k += (int32_t)(shifted >> 52) - 1023;
    double m = ewi_from_bits((shifted & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);

    /* log m = 2 atanh s, s = (m - 1)/(m + 1): 2 s (1 + u/3 + u^2/5 + u^3 (1/7 + ...)), u = s^2 */
    ewi_pair numerator = {m - 1.0, 0.0};
    ewi_pair s = ewi_pair_divide(numerator, ewi_two_sum(m, 1.0));
    ewi_pair u = ewi_two_product(s.hi, s.hi);
    u.lo += 2.0 * s.hi * s.lo;
    double tail = 0x1.92f90dac61791p-5;
    tail = tail * u.hi + 0x1.8371e83555afdp-5;
    tail = tail * u.hi + 0x1.af3ce46916047p-5;
    tail = tail * u.hi + 0x1.e1e1862c88a40p-5;
    tail = tail * u.hi + 0x1.111111896f1adp-4;
    tail = tail * u.hi + 0x1.3b13b13a62786p-4;
    tail = tail * u.hi + 0x1.745d1745d1f6fp-4;
    tail = tail * u.hi + 0x1.c71c71c71c71ap-4;
    tail = tail * u.hi + 0x1.2492492492492p-3;
    ewi_pair series = ewi_fast_two_sum(0x1.999999999999ap-3, tail * u.hi);
    series.lo += -0x1.999999999999ap-57;
    series = ewi_pair_multiply(u, series);
    ewi_pair third = ewi_fast_two_sum(0x1.5555555555555p-2, series.hi);
    third.lo += 0x1.5555555555555p-56 + series.lo;
    series = ewi_pair_multiply(s, ewi_pair_multiply(u, third));
    ewi_pair half = ewi_fast_two_sum(s.hi, series.hi);
    half.lo += s.lo + series.lo;

    ewi_pair sum = ewi_fast_two_sum(k * 0x1.62e42fefa3000p-1, 2.0 * half.hi);
    sum.lo += k * 0x1.3de6af278ece6p-42 + 2.0 * half.lo;
    return ewi_fast_two_sum(sum.hi, sum.lo);
}

/* The natural logarithm (ewi_log is the logger). */
EW_HD double ewi_ln(double x)
{
    if (!(x > 0.0))
        return x == 0.0 ? -ewi_infinity() : ewi_nan();
    if (x == ewi_infinity())
        return x;
    return ewi_log_pair(x).hi;
}

EW_HD double ewi_log10(double x)
{
    if (!(x > 0.0))
        return x == 0.0 ? -ewi_infinity() : ewi_nan();
    if (x == ewi_infinity())
        return x;
    ewi_pair per_log = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}; /* 1/ln 10 */
    ewi_pair result = ewi_pair_multiply(ewi_log_pair(x), per_log);
    return result.hi + result.lo;
}

/* 0: y is no integer, 1: odd, 2: even. y is finite. */
EW_HD int ewi_integer_kind(double y)
{
    if (!(ewi_fabs(y) < 0x1p53))
        return 2;
    int64_t whole = (int64_t)y;
    if ((double)whole != y)
        return 0;
    return whole & 1 ? 1 : 2;
}

/* All special cases are those of C11, annex F. */
EW_HD double ewi_pow(double x, double y)
{
    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (x != x || y != y)
        return ewi_nan();
    double magnitude = ewi_fabs(x);
    if (ewi_fabs(y) == ewi_infinity()) {
        if (magnitude == 1.0)
            return 1.0;
        return (magnitude > 1.0) == (y > 0.0) ? ewi_infinity() : 0.0;
    }
    int kind = ewi_to_bits(x) >> 63 ? ewi_integer_kind(y) : 2;
    double sign = kind == 1 ? -1.0 : 1.0;
    if (magnitude == 0.0 || magnitude == ewi_infinity())
        return (magnitude == 0.0) == (y < 0.0) ? sign * ewi_infinity() : sign * 0.0;
    if (kind == 0)
        return ewi_nan();
    if (magnitude == 1.0)
        return sign;

    ewi_pair log_x = ewi_log_pair(magnitude);
    double estimate = y * log_x.hi;
    if (!(ewi_fabs(estimate) < 800.0))
        return estimate > 0.0 ? sign * ewi_infinity() : sign * 0.0;
    if (ewi_fabs(y) < 0x1p-65)
        return sign; /* |y log x| < 2^-55 */
    ewi_pair exponent = ewi_two_product(y, log_x.hi);
    exponent.lo += y * log_x.lo;
    return sign * ewi_exp_pair(exponent);
}

/* x^n by repeated squaring from the highest bit of |n|; 1/x^|n| for negative n. */
EW_HD double ewi_integer_power(double x, int32_t n)
{
    uint32_t count = n < 0 ? 0u - (uint32_t)n : (uint32_t)n;
    uint32_t bit = 1;
    while (bit <= count >> 1)
        bit <<= 1;
    double power = count ? x : 1.0;
    for (bit >>= 1; bit; bit >>= 1) {
        power *= power;
        if (count & bit)
            power *= x;
    }
    return n < 0 ? 1.0 / power : power;
}

/* ---- sinh, cosh, tanh -------------------------------------------------------------------------------------------- */

/* exp(x) - 1 for 0 <= x <= 44 */
EW_HD ewi_pair ewi_expm1_pair(double x)
{
    int32_t k;
    ewi_pair argument = {x, 0.0};
    ewi_pair part = ewi_exp_parts(argument, &k);
    double factor = ewi_power_of_two(k);
    ewi_pair sum = ewi_two_sum(k < 53 ? factor - 1.0 : factor, factor * part.hi);
    return ewi_fast_two_sum(sum.hi, sum.lo + factor * part.lo);
}

/* exp(x)/2 for x > 22 */
EW_HD double ewi_half_exp(double x)
{
    if (x > 800.0)
        return ewi_infinity();
    int32_t k;
    ewi_pair argument = {x, 0.0};
    ewi_pair part = ewi_exp_parts(argument, &k);
    ewi_pair sum = ewi_fast_two_sum(1.0, part.hi);
    return ewi_scale(sum.hi + (sum.lo + part.lo), k - 1);
}

EW_HD ewi_pair ewi_pair_add_double(ewi_pair a, double b)
{
    ewi_pair sum = ewi_two_sum(a.hi, b);
    return ewi_fast_two_sum(sum.hi, sum.lo + a.lo);
}

EW_HD double ewi_sinh(double x)
{
    double magnitude = ewi_fabs(x);
    if (x != x)
        return ewi_nan();
    if (magnitude < 0x1p-28)
        return x;
    double result;
    if (magnitude > 22.0) {
        result = ewi_half_exp(magnitude);
    } else { /* (e + e/(e + 1))/2 with e = exp(x) - 1 */
        ewi_pair e = ewi_expm1_pair(magnitude);
        ewi_pair ratio = ewi_pair_divide(e, ewi_pair_add_double(e, 1.0));
        ewi_pair sum = ewi_fast_two_sum(e.hi, ratio.hi);
        result = 0.5 * (sum.hi + (sum.lo + (e.lo + ratio.lo)));
    }
    return ewi_copysign(result, x);
}

EW_HD double ewi_cosh(double x)
{
    double magnitude = ewi_fabs(x);
    if (x != x)
        return ewi_nan();
    if (magnitude > 22.0)
        return ewi_half_exp(magnitude);
    ewi_pair one = {1.0, 0.0};
    ewi_pair e = ewi_pair_add_double(ewi_expm1_pair(magnitude), 1.0);
    ewi_pair inverse = ewi_pair_divide(one, e);
    ewi_pair sum = ewi_fast_two_sum(e.hi, inverse.hi);
    return 0.5 * (sum.hi + (sum.lo + (e.lo + inverse.lo)));
}

EW_HD double ewi_tanh(double x)
{
    double magnitude = ewi_fabs(x);
    if (x != x)
        return ewi_nan();
    if (magnitude < 0x1p-28)
        return x;
    double result = 1.0;
    if (magnitude < 22.0) { /* e/(e + 2) with e = exp(2x) - 1 */
        ewi_pair e = ewi_expm1_pair(2.0 * magnitude);
        ewi_pair ratio = ewi_pair_divide(e, ewi_pair_add_double(e, 2.0));
        result = ratio.hi + ratio.lo;
    }
    return ewi_copysign(result, x);
}

/* ---- sin, cos, tan ----------------------------------------------------------------------------------------------- */

/* Bits 64 i - 63 .. 64 i after the point of 2/pi; 0 for i = 0. */
EW_HD uint64_t ewi_two_over_pi(uint32_t i)
{
    switch (i) {
    case 1: return 0xa2f9836e4e441529u;
    case 2: return 0xfc2757d1f534ddc0u;
    case 3: return 0xdb6295993c439041u;
    case 4: return 0xfe5163abdebbc561u;
    case 5: return 0xb7246e3a424dd2e0u;
    case 6: return 0x06492eea09d1921cu;
    case 7: return 0xfe1deb1cb129a73eu;
    case 8: return 0xe88235f52ebb4484u;
    case 9: return 0xe99c7026b45f7e41u;
    case 10: return 0x3991d639835339f4u;
    case 11: return 0x9c845f8bbdf9283bu;
    case 12: return 0x1ff897ffde05980fu;
    case 13: return 0xef2f118b5a0a6d1fu;
    case 14: return 0x6d367ecf27cb09b7u;
    case 15: return 0x4f463f669e5fea2du;
    case 16: return 0x7527bac7ebe5f17bu;
    case 17: return 0x3d0739f78a5292eau;
    case 18: return 0x6bfb5fb11f8d5d08u;
    case 19: return 0x56033046fc7b6babu;
    case 20: return 0xf0cfbc209af4361du;
    default: return 0;
    }
}

/* As ewi_reduce, for 2^20 <= x < infinity (Payne and Hanek). */
EWI_HD_CALL ewi_pair ewi_reduce_large(double x, int32_t *quadrant)
{
    /* x = m 2^e. Bits of 2/pi whose product with m 2^e is a multiple of 4 are left out: the first one kept has weight
       2^(1-e), so that the product's 192 low bits are the quadrant (2 bits) and its fraction. */
    uint64_t bits = ewi_to_bits(x);
    int32_t e = (int32_t)(bits >> 52) - 1075;
    uint64_t m = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
    uint32_t start = (uint32_t)(e + 62); /* counted from 64 zero bits before the point; e >= -32 */
    uint32_t word = start >> 6, shift = start & 63;
    uint32_t window[6], product[6];
    for (uint32_t i = 0; i < 3; ++i) {
        uint64_t chunk = ewi_two_over_pi(word + i) << shift;
        if (shift)
            chunk |= ewi_two_over_pi(word + i + 1) >> (64 - shift);
        window[2 * i] = (uint32_t)(chunk >> 32);
        window[2 * i + 1] = (uint32_t)chunk;
    }
    /* most significant word first; what carries out of word 0 is a multiple of 4 quadrants */
    uint64_t carry = 0, low = m & 0xffffffffu, high = m >> 32;
    for (int32_t i = 5; i >= 0; --i) {
        uint64_t sum = window[i] * low + carry;
        product[i] = (uint32_t)sum;
        carry = sum >> 32;
    }
    carry = 0;
    for (int32_t i = 4; i >= 0; --i) {
        uint64_t sum = window[i + 1] * high + product[i] + carry;
        product[i] = (uint32_t)sum;
        carry = sum >> 32;
    }
    uint32_t count = product[0] >> 30;
    for (int32_t i = 0; i < 6; ++i)
        product[i] = product[i] << 2 | (i < 5 ? product[i + 1] >> 30 : 0);
    int negative = product[0] >> 31;
    if (negative) { /* nearer to the next multiple of pi/2: the fraction becomes fraction - 1 */
        ++count;
        carry = 1;
        for (int32_t i = 5; i >= 0; --i) {
            uint64_t sum = (uint64_t)(uint32_t)~product[i] + carry;
            product[i] = (uint32_t)sum;
            carry = sum >> 32;
        }
    }
    ewi_pair fraction = ewi_fast_two_sum(product[0] * 0x1p-32, product[1] * 0x1p-64);
    fraction.lo += product[2] * 0x1p-96;
    fraction.lo += product[3] * 0x1p-128;
    fraction = ewi_fast_two_sum(fraction.hi, fraction.lo);
    ewi_pair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
    ewi_pair r = ewi_pair_multiply(fraction, half_pi);
    r = ewi_fast_two_sum(r.hi, r.lo);
    if (negative) {
        r.hi = -r.hi;
        r.lo = -r.lo;
    }
    *quadrant = (int32_t)(count & 3);
    return r;
}

/* x = n pi/2 + result, |result| <= pi/4 (about), quadrant = n mod 4; x is finite. */
EW_HD ewi_pair ewi_reduce(double x, int32_t *quadrant)
{
    double magnitude = ewi_fabs(x);
    if (magnitude < 0.78) {
        ewi_pair r = {x, 0.0};
        *quadrant = 0;
        return r;
    }
    if (magnitude >= 0x1p20) {
        ewi_pair r = ewi_reduce_large(magnitude, quadrant);
        if (x < 0.0) {
            r.hi = -r.hi;
            r.lo = -r.lo;
            *quadrant = -*quadrant & 3;
        }
        return r;
    }
    /* Cody and Waite: pi/2 in parts of 33 bits, whose products with n are exact; 152 bits altogether. */
    double n = ewi_round_even(x * 0x1.45f306dc9c883p-1);
    *quadrant = (int32_t)n & 3;
    ewi_pair first = ewi_two_sum(x - n * 0x1.921fb54400000p+0, -n * 0x1.0b4611a600000p-34);
    ewi_pair second = ewi_two_sum(first.hi, -n * 0x1.3198a2e000000p-69);
    return ewi_two_sum(second.hi, (second.lo + first.lo) - n * 0x1.b839a252049c1p-104);
}

/* sin and cos for |r| <= pi/4; result.lo is not small */
EW_HD ewi_pair ewi_sin_pair(ewi_pair r)
{
    double u = r.hi * r.hi;
    double tail = -0x1.ab17a79237a19p-41;
    tail = tail * u + 0x1.61217ec01749dp-33;
    tail = tail * u + -0x1.ae64541266378p-26;
    tail = tail * u + 0x1.71de3a54605eep-19;
    tail = tail * u + -0x1.a01a01a019936p-13;
    tail = tail * u + 0x1.1111111111110p-7;
    tail = tail * u + -0x1.5555555555555p-3;
    ewi_pair result = {r.hi, (r.lo - 0.5 * u * r.lo) + tail * (r.hi * u)};
    return result;
}

EW_HD ewi_pair ewi_cos_pair(ewi_pair r)
{
    ewi_pair u = ewi_two_product(r.hi, r.hi);
    double tail = 0x1.ab783376962cfp-45;
    tail = tail * u.hi + -0x1.9394b9c9c20a4p-37;
    tail = tail * u.hi + 0x1.1eed8deb6d561p-29;
    tail = tail * u.hi + -0x1.27e4fb7712bdfp-22;
    tail = tail * u.hi + 0x1.a01a01a019d0ap-16;
    tail = tail * u.hi + -0x1.6c16c16c16c16p-10;
    tail = tail * u.hi + 0x1.5555555555555p-5;
    ewi_pair result = ewi_fast_two_sum(1.0, -0.5 * u.hi);
    result.lo += tail * (u.hi * u.hi) - (0.5 * u.lo + r.hi * r.lo);
    return result;
}

/* sin(x + quarters pi/2) */
EW_HD double ewi_sin_shifted(double x, int32_t quarters)
{
    if (!(ewi_fabs(x) < ewi_infinity()))
        return ewi_nan();
    int32_t quadrant;
    ewi_pair r = ewi_reduce(x, &quadrant);
    quadrant += quarters;
    ewi_pair result = quadrant & 1 ? ewi_cos_pair(r) : ewi_sin_pair(r);
    double sum = result.hi + result.lo;
    return quadrant & 2 ? -sum : sum;
}

EW_HD double ewi_sin(double x)
{
    return ewi_fabs(x) < 0x1p-27 ? x : ewi_sin_shifted(x, 0);
}

EW_HD double ewi_cos(double x)
{
    return ewi_fabs(x) < 0x1p-27 ? 1.0 : ewi_sin_shifted(x, 1);
}

EW_HD double ewi_tan(double x)
{
    if (ewi_fabs(x) < 0x1p-27)
        return x;
    if (!(ewi_fabs(x) < ewi_infinity()))
        return ewi_nan();
    int32_t quadrant;
    ewi_pair r = ewi_reduce(x, &quadrant);
    ewi_pair sine = ewi_sin_pair(r), cosine = ewi_cos_pair(r);
    sine = ewi_fast_two_sum(sine.hi, sine.lo);
    cosine = ewi_fast_two_sum(cosine.hi, cosine.lo);
    if (quadrant & 1) {
        ewi_pair exchange = {-cosine.hi, -cosine.lo};
        cosine = sine;
        sine = exchange;
    }
    ewi_pair result = ewi_pair_divide(sine, cosine);
    return result.hi + result.lo;
}

/* ---- asin, acos, atan, atan2 ------------------------------------------------------------------------------------- */

/* atan(y/x) for 0 <= x, y between 2^-600 and 2^600 or one of them 0; a value between 0 and pi/2. */
EW_HD ewi_pair ewi_atan_pair(ewi_pair y, ewi_pair x)
{
    /* atan(y/x) = base + atan z, |z| <= tan(pi/8) */
    ewi_pair base = {0.0, 0.0}, numerator = y, denominator = x;
    if (y.hi > 0x1.3504f333f9de6p+1 * x.hi) {
        base.hi = 0x1.921fb54442d18p+0;
        base.lo = 0x1.1a62633145c07p-54;
        numerator.hi = -x.hi;
        numerator.lo = -x.lo;
        denominator = y;
    } else if (y.hi > 0x1.a827999fcef32p-2 * x.hi) {
        base.hi = 0x1.921fb54442d18p-1;
        base.lo = 0x1.1a62633145c07p-55;
        numerator = ewi_two_sum(y.hi, -x.hi);
        numerator.lo += y.lo - x.lo;
        denominator = ewi_two_sum(y.hi, x.hi);
        denominator.lo += y.lo + x.lo;
    }
    ewi_pair z = ewi_pair_divide(numerator, denominator);
    double u = z.hi * z.hi;
    double tail = -0x1.c7c2a937ca6fep-7;
    tail = tail * u + 0x1.f5c7f627c1866p-6;
    tail = tail * u + -0x1.5033bdf344ecap-5;
    tail = tail * u + 0x1.829ac6ea2558cp-5;
    tail = tail * u + -0x1.aebccb05d29e8p-5;
    tail = tail * u + 0x1.e1d8e103c7a90p-5;
    tail = tail * u + -0x1.1110ce9b3f808p-4;
    tail = tail * u + 0x1.3b13aea671ef0p-4;
    tail = tail * u + -0x1.745d17354bd3ep-4;
    tail = tail * u + 0x1.c71c71c6dd538p-4;
    tail = tail * u + -0x1.24924924920a6p-3;
    tail = tail * u + 0x1.9999999999997p-3;
    tail = tail * u + -0x1.5555555555555p-2;
    ewi_pair result = ewi_fast_two_sum(base.hi, z.hi);
    result.lo += base.lo + (z.lo - u * z.lo) + tail * (z.hi * u);
    return result;
}

EW_HD double ewi_pi_minus(ewi_pair a)
{
    ewi_pair sum = ewi_fast_two_sum(0x1.921fb54442d18p+1, -a.hi);
    return sum.hi + (sum.lo + (0x1.1a62633145c07p-53 - a.lo));
}

EW_HD double ewi_atan(double x)
{
    double magnitude = ewi_fabs(x);
    if (x != x)
        return ewi_nan();
    if (magnitude < 0x1p-27)
        return x;
    double result = 0x1.921fb54442d18p+0;
    if (magnitude < 0x1p60) {
        ewi_pair y = {magnitude, 0.0}, one = {1.0, 0.0};
        ewi_pair angle = ewi_atan_pair(y, one);
        result = angle.hi + angle.lo;
    }
    return ewi_copysign(result, x);
}

/* All special cases are those of C11, annex F. */
EW_HD double ewi_atan2(double y, double x)
{
    if (x != x || y != y)
        return ewi_nan();
    double a = ewi_fabs(y), b = ewi_fabs(x);
    int left = (int)(ewi_to_bits(x) >> 63);
    if (a == ewi_infinity() && b == ewi_infinity()) {
        a = 1.0;
        b = 1.0;
    }
    if (b == ewi_infinity()) {
        a = 0.0;
    } else if (a == ewi_infinity()) {
        a = 1.0;
        b = 0.0;
    }
    int32_t difference = ewi_biased_exponent(a) - ewi_biased_exponent(b);
    double result;
    if (a == 0.0 || difference < -60) { /* the axis, or so near to it that the angle is the ratio */
        result = left ? 0x1.921fb54442d18p+1 : (a == 0.0 ? 0.0 : a / b);
    } else if (b == 0.0 || difference > 60) {
        result = 0x1.921fb54442d18p+0;
    } else {
        double factor = 1.0;
        if (a > 0x1p400)
            factor = 0x1p-500;
        else if (a < 0x1p-400)
            factor = 0x1p600;
        ewi_pair up = {a * factor, 0.0}, right = {b * factor, 0.0};
        ewi_pair angle = ewi_atan_pair(up, right);
        result = left ? ewi_pi_minus(angle) : angle.hi + angle.lo;
    }
    return ewi_copysign(result, y);
}

/* sqrt(1 - x^2) for 0 <= x <= 1 */
EW_HD ewi_pair ewi_circle_pair(double x)
{
    ewi_pair left = ewi_two_sum(1.0, -x), right = ewi_two_sum(1.0, x);
    ewi_pair square = ewi_pair_multiply(left, right);
    ewi_pair root = {ewi_sqrt(square.hi), 0.0};
    if (root.hi > 0.0) {
        ewi_pair back = ewi_two_product(root.hi, root.hi);
        root.lo = ((square.hi - back.hi) - back.lo + square.lo) / (2.0 * root.hi);
    }
    return root;
}

EW_HD double ewi_asin(double x)
{
    double magnitude = ewi_fabs(x);
    if (!(magnitude <= 1.0))
        return ewi_nan();
    if (magnitude < 0x1p-27)
        return x;
    ewi_pair y = {magnitude, 0.0};
    ewi_pair angle = ewi_atan_pair(y, ewi_circle_pair(magnitude));
    return ewi_copysign(angle.hi + angle.lo, x);
}

EW_HD double ewi_acos(double x)
{
    double magnitude = ewi_fabs(x);
    if (!(magnitude <= 1.0))
        return ewi_nan();
    ewi_pair across = {magnitude, 0.0};
    ewi_pair angle = ewi_atan_pair(ewi_circle_pair(magnitude), across);
    return x < 0.0 ? ewi_pi_minus(angle) : angle.hi + angle.lo;
}

/* ---- cbrt, hypot, floor, ceil ------------------------------------------------------------------------------------ */

EW_HD double ewi_cbrt(double x)
{
    double magnitude = ewi_fabs(x);
    if (x != x)
        return ewi_nan();
    if (magnitude == 0.0 || magnitude == ewi_infinity())
        return x;
    int32_t third = 0;
    if (magnitude < 0x1p-1022) {
        magnitude *= 0x1p54;
        third = -18;
    }
    /* magnitude = 2^(3 q) m, 1 <= m < 8 */
    int32_t q = (ewi_biased_exponent(magnitude) + 3 * 700 - 1023) / 3 - 700;
    double m = ewi_from_bits(ewi_to_bits(magnitude) - (uint64_t)(int64_t)(3 * q) * 0x0010000000000000u);
    /* A third of the bits is a first guess (error below 4 %); Halley's iteration cubes the error, Newton's last step,
       with an exact residual, squares it. */
    double root = ewi_from_bits(ewi_to_bits(m) / 3 + 0x2a9f7893782da1ceu);
    for (int32_t i = 0; i < 2; ++i) {
        double cube = root * root * root;
        root = root * (cube + 2.0 * m) / (2.0 * cube + m);
    }
    ewi_pair square = ewi_two_product(root, root);
    ewi_pair cube = ewi_two_product(square.hi, root);
    double residual = (cube.hi - m) + (cube.lo + square.lo * root);
    root -= residual / (3.0 * square.hi);
    return ewi_copysign(root * ewi_power_of_two(q + third), x);
}

EW_HD double ewi_hypot(double x, double y)
{
    double a = ewi_fabs(x), b = ewi_fabs(y);
    if (a == ewi_infinity() || b == ewi_infinity())
        return ewi_infinity();
    if (a != a || b != b)
        return ewi_nan();
    if (a < b) {
        double exchange = a;
        a = b;
        b = exchange;
    }
    if (ewi_biased_exponent(a) - ewi_biased_exponent(b) > 60)
        return a + b;
    double factor = 1.0, back = 1.0;
    if (a > 0x1p400) {
        factor = 0x1p-600;
        back = 0x1p600;
    } else if (a < 0x1p-300) {
        if (a == 0.0)
            return 0.0;
        factor = 0x1p700;
        back = 0x1p-700;
    }
    a *= factor;
    b *= factor;
    ewi_pair a_square = ewi_two_product(a, a), b_square = ewi_two_product(b, b);
    ewi_pair sum = ewi_fast_two_sum(a_square.hi, b_square.hi);
    sum.lo += a_square.lo + b_square.lo;
    double root = ewi_sqrt(sum.hi);
    ewi_pair square = ewi_two_product(root, root);
    root += ((sum.hi - square.hi) - square.lo + sum.lo) / (2.0 * root);
    return root * back;
}

EW_HD double ewi_floor(double x)
{
    if (!(ewi_fabs(x) < 0x1p52))
        return x;
    double whole = (double)(int64_t)x;
    if (whole > x)
        whole -= 1.0;
    return whole == 0.0 ? ewi_copysign(0.0, x) : whole;
}

EW_HD double ewi_ceil(double x)
{
    if (!(ewi_fabs(x) < 0x1p52))
        return x;
    double whole = (double)(int64_t)x;
    if (whole < x)
        whole += 1.0;
    return whole == 0.0 ? ewi_copysign(0.0, x) : whole;
}

#endif
