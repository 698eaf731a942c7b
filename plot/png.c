/* SPDX-License-Identifier: BSD-2-Clause */
/* PNG by libpng: 8 bits of red, green and blue, or a palette of such colours. */
#include "config.h"
#include "ewi_canvas.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_output_file.h"

#include <errno.h>

#ifdef EWI_HAVE_PNG
#include <png.h>
#include <setjmp.h>
#include <string.h>

struct writer {
    struct ewi_output output;
    const char *message; /* libpng's, of the failure */
    bool no_memory;
    int error_number;
};

static png_voidp allocate(png_structp png, png_alloc_size_t bytes)
{
    struct writer *writer = png_get_mem_ptr(png);
    void *memory = ewi_alloc(&writer->output.host, bytes, 1);
    writer->no_memory = writer->no_memory || !memory;
    return memory;
}

static void release(png_structp png, png_voidp memory)
{
    struct writer *writer = png_get_mem_ptr(png);
    ewi_free(&writer->output.host, memory);
}

static void note_failure(png_structp png, png_const_charp message)
{
    struct writer *writer = png_get_error_ptr(png);
    writer->message = message;
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count)
{
    struct writer *writer = png_get_io_ptr(png);
    errno = 0;
    if (fwrite(bytes, 1, count, writer->output.file) != count) {
        writer->error_number = errno ? errno : EIO;
        png_error(png, "writing failed");
    }
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

/* A function of its own, so that no variable changed after setjmp is used after longjmp. */
static int write_picture(png_structp png, png_infop info, const struct ewi_canvas *canvas,
                         const struct ewi_palette *palette, png_text *texts)
{
    const uint8_t *pixels = palette ? palette->index : canvas->rgb;
    size_t row = (size_t)canvas->width * (palette ? 1 : 3);
    if (setjmp(png_jmpbuf(png)))
        return EW_EIO;
    png_set_IHDR(png, info, (png_uint_32)canvas->width, (png_uint_32)canvas->height, 8,
                 palette ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (palette) {
        png_color colour[EWI_PALETTE];
        for (int k = 0; k < palette->count; k++)
            colour[k] = (png_color){palette->rgb[k][0], palette->rgb[k][1], palette->rgb[k][2]};
        png_set_PLTE(png, info, colour, palette->count);
        png_set_compression_level(png, 9); /* there is little to compress */
    }
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_text(png, info, texts, 2);
    png_write_info(png, info);
    for (int j = 0; j < canvas->height; j++)
        png_write_row(png, pixels + (size_t)j * row);
    png_write_end(png, info);
    return EW_OK;
}

static int fail(const struct writer *writer, ew_error *error)
{
    if (writer->no_memory)
        return ewi_fail(error, EW_ENOMEM, "there is no memory to write %s", writer->output.path);
    if (writer->error_number)
        return ewi_output_failure(&writer->output, writer->error_number, error);
    return ewi_fail(error, EW_EIO, "cannot write %s: %s", writer->output.path,
                    writer->message ? writer->message : "libpng failed");
}

static int write_file(const ew_host *host, const struct ewi_canvas *canvas, const struct ewi_palette *palette,
                      const char *title, const char *path, ew_error *error)
{
    struct writer writer = {0};
    int status = ewi_output_open(host, path, &writer.output, error);
    if (status != EW_OK)
        return status;
    char software[64], title_key[] = "Title", software_key[] = "Software", text[512];
    snprintf(software, sizeof software, "edgewise %s", ew_version());
    snprintf(text, sizeof text, "%s", title);
    png_text texts[2] = {{.compression = PNG_TEXT_COMPRESSION_NONE, .key = title_key, .text = text},
                         {.compression = PNG_TEXT_COMPRESSION_NONE, .key = software_key, .text = software}};
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &writer, note_failure, ignore_warning, &writer,
                                                allocate, release);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (info) {
        png_set_write_fn(png, &writer, write_bytes, flush_bytes);
        status = write_picture(png, info, canvas, palette, texts) == EW_OK ? EW_OK : fail(&writer, error);
    } else {
        status = fail(&writer, error);
    }
    png_destroy_write_struct(&png, &info);
    return ewi_output_close(&writer.output, status, error);
}

int ewi_png_write(const ew_host *host, const struct ewi_canvas *canvas, bool few, const char *title, const char *path,
                  ew_error *error)
{
    struct ewi_palette palette = {0};
    int status = few ? ewi_palette_create(canvas, &palette, error) : EW_OK;
    if (status == EW_OK)
        status = write_file(host, canvas, few ? &palette : NULL, title, path, error);
    ewi_palette_destroy(&palette);
    return status;
}

#else

int ewi_png_write(const ew_host *host, const struct ewi_canvas *canvas, bool few, const char *title, const char *path,
                  ew_error *error)
{
    (void)host, (void)canvas, (void)few, (void)title;
    return ewi_fail(error, EW_EUNAVAILABLE, "cannot write %s: this edgewise was built without libpng; install it (apt "
                    "libpng-dev, dnf libpng-devel, zypper libpng16-devel, pacman libpng), configure and build again",
                    path);
}

#endif
