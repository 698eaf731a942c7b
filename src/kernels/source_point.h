/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A source by formulas at a point of the volume rule, with the integral's weight: weight_q det J S_m(x_q, y_q, t, w_q),
 * in elements i .. i + EWI_LANES - 1. Padded and ghost elements have none, whatever their state.
 * Order of operations: x = (x0 + xr r) + xs s, y alike; det J = xr ys - (xs yr).
 */
struct EWI_K(source_place) {
    ewi_v xr, xs, yr, ys, x0, y0, det;
    ewi_mask has;
};

EW_HD struct EWI_K(source_place) EWI_K(source_place)(const struct ewi_arguments *a, int64_t i)
{
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    const double *origin = a->source.origin + ewi_layout_base(EWI_TILE, 2, i);
    struct EWI_K(source_place) place;
    place.xr = ewi_load(geometry + EWI_XR * EWI_TILE), place.xs = ewi_load(geometry + EWI_XS * EWI_TILE);
    place.yr = ewi_load(geometry + EWI_YR * EWI_TILE), place.ys = ewi_load(geometry + EWI_YS * EWI_TILE);
    place.x0 = ewi_load(origin), place.y0 = ewi_load(origin + EWI_TILE);
    place.det = ewi_fma(place.xr, place.ys, -(place.xs * place.yr));
    place.has = ewi_gt(ewi_load(geometry + EWI_INVERSE_DET * EWI_TILE), ewi_set(0.0));
    return place;
}

EW_HD ewi_v EWI_K(source_x)(const struct EWI_K(source_place) *place, int q)
{
    return ewi_fma(place->xs, ewi_set(EWI_TABLE(S)[q]), ewi_fma(place->xr, ewi_set(EWI_TABLE(R)[q]), place->x0));
}

EW_HD ewi_v EWI_K(source_y)(const struct EWI_K(source_place) *place, int q)
{
    return ewi_fma(place->ys, ewi_set(EWI_TABLE(S)[q]), ewi_fma(place->yr, ewi_set(EWI_TABLE(R)[q]), place->y0));
}

EW_HD ewi_v EWI_K(weighted_source)(const struct EWI_K(source_place) *place, int q, ewi_v source)
{
    return ewi_select(place->has, (ewi_set(EWI_TABLE(WEIGHT)[q]) * place->det) * source, ewi_set(0.0));
}
