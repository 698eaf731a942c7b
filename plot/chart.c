/* SPDX-License-Identifier: BSD-2-Clause */
/* Curves of points with markers and a legend. */
#include "ewi_axes.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 700 };

/* Dark enough on white, and told apart without colour by their markers. */
static const uint32_t colours[] = {0x1f5fae, 0xc2410c, 0x2f7d32, 0x7b3fa0, 0x8a6d00, 0x303030};
enum { COLOURS = sizeof colours / sizeof *colours };

static bool can_be_shown(const struct ewi_axes *axes, double x, double y)
{
    return isfinite(x) && isfinite(y) && (!axes->x.logarithmic || x > 0) && (!axes->y.logarithmic || y > 0);
}

/* A tenth of room on both sides. */
static void widen(struct ewi_axis *axis)
{
    double size = fmax(fabs(axis->low), fabs(axis->high));
    if (axis->logarithmic) {
        double factor = axis->high > axis->low ? pow(axis->high / axis->low, 0.1) : 2;
        axis->low /= factor;
        axis->high *= factor;
    } else {
        double room = axis->high > axis->low ? 0.1 * (axis->high - axis->low) : size > 0 ? 0.1 * size : 1;
        axis->low -= room;
        axis->high += room;
    }
}

static int choose_ranges(const ew_chart *chart, struct ewi_axes *axes, ew_error *error)
{
    axes->x = (struct ewi_axis){INFINITY, -INFINITY, chart->logarithmic_x != 0};
    axes->y = (struct ewi_axis){INFINITY, -INFINITY, chart->logarithmic_y != 0};
    for (int c = 0; c < chart->curves; c++)
        for (int k = 0; k < chart->curve[c].points; k++) {
            double x = chart->curve[c].x[k], y = chart->curve[c].y[k];
            if (!can_be_shown(axes, x, y))
                continue;
            axes->x.low = fmin(axes->x.low, x);
            axes->x.high = fmax(axes->x.high, x);
            axes->y.low = fmin(axes->y.low, y);
            axes->y.high = fmax(axes->y.high, y);
        }
    if (axes->x.low > axes->x.high)
        return ewi_fail(error, EW_EINVAL, "no point of the %d curves can be shown", chart->curves);
    widen(&axes->x);
    widen(&axes->y);
    return EW_OK;
}

/* A ring, a square, a diamond, a triangle, a cross, a plus. */
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

static void draw_curve(const ew_curve *curve, int number, const struct ewi_axes *axes, struct ewi_canvas *canvas)
{
    struct ewi_clip clip = {(int)axes->left, (int)axes->top, (int)axes->right, (int)axes->bottom};
    double width = fmax(1.2, axes->font / 10), last_x = NAN, last_y = NAN;
    for (int k = 0; k < curve->points; k++) {
        if (!can_be_shown(axes, curve->x[k], curve->y[k]))
            continue;
        double x = ewi_axes_x(axes, curve->x[k]), y = ewi_axes_y(axes, curve->y[k]);
        if (!isnan(last_x) && !curve->apart)
            ewi_stroke(canvas, &clip, last_x, last_y, x, y, width);
        draw_marker(canvas, &clip, number % COLOURS, x, y, 0.4 * axes->font, width);
        last_x = x;
        last_y = y;
    }
    ewi_ink(canvas, &clip, colours[number % COLOURS], 1);
}

/* In the lower right corner, where curves that rise to the right are not. */
static void draw_legend(const ew_chart *chart, const struct ewi_axes *axes, struct ewi_canvas *canvas)
{
    struct ewi_clip clip = ewi_whole(canvas);
    double font = axes->font, widest = 0;
    for (int c = 0; c < chart->curves; c++)
        widest = fmax(widest, ewi_text_width(chart->curve[c].name, font));
    for (int c = 0; c < chart->curves && widest > 0; c++) {
        double y = axes->bottom - 1.5 * font * (chart->curves - c) + 0.4 * font, x = axes->right - widest - 1.2 * font;
        draw_marker(canvas, &clip, c % COLOURS, x - font, y - 0.35 * font, 0.4 * font, fmax(1.2, font / 10));
        ewi_ink(canvas, &clip, colours[c % COLOURS], 1);
        ewi_text(canvas, x, y, font, EWI_LEFT, false, chart->curve[c].name);
        ewi_ink(canvas, &clip, 0x303030, 1);
    }
}

int ew_chart_write(const ew_host *host, const ew_chart *chart, const char *path, ew_error *error)
{
    EWI_REQUIRE(chart);
    EWI_REQUIRE(path);
    struct ewi_canvas canvas = {0};
    struct ewi_axes axes;
    ew_host own = ewi_host_or_default(host);
    int width = chart->width ? chart->width : WIDTH, height = chart->height ? chart->height : HEIGHT, status;
    EWI_TRY(ewi_axes_check_size(width, height, EW_PLOT_LEAST, error));
    ewi_axes_place(&axes, width, height, chart->y_title != NULL);
    EWI_TRY(choose_ranges(chart, &axes, error));
    ewi_axes_fit_labels(&axes, chart->y_title != NULL);
    EWI_TRY(ewi_canvas_create(&own, width, height, &canvas, error));
    for (int c = 0; c < chart->curves; c++)
        draw_curve(&chart->curve[c], c, &axes, &canvas);
    draw_legend(chart, &axes, &canvas);
    ewi_axes_draw(&axes, &canvas, chart->title, chart->x_title, chart->y_title);
    EWI_TRY(ewi_png_write(&own, &canvas, true, chart->title ? chart->title : "", path, error));
out:
    ewi_canvas_destroy(&canvas);
    return status;
}
