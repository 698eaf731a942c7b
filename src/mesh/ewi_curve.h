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

#endif
