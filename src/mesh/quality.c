/* SPDX-License-Identifier: BSD-2-Clause */
/* Angles and shapes of a mesh's triangles. */
#include "ewi_mesh.h"

#include <math.h>

struct shape {
    double length[3], angle, largest, ratio;
};

/*
 * Radius ratio: twice the inscribed circle's radius over the circumscribed one's, r/R = 4 A^2 / (s a b c), s half the
 * perimeter.
 */
static void measure(const ew_mesh *mesh, int32_t i, struct shape *shape)
{
    const int32_t *node = mesh->triangle + 3 * (size_t)i;
    double area = 0.5 * ewi_mesh_det(mesh, i), half = 0, product = 1;
    for (int k = 0; k < 3; k++) {
        const double *a = mesh->xy + 2 * (size_t)node[k], *b = mesh->xy + 2 * (size_t)node[(k + 1) % 3];
        shape->length[k] = hypot(b[0] - a[0], b[1] - a[1]);
        half += 0.5 * shape->length[k];
        product *= shape->length[k];
    }
    shape->ratio = fmin(8 * area * (area / product) / half, 1);
    shape->angle = 180;
    shape->largest = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = mesh->xy + 2 * (size_t)node[k], *b = mesh->xy + 2 * (size_t)node[(k + 1) % 3],
                     *c = mesh->xy + 2 * (size_t)node[(k + 2) % 3];
        double along = (b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1]);
        double degrees = atan2(2 * area, along) * (180 / 3.14159265358979323846);
        shape->angle = fmin(shape->angle, degrees);
        shape->largest = fmax(shape->largest, degrees);
    }
}

static int bin_of(double value, double width, int bins)
{
    int bin = (int)(value / width);
    return bin < 0 ? 0 : bin < bins ? bin : bins - 1;
}

static void add_triangle(const ew_mesh *mesh, int32_t i, ew_mesh_quality *quality)
{
    struct shape shape;
    measure(mesh, i, &shape);
    if (shape.angle < quality->smallest_angle) {
        quality->smallest_angle = shape.angle;
        quality->worst = mesh->file_index[i];
    }
    quality->largest_angle = fmax(quality->largest_angle, shape.largest);
    quality->mean_angle += shape.angle / mesh->elements;
    quality->angle[bin_of(shape.angle, 60.0 / EW_ANGLE_BINS, EW_ANGLE_BINS)]++;
    quality->smallest_ratio = fmin(quality->smallest_ratio, shape.ratio);
    quality->mean_ratio += shape.ratio / mesh->elements;
    quality->ratio[bin_of(shape.ratio, 1.0 / EW_RATIO_BINS, EW_RATIO_BINS)]++;
    for (int k = 0; k < 3; k++) {
        quality->shortest_edge = fmin(quality->shortest_edge, shape.length[k]);
        quality->longest_edge = fmax(quality->longest_edge, shape.length[k]);
    }
}

void ew_mesh_get_quality(const ew_mesh *mesh, ew_mesh_quality *quality)
{
    if (quality)
        *quality = (ew_mesh_quality){0};
    if (!quality || !mesh)
        return;
    *quality = (ew_mesh_quality){.smallest_angle = INFINITY, .smallest_ratio = INFINITY, .shortest_edge = INFINITY};
    for (int32_t i = 0; i < mesh->elements; i++)
        add_triangle(mesh, i, quality);
}
