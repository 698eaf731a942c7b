/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The states ul, ur of the flux at point e of boundary edges, all of one group: on entry ul is the inner trace, which
 * some ghosts replace.
 *   place: of the edges' elements; slot: of the edges; ghost: a number of EWI_GHOST_LIST
 */
EW_HD void EWI_K(boundary_states)(const struct ewi_arguments *a, const double *state, int ghost, const int64_t *place,
                                  const int64_t *slot, int e, ewi_v *ul, ewi_v *ur)
{
    int64_t unit[EWI_LANES], data[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        unit[lane] = ewi_layout_index(EWI_TILE, 2 * EWI_NE, 2 * e, slot[lane]);
        data[lane] = ewi_layout_index(EWI_TILE, EWI_NE * EWI_M, e * EWI_M, slot[lane]);
    }
    ewi_v given[EWI_M], unit_x = ewi_gather(a->normal, unit), unit_y = ewi_gather(a->normal + EWI_TILE, unit);
#if EWI_HAS_DIFFUSION
    for (int m = 0; m < EWI_M; m++)
        given[m] = ewi_gather(a->given + m * EWI_TILE, data);
    if (ewi_ghost_is_curved(ghost)) {
        ewi_v wall[EWI_M];
        EWI_K(wall_state)(a, state, place, slot, e, unit_x, unit_y, wall);
        EWI_L(wall_motion)(ghost, given, wall);
        for (int m = 0; m < EWI_M; m++)
            given[m] = wall[m];
    }
#else
    if (ghost == EWI_GHOST_curved)
        EWI_K(wall_state)(a, state, place, slot, e, unit_x, unit_y, given);
    else
        for (int m = 0; m < EWI_M; m++)
            given[m] = ewi_gather(a->given + m * EWI_TILE, data);
#endif
    EWI_L(ghost)(ghost, a->parameter, ul, given, unit_x, unit_y, ur);
    for (int m = 0; ewi_ghost_replaces(ghost) && m < EWI_M; m++)
        ul[m] = ur[m];
}
