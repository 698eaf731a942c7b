/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields along a straight line or along boundaries, from the polynomials of the triangles: tables and curves. */
#include "ewi_axes.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_scene.h"
#include "ewi_text.h"
#include "ewi_trace.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 1000, WIDTH = 1200, HEIGHT = 600 };

/* In sizes of the mesh. On a longer line, positions would have too few digits. */
#define LONGEST 1e6

/* The line's position in a triangle. A line along an edge belongs to one of the edge's two triangles, as in scene.c. */
enum where { INSIDE, ON_EDGE, ON_OTHERS_EDGE };

/* The part of the line within an element, from `from` to `to`, where the whole line runs from 0 to 1. */
struct piece {
    double from, to;
    int64_t element;
    int count, point; /* number of points, with both ends; the line's first point between these */
    enum where where;
};

struct probe {
    const struct ew_results *results;
    const ew_probe *asked;
    ew_host host;
    struct ewi_trace trace;
    int field[EW_PLOT_PANELS];
    double length, rounding; /* of the line; rounding: error of positions on it, relative to its length */
    int points;              /* evenly spaced on the whole line; 0: none */
    size_t pieces, room;
    struct piece *piece;
    char abscissa[256]; /* title of the abscissa */
};

/* ---- pieces of the line ------------------------------------------------------------------------------------------ */

/*
 * Cuts [*from, *to] to where the line is on the triangle's side of the edge from a to b. Distances below `near` count
 * as rounding, so that a line along an oblique wall is on its edges. The error grows with the distance of the line's
 * ends from the edge.
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

/* Point k of evenly spaced points along the line; a single point is in the middle. */
static double point_at(const struct probe *probe, int k)
{
    return probe->points > 1 ? (double)k / (probe->points - 1) : 0.5;
}

static double place(const struct probe *probe, const struct piece *piece, int k)
{
    return k == 0 ? piece->from : k == piece->count - 1 ? piece->to : point_at(probe, piece->point + k - 1);
}

/* The line's points strictly between the piece's ends, which have values of their own. */
static void find_points(const struct probe *probe, struct piece *piece)
{
    int points = probe->points, end;
    piece->count = 2;
    if (points == 0)
        return;
    piece->point = (int)fmax(floor(piece->from * (points - 1)) - 1, 0);
    while (piece->point < points && point_at(probe, piece->point) <= piece->from + probe->rounding)
        piece->point++;
    for (end = piece->point; end < points && point_at(probe, end) < piece->to - probe->rounding;)
        end++;
    piece->count += end - piece->point;
}

static int no_memory(const struct probe *probe, ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory for %s along the line", probe->results->path);
}

static int add_piece(struct probe *probe, const struct piece *piece, ew_error *error)
{
    if (probe->pieces == probe->room) {
        struct piece *larger = ewi_alloc(&probe->host, 2 * probe->room + 16, sizeof *larger);
        if (!larger)
            return no_memory(probe, error);
        if (probe->pieces > 0)
            memcpy(larger, probe->piece, probe->pieces * sizeof *larger);
        ewi_free(&probe->host, probe->piece);
        probe->piece = larger;
        probe->room = 2 * probe->room + 16;
    }
    probe->piece[probe->pieces++] = *piece;
    return EW_OK;
}

static int cross_slab(struct probe *probe, int64_t first, int64_t count, double *corner, ew_error *error)
{
    TRY(ew_results_corners(probe->results, first, count, corner, error));
    for (int64_t e = 0; e < count; e++) {
        struct piece piece = {.element = first + e};
        /* rounding makes a line along an edge cross triangles that it only touches at a corner */
        if (!cross_triangle(probe->asked->line, corner + 6 * e, probe->rounding * probe->length, &piece.from,
                            &piece.to, &piece.where) || piece.to - piece.from <= probe->rounding)
            continue;
        TRY(add_piece(probe, &piece, error));
    }
    return EW_OK;
}

static int cross_mesh(struct probe *probe, ew_error *error)
{
    const struct ew_results *results = probe->results;
    double *corner = ewi_alloc(&probe->host, 6 * (size_t)results->slab, sizeof *corner);
    int status = corner ? EW_OK : no_memory(probe, error);
    for (int64_t first = 0; status == EW_OK && first < results->elements; first += results->slab) {
        int64_t left = results->elements - first;
        status = cross_slab(probe, first, left < results->slab ? left : results->slab, corner, error);
    }
    ewi_free(&probe->host, corner);
    return status;
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

/* Keeps one of two equal pieces, which an edge of two triangles has. */
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

/* Joins pieces that a piece of rounding length separated. */
static void join_pieces(struct probe *probe)
{
    for (size_t i = 1; i < probe->pieces; i++)
        if (fabs(probe->piece[i].from - probe->piece[i - 1].to) <= 2 * probe->rounding)
            probe->piece[i].from = probe->piece[i - 1].to;
}

static int add_points(struct probe *probe, ew_error *error)
{
    const double *l = probe->asked->line;
    for (struct piece *piece = probe->piece; piece < probe->piece + probe->pieces; piece++) {
        struct ewi_point *point;
        find_points(probe, piece);
        const struct ewi_segment segment = {.element = piece->element, .points = piece->count};
        TRY(ewi_trace_add(&probe->trace, &segment, &point, error));
        for (int k = 0; k < piece->count; k++) {
            double at = place(probe, piece, k);
            point[k] = (struct ewi_point){at * probe->length, l[0] + at * (l[2] - l[0]), l[1] + at * (l[3] - l[1])};
        }
    }
    return EW_OK;
}

static bool are_linear(const struct probe *probe)
{
    for (int k = 0; k < probe->trace.fields; k++)
        if (!ewi_field_is_linear(probe->results, &probe->results->field[probe->trace.field[k]]))
            return false;
    return true;
}

static int follow_line(struct probe *probe, ew_error *error)
{
    const double *l = probe->asked->line;
    TRY(check(probe->results, probe->asked, error));
    probe->length = length_of(probe->asked);
    probe->rounding = rounding_of(probe);
    probe->points = probe->asked->points ? probe->asked->points : are_linear(probe) ? 0 : POINTS;
    TRY(cross_mesh(probe, error));
    if (probe->pieces == 0)
        return ewi_fail(error, EW_EINVAL, "the line from (%g, %g) to (%g, %g) misses the mesh, which is within "
                        "%g,%g,%g,%g", l[0], l[1], l[2], l[3], probe->results->xmin, probe->results->ymin,
                        probe->results->xmax, probe->results->ymax);
    qsort(probe->piece, probe->pieces, sizeof *probe->piece, in_order);
    drop_doubles(probe);
    join_pieces(probe);
    return add_points(probe, error);
}

/* Chooses the fields, at least one. */
static int choose_fields(struct probe *probe, ew_error *error)
{
    const ew_probe *asked = probe->asked;
    if (asked->others < 0 || asked->others >= EW_PLOT_PANELS || (asked->others > 0 && !asked->other))
        return ewi_fail(error, EW_EINVAL, "%d fields along a line are not possible; 1 to %d are", 1 + asked->others,
                        (int)EW_PLOT_PANELS);
    if (asked->over != EW_OVER_ARC && (asked->over != EW_OVER_CHORD || !asked->boundary))
        return ewi_fail(error, EW_EINVAL, "there is no abscissa %d of %s", (int)asked->over,
                        asked->boundary ? "boundaries" : "a line");
    for (int k = 0; asked->boundary && k < 4; k++)
        if (asked->line[k] != 0)
            return ewi_fail(error, EW_EINVAL, "fields are asked for along both a line and boundaries; give one");
    probe->trace.fields = 1 + asked->others;
    for (int k = 0; k < probe->trace.fields; k++) {
        probe->field[k] = k == 0 ? asked->field : asked->other[k - 1];
        TRY(ewi_results_check_field(probe->results, probe->field[k], error));
    }
    return ewi_results_check_frame(probe->results, asked->frame, error);
}

static int sample(const struct ew_results *results, const ew_probe *asked, struct probe *probe, ew_error *error)
{
    *probe = (struct probe){.results = results, .asked = asked, .host = results->host,
                            .trace = {.results = results, .frame = asked->frame, .field = probe->field}};
    TRY(choose_fields(probe, error));
    TRY(asked->boundary ? ewi_trace_add_boundaries(&probe->trace, asked->boundary, error)
                        : follow_line(probe, error));
    return ewi_trace_evaluate(&probe->trace, error);
}

/* ---- the curves -------------------------------------------------------------------------------------------------- */

/* True if the labels of an axis can distinguish a from b > a. */
static bool differ(double a, double b)
{
    return b - a > 1e-5 * fmax(fabs(a), fabs(b));
}

/* The length or chord along boundaries. Along a line, its length, or x or y if only that changes and increases. */
static void choose_abscissa(struct probe *probe, ew_chart *chart)
{
    const double *l = probe->asked->line;
    const struct ewi_trace *trace = &probe->trace;
    size_t size = sizeof probe->abscissa;
    chart->x_title = probe->abscissa;
    if (probe->asked->boundary && probe->asked->over == EW_OVER_CHORD) {
        chart->x_high = 1;
        ewi_snprintf(probe->abscissa, size, "x/c along %s", probe->asked->boundary);
    } else if (probe->asked->boundary) {
        chart->x_high = trace->point[trace->points - 1].at;
        ewi_snprintf(probe->abscissa, size, "arc length along %s", probe->asked->boundary);
    } else if (l[1] == l[3] && differ(l[0], l[2])) {
        chart->x_low = l[0];
        chart->x_high = l[2];
        ewi_snprintf(probe->abscissa, size, "x, at y = %.9g", l[1]);
    } else if (l[0] == l[2] && differ(l[1], l[3])) {
        chart->x_low = l[1];
        chart->x_high = l[3];
        ewi_snprintf(probe->abscissa, size, "y, at x = %.9g", l[0]);
    } else {
        chart->x_high = probe->length;
        ewi_snprintf(probe->abscissa, size, "distance from (%.9g, %.9g) to (%.9g, %.9g)", l[0], l[1], l[2], l[3]);
    }
}

static double abscissa_of(const struct probe *probe, const ew_chart *chart, const struct ewi_point *point)
{
    if (probe->asked->boundary)
        return probe->asked->over == EW_OVER_CHORD ? ewi_trace_chord(&probe->trace, point) : point->at;
    return chart->x_low + point->at / probe->length * (chart->x_high - chart->x_low);
}

/* Leaves a twentieth of the range free above and below the curves. */
static int choose_values(const struct probe *probe, double *lowest, double *highest, ew_error *error)
{
    const ew_probe *asked = probe->asked;
    const struct ewi_trace *trace = &probe->trace;
    bool logarithmic = asked->logarithmic != 0;
    *lowest = asked->low;
    *highest = asked->high;
    if (asked->high != asked->low && !(isfinite(asked->low) && isfinite(asked->high) && asked->high > asked->low))
        return ewi_fail(error, EW_EINVAL, "the range %g,%g is empty: its first number must be less than its second",
                        asked->low, asked->high);
    if (asked->high > asked->low)
        return logarithmic ? ewi_axes_check_logarithmic(asked->low, asked->high, error) : EW_OK;
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < trace->points * (size_t)trace->fields; k++)
        if (isfinite(trace->value[k]) && (!logarithmic || trace->value[k] > 0)) {
            low = fmin(low, trace->value[k]);
            high = fmax(high, trace->value[k]);
        }
    if (low > high)
        return ewi_fail(error, EW_EINVAL, "%s of %s has no value%s %s", probe->results->field[asked->field].name,
                        probe->results->path, logarithmic ? " above 0" : "",
                        asked->boundary ? "on the boundary" : "on the line");
    double size = fmax(fabs(low), fabs(high)), room = high - low > 1e-13 * size ? 0.05 * (high - low)
                                                      : size > 0                ? 0.1 * size
                                                                                : 1;
    double factor = pow(high / low, 0.05);
    *lowest = logarithmic ? low / (factor > 1 ? factor : 1.1) : low - room;
    *highest = logarithmic ? high * (factor > 1 ? factor : 1.1) : high + room;
    return EW_OK;
}

/* The curves share abscissas and segments. x: [points], start: [segments]. */
static void make_curves(struct probe *probe, ew_chart *chart, ew_curve *curve, double *x, int *start)
{
    const struct ewi_trace *trace = &probe->trace;
    for (size_t k = 0; k < trace->points; k++)
        x[k] = abscissa_of(probe, chart, &trace->point[k]);
    for (size_t k = 0; k < trace->segments; k++)
        start[k] = (int)trace->segment[k].first;
    for (int k = 0; k < trace->fields; k++)
        curve[k] = (ew_curve){.name = trace->fields > 1 ? probe->results->field[probe->field[k]].name : "",
                              .points = (int)trace->points, .x = x,
                              .y = trace->value + (size_t)k * trace->points,
                              .parts = (int)trace->segments, .part = start};
    chart->curves = trace->fields;
    chart->curve = curve;
}

/* Makes the canvas, which the caller destroys whatever this returns. */
static int draw(struct probe *probe, enum ewi_format format, char title[EWI_TITLE], struct ewi_canvas *canvas,
                ew_error *error)
{
    const struct ewi_trace *trace = &probe->trace;
    const ew_probe *asked = probe->asked;
    struct ewi_arena memory = {.host = probe->host};
    ew_chart chart = {.title = title, .logarithmic_y = asked->logarithmic, .width = asked->width ? asked->width : WIDTH,
                      .height = asked->height ? asked->height : HEIGHT};
    ew_curve curve[EW_PLOT_PANELS];
    char ordinate[256];
    int status = trace->points <= INT_MAX ? choose_values(probe, &chart.y_low, &chart.y_high, error)
                                            : no_memory(probe, error);
    double *x = status == EW_OK ? ewi_arena_alloc(&memory, trace->points, sizeof *x) : NULL;
    int *start = status == EW_OK ? ewi_arena_alloc(&memory, trace->segments, sizeof *start) : NULL;
    EWI_TRY(status == EW_OK && memory.lacks ? no_memory(probe, error) : status);
    choose_abscissa(probe, &chart);
    make_curves(probe, &chart, curve, x, start);
    ewi_field_title(probe->results, NULL, probe->field[0], ordinate, sizeof ordinate);
    chart.y_title = trace->fields == 1 ? ordinate : NULL;
    chart.falling_y =
        trace->fields == 1 && strcmp(probe->results->field[probe->field[0]].name, EWI_PRESSURE_COEFFICIENT) == 0;
    ewi_title(probe->results, asked->title, -1, asked->frame, title, EWI_TITLE);
    EWI_TRY(ewi_chart_draw(&probe->host, &chart, format, canvas, error));
out:
    ewi_arena_free(&memory);
    return status;
}

static int write_curve(struct probe *probe, const char *path, ew_error *error)
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
    ewi_free(&probe->host, probe->piece);
    ewi_trace_free(&probe->trace);
}

int ew_probe_range(const ew_results *results, const ew_probe *asked, double *low, double *high, ew_error *error)
{
    EWI_REQUIRE(results);
    EWI_REQUIRE_AS(asked, "probe");
    EWI_REQUIRE(low, high);
    struct probe probe;
    int status = sample(results, asked, &probe, error);
    if (status == EW_OK)
        status = choose_values(&probe, low, high, error);
    free_probe(&probe);
    return status;
}

int ewi_probe_draw(const struct ew_results *results, const ew_probe *asked, struct ewi_canvas *canvas, ew_error *error)
{
    struct probe probe;
    char title[EWI_TITLE];
    *canvas = (struct ewi_canvas){0};
    int status = sample(results, asked, &probe, error);
    if (status == EW_OK)
        status = draw(&probe, EWI_PNG, title, canvas, error);
    free_probe(&probe);
    return status;
}

int ew_probe_write(const ew_results *results, const ew_probe *asked, const char *path, ew_error *error)
{
    EWI_REQUIRE(results);
    EWI_REQUIRE_AS(asked, "probe");
    EWI_REQUIRE(path);
    struct probe probe;
    int status = sample(results, asked, &probe, error);
    if (status == EW_OK)
        status = asked->picture ? write_curve(&probe, path, error) : ewi_trace_write(&probe.trace, path, error);
    free_probe(&probe);
    return status;
}
