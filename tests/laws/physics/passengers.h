/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A law for tests: five quantities that a constant velocity carries along, each for itself, so that every one of them
 * has the bits of linear advection. More variables and more parameters than any law of the library has.
 */
#ifndef EWI_PHYSICS_PASSENGERS_H
#define EWI_PHYSICS_PASSENGERS_H

#include "flux/llf.h"
#include "ewi_linear.h"

enum { ewi_passengers_variables = 5, ewi_passengers_fields = 0, ewi_passengers_media = 0,
       ewi_passengers_jump_count = 1 };
#define EWI_HAS_DIFFUSION_passengers 0
#define EWI_HAS_SUBCELLS_passengers 0
#define EWI_INFO_passengers                                                                                          \
    .name = "passengers", .description = "five quantities in a constant wind", .conserved = {"a", "b", "c", "d", "e"}, \
    .conserved_long = {"a", "b", "c", "d", "e"}, .primitive = {"v", "w", "x1", "y1", "z"},                           \
    .primitive_long = {"v", "w", "x1", "y1", "z"}, .parameters = 3,                                                  \
    .parameter = {{"wind_x", "velocity along x", 1.0, -10.0},                                                        \
                  {"wind_y", "velocity along y", 0.0, -10.0},                                                        \
                  {"scale", "conserved over primitive variables", 1.0, 0.0}}
#define EWI_OPERATIONS_passengers 24, 8, 0
#define EWI_FLUXES_passengers(X) X(passengers, llf, 27)
#define EWI_POSITIVE_FLUXES_passengers(X)
#define EWI_GHOSTS_passengers(X) X(passengers, state) X(passengers, copy)
#define EWI_VALUES_passengers(X)
#define EWI_OUTPUTS_passengers(X) X(passengers, sum, "sum of all")

EW_HD void ewi_passengers_volume_flux(const double *parameter, const ewi_v *field, const ewi_v *u, ewi_v xr, ewi_v xs,
                                      ewi_v yr, ewi_v ys, ewi_v *fr, ewi_v *fs)
{
    (void)field;
    ewi_v wind_x = ewi_set(parameter[0]), wind_y = ewi_set(parameter[1]);
    for (int m = 0; m < ewi_passengers_variables; m++) {
        fr[m] = u[m] * ewi_fma(ys, wind_x, -(xs * wind_y));
        fs[m] = u[m] * ewi_fma(xr, wind_y, -(yr * wind_x));
    }
}

EW_HD void ewi_passengers_flux_pair(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur,
                                    ewi_v nx, ewi_v ny, ewi_v length, ewi_v *sum, ewi_v *speed)
{
    (void)field, (void)length;
    ewi_v normal = ewi_fma(ewi_set(parameter[0]), nx, ewi_set(parameter[1]) * ny);
    *speed = ewi_abs(normal);
    for (int m = 0; m < ewi_passengers_variables; m++)
        sum[m] = normal * (ul[m] + ur[m]);
}

EWI_DEFINE_NO_POSITIVITY(passengers)
EWI_DEFINE_NO_POINT_LIMIT(passengers)
EWI_DEFINE_LLF(passengers, ewi_passengers_variables)

/* Unlike linear laws of the library, it can have limiters with a jump sensor. */
EW_HD void ewi_passengers_jumps(const ewi_v *frame, const ewi_v *d, ewi_v *z)
{
    (void)frame;
    z[0] = ewi_abs(d[0]);
}

EW_HD void ewi_passengers_jump_scales(const double *parameter, const ewi_v *mean, const ewi_v *z, ewi_v *scale)
{
    (void)parameter, (void)mean, (void)z;
    scale[0] = ewi_set(1.0);
}

EW_HD ewi_v ewi_passengers_speed(const double *parameter, const ewi_v *u, ewi_v bound)
{
    (void)u, (void)bound;
    return ewi_root(ewi_set(parameter[0] * parameter[0] + parameter[1] * parameter[1]));
}

EW_HD ewi_mask ewi_passengers_admissible(const double *parameter, const ewi_v *u)
{
    (void)parameter;
    return ewi_gt(ewi_set(__builtin_inf()), ewi_abs((u[0] + u[1]) + (u[2] + u[3]) + u[4]));
}

EW_HD void ewi_passengers_conserved(const double *parameter, const ewi_v *w, ewi_v *u)
{
    for (int m = 0; m < ewi_passengers_variables; m++)
        u[m] = ewi_set(parameter[2]) * w[m];
}

EW_HD void ewi_passengers_primitive(const double *parameter, const ewi_v *u, ewi_v *w)
{
    for (int m = 0; m < ewi_passengers_variables; m++)
        w[m] = u[m] / ewi_set(parameter[2]);
}

EW_HD ewi_v ewi_passengers_output_sum(const double *parameter, const ewi_v *u, const ewi_v *ux, const ewi_v *uy)
{
    (void)parameter, (void)ux, (void)uy;
    return (u[0] + u[1]) + (u[2] + u[3]) + u[4];
}

EW_HD void ewi_passengers_rest(double *w)
{
    for (int m = 0; m < ewi_passengers_variables; m++)
        w[m] = 0.0;
}

#endif
