/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields at points along a line or along boundaries, in segments that each lie within one element. */
#ifndef EWI_TRACE_H
#define EWI_TRACE_H

#include "ewi_results.h"

struct ewi_point {
    double at, x, y; /* at: length along the line or the boundaries */
};

struct ewi_segment {
    int64_t element;
    size_t first;      /* position of its first point */
    int points;
    const char *boundary; /* its name, or NULL */
};

struct ewi_trace {
    const struct ew_results *results;
    int64_t frame;
    int fields;
    const int *field; /* [fields] */
    size_t segments, points, room_for_segments, room_for_points;
    struct ewi_segment *segment;
    struct ewi_point *point;
    double *value;           /* [fields][points] */
    double x_low, x_high;    /* boundaries only: their extent along x */
};

/* Adds a segment. The caller fills its points, which are valid until the next call. */
int ewi_trace_add(struct ewi_trace *trace, const struct ewi_segment *segment, struct ewi_point **point,
                    ew_error *error);
/* Adds the edges of the boundaries "NAME,NAME" in order, with the domain on their left. */
int ewi_trace_add_boundaries(struct ewi_trace *trace, const char *names, ew_error *error);
/* Fills the values. */
int ewi_trace_evaluate(struct ewi_trace *trace, ew_error *error);
void ewi_trace_free(struct ewi_trace *trace);

/* The point's position between the least and the greatest x of the boundaries, 0 to 1. */
double ewi_trace_chord(const struct ewi_trace *trace, const struct ewi_point *point);
/* The points and values as comma-separated values. */
int ewi_trace_write(const struct ewi_trace *trace, const char *path, ew_error *error);
/* The same as VTU: one line for each pair of neighbouring points of a segment. */
int ewi_trace_write_vtu(const struct ewi_trace *trace, const char *path, ew_error *error);

#endif
