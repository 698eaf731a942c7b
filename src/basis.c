/* SPDX-License-Identifier: BSD-2-Clause */
/* Basis functions, quadrature rules and their tables. */
#include "ewi_basis.h"
#include "edgewise.h"

#include <stddef.h>

#include "tables/p1.h"
#include "tables/p2.h"
#include "tables/p3.h"
#include "tables/p4.h"
#include "tables/p5.h"

#define TABLE(P, name) (const double[])EWI_P##P##_##name
#define BASIS_ENTRY(P)                           \
    [P] = {.order = P,                           \
           .np = EWI_P##P##_NP,                  \
           .nq = EWI_P##P##_NQ,                  \
           .ne = EWI_P##P##_NE,                  \
           .nf = EWI_P##P##_NF,                  \
           .r = TABLE(P, R),                     \
           .s = TABLE(P, S),                     \
           .weight = TABLE(P, WEIGHT),           \
           .phi = TABLE(P, PHI),                 \
           .dr = TABLE(P, DR),                   \
           .ds = TABLE(P, DS),                   \
           .project = TABLE(P, PROJECT),         \
           .edge_t = TABLE(P, EDGE_T),           \
           .edge_weight = TABLE(P, EDGE_WEIGHT), \
           .side = TABLE(P, SIDE),               \
           .vertex = TABLE(P, VERTEX),           \
           .fine_r = TABLE(P, FINE_R),           \
           .fine_s = TABLE(P, FINE_S),           \
           .fine_weight = TABLE(P, FINE_WEIGHT), \
           .fine_phi = TABLE(P, FINE_PHI)},

static const struct ewi_basis bases[EWI_MAX_ORDER + 1] = {EWI_ORDERS(BASIS_ENTRY)};

const struct ewi_basis *ewi_basis_get(int order)
{
    return order >= 1 && order <= EWI_MAX_ORDER ? &bases[order] : NULL;
}

/* Functions of lower orders are the first ones of the highest. */
static const double norm[EWI_MAX_NP] = EWI_P5_NORM;

/*
 * The recurrences are those of src/tables/generate.c, which says where they come from; their integers are exact here.
 */

/* P_n^{(alpha,0)}(2t-1) and, unless `slope` is NULL, its derivative in t, for n = 0..degree. */
static inline void jacobi(int degree, int alpha, double t, double *value, double *slope)
{
    double x = 2 * t - 1;

    value[0] = 1;
    if (degree > 0)
        value[1] = (alpha + 2) * t - 1;
    if (slope) {
        slope[0] = 0;
        slope[1] = alpha + 2;
    }
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
static inline void collapsed_legendre(int degree, double r, double s, double *value, double *slope_r, double *slope_s)
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
void ewi_basis_eval(int order, double r, double s, double *phi)
{
    double across[EWI_MAX_ORDER + 1], along[EWI_MAX_ORDER + 1];

    collapsed_legendre(order, r, s, across, NULL, NULL);
    for (int b = 0; b <= order; b++) {
        jacobi(order - b, 2 * b + 1, r, along, NULL);
        for (int a = 0; a <= order - b; a++) {
            int d = a + b, j = d * (d + 1) / 2 + b;
            phi[j] = norm[j] * (across[b] * along[a]);
        }
    }
}

void ewi_basis_eval_grad(int order, double r, double s, double *dr, double *ds)
{
    double across[EWI_MAX_ORDER + 2], across_r[EWI_MAX_ORDER + 2], across_s[EWI_MAX_ORDER + 2];
    double along[EWI_MAX_ORDER + 2], along_r[EWI_MAX_ORDER + 2];

    collapsed_legendre(order, r, s, across, across_r, across_s);
    for (int b = 0; b <= order; b++) {
        jacobi(order - b, 2 * b + 1, r, along, along_r);
        for (int a = 0; a <= order - b; a++) {
            int d = a + b, j = d * (d + 1) / 2 + b;
            dr[j] = norm[j] * (across_r[b] * along[a] + across[b] * along_r[a]);
            ds[j] = norm[j] * (across_s[b] * along[a]);
        }
    }
}

int ew_basis_values(int order, int points, const double *rs, double *values)
{
    if (order < 1 || order > EW_MAX_ORDER || points < 0 || (points > 0 && (!rs || !values)))
        return EW_EINVAL;
    size_t functions = (size_t)((order + 1) * (order + 2) / 2);
    for (size_t k = 0; k < (size_t)points; k++)
        ewi_basis_eval(order, rs[2 * k], rs[2 * k + 1], values + k * functions);
    return EW_OK;
}
