/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The shallow water equations over a flat bottom (Toro, "Shock-Capturing Methods for Free-Surface Shallow Flows", 2001,
 * chapters 2, 10 and 11). Means have h > 0; a bed that is as good as dry has a small depth, and needs positivity.
 *   conserved  u = (h, h u, h v)        primitive  (h, u, v): depth and velocity
 *   parameter[0] = gravity
 */
#ifndef EWI_PHYSICS_SHALLOW_WATER_H
#define EWI_PHYSICS_SHALLOW_WATER_H

#include "flux/entropy_fix.h"
#include "flux/llf.h"
#include "ewi_limiting.h"
#include "ewi_math.h"
#include "ewi_oblique.h"
#include "ewi_reflect.h"
#include "ewi_water_inflow.h"

enum {
    ewi_shallow_water_variables = 3,
    ewi_shallow_water_fields = 0,
    ewi_shallow_water_media = 0,
    ewi_shallow_water_jump_count = 2,
    ewi_shallow_water_pressure_jump = 0,
    ewi_shallow_water_thinnest = 1000000,
    ewi_shallow_water_thin = 2
};
#define EWI_HAS_DIFFUSION_shallow_water 0
#define EWI_HAS_SUBCELLS_shallow_water 1
#define EWI_INFO_shallow_water                                                                                 \
    .name = "shallow-water", .description = "shallow water over a flat bottom",                                \
    .conserved = {"h", "h_u", "h_v"},                                                                          \
    .conserved_long = {"depth", "discharge per unit width, x-component",                                       \
                       "discharge per unit width, y-component"},                                               \
    .primitive = {"h", "u", "v"},                                                                              \
    .primitive_long = {"depth", "velocity, x-component", "velocity, y-component"},                             \
    .parameters = 1,                                                                                           \
    .parameter = {{.name = "gravity", .description = "acceleration of gravity", .value = 9.81, .above = 0.0}}, \
    .positive = {1}
#define EWI_OPERATIONS_shallow_water 25, 9, 0
#define EWI_FLUXES_shallow_water(X) \
    X(shallow_water, llf, 49) X(shallow_water, roe, 111) X(shallow_water, hllc, 111)
#define EWI_POSITIVE_FLUXES_shallow_water(X) EWI_FLUXES_shallow_water(X)
#define EWI_GHOSTS_shallow_water(X)                                                                  \
    X(shallow_water, state) X(shallow_water, copy) X(shallow_water, mirror) X(shallow_water, tangential) \
    X(shallow_water, curved) X(shallow_water, far) X(shallow_water, oblique) X(shallow_water, outlet)   \
    X(shallow_water, discharge) X(shallow_water, symmetry)
#define EWI_VALUES_shallow_water(X)                                    \
    X(shallow_water, outlet, {"h", "depth", 1, 0, "be greater than 0"}) \
    X(shallow_water, discharge, {"discharge", "discharge per length of the boundary", 1, 0, "be at least 0"})

/* Input of the fluxes: velocity, g h^2/2. */
struct ewi_shallow_water_point {
    ewi_v vx, vy, p;
};

EW_HD struct ewi_shallow_water_point ewi_shallow_water_point(const double *parameter, const ewi_v *u, ewi_v inverse_h)
{
    struct ewi_shallow_water_point w;
    w.vx = u[1] * inverse_h;
    w.vy = u[2] * inverse_h;
    w.p = ewi_set(0.5 * parameter[0]) * (u[0] * u[0]);
    return w;
}

/* The speed of long waves; 0 where a polynomial falls below the bottom near a bore (see ewi_euler_sound). */
EW_HD ewi_v ewi_shallow_water_celerity(const double *parameter, ewi_v h)
{
    return ewi_root(ewi_larger(ewi_set(0.0), ewi_set(parameter[0]) * h));
}

EW_HD void ewi_shallow_water_volume_flux(const double *parameter, const ewi_v *field, const ewi_v *u, ewi_v xr,
                                         ewi_v xs, ewi_v yr, ewi_v ys, ewi_v *fr, ewi_v *fs)
{
    (void)field;
    struct ewi_shallow_water_point w = ewi_shallow_water_point(parameter, u, ewi_set(1.0) / u[0]);
    ewi_v a = ewi_fma(ys, w.vx, -(xs * w.vy)), b = ewi_fma(xr, w.vy, -(yr * w.vx));
    fr[0] = u[0] * a;
    fr[1] = ewi_fma(u[1], a, w.p * ys);
    fr[2] = ewi_fma(u[2], a, -(w.p * xs));
    fs[0] = u[0] * b;
    fs[1] = ewi_fma(u[1], b, -(w.p * yr));
    fs[2] = ewi_fma(u[2], b, w.p * xr);
}

/* Both states of an edge point by one division. */
EW_HD void ewi_shallow_water_points(const double *parameter, const ewi_v *ul, const ewi_v *ur,
                                    struct ewi_shallow_water_point *wl, struct ewi_shallow_water_point *wr)
{
    ewi_v inverse = ewi_set(1.0) / (ul[0] * ur[0]);
    *wl = ewi_shallow_water_point(parameter, ul, inverse * ur[0]);
    *wr = ewi_shallow_water_point(parameter, ur, inverse * ul[0]);
}

EW_HD void ewi_shallow_water_sum(const ewi_v *ul, const ewi_v *ur, ewi_v vl, ewi_v vr, ewi_v p, ewi_v nx, ewi_v ny,
                                 ewi_v *sum)
{
    sum[0] = ewi_fma(ul[0], vl, ur[0] * vr);
    sum[1] = ewi_fma(ul[1], vl, ewi_fma(ur[1], vr, p * nx));
    sum[2] = ewi_fma(ul[2], vl, ewi_fma(ur[2], vr, p * ny));
}

EW_HD void ewi_shallow_water_flux_pair(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur,
                                       ewi_v nx, ewi_v ny, ewi_v length, ewi_v *sum, ewi_v *speed)
{
    (void)field;
    struct ewi_shallow_water_point wl, wr;
    ewi_shallow_water_points(parameter, ul, ur, &wl, &wr);
    ewi_v vl = ewi_fma(wl.vx, nx, wl.vy * ny), vr = ewi_fma(wr.vx, nx, wr.vy * ny);
    *speed = ewi_larger(ewi_fma(ewi_shallow_water_celerity(parameter, ul[0]), length, ewi_abs(vl)),
                        ewi_fma(ewi_shallow_water_celerity(parameter, ur[0]), length, ewi_abs(vr)));
    ewi_shallow_water_sum(ul, ur, vl, vr, wl.p + wr.p, nx, ny, sum);
}

EWI_DEFINE_LLF(shallow_water, ewi_shallow_water_variables)

/*
 * A flux that is made of waves has none where a depth is not positive: local Lax-Friedrichs takes its place at such
 * points.
 */
EW_HD void ewi_shallow_water_guard(const double *parameter, const ewi_v *ul, const ewi_v *ur, ewi_v nx, ewi_v ny,
                                   ewi_v length, ewi_v *flux)
{
    ewi_mask good = ewi_and(ewi_gt(ul[0], ewi_set(0.0)), ewi_gt(ur[0], ewi_set(0.0)));
    if (__builtin_expect(ewi_all(good), 1))
        return;
    ewi_v robust[3];
    ewi_shallow_water_flux_llf(parameter, 0, ul, ur, nx, ny, length, robust);
    for (int m = 0; m < 3; m++)
        flux[m] = ewi_select(good, flux[m], robust[m]);
}

/* Roe's averages of velocity, weighted by the square roots of the depths, and the celerity of the mean depth. */
struct ewi_shallow_water_average {
    ewi_v vx, vy, c;
};

EW_HD struct ewi_shallow_water_average ewi_shallow_water_average(const double *parameter, const ewi_v *ul,
                                                                 const ewi_v *ur,
                                                                 const struct ewi_shallow_water_point *wl,
                                                                 const struct ewi_shallow_water_point *wr)
{
    struct ewi_shallow_water_average a;
    ewi_v rl = ewi_root(ul[0]), rr = ewi_root(ur[0]), weight = rl / (rl + rr);
    a.vx = ewi_fma(weight, wl->vx - wr->vx, wr->vx);
    a.vy = ewi_fma(weight, wl->vy - wr->vy, wr->vy);
    a.c = ewi_shallow_water_celerity(parameter, ewi_set(0.5) * (ul[0] + ur[0]));
    return a;
}

/* Roe's flux (Glaister 1988; Toro, section 11.1), with Harten's entropy fix below 0.2 c as for the Euler equations. */
EW_HD void ewi_shallow_water_flux_roe(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur,
                                      ewi_v nx, ewi_v ny, ewi_v length, ewi_v *flux)
{
    (void)field;
    struct ewi_shallow_water_point wl, wr;
    ewi_shallow_water_points(parameter, ul, ur, &wl, &wr);
    struct ewi_shallow_water_average a = ewi_shallow_water_average(parameter, ul, ur, &wl, &wr);
    ewi_v inverse_length = ewi_set(1.0) / length, ex = nx * inverse_length, ey = ny * inverse_length;
    ewi_v v = ewi_fma(a.vx, ex, a.vy * ey), delta = ewi_set(0.2) * a.c;
    ewi_v minus = ewi_roe_entropy_fix(v - a.c, delta), plus = ewi_roe_entropy_fix(v + a.c, delta), middle = ewi_abs(v);

    ewi_v dh = ur[0] - ul[0], dx = ewi_fma(-a.vx, dh, ur[1] - ul[1]), dy = ewi_fma(-a.vy, dh, ur[2] - ul[2]);
    ewi_v dn = ewi_fma(dx, ex, dy * ey), along = dn / a.c; /* of h (v - average), along the normal */
    ewi_v a1 = minus * (ewi_set(0.5) * (dh - along)), a3 = plus * (ewi_set(0.5) * (dh + along));
    ewi_v d[3];
    d[0] = a1 + a3;
    d[1] = ewi_fma(a1, ewi_fma(-a.c, ex, a.vx), ewi_fma(a3, ewi_fma(a.c, ex, a.vx), middle * ewi_fma(-dn, ex, dx)));
    d[2] = ewi_fma(a1, ewi_fma(-a.c, ey, a.vy), ewi_fma(a3, ewi_fma(a.c, ey, a.vy), middle * ewi_fma(-dn, ey, dy)));

    ewi_v sum[3], vl = ewi_fma(wl.vx, nx, wl.vy * ny), vr = ewi_fma(wr.vx, nx, wr.vy * ny);
    ewi_shallow_water_sum(ul, ur, vl, vr, wl.p + wr.p, nx, ny, sum);
    for (int m = 0; m < 3; m++)
        flux[m] = ewi_fma(-length, d[m], sum[m]);
    ewi_shallow_water_guard(parameter, ul, ur, nx, ny, length, flux);
}

/* How much faster than a long wave a bore of depth `star` runs into the depth h. */
EW_HD ewi_v ewi_shallow_water_q(ewi_v star, ewi_v h)
{
    ewi_v ratio = star / h;
    return ewi_select(ewi_gt(star, h), ewi_root((ewi_set(0.5) * ratio) * (ratio + ewi_set(1.0))), ewi_set(1.0));
}

/*
 * HLLC (Fraccarollo and Toro 1995; Toro, section 10.4): HLL for depth and normal discharge, whose states between the
 * waves have one depth, and the tangential velocity from where the water comes. The depth between two rarefactions
 * gives the wave speeds, which are besides bounded by those of the Roe average (Einfeldt et al. 1991), as for the Euler
 * equations. Where thin films meet, that depth is far too large; but no bore is faster than the water behind it by more
 * than c in front of it, and that water no faster than the front of a dam break on a dry bed.
 */
EW_HD void ewi_shallow_water_flux_hllc(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur,
                                       ewi_v nx, ewi_v ny, ewi_v length, ewi_v *flux)
{
    (void)field;
    const ewi_v zero = ewi_set(0.0);
    struct ewi_shallow_water_point wl, wr;
    ewi_shallow_water_points(parameter, ul, ur, &wl, &wr);
    struct ewi_shallow_water_average a = ewi_shallow_water_average(parameter, ul, ur, &wl, &wr);
    ewi_v inverse_length = ewi_set(1.0) / length, ex = nx * inverse_length, ey = ny * inverse_length;
    ewi_v vl = ewi_fma(wl.vx, ex, wl.vy * ey), vr = ewi_fma(wr.vx, ex, wr.vy * ey), v = ewi_fma(a.vx, ex, a.vy * ey);
    ewi_v cl = ewi_shallow_water_celerity(parameter, ul[0]), cr = ewi_shallow_water_celerity(parameter, ur[0]);

    ewi_v c = ewi_larger(zero, ewi_fma(ewi_set(0.25), vl - vr, ewi_set(0.5) * (cl + cr)));
    ewi_v depth = (c * c) * ewi_set(1.0 / parameter[0]);
    ewi_v most_l = ewi_min(vl, ewi_fma(ewi_set(-2.0), cr, vr)) - cl;
    ewi_v most_r = ewi_max(vr, ewi_fma(ewi_set(2.0), cl, vl)) + cr;
    ewi_v sl = ewi_min(ewi_max(ewi_fma(-cl, ewi_shallow_water_q(depth, ul[0]), vl), most_l), v - a.c);
    ewi_v sr = ewi_max(ewi_min(ewi_fma(cr, ewi_shallow_water_q(depth, ur[0]), vr), most_r), v + a.c);

    ewi_v ml = ul[0] * vl, mr = ur[0] * vr, fl = ewi_fma(ml, vl, wl.p), fr = ewi_fma(mr, vr, wr.p);
    ewi_v inverse = ewi_set(1.0) / (sr - sl), both = sl * sr;
    ewi_v mass = inverse * ewi_fma(both, ur[0] - ul[0], ewi_fma(sr, ml, -(sl * mr)));
    ewi_v force = inverse * ewi_fma(both, mr - ml, ewi_fma(sr, fl, -(sl * fr)));
    ewi_mask only_left = ewi_gt(sl, zero), only_right = ewi_gt(zero, sr);
    mass = ewi_select(only_left, ml, ewi_select(only_right, mr, mass));
    force = ewi_select(only_left, fl, ewi_select(only_right, fr, force));
    ewi_v tl = ewi_fma(wl.vy, ex, -(wl.vx * ey)), tr = ewi_fma(wr.vy, ex, -(wr.vx * ey));
    ewi_v along = mass * ewi_select(ewi_gt(mass, zero), tl, tr), twice = ewi_set(2.0) * length;
    flux[0] = twice * mass;
    flux[1] = twice * ewi_fma(force, ex, -(along * ey));
    flux[2] = twice * ewi_fma(force, ey, along * ex);
    ewi_shallow_water_guard(parameter, ul, ur, nx, ny, length, flux);
}

/* |u| + c of a mean state; NaN where the depth is not positive or a discharge not finite. */
EW_HD ewi_v ewi_shallow_water_speed(const double *parameter, const ewi_v *u, ewi_v bound)
{
    (void)bound;
    ewi_v zero = ewi_set(0.0), discharge = ewi_root(ewi_fma(u[1], u[1], u[2] * u[2]));
    ewi_v speed = discharge / u[0] + ewi_shallow_water_celerity(parameter, u[0]);
    return ewi_select(ewi_gt(u[0], zero), speed, zero / zero);
}

/* h > 0 and all finite. */
EW_HD ewi_mask ewi_shallow_water_admissible(const double *parameter, const ewi_v *u)
{
    (void)parameter;
    ewi_v infinity = ewi_set(__builtin_inf());
    return ewi_and(ewi_and(ewi_gt(u[0], ewi_set(0.0)), ewi_gt(infinity, u[0])),
                   ewi_and(ewi_gt(infinity, ewi_abs(u[1])), ewi_gt(infinity, ewi_abs(u[2]))));
}

/* frame: the mean's velocity v, and |v| + 2c, the speed of a front on a dry bed: at thin points no water is faster. */
EW_HD void ewi_shallow_water_frame(const double *parameter, const ewi_v *mean, ewi_v *frame)
{
    ewi_v inverse = ewi_inverse(mean[0]);
    frame[0] = mean[1] * inverse;
    frame[1] = mean[2] * inverse;
    frame[2] = ewi_fma(ewi_set(2.0), ewi_shallow_water_celerity(parameter, mean[0]),
                       ewi_root(ewi_fma(frame[0], frame[0], frame[1] * frame[1])));
}

/* relative: discharges less the frame's velocity times depth. */
EW_HD void ewi_shallow_water_relative(const ewi_v *frame, const ewi_v *d, ewi_v *relative)
{
    relative[0] = d[0];
    relative[1] = ewi_fma(-frame[0], d[0], d[1]);
    relative[2] = ewi_fma(-frame[1], d[0], d[2]);
}

/* jumps: |d| of depth and of discharge, relative to the frame. */
EW_HD void ewi_shallow_water_jumps(const ewi_v *frame, const ewi_v *d, ewi_v *z)
{
    ewi_v relative[3];
    ewi_shallow_water_relative(frame, d, relative);
    z[0] = ewi_abs(relative[0]);
    z[1] = ewi_root(ewi_fma(relative[1], relative[1], relative[2] * relative[2]));
}

/* jump_scales: beta over h and h c of the mean; beta = c + z_1/h, nearly c + |v_left - v_right|. */
EW_HD void ewi_shallow_water_jump_scales(const double *parameter, const ewi_v *mean, const ewi_v *z, ewi_v *scale)
{
    ewi_v inverse = ewi_inverse(mean[0]), c = ewi_shallow_water_celerity(parameter, mean[0]);
    ewi_v beta = ewi_fma(z[1], inverse, c);
    scale[0] = beta * inverse;
    scale[1] = scale[0] * ewi_inverse(c);
}

/* positive: the frame's largest discharge at this depth less the discharge, a concave function of the state. */
EW_HD ewi_v ewi_shallow_water_positive(const double *parameter, const ewi_v *frame, const ewi_v *u)
{
    (void)parameter;
    return ewi_fma(frame[2], u[0], -ewi_root(ewi_fma(u[1], u[1], u[2] * u[2])));
}

/*
 * is_positive: every point is deep enough not to be asked for its velocity; or, since |m| <= |v| h + |m - v h| for each
 * discharge m, 2c (h - s0) exceeds the spread of the relative discharge. Margins as in euler.
 */
EW_HD ewi_mask ewi_shallow_water_is_positive(const double *parameter, double floor, const ewi_v *frame,
                                             const ewi_v *mean, const ewi_v *spread)
{
    ewi_v low = mean[0] - spread[0], twice = ewi_set(2.0) * ewi_shallow_water_celerity(parameter, mean[0]);
    ewi_v discharge = ewi_root(ewi_fma(spread[1], spread[1], spread[2] * spread[2]));
    ewi_v margin = ewi_fma(ewi_set(1e-11), frame[2], ewi_set(2.0 * EWI_POSITIVE_SHARE) * twice);
    return ewi_or(ewi_gt(ewi_set(ewi_shallow_water_thin * (1.0 - 1e-11)) * low, mean[0]),
                  ewi_and(ewi_gt(low, ewi_set(2.0 * floor) * mean[0]),
                          ewi_gt(ewi_fma(twice, low, -discharge), margin * mean[0])));
}

EW_HD void ewi_shallow_water_conserved(const double *parameter, const ewi_v *w, ewi_v *u)
{
    (void)parameter;
    u[0] = w[0];
    u[1] = w[0] * w[1];
    u[2] = w[0] * w[2];
}

EW_HD void ewi_shallow_water_primitive(const double *parameter, const ewi_v *u, ewi_v *w)
{
    (void)parameter;
    w[0] = u[0];
    w[1] = u[1] / u[0];
    w[2] = u[2] / u[0];
}

#define EWI_OUTPUTS_shallow_water(X)                                                 \
    X(shallow_water, speed, "speed of the flow")                                     \
    X(shallow_water, celerity, "speed of long waves, sqrt(g h)")                     \
    X(shallow_water, froude, "Froude number")                                        \
    X(shallow_water, head, "specific head h + (u^2 + v^2)/(2 g)")                    \
    X(shallow_water, energy, "energy density over that of the bottom, h (u^2 + v^2)/2 + g h^2/2") \
    X(shallow_water, vorticity, "vorticity dv/dx - du/dy")                           \
    X(shallow_water, potential_vorticity, "vorticity over depth")                    \
    X(shallow_water, divergence, "divergence of the velocity")                       \
    X(shallow_water, slope, "magnitude of the surface's gradient")

#define EWI_SHALLOW_WATER_OUTPUT(name)                                                                    \
    EW_HD ewi_v ewi_shallow_water_output_##name(const double *parameter, const ewi_v *u, const ewi_v *ux, \
                                                const ewi_v *uy)

EWI_SHALLOW_WATER_OUTPUT(speed)
{
    (void)parameter, (void)ux, (void)uy;
    return ewi_root(ewi_fma(u[1], u[1], u[2] * u[2])) / u[0];
}

EWI_SHALLOW_WATER_OUTPUT(celerity)
{
    (void)ux, (void)uy;
    return ewi_shallow_water_celerity(parameter, u[0]);
}

EWI_SHALLOW_WATER_OUTPUT(froude)
{
    return ewi_shallow_water_output_speed(parameter, u, ux, uy) / ewi_shallow_water_celerity(parameter, u[0]);
}

EWI_SHALLOW_WATER_OUTPUT(head)
{
    ewi_v speed = ewi_shallow_water_output_speed(parameter, u, ux, uy);
    return ewi_fma(speed * speed, ewi_set(0.5 / parameter[0]), u[0]);
}

EWI_SHALLOW_WATER_OUTPUT(energy)
{
    return (ewi_set(parameter[0]) * u[0]) * (ewi_shallow_water_output_head(parameter, u, ux, uy) - ewi_set(0.5) * u[0]);
}

/* d(m/h) = (dm - (m/h) dh)/h */
EWI_SHALLOW_WATER_OUTPUT(vorticity)
{
    struct ewi_shallow_water_point w = ewi_shallow_water_point(parameter, u, ewi_set(1.0) / u[0]);
    return (ewi_fma(-w.vy, ux[0], ux[2]) - ewi_fma(-w.vx, uy[0], uy[1])) / u[0];
}

EWI_SHALLOW_WATER_OUTPUT(potential_vorticity)
{
    return ewi_shallow_water_output_vorticity(parameter, u, ux, uy) / u[0];
}

EWI_SHALLOW_WATER_OUTPUT(divergence)
{
    struct ewi_shallow_water_point w = ewi_shallow_water_point(parameter, u, ewi_set(1.0) / u[0]);
    return (ewi_fma(-w.vx, ux[0], ux[1]) + ewi_fma(-w.vy, uy[0], uy[2])) / u[0];
}

EWI_SHALLOW_WATER_OUTPUT(slope)
{
    (void)parameter, (void)u;
    return ewi_root(ewi_fma(ux[0], ux[0], uy[0] * uy[0]));
}

EW_HD void ewi_shallow_water_rest(double *w)
{
    w[0] = 1.0;
    w[1] = 0.0;
    w[2] = 0.0;
}

EWI_DEFINE_NO_POINT_LIMIT(shallow_water)
EWI_DEFINE_SOLID_WALLS(shallow_water)

EW_HD void ewi_shallow_water_ghost_curved(const double *parameter, const ewi_v *u, const ewi_v *wall, ewi_v nx,
                                          ewi_v ny, ewi_v *g)
{
    (void)parameter;
    ewi_reflect_at(ewi_shallow_water_variables, 1, u, wall, nx, ny, g);
}

/*
 * Characteristic far field: the Riemann invariants u.n + 2c from inside and u.n - 2c from the given state, the
 * tangential velocity from upstream. The ghost's outflow is at most critical: if the given state recedes faster, the
 * boundary lies at the critical point of the rarefaction between the two, where the incoming invariant is -1/3 of the
 * outgoing one. Where the inner flow leaves (enters) faster than long waves the ghost is the inner (given) state.
 */
EW_HD void ewi_shallow_water_ghost_far(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, ewi_v ny,
                                       ewi_v *g)
{
    ewi_v half = ewi_set(0.5), two = ewi_set(2.0), zero = ewi_set(0.0);
    struct ewi_shallow_water_point inner = ewi_shallow_water_point(parameter, u, ewi_set(1.0) / u[0]);
    struct ewi_shallow_water_point outer = ewi_shallow_water_point(parameter, given, ewi_set(1.0) / given[0]);
    ewi_v ci = ewi_shallow_water_celerity(parameter, u[0]), co = ewi_shallow_water_celerity(parameter, given[0]);
    ewi_v vi = ewi_fma(inner.vx, nx, inner.vy * ny), vo = ewi_fma(outer.vx, nx, outer.vy * ny);
    ewi_v outgoing = ewi_fma(two, ci, vi);
    ewi_v incoming = ewi_min(ewi_fma(-two, co, vo), ewi_set(-1.0 / 3.0) * outgoing);
    ewi_v v = half * (outgoing + incoming), c = ewi_set(0.25) * (outgoing - incoming);

    ewi_mask leaves = ewi_gt(v, zero);
    ewi_v jump = v - ewi_select(leaves, vi, vo);
    ewi_v w[3] = {(c * c) / ewi_set(parameter[0]), ewi_fma(jump, nx, ewi_select(leaves, inner.vx, outer.vx)),
                  ewi_fma(jump, ny, ewi_select(leaves, inner.vy, outer.vy))};
    ewi_shallow_water_conserved(parameter, w, g);

    ewi_mask out = ewi_gt(vi, ci), in = ewi_gt(-vi, ci);
    for (int m = 0; m < 3; m++)
        g[m] = ewi_select(out, u[m], ewi_select(in, given[m], g[m]));
}

/* Inlets and outlets, as those of gas: the invariant u.n + 2c comes from inside. */
EW_HD ewi_v ewi_shallow_water_outgoing(const double *parameter, const ewi_v *u, ewi_v inverse, ewi_v nx, ewi_v ny)
{
    return ewi_fma(ewi_set(2.0), ewi_shallow_water_celerity(parameter, u[0]), ewi_fma(u[1], nx, u[2] * ny) * inverse);
}

/* As for gas: the given state has another normal velocity, unless the inner flow enters faster than long waves. */
EW_HD void ewi_shallow_water_ghost_oblique(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                           ewi_v ny, ewi_v *g)
{
    struct ewi_oblique oblique = ewi_oblique(nx, ny);
    ewi_v inverse = ewi_inverse(u[0]), c = ewi_shallow_water_celerity(parameter, u[0]);
    ewi_v in = ewi_shallow_water_outgoing(parameter, u, inverse, oblique.nx, oblique.ny);
    ewi_v out = ewi_shallow_water_outgoing(parameter, given, ewi_inverse(given[0]), oblique.nx, oblique.ny);
    ewi_mask fast = ewi_gt(-ewi_fma(u[1], oblique.nx, u[2] * oblique.ny) * inverse, c);
    ewi_v push = given[0] * ewi_select(fast, ewi_set(0.0), oblique.k * (out - in));
    ewi_v outer[3] = {given[0], ewi_fma(push, oblique.nx, given[1]), ewi_fma(push, oblique.ny, given[2])};
    ewi_shallow_water_ghost_far(parameter, u, outer, oblique.nx, oblique.ny, g);
}

/*
 * given = (h). The tangential velocity comes from inside. A supercritical outflow stays as it is; where the depth is
 * too low for a subcritical one, the outflow is critical, and the invariant is 3c. Where the depth is too great for any
 * outflow, nothing flows, as at a wall.
 */
EW_HD void ewi_shallow_water_ghost_outlet(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                          ewi_v ny, ewi_v *g)
{
    ewi_v inverse = ewi_inverse(u[0]), inner = ewi_shallow_water_celerity(parameter, u[0]);
    struct ewi_shallow_water_point w = ewi_shallow_water_point(parameter, u, inverse);
    ewi_v normal = ewi_fma(w.vx, nx, w.vy * ny), outgoing = ewi_shallow_water_outgoing(parameter, u, inverse, nx, ny);
    ewi_v c = ewi_shallow_water_celerity(parameter, given[0]), critical = ewi_set(1.0 / 3.0) * outgoing;
    ewi_mask low = ewi_gt(critical, c), slow = ewi_gt(inner, normal);
    c = ewi_select(low, critical, c);
    ewi_v h = ewi_select(low, (c * c) / ewi_set(parameter[0]), given[0]), change = ewi_set(2.0) * (inner - c);
    ewi_mask leaves = ewi_gt(ewi_fma(ewi_set(0.5), outgoing, -c), ewi_set(0.0));
    ewi_v still = ewi_larger(ewi_set(0.5) * outgoing, ewi_set(1e-3) * inner); /* the celerity where nothing flows */
    h = ewi_select(leaves, h, (still * still) / ewi_set(parameter[0]));
    change = ewi_select(leaves, change, -normal);
    ewi_v boundary[3] = {h, ewi_fma(change, nx, w.vx), ewi_fma(change, ny, w.vy)};
    ewi_shallow_water_conserved(parameter, boundary, g);
    for (int m = 0; m < 3; m++)
        g[m] = ewi_select(slow, g[m], u[m]);
}

EW_HD ewi_mask ewi_shallow_water_valid_outlet(const double *parameter, const ewi_v *given, ewi_v nx, ewi_v ny)
{
    (void)parameter, (void)nx, (void)ny;
    return ewi_gt(given[0], ewi_set(0.0));
}

/* The outflow has the speed and depth of the interior, which the time step follows anyway. */
EW_HD void ewi_shallow_water_scale_outlet(const double *parameter, const ewi_v *given, ewi_v *u)
{
    (void)parameter, (void)given;
    u[0] = u[1] = u[2] = ewi_set(0.0);
}

/* given = (q), against the normal. The inflow is at most critical, and at least 0.001 times as deep as the interior. */
EW_HD void ewi_shallow_water_ghost_discharge(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                             ewi_v ny, ewi_v *g)
{
    ewi_v inverse = ewi_inverse(u[0]), outgoing = ewi_shallow_water_outgoing(parameter, u, inverse, nx, ny);
    ewi_v least = ewi_larger(ewi_inflow_critical(parameter[0], given[0]),
                             ewi_shallow_water_celerity(parameter, ewi_set(1e-3) * u[0]));
    ewi_v c = ewi_inflow_celerity(parameter[0], given[0], outgoing, least);
    g[0] = (c * c) / ewi_set(parameter[0]);
    g[1] = -(given[0] * nx);
    g[2] = -(given[0] * ny);
}

EW_HD ewi_mask ewi_shallow_water_valid_discharge(const double *parameter, const ewi_v *given, ewi_v nx, ewi_v ny)
{
    (void)parameter, (void)nx, (void)ny;
    return ewi_gt(given[0], ewi_set(-1e-300));
}

/* As deep as a critical flow. */
EW_HD void ewi_shallow_water_scale_discharge(const double *parameter, const ewi_v *given, ewi_v *u)
{
    ewi_v c = ewi_inflow_critical(parameter[0], given[0]);
    u[0] = (c * c) / ewi_set(parameter[0]);
    u[1] = u[2] = ewi_set(0.0);
}

#endif
