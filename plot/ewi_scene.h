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
    int asked_width, asked_height, picture_width, picture_height;
    int most_height;               /* limit of the field's height */
    int bar_top;                   /* of the colour bar */
    double least_left, least_right; /* margins that labels need */
    double font;
    double *sample; /* [height * supersample][width * supersample]: NaN outside the mesh, infinite without a value */
    double low, high;         /* of the colours */
    double least, greatest;   /* of the samples; of those above 0, if logarithmic */
    bool logarithmic;
    const struct ewi_colour_map *map; /* NULL: none */
    bool reversed;
};

/* Fills the samples. */
int ewi_scene_sample(struct ewi_scene *scene, ew_error *error);
/* The least and greatest sample (above 0, if logarithmic); low > high if there are none. */
void ewi_scene_extrema(const struct ewi_scene *scene, double *low, double *high);
/* Strokes on the mask: where the mesh ends. */
void ewi_scene_outline(const struct ewi_scene *scene, struct ewi_canvas *canvas);
void ewi_scene_colour(const struct ewi_scene *scene, struct ewi_canvas *canvas);
/* Strokes on the mask: where the field has one of the levels; the edges of the triangles. */
int ewi_scene_isolines(const struct ewi_scene *scene, struct ewi_canvas *canvas, int count, const double *level,
                       double width, ew_error *error);
int ewi_scene_mesh(const struct ewi_scene *scene, struct ewi_canvas *canvas, double width, ew_error *error);

#endif
