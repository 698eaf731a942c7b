/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The shallow water equations over a bed of any shape, parts of which may be dry:
 *     surface_t + div m = 0,   m_t + div(m m / H) + g H grad surface = 0,   H = max(0, surface - bed)
 * with the surface for the depth, so that the bed comes in by its values alone: a lake at rest stays at rest. At edges
 * it is Audusse et al., "A fast and stable well-balanced scheme with hydrostatic reconstruction" (2004). kernels/bed.h
 * has the discretization; every number of an element is in its state:
 *   conserved  u = (surface, m_x, m_y, bed, depth)
 * where the bed does not change and the last variable is constant in the element: its first coefficient X is the mean
 * depth, negative in an element that is wet all over. Where X >= 0 the element is partly dry, or dry if X = 0: its
 * surface is cut by the bed, and its water has one velocity.
 *   primitive  (h, u, v, bed, surface): where a given h is EWI_BED_BY_SURFACE, the surface counts, otherwise h over bed
 *   parameter[0] = gravity, [1] = dry, a depth below which velocities fade, [2] = the degree of the bed, or 0 for the
 *   order, [3] = Manning's n, [EWI_STEP_PARAMETER] = the length of the current step
 */
#ifndef EWI_PHYSICS_SHALLOW_WATER_BED_H
#define EWI_PHYSICS_SHALLOW_WATER_BED_H

#include "ewi_bed_rows.h"
#include "ewi_limiting.h"
#include "ewi_math.h"
#include "ewi_reflect.h"
#include "ewi_step_parameter.h"
#include "ewi_water_inflow.h"

enum {
    ewi_shallow_water_bed_variables = EWI_BED_VARIABLES,
    ewi_shallow_water_bed_fields = 0,
    ewi_shallow_water_bed_media = 0
};
#define EWI_HAS_DIFFUSION_shallow_water_bed 0
#define EWI_HAS_SUBCELLS_shallow_water_bed 2 /* limiter/subcell_bed.h */
#define EWI_INFO_shallow_water_bed                                                                                 \
    .name = "shallow-water-bed", .description = "shallow water over a bed: shallow-water with law.bed",            \
    .conserved = {"level", "h_u", "h_v", "bed", "depth"},                                                        \
    .conserved_long = {"elevation of the surface, also below dry ground",                                          \
                       "discharge per unit width, x-component",                                                    \
                       "discharge per unit width, y-component", "elevation of the bed",                            \
                       "mean depth of the element times sqrt 2, negative where it is wet all over"},               \
    .primitive = {"h", "u", "v", "bed", "surface"},                                                                \
    .primitive_long = {"depth", "velocity, x-component", "velocity, y-component", "elevation of the bed",          \
                       "elevation of the surface, or of the bed where it is dry"},                                 \
    .parameters = 4,                                                                                               \
    .parameter = {{.name = "gravity", .description = "acceleration of gravity", .value = 9.81, .above = 0.0},      \
                  {.name = "dry", .description = "depth below which velocities fade, or 0: 1e-6 of the greatest", \
                   .value = 0.0, .above = -1e-300},                                                                \
                  {.name = "bed_order", .description = "degree of the bed in an element, or 0: the order",         \
                   .value = 0.0, .above = -1e-300},                                                                \
                  {.name = "manning", .description = "Manning's n of the bed's friction", .value = 0.0,             \
                   .above = -1e-300}}
#define EWI_OPERATIONS_shallow_water_bed 31, 15, 0
#define EWI_FLUXES_shallow_water_bed(X) X(shallow_water_bed, llf, 56)
#define EWI_POSITIVE_FLUXES_shallow_water_bed(X)
#define EWI_GHOSTS_shallow_water_bed(X)                                                                        \
    X(shallow_water_bed, state) X(shallow_water_bed, copy) X(shallow_water_bed, mirror)                            \
    X(shallow_water_bed, tangential) X(shallow_water_bed, far) X(shallow_water_bed, discharge)                     \
    X(shallow_water_bed, level) X(shallow_water_bed, symmetry)
#define EWI_VALUES_shallow_water_bed(X) \
    X(shallow_water_bed, discharge, {"discharge", "discharge per length of the boundary", 1, 0, "be at least 0"})

/* Positivity is the pass that settles elements (kernels/bed_settle.h), not that of other laws. */
enum {
    ewi_shallow_water_bed_thinnest = 0,
    ewi_shallow_water_bed_thin = 0,
    ewi_shallow_water_bed_jump_count = 2,
    ewi_shallow_water_bed_pressure_jump = 0
};

/* A point of an element: depth over its own bed, velocity. */
struct ewi_bed_point {
    ewi_v surface, h, vx, vy;
};

/* 1/h where h is at least `dry`, finite below, and 0 where there is no water. */
EW_HD ewi_v ewi_bed_inverse(const double *parameter, ewi_v h)
{
    ewi_v zero = ewi_set(0.0), larger = ewi_max(h, ewi_set(parameter[EWI_BED_DRY]));
    ewi_v inverse = (ewi_set(2.0) * h) / ewi_fma(h, h, larger * larger);
    return ewi_select(ewi_gt(h, zero), inverse, zero);
}

/* m/h: by the point's own depth in a wet element, otherwise by the element's. */
EW_HD struct ewi_bed_point ewi_bed_point(const double *parameter, const ewi_v *u)
{
    struct ewi_bed_point w;
    ewi_v zero = ewi_set(0.0), mean = u[EWI_BED_DEPTH] * ewi_set(1.0 / EWI_BED_SQRT2);
    ewi_mask wet = ewi_gt(zero, mean), partly = ewi_gt(mean, zero);
    ewi_v h = ewi_max(u[EWI_BED_SURFACE] - u[EWI_BED_BED], zero), inverse = ewi_bed_inverse(parameter, h);
    ewi_v vx = ewi_select(partly, u[EWI_BED_X] / mean, zero), vy = ewi_select(partly, u[EWI_BED_Y] / mean, zero);
    ewi_mask dry = ewi_gt(ewi_set(1.0), ewi_select(ewi_or(wet, partly), ewi_set(1.0), zero));
    w.surface = ewi_select(dry, ewi_set(EWI_BED_NO_SURFACE), u[EWI_BED_SURFACE]);
    w.h = ewi_select(dry, zero, h);
    w.vx = ewi_select(wet, u[EWI_BED_X] * inverse, vx);
    w.vy = ewi_select(wet, u[EWI_BED_Y] * inverse, vy);
    return w;
}

EW_HD ewi_v ewi_bed_celerity(const double *parameter, ewi_v h)
{
    return ewi_root(ewi_set(parameter[EWI_BED_GRAVITY]) * h);
}

/* Returns how far a velocity may be from the mean one in a wet element of mean depth `depth`. */
EW_HD ewi_v ewi_bed_deviation_bound(const double *parameter, ewi_v depth)
{
    return ewi_set(2.0) * ewi_bed_celerity(parameter, depth);
}

/* k of the friction -k m of water of depth h, at least `dry`, and |velocity| `speed`: g n^2 speed/h^(4/3). */
EW_HD ewi_v ewi_bed_friction(const double *parameter, ewi_v h, ewi_v speed)
{
    ewi_v depth = ewi_max(h, ewi_set(parameter[EWI_BED_DRY])), root = depth;
    for (int lane = 0; lane < EWI_LANES; lane++)
        root = ewi_set_lane(root, lane, ewi_cbrt(ewi_lane(depth, lane)));
    double n = parameter[EWI_BED_MANNING];
    return (ewi_set(parameter[EWI_BED_GRAVITY] * (n * n)) * speed) / (depth * root);
}

/* The flux at an edge point: mass, the momentum it carries, and P_right - P_left of the reconstructed depths. */
struct ewi_bed_exchange {
    ewi_v mass, x, y, push;
};

/* P_right - P_left of depths over the sill; exactly 0 at equal surfaces, without the large pressures. */
EW_HD ewi_v ewi_bed_push(const double *parameter, ewi_v left, ewi_v right)
{
    return ewi_set(0.5 * parameter[EWI_BED_GRAVITY]) * ((right - left) * (right + left));
}

/*
 * Local Lax-Friedrichs by the depths over the higher bed, `sill`. At equal surfaces all numbers are exactly 0, and no
 * large pressure is ever formed.
 */
EW_HD struct ewi_bed_exchange ewi_bed_llf(const double *parameter, const struct ewi_bed_point *l,
                                          const struct ewi_bed_point *r, ewi_v sill, ewi_v nx, ewi_v ny, ewi_v length)
{
    struct ewi_bed_exchange f;
    ewi_v zero = ewi_set(0.0), hl = ewi_max(l->surface - sill, zero), hr = ewi_max(r->surface - sill, zero);
    ewi_v vl = ewi_fma(l->vx, nx, l->vy * ny), vr = ewi_fma(r->vx, nx, r->vy * ny);
    ewi_v sl = ewi_fma(ewi_bed_celerity(parameter, hl), length, ewi_abs(vl));
    ewi_v sr = ewi_fma(ewi_bed_celerity(parameter, hr), length, ewi_abs(vr));
    ewi_v s = ewi_max(ewi_select(ewi_gt(hl, zero), sl, zero), ewi_select(ewi_gt(hr, zero), sr, zero));
    ewi_v xl = hl * l->vx, xr = hr * r->vx, yl = hl * l->vy, yr = hr * r->vy;
    f.mass = ewi_fma(s, hl - hr, ewi_fma(hl, vl, hr * vr));
    f.x = ewi_fma(s, xl - xr, ewi_fma(xl, vl, xr * vr));
    f.y = ewi_fma(s, yl - yr, ewi_fma(yl, vl, yr * vr));
    f.push = ewi_bed_push(parameter, hl, hr);
    return f;
}

/*
 * No edge point gives more in a step than its bucket holds: `left` and `right`, per length of step. A receiver gets
 * momentum only with its mass.
 */
EW_HD void ewi_bed_cap(const double *parameter, ewi_v left, ewi_v right, struct ewi_bed_exchange *f)
{
    ewi_v gives = f->mass * ewi_set(parameter[EWI_STEP_PARAMETER]);
    ewi_v share = ewi_part(ewi_gt(gives, left), left, gives) * ewi_part(ewi_gt(-gives, right), right, -gives);
    f->mass = share * f->mass;
    f->x = share * f->x;
    f->y = share * f->y;
}

/* ---- for limiters by jumps, between elements that are wet all over ---- */

/* frame: the mean's velocity */
EW_HD void ewi_shallow_water_bed_frame(const double *parameter, const ewi_v *mean, ewi_v *frame)
{
    ewi_v inverse = ewi_bed_inverse(parameter, mean[EWI_BED_SURFACE] - mean[EWI_BED_BED]);
    frame[0] = mean[EWI_BED_X] * inverse;
    frame[1] = mean[EWI_BED_Y] * inverse;
    frame[2] = ewi_set(0.0);
}

/* jumps: |d| of the surface and of the discharge, relative to the frame. */
EW_HD void ewi_shallow_water_bed_jumps(const ewi_v *frame, const ewi_v *d, ewi_v *z)
{
    ewi_v h = d[EWI_BED_SURFACE] - d[EWI_BED_BED];
    ewi_v x = ewi_fma(-frame[0], h, d[EWI_BED_X]), y = ewi_fma(-frame[1], h, d[EWI_BED_Y]);
    z[0] = ewi_abs(d[EWI_BED_SURFACE]);
    z[1] = ewi_root(ewi_fma(x, x, y * y));
}

/* jump_scales: as without a bed (physics/shallow_water.h). */
EW_HD void ewi_shallow_water_bed_jump_scales(const double *parameter, const ewi_v *mean, const ewi_v *z, ewi_v *scale)
{
    ewi_v h = ewi_max(mean[EWI_BED_SURFACE] - mean[EWI_BED_BED], ewi_set(parameter[EWI_BED_DRY]));
    ewi_v inverse = ewi_inverse(h), c = ewi_bed_celerity(parameter, h), beta = ewi_fma(z[1], inverse, c);
    scale[0] = beta * inverse;
    scale[1] = scale[0] * ewi_inverse(c);
}

/* ---- for output and boundaries, at points ---- */

EW_HD void ewi_shallow_water_bed_flux_pair(const double *parameter, const ewi_v *field, const ewi_v *ul,
                                           const ewi_v *ur, ewi_v nx, ewi_v ny, ewi_v length, ewi_v *sum, ewi_v *speed)
{
    (void)field;
    struct ewi_bed_point l = ewi_bed_point(parameter, ul), r = ewi_bed_point(parameter, ur);
    ewi_v vl = ewi_fma(l.vx, nx, l.vy * ny), vr = ewi_fma(r.vx, nx, r.vy * ny);
    ewi_v ml = l.h * vl, mr = r.h * vr, p = ewi_set(0.5 * parameter[EWI_BED_GRAVITY]) * ewi_fma(l.h, l.h, r.h * r.h);
    sum[EWI_BED_SURFACE] = ml + mr;
    sum[EWI_BED_X] = ewi_fma(ml, l.vx, ewi_fma(mr, r.vx, p * nx));
    sum[EWI_BED_Y] = ewi_fma(ml, l.vy, ewi_fma(mr, r.vy, p * ny));
    sum[EWI_BED_BED] = ewi_set(0.0);
    sum[EWI_BED_DEPTH] = ewi_set(EWI_BED_SQRT2) * (ml + mr);
    *speed = ewi_max(ewi_fma(ewi_bed_celerity(parameter, l.h), length, ewi_abs(vl)),
                     ewi_fma(ewi_bed_celerity(parameter, r.h), length, ewi_abs(vr)));
}

/* The left side's flux, with its own pressure. */
EW_HD void ewi_shallow_water_bed_flux_llf(const double *parameter, const ewi_v *field, const ewi_v *ul,
                                          const ewi_v *ur, ewi_v nx, ewi_v ny, ewi_v length, ewi_v *flux)
{
    (void)field;
    struct ewi_bed_point l = ewi_bed_point(parameter, ul), r = ewi_bed_point(parameter, ur);
    ewi_v sill = ewi_max(ul[EWI_BED_BED], ur[EWI_BED_BED]);
    struct ewi_bed_exchange f = ewi_bed_llf(parameter, &l, &r, sill, nx, ny, length);
    ewi_v push = ewi_fma(ewi_set(parameter[EWI_BED_GRAVITY]), l.h * l.h, f.push);
    flux[EWI_BED_SURFACE] = f.mass;
    flux[EWI_BED_X] = ewi_fma(push, nx, f.x);
    flux[EWI_BED_Y] = ewi_fma(push, ny, f.y);
    flux[EWI_BED_BED] = ewi_set(0.0);
    flux[EWI_BED_DEPTH] = ewi_set(EWI_BED_SQRT2) * f.mass;
}

/* |v| + c of an element's mean; 0 where it is dry; NaN where a discharge is not finite. */
EW_HD ewi_v ewi_shallow_water_bed_speed(const double *parameter, const ewi_v *u, ewi_v bound)
{
    (void)bound;
    ewi_v depth = ewi_abs(u[EWI_BED_DEPTH]) * ewi_set(1.0 / EWI_BED_SQRT2);
    ewi_v discharge = ewi_root(ewi_fma(u[EWI_BED_X], u[EWI_BED_X], u[EWI_BED_Y] * u[EWI_BED_Y]));
    return ewi_fma(discharge, ewi_bed_inverse(parameter, depth), ewi_bed_celerity(parameter, depth));
}

EW_HD ewi_mask ewi_shallow_water_bed_admissible(const double *parameter, const ewi_v *u)
{
    (void)parameter;
    ewi_v sum = ewi_set(0.0);
    for (int m = 0; m < ewi_shallow_water_bed_variables; m++)
        sum = sum + ewi_abs(u[m]);
    return ewi_gt(ewi_set(__builtin_inf()), sum);
}

/* A given state as that of a wet element; a negative depth is not admissible. */
EW_HD void ewi_shallow_water_bed_conserved(const double *parameter, const ewi_v *w, ewi_v *u)
{
    (void)parameter;
    ewi_v zero = ewi_set(0.0);
    ewi_mask by_surface = ewi_gt(ewi_set(0.5 * EWI_BED_BY_SURFACE), w[0]), negative = ewi_gt(zero, w[0]);
    ewi_v surface = ewi_select(by_surface, w[4], ewi_select(negative, zero / zero, w[0] + w[3]));
    ewi_v h = ewi_max(surface - w[3], zero);
    u[EWI_BED_SURFACE] = surface;
    u[EWI_BED_X] = h * w[1];
    u[EWI_BED_Y] = h * w[2];
    u[EWI_BED_BED] = w[3];
    u[EWI_BED_DEPTH] = ewi_set(-EWI_BED_SQRT2) * h;
}

/*
 * Limits velocities as the scheme does at its own points (limit_velocity of kernels/bed_settle.h). Between these the
 * depth of a wet element may all but vanish. Where the limit is not exceeded, u keeps its bits.
 */
EW_HD void ewi_shallow_water_bed_limit_point(const double *parameter, const ewi_v *mean, ewi_v *u)
{
    ewi_v zero = ewi_set(0.0);
    ewi_v depth = ewi_max(mean[EWI_BED_SURFACE] - mean[EWI_BED_BED], zero), inverse = ewi_bed_inverse(parameter, depth);
    ewi_v vx = mean[EWI_BED_X] * inverse, vy = mean[EWI_BED_Y] * inverse;
    ewi_v h = ewi_max(u[EWI_BED_SURFACE] - u[EWI_BED_BED], zero);
    ewi_v x = ewi_fma(-vx, h, u[EWI_BED_X]), y = ewi_fma(-vy, h, u[EWI_BED_Y]);
    ewi_v room = ewi_bed_deviation_bound(parameter, depth) * h, size = ewi_root(ewi_fma(x, x, y * y));
    ewi_mask limits = ewi_and(ewi_gt(zero, u[EWI_BED_DEPTH]), ewi_gt(size, room));
    ewi_v share = ewi_part(limits, room, size);
    u[EWI_BED_X] = ewi_select(limits, ewi_fma(share, x, vx * h), u[EWI_BED_X]);
    u[EWI_BED_Y] = ewi_select(limits, ewi_fma(share, y, vy * h), u[EWI_BED_Y]);
}

EW_HD void ewi_shallow_water_bed_primitive(const double *parameter, const ewi_v *u, ewi_v *w)
{
    struct ewi_bed_point here = ewi_bed_point(parameter, u);
    ewi_mask wet = ewi_gt(here.h, ewi_set(0.0));
    w[0] = here.h;
    w[1] = ewi_select(wet, here.vx, ewi_set(0.0));
    w[2] = ewi_select(wet, here.vy, ewi_set(0.0));
    w[3] = u[EWI_BED_BED];
    w[4] = ewi_select(wet, u[EWI_BED_SURFACE], u[EWI_BED_BED]);
}

EW_HD void ewi_shallow_water_bed_rest(double *w)
{
    w[0] = 1.0;
    w[1] = w[2] = w[3] = 0.0;
    w[4] = 1.0;
}

#define EWI_OUTPUTS_shallow_water_bed(X)                                             \
    X(shallow_water_bed, speed, "speed of the flow")                                 \
    X(shallow_water_bed, celerity, "speed of long waves, sqrt(g h)")                 \
    X(shallow_water_bed, froude, "Froude number; 0 where it is dry")                 \
    X(shallow_water_bed, head, "head: surface + (u^2 + v^2)/(2 g)")                  \
    X(shallow_water_bed, slope, "magnitude of the surface's gradient; 0 where it is dry")

#define EWI_BED_OUTPUT(name)                                                                                  \
    EW_HD ewi_v ewi_shallow_water_bed_output_##name(const double *parameter, const ewi_v *u, const ewi_v *ux, \
                                                    const ewi_v *uy)

EWI_BED_OUTPUT(speed)
{
    (void)ux, (void)uy;
    ewi_v w[5];
    ewi_shallow_water_bed_primitive(parameter, u, w);
    return ewi_root(ewi_fma(w[1], w[1], w[2] * w[2]));
}

EWI_BED_OUTPUT(celerity)
{
    (void)ux, (void)uy;
    return ewi_bed_celerity(parameter, ewi_bed_point(parameter, u).h);
}

EWI_BED_OUTPUT(froude)
{
    ewi_v c = ewi_shallow_water_bed_output_celerity(parameter, u, ux, uy);
    ewi_mask wet = ewi_gt(c, ewi_set(0.0));
    return ewi_select(wet, ewi_shallow_water_bed_output_speed(parameter, u, ux, uy) / c, ewi_set(0.0));
}

EWI_BED_OUTPUT(head)
{
    ewi_v w[5], speed = ewi_shallow_water_bed_output_speed(parameter, u, ux, uy);
    ewi_shallow_water_bed_primitive(parameter, u, w);
    return ewi_fma(speed * speed, ewi_set(0.5 / parameter[EWI_BED_GRAVITY]), w[4]);
}

EWI_BED_OUTPUT(slope)
{
    ewi_mask wet = ewi_gt(ewi_bed_point(parameter, u).h, ewi_set(0.0));
    return ewi_select(wet, ewi_root(ewi_fma(ux[0], ux[0], uy[0] * uy[0])), ewi_set(0.0));
}

/* ---- ghosts, which all stand on the inner element's bed ---- */

EW_HD void ewi_shallow_water_bed_ghost_mirror(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                              ewi_v ny, ewi_v *g)
{
    (void)parameter, (void)given;
    ewi_reflect(ewi_shallow_water_bed_variables, EWI_BED_X, -2.0, u, nx, ny, g);
}

EW_HD void ewi_shallow_water_bed_ghost_tangential(const double *parameter, const ewi_v *u, const ewi_v *given,
                                                  ewi_v nx, ewi_v ny, ewi_v *g)
{
    (void)parameter, (void)given;
    ewi_reflect(ewi_shallow_water_bed_variables, EWI_BED_X, -1.0, u, nx, ny, g);
}

EW_HD void ewi_shallow_water_bed_ghost_symmetry(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                                ewi_v ny, ewi_v *g)
{
    ewi_shallow_water_bed_ghost_mirror(parameter, u, given, nx, ny, g);
}

/* A given state over the inner bed: its surface and its velocity. */
EW_HD struct ewi_bed_point ewi_bed_given(const double *parameter, const ewi_v *given, ewi_v bed)
{
    struct ewi_bed_point w = ewi_bed_point(parameter, given);
    w.surface = given[EWI_BED_SURFACE];
    w.h = ewi_max(w.surface - bed, ewi_set(0.0));
    return w;
}

EW_HD void ewi_bed_wet_state(struct ewi_bed_point w, ewi_v bed, ewi_v *g)
{
    g[EWI_BED_SURFACE] = w.surface;
    g[EWI_BED_X] = w.h * w.vx;
    g[EWI_BED_Y] = w.h * w.vy;
    g[EWI_BED_BED] = bed;
    g[EWI_BED_DEPTH] = ewi_set(-EWI_BED_SQRT2) * w.h;
}

/*
 * As without a bed (physics/shallow_water.h): the invariants u.n + 2c from inside and u.n - 2c from the given state. A
 * dry inner point has no invariant, and takes the given state.
 */
EW_HD void ewi_shallow_water_bed_ghost_far(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                           ewi_v ny, ewi_v *g)
{
    const ewi_v zero = ewi_set(0.0), half = ewi_set(0.5), two = ewi_set(2.0), bed = u[EWI_BED_BED];
    struct ewi_bed_point inner = ewi_bed_point(parameter, u), outer = ewi_bed_given(parameter, given, bed), w;
    ewi_v ci = ewi_bed_celerity(parameter, inner.h), co = ewi_bed_celerity(parameter, outer.h);
    ewi_v vi = ewi_fma(inner.vx, nx, inner.vy * ny), vo = ewi_fma(outer.vx, nx, outer.vy * ny);
    ewi_v outgoing = ewi_fma(two, ci, vi);
    ewi_v incoming = ewi_min(ewi_fma(-two, co, vo), ewi_set(-1.0 / 3.0) * outgoing);
    ewi_v v = half * (outgoing + incoming), c = ewi_set(0.25) * (outgoing - incoming);
    ewi_mask leaves = ewi_gt(v, zero), out = ewi_gt(vi, ci);
    ewi_mask in = ewi_or(ewi_gt(-vi, ci), ewi_gt(ewi_set(1.0), ewi_select(ewi_gt(inner.h, zero), ewi_set(1.0), zero)));
    ewi_v jump = v - ewi_select(leaves, vi, vo);
    w.h = (c * c) / ewi_set(parameter[EWI_BED_GRAVITY]);
    w.surface = bed + w.h;
    w.vx = ewi_fma(jump, nx, ewi_select(leaves, inner.vx, outer.vx));
    w.vy = ewi_fma(jump, ny, ewi_select(leaves, inner.vy, outer.vy));
    ewi_v behind[5];
    ewi_bed_wet_state(w, bed, g);
    ewi_bed_wet_state(outer, bed, behind);
    for (int m = 0; m < 5; m++)
        g[m] = ewi_select(out, u[m], ewi_select(in, behind[m], g[m]));
}

/* Returns the invariant u.n + 2c of the water at a point, or 0 at a dry point. */
EW_HD ewi_v ewi_bed_outgoing(const double *parameter, const struct ewi_bed_point *w, ewi_v nx, ewi_v ny)
{
    ewi_v outgoing = ewi_fma(ewi_set(2.0), ewi_bed_celerity(parameter, w->h), ewi_fma(w->vx, nx, w->vy * ny));
    return ewi_select(ewi_gt(w->h, ewi_set(0.0)), outgoing, ewi_set(0.0));
}

/*
 * The given surface, and the invariant u.n + 2c from inside. Water enters along the normal, at most critically; it
 * leaves with its tangential velocity. A supercritical outflow stays as it is; where the surface is too low for a
 * subcritical one, the outflow is critical, and the invariant is 3c.
 */
EW_HD void ewi_shallow_water_bed_ghost_level(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                             ewi_v ny, ewi_v *g)
{
    const ewi_v zero = ewi_set(0.0), bed = u[EWI_BED_BED];
    struct ewi_bed_point inner = ewi_bed_point(parameter, u), w;
    ewi_v outgoing = ewi_bed_outgoing(parameter, &inner, nx, ny), critical = ewi_set(1.0 / 3.0) * outgoing;
    ewi_v normal = ewi_fma(inner.vx, nx, inner.vy * ny), h = ewi_max(given[EWI_BED_SURFACE] - bed, zero);
    ewi_v c = ewi_bed_celerity(parameter, h);
    ewi_mask low = ewi_gt(critical, c);
    ewi_mask fast = ewi_and(ewi_gt(inner.h, zero), ewi_gt(normal, ewi_bed_celerity(parameter, inner.h)));
    c = ewi_select(low, critical, c);
    w.h = ewi_select(low, (c * c) / ewi_set(parameter[EWI_BED_GRAVITY]), h);
    w.surface = ewi_select(low, bed + w.h, given[EWI_BED_SURFACE]);
    ewi_v v = ewi_max(ewi_fma(ewi_set(-2.0), c, outgoing), -c), jump = v - normal;
    ewi_mask leaves = ewi_gt(v, zero);
    w.vx = ewi_select(leaves, ewi_fma(jump, nx, inner.vx), v * nx);
    w.vy = ewi_select(leaves, ewi_fma(jump, ny, inner.vy), v * ny);
    ewi_bed_wet_state(w, bed, g);
    for (int m = 0; m < 5; m++)
        g[m] = ewi_select(fast, u[m], g[m]);
}

/*
 * given = (q), against the normal; as without a bed (physics/shallow_water.h). The inflow is at most critical, and at
 * least `dry` deep, so that its velocity is finite. A dry point with q = 0 stays dry.
 */
EW_HD void ewi_shallow_water_bed_ghost_discharge(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,
                                                 ewi_v ny, ewi_v *g)
{
    const ewi_v zero = ewi_set(0.0), bed = u[EWI_BED_BED], q = given[0];
    struct ewi_bed_point inner = ewi_bed_point(parameter, u);
    ewi_v shallow = ewi_max(ewi_set(1e-3) * inner.h, ewi_set(parameter[EWI_BED_DRY]));
    ewi_v least = ewi_larger(ewi_inflow_critical(parameter[EWI_BED_GRAVITY], q), ewi_bed_celerity(parameter, shallow));
    ewi_v outgoing = ewi_bed_outgoing(parameter, &inner, nx, ny);
    ewi_v c = ewi_inflow_celerity(parameter[EWI_BED_GRAVITY], q, outgoing, least);
    ewi_v h = (c * c) / ewi_set(parameter[EWI_BED_GRAVITY]);
    h = ewi_select(ewi_or(ewi_gt(q, zero), ewi_gt(inner.h, zero)), h, zero);
    g[EWI_BED_SURFACE] = bed + h;
    g[EWI_BED_X] = -(q * nx);
    g[EWI_BED_Y] = -(q * ny);
    g[EWI_BED_BED] = bed;
    g[EWI_BED_DEPTH] = ewi_set(-EWI_BED_SQRT2) * h;
}

EW_HD ewi_mask ewi_shallow_water_bed_valid_discharge(const double *parameter, const ewi_v *given, ewi_v nx, ewi_v ny)
{
    (void)parameter, (void)nx, (void)ny;
    return ewi_gt(given[0], ewi_set(-1e-300));
}

/* As deep as a critical flow. */
EW_HD void ewi_shallow_water_bed_scale_discharge(const double *parameter, const ewi_v *given, ewi_v *u)
{
    ewi_v c = ewi_inflow_critical(parameter[EWI_BED_GRAVITY], given[0]);
    u[EWI_BED_SURFACE] = (c * c) / ewi_set(parameter[EWI_BED_GRAVITY]);
    u[EWI_BED_X] = given[0];
    u[EWI_BED_Y] = u[EWI_BED_BED] = ewi_set(0.0);
    u[EWI_BED_DEPTH] = ewi_set(-EWI_BED_SQRT2) * u[EWI_BED_SURFACE];
}

#endif
