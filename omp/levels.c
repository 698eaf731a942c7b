/* SPDX-License-Identifier: BSD-2-Clause */
/* The instruction levels that are compiled in, and which of them this machine has. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "ewi_levels.h"
#include "ewi_law_list.h"

#include <stddef.h>

#define EWI_DECLARE(level)                                                                                             \
    extern const struct ewi_omp_kernels *const ewi_omp_##level##_p1[], *const ewi_omp_##level##_p2[],                  \
        *const ewi_omp_##level##_p3[], *const ewi_omp_##level##_p4[], *const ewi_omp_##level##_p5[];                \
    extern const struct ewi_omp_kernels *const ewi_omp_##level##_bed_p1[], *const ewi_omp_##level##_bed_p2[],          \
        *const ewi_omp_##level##_bed_p3[], *const ewi_omp_##level##_bed_p4[], *const ewi_omp_##level##_bed_p5[];       \
    extern const struct ewi_points ewi_omp_##level##_points[];                                                         \
    double ewi_omp_##level##_fma(int64_t steps, double *sum);                                                          \
    void ewi_omp_##level##_couple(const struct ewi_coupling *coupling, const struct ewi_coupled *of, int64_t first, \
                                      int64_t last);
#define EWI_KERNELS(level)                                                                                          \
    {ewi_omp_##level##_p1, ewi_omp_##level##_p2, ewi_omp_##level##_p3, ewi_omp_##level##_p4, ewi_omp_##level##_p5}, \
        ewi_omp_##level##_fma, ewi_omp_##level##_points, ewi_omp_##level##_couple

#define EWI_OWN_KERNELS(level)                                                                        \
    {ewi_omp_##level##_bed_p1, ewi_omp_##level##_bed_p2, ewi_omp_##level##_bed_p3, ewi_omp_##level##_bed_p4, \
     ewi_omp_##level##_bed_p5},

EWI_DECLARE(base)
EWI_DECLARE(scalar)

#ifdef EWI_HAVE_AVX2
EWI_DECLARE(avx2)

static int has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

#ifdef EWI_HAVE_AVX512
EWI_DECLARE(avx512)

static int has_avx512(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

static int always(void)
{
    return 1;
}

static const struct ewi_omp_level levels[] = {
#ifdef EWI_HAVE_AVX512
    {"avx512", "AVX-512, 8 lanes", "AVX-512, 8 lanes: not on this machine", has_avx512, EWI_KERNELS(avx512)},
#endif
#ifdef EWI_HAVE_AVX2
    {"avx2", "AVX2 and FMA, 4 lanes", "AVX2 and FMA, 4 lanes: not on this machine", has_avx2, EWI_KERNELS(avx2)},
#endif
    {"base", "what every CPU of this kind has, 2 lanes", NULL, always, EWI_KERNELS(base)},
    {"scalar", "one lane, for validation", NULL, always, EWI_KERNELS(scalar)},
};

/* Kernels of laws with separate modules (ewi_every_law.h), by level and order. */
static const struct ewi_omp_kernels *const *const own[][EW_MAX_ORDER] = {
#ifdef EWI_HAVE_AVX512
    EWI_OWN_KERNELS(avx512)
#endif
#ifdef EWI_HAVE_AVX2
    EWI_OWN_KERNELS(avx2)
#endif
    EWI_OWN_KERNELS(base)
    EWI_OWN_KERNELS(scalar)
};

const struct ewi_omp_kernels *ewi_omp_kernels_of(const struct ewi_omp_level *level, int order, int law)
{
    return law < EWI_LAWS_ARE ? level->kernels[order - 1][law] : own[level - levels][order - 1][law - EWI_LAWS_ARE];
}

const struct ewi_omp_level *ewi_omp_level_at(int index)
{
    return index >= 0 && index < (int)(sizeof levels / sizeof *levels) ? &levels[index] : NULL;
}

const struct ewi_omp_level *ewi_omp_best_level(void)
{
    int best = 0;
    while (!levels[best].runs_here())
        best++;
    return &levels[best];
}

const struct ewi_points *ewi_points_of(int law)
{
    return &ewi_omp_best_level()->points[law];
}
