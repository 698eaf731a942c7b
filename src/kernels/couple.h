/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One stage of interface elements and their views (ewi_level_plan.h), EWI_LANES rows of them at `at`. With K_m the
 * right-hand side of the element's own edges in stage m, from 0, Q_m that of its view's edges to faster elements, and
 * T_m that of its sum (T_0 = Q_0), stage i, from 1, forms
 *     S_i = U_0 + H sum_m a_im (K_m + T_m)                       the stage of the element's own step, i < s
 *     V_i = V_0 + h sum_m a_im (Q_m + g(theta_m))                the view in its neighbours' step
 *     g(theta) = G_0 + theta G_1,  G_0 = K_0,  G_1 = 2 (sum_m b_m K_m - K_0)
 * theta_m is the time of stage m of the neighbours' step in the element's own step, as a share of H. In the step's
 * last stage, S stays. Over both steps of the neighbours g adds up to H sum_m b_m K_m, so that all edges conserve. G_1
 * is known once the element's last stage is; before, it is the slope through K_0 and the latest K_m with c_m > 0.
 * Order of operations: sums are chains of fma in ascending m from +0 without zero weights; g is one fma.
 */
#ifndef EWI_KERNELS_COUPLE_H
#define EWI_KERNELS_COUPLE_H

#include "ewi_lanes.h"
#include "ewi_scheme.h"

struct ewi_coupling {
    int stage, stages;
    double row[EWI_MAX_STAGES];   /* a_im, or b_m in the last stage */
    double theta[EWI_MAX_STAGES];
    int latest;                   /* the latest known m with c_m > 0, or 0; */
    double latest_time;           /* ... its c_m */
    int steps;                    /* non-zero: the elements' own step has this stage, too */
    double own_step, view_step;   /* H, h */
    const double *own, *of_view, *of_sum; /* right-hand sides of this stage; of_sum: of stages 1 .. s - 2 */
    double *k[EWI_MAX_STAGES], *sum[EWI_MAX_STAGES], *q[EWI_MAX_STAGES], *slope; /* K_m, K_m + T_m, Q_m, G_1 */
    const double *base, *source, *view_base; /* U_0, S_{i-1}, V_0 */
    double *target, *view_target;
};

EW_HD ewi_v ewi_coupled_sum(const struct ewi_coupling *c, int terms, double *const *of, int64_t at)
{
    ewi_v sum = ewi_set(0.0);
    for (int m = 0; m < terms; m++)
        if (c->row[m] != 0.0)
            sum = ewi_fma(ewi_set(c->row[m]), ewi_load(of[m] + at), sum);
    return sum;
}

EW_HD void ewi_couple_own(const struct ewi_coupling *c, int64_t at)
{
    int m = c->stage - 1;
    ewi_v k = ewi_load(c->own + at), slope = ewi_set(0.0);
    ewi_store(c->k[m] + at, k);
    if (c->stage < c->stages) {
        ewi_store(c->sum[m] + at, k + ewi_load((m == 0 ? c->of_view : c->of_sum) + at));
        ewi_v sum = ewi_coupled_sum(c, c->stage, c->sum, at);
        ewi_store(c->target + at, ewi_fma(ewi_set(c->own_step), sum, ewi_load(c->base + at)));
        if (c->latest > 0)
            slope = (ewi_load(c->k[c->latest] + at) - ewi_load(c->k[0] + at)) / ewi_set(c->latest_time);
    } else {
        ewi_store(c->target + at, ewi_load(c->source + at));
        slope = ewi_set(2.0) * (ewi_coupled_sum(c, c->stages, c->k, at) - ewi_load(c->k[0] + at));
    }
    ewi_store(c->slope + at, slope);
}

EW_HD void ewi_couple_view(const struct ewi_coupling *c, int64_t at)
{
    ewi_v slope = ewi_load(c->slope + at), first = ewi_load(c->k[0] + at), sum = ewi_set(0.0);
    ewi_store(c->q[c->stage - 1] + at, ewi_load(c->of_view + at));
    for (int m = 0; m < c->stage; m++)
        if (c->row[m] != 0.0) {
            ewi_v slow = ewi_fma(ewi_set(c->theta[m]), slope, first);
            sum = ewi_fma(ewi_set(c->row[m]), ewi_load(c->q[m] + at) + slow, sum);
        }
    ewi_store(c->view_target + at, ewi_fma(ewi_set(c->view_step), sum, ewi_load(c->view_base + at)));
}

#endif
