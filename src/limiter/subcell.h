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
 * neighbours bound: both states of a face lie between two means. Three bodies a stage, over lists:
 *   divide_elements   control volumes of divided elements: traces, blended with the polynomial's; inner faces
 *   touched_fluxes    the flux of touched edges, which the stage takes in place of its own (kernels/touched.h)
 *   lift_volumes      the sum over a divided element's control volumes, which the stage blends with its own sums
 * Everything else keeps its bits.
 */
#if EWI_HAS_SUBCELLS
#define EWI_LEAST_JUMP 1e-6  /* added to V, so that relative differences below it divide nothing */
#define EWI_VOLUME_REACH 0.7 /* largest share of the difference to the neighbour's mean that a face's value may take */

/* ---- the sensor ---- */

/* J of all quantities and of the pressure, and V, of inner edges in slots s .. s + EWI_LANES - 1. */
EW_HD_APART void EWI_K(sense_edges)(const struct ewi_arguments *a, const double *state, int64_t s)
{
    int64_t left[EWI_LANES], right[EWI_LANES], left_table[EWI_LANES], right_table[EWI_LANES];
    struct EWI_K(gauge) gauge;
    ewi_v ul[EWI_M], ur[EWI_M], z[EWI_JUMPS], jump[EWI_JUMPS], all = ewi_set(0.0);
    EWI_K(edge_places)(a, s, left, right, left_table, right_table);
    for (int m = 0; m < EWI_M; m++) {
        ul[m] = EWI_K(gather)(state, a->width, left, m, 0);
        ur[m] = EWI_K(gather)(state, a->width, right, m, 0);
    }
    ewi_v between = EWI_K(mean_gauge)(a->parameter, 1, ul, ur, &gauge);
    for (int n = 0; n < EWI_JUMPS; n++)
        jump[n] = ewi_set(0.0);
    for (int e = 0; e < EWI_NE; e++) {
        EWI_K(trace)(a, state, left, EWI_TABLE(SIDE) + e * EWI_NP, left_table, ul);
        EWI_K(trace)(a, state, right, EWI_TABLE(SIDE) + (EWI_NE - 1 - e) * EWI_NP, right_table, ur);
        for (int m = 0; m < EWI_M; m++)
            ul[m] = ul[m] - ur[m];
        EWI_L(jumps)(gauge.frame, ul, z);
        for (int n = 0; n < EWI_JUMPS; n++)
            jump[n] = ewi_fma(ewi_set(EWI_TABLE(EDGE_WEIGHT)[e]), z[n] * gauge.scale[n], jump[n]);
    }
    for (int n = 0; n < EWI_JUMPS; n++)
        all = ewi_larger(all, jump[n]);
    double *at = a->subcells.jumps + ewi_layout_base(EWI_TILE, EWI_SUBCELL_JUMPS, s);
    ewi_store(at + EWI_JUMP_OF_ALL * EWI_TILE, all);
    ewi_store(at + EWI_JUMP_OF_PRESSURE * EWI_TILE, jump[EWI_PRESSURE_JUMP]);
    ewi_store(at + EWI_JUMP_OF_MEANS * EWI_TILE, between + ewi_set(EWI_LEAST_JUMP));
}

/* ---- control volumes ---- */

/* Coefficients; primitive means, and their slopes in r and s. */
struct EWI_K(volumes) {
    ewi_v c[EWI_M][EWI_NP];
    ewi_v w[EWI_NP][EWI_M], r[EWI_NP][EWI_M], s[EWI_NP][EWI_M];
};

/* Components 1 and 2 are a vector; the others are scalars. */
#define EWI_EACH_SCALAR(m) for (int m = 0; m < EWI_M; m += m == 0 ? 3 : 1)

/* Coefficients, which are gathered once for all points. */
EW_HD void EWI_K(gather_coefficients)(const struct ewi_arguments *a, const double *state, const int64_t *place,
                                      ewi_v c[][EWI_NP])
{
    for (int m = 0; m < EWI_M; m++)
        for (int j = 0; j < EWI_NP; j++)
            c[m][j] = EWI_K(gather)(state, a->width, place, m, j);
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

EW_HD_APART void EWI_K(average_volumes)(const struct ewi_arguments *a, const double *state, const int64_t *place,
                                        struct EWI_K(volumes) *v)
{
    ewi_v u[EWI_M];
    EWI_K(gather_coefficients)(a, state, place, v->c);
    for (int n = 0; n < EWI_NP; n++) {
        for (int m = 0; m < EWI_M; m++) {
            u[m] = ewi_set(0.0);
            for (int j = 0; j < EWI_NP; j++)
                u[m] = ewi_fma(ewi_set(EWI_TABLE(CV_MEAN)[n * EWI_NP + j]), v->c[m][j], u[m]);
        }
        EWI_L(primitive)(a->parameter, u, v->w[n]);
    }
}

/* The factor of the slopes with which scalars stay within the neighbours' means at the faces. */
EW_HD_APART void EWI_K(bound_slopes)(const ewi_v (*low)[EWI_M], const ewi_v (*high)[EWI_M], struct EWI_K(volumes) *v)
{
    ewi_v factor[EWI_NP];
    for (int n = 0; n < EWI_NP; n++)
        factor[n] = ewi_set(1.0);
    for (int end = 0; end < 2 * EWI_FACES; end++) {
        int n = EWI_TABLE(FACE_VOLUME)[end];
        ewi_v r = ewi_set(EWI_TABLE(FACE_R)[end]), s = ewi_set(EWI_TABLE(FACE_S)[end]);
        EWI_EACH_SCALAR(m) {
            ewi_v step = ewi_fma(r, v->r[n][m], s * v->s[n][m]), size = ewi_abs(step);
            ewi_v room = ewi_select(ewi_gt(step, ewi_set(0.0)), high[n][m] - v->w[n][m], v->w[n][m] - low[n][m]);
            factor[n] = ewi_smaller(factor[n], ewi_part(ewi_gt(size, room), room, size));
        }
    }
    for (int n = 0; n < EWI_NP; n++)
        for (int m = 0; m < EWI_M; m++) {
            v->r[n][m] = factor[n] * v->r[n][m];
            v->s[n][m] = factor[n] * v->s[n][m];
        }
}

/* Least squares over the neighbours in the element. */
EW_HD_APART void EWI_K(find_slopes)(struct EWI_K(volumes) *v)
{
    ewi_v low[EWI_NP][EWI_M], high[EWI_NP][EWI_M];
    for (int n = 0; n < EWI_NP; n++)
        for (int m = 0; m < EWI_M; m++) {
            low[n][m] = high[n][m] = v->w[n][m];
            v->r[n][m] = v->s[n][m] = ewi_set(0.0);
        }
    for (int end = 0; end < 2 * EWI_FACES; end++) {
        int n = EWI_TABLE(FACE_VOLUME)[end], other = EWI_TABLE(FACE_VOLUME)[end ^ 1];
        ewi_v r = ewi_set(EWI_TABLE(FACE_GRADIENT_R)[end]), s = ewi_set(EWI_TABLE(FACE_GRADIENT_S)[end]);
        for (int m = 0; m < EWI_M; m++) {
            ewi_v step = v->w[other][m] - v->w[n][m];
            v->r[n][m] = ewi_fma(r, step, v->r[n][m]);
            v->s[n][m] = ewi_fma(s, step, v->s[n][m]);
            low[n][m] = ewi_smaller(low[n][m], v->w[other][m]);
            high[n][m] = ewi_larger(high[n][m], v->w[other][m]);
        }
    }
    EWI_K(bound_slopes)((const ewi_v(*)[EWI_M])low, (const ewi_v(*)[EWI_M])high, v);
}

/* The conserved state at a face, from the mean `own`, the neighbour's, and the slope's step to the face. */
EW_HD_APART void EWI_K(face_state)(const double *parameter, const ewi_v *own, const ewi_v *other, const ewi_v *step,
                                   ewi_v *u)
{
    const ewi_v zero = ewi_set(0.0), reach = ewi_set(EWI_VOLUME_REACH);
    ewi_v w[EWI_M];
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
    EWI_L(conserved)(parameter, w, u);
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
    ewi_mask inside; /* there is a neighbour */
};

EW_HD_APART void EWI_K(load_neighbours)(const struct ewi_arguments *a, const double *state, int k,
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
    EWI_K(gather_coefficients)(a, state, place, behind->c);
}

/* The primitive means of the control volumes behind point e of side k, of which each lane has its own. */
EW_HD_APART void EWI_K(mean_behind)(const struct ewi_arguments *a, const struct EWI_K(neighbours) *behind, int e,
                                    const ewi_v *own, ewi_v *w)
{
    int64_t row[EWI_LANES];
    ewi_v u[EWI_M];
    for (int lane = 0; lane < EWI_LANES; lane++)
        row[lane] = EWI_TABLE(SIDE_VOLUME)[behind->side[lane] * EWI_NE + EWI_NE - 1 - e] * (int64_t)EWI_NP;
    EWI_K(values_by_rows)((const ewi_v(*)[EWI_NP])behind->c, EWI_TABLE(CV_MEAN), row, u);
    EWI_L(primitive)(a->parameter, u, w);
    for (int m = 0; m < EWI_M; m++)
        w[m] = ewi_select(behind->inside, w[m], own[m]);
}

/* (1 - alpha) polynomial + alpha control volume at a point of a side. */
EW_HD_APART void EWI_K(blended_trace)(const double *parameter, ewi_v alpha, const ewi_v *polynomial, const ewi_v *own,
                                      const ewi_v *other, const ewi_v *step, ewi_v *u)
{
    ewi_v volume[EWI_M], rest = ewi_set(1.0) - alpha;
    EWI_K(face_state)(parameter, own, other, step, volume);
    for (int m = 0; m < EWI_M; m++)
        u[m] = ewi_select(ewi_gt(alpha, ewi_set(0.0)), ewi_fma(alpha, volume[m], rest * polynomial[m]), polynomial[m]);
}

/* The step of a volume's slopes to point `point` of all sides. */
EW_HD void EWI_K(step_to_side)(const struct EWI_K(volumes) *v, int point, ewi_v *step)
{
    int n = EWI_TABLE(SIDE_VOLUME)[point];
    for (int m = 0; m < EWI_M; m++)
        step[m] = ewi_fma(ewi_set(EWI_TABLE(SIDE_OFFSET_R)[point]), v->r[n][m],
                          ewi_set(EWI_TABLE(SIDE_OFFSET_S)[point]) * v->s[n][m]);
}

/* Adds the flux through face f to both of its volumes. */
EW_HD_APART void EWI_K(add_face)(const struct ewi_arguments *a, int f, const ewi_v *shape,
                                 const struct EWI_K(volumes) *v, ewi_v (*flux_sum)[EWI_M])
{
    const ewi_v r = ewi_set(EWI_TABLE(FACE_NORMAL)[2 * f]), s = ewi_set(EWI_TABLE(FACE_NORMAL)[2 * f + 1]);
    ewi_v nx = ewi_fma(shape[EWI_YS], r, -(shape[EWI_YR] * s)), ny = ewi_fma(shape[EWI_XR], s, -(shape[EWI_XS] * r));
    ewi_v u[2][EWI_M], flux[EWI_M], field[EWI_FIELD_ROOM] = {nx};
    for (int end = 0; end < 2; end++) {
        int n = EWI_TABLE(FACE_VOLUME)[2 * f + end], other = EWI_TABLE(FACE_VOLUME)[2 * f + 1 - end];
        ewi_v step[EWI_M];
        for (int m = 0; m < EWI_M; m++)
            step[m] = ewi_fma(ewi_set(EWI_TABLE(FACE_R)[2 * f + end]), v->r[n][m],
                              ewi_set(EWI_TABLE(FACE_S)[2 * f + end]) * v->s[n][m]);
        EWI_K(face_state)(a->parameter, v->w[n], v->w[other], step, u[end]);
    }
    EWI_L(numerical_flux)(a->flux, a->parameter, field, u[0], u[1], nx, ny, ewi_root(ewi_fma(nx, nx, ny * ny)), flux);
    int from = EWI_TABLE(FACE_VOLUME)[2 * f], to = EWI_TABLE(FACE_VOLUME)[2 * f + 1];
    for (int m = 0; m < EWI_M; m++) {
        ewi_v through = ewi_set(0.5) * flux[m];
        flux_sum[from][m] = flux_sum[from][m] - through;
        flux_sum[to][m] = flux_sum[to][m] + through;
    }
}

/* Stores the blended traces on side k. */
EW_HD_APART void EWI_K(divide_side)(const struct ewi_arguments *a, const double *state, int k, const int64_t *element,
                                    ewi_v alpha, const struct EWI_K(volumes) *v)
{
    struct EWI_K(neighbours) behind;
    int64_t trace[EWI_LANES];
    EWI_K(load_neighbours)(a, state, k, element, &behind);
    for (int e = 0; e < EWI_NE; e++) {
        const ewi_v *mean = v->w[EWI_TABLE(SIDE_VOLUME)[k * EWI_NE + e]];
        ewi_v polynomial[EWI_M], other[EWI_M], step[EWI_M], u[EWI_M];
        for (int m = 0; m < EWI_M; m++) {
            polynomial[m] = ewi_set(0.0);
            for (int j = 0; j < EWI_NP; j++)
                polynomial[m] = ewi_fma(EWI_SIDE(k, e, j), v->c[m][j], polynomial[m]);
        }
        EWI_K(mean_behind)(a, &behind, e, mean, other);
        EWI_K(step_to_side)(v, k * EWI_NE + e, step);
        EWI_K(blended_trace)(a->parameter, alpha, polynomial, mean, other, step, u);
        for (int lane = 0; lane < EWI_LANES; lane++)
            trace[lane] = ((element[lane] * 3 + k) * EWI_NE + e) * EWI_M;
        for (int m = 0; m < EWI_M; m++)
            EWI_K(scatter)(a->subcells.trace + m, trace, u[m]);
    }
}

/* Traces, and in a->subcells.lifted the sums of fluxes through inner faces, coefficient n being control volume n. */
EW_HD_APART void EWI_K(divide_elements)(const struct ewi_arguments *a, const double *state, const int64_t *element)
{
    struct EWI_K(volumes) v;
    ewi_v flux_sum[EWI_NP][EWI_M], shape[4], alpha = ewi_gather(a->subcells.alpha, element);
    int64_t place[EWI_LANES], geometry[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        place[lane] = EWI_K(place)(a->width, element[lane]);
        geometry[lane] = ewi_layout_base(EWI_TILE, EWI_GEOMETRY, element[lane]);
    }
    for (int k = 0; k < 4; k++)
        shape[k] = ewi_gather(a->geometry + k * EWI_TILE, geometry);
    EWI_K(average_volumes)(a, state, place, &v);
    EWI_K(find_slopes)(&v);
    for (int n = 0; n < EWI_NP; n++)
        for (int m = 0; m < EWI_M; m++)
            flux_sum[n][m] = ewi_set(0.0);
    for (int f = 0; f < EWI_FACES; f++)
        EWI_K(add_face)(a, f, shape, &v, flux_sum);
    for (int n = 0; n < EWI_NP; n++)
        for (int m = 0; m < EWI_M; m++)
            EWI_K(scatter_at)(a->subcells.lifted, a->width, place, m, n, flux_sum[n][m]);
    for (int k = 0; k < 3; k++)
        EWI_K(divide_side)(a, state, k, element, alpha, &v);
}

/* The traces at all points of one side of touched edges: the polynomials', or what divide_elements has stored. */
EW_HD_APART void EWI_K(touched_traces)(const struct ewi_arguments *a, const double *state, const int32_t *element,
                                       const uint8_t *side, const int64_t *slot, ewi_v (*u)[EWI_M])
{
    int64_t i[EWI_LANES], place[EWI_LANES], table[EWI_LANES], trace[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        i[lane] = element[slot[lane]];
        place[lane] = EWI_K(place)(a->width, i[lane]);
        table[lane] = side[slot[lane]] * (int64_t)(EWI_NE * EWI_NP);
        trace[lane] = (i[lane] * 3 + side[slot[lane]]) * (EWI_NE * EWI_M);
    }
    ewi_mask divided = ewi_gt(ewi_gather(a->subcells.alpha, i), ewi_set(0.0));
    if (!ewi_all(divided)) {
        ewi_v c[EWI_M][EWI_NP];
        EWI_K(gather_coefficients)(a, state, place, c);
        for (int e = 0; e < EWI_NE; e++)
            EWI_K(values_by_rows)((const ewi_v(*)[EWI_NP])c, EWI_TABLE(SIDE) + e * EWI_NP, table, u[e]);
    }
    for (int e = 0; ewi_any(divided) && e < EWI_NE; e++)
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

/* The fluxes at the points of touched edges, in the edges' own direction. */
EW_HD_APART void EWI_K(touched_fluxes)(const struct ewi_arguments *a, const double *state, const int64_t *slot)
{
    int64_t geometry[EWI_LANES], at[EWI_LANES];
    ewi_v normal[3], left[EWI_NE][EWI_M], right[EWI_NE][EWI_M];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        geometry[lane] = ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_SIDES + 3 * a->left_side[slot[lane]],
                                          a->left[slot[lane]]);
        at[lane] = slot[lane] * (EWI_NE * EWI_M);
    }
    for (int k = 0; k < 3; k++)
        normal[k] = ewi_gather(a->geometry + k * EWI_TILE, geometry);
    EWI_K(touched_traces)(a, state, a->left, a->left_side, slot, left);
    EWI_K(touched_traces)(a, state, a->right, a->right_side, slot, right);
    for (int e = 0; e < EWI_NE; e++) {
        ewi_v f[EWI_M], field[EWI_FIELD_ROOM] = {normal[0]};
        EWI_L(numerical_flux)(a->flux, a->parameter, field, left[e], right[EWI_NE - 1 - e], normal[0], normal[1],
                              normal[2], f);
        EWI_K(boundary_fluxes)(a, state, slot, e, left[e], normal, f);
        for (int m = 0; m < EWI_M; m++)
            EWI_K(scatter)(a->subcells.flux + e * EWI_M + m, at, f[m]);
    }
}

/* Adds the fluxes through side k to the control volumes along it. */
EW_HD_APART void EWI_K(add_side)(const struct ewi_arguments *a, int k, const int64_t *element,
                                 ewi_v (*flux_sum)[EWI_M])
{
    int64_t first[EWI_LANES], step[EWI_LANES], at[EWI_LANES];
    double sign[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        int32_t slot = a->side_slot[k * a->padded + element[lane]], right = slot & 1;
        first[lane] = ((slot >> 1) * (int64_t)EWI_NE + (right ? EWI_NE - 1 : 0)) * EWI_M;
        step[lane] = right ? -EWI_M : EWI_M;
        sign[lane] = right ? 0.5 : -0.5;
    }
    for (int e = 0; e < EWI_NE; e++) {
        int n = EWI_TABLE(SIDE_VOLUME)[k * EWI_NE + e];
        ewi_v weight = ewi_set(EWI_TABLE(EDGE_WEIGHT)[e]) * ewi_load(sign);
        for (int lane = 0; lane < EWI_LANES; lane++)
            at[lane] = first[lane] + e * step[lane];
        for (int m = 0; m < EWI_M; m++)
            flux_sum[n][m] = ewi_fma(weight, ewi_gather(a->subcells.flux + m, at), flux_sum[n][m]);
    }
}

/* alpha times the right-hand side of control volumes, times det J, in place of their sums of fluxes. */
EW_HD_APART void EWI_K(lift_volumes)(const struct ewi_arguments *a, const int64_t *element)
{
    ewi_v flux_sum[EWI_NP][EWI_M], alpha = ewi_gather(a->subcells.alpha, element);
    double *lifted = a->subcells.lifted;
    int64_t place[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        place[lane] = EWI_K(place)(a->width, element[lane]);
    for (int n = 0; n < EWI_NP; n++)
        for (int m = 0; m < EWI_M; m++)
            flux_sum[n][m] = EWI_K(gather)(lifted, a->width, place, m, n);
    for (int k = 0; k < 3; k++)
        EWI_K(add_side)(a, k, element, flux_sum);
    for (int m = 0; m < EWI_M; m++)
        for (int j = 0; j < EWI_NP; j++) {
            ewi_v sum = ewi_set(0.0);
            for (int n = 0; n < EWI_NP; n++)
                sum = ewi_fma(ewi_set(EWI_TABLE(CV_LIFT)[j * EWI_NP + n]), flux_sum[n][m], sum);
            EWI_K(scatter_at)(lifted, a->width, place, m, j, alpha * sum);
        }
}

#undef EWI_EACH_SCALAR
#endif
