/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Damping of oscillations by the jumps at edges, for nonlinear laws (after Peng, Sun and Wu, arXiv 2310.04807; jumps of
 * values only, scales of the edge's own mean state). Once a step, after its last stage:
 *   edges     J = max_z sum_q w_q z(u_left - u_right) / s, V = max_z z(mean_left - mean_right) / s, with the law's
 *             quantities z and their scales s at the mean of both elements
 *   elements  r_k = min(1, J_k / V), V the largest one of the sides; rate = kappa beta sum_k J_k r_k / h_k,
 *             h_k = 2 |K| / |e_k|, beta the mean's wave speed; c_j of degree d is multiplied by f^(d(d+1)/2),
 *             f = 1/(1 + 2 dt rate)
 * Two passes: an element that is damped must not be read by its neighbours any more. Boundary sides have no jump.
 */

/* Of inner edges in slots s .. s + EWI_LANES - 1. */
EW_HD void EWI_K(sense_oscillation_free)(const struct ewi_arguments *a, const double *state, double *sensor, int64_t s)
{
    int64_t left[EWI_LANES], right[EWI_LANES], left_table[EWI_LANES], right_table[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        left[lane] = EWI_K(place)(a->width, a->left[s + lane]);
        right[lane] = EWI_K(place)(a->width, a->right[s + lane]);
        left_table[lane] = a->left_side[s + lane] * (int64_t)(EWI_NE * EWI_NP);
        right_table[lane] = a->right_side[s + lane] * (int64_t)(EWI_NE * EWI_NP);
    }
    ewi_v mean[EWI_M], d[EWI_M], frame[EWI_FRAME], scale[EWI_JUMPS], z[EWI_JUMPS], sum[EWI_JUMPS];
    for (int m = 0; m < EWI_M; m++) {
        ewi_v ul = EWI_K(gather)(state, a->width, left, m, 0), ur = EWI_K(gather)(state, a->width, right, m, 0);
        mean[m] = ewi_set(0.5 * EWI_SQRT2) * (ul + ur);
        d[m] = ewi_set(EWI_SQRT2) * (ul - ur);
    }
    EWI_L(frame)(a->parameter, mean, frame);
    EWI_L(jump_scales)(a->parameter, mean, scale);
    EWI_L(jumps)(frame, d, z);
    ewi_v between = ewi_set(0.0), largest = ewi_set(0.0);
    for (int k = 0; k < EWI_JUMPS; k++) {
        between = ewi_max(between, z[k] * scale[k]);
        sum[k] = ewi_set(0.0);
    }
    for (int e = 0; e < EWI_NE; e++) {
        ewi_v ul[EWI_M], ur[EWI_M];
        EWI_K(trace)(a, state, left, EWI_TABLE(SIDE) + e * EWI_NP, left_table, ul);
        EWI_K(trace)(a, state, right, EWI_TABLE(SIDE) + (EWI_NE - 1 - e) * EWI_NP, right_table, ur);
        for (int m = 0; m < EWI_M; m++)
            d[m] = ul[m] - ur[m];
        EWI_L(jumps)(frame, d, z);
        for (int k = 0; k < EWI_JUMPS; k++)
            sum[k] = ewi_fma(ewi_set(EWI_TABLE(EDGE_WEIGHT)[e]), z[k], sum[k]);
    }
    for (int k = 0; k < EWI_JUMPS; k++)
        largest = ewi_max(largest, sum[k] * scale[k]);
    double *at = sensor + ewi_layout_base(EWI_TILE, 2, s);
    ewi_store(at, largest);
    ewi_store(at + EWI_TILE, between);
}

/* f of elements i .. i + EWI_LANES - 1. */
EW_HD ewi_v EWI_K(damping)(const struct ewi_arguments *a, const struct ewi_limiting *with, const double *state,
                           int64_t i)
{
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    int64_t place = EWI_K(place)(a->width, i);
    ewi_v jump[3], mean[EWI_M], between = ewi_set(1e-10), sum = ewi_set(0.0);
    for (int k = 0; k < 3; k++) {
        int64_t slot[EWI_LANES];
        for (int lane = 0; lane < EWI_LANES; lane++)
            slot[lane] = ewi_layout_base(EWI_TILE, 2, a->side_slot[k * a->padded + i + lane] / 2);
        jump[k] = ewi_gather(with->sensor, slot);
        between = ewi_max(between, ewi_gather(with->sensor + EWI_TILE, slot));
    }
    ewi_v inverse = ewi_inverse(between);
    for (int k = 0; k < 3; k++) {
        ewi_v length = ewi_abs(ewi_load(geometry + (EWI_SIDES + 3 * k + 2) * EWI_TILE));
        sum = ewi_fma(jump[k] * ewi_min(ewi_set(1.0), jump[k] * inverse), length, sum);
    }
    for (int m = 0; m < EWI_M; m++)
        mean[m] = ewi_set(EWI_SQRT2) * ewi_load(state + EWI_K(at)(a->width, place, m, 0));
    ewi_v speed = EWI_L(speed)(a->parameter, mean, ewi_set(0.0));
    ewi_v rate = speed * (sum * ewi_load(geometry + EWI_INVERSE_DET * EWI_TILE));
    return ewi_inverse(ewi_fma(ewi_set(2.0 * EWI_DAMPING * with->step), rate, ewi_set(1.0)));
}

EW_HD void EWI_K(limit_oscillation_free)(const struct ewi_arguments *a, const struct ewi_limiting *with, double *state,
                                         int64_t i)
{
    int64_t place = EWI_K(place)(a->width, i);
    ewi_v f = EWI_K(damping)(a, with, state, i), step = f, factor = f;
    for (int d = 1, j = 1; d <= EWI_ORDER; d++) {
        for (int end = j + d + 1; j < end; j++)
            for (int m = 0; m < EWI_M; m++) {
                double *at = state + EWI_K(at)(a->width, place, m, j);
                ewi_store(at, factor * ewi_load(at));
            }
        step = step * f;
        factor = factor * step;
    }
}
