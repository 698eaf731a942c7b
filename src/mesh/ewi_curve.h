/* SPDX-License-Identifier: BSD-2-Clause */
/* How high a boundary's true curve stands over a straight edge, from the curve's normals. */
#ifndef EWI_CURVE_H
#define EWI_CURVE_H

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
