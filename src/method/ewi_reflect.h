/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A state whose vector, the two variables from `first` on, has `factor` times its normal part added: -2 mirrors it, -1
 * takes it away.
 */
#ifndef EWI_REFLECT_H
#define EWI_REFLECT_H

#include "ewi_lanes.h"

EW_HD void ewi_reflect(int variables, int first, double factor, const ewi_v *u, ewi_v nx, ewi_v ny, ewi_v *g)
{
    ewi_v normal = ewi_set(factor) * ewi_fma(u[first], nx, u[first + 1] * ny);
    for (int m = 0; m < variables; m++)
        g[m] = u[m];
    g[first] = ewi_fma(normal, nx, u[first]);
    g[first + 1] = ewi_fma(normal, ny, u[first + 1]);
}

/* Mirrors the normal part of `wall`, the state at the true wall's point, in the momentum of u; returns it. */
EW_HD ewi_v ewi_reflect_at(int variables, int first, const ewi_v *u, const ewi_v *wall, ewi_v nx, ewi_v ny, ewi_v *g)
{
    ewi_v through = ewi_fma(wall[first], nx, wall[first + 1] * ny), normal = ewi_set(-2.0) * through;
    for (int m = 0; m < variables; m++)
        g[m] = u[m];
    g[first] = ewi_fma(normal, nx, u[first]);
    g[first + 1] = ewi_fma(normal, ny, u[first + 1]);
    return through;
}

/* Solid walls of a law whose variables 1 and 2 are momenta: they mirror them or keep their tangential part. */
#define EWI_DEFINE_SOLID_WALLS(law)                                                                                \
    EW_HD void ewi_##law##_ghost_mirror(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,     \
                                        ewi_v ny,                                                                  \
                                        ewi_v *g)                                                                  \
    {                                                                                                              \
        (void)parameter, (void)given;                                                                              \
        ewi_reflect(ewi_##law##_variables, 1, -2.0, u, nx, ny, g);                                                 \
    }                                                                                                              \
    EW_HD void ewi_##law##_ghost_tangential(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, \
                                            ewi_v ny,                                                              \
                                            ewi_v *g)                                                              \
    {                                                                                                              \
        (void)parameter, (void)given;                                                                              \
        ewi_reflect(ewi_##law##_variables, 1, -1.0, u, nx, ny, g);                                                 \
    }                                                                                                              \
    EW_HD void ewi_##law##_ghost_symmetry(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,   \
                                          ewi_v ny,                                                                \
                                          ewi_v *g)                                                                \
    {                                                                                                              \
        ewi_##law##_ghost_mirror(parameter, u, given, nx, ny, g);                                                  \
    }

#endif
