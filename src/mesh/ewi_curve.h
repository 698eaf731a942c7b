/* SPDX-License-Identifier: BSD-2-Clause */
/* A boundary's true curve over a straight edge: its height and its normals. */
#ifndef EWI_CURVE_H
#define EWI_CURVE_H

#include "ewi_spline.h"

/* A boundary edge and the curve over it; the control points are a spline's only. */
struct ewi_arc {
    const ew_boundary_curve *curve;
    const char *boundary;
    struct ewi_bezier piece;
};

/* EW_EINVAL: the curve of a boundary lacks its data, or has wrong ones. */
int ewi_curve_check(const ew_boundary_curve *curve, const char *boundary, ew_error *error);

/*
 * At `points` places t (0..1) of the edge, how high the curve stands over it along its outward normal, and the curve's
 * outward unit normals there. EW_EMESH: over this edge there is no such curve. The same bits on every machine.
 */
int ewi_curve_over(const struct ewi_arc *arc, int points, const double *t, double *height, double (*normal)[2],
                   ew_error *error);

/*
 * A curve y = h(t) over the edge 0 <= t <= 1, in lengths of the edge, with h(0) = h(1) = 0 and slope[r] = h'(point[r])
 * at the points of a rule of ne <= EWI_MAX_NE points: h(t) is the sum of factor[r] * slope[r]. The slopes' polynomial
 * is integrated; a linear term then makes h(1) = 0.
 */
void ewi_curve_height(int ne, const double *point, const double *weight, double t, double *factor);

/* Slope over an edge with unit normal n0 of a curve with normal n, both outward; the edge runs counter-clockwise. */
static inline double ewi_curve_slope(const double *n0, const double *n)
{
    return (n0[1] * n[0] - n0[0] * n[1]) / (n0[0] * n[0] + n0[1] * n[1]);
}

#endif
