/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Roe's flux for the Euler equations (Roe 1981; Toro, "Riemann Solvers and Numerical Methods for Fluid Dynamics", ch.
 * 11), with Harten's entropy fix on the acoustic waves: |lambda| below delta = 0.2 c is replaced by (lambda^2 +
 * delta^2)/(2 delta). All velocities and speeds along the normal are scaled by the edge's length. physics/euler.h
 * includes this file.
 */
#ifndef EWI_FLUX_ROE_H
#define EWI_FLUX_ROE_H

#include "flux/entropy_fix.h"

EW_HD void ewi_euler_flux_roe(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur, ewi_v nx,
                              ewi_v ny, ewi_v length, ewi_v *flux)
{
    (void)field;
    const ewi_v half = ewi_set(0.5), one = ewi_set(1.0), less = ewi_set(parameter[0] - 1.0);
    struct ewi_euler_point wl, wr;
    ewi_v il, ir;
    ewi_euler_points(parameter, ul, ur, &wl, &wr, &il, &ir);
    ewi_v inverse_length = one / length, ex = nx * inverse_length, ey = ny * inverse_length;

    /* Roe's averages, weighted by the square roots of the densities */
    ewi_v sl = ewi_root(ul[0]), sr = ewi_root(ur[0]), weight = sl / (sl + sr), rho = sl * sr;
    ewi_v hl = (ul[3] + wl.p) * il, hr = (ur[3] + wr.p) * ir;
    ewi_v vx = ewi_fma(weight, wl.vx - wr.vx, wr.vx), vy = ewi_fma(weight, wl.vy - wr.vy, wr.vy);
    ewi_v h = ewi_fma(weight, hl - hr, hr), square = ewi_fma(vx, vx, vy * vy);
    ewi_v c2 = less * ewi_fma(-half, square, h), c = ewi_root(c2), vn = ewi_fma(vx, ex, vy * ey);

    ewi_v drho = ur[0] - ul[0], dp = wr.p - wl.p, dvx = wr.vx - wl.vx, dvy = wr.vy - wl.vy;
    ewi_v dvn = ewi_fma(dvx, ex, dvy * ey), inverse_c2 = one / c2;
    ewi_v delta = ewi_set(0.2) * c;
    ewi_v minus = ewi_roe_entropy_fix(vn - c, delta), plus = ewi_roe_entropy_fix(vn + c, delta), middle = ewi_abs(vn);
    ewi_v rho_c_dvn = (rho * c) * dvn;
    ewi_v a1 = minus * ((half * (dp - rho_c_dvn)) * inverse_c2), a4 = plus * ((half * (dp + rho_c_dvn)) * inverse_c2);
    ewi_v a2 = middle * ewi_fma(-dp, inverse_c2, drho), a3 = middle * rho;
    ewi_v tx = ewi_fma(-dvn, ex, dvx), ty = ewi_fma(-dvn, ey, dvy); /* the jump's shear part */

    ewi_v d[4];
    d[0] = (a1 + a4) + a2;
    d[1] = ewi_fma(a1, ewi_fma(-c, ex, vx), ewi_fma(a4, ewi_fma(c, ex, vx), ewi_fma(a2, vx, a3 * tx)));
    d[2] = ewi_fma(a1, ewi_fma(-c, ey, vy), ewi_fma(a4, ewi_fma(c, ey, vy), ewi_fma(a2, vy, a3 * ty)));
    d[3] = ewi_fma(a1, ewi_fma(-c, vn, h),
                   ewi_fma(a4, ewi_fma(c, vn, h), ewi_fma(a2, half * square, a3 * ewi_fma(vx, tx, vy * ty))));

    ewi_v vl = ewi_fma(wl.vx, nx, wl.vy * ny), vr = ewi_fma(wr.vx, nx, wr.vy * ny), p = wl.p + wr.p;
    flux[0] = ewi_fma(-length, d[0], ewi_fma(ul[0], vl, ur[0] * vr));
    flux[1] = ewi_fma(-length, d[1], ewi_fma(ul[1], vl, ewi_fma(ur[1], vr, p * nx)));
    flux[2] = ewi_fma(-length, d[2], ewi_fma(ul[2], vl, ewi_fma(ur[2], vr, p * ny)));
    flux[3] = ewi_fma(-length, d[3], ewi_fma(ul[3] + wl.p, vl, (ur[3] + wr.p) * vr));
    ewi_euler_guard(parameter, ul, ur, wl.p, wr.p, nx, ny, length, flux);
}

#endif
