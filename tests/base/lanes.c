/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The operations of ewi_lanes.h, each lane against plain IEEE arithmetic and libm's fma(), bit for bit. Compiled once
 * for each number of lanes, as tests/base/lanes-1, -2, -4 and -8; the last two run where the CPU has AVX2 and AVX-512.
 */
#include "ewi_lanes.h"
#include "helpers.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SEED 4711u
enum { ROUNDS = 800000 / EWI_LANES };

/* Through a pointer that the compiler cannot see through: libm's function, not an instruction made from its name. */
static double (*volatile reference_fma)(double, double, double) = fma;
static double (*volatile reference_sqrt)(double) = sqrt;

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static uint64_t random_state = SEED;

static uint64_t random_bits(void)
{
    return splitmix64(&random_state);
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A random fraction and sign, and 2^low .. 2^high. */
static double random_within(int low, int high)
{
    double fraction = from_bits((random_bits() & 0x800fffffffffffffu) | 0x3ff0000000000000u);
    return ldexp(fraction, low + (int)(random_bits() % (uint64_t)(high - low + 1)));
}

/* Few bits, so that products are exact, or lie half-way between two doubles. */
static double random_short(int bits)
{
    double value = 1 + (double)(random_bits() >> (64 - bits));
    return random_bits() & 1 ? value : -value;
}

static double random_special(void)
{
    static const double values[] = {
        0.0,
        -0.0,
        1.0,
        -1.0,
        INFINITY,
        -INFINITY,
        NAN, DBL_MAX,
        -DBL_MAX,
        DBL_MIN,
        -DBL_MIN,
        0x1p-1074,
        -0x1p-1074,
        0x1.fffffffffffffp-1023,
        0x1p-900,
        0x1.fffffffffffffp-901,
        0x1p+900,
        0x1.0000000000001p+900,
        -0x1p-537,
        0x1p+512,
        0x1p-52,
        -0x1p-53,
        0x1.fffffffffffffp-1,
        0x1.0000000000001p+0,
        3.0,
    };
    return values[random_bits() % (sizeof values / sizeof *values)];
}

struct triple {
    double a, b, c;
};

enum kind { MODERATE, ANY, CANCELLING, HALFWAY, TINY_ADDEND, RANGE_LIMITS, UNDERFLOWING, SPECIAL, MIXED, KINDS };
static const char *const kind_name[KINDS] = {
    [MODERATE] = "operands of moderate size",
    [ANY] = "operands of any size, subnormal ones included",
    [CANCELLING] = "sums that cancel",
    [HALFWAY] = "sums near the middle between two doubles",
    [TINY_ADDEND] = "addends far below the product, and far above",
    [RANGE_LIMITS] = "operands at the limits of the range of the software fma",
    [UNDERFLOWING] = "subnormal results",
    [SPECIAL] = "zeros, infinities, NaN and other special values",
    [MIXED] = "special values beside ordinary ones in other lanes",
};

static double ulp_of(double x)
{
    return nextafter(fabs(x), INFINITY) - fabs(x);
}

static double random_sign(double value)
{
    return random_bits() & 1 ? value : -value;
}

/* Something far below the last bit decides which way the sum is rounded. */
static struct triple halfway(void)
{
    int exponent = 27 + (int)(random_bits() % 26);
    double little = ldexp(1, -exponent);
    switch (random_bits() % 3) {
    case 0: /* a product of 54 bits, the last one set: half an ulp */
        return (struct triple){random_sign((double)(random_bits() >> 38 | 1u << 26 | 1)),
                               random_sign((double)(random_bits() >> 38 | 1u << 26 | 1)),
                               random_sign(ldexp(1, -50 - (int)(random_bits() % 100)))};
    case 1: /* the product is half an ulp of the addend, less 2^-2k */
        return (struct triple){random_sign(1 + little), 1 - little, random_within(53, 53)};
    default: /* the product is half an ulp of the addend, or a bit more or less */
        return (struct triple){random_short(27) * (1 + DBL_EPSILON * (double)(random_bits() % 3)), random_sign(1),
                               random_within(79, 81)};
    }
}

static struct triple operands(enum kind kind)
{
    struct triple t = {random_within(-60, 60), random_within(-60, 60), random_within(-120, 120)};
    switch (kind) {
    case ANY:
        return (struct triple){from_bits(random_bits()), from_bits(random_bits()), from_bits(random_bits())};
    case CANCELLING:
        t.c = -(t.a * t.b);
        t.c += (double)(int)(random_bits() % 5 - 2) * ulp_of(t.c);
        return t;
    case HALFWAY:
        return halfway();
    case TINY_ADDEND:
        t.c = random_bits() & 1 ? random_within(-1074, -200) : random_within(170, 1020);
        return t;
    case RANGE_LIMITS:
        t.a = random_bits() & 1 ? random_within(-903, -897) : random_within(897, 903);
        t.b = random_bits() & 1 ? random_within(-4, 4) : 1 / t.a;
        t.c = random_bits() & 1 ? random_within(896, 903) : random_within(-1020, 0);
        return t;
    case UNDERFLOWING:
        t.a = random_within(-540, -500);
        t.b = random_within(-560, -500);
        t.c = random_bits() & 1 ? random_within(-1074, -1000) : -(t.a * t.b);
        return t;
    case SPECIAL:
        return (struct triple){random_special(), random_special(), random_special()};
    case MIXED:
        return operands(random_bits() & 1 ? SPECIAL : MODERATE);
    case MODERATE:
    case KINDS:
        break;
    }
    return t;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* All NaN count as one: which of them results is not the same on all machines. */
static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* Not inlined, as in kernels that have many: and the compiler sees no operands. */
__attribute__((noinline)) static void fma_lanes(const double *a, const double *b, const double *c, double *result)
{
    ewi_store(result, ewi_fma(ewi_load(a), ewi_load(b), ewi_load(c)));
}

static bool fma_agrees(enum kind kind)
{
    double a[EWI_LANES], b[EWI_LANES], c[EWI_LANES], got[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        struct triple t = operands(kind);
        a[lane] = t.a;
        b[lane] = t.b;
        c[lane] = t.c;
    }
    fma_lanes(a, b, c, got);
    for (int lane = 0; lane < EWI_LANES; lane++) {
        double expected = reference_fma(a[lane], b[lane], c[lane]);
        if (same(got[lane], expected))
            continue;
        diag("fma(%a, %a, %a) is %a, expected %a", a[lane], b[lane], c[lane], got[lane], expected);
        return false;
    }
    return true;
}

static void check_fma(void)
{
    for (enum kind kind = 0; kind < KINDS; kind++) {
        int failures = 0;
        for (int k = 0; k < ROUNDS && failures < 5; k++)
            failures += !fma_agrees(kind);
        ok(failures == 0, "%d lanes, fma: %s", EWI_LANES, kind_name[kind]);
    }
}

/* ---- one operation after the other ------------------------------------------------------------------------------- */

/* X(name, result lanes from va and vb, the same from the doubles a and b) */
#define OPERATIONS(X)                                                                                              \
    X("+", va + vb, a + b)                                                                                         \
    X("-", va - vb, a - b)                                                                                         \
    X("*", va * vb, a * b)                                                                                         \
    X("/", va / vb, a / b)                                                                                         \
    X("negation", -va, -a)                                                                                         \
    X("root", ewi_root(va), reference_sqrt(a))                                                                     \
    X("abs", ewi_abs(va), fabs(a))                                                                                 \
    X("max", ewi_max(va, vb), isnan(a) || isnan(b) ? NAN : a > b ? a : b)                                          \
    X("min", ewi_min(va, vb), isnan(a) || isnan(b) ? NAN : a < b ? a : b)                                          \
    X("larger", ewi_larger(va, vb), a > b ? a : b)                                                                 \
    X("smaller", ewi_smaller(va, vb), a < b ? a : b)                                                               \
    X("part", ewi_part(ewi_gt(vb, va), va, vb), b > a ? a / b : 1)                                                 \
    X("gt and select", ewi_select(ewi_gt(va, vb), va, vb), a > b ? a : b)                                          \
    X("isnan and select", ewi_select(ewi_isnan(va), one, vb), isnan(a) ? 1 : b)                                    \
    X("or", ewi_select(ewi_or(ewi_gt(va, vb), ewi_gt(va, one)), one, va), a > b || a > 1 ? 1 : a)                  \
    X("and", ewi_select(ewi_and(ewi_gt(va, vb), ewi_gt(va, one)), one, va), a > b && a > 1 ? 1 : a)

enum {
#define ONE(name, lanes, plain) +1
    OPERATION_COUNT = 0 OPERATIONS(ONE)
#undef ONE
};

static const char *const operation_name[OPERATION_COUNT] = {
#define NAME(name, lanes, plain) name,
    OPERATIONS(NAME)
#undef NAME
};

__attribute__((noinline)) static void apply_lanes(const double *pa, const double *pb, double (*result)[EWI_LANES])
{
    ewi_v va = ewi_load(pa), vb = ewi_load(pb), one = ewi_set(1.0);
    int k = 0;
#define APPLY(name, lanes, plain) ewi_store(result[k++], lanes);
    OPERATIONS(APPLY)
#undef APPLY
}

__attribute__((noinline)) static void apply_plain(double a, double b, double *result)
{
    int k = 0;
#define APPLY(name, lanes, plain) result[k++] = plain;
    OPERATIONS(APPLY)
#undef APPLY
}

static void check_operations(void)
{
    static const enum kind kinds[] = {MODERATE, ANY, CANCELLING, UNDERFLOWING, SPECIAL, MIXED};
    int failures[OPERATION_COUNT] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        double a[EWI_LANES], b[EWI_LANES], got[OPERATION_COUNT][EWI_LANES], expected[OPERATION_COUNT];
        for (int lane = 0; lane < EWI_LANES; lane++) {
            struct triple t = operands(kinds[round % 6]);
            a[lane] = t.a;
            b[lane] = round % 6 == 2 ? t.a : t.b;
        }
        apply_lanes(a, b, got);
        for (int lane = 0; lane < EWI_LANES; lane++) {
            apply_plain(a[lane], b[lane], expected);
            for (int k = 0; k < OPERATION_COUNT; k++)
                if (!same(got[k][lane], expected[k]) && failures[k]++ < 3)
                    diag("%s of %a and %a is %a, expected %a", operation_name[k], a[lane], b[lane], got[k][lane],
                         expected[k]);
        }
    }
    for (int k = 0; k < OPERATION_COUNT; k++)
        ok(failures[k] == 0, "%d lanes, %s: the bits of plain arithmetic in each lane", EWI_LANES, operation_name[k]);
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

enum { FIELD = 200 };

/* NaN with a payload among them: moving must not touch it. */
static void fill_field(double *field)
{
    for (int k = 0; k < FIELD; k++)
        field[k] = k % 17 == 0 ? from_bits(0x7ff8000000000100u + (unsigned)k) : k + 0.25;
}

static void random_offsets(int64_t *offset, int room)
{
    for (int lane = 0; lane < EWI_LANES; lane++)
        offset[lane] = (int64_t)(random_bits() % (uint64_t)(FIELD - room));
}

static void check_single_lanes(const double *field)
{
    bool loads = true, lanes = true, sets = true;
    for (int begin = 0; begin < 20; begin++) {
        double stored[EWI_LANES + 2] = {0};
        ewi_v a = ewi_load(field + begin);
        ewi_store(stored + 1, a);
        loads = loads && memcmp(stored + 1, field + begin, EWI_LANES * sizeof *field) == 0 && stored[0] == 0 &&
                stored[EWI_LANES + 1] == 0;
        for (int lane = 0; lane < EWI_LANES; lane++) {
            double value = ewi_lane(a, lane);
            lanes = lanes && memcmp(&value, field + begin + lane, sizeof value) == 0;
            ewi_store(stored + 1, ewi_set_lane(a, lane, -7.5));
            for (int other = 0; other < EWI_LANES; other++)
                sets = sets && (other == lane ? stored[1 + other] == -7.5
                                              : memcmp(stored + 1 + other, field + begin + other, sizeof value) == 0);
        }
    }
    ok(loads, "%d lanes: loads and stores need no alignment and touch nothing else", EWI_LANES);
    ok(lanes, "%d lanes: a single lane can be read", EWI_LANES);
    ok(sets, "%d lanes: a single lane can be set, and only that", EWI_LANES);
}

static void check_gather(const double *field)
{
    bool right = true;
    for (int round = 0; round < 1000; round++) {
        int64_t offset[EWI_LANES];
        double got[EWI_LANES];
        random_offsets(offset, 1);
        ewi_store(got, ewi_gather(field, offset));
        for (int lane = 0; lane < EWI_LANES; lane++)
            right = right && memcmp(&got[lane], &field[offset[lane]], sizeof *got) == 0;
    }
    ok(right, "%d lanes: a gather takes each lane from its own place", EWI_LANES);
}

static void check_fours(const double *field)
{
    bool loads = true, stores = true;
    for (int round = 0; round < 1000; round++) {
        int64_t from[EWI_LANES], to[EWI_LANES], stride = 4 + (int64_t)(random_bits() % 9),
                                                turn = (int64_t)(random_bits() % EWI_LANES);
        ewi_v a[4];
        double got[4][EWI_LANES], stored[13 * EWI_LANES];
        random_offsets(from, 4);
        for (int lane = 0; lane < EWI_LANES; lane++)
            to[lane] = (lane + turn) % EWI_LANES * stride;
        for (int k = 0; k < 13 * EWI_LANES; k++)
            stored[k] = -1;
        ewi_load4(field, from, a);
        ewi_store4(stored, to, a);
        for (int m = 0; m < 4; m++)
            ewi_store(got[m], a[m]);
        for (int lane = 0; lane < EWI_LANES; lane++) {
            for (int m = 0; m < 4; m++)
                loads = loads && memcmp(&got[m][lane], &field[from[lane] + m], sizeof got[m][lane]) == 0;
            stores = stores && memcmp(&stored[to[lane]], &field[from[lane]], 4 * sizeof *field) == 0;
            for (int64_t k = to[lane] + 4; k < to[lane] + stride; k++)
                stores = stores && stored[k] == -1;
        }
    }
    ok(loads, "%d lanes: four contiguous doubles of each lane become four vectors", EWI_LANES);
    ok(stores,
       "%d lanes: four vectors become four contiguous doubles of each lane, and nothing between them is touched",
       EWI_LANES);
}

static int run_checks(void)
{
    double field[FIELD];
    diag("seed %u", SEED);
    fill_field(field);
    check_fma();
    check_operations();
    check_single_lanes(field);
    check_gather(field);
    check_fours(field);
    return done_testing();
}

int main(void)
{
#if EWI_LANES == 4
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        skip_all("this machine has no AVX2");
#elif EWI_LANES == 8
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        skip_all("this machine has no AVX-512");
#endif
    return run_checks();
}
