/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Barth and Jespersen's limiter for order 1 (the paper, section "Limiting Kernel"): per variable, alpha = min(1, (bound
 * - mean)/(value - mean)) over the Gauss points of the three sides, the bounds being the largest and the smallest mean
 * of the element and its edge neighbours. It reads means and changes slopes only, so that elements may be limited in
 * any order. The largest quotient's inverse needs one division: x/d falls as d grows, also rounded.
 */

/*
 * alpha of one variable, from its coefficients and the first ones of the neighbours. The points lie in pairs that
 * differ in the sign of phi_2 only: the larger value is the one where its term is positive, whatever c2.
 */
EW_HD ewi_v EWI_K(limit_factor)(ewi_v c0, ewi_v c1, ewi_v c2, const ewi_v *other, ewi_mask *doubt)
{
    const ewi_v zero = ewi_set(0.0), slope = ewi_abs(c2);
    ewi_v largest = c0, smallest = c0; /* of the means over sqrt(2) */
    for (int k = 0; k < 3; k++) {
        largest = ewi_max(largest, other[k]);
        smallest = ewi_min(smallest, other[k]);
    }
    ewi_v above = zero, below = zero; /* largest and smallest value - mean at the points */
    for (int pair = 0; pair < 3; pair++) {
        int k = pair < 2 ? 1 : 2, e = pair % 2; /* where phi_2 is positive */
        ewi_v middle = ewi_fma(EWI_SIDE(k, e, 1), c1, zero);
        above = ewi_max(above, ewi_fma(EWI_SIDE(k, e, 2), slope, middle));
        below = ewi_min(below, ewi_fma(-EWI_SIDE(k, e, 2), slope, middle));
    }
    ewi_v room_above = ewi_set(EWI_SQRT2) * (largest - c0), room_below = ewi_set(EWI_SQRT2) * (smallest - c0);
    ewi_v alpha = ewi_part(ewi_gt(above, room_above), room_above, above, doubt);
    return ewi_min(alpha, ewi_part(ewi_gt(room_below, below), room_below, below, doubt));
}

EW_HD void EWI_K(sense_barth_jespersen)(const struct ewi_arguments *a, const double *state, double *sensor, int64_t s)
{
    (void)a, (void)state, (void)sensor, (void)s;
}

EW_HD void EWI_K(limit_barth_jespersen)(const struct ewi_arguments *a, const struct ewi_limiting *with, double *state,
                                        int64_t i)
{
    (void)with;
    int64_t neighbour[3][EWI_LANES];
    for (int k = 0; k < 3; k++)
        for (int lane = 0; lane < EWI_LANES; lane++)
            neighbour[k][lane] = ewi_layout_base(a->width, EWI_ROWS, a->neighbour[k * a->padded + i + lane]);
    double *row = state + ewi_layout_base(a->width, EWI_ROWS, i);
    for (int m = 0; m < EWI_M; m++, row += EWI_NP * a->width) {
        ewi_v c1 = ewi_load(row + a->width), c2 = ewi_load(row + 2 * a->width), other[3];
        for (int k = 0; k < 3; k++)
            other[k] = ewi_gather(state + m * EWI_NP * a->width, neighbour[k]);
        ewi_v alpha = EWI_K(limit_factor)(ewi_load(row), c1, c2, other, 0);
        ewi_store(row + a->width, alpha * c1);
        ewi_store(row + 2 * a->width, alpha * c2);
    }
}
