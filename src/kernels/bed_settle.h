/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Settles an element of water over a bed after a stage, in place. A bucket is a point of the volume rule or of a
 * side, with its weight W. Where the surface is above the bed in all of them, the element is wet: only velocities far
 * from the mean one are drawn towards it. Elsewhere
 *   - the surface is linear, and its level l is such that the water above the bed is what the element has:
 *     sum W max(0, l + slopes - bed) = V;
 *   - the water has one velocity.
 * A lake at rest is such a state, to the bit, whatever the bed.
 */

/* sum W max(0, l - z) and the wet share sum W. */
EW_HD void EWI_K(fill)(const double *z, double l, double *sum, double *wet)
{
    *sum = *wet = 0.0;
    for (int point = 0; point < EWI_NB; point++)
        if (z[point] < l) {
            *sum = __builtin_fma(EWI_K(bucket_weight)(point), l - z[point], *sum);
            *wet = *wet + EWI_K(bucket_weight)(point);
        }
}

/* A level that is above all z. */
EW_HD double EWI_K(flooded)(const double *z, double volume, double l)
{
    double mean = 0.0;
    for (int point = 0; point < EWI_NB; point++)
        mean = __builtin_fma(EWI_K(bucket_weight)(point), z[point], mean);
    l = mean + volume > l ? mean + volume : l;
    for (int point = 0; point < EWI_NB; point++)
        l = z[point] > l ? z[point] : l;
    return l;
}

/*
 * The level of a volume, by Newton's method from l: the sum is convex, so that steps go one way after the first one and
 * there are no more than points. A level that fits stays as it is. Where l is below all points it starts from above,
 * once: a volume that is lost in rounding has no level.
 */
EW_HD double EWI_K(level)(const double *z, double volume, double l)
{
    int flooded = 0;
    for (int step = 0; step < 2 * EWI_NB; step++) {
        double sum, wet;
        EWI_K(fill)(z, l, &sum, &wet);
        if (sum == volume || (wet == 0.0 && flooded))
            return l;
        if (wet == 0.0) {
            l = EWI_K(flooded)(z, volume, l);
            flooded = 1;
            continue;
        }
        double next = l + (volume - sum) / wet;
        if (__builtin_fabs(next - l) <= 1e-15 * (__builtin_fabs(l) + __builtin_fabs(next)))
            return next;
        l = next;
    }
    return l;
}

/* The lowest depth in a bucket. */
EW_HD double EWI_K(least_depth)(const double *c, int64_t width)
{
    double least = __builtin_inf();
    for (int point = 0; point < EWI_NB; point++) {
        double h = EWI_K(bucket_value)(point, EWI_BED_SURFACE, c, width) -
                   EWI_K(bucket_value)(point, EWI_BED_BED, c, width);
        least = h < least ? h : least;
    }
    return least;
}

EW_HD double EWI_K(inverse_depth)(const double *parameter, double h)
{
    return ewi_lane(ewi_bed_inverse(parameter, ewi_set(h)), 0);
}

EW_HD double EWI_K(bed_root)(double a)
{
    return ewi_lane(ewi_root(ewi_set(a)), 0);
}

/* Draws the velocities of a wet element of mean depth `depth` to within ewi_bed_deviation_bound of the mean one. */
EW_HD void EWI_K(limit_velocity)(const double *parameter, double *c, int64_t width, double depth)
{
    double inverse = EWI_K(inverse_depth)(parameter, depth), share = 1.0;
    double most = ewi_lane(ewi_bed_deviation_bound(parameter, ewi_set(depth)), 0);
    double vx = EWI_BED_SQRT2 * c[EWI_NP * width] * inverse, vy = EWI_BED_SQRT2 * c[2 * EWI_NP * width] * inverse;
    for (int point = 0; point < EWI_NB; point++) {
        double h = EWI_K(bucket_value)(point, EWI_BED_SURFACE, c, width) -
                   EWI_K(bucket_value)(point, EWI_BED_BED, c, width);
        double x = __builtin_fma(-vx, h, EWI_K(bucket_value)(point, EWI_BED_X, c, width));
        double y = __builtin_fma(-vy, h, EWI_K(bucket_value)(point, EWI_BED_Y, c, width));
        double size = EWI_K(bed_root)(__builtin_fma(x, x, y * y)), room = h > 0.0 ? most * h : 0.0;
        if (size > room)
            share = room / size < share ? room / size : share;
    }
    for (int j = 1; share < 1.0 && j < EWI_NP; j++) {
        double h = c[j * width] - c[(EWI_BED_BED * EWI_NP + j) * width];
        double *x = c + (EWI_NP + j) * width, *y = c + (2 * EWI_NP + j) * width;
        *x = __builtin_fma(share, *x, (1.0 - share) * (vx * h));
        *y = __builtin_fma(share, *y, (1.0 - share) * (vy * h));
    }
}

EW_HD void EWI_K(make_wet)(const double *parameter, double *c, int64_t width)
{
    double depth = EWI_BED_SQRT2 * (c[0] - c[EWI_BED_BED * EWI_NP * width]);
    c[EWI_BED_DEPTH * EWI_NP * width] = -depth;
    EWI_K(limit_velocity)(parameter, c, width, depth);
}

/*
 * Water in a pit does not run out of it: its slope is at most twice its depth's own, if it does not reach a side
 * towards which the surface falls. Returns the share of the slopes that stays. s: of the slopes, at points
 */
EW_HD double EWI_K(puddle)(const double *s, const double *z, double l)
{
    double deepest = 0.0, wet = 0.0, exit = 0.0, steep = 0.0;
    for (int point = 0; point < EWI_NB; point++) {
        double h = l - z[point], size = __builtin_fabs(s[point]);
        deepest = h > deepest ? h : deepest;
        wet = h > 0.0 ? wet + EWI_K(bucket_weight)(point) : wet;
        steep = size > steep ? size : steep;
        exit = point >= EWI_NQ && s[point] < 0.0 && h > exit ? h : exit;
    }
    double held = deepest > 0.0 ? 1.0 - 2.0 * (exit / deepest) : 0.0;
    steep = steep * EWI_K(bed_root)(wet) * (held > 0.0 ? held : 0.0);
    return wet < 1.0 && steep > 2.0 * deepest ? 2.0 * deepest / steep : 1.0;
}

/* The surface of a partly dry element that has the volume, and its level. z: the bed less the slopes, at points */
EW_HD double EWI_K(cut_surface)(double *c, int64_t width, double volume, double *z)
{
    double s[EWI_NB], low = __builtin_inf();
    for (int point = 0; point < EWI_NB; point++) {
        s[point] = __builtin_fma(EWI_K(bucket_phi)(point, 2), c[2 * width], EWI_K(bucket_phi)(point, 1) * c[width]);
        z[point] = EWI_K(bucket_value)(point, EWI_BED_BED, c, width) - s[point];
        low = z[point] < low ? z[point] : low;
    }
    if (!(volume > 0.0))
        return low;
    double l = EWI_K(level)(z, volume, EWI_BED_SQRT2 * c[0]), share = EWI_K(puddle)(s, z, l);
    if (share == 1.0)
        return l;
    c[width] = share * c[width];
    c[2 * width] = share * c[2 * width];
    for (int point = 0; point < EWI_NB; point++)
        z[point] = __builtin_fma(-share, s[point], z[point] + s[point]);
    return EWI_K(level)(z, volume, l);
}

/* Surface and velocity of an element that is not wet all over, or was not before. */
EW_HD void EWI_K(settle_partly_dry)(const double *parameter, double *c, int64_t width, double volume)
{
    double z[EWI_NB], least = __builtin_inf(), *x = c + EWI_NP * width, *y = c + 2 * EWI_NP * width;
    const double *bed = c + EWI_BED_BED * EWI_NP * width;
    for (int j = volume > parameter[EWI_BED_DRY] ? 3 : 1; j < EWI_NP; j++)
        c[j * width] = 0.0;
    double l = EWI_K(cut_surface)(c, width, volume, z), inverse = EWI_K(inverse_depth)(parameter, volume);
    c[0] = l / EWI_BED_SQRT2;
    /* of the mean momentum over sqrt 2, as coefficients are */
    double vx = x[0] * inverse, vy = y[0] * inverse;
    if (volume < parameter[EWI_BED_DRY]) {
        x[0] = volume * vx;
        y[0] = volume * vy;
    }
    for (int point = 0; point < EWI_NB; point++)
        least = l - z[point] < least ? l - z[point] : least;
    int wet = least > 0.0 && EWI_K(least_depth)(c, width) > 0.0;
    for (int j = 1; j < EWI_NP; j++) {
        double h = wet ? EWI_BED_SQRT2 * (c[j * width] - bed[j * width]) : 0.0;
        x[j * width] = vx * h;
        y[j * width] = vy * h;
    }
    if (wet)
        EWI_K(make_wet)(parameter, c, width);
    else
        c[EWI_BED_DEPTH * EWI_NP * width] = volume;
}

/* The water in the buckets at some sides (bit k: side k) of an element that is settled, as a mean depth. */
EW_HD double EWI_K(water_at_sides)(const double *c, int64_t width, int sides)
{
    double water = 0.0;
    for (int point = EWI_NQ; c[EWI_BED_DEPTH * EWI_NP * width] != 0.0 && point < EWI_NB; point++) {
        double h = EWI_K(bucket_value)(point, EWI_BED_SURFACE, c, width) -
                   EWI_K(bucket_value)(point, EWI_BED_BED, c, width);
        if (sides >> ((point - EWI_NQ) / EWI_NE) & 1 && h > 0.0)
            water = __builtin_fma(EWI_K(bucket_weight)(point), h, water);
    }
    return water;
}

EW_HD void EWI_K(settle_one)(const double *parameter, double *c, int64_t width)
{
    double *depth = c + EWI_BED_DEPTH * EWI_NP * width;
    int was_wet = *depth < 0.0;
    if (*depth == 0.0 && 1.0 / *depth < 0.0) { /* -0: dry, as before */
        *depth = 0.0;
        return;
    }
    if (was_wet && EWI_K(least_depth)(c, width) > 0.0) {
        EWI_K(make_wet)(parameter, c, width);
        return;
    }
    double volume = was_wet ? EWI_BED_SQRT2 * (c[0] - c[EWI_BED_BED * EWI_NP * width]) : *depth;
    EWI_K(settle_partly_dry)(parameter, c, width, volume > 0.0 ? volume : 0.0);
}

/*
 * Elements that were wet, stay wet and need no limit of velocity, by a cheap test: no variable is further from its mean
 * than the sum of its coefficients times the maxima of their basis functions.
 */
EW_HD ewi_mask EWI_K(stays_wet)(const struct ewi_arguments *a, const double *state, int64_t at, ewi_v *depth)
{
    ewi_v c[EWI_BED_DEPTH], zero = ewi_set(0.0), spread[3] = {zero, zero, zero};
    for (int m = 0; m < EWI_BED_DEPTH; m++)
        c[m] = ewi_set(EWI_BED_SQRT2) * ewi_load(state + EWI_K(at)(a->width, at, m, 0));
    *depth = c[EWI_BED_SURFACE] - c[EWI_BED_BED];
    ewi_v inverse = ewi_bed_inverse(a->parameter, *depth), vx = c[EWI_BED_X] * inverse, vy = c[EWI_BED_Y] * inverse;
    for (int j = 1; j < EWI_NP; j++) {
        for (int m = 0; m < EWI_BED_DEPTH; m++)
            c[m] = ewi_load(state + EWI_K(at)(a->width, at, m, j));
        ewi_v reach = ewi_set(EWI_TABLE(REACH)[j]), h = c[EWI_BED_SURFACE] - c[EWI_BED_BED];
        spread[0] = ewi_fma(reach, ewi_abs(h), spread[0]);
        spread[1] = ewi_fma(reach, ewi_abs(ewi_fma(-vx, h, c[EWI_BED_X])), spread[1]);
        spread[2] = ewi_fma(reach, ewi_abs(ewi_fma(-vy, h, c[EWI_BED_Y])), spread[2]);
    }
    ewi_v low = *depth - spread[0], size = ewi_root(ewi_fma(spread[1], spread[1], spread[2] * spread[2]));
    ewi_v celerity = ewi_bed_celerity(a->parameter, ewi_max(*depth, zero));
    ewi_mask was = ewi_gt(zero, ewi_load(state + EWI_K(at)(a->width, at, EWI_BED_DEPTH, 0)));
    ewi_mask slow = ewi_or(ewi_gt(ewi_set(1.999) * (celerity * low), size), ewi_gt(ewi_set(1e-300), size));
    return ewi_and(was, ewi_and(ewi_gt(low, ewi_set(1e-13) * *depth), slow));
}

EW_HD void EWI_K(make_positive)(const struct ewi_arguments *a, double *state, int64_t width, int64_t place)
{
    ewi_v depth;
    ewi_mask wet = EWI_K(stays_wet)(a, state, place, &depth);
    ewi_v stays = ewi_select(wet, ewi_set(1.0), ewi_set(0.0));
    double *x = state + EWI_K(at)(width, place, EWI_BED_DEPTH, 0);
    ewi_store(x, ewi_select(wet, -depth, ewi_load(x)));
    for (int lane = 0; !ewi_all(wet) && lane < EWI_LANES; lane++)
        if (ewi_lane(stays, lane) == 0.0)
            EWI_K(settle_one)(a->parameter, state + place + lane, width);
}
