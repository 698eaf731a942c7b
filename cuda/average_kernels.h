/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A law's averages, with the operations of src/accumulate.c and src/sample.c in the same order. A thread block takes
 * whole tiles: it copies their state to shared memory, in ewi_layout.h's order, and then each thread has a node of an
 * element's lattice. Consecutive threads have the elements of a tile at one node. A few variables of the state
 * stay in registers; other samples have a kernel of their own.
 */
#define EWI_ORDER 1 /* begin.h needs one; these kernels serve all orders */
#include "kernels/begin.h"

/* The state and its gradient at a node. */
struct EWI_L(node) {
    const double *parameter; /* of the law */
    double x, y, u[EWI_M], limited[EWI_M], w[EWI_M], ux[EWI_M], uy[EWI_M];
};

EWI_DEVICE void EWI_L(node_sum)(int np, const double *base, const double *phi, double *u)
{
    EWI_UNROLL
    for (int m = 0; m < EWI_M; m++)
        u[m] = 0.0;
    for (int j = 0; j < np; j++) {
        EWI_UNROLL
        for (int m = 0; m < EWI_M; m++)
            u[m] += phi[j] * base[(m * np + j) * EWI_TILE];
    }
}

/* base: the rows of element i */
EWI_DEVICE void EWI_L(find_node)(const struct ewi_cuda_average *call, const struct ewi_cuda_averages *averages,
                                 const int derived, int64_t i, int q, const double *base, struct EWI_L(node) *node)
{
    int np = averages->np;
    const double *phi = averages->phi + q * np, *shape = averages->shape + i * EWI_CUDA_AVERAGE_SHAPE;
    double xr = shape[2], xs = shape[3], yr = shape[4], ys = shape[5], det = shape[6];
    double r = averages->rs[2 * q], s = averages->rs[2 * q + 1], ur[EWI_M], us[EWI_M];
    EWI_L(node_sum)(np, base, phi, node->u);
    node->parameter = ewi_parameter_at(EWI_MEDIA, call->parameter, call->volume_field, i);
    EWI_L(limited_sample)(node->parameter, np, EWI_TILE, base, node->u, node->limited);
    EWI_L(primitive)(node->parameter, node->limited, node->w);
    node->x = shape[0] + xr * r + xs * s;
    node->y = shape[1] + yr * r + ys * s;
    if (!derived || !averages->gradients)
        return;
    EWI_L(node_sum)(np, base, phi + np * np, ur);
    EWI_L(node_sum)(np, base, phi + 2 * np * np, us);
    for (int m = 0; m < EWI_M; m++) {
        node->ux[m] = (ys * ur[m] - yr * us[m]) / det;
        node->uy[m] = (xr * us[m] - xs * ur[m]) / det;
    }
}

EWI_DEVICE double EWI_L(node_value)(const struct EWI_L(node) *node, const int derived, struct ewi_cuda_quantity of)
{
    double value = 0.0;
    if (derived && of.from == EWI_CUDA_FROM_DERIVED)
        return EWI_L(sampled_output)(of.index, node->parameter, node->limited, node->ux, node->uy);
    EWI_UNROLL
    for (int m = 0; m < EWI_M; m++)
        if (m == of.index)
            value = of.from == EWI_CUDA_FROM_PRIMITIVE ? node->w[m] : node->u[m];
    return value;
}

EWI_DEVICE double EWI_L(node_formula)(const struct ewi_cuda_average *call, const struct ewi_cuda_averages *averages,
                                     const struct EWI_L(node) *node, int s)
{
    double state[EWI_CUDA_LAW_OUTPUTS], value;
    for (int k = 0; averages->sample[s].uses >> k; k++)
        if (averages->sample[s].uses >> k & 1)
            state[k] = EWI_L(node_value)(node, 1, averages->law[k]);
    ewi_program_evaluate(averages->code + averages->sample[s].code, averages->sample[s].length,
                         averages->constant + averages->sample[s].constant, 0, node->x, node->y, call->time, state,
                         &value, 1);
    return value;
}

EWI_DEVICE void EWI_L(node_samples)(const struct ewi_cuda_average *call, const struct ewi_cuda_averages *averages,
                                    const int derived, const struct EWI_L(node) *node, double *q)
{
    if (!derived) {
        EWI_UNROLL
        for (int s = 0; s < EWI_CUDA_AVERAGE_TOGETHER; s++)
            if (s < averages->samples)
                q[s] = EWI_L(node_value)(node, 0, averages->sample[s].of);
        return;
    }
    EWI_NO_UNROLL
    for (int s = 0; s < averages->samples; s++)
        q[s] = averages->sample[s].of.from == EWI_CUDA_FROM_FORMULA
                   ? EWI_L(node_formula)(call, averages, node, s)
                   : EWI_L(node_value)(node, 1, averages->sample[s].of);
}

EWI_DEVICE void EWI_L(average_node)(const struct ewi_cuda_average *call, const struct ewi_cuda_averages *averages,
                                    const int derived, int64_t tile, int lane, const double *state)
{
    struct EWI_L(node) node;
    double q[EWI_CUDA_AVERAGE_SAMPLES], before[EWI_CUDA_AVERAGE_SAMPLES], after[EWI_CUDA_AVERAGE_SAMPLES];
    int lanes = averages->np * EWI_TILE, element = lane % EWI_TILE;
    double *values = averages->values + tile * averages->slots * lanes + lane;
    EWI_L(find_node)(call, averages, derived, tile * EWI_TILE + element, lane / EWI_TILE, state + element, &node);
    EWI_L(node_samples)(call, averages, derived, &node, q);
    average_means(call, averages, 0, q, values, before, after);
    for (int s = EWI_CUDA_AVERAGE_TOGETHER; derived && s < averages->samples; s += EWI_CUDA_AVERAGE_TOGETHER)
        average_means(call, averages, s, q, values, before, after);
    for (int n = 0; n < averages->count; n += EWI_CUDA_AVERAGE_TOGETHER)
        average_others(call, averages, derived, n, q, before, after, values);
}

EWI_DEVICE void EWI_L(average_tiles)(const struct ewi_cuda_average *call, const int derived, int64_t block)
{
    EWI_SHARED union ewi_cuda_averages_words averages;
    EWI_SHARED double state[EWI_CUDA_BLOCK * EWI_M];
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        for (int k = ewi_thread(mine); k < EWI_CUDA_AVERAGES_WORDS; k += EWI_CUDA_BLOCK)
            averages.word[k] = call->averages->word[k];
    EWI_BARRIER;
    int lanes = averages.all.np * EWI_TILE, tiles = ewi_average_tiles_a_block(averages.all.np);
    int64_t first = block * tiles, rest = averages.all.elements - first * EWI_TILE;
    int doubles = EWI_M * lanes * (int)(rest < tiles * EWI_TILE ? (rest + EWI_TILE - 1) / EWI_TILE : tiles);
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        for (int k = ewi_thread(mine); k < doubles; k += EWI_CUDA_BLOCK)
            state[k] = call->state[average_place(call, EWI_M, averages.all.np, first, k)];
    EWI_BARRIER;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int thread = ewi_thread(mine), tile = thread / lanes, lane = thread % lanes;
        if (tile < tiles && tile * EWI_TILE + lane % EWI_TILE < rest)
            EWI_L(average_node)(call, &averages.all, derived, first + tile, lane, state + tile * EWI_M * lanes);
    }
}

EWI_DEVICE void EWI_L(average_plain)(const struct ewi_cuda_average *call, int64_t block)
{
    EWI_L(average_tiles)(call, 0, block);
}
EWI_HELD_KERNEL(5, EWI_JOIN2(average_plain_, EWI_LAW), average, EWI_L(average_plain))

EWI_DEVICE void EWI_L(average_derived)(const struct ewi_cuda_average *call, int64_t block)
{
    EWI_L(average_tiles)(call, 1, block);
}
EWI_LONE_KERNEL(EWI_JOIN2(average_derived_, EWI_LAW), average, EWI_L(average_derived))

#include "kernels/end.h"
