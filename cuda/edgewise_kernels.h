/* SPDX-License-Identifier: BSD-2-Clause */
/* The paper's kernels of one law and one order: a thread per element or per edge around the shared bodies. */
#include "kernels/begin.h"

#include "kernels/eval_volume.h"
#include "kernels/eval_surface.h"
#include "kernels/eval_rhs.h"
#include "kernels/eval_means.h"
#include "kernels/limit.h"

#define EWI_NAME(kernel) EWI_JOIN3(kernel, _, EWI_LAW)

EWI_KERNEL(EWI_NAME(eval_volume))
{
    EWI_BEGIN;
    if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 1))
        EWI_EACH_ITEM(i)
            if (i < call.a.padded)
                EWI_K(eval_volume)(&call.a, call.state, call.rhs_volume, i);
}

/* One kernel per numerical flux; the number of a ghost differs between warps only where two boundaries meet. */
#define EWI_SURFACE_KERNEL(law, flux_, operations)                                                                          \
    EWI_KERNEL(EWI_JOIN4(eval_surface_, law, _, flux_))                                                                    \
    {                                                                                                                       \
        EWI_BEGIN;                                                                                                          \
        if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 1))                                                                        \
            EWI_EACH_ITEM(s)                                                                                      \
                if (s < call.slots) {                                                                                       \
                    struct ewi_arguments a = call.a;                                                                        \
                    a.flux = EWI_FLUX_##flux_;                                                                              \
                    int ghost = s < call.boundary_slots ? call.ghost[s / EWI_TILE] : -1;                                    \
                    EWI_K(eval_surface)(&a, call.state, ghost, call.rhs_surface, call.rhs_surface + call.right_offset, s);  \
                }                                                                                                           \
    }
EWI_JOIN2(EWI_FLUXES_, EWI_LAW)(EWI_SURFACE_KERNEL)

EWI_KERNEL(EWI_NAME(eval_rhs))
{
    EWI_BEGIN;
    if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 1))
        EWI_EACH_ITEM(i)
            if (i < call.a.padded)
                EWI_K(eval_rhs)(&call.a, call.rhs_volume, call.rhs_surface, call.right_offset, call.rhs, i);
}

/* A stage's new state, whose means must be admissible: all threads that find one that is not write the same. */
#define EWI_UPDATE_ROWS(number)                                                                 \
    case number:                                                                                \
        for (int row = 0; row < EWI_ROWS; row++) {                                              \
            int64_t offset = base + row * call.a.width;                                         \
            call.target[offset] = ewi_updated(&update, number, offset, call.rhs[offset]);       \
        }                                                                                       \
        break;
EWI_KERNEL(EWI_NAME(update))
{
    EWI_BEGIN;
    if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 1)) {
        struct ewi_update update = call.update;
        update.step = update.step * call.clock->step;
        update.kept_step = update.kept_step * call.clock->step;
        EWI_EACH_ITEM(i)
            if (i < call.a.padded) {
                int64_t base = ewi_layout_base(call.a.width, EWI_ROWS, i);
                switch (update.terms) { /* a number that the compiler knows keeps the update in registers */
                    EWI_UPDATE_ROWS(0)
                    EWI_UPDATE_ROWS(1)
                    EWI_UPDATE_ROWS(2)
                    EWI_UPDATE_ROWS(3)
                }
                if (i < call.elements && !EWI_K(eval_admissible)(&call.a, call.target, i))
                    call.clock->stage = call.stage;
            }
    }
}

EWI_DEVICE double EWI_K(speed_in)(const struct ewi_cuda_call *call, int64_t i)
{
    return EWI_K(eval_speed)(&call->a, call->state, i);
}
EWI_SPEED_KERNEL(EWI_NAME(eval_speed), EWI_K(speed_in))

#if EWI_ORDER == 1
EWI_KERNEL(EWI_NAME(limit_c))
{
    EWI_BEGIN;
    if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 0))
        EWI_EACH_ITEM(i)
            if (i < call.a.padded)
                EWI_K(limit_barth_jespersen)(&call.a, call.target, i);
}
#endif

#undef EWI_SURFACE_KERNEL
#undef EWI_UPDATE_ROWS
#undef EWI_NAME
#include "kernels/end.h"
