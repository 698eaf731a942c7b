/* SPDX-License-Identifier: BSD-2-Clause */
/* A frame with ticks and titles, and the positions of values in it. */
#ifndef EWI_AXES_H
#define EWI_AXES_H

#include "ewi_canvas.h"

struct ewi_axis {
    double low, high;
    bool logarithmic;
};

struct ewi_axes {
    double left, top, right, bottom; /* pixels */
    double font;
    struct ewi_axis x, y;
    bool falling; /* y decreases upwards */
};

struct ew_results;

/* EW_EINVAL if the size is out of range; `least`: pixels along either side. */
int ewi_axes_check_size(int width, int height, int least, ew_error *error);
/* EW_EINVAL if the range has no logarithms. */
int ewi_axes_check_logarithmic(double low, double high, ew_error *error);
/* The picture's own title. If that is NULL, a title from the run, the time and, unless it is < 0, the field. */
void ewi_title(const struct ew_results *results, const char *own, int field, int64_t frame, char *title, size_t size);
/* The field's own title or, if that is NULL, its name and unit in words. */
void ewi_field_title(const struct ew_results *results, const char *own, int field, char *title, size_t size);
/* Places the frame in a picture; `titled`: leaves room for a title of the y axis. */
void ewi_axes_place(struct ewi_axes *axes, int width, int height, bool titled);
/* Moves the frame to the right if the y axis has long labels; needs its range. */
void ewi_axes_fit_labels(struct ewi_axes *axes, bool titled);
double ewi_axes_x(const struct ewi_axes *axes, double value);
double ewi_axes_y(const struct ewi_axes *axes, double value);
/* Draws a chart. It makes the canvas, which the caller destroys whatever this returns. */
int ewi_chart_draw(const ew_host *host, const ew_chart *chart, enum ewi_format format, struct ewi_canvas *canvas,
                   ew_error *error);
/* Titles may be NULL. */
void ewi_axes_draw(const struct ewi_axes *axes, struct ewi_canvas *canvas, const char *title, const char *x_title,
                   const char *y_title);

#endif
