/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gmsh meshes, .msh 2 and 4.1, ASCII and binary.
 *
 *   gmsh.c       the file: its sections in turn
 *   gmsh_read.c  the sections of all versions: names, entities, nodes, elements
 */
#ifndef EWI_GMSH_H
#define EWI_GMSH_H

#include "ewi_mesh_file.h"

/* Maps numbers in the file to positions: consecutive numbers directly, others by a table, sparse ones by hashing. */
struct ewi_gmsh_index {
    int64_t count, first, range;
    int32_t *table;  /* 1 + position; NULL if the numbers are consecutive */
    bool is_hashed;  /* open addressing; range is then the table's size, a power of two */
    const int64_t *label;
};

/* Curves of a 4.1 file and their physical groups. */
struct ewi_gmsh_curve {
    int32_t groups, first; /* in group[] */
};

struct ewi_gmsh {
    struct ewi_mesh_file *file;
    bool is_20, is_41, has_nodes, has_elements, has_entities[2]; /* [0]: of the whole mesh, [1]: of its parts */
    int64_t parts; /* lower bound for the surfaces of a mesh that is divided */
    struct ewi_gmsh_index index; /* of nodes */

    int32_t curves, curve_capacity, groups, group_capacity;
    struct ewi_gmsh_curve *curve;
    int32_t *group; /* positions in name[], or -1 */
    struct ewi_gmsh_index curve_index;
    int64_t *curve_label;
};

/* Each reads a section's content, from the line after its name to just before its end. */
int ewi_gmsh_read_names(struct ewi_gmsh *gmsh);
int ewi_gmsh_read_entities(struct ewi_gmsh *gmsh, bool of_parts);
int ewi_gmsh_read_nodes(struct ewi_gmsh *gmsh, bool parametric);
int ewi_gmsh_read_elements(struct ewi_gmsh *gmsh);

/* The end of the section: "$End" and its name, or the end of the file. The content may be binary. */
const char *ewi_gmsh_find_end(const struct ewi_scan *scan, const char *name, size_t length);

#endif
