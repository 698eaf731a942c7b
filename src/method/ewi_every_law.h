/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The list of all laws: those of ewi_law_list.h, whose kernels share modules, in the same order, and behind them laws
 * whose kernels are modules of their own, with bodies of their own.
 */
#ifndef EWI_EVERY_LAW_H
#define EWI_EVERY_LAW_H

#ifndef EWI_LAWS /* tests/laws has a list of its own */
#define EWI_LAWS(X) X(euler) X(navier_stokes) X(advection) X(shallow_water) X(maxwell_tm) X(acoustics) \
    X(acoustics_media) X(maxwell_tm_media) X(shallow_water_bed)
/* X(law, the law that takes its place in problems that give its medium by a field) */
#define EWI_LAWS_WITH_MEDIA(X) X(acoustics, acoustics_media) X(maxwell_tm, maxwell_tm_media)
#else
#define EWI_LAWS_WITH_MEDIA(X)
#endif
#include "ewi_law_list.h"

#endif
