/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Navier-Stokes equations of an ideal gas: those of Euler (physics/euler.h) with viscous stress and heat flux,
 *     u_t + div (F - G) = 0,   G = (0, tau, tau v + q),   tau = mu (grad v + grad v^T - 2/3 div v I),   q = k grad e,
 * where e = E/rho - |v|^2/2 is the internal energy and k = mu gamma/Pr. The gas constant is 1, so T = p/rho.
 *   parameter[0] = gamma, [1] = mu, [2] = prandtl, [3] = T0, [4] = S; T0 = 0: mu is constant, otherwise it is the
 *   viscosity at the temperature T0 in Sutherland's law mu(T) = mu t^(3/2) (1 + S)/(t + S), t = T/T0
 * diffusion = (txx, txy, tyy, qx, qy).
 *
 * The scheme is the symmetric interior penalty method with the penalty and the symmetry term at the edges
 * (kernels/diffusion.h). physics/advection.h says what a law's file has.
 */
#ifndef EWI_PHYSICS_NAVIER_STOKES_H
#define EWI_PHYSICS_NAVIER_STOKES_H

#include "ewi_diffusing.h"
#include "physics/euler.h"

enum { ewi_navier_stokes_variables = 4, ewi_navier_stokes_fields = 0, ewi_navier_stokes_media = 0,
       ewi_navier_stokes_jump_count = 3, ewi_navier_stokes_thinnest = 10, ewi_navier_stokes_thin = 0,
       ewi_navier_stokes_diffusion_values = 5, ewi_navier_stokes_first_diffusing = 1,
       ewi_navier_stokes_parameters = 5 };
#define EWI_HAS_DIFFUSION_navier_stokes 1
#define EWI_HAS_SUBCELLS_navier_stokes 0
#define EWI_INFO_navier_stokes                                                                      \
    .name = "navier-stokes", .description = "Navier-Stokes equations of an ideal gas",              \
    .conserved = {"rho", "rho_u", "rho_v", "E"},                                                    \
    .conserved_long = {"density", "momentum density, x-component", "momentum density, y-component", \
                       "total energy density"},                                                     \
    .primitive = {"rho", "u", "v", "p"},                                                            \
    .primitive_long = {"density", "velocity, x-component", "velocity, y-component", "pressure"},    \
    .parameters = ewi_navier_stokes_parameters,                                                     \
    .parameter = {{.name = "gamma", .description = "ratio of specific heats", .value = 1.4,         \
                   .above = 1.0},                                                                   \
                  {.name = "mu", .description = "dynamic viscosity, at T0 if that is given",        \
                   .value = __builtin_nan(""), .above = 0.0},                                       \
                  {.name = "prandtl", .description = "Prandtl number", .value = 0.72, .above = 0.0}, \
                  {.name = "T0", .description = "temperature p/rho at which the viscosity is mu; 0: at any", \
                   .value = 0.0, .above = -1e-300},                                                 \
                  {.name = "S", .description = "Sutherland's temperature over T0", .value = 0.404,  \
                   .above = -1e-300}},                                                              \
    .pressure = "p", .viscous = 1, .positive = {1, 0, 0, 1}
#define EWI_OPERATIONS_navier_stokes 32, 17, 6
#define EWI_FLUXES_navier_stokes(X) EWI_FLUXES_euler(X)
#define EWI_POSITIVE_FLUXES_navier_stokes(X) EWI_POSITIVE_FLUXES_euler(X)
#define EWI_GHOSTS_navier_stokes(X) EWI_GHOSTS_euler(X)                                         \
    X(navier_stokes, adiabatic) X(navier_stokes, isothermal) X(navier_stokes, adiabatic_curved)                     \
    X(navier_stokes, isothermal_curved)
#define EWI_WALL_VELOCITY                                          \
    {"u", "velocity of the wall, x-component", 1, 1, "be finite"}, \
    {"v", "velocity of the wall, y-component", 1, 1, "be finite"}
#define EWI_WALL_TEMPERATURE {"T", "temperature p/rho of the wall", 1, 0, "be greater than 0"}
#define EWI_VALUES_navier_stokes(X) EWI_VALUES_euler(X)                           \
    X(navier_stokes, adiabatic, EWI_WALL_VELOCITY)                                \
    X(navier_stokes, isothermal, EWI_WALL_TEMPERATURE, EWI_WALL_VELOCITY)         \
    X(navier_stokes, adiabatic_curved, EWI_WALL_VELOCITY)                         \
    X(navier_stokes, isothermal_curved, EWI_WALL_TEMPERATURE, EWI_WALL_VELOCITY)
#define EWI_OUTPUTS_navier_stokes(X) EWI_GAS_OUTPUTS(X, navier_stokes)

/* Everything but diffusion and walls is that of Euler's equations. */
#define ewi_navier_stokes_volume_flux ewi_euler_volume_flux
#define ewi_navier_stokes_flux_pair ewi_euler_flux_pair
#define ewi_navier_stokes_speed ewi_euler_speed
#define ewi_navier_stokes_admissible ewi_euler_admissible
#define ewi_navier_stokes_conserved ewi_euler_conserved
#define ewi_navier_stokes_primitive ewi_euler_primitive
#define ewi_navier_stokes_limit_point ewi_euler_limit_point
#define ewi_navier_stokes_rest ewi_euler_rest
#define ewi_navier_stokes_frame ewi_euler_frame
#define ewi_navier_stokes_relative ewi_euler_relative
#define ewi_navier_stokes_jumps ewi_euler_jumps
#define ewi_navier_stokes_jump_scales ewi_euler_jump_scales
#define ewi_navier_stokes_positive ewi_euler_positive
#define ewi_navier_stokes_is_positive ewi_euler_is_positive
#define ewi_navier_stokes_output_speed ewi_euler_output_speed
#define ewi_navier_stokes_output_sound ewi_euler_output_sound
#define ewi_navier_stokes_output_mach ewi_euler_output_mach
#define ewi_navier_stokes_output_temperature ewi_euler_output_temperature
#define ewi_navier_stokes_output_entropy ewi_euler_output_entropy
#define ewi_navier_stokes_output_enthalpy ewi_euler_output_enthalpy
#define ewi_navier_stokes_output_total_pressure ewi_euler_output_total_pressure
#define ewi_navier_stokes_output_vorticity ewi_euler_output_vorticity
#define ewi_navier_stokes_output_divergence ewi_euler_output_divergence
#define ewi_navier_stokes_output_schlieren ewi_euler_output_schlieren

/* Velocity, internal energy and viscosity at a point. */
struct ewi_viscous_point {
    ewi_v vx, vy, e, mu;
};

/* The viscosity at the internal energy e. */
EW_HD ewi_v ewi_navier_stokes_viscosity(const double *parameter, ewi_v e)
{
    const double T0 = parameter[3], S = parameter[4];
    if (T0 == 0.0)
        return ewi_set(parameter[1]);
    ewi_v t = ewi_set((parameter[0] - 1.0) / T0) * e;
    return (ewi_set(parameter[1] * (1.0 + S)) * (t * ewi_root(t))) / (t + ewi_set(S));
}

/* simplify: constant viscosity. */
EW_HD int ewi_navier_stokes_simplify(const double *parameter, double *simple)
{
    for (int k = 0; k < ewi_navier_stokes_parameters; k++)
        simple[k] = parameter[k];
    simple[3] = simple[4] = 0.0; /* T0 and S */
    return parameter[3] == 0.0;
}

EW_HD struct ewi_viscous_point ewi_viscous_point(const double *parameter, const ewi_v *u, ewi_v inverse_rho)
{
    struct ewi_viscous_point w;
    w.vx = u[1] * inverse_rho;
    w.vy = u[2] * inverse_rho;
    w.e = ewi_fma(ewi_set(-0.5), ewi_fma(w.vx, w.vx, w.vy * w.vy), u[3] * inverse_rho);
    w.mu = ewi_navier_stokes_viscosity(parameter, w.e);
    return w;
}

/* k/mu = gamma/Pr */
EW_HD double ewi_navier_stokes_conduction(const double *parameter)
{
    return parameter[0] / parameter[2];
}

/* diffusion: stress and heat flux of a state and its gradients. */
EW_HD void ewi_navier_stokes_diffusion(const double *parameter, const ewi_v *u, const ewi_v *ux, const ewi_v *uy,
                                       ewi_v *t)
{
    ewi_v i = ewi_inverse(u[0]), two = ewi_set(2.0);
    struct ewi_viscous_point w = ewi_viscous_point(parameter, u, i);
    ewi_v h = u[3] * i, k = ewi_set(ewi_navier_stokes_conduction(parameter)) * w.mu;
    ewi_v vxx = ewi_fma(-w.vx, ux[0], ux[1]) * i, vyx = ewi_fma(-w.vy, ux[0], ux[2]) * i; /* d vx/dx, d vy/dx */
    ewi_v vxy = ewi_fma(-w.vx, uy[0], uy[1]) * i, vyy = ewi_fma(-w.vy, uy[0], uy[2]) * i;
    ewi_v ex = ewi_fma(-w.vx, vxx, ewi_fma(-w.vy, vyx, ewi_fma(-h, ux[0], ux[3]) * i));
    ewi_v ey = ewi_fma(-w.vx, vxy, ewi_fma(-w.vy, vyy, ewi_fma(-h, uy[0], uy[3]) * i));
    ewi_v third = ewi_set(2.0 / 3.0) * (vxx + vyy);
    t[0] = w.mu * ewi_fma(two, vxx, -third);
    t[1] = w.mu * (vxy + vyx);
    t[2] = w.mu * ewi_fma(two, vyy, -third);
    t[3] = k * ex;
    t[4] = k * ey;
}

/* diffusive_flux: Gx and Gy of variables 1, 2, 3. */
EW_HD void ewi_navier_stokes_diffusive_flux(const double *parameter, const ewi_v *u, const ewi_v *t, ewi_v *gx,
                                            ewi_v *gy)
{
    (void)parameter;
    ewi_v i = ewi_inverse(u[0]), vx = u[1] * i, vy = u[2] * i;
    gx[0] = t[0];
    gx[1] = gy[0] = t[1];
    gy[1] = t[2];
    gx[2] = ewi_fma(vx, t[0], ewi_fma(vy, t[1], t[3]));
    gy[2] = ewi_fma(vx, t[1], ewi_fma(vy, t[2], t[4]));
}

/* The values of an edge's point that its diffusive flux takes from both sides together. */
struct ewi_viscous_edge {
    ewi_v dx, dy, de; /* the jumps of velocity and internal energy, right - left */
    ewi_v x, y, mu;   /* mean velocity and viscosity */
};

/* sx, sy: what multiplies the gradients of basis functions. */
EW_HD void ewi_viscous_jumps(const double *parameter, const struct ewi_viscous_edge *w, ewi_v nx, ewi_v ny, ewi_v *sx,
                             ewi_v *sy)
{
    ewi_v k = ewi_set(ewi_navier_stokes_conduction(parameter)) * w->mu, two = ewi_set(2.0);
    ewi_v third = ewi_set(2.0 / 3.0) * ewi_fma(w->dx, nx, w->dy * ny);
    sx[0] = w->mu * ewi_fma(two * w->dx, nx, -third);
    sy[1] = w->mu * ewi_fma(two * w->dy, ny, -third);
    sx[1] = sy[0] = w->mu * ewi_fma(w->dx, ny, w->dy * nx);
    sx[2] = ewi_fma(w->x, sx[0], ewi_fma(w->y, sx[1], k * (w->de * nx)));
    sy[2] = ewi_fma(w->x, sy[0], ewi_fma(w->y, sy[1], k * (w->de * ny)));
}

/* G.n of one side, for momentum and energy. */
EW_HD void ewi_viscous_traction(const ewi_v *t, ewi_v vx, ewi_v vy, ewi_v nx, ewi_v ny, ewi_v *g)
{
    g[0] = ewi_fma(t[0], nx, t[1] * ny);
    g[1] = ewi_fma(t[1], nx, t[2] * ny);
    g[2] = ewi_fma(vx, g[0], ewi_fma(vy, g[1], ewi_fma(t[3], nx, t[4] * ny)));
}

/* Subtracts twice the diffusive flux, with its penalty, from the flux f of variables 1, 2, 3. */
EW_HD void ewi_viscous_subtract(const ewi_v *gl, const ewi_v *gr, const ewi_v *sx, const ewi_v *sy, ewi_v nx, ewi_v ny,
                            ewi_v penalty, ewi_v *f)
{
    for (int m = 0; m < 3; m++)
        f[1 + m] = f[1 + m] - ewi_fma(penalty, ewi_fma(sx[m], nx, sy[m] * ny), gl[m] + gr[m]);
}

/* diffuse: an inner edge. */
EW_HD void ewi_navier_stokes_diffuse(const double *parameter, const ewi_v *ul, const ewi_v *tl, const ewi_v *ur,
                                     const ewi_v *tr, ewi_v nx, ewi_v ny, ewi_v penalty, ewi_v *f, ewi_v *sx, ewi_v *sy)
{
    ewi_v inverse = ewi_inverse(ul[0] * ur[0]), half = ewi_set(0.5), gl[3], gr[3];
    struct ewi_viscous_point l = ewi_viscous_point(parameter, ul, inverse * ur[0]);
    struct ewi_viscous_point r = ewi_viscous_point(parameter, ur, inverse * ul[0]);
    struct ewi_viscous_edge w = {r.vx - l.vx, r.vy - l.vy, r.e - l.e,
                                 half * (l.vx + r.vx), half * (l.vy + r.vy), half * (l.mu + r.mu)};
    ewi_viscous_jumps(parameter, &w, nx, ny, sx, sy);
    ewi_viscous_traction(tl, l.vx, l.vy, nx, ny, gl);
    ewi_viscous_traction(tr, r.vx, r.vy, nx, ny, gr);
    ewi_viscous_subtract(gl, gr, sx, sy, nx, ny, penalty, f);
}

/* A point of a boundary edge (struct ewi_diffusing_side): the inner trace, and the state on the curve or the same. */
struct ewi_viscous_side {
    struct ewi_viscous_point in, wall;
    const ewi_v *wall_diffusion;
    ewi_v ex, ey, cx, cy; /* unit normals of the edge and of the curve */
    int curved; /* there is a curve */
};

/* Leaves only the normal part of the traction on the edge: no shear, no heat flux. */
EW_HD void ewi_viscous_slip(const struct ewi_viscous_side *side, ewi_v *t)
{
    ewi_v x = side->ex, y = side->ey;
    ewi_v normal = ewi_fma(ewi_fma(t[0], x, t[1] * y), x, ewi_fma(t[1], x, t[2] * y) * y);
    t[0] = (normal * x) * x;
    t[1] = (normal * x) * y;
    t[2] = (normal * y) * y;
    t[3] = t[4] = ewi_set(0.0);
}

/* Subtracts the heat flux through the wall from t. */
EW_HD void ewi_viscous_insulate(const struct ewi_viscous_side *side, ewi_v *t)
{
    ewi_v through = ewi_fma(side->wall_diffusion[3], side->cx, side->wall_diffusion[4] * side->cy);
    t[3] = ewi_fma(-through, side->ex, t[3]);
    t[4] = ewi_fma(-through, side->ey, t[4]);
}

/* A wall with the velocity (x, y); on a curve the mean velocity is that of the trace. */
EW_HD struct ewi_viscous_edge ewi_viscous_wall(const struct ewi_viscous_side *side, ewi_v x, ewi_v y)
{
    ewi_v two = ewi_set(2.0);
    struct ewi_viscous_edge w = {two * (x - side->wall.vx), two * (y - side->wall.vy), ewi_set(0.0), x, y, side->in.mu};
    if (side->curved) {
        w.x = side->in.vx;
        w.y = side->in.vy;
    }
    return w;
}

/*
 * The jumps, mean velocity and viscosity that a boundary imposes. Replaces t, the inner diffusion, by the mean of both
 * sides. Boundaries through which gas flows impose nothing, except for kind state.
 */
EW_HD struct ewi_viscous_edge ewi_viscous_boundary(int ghost, const double *parameter,
                                                   const struct ewi_viscous_side *side, const ewi_v *given, ewi_v *t)
{
    ewi_v zero = ewi_set(0.0), two = ewi_set(2.0);
    struct ewi_viscous_edge w = {zero, zero, zero, side->in.vx, side->in.vy, side->in.mu};
    switch (ghost) {
    case EWI_GHOST_adiabatic:
    case EWI_GHOST_adiabatic_curved:
        ewi_viscous_insulate(side, t);
        return ewi_viscous_wall(side, given[0], given[1]);
    case EWI_GHOST_isothermal:
    case EWI_GHOST_isothermal_curved: {
        ewi_v e = given[0] / ewi_set(parameter[0] - 1.0);
        w = ewi_viscous_wall(side, given[1], given[2]);
        w.de = two * (e - side->wall.e);
        w.mu = side->curved ? w.mu : ewi_navier_stokes_viscosity(parameter, e);
        return w;
    }
    case EWI_GHOST_mirror:
    case EWI_GHOST_tangential:
    case EWI_GHOST_symmetry:
    case EWI_GHOST_curved: {
        ewi_v through = ewi_set(-2.0) * ewi_fma(side->wall.vx, side->cx, side->wall.vy * side->cy);
        ewi_viscous_slip(side, t);
        return (struct ewi_viscous_edge){through * side->cx, through * side->cy, zero, zero, zero, side->in.mu};
    }
    case EWI_GHOST_state: {
        struct ewi_viscous_point out = ewi_viscous_point(parameter, given, ewi_inverse(given[0]));
        ewi_v ratio = out.mu / side->in.mu;
        for (int k = 0; k < ewi_navier_stokes_diffusion_values; k++)
            t[k] = ratio * t[k];
        return (struct ewi_viscous_edge){two * (out.vx - side->in.vx), two * (out.vy - side->in.vy),
                                         two * (out.e - side->in.e), out.vx, out.vy, out.mu};
    }
    default:
        return w;
    }
}

/* diffuse_at_boundary */
EW_HD void ewi_navier_stokes_diffuse_at_boundary(int ghost, const double *parameter,
                                                 const struct ewi_diffusing_side *at, const ewi_v *given, ewi_v nx,
                                                 ewi_v ny, ewi_v length, ewi_v penalty, ewi_v *f, ewi_v *sx, ewi_v *sy)
{
    struct ewi_viscous_side side;
    ewi_v t[ewi_navier_stokes_diffusion_values], g[3], inverse = ewi_inverse(length);
    for (int k = 0; k < ewi_navier_stokes_diffusion_values; k++)
        t[k] = at->diffusion[k];
    side.curved = at->wall != at->u;
    side.in = ewi_viscous_point(parameter, at->u, ewi_inverse(at->u[0]));
    side.wall = side.curved ? ewi_viscous_point(parameter, at->wall, ewi_inverse(at->wall[0])) : side.in;
    side.wall_diffusion = at->wall_diffusion;
    side.ex = nx * inverse;
    side.ey = ny * inverse;
    side.cx = at->normal_x;
    side.cy = at->normal_y;
    struct ewi_viscous_edge w = ewi_viscous_boundary(ghost, parameter, &side, given, t);
    ewi_viscous_jumps(parameter, &w, nx, ny, sx, sy);
    ewi_viscous_traction(t, w.x, w.y, nx, ny, g);
    ewi_viscous_subtract(g, g, sx, sy, nx, ny, penalty, f);
}

/*
 * wall_heat: the heat that flows out of the gas, from the diffusive flux f along the outward normal. The flux of energy
 * also has the work of the stresses at the mean velocity of ewi_viscous_wall. Slip walls conduct no heat.
 */
EW_HD ewi_v ewi_navier_stokes_wall_heat(int ghost, const struct ewi_diffusing_side *at, const ewi_v *given,
                                        const ewi_v *f)
{
    ewi_v inverse = ewi_inverse(at->u[0]), x = at->u[1] * inverse, y = at->u[2] * inverse;
    int isothermal = ghost == EWI_GHOST_isothermal || ghost == EWI_GHOST_isothermal_curved, first = isothermal;
    if (!isothermal && ghost != EWI_GHOST_adiabatic && ghost != EWI_GHOST_adiabatic_curved)
        return ewi_set(0.0);
    if (at->wall == at->u) {
        x = given[first];
        y = given[first + 1];
    }
    return ewi_fma(-x, f[1], ewi_fma(-y, f[2], f[3]));
}

/* conductivity: of the gradient of the temperature p/rho. */
EW_HD ewi_v ewi_navier_stokes_conductivity(const double *parameter, const ewi_v *u)
{
    struct ewi_viscous_point w = ewi_viscous_point(parameter, u, ewi_inverse(u[0]));
    return ewi_set(ewi_navier_stokes_conduction(parameter) / (parameter[0] - 1.0)) * w.mu;
}

/* diffusivity: the largest one, of velocity or internal energy, of a mean state. */
EW_HD ewi_v ewi_navier_stokes_diffusivity(const double *parameter, const ewi_v *u)
{
    ewi_v inverse = ewi_inverse(u[0]);
    double conduction = ewi_navier_stokes_conduction(parameter);
    struct ewi_viscous_point w = ewi_viscous_point(parameter, u, inverse);
    return (ewi_set(conduction > 4.0 / 3.0 ? conduction : 4.0 / 3.0) * w.mu) * inverse;
}

/* ---- walls at which the gas sticks ---- */

/* Mirrors the velocity's normal part relative to the wall. The wall moves along itself, so the energy stays. */
EW_HD void ewi_viscous_mirror(const ewi_v *u, ewi_v wall_x, ewi_v wall_y, ewi_v nx, ewi_v ny, ewi_v *g)
{
    ewi_v x = ewi_fma(-u[0], wall_x, u[1]), y = ewi_fma(-u[0], wall_y, u[2]);
    ewi_v normal = ewi_set(-2.0) * ewi_fma(x, nx, y * ny);
    g[0] = u[0];
    g[1] = ewi_fma(normal, nx, u[1]);
    g[2] = ewi_fma(normal, ny, u[2]);
    g[3] = u[3];
}

/* given = (u, v) of the wall. */
EW_HD void ewi_navier_stokes_ghost_adiabatic(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                             ewi_v ny, ewi_v *g)
{
    (void)parameter;
    ewi_viscous_mirror(u, given[0], given[1], nx, ny, g);
}

/* given = (T, u, v) of the wall. */
EW_HD void ewi_navier_stokes_ghost_isothermal(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                              ewi_v ny, ewi_v *g)
{
    (void)parameter;
    ewi_viscous_mirror(u, given[1], given[2], nx, ny, g);
}

/* On a curve, `wall` is the state there relative to the wall's motion (wall_motion). */
EW_HD void ewi_navier_stokes_ghost_adiabatic_curved(const double *parameter, const ewi_v *u, const ewi_v *wall,
                                                    ewi_v nx, ewi_v ny, ewi_v *g)
{
    ewi_euler_ghost_curved(parameter, u, wall, nx, ny, g);
}

EW_HD void ewi_navier_stokes_ghost_isothermal_curved(const double *parameter, const ewi_v *u, const ewi_v *wall,
                                                     ewi_v nx, ewi_v ny, ewi_v *g)
{
    ewi_euler_ghost_curved(parameter, u, wall, nx, ny, g);
}

/* wall_motion: subtracts the momentum of the wall's motion from that of `wall`. */
EW_HD void ewi_navier_stokes_wall_motion(int ghost, const ewi_v *given, ewi_v *wall)
{
    const ewi_v *velocity = given + (ghost == EWI_GHOST_isothermal_curved);
    if (ghost == EWI_GHOST_curved)
        return;
    wall[1] = ewi_fma(-wall[0], velocity[0], wall[1]);
    wall[2] = ewi_fma(-wall[0], velocity[1], wall[2]);
}

/* Walls do not limit the time step: their state, all 0, says nothing. */
#define EWI_DEFINE_VISCOUS_WALL(ghost, condition)                                                                   \
    EW_HD ewi_mask ewi_navier_stokes_valid_##ghost(const double *parameter, const ewi_v *given, ewi_v nx, ewi_v ny) \
    {                                                                                                               \
        (void)parameter, (void)given, (void)nx, (void)ny;                                                           \
        return condition;                                                                                           \
    }                                                                                                               \
    EW_HD void ewi_navier_stokes_scale_##ghost(const double *parameter, const ewi_v *given, ewi_v *u)               \
    {                                                                                                               \
        (void)parameter, (void)given;                                                                               \
        for (int m = 0; m < 4; m++)                                                                                 \
            u[m] = ewi_set(0.0);                                                                                    \
    }
EWI_DEFINE_VISCOUS_WALL(adiabatic, ewi_gt(ewi_set(1.0), ewi_set(0.0)))
EWI_DEFINE_VISCOUS_WALL(adiabatic_curved, ewi_gt(ewi_set(1.0), ewi_set(0.0)))
EWI_DEFINE_VISCOUS_WALL(isothermal, ewi_gt(given[0], ewi_set(0.0)))
EWI_DEFINE_VISCOUS_WALL(isothermal_curved, ewi_gt(given[0], ewi_set(0.0)))

#endif
