/* What all kernels share: how they begin, and the maximum over a block. */
#ifndef EWI_CUDA_THREADS_H
#define EWI_CUDA_THREADS_H

#include "ewi_cuda_call.h"

#ifdef EWI_CUDA_ON_HOST
#define EWI_DEVICE static inline __attribute__((unused))
#else
#define EWI_DEVICE static __device__ inline __attribute__((always_inline))
#endif

/*
 * Whether there is anything to do, the same for all threads of a grid; leaves a trace for the sentence on a fault. `breaking`: of what
 * makes a stage's new state, whose own threads may find it, or a boundary's state, broken while others are still to begin.
 */
EWI_DEVICE int ewi_cuda_enter(const struct ewi_cuda_call *call, int64_t block, int breaking)
{
    const struct ewi_clock *clock = call->clock;
    int32_t state = clock->state, stage = clock->stage; /* both at once */
    if (state != EWI_CLOCK_RUNNING || (stage != 0 && !(breaking && stage == call->stage)))
        return 0;
#ifdef EWI_CUDA_ON_HOST
    if (block == 0)
#else
    if (block == 0 && EWI_THREAD_NUMBER == 0)
#endif
    {
        volatile int64_t *trail = call->trail;
        trail[0] = call->number;
        trail[1] = clock->steps;
    }
    return 1;
}

/* After a step: one in which a stage left a state that is not admissible was the last one. */
EWI_DEVICE void ewi_cuda_break(struct ewi_clock *clock)
{
    if (clock->state == EWI_CLOCK_RUNNING && clock->stage > 0)
        clock->state = EWI_CLOCK_BROKEN;
}

/* Between two steps: the end of one, and the length of the next. For one thread, when all others are done with the clock. */
EWI_DEVICE void ewi_cuda_turn(struct ewi_clock *at, double speed, double change)
{
    struct ewi_clock clock = *at;
    clock.arrived = 0;
    ewi_cuda_break(&clock);
    if (clock.state == EWI_CLOCK_RUNNING) {
        if (clock.steady > 0.0)
            clock.change = change;
        ewi_clock_end(&clock);
        clock.speed = speed;
        ewi_clock_begin(&clock);
    }
    *at = clock;
}

EWI_DEVICE double ewi_cuda_larger(double a, double b)
{
    return a > b || a != a ? a : b;
}

/* largest[0] becomes the maximum of largest[EWI_CUDA_BLOCK]; any NaN wins. */
#define EWI_BLOCK_MAXIMUM(largest)                                                       \
    for (int half_ = EWI_CUDA_BLOCK / 2; half_ > 0; half_ /= 2) {                        \
        EWI_BARRIER;                                                                     \
        EWI_EACH_THREAD(thread)                                                       \
            if (thread < half_)                                                          \
                largest[thread] = ewi_cuda_larger(largest[thread], largest[thread + half_]); \
    }

/* A kernel of the largest wave speed of each block's elements, that of one being speed_in(&call, its number); NaN wins. */
#define EWI_SPEED_KERNEL(name, speed_in)                                              \
    EWI_KERNEL(name)                                                                  \
    {                                                                                 \
        EWI_BEGIN;                                                                    \
        EWI_SHARED(largest, EWI_CUDA_BLOCK);                                          \
        if (ewi_cuda_enter(&call, EWI_BLOCK_NUMBER, 0)) {                             \
            EWI_EACH_THREAD(thread) {                                                 \
                int64_t i = EWI_BLOCK_NUMBER * EWI_CUDA_BLOCK + thread;               \
                largest[thread] = i < call.elements ? speed_in(&call, i) : 0.0;       \
            }                                                                         \
            EWI_BLOCK_MAXIMUM(largest);                                               \
            EWI_EACH_THREAD(thread)                                                   \
                if (thread == 0)                                                      \
                    call.partial[EWI_BLOCK_NUMBER] = largest[0];                      \
        }                                                                             \
    }

#endif
