/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Maxwell's equations in two dimensions, transverse magnetic: the electric field is along z, the magnetic one in the
 * plane, and the medium uniform, without charges and currents (Jackson, "Classical Electrodynamics", section 6.1),
 *     B_x,t + E_z,y = 0,   B_y,t - E_z,x = 0,   D_z,t - H_y,x + H_x,y = 0,   B = mu H, D = epsilon E
 *   conserved  u = (B_x, B_y, D_z)        primitive  (H_x, H_y, E_z)
 *   parameter[0] = epsilon, parameter[1] = mu
 */
#ifndef EWI_PHYSICS_MAXWELL_TM_H
#define EWI_PHYSICS_MAXWELL_TM_H

#include "flux/llf.h"
#include "ewi_linear.h"
#include "ewi_oblique.h"
#include "ewi_reflect.h"

enum { ewi_maxwell_tm_variables = 3, ewi_maxwell_tm_fields = 0, ewi_maxwell_tm_media = 0 };
#define EWI_HAS_DIFFUSION_maxwell_tm 0
#define EWI_HAS_SUBCELLS_maxwell_tm 0
#define EWI_INFO_maxwell_tm                                                                                     \
    .name = "maxwell-tm", .description = "Maxwell's equations, transverse magnetic, of a uniform medium",       \
    .conserved = {"B_x", "B_y", "D_z"},                                                                         \
    .conserved_long = {"magnetic flux density, x-component", "magnetic flux density, y-component",              \
                       "electric displacement in z"},                                                           \
    .primitive = {"H_x", "H_y", "E_z"},                                                                         \
    .primitive_long = {"magnetic field, x-component", "magnetic field, y-component", "electric field in z"},    \
    .parameters = 2,                                                                                            \
    .parameter = {{.name = "epsilon", .description = "permittivity of the medium", .value = 1.0, .above = 0.0}, \
                  {.name = "mu", .description = "permeability of the medium", .value = 1.0, .above = 0.0}}
#define EWI_OPERATIONS_maxwell_tm 13, 4, 0
#define EWI_FLUXES_maxwell_tm(X) X(maxwell_tm, llf, 20) X(maxwell_tm, upwind, 23)
#define EWI_POSITIVE_FLUXES_maxwell_tm(X)
#define EWI_GHOSTS_maxwell_tm(X)                                                                    \
    X(maxwell_tm, state) X(maxwell_tm, copy) X(maxwell_tm, mirror) X(maxwell_tm, curved) X(maxwell_tm, far) \
    X(maxwell_tm, oblique) X(maxwell_tm, symmetry)
#define EWI_VALUES_maxwell_tm(X)

/* The speed of light, and the ratio E/H of a wave. */
EW_HD double ewi_maxwell_tm_light(const double *parameter)
{
    return __builtin_sqrt(1.0 / (parameter[0] * parameter[1]));
}

EW_HD double ewi_maxwell_tm_impedance(const double *parameter)
{
    return __builtin_sqrt(parameter[1] / parameter[0]);
}

/* The field E and the part H x n of the magnetic one: what goes through an edge is (E n_y, -E n_x, H x n). */
EW_HD ewi_v ewi_maxwell_tm_cross(const double *parameter, ewi_v bx, ewi_v by, ewi_v nx, ewi_v ny)
{
    return ewi_set(1.0 / parameter[1]) * ewi_fma(bx, ny, -(by * nx));
}

EW_HD void ewi_maxwell_tm_volume_flux(const double *parameter, const ewi_v *field, const ewi_v *u, ewi_v xr, ewi_v xs,
                                      ewi_v yr, ewi_v ys, ewi_v *fr, ewi_v *fs)
{
    (void)field;
    ewi_v e = ewi_set(1.0 / parameter[0]) * u[2];
    fr[0] = -(e * xs);
    fr[1] = -(e * ys);
    fr[2] = ewi_maxwell_tm_cross(parameter, u[0], u[1], ys, -xs);
    fs[0] = e * xr;
    fs[1] = e * yr;
    fs[2] = ewi_maxwell_tm_cross(parameter, u[0], u[1], -yr, xr);
}

EW_HD void ewi_maxwell_tm_flux_pair(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur,
                                    ewi_v nx, ewi_v ny, ewi_v length, ewi_v *sum, ewi_v *speed)
{
    (void)field;
    ewi_v e = ewi_set(1.0 / parameter[0]) * (ul[2] + ur[2]);
    *speed = ewi_set(ewi_maxwell_tm_light(parameter)) * length;
    sum[0] = e * ny;
    sum[1] = -(e * nx);
    sum[2] = ewi_maxwell_tm_cross(parameter, ul[0] + ur[0], ul[1] + ur[1], nx, ny);
}

EWI_DEFINE_LINEAR(maxwell_tm)
EWI_DEFINE_LLF(maxwell_tm, ewi_maxwell_tm_variables)

/* The fields between the two waves that leave the edge (Mohammadian, Shankar and Hall 1991); div B stays as it is. */
EW_HD void ewi_maxwell_tm_flux_upwind(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur,
                                      ewi_v nx, ewi_v ny, ewi_v length, ewi_v *flux)
{
    (void)field;
    ewi_v z = ewi_set(ewi_maxwell_tm_impedance(parameter)), light = ewi_set(ewi_maxwell_tm_light(parameter));
    ewi_v jump = ewi_maxwell_tm_cross(parameter, ul[0] - ur[0], ul[1] - ur[1], nx, ny);
    ewi_v e = ewi_fma(z, jump / length, ewi_set(1.0 / parameter[0]) * (ul[2] + ur[2]));
    flux[0] = e * ny;
    flux[1] = -(e * nx);
    flux[2] = ewi_fma(light * length, ul[2] - ur[2],
                      ewi_maxwell_tm_cross(parameter, ul[0] + ur[0], ul[1] + ur[1], nx, ny));
}

/* NaN where a variable is not finite. */
EW_HD ewi_v ewi_maxwell_tm_speed(const double *parameter, const ewi_v *u, ewi_v bound)
{
    (void)bound;
    return ewi_fma((u[0] + u[1]) + u[2], ewi_set(0.0), ewi_set(ewi_maxwell_tm_light(parameter)));
}

EW_HD ewi_mask ewi_maxwell_tm_admissible(const double *parameter, const ewi_v *u)
{
    (void)parameter;
    ewi_v infinity = ewi_set(__builtin_inf());
    return ewi_and(ewi_gt(infinity, ewi_abs(u[0])),
                   ewi_and(ewi_gt(infinity, ewi_abs(u[1])), ewi_gt(infinity, ewi_abs(u[2]))));
}

EW_HD void ewi_maxwell_tm_conserved(const double *parameter, const ewi_v *w, ewi_v *u)
{
    u[0] = ewi_set(parameter[1]) * w[0];
    u[1] = ewi_set(parameter[1]) * w[1];
    u[2] = ewi_set(parameter[0]) * w[2];
}

EW_HD void ewi_maxwell_tm_primitive(const double *parameter, const ewi_v *u, ewi_v *w)
{
    w[0] = u[0] / ewi_set(parameter[1]);
    w[1] = u[1] / ewi_set(parameter[1]);
    w[2] = u[2] / ewi_set(parameter[0]);
}

#define EWI_OUTPUTS_maxwell_tm(X)                                                   \
    X(maxwell_tm, magnetic, "magnitude of the magnetic field")                      \
    X(maxwell_tm, energy, "energy density (D.E + B.H)/2")                           \
    X(maxwell_tm, poynting_x, "energy flux, x-component")                           \
    X(maxwell_tm, poynting_y, "energy flux, y-component")                           \
    X(maxwell_tm, divergence, "divergence of B; 0 where it was in the initial state, but for errors of the scheme")

#define EWI_MAXWELL_TM_OUTPUT(name) \
    EW_HD ewi_v ewi_maxwell_tm_output_##name(const double *parameter, const ewi_v *u, const ewi_v *ux, const ewi_v *uy)

EWI_MAXWELL_TM_OUTPUT(magnetic)
{
    (void)ux, (void)uy;
    return ewi_root(ewi_fma(u[0], u[0], u[1] * u[1])) / ewi_set(parameter[1]);
}

EWI_MAXWELL_TM_OUTPUT(energy)
{
    (void)ux, (void)uy;
    ewi_v magnetic = ewi_fma(u[0], u[0], u[1] * u[1]) / ewi_set(parameter[1]);
    return ewi_set(0.5) * ((u[2] * u[2]) / ewi_set(parameter[0]) + magnetic);
}

EWI_MAXWELL_TM_OUTPUT(poynting_x)
{
    (void)ux, (void)uy;
    return -((u[2] / ewi_set(parameter[0])) * (u[1] / ewi_set(parameter[1])));
}

EWI_MAXWELL_TM_OUTPUT(poynting_y)
{
    (void)ux, (void)uy;
    return (u[2] / ewi_set(parameter[0])) * (u[0] / ewi_set(parameter[1]));
}

EWI_MAXWELL_TM_OUTPUT(divergence)
{
    (void)parameter, (void)u;
    return ux[0] + uy[1];
}

EW_HD void ewi_maxwell_tm_rest(double *w)
{
    w[0] = 0.0;
    w[1] = 0.0;
    w[2] = 0.0;
}

/* A perfect conductor has no E along it; H along it is whatever the waves make it. */
EW_HD void ewi_maxwell_tm_ghost_mirror(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, ewi_v ny,
                                       ewi_v *g)
{
    (void)parameter, (void)given, (void)nx, (void)ny;
    g[0] = u[0];
    g[1] = u[1];
    g[2] = -u[2];
}

EW_HD void ewi_maxwell_tm_ghost_curved(const double *parameter, const ewi_v *u, const ewi_v *wall, ewi_v nx, ewi_v ny,
                                       ewi_v *g)
{
    (void)parameter, (void)nx, (void)ny;
    g[0] = u[0];
    g[1] = u[1];
    g[2] = ewi_fma(ewi_set(-2.0), wall[2], u[2]);
}

/* E_z is even across the line; then H along it is odd, as at a perfect magnetic conductor. */
EW_HD void ewi_maxwell_tm_ghost_symmetry(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                         ewi_v ny, ewi_v *g)
{
    (void)parameter, (void)given;
    ewi_reflect(ewi_maxwell_tm_variables, 0, -2.0, u, -ny, nx, g);
}

/*
 * Outgoing waves come from inside, incoming ones from the given state. Returns the fields between the two, of which llf
 * also computes their flux. A given state without fields absorbs waves that meet the boundary at right angles (Silver
 * and Mueller's condition).
 */
EW_HD void ewi_maxwell_tm_ghost_far(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, ewi_v ny,
                                    ewi_v *g)
{
    ewi_v half = ewi_set(0.5), light = ewi_set(ewi_maxwell_tm_light(parameter));
    ewi_v inner = ewi_fma(u[0], ny, -(u[1] * nx)), outer = ewi_fma(given[0], ny, -(given[1] * nx)); /* B x n */
    ewi_v cross = half * ((inner + outer) + (ewi_set(parameter[1]) * light) * (u[2] - given[2]));
    g[0] = ewi_fma(cross - inner, ny, u[0]);
    g[1] = ewi_fma(inner - cross, nx, u[1]);
    g[2] = half *
           ewi_fma(ewi_set(1.0 / (parameter[1] * ewi_maxwell_tm_light(parameter))), inner - outer, u[2] + given[2]);
}

EWI_DEFINE_LINEAR_OBLIQUE(maxwell_tm)

#endif
