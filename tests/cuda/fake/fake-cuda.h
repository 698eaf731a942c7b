/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Puts the driver without a GPU (driver.c) in the place of the machine's own; programs that use it also link images.c.
 */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include "tap.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* The library of that folder is found by its soname from then on; false: it is not there. */
static inline bool load_fake_cuda_of(const char *folder)
{
    const char *top = getenv("top_builddir");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/%s/.libs/libcuda.so.1", top ? top : ".", folder);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL) != NULL;
}

static inline void load_fake_cuda(void)
{
    if (!load_fake_cuda_of("cuda/fake"))
        bail_out("%s", dlerror());
}

#endif
