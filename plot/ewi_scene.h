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
    double x0, y1, scale;         /* upper left corner in the mesh's units; pixels per unit */
    int left, top, width, height; /* the field's pixels in the scene */
    int at_x, at_y;               /* upper left corner of the scene in the whole picture */
    int asked_width, asked_height, picture_width, picture_height;
    int most_height;               /* limit of the field's height */
    int bar_top;                   /* top of the colour bar */
    double least_left, least_right; /* margins for the labels */
    double font;
    double *sample; /* [height * supersample][width * supersample]: NaN outside the mesh, infinite without a value */
    double low, high;         /* range of the colours */
    double least, greatest;   /* of the samples; if logarithmic, of those above 0 */
    bool robust;              /* the range is between percentiles */
    double beyond;            /* share of the samples outside the range */
    double speed;             /* speed whose arrow is as long as the spacing */
    bool logarithmic;
    const struct ewi_colour_map *map; /* NULL: no colours */
    bool reversed;
};

/* ---- layout (layout.c) ------------------------------------------------------------------------------------------- */

/* Begins a scene of at most this size; nothing needs to be freed. */
int ewi_scene_begin(const struct ew_results *results, const ew_plot *plot, int width, int height,
                    struct ewi_scene *scene, ew_error *error);
/*
 * Samples the field, chooses the range, and makes room for its labels. The caller ends the scene, whatever this
 * returns.
 */
int ewi_scene_take(struct ewi_scene *scene, ew_error *error);
void ewi_scene_end(struct ewi_scene *scene);
double ewi_scene_tick(const struct ewi_scene *scene);
int ewi_scene_bar_height(const struct ewi_scene *scene);
void ewi_scene_y_ticks(const struct ewi_scene *scene, struct ewi_ticks *ticks);
void ewi_scene_bar_ticks(const struct ewi_scene *scene, struct ewi_ticks *ticks);

/* ---- surroundings of the field (frame.c) ------------------------------------------------------------------------- */

/* Puts the frame's strokes on the mask. */
void ewi_scene_frame(const struct ewi_scene *scene, struct ewi_canvas *canvas, const char *title);
/* Draws the title below `top`, within `room` pixels from `left`, and centred at `middle` if there is room. */
void ewi_title_draw(struct ewi_canvas *canvas, const char *title, double font, double middle, double left, double top,
                    double room);

/* ---- whole pictures (plot.c) ------------------------------------------------------------------------------------- */

enum { EWI_TITLE = 1024 /* bytes */ };
/* The title of all pictures: `own`, or the file's name, the time and, if there is only one field, the field. */
int ewi_plots_title(const struct ew_results *results, int plots, const ew_plot *plot, const char *own,
                    char title[EWI_TITLE], ew_error *error);
/* Draws the pictures. It makes the canvas, which the caller destroys whatever this returns. */
int ewi_plots_draw(const struct ew_results *results, int plots, const ew_plot *plot, char title[EWI_TITLE],
                   enum ewi_format format, struct ewi_canvas *canvas, ew_plot_shown *shown, ew_error *error);

/* Draws curves (line.c); the canvas as above. */
int ewi_probe_draw(const struct ew_results *results, const ew_probe *probe, struct ewi_canvas *canvas, ew_error *error);

/* ---- samples (scene.c) ------------------------------------------------------------------------------------------- */

/* Fills the samples. */
int ewi_scene_sample(struct ewi_scene *scene, ew_error *error);
/* The least and greatest sample (above 0, if logarithmic); low > high if there is none. */
void ewi_scene_extrema(const struct ewi_scene *scene, double *low, double *high);
/* ---- ranges (range.c) -------------------------------------------------------------------------------------------- */

int ewi_plot_check_range(const ew_plot *plot, ew_error *error);
/* For qsort: numbers in ascending order. */
int ewi_compare_numbers(const void *a, const void *b);
/* The colour map for a field that is known by name, or for a symmetric range. */
const char *ewi_scene_default_map(const struct ewi_scene *scene);
/* Sets least, greatest, low, high and beyond. */
int ewi_scene_find_range(struct ewi_scene *scene, ew_error *error);
/* Does the same, and widens the range of a constant. */
int ewi_scene_choose_range(struct ewi_scene *scene, ew_error *error);

/* ---- drawing (scene.c) ------------------------------------------------------------------------------------------- */

/* The field's pixels. */
struct ewi_clip ewi_scene_clip(const struct ewi_scene *scene);
/* Puts the outline of the mesh on the mask. */
void ewi_scene_outline(const struct ewi_scene *scene, struct ewi_canvas *canvas);
void ewi_scene_colour(const struct ewi_scene *scene, struct ewi_canvas *canvas);
/* Put isolines of the levels, or the edges of the triangles, on the mask. */
int ewi_scene_isolines(const struct ewi_scene *scene, struct ewi_canvas *canvas, int count, const double *level,
                       double width, ew_error *error);
int ewi_scene_mesh(const struct ewi_scene *scene, struct ewi_canvas *canvas, double width, ew_error *error);

/* ---- the velocity (flow.c) --------------------------------------------------------------------------------------- */

/* Draws the plot's arrows and streamlines in colour. */
int ewi_scene_flow(struct ewi_scene *scene, struct ewi_canvas *canvas, ew_error *error);
int ewi_scene_speed(const struct ewi_scene *scene, double *usual, ew_error *error);

#endif
