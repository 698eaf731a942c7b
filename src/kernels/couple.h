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
 * Over a bed, new states are no sums of rates alone: this leaves the mean rates sum_m a_im (..)/sum_m a_im, from which
 * the law's update makes them.
 */
#ifndef EWI_KERNELS_COUPLE_H
#define EWI_KERNELS_COUPLE_H

#include "ewi_lanes.h"
#include "ewi_coupling.h"

EW_HD ewi_v ewi_coupled_sum(const struct ewi_coupling *c, int terms, const double *of, int64_t at)
{
    ewi_v sum = ewi_set(0.0);
    for (int m = 0; m < terms; m++)
        if (c->row[m] != 0.0)
            sum = ewi_fma(ewi_set(c->row[m]), ewi_load(of + m * c->doubles + at), sum);
    return sum;
}

EW_HD void ewi_couple_own(const struct ewi_coupling *c, const struct ewi_coupled *of, int64_t at)
{
    int m = c->stage - 1;
    ewi_v k = ewi_load(of->own + at), slope = ewi_set(0.0);
    ewi_store(of->k + m * c->doubles + at, k);
    if (c->stage < c->stages) {
        ewi_store(of->sum + m * c->doubles + at, k + ewi_load((m == 0 ? of->of_view : of->of_sum) + at));
        ewi_v sum = ewi_coupled_sum(c, c->stage, of->sum, at);
        if (of->own_rate)
            ewi_store(of->own_rate + at, sum);
        else
            ewi_store(of->target + at, ewi_fma(ewi_set(of->own_step), sum, ewi_load(of->base + at)));
        if (c->latest > 0)
            slope = (ewi_load(of->k + c->latest * c->doubles + at) - ewi_load(of->k + at)) /
                    ewi_set(c->time[c->latest]);
    } else {
        ewi_store(of->target + at, ewi_load(of->source + at));
        slope = ewi_set(2.0) * (ewi_coupled_sum(c, c->stages, of->k, at) - ewi_load(of->k + at));
    }
    ewi_store(of->slope + at, slope);
}

EW_HD void ewi_couple_view(const struct ewi_coupling *c, const struct ewi_coupled *of, int64_t at)
{
    ewi_v slope = ewi_load(of->slope + at), first = ewi_load(of->k + at), sum = ewi_set(0.0);
    ewi_store(of->q + (c->stage - 1) * c->doubles + at, ewi_load(of->of_view + at));
    for (int m = 0; m < c->stage; m++)
        if (c->row[m] != 0.0) {
            double theta = 0.5 * (of->before + c->time[m]);
            ewi_v slow = ewi_fma(ewi_set(theta), slope, first);
            sum = ewi_fma(ewi_set(c->row[m]), ewi_load(of->q + m * c->doubles + at) + slow, sum);
        }
    if (of->view_rate)
        ewi_store(of->view_rate + at, sum);
    else
        ewi_store(of->view_target + at, ewi_fma(ewi_set(of->view_step), sum, ewi_load(of->view_base + at)));
}

#endif
