/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Euler equations of an ideal gas (the paper, section "Computed Examples"). physics/advection.h says what every
 * law's file has.
 *   conserved  u = (rho, rho u, rho v, E)        primitive  (rho, u, v, p), p = (gamma - 1)(E - rho (u^2 + v^2)/2)
 *   parameter[0] = gamma
 * Edge functions take normals (nx, ny) that are scaled by the edge's length, and return fluxes and speeds scaled
 * likewise.
 */
#ifndef EWI_PHYSICS_EULER_H
#define EWI_PHYSICS_EULER_H

#include "flux/llf.h"
#include "ewi_limiting.h"
#include "ewi_math.h"
#include "ewi_oblique.h"
#include "ewi_reflect.h"

enum { ewi_euler_variables = 4, ewi_euler_fields = 0, ewi_euler_media = 0, ewi_euler_jump_count = 3,
       ewi_euler_pressure_jump = 2,
       ewi_euler_thinnest = 10, ewi_euler_thin = 0 };
#define EWI_HAS_DIFFUSION_euler 0
#define EWI_HAS_SUBCELLS_euler 1
#define EWI_INFO_euler                                                                              \
    .name = "euler", .description = "Euler equations of an ideal gas",                              \
    .conserved = {"rho", "rho_u", "rho_v", "E"},                                                    \
    .conserved_long = {"density", "momentum density, x-component", "momentum density, y-component", \
                       "total energy density"},                                                     \
    .primitive = {"rho", "u", "v", "p"},                                                            \
    .primitive_long = {"density", "velocity, x-component", "velocity, y-component", "pressure"},    \
    .parameters = 1,                                                                                \
    .parameter = {{.name = "gamma", .description = "ratio of specific heats", .value = 1.4,         \
                   .above = 1.0}}, .pressure = "p", .positive = {1, 0, 0, 1}
#define EWI_OPERATIONS_euler 32, 17, 6
#define EWI_FLUXES_euler(X) X(euler, llf, 67) X(euler, roe, 162) X(euler, hllc, 200)
#define EWI_POSITIVE_FLUXES_euler(X) EWI_FLUXES_euler(X)
#define EWI_GHOSTS_euler(X)                                                                         \
    X(euler, state) X(euler, copy) X(euler, mirror) X(euler, tangential) X(euler, curved) X(euler, far) \
    X(euler, oblique) X(euler, outlet) X(euler, total) X(euler, mass_flow) X(euler, symmetry)
#define EWI_VALUES_euler(X)                                                                           \
    X(euler, outlet, {"p", "static pressure", 1, 0, "be greater than 0"})                             \
    X(euler, total, {"total_pressure", "total pressure", 1, 0, "be greater than 0"},                  \
      {"total_temperature", "total temperature p/rho", 1, 0, "be greater than 0"},                    \
      {"direction", "direction of the flow", 2, 1, "point into the domain"})                          \
    X(euler, mass_flow, {"mass_flow", "mass flow per length of the boundary", 1, 0, "be at least 0"}, \
      {"temperature", "temperature p/rho", 1, 0, "be greater than 0"})

/* Input of the fluxes. */
struct ewi_euler_point {
    ewi_v vx, vy, p;
};

EW_HD ewi_v ewi_euler_pressure(const double *parameter, const ewi_v *u, ewi_v vx, ewi_v vy)
{
    return ewi_set(parameter[0] - 1.0) * ewi_fma(ewi_set(-0.5), ewi_fma(u[1], vx, u[2] * vy), u[3]);
}

EW_HD struct ewi_euler_point ewi_euler_point(const double *parameter, const ewi_v *u, ewi_v inverse_rho)
{
    struct ewi_euler_point w;
    w.vx = u[1] * inverse_rho;
    w.vy = u[2] * inverse_rho;
    w.p = ewi_euler_pressure(parameter, u, w.vx, w.vy);
    return w;
}

EW_HD void ewi_euler_volume_flux(const double *parameter, const ewi_v *field, const ewi_v *u, ewi_v xr, ewi_v xs,
                                 ewi_v yr, ewi_v ys, ewi_v *fr, ewi_v *fs)
{
    (void)field;
    struct ewi_euler_point w = ewi_euler_point(parameter, u, ewi_inverse(u[0]));
    ewi_v a = ewi_fma(ys, w.vx, -(xs * w.vy)), b = ewi_fma(xr, w.vy, -(yr * w.vx)), h = u[3] + w.p;
    fr[0] = u[0] * a;
    fr[1] = ewi_fma(u[1], a, w.p * ys);
    fr[2] = ewi_fma(u[2], a, -(w.p * xs));
    fr[3] = h * a;
    fs[0] = u[0] * b;
    fs[1] = ewi_fma(u[1], b, -(w.p * yr));
    fs[2] = ewi_fma(u[2], b, w.p * xr);
    fs[3] = h * b;
}

/* Both states of an edge point by one division. */
EW_HD void ewi_euler_points(const double *parameter, const ewi_v *ul, const ewi_v *ur, struct ewi_euler_point *wl,
                            struct ewi_euler_point *wr, ewi_v *inverse_left, ewi_v *inverse_right)
{
    ewi_v inverse = ewi_inverse(ul[0] * ur[0]);
    *inverse_left = inverse * ur[0];
    *inverse_right = inverse * ul[0];
    *wl = ewi_euler_point(parameter, ul, *inverse_left);
    *wr = ewi_euler_point(parameter, ur, *inverse_right);
}

/*
 * Near strong shocks the polynomials of a limited, admissible state may have a negative pressure at some point of an
 * edge. The speed of sound is taken as 0 there and the step continues; inadmissible means end a run, and so does a NaN.
 */
EW_HD ewi_v ewi_euler_sound(const double *parameter, ewi_v p, ewi_v inverse_rho)
{
    return ewi_root(ewi_larger(ewi_set(0.0), (ewi_set(parameter[0]) * p) * inverse_rho));
}

/*
 * For local Lax-Friedrichs: F(ul).n + F(ur).n and the larger |u.n| + c. A NaN that is lost in the latter is in the
 * former.
 */
EW_HD void ewi_euler_flux_pair(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur, ewi_v nx,
                               ewi_v ny, ewi_v length, ewi_v *sum, ewi_v *speed)
{
    (void)field;
    struct ewi_euler_point wl, wr;
    ewi_v il, ir;
    ewi_euler_points(parameter, ul, ur, &wl, &wr, &il, &ir);
    ewi_v vl = ewi_fma(wl.vx, nx, wl.vy * ny), vr = ewi_fma(wr.vx, nx, wr.vy * ny), p = wl.p + wr.p;
    *speed = ewi_larger(ewi_fma(ewi_euler_sound(parameter, wl.p, il), length, ewi_abs(vl)),
                        ewi_fma(ewi_euler_sound(parameter, wr.p, ir), length, ewi_abs(vr)));
    sum[0] = ewi_fma(ul[0], vl, ur[0] * vr);
    sum[1] = ewi_fma(ul[1], vl, ewi_fma(ur[1], vr, p * nx));
    sum[2] = ewi_fma(ul[2], vl, ewi_fma(ur[2], vr, p * ny));
    sum[3] = ewi_fma(ul[3] + wl.p, vl, (ur[3] + wr.p) * vr);
}

EWI_DEFINE_LLF(euler, ewi_euler_variables)

/*
 * A flux that is made of waves has none where a pressure is not positive (see ewi_euler_sound): local Lax-Friedrichs
 * takes its place at such points.
 */
EW_HD void ewi_euler_guard(const double *parameter, const ewi_v *ul, const ewi_v *ur, ewi_v pl, ewi_v pr, ewi_v nx,
                           ewi_v ny, ewi_v length, ewi_v *flux)
{
    ewi_mask good = ewi_and(ewi_gt(pl, ewi_set(0.0)), ewi_gt(pr, ewi_set(0.0)));
    if (__builtin_expect(ewi_all(good), 1))
        return;
    ewi_v robust[4];
    ewi_euler_flux_llf(parameter, 0, ul, ur, nx, ny, length, robust);
    for (int m = 0; m < 4; m++)
        flux[m] = ewi_select(good, flux[m], robust[m]);
}

/* |u| + c of a mean state; NaN where density or pressure is not positive. */
EW_HD ewi_v ewi_euler_speed(const double *parameter, const ewi_v *u, ewi_v bound)
{
    (void)bound;
    ewi_v inverse = ewi_inverse(u[0]);
    struct ewi_euler_point w = ewi_euler_point(parameter, u, inverse);
    ewi_v speed = ewi_root(ewi_fma(w.vx, w.vx, w.vy * w.vy)) + ewi_euler_sound(parameter, w.p, inverse);
    ewi_v zero = ewi_set(0.0);
    return ewi_select(ewi_and(ewi_gt(u[0], zero), ewi_gt(w.p, zero)), speed, ewi_set(__builtin_nan("")));
}

/* rho > 0 and p > 0, without a division. */
EW_HD ewi_mask ewi_euler_admissible(const double *parameter, const ewi_v *u)
{
    (void)parameter;
    ewi_v zero = ewi_set(0.0), kinetic = ewi_set(0.5) * ewi_fma(u[1], u[1], u[2] * u[2]);
    return ewi_and(ewi_gt(u[0], zero), ewi_gt(ewi_fma(u[0], u[3], -kinetic), zero));
}

/* frame: the mean's velocity, and half of its square. */
EW_HD void ewi_euler_frame(const double *parameter, const ewi_v *mean, ewi_v *frame)
{
    (void)parameter;
    ewi_v inverse = ewi_inverse(mean[0]);
    frame[0] = mean[1] * inverse;
    frame[1] = mean[2] * inverse;
    frame[2] = ewi_set(0.5) * ewi_fma(frame[0], frame[0], frame[1] * frame[1]);
}

/* relative: momentum and energy as an observer sees them who moves with the mean's velocity. */
EW_HD void ewi_euler_relative(const ewi_v *frame, const ewi_v *d, ewi_v *relative)
{
    relative[0] = d[0];
    relative[1] = ewi_fma(-frame[0], d[0], d[1]);
    relative[2] = ewi_fma(-frame[1], d[0], d[2]);
    relative[3] = ewi_fma(frame[2], d[0], ewi_fma(-frame[1], d[2], ewi_fma(-frame[0], d[1], d[3])));
}

/* jumps: |d| of density, of momentum and of energy, relative to the frame; the last is then thermal energy. */
EW_HD void ewi_euler_jumps(const ewi_v *frame, const ewi_v *d, ewi_v *z)
{
    ewi_v relative[4];
    ewi_euler_relative(frame, d, relative);
    z[0] = ewi_abs(relative[0]);
    z[1] = ewi_root(ewi_fma(relative[1], relative[1], relative[2] * relative[2]));
    z[2] = ewi_abs(relative[3]);
}

/* jump_scales: beta over rho, rho c and gamma p/(gamma - 1) of the mean; beta = c + z_1/rho, nearly c + |v_l - v_r|. */
EW_HD void ewi_euler_jump_scales(const double *parameter, const ewi_v *mean, const ewi_v *z, ewi_v *scale)
{
    ewi_v inverse = ewi_inverse(mean[0]), p = ewi_euler_point(parameter, mean, inverse).p;
    ewi_v enthalpy = ewi_inverse(ewi_set(parameter[0]) * p); /* 1/(rho c^2) */
    ewi_v slowness = ewi_root(inverse * enthalpy);           /* 1/(rho c) */
    ewi_v beta = ewi_fma(z[1], inverse, (ewi_set(parameter[0]) * p) * slowness);
    scale[0] = beta * inverse;
    scale[1] = beta * slowness;
    scale[2] = beta * (ewi_set(parameter[0] - 1.0) * enthalpy);
}

/* positive: the pressure, which is a concave function of the state where the density is positive. */
EW_HD ewi_v ewi_euler_positive(const double *parameter, const ewi_v *frame, const ewi_v *u)
{
    (void)frame;
    return ewi_euler_point(parameter, u, ewi_inverse(u[0])).p;
}

/*
 * is_positive: with density r and thermal energy e of the mean, each point has a density of at least r - s0, and a
 * density times thermal energy of at least (r - s0)(e - s3) - (s1^2 + s2^2)/2, where s is the spread. Both must exceed
 * margins that are far above the rounding of values at points.
 */
EW_HD ewi_mask ewi_euler_is_positive(const double *parameter, double floor, const ewi_v *frame, const ewi_v *mean,
                                     const ewi_v *spread)
{
    (void)parameter;
    ewi_v low = mean[0] - spread[0], thermal = ewi_fma(-frame[2], mean[0], mean[3]);
    ewi_v kinetic = ewi_set(0.5) * ewi_fma(spread[1], spread[1], spread[2] * spread[2]);
    ewi_v margin = ewi_fma(ewi_set(1e-11), mean[3], ewi_set(2.0 * EWI_POSITIVE_SHARE) * thermal);
    return ewi_and(ewi_gt(low, ewi_set(2.0 * floor) * mean[0]),
                   ewi_gt(ewi_fma(low, thermal - spread[3], -kinetic), low * margin));
}

EW_HD void ewi_euler_conserved(const double *parameter, const ewi_v *w, ewi_v *u)
{
    u[0] = w[0];
    u[1] = w[0] * w[1];
    u[2] = w[0] * w[2];
    u[3] = ewi_fma(ewi_set(0.5), ewi_fma(u[1], w[1], u[2] * w[2]), w[3] / ewi_set(parameter[0] - 1.0));
}

EW_HD void ewi_euler_primitive(const double *parameter, const ewi_v *u, ewi_v *w)
{
    struct ewi_euler_point point = ewi_euler_point(parameter, u, ewi_inverse(u[0]));
    w[0] = u[0];
    w[1] = point.vx;
    w[2] = point.vy;
    w[3] = point.p;
}

/* A gas constant of 1 is meant by temperature. */
#define EWI_GAS_OUTPUTS(X, law)                                                                      \
    X(law, speed, "speed of the flow")                                                            \
    X(law, sound, "speed of sound")                                                               \
    X(law, mach, "Mach number")                                                                   \
    X(law, temperature, "temperature p/rho")                                                      \
    X(law, entropy, "entropy function p/rho^gamma")                                               \
    X(law, enthalpy, "total specific enthalpy (E + p)/rho")                                       \
    X(law, total_pressure, "pressure of the flow brought to rest without losses")                 \
    X(law, vorticity, "vorticity dv/dx - du/dy")                                                  \
    X(law, divergence, "divergence of the velocity")                                              \
    X(law, schlieren, "magnitude of the gradient of density")
#define EWI_OUTPUTS_euler(X) EWI_GAS_OUTPUTS(X, euler)

struct ewi_euler_output {
    ewi_v inverse, speed, sound;
    struct ewi_euler_point w;
};

EW_HD struct ewi_euler_output ewi_euler_output(const double *parameter, const ewi_v *u)
{
    struct ewi_euler_output o;
    o.inverse = ewi_inverse(u[0]);
    o.w = ewi_euler_point(parameter, u, o.inverse);
    o.speed = ewi_root(ewi_fma(o.w.vx, o.w.vx, o.w.vy * o.w.vy));
    o.sound = ewi_euler_sound(parameter, o.w.p, o.inverse);
    return o;
}

#define EWI_EULER_OUTPUT(name) \
    EW_HD ewi_v ewi_euler_output_##name(const double *parameter, const ewi_v *u, const ewi_v *ux, const ewi_v *uy)

EWI_EULER_OUTPUT(speed)
{
    (void)ux, (void)uy;
    return ewi_euler_output(parameter, u).speed;
}

EWI_EULER_OUTPUT(sound)
{
    (void)ux, (void)uy;
    return ewi_euler_output(parameter, u).sound;
}

EWI_EULER_OUTPUT(mach)
{
    (void)ux, (void)uy;
    struct ewi_euler_output o = ewi_euler_output(parameter, u);
    return o.speed / o.sound;
}

EWI_EULER_OUTPUT(temperature)
{
    (void)ux, (void)uy;
    struct ewi_euler_output o = ewi_euler_output(parameter, u);
    return o.w.p * o.inverse;
}

EWI_EULER_OUTPUT(entropy)
{
    (void)ux, (void)uy;
    ewi_v p = ewi_euler_output(parameter, u).w.p, s = p;
    for (int lane = 0; lane < EWI_LANES; lane++)
        s = ewi_set_lane(s, lane, ewi_lane(p, lane) / ewi_pow(ewi_lane(u[0], lane), parameter[0]));
    return s;
}

EWI_EULER_OUTPUT(enthalpy)
{
    (void)ux, (void)uy;
    struct ewi_euler_output o = ewi_euler_output(parameter, u);
    return (u[3] + o.w.p) * o.inverse;
}

EWI_EULER_OUTPUT(total_pressure)
{
    ewi_v mach = ewi_euler_output_mach(parameter, u, ux, uy), p = ewi_euler_output(parameter, u).w.p;
    ewi_v base = ewi_fma(ewi_set(0.5 * (parameter[0] - 1.0)) * mach, mach, ewi_set(1.0)), factor = base;
    for (int lane = 0; lane < EWI_LANES; lane++)
        factor = ewi_set_lane(factor, lane, ewi_pow(ewi_lane(base, lane), parameter[0] / (parameter[0] - 1.0)));
    return p * factor;
}

/* d(m/rho) = (dm - (m/rho) drho)/rho */
EWI_EULER_OUTPUT(vorticity)
{
    struct ewi_euler_output o = ewi_euler_output(parameter, u);
    ewi_v vx = ewi_fma(-o.w.vy, ux[0], ux[2]), uy_ = ewi_fma(-o.w.vx, uy[0], uy[1]);
    return (vx - uy_) * o.inverse;
}

EWI_EULER_OUTPUT(divergence)
{
    struct ewi_euler_output o = ewi_euler_output(parameter, u);
    ewi_v ux_ = ewi_fma(-o.w.vx, ux[0], ux[1]), vy = ewi_fma(-o.w.vy, uy[0], uy[2]);
    return (ux_ + vy) * o.inverse;
}

EWI_EULER_OUTPUT(schlieren)
{
    (void)parameter, (void)u;
    return ewi_root(ewi_fma(ux[0], ux[0], uy[0] * uy[0]));
}

/* A state at rest, for padded elements. */
EW_HD void ewi_euler_rest(double *w)
{
    w[0] = 1.0;
    w[1] = 0.0;
    w[2] = 0.0;
    w[3] = 1.0;
}

/*
 * Ghosts: g from the inner state u, the given conserved state and the outward unit normal (nx, ny) of the true boundary
 * (Krivodonova and Berger, "High-order accurate implementation of solid wall boundary conditions in curved geometries",
 * 2006).
 */
EWI_DEFINE_NO_POINT_LIMIT(euler)
EWI_DEFINE_SOLID_WALLS(euler)

/* The energy follows the momentum, so that the pressure is the inner one. */
EW_HD void ewi_euler_ghost_curved(const double *parameter, const ewi_v *u, const ewi_v *wall, ewi_v nx, ewi_v ny,
                                  ewi_v *g)
{
    (void)parameter;
    ewi_v through = ewi_reflect_at(ewi_euler_variables, 1, u, wall, nx, ny, g);
    ewi_v change = ewi_fma(u[1], nx, u[2] * ny) - through;
    g[3] = ewi_fma(ewi_set(-2.0) * through, change * ewi_inverse(u[0]), u[3]);
}

/*
 * Characteristic far field: the Riemann invariants u.n + 2c/(gamma-1) from inside and u.n - 2c/(gamma-1) from the given
 * state; entropy and tangential velocity from upstream. The ghost's outflow is at most sonic: if the given state
 * recedes faster, the boundary lies at the sonic point of the rarefaction between the two, where the incoming invariant
 * is (gamma-3)/(gamma+1) of the outgoing one. Where the inner flow leaves (enters) faster than sound the ghost is the
 * inner (given) state.
 */
EW_HD void ewi_euler_ghost_far(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, ewi_v ny,
                               ewi_v *g)
{
    ewi_v gamma = ewi_set(parameter[0]), less = ewi_set(parameter[0] - 1.0), half = ewi_set(0.5), zero = ewi_set(0.0);
    ewi_v iu = ewi_inverse(u[0]), ig = ewi_inverse(given[0]);
    struct ewi_euler_point inner = ewi_euler_point(parameter, u, iu), outer = ewi_euler_point(parameter, given, ig);
    ewi_v ci = ewi_euler_sound(parameter, inner.p, iu), co = ewi_euler_sound(parameter, outer.p, ig);
    ewi_v vi = ewi_fma(inner.vx, nx, inner.vy * ny), vo = ewi_fma(outer.vx, nx, outer.vy * ny);
    ewi_v outgoing = vi + (ewi_set(2.0) * ci) / less, sonic = ewi_set((parameter[0] - 3.0) / (parameter[0] + 1.0));
    ewi_v incoming = ewi_min(vo - (ewi_set(2.0) * co) / less, sonic * outgoing);
    ewi_v v = half * (outgoing + incoming), c = ((ewi_set(0.25) * less)) * (outgoing - incoming);

    ewi_mask leaves = ewi_gt(v, zero);
    ewi_v rho = ewi_select(leaves, u[0], given[0]), sound = ewi_select(leaves, ci, co);
    ewi_v vx = ewi_select(leaves, inner.vx, outer.vx), vy = ewi_select(leaves, inner.vy, outer.vy);
    ewi_v jump = v - ewi_select(leaves, vi, vo), ratio = c / sound;
    for (int lane = 0; lane < EWI_LANES; lane++)
        ratio = ewi_set_lane(ratio, lane, ewi_pow(ewi_lane(ratio, lane), 2.0 / (parameter[0] - 1.0)));
    ewi_v w[4] = {rho * ratio, ewi_fma(jump, nx, vx), ewi_fma(jump, ny, vy), zero};
    w[3] = (w[0] * (c * c)) / gamma;
    ewi_euler_conserved(parameter, w, g);

    ewi_mask out = ewi_gt(vi, ci), in = ewi_gt(-vi, ci);
    for (int m = 0; m < 4; m++)
        g[m] = ewi_select(out, u[m], ewi_select(in, given[m], g[m]));
}

/*
 * Inlets and outlets: g is the state of the boundary itself. The waves that leave bring the Riemann invariant
 * u.n + 2c/(gamma-1) from inside; the given values take the place of what the waves that enter would bring. Where these
 * values have no subsonic state, the flow through the boundary is sonic. Nothing flows against an inlet's or outlet's
 * sense: with values from both sides of such a flow, waves would grow.
 */
struct ewi_euler_inside {
    ewi_v inverse, normal, sound, outgoing; /* 1/rho, u.n, c, u.n + 2c/(gamma-1) */
    struct ewi_euler_point w;
};

EW_HD struct ewi_euler_inside ewi_euler_inside(const double *parameter, const ewi_v *u, ewi_v nx, ewi_v ny)
{
    struct ewi_euler_inside in;
    in.inverse = ewi_inverse(u[0]);
    in.w = ewi_euler_point(parameter, u, in.inverse);
    in.normal = ewi_fma(in.w.vx, nx, in.w.vy * ny);
    in.sound = ewi_euler_sound(parameter, in.w.p, in.inverse);
    in.outgoing = ewi_fma(ewi_set(2.0 / (parameter[0] - 1.0)), in.sound, in.normal);
    return in;
}

/*
 * The far field towards the given state with another normal velocity: the incoming invariant then differs from the
 * given state's by -k times the difference of the outgoing ones. An inner flow that enters faster than sound sends
 * nothing out.
 */
EW_HD void ewi_euler_ghost_oblique(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, ewi_v ny,
                                   ewi_v *g)
{
    struct ewi_oblique oblique = ewi_oblique(nx, ny);
    struct ewi_euler_inside in = ewi_euler_inside(parameter, u, oblique.nx, oblique.ny);
    struct ewi_euler_inside out = ewi_euler_inside(parameter, given, oblique.nx, oblique.ny);
    ewi_v change = ewi_select(ewi_gt(-in.normal, in.sound), ewi_set(0.0), oblique.k * (out.outgoing - in.outgoing));
    ewi_v push = given[0] * change;
    ewi_v outer[4] = {given[0], ewi_fma(push, oblique.nx, given[1]), ewi_fma(push, oblique.ny, given[2]),
                      ewi_fma(push, ewi_fma(ewi_set(0.5), change, out.normal), given[3])};
    ewi_euler_ghost_far(parameter, u, outer, oblique.nx, oblique.ny, g);
}

EW_HD ewi_v ewi_euler_power(ewi_v base, double exponent)
{
    ewi_v power = base;
    for (int lane = 0; lane < EWI_LANES; lane++)
        power = ewi_set_lane(power, lane, ewi_pow(ewi_lane(base, lane), exponent));
    return power;
}

/*
 * The state at a boundary through which nothing flows: the velocity along it and the entropy are the inner ones, and
 * the pressure is that behind the outgoing wave, as at a wall.
 */
EW_HD void ewi_euler_closed(const double *parameter, const ewi_v *u, const struct ewi_euler_inside *in, ewi_v nx,
                            ewi_v ny, ewi_v *g)
{
    const double gamma = parameter[0], less = gamma - 1.0;
    ewi_v ratio = ewi_larger((ewi_set(0.5 * less) * in->outgoing) / in->sound, ewi_set(1e-3)); /* no vacuum */
    ewi_v rho = u[0] * ewi_euler_power(ratio, 2.0 / less);
    ewi_v w[4] = {rho, ewi_fma(-in->normal, nx, in->w.vx), ewi_fma(-in->normal, ny, in->w.vy),
                  in->w.p * ((rho * in->inverse) * (ratio * ratio))};
    ewi_euler_conserved(parameter, w, g);
}

/*
 * given = (p). Entropy and tangential velocity from inside. A flow that leaves faster than sound stays as it is; one
 * that the pressure would accelerate beyond that leaves at the speed of sound, where the invariant is
 * (gamma+1)/(gamma-1) c.
 */
EW_HD void ewi_euler_ghost_outlet(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, ewi_v ny,
                                  ewi_v *g)
{
    const double gamma = parameter[0], less = gamma - 1.0;
    struct ewi_euler_inside in = ewi_euler_inside(parameter, u, nx, ny);
    ewi_v rho = u[0] * ewi_euler_power(given[0] / in.w.p, 1.0 / gamma);
    ewi_v c = ewi_root((ewi_set(gamma) * given[0]) / rho), sonic = ewi_set(less / (gamma + 1.0)) * in.outgoing;
    ewi_v rho_sonic = u[0] * ewi_euler_power(sonic / in.sound, 2.0 / less);
    ewi_mask choked = ewi_gt(sonic, c), slow = ewi_and(ewi_gt(in.sound, in.normal), ewi_gt(in.sound, ewi_set(0.0)));
    rho = ewi_select(choked, rho_sonic, rho);
    c = ewi_select(choked, sonic, c);
    ewi_v change = ewi_set(2.0 / less) * (in.sound - c);
    ewi_v w[4] = {rho, ewi_fma(change, nx, in.w.vx), ewi_fma(change, ny, in.w.vy),
                  ewi_select(choked, (rho * (c * c)) / ewi_set(gamma), given[0])};
    ewi_v closed[4];
    ewi_mask leaves = ewi_gt(in.outgoing, ewi_set(2.0 / less) * c);
    ewi_euler_conserved(parameter, w, g);
    ewi_euler_closed(parameter, u, &in, nx, ny, closed);
    for (int m = 0; m < 4; m++)
        g[m] = ewi_select(slow, ewi_select(leaves, g[m], closed[m]), u[m]);
}

EW_HD ewi_mask ewi_euler_valid_outlet(const double *parameter, const ewi_v *given, ewi_v nx, ewi_v ny)
{
    (void)parameter, (void)nx, (void)ny;
    return ewi_gt(given[0], ewi_set(0.0));
}

/* The outflow has the speed and density of the interior, which the time step follows anyway. */
EW_HD void ewi_euler_scale_outlet(const double *parameter, const ewi_v *given, ewi_v *u)
{
    (void)parameter, (void)given;
    for (int m = 0; m < 4; m++)
        u[m] = ewi_set(0.0);
}

/*
 * given = (p0, T0, d): total pressure and temperature, and a direction of any length; (0, 0) is the inward normal. The
 * speed q is a root of c^2 + (gamma-1)/2 q^2 = gamma T0, where c is that of the outgoing invariant; the invariant is
 * bounded by those of gas at rest and of an inflow whose normal part is sonic.
 */
EW_HD void ewi_euler_ghost_total(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, ewi_v ny,
                                 ewi_v *g)
{
    const double gamma = parameter[0], less = gamma - 1.0;
    ewi_v zero = ewi_set(0.0), length = ewi_root(ewi_fma(given[2], given[2], given[3] * given[3]));
    ewi_mask normal = ewi_gt(ewi_set(1e-300), length);
    ewi_v dx = ewi_select(normal, -nx, given[2] / length), dy = ewi_select(normal, -ny, given[3] / length);
    ewi_v into = ewi_select(normal, ewi_set(1.0), -ewi_fma(dx, nx, dy * ny)), square = into * into;
    ewi_v sound_square = ewi_set(gamma) * given[1]; /* of the gas at rest */
    ewi_v sonic = into * ewi_root(sound_square / (square + ewi_set(0.5 * less)));
    struct ewi_euler_inside in = ewi_euler_inside(parameter, u, nx, ny);
    ewi_v rest = ewi_set(2.0 / less) * ewi_root(sound_square), r = in.outgoing, closed[4];
    ewi_mask enters = ewi_gt(rest, r);
    r = ewi_larger(ewi_set((3.0 - gamma) / less) * sonic, ewi_min(r, rest));

    ewi_v a = square + ewi_set(2.0 / less), b = r * into;
    ewi_v c = ewi_fma(r, r, ewi_set(-4.0 / (less * less)) * sound_square);
    ewi_v root = ewi_root(ewi_larger(zero, ewi_fma(b, b, -(a * c))));
    ewi_v q = ewi_larger(zero, (root - b) / a);
    ewi_v temperature = ewi_fma(ewi_set(-0.5 * less / gamma) * q, q, given[1]);
    ewi_v p = given[0] * ewi_euler_power(temperature / given[1], gamma / less);
    ewi_v w[4] = {p / temperature, q * dx, q * dy, p};
    ewi_euler_conserved(parameter, w, g);
    ewi_euler_closed(parameter, u, &in, nx, ny, closed);
    for (int m = 0; m < 4; m++)
        g[m] = ewi_select(enters, g[m], closed[m]);
}

EW_HD ewi_mask ewi_euler_valid_total(const double *parameter, const ewi_v *given, ewi_v nx, ewi_v ny)
{
    (void)parameter;
    ewi_v zero = ewi_set(0.0), into = -ewi_fma(given[2], nx, given[3] * ny);
    ewi_v length = ewi_root(ewi_fma(given[2], given[2], given[3] * given[3]));
    ewi_mask enters = ewi_or(ewi_gt(ewi_set(1e-300), length), ewi_gt(into, ewi_set(1e-3) * length));
    return ewi_and(ewi_and(ewi_gt(given[0], zero), ewi_gt(given[1], zero)), enters);
}

/* Gas at rest. */
EW_HD void ewi_euler_scale_total(const double *parameter, const ewi_v *given, ewi_v *u)
{
    u[0] = given[0] / given[1];
    u[1] = u[2] = ewi_set(0.0);
    u[3] = given[0] / ewi_set(parameter[0] - 1.0);
}

/*
 * given = (j, T): mass flow per length, against the normal, and temperature. The pressure follows from that of the
 * outgoing wave, p + rho c u.n, with the inner rho c; it is at least that of a sonic inflow, and a thousandth of the
 * inner density times T.
 */
EW_HD void ewi_euler_ghost_mass_flow(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, ewi_v ny,
                                     ewi_v *g)
{
    ewi_v j = given[0], t = given[1], two = ewi_set(2.0);
    struct ewi_euler_inside in = ewi_euler_inside(parameter, u, nx, ny);
    ewi_v z = u[0] * in.sound, wave = ewi_fma(z, in.normal, in.w.p);
    ewi_v rho = (wave + ewi_root(ewi_fma(wave, wave, ((ewi_set(4.0) * t) * z) * j))) / (two * t);
    ewi_v sonic = j / ewi_root(ewi_set(parameter[0]) * t);
    rho = ewi_larger(ewi_larger(rho, sonic), ewi_set(1e-3) * u[0]);
    g[0] = rho;
    g[1] = -(j * nx);
    g[2] = -(j * ny);
    g[3] = ewi_fma(ewi_set(0.5) * j, j / rho, (rho * t) / ewi_set(parameter[0] - 1.0));
}

EW_HD ewi_mask ewi_euler_valid_mass_flow(const double *parameter, const ewi_v *given, ewi_v nx, ewi_v ny)
{
    (void)parameter, (void)nx, (void)ny;
    ewi_v zero = ewi_set(0.0);
    return ewi_and(ewi_gt(given[0], ewi_set(-1e-300)), ewi_gt(given[1], zero));
}

/* As dense as if it entered at the speed of sound. */
EW_HD void ewi_euler_scale_mass_flow(const double *parameter, const ewi_v *given, ewi_v *u)
{
    u[0] = given[0] / ewi_root(ewi_set(parameter[0]) * given[1]);
    u[1] = u[2] = ewi_set(0.0);
    u[3] = (u[0] * given[1]) / ewi_set(parameter[0] - 1.0);
}

#include "flux/hllc.h"
#include "flux/roe.h"

#endif
