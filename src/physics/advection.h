/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linear advection: u_t + div(a u) = 0 with a given velocity field a(x, y), tabulated at the points of the rules.
 *   field = (a_x, a_y)
 *
 * What a law's file has, here and elsewhere:
 *   ewi_<law>_variables, ewi_<law>_fields
 *                      how many conserved variables and given fields there are
 *   EWI_INFO_<law>     members of its ew_law, but for those that the lists below give, in that struct's order
 *   EWI_OPERATIONS_<law>
 *                      operations at one point of volume_flux, speed and admissible: an fma is two, any other + - * /
 *                      and square
 *                      root one (tests/src/operations.sh counts)
 *   EWI_FLUXES_<law>   X(law, flux, operations) for each function ewi_<law>_flux_<flux> of EWI_FLUX_LIST
 *   EWI_POSITIVE_FLUXES_<law>
 *                      the same for GPU kernels with positivity: EWI_FLUXES_<law>(X), or nothing
 *   EWI_GHOSTS_<law>   X(law, ghost) for each function ewi_<law>_ghost_<ghost> of EWI_GHOST_LIST; state and copy are
 *   defined there
 *   EWI_OUTPUTS_<law>  X(law, name, in words) for each function ewi_<law>_output_<name>: what may be written beside the
 *   variables,
 *                      from the state u and its gradients ux, uy
 *   volume_flux        det J * J^-1 F: the fluxes along the reference axes r and s, for x = x0 + xr r + xs s, y = y0 +
 *   yr r + ys s
 *   flux_pair          F(ul).n + F(ur).n and the larger wave speed, for a normal n that is scaled by the edge's length,
 *   and scaled
 *                      likewise; so are the results of numerical fluxes, which are doubled (ewi_law_list.h)
 *   speed              the largest wave speed of a mean state; NaN if that is not admissible
 *   admissible, conserved, primitive
 *   rest               primitive variables of a state at rest, for padded elements
 *
 * And for limiters by jumps and positivity, or EWI_DEFINE_LINEAR (src/ewi_linear.h), which says that it needs neither:
 *   ewi_<law>_jump_count, ewi_<law>_positives
 *                      how many quantities `jumps` gives; not 0: states must stay positive
 *   frame              EWI_FRAME numbers of a mean, from which `relative`, which is linear, makes what an observer sees
 *                      who moves with it
 *   jumps, jump_scales quantities >= 0 of a difference of states, and one over their scales at a mean
 *   positive           a concave function of a state that must not be negative; so must not the first variable
 *   is_positive        true only if that holds at all points whose relative distance from the mean is within `spread`
 */
#ifndef EWI_PHYSICS_ADVECTION_H
#define EWI_PHYSICS_ADVECTION_H

#include "flux/llf.h"
#include "ewi_linear.h"

enum { ewi_advection_variables = 1, ewi_advection_fields = 2 };
#define EWI_INFO_advection                                                                          \
    .name = "advection", .description = "linear advection with a given velocity field",             \
    .conserved = {"u"}, .conserved_long = {"advected quantity"}, .primitive = {"u"},                \
    .primitive_long = {"advected quantity"}, .field = {"velocity_x", "velocity_y"}
#define EWI_OPERATIONS_advection 8, 2, 0
#define EWI_FLUXES_advection(X) X(advection, llf, 8)
#define EWI_POSITIVE_FLUXES_advection(X)
#define EWI_GHOSTS_advection(X) X(advection, state) X(advection, copy)

EW_HD void ewi_advection_volume_flux(const double *parameter, const ewi_v *field, const ewi_v *u, ewi_v xr, ewi_v xs,
                                     ewi_v yr, ewi_v ys, ewi_v *fr, ewi_v *fs)
{
    (void)parameter;
    fr[0] = u[0] * ewi_fma(ys, field[0], -(xs * field[1]));
    fs[0] = u[0] * ewi_fma(xr, field[1], -(yr * field[0]));
}

/* With the speed |a.n| local Lax-Friedrichs is the upwind flux. */
EW_HD void ewi_advection_flux_pair(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur,
                                   ewi_v nx, ewi_v ny, ewi_v length, ewi_v *sum, ewi_v *speed)
{
    (void)parameter;
    (void)length;
    ewi_v normal = ewi_fma(field[0], nx, field[1] * ny);
    *speed = ewi_abs(normal);
    sum[0] = normal * (ul[0] + ur[0]);
}

EWI_DEFINE_LINEAR(advection)
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
