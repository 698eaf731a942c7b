/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures of fields, curves along lines, and charts as PNG; a part of libedgewise-case. */
#ifndef EDGEWISE_PLOT_H
#define EDGEWISE_PLOT_H

#include "edgewise-case.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Pictures of fields as PNG. Every pixel is the mean of supersample^2 samples, each from the polynomial of the triangle
 * that contains it. The bytes do not depend on the number of threads. EW_EUNAVAILABLE: built without libpng.
 */
enum ew_range {
    EW_RANGE_AUTOMATIC, /* least to greatest value; for schlieren, vorticity and divergence as EW_RANGE_ROBUST */
    EW_RANGE_SYMMETRIC, /* -m to m, m the greatest magnitude */
    EW_RANGE_FIXED,     /* low to high */
    EW_RANGE_FULL,      /* least to greatest value */
    EW_RANGE_ROBUST     /* percentiles low to high of the picture's area; both 0: EW_PLOT_PERCENTILE from either end */
};

typedef struct ew_plot {
    int field;
    int64_t frame;
    const char *title; /* NULL: the file's title, the field and the time */
    const char *map;   /* NULL: "viridis"; see ew_plot_map; "none": white */
    enum ew_range range;
    double low, high;
    int logarithmic;
    int isolines;        /* number of isolines; evenly spaced within the range, unless levels are given */
    const double *level; /* [isolines], or NULL */
    int mesh;            /* non-zero: draw the edges of the triangles */
    int vectors;         /* number of velocity arrows along the width; 0: none */
    int streamlines;     /* number of parallel streamlines along the width; 0: none */
    double speed;        /* speed whose arrow is as long as the spacing; 0: that of ew_plot_speed */
    int zoom;            /* non-zero: only the window x0, y0, x1, y1 */
    double window[4];
    int width, height; /* limits for the picture in pixels; 0: 1200 and 1600 */
    int supersample;   /* 1 .. 8; 0: 3 */
    int bare;          /* non-zero: no axes, no title, no colour bar */
    int threads;       /* 0: as many as the machine offers */
    int palette; /* non-zero: at most 256 colours, each a few steps of 255 off at most, in a third of the bytes */
} ew_plot;

enum {
    EW_PLOT_LEAST = 128,     /* least pixels along a side of a picture, 1 if it is bare ... */
    EW_PLOT_MOST = 32768,    /* ... and most */
    EW_PLOT_SUPERSAMPLE = 8, /* maximum */
    EW_PLOT_POINTS = 1000000, /* maximum along a line */
    EW_PLOT_PANELS = 64,      /* maximum of fields in one picture */
    EW_PLOT_FRAMES = 100000,  /* maximum of a film */
    EW_PLOT_FLOW = 1000,      /* maximum of arrows or streamlines along the width */
};
/*
 * Logarithmic colours begin at this fraction of the greatest value or above, unless the range is given. Smaller values
 * are often round-off.
 */
#define EW_PLOT_LOG_FLOOR 1e-6
#define EW_PLOT_PERCENTILE 0.5

/* The contents of a picture. */
typedef struct ew_plot_shown {
    double low, high;                /* range of the colours */
    /* Extreme values in the picture; with logarithmic colours, of those above 0; least > greatest: none. */
    double least, greatest;
    double first_level, last_level;  /* of the isolines; NaN: none */
    int levels_missed;               /* isolines of levels that do not occur in the picture */
    double speed;                    /* speed whose arrow is as long as the spacing; 0: no arrows */
    double beyond;                   /* share of the picture with values outside the range, 0 to 1 */
} ew_plot_shown;

/* The name of colour map k (each also as NAME-reversed); NULL after the last one. */
EW_API const char *ew_plot_map(int k);
/* The least and the greatest value of the picture; for EW_RANGE_SYMMETRIC and EW_RANGE_FIXED, that range. */
EW_API int ew_plot_range(const ew_results *results, const ew_plot *plot, double *low, double *high, ew_error *error);
/*
 * A common range for the pictures of all frames; plot->frame is ignored. It runs from the least to the greatest value
 * of their ranges. For robust ranges it is their medians, because a first frame may differ from all others.
 */
EW_API int ew_plot_film_range(const ew_results *results, const ew_plot *plot, double *low, double *high,
                              ew_error *error);
/* The speed that 99 % of the picture do not exceed; EW_EINVAL: the file has no velocity. */
EW_API int ew_plot_speed(const ew_results *results, const ew_plot *plot, double *speed, ew_error *error);
/*
 * A window around the bodies of the mesh, which are the parts of its boundary that do not reach the mesh's extent. It
 * is the box around all of them, extended on each side by its own length, but not beyond the mesh. For bodies far from
 * each other, the margin is smaller: twice the largest body, or a quarter of the box. EW_EINVAL: the mesh has no
 * bodies.
 */
EW_API int ew_plot_bodies(const ew_results *results, double window[4], ew_error *error);
/* `shown` may be NULL. */
EW_API int ew_plot_write(const ew_results *results, const ew_plot *plot, const char *path, ew_plot_shown *shown,
                         ew_error *error);

/*
 * Draws several fields, or one in several ways, in rows and columns of one picture. `title` is the common title; NULL:
 * the file's title and the time. The first plot's width, height, bare and palette apply to all. shown[plots] may be
 * NULL.
 */
EW_API int ew_plots_write(const ew_results *results, int plots, const ew_plot *plot, const char *title,
                          const char *path, ew_plot_shown *shown, ew_error *error);

enum ew_over {
    EW_OVER_ARC,  /* length along the boundaries */
    EW_OVER_CHORD /* x, from the least (0) to the greatest (1) of the boundaries */
};

/*
 * Fields along a line or along boundaries: a table, or curves as PNG. The table (CSV) has distance, x, y and element,
 * or, along boundaries, arc length, x/c, x, y, boundary and element, and then the fields. Where two elements meet, it
 * has both values. Values at boundaries are those of the elements' polynomials on their straight edges.
 */
typedef struct ew_probe {
    int field;
    int64_t frame;
    double line[4];    /* x0, y0, x1, y1; all 0 with boundaries */
    /*
     * The number of evenly spaced points on the whole line, with its ends. The table has those within the mesh, and the
     * points where the line crosses an edge. 0: 1000, but none within triangles on which the field is linear.
     */
    int points;
    int picture;       /* non-zero: draw curves */
    const char *title; /* of the curves; NULL: the file's title and the time */
    double low, high;  /* range of the curves, unless equal */
    int logarithmic;   /* of the curves */
    int width, height; /* of the curves, in pixels; 0: 1200 and 600 */
    int others;        /* number of fields after the first */
    const int *other;  /* [others] */
    /* NULL, or boundaries instead of the line, "NAME,NAME", in order, with the domain on their left */
    const char *boundary;
    enum ew_over over; /* abscissa of curves along boundaries */
} ew_probe;

/* The range of the curve's picture. */
EW_API int ew_probe_range(const ew_results *results, const ew_probe *probe, double *low, double *high, ew_error *error);
EW_API int ew_probe_write(const ew_results *results, const ew_probe *probe, const char *path, ew_error *error);

/*
 * A film as an animated PNG, which browsers show: `frames` pictures of one size, added in order, shown at the given
 * rate per second. Pixels that do not change take no room. The file gets its name at the end.
 */
typedef struct ew_film ew_film;
EW_API int ew_film_create(const ew_host *host, const char *path, int frames, double rate, ew_film **film,
                          ew_error *error);
/* Like ew_plots_write and ew_probe_write. EW_EINVAL: the picture has another size. */
EW_API int ew_film_add(ew_film *film, const ew_results *results, int plots, const ew_plot *plot, const char *title,
                       ew_plot_shown *shown, ew_error *error);
EW_API int ew_film_add_probe(ew_film *film, const ew_results *results, const ew_probe *probe, ew_error *error);
/* EW_EINVAL: not all frames were added. */
EW_API int ew_film_write(ew_film *film, ew_error *error);
EW_API void ew_film_destroy(ew_film *film);

/*
 * Curves of points, each with its name in a legend, as PNG. Every point has a marker, or, where points are dense, one
 * of several. After six curves the colours repeat, with dashed lines and other markers. EW_EINVAL: no point can be
 * shown.
 */
typedef struct ew_curve {
    const char *name;
    int points;
    const double *x, *y; /* [points] */
    int apart;           /* non-zero: points are not joined */
    /* The curve's parts begin at these points; a thin line joins neighbours that meet in x. 0: one part. */
    int parts;
    const int *part; /* [parts] */
} ew_curve;

typedef struct ew_chart {
    const char *title, *x_title, *y_title; /* nullable */
    int curves;
    const ew_curve *curve; /* [curves] */
    int logarithmic_x, logarithmic_y; /* points at 0 and below are then omitted */
    int falling_y; /* the y axis has its greatest values at the bottom */
    double x_low, x_high, y_low, y_high; /* ranges of the axes, unless both ends are equal */
    int width, height; /* in pixels; 0: 900 and 700 */
} ew_chart;

EW_API int ew_chart_write(const ew_host *host, const ew_chart *chart, const char *path, ew_error *error);

#ifdef __cplusplus
}
#endif

#endif
