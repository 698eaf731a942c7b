/* SPDX-License-Identifier: BSD-2-Clause */
/* Basis functions, quadrature rules and their tables. */
#include "ewi_basis_eval.h"
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
           .slope_r = TABLE(P, SLOPE_R),         \
           .slope_s = TABLE(P, SLOPE_S),         \
           .side_r = TABLE(P, SIDE_R),           \
           .side_s = TABLE(P, SIDE_S),           \
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

static const double norm[EWI_MAX_NP] = EWI_P5_NORM;

#define EVALUATE(P)                               \
    case P:                                       \
        ewi_basis_eval_by(norm, P, r, s, phi);    \
        break;

void ewi_basis_eval(int order, double r, double s, double *phi)
{
    switch (order) { /* loops of known lengths */
        EWI_ORDERS(EVALUATE)
    default:
        ewi_basis_eval_by(norm, order, r, s, phi);
    }
}

void ewi_basis_eval_grad(int order, double r, double s, double *dr, double *ds)
{
    ewi_basis_eval_grad_by(norm, order, r, s, dr, ds);
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
