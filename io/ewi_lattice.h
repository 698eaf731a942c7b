/* SPDX-License-Identifier: BSD-2-Clause */
/* What the writer and the reader of NAME.nc must agree on. */
#ifndef EWI_LATTICE_H
#define EWI_LATTICE_H

/* The attribute edgewise_format: grows when an older reader would misunderstand the file, not when something is added. */
enum { EWI_FIELDS_FORMAT = 1 };

/*
 * Nodes of an element, row by row, r fastest: node (i, j), i + j <= subdivide, is at r = i/subdivide, s = j/subdivide of the
 * reference triangle (0,0), (1,0), (0,1).
 */
static inline int ewi_lattice_node(int subdivide, int i, int j)
{
    return j * (subdivide + 1) - j * (j - 1) / 2 + i;
}

#endif
