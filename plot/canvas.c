/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws strokes into a picture in memory, or stores them for a vector file. */
#include "ewi_drawing.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <math.h>
#include <string.h>

int ewi_canvas_create(const ew_host *host, enum ewi_format format, int width, int height, struct ewi_canvas *canvas,
                      ew_error *error)
{
    size_t pixels = (size_t)width * (size_t)height;
    *canvas = (struct ewi_canvas){.host = *host, .format = format, .width = width, .height = height};
    canvas->rgb = ewi_alloc(host, pixels, 3);
    canvas->mask = ewi_alloc(host, pixels, 1);
    if (format != EWI_PNG)
        canvas->drawing = ewi_alloc(host, 1, sizeof *canvas->drawing);
    if (!canvas->rgb || !canvas->mask || (format != EWI_PNG && !canvas->drawing)) {
        ewi_canvas_destroy(canvas);
        return ewi_fail(error, EW_ENOMEM, "not enough memory for a picture of %d by %d pixels", width, height);
    }
    if (canvas->drawing)
        canvas->drawing->strokes.host = canvas->drawing->drawn.host = *host;
    memset(canvas->rgb, 255, 3 * pixels);
    return EW_OK;
}

void ewi_canvas_destroy(struct ewi_canvas *canvas)
{
    if (!canvas->host.release) /* never created */
        return;
    if (canvas->drawing) {
        ewi_bytes_free(&canvas->drawing->strokes);
        ewi_bytes_free(&canvas->drawing->drawn);
    }
    ewi_free(&canvas->host, canvas->drawing);
    ewi_free(&canvas->host, canvas->mask);
    ewi_free(&canvas->host, canvas->rgb);
    *canvas = (struct ewi_canvas){0};
}

int ewi_canvas_cut(const struct ewi_canvas *canvas, const struct ewi_clip *clip, struct ewi_canvas *cut,
                   ew_error *error)
{
    TRY(ewi_canvas_create(&canvas->host, EWI_PNG, clip->x1 - clip->x0, clip->y1 - clip->y0, cut, error));
    size_t row = 3 * (size_t)cut->width;
    for (int j = 0; j < cut->height; j++)
        memcpy(cut->rgb + (size_t)j * row,
               canvas->rgb + 3 * ((size_t)(clip->y0 + j) * (size_t)canvas->width + (size_t)clip->x0), row);
    return EW_OK;
}

struct ewi_clip ewi_whole(const struct ewi_canvas *canvas)
{
    return (struct ewi_clip){0, 0, canvas->width, canvas->height};
}

static int clamp(double x, int low, int high)
{
    return x > low ? x < high ? (int)x : high : low;
}

/* Coverage falls from 1 to 0 within a pixel around the edge. Lines thinner than a pixel are fainter instead. */
void ewi_stroke(struct ewi_canvas *canvas, const struct ewi_clip *clip, double x0, double y0, double x1, double y1,
                double width)
{
    if (canvas->drawing) {
        const struct ewi_stroke stroke = {(float)x0, (float)y0, (float)x1, (float)y1, (float)width};
        ewi_bytes_add(&canvas->drawing->strokes, &stroke, sizeof stroke);
        return;
    }
    double half = fmax(width, 1.0) / 2, strength = 255 * fmin(width, 1.0), reach = half + 1;
    double dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
    int left = clamp(floor(fmin(x0, x1) - reach), clip->x0, clip->x1),
        right = clamp(ceil(fmax(x0, x1) + reach), clip->x0, clip->x1);
    int top = clamp(floor(fmin(y0, y1) - reach), clip->y0, clip->y1),
        bottom = clamp(ceil(fmax(y0, y1) + reach), clip->y0, clip->y1);
    double per_row = fabs(dy) > 1e-9 ? dx / dy : 0, slant = reach * sqrt(1 + per_row * per_row);
    for (int j = top; j < bottom; j++) {
        uint8_t *row = canvas->mask + (size_t)j * (size_t)canvas->width;
        int from = left, to = right;
        if (fabs(dy) > 1e-9) { /* for long strokes, only the part near this row */
            double x = x0 + (j + 0.5 - y0) * per_row;
            from = clamp(floor(x - slant) - 1, left, right);
            to = clamp(ceil(x + slant) + 1, left, right);
        }
        for (int i = from; i < to; i++) {
            double px = i + 0.5 - x0, py = j + 0.5 - y0, t = length2 > 0 ? (px * dx + py * dy) / length2 : 0;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            double ex = px - t * dx, ey = py - t * dy, cover = half + 0.5 - sqrt(ex * ex + ey * ey);
            uint8_t value = (uint8_t)(strength * (cover < 0 ? 0 : cover > 1 ? 1 : cover) + 0.5);
            if (value > row[i])
                row[i] = value;
        }
    }
}

void ewi_stroke_box(struct ewi_canvas *canvas, double x0, double y0, double x1, double y1, double width)
{
    struct ewi_clip clip = ewi_whole(canvas);
    ewi_stroke(canvas, &clip, x0, y0, x1, y0, width);
    ewi_stroke(canvas, &clip, x1, y0, x1, y1, width);
    ewi_stroke(canvas, &clip, x1, y1, x0, y1, width);
    ewi_stroke(canvas, &clip, x0, y1, x0, y0, width);
}

/* Colours the strokes that have no colour yet. Pixels on the mask stay. */
static void keep_strokes(struct ewi_drawing *drawing, const struct ewi_clip *clip, uint32_t colour, double opacity)
{
    const struct ewi_drawn drawn = {.clip = *clip, .first = drawing->inked, .colour = colour, .opacity = opacity,
                                    .end = drawing->strokes.count / sizeof(struct ewi_stroke)};
    if (drawn.end > drawn.first)
        ewi_bytes_add(&drawing->drawn, &drawn, sizeof drawn);
    drawing->inked = drawn.end;
}

void ewi_ink(struct ewi_canvas *canvas, const struct ewi_clip *clip, uint32_t colour, double opacity)
{
    if (canvas->drawing)
        keep_strokes(canvas->drawing, clip, colour, opacity);
    else
        ewi_ink_pixels(canvas, clip, colour, opacity);
}

void ewi_keep_pixels(struct ewi_canvas *canvas, const struct ewi_clip *clip)
{
    const struct ewi_drawn drawn = {.clip = *clip, .is_image = true};
    if (canvas->drawing)
        ewi_bytes_add(&canvas->drawing->drawn, &drawn, sizeof drawn);
}

void ewi_ink_pixels(struct ewi_canvas *canvas, const struct ewi_clip *clip, uint32_t colour, double opacity)
{
    const double ink[3] = {colour >> 16 & 255, colour >> 8 & 255, colour & 255};
    for (int j = clip->y0; j < clip->y1; j++)
        for (int i = clip->x0; i < clip->x1; i++) {
            size_t pixel = (size_t)j * (size_t)canvas->width + (size_t)i;
            if (canvas->mask[pixel] == 0)
                continue;
            double share = opacity * canvas->mask[pixel] / 255;
            for (int k = 0; k < 3; k++) {
                uint8_t *value = &canvas->rgb[3 * pixel + (size_t)k];
                *value = (uint8_t)(*value + share * (ink[k] - *value) + 0.5);
            }
            canvas->mask[pixel] = 0;
        }
}
