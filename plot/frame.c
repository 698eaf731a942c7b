/* SPDX-License-Identifier: BSD-2-Clause */
/* The surroundings of a field: axes, colour bar and title. */
#include "ewi_scene.h"

#include <math.h>

enum { TITLE = 1024 /* bytes */ };
#define LEAST_TITLE 0.7 /* relative to its usual size; a title that is still too long is cut */

static double line_width(const struct ewi_scene *scene)
{
    return fmax(1, scene->font / 16);
}

static void draw_axes(const struct ewi_scene *scene, struct ewi_canvas *canvas)
{
    struct ewi_clip clip = ewi_whole(canvas);
    struct ewi_ticks ticks;
    double font = scene->font, thin = line_width(scene), tick = ewi_scene_tick(scene);
    double widest = 0, free_from = -INFINITY;
    double bottom = scene->top + scene->height, right = scene->left + scene->width;
    double x1 = scene->x0 + scene->width / scene->scale;
    ewi_stroke_box(canvas, scene->left - thin / 2, scene->top - thin / 2, right + thin / 2, bottom + thin / 2, thin);

    double pixel = 0.75 / scene->scale;
    ewi_ticks(scene->x0 - pixel, x1 + pixel, (int)fmin(fmax(scene->width / (6 * font), 1), 8), false, &ticks);
    for (int k = 0; k < ticks.count; k++) {
        double x = scene->left + (ticks.value[k] - scene->x0) * scene->scale;
        ewi_stroke(canvas, &clip, x, bottom + thin, x, bottom + thin + tick, thin);
        double half = ewi_text_width(ticks.label[k], font) / 2;
        if (x - half < free_from) /* the label would touch the previous one */
            continue;
        free_from = x + half + 0.5 * font;
        ewi_text(canvas, x, bottom + tick + 1.0 * font, font, EWI_CENTRE, false, ticks.label[k]);
    }
    ewi_text(canvas, scene->left + scene->width / 2.0, bottom + tick + 2.35 * font, font, EWI_CENTRE, false, "x");

    ewi_scene_y_ticks(scene, &ticks);
    for (int k = 0; k < ticks.count; k++) {
        double y = scene->top + (scene->y1 - ticks.value[k]) * scene->scale;
        ewi_stroke(canvas, &clip, scene->left - thin, y, scene->left - thin - tick, y, thin);
        ewi_text(canvas, scene->left - 1.8 * tick, y + 0.35 * font, font, EWI_RIGHT, false, ticks.label[k]);
        widest = fmax(widest, ewi_text_width(ticks.label[k], font));
    }
    double at = fmax(scene->left - 1.8 * tick - widest - 0.6 * font, scene->at_x + 0.8 * font);
    ewi_text(canvas, at, scene->top + scene->height / 2.0, font, EWI_CENTRE, true, "y");
}

/* A pointed end of the bar, in the end's colour, means that some values are outside the range. */
static bool ends_below(const struct ewi_scene *scene)
{
    return scene->least < scene->low;
}

static bool ends_above(const struct ewi_scene *scene)
{
    return scene->greatest > scene->high;
}

/* Half the width of the bar, with its pointed ends, at row j. */
static double half_width(int j, int above, int height, double width)
{
    double from_end = j < above ? (j + 0.5) / above : j >= height ? 1 - (j - height + 0.5) / above : 1;
    return width / 2 * fmin(from_end, 1);
}

static void paint_bar(const struct ewi_scene *scene, struct ewi_canvas *canvas, int left, int top, int width,
                      int height, int point)
{
    for (int j = ends_above(scene) ? -point : 0; j < height + (ends_below(scene) ? point : 0); j++) {
        double rgb[3], half = half_width(j + point, point, height + point, width);
        ewi_colour(scene->map, scene->reversed, fmin(fmax(1 - (j + 0.5) / height, 0), 1), rgb);
        for (int i = (int)ceil(width / 2.0 - half); i < width / 2.0 + half; i++)
            for (int k = 0; k < 3; k++)
                canvas->rgb[3 * ((size_t)(top + j) * (size_t)canvas->width + (size_t)(left + i)) + (size_t)k] =
                    (uint8_t)(rgb[k] + 0.5);
    }
}

static void frame_bar(const struct ewi_scene *scene, struct ewi_canvas *canvas, int left, int top, int width,
                      int height, int point)
{
    struct ewi_clip clip = ewi_whole(canvas);
    double thin = line_width(scene), x0 = left - thin / 2, x1 = left + width + thin / 2, middle = (x0 + x1) / 2;
    double y0 = top - thin / 2, y1 = top + height + thin / 2;
    double over = y0 - (ends_above(scene) ? point : 0), under = y1 + (ends_below(scene) ? point : 0);
    const double corner[][2] = {{x0, y0}, {middle, over}, {x1, y0}, {x1, y1}, {middle, under}, {x0, y1}, {x0, y0}};
    for (int k = 0; k < 6; k++)
        ewi_stroke(canvas, &clip, corner[k][0], corner[k][1], corner[k + 1][0], corner[k + 1][1], thin);
}

/* Draws rows of one colour each, and ticks next to them. */
static void draw_bar(const struct ewi_scene *scene, struct ewi_canvas *canvas)
{
    struct ewi_clip clip = ewi_whole(canvas);
    struct ewi_ticks ticks;
    double font = scene->font, thin = line_width(scene), tick = ewi_scene_tick(scene);
    int left = scene->left + scene->width + (int)(1.2 * font), width = (int)(1.1 * font), point = (int)(0.8 * font);
    int top = scene->bar_top + ends_above(scene) * point;
    int height = scene->bar_top + ewi_scene_bar_height(scene) - ends_below(scene) * point - top;
    if (height < 1)
        return;
    paint_bar(scene, canvas, left, top, width, height, point);
    ewi_keep_pixels(canvas, &(struct ewi_clip){left, top - ends_above(scene) * point, left + width,
                                               top + height + ends_below(scene) * point});
    frame_bar(scene, canvas, left, top, width, height, point);
    ewi_scene_bar_ticks(scene, &ticks);
    for (int k = 0; k < ticks.count; k++) {
        double share = ewi_share(scene->low, scene->high, scene->logarithmic, ticks.value[k]);
        double y = top + (1 - share) * height;
        ewi_stroke(canvas, &clip, left + width + thin, y, left + width + thin + tick, y, thin);
        ewi_text(canvas, left + width + 1.8 * tick, y + 0.35 * font, font, EWI_LEFT, false, ticks.label[k]);
    }
}

static void draw_title(const struct ewi_scene *scene, struct ewi_canvas *canvas, const char *title)
{
    ewi_title_draw(canvas, title, scene->font, scene->left + scene->width / 2.0, scene->at_x, scene->at_y,
                   scene->picture_width);
}

void ewi_title_draw(struct ewi_canvas *canvas, const char *title, double font, double middle, double left, double top,
                    double room)
{
    double size = 1.15 * font, width = ewi_text_width(title, size);
    char shown[TITLE];
    size *= fmin(1, fmax(LEAST_TITLE, (room - font) / fmax(width, 1)));
    ewi_text_cut(title, size, room - font, shown, sizeof shown);
    width = ewi_text_width(shown, size);
    middle = fmin(fmax(middle, left + width / 2 + font / 2), left + room - width / 2 - font / 2);
    ewi_text(canvas, middle, top + 1.45 * font, size, EWI_CENTRE, false, shown);
}

void ewi_scene_frame(const struct ewi_scene *scene, struct ewi_canvas *canvas, const char *title)
{
    draw_axes(scene, canvas);
    if (scene->map)
        draw_bar(scene, canvas);
    draw_title(scene, canvas, title);
}
