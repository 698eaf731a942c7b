/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures of fields: options, layout, range, axes, colour bar and title. */
#include "ewi_axes.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_scene.h"
#include "ewi_try.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    WIDTH = 1200,
    HEIGHT = 1600,
    BAR_HEIGHT = 8, /* letters, at least */
    SUPERSAMPLE = 3,
    MOST_SAMPLES = 1 << 28,
    MOST_ISOLINES = 1000,
    TITLE = 1024 /* bytes */
};
#define LEAST_TITLE 0.7 /* of its usual size; a title that is still too long is cut */

static const uint32_t black = 0x000000, frame_grey = 0x303030;

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

static int check_range(const ew_plot *plot, ew_error *error)
{
    bool fixed = plot->range == EW_RANGE_FIXED;
    if (fixed && (!isfinite(plot->low) || !isfinite(plot->high) || !(plot->high > plot->low)))
        return ewi_fail(error, EW_EINVAL, "the range %g,%g is empty: its first number must be less than its second",
                        plot->low, plot->high);
    if (plot->logarithmic && plot->range == EW_RANGE_SYMMETRIC)
        return ewi_fail(error, EW_EINVAL, "a symmetric range has no logarithms: it goes through 0");
    if (plot->logarithmic && fixed)
        TRY(ewi_axes_check_logarithmic(plot->low, plot->high, error));
    if (plot->isolines < 0 || plot->isolines > MOST_ISOLINES)
        return ewi_fail(error, EW_EINVAL, "%d isolines are not possible; 0 to %d are", plot->isolines,
                        (int)MOST_ISOLINES);
    return EW_OK;
}

static int choose_map(struct ewi_scene *scene, ew_error *error)
{
    const char *name = scene->plot->map                           ? scene->plot->map
                       : scene->plot->range == EW_RANGE_SYMMETRIC ? "blue-red"
                                                                  : "viridis";
    if (strcmp(name, "none") == 0)
        return EW_OK;
    scene->map = ewi_colour_map_find(name, &scene->reversed);
    if (scene->map)
        return EW_OK;
    char list[256] = "";
    for (int k = 0; ew_plot_map(k); k++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s, ", ew_plot_map(k));
    }
    return ewi_fail(error, EW_EINVAL, "there is no colour map \"%s\"; there are %sthe same with -reversed, and none",
                    name, list);
}

static int choose_size(struct ewi_scene *scene, ew_error *error)
{
    const ew_plot *plot = scene->plot;
    scene->asked_width = plot->width ? plot->width : WIDTH;
    scene->asked_height = plot->height ? plot->height : HEIGHT;
    scene->supersample = plot->supersample ? plot->supersample : SUPERSAMPLE;
    TRY(ewi_axes_check_size(scene->asked_width, scene->asked_height, plot->bare ? 1 : EW_PLOT_LEAST, error));
    if (scene->supersample < 1 || scene->supersample > EW_PLOT_SUPERSAMPLE)
        return ewi_fail(error, EW_EINVAL, "%d samples along a pixel are not possible; 1 to %d are",
                        scene->supersample, (int)EW_PLOT_SUPERSAMPLE);
    return EW_OK;
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static double tick_of(const struct ewi_scene *scene)
{
    return 0.35 * scene->font;
}

static void choose_y_ticks(const struct ewi_scene *scene, struct ewi_ticks *ticks)
{
    double pixel = 0.75 / scene->scale, y0 = scene->y1 - scene->height / scene->scale;
    ewi_ticks(y0 - pixel, scene->y1 + pixel, (int)fmin(fmax(scene->height / (3 * scene->font), 1), 8), false, ticks);
}

/* As high as the field, or higher if the field is too flat for labels. */
static int bar_height(const struct ewi_scene *scene)
{
    bool barred = scene->map && !scene->plot->bare;
    return barred ? (int)fmax(scene->height, fmin(BAR_HEIGHT * scene->font, scene->most_height)) : scene->height;
}

static void choose_bar_ticks(const struct ewi_scene *scene, struct ewi_ticks *ticks)
{
    ewi_ticks_along(scene->low, scene->high, bar_height(scene), 2.6 * scene->font, scene->logarithmic, ticks);
}

/* A third of the picture is enough for labels. */
static double margin(const struct ewi_scene *scene, double wanted)
{
    return fmin(ceil(wanted), floor(scene->asked_width / 3.0));
}

static double left_margin(const struct ewi_scene *scene)
{
    struct ewi_ticks ticks;
    choose_y_ticks(scene, &ticks);
    return margin(scene, 1.8 * tick_of(scene) + ewi_ticks_width(&ticks, scene->font) + 1.5 * scene->font);
}

static double right_margin(const struct ewi_scene *scene)
{
    struct ewi_ticks ticks;
    choose_bar_ticks(scene, &ticks);
    return scene->map ? margin(scene, 2.7 * scene->font + 1.8 * tick_of(scene) + ewi_ticks_width(&ticks, scene->font))
           : 0;
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
    scene->top = top + (bar_height(scene) - scene->height) / 2;
    scene->picture_width = left + scene->width + right;
    scene->picture_height = top + bar_height(scene) + bottom;
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
        return ewi_fail(error, EW_ENOMEM, "there is no memory for a picture of %d by %d pixels with %zu samples each",
                        scene->picture_width, scene->picture_height, fine * fine);
    return ewi_scene_sample(scene, error);
}

static int make_scene(const struct ew_results *results, const ew_plot *plot, struct ewi_scene *scene, ew_error *error)
{
    *scene = (struct ewi_scene){.results = results, .plot = plot, .host = results->host, .threads = threads_of(plot),
                                .logarithmic = plot->logarithmic != 0};
    if (plot->zoom)
        TRY(check_window(results, plot->window, error));
    TRY(check_range(plot, error));
    TRY(choose_map(scene, error));
    TRY(choose_size(scene, error));
    TRY(lay_out(scene, error));
    return sample(scene, error);
}

static void destroy_scene(struct ewi_scene *scene)
{
    ewi_free(&scene->host, scene->sample);
    scene->sample = NULL;
}

/* ---- range ------------------------------------------------------------------------------------------------------- */

static int choose_range(struct ewi_scene *scene, ew_error *error)
{
    const ew_plot *plot = scene->plot;
    ewi_scene_extrema(scene, &scene->least, &scene->greatest);
    scene->low = plot->range == EW_RANGE_FIXED ? plot->low : scene->least;
    scene->high = plot->range == EW_RANGE_FIXED ? plot->high : scene->greatest;
    if (plot->range == EW_RANGE_FIXED)
        return EW_OK;
    const struct ewi_field *field = &scene->results->field[plot->field];
    if (scene->low > scene->high)
        return ewi_fail(error, EW_EINVAL, "%s of %s has no value%s that could be shown%s", field->name,
                        scene->results->path, scene->logarithmic ? " above 0" : "", plot->zoom ? " in the window" : "");
    if (scene->logarithmic)
        scene->low = fmax(scene->low, EW_PLOT_LOG_FLOOR * scene->high);
    if (plot->range == EW_RANGE_SYMMETRIC) {
        scene->high = fmax(fabs(scene->low), fabs(scene->high));
        scene->low = -scene->high;
    }
    return EW_OK;
}

/* A constant, up to rounding, gets a range around it. */
static void widen(struct ewi_scene *scene)
{
    double size = fmax(fabs(scene->low), fabs(scene->high)), middle = scene->low + (scene->high - scene->low) / 2;
    if (scene->plot->range == EW_RANGE_FIXED || scene->high - scene->low > scene->results->rounding * size)
        return;
    double half = size > 0 ? 0.1 * size : 1;
    scene->low = middle - half;
    scene->high = middle + half;
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
    TRY(choose_range(scene, error));
    widen(scene);
    return EW_OK;
}

int ew_plot_range(const ew_results *results, const ew_plot *plot, double *low, double *high, ew_error *error)
{
    EWI_REQUIRE(results);
    EWI_REQUIRE(plot);
    EWI_REQUIRE(low);
    EWI_REQUIRE(high);
    struct ewi_scene scene;
    int status = make_scene(results, plot, &scene, error);
    if (status == EW_OK)
        status = choose_range(&scene, error);
    if (status == EW_OK) {
        *low = scene.low;
        *high = scene.high;
    }
    destroy_scene(&scene);
    return status;
}

/* ---- axes, colour bar, title ------------------------------------------------------------------------------------- */

static double line_width(const struct ewi_scene *scene)
{
    return fmax(1, scene->font / 16);
}

static void draw_axes(const struct ewi_scene *scene, struct ewi_canvas *canvas)
{
    struct ewi_clip clip = ewi_whole(canvas);
    struct ewi_ticks ticks;
    double font = scene->font, thin = line_width(scene), tick = tick_of(scene), widest = 0, free_from = -INFINITY;
    double bottom = scene->top + scene->height, right = scene->left + scene->width;
    double x1 = scene->x0 + scene->width / scene->scale;
    ewi_stroke_box(canvas, scene->left - thin / 2, scene->top - thin / 2, right + thin / 2, bottom + thin / 2, thin);

    double pixel = 0.75 / scene->scale;
    ewi_ticks(scene->x0 - pixel, x1 + pixel, (int)fmin(fmax(scene->width / (6 * font), 1), 8), false, &ticks);
    for (int k = 0; k < ticks.count; k++) {
        double x = scene->left + (ticks.value[k] - scene->x0) * scene->scale;
        ewi_stroke(canvas, &clip, x, bottom + thin, x, bottom + thin + tick, thin);
        double half = ewi_text_width(ticks.label[k], font) / 2;
        if (x - half < free_from) /* there is no room for it beside the one before */
            continue;
        free_from = x + half + 0.5 * font;
        ewi_text(canvas, x, bottom + tick + 1.0 * font, font, EWI_CENTRE, false, ticks.label[k]);
    }
    ewi_text(canvas, scene->left + scene->width / 2.0, bottom + tick + 2.35 * font, font, EWI_CENTRE, false, "x");

    choose_y_ticks(scene, &ticks);
    for (int k = 0; k < ticks.count; k++) {
        double y = scene->top + (scene->y1 - ticks.value[k]) * scene->scale;
        ewi_stroke(canvas, &clip, scene->left - thin, y, scene->left - thin - tick, y, thin);
        ewi_text(canvas, scene->left - 1.8 * tick, y + 0.35 * font, font, EWI_RIGHT, false, ticks.label[k]);
        widest = fmax(widest, ewi_text_width(ticks.label[k], font));
    }
    double at = fmax(scene->left - 1.8 * tick - widest - 0.6 * font, 0.8 * font);
    ewi_text(canvas, at, scene->top + scene->height / 2.0, font, EWI_CENTRE, true, "y");
}

/* Rows of one colour each; ticks of the range beside it. */
static void draw_bar(const struct ewi_scene *scene, struct ewi_canvas *canvas)
{
    struct ewi_clip clip = ewi_whole(canvas);
    struct ewi_ticks ticks;
    double font = scene->font, thin = line_width(scene), tick = tick_of(scene);
    int left = scene->left + scene->width + (int)(1.2 * font), width = (int)(1.1 * font), height = bar_height(scene),
        top = scene->bar_top;
    for (int j = 0; j < height; j++) {
        double rgb[3];
        ewi_colour(scene->map, scene->reversed, 1 - (j + 0.5) / height, rgb);
        for (int i = 0; i < width; i++)
            for (int k = 0; k < 3; k++)
                canvas->rgb[3 * ((size_t)(top + j) * (size_t)canvas->width + (size_t)(left + i)) + (size_t)k] =
                    (uint8_t)(rgb[k] + 0.5);
    }
    ewi_stroke_box(canvas, left - thin / 2, top - thin / 2, left + width + thin / 2, top + height + thin / 2, thin);
    choose_bar_ticks(scene, &ticks);
    for (int k = 0; k < ticks.count; k++) {
        double share = ewi_share(scene->low, scene->high, scene->logarithmic, ticks.value[k]);
        double y = top + (1 - share) * height;
        ewi_stroke(canvas, &clip, left + width + thin, y, left + width + thin + tick, y, thin);
        ewi_text(canvas, left + width + 1.8 * tick, y + 0.35 * font, font, EWI_LEFT, false, ticks.label[k]);
    }
}

static void draw_title(const struct ewi_scene *scene, struct ewi_canvas *canvas, const char *title)
{
    double size = 1.15 * scene->font, room = canvas->width - scene->font, width = ewi_text_width(title, size);
    double middle = scene->left + scene->width / 2.0;
    char shown[TITLE];
    size *= fmin(1, fmax(LEAST_TITLE, room / fmax(width, 1)));
    ewi_text_cut(title, size, room, shown, sizeof shown);
    width = ewi_text_width(shown, size);
    middle = fmin(fmax(middle, width / 2 + scene->font / 2), canvas->width - width / 2 - scene->font / 2);
    ewi_text(canvas, middle, 1.45 * scene->font, size, EWI_CENTRE, false, shown);
}

/* ---- the picture ------------------------------------------------------------------------------------------------- */

static double level_of(const struct ewi_scene *scene, int k)
{
    double share = (k + 1.0) / (scene->plot->isolines + 1);
    return scene->plot->level   ? scene->plot->level[k]
           : scene->logarithmic ? scene->low * pow(scene->high / scene->low, share)
                                : scene->low + share * (scene->high - scene->low);
}

static int draw_isolines(const struct ewi_scene *scene, struct ewi_canvas *canvas, ew_error *error)
{
    const ew_plot *plot = scene->plot;
    struct ewi_clip clip = {scene->left, scene->top, scene->left + scene->width, scene->top + scene->height};
    double level[MOST_ISOLINES];
    for (int k = 0; k < plot->isolines; k++)
        level[k] = level_of(scene, k);
    if (scene->results->field[plot->field].kind == EWI_FIELD_FACES)
        return ewi_fail(error, EW_EINVAL, "%s has no isolines: it is constant on each triangle",
                        scene->results->field[plot->field].name);
    int status = ewi_scene_isolines(scene, canvas, plot->isolines, level, fmax(1, scene->font / 17), error);
    ewi_ink(canvas, &clip, black, scene->map ? 0.75 : 1);
    return status;
}

static int draw_mesh(const struct ewi_scene *scene, struct ewi_canvas *canvas, ew_error *error)
{
    struct ewi_clip clip = {scene->left, scene->top, scene->left + scene->width, scene->top + scene->height};
    int status = ewi_scene_mesh(scene, canvas, 0.8, error);
    ewi_ink(canvas, &clip, scene->map ? black : 0x7080a0, scene->map ? 0.45 : 0.8);
    return status;
}

static int draw(struct ewi_scene *scene, struct ewi_canvas *canvas, const char *title, ew_error *error)
{
    const ew_plot *plot = scene->plot;
    struct ewi_clip all = ewi_whole(canvas);
    ewi_scene_colour(scene, canvas);
    if (!scene->map) { /* colours would show where the mesh ends */
        ewi_scene_outline(scene, canvas);
        ewi_ink(canvas, &all, frame_grey, 1);
    }
    if (plot->mesh)
        TRY(draw_mesh(scene, canvas, error));
    if (plot->isolines > 0)
        TRY(draw_isolines(scene, canvas, error));
    if (plot->bare)
        return EW_OK;
    draw_axes(scene, canvas);
    if (scene->map)
        draw_bar(scene, canvas);
    draw_title(scene, canvas, title);
    ewi_ink(canvas, &all, frame_grey, 1);
    return EW_OK;
}

static void tell(const struct ewi_scene *scene, ew_plot_shown *shown)
{
    int lines = scene->plot->isolines;
    *shown = (ew_plot_shown){.low = scene->low, .high = scene->high, .least = scene->least,
                             .greatest = scene->greatest};
    shown->first_level = lines > 0 ? level_of(scene, 0) : NAN;
    shown->last_level = lines > 0 ? level_of(scene, lines - 1) : NAN;
    for (int k = 0; k < lines; k++)
        shown->levels_missed += !(level_of(scene, k) >= scene->least && level_of(scene, k) <= scene->greatest);
}

int ew_plot_write(const ew_results *results, const ew_plot *plot, const char *path, ew_plot_shown *shown,
                  ew_error *error)
{
    EWI_REQUIRE(results);
    EWI_REQUIRE(plot);
    EWI_REQUIRE(path);
    struct ewi_scene scene;
    struct ewi_canvas canvas = {0};
    char title[TITLE] = "";
    int status;
    EWI_TRY(make_scene(results, plot, &scene, error));
    EWI_TRY(choose_range(&scene, error));
    widen(&scene);
    EWI_TRY(make_way_for_labels(&scene, error));
    ewi_title(results, plot->title, plot->field, plot->frame, title, sizeof title);
    if (!plot->bare && ewi_text_lacks(title))
        ewi_log(&scene.host, EW_LOG_WARNING,
                "the font of pictures lacks letters of the title; they are shown as boxes");
    EWI_TRY(ewi_canvas_create(&scene.host, scene.picture_width, scene.picture_height, &canvas, error));
    EWI_TRY(draw(&scene, &canvas, title, error));
    if (shown)
        tell(&scene, shown);
    EWI_TRY(ewi_png_write(&scene.host, &canvas, plot->palette, title, path, error));
out:
    ewi_canvas_destroy(&canvas);
    destroy_scene(&scene);
    return status;
}
