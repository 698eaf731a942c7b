/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What device code needs of its compiler: nvcc, clang for the paper's card (which has no CUDA headers here), or, for tests, a
 * host compiler, with which a kernel is a function of one block that loops over its threads (EWI_CUDA_ON_HOST).
 *
 * A kernel takes one struct, by value:   EWI_KERNEL(name) { EWI_BEGIN; EWI_EACH_ITEM(i) { ... } }
 * where i numbers the threads of the grid, or those of a block by EWI_EACH_THREAD(thread). Threads of a block meet at EWI_BARRIER,
 * between two such loops; what outlives it lies in EWI_SHARED memory.
 */
#ifndef EWI_CUDA_DEVICE_H
#define EWI_CUDA_DEVICE_H

#include "ewi_cuda_quick.h"

#include <stdint.h>

#ifdef EWI_CUDA_ON_HOST

#define EWI_CONSTANT static const
#define EWI_SHARED(name, count) static _Thread_local double name[count]
#define EWI_ON_HOST__(module, name) ewi_on_host_##module##_##name
#define EWI_ON_HOST_(module, name) EWI_ON_HOST__(module, name)
#define EWI_ON_HOST(name) EWI_ON_HOST_(EWI_MODULE, name)
#define EWI_KERNEL(name)                                                                     \
    __attribute__((visibility("default"))) void EWI_ON_HOST(name)(const struct ewi_cuda_call *call_, int64_t block); \
    void EWI_ON_HOST(name)(const struct ewi_cuda_call *call_, int64_t block)
#define EWI_BEGIN const struct ewi_cuda_call call = *call_
#define EWI_EACH_THREAD(thread) for (int thread = 0; thread < EWI_CUDA_BLOCK; thread++)
#define EWI_EACH_ITEM(i) for (int64_t i = block * EWI_CUDA_BLOCK; i < (block + 1) * EWI_CUDA_BLOCK; i++)
#define EWI_BARRIER
#define EWI_BLOCK_NUMBER block
#define EWI_FIRST_THREAD 1 /* of all that a block is */
#define EWI_UNROLL
#define EWI_MANY_REGISTERS

#else

#ifndef __CUDACC__ /* clang without CUDA headers */
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define EWI_BOUNDS __attribute__((launch_bounds(EWI_CUDA_BLOCK)))
#define EWI_THREAD_NUMBER __nvvm_read_ptx_sreg_tid_x()
#define EWI_BLOCK_NUMBER ((int64_t)__nvvm_read_ptx_sreg_ctaid_x())
#define EWI_BARRIER __syncthreads()
#else
#define EWI_BOUNDS __launch_bounds__(EWI_CUDA_BLOCK)
#define EWI_THREAD_NUMBER threadIdx.x
#define EWI_BLOCK_NUMBER ((int64_t)blockIdx.x)
#define EWI_BARRIER __syncthreads()
#define EWI_MANY_REGISTERS /* 255 a thread, not the 63 of the paper's card */
#endif

#define EWI_FIRST_THREAD (EWI_THREAD_NUMBER == 0)
#define EWI_UNROLL _Pragma("unroll")
#define EWI_CONSTANT static __constant__ const
#define EWI_SHARED(name, count) __shared__ double name[count]
#define EWI_KERNEL(name) extern "C" __global__ void EWI_BOUNDS name(const struct ewi_cuda_call call)
#define EWI_BEGIN
#define EWI_EACH_THREAD(thread) for (int thread = (int)EWI_THREAD_NUMBER, once_ = 1; once_; once_ = 0)
#define EWI_EACH_ITEM(i) \
    for (int64_t i = EWI_BLOCK_NUMBER * EWI_CUDA_BLOCK + (int64_t)EWI_THREAD_NUMBER, once_ = 1; once_; once_ = 0)

#endif
#endif
