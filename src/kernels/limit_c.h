/*
 * Barth and Jespersen's limiter for order 1, in place, on elements i .. i + EWI_LANES - 1 (the paper, section "Limiting Kernel"):
 * per variable, alpha = min(1, (bound - mean)/(value - mean)) over the Gauss points of the three sides, the bounds being the
 * largest and the smallest mean of the element and its edge neighbours. It reads means and changes slopes only, so that
 * elements may be limited in any order. The largest quotient's inverse needs one division: x/d falls as d grows, also rounded.
 */
#if EWI_ORDER == 1
EW_HD void EWI_K(limit_c)(const struct ewi_arguments *a, double *state, int64_t i)
{
    const ewi_v zero = ewi_set(0.0), one = ewi_set(1.0);
    int64_t neighbour[3][EWI_LANES];
    for (int k = 0; k < 3; k++)
        for (int lane = 0; lane < EWI_LANES; lane++)
            neighbour[k][lane] = ewi_layout_base(a->width, EWI_ROWS, a->neighbour[k * a->padded + i + lane]);
    double *row = state + ewi_layout_base(a->width, EWI_ROWS, i);
    for (int m = 0; m < EWI_M; m++, row += EWI_NP * a->width) {
        ewi_v c0 = ewi_load(row), c1 = ewi_load(row + a->width), c2 = ewi_load(row + 2 * a->width);
        ewi_v largest = c0, smallest = c0; /* of the means over sqrt(2) */
        for (int k = 0; k < 3; k++) {
            ewi_v other = ewi_gather(state + m * EWI_NP * a->width, neighbour[k]);
            largest = ewi_max(largest, other);
            smallest = ewi_min(smallest, other);
        }
        ewi_v above = zero, below = zero; /* largest and smallest value - mean at the points */
        for (int k = 0; k < 3; k++)
            for (int e = 0; e < EWI_NE; e++) {
                ewi_v d = ewi_fma(EWI_SIDE(k, e, 2), c2, ewi_fma(EWI_SIDE(k, e, 1), c1, zero));
                above = ewi_max(above, d);
                below = ewi_min(below, d);
            }
        ewi_v room_above = ewi_set(EWI_SQRT2) * (largest - c0), room_below = ewi_set(EWI_SQRT2) * (smallest - c0);
        ewi_v alpha = ewi_select(ewi_gt(above, room_above), room_above / above, one);
        alpha = ewi_min(alpha, ewi_select(ewi_gt(room_below, below), room_below / below, one));
        ewi_store(row + a->width, alpha * c1);
        ewi_store(row + 2 * a->width, alpha * c2);
    }
}
#endif
