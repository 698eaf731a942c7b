/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the fused set needs besides ewi_cuda_device.h: blocks of EWI_THREADS threads that keep numbers of their own between
 * barriers, dynamic shared memory, copies to it that run beside the arithmetic, and products of small matrices by a whole warp.
 *
 * EWI_FUSED_EACH { ... } is what each thread does until the next barrier; `thread` is its number in the block, and what it keeps is
 * array[mine], of EWI_PRIVATE: a register on a GPU, an array over all threads on the host.
 */
#ifndef EWI_CUDA_WARP_H
#define EWI_CUDA_WARP_H

#include "ewi_cuda_threads.h"
#include "ewi_fused.h"

#ifdef EWI_CUDA_ON_HOST

#include <string.h>

#define EWI_PRIVATE EWI_THREADS
#define EWI_FUSED_EACH for (int thread = 0, mine = 0; thread < EWI_THREADS; thread = ++mine)
#define EWI_IF_KNOWN(condition) if (condition)
#define EWI_NO_UNROLL
#define EWI_UNROLL_BY(number)
#define EWI_FUSED_KERNEL(name, blocks) EWI_KERNEL(name)
#define EWI_WARP_BARRIER
#define EWI_LANES_EXCHANGE 0
#define EWI_WARP_ANY(condition) 1 /* of all warps at once */
#define EWI_WARP_LARGEST(d, x)                                                            \
    for (int first_ = 0; first_ < EWI_THREADS; first_ += 32) {                            \
        double largest_ = 0.0;                                                            \
        for (int mine = first_; mine < first_ + 32; mine++)                               \
            largest_ = ewi_cuda_larger(largest_, (x));                                    \
        for (int mine = first_; mine < first_ + 32; mine++)                               \
            (d)[mine] = largest_;                                                         \
    }

EWI_DEVICE double ewi_beside(double first, double second, int thread)
{
    (void)second, (void)thread;
    return first;
}

/* Blocks are run one after the other. */
EWI_DEVICE void ewi_next_may_begin(void) {}
EWI_DEVICE void ewi_await_previous(void) {}
EWI_DEVICE void ewi_raise(uint64_t *most, uint64_t value) { *most = *most > value ? *most : value; }

/* Full of NaNs at a block's start, and as large as the launch said: the driver without a GPU checks the rest. */
extern _Thread_local double ewi_fused_shared[];
#define EWI_DYNAMIC_SHARED(name) double *const name = ewi_fused_shared

EWI_DEVICE void ewi_copy_16(double *target, const double *source) { memcpy(target, source, 16); }
EWI_DEVICE void ewi_copy_8(double *target, const double *source) { memcpy(target, source, 8); }
EWI_DEVICE void ewi_copies_end(void) {}
#define EWI_COPIES_WAIT(still) ((void)0)
EWI_DEVICE void ewi_foresee(const double *source, int64_t bytes) { (void)source, (void)bytes; }

/* Whole pieces of memory (see below), with every second launch; a gate counts the bytes that were expected and did not come. */
extern _Thread_local int ewi_fused_bulk;
#define EWI_BULK ewi_fused_bulk
EWI_DEVICE void ewi_bulk_expect(double *gate, int bytes) { *gate += bytes; }
EWI_DEVICE void ewi_bulk_begin(double *gate) { *gate = 0.0; }
EWI_DEVICE void ewi_bulk_copy(double *target, const double *source, int bytes, double *gate)
{
    memcpy(target, source, (size_t)bytes);
    *gate -= bytes;
}
EWI_DEVICE void ewi_bulk_wait(double *gate, int phase)
{
    (void)phase;
    if (*gate != 0.0)
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

/* (16 x 4) (4 x 8), an ascending chain of fma for each element of the product, which is what matrix units do. */
#define EWI_WARP_PRODUCT(d, a0, a1, b)                                                                             \
    for (int warp_ = 0; warp_ < EWI_THREADS / 32; warp_++) {                                                        \
        double left_[16][4], right_[4][8];                                                                         \
        for (int lane_ = 0; lane_ < 32; lane_++) {                                                                 \
            const int thread = 32 * warp_ + lane_, mine = thread;                                                  \
            (void)mine;                                                                                            \
            left_[lane_ / 4][lane_ % 4] = (a0);                                                                    \
            left_[8 + lane_ / 4][lane_ % 4] = (a1);                                                                \
            right_[lane_ % 4][lane_ / 4] = (b);                                                                    \
        }                                                                                                          \
        for (int lane_ = 0; lane_ < 32; lane_++) {                                                                 \
            const int thread = 32 * warp_ + lane_, mine = thread;                                                  \
            (void)mine;                                                                                            \
            for (int x_ = 0; x_ < 4; x_++)                                                                         \
                for (int k_ = 0; k_ < 4; k_++)                                                                     \
                    (d)[x_] = ewi_fma(left_[lane_ / 4 + 8 * (x_ / 2)][k_], right_[k_][2 * (lane_ % 4) + x_ % 2], (d)[x_]); \
        }                                                                                                          \
    }

#else

#define EWI_PRIVATE 1
#define EWI_FUSED_EACH for (int thread = (int)threadIdx.x, mine = 0, once_ = 1; once_; once_ = 0)
/* What the compiler knows, so that it need not compile what is not done. */
#define EWI_IF_KNOWN(condition) if constexpr (condition)
#define EWI_NO_UNROLL _Pragma("unroll 1")
#define EWI_UNROLL_BY(number) _Pragma(EWI_TEXT(unroll number)) /* a constant's name */
#define EWI_TEXT(words) #words
#define EWI_FUSED_KERNEL(name, blocks) \
    extern "C" __global__ void __launch_bounds__(EWI_THREADS, blocks) name(const __grid_constant__ struct ewi_cuda_call call)
#define EWI_WARP_BARRIER __syncwarp()
/* Whether a warp's lanes run at once, and may hand each other what they keep. */
#define EWI_LANES_EXCHANGE 1
/* Of four lanes the first two have `first`, the others what the first two have as `second`; all of the warp come here. */
EWI_DEVICE double ewi_beside(double first, double second, int thread)
{
    double handed = __shfl_up_sync(~0u, second, 2, 4);
    return thread % 4 < 2 ? first : handed;
}
/* Whether it holds for any thread of the warp; may use `mine`. */
#define EWI_WARP_ANY(condition) (ewi_any([&] { const int mine = 0; return condition; }()))
EWI_DEVICE bool ewi_any(bool here) { return __any_sync(~0u, here); }
/* d[mine] becomes the largest x of the warp's threads, which are not negative; x may use `mine`. */
#define EWI_WARP_LARGEST(d, x)                      \
    do {                                            \
        const int mine = 0;                         \
        (d)[mine] = ewi_warp_largest((x));          \
    } while (0)
EWI_DEVICE double ewi_warp_largest(double here)
{
    EWI_UNROLL for (int apart = 16; apart > 0; apart /= 2)
        here = ewi_cuda_larger(here, __shfl_xor_sync(~0u, here, apart));
    return here;
}
extern __shared__ __align__(16) double ewi_fused_shared[];
#define EWI_DYNAMIC_SHARED(name) double *const name = ewi_fused_shared

#if __CUDA_ARCH__ >= 800
EWI_DEVICE void ewi_copy_16(double *target, const double *source)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(target)), "l"(source) : "memory");
}
EWI_DEVICE void ewi_copy_8(double *target, const double *source)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((unsigned)__cvta_generic_to_shared(target)), "l"(source) : "memory");
}
EWI_DEVICE void ewi_copies_end() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/* Until at most so many of a thread's groups of copies are still on their way. */
#define EWI_COPIES_WAIT(still) asm volatile("cp.async.wait_group %0;" ::"n"(still) : "memory")
#else
EWI_DEVICE void ewi_copy_16(double *target, const double *source)
{
    target[0] = source[0];
    target[1] = source[1];
}
EWI_DEVICE void ewi_copy_8(double *target, const double *source) { *target = *source; }
EWI_DEVICE void ewi_copies_end() {}
#define EWI_COPIES_WAIT(still) ((void)0)
#endif

EWI_DEVICE void ewi_put_pair(double *target, double a, double b) { *(double2 *)target = make_double2(a, b); }
EWI_DEVICE void ewi_get_pair(const double *source, double *a, double *b)
{
    double2 pair = *(const double2 *)source;
    *a = pair.x;
    *b = pair.y;
}

/*
 * A kernel that is launched to overlap with the one before it does what hangs on no other kernel, and waits for that one's end. (It
 * is not before that itself has waited that its results are there, so one wait does for all.)
 */
EWI_DEVICE void ewi_next_may_begin()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
EWI_DEVICE void ewi_await_previous()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* *most becomes the largest of what is asked for. */
EWI_DEVICE void ewi_raise(uint64_t *most, uint64_t value)
{
    atomicMax((unsigned long long *)most, (unsigned long long)value);
}

/*
 * Whole pieces of memory (multiples of 16 bytes), started by one thread and waited for by all at a gate: a number in shared memory
 * that counts the bytes of a phase; phases are even and odd in turn.
 */
#if __CUDA_ARCH__ >= 900
#define EWI_BULK 1
EWI_DEVICE void ewi_bulk_begin(double *gate)
{
    asm volatile("mbarrier.init.shared.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;" ::"r"((unsigned)__cvta_generic_to_shared(gate)) : "memory");
}
EWI_DEVICE void ewi_bulk_expect(double *gate, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(gate)), "r"(bytes) : "memory");
}
EWI_DEVICE void ewi_bulk_copy(double *target, const double *source, int bytes, double *gate)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     (unsigned)__cvta_generic_to_shared(target)),
                 "l"(source), "r"(bytes), "r"((unsigned)__cvta_generic_to_shared(gate))
                 : "memory");
}
EWI_DEVICE void ewi_bulk_wait(double *gate, int phase)
{
    asm volatile("{\n\t.reg .pred done;\n\tagain%=:\n\tmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n\t@done bra out%=;\n\tbra again%=;\n\tout%=:\n\t}" ::"r"(
                     (unsigned)__cvta_generic_to_shared(gate)),
                 "r"(phase)
                 : "memory");
}
#else
#define EWI_BULK 0
EWI_DEVICE void ewi_bulk_begin(double *) {}
EWI_DEVICE void ewi_bulk_expect(double *, int) {}
EWI_DEVICE void ewi_bulk_copy(double *, const double *, int, double *) {}
EWI_DEVICE void ewi_bulk_wait(double *, int) {}
#endif

/* Into the second cache, for all threads of the device. */
EWI_DEVICE void ewi_foresee(const double *source, int64_t bytes)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(source), "r"((unsigned)bytes) : "memory");
#endif
}

EWI_DEVICE void ewi_product(double *d, double a0, double a1, double b)
{
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a0), "d"(a1), "d"(b));
#elif __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a0), "d"(b));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d[2]), "+d"(d[3]) : "d"(a1), "d"(b));
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

/* Expressions may use `thread` and `mine`. */
#define EWI_WARP_PRODUCT(d, a0, a1, b)                   \
    do {                                                 \
        const int thread = (int)threadIdx.x, mine = 0;   \
        (void)thread, (void)mine;                        \
        ewi_product((d), (a0), (a1), (b));               \
    } while (0)

#endif
#endif
