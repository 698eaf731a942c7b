/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Returns the speed that limits the time step in elements i .. i + EWI_LANES - 1: the wave speed, scaled by the width
 * ratio, plus the rate of diffusion.
 *   mean: their mean states; speed: their wave speeds
 */
EW_HD ewi_v EWI_K(step_rate)(const struct ewi_arguments *a, int64_t i, const ewi_v *mean, ewi_v speed)
{
    (void)mean;
    if (a->width_ratio)
        speed = speed * ewi_load(a->width_ratio + i);
#if EWI_HAS_DIFFUSION
    speed = ewi_fma(EWI_L(diffusivity)(a->parameter, mean), ewi_load(a->diffusion_rate + i), speed);
#endif
    return speed;
}
