/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the export formats: the nodes and fields to write. */
#ifndef EWI_EXPORT_H
#define EWI_EXPORT_H

#include "ewi_output_file.h"
#include "ewi_results.h"

struct ewi_exporting {
    const struct ew_results *results;
    const ew_export *what;
    struct ewi_arena memory;
    struct ewi_output *output;
    FILE *file;                       /* the output file */
    int subdivide, points, triangles; /* per element */
    double *rs;                       /* [points][2] */
    int *corner;                      /* [triangles][3]: nodes of the small triangles */
    double *centre;                   /* [triangles][2] */
    int fields;
    int *field;
    size_t values; /* capacity of `buffer` */
    double *buffer;
    double *xy; /* [slab][3][2]: corners */
};

int ewi_export_no_memory(const struct ewi_exporting *exporting, ew_error *error);
/* Number of elements in the slab that starts at `first`. */
int64_t ewi_export_slab(struct ewi_exporting *exporting, int64_t first);
/* Fails if a write has failed. */
int ewi_export_written(const struct ewi_exporting *exporting, ew_error *error);

int ewi_export_vtu(struct ewi_exporting *exporting, ew_error *error);
int ewi_export_gmsh(struct ewi_exporting *exporting, ew_error *error);

/* Writes the values along a wall in a frame as a table. */
int ewi_walls_export(const struct ew_results *results, const char *wall, int64_t frame, const char *path,
                     ew_error *error);

/* Maps the nodes of VTK's Lagrange triangle of a degree to nodes of the lattice. */
void ewi_lagrange_order(int degree, int *node);

#endif
