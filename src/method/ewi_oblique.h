/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Far fields that are transparent to linear waves at an angle a to the boundary's normal. Such a wave leaves the
 * incoming characteristic at -k times the outgoing one, as disturbances of the given state, with
 * k = (1 - cos a)/(1 + cos a) (Engquist and Majda, "Absorbing boundary conditions for the numerical simulation of
 * waves", 1977). A wave at the angle b is then reflected at (cos b - cos a)/(cos b + cos a) of its amplitude. Normals
 * of these boundaries have the length 1/cos a.
 */
#ifndef EWI_OBLIQUE_H
#define EWI_OBLIQUE_H

#include "ewi_lanes.h"

struct ewi_oblique {
    ewi_v nx, ny, k; /* the unit normal; k */
};

EW_HD struct ewi_oblique ewi_oblique(ewi_v nx, ewi_v ny)
{
    ewi_v one = ewi_set(1.0), length = ewi_root(ewi_fma(nx, nx, ny * ny));
    struct ewi_oblique oblique = {nx / length, ny / length, (length - one) / (length + one)};
    return oblique;
}

/*
 * The ghost of a linear law: the far field towards the given state plus k times the mirror image of the inner
 * disturbance, whose incoming characteristic is the negative of the outgoing one.
 */
#define EWI_DEFINE_LINEAR_OBLIQUE(law)                                                                             \
    EW_HD void ewi_##law##_ghost_oblique(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,    \
                                         ewi_v ny, ewi_v *g)                                                       \
    {                                                                                                              \
        struct ewi_oblique oblique = ewi_oblique(nx, ny);                                                          \
        ewi_v change[ewi_##law##_variables], image[ewi_##law##_variables], outer[ewi_##law##_variables];           \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                            \
            change[m] = u[m] - given[m];                                                                           \
        ewi_##law##_ghost_symmetry(parameter, change, given, oblique.nx, oblique.ny, image);                       \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                            \
            outer[m] = ewi_fma(oblique.k, image[m], given[m]);                                                     \
        ewi_##law##_ghost_far(parameter, u, outer, oblique.nx, oblique.ny, g);                                     \
    }

#endif
