/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A law's given states of boundaries by formulas, at one or more stages' times: a thread per edge, point and time. The
 * states of a stage must be admissible: all threads that find one that is not write the same. If the states of all
 * stages are evaluated at once, each stage checks its own.
 */
#define EWI_ORDER 1 /* of which these know nothing */
#include "kernels/begin.h"

/* The speed of a state that is admissible. A field's speed is known to its elements. */
EWI_DEVICE void EWI_L(leave_given)(const struct ewi_cuda_given *call, const struct ewi_clock *clock, int64_t slot,
                                   const double *conserved)
{
    union {
        double value;
        uint64_t bits;
    } speed;
    if (!EWI_L(admissible)(call->parameter, conserved))
        return;
    speed.value = EWI_L(speed)(call->parameter, conserved, 0.0);
    if (call->width_ratio)
        speed.value *= call->width_ratio[call->left[slot]];
    if (speed.value > 0.0 && speed.value - speed.value == 0.0)
        ewi_raise(&call->head.device_clock->given[call->head.begins ? clock->steps & 3 : EWI_CUDA_GIVEN_AT_START],
                  speed.bits);
}

EWI_DEVICE void EWI_L(given)(const struct ewi_cuda_given *call, int64_t block, int64_t i)
{
    struct ewi_clock clock;
    if (!ewi_cuda_enter_step(&call->head, block, call->head.stage > 0, EWI_FIRST_THREAD, &clock))
        return;
    int64_t points = call->boundary_slots * call->ne, slot = i % points / call->ne, e = i % call->ne;
    const struct ewi_cuda_program *program = call->head.program + slot / EWI_TILE;
    if (i >= points * call->given_times || program->length <= 0)
        return;
    const double *point = call->point + ewi_layout_index(EWI_TILE, 2 * call->ne, 2 * e, slot);
    double *given = call->given + i / points * points * EWI_M;
    double primitive[EWI_M], conserved[EWI_M], t = ewi_clock_stage_time(&clock, call->given_time[i / points]);
    given += ewi_layout_index(EWI_TILE, call->ne * EWI_M, e * EWI_M, slot);
    ewi_program_evaluate(call->code + program->code, program->length, call->constant + program->constant, point[0],
                         point[EWI_TILE], t, primitive, 1);
    EWI_L(conserved)(call->parameter, primitive, conserved);
    if (call->head.stage > 0 && !EWI_L(admissible)(call->parameter, conserved))
        call->head.clock->stage = call->head.stage;
    for (int m = 0; m < EWI_M; m++)
        given[m * EWI_TILE] = conserved[m];
    if (call->given_speed && i / points == call->given_times - 1)
        EWI_L(leave_given)(call, &clock, slot, conserved);
}
EWI_THREAD_KERNEL(EWI_JOIN2(eval_given_, EWI_LAW), given, EWI_L(given))

#include "kernels/end.h"
