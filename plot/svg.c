/* SPDX-License-Identifier: BSD-2-Clause */
/* A picture as SVG: strokes as paths, pixels of fields as PNG images within. */
#include "ewi_drawing.h"
#include "ewi_error.h"

static void add_title(struct ewi_bytes *file, const char *title)
{
    ewi_bytes_print(file, "<title>");
    while (*title) {
        uint32_t code = ewi_title_code(&title);
        if (code < 0x7F && code != '&' && code != '<' && code != '>')
            ewi_bytes_print(file, "%c", (int)code);
        else
            ewi_bytes_print(file, "&#x%X;", (unsigned)code);
    }
    ewi_bytes_print(file, "</title>\n");
}

static void add_base64(struct ewi_bytes *file, const struct ewi_bytes *from)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < from->count; k += 3) {
        uint32_t bits = 0;
        char four[4];
        for (size_t i = 0; i < 3; i++)
            bits = bits << 8 | (k + i < from->count ? from->at[k + i] : 0);
        for (size_t i = 0; i < 4; i++)
            four[i] = k + i > from->count ? '=' : digit[bits >> (18 - 6 * i) & 63];
        ewi_bytes_add(file, four, sizeof four);
    }
}

static int add_image(const struct ewi_canvas *canvas, const struct ewi_clip *clip, bool few, struct ewi_bytes *file,
                     ew_error *error)
{
    struct ewi_canvas cut = {0};
    struct ewi_bytes png = {.host = canvas->host};
    int status = ewi_canvas_cut(canvas, clip, &cut, error);
    if (status == EW_OK)
        status = ewi_png_make(&cut, few, "", &png, error);
    file->lacks = file->lacks || png.lacks;
    ewi_bytes_print(file, "<image x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" href=\"data:image/png;base64,", clip->x0,
                    clip->y0, cut.width, cut.height);
    add_base64(file, &png);
    ewi_bytes_print(file, "\"/>\n");
    ewi_bytes_free(&png);
    ewi_canvas_destroy(&cut);
    return status;
}

/*
 * Writes one path for all consecutive strokes of one width; strokes that continue the previous one become its corners.
 */
static void add_paths(const struct ewi_drawing *drawing, const struct ewi_drawn *drawn, struct ewi_bytes *file)
{
    const struct ewi_stroke *before = NULL;
    for (size_t k = drawn->first; k < drawn->end; k++) {
        const struct ewi_stroke *stroke = ewi_drawing_stroke(drawing, k);
        bool same = before && before->width == stroke->width;
        if (before && !same)
            ewi_bytes_print(file, "\"/>\n");
        if (!same)
            ewi_bytes_print(file, "<path stroke-width=\"%.4g\" d=\"", stroke->width);
        if (!same || before->x1 != stroke->x0 || before->y1 != stroke->y0)
            ewi_bytes_print(file, "M%.2f %.2f", stroke->x0, stroke->y0);
        ewi_bytes_print(file, "L%.2f %.2f", stroke->x1, stroke->y1);
        before = stroke;
    }
    if (before)
        ewi_bytes_print(file, "\"/>\n");
}

static void add_strokes(const struct ewi_drawing *drawing, size_t number, struct ewi_bytes *file)
{
    const struct ewi_drawn *drawn = ewi_drawing_at(drawing, number);
    const struct ewi_clip *clip = &drawn->clip;
    ewi_bytes_print(file, "<clipPath id=\"c%zu\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n",
                    number, clip->x0, clip->y0, clip->x1 - clip->x0, clip->y1 - clip->y0);
    ewi_bytes_print(file, "<g clip-path=\"url(#c%zu)\" stroke=\"#%06x\" stroke-opacity=\"%.4g\">\n", number,
                    (unsigned)drawn->colour, drawn->opacity);
    add_paths(drawing, drawn, file);
    ewi_bytes_print(file, "</g>\n");
}

int ewi_svg_make(const struct ewi_canvas *canvas, bool few, const char *title, struct ewi_bytes *file, ew_error *error)
{
    const struct ewi_drawing *drawing = canvas->drawing;
    ewi_bytes_print(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                    "fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n", canvas->width,
                    canvas->height, canvas->width, canvas->height);
    add_title(file, title);
    ewi_bytes_print(file, "<desc>edgewise %s</desc>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", ew_version(),
                    canvas->width, canvas->height);
    for (size_t k = 0; k < ewi_drawing_count(drawing); k++) {
        const struct ewi_drawn *drawn = ewi_drawing_at(drawing, k);
        if (drawn->is_image)
            TRY(add_image(canvas, &drawn->clip, few, file, error));
        else
            add_strokes(drawing, k, file);
    }
    ewi_bytes_print(file, "</svg>\n");
    return EW_OK;
}
