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
#include "ewi_coupling.h"

/* What a row takes: all of it is loaded before anything is stored, so that a GPU waits for memory once. */
struct ewi_coupled_row {
    ewi_v k[EWI_LEVEL_STAGES], sum[EWI_LEVEL_STAGES], q[EWI_LEVEL_STAGES]; /* of stages up to this one */
    ewi_v slope, base, source, view_base;
};

EW_HD struct ewi_coupled_row ewi_couple_load(const struct ewi_coupling *c, const struct ewi_coupled *of, int64_t at)
{
    struct ewi_coupled_row row;
    int now = c->stage - 1;
    for (int m = 0; m < EWI_LEVEL_STAGES; m++) {
        const double *k = of->steps && m == now ? of->own : of->k + m * c->doubles;
        const double *q = m == now ? of->of_view : of->q + m * c->doubles;
        const double *sum = m < now ? of->sum + m * c->doubles : m == 0 ? of->of_view : of->of_sum;
        bool steps = of->steps && m <= now;
        row.k[m] = steps || m == 0 ? ewi_load(k + at) : ewi_set(0.0);
        row.q[m] = m <= now ? ewi_load(q + at) : ewi_set(0.0);
        row.sum[m] = steps && c->stage < c->stages ? ewi_load(sum + at) : ewi_set(0.0);
        if (m == now)
            row.sum[m] = row.k[m] + row.sum[m];
    }
    row.slope = of->steps ? ewi_set(0.0) : ewi_load(of->slope + at);
    row.base = of->steps ? ewi_load(of->base + at) : ewi_set(0.0);
    row.source = of->steps ? ewi_load(of->source + at) : ewi_set(0.0);
    row.view_base = ewi_load(of->view_base + at);
    return row;
}

EW_HD ewi_v ewi_coupled_sum(const struct ewi_coupling *c, const ewi_v *of)
{
    ewi_v sum = ewi_set(0.0);
    for (int m = 0; m < EWI_LEVEL_STAGES; m++)
        if (m < c->stage && c->row[m] != 0.0)
            sum = ewi_fma(ewi_set(c->row[m]), of[m], sum);
    return sum;
}

/* Stores what this stage adds to one of k, sum and q. */
EW_HD void ewi_couple_keep(const struct ewi_coupling *c, const ewi_v *row, double *to, int64_t at)
{
    for (int m = 0; m < EWI_LEVEL_STAGES; m++)
        if (m == c->stage - 1)
            ewi_store(to + m * c->doubles + at, row[m]);
}

EW_HD void ewi_couple_own(const struct ewi_coupling *c, const struct ewi_coupled *of, struct ewi_coupled_row *row,
                          int64_t at)
{
    ewi_couple_keep(c, row->k, of->k, at);
    if (c->stage < c->stages) {
        ewi_couple_keep(c, row->sum, of->sum, at);
        ewi_store(of->target + at, ewi_fma(ewi_set(of->own_step), ewi_coupled_sum(c, row->sum), row->base));
        for (int m = 1; m < EWI_LEVEL_STAGES; m++)
            if (m == c->latest)
                row->slope = (row->k[m] - row->k[0]) / ewi_set(c->time[m]);
    } else {
        ewi_store(of->target + at, row->source);
        row->slope = ewi_set(2.0) * (ewi_coupled_sum(c, row->k) - row->k[0]);
    }
    ewi_store(of->slope + at, row->slope);
}

EW_HD void ewi_couple_view(const struct ewi_coupling *c, const struct ewi_coupled *of,
                           const struct ewi_coupled_row *row, int64_t at)
{
    ewi_v sum = ewi_set(0.0);
    ewi_couple_keep(c, row->q, of->q, at);
    for (int m = 0; m < EWI_LEVEL_STAGES; m++)
        if (m < c->stage && c->row[m] != 0.0) {
            double theta = 0.5 * (of->before + c->time[m]);
            ewi_v slow = ewi_fma(ewi_set(theta), row->slope, row->k[0]);
            sum = ewi_fma(ewi_set(c->row[m]), row->q[m] + slow, sum);
        }
    ewi_v view = ewi_fma(ewi_set(of->view_step), sum, row->view_base);
    ewi_store(of->view_target + at, view);
    if (of->closed)
        ewi_store(of->closed + at, view);
}

#endif
