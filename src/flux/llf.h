/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Local Lax-Friedrichs (Rusanov), for any law: F_n = (F(ul) + F(ur)).n / 2 - lambda/2 (ur - ul), lambda the larger of
 * the two states' |u.n| + c at the point. A law gives F(ul).n + F(ur).n and lambda by its flux_pair.
 */
#ifndef EWI_FLUX_LLF_H
#define EWI_FLUX_LLF_H

#include "ewi_lanes.h"

#define EWI_DEFINE_LLF(law, VARIABLES)                                                                             \
    EW_HD void ewi_##law##_flux_llf(const double *parameter, const ewi_v *field, const ewi_v *ul, const ewi_v *ur, \
                                    ewi_v nx,                                                                      \
                                    ewi_v ny, ewi_v length, ewi_v *flux)                                           \
    {                                                                                                              \
        ewi_v sum[VARIABLES], speed;                                                                               \
        ewi_##law##_flux_pair(parameter, field, ul, ur, nx, ny, length, sum, &speed);                              \
        for (int m = 0; m < VARIABLES; m++)                                                                        \
            flux[m] = ewi_fma(speed, ul[m] - ur[m], sum[m]);                                                       \
    }

#endif
