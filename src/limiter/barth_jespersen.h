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

#if EWI_LANES > 1
#include <float.h>
/*
 * The same bits as vectors have them sooner: largest and smallest numbers do not look for NaN, and there is one
 * division. Of two quotients the smaller one is that whose product across is smaller, also rounded, unless the products
 * round to the same. Such lanes, and numbers that are not finite, take the long way.
 */
EW_HD ewi_v EWI_K(limit_factors)(ewi_v c0, ewi_v c1, ewi_v c2, const ewi_v *other)
{
    const ewi_v zero = ewi_set(0.0), one = ewi_set(1.0), slope = ewi_abs(c2);
    ewi_v largest = c0, smallest = c0, above = zero, below = zero;
    for (int k = 0; k < 3; k++) {
        largest = ewi_larger(largest, other[k]);
        smallest = ewi_smaller(smallest, other[k]);
    }
    for (int pair = 0; pair < 3; pair++) {
        int k = pair < 2 ? 1 : 2, e = pair % 2;
        ewi_v middle = ewi_fma(EWI_SIDE(k, e, 1), c1, zero);
        above = ewi_larger(above, ewi_fma(EWI_SIDE(k, e, 2), slope, middle));
        below = ewi_smaller(below, ewi_fma(-EWI_SIDE(k, e, 2), slope, middle));
    }
    ewi_v room_above = ewi_set(EWI_SQRT2) * (largest - c0), room_below = ewi_set(EWI_SQRT2) * (smallest - c0);
    ewi_mask over = ewi_gt(above, room_above), under = ewi_gt(room_below, below);
    ewi_v of_above = ewi_select(ewi_and(over, under), room_above * -below, -one), of_below = -room_below * above;
    ewi_mask first = ewi_gt(of_below, of_above), second = ewi_gt(of_above, of_below);
    ewi_v sum = ((c0 + other[0]) + (other[1] + other[2])) + (c1 + c2);
    ewi_mask sure = ewi_and(ewi_gt(ewi_set(DBL_MAX), ewi_abs(sum)), ewi_or(first, second));
    if (__builtin_expect(!ewi_all(sure), 0))
        return EWI_K(limit_factor)(c0, c1, c2, other, 0);
    first = ewi_and(first, over);
    return ewi_part(ewi_or(over, under), ewi_select(first, room_above, room_below),
                    ewi_select(first, above, below), 0);
}
#else
EW_HD ewi_v EWI_K(limit_factors)(ewi_v c0, ewi_v c1, ewi_v c2, const ewi_v *other)
{
    return EWI_K(limit_factor)(c0, c1, c2, other, 0);
}
#endif

EW_HD void EWI_K(sense_barth_jespersen)(const struct ewi_arguments *a, const double *state, double *sensor, int64_t s)
{
    (void)a, (void)state, (void)sensor, (void)s;
}

/* EWI_LANES elements, of which `row` is the first one's, by the first coefficients of their neighbours. */
EW_HD void EWI_K(limit_by_means)(ewi_v (*mean)[EWI_M], double *row, int64_t width)
{
    for (int m = 0; m < EWI_M; m++, row += EWI_NP * width) {
        ewi_v c1 = ewi_load(row + width), c2 = ewi_load(row + 2 * width);
        ewi_v other[3] = {mean[0][m], mean[1][m], mean[2][m]};
        ewi_v alpha = EWI_K(limit_factors)(ewi_load(row), c1, c2, other);
        ewi_store(row + width, alpha * c1);
        ewi_store(row + 2 * width, alpha * c2);
    }
}

EW_HD void EWI_K(limit_barth_jespersen)(const struct ewi_arguments *a, const struct ewi_limiting *with, double *state,
                                        int64_t i)
{
    (void)with;
    ewi_v mean[3][EWI_M];
    for (int k = 0; k < 3; k++) {
        int64_t neighbour[EWI_LANES];
        for (int lane = 0; lane < EWI_LANES; lane++)
            neighbour[lane] = ewi_layout_base(a->width, EWI_ROWS, a->neighbour[k * a->padded + i + lane]);
        for (int m = 0; m < EWI_M; m++)
            mean[k][m] = ewi_gather(state + m * EWI_NP * a->width, neighbour);
    }
    EWI_K(limit_by_means)(mean, state + ewi_layout_base(a->width, EWI_ROWS, i), a->width);
}
