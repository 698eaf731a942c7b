/* SPDX-License-Identifier: BSD-2-Clause */
/* PNG by libpng: 8 bits of red, green and blue, or a palette of such colours. */
#include "config.h"
#include "ewi_drawing.h"
#include "ewi_error.h"
#include "ewi_text.h"

#ifdef EWI_HAVE_PNG
#include <png.h>
#include <setjmp.h>

struct pixels {
    const uint8_t *at;
    int width, height, channels; /* channels: 1: indices of the palette; 3: colours; 4: colours with opacity */
    const struct ewi_palette *palette;
};

struct writer {
    struct ewi_bytes *file;
    const char *message; /* libpng's message about the failure */
    bool no_memory;
};

static png_voidp allocate(png_structp png, png_alloc_size_t bytes)
{
    struct writer *writer = png_get_mem_ptr(png);
    void *memory = ewi_alloc(&writer->file->host, bytes, 1);
    writer->no_memory = writer->no_memory || !memory;
    return memory;
}

static void release(png_structp png, png_voidp memory)
{
    struct writer *writer = png_get_mem_ptr(png);
    ewi_free(&writer->file->host, memory);
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
    ewi_bytes_add(writer->file, bytes, count);
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

static void put_palette(png_structp png, png_infop info, const struct ewi_palette *palette)
{
    png_color colour[EWI_PALETTE];
    for (int k = 0; k < palette->count; k++)
        colour[k] = (png_color){palette->rgb[k][0], palette->rgb[k][1], palette->rgb[k][2]};
    png_set_PLTE(png, info, colour, palette->count);
    png_set_compression_level(png, 9); /* the data are small */
}

/* A separate function, so that no variable changed after setjmp is used after longjmp. */
static int write_picture(png_structp png, png_infop info, const struct pixels *pixels, png_text *texts)
{
    const int type = pixels->palette        ? PNG_COLOR_TYPE_PALETTE
                     : pixels->channels > 3 ? PNG_COLOR_TYPE_RGB_ALPHA
                                            : PNG_COLOR_TYPE_RGB;
    if (setjmp(png_jmpbuf(png)))
        return EW_EIO;
    png_set_IHDR(png, info, (png_uint_32)pixels->width, (png_uint_32)pixels->height, 8, type, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (pixels->palette)
        put_palette(png, info, pixels->palette);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_text(png, info, texts, 2);
    png_write_info(png, info);
    for (int j = 0; j < pixels->height; j++)
        png_write_row(png, pixels->at + (size_t)j * (size_t)(pixels->width * pixels->channels));
    png_write_end(png, info);
    return EW_OK;
}

static int fail(const struct writer *writer, ew_error *error)
{
    if (writer->no_memory)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to write a PNG picture");
    return ewi_fail(error, EW_EIO, "cannot write a PNG picture: %s",
                    writer->message ? writer->message : "libpng failed");
}

static int make(const struct pixels *pixels, const char *title, struct ewi_bytes *file, ew_error *error)
{
    struct writer writer = {.file = file};
    char software[64], title_key[] = "Title", software_key[] = "Software", text[512];
    ewi_snprintf(software, sizeof software, "edgewise %s", ew_version());
    ewi_snprintf(text, sizeof text, "%s", title);
    png_text texts[2] = {{.compression = PNG_TEXT_COMPRESSION_NONE, .key = title_key, .text = text},
                         {.compression = PNG_TEXT_COMPRESSION_NONE, .key = software_key, .text = software}};
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &writer, note_failure, ignore_warning, &writer,
                                                allocate, release);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    int status = EW_ENOMEM;
    if (info) {
        png_set_write_fn(png, &writer, write_bytes, flush_bytes);
        status = write_picture(png, info, pixels, texts);
    }
    png_destroy_write_struct(&png, &info);
    return status == EW_OK ? EW_OK : fail(&writer, error);
}

int ewi_png_make(const struct ewi_canvas *canvas, bool few, const char *title, struct ewi_bytes *file,
                 ew_error *error)
{
    struct ewi_palette palette = {0};
    int status = few ? ewi_palette_create(canvas, &palette, error) : EW_OK;
    if (status == EW_OK)
        status = make(&(struct pixels){.at = few ? palette.index : canvas->rgb, .width = canvas->width,
                                       .height = canvas->height, .channels = few ? 1 : 3,
                                       .palette = few ? &palette : NULL}, title, file, error);
    ewi_palette_destroy(&palette);
    return status;
}

int ewi_png_make_rgba(int width, int height, const uint8_t *rgba, struct ewi_bytes *file, ew_error *error)
{
    return make(&(struct pixels){.at = rgba, .width = width, .height = height, .channels = 4}, "", file, error);
}

#else

static int lacks(ew_error *error)
{
    return ewi_fail(error, EW_EUNAVAILABLE, "cannot write a PNG picture: this edgewise was built without libpng; "
                    "install it (apt libpng-dev, dnf libpng-devel, zypper libpng16-devel, pacman libpng), configure "
                    "and build again");
}

int ewi_png_make(const struct ewi_canvas *canvas, bool few, const char *title, struct ewi_bytes *file,
                 ew_error *error)
{
    (void)canvas, (void)few, (void)title, (void)file;
    return lacks(error);
}

int ewi_png_make_rgba(int width, int height, const uint8_t *rgba, struct ewi_bytes *file, ew_error *error)
{
    (void)width, (void)height, (void)rgba, (void)file;
    return lacks(error);
}

#endif
