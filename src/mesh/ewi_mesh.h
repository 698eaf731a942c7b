/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The mesh as the solver sees it. Elements and edges are in the solver's own order: elements along a Hilbert curve,
 * edges boundary-first and grouped by boundary, then by left element. The left element of an edge is the one with the
 * lower number; its local side gives the edge its orientation and its normal, which points from left to right (the
 * paper, section "Mesh Connectivity").
 */
#ifndef EWI_MESH_H
#define EWI_MESH_H

#include "edgewise.h"

#include <stdbool.h>

#define EWI_MESH_LARGEST_COORDINATE 1e30 /* far below netCDF's fill value, 9.97e36 */
#define EWI_MESH_MOST_TRIANGLES ((int64_t)1 << 29) /* three sides each are still fewer than 2^31 */

struct ewi_mesh_boundary {
    char *name;
    int32_t first, count; /* its edges: first .. first + count - 1 */
};

struct ew_mesh {
    ew_host host;
    int32_t nodes, elements, edges, boundary_edges, boundaries;
    double *xy;           /* [nodes][2], file order of nodes */
    int32_t *triangle;    /* [elements][3] nodes, counter-clockwise, first node as in the file */
    int32_t *file_index;  /* [elements]: solver's number -> file order */
    int32_t *order;       /* [elements]: file order -> solver's number */
    int32_t *element_edge; /* [elements][3]: edge on local side k, from node k to node k+1 */
    /* Edges. right < 0: boundary number -1 - right. The right element sees the edge's points in reverse. */
    int32_t *left, *right;       /* [edges] */
    uint8_t *left_side, *right_side; /* [edges]: side mappings 0..2; right_side of a boundary edge is 0 */
    struct ewi_mesh_boundary *boundary; /* [boundaries] */
    double *middle; /* [boundary_edges][2]: points of the true curve, see ew_mesh_data.line_middle; NULL: none */
    ew_mesh_info info;
};

/* Bytes of a mesh of this size, without the names of its boundaries. */
size_t ewi_mesh_bytes(int64_t nodes, int64_t elements, int64_t edges, int32_t boundaries);

/* Twice the area of element i (the Jacobian's determinant) and the diameter of its inscribed circle. */
double ewi_mesh_det(const ew_mesh *mesh, int32_t i);
double ewi_mesh_inscribed_diameter(const ew_mesh *mesh, int32_t i);

#endif
