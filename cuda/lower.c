/* SPDX-License-Identifier: BSD-2-Clause */
/* From a step's list of operations (src/step) to launches: which kernel, of what size, with which arguments. */
#include "ewi_bed.h"
#include "ewi_cuda_levels.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_part.h"
#include "ewi_text.h"

#include <stddef.h>
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

enum kernel {
    EVAL_SPEED, BEGIN_STEP, KEEP_STATE, EVAL_GIVEN, EVAL_GHOSTS, EVAL_SOURCE,
    EVAL_OUTFLOW,
    STAGE, PLAIN_STAGE, POSITIVE_STAGE, LIMITED_STAGE, LIMIT_ON_LOAD_STAGE,
    EVAL_VOLUME, EVAL_SURFACE, EVAL_RHS, UPDATE, SENSE_EDGES, FIND_OWN_ALPHA, FIND_ALPHA, LIST_DIVIDED,
    DIVIDE_ELEMENTS, TOUCHED_FLUXES, LIFT_VOLUMES, JUMP_SENSOR, LIMIT_C,
    MAKE_POSITIVE, TRY_STATES, COUPLE, FIND_ROOMS, SPREAD_MEANS, MOVE_VIEWS,
    EVAL_CHANGE, END_STEP, ADVANCE_CLOCK, PACK_INTERFACE, UNPACK_GHOSTS, SEND_INTERFACE, RECEIVE_GHOSTS, SEND_LEVELS,
    RECEIVE_LEVELS, ALL_REDUCE
};

#define ARGUMENT(of) sizeof(struct ewi_cuda_##of)
/*
 * of_set: in the module of the set's kernels, not in the common one; law, flux, limiter: _<law>, _<flux> and _<limiter>
 * come after its name.
 */
static const struct {
    const char *name;
    size_t bytes; /* of its argument */
    enum ewi_work_kind kind;
    const char *what;
    bool of_set, law, flux, limiter, minor;
    unsigned threads; /* of a block; 0: EWI_CUDA_BLOCK */
} kernel_of[] = {
    [EVAL_SPEED] = {"eval_speed", ARGUMENT(speed), EWI_WORK_time_step, "elements", .of_set = true, .law = true},
    [BEGIN_STEP] = {"begin_step", ARGUMENT(reduce), EWI_WORK_time_step, "blocks", .minor = true},
    [KEEP_STATE] = {"keep_state", ARGUMENT(change), EWI_WORK_time_step, "threads", .minor = true},
    [EVAL_GIVEN] = {"eval_given", ARGUMENT(given), EWI_WORK_boundary, "edge points", .law = true},
    [EVAL_GHOSTS] = {"eval_ghosts", ARGUMENT(ghosts), EWI_WORK_boundary, "edge points", .of_set = true, .law = true},
    [EVAL_SOURCE] = {"eval_source", ARGUMENT(sources), EWI_WORK_eval_source, "threads", .law = true,
                     .threads = EWI_CUDA_SOURCE_BLOCK},
    [EVAL_OUTFLOW] = {"eval_outflow", ARGUMENT(outflow), EWI_WORK_eval_outflow, "edges", .of_set = true, .law = true},
    [STAGE] = {"stage", ARGUMENT(stage), EWI_WORK_stage, "elements", .of_set = true, .law = true, .flux = true},
    [PLAIN_STAGE] = {"plain_stage", ARGUMENT(stage), EWI_WORK_stage, "elements", .of_set = true, .law = true,
                     .flux = true},
    [POSITIVE_STAGE] = {"positive_stage", ARGUMENT(stage), EWI_WORK_stage, "elements", .of_set = true, .law = true,
                        .flux = true},
    [LIMITED_STAGE] = {"limited_stage", ARGUMENT(stage), EWI_WORK_stage, "elements", .of_set = true, .law = true,
                       .flux = true, .limiter = true},
    [LIMIT_ON_LOAD_STAGE] = {"limit_on_load_stage", ARGUMENT(stage), EWI_WORK_stage, "elements", .of_set = true,
                             .law = true, .flux = true, .limiter = true},
    [EVAL_VOLUME] = {"eval_volume", ARGUMENT(integrals), EWI_WORK_eval_volume, "elements", .of_set = true, .law = true},
    [EVAL_SURFACE] = {"eval_surface", ARGUMENT(integrals), EWI_WORK_eval_surface, "edges", .of_set = true,
                      .law = true, .flux = true},
    [EVAL_RHS] = {"eval_rhs", ARGUMENT(integrals), EWI_WORK_eval_rhs, "elements", .of_set = true, .law = true},
    [UPDATE] = {"update", ARGUMENT(update), EWI_WORK_update, "elements", .of_set = true, .law = true},
    [SENSE_EDGES] = {"sense_edges", ARGUMENT(subcells), EWI_WORK_jump_sensor, "edges", .of_set = true, .law = true},
    [FIND_OWN_ALPHA] = {"find_own_alpha", ARGUMENT(subcells), EWI_WORK_jump_sensor, "elements", .minor = true},
    [FIND_ALPHA] = {"find_alpha", ARGUMENT(subcells), EWI_WORK_jump_sensor, "elements", .minor = true},
    [LIST_DIVIDED] = {"list_divided", ARGUMENT(subcells), EWI_WORK_jump_sensor, "edges", .minor = true},
    [DIVIDE_ELEMENTS] = {"divide_elements", ARGUMENT(subcells), EWI_WORK_subcells, "threads", .of_set = true,
                         .law = true},
    [TOUCHED_FLUXES] = {"touched_fluxes", ARGUMENT(subcells), EWI_WORK_subcells, "threads", .of_set = true,
                        .law = true, .minor = true},
    [LIFT_VOLUMES] = {"lift_volumes", ARGUMENT(subcells), EWI_WORK_subcells, "threads", .of_set = true, .law = true,
                      .minor = true},
    [JUMP_SENSOR] = {"jump_sensor", ARGUMENT(limit), EWI_WORK_jump_sensor, "edges", .of_set = true, .law = true,
                     .limiter = true},
    [LIMIT_C] = {"limit_c", ARGUMENT(limit), EWI_WORK_limit_c, "elements", .of_set = true, .law = true,
                 .limiter = true},
    [MAKE_POSITIVE] = {"make_positive", ARGUMENT(limit), EWI_WORK_positive, "elements", .of_set = true, .law = true},
    [TRY_STATES] = {"try_states", ARGUMENT(trials), EWI_WORK_update, "coefficients", .of_set = true, .law = true,
                    .minor = true},
    [COUPLE] = {"couple", ARGUMENT(couple), EWI_WORK_update, "coefficients", .of_set = true, .law = true,
                .minor = true},
    [FIND_ROOMS] = {"find_rooms", ARGUMENT(couple), EWI_WORK_update, "elements", .of_set = true, .law = true,
                    .minor = true},
    [SPREAD_MEANS] = {"spread_means", ARGUMENT(spread), EWI_WORK_update, "elements", .of_set = true, .law = true,
                      .minor = true},
    [MOVE_VIEWS] = {"move_views", ARGUMENT(views), EWI_WORK_update, "coefficients", .minor = true},
    [EVAL_CHANGE] = {"eval_change", ARGUMENT(change), EWI_WORK_time_step, "threads", .minor = true},
    [END_STEP] = {"end_step", ARGUMENT(reduce), EWI_WORK_time_step, "blocks", .minor = true},
    [ADVANCE_CLOCK] = {"advance_clock", ARGUMENT(reduce), EWI_WORK_time_step, "blocks", .minor = false},
    [PACK_INTERFACE] = {"pack_interface", ARGUMENT(interface), EWI_WORK_time_step, "coefficients", .minor = true},
    [UNPACK_GHOSTS] = {"unpack_ghosts", ARGUMENT(interface), EWI_WORK_time_step, "coefficients", .minor = true},
    [SEND_INTERFACE] = {"send_interface", ARGUMENT(interface), EWI_WORK_time_step, "coefficients", .minor = true},
    [RECEIVE_GHOSTS] = {"receive_ghosts", ARGUMENT(interface), EWI_WORK_time_step, "coefficients", .minor = true},
    [SEND_LEVELS] = {"send_levels", ARGUMENT(interface), EWI_WORK_time_step, "coefficients", .minor = true},
    [RECEIVE_LEVELS] = {"receive_levels", ARGUMENT(interface), EWI_WORK_time_step, "coefficients", .minor = true},
    [ALL_REDUCE] = {"all_reduce", ARGUMENT(all_reduce), EWI_WORK_time_step, "blocks", .minor = true},
};
#undef ARGUMENT

static void name_kernel(const struct ewi_plan *plan, enum kernel kernel, char *name)
{
    const char *part[] = {kernel_of[kernel].law ? plan->law->identifier : "",
                          kernel_of[kernel].flux ? ewi_flux_choice(plan->flux).name : "",
                          kernel_of[kernel].limiter ? plan->limiter->identifier : ""};
    int length = ewi_snprintf(name, EWI_CUDA_NAME, "%s", kernel_of[kernel].name);
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        if (part[k][0])
            length += ewi_snprintf(name + length, (size_t)(EWI_CUDA_NAME - length), "_%s", part[k]);
}

/* The launch's function: that of an earlier launch of the same kernel, since the driver takes long to find one. */
static int find_function(struct ewi_cuda *cuda, struct ewi_cuda_launch *launch, ew_error *error)
{
    for (const struct ewi_cuda_launch *before = cuda->launch; before < launch; before++)
        if (before->module == launch->module && strcmp(before->name, launch->name) == 0) {
            launch->function = before->function;
            return EW_OK;
        }
    return ewi_cuda_function(cuda, launch->module, launch->name, &launch->function, error);
}

/* Adds a launch to the list's end. */
static int add(struct ewi_cuda *cuda, enum kernel kernel, int64_t items, const union ewi_cuda_call *call,
               ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches];
    const struct ewi_cuda_code *code = cuda->code;
    const cu_module *paper = ewi_bed_has(plan->law) ? code->bed : code->order;
    cu_module of_set = cuda->fused ? code->stages[cuda->blocks.variant] : paper[plan->basis->order - 1];
    *launch = (struct ewi_cuda_launch){
        .group = -1,
        .kind = kernel_of[kernel].kind,
        .minor = kernel_of[kernel].minor,
        .stage = call->head.stage > 0 ? &plan->scheme->stage[call->head.stage - 1] : NULL,
        .items = items,
        .what = kernel_of[kernel].what,
        .blocks = (unsigned)((items + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK),
        .threads = kernel_of[kernel].threads ? kernel_of[kernel].threads : EWI_CUDA_BLOCK,
        .bytes = kernel_of[kernel].bytes,
        .call = *call,
    };
    launch->call.head.number = cuda->launches++;
    name_kernel(plan, kernel, launch->name);
    launch->module = kernel == EVAL_SOURCE ? cuda->sources : kernel_of[kernel].of_set ? of_set : code->common;
    return find_function(cuda, launch, error);
}

/* ---- arguments ---- */

static struct ewi_cuda_head head_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    return (struct ewi_cuda_head){
        .clock = ewi_cuda_at(cuda, EWI_ARRAY_CLOCK),
        .device_clock = ewi_cuda_at(cuda, EWI_ARRAY_DEVICE_CLOCK),
        .trail = (int64_t *)(uintptr_t)cuda->trail_on_device,
        .stage = operation->stage,
        .stages = cuda->levels ? INT32_MAX : cuda->plan->scheme->stages, /* of levels, no stage ends a step */
        .program = ewi_cuda_at(cuda, EWI_ARRAY_PROGRAM),
    };
}

/* The register that an operation reads, or writes; register 0 if it names none. */
static double *source_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    return state_register(cuda, operation->source > 0 ? operation->source : 0);
}

static double *target_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    return state_register(cuda, operation->target > 0 ? operation->target : 0);
}

/* ---- lists of elements ---- */

static bool is_listed(const struct ewi_operation *operation)
{
    return operation->elements != EWI_ALL_ELEMENTS;
}

/* Adds a kernel of a thread an item, of which there are `all` if the operation is of all elements. */
static int add_listed(struct ewi_cuda *cuda, const struct ewi_operation *operation, enum kernel kernel, int64_t all,
                      int items, union ewi_cuda_call *call, ew_error *error)
{
    const struct ewi_cuda_items *listed = &ewi_cuda_items_of(cuda, operation->elements)[items];
    if (!is_listed(operation))
        return all > 0 ? add(cuda, kernel, all, call, error) : EW_OK;
    call->listed.list = (const struct ewi_range *)(uintptr_t)listed->range;
    if (listed->blocks == 0)
        return EW_OK;
    int status = add(cuda, kernel, (int64_t)listed->blocks * EWI_CUDA_BLOCK, call, error);
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches - 1];
    launch->minor = launch->minor || !ewi_step_has_last_class(&cuda->list, operation);
    return status;
}

/* ---- what the host does at a place of the list ---- */

static bool is_callback(const struct ewi_plan *plan, const struct ewi_edge_group *group)
{
    const struct ewi_plan_boundary *boundary = group->boundary >= 0 ? &plan->boundary[group->boundary] : NULL;
    return boundary && group->padded > 0 && boundary->time_dependent && !boundary->state.formula;
}

static double callback_time(const struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch)
{
    return cuda->levels && launch->call.head.stage > 0
               ? ewi_cuda_level_time(cuda, launch->call.head.stage, cuda->levels->of->group[launch->group].level)
               : ewi_clock_stage_time(cuda->clock, launch->stage_time);
}

/* Edges of a boundary whose state is the host's callback: its time is on the device. */
static int evaluate_here(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    struct ewi_plan *plan = cuda->plan;
    const struct ewi_edge_group *group = &plan->grid->group[launch->group];
    double speed = 0.0;
    int status = ewi_cuda_sync_clock(cuda, error);
    if (status != EW_OK || cuda->clock->state != EWI_CLOCK_RUNNING ||
        (cuda->clock->stage != 0 && cuda->clock->stage != launch->call.head.stage))
        return status;
    if (!ewi_plan_evaluate_boundary(plan, group, group->first, group->padded, callback_time(cuda, launch), &speed)) {
        cuda->clock->stage = launch->call.head.stage;
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
    double t = ewi_clock_stage_time(cuda->clock, launch->stage_time), *floor = &cuda->clock->floor;
    *floor = plan->given_speed;
    for (int32_t g = 0; g < plan->grid->groups; g++)
        if (is_callback(plan, &plan->grid->group[g]))
            ewi_plan_evaluate_boundary(plan, &plan->grid->group[g], plan->grid->group[g].first,
                                       plan->grid->group[g].padded, t, floor);
    EWI_TRY(ewi_cuda_set_clock(cuda, cuda->clock, error));
    if (cuda->array[EWI_ARRAY_DEVICE_CLOCK])
        EWI_TRY(ewi_cuda_upload(cuda, EWI_ARRAY_DEVICE_CLOCK,
                                offsetof(struct ewi_cuda_device_clock, clock) + offsetof(struct ewi_clock, floor),
                                floor, sizeof *floor, error));
out:
    return status;
}

typedef int on_host_function(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error);

static struct ewi_cuda_launch *add_on_host(struct ewi_cuda *cuda, const struct ewi_operation *operation,
                                           const char *name, enum ewi_work_kind kind, on_host_function *on_host)
{
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches++];
    *launch = (struct ewi_cuda_launch){.group = -1,
                                       .kind = kind,
                                       .what = "edges",
                                       .on_host = on_host,
                                       .stage_time = operation->time,
                                       .call.head = head_of(cuda, operation)};
    ewi_snprintf(launch->name, sizeof launch->name, "%s", name);
    return launch;
}

bool ewi_cuda_waits_itself(const struct ewi_cuda *cuda, cu_function function)
{
    int version = 0;
    return cuda->driver.function_attribute(&version, CU_FUNCTION_PTX_VERSION, function) == 0 && version >= 90;
}

/* True if the host keeps the clock, as for a part that exchanges through it. */
static bool host_reduces(const struct ewi_cuda *cuda)
{
    return cuda->plan->part && !cuda->exchange.direct;
}

/* ---- updates ---- */

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
static void set_means(const struct ewi_cuda *cuda, const struct ewi_stage *stage, struct ewi_cuda_stage *call)
{
    call->mean_of_base = state_register(cuda, 0);
    for (int k = 0; k < stage->terms; k++)
        call->mean_of_term[k] = state_register(cuda, stage->term[k].from);
}

/* ---- maxima: of the speeds in register 0, a number for each block of eval_speed, or of a step's change ---- */

/* Where an operation leaves its maxima: behind those of other lists. */
static double *add_partials(struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    struct ewi_cuda_partials *partials = &cuda->partials;
    int64_t before = partials->of_lists ? partials->count : 0;
    partials->partial = partials->of_lists ? (double *)(uintptr_t)partials->of_lists
                                           : ewi_cuda_at(cuda, EWI_ARRAY_PARTIAL);
    partials->count = before + ewi_cuda_speed_blocks(cuda, operation);
    return partials->partial + before;
}

static double *change_partial(const struct ewi_cuda *cuda)
{
    return ewi_cuda_at(cuda, cuda->fused ? EWI_ARRAY_CHANGES : EWI_ARRAY_PARTIAL);
}

static int64_t change_partials(const struct ewi_cuda *cuda)
{
    return cuda->plan->watches_change ? change_blocks(cuda->plan) : 0;
}

/* In lists where a step's end finds the next step's length. */
static bool is_at_end(const struct ewi_operation *operation)
{
    return operation->stage == 0 && operation->time == 1.0;
}

/* ---- boundary data ---- */

/* Boundary data by callbacks, at a stage's time; of levels of time steps, those of active ones. */
static void add_callbacks(struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    const struct ewi_plan *plan = cuda->plan;
    for (int32_t g = 0; g < plan->grid->groups; g++) {
        bool active = !cuda->levels || operation->stage == 0 || cuda->levels->of->group[g].level <= cuda->levels->now;
        if (!active || !is_callback(plan, &plan->grid->group[g]))
            continue;
        struct ewi_cuda_launch *launch =
            add_on_host(cuda, operation, "callback", EWI_WORK_boundary, evaluate_here);
        launch->group = g;
        launch->stage = operation->stage > 0 ? &plan->scheme->stage[operation->stage - 1] : NULL;
    }
}

static struct ewi_cuda_given given_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    const struct ewi_arguments a = ewi_cuda_arguments(cuda);
    struct ewi_cuda_given given = {
        .head = head_of(cuda, operation),
        .ghost = ewi_cuda_at(cuda, EWI_ARRAY_GHOST),
        .normal = a.normal,
        .left = a.left,
        .volume_field = a.volume_field,
        .width_ratio = a.width_ratio,
        .boundary_slots = cuda->plan->grid->boundary_slots,
        .ne = cuda->plan->basis->ne,
        .code = ewi_cuda_at(cuda, EWI_ARRAY_CODE),
        .constant = ewi_cuda_at(cuda, EWI_ARRAY_CONSTANT),
        .raster = ewi_cuda_at(cuda, EWI_ARRAY_RASTER),
        .point = ewi_cuda_at(cuda, EWI_ARRAY_POINT),
        .given = ewi_cuda_at(cuda, cuda->fused ? EWI_ARRAY_GIVEN_NOW : EWI_ARRAY_GIVEN),
        .given_speed = operation->quantity == EWI_QUANTITY_speed,
    };
    memcpy(given.parameter, a.parameter, sizeof given.parameter);
    return given;
}

/*
 * Boundary data by formulas. Those of a whole step are evaluated at once, since a launch takes longer than the
 * evaluation; at the step's end, only for their speeds. Otherwise they go to their place among data that do not depend
 * on t.
 */
static int add_formulas(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    const struct ewi_scheme *scheme = cuda->plan->scheme;
    union ewi_cuda_call call = {.given = given_of(cuda, operation)};
    struct ewi_cuda_given *given = &call.given;
    if (!given->head.program)
        return EW_OK;
    if (cuda->levels && operation->stage > 0) {
        given->top = cuda->levels->now;
        given->steps = ewi_cuda_steps_of(cuda, EWI_CUDA_STEPS_OF_SLOTS);
    }
    for (int k = 0; operation->whole_step && !cuda->levels && k < scheme->stages; k++)
        given->given_time[given->given_times++] = scheme->stage[k].time;
    given->given_time[given->given_times++] = operation->whole_step ? 1.0 : operation->time;
    int status = add(cuda, EVAL_GIVEN, given->boundary_slots * given->ne * given->given_times, &call, error);
    cuda->launch[cuda->launches - 1].minor = given->given_speed && !operation->whole_step;
    return status;
}

static int lower_boundary(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    bool measures = operation->quantity == EWI_QUANTITY_speed;
    int status = operation->data == EWI_DATA_callbacks ? EW_OK : add_formulas(cuda, operation, error);
    if (operation->data == EWI_DATA_formulas || !cuda->plan->callbacks)
        return status;
    if (measures)
        add_on_host(cuda, operation, "callback", EWI_WORK_boundary, measure_here)->minor = true;
    else
        add_callbacks(cuda, operation);
    return status;
}

/* ---- parts ---- */

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static bool receives_on_load(const struct ewi_cuda *cuda)
{
    return ewi_step_on_load(&cuda->list) & EWI_OP_BIT(receive);
}

static struct ewi_cuda_interface interface_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    return (struct ewi_cuda_interface){
        .head = head_of(cuda, operation),
        .elements = cuda->plan->grid->elements,
        .variables = cuda->plan->variables,
        .np = cuda->plan->basis->np,
        .matrix = cuda->fused && EWI_FUSED_MATRIX(cuda->blocks.variant),
        .width = cuda->fused ? 0 : cuda->plan->width,
        .target = target_of(cuda, operation),
        .room = cuda->levels ? (double *)(uintptr_t)cuda->levels->room : NULL,
        .peers = cuda->exchange.peers,
    };
}

static int send_directly(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    union ewi_cuda_call call = {.interface = interface_of(cuda, operation)};
    int64_t sends = cuda->exchange.sends, drops = receives_on_load(cuda) ? cuda->exchange.receives : 0;
    int64_t elements = sends > drops ? sends : drops;
    call.interface.packs = sends;
    call.interface.peers.drops = drops;
    return elements > 0 ? add(cuda, SEND_INTERFACE, elements * cuda->plan->rows, &call, error) : EW_OK;
}

/* The kernel may start before the launch in front of it is done, where its code waits for that by itself. */
static void let_overlap(struct ewi_cuda *cuda)
{
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches - 1];
    launch->early = ewi_cuda_waits_itself(cuda, launch->function);
}

/* With levels of time steps, also if there are no elements, since others wait for word of that. */
static int exchange_levels(struct ewi_cuda *cuda, const struct ewi_operation *operation, enum kernel kernel,
                           ew_error *error)
{
    const struct ewi_cuda_messages *messages = ewi_cuda_messages_of(cuda, operation);
    union ewi_cuda_call call = {.interface = interface_of(cuda, operation)};
    bool sends = kernel == SEND_LEVELS;
    call.interface.list = sends ? messages->send_list : messages->receive_list;
    call.interface.packs = sends ? messages->sends : messages->receives;
    call.interface.received = ewi_cuda_at(cuda, EWI_ARRAY_RECEIVED);
    TRY(add(cuda, kernel, larger(call.interface.packs * cuda->plan->rows, cuda->exchange.peers.ranks), &call, error));
    cuda->launch[cuda->launches - 1].messages = messages;
    let_overlap(cuda);
    return EW_OK;
}

/* Through the hosts, for which it is not waited. */
static int send_by_host(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    const struct ewi_cuda_messages *messages = ewi_cuda_messages_of(cuda, operation);
    union ewi_cuda_call call = {.interface = interface_of(cuda, operation)};
    call.interface.list = messages->send_list;
    call.interface.packed = ewi_cuda_at(cuda, EWI_ARRAY_PACKED);
    call.interface.packs = messages->sends;
    if (messages->count == 0)
        return EW_OK;
    if (messages->sends > 0)
        TRY(add(cuda, PACK_INTERFACE, messages->sends * cuda->exchange.doubles, &call, error));
    struct ewi_cuda_launch *launch =
        add_on_host(cuda, operation, "send", EWI_WORK_time_step, ewi_cuda_send_interface);
    launch->minor = true;
    launch->messages = messages;
    return EW_OK;
}

static int lower_send(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    if (cuda->exchange.direct && cuda->levels)
        return exchange_levels(cuda, operation, SEND_LEVELS, error);
    return cuda->exchange.direct ? send_directly(cuda, operation, error) : send_by_host(cuda, operation, error);
}

static int receive_directly(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    union ewi_cuda_call call = {.interface = interface_of(cuda, operation)};
    call.interface.packs = cuda->exchange.receives;
    return call.interface.packs > 0 ? add(cuda, RECEIVE_GHOSTS, call.interface.packs * cuda->plan->rows, &call, error)
                                    : EW_OK;
}

static int receive_by_host(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    const struct ewi_cuda_messages *messages = ewi_cuda_messages_of(cuda, operation);
    union ewi_cuda_call call = {.interface = interface_of(cuda, operation)};
    int64_t doubles = cuda->exchange.doubles;
    struct ewi_cuda_launch *launch = add_on_host(cuda, operation, "exchange", EWI_WORK_time_step, ewi_cuda_exchange);
    launch->is_awaited = true;
    launch->messages = messages;
    call.interface.list = messages->receive_list;
    call.interface.packed = (double *)ewi_cuda_at(cuda, EWI_ARRAY_PACKED) + messages->sends * doubles;
    call.interface.packs = messages->receives;
    return messages->receives > 0 ? add(cuda, UNPACK_GHOSTS, messages->receives * doubles, &call, error) : EW_OK;
}

static int lower_receive(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    if (cuda->exchange.direct && cuda->levels)
        return exchange_levels(cuda, operation, RECEIVE_LEVELS, error);
    return cuda->exchange.direct ? receive_directly(cuda, operation, error) : receive_by_host(cuda, operation, error);
}

static int spread_ghosts(struct ewi_cuda *cuda, const struct ewi_operation *exchange, ew_error *error);

/* Exchanges a number of each element; NULL: the quantity is a state. */
static on_host_function *exchange_of(enum ewi_quantity quantity)
{
    switch (quantity) {
    case EWI_QUANTITY_own_alpha: return ewi_cuda_exchange_own_alpha;
    case EWI_QUANTITY_alpha: return ewi_cuda_exchange_alpha;
    case EWI_QUANTITY_room: return ewi_cuda_exchange_room;
    default: return NULL;
    }
}

static int lower_exchange(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    on_host_function *exchange = exchange_of(operation->quantity);
    if (exchange) {
        struct ewi_cuda_launch *launch =
            add_on_host(cuda, operation, "exchange of numbers", EWI_WORK_time_step, exchange);
        launch->is_awaited = launch->minor = true;
        launch->top = cuda->levels ? cuda->levels->now : 0;
        return EW_OK;
    }
    TRY(lower_send(cuda, operation, error));
    TRY(lower_receive(cuda, operation, error));
    return cuda->levels ? spread_ghosts(cuda, operation, error) : EW_OK;
}

/* The maxima of threads are the business of the kernels that find them; those of parts carry the change, too. */
static int lower_reduce(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    if (operation->quantity != EWI_QUANTITY_speed || !cuda->plan->part)
        return EW_OK;
    bool ends = is_at_end(operation);
    const union ewi_cuda_call call = {
        .all_reduce = {.head = head_of(cuda, operation),
                       .ends = ends,
                       .partial = ends ? change_partial(cuda) : cuda->partials.partial,
                       .partials = ends ? change_partials(cuda) : cuda->partials.count,
                       .peers = cuda->exchange.peers}};
    if (!cuda->exchange.direct) {
        struct ewi_cuda_launch *launch =
            add_on_host(cuda, operation, "all_reduce", EWI_WORK_time_step,
                        ends ? ewi_cuda_all_reduce_at_end : ewi_cuda_all_reduce_at_start);
        launch->is_awaited = true;
        launch->call = call;
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
    TRY(ewi_cuda_hold(cuda, launch->function, launch->threads, launch->shared, &most, error));
    launch->call.stage.grid = most < 1 ? 1 : most < launch->list_blocks ? (int32_t)most : launch->list_blocks;
    launch->blocks = (unsigned)launch->call.stage.grid;
    return EW_OK;
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

/* Levels: those of an instant. */
static struct blocks level_blocks(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    const struct ewi_scheme *scheme = cuda->plan->scheme;
    int number = operation->stage - 1, list = ewi_level_evaluates(scheme, number) ? EWI_CUDA_TRIALS
                                              : ewi_level_tries(scheme, number)   ? EWI_CUDA_SUMS
                                                                                  : EWI_CUDA_NO_TRIALS;
    return (struct blocks){cuda->levels->list[list].first, cuda->levels->list[list].end[cuda->levels->now]};
}

static struct blocks blocks_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    if (cuda->levels)
        return level_blocks(cuda, operation);
    const struct ewi_element_list *list = &cuda->list.list[operation->elements];
    int32_t first = list->first > 0 ? cuda->blocks.class_end[list->first - 1] : 0;
    return is_listed(operation) ? (struct blocks){first, cuda->blocks.class_end[list->end - 1] - first}
                                : (struct blocks){0, cuda->blocks.count};
}

/* True if steps need nothing that the kernels plain_stage lack (fused/stage_kernels.h). */
static bool has_plain_steps(const struct ewi_cuda *cuda)
{
    const struct ewi_plan *plan = cuda->plan;
    return !cuda->levels && !plan->part && !plan->positivity && !ewi_limiter_has_subcells(plan->limiter) &&
           !ewi_plan_replaces_traces(plan) && !EWI_FUSED_DIFFUSES(cuda->blocks.variant);
}

/*
 * True if eval_ghosts finds the states behind boundary edges, as it must where values of formulas are checked. On a
 * small mesh that launch takes longer than a stage that finds them itself.
 */
static bool has_ghosts_apart(const struct ewi_cuda *cuda)
{
    int variant = cuda->blocks.variant;
    return cuda->plan->instructions > 0 || !EWI_FUSED_FINDS_GHOSTS(variant) ||
           (has_plain_steps(cuda) && cuda->fills_device && !EWI_FUSED_FINDS_GHOSTS_IF_PLAIN(variant));
}

/* True if the kernel plain_stage has, or finds, the states behind all boundary edges. */
static bool takes_plain_stage(const struct ewi_cuda *cuda)
{
    return has_plain_steps(cuda) && (has_ghosts_apart(cuda) || cuda->plan->grid->boundary_slots == 0 ||
                                     EWI_FUSED_FINDS_GHOSTS_IF_PLAIN(cuda->blocks.variant));
}

static int add_blocks(struct ewi_cuda *cuda, const struct ewi_cuda_stage *stage, const struct ewi_operation *operation,
                      ew_error *error)
{
    union ewi_cuda_call call = {.stage = *stage};
    struct blocks blocks = blocks_of(cuda, operation);
    bool jump_sensor = (operation->on_load & EWI_OP_BIT(jump_sensor)) != 0;
    enum kernel kernel = jump_sensor               ? LIMITED_STAGE
                         : stage->limits_on_load   ? LIMIT_ON_LOAD_STAGE
                         : stage->positive         ? POSITIVE_STAGE
                         : takes_plain_stage(cuda) ? PLAIN_STAGE
                                                   : STAGE;
    if (blocks.count == 0)
        return EW_OK;
    call.stage.block += blocks.first;
    call.stage.blocks = blocks.count;
    TRY(add(cuda, kernel, stage->elements, &call, error));
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->launches - 1];
    launch->list_blocks = blocks.count;
    launch->threads = EWI_FUSED_THREADS(cuda->blocks.variant);
    launch->shared = (unsigned)ewi_cuda_shared_bytes(cuda->plan, &cuda->blocks, jump_sensor, stage->limits_on_load);
    launch->minor = !ewi_step_has_last_class(&cuda->list, operation);
    TRY(set_grid(cuda, launch, error));
    launch->early = ewi_cuda_waits_itself(cuda, launch->function);
    return EW_OK;
}

/* The arguments of an operation: only within steps, there are finite volumes. */
static struct ewi_arguments arguments_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    struct ewi_arguments a = ewi_cuda_arguments(cuda);
    if (operation->stage == 0)
        a.subcells = (struct ewi_subcells){.jumps = NULL};
    return a;
}

static struct ewi_cuda_stage stage_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    return (struct ewi_cuda_stage){
        .head = head_of(cuda, operation),
        .a = arguments_of(cuda, operation),
        .elements = cuda->plan->grid->elements,
        .state = source_of(cuda, operation),
        .rhs = ewi_cuda_at(cuda, EWI_ARRAY_RHS),
        .block = cuda->levels ? (const struct ewi_fused_block *)(uintptr_t)cuda->levels->blocks
                              : ewi_cuda_at(cuda, EWI_ARRAY_BLOCK),
        .edge = ewi_cuda_at(cuda, EWI_ARRAY_EDGE),
        .halo = ewi_cuda_at(cuda, EWI_ARRAY_HALO),
        .neighbours = ewi_cuda_at(cuda, EWI_ARRAY_BLOCK_NEIGHBOURS),
        .halo_neighbours = ewi_cuda_at(cuda, EWI_ARRAY_HALO_NEIGHBOURS),
        .table = ewi_cuda_at(cuda, EWI_ARRAY_TABLE),
        .shape = ewi_cuda_at(cuda, EWI_ARRAY_SHAPE),
        .ghosts = has_ghosts_apart(cuda) ? ewi_cuda_at(cuda, EWI_ARRAY_GHOSTS) : NULL,
        .ghost = ewi_cuda_at(cuda, EWI_ARRAY_GHOST),
        .replaces = ewi_plan_replaces_traces(cuda->plan),
        .sources = ewi_cuda_at(cuda, EWI_ARRAY_SOURCES),
        .halo_room = cuda->blocks.halo_room,
        .edge_room = cuda->blocks.edge_room,
        .prefetches = prefetches(cuda),
        .memory = ewi_cuda_memory(cuda->plan, &cuda->blocks),
    };
}

static void set_stage(const struct ewi_cuda *cuda, const struct ewi_operation *operation, struct ewi_cuda_stage *call)
{
    const struct ewi_stage *stage = &cuda->plan->scheme->stage[operation->stage - 1];
    call->target = target_of(cuda, operation);
    call->update = update_of(cuda, stage);
    call->ends = (operation->on_store & EWI_OP_BIT(speed)) != 0;
    call->positive = (operation->on_store & EWI_OP_BIT(positivity)) != 0;
    call->limits_on_load = (operation->on_load & EWI_OP_BIT(limit)) != 0;
    call->leaves_pending = operation->leaves_pending;
    if (cuda->array[EWI_ARRAY_BLOCK_NEIGHBOURS])
        set_means(cuda, stage, call);
    if (operation->stores_limited)
        call->limited = ewi_cuda_at(cuda, (enum ewi_cuda_array)(EWI_ARRAY_LIMITED + operation->source));
    if (operation->on_load & EWI_OP_BIT(receive)) {
        call->peers = cuda->exchange.peers;
        call->peers.interface_blocks = cuda->blocks.interface_blocks;
    }
}

/* The values that formulas give: one stage after the other. */
static double *given_now(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    const struct ewi_plan *plan = cuda->plan;
    double *given = ewi_cuda_at(cuda, EWI_ARRAY_GIVEN_NOW);
    size_t a_stage = (size_t)plan->grid->boundary_slots * (size_t)(plan->basis->ne * plan->variables);
    bool ahead = operation->stage > 0 && !cuda->levels; /* instants of levels have one stage's at a time */
    return given && ahead ? given + (size_t)(operation->stage - 1) * a_stage : given;
}

static int add_ghosts(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    union ewi_cuda_call call = {
        .ghosts = {.head = head_of(cuda, operation),
                   .a = ewi_cuda_arguments(cuda),
                   .boundary_slots = cuda->plan->grid->boundary_slots,
                   .ghost = ewi_cuda_at(cuda, EWI_ARRAY_GHOST),
                   .state = source_of(cuda, operation),
                   .given_now = given_now(cuda, operation),
                   .ghosts = ewi_cuda_at(cuda, EWI_ARRAY_GHOSTS),
                   .limits_on_load = (operation->on_load & EWI_OP_BIT(limit)) != 0,
                   .limiter = cuda->plan->limiter ? (int32_t)cuda->plan->limiter->number : 0}};
    int64_t points = call.ghosts.boundary_slots * cuda->plan->basis->ne;
    int before = cuda->launches;
    int status = add_listed(cuda, operation, EVAL_GHOSTS, points, EWI_CUDA_GHOST_POINTS, &call, error);
    if (status == EW_OK && cuda->launches > before)
        let_overlap(cuda);
    return status;
}

static int lower_ghost(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    return has_ghosts_apart(cuda) ? add_ghosts(cuda, operation, error) : EW_OK;
}

/* With levels, those of trials are the ghosts of edges that they alone have. */
static int add_all_ghosts(struct ewi_cuda *cuda, const struct ewi_operation *stage, ew_error *error)
{
    struct ewi_operation trials = *stage;
    trials.elements = EWI_LIST_TRIALS;
    TRY(add_ghosts(cuda, stage, error));
    bool tries = cuda->levels && ewi_level_evaluates(cuda->plan->scheme, stage->stage - 1);
    return tries ? add_ghosts(cuda, &trials, error) : EW_OK;
}

static void fill_sources(struct ewi_cuda *cuda, const struct ewi_operation *operation, union ewi_cuda_call *call)
{
    call->sources = (struct ewi_cuda_sources){
        .head = head_of(cuda, operation),
        .a = ewi_cuda_arguments(cuda),
        .state = source_of(cuda, operation),
        .sources = ewi_cuda_at(cuda, EWI_ARRAY_SOURCES),
        .time = operation->time,
        .steps = ewi_cuda_steps_of(cuda, EWI_CUDA_STEPS_OF_ELEMENTS),
    };
    if (operation->stage == 0)
        call->sources.steps.level = NULL;
    if (cuda->fused)
        call->sources.a.width = EWI_FUSED_MATRIX(cuda->blocks.variant) ? -1 : 0;
}

/* Sources of a stage of levels: of active elements, and of trials whose right-hand sides it evaluates. */
static int add_level_sources(struct ewi_cuda *cuda, const struct ewi_operation *stage, ew_error *error)
{
    struct ewi_operation source = *stage;
    bool evaluates = ewi_level_evaluates(cuda->plan->scheme, stage->stage - 1);
    for (int list = EWI_LIST_ACTIVE; list <= EWI_LIST_TRIALS; list++) {
        union ewi_cuda_call call;
        source.elements = list;
        if (list == EWI_LIST_VIEWS || (list == EWI_LIST_TRIALS && !evaluates))
            continue;
        fill_sources(cuda, &source, &call);
        int before = cuda->launches;
        TRY(add_listed(cuda, &source, EVAL_SOURCE, 0, EWI_CUDA_ELEMENTS, &call, error));
        if (cuda->launches > before)
            let_overlap(cuda);
    }
    return EW_OK;
}

static int lower_stage(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    struct ewi_cuda_stage call = stage_of(cuda, operation);
    if (operation->stage > 0)
        set_stage(cuda, operation, &call);
    else /* one right-hand side is a stage that keeps it, and has no target */
        call.update = (struct ewi_update){.keep = ewi_cuda_at(cuda, ewi_cuda_rhs_array(cuda)), .base = call.state};
    if (has_ghosts_apart(cuda) && operation->on_load & EWI_OP_BIT(ghost))
        TRY(add_all_ghosts(cuda, operation, error));
    if (cuda->levels && operation->on_load & EWI_OP_BIT(ghost) && operation->on_load & EWI_OP_BIT(source))
        TRY(add_level_sources(cuda, operation, error));
    return add_blocks(cuda, &call, operation, error);
}

/* ---- operations that are a kernel ---- */

static void fill_speed(struct ewi_cuda *cuda, const struct ewi_operation *operation, union ewi_cuda_call *call)
{
    call->speed = (struct ewi_cuda_speed){
        .head = head_of(cuda, operation),
        .a = ewi_cuda_arguments(cuda),
        .elements = ewi_cuda_moving(cuda),
        .state = source_of(cuda, operation),
        .partial = is_at_end(operation) ? NULL : add_partials(cuda, operation),
        .ends = is_at_end(operation) && cuda->levels,
    };
}

static void fill_integrals(struct ewi_cuda *cuda, const struct ewi_operation *operation, union ewi_cuda_call *call)
{
    bool only_edges = cuda->levels && (operation->elements == EWI_LIST_VIEWS || operation->elements == EWI_LIST_SUMS);
    call->integrals = (struct ewi_cuda_integrals){
        .head = head_of(cuda, operation),
        .a = arguments_of(cuda, operation),
        .slots = cuda->plan->grid->slots,
        .boundary_slots = cuda->plan->grid->boundary_slots,
        .ghost = ewi_cuda_at(cuda, EWI_ARRAY_GHOST),
        .state = source_of(cuda, operation),
        .sources = ewi_cuda_at(cuda, EWI_ARRAY_SOURCES),
        .rhs_volume = only_edges ? ewi_cuda_zeros(cuda) : ewi_cuda_at(cuda, EWI_ARRAY_RHS),
        .rhs_surface = ewi_cuda_at(cuda, EWI_ARRAY_RHS_SURFACE),
        .rhs = ewi_cuda_at(cuda, EWI_ARRAY_RHS),
        .right_offset = (int64_t)ewi_plan_slot_doubles(cuda->plan),
    };
    if (!only_edges)
        return;
    call->integrals.a.source.program.length = 0;
    call->integrals.a.sponge = NULL;
}

static void fill_outflow(struct ewi_cuda *cuda, const struct ewi_operation *operation, union ewi_cuda_call *call)
{
    call->outflow = (struct ewi_cuda_outflow){
        .head = head_of(cuda, operation),
        .a = arguments_of(cuda, operation),
        .boundary_slots = cuda->plan->grid->boundary_slots,
        .ghost = ewi_cuda_at(cuda, EWI_ARRAY_GHOST),
        .state = source_of(cuda, operation),
        .given_now = given_now(cuda, operation),
        .weight = operation->weight,
        .outflow = ewi_cuda_at(cuda, EWI_ARRAY_OUTFLOW),
        .top = cuda->levels ? cuda->levels->now : 0,
        .steps = ewi_cuda_steps_of(cuda, EWI_CUDA_STEPS_OF_OWN_SLOTS),
    };
}

static void fill_update(struct ewi_cuda *cuda, const struct ewi_operation *operation, union ewi_cuda_call *call)
{
    call->update = (struct ewi_cuda_update){
        .head = head_of(cuda, operation),
        .a = ewi_cuda_arguments(cuda),
        .elements = cuda->plan->grid->elements,
        .rhs = ewi_cuda_at(cuda, EWI_ARRAY_RHS),
        .target = target_of(cuda, operation),
        .update = update_of(cuda, &cuda->plan->scheme->stage[operation->stage - 1]),
        .kind = cuda->levels ? (const uint8_t *)(uintptr_t)cuda->levels->kind : NULL,
        .steps = ewi_cuda_steps_of(cuda, EWI_CUDA_STEPS_OF_ELEMENTS),
    };
}

static void fill_limit(struct ewi_cuda *cuda, const struct ewi_operation *operation, union ewi_cuda_call *call)
{
    call->limit = (struct ewi_cuda_limit){
        .head = head_of(cuda, operation),
        .a = arguments_of(cuda, operation),
        .slots = cuda->plan->grid->slots,
        .boundary_slots = cuda->plan->grid->boundary_slots,
        .state = source_of(cuda, operation),
        .target = target_of(cuda, operation),
        .sensor = ewi_cuda_at(cuda, EWI_ARRAY_SENSOR),
        .positive = (operation->on_store & EWI_OP_BIT(positivity)) != 0,
        .steps = ewi_cuda_steps_of(cuda, EWI_CUDA_STEPS_OF_ELEMENTS),
    };
    if (cuda->levels)
        call->limit.a.side_slot = (const int32_t *)(uintptr_t)cuda->levels->edge_slot;
}

static void fill_change(struct ewi_cuda *cuda, const struct ewi_operation *operation, union ewi_cuda_call *call)
{
    call->change = (struct ewi_cuda_change){
        .head = head_of(cuda, operation),
        .state = source_of(cuda, operation),
        .before = ewi_cuda_at(cuda, EWI_ARRAY_BEFORE),
        .doubles = cuda->levels ? (int64_t)ewi_cuda_moving(cuda) * cuda->plan->rows
                                : (int64_t)ewi_plan_state_doubles(cuda->plan),
        .partial = change_partial(cuda),
        .partials = change_partials(cuda),
    };
}

/* The items of which each has a thread of the kernel. */
enum items { ELEMENTS, PADDED_ELEMENTS, SOURCE_THREADS, SLOTS, BOUNDARY_SLOTS, CHANGE_THREADS };

static int64_t items_of(const struct ewi_cuda *cuda, enum items items)
{
    const struct ewi_grid *grid = cuda->plan->grid;
    switch (items) {
    case ELEMENTS: return ewi_cuda_moving(cuda);
    case PADDED_ELEMENTS: return grid->padded;
    case SOURCE_THREADS: return grid->padded * (EWI_CUDA_BLOCK / EWI_CUDA_SOURCE_ELEMENTS);
    case SLOTS: return grid->slots;
    case BOUNDARY_SLOTS: return grid->boundary_slots;
    default: return change_blocks(cuda->plan) * EWI_CUDA_BLOCK;
    }
}

static const struct {
    enum kernel kernel;
    enum items items;
    void (*fill)(struct ewi_cuda *cuda, const struct ewi_operation *operation, union ewi_cuda_call *call);
} kernel_for[EWI_OP_COUNT] = {
    [EWI_OP_speed] = {EVAL_SPEED, ELEMENTS, fill_speed},
    [EWI_OP_source] = {EVAL_SOURCE, SOURCE_THREADS, fill_sources},
    [EWI_OP_outflow] = {EVAL_OUTFLOW, BOUNDARY_SLOTS, fill_outflow},
    [EWI_OP_volume] = {EVAL_VOLUME, PADDED_ELEMENTS, fill_integrals},
    [EWI_OP_surface] = {EVAL_SURFACE, SLOTS, fill_integrals},
    [EWI_OP_gather] = {EVAL_RHS, PADDED_ELEMENTS, fill_integrals},
    [EWI_OP_update] = {UPDATE, PADDED_ELEMENTS, fill_update},
    [EWI_OP_jump_sensor] = {JUMP_SENSOR, SLOTS, fill_limit},
    [EWI_OP_limit] = {LIMIT_C, PADDED_ELEMENTS, fill_limit},
    [EWI_OP_positivity] = {MAKE_POSITIVE, PADDED_ELEMENTS, fill_limit},
    [EWI_OP_keep] = {KEEP_STATE, CHANGE_THREADS, fill_change},
    [EWI_OP_change] = {EVAL_CHANGE, CHANGE_THREADS, fill_change},
};

static int lower_kernel(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    enum ewi_operation_kind kind = operation->kind;
    int before = cuda->launches;
    bool waits = kind == EWI_OP_limit || kind == EWI_OP_source || kind == EWI_OP_outflow;
    union ewi_cuda_call call;
    kernel_for[kind].fill(cuda, operation, &call);
    int status = add_listed(cuda, operation, kernel_for[kind].kernel, items_of(cuda, kernel_for[kind].items),
                            kernel_for[kind].items == SLOTS ? EWI_CUDA_SLOTS : EWI_CUDA_ELEMENTS, &call, error);
    if (status == EW_OK && cuda->launches > before && cuda->fused && waits)
        let_overlap(cuda);
    return status;
}

/* ---- the limiter subcell ---- */

/* Threads that take turns with the items of a list, which are few. */
enum { LIST_THREADS = 1024 * EWI_CUDA_BLOCK };

static union ewi_cuda_call subcells_of(const struct ewi_cuda *cuda, const struct ewi_operation *operation,
                                       int64_t items)
{
    const struct ewi_cuda_levels *levels = cuda->levels;
    int64_t blocks = (items + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK;
    union ewi_cuda_call call = {.subcells = {.head = head_of(cuda, operation),
                                             .a = ewi_cuda_arguments(cuda),
                                             .elements = cuda->plan->grid->elements,
                                             .connected = cuda->plan->grid->connected,
                                             .slots = levels ? levels->of->none : cuda->plan->grid->slots,
                                             .threads = blocks * EWI_CUDA_BLOCK,
                                             .order = cuda->plan->basis->order,
                                             .state = source_of(cuda, operation),
                                             .given_now = given_now(cuda, operation)}};
    if (levels) {
        call.subcells.top = levels->now;
        call.subcells.kind = (const uint8_t *)(uintptr_t)levels->kind;
        call.subcells.level = (const uint8_t *)(uintptr_t)levels->level;
        call.subcells.original = (const int32_t *)(uintptr_t)levels->original;
    }
    return call;
}

static int add_subcells(struct ewi_cuda *cuda, const struct ewi_operation *operation, enum kernel kernel, int64_t items,
                        ew_error *error)
{
    const union ewi_cuda_call call = subcells_of(cuda, operation, items);
    return add(cuda, kernel, items, &call, error);
}

/* With levels, of active elements or edges only: alpha of an element takes all of its sides into account. */
static int add_sensed(struct ewi_cuda *cuda, const struct ewi_operation *operation, enum kernel kernel, int64_t all,
                      int items, ew_error *error)
{
    const struct ewi_cuda_items *listed = &ewi_cuda_items_of(cuda, operation->elements)[items];
    union ewi_cuda_call call =
        subcells_of(cuda, operation, cuda->levels ? (int64_t)listed->blocks * EWI_CUDA_BLOCK : all);
    if (cuda->levels) {
        call.subcells.a.side_slot = (const int32_t *)(uintptr_t)cuda->levels->edge_slot;
        call.subcells.a.neighbour = (const int32_t *)(uintptr_t)cuda->levels->alpha_neighbour;
    }
    return add_listed(cuda, operation, kernel, all, items, &call, error);
}

static int64_t list_threads(int64_t items) { return items < LIST_THREADS ? items : LIST_THREADS; }

static int lower_sense(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    TRY(add_sensed(cuda, operation, SENSE_EDGES, cuda->plan->grid->slots, EWI_CUDA_SLOTS, error));
    return add_sensed(cuda, operation, FIND_OWN_ALPHA, cuda->plan->grid->elements, EWI_CUDA_ELEMENTS, error);
}

static int lower_alpha(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    return add_sensed(cuda, operation, FIND_ALPHA, cuda->plan->grid->padded, EWI_CUDA_ELEMENTS, error);
}

static int lower_divide(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    const struct ewi_grid *grid = cuda->plan->grid;
    int64_t elements = cuda->levels ? grid->padded : grid->connected;
    return add_subcells(cuda, operation, LIST_DIVIDED, larger(grid->slots, elements), error);
}

static int lower_subcells(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    const struct ewi_grid *grid = cuda->plan->grid;
    int64_t blocks = (grid->connected + EWI_CUDA_LANES - 1) / EWI_CUDA_LANES;
    TRY(add_subcells(cuda, operation, DIVIDE_ELEMENTS, list_threads(EWI_CUDA_BLOCK * blocks), error));
    TRY(add_subcells(cuda, operation, TOUCHED_FLUXES, list_threads(cuda->plan->basis->ne * grid->slots), error));
    return add_subcells(cuda, operation, LIFT_VOLUMES, list_threads(cuda->plan->variables * grid->connected), error);
}

/* ---- levels of time steps ---- */

static int lower_trial(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    union ewi_cuda_call call = {.trials = ewi_cuda_trials_of(cuda, operation)};
    int64_t elements = call.trials.elements - call.trials.first;
    call.head = head_of(cuda, operation);
    if (elements == 0)
        return EW_OK;
    TRY(add(cuda, TRY_STATES, elements * cuda->plan->basis->np, &call, error));
    let_overlap(cuda);
    return EW_OK;
}

/* Copies new means to all registers: limiters of active neighbours read them while these elements are not active. */
static int add_spread(struct ewi_cuda *cuda, const struct ewi_operation *operation,
                      const struct ewi_cuda_items *listed, ew_error *error)
{
    union ewi_cuda_call call = {.spread = {.head = head_of(cuda, operation), .width = cuda->plan->width,
                                           .padded = cuda->plan->padded,
                                           .registers = cuda->plan->scheme->registers}};
    if (listed->blocks == 0)
        return EW_OK;
    for (int k = 0; k < cuda->plan->scheme->registers; k++)
        call.spread.state[k] = state_register(cuda, k);
    call.spread.list = (const struct ewi_range *)(uintptr_t)listed->range;
    TRY(add(cuda, SPREAD_MEANS, (int64_t)listed->blocks * EWI_CUDA_BLOCK, &call, error));
    let_overlap(cuda);
    return EW_OK;
}

/* The last stage's means of the ghost layer, once they have come. */
static int spread_ghosts(struct ewi_cuda *cuda, const struct ewi_operation *exchange, ew_error *error)
{
    return exchange->quantity == EWI_QUANTITY_means && exchange->stage == cuda->plan->scheme->stages
               ? add_spread(cuda, exchange, &cuda->levels->ghosts[cuda->levels->now], error)
               : EW_OK;
}

static int lower_couple(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    int32_t elements;
    union ewi_cuda_call call = {.couple = ewi_cuda_couple_of(cuda, operation, &elements)};
    bool last = operation->stage == cuda->plan->scheme->stages;
    call.head = head_of(cuda, operation);
    if (elements > 0) {
        TRY(add(cuda, COUPLE, elements / EWI_TILE * (int64_t)EWI_CUDA_BLOCK, &call, error));
        let_overlap(cuda);
    }
    return last && ewi_limiter_by_means(cuda->plan->limiter)
               ? add_spread(cuda, operation, &cuda->levels->means[cuda->levels->now], error)
               : EW_OK;
}

/* operation: NULL at the start of an instant. */
static int add_rooms(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    union ewi_cuda_call call = {.couple = ewi_cuda_rooms_of(cuda, operation)};
    const struct ewi_operation start = {.kind = EWI_OP_couple};
    call.head = head_of(cuda, operation ? operation : &start);
    return call.couple.elements > 0 ? add(cuda, FIND_ROOMS, call.couple.elements, &call, error) : EW_OK;
}

/* Over a bed, views that are settled say how much water edges may take, and so do elements' own states by then. */
static int lower_positivity(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    TRY(lower_kernel(cuda, operation, error));
    bool settled = operation->stage > 0 && operation->elements == EWI_LIST_VIEWS;
    return settled && cuda->levels && cuda->levels->room ? add_rooms(cuda, operation, error) : EW_OK;
}

/* With levels, the kernel runs over all boundary slots and skips those of inactive levels and of trials. */
static int lower_outflow(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    struct ewi_operation all = *operation;
    all.elements = EWI_ALL_ELEMENTS;
    return lower_kernel(cuda, &all, error);
}

/* At the end of a step of levels, no stage has found the jumps. */
static int lower_limit(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    union ewi_cuda_call call;
    fill_limit(cuda, operation, &call);
    if (cuda->levels && operation->on_load & EWI_OP_BIT(jump_sensor))
        TRY(add_listed(cuda, operation, JUMP_SENSOR, 0, EWI_CUDA_SLOTS, &call, error));
    return lower_kernel(cuda, operation, error);
}

static int move_views(struct ewi_cuda *cuda, const struct ewi_operation *operation, bool back, ew_error *error)
{
    union ewi_cuda_call call = {.views = ewi_cuda_views_of(cuda, back)};
    call.head = head_of(cuda, operation);
    if (call.views.elements == 0)
        return EW_OK;
    TRY(add(cuda, MOVE_VIEWS, (int64_t)call.views.elements * cuda->plan->rows, &call, error));
    let_overlap(cuda);
    return EW_OK;
}

static int lower_close(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    return ewi_cuda_closes_early(cuda) ? EW_OK : move_views(cuda, operation, false, error);
}

/* Without a limiter or positivity, new states come from the views and equal them. */
static int lower_view(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    return ewi_cuda_closes_early(cuda) ? EW_OK : move_views(cuda, operation, true, error);
}

static int lower_instants(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    (void)error;
    add_on_host(cuda, operation, "instants", EWI_WORK_stage, ewi_cuda_launch_instants)->is_awaited = true;
    return EW_OK;
}

/* ---- the clock ---- */

/* True if a kernel advances the fused set's clock at the end of each step, and not the next step's first kernel. */
static bool advances_clock_each_step(const struct ewi_cuda *cuda)
{
    return cuda->plan->watches_change || cuda->plan->callbacks;
}

static int add_advance_clock(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_operation end = {.kind = EWI_OP_end, .time = 1.0};
    const union ewi_cuda_call call = {
        .reduce = {head_of(cuda, &end), change_partial(cuda), change_partials(cuda)}};
    return add(cuda, ADVANCE_CLOCK, 1, &call, error);
}

static int lower_begin(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    const union ewi_cuda_call call = {
        .reduce = {head_of(cuda, operation), cuda->partials.partial, cuda->partials.count}};
    cuda->partials.count = 0;
    if (host_reduces(cuda))
        return EW_OK;
    if (!is_at_end(operation))
        return add(cuda, BEGIN_STEP, 1, &call, error);
    return advances_clock_each_step(cuda) ? add_advance_clock(cuda, error) : EW_OK;
}

/* True if a step ends with the opening of the next one: in the fused set, and in parts. */
static bool opens_next(const struct ewi_cuda *cuda)
{
    return cuda->fused || cuda->plan->part;
}

/* The opening of the next step also ends this one. */
static int lower_end(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    const union ewi_cuda_call call = {
        .reduce = {head_of(cuda, operation), change_partial(cuda), change_partials(cuda)}};
    return opens_next(cuda) ? EW_OK : add(cuda, END_STEP, 1, &call, error);
}

/* ---- the whole list ---- */

/* The others are a kernel (kernel_for). */
static int (*const lower[EWI_OP_COUNT])(struct ewi_cuda *cuda, const struct ewi_operation *operation,
                                        ew_error *error) = {
    [EWI_OP_boundary] = lower_boundary,
    [EWI_OP_reduce] = lower_reduce,
    [EWI_OP_begin] = lower_begin,
    [EWI_OP_sense] = lower_sense,
    [EWI_OP_alpha] = lower_alpha,
    [EWI_OP_divide] = lower_divide,
    [EWI_OP_subcells] = lower_subcells,
    [EWI_OP_ghost] = lower_ghost,
    [EWI_OP_stage] = lower_stage,
    [EWI_OP_exchange] = lower_exchange,
    [EWI_OP_instants] = lower_instants,
    [EWI_OP_trial] = lower_trial,
    [EWI_OP_couple] = lower_couple,
    [EWI_OP_limit] = lower_limit,
    [EWI_OP_positivity] = lower_positivity,
    [EWI_OP_outflow] = lower_outflow,
    [EWI_OP_close] = lower_close,
    [EWI_OP_view] = lower_view,
    [EWI_OP_send] = lower_send,
    [EWI_OP_receive] = lower_receive,
    [EWI_OP_end] = lower_end,
};

static int lower_operation(struct ewi_cuda *cuda, const struct ewi_operation *operation, ew_error *error)
{
    return (lower[operation->kind] ? lower[operation->kind] : lower_kernel)(cuda, operation, error);
}

/* *range: the launches that these operations become. */
static int lower_range(struct ewi_cuda *cuda, struct ewi_operation_range operations, struct ewi_cuda_range *range,
                       ew_error *error)
{
    int status = EW_OK, first = cuda->launches;
    for (int k = operations.first; status == EW_OK && k < operations.first + operations.count; k++)
        status = lower_operation(cuda, &cuda->list.operation[k], error);
    *range = (struct ewi_cuda_range){first, cuda->launches - first};
    return status;
}

/* Marks the first kernel of a step, which begins it. Earlier launches run on the host, or copy the state. */
static void mark_begin(struct ewi_cuda *cuda)
{
    struct ewi_cuda_launch *launch = &cuda->launch[cuda->step.first + cuda->plan->watches_change];
    while (!launch->function && launch->on_host != ewi_cuda_launch_instants)
        launch++;
    if (!launch->function)
        launch = &cuda->launch[cuda->levels->stages[cuda->levels->of->levels - 1].first];
    while (!launch->function)
        launch++;
    launch->call.head.begins = cuda->fused;
}

/* Where a step does not end with the opening of the next one, it begins with its own. */
static int lower_step(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_step *list = &cuda->list;
    struct ewi_operation_range rest = list->step;
    TRY(lower_range(cuda, list->opening, &cuda->speed, error));
    if (opens_next(cuda)) {
        cuda->opening = cuda->speed;
    } else {
        rest.first += list->opening.count;
        rest.count -= list->opening.count;
    }
    TRY(lower_range(cuda, rest, &cuda->step, error));
    if (!opens_next(cuda))
        cuda->step = (struct ewi_cuda_range){cuda->speed.first, cuda->launches - cuda->speed.first};
    mark_begin(cuda);
    return EW_OK;
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
        cuda->launch[k].call.head.finalizes = finalizes;
    return status;
}

/* Over a bed, a launch comes before them. */
static int lower_stages(struct ewi_cuda *cuda, struct ewi_operation_range stages, struct ewi_cuda_range *range,
                        ew_error *error)
{
    int first = cuda->launches;
    if (cuda->levels->room)
        TRY(add_rooms(cuda, NULL, error));
    TRY(lower_range(cuda, stages, range, error));
    *range = (struct ewi_cuda_range){first, cuda->launches - first};
    return EW_OK;
}

/* Lowers an instant's stages once for each highest active level, and its end once for each highest level that ends. */
static int lower_instant(struct ewi_cuda *cuda, ew_error *error)
{
    struct ewi_operation_range stages = cuda->list.instant, end = stages;
    while (stages.count > 0 && cuda->list.operation[stages.first + stages.count - 1].stage == 0)
        stages.count--;
    end.first += stages.count;
    end.count -= stages.count;
    for (int k = 0; cuda->levels && k < cuda->levels->of->levels; k++) {
        cuda->levels->now = k;
        TRY(lower_stages(cuda, stages, &cuda->levels->stages[k], error));
        TRY(lower_range(cuda, end, &cuda->levels->end[k], error));
    }
    return EW_OK;
}

static int lower_all(struct ewi_cuda *cuda, ew_error *error)
{
    TRY(lower_instant(cuda, error));
    TRY(lower_step(cuda, error));
    TRY(lower_range(cuda, cuda->list.rhs, &cuda->integrals, error));
    cuda->integrals.count--;
    cuda->sum = (struct ewi_cuda_range){cuda->launches - 1, 1};
    TRY(lower_range(cuda, cuda->list.initial, &cuda->limit, error));
    return lower_finalize(cuda, error);
}

/* Why the backend cannot do an operation; NULL if it can. */
static const char *why_not(const struct ewi_cuda *cuda, const struct ewi_operation *operation)
{
    if (operation->kind == EWI_OP_ghost && !cuda->fused)
        return "the kernels \"edgewise\" make ghost states with fluxes";
    if (cuda->levels && operation->elements > EWI_LIST_SUMS)
        return "levels of time steps have lists of their own";
    if (is_listed(operation) && cuda->exchange.direct && !cuda->levels)
        return "GPUs that reach each other step all elements of a part at once";
    if (is_listed(operation) && operation->kind == EWI_OP_speed && cuda->plan->part)
        return "parts reduce the speeds of all elements at once";
    return NULL;
}

/* A list that is not the backend's own. */
static int check_list(const struct ewi_cuda *cuda, ew_error *error)
{
    for (int k = 0; k < cuda->list.operations; k++) {
        const char *why = why_not(cuda, &cuda->list.operation[k]);
        if (why)
            return ewi_step_refuse(&cuda->list, k, why, error);
    }
    return ewi_step_check(&cuda->plan->sizes, &cuda->list, error);
}

/* Through the hosts, a part's interface goes ahead; where GPUs reach each other, one launch does both. */
static int make_list(struct ewi_cuda *cuda, ew_error *error)
{
    struct ewi_fusion fusion = {.next_step = opens_next(cuda)};
    if (cuda->fused)
        fusion = ewi_blocks_fusion(&cuda->plan->sizes);
    fusion.sends = cuda->exchange.direct;
    fusion.overlaps = cuda->fused && host_reduces(cuda) && cuda->blocks.interface_blocks > 0 &&
                      cuda->blocks.interface_blocks < cuda->blocks.count;
    ewi_step_make_fused(&cuda->plan->sizes, &fusion, &cuda->list);
    if (cuda->rewrite) {
        cuda->rewrite(&cuda->list);
        TRY(check_list(cuda, error));
        if (!cuda->levels)
            TRY(ewi_cuda_make_items(cuda, error));
    }
    return EW_OK;
}

/* Launches of an operation; a stage of levels has two of ghosts, two of sources, and itself. */
enum { MOST_LAUNCHES = 5 };

int ewi_cuda_make_steps(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    cuda->launches = 0;
    TRY(make_list(cuda, error));
    size_t most = 2 + MOST_LAUNCHES * (size_t)(cuda->list.operations + plan->levels * cuda->list.instant.count) +
                  (size_t)plan->levels;
    for (int k = 0; k < cuda->list.operations; k++)
        most += cuda->list.operation[k].kind == EWI_OP_boundary ? (size_t)(plan->levels * plan->grid->groups) : 0;
    cuda->launch = ewi_alloc(&cuda->host, most, sizeof *cuda->launch);
    if (!cuda->launch)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the list of kernels");
    cuda->early = cuda->driver.launch_with != NULL;
    return lower_all(cuda, error);
}
