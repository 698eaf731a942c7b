/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * eval_ghosts: the states behind boundary edges at their points, a thread per point, once before a stage: the stage's
 * kernel has no registers for what few edges need. For laws with gradients it computes the fluxes there, and S.
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
/* The coefficients of variable m of an element in a stage's state, limited if the limiter is pending. */
EWI_DEVICE void EWI_K(take_variable)(const struct ewi_cuda_ghosts *call, int64_t element, int m, const double *tile,
                                     double *c)
{
    EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
        c[j] = tile[EWI_K(row)(m, j, (int)(element % EWI_TILE))];
    if (EWI_LIMITS_BY_MEANS && ewi_cuda_limits_on_load(&call->head, call->limits_on_load)) {
        double one[1][EWI_NP], other[1][3], alpha[1];
        EWI_UNROLL for (int k = 0; k < 3; k++)
            other[0][k] = call->state[EWI_K(at)(0, call->a.neighbour[k * call->a.padded + element], m, 0)];
        EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            one[0][j] = c[j];
        EWI_K(factors)(call->limiter, 1, one, other, alpha);
        EWI_UNROLL for (int j = 1; j < EWI_NP; j++)
            c[j] = alpha[0] * c[j];
    }
}

EWI_DEVICE void EWI_K(ghosts)(const struct ewi_cuda_ghosts *call, int64_t block, int64_t i)
{
    struct ewi_clock clock;
    ewi_await_previous();
    ewi_next_may_begin(); /* the stage, whose thread blocks have their tables to fetch */
    if (!ewi_cuda_enter_step(&call->head, block, 1, EWI_FIRST_THREAD, &clock) || i >= call->boundary_slots * EWI_NE)
        return;
    int64_t slot = i / EWI_NE, e = i % EWI_NE, element = call->a.left[slot];
    const double *c = call->state + EWI_K(tile_of)(element);
    const double *phi = EWI_TABLE(SIDE) + (call->a.left_side[slot] * EWI_NE + e) * EWI_NP;
    const double *unit = call->a.normal + ewi_layout_index(EWI_TILE, 2 * EWI_NE, 2 * e, slot);
    int64_t row = ewi_layout_index(EWI_TILE, EWI_NE * EWI_M, e * EWI_M, slot);
    /* by a formula, at the stage's time */
    int now = call->head.program && call->head.program[slot / EWI_TILE].length > 0;
    const double *states = now ? call->given_now : call->a.given;
    int kind = call->ghost[slot / EWI_TILE];
    const double *wall = kind == EWI_GHOST_curved ? call->a.wall + i * EWI_NP : NULL;
    const double *closing = wall && call->a.excess ? call->a.excess + slot * (2 * EWI_NP) : NULL;
    double u[EWI_M], given[EWI_M], ghost[EWI_M], excess = 0.0;
    for (int m = 0; m < EWI_M; m++) {
        double here[EWI_NP];
        EWI_K(take_variable)(call, element, m, c, here);
        u[m] = 0.0;
        EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            u[m] = ewi_fma(phi[j], here[j], u[m]);
        given[m] = wall ? 0.0 : states[row + m * EWI_TILE];
        for (int j = 0; wall && j < EWI_NP; j++)
            given[m] = ewi_fma(wall[j], here[j], given[m]);
        for (int j = 0; closing && (m == 1 || m == 2) && j < EWI_NP; j++)
            excess = ewi_fma(closing[(m - 1) * EWI_NP + j], here[j], excess);
    }
    for (int m = 1; closing && m < 3 && m < EWI_M; m++)
        given[m] = ewi_fma(excess, unit[(m - 1) * EWI_TILE], given[m]);
    if (now && !EWI_L(valid)(kind, call->a.parameter, given, unit[0], unit[EWI_TILE]))
        ewi_cuda_break_off(&call->head);
    EWI_L(ghost)(kind, call->a.parameter, u, given, unit[0], unit[EWI_TILE], ghost);
    for (int m = 0; m < EWI_M; m++)
        call->ghosts[row + m * EWI_TILE] = ghost[m];
}
#endif
EWI_LIST_KERNEL(EWI_NAME(eval_ghosts), ghosts, EWI_K(ghosts))
