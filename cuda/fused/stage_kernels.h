/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of one law and one order: stages with what they fuse, and what runs between them. */
#if EWI_HAS_DIFFUSION
/*
 * Runs one of two compiled copies of the stage. That for constant viscosity has no branch at the points, so the
 * compiler can interleave them: 10 to 20 % less time.
 */
EWI_DEVICE void EWI_K(specialized_stage)(struct EWI_K(context) *ctx)
{
    double constant[EW_MAX_PARAMETERS];
    if (EWI_L(simplify)(ctx->parameter, constant)) {
        struct EWI_K(context) specialized = *ctx;
        specialized.parameter = constant;
        EWI_K(stage)(&specialized);
    } else {
        EWI_K(stage)(ctx);
    }
}
#else
EWI_DEVICE void EWI_K(specialized_stage)(struct EWI_K(context) *ctx) { EWI_K(stage)(ctx); }
#endif

#define EWI_STAGE(name, flux_number, settings)                                    \
    EWI_DEVICE void EWI_K(name)(const struct ewi_cuda_stage *call, int64_t block) \
    {                                                                             \
        struct EWI_K(context) ctx = EWI_K(context_of)(call, block);               \
        ctx.flux = flux_number;                                                   \
        ctx.prefetch = EWI_PREFETCH;                                              \
        settings;                                                                 \
        EWI_K(specialized_stage)(&ctx);                                           \
    }

#define EWI_STAGE_KERNEL(law, flux, operations)                \
    EWI_STAGE(stage_##flux, EWI_FLUX_##flux, ctx.positive = 0) \
    EWI_FUSED_KERNEL(EWI_JOIN4(stage_, EWI_LAW, _, flux), stage, EWI_K(stage_##flux), EWI_FUSED_HELD(EWI_VARIANT))
EWI_JOIN2(EWI_FLUXES_, EWI_LAW)(EWI_STAGE_KERNEL)

/*
 * Kernels of their own for plain steps, which have no exchange with other parts, levels of time steps, touched edges
 * or ghosts that replace traces, and from order 2 on have eval_ghosts find ghosts: all of that costs registers, 5
 * (order 2) and 10 % (order 3) of the time.
 */
#if !EWI_HAS_DIFFUSION
#define EWI_PLAIN_STAGE_KERNEL(law, flux, operations)                                             \
    EWI_STAGE(plain_stage_##flux, EWI_FLUX_##flux, ctx.plain = 1)                                 \
    EWI_FUSED_KERNEL(EWI_JOIN4(plain_stage_, EWI_LAW, _, flux), stage, EWI_K(plain_stage_##flux), \
                     EWI_FUSED_HELD(EWI_VARIANT))
EWI_JOIN2(EWI_FLUXES_, EWI_LAW)(EWI_PLAIN_STAGE_KERNEL)
#endif

/* Kernels of their own, so that only runs with positivity pay for its registers. */
#define EWI_POSITIVE_STAGE_KERNEL(law, flux, operations)                                            \
    EWI_STAGE(positive_stage_##flux, EWI_FLUX_##flux, ctx.positive = 1)                             \
    EWI_FUSED_KERNEL(EWI_JOIN4(positive_stage_, EWI_LAW, _, flux), stage, EWI_K(positive_stage_##flux), \
                     EWI_FUSED_HELD(EWI_VARIANT))
EWI_JOIN2(EWI_POSITIVE_FLUXES_, EWI_LAW)(EWI_POSITIVE_STAGE_KERNEL)

#include "ghosts.h"
#include "state_speed.h"
#include "limit_kernels.h"
#include "subcell_kernels.h"
#include "outflow_kernel.h"
#include "level_kernels.h"
#include "limiter_pass.h"

#define EWI_EACH_LIMITER_FILE "limiter_stages.h"
#include "kernels/each_limiter.h"

#include "kernels/end.h"
