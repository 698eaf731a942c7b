/* SPDX-License-Identifier: BSD-2-Clause */
/* The layout of a picture of a field: its options, the room for labels, the field's samples. */
#include "ewi_axes.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_scene.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    BAR_HEIGHT = 8, /* least height, in letters */
    SUPERSAMPLE = 3,
    MOST_SAMPLES = 1 << 28,
    MOST_ISOLINES = 1000
};

/* ---- options ----------------------------------------------------------------------------------------------------- */

static int check_window(const struct ew_results *results, const double *window, ew_error *error)
{
    const double *w = window;
    double size = fmax(fmax(fabs(results->xmin), fabs(results->xmax)), fmax(fabs(results->ymin), fabs(results->ymax)));
    for (int k = 0; k < 4; k++)
        if (!isfinite(w[k]))
            return ewi_fail(error, EW_EINVAL, "the window's corners must be finite numbers");
    if (!(w[2] > w[0]) || !(w[3] > w[1]))
        return ewi_fail(error, EW_EINVAL, "the window %g,%g,%g,%g is empty: x0,y0,x1,y1 must have x0 < x1 and y0 < y1",
                        w[0], w[1], w[2], w[3]);
    if (w[2] <= results->xmin || w[0] >= results->xmax || w[3] <= results->ymin || w[1] >= results->ymax)
        return ewi_fail(error, EW_EINVAL, "the window %g,%g,%g,%g misses the mesh, which is within %g,%g,%g,%g", w[0],
                        w[1], w[2], w[3], results->xmin, results->ymin, results->xmax, results->ymax);
    if (w[2] - w[0] < 1e-9 * size || w[3] - w[1] < 1e-9 * size)
        return ewi_fail(error, EW_EINVAL, "the window %g,%g,%g,%g is too small to be told from a point", w[0], w[1],
                        w[2], w[3]);
    return EW_OK;
}

static int choose_map(struct ewi_scene *scene, ew_error *error)
{
    const char *name = scene->plot->map ? scene->plot->map : ewi_scene_default_map(scene);
    if (strcmp(name, "none") == 0)
        return EW_OK;
    scene->map = ewi_colour_map_find(name, &scene->reversed);
    if (scene->map)
        return EW_OK;
    char list[256] = "";
    for (int k = 0; ew_plot_map(k); k++) {
        size_t length = strlen(list);
        ewi_snprintf(list + length, sizeof list - length, "%s, ", ew_plot_map(k));
    }
    return ewi_fail(error, EW_EINVAL, "there is no colour map \"%s\"; there are %sthe same with -reversed, and none",
                    name, list);
}

static int choose_size(struct ewi_scene *scene, ew_error *error)
{
    const ew_plot *plot = scene->plot;
    scene->supersample = plot->supersample ? plot->supersample : SUPERSAMPLE;
    TRY(ewi_axes_check_size(scene->asked_width, scene->asked_height, plot->bare ? 1 : EW_PLOT_LEAST, error));
    if (scene->supersample < 1 || scene->supersample > EW_PLOT_SUPERSAMPLE)
        return ewi_fail(error, EW_EINVAL, "%d samples along a pixel are not possible; 1 to %d are",
                        scene->supersample, (int)EW_PLOT_SUPERSAMPLE);
    return EW_OK;
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

double ewi_scene_tick(const struct ewi_scene *scene)
{
    return 0.35 * scene->font;
}

void ewi_scene_y_ticks(const struct ewi_scene *scene, struct ewi_ticks *ticks)
{
    double pixel = 0.75 / scene->scale, y0 = scene->y1 - scene->height / scene->scale;
    ewi_ticks(y0 - pixel, scene->y1 + pixel, (int)fmin(fmax(scene->height / (3 * scene->font), 1), 8), false, ticks);
}

/* The bar is as high as the field, or higher if the field is too flat for labels. */
int ewi_scene_bar_height(const struct ewi_scene *scene)
{
    bool barred = scene->map && !scene->plot->bare;
    return barred ? (int)fmax(scene->height, fmin(BAR_HEIGHT * scene->font, scene->most_height)) : scene->height;
}

void ewi_scene_bar_ticks(const struct ewi_scene *scene, struct ewi_ticks *ticks)
{
    ewi_ticks_along(scene->low, scene->high, ewi_scene_bar_height(scene), 2.6 * scene->font, scene->logarithmic, ticks);
}

/* Limits a margin to a third of the picture. */
static double margin(const struct ewi_scene *scene, double wanted)
{
    return fmin(ceil(wanted), floor(scene->asked_width / 3.0));
}

static double left_margin(const struct ewi_scene *scene)
{
    struct ewi_ticks ticks;
    ewi_scene_y_ticks(scene, &ticks);
    return margin(scene, 1.8 * ewi_scene_tick(scene) + ewi_ticks_width(&ticks, scene->font) + 1.5 * scene->font);
}

static double right_margin(const struct ewi_scene *scene)
{
    struct ewi_ticks ticks;
    ewi_scene_bar_ticks(scene, &ticks);
    double labels = 1.8 * ewi_scene_tick(scene) + ewi_ticks_width(&ticks, scene->font);
    return scene->map ? margin(scene, 2.7 * scene->font + labels) : 0;
}

/* A mesh unit has the same length along x and y, whatever the picture's shape. */
static int place(struct ewi_scene *scene, ew_error *error)
{
    const ew_plot *plot = scene->plot;
    const struct ew_results *results = scene->results;
    const double whole[4] = {results->xmin, results->ymin, results->xmax, results->ymax};
    const double *window = plot->zoom ? plot->window : whole;
    double dx = window[2] - window[0], dy = window[3] - window[1], font = fmin(fmax(scene->asked_width / 64.0, 12), 64);
    int left = 0, right = 0, top = 0, bottom = 0;
    if (!plot->bare) {
        left = (int)fmax(5.0 * font, scene->least_left);
        right = (int)fmax(scene->map ? 6.6 * font : 1.5 * font, scene->least_right);
        top = (int)(plot->title && !plot->title[0] ? font : 2.3 * font);
        bottom = (int)(3.3 * font);
    }
    int width = scene->asked_width - left - right, height = scene->asked_height - top - bottom;
    if (width < 1 || height < 1)
        return ewi_fail(error, EW_EINVAL, "a picture of %d by %d pixels has no room for the field between its axes",
                        scene->asked_width, scene->asked_height);
    scene->scale = fmin(width / dx, height / dy);
    scene->width = (int)fmin(fmax(round(dx * scene->scale), 1), width);
    scene->height = (int)fmin(fmax(round(dy * scene->scale), 1), height);
    scene->x0 = (window[0] + window[2]) / 2 - scene->width / scene->scale / 2;
    scene->y1 = (window[1] + window[3]) / 2 + scene->height / scene->scale / 2;
    scene->left = left;
    scene->font = font;
    scene->most_height = height;
    scene->bar_top = top;
    scene->top = top + (ewi_scene_bar_height(scene) - scene->height) / 2;
    scene->picture_width = left + scene->width + right;
    scene->picture_height = top + ewi_scene_bar_height(scene) + bottom;
    double samples = (double)scene->width * scene->height * scene->supersample * scene->supersample;
    if (samples > MOST_SAMPLES)
        return ewi_fail(error, EW_EINVAL, "%.3g samples are too many (%d are possible): make the picture smaller, or "
                        "take fewer of a pixel", samples, (int)MOST_SAMPLES);
    return EW_OK;
}

/* The labels depend on the field's size, and the margin on the labels. */
static int lay_out(struct ewi_scene *scene, ew_error *error)
{
    int status = place(scene, error);
    if (status != EW_OK || scene->plot->bare || left_margin(scene) <= scene->left)
        return status;
    scene->least_left = left_margin(scene);
    return place(scene, error);
}

/* OpenMP's bookkeeping of a hundred thousand threads overflows a stack. */
static int threads_of(const ew_plot *plot)
{
#ifdef _OPENMP
    int threads = plot->threads > 0 ? plot->threads : omp_get_max_threads();
    return threads < EW_MAX_THREADS ? threads : EW_MAX_THREADS;
#else
    (void)plot;
    return 1;
#endif
}

static int sample(struct ewi_scene *scene, ew_error *error)
{
    size_t fine = (size_t)scene->supersample;
    ewi_free(&scene->host, scene->sample);
    scene->sample =
        ewi_alloc(&scene->host, (size_t)scene->width * (size_t)scene->height, fine * fine * sizeof *scene->sample);
    if (!scene->sample)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for a picture of %d by %d pixels with %zu samples each",
                        scene->picture_width, scene->picture_height, fine * fine);
    return ewi_scene_sample(scene, error);
}

/* The range determines the colour bar's labels. If they need more room, the field is laid out and sampled again. */
static int make_way_for_labels(struct ewi_scene *scene, ew_error *error)
{
    int width = scene->width, height = scene->height;
    double needed = scene->plot->bare ? 0 : right_margin(scene), right = scene->picture_width - scene->left - width;
    if (needed <= right)
        return EW_OK;
    scene->least_right = needed;
    TRY(lay_out(scene, error));
    if (scene->width == width && scene->height == height)
        return EW_OK;
    TRY(sample(scene, error));
    return ewi_scene_choose_range(scene, error);
}

int ewi_scene_begin(const struct ew_results *results, const ew_plot *plot, int width, int height,
                    struct ewi_scene *scene, ew_error *error)
{
    *scene = (struct ewi_scene){.results = results, .plot = plot, .host = results->host, .threads = threads_of(plot),
                                .asked_width = width, .asked_height = height, .logarithmic = plot->logarithmic != 0};
    if (plot->zoom)
        TRY(check_window(results, plot->window, error));
    TRY(ewi_plot_check_range(plot, error));
    if (plot->isolines < 0 || plot->isolines > MOST_ISOLINES)
        return ewi_fail(error, EW_EINVAL, "%d isolines are not possible; 0 to %d are", plot->isolines,
                        (int)MOST_ISOLINES);
    if (plot->vectors < 0 || plot->vectors > EW_PLOT_FLOW || plot->streamlines < 0 || plot->streamlines > EW_PLOT_FLOW)
        return ewi_fail(error, EW_EINVAL, "%d arrows and %d streamlines along the width are not possible; 0 to %d are",
                        plot->vectors, plot->streamlines, (int)EW_PLOT_FLOW);
    for (int k = 0; plot->level && k < plot->isolines; k++)
        if (!isfinite(plot->level[k]))
            return ewi_fail(error, EW_EINVAL, "isoline %d is at %g; it must be finite", k, plot->level[k]);
    if (!isfinite(plot->speed) || plot->speed < 0)
        return ewi_fail(error, EW_EINVAL, "the speed of the arrows is %g; it must be 0 or greater", plot->speed);
    if (plot->threads < 0 || plot->threads > EW_MAX_THREADS)
        return ewi_fail(error, EW_EINVAL, "%d threads are not possible; 0 to %d are", plot->threads, EW_MAX_THREADS);
    TRY(choose_map(scene, error));
    TRY(choose_size(scene, error));
    return lay_out(scene, error);
}

int ewi_scene_take(struct ewi_scene *scene, ew_error *error)
{
    TRY(sample(scene, error));
    TRY(ewi_scene_choose_range(scene, error));
    return make_way_for_labels(scene, error);
}

void ewi_scene_end(struct ewi_scene *scene)
{
    ewi_free(&scene->host, scene->sample);
    scene->sample = NULL;
}
