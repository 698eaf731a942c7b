/* SPDX-License-Identifier: BSD-2-Clause */
/* A field along a straight line, from the polynomials of the triangles on it: as a table or a curve. */
#include "ewi_axes.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_output_file.h"
#include "ewi_results.h"
#include "ewi_scene.h"
#include "ewi_text.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 1000, WIDTH = 1200, HEIGHT = 600 };

/* In sizes of the mesh; on a longer line, places have too few digits. */
#define LONGEST 1e6

/* Where a line is in a triangle. One of the two triangles of an edge takes the line on it, as in scene.c. */
enum where { INSIDE, ON_EDGE, ON_OTHERS_EDGE };

/* The line within an element, from `from` to `to` of its length 1, with values at both ends and at points between. */
struct piece {
    double from, to;
    int64_t element;
    size_t first; /* of the values */
    int count, point; /* point: the first of the line's that is between its ends */
    enum where where;
};

struct probe {
    const struct ew_results *results;
    const ew_probe *asked;
    ew_host host;
    double length, rounding; /* rounding: of places on the line, relative to its length */
    size_t pieces, room_for_pieces, values, room_for_values;
    struct piece *piece;
    double *value;
};

/* ---- where the line is ------------------------------------------------------------------------------------------- */

/*
 * Cuts [*from, *to] to where the line is on the triangle's side of the edge from a to b. What is nearer than `near` is
 * lost in rounding, so that a line along an oblique wall is on its edges. The error grows with the distance of the
 * line's ends from the edge.
 */
static bool cut(const double *line, const double *a, const double *b, int orientation, double near, double *from,
                double *to, enum where *where)
{
    bool ordered = a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
    const double *p = ordered ? a : b, *q = ordered ? b : a;
    double dx = q[0] - p[0], dy = q[1] - p[1], sign = ordered ? orientation : -orientation;
    double start = sign * (dx * (line[1] - p[1]) - dy * (line[0] - p[0]));
    double end = sign * (dx * (line[3] - p[1]) - dy * (line[2] - p[0]));
    double lost = near * (hypot(dx, dy) + hypot(line[2] - line[0], line[3] - line[1]));
    if (fabs(start) <= lost && fabs(end) <= lost) {
        *where = sign > 0 ? ON_EDGE : ON_OTHERS_EDGE;
        return true;
    }
    if (start < 0 && end < 0)
        return false;
    if (start < 0)
        *from = fmax(*from, start / (start - end));
    else if (end < 0)
        *to = fmin(*to, start / (start - end));
    return *to > *from;
}

static bool cross_triangle(const double *line, const double *corner, double near, double *from, double *to,
                           enum where *where)
{
    const double *a = corner, *b = corner + 2, *c = corner + 4;
    double det = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    int orientation = det > 0 ? 1 : -1;
    *from = 0;
    *to = 1;
    *where = INSIDE;
    return det != 0 && cut(line, a, b, orientation, near, from, to, where) &&
           cut(line, b, c, orientation, near, from, to, where) && cut(line, c, a, orientation, near, from, to, where);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Room for `wanted` objects at *array, which has room for *room. */
static int make_room(struct probe *probe, void **array, size_t *room, size_t used, size_t wanted, size_t size,
                     ew_error *error)
{
    if (wanted <= *room)
        return EW_OK;
    size_t more = 2 * wanted;
    void *larger = ewi_alloc(&probe->host, more, size);
    if (!larger)
        return ewi_fail(error, EW_ENOMEM, "there is no memory for %s along the line", probe->results->path);
    if (used > 0)
        memcpy(larger, *array, used * size);
    ewi_free(&probe->host, *array);
    *array = larger;
    *room = more;
    return EW_OK;
}

static int points_of(const struct probe *probe)
{
    return probe->asked->points ? probe->asked->points : POINTS;
}

/* Point k of evenly spaced points along the line; a single point is in the middle. */
static double point_at(const struct probe *probe, int k)
{
    int points = points_of(probe);
    return points > 1 ? (double)k / (points - 1) : 0.5;
}

static double place(const struct probe *probe, const struct piece *piece, int k)
{
    return k == 0 ? piece->from : k == piece->count - 1 ? piece->to : point_at(probe, piece->point + k - 1);
}

static void evaluate(const struct probe *probe, const struct ewi_patches *patches, int64_t e, const struct piece *piece,
                     double *value)
{
    const double *line = probe->asked->line;
    const double *t = patches->corner + 6 * e;
    double det = (t[2] - t[0]) * (t[5] - t[1]) - (t[4] - t[0]) * (t[3] - t[1]), r[EWI_RUN], s[EWI_RUN];
    for (int first = 0, n; first < piece->count; first += n) {
        n = piece->count - first < EWI_RUN ? piece->count - first : EWI_RUN;
        for (int k = 0; k < n; k++) {
            double at = place(probe, piece, first + k);
            double x = line[0] + at * (line[2] - line[0]) - t[0], y = line[1] + at * (line[3] - line[1]) - t[1];
            r[k] = (x * (t[5] - t[1]) - y * (t[4] - t[0])) / det;
            s[k] = ((t[2] - t[0]) * y - (t[3] - t[1]) * x) / det;
        }
        ewi_patches_evaluate(patches, e, n, r, s, value + first);
    }
}

/* The line's points strictly between the piece's ends; the ends have values anyway. */
static void find_points(const struct probe *probe, const struct ewi_patches *patches, struct piece *piece)
{
    int points = points_of(probe), end;
    piece->count = 2;
    if (!probe->asked->points && ewi_patches_are_linear(patches))
        return;
    piece->point = (int)fmax(floor(piece->from * (points - 1)) - 1, 0);
    while (piece->point < points && point_at(probe, piece->point) <= piece->from + probe->rounding)
        piece->point++;
    for (end = piece->point; end < points && point_at(probe, end) < piece->to - probe->rounding;)
        end++;
    piece->count += end - piece->point;
}

static int probe_slab(struct probe *probe, const struct ewi_patches *patches, ew_error *error)
{
    for (int64_t e = 0; e < patches->count; e++) {
        struct piece piece = {.element = patches->first + e, .first = probe->values};
        /* A line along an edge also seems to cross triangles that it touches only at a corner. */
        if (!cross_triangle(probe->asked->line, patches->corner + 6 * e, probe->rounding * probe->length, &piece.from,
                            &piece.to, &piece.where) || piece.to - piece.from <= probe->rounding)
            continue;
        find_points(probe, patches, &piece);
        void *pieces = probe->piece, *values = probe->value;
        TRY(make_room(probe, &pieces, &probe->room_for_pieces, probe->pieces, probe->pieces + 1, sizeof piece, error));
        probe->piece = pieces;
        TRY(make_room(probe, &values, &probe->room_for_values, probe->values, probe->values + (size_t)piece.count,
                          sizeof(double), error));
        probe->value = values;
        evaluate(probe, patches, e, &piece, probe->value + piece.first);
        probe->piece[probe->pieces++] = piece;
        probe->values += (size_t)piece.count;
    }
    return EW_OK;
}

static int in_order(const void *a, const void *b)
{
    const struct piece *first = a, *second = b;
    if (first->from != second->from)
        return first->from < second->from ? -1 : 1;
    return (first->element > second->element) - (first->element < second->element);
}

static double length_of(const ew_probe *asked)
{
    const double *l = asked->line;
    return hypot(l[2] - l[0], l[3] - l[1]);
}

static int check(const struct ew_results *results, const ew_probe *asked, ew_error *error)
{
    const double *l = asked->line;
    if (!isfinite(l[0]) || !isfinite(l[1]) || !isfinite(l[2]) || !isfinite(l[3]) || (l[0] == l[2] && l[1] == l[3]))
        return ewi_fail(error, EW_EINVAL, "the line from (%g, %g) to (%g, %g) has no length", l[0], l[1], l[2], l[3]);
    if (asked->points < 0 || asked->points > EW_PLOT_POINTS)
        return ewi_fail(error, EW_EINVAL, "%d points along the line are not possible; 1 to %d are", asked->points,
                        (int)EW_PLOT_POINTS);
    double size = hypot(results->xmax - results->xmin, results->ymax - results->ymin);
    if (length_of(asked) > LONGEST * size)
        return ewi_fail(error, EW_EINVAL, "the line from (%g, %g) to (%g, %g) is too long for its numbers: it is more "
                        "than a million times as long as the mesh, which is within %g,%g,%g,%g; take the part of it "
                        "that is there", l[0], l[1], l[2], l[3], results->xmin, results->ymin, results->xmax,
                        results->ymax);
    return EW_OK;
}

static double rounding_of(const struct probe *probe)
{
    const struct ew_results *results = probe->results;
    const double *l = probe->asked->line;
    double of_mesh = fmax(fmax(fabs(results->xmin), fabs(results->xmax)),
                          fmax(fabs(results->ymin), fabs(results->ymax)));
    double of_line = fmax(fmax(fabs(l[0]), fabs(l[1])), fmax(fabs(l[2]), fabs(l[3])));
    return fmin(64 * DBL_EPSILON * fmax(of_mesh, of_line) / probe->length, 1e-9);
}

/* A piece along an edge of two triangles is kept once. */
static void drop_doubles(struct probe *probe)
{
    size_t kept = 0;
    for (size_t i = 0; i < probe->pieces; i++) {
        struct piece *last = kept > 0 ? &probe->piece[kept - 1] : NULL, *here = &probe->piece[i];
        bool again = last && last->where != INSIDE && here->where != INSIDE && last->where != here->where &&
                     fabs(here->from - last->from) <= 2 * probe->rounding &&
                     fabs(here->to - last->to) <= 2 * probe->rounding;
        if (!again)
            probe->piece[kept++] = *here;
        else if (here->where == ON_EDGE)
            *last = *here;
    }
    probe->pieces = kept;
}

/* Between two pieces there may have been one of rounding length. */
static void join_pieces(struct probe *probe)
{
    for (size_t i = 1; i < probe->pieces; i++)
        if (fabs(probe->piece[i].from - probe->piece[i - 1].to) <= 2 * probe->rounding)
            probe->piece[i].from = probe->piece[i - 1].to;
}

static int sample(struct probe *probe, ew_error *error)
{
    struct ewi_patches patches;
    int status = EW_OK;
    TRY(check(probe->results, probe->asked, error));
    probe->length = length_of(probe->asked);
    probe->rounding = rounding_of(probe);
    TRY(ewi_patches_create(probe->results, probe->asked->field, probe->asked->frame, &patches, error));
    for (int64_t first = 0; status == EW_OK && first < probe->results->elements; first += probe->results->slab) {
        status = ewi_patches_load(&patches, first, error);
        if (status == EW_OK)
            status = probe_slab(probe, &patches, error);
    }
    ewi_patches_destroy(&patches);
    const double *l = probe->asked->line;
    if (status == EW_OK && probe->pieces == 0)
        status = ewi_fail(error, EW_EINVAL, "the line from (%g, %g) to (%g, %g) misses the mesh, which is within "
                          "%g,%g,%g,%g", l[0], l[1], l[2], l[3], probe->results->xmin, probe->results->ymin,
                          probe->results->xmax, probe->results->ymax);
    if (status == EW_OK) {
        qsort(probe->piece, probe->pieces, sizeof *probe->piece, in_order);
        drop_doubles(probe);
        join_pieces(probe);
    }
    return status;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static int write_table(const struct probe *probe, const char *path, ew_error *error)
{
    struct ewi_output output;
    TRY(ewi_output_open(&probe->host, path, &output, error));
    const double *l = probe->asked->line;
    fputs("distance,x,y,element,", output.file);
    ewi_csv_text(output.file, probe->results->field[probe->asked->field].name);
    putc('\n', output.file);
    for (size_t i = 0; i < probe->pieces; i++) {
        const struct piece *piece = &probe->piece[i];
        for (int k = 0; k < piece->count; k++) {
            double at = place(probe, piece, k);
            ewi_fprintf(output.file, "%.17g,%.17g,%.17g,%lld,%.17g\n", at * probe->length, l[0] + at * (l[2] - l[0]),
                        l[1] + at * (l[3] - l[1]), (long long)piece->element, probe->value[piece->first + (size_t)k]);
        }
    }
    return ewi_output_close(&output, EW_OK, error);
}

/* ---- the curve --------------------------------------------------------------------------------------------------- */

static bool can_be_shown(const struct ewi_axes *axes, double value)
{
    return isfinite(value) && (!axes->y.logarithmic || value > 0);
}

/* Whether the labels of an axis can distinguish a from b > a. */
static bool differ(double a, double b)
{
    return b - a > 1e-5 * fmax(fabs(a), fabs(b));
}

/* x or y if only that changes along the line, and grows; otherwise the distance from its start. */
static void choose_abscissa(const struct probe *probe, struct ewi_axes *axes, char *title, size_t size)
{
    const double *l = probe->asked->line;
    if (l[1] == l[3] && differ(l[0], l[2])) {
        axes->x = (struct ewi_axis){.low = l[0], .high = l[2]};
        ewi_snprintf(title, size, "x, at y = %.9g", l[1]);
    } else if (l[0] == l[2] && differ(l[1], l[3])) {
        axes->x = (struct ewi_axis){.low = l[1], .high = l[3]};
        ewi_snprintf(title, size, "y, at x = %.9g", l[0]);
    } else {
        axes->x = (struct ewi_axis){.high = probe->length};
        ewi_snprintf(title, size, "distance from (%.9g, %.9g) to (%.9g, %.9g)", l[0], l[1], l[2], l[3]);
    }
}

/* A twentieth of room above and below the curve. */
static int choose_values(const struct probe *probe, struct ewi_axes *axes, ew_error *error)
{
    const ew_probe *asked = probe->asked;
    axes->y.logarithmic = asked->logarithmic != 0;
    if (asked->high != asked->low && !(isfinite(asked->low) && isfinite(asked->high) && asked->high > asked->low))
        return ewi_fail(error, EW_EINVAL, "the range %g,%g is empty: its first number must be less than its second",
                        asked->low, asked->high);
    if (asked->high > asked->low) {
        axes->y.low = asked->low;
        axes->y.high = asked->high;
        return axes->y.logarithmic ? ewi_axes_check_logarithmic(asked->low, asked->high, error) : EW_OK;
    }
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < probe->values; k++)
        if (can_be_shown(axes, probe->value[k])) {
            low = fmin(low, probe->value[k]);
            high = fmax(high, probe->value[k]);
        }
    if (low > high)
        return ewi_fail(error, EW_EINVAL, "%s of %s has no value%s on the line",
                        probe->results->field[asked->field].name, probe->results->path,
                        axes->y.logarithmic ? " above 0" : "");
    double size = fmax(fabs(low), fabs(high)), room = high - low > 1e-13 * size ? 0.05 * (high - low)
                                                      : size > 0                ? 0.1 * size
                                                                                : 1;
    double factor = pow(high / low, 0.05);
    axes->y.low = axes->y.logarithmic ? low / (factor > 1 ? factor : 1.1) : low - room;
    axes->y.high = axes->y.logarithmic ? high * (factor > 1 ? factor : 1.1) : high + room;
    return EW_OK;
}

/* From s0 to s1 of the line's length 1. Very steep parts are cut at the edges of the picture. */
static void draw_part(const struct ewi_axes *axes, struct ewi_canvas *canvas, const struct ewi_clip *clip, double s0,
                      double v0, double s1, double v1, double width)
{
    if (!can_be_shown(axes, v0) || !can_be_shown(axes, v1))
        return;
    double far = 4.0 * canvas->height, y0 = ewi_axes_y(axes, v0), y1 = ewi_axes_y(axes, v1);
    double x0 = axes->left + s0 * (axes->right - axes->left), x1 = axes->left + s1 * (axes->right - axes->left);
    ewi_stroke(canvas, clip, x0, fmin(fmax(y0, -far), far), x1, fmin(fmax(y1, -far), far), width);
}

/* Polynomials in colour; the jumps between them, thin and grey, where two triangles meet. */
static void draw_curve(const struct probe *probe, const struct ewi_axes *axes, struct ewi_canvas *canvas)
{
    struct ewi_clip clip = {(int)axes->left, (int)axes->top, (int)axes->right, (int)axes->bottom};
    double width = fmax(1.2, axes->font / 10);
    for (size_t i = 0; i + 1 < probe->pieces; i++) {
        const struct piece *here = &probe->piece[i], *next = here + 1;
        if (next->from - here->to < 1e-9)
            draw_part(axes, canvas, &clip, here->to, probe->value[here->first + (size_t)here->count - 1], next->from,
                      probe->value[next->first], width / 2);
    }
    ewi_ink(canvas, &clip, 0x909090, 1);
    for (size_t i = 0; i < probe->pieces; i++) {
        const struct piece *piece = &probe->piece[i];
        const double *value = probe->value + piece->first;
        for (int k = 0; k + 1 < piece->count; k++)
            draw_part(axes, canvas, &clip, place(probe, piece, k), value[k], place(probe, piece, k + 1), value[k + 1],
                      width);
    }
    ewi_ink(canvas, &clip, 0x1f5fae, 1);
}

/* Makes the canvas, which is to be destroyed, whatever this returns. */
static int draw(const struct probe *probe, enum ewi_format format, char title[EWI_TITLE], struct ewi_canvas *canvas,
                ew_error *error)
{
    struct ewi_axes axes = {0};
    char abscissa[160];
    int width = probe->asked->width ? probe->asked->width : WIDTH,
        height = probe->asked->height ? probe->asked->height : HEIGHT;
    TRY(ewi_axes_check_size(width, height, EW_PLOT_LEAST, error));
    ewi_axes_place(&axes, width, height, false);
    choose_abscissa(probe, &axes, abscissa, sizeof abscissa);
    TRY(choose_values(probe, &axes, error));
    ewi_axes_fit_labels(&axes, false);
    TRY(ewi_canvas_create(&probe->host, format, width, height, canvas, error));
    ewi_title(probe->results, probe->asked->title, probe->asked->field, probe->asked->frame, title, EWI_TITLE);
    draw_curve(probe, &axes, canvas);
    ewi_axes_draw(&axes, canvas, title, abscissa, NULL);
    return EW_OK;
}

static int write_curve(const struct probe *probe, const char *path, ew_error *error)
{
    struct ewi_canvas canvas = {0};
    char title[EWI_TITLE];
    int status = draw(probe, ewi_format_of(path), title, &canvas, error);
    if (status == EW_OK)
        status = ewi_canvas_write(&canvas, true, title, path, error);
    ewi_canvas_destroy(&canvas);
    return status;
}

static void free_probe(struct probe *probe)
{
    ewi_free(&probe->host, probe->value);
    ewi_free(&probe->host, probe->piece);
}

int ew_probe_range(const ew_results *results, const ew_probe *asked, double *low, double *high, ew_error *error)
{
    EWI_REQUIRE(results);
    EWI_REQUIRE(asked);
    EWI_REQUIRE(low);
    EWI_REQUIRE(high);
    struct probe probe = {.results = results, .asked = asked, .host = results->host};
    struct ewi_axes axes = {0};
    int status = sample(&probe, error);
    if (status == EW_OK)
        status = choose_values(&probe, &axes, error);
    if (status == EW_OK) {
        *low = axes.y.low;
        *high = axes.y.high;
    }
    free_probe(&probe);
    return status;
}

int ewi_probe_draw(const struct ew_results *results, const ew_probe *asked, struct ewi_canvas *canvas, ew_error *error)
{
    struct probe probe = {.results = results, .asked = asked, .host = results->host};
    char title[EWI_TITLE];
    *canvas = (struct ewi_canvas){0};
    int status = sample(&probe, error);
    if (status == EW_OK)
        status = draw(&probe, EWI_PNG, title, canvas, error);
    free_probe(&probe);
    return status;
}

int ew_probe_write(const ew_results *results, const ew_probe *asked, const char *path, ew_error *error)
{
    EWI_REQUIRE(results);
    EWI_REQUIRE(asked);
    EWI_REQUIRE(path);
    struct probe probe = {.results = results, .asked = asked, .host = results->host};
    int status = sample(&probe, error);
    if (status == EW_OK)
        status = asked->picture ? write_curve(&probe, path, error) : write_table(&probe, path, error);
    free_probe(&probe);
    return status;
}
