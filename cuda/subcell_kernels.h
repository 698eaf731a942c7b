/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limiter subcell's kernels of one law and one order (limiter/subcell.h), in both sets: a thread per edge, or
 * threads that take turns with the items of a list, whose length only the device knows. sense_edges may begin a step.
 */
#if EWI_HAS_SUBCELLS
EWI_DEVICE void EWI_K(sense)(const struct ewi_cuda_subcells *call, int64_t block, int64_t s)
{
    const struct ewi_subcells *of = &call->a.subcells;
    struct ewi_clock clock;
    if (!ewi_cuda_enter_step(&call->head, block, 0, EWI_FIRST_THREAD, &clock) || s >= call->slots)
        return;
    if (s == 0)
        of->count[0] = of->count[1] = 0;
    for (int row = 0; s < of->boundary_slots && row < EWI_SUBCELL_JUMPS; row++)
        of->jumps[ewi_layout_index(EWI_TILE, EWI_SUBCELL_JUMPS, row, s)] = 0.0;
    if (s >= of->boundary_slots)
        EWI_K(sense_edges)(&call->a, call->state, s);
}
EWI_LIST_KERNEL(EWI_NAME(sense_edges), subcells, EWI_K(sense))

EWI_DEVICE void EWI_K(divide)(const struct ewi_cuda_subcells *call, int64_t block, int64_t i)
{
    int runs = ewi_cuda_enter(&call->head, block, 1);
    for (int64_t k = i; runs && k < call->a.subcells.count[0]; k += call->threads) {
        int64_t element = call->a.subcells.element[k];
        EWI_K(divide_elements)(&call->a, call->state, &element);
    }
}
EWI_LIST_KERNEL(EWI_NAME(divide_elements), subcells, EWI_K(divide))

/* Given states by formulas are those of the stage's time. */
EWI_DEVICE void EWI_K(touched)(const struct ewi_cuda_subcells *call, int64_t block, int64_t i)
{
    int runs = ewi_cuda_enter(&call->head, block, 1);
    struct ewi_arguments a = call->a;
    for (int64_t k = i; runs && k < call->a.subcells.count[1]; k += call->threads) {
        int64_t slot = call->a.subcells.edge[k];
        int by_formula = call->given_now && call->head.program && slot < a.subcells.boundary_slots &&
                         call->head.program[slot / EWI_TILE].length > 0;
        a.given = by_formula ? call->given_now : call->a.given;
        EWI_K(touched_fluxes)(&a, call->state, &slot);
    }
}
EWI_LIST_KERNEL(EWI_NAME(touched_fluxes), subcells, EWI_K(touched))

EWI_DEVICE void EWI_K(lift_divided)(const struct ewi_cuda_subcells *call, int64_t block, int64_t i)
{
    int runs = ewi_cuda_enter(&call->head, block, 1);
    for (int64_t k = i; runs && k < call->a.subcells.count[0]; k += call->threads) {
        int64_t element = call->a.subcells.element[k];
        EWI_K(lift_volumes)(&call->a, &element);
    }
}
EWI_LIST_KERNEL(EWI_NAME(lift_volumes), subcells, EWI_K(lift_divided))
#endif
