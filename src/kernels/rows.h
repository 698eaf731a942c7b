/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the coefficients of an element lie in a state, for bodies that do not care. A place is what is worked out once
 * of an element, and each coefficient's place follows from it. A backend with another order of rows has its own.
 */
EW_HD int64_t EWI_K(place)(int64_t width, int64_t i) { return ewi_layout_base(width, EWI_ROWS, i); }

/* Coefficient j of variable m. */
EW_HD int64_t EWI_K(at)(int64_t width, int64_t place, int m, int j) { return place + (m * EWI_NP + j) * width; }

EW_HD ewi_v EWI_K(gather)(const double *state, int64_t width, const int64_t *place, int m, int j)
{
    return ewi_gather(state + (m * EWI_NP + j) * width, place);
}

/* All coefficients of variable m. */
EW_HD void EWI_K(gather_variable)(const double *state, int64_t width, const int64_t *place, int m, ewi_v *c)
{
    for (int j = 0; j < EWI_NP; j++)
        c[j] = EWI_K(gather)(state, width, place, m, j);
}
