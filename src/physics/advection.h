/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linear advection: u_t + div(a u) = 0 with a given velocity field a(x, y), tabulated at the points of the rules.
 *   field = (a_x, a_y)
 *
 * What a law's file has, here and elsewhere. Constants and lists:
 *   ewi_<law>_variables, ewi_<law>_fields
 *                      the numbers of conserved variables and of given fields
 *   ewi_<law>_media    the number of parameters per element; 0: all elements share them
 *   EWI_INFO_<law>     members of its ew_law in that struct's order, except those that the lists below give
 *   EWI_OPERATIONS_<law>
 *                      operations of volume_flux, speed and admissible at one point: an fma counts two, any other
 *                      + - * / and square root one (tests/method/operations.sh counts)
 *   EWI_FLUXES_<law>   X(law, flux, operations) for each function ewi_<law>_flux_<flux> of EWI_FLUX_LIST
 *   EWI_POSITIVE_FLUXES_<law>
 *                      the same for GPU kernels with positivity: EWI_FLUXES_<law>(X), or nothing
 *   EWI_GHOSTS_<law>   X(law, ghost) for each function ewi_<law>_ghost_<ghost> of EWI_GHOST_LIST; state and copy are
 *                      defined there
 *   EWI_OUTPUTS_<law>  X(law, name, description) for each function ewi_<law>_output_<name>
 *
 * Functions ewi_<law>_<name>. They get `parameter`, the law's constants or an element's (ewi_media.h); u, ul, ur are
 * conserved variables at a point. In every law the slowest and the fastest characteristic speed are equally far from
 * the mean, and all others equal it; a law for which this does not hold needs its own waves_enter (src/integrals.c).
 *   volume_flux        gets u and the map x = x0 + xr r + xs s, y = y0 + yr r + ys s; gives fr and fs, the fluxes along
 *                      the reference axes: det J * J^-1 F
 *   flux_pair          gets the states on both sides of an edge and its normal n, whose length is the edge's; gives
 *                      F(ul).n + F(ur).n, and the larger wave speed times the edge's length
 *   flux_<flux>        gets the same; gives twice the numerical flux times the edge's length (ewi_law_list.h)
 *   speed              gets a mean state; returns its largest wave speed, or NaN if the state is not admissible
 *   admissible         gets u; returns whether the equations make sense for it
 *   conserved, primitive
 *                      get primitive (conserved) variables; give the conserved (primitive) ones
 *   rest               gives the primitive variables of a state at rest, for padded elements
 *   limit_point        gets the element's mean and u at any point; limits u, for output, to what the scheme allows at
 *                      its own points. Laws that need no such limit have EWI_DEFINE_NO_POINT_LIMIT (ewi_limiting.h)
 *   ghost_<ghost>      gets the inner state, the boundary's given state and the unit normal; gives the outer state
 *   output_<name>      gets u and its gradients ux, uy; returns a quantity that may be written beside the variables
 *
 * For laws with gradients, those with EWI_HAS_DIFFUSION_<law> = 1 (kernels/diffusion.h):
 *   ewi_<law>_diffusion_values, ewi_<law>_first_diffusing
 *                      the numbers that `diffusion` gives; the first of the variables that diffuse, the others follow
 *   diffusion          gets u and its gradients; gives numbers, independent of any normal, from which the diffusive
 *                      flux through an edge follows: stress and heat flux, for example
 *   simplify           if the parameters select formulas without branches, copies them, with those that decide it as
 *                      zeros known to the compiler, and returns 1; otherwise returns 0
 *   diffusive_flux     gets u and these; gives Gx and Gy of the variables that diffuse
 *   diffuse            gets u and diffusion on both sides of an edge, its normal and the penalty; subtracts
 *                      twice the diffusive flux times the edge's length, penalty included, from f; gives S (sx, sy)
 *   diffuse_at_boundary
 *                      the same at a point of a boundary edge (ewi_diffusing.h), with its ghost and given values
 *   diffusivity        gets a mean state; returns its largest diffusivity
 *   wall_motion        gets the given values of a wall along a curve; makes the state there relative to the wall
 *   wall_heat          gets what diffuse_at_boundary gets, and the diffusive flux; returns the heat flux out of the gas
 *   conductivity       gets u; returns the heat flux for a unit gradient of the temperature
 *
 * For limiters by jumps and for positivity; laws that need neither have EWI_DEFINE_LINEAR (src/method/ewi_linear.h):
 *   ewi_<law>_jump_count
 *                      the number of quantities that `jumps` gives
 *   ewi_<law>_thinnest positivity keeps the first variable at points above the mean over this number; 0: nothing must
 *                      stay positive. Steps follow the speeds of means, so those at points must not be much larger:
 *                      with 1e6, gas beside gas of a tenth of its density failed at once. Where positivity preserves
 *                      the order (ewi_sizes.h), the floor is EWI_LOW_FLOOR instead, if that is lower
 *   ewi_<law>_thin     positivity asks for `positive` only in elements with a point below the mean over this number;
 *                      0: in all
 *   frame              gets an element's mean; gives EWI_FRAME numbers that describe it, for the next functions
 *   relative           gets a frame and a difference d of states; gives d as an observer sees it who moves with the
 *                      mean; linear in d
 *   jumps              gets a frame and a difference d of states; gives sizes of d, each >= 0: of density, momentum ...
 *   jump_scales        gets the mean of both sides of an edge and the sizes z of the jump between the sides' means;
 *                      gives beta over the scale of each size, where beta is the speed of the fastest wave relative to
 *                      the flow on one side: a size times its scale has the unit of a speed
 *   positive           gets a frame and u; returns what must not be negative, beside the first variable: the pressure,
 *                      for example; a concave function of u
 *   is_positive        gets a frame, the mean and `spread`, a bound of |relative(u - mean)| for every point of the
 *                      element; returns true only if both are positive at all points
 */
#ifndef EWI_PHYSICS_ADVECTION_H
#define EWI_PHYSICS_ADVECTION_H

#include "flux/llf.h"
#include "ewi_linear.h"

enum { ewi_advection_variables = 1, ewi_advection_fields = 2, ewi_advection_media = 0 };
#define EWI_HAS_DIFFUSION_advection 0
#define EWI_HAS_SUBCELLS_advection 0
#define EWI_INFO_advection                                                                          \
    .name = "advection", .description = "linear advection with a given velocity field",             \
    .conserved = {"u"}, .conserved_long = {"advected quantity"}, .primitive = {"u"},                \
    .primitive_long = {"advected quantity"}, .field = {"velocity_x", "velocity_y"}
#define EWI_OPERATIONS_advection 8, 2, 0
#define EWI_FLUXES_advection(X) X(advection, llf, 8)
#define EWI_POSITIVE_FLUXES_advection(X)
#define EWI_GHOSTS_advection(X) X(advection, state) X(advection, copy)
#define EWI_VALUES_advection(X)

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
