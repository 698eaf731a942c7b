/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads the module that evaluates sources. If the image's can be linked, it gets the problem's formulas in machine
 * code, which the driver makes from PTX; where the driver cannot, and in an ensemble for all formulas but the first
 * member's, the module interprets them, with the same bits.
 */
#include "ewi_cuda.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_ptx.h"

#include <string.h>

/* True if the instructions are the same; constants and rasters are operands. */
static bool is_compiled(const struct ewi_cuda_formula *compiled, const struct ewi_plan *plan)
{
    const struct ewi_program *program = plan->source.program;
    return compiled->module && compiled->law == plan->law && compiled->order == plan->basis->order &&
           compiled->length == program->length &&
           memcmp(compiled->code, program->code, (size_t)program->length * sizeof *program->code) == 0;
}

/* The size of a fat binary, by its header: that of the header and of what comes after it; or of a text. */
static size_t image_bytes(const void *image)
{
    uint16_t header;
    uint64_t rest;
    if (memcmp(image, "\x50\xed\x55\xba", 4) != 0)
        return strlen(image) + 1;
    memcpy(&header, (const char *)image + 6, sizeof header);
    memcpy(&rest, (const char *)image + 8, sizeof rest);
    return header + rest;
}

/* Links the image's module, with `ptx` if that is not NULL. Where it fails, the module is NULL. */
static cu_result link_module(struct ewi_cuda *cuda, const char *ptx, cu_module *module)
{
    const struct ewi_driver *driver = &cuda->driver;
    const void *image = cuda->image->source[cuda->plan->basis->order - 1];
    cu_link link = NULL;
    void *linked;
    size_t bytes;
    *module = NULL;
    cu_result result = driver->link_create(0, NULL, NULL, &link);
    if (result != 0)
        return result;
    result = driver->link_add(link, CU_LINK_FAT_BINARY, (void *)(uintptr_t)image, image_bytes(image), "source", 0, NULL,
                              NULL);
    if (result == 0 && ptx)
        result = driver->link_add(link, CU_LINK_PTX, (void *)(uintptr_t)ptx, strlen(ptx) + 1, "formulas", 0, NULL,
                                  NULL);
    if (result == 0)
        result = driver->link_complete(link, &linked, &bytes);
    if (result == 0)
        result = driver->module_load(module, linked, 0, NULL, NULL);
    driver->link_destroy(link);
    return result;
}

/* The module stays NULL, with success, if the driver cannot compile. */
static int compile(struct ewi_cuda *cuda, struct ewi_cuda_formula *compiled, ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    const struct ewi_program *program = plan->source.program;
    const ew_host *host = cuda->owner ? &cuda->owner->host : &cuda->host; /* that of cuda->code */
    size_t bytes = (size_t)program->length * sizeof *program->code;
    char *ptx = ewi_ptx_source(&cuda->host, program, plan->law->identifier, plan->variables);
    *compiled = (struct ewi_cuda_formula){.tried = true, .law = plan->law, .order = plan->basis->order,
                                          .length = program->length, .code = ewi_alloc(host, bytes, 1)};
    if (ptx && compiled->code) {
        memcpy(compiled->code, program->code, bytes);
        link_module(cuda, ptx, &compiled->module);
    }
    ewi_free(&cuda->host, ptx);
    return ptx && compiled->code ? EW_OK
                                 : ewi_fail(error, EW_ENOMEM, "not enough memory for the source's formulas");
}

static int load_interpreter(struct ewi_cuda *cuda, ew_error *error)
{
    int k = cuda->plan->basis->order - 1;
    cu_module *module = &cuda->code->source[k];
    int status = EW_OK;
    if (!cuda->image->links)
        status = ewi_cuda_load_once(cuda, cuda->image->source[k], module, error);
    else if (!*module)
        status = ewi_cuda_load_result(cuda, link_module(cuda, NULL, module), "", error);
    cuda->sources = *module;
    return status;
}

int ewi_cuda_load_sources(struct ewi_cuda *cuda, ew_error *error)
{
    struct ewi_cuda_formula *compiled = &cuda->code->formula;
    if (!ewi_has_sources(&cuda->plan->sizes))
        return EW_OK;
    if (cuda->image->links && !cuda->driver.link_create)
        return ewi_fail(error, EW_EUNAVAILABLE, "the NVIDIA driver here is too old for sources: it has no "
                        "cuLinkCreate; CUDA 6.5 or later is needed");
    if (cuda->plan->source.program && cuda->image->links && !compiled->tried)
        TRY(compile(cuda, compiled, error));
    if (cuda->plan->source.program && is_compiled(compiled, cuda->plan))
        cuda->sources = compiled->module;
    return cuda->sources ? EW_OK : load_interpreter(cuda, error);
}
