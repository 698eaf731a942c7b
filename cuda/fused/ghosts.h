/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * eval_ghosts: the states behind boundary edges at their points, a thread per point, once before a stage that does not
 * find them itself. Where formulas give them, it checks their values. For laws with gradients it computes the fluxes
 * there, and S.
 */

#if EWI_HAS_DIFFUSION
/* The flux at point e of a boundary edge, which takes more than a state behind it: the inner gradients, too. */
EWI_DEVICE void EWI_K(boundary_flux)(const struct ewi_arguments *a, const double *state, int ghost, int64_t slot,
                                     int e, double *f)
{
    const int64_t element = a->left[slot], table = (int64_t)a->left_side[slot] * (EWI_NE * EWI_NP);
    const double *normal = a->geometry + ewi_layout_index(EWI_TILE, EWI_GEOMETRY,
                                                          EWI_SIDES + 3 * a->left_side[slot], element);
    const struct EWI_K(diffusing_side) inner = {&element, &table, EWI_K(shape_of)(a, a->left + slot)};
    double ul[EWI_M], ur[EWI_M], nx = normal[0], ny = normal[EWI_TILE], length = normal[2 * EWI_TILE];
    struct EWI_K(symmetry) symmetry;
    EWI_K(trace)(a, state, &element, EWI_TABLE(SIDE) + e * EWI_NP, &table, ul);
    EWI_K(boundary_states)(a, state, ghost, &element, &slot, e, ul, ur);
    EWI_L(numerical_flux)(a->flux, a->parameter, NULL, ul, ur, nx, ny, length, f);
    EWI_K(diffuse_boundary_edge)(a, state, ghost, &slot, e, &inner, nx, ny, length, f, &symmetry);
    EWI_K(weigh_point)(e, f, &symmetry);
}

EWI_DEVICE void EWI_K(ghosts)(const struct ewi_cuda_ghosts *call, int64_t block, int64_t i)
{
    struct ewi_clock clock;
    ewi_await_previous();
    ewi_next_may_begin(); /* the stage, whose thread blocks have their tables to fetch */
    if (!ewi_cuda_enter_step(&call->head, block, 1, EWI_FIRST_THREAD, &clock) || i >= call->boundary_slots * EWI_NE)
        return;
    struct ewi_arguments a = call->a;
    int64_t slot = i / EWI_NE;
    int e = (int)(i % EWI_NE), kind = call->ghost[slot / EWI_TILE];
    double f[EWI_FLUX_VALUES], given[EWI_M];
    if (call->head.program && call->head.program[slot / EWI_TILE].length > 0) { /* by a formula, at the stage's time */
        const double *unit = a.normal + ewi_layout_index(EWI_TILE, 2 * EWI_NE, 2 * e, slot);
        a.given = call->given_now;
        for (int m = 0; m < EWI_M; m++)
            given[m] = a.given[ewi_layout_index(EWI_TILE, EWI_NE * EWI_M, e * EWI_M + m, slot)];
        if (!EWI_L(valid)(kind, a.parameter, given, unit[0], unit[EWI_TILE]))
            ewi_cuda_break_off(&call->head);
    }
    EWI_K(boundary_flux)(&a, call->state, kind, slot, e, f);
    for (int k = 0; k < EWI_FLUX_VALUES; k++)
        call->ghosts[ewi_layout_index(EWI_TILE, EWI_NE * EWI_EDGE_VALUES, e * EWI_EDGE_VALUES + k, slot)] = f[k];
}
#else
EWI_DEVICE void EWI_K(ghosts)(const struct ewi_cuda_ghosts *call, int64_t block, int64_t i)
{
    struct ewi_clock clock;
    ewi_await_previous();
    ewi_next_may_begin(); /* the stage, whose thread blocks have their tables to fetch */
    if (!ewi_cuda_enter_step(&call->head, block, 1, EWI_FIRST_THREAD, &clock) || i >= call->boundary_slots * EWI_NE)
        return;
    int64_t slot = i / EWI_NE;
    int e = (int)(i % EWI_NE), kind = call->ghost[slot / EWI_TILE];
    /* by a formula, at the stage's time */
    int now = call->head.program && call->head.program[slot / EWI_TILE].length > 0;
    const double *unit = call->a.normal + ewi_layout_index(EWI_TILE, 2 * EWI_NE, 2 * e, slot);
    int limits = ewi_cuda_limits_on_load(&call->head, call->limits_on_load) ? call->limiter : EWI_NO_LIMITER;
    double u[EWI_M], given[EWI_M], ghost[EWI_M];
    EWI_K(load_boundary)(&call->a, call->state, now ? call->given_now : call->a.given, kind, limits, slot, e, u, given);
    if (now && !EWI_L(valid)(kind, call->a.parameter, given, unit[0], unit[EWI_TILE]))
        ewi_cuda_break_off(&call->head);
    EWI_L(ghost)(kind, call->a.parameter, u, given, unit[0], unit[EWI_TILE], ghost);
    for (int m = 0; m < EWI_M; m++)
        call->ghosts[ewi_layout_index(EWI_TILE, EWI_NE * EWI_M, e * EWI_M + m, slot)] = ghost[m];
}
#endif
EWI_LIST_KERNEL(EWI_NAME(eval_ghosts), ghosts, EWI_K(ghosts))
