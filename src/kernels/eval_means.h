/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of the cell means of elements i .. i + EWI_LANES - 1. */

EW_HD void EWI_K(means)(const struct ewi_arguments *a, const double *state, int64_t i, ewi_v *mean)
{
    const double *row = state + ewi_layout_base(a->width, EWI_ROWS, i);
    for (int m = 0; m < EWI_M; m++)
        mean[m] = ewi_set(EWI_SQRT2) * ewi_load(row + m * EWI_NP * a->width);
}

/* The wave speeds of elements, as they count for the time step; NaN where a mean is not admissible. */
EW_HD ewi_v EWI_K(eval_speed)(const struct ewi_arguments *a, const double *state, int64_t i)
{
    ewi_v mean[EWI_M];
    EWI_K(means)(a, state, i, mean);
    ewi_v speed = EWI_L(speed)(a->parameter, mean, EWI_HAS_BOUND ? ewi_load(a->speed_bound + i) : ewi_set(0.0));
    if (EWI_HAS_POSITIVE && a->preserves_order)
        speed = EWI_K(speed_of_points)(a->parameter, speed, state, a->width, EWI_K(place)(a->width, i));
    return EWI_K(step_rate)(a, i, mean, speed);
}

EW_HD ewi_mask EWI_K(eval_admissible)(const struct ewi_arguments *a, const double *state, int64_t i)
{
    ewi_v mean[EWI_M];
    EWI_K(means)(a, state, i, mean);
    return EWI_L(admissible)(a->parameter, mean);
}
