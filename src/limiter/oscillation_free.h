/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Damping of oscillations by the jumps at edges, for nonlinear laws (after Peng, Sun and Wu, arXiv 2310.04807; jumps of
 * values only, scales of the edge's own mean state). Once a step, to what its last stage makes, by the jumps in the
 * state from which that stage starts, whose traces are there for its fluxes (measured: bench/results/shocks.md):
 *   edges     J = sum_q w_q max_z z(u_left - u_right) / s, V = max_z z(mean_left - mean_right) / s, with the law's
 *             quantities z and their scales s at the mean of both elements
 *   elements  r_k = min(1, J_k / V), V the largest one of the sides; rate = kappa beta sum_k J_k r_k / h_k,
 *             h_k = 2 |K| / |e_k|, beta the new mean's wave speed; c_j of degree d is multiplied by f^(d(d+1)/2),
 *             f = 1/(1 + 2 dt rate)
 * Boundary sides have no jump.
 */

/* The scales for an edge's jumps. */
struct EWI_K(gauge) {
    ewi_v frame[EWI_FRAME], scale[EWI_JUMPS];
};

/* The largest of the law's quantities of a jump, over their scales. */
EW_HD ewi_v EWI_K(gauged)(const struct EWI_K(gauge) *gauge, const ewi_v *jump)
{
    ewi_v z[EWI_JUMPS], largest = ewi_set(0.0);
    EWI_L(jumps)(gauge->frame, jump, z);
    for (int k = 0; k < EWI_JUMPS; k++)
        largest = ewi_max(largest, z[k] * gauge->scale[k]);
    return largest;
}

/* For an edge, from the first coefficients of its two elements; returns V. */
EW_HD ewi_v EWI_K(gauge_edge)(const double *parameter, const ewi_v *left, const ewi_v *right,
                              struct EWI_K(gauge) *gauge)
{
    ewi_v mean[EWI_M], jump[EWI_M];
    for (int m = 0; m < EWI_M; m++) {
        mean[m] = ewi_set(0.5 * EWI_SQRT2) * (left[m] + right[m]);
        jump[m] = ewi_set(EWI_SQRT2) * (left[m] - right[m]);
    }
    EWI_L(frame)(parameter, mean, gauge->frame);
    EWI_L(jump_scales)(parameter, mean, gauge->scale);
    return EWI_K(gauged)(gauge, jump);
}

/* f of an element, from J, V and length of its sides. */
EW_HD ewi_v EWI_K(damping)(const double *parameter, double step, const ewi_v *jump, const ewi_v *between,
                           const ewi_v *length, ewi_v inverse_det, const ewi_v *mean)
{
    ewi_v most = ewi_set(1e-10), sum = ewi_set(0.0);
    for (int k = 0; k < 3; k++)
        most = ewi_max(most, between[k]);
    ewi_v inverse = ewi_inverse(most);
    for (int k = 0; k < 3; k++)
        sum = ewi_fma(jump[k] * ewi_min(ewi_set(1.0), jump[k] * inverse), length[k], sum);
    ewi_v rate = EWI_L(speed)(parameter, mean, ewi_set(0.0)) * (sum * inverse_det);
    return ewi_inverse(ewi_fma(ewi_set(2.0 * EWI_DAMPING * step), rate, ewi_set(1.0)));
}

/* Coefficients of elements i .. i + EWI_LANES - 1, whose place is `place`, by their J and V. */
EW_HD void EWI_K(damp)(const struct ewi_arguments *a, double step, const ewi_v *jump, const ewi_v *between,
                       double *state, int64_t width, int64_t place, int64_t i)
{
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    ewi_v mean[EWI_M], length[3];
    for (int k = 0; k < 3; k++)
        length[k] = ewi_abs(ewi_load(geometry + (EWI_SIDES + 3 * k + 2) * EWI_TILE));
    for (int m = 0; m < EWI_M; m++)
        mean[m] = ewi_set(EWI_SQRT2) * ewi_load(state + EWI_K(at)(width, place, m, 0));
    ewi_v f = EWI_K(damping)(a->parameter, step, jump, between, length,
                             ewi_load(geometry + EWI_INVERSE_DET * EWI_TILE), mean);
    ewi_v power = f, factor = f;
    for (int d = 1, j = 1; d <= EWI_ORDER; d++) {
        for (int end = j + d + 1; j < end; j++)
            for (int m = 0; m < EWI_M; m++) {
                double *at = state + EWI_K(at)(width, place, m, j);
                ewi_store(at, factor * ewi_load(at));
            }
        power = power * f;
        factor = factor * power;
    }
}

/* For inner edges in slots s .. s + EWI_LANES - 1: J and V, if no stage has the traces. */
EW_HD void EWI_K(jump_sensor_oscillation_free)(const struct ewi_arguments *a, const double *state, double *sensor,
                                               int64_t s)
{
    int64_t left[EWI_LANES], right[EWI_LANES], left_table[EWI_LANES], right_table[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        left[lane] = EWI_K(place)(a->width, a->left[s + lane]);
        right[lane] = EWI_K(place)(a->width, a->right[s + lane]);
        left_table[lane] = a->left_side[s + lane] * (int64_t)(EWI_NE * EWI_NP);
        right_table[lane] = a->right_side[s + lane] * (int64_t)(EWI_NE * EWI_NP);
    }
    struct EWI_K(gauge) gauge;
    ewi_v ul[EWI_M], ur[EWI_M], jump = ewi_set(0.0);
    for (int m = 0; m < EWI_M; m++) {
        ul[m] = EWI_K(gather)(state, a->width, left, m, 0);
        ur[m] = EWI_K(gather)(state, a->width, right, m, 0);
    }
    ewi_v between = EWI_K(gauge_edge)(a->parameter, ul, ur, &gauge);
    for (int e = 0; e < EWI_NE; e++) {
        EWI_K(trace)(a, state, left, EWI_TABLE(SIDE) + e * EWI_NP, left_table, ul);
        EWI_K(trace)(a, state, right, EWI_TABLE(SIDE) + (EWI_NE - 1 - e) * EWI_NP, right_table, ur);
        for (int m = 0; m < EWI_M; m++)
            ul[m] = ul[m] - ur[m];
        jump = ewi_fma(ewi_set(EWI_TABLE(EDGE_WEIGHT)[e]), EWI_K(gauged)(&gauge, ul), jump);
    }
    double *at = sensor + ewi_layout_base(EWI_TILE, 2, s);
    ewi_store(at, jump);
    ewi_store(at + EWI_TILE, between);
}

EW_HD void EWI_K(limit_oscillation_free)(const struct ewi_arguments *a, const struct ewi_limiting *with, double *state,
                                         int64_t i)
{
    ewi_v jump[3], between[3];
    for (int k = 0; k < 3; k++) {
        int64_t slot[EWI_LANES];
        for (int lane = 0; lane < EWI_LANES; lane++)
            slot[lane] = ewi_layout_base(EWI_TILE, 2, a->side_slot[k * a->padded + i + lane] / 2);
        jump[k] = ewi_gather(with->sensor, slot);
        between[k] = ewi_gather(with->sensor + EWI_TILE, slot);
    }
    EWI_K(damp)(a, with->step, jump, between, state, a->width, EWI_K(place)(a->width, i), i);
}
