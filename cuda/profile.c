/* SPDX-License-Identifier: BSD-2-Clause */
/* Times each launch of a step by itself. */
#include "ewi_cuda.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <string.h>

static void add_profile(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, double seconds,
                        ew_kernel_profile *kernel, int *kernels)
{
    const struct ewi_driver *driver = &cuda->driver;
    int blocks = 0, threads = 0, registers, local;
    struct ewi_work work = {0};
    if (!launch->minor)
        work = ewi_work_of(cuda->plan, launch->kind, launch->stage);
    ewi_profile_add(kernel, kernels, launch->kind, !launch->minor, seconds, work);
    if (!launch->function || launch->minor)
        return;
    ew_kernel_profile *entry = kernel;
    while (strcmp(entry->name, ewi_work_name(launch->kind)) != 0)
        entry++;
    if (driver->function_attribute(&registers, CU_FUNCTION_REGISTERS, launch->function) == 0)
        entry->registers = registers;
    if (driver->function_attribute(&local, CU_FUNCTION_LOCAL_BYTES, launch->function) == 0)
        entry->local_bytes = local;
    if (driver->occupancy && driver->occupancy(&blocks, launch->function, (int)launch->threads, launch->shared) == 0 &&
        driver->device_attribute(&threads, CU_DEVICE_THREADS_PER_MULTIPROCESSOR, cuda->device) == 0 && threads > 0)
        entry->occupancy = (double)blocks * launch->threads / threads;
}

int ewi_cuda_profile_step(struct ewi_cuda *cuda, ew_kernel_profile *kernel, int *kernels, ew_error *error)
{
    int status = EW_OK, launches = cuda->step.count, count = 2 * launches;
    struct ewi_cuda_launch *launch = cuda->launch + cuda->step.first;
    cu_event *event = ewi_alloc(&cuda->host, (size_t)count, sizeof *event);
    if (!event)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to time %d kernels", launches);
    for (int k = 0; k < count; k++)
        EWI_CUDA(cuda, cuda->driver.event_create(&event[k], 0), "making an event", error);
    for (int k = 0; k < launches; k++) {
        EWI_CUDA(cuda, cuda->driver.event_record(event[2 * k], cuda->stream), "timing a kernel", error);
        EWI_TRY(ewi_cuda_launch_one(cuda, &launch[k], error));
        EWI_CUDA(cuda, cuda->driver.event_record(event[2 * k + 1], cuda->stream), "timing a kernel", error);
    }
    EWI_TRY(ewi_cuda_launch(cuda, cuda->closing, error));
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "stepping", error);
    for (int k = 0; k < launches; k++) {
        float milliseconds;
        EWI_CUDA(cuda, cuda->driver.event_elapsed(&milliseconds, event[2 * k], event[2 * k + 1]),
                 "timing a kernel", error);
        add_profile(cuda, &launch[k], 1e-3 * milliseconds, kernel, kernels);
    }
out:
    for (int k = 0; k < count; k++)
        if (event[k])
            cuda->driver.event_destroy(event[k]);
    ewi_free(&cuda->host, event);
    return status;
}
