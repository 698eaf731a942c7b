/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * At most 256 colours for a picture. The set of its colours is split repeatedly at the mean of the channel in which
 * they differ most, and each part becomes its mean. If the picture has few colours, all are kept. A colour's weight is
 * the root of its number of pixels: otherwise the colour bar, which has few pixels, would become stripes.
 */
#include "config.h"
#include "ewi_canvas.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <math.h>
#include <stdlib.h>

struct shade {
    uint32_t colour, part;
    uint64_t pixels, weight;
};

struct part {
    size_t first, end; /* range in the shades */
    int channel;       /* the channel in which they differ most, ... */
    double spread;     /* ... the sum of squared differences from its mean, ... */
    double mean;       /* ... and this mean */
};

static uint32_t channel_of(uint32_t colour, int channel)
{
    return colour >> (16 - 8 * channel) & 0xff;
}

static int compare_colours(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static int compare_shades(const void *a, const void *b)
{
    return compare_colours(&((const struct shade *)a)->colour, &((const struct shade *)b)->colour);
}

static uint32_t colour_at(const struct ewi_canvas *canvas, size_t k)
{
    const uint8_t *rgb = canvas->rgb + 3 * k;
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

/* Lists the shades in the order of their colours; sorts `colour`. */
static size_t count_shades(const uint32_t *colour, size_t pixels, struct shade *shade)
{
    size_t count = 0;
    for (size_t k = 0; k < pixels; k++) {
        if (k == 0 || colour[k] != colour[k - 1]) {
            count++;
            if (shade)
                shade[count - 1] = (struct shade){.colour = colour[k]};
        }
        if (shade)
            shade[count - 1].pixels++;
    }
    for (size_t k = 0; shade && k < count; k++)
        shade[k].weight = (uint64_t)ceil(sqrt((double)shade[k].pixels));
    return count;
}

static double mean_of(const struct shade *shade, const struct part *part, int channel, double *spread)
{
    uint64_t weight = 0, sum = 0, squares = 0;
    for (size_t k = part->first; k < part->end; k++) {
        uint64_t c = channel_of(shade[k].colour, channel);
        weight += shade[k].weight;
        sum += shade[k].weight * c;
        squares += shade[k].weight * c * c;
    }
    double mean = (double)sum / (double)weight;
    *spread = (double)squares - mean * (double)sum;
    return mean;
}

static struct part measured(const struct shade *shade, size_t first, size_t end)
{
    struct part part = {.first = first, .end = end};
    for (int channel = 0; channel < 3 && end - first > 1; channel++) {
        double spread, mean = mean_of(shade, &part, channel, &spread);
        if (spread > part.spread) {
            part.channel = channel;
            part.spread = spread;
            part.mean = mean;
        }
    }
    return part;
}

/* Moves shades below the mean to the front and keeps the order otherwise. `other` has room for all. */
static size_t parted(struct shade *shade, const struct part *part, struct shade *other)
{
    size_t below = part->first, above = 0;
    for (size_t k = part->first; k < part->end; k++)
        if (channel_of(shade[k].colour, part->channel) < part->mean)
            shade[below++] = shade[k];
        else
            other[above++] = shade[k];
    for (size_t k = 0; k < above; k++)
        shade[below + k] = other[k];
    return below;
}

static int part_shades(struct shade *shade, size_t count, struct shade *other, struct part *part)
{
    int parts = 1;
    part[0] = measured(shade, 0, count);
    while (parts < EWI_PALETTE) {
        struct part *widest = part;
        for (int k = 1; k < parts; k++)
            if (part[k].spread > widest->spread)
                widest = part + k;
        if (!(widest->spread > 0))
            break;
        size_t middle = parted(shade, widest, other);
        part[parts++] = measured(shade, middle, widest->end);
        *widest = measured(shade, widest->first, middle);
    }
    return parts;
}

static void take_means(struct shade *shade, const struct part *part, struct ewi_palette *palette)
{
    for (int k = 0; k < palette->count; k++) {
        for (int channel = 0; channel < 3; channel++) {
            double spread;
            palette->rgb[k][channel] = (uint8_t)(mean_of(shade, &part[k], channel, &spread) + 0.5);
        }
        for (size_t s = part[k].first; s < part[k].end; s++)
            shade[s].part = (uint32_t)k;
    }
}

static void place(const struct ewi_canvas *canvas, size_t pixels, const struct shade *shade, size_t count,
                  uint8_t *index)
{
    const struct shade *found = shade;
    for (size_t k = 0; k < pixels; k++) {
        struct shade wanted = {.colour = colour_at(canvas, k)};
        if (found->colour != wanted.colour)
            found = bsearch(&wanted, shade, count, sizeof *shade, compare_shades);
        index[k] = (uint8_t)found->part;
    }
}

int ewi_palette_create(const struct ewi_canvas *canvas, struct ewi_palette *palette, ew_error *error)
{
    const ew_host *host = &canvas->host;
    size_t pixels = (size_t)canvas->width * (size_t)canvas->height, count = 0;
    struct part part[EWI_PALETTE];
    struct shade *shade = NULL;
    uint32_t *colour = ewi_alloc_untouched(host, pixels, sizeof *colour);
    *palette = (struct ewi_palette){.host = *host, .index = ewi_alloc_untouched(host, pixels, 1)};
    if (colour) {
        for (size_t k = 0; k < pixels; k++)
            colour[k] = colour_at(canvas, k);
        qsort(colour, pixels, sizeof *colour, compare_colours);
        count = count_shades(colour, pixels, NULL);
        shade = ewi_alloc_untouched(host, 2 * count, sizeof *shade); /* the second half is for parted() */
    }
    if (shade && palette->index) {
        count_shades(colour, pixels, shade);
        palette->count = part_shades(shade, count, shade + count, part);
        take_means(shade, part, palette);
        qsort(shade, count, sizeof *shade, compare_shades);
        place(canvas, pixels, shade, count, palette->index);
    }
    ewi_free(host, shade);
    ewi_free(host, colour);
    return palette->count ? EW_OK : ewi_fail(error, EW_ENOMEM, "not enough memory for the palette of a picture");
}

void ewi_palette_destroy(struct ewi_palette *palette)
{
    ewi_free(&palette->host, palette->index);
    *palette = (struct ewi_palette){0};
}
