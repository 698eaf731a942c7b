/* SPDX-License-Identifier: BSD-2-Clause */
/* Rasters on the device. Formulas and members of an ensemble that use the same raster share one copy. */
#include "ewi_cuda.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <pthread.h>
#include <string.h>

struct ewi_cuda_raster {
    struct ewi_cuda_raster *next;
    struct ewi_raster_use host; /* identifies it by the host's arrays */
    cu_address memory; /* axes and values one after the other */
    int64_t users;
};

static struct ewi_cuda *keeper_of(struct ewi_cuda *cuda)
{
    return cuda->owner ? cuda->owner : cuda;
}

static void lock(struct ewi_cuda *cuda)
{
    if (cuda->owner)
        pthread_mutex_lock(cuda->owner->code->lock);
}

static void unlock(struct ewi_cuda *cuda)
{
    if (cuda->owner)
        pthread_mutex_unlock(cuda->owner->code->lock);
}

static struct ewi_cuda_raster **find(struct ewi_cuda *keeper, const struct ewi_raster_use *use)
{
    struct ewi_cuda_raster **place = &keeper->raster;
    while (*place && ((*place)->host.values != use->values || (*place)->host.points[2] != use->points[2] ||
                      memcmp((*place)->host.axis, use->axis, sizeof use->axis) != 0))
        place = &(*place)->next;
    return place;
}

/* Copies axes and values; `use` then names them on the device. */
static int copy(struct ewi_cuda *cuda, cu_address memory, struct ewi_raster_use *use, bool uploads, ew_error *error)
{
    const size_t layers = use->points[2] > 0 ? (size_t)use->points[2] : 1,
                 counts[4] = {(size_t)use->points[0], (size_t)use->points[1], (size_t)use->points[2],
                              (size_t)use->points[0] * (size_t)use->points[1] * layers};
    const double **array[4] = {&use->axis[0], &use->axis[1], &use->axis[2], &use->values};
    int status = EW_OK;
    for (int k = 0; k < 4; k++) {
        size_t bytes = counts[k] * sizeof(double);
        if (uploads && bytes > 0)
            EWI_CUDA(cuda, cuda->driver.to_device(memory, *array[k], bytes, cuda->stream), "copying a raster to it",
                     error);
        *array[k] = (const double *)(uintptr_t)memory;
        memory += bytes;
    }
    if (uploads)
        EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "copying a raster to it", error);
out:
    return status;
}

static int make(struct ewi_cuda *cuda, struct ewi_raster_use *use, struct ewi_cuda_raster **made, ew_error *error)
{
    struct ewi_cuda *keeper = keeper_of(cuda);
    struct ewi_cuda_raster *raster = ewi_alloc(&keeper->host, 1, sizeof *raster);
    int status;
    if (!raster)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for a raster on the device");
    *raster = (struct ewi_cuda_raster){.host = *use};
    EWI_CUDA(cuda, ewi_cuda_allocate_apart(cuda, &raster->memory, ewi_raster_bytes(use)), "for a raster", error);
    EWI_TRY(copy(cuda, raster->memory, use, true, error));
    raster->next = keeper->raster;
    *made = keeper->raster = raster;
    raster = NULL;
out:
    if (raster && raster->memory)
        cuda->driver.release(raster->memory);
    ewi_free(&keeper->host, raster);
    return status;
}

static int take(struct ewi_cuda *cuda, struct ewi_raster_use *use, ew_error *error)
{
    struct ewi_cuda_raster *raster = *find(keeper_of(cuda), use);
    TRY(raster ? copy(cuda, raster->memory, use, false, error) : make(cuda, use, &raster, error));
    raster->users++;
    cuda->held[cuda->helds++] = raster;
    return EW_OK;
}

int ewi_cuda_put_rasters(struct ewi_cuda *cuda, enum ewi_cuda_array array, size_t first,
                         const struct ewi_program *program, ew_error *error)
{
    int status = EW_OK;
    if (!cuda->held)
        cuda->held = ewi_alloc(&cuda->host, cuda->plan->rasters + cuda->plan->source_rasters, sizeof *cuda->held);
    if (!cuda->held)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the rasters of formulas");
    for (int32_t k = 0; k < program->rasters; k++) {
        struct ewi_raster_use use = program->raster[k];
        lock(cuda);
        status = take(cuda, &use, error);
        unlock(cuda);
        EWI_TRY(status);
        EWI_CUDA(cuda, cuda->driver.to_device(cuda->array[array] + (first + (size_t)k) * sizeof use, &use, sizeof use,
                                              cuda->stream), "copying a raster to it", error);
        EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "copying a raster to it", error);
    }
out:
    return status;
}

void ewi_cuda_free_rasters(struct ewi_cuda *cuda)
{
    struct ewi_cuda *keeper = keeper_of(cuda);
    lock(cuda);
    while (cuda->helds > 0) {
        struct ewi_cuda_raster *raster = cuda->held[--cuda->helds], **place = &keeper->raster;
        if (--raster->users > 0)
            continue;
        while (*place != raster)
            place = &(*place)->next;
        *place = raster->next;
        cuda->driver.release(raster->memory);
        ewi_free(&keeper->host, raster);
    }
    unlock(cuda);
    ewi_free(&cuda->host, cuda->held);
    cuda->held = NULL;
}
