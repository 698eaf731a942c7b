/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads the NVIDIA driver and finds its functions. */
#include "ewi_driver.h"
#include "ewi_error.h"
#include "ewi_text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#ifndef RTLD_NODELETE
#define RTLD_NODELETE 0
#endif

const char *ewi_driver_words(const struct ewi_driver *driver, cu_result result, char *text, size_t size)
{
    const char *name = NULL, *words = NULL;
    if (driver->error_name && driver->error_name(result, &name) != 0)
        name = NULL;
    if (driver->error_text && driver->error_text(result, &words) != 0)
        words = NULL;
    if (name && words)
        ewi_snprintf(text, size, "%s: %s", name, words);
    else
        ewi_snprintf(text, size, "CUDA error %d", result);
    return text;
}

/* An object and a function pointer are not convertible in ISO C; POSIX promises that their bytes are. */
static bool find(void *library, const char *symbol, void *entry)
{
    void *address = dlsym(library, symbol);
    memcpy(entry, &address, sizeof address);
    return address != NULL;
}

static int load(struct ewi_driver *driver, ew_error *error)
{
    driver->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!driver->library)
        return ewi_fail(error, EW_EUNAVAILABLE, "there is no NVIDIA driver here (%s)", dlerror());
    const char *missing = NULL;
#define EWI_FIND(member, symbol, parameters)                                \
    if (!find(driver->library, #symbol, &driver->member) && !missing)       \
        missing = #symbol;
    EWI_DRIVER_ENTRIES(EWI_FIND)
#undef EWI_FIND
    if (missing)
        return ewi_fail(error, EW_EUNAVAILABLE,
                        "the NVIDIA driver here is too old: it has no %s; CUDA 4.0 or later is needed", missing);
#define EWI_FIND(member, symbol, parameters) find(driver->library, #symbol, &driver->member);
    EWI_DRIVER_OPTIONAL(EWI_FIND)
#undef EWI_FIND
    return EW_OK;
}

int ewi_driver_open(struct ewi_driver *driver, ew_error *error)
{
    *driver = (struct ewi_driver){0};
    int status = load(driver, error);
    if (status == EW_OK) {
        cu_result result = driver->init(0);
        char words[256];
        if (result == CU_NO_DEVICE)
            status = ewi_fail(error, EW_EUNAVAILABLE, "the NVIDIA driver finds no GPU in this machine");
        else if (result != 0)
            status = ewi_fail(error, EW_EUNAVAILABLE,
                              "the NVIDIA driver does not start (%s); is its kernel module loaded?",
                              ewi_driver_words(driver, result, words, sizeof words));
    }
    if (status != EW_OK)
        ewi_driver_close(driver);
    return status;
}

void ewi_driver_close(struct ewi_driver *driver)
{
    if (driver->library)
        dlclose(driver->library);
    *driver = (struct ewi_driver){0};
}
