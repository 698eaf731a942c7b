/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Triangles that are partly dry, over a bed. The scheme's surface is linear and continues below the ground, and the
 * water has one velocity; the primitive variables at dry nodes tell neither.
 */
#include "ewi_lattice.h"
#include "ewi_results.h"

#include <math.h>

enum { DEPTH, VELOCITY_X, VELOCITY_Y, BED, SURFACE };            /* primitive */
enum { LEVEL, MOMENTUM_X, MOMENTUM_Y, CONSERVED_BED, MEAN_DEPTH }; /* conserved */

bool ewi_shore_crosses(int points, const double *depth)
{
    int wet = 0;
    for (int k = 0; k < points; k++)
        wet += depth[k] > 0;
    return wet > 0 && wet < points;
}

/* The plane surface[0] + surface[1] i + surface[2] j through wet nodes, or their mean level if they lie on a line. */
static void find_surface(int subdivide, const double *depth, const double *level, double surface[3])
{
    double n = 0, mi = 0, mj = 0, mean = 0, ii = 0, ij = 0, jj = 0, zi = 0, zj = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j <= subdivide; j++)
            for (int i = 0; i + j <= subdivide; i++) {
                int k = ewi_lattice_node(subdivide, i, j);
                if (!(depth[k] > 0))
                    continue;
                if (pass == 0) {
                    n++, mi += i, mj += j, mean += level[k];
                    continue;
                }
                double di = i - mi / n, dj = j - mj / n, dz = level[k] - mean / n;
                ii += di * di, ij += di * dj, jj += dj * dj, zi += dz * di, zj += dz * dj;
            }
    double det = ii * jj - ij * ij;
    bool has_slope = det > 1e-6;
    surface[1] = has_slope ? (zi * jj - zj * ij) / det : 0;
    surface[2] = has_slope ? (zj * ii - zi * ij) / det : 0;
    surface[0] = mean / n - surface[1] * (mi / n) - surface[2] * (mj / n);
}

void ewi_shore_conserved(int subdivide, double *values, int64_t plane)
{
    const double *depth = values + DEPTH * plane;
    double surface[3], mean = 0, velocity[2] = {0};
    int points = 0, wet = 0;
    find_surface(subdivide, depth, values + SURFACE * plane, surface);
    for (int k = 0; k < (subdivide + 1) * (subdivide + 2) / 2; k++, points++) {
        mean += depth[k];
        wet += depth[k] > 0;
        for (int d = 0; d < 2 && depth[k] > 0; d++)
            velocity[d] += values[(VELOCITY_X + d) * plane + k];
    }
    mean /= points;
    for (int j = 0; j <= subdivide; j++)
        for (int i = 0; i + j <= subdivide; i++) {
            int k = ewi_lattice_node(subdivide, i, j);
            values[LEVEL * plane + k] = surface[0] + surface[1] * i + surface[2] * j;
            values[MOMENTUM_X * plane + k] = mean * velocity[0] / wet;
            values[MOMENTUM_Y * plane + k] = mean * velocity[1] / wet;
            values[MEAN_DEPTH * plane + k] = sqrt(2.0) * mean;
        }
}

double ewi_shore_value(int subdivide, const double *value, double r, double s)
{
    double x = r * subdivide, y = s * subdivide;
    int j = (int)fmin(fmax(floor(y), 0), subdivide - 1), i = (int)fmin(fmax(floor(x), 0), subdivide - 1 - j);
    x -= i;
    y -= j;
    bool upper = x + y > 1 && i + j + 1 < subdivide;
    double right = value[ewi_lattice_node(subdivide, i + 1, j)], above = value[ewi_lattice_node(subdivide, i, j + 1)];
    double corner = value[ewi_lattice_node(subdivide, i + upper, j + upper)];
    double to_right = upper ? 1 - y : x, to_above = upper ? 1 - x : y;
    double to_corner = 1 - to_right - to_above;
    return (to_corner != 0 ? corner * to_corner : 0) + (to_right != 0 ? right * to_right : 0) +
           (to_above != 0 ? above * to_above : 0);
}
