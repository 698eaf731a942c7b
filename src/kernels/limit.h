/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limiters by their rows in ewi_limiters.h. A limiter's kind says what its file src/limiter/<limiter>.h has; the rest
 * is here, the same for all of the kind. `limiter` is a number of EWI_LIMITERS.
 *
 * EWI_LIMITER_CELL_MEANS: a variable's slopes are multiplied by a factor, which follows from
 *   reach_<limiter>(c, other)
 *     of the variable's coefficients c and the first ones of the three neighbours
 * EWI_LIMITER_JUMP_SENSOR: coefficients of degree d are multiplied by f^(d(d+1)/2); on edges
 *   J = sum_q w_q max_z s z(u_left - u_right), V = max_z s z(mean_left - mean_right), with the law's quantities z
 *   gauge_<limiter>(parameter, left, right, gauge)
 *     fills the scales s from the first coefficients of both elements, and returns V
 *   damping_<limiter>(step, jump, between, length, inverse_det)
 *     f of an element, from J, V and length of its sides
 * EWI_LIMITER_SUBCELLS: limiter/subcell.h has all of it
 */
#include "ewi_limiters.h"

#ifndef EWI_KERNELS_LIMIT_H
#define EWI_KERNELS_LIMIT_H
#define EWI_REACH_EWI_LIMITER_CELL_MEANS(limiter) \
    case EWI_LIMITER_##limiter: return EWI_K(reach_##limiter)(c, other);
#define EWI_REACH_EWI_LIMITER_JUMP_SENSOR(limiter)
#define EWI_REACH_EWI_LIMITER_SUBCELLS(limiter)
#define EWI_REACH_CASE(limiter, name, first, last, kind, ...) EWI_REACH_##kind(limiter)
#define EWI_GAUGE_EWI_LIMITER_CELL_MEANS(limiter)
#define EWI_GAUGE_EWI_LIMITER_JUMP_SENSOR(limiter) \
    case EWI_LIMITER_##limiter: return EWI_K(gauge_##limiter)(parameter, left, right, gauge);
#define EWI_GAUGE_EWI_LIMITER_SUBCELLS(limiter)
#define EWI_GAUGE_CASE(limiter, name, first, last, kind, ...) EWI_GAUGE_##kind(limiter)
#define EWI_DAMPING_EWI_LIMITER_CELL_MEANS(limiter)
#define EWI_DAMPING_EWI_LIMITER_JUMP_SENSOR(limiter) \
    case EWI_LIMITER_##limiter:                      \
        return EWI_K(damping_##limiter)(step, jump, between, length, inverse_det);
#define EWI_DAMPING_EWI_LIMITER_SUBCELLS(limiter)
#define EWI_DAMPING_CASE(limiter, name, first, last, kind, ...) EWI_DAMPING_##kind(limiter)
#endif

/*
 * For one variable of an element: the range of its values around its mean, below < 0 < above, and the range allowed.
 */
struct EWI_K(reach) {
    ewi_v above, below, room_above, room_below;
};

/* The scales of the jumps at an edge. */
struct EWI_K(gauge) {
    ewi_v frame[EWI_FRAME], scale[EWI_JUMPS];
};

/* The largest of the law's quantities of a jump, each times its scale. */
EW_HD ewi_v EWI_K(gauged)(const struct EWI_K(gauge) *gauge, const ewi_v *jump)
{
    ewi_v z[EWI_JUMPS], largest = ewi_set(0.0);
    EWI_L(jumps)(gauge->frame, jump, z);
    for (int k = 0; k < EWI_JUMPS; k++)
        largest = ewi_max(largest, z[k] * gauge->scale[k]);
    return largest;
}

/* A mean's first variable, or over a bed its depth. */
EW_HD ewi_v EWI_K(mean_amount)(const double *parameter, const ewi_v *mean)
{
    (void)parameter;
#if EWI_OVER_BED
    return ewi_max(mean[EWI_BED_SURFACE] - mean[EWI_BED_BED], ewi_set(parameter[EWI_BED_DRY]));
#else
    return mean[0];
#endif
}

/*
 * The scales at the mean of two elements, whose first coefficients are given; returns V. relative: without the wave
 * speed that the law's have.
 */
EW_HD ewi_v EWI_K(mean_gauge)(const double *parameter, int relative, const ewi_v *left, const ewi_v *right,
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
    if (relative) {
        ewi_v inverse_speed = ewi_inverse(gauge->scale[0] * EWI_K(mean_amount)(parameter, mean));
        for (int k = 0; k < EWI_JUMPS; k++)
            gauge->scale[k] = gauge->scale[k] * inverse_speed;
    }
    return EWI_K(gauged)(gauge, jump);
}

/* The elements of edges in slots s .. s + EWI_LANES - 1, and their sides' basis functions. */
EW_HD void EWI_K(edge_places)(const struct ewi_arguments *a, int64_t s, int64_t *left, int64_t *right,
                              int64_t *left_table, int64_t *right_table)
{
    for (int lane = 0; lane < EWI_LANES; lane++) {
        left[lane] = EWI_K(place)(a->width, a->left[s + lane]);
        right[lane] = EWI_K(place)(a->width, a->right[s + lane]);
        left_table[lane] = a->left_side[s + lane] * (int64_t)(EWI_NE * EWI_NP);
        right_table[lane] = a->right_side[s + lane] * (int64_t)(EWI_NE * EWI_NP);
    }
}

#define EWI_EACH_LIMITER_FILE EWI_QUOTED(limiter/EWI_LIMITER.h)
#include "kernels/each_limiter.h"

/* ---- by cell means ---- */

EW_HD struct EWI_K(reach) EWI_K(reach_of)(int limiter, const ewi_v *c, const ewi_v *other)
{
    switch (limiter) {
        EWI_LIMITERS(EWI_REACH_CASE)
    default: __builtin_unreachable();
    }
}

/* The factor of a variable's slopes. */
EW_HD ewi_v EWI_K(limit_factor)(int limiter, const ewi_v *c, const ewi_v *other)
{
    struct EWI_K(reach) r = EWI_K(reach_of)(limiter, c, other);
    return ewi_smaller(ewi_part(ewi_gt(r.above, r.room_above), r.room_above, r.above),
                       ewi_part(ewi_gt(r.room_below, r.below), r.room_below, r.below));
}

/* EWI_LANES elements, of which `row` is the first one's, by the first coefficients of their neighbours. */
EW_HD void EWI_K(limit_by_means)(int limiter, ewi_v (*mean)[EWI_M], double *row, int64_t width)
{
    for (int m = 0; m < EWI_M; m++, row += EWI_NP * width) {
        ewi_v c[EWI_NP], other[3] = {mean[0][m], mean[1][m], mean[2][m]};
        for (int j = 0; j < EWI_NP; j++)
            c[j] = ewi_load(row + j * width);
        ewi_v alpha = EWI_K(limit_factor)(limiter, c, other);
        for (int j = 1; j < EWI_NP; j++)
            ewi_store(row + j * width, alpha * c[j]);
    }
}

/* Elements i .. i + EWI_LANES - 1 of a state. */
EW_HD void EWI_K(limit_elements)(int limiter, const struct ewi_arguments *a, double *state, int64_t i)
{
    ewi_v mean[3][EWI_M];
    for (int k = 0; k < 3; k++) {
        int64_t neighbour[EWI_LANES];
        for (int lane = 0; lane < EWI_LANES; lane++)
            neighbour[lane] = ewi_layout_base(a->width, EWI_ROWS, a->neighbour[k * a->padded + i + lane]);
        for (int m = 0; m < EWI_M; m++)
            mean[k][m] = ewi_gather(state + m * EWI_NP * a->width, neighbour);
    }
    EWI_K(limit_by_means)(limiter, mean, state + ewi_layout_base(a->width, EWI_ROWS, i), a->width);
}

/* ---- with a jump sensor ---- */

EW_HD ewi_v EWI_K(gauge_edge)(int limiter, const double *parameter, const ewi_v *left, const ewi_v *right,
                              struct EWI_K(gauge) *gauge)
{
    switch (limiter) {
        EWI_LIMITERS(EWI_GAUGE_CASE)
    default: __builtin_unreachable();
    }
}

EW_HD ewi_v EWI_K(damping)(int limiter, double step, const ewi_v *jump, const ewi_v *between, const ewi_v *length,
                           ewi_v inverse_det)
{
    switch (limiter) {
        EWI_LIMITERS(EWI_DAMPING_CASE)
    default: __builtin_unreachable();
    }
}

/* Coefficients of elements i .. i + EWI_LANES - 1, whose place is `place`, by their J and V. */
EW_HD void EWI_K(damp)(int limiter, const struct ewi_arguments *a, double step, const ewi_v *jump, const ewi_v *between,
                       double *state, int64_t width, int64_t place, int64_t i)
{
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    ewi_v length[3];
    for (int k = 0; k < 3; k++)
        length[k] = ewi_abs(ewi_load(geometry + (EWI_SIDES + 3 * k + 2) * EWI_TILE));
    ewi_v f = EWI_K(damping)(limiter, step, jump, between, length,
                             ewi_load(geometry + EWI_INVERSE_DET * EWI_TILE));
    ewi_v power = f, factor = f;
    for (int d = 1, j = 1; d <= EWI_ORDER; d++) {
        for (int end = j + d + 1; j < end; j++)
            for (int m = 0; m < EWI_M; m++) {
                double *at = state + EWI_K(at)(width, place, m, j);
                ewi_store(at, factor * ewi_load(at));
            }
        power = power * f;
        factor = factor * power;
    }
}

/* For inner edges in slots s .. s + EWI_LANES - 1: J and V, if no stage has the traces. */
EW_HD void EWI_K(jump_sensor)(int limiter, const struct ewi_arguments *a, const double *state, double *sensor,
                              int64_t s)
{
    int64_t left[EWI_LANES], right[EWI_LANES], left_table[EWI_LANES], right_table[EWI_LANES];
    EWI_K(edge_places)(a, s, left, right, left_table, right_table);
    struct EWI_K(gauge) gauge;
    ewi_v ul[EWI_M], ur[EWI_M], jump = ewi_set(0.0);
    for (int m = 0; m < EWI_M; m++) {
        ul[m] = EWI_K(gather)(state, a->width, left, m, 0);
        ur[m] = EWI_K(gather)(state, a->width, right, m, 0);
    }
    ewi_v between = EWI_K(gauge_edge)(limiter, a->parameter, ul, ur, &gauge);
    for (int e = 0; e < EWI_NE; e++) {
        EWI_K(trace)(a, state, left, EWI_TABLE(SIDE) + e * EWI_NP, left_table, ul);
        EWI_K(trace)(a, state, right, EWI_TABLE(SIDE) + (EWI_NE - 1 - e) * EWI_NP, right_table, ur);
        for (int m = 0; m < EWI_M; m++)
            ul[m] = ul[m] - ur[m];
        jump = ewi_fma(ewi_set(EWI_TABLE(EDGE_WEIGHT)[e]), EWI_K(gauged)(&gauge, ul), jump);
    }
    double *at = sensor + ewi_layout_base(EWI_TILE, 2, s);
    ewi_store(at, jump);
    ewi_store(at + EWI_TILE, between);
}

/* Elements i .. i + EWI_LANES - 1 of a state, by the sensor's output. */
EW_HD void EWI_K(damp_elements)(int limiter, const struct ewi_arguments *a, const struct ewi_limiting *with,
                                double *state, int64_t i)
{
    ewi_v jump[3], between[3];
    for (int k = 0; k < 3; k++) {
        int64_t slot[EWI_LANES];
        for (int lane = 0; lane < EWI_LANES; lane++)
            slot[lane] = ewi_layout_base(EWI_TILE, 2, a->side_slot[k * a->padded + i + lane] / 2);
        jump[k] = ewi_gather(with->sensor, slot);
        between[k] = ewi_gather(with->sensor + EWI_TILE, slot);
    }
    EWI_K(damp)(limiter, a, with->step, jump, between, state, a->width, EWI_K(place)(a->width, i), i);
}
