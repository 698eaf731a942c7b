/* SPDX-License-Identifier: BSD-2-Clause */
/* Smooth curves through the nodes of boundaries: every boundary edge gets its piece, a Bezier curve of degree five. */
#ifndef EWI_SPLINE_H
#define EWI_SPLINE_H

#include "ewi_mesh.h"

#define EWI_USUAL_CORNER 30.0 /* degrees */

struct ewi_bezier {
    double from[2], control[4][2], to[2]; /* counter-clockwise, as the edge */
};

/*
 * The pieces [boundary_edges] of the curves of those boundaries whose corner[] is not negative. Edges that follow each
 * other in a boundary and meet at no more than corner[boundary] degrees have one curve, twice continuously
 * differentiable; at other nodes it has a corner or ends. Where a line meets an arc, two curves meet. A node at which
 * two boundary edges begin is a corner. A curve continues across joined periodic boundaries. It also passes through
 * the edges' middle nodes of a second-order mesh. info (nullable): [boundaries].
 */
int ewi_spline_make(const ew_host *host, const ew_mesh *mesh, const double *corner, struct ewi_bezier *piece,
                    ew_spline_info *info, ew_error *error);

/* Height over the place `along` (0..1) of the edge, and the outward normal there, of any length; false: none found. */
bool ewi_spline_over(const struct ewi_bezier *piece, double along, double *height, double normal[2]);

/* The parameter of the piece's point nearest to one that is about half way. */
double ewi_spline_nearest(const struct ewi_bezier *piece, const double point[2]);

/* Warns of a curve whose nodes are all corners: its edges stay straight, which nobody wants of a spline. */
void ewi_spline_warn(const ew_host *host, const char *boundary, double corner, const ew_spline_info *info);

#endif
