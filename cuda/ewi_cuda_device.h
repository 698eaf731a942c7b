/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interface of device code to its compiler: nvcc, clang for the paper's card (which has no CUDA headers here), or,
 * for tests, a host compiler (EWI_CUDA_ON_HOST), with which a call of a kernel runs a whole block, one thread after the
 * other.
 *
 * Kernels are made from functions; `of` names the argument, struct ewi_cuda_<of> *call (ewi_cuda_call.h).
 * EWI_THREAD_KERNEL(name, of, body): each thread calls body(call, block, i); i is its number in the grid.
 * EWI_LIST_KERNEL: likewise, i is the item of the call's list that it has (ewi_cuda_item).
 * EWI_KERNEL(name, of, body): each block calls body(call, block), and its threads meet at EWI_BARRIER;
 * between two barriers it loops over the threads that it runs,
 *   for (int mine = 0; mine < EWI_HERE(threads of the block); mine++) { int thread = ewi_thread(mine); ... }
 * which is one on a GPU and all of them on the host. Data that outlives a barrier lies in EWI_SHARED memory, or in an
 * array of that many.
 *
 * Each kernel has two variants: "ensemble_<name>" runs several solvers at once, whose calls are in the device's memory.
 * It is not made for the paper's card, in a module that defines EWI_SOLO, for an EWI_LONE_KERNEL, or for an
 * EWI_HELD_KERNEL(held, ...), whose registers are so few that a multiprocessor holds `held` blocks; an
 * EWI_CROWDED_KERNEL(held, ...) has both.
 */
#ifndef EWI_CUDA_DEVICE_H
#define EWI_CUDA_DEVICE_H

#include "ewi_cuda_quick.h"

#include <stdint.h>

#define EWI_VOLUME_ROOM EWI_CUDA_LANES /* limiter/subcell.h */

#define EWI_ENSEMBLE__(name) ensemble_##name
#define EWI_ENSEMBLE_(name) EWI_ENSEMBLE__(name)
#define EWI_ENSEMBLE(name) EWI_ENSEMBLE_(name)
#define EWI_THREADS_OF__(name) threads_of_##name
#define EWI_THREADS_OF_(name) EWI_THREADS_OF__(name)
#define EWI_THREADS_OF(name) EWI_THREADS_OF_(name)

#ifdef EWI_CUDA_ON_HOST

#define EWI_DEVICE static inline __attribute__((unused))
#define EWI_APART static __attribute__((unused))
#define EWI_CONSTANT static const
#define EWI_SHARED static _Thread_local
#define EWI_BARRIER
#define EWI_UNROLL
#define EWI_NO_UNROLL
#define EWI_MANY_REGISTERS
#define EWI_FIRST_THREAD 1 /* of all that a block is */
#define EWI_HERE(threads) (threads)
EWI_DEVICE int ewi_thread(int mine) { return mine; }
EWI_DEVICE int ewi_recompute(int number) { return number; }

#define EWI_ON_HOST__(module, name) ewi_on_host_##module##_##name
#define EWI_ON_HOST_(module, name) EWI_ON_HOST__(module, name)
#define EWI_ON_HOST(name) EWI_ON_HOST_(EWI_MODULE, name)
#define EWI_KERNEL(name, of, body)                                                                           \
    __attribute__((visibility("default"))) void EWI_ON_HOST(name)(const void *given, int64_t block);         \
    void EWI_ON_HOST(name)(const void *given, int64_t block) { body(given, block); }                         \
    __attribute__((visibility("default"))) void EWI_ON_HOST(EWI_ENSEMBLE(name))(const void *given, int64_t); \
    void EWI_ON_HOST(EWI_ENSEMBLE(name))(const void *given, int64_t block)                                   \
    {                                                                                                        \
        const struct ewi_cuda_members *members = given;                                                      \
        struct ewi_cuda_place place = members->place[block];                                                 \
        EWI_ON_HOST(name)((const struct ewi_cuda_##of *)members->call + place.member, place.block);          \
    }
#define EWI_LONE_KERNEL(name, of, body) EWI_KERNEL(name, of, body)
#define EWI_HELD_KERNEL(held, name, of, body) EWI_KERNEL(name, of, body)
#define EWI_CROWDED_KERNEL(held, name, of, body) EWI_KERNEL(name, of, body)
#define EWI_THREAD_KERNEL(name, of, body)                                                 \
    EWI_DEVICE void EWI_THREADS_OF(name)(const struct ewi_cuda_##of *call, int64_t block) \
    {                                                                                     \
        for (int64_t i = block * EWI_CUDA_BLOCK; i < (block + 1) * EWI_CUDA_BLOCK; i++)   \
            body(call, block, i);                                                         \
    }                                                                                     \
    EWI_KERNEL(name, of, EWI_THREADS_OF(name))
#define EWI_LIST_KERNEL(name, of, body)                                                   \
    EWI_DEVICE void EWI_THREADS_OF(name)(const struct ewi_cuda_##of *call, int64_t block) \
    {                                                                                     \
        for (int thread = 0; thread < EWI_CUDA_BLOCK; thread++)                           \
            body(call, block, ewi_cuda_item(call->list, block, thread));                  \
    }                                                                                     \
    EWI_KERNEL(name, of, EWI_THREADS_OF(name))

#else

#ifndef __CUDACC__ /* clang without CUDA headers */
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __noinline__ __attribute__((noinline))
#ifndef EWI_BOUNDS
#define EWI_BOUNDS __attribute__((launch_bounds(EWI_CUDA_BLOCK)))
#endif
#define EWI_HELD_BOUNDS(held) EWI_BOUNDS
#define EWI_THREAD_NUMBER __nvvm_read_ptx_sreg_tid_x()
#define EWI_BLOCK_NUMBER ((int64_t)__nvvm_read_ptx_sreg_ctaid_x())
#else
#ifndef EWI_BOUNDS
#define EWI_BOUNDS __launch_bounds__(EWI_CUDA_BLOCK)
#endif
#define EWI_HELD_BOUNDS(held) __launch_bounds__(EWI_CUDA_BLOCK, held)
#define EWI_THREAD_NUMBER threadIdx.x
#define EWI_BLOCK_NUMBER ((int64_t)blockIdx.x)
#define EWI_MANY_REGISTERS /* 255 a thread, not the 63 of the paper's card */
#endif

#define EWI_DEVICE static __device__ inline __attribute__((always_inline))
#define EWI_APART static __device__ __noinline__ /* what is rare shall not cost who calls it registers */
#define EWI_CONSTANT static __constant__ const
#define EWI_SHARED __shared__
#define EWI_BARRIER __syncthreads()
#define EWI_UNROLL _Pragma("unroll")
#define EWI_NO_UNROLL _Pragma("unroll 1")
#define EWI_FIRST_THREAD (EWI_THREAD_NUMBER == 0)
#define EWI_HERE(threads) 1
EWI_DEVICE int ewi_thread(int) { return (int)EWI_THREAD_NUMBER; }
/*
 * Returns the same number, opaque to the compiler, so values that depend on it are recomputed where they are needed
 * instead of being kept in registers.
 */
EWI_DEVICE int ewi_recompute(int number)
{
    asm volatile("" : "+r"(number));
    return number;
}

#ifndef EWI_PARAMETER
#define EWI_PARAMETER const
#endif
#define EWI_BOUNDED_KERNEL(bounds, name, of, body)                                  \
    extern "C" __global__ void bounds name(EWI_PARAMETER struct ewi_cuda_##of call) \
    {                                                                               \
        body(&call, EWI_BLOCK_NUMBER);                                              \
    }
#define EWI_LONE_KERNEL(name, of, body) EWI_BOUNDED_KERNEL(EWI_BOUNDS, name, of, body)
#define EWI_HELD_KERNEL(held, name, of, body) EWI_BOUNDED_KERNEL(EWI_HELD_BOUNDS(held), name, of, body)
#define EWI_KERNEL(name, of, body)  \
    EWI_LONE_KERNEL(name, of, body) \
    EWI_ENSEMBLE_KERNEL(EWI_BOUNDS, name, of, body)
#define EWI_CROWDED_KERNEL(held, name, of, body)  \
    EWI_HELD_KERNEL(held, name, of, body)         \
    EWI_ENSEMBLE_KERNEL(EWI_HELD_BOUNDS(held), name, of, body)
#define EWI_THREAD_KERNEL(name, of, body)                                                 \
    EWI_DEVICE void EWI_THREADS_OF(name)(const struct ewi_cuda_##of *call, int64_t block) \
    {                                                                                     \
        body(call, block, block * EWI_CUDA_BLOCK + (int64_t)EWI_THREAD_NUMBER);           \
    }                                                                                     \
    EWI_KERNEL(name, of, EWI_THREADS_OF(name))
#define EWI_LIST_KERNEL(name, of, body)                                                   \
    EWI_DEVICE void EWI_THREADS_OF(name)(const struct ewi_cuda_##of *call, int64_t block) \
    {                                                                                     \
        body(call, block, ewi_cuda_item(call->list, block, (int)EWI_THREAD_NUMBER));      \
    }                                                                                     \
    EWI_KERNEL(name, of, EWI_THREADS_OF(name))
#if defined(__CUDACC__) && !defined(EWI_SOLO)
#define EWI_ENSEMBLE_KERNEL(bounds, name, of, body)                                                               \
    extern "C" __global__ void bounds EWI_ENSEMBLE(name)(const __grid_constant__ struct ewi_cuda_members members) \
    {                                                                                                             \
        struct ewi_cuda_place place = members.place[EWI_BLOCK_NUMBER];                                            \
        body((const struct ewi_cuda_##of *)members.call + place.member, place.block);                             \
    }
#else
#define EWI_ENSEMBLE_KERNEL(bounds, name, of, body)
#endif

#endif
#endif
