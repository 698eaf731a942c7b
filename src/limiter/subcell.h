/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finite volumes in elements with shocks, for nonlinear laws. An element has EWI_NP control volumes (tables/README), as
 * many as coefficients; with the means m_n over them, its right-hand side is
 *     (1 - alpha) (volume integrals + side sums) + alpha sum_n lift[j][n] (sum of fluxes into control volume n)
 * Elements with alpha > 0 are divided; an edge of a divided element is touched. alpha holds for a step, and follows
 * from the state at its start (measured: bench/results/subcell.md):
 *   edges     J_z = sum_q w_q z(u_left - u_right), V = max_z z(mean_left - mean_right), with the law's quantities z,
 *             relative to the mean of both elements
 *   elements  ratio = J_z / V, V the largest of the sides; alpha_z = min(max(ratio/R0 - 1, 0), 1); alpha is the largest
 *             of the element's alpha_z and of its neighbours' by the pressure (ewi_subcells.h)
 * Both ratios are of jumps, so that neither the size of a wave nor the frame counts. Boundary sides have no jump.
 *
 * Values at a control volume's faces are its primitive mean and a part of its slope, which the differences to both
 * neighbours bound: both states of a face lie between two means. Three passes a stage, over lists:
 *   divide_elements   control volumes of divided elements: traces, blended with the polynomial's; inner faces
 *   touched_fluxes    the flux of touched edges, which the stage takes in place of its own (kernels/touched.h)
 *   lift_volumes      the sum over a divided element's control volumes, which the stage blends with its own sums
 * Everything else keeps its bits. A vector's lanes have different items of a list; on GPUs the threads of a warp have,
 * and the parts of an item, which are its volumes, faces, points or variables, are shared among warps.
 */
#if EWI_HAS_SUBCELLS
#define EWI_LEAST_JUMP 1e-6  /* added to V, so that relative differences below it divide nothing */
#define EWI_VOLUME_REACH 0.7 /* largest share of the difference to the neighbour's mean that a face's value may take */

/* On a GPU a thread has one volume, face or point of an element; on a CPU it has all of them, one after the other. */
#if defined(__CUDACC__) || defined(__CUDA__)
#define EWI_PIECE EW_HD
#else
#define EWI_PIECE EW_HD_APART
#endif

/* ---- the sensor ---- */

/* A variable's value by a row of a table, which each lane has for itself. */
EW_HD ewi_v EWI_K(value_by_rows)(const ewi_v *c, const double *table, const int64_t *row)
{
    ewi_v u = ewi_set(0.0);
    for (int j = 0; j < EWI_NP; j++)
        u = ewi_fma(ewi_gather(table + j, row), c[j], u);
    return u;
}

#if EWI_OVER_BED
EW_HD ewi_mask EWI_K(are_wet)(const double *state, int64_t width, const int64_t *place)
{
    return ewi_gt(ewi_set(0.0), EWI_K(gather)(state, width, place, EWI_BED_DEPTH, 0));
}
#endif

/* J of all quantities and of the pressure, and V, of inner edges in slots s .. s + EWI_LANES - 1. */
EWI_PIECE void EWI_K(sense_edges)(const struct ewi_arguments *a, const double *state, int64_t s)
{
    int64_t left[EWI_LANES], right[EWI_LANES], left_table[EWI_LANES], right_table[EWI_LANES];
    struct EWI_K(gauge) gauge;
    ewi_v ul[EWI_M], ur[EWI_M], d[EWI_NE][EWI_M], z[EWI_JUMPS], jump[EWI_JUMPS], all = ewi_set(0.0);
    EWI_K(edge_places)(a, s, left, right, left_table, right_table);
    for (int m = 0; m < EWI_M; m++) {
        ewi_v cl[EWI_NP], cr[EWI_NP];
        EWI_K(gather_variable)(state, a->width, left, m, cl);
        EWI_K(gather_variable)(state, a->width, right, m, cr);
        for (int e = 0; e < EWI_NE; e++)
            d[e][m] = EWI_K(value_by_rows)(cl, EWI_TABLE(SIDE) + e * EWI_NP, left_table) -
                      EWI_K(value_by_rows)(cr, EWI_TABLE(SIDE) + (EWI_NE - 1 - e) * EWI_NP, right_table);
        ul[m] = cl[0];
        ur[m] = cr[0];
    }
    ewi_v between = EWI_K(mean_gauge)(a->parameter, 1, ul, ur, &gauge);
    for (int n = 0; n < EWI_JUMPS; n++)
        jump[n] = ewi_set(0.0);
    for (int e = 0; e < EWI_NE; e++) {
        EWI_L(jumps)(gauge.frame, d[e], z);
        for (int n = 0; n < EWI_JUMPS; n++)
            jump[n] = ewi_fma(ewi_set(EWI_TABLE(EDGE_WEIGHT)[e]), z[n] * gauge.scale[n], jump[n]);
    }
    for (int n = 0; n < EWI_JUMPS; n++)
        all = ewi_larger(all, jump[n]);
#if EWI_OVER_BED
    ewi_mask wet = ewi_and(EWI_K(are_wet)(state, a->width, left), EWI_K(are_wet)(state, a->width, right));
    all = ewi_select(wet, all, ewi_set(0.0));
    between = ewi_select(wet, between, ewi_set(0.0));
    jump[EWI_PRESSURE_JUMP] = ewi_select(wet, jump[EWI_PRESSURE_JUMP], ewi_set(0.0));
#endif
    double *at = a->subcells.jumps + ewi_layout_base(EWI_TILE, EWI_SUBCELL_JUMPS, s);
    ewi_store(at + EWI_JUMP_OF_ALL * EWI_TILE, all);
    ewi_store(at + EWI_JUMP_OF_PRESSURE * EWI_TILE, jump[EWI_PRESSURE_JUMP]);
    ewi_store(at + EWI_JUMP_OF_MEANS * EWI_TILE, between + ewi_set(EWI_LEAST_JUMP));
}

/* ---- control volumes ---- */

/*
 * Values of means [n][EWI_VOLUME_VALUES], and the slopes in r and s of those that have them [n][EWI_EVOLVING]. Numbers
 * of one array are EWI_VOLUME_ROOM apart: on GPUs a block has so many elements, side by side.
 */
#ifndef EWI_VOLUME_ROOM
#define EWI_VOLUME_ROOM 1
#endif
struct EWI_K(volumes) {
    ewi_v *w, *r, *s;
};
#define EWI_OF_VOLUME(array, n, m) (array)[((n)*EWI_VOLUME_VALUES + (m)) * EWI_VOLUME_ROOM]
#define EWI_OF_SLOPE(array, n, m) (array)[((n)*EWI_EVOLVING + (m)) * EWI_VOLUME_ROOM]
#define EWI_OF_FACE(array, f, m) (array)[((f)*EWI_M + (m)) * EWI_VOLUME_ROOM]

/* Values 1 and 2 of those with slopes are a vector; the others are scalars. */
#define EWI_EACH_SCALAR(m) for (int m = 0; m < EWI_EVOLVING; m += m == 0 ? 3 : 1)
/* Over a bed, the value without a slope: the mean depth, or 0 in an element that is not wet all over. */
#define EWI_VOLUME_DEPTH 3

/* Ends of faces at volume n, in ascending order: an even one is the face's first. */
#define EWI_EACH_END(end, n)                                                                        \
    for (int k_ = EWI_TABLE(VOLUME_FIRST)[n], end; k_ < EWI_TABLE(VOLUME_FIRST)[(n) + 1] &&         \
                                                   (end = EWI_TABLE(VOLUME_END)[k_], 1); k_++)

/* Coefficients, which are gathered once for all points. */
EW_HD void EWI_K(gather_coefficients)(const struct ewi_arguments *a, const double *state, const int64_t *place,
                                      ewi_v c[][EWI_NP])
{
    for (int m = 0; m < EWI_M; m++)
        EWI_K(gather_variable)(state, a->width, place, m, c[m]);
}

/* Values by a row of a table, which each lane has for itself. */
EW_HD void EWI_K(values_by_rows)(const ewi_v (*c)[EWI_NP], const double *table, const int64_t *row, ewi_v *u)
{
    for (int m = 0; m < EWI_M; m++)
        u[m] = ewi_set(0.0);
    for (int j = 0; j < EWI_NP; j++) {
        ewi_v phi = ewi_gather(table + j, row);
        for (int m = 0; m < EWI_M; m++)
            u[m] = ewi_fma(phi, c[m][j], u[m]);
    }
}

/* Values by one row of a table. */
EW_HD void EWI_K(values_by_row)(const ewi_v (*c)[EWI_NP], const double *row, ewi_v *u)
{
    for (int m = 0; m < EWI_M; m++) {
        u[m] = ewi_set(0.0);
        for (int j = 0; j < EWI_NP; j++)
            u[m] = ewi_fma(ewi_set(row[j]), c[m][j], u[m]);
    }
}

/* A mean's values: primitive ones; over a bed surface, velocity and depth. */
EW_HD void EWI_K(volume_values)(const double *parameter, const ewi_v *u, ewi_v *w)
{
#if EWI_OVER_BED
    ewi_v h = u[EWI_BED_SURFACE] - u[EWI_BED_BED], inverse = ewi_bed_inverse(parameter, h);
    w[0] = u[EWI_BED_SURFACE];
    w[1] = u[EWI_BED_X] * inverse;
    w[2] = u[EWI_BED_Y] * inverse;
    w[EWI_VOLUME_DEPTH] = ewi_select(ewi_gt(ewi_set(0.0), u[EWI_BED_DEPTH]), h, ewi_set(0.0));
#else
    EWI_L(primitive)(parameter, u, w);
#endif
}

/* Volume n's values. */
EWI_PIECE void EWI_K(average_volume)(const struct ewi_arguments *a, int n, const ewi_v (*c)[EWI_NP],
                                     const struct EWI_K(volumes) *v)
{
    ewi_v u[EWI_M], w[EWI_M];
    EWI_K(values_by_row)(c, EWI_TABLE(CV_MEAN) + n * EWI_NP, u);
    EWI_K(volume_values)(a->parameter, u, w);
    for (int m = 0; m < EWI_VOLUME_VALUES; m++)
        EWI_OF_VOLUME(v->w, n, m) = w[m];
}

/* The factor of volume n's slopes r and s with which scalars stay within the neighbours' means at the faces. */
EW_HD ewi_v EWI_K(slope_factor)(int n, const ewi_v *w, const ewi_v *low, const ewi_v *high, const ewi_v *r,
                                const ewi_v *s)
{
    ewi_v factor = ewi_set(1.0);
    EWI_EACH_END(end, n) {
        ewi_v face_r = ewi_set(EWI_TABLE(FACE_R)[end]), face_s = ewi_set(EWI_TABLE(FACE_S)[end]);
        EWI_EACH_SCALAR(m) {
            ewi_v step = ewi_fma(face_r, r[m], face_s * s[m]), size = ewi_abs(step);
            ewi_v room = ewi_select(ewi_gt(step, ewi_set(0.0)), high[m] - w[m], w[m] - low[m]);
            factor = ewi_smaller(factor, ewi_part(ewi_gt(size, room), room, size));
        }
    }
    return factor;
}

/* Volume n's slopes: least squares over the neighbours in the element, bounded. */
EWI_PIECE void EWI_K(find_slope)(int n, const struct EWI_K(volumes) *v)
{
    ewi_v w[EWI_EVOLVING], low[EWI_EVOLVING], high[EWI_EVOLVING], r[EWI_EVOLVING], s[EWI_EVOLVING];
    for (int m = 0; m < EWI_EVOLVING; m++) {
        low[m] = high[m] = w[m] = EWI_OF_VOLUME(v->w, n, m);
        r[m] = s[m] = ewi_set(0.0);
    }
    EWI_EACH_END(end, n) {
        int other = EWI_TABLE(FACE_VOLUME)[end ^ 1];
        ewi_v by_r = ewi_set(EWI_TABLE(FACE_GRADIENT_R)[end]), by_s = ewi_set(EWI_TABLE(FACE_GRADIENT_S)[end]);
        for (int m = 0; m < EWI_EVOLVING; m++) {
            ewi_v there = EWI_OF_VOLUME(v->w, other, m), step = there - w[m];
            r[m] = ewi_fma(by_r, step, r[m]);
            s[m] = ewi_fma(by_s, step, s[m]);
            low[m] = ewi_smaller(low[m], there);
            high[m] = ewi_larger(high[m], there);
        }
    }
    ewi_v factor = EWI_K(slope_factor)(n, w, low, high, r, s);
    for (int m = 0; m < EWI_EVOLVING; m++) {
        EWI_OF_SLOPE(v->r, n, m) = factor * r[m];
        EWI_OF_SLOPE(v->s, n, m) = factor * s[m];
    }
}

/* The values at a face, from the mean `own`, the neighbour's, and the slope's step to the face. */
EWI_PIECE void EWI_K(face_values)(const ewi_v *own, const ewi_v *other, const ewi_v *step, ewi_v *w)
{
    const ewi_v zero = ewi_set(0.0), reach = ewi_set(EWI_VOLUME_REACH);
    EWI_EACH_SCALAR(m) {
        ewi_v most = reach * (other[m] - own[m]);
        ewi_v up = ewi_smaller(ewi_larger(step[m], zero), ewi_larger(most, zero));
        ewi_v down = ewi_larger(ewi_smaller(step[m], zero), ewi_smaller(most, zero));
        w[m] = own[m] + (up + down);
    }
    ewi_v x = other[1] - own[1], y = other[2] - own[2], along = ewi_fma(step[1], x, step[2] * y);
    ewi_v part = ewi_smaller(reach, along * ewi_inverse(ewi_fma(x, x, y * y)));
    part = ewi_select(ewi_gt(along, zero), part, zero);
    w[1] = ewi_fma(part, x, own[1]);
    w[2] = ewi_fma(part, y, own[2]);
}

/* ---- the operator ---- */

EW_HD void EWI_K(scatter)(double *to, const int64_t *offset, ewi_v x)
{
    for (int lane = 0; lane < EWI_LANES; lane++)
        to[offset[lane]] = ewi_lane(x, lane);
}

/* Coefficient j of variable m. */
EW_HD void EWI_K(scatter_at)(double *to, int64_t width, const int64_t *place, int m, int j, ewi_v x)
{
    for (int lane = 0; lane < EWI_LANES; lane++)
        to[EWI_K(at)(width, place[lane], m, j)] = ewi_lane(x, lane);
}

/* The neighbours across a side of some elements. */
struct EWI_K(neighbours) {
    int64_t side[EWI_LANES];
    ewi_v c[EWI_M][EWI_NP];
    ewi_mask inside; /* there is a neighbour, over a bed a wet one */
};

EWI_PIECE void EWI_K(load_neighbours)(const struct ewi_arguments *a, const double *state, int k,
                                      const int64_t *element, struct EWI_K(neighbours) *behind)
{
    int64_t place[EWI_LANES];
    double differs[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        int64_t at = k * a->padded + element[lane];
        place[lane] = EWI_K(place)(a->width, a->neighbour[at]);
        behind->side[lane] = a->neighbour_side[at];
        differs[lane] = a->neighbour[at] != element[lane];
    }
    behind->inside = ewi_gt(ewi_load(differs), ewi_set(0.0));
#if EWI_OVER_BED
    behind->inside = ewi_and(behind->inside, EWI_K(are_wet)(state, a->width, place));
#endif
    EWI_K(gather_coefficients)(a, state, place, behind->c);
}

/* The values of the control volumes behind point e of side k, of which each lane has its own. */
EWI_PIECE void EWI_K(mean_behind)(const struct ewi_arguments *a, const struct EWI_K(neighbours) *behind, int e,
                                  const ewi_v *own, ewi_v *w)
{
    int64_t row[EWI_LANES];
    ewi_v u[EWI_M];
    for (int lane = 0; lane < EWI_LANES; lane++)
        row[lane] = EWI_TABLE(SIDE_VOLUME)[behind->side[lane] * EWI_NE + EWI_NE - 1 - e] * (int64_t)EWI_NP;
    EWI_K(values_by_rows)((const ewi_v(*)[EWI_NP])behind->c, EWI_TABLE(CV_MEAN), row, u);
    EWI_K(volume_values)(a->parameter, u, w);
    for (int m = 0; m < EWI_EVOLVING; m++)
        w[m] = ewi_select(behind->inside, w[m], own[m]);
}

/* The step of volume n's slopes along (r, s), and its mean. */
EW_HD void EWI_K(step_along)(const struct EWI_K(volumes) *v, int n, double r, double s, ewi_v *mean, ewi_v *step)
{
    for (int m = 0; m < EWI_EVOLVING; m++) {
        mean[m] = EWI_OF_VOLUME(v->w, n, m);
        step[m] = ewi_fma(ewi_set(r), EWI_OF_SLOPE(v->r, n, m), ewi_set(s) * EWI_OF_SLOPE(v->s, n, m));
    }
}

/* The map of each element. */
EW_HD void EWI_K(gather_shape)(const struct ewi_arguments *a, const int64_t *element, ewi_v *shape)
{
    int64_t geometry[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        geometry[lane] = ewi_layout_base(EWI_TILE, EWI_GEOMETRY, element[lane]);
    for (int k = 0; k < 4; k++)
        shape[k] = ewi_gather(a->geometry + k * EWI_TILE, geometry);
}

/* The normals of edges, and twice their lengths. */
EW_HD void EWI_K(gather_normal)(const struct ewi_arguments *a, const int64_t *slot, ewi_v *normal)
{
    int64_t geometry[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        geometry[lane] = ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_SIDES + 3 * a->left_side[slot[lane]],
                                          a->left[slot[lane]]);
    for (int k = 0; k < 3; k++)
        normal[k] = ewi_gather(a->geometry + k * EWI_TILE, geometry);
}

#if EWI_OVER_BED
#include "limiter/subcell_bed.h"
#else
/* The conserved state at a face. */
EWI_PIECE void EWI_K(face_state)(const double *parameter, const ewi_v *own, const ewi_v *other, const ewi_v *step,
                                 ewi_v *u)
{
    ewi_v w[EWI_M];
    EWI_K(face_values)(own, other, step, w);
    EWI_L(conserved)(parameter, w, u);
}

/* (1 - alpha) polynomial + alpha control volume at a point of a side. */
EWI_PIECE void EWI_K(blended_trace)(const double *parameter, ewi_v alpha, const ewi_v *polynomial, const ewi_v *own,
                                    const ewi_v *other, const ewi_v *step, ewi_v *u)
{
    ewi_v volume[EWI_M], rest = ewi_set(1.0) - alpha;
    EWI_K(face_state)(parameter, own, other, step, volume);
    for (int m = 0; m < EWI_M; m++)
        u[m] = ewi_select(ewi_gt(alpha, ewi_set(0.0)), ewi_fma(alpha, volume[m], rest * polynomial[m]), polynomial[m]);
}

/* Half the flux through face f, towards its second volume. */
EWI_PIECE void EWI_K(face_flux)(const struct ewi_arguments *a, int f, const ewi_v *shape, const ewi_v (*c)[EWI_NP],
                                const struct EWI_K(volumes) *v, ewi_v *through)
{
    (void)c;
    const ewi_v r = ewi_set(EWI_TABLE(FACE_NORMAL)[2 * f]), s = ewi_set(EWI_TABLE(FACE_NORMAL)[2 * f + 1]);
    ewi_v nx = ewi_fma(shape[EWI_YS], r, -(shape[EWI_YR] * s)), ny = ewi_fma(shape[EWI_XR], s, -(shape[EWI_XS] * r));
    ewi_v w[2][EWI_M], step[2][EWI_M], u[2][EWI_M], flux[EWI_M], field[EWI_FIELD_ROOM] = {nx};
    for (int end = 0; end < 2; end++)
        EWI_K(step_along)(v, EWI_TABLE(FACE_VOLUME)[2 * f + end], EWI_TABLE(FACE_R)[2 * f + end],
                          EWI_TABLE(FACE_S)[2 * f + end], w[end], step[end]);
    EWI_K(face_state)(a->parameter, w[0], w[1], step[0], u[0]);
    EWI_K(face_state)(a->parameter, w[1], w[0], step[1], u[1]);
    EWI_L(numerical_flux)(a->flux, a->parameter, field, u[0], u[1], nx, ny, ewi_root(ewi_fma(nx, nx, ny * ny)), flux);
    for (int m = 0; m < EWI_M; m++)
        through[m] = ewi_set(0.5) * flux[m];
}

/* Stores volume n's sum of fluxes through inner faces as coefficient n of `lifted`. */
EWI_PIECE void EWI_K(sum_faces)(const struct ewi_arguments *a, int n, const int64_t *element,
                                const struct EWI_K(volumes) *v, const ewi_v *through)
{
    (void)v;
    int64_t place[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        place[lane] = EWI_K(place)(a->width, element[lane]);
    ewi_v sum[EWI_M];
    for (int m = 0; m < EWI_M; m++)
        sum[m] = ewi_set(0.0);
    EWI_EACH_END(end, n)
        for (int m = 0; m < EWI_M; m++) {
            ewi_v flux = EWI_OF_FACE(through, end / 2, m);
            sum[m] = end % 2 ? sum[m] + flux : sum[m] - flux;
        }
    for (int m = 0; m < EWI_M; m++)
        EWI_K(scatter_at)(a->subcells.lifted, a->width, place, m, n, sum[m]);
}

/* Stores the blended trace at a point of all sides'. */
EWI_PIECE void EWI_K(blend_point)(const struct ewi_arguments *a, int point, const int64_t *element,
                                  const ewi_v (*c)[EWI_NP], const struct EWI_K(volumes) *v,
                                  const struct EWI_K(neighbours) *behind)
{
    ewi_v polynomial[EWI_M], own[EWI_M], other[EWI_M], step[EWI_M], u[EWI_M];
    int64_t trace[EWI_LANES];
    EWI_K(values_by_row)(c, EWI_TABLE(SIDE) + point * EWI_NP, polynomial);
    EWI_K(step_along)(v, EWI_TABLE(SIDE_VOLUME)[point], EWI_TABLE(SIDE_OFFSET_R)[point],
                      EWI_TABLE(SIDE_OFFSET_S)[point], own, step);
    EWI_K(mean_behind)(a, behind, point % EWI_NE, own, other);
    EWI_K(blended_trace)(a->parameter, ewi_gather(a->subcells.alpha, element), polynomial, own, other, step, u);
    for (int lane = 0; lane < EWI_LANES; lane++)
        trace[lane] = (element[lane] * (3 * EWI_NE) + point) * EWI_M;
    for (int m = 0; m < EWI_M; m++)
        EWI_K(scatter)(a->subcells.trace + m, trace, u[m]);
}

/* The traces at `points` points from `first` on of one side of touched edges: the polynomials', or the stored ones. */
EW_HD void EWI_K(touched_traces)(const struct ewi_arguments *a, const double *state, const int32_t *element,
                                 const uint8_t *side, const int64_t *slot, int first, int points,
                                 ewi_v (*u)[EWI_TOUCHED_VALUES])
{
    int64_t i[EWI_LANES], place[EWI_LANES], table[EWI_LANES], trace[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        i[lane] = element[slot[lane]];
        place[lane] = EWI_K(place)(a->width, i[lane]);
        table[lane] = (side[slot[lane]] * EWI_NE + first) * (int64_t)EWI_NP;
        trace[lane] = ((i[lane] * 3 + side[slot[lane]]) * EWI_NE + first) * EWI_M;
    }
    ewi_mask divided = ewi_gt(ewi_gather(a->subcells.alpha, i), ewi_set(0.0));
    if (!ewi_all(divided)) {
        ewi_v c[EWI_M][EWI_NP];
        EWI_K(gather_coefficients)(a, state, place, c);
        for (int e = 0; e < points; e++)
            EWI_K(values_by_rows)((const ewi_v(*)[EWI_NP])c, EWI_TABLE(SIDE) + e * EWI_NP, table, u[e]);
    }
    for (int e = 0; ewi_any(divided) && e < points; e++)
        for (int m = 0; m < EWI_M; m++) {
            ewi_v stored = ewi_gather(a->subcells.trace + e * EWI_M + m, trace);
            u[e][m] = ewi_all(divided) ? stored : ewi_select(divided, stored, u[e][m]);
        }
}

/* The fluxes at boundaries, whose kind each lane has for itself. */
EW_HD_APART void EWI_K(boundary_fluxes)(const struct ewi_arguments *a, const double *state, const int64_t *slot,
                                        int e, const ewi_v *inner, const ewi_v *normal, ewi_v *flux)
{
    for (int lane = 0; lane < EWI_LANES; lane++) {
        int64_t here[EWI_LANES], own[EWI_LANES];
        ewi_v left[EWI_M], right[EWI_M], of[EWI_M], field[EWI_FIELD_ROOM] = {normal[0]};
        if (slot[lane] >= a->subcells.boundary_slots)
            continue;
        for (int k = 0; k < EWI_LANES; k++) {
            here[k] = slot[lane];
            own[k] = EWI_K(place)(a->width, a->left[slot[lane]]);
        }
        for (int m = 0; m < EWI_M; m++)
            left[m] = inner[m];
        EWI_K(boundary_states)(a, state, a->subcells.ghost[slot[lane] / EWI_TILE], own, here, e, left, right);
        EWI_L(numerical_flux)(a->flux, a->parameter, field, left, right, normal[0], normal[1], normal[2], of);
        for (int m = 0; m < EWI_M; m++)
            flux[m] = ewi_set_lane(flux[m], lane, ewi_lane(of[m], lane));
    }
}

/* Stores the flux at point e of touched edges, in the edges' own direction. given: the boundaries' given states */
EW_HD void EWI_K(touched_flux)(const struct ewi_arguments *a, const double *given, const double *state,
                               const int64_t *slot, int e, const ewi_v *normal, const ewi_v *left, const ewi_v *right)
{
    ewi_v f[EWI_M], field[EWI_FIELD_ROOM] = {normal[0]};
    int64_t at[EWI_LANES];
    int boundary = 0;
    EWI_L(numerical_flux)(a->flux, a->parameter, field, left, right, normal[0], normal[1], normal[2], f);
    for (int lane = 0; lane < EWI_LANES; lane++) {
        at[lane] = (slot[lane] * EWI_NE + e) * EWI_M;
        boundary |= slot[lane] < a->subcells.boundary_slots;
    }
    if (boundary) { /* copies, so that on GPUs the others stay in registers */
        ewi_v flux[EWI_M], inner[EWI_M], copy[3] = {normal[0], normal[1], normal[2]};
        struct ewi_arguments now = *a;
        now.given = given;
        for (int m = 0; m < EWI_M; m++)
            flux[m] = f[m], inner[m] = left[m];
        EWI_K(boundary_fluxes)(&now, state, slot, e, inner, copy, flux);
        for (int m = 0; m < EWI_M; m++)
            f[m] = flux[m];
    }
    for (int m = 0; m < EWI_M; m++)
        EWI_K(scatter)(a->subcells.flux + m, at, f[m]);
}

/* Adds the fluxes of variables first .. first + count - 1 through side k to the control volumes along it. */
EW_HD void EWI_K(add_side)(const struct ewi_arguments *a, int k, const int64_t *element, int first, int count,
                           ewi_v (*flux_sum)[EWI_M])
{
    int64_t begin[EWI_LANES], step[EWI_LANES], at[EWI_LANES];
    double sign[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        int32_t slot = a->side_slot[k * a->padded + element[lane]], right = slot & 1;
        begin[lane] = ((slot >> 1) * (int64_t)EWI_NE + (right ? EWI_NE - 1 : 0)) * EWI_M + first;
        step[lane] = right ? -EWI_M : EWI_M;
        sign[lane] = right ? 0.5 : -0.5;
    }
    for (int e = 0; e < EWI_NE; e++) {
        int n = EWI_TABLE(SIDE_VOLUME)[k * EWI_NE + e];
        ewi_v weight = ewi_set(EWI_TABLE(EDGE_WEIGHT)[e]) * ewi_load(sign);
        for (int lane = 0; lane < EWI_LANES; lane++)
            at[lane] = begin[lane] + e * step[lane];
        for (int m = 0; m < count; m++)
            flux_sum[n][m] = ewi_fma(weight, ewi_gather(a->subcells.flux + m, at), flux_sum[n][m]);
    }
}

/*
 * alpha times the right-hand side of control volumes, times det J, in place of their sums of fluxes: of variables
 * first .. first + count - 1
 */
EW_HD void EWI_K(lift_variables)(const struct ewi_arguments *a, const int64_t *element, int first, int count)
{
    ewi_v flux_sum[EWI_NP][EWI_M], alpha = ewi_gather(a->subcells.alpha, element);
    double *lifted = a->subcells.lifted;
    int64_t place[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        place[lane] = EWI_K(place)(a->width, element[lane]);
    for (int n = 0; n < EWI_NP; n++)
        for (int m = 0; m < count; m++)
            flux_sum[n][m] = EWI_K(gather)(lifted, a->width, place, first + m, n);
    for (int k = 0; k < 3; k++)
        EWI_K(add_side)(a, k, element, first, count, flux_sum);
    for (int m = 0; m < count; m++)
        for (int j = 0; j < EWI_NP; j++) {
            ewi_v sum = ewi_set(0.0);
            for (int n = 0; n < EWI_NP; n++)
                sum = ewi_fma(ewi_set(EWI_TABLE(CV_LIFT)[j * EWI_NP + n]), flux_sum[n][m], sum);
            EWI_K(scatter_at)(lifted, a->width, place, first + m, j, alpha * sum);
        }
}
#endif

/* ---- the passes ---- */

#if EWI_VOLUME_ROOM == 1
/* All parts of divided elements, one after the other. */
EW_HD_APART void EWI_K(divide_elements)(const struct ewi_arguments *a, const double *state, const int64_t *element)
{
    ewi_v c[EWI_M][EWI_NP], w[EWI_NP * EWI_VOLUME_VALUES], r[EWI_NP * EWI_EVOLVING], s[EWI_NP * EWI_EVOLVING];
    ewi_v shape[4], through[EWI_FACES * EWI_M];
    const struct EWI_K(volumes) v = {w, r, s};
    int64_t place[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        place[lane] = EWI_K(place)(a->width, element[lane]);
    EWI_K(gather_shape)(a, element, shape);
    EWI_K(gather_coefficients)(a, state, place, c);
    for (int n = 0; n < EWI_NP; n++)
        EWI_K(average_volume)(a, n, (const ewi_v(*)[EWI_NP])c, &v);
    for (int n = 0; n < EWI_NP; n++)
        EWI_K(find_slope)(n, &v);
    for (int k = 0; k < 3; k++) {
        struct EWI_K(neighbours) behind;
        EWI_K(load_neighbours)(a, state, k, element, &behind);
        for (int e = 0; e < EWI_NE; e++)
            EWI_K(blend_point)(a, k * EWI_NE + e, element, (const ewi_v(*)[EWI_NP])c, &v, &behind);
    }
    for (int f = 0; f < EWI_FACES; f++)
        EWI_K(face_flux)(a, f, shape, (const ewi_v(*)[EWI_NP])c, &v, through + f * EWI_M);
    for (int n = 0; n < EWI_NP; n++)
        EWI_K(sum_faces)(a, n, element, &v, through);
}
#endif

/* All points of touched edges. */
EW_HD_APART void EWI_K(touched_fluxes)(const struct ewi_arguments *a, const double *state, const int64_t *slot)
{
    ewi_v normal[3], left[EWI_NE][EWI_TOUCHED_VALUES], right[EWI_NE][EWI_TOUCHED_VALUES];
    EWI_K(gather_normal)(a, slot, normal);
    EWI_K(touched_traces)(a, state, a->left, a->left_side, slot, 0, EWI_NE, left);
    EWI_K(touched_traces)(a, state, a->right, a->right_side, slot, 0, EWI_NE, right);
    for (int e = 0; e < EWI_NE; e++)
        EWI_K(touched_flux)(a, a->given, state, slot, e, normal, left[e], right[EWI_NE - 1 - e]);
}

EW_HD_APART void EWI_K(lift_volumes)(const struct ewi_arguments *a, const int64_t *element)
{
    EWI_K(lift_variables)(a, element, 0, EWI_EVOLVING);
}

#undef EWI_EACH_SCALAR
#undef EWI_VOLUME_DEPTH
#undef EWI_EACH_END
#undef EWI_OF_VOLUME
#undef EWI_OF_SLOPE
#undef EWI_OF_FACE
#undef EWI_PIECE
#endif
