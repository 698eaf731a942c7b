/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linear acoustics of a medium at rest (Pierce, "Acoustics", section 1-5): sound of pressure p and velocity (u, v),
 *     p_t + rho0 c0^2 div (u, v) = 0,   rho0 (u, v)_t + grad p = 0
 *   conserved  u = (rho, rho0 u, rho0 v), rho = p/c0^2 the change of density        primitive  (p, u, v)
 *   parameter[0] = rho0, parameter[1] = c0: density and speed of sound of the medium
 */
#ifndef EWI_PHYSICS_ACOUSTICS_H
#define EWI_PHYSICS_ACOUSTICS_H

#include "flux/llf.h"
#include "ewi_linear.h"
#include "ewi_oblique.h"
#include "ewi_reflect.h"

enum { ewi_acoustics_variables = 3, ewi_acoustics_fields = 0, ewi_acoustics_media = 0 };
#define EWI_HAS_DIFFUSION_acoustics 0
#define EWI_HAS_SUBCELLS_acoustics 0
#define EWI_INFO_acoustics                                                                                    \
    .name = "acoustics", .description = "linear acoustics of a medium at rest",                               \
    .conserved = {"rho", "rho0_u", "rho0_v"},                                                                 \
    .conserved_long = {"change of density", "momentum density, x-component",                                  \
                       "momentum density, y-component"},                                                      \
    .primitive = {"p", "u", "v"},                                                                             \
    .primitive_long = {"sound pressure", "velocity, x-component", "velocity, y-component"},                   \
    .parameters = 2,                                                                                          \
    .parameter = {{.name = "rho0", .description = "density of the medium", .value = 1.0, .above = 0.0},       \
                  {.name = "c0", .description = "speed of sound of the medium", .value = 1.0, .above = 0.0}}, \
    .pressure = "p"
#define EWI_OPERATIONS_acoustics 11, 4, 0
#define EWI_FLUXES_acoustics(X) X(acoustics, llf, 19) X(acoustics, upwind, 21)
#define EWI_POSITIVE_FLUXES_acoustics(X)
#define EWI_GHOSTS_acoustics(X)                                                                        \
    X(acoustics, state) X(acoustics, copy) X(acoustics, mirror) X(acoustics, tangential) X(acoustics, curved) \
    X(acoustics, far) X(acoustics, oblique) X(acoustics, symmetry)
#define EWI_VALUES_acoustics(X)

EW_HD void ewi_acoustics_volume_flux(const double *parameter, const ewi_v *field, const ewi_v *u, ewi_v xr, ewi_v xs,
                                     ewi_v yr, ewi_v ys, ewi_v *fr, ewi_v *fs)
{
    (void)field;
    ewi_v p = ewi_set(parameter[1] * parameter[1]) * u[0];
    fr[0] = ewi_fma(ys, u[1], -(xs * u[2]));
    fr[1] = p * ys;
    fr[2] = -(p * xs);
    fs[0] = ewi_fma(xr, u[2], -(yr * u[1]));
    fs[1] = -(p * yr);
    fs[2] = p * xr;
}

EW_HD void ewi_acoustics_flux_pair(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur,
                                   ewi_v nx, ewi_v ny, ewi_v length, ewi_v *sum, ewi_v *speed)
{
    (void)field;
    ewi_v p = ewi_set(parameter[1] * parameter[1]) * (ul[0] + ur[0]);
    *speed = ewi_set(parameter[1]) * length;
    sum[0] = ewi_fma(ul[1] + ur[1], nx, (ul[2] + ur[2]) * ny);
    sum[1] = p * nx;
    sum[2] = p * ny;
}

EWI_DEFINE_LINEAR(acoustics)
EWI_DEFINE_LLF(acoustics, ewi_acoustics_variables)

/* The state between the two waves that leave the edge; vorticity stays where it is, and is not damped. */
EW_HD void ewi_acoustics_flux_upwind(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur,
                                     ewi_v nx, ewi_v ny, ewi_v length, ewi_v *flux)
{
    (void)field;
    ewi_v c = ewi_set(parameter[1]), jump = ewi_fma(ul[1] - ur[1], nx, (ul[2] - ur[2]) * ny);
    ewi_v rho = ewi_fma(c, ul[0] + ur[0], jump / length), p = c * rho;
    flux[0] = ewi_fma(c * length, ul[0] - ur[0], ewi_fma(ul[1] + ur[1], nx, (ul[2] + ur[2]) * ny));
    flux[1] = p * nx;
    flux[2] = p * ny;
}

/* NaN where a variable is not finite. */
EW_HD ewi_v ewi_acoustics_speed(const double *parameter, const ewi_v *u, ewi_v bound)
{
    (void)bound;
    return ewi_fma((u[0] + u[1]) + u[2], ewi_set(0.0), ewi_set(parameter[1]));
}

EW_HD ewi_mask ewi_acoustics_admissible(const double *parameter, const ewi_v *u)
{
    (void)parameter;
    ewi_v infinity = ewi_set(__builtin_inf());
    return ewi_and(ewi_gt(infinity, ewi_abs(u[0])),
                   ewi_and(ewi_gt(infinity, ewi_abs(u[1])), ewi_gt(infinity, ewi_abs(u[2]))));
}

EW_HD void ewi_acoustics_conserved(const double *parameter, const ewi_v *w, ewi_v *u)
{
    u[0] = w[0] / ewi_set(parameter[1] * parameter[1]);
    u[1] = ewi_set(parameter[0]) * w[1];
    u[2] = ewi_set(parameter[0]) * w[2];
}

EW_HD void ewi_acoustics_primitive(const double *parameter, const ewi_v *u, ewi_v *w)
{
    w[0] = u[0] * ewi_set(parameter[1] * parameter[1]);
    w[1] = u[1] / ewi_set(parameter[0]);
    w[2] = u[2] / ewi_set(parameter[0]);
}

#define EWI_OUTPUTS_acoustics(X)                                                    \
    X(acoustics, speed, "speed of the medium's motion")                             \
    X(acoustics, energy, "acoustic energy density p^2/(2 rho0 c0^2) + rho0 (u^2 + v^2)/2") \
    X(acoustics, intensity_x, "acoustic intensity, x-component")                    \
    X(acoustics, intensity_y, "acoustic intensity, y-component")                    \
    X(acoustics, vorticity, "vorticity dv/dx - du/dy")                              \
    X(acoustics, divergence, "divergence of the velocity")

#define EWI_ACOUSTICS_OUTPUT(name) \
    EW_HD ewi_v ewi_acoustics_output_##name(const double *parameter, const ewi_v *u, const ewi_v *ux, const ewi_v *uy)

EWI_ACOUSTICS_OUTPUT(speed)
{
    (void)ux, (void)uy;
    return ewi_root(ewi_fma(u[1], u[1], u[2] * u[2])) / ewi_set(parameter[0]);
}

EWI_ACOUSTICS_OUTPUT(energy)
{
    (void)ux, (void)uy;
    ewi_v p = ewi_set(parameter[1]) * u[0];
    return ewi_fma(p, p, ewi_fma(u[1], u[1], u[2] * u[2])) / ewi_set(2.0 * parameter[0]);
}

EWI_ACOUSTICS_OUTPUT(intensity_x)
{
    (void)ux, (void)uy;
    return (ewi_set(parameter[1] * parameter[1]) * u[0]) * (u[1] / ewi_set(parameter[0]));
}

EWI_ACOUSTICS_OUTPUT(intensity_y)
{
    (void)ux, (void)uy;
    return (ewi_set(parameter[1] * parameter[1]) * u[0]) * (u[2] / ewi_set(parameter[0]));
}

EWI_ACOUSTICS_OUTPUT(vorticity)
{
    (void)u;
    return (ux[2] - uy[1]) / ewi_set(parameter[0]);
}

EWI_ACOUSTICS_OUTPUT(divergence)
{
    (void)u;
    return (ux[1] + uy[2]) / ewi_set(parameter[0]);
}

EW_HD void ewi_acoustics_rest(double *w)
{
    w[0] = 0.0;
    w[1] = 0.0;
    w[2] = 0.0;
}

EWI_DEFINE_SOLID_WALLS(acoustics)

EW_HD void ewi_acoustics_ghost_curved(const double *parameter, const ewi_v *u, const ewi_v *wall, ewi_v nx, ewi_v ny,
                                      ewi_v *g)
{
    (void)parameter;
    ewi_reflect_at(ewi_acoustics_variables, 1, u, wall, nx, ny, g);
}

/*
 * Outgoing waves come from inside, incoming ones from the given state. Returns the state between the two, of which llf
 * also computes their flux.
 */
EW_HD void ewi_acoustics_ghost_far(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, ewi_v ny,
                                   ewi_v *g)
{
    ewi_v half = ewi_set(0.5), c = ewi_set(parameter[1]);
    ewi_v inner = ewi_fma(u[1], nx, u[2] * ny), outer = ewi_fma(given[1], nx, given[2] * ny);
    ewi_v normal = half * ewi_fma(c, u[0] - given[0], inner + outer);
    g[0] = half * ((u[0] + given[0]) + (inner - outer) / c);
    g[1] = ewi_fma(normal - inner, nx, u[1]);
    g[2] = ewi_fma(normal - inner, ny, u[2]);
}

EWI_DEFINE_LINEAR_OBLIQUE(acoustics)

#endif
