/* SPDX-License-Identifier: BSD-2-Clause */
/* The elementary functions: accuracy against long double, special values, and the same bits on every platform. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ewi_math.h"
#include "helpers.h"

enum { ACCURACY_POINTS = 20000, HASH_POINTS = 20000 };

/* Half of what is promised; where long double is double, libm's own error is added. */
static const double allowed = LDBL_MANT_DIG > 53 ? 1.0 : 2.0;

/* ---- arguments: functions of an index, by integer operations and exact products only ----------------------------- */

static uint64_t scramble(uint64_t index)
{
    uint64_t state = index * 0x9e3779b97f4a7c15u;
    return splitmix64(&state);
}

static double any_double(uint64_t index)
{
    uint64_t bits = scramble(index);
    return ewi_from_bits((bits >> 52 & 0x7ff) == 0x7ff ? bits ^ 0x4000000000000000u : bits);
}

/* From -2^exponent to 2^exponent. */
static double within(uint64_t index, int exponent)
{
    return (double)((int64_t)scramble(index) >> 10) * ewi_power_of_two(exponent - 53);
}

static const double special[] = {0.0,        -0.0,       1.0,      -1.0,      2.0,       -2.0,     0.5,     -0.5,
                                 3.0,        -3.0,       0x1p-1074, -0x1p-1074, 0x1p-1022, DBL_MAX, -DBL_MAX, 0x1p53,
                                 0x1.8p0,    -0x1.8p0,   0x1p1023, 1e22,      709.782712893384,   -745.1332191019411,
                                 710.4758600739439, 0x1.fffffffffffffp-1, 0x1.0000000000001p0,
                                 0x1.921fb54442d18p+0, 0x1.921fb54442d18p+1, INFINITY, -INFINITY, NAN};

enum { SPECIALS = sizeof special / sizeof special[0] };

static double argument(uint64_t index)
{
    if (index < SPECIALS)
        return special[index];
    switch (index % 5) {
    case 0: return any_double(index);
    case 1: return within(index, 0);
    case 2: return within(index, 3);
    case 3: return within(index, 10);
    default: return 1.0 + within(index, -8);
    }
}

/* ---- accuracy ---------------------------------------------------------------------------------------------------- */

static double error_in_ulps(double got, long double expected)
{
    if (isnan(got) || isnan(expected))
        return isnan(got) && isnan(expected) ? 0.0 : HUGE_VAL;
    double rounded = (double)expected;
    if (isinf(rounded) || isinf(got))
        return got == rounded || (fabsl(expected) > 0x1.fffffffffffffp1023L && fabs(got) == DBL_MAX) ? 0.0 : HUGE_VAL;
    if (rounded == 0.0 && got == 0.0)
        return signbit(got) == signbit(rounded) ? 0.0 : HUGE_VAL;
    int exponent;
    (void)frexp(rounded, &exponent);
    double ulp = ldexp(1.0, exponent - 53 < -1074 ? -1074 : exponent - 53);
    return (double)(fabsl((long double)got - expected) / ulp);
}

struct worst {
    double error, x, y;
};

static void note(struct worst *worst, double error, double x, double y)
{
    if (!(error <= worst->error))
        *worst = (struct worst){error, x, y};
}

static void accuracy_1(const char *name, double (*function)(double), long double (*reference)(long double))
{
    struct worst worst = {0.0, 0.0, 0.0};
    for (uint64_t i = 0; i < ACCURACY_POINTS; ++i) {
        double x = argument(i);
        note(&worst, error_in_ulps(function(x), reference(x)), x, 0.0);
    }
    if (!ok(worst.error <= allowed, "%s is within %g ulp of its value (worst %.3f)", name, allowed, worst.error))
        diag("at %a: got %a, expected %La", worst.x, function(worst.x), reference(worst.x));
}

static void accuracy_2(const char *name, double (*function)(double, double),
                       long double (*reference)(long double, long double))
{
    struct worst worst = {0.0, 0.0, 0.0};
    for (uint64_t i = 0; i < ACCURACY_POINTS; ++i) {
        double x = argument(i), y = argument(scramble(i) % ACCURACY_POINTS);
        note(&worst, error_in_ulps(function(x, y), reference(x, y)), x, y);
    }
    for (uint64_t i = 0; i < SPECIALS * SPECIALS; ++i) {
        double x = special[i / SPECIALS], y = special[i % SPECIALS];
        note(&worst, error_in_ulps(function(x, y), reference(x, y)), x, y);
    }
    if (!ok(worst.error <= allowed, "%s is within %g ulp of its value (worst %.3f)", name, allowed, worst.error))
        diag("at %a, %a: got %a, expected %La", worst.x, worst.y, function(worst.x, worst.y),
             reference(worst.x, worst.y));
}

/* The headers' functions are always inlined: these have an address. Hash: of the results' bits. */
#define FUNCTIONS_1(X)                                                                              \
    X(exp, ewi_exp, expl) X(log, ewi_ln, logl) X(log10, ewi_log10, log10l) X(sin, ewi_sin, sinl)    \
    X(cos, ewi_cos, cosl) X(tan, ewi_tan, tanl) X(asin, ewi_asin, asinl) X(acos, ewi_acos, acosl)   \
    X(atan, ewi_atan, atanl) X(sinh, ewi_sinh, sinhl) X(cosh, ewi_cosh, coshl)                      \
    X(tanh, ewi_tanh, tanhl) X(cbrt, ewi_cbrt, cbrtl) X(floor, ewi_floor, floorl) X(ceil, ewi_ceil, ceill)
#define FUNCTIONS_2(X) X(pow, ewi_pow, powl) X(atan2, ewi_atan2, atan2l) X(hypot, ewi_hypot, hypotl)

#define DEFINE_1(name, function, reference)    \
    static double call_##name(double x)        \
    {                                          \
        return function(x);                    \
    }
#define DEFINE_2(name, function, reference)        \
    static double call_##name(double x, double y)  \
    {                                              \
        return function(x, y);                     \
    }
FUNCTIONS_1(DEFINE_1)
FUNCTIONS_2(DEFINE_2)

/* ---- bits -------------------------------------------------------------------------------------------------------- */

static uint64_t hash_add(uint64_t hash, double value)
{
    uint64_t bits = ewi_to_bits(value != value ? ewi_nan() : value);
    for (int i = 0; i < 64; i += 8) /* FNV-1a */
        hash = (hash ^ (bits >> i & 0xff)) * 0x100000001b3u;
    return hash;
}

static const uint64_t hash_start = 0xcbf29ce484222325u;

static const struct {
    const char *name;
    uint64_t hash;
} expected_hash[] = {
    /* a failing check prints the line that would stand here */
    {"exp", 0xc9636a9710764970},
    {"log", 0xfc10204ad0e89935},
    {"log10", 0xb82e7aff612fd4cb},
    {"sin", 0x657a7bb1d329b1af},
    {"cos", 0x60f2683c401540b7},
    {"tan", 0x7f5098af6c4994d0},
    {"asin", 0x44789b75905f25e2},
    {"acos", 0x99cc66b655d2cb44},
    {"atan", 0xbf66b20ff5bc2944},
    {"sinh", 0x50bc5bf5ae5e4d46},
    {"cosh", 0xc99a5f38c7abbd50},
    {"tanh", 0x507644f69402945a},
    {"cbrt", 0xa569821b4ecec537},
    {"floor", 0x832e42055cbd3bfb},
    {"ceil", 0xd3bf20329e5ec909},
    {"pow", 0x91bbf6cd69094048},
    {"atan2", 0x7c93b657c90261dc},
    {"hypot", 0x8b6f5318dc433342},
};

static void check_hash(const char *name, uint64_t hash)
{
    uint64_t expected = 0;
    for (size_t i = 0; i < sizeof expected_hash / sizeof expected_hash[0]; ++i)
        if (strcmp(expected_hash[i].name, name) == 0)
            expected = expected_hash[i].hash;
    if (!ok(hash == expected, "%s has the stored bits at %d arguments", name, (int)HASH_POINTS))
        diag("    {\"%s\", 0x%016llx},", name, (unsigned long long)hash);
}

static void check_bits(void)
{
    uint64_t hash;
#define HASH_1(name, function, reference)               \
    hash = hash_start;                                  \
    for (uint64_t i = 0; i < HASH_POINTS; ++i)          \
        hash = hash_add(hash, call_##name(argument(i))); \
    check_hash(#name, hash);
#define HASH_2(name, function, reference)                                                         \
    hash = hash_start;                                                                            \
    for (uint64_t i = 0; i < HASH_POINTS; ++i)                                                    \
        hash = hash_add(hash, call_##name(argument(i), argument(scramble(i) % HASH_POINTS))); \
    check_hash(#name, hash);
    FUNCTIONS_1(HASH_1)
    FUNCTIONS_2(HASH_2)
}

/* ---- special values, and arguments that libm's long double cannot judge ------------------------------------------ */

static bool same(double a, double b)
{
    return ewi_to_bits(a) == ewi_to_bits(b);
}

static void check_pow(void)
{
    ok(call_pow(NAN, 0.0) == 1.0 && call_pow(1.0, NAN) == 1.0, "pow(NaN, 0) and pow(1, NaN) are 1");
    ok(isnan(call_pow(NAN, 1.0)) && isnan(call_pow(2.0, NAN)) && isnan(call_pow(-8.0, 1.0 / 3.0)),
       "pow gives NaN for NaN and for fractional powers of negative numbers");
    ok(same(call_pow(-0.0, 3.0), -0.0) && same(call_pow(-0.0, 2.0), 0.0) && same(call_pow(-0.0, -3.0), -INFINITY) &&
           same(call_pow(-0.0, -2.0), INFINITY),
       "powers of -0 have the sign of odd exponents");
    ok(call_pow(-1.0, INFINITY) == 1.0 && call_pow(-1.0, -INFINITY) == 1.0 && call_pow(0.5, INFINITY) == 0.0 &&
           call_pow(0.5, -INFINITY) == INFINITY && call_pow(2.0, -INFINITY) == 0.0,
       "infinite exponents");
    ok(same(call_pow(-INFINITY, 3.0), -INFINITY) && same(call_pow(-INFINITY, -3.0), -0.0) &&
           same(call_pow(-INFINITY, 0.5), INFINITY) && same(call_pow(-0.0, 0.5), 0.0),
       "pow of -infinity, and where it differs from sqrt");
    ok(call_pow(-1.0, DBL_MAX) == 1.0 && call_pow(-1.0, 0x1.fffffffffffffp52) == -1.0 && call_pow(-2.0, 3.0) == -8.0,
       "whole exponents of negative numbers, up to the largest odd one");
    bool exact = true;
    for (int base = 2; base <= 10; ++base) {
        double power = 1.0;
        for (int n = 0; power < 0x1p53 / base; ++n, power *= base)
            exact = exact && call_pow(base, n) == power;
    }
    ok(exact, "powers of whole numbers are exact where they are representable");
}

static void check_special(void)
{
    ok(same(call_sin(-0.0), -0.0) && same(call_tan(-0.0), -0.0) && same(call_atan(-0.0), -0.0) &&
           same(call_sinh(-0.0), -0.0) && same(call_cbrt(-0.0), -0.0) && same(call_floor(-0.0), -0.0) &&
           same(call_ceil(-0.5), -0.0) && same(call_asin(-0.0), -0.0) && same(call_tanh(-0.0), -0.0),
       "odd functions keep the sign of zero");
    ok(isnan(call_sin(INFINITY)) && isnan(call_cos(-INFINITY)) && isnan(call_log(-1.0)) && isnan(call_asin(1.5)) &&
           isnan(call_acos(-1.5)),
       "arguments outside the domain give NaN");
    ok(call_log(0.0) == -INFINITY && call_log(-0.0) == -INFINITY && same(call_log(1.0), 0.0), "log at 0 and 1");
    ok(call_hypot(INFINITY, NAN) == INFINITY && call_hypot(3.0, 4.0) == 5.0,
       "hypot of an infinity and NaN; of 3 and 4");
    ok(call_cbrt(27.0) == 3.0 && call_cbrt(-1000.0) == -10.0 && call_cbrt(0x1p-1074) == call_cbrt(0x1p-1022 * 0x1p-52),
       "cube roots of cubes are exact");
    bool exact = true;
    double power = 1.0;
    for (int n = 0; n <= 22; ++n, power *= 10.0)
        exact = exact && call_log10(power) == n;
    ok(exact, "log10 of powers of ten is exact");
    /* Known hard arguments: Kahan's "nearpi" and Ng's "Good to the last bit". */
    ok(same(call_cos(0x1.6ac5b262ca1ffp+849), -0x1.14ae72e6ba22fp-61) && call_sin(0x1.6ac5b262ca1ffp+849) == 1.0,
       "sin and cos of 6381956970095103 2^797, of all doubles the nearest to a multiple of pi/2");
    ok(same(call_sin(1e22), -0x1.b453ab76bf397p-1), "sin(1e22)");
}

static void check_identities(void)
{
    ok(same(call_floor(2.5), 2.0) && same(call_floor(-2.5), -3.0) && same(call_ceil(2.5), 3.0) &&
           same(call_ceil(-2.5), -2.0) && call_floor(0x1p60 + 512.0) == 0x1p60 + 512.0,
       "floor and ceil");
    bool exact = true;
    for (int n = -8; n <= 8; ++n)
        exact = exact && ewi_integer_power(2.0, n) == ldexp(1.0, n);
    ok(exact, "whole powers of 2 by multiplication");
    double x = 1.1;
    ok(same(ewi_integer_power(x, 3), x * x * x) && same(ewi_integer_power(x, 4), (x * x) * (x * x)) &&
           same(ewi_integer_power(x, -2), 1.0 / (x * x)),
       "x^3 is x x x, x^4 the square of x x, x^-2 is 1/(x x)");
}

int main(void)
{
#define ACCURACY_1(name, function, reference) accuracy_1(#name, call_##name, reference);
#define ACCURACY_2(name, function, reference) accuracy_2(#name, call_##name, reference);
    FUNCTIONS_1(ACCURACY_1)
    FUNCTIONS_2(ACCURACY_2)
    check_pow();
    check_special();
    check_identities();
    check_bits();
    return done_testing();
}
