/* SPDX-License-Identifier: BSD-2-Clause */
/* What the formats of export share: the nodes and fields that are written. */
#ifndef EWI_EXPORT_H
#define EWI_EXPORT_H

#include "ewi_output_file.h"
#include "ewi_results.h"

struct ewi_exporting {
    const struct ew_results *results;
    const ew_export *what;
    struct ewi_output *output;
    int subdivide, points, triangles; /* of an element */
    double *rs;                       /* [points][2] */
    int *corner;                      /* [triangles][3]: nodes of the small triangles */
    double *centre;                   /* [triangles][2] */
    int fields;
    int *field;
    size_t values; /* room of `buffer` */
    double *buffer;
};

int ewi_export_vtu(struct ewi_exporting *exporting, ew_error *error);
int ewi_export_gmsh(struct ewi_exporting *exporting, ew_error *error);
int ewi_export_csv(struct ewi_exporting *exporting, ew_error *error);

/* Numbers of the nodes of VTK's Lagrange triangle of a degree, as nodes of the lattice. */
void ewi_lagrange_order(int degree, int *node);

#endif
