/* SPDX-License-Identifier: BSD-2-Clause */
/* Axes, their ticks and titles around a picture. */
#include "ewi_axes.h"
#include "ewi_error.h"
#include "ewi_results.h"
#include "ewi_text.h"

#include <math.h>

int ewi_axes_check_size(int width, int height, int least, ew_error *error)
{
    if (width < least || height < least || width > EW_PLOT_MOST || height > EW_PLOT_MOST)
        return ewi_fail(error, EW_EINVAL, "a picture of %d by %d pixels is not possible: %d to %d are", width, height,
                        least, (int)EW_PLOT_MOST);
    return EW_OK;
}

int ewi_axes_check_logarithmic(double low, double high, ew_error *error)
{
    if (low > 0)
        return EW_OK;
    return ewi_fail(error, EW_EINVAL, "the range %g,%g has no logarithms: it must be above 0", low, high);
}

void ewi_field_title(const struct ew_results *results, const char *own, int field, char *title, size_t size)
{
    const char *units = results->field[field].units;
    if (own)
        ewi_snprintf(title, size, "%s", own);
    else
        ewi_snprintf(title, size, "%s%s%s%s", results->field[field].long_name, units[0] ? " [" : "", units,
                     units[0] ? "]" : "");
}

void ewi_title(const struct ew_results *results, const char *own, int field, int64_t frame, char *title, size_t size)
{
    char name[512] = "";
    const char *run = results->title ? results->title : "";
    if (field >= 0)
        ewi_field_title(results, NULL, field, name, sizeof name);
    if (own)
        ewi_snprintf(title, size, "%s", own);
    else
        ewi_snprintf(title, size, "%s%s%s%st = %.6g", run, run[0] && name[0] ? ": " : "", name,
                     run[0] || name[0] ? ", " : "", results->time[frame]);
}

void ewi_axes_place(struct ewi_axes *axes, int width, int height, bool titled)
{
    axes->falling = false;
    axes->font = fmin(fmax(width / 64.0, 12), 64);
    axes->left = round((titled ? 6.5 : 5) * axes->font) + 0.5;
    axes->top = round(2.3 * axes->font) + 0.5;
    axes->right = round(width - 1.5 * axes->font) + 0.5;
    axes->bottom = round(height - 3.3 * axes->font) + 0.5;
}

static void ticks_of(const struct ewi_axis *axis, double pixels, double room, struct ewi_ticks *ticks)
{
    ewi_ticks(axis->low, axis->high, (int)fmin(fmax(pixels / room, 1), 10), axis->logarithmic, ticks);
}

void ewi_axes_fit_labels(struct ewi_axes *axes, bool titled)
{
    struct ewi_ticks ticks;
    ticks_of(&axes->y, axes->bottom - axes->top, 2.6 * axes->font, &ticks);
    double needed = ewi_ticks_width(&ticks, axes->font) + (titled ? 3 : 1) * axes->font;
    axes->left = fmax(axes->left, round(fmin(needed, axes->right / 3)) + 0.5);
}

double ewi_axes_x(const struct ewi_axes *axes, double value)
{
    return axes->left + ewi_share(axes->x.low, axes->x.high, axes->x.logarithmic, value) * (axes->right - axes->left);
}

double ewi_axes_y(const struct ewi_axes *axes, double value)
{
    double share = ewi_share(axes->y.low, axes->y.high, axes->y.logarithmic, value);
    return axes->bottom - (axes->falling ? 1 - share : share) * (axes->bottom - axes->top);
}

void ewi_axes_draw(const struct ewi_axes *axes, struct ewi_canvas *canvas, const char *title, const char *x_title,
                   const char *y_title)
{
    struct ewi_clip clip = ewi_whole(canvas);
    struct ewi_ticks ticks;
    double font = axes->font, tick = 0.35 * font, thin = fmax(1, font / 16);
    ewi_stroke_box(canvas, axes->left, axes->top, axes->right, axes->bottom, thin);
    double free_from = -INFINITY;
    ticks_of(&axes->x, axes->right - axes->left, 6 * font, &ticks);
    for (int k = 0; k < ticks.count; k++) {
        double x = ewi_axes_x(axes, ticks.value[k]);
        ewi_stroke(canvas, &clip, x, axes->bottom, x, axes->bottom + tick, thin);
        double half = ewi_text_width(ticks.label[k], font) / 2;
        double at = fmin(x, canvas->width - half - 0.25 * font); /* keeps the last label inside the picture */
        if (at - half < free_from) /* the label would touch the previous one */
            continue;
        free_from = at + half + 0.5 * font;
        ewi_text(canvas, at, axes->bottom + tick + font, font, EWI_CENTRE, false, ticks.label[k]);
    }
    ticks_of(&axes->y, axes->bottom - axes->top, 2.6 * font, &ticks);
    for (int k = 0; k < ticks.count; k++) {
        double y = ewi_axes_y(axes, ticks.value[k]);
        ewi_stroke(canvas, &clip, axes->left, y, axes->left - tick, y, thin);
        ewi_text(canvas, axes->left - 1.8 * tick, y + 0.35 * font, font, EWI_RIGHT, false, ticks.label[k]);
    }
    double middle = (axes->left + axes->right) / 2, room = axes->right - axes->left;
    if (x_title)
        ewi_text(canvas, middle, axes->bottom + tick + 2.35 * font, font, EWI_CENTRE, false, x_title);
    if (y_title) {
        double size = font * fmin(1, (axes->bottom - axes->top) / fmax(ewi_text_width(y_title, font), 1));
        ewi_text(canvas, 1.4 * font, (axes->top + axes->bottom) / 2, size, EWI_CENTRE, true, y_title);
    }
    if (title) {
        double size = 1.15 * font * fmin(1, room / fmax(ewi_text_width(title, 1.15 * font), 1));
        ewi_text(canvas, middle, 1.45 * font, size, EWI_CENTRE, false, title);
    }
    ewi_ink(canvas, &clip, 0x303030, 1);
}
