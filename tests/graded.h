/* SPDX-License-Identifier: BSD-2-Clause */
/* A square whose triangles grow from the middle, for tests of levels of time steps. */
#ifndef EW_GRADED_H
#define EW_GRADED_H

#include "edgewise.h"
#include "helpers.h"

#include <math.h>
#include <string.h>

/* An isentropic vortex in a stream, which crosses all levels; a closed box; a stream. */
#define VORTEX                                                                                                   \
    "(1 - 0.05*exp(1 - 6*((x + 0.5 - t)^2 + (y + 0.25 - t/2)^2)))^2.5;"                                          \
    "1 - sqrt(6*0.05*7)*(y + 0.25 - t/2)*exp(0.5 - 3*((x + 0.5 - t)^2 + (y + 0.25 - t/2)^2));"                   \
    "0.5 + sqrt(6*0.05*7)*(x + 0.5 - t)*exp(0.5 - 3*((x + 0.5 - t)^2 + (y + 0.25 - t/2)^2));"                    \
    "(1 - 0.05*exp(1 - 6*((x + 0.5 - t)^2 + (y + 0.25 - t/2)^2)))^3.5"
#define BOX "1 + 0.4*tanh(9*(0.2 - x^2 - y^2));0.3*y;0.1*x;1 + 0.8*tanh(9*(0.2 - x^2 - y^2))"
/* A shock that runs from small triangles into large ones. */
#define BLAST "x^2 + y^2 < 0.04 ? 1 : 0.2;0.3*y;0;x^2 + y^2 < 0.04 ? 3 : 0.2"
#define STREAM "1;0.4;0.2;0.7"

enum { HALF = 7, SIDE = 2 * HALF, NODES = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE, LINES = 4 * SIDE };

/*
 * The coordinates of grid lines, whose distances grow from the middle of [-1, 1] by a factor; to the left by a smaller
 * one, so that levels do not have numbers of elements that fill tiles.
 */
static inline void space(double factor, double x[SIDE + 1])
{
    const double growth[2] = {pow(factor, 0.9), factor};
    x[HALF] = 0.0;
    for (int side = 0; side < 2; side++) {
        double at = 0.0, width = 1.0, sum = 0.0;
        for (int k = 0; k < HALF; k++)
            sum += pow(growth[side], k);
        for (int k = 1; k <= HALF; k++, width *= growth[side])
            x[HALF + (2 * side - 1) * k] = (2 * side - 1) * (at += width) / sum;
    }
}

static inline int64_t node(int i, int j)
{
    return j * (SIDE + 1) + i;
}

/* A square whose cells grow from the middle, somewhat irregular; so many edges of its boundary are "rest". */
static inline ew_mesh *graded_mesh_with(double factor, int rest)
{
    static double xy[NODES][2];
    static int64_t triangle[TRIANGLES][3], line[LINES][2];
    static int32_t line_name[LINES];
    static const char *const name[] = {"around", "rest"};
    double x[SIDE + 1], y[SIDE + 1];
    ew_error error;
    ew_mesh *mesh;
    uint64_t seed = 7;
    int t = 0, l = 0;
    space(factor, x);
    space(1.0 + 0.95 * (factor - 1.0), y);
    for (int j = 0; j <= SIDE; j++)
        for (int i = 0; i <= SIDE; i++)
            xy[node(i, j)][0] = x[i], xy[node(i, j)][1] = y[j];
    for (int j = 1; factor > 1.0 && j < SIDE; j++)
        for (int i = 1; i < SIDE; i++) {
            xy[node(i, j)][0] += 0.2 * random_double(&seed) * fmin(x[i + 1] - x[i], x[i] - x[i - 1]);
            xy[node(i, j)][1] += 0.2 * random_double(&seed) * fmin(y[j + 1] - y[j], y[j] - y[j - 1]);
        }
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const int64_t corner[4] = {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)};
            int cut = (i + j) % 2;
            for (int half = 0; half < 2; half++, t++)
                for (int k = 0; k < 3; k++)
                    triangle[t][k] = corner[(cut + 2 * half + k) % 4];
        }
    for (int k = 0; k < SIDE; k++) {
        const int64_t ends[4][2] = {{node(k, 0), node(k + 1, 0)}, {node(k, SIDE), node(k + 1, SIDE)},
                                    {node(0, k), node(0, k + 1)}, {node(SIDE, k), node(SIDE, k + 1)}};
        for (int side = 0; side < 4; side++)
            memcpy(line[l++], ends[side], sizeof *line);
    }
    for (int k = 0; k < LINES; k++)
        line_name[k] = k < rest;
    const ew_mesh_data data = {.nodes = NODES, .xy = *xy, .triangles = TRIANGLES, .triangle = *triangle, .lines = LINES,
                               .line = *line, .line_name = line_name, .names = 1 + (rest > 0), .name = name};
    must(ew_mesh_create(NULL, &data, &mesh, &error), &error);
    return mesh;
}

/* ... with the boundary "around". */
static inline ew_mesh *graded_mesh(double factor)
{
    return graded_mesh_with(factor, 0);
}

#endif
