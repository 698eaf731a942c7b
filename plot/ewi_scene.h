/* SPDX-License-Identifier: BSD-2-Clause */
/* The layout of a picture of a field, and the samples of the field. */
#ifndef EWI_SCENE_H
#define EWI_SCENE_H

#include "ewi_canvas.h"
#include "ewi_results.h"

struct ewi_scene {
    const struct ew_results *results;
    const ew_plot *plot;
    ew_host host;
    int threads, supersample;
    double x0, y1, scale;         /* the upper left corner in the mesh's units; pixels a unit */
    int left, top, width, height; /* of the field's pixels within the picture */
    int at_x, at_y;               /* of the scene's upper left corner within the whole picture */
    int asked_width, asked_height, picture_width, picture_height;
    int most_height;               /* limit of the field's height */
    int bar_top;                   /* of the colour bar */
    double least_left, least_right; /* margins that labels need */
    double font;
    double *sample; /* [height * supersample][width * supersample]: NaN outside the mesh, infinite without a value */
    double low, high;         /* of the colours */
    double least, greatest;   /* of the samples; of those above 0, if logarithmic */
    bool robust;              /* the range is between percentiles */
    double beyond;            /* the share of the samples that is not within the range */
    double speed;             /* of arrows as long as they are apart */
    bool logarithmic;
    const struct ewi_colour_map *map; /* NULL: none */
    bool reversed;
};

/* ---- layout (layout.c) ------------------------------------------------------------------------------------------- */

/* Within so many pixels; nothing to free. */
int ewi_scene_begin(const struct ew_results *results, const ew_plot *plot, int width, int height,
                    struct ewi_scene *scene, ew_error *error);
/* Samples the field, chooses the range, and makes room for its labels. To be ended, whatever it returns. */
int ewi_scene_take(struct ewi_scene *scene, ew_error *error);
void ewi_scene_end(struct ewi_scene *scene);
double ewi_scene_tick(const struct ewi_scene *scene);
int ewi_scene_bar_height(const struct ewi_scene *scene);
void ewi_scene_y_ticks(const struct ewi_scene *scene, struct ewi_ticks *ticks);
void ewi_scene_bar_ticks(const struct ewi_scene *scene, struct ewi_ticks *ticks);

/* ---- what is around the field (frame.c) -------------------------------------------------------------------------- */

/* Strokes on the mask. */
void ewi_scene_frame(const struct ewi_scene *scene, struct ewi_canvas *canvas, const char *title);
/* Within `room` pixels from `left` on, around `middle`, if there is room; below `top`. */
void ewi_title_draw(struct ewi_canvas *canvas, const char *title, double font, double middle, double left, double top,
                    double room);

/* ---- whole pictures (plot.c) ------------------------------------------------------------------------------------- */

enum { EWI_TITLE = 1024 /* bytes */ };
/* The title of all: `own` or what names the file, the time and, of one field, the field. */
int ewi_plots_title(const struct ew_results *results, int plots, const ew_plot *plot, const char *own,
                    char title[EWI_TITLE], ew_error *error);
/* Makes the canvas, which is to be destroyed, whatever this returns. */
int ewi_plots_draw(const struct ew_results *results, int plots, const ew_plot *plot, char title[EWI_TITLE],
                   enum ewi_format format, struct ewi_canvas *canvas, ew_plot_shown *shown, ew_error *error);

/* A curve's picture (line.c); the same about the canvas. */
int ewi_probe_draw(const struct ew_results *results, const ew_probe *probe, struct ewi_canvas *canvas, ew_error *error);

/* ---- samples (scene.c) ------------------------------------------------------------------------------------------- */

/* Fills the samples. */
int ewi_scene_sample(struct ewi_scene *scene, ew_error *error);
/* The least and greatest sample (above 0, if logarithmic); low > high if there are none. */
void ewi_scene_extrema(const struct ewi_scene *scene, double *low, double *high);
/* ---- ranges (range.c) -------------------------------------------------------------------------------------------- */

int ewi_plot_check_range(const ew_plot *plot, ew_error *error);
/* Of fields that are known by name, or of symmetric ranges. */
const char *ewi_scene_default_map(const struct ewi_scene *scene);
/* Finds least, greatest, low, high and beyond. */
int ewi_scene_find_range(struct ewi_scene *scene, ew_error *error);
/* The same, and widens the range of a constant. */
int ewi_scene_choose_range(struct ewi_scene *scene, ew_error *error);

/* ---- drawing (scene.c) ------------------------------------------------------------------------------------------- */

/* The field's pixels. */
struct ewi_clip ewi_scene_clip(const struct ewi_scene *scene);
/* Strokes on the mask: where the mesh ends. */
void ewi_scene_outline(const struct ewi_scene *scene, struct ewi_canvas *canvas);
void ewi_scene_colour(const struct ewi_scene *scene, struct ewi_canvas *canvas);
/* Strokes on the mask: where the field has one of the levels; the edges of the triangles. */
int ewi_scene_isolines(const struct ewi_scene *scene, struct ewi_canvas *canvas, int count, const double *level,
                       double width, ew_error *error);
int ewi_scene_mesh(const struct ewi_scene *scene, struct ewi_canvas *canvas, double width, ew_error *error);

/* ---- the velocity (flow.c) --------------------------------------------------------------------------------------- */

/* Colours arrows and streamlines, as the plot asks for them. */
int ewi_scene_flow(struct ewi_scene *scene, struct ewi_canvas *canvas, ew_error *error);
int ewi_scene_speed(const struct ewi_scene *scene, double *usual, ew_error *error);

#endif
