/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The orthonormal basis on the reference triangle (0,0), (1,0), (0,1) and the quadrature rules that go with it, for
 * each order p. src/tables/README says what the tables are; device code includes src/tables/pP.h itself.
 */
#ifndef EWI_BASIS_H
#define EWI_BASIS_H

#include "ewi_hd.h"

/* Every order for which there are kernels and tables: EWI_ORDERS(X) is X(1) X(2) ... */
#define EWI_ORDERS(X) X(1) X(2) X(3) X(4) X(5)
#define EWI_MAX_ORDER 5
#define EWI_MAX_NP 21 /* basis functions */
#define EWI_MAX_NQ 25 /* volume points */
#define EWI_MAX_NE 6  /* points of an edge */
#define EWI_MAX_NF 64 /* points of the finer rule */
#define EWI_SQRT2 0x1.6a09e667f3bcdp0 /* the first basis function: a mean is sqrt(2) c_0 */

/* Tables are flat; q = volume point, j = basis function, k = side, e = edge point, f = point of the finer rule. */
struct ewi_basis {
    int order, np, nq, ne, nf;
    const double *r, *s, *weight;                /* [q], weights sum to 1/2 */
    const double *phi;                           /* [q][j] */
    const double *dr, *ds;                       /* [q][j], derivatives times weight */
    const double *slope_r, *slope_s;             /* [q][j], derivatives */
    const double *project;                       /* [q][j], phi times weight */
    const double *edge_t, *edge_weight;          /* [e], t in [0,1] ascending, weights sum to 1 */
    const double *side;                          /* [k][e][j], counter-clockwise from (0,0) */
    const double *side_r, *side_s;               /* [k][e][j], their derivatives */
    const double *vertex;                        /* [3][j] */
    const double *fine_r, *fine_s, *fine_weight; /* [f] */
    const double *fine_phi;                      /* [f][j] */
};

/*
 * eta (p + 1)(p + 2)/2 with eta = 1.2; times the sum of 1/det J of both elements it is the penalty
 * (kernels/diffusion.h). The least stable eta is 8/7 at p = 5, and less at lower orders.
 */
EW_HD double ewi_penalty(int order)
{
    return 0.6 * (order + 1) * (order + 2);
}

/* The tables of an order, NULL if there are none. */
const struct ewi_basis *ewi_basis_get(int order);

/*
 * All basis functions up to `order` (0..EWI_MAX_ORDER), and their derivatives, at any point of the triangle, its
 * boundary included. phi, dr and ds hold (order+1)(order+2)/2 values. The same bits on every platform.
 */
void ewi_basis_eval(int order, double r, double s, double *phi);
void ewi_basis_eval_grad(int order, double r, double s, double *dr, double *ds);

#endif
