/* SPDX-License-Identifier: BSD-2-Clause */
/* The paper's kernels of one law and one order: a thread per element or per edge around the shared bodies. */
#include "kernels/begin.h"

#include "kernels/rows.h"
#include "kernels/trace.h"
#include "kernels/media.h"
#include "kernels/wall.h"
#include "kernels/boundary_states.h"
#include "kernels/diffusion.h"
#include "kernels/touched.h"
#include "kernels/eval_volume.h"
#include "kernels/eval_outflow.h"
#include "kernels/eval_surface.h"
#include "kernels/eval_source.h"
#include "kernels/eval_rhs.h"
#include "kernels/positive.h"
#include "kernels/step_rate.h"
#include "kernels/eval_means.h"
#include "kernels/limit.h"

#define EWI_NAME(kernel) EWI_JOIN3(kernel, _, EWI_LAW)

#include "element_kernels.h"
/* The number of a ghost differs between warps only where two boundaries meet. */
EWI_DEVICE void EWI_K(surface)(int flux, const struct ewi_cuda_integrals *call, int64_t block, int64_t s)
{
    if (!ewi_cuda_enter(&call->head, block, 1) || s >= call->slots)
        return;
    struct ewi_arguments a = call->a;
    a.flux = flux;
    int ghost = s < call->boundary_slots ? call->ghost[s / EWI_TILE] : -1;
    EWI_K(eval_surface)(&a, call->state, ghost, call->rhs_surface, call->rhs_surface + call->right_offset, s);
}

#define EWI_SURFACE_KERNEL(law, flux, operations)                                                          \
    EWI_DEVICE void EWI_K(surface_##flux)(const struct ewi_cuda_integrals *call, int64_t block, int64_t i) \
    {                                                                                                      \
        EWI_K(surface)(EWI_FLUX_##flux, call, block, i);                                                   \
    }                                                                                                      \
    EWI_LIST_KERNEL(EWI_JOIN4(eval_surface_, EWI_LAW, _, flux), integrals, EWI_K(surface_##flux))
EWI_JOIN2(EWI_FLUXES_, EWI_LAW)(EWI_SURFACE_KERNEL)

EWI_DEVICE void EWI_K(update_rows)(int terms, const struct ewi_cuda_update *call, const struct ewi_update *update,
                                   int64_t base)
{
    for (int row = 0; row < EWI_ROWS; row++) {
        int64_t offset = base + row * call->a.width;
        call->target[offset] = ewi_updated(update, terms, offset, call->rhs[offset]);
    }
}

/* A stage's new state, whose means must be admissible: all threads that find one that is not write the same. */
EWI_DEVICE void EWI_K(update)(const struct ewi_cuda_update *call, int64_t block, int64_t i)
{
    if (!ewi_cuda_enter(&call->head, block, 1))
        return;
    struct ewi_update update = call->update;
    if (i >= call->a.padded || (call->kind && call->kind[i / EWI_TILE] != EWI_LEVEL_PLAIN))
        return;
    double step = ewi_cuda_step_of(&call->steps, call->head.clock, i);
    update.step = update.step * step;
    update.kept_step = update.kept_step * step;
    int64_t base = ewi_layout_base(call->a.width, EWI_ROWS, i);
    switch (update.terms) { /* a number that the compiler knows keeps the update in registers */
    case 0: EWI_K(update_rows)(0, call, &update, base); break;
    case 1: EWI_K(update_rows)(1, call, &update, base); break;
    case 2: EWI_K(update_rows)(2, call, &update, base); break;
    case 3: EWI_K(update_rows)(3, call, &update, base); break;
    }
    if (i < call->elements && !EWI_K(eval_admissible)(&call->a, call->target, i))
        ewi_cuda_break_off(&call->head);
}
EWI_LIST_KERNEL(EWI_NAME(update), update, EWI_K(update))

#include "limit_kernels.h"
#include "subcell_kernels.h"
#include "outflow_kernel.h"
#include "level_kernels.h"

/* Limits an element. */
EWI_DEVICE void EWI_K(limit_element)(int limiter, const struct ewi_cuda_limit *call, int64_t i)
{
    EWI_K(limit_elements)(limiter, &call->a, call->target, i);
}

#define EWI_EACH_LIMITER_FILE "limiter_kernels.h"
#include "kernels/each_limiter.h"

#include "kernels/end.h"
