/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The integrals int S phi_j of sources in elements i .. i + EWI_LANES - 1, here of a sponge: S = rate (target - u).
 *   reads   state; of the elements' tile, the integrand's weights and the target's coefficients
 *   writes  source: elements `to` .. of an array that is laid out like a state in tiles of EWI_TILE
 * Order of operations: differences of coefficients first, then their value at a point as a chain over ascending j, and
 * the points one after the other.
 */
EW_HD void EWI_K(eval_source)(const struct ewi_arguments *a, const double *state, int64_t i, double *source, int64_t to)
{
    int64_t from = EWI_K(place)(a->width, i), at = EWI_K(place)(EWI_TILE, to), tile = a->sponge[i / EWI_TILE];
    const double *weight = a->sponge_weight + tile * (EWI_NQ * EWI_TILE) + i % EWI_TILE;
    const double *target = a->sponge_target + tile * (EWI_ROWS * EWI_TILE) + i % EWI_TILE;
    for (int m = 0; m < EWI_M; m++) {
        ewi_v difference[EWI_NP], integral[EWI_NP];
        for (int j = 0; j < EWI_NP; j++) {
            ewi_v here = ewi_load(state + EWI_K(at)(a->width, from, m, j));
            difference[j] = ewi_load(target + (m * EWI_NP + j) * EWI_TILE) - here;
            integral[j] = ewi_set(0.0);
        }
        for (int q = 0; q < EWI_NQ; q++) {
            ewi_v value = ewi_set(0.0);
            for (int j = 0; j < EWI_NP; j++)
                value = ewi_fma(EWI_PHI(q, j), difference[j], value);
            value = ewi_load(weight + q * EWI_TILE) * value;
            for (int j = 0; j < EWI_NP; j++)
                integral[j] = ewi_fma(EWI_PHI(q, j), value, integral[j]);
        }
        for (int j = 0; j < EWI_NP; j++)
            ewi_store(source + EWI_K(at)(EWI_TILE, at, m, j), integral[j]);
    }
}
