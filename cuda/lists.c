/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of elements on the device: the items of each thread block. */
#include "ewi_cuda_levels.h"
#include "ewi_element_lists.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <string.h>

/*
 * Elements or slots before `end` in pieces for thread blocks, `a_unit` items each; piece NULL: they are only counted.
 * Returns their number.
 */
static int32_t cut_ranges(const struct ewi_ranges *ranges, int32_t end, int32_t a_unit, struct ewi_range *piece)
{
    int32_t pieces = 0;
    for (int32_t k = 0; k < ranges->count && ranges->range[k].first < end; k++) {
        int32_t last = ranges->range[k].last * a_unit;
        for (int32_t first = ranges->range[k].first * a_unit; first < last; first += EWI_CUDA_BLOCK, pieces++) {
            int32_t piece_end = first + EWI_CUDA_BLOCK < last ? first + EWI_CUDA_BLOCK : last;
            if (piece)
                piece[pieces] = (struct ewi_range){first, piece_end};
        }
    }
    return pieces;
}

static int upload_items(struct ewi_cuda *cuda, const struct ewi_ranges *ranges, int32_t end, int32_t a_unit,
                        struct ewi_cuda_items *items, ew_error *error)
{
    items->blocks = cut_ranges(ranges, end, a_unit, NULL);
    size_t bytes = (size_t)items->blocks * sizeof(struct ewi_range);
    struct ewi_range *piece = ewi_alloc(&cuda->host, bytes, 1);
    int status = EW_OK;
    if (!piece)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the lists of elements");
    cut_ranges(ranges, end, a_unit, piece);
    if (items->blocks > 0) {
        EWI_CUDA(cuda, ewi_cuda_take(cuda, &items->range, bytes), "for lists of elements", error);
        EWI_CUDA(cuda, cuda->driver.to_device(items->range, piece, bytes, cuda->stream), "copying to it", error);
        EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "copying to it", error);
    }
out:
    ewi_free(&cuda->host, piece);
    return status;
}

int ewi_cuda_put_items(struct ewi_cuda *cuda, const struct ewi_listed *listed, struct ewi_cuda_items *items,
                       ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    TRY(upload_items(cuda, &listed->elements, INT32_MAX, 1, &items[EWI_CUDA_ELEMENTS], error));
    TRY(upload_items(cuda, &listed->slots, INT32_MAX, 1, &items[EWI_CUDA_SLOTS], error));
    return upload_items(cuda, &listed->slots, plan->grid->boundary_slots, plan->basis->ne,
                        &items[EWI_CUDA_GHOST_POINTS], error);
}

int ewi_cuda_put_ranges(struct ewi_cuda *cuda, const struct ewi_ranges *ranges, struct ewi_cuda_items *items,
                        ew_error *error)
{
    return upload_items(cuda, ranges, INT32_MAX, 1, items, error);
}

int32_t ewi_cuda_moving(const struct ewi_cuda *cuda)
{
    return cuda->levels ? cuda->levels->of->moving : cuda->plan->grid->elements;
}

int64_t ewi_cuda_speed_blocks(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    return operation->elements == EWI_ALL_ELEMENTS
               ? (ewi_cuda_moving(cuda) + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK
               : cuda->items[operation->elements][EWI_CUDA_ELEMENTS].blocks;
}

int ewi_cuda_make_items(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_step *list = &cuda->list;
    int32_t unit = cuda->fused ? EWI_FUSED_ELEMENTS(cuda->blocks.variant) : EWI_TILE; /* not divided by any kernel */
    struct ewi_element_lists lists = {0};
    int64_t partials = 0;
    int status;
    EWI_TRY(ewi_element_lists_create(cuda->plan, list, unit, EWI_CUDA_BLOCK, &lists, error));
    for (int k = EWI_ALL_ELEMENTS + 1; k < list->lists; k++)
        EWI_TRY(ewi_cuda_put_items(cuda, &lists.list[k], cuda->items[k], error));
    for (int k = 0; k < list->operations; k++)
        if (list->operation[k].kind == EWI_OP_speed)
            partials += ewi_cuda_speed_blocks(cuda, &list->operation[k]);
    EWI_CUDA(cuda, ewi_cuda_take(cuda, &cuda->partials.of_lists, (size_t)partials * sizeof(double)),
             "for lists of elements", error);
out:
    ewi_element_lists_destroy(&cuda->host, &lists);
    return status;
}

void ewi_cuda_release_items(struct ewi_cuda *cuda, struct ewi_cuda_items *items)
{
    for (int k = 0; k < EWI_CUDA_ITEMS; k++)
        if (items[k].range)
            ewi_cuda_give(cuda, items[k].range);
}

void ewi_cuda_free_items(struct ewi_cuda *cuda)
{
    for (int k = 0; k < EWI_MAX_ELEMENT_LISTS; k++)
        ewi_cuda_release_items(cuda, cuda->items[k]);
    if (cuda->partials.of_lists)
        ewi_cuda_give(cuda, cuda->partials.of_lists);
    memset(cuda->items, 0, sizeof cuda->items);
    cuda->partials = (struct ewi_cuda_partials){0};
}
