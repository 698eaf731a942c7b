/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The basis functions at any point of the triangle, for host code (basis.c) and for kernels, with the same bits: of an
 * order that the compiler knows, nothing is left of the loops. `norm` is EWI_P5_NORM of the tables, whose functions of
 * lower orders are the first ones.
 */
#ifndef EWI_BASIS_EVAL_H
#define EWI_BASIS_EVAL_H

#include "ewi_basis.h"
#include "ewi_hd.h"

#include <stddef.h>

#ifndef EWI_UNROLL /* of kernels: a pragma */
#define EWI_UNROLL
#endif

/*
 * The recurrences are those of src/tables/generate.c, which says where they come from; their integers are exact here.
 */

/* P_n^{(alpha,0)}(2t-1) and, unless `slope` is NULL, its derivative in t, for n = 0..degree. */
EW_HD void ewi_jacobi(int degree, int alpha, double t, double *value, double *slope)
{
    double x = 2 * t - 1;

    value[0] = 1;
    if (degree > 0)
        value[1] = (alpha + 2) * t - 1;
    if (slope) {
        slope[0] = 0;
        slope[1] = alpha + 2;
    }
    EWI_UNROLL
    for (int n = 1; n < degree; n++) {
        int sum = 2 * n + alpha;
        double divisor = 2 * (n + 1) * (n + alpha + 1) * sum;
        double steepness = (sum + 1) * (sum + 2) * sum;
        double factor = steepness * x + (sum + 1) * alpha * alpha;
        double previous = 2 * n * (n + alpha) * (sum + 2);

        value[n + 1] = (factor * value[n] - previous * value[n - 1]) / divisor;
        if (slope)
            slope[n + 1] = (factor * slope[n] + 2 * steepness * value[n] - previous * slope[n - 1]) / divisor;
    }
}

/*
 * (1-r)^b P_b(2s/(1-r) - 1), a polynomial also at r = 1, and, unless NULL, its two derivatives, for b = 0..degree.
 */
EW_HD void ewi_collapsed_legendre(int degree, double r, double s, double *value, double *slope_r, double *slope_s)
{
    double height = 1 - r, middle = 2 * s - height;

    value[0] = 1;
    if (degree > 0)
        value[1] = middle;
    if (slope_r) {
        slope_r[0] = slope_s[0] = 0;
        slope_r[1] = 1;
        slope_s[1] = 2;
    }
    EWI_UNROLL
    for (int b = 1; b < degree; b++) {
        double factor = (2 * b + 1) * middle, previous = b * (height * height);

        value[b + 1] = (factor * value[b] - previous * value[b - 1]) / (b + 1);
        if (slope_r) {
            double in_r = factor * slope_r[b] + (2 * b + 1) * value[b] + 2 * b * height * value[b - 1];
            double in_s = factor * slope_s[b] + 2 * (2 * b + 1) * value[b];
            slope_r[b + 1] = (in_r - previous * slope_r[b - 1]) / (b + 1);
            slope_s[b + 1] = (in_s - previous * slope_s[b - 1]) / (b + 1);
        }
    }
}

/*
 * phi_{d,b} = norm P_{d-b}^{(2b+1,0)}(2r-1) (1-r)^b P_b(2s/(1-r) - 1). Rasters and probes ask for it at every point of
 * every frame.
 */
EW_HD void ewi_basis_eval_by(const double *norm, int order, double r, double s, double *phi)
{
    double across[EWI_MAX_ORDER + 1], along[EWI_MAX_ORDER + 1];

    ewi_collapsed_legendre(order, r, s, across, NULL, NULL);
    EWI_UNROLL
    for (int b = 0; b <= order; b++) {
        ewi_jacobi(order - b, 2 * b + 1, r, along, NULL);
        EWI_UNROLL
        for (int a = 0; a <= order - b; a++) {
            int d = a + b, j = d * (d + 1) / 2 + b;
            phi[j] = norm[j] * (across[b] * along[a]);
        }
    }
}

EW_HD void ewi_basis_eval_grad_by(const double *norm, int order, double r, double s, double *dr, double *ds)
{
    double across[EWI_MAX_ORDER + 2], across_r[EWI_MAX_ORDER + 2], across_s[EWI_MAX_ORDER + 2];
    double along[EWI_MAX_ORDER + 2], along_r[EWI_MAX_ORDER + 2];

    ewi_collapsed_legendre(order, r, s, across, across_r, across_s);
    EWI_UNROLL
    for (int b = 0; b <= order; b++) {
        ewi_jacobi(order - b, 2 * b + 1, r, along, along_r);
        EWI_UNROLL
        for (int a = 0; a <= order - b; a++) {
            int d = a + b, j = d * (d + 1) / 2 + b;
            dr[j] = norm[j] * (across_r[b] * along[a] + across[b] * along_r[a]);
            ds[j] = norm[j] * (across_s[b] * along[a]);
        }
    }
}

#endif
