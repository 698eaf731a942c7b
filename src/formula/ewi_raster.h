/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interpolation in rasters, the same for host and device: the calls of raster(...) in formulas.
 *
 * Order of operations: along x in the lower and in the upper row, then along y, then along t. A share of 0 or 1 takes
 * one of the two values as it is, so a missing value counts only where it has a share.
 */
#ifndef EWI_RASTER_H
#define EWI_RASTER_H

#include <stddef.h>
#include <stdint.h>

#include "edgewise.h"
#include "ewi_hd.h"
#include "ewi_math.h"

/* A raster and how one call of raster(...) reads it. */
struct ewi_raster_use {
    const double *axis[3]; /* x, y, t: ascending */
    const double *values;  /* [times][rows][columns]; NaN: missing */
    double low[3], high[3]; /* the raster covers low <= coordinate <= high */
    int32_t points[3];     /* columns, rows, times; no times: the call has no argument t */
    int32_t nearest, clamps;
};

/* Two neighbours of an axis: `share` is the second one's; NaN: outside. */
struct ewi_raster_interval {
    int64_t first, second;
    double share;
};

EW_HD struct ewi_raster_interval ewi_raster_find(const struct ewi_raster_use *use, int d, double at, int nearest)
{
    const double *axis = use->axis[d];
    int32_t low = 0, high = use->points[d] - 1;
    struct ewi_raster_interval found = {0, 0, 0.0};
    if (use->points[d] == 0)
        return found;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (axis[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    found.first = low;
    found.second = high;
    /* one point: any position on it is that point; NaN stays NaN */
    found.share = high > low ? (at - axis[low]) / (axis[high] - axis[low]) : at - at;
    if (nearest)
        found.share = found.share < 0.5 ? 0.0 : found.share >= 0.5 ? 1.0 : found.share;
    if (!use->clamps && (at < use->low[d] || at > use->high[d]))
        found.share = ewi_nan();
    return found;
}

/* Exact at both ends, and where both are equal. */
EW_HD double ewi_raster_between(double a, double b, double share)
{
    double difference = b - a;
    double inner = share < 0.5 ? a + share * difference : b - (1.0 - share) * difference;
    return share <= 0.0 ? a : share >= 1.0 ? b : inner;
}

EW_HD double ewi_raster_layer(const struct ewi_raster_use *use, int64_t layer, const struct ewi_raster_interval *x,
                              const struct ewi_raster_interval *y)
{
    int64_t columns = use->points[0], rows = use->points[1];
    const double *lower = use->values + (layer * rows + y->first) * columns;
    const double *upper = use->values + (layer * rows + y->second) * columns;
    double below = ewi_raster_between(lower[x->first], lower[x->second], x->share);
    double above = ewi_raster_between(upper[x->first], upper[x->second], x->share);
    return ewi_raster_between(below, above, y->share);
}

/* NaN outside, and where a value with a share is missing. `t` counts only if points[2] > 0. */
EW_HD double ewi_raster_value(const struct ewi_raster_use *use, double x, double y, double t)
{
    struct ewi_raster_interval column = ewi_raster_find(use, 0, x, use->nearest);
    struct ewi_raster_interval row = ewi_raster_find(use, 1, y, use->nearest);
    struct ewi_raster_interval time = ewi_raster_find(use, 2, t, 0);
    double before = ewi_raster_layer(use, time.first, &column, &row);
    double after = ewi_raster_layer(use, time.second, &column, &row);
    return ewi_raster_between(before, after, time.share);
}

/* ---- raster.c: on the host ---- */

/* EW_EINVAL with a sentence unless the raster is as edgewise.h asks. */
int ewi_raster_check(const ew_raster_data *raster, ew_error *error);
/* Bytes of axes and values. */
size_t ewi_raster_bytes(const struct ewi_raster_use *use);
/* Sets low and high, with a slack for rounding. */
void ewi_raster_cover(const ew_raster_data *raster, struct ewi_raster_use *use);
/* Why there is no value at (x, y, t): the end of a sentence, which names the raster. */
void ewi_raster_explain(const ew_raster_data *raster, const struct ewi_raster_use *use, const double at[3], char *text,
                        size_t size);

#endif
