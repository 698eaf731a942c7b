/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The variants of the fused set's kernels, a module of the device each: what the host plans, the build compiles and
 * embeds, and the driver without a GPU runs is made from this list. cuda/Makemodule.am reads it, too: a line per
 * variant.
 *   order    an order's first variant is the one for large meshes
 *   matrix   0: an element has a thread; 1: four lanes of a warp, which multiplies small matrices
 *   diffuses 1: for laws with gradients (kernels/diffusion.h), 0: for the others
 *   warps    of a thread block, for at most EWI_FUSED_MOST_ELEMENTS elements
 *   held     thread blocks that a multiprocessor shall hold, which bounds the registers that a thread may have
 *
 * Large blocks have fewer sides to others, small ones wait less for each other (measured: bench/results). On a small
 * mesh each block has a multiprocessor to itself and only what a thread does in sequence counts: p1_small leaves a
 * thread at most one point of an edge. p1_middle has three quarters of p1's threads, for meshes that fill its rounds
 * better and for fluxes that need more registers. With gradients shared memory bounds the blocks: a point of an edge
 * takes 2.5 times as much, and there are three tables in place of one. From p = 2 on large blocks are faster, even with
 * spills; at p = 1 a thread has an element, and p1_diffusion_small has four lanes for one on small meshes.
 */
#ifndef EWI_VARIANTS_H
#define EWI_VARIANTS_H

/* X(of, name, order, matrix, diffuses, warps, held); `of` is handed through. */
#define EWI_VARIANTS(X, of)                   \
    X(of, p1,                 1, 0, 0,  4, 4) \
    X(of, p2,                 2, 1, 0,  8, 2) \
    X(of, p3,                 3, 1, 0,  8, 2) \
    X(of, p4,                 4, 1, 0,  6, 2) \
    X(of, p5,                 5, 1, 0,  4, 2) \
    X(of, p1_small,           1, 1, 0, 10, 1) \
    X(of, p1_middle,          1, 0, 0,  6, 2) \
    X(of, p1_diffusion,       1, 0, 1,  4, 2) \
    X(of, p2_diffusion,       2, 1, 1, 12, 1) \
    X(of, p3_diffusion,       3, 1, 1, 12, 1) \
    X(of, p4_diffusion,       4, 1, 1,  8, 1) \
    X(of, p5_diffusion,       5, 1, 1,  6, 1) \
    X(of, p1_diffusion_small, 1, 1, 1,  6, 2)

#define EWI_VARIANT_NUMBER(of, name, order, matrix, diffuses, warps, held) EWI_FUSED_##name,
enum { EWI_VARIANTS(EWI_VARIANT_NUMBER, ) EWI_FUSED_VARIANTS };

/* Columns of the list by a variant's number: constant expressions if that is one. */
#define EWI_FUSED_ORDER(variant) (0 EWI_VARIANTS(EWI_VARIANT_ORDER, variant))
#define EWI_FUSED_MATRIX(variant) (0 EWI_VARIANTS(EWI_VARIANT_MATRIX, variant))
#define EWI_FUSED_DIFFUSES(variant) (0 EWI_VARIANTS(EWI_VARIANT_DIFFUSES, variant))
#define EWI_FUSED_WARPS(variant) (0 EWI_VARIANTS(EWI_VARIANT_WARPS, variant))
#define EWI_FUSED_HELD(variant) (0 EWI_VARIANTS(EWI_VARIANT_HELD, variant))
#define EWI_VARIANT_ORDER(of, name, order, matrix, diffuses, warps, held) + ((of) == EWI_FUSED_##name) * (order)
#define EWI_VARIANT_MATRIX(of, name, order, matrix, diffuses, warps, held) + ((of) == EWI_FUSED_##name) * (matrix)
#define EWI_VARIANT_DIFFUSES(of, name, order, matrix, diffuses, warps, held) + ((of) == EWI_FUSED_##name) * (diffuses)
#define EWI_VARIANT_WARPS(of, name, order, matrix, diffuses, warps, held) + ((of) == EWI_FUSED_##name) * (warps)
#define EWI_VARIANT_HELD(of, name, order, matrix, diffuses, warps, held) + ((of) == EWI_FUSED_##name) * (held)

#endif
