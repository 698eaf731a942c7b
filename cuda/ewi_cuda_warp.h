/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of the fused set besides ewi_cuda_device.h: blocks of EWI_THREADS threads with private numbers between
 * barriers, dynamic shared memory, copies to it that run during the arithmetic, and products of small matrices by a
 * whole warp. A thread's private numbers are array[mine], of EWI_PRIVATE: registers on a GPU, an array over all threads
 * on the host.
 */
#ifndef EWI_CUDA_WARP_H
#define EWI_CUDA_WARP_H

#include "ewi_cuda_threads.h"
#include "ewi_fused.h"

#define EWI_PRIVATE EWI_HERE(EWI_THREADS)

typedef uint64_t ewi_gate; /* in shared memory: counts the bytes of bulk copies */

/*
 * A thread's operands of a product (16 x 4) (4 x 8): rows are eight elements with a0, and again with a1 (ewi_fused.h).
 */
struct ewi_factors {
    double a0, a1, b;
};

#ifdef EWI_CUDA_ON_HOST

#include <string.h>

#define EWI_UNROLL_BY(number)
#define EWI_FUSED_KERNEL(name, of, body, held) EWI_KERNEL(name, of, body)
#define EWI_WARP_BARRIER
#define EWI_LANES_EXCHANGE 0

EWI_DEVICE int ewi_warp_any(int here)
{
    (void)here;
    return 1; /* all warps at once */
}

EWI_DEVICE void ewi_warp_largest(double *number)
{
    for (int first = 0; first < EWI_THREADS; first += 32) {
        double largest = 0.0;
        for (int thread = first; thread < first + 32; thread++)
            largest = ewi_cuda_larger(largest, number[thread]);
        for (int thread = first; thread < first + 32; thread++)
            number[thread] = largest;
    }
}

EWI_DEVICE double ewi_combine_lanes(double first, double second, int thread)
{
    (void)second, (void)thread;
    return first;
}

/* On the host, the caller has the first lane's value. */
EWI_DEVICE double ewi_first_of_four(double x) { return x; }

/* Full of NaNs at a block's start, and as large as the launch said: the driver without a GPU checks the rest. */
extern _Thread_local double ewi_fused_shared[];

EWI_DEVICE void ewi_copy_16(double *target, const double *source) { memcpy(target, source, 16); }
EWI_DEVICE void ewi_copy_8(double *target, const double *source) { memcpy(target, source, 8); }
EWI_DEVICE void ewi_copies_end(void) {}
EWI_DEVICE void ewi_copies_wait(void) {}
EWI_DEVICE void ewi_copies_wait_but_last(void) {}
EWI_DEVICE void ewi_prefetch_l2(const double *source, int64_t bytes) { (void)source, (void)bytes; }

/*
 * Whole pieces of memory (see below), with every second launch; a gate counts the bytes that were expected and did not
 * come.
 */
extern _Thread_local int ewi_fused_bulk;
#define EWI_BULK ewi_fused_bulk
EWI_DEVICE void ewi_bulk_expect(ewi_gate *gate, int bytes) { *gate += (uint64_t)bytes; }
EWI_DEVICE void ewi_bulk_begin(ewi_gate *gate) { *gate = 0; }
EWI_DEVICE void ewi_bulk_copy(double *target, const double *source, int bytes, ewi_gate *gate)
{
    memcpy(target, source, (size_t)bytes);
    *gate -= (uint64_t)bytes;
}
EWI_DEVICE void ewi_bulk_wait(ewi_gate *gate, int phase)
{
    (void)phase;
    if (*gate != 0)
        __builtin_trap();
}

EWI_DEVICE void ewi_put_pair(double *target, double a, double b)
{
    target[0] = a;
    target[1] = b;
}
EWI_DEVICE void ewi_get_pair(const double *source, double *a, double *b)
{
    *a = source[0];
    *b = source[1];
}

/* An ascending chain of fma for each element of the product, which is what matrix units do. */
EWI_DEVICE void ewi_warp_product(double *d, int stride, const struct ewi_factors *factors)
{
    for (int thread = 0; thread < EWI_THREADS; thread++)
        for (int x = 0; x < 4; x++) {
            const struct ewi_factors *warp = factors + thread / 32 * 32;
            for (int k = 0; k < 4; k++) {
                const struct ewi_factors *left = &warp[thread % 32 / 4 * 4 + k];
                const struct ewi_factors *right = &warp[(2 * (thread % 4) + x % 2) * 4 + k];
                d[thread * stride + x] = ewi_fma(x < 2 ? left->a0 : left->a1, right->b, d[thread * stride + x]);
            }
        }
}

#else

#define EWI_UNROLL_BY(number) _Pragma(EWI_TEXT(unroll number)) /* a constant's name */
#define EWI_TEXT(words) #words
#define EWI_FUSED_KERNEL(name, of, body, held)                      \
    extern "C" __global__ void __launch_bounds__(EWI_THREADS, held) \
        name(const __grid_constant__ struct ewi_cuda_##of call)     \
    {                                                               \
        body(&call, EWI_BLOCK_NUMBER);                              \
    }                                                               \
    EWI_ENSEMBLE_KERNEL(__launch_bounds__(EWI_THREADS, held), name, of, body)
#define EWI_WARP_BARRIER __syncwarp()
/* True if a warp's lanes run at once, and can exchange private numbers. */
#define EWI_LANES_EXCHANGE 1
/*
 * In groups of four lanes, the first two return `first`, and the last two the `second` of the first two. All lanes of
 * the warp must call it.
 */
EWI_DEVICE double ewi_combine_lanes(double first, double second, int thread)
{
    double handed = __shfl_up_sync(~0u, second, 2, 4);
    return thread % 4 < 2 ? first : handed;
}
/* The first two of four lanes get the value of the last two. */
EWI_DEVICE double ewi_handed_down(double x) { return __shfl_down_sync(~0u, x, 2, 4); }
EWI_DEVICE double ewi_first_of_four(double x) { return __shfl_sync(~0u, x, 0, 4); }
EWI_DEVICE double ewi_sum_of_four(double x)
{
    x += __shfl_xor_sync(~0u, x, 1);
    return x + __shfl_xor_sync(~0u, x, 2);
}
EWI_DEVICE double ewi_least_of_four(double x)
{
    x = ewi_min(x, __shfl_xor_sync(~0u, x, 1));
    return ewi_min(x, __shfl_xor_sync(~0u, x, 2));
}
/* True if `here` is true for any thread of the warp. */
EWI_DEVICE bool ewi_warp_any(bool here) { return __any_sync(~0u, here); }
/* *number becomes the largest of the warp's threads, which are not negative. */
EWI_DEVICE void ewi_warp_largest(double *number)
{
    EWI_UNROLL for (int apart = 16; apart > 0; apart /= 2)
        *number = ewi_cuda_larger(*number, __shfl_xor_sync(~0u, *number, apart));
}
extern __shared__ __align__(16) double ewi_fused_shared[];

#if __CUDA_ARCH__ >= 800
EWI_DEVICE void ewi_copy_16(double *target, const double *source)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(target)),
                 "l"(source) : "memory");
}
EWI_DEVICE void ewi_copy_8(double *target, const double *source)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((unsigned)__cvta_generic_to_shared(target)),
                 "l"(source) : "memory");
}
EWI_DEVICE void ewi_copies_end() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/* For a thread's groups of copies: all, or all but the one that began last. */
EWI_DEVICE void ewi_copies_wait() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }
EWI_DEVICE void ewi_copies_wait_but_last() { asm volatile("cp.async.wait_group 1;" ::: "memory"); }
#else
EWI_DEVICE void ewi_copy_16(double *target, const double *source)
{
    target[0] = source[0];
    target[1] = source[1];
}
EWI_DEVICE void ewi_copy_8(double *target, const double *source) { *target = *source; }
EWI_DEVICE void ewi_copies_end() {}
EWI_DEVICE void ewi_copies_wait() {}
EWI_DEVICE void ewi_copies_wait_but_last() {}
#endif

EWI_DEVICE void ewi_put_pair(double *target, double a, double b) { *(double2 *)target = make_double2(a, b); }
EWI_DEVICE void ewi_get_pair(const double *source, double *a, double *b)
{
    double2 pair = *(const double2 *)source;
    *a = pair.x;
    *b = pair.y;
}

/*
 * Whole pieces of memory (multiples of 16 bytes), started by one thread and waited for by all at a gate: a number in
 * shared memory that counts the bytes of a phase; phases are even and odd in turn.
 */
#if __CUDA_ARCH__ >= 900
#define EWI_BULK 1
EWI_DEVICE void ewi_bulk_begin(ewi_gate *gate)
{
    asm volatile("mbarrier.init.shared.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;"
                 ::"r"((unsigned)__cvta_generic_to_shared(gate)) : "memory");
}
EWI_DEVICE void ewi_bulk_expect(ewi_gate *gate, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(gate)),
                 "r"(bytes) : "memory");
}
EWI_DEVICE void ewi_bulk_copy(double *target, const double *source, int bytes, ewi_gate *gate)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     (unsigned)__cvta_generic_to_shared(target)),
                 "l"(source), "r"(bytes), "r"((unsigned)__cvta_generic_to_shared(gate))
                 : "memory");
}
EWI_DEVICE void ewi_bulk_wait(ewi_gate *gate, int phase)
{
    asm volatile("{\n\t.reg .pred done;\n\tagain%=:\n\tmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n\t"
                 "@done bra out%=;\n\tbra again%=;\n\tout%=:\n\t}" ::"r"(
                     (unsigned)__cvta_generic_to_shared(gate)),
                 "r"(phase)
                 : "memory");
}
#else
#define EWI_BULK 0
EWI_DEVICE void ewi_bulk_begin(ewi_gate *) {}
EWI_DEVICE void ewi_bulk_expect(ewi_gate *, int) {}
EWI_DEVICE void ewi_bulk_copy(double *, const double *, int, ewi_gate *) {}
EWI_DEVICE void ewi_bulk_wait(ewi_gate *, int) {}
#endif

/* Prefetches into L2. */
EWI_DEVICE void ewi_prefetch_l2(const double *source, int64_t bytes)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(source), "r"((unsigned)bytes) : "memory");
#endif
}

/* Adds the product to what the warp's threads have: four numbers each, `stride` further for the next thread here. */
EWI_DEVICE void ewi_warp_product(double *d, int, const struct ewi_factors *factors)
{
    double a0 = factors->a0, a1 = factors->a1, b = factors->b;
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a0), "d"(a1), "d"(b));
#elif __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(d[0]), "+d"(d[1])
        : "d"(a0), "d"(b));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(d[2]), "+d"(d[3])
        : "d"(a1), "d"(b));
#else
    int lane = (int)threadIdx.x & 31, row = lane & ~3, column = 8 * (lane & 3);
    EWI_UNROLL for (int k = 0; k < 4; k++)
    {
        double low = __shfl_sync(~0u, a0, row + k), high = __shfl_sync(~0u, a1, row + k);
        double left = __shfl_sync(~0u, b, column + k), right = __shfl_sync(~0u, b, column + 4 + k);
        d[0] = __fma_rn(low, left, d[0]);
        d[1] = __fma_rn(low, right, d[1]);
        d[2] = __fma_rn(high, left, d[2]);
        d[3] = __fma_rn(high, right, d[3]);
    }
#endif
}

#endif
#endif
