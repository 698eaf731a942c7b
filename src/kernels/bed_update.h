/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The update of water over a bed (kernels/update.h has that of other laws). The bed stays. The mean depth follows the
 * first coefficient of the surface's rate, and is negative only if the element is wet all over in all registers of the
 * stage; -0 says that a dry element has got nothing. In a partly dry element the rates of the linear surface fit those
 * of the wet part, and momentum is constant.
 * Friction -k m is explicit at the points of wet elements (bed_volume.h). What makes it stable where steps are long is
 * implicit, and cancels in steady flows: x = (base + step (R + a m))/(1 + step a), a = 2K z^4/(1 + z^4), z = 2 dt K, of
 * the largest k. In partly dry elements all of it is implicit, by the mean velocity and the depth of the wet part.
 *   reads   registers of the update, of which the last one is the stage's source; rhs
 */

/* A polynomial at a point of the buckets: of the volume rule, then of sides 0, 1, 2. */
EW_HD double EWI_K(bucket_phi)(int point, int j)
{
    return point < EWI_NQ ? EWI_TABLE(PHI)[point * EWI_NP + j] : EWI_TABLE(SIDE)[(point - EWI_NQ) * EWI_NP + j];
}

EW_HD double EWI_K(bucket_weight)(int point)
{
    return EWI_TABLE(BUCKET)[point < EWI_NQ ? point : EWI_NQ + (point - EWI_NQ) % EWI_NE];
}

/* Row (m, 0) of one element lies at c[m * np * width]. */
EW_HD double EWI_K(bucket_value)(int point, int m, const double *c, int64_t width)
{
    double u = 0.0;
    for (int j = 0; j < EWI_NP; j++)
        u = __builtin_fma(EWI_K(bucket_phi)(point, j), c[(m * EWI_NP + j) * width], u);
    return u;
}

/* The rates of the slopes, from the moments `r` of the rates, in the wet part of an element. Returns its share. */
EW_HD double EWI_K(fit_slopes)(const double *c, int64_t width, const double *r, double *slope)
{
    double a00 = 0.0, a01 = 0.0, a02 = 0.0, a11 = 0.0, a12 = 0.0, a22 = 0.0;
    slope[0] = slope[1] = 0.0;
    for (int point = 0; point < EWI_NB; point++) {
        double p0 = EWI_K(bucket_phi)(point, 0), p1 = EWI_K(bucket_phi)(point, 1), p2 = EWI_K(bucket_phi)(point, 2);
        double w = 0.5 * EWI_K(bucket_weight)(point);
        double surface = EWI_K(bucket_value)(point, EWI_BED_SURFACE, c, width);
        if (!(surface > EWI_K(bucket_value)(point, EWI_BED_BED, c, width)))
            continue;
        a00 = __builtin_fma(w * p0, p0, a00);
        a01 = __builtin_fma(w * p0, p1, a01);
        a02 = __builtin_fma(w * p0, p2, a02);
        a11 = __builtin_fma(w * p1, p1, a11);
        a12 = __builtin_fma(w * p1, p2, a12);
        a22 = __builtin_fma(w * p2, p2, a22);
    }
    if (!(a00 > 0.0))
        return 0.0;
    /* a00 is the share that is wet; the fit is the stiffer the less of it there is */
    double stiff = __builtin_fma(0.1, 1.0 - a00, 1e-3), b1 = a01 / a00, b2 = a02 / a00;
    double d11 = __builtin_fma(-a01, b1, a11) + stiff, d12 = __builtin_fma(-a01, b2, a12);
    double d22 = __builtin_fma(-a02, b2, a22) + stiff, det = __builtin_fma(d11, d22, -(d12 * d12));
    double r1 = __builtin_fma(-b1, r[0], r[1]), r2 = __builtin_fma(-b2, r[0], r[2]);
    slope[0] = __builtin_fma(d22, r1, -(d12 * r2)) / det;
    slope[1] = __builtin_fma(d11, r2, -(d12 * r1)) / det;
    return a00;
}

/* Friction's k in a partly dry element, of which the share `wet` is under water. */
EW_HD double EWI_K(mean_friction)(const double *parameter, const double *c, int64_t width, double wet)
{
    double depth = c[EWI_BED_DEPTH * EWI_NP * width], x = c[EWI_NP * width], y = c[2 * EWI_NP * width];
    if (!(parameter[EWI_BED_MANNING] > 0.0 && wet > 0.0 && depth > 0.0))
        return 0.0;
    double speed = EWI_BED_SQRT2 * ewi_lane(ewi_root(ewi_set(__builtin_fma(x, x, y * y))), 0) / depth;
    return ewi_lane(ewi_bed_friction(parameter, ewi_set(depth / wet), ewi_set(speed)), 0);
}

/* The rates of the slopes in elements that are not wet all over, and their k. */
EW_HD void EWI_K(rates_of_partly_dry)(const struct ewi_arguments *a, const double *source, int64_t at,
                                      const double *rhs, ewi_v *slope, ewi_v *k)
{
    int64_t width = a->width;
    for (int lane = 0; lane < EWI_LANES; lane++) {
        const double *c = source + at + lane;
        double r[3], fitted[2];
        if (c[EWI_BED_DEPTH * EWI_NP * width] < 0.0)
            continue;
        for (int j = 0; j < 3; j++)
            r[j] = rhs[at + lane + j * width];
        double wet = EWI_K(fit_slopes)(c, width, r, fitted);
        *k = ewi_set_lane(*k, lane, EWI_K(mean_friction)(a->parameter, c, width, wet));
        for (int s = 0; s < 2; s++)
            slope[s] = ewi_set_lane(slope[s], lane, fitted[s]);
    }
}

/* The new X, from the rate of the surface's first coefficient. */
EW_HD ewi_v EWI_K(updated_depth)(const struct ewi_update *u, int64_t offset, ewi_v rate)
{
    const ewi_v zero = ewi_set(0.0);
    ewi_v x = ewi_load(u->base + offset), base = ewi_abs(x), difference = zero, most = x, any = base;
    for (int k = 0; k < u->terms; k++) {
        x = ewi_load(u->term[k] + offset);
        difference = ewi_fma(ewi_set(u->weight[k]), ewi_abs(x) - base, difference);
        most = ewi_max(most, x);
        any = ewi_max(any, ewi_abs(x));
    }
    ewi_v depth = ewi_fma(ewi_set(u->step), ewi_set(EWI_BED_SQRT2) * rate, base + difference);
    depth = ewi_select(ewi_gt(zero, depth), zero, depth);
    ewi_mask has = ewi_or(ewi_gt(any, zero), ewi_gt(ewi_abs(rate), zero));
    return ewi_select(ewi_gt(zero, most), -depth, ewi_select(has, depth, -zero));
}

/* The implicit share a of friction in wet elements. */
EW_HD ewi_v EWI_K(stiff_share)(const struct ewi_arguments *a, const double *rhs, int64_t at)
{
    ewi_v k = ewi_max(ewi_load(rhs + at + EWI_BED_BED * EWI_NP * a->width), ewi_set(0.0));
    ewi_v z = ewi_set(2.0 * a->parameter[EWI_STEP_PARAMETER]) * k, square = z * z, fourth = square * square;
    return (ewi_set(2.0) * k) * (fourth / (ewi_set(1.0) + fourth));
}

/* The target may be the base. */
EW_HD void EWI_K(update_elements)(const struct ewi_arguments *a, const struct ewi_update *u, const double *rhs,
                                  double *target, int64_t i)
{
    const ewi_v zero = ewi_set(0.0);
    int64_t at = EWI_K(place)(a->width, i), depth = at + EWI_BED_DEPTH * EWI_NP * a->width;
    const double *source = u->terms > 0 ? u->term[u->terms - 1] : u->base;
    int drags = a->parameter[EWI_BED_MANNING] > 0.0;
    ewi_v slope[2] = {zero, zero}, now = EWI_K(updated_depth)(u, depth, ewi_load(rhs + at));
    ewi_v partly = zero, stiff = zero;
    ewi_mask wet = ewi_gt(zero, ewi_load(source + depth));
    if (!ewi_all(wet))
        EWI_K(rates_of_partly_dry)(a, source, at, rhs, slope, &partly);
    if (drags)
        stiff = ewi_select(wet, EWI_K(stiff_share)(a, rhs, at), zero);
    ewi_v slows = ewi_fma(ewi_set(u->step), ewi_select(wet, stiff, partly), ewi_set(1.0));
    for (int m = 0; m < EWI_BED_BED; m++)
        for (int j = 0; j < EWI_NP; j++) {
            int64_t offset = at + (m * EWI_NP + j) * a->width;
            ewi_v rate = ewi_load(rhs + offset), other = m == 0 && (j == 1 || j == 2) ? slope[j - 1] : zero;
            if (j > 0)
                rate = ewi_select(wet, rate, other);
            if (drags && m > 0)
                rate = ewi_fma(stiff, ewi_load(source + offset), rate);
            ewi_v updated = ewi_updated(u, u->terms, offset, rate);
            if (drags && m > 0)
                updated = updated / slows;
            ewi_store(target + offset, updated);
        }
    for (int j = 0; j < EWI_NP; j++) {
        int64_t offset = at + (EWI_BED_BED * EWI_NP + j) * a->width;
        ewi_store(target + offset, ewi_load(u->base + offset));
        ewi_store(target + depth + j * a->width, j == 0 ? now : zero);
    }
}
