/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Films as animated PNG (PNG specification, third edition): chunks of PNG pictures in sequence. Pixels that have not
 * changed since the previous frame are transparent, and so take hardly any room.
 */
#include "ewi_drawing.h"
#include "ewi_error.h"
#include "ewi_scene.h"

#include <math.h>
#include <string.h>

struct ew_film {
    ew_host host;
    char *path;
    int frames, added, width, height;
    uint32_t sequence; /* number of the next chunk fcTL or fdAT */
    uint32_t delay;    /* milliseconds */
    uint8_t *rgb;      /* the last frame */
    struct ewi_bytes file;
};

enum { SIGNATURE = 8, HEAD = 8, CHECK = 4 /* bytes before the chunks of a file, before a chunk's data, after them */ };

int ew_film_create(const ew_host *host, const char *path, int frames, double rate, ew_film **film, ew_error *error)
{
    EWI_REQUIRE(path, film);
    ew_host own = ewi_host_or_default(host);
    if (frames < 2)
        return ewi_fail(error, EW_EINVAL, "a film needs two frames or more, not %d", frames);
    if (frames > EW_PLOT_FRAMES)
        return ewi_fail(error, EW_EINVAL, "a film of %d frames is too long; it can have %d", frames, EW_PLOT_FRAMES);
    if (!(rate >= 0.1 && rate <= 100))
        return ewi_fail(error, EW_EINVAL, "%g frames a second are not possible; 0.1 to 100 are", rate);
    struct ew_film *made = ewi_alloc(&own, 1, sizeof *made);
    char *copy = made ? ewi_strdup(&own, path) : NULL;
    if (!copy) {
        ewi_free(&own, made);
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the film %s", path);
    }
    *made = (struct ew_film){.host = own, .path = copy, .frames = frames, .delay = (uint32_t)lrint(1000 / rate),
                             .file.host = own};
    *film = made;
    return EW_OK;
}

void ew_film_destroy(ew_film *film)
{
    if (!film)
        return;
    ew_host host = film->host;
    ewi_bytes_free(&film->file);
    ewi_free(&host, film->rgb);
    ewi_free(&host, film->path);
    ewi_free(&host, film);
}

/* ---- chunks ------------------------------------------------------------------------------------------------------ */

static uint32_t check_sum(const uint8_t *bytes, size_t count)
{
    uint32_t sum = 0xFFFFFFFF;
    for (size_t k = 0; k < count; k++) {
        sum ^= bytes[k];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320 : 0);
    }
    return ~sum;
}

static void add_chunk(struct ewi_bytes *file, const char *type, const struct ewi_bytes *data)
{
    ewi_bytes_add_big_endian(file, (uint32_t)data->count);
    size_t start = file->count;
    ewi_bytes_add(file, type, 4);
    ewi_bytes_add(file, data->at, data->count);
    file->lacks = file->lacks || data->lacks;
    if (!file->lacks)
        ewi_bytes_add_big_endian(file, check_sum(file->at + start, file->count - start));
}

/* acTL: the number of frames; the film repeats for ever. */
static void add_animation(struct ew_film *film)
{
    struct ewi_bytes data = {.host = film->host};
    ewi_bytes_add_big_endian(&data, (uint32_t)film->frames);
    ewi_bytes_add_big_endian(&data, 0);
    add_chunk(&film->file, "acTL", &data);
    ewi_bytes_free(&data);
}

/* fcTL: a full-size frame, drawn over the previous one. */
static void add_control(struct ew_film *film)
{
    struct ewi_bytes data = {.host = film->host};
    const uint8_t end[] = {1000 >> 8, 1000 & 255, 0, film->added > 0};
    ewi_bytes_add_big_endian(&data, film->sequence++);
    ewi_bytes_add_big_endian(&data, (uint32_t)film->width);
    ewi_bytes_add_big_endian(&data, (uint32_t)film->height);
    ewi_bytes_add_big_endian(&data, 0);
    ewi_bytes_add_big_endian(&data, 0);
    ewi_bytes_add(&data, (const uint8_t[]){(uint8_t)(film->delay >> 8), (uint8_t)film->delay}, 2);
    ewi_bytes_add(&data, end, sizeof end);
    add_chunk(&film->file, "fcTL", &data);
    ewi_bytes_free(&data);
}

static void add_data(struct ew_film *film, const uint8_t *bytes, size_t count)
{
    struct ewi_bytes data = {.host = film->host};
    if (film->added > 0)
        ewi_bytes_add_big_endian(&data, film->sequence++);
    ewi_bytes_add(&data, bytes, count);
    add_chunk(&film->file, film->added > 0 ? "fdAT" : "IDAT", &data);
    ewi_bytes_free(&data);
}

/* Adds all chunks of the first picture but its end, with those of the animation; of later pictures only the pixels. */
static void add_picture(struct ew_film *film, const struct ewi_bytes *png)
{
    bool begun = false;
    if (film->added == 0)
        ewi_bytes_add(&film->file, png->at, SIGNATURE);
    for (size_t at = SIGNATURE; at + HEAD + CHECK <= png->count;) {
        const uint8_t *chunk = png->at + at;
        size_t count = (size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 | chunk[3];
        bool pixels = memcmp(chunk + 4, "IDAT", 4) == 0, end = memcmp(chunk + 4, "IEND", 4) == 0;
        if (pixels && !begun && film->added == 0)
            add_animation(film);
        if (pixels && !begun)
            add_control(film);
        begun = begun || pixels;
        if (pixels)
            add_data(film, chunk + HEAD, count);
        else if (film->added == 0 && !end)
            ewi_bytes_add(&film->file, chunk, HEAD + count + CHECK);
        at += HEAD + count + CHECK;
    }
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static void find_changes(const struct ew_film *film, const struct ewi_canvas *canvas, uint8_t *rgba)
{
    size_t pixels = (size_t)canvas->width * (size_t)canvas->height;
    for (size_t k = 0; k < pixels; k++)
        if (!film->rgb || memcmp(film->rgb + 3 * k, canvas->rgb + 3 * k, 3) != 0) {
            memcpy(rgba + 4 * k, canvas->rgb + 3 * k, 3);
            rgba[4 * k + 3] = 255;
        }
}

static void keep_pixels(struct ew_film *film, const struct ewi_canvas *canvas)
{
    size_t bytes = 3 * (size_t)canvas->width * (size_t)canvas->height;
    if (!film->rgb)
        film->rgb = ewi_alloc_untouched(&film->host, bytes, 1);
    film->file.lacks = film->file.lacks || !film->rgb;
    if (film->rgb)
        memcpy(film->rgb, canvas->rgb, bytes);
}

static int add_canvas(struct ew_film *film, const struct ewi_canvas *canvas, ew_error *error)
{
    if (film->added == film->frames)
        return ewi_fail(error, EW_EINVAL, "the film %s has all of its %d frames", film->path, film->frames);
    if (film->added > 0 && (canvas->width != film->width || canvas->height != film->height))
        return ewi_fail(error, EW_EINVAL, "frame %d of %s has %d by %d pixels, those before %d by %d", film->added,
                        film->path, canvas->width, canvas->height, film->width, film->height);
    film->width = canvas->width;
    film->height = canvas->height;
    struct ewi_bytes png = {.host = film->host};
    uint8_t *rgba = ewi_alloc(&film->host, 4 * (size_t)film->width, (size_t)film->height);
    if (!rgba)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the film %s", film->path);
    find_changes(film, canvas, rgba);
    int status = ewi_png_make_rgba(film->width, film->height, rgba, &png, error);
    film->file.lacks = film->file.lacks || png.lacks;
    if (status == EW_OK && !png.lacks) {
        add_picture(film, &png);
        film->added++;
        keep_pixels(film, canvas);
    }
    ewi_bytes_free(&png);
    ewi_free(&film->host, rgba);
    if (status == EW_OK && film->file.lacks)
        status = ewi_fail(error, EW_ENOMEM, "not enough memory for the film %s", film->path);
    return status;
}

int ew_film_add(ew_film *film, const ew_results *results, int plots, const ew_plot *plot, const char *title,
                ew_plot_shown *shown, ew_error *error)
{
    EWI_REQUIRE(film, results, plot);
    struct ewi_canvas canvas;
    char text[EWI_TITLE];
    TRY(ewi_plots_title(results, plots, plot, title, text, error));
    int status = ewi_plots_draw(results, plots, plot, text, EWI_PNG, &canvas, shown, error);
    if (status == EW_OK)
        status = add_canvas(film, &canvas, error);
    ewi_canvas_destroy(&canvas);
    return status;
}

int ew_film_add_probe(ew_film *film, const ew_results *results, const ew_probe *probe, ew_error *error)
{
    EWI_REQUIRE(film, results, probe);
    struct ewi_canvas canvas;
    int status = ewi_probe_draw(results, probe, &canvas, error);
    if (status == EW_OK)
        status = add_canvas(film, &canvas, error);
    ewi_canvas_destroy(&canvas);
    return status;
}

int ew_film_write(ew_film *film, ew_error *error)
{
    EWI_REQUIRE(film);
    if (film->added < film->frames)
        return ewi_fail(error, EW_EINVAL, "the film %s has %d of its %d frames", film->path, film->added,
                        film->frames);
    add_chunk(&film->file, "IEND", &(struct ewi_bytes){0});
    return ewi_bytes_write(&film->file, film->path, error);
}
