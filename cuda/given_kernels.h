/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A law's given values of boundaries by formulas, at one or more stages' times: a thread per edge, point and time. The
 * values of a stage must be valid: all threads that find some that are not write the same. If the values of all stages
 * are evaluated at once, each stage checks its own.
 */
#define EWI_ORDER 1 /* of which these know nothing */
#include "kernels/begin.h"

/* The speed of what is given. A field's speed is known to its elements. */
EWI_DEVICE void EWI_L(leave_given)(const struct ewi_cuda_given *call, const struct ewi_clock *clock, int64_t slot,
                                   const double *given)
{
    union {
        double value;
        uint64_t bits;
    } speed;
    double conserved[EWI_M];
    EWI_L(scale)(call->ghost[slot / EWI_TILE], call->parameter, given, conserved);
    speed.value = EWI_L(speed)(call->parameter, conserved, 0.0);
    if (call->width_ratio)
        speed.value *= call->width_ratio[call->left[slot]];
    if (speed.value > 0.0 && speed.value - speed.value == 0.0)
        ewi_raise(&call->head.device_clock->given[call->head.begins ? clock->steps & 3 : EWI_CUDA_GIVEN_AT_START],
                  speed.bits);
}

EWI_DEVICE void EWI_L(eval_given)(const struct ewi_cuda_given *call, int64_t block, int64_t i)
{
    struct ewi_clock clock;
    if (!ewi_cuda_enter_step(&call->head, block, call->head.stage > 0, EWI_FIRST_THREAD, &clock))
        return;
    int64_t points = call->boundary_slots * call->ne, slot = i % points / call->ne, e = i % call->ne;
    const struct ewi_cuda_program *program = call->head.program + slot / EWI_TILE;
    if (i >= points * call->given_times || program->length <= 0)
        return;
    if (call->steps.level && call->steps.level[slot / EWI_TILE] > call->top)
        return;
    const double *point = call->point + ewi_layout_index(EWI_TILE, 2 * call->ne, 2 * e, slot);
    double *given = call->given + i / points * points * EWI_M;
    const double *unit = call->normal + ewi_layout_index(EWI_TILE, 2 * call->ne, 2 * e, slot);
    int ghost = call->ghost[slot / EWI_TILE];
    double values[EWI_M] = {0.0}, kept[EWI_M], t;
    t = ewi_cuda_time_of(&call->steps, &call->head, &clock, slot, call->given_time[i / points]);
    given += ewi_layout_index(EWI_TILE, call->ne * EWI_M, e * EWI_M, slot);
    ewi_program_evaluate(call->code + program->code, program->length, call->constant + program->constant,
                         call->raster + program->raster, point[0], point[EWI_TILE], t, 0, values, 1);
    const double *parameter = ewi_parameter_at(EWI_MEDIA, call->parameter, call->volume_field, call->left[slot]);
    EWI_L(given)(ghost, parameter, values, kept);
    int valid = EWI_L(valid)(ghost, parameter, kept, unit[0], unit[EWI_TILE]);
    if (call->head.stage > 0 && !valid)
        ewi_cuda_break_off(&call->head);
    for (int m = 0; m < EWI_M; m++)
        given[m * EWI_TILE] = kept[m];
    if (valid && call->given_speed && i / points == call->given_times - 1)
        EWI_L(leave_given)(call, &clock, slot, kept);
}
EWI_THREAD_KERNEL(EWI_JOIN2(eval_given_, EWI_LAW), given, EWI_L(eval_given))

#include "kernels/end.h"
