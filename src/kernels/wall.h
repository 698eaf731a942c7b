/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state at the true wall: the polynomials of EWI_LANES elements at point e of the curve. At a conservative wall the
 * edge's excess is added to the normal momentum, so that no mass crosses the edge.
 *   place: of the elements; slot: of the edges; nx, ny: the curve's normals
 */
EW_HD void EWI_K(wall_state)(const struct ewi_arguments *a, const double *state, const int64_t *place,
                             const int64_t *slot, int e, ewi_v nx, ewi_v ny, ewi_v *wall)
{
    int64_t table[EWI_LANES], row[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        table[lane] = slot[lane] * (EWI_NE * EWI_NP);
        row[lane] = slot[lane] * (2 * EWI_NP);
    }
    EWI_K(trace)(a, state, place, a->wall + e * EWI_NP, table, wall);
    if (EWI_M < 3 || !a->excess)
        return;
    ewi_v excess = ewi_set(0.0);
    for (int k = 0; k < 2 * EWI_NP; k++)
        excess = ewi_fma(ewi_gather(a->excess + k, row),
                         EWI_K(gather)(state, a->width, place, 1 + k / EWI_NP, k % EWI_NP), excess);
    wall[1] = ewi_fma(excess, nx, wall[1]);
    wall[2 % EWI_M] = ewi_fma(excess, ny, wall[2 % EWI_M]);
}
