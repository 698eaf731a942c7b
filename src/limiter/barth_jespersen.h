/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Barth and Jespersen's limiter for order 1 (the paper, section "Limiting Kernel"): per variable, alpha = min(1, (bound
 * - mean)/(value - mean)) over the Gauss points of the three sides, the bounds being the largest and the smallest mean
 * of the element and its edge neighbours. It reads means and changes slopes only, so that elements may be limited in
 * any order.
 *
 * The points lie in pairs that differ in the sign of phi_2 only: the larger value is the one where its term is
 * positive, whatever c2. Values lie on both sides of the mean.
 */
EW_HD struct EWI_K(reach) EWI_K(reach_barth_jespersen)(const ewi_v *c, const ewi_v *other)
{
    const ewi_v slope = ewi_abs(c[2]);
    ewi_v largest = c[0], smallest = c[0]; /* of the means over sqrt(2) */
    struct EWI_K(reach) r;
    for (int k = 0; k < 3; k++) {
        largest = ewi_larger(largest, other[k]);
        smallest = ewi_smaller(smallest, other[k]);
    }
    for (int pair = 0; pair < 3; pair++) {
        int k = pair < 2 ? 1 : 2, e = pair % 2; /* where phi_2 is positive */
        ewi_v middle = ewi_fma(EWI_SIDE(k, e, 1), c[1], ewi_set(0.0));
        ewi_v upper = ewi_fma(EWI_SIDE(k, e, 2), slope, middle), lower = ewi_fma(-EWI_SIDE(k, e, 2), slope, middle);
        r.above = pair == 0 ? upper : ewi_larger(r.above, upper);
        r.below = pair == 0 ? lower : ewi_smaller(r.below, lower);
    }
    r.room_above = ewi_set(EWI_SQRT2) * (largest - c[0]);
    r.room_below = ewi_set(EWI_SQRT2) * (smallest - c[0]);
    return r;
}
