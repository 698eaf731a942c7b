/* SPDX-License-Identifier: BSD-2-Clause */
/* The arrays on the device, their sizes, and copies to and from them. */
#include "ewi_cuda_levels.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <string.h>

/* A register that a stage limits on load, and stores for a later one. */
static size_t bytes_of_limited(const struct ewi_sizes *plan, int number)
{
    const struct ewi_fusion fusion = ewi_blocks_fusion(plan);
    struct ewi_step step;
    ewi_step_make_fused(plan, &fusion, &step);
    return ewi_step_stores_limited(&step, number) ? ewi_state_doubles(plan) * sizeof(double) : 0;
}

/* Arrays that the limiter subcell needs in both sets, which may have less of some without it. */
static size_t bytes_of_subcells(const struct ewi_sizes *plan, enum ewi_cuda_array array)
{
    size_t padded = (size_t)plan->padded, slots = (size_t)plan->slots, real = sizeof(double), index = sizeof(int32_t),
           trace = (size_t)plan->basis->ne * (size_t)plan->variables * real;
    switch (array) {
    case EWI_ARRAY_GEOMETRY: return padded * EWI_GEOMETRY * real;
    case EWI_ARRAY_NEIGHBOUR: return 3 * padded * index;
    case EWI_ARRAY_NEIGHBOUR_SIDE: return 3 * padded;
    case EWI_ARRAY_SIDE_SLOT: return 3 * padded * index;
    case EWI_ARRAY_LEFT: return slots * index;
    case EWI_ARRAY_RIGHT: return slots * index;
    case EWI_ARRAY_LEFT_SIDE: return slots;
    case EWI_ARRAY_RIGHT_SIDE: return slots;
    case EWI_ARRAY_JUMPS: return EWI_SUBCELL_JUMPS * slots * real;
    case EWI_ARRAY_OWN_ALPHA: return 2 * padded * real;
    case EWI_ARRAY_ALPHA: return padded * real;
    case EWI_ARRAY_TOUCHED: return slots;
    case EWI_ARRAY_DIVIDED_ELEMENTS: return padded * index;
    case EWI_ARRAY_TOUCHED_EDGES: return slots * index;
    case EWI_ARRAY_COUNTS: return 2 * index;
    case EWI_ARRAY_DIVIDED_TRACES: return 3 * padded * trace;
    case EWI_ARRAY_TOUCHED_FLUXES: return slots * trace;
    case EWI_ARRAY_LIFTED: return ewi_state_doubles(plan) * real;
    default: return 0;
    }
}

/* Arrays with which levels of time steps limit by jumps in the fused set, too. */
static size_t bytes_of_sensor(const struct ewi_sizes *plan, enum ewi_cuda_array array)
{
    size_t padded = (size_t)plan->padded, slots = (size_t)plan->slots;
    switch (array) {
    case EWI_ARRAY_GEOMETRY: return padded * EWI_GEOMETRY * sizeof(double);
    case EWI_ARRAY_LEFT: return slots * sizeof(int32_t);
    case EWI_ARRAY_RIGHT: return slots * sizeof(int32_t);
    case EWI_ARRAY_LEFT_SIDE: return slots;
    case EWI_ARRAY_RIGHT_SIDE: return slots;
    case EWI_ARRAY_SENSOR: return 2 * slots * sizeof(double);
    default: return 0;
    }
}

/* Arrays that only one of the sets has. */
static size_t bytes_of_set(const struct ewi_sizes *plan, const struct ewi_blocks *blocks, enum ewi_cuda_array array)
{
    size_t padded = (size_t)plan->padded, slots = (size_t)plan->slots, boundary_slots = (size_t)plan->boundary_slots,
           real = sizeof(double);
    if (blocks && plan->levels != 1 && ewi_limiter_has_sensor(plan->limiter) && bytes_of_sensor(plan, array) > 0)
        return bytes_of_sensor(plan, array);
    if (blocks && array >= EWI_ARRAY_LIMITED && array <= EWI_ARRAY_LIMITED_LAST)
        return bytes_of_limited(plan, (int)array - EWI_ARRAY_LIMITED);
    if (blocks) {
        switch (array) {
        case EWI_ARRAY_RHS: return plan->levels != 1 ? ewi_state_doubles(plan) * real : 0;
        case EWI_ARRAY_CHANGES: return plan->watches_change ? EWI_CUDA_CHANGE_BLOCKS * real : 0;
        case EWI_ARRAY_DEVICE_CLOCK: return sizeof(struct ewi_cuda_device_clock);
        case EWI_ARRAY_TOUCHED_BLOCKS: return ewi_limiter_has_subcells(plan->limiter) ? (size_t)blocks->count : 0;
        case EWI_ARRAY_TOUCHED_SLOTS:
            return ewi_limiter_has_subcells(plan->limiter) ? 3 * padded * sizeof(int32_t) : 0;
        case EWI_ARRAY_BLOCK: return (size_t)blocks->count * sizeof(struct ewi_fused_block);
        case EWI_ARRAY_EDGE: return (size_t)blocks->edges * EWI_FUSED_EDGE_BYTES(blocks->variant);
        case EWI_ARRAY_HALO: return (size_t)blocks->halos * sizeof(int32_t);
        case EWI_ARRAY_BLOCK_NEIGHBOURS:
            return ewi_blocks_limit_on_load(plan) ? ewi_blocks_room(blocks) * sizeof(uint32_t) : 0;
        case EWI_ARRAY_HALO_NEIGHBOURS:
            return ewi_blocks_limit_on_load(plan) ? (size_t)blocks->halos * sizeof(uint64_t) : 0;
        case EWI_ARRAY_GEOMETRY:
            return plan->has_source || plan->outflow || plan->law->has_diffusion ? padded * EWI_GEOMETRY * real : 0;
        case EWI_ARRAY_SHAPE: return padded * EWI_FUSED_SHAPE * real;
        case EWI_ARRAY_GHOSTS: return boundary_slots * (size_t)plan->basis->ne * (size_t)plan->law->edge_values * real;
        case EWI_ARRAY_GIVEN_NOW:
            return plan->instructions > 0 ? (size_t)(plan->scheme->stages + 1) * boundary_slots *
                                                (size_t)plan->basis->ne * (size_t)plan->variables * real
                                          : 0;
        case EWI_ARRAY_LEFT: return boundary_slots * sizeof(int32_t);
        case EWI_ARRAY_LEFT_SIDE: return boundary_slots;
        case EWI_ARRAY_TABLE: return ewi_blocks_table_doubles(plan->basis, blocks->variant) * real;
        default: return 0;
        }
    }
    switch (array) {
    case EWI_ARRAY_GEOMETRY: return padded * EWI_GEOMETRY * real;
    case EWI_ARRAY_SIDE_SLOT: return 3 * padded * sizeof(int32_t);
    case EWI_ARRAY_LEFT: return slots * sizeof(int32_t);
    case EWI_ARRAY_RIGHT: return slots * sizeof(int32_t);
    case EWI_ARRAY_LEFT_SIDE: return slots;
    case EWI_ARRAY_RIGHT_SIDE: return slots;
    case EWI_ARRAY_SENSOR:
        return ewi_limiter_has_sensor(plan->limiter) ? 2 * slots * real : 0;
    case EWI_ARRAY_DEVICE_CLOCK:
        return plan->instructions > 0 || plan->divided ? sizeof(struct ewi_cuda_device_clock) : 0;
    case EWI_ARRAY_RHS_SURFACE: return 2 * ewi_slot_doubles(plan) * real;
    case EWI_ARRAY_RHS: return ewi_state_doubles(plan) * real;
    default: return 0;
    }
}

static size_t bytes_of(const struct ewi_sizes *plan, const struct ewi_blocks *set_blocks, enum ewi_cuda_array array)
{
    size_t padded = (size_t)plan->padded, boundary_slots = (size_t)plan->boundary_slots;
    size_t ne = (size_t)plan->basis->ne, nq = (size_t)plan->basis->nq,
           real = sizeof(double);
    size_t code = plan->instructions, blocks = (padded + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK;
    if (array >= EWI_ARRAY_STATE && array <= EWI_ARRAY_STATE_LAST)
        return (int)array - EWI_ARRAY_STATE < plan->scheme->registers ? ewi_state_doubles(plan) * real : 0;
    if (ewi_limiter_has_subcells(plan->limiter) && bytes_of_subcells(plan, array) > 0)
        return bytes_of_subcells(plan, array);
    switch (array) {
    case EWI_ARRAY_NEIGHBOUR: return ewi_limiter_by_means(plan->limiter) ? 3 * padded * sizeof(int32_t) : 0;
    case EWI_ARRAY_GHOST: return boundary_slots / EWI_TILE;
    case EWI_ARRAY_NORMAL: return boundary_slots * ne * 2 * real;
    case EWI_ARRAY_GIVEN: return boundary_slots * ne * (size_t)plan->variables * real;
    case EWI_ARRAY_WALL: return plan->has_curves ? boundary_slots * ne * (size_t)plan->basis->np * real : 0;
    case EWI_ARRAY_WALL_GRADIENT:
        return plan->has_curves && plan->law->has_diffusion ? 2 * bytes_of(plan, set_blocks, EWI_ARRAY_WALL) : 0;
    case EWI_ARRAY_EXCESS: return plan->is_conservative ? boundary_slots * 2 * (size_t)plan->basis->np * real : 0;
    case EWI_ARRAY_POINT: return plan->time_dependent ? boundary_slots * ne * 2 * real : 0;
    case EWI_ARRAY_VOLUME_FIELD: return padded * (size_t)ewi_volume_rows(plan) * real;
    case EWI_ARRAY_EDGE_FIELD: return padded * (size_t)ewi_edge_rows(plan) * real;
    case EWI_ARRAY_SPEED_BOUND: return plan->fields ? padded * real : 0;
    case EWI_ARRAY_WIDTH_RATIO: return plan->uniform_step ? 0 : padded * real;
    case EWI_ARRAY_DIFFUSION_RATE: return plan->law->has_diffusion ? padded * real : 0;
    case EWI_ARRAY_SPONGE: return plan->has_sponge ? padded / EWI_TILE * sizeof(int32_t) : 0;
    case EWI_ARRAY_SPONGE_WEIGHT: return (size_t)plan->sponge_tiles * EWI_TILE * nq * real;
    case EWI_ARRAY_SPONGE_TARGET: return ewi_sponge_doubles(plan) * real;
    case EWI_ARRAY_SOURCES: return ewi_source_doubles(plan) * real;
    case EWI_ARRAY_SOURCE_CODE: return plan->source_instructions * sizeof(struct ewi_instruction);
    case EWI_ARRAY_SOURCE_CONSTANT: return plan->source_constants * real;
    case EWI_ARRAY_SOURCE_RASTER: return plan->source_rasters * sizeof(struct ewi_raster_use);
    case EWI_ARRAY_SOURCE_ORIGIN: return plan->has_source ? 2 * padded * real : 0;
    case EWI_ARRAY_OUTFLOW: return ewi_outflow_doubles(plan) * real;
    case EWI_ARRAY_KEPT: return plan->scheme->keeps ? ewi_state_doubles(plan) * real : 0;
    case EWI_ARRAY_BEFORE: return plan->watches_change ? ewi_state_doubles(plan) * real : 0;
    case EWI_ARRAY_PARTIAL: return (blocks > EWI_CUDA_CHANGE_BLOCKS ? blocks : EWI_CUDA_CHANGE_BLOCKS) * real;
    case EWI_ARRAY_CLOCK: return sizeof(struct ewi_clock);
    case EWI_ARRAY_PROGRAM: return code > 0 ? boundary_slots / EWI_TILE * sizeof(struct ewi_cuda_program) : 0;
    case EWI_ARRAY_CODE: return code * sizeof(struct ewi_instruction);
    case EWI_ARRAY_CONSTANT: return plan->constants * real;
    case EWI_ARRAY_RASTER: return plan->rasters * sizeof(struct ewi_raster_use);
    default: return bytes_of_set(plan, set_blocks, array);
    }
}

/* The host's copy of an array; NULL if it is not copied from there. */
static const void *source_of(const struct ewi_cuda *cuda, enum ewi_cuda_array array)
{
    const struct ewi_plan *plan = cuda->plan;
    const struct ewi_grid *grid = plan->grid;
    switch (array) {
    case EWI_ARRAY_BLOCK: return cuda->blocks.block;
    case EWI_ARRAY_EDGE: return cuda->blocks.edge;
    case EWI_ARRAY_HALO: return cuda->blocks.halo;
    case EWI_ARRAY_BLOCK_NEIGHBOURS: return cuda->blocks.neighbours;
    case EWI_ARRAY_HALO_NEIGHBOURS: return cuda->blocks.halo_neighbours;
    case EWI_ARRAY_SHAPE: return cuda->blocks.shape;
    case EWI_ARRAY_TABLE: return cuda->blocks.table;
    case EWI_ARRAY_GEOMETRY: return grid->geometry;
    case EWI_ARRAY_NEIGHBOUR: return grid->neighbour;
    case EWI_ARRAY_NEIGHBOUR_SIDE: return grid->neighbour_side;
    case EWI_ARRAY_SIDE_SLOT: return grid->side_slot;
    case EWI_ARRAY_LEFT: return grid->left;
    case EWI_ARRAY_RIGHT: return grid->right;
    case EWI_ARRAY_LEFT_SIDE: return grid->left_side;
    case EWI_ARRAY_RIGHT_SIDE: return grid->right_side;
    case EWI_ARRAY_NORMAL: return plan->normal;
    case EWI_ARRAY_GIVEN: return plan->given;
    case EWI_ARRAY_WALL: return plan->wall;
    case EWI_ARRAY_WALL_GRADIENT: return plan->wall_gradient;
    case EWI_ARRAY_EXCESS: return plan->excess;
    case EWI_ARRAY_POINT: return plan->point;
    case EWI_ARRAY_VOLUME_FIELD: return plan->volume_field;
    case EWI_ARRAY_EDGE_FIELD: return plan->edge_field;
    case EWI_ARRAY_SPEED_BOUND: return plan->speed_bound;
    case EWI_ARRAY_WIDTH_RATIO: return plan->width_ratio;
    case EWI_ARRAY_DIFFUSION_RATE: return plan->diffusion_rate;
    case EWI_ARRAY_SPONGE: return plan->sponge.number;
    case EWI_ARRAY_SPONGE_WEIGHT: return plan->sponge.weight;
    case EWI_ARRAY_SPONGE_TARGET: return plan->sponge.target;
    case EWI_ARRAY_SOURCE_CODE: return plan->source.program ? plan->source.program->code : NULL;
    case EWI_ARRAY_SOURCE_CONSTANT: return plan->source.program ? plan->source.program->constant : NULL;
    case EWI_ARRAY_SOURCE_ORIGIN: return plan->source.origin;
    default: return NULL;
    }
}

size_t ewi_cuda_bytes(const struct ewi_sizes *sizes, const struct ewi_blocks *blocks)
{
    size_t bytes = sizes->raster_bytes;
    for (int k = 0; k < EWI_ARRAYS; k++)
        bytes += bytes_of(sizes, blocks, (enum ewi_cuda_array)k);
    return bytes;
}

int ewi_cuda_upload(struct ewi_cuda *cuda, enum ewi_cuda_array array, size_t offset, const void *source, size_t bytes,
                    ew_error *error)
{
    int status = EW_OK;
    if (bytes > 0)
        EWI_CUDA(cuda, cuda->driver.to_device(cuda->array[array] + offset, source, bytes, cuda->stream),
                 "copying to it", error);
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "copying to it", error);
out:
    return status;
}

int ewi_cuda_download(struct ewi_cuda *cuda, void *target, enum ewi_cuda_array array, size_t bytes, ew_error *error)
{
    int status = EW_OK;
    EWI_CUDA(cuda, cuda->driver.to_host(target, cuda->array[array], bytes, cuda->stream), "copying from it", error);
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "copying from it", error);
out:
    return status;
}

/* True if states on the device are in the order of ewi_layout.h, as on the host. */
static bool is_plain(const struct ewi_cuda *cuda)
{
    return !cuda->fused;
}

static int regroup(struct ewi_cuda *cuda, cu_address source, cu_address target, bool grouped, ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    union ewi_cuda_call call = {
        .regroup = {.variables = plan->variables,
                    .np = plan->basis->np,
                    .matrix = EWI_FUSED_MATRIX(cuda->blocks.variant),
                    .regroups = grouped,
                    .state = (const double *)(uintptr_t)source,
                    .target = (double *)(uintptr_t)target}};
    void *parameter[] = {&call};
    unsigned tiles = (unsigned)(plan->grid->padded / EWI_TILE);
    cu_function function;
    int status;
    EWI_TRY(ewi_cuda_function(cuda, cuda->code->common, "regroup", &function, error));
    EWI_CUDA(cuda, cuda->driver.launch(function, tiles, 1, 1, EWI_CUDA_BLOCK, 1, 1, 0, cuda->stream, parameter, NULL),
             "copying the state", error);
out:
    return status;
}

int ewi_cuda_upload_state(struct ewi_cuda *cuda, const double *state, ew_error *error)
{
    size_t bytes = ewi_plan_state_doubles(cuda->plan) * sizeof *state;
    TRY(ewi_cuda_upload(cuda, EWI_ARRAY_STATE, 0, state, bytes, error));
    if (!is_plain(cuda))
        TRY(regroup(cuda, cuda->array[EWI_ARRAY_STATE], cuda->array[EWI_ARRAY_STATE], true, error));
    return EW_OK;
}

int ewi_cuda_download_state(struct ewi_cuda *cuda, double *state, enum ewi_cuda_array array, ew_error *error)
{
    size_t bytes = ewi_plan_state_doubles(cuda->plan) * sizeof *state;
    if (is_plain(cuda))
        return ewi_cuda_download(cuda, state, array, bytes, error);
    TRY(regroup(cuda, cuda->array[array], cuda->array[array], false, error));
    int status = ewi_cuda_download(cuda, state, array, bytes, error);
    /* Also after a failure, or the next step would take its rows for others. */
    int again = regroup(cuda, cuda->array[array], cuda->array[array], true, status == EW_OK ? error : NULL);
    return status == EW_OK ? again : status;
}

/* Levels: from their plan to the order of the whole one, and of ewi_layout.h. */
static int give_state(struct ewi_cuda *cuda, cu_address target, ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    int64_t doubles = (int64_t)ewi_plan_state_doubles(cuda->whole);
    union ewi_cuda_call call = {
        .give = {.variables = plan->variables,
                 .np = plan->basis->np,
                 .matrix = cuda->fused && EWI_FUSED_MATRIX(cuda->blocks.variant),
                 .grouped = cuda->fused,
                 .elements = cuda->whole->grid->connected,
                 .doubles = doubles,
                 .local = (const int32_t *)(uintptr_t)cuda->levels->local,
                 .state = (const double *)(uintptr_t)cuda->array[EWI_ARRAY_STATE],
                 .target = (double *)(uintptr_t)target}};
    void *parameter[] = {&call};
    unsigned blocks = (unsigned)((doubles + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK);
    cu_function function;
    int status;
    EWI_TRY(ewi_cuda_function(cuda, cuda->code->common, "give_state", &function, error));
    EWI_CUDA(cuda, cuda->driver.launch(function, blocks, 1, 1, EWI_CUDA_BLOCK, 1, 1, 0, cuda->stream, parameter, NULL),
             "copying the state", error);
out:
    return status;
}

int ewi_cuda_copy_state(struct ewi_cuda *cuda, cu_address target, ew_error *error)
{
    int status = EW_OK;
    if (cuda->levels)
        return give_state(cuda, target, error);
    if (!is_plain(cuda))
        return regroup(cuda, cuda->array[EWI_ARRAY_STATE], target, false, error);
    EWI_CUDA(cuda, cuda->driver.on_device(target, cuda->array[EWI_ARRAY_STATE],
             ewi_plan_state_doubles(cuda->plan) * sizeof(double), cuda->stream), "copying the state", error);
out:
    return status;
}

enum ewi_cuda_array ewi_cuda_rhs_array(const struct ewi_cuda *cuda)
{
    return cuda->fused ? EWI_ARRAY_STATE + 1 : EWI_ARRAY_RHS;
}

/* The fused set's copy goes to a register that is free between steps. */
int ewi_cuda_show_state(struct ewi_cuda *cuda, cu_address *shown, ew_error *error)
{
    *shown = cuda->levels  ? cuda->levels->state
             : cuda->fused ? cuda->array[ewi_cuda_rhs_array(cuda)]
                           : cuda->array[EWI_ARRAY_STATE];
    return *shown == cuda->array[EWI_ARRAY_STATE] ? EW_OK : ewi_cuda_copy_state(cuda, *shown, error);
}

int ewi_cuda_get_state(struct ewi_cuda *cuda, double *state, ew_error *error)
{
    cu_address shown;
    int status;
    if (!cuda->levels)
        return ewi_cuda_download_state(cuda, state, EWI_ARRAY_STATE, error);
    EWI_TRY(ewi_cuda_show_state(cuda, &shown, error));
    EWI_CUDA(cuda, cuda->driver.to_host(state, shown, ewi_plan_state_doubles(cuda->whole) * sizeof *state,
                                        cuda->stream), "copying from it", error);
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "copying from it", error);
out:
    return status;
}

int ewi_cuda_take_state(struct ewi_cuda *cuda, const double *state, ew_error *error)
{
    size_t doubles = ewi_plan_state_doubles(cuda->plan);
    double *own = ewi_alloc(&cuda->host, doubles, sizeof *own);
    if (!own)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the state of levels");
    ewi_level_plan_take(cuda->levels->of, cuda->whole, state, own);
    int status = ewi_cuda_upload_state(cuda, own, error);
    ewi_free(&cuda->host, own);
    for (int k = 1; status == EW_OK && k < cuda->plan->scheme->registers; k++)
        EWI_CUDA(cuda, cuda->driver.on_device(cuda->array[EWI_ARRAY_STATE + k], cuda->array[EWI_ARRAY_STATE],
                                              doubles * sizeof *own, cuda->stream), "copying the state", error);
out:
    return status;
}

int ewi_cuda_share_state(struct ewi_cuda *cuda, ew_error *error)
{
    double *state = ewi_alloc(&cuda->host, ewi_plan_state_doubles(cuda->whole), sizeof *state);
    if (!state)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the state of levels");
    int status = ewi_cuda_get_state(cuda, state, error);
    if (status == EW_OK)
        status = ewi_cuda_take_state(cuda, state, error);
    ewi_free(&cuda->host, state);
    return status;
}

static int upload_ghosts(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    size_t tiles = (size_t)plan->grid->boundary_slots / EWI_TILE;
    uint8_t *ghost = ewi_alloc(&cuda->host, tiles, 1);
    if (!ghost)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the kinds of %zu boundary edges", tiles * EWI_TILE);
    for (int32_t g = 0; g < plan->grid->groups; g++) {
        const struct ewi_edge_group *group = &plan->grid->group[g];
        for (int32_t slot = group->first; group->boundary >= 0 && slot < group->first + group->padded; slot += EWI_TILE)
            ghost[slot / EWI_TILE] = (uint8_t)plan->boundary[group->boundary].ghost;
    }
    int status = ewi_cuda_upload(cuda, EWI_ARRAY_GHOST, 0, ghost, tiles, error);
    ewi_free(&cuda->host, ghost);
    return status;
}

static void fill_programs(const struct ewi_edge_group *group, int32_t boundary, const struct ewi_cuda_program *program,
                          struct ewi_cuda_program *of_tile)
{
    if (group->boundary != boundary)
        return;
    for (int32_t slot = group->first; slot < group->first + group->padded; slot += EWI_TILE)
        of_tile[slot / EWI_TILE] = *program;
}

/* All formulas one after the other, in the order of the boundaries, and where those of each tile of slots are. */
static int upload_programs(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    size_t code = 0, constant = 0, raster = 0, tiles = (size_t)plan->grid->boundary_slots / EWI_TILE;
    int status = EW_OK;
    if (!cuda->array[EWI_ARRAY_PROGRAM])
        return EW_OK;
    struct ewi_cuda_program *of_tile = ewi_alloc(&cuda->host, tiles, sizeof *of_tile);
    if (!of_tile)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the formulas of %zu boundary edges",
                        tiles * EWI_TILE);
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        if (!plan->boundary[b].time_dependent || !plan->boundary[b].state.formula)
            continue;
        const struct ewi_program *program = ewi_formula_program(plan->boundary[b].state.formula);
        const struct ewi_cuda_program place = {(int32_t)code, program->length, (int32_t)constant, (int32_t)raster};
        size_t instruction = sizeof *program->code, number = sizeof *program->constant;
        for (int32_t g = 0; g < plan->grid->groups; g++)
            fill_programs(&plan->grid->group[g], b, &place, of_tile);
        EWI_TRY(ewi_cuda_upload(cuda, EWI_ARRAY_CODE, code * instruction, program->code,
                                (size_t)program->length * instruction, error));
        EWI_TRY(ewi_cuda_upload(cuda, EWI_ARRAY_CONSTANT, constant * number, program->constant,
                                (size_t)program->constants * number, error));
        EWI_TRY(ewi_cuda_put_rasters(cuda, EWI_ARRAY_RASTER, raster, program, error));
        code += (size_t)program->length;
        constant += (size_t)program->constants;
        raster += (size_t)program->rasters;
    }
    EWI_TRY(ewi_cuda_upload(cuda, EWI_ARRAY_PROGRAM, 0, of_tile, tiles * sizeof *of_tile, error));
out:
    ewi_free(&cuda->host, of_tile);
    return status;
}

int ewi_cuda_allocate(struct ewi_cuda *cuda, ew_error *error)
{
    static const struct ewi_cuda_device_clock none;
    int status = EW_OK;
    const struct ewi_blocks *blocks = cuda->fused ? &cuda->blocks : NULL;
    cuda->bytes = ewi_cuda_bytes(&cuda->plan->sizes, blocks);
    for (int k = 0; k < EWI_ARRAYS; k++) {
        size_t bytes = bytes_of(&cuda->plan->sizes, blocks, (enum ewi_cuda_array)k);
        if (bytes > 0)
            EWI_CUDA(cuda, ewi_cuda_take(cuda, &cuda->array[k], bytes), "for the case", error);
    }
    for (int k = 0; k < EWI_ARRAYS; k++) {
        const void *source = source_of(cuda, (enum ewi_cuda_array)k);
        if (source && cuda->array[k])
            EWI_TRY(ewi_cuda_upload(cuda, (enum ewi_cuda_array)k, 0, source,
                                    bytes_of(&cuda->plan->sizes, blocks, (enum ewi_cuda_array)k), error));
    }
    if (cuda->array[EWI_ARRAY_DEVICE_CLOCK])
        EWI_TRY(ewi_cuda_upload(cuda, EWI_ARRAY_DEVICE_CLOCK, 0, &none, sizeof none, error));
    EWI_TRY(upload_ghosts(cuda, error));
    EWI_TRY(upload_programs(cuda, error));
    if (cuda->plan->source_rasters > 0)
        EWI_TRY(ewi_cuda_put_rasters(cuda, EWI_ARRAY_SOURCE_RASTER, 0, cuda->plan->source.program, error));
out:
    return status;
}

void *ewi_cuda_at(const struct ewi_cuda *cuda, enum ewi_cuda_array array)
{
    return (void *)(uintptr_t)cuda->array[array];
}

static struct ewi_source source_arguments(const struct ewi_cuda *cuda)
{
    const struct ewi_plan *plan = cuda->plan;
    if (!plan->source.program)
        return (struct ewi_source){.program = {.length = 0}};
    struct ewi_source source = {.program = *plan->source.program,
                                .origin = ewi_cuda_at(cuda, EWI_ARRAY_SOURCE_ORIGIN)};
    source.program.code = ewi_cuda_at(cuda, EWI_ARRAY_SOURCE_CODE);
    source.program.constant = ewi_cuda_at(cuda, EWI_ARRAY_SOURCE_CONSTANT);
    source.program.raster = ewi_cuda_at(cuda, EWI_ARRAY_SOURCE_RASTER);
    return source;
}

static struct ewi_subcells subcell_arguments(const struct ewi_cuda *cuda)
{
    return (struct ewi_subcells){
        .boundary_slots = cuda->plan->grid->boundary_slots,
        .edge_slots = cuda->plan->grid->edge_slots,
        .ghost = ewi_cuda_at(cuda, EWI_ARRAY_GHOST),
        .jumps = ewi_cuda_at(cuda, EWI_ARRAY_JUMPS),
        .own = ewi_cuda_at(cuda, EWI_ARRAY_OWN_ALPHA),
        .alpha = ewi_cuda_at(cuda, EWI_ARRAY_ALPHA),
        .touched = ewi_cuda_at(cuda, EWI_ARRAY_TOUCHED),
        .touched_block = cuda->fused ? ewi_cuda_at(cuda, EWI_ARRAY_TOUCHED_BLOCKS) : NULL,
        .touched_slot = cuda->fused ? ewi_cuda_at(cuda, EWI_ARRAY_TOUCHED_SLOTS) : NULL,
        .block_elements = cuda->fused ? EWI_FUSED_ELEMENTS(cuda->blocks.variant) : 0,
        .blocks = cuda->fused ? cuda->blocks.count : 0,
        .element = ewi_cuda_at(cuda, EWI_ARRAY_DIVIDED_ELEMENTS),
        .edge = ewi_cuda_at(cuda, EWI_ARRAY_TOUCHED_EDGES),
        .count = ewi_cuda_at(cuda, EWI_ARRAY_COUNTS),
        .trace = ewi_cuda_at(cuda, EWI_ARRAY_DIVIDED_TRACES),
        .flux = ewi_cuda_at(cuda, EWI_ARRAY_TOUCHED_FLUXES),
        .lifted = ewi_cuda_at(cuda, EWI_ARRAY_LIFTED),
    };
}

struct ewi_arguments ewi_cuda_arguments(const struct ewi_cuda *cuda)
{
    const struct ewi_plan *plan = cuda->plan;
    struct ewi_arguments arguments = {
        .width = plan->width,
        .padded = plan->grid->padded,
        .flux = plan->flux,
        .floor = plan->floor,
        .preserves_order = plan->preserves_order,
        .has_volumes = ewi_limiter_has_subcells(plan->limiter),
        .geometry = ewi_cuda_at(cuda, EWI_ARRAY_GEOMETRY),
        .neighbour = ewi_cuda_at(cuda, EWI_ARRAY_NEIGHBOUR),
        .neighbour_side = ewi_cuda_at(cuda, EWI_ARRAY_NEIGHBOUR_SIDE),
        .side_slot = ewi_cuda_at(cuda, EWI_ARRAY_SIDE_SLOT),
        .left = ewi_cuda_at(cuda, EWI_ARRAY_LEFT),
        .right = ewi_cuda_at(cuda, EWI_ARRAY_RIGHT),
        .left_side = ewi_cuda_at(cuda, EWI_ARRAY_LEFT_SIDE),
        .right_side = ewi_cuda_at(cuda, EWI_ARRAY_RIGHT_SIDE),
        .normal = ewi_cuda_at(cuda, EWI_ARRAY_NORMAL),
        .given = ewi_cuda_at(cuda, EWI_ARRAY_GIVEN),
        .wall = ewi_cuda_at(cuda, EWI_ARRAY_WALL),
        .wall_gradient = ewi_cuda_at(cuda, EWI_ARRAY_WALL_GRADIENT),
        .excess = ewi_cuda_at(cuda, EWI_ARRAY_EXCESS),
        .volume_field = ewi_cuda_at(cuda, EWI_ARRAY_VOLUME_FIELD),
        .edge_field = ewi_cuda_at(cuda, EWI_ARRAY_EDGE_FIELD),
        .speed_bound = ewi_cuda_at(cuda, EWI_ARRAY_SPEED_BOUND),
        .width_ratio = ewi_cuda_at(cuda, EWI_ARRAY_WIDTH_RATIO),
        .diffusion_rate = ewi_cuda_at(cuda, EWI_ARRAY_DIFFUSION_RATE),
        .sponge = ewi_cuda_at(cuda, EWI_ARRAY_SPONGE),
        .sponge_weight = ewi_cuda_at(cuda, EWI_ARRAY_SPONGE_WEIGHT),
        .sponge_target = ewi_cuda_at(cuda, EWI_ARRAY_SPONGE_TARGET),
    };
    if (cuda->levels)
        arguments.room = (const double *)(uintptr_t)cuda->levels->room;
    arguments.source = source_arguments(cuda);
    arguments.subcells = subcell_arguments(cuda);
    memcpy(arguments.parameter, plan->parameter, sizeof arguments.parameter);
    return arguments;
}
