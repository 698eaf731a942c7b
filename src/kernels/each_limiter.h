/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Includes EWI_EACH_LIMITER_FILE once per limiter of EWI_LIMITERS, with the limiter's name as EWI_LIMITER. There, also
 * in preprocessor conditions, EWI_LIMITER_IS_BY_MEANS and EWI_LIMITER_HAS_SENSOR tell its kind, and
 * EWI_LIMITER_HAS_ORDER whether it is made for EWI_ORDER.
 */
#include "ewi_limiters.h"

#ifndef EWI_EACH_LIMITER_H
#define EWI_EACH_LIMITER_H
#define EWI_LIMITER_COMMA(limiter, ...) limiter,
#define EWI_FIRST_ORDER_COMMA(limiter, name, first, ...) first,
#define EWI_LAST_ORDER_COMMA(limiter, name, first, last, ...) last,
#define EWI_KIND_COMMA(limiter, name, first, last, kind, ...) kind,
#define EWI_LIMITER_ONE(...) +1
#define EWI_LIMITERS_ARE (0 EWI_LIMITERS(EWI_LIMITER_ONE))
#define EWI_OF_LIMITER(comma) EWI_PICK(EWI_CHOOSE_LIMITER, EWI_LIMITERS(comma))
#define EWI_LIMITER EWI_OF_LIMITER(EWI_LIMITER_COMMA)
#define EWI_BY_MEANS_EWI_LIMITER_CELL_MEANS 1
#define EWI_BY_MEANS_EWI_LIMITER_JUMP_SENSOR 0
#define EWI_BY_MEANS_EWI_LIMITER_SUBCELLS 0
#define EWI_LIMITER_IS_BY_MEANS EWI_JOIN2(EWI_BY_MEANS_, EWI_OF_LIMITER(EWI_KIND_COMMA))
#define EWI_SENSOR_EWI_LIMITER_CELL_MEANS 0
#define EWI_SENSOR_EWI_LIMITER_JUMP_SENSOR 1
#define EWI_SENSOR_EWI_LIMITER_SUBCELLS 0
#define EWI_LIMITER_HAS_SENSOR EWI_JOIN2(EWI_SENSOR_, EWI_OF_LIMITER(EWI_KIND_COMMA))
#define EWI_LIMITER_HAS_ORDER \
    (EWI_OF_LIMITER(EWI_FIRST_ORDER_COMMA) <= EWI_ORDER && EWI_ORDER <= EWI_OF_LIMITER(EWI_LAST_ORDER_COMMA))
/* For conditions: there is a limiter by cell means for EWI_ORDER. */
#define EWI_OR_BY_MEANS(limiter, name, first, last, kind, ...) \
    || (EWI_BY_MEANS_##kind && first <= EWI_ORDER && EWI_ORDER <= last)
#define EWI_LIMITS_BY_MEANS (0 EWI_LIMITERS(EWI_OR_BY_MEANS))
#endif

#define EWI_CHOOSE_LIMITER EWI_FIRST
#include EWI_EACH_LIMITER_FILE
#undef EWI_CHOOSE_LIMITER
#if EWI_LIMITERS_ARE > 1
#define EWI_CHOOSE_LIMITER EWI_SECOND
#include EWI_EACH_LIMITER_FILE
#undef EWI_CHOOSE_LIMITER
#endif
#if EWI_LIMITERS_ARE > 2
#define EWI_CHOOSE_LIMITER EWI_THIRD
#include EWI_EACH_LIMITER_FILE
#undef EWI_CHOOSE_LIMITER
#endif
#if EWI_LIMITERS_ARE > 3
#define EWI_CHOOSE_LIMITER EWI_FOURTH
#include EWI_EACH_LIMITER_FILE
#undef EWI_CHOOSE_LIMITER
#endif
#if EWI_LIMITERS_ARE > 4
#error "add EWI_FIFTH here"
#endif
#undef EWI_EACH_LIMITER_FILE
