/* SPDX-License-Identifier: BSD-2-Clause */
/* As trace.h; the last variable is constant. */
EW_HD void EWI_K(trace)(const struct ewi_arguments *a, const double *state, const int64_t *place, const double *phi,
                        const int64_t *table, ewi_v *u)
{
    for (int m = 0; m < EWI_BED_DEPTH; m++) {
        u[m] = ewi_set(0.0);
        for (int j = 0; j < EWI_NP; j++)
            u[m] = ewi_fma(ewi_gather(phi + j, table), EWI_K(gather)(state, a->width, place, m, j), u[m]);
    }
    u[EWI_BED_DEPTH] = ewi_set(EWI_BED_SQRT2) * EWI_K(gather)(state, a->width, place, EWI_BED_DEPTH, 0);
}
