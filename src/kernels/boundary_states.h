/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The states ul, ur of the flux at point e of boundary edges in slots s .. s + EWI_LANES - 1, all of one group: on
 * entry ul is the inner trace, which some ghosts replace.
 *   place: of the edges' elements; ghost: a number of EWI_GHOST_LIST
 */
EW_HD void EWI_K(boundary_states)(const struct ewi_arguments *a, const double *state, int ghost, const int64_t *place,
                                  int64_t s, int e, ewi_v *ul, ewi_v *ur)
{
    const double *unit = a->normal + ewi_layout_index(EWI_TILE, 2 * EWI_NE, 2 * e, s);
    const double *data = a->given + ewi_layout_index(EWI_TILE, EWI_NE * EWI_M, e * EWI_M, s);
    ewi_v given[EWI_M], unit_x = ewi_load(unit), unit_y = ewi_load(unit + EWI_TILE);
    int64_t slot[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        slot[lane] = s + lane;
    if (ghost == EWI_GHOST_curved)
        EWI_K(wall_state)(a, state, place, slot, e, unit_x, unit_y, given);
    else
        for (int m = 0; m < EWI_M; m++)
            given[m] = ewi_load(data + m * EWI_TILE);
    EWI_L(ghost)(ghost, a->parameter, ul, given, unit_x, unit_y, ur);
    for (int m = 0; ewi_ghost_replaces(ghost) && m < EWI_M; m++)
        ul[m] = ur[m];
}
