/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Media of linear waves, constant in each element: the equations
 *     b p_t + div j = 0,   a j_t + grad p = 0
 * of a potential p and a flow j, with the inertia a and the compliance b of the element. Sound has a = rho0 and
 * b = 1/(rho0 c0^2); light with E = p has a = mu and b = epsilon. The state consists of b p and a j, which jump where
 * the medium does; p and the normal part of j do not.
 *   parameter   rows [2][EWI_TILE] of an element's tile: v = 1/a and the impedance z = sqrt(a/b)
 *   field       v and z on the left of an edge, v and z on its right
 */
#ifndef EWI_MEDIA_H
#define EWI_MEDIA_H

#include "ewi_lanes.h"
#include "ewi_medium.h"

/* 1/a */
EW_HD ewi_v ewi_medium_lightness(const double *parameter) { return ewi_load(parameter); }

EW_HD ewi_v ewi_medium_impedance(const double *parameter) { return ewi_load(parameter + EWI_TILE); }

/* 1/b = v z^2 */
EW_HD ewi_v ewi_medium_stiffness(const double *parameter)
{
    return (ewi_medium_lightness(parameter) * ewi_medium_impedance(parameter)) * ewi_medium_impedance(parameter);
}

/* 1/b on one side of an edge. */
EW_HD ewi_v ewi_side_stiffness(const ewi_v *side) { return (side[0] * side[1]) * side[1]; }

/*
 * Twice the potential and the flow between the two waves that leave an edge, which is the exact solution of the Riemann
 * problem of two media (LeVeque, "Finite Volume Methods for Hyperbolic Problems", section 9.9). jl and jr are flows
 * through the whole edge, and so is *j.
 */
EW_HD void ewi_between_waves(const ewi_v *field, ewi_v pl, ewi_v pr, ewi_v jl, ewi_v jr, ewi_v length, ewi_v *p,
                             ewi_v *j)
{
    ewi_v zl = field[1], zr = field[3], share = ewi_set(2.0) / (zl + zr);
    *p = share * ((zr * pl + zl * pr) + (zl * zr) * ((jl - jr) / length));
    *j = share * ((zl * jl + zr * jr) + length * (pl - pr));
}

/* The larger speed of waves on both sides: v z. */
EW_HD ewi_v ewi_media_speed(const ewi_v *field) { return ewi_max(field[0] * field[1], field[2] * field[3]); }

/* Definitions shared by the laws with media: three variables, the exact flux, and a speed stored per element. */
#define EWI_DEFINE_MEDIA(law)                                                                                      \
    EWI_DEFINE_LINEAR(law)                                                                                         \
    EW_HD ewi_v ewi_##law##_speed(const double *parameter, const ewi_v *u, ewi_v bound)                            \
    {                                                                                                              \
        (void)parameter;                                                                                           \
        return ewi_fma((u[0] + u[1]) + u[2], ewi_set(0.0), bound);                                                 \
    }                                                                                                              \
    EW_HD ewi_mask ewi_##law##_admissible(const double *parameter, const ewi_v *u)                                 \
    {                                                                                                              \
        (void)parameter;                                                                                           \
        ewi_v infinity = ewi_set(__builtin_inf());                                                                 \
        return ewi_and(ewi_gt(infinity, ewi_abs(u[0])),                                                            \
                       ewi_and(ewi_gt(infinity, ewi_abs(u[1])), ewi_gt(infinity, ewi_abs(u[2]))));                 \
    }                                                                                                              \
    EW_HD void ewi_##law##_rest(double *w)                                                                         \
    {                                                                                                              \
        w[0] = w[1] = w[2] = 0.0;                                                                                  \
    }                                                                                                              \
    /* The exact flux takes incoming waves from the given state and outgoing ones from inside. */                  \
    EW_HD void ewi_##law##_ghost_far(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,        \
                                     ewi_v ny, ewi_v *g)                                                           \
    {                                                                                                              \
        (void)parameter, (void)u, (void)nx, (void)ny;                                                              \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                            \
            g[m] = given[m];                                                                                       \
    }

#endif
