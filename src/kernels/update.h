/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The new state of one row of EWI_LANES elements at `offset`, from its right-hand side (ewi_scheme.h has the formula).
 */
#ifndef EWI_KERNELS_UPDATE_H
#define EWI_KERNELS_UPDATE_H

#include "ewi_arguments.h"
#include "ewi_lanes.h"

EW_HD ewi_v ewi_updated(const struct ewi_update *u, int terms, int64_t offset, ewi_v rhs)
{
    ewi_v base = ewi_load(u->base + offset);
    if (u->keep)
        ewi_store(u->keep + offset, rhs);
    if (terms > 0) {
        ewi_v difference = ewi_set(0.0);
        for (int k = 0; k < terms; k++)
            difference = ewi_fma(ewi_set(u->weight[k]), ewi_load(u->term[k] + offset) - base, difference);
        if (u->kept)
            difference = ewi_fma(ewi_set(u->kept_step), ewi_load(u->kept + offset), difference);
        base = base + difference;
    }
    return ewi_fma(ewi_set(u->step), rhs, base);
}

#endif
