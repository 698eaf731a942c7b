/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The paper's kernels of one order, EWI_ORDER, for the law shallow_water_bed: a module, with its tables in constant
 * memory, as edgewise.cu is for the other laws. A thread per element or per edge.
 */
#define EWI_SOLO
#include "ewi_cuda_threads.h"
#include "tables/order.h"
#include "tables/volumes_order.h"
#include "tables/bed_order.h"
#undef EWI_LAWS /* of tests */
#define EWI_LAWS(X) X(shallow_water_bed)
#include "kernels/begin.h"
#include "kernels/update.h"

#include "constants.h"
EWI_CONSTANT double table_PROJECT[] = EWI_JOIN3(EWI_P, EWI_ORDER, _PROJECT);
EWI_CONSTANT double table_BUCKET[] = EWI_JOIN3(EWI_P, EWI_ORDER, _BUCKET);
EWI_CONSTANT double table_SIDE_SHARE[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE_SHARE);
#if EWI_ORDER <= EWI_SUBCELL_ORDERS
EWI_CONSTANT double table_CV_AREA[] = EWI_JOIN3(EWI_P, EWI_ORDER, _CV_AREA);
EWI_CONSTANT double table_FACE_PHI[] = EWI_JOIN3(EWI_P, EWI_ORDER, _FACE_PHI);
#endif

#define EWI_MODULE EWI_JOIN2(bed_p, EWI_ORDER)
#define EWI_LAW shallow_water_bed
#define EWI_NAME(kernel) EWI_JOIN3(kernel, _, EWI_LAW)
#include "kernels/bed.h"
#include "element_kernels.h"
#include "limit_kernels.h"
#include "subcell_kernels.h"

EWI_DEVICE void EWI_K(surface)(const struct ewi_cuda_integrals *call, int64_t block, int64_t s)
{
    if (!ewi_cuda_enter(&call->head, block, 1) || s >= call->slots)
        return;
    struct ewi_arguments a = call->a;
    a.parameter[EWI_STEP_PARAMETER] = call->head.stage > 0 ? call->head.clock->step : 0.0;
    int ghost = s < call->boundary_slots ? call->ghost[s / EWI_TILE] : -1;
    EWI_K(eval_surface)(&a, call->state, ghost, call->rhs_surface, call->rhs_surface + call->right_offset, s);
}
EWI_LIST_KERNEL(EWI_JOIN2(EWI_NAME(eval_surface), _llf), integrals, EWI_K(surface))

/* A stage's new state, whose means must be admissible: all threads that find one that is not write the same. */
EWI_DEVICE void EWI_K(update)(const struct ewi_cuda_update *call, int64_t block, int64_t i)
{
    if (!ewi_cuda_enter(&call->head, block, 1) || i >= call->a.padded)
        return;
    struct ewi_update update = call->update;
    struct ewi_arguments a = call->a;
    a.parameter[EWI_STEP_PARAMETER] = call->head.clock->step;
    update.step = update.step * call->head.clock->step;
    EWI_K(update_elements)(&a, &update, call->rhs, call->target, i);
    if (i < call->elements && !EWI_K(eval_admissible)(&call->a, call->target, i))
        ewi_cuda_break_off(&call->head);
}
EWI_LIST_KERNEL(EWI_NAME(update), update, EWI_K(update))

EWI_DEVICE void EWI_K(sense_jumps)(const struct ewi_cuda_limit *call, int64_t block, int64_t s)
{
    if (!ewi_cuda_enter(&call->head, block, 0) || s >= call->slots)
        return;
    double *at = call->sensor + ewi_layout_base(EWI_TILE, 2, s);
    if (s < call->boundary_slots)
        at[0] = at[EWI_TILE] = 0.0;
    else
        EWI_K(sense_wet)(EWI_LIMITER_oscillation_free, &call->a, call->state, call->sensor, s);
}
EWI_LIST_KERNEL(EWI_JOIN2(EWI_NAME(jump_sensor), _oscillation_free), limit, EWI_K(sense_jumps))

EWI_DEVICE void EWI_K(limit)(const struct ewi_cuda_limit *call, int64_t block, int64_t i)
{
    if (!ewi_cuda_enter(&call->head, block, 0) || i >= call->a.padded)
        return;
    EWI_K(damp_wet)(EWI_LIMITER_oscillation_free, &call->a, call->sensor, call->head.clock->step, call->target, i);
    if (call->positive)
        EWI_K(make_target_positive)(call, i);
}
EWI_LIST_KERNEL(EWI_JOIN2(EWI_NAME(limit_c), _oscillation_free), limit, EWI_K(limit))

#include "kernels/end.h"
