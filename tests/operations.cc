/* Counts the operations of laws and fluxes: in place of ewi_lanes.h there are numbers that count what is done to them. */
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
EW_HD ewi_v ewi_fma(ewi_v a, ewi_v b, ewi_v c) { return counted(std::fma(a.value, b.value, c.value), 2); }
EW_HD ewi_v ewi_root(ewi_v a) { return counted(std::sqrt(a.value), 1); }
EW_HD ewi_v ewi_abs(ewi_v a) { return std::fabs(a.value); }
EW_HD ewi_mask ewi_gt(ewi_v a, ewi_v b) { return a.value > b.value; }
EW_HD ewi_mask ewi_and(ewi_mask a, ewi_mask b) { return a && b; }
EW_HD ewi_mask ewi_or(ewi_mask a, ewi_mask b) { return a || b; }
EW_HD bool ewi_all(ewi_mask a) { return a; }
EW_HD ewi_v ewi_select(ewi_mask m, ewi_v a, ewi_v b) { return m ? a : b; }
EW_HD ewi_v ewi_larger(ewi_v a, ewi_v b) { return a.value > b.value ? a : b; }
EW_HD ewi_v ewi_max(ewi_v a, ewi_v b) { return a.value > b.value ? a : b; }
EW_HD ewi_v ewi_min(ewi_v a, ewi_v b) { return a.value < b.value ? a : b; }
EW_HD double ewi_lane(ewi_v a, int) { return a.value; }
EW_HD ewi_v ewi_set_lane(ewi_v, int, double value) { return value; }
EW_HD double ewi_pow(double a, double b) { return std::pow(a, b); }

#include "flux/hllc.h"
#include "flux/roe.h"
#include "physics/advection.h"
#include "physics/euler.h"

static const double parameter[2] = {1.4, 0};
static const ewi_v field[2] = {1, 0.5}, left[4] = {1, 0.3, 0.2, 2.5}, right[4] = {0.9, 0.2, 0.1, 2.2};
static ewi_v out[4], other[4];

#define COUNT(call) (operations = 0, (void)(call), operations)
#define ROW(law, flux)                                                                                                      \
    do {                                                                                                                    \
        int volume = COUNT(ewi_##law##_volume_flux(parameter, field, left, 0.1, 0.2, 0.3, 0.5, out, other));                \
        int edge = COUNT(ewi_##law##_flux_##flux(parameter, field, left, right, 0.6, 0.8, 1, out));                         \
        int speed = COUNT(ewi_##law##_speed(parameter, left, 1)), admissible = COUNT(ewi_##law##_admissible(parameter, left)); \
        std::printf("{\"%s\", \"%s\", %d, %d, %d, %d}\n", #law, #flux, volume, edge, speed, admissible);                   \
    } while (0)

int main()
{
    ROW(euler, llf);
    ROW(euler, roe);
    ROW(euler, hllc);
    ROW(advection, llf);
    return 0;
}
