/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From polynomials to samples, colours and lines. Threads share the picture's rows in bands, and each band visits the
 * elements in order, so the result is the same for any number of threads, even where triangles overlap.
 */
#include "ewi_scene.h"
#include "ewi_error.h"
#include "ewi_parallel.h"

#include <math.h>
#include <pthread.h>

enum {
    BAND = 32,      /* rows of pixels */
    SAMPLES = 65536 /* that a thread evaluates at a time, if each takes little time */
};

/* Acts on an element within rows first .. last-1 of pixels. */
typedef void element_action(const struct ewi_scene *scene, const struct ewi_patches *patches, int64_t e,
                            const double *xy, int first, int last, void *context);

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* The corners of an element in pixels of the field; false if no part of it is visible in the rows. */
static bool see_element(const struct ewi_scene *scene, const double *corner, int first, int last, double *xy)
{
    for (int k = 0; k < 3; k++) {
        xy[2 * k] = (corner[2 * k] - scene->x0) * scene->scale;
        xy[2 * k + 1] = (scene->y1 - corner[2 * k + 1]) * scene->scale;
    }
    double top = fmin(xy[1], fmin(xy[3], xy[5])), bottom = fmax(xy[1], fmax(xy[3], xy[5]));
    double left = fmin(xy[0], fmin(xy[2], xy[4])), right = fmax(xy[0], fmax(xy[2], xy[4]));
    return bottom >= first - 2 && top <= last + 2 && right >= -2 && left <= scene->width + 2;
}

static void act_on_band(const struct ewi_scene *scene, const struct ewi_patches *patches, int band, int bands,
                        element_action *action, void *context)
{
    int first = bands > 1 ? band * BAND : 0, last = bands > 1 ? smaller(first + BAND, scene->height) : scene->height;
    double xy[6];
    for (int64_t e = 0; e < patches->count; e++)
        if (see_element(scene, patches->corner + 6 * e, first, last, xy))
            action(scene, patches, e, xy, first, last, context);
}

struct acting {
    const struct ewi_scene *scene;
    const struct ewi_patches *patches;
    int bands;
    element_action *action;
    void *context;
};

static void act_on_bands(void *context, int64_t first, int64_t last)
{
    const struct acting *acting = context;
    for (int band = (int)first; band < last; band++)
        act_on_band(acting->scene, acting->patches, band, acting->bands, acting->action, acting->context);
}

/* In vector formats, one thread draws whole elements. `canvas` is NULL, or the target of the strokes. */
static int for_each_element(const struct ewi_scene *scene, const struct ewi_canvas *canvas, element_action *action,
                            void *context, ew_error *error)
{
    struct ewi_patches patches;
    int bands = canvas && canvas->drawing ? 1 : (scene->height + BAND - 1) / BAND;
    int status = ewi_patches_create(scene->results, scene->plot->field, scene->plot->frame, &patches, error);
    if (status != EW_OK)
        return status;
    for (int64_t first = 0; status == EW_OK && first < scene->results->elements; first += scene->results->slab) {
        status = ewi_patches_load(&patches, first, error);
        if (status == EW_OK)
            ewi_parallel_parts(scene->threads, bands, 1, act_on_bands,
                               &(struct acting){scene, &patches, bands, action, context});
    }
    ewi_patches_destroy(&patches);
    return status;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/*
 * A side of a triangle. Both triangles of an edge compute the same number for a point, because they take the edge's
 * ends in the same order. One of them owns the samples exactly on the edge, so that none is lost or counted twice.
 */
struct side {
    double x, y, dx, dy; /* direction from the lesser to the greater end */
    int sign;            /* 1: the triangle is to its left */
};

static struct side make_side(const double *a, const double *b, int orientation)
{
    bool ordered = a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
    const double *from = ordered ? a : b, *to = ordered ? b : a;
    return (struct side){.x = from[0], .y = from[1], .dx = to[0] - from[0], .dy = to[1] - from[1],
                         .sign = ordered ? orientation : -orientation};
}

static bool is_within(const struct side *side, double x, double y)
{
    double left = side->dx * (y - side->y) - side->dy * (x - side->x);
    return side->sign > 0 ? left >= 0 : left < 0;
}

static void store(const struct ewi_patches *patches, int64_t e, int n, const double *r, const double *s, double *sample)
{
    ewi_patches_evaluate(patches, e, n, r, s, sample);
    for (int k = 0; k < n; k++)
        if (!isfinite(sample[k]))
            sample[k] = INFINITY;
}

/* Evaluates samples from..to of a row, all in the element. */
static void sample_run(const struct ewi_patches *patches, int64_t e, const double *t, double det, int from, int to,
                       double y, double *row)
{
    double r[EWI_RUN], s[EWI_RUN];
    while (from <= to) {
        int n = smaller(to - from + 1, EWI_RUN);
        for (int k = 0; k < n; k++) {
            double x = from + k - t[0];
            r[k] = (x * (t[5] - t[1]) - (y - t[1]) * (t[4] - t[0])) / det;
            s[k] = ((t[2] - t[0]) * (y - t[1]) - (t[3] - t[1]) * x) / det;
        }
        store(patches, e, n, r, s, row + from);
        from += n;
    }
}

/* The samples of a row that may lie in the triangle, plus one on either side. */
static void find_reach(const double *t, double y, int width, int *from, int *to)
{
    double left = INFINITY, right = -INFINITY;
    for (int k = 0; k < 3; k++) {
        const double *a = &t[2 * k], *b = &t[2 * ((k + 1) % 3)];
        if ((a[1] < y && b[1] < y) || (a[1] > y && b[1] > y))
            continue;
        double x = a[1] == b[1] ? a[0] : a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        double other = a[1] == b[1] ? b[0] : x;
        left = fmin(left, fmin(x, other));
        right = fmax(right, fmax(x, other));
    }
    *from = (int)fmin(fmax(floor(left) - 1, 0), width);
    *to = (int)fmax(fmin(ceil(right) + 1, width - 1), -1);
}

/* Works in coordinates in which sample (i, j) is at (i, j). */
static void sample_element(const struct ewi_scene *scene, const struct ewi_patches *patches, int64_t e,
                           const double *xy, int first, int last, void *context)
{
    (void)context;
    int fine = scene->supersample, width = scene->width * fine;
    double t[6];
    for (int k = 0; k < 6; k++)
        t[k] = xy[k] * fine - 0.5;
    double det = (t[2] - t[0]) * (t[5] - t[1]) - (t[4] - t[0]) * (t[3] - t[1]);
    if (det == 0)
        return;
    int orientation = det > 0 ? 1 : -1;
    const struct side side[3] = {make_side(&t[0], &t[2], orientation), make_side(&t[2], &t[4], orientation),
                                 make_side(&t[4], &t[0], orientation)};
    int top = larger((int)fmax(ceil(fmin(t[1], fmin(t[3], t[5]))), -1), first * fine);
    int bottom = smaller((int)fmin(floor(fmax(t[1], fmax(t[3], t[5]))), 1e9), last * fine - 1);
    for (int j = top; j <= bottom; j++) {
        double *row = scene->sample + (size_t)j * (size_t)width;
        int from, to;
        find_reach(t, j, width, &from, &to);
        while (from <= to && !(is_within(&side[0], from, j) && is_within(&side[1], from, j) &&
                               is_within(&side[2], from, j)))
            from++;
        while (to >= from && !(is_within(&side[0], to, j) && is_within(&side[1], to, j) && is_within(&side[2], to, j)))
            to--;
        sample_run(patches, e, t, det, from, to, j, row);
    }
}

static int64_t samples(const struct ewi_scene *scene)
{
    return (int64_t)scene->width * scene->height * scene->supersample * scene->supersample;
}

static void empty(void *scene, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; k++)
        ((struct ewi_scene *)scene)->sample[k] = NAN;
}

int ewi_scene_sample(struct ewi_scene *scene, ew_error *error)
{
    ewi_parallel_parts(scene->threads, samples(scene), SAMPLES, empty, scene);
    return for_each_element(scene, NULL, sample_element, NULL, error);
}

struct extrema {
    const struct ewi_scene *scene;
    pthread_mutex_t lock;
    double least, greatest;
};

static void find_extrema(void *context, int64_t first, int64_t last)
{
    struct extrema *extrema = context;
    double least = INFINITY, greatest = -INFINITY, above = extrema->scene->logarithmic ? 0 : -INFINITY;
    for (int64_t k = first; k < last; k++) {
        double value = extrema->scene->sample[k];
        if (value > above && value < INFINITY) {
            least = value < least ? value : least;
            greatest = value > greatest ? value : greatest;
        }
    }
    pthread_mutex_lock(&extrema->lock);
    extrema->least = fmin(extrema->least, least);
    extrema->greatest = fmax(extrema->greatest, greatest);
    pthread_mutex_unlock(&extrema->lock);
}

void ewi_scene_extrema(const struct ewi_scene *scene, double *low, double *high)
{
    struct extrema extrema = {scene, PTHREAD_MUTEX_INITIALIZER, INFINITY, -INFINITY};
    ewi_parallel_parts(scene->threads, samples(scene), SAMPLES, find_extrema, &extrema);
    *low = extrema.least;
    *high = extrema.greatest;
}

/* ---- colours ----------------------------------------------------------------------------------------------------- */

static const double no_value[3] = {154, 154, 154}, outside[3] = {255, 255, 255};

static double position(const struct ewi_scene *scene, double value)
{
    double t = ewi_share(scene->low, scene->high, scene->logarithmic, value);
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static void add_colour(const struct ewi_scene *scene, double value, double sum[3])
{
    double rgb[3];
    const double *colour = rgb;
    if (isnan(value) || !scene->map)
        colour = outside;
    else if (isinf(value) || (scene->logarithmic && value <= 0))
        colour = no_value;
    else
        ewi_colour(scene->map, scene->reversed, position(scene, value), rgb);
    for (int k = 0; k < 3; k++)
        sum[k] += colour[k];
}

struct painting {
    const struct ewi_scene *scene;
    struct ewi_canvas *canvas;
};

static void colour_rows(void *context, int64_t first, int64_t last)
{
    const struct ewi_scene *scene = ((struct painting *)context)->scene;
    struct ewi_canvas *canvas = ((struct painting *)context)->canvas;
    int fine = scene->supersample;
    size_t width = (size_t)scene->width * (size_t)fine;
    for (int j = (int)first; j < last; j++)
        for (int i = 0; i < scene->width; i++) {
            double sum[3] = {0, 0, 0};
            for (int b = 0; b < fine; b++)
                for (int a = 0; a < fine; a++)
                    add_colour(scene, scene->sample[(size_t)(j * fine + b) * width + (size_t)(i * fine + a)], sum);
            uint8_t *rgb = canvas->rgb + 3 *
                           ((size_t)(scene->top + j) * (size_t)canvas->width + (size_t)(scene->left + i));
            for (int k = 0; k < 3; k++)
                rgb[k] = (uint8_t)(sum[k] / (fine * fine) + 0.5);
        }
}

void ewi_scene_colour(const struct ewi_scene *scene, struct ewi_canvas *canvas)
{
    ewi_parallel_parts(scene->threads, scene->height, 8, colour_rows, &(struct painting){scene, canvas});
}

/* ---- the outline ------------------------------------------------------------------------------------------------- */

/* Number of a pixel's samples in the mesh. Pixels outside the picture count as those at its edge. */
static int covered(const struct ewi_scene *scene, int i, int j)
{
    int fine = scene->supersample, count = 0;
    i = larger(0, smaller(i, scene->width - 1));
    j = larger(0, smaller(j, scene->height - 1));
    for (int b = 0; b < fine; b++)
        for (int a = 0; a < fine; a++)
            count += !isnan(scene->sample[(size_t)(j * fine + b) * (size_t)(scene->width * fine) +
                                          (size_t)(i * fine + a)]);
    return count;
}

/* The outline is darkest where the mesh covers half of a pixel's surroundings. */
static void outline_rows(void *context, int64_t first, int64_t last)
{
    const struct ewi_scene *scene = ((struct painting *)context)->scene;
    struct ewi_canvas *canvas = ((struct painting *)context)->canvas;
    double all = 9.0 * scene->supersample * scene->supersample;
    for (int j = (int)first; j < last; j++)
        for (int i = 0; i < scene->width; i++) {
            int count = 0;
            for (int k = 0; k < 9; k++)
                count += covered(scene, i + k % 3 - 1, j + k / 3 - 1);
            double share = count / all;
            canvas->mask[(size_t)(scene->top + j) * (size_t)canvas->width + (size_t)(scene->left + i)] =
                (uint8_t)(255 * fmin(4 * share * (1 - share), 1) + 0.5);
        }
}

void ewi_scene_outline(const struct ewi_scene *scene, struct ewi_canvas *canvas)
{
    ewi_parallel_parts(scene->threads, scene->height, 8, outline_rows, &(struct painting){scene, canvas});
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

struct lines {
    struct ewi_canvas *canvas;
    int count;
    const double *level;
    double width;
};

struct ewi_clip ewi_scene_clip(const struct ewi_scene *scene)
{
    return (struct ewi_clip){scene->left, scene->top, scene->left + scene->width, scene->top + scene->height};
}

static struct ewi_clip clip_of(const struct ewi_scene *scene, int first, int last)
{
    return (struct ewi_clip){scene->left, scene->top + first, scene->left + scene->width, scene->top + last};
}

/* Draws a level within a triangle, where the field is taken as linear. */
static void draw_level(const struct ewi_scene *scene, const struct ewi_clip *clip, const struct lines *lines,
                       const double *x, const double *y, const double *value, double level)
{
    double at[3][2];
    int found = 0;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        if ((value[k] >= level) == (value[next] >= level))
            continue;
        double t = (level - value[k]) / (value[next] - value[k]);
        at[found][0] = x[k] + t * (x[next] - x[k]);
        at[found++][1] = y[k] + t * (y[next] - y[k]);
    }
    if (found == 2)
        ewi_stroke(lines->canvas, clip, scene->left + at[0][0], scene->top + at[0][1], scene->left + at[1][0],
                   scene->top + at[1][1], lines->width);
}

static void draw_levels(const struct ewi_scene *scene, const struct ewi_clip *clip, const struct lines *lines,
                        const double *x, const double *y, const double *value)
{
    double low = fmin(value[0], fmin(value[1], value[2])), high = fmax(value[0], fmax(value[1], value[2]));
    if (!isfinite(low) || !isfinite(high) || isnan(value[0]) || isnan(value[1]) || isnan(value[2]))
        return;
    for (int k = 0; k < lines->count; k++)
        if (lines->level[k] >= low && lines->level[k] <= high)
            draw_level(scene, clip, lines, x, y, value, lines->level[k]);
}

/* Evaluates row j of the element cut into cuts^2 triangles: nodes 0 .. cuts - j. */
static void fill_row(const struct ewi_patches *patches, int64_t e, const double *xy, int cuts, int j, double *x,
                     double *y, double *value)
{
    double r[EWI_RUN], s[EWI_RUN];
    for (int i = 0; i + j <= cuts; i++) {
        r[i] = (double)i / cuts;
        s[i] = (double)j / cuts;
        x[i] = xy[0] + r[i] * (xy[2] - xy[0]) + s[i] * (xy[4] - xy[0]);
        y[i] = xy[1] + r[i] * (xy[3] - xy[1]) + s[i] * (xy[5] - xy[1]);
    }
    ewi_patches_evaluate(patches, e, cuts - j + 1, r, s, value);
}

/* The number of cuts: parts are at most PIXELS pixels long, short enough for straight lines. */
static int choose_cuts(const struct ewi_patches *patches, const double *xy)
{
    enum { PIXELS = 3, MOST = 128 };
    if (ewi_field_is_linear(patches->results, patches->field))
        return 1;
    double length = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = &xy[2 * k], *b = &xy[2 * ((k + 1) % 3)];
        length = fmax(length, hypot(b[0] - a[0], b[1] - a[1]));
    }
    return (int)fmin(fmax(ceil(length / PIXELS), 2), MOST);
}

static void draw_isolines(const struct ewi_scene *scene, const struct ewi_patches *patches, int64_t e, const double *xy,
                          int first, int last, void *context)
{
    const struct lines *lines = context;
    struct ewi_clip clip = clip_of(scene, first, last);
    double x[2][EWI_RUN], y[2][EWI_RUN], value[2][EWI_RUN];
    int cuts = choose_cuts(patches, xy);
    fill_row(patches, e, xy, cuts, 0, x[0], y[0], value[0]);
    for (int j = 0; j < cuts; j++) {
        int a = j % 2, b = 1 - a;
        fill_row(patches, e, xy, cuts, j + 1, x[b], y[b], value[b]);
        for (int i = 0; i + j < cuts; i++) {
            draw_levels(scene, &clip, lines, (double[]){x[a][i], x[a][i + 1], x[b][i]},
                        (double[]){y[a][i], y[a][i + 1], y[b][i]},
                        (double[]){value[a][i], value[a][i + 1], value[b][i]});
            if (i + j + 1 < cuts)
                draw_levels(scene, &clip, lines, (double[]){x[a][i + 1], x[b][i + 1], x[b][i]},
                            (double[]){y[a][i + 1], y[b][i + 1], y[b][i]},
                            (double[]){value[a][i + 1], value[b][i + 1], value[b][i]});
        }
    }
}

static void draw_edges(const struct ewi_scene *scene, const struct ewi_patches *patches, int64_t e, const double *xy,
                       int first, int last, void *context)
{
    (void)patches, (void)e;
    const struct lines *lines = context;
    struct ewi_clip clip = clip_of(scene, first, last);
    for (int k = 0; k < 3; k++) {
        const double *a = &xy[2 * k], *b = &xy[2 * ((k + 1) % 3)];
        ewi_stroke(lines->canvas, &clip, scene->left + a[0], scene->top + a[1], scene->left + b[0], scene->top + b[1],
                   lines->width);
    }
}

int ewi_scene_isolines(const struct ewi_scene *scene, struct ewi_canvas *canvas, int count, const double *level,
                       double width, ew_error *error)
{
    struct lines lines = {.canvas = canvas, .count = count, .level = level, .width = width};
    return for_each_element(scene, canvas, draw_isolines, &lines, error);
}

int ewi_scene_mesh(const struct ewi_scene *scene, struct ewi_canvas *canvas, double width, ew_error *error)
{
    struct lines lines = {.canvas = canvas, .width = width};
    return for_each_element(scene, canvas, draw_edges, &lines, error);
}
