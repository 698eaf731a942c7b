/* SPDX-License-Identifier: BSD-2-Clause */
/* In place of cuda/images.c: images that only the driver without a GPU understands, by their names. */
#include "ewi_images.h"

#include <stddef.h>

#define ORDER(order) "kernels_p" #order,
#define BED(order) "bed_p" #order,
#define SOURCE(order) "source_p" #order,
#define VARIANT(of, name, ...) "fused_" #name,
static const struct ewi_image the_image = {.name = "native", .description = "the host's own", .common = "common",
                                           .order = {EWI_ORDERS(ORDER)}, .bed = {EWI_ORDERS(BED)},
                                           .source = {EWI_ORDERS(SOURCE)}, .links = true,
                                           .fused = {EWI_VARIANTS(VARIANT, )}};

const struct ewi_image *ewi_image_at(int index)
{
    return index == 0 ? &the_image : NULL;
}
