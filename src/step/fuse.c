/* SPDX-License-Identifier: BSD-2-Clause */
/* Fuses the operations of a step for one kernel. Each function makes one change to the list; results stay the same. */
#include "ewi_step.h"

#include <string.h>

enum {
    OF_A_STAGE = EWI_OP_BIT(jump_sensor) | EWI_OP_BIT(ghost) | EWI_OP_BIT(volume) | EWI_OP_BIT(surface) |
                 EWI_OP_BIT(gather) | EWI_OP_BIT(update)
};

/* The operations that become one with the others of their stage. */
static unsigned of_a_stage(const struct ewi_fusion *fusion)
{
    return OF_A_STAGE | (fusion->sources ? EWI_OP_BIT(source) : 0);
}

static bool is_one_of(const struct ewi_operation *operation, unsigned kinds)
{
    return kinds >> operation->kind & 1;
}

static void append(struct ewi_step *step, const struct ewi_operation *operation)
{
    step->operation[step->operations++] = *operation;
}

static void insert(struct ewi_step *step, int at, const struct ewi_operation *operation)
{
    memmove(&step->operation[at + 1], &step->operation[at],
            (size_t)(step->operations++ - at) * sizeof *step->operation);
    step->operation[at] = *operation;
}

static void drop(struct ewi_step *step, int at)
{
    memmove(&step->operation[at], &step->operation[at + 1],
            (size_t)(--step->operations - at) * sizeof *step->operation);
}

static void drop_all(struct ewi_step *step, int first, unsigned kinds)
{
    for (int k = step->operations - 1; k >= first; k--)
        if (is_one_of(&step->operation[k], kinds))
            drop(step, k);
}

/* ---- within a stage ---- */

/* Number k takes operations of these kinds that follow it. */
static void take_next(struct ewi_step *step, int k, unsigned kinds)
{
    while (k + 1 < step->operations && is_one_of(&step->operation[k + 1], kinds)) {
        step->operation[k].on_store |= 1u << step->operation[k + 1].kind | step->operation[k + 1].on_store;
        drop(step, k + 1);
    }
}

/* The kernels of limiters make states positive, too, and those of fluxes make ghost states. */
static void fuse_pairs(struct ewi_step *step, int first)
{
    for (int k = first; k < step->operations; k++)
        if (step->operation[k].kind == EWI_OP_limit)
            take_next(step, k, EWI_OP_BIT(positivity));
}

static void fuse_ghosts(struct ewi_step *step, int first)
{
    drop_all(step, first, EWI_OP_BIT(ghost));
    for (int k = first; k < step->operations; k++)
        if (step->operation[k].kind == EWI_OP_surface)
            step->operation[k].on_load |= EWI_OP_BIT(ghost);
}

/* Number k and those of its stage that follow it become one. */
static void fuse_stage(struct ewi_step *step, int k, const struct ewi_fusion *fusion)
{
    struct ewi_operation *stage = &step->operation[k];
    unsigned taken = 1u << stage->kind;
    stage->kind = EWI_OP_stage;
    while (k + 1 < step->operations && is_one_of(&stage[1], of_a_stage(fusion)) && stage[1].stage == stage->stage) {
        taken |= 1u << stage[1].kind;
        if (stage[1].kind == EWI_OP_source)
            stage->time = stage[1].time;
        stage->target = stage[1].target;
        drop(step, k + 1);
    }
    stage->on_load = taken & (EWI_OP_BIT(source) | EWI_OP_BIT(jump_sensor) | EWI_OP_BIT(ghost));
    bool limits = fusion->limits || (taken & EWI_OP_BIT(jump_sensor));
    take_next(step, k, EWI_OP_BIT(positivity) | (limits ? EWI_OP_BIT(limit) : 0));
}

static void fuse_stages(struct ewi_step *step, int first, const struct ewi_fusion *fusion)
{
    for (int k = first; k < step->operations; k++)
        if (is_one_of(&step->operation[k], of_a_stage(fusion)))
            fuse_stage(step, k, fusion);
}

/*
 * Where the next step begins with its speed, that is known then, unless it also depends on points; the first step has
 * to find it.
 */
static void fuse_speed(struct ewi_step *step, int first, const struct ewi_sizes *sizes, const struct ewi_fusion *fusion)
{
    if (fusion->next_step && !(fusion->of_means && sizes->preserves_order))
        drop_all(step, first, EWI_OP_BIT(speed));
    int last = step->operations - 1;
    while (step->operation[last].kind != EWI_OP_stage)
        last--;
    step->operation[last].on_store |= EWI_OP_BIT(speed);
}

/*
 * Levels: a stage is one kernel for elements without faster neighbours, with positivity unless a limiter comes before
 * it. Of interface elements, views, trials and sums it evaluates right-hand sides. The limiter at a step's end has its
 * jump sensor.
 */
static void fuse_level_stages(struct ewi_step *step, int first, const struct ewi_sizes *sizes)
{
    unsigned taken = EWI_OP_BIT(source) | EWI_OP_BIT(volume) | EWI_OP_BIT(surface) | EWI_OP_BIT(gather);
    bool sources = ewi_has_sources(sizes);
    drop_all(step, first, taken | EWI_OP_BIT(jump_sensor));
    for (int k = first, stage = first; k < step->operations; k++) {
        struct ewi_operation *operation = &step->operation[k];
        if (operation->kind == EWI_OP_update) {
            stage = k;
            operation->kind = EWI_OP_stage;
            operation->on_load = EWI_OP_BIT(ghost) | (sources ? EWI_OP_BIT(source) : 0);
        }
        if (operation->kind == EWI_OP_positivity && operation->elements == EWI_LIST_ACTIVE) {
            operation->elements = EWI_LIST_INTERFACE;
            step->operation[stage].on_store |= EWI_OP_BIT(positivity);
        }
        if (operation->kind == EWI_OP_limit && operation->elements == EWI_LIST_ENDING &&
            ewi_limiter_has_sensor(sizes->limiter))
            operation->on_load |= EWI_OP_BIT(jump_sensor);
    }
}

/* ---- limiters that wait for neighbours' means ---- */

/* Nothing may come after the limiter, and each stage alone must load what the one before has stored. */
static bool can_limit_on_load(const struct ewi_sizes *sizes)
{
    const struct ewi_stage *stage = sizes->scheme->stage;
    bool can = ewi_limiter_by_means(sizes->limiter) && !sizes->positivity &&
               !sizes->divided && !ewi_has_sources(sizes) && !sizes->outflow;
    for (int k = 1; k < sizes->scheme->stages; k++)
        can = can && stage[k].source != 0 && stage[k].source == stage[k - 1].target;
    return can;
}

/* True if another stage needs the source of stage `number`, too, while it holds this state. */
static bool is_needed_again(const struct ewi_scheme *scheme, int number)
{
    int source = scheme->stage[number].source;
    if (source == 0)
        return true; /* all stages start from it */
    for (int k = number + 1; k < scheme->stages && scheme->stage[k - 1].target != source; k++)
        for (int x = 0; x < scheme->stage[k].terms; x++)
            if (scheme->stage[k].term[x].from == source && scheme->stage[k].source != source)
                return true;
    return false;
}

/* A steady state is looked for in limited states: those of a step's end. */
static void limit_on_load(struct ewi_step *step, int first, const struct ewi_sizes *sizes)
{
    bool pends = !sizes->watches_change;
    int stages = sizes->scheme->stages;
    for (int k = step->operations - 1; k >= first; k--) {
        struct ewi_operation *operation = &step->operation[k];
        if (operation->kind == EWI_OP_limit && (operation->stage < stages || pends))
            drop(step, k);
        if (operation->kind != EWI_OP_stage)
            continue;
        operation->leaves_pending = operation->stage == stages && pends;
        if (operation->stage == 1 && !pends)
            continue;
        operation->on_load |= EWI_OP_BIT(limit);
        operation->stores_limited = is_needed_again(sizes->scheme, operation->stage - 1);
    }
}

/* ---- parts ---- */

/* Only where no other operation looks at the ghost layer. */
static bool stages_can_send(const struct ewi_step *step, int first)
{
    for (int k = first; k < step->operations; k++)
        if (is_one_of(&step->operation[k],
                      EWI_OP_BIT(limit) | EWI_OP_BIT(keep) | EWI_OP_BIT(sense) | EWI_OP_BIT(subcells)))
            return false;
    return true;
}

static void fuse_exchange(struct ewi_step *step, int first)
{
    for (int k = first; k < step->operations; k++)
        if (step->operation[k].kind == EWI_OP_stage) {
            step->operation[k].on_load |= EWI_OP_BIT(receive);
            take_next(step, k, EWI_OP_BIT(exchange));
        }
}

/*
 * A stage and its exchange: the interface, which is sent while the interior is made; then the ghost layer. Ghost states
 * of both are an operation before. Without room for both lists, a stage stays one operation.
 */
static void overlap_exchange(struct ewi_step *step, int first)
{
    int of_interface = ewi_step_add_list(step, "interface", 0, 1);
    int of_interior = ewi_step_add_list(step, "interior", 1, 2);
    if (of_interface == EWI_NO_LIST || of_interior == EWI_NO_LIST)
        return;
    for (int k = first; k + 1 < step->operations; k++) {
        const struct ewi_operation stage = step->operation[k], exchange = step->operation[k + 1];
        if (stage.kind != EWI_OP_stage || exchange.kind != EWI_OP_exchange)
            continue;
        const struct ewi_operation ghost = {.kind = EWI_OP_ghost, .source = stage.source, .target = EWI_NO_REGISTER,
                                            .stage = stage.stage, .on_load = stage.on_load & EWI_OP_BIT(limit)};
        struct ewi_operation interface = stage, send = exchange, receive = exchange;
        interface.on_load &= ~EWI_OP_BIT(ghost);
        struct ewi_operation interior = interface;
        interface.elements = of_interface;
        interior.elements = of_interior;
        send.kind = EWI_OP_send;
        receive.kind = EWI_OP_receive;
        const struct ewi_operation made[5] = {ghost, interface, send, interior, receive};
        for (int more = 0; more < 3; more++)
            insert(step, k, &ghost);
        memcpy(step->operation + k, made, sizeof made);
        k += 4;
    }
}

/* ---- boundary data ---- */

/* Formulas: once a step. What callbacks give is asked for at each time. */
static void fuse_data(struct ewi_step *step, int first, const struct ewi_sizes *sizes)
{
    const struct ewi_operation all = {.kind = EWI_OP_boundary, .source = EWI_NO_REGISTER, .target = EWI_NO_REGISTER,
                                      .quantity = EWI_QUANTITY_speed, .data = EWI_DATA_formulas, .whole_step = true};
    for (int k = first; k < step->operations; k++)
        step->operation[k].data = EWI_DATA_callbacks;
    if (!sizes->callbacks)
        drop_all(step, first, EWI_OP_BIT(boundary));
    if (sizes->instructions > 0)
        insert(step, first + (step->operation[first].kind == EWI_OP_keep), &all);
}

/* ---- the whole list ---- */

/* A stage's target after which there is nothing but an exchange. */
static void mark_complete(struct ewi_step *step, int first)
{
    for (int k = first; k < step->operations; k++) {
        struct ewi_operation *stage = &step->operation[k];
        stage->completes = stage->kind == EWI_OP_stage;
        for (int n = k + 1; n < step->operations && step->operation[n].stage == stage->stage; n++)
            if (is_one_of(&step->operation[n], EWI_OP_BIT(limit) | EWI_OP_BIT(positivity)))
                stage->completes = false;
    }
}

static struct ewi_operation_range copy_range(struct ewi_step *fused, const struct ewi_step *step,
                                             struct ewi_operation_range range, const struct ewi_fusion *fusion)
{
    int first = fused->operations;
    for (int k = range.first; k < range.first + range.count; k++)
        append(fused, &step->operation[k]);
    fuse_pairs(fused, first);
    if (fusion->stages)
        fuse_stages(fused, first, fusion);
    else
        fuse_ghosts(fused, first);
    return (struct ewi_operation_range){first, fused->operations - first};
}

/* The opening of the next step, after the end of this one: finds its length before the time advances. */
static void append_opening(struct ewi_step *fused, const struct ewi_step *step)
{
    const struct ewi_operation end = fused->operation[--fused->operations];
    for (int k = step->opening.first; k < step->opening.first + step->opening.count; k++) {
        struct ewi_operation next = step->operation[k];
        next.time = 1.0;
        if (next.kind == EWI_OP_begin)
            append(fused, &end);
        append(fused, &next);
    }
}

static void fuse_step(struct ewi_step *fused, const struct ewi_step *step, const struct ewi_sizes *sizes,
                      const struct ewi_fusion *fusion)
{
    struct ewi_operation_range range = step->step;
    if (fusion->next_step) {
        range.first += step->opening.count;
        range.count -= step->opening.count;
    }
    int first = copy_range(fused, step, range, fusion).first;
    if (fusion->next_step)
        append_opening(fused, step);
    if (fusion->limits_on_load && can_limit_on_load(sizes))
        limit_on_load(fused, first, sizes);
    if (fusion->speed && sizes->levels == 1) /* the stages of levels are those of their instants */
        fuse_speed(fused, first, sizes, fusion);
    if (fusion->sends && stages_can_send(fused, first))
        fuse_exchange(fused, first);
    else if (fusion->overlaps)
        overlap_exchange(fused, first);
    if (fusion->data_ahead)
        fuse_data(fused, first, sizes);
    mark_complete(fused, first);
    fused->step = (struct ewi_operation_range){first, fused->operations - first};
}

unsigned ewi_step_on_load(const struct ewi_step *step)
{
    unsigned kinds = 0;
    for (int k = step->step.first; k < step->step.first + step->step.count; k++)
        kinds |= step->operation[k].on_load;
    return kinds;
}

static bool is_left_pending(const struct ewi_step *step)
{
    bool pending = false;
    for (int k = step->step.first; k < step->step.first + step->step.count; k++)
        pending = pending || step->operation[k].leaves_pending;
    return pending;
}

/* Where stages find the ghost layer where it arrives: before the first step, and for one right-hand side. */
static void supply_ghost_layer(struct ewi_step *fused, struct ewi_operation_range *range, enum ewi_operation_kind kind)
{
    const struct ewi_operation state = {.kind = kind, .quantity = EWI_QUANTITY_state};
    insert(fused, range->first, &state);
    range->count++;
}

void ewi_step_fuse(const struct ewi_sizes *sizes, const struct ewi_step *step, const struct ewi_fusion *fusion,
                   struct ewi_step *fused)
{
    const struct ewi_operation limit = {.kind = EWI_OP_limit};
    *fused = (struct ewi_step){.classes = step->classes, .lists = step->lists};
    memcpy(fused->list, step->list, sizeof fused->list);
    if (fusion->next_step)
        fused->opening = copy_range(fused, step, step->opening, fusion);
    else
        fused->opening = step->opening; /* which each step begins with */
    fuse_step(fused, step, sizes, fusion);
    bool sends = ewi_step_on_load(fused) & EWI_OP_BIT(receive);
    if (sends) {
        supply_ghost_layer(fused, &fused->opening, EWI_OP_send);
        fused->step.first++;
    }
    fused->rhs = copy_range(fused, step, step->rhs, fusion);
    if (sends)
        supply_ghost_layer(fused, &fused->rhs, EWI_OP_exchange);
    fused->initial = copy_range(fused, step, step->initial, fusion);
    fused->instant = copy_range(fused, step, step->instant, &(struct ewi_fusion){.stages = false});
    if (fusion->stages)
        fuse_level_stages(fused, fused->instant.first, sizes);
    fused->instant.count = fused->operations - fused->instant.first;
    fused->finalize.first = fused->operations;
    if (is_left_pending(fused)) {
        append(fused, &limit);
        fused->finalize.count = 1;
    }
}

void ewi_step_make_fused(const struct ewi_sizes *sizes, const struct ewi_fusion *fusion, struct ewi_step *step)
{
    struct ewi_step plain;
    ewi_step_make(sizes, &plain);
    ewi_step_fuse(sizes, &plain, fusion, step);
}


bool ewi_step_stores_limited(const struct ewi_step *step, int source)
{
    for (int k = step->step.first; k < step->step.first + step->step.count; k++)
        if (step->operation[k].stores_limited && step->operation[k].source == source)
            return true;
    return false;
}
