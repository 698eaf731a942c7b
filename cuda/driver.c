/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads the NVIDIA driver, finds its functions, and says why it does not start. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "ewi_driver.h"
#include "ewi_error.h"
#include "ewi_text.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
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

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

int ewi_driver_ordinal(int number)
{
    const char *text = getenv(EWI_GPU_NUMBERS);
    if (!text || !text[0])
        return number;
    for (int k = 0;; k++) {
        char *end;
        long shown = strtol(text, &end, 10);
        if (end != text && shown == number)
            return k;
        if (end == text || *end != ',')
            return -1;
        text = end + 1;
    }
}

/* ---- why it does not start --------------------------------------------------------------------------------------- */

/* Error numbers of cuInit and their usual causes. */
static const struct {
    cu_result result;
    const char *advice;
} usual[] = {
    {2, "there is too little memory for it; raise this process's limits (ulimit -v, the control group's)"},
    {34, "this file is the CUDA toolkit's stub, which is for linking only; take its folder out of LD_LIBRARY_PATH"},
    {46, "its GPUs are in exclusive use by other programs, or not allowed to compute (nvidia-smi -q -d COMPUTE)"},
    {101, "a GPU that CUDA_VISIBLE_DEVICES names is not there (nvidia-smi -L)"},
    {304, "the system refuses what it asks for; this user needs read and write access to /dev/nvidia*, and perhaps a "
          "higher limit of open files (ulimit -n)"},
    {802, "GPUs that NVSwitch joins need the fabric manager of the driver's version: start nvidia-fabricmanager"},
    {803, "this file and the kernel module are of different versions, as after an update of the driver; reboot"},
    {804, "this file is from a cuda-compat package, which these GPUs cannot use; take its folder out of "
          "LD_LIBRARY_PATH"},
    {805, "the MPS server does not answer; start nvidia-cuda-mps-control, or unset CUDA_MPS_PIPE_DIRECTORY"},
    {806, "the MPS server has failed; start nvidia-cuda-mps-control anew, or unset CUDA_MPS_PIPE_DIRECTORY"},
    {807, "the MPS server is not ready; try again"},
    {808, "the MPS server has as many clients as it takes; wait, or unset CUDA_MPS_PIPE_DIRECTORY"},
    {999, "the kernel module is out of order, as after a suspend, or /dev/nvidia-uvm is missing; reload the module "
          "nvidia_uvm, or reboot"},
};

static const char *advice_on(cu_result result)
{
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        if (usual[k].result == result)
            return usual[k].advice;
    return "is its kernel module loaded? (nvidia-smi)";
}

/* The file that was loaded, whose name has the version. */
static const char *file_of(const struct ewi_driver *driver, char path[PATH_MAX])
{
    Dl_info info;
    void *address;
    memcpy(&address, &driver->init, sizeof address);
    if (dladdr(address, &info) == 0 || !info.dli_fname)
        return "libcuda.so.1";
    return realpath(info.dli_fname, path) ? path : info.dli_fname;
}

int ewi_driver_no_gpu(const struct ewi_driver *driver, ew_error *error)
{
    char path[PATH_MAX];
    const char *file = file_of(driver, path), *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (visible)
        return ewi_fail(error, EW_EUNAVAILABLE,
                        "the NVIDIA driver (%.300s) finds no GPU: CUDA_VISIBLE_DEVICES is \"%.80s\", which hides them "
                        "all; unset it, or name GPUs of nvidia-smi -L", file, visible);
    return ewi_fail(error, EW_EUNAVAILABLE,
                    "the NVIDIA driver (%.300s) finds no GPU in this machine; nvidia-smi -L lists those that there "
                    "are, and a container must be given them (docker run --gpus all)", file);
}

static int init(struct ewi_driver *driver, ew_error *error)
{
    char words[256], path[PATH_MAX];
    cu_result result = driver->init(0);
    if (result == 0)
        return EW_OK;
    if (result == CU_NO_DEVICE)
        return ewi_driver_no_gpu(driver, error);
    return ewi_fail(error, EW_EUNAVAILABLE, "the NVIDIA driver (%.300s) does not start (%s): %s",
                    file_of(driver, path), ewi_driver_words(driver, result, words, sizeof words), advice_on(result));
}

int ewi_driver_open(struct ewi_driver *driver, ew_error *error)
{
    *driver = (struct ewi_driver){0};
    int status = load(driver, error);
    if (status == EW_OK)
        status = init(driver, error);
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
