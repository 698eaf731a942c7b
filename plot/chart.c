/* SPDX-License-Identifier: BSD-2-Clause */
/* Curves of points with markers and a legend. */
#include "ewi_axes.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    WIDTH = 900,
    HEIGHT = 700,
    DENSE = 60,  /* curves with more points have no marker at each ... */
    MARKERS = 8, /* ... but this many per curve */
};

#define ROUND_OFF 1e-10 /* relative to the greatest magnitude */
#define MARKER_ROOM 0.025 /* share of the x axis's length, at both ends */

/* Dark enough on white. In greyscale, markers tell the curves apart. */
static const uint32_t colours[] = {0x1f5fae, 0xc2410c, 0x2f7d32, 0x7b3fa0, 0x8a6d00, 0x303030};
enum { COLOURS = sizeof colours / sizeof *colours };

/*
 * Lengths of dashes and gaps in line widths; round ends shorten a gap by one. Each cycle of colours has its own
 * pattern.
 */
enum { DASHES = 4 };
static const double dashes[][DASHES] = {{0}, {6, 5, 6, 5}, {0.5, 4, 0.5, 4}, {8, 4, 0.5, 4}};
enum { PATTERNS = sizeof dashes / sizeof *dashes };

static uint32_t colour_of(int curve)
{
    return colours[curve % COLOURS];
}

/* No two of COLOURS^2 curves share both colour and marker. */
static int marker_of(int curve)
{
    return (curve + curve / COLOURS) % COLOURS;
}

static bool can_be_shown(const struct ewi_axes *axes, double x, double y)
{
    return isfinite(x) && isfinite(y) && (!axes->x.logarithmic || x > 0) && (!axes->y.logarithmic || y > 0);
}

/* Adds a share of room on both sides. Values that differ only by round-off count as constant. */
static void widen(struct ewi_axis *axis, double share)
{
    double size = fmax(fabs(axis->low), fabs(axis->high));
    bool constant = !(axis->high - axis->low > ROUND_OFF * size);
    if (axis->logarithmic) {
        double factor = constant ? 2 : pow(axis->high / axis->low, share);
        axis->low /= factor;
        axis->high *= factor;
    } else {
        double room = !constant ? share * (axis->high - axis->low) : size > 0 ? 0.1 * size : 1;
        axis->low -= room;
        axis->high += room;
    }
}

static int check_axis(const char *name, double low, double high, bool logarithmic, ew_error *error)
{
    if (low == high)
        return EW_OK;
    if (!isfinite(low) || !isfinite(high) || low > high)
        return ewi_fail(error, EW_EINVAL, "the range %g,%g of %s is empty: its first number must be less than its "
                        "second", low, high, name);
    return logarithmic ? ewi_axes_check_logarithmic(low, high, error) : EW_OK;
}

static void take(struct ewi_axis *axis, double value)
{
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

/* The range of the points whose x is in the given range. */
static void find_ranges(const ew_chart *chart, struct ewi_axes *axes)
{
    bool given = chart->x_low != chart->x_high;
    for (int c = 0; c < chart->curves; c++)
        for (int k = 0; k < chart->curve[c].points; k++) {
            double x = chart->curve[c].x[k], y = chart->curve[c].y[k];
            if (!can_be_shown(axes, x, y) || (given && (x < chart->x_low || x > chart->x_high)))
                continue;
            take(&axes->x, x);
            take(&axes->y, y);
        }
}

static int check_curves(const ew_chart *chart, ew_error *error)
{
    if (chart->curves < 1 || chart->curves > EW_MOST_MEMBERS || !chart->curve)
        return ewi_fail(error, EW_EINVAL, "a chart cannot have %d curves; it has 1 to %d, and `curve` is not NULL",
                        chart->curves, (int)EW_MOST_MEMBERS);
    for (int c = 0; c < chart->curves; c++) {
        const ew_curve *curve = &chart->curve[c];
        if (!curve->name || curve->points < 0 || (curve->points > 0 && (!curve->x || !curve->y)))
            return ewi_fail(error, EW_EINVAL, "curve %d of the chart has no name, or not x and y of its %d points", c,
                            curve->points);
        for (int k = 0; k < curve->parts; k++)
            if (!curve->part || curve->part[k] < k || curve->part[k] >= curve->points)
                return ewi_fail(error, EW_EINVAL, "part %d of curve %d of the chart begins at none of its %d points", k,
                                c, curve->points);
    }
    return EW_OK;
}

static bool is_dense(const ew_curve *curve)
{
    return (curve->points > DENSE || curve->parts > 0) && !curve->apart;
}

static int choose_ranges(const ew_chart *chart, struct ewi_axes *axes, ew_error *error)
{
    bool dense = chart->curves > 0;
    axes->x = (struct ewi_axis){INFINITY, -INFINITY, chart->logarithmic_x != 0};
    axes->y = (struct ewi_axis){INFINITY, -INFINITY, chart->logarithmic_y != 0};
    TRY(check_axis("x", chart->x_low, chart->x_high, axes->x.logarithmic, error));
    TRY(check_axis("y", chart->y_low, chart->y_high, axes->y.logarithmic, error));
    find_ranges(chart, axes);
    if (axes->x.low > axes->x.high)
        return ewi_fail(error, EW_EINVAL, "no point of the %d curves can be shown", chart->curves);
    for (int c = 0; c < chart->curves; c++)
        dense = dense && is_dense(&chart->curve[c]);
    widen(&axes->x, dense ? 0 : MARKER_ROOM);
    widen(&axes->y, 0.1);
    if (chart->x_low != chart->x_high)
        axes->x = (struct ewi_axis){chart->x_low, chart->x_high, axes->x.logarithmic};
    if (chart->y_low != chart->y_high)
        axes->y = (struct ewi_axis){chart->y_low, chart->y_high, axes->y.logarithmic};
    return EW_OK;
}

/* A circle, a square, a diamond, a triangle, a cross, or a plus. */
static void draw_marker(struct ewi_canvas *canvas, const struct ewi_clip *clip, int kind, double x, double y,
                        double size, double width)
{
    static const struct {
        int corners;
        double turn;
        bool star;
    } shape[COLOURS] = {{16, 0, false}, {4, 0.125, false}, {4, 0, false}, {3, 0.25, false}, {4, 0.125, true},
                        {4, 0, true}};
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < shape[kind].corners; k++) {
        double a = 2 * pi * ((double)k / shape[kind].corners + shape[kind].turn), b = a + 2 * pi / shape[kind].corners;
        if (shape[kind].star)
            ewi_stroke(canvas, clip, x, y, x + size * cos(a), y - size * sin(a), width);
        else
            ewi_stroke(canvas, clip, x + size * cos(a), y - size * sin(a), x + size * cos(b), y - size * sin(b), width);
    }
}

/* Draws a curve's line from point to point; *walked is its length so far. */
static void draw_line(struct ewi_canvas *canvas, const struct ewi_clip *clip, int curve, double x0, double y0,
                      double x1, double y1, double width, double *walked)
{
    const double *dash = dashes[curve / COLOURS % PATTERNS];
    double length = hypot(x1 - x0, y1 - y0), period = 0;
    bool outside = fmax(y0, y1) < clip->y0 || fmin(y0, y1) > clip->y1;
    for (int k = 0; k < DASHES; k++)
        period += width * dash[k];
    if (period == 0)
        ewi_stroke(canvas, clip, x0, y0, x1, y1, width);
    for (double at = 0, end; period > 0 && !outside && at < length; at = end) {
        double within = fmod(*walked + at, period), until = width * dash[0];
        int k = 0;
        while (k < DASHES - 1 && until <= within)
            until += width * dash[++k];
        end = fmin(length, at + fmax(until - within, 1e-3 * width));
        double from = at / length, to = end / length;
        if (k % 2 == 0)
            ewi_stroke(canvas, clip, x0 + from * (x1 - x0), y0 + from * (y1 - y0), x0 + to * (x1 - x0),
                       y0 + to * (y1 - y0), width);
    }
    *walked += length;
}

static struct ewi_clip frame_of(const struct ewi_axes *axes)
{
    return (struct ewi_clip){(int)axes->left, (int)axes->top, (int)axes->right, (int)axes->bottom};
}

/* Clamps coordinates far outside the picture, so that they stay small. */
static double near(double pixel, double size)
{
    return fmin(fmax(pixel, -8 * size), 8 * size);
}

/* Draws the jumps between a curve's parts as thin lines. Parts that do not meet are not joined. */
static void draw_jumps(const ew_curve *curve, const struct ewi_axes *axes, struct ewi_canvas *canvas)
{
    struct ewi_clip clip = frame_of(axes);
    for (int k = 1; k < curve->parts; k++) {
        const double *x = curve->x + curve->part[k], *y = curve->y + curve->part[k];
        if (!can_be_shown(axes, x[-1], y[-1]) || !can_be_shown(axes, x[0], y[0]))
            continue;
        double from = ewi_axes_x(axes, x[-1]), to = ewi_axes_x(axes, x[0]);
        if (fabs(to - from) < 1e-6)
            ewi_stroke(canvas, &clip, from, near(ewi_axes_y(axes, y[-1]), canvas->height), to,
                       near(ewi_axes_y(axes, y[0]), canvas->height), fmax(1.2, axes->font / 10) / 2);
    }
    ewi_ink(canvas, &clip, 0x909090, 1);
}

static void draw_curve(const ew_chart *chart, int number, const struct ewi_axes *axes, struct ewi_canvas *canvas)
{
    const ew_curve *curve = &chart->curve[number];
    struct ewi_clip clip = frame_of(axes);
    double width = fmax(1.2, axes->font / 10), last_x = NAN, last_y = NAN, walked = 0;
    double apart = is_dense(curve) ? (axes->right - axes->left) / MARKERS : 0;
    double next = axes->left + apart * (0.5 + (double)number / chart->curves); /* staggers the markers of the curves */
    for (int k = 0, part = 0; k < curve->points; k++) {
        if (part < curve->parts && curve->part[part] == k) {
            last_x = NAN;
            part++;
        }
        if (!can_be_shown(axes, curve->x[k], curve->y[k]))
            continue;
        double x = near(ewi_axes_x(axes, curve->x[k]), canvas->width);
        double y = near(ewi_axes_y(axes, curve->y[k]), canvas->height);
        if (!isnan(last_x) && !curve->apart)
            draw_line(canvas, &clip, number, last_x, last_y, x, y, width, &walked);
        if (apart == 0 || (x >= next && chart->curves > 1)) {
            draw_marker(canvas, &clip, marker_of(number), x, y, 0.4 * axes->font, width);
            next = x + apart;
        }
        last_x = x;
        last_y = y;
    }
    ewi_ink(canvas, &clip, colour_of(number), 1);
}

/* ---- the legend -------------------------------------------------------------------------------------------------- */

struct legend {
    double left, top, width, height, row; /* pixels; width 0: no legend */
};

/* Clips first .. last to p + q t <= 0; true if nothing is left. */
static bool cuts_all(double p, double q, double *first, double *last)
{
    if (q == 0)
        return p > 0;
    if (q < 0)
        *first = fmax(*first, -p / q);
    else
        *last = fmin(*last, -p / q);
    return *first > *last;
}

/* Liang and Barsky, "A new concept and method for line clipping", ACM Transactions on Graphics 3 (1984). */
static bool crosses(const struct legend *box, double ax, double ay, double bx, double by)
{
    double first = 0, last = 1, dx = bx - ax, dy = by - ay;
    return !cuts_all(box->left - ax, -dx, &first, &last) && !cuts_all(ax - box->left - box->width, dx, &first, &last) &&
           !cuts_all(box->top - ay, -dy, &first, &last) && !cuts_all(ay - box->top - box->height, dy, &first, &last);
}

/* Number of the curve's lines or points that the box would hide. */
static int count_hidden_of(const ew_curve *curve, const struct ewi_axes *axes, const struct legend *box)
{
    int count = 0;
    double last_x = NAN, last_y = NAN;
    for (int k = 0; k < curve->points; k++) {
        if (!can_be_shown(axes, curve->x[k], curve->y[k]))
            continue;
        double x = ewi_axes_x(axes, curve->x[k]), y = ewi_axes_y(axes, curve->y[k]);
        bool joined = !isnan(last_x) && !curve->apart;
        count += crosses(box, joined ? last_x : x, joined ? last_y : y, x, y);
        last_x = x;
        last_y = y;
    }
    return count;
}

/* Includes room for the markers. */
static int count_hidden(const ew_chart *chart, const struct ewi_axes *axes, const struct legend *legend)
{
    int count = 0;
    double room = 0.5 * axes->font;
    const struct legend box = {legend->left - room, legend->top - room, legend->width + 2 * room,
                               legend->height + 2 * room, legend->row};
    for (int c = 0; c < chart->curves; c++)
        count += count_hidden_of(&chart->curve[c], axes, &box);
    return count;
}

/*
 * Places the legend in the corner where it hides least, preferably at the lower right, where rising curves are not. If
 * every corner hides something, places it to the right of the frame, which shrinks, unless the legend is wider than
 * half of the frame.
 */
static struct legend place_legend(const ew_chart *chart, struct ewi_axes *axes)
{
    double font = axes->font, widest = 0;
    int fewest = INT_MAX;
    for (int c = 0; c < chart->curves; c++)
        widest = fmax(widest, ewi_text_width(chart->curve[c].name, font));
    struct legend best = {0};
    double row = fmin(1.5 * font, (axes->bottom - axes->top - 0.6 * font) / chart->curves); /* long legends: closer */
    struct legend legend = {.width = widest + 4.6 * font, .height = row * chart->curves + 0.6 * font, .row = row};
    for (int k = 0; k < 4 && widest > 0; k++) {
        legend.left = k % 2 ? axes->left : axes->right - legend.width;
        legend.top = k / 2 ? axes->top : axes->bottom - legend.height;
        int count = count_hidden(chart, axes, &legend);
        if (count < fewest)
            best = legend;
        fewest = count < fewest ? count : fewest;
    }
    if (widest > 0 && fewest > 0 && legend.width < 0.5 * (axes->right - axes->left)) {
        axes->right = round(axes->right - legend.width + font) + 0.5;
        best.left = axes->right;
        best.top = axes->top;
    }
    return best;
}

static void draw_legend(const ew_chart *chart, const struct ewi_axes *axes, const struct legend *legend,
                        struct ewi_canvas *canvas)
{
    struct ewi_clip clip = ewi_whole(canvas);
    double font = axes->font, left = legend->left, stroke = fmax(1.2, font / 10);
    for (int c = 0; c < chart->curves && legend->width > 0; c++) {
        double y = legend->top + legend->row * (c + 1) - 0.2 * font, middle = y - 0.35 * font;
        if (!chart->curve[c].apart)
            draw_line(canvas, &clip, c, left + 0.8 * font, middle, left + 2.8 * font, middle, stroke, &(double){0});
        if (chart->curves > 1 || !is_dense(&chart->curve[c]))
            draw_marker(canvas, &clip, marker_of(c), left + 1.8 * font, middle, 0.4 * font, stroke);
        ewi_ink(canvas, &clip, colour_of(c), 1);
        ewi_text(canvas, left + 3.4 * font, y, font, EWI_LEFT, false, chart->curve[c].name);
        ewi_ink(canvas, &clip, 0x303030, 1);
    }
}

int ewi_chart_draw(const ew_host *host, const ew_chart *chart, enum ewi_format format, struct ewi_canvas *canvas,
                   ew_error *error)
{
    struct ewi_axes axes;
    int width = chart->width ? chart->width : WIDTH, height = chart->height ? chart->height : HEIGHT;
    *canvas = (struct ewi_canvas){0};
    TRY(check_curves(chart, error));
    TRY(ewi_axes_check_size(width, height, EW_PLOT_LEAST, error));
    ewi_axes_place(&axes, width, height, chart->y_title != NULL);
    axes.falling = chart->falling_y;
    TRY(choose_ranges(chart, &axes, error));
    ewi_axes_fit_labels(&axes, chart->y_title != NULL);
    TRY(ewi_canvas_create(host, format, width, height, canvas, error));
    struct legend legend = place_legend(chart, &axes);
    for (int c = 0; c < chart->curves; c++)
        draw_jumps(&chart->curve[c], &axes, canvas);
    for (int c = 0; c < chart->curves; c++)
        draw_curve(chart, c, &axes, canvas);
    draw_legend(chart, &axes, &legend, canvas);
    ewi_axes_draw(&axes, canvas, chart->title, chart->x_title, chart->y_title);
    return EW_OK;
}

int ew_chart_write(const ew_host *host, const ew_chart *chart, const char *path, ew_error *error)
{
    EWI_REQUIRE(chart, path);
    struct ewi_canvas canvas;
    ew_host own = ewi_host_or_default(host);
    int status = ewi_chart_draw(&own, chart, ewi_format_of(path), &canvas, error);
    if (status == EW_OK)
        status = ewi_canvas_write(&canvas, true, chart->title ? chart->title : "", path, error);
    ewi_canvas_destroy(&canvas);
    return status;
}
