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
    if (!ewi_cuda_enter(&call->head, block, 1) || i >= call->a.padded ||
        (call->kind && call->kind[i / EWI_TILE] != EWI_LEVEL_PLAIN))
        return;
    struct ewi_update update = call->update;
    struct ewi_arguments a = call->a;
    double step = ewi_cuda_step_of(&call->steps, call->head.clock, i);
    a.parameter[EWI_STEP_PARAMETER] = step;
    update.step = update.step * step;
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
    double step = ewi_cuda_step_of(&call->steps, call->head.clock, i);
    EWI_K(damp_wet)(EWI_LIMITER_oscillation_free, &call->a, call->sensor, step, call->target, i);
    if (call->positive)
        EWI_K(make_target_positive)(call, i);
}
EWI_LIST_KERNEL(EWI_JOIN2(EWI_NAME(limit_c), _oscillation_free), limit, EWI_K(limit))

#include "ewi_bed_room.h"
#define EWI_STATES_FROM_RATES
#include "level_kernels.h"

/* For an interface element, or for its view. */
EWI_DEVICE void EWI_K(set_room)(const struct ewi_cuda_couple *call, const double *state, int64_t i, int k, double left)
{
    int sides = 0;
    for (int side = 0; side < 3; side++)
        sides |= (call->a.side_slot[side * call->a.padded + i] != 2 * call->none) << side;
    double water = EWI_K(water_at_sides)(state + EWI_K(place)(call->a.width, i), call->a.width, sides);
    call->room[i] = ewi_bed_room_scale(call->levels, k) * ewi_bed_room(left, water);
}

/* n: number of an interface element among these alone */
EWI_DEVICE void EWI_K(find_room)(const struct ewi_cuda_couple *call, int64_t n)
{
    if (n >= call->elements)
        return;
    int k = EWI_K(level_of)(call, n);
    const struct ewi_cuda_level *level = &call->level[k];
    const struct ewi_coupled of = EWI_K(coupled_of)(call, k);
    int64_t own = n + level->own - level->coupled, view = n + level->view - level->coupled;
    int64_t at = ewi_layout_base(EWI_TILE, EWI_ROWS, n), depth = at + EWI_BED_DEPTH * EWI_NP * EWI_TILE;
    if (call->begins) {
        double water = ewi_abs(of.view_base[depth]), for_own = EWI_BED_OWN_SHARE * water;
        EWI_K(set_room)(call, call->base, own, k, for_own);
        EWI_K(set_room)(call, call->base, view, k - 1, water - for_own);
        return;
    }
    if (of.steps && call->coupling.stage < call->coupling.stages)
        EWI_K(set_room)(call, call->target, own, k, EWI_BED_OWN_SHARE * ewi_abs(of.base[depth]));
    EWI_K(set_room)(call, call->target, view, k - 1, ewi_bed_left_for_view(&call->coupling, &of, at, depth));
}

EWI_DEVICE void EWI_K(rooms)(const struct ewi_cuda_couple *call, int64_t block)
{
    if (!ewi_cuda_enter(&call->head, block, 0))
        return;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        EWI_K(find_room)(call, block * EWI_CUDA_BLOCK + ewi_thread(mine));
}
EWI_KERNEL(EWI_NAME(find_rooms), couple, EWI_K(rooms))

#include "kernels/end.h"
