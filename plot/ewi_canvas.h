/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A picture in memory, drawn with anti-aliased strokes, as are its letters. Strokes go into a mask, where the larger
 * coverage wins: crossings are not darker, and the order does not matter. ewi_ink then colours the masked pixels.
 * Pixel (i, j) covers [i, i+1] x [j, j+1]; y points down.
 */
#ifndef EWI_CANVAS_H
#define EWI_CANVAS_H

#include "edgewise-plot.h"

#include <stdbool.h>

/* Of SVG and PDF, strokes are kept as they are; only fields are pixels. */
enum ewi_format { EWI_PNG, EWI_SVG, EWI_PDF };
/* By the path's ending; PNG if that is none of the others'. */
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

/* White. */
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

/* The same for pixels that were put on the mask themselves, in every format. */
void ewi_ink_pixels(struct ewi_canvas *canvas, const struct ewi_clip *clip, uint32_t colour, double opacity);
/* These pixels belong to the picture, also in formats that keep strokes. */
void ewi_keep_pixels(struct ewi_canvas *canvas, const struct ewi_clip *clip);

/* The next code point of a text in UTF-8; what is not valid is taken byte by byte. */
uint32_t ewi_next_code(const char **text);
/* Text in UTF-8. `size` is an em in pixels; capitals are 0.7 of it. Letters that the font lacks become boxes. */
double ewi_text_width(const char *text, double size);
/* Whether the font lacks one of its letters. */
bool ewi_text_lacks(const char *text);
/* Cuts the text to `room` pixels, with "..." at its end. */
void ewi_text_cut(const char *text, double size, double room, char *cut, size_t bytes);
enum ewi_align { EWI_LEFT, EWI_CENTRE, EWI_RIGHT };
/* (x, y): start, middle or end of the base line; upwards: turned by a right angle to the left. */
void ewi_text(struct ewi_canvas *canvas, double x, double y, double size, enum ewi_align align, bool upwards,
              const char *text);

/* ---- colours (colours.c) ----------------------------------------------------------------------------------------- */

struct ewi_colour_map;
/* "NAME" or "NAME-reversed"; NULL if there is none. */
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
/* Where a value is between `low`, 0, and `high`, 1. */
double ewi_share(double low, double high, bool logarithmic, double value);
/* About `wanted` multiples of 1, 2 or 5 times a power of ten within [low, high]; powers of ten if `logarithmic`. */
void ewi_ticks(double low, double high, int wanted, bool logarithmic, struct ewi_ticks *ticks);
/* One per `room` pixels or, if those are fewer than three, up to twice as many. */
void ewi_ticks_along(double low, double high, double pixels, double room, bool logarithmic, struct ewi_ticks *ticks);
/* Of the widest label, in pixels. */
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
/* Also after a failed creation. */
void ewi_palette_destroy(struct ewi_palette *palette);

/* ---- files (drawing.c) ------------------------------------------------------------------------------------------- */

/* `few`: pixels have at most EWI_PALETTE colours. */
int ewi_canvas_write(const struct ewi_canvas *canvas, bool few, const char *title, const char *path, ew_error *error);

#endif
