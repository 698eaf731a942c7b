/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HLLC for the Euler equations (Toro, Spruce and Speares 1994; Toro, "Riemann Solvers and Numerical Methods for Fluid
 * Dynamics", sections 10.4 to 10.6) with Toro's wave speeds: S_L = u_L - c_L q_L, S_R = u_R + c_R q_R, q = 1 behind a
 * rarefaction and sqrt(1 + (gamma+1)/(2 gamma) (ps/p - 1)) behind a shock, ps the pressure estimate of the
 * primitive-variable solver. That estimate is too low for two strong shocks, and a wall that is hit faster than Mach
 * 1.8 would let mass through; so the speeds are besides bounded by those of the Roe average (Einfeldt et al. 1991).
 * Shocks get the shear viscosity of HLL, which keeps them stable.
 * physics/euler.h includes this file.
 */
#ifndef EWI_FLUX_HLLC_H
#define EWI_FLUX_HLLC_H

#include "ewi_lanes.h"

/* The flux F_K.n + S_K (U*_K - U_K) of one side; v is the velocity along the unit normal (ex, ey). */
EW_HD void ewi_hllc_side(const ewi_v *u, ewi_v p, ewi_v v, ewi_v s, ewi_v star, ewi_v ex, ewi_v ey, ewi_mask outside,
                         ewi_v *f)
{
    ewi_v factor = (s - v) / (s - star); /* rho*_K / rho_K */
    ewi_v push = (u[0] * factor) * (star - v);
    ewi_v energy = ewi_fma(push, star, (p * factor) * ((star - v) / (s - v)));
    ewi_v add[4] = {ewi_fma(u[0], factor, -u[0]), ewi_fma(push, ex, ewi_fma(u[1], factor, -u[1])),
                    ewi_fma(push, ey, ewi_fma(u[2], factor, -u[2])), energy + ewi_fma(u[3], factor, -u[3])};
    ewi_v plain[4] = {u[0] * v, ewi_fma(u[1], v, p * ex), ewi_fma(u[2], v, p * ey), (u[3] + p) * v};
    for (int m = 0; m < 4; m++)
        f[m] = ewi_select(outside, plain[m], ewi_fma(s, add[m], plain[m]));
}

EW_HD ewi_v ewi_hllc_q(ewi_v star, ewi_v p, ewi_v factor)
{
    ewi_v shock = ewi_root(ewi_fma(factor, star / p - ewi_set(1.0), ewi_set(1.0)));
    return ewi_select(ewi_gt(star, p), shock, ewi_set(1.0));
}

/*
 * The shear viscosity of HLL where pressures jump, 0 elsewhere: `stress` is added to the flux of momentum along
 * (-ey, ex), and its work to that of energy. Without it, edges across a strong shock let disturbances grow along
 * its front (the carbuncle: Quirk 1994). Shear viscosity alone is enough (Shen, Yan and Yuan 2016), and changes no flow
 * along the normal. Its share grows from 0 to 1 where the pressures differ by 0.5 to 2 per cent of the lower one, since
 * such edges have small jumps at first. Contacts, shear layers and resolved flow have smaller ones. The viscosity is
 * that of the thinner gas, whose pressure a larger one would not keep positive.
 */
EW_HD void ewi_hllc_shear(const struct ewi_euler_point *l, const struct ewi_euler_point *r, ewi_v thinner, ewi_v sl,
                          ewi_v sr, ewi_v ex, ewi_v ey, ewi_v *stress, ewi_v *work)
{
    const ewi_v zero = ewi_set(0.0), one = ewi_set(1.0);
    *stress = *work = zero;
    ewi_v lower = ewi_smaller(l->p, r->p), jump = ewi_abs(l->p - r->p), begin = ewi_set(0.005) * lower;
    ewi_mask keep = ewi_gt(begin, jump);
    if (__builtin_expect(ewi_all(keep), 1))
        return;
    ewi_v share = ewi_smaller(one, ewi_larger(zero, (jump - begin) / (ewi_set(0.015) * lower)));
    ewi_v left = ewi_smaller(sl, zero), right = ewi_larger(sr, zero);
    ewi_v viscosity = ((share + share) * thinner) * ((left * right) / (right - left)); /* twice, and not positive */
    ewi_v tl = ewi_fma(l->vy, ex, -(l->vx * ey)), tr = ewi_fma(r->vy, ex, -(r->vx * ey));
    ewi_v t = viscosity * (tr - tl);
    *stress = ewi_select(keep, zero, t);
    *work = ewi_select(keep, zero, (t * ewi_set(0.5)) * (tl + tr));
}

EW_HD void ewi_euler_flux_hllc(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur, ewi_v nx,
                               ewi_v ny, ewi_v length, ewi_v *flux)
{
    (void)field;
    const ewi_v half = ewi_set(0.5), zero = ewi_set(0.0);
    struct ewi_euler_point wl, wr;
    ewi_v il, ir;
    ewi_euler_points(parameter, ul, ur, &wl, &wr, &il, &ir);
    ewi_v inverse_length = ewi_set(1.0) / length, ex = nx * inverse_length, ey = ny * inverse_length;
    ewi_v vl = ewi_fma(wl.vx, ex, wl.vy * ey), vr = ewi_fma(wr.vx, ex, wr.vy * ey);
    ewi_v cl = ewi_euler_sound(parameter, wl.p, il), cr = ewi_euler_sound(parameter, wr.p, ir);

    ewi_v rho_c = (ewi_set(0.25) * (ul[0] + ur[0])) * (cl + cr);
    ewi_v pressure = ewi_max(zero, ewi_fma(rho_c, vl - vr, wl.p + wr.p) * half);
    ewi_v factor = ewi_set((parameter[0] + 1.0) / (2.0 * parameter[0]));
    ewi_v sl = ewi_fma(-cl, ewi_hllc_q(pressure, wl.p, factor), vl);
    ewi_v sr = ewi_fma(cr, ewi_hllc_q(pressure, wr.p, factor), vr);

    ewi_v rl = ewi_root(ul[0]), rr = ewi_root(ur[0]), weight = rl / (rl + rr);
    ewi_v hl = (ul[3] + wl.p) * il, hr = (ur[3] + wr.p) * ir, h = ewi_fma(weight, hl - hr, hr);
    ewi_v vx = ewi_fma(weight, wl.vx - wr.vx, wr.vx), vy = ewi_fma(weight, wl.vy - wr.vy, wr.vy);
    ewi_v v = ewi_fma(vx, ex, vy * ey), square = ewi_fma(vx, vx, vy * vy);
    ewi_v c = ewi_root(ewi_larger(zero, ewi_set(parameter[0] - 1.0) * ewi_fma(-half, square, h)));
    sl = ewi_min(sl, v - c);
    sr = ewi_max(sr, v + c);
    ewi_v stress, work;
    ewi_hllc_shear(&wl, &wr, ewi_smaller(ul[0], ur[0]), sl, sr, ex, ey, &stress, &work);

    ewi_v ml = ul[0] * (sl - vl), mr = ur[0] * (sr - vr); /* mass through the outer waves */
    ewi_v star = ((wr.p - wl.p) + ewi_fma(ml, vl, -(mr * vr))) / (ml - mr);
    ewi_v fl[4], fr[4];
    ewi_hllc_side(ul, wl.p, vl, sl, star, ex, ey, ewi_gt(sl, zero), fl);
    ewi_hllc_side(ur, wr.p, vr, sr, star, ex, ey, ewi_gt(zero, sr), fr);
    ewi_mask left = ewi_gt(star, zero);
    for (int m = 0; m < 4; m++)
        flux[m] = (ewi_set(2.0) * length) * ewi_select(left, fl[m], fr[m]);
    flux[1] = ewi_fma(-stress, ny, flux[1]);
    flux[2] = ewi_fma(stress, nx, flux[2]);
    flux[3] = ewi_fma(work, length, flux[3]);
    ewi_euler_guard(parameter, ul, ur, wl.p, wr.p, nx, ny, length, flux);
}

#endif
