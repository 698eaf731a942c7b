/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures as files: PNG of the canvas' pixels; SVG and PDF of its strokes, with the pixels of fields as images. */
#include "ewi_drawing.h"

#include <string.h>

enum ewi_format ewi_format_of(const char *path)
{
    size_t length = strlen(path);
    const char *end = length > 4 ? path + length - 4 : "";
    return strcmp(end, ".svg") == 0 ? EWI_SVG : strcmp(end, ".pdf") == 0 ? EWI_PDF : EWI_PNG;
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
