/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The time loop's bookkeeping: when a step begins, how long it is and when the loop ends. One source for hosts and
 * devices, so that a device can do many steps by itself and still end where a host would.
 */
#ifndef EWI_CLOCK_H
#define EWI_CLOCK_H

#include "ewi_hd.h"

#include <stdint.h>

enum ewi_clock_state {
    EWI_CLOCK_RUNNING,
    EWI_CLOCK_TIME,   /* `until` is reached */
    EWI_CLOCK_STEPS,  /* `last_step` is */
    EWI_CLOCK_STEADY, /* the state is */
    EWI_CLOCK_INADMISSIBLE, /* a mean is inadmissible since stage `stage` of this step; 0: before its first one */
    EWI_CLOCK_AT_REST, /* nothing moves, and there is no final time */
    EWI_CLOCK_LOST,   /* `step` is lost in `time` */
    EWI_CLOCK_LEFT    /* of a part: another one has failed */
};

struct ewi_clock {
    double until, length; /* dt = length / largest wave speed; length = cfl d_min / (2p + 1) */
    int32_t watches_change; /* a steady state is looked for: by a change of at most `steady`, */
    double steady, fallen;  /* or a rate of change of at most `fallen` times the largest one */
    double floor;         /* the least speed: that of boundaries' given states */
    int64_t last_step;
    double time, dt, change; /* dt, change: the last complete step's */
    double rate, largest_rate; /* change / dt of the last complete step, and the largest since the start */
    int64_t steps;
    double speed, step;  /* at the present state, and of the step in hand */
    int32_t state, stage; /* enum ewi_clock_state */
    int32_t cut;         /* whether the step in hand ends at `until` */
    int64_t ramp;        /* steps of a run before this number, from 0, are shorter, each half as long as the next */
    double growth;       /* if there are such steps: the largest ratio of the speeds after and before a later one */
};

/*
 * The length of the next step, not cut. Where levels of time steps make steps long, waves become much faster within the
 * first ones of an initial state with jumps.
 */
EW_HD double ewi_clock_length(const struct ewi_clock *clock)
{
    double dt = clock->length / clock->speed;
    for (int64_t n = clock->steps; n < clock->ramp; n++)
        dt *= 0.5;
    return dt;
}

/*
 * Levels: the last two steps before `until` have the same length, since a very short one takes as much work as a long
 * one.
 */
EW_HD int ewi_clock_halves(const struct ewi_clock *clock, double rest, double dt)
{
    return clock->ramp > 0 && rest < 2.0 * dt;
}

/* The largest speed of the present state, NaN included. */
EW_HD void ewi_clock_set_speed(struct ewi_clock *clock, double speed)
{
    clock->speed = speed < clock->floor ? clock->floor : speed;
}

/* ... when the clock still has the speed at the start of the step before, or 0. */
EW_HD void ewi_clock_follow_speed(struct ewi_clock *clock, double speed)
{
    double before = clock->speed;
    ewi_clock_set_speed(clock, speed);
    if (clock->ramp > 0 && clock->steps > clock->ramp && before > 0.0 && clock->speed > clock->growth * before)
        clock->growth = clock->speed / before;
}

/* True if the loop has reached neither its final time nor its last step. */
EW_HD int ewi_clock_wants_step(const struct ewi_clock *clock)
{
    return clock->time < clock->until && clock->steps < clock->last_step;
}

/* Before a step, with the speed known: its length, or the loop's end. */
EW_HD void ewi_clock_begin(struct ewi_clock *clock)
{
    if (clock->state != EWI_CLOCK_RUNNING)
        return;
    if (!(clock->time < clock->until)) {
        clock->state = EWI_CLOCK_TIME;
        return;
    }
    if (clock->steps >= clock->last_step) {
        clock->state = EWI_CLOCK_STEPS;
        return;
    }
    if (!(clock->speed - clock->speed == 0.0)) {
        clock->stage = 0;
        clock->state = EWI_CLOCK_INADMISSIBLE;
        return;
    }
    double dt = ewi_clock_length(clock), rest = clock->until - clock->time;
    if (!(dt - dt == 0.0) && !(rest - rest == 0.0)) {
        clock->state = EWI_CLOCK_AT_REST;
        return;
    }
    /* A rest shorter than rounding would make a step of its own. */
    clock->cut = clock->time + dt * (1.0 + 1e-9) >= clock->until;
    clock->step = clock->cut ? rest : ewi_clock_halves(clock, rest, dt) ? 0.5 * rest : dt;
    if (!clock->cut && clock->time + clock->step == clock->time)
        clock->state = EWI_CLOCK_LOST;
}

EW_HD double ewi_clock_stage_time(const struct ewi_clock *clock, double time)
{
    return clock->time + time * clock->step;
}

/* Not before the first step, when the change is NaN, or known from elsewhere and rates are not. */
EW_HD int ewi_clock_is_steady(const struct ewi_clock *clock)
{
    return clock->change <= clock->steady ||
           (clock->largest_rate > 0.0 && clock->rate <= clock->fallen * clock->largest_rate);
}

/*
 * After a step whose change is known: that of a step shorter than its speed allows counts as a whole step's would. For
 * whole steps, the factor is exactly 1.
 */
EW_HD void ewi_clock_watch(struct ewi_clock *clock)
{
    clock->rate = clock->change / clock->step;
    if (clock->rate > clock->largest_rate)
        clock->largest_rate = clock->rate;
    if (clock->change > 0.0 && clock->speed > 0.0)
        clock->change *= clock->length / clock->speed / clock->step;
    if (ewi_clock_is_steady(clock))
        clock->state = EWI_CLOCK_STEADY;
}

EW_HD void ewi_clock_end(struct ewi_clock *clock)
{
    if (clock->state != EWI_CLOCK_RUNNING)
        return;
    clock->time = clock->cut ? clock->until : clock->time + clock->step;
    clock->dt = clock->step;
    clock->steps++;
    if (clock->watches_change)
        ewi_clock_watch(clock);
}

/*
 * At the end of each step, the parts of a case all-reduce the maximum of a key: the bits of the maximum speed in the
 * new state, NaN being larger than any number; or that the state became inadmissible in stage `inadmissible` of the
 * step, from 1, where the first stage wins; or that the part failed, which wins over all. Keys are less than 2^63.
 * With levels of time steps, a backend counts more than stages (omp/worker.c).
 */
#define EWI_CLOCK_FAILURE ((uint64_t)INT64_MAX)
#define EWI_CLOCK_LEAST_INADMISSIBLE (EWI_CLOCK_FAILURE - ((uint64_t)1 << 30))

EW_HD uint64_t ewi_clock_key(int32_t inadmissible, double speed)
{
    union {
        double value;
        uint64_t bits;
    } own;
    own.value = speed;
    if (inadmissible > 0)
        return EWI_CLOCK_FAILURE - (uint64_t)inadmissible;
    return speed != speed ? (uint64_t)0x7ff8 << 48 : own.bits << 1 >> 1;
}

/* The reduced speed. Returns false if the clock is stopped. */
EW_HD int ewi_clock_decide(struct ewi_clock *clock, uint64_t key, double *speed)
{
    union {
        uint64_t bits;
        double value;
    } won;
    won.bits = key;
    *speed = won.value;
    if (key < EWI_CLOCK_LEAST_INADMISSIBLE)
        return 1;
    clock->stage = (int32_t)(EWI_CLOCK_FAILURE - key);
    clock->state = clock->stage > 0 ? EWI_CLOCK_INADMISSIBLE : EWI_CLOCK_LEFT;
    return 0;
}

#endif
