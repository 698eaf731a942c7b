/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses the kernels of a step: the fused set if device, image and plan allow it, or the paper's. */
#include "ewi_cuda_levels.h"
#include "ewi_error.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

struct ewi_fused_memory ewi_cuda_memory(const struct ewi_plan *plan, const struct ewi_blocks *blocks)
{
    const struct ewi_basis *basis = plan->basis;
    return ewi_fused_memory(blocks->variant, plan->variables, plan->law->edge_values, basis->np, basis->nq, basis->ne,
                            blocks->halo_room, blocks->edge_room);
}

size_t ewi_cuda_shared_bytes(const struct ewi_plan *plan, const struct ewi_blocks *blocks, bool jump_sensor,
                             bool limits)
{
    struct ewi_fused_memory memory = ewi_cuda_memory(plan, blocks);
    return (size_t)(jump_sensor ? memory.sensor_doubles : limits ? memory.limiting : memory.doubles) * sizeof(double);
}

/* The number of elements that all multiprocessors hold at once. */
static int64_t round_of(int variant, int processors)
{
    return EWI_FUSED_ELEMENTS(variant) * EWI_FUSED_HELD(variant) * (int64_t)processors;
}

/*
 * The number of elements of the busiest multiprocessor, if blocks are distributed evenly. A few blocks that are left
 * over from full rounds run together with the last of these.
 */
static int64_t load_of(int variant, int64_t elements, int processors)
{
    int64_t size = EWI_FUSED_ELEMENTS(variant), round = round_of(variant, processors) / size;
    int64_t blocks = (elements + size - 1) / size, left = blocks % round;
    if (8 * left <= round)
        blocks -= left;
    return (blocks + processors - 1) / processors * size;
}

/*
 * True if p1_middle, with 12 warps a multiprocessor, is faster than p1, with 16. With a limiter, which needs the
 * registers: if its busiest multiprocessor gets no more elements than with p1. Without, stages need the warps: if p1
 * needs several rounds, p1_middle needs no more, and p1's last round is at least a quarter full.
 */
static bool middle_is_faster(const struct ewi_plan *plan, int processors)
{
    int64_t elements = plan->grid->elements, round = round_of(EWI_FUSED_p1, processors),
            rounds = (elements + round - 1) / round, last = elements - (rounds - 1) * round;
    if (plan->limiter)
        return load_of(EWI_FUSED_p1_middle, elements, processors) <= load_of(EWI_FUSED_p1, elements, processors);
    return rounds > 1 && elements <= rounds * round_of(EWI_FUSED_p1_middle, processors) && 4 * last >= round;
}

/* The variant for meshes that fit on the GPU at once; `large` if the order has none. */
static int small_variant(int large)
{
    switch (large) {
    case EWI_FUSED_p1: return EWI_FUSED_p1_small;
    case EWI_FUSED_p1_diffusion: return EWI_FUSED_p1_diffusion_small;
    default: return large;
    }
}

/* With levels of time steps, the elements that are active at most in three of four instants. */
static int64_t often_active(const struct ewi_plan *plan)
{
    int64_t elements[EW_MAX_STEP_LEVELS];
    return ew_plan_step_levels(plan, elements, NULL) > 1 ? elements[0] + elements[1] : plan->grid->elements;
}

int ewi_cuda_variant(const struct ewi_plan *plan, int processors, bool in_ensemble)
{
    int large = ewi_blocks_variant(&plan->sizes), small = small_variant(large);
    if (!in_ensemble && small != large && often_active(plan) <= round_of(small, processors))
        return small;
    if (large != EWI_FUSED_p1)
        return large;
    return EWI_FUSED_TAKES_LONG(plan->law->flux_operations[plan->flux]) ||
                   (!in_ensemble && middle_is_faster(plan, processors))
               ? EWI_FUSED_p1_middle
               : large;
}

/* Why the fused set is out of the question here; an empty sentence if it is not. */
static int find_obstacle(struct ewi_cuda *cuda, char *why, size_t size, ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    const struct ewi_driver *driver = &cuda->driver;
    int most = 0, processors = 0, status = EW_OK;
    why[0] = '\0';
    if (plan->width != EWI_TILE)
        ewi_snprintf(why, size, "it needs tiles of %d elements", EWI_TILE);
    else if (plan->variables > EWI_FUSED_MOST_VARIABLES)
        ewi_snprintf(why, size, "it is for laws of at most %d variables, and %s has %d", EWI_FUSED_MOST_VARIABLES,
                     plan->law->info->name, plan->variables);
    else if (!cuda->image->fused[ewi_blocks_variant(&plan->sizes)])
        ewi_snprintf(why, size, "the image %s has no such kernels", cuda->image->name);
    else if (!driver->function_set || !driver->occupancy ||
             driver->device_attribute(&most, CU_DEVICE_SHARED_BYTES, cuda->device) != 0)
        ewi_snprintf(why, size, "the driver is too old");
    if (why[0])
        return EW_OK;
    EWI_CUDA(cuda, driver->device_attribute(&processors, CU_DEVICE_MULTIPROCESSORS, cuda->device),
             "counting its processors", error);
    int variant = ewi_cuda_variant(plan, processors, cuda->owner != NULL);
    EWI_TRY(ewi_cuda_make_level_plan(cuda, EWI_FUSED_ELEMENTS(variant), error));
    plan = cuda->plan;
    EWI_TRY(ewi_blocks_create(plan, variant, &cuda->blocks, error));
    cuda->fills_device = cuda->owner || plan->grid->elements > round_of(variant, processors);
    bool jump_sensor = ewi_limiter_has_sensor(plan->limiter);
    size_t needed = ewi_cuda_shared_bytes(plan, &cuda->blocks, jump_sensor, ewi_blocks_limit_on_load(&plan->sizes));
    if (needed > (size_t)most) {
        ewi_snprintf(why, size, "it needs %zu KB of shared memory a block, and there are %d", needed >> 10, most >> 10);
        return EW_OK;
    }
    int64_t different = 0;
    bool *known = &cuda->code->multiplies[cuda->blocks.variant];
    EWI_TRY(ewi_cuda_load_stages(cuda, error));
    if (!*known)
        EWI_TRY(ewi_cuda_check_products(cuda, &different, error));
    *known = different == 0;
    if (!*known)
        ewi_snprintf(why, size, "this device's matrix units do not round as IEEE multiplication and addition do");
out:
    return status;
}

int ewi_cuda_choose_set(struct ewi_cuda *cuda, ew_error *error)
{
    enum ewi_kernel_set set = cuda->plan->set;
    int64_t different = 0;
    if (!cuda->code->divides)
        TRY(ewi_cuda_check_arithmetic(cuda, 64, 1, &different, error));
    cuda->code->divides = different == 0;
    if (!cuda->code->divides)
        return ewi_fail(error, EW_EUNAVAILABLE,
                        "GPU %d (%s) does not divide as IEEE asks with the image %s, so its results would be its own; "
                        "take another --image, or "
                        "--backend omp",
                        cuda->number, cuda->name, cuda->image->name);
    if (set == EWI_SET_edgewise)
        return ewi_cuda_make_level_plan(cuda, EWI_TILE, error);
    TRY(find_obstacle(cuda, cuda->why_not, sizeof cuda->why_not, error));
    TRY(ewi_cuda_make_level_plan(cuda, EWI_TILE, error));
    if (cuda->why_not[0] && set == EWI_SET_fused)
        return ewi_fail(error, EW_EUNAVAILABLE,
                        "GPU %d (%s) cannot take the kernel set fused here: %s; leave out kernels, or take edgewise",
                        cuda->number, cuda->name, cuda->why_not);
    cuda->fused = !cuda->why_not[0];
    return EW_OK;
}

/*
 * Blocks of a mesh in Hilbert's order have about so many sides to others, by the square root of their size. Which
 * device it will be is not known; a small mesh takes little in either variant.
 */
bool ewi_cuda_estimate_blocks(const struct ewi_sizes *sizes, const struct ewi_backend_options *options,
                              struct ewi_blocks *blocks)
{
    if (sizes->set == EWI_SET_edgewise || sizes->width != EWI_TILE || sizes->variables > EWI_FUSED_MOST_VARIABLES ||
        (options->image && strcmp(options->image, "native") != 0))
        return false;
    int variant = ewi_blocks_variant(sizes);
    double elements = sizes->elements, size = EWI_FUSED_ELEMENTS(variant);
    double halos = elements < size ? 0.0 : 4.2 * elements / sqrt(size), edges = 1.5 * elements + 0.5 * halos;
    *blocks = (struct ewi_blocks){.variant = variant, .count = ewi_blocks_count(sizes, variant)};
    blocks->edges = (int32_t)edges + 2 * blocks->count;
    blocks->halos = (int32_t)halos + sizes->boundary_slots;
    return true;
}
