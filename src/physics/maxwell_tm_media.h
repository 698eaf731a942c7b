/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Maxwell's equations in two dimensions, transverse magnetic, of media that are constant in each element
 * (physics/maxwell_tm.h has a uniform medium and the equations).
 *   conserved  u = (B_x, B_y, D_z)        primitive  (H_x, H_y, E_z)
 *   parameter  of each element (ewi_media.h), inertia mu and compliance epsilon
 */
#ifndef EWI_PHYSICS_MAXWELL_TM_MEDIA_H
#define EWI_PHYSICS_MAXWELL_TM_MEDIA_H

#include "ewi_linear.h"
#include "ewi_media.h"
#include "ewi_oblique.h"
#include "ewi_reflect.h"

enum {
    ewi_maxwell_tm_media_variables = 3,
    ewi_maxwell_tm_media_fields = 0,
    ewi_maxwell_tm_media_media = EWI_MEDIUM_ROWS
};
#define EWI_HAS_DIFFUSION_maxwell_tm_media 0
#define EWI_HAS_SUBCELLS_maxwell_tm_media 0
#define EWI_INFO_maxwell_tm_media                                                                               \
    .name = "maxwell-tm-media", .description = "Maxwell's equations, transverse magnetic, of several media",    \
    .conserved = {"B_x", "B_y", "D_z"},                                                                         \
    .conserved_long = {"magnetic flux density, x-component", "magnetic flux density, y-component",              \
                       "electric displacement in z"},                                                           \
    .primitive = {"H_x", "H_y", "E_z"},                                                                         \
    .primitive_long = {"magnetic field, x-component", "magnetic field, y-component", "electric field in z"},    \
    .field = {"epsilon", "mu"}
#define EWI_OPERATIONS_maxwell_tm_media 15, 4, 0
#define EWI_FLUXES_maxwell_tm_media(X) X(maxwell_tm_media, upwind, 34)
#define EWI_POSITIVE_FLUXES_maxwell_tm_media(X)
#define EWI_GHOSTS_maxwell_tm_media(X)                                                                       \
    X(maxwell_tm_media, state) X(maxwell_tm_media, copy) X(maxwell_tm_media, mirror) X(maxwell_tm_media, curved) \
    X(maxwell_tm_media, far) X(maxwell_tm_media, oblique) X(maxwell_tm_media, symmetry)
#define EWI_VALUES_maxwell_tm_media(X)

/* The coefficients that elements have means of, from the given epsilon and mu. */
EW_HD void ewi_maxwell_tm_media_coefficients(const double *given, double *coefficient)
{
    coefficient[EWI_INERTIA] = given[1];
    coefficient[EWI_COMPLIANCE] = given[0];
}

EW_HD void ewi_maxwell_tm_media_volume_flux(const double *parameter, const ewi_v *field, const ewi_v *u, ewi_v xr,
                                            ewi_v xs, ewi_v yr, ewi_v ys, ewi_v *fr, ewi_v *fs)
{
    (void)field;
    ewi_v e = ewi_medium_stiffness(parameter) * u[2], light = ewi_medium_lightness(parameter);
    fr[0] = -(e * xs);
    fr[1] = -(e * ys);
    fr[2] = -(light * ewi_fma(u[0], xs, u[1] * ys));
    fs[0] = e * xr;
    fs[1] = e * yr;
    fs[2] = light * ewi_fma(u[0], xr, u[1] * yr);
}

EW_HD void ewi_maxwell_tm_media_flux_pair(const double *parameter, const ewi_v *field, const ewi_v *ul,
                                          const ewi_v *ur, ewi_v nx, ewi_v ny, ewi_v length, ewi_v *sum, ewi_v *speed)
{
    (void)parameter;
    ewi_v e = ewi_side_stiffness(field) * ul[2] + ewi_side_stiffness(field + 2) * ur[2];
    *speed = ewi_media_speed(field) * length;
    sum[0] = e * ny;
    sum[1] = -(e * nx);
    sum[2] = field[0] * ewi_fma(ul[0], ny, -(ul[1] * nx)) + field[2] * ewi_fma(ur[0], ny, -(ur[1] * nx));
}

EW_HD void ewi_maxwell_tm_media_flux_upwind(const double *parameter, const ewi_v *field, const ewi_v *ul,
                                            const ewi_v *ur, ewi_v nx, ewi_v ny, ewi_v length, ewi_v *flux)
{
    (void)parameter;
    ewi_v e;
    ewi_between_waves(field, ewi_side_stiffness(field) * ul[2], ewi_side_stiffness(field + 2) * ur[2],
                      field[0] * ewi_fma(ul[0], ny, -(ul[1] * nx)), field[2] * ewi_fma(ur[0], ny, -(ur[1] * nx)),
                      length, &e, &flux[2]);
    flux[0] = e * ny;
    flux[1] = -(e * nx);
}

EWI_DEFINE_MEDIA(maxwell_tm_media)

EW_HD void ewi_maxwell_tm_media_conserved(const double *parameter, const ewi_v *w, ewi_v *u)
{
    u[0] = w[0] / ewi_medium_lightness(parameter);
    u[1] = w[1] / ewi_medium_lightness(parameter);
    u[2] = w[2] / ewi_medium_stiffness(parameter);
}

EW_HD void ewi_maxwell_tm_media_primitive(const double *parameter, const ewi_v *u, ewi_v *w)
{
    w[0] = ewi_medium_lightness(parameter) * u[0];
    w[1] = ewi_medium_lightness(parameter) * u[1];
    w[2] = ewi_medium_stiffness(parameter) * u[2];
}

#define EWI_OUTPUTS_maxwell_tm_media(X)                                             \
    X(maxwell_tm_media, epsilon, "permittivity of the medium")                      \
    X(maxwell_tm_media, mu, "permeability of the medium")                           \
    X(maxwell_tm_media, magnetic, "magnitude of the magnetic field")                \
    X(maxwell_tm_media, energy, "energy density (D.E + B.H)/2")                     \
    X(maxwell_tm_media, poynting_x, "energy flux, x-component")                     \
    X(maxwell_tm_media, poynting_y, "energy flux, y-component")                     \
    X(maxwell_tm_media, divergence, "divergence of B; 0 where it was at the start, but for errors of the scheme")

#define EWI_MAXWELL_TM_MEDIA_OUTPUT(name)                                                           \
    EW_HD ewi_v ewi_maxwell_tm_media_output_##name(const double *parameter, const ewi_v *u, const ewi_v *ux, \
                                                   const ewi_v *uy)

EWI_MAXWELL_TM_MEDIA_OUTPUT(epsilon)
{
    (void)u, (void)ux, (void)uy;
    return ewi_set(1.0) / ewi_medium_stiffness(parameter);
}

EWI_MAXWELL_TM_MEDIA_OUTPUT(mu)
{
    (void)u, (void)ux, (void)uy;
    return ewi_set(1.0) / ewi_medium_lightness(parameter);
}

EWI_MAXWELL_TM_MEDIA_OUTPUT(magnetic)
{
    (void)ux, (void)uy;
    return ewi_medium_lightness(parameter) * ewi_root(ewi_fma(u[0], u[0], u[1] * u[1]));
}

EWI_MAXWELL_TM_MEDIA_OUTPUT(energy)
{
    (void)ux, (void)uy;
    ewi_v magnetic = ewi_medium_lightness(parameter) * ewi_fma(u[0], u[0], u[1] * u[1]);
    return ewi_set(0.5) * ewi_fma(ewi_medium_stiffness(parameter) * u[2], u[2], magnetic);
}

EWI_MAXWELL_TM_MEDIA_OUTPUT(poynting_x)
{
    (void)ux, (void)uy;
    return -((ewi_medium_stiffness(parameter) * u[2]) * (ewi_medium_lightness(parameter) * u[1]));
}

EWI_MAXWELL_TM_MEDIA_OUTPUT(poynting_y)
{
    (void)ux, (void)uy;
    return (ewi_medium_stiffness(parameter) * u[2]) * (ewi_medium_lightness(parameter) * u[0]);
}

EWI_MAXWELL_TM_MEDIA_OUTPUT(divergence)
{
    (void)parameter, (void)u;
    return ux[0] + uy[1];
}

/* A perfect conductor has no E along it; H along it is whatever the waves make it. */
EW_HD void ewi_maxwell_tm_media_ghost_mirror(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                             ewi_v ny, ewi_v *g)
{
    (void)parameter, (void)given, (void)nx, (void)ny;
    g[0] = u[0];
    g[1] = u[1];
    g[2] = -u[2];
}

EW_HD void ewi_maxwell_tm_media_ghost_curved(const double *parameter, const ewi_v *u, const ewi_v *wall, ewi_v nx,
                                             ewi_v ny, ewi_v *g)
{
    (void)parameter, (void)nx, (void)ny;
    g[0] = u[0];
    g[1] = u[1];
    g[2] = ewi_fma(ewi_set(-2.0), wall[2], u[2]);
}

/* E_z is even across the line; then H along it is odd, as at a perfect magnetic conductor. */
EW_HD void ewi_maxwell_tm_media_ghost_symmetry(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                               ewi_v ny, ewi_v *g)
{
    (void)parameter, (void)given;
    ewi_reflect(ewi_maxwell_tm_media_variables, 0, -2.0, u, -ny, nx, g);
}

EWI_DEFINE_LINEAR_OBLIQUE(maxwell_tm_media)

#endif
