/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A law's samples of the state, in ewi_layout.h's order, at points that each have an element of their own: a thread per
 * point. Of each order by itself, so that the basis functions stay in registers; gradients, which take many, have a
 * kernel of their own.
 */
#define EWI_ORDER 1 /* of which these know nothing */
#include "kernels/begin.h"

/* The conserved variables, or their derivatives, from basis functions or theirs. */
EWI_DEVICE void EWI_L(sampled_state)(const struct ewi_cuda_sample *call, const int np, const double *base,
                                     const double *phi, double *u)
{
    EWI_UNROLL
    for (int m = 0; m < EWI_M; m++) {
        double sum = 0.0;
        EWI_UNROLL
        for (int j = 0; j < np; j++)
            sum += phi[j] * base[(m * np + j) * call->width];
        u[m] = sum;
    }
}

/* The state u at a point with the law's limit_point. base: the element's rows, `width` apart */
EWI_DEVICE void EWI_L(limited_sample)(const double *parameter, int np, int64_t width, const double *base,
                                      const double *u, double *limited)
{
    double mean[EWI_M];
    EWI_UNROLL
    for (int m = 0; m < EWI_M; m++) {
        mean[m] = EWI_SQRT2 * base[m * np * width];
        limited[m] = u[m];
    }
    EWI_L(limit_point)(parameter, mean, limited);
}

EWI_DEVICE void EWI_L(sampled_gradient)(const struct ewi_cuda_sample *call, const int order, int32_t element,
                                        const double *base, double r, double s, double *ux, double *uy)
{
    const int np = (order + 1) * (order + 2) / 2;
    const double *shape = call->points->shape + (int64_t)element * EWI_CUDA_POINT_SHAPE;
    double xr = shape[0], xs = shape[1], yr = shape[2], ys = shape[3], det = shape[4];
    double dr[EWI_MAX_NP], ds[EWI_MAX_NP], ur[EWI_M], us[EWI_M];
    ewi_basis_eval_grad_by(basis_norm, order, r, s, dr, ds);
    EWI_L(sampled_state)(call, np, base, dr, ur);
    EWI_L(sampled_state)(call, np, base, ds, us);
    for (int m = 0; m < EWI_M; m++) {
        ux[m] = (ys * ur[m] - yr * us[m]) / det;
        uy[m] = (xr * us[m] - xs * ur[m]) / det;
    }
}

EWI_DEVICE void EWI_L(sample_order)(const struct ewi_cuda_sample *call, const int order, const int gradients, int64_t i,
                                    double *u, double *ux, double *uy)
{
    const int np = (order + 1) * (order + 2) / 2;
    const struct ewi_cuda_points *points = call->points;
    int32_t element = points->element[i];
    const double *base = call->state + ewi_layout_base(call->width, EWI_M * np, element);
    double r = points->rs[2 * i], s = points->rs[2 * i + 1], phi[EWI_MAX_NP];
    ewi_basis_eval_by(basis_norm, order, r, s, phi);
    EWI_L(sampled_state)(call, np, base, phi, u);
    if (gradients)
        EWI_L(sampled_gradient)(call, order, element, base, r, s, ux, uy);
}

#define EWI_SAMPLE_NUMBER(law, name, text) law##_sample_##name,
#define EWI_SAMPLE_CASE(law, name, text) \
    case law##_sample_##name:            \
        return ewi_##law##_output_##name(parameter, u, ux, uy);
enum { EWI_JOIN2(EWI_OUTPUTS_, EWI_LAW)(EWI_SAMPLE_NUMBER) };

EWI_DEVICE double EWI_L(sampled_output)(int index, const double *parameter, const double *u, const double *ux,
                                        const double *uy)
{
    switch (index) {
        EWI_JOIN2(EWI_OUTPUTS_, EWI_LAW)(EWI_SAMPLE_CASE)
    default:
        return __builtin_nan("");
    }
}
#undef EWI_SAMPLE_NUMBER
#undef EWI_SAMPLE_CASE

#define EWI_SAMPLE_ORDER(P)                                                     \
    case P:                                                                     \
        EWI_L(sample_order)(call, P, gradients, i, u, ux, uy);                  \
        break;
EWI_DEVICE void EWI_L(sample_point)(const struct ewi_cuda_sample *call, const int gradients, int64_t i)
{
    const struct ewi_cuda_points *points = call->points;
    double u[EWI_M] = {0}, limited[EWI_M] = {0}, w[EWI_M] = {0}, ux[EWI_M] = {0}, uy[EWI_M] = {0};
    int none = points->element[i] < 0;
    if (!none)
        switch (points->order) {
            EWI_ORDERS(EWI_SAMPLE_ORDER)
        }
    const double *parameter =
        ewi_parameter_at(EWI_MEDIA, call->parameter, call->volume_field, none ? 0 : points->element[i]);
    if (!none && (gradients || points->primitive)) {
        const int np = (points->order + 1) * (points->order + 2) / 2;
        const double *base = call->state + ewi_layout_base(call->width, EWI_M * np, points->element[i]);
        EWI_L(limited_sample)(parameter, np, call->width, base, u, limited);
    }
    if (!none && points->primitive)
        EWI_L(primitive)(parameter, limited, w);
    for (int n = 0; n < points->outputs; n++) {
        int from = points->output[n].from, index = points->output[n].index;
        double value = __builtin_nan("");
        if (gradients && !none && from == EWI_CUDA_FROM_DERIVED)
            value = EWI_L(sampled_output)(index, parameter, limited, ux, uy);
        EWI_UNROLL
        for (int m = 0; m < EWI_M; m++)
            if (!none && from != EWI_CUDA_FROM_DERIVED && m == index)
                value = from == EWI_CUDA_FROM_PRIMITIVE ? w[m] : u[m];
        leave_value(points, n, i, value);
    }
}
#undef EWI_SAMPLE_ORDER

EWI_DEVICE void EWI_L(sample_points)(const struct ewi_cuda_sample *call, const int gradients, int64_t block)
{
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int64_t i = block * EWI_CUDA_BLOCK + ewi_thread(mine);
        if (i < call->points->count)
            EWI_L(sample_point)(call, gradients, i);
    }
}

EWI_DEVICE void EWI_L(sample)(const struct ewi_cuda_sample *call, int64_t block)
{
    EWI_L(sample_points)(call, 0, block);
}
EWI_LONE_KERNEL(EWI_JOIN2(sample_, EWI_LAW), sample, EWI_L(sample))

EWI_DEVICE void EWI_L(sample_gradients)(const struct ewi_cuda_sample *call, int64_t block)
{
    EWI_L(sample_points)(call, 1, block);
}
EWI_LONE_KERNEL(EWI_JOIN2(sample_gradients_, EWI_LAW), sample, EWI_L(sample_gradients))

#include "kernels/end.h"
