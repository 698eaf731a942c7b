/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Polynomials at points of EWI_TILE elements side by side, for output: values at nodes, extrema. Every instruction
 * level has these (omp/points.h), with the bits of the scalar functions of ewi_laws.h.
 */
#ifndef EWI_POINTS_H
#define EWI_POINTS_H

struct ewi_points {
    /*
     * The conserved variables u[points][variables][EWI_TILE] and, if w is not NULL, the primitive ones, with the law's
     * limit_point, at points with basis functions phi[points][np], from coefficients c[variables][np][EWI_TILE].
     */
    void (*values)(const double *parameter, int np, int points, const double *phi, const double *c, double *u,
                   double *w);
    /*
     * The least and the largest of the primitive variables, [variables][EWI_TILE] each, of points in their order; the
     * last NaN, if there is one.
     */
    void (*extrema)(const double *parameter, int np, int points, const double *phi, const double *c, double *min,
                    double *max);
};

/* The points of law number `law` (ewi_laws.h), by the best level of this machine. */
const struct ewi_points *ewi_points_of(int law);

#endif
