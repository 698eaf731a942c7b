/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of Runge-Kutta schemes. */
#include "ewi_scheme.h"
#include "ewi_coupling.h"
#include "edgewise.h"

#include <string.h>

static const struct ewi_scheme schemes[] = {
    {.name = "rk2",
     .description = "midpoint rule, 2 stages, order 2",
     .stages = 2,
     .registers = 2,
     .stable = {0.74, 0.67, 0.62, 0.55, 0.49},
     .real_extent = 2.0,
     .stage = {{.step = 0.5, .source = 0, .target = 1}, {.time = 0.5, .step = 1.0, .source = 1, .target = 0}}},
    /*
     * Weights 1/6, 5/18, 7/18, 1/6 of R at the times 0, 1/2, 1/2, 1. The stability polynomial, 1 + z + z^2/2 + z^3/6 +
     * z^4/48, was chosen for long steps. At order 5, 1.14 is stable in gas that is everywhere alike, but only 0.88 at a
     * contact.
     */
    {.name = "rk43",
     .description = "long steps for smooth flow, 4 stages, order 3",
     .stages = 4,
     .registers = 4,
     .stable = {1.42, 1.41, 1.33, 1.23, 1.03},
     .real_extent = 5.1494,
     .stage = {{.step = 0.5, .source = 0, .target = 1},
               {.time = 0.5, .step = 0.5, .source = 1, .target = 2},
               {.time = 0.5,
                .step = 0.5,
                .source = 2,
                .target = 3,
                .terms = 2,
                .term = {{1, 1.0 / 3.0}, {2, 2.0 / 3.0}}},
               {.time = 1.0,
                .step = 1.0 / 6.0,
                .source = 3,
                .target = 0,
                .terms = 3,
                .term = {{1, 2.0 / 27.0}, {2, 1.0 / 27.0}, {3, 7.0 / 9.0}}}}},
    /*
     * u = u_0 + ((u_1 - u_0) + 2 (u_2 - u_0) + (u_3 - u_0))/3 + dt/6 R(u_3) needs no array for a sum of right-hand
     * sides.
     */
    {.name = "rk4",
     .description = "classical Runge-Kutta scheme, 4 stages, order 4",
     .stages = 4,
     .registers = 4,
     .stable = {1.03, 0.94, 0.87, 0.76, 0.69},
     .real_extent = 2.7853,
     .stage = {{.step = 0.5, .source = 0, .target = 1},
               {.time = 0.5, .step = 0.5, .source = 1, .target = 2},
               {.time = 0.5, .step = 1.0, .source = 2, .target = 3},
               {.time = 1.0,
                .step = 1.0 / 6.0,
                .source = 3,
                .target = 0,
                .terms = 3,
                .term = {{1, 1.0 / 3.0}, {2, 2.0 / 3.0}, {3, 1.0 / 3.0}}}}},
    /* Shu and Osher 1988 */
    {.name = "ssprk22",
     .description = "strong-stability-preserving, 2 stages, order 2 (Heun)",
     .stages = 2,
     .registers = 2,
     .stable = {0.74, 0.67, 0.62, 0.55, 0.49},
     .real_extent = 2.0,
     .stage = {{.step = 1.0, .source = 0, .target = 1},
               {.time = 1.0, .step = 0.5, .source = 1, .target = 0, .terms = 1, .term = {{1, 0.5}}}}},
    /*
     * Spiteri and Ruuth 2002: three Euler steps of dt/2, then two thirds of the way from u_0 to their end. Steps are so
     * long that waves which hardly any dissipation damps may grow, slowly: at orders 4 and 5, 1.23 and 1.12 are stable
     * for 2,000 steps, but only the given numbers for 8,000, and four fifths of them for 30,000.
     */
    {.name = "ssprk32",
     .description = "strong-stability-preserving, 3 stages, order 2 (Spiteri and Ruuth)",
     .stages = 3,
     .registers = 3,
     .stable = {1.42, 1.41, 1.33, 1.08, 1.00},
     .cap_factor = 2.0,
     .real_extent = 4.5198,
     .stage = {{.step = 0.5, .source = 0, .target = 1},
               {.time = 0.5, .step = 0.5, .source = 1, .target = 2, .terms = 1, .term = {{1, 1.0}}},
               {.time = 1.0, .step = 1.0 / 3.0, .source = 2, .target = 0, .terms = 1, .term = {{2, 2.0 / 3.0}}}}},
    {.name = "ssprk33",
     .description = "strong-stability-preserving, 3 stages, order 3 (Shu and Osher)",
     .stages = 3,
     .registers = 3,
     .stable = {0.92, 0.85, 0.79, 0.68, 0.62},
     .real_extent = 2.5127,
     .stage = {{.step = 1.0, .source = 0, .target = 1},
               {.time = 1.0, .step = 0.25, .source = 1, .target = 2, .terms = 1, .term = {{1, 0.25}}},
               {.time = 0.5, .step = 2.0 / 3.0, .source = 2, .target = 0, .terms = 1, .term = {{2, 2.0 / 3.0}}}}},
    /*
     * Spiteri and Ruuth 2002, "A new class of optimal high-order strong-stability-preserving time discretization
     * methods"
     */
    {.name = "ssprk54",
     .description = "strong-stability-preserving, 5 stages, order 4 (Spiteri and Ruuth)",
     .stages = 5,
     .registers = 4,
     .keeps = 1,
     .stable = {1.59, 1.57, 1.47, 1.35, 1.25},
     .real_extent = 5.3315,
     .stage = {{.step = 0.391752226571890, .source = 0, .target = 1},
               {.time = 0.391752226571890,
                .step = 0.368410593050371,
                .source = 1,
                .target = 2,
                .terms = 1,
                .term = {{1, 0.555629506348765}}},
               {.time = 0.586079689311540,
                .step = 0.251891774271694,
                .source = 2,
                .target = 1,
                .terms = 1,
                .term = {{2, 0.379898148511597}}},
               {.time = 0.474542363121400,
                .step = 0.544974750228521,
                .source = 1,
                .target = 3,
                .terms = 1,
                .term = {{1, 0.821920045606868}},
                .keeps = 1},
               {.time = 0.935010630967653,
                .step = 0.226007483236906,
                .source = 3,
                .target = 0,
                .terms = 3,
                .term = {{2, 0.517231671970585}, {1, 0.096059710526147}, {3, 0.386708617503269}},
                .kept = 0.063692468666290}}},
};

/*
 * A contact with densities 1 to 4 takes up to 0.145 of what is stable in gas that is everywhere alike: 0.59 of 0.69 for
 * rk4 at order 5 (bench/stable-cfl -c 4). With a limiter, means stay within bounds up to 0.75 at order 1, on
 * equilateral triangles. Positivity, and a damping that comes once a step, hold at 0.4. ssprk32 has Euler steps of half
 * the length.
 */
double ewi_scheme_cfl(const struct ewi_scheme *scheme, int order, bool limited, bool positivity)
{
    double factor = scheme->cap_factor > 0.0 ? scheme->cap_factor : 1.0;
    double cfl = EWI_SAFE_SHARE * scheme->stable[order - 1];
    double most = positivity ? 0.4 * factor : limited ? 0.75 * factor : cfl;
    return cfl < most ? cfl : most;
}

void ewi_scheme_rows(const struct ewi_scheme *scheme, double weight[EWI_MAX_STAGES][EWI_MAX_STAGES])
{
    double of[EWI_MAX_REGISTERS][EWI_MAX_STAGES] = {{0}}; /* of each register's state */
    int kept = 0;
    for (int k = 0; k < scheme->stages; k++) {
        const struct ewi_stage *stage = &scheme->stage[k];
        double sum[EWI_MAX_STAGES] = {[0] = 0.0};
        for (int x = 0; x < stage->terms; x++)
            for (int n = 0; n < k; n++)
                sum[n] += stage->term[x].weight * of[stage->term[x].from][n];
        sum[kept] += stage->kept;
        sum[k] += stage->step;
        kept = stage->keeps ? k : kept;
        memcpy(of[stage->target], sum, sizeof sum);
        memcpy(weight[k], sum, sizeof sum);
    }
}

void ewi_scheme_weights(const struct ewi_scheme *scheme, double weight[EWI_MAX_STAGES])
{
    double row[EWI_MAX_STAGES][EWI_MAX_STAGES];
    ewi_scheme_rows(scheme, row);
    memcpy(weight, row[scheme->stages - 1], sizeof *row);
}

bool ewi_scheme_fits_levels(const struct ewi_scheme *scheme)
{
    double row[EWI_MAX_STAGES][EWI_MAX_STAGES];
    for (int k = 1; k < scheme->stages; k++)
        if (scheme->stage[k].source != scheme->stage[k - 1].target)
            return false;
    ewi_scheme_rows(scheme, row);
    return scheme->stages < 4 || row[1][0] == 0.0;
}

struct ewi_coupling ewi_coupling_of(const struct ewi_scheme *scheme, int stage, int64_t doubles)
{
    struct ewi_coupling coupling = {.stage = stage, .stages = scheme->stages, .doubles = doubles};
    double row[EWI_MAX_STAGES][EWI_MAX_STAGES];
    ewi_scheme_rows(scheme, row);
    memcpy(coupling.row, row[stage - 1], sizeof coupling.row);
    for (int m = 0; m < stage; m++) {
        coupling.time[m] = scheme->stage[m].time;
        coupling.share += coupling.row[m];
        if (coupling.time[m] > 0.0)
            coupling.latest = m;
    }
    return coupling;
}

struct ewi_coupling ewi_coupling_of_rates(const struct ewi_scheme *scheme, int stage, int64_t doubles)
{
    struct ewi_coupling coupling = ewi_coupling_of(scheme, stage, doubles);
    for (int m = 0; m < stage; m++)
        coupling.row[m] /= coupling.share;
    return coupling;
}

const struct ewi_scheme *ewi_scheme_at(int index)
{
    return index >= 0 && index < (int)(sizeof schemes / sizeof *schemes) ? &schemes[index] : NULL;
}

const struct ewi_scheme *ewi_scheme_find(const char *name)
{
    name = name ? name : EW_DEFAULT_SCHEME;
    for (int k = 0; ewi_scheme_at(k); k++)
        if (strcmp(schemes[k].name, name) == 0)
            return &schemes[k];
    return NULL;
}

struct ewi_choice ewi_scheme_choice(int index)
{
    const struct ewi_scheme *scheme = ewi_scheme_at(index);
    return scheme ? (struct ewi_choice){scheme->name, scheme->description} : EWI_NO_CHOICE;
}
