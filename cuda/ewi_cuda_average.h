/* SPDX-License-Identifier: BSD-2-Clause */
/* Averages on the device (average.c, average_kernels.h). Shared by host and device code. */
#ifndef EWI_CUDA_AVERAGE_H
#define EWI_CUDA_AVERAGE_H

#include "ewi_cuda_call.h"

enum { EWI_CUDA_AVERAGE_SHAPE = 7, EWI_CUDA_AVERAGE_SAMPLES = 16 };
enum { EWI_CUDA_LAW_OUTPUTS = 2 * EW_MAX_VARIABLES + EW_MAX_DERIVED };
enum { EWI_CUDA_AVERAGE_TOGETHER = 4 }; /* accumulators that a thread loads at once, and samples in registers */
enum { EWI_CUDA_FROM_FORMULA = EWI_CUDA_FROM_DERIVED + 1 };

struct ewi_cuda_quantity {
    int32_t from, index; /* EWI_CUDA_FROM_..., and which of these */
};

/* The constant part of the arguments, uploaded once. All pointers are to device memory. */
struct ewi_cuda_averages {
    int64_t elements;
    const double *phi;   /* [3][np][np]: basis functions at the nodes, and their derivatives by r and s */
    const double *rs;    /* [np][2]: the nodes */
    const double *shape; /* [elements][EWI_CUDA_AVERAGE_SHAPE]: x, y, xr, xs, yr, ys, determinant */
    const struct ewi_instruction *code;
    const double *constant;
    double *values;      /* [tiles][slots][np][EWI_TILE] */
    int32_t np, samples, slots, count;
    int32_t gradients;   /* whether a sample needs them */
    struct {
        struct ewi_cuda_quantity of;
        int32_t mean; /* accumulator, or -1 */
        int32_t code, length, constant; /* of a formula */
        uint64_t uses; /* quantities of the law that it needs */
    } sample[EWI_CUDA_AVERAGE_SAMPLES];
    struct {
        int32_t statistic, a, b, slot;
        double above;
    } average[EW_MAX_AVERAGES];
    struct ewi_cuda_quantity law[EWI_CUDA_LAW_OUTPUTS]; /* the quantities of the law by their numbers */
};

enum { EWI_CUDA_AVERAGES_WORDS = (int)(sizeof(struct ewi_cuda_averages) / sizeof(int64_t)) };
union ewi_cuda_averages_words { /* as thread blocks copy it */
    struct ewi_cuda_averages all;
    int64_t word[EWI_CUDA_AVERAGES_WORDS];
};

/* Tiles of a thread block: each of their nodes has a thread. */
EW_HD int ewi_average_tiles_a_block(int np) { return EWI_CUDA_BLOCK / (np * EWI_TILE); }

struct ewi_cuda_average {
    struct ewi_cuda_head head;
    double parameter[EW_MAX_PARAMETERS];
    const double *volume_field; /* as in ewi_arguments */
    int32_t fused, matrix; /* fused: the state's rows are in the fused set's order, with `matrix` of its variant */
    int64_t width;         /* of the state's tiles otherwise */
    const double *state;
    const union ewi_cuda_averages_words *averages;
    double weight, ratio, time; /* as in src/accumulate.c */
};

#endif
