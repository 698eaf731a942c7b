/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The integrals int S_m phi_j of variable m's source in elements i .. i + EWI_LANES - 1: of sponges, S = rate (target -
 * u), and of formulas.
 *   reads   state; of the elements' tile, a sponge's weights and the target's coefficients; `values` of formulas, with
 *           the integral's weights (source_point.h) at [(q variables + m) EWI_TILE], or NULL
 *   writes  source: elements `to` .. of an array that is laid out like a state in tiles of EWI_TILE
 * Order of operations: a sponge comes before formulas. For a sponge, differences of coefficients first, then their
 * value at a point as a chain over ascending j; the points one after the other.
 */
EW_HD void EWI_K(integrate_sponge)(const struct ewi_arguments *a, const double *state, int64_t i, int m,
                                   ewi_v *integral)
{
    int64_t from = EWI_K(place)(a->width, i), tile = a->sponge[i / EWI_TILE];
    const double *weight = a->sponge_weight + tile * (EWI_NQ * EWI_TILE) + i % EWI_TILE;
    const double *target = a->sponge_target + tile * (EWI_ROWS * EWI_TILE) + i % EWI_TILE;
    ewi_v difference[EWI_NP];
    for (int j = 0; j < EWI_NP; j++) {
        ewi_v here = ewi_load(state + EWI_K(at)(a->width, from, m, j));
        difference[j] = ewi_load(target + (m * EWI_NP + j) * EWI_TILE) - here;
    }
    for (int q = 0; q < EWI_NQ; q++) {
        ewi_v value = ewi_set(0.0);
        for (int j = 0; j < EWI_NP; j++)
            value = ewi_fma(EWI_PHI(q, j), difference[j], value);
        value = ewi_load(weight + q * EWI_TILE) * value;
        for (int j = 0; j < EWI_NP; j++)
            integral[j] = ewi_fma(EWI_PHI(q, j), value, integral[j]);
    }
}

EW_HD void EWI_K(integrate_formulas)(const double *values, int m, ewi_v *integral)
{
    for (int q = 0; q < EWI_NQ; q++) {
        ewi_v value = ewi_load(values + (q * EWI_M + m) * EWI_TILE);
        for (int j = 0; j < EWI_NP; j++)
            integral[j] = ewi_fma(EWI_PHI(q, j), value, integral[j]);
    }
}

EW_HD void EWI_K(eval_source)(const struct ewi_arguments *a, const double *state, const double *values, int64_t i,
                              int m, double *source, int64_t to)
{
    int64_t at = EWI_K(place)(EWI_TILE, to);
    ewi_v integral[EWI_NP];
    for (int j = 0; j < EWI_NP; j++)
        integral[j] = ewi_set(0.0);
    if (a->sponge && a->sponge[i / EWI_TILE] >= 0)
        EWI_K(integrate_sponge)(a, state, i, m, integral);
    if (values)
        EWI_K(integrate_formulas)(values, m, integral);
    for (int j = 0; j < EWI_NP; j++)
        ewi_store(source + EWI_K(at)(EWI_TILE, at, m, j), integral[j]);
}
