/* SPDX-License-Identifier: BSD-2-Clause */
/* Harten's entropy fix: |lambda| below delta is replaced by (lambda^2 + delta^2)/(2 delta). */
#ifndef EWI_FLUX_ENTROPY_FIX_H
#define EWI_FLUX_ENTROPY_FIX_H

#include "ewi_lanes.h"

EW_HD ewi_v ewi_roe_entropy_fix(ewi_v lambda, ewi_v delta)
{
    ewi_v size = ewi_abs(lambda);
    return ewi_select(ewi_gt(delta, size), ewi_fma(lambda, lambda, delta * delta) / (ewi_set(2.0) * delta), size);
}

#endif
