/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The states of EWI_LANES elements at a point of which each lane has its own: `table` is where its side's basis
 * functions lie behind `phi`.
 */
EW_HD void EWI_K(trace)(const struct ewi_arguments *a, const double *state, const int64_t *place, const double *phi,
                        const int64_t *table, ewi_v *u)
{
    for (int m = 0; m < EWI_M; m++) {
        u[m] = ewi_set(0.0);
        for (int j = 0; j < EWI_NP; j++)
            u[m] = ewi_fma(ewi_gather(phi + j, table), EWI_K(gather)(state, a->width, place, m, j), u[m]);
    }
}
