/* SPDX-License-Identifier: BSD-2-Clause */
/* Splits the quadrangles of a mesh file into triangles. */
#include "ewi_mesh_build.h"
#include "ewi_mesh_file.h"

#include <inttypes.h>
#include <string.h>

#define DEGENERATE 2e-12 /* relative to the square of the longest side: twice the least area at a corner */
#define EQUAL 1e-9       /* relative difference of shapes that may be due to rounding */

static double square(const double *a, const double *b)
{
    return (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
}

/* Area over the sum of squared sides: greatest for an equilateral triangle. */
static double shape_of(const double *a, const double *b, const double *c)
{
    return fabs(ewi_determinant(a, b, c)) / (square(a, b) + square(b, c) + square(c, a));
}

/* The corner at which a quadrangle is not convex, or -1. */
static int find_reflex(const double *const corner[4])
{
    double area = ewi_determinant(corner[0], corner[1], corner[2]) + ewi_determinant(corner[0], corner[2], corner[3]);
    double longest = 0;
    for (int k = 0; k < 4; k++)
        longest = fmax(longest, square(corner[k], corner[(k + 1) % 4]));
    for (int k = 0; k < 4; k++) {
        double here = ewi_determinant(corner[(k + 3) % 4], corner[k], corner[(k + 1) % 4]);
        if (!((area < 0 ? -here : here) > DEGENERATE * longest))
            return k;
    }
    return -1;
}

/* Chooses the diagonal whose worse triangle has the better shape; the first one if they are equal up to rounding. */
static int split_quadrangle(const struct ewi_mesh_file *file, int64_t first)
{
    int64_t *triangle = file->triangle + 3 * first;
    const int64_t node[4] = {triangle[0], triangle[1], triangle[2], triangle[5]};
    const double *xy[4];
    for (int k = 0; k < 4; k++)
        xy[k] = file->xy + 2 * node[k];
    int reflex = find_reflex(xy);
    if (reflex >= 0)
        return ewi_fail(file->scan.error, EW_EMESH, "%.300s: quadrangle %" PRId64 " is not convex, or degenerate, at "
                        "node %" PRId64 " (%g, %g), and is not split; mend it in the program that made the mesh",
                        file->scan.source, file->triangle_label[first], file->node_label[node[reflex]],
                        xy[reflex][0], xy[reflex][1]);
    double now = fmin(shape_of(xy[0], xy[1], xy[2]), shape_of(xy[0], xy[2], xy[3]));
    double other = fmin(shape_of(xy[0], xy[1], xy[3]), shape_of(xy[1], xy[2], xy[3]));
    if (other > now * (1 + EQUAL))
        memcpy(triangle, (int64_t[6]){node[0], node[1], node[3], node[1], node[2], node[3]}, 6 * sizeof *triangle);
    return EW_OK;
}

int ewi_file_split(const struct ewi_mesh_file *file)
{
    for (int64_t q = 0; q < file->quadrangles; q++)
        TRY(split_quadrangle(file, file->quadrangle[q]));
    if (file->quadrangles > 0)
        ewi_log(file->host, EW_LOG_INFO, "%.300s: %" PRId64 " quadrangles are split into triangles", file->scan.source,
                file->quadrangles);
    return EW_OK;
}
