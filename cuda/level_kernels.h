/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Levels of time steps (ewi_level_plan.h) for one law and one order, in both sets.
 *  couple        a thread block per tile
 *  try_states    a thread per element and basis function; eight elements side by side are one tile
 *  spread_means  a thread per element
 */
#include "kernels/couple.h"

EWI_DEVICE int64_t EWI_K(element_of_item)(int64_t item)
{
    return item / (EWI_TILE * EWI_NP) * EWI_TILE + item % EWI_TILE;
}

EWI_DEVICE int EWI_K(basis_of_item)(int64_t item) { return (int)(item / EWI_TILE % EWI_NP); }

/* The level of an interface element, by its number among these alone. */
EWI_DEVICE int EWI_K(level_of)(const struct ewi_cuda_couple *call, int64_t coupled)
{
    int k = 1;
    while (k < call->highest && coupled >= call->level[k + 1].coupled)
        k++;
    return k;
}

/* Pointers are as if all arrays began with the elements of `level`, where those of interface elements alone have it. */
EWI_DEVICE struct ewi_coupled EWI_K(coupled_of)(const struct ewi_cuda_couple *call, int k)
{
    const struct ewi_cuda_level *level = &call->level[k];
    double macro = call->head.clock->step;
    int64_t own = (int64_t)(level->own - level->coupled) * EWI_ROWS,
            view = (int64_t)(level->view - level->coupled) * EWI_ROWS,
            sum = (int64_t)(level->sum - level->coupled) * EWI_ROWS;
    struct ewi_coupled of;
    of.steps = k <= call->top;
    of.before = of.steps ? 0.0 : 1.0;
    of.own_step = macro * ewi_cuda_halved(call->levels - 1 - k);
    of.view_step = macro * ewi_cuda_halved(call->levels - k);
    of.own = call->rhs + own;
    of.of_view = call->rhs + view;
    of.of_sum = call->rhs + sum;
    of.k = call->k;
    of.sum = call->sum;
    of.q = call->q;
    of.slope = call->slope;
    of.base = call->base + own;
    of.source = call->source + own;
    of.view_base = call->base + view;
    of.target = call->target + own;
    of.view_target = call->target + view;
    of.own_rate = call->room ? call->rhs + own : NULL;
    of.view_rate = call->room ? call->rhs + view : NULL;
    return of;
}

EWI_DEVICE int EWI_K(mean_is_admissible)(const struct ewi_cuda_couple *call, const double *state, int64_t place)
{
    double mean[EWI_M];
    EWI_NO_UNROLL for (int m = 0; m < EWI_M; m++)
        mean[m] = EWI_SQRT2 * state[EWI_K(at)(call->a.width, place, m, 0)];
    return EWI_L(admissible)(call->a.parameter, mean);
}

#ifdef EWI_STATES_FROM_RATES
/* New states from mean rates: the first threads have an interface element each, the next ones a view. */
EWI_DEVICE void EWI_K(update_coupled)(const struct ewi_cuda_couple *call, int k, int64_t block, int thread)
{
    const struct ewi_cuda_level *level = &call->level[k];
    int is_view = thread >= EWI_TILE;
    if (thread >= 2 * EWI_TILE || (!is_view && (k > call->top || call->coupling.stage == call->coupling.stages)))
        return;
    int64_t i = block * EWI_TILE + thread % EWI_TILE + (is_view ? level->view : level->own) - level->coupled;
    double step = call->head.clock->step * ewi_cuda_halved(call->levels - (is_view ? k : k + 1));
    struct ewi_arguments a = call->a;
    struct ewi_update update = {.step = call->coupling.share * step, .base = call->base, .terms = 1,
                                .term = {call->source}};
    a.parameter[EWI_STEP_PARAMETER] = step;
    EWI_K(update_elements)(&a, &update, call->rhs, call->target, i);
}
#endif

/* One thread block per tile: the kernel waits for instructions and memory more than it computes. */
EWI_DEVICE void EWI_K(couple)(const struct ewi_cuda_couple *call, int64_t block)
{
    enum { NUMBERS = EWI_TILE * EWI_ROWS };
    EWI_SHARED int inadmissible;
    ewi_await_previous();
    ewi_next_may_begin();
    if (!ewi_cuda_enter(&call->head, block, 1))
        return;
    const int level = EWI_K(level_of)(call, block * EWI_TILE);
    const struct ewi_coupled of = EWI_K(coupled_of)(call, level);
    if (EWI_FIRST_THREAD)
        inadmissible = 0;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        EWI_NO_UNROLL for (int number = ewi_thread(mine); number < NUMBERS; number += EWI_CUDA_BLOCK)
        {
            int64_t at = block * NUMBERS + number;
            if (of.steps)
                ewi_couple_own(&call->coupling, &of, at);
            ewi_couple_view(&call->coupling, &of, at);
        }
    EWI_BARRIER;
#ifdef EWI_STATES_FROM_RATES
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        EWI_K(update_coupled)(call, level, block, ewi_thread(mine));
    EWI_BARRIER;
#else
    (void)level;
#endif
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int64_t place = EWI_K(place)(call->a.width, block * EWI_TILE + ewi_thread(mine) % EWI_TILE);
        int own = ewi_thread(mine) < EWI_TILE;
        if (ewi_thread(mine) < 2 * EWI_TILE && (of.steps || !own) &&
            !EWI_K(mean_is_admissible)(call, own ? of.target : of.view_target, place))
            inadmissible = 1;
    }
    EWI_BARRIER;
    if (inadmissible && EWI_FIRST_THREAD)
        ewi_cuda_break_off(&call->head);
    if (inadmissible || of.steps || !call->closes)
        return;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        for (int number = ewi_thread(mine); number < NUMBERS; number += EWI_CUDA_BLOCK)
            of.target[block * NUMBERS + number] = of.view_target[block * NUMBERS + number];
}
EWI_KERNEL(EWI_NAME(couple), couple, EWI_K(couple))

EWI_DEVICE void EWI_K(spread)(const struct ewi_cuda_spread *call, int64_t block, int64_t i)
{
    ewi_await_previous();
    ewi_next_may_begin();
    if (!ewi_cuda_enter(&call->head, block, 1) || i >= call->padded)
        return;
    int64_t place = EWI_K(place)(call->width, i);
    for (int m = 0; m < EWI_M; m++) {
        int64_t at = EWI_K(at)(call->width, place, m, 0);
        for (int k = 1; k < call->registers; k++)
            call->state[k][at] = call->state[0][at];
    }
}
EWI_LIST_KERNEL(EWI_NAME(spread_means), spread, EWI_K(spread))

/*
 * The first trial of a faster neighbour is u_0 + n (u_1 - u_0), with u_1 the first stage of a step 1/n as long as the
 * interface element's; the next one of a scheme without a_20 is u_0 + H a_21 R, with R the right-hand side in the first
 * one.
 */
EWI_DEVICE void EWI_K(try_state)(const struct ewi_cuda_trials *call, int64_t block, int64_t item)
{
    int64_t i = call->first + EWI_K(element_of_item)(item);
    int j = EWI_K(basis_of_item)(item);
    ewi_await_previous();
    ewi_next_may_begin();
    if (!ewi_cuda_enter(&call->head, block, 1) || i >= call->elements)
        return;
    int kind = call->kind[i / EWI_TILE], again = call->stage > 2;
    if (kind == EWI_LEVEL_VIEW || (again && (kind == EWI_LEVEL_NEAR || kind == EWI_LEVEL_NEAR_FASTER)))
        return;
    int64_t place = EWI_K(place)(call->a.width, i), original = EWI_K(place)(call->a.width, call->original[i]);
    double ratio = kind == EWI_LEVEL_NEAR_FASTER ? 4.0 : 2.0,
           step = call->head.clock->step * ewi_cuda_halved(call->levels - 1 - call->level[i / EWI_TILE]);
    for (int m = 0; m < EWI_M; m++) {
        int64_t to = EWI_K(at)(call->a.width, place, m, j), from = EWI_K(at)(call->a.width, original, m, j);
        double base = call->base[from];
        if (kind == EWI_LEVEL_SUM)
            call->state[to] = call->state[from];
#ifdef EWI_STATES_FROM_RATES
        else if (m == EWI_BED_DEPTH)
            call->state[to] = ewi_bed_tried_depth(base, call->state[from]);
#endif
        else if (again)
            call->state[to] = ewi_fma(step, call->weight * call->rhs[to], base);
        else
            call->state[to] = ratio * (call->state[from] - base) + base;
    }
}
EWI_LIST_KERNEL(EWI_NAME(try_states), trials, EWI_K(try_state))
