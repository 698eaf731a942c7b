/* SPDX-License-Identifier: BSD-2-Clause */
/* A picture as PDF 1.4 with one page: strokes as paths, pixels of fields as images. A pixel is 3/4 of a point. */
#include "config.h"
#include "ewi_drawing.h"
#include "ewi_error.h"

#include <string.h>
#ifdef EWI_HAVE_ZLIB
#include <zlib.h>
#endif

enum { CATALOGUE = 1, PAGES, PAGE, CONTENT, INFO, FIRST_IMAGE };

struct pdf {
    struct ewi_bytes *file, places; /* places: size_t[], offsets of the objects */
};

static void begin_object(struct pdf *pdf)
{
    ewi_bytes_add(&pdf->places, &pdf->file->count, sizeof pdf->file->count);
    ewi_bytes_print(pdf->file, "%zu 0 obj\n", pdf->places.count / sizeof pdf->file->count);
}

#ifdef EWI_HAVE_ZLIB
static const bool packs = true;

static void pack(const struct ewi_bytes *from, struct ewi_bytes *to)
{
    uLongf size = compressBound((uLong)from->count);
    Bytef *room = ewi_alloc_untouched(&from->host, size, 1);
    to->lacks = to->lacks || !room || compress2(room, &size, from->at, (uLong)from->count, 9) != Z_OK;
    if (room)
        ewi_bytes_add(to, room, size);
    ewi_free(&from->host, room);
}
#else
static const bool packs = false;

static void pack(const struct ewi_bytes *from, struct ewi_bytes *to)
{
    ewi_bytes_add(to, from->at, from->count);
}
#endif

/* Writes an object's dictionary, which the caller may have begun, and its bytes. */
static void end_stream(struct pdf *pdf, const struct ewi_bytes *stream)
{
    struct ewi_bytes packed = {.host = stream->host};
    if (!stream->lacks && stream->count > 0)
        pack(stream, &packed);
    pdf->file->lacks = pdf->file->lacks || stream->lacks || packed.lacks;
    ewi_bytes_print(pdf->file, "/Length %zu%s >>\nstream\n", packed.count,
                    packs ? " /Filter /FlateDecode" : "");
    ewi_bytes_add(pdf->file, packed.at, packed.count);
    ewi_bytes_print(pdf->file, "\nendstream\nendobj\n");
    ewi_bytes_free(&packed);
}

/* ---- content ----------------------------------------------------------------------------------------------------- */

static void add_strokes(const struct ewi_drawing *drawing, size_t number, struct ewi_bytes *content)
{
    const struct ewi_drawn *drawn = ewi_drawing_at(drawing, number);
    const struct ewi_clip *clip = &drawn->clip;
    const struct ewi_stroke *before = NULL;
    ewi_bytes_print(content, "q /G%zu gs %d %d %d %d re W n %.3f %.3f %.3f RG\n", number, clip->x0, clip->y0,
                    clip->x1 - clip->x0, clip->y1 - clip->y0, (drawn->colour >> 16 & 255) / 255.0,
                    (drawn->colour >> 8 & 255) / 255.0, (drawn->colour & 255) / 255.0);
    for (size_t k = drawn->first; k < drawn->end; k++) {
        const struct ewi_stroke *stroke = ewi_drawing_stroke(drawing, k);
        bool same = before && before->width == stroke->width;
        if (before && !same)
            ewi_bytes_print(content, "S\n");
        if (!same)
            ewi_bytes_print(content, "%.4g w\n", stroke->width);
        if (!same || before->x1 != stroke->x0 || before->y1 != stroke->y0)
            ewi_bytes_print(content, "%.2f %.2f m ", stroke->x0, stroke->y0);
        ewi_bytes_print(content, "%.2f %.2f l\n", stroke->x1, stroke->y1);
        before = stroke;
    }
    ewi_bytes_print(content, before ? "S Q\n" : "Q\n");
}

/* Uses coordinates like the canvas's, where y points down. */
static void add_content(struct pdf *pdf, const struct ewi_canvas *canvas)
{
    struct ewi_bytes content = {.host = canvas->host};
    int images = 0;
    ewi_bytes_print(&content, "0.75 0 0 -0.75 0 %.2f cm 1 J 1 j\n", 0.75 * canvas->height);
    for (size_t k = 0; k < ewi_drawing_count(canvas->drawing); k++) {
        const struct ewi_drawn *drawn = ewi_drawing_at(canvas->drawing, k);
        const struct ewi_clip *clip = &drawn->clip;
        if (drawn->is_image)
            ewi_bytes_print(&content, "q %d 0 0 %d %d %d cm /I%d Do Q\n", clip->x1 - clip->x0, clip->y0 - clip->y1,
                            clip->x0, clip->y1, images++);
        else
            add_strokes(canvas->drawing, k, &content);
    }
    begin_object(pdf);
    ewi_bytes_print(pdf->file, "<< ");
    end_stream(pdf, &content);
    ewi_bytes_free(&content);
}

/* Stores rows as differences from the pixel to the left, which compress better. */
static void add_image(struct pdf *pdf, const struct ewi_canvas *canvas, const struct ewi_clip *clip)
{
    struct ewi_bytes rows = {.host = canvas->host};
    int width = clip->x1 - clip->x0;
    for (int j = clip->y0; j < clip->y1; j++) {
        const uint8_t *row = canvas->rgb + 3 * ((size_t)j * (size_t)canvas->width + (size_t)clip->x0), sub = 1;
        if (packs)
            ewi_bytes_add(&rows, &sub, 1);
        for (int k = 0; k < 3 * width; k++) {
            uint8_t difference = (uint8_t)(row[k] - (k < 3 || !packs ? 0 : row[k - 3]));
            ewi_bytes_add(&rows, &difference, 1);
        }
    }
    begin_object(pdf);
    ewi_bytes_print(pdf->file, "<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB "
                    "/BitsPerComponent 8 ", width, clip->y1 - clip->y0);
    if (packs)
        ewi_bytes_print(pdf->file, "/DecodeParms << /Predictor 15 /Colors 3 /Columns %d >> ", width);
    end_stream(pdf, &rows);
    ewi_bytes_free(&rows);
}

/* ---- the document ------------------------------------------------------------------------------------------------ */

static void add_page(struct pdf *pdf, const struct ewi_canvas *canvas)
{
    int images = 0;
    begin_object(pdf);
    ewi_bytes_print(pdf->file, "<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %.2f %.2f] /Contents %d 0 R\n"
                    "/Resources << /ProcSet [/PDF /ImageC] /ExtGState <<", PAGES, 0.75 * canvas->width,
                    0.75 * canvas->height, CONTENT);
    for (size_t k = 0; k < ewi_drawing_count(canvas->drawing); k++)
        if (!ewi_drawing_at(canvas->drawing, k)->is_image)
            ewi_bytes_print(pdf->file, " /G%zu << /CA %.4g >>", k, ewi_drawing_at(canvas->drawing, k)->opacity);
    ewi_bytes_print(pdf->file, " >> /XObject <<");
    for (size_t k = 0; k < ewi_drawing_count(canvas->drawing); k++)
        if (ewi_drawing_at(canvas->drawing, k)->is_image) {
            ewi_bytes_print(pdf->file, " /I%d %d 0 R", images, FIRST_IMAGE + images);
            images++;
        }
    ewi_bytes_print(pdf->file, " >> >> >>\nendobj\n");
}

/* Writes the title in UTF-16. */
static void add_info(struct pdf *pdf, const char *title)
{
    begin_object(pdf);
    ewi_bytes_print(pdf->file, "<< /Producer (edgewise %s) /Title <FEFF", ew_version());
    while (*title) {
        uint32_t code = ewi_title_code(&title);
        if (code < 0x10000)
            ewi_bytes_print(pdf->file, "%04X", (unsigned)code);
        else
            ewi_bytes_print(pdf->file, "%04X%04X", 0xD800 + (unsigned)(code - 0x10000) / 1024,
                            0xDC00 + (unsigned)(code - 0x10000) % 1024);
    }
    ewi_bytes_print(pdf->file, "> >>\nendobj\n");
}

static void add_table(struct pdf *pdf)
{
    size_t start = pdf->file->count, objects = pdf->places.count / sizeof start;
    ewi_bytes_print(pdf->file, "xref\n0 %zu\n0000000000 65535 f \n", objects + 1);
    for (size_t k = 0; k < objects; k++)
        ewi_bytes_print(pdf->file, "%010zu 00000 n \n", ((const size_t *)(const void *)pdf->places.at)[k]);
    ewi_bytes_print(pdf->file, "trailer\n<< /Size %zu /Root %d 0 R /Info %d 0 R >>\nstartxref\n%zu\n%%%%EOF\n",
                    objects + 1, CATALOGUE, INFO, start);
}

int ewi_pdf_make(const struct ewi_canvas *canvas, const char *title, struct ewi_bytes *file, ew_error *error)
{
    struct pdf pdf = {.file = file, .places.host = canvas->host};
    (void)error;
    ewi_bytes_print(file, "%%PDF-1.4\n%%\xE2\xE3\xCF\xD3\n");
    begin_object(&pdf);
    ewi_bytes_print(file, "<< /Type /Catalog /Pages %d 0 R >>\nendobj\n", PAGES);
    begin_object(&pdf);
    ewi_bytes_print(file, "<< /Type /Pages /Kids [%d 0 R] /Count 1 >>\nendobj\n", PAGE);
    add_page(&pdf, canvas);
    add_content(&pdf, canvas);
    add_info(&pdf, title);
    for (size_t k = 0; k < ewi_drawing_count(canvas->drawing); k++)
        if (ewi_drawing_at(canvas->drawing, k)->is_image)
            add_image(&pdf, canvas, &ewi_drawing_at(canvas->drawing, k)->clip);
    file->lacks = file->lacks || pdf.places.lacks;
    if (!file->lacks)
        add_table(&pdf);
    ewi_bytes_free(&pdf.places);
    return EW_OK;
}
