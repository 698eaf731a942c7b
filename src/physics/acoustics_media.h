/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linear acoustics of media at rest, each constant in an element (physics/acoustics.h has a uniform medium):
 *     s_t + div (u, v) = 0,   rho0 (u, v)_t + grad p = 0
 *   conserved  u = (s, rho0 u, rho0 v), s = p/(rho0 c0^2) the compression (condensation)        primitive  (p, u, v)
 *   parameter  of each element (ewi_media.h), inertia rho0 and compliance 1/(rho0 c0^2)
 */
#ifndef EWI_PHYSICS_ACOUSTICS_MEDIA_H
#define EWI_PHYSICS_ACOUSTICS_MEDIA_H

#include "ewi_linear.h"
#include "ewi_media.h"
#include "ewi_oblique.h"
#include "ewi_reflect.h"

enum { ewi_acoustics_media_variables = 3, ewi_acoustics_media_fields = 0, ewi_acoustics_media_media = EWI_MEDIUM_ROWS };
#define EWI_HAS_DIFFUSION_acoustics_media 0
#define EWI_HAS_SUBCELLS_acoustics_media 0
#define EWI_INFO_acoustics_media                                                              \
    .name = "acoustics-media", .description = "linear acoustics of media at rest",            \
    .conserved = {"s", "rho0_u", "rho0_v"},                                                   \
    .conserved_long = {"compression", "momentum density, x-component",                        \
                       "momentum density, y-component"},                                      \
    .primitive = {"p", "u", "v"},                                                             \
    .primitive_long = {"sound pressure", "velocity, x-component", "velocity, y-component"},   \
    .field = {"rho0", "c0"}, .pressure = "p"
#define EWI_OPERATIONS_acoustics_media 15, 4, 0
#define EWI_FLUXES_acoustics_media(X) X(acoustics_media, upwind, 34)
#define EWI_POSITIVE_FLUXES_acoustics_media(X)
#define EWI_GHOSTS_acoustics_media(X)                                                                             \
    X(acoustics_media, state) X(acoustics_media, copy) X(acoustics_media, mirror) X(acoustics_media, tangential) \
    X(acoustics_media, curved) X(acoustics_media, far) X(acoustics_media, oblique) X(acoustics_media, symmetry)
#define EWI_VALUES_acoustics_media(X)

/* The coefficients that elements have means of, from the given rho0 and c0. */
EW_HD void ewi_acoustics_media_coefficients(const double *given, double *coefficient)
{
    coefficient[EWI_INERTIA] = given[0];
    coefficient[EWI_COMPLIANCE] = 1.0 / (given[0] * given[1] * given[1]);
}

EW_HD void ewi_acoustics_media_volume_flux(const double *parameter, const ewi_v *field, const ewi_v *u, ewi_v xr,
                                           ewi_v xs, ewi_v yr, ewi_v ys, ewi_v *fr, ewi_v *fs)
{
    (void)field;
    ewi_v p = ewi_medium_stiffness(parameter) * u[0], light = ewi_medium_lightness(parameter);
    fr[0] = light * ewi_fma(ys, u[1], -(xs * u[2]));
    fr[1] = p * ys;
    fr[2] = -(p * xs);
    fs[0] = light * ewi_fma(xr, u[2], -(yr * u[1]));
    fs[1] = -(p * yr);
    fs[2] = p * xr;
}

EW_HD void ewi_acoustics_media_flux_pair(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur,
                                         ewi_v nx, ewi_v ny, ewi_v length, ewi_v *sum, ewi_v *speed)
{
    (void)parameter;
    ewi_v p = ewi_side_stiffness(field) * ul[0] + ewi_side_stiffness(field + 2) * ur[0];
    *speed = ewi_media_speed(field) * length;
    sum[0] = field[0] * ewi_fma(ul[1], nx, ul[2] * ny) + field[2] * ewi_fma(ur[1], nx, ur[2] * ny);
    sum[1] = p * nx;
    sum[2] = p * ny;
}

EW_HD void ewi_acoustics_media_flux_upwind(const double *parameter, const ewi_v *field, const ewi_v *ul,
                                           const ewi_v *ur, ewi_v nx, ewi_v ny, ewi_v length, ewi_v *flux)
{
    (void)parameter;
    ewi_v p;
    ewi_between_waves(field, ewi_side_stiffness(field) * ul[0], ewi_side_stiffness(field + 2) * ur[0],
                      field[0] * ewi_fma(ul[1], nx, ul[2] * ny), field[2] * ewi_fma(ur[1], nx, ur[2] * ny), length, &p,
                      &flux[0]);
    flux[1] = p * nx;
    flux[2] = p * ny;
}

EWI_DEFINE_MEDIA(acoustics_media)

EW_HD void ewi_acoustics_media_conserved(const double *parameter, const ewi_v *w, ewi_v *u)
{
    u[0] = w[0] / ewi_medium_stiffness(parameter);
    u[1] = w[1] / ewi_medium_lightness(parameter);
    u[2] = w[2] / ewi_medium_lightness(parameter);
}

EW_HD void ewi_acoustics_media_primitive(const double *parameter, const ewi_v *u, ewi_v *w)
{
    w[0] = ewi_medium_stiffness(parameter) * u[0];
    w[1] = ewi_medium_lightness(parameter) * u[1];
    w[2] = ewi_medium_lightness(parameter) * u[2];
}

#define EWI_OUTPUTS_acoustics_media(X)                                                            \
    X(acoustics_media, rho0, "density of the medium")                                             \
    X(acoustics_media, c0, "speed of sound of the medium")                                        \
    X(acoustics_media, rho, "change of density p/c0^2")                                           \
    X(acoustics_media, speed, "speed of the medium's motion")                                     \
    X(acoustics_media, energy, "acoustic energy density p^2/(2 rho0 c0^2) + rho0 (u^2 + v^2)/2")  \
    X(acoustics_media, intensity_x, "acoustic intensity, x-component")                            \
    X(acoustics_media, intensity_y, "acoustic intensity, y-component")                            \
    X(acoustics_media, vorticity, "vorticity dv/dx - du/dy")                                      \
    X(acoustics_media, divergence, "divergence of the velocity")

#define EWI_ACOUSTICS_MEDIA_OUTPUT(name) EW_HD ewi_v ewi_acoustics_media_output_##name( \
    const double *parameter, const ewi_v *u, const ewi_v *ux, const ewi_v *uy)

EWI_ACOUSTICS_MEDIA_OUTPUT(rho0)
{
    (void)u, (void)ux, (void)uy;
    return ewi_set(1.0) / ewi_medium_lightness(parameter);
}

EWI_ACOUSTICS_MEDIA_OUTPUT(c0)
{
    (void)u, (void)ux, (void)uy;
    return ewi_medium_lightness(parameter) * ewi_medium_impedance(parameter);
}

EWI_ACOUSTICS_MEDIA_OUTPUT(rho)
{
    (void)ux, (void)uy;
    return u[0] / ewi_medium_lightness(parameter);
}

EWI_ACOUSTICS_MEDIA_OUTPUT(speed)
{
    (void)ux, (void)uy;
    return ewi_medium_lightness(parameter) * ewi_root(ewi_fma(u[1], u[1], u[2] * u[2]));
}

EWI_ACOUSTICS_MEDIA_OUTPUT(energy)
{
    (void)ux, (void)uy;
    ewi_v moving = ewi_medium_lightness(parameter) * ewi_fma(u[1], u[1], u[2] * u[2]);
    return ewi_set(0.5) * ewi_fma(ewi_medium_stiffness(parameter) * u[0], u[0], moving);
}

EWI_ACOUSTICS_MEDIA_OUTPUT(intensity_x)
{
    (void)ux, (void)uy;
    return (ewi_medium_stiffness(parameter) * u[0]) * (ewi_medium_lightness(parameter) * u[1]);
}

EWI_ACOUSTICS_MEDIA_OUTPUT(intensity_y)
{
    (void)ux, (void)uy;
    return (ewi_medium_stiffness(parameter) * u[0]) * (ewi_medium_lightness(parameter) * u[2]);
}

EWI_ACOUSTICS_MEDIA_OUTPUT(vorticity)
{
    (void)u;
    return ewi_medium_lightness(parameter) * (ux[2] - uy[1]);
}

EWI_ACOUSTICS_MEDIA_OUTPUT(divergence)
{
    (void)u;
    return ewi_medium_lightness(parameter) * (ux[1] + uy[2]);
}

EWI_DEFINE_SOLID_WALLS(acoustics_media)

EW_HD void ewi_acoustics_media_ghost_curved(const double *parameter, const ewi_v *u, const ewi_v *wall, ewi_v nx,
                                            ewi_v ny, ewi_v *g)
{
    (void)parameter;
    ewi_reflect_at(ewi_acoustics_media_variables, 1, u, wall, nx, ny, g);
}

EWI_DEFINE_LINEAR_OBLIQUE(acoustics_media)

#endif
