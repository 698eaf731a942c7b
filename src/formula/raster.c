/* SPDX-License-Identifier: BSD-2-Clause */
/* Rasters of formulas: checks, extent, hash, and reasons for missing values. */
#include "ewi_raster.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "ewi_error.h"
#include "ewi_text.h"

#define SLACK 1e-9 /* points may lie this part of the extent outside, by rounding */
#define MOST_VALUES ((int64_t)1 << 40)

static const char *const coordinate[3] = {"x", "y", "t"};

static const char *name_of(const ew_raster_data *raster)
{
    return raster->name ? raster->name : "the raster";
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static int check_axis(const ew_raster_data *raster, int d, const double *axis, int32_t points, ew_error *error)
{
    if (!axis)
        return ewi_fail(error, EW_EINVAL, "%s: where the coordinates %s of its points are is NULL", name_of(raster),
                        coordinate[d]);
    for (int32_t k = 0; k < points; k++) {
        if (!isfinite(axis[k]))
            return ewi_fail(error, EW_EINVAL, "%s: the coordinate %s of point %" PRId32 " is not finite",
                            name_of(raster), coordinate[d], k + 1);
        if (k > 0 && axis[k] <= axis[k - 1])
            return ewi_fail(error, EW_EINVAL, "%s: its coordinates %s must ascend; number %" PRId32 " is %.9g, and the "
                            "next one %.9g", name_of(raster), coordinate[d], k, axis[k - 1], axis[k]);
    }
    return isfinite(axis[points - 1] - axis[0])
               ? EW_OK
               : ewi_fail(error, EW_EINVAL, "%s: its coordinates %s are too far apart", name_of(raster), coordinate[d]);
}

static int64_t values_of(const ew_raster_data *raster)
{
    int64_t layer = (int64_t)raster->columns * raster->rows;
    bool fits = raster->times <= 0 || layer <= MOST_VALUES / raster->times;
    return fits ? layer * (raster->times > 0 ? raster->times : 1) : INT64_MAX;
}

static int check_values(const ew_raster_data *raster, ew_error *error)
{
    int64_t columns = raster->columns;
    for (int64_t k = 0; k < values_of(raster); k++)
        if (isinf(raster->values[k]))
            return ewi_fail(error, EW_EINVAL, "%s: the value in column %" PRId64 " of row %" PRId64 " is infinite",
                            name_of(raster), k % columns + 1, k / columns % raster->rows + 1);
    return EW_OK;
}

static bool is_window(const double *window)
{
    return isfinite(window[2] - window[0]) && isfinite(window[3] - window[1]) && window[0] <= window[2] &&
           window[1] <= window[3];
}

int ewi_raster_check(const ew_raster_data *raster, ew_error *error)
{
    if (raster->columns < 1 || raster->rows < 1 || raster->times < 0 || !raster->values ||
        values_of(raster) > MOST_VALUES)
        return ewi_fail(error, EW_EINVAL, "%s: %" PRId32 " columns, %" PRId32 " rows and %" PRId32 " times are too few "
                        "or too many, or its values are NULL", name_of(raster), raster->columns, raster->rows,
                        raster->times);
    TRY(check_axis(raster, 0, raster->x, raster->columns, error));
    TRY(check_axis(raster, 1, raster->y, raster->rows, error));
    if (raster->times > 0)
        TRY(check_axis(raster, 2, raster->t, raster->times, error));
    if (!is_window(raster->window))
        return ewi_fail(error, EW_EINVAL, "%s: it cannot cover x %.9g .. %.9g, y %.9g .. %.9g", name_of(raster),
                        raster->window[0], raster->window[2], raster->window[1], raster->window[3]);
    return check_values(raster, error);
}

size_t ewi_raster_bytes(const struct ewi_raster_use *use)
{
    size_t columns = (size_t)use->points[0], rows = (size_t)use->points[1], times = (size_t)use->points[2];
    return (columns + rows + times + columns * rows * (times > 0 ? times : 1)) * sizeof(double);
}

/* ---- what it covers ---------------------------------------------------------------------------------------------- */

/* The window, or the axis's ends. */
static void find_ends(const ew_raster_data *raster, int d, double ends[2])
{
    const double *axis[] = {raster->x, raster->y, raster->t}, *window = raster->window;
    const int32_t points[] = {raster->columns, raster->rows, raster->times};
    bool has_window = d < 2 && (window[0] != window[2] || window[1] != window[3]);
    ends[0] = has_window ? window[d] : axis[d][0];
    ends[1] = has_window ? window[2 + d] : axis[d][points[d] - 1];
}

void ewi_raster_cover(const ew_raster_data *raster, struct ewi_raster_use *use)
{
    for (int d = 0; d < 3; d++) {
        double ends[2];
        if (use->points[d] == 0)
            continue;
        find_ends(raster, d, ends);
        double slack = SLACK * (ends[1] - ends[0]);
        use->low[d] = ends[0] - slack;
        use->high[d] = ends[1] + slack;
    }
}

void ewi_raster_explain(const ew_raster_data *raster, const struct ewi_raster_use *use, const double at[3], char *text,
                        size_t size)
{
    int dimensions = use->points[2] > 0 ? 3 : 2;
    char when[48] = "";
    if (dimensions > 2)
        ewi_snprintf(when, sizeof when, ", t = %.9g", at[2]);
    for (int d = 0; d < dimensions; d++) {
        double ends[2];
        if (isnan(at[d])) {
            ewi_snprintf(text, size, "the argument %s of raster is not a number", coordinate[d]);
            return;
        }
        if (use->clamps || (at[d] >= use->low[d] && at[d] <= use->high[d]))
            continue;
        find_ends(raster, d, ends);
        ewi_snprintf(text, size, "%.200s does not cover the point (%.9g, %.9g)%s: its %s is from %.9g to %.9g; with "
                     "the argument 'clamp', raster takes the nearest value", name_of(raster), at[0], at[1], when,
                     coordinate[d], ends[0], ends[1]);
        return;
    }
    ewi_snprintf(text, size, "%.200s has a gap at (%.9g, %.9g)%s: a value that it needs there is missing",
                 name_of(raster), at[0], at[1], when);
}

/* ---- hash -------------------------------------------------------------------------------------------------------- */

static uint64_t add(uint64_t hash, const double *values, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        uint64_t bits = values[k] != values[k] ? ewi_to_bits(ewi_nan()) : ewi_to_bits(values[k]);
        hash = (hash ^ bits) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

uint64_t ew_raster_hash(const ew_raster_data *raster)
{
    if (!raster || ewi_raster_check(raster, NULL) != EW_OK)
        return 0;
    const double points[] = {raster->columns, raster->rows, raster->times};
    uint64_t hash = add(0xcbf29ce484222325u, points, 3);
    hash = add(hash, raster->x, raster->columns);
    hash = add(hash, raster->y, raster->rows);
    hash = add(hash, raster->t, raster->times);
    for (int d = 0; d < 2; d++) {
        double ends[2];
        find_ends(raster, d, ends);
        hash = add(hash, ends, 2);
    }
    return add(hash, raster->values, values_of(raster));
}
