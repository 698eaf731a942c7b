/* SPDX-License-Identifier: BSD-2-Clause */
/* The device code in this build, embedded as files. */
#include "config.h"
#include "ewi_images.h"

#include <stddef.h>

/* A module as the build made it, from a file below the assembler's include paths; a NUL and its name come after it. */
#define EMBED(image, suffix, module)                                  \
    __asm__(".section .rodata\n"                                      \
            ".balign 64\n"                                            \
            ".global ewi_" #image "_" #module "\n"                    \
            ".hidden ewi_" #image "_" #module "\n"                    \
            "ewi_" #image "_" #module ":\n"                           \
            ".incbin \"" #image "/" #module "." suffix "\"\n"         \
            ".byte 0\n"                                               \
            ".asciz \"" #module "\"\n"                                \
            ".previous\n");                                           \
    extern const unsigned char ewi_##image##_##module[];

#ifdef EWI_IMAGE_NATIVE
#define EMBED_ORDER(order) EMBED(native, "fatbin", kernels_p##order) EMBED(native, "fatbin", bed_p##order) \
    EMBED(native, "fatbin", source_p##order)
#define EMBED_VARIANT(of, name, ...) EMBED(native, "fatbin", fused_##name)
EMBED(native, "fatbin", common)
EWI_ORDERS(EMBED_ORDER)
EWI_VARIANTS(EMBED_VARIANT, )
#undef EMBED_ORDER
#endif
#ifdef EWI_IMAGE_SM_20
#define EMBED_ORDER(order) EMBED(sm_20, "ptx", kernels_p##order) EMBED(sm_20, "ptx", bed_p##order) \
    EMBED(sm_20, "ptx", source_p##order)
EMBED(sm_20, "ptx", common)
EWI_ORDERS(EMBED_ORDER)
#endif

static const struct ewi_image images[] = {
#ifdef EWI_IMAGE_NATIVE
#define ORDER(order) ewi_native_kernels_p##order,
#define BED(order) ewi_native_bed_p##order,
#define SOURCE(order) ewi_native_source_p##order,
#define VARIANT(of, name, ...) ewi_native_fused_##name,
    {.name = "native", .description = "machine code for " EWI_CUDA_ARCH ", by nvcc",
     .common = ewi_native_common, .order = {EWI_ORDERS(ORDER)}, .bed = {EWI_ORDERS(BED)},
     .source = {EWI_ORDERS(SOURCE)}, .links = true, .fused = {EWI_VARIANTS(VARIANT, )}},
#undef ORDER
#undef BED
#undef SOURCE
#endif
#ifdef EWI_IMAGE_SM_20
#define ORDER(order) ewi_sm_20_kernels_p##order,
#define BED(order) ewi_sm_20_bed_p##order,
#define SOURCE(order) ewi_sm_20_source_p##order,
    {.name = "sm_20", .description = "PTX for the GTX 580 and later cards, by clang",
     .common = ewi_sm_20_common, .order = {EWI_ORDERS(ORDER)}, .bed = {EWI_ORDERS(BED)},
     .source = {EWI_ORDERS(SOURCE)}},
#endif
    {.name = NULL},
};

const struct ewi_image *ewi_image_at(int index)
{
    return index >= 0 && index < (int)(sizeof images / sizeof *images) && images[index].name ? &images[index] : NULL;
}
