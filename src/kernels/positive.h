/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Positivity (Zhang, Xia and Shu 2012): where a polynomial is not admissible at a point of an edge or of the volume
 * rule, it is scaled towards its mean, which is. Two steps: the first variable alone, then all of them by the law's
 * concave function `positive`. At least 1/EWI_THINNEST and EWI_POSITIVE_SHARE of the mean's are left. In place, an
 * element by itself; the mean stays.
 *   state, width, place: of elements i .. i + EWI_LANES - 1 (kernels/rows.h)
 */
#define EWI_POINTS (3 * EWI_NE + EWI_NQ)

/* Variable m at a point of a side or of the volume rule. */
EW_HD ewi_v EWI_K(value_at)(int point, int m, const double *state, int64_t width, int64_t place)
{
    ewi_v u = ewi_set(0.0);
    for (int j = 0; j < EWI_NP; j++) {
        double phi = point < 3 * EWI_NE ? EWI_TABLE(SIDE)[point * EWI_NP + j]
                                        : EWI_TABLE(PHI)[(point - 3 * EWI_NE) * EWI_NP + j];
        u = ewi_fma(ewi_set(phi), ewi_load(state + EWI_K(at)(width, place, m, j)), u);
    }
    return u;
}

/* The share of mean - value that leaves `value` at least such a part of the mean. */
EW_HD ewi_v EWI_K(share_of)(double part, ewi_v mean, ewi_v value)
{
    ewi_v least = ewi_set(part) * mean;
    return ewi_part(ewi_gt(least, value), mean - least, mean - value);
}

/* The lowest value of the first variable at every step-th point; lanes of a GPU share an element's points. */
EW_HD ewi_v EWI_K(lowest)(ewi_v mean, int first, int step, const double *state, int64_t width,
                            int64_t place)
{
    ewi_v lowest = mean;
    for (int point = first; point < EWI_POINTS; point += step)
        lowest = ewi_min(lowest, EWI_K(value_at)(point, 0, state, width, place));
    return lowest;
}

/* The factor of all variables at every step-th point, when the first one has been scaled by `share`. */
EW_HD ewi_v EWI_K(common_share)(const double *parameter, const ewi_v *mean, ewi_v share, int first, int step,
                                const double *state, int64_t width, int64_t place)
{
    ewi_v frame[EWI_FRAME], common = ewi_set(1.0);
    EWI_L(frame)(parameter, mean, frame);
    /* Rounding may make it negative where it is nearly 0, in a thin film for example. */
    ewi_v of_mean = ewi_max(EWI_L(positive)(parameter, frame, mean), ewi_set(0.0));
    for (int point = first; point < EWI_POINTS; point += step) {
        ewi_v u[EWI_M];
        for (int m = 0; m < EWI_M; m++)
            u[m] = EWI_K(value_at)(point, m, state, width, place);
        u[0] = ewi_fma(share, u[0] - mean[0], mean[0]);
        common = ewi_min(common, EWI_K(share_of)(EWI_POSITIVE_SHARE, of_mean, EWI_L(positive)(parameter, frame, u)));
    }
    return common;
}

/*
 * True if nothing needs scaling, which a cheap test shows for nearly all elements: relative to the mean's motion, no
 * variable is further from it than the sum of its coefficients times the maxima of their basis functions.
 */
EW_HD ewi_mask EWI_K(is_positive)(const double *parameter, const double *state, int64_t width, int64_t place)
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
    return EWI_L(is_positive)(parameter, frame, mean, spread);
}

EW_HD void EWI_K(make_positive)(const double *parameter, double *state, int64_t width, int64_t place)
{
    ewi_v mean[EWI_M];
    if (ewi_all(EWI_K(is_positive)(parameter, state, width, place)))
        return;
    for (int m = 0; m < EWI_M; m++)
        mean[m] = ewi_set(EWI_SQRT2) * ewi_load(state + EWI_K(at)(width, place, m, 0));
    ewi_v share = EWI_K(share_of)(1.0 / EWI_THINNEST, mean[0], EWI_K(lowest)(mean[0], 0, 1, state, width, place));
    ewi_v common = EWI_K(common_share)(parameter, mean, share, 0, 1, state, width, place);
    for (int m = 0; m < EWI_M; m++)
        for (int j = 1; j < EWI_NP; j++) {
            double *at = state + EWI_K(at)(width, place, m, j);
            ewi_v own = m == 0 ? share : ewi_set(1.0);
            ewi_store(at, common * (own * ewi_load(at)));
        }
}

#undef EWI_POINTS
