/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies of the state in the host's memory, made while steps go on: the state is copied on the device, which takes a
 * few microseconds and is a part of the order of steps, and from there by a stream of its own, which also samples it at
 * points that are expected (samples.c). Where memory for that is not to be had, on the device or page-locked on the
 * host, steps wait for the copy, and it has no samples.
 */
#include "ewi_cuda.h"
#include "ewi_error.h"
#include "ewi_host.h"

struct copy {
    struct ewi_cuda *cuda;
    double *state;
    bool locked; /* `state` is page-locked */
    bool starts; /* it is being copied by the stream of copies, to the event's end */
    void *values;       /* page-locked, of the points that were expected when the copy started ... */
    size_t values_room; /* ... or NULL, if there was no memory for that */
    bool has_values;
    cu_event there;
};

static size_t state_bytes(const struct ewi_cuda *cuda)
{
    return ewi_plan_state_doubles(cuda->whole) * sizeof(double);
}

/* Sets up, with the first copy of an instance, what all of them share; all of it is optional. */
static void take_still(struct ewi_cuda *cuda)
{
    const struct ewi_driver *driver = &cuda->driver;
    struct ewi_cuda_still *still = &cuda->still;
    if (still->asked)
        return;
    still->asked = true;
    if (driver->stream_create(&still->stream, CU_STREAM_NON_BLOCKING) != 0)
        still->stream = NULL;
    if (!still->stream || driver->event_create(&still->taken, CU_EVENT_NO_TIMING) != 0)
        still->taken = NULL;
    if (!still->taken || driver->event_create(&still->read, CU_EVENT_NO_TIMING) != 0)
        still->read = NULL;
    if (!still->read || ewi_cuda_take(cuda, &still->state, state_bytes(cuda)) != 0)
        still->state = 0;
}

void ewi_cuda_free_still(struct ewi_cuda *cuda)
{
    struct ewi_cuda_still *still = &cuda->still;
    if (still->state)
        ewi_cuda_give(cuda, still->state);
    if (still->read)
        cuda->driver.event_destroy(still->read);
    if (still->taken)
        cuda->driver.event_destroy(still->taken);
    if (still->stream)
        cuda->driver.stream_destroy(still->stream);
    *still = (struct ewi_cuda_still){.asked = true};
}

static void take_locked(struct copy *copy)
{
    const struct ewi_driver *driver = &copy->cuda->driver;
    void *memory;
    if (!copy->cuda->still.state || driver->event_create(&copy->there, CU_EVENT_NO_TIMING | CU_EVENT_BLOCKING) != 0) {
        copy->there = NULL;
        return;
    }
    copy->locked = ewi_cuda_take_pages(copy->cuda, &memory, state_bytes(copy->cuda)) == 0;
    if (copy->locked)
        copy->state = memory;
}

void ewi_cuda_copy_destroy(void *pointer)
{
    struct copy *copy = pointer;
    if (!copy)
        return;
    struct ewi_cuda *cuda = copy->cuda;
    ew_host host = cuda->host;
    if ((copy->there || copy->locked) && cuda->driver.context_push(cuda->context) == 0) {
        if (copy->locked) /* it may be on its way even if what was to follow has failed */
            cuda->driver.stream_wait(cuda->still.stream);
        if (copy->there)
            cuda->driver.event_destroy(copy->there);
        if (copy->locked)
            ewi_cuda_give_pages(cuda, copy->state, state_bytes(cuda));
        if (copy->values)
            ewi_cuda_give_pages(cuda, copy->values, copy->values_room);
        ewi_cuda_leave_context(cuda);
    }
    if (!copy->locked)
        ewi_free(&host, copy->state);
    ewi_free(&host, copy);
}

int ewi_cuda_copy_create(void *instance, void **result, double **state, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    struct copy *copy = ewi_alloc(&cuda->host, 1, sizeof *copy);
    int status = copy ? ewi_cuda_enter_context(cuda, error) : EW_ENOMEM;
    if (status == EW_OK) {
        copy->cuda = cuda;
        take_still(cuda);
        take_locked(copy);
        ewi_cuda_leave_context(cuda);
        if (!copy->state)
            copy->state = ewi_alloc(&cuda->host, ewi_plan_state_doubles(cuda->whole), sizeof *copy->state);
        if (!copy->state)
            status = EW_ENOMEM;
    }
    if (status == EW_OK) {
        *result = copy;
        *state = copy->state;
        return EW_OK;
    }
    if (copy && copy->cuda)
        ewi_cuda_copy_destroy(copy);
    else
        ewi_free(&cuda->host, copy);
    return status != EW_ENOMEM
               ? status
               : ewi_fail(error, EW_ENOMEM, "not enough memory for a copy of the state, which takes %zu MB",
                          state_bytes(cuda) >> 20);
}

/* For as many values as there are now; without memory, it is not tried again until there are others. */
static void take_values(struct copy *copy)
{
    size_t bytes = copy->cuda->samples.bytes;
    if (bytes == copy->values_room)
        return;
    if (copy->values)
        ewi_cuda_give_pages(copy->cuda, copy->values, copy->values_room);
    if (bytes == 0 || ewi_cuda_take_pages(copy->cuda, &copy->values, bytes) != 0)
        copy->values = NULL;
    copy->values_room = bytes;
}

const void *ewi_cuda_copy_values(const void *pointer)
{
    const struct copy *copy = pointer;
    return copy->has_values ? copy->values : NULL;
}

/* The copy before must have left the device's before the next one comes there; streams wait for that, not the host. */
static int start_apart(struct copy *copy, ew_error *error)
{
    struct ewi_cuda *cuda = copy->cuda;
    struct ewi_cuda_still *still = &cuda->still;
    const struct ewi_driver *driver = &cuda->driver;
    int status = EW_OK;
    if (still->used)
        EWI_CUDA(cuda, driver->stream_wait_event(cuda->stream, still->read, 0), "copying the state", error);
    EWI_TRY(ewi_cuda_copy_state(cuda, still->state, error));
    EWI_CUDA(cuda, driver->event_record(still->taken, cuda->stream), "copying the state", error);
    EWI_CUDA(cuda, driver->stream_wait_event(still->stream, still->taken, 0), "copying the state", error);
    EWI_CUDA(cuda, driver->to_host(copy->state, still->state, state_bytes(cuda), still->stream),
             "copying the state", error);
    if (copy->values)
        EWI_TRY(ewi_cuda_start_samples(cuda, still->state, still->stream, copy->values, error));
    copy->has_values = copy->values != NULL;
    EWI_CUDA(cuda, driver->event_record(still->read, still->stream), "copying the state", error);
    still->used = true;
    EWI_CUDA(cuda, driver->event_record(copy->there, still->stream), "copying the state", error);
    copy->starts = true;
out:
    return status;
}

int ewi_cuda_copy_start(void *pointer, ew_error *error)
{
    struct copy *copy = pointer;
    struct ewi_cuda *cuda = copy->cuda;
    int status = ewi_cuda_copy_wait(copy, error);
    copy->has_values = false;
    if (status == EW_OK)
        status = ewi_cuda_enter_context(cuda, error);
    if (status != EW_OK)
        return status;
    if (copy->locked)
        take_values(copy);
    if (copy->locked)
        status = start_apart(copy, error);
    else
        status = ewi_cuda_get_state(cuda, copy->state, error);
    ewi_cuda_leave_context(cuda);
    return status;
}

/*
 * Steps may be going on in another thread, to which cuda->lost and what is said of it belong: it will meet the failure
 * itself.
 */
int ewi_cuda_copy_wait(void *pointer, ew_error *error)
{
    struct copy *copy = pointer;
    struct ewi_cuda *cuda = copy->cuda;
    if (!copy->starts)
        return EW_OK;
    cu_result result = cuda->driver.context_push(cuda->context);
    if (result == 0) {
        result = cuda->driver.event_wait(copy->there);
        ewi_cuda_leave_context(cuda);
    }
    copy->starts = result != 0;
    char words[256];
    return result == 0
               ? EW_OK
               : ewi_fail(error, EW_EDEVICE,
                          "GPU %d (%s) failed while copying the state: %s; the state on it is lost, resume from the "
                          "last restart file",
                          cuda->number, cuda->name, ewi_driver_words(&cuda->driver, result, words, sizeof words));
}
