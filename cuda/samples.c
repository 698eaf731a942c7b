/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples of the state on the device at points that are expected (ew_solver_expect_points): where they are is uploaded
 * once; their values, far fewer than what the host would need to evaluate them, are copied with the state (copies.c).
 */
#include "ewi_cuda.h"
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_laws.h"
#include "ewi_text.h"

#include <string.h>

/* Layout of the one piece of memory, by offsets; the struct ewi_cuda_points comes first. */
struct layout {
    size_t rs, shape, values, element, end;
};

static bool needs_gradients(const struct ewi_cuda_points *points)
{
    for (int k = 0; k < points->outputs; k++)
        if (points->output[k].from == EWI_CUDA_FROM_DERIVED)
            return true;
    return false;
}

static size_t values_bytes(const struct ewi_cuda_points *points)
{
    return (size_t)points->outputs * (size_t)points->count * (points->single ? sizeof(float) : sizeof(double));
}

static struct layout layout_of(const struct ewi_cuda *cuda, const struct ewi_cuda_points *points)
{
    enum { HEAD = (sizeof(struct ewi_cuda_points) + 255) / 256 * 256 };
    size_t count = (size_t)points->count, elements = (size_t)cuda->whole->grid->elements;
    struct layout at = {.rs = HEAD};
    at.shape = at.rs + 2 * count * sizeof(double);
    at.values = at.shape + (needs_gradients(points) ? elements * EWI_CUDA_POINT_SHAPE * sizeof(double) : 0);
    at.element = at.values + (values_bytes(points) + 15) / 16 * 16;
    at.end = at.element + count * sizeof(int32_t);
    return at;
}

/* The host's copy of their description. */
static struct ewi_cuda_points describe(const struct ewi_cuda *cuda, const struct ewi_expected *expected)
{
    static const int32_t from[] = {[EWI_FROM_PRIMITIVE] = EWI_CUDA_FROM_PRIMITIVE,
                                   [EWI_FROM_CONSERVED] = EWI_CUDA_FROM_CONSERVED,
                                   [EWI_FROM_DERIVED] = EWI_CUDA_FROM_DERIVED};
    struct ewi_cuda_points points = {.count = expected->count,
                                     .order = cuda->whole->basis->order,
                                     .single = expected->single,
                                     .outputs = expected->outputs};
    for (int k = 0; k < expected->outputs; k++) {
        struct ewi_output output;
        ewi_plan_output(cuda->whole, expected->output[k], &output);
        points.output[k].from = from[output.from];
        points.output[k].index = output.index;
        points.primitive = points.primitive || output.from == EWI_FROM_PRIMITIVE;
    }
    return points;
}

static int put(struct ewi_cuda *cuda, size_t offset, const void *source, size_t bytes, ew_error *error)
{
    int status;
    EWI_CUDA(cuda, cuda->driver.to_device(cuda->samples.memory + offset, source, bytes, cuda->stream),
             "copying a raster's points to it", error);
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "copying a raster's points to it", error);
out:
    return status;
}

static int no_memory(ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory to sample points on the GPU");
}

static int put_elements(struct ewi_cuda *cuda, const struct ewi_expected *expected, size_t offset, ew_error *error)
{
    const int32_t *order = cuda->whole->mesh->order;
    int32_t *element = ewi_alloc(&cuda->host, (size_t)expected->count, sizeof *element);
    if (!element)
        return no_memory(error);
    for (int64_t k = 0; k < expected->count; k++)
        element[k] = expected->element[k] < 0 ? -1 : order[expected->element[k]];
    int status = put(cuda, offset, element, (size_t)expected->count * sizeof *element, error);
    ewi_free(&cuda->host, element);
    return status;
}

static int put_shapes(struct ewi_cuda *cuda, size_t offset, ew_error *error)
{
    const ew_mesh *mesh = cuda->whole->mesh;
    int32_t elements = cuda->whole->grid->elements;
    double *shape = ewi_alloc(&cuda->host, (size_t)elements * EWI_CUDA_POINT_SHAPE, sizeof *shape);
    if (!shape)
        return no_memory(error);
    for (int32_t i = 0; i < elements; i++) {
        struct ewi_corners corner = ewi_corners_of(mesh, i);
        double *own = shape + (size_t)i * EWI_CUDA_POINT_SHAPE;
        own[0] = corner.xr;
        own[1] = corner.xs;
        own[2] = corner.yr;
        own[3] = corner.ys;
        own[4] = ewi_mesh_det(mesh, i);
    }
    int status = put(cuda, offset, shape, (size_t)elements * EWI_CUDA_POINT_SHAPE * sizeof *shape, error);
    ewi_free(&cuda->host, shape);
    return status;
}

static int prepare(struct ewi_cuda *cuda, const struct ewi_expected *expected, ew_error *error)
{
    struct ewi_cuda_samples *samples = &cuda->samples;
    struct ewi_cuda_points points = describe(cuda, expected);
    struct layout at = layout_of(cuda, &points);
    char name[EWI_CUDA_NAME];
    int status;
    ewi_snprintf(name, sizeof name, "sample_%s%s", needs_gradients(&points) ? "gradients_" : "",
                 cuda->whole->law->identifier);
    EWI_TRY(ewi_cuda_function(cuda, cuda->code->common, name, &samples->function, error));
    EWI_CUDA(cuda, ewi_cuda_allocate_apart(cuda, &samples->memory, at.end), "for a raster", error);
    points.rs = (const double *)(uintptr_t)(samples->memory + at.rs);
    points.shape = at.values > at.shape ? (const double *)(uintptr_t)(samples->memory + at.shape) : NULL;
    points.values = (void *)(uintptr_t)(samples->memory + at.values);
    points.element = (const int32_t *)(uintptr_t)(samples->memory + at.element);
    EWI_TRY(put(cuda, 0, &points, sizeof points, error));
    EWI_TRY(put(cuda, at.rs, expected->rs, 2 * (size_t)expected->count * sizeof(double), error));
    EWI_TRY(put_elements(cuda, expected, at.element, error));
    if (points.shape)
        EWI_TRY(put_shapes(cuda, at.shape, error));
    samples->count = expected->count;
    samples->values = samples->memory + at.values;
    samples->bytes = values_bytes(&points);
    samples->device_bytes = at.end;
out:
    return status;
}

void ewi_cuda_free_samples(struct ewi_cuda *cuda)
{
    if (cuda->samples.memory)
        cuda->driver.release(cuda->samples.memory);
    ewi_free(&cuda->host, cuda->samples.host);
    cuda->samples = (struct ewi_cuda_samples){.count = 0};
}

/* Copies in flight may still read the old points. */
int ewi_cuda_expect_points(void *instance, const struct ewi_expected *expected, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    int status = ewi_cuda_enter_context(cuda, error);
    if (status != EW_OK)
        return status;
    if (cuda->still.stream)
        EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->still.stream), "copying the state", error);
    ewi_cuda_free_samples(cuda);
    if (expected->count > 0)
        EWI_TRY(prepare(cuda, expected, error));
out:
    if (status != EW_OK)
        ewi_cuda_free_samples(cuda);
    ewi_cuda_leave_context(cuda);
    return status;
}

int ewi_cuda_start_samples(struct ewi_cuda *cuda, cu_address state, cu_stream stream, void *values, ew_error *error)
{
    const struct ewi_cuda_samples *samples = &cuda->samples;
    const struct ewi_arguments a = ewi_cuda_arguments(cuda);
    union ewi_cuda_call call = {
        .sample = {.volume_field = a.volume_field,
                   .width = a.width,
                   .state = (const double *)(uintptr_t)state,
                   .points = (const struct ewi_cuda_points *)(uintptr_t)samples->memory}};
    memcpy(call.sample.parameter, a.parameter, sizeof call.sample.parameter);
    unsigned blocks = (unsigned)((samples->count + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK);
    int status;
    EWI_TRY(ewi_cuda_start(cuda, samples->function, blocks, EWI_CUDA_BLOCK, 0, false, stream, &call, error));
    EWI_CUDA(cuda, cuda->driver.to_host(values, samples->values, samples->bytes, stream), "sampling the state", error);
out:
    return status;
}

static int sample_now(struct ewi_cuda *cuda, ew_error *error)
{
    cu_address shown;
    int status;
    if (cuda->still.used)
        EWI_CUDA(cuda, cuda->driver.stream_wait_event(cuda->stream, cuda->still.read, 0), "sampling the state", error);
    EWI_TRY(ewi_cuda_show_state(cuda, &shown, error));
    EWI_TRY(ewi_cuda_start_samples(cuda, shown, cuda->stream, cuda->samples.host, error));
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "sampling the state", error);
out:
    return status;
}

int ewi_cuda_sample(void *instance, const void **values, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    struct ewi_cuda_samples *samples = &cuda->samples;
    *values = NULL;
    if (samples->count > 0 && !samples->host)
        samples->host = ewi_alloc(&cuda->host, samples->bytes, 1);
    if (!samples->host)
        return EW_OK;
    TRY(ewi_cuda_enter_context(cuda, error));
    int status = sample_now(cuda, error);
    ewi_cuda_leave_context(cuda);
    *values = status == EW_OK ? samples->host : NULL;
    return status;
}
