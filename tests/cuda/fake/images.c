/* SPDX-License-Identifier: BSD-2-Clause */
/* In place of cuda/images.c: images that only the driver without a GPU understands, by their names. */
#include "ewi_images.h"

static const struct ewi_image images[] = {
    {.name = "native", .description = "the host's own", .module = {"common", "p1", "p2", "p3", "p4", "p5", "fused_p1", "fused_p2", "fused_p3", "fused_p4", "fused_p5", "fused_p1_small", "fused_p1_middle"}},
};

const struct ewi_image *ewi_image_at(int index)
{
    return index == 0 ? images : (void *)0;
}
