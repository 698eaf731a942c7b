/* SPDX-License-Identifier: BSD-2-Clause */
/* A limiter for tests, with a jump sensor: f is 1/2 where there is a jump. */
EW_HD ewi_v EWI_K(gauge_fading)(const double *parameter, const ewi_v *left, const ewi_v *right,
                                struct EWI_K(gauge) *gauge)
{
    ewi_v jump[EWI_M], z[EWI_JUMPS];
    for (int m = 0; m < EWI_M; m++)
        jump[m] = left[m] - right[m];
    EWI_L(frame)(parameter, left, gauge->frame);
    EWI_L(jumps)(gauge->frame, jump, z);
    EWI_L(jump_scales)(parameter, left, z, gauge->scale);
    return EWI_K(gauged)(gauge, jump);
}

EW_HD ewi_v EWI_K(damping_fading)(double step, const ewi_v *jump, const ewi_v *between, const ewi_v *length,
                                  ewi_v inverse_det)
{
    (void)step, (void)between, (void)length, (void)inverse_det;
    ewi_v most = ewi_max(jump[0], ewi_max(jump[1], jump[2]));
    return ewi_select(ewi_gt(most, ewi_set(0.0)), ewi_set(0.5), ewi_set(1.0));
}
