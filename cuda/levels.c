/* SPDX-License-Identifier: BSD-2-Clause */
/* Levels of time steps; ewi_cuda_levels.h says what each function does. */
#include "ewi_cuda_levels.h"
#include "ewi_bed.h"
#include "ewi_bed_room.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_level_kinds.h"

#include <math.h>
#include <string.h>

/*
 * Most sides of interface elements, views, sums and trials are outside their block, whose traces are in shared memory.
 * With gradients these are so large that only half as many elements fit.
 */
int ewi_cuda_make_level_plan(struct ewi_cuda *cuda, int32_t unit, ew_error *error)
{
    enum { MOST_ITEMS = 1 << 30 }; /* lists are cut into thread blocks later */
    if (cuda->whole->levels == 1 || cuda->levels)
        return EW_OK;
    cuda->levels = ewi_alloc(&cuda->host, 1, sizeof *cuda->levels);
    if (!cuda->levels)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for levels of time steps");
    bool halved = cuda->whole->law->has_diffusion && unit > EWI_TILE;
    const struct ewi_level_room room = {unit, halved ? unit / 2 : unit, MOST_ITEMS};
    TRY(ewi_level_plan_create(cuda->whole, room, &cuda->levels->of, error));
    cuda->plan = cuda->levels->of->plan;
    return EW_OK;
}

/* ---- the device's memory ---- */

static int put(struct ewi_cuda *cuda, cu_address *address, const void *source, size_t bytes, ew_error *error)
{
    int status = EW_OK;
    if (bytes == 0)
        return EW_OK;
    cuda->bytes += bytes;
    EWI_CUDA(cuda, ewi_cuda_take(cuda, address, bytes), "for levels of time steps", error);
    if (!source)
        return EW_OK;
    EWI_CUDA(cuda, cuda->driver.to_device(*address, source, bytes, cuda->stream), "copying to it", error);
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "copying to it", error);
out:
    return status;
}

/* Doubles of one stage of k, sum and q. */
static size_t coupled_doubles(const struct ewi_cuda *cuda)
{
    return (size_t)cuda->levels->of->coupled * (size_t)cuda->plan->rows;
}

static void mark_tiles(const struct ewi_level_plan *of, uint8_t *kind, uint8_t *level)
{
    for (int k = 0; k < of->levels; k++)
        for (int what = 0; what < EWI_LEVEL_KINDS; what++) {
            int32_t first = of->level[k].first[what], end = first + of->level[k].padded[what];
            for (int32_t i = first; what != EWI_LEVEL_OWN && i < end; i += EWI_TILE) {
                kind[i / EWI_TILE] = (uint8_t)what;
                level[i / EWI_TILE] = (uint8_t)k;
            }
        }
}

static int put_alpha_neighbours(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_level_plan *of = cuda->levels->of;
    size_t sides = 3 * (size_t)of->plan->padded;
    int32_t *neighbour = ewi_alloc(&cuda->host, sides, sizeof *neighbour);
    if (!neighbour)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for levels of time steps");
    for (size_t k = 0; k < sides; k++)
        neighbour[k] = of->original[of->plan->grid->neighbour[k]];
    int status = put(cuda, &cuda->levels->alpha_neighbour, neighbour, sides * sizeof *neighbour, error);
    ewi_free(&cuda->host, neighbour);
    return status;
}

static int put_elements(struct ewi_cuda *cuda, uint8_t *kind, ew_error *error)
{
    struct ewi_cuda_levels *levels = cuda->levels;
    const struct ewi_level_plan *of = levels->of;
    size_t padded = (size_t)of->plan->padded, tiles = padded / EWI_TILE, stages = (size_t)of->plan->scheme->stages;
    mark_tiles(of, kind, kind + tiles);
    TRY(put(cuda, &levels->kind, kind, tiles, error));
    TRY(put(cuda, &levels->level, kind + tiles, tiles, error));
    TRY(put(cuda, &levels->original, of->original, padded * sizeof *of->original, error));
    TRY(put(cuda, &levels->edge_slot, of->edge_slot, 3 * padded * sizeof *of->edge_slot, error));
    if (ewi_limiter_has_subcells(of->plan->limiter))
        TRY(put_alpha_neighbours(cuda, error));
    TRY(put(cuda, &levels->local, of->local, (size_t)cuda->whole->grid->connected * sizeof *of->local, error));
    TRY(put(cuda, &levels->state, NULL, ewi_plan_state_doubles(cuda->whole) * sizeof(double), error));
    return put(cuda, &levels->coupling, NULL, (3 * stages + 1) * coupled_doubles(cuda) * sizeof(double), error);
}

static int clear_absent_subcells(struct ewi_cuda *cuda, const double *zero, ew_error *error)
{
    size_t first = (size_t)cuda->levels->of->none, jumps = EWI_SUBCELL_JUMPS * sizeof *zero,
           fluxes = (size_t)(cuda->plan->basis->ne * cuda->plan->variables) * sizeof *zero;
    TRY(ewi_cuda_upload(cuda, EWI_ARRAY_JUMPS, first * jumps, zero, EWI_TILE * jumps, error));
    return ewi_cuda_upload(cuda, EWI_ARRAY_TOUCHED_FLUXES, first * fluxes, zero, EWI_TILE * fluxes, error);
}

/* The slot of sides without an edge has neither fluxes nor jumps. */
static int clear_absent(struct ewi_cuda *cuda, const double *zero, ew_error *error)
{
    size_t rows = (size_t)cuda->plan->rows, first = (size_t)cuda->levels->of->none, width = sizeof *zero,
           right = ewi_plan_slot_doubles(cuda->plan);
    for (size_t side = 0; side < 2 && cuda->array[EWI_ARRAY_RHS_SURFACE]; side++)
        TRY(ewi_cuda_upload(cuda, EWI_ARRAY_RHS_SURFACE, (side * right + first * rows) * width, zero,
                            EWI_TILE * rows * width, error));
    if (cuda->array[EWI_ARRAY_JUMPS])
        TRY(clear_absent_subcells(cuda, zero, error));
    return cuda->array[EWI_ARRAY_SENSOR] ? ewi_cuda_upload(cuda, EWI_ARRAY_SENSOR, 2 * first * width, zero,
                                                           2 * EWI_TILE * width, error)
                                         : EW_OK;
}

static int put_zeros(struct ewi_cuda *cuda, ew_error *error)
{
    size_t doubles = cuda->fused ? (size_t)(EWI_TILE * cuda->plan->rows) : ewi_plan_state_doubles(cuda->plan);
    double *zero = ewi_alloc(&cuda->host, doubles, sizeof *zero);
    if (!zero)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for levels of time steps");
    int status = clear_absent(cuda, zero, error);
    if (status == EW_OK && !cuda->fused)
        status = put(cuda, &cuda->levels->zeros, zero, doubles * sizeof *zero, error);
    ewi_free(&cuda->host, zero);
    return status;
}

/* ---- blocks ---- */

/* The instants at which a stage evaluates elements of a kind: those whose highest active level is at least this. */
static int active_from(enum ewi_level_kind kind, int level)
{
    return kind == EWI_LEVEL_VIEW ? level - 1 : level;
}

static bool is_in_list(enum ewi_level_kind kind, int list)
{
    switch (kind) {
    case EWI_LEVEL_PLAIN: case EWI_LEVEL_INTERFACE: case EWI_LEVEL_VIEW: return true;
    case EWI_LEVEL_SUM: return list >= EWI_CUDA_SUMS;
    case EWI_LEVEL_TRIAL: return list == EWI_CUDA_TRIALS;
    default: return false;
    }
}

static int32_t role_of(enum ewi_level_kind kind, int level, int levels)
{
    int32_t role = levels - 1 - level;
    if (kind != EWI_LEVEL_PLAIN)
        role |= EWI_FUSED_KEEPS_RHS;
    if (kind == EWI_LEVEL_VIEW || kind == EWI_LEVEL_SUM)
        role |= EWI_FUSED_ONLY_EDGES;
    return role;
}

/* Appends the blocks that come in a list from `from` on; returns the list's new length. */
static int32_t append_blocks(const struct ewi_cuda *cuda, const uint8_t *kind, const uint8_t *level, int list, int from,
                             struct ewi_fused_block *to)
{
    int32_t count = 0, tiles = EWI_FUSED_ELEMENTS(cuda->blocks.variant) / EWI_TILE;
    for (int32_t b = 0; b < cuda->blocks.count; b++) {
        struct ewi_fused_block block = cuda->blocks.block[b];
        enum ewi_level_kind of = (enum ewi_level_kind)kind[block.number * tiles];
        int k = level[block.number * tiles];
        if (!is_in_list(of, list) || active_from(of, k) != from)
            continue;
        block.role = role_of(of, k, cuda->levels->of->levels);
        to[count++] = block;
    }
    return count;
}

static int put_blocks(struct ewi_cuda *cuda, const uint8_t *kind, ew_error *error)
{
    struct ewi_cuda_levels *levels = cuda->levels;
    const uint8_t *level = kind + cuda->plan->padded / EWI_TILE;
    size_t most = EWI_CUDA_BLOCK_LISTS * (size_t)cuda->blocks.count;
    struct ewi_fused_block *block = ewi_alloc(&cuda->host, most, sizeof *block);
    int32_t count = 0;
    if (!block)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the blocks of levels");
    for (int list = 0; list < EWI_CUDA_BLOCK_LISTS; list++) {
        levels->list[list].first = count;
        for (int k = 0; k < levels->of->levels; k++) {
            count += append_blocks(cuda, kind, level, list, k, block + count);
            levels->list[list].end[k] = count - levels->list[list].first;
        }
    }
    int status = put(cuda, &levels->blocks, block, (size_t)count * sizeof *block, error);
    ewi_free(&cuda->host, block);
    return status;
}

/* ---- boundary slots ---- */

static int put_slots(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_grid *grid = cuda->plan->grid;
    size_t tiles = (size_t)grid->boundary_slots / EWI_TILE;
    uint8_t *level = ewi_alloc(&cuda->host, 2 * tiles, 1), *own = level ? level + tiles : NULL;
    if (!level)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for levels of time steps");
    for (int32_t g = 0; g < grid->groups; g++) {
        const struct ewi_edge_group *group = &grid->group[g];
        const struct ewi_level_group *of = &cuda->levels->of->group[g];
        for (int32_t slot = group->first; group->boundary >= 0 && slot < group->first + group->padded;
             slot += EWI_TILE) {
            level[slot / EWI_TILE] = (uint8_t)of->level;
            own[slot / EWI_TILE] = of->outer ? EWI_CUDA_NO_LEVEL : (uint8_t)of->level;
        }
    }
    int status = put(cuda, &cuda->levels->slot_level, level, tiles, error);
    if (status == EW_OK)
        status = put(cuda, &cuda->levels->own_slot_level, own, tiles, error);
    ewi_free(&cuda->host, level);
    return status;
}

/* ---- over a bed ---- */

/* Where they limit nothing; those of interface elements and views come with the steps. */
static int put_rooms(struct ewi_cuda *cuda, const uint8_t *level, ew_error *error)
{
    size_t padded = (size_t)cuda->plan->padded;
    double *room = ewi_alloc(&cuda->host, padded, sizeof *room);
    if (!room)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for levels of time steps");
    for (size_t i = 0; i < padded; i++)
        room[i] = ewi_bed_room_scale(cuda->levels->of->levels, level[i / EWI_TILE]);
    int status = put(cuda, &cuda->levels->room, room, padded * sizeof *room, error);
    ewi_free(&cuda->host, room);
    return status;
}

/* ---- lists of elements ---- */

static int put_means(struct ewi_cuda *cuda, int k, ew_error *error)
{
    const struct ewi_level *level = cuda->levels->of->level;
    struct ewi_range range[2 * EW_MAX_STEP_LEVELS];
    struct ewi_ranges ranges = {.range = range};
    for (int of = 0; of <= k; of++)
        for (int32_t n = 0; n < level[of].list[EWI_LEVEL_PLAIN].elements.count; n++)
            range[ranges.count++] = level[of].list[EWI_LEVEL_PLAIN].elements.range[n];
    for (int32_t n = 0; n < level[k].views.elements.count; n++)
        range[ranges.count++] = level[k].views.elements.range[n];
    return ewi_cuda_put_ranges(cuda, &ranges, &cuda->levels->means[k], error);
}

static int put_items(struct ewi_cuda *cuda, int k, ew_error *error)
{
    const struct ewi_level *top = &cuda->levels->of->level[k];
    const struct ewi_listed *const lists[] = {
        [EWI_LIST_ACTIVE] = &top->active, [EWI_LIST_VIEWS] = &top->views,         [EWI_LIST_TRIALS] = &top->trials,
        [EWI_LIST_ENDING] = &top->active, [EWI_LIST_INTERFACE] = &top->coupled_active, [EWI_LIST_SUMS] = &top->sums};
    for (int list = EWI_LIST_ACTIVE; list <= EWI_LIST_SUMS; list++)
        TRY(ewi_cuda_put_items(cuda, lists[list], cuda->levels->items[k][list], error));
    TRY(ewi_cuda_put_ranges(cuda, &top->ghosts.elements, &cuda->levels->ghosts[k], error));
    return put_means(cuda, k, error);
}

int ewi_cuda_allocate_levels(struct ewi_cuda *cuda, ew_error *error)
{
    if (!cuda->levels)
        return EW_OK;
    uint8_t *kind = ewi_alloc(&cuda->host, 2 * (size_t)cuda->plan->padded / EWI_TILE, 1);
    if (!kind)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for levels of time steps");
    int status = put_elements(cuda, kind, error);
    if (status == EW_OK)
        status = put_zeros(cuda, error);
    if (status == EW_OK)
        status = put_slots(cuda, error);
    if (status == EW_OK && cuda->fused)
        status = put_blocks(cuda, kind, error);
    if (status == EW_OK && ewi_bed_has(cuda->plan->law))
        status = put_rooms(cuda, kind + cuda->plan->padded / EWI_TILE, error);
    for (int k = 0; status == EW_OK && k < cuda->levels->of->levels; k++)
        status = put_items(cuda, k, error);
    ewi_free(&cuda->host, kind);
    return status;
}

void ewi_cuda_free_levels(struct ewi_cuda *cuda)
{
    struct ewi_cuda_levels *levels = cuda->levels;
    if (!levels)
        return;
    ew_host host = cuda->host;
    const cu_address memory[] = {levels->local, levels->original, levels->kind,  levels->level,
                                 levels->state, levels->blocks,   levels->coupling, levels->zeros, levels->edge_slot,
                                 levels->alpha_neighbour, levels->slot_level, levels->own_slot_level, levels->room};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        if (memory[k])
            ewi_cuda_give(cuda, memory[k]);
    for (int k = 0; k < EW_MAX_STEP_LEVELS; k++)
        for (int list = 0; list <= EWI_LIST_SUMS; list++)
            ewi_cuda_release_items(cuda, levels->items[k][list]);
    for (int k = 0; k < EW_MAX_STEP_LEVELS; k++) {
        if (levels->means[k].range)
            ewi_cuda_give(cuda, levels->means[k].range);
        if (levels->ghosts[k].range)
            ewi_cuda_give(cuda, levels->ghosts[k].range);
    }
    ewi_level_plan_destroy(levels->of);
    cuda->plan = cuda->whole;
    ewi_free(&host, levels);
    cuda->levels = NULL;
}

/* ---- exchanges of a part ---- */

enum { LISTS_OF_LEVELS = 3 };
int ewi_cuda_kinds_of_exchange(const struct ewi_cuda *cuda)
{
    return cuda->levels ? LISTS_OF_LEVELS * cuda->levels->of->levels : 1;
}

struct ewi_level_range ewi_cuda_exchange_range(const struct ewi_cuda *cuda, int kind)
{
    static const int list[LISTS_OF_LEVELS] = {EWI_LIST_ACTIVE, EWI_LIST_ENDING, EWI_LIST_TRIALS};
    int levels = cuda->levels->of->levels;
    return ewi_level_exchange_range(levels, list[kind / levels], kind % levels);
}

const struct ewi_cuda_messages *ewi_cuda_messages_of(const struct ewi_cuda *cuda,
                                                     const struct ewi_operation *operation)
{
    if (!cuda->levels)
        return &cuda->exchange.messages[0];
    int levels = cuda->levels->of->levels;
    switch (operation->elements) {
    case EWI_LIST_ACTIVE: return &cuda->exchange.messages[cuda->levels->now];
    case EWI_LIST_ENDING: return &cuda->exchange.messages[levels + cuda->levels->now];
    case EWI_LIST_TRIALS: return &cuda->exchange.messages[2 * levels + cuda->levels->now];
    default: return &cuda->exchange.messages[2 * levels - 1]; /* all elements, as at the end of a macro step */
    }
}

/* ---- operations ---- */

const struct ewi_cuda_items *ewi_cuda_items_of(const struct ewi_cuda *cuda, int list)
{
    return cuda->levels ? cuda->levels->items[cuda->levels->now][list] : cuda->items[list];
}

static double *at(cu_address address)
{
    return (double *)(uintptr_t)address;
}

struct ewi_cuda_steps ewi_cuda_steps_of(const struct ewi_cuda *cuda, enum ewi_cuda_steps_of of)
{
    const struct ewi_cuda_levels *levels = cuda->levels;
    if (!levels)
        return (struct ewi_cuda_steps){.level = NULL};
    const cu_address level[] = {[EWI_CUDA_STEPS_OF_ELEMENTS] = levels->level,
                                [EWI_CUDA_STEPS_OF_SLOTS] = levels->slot_level,
                                [EWI_CUDA_STEPS_OF_OWN_SLOTS] = levels->own_slot_level};
    return (struct ewi_cuda_steps){(const uint8_t *)(uintptr_t)level[of], levels->of->levels,
                                   cuda->plan->scheme->stages};
}

double *ewi_cuda_zeros(const struct ewi_cuda *cuda)
{
    return at(cuda->levels->zeros);
}

static double *state_register(const struct ewi_cuda *cuda, int number)
{
    return at(cuda->array[EWI_ARRAY_STATE + number]);
}

/* The number of interface elements of levels up to this one. */
static int32_t coupled_up_to(const struct ewi_level_plan *of, int level)
{
    return level + 1 < of->levels ? of->level[level + 1].coupled : of->coupled;
}

static void set_levels(const struct ewi_level_plan *of, struct ewi_cuda_level *level)
{
    for (int k = 0; k < of->levels; k++)
        level[k] = (struct ewi_cuda_level){
            .coupled = of->level[k].coupled, .own = of->level[k].first[EWI_LEVEL_INTERFACE],
            .view = of->level[k].first[EWI_LEVEL_VIEW], .sum = of->level[k].first[EWI_LEVEL_SUM]};
}

bool ewi_cuda_closes_early(const struct ewi_cuda *cuda)
{
    return !cuda->plan->limiter && !cuda->plan->positivity;
}

struct ewi_cuda_couple ewi_cuda_couple_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation,
                                          int32_t *elements)
{
    const struct ewi_level_plan *of = cuda->levels->of;
    const struct ewi_stage *stage = &cuda->plan->scheme->stage[operation->stage - 1];
    int top = cuda->levels->now, highest = top + 1 < of->levels ? top + 1 : top;
    int64_t doubles = (int64_t)coupled_doubles(cuda), all = doubles * cuda->plan->scheme->stages;
    double *coupling = at(cuda->levels->coupling);
    *elements = coupled_up_to(of, highest);
    struct ewi_cuda_couple couple = {
        .a = ewi_cuda_arguments(cuda),
        .coupling = cuda->levels->room ? ewi_coupling_of_rates(cuda->plan->scheme, operation->stage, doubles)
                                       : ewi_coupling_of(cuda->plan->scheme, operation->stage, doubles),
        .room = at(cuda->levels->room),
        .closes = operation->stage == cuda->plan->scheme->stages && ewi_cuda_closes_early(cuda),
        .levels = of->levels,
        .top = top,
        .highest = highest,
        .rhs = at(cuda->array[EWI_ARRAY_RHS]),
        .k = coupling,
        .sum = coupling + all,
        .q = coupling + 2 * all,
        .slope = coupling + 3 * all,
        .base = state_register(cuda, 0),
        .source = state_register(cuda, stage->source),
        .target = state_register(cuda, stage->target),
    };
    set_levels(of, couple.level);
    return couple;
}

struct ewi_cuda_couple ewi_cuda_rooms_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    const struct ewi_operation first = {.stage = 1};
    int32_t elements;
    struct ewi_cuda_couple rooms = ewi_cuda_couple_of(cuda, operation ? operation : &first, &elements);
    rooms.begins = !operation;
    rooms.elements = operation ? elements : coupled_up_to(cuda->levels->of, cuda->levels->now);
    rooms.none = cuda->levels->of->none;
    return rooms;
}

struct ewi_cuda_views ewi_cuda_views_of(const struct ewi_cuda *cuda, bool back)
{
    const struct ewi_level_plan *of = cuda->levels->of;
    struct ewi_cuda_views views = {.highest = cuda->levels->now, .rows = cuda->plan->rows, .back = back,
                                   .elements = coupled_up_to(of, cuda->levels->now),
                                   .state = state_register(cuda, 0)};
    set_levels(of, views.level);
    return views;
}

struct ewi_cuda_trials ewi_cuda_trials_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    const struct ewi_level_plan *of = cuda->levels->of;
    const struct ewi_level *top = &of->level[cuda->levels->now];
    double row[EWI_MAX_STAGES][EWI_MAX_STAGES];
    ewi_scheme_rows(cuda->plan->scheme, row);
    return (struct ewi_cuda_trials){
        .a = ewi_cuda_arguments(cuda),
        .levels = of->levels,
        .stage = operation->stage,
        .first = of->moving,
        .elements = top->first[EWI_LEVEL_NEAR_FASTER] + top->padded[EWI_LEVEL_NEAR_FASTER],
        .original = (const int32_t *)(uintptr_t)cuda->levels->original,
        .kind = (const uint8_t *)(uintptr_t)cuda->levels->kind,
        .level = (const uint8_t *)(uintptr_t)cuda->levels->level,
        .weight = row[1][1],
        .base = state_register(cuda, 0),
        .rhs = at(cuda->array[EWI_ARRAY_RHS]),
        .state = state_register(cuda, cuda->plan->scheme->stage[operation->stage - 1].source),
    };
}

int ewi_cuda_stage_of_clock(const struct ewi_cuda *cuda)
{
    int stage = cuda->clock->stage;
    return cuda->levels && stage > 0 ? (stage - 1) % cuda->plan->scheme->stages + 1 : stage;
}

/* ---- failures ---- */

double ewi_cuda_level_time(const struct ewi_cuda *cuda, int stage, int level)
{
    const struct ewi_clock *clock = cuda->clock;
    const struct ewi_scheme *scheme = cuda->plan->scheme;
    int levels = cuda->levels->of->levels, instant = (stage - 1) / scheme->stages;
    double time = scheme->stage[(stage - 1) % scheme->stages].time;
    double begin = clock->time + instant * ldexp(clock->step, 1 - levels);
    return begin + time * ldexp(clock->step, level + 1 - levels);
}

int ewi_cuda_level_of_bad_data(const struct ewi_cuda *cuda)
{
    const struct ewi_level_plan *of = cuda->levels->of;
    const struct ewi_grid *grid = cuda->plan->grid;
    int top = ewi_level_top(of->levels, (cuda->clock->stage - 1) / cuda->plan->scheme->stages);
    double speed = 0.0;
    for (int k = 0; k <= top; k++)
        for (int32_t g = 0; g < grid->groups; g++) {
            const struct ewi_edge_group *group = &grid->group[g];
            if (group->boundary >= 0 && of->group[g].level == k && group->padded > 0 &&
                cuda->plan->boundary[group->boundary].time_dependent &&
                !ewi_plan_evaluate_boundary(cuda->plan, group, group->first, group->padded,
                                            ewi_cuda_level_time(cuda, cuda->clock->stage, k), &speed))
                return k;
        }
    return -1;
}

void ewi_cuda_find_place(const struct ewi_cuda *cuda, struct ewi_progress *progress)
{
    const struct ewi_level_plan *of = cuda->levels->of;
    int32_t found = progress->element;
    progress->element = found < 0 ? -1 : of->of[found];
    progress->precedence = found < 0 ? 0 : ewi_level_precedence(of, found);
    if (cuda->clock->stage < 1)
        return;
    int level = cuda->plan->part ? cuda->levels->bad_level : ewi_cuda_level_of_bad_data(cuda);
    progress->bad_level = level + 1;
    if (level < 0)
        level = found < 0 ? 0 : ewi_level_of_steps(of, found);
    progress->time = ewi_cuda_level_time(cuda, cuda->clock->stage, level);
}
