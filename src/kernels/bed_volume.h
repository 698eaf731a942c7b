/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Volume integrals of water over a bed (physics/shallow_water_bed.h) in elements i .. i + EWI_LANES - 1: fluxes without
 * pressure to the derivatives of phi_j, and -g H grad surface to phi_j.
 *   reads   state, geometry [elements]
 *   writes  rhs_volume, laid out like the state; in the bed's first row, which has no rate, the largest k of the
 *           friction -k m of wet elements times det J
 * Order of operations: values are chains over ascending j; the points one after the other, each with its d/dr, d/ds and
 * last its phi_j term.
 */

/* A state at a point of each element: c are the rows of surface, momenta and bed, depth the first one of the last. */
EW_HD void EWI_K(bed_state)(ewi_v (*c)[EWI_NP], ewi_v depth, const double *phi, ewi_v *u)
{
    for (int m = 0; m < EWI_BED_DEPTH; m++) {
        u[m] = ewi_set(0.0);
        for (int j = 0; j < EWI_NP; j++)
            u[m] = ewi_fma(ewi_set(phi[j]), c[m][j], u[m]);
    }
    u[EWI_BED_DEPTH] = ewi_set(EWI_BED_SQRT2) * depth;
}

/* The friction of wet elements at a point, added to s. Returns its k. */
EW_HD ewi_v EWI_K(bed_drag)(const double *parameter, const ewi_v *u, ewi_v det, ewi_v *s)
{
    struct ewi_bed_point w = ewi_bed_point(parameter, u);
    ewi_v zero = ewi_set(0.0), speed = ewi_root(ewi_fma(w.vx, w.vx, w.vy * w.vy));
    ewi_v k = ewi_select(ewi_gt(zero, u[EWI_BED_DEPTH]), ewi_bed_friction(parameter, w.h, speed), zero);
    s[1] = ewi_fma(-(k * det), u[EWI_BED_X], s[1]);
    s[2] = ewi_fma(-(k * det), u[EWI_BED_Y], s[2]);
    return k;
}

/* fr, fs: of mass and momenta along the reference axes, times det J; s: the momenta's sources times det J. */
EW_HD void EWI_K(bed_flux)(const double *parameter, const ewi_v *u, ewi_v slope_r, ewi_v slope_s, const ewi_v *map,
                           ewi_v *fr, ewi_v *fs, ewi_v *s)
{
    ewi_v xr = map[EWI_XR], xs = map[EWI_XS], yr = map[EWI_YR], ys = map[EWI_YS];
    struct ewi_bed_point w = ewi_bed_point(parameter, u);
    ewi_mask wet = ewi_gt(ewi_set(0.0), u[EWI_BED_DEPTH]);
    ewi_v mx = ewi_select(wet, u[EWI_BED_X], w.h * w.vx), my = ewi_select(wet, u[EWI_BED_Y], w.h * w.vy);
    ewi_v a = ewi_fma(ys, w.vx, -(xs * w.vy)), b = ewi_fma(xr, w.vy, -(yr * w.vx));
    ewi_v push = ewi_set(-parameter[EWI_BED_GRAVITY]) * w.h;
    fr[0] = ewi_fma(ys, mx, -(xs * my));
    fr[1] = mx * a;
    fr[2] = my * a;
    fs[0] = ewi_fma(xr, my, -(yr * mx));
    fs[1] = mx * b;
    fs[2] = my * b;
    s[0] = ewi_set(0.0);
    s[1] = push * ewi_fma(slope_r, ys, -(slope_s * yr));
    s[2] = push * ewi_fma(slope_s, xr, -(slope_r * xs));
}

EW_HD void EWI_K(eval_volume)(const struct ewi_arguments *a, const double *state, double *rhs_volume, int64_t i)
{
    const double *row = state + ewi_layout_base(a->width, EWI_ROWS, i);
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    ewi_v c[EWI_BED_DEPTH][EWI_NP], integral[3][EWI_NP], map[4];
    for (int k = 0; k < 4; k++)
        map[k] = ewi_load(geometry + k * EWI_TILE);
    for (int j = 0; j < EWI_NP; j++) {
        for (int m = 0; m < EWI_BED_DEPTH; m++)
            c[m][j] = ewi_load(row + (m * EWI_NP + j) * a->width);
        for (int m = 0; m < 3; m++)
            integral[m][j] = ewi_set(0.0);
    }
    ewi_v depth = ewi_load(row + EWI_BED_DEPTH * EWI_NP * a->width), most = ewi_set(0.0);
    ewi_v det = ewi_fma(map[EWI_XR], map[EWI_YS], -(map[EWI_XS] * map[EWI_YR]));

    for (int q = 0; q < EWI_NQ; q++) {
        ewi_v u[EWI_M], fr[3], fs[3], s[3], slope_r = ewi_set(0.0), slope_s = ewi_set(0.0);
        EWI_K(bed_state)(c, depth, EWI_TABLE(PHI) + q * EWI_NP, u);
        for (int j = 1; j < EWI_NP; j++) {
            slope_r = ewi_fma(ewi_set(EWI_TABLE(SLOPE_R)[q * EWI_NP + j]), c[EWI_BED_SURFACE][j], slope_r);
            slope_s = ewi_fma(ewi_set(EWI_TABLE(SLOPE_S)[q * EWI_NP + j]), c[EWI_BED_SURFACE][j], slope_s);
        }
        EWI_K(bed_flux)(a->parameter, u, slope_r, slope_s, map, fr, fs, s);
        if (a->parameter[EWI_BED_MANNING] > 0.0)
            most = ewi_max(most, EWI_K(bed_drag)(a->parameter, u, det, s));
        for (int m = 0; m < 3; m++)
            for (int j = 0; j < EWI_NP; j++) {
                ewi_v along = ewi_fma(EWI_DS(q, j), fs[m], ewi_fma(EWI_DR(q, j), fr[m], integral[m][j]));
                integral[m][j] = ewi_fma(ewi_set(EWI_TABLE(PROJECT)[q * EWI_NP + j]), s[m], along);
            }
    }

    double *out = rhs_volume + ewi_layout_base(a->width, EWI_ROWS, i);
    for (int m = 0; m < EWI_M; m++)
        for (int j = 0; j < EWI_NP; j++)
            ewi_store(out + (m * EWI_NP + j) * a->width, m < 3 ? integral[m][j] : ewi_set(0.0));
    ewi_store(out + EWI_BED_BED * EWI_NP * a->width, most * det);
}
