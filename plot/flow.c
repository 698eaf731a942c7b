/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The velocity as arrows or streamlines. It is sampled once at the middle of each pixel of the field. Streamlines are
 * evenly spaced: B. Jobard and W. Lefer, "Creating evenly-spaced streamlines of arbitrary density", Visualization in
 * Scientific Computing '97, 43-55 (1997).
 */
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP 1.5         /* length of a step along a streamline in pixels */
#define NEAREST 0.5      /* least distance of two lines, relative to that of their starts */
#define STILL 0.01       /* relative to the usual greatest speed: lines end where the flow is slower */
#define USUAL 0.99       /* quantile of the speeds, since one pixel may be much faster than all others */
enum {
    MOST_POINTS = 8000, /* per line */
    TAKEN = 1 << 17     /* speeds from which the quantile is computed */
};

struct point {
    double x, y; /* pixels of the field, y down */
};

struct flow {
    const struct ewi_scene *scene;
    struct ewi_arena memory;
    double *u, *v; /* [height][width] */
    double usual; /* usual greatest speed */
    /* For streamlines: the points of all lines in square cells, and the line that is growing. */
    double apart;
    int across, down;
    int *first, *next; /* [cells], [room]: lists of points, ended by -1 */
    int points, room;
    struct point *point;
    struct point *line; /* [MOST_POINTS] */
};

/* ---- the velocity ------------------------------------------------------------------------------------------------ */

static int find_component(const struct ew_results *results, const char *name)
{
    for (int k = 0; k < results->fields; k++)
        if (strcmp(results->field[k].name, name) == 0)
            return k;
    return -1;
}

static int sample_component(struct flow *flow, const char *name, double **values, ew_error *error)
{
    const struct ewi_scene *scene = flow->scene;
    ew_plot plot = *scene->plot;
    struct ewi_scene one = *scene;
    plot.field = find_component(scene->results, name);
    if (plot.field < 0)
        return ewi_fail(error, EW_EINVAL, "%s has no velocity: arrows and streamlines need the fields u and v; "
                        "output.fields.variables of the case may name them", scene->results->path);
    one.plot = &plot;
    one.supersample = 1;
    one.sample = *values =
        ewi_arena_alloc(&flow->memory, (size_t)scene->width * (size_t)scene->height, sizeof **values);
    if (!one.sample)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the velocity of %s", scene->results->path);
    return ewi_scene_sample(&one, error);
}

static double speed_at(const struct flow *flow, size_t k)
{
    return hypot(flow->u[k], flow->v[k]);
}

/* Uses every pixel, or evenly spaced ones. */
static int find_usual(struct flow *flow, ew_error *error)
{
    size_t pixels = (size_t)flow->scene->width * (size_t)flow->scene->height, step = pixels / TAKEN + 1, count = 0;
    double *speed = ewi_alloc_untouched(&flow->scene->host, TAKEN, sizeof *speed);
    if (!speed)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the velocity of %s", flow->scene->results->path);
    for (size_t k = 0; k < pixels; k += step)
        if (isfinite(speed_at(flow, k)))
            speed[count++] = speed_at(flow, k);
    qsort(speed, count, sizeof *speed, ewi_compare_numbers);
    flow->usual = count > 0 ? speed[(size_t)(USUAL * (double)(count - 1))] : 0;
    ewi_free(&flow->scene->host, speed);
    return EW_OK;
}

static int sample_flow(const struct ewi_scene *scene, struct flow *flow, ew_error *error)
{
    *flow = (struct flow){.scene = scene, .memory.host = scene->host};
    TRY(sample_component(flow, "u", &flow->u, error));
    TRY(sample_component(flow, "v", &flow->v, error));
    return find_usual(flow, error);
}

int ewi_scene_speed(const struct ewi_scene *scene, double *usual, ew_error *error)
{
    struct flow flow;
    int status = sample_flow(scene, &flow, error);
    *usual = flow.usual;
    ewi_arena_free(&flow.memory);
    return status;
}

/* Interpolates between the four pixels around a point; false if one of them has no value, or the flow is still. */
static bool direction_at(const struct flow *flow, struct point at, struct point *direction)
{
    int width = flow->scene->width, height = flow->scene->height;
    double x = at.x - 0.5, y = at.y - 0.5;
    if (!(x >= -0.5 && y >= -0.5 && x <= width - 0.5 && y <= height - 0.5))
        return false;
    int i = (int)fmin(fmax(floor(x), 0), fmax(width - 2, 0)), j = (int)fmin(fmax(floor(y), 0), fmax(height - 2, 0));
    double s = fmin(fmax(x - i, 0), 1), t = fmin(fmax(y - j, 0), 1), u = 0, v = 0;
    for (int k = 0; k < 4; k++) {
        int a = i + k % 2 < width ? i + k % 2 : i, b = j + k / 2 < height ? j + k / 2 : j;
        double share = (k % 2 ? s : 1 - s) * (k / 2 ? t : 1 - t);
        u += share * flow->u[(size_t)b * (size_t)width + (size_t)a];
        v += share * flow->v[(size_t)b * (size_t)width + (size_t)a];
    }
    double speed = hypot(u, v);
    *direction = (struct point){u / speed, -v / speed};
    return isfinite(speed) && speed > STILL * flow->usual;
}

/* ---- arrows ------------------------------------------------------------------------------------------------------ */

/* Draws a filled arrow head at (x, y) that points along (dx, dy). */
static void draw_head(const struct ewi_scene *scene, struct ewi_canvas *canvas, const struct ewi_clip *clip, double x,
                      double y, double dx, double dy, double size, double width)
{
    int strokes = (int)ceil(1.5 * size) + 1;
    double left = scene->left + x, top = scene->top + y;
    for (int k = 0; k <= strokes; k++) {
        double aside = 0.38 * size * (2.0 * k / strokes - 1);
        ewi_stroke(canvas, clip, left, top, left - size * dx - aside * dy, top - size * dy + aside * dx, width);
    }
}

static void draw_arrow(const struct ewi_scene *scene, struct ewi_canvas *canvas, const struct ewi_clip *clip,
                       struct point middle, double dx, double dy, double length, double width, double extra)
{
    double x = middle.x + length / 2 * dx, y = middle.y + length / 2 * dy;
    double head = fmin(0.45 * length, 6 * width);
    ewi_stroke(canvas, clip, scene->left + x - length * dx, scene->top + y - length * dy,
               scene->left + x - 0.5 * head * dx, scene->top + y - 0.5 * head * dy, width + extra);
    if (head > width)
        draw_head(scene, canvas, clip, x, y, dx, dy, head, 1 + extra);
}

static void draw_arrows(const struct flow *flow, struct ewi_canvas *canvas, const struct ewi_clip *clip, double extra)
{
    const struct ewi_scene *scene = flow->scene;
    double apart = fmax((double)scene->width / scene->plot->vectors, 3), width = fmax(1.2, apart / 18);
    double longest = scene->plot->speed > 0 ? scene->plot->speed : flow->usual;
    for (double y = apart / 2; y < scene->height; y += apart)
        for (double x = apart / 2; x < scene->width; x += apart) {
            size_t k = (size_t)y * (size_t)scene->width + (size_t)x;
            double speed = speed_at(flow, k), length = apart * fmin(speed / longest, 1);
            if (isfinite(speed) && longest > 0 && speed > 0)
                draw_arrow(scene, canvas, clip, (struct point){x, y}, flow->u[k] / speed, -flow->v[k] / speed, length,
                           width, extra);
        }
}

/* ---- streamlines ------------------------------------------------------------------------------------------------- */

static int cell_of(const struct flow *flow, double x, int count)
{
    int cell = (int)fmin(fmax(floor(x / flow->apart), 0), count - 1);
    return cell;
}

static double distance2(struct point a, struct point b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/* True if no other line is nearer; `distance` is at most flow->apart. */
static bool is_free(const struct flow *flow, struct point at, double distance)
{
    int i = cell_of(flow, at.x, flow->across), j = cell_of(flow, at.y, flow->down);
    for (int b = j > 0 ? j - 1 : 0; b <= j + 1 && b < flow->down; b++)
        for (int a = i > 0 ? i - 1 : 0; a <= i + 1 && a < flow->across; a++)
            for (int k = flow->first[b * flow->across + a]; k >= 0; k = flow->next[k])
                if (distance2(flow->point[k], at) < distance * distance)
                    return false;
    return true;
}

/* True if the line returns to an earlier point: a closed line would grow for ever. */
static bool comes_back(const struct flow *flow, int count, struct point at)
{
    int recent = (int)(2 * flow->apart / STEP);
    double near = NEAREST * flow->apart;
    for (int k = 0; k < count - recent; k += 2)
        if (distance2(flow->line[k], at) < near * near)
            return true;
    return false;
}

/* Extends the line, of `count` points, along the flow (sign 1) or against it; returns its new number of points. */
static int grow(struct flow *flow, int count, double sign)
{
    struct point at = flow->line[count - 1], here, between;
    while (count < MOST_POINTS && direction_at(flow, at, &here)) {
        struct point middle = {at.x + sign * STEP / 2 * here.x, at.y + sign * STEP / 2 * here.y};
        if (!direction_at(flow, middle, &between))
            break;
        at = (struct point){at.x + sign * STEP * between.x, at.y + sign * STEP * between.y};
        if (!is_free(flow, at, NEAREST * flow->apart) || comes_back(flow, count, at))
            break;
        flow->line[count++] = at;
    }
    return count;
}

static void reverse(struct point *line, int count)
{
    for (int a = 0, b = count - 1; a < b; a++, b--) {
        struct point other = line[a];
        line[a] = line[b];
        line[b] = other;
    }
}

static int keep_points(struct flow *flow, int count, ew_error *error)
{
    if (flow->points + count > flow->room) {
        int room = 2 * (flow->points + count);
        struct point *point = ewi_arena_alloc(&flow->memory, (size_t)room, sizeof *point);
        int *next = ewi_arena_alloc(&flow->memory, (size_t)room, sizeof *next);
        if (!point || !next)
            return ewi_fail(error, EW_ENOMEM, "not enough memory for streamlines");
        if (flow->points > 0) {
            memcpy(point, flow->point, (size_t)flow->points * sizeof *point);
            memcpy(next, flow->next, (size_t)flow->points * sizeof *next);
        }
        flow->point = point;
        flow->next = next;
        flow->room = room;
    }
    for (int k = 0; k < count; k++) {
        int cell = cell_of(flow, flow->line[k].y, flow->down) * flow->across +
                   cell_of(flow, flow->line[k].x, flow->across);
        flow->point[flow->points] = flow->line[k];
        flow->next[flow->points] = flow->first[cell];
        flow->first[cell] = flow->points++;
    }
    return EW_OK;
}

static void draw_line(const struct flow *flow, struct ewi_canvas *canvas, const struct ewi_clip *clip, int count,
                      double width)
{
    const struct ewi_scene *scene = flow->scene;
    const struct point *line = flow->line;
    for (int k = 1; k < count; k++)
        ewi_stroke(canvas, clip, scene->left + line[k - 1].x, scene->top + line[k - 1].y, scene->left + line[k].x,
                   scene->top + line[k].y, width);
    int tip = count / 2;
    struct point direction;
    if (direction_at(flow, line[tip], &direction))
        draw_head(scene, canvas, clip, line[tip].x, line[tip].y, direction.x, direction.y, 0.6 * scene->font, width);
}

/* The extent of a line. Its length would not do: a line can be a knot where the flow is almost still. */
static double extent_of(const struct point *line, int count)
{
    double x0 = line[0].x, x1 = x0, y0 = line[0].y, y1 = y0;
    for (int k = 1; k < count; k++) {
        x0 = fmin(x0, line[k].x);
        x1 = fmax(x1, line[k].x);
        y0 = fmin(y0, line[k].y);
        y1 = fmax(y1, line[k].y);
    }
    return hypot(x1 - x0, y1 - y0);
}

/* Starts a line at a place that is far from all other lines. Drops short ones. */
static int start_line(struct flow *flow, struct point seed, struct ewi_canvas *canvas, const struct ewi_clip *clip,
                      double extra, ew_error *error)
{
    struct point direction;
    if (!direction_at(flow, seed, &direction) || !is_free(flow, seed, flow->apart))
        return EW_OK;
    flow->line[0] = seed;
    int count = grow(flow, 1, -1);
    reverse(flow->line, count);
    count = grow(flow, count, 1);
    if (extent_of(flow->line, count) < 1.5 * flow->apart)
        return EW_OK;
    draw_line(flow, canvas, clip, count, fmax(1.2, flow->scene->font / 14) + extra);
    return keep_points(flow, count, error);
}

/* Starts lines on both sides of all existing ones, in order. */
static int fill_beside(struct flow *flow, int *done, struct ewi_canvas *canvas, const struct ewi_clip *clip,
                       double extra, ew_error *error)
{
    for (; *done < flow->points; ++*done) {
        struct point at = flow->point[*done], along;
        double apart = 1.001 * flow->apart;
        if (!direction_at(flow, at, &along))
            continue;
        TRY(start_line(flow, (struct point){at.x - apart * along.y, at.y + apart * along.x}, canvas, clip, extra,
                       error));
        TRY(start_line(flow, (struct point){at.x + apart * along.y, at.y - apart * along.x}, canvas, clip, extra,
                       error));
    }
    return EW_OK;
}

static int draw_streamlines(struct flow *flow, struct ewi_canvas *canvas, const struct ewi_clip *clip, double extra,
                            ew_error *error)
{
    const struct ewi_scene *scene = flow->scene;
    int done = 0;
    flow->apart = fmax((double)scene->width / scene->plot->streamlines, 3);
    flow->across = (int)ceil(scene->width / flow->apart);
    flow->down = (int)ceil(scene->height / flow->apart);
    flow->points = flow->room = 0;
    flow->first = ewi_arena_alloc(&flow->memory, (size_t)flow->across * (size_t)flow->down, sizeof *flow->first);
    flow->line = ewi_arena_alloc(&flow->memory, MOST_POINTS, sizeof *flow->line);
    if (!flow->first || !flow->line)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for streamlines");
    for (int k = 0; k < flow->across * flow->down; k++)
        flow->first[k] = -1;
    for (int j = 0; j < flow->down; j++)
        for (int i = 0; i < flow->across; i++) {
            struct point seed = {(i + 0.5) * flow->apart, (j + 0.5) * flow->apart};
            TRY(start_line(flow, seed, canvas, clip, extra, error));
            TRY(fill_beside(flow, &done, canvas, clip, extra, error));
        }
    return EW_OK;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* Draws dark lines on a light halo, which contrasts with every colour. */
int ewi_scene_flow(struct ewi_scene *scene, struct ewi_canvas *canvas, ew_error *error)
{
    static const struct {
        uint32_t colour;
        double extra, opacity;
    } layer[] = {{0xffffff, 2, 0.65}, {0x101010, 0, 1}};
    struct ewi_clip clip = ewi_scene_clip(scene);
    struct flow flow;
    int status = sample_flow(scene, &flow, error);
    scene->speed = scene->plot->speed > 0 ? scene->plot->speed : flow.usual;
    for (size_t k = scene->map ? 0 : 1; status == EW_OK && k < sizeof layer / sizeof *layer; k++) {
        if (scene->plot->streamlines)
            status = draw_streamlines(&flow, canvas, &clip, layer[k].extra, error);
        if (scene->plot->vectors)
            draw_arrows(&flow, canvas, &clip, layer[k].extra);
        ewi_ink(canvas, &clip, layer[k].colour, layer[k].opacity);
    }
    ewi_arena_free(&flow.memory);
    return status;
}
