/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The surface integrals -int phi_j F_n ds of edges in slots s .. s + EWI_LANES - 1, all of one group, for their left
 * and right elements (the paper, section "Surface Integration Kernel").
 *   reads   state of the left and right elements, edge geometry, side mappings; boundary data; edge_field or media
 *   writes  rhs_surface_left, rhs_surface_right: laid out like the state, over slots
 * ghost < 0: inner edges; otherwise a number of EWI_GHOST_LIST. Order of operations: one flux per point in the edge's
 * own orientation, from left to right, and its negative for the right element, which sees the points in reverse; an
 * element adds a side's points in its own counter-clockwise order. Diffusion adds its terms behind them (diffusion.h).
 */
EW_HD void EWI_K(eval_surface)(const struct ewi_arguments *a, const double *state, int ghost, double *rhs_surface_left,
                               double *rhs_surface_right, int64_t s)
{
    int64_t left[EWI_LANES], right[EWI_LANES], left_table[EWI_LANES], right_table[EWI_LANES], geometry[EWI_LANES];
    int64_t slot[EWI_LANES];
    int64_t fields[EWI_LANES], first[EWI_LANES], second[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        int64_t l = a->left[s + lane], r = a->right[s + lane], side = a->left_side[s + lane];
        first[lane] = l;
        second[lane] = r;
        left[lane] = ewi_layout_base(a->width, EWI_ROWS, l);
        right[lane] = ewi_layout_base(a->width, EWI_ROWS, r);
        slot[lane] = s + lane;
        left_table[lane] = side * (EWI_NE * EWI_NP);
        right_table[lane] = (int64_t)a->right_side[s + lane] * (EWI_NE * EWI_NP);
        geometry[lane] = ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_SIDES + 3 * side, l);
        fields[lane] = ewi_layout_index(EWI_TILE, 3 * EWI_NE * EWI_FIELDS, side * EWI_NE * EWI_FIELDS, l);
    }
    ewi_v nx = ewi_gather(a->geometry, geometry), ny = ewi_gather(a->geometry + EWI_TILE, geometry);
    ewi_v length = ewi_gather(a->geometry + 2 * EWI_TILE, geometry);

    ewi_v field[EWI_FIELD_ROOM];
    EWI_K(media_of)(a, first, second, field);

#if EWI_HAS_DIFFUSION
    const struct EWI_K(diffusing_side) own = {left, left_table, EWI_K(shape_of)(a, a->left + s)};
    const struct EWI_K(diffusing_side) other = {right, right_table, EWI_K(shape_of)(a, a->right + s)};
    ewi_v left_r[EWI_NE][EWI_DIFFUSING], left_s[EWI_NE][EWI_DIFFUSING];
    ewi_v right_r[EWI_NE][EWI_DIFFUSING], right_s[EWI_NE][EWI_DIFFUSING];
#endif

    ewi_v flux[EWI_NE][EWI_M]; /* times -weight: what the left element adds */
    for (int e = 0; e < EWI_NE; e++) {
        ewi_v ul[EWI_M], ur[EWI_M], f[EWI_M];
        const double *left_phi = EWI_TABLE(SIDE) + e * EWI_NP, *right_phi = EWI_TABLE(SIDE) + (EWI_NE - 1 - e) * EWI_NP;
        EWI_K(trace)(a, state, left, left_phi, left_table, ul);
        for (int f_ = 0; f_ < EWI_FIELDS; f_++)
            field[f_] = ewi_gather(a->edge_field + (e * EWI_FIELDS + f_) * EWI_TILE, fields);
        if (ghost < 0) {
            EWI_K(trace)(a, state, right, right_phi, right_table, ur);
        } else {
            EWI_K(boundary_states)(a, state, ghost, left, slot, e, ul, ur);
        }
        EWI_L(numerical_flux)(a->flux, a->parameter, field, ul, ur, nx, ny, length, f);
        EWI_K(take_touched)(a, slot, e, f);
#if EWI_HAS_DIFFUSION
        struct EWI_K(symmetry) symmetry;
        if (ghost < 0)
            EWI_K(diffuse_edge)(a, state, e, &own, &other, nx, ny, f, &symmetry);
        else
            EWI_K(diffuse_boundary_edge)(a, state, ghost, slot, e, &own, nx, ny, length, f, &symmetry);
        EWI_K(turn_symmetry)(&own.shape, e, &symmetry, left_r[e], left_s[e]);
        EWI_K(turn_symmetry)(&other.shape, e, &symmetry, right_r[EWI_NE - 1 - e], right_s[EWI_NE - 1 - e]);
#endif
        for (int m = 0; m < EWI_M; m++)
            flux[e][m] = ewi_set(-0.5 * EWI_TABLE(EDGE_WEIGHT)[e]) * f[m];
    }

    double *out_left = rhs_surface_left + ewi_layout_base(a->width, EWI_ROWS, s);
    double *out_right = rhs_surface_right + ewi_layout_base(a->width, EWI_ROWS, s);
    for (int m = 0; m < EWI_M; m++)
        for (int j = 0; j < EWI_NP; j++) {
            ewi_v sum_left = ewi_set(0.0), sum_right = ewi_set(0.0);
            for (int e = 0; e < EWI_NE; e++) {
                const double *phi = EWI_TABLE(SIDE) + e * EWI_NP + j;
                sum_left = ewi_fma(ewi_gather(phi, left_table), flux[e][m], sum_left);
                sum_right = ewi_fma(ewi_gather(phi, right_table), -flux[EWI_NE - 1 - e][m], sum_right);
            }
#if EWI_HAS_DIFFUSION
            sum_left = EWI_K(add_symmetry)(m, j, left_table, left_r, left_s, sum_left);
            sum_right = EWI_K(add_symmetry)(m, j, right_table, right_r, right_s, sum_right);
#endif
            ewi_store(out_left + (m * EWI_NP + j) * a->width, sum_left);
            ewi_store(out_right + (m * EWI_NP + j) * a->width, sum_right);
        }
}
