/* SPDX-License-Identifier: BSD-2-Clause */
/* Heights of a curve over its chord, from its slopes at the points of a rule. */
#include "ewi_curve.h"

/* Lagrange's polynomial number r of the points, at t. */
static double lagrange(int ne, const double *point, int r, double t)
{
    double value = 1;
    for (int k = 0; k < ne; k++)
        if (k != r)
            value *= (t - point[k]) / (point[r] - point[k]);
    return value;
}

/* Gauss' rule of ne points, moved to 0 .. t, is exact for the polynomials of degree ne - 1. */
void ewi_curve_height(int ne, const double *point, const double *weight, double t, double *factor)
{
    for (int r = 0; r < ne; r++) {
        double sum = 0;
        for (int k = 0; k < ne; k++)
            sum += weight[k] * lagrange(ne, point, r, t * point[k]);
        factor[r] = t * sum - t * weight[r];
    }
}
