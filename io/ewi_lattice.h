/* SPDX-License-Identifier: BSD-2-Clause */
/* The conventions that the writer and the reader of NAME.nc share. */
#ifndef EWI_LATTICE_H
#define EWI_LATTICE_H

/*
 * The attribute edgewise_format. It increases when older readers would misread the file, not when something is added.
 */
enum { EWI_FIELDS_FORMAT = 1 };

/*
 * Nodes of an element, row by row, r fastest: node (i, j), i + j <= subdivide, is at r = i/subdivide, s = j/subdivide
 * of the reference triangle (0,0), (1,0), (0,1).
 */
static inline int ewi_lattice_node(int subdivide, int i, int j)
{
    return j * (subdivide + 1) - j * (j - 1) / 2 + i;
}

/* r and s of all nodes, in order. */
static inline void ewi_lattice_nodes(int subdivide, double *rs)
{
    for (int j = 0; j <= subdivide; j++)
        for (int i = 0; i + j <= subdivide; i++) {
            *rs++ = (double)i / subdivide;
            *rs++ = (double)j / subdivide;
        }
}

/* The corners of the subdivide^2 triangles: in every row the upright ones, each followed by its inverted neighbour. */
static inline void ewi_lattice_triangles(int subdivide, int *corner)
{
    for (int j = 0; j < subdivide; j++)
        for (int i = 0; i + j < subdivide; i++) {
            int right = ewi_lattice_node(subdivide, i + 1, j), above = ewi_lattice_node(subdivide, i, j + 1);
            *corner++ = ewi_lattice_node(subdivide, i, j);
            *corner++ = right;
            *corner++ = above;
            if (i + j + 1 < subdivide) {
                *corner++ = right;
                *corner++ = ewi_lattice_node(subdivide, i + 1, j + 1);
                *corner++ = above;
            }
        }
}

#endif
