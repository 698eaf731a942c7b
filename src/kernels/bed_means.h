/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of the means of elements i .. i + EWI_LANES - 1 with water over a bed. */

EW_HD void EWI_K(means)(const struct ewi_arguments *a, const double *state, int64_t i, ewi_v *mean)
{
    int64_t place = EWI_K(place)(a->width, i);
    for (int m = 0; m < EWI_M; m++)
        mean[m] = ewi_set(EWI_BED_SQRT2) * ewi_load(state + EWI_K(at)(a->width, place, m, 0));
}

/* The wave speeds of elements, as they count for the time step; 0 where an element is dry. */
EW_HD ewi_v EWI_K(eval_speed)(const struct ewi_arguments *a, const double *state, int64_t i)
{
    ewi_v mean[EWI_M];
    EWI_K(means)(a, state, i, mean);
    ewi_v speed = EWI_L(speed)(a->parameter, mean, ewi_set(0.0));
    if (a->width_ratio)
        speed = speed * ewi_load(a->width_ratio + i);
    return speed;
}

EW_HD ewi_mask EWI_K(eval_admissible)(const struct ewi_arguments *a, const double *state, int64_t i)
{
    ewi_v mean[EWI_M];
    EWI_K(means)(a, state, i, mean);
    return EWI_L(admissible)(a->parameter, mean);
}
