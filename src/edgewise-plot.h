/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures of fields, curves along lines and charts as PNG; a part of libedgewise-case. */
#ifndef EDGEWISE_PLOT_H
#define EDGEWISE_PLOT_H

#include "edgewise-case.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Pictures of fields as PNG. Every pixel is the mean of supersample^2 samples, each taken from the polynomial of the
 * triangle that it is in. The bytes do not depend on the number of threads. EW_EUNAVAILABLE: built without libpng.
 */
enum ew_range {
    EW_RANGE_AUTOMATIC, /* least to greatest value; of schlieren, vorticity and divergence as EW_RANGE_ROBUST */
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
    int isolines;        /* how many; evenly spaced within the range, if no level is given */
    const double *level; /* [isolines], or NULL */
    int mesh;            /* non-zero: draw the edges of the triangles */
    int vectors;         /* arrows of the velocity along the width; 0: none */
    int streamlines;     /* streamlines that stand side by side along the width; 0: none */
    double speed;        /* of an arrow as long as arrows are apart; 0: that of ew_plot_speed */
    int zoom;            /* non-zero: only the window x0, y0, x1, y1 */
    double window[4];
    int width, height; /* of the picture, in pixels, at most; 0: 1200 and 1600 */
    int supersample;   /* 1 .. 8; 0: 3 */
    int bare;          /* non-zero: no axes, no title, no colour bar */
    int threads;       /* 0: as many as the machine offers */
    int palette; /* non-zero: at most 256 colours, each at most some steps of 255 away from what it was, in a third of
                    the bytes */
} ew_plot;

enum {
    EW_PLOT_LEAST = 128,     /* pixels along a side of a picture, but 1 of one that is bare ... */
    EW_PLOT_MOST = 32768,    /* ... to so many */
    EW_PLOT_SUPERSAMPLE = 8, /* at most */
    EW_PLOT_POINTS = 1000000, /* along a line, at most */
    EW_PLOT_PANELS = 64,      /* fields in one picture, at most */
    EW_PLOT_FRAMES = 100000,  /* of a film, at most */
    EW_PLOT_FLOW = 1000,      /* arrows or streamlines along the width, at most */
};
/*
 * Of the greatest value: logarithmic colours begin there at the lowest, unless the range is given. What is less is
 * often round-off.
 */
#define EW_PLOT_LOG_FLOOR 1e-6
#define EW_PLOT_PERCENTILE 0.5

/* What a picture shows. */
typedef struct ew_plot_shown {
    double low, high;                /* range of the colours */
    /* Values in the picture, of logarithmic ones those above 0; least > greatest: there are none. */
    double least, greatest;
    double first_level, last_level;  /* of isolines; NaN: there are none */
    int levels_missed;               /* isolines of values that are not in the picture */
    double speed;                    /* of arrows as long as they are apart; 0: there are none */
    double beyond;                   /* share of the picture whose values are beyond the range, 0 to 1 */
} ew_plot_shown;

/* Name of colour map k (each also as NAME-reversed), NULL beyond the last one. */
EW_API const char *ew_plot_map(int k);
/*
 * The least and the greatest value that the picture would show; of EW_RANGE_SYMMETRIC and EW_RANGE_FIXED, that range.
 */
EW_API int ew_plot_range(const ew_results *results, const ew_plot *plot, double *low, double *high, ew_error *error);
/*
 * One range for the pictures of all frames, whatever plot->frame is: from the least to the greatest of their ranges; of
 * robust ones, their medians, since a first frame may be unlike all others.
 */
EW_API int ew_plot_film_range(const ew_results *results, const ew_plot *plot, double *low, double *high,
                              ew_error *error);
/* The speed that 99 % of the picture do not exceed; EW_EINVAL: the file has no velocity. */
EW_API int ew_plot_speed(const ew_results *results, const ew_plot *plot, double *speed, ew_error *error);
/*
 * The window around the bodies of the mesh, which are the parts of its boundary that do not reach as far as the mesh
 * does: the box around all of them, and as much again on each side as it is long, within the mesh; of bodies that are
 * far from each other less, twice the largest one or a quarter of the box. EW_EINVAL: it has none.
 */
EW_API int ew_plot_bodies(const ew_results *results, double window[4], ew_error *error);
/* `shown` may be NULL. */
EW_API int ew_plot_write(const ew_results *results, const ew_plot *plot, const char *path, ew_plot_shown *shown,
                         ew_error *error);

/*
 * Several fields, or one in several ways, beside and below each other in one picture; `title` is that of all, NULL: the
 * file's title and the time. The first plot's width, height, bare and palette apply to all. shown[plots] may be NULL.
 */
EW_API int ew_plots_write(const ew_results *results, int plots, const ew_plot *plot, const char *title,
                          const char *path, ew_plot_shown *shown, ew_error *error);

enum ew_over {
    EW_OVER_ARC,  /* length along the boundaries */
    EW_OVER_CHORD /* x, from the least (0) to the greatest (1) of the boundaries */
};

/*
 * Fields along a line or along boundaries: a table or their curves as PNG. The table (CSV) has distance, x, y and
 * element or, of boundaries, arc length, x/c, x, y, boundary and element, and then the fields; where two elements meet
 * it has both values. Values at boundaries are those of the elements' polynomials on their straight edges.
 */
typedef struct ew_probe {
    int field;
    int64_t frame;
    double line[4];    /* x0, y0, x1, y1; all 0 if there is a boundary */
    /*
     * So many evenly over the whole line, its ends among them, of which those are there that lie in the mesh, besides
     * those where it crosses an edge; 0: 1000, but none within triangles on which the field is linear.
     */
    int points;
    int picture;       /* non-zero: the curves */
    const char *title; /* of the curves; NULL: the file's title and the time */
    double low, high;  /* of the curves, unless equal */
    int logarithmic;   /* of the curves */
    int width, height; /* of the curves, in pixels; 0: 1200 and 600 */
    int others;        /* fields besides the first */
    const int *other;  /* [others] */
    /* NULL, or boundaries in place of the line, "NAME,NAME", in order, with the domain on their left */
    const char *boundary;
    enum ew_over over; /* of the curves along boundaries */
} ew_probe;

/* The range that the curve's picture would have. */
EW_API int ew_probe_range(const ew_results *results, const ew_probe *probe, double *low, double *high, ew_error *error);
EW_API int ew_probe_write(const ew_results *results, const ew_probe *probe, const char *path, ew_error *error);

/*
 * A film as an animated PNG, which browsers show: `frames` pictures of one size, which are added in their order, so
 * many a second. What does not change from one to the next takes no room. The file gets its name at the end.
 */
typedef struct ew_film ew_film;
EW_API int ew_film_create(const ew_host *host, const char *path, int frames, double rate, ew_film **film,
                          ew_error *error);
/* As ew_plots_write and ew_probe_write. A picture of another size is EW_EINVAL. */
EW_API int ew_film_add(ew_film *film, const ew_results *results, int plots, const ew_plot *plot, const char *title,
                       ew_plot_shown *shown, ew_error *error);
EW_API int ew_film_add_probe(ew_film *film, const ew_results *results, const ew_probe *probe, ew_error *error);
/* EW_EINVAL: not all its frames were added. */
EW_API int ew_film_write(ew_film *film, ew_error *error);
EW_API void ew_film_destroy(ew_film *film);

/*
 * Curves of points, each with its name in a legend, as PNG. Every point has a marker or, where they are dense, one of
 * several. After six curves colours begin again, with dashed lines and other markers. EW_EINVAL: no point can be shown.
 */
typedef struct ew_curve {
    const char *name;
    int points;
    const double *x, *y; /* [points] */
    int apart;           /* non-zero: no line joins them */
    /* The curve's parts, which begin at these points; a thin line joins neighbours that meet in x. 0: it is whole. */
    int parts;
    const int *part; /* [parts] */
} ew_curve;

typedef struct ew_chart {
    const char *title, *x_title, *y_title; /* nullable */
    int curves;
    const ew_curve *curve; /* [curves] */
    int logarithmic_x, logarithmic_y; /* points at 0 and below are then left out */
    int falling_y; /* the y axis has its greatest values at the bottom */
    double x_low, x_high, y_low, y_high; /* of the axes, unless both are equal */
    int width, height; /* in pixels; 0: 900 and 700 */
} ew_chart;

EW_API int ew_chart_write(const ew_host *host, const ew_chart *chart, const char *path, ew_error *error);

#ifdef __cplusplus
}
#endif

#endif
