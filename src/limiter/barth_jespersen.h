/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Barth and Jespersen's limiter for order 1 (the paper, section "Limiting Kernel"): per variable, alpha = min(1, (bound
 * - mean)/(value - mean)) over the Gauss points of the three sides, the bounds being the largest and the smallest mean
 * of the element and its edge neighbours. It reads means and changes slopes only, so that elements may be limited in
 * any order.
 */

/* For one variable of an element: the range of its values at the points around its mean, and the range allowed. */
struct EWI_K(reach) {
    ewi_v above, below, room_above, room_below;
};

/*
 * From its coefficients and the first ones of the neighbours. The points lie in pairs that differ in the sign of phi_2
 * only: the larger value is the one where its term is positive, whatever c2. Values lie on both sides of the mean.
 */
EW_HD struct EWI_K(reach) EWI_K(reach_of)(ewi_v c0, ewi_v c1, ewi_v c2, const ewi_v *other)
{
    const ewi_v slope = ewi_abs(c2);
    ewi_v largest = c0, smallest = c0; /* of the means over sqrt(2) */
    struct EWI_K(reach) r;
    for (int k = 0; k < 3; k++) {
        largest = ewi_larger(largest, other[k]);
        smallest = ewi_smaller(smallest, other[k]);
    }
    for (int pair = 0; pair < 3; pair++) {
        int k = pair < 2 ? 1 : 2, e = pair % 2; /* where phi_2 is positive */
        ewi_v middle = ewi_fma(EWI_SIDE(k, e, 1), c1, ewi_set(0.0));
        ewi_v upper = ewi_fma(EWI_SIDE(k, e, 2), slope, middle), lower = ewi_fma(-EWI_SIDE(k, e, 2), slope, middle);
        r.above = pair == 0 ? upper : ewi_larger(r.above, upper);
        r.below = pair == 0 ? lower : ewi_smaller(r.below, lower);
    }
    r.room_above = ewi_set(EWI_SQRT2) * (largest - c0);
    r.room_below = ewi_set(EWI_SQRT2) * (smallest - c0);
    return r;
}

/* alpha, by its definition. */
EW_HD ewi_v EWI_K(limit_factor)(ewi_v c0, ewi_v c1, ewi_v c2, const ewi_v *other)
{
    struct EWI_K(reach) r = EWI_K(reach_of)(c0, c1, c2, other);
    return ewi_smaller(ewi_part(ewi_gt(r.above, r.room_above), r.room_above, r.above),
                       ewi_part(ewi_gt(r.room_below, r.below), r.room_below, r.below));
}

EW_HD void EWI_K(jump_sensor_barth_jespersen)(const struct ewi_arguments *a, const double *state, double *sensor,
                                              int64_t s)
{
    (void)a, (void)state, (void)sensor, (void)s;
}

/* EWI_LANES elements, of which `row` is the first one's, by the first coefficients of their neighbours. */
EW_HD void EWI_K(limit_by_means)(ewi_v (*mean)[EWI_M], double *row, int64_t width)
{
    for (int m = 0; m < EWI_M; m++, row += EWI_NP * width) {
        ewi_v c1 = ewi_load(row + width), c2 = ewi_load(row + 2 * width);
        ewi_v other[3] = {mean[0][m], mean[1][m], mean[2][m]};
        ewi_v alpha = EWI_K(limit_factor)(ewi_load(row), c1, c2, other);
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
