/*
 * Linear advection: u_t + div(a u) = 0 with a given velocity field a(x, y), tabulated at the points of the rules.
 *   field = (a_x, a_y)
 */
#ifndef EWI_PHYSICS_ADVECTION_H
#define EWI_PHYSICS_ADVECTION_H

#include "flux/llf.h"

enum { ewi_advection_variables = 1, ewi_advection_fields = 2 };
#define EWI_FLUXES_advection(X) X(advection, llf)
#define EWI_GHOSTS_advection(X) X(advection, state) X(advection, copy)

EW_HD void ewi_advection_volume_flux(const double *parameter, const ewi_v *field, const ewi_v *u, ewi_v xr, ewi_v xs,
                                     ewi_v yr, ewi_v ys, ewi_v *fr, ewi_v *fs)
{
    (void)parameter;
    fr[0] = u[0] * ewi_fma(ys, field[0], -(xs * field[1]));
    fs[0] = u[0] * ewi_fma(xr, field[1], -(yr * field[0]));
}

/* With the speed |a.n| local Lax-Friedrichs is the upwind flux. */
EW_HD void ewi_advection_flux_pair(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur, ewi_v nx,
                                   ewi_v ny, ewi_v length, ewi_v *sum, ewi_v *speed)
{
    (void)parameter;
    (void)length;
    ewi_v normal = ewi_fma(field[0], nx, field[1] * ny);
    *speed = ewi_abs(normal);
    sum[0] = normal * (ul[0] + ur[0]);
}

EWI_DEFINE_LLF(advection, ewi_advection_variables)

/* `bound` is the largest |a| at the element's points; NaN where u is not finite. */
EW_HD ewi_v ewi_advection_speed(const double *parameter, const ewi_v *u, ewi_v bound)
{
    (void)parameter;
    return ewi_fma(u[0], ewi_set(0.0), bound);
}

EW_HD ewi_mask ewi_advection_admissible(const double *parameter, const ewi_v *u)
{
    (void)parameter;
    return ewi_gt(ewi_set(__builtin_inf()), ewi_abs(u[0]));
}

EW_HD void ewi_advection_conserved(const double *parameter, const ewi_v *w, ewi_v *u)
{
    (void)parameter;
    u[0] = w[0];
}

EW_HD void ewi_advection_primitive(const double *parameter, const ewi_v *u, ewi_v *w)
{
    (void)parameter;
    w[0] = u[0];
}

/* See ewi_euler's. */
#define EWI_OUTPUTS_advection(X) X(advection, gradient, "magnitude of the gradient")

EW_HD ewi_v ewi_advection_output_gradient(const double *parameter, const ewi_v *u, const ewi_v *ux, const ewi_v *uy)
{
    (void)parameter, (void)u;
    return ewi_root(ewi_fma(ux[0], ux[0], uy[0] * uy[0]));
}

EW_HD void ewi_advection_rest(double *w)
{
    w[0] = 0.0;
}

#endif
