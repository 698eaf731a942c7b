/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How stages use the results of the limiter subcell (limiter/subcell.h): the fluxes of touched edges, and the sums over
 * the control volumes of divided elements.
 */

/* Replaces `flux` by the stored flux at point e, in lanes whose edge is touched. */
EW_HD void EWI_K(take_touched)(const struct ewi_arguments *a, const int64_t *slot, int e, ewi_v *flux)
{
    for (int lane = 0; EWI_HAS_SUBCELLS && a->subcells.flux && lane < EWI_LANES; lane++) {
        const double *at = a->subcells.flux + (slot[lane] * EWI_NE + e) * EWI_M;
        for (int m = 0; a->subcells.touched[slot[lane]] && m < EWI_M; m++)
            flux[m] = ewi_set_lane(flux[m], lane, at[m]);
    }
}

/* alpha of elements i .. i + EWI_LANES - 1. */
EW_HD ewi_v EWI_K(load_alpha)(const struct ewi_arguments *a, int64_t i)
{
    return EWI_HAS_SUBCELLS && a->subcells.flux ? ewi_load(a->subcells.alpha + i) : ewi_set(0.0);
}

EW_HD int EWI_K(any_divided)(ewi_v alpha) { return EWI_HAS_SUBCELLS && ewi_any(ewi_gt(alpha, ewi_set(0.0))); }

/* A coefficient's volume integral and side sums; in divided elements, blended with the sum over control volumes. */
EW_HD ewi_v EWI_K(blended_sum)(ewi_v alpha, ewi_v sum, ewi_v lifted)
{
    return ewi_select(ewi_gt(alpha, ewi_set(0.0)), (ewi_set(1.0) - alpha) * sum + lifted, sum);
}
