/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The minimum work of a kernel: the traffic and the arithmetic of one call, counted from the plan, the same for every
 * backend.
 */
#ifndef EWI_WORK_H
#define EWI_WORK_H

#include "ewi_plan.h"

/* X(name): kernels that are measured. `stage` is a whole stage of the fused set. */
#define EWI_WORKS(X)  \
    X(eval_volume)    \
    X(eval_surface)   \
    X(eval_source)    \
    X(eval_outflow)   \
    X(eval_rhs)       \
    X(update)         \
    X(stage)          \
    X(subcells)       \
    X(jump_sensor)    \
    X(limit_c)        \
    X(positive)       \
    X(time_step)      \
    X(admissible)     \
    X(boundary)

#define EWI_WORK_NUMBER(name) EWI_WORK_##name,
enum ewi_work_kind { EWI_WORKS(EWI_WORK_NUMBER) EWI_WORK_COUNT };
#undef EWI_WORK_NUMBER

struct ewi_work {
    double bytes; /* every array that is read and every array that is written, once */
    double flops; /* an fma is two, any other + - * / and square root one; NaN: they are not counted */
};

const char *ewi_work_name(enum ewi_work_kind kind);

/*
 * One call of a kernel over the whole mesh; `of` is the stage of the time scheme for update and stage, NULL for the
 * others.
 */
struct ewi_work ewi_work_of(const struct ewi_plan *plan, enum ewi_work_kind kind, const struct ewi_stage *of);

/* Adds calls to the entry of that kernel, which is made if there is none. `kernel` has room for EW_MAX_PROFILES. */
void ewi_profile_add(ew_kernel_profile *kernel, int *kernels, enum ewi_work_kind kind, int64_t calls, double seconds,
                     struct ewi_work work);

#endif
