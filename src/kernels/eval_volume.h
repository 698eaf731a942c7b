/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The volume integrals int_{Omega_0} F(U_i) . (J^-1 grad phi_j) det J dr of elements i .. i + EWI_LANES - 1 (the paper,
 * section "Volume Integration Kernel"); with diffusion F - G in place of F (diffusion.h).
 *   reads   state, geometry [elements]; volume_field, or the elements' media
 *   writes  rhs_volume, laid out like the state
 * Order of operations: a state is a chain over ascending j; points come in groups of four, and within a group first the
 * four d/dr terms and then the four d/ds terms go into one accumulator. j = 0 is constant and has no volume integral.
 */
EW_HD void EWI_K(eval_volume)(const struct ewi_arguments *a, const double *state, double *rhs_volume, int64_t i)
{
    const double *c_row = state + ewi_layout_base(a->width, EWI_ROWS, i);
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    const double *fields = a->volume_field + ewi_layout_base(EWI_TILE, EWI_NQ * EWI_FIELDS, i);
    const double *parameter = ewi_parameter_at(EWI_MEDIA, a->parameter, a->volume_field, i);
    ewi_v xr = ewi_load(geometry + EWI_XR * EWI_TILE), xs = ewi_load(geometry + EWI_XS * EWI_TILE);
    ewi_v yr = ewi_load(geometry + EWI_YR * EWI_TILE), ys = ewi_load(geometry + EWI_YS * EWI_TILE);
#if EWI_HAS_DIFFUSION
    const struct EWI_K(shape) shape = EWI_K(shape_from)(xr, xs, yr, ys);
#endif

    ewi_v c[EWI_M][EWI_NP], integral[EWI_M][EWI_NP];
    for (int m = 0; m < EWI_M; m++)
        for (int j = 0; j < EWI_NP; j++) {
            c[m][j] = ewi_load(c_row + (m * EWI_NP + j) * a->width);
            integral[m][j] = ewi_set(0.0);
        }

    for (int group = 0; group < EWI_NQ; group += 4) {
        int points = EWI_NQ - group < 4 ? EWI_NQ - group : 4;
        ewi_v fr[4][EWI_M], fs[4][EWI_M];
        for (int k = 0; k < points; k++) {
            ewi_v u[EWI_M], field[EWI_FIELD_ROOM];
            for (int m = 0; m < EWI_M; m++) {
                u[m] = ewi_set(0.0);
                for (int j = 0; j < EWI_NP; j++)
                    u[m] = ewi_fma(EWI_PHI(group + k, j), c[m][j], u[m]);
            }
            for (int f = 0; f < EWI_FIELDS; f++)
                field[f] = ewi_load(fields + ((group + k) * EWI_FIELDS + f) * EWI_TILE);
            EWI_L(volume_flux)(parameter, field, u, xr, xs, yr, ys, fr[k], fs[k]);
#if EWI_HAS_DIFFUSION
            EWI_K(diffuse_volume)(parameter, &shape, group + k, u, c, fr[k], fs[k]);
#endif
        }
        for (int m = 0; m < EWI_M; m++)
            for (int j = 1; j < EWI_NP; j++) {
                for (int k = 0; k < points; k++)
                    integral[m][j] = ewi_fma(EWI_DR(group + k, j), fr[k][m], integral[m][j]);
                for (int k = 0; k < points; k++)
                    integral[m][j] = ewi_fma(EWI_DS(group + k, j), fs[k][m], integral[m][j]);
            }
    }

    double *out = rhs_volume + ewi_layout_base(a->width, EWI_ROWS, i);
    for (int m = 0; m < EWI_M; m++)
        for (int j = 0; j < EWI_NP; j++)
            ewi_store(out + (m * EWI_NP + j) * a->width, integral[m][j]);
}
