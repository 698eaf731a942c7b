/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures of one or several fields. */
#include "ewi_axes.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_scene.h"
#include "ewi_text.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 1200, HEIGHT = 1600, MOST_ISOLINES = 1000, TITLE = EWI_TITLE };

static const uint32_t black = 0x000000, frame_grey = 0x303030;

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

/* The scene of a single picture, with its samples, if status is EW_OK. */
static int begin_scene(const struct ew_results *results, const ew_plot *plot, struct ewi_scene *scene, ew_error *error)
{
    TRY(ewi_scene_begin(results, plot, plot->width ? plot->width : WIDTH, plot->height ? plot->height : HEIGHT, scene,
                        error));
    int status = ewi_scene_take(scene, error);
    if (status != EW_OK)
        ewi_scene_end(scene);
    return status;
}

static int find_range(const struct ew_results *results, const ew_plot *plot, double *low, double *high, bool *robust,
                      ew_error *error)
{
    struct ewi_scene scene;
    TRY(begin_scene(results, plot, &scene, error));
    int status = ewi_scene_find_range(&scene, error);
    *low = scene.low;
    *high = scene.high;
    *robust = scene.robust;
    ewi_scene_end(&scene);
    return status;
}

int ew_plot_range(const ew_results *results, const ew_plot *plot, double *low, double *high, ew_error *error)
{
    bool robust;
    EWI_REQUIRE(results, plot, low, high);
    return find_range(results, plot, low, high, &robust, error);
}

int ew_plot_film_range(const ew_results *results, const ew_plot *plot, double *low, double *high, ew_error *error)
{
    EWI_REQUIRE(results, plot, low, high);
    int64_t frames = results->frames;
    bool robust = false;
    int status = EW_OK;
    ew_plot one = *plot;
    double *lows = ewi_alloc(&results->host, 2 * (size_t)frames, sizeof *lows), *highs = lows ? lows + frames : NULL;
    if (!lows || frames == 0)
        status = frames ? ewi_fail(error, EW_ENOMEM, "not enough memory for the range of %s", results->path)
                        : ewi_fail(error, EW_EINVAL, "%s has no frames yet", results->path);
    for (one.frame = 0; status == EW_OK && one.frame < frames; one.frame++)
        status = find_range(results, &one, &lows[one.frame], &highs[one.frame], &robust, error);
    if (status == EW_OK) {
        qsort(lows, (size_t)frames, sizeof *lows, ewi_compare_numbers);
        qsort(highs, (size_t)frames, sizeof *highs, ewi_compare_numbers);
        *low = lows[robust ? (frames - 1) / 2 : 0];
        *high = highs[robust ? frames / 2 : frames - 1];
    }
    ewi_free(&results->host, lows);
    return status;
}

int ew_plot_speed(const ew_results *results, const ew_plot *plot, double *speed, ew_error *error)
{
    EWI_REQUIRE(results, plot, speed);
    struct ewi_scene scene;
    TRY(ewi_scene_begin(results, plot, plot->width ? plot->width : WIDTH, plot->height ? plot->height : HEIGHT, &scene,
                        error));
    return ewi_scene_speed(&scene, speed, error);
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
    struct ewi_clip clip = ewi_scene_clip(scene);
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
    struct ewi_clip clip = ewi_scene_clip(scene);
    int status = ewi_scene_mesh(scene, canvas, 0.8, error);
    ewi_ink(canvas, &clip, scene->map ? black : 0x7080a0, scene->map ? 0.45 : 0.8);
    return status;
}

static int draw(struct ewi_scene *scene, struct ewi_canvas *canvas, const char *title, ew_error *error)
{
    const ew_plot *plot = scene->plot;
    struct ewi_clip all = ewi_whole(canvas), field = ewi_scene_clip(scene);
    ewi_scene_colour(scene, canvas);
    if (!scene->map) { /* without colours, the mesh's end would not be visible */
        ewi_scene_outline(scene, canvas);
        ewi_ink_pixels(canvas, &all, frame_grey, 1);
    }
    ewi_keep_pixels(canvas, &field);
    if (plot->mesh)
        TRY(draw_mesh(scene, canvas, error));
    if (plot->isolines > 0)
        TRY(draw_isolines(scene, canvas, error));
    if (plot->vectors > 0 || plot->streamlines > 0)
        TRY(ewi_scene_flow(scene, canvas, error));
    if (plot->bare)
        return EW_OK;
    ewi_scene_frame(scene, canvas, title);
    ewi_ink(canvas, &all, frame_grey, 1);
    return EW_OK;
}

static void tell(const struct ewi_scene *scene, ew_plot_shown *shown)
{
    int lines = scene->plot->isolines;
    *shown = (ew_plot_shown){.low = scene->low, .high = scene->high, .least = scene->least,
                             .greatest = scene->greatest, .beyond = scene->beyond, .speed = scene->speed};
    shown->first_level = lines > 0 ? level_of(scene, 0) : NAN;
    shown->last_level = lines > 0 ? level_of(scene, lines - 1) : NAN;
    for (int k = 0; k < lines; k++)
        shown->levels_missed += !(level_of(scene, k) >= scene->least && level_of(scene, k) <= scene->greatest);
}

/* ---- several fields ---------------------------------------------------------------------------------------------- */

struct panels {
    const struct ew_results *results;
    int count, columns, width, height, top; /* columns per row; pixels of the picture and its title */
    double font;                            /* of the common title */
    const ew_plot *plot;
    struct ewi_scene *scene;
};

/*
 * Chooses the number of columns, so that the picture is about one and a half times as wide as high, and few cells are
 * empty.
 */
static int choose_columns(struct panels *panels, ew_error *error)
{
    double best = INFINITY;
    panels->columns = 1;
    for (int columns = 1; columns <= panels->count && panels->count > 1; columns++) {
        struct ewi_scene scene;
        int rows = (panels->count + columns - 1) / columns;
        int status = ewi_scene_begin(panels->results, &panels->plot[0], panels->width / columns,
                                     (panels->height - panels->top) / rows, &scene, error);
        if (status != EW_OK && columns == 1)
            return status;
        if (status != EW_OK)
            break;
        double off = fabs(log((double)scene.picture_width * columns / (scene.picture_height * rows) / 1.5));
        off += (double)(rows * columns - panels->count) / panels->count;
        if (off < best)
            panels->columns = columns;
        best = fmin(best, off);
    }
    return EW_OK;
}

static void move(struct ewi_scene *scene, int x, int y)
{
    scene->at_x += x;
    scene->at_y += y;
    scene->left += x;
    scene->top += y;
    scene->bar_top += y;
}

/* Arranges the panels in cells of one size. */
static void arrange(struct panels *panels)
{
    int width = 0, height = 0, rows = (panels->count + panels->columns - 1) / panels->columns;
    for (int k = 0; k < panels->count; k++) {
        width = panels->scene[k].picture_width > width ? panels->scene[k].picture_width : width;
        height = panels->scene[k].picture_height > height ? panels->scene[k].picture_height : height;
    }
    for (int k = 0; k < panels->count; k++)
        move(&panels->scene[k], k % panels->columns * width, panels->top + k / panels->columns * height);
    panels->width = panels->columns * width;
    panels->height = panels->top + rows * height;
}

static int begin_panels(struct panels *panels, const char *title, ew_error *error)
{
    const ew_plot *plot = panels->plot;
    panels->width = plot->width ? plot->width : WIDTH;
    panels->height = plot->height ? plot->height : HEIGHT;
    TRY(ewi_axes_check_size(panels->width, panels->height, plot->bare ? 1 : EW_PLOT_LEAST, error));
    panels->font = fmin(fmax(panels->width / 64.0, 12), 64);
    panels->top = panels->count > 1 && !plot->bare && title[0] ? (int)(2 * panels->font) : 0;
    TRY(choose_columns(panels, error));
    int rows = (panels->count + panels->columns - 1) / panels->columns;
    for (int k = 0; k < panels->count; k++) {
        TRY(ewi_scene_begin(panels->results, &plot[k], panels->width / panels->columns,
                            (panels->height - panels->top) / rows, &panels->scene[k], error));
        TRY(ewi_scene_take(&panels->scene[k], error));
    }
    arrange(panels);
    return EW_OK;
}

static void warn_of_letters(const struct panels *panels, const char *title)
{
    if (!panels->plot->bare && ewi_text_lacks(title))
        ewi_log(&panels->results->host, EW_LOG_WARNING,
                "the font of pictures lacks letters of the title; they are shown as boxes");
}

static int draw_panels(struct panels *panels, const char *title, struct ewi_canvas *canvas, ew_plot_shown *shown,
                       ew_error *error)
{
    const struct ew_results *results = panels->results;
    struct ewi_clip all = ewi_whole(canvas);
    for (int k = 0; k < panels->count; k++) {
        char own[TITLE];
        if (panels->count == 1)
            ewi_snprintf(own, sizeof own, "%s", title);
        else
            ewi_field_title(results, panels->plot[k].title, panels->plot[k].field, own, sizeof own);
        TRY(draw(&panels->scene[k], canvas, own, error));
        if (shown)
            tell(&panels->scene[k], &shown[k]);
    }
    if (panels->top > 0) {
        ewi_title_draw(canvas, title, panels->font, panels->width / 2.0, 0, 0, panels->width);
        ewi_ink(canvas, &all, frame_grey, 1);
    }
    return EW_OK;
}

int ewi_plots_title(const struct ew_results *results, int plots, const ew_plot *plot, const char *own,
                    char title[EWI_TITLE], ew_error *error)
{
    if (plots < 1 || plots > EW_PLOT_PANELS)
        return ewi_fail(error, EW_EINVAL, "%d fields in one picture are not possible; 1 to %d are", plots,
                        (int)EW_PLOT_PANELS);
    for (int k = 0; k < plots; k++) {
        TRY(ewi_results_check_field(results, plot[k].field, error));
        TRY(ewi_results_check_frame(results, plot[k].frame, error));
    }
    ewi_title(results, own, plots == 1 ? plot->field : -1, plot->frame, title, EWI_TITLE);
    return EW_OK;
}

int ewi_plots_draw(const struct ew_results *results, int plots, const ew_plot *plot, char title[EWI_TITLE],
                   enum ewi_format format, struct ewi_canvas *canvas, ew_plot_shown *shown, ew_error *error)
{
    struct panels panels = {.results = results, .count = plots, .plot = plot};
    int status;
    *canvas = (struct ewi_canvas){0};
    panels.scene = ewi_alloc(&results->host, (size_t)plots, sizeof *panels.scene);
    if (!panels.scene)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for %d pictures", plots);
    EWI_TRY(begin_panels(&panels, title, error));
    warn_of_letters(&panels, title);
    EWI_TRY(ewi_canvas_create(&results->host, format, panels.width, panels.height, canvas, error));
    EWI_TRY(draw_panels(&panels, title, canvas, shown, error));
out:
    for (int k = 0; k < plots; k++)
        if (panels.scene[k].sample)
            ewi_scene_end(&panels.scene[k]);
    ewi_free(&results->host, panels.scene);
    return status;
}

int ew_plots_write(const ew_results *results, int plots, const ew_plot *plot, const char *title, const char *path,
                   ew_plot_shown *shown, ew_error *error)
{
    EWI_REQUIRE(results, plot, path);
    struct ewi_canvas canvas;
    char text[EWI_TITLE];
    TRY(ewi_plots_title(results, plots, plot, title, text, error));
    int status = ewi_plots_draw(results, plots, plot, text, ewi_format_of(path), &canvas, shown, error);
    if (status == EW_OK)
        status = ewi_canvas_write(&canvas, plot->palette, text, path, error);
    ewi_canvas_destroy(&canvas);
    return status;
}

int ew_plot_write(const ew_results *results, const ew_plot *plot, const char *path, ew_plot_shown *shown,
                  ew_error *error)
{
    EWI_REQUIRE(results, plot, path);
    return ew_plots_write(results, 1, plot, plot->title, path, shown, error);
}
