/* SPDX-License-Identifier: BSD-2-Clause */
/* What the formats of export share: the nodes and fields that are written. */
#ifndef EWI_EXPORT_H
#define EWI_EXPORT_H

#include "ewi_output_file.h"
#include "ewi_results.h"

struct ewi_exporting {
    const struct ew_results *results;
    const ew_export *what;
    struct ewi_arena memory;
    struct ewi_output *output;
    FILE *file;                       /* the output's */
    int subdivide, points, triangles; /* of an element */
    double *rs;                       /* [points][2] */
    int *corner;                      /* [triangles][3]: nodes of the small triangles */
    double *centre;                   /* [triangles][2] */
    int fields;
    int *field;
    size_t values; /* room of `buffer` */
    double *buffer;
    double *xy; /* [slab][3][2]: corners */
};

int ewi_export_no_memory(const struct ewi_exporting *exporting, ew_error *error);
/* Elements in the slab that starts at `first`. */
int64_t ewi_export_slab(struct ewi_exporting *exporting, int64_t first);
/* Fails if a write has failed. */
int ewi_export_written(const struct ewi_exporting *exporting, ew_error *error);

int ewi_export_vtu(struct ewi_exporting *exporting, ew_error *error);
int ewi_export_gmsh(struct ewi_exporting *exporting, ew_error *error);
int ewi_export_csv(struct ewi_exporting *exporting, ew_error *error);

/* A text as an attribute's value in XML. */
void ewi_export_escaped(FILE *file, const char *text);

/* Numbers of the nodes of VTK's Lagrange triangle of a degree, as nodes of the lattice. */
void ewi_lagrange_order(int degree, int *node);

#endif
