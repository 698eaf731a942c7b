/* SPDX-License-Identifier: BSD-2-Clause */
/* eval_outflow: the flux through boundary edges, added to its integral over time before a stage, a thread per edge. */
EWI_DEVICE void EWI_K(outflow)(const struct ewi_cuda_outflow *call, int64_t block, int64_t s)
{
    struct ewi_clock clock;
    ewi_await_previous();
    ewi_next_may_begin();
    if (!ewi_cuda_enter_step(&call->head, block, 1, EWI_FIRST_THREAD, &clock) || s >= call->boundary_slots)
        return;
    if (call->steps.level && call->steps.level[s / EWI_TILE] > call->top)
        return;
    struct ewi_arguments a = call->a;
    if (call->given_now && call->head.program && call->head.program[s / EWI_TILE].length > 0)
        a.given = call->given_now;
    EWI_K(eval_outflow)(&a, call->state, call->ghost[s / EWI_TILE],
                        call->weight * ewi_cuda_step_of(&call->steps, &clock, s), call->outflow, s);
}
EWI_LIST_KERNEL(EWI_NAME(eval_outflow), outflow, EWI_K(outflow))
