/* SPDX-License-Identifier: BSD-2-Clause */
/* The device code that this build carries. */
#ifndef EWI_IMAGES_H
#define EWI_IMAGES_H

#include "ewi_basis.h"
#include "ewi_variants.h"

#include <stdbool.h>

/* Modules: PTX ends with a NUL; NULL is one that the image lacks. */
struct ewi_image {
    const char *name, *description;
    const void *common;
    const void *order[EWI_MAX_ORDER]; /* the paper's kernels of order p at p - 1 */
    const void *bed[EWI_MAX_ORDER];   /* ... of the law shallow_water_bed */
    const void *source[EWI_MAX_ORDER]; /* kernels for sources, of all laws */
    const void *fused[EWI_FUSED_VARIANTS];
    bool links; /* modules of sources are fat binaries to be linked */
};

const struct ewi_image *ewi_image_at(int index); /* the best one first, NULL beyond the last one */

#endif
