/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A law's averages, with the operations of src/accumulate.c and src/sample.c in the same order: a thread per element
 * and node of its lattice; consecutive threads take the elements of a tile at one node.
 */
#define EWI_ORDER 1 /* begin.h needs one; these kernels serve all orders */
#include "kernels/begin.h"

/* The state and its gradient at a node. */
struct EWI_L(node) {
    const double *parameter; /* of the law */
    double x, y, u[EWI_M], limited[EWI_M], w[EWI_M], ux[EWI_M], uy[EWI_M];
};

EWI_DEVICE void EWI_L(node_sum)(const struct ewi_cuda_average *call, const double *base, const double *phi, double *u)
{
    int np = call->averages->np;
    EWI_UNROLL
    for (int m = 0; m < EWI_M; m++) {
        double sum = 0.0;
        for (int j = 0; j < np; j++)
            sum += phi[j] * base[(m * np + j) * call->width];
        u[m] = sum;
    }
}

EWI_DEVICE void EWI_L(find_node)(const struct ewi_cuda_average *call, int64_t i, int q, struct EWI_L(node) *node)
{
    const struct ewi_cuda_averages *averages = call->averages;
    int np = averages->np;
    const double *base = call->state + ewi_layout_base(call->width, EWI_M * np, i), *phi = averages->phi + q * np;
    const double *shape = averages->shape + i * EWI_CUDA_AVERAGE_SHAPE;
    double xr = shape[2], xs = shape[3], yr = shape[4], ys = shape[5], det = shape[6];
    double r = averages->rs[2 * q], s = averages->rs[2 * q + 1], ur[EWI_M], us[EWI_M];
    EWI_L(node_sum)(call, base, phi, node->u);
    node->parameter = ewi_parameter_at(EWI_MEDIA, call->parameter, call->volume_field, i);
    EWI_L(limited_sample)(node->parameter, np, call->width, base, node->u, node->limited);
    EWI_L(primitive)(node->parameter, node->limited, node->w);
    node->x = shape[0] + xr * r + xs * s;
    node->y = shape[1] + yr * r + ys * s;
    if (!averages->gradients)
        return;
    EWI_L(node_sum)(call, base, phi + np * np, ur);
    EWI_L(node_sum)(call, base, phi + 2 * np * np, us);
    for (int m = 0; m < EWI_M; m++) {
        node->ux[m] = (ys * ur[m] - yr * us[m]) / det;
        node->uy[m] = (xr * us[m] - xs * ur[m]) / det;
    }
}

EWI_DEVICE double EWI_L(node_value)(const struct EWI_L(node) *node, struct ewi_cuda_quantity of)
{
    double value = 0.0;
    if (of.from == EWI_CUDA_FROM_DERIVED)
        return EWI_L(sampled_output)(of.index, node->parameter, node->limited, node->ux, node->uy);
    EWI_UNROLL
    for (int m = 0; m < EWI_M; m++)
        if (m == of.index)
            value = of.from == EWI_CUDA_FROM_PRIMITIVE ? node->w[m] : node->u[m];
    return value;
}

EWI_DEVICE double EWI_L(node_sample)(const struct ewi_cuda_average *call, const struct EWI_L(node) *node, int s)
{
    const struct ewi_cuda_averages *averages = call->averages;
    double state[EWI_CUDA_LAW_OUTPUTS], value;
    if (averages->sample[s].of.from != EWI_CUDA_FROM_FORMULA)
        return EWI_L(node_value)(node, averages->sample[s].of);
    for (int k = 0; averages->sample[s].uses >> k; k++)
        if (averages->sample[s].uses >> k & 1)
            state[k] = EWI_L(node_value)(node, averages->law[k]);
    ewi_program_evaluate(averages->code + averages->sample[s].code, averages->sample[s].length,
                         averages->constant + averages->sample[s].constant, 0, node->x, node->y, call->time, state,
                         &value, 1);
    return value;
}

EWI_DEVICE void EWI_L(average_node)(const struct ewi_cuda_average *call, int64_t block, int64_t k)
{
    const struct ewi_cuda_averages *averages = call->averages;
    struct EWI_L(node) node;
    double q[EWI_CUDA_AVERAGE_SAMPLES], before[EWI_CUDA_AVERAGE_SAMPLES], after[EWI_CUDA_AVERAGE_SAMPLES];
    int lanes = averages->np * EWI_TILE, lane = (int)(k % lanes);
    int64_t tile = k / lanes, i = tile * EWI_TILE + k % EWI_TILE;
    double *values = averages->values + tile * averages->slots * lanes + lane;
    (void)block;
    if (i >= averages->elements)
        return;
    /* The loops below alternate loads and stores, and each load would wait for memory. */
    for (int slot = 0; slot < averages->slots; slot++)
        ewi_prefetch_line(values + slot * lanes);
    EWI_L(find_node)(call, i, lane / EWI_TILE, &node);
    for (int s = 0; s < averages->samples; s++) {
        q[s] = EWI_L(node_sample)(call, &node, s);
        average_mean(call, averages->sample[s].mean, lanes, q[s], values, &before[s], &after[s]);
    }
    for (int n = 0; n < averages->count; n++)
        average_other(call, n, lanes, q, before, after, values);
}
EWI_THREAD_KERNEL(EWI_JOIN2(average_, EWI_LAW), average, EWI_L(average_node))

#include "kernels/end.h"
