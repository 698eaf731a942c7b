/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels that know nothing of the order: the step's bookkeeping, boundary data that depend on t, checks and
 * measurements.
 */
#define EWI_IEEE_ARITHMETIC
#include "ewi_cuda_threads.h"
#include "ewi_basis.h"
#include "ewi_every_law.h"
#include "tables/p5.h"

#define EWI_MODULE common

/* largest[0] becomes the maximum of all blocks' partial ones. */
EWI_DEVICE void all_blocks_maximum(double *largest, const double *part, int64_t parts)
{
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int thread = ewi_thread(mine);
        double here = 0.0;
        for (int64_t k = thread; k < parts; k += EWI_CUDA_BLOCK)
            here = ewi_cuda_larger(here, part[k]);
        largest[thread] = here;
    }
    ewi_cuda_block_maximum(largest);
}

/* One block: the largest wave speed, and with it the step's length. */
EWI_DEVICE void begin_step_of(const struct ewi_cuda_reduce *call, int64_t block)
{
    EWI_SHARED double largest[EWI_CUDA_BLOCK];
    if (!ewi_cuda_enter(&call->head, block, 0))
        return;
    all_blocks_maximum(largest, call->partial, call->partials);
    if (EWI_FIRST_THREAD) {
        struct ewi_clock clock = *call->head.clock;
        if (call->head.program)
            largest[0] = ewi_cuda_faster(largest[0], call->head.device_clock->given[EWI_CUDA_GIVEN_AT_START]);
        ewi_clock_follow_speed(&clock, largest[0]);
        ewi_clock_begin(&clock);
        *call->head.clock = clock;
        if (call->head.device_clock) {
            call->head.device_clock->clock = clock;
            call->head.device_clock->due = 0;
            call->head.device_clock->limiter_pending = 0;
            for (int k = 0; k <= EWI_CUDA_GIVEN_AT_START; k++)
                call->head.device_clock->given[k] = 0;
        }
    }
}
EWI_KERNEL(begin_step, reduce, begin_step_of)

/* alpha of elements for the limiter subcell: by their own jumps, and by those of neighbours. */
EWI_DEVICE void find_own_alpha_of(const struct ewi_cuda_subcells *call, int64_t block, int64_t i)
{
    if (ewi_cuda_enter(&call->head, block, 0) && i < call->elements)
        ewi_find_own_alpha(&call->a.subcells, call->order, call->a.side_slot, call->a.padded, i);
}
EWI_LIST_KERNEL(find_own_alpha, subcells, find_own_alpha_of)

EWI_DEVICE void find_alpha_of(const struct ewi_cuda_subcells *call, int64_t block, int64_t i)
{
    const struct ewi_arguments *a = &call->a;
    if (ewi_cuda_enter(&call->head, block, 0) && i < a->padded)
        a->subcells.alpha[i] = i < call->elements ? ewi_find_alpha(&a->subcells, a->neighbour, a->padded, i) : 0.0;
}
EWI_LIST_KERNEL(find_alpha, subcells, find_alpha_of)

/* Says whether the edge in slot i is touched where the fused set looks for it. */
EWI_DEVICE void mark_touched(const struct ewi_cuda_subcells *call, int64_t i)
{
    const struct ewi_subcells *of = &call->a.subcells;
    int64_t left = call->a.left[i], right = call->a.right[i];
    of->touched_slot[call->a.left_side[i] * call->a.padded + left] = of->touched[i] ? (int32_t)i : -1;
    if (of->touched[i])
        for (int side = 0; side < 2; side++) {
            int64_t element = side ? right : left;
            if (element < call->elements)
                of->touched_block[element / of->block_elements] = 1;
        }
}

/* ---- alpha with levels of time steps ---- */

EWI_DEVICE int is_active(const struct ewi_cuda_subcells *call, int64_t i)
{
    int64_t tile = i / EWI_TILE;
    int kind = call->kind[tile], is_view = kind == EWI_LEVEL_VIEW || kind == EWI_LEVEL_GHOST_VIEW;
    return call->level[tile] - is_view <= call->top;
}

/* True if the edge in slot i is touched, by the elements' own alpha: that of views is written meanwhile. */
EWI_DEVICE int is_touched_at_instant(const struct ewi_cuda_subcells *call, int64_t i)
{
    const double *alpha = call->a.subcells.alpha;
    return alpha[call->original[call->a.left[i]]] > 0.0 || alpha[call->original[call->a.right[i]]] > 0.0;
}

/* The sides of a sum, in whose place edges have the interface element. */
EWI_DEVICE void mark_sum(const struct ewi_cuda_subcells *call, int64_t i)
{
    const struct ewi_subcells *of = &call->a.subcells;
    for (int k = 0; k < 3; k++) {
        int64_t place = k * call->a.padded + i, slot = call->a.side_slot[place] >> 1;
        if (slot >= call->slots)
            continue;
        int touched = is_touched_at_instant(call, slot);
        if (!(call->a.side_slot[place] & 1))
            of->touched_slot[place] = touched ? (int32_t)slot : -1;
        if (touched)
            of->touched_block[i / of->block_elements] = 1;
    }
}

/* Views, sums and trials get their element's alpha. */
EWI_DEVICE void list_at_instant(const struct ewi_cuda_subcells *call, int64_t i)
{
    const struct ewi_subcells *of = &call->a.subcells;
    if (i < call->a.padded && is_active(call, i)) {
        int kind = call->kind[i / EWI_TILE];
        if (kind > EWI_LEVEL_OWN)
            of->alpha[i] = of->alpha[call->original[i]];
        if (of->alpha[i] > 0.0)
            of->element[ewi_append(&of->count[0])] = (int32_t)i;
        if (kind == EWI_LEVEL_SUM && of->touched_slot)
            mark_sum(call, i);
    }
    if (i >= call->slots || !is_active(call, call->a.left[i]) || !is_active(call, call->a.right[i]))
        return;
    of->touched[i] = (uint8_t)is_touched_at_instant(call, i);
    if (of->touched[i])
        of->edge[ewi_append(&of->count[1])] = (int32_t)i;
    if (of->touched_slot)
        mark_touched(call, i);
}

/* The lists of divided elements and touched edges. Their order does not matter. */
EWI_DEVICE void list_divided_of(const struct ewi_cuda_subcells *call, int64_t block, int64_t i)
{
    const struct ewi_subcells *of = &call->a.subcells;
    if (!ewi_cuda_enter(&call->head, block, 0))
        return;
    if (call->kind) {
        list_at_instant(call, i);
        return;
    }
    if (i < call->connected && of->alpha[i] > 0.0)
        of->element[ewi_append(&of->count[0])] = (int32_t)i;
    if (i >= call->slots)
        return;
    of->touched[i] = (uint8_t)ewi_is_touched(of, call->a.left, call->a.right, i);
    if (of->touched[i])
        of->edge[ewi_append(&of->count[1])] = (int32_t)i;
    if (of->touched_slot)
        mark_touched(call, i);
}
EWI_LIST_KERNEL(list_divided, subcells, list_divided_of)

/* The state at a step's start, for its change. */
EWI_DEVICE void keep_state_of(const struct ewi_cuda_change *call, int64_t block, int64_t i)
{
    (void)block;
    for (int64_t k = i; k < call->doubles; k += call->partials * EWI_CUDA_BLOCK)
        call->before[k] = call->state[k];
}
EWI_THREAD_KERNEL(keep_state, change, keep_state_of)

/* The largest change of a coefficient in a step, of each block. */
EWI_DEVICE void eval_change_of(const struct ewi_cuda_change *call, int64_t block)
{
    EWI_SHARED double largest[EWI_CUDA_BLOCK];
    if (!ewi_cuda_enter(&call->head, block, 0))
        return;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int thread = ewi_thread(mine);
        double here = 0.0;
        for (int64_t k = block * EWI_CUDA_BLOCK + thread; k < call->doubles; k += call->partials * EWI_CUDA_BLOCK) {
            double change = ewi_abs(call->state[k] - call->before[k]);
            here = change > here ? change : here;
        }
        largest[thread] = here;
    }
    ewi_cuda_block_maximum(largest);
    if (EWI_FIRST_THREAD)
        call->partial[block] = largest[0];
}
EWI_KERNEL(eval_change, change, eval_change_of)

/* One block: time and number of steps, and whether the state is inadmissible or steady. */
EWI_DEVICE void end_step_of(const struct ewi_cuda_reduce *call, int64_t block)
{
    EWI_SHARED double largest[EWI_CUDA_BLOCK];
    if (call->head.clock->state == EWI_CLOCK_RUNNING && call->head.clock->stage > 0) {
        EWI_BARRIER; /* all threads have read the clock */
        if (EWI_FIRST_THREAD)
            call->head.clock->state = EWI_CLOCK_INADMISSIBLE;
    } else if (ewi_cuda_enter(&call->head, block, 0)) {
        all_blocks_maximum(largest, call->partial, call->partials);
        if (EWI_FIRST_THREAD) {
            struct ewi_clock clock = *call->head.clock;
            if (clock.watches_change)
                clock.change = largest[0];
            ewi_clock_end(&clock);
            *call->head.clock = clock;
        }
    }
}
EWI_KERNEL(end_step, reduce, end_step_of)

/*
 * Advances the device clock as the next step of the fused set would: before the host reads the clock, or if the end of
 * a step depends on more than its speeds.
 */
EWI_DEVICE void advance_clock_of(const struct ewi_cuda_reduce *call, int64_t block)
{
    EWI_SHARED double change[EWI_CUDA_BLOCK];
    ewi_cuda_leave_trail(&call->head, block, call->head.device_clock->clock.steps);
    all_blocks_maximum(change, call->partial, call->partials);
    if (EWI_FIRST_THREAD) {
        int32_t inadmissible = call->head.clock->stage;
        struct ewi_clock clock = ewi_cuda_advance_clock(&call->head, inadmissible, change[0]);
        if (inadmissible > 0 && clock.state == EWI_CLOCK_RUNNING) {
            clock.state = EWI_CLOCK_INADMISSIBLE;
            clock.stage = inadmissible;
        }
        *call->head.clock = call->head.device_clock->clock = clock;
        call->head.device_clock->due = 0;
        if (call->head.finalizes)
            call->head.device_clock->limiter_pending = 0;
    }
}
EWI_KERNEL(advance_clock, reduce, advance_clock_of)

/*
 * A state's tiles into `target`, which may be the same: their rows in the fused set's order (ewi_fused_row), or in
 * ewi_layout.h's.
 */
EWI_DEVICE void regroup_of(const struct ewi_cuda_regroup *call, int64_t block)
{
    EWI_SHARED double tile[EWI_TILE * EW_MAX_VARIABLES * EWI_MAX_NP];
    int doubles = EWI_TILE * call->variables * call->np;
    int64_t first = block * doubles;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        for (int x = ewi_thread(mine); x < doubles; x += EWI_CUDA_BLOCK)
            tile[x] = call->state[first + x];
    EWI_BARRIER;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        for (int x = ewi_thread(mine); x < doubles; x += EWI_CUDA_BLOCK) {
            int row = x / EWI_TILE, j = row % call->np;
            int grouped = ewi_fused_row(call->matrix, call->variables, call->np, row / call->np, j / 4, j % 4,
                                        x % EWI_TILE);
            call->target[first + (call->regroups ? grouped : x)] = tile[call->regroups ? x : grouped];
        }
}
EWI_KERNEL(regroup, regroup, regroup_of)

/* ---- levels of time steps ---- */

/* Alone on the device: the kernels of the instant before have ended, and those of this one wait. */
EWI_DEVICE void next_instant_of(const struct ewi_cuda_instants *call, int64_t block, int64_t i)
{
    (void)block;
    ewi_await_previous();
    if (i >= call->members)
        return;
    int32_t *before = &call->device_clock[i].stages_before, next = *before + call->stages;
    *before = next < call->of_macro_step ? next : 0;
}
EWI_THREAD_KERNEL(next_instant, instants, next_instant_of)

EWI_DEVICE void move_views_of(const struct ewi_cuda_views *call, int64_t block, int64_t i)
{
    int k = 1;
    ewi_await_previous();
    ewi_next_may_begin();
    if (!ewi_cuda_enter(&call->head, block, 0) || i >= (int64_t)call->elements * call->rows)
        return;
    int64_t element = i / (EWI_TILE * call->rows) * EWI_TILE;
    while (k < call->highest && element >= call->level[k + 1].coupled)
        k++;
    const struct ewi_cuda_level *level = &call->level[k];
    int64_t first = i - (int64_t)level->coupled * call->rows;
    double *own = call->state + (int64_t)level->own * call->rows + first,
           *view = call->state + (int64_t)level->view * call->rows + first;
    *(call->back ? view : own) = *(call->back ? own : view);
}
EWI_THREAD_KERNEL(move_views, views, move_views_of)

EWI_DEVICE void give_state_of(const struct ewi_cuda_give *call, int64_t block, int64_t i)
{
    int rows = call->variables * call->np;
    int64_t element = i / (EWI_TILE * rows) * EWI_TILE + i % EWI_TILE;
    int row = (int)(i / EWI_TILE % rows), j = row % call->np;
    (void)block;
    if (i >= call->doubles)
        return;
    int64_t from = call->local[element < call->elements ? element : call->elements - 1],
            tile = from / EWI_TILE * (EWI_TILE * rows);
    int e = (int)(from % EWI_TILE), grouped = ewi_fused_row(call->matrix, call->variables, call->np, row / call->np,
                                                            j / 4, j % 4, e);
    call->target[i] = call->state[tile + (call->grouped ? grouped : row * EWI_TILE + e)];
}
EWI_THREAD_KERNEL(give_state, give, give_state_of)

#include "part_kernels.h"

/* The functions that other modules' kernels use instead of these (ewi_cuda_quick.h). */
EWI_DEVICE double quick_inverse(double a)
{
#ifdef EWI_HAS_QUICK_ARITHMETIC
    return ewi_quick_inverse(a);
#else
    return ewi_inverse(a);
#endif
}

EWI_DEVICE double quick_root(double a)
{
#ifdef EWI_HAS_QUICK_ARITHMETIC
    return ewi_quick_root(a);
#else
    return ewi_root(a);
#endif
}

EWI_DEVICE double quick_part(double a, double b, int *sure)
{
#ifdef EWI_HAS_QUICK_ARITHMETIC
    return ewi_quick_part(a, b, sure);
#else
    *sure = 1;
    return a / b;
#endif
}

/*
 * How many of an operand's inverse, its root and its part of a larger number have not the bits of IEEE's division and
 * square root.
 */
EWI_DEVICE int wrong_results(double operand, double divisor)
{
    union {
        double value;
        uint64_t bits;
    } found, right;
    int wrong, sure;
    found.value = quick_inverse(operand);
    right.value = 1.0 / operand;
    wrong = found.bits != right.bits;
    found.value = quick_root(operand);
    right.value = __builtin_sqrt(operand);
    wrong += found.bits != right.bits;
    if (operand < divisor) {
        found.value = quick_part(operand, divisor, &sure);
        right.value = operand / divisor;
        wrong += sure && found.bits != right.bits;
    }
    return wrong;
}

/*
 * Each thread tries so many (`tries`) operands of all mantissas and of sizes from 2^-900 to 2^900, and counts wrong
 * results.
 */
EWI_DEVICE void check_arithmetic_of(const struct ewi_cuda_check *call, int64_t block, int64_t i)
{
    uint64_t random = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u + (uint64_t)call->first;
    double different = 0.0;
    if (!ewi_cuda_enter(&call->head, block, 0))
        return;
    for (int64_t k = 0; k < call->tries; k++) {
        union {
            uint64_t bits;
            double value;
        } a, b;
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        uint64_t mantissa = random & 0xfffffffffffffu, few = random >> 40 & 0xff;
        mantissa = k % 8 == 0 ? few : k % 8 == 1 ? 0xfffffffffffffu - few : mantissa; /* the ends of the range, too */
        a.bits = (uint64_t)(1023 - 900 + (int64_t)(random >> 33) % 1801) << 52 | mantissa;
        if (k == 0) /* what has a rule of its own */
            a.value = i % 4 == 0 ? 0.0 : i % 4 == 1 ? -0.0 : i % 4 == 2 ? __builtin_inf() : 1.0;
        uint64_t divisor = k % 8 == 0 ? 0xfffffffffffffu - few : random * 0x2545f4914f6cdd1du >> 12;
        b.bits = ((a.bits & 0x7ff0000000000000u) + ((random >> 20 & 63) << 52)) | divisor;
        different += wrong_results(a.value, b.value);
    }
    call->partial[i] = different;
}
EWI_THREAD_KERNEL(check_arithmetic, check, check_arithmetic_of)

/* How fast the device multiplies and adds: partial[0] becomes the number of a thread's operations, an fma being two. */
EWI_DEVICE void measure_fma_of(const struct ewi_cuda_check *call, int64_t block, int64_t i)
{
    double chain[8], factor = 0.999999, sum = 0.0;
    if (!ewi_cuda_enter(&call->head, block, 0))
        return;
    for (int k = 0; k < 8; k++)
        chain[k] = 1.0 + 0.001 * (double)(i % EWI_CUDA_BLOCK + k);
    for (int64_t loop = 0; loop < call->tries; loop++)
        for (int k = 0; k < 8; k++)
            chain[k] = ewi_fma(chain[k], factor, 1e-6);
    for (int k = 0; k < 8; k++)
        sum += chain[k];
    if (sum != 0.0) /* always, but no compiler knows */
        call->partial[0] = 16.0 * (double)call->tries;
}
EWI_THREAD_KERNEL(measure_fma, check, measure_fma_of)

/* ... and by its matrix units, where it has them: 512 operations of a warp a product of 8 x 4 and 4 x 8 numbers. */
EWI_DEVICE void measure_matrix_of(const struct ewi_cuda_check *call, int64_t block, int64_t i)
{
    if (!ewi_cuda_enter(&call->head, block, 0))
        return;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && defined(__CUDACC__)
    double a = 0.001 * (double)(i % EWI_CUDA_BLOCK), b = 0.999, chain[8][4] = {{0.0}}, sum = 0.0;
    for (int64_t loop = 0; loop < call->tries; loop++)
        for (int k = 0; k < 8; k++)
#if __CUDA_ARCH__ >= 900
            asm volatile(
                "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%0, %1, %2, %3};"
                : "+d"(chain[k][0]), "+d"(chain[k][1]), "+d"(chain[k][2]), "+d"(chain[k][3])
                : "d"(a), "d"(b));
#else
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                         : "+d"(chain[k][0]), "+d"(chain[k][1])
                         : "d"(a), "d"(b));
#endif
    for (int k = 0; k < 8; k++)
        sum += chain[k][0] + chain[k][1] + chain[k][2] + chain[k][3];
    if (sum != -1.0)
        call->partial[0] = (__CUDA_ARCH__ >= 900 ? 2.0 : 1.0) * 8.0 * 512.0 / 32.0 * (double)call->tries;
#else
    if (i == 0)
        call->partial[0] = 0.0;
#endif
}
EWI_THREAD_KERNEL(measure_matrix, check, measure_matrix_of)

#define EWI_EACH_LAW_FILE "given_kernels.h"
#include "each_law.h"
#undef EWI_EACH_LAW_FILE

/* ---- samples: what src/sample.c does, with the same operations in the same order ---- */

#include "ewi_basis_eval.h"

EWI_CONSTANT double basis_norm[EWI_MAX_NP] = EWI_P5_NORM;

EWI_DEVICE void leave_value(const struct ewi_cuda_points *points, int output, int64_t i, double value)
{
    union {
        double value;
        uint64_t bits;
    } whole;
    union {
        float value;
        uint32_t bits;
    } half;
    whole.value = value;
    half.value = (float)value;
    if (value != value) { /* of the bits of NAN: processors have different ones */
        whole.bits = (uint64_t)0x7ff80000 << 32;
        half.bits = 0x7fc00000;
    }
    if (points->single)
        ((float *)points->values)[output * points->count + i] = half.value;
    else
        ((double *)points->values)[output * points->count + i] = whole.value;
}

#define EWI_EACH_LAW_FILE "sample_kernels.h"
#include "each_law.h"
#undef EWI_EACH_LAW_FILE

/* ---- averages: the operations of src/accumulate.c in the same order ---- */

#include "ewi_cuda_average.h"

/* Where number k of the tiles from `first` on, in ewi_layout.h's order, lies in the state. */
EWI_DEVICE int64_t average_place(const struct ewi_cuda_average *call, int variables, int np, int64_t first, int k)
{
    int doubles = EWI_TILE * variables * np, row = k % doubles / EWI_TILE, element = k % EWI_TILE;
    int64_t tile = first + k / doubles;
    if (call->fused)
        return tile * doubles +
               ewi_fused_row(call->matrix, variables, np, row / np, row % np / 4, row % np % 4, element);
    return ewi_layout_index(call->width, variables * np, row, tile * EWI_TILE + element);
}

/*
 * Updates the means of the samples from `first` on that have one, up to EWI_CUDA_AVERAGE_TOGETHER, after it has loaded
 * all of them.
 */
EWI_DEVICE void average_means(const struct ewi_cuda_average *call, const struct ewi_cuda_averages *averages, int first,
                              const double *q, double *values, double *before, double *after)
{
    int lanes = averages->np * EWI_TILE;
    double mean[EWI_CUDA_AVERAGE_TOGETHER];
    EWI_UNROLL
    for (int k = 0; k < EWI_CUDA_AVERAGE_TOGETHER; k++)
        if (first + k < averages->samples && averages->sample[first + k].mean >= 0)
            mean[k] = values[averages->sample[first + k].mean * lanes];
    EWI_UNROLL
    for (int k = 0; k < EWI_CUDA_AVERAGE_TOGETHER; k++) {
        int s = first + k;
        if (s >= averages->samples || averages->sample[s].mean < 0)
            continue;
        before[s] = q[s] - mean[k];
        mean[k] += call->ratio * before[s];
        after[s] = q[s] - mean[k];
        values[averages->sample[s].mean * lanes] = mean[k];
    }
}

/* of[k]; with `few`, one of the first EWI_CUDA_AVERAGE_TOGETHER, which may thus stay in registers. */
EWI_DEVICE double average_pick(const int few, const double *of, int k)
{
    double picked = of[0];
    if (!few)
        return of[k];
    EWI_UNROLL
    for (int one = 1; one < EWI_CUDA_AVERAGE_TOGETHER; one++)
        picked = k == one ? of[one] : picked;
    return picked;
}

EWI_DEVICE double average_other(const struct ewi_cuda_average *call, const struct ewi_cuda_averages *averages,
                                const int few, int n, const double *q, const double *before, const double *after,
                                double value)
{
    int a = averages->average[n].a, statistic = averages->average[n].statistic;
    if (statistic == EW_VARIANCE || statistic == EW_COVARIANCE) {
        double d = average_pick(few, before, a), e = average_pick(few, after, averages->average[n].b);
        return value + call->weight * (d * e);
    }
    double sample = average_pick(few, q, a);
    if (statistic == EW_MINIMUM)
        return sample < value ? sample : value;
    if (statistic == EW_MAXIMUM)
        return sample > value ? sample : value;
    return sample > averages->average[n].above && call->time < value ? call->time : value;
}

/* Likewise the averages other than means, of which `first` is a number. */
EWI_DEVICE void average_others(const struct ewi_cuda_average *call, const struct ewi_cuda_averages *averages,
                               const int derived, int first, const double *q, const double *before,
                               const double *after, double *values)
{
    int lanes = averages->np * EWI_TILE;
    double value[EWI_CUDA_AVERAGE_TOGETHER];
    EWI_UNROLL
    for (int k = 0; k < EWI_CUDA_AVERAGE_TOGETHER; k++)
        if (first + k < averages->count && averages->average[first + k].statistic != EW_MEAN)
            value[k] = values[averages->average[first + k].slot * lanes];
    EWI_UNROLL
    for (int k = 0; k < EWI_CUDA_AVERAGE_TOGETHER; k++) {
        int n = first + k;
        if (n < averages->count && averages->average[n].statistic != EW_MEAN)
            values[averages->average[n].slot * lanes] =
                average_other(call, averages, !derived, n, q, before, after, value[k]);
    }
}

#define EWI_EACH_LAW_FILE "average_kernels.h"
#include "each_law.h"
