/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels that know nothing of the order: the step's bookkeeping and boundary data that depend on t. */
#include "ewi_basis.h"
#include "ewi_cuda_device.h"
#include "ewi_cuda_threads.h"
#include "ewi_law_list.h"

#define EWI_MODULE common

/* largest[0] becomes the maximum of all blocks' partial ones. */
#define EWI_ALL_BLOCKS_MAXIMUM(largest, parts, count)                                     \
    EWI_EACH_THREAD(thread) {                                                             \
        double here_ = 0.0;                                                                  \
        for (int64_t k_ = thread; k_ < (count); k_ += EWI_CUDA_BLOCK)                          \
            here_ = ewi_cuda_larger(here_, (parts)[k_]);                                     \
        largest[thread] = here_;                                                             \
    }                                                                                        \
    EWI_BLOCK_MAXIMUM(largest)

/* One block: the largest wave speed, and with it the step's length. */
EWI_KERNEL(begin_step)
{
    EWI_BEGIN;
    EWI_SHARED(largest, EWI_CUDA_BLOCK);
    if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 0)) {
        EWI_ALL_BLOCKS_MAXIMUM(largest, call.partial, call.partials);
        EWI_EACH_THREAD(thread)
            if (thread == 0) {
                struct ewi_clock clock = *call.clock;
                clock.speed = largest[0];
                ewi_clock_begin(&clock);
                *call.clock = clock;
                if (call.turn) {
                    call.turn->clock = clock;
                    call.turn->due = 0;
                }
            }
    }
}

/* The largest change of a coefficient in a step, of each block. */
EWI_KERNEL(eval_change)
{
    EWI_BEGIN;
    EWI_SHARED(largest, EWI_CUDA_BLOCK);
    if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 0)) {
        EWI_EACH_THREAD(thread) {
            double here = 0.0;
            for (int64_t k = EWI_BLOCK_NUMBER * EWI_CUDA_BLOCK + thread; k < call.doubles; k += call.partials * EWI_CUDA_BLOCK) {
                double change = ewi_abs(call.state[k] - call.before[k]);
                here = change > here ? change : here;
            }
            largest[thread] = here;
        }
        EWI_BLOCK_MAXIMUM(largest);
        EWI_EACH_THREAD(thread)
            if (thread == 0)
                call.partial[EWI_BLOCK_NUMBER] = largest[0];
    }
}

/* One block: time and number of steps, and whether the state is broken or steady. */
EWI_KERNEL(end_step)
{
    EWI_BEGIN;
    EWI_SHARED(largest, EWI_CUDA_BLOCK);
    if (call.clock->state == EWI_CLOCK_RUNNING && call.clock->stage > 0) {
        EWI_BARRIER; /* all threads have read the clock */
        EWI_EACH_THREAD(thread)
            if (thread == 0)
                call.clock->state = EWI_CLOCK_BROKEN;
    } else if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 0)) {
        EWI_ALL_BLOCKS_MAXIMUM(largest, call.partial, call.partials);
        EWI_EACH_THREAD(thread)
            if (thread == 0) {
                struct ewi_clock clock = *call.clock;
                if (clock.steady > 0.0)
                    clock.change = largest[0];
                ewi_clock_end(&clock);
                *call.clock = clock;
            }
    }
}

/* What the fused set's next step would begin with: where somebody looks at the clock, or a step's end is known by more than its speeds. */
EWI_KERNEL(turn_step)
{
    EWI_BEGIN;
    EWI_SHARED(change, EWI_CUDA_BLOCK);
    ewi_cuda_leave_trail(&call, EWI_BLOCK_NUMBER, call.turn->clock.steps);
    EWI_ALL_BLOCKS_MAXIMUM(change, call.changes, call.changed);
    EWI_EACH_THREAD(thread)
        if (thread == 0) {
            int32_t broken = call.clock->stage;
            struct ewi_clock clock = ewi_cuda_turned(&call, broken, change[0]);
            if (broken > 0 && clock.state == EWI_CLOCK_RUNNING) {
                clock.state = EWI_CLOCK_BROKEN;
                clock.stage = broken;
            }
            *call.clock = call.turn->clock = clock;
            call.turn->due = 0;
        }
}

/*
 * Boundaries' given states by formulas, at one or more stages' times: a thread per edge, point and time. Those of a stage must be
 * admissible: all threads that find one that is not write the same. Who has all stages' at once finds that when it takes them.
 */
#define EWI_GIVEN_KERNEL(law)                                                                                               \
    EWI_KERNEL(eval_given_##law)                                                                                            \
    {                                                                                                                       \
        EWI_BEGIN;                                                                                                          \
        struct ewi_clock clock;                                                                                             \
        if (ewi_cuda_enter_step(&call, EWI_BLOCK_NUMBER, call.stage > 0, EWI_FIRST_THREAD, &clock))                         \
            EWI_EACH_ITEM(i) {                                                                                              \
                int64_t points = call.boundary_slots * call.ne, slot = i % points / call.ne, e = i % call.ne;               \
                const struct ewi_cuda_program *program = call.program + slot / EWI_TILE;                                    \
                if (i < points * call.given_times && program->length > 0) {                                                 \
                    const double *point = call.point + ewi_layout_index(EWI_TILE, 2 * call.ne, 2 * e, slot);                \
                    double *given = call.given_now + i / points * points * ewi_##law##_variables +                          \
                                    ewi_layout_index(EWI_TILE, call.ne * ewi_##law##_variables, e * ewi_##law##_variables, slot); \
                    double primitive[ewi_##law##_variables], conserved[ewi_##law##_variables];                              \
                    ewi_program_evaluate(call.code + program->code, program->length, call.constant + program->constant,     \
                                         point[0], point[EWI_TILE], ewi_clock_stage_time(&clock, call.given_time[i / points]), \
                                         primitive, 1);                                                                     \
                    ewi_##law##_conserved(call.a.parameter, primitive, conserved);                                          \
                    if (call.stage > 0 && !ewi_##law##_admissible(call.a.parameter, conserved))                             \
                        call.clock->stage = call.stage;                                                                     \
                    for (int m = 0; m < ewi_##law##_variables; m++)                                                         \
                        given[m * EWI_TILE] = conserved[m];                                                                 \
                }                                                                                                           \
            }                                                                                                               \
    }
EWI_LAWS(EWI_GIVEN_KERNEL)

/* A state's tiles into `target`, which may be the same: their rows in the fused set's order (ewi_fused_row), or in ewi_layout.h's. */
EWI_KERNEL(regroup)
{
    EWI_BEGIN;
    EWI_SHARED(tile, EWI_TILE * EW_MAX_VARIABLES * EWI_MAX_NP);
    int doubles = EWI_TILE * call.variables * call.np;
    int64_t first = EWI_BLOCK_NUMBER * doubles;
    EWI_EACH_THREAD(thread)
        for (int x = thread; x < doubles; x += EWI_CUDA_BLOCK)
            tile[x] = call.state[first + x];
    EWI_BARRIER;
    EWI_EACH_THREAD(thread)
        for (int x = thread; x < doubles; x += EWI_CUDA_BLOCK) {
            int row = x / EWI_TILE, j = row % call.np;
            int grouped = ewi_fused_row(call.matrix, call.variables, call.np, row / call.np, j / 4, j % 4, x % EWI_TILE);
            call.target[first + (call.regroups ? grouped : x)] = tile[call.regroups ? x : grouped];
        }
}

/*
 * Each thread tries so many (`doubles`) operands of all mantissas and of sizes from 2^-900 to 2^900: partial[thread of the grid] becomes
 * the number of inverses, quotients and roots whose bits are not those of IEEE's division and square root.
 */
EWI_KERNEL(check_arithmetic)
{
    EWI_BEGIN;
    if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 0))
        EWI_EACH_ITEM(i) {
            uint64_t random = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u + (uint64_t)call.first;
            double different = 0.0;
            for (int64_t k = 0; k < call.doubles; k++) {
                union {
                    uint64_t bits;
                    double value;
                } a, b, inverse, part, root, right;
                ewi_mask doubt = 0;
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                uint64_t mantissa = random & 0xfffffffffffffu, few = random >> 40 & 0xff;
                mantissa = k % 8 == 0 ? few : k % 8 == 1 ? 0xfffffffffffffu - few : mantissa; /* the ends of the range, too */
                a.bits = (uint64_t)(1023 - 900 + (int64_t)(random >> 33) % 1801) << 52 | mantissa;
                if (k == 0) /* what has a rule of its own */
                    a.value = i % 4 == 0 ? 0.0 : i % 4 == 1 ? -0.0 : i % 4 == 2 ? __builtin_inf() : 1.0;
                inverse.value = ewi_inverse(a.value);
                right.value = 1.0 / a.value;
                different += inverse.bits != right.bits;
                root.value = ewi_root(a.value);
                right.value = __builtin_sqrt(a.value);
                different += root.bits != right.bits;
                /* By something larger. */
                uint64_t divisor = k % 8 == 0 ? 0xfffffffffffffu - few : random * 0x2545f4914f6cdd1du >> 12;
                b.bits = ((a.bits & 0x7ff0000000000000u) + ((random >> 20 & 63) << 52)) | divisor;
                if (a.value < b.value) {
                    part.value = ewi_part(1, a.value, b.value, &doubt);
                    right.value = a.value / b.value;
                    different += !doubt && part.bits != right.bits;
                }
            }
            call.partial[i] = different;
        }
}

/* How fast the device multiplies and adds: partial[0] becomes the number of a thread's operations, an fma being two. */
EWI_KERNEL(measure_fma)
{
    EWI_BEGIN;
    if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 0))
        EWI_EACH_THREAD(thread) {
            double chain[8], factor = 0.999999, sum = 0.0;
            for (int k = 0; k < 8; k++)
                chain[k] = 1.0 + 0.001 * (double)(thread + k);
            for (int64_t loop = 0; loop < call.doubles; loop++)
                for (int k = 0; k < 8; k++)
                    chain[k] = ewi_fma(chain[k], factor, 1e-6);
            for (int k = 0; k < 8; k++)
                sum += chain[k];
            if (sum != 0.0) /* always, but no compiler knows */
                call.partial[0] = 16.0 * (double)call.doubles;
        }
}

/* ... and by its matrix units, where it has them: 512 operations of a warp a product of 8 x 4 and 4 x 8 numbers. */
EWI_KERNEL(measure_matrix)
{
    EWI_BEGIN;
    if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 0))
        EWI_EACH_THREAD(thread) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && defined(__CUDACC__)
            double a = 0.001 * thread, b = 0.999, chain[8][4] = {{0.0}}, sum = 0.0;
            for (int64_t loop = 0; loop < call.doubles; loop++)
                for (int k = 0; k < 8; k++)
#if __CUDA_ARCH__ >= 900
                    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%0, %1, %2, %3};"
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
                call.partial[0] = (__CUDA_ARCH__ >= 900 ? 2.0 : 1.0) * 8.0 * 512.0 / 32.0 * (double)call.doubles;
#else
            if (thread == 0)
                call.partial[0] = 0.0;
#endif
        }
}
