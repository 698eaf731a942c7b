/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that all kernels share: their begin, and the maximum over a block. */
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

/* The item of a thread: of a list, the one of its block's range, or one beyond all items if that has none for it. */
EWI_DEVICE int64_t ewi_cuda_item(const struct ewi_range *list, int64_t block, int thread)
{
    if (!list)
        return block * EWI_CUDA_BLOCK + thread;
    int32_t i = list[block].first + thread;
    return i < list[block].last ? i : INT64_MAX;
}

/* For the sentence on a fault. */
EWI_DEVICE void ewi_cuda_leave_trail(const struct ewi_cuda_head *head, int64_t block, int64_t steps)
{
    if (block == 0 && EWI_FIRST_THREAD) {
        volatile int64_t *trail = head->trail;
        trail[EWI_TRAIL_LAUNCH] = head->number;
        trail[EWI_TRAIL_STEP] = steps;
    }
}

/* The stage of a kernel, as the clock has it: counted over all instants of a macro step. */
EWI_DEVICE int32_t ewi_cuda_stage(const struct ewi_cuda_head *head)
{
    return head->in_instants && head->stage > 0 ? head->device_clock->stages_before + head->stage : head->stage;
}

/* In any thread that finds a state inadmissible. */
EWI_DEVICE void ewi_cuda_break_off(const struct ewi_cuda_head *head)
{
    head->clock->stage = ewi_cuda_stage(head);
}

/*
 * True if the kernel has work, the same for all threads of a grid. `breaking`: for kernels that compute a stage's new
 * state, or a boundary's, whose own threads may find it inadmissible while others have yet to begin.
 */
EWI_DEVICE int ewi_cuda_enter(const struct ewi_cuda_head *head, int64_t block, int breaking)
{
    const struct ewi_clock *clock = head->clock;
    int32_t state = clock->state, stage = clock->stage; /* both at once */
    if (state != EWI_CLOCK_RUNNING || (stage != 0 && !(breaking && stage == ewi_cuda_stage(head))))
        return 0;
    ewi_cuda_leave_trail(head, block, clock->steps);
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

/* A place in a list, whose length grows. (nvcc makes one addition of a warp's.) */
EWI_DEVICE int32_t ewi_append(int32_t *length)
{
#ifdef EWI_CUDA_ON_HOST
    return (*length)++;
#elif defined(__CUDACC__)
    return atomicAdd(length, 1);
#else
    int32_t place;
    asm volatile("atom.add.u32 %0, [%1], 1;" : "=r"(place) : "l"(length) : "memory");
    return place;
#endif
}

/* The larger of a speed, which may be NaN, and one given by its bits, which is not NaN. */
EWI_DEVICE double ewi_cuda_faster(double speed, uint64_t bits)
{
    union {
        uint64_t bits;
        double value;
    } other;
    other.bits = bits;
    return speed < other.value ? other.value : speed;
}

/* 2^-halvings */
EWI_DEVICE double ewi_cuda_halved(int halvings)
{
    union {
        uint64_t bits;
        double value;
    } part;
    part.bits = (uint64_t)(1023 - halvings) << 52;
    return part.value;
}

/* The length of the steps of an item's level, and the time of a stage (ewi_stage) in the one that begins now. */
EWI_DEVICE double ewi_cuda_step_of(const struct ewi_cuda_steps *steps, const struct ewi_clock *clock, int64_t item)
{
    return steps->level ? clock->step * ewi_cuda_halved(steps->levels - 1 - steps->level[item / EWI_TILE])
                        : clock->step;
}

EWI_DEVICE double ewi_cuda_time_of(const struct ewi_cuda_steps *steps, const struct ewi_cuda_head *head,
                                   const struct ewi_clock *clock, int64_t item, double time)
{
    if (!steps->level)
        return ewi_clock_stage_time(clock, time);
    double instant = (double)((ewi_cuda_stage(head) - 1) / steps->stages);
    double begin = clock->time + instant * (clock->step * ewi_cuda_halved(steps->levels - 1));
    return begin + time * ewi_cuda_step_of(steps, clock, item);
}

/*
 * The clock with which the next step begins. If a stage left an inadmissible state, its step was the last one and its
 * clock stays; that includes the last stage of a step that has yet to be counted.
 */
EWI_DEVICE struct ewi_clock ewi_cuda_advance_clock(const struct ewi_cuda_head *head, int32_t inadmissible,
                                                   double change)
{
    const struct ewi_cuda_device_clock *device_clock = head->device_clock;
    struct ewi_clock clock = device_clock->clock;
    union {
        uint64_t bits;
        double value;
    } even, odd;
    even.bits = device_clock->max_speed[0];
    odd.bits = device_clock->max_speed[1];
    if (device_clock->due && inadmissible < head->stages) {
        double speed = clock.steps % 2 == 0 ? even.value : odd.value;
        if (head->program)
            speed = ewi_cuda_faster(speed, device_clock->given[clock.steps & 3]);
        if (clock.watches_change)
            clock.change = change;
        ewi_clock_end(&clock);
        ewi_clock_follow_speed(&clock, speed);
        ewi_clock_begin(&clock);
    }
    return clock;
}

/*
 * Begins a step, in any thread of its first kernel. Returns whether the step runs; *clock is the clock of the step,
 * which one thread of the grid writes for the kernels that follow. Leaves `stage` alone, since other threads may be
 * writing it: a 1 there may come from this step. If it comes from the step before, that step is begun again, with the
 * same result, until the host reads the clock.
 */
EWI_DEVICE int ewi_cuda_begin(const struct ewi_cuda_head *head, int64_t block, int first_thread,
                              struct ewi_clock *clock)
{
    struct ewi_clock *written = head->clock;
    int32_t inadmissible = written->stage;
    *clock = ewi_cuda_advance_clock(head, inadmissible, 0.0);
    if (inadmissible > 1 && clock->state == EWI_CLOCK_RUNNING)
        clock->state = EWI_CLOCK_INADMISSIBLE;
    if (block == 0 && first_thread) {
        written->time = clock->time;
        written->dt = clock->dt;
        written->change = clock->change;
        written->rate = clock->rate;
        written->largest_rate = clock->largest_rate;
        written->steps = clock->steps;
        written->speed = clock->speed;
        written->step = clock->step;
        written->cut = clock->cut;
        written->growth = clock->growth;
        written->state = clock->state;
        head->device_clock->max_speed[clock->steps % 2] = 0;
        if (head->program)
            head->device_clock->given[(clock->steps + 1) & 3] = 0;
    }
    return clock->state == EWI_CLOCK_RUNNING;
}

/* In any thread of any kernel of a step: ewi_cuda_begin or ewi_cuda_enter. */
EWI_DEVICE int ewi_cuda_enter_step(const struct ewi_cuda_head *head, int64_t block, int breaking, int first_thread,
                                   struct ewi_clock *clock)
{
    if (head->begins) {
        int runs = ewi_cuda_begin(head, block, first_thread, clock);
        if (runs)
            ewi_cuda_leave_trail(head, block, clock->steps);
        return runs;
    }
    *clock = *head->clock;
    return ewi_cuda_enter(head, block, breaking);
}

/* In one thread of a step's last stage, once it is known to run. */
EWI_DEVICE void ewi_cuda_end(const struct ewi_cuda_head *head, int32_t leaves_pending, const struct ewi_clock *clock)
{
    head->device_clock->clock = *clock;
    head->device_clock->due = 1;
    head->device_clock->limiter_pending = leaves_pending;
}

/* True if a stage limits on load. The state with which a step begins may be limited already. */
EWI_DEVICE int ewi_cuda_limits_on_load(const struct ewi_cuda_head *head, int32_t limits_on_load)
{
    return limits_on_load && (ewi_cuda_stage(head) > 1 || head->device_clock->limiter_pending);
}

/* True if the limiter is pending after some steps. A state that the last stage made inadmissible is not limited. */
EWI_DEVICE int ewi_cuda_limiter_pending(const struct ewi_cuda_head *head)
{
    return head->device_clock->limiter_pending && head->clock->stage < head->stages;
}

/* The state after step number `steps` has a speed, or a NaN, whose bits without a sign exceed those of any number. */
EWI_DEVICE void ewi_cuda_raise_speed(struct ewi_cuda_device_clock *clock, int64_t steps, double largest)
{
    union {
        double value;
        uint64_t bits;
    } speed;
    speed.value = largest;
    ewi_raise(&clock->max_speed[steps % 2], speed.bits << 1 >> 1);
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
EWI_DEVICE void ewi_cuda_leave_speed(const struct ewi_cuda_speed *call, int64_t block, const double *speed)
{
    EWI_SHARED double largest[EWI_CUDA_BLOCK];
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        largest[ewi_thread(mine)] = speed[mine];
    ewi_cuda_block_maximum(largest);
    if (!EWI_FIRST_THREAD)
        return;
    if (call->partial)
        call->partial[block] = largest[0];
    else
        ewi_cuda_raise_speed(call->head.device_clock, call->head.clock->steps, largest[0]);
    if (call->ends && block == 0)
        ewi_cuda_end(&call->head, 0, call->head.clock);
}

#endif
