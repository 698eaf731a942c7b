/* SPDX-License-Identifier: BSD-2-Clause */
/* Inflows of water of a given discharge q per length of a boundary. gravity: the acceleration of gravity. */
#ifndef EWI_WATER_INFLOW_H
#define EWI_WATER_INFLOW_H

#include "ewi_limiting.h"
#include "ewi_math.h"

/* The celerity of a critical flow, c^3 = g q. */
EW_HD ewi_v ewi_inflow_critical(double gravity, ewi_v q)
{
    ewi_v c = q;
    for (int lane = 0; lane < EWI_LANES; lane++)
        c = ewi_set_lane(c, lane, ewi_cbrt(gravity * ewi_lane(q, lane)));
    return c;
}

/*
 * The celerity, at least `least`, which must be positive, of an inflow that meets the invariant u.n + 2c `outgoing`:
 * with q = v h and h = c^2/g it gives 2c - g q/c^2 = outgoing. Newton's method starts below the root, where it
 * converges from one side; after six steps it has the root to rounding.
 */
EW_HD ewi_v ewi_inflow_celerity(double gravity, ewi_v q, ewi_v outgoing, ewi_v least)
{
    enum { STEPS = 6 };
    ewi_v c = ewi_larger(least, ewi_set(0.5) * outgoing), flow = ewi_set(gravity) * q;
    for (int step = 0; step < STEPS; step++) {
        ewi_v velocity = flow / (c * c), slope = ewi_fma(ewi_set(2.0), velocity / c, ewi_set(2.0));
        c = c + ((outgoing + velocity) - ewi_set(2.0) * c) / slope;
    }
    return ewi_larger(least, c);
}

#endif
