/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A picture in memory. Lines and letters are anti-aliased strokes. Strokes go into a mask, where the larger coverage
 * wins: crossings are not darker, and the order does not matter. ewi_ink then colours the masked pixels. Pixel (i, j)
 * covers [i, i+1] x [j, j+1]; y points down.
 */
#ifndef EWI_CANVAS_H
#define EWI_CANVAS_H

#include "edgewise-plot.h"

#include <stdbool.h>

/* In SVG and PDF, strokes are stored as vectors, and only fields are pixels. */
enum ewi_format { EWI_PNG, EWI_SVG, EWI_PDF };
/* The format for the path's ending; PNG if that is unknown. */
enum ewi_format ewi_format_of(const char *path);

struct ewi_canvas {
    ew_host host;
    enum ewi_format format;
    struct ewi_drawing *drawing; /* NULL: PNG */
    int width, height;
    uint8_t *rgb;  /* [height][width][3] */
    uint8_t *mask; /* [height][width] */
};

struct ewi_clip {
    int x0, y0, x1, y1; /* pixels from x0, y0 up to, but not including, x1, y1 */
};

/* Makes a white canvas. */
int ewi_canvas_create(const ew_host *host, enum ewi_format format, int width, int height, struct ewi_canvas *canvas,
                      ew_error *error);
void ewi_canvas_destroy(struct ewi_canvas *canvas);
struct ewi_clip ewi_whole(const struct ewi_canvas *canvas);

void ewi_stroke(struct ewi_canvas *canvas, const struct ewi_clip *clip, double x0, double y0, double x1, double y1,
                double width);
/* The four sides of a rectangle. */
void ewi_stroke_box(struct ewi_canvas *canvas, double x0, double y0, double x1, double y1, double width);
/* Colours the masked pixels with 0xrrggbb and clears the mask. */
void ewi_ink(struct ewi_canvas *canvas, const struct ewi_clip *clip, uint32_t colour, double opacity);

/* Does the same for pixels that the caller has put on the mask, in every format. */
void ewi_ink_pixels(struct ewi_canvas *canvas, const struct ewi_clip *clip, uint32_t colour, double opacity);
/* Includes these pixels in the picture, also in formats that store strokes. */
void ewi_keep_pixels(struct ewi_canvas *canvas, const struct ewi_clip *clip);

/* The next code point of a text in UTF-8; invalid bytes are taken one by one. */
uint32_t ewi_next_code(const char **text);
/* The title's next code point, or '?' for one that texts may not contain. */
uint32_t ewi_title_code(const char **title);
/*
 * Width of a text in UTF-8. `size` is an em in pixels; capitals are 0.7 em high. Letters that the font lacks become
 * boxes.
 */
double ewi_text_width(const char *text, double size);
/* True if the font lacks a letter of the text. */
bool ewi_text_lacks(const char *text);
/* Cuts the text to `room` pixels, with "..." at its end. */
void ewi_text_cut(const char *text, double size, double room, char *cut, size_t bytes);
enum ewi_align { EWI_LEFT, EWI_CENTRE, EWI_RIGHT };
/* Draws a text whose base line starts, has its middle, or ends at (x, y). `upwards`: turned left by a right angle. */
void ewi_text(struct ewi_canvas *canvas, double x, double y, double size, enum ewi_align align, bool upwards,
              const char *text);

/* ---- colours (colours.c) ----------------------------------------------------------------------------------------- */

struct ewi_colour_map;
/* The map "NAME" or "NAME-reversed"; NULL if there is none. */
const struct ewi_colour_map *ewi_colour_map_find(const char *name, bool *reversed);
/* 0 <= t <= 1 */
void ewi_colour(const struct ewi_colour_map *map, bool reversed, double t, double rgb[3]);

/* ---- ticks (ticks.c) --------------------------------------------------------------------------------------------- */

enum { EWI_MOST_TICKS = 64 };
struct ewi_ticks {
    int count;
    double value[EWI_MOST_TICKS];
    char label[EWI_MOST_TICKS][32];
};
/* The value's position between `low`, 0, and `high`, 1. */
double ewi_share(double low, double high, bool logarithmic, double value);
/* About `wanted` multiples of 1, 2 or 5 times a power of ten within [low, high]; powers of ten if `logarithmic`. */
void ewi_ticks(double low, double high, int wanted, bool logarithmic, struct ewi_ticks *ticks);
/* One tick per `room` pixels or, if that gives fewer than three, up to twice as many. */
void ewi_ticks_along(double low, double high, double pixels, double room, bool logarithmic, struct ewi_ticks *ticks);
/* Width of the widest label in pixels. */
double ewi_ticks_width(const struct ewi_ticks *ticks, double size);

/* ---- palettes (palette.c) ---------------------------------------------------------------------------------------- */

enum { EWI_PALETTE = 256 };
struct ewi_palette {
    ew_host host;
    int count;
    uint8_t rgb[EWI_PALETTE][3];
    uint8_t *index; /* [height][width] */
};
int ewi_palette_create(const struct ewi_canvas *canvas, struct ewi_palette *palette, ew_error *error);
/* Call this also after a failed creation. */
void ewi_palette_destroy(struct ewi_palette *palette);

/* ---- files (drawing.c) ------------------------------------------------------------------------------------------- */

/* Writes the picture. `few`: pixels have at most EWI_PALETTE colours. */
int ewi_canvas_write(const struct ewi_canvas *canvas, bool few, const char *title, const char *path, ew_error *error);

#endif
