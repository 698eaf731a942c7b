/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finite volumes in elements with shocks, for nonlinear laws. An element has EWI_NP control volumes (tables/README), as
 * many as coefficients; with the means m_n over them, its right-hand side is
 *     (1 - alpha) (what it is without limiter) + alpha sum_n lift[j][n] (sum of fluxes into volume n)
 * Once a step, alpha follows from the state at the step's start (measured: bench/results/subcell.md):
 *   edges     J_z = sum_q w_q z(u_left - u_right), V = max_z z(mean_left - mean_right), with the law's quantities z,
 *             relative to the mean of both elements
 *   elements  ratio = J_z / V, V the largest of the sides; the share is (ratio/R0 - 1), from 0 to 1; alpha is the
 *             largest of the element's shares by all z and of its neighbours' by the pressure alone
 * Both ratios are of jumps, so that neither the size of a wave nor the frame counts. Boundary sides have no jump.
 *
 * Values at a volume's faces are its primitive mean and a part of its slope, which the differences to both neighbours
 * bound: both states of a face lie between two means. The numerical flux at a point of a side is one for both operators
 * and both elements; where alpha > 0, its state there is (1 - alpha) (the polynomial's) + alpha (the volume's).
 *
 * The operator is an addition to right-hand sides, of elements with alpha > 0 and of their neighbours. All others are
 * left alone, and keep their bits.
 */
#if EWI_HAS_SUBCELLS
#define EWI_SUBCELL_START (EWI_ORDER == 1 ? 0.3 : EWI_ORDER == 2 ? 0.2 : 0.13) /* R0 */
#define EWI_SUBCELL_UNSEEN 1e-6 /* added to V: relative differences below it are not looked at */
#define EWI_SUBCELL_REACH 0.7   /* of the difference to the neighbour, that a face's value may take */

/* ---- the sensor ---- */

/* The scales of an edge's jumps, without the wave speed that is in the law's; returns V. */
EW_HD ewi_v EWI_K(relative_gauge)(const double *parameter, const ewi_v *left, const ewi_v *right,
                                  struct EWI_K(gauge) *gauge)
{
    ewi_v mean[EWI_M], jump[EWI_M], z[EWI_JUMPS];
    for (int m = 0; m < EWI_M; m++) {
        mean[m] = ewi_set(0.5 * EWI_SQRT2) * (left[m] + right[m]);
        jump[m] = ewi_set(EWI_SQRT2) * (left[m] - right[m]);
    }
    EWI_L(frame)(parameter, mean, gauge->frame);
    EWI_L(jumps)(gauge->frame, jump, z);
    EWI_L(jump_scales)(parameter, mean, z, gauge->scale);
    ewi_v slowness = ewi_inverse(gauge->scale[0] * mean[0]);
    for (int k = 0; k < EWI_JUMPS; k++)
        gauge->scale[k] = gauge->scale[k] * slowness;
    return EWI_K(gauged)(gauge, jump);
}

/* Side k of elements i .. i + EWI_LANES - 1, from inside and from its neighbour. */
struct EWI_K(subcell_side) {
    int64_t place[EWI_LANES], table[EWI_LANES]; /* of the neighbour, and of its side's basis functions */
    ewi_mask inside;                            /* there is a neighbour */
};

EW_HD struct EWI_K(subcell_side) EWI_K(subcell_side)(const struct ewi_arguments *a, int k, int64_t i)
{
    struct EWI_K(subcell_side) side;
    double differs[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        int32_t other = a->neighbour[k * a->padded + i + lane];
        side.place[lane] = EWI_K(place)(a->width, other);
        side.table[lane] = a->neighbour_side[k * a->padded + i + lane] * (int64_t)(EWI_NE * EWI_NP);
        differs[lane] = other != i + lane;
    }
    side.inside = ewi_gt(ewi_load(differs), ewi_set(0.0));
    return side;
}

/* Coefficients, which are gathered once for all points. */
EW_HD void EWI_K(gather_coefficients)(const struct ewi_arguments *a, const double *state, const int64_t *place,
                                      ewi_v c[][EWI_NP])
{
    for (int m = 0; m < EWI_M; m++)
        for (int j = 0; j < EWI_NP; j++)
            c[m][j] = EWI_K(gather)(state, a->width, place, m, j);
}

/* The states at point e of a side, which is side k of all lanes, or the one that each has for itself. */
EW_HD void EWI_K(trace_of_side)(const ewi_v (*c)[EWI_NP], int k, int e, ewi_v *u)
{
    for (int m = 0; m < EWI_M; m++) {
        u[m] = ewi_set(0.0);
        for (int j = 0; j < EWI_NP; j++)
            u[m] = ewi_fma(EWI_SIDE(k, e, j), c[m][j], u[m]);
    }
}

EW_HD void EWI_K(trace_of_sides)(const ewi_v (*c)[EWI_NP], const int64_t *table, int e, ewi_v *u)
{
    for (int m = 0; m < EWI_M; m++)
        u[m] = ewi_set(0.0);
    for (int j = 0; j < EWI_NP; j++) {
        ewi_v phi = ewi_gather(EWI_TABLE(SIDE) + e * EWI_NP + j, table);
        for (int m = 0; m < EWI_M; m++)
            u[m] = ewi_fma(phi, c[m][j], u[m]);
    }
}

EW_HD ewi_v EWI_K(subcell_share)(ewi_v jump, ewi_v slowness)
{
    ewi_v share = ewi_fma(jump * slowness, ewi_set(1.0 / EWI_SUBCELL_START), ewi_set(-1.0));
    return ewi_smaller(ewi_set(1.0), ewi_larger(ewi_set(0.0), share));
}

/* The shares of elements i .. i + EWI_LANES - 1 by their own jumps, of all z and of the pressure. */
EW_HD_APART void EWI_K(sense_subcells)(const struct ewi_arguments *a, const double *state, int64_t i)
{
    ewi_v most = ewi_set(0.0), all = ewi_set(0.0), pressure = ewi_set(0.0);
    ewi_v own[EWI_M][EWI_NP], other[EWI_M][EWI_NP];
    for (int m = 0; m < EWI_M; m++)
        for (int j = 0; j < EWI_NP; j++)
            own[m][j] = ewi_load(state + EWI_K(at)(a->width, EWI_K(place)(a->width, i), m, j));
    for (int k = 0; k < 3; k++) {
        const struct EWI_K(subcell_side) side = EWI_K(subcell_side)(a, k, i);
        struct EWI_K(gauge) gauge;
        ewi_v ul[EWI_M], ur[EWI_M], z[EWI_JUMPS], jump[EWI_JUMPS];
        EWI_K(gather_coefficients)(a, state, side.place, other);
        for (int m = 0; m < EWI_M; m++) {
            ul[m] = own[m][0];
            ur[m] = other[m][0];
        }
        most = ewi_larger(most, EWI_K(relative_gauge)(a->parameter, ul, ur, &gauge));
        for (int n = 0; n < EWI_JUMPS; n++)
            jump[n] = ewi_set(0.0);
        for (int e = 0; e < EWI_NE; e++) {
            EWI_K(trace_of_side)((const ewi_v(*)[EWI_NP])own, k, e, ul);
            EWI_K(trace_of_sides)((const ewi_v(*)[EWI_NP])other, side.table, EWI_NE - 1 - e, ur);
            for (int m = 0; m < EWI_M; m++)
                ul[m] = ul[m] - ur[m];
            EWI_L(jumps)(gauge.frame, ul, z);
            for (int n = 0; n < EWI_JUMPS; n++)
                jump[n] = ewi_fma(ewi_set(EWI_TABLE(EDGE_WEIGHT)[e]), z[n] * gauge.scale[n], jump[n]);
        }
        for (int n = 0; n < EWI_JUMPS; n++) {
            jump[n] = ewi_select(side.inside, jump[n], ewi_set(0.0));
            all = ewi_larger(all, jump[n]);
        }
        pressure = ewi_larger(pressure, jump[EWI_PRESSURE_JUMP]);
    }
    ewi_v slowness = ewi_inverse(most + ewi_set(EWI_SUBCELL_UNSEEN));
    ewi_store(a->subcells.sensed + i, EWI_K(subcell_share)(all, slowness));
    ewi_store(a->subcells.sensed + a->padded + i, EWI_K(subcell_share)(pressure, slowness));
}

/* ---- control volumes ---- */

/* Coefficients; primitive means, and their slopes in r and s. */
struct EWI_K(volumes) {
    ewi_v c[EWI_M][EWI_NP];
    ewi_v w[EWI_NP][EWI_M], r[EWI_NP][EWI_M], s[EWI_NP][EWI_M];
};

/* Components 1 and 2 are a vector; the others are scalars. */
#define EWI_EACH_SCALAR(m) for (int m = 0; m < EWI_M; m += m == 0 ? 3 : 1)

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

/* The share of the slopes by which scalars stay within the neighbours' means at the faces. */
EW_HD_APART void EWI_K(bound_slopes)(const ewi_v (*low)[EWI_M], const ewi_v (*high)[EWI_M], struct EWI_K(volumes) *v)
{
    ewi_v share[EWI_NP];
    for (int n = 0; n < EWI_NP; n++)
        share[n] = ewi_set(1.0);
    for (int end = 0; end < 2 * EWI_FACES; end++) {
        int n = EWI_TABLE(FACE_VOLUME)[end];
        ewi_v r = ewi_set(EWI_TABLE(FACE_R)[end]), s = ewi_set(EWI_TABLE(FACE_S)[end]);
        EWI_EACH_SCALAR(m) {
            ewi_v step = ewi_fma(r, v->r[n][m], s * v->s[n][m]), size = ewi_abs(step);
            ewi_v room = ewi_select(ewi_gt(step, ewi_set(0.0)), high[n][m] - v->w[n][m], v->w[n][m] - low[n][m]);
            share[n] = ewi_smaller(share[n], ewi_part(ewi_gt(size, room), room, size));
        }
    }
    for (int n = 0; n < EWI_NP; n++)
        for (int m = 0; m < EWI_M; m++) {
            v->r[n][m] = share[n] * v->r[n][m];
            v->s[n][m] = share[n] * v->s[n][m];
        }
}

/* Least squares over the neighbours in the element; only where they are wanted in a lane. */
EW_HD_APART void EWI_K(find_slopes)(ewi_mask wanted, struct EWI_K(volumes) *v)
{
    ewi_v low[EWI_NP][EWI_M], high[EWI_NP][EWI_M];
    for (int n = 0; n < EWI_NP; n++)
        for (int m = 0; m < EWI_M; m++) {
            low[n][m] = high[n][m] = v->w[n][m];
            v->r[n][m] = v->s[n][m] = ewi_set(0.0);
        }
    if (!ewi_any(wanted))
        return;
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
    const ewi_v zero = ewi_set(0.0), reach = ewi_set(EWI_SUBCELL_REACH);
    ewi_v w[EWI_M];
    EWI_EACH_SCALAR(m) {
        ewi_v most = reach * (other[m] - own[m]);
        ewi_v up = ewi_smaller(ewi_larger(step[m], zero), ewi_larger(most, zero));
        ewi_v down = ewi_larger(ewi_smaller(step[m], zero), ewi_smaller(most, zero));
        w[m] = own[m] + (up + down);
    }
    ewi_v x = other[1] - own[1], y = other[2] - own[2], along = ewi_fma(step[1], x, step[2] * y);
    ewi_v share = ewi_smaller(reach, along * ewi_inverse(ewi_fma(x, x, y * y)));
    share = ewi_select(ewi_gt(along, zero), share, zero);
    w[1] = ewi_fma(share, x, own[1]);
    w[2] = ewi_fma(share, y, own[2]);
    EWI_L(conserved)(parameter, w, u);
}

/* ---- what volumes change in right-hand sides ---- */

/* Elements i .. i + EWI_LANES - 1. */
struct EWI_K(subcell_sums) {
    ewi_v alpha;
    ewi_mask flagged;
    int64_t place[EWI_LANES];
    struct EWI_K(volumes) own;
    ewi_v change[EWI_M][EWI_NP]; /* in side sums */
    ewi_v sum[EWI_M][EWI_NP];    /* side sums with volumes */
    ewi_v into[EWI_NP][EWI_M];   /* fluxes into volumes */
};

/* The edges behind side k, as their fluxes see them. */
struct EWI_K(subcell_edge) {
    struct EWI_K(subcell_side) side;
    ewi_v alpha; /* of the neighbours */
    ewi_mask right; /* the element is on the edge's right */
    int64_t slot[EWI_LANES];
    ewi_v nx, ny, length;
    struct EWI_K(volumes) other;
};

EW_HD void EWI_K(subcell_edge)(const struct ewi_arguments *a, int k, int64_t i,
                               struct EWI_K(subcell_edge) *edge)
{
    double right[EWI_LANES];
    int64_t geometry[EWI_LANES], other[EWI_LANES];
    edge->side = EWI_K(subcell_side)(a, k, i);
    for (int lane = 0; lane < EWI_LANES; lane++) {
        int32_t slot = a->side_slot[k * a->padded + i + lane];
        other[lane] = a->neighbour[k * a->padded + i + lane];
        right[lane] = slot & 1;
        edge->slot[lane] = slot >> 1;
        geometry[lane] = ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_SIDES + 3 * k, i + lane);
    }
    edge->right = ewi_gt(ewi_load(right), ewi_set(0.0));
    edge->alpha = ewi_select(edge->side.inside, ewi_gather(a->subcells.alpha, other), ewi_set(0.0));
    edge->nx = ewi_gather(a->geometry, geometry);
    edge->ny = ewi_gather(a->geometry + EWI_TILE, geometry);
    edge->length = ewi_abs(ewi_gather(a->geometry + 2 * EWI_TILE, geometry));
}

/* The numerical flux of a point of the edges, in their own direction. */
EW_HD_APART void EWI_K(edge_flux)(const struct ewi_arguments *a, const struct EWI_K(subcell_edge) *edge,
                                  const ewi_v *own, const ewi_v *other, ewi_v *flux)
{
    ewi_v left[EWI_M], right[EWI_M], field[EWI_FIELD_ROOM] = {edge->nx};
    for (int m = 0; m < EWI_M; m++) {
        left[m] = ewi_select(edge->right, other[m], own[m]);
        right[m] = ewi_select(edge->right, own[m], other[m]);
    }
    EWI_L(numerical_flux)(a->flux, a->parameter, field, left, right, edge->nx, edge->ny, edge->length, flux);
}

/* The same at boundaries, whose kind each lane has for itself. */
EW_HD_APART void EWI_K(boundary_fluxes)(const struct ewi_arguments *a, const double *state,
                                        const struct EWI_K(subcell_edge) *edge, const int64_t *place, int e,
                                        const ewi_v *own, ewi_v *flux)
{
    for (int lane = 0; lane < EWI_LANES; lane++) {
        double here[EWI_LANES] = {0.0};
        int64_t slot[EWI_LANES];
        ewi_v left[EWI_M], right[EWI_M], of[EWI_M], field[EWI_FIELD_ROOM] = {edge->nx};
        if (edge->slot[lane] >= a->subcells.boundary_slots)
            continue;
        here[lane] = 1.0;
#ifdef EWI_GIVEN_OF_SLOT
        struct ewi_arguments now = *a;
        now.given = EWI_GIVEN_OF_SLOT(a, edge->slot[lane]);
        a = &now;
#endif
        for (int k = 0; k < EWI_LANES; k++)
            slot[k] = edge->slot[lane];
        for (int m = 0; m < EWI_M; m++)
            left[m] = own[m];
        EWI_K(boundary_states)(a, state, a->subcells.ghost[slot[0] / EWI_TILE], place, slot, e, left, right);
        EWI_L(numerical_flux)(a->flux, a->parameter, field, left, right, edge->nx, edge->ny, edge->length, of);
        for (int m = 0; m < EWI_M; m++)
            flux[m] = ewi_select(ewi_gt(ewi_load(here), ewi_set(0.0)), of[m], flux[m]);
    }
}

/* (1 - alpha) polynomial + alpha volume at a point of a side. */
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

/* The neighbours' volumes at point e of their sides, of which each lane has its own: means and steps. */
EW_HD_APART void EWI_K(other_volume)(const struct EWI_K(subcell_edge) *edge, int e, ewi_v *w, ewi_v *step)
{
    double number[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        number[lane] = (double)(edge->side.table[lane] / (EWI_NE * EWI_NP));
    for (int side = 0; side < 3; side++) {
        ewi_v here[EWI_M];
        ewi_mask later = ewi_gt(ewi_load(number), ewi_set(side - 0.5));
        int n = EWI_TABLE(SIDE_VOLUME)[side * EWI_NE + e];
        EWI_K(step_to_side)(&edge->other, side * EWI_NE + e, here);
        for (int m = 0; m < EWI_M; m++) {
            w[m] = side == 0 ? edge->other.w[n][m] : ewi_select(later, edge->other.w[n][m], w[m]);
            step[m] = side == 0 ? here[m] : ewi_select(later, here[m], step[m]);
        }
    }
}

/* The fluxes at point e of side k without volumes and with them. */
EW_HD_APART void EWI_K(both_fluxes)(const struct ewi_arguments *a, const double *state,
                                    const struct EWI_K(subcell_sums) *sums, const struct EWI_K(subcell_edge) *edge,
                                    int k, int e, ewi_v *plain, ewi_v *blended)
{
    ewi_v own[EWI_M], other[EWI_M], behind[EWI_M], step[EWI_M], back[EWI_M], inner[EWI_M], outer[EWI_M];
    EWI_K(trace_of_side)((const ewi_v(*)[EWI_NP])sums->own.c, k, e, own);
    EWI_K(trace_of_sides)((const ewi_v(*)[EWI_NP])edge->other.c, edge->side.table, EWI_NE - 1 - e, other);
    const ewi_v *mean = sums->own.w[EWI_TABLE(SIDE_VOLUME)[k * EWI_NE + e]];
    EWI_K(step_to_side)(&sums->own, k * EWI_NE + e, step);
    EWI_K(other_volume)(edge, EWI_NE - 1 - e, behind, back);
    for (int m = 0; m < EWI_M; m++)
        behind[m] = ewi_select(edge->side.inside, behind[m], mean[m]);
    EWI_K(blended_trace)(a->parameter, sums->alpha, own, mean, behind, step, inner);
    EWI_K(blended_trace)(a->parameter, edge->alpha, other, behind, mean, back, outer);
    EWI_K(edge_flux)(a, edge, own, other, plain);
    EWI_K(edge_flux)(a, edge, inner, outer, blended);
    if (ewi_all(edge->side.inside))
        return;
    EWI_K(boundary_fluxes)(a, state, edge, sums->place, e, own, plain);
    EWI_K(boundary_fluxes)(a, state, edge, sums->place, e, inner, blended);
}

EW_HD_APART void EWI_K(add_side)(const struct ewi_arguments *a, const double *state, int k,
                                 const struct EWI_K(subcell_edge) *edge, struct EWI_K(subcell_sums) *sums)
{
    for (int e = 0; e < EWI_NE; e++) {
        ewi_v plain[EWI_M], blended[EWI_M], weight = ewi_set(-0.5 * EWI_TABLE(EDGE_WEIGHT)[e]);
        int n = EWI_TABLE(SIDE_VOLUME)[k * EWI_NE + e];
        weight = ewi_select(edge->right, -weight, weight);
        EWI_K(both_fluxes)(a, state, sums, edge, k, e, plain, blended);
        for (int m = 0; m < EWI_M; m++) {
            ewi_v in = weight * blended[m], change = in - weight * plain[m];
            sums->into[n][m] = sums->into[n][m] + in;
            for (int j = 0; j < EWI_NP; j++) {
                sums->sum[m][j] = ewi_fma(EWI_SIDE(k, e, j), in, sums->sum[m][j]);
                sums->change[m][j] = ewi_fma(EWI_SIDE(k, e, j), change, sums->change[m][j]);
            }
        }
    }
}

/* Adds volume integrals. */
EW_HD_APART void EWI_K(add_volume)(const struct ewi_arguments *a, const ewi_v *shape, struct EWI_K(subcell_sums) *sums)
{
    for (int q = 0; q < EWI_NQ; q++) {
        ewi_v u[EWI_M], fr[EWI_M], fs[EWI_M], field[EWI_FIELD_ROOM] = {shape[0]};
        for (int m = 0; m < EWI_M; m++) {
            u[m] = ewi_set(0.0);
            for (int j = 0; j < EWI_NP; j++)
                u[m] = ewi_fma(EWI_PHI(q, j), sums->own.c[m][j], u[m]);
        }
        EWI_L(volume_flux)(a->parameter, field, u, shape[EWI_XR], shape[EWI_XS], shape[EWI_YR], shape[EWI_YS], fr, fs);
        for (int m = 0; m < EWI_M; m++)
            for (int j = 1; j < EWI_NP; j++)
                sums->sum[m][j] = ewi_fma(EWI_DR(q, j), fr[m], ewi_fma(EWI_DS(q, j), fs[m], sums->sum[m][j]));
    }
}

/* The fluxes through face f between two volumes. */
EW_HD_APART void EWI_K(add_face)(const struct ewi_arguments *a, int f, const ewi_v *shape,
                                 struct EWI_K(subcell_sums) *sums)
{
    const ewi_v r = ewi_set(EWI_TABLE(FACE_NORMAL)[2 * f]), s = ewi_set(EWI_TABLE(FACE_NORMAL)[2 * f + 1]);
    ewi_v nx = ewi_fma(shape[EWI_YS], r, -(shape[EWI_YR] * s)), ny = ewi_fma(shape[EWI_XR], s, -(shape[EWI_XS] * r));
    ewi_v u[2][EWI_M], flux[EWI_M], field[EWI_FIELD_ROOM] = {nx};
    const struct EWI_K(volumes) *v = &sums->own;
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
        sums->into[from][m] = sums->into[from][m] - through;
        sums->into[to][m] = sums->into[to][m] + through;
    }
}

/* The addition to the right-hand side, times det J, in flagged lanes; in others, the change of the side sums. */
EW_HD ewi_v EWI_K(subcell_addition)(const struct EWI_K(subcell_sums) *sums, int m, int j)
{
    ewi_v lifted = ewi_set(0.0);
    for (int n = 0; n < EWI_NP; n++)
        lifted = ewi_fma(ewi_set(EWI_TABLE(CV_LIFT)[j * EWI_NP + n]), sums->into[n][m], lifted);
    ewi_v change = ewi_fma(sums->alpha, lifted - sums->sum[m][j], sums->change[m][j]);
    return ewi_select(sums->flagged, change, sums->change[m][j]);
}

/* The shares of elements i .. i + EWI_LANES - 1; 0 for those of other parts. */
EW_HD ewi_v EWI_K(own_shares)(const struct ewi_arguments *a, int64_t i)
{
    double share[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        share[lane] = i + lane < a->subcells.elements ? a->subcells.alpha[i + lane] : 0.0;
    return ewi_load(share);
}

/* Flags of the elements that change: those with finite volumes, and their neighbours. */
EW_HD ewi_mask EWI_K(are_touched)(const struct ewi_arguments *a, int64_t i)
{
    double largest[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        largest[lane] = 0.0;
        for (int k = 0; i + lane < a->subcells.elements && k < 3; k++) {
            double other = a->subcells.alpha[a->neighbour[k * a->padded + i + lane]];
            largest[lane] = other > largest[lane] ? other : largest[lane];
        }
    }
    return ewi_gt(ewi_larger(ewi_load(largest), EWI_K(own_shares)(a, i)), ewi_set(0.0));
}

/* The additions to elements i .. i + EWI_LANES - 1; -0 changes no sum. */
EW_HD_APART void EWI_K(add_subcells)(const struct ewi_arguments *a, const double *state,
                                     int64_t i)
{
    const ewi_mask touched = EWI_K(are_touched)(a, i);
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    struct EWI_K(subcell_sums) sums;
    ewi_v shape[4];
    a->subcells.touched[i] = (uint8_t)ewi_any(touched);
    if (!a->subcells.touched[i])
        return;
    for (int k = 0; k < 4; k++)
        shape[k] = ewi_load(geometry + k * EWI_TILE);
    sums.alpha = EWI_K(own_shares)(a, i);
    sums.flagged = ewi_gt(sums.alpha, ewi_set(0.0));
    for (int lane = 0; lane < EWI_LANES; lane++)
        sums.place[lane] = EWI_K(place)(a->width, i + lane);
    for (int m = 0; m < EWI_M; m++)
        for (int j = 0; j < EWI_NP; j++)
            sums.sum[m][j] = sums.change[m][j] = sums.into[j][m] = ewi_set(0.0);
    EWI_K(average_volumes)(a, state, sums.place, &sums.own);
    EWI_K(find_slopes)(sums.flagged, &sums.own);
    for (int k = 0; k < 3; k++) {
        struct EWI_K(subcell_edge) edge;
        EWI_K(subcell_edge)(a, k, i, &edge);
        const ewi_mask beyond = ewi_gt(edge.alpha, ewi_set(0.0));
        if (!ewi_any(ewi_or(sums.flagged, beyond)))
            continue;
        EWI_K(average_volumes)(a, state, edge.side.place, &edge.other);
        EWI_K(find_slopes)(beyond, &edge.other);
        EWI_K(add_side)(a, state, k, &edge, &sums);
    }
    if (ewi_any(sums.flagged)) {
        EWI_K(add_volume)(a, shape, &sums);
        for (int f = 0; f < EWI_FACES; f++)
            EWI_K(add_face)(a, f, shape, &sums);
    }
    for (int m = 0; m < EWI_M; m++)
        for (int j = 0; j < EWI_NP; j++)
            ewi_store(a->subcells.added + EWI_K(at)(a->width, sums.place[0], m, j),
                      ewi_select(touched, EWI_K(subcell_addition)(&sums, m, j), ewi_set(-0.0)));
}

#undef EWI_EACH_SCALAR
#endif
