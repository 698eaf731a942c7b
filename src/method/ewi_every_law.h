/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The list of all laws: those of ewi_law_list.h, whose kernels share modules, in the same order, and behind them laws
 * whose kernels are modules of their own, with bodies of their own.
 */
#ifndef EWI_EVERY_LAW_H
#define EWI_EVERY_LAW_H

#ifndef EWI_LAWS /* tests/laws has a list of its own */
#define EWI_LAWS(X) X(euler) X(advection) X(shallow_water) X(maxwell_tm) X(acoustics) X(shallow_water_bed)
#endif
#include "ewi_law_list.h"

#endif
