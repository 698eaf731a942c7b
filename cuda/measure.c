/* SPDX-License-Identifier: BSD-2-Clause */
/* A GPU's limits: copying, and multiplying and adding in double precision, without and with its matrix units. */
#include "ewi_cuda.h"
#include "ewi_error.h"

#include <math.h>

enum { REPEATS = 5, BLOCKS_A_MULTIPROCESSOR = 16 };
#define COPY_BYTES ((size_t)1 << 31)
/* Loops of an arithmetic kernel: as many as take long enough to be timed, and no more. */
enum { FEWEST_LOOPS = 64, MOST_LOOPS = 4096 };
#define LONG_ENOUGH 1e-3

struct stopwatch {
    cu_event begin, end;
};

static int start(struct ewi_cuda *cuda, struct stopwatch *watch, ew_error *error)
{
    int status = EW_OK;
    EWI_CUDA(cuda, cuda->driver.event_record(watch->begin, cuda->stream), "timing", error);
out:
    return status;
}

static int stop(struct ewi_cuda *cuda, struct stopwatch *watch, double *seconds, ew_error *error)
{
    int status = EW_OK;
    float milliseconds;
    EWI_CUDA(cuda, cuda->driver.event_record(watch->end, cuda->stream), "timing", error);
    EWI_CUDA(cuda, cuda->driver.event_wait(watch->end), "timing", error);
    EWI_CUDA(cuda, cuda->driver.event_elapsed(&milliseconds, watch->begin, watch->end), "timing", error);
    *seconds = 1e-3 * milliseconds;
out:
    return status;
}

static int measure_copy(struct ewi_cuda *cuda, struct stopwatch *watch, double *bytes_per_s, ew_error *error)
{
    cu_address a = 0, b = 0;
    size_t free = 0, total = 0, bytes = COPY_BYTES;
    int status = EW_OK;
    EWI_CUDA(cuda, cuda->driver.memory_info(&free, &total), "asking for its memory", error);
    if (bytes > free / 4)
        bytes = free / 4 / 256 * 256;
    cuda->bytes = 2 * bytes;
    EWI_CUDA(cuda, cuda->driver.allocate(&a, bytes), "to measure copying", error);
    EWI_CUDA(cuda, cuda->driver.allocate(&b, bytes), "to measure copying", error);
    EWI_CUDA(cuda, cuda->driver.clear(a, 0x3ff12345, bytes / 4, cuda->stream), "filling memory", error);
    for (int k = 0; k <= REPEATS; k++) { /* the first one warms up */
        double seconds;
        EWI_TRY(start(cuda, watch, error));
        EWI_CUDA(cuda, cuda->driver.on_device(b, a, bytes, cuda->stream), "copying", error);
        EWI_TRY(stop(cuda, watch, &seconds, error));
        if (k > 0 && !(2.0 * (double)bytes / seconds <= *bytes_per_s))
            *bytes_per_s = 2.0 * (double)bytes / seconds;
    }
out:
    if (a)
        cuda->driver.release(a);
    if (b)
        cuda->driver.release(b);
    return status;
}

/* Kernels leave the number of their operations in partial[0]: 0, if the device has no such units. */
static int measure_arithmetic(struct ewi_cuda *cuda, struct stopwatch *watch, const char *kernel, double *flops_per_s,
                              ew_error *error)
{
    struct ewi_clock clock = {.until = INFINITY, .last_step = INT64_MAX};
    union ewi_cuda_call call = {.check = {.tries = FEWEST_LOOPS}};
    cu_address space = 0;
    cu_function function;
    void *parameter[] = {&call};
    double flops = 0.0, seconds;
    int status, multiprocessors = 0;
    EWI_TRY(ewi_cuda_function(cuda, cuda->code->common, kernel, &function, error));
    EWI_CUDA(cuda, cuda->driver.device_attribute(&multiprocessors, CU_DEVICE_MULTIPROCESSORS, cuda->device),
             "counting its processors", error);
    unsigned blocks = (unsigned)(multiprocessors > 0 ? multiprocessors : 1) * BLOCKS_A_MULTIPROCESSOR;
    EWI_CUDA(cuda, cuda->driver.allocate(&space, 256 + sizeof(double)), "to measure arithmetic", error);
    EWI_CUDA(cuda, cuda->driver.to_device(space, &clock, sizeof clock, cuda->stream), "copying to it", error);
    call.head.clock = (struct ewi_clock *)(uintptr_t)space;
    call.head.trail = (int64_t *)(uintptr_t)cuda->trail_on_device;
    call.check.partial = (double *)(uintptr_t)(space + 256);
    for (int k = 0; k <= REPEATS; k++) {
        EWI_TRY(start(cuda, watch, error));
        EWI_CUDA(cuda, cuda->driver.launch(function, blocks, 1, 1, EWI_CUDA_BLOCK, 1, 1, 0, cuda->stream, parameter,
                 NULL), "starting a kernel", error);
        EWI_TRY(stop(cuda, watch, &seconds, error));
        EWI_CUDA(cuda, cuda->driver.to_host(&flops, space + 256, sizeof flops, cuda->stream), "copying from it", error);
        EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "copying from it", error);
        if (k == 0 && seconds < LONG_ENOUGH && call.check.tries < MOST_LOOPS) {
            call.check.tries *= 4;
            k--;
        }
        double rate = flops * blocks * EWI_CUDA_BLOCK / seconds;
        if (k > 0 && flops > 0.0 && !(rate <= *flops_per_s))
            *flops_per_s = rate;
    }
out:
    if (space)
        cuda->driver.release(space);
    return status;
}

int ewi_cuda_measure(struct ewi_cuda *cuda, ew_limits *limits, ew_error *error)
{
    struct stopwatch watch = {NULL, NULL};
    int status = EW_OK;
    EWI_CUDA(cuda, cuda->driver.event_create(&watch.begin, 0), "making an event", error);
    EWI_CUDA(cuda, cuda->driver.event_create(&watch.end, 0), "making an event", error);
    EWI_TRY(measure_copy(cuda, &watch, &limits->copy_bytes_per_s, error));
    EWI_TRY(measure_arithmetic(cuda, &watch, "measure_fma", &limits->flops_per_s, error));
    EWI_TRY(measure_arithmetic(cuda, &watch, "measure_matrix", &limits->tensor_flops_per_s, error));
out:
    if (watch.begin)
        cuda->driver.event_destroy(watch.begin);
    if (watch.end)
        cuda->driver.event_destroy(watch.end);
    return status;
}
