/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A source by formulas in elements i .. i + EWI_LANES - 1 at points first .. last - 1 of the volume rule, with the
 * integral's weights: values[(q variables + m) width] = weight_q det J S_m(x_q, y_q, t, w_q).
 *   reads   state; geometry and origin [elements]
 * EWI_SOURCE_POINTS is the largest last - first.
 * Order of operations: u as in eval_volume; x = (x0 + xr r) + xs s, y alike; det J = xr ys - (xs yr).
 */
EW_HD void EWI_K(source_points)(const struct ewi_arguments *a, const double *state, double t, int64_t i, int first,
                                int last, double *values, int width)
{
    enum { ROOM = EWI_SOURCE_POINTS * EWI_LANES };
    const struct ewi_source *of = &a->source;
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    const double *origin = of->origin + ewi_layout_base(EWI_TILE, 2, i);
    ewi_v xr = ewi_load(geometry + EWI_XR * EWI_TILE), xs = ewi_load(geometry + EWI_XS * EWI_TILE);
    ewi_v yr = ewi_load(geometry + EWI_YR * EWI_TILE), ys = ewi_load(geometry + EWI_YS * EWI_TILE);
    ewi_v x0 = ewi_load(origin), y0 = ewi_load(origin + EWI_TILE);
    int64_t place = EWI_K(place)(a->width, i);
    const double *parameter = ewi_parameter_at(EWI_MEDIA, a->parameter, a->volume_field, i);
    double x[ROOM], y[ROOM], w[EWI_M * ROOM], s[EWI_M * ROOM];
    for (int q = first; q < last; q++) {
        ewi_v u[EWI_M], primitive[EWI_M];
        ewi_v r_q = ewi_set(EWI_TABLE(R)[q]), s_q = ewi_set(EWI_TABLE(S)[q]);
        int at = (q - first) * EWI_LANES;
        for (int m = 0; m < EWI_M; m++) {
            u[m] = ewi_set(0.0);
            for (int j = 0; j < EWI_NP; j++)
                u[m] = ewi_fma(EWI_PHI(q, j), ewi_load(state + EWI_K(at)(a->width, place, m, j)), u[m]);
        }
        EWI_L(primitive)(parameter, u, primitive);
        for (int m = 0; m < EWI_M; m++)
            ewi_store(w + m * ROOM + at, primitive[m]);
        ewi_store(x + at, ewi_fma(xs, s_q, ewi_fma(xr, r_q, x0)));
        ewi_store(y + at, ewi_fma(ys, s_q, ewi_fma(yr, r_q, y0)));
    }
#if EWI_SOURCE_POINTS > 1
    ewi_program_evaluate_all(&of->program, (size_t)(last - first) * EWI_LANES, x, y, t, w, s, ROOM);
#else
    ewi_program_evaluate(of->program.code, of->program.length, of->program.constant, of->program.raster, x[0], y[0], t,
                         w, s, 1);
#endif
    /* Padded and ghost elements have none, whatever their state. */
    ewi_mask has = ewi_gt(ewi_load(geometry + EWI_INVERSE_DET * EWI_TILE), ewi_set(0.0));
    ewi_v det = ewi_fma(xr, ys, -(xs * yr));
    for (int q = first; q < last; q++)
        for (int m = 0; m < EWI_M; m++) {
            ewi_v value = (ewi_set(EWI_TABLE(WEIGHT)[q]) * det) * ewi_load(s + m * ROOM + (q - first) * EWI_LANES);
            ewi_store(values + (q * EWI_M + m) * width, ewi_select(has, value, ewi_set(0.0)));
        }
}
