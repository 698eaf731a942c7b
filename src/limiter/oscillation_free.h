/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Damping of oscillations by the jumps at edges, for nonlinear laws (after Peng, Sun and Wu, arXiv 2310.04807; jumps of
 * values only, scales of the edge's own mean state). Once a step, to what its last stage makes, by the jumps in the
 * state from which that stage starts, whose traces are there for its fluxes (measured: bench/results/shocks.md):
 *   edges     J = sum_q w_q max_z s z(u_left - u_right), V = max_z s z(mean_left - mean_right), with the law's
 *             quantities z and their scales s (jump_scales in physics/advection.h) at the mean of both elements
 *   elements  r_k = min(1, J_k / V), V the largest one of the sides; rate = kappa sum_k J_k r_k / h_k,
 *             h_k = 2 |K| / |e_k|; c_j of degree d is multiplied by f^(d(d+1)/2), f = 1/(1 + 2 dt rate)
 * The scales contain the wave speed relative to the flow, so that the damping is Galilean invariant. Boundary sides
 * have no jump.
 */

/* Scales at the mean of both elements. */
EW_HD ewi_v EWI_K(gauge_oscillation_free)(const double *parameter, const ewi_v *left, const ewi_v *right,
                                          struct EWI_K(gauge) *gauge)
{
    return EWI_K(mean_gauge)(parameter, 0, left, right, gauge);
}

EW_HD ewi_v EWI_K(damping_oscillation_free)(double step, const ewi_v *jump, const ewi_v *between,
                                            const ewi_v *length, ewi_v inverse_det)
{
    ewi_v most = ewi_set(1e-100), sum = ewi_set(0.0);
    for (int k = 0; k < 3; k++)
        most = ewi_max(most, between[k]);
    ewi_v inverse = ewi_inverse(most);
    for (int k = 0; k < 3; k++)
        sum = ewi_fma(jump[k] * ewi_min(ewi_set(1.0), jump[k] * inverse), length[k], sum);
    return ewi_inverse(ewi_fma(ewi_set(2.0 * EWI_DAMPING * step), sum * inverse_det, ewi_set(1.0)));
}
