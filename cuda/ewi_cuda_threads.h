/* SPDX-License-Identifier: BSD-2-Clause */
/* What all kernels share: how they begin, and the maximum over a block. */
#ifndef EWI_CUDA_THREADS_H
#define EWI_CUDA_THREADS_H

#include "ewi_cuda_device.h" /* first: the others are for the compiler that it makes of clang */

#include "ewi_cuda_call.h"

/*
 * A kernel that is launched to overlap with the one before it does what depends on no other kernel, and waits for that
 * one's end. (It is not before that itself has waited that its results are there, so one wait does for all.) On the
 * host blocks are run one after the other.
 */
EWI_DEVICE void ewi_next_may_begin(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
EWI_DEVICE void ewi_await_previous(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* For the sentence on a fault. */
EWI_DEVICE void ewi_cuda_leave_trail(const struct ewi_cuda_call *call, int64_t block, int64_t steps)
{
    if (block == 0 && EWI_FIRST_THREAD) {
        volatile int64_t *trail = call->trail;
        trail[EWI_TRAIL_LAUNCH] = call->number;
        trail[EWI_TRAIL_STEP] = steps;
    }
}

/*
 * Whether there is anything to do, the same for all threads of a grid. `breaking`: of what makes a stage's new state,
 * whose own threads may find it, or a boundary's state, broken while others are still to begin.
 */
EWI_DEVICE int ewi_cuda_enter(const struct ewi_cuda_call *call, int64_t block, int breaking)
{
    const struct ewi_clock *clock = call->clock;
    int32_t state = clock->state, stage = clock->stage; /* both at once */
    if (state != EWI_CLOCK_RUNNING || (stage != 0 && !(breaking && stage == call->stage)))
        return 0;
    ewi_cuda_leave_trail(call, block, clock->steps);
    return 1;
}

/* *most becomes the largest of what is asked for. */
EWI_DEVICE void ewi_raise(uint64_t *most, uint64_t value)
{
#ifdef EWI_CUDA_ON_HOST /* blocks are run one after the other */
    *most = *most > value ? *most : value;
#elif defined(__CUDACC__)
    atomicMax((unsigned long long *)most, (unsigned long long)value);
#else /* the paper's card has no such maximum */
    for (uint64_t seen = *(volatile uint64_t *)most; seen < value;) {
        uint64_t before = seen;
        asm volatile("atom.cas.b64 %0, [%1], %2, %3;" : "=l"(seen) : "l"(most), "l"(before), "l"(value) : "memory");
        if (seen == before)
            break;
    }
#endif
}

/* Of a speed, which may be NaN, and the bits of one that is none. */
EWI_DEVICE double ewi_cuda_faster(double speed, uint64_t bits)
{
    union {
        uint64_t bits;
        double value;
    } other;
    other.bits = bits;
    return speed < other.value ? other.value : speed;
}

/*
 * The clock that the next step begins with. One in which a stage left a state that is not admissible was the last one,
 * and its clock stays: that of a step whose last stage did so is still the one that is due.
 */
EWI_DEVICE struct ewi_clock ewi_cuda_turned(const struct ewi_cuda_call *call, int32_t broken, double change)
{
    const struct ewi_cuda_turn *turn = call->turn;
    struct ewi_clock clock = turn->clock;
    union {
        uint64_t bits;
        double value;
    } even, odd;
    even.bits = turn->max_speed[0];
    odd.bits = turn->max_speed[1];
    if (turn->due && broken < call->stages) {
        double speed = clock.steps % 2 == 0 ? even.value : odd.value;
        if (call->program)
            speed = ewi_cuda_faster(speed, turn->given[clock.steps & 3]);
        if (clock.steady > 0.0)
            clock.change = change;
        ewi_clock_end(&clock);
        ewi_clock_set_speed(&clock, speed);
        ewi_clock_begin(&clock);
    }
    return clock;
}

/*
 * Begins a step, for any thread of its first kernel: whether there is anything to do; `clock` becomes the step's, which
 * one thread of the grid writes for the kernels behind this one. `stage` it leaves alone, since others may be writing
 * it: a 1 there may be this step's own; if it is of a step before, that is begun once more, to the same end, until
 * somebody looks.
 */
EWI_DEVICE int ewi_cuda_begin(const struct ewi_cuda_call *call, int64_t block, int first_thread,
                              struct ewi_clock *clock)
{
    struct ewi_clock *written = call->clock;
    int32_t broken = written->stage;
    *clock = ewi_cuda_turned(call, broken, 0.0);
    if (broken > 1 && clock->state == EWI_CLOCK_RUNNING)
        clock->state = EWI_CLOCK_BROKEN;
    if (block == 0 && first_thread) {
        written->time = clock->time;
        written->dt = clock->dt;
        written->change = clock->change;
        written->steps = clock->steps;
        written->speed = clock->speed;
        written->step = clock->step;
        written->cut = clock->cut;
        written->state = clock->state;
        call->turn->max_speed[clock->steps % 2] = 0;
        if (call->program)
            call->turn->given[(clock->steps + 1) & 3] = 0;
    }
    return clock->state == EWI_CLOCK_RUNNING;
}

/* Of any kernel of a step, for any thread: ewi_cuda_begin or ewi_cuda_enter. */
EWI_DEVICE int ewi_cuda_enter_step(const struct ewi_cuda_call *call, int64_t block, int breaking, int first_thread,
                                   struct ewi_clock *clock)
{
    if (call->opens) {
        int runs = ewi_cuda_begin(call, block, first_thread, clock);
        if (runs)
            ewi_cuda_leave_trail(call, block, clock->steps);
        return runs;
    }
    *clock = *call->clock;
    return ewi_cuda_enter(call, block, breaking);
}

/* For one thread of a step's last stage, when it is known to run. */
EWI_DEVICE void ewi_cuda_end(const struct ewi_cuda_call *call, const struct ewi_clock *clock)
{
    call->turn->clock = *clock;
    call->turn->due = 1;
    call->turn->owed = call->owes;
}

/* Whether a stage limits what it loads: a state that a step begins with may be limited. */
EWI_DEVICE int ewi_cuda_prelimits(const struct ewi_cuda_call *call)
{
    return call->prelimits && (call->stage > 1 || call->turn->owed);
}

/* Whether the state after some steps is still to be limited; one that a last stage broke stays as it is. */
EWI_DEVICE int ewi_cuda_owes(const struct ewi_cuda_call *call)
{
    return call->turn->owed && call->clock->stage < call->stages;
}

EWI_DEVICE double ewi_cuda_larger(double a, double b) { return a > b || a != a ? a : b; }

/* largest[0] becomes the maximum of largest[EWI_CUDA_BLOCK]; any NaN wins. */
EWI_DEVICE void ewi_cuda_block_maximum(double *largest)
{
    for (int half = EWI_CUDA_BLOCK / 2; half > 0; half /= 2) {
        EWI_BARRIER;
        for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
            int thread = ewi_thread(mine);
            if (thread < half)
                largest[thread] = ewi_cuda_larger(largest[thread], largest[thread + half]);
        }
    }
}

/* A block's part of the largest wave speed, of which one thread here has found speed[mine]; NaN wins. */
EWI_DEVICE void ewi_cuda_leave_speed(const struct ewi_cuda_call *call, int64_t block, const double *speed)
{
    EWI_SHARED double largest[EWI_CUDA_BLOCK];
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        largest[ewi_thread(mine)] = speed[mine];
    ewi_cuda_block_maximum(largest);
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        if (ewi_thread(mine) == 0)
            call->partial[block] = largest[0];
}

#endif
