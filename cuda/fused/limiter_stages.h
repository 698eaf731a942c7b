/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of EWI_LIMITER for one law and one order: stages that limit, and what runs between stages. */
#include "limiter_kernels.h"

#ifndef EWI_LIMITER_STAGE
#define EWI_LIMITER_STAGE(name, flux, settings)                                                          \
    EWI_STAGE(EWI_LIMITED(name##_##flux), EWI_FLUX_##flux, ctx.limiter = EWI_THIS_LIMITER; settings)     \
    EWI_FUSED_KERNEL(EWI_LIMITED(EWI_JOIN4(name##_, EWI_LAW, _, flux)), stage,                           \
                     EWI_LIMITED_K(name##_##flux), EWI_FUSED_HELD(EWI_VARIANT))
#define EWI_LIMIT_ON_LOAD_STAGE(law, flux, operations)                   \
    EWI_LIMITER_STAGE(limit_on_load_stage, flux, ctx.limits_on_load = 1; \
                      ctx.prefetch = EWI_LIMIT_ON_LOAD_PREFETCH(operations))
#define EWI_LIMITED_STAGE(law, flux, operations) \
    EWI_LIMITER_STAGE(limited_stage, flux, ctx.positive = call->positive; ctx.jump_sensor = 1)
#endif

#if EWI_LIMITER_HAS_ORDER && EWI_LIMITER_IS_BY_MEANS && !EWI_HAS_DIFFUSION
EWI_JOIN2(EWI_FLUXES_, EWI_LAW)(EWI_LIMIT_ON_LOAD_STAGE)
#endif
#if EWI_LIMITER_HAS_ORDER && EWI_LIMITER_HAS_SENSOR
EWI_JOIN2(EWI_POSITIVE_FLUXES_, EWI_LAW)(EWI_LIMITED_STAGE)
#endif
