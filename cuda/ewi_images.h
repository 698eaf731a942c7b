/* SPDX-License-Identifier: BSD-2-Clause */
/* The device code that this build carries. */
#ifndef EWI_IMAGES_H
#define EWI_IMAGES_H

#include <stddef.h>

enum { EWI_MODULE_COMMON, EWI_MODULE_P1, EWI_MODULE_FUSED_P1 = EWI_MODULE_P1 + 5, EWI_MODULES = EWI_MODULE_FUSED_P1 + 7 };

struct ewi_image {
    const char *name, *description;
    const void *module[EWI_MODULES]; /* common kernels, each order's, and each variant's of the fused set, if there are any; PTX ends with a NUL */
};

const struct ewi_image *ewi_image_at(int index); /* the best one first, NULL beyond the last one */

#endif
