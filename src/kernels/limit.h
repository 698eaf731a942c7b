/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All limiters of ewi_limiters.h, which says for which orders each one is, and when it acts. `jump_sensor` works on
 * slots s .. s + EWI_LANES - 1 of inner edges, `limit` in place on elements i .. i + EWI_LANES - 1.
 */
#include "ewi_limiters.h"

#ifndef EWI_KERNELS_LIMIT_H
#define EWI_KERNELS_LIMIT_H
#define EWI_LIMITER_COMMA(limiter, ...) limiter,
#define EWI_LIMITER_ONE(...) +1
#define EWI_LIMITERS_ARE (0 EWI_LIMITERS(EWI_LIMITER_ONE))
#define EWI_LIMITER_FILE EWI_QUOTED(limiter/EWI_LIMITER.h)
#endif

#define EWI_LIMITER EWI_PICK(EWI_FIRST, EWI_LIMITERS(EWI_LIMITER_COMMA))
#include EWI_LIMITER_FILE
#undef EWI_LIMITER
#if EWI_LIMITERS_ARE > 1
#define EWI_LIMITER EWI_PICK(EWI_SECOND, EWI_LIMITERS(EWI_LIMITER_COMMA))
#include EWI_LIMITER_FILE
#undef EWI_LIMITER
#endif
#if EWI_LIMITERS_ARE > 2
#define EWI_LIMITER EWI_PICK(EWI_THIRD, EWI_LIMITERS(EWI_LIMITER_COMMA))
#include EWI_LIMITER_FILE
#undef EWI_LIMITER
#endif
#if EWI_LIMITERS_ARE > 3
#define EWI_LIMITER EWI_PICK(EWI_FOURTH, EWI_LIMITERS(EWI_LIMITER_COMMA))
#include EWI_LIMITER_FILE
#undef EWI_LIMITER
#endif
#if EWI_LIMITERS_ARE > 4
#error "add EWI_FIFTH here"
#endif
