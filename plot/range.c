/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranges of colours: as given, from the least to the greatest value, or between percentiles over the picture's area. */
#include "ewi_axes.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAKEN = 512 }; /* samples along either side of the picture, from which percentiles are computed */

/*
 * Fields that get percentiles, such as gradients: a few triangles at a corner or a shock would determine their range.
 */
static const struct known {
    const char *name, *map; /* map: NULL: the default map */
    bool is_signed;
} gradients[] = {
    {"schlieren", "grey-reversed", false},
    {"vorticity", "blue-red", true},
    {"divergence", "blue-red", true},
    {"potential_vorticity", NULL, false},
};

static const struct known *find_known(const struct ewi_scene *scene)
{
    static const struct known difference = {"", "blue-red", true};
    const ew_plot *plot = scene->plot;
    const struct ew_results *results = scene->results;
    if (results->minus)
        return &difference;
    const char *name = plot->field >= 0 && plot->field < results->fields ? results->field[plot->field].name : "";
    for (size_t k = 0; k < sizeof gradients / sizeof *gradients; k++)
        if (strcmp(gradients[k].name, name) == 0)
            return &gradients[k];
    return NULL;
}

int ewi_plot_check_range(const ew_plot *plot, ew_error *error)
{
    bool fixed = plot->range == EW_RANGE_FIXED;
    if (plot->range < EW_RANGE_AUTOMATIC || plot->range > EW_RANGE_ROBUST)
        return ewi_fail(error, EW_EINVAL, "there is no range of kind %d in ew_range", (int)plot->range);
    if (fixed && (!isfinite(plot->low) || !isfinite(plot->high) || !(plot->high > plot->low)))
        return ewi_fail(error, EW_EINVAL, "the range %g,%g is empty: its first number must be less than its second",
                        plot->low, plot->high);
    bool percentiles = plot->range == EW_RANGE_ROBUST && (plot->low != 0 || plot->high != 0);
    if (percentiles && !(plot->low >= 0 && plot->high <= 100 && plot->low < plot->high))
        return ewi_fail(error, EW_EINVAL, "percentiles %g%% to %g%% are not possible: they must grow, from 0%% to "
                        "100%%", plot->low, plot->high);
    if (plot->logarithmic && plot->range == EW_RANGE_SYMMETRIC)
        return ewi_fail(error, EW_EINVAL, "a symmetric range has no logarithms: it goes through 0");
    if (plot->logarithmic && fixed)
        return ewi_axes_check_logarithmic(plot->low, plot->high, error);
    return EW_OK;
}

/* In a film, all frames share one range, which counts as given. */
const char *ewi_scene_default_map(const struct ewi_scene *scene)
{
    const ew_plot *plot = scene->plot;
    const struct known *known = find_known(scene);
    bool balanced = plot->range == EW_RANGE_AUTOMATIC || (plot->range == EW_RANGE_FIXED && plot->low == -plot->high);
    if (plot->range == EW_RANGE_SYMMETRIC)
        return "blue-red";
    return known && known->map && (balanced || !known->is_signed) ? known->map : "viridis";
}

/* ---- percentiles ------------------------------------------------------------------------------------------------- */

static bool can_be_shown(const struct ewi_scene *scene, double value)
{
    return isfinite(value) && (!scene->logarithmic || value > 0);
}

int ewi_compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The picture's samples, or evenly spaced ones, sorted; NULL: not enough memory. */
static double *take_samples(const struct ewi_scene *scene, size_t *count)
{
    int width = scene->width * scene->supersample, height = scene->height * scene->supersample;
    int across = (width + TAKEN - 1) / TAKEN, down = (height + TAKEN - 1) / TAKEN;
    double *value = ewi_alloc_untouched(&scene->host, TAKEN * TAKEN, sizeof *value);
    *count = 0;
    for (int j = down / 2; value && j < height; j += down)
        for (int i = across / 2; i < width; i += across) {
            double sample = scene->sample[(size_t)j * (size_t)width + (size_t)i];
            if (can_be_shown(scene, sample))
                value[(*count)++] = sample;
        }
    if (value)
        qsort(value, *count, sizeof *value, ewi_compare_numbers);
    return value;
}

static double percentile(const double *value, size_t count, double percent)
{
    double at = percent / 100 * (double)(count - 1), part = at - floor(at);
    size_t k = (size_t)at, next = k + 1 < count ? k + 1 : k;
    return value[k] + part * (value[next] - value[k]);
}

/* If a field is constant except at a few places, its percentiles do not differ, and its range is the full one. */
static int take_percentiles(struct ewi_scene *scene, double low, double high, ew_error *error)
{
    size_t count;
    double *value = take_samples(scene, &count);
    if (!value)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the percentiles of a picture");
    double from = count ? percentile(value, count, low) : 0, to = count ? percentile(value, count, high) : 0;
    ewi_free(&scene->host, value);
    if (to - from > 1e-6 * (scene->high - scene->low)) {
        scene->low = from;
        scene->high = to;
    }
    return EW_OK;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

static int choose_percentiles(struct ewi_scene *scene, ew_error *error)
{
    const ew_plot *plot = scene->plot;
    bool given = plot->range == EW_RANGE_ROBUST && (plot->low != 0 || plot->high != 0);
    return take_percentiles(scene, given ? plot->low : EW_PLOT_PERCENTILE,
                            given ? plot->high : 100 - EW_PLOT_PERCENTILE, error);
}

static void count_beyond(struct ewi_scene *scene)
{
    size_t shown = 0, beyond = 0;
    size_t samples = (size_t)scene->width * (size_t)scene->height * (size_t)(scene->supersample * scene->supersample);
    for (size_t k = 0; k < samples; k++) {
        double value = scene->sample[k];
        bool counts = can_be_shown(scene, value);
        shown += counts;
        beyond += counts && (value < scene->low || value > scene->high);
    }
    scene->beyond = shown > 0 ? (double)beyond / (double)shown : 0;
}

int ewi_scene_find_range(struct ewi_scene *scene, ew_error *error)
{
    const ew_plot *plot = scene->plot;
    const struct known *known = plot->range == EW_RANGE_AUTOMATIC ? find_known(scene) : NULL;
    ewi_scene_extrema(scene, &scene->least, &scene->greatest);
    scene->low = plot->range == EW_RANGE_FIXED ? plot->low : scene->least;
    scene->high = plot->range == EW_RANGE_FIXED ? plot->high : scene->greatest;
    if (plot->range == EW_RANGE_FIXED)
        return EW_OK;
    const struct ewi_field *field = &scene->results->field[plot->field];
    if (scene->low > scene->high)
        return ewi_fail(error, EW_EINVAL, "%s of %s has no value%s that could be shown%s", field->name,
                        scene->results->path, scene->logarithmic ? " above 0" : "", plot->zoom ? " in the window" : "");
    scene->robust = known || plot->range == EW_RANGE_ROBUST;
    if (scene->robust)
        TRY(choose_percentiles(scene, error));
    if (scene->logarithmic)
        scene->low = fmax(scene->low, EW_PLOT_LOG_FLOOR * scene->high);
    else if (plot->range == EW_RANGE_SYMMETRIC || (known && known->is_signed)) {
        scene->high = fmax(fabs(scene->low), fabs(scene->high));
        scene->low = -scene->high;
    }
    return EW_OK;
}

/* Widens the range of a field that is constant up to rounding. */
static void widen(struct ewi_scene *scene)
{
    double size = fmax(fabs(scene->low), fabs(scene->high)), middle = scene->low + (scene->high - scene->low) / 2;
    if (scene->plot->range == EW_RANGE_FIXED || scene->high - scene->low > scene->results->rounding * size)
        return;
    double half = size > 0 ? 0.1 * size : 1;
    scene->low = middle - half;
    scene->high = middle + half;
}

int ewi_scene_choose_range(struct ewi_scene *scene, ew_error *error)
{
    TRY(ewi_scene_find_range(scene, error));
    widen(scene);
    count_beyond(scene);
    return EW_OK;
}
