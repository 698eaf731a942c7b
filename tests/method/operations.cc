/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts the operations of laws and fluxes: in place of ewi_lanes.h there are numbers that count what is done to them.
 */
#define EWI_LANES_H
#define EWI_MATH_H
#define EWI_LANES 1
#define EW_HD static inline

#include <cmath>
#include <cstdio>

static int operations;

struct ewi_v {
    double value;
    ewi_v(double a = 0) : value(a) {}
};
typedef bool ewi_mask;

static ewi_v counted(double value, int count)
{
    operations += count;
    return value;
}

static inline ewi_v operator+(ewi_v a, ewi_v b) { return counted(a.value + b.value, 1); }
static inline ewi_v operator-(ewi_v a, ewi_v b) { return counted(a.value - b.value, 1); }
static inline ewi_v operator*(ewi_v a, ewi_v b) { return counted(a.value * b.value, 1); }
static inline ewi_v operator/(ewi_v a, ewi_v b) { return counted(a.value / b.value, 1); }
static inline ewi_v operator-(ewi_v a) { return -a.value; }
EW_HD ewi_v ewi_set(double a) { return a; }
EW_HD ewi_v ewi_load(const double *p) { return *p; }
EW_HD ewi_v ewi_fma(ewi_v a, ewi_v b, ewi_v c) { return counted(std::fma(a.value, b.value, c.value), 2); }
EW_HD ewi_v ewi_root(ewi_v a) { return counted(std::sqrt(a.value), 1); }
EW_HD ewi_v ewi_inverse(ewi_v a) { return counted(1.0 / a.value, 1); }
EW_HD ewi_v ewi_abs(ewi_v a) { return std::fabs(a.value); }
EW_HD ewi_mask ewi_gt(ewi_v a, ewi_v b) { return a.value > b.value; }
EW_HD ewi_mask ewi_and(ewi_mask a, ewi_mask b) { return a && b; }
EW_HD ewi_mask ewi_or(ewi_mask a, ewi_mask b) { return a || b; }
EW_HD bool ewi_all(ewi_mask a) { return a; }
EW_HD ewi_v ewi_select(ewi_mask m, ewi_v a, ewi_v b) { return m ? a : b; }
EW_HD ewi_v ewi_larger(ewi_v a, ewi_v b) { return a.value > b.value ? a : b; }
EW_HD ewi_v ewi_smaller(ewi_v a, ewi_v b) { return a.value < b.value ? a : b; }
EW_HD ewi_v ewi_max(ewi_v a, ewi_v b) { return a.value > b.value ? a : b; }
EW_HD ewi_v ewi_min(ewi_v a, ewi_v b) { return a.value < b.value ? a : b; }
EW_HD double ewi_lane(ewi_v a, int) { return a.value; }
EW_HD ewi_v ewi_set_lane(ewi_v, int, double value) { return value; }
EW_HD double ewi_pow(double a, double b) { return std::pow(a, b); }
EW_HD double ewi_cbrt(double a) { return std::cbrt(a); }

#include "edgewise.h"
#include "ewi_law_list.h"
#include "ewi_layout.h"

#define COUNT(call) (operations = 0, (void)(call), operations)

static int wrong;

static void report(const char *law, const char *function, int stated, int counted_ones)
{
    wrong += stated != counted_ones;
    std::printf("%s %s: stated %d, counted %d\n", law, function, stated, counted_ones);
}

/* Two states near the law's state at rest, without a shock between them; NaN would take other ways. */
#define CHECK_FLUX(law, flux, stated)                                                                                  \
    report(#law, #flux, stated, COUNT(ewi_##law##_flux_##flux(parameter, field, left, right, 0.6, 0.8, 1, out)));
#define CHECK(law)                                                                                                     \
    {                                                                                                                  \
        static const ew_law info = {EWI_INFO_##law};                                                                   \
        static const int stated[] = {EWI_OPERATIONS_##law};                                                            \
        double parameter[2 * EWI_TILE] = {info.parameter[0].value, info.parameter[1].value};                           \
        if (ewi_##law##_media > 0)                                                                                     \
            parameter[0] = parameter[EWI_TILE] = 1.5;                                                                  \
        const ewi_v field[4] = {1, 0.5, 2, 0.7};                                                                       \
        ewi_v w[4], left[4], right[4], out[4], other[4];                                                               \
        double rest[4] = {};                                                                                           \
        ewi_##law##_rest(rest);                                                                                        \
        for (int m = 0; m < 4; m++)                                                                                    \
            w[m] = rest[m] + 0.1 + 0.001 * m;                                                                          \
        ewi_##law##_conserved(parameter, w, left);                                                                     \
        for (int m = 0; m < 4; m++)                                                                                    \
            w[m] = rest[m] + 0.1 - 0.0002 * m;                                                                         \
        ewi_##law##_conserved(parameter, w, right);                                                                    \
        report(#law, "volume_flux", stated[0],                                                                         \
               COUNT(ewi_##law##_volume_flux(parameter, field, left, 0.1, 0.2, 0.3, 0.5, out, other)));                \
        report(#law, "speed", stated[1], COUNT(ewi_##law##_speed(parameter, left, 1)));                                \
        report(#law, "admissible", stated[2], COUNT(ewi_##law##_admissible(parameter, left)));                         \
        EWI_FLUXES_##law(CHECK_FLUX)                                                                                   \
    }

int main()
{
    EWI_LAWS(CHECK)
    return wrong > 0;
}
