/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limiters with a jump sensor over a bed, by the bodies of limit.h: sides of elements that are not wet all over have no
 * jump, and only the surface and the momenta of wet elements are damped.
 */
#include "kernels/limit.h"

EW_HD void EWI_K(sense_wet)(int limiter, const struct ewi_arguments *a, const double *state, double *sensor, int64_t s)
{
    int64_t left[EWI_LANES], right[EWI_LANES];
    const ewi_v zero = ewi_set(0.0);
    for (int lane = 0; lane < EWI_LANES; lane++) {
        left[lane] = EWI_K(place)(a->width, a->left[s + lane]);
        right[lane] = EWI_K(place)(a->width, a->right[s + lane]);
    }
    EWI_K(jump_sensor)(limiter, a, state, sensor, s);
    ewi_mask wet = ewi_and(ewi_gt(zero, EWI_K(gather)(state, a->width, left, EWI_BED_DEPTH, 0)),
                           ewi_gt(zero, EWI_K(gather)(state, a->width, right, EWI_BED_DEPTH, 0)));
    double *at = sensor + ewi_layout_base(EWI_TILE, 2, s);
    ewi_store(at, ewi_select(wet, ewi_load(at), zero));
    ewi_store(at + EWI_TILE, ewi_select(wet, ewi_load(at + EWI_TILE), zero));
}

EW_HD void EWI_K(damp_wet)(int limiter, const struct ewi_arguments *a, const double *sensor, double step,
                           double *state, int64_t i)
{
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    int64_t place = EWI_K(place)(a->width, i);
    ewi_v jump[3], between[3], length[3], one = ewi_set(1.0);
    for (int k = 0; k < 3; k++) {
        int64_t slot[EWI_LANES];
        for (int lane = 0; lane < EWI_LANES; lane++)
            slot[lane] = ewi_layout_base(EWI_TILE, 2, a->side_slot[k * a->padded + i + lane] / 2);
        jump[k] = ewi_gather(sensor, slot);
        between[k] = ewi_gather(sensor + EWI_TILE, slot);
        length[k] = ewi_abs(ewi_load(geometry + (EWI_SIDES + 3 * k + 2) * EWI_TILE));
    }
    ewi_v f = EWI_K(damping)(limiter, step, jump, between, length, ewi_load(geometry + EWI_INVERSE_DET * EWI_TILE));
    ewi_mask wet = ewi_gt(ewi_set(0.0), ewi_load(state + EWI_K(at)(a->width, place, EWI_BED_DEPTH, 0)));
    f = ewi_select(wet, f, one);
    ewi_v power = f, factor = f;
    for (int d = 1, j = 1; d <= EWI_ORDER; d++) {
        for (int end = j + d + 1; j < end; j++)
            for (int m = 0; m < EWI_BED_BED; m++) {
                double *at = state + EWI_K(at)(a->width, place, m, j);
                ewi_store(at, factor * ewi_load(at));
            }
        power = power * f;
        factor = factor * power;
    }
}
