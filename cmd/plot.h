/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the parts of edgewise plot. */
#ifndef EDGEWISE_CMD_PLOT_H
#define EDGEWISE_CMD_PLOT_H

#include "cmd.h"
#include "edgewise-plot.h"

/* The options as the user wrote them; NULL: not given. */
struct plot_arguments {
    struct cli_arguments common;
    const char *field, *frame, *time, *range, *map, *isolines, *window, *title, *width, *height, *supersample, *threads;
    const char *line, *boundary, *reference, *points, *columns, *over, *vectors, *streamlines;
    const char *minus, *film, *rate;
    bool list, log, mesh, bare, palette;
};

enum { PLOT_MOST_LEVELS = 1000 };

/* A picture of one or several fields, or a film of them. */
struct plot_picture {
    const struct plot_arguments *given;
    ew_results *results, *other; /* other: the results to subtract, or NULL */
    ew_results_info info;
    ew_plot plot; /* set by the options; the fields' plots begin as copies */
    int fields;
    ew_plot field[EW_PLOT_PANELS];
    int further[EW_PLOT_PANELS]; /* numbers of the fields after the first */
    bool all; /* write each frame to a file */
    double level[PLOT_MOST_LEVELS];
    ew_error error;
};

void plot_choose_frame(struct plot_picture *picture, int64_t frame);
/* True for curves along a line or boundaries, false for pictures of fields. */
static inline bool plot_is_curve(const struct plot_arguments *given)
{
    return given->line || given->boundary;
}
/* Values along a line or boundaries: a table if the name ends in .csv, otherwise curves. */
int plot_make_probe(const struct plot_picture *picture, const char *name, ew_probe *probe);
/* Writes the chosen frame and reports it. */
int plot_write_one(struct plot_picture *picture, const char *name);
/* Writes pictures of all frames or, with --film, one file of them. */
int plot_write_all(struct plot_picture *picture, const char *name);
int plot_write_film(struct plot_picture *picture);

/* True if the operand is a table, FILE.csv, which may still be growing. */
bool plot_is_table(const char *path);
/* True if the name ends in .png, .svg or .pdf. */
bool plot_is_picture(const char *name);
/* Draws columns of tables as curves: histories. */
int plot_history(const struct plot_arguments *given);

/* Reads the pixels of --width or --height, 0 without the option; a usage error unless `least` to EW_PLOT_MOST. */
int plot_read_pixels(const char *option, const char *text, int least, int *pixels);
/* The value of an option whose range the option parser has checked; 0 without it. */
int plot_small_number(const char *text);
/* Reads four numbers, X0,Y0,X1,Y1. */
int plot_read_window(const char *text, double window[4]);

#endif
