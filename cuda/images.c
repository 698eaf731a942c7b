/* SPDX-License-Identifier: BSD-2-Clause */
/* The device code in this build, embedded as files. */
#include "config.h"
#include "ewi_images.h"

/* Device code as the build made it, from files below the assembler's include paths; a NUL and its name come after each. */
#define EMBED(symbol, module, file)                \
    __asm__(".section .rodata\n"                   \
            ".balign 64\n"                         \
            ".global " #symbol "\n"                \
            ".hidden " #symbol "\n" #symbol ":\n"  \
            ".incbin \"" file "\"\n"               \
            ".byte 0\n"                            \
            ".asciz \"" #module "\"\n"              \
            ".previous\n");                        \
    extern const unsigned char symbol[];

#define EMBED_ALL(image, suffix)                                       \
    EMBED(ewi_##image##_common, common, #image "/common." suffix)              \
    EMBED(ewi_##image##_p1, kernels_p1, #image "/kernels_p1." suffix)              \
    EMBED(ewi_##image##_p2, kernels_p2, #image "/kernels_p2." suffix)              \
    EMBED(ewi_##image##_p3, kernels_p3, #image "/kernels_p3." suffix)              \
    EMBED(ewi_##image##_p4, kernels_p4, #image "/kernels_p4." suffix)              \
    EMBED(ewi_##image##_p5, kernels_p5, #image "/kernels_p5." suffix)

#define EMBED_FUSED(image, suffix)                                     \
    EMBED(ewi_##image##_fused_p1, fused_p1, #image "/fused_p1." suffix)            \
    EMBED(ewi_##image##_fused_p2, fused_p2, #image "/fused_p2." suffix)            \
    EMBED(ewi_##image##_fused_p3, fused_p3, #image "/fused_p3." suffix)            \
    EMBED(ewi_##image##_fused_p4, fused_p4, #image "/fused_p4." suffix)            \
    EMBED(ewi_##image##_fused_p5, fused_p5, #image "/fused_p5." suffix)            \
    EMBED(ewi_##image##_fused_p1_small, fused_p1_small, #image "/fused_p1_small." suffix) \
    EMBED(ewi_##image##_fused_p1_middle, fused_p1_middle, #image "/fused_p1_middle." suffix)

#define MODULES(image) \
    ewi_##image##_common, ewi_##image##_p1, ewi_##image##_p2, ewi_##image##_p3, ewi_##image##_p4, ewi_##image##_p5
#define FUSED_MODULES(image)                                                                                                \
    ewi_##image##_fused_p1, ewi_##image##_fused_p2, ewi_##image##_fused_p3, ewi_##image##_fused_p4, ewi_##image##_fused_p5, \
        ewi_##image##_fused_p1_small, ewi_##image##_fused_p1_middle

#ifdef EWI_IMAGE_NATIVE
EMBED_ALL(native, "fatbin")
EMBED_FUSED(native, "fatbin")
#endif
#ifdef EWI_IMAGE_SM_20
EMBED_ALL(sm_20, "ptx")
#endif

static const struct ewi_image images[] = {
#ifdef EWI_IMAGE_NATIVE
    {.name = "native", .description = "machine code for " EWI_CUDA_ARCH ", by nvcc", .module = {MODULES(native), FUSED_MODULES(native)}},
#endif
#ifdef EWI_IMAGE_SM_20
    {.name = "sm_20", .description = "PTX for the GTX 580 and later cards, by clang", .module = {MODULES(sm_20)}},
#endif
    {.name = NULL},
};

const struct ewi_image *ewi_image_at(int index)
{
    return index >= 0 && index < (int)(sizeof images / sizeof *images) && images[index].name ? &images[index] : NULL;
}
