/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A step as a list of launches, made once; the list is run launch by launch, or as a graph where the driver has them.
 */
#include "ewi_cuda.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_part.h"
#include "ewi_text.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

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
        .turn = ewi_cuda_at(cuda, EWI_ARRAY_TURN),
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
        .beside = ewi_cuda_at(cuda, EWI_ARRAY_BESIDE),
        .beyond = ewi_cuda_at(cuda, EWI_ARRAY_BEYOND),
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

bool ewi_cuda_leaves_limited(const struct ewi_outline *plan, int number)
{
    const struct ewi_scheme *scheme = plan->scheme;
    int source = scheme->stage[number].source;
    if (source == 0) /* all stages begin with it */
        return ewi_blocks_prelimit_all(plan);
    for (int k = number + 1; k < scheme->stages && scheme->stage[k - 1].target != source; k++)
        for (int x = 0; x < scheme->stage[k].terms; x++)
            if (scheme->stage[k].term[x].from == source && scheme->stage[k].source != source)
                return true;
    return false;
}

enum kernel {
    EVAL_SPEED, BEGIN_STEP, KEEP_STATE, EVAL_GIVEN, EVAL_GHOSTS, STAGE, POSITIVE_STAGE, LIMITED_STAGE, PRELIMITED_STAGE,
    EVAL_VOLUME, EVAL_SURFACE, EVAL_RHS, UPDATE, SENSE, LIMIT_C, MAKE_POSITIVE, EVAL_CHANGE, END_STEP, TURN_STEP,
    PACK_RIM, FILL_RING, SEND_RIM, TAKE_RING, VOTE
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
    [PRELIMITED_STAGE] = {"prelimited_stage", EWI_WORK_stage, "elements", .of_set = true, .law = true, .flux = true},
    [EVAL_VOLUME] = {"eval_volume", EWI_WORK_eval_volume, "elements", .of_set = true, .law = true},
    [EVAL_SURFACE] = {"eval_surface", EWI_WORK_eval_surface, "edges", .of_set = true, .law = true, .flux = true},
    [EVAL_RHS] = {"eval_rhs", EWI_WORK_eval_rhs, "elements", .of_set = true, .law = true},
    [UPDATE] = {"update", EWI_WORK_update, "elements", .of_set = true, .law = true},
    [SENSE] = {"sense", EWI_WORK_sense, "edges", .of_set = true, .law = true, .limiter = true},
    [LIMIT_C] = {"limit_c", EWI_WORK_limit_c, "elements", .of_set = true, .law = true, .limiter = true},
    [MAKE_POSITIVE] = {"make_positive", EWI_WORK_positive, "elements", .of_set = true, .law = true},
    [EVAL_CHANGE] = {"eval_change", EWI_WORK_time_step, "threads", .minor = true},
    [END_STEP] = {"end_step", EWI_WORK_time_step, "blocks", .minor = true},
    [TURN_STEP] = {"turn_step", EWI_WORK_time_step, "blocks", .of_set = false},
    [PACK_RIM] = {"pack_rim", EWI_WORK_time_step, "coefficients", .minor = true},
    [FILL_RING] = {"fill_ring", EWI_WORK_time_step, "coefficients", .minor = true},
    [SEND_RIM] = {"send_rim", EWI_WORK_time_step, "coefficients", .minor = true},
    [TAKE_RING] = {"take_ring", EWI_WORK_time_step, "coefficients", .minor = true},
    [VOTE] = {"vote", EWI_WORK_time_step, "blocks", .minor = true},
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

/* The launches that were added since there were *first; the next part begins behind them. */
static struct ewi_cuda_part part_from(const struct ewi_cuda *cuda, int *first)
{
    struct ewi_cuda_part part = {*first, cuda->launches - *first};
    *first = cuda->launches;
    return part;
}

static bool is_callback(const struct ewi_plan_boundary *boundary)
{
    return boundary->time_dependent && !boundary->state.formula;
}

static bool has_callbacks(const struct ewi_plan *plan)
{
    for (int32_t b = 0; b < plan->mesh->boundaries; b++)
        if (is_callback(&plan->boundary[b]))
            return true;
    return false;
}

/* ---- what the host does at a place of the list ---- */

/* A boundary whose state is the host's callback: its time is on the device. */
static int evaluate_here(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    struct ewi_plan *plan = cuda->plan;
    const struct ewi_edge_group *group = &plan->grid->group[launch->boundary];
    double speed = 0.0;
    int status = ewi_cuda_look(cuda, error);
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
    int status = ewi_cuda_look(cuda, error);
    if (status != EW_OK || cuda->clock->state != EWI_CLOCK_RUNNING || cuda->clock->stage != 0)
        return status;
    double t = ewi_clock_stage_time(cuda->clock, launch->call.stage_time), *floor = &cuda->clock->floor;
    *floor = plan->given_speed;
    for (int32_t b = 0; b < plan->mesh->boundaries; b++)
        if (is_callback(&plan->boundary[b]))
            ewi_plan_evaluate_boundary(plan, &plan->grid->group[b], plan->grid->group[b].first,
                                       plan->grid->group[b].padded, t, floor);
    EWI_TRY(ewi_cuda_set_clock(cuda, cuda->clock, error));
    if (cuda->array[EWI_ARRAY_TURN])
        EWI_TRY(ewi_cuda_upload(cuda, EWI_ARRAY_TURN,
                                offsetof(struct ewi_cuda_turn, clock) + offsetof(struct ewi_clock, floor), floor,
                                sizeof *floor, error));
out:
    return status;
}

/* What the host does at this place of the list. */
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

/* The given states of boundaries that the host evaluates at a stage's time. */
static void add_callbacks(struct ewi_cuda *cuda, const struct ewi_cuda_call *stage)
{
    const struct ewi_plan *plan = cuda->plan;
    for (int32_t b = 0; b < plan->mesh->boundaries; b++)
        if (is_callback(&plan->boundary[b]))
            add_on_host(cuda, "callback", EWI_WORK_boundary, evaluate_here, stage)->boundary = b;
}

/* The largest speed that these will have at such a time of the step, 1 being its end. */
static void add_callbacks_speed(struct ewi_cuda *cuda, const struct ewi_cuda_call *call, double time)
{
    if (!cuda->host_boundaries)
        return;
    struct ewi_cuda_launch *launch = add_on_host(cuda, "callback", EWI_WORK_boundary, measure_here, call);
    launch->minor = true;
    launch->call.stage_time = time;
}

/*
 * Whether stages send their rims by themselves, and find their rings where these arrive, not in the state: where
 * nothing else looks at it.
 */
static bool stages_exchange(const struct ewi_cuda *cuda)
{
    const struct ewi_limiter *limiter = cuda->plan->limiter;
    return cuda->exchange.direct && !(limiter && !limiter->senses) && !(cuda->plan->steady > 0.0);
}

static int add_send(struct ewi_cuda *cuda, const struct ewi_cuda_call *state, ew_error *error)
{
    struct ewi_cuda_call call = *state;
    call.packs = cuda->exchange.sends;
    call.post = cuda->exchange.post;
    call.post.drops = stages_exchange(cuda) ? cuda->exchange.receives : 0;
    int64_t elements = call.packs > call.post.drops ? call.packs : call.post.drops;
    return elements > 0 ? add(cuda, SEND_RIM, elements * cuda->plan->rows, &call, error) : EW_OK;
}

/* A part's rim of a stage's new state goes through the hosts; the host is not waited for. */
static int add_rim(struct ewi_cuda *cuda, const struct ewi_cuda_call *stage, ew_error *error)
{
    struct ewi_cuda_call call = *stage;
    call.rim = ewi_cuda_at(cuda, EWI_ARRAY_RIM);
    call.packed = ewi_cuda_at(cuda, EWI_ARRAY_PACKED);
    call.packs = cuda->exchange.sends;
    if (call.packs == 0)
        return EW_OK;
    int status = add(cuda, PACK_RIM, call.packs * cuda->plan->rows, &call, error);
    add_on_host(cuda, "send", EWI_WORK_time_step, ewi_cuda_send_rim, stage)->minor = true;
    return status;
}

/* ... and its ring comes. */
static int add_ring(struct ewi_cuda *cuda, const struct ewi_cuda_call *stage, ew_error *error)
{
    struct ewi_cuda_call call = *stage;
    int64_t rows = cuda->plan->rows;
    bool direct = cuda->exchange.direct;
    call.packed = (double *)ewi_cuda_at(cuda, EWI_ARRAY_PACKED) + (direct ? 0 : cuda->exchange.sends * rows);
    call.packs = cuda->exchange.receives;
    call.post = cuda->exchange.post;
    if (!direct)
        add_on_host(cuda, "exchange", EWI_WORK_time_step, ewi_cuda_exchange, stage)->is_awaited = true;
    return call.packs > 0 ? add(cuda, direct ? TAKE_RING : FILL_RING, call.packs * rows, &call, error) : EW_OK;
}

/* Of a part: the ring of a stage's new state, `call`'s target, from the parts that it belongs to. */
static int add_exchange(struct ewi_cuda *cuda, const struct ewi_cuda_call *stage, ew_error *error)
{
    int status = cuda->exchange.direct ? add_send(cuda, stage, error) : add_rim(cuda, stage, error);
    return status == EW_OK ? add_ring(cuda, stage, error) : status;
}

/*
 * Whether a kernel waits by itself for the launch before it: such code is made for devices that have launches that
 * overlap.
 */
static bool waits_itself(const struct ewi_cuda *cuda, cu_function function)
{
    int version = 0;
    return cuda->driver.function_attribute(&version, CU_FUNCTION_PTX_VERSION, function) == 0 && version >= 90;
}

/* Of a part: what all parts decide, at the end of a step or before the first one. */
static int add_vote(struct ewi_cuda *cuda, const struct ewi_cuda_call *given, bool ends, ew_error *error)
{
    struct ewi_cuda_call call = *given;
    call.ends = ends;
    call.post = cuda->exchange.post;
    if (cuda->exchange.direct) {
        int status = add(cuda, VOTE, 1, &call, error);
        struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches - 1];
        launch->early = status == EW_OK && waits_itself(cuda, launch->function);
        return status;
    }
    add_on_host(cuda, "vote", EWI_WORK_time_step, ends ? ewi_cuda_vote_at_end : ewi_cuda_vote_at_start,
                &call)->is_awaited = true;
    return EW_OK;
}

/* Whether the host keeps the clock. */
static bool host_votes(const struct ewi_cuda *cuda)
{
    return cuda->plan->part && !cuda->exchange.direct;
}

/*
 * Those by formulas. OF_STEP: at the times of all stages of a step at once, since a launch takes longer than what it
 * does, and at its end, where only their speeds count. AT_STAGE: at the stage's time, in their place among those that
 * do not depend on t, where no other kernel chooses between them. AT_START: the same, and their speeds count.
 */
enum given { AT_STAGE, AT_START, OF_STEP };

static int add_given(struct ewi_cuda *cuda, const struct ewi_cuda_call *stage, enum given when, ew_error *error)
{
    const struct ewi_scheme *scheme = cuda->plan->scheme;
    struct ewi_cuda_call call = *stage;
    if (!call.program)
        return EW_OK;
    call.given_speed = when != AT_STAGE;
    for (int k = 0; when == OF_STEP && k < scheme->stages; k++)
        call.given_time[call.given_times++] = scheme->stage[k].time;
    call.given_time[call.given_times++] = when == OF_STEP ? 1.0 : call.stage_time;
    call.given_now = ewi_cuda_at(cuda, cuda->fused ? EWI_ARRAY_GIVEN_NOW : EWI_ARRAY_GIVEN);
    int status = add(cuda, EVAL_GIVEN, call.boundary_slots * call.ne * call.given_times, &call, error);
    cuda->launch[cuda->launches - 1].minor = when == AT_START;
    return status;
}

/* The most that a kernel may be given at a launch is the kernel's, not the launch's: it never becomes less. */
static cu_result allow_shared(const struct ewi_driver *driver, cu_function function, int shared)
{
    int most = 0;
    cu_result result = driver->function_attribute(&most, CU_FUNCTION_DYNAMIC_SHARED_BYTES, function);
    return result == 0 && shared > most ? driver->function_set(function, CU_FUNCTION_DYNAMIC_SHARED_BYTES, shared)
                                        : result;
}

int ewi_cuda_hold(struct ewi_cuda *cuda, cu_function function, unsigned threads, unsigned shared, int64_t *held,
                  ew_error *error)
{
    const struct ewi_driver *driver = &cuda->driver;
    pthread_mutex_t *lock = cuda->code->lock;
    int status = EW_OK, processors = 0, of_each = 0;
    EWI_CUDA(cuda, driver->function_cache(function, CU_PREFER_SHARED), "asking for shared memory", error);
    if (lock)
        pthread_mutex_lock(lock);
    cu_result allowed = allow_shared(driver, function, (int)shared);
    if (lock)
        pthread_mutex_unlock(lock);
    EWI_CUDA(cuda, allowed, "asking for shared memory", error);
    EWI_CUDA(cuda, driver->occupancy(&of_each, function, (int)threads, shared), "asking how many blocks it holds",
             error);
    EWI_CUDA(cuda, driver->device_attribute(&processors, CU_DEVICE_MULTIPROCESSORS, cuda->device),
             "counting its processors", error);
    *held = (int64_t)of_each * processors;
out:
    return status;
}

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
 * Whether stages prefetch what their updates read. That saves 1 to 5 % if a state fills the second cache, and costs 1
 * or 2 % if it does not (bench/results/gpu-h200.md).
 */
static bool looks_ahead(const struct ewi_cuda *cuda)
{
    int cache = 0;
    double state = (double)ewi_plan_state_doubles(cuda->plan) * sizeof(double);
    return cuda->driver.device_attribute(&cache, CU_DEVICE_SECOND_CACHE_BYTES, cuda->device) == 0 &&
           state > 0.75 * cache;
}

/* The kernel of a stage, for so many blocks of the list. */
static int add_blocks(struct ewi_cuda *cuda, const struct ewi_cuda_call *stage, int32_t first, int32_t count,
                      ew_error *error)
{
    struct ewi_cuda_call call = *stage;
    enum kernel kernel = call.senses      ? LIMITED_STAGE
                         : call.prelimits ? PRELIMITED_STAGE
                         : call.positive  ? POSITIVE_STAGE
                                          : STAGE;
    int status;
    call.block += first;
    call.blocks = count;
    call.looks_ahead = looks_ahead(cuda);
    EWI_TRY(add(cuda, kernel, call.elements, &call, error));
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches - 1];
    launch->threads = EWI_FUSED_THREADS(cuda->blocks.variant);
    launch->shared = (unsigned)ewi_cuda_shared_bytes(cuda->plan, &cuda->blocks, call.senses, call.prelimits);
    EWI_TRY(set_grid(cuda, launch, error));
    launch->early = waits_itself(cuda, launch->function);
out:
    return status;
}

/*
 * Whether a stage makes a part's rim before the rest, so that it goes through the hosts meanwhile. Where GPUs reach
 * each other, one launch does both.
 */
static bool rim_goes_ahead(const struct ewi_cuda *cuda)
{
    return host_votes(cuda) && cuda->blocks.rims > 0 && cuda->blocks.rims < cuda->blocks.count;
}

static int add_fused(struct ewi_cuda *cuda, const struct ewi_cuda_call *call, bool ahead, ew_error *error)
{
    int status = EW_OK;
    int32_t rims = ahead ? cuda->blocks.rims : 0;
    if (call->boundary_slots > 0) {
        EWI_TRY(add(cuda, EVAL_GHOSTS, call->boundary_slots * call->ne, call, error));
        struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches - 1];
        launch->early = waits_itself(cuda, launch->function);
    }
    if (rims > 0) {
        EWI_TRY(add_blocks(cuda, call, 0, rims, error));
        cuda->launch[cuda->launches - 1].minor = true;
        EWI_TRY(add_rim(cuda, call, error));
    }
    EWI_TRY(add_blocks(cuda, call, rims, call->blocks - rims, error));
out:
    return status;
}

/* The paper's three kernels. */
static int add_rhs(struct ewi_cuda *cuda, const struct ewi_cuda_call *stage, ew_error *error)
{
    int status;
    add_callbacks(cuda, stage);
    EWI_TRY(add_given(cuda, stage, AT_STAGE, error));
    if (cuda->fused) {
        struct ewi_cuda_call call = *stage;
        call.target = NULL;
        call.update = (struct ewi_update){.keep = ewi_cuda_at(cuda, ewi_cuda_rhs_array(cuda)), .base = call.state};
        return add_fused(cuda, &call, false, error);
    }
    EWI_TRY(add(cuda, EVAL_VOLUME, stage->a.padded, stage, error));
    EWI_TRY(add(cuda, EVAL_SURFACE, stage->slots, stage, error));
    EWI_TRY(add(cuda, EVAL_RHS, stage->a.padded, stage, error));
out:
    return status;
}

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

/*
 * What follows a stage (`last`: of its step) or an initial state, if that has not done it by itself: the limiter, or
 * else positivity that is still due.
 */
static int add_limit(struct ewi_cuda *cuda, const struct ewi_cuda_call *stage, bool last, bool due, ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    struct ewi_cuda_call call = *stage;
    call.positive = plan->positivity;
    if (stage->senses)
        return EW_OK;
    if (ewi_limiter_acts(plan->limiter, last)) {
        int status = add(cuda, LIMIT_C, call.a.padded, &call, error);
        struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches - 1];
        launch->early = status == EW_OK && cuda->fused && waits_itself(cuda, launch->function);
        return status;
    }
    return due && plan->positivity ? add(cuda, MAKE_POSITIVE, call.a.padded, &call, error) : EW_OK;
}

/* Whether a step leaves its state to be limited by the next one, or by a pass after the last of some steps. */
static bool steps_owe(const struct ewi_cuda *cuda)
{
    return cuda->fused && ewi_blocks_prelimit_all(&cuda->plan->outline);
}

/* Each stage limits what it loads, a step's first one if that is owed. */
static void set_prelimits(const struct ewi_cuda *cuda, int number, struct ewi_cuda_call *call)
{
    const struct ewi_scheme *scheme = cuda->plan->scheme;
    call->owes = call->ends && steps_owe(cuda);
    call->prelimits = number > 0 || steps_owe(cuda);
    set_means(cuda, &scheme->stage[number], call);
    if (ewi_cuda_leaves_limited(&cuda->plan->outline, number))
        call->limited = ewi_cuda_at(cuda, (enum ewi_cuda_array)(EWI_ARRAY_LIMITED + scheme->stage[number].source));
}

static int add_stage(struct ewi_cuda *cuda, int number, ew_error *error)
{
    const struct ewi_stage *stage = &cuda->plan->scheme->stage[number];
    struct ewi_cuda_call call = blank_call(cuda);
    int status;
    call.stage = number + 1;
    call.stage_time = stage->time;
    call.state = state_register(cuda, stage->source);
    call.target = state_register(cuda, stage->target);
    call.update = update_of(cuda, stage);
    bool last = number + 1 == cuda->plan->scheme->stages, limits = ewi_limiter_acts(cuda->plan->limiter, last);
    bool senses = limits && cuda->plan->limiter->senses, exchanges = stages_exchange(cuda);
    bool prelimits = cuda->array[EWI_ARRAY_BESIDE] != 0, ahead = rim_goes_ahead(cuda);
    bool means = cuda->plan->part && ewi_part_needs_means(cuda->plan, last);
    if (exchanges) {
        call.post = cuda->exchange.post;
        call.post.rims = cuda->blocks.rims;
    }
    if (cuda->fused) {
        call.ends = last;
        call.senses = senses;
        call.positive = cuda->plan->positivity && (senses || !limits);
        if (prelimits)
            set_prelimits(cuda, number, &call);
        if (call.program)
            call.given_now += (size_t)number * (size_t)(call.boundary_slots * call.ne * call.variables);
        add_callbacks(cuda, &call);
        EWI_TRY(add_fused(cuda, &call, ahead, error));
    } else {
        if (senses)
            EWI_TRY(add(cuda, SENSE, call.slots, &call, error));
        EWI_TRY(add_rhs(cuda, &call, error));
        EWI_TRY(add(cuda, UPDATE, call.a.padded, &call, error));
    }
    if (ahead)
        EWI_TRY(add_ring(cuda, &call, error));
    else if (means)
        EWI_TRY(add_exchange(cuda, &call, error));
    if (!prelimits || (last && !call.owes))
        EWI_TRY(add_limit(cuda, &call, last, !cuda->fused, error));
    if (cuda->plan->part && !exchanges && (means || !ahead))
        EWI_TRY(add_exchange(cuda, &call, error));
out:
    return status;
}

/* Whether the fused set's clock is turned at each step's end, and not by the next step's first kernel. */
static bool turns_each(const struct ewi_cuda *cuda)
{
    return cuda->plan->steady > 0.0 || cuda->host_boundaries;
}

static int add_step(struct ewi_cuda *cuda, const struct ewi_cuda_call *call, const struct ewi_cuda_call *end,
                    ew_error *error)
{
    int status = EW_OK;
    if (cuda->plan->steady > 0.0)
        EWI_TRY(add(cuda, KEEP_STATE, change_blocks(cuda->plan) * EWI_CUDA_BLOCK, end, error));
    if (cuda->fused)
        EWI_TRY(add_given(cuda, call, OF_STEP, error));
    for (int k = 0; k < cuda->plan->scheme->stages; k++)
        EWI_TRY(add_stage(cuda, k, error));
    if (cuda->plan->steady > 0.0)
        EWI_TRY(add(cuda, EVAL_CHANGE, change_blocks(cuda->plan) * EWI_CUDA_BLOCK, end, error));
    if (cuda->fused)
        add_callbacks_speed(cuda, end, 1.0);
    if (cuda->plan->part)
        EWI_TRY(add_vote(cuda, end, true, error));
    if (!host_votes(cuda) && (!cuda->fused || turns_each(cuda)))
        EWI_TRY(add(cuda, cuda->fused ? TURN_STEP : END_STEP, 1, end, error));
out:
    return status;
}

/* A step's first kernel opens it; what comes before is the host's, or keeps the state. */
static void open_step(struct ewi_cuda *cuda)
{
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->step.first + (cuda->plan->steady > 0.0)];
    while (!launch->function)
        launch++;
    launch->call.opens = cuda->fused;
}

static int add_all(struct ewi_cuda *cuda, ew_error *error)
{
    struct ewi_cuda_call call = blank_call(cuda), end;
    int status, first = 0;
    call.state = call.target = state_register(cuda, 0);
    call.partials = (call.elements + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK;
    cuda->host_boundaries = has_callbacks(cuda->plan);
    end = call;
    end.partials = cuda->plan->steady > 0.0 ? change_blocks(cuda->plan) : 0;
    if (cuda->fused)
        end.partial = ewi_cuda_at(cuda, EWI_ARRAY_CHANGES);
    if (stages_exchange(cuda))
        EWI_TRY(add_send(cuda, &call, error));
    EWI_TRY(add(cuda, EVAL_SPEED, call.elements, &call, error));
    EWI_TRY(add_given(cuda, &call, AT_START, error));
    add_callbacks_speed(cuda, &call, 0.0);
    if (cuda->plan->part)
        EWI_TRY(add_vote(cuda, &call, false, error));
    if (!host_votes(cuda))
        EWI_TRY(add(cuda, BEGIN_STEP, 1, &call, error));
    cuda->speed = part_from(cuda, &first);
    if (cuda->fused)
        cuda->opening = cuda->speed;
    else
        first = 0; /* of each step a part */
    EWI_TRY(add_step(cuda, &call, &end, error));
    cuda->step = part_from(cuda, &first);
    open_step(cuda);
    if (stages_exchange(cuda))
        EWI_TRY(add_exchange(cuda, &call, error));
    EWI_TRY(add_rhs(cuda, &call, error));
    cuda->integrals = part_from(cuda, &first);
    cuda->integrals.count--;
    cuda->sum = (struct ewi_cuda_part){first - 1, 1};
    EWI_TRY(add_limit(cuda, &call, false, true, error));
    if (cuda->plan->part && cuda->launches > first)
        EWI_TRY(add_exchange(cuda, &call, error));
    cuda->limit = part_from(cuda, &first);
    end.settles = steps_owe(cuda);
    if (end.settles)
        EWI_TRY(add_limit(cuda, &end, true, false, error));
    if (cuda->fused && (end.settles || !turns_each(cuda)) && !host_votes(cuda))
        EWI_TRY(add(cuda, TURN_STEP, 1, &end, error));
    cuda->turn = part_from(cuda, &first);
out:
    return status;
}

/* ---- running it ---- */

int ewi_cuda_set_clock(struct ewi_cuda *cuda, const struct ewi_clock *clock, ew_error *error)
{
    *cuda->clock = *clock;
    return ewi_cuda_upload(cuda, EWI_ARRAY_CLOCK, 0, cuda->clock, sizeof *clock, error);
}

int ewi_cuda_look(struct ewi_cuda *cuda, ew_error *error)
{
    int status = EW_OK;
    EWI_CUDA(cuda, cuda->driver.to_host(cuda->clock, cuda->array[EWI_ARRAY_CLOCK], sizeof *cuda->clock, cuda->stream),
             "stepping", error);
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "stepping", error);
out:
    return status;
}

int ewi_cuda_start(struct ewi_cuda *cuda, cu_function function, unsigned blocks, unsigned threads, unsigned shared,
                   bool early, cu_stream stream, void *argument, ew_error *error)
{
    int status = EW_OK;
    void *parameter[] = {argument};
    struct cu_launch_attribute attribute = {.id = CU_LAUNCH_PROGRAMMATIC, .allowed = 1};
    struct cu_launch_config config = {blocks, 1, 1, threads, 1, 1, shared, stream, &attribute, 1};
    if (early)
        EWI_CUDA(cuda, cuda->driver.launch_with(&config, function, parameter, NULL), "starting a kernel", error);
    else
        EWI_CUDA(cuda, cuda->driver.launch(function, blocks, 1, 1, threads, 1, 1, shared, stream, parameter, NULL),
                 "starting a kernel", error);
out:
    return status;
}

static int launch_one(struct ewi_cuda *cuda, struct ewi_cuda_launch *launch, ew_error *error)
{
    if (!launch->function)
        return launch->on_host(cuda, launch, error);
    return ewi_cuda_start(cuda, launch->function, launch->blocks, launch->threads, launch->shared,
                          launch->early && cuda->early, cuda->stream, &launch->call, error);
}

int ewi_cuda_launch(struct ewi_cuda *cuda, struct ewi_cuda_part part, ew_error *error)
{
    int status = EW_OK;
    for (int k = part.first; k < part.first + part.count; k++)
        EWI_TRY(launch_one(cuda, &cuda->launch[k], error));
out:
    return status;
}

cu_graph_exec ewi_cuda_capture(const struct ewi_driver *driver, cu_stream stream, int steps,
                               int (*step)(void *context), void *context)
{
    cu_graph graph = NULL;
    cu_graph_exec made = NULL;
    if (!driver->capture_begin || !driver->capture_end || !driver->graph_instantiate || !driver->graph_launch ||
        !driver->graph_exec_destroy || !driver->graph_destroy)
        return NULL;
    if (driver->capture_begin(stream, CU_CAPTURE_RELAXED) != 0)
        return NULL;
    int status = EW_OK;
    for (int k = 0; k < steps && status == EW_OK; k++)
        status = step(context);
    if (driver->capture_end(stream, &graph) != 0 || !graph)
        return NULL;
    if (status != EW_OK || driver->graph_instantiate(&made, graph, 0) != 0)
        made = NULL;
    driver->graph_destroy(graph);
    return made;
}

static int capture_step(void *context)
{
    struct ewi_cuda *cuda = context;
    return ewi_cuda_launch(cuda, cuda->step, NULL);
}

static cu_graph_exec make_graph(struct ewi_cuda *cuda, int steps)
{
    if (cuda->host_boundaries || host_votes(cuda))
        return NULL;
    return ewi_cuda_capture(&cuda->driver, cuda->stream, steps, capture_step, cuda);
}

/*
 * Without graphs, or if making one fails, steps go launch by launch: slower on small meshes, but the same. Some drivers
 * have graphs, and launches that overlap, but not the one in the other.
 */
static void make_graphs(struct ewi_cuda *cuda)
{
    for (int k = 0; k < 2 && !cuda->graph; k++) {
        cuda->graph = make_graph(cuda, 1);
        cuda->early = cuda->early && (cuda->graph || cuda->host_boundaries);
    }
    cuda->graph_of_some = cuda->graph ? make_graph(cuda, EWI_CUDA_SOME_STEPS) : NULL;
    cuda->has_graphs = true;
}

int ewi_cuda_steps(struct ewi_cuda *cuda, int64_t count, ew_error *error)
{
    int status = EW_OK;
    if (!cuda->has_graphs)
        make_graphs(cuda);
    while (count > 0) {
        bool some = cuda->graph_of_some && count >= EWI_CUDA_SOME_STEPS;
        if (!cuda->graph)
            EWI_TRY(ewi_cuda_launch(cuda, cuda->step, error));
        else
            EWI_CUDA(cuda, cuda->driver.graph_launch(some ? cuda->graph_of_some : cuda->graph, cuda->stream),
                     "starting a step", error);
        count -= some ? EWI_CUDA_SOME_STEPS : 1;
    }
    EWI_TRY(ewi_cuda_launch(cuda, cuda->turn, error));
out:
    return status;
}

int ewi_cuda_make_steps(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    size_t a_stage = 14 + (size_t)plan->mesh->boundaries, most = 13 + a_stage * (size_t)(plan->scheme->stages + 1);
    cuda->launches = 0;
    cuda->launch = ewi_alloc(&cuda->host, most, sizeof *cuda->launch);
    if (!cuda->launch)
        return ewi_fail(error, EW_ENOMEM, "there is no memory for the list of kernels");
    cuda->early = cuda->driver.launch_with != NULL;
    return add_all(cuda, error);
}

void ewi_cuda_free_steps(struct ewi_cuda *cuda)
{
    if (cuda->graph)
        cuda->driver.graph_exec_destroy(cuda->graph);
    if (cuda->graph_of_some)
        cuda->driver.graph_exec_destroy(cuda->graph_of_some);
    ewi_free(&cuda->host, cuda->launch);
    cuda->graph = cuda->graph_of_some = NULL;
    cuda->launch = NULL;
}

/* ---- measuring ---- */

static void add_profile(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, double seconds,
                        ew_kernel_profile *kernel, int *kernels)
{
    const struct ewi_driver *driver = &cuda->driver;
    int blocks = 0, threads = 0, registers, local;
    struct ewi_work work = {0};
    if (!launch->minor)
        work = ewi_work_of(cuda->plan, launch->kind, launch->stage);
    ewi_profile_add(kernel, kernels, launch->kind, !launch->minor, seconds, work);
    if (!launch->function || launch->minor)
        return;
    ew_kernel_profile *entry = kernel;
    while (strcmp(entry->name, ewi_work_name(launch->kind)) != 0)
        entry++;
    if (driver->function_attribute(&registers, CU_FUNCTION_REGISTERS, launch->function) == 0)
        entry->registers = registers;
    if (driver->function_attribute(&local, CU_FUNCTION_LOCAL_BYTES, launch->function) == 0)
        entry->local_bytes = local;
    if (driver->occupancy && driver->occupancy(&blocks, launch->function, (int)launch->threads, launch->shared) == 0 &&
        driver->device_attribute(&threads, CU_DEVICE_THREADS_PER_MULTIPROCESSOR, cuda->device) == 0 && threads > 0)
        entry->occupancy = (double)blocks * launch->threads / threads;
}

int ewi_cuda_profile_step(struct ewi_cuda *cuda, ew_kernel_profile *kernel, int *kernels, ew_error *error)
{
    int status = EW_OK, launches = cuda->step.count, count = 2 * launches;
    struct ewi_cuda_launch *launch = cuda->launch + cuda->step.first;
    cu_event *event = ewi_alloc(&cuda->host, (size_t)count, sizeof *event);
    if (!event)
        return ewi_fail(error, EW_ENOMEM, "there is no memory to time %d kernels", launches);
    for (int k = 0; k < count; k++)
        EWI_CUDA(cuda, cuda->driver.event_create(&event[k], 0), "making an event", error);
    for (int k = 0; k < launches; k++) {
        EWI_CUDA(cuda, cuda->driver.event_record(event[2 * k], cuda->stream), "timing a kernel", error);
        EWI_TRY(launch_one(cuda, &launch[k], error));
        EWI_CUDA(cuda, cuda->driver.event_record(event[2 * k + 1], cuda->stream), "timing a kernel", error);
    }
    EWI_TRY(ewi_cuda_launch(cuda, cuda->turn, error));
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "stepping", error);
    for (int k = 0; k < launches; k++) {
        float milliseconds;
        EWI_CUDA(cuda, cuda->driver.event_elapsed(&milliseconds, event[2 * k], event[2 * k + 1]),
                 "timing a kernel", error);
        add_profile(cuda, &launch[k], 1e-3 * milliseconds, kernel, kernels);
    }
out:
    for (int k = 0; k < count; k++)
        if (event[k])
            cuda->driver.event_destroy(event[k]);
    ewi_free(&cuda->host, event);
    return status;
}
