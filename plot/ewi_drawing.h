/* SPDX-License-Identifier: BSD-2-Clause */
/* The contents of a canvas of a vector format, and the files made from them. */
#ifndef EWI_DRAWING_H
#define EWI_DRAWING_H

#include "ewi_bytes.h"
#include "ewi_canvas.h"

struct ewi_stroke {
    float x0, y0, x1, y1, width;
};

/* Strokes of one colour, or the canvas' pixels within the clip. */
struct ewi_drawn {
    struct ewi_clip clip;
    bool is_image;
    size_t first, end; /* range of the strokes */
    uint32_t colour;
    double opacity;
};

struct ewi_drawing {
    struct ewi_bytes strokes, drawn; /* struct ewi_stroke[], struct ewi_drawn[] */
    size_t inked;                    /* number of strokes that have a colour */
};

static inline const struct ewi_stroke *ewi_drawing_stroke(const struct ewi_drawing *drawing, size_t k)
{
    return (const struct ewi_stroke *)(const void *)drawing->strokes.at + k;
}

static inline size_t ewi_drawing_count(const struct ewi_drawing *drawing)
{
    return drawing->drawn.count / sizeof(struct ewi_drawn);
}

static inline const struct ewi_drawn *ewi_drawing_at(const struct ewi_drawing *drawing, size_t k)
{
    return (const struct ewi_drawn *)(const void *)drawing->drawn.at + k;
}

int ewi_svg_make(const struct ewi_canvas *canvas, bool few, const char *title, struct ewi_bytes *file, ew_error *error);
int ewi_pdf_make(const struct ewi_canvas *canvas, const char *title, struct ewi_bytes *file, ew_error *error);
int ewi_png_make(const struct ewi_canvas *canvas, bool few, const char *title, struct ewi_bytes *file,
                 ew_error *error);

/* rgba[height][width][4] */
int ewi_png_make_rgba(int width, int height, const uint8_t *rgba, struct ewi_bytes *file, ew_error *error);

/* The pixels within the clip as a canvas of their own. */
int ewi_canvas_cut(const struct ewi_canvas *canvas, const struct ewi_clip *clip, struct ewi_canvas *cut,
                   ew_error *error);

#endif
