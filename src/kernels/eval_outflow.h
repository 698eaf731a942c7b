/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adds time * int F_n ds to the outflow of the boundary edges in slots s .. s + EWI_LANES - 1, all of one group.
 *   reads   state of the edges' elements, edge geometry, side mappings; boundary data; edge_field or media
 *   writes  outflow: rows [variables] in tiles of boundary slots
 * Order of operations: the fluxes are those of eval_surface; a chain over the points in the left element's
 * counter-clockwise order, then one fma with the time.
 */
EW_HD void EWI_K(eval_outflow)(const struct ewi_arguments *a, const double *state, int ghost, double time,
                               double *outflow, int64_t s)
{
    int64_t place[EWI_LANES], table[EWI_LANES], geometry[EWI_LANES], fields[EWI_LANES];
    int64_t element[EWI_LANES], slot[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        int64_t left = a->left[s + lane], side = a->left_side[s + lane];
        element[lane] = left;
        slot[lane] = s + lane;
        place[lane] = EWI_K(place)(a->width, left);
        table[lane] = side * (EWI_NE * EWI_NP);
        geometry[lane] = ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_SIDES + 3 * side, left);
        fields[lane] = ewi_layout_index(EWI_TILE, 3 * EWI_NE * EWI_FIELDS, side * EWI_NE * EWI_FIELDS, left);
    }
    ewi_v nx = ewi_gather(a->geometry, geometry), ny = ewi_gather(a->geometry + EWI_TILE, geometry);
    ewi_v length = ewi_gather(a->geometry + 2 * EWI_TILE, geometry), sum[EWI_M];
    ewi_v field[EWI_FIELD_ROOM];
    for (int m = 0; m < EWI_M; m++)
        sum[m] = ewi_set(0.0);
    EWI_K(media_of)(a, element, element, field);
#if EWI_HAS_DIFFUSION
    const struct EWI_K(diffusing_side) own = {place, table, EWI_K(shape_of)(a, a->left + s)};
#endif
    for (int e = 0; e < EWI_NE; e++) {
        ewi_v ul[EWI_M], ur[EWI_M], f[EWI_M];
        EWI_K(trace)(a, state, place, EWI_TABLE(SIDE) + e * EWI_NP, table, ul);
        EWI_K(boundary_states)(a, state, ghost, place, slot, e, ul, ur);
        for (int d = 0; d < EWI_FIELDS; d++)
            field[d] = ewi_gather(a->edge_field + (e * EWI_FIELDS + d) * EWI_TILE, fields);
        EWI_L(numerical_flux)(a->flux, a->parameter, field, ul, ur, nx, ny, length, f);
        EWI_K(take_touched)(a, slot, e, f);
#if EWI_HAS_DIFFUSION
        struct EWI_K(symmetry) symmetry;
        EWI_K(diffuse_boundary_edge)(a, state, ghost, slot, e, &own, nx, ny, length, f, &symmetry);
#endif
        for (int m = 0; m < EWI_M; m++)
            sum[m] = ewi_fma(ewi_set(0.5 * EWI_TABLE(EDGE_WEIGHT)[e]), f[m], sum[m]);
    }
    double *out = outflow + ewi_layout_base(EWI_TILE, EWI_M, s);
    for (int m = 0; m < EWI_M; m++)
        ewi_store(out + m * EWI_TILE, ewi_fma(ewi_set(time), sum[m], ewi_load(out + m * EWI_TILE)));
}
