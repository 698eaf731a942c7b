/* SPDX-License-Identifier: BSD-2-Clause */
/* From a step's list of operations (src/step) to launches: which kernel, of what size, with which arguments. */
#include "ewi_cuda.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_part.h"
#include "ewi_text.h"

#include <stddef.h>
#include <stdio.h>

static double *state_register(const struct ewi_cuda *cuda, int number)
{
    return ewi_cuda_at(cuda, (enum ewi_cuda_array)(EWI_ARRAY_STATE + number));
}

/* ---- the list ---- */

/* No more thread blocks for the change of a step than have something to do. */
static int64_t change_blocks(const struct ewi_plan *plan)
{
    int64_t most = ((int64_t)ewi_plan_state_doubles(plan) + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK;
    return most < EWI_CUDA_CHANGE_BLOCKS ? most : EWI_CUDA_CHANGE_BLOCKS;
}

static struct ewi_cuda_call blank_call(const struct ewi_cuda *cuda)
{
    const struct ewi_plan *plan = cuda->plan;
    return (struct ewi_cuda_call){
        .a = ewi_cuda_arguments(cuda),
        .clock = ewi_cuda_at(cuda, EWI_ARRAY_CLOCK),
        .device_clock = ewi_cuda_at(cuda, EWI_ARRAY_DEVICE_CLOCK),
        .stages = plan->scheme->stages,
        .trail = (int64_t *)(uintptr_t)cuda->trail_on_device,
        .elements = plan->grid->elements,
        .slots = plan->grid->slots,
        .boundary_slots = plan->grid->boundary_slots,
        .ghost = ewi_cuda_at(cuda, EWI_ARRAY_GHOST),
        .rhs_volume = ewi_cuda_at(cuda, EWI_ARRAY_RHS),
        .rhs_surface = ewi_cuda_at(cuda, EWI_ARRAY_RHS_SURFACE),
        .rhs = ewi_cuda_at(cuda, EWI_ARRAY_RHS),
        .right_offset = (int64_t)ewi_plan_slot_doubles(plan),
        .partial = ewi_cuda_at(cuda, EWI_ARRAY_PARTIAL),
        .before = ewi_cuda_at(cuda, EWI_ARRAY_BEFORE),
        .doubles = (int64_t)ewi_plan_state_doubles(plan),
        .ne = plan->basis->ne,
        .np = plan->basis->np,
        .variables = plan->variables,
        .program = ewi_cuda_at(cuda, EWI_ARRAY_PROGRAM),
        .code = ewi_cuda_at(cuda, EWI_ARRAY_CODE),
        .constant = ewi_cuda_at(cuda, EWI_ARRAY_CONSTANT),
        .point = ewi_cuda_at(cuda, EWI_ARRAY_POINT),
        .given_now = ewi_cuda_at(cuda, EWI_ARRAY_GIVEN_NOW),
        .block = ewi_cuda_at(cuda, EWI_ARRAY_BLOCK),
        .edge = ewi_cuda_at(cuda, EWI_ARRAY_EDGE),
        .halo = ewi_cuda_at(cuda, EWI_ARRAY_HALO),
        .neighbours = ewi_cuda_at(cuda, EWI_ARRAY_BLOCK_NEIGHBOURS),
        .halo_neighbours = ewi_cuda_at(cuda, EWI_ARRAY_HALO_NEIGHBOURS),
        .shape = ewi_cuda_at(cuda, EWI_ARRAY_SHAPE),
        .table = ewi_cuda_at(cuda, EWI_ARRAY_TABLE),
        .blocks = cuda->blocks.count,
        .halo_room = cuda->blocks.halo_room,
        .edge_room = cuda->blocks.edge_room,
        .memory = ewi_cuda_memory(plan, &cuda->blocks),
        .ghosts = ewi_cuda_at(cuda, EWI_ARRAY_GHOSTS),
        .sensor = ewi_cuda_at(cuda, EWI_ARRAY_SENSOR),
        .changes = ewi_cuda_at(cuda, EWI_ARRAY_CHANGES),
        .changed = cuda->array[EWI_ARRAY_CHANGES] ? change_blocks(plan) : 0,
        .matrix = cuda->fused && EWI_FUSED_MATRIX(cuda->blocks.variant),
    };
}

enum ewi_cuda_array ewi_cuda_rhs_array(const struct ewi_cuda *cuda)
{
    return cuda->fused ? EWI_ARRAY_STATE + 1 : EWI_ARRAY_RHS;
}

enum kernel {
    EVAL_SPEED, BEGIN_STEP, KEEP_STATE, EVAL_GIVEN, EVAL_GHOSTS,
    STAGE, POSITIVE_STAGE, LIMITED_STAGE, LIMIT_ON_LOAD_STAGE,
    EVAL_VOLUME, EVAL_SURFACE, EVAL_RHS, UPDATE, JUMP_SENSOR, LIMIT_C, MAKE_POSITIVE,
    EVAL_CHANGE, END_STEP, ADVANCE_CLOCK, PACK_INTERFACE, UNPACK_GHOSTS, SEND_INTERFACE, RECEIVE_GHOSTS, ALL_REDUCE
};

/*
 * of_set: in the module of the set's kernels, not in the common one; law, flux, limiter: _<law>, _<flux> and _<limiter>
 * come after its name.
 */
static const struct {
    const char *name;
    enum ewi_work_kind kind;
    const char *what;
    bool of_set, law, flux, limiter, minor;
} kernel_of[] = {
    [EVAL_SPEED] = {"eval_speed", EWI_WORK_time_step, "elements", .of_set = true, .law = true},
    [BEGIN_STEP] = {"begin_step", EWI_WORK_time_step, "blocks", .minor = true},
    [KEEP_STATE] = {"keep_state", EWI_WORK_time_step, "threads", .minor = true},
    [EVAL_GIVEN] = {"eval_given", EWI_WORK_boundary, "edge points", .law = true},
    [EVAL_GHOSTS] = {"eval_ghosts", EWI_WORK_boundary, "edge points", .of_set = true, .law = true},
    [STAGE] = {"stage", EWI_WORK_stage, "elements", .of_set = true, .law = true, .flux = true},
    [POSITIVE_STAGE] = {"positive_stage", EWI_WORK_stage, "elements", .of_set = true, .law = true, .flux = true},
    [LIMITED_STAGE] = {"limited_stage", EWI_WORK_stage, "elements", .of_set = true, .law = true, .flux = true},
    [LIMIT_ON_LOAD_STAGE] = {"limit_on_load_stage", EWI_WORK_stage, "elements", .of_set = true, .law = true,
                            .flux = true},
    [EVAL_VOLUME] = {"eval_volume", EWI_WORK_eval_volume, "elements", .of_set = true, .law = true},
    [EVAL_SURFACE] = {"eval_surface", EWI_WORK_eval_surface, "edges", .of_set = true, .law = true, .flux = true},
    [EVAL_RHS] = {"eval_rhs", EWI_WORK_eval_rhs, "elements", .of_set = true, .law = true},
    [UPDATE] = {"update", EWI_WORK_update, "elements", .of_set = true, .law = true},
    [JUMP_SENSOR] = {"jump_sensor", EWI_WORK_jump_sensor, "edges", .of_set = true, .law = true, .limiter = true},
    [LIMIT_C] = {"limit_c", EWI_WORK_limit_c, "elements", .of_set = true, .law = true, .limiter = true},
    [MAKE_POSITIVE] = {"make_positive", EWI_WORK_positive, "elements", .of_set = true, .law = true},
    [EVAL_CHANGE] = {"eval_change", EWI_WORK_time_step, "threads", .minor = true},
    [END_STEP] = {"end_step", EWI_WORK_time_step, "blocks", .minor = true},
    [ADVANCE_CLOCK] = {"advance_clock", EWI_WORK_time_step, "blocks", .of_set = false},
    [PACK_INTERFACE] = {"pack_interface", EWI_WORK_time_step, "coefficients", .minor = true},
    [UNPACK_GHOSTS] = {"unpack_ghosts", EWI_WORK_time_step, "coefficients", .minor = true},
    [SEND_INTERFACE] = {"send_interface", EWI_WORK_time_step, "coefficients", .minor = true},
    [RECEIVE_GHOSTS] = {"receive_ghosts", EWI_WORK_time_step, "coefficients", .minor = true},
    [ALL_REDUCE] = {"all_reduce", EWI_WORK_time_step, "blocks", .minor = true},
};

/* Adds a launch to the list's end. */
static int add(struct ewi_cuda *cuda, enum kernel kernel, int64_t items, const struct ewi_cuda_call *call,
               ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches];
    const struct ewi_cuda_code *code = cuda->code;
    cu_module of_set = cuda->fused ? code->stages[cuda->blocks.variant] : code->order[plan->basis->order - 1];
    *launch = (struct ewi_cuda_launch){
        .boundary = -1,
        .kind = kernel_of[kernel].kind,
        .minor = kernel_of[kernel].minor,
        .stage = call->stage > 0 ? &plan->scheme->stage[call->stage - 1] : NULL,
        .items = items,
        .what = kernel_of[kernel].what,
        .blocks = (unsigned)((items + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK),
        .threads = EWI_CUDA_BLOCK,
        .call = *call,
    };
    launch->call.number = cuda->launches++;
    const char *variant = kernel_of[kernel].flux      ? ew_list_name(EW_FLUXES, plan->flux)
                          : kernel_of[kernel].limiter ? plan->limiter->identifier
                                                      : NULL;
    ewi_snprintf(launch->name, sizeof launch->name, "%s%s%s%s%s", kernel_of[kernel].name,
                 kernel_of[kernel].law ? "_" : "", kernel_of[kernel].law ? plan->law->identifier : "",
                 variant ? "_" : "", variant ? variant : "");
    launch->module = kernel_of[kernel].of_set ? of_set : code->common;
    return ewi_cuda_function(cuda, launch->module, launch->name, &launch->function, error);
}

/* ---- what the host does at a place of the list ---- */

static bool is_callback(const struct ewi_plan_boundary *boundary)
{
    return boundary->time_dependent && !boundary->state.formula;
}

/* A boundary whose state is the host's callback: its time is on the device. */
static int evaluate_here(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    struct ewi_plan *plan = cuda->plan;
    const struct ewi_edge_group *group = &plan->grid->group[launch->boundary];
    double speed = 0.0;
    int status = ewi_cuda_sync_clock(cuda, error);
    if (status != EW_OK || cuda->clock->state != EWI_CLOCK_RUNNING ||
        (cuda->clock->stage != 0 && cuda->clock->stage != launch->call.stage))
        return status;
    if (!ewi_plan_evaluate_boundary(plan, group, group->first, group->padded,
                                    ewi_clock_stage_time(cuda->clock, launch->call.stage_time), &speed)) {
        cuda->clock->stage = launch->call.stage;
        status = ewi_cuda_set_clock(cuda, cuda->clock, error);
        if (status != EW_OK)
            return status;
    }
    size_t row = (size_t)(plan->basis->ne * plan->variables) * sizeof(double), offset = (size_t)group->first * row;
    return ewi_cuda_upload(cuda, EWI_ARRAY_GIVEN, offset, plan->given + offset / sizeof(double),
                           (size_t)group->padded * row, error);
}

/* The speed of all such boundaries, which the clock takes for the least one. */
static int measure_here(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    struct ewi_plan *plan = cuda->plan;
    int status = ewi_cuda_sync_clock(cuda, error);
    if (status != EW_OK || cuda->clock->state != EWI_CLOCK_RUNNING || cuda->clock->stage != 0)
        return status;
    double t = ewi_clock_stage_time(cuda->clock, launch->call.stage_time), *floor = &cuda->clock->floor;
    *floor = plan->given_speed;
    for (int32_t b = 0; b < plan->mesh->boundaries; b++)
        if (is_callback(&plan->boundary[b]))
            ewi_plan_evaluate_boundary(plan, &plan->grid->group[b], plan->grid->group[b].first,
                                       plan->grid->group[b].padded, t, floor);
    EWI_TRY(ewi_cuda_set_clock(cuda, cuda->clock, error));
    if (cuda->array[EWI_ARRAY_DEVICE_CLOCK])
        EWI_TRY(ewi_cuda_upload(cuda, EWI_ARRAY_DEVICE_CLOCK,
                                offsetof(struct ewi_cuda_device_clock, clock) + offsetof(struct ewi_clock, floor),
                                floor, sizeof *floor, error));
out:
    return status;
}

static struct ewi_cuda_launch *add_on_host(struct ewi_cuda *cuda, const char *name, enum ewi_work_kind kind,
                                           int (*on_host)(struct ewi_cuda *, const struct ewi_cuda_launch *,
                                                          ew_error *),
                                           const struct ewi_cuda_call *call)
{
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches++];
    *launch = (struct ewi_cuda_launch){
        .boundary = -1, .kind = kind, .what = "edges", .on_host = on_host, .call = *call};
    ewi_snprintf(launch->name, sizeof launch->name, "%s", name);
    return launch;
}

/* True if a kernel itself waits for the launch before it: only code for devices with overlapping launches does. */
static bool waits_itself(const struct ewi_cuda *cuda, cu_function function)
{
    int version = 0;
    return cuda->driver.function_attribute(&version, CU_FUNCTION_PTX_VERSION, function) == 0 && version >= 90;
}

/* True if the host keeps the clock, as for a part that exchanges through it. */
static bool host_reduces(const struct ewi_cuda *cuda)
{
    return cuda->plan->part && !cuda->exchange.direct;
}

/* ---- arguments ---- */

/* A register as a stage finds it: limited, if another stage has loaded it, and limited it then. */
static double *register_for(const struct ewi_cuda *cuda, const struct ewi_stage *stage, int number)
{
    bool elsewhere = number != stage->source && cuda->array[EWI_ARRAY_LIMITED + number];
    return elsewhere ? ewi_cuda_at(cuda, (enum ewi_cuda_array)(EWI_ARRAY_LIMITED + number))
                     : state_register(cuda, number);
}

static struct ewi_update update_of(const struct ewi_cuda *cuda, const struct ewi_stage *stage)
{
    double *kept = ewi_cuda_at(cuda, EWI_ARRAY_KEPT);
    struct ewi_update update = {
        .step = stage->step,
        .base = register_for(cuda, stage, 0),
        .terms = stage->terms,
        .keep = stage->keeps ? kept : NULL,
        .kept = stage->kept != 0.0 ? kept : NULL,
        .kept_step = stage->kept,
    };
    for (int k = 0; k < stage->terms; k++) {
        update.term[k] = register_for(cuda, stage, stage->term[k].from);
        update.weight[k] = stage->term[k].weight;
    }
    return update;
}

/* Limiting leaves means as they are, so those of limited slopes are in the registers. */
static void set_means(const struct ewi_cuda *cuda, const struct ewi_stage *stage, struct ewi_cuda_call *call)
{
    call->mean_of_base = state_register(cuda, 0);
    for (int k = 0; k < stage->terms; k++)
        call->mean_of_term[k] = state_register(cuda, stage->term[k].from);
}

/* The call of a stage. Without a stage, or at the begin of a step: of register 0, and the maxima in it. */
static struct ewi_cuda_call call_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    struct ewi_cuda_call call = blank_call(cuda);
    call.stage = operation->stage;
    call.stage_time = operation->time;
    call.state = state_register(cuda, operation->source > 0 ? operation->source : 0);
    call.target = state_register(cuda, operation->target > 0 ? operation->target : 0);
    if (operation->stage > 0)
        call.update = update_of(cuda, &cuda->plan->scheme->stage[operation->stage - 1]);
    else
        call.partials = (call.elements + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK;
    return call;
}

/* The call at a step's end: the maxima are those of the change. */
static struct ewi_cuda_call call_at_end(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    struct ewi_cuda_call call = call_of(cuda, operation);
    call.partials = cuda->plan->steady > 0.0 ? change_blocks(cuda->plan) : 0;
    if (cuda->fused)
        call.partial = ewi_cuda_at(cuda, EWI_ARRAY_CHANGES);
    return call;
}

/* In lists where a step's end finds the next step's length. */
static bool is_at_end(const struct ewi_operation *operation)
{
    return operation->stage == 0 && operation->time == 1.0;
}

static struct ewi_cuda_call call_for(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    return is_at_end(operation) ? call_at_end(cuda, operation) : call_of(cuda, operation);
}

/* ---- boundary data ---- */

/* Boundary data by callbacks, at a stage's time. */
static void add_callbacks(struct ewi_cuda *cuda, const struct ewi_cuda_call *stage)
{
    const struct ewi_plan *plan = cuda->plan;
    for (int32_t b = 0; b < plan->mesh->boundaries; b++)
        if (is_callback(&plan->boundary[b]))
            add_on_host(cuda, "callback", EWI_WORK_boundary, evaluate_here, stage)->boundary = b;
}

/*
 * Boundary data by formulas. Those of a whole step are evaluated at once, since a launch takes longer than the
 * evaluation; at the step's end, only for their speeds. Otherwise they go to their place among data that do not depend
 * on t.
 */
static int add_formulas(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    const struct ewi_scheme *scheme = cuda->plan->scheme;
    struct ewi_cuda_call call = call_of(cuda, operation);
    if (!call.program)
        return EW_OK;
    call.given_speed = operation->quantity == EWI_QUANTITY_speed;
    for (int k = 0; operation->whole_step && k < scheme->stages; k++)
        call.given_time[call.given_times++] = scheme->stage[k].time;
    call.given_time[call.given_times++] = operation->whole_step ? 1.0 : operation->time;
    call.given_now = ewi_cuda_at(cuda, cuda->fused ? EWI_ARRAY_GIVEN_NOW : EWI_ARRAY_GIVEN);
    int status = add(cuda, EVAL_GIVEN, call.boundary_slots * call.ne * call.given_times, &call, error);
    cuda->launch[cuda->launches - 1].minor = call.given_speed && !operation->whole_step;
    return status;
}

static int lower_boundary(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    const struct ewi_cuda_call call = call_for(cuda, operation);
    bool measures = operation->quantity == EWI_QUANTITY_speed;
    int status = operation->data == EWI_DATA_callbacks ? EW_OK : add_formulas(cuda, operation, error);
    if (operation->data == EWI_DATA_formulas || !cuda->plan->callbacks)
        return status;
    if (measures)
        add_on_host(cuda, "callback", EWI_WORK_boundary, measure_here, &call)->minor = true;
    else
        add_callbacks(cuda, &call);
    return status;
}

/* ---- parts ---- */

static bool receives_on_load(const struct ewi_cuda *cuda)
{
    return ewi_step_on_load(&cuda->list) & EWI_OP_BIT(receive);
}

static int send_directly(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    struct ewi_cuda_call call = call_of(cuda, operation);
    call.packs = cuda->exchange.sends;
    call.peers = cuda->exchange.peers;
    call.peers.drops = receives_on_load(cuda) ? cuda->exchange.receives : 0;
    int64_t elements = call.packs > call.peers.drops ? call.packs : call.peers.drops;
    return elements > 0 ? add(cuda, SEND_INTERFACE, elements * cuda->plan->rows, &call, error) : EW_OK;
}

/* Through the hosts, for which it is not waited. */
static int send_by_host(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    struct ewi_cuda_call call = call_of(cuda, operation);
    call.send_list = ewi_cuda_at(cuda, EWI_ARRAY_SEND_LIST);
    call.packed = ewi_cuda_at(cuda, EWI_ARRAY_PACKED);
    call.packs = cuda->exchange.sends;
    if (call.packs == 0)
        return EW_OK;
    int status = add(cuda, PACK_INTERFACE, call.packs * cuda->plan->rows, &call, error);
    add_on_host(cuda, "send", EWI_WORK_time_step, ewi_cuda_send_interface, &call)->minor = true;
    return status;
}

static int lower_send(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    return cuda->exchange.direct ? send_directly(cuda, operation, error) : send_by_host(cuda, operation, error);
}

static int lower_receive(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    struct ewi_cuda_call call = call_of(cuda, operation);
    int64_t rows = cuda->plan->rows;
    bool direct = cuda->exchange.direct;
    call.packed = (double *)ewi_cuda_at(cuda, EWI_ARRAY_PACKED) + (direct ? 0 : cuda->exchange.sends * rows);
    call.packs = cuda->exchange.receives;
    call.peers = cuda->exchange.peers;
    if (!direct)
        add_on_host(cuda, "exchange", EWI_WORK_time_step, ewi_cuda_exchange, &call)->is_awaited = true;
    return call.packs > 0 ? add(cuda, direct ? RECEIVE_GHOSTS : UNPACK_GHOSTS, call.packs * rows, &call, error) : EW_OK;
}

static int lower_exchange(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    int status = lower_send(cuda, operation, error);
    return status == EW_OK ? lower_receive(cuda, operation, error) : status;
}

/* The kernel may start before the launch in front of it is done, where its code waits for that by itself. */
static void let_overlap(struct ewi_cuda *cuda)
{
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches - 1];
    launch->early = waits_itself(cuda, launch->function);
}

/* The maxima of threads are the business of the kernels that find them; those of parts carry the change, too. */
static int lower_reduce(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    if (operation->quantity != EWI_QUANTITY_speed || !cuda->plan->part)
        return EW_OK;
    struct ewi_cuda_call call = call_for(cuda, operation);
    call.ends = is_at_end(operation);
    call.peers = cuda->exchange.peers;
    if (!cuda->exchange.direct) {
        add_on_host(cuda, "all_reduce", EWI_WORK_time_step,
                    call.ends ? ewi_cuda_all_reduce_at_end : ewi_cuda_all_reduce_at_start, &call)->is_awaited = true;
        return EW_OK;
    }
    int status = add(cuda, ALL_REDUCE, 1, &call, error);
    if (status == EW_OK)
        let_overlap(cuda);
    return status;
}

/* ---- the stage of the fused set ---- */

/* As many thread blocks as the device holds, or as there are blocks. */
static int set_grid(struct ewi_cuda *cuda, struct ewi_cuda_launch *launch, ew_error *error)
{
    int64_t most;
    int status;
    EWI_TRY(ewi_cuda_hold(cuda, launch->function, launch->threads, launch->shared, &most, error));
    launch->call.grid = most < 1 ? 1 : most < launch->call.blocks ? (int32_t)most : launch->call.blocks;
    launch->blocks = (unsigned)launch->call.grid;
out:
    return status;
}

/*
 * True if stages prefetch the arrays that their updates read. That saves 1 to 5 % if a state fills L2, and costs 1 or 2
 * % if it does not (bench/results/gpu-h200.md).
 */
static bool prefetches(const struct ewi_cuda *cuda)
{
    int cache = 0;
    double state = (double)ewi_plan_state_doubles(cuda->plan) * sizeof(double);
    return cuda->driver.device_attribute(&cache, CU_DEVICE_SECOND_CACHE_BYTES, cuda->device) == 0 &&
           state > 0.75 * cache;
}

/* The blocks of the list that form a list of elements. */
struct blocks {
    int32_t first, count;
};

static struct blocks blocks_of(const struct ewi_cuda *cuda, enum ewi_element_list elements)
{
    int32_t count = cuda->blocks.count, interface = cuda->blocks.interface_blocks;
    switch (elements) {
    case EWI_ELEMENTS_interface: return (struct blocks){0, interface};
    case EWI_ELEMENTS_interior: return (struct blocks){interface, count - interface};
    default: return (struct blocks){0, count};
    }
}

static int add_blocks(struct ewi_cuda *cuda, const struct ewi_cuda_call *stage, enum ewi_element_list elements,
                      ew_error *error)
{
    struct ewi_cuda_call call = *stage;
    struct blocks blocks = blocks_of(cuda, elements);
    enum kernel kernel = call.jump_sensor      ? LIMITED_STAGE
                         : call.limits_on_load ? LIMIT_ON_LOAD_STAGE
                         : call.positive       ? POSITIVE_STAGE
                                               : STAGE;
    int status;
    call.block += blocks.first;
    call.blocks = blocks.count;
    call.prefetches = prefetches(cuda);
    EWI_TRY(add(cuda, kernel, call.elements, &call, error));
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches - 1];
    launch->threads = EWI_FUSED_THREADS(cuda->blocks.variant);
    launch->shared = (unsigned)ewi_cuda_shared_bytes(cuda->plan, &cuda->blocks, call.jump_sensor, call.limits_on_load);
    launch->minor = elements == EWI_ELEMENTS_interface;
    EWI_TRY(set_grid(cuda, launch, error));
    launch->early = waits_itself(cuda, launch->function);
out:
    return status;
}

/* One right-hand side is a stage that keeps it, and has no target. */
static void set_rhs(const struct ewi_cuda *cuda, struct ewi_cuda_call *call)
{
    call->target = NULL;
    call->update = (struct ewi_update){.keep = ewi_cuda_at(cuda, ewi_cuda_rhs_array(cuda)), .base = call->state};
}

static void set_stage(const struct ewi_cuda *cuda, const struct ewi_operation *operation, struct ewi_cuda_call *call)
{
    int number = operation->stage - 1;
    call->ends = (operation->on_store & EWI_OP_BIT(speed)) != 0;
    call->jump_sensor = (operation->on_load & EWI_OP_BIT(jump_sensor)) != 0;
    call->positive = (operation->on_store & EWI_OP_BIT(positivity)) != 0;
    call->limits_on_load = (operation->on_load & EWI_OP_BIT(limit)) != 0;
    call->leaves_pending = operation->leaves_pending;
    if (cuda->array[EWI_ARRAY_BLOCK_NEIGHBOURS])
        set_means(cuda, &cuda->plan->scheme->stage[number], call);
    if (operation->stores_limited)
        call->limited = ewi_cuda_at(cuda, (enum ewi_cuda_array)(EWI_ARRAY_LIMITED + operation->source));
    if (operation->on_load & EWI_OP_BIT(receive)) {
        call->peers = cuda->exchange.peers;
        call->peers.interface_blocks = cuda->blocks.interface_blocks;
    }
    if (call->program)
        call->given_now += (size_t)number * (size_t)(call->boundary_slots * call->ne * call->variables);
}

static int lower_stage(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    struct ewi_cuda_call call = call_of(cuda, operation);
    int status = EW_OK;
    if (operation->stage > 0)
        set_stage(cuda, operation, &call);
    else
        set_rhs(cuda, &call);
    if (operation->on_load & EWI_OP_BIT(ghost) && call.boundary_slots > 0) {
        EWI_TRY(add(cuda, EVAL_GHOSTS, call.boundary_slots * call.ne, &call, error));
        let_overlap(cuda);
    }
    EWI_TRY(add_blocks(cuda, &call, operation->elements, error));
out:
    return status;
}

/* ---- operations that are a kernel ---- */

static int lower_limit(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    struct ewi_cuda_call call = call_of(cuda, operation);
    call.positive = (operation->on_store & EWI_OP_BIT(positivity)) != 0;
    int status = add(cuda, LIMIT_C, call.a.padded, &call, error);
    if (status == EW_OK && cuda->fused)
        let_overlap(cuda);
    return status;
}

/* What a kernel has a thread for. */
enum items { ELEMENTS, PADDED_ELEMENTS, SLOTS, CHANGE_THREADS };

static int64_t items_of(const struct ewi_cuda *cuda, enum items items)
{
    const struct ewi_grid *grid = cuda->plan->grid;
    switch (items) {
    case ELEMENTS: return grid->elements;
    case PADDED_ELEMENTS: return grid->padded;
    case SLOTS: return grid->slots;
    default: return change_blocks(cuda->plan) * EWI_CUDA_BLOCK;
    }
}

/* at_end: the maxima are those of a step's change. */
static const struct {
    enum kernel kernel;
    enum items items;
    bool at_end;
} kernel_for[EWI_OP_COUNT] = {
    [EWI_OP_speed] = {EVAL_SPEED, ELEMENTS},
    [EWI_OP_volume] = {EVAL_VOLUME, PADDED_ELEMENTS},
    [EWI_OP_surface] = {EVAL_SURFACE, SLOTS},
    [EWI_OP_gather] = {EVAL_RHS, PADDED_ELEMENTS},
    [EWI_OP_update] = {UPDATE, PADDED_ELEMENTS},
    [EWI_OP_jump_sensor] = {JUMP_SENSOR, SLOTS},
    [EWI_OP_positivity] = {MAKE_POSITIVE, PADDED_ELEMENTS},
    [EWI_OP_keep] = {KEEP_STATE, CHANGE_THREADS, .at_end = true},
    [EWI_OP_change] = {EVAL_CHANGE, CHANGE_THREADS, .at_end = true},
};

static int lower_kernel(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    bool at_end = kernel_for[operation->kind].at_end;
    const struct ewi_cuda_call call = at_end ? call_at_end(cuda, operation) : call_of(cuda, operation);
    return add(cuda, kernel_for[operation->kind].kernel, items_of(cuda, kernel_for[operation->kind].items), &call,
               error);
}

/* ---- the clock ---- */

/* True if a kernel advances the fused set's clock at the end of each step, and not the next step's first kernel. */
static bool advances_clock_each_step(const struct ewi_cuda *cuda)
{
    return cuda->plan->steady > 0.0 || cuda->plan->callbacks;
}

static int add_advance_clock(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_operation end = {.kind = EWI_OP_end, .time = 1.0};
    const struct ewi_cuda_call call = call_at_end(cuda, &end);
    return add(cuda, ADVANCE_CLOCK, 1, &call, error);
}

static int lower_begin(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    const struct ewi_cuda_call call = call_of(cuda, operation);
    if (host_reduces(cuda))
        return EW_OK;
    if (!is_at_end(operation))
        return add(cuda, BEGIN_STEP, 1, &call, error);
    return advances_clock_each_step(cuda) ? add_advance_clock(cuda, error) : EW_OK;
}

/* The fused set does this together with the begin of the next step. */
static int lower_end(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    const struct ewi_cuda_call call = call_at_end(cuda, operation);
    return cuda->fused ? EW_OK : add(cuda, END_STEP, 1, &call, error);
}

/* ---- the whole list ---- */

static int (*const lower[EWI_OP_COUNT])(struct ewi_cuda *cuda, const struct ewi_operation *operation,
                                        ew_error *error) = {
    [EWI_OP_speed] = lower_kernel,
    [EWI_OP_boundary] = lower_boundary,
    [EWI_OP_reduce] = lower_reduce,
    [EWI_OP_begin] = lower_begin,
    [EWI_OP_keep] = lower_kernel,
    [EWI_OP_jump_sensor] = lower_kernel,
    [EWI_OP_volume] = lower_kernel,
    [EWI_OP_surface] = lower_kernel,
    [EWI_OP_gather] = lower_kernel,
    [EWI_OP_update] = lower_kernel,
    [EWI_OP_stage] = lower_stage,
    [EWI_OP_limit] = lower_limit,
    [EWI_OP_positivity] = lower_kernel,
    [EWI_OP_exchange] = lower_exchange,
    [EWI_OP_send] = lower_send,
    [EWI_OP_receive] = lower_receive,
    [EWI_OP_change] = lower_kernel,
    [EWI_OP_end] = lower_end,
};

/* *part: the launches that these operations become. */
static int lower_range(struct ewi_cuda *cuda, struct ewi_operation_range range, struct ewi_cuda_part *part,
                       ew_error *error)
{
    int status = EW_OK, first = cuda->launches;
    for (int k = range.first; status == EW_OK && k < range.first + range.count; k++)
        status = lower[cuda->list.operation[k].kind](cuda, &cuda->list.operation[k], error);
    *part = (struct ewi_cuda_part){first, cuda->launches - first};
    return status;
}

/* Marks the first kernel of a step, which begins it. Earlier launches run on the host, or copy the state. */
static void mark_begin(struct ewi_cuda *cuda)
{
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->step.first + (cuda->plan->steady > 0.0)];
    while (!launch->function)
        launch++;
    launch->call.begins = cuda->fused;
}

/* The paper's steps include the opening; the fused set's first step has an opening of its own. */
static int lower_step(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_step *list = &cuda->list;
    struct ewi_operation_range rest = list->step;
    int status;
    EWI_TRY(lower_range(cuda, list->opening, &cuda->speed, error));
    if (cuda->fused) {
        cuda->opening = cuda->speed;
    } else {
        rest.first += list->opening.count;
        rest.count -= list->opening.count;
    }
    EWI_TRY(lower_range(cuda, rest, &cuda->step, error));
    if (!cuda->fused)
        cuda->step = (struct ewi_cuda_part){0, cuda->launches};
    mark_begin(cuda);
out:
    return status;
}

/* After the last of several steps: the limiter, if it is pending, and the clock. */
static int lower_finalize(struct ewi_cuda *cuda, ew_error *error)
{
    bool finalizes = cuda->list.finalize.count > 0;
    int status = lower_range(cuda, cuda->list.finalize, &cuda->closing, error);
    if (status == EW_OK && cuda->fused && (finalizes || !advances_clock_each_step(cuda)) && !host_reduces(cuda))
        status = add_advance_clock(cuda, error);
    cuda->closing.count = cuda->launches - cuda->closing.first;
    for (int k = cuda->closing.first; k < cuda->launches; k++)
        cuda->launch[k].call.finalizes = finalizes;
    return status;
}

static int lower_all(struct ewi_cuda *cuda, ew_error *error)
{
    int status;
    EWI_TRY(lower_step(cuda, error));
    EWI_TRY(lower_range(cuda, cuda->list.rhs, &cuda->integrals, error));
    cuda->integrals.count--;
    cuda->sum = (struct ewi_cuda_part){cuda->launches - 1, 1};
    EWI_TRY(lower_range(cuda, cuda->list.initial, &cuda->limit, error));
    EWI_TRY(lower_finalize(cuda, error));
out:
    return status;
}

/* Through the hosts, a part's interface goes ahead; where GPUs reach each other, one launch does both. */
static void make_list(struct ewi_cuda *cuda)
{
    struct ewi_fusion fusion = {0};
    if (cuda->fused)
        fusion = ewi_blocks_fusion(&cuda->plan->sizes);
    fusion.sends = cuda->exchange.direct;
    fusion.overlaps = host_reduces(cuda) && cuda->blocks.interface_blocks > 0 &&
                      cuda->blocks.interface_blocks < cuda->blocks.count;
    ewi_step_make_fused(&cuda->plan->sizes, &fusion, &cuda->list);
}

int ewi_cuda_make_steps(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    size_t a_stage = 14 + (size_t)plan->mesh->boundaries, most = 13 + a_stage * (size_t)(plan->scheme->stages + 1);
    cuda->launches = 0;
    cuda->launch = ewi_alloc(&cuda->host, most, sizeof *cuda->launch);
    if (!cuda->launch)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the list of kernels");
    cuda->early = cuda->driver.launch_with != NULL;
    make_list(cuda);
    return lower_all(cuda, error);
}
