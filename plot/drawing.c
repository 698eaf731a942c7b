/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures as files: PNG of the canvas' pixels; SVG and PDF of its strokes, with the pixels of fields as images. */
#include "ewi_drawing.h"
#include "ewi_error.h"
#include "ewi_try.h"

#include <string.h>

enum ewi_format ewi_format_of(const char *path)
{
    size_t length = strlen(path);
    const char *end = length > 4 ? path + length - 4 : "";
    return strcmp(end, ".svg") == 0 ? EWI_SVG : strcmp(end, ".pdf") == 0 ? EWI_PDF : EWI_PNG;
}

const struct ewi_stroke *ewi_drawing_stroke(const struct ewi_drawing *drawing, size_t k)
{
    return (const struct ewi_stroke *)(const void *)drawing->strokes.at + k;
}

size_t ewi_drawing_count(const struct ewi_drawing *drawing)
{
    return drawing->drawn.count / sizeof(struct ewi_drawn);
}

const struct ewi_drawn *ewi_drawing_at(const struct ewi_drawing *drawing, size_t k)
{
    return (const struct ewi_drawn *)(const void *)drawing->drawn.at + k;
}

uint32_t ewi_title_code(const char **title)
{
    uint32_t code = ewi_next_code(title);
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < ' ' || code == 0x7F || surrogate || code >= 0xFFFE ? '?' : code;
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

int ewi_canvas_write(const struct ewi_canvas *canvas, bool few, const char *title, const char *path, ew_error *error)
{
    struct ewi_bytes file = {.host = canvas->host};
    int status = canvas->format == EWI_SVG   ? ewi_svg_make(canvas, few, title, &file, error)
                 : canvas->format == EWI_PDF ? ewi_pdf_make(canvas, title, &file, error)
                                             : ewi_png_make(canvas, few, title, &file, error);
    if (canvas->drawing)
        file.lacks = file.lacks || canvas->drawing->strokes.lacks || canvas->drawing->drawn.lacks;
    if (status == EW_OK)
        status = ewi_bytes_write(&file, path, error);
    ewi_bytes_free(&file);
    return status;
}
