/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks that a device computes the same bits as the host: tests its matrix units and its quick divisions. */
#include "ewi_cuda.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <math.h>

enum { PRODUCT_BLOCKS = 16 };

/* Factors of many sizes, zeros of both signs, and some whose products are lost in one. */
static void fill_factors(double *factor, size_t factors)
{
    uint64_t random = 88172645463325252u;
    for (size_t k = 0; k < factors; k++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        factor[k] = ldexp((double)(int64_t)random, -63 - (int)(random & 15) - (random >> 8 & 7 ? 0 : 600));
        if ((random >> 16 & 7) == 0)
            factor[k] = random >> 20 & 1 ? 0.0 : -0.0;
    }
}

/* Runs a kernel that leaves in partial[thread of the grid] how often it was wrong; `input` are its factors. */
static int count(struct ewi_cuda *cuda, cu_module module, const char *kernel, union ewi_cuda_call *call,
                 const double *input, size_t inputs, int blocks, int threads, size_t shared, int64_t *different,
                 ew_error *error)
{
    const struct ewi_clock clock = {.until = INFINITY, .last_step = INT64_MAX};
    const size_t clock_bytes = 256, input_bytes = inputs * sizeof *input, found = (size_t)(blocks * threads);
    double *partial = ewi_alloc(&cuda->host, found, sizeof *partial);
    void *parameter[] = {call};
    cu_address space = 0;
    cu_function function;
    int status;
    if (!partial)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to check the GPU");
    EWI_TRY(ewi_cuda_function(cuda, module, kernel, &function, error));
    EWI_CUDA(cuda, cuda->driver.allocate(&space, clock_bytes + input_bytes + found * sizeof *partial),
             "to check its arithmetic", error);
    EWI_CUDA(cuda, cuda->driver.to_device(space, &clock, sizeof clock, cuda->stream), "copying to it", error);
    if (inputs > 0)
        EWI_CUDA(cuda, cuda->driver.to_device(space + clock_bytes, input, input_bytes, cuda->stream),
                 "copying to it", error);
    call->head.trail = (int64_t *)(uintptr_t)cuda->trail_on_device;
    call->head.clock = (struct ewi_clock *)(uintptr_t)space;
    call->check.factor = (const double *)(uintptr_t)(space + clock_bytes);
    call->check.partial = (double *)(uintptr_t)(space + clock_bytes + input_bytes);
    EWI_CUDA(cuda, cuda->driver.launch(function, (unsigned)blocks, 1, 1, (unsigned)threads, 1, 1, (unsigned)shared,
             cuda->stream, parameter, NULL), "starting a kernel", error);
    EWI_CUDA(cuda, cuda->driver.to_host(partial, space + clock_bytes + input_bytes, found * sizeof *partial,
             cuda->stream), "copying from it", error);
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "checking its arithmetic", error);
    *different = 0;
    for (size_t k = 0; k < found; k++)
        *different += (int64_t)partial[k];
out:
    if (space)
        cuda->driver.release(space);
    ewi_free(&cuda->host, partial);
    return status;
}

int ewi_cuda_check_products(struct ewi_cuda *cuda, int64_t *different, ew_error *error)
{
    union ewi_cuda_call call = {.check = {.first = 0}};
    int threads = EWI_FUSED_THREADS(cuda->blocks.variant);
    size_t factors = (size_t)(3 * PRODUCT_BLOCKS * threads);
    double *factor = ewi_alloc(&cuda->host, factors, sizeof *factor);
    if (!factor)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to check the GPU");
    fill_factors(factor, factors);
    cu_module stages = cuda->code->stages[cuda->blocks.variant];
    int status = count(cuda, stages, "check_products", &call, factor, factors, PRODUCT_BLOCKS, threads,
                       (size_t)(3 * threads) * sizeof *factor, different, error);
    ewi_free(&cuda->host, factor);
    return status;
}

int ewi_cuda_check_arithmetic(struct ewi_cuda *cuda, int64_t tries, int blocks, int64_t *different, ew_error *error)
{
    union ewi_cuda_call call = {.check = {.tries = tries}};
    return count(cuda, cuda->code->common, "check_arithmetic", &call, NULL, 0, blocks, EWI_CUDA_BLOCK, 0, different,
                 error);
}
