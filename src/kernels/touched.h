/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How stages use the results of the limiter subcell (limiter/subcell.h): the fluxes of touched edges, and the sums over
 * the control volumes of divided elements.
 */

#if EWI_OVER_BED
/* Replaces f by the stored flux at point e (limiter/subcell_bed.h), in lanes whose edge is touched. */
EW_HD void EWI_K(take_touched)(const struct ewi_arguments *a, const int64_t *slot, int e, struct ewi_bed_exchange *f)
{
    for (int lane = 0; EWI_HAS_SUBCELLS && a->subcells.flux && lane < EWI_LANES; lane++) {
        const double *at = a->subcells.flux + (slot[lane] * EWI_NE + e) * EWI_M;
        if (!a->subcells.touched[slot[lane]])
            continue;
        f->mass = ewi_set_lane(f->mass, lane, at[0]);
        f->x = ewi_set_lane(f->x, lane, at[1]);
        f->y = ewi_set_lane(f->y, lane, at[2]);
        f->push = ewi_set_lane(f->push, lane, at[3]);
    }
}

/* alpha of elements i .. i + EWI_LANES - 1 in this stage. */
EW_HD ewi_v EWI_K(load_alpha)(const struct ewi_arguments *a, int64_t i)
{
    const ewi_v zero = ewi_set(0.0);
    if (!EWI_HAS_SUBCELLS || !a->subcells.flux)
        return zero;
    ewi_v now = ewi_load(a->subcells.lifted + EWI_K(at)(a->width, EWI_K(place)(a->width, i), EWI_BED_DEPTH, 0));
    return ewi_select(ewi_gt(ewi_load(a->subcells.alpha + i), zero), now, zero);
}
#else
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
#endif

EW_HD int EWI_K(any_divided)(ewi_v alpha) { return EWI_HAS_SUBCELLS && ewi_any(ewi_gt(alpha, ewi_set(0.0))); }

/* A coefficient's volume integral and side sums; in divided elements, blended with the sum over control volumes. */
EW_HD ewi_v EWI_K(blended_sum)(ewi_v alpha, ewi_v sum, ewi_v lifted)
{
    return ewi_select(ewi_gt(alpha, ewi_set(0.0)), (ewi_set(1.0) - alpha) * sum + lifted, sum);
}
