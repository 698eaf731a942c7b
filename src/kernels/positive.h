/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Positivity (Zhang, Xia and Shu 2012): where a polynomial is not admissible at a point of an edge or of the volume
 * rule, or with the limiter subcell in the mean over a control volume, it is scaled towards its mean, which is. Two
 * steps: the first variable alone, then all of them by the law's concave function `positive`. At least the shares
 * a->floor and EWI_POSITIVE_SHARE of the mean's are left. Where positivity preserves the order (ewi_sizes.h), the first
 * step scales all variables alike, which leaves a constant velocity and pressure as they are. In place, an element by
 * itself; the mean stays.
 *   state, width, place: of elements i .. i + EWI_LANES - 1 (kernels/rows.h)
 */
#define EWI_POINTS (3 * EWI_NE + EWI_NQ)
#if EWI_HAS_SUBCELLS
#define EWI_ALL_POINTS (EWI_POINTS + EWI_NP) /* with the means of control volumes */
#else
#define EWI_ALL_POINTS EWI_POINTS
#endif

/* Control volumes count even in elements that are not divided, since the next step may divide them. */
EW_HD int EWI_K(points)(const struct ewi_arguments *a) { return a->has_volumes ? EWI_ALL_POINTS : EWI_POINTS; }

/* The basis functions at a point, or their means over a control volume. */
EW_HD const double *EWI_K(functions_at)(int point)
{
#if EWI_HAS_SUBCELLS
    if (point >= EWI_POINTS)
        return EWI_TABLE(CV_MEAN) + (point - EWI_POINTS) * EWI_NP;
#endif
    return point < 3 * EWI_NE ? EWI_TABLE(SIDE) + point * EWI_NP : EWI_TABLE(PHI) + (point - 3 * EWI_NE) * EWI_NP;
}

/* Variable m at a point of a side or of the volume rule, or its mean over a control volume. */
EW_HD ewi_v EWI_K(value_at)(int point, int m, const double *state, int64_t width, int64_t place)
{
    const double *phi = EWI_K(functions_at)(point);
    ewi_v u = ewi_set(0.0);
    for (int j = 0; j < EWI_NP; j++)
        u = ewi_fma(ewi_set(phi[j]), ewi_load(state + EWI_K(at)(width, place, m, j)), u);
    return u;
}

/* The share of mean - value that leaves `value` at least such a part of the mean. */
EW_HD ewi_v EWI_K(share_of)(double part, ewi_v mean, ewi_v value)
{
    ewi_v least = ewi_set(part) * mean;
    return ewi_part(ewi_gt(least, value), mean - least, mean - value);
}

/* The lowest value of the first variable at every step-th point; lanes of a GPU share an element's points. */
EW_HD ewi_v EWI_K(lowest)(const struct ewi_arguments *a, ewi_v mean, int first, int step, const double *state,
                          int64_t width, int64_t place)
{
    ewi_v lowest = mean;
    for (int point = first, points = EWI_K(points)(a); point < points; point += step)
        lowest = ewi_min(lowest, EWI_K(value_at)(point, 0, state, width, place));
    return lowest;
}

/* The second step's factor at every step-th point, when the first step has scaled by `share`; lowest: of all points. */
EW_HD ewi_v EWI_K(common_share)(const struct ewi_arguments *a, const ewi_v *mean, ewi_v share, ewi_v lowest, int first,
                                int step, const double *state, int64_t width, int64_t place)
{
    const double *parameter = a->parameter;
    ewi_v frame[EWI_FRAME], common = ewi_set(1.0);
    EWI_L(frame)(parameter, mean, frame);
    /* Rounding may make it negative where it is nearly 0, in a thin film for example. */
    ewi_v of_mean = ewi_max(EWI_L(positive)(parameter, frame, mean), ewi_set(0.0));
    for (int point = first, points = EWI_K(points)(a); point < points; point += step) {
        ewi_v u[EWI_M];
        for (int m = 0; m < EWI_M; m++)
            u[m] = EWI_K(value_at)(point, m, state, width, place);
        u[0] = ewi_fma(share, u[0] - mean[0], mean[0]);
        for (int m = 1; a->preserves_order && m < EWI_M; m++)
            u[m] = ewi_fma(share, u[m] - mean[m], mean[m]);
        common = ewi_min(common, EWI_K(share_of)(EWI_POSITIVE_SHARE, of_mean, EWI_L(positive)(parameter, frame, u)));
    }
    return EWI_THIN > 0 ? ewi_select(ewi_gt(mean[0], ewi_set(EWI_THIN) * lowest), common, ewi_set(1.0)) : common;
}

/*
 * True if nothing needs scaling to the share `floor`, which a cheap test shows for nearly all elements: relative to the
 * mean's motion, no variable is further from it than the sum of its coefficients times the maxima of their basis
 * functions.
 */
EW_HD ewi_mask EWI_K(is_positive)(const double *parameter, double floor, const double *state, int64_t width,
                                  int64_t place)
{
    ewi_v mean[EWI_M], spread[EWI_M], c[EWI_M], relative[EWI_M], frame[EWI_FRAME];
    for (int m = 0; m < EWI_M; m++) {
        mean[m] = ewi_set(EWI_SQRT2) * ewi_load(state + EWI_K(at)(width, place, m, 0));
        spread[m] = ewi_set(0.0);
    }
    EWI_L(frame)(parameter, mean, frame);
    for (int j = 1; j < EWI_NP; j++) {
        for (int m = 0; m < EWI_M; m++)
            c[m] = ewi_load(state + EWI_K(at)(width, place, m, j));
        EWI_L(relative)(frame, c, relative);
        for (int m = 0; m < EWI_M; m++)
            spread[m] = ewi_fma(ewi_set(EWI_TABLE(REACH)[j]), ewi_abs(relative[m]), spread[m]);
    }
    return EWI_L(is_positive)(parameter, floor, frame, mean, spread);
}

EW_HD void EWI_K(make_positive)(const struct ewi_arguments *a, double *state, int64_t width, int64_t place)
{
    ewi_v mean[EWI_M];
    if (ewi_all(EWI_K(is_positive)(a->parameter, a->floor, state, width, place)))
        return;
    for (int m = 0; m < EWI_M; m++)
        mean[m] = ewi_set(EWI_SQRT2) * ewi_load(state + EWI_K(at)(width, place, m, 0));
    ewi_v lowest = EWI_K(lowest)(a, mean[0], 0, 1, state, width, place);
    ewi_v share = EWI_K(share_of)(a->floor, mean[0], lowest), others = a->preserves_order ? share : ewi_set(1.0);
    ewi_v common = EWI_K(common_share)(a, mean, share, lowest, 0, 1, state, width, place);
    for (int m = 0; m < EWI_M; m++)
        for (int j = 1; j < EWI_NP; j++) {
            double *at = state + EWI_K(at)(width, place, m, j);
            ewi_store(at, common * ((m == 0 ? share : others) * ewi_load(at)));
        }
}

/*
 * The wave speeds of elements whose means have `speed`. Where the first variable may be below twice the law's own floor
 * at a point, that of the fastest point counts; a point whose state is inadmissible by rounding is ignored.
 */
EW_HD ewi_v EWI_K(speed_of_points)(const double *parameter, ewi_v speed, const double *state, int64_t width,
                                   int64_t place)
{
    ewi_mask follows = EWI_K(is_positive)(parameter, EWI_OWN_FLOOR, state, width, place);
    ewi_v largest = speed, u[EWI_M];
    if (ewi_all(follows))
        return speed;
    for (int point = 0; point < EWI_POINTS; point++) {
        for (int m = 0; m < EWI_M; m++)
            u[m] = EWI_K(value_at)(point, m, state, width, place);
        ewi_v here = EWI_L(speed)(parameter, u, ewi_set(0.0));
        largest = ewi_select(ewi_gt(here, largest), here, largest);
    }
    return ewi_select(follows, speed, largest);
}

#undef EWI_POINTS
#undef EWI_ALL_POINTS
