/* SPDX-License-Identifier: BSD-2-Clause */
/* Choosing a device, loading its code, and what goes wrong with it. */
#include "ewi_bed.h"
#include "ewi_cuda.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_text.h"

#include <stdlib.h>
#include <string.h>

/* Where the device was, from the trail that kernels leave. */
static void describe_trail(const struct ewi_cuda *cuda, char *text, size_t size)
{
    text[0] = '\0';
    if (!cuda->trail || cuda->trail[0] < 0 || cuda->trail[0] >= cuda->launches)
        return;
    const struct ewi_cuda_launch *launch = &cuda->launch[cuda->trail[0]];
    char stage[48] = "";
    if (launch->stage)
        ewi_snprintf(stage, sizeof stage, ", stage %d of %d", (int)(launch->stage - cuda->plan->scheme->stage) + 1,
                     cuda->plan->scheme->stages);
    ewi_snprintf(text, size, " in kernel %s of order %d, step %lld%s, %s 0 to %lld", launch->name,
                 cuda->plan->basis->order, (long long)cuda->trail[1] + 1, stage, launch->what,
                 (long long)launch->items - 1);
}

int ewi_cuda_result(struct ewi_cuda *cuda, cu_result result, const char *doing, ew_error *error)
{
    char words[256], where[256];
    if (result == 0)
        return EW_OK;
    ewi_driver_words(&cuda->driver, result, words, sizeof words);
    if (result == CU_OUT_OF_MEMORY) {
        size_t free = 0, total = 0;
        if (cuda->driver.memory_info(&free, &total) != 0)
            free = total = 0;
        return ewi_fail(
            error, EW_ENOMEM,
            "GPU %d (%s) has too little memory %s: the case needs %zu MB there, %zu of %zu MB are free; take a coarser "
            "mesh, a scheme with fewer registers (rk2, ssprk33), or --backend omp",
            cuda->number, cuda->name, doing, (cuda->bytes >> 20) + 1, free >> 20, total >> 20);
    }
    if (result == CU_DEVICE_UNAVAILABLE)
        return ewi_fail(
            error, EW_EUNAVAILABLE,
            "GPU %d (%s) is in exclusive use by another program, or not allowed to compute (%s); wait, or take another "
            "by --device",
            cuda->number, cuda->name, words);
    if (!cuda->lost) {
        describe_trail(cuda, where, sizeof where);
        ewi_snprintf(cuda->reason, sizeof cuda->reason, "GPU %d (%s) failed%s, while %s: %s", cuda->number, cuda->name,
                     where, doing, words);
        cuda->lost = true;
    }
    return ewi_fail(error, EW_EDEVICE, "%s; the state on it is lost, resume from the last restart file", cuda->reason);
}

int ewi_cuda_enter_context(struct ewi_cuda *cuda, ew_error *error)
{
    if (cuda->lost)
        return ewi_fail(error, EW_EDEVICE, "%s; the state on it is lost, resume from the last restart file",
                        cuda->reason);
    cu_result result = cuda->driver.context_push(cuda->context);
    return ewi_cuda_result(cuda, result, "taking its context", error);
}

void ewi_cuda_leave_context(struct ewi_cuda *cuda)
{
    cu_context own;
    cuda->driver.context_pop(&own);
}

/* ---- the device ---- */

static int choose_device(struct ewi_cuda *cuda, int number, ew_error *error)
{
    int count = 0, status = EW_OK;
    cuda->number = number;
    ewi_snprintf(cuda->name, sizeof cuda->name, "unknown");
    EWI_CUDA(cuda, cuda->driver.device_count(&count), "counting the GPUs", error);
    if (count == 0)
        return ewi_driver_no_gpu(&cuda->driver, error);
    int ordinal = ewi_driver_ordinal(number);
    if (ordinal < 0 || ordinal >= count)
        return ewi_fail(error, EW_EUNAVAILABLE, "there is no GPU %d; %s %d, numbered from 0", number,
                        getenv("CUDA_VISIBLE_DEVICES") ? "CUDA_VISIBLE_DEVICES leaves" : "this machine has", count);
    EWI_CUDA(cuda, cuda->driver.device_get(&cuda->device, ordinal), "asking for it", error);
    EWI_CUDA(cuda, cuda->driver.device_name(cuda->name, sizeof cuda->name, cuda->device), "asking for its name", error);
out:
    return status;
}

static int take_context(struct ewi_cuda *cuda, ew_error *error)
{
    cu_result result;
    cuda->primary = cuda->driver.primary_retain && cuda->driver.primary_release;
    if (cuda->primary)
        result = cuda->driver.primary_retain(&cuda->context, cuda->device);
    else
        result = cuda->driver.context_create(&cuda->context, 0, cuda->device);
    if (result == 0 && !cuda->primary)
        ewi_cuda_leave_context(cuda); /* creating it also made it current */
    if (result != 0)
        cuda->context = NULL;
    if (result == CU_INVALID_DEVICE) /* what some drivers say of a device in prohibited mode */
        result = CU_DEVICE_UNAVAILABLE;
    return ewi_cuda_result(cuda, result, "for a context", error);
}

/* ---- modules ---- */

static int no_code(const struct ewi_cuda *cuda, const char *log, cu_result result, ew_error *error)
{
    char words[256];
    int major = 0, minor = 0;
    cuda->driver.device_attribute(&major, CU_DEVICE_CAPABILITY_MAJOR, cuda->device);
    cuda->driver.device_attribute(&minor, CU_DEVICE_CAPABILITY_MINOR, cuda->device);
    return ewi_fail(error, EW_EUNAVAILABLE,
                    "the image \"%s\" has no code for GPU %d (%s, compute capability %d.%d): %s%s%s; rebuild with "
                    "--with-cuda-arch=sm_%d%d, or take another --image",
                    cuda->image->name, cuda->number, cuda->name, major, minor,
                    ewi_driver_words(&cuda->driver, result, words, sizeof words), log[0] ? ": " : "", log, major,
                    minor);
}

int ewi_cuda_load_result(struct ewi_cuda *cuda, cu_result result, const char *log, ew_error *error)
{
    if (result == CU_NO_BINARY_FOR_GPU || result == CU_INVALID_PTX || result == CU_UNSUPPORTED_PTX_VERSION)
        return no_code(cuda, log, result, error);
    return ewi_cuda_result(cuda, result, "for the kernels", error);
}

static int load_module(struct ewi_cuda *cuda, const void *code, cu_module *module, ew_error *error)
{
    char log[512] = "";
    int option[] = {CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BYTES};
    void *value[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
    cu_result result = cuda->driver.module_load(module, code, 2, option, value);
    if (result == 0)
        return EW_OK;
    *module = NULL;
    log[strcspn(log, "\n")] = '\0';
    return ewi_cuda_load_result(cuda, result, log, error);
}

int ewi_cuda_load_once(struct ewi_cuda *cuda, const void *code, cu_module *module, ew_error *error)
{
    return *module ? EW_OK : load_module(cuda, code, module, error);
}

static void unload_all(const struct ewi_cuda *cuda, cu_module *module, size_t modules)
{
    for (size_t k = 0; k < modules; k++) {
        if (module[k])
            cuda->driver.module_unload(module[k]);
        module[k] = NULL;
    }
}

static void unload(struct ewi_cuda *cuda)
{
    unload_all(cuda, &cuda->own.common, 1);
    unload_all(cuda, cuda->own.order, EWI_MAX_ORDER);
    unload_all(cuda, cuda->own.bed, EWI_MAX_ORDER);
    unload_all(cuda, cuda->own.source, EWI_MAX_ORDER);
    unload_all(cuda, cuda->own.stages, EWI_FUSED_VARIANTS);
    unload_all(cuda, &cuda->own.formula.module, 1);
    ewi_free(&cuda->host, cuda->own.formula.code);
    cuda->own.formula = (struct ewi_cuda_formula){.tried = false};
}

static int load_order(struct ewi_cuda *cuda, ew_error *error)
{
    int k = cuda->plan->basis->order - 1;
    bool bed = ewi_bed_has(cuda->plan->law);
    return ewi_cuda_load_once(cuda, (bed ? cuda->image->bed : cuda->image->order)[k],
                     &(bed ? cuda->code->bed : cuda->code->order)[k], error);
}

static int load_image(struct ewi_cuda *cuda, const struct ewi_image *image, ew_error *error)
{
    cuda->image = image;
    int status = ewi_cuda_load_once(cuda, image->common, &cuda->code->common, error);
    if (status == EW_OK && cuda->plan)
        status = load_order(cuda, error);
    if (status != EW_OK)
        unload(cuda);
    return status;
}

int ewi_cuda_load_stages(struct ewi_cuda *cuda, ew_error *error)
{
    int variant = cuda->blocks.variant;
    return ewi_cuda_load_once(cuda, cuda->image->fused[variant], &cuda->code->stages[variant], error);
}

/* The one asked for, or the first that has code for this device; if none has, the best one's failure tells most. */
static int choose_image(struct ewi_cuda *cuda, const char *name, ew_error *error)
{
    int failed = EW_OK;
    char names[64] = "";
    for (int k = 0; ewi_image_at(k); k++) {
        const struct ewi_image *image = ewi_image_at(k);
        size_t length = strlen(names);
        ewi_snprintf(names + length, sizeof names - length, "%s%s", k ? ", " : "", image->name);
        if (name && strcmp(name, image->name) != 0)
            continue;
        int status = load_image(cuda, image, failed == EW_OK ? error : NULL);
        if (status == EW_OK)
            return EW_OK;
        failed = failed == EW_OK ? status : failed;
    }
    if (failed != EW_OK)
        return failed;
    if (names[0] == '\0')
        return ewi_fail(error, EW_EUNAVAILABLE, "this build of edgewise carries no code for GPUs");
    return ewi_fail(error, EW_EUNAVAILABLE, "there is no image \"%s\" in this build; it has %s", name, names);
}

static int share_device(struct ewi_cuda *cuda, int device, const char *image, ew_error *error)
{
    const struct ewi_cuda *owner = cuda->owner;
    if (device != owner->number || (image && strcmp(image, owner->image->name) != 0))
        return ewi_fail(error, EW_EINVAL,
                        "a solver for GPU %d and image %s cannot be in an ensemble whose others are on GPU %d with "
                        "image %s; give it another ensemble",
                        device, image ? image : owner->image->name, owner->number, owner->image->name);
    cuda->driver = owner->driver;
    cuda->device = owner->device;
    cuda->number = owner->number;
    memcpy(cuda->name, owner->name, sizeof cuda->name);
    cuda->context = owner->context;
    cuda->image = owner->image;
    cuda->code = owner->code;
    return EW_OK;
}

static int take_device(struct ewi_cuda *cuda, int device, ew_error *error)
{
    TRY(ewi_driver_open(&cuda->driver, error));
    TRY(choose_device(cuda, device, error));
    return take_context(cuda, error);
}

struct locked {
    int64_t trail[8];
    struct ewi_clock clock;
    struct ewi_cuda_device_clock left;
};

int ewi_cuda_open(struct ewi_cuda *cuda, int device, const char *image, ew_error *error)
{
    struct locked *locked;
    int status;
    bool entered = false;
    cuda->code = &cuda->own;
    EWI_TRY(cuda->owner ? share_device(cuda, device, image, error) : take_device(cuda, device, error));
    EWI_TRY(ewi_cuda_enter_context(cuda, error));
    entered = true;
    EWI_CUDA(cuda, cuda->driver.stream_create(&cuda->stream, CU_STREAM_NON_BLOCKING), "making a stream", error);
    EWI_TRY(cuda->owner ? load_order(cuda, error) : choose_image(cuda, image, error));
    void *page;
    EWI_CUDA(cuda, ewi_cuda_take_pages(cuda, &page, sizeof *locked), "taking page-locked memory", error);
    locked = page;
    cuda->trail = locked->trail;
    cuda->clock = &locked->clock;
    cuda->left = &locked->left;
    cuda->trail[EWI_TRAIL_LAUNCH] = -1;
    cuda->trail[EWI_TRAIL_LEAVES] = 0;
    EWI_CUDA(cuda, cuda->driver.host_address(&cuda->trail_on_device, cuda->trail, 0), "mapping memory", error);
out:
    if (entered)
        ewi_cuda_leave_context(cuda);
    return status;
}

void ewi_cuda_close(struct ewi_cuda *cuda)
{
    if (cuda->context && cuda->driver.context_push(cuda->context) == 0) {
        for (int k = 0; k < EWI_ARRAYS; k++)
            if (cuda->array[k])
                ewi_cuda_give(cuda, cuda->array[k]);
        ewi_cuda_give_chunks(cuda);
        if (cuda->trail)
            ewi_cuda_give_pages(cuda, cuda->trail, sizeof(struct locked));
        if (cuda->pool)
            ewi_cuda_release_pool(cuda);
        unload(cuda);
        if (cuda->stream)
            cuda->driver.stream_destroy(cuda->stream);
        ewi_cuda_leave_context(cuda);
    }
    ewi_cuda_forget_chunks(cuda);
    if (cuda->owner)
        return;
    if (cuda->context && cuda->primary && !cuda->known_to_mpi)
        cuda->driver.primary_release(cuda->device);
    else if (cuda->context && !cuda->primary)
        cuda->driver.context_destroy(cuda->context);
    cuda->context = NULL;
    ewi_driver_close(&cuda->driver);
}

enum { MUCH_SHARED = 1024 }; /* bytes */

int ewi_cuda_function(struct ewi_cuda *cuda, cu_module module, const char *name, cu_function *function, ew_error *error)
{
    int status = EW_OK;
    char doing[96];
    ewi_snprintf(doing, sizeof doing, "looking for kernel %s", name);
    EWI_CUDA(cuda, cuda->driver.module_function(function, module, name), doing, error);
    /* Only a hint. With a preference for L1, current cards run few blocks at once if a block has much shared memory. */
    int shared = 0;
    if (cuda->driver.function_attribute(&shared, CU_FUNCTION_SHARED_BYTES, *function) != 0)
        shared = 0;
    cuda->driver.function_cache(*function, shared > MUCH_SHARED ? CU_PREFER_SHARED : CU_PREFER_L1);
out:
    return status;
}
