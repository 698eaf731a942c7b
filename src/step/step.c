/* SPDX-License-Identifier: BSD-2-Clause */
/* From a scheme and its limiter to the list of operations, one by one, in the paper's order. */
#include "ewi_bed.h"
#include "ewi_step.h"

static struct ewi_operation *add(struct ewi_step *step, enum ewi_operation_kind kind, int source, int target)
{
    struct ewi_operation *operation = &step->operation[step->operations++];
    *operation = (struct ewi_operation){.kind = kind, .source = source, .target = target};
    return operation;
}

static void add_reduce(struct ewi_step *step, enum ewi_quantity quantity)
{
    add(step, EWI_OP_reduce, EWI_NO_REGISTER, EWI_NO_REGISTER)->quantity = quantity;
}

static void add_boundary(struct ewi_step *step, const struct ewi_sizes *sizes, double time,
                         enum ewi_quantity quantity)
{
    if (!sizes->time_dependent)
        return;
    struct ewi_operation *operation = add(step, EWI_OP_boundary, EWI_NO_REGISTER, EWI_NO_REGISTER);
    operation->time = time;
    operation->quantity = quantity;
}

static void add_exchange(struct ewi_step *step, const struct ewi_sizes *sizes, enum ewi_quantity quantity,
                         int target)
{
    if (sizes->divided)
        add(step, EWI_OP_exchange, target, target)->quantity = quantity;
}

/* The speeds of the state and of boundary data, of which the step's length follows. */
static void add_opening(struct ewi_step *step, const struct ewi_sizes *sizes)
{
    add(step, EWI_OP_speed, 0, EWI_NO_REGISTER);
    add_boundary(step, sizes, 0.0, EWI_QUANTITY_speed);
    add_reduce(step, EWI_QUANTITY_speed);
    add(step, EWI_OP_begin, EWI_NO_REGISTER, EWI_NO_REGISTER);
}

/* alpha follows from the state at the step's start, and holds for all of its stages. */
static void add_alpha(struct ewi_step *step, const struct ewi_sizes *sizes)
{
    if (!ewi_limiter_has_subcells(sizes->limiter))
        return;
    add(step, EWI_OP_sense, 0, EWI_NO_REGISTER);
    add_exchange(step, sizes, EWI_QUANTITY_own_alpha, EWI_NO_REGISTER);
    add(step, EWI_OP_alpha, EWI_NO_REGISTER, EWI_NO_REGISTER);
    add_exchange(step, sizes, EWI_QUANTITY_alpha, EWI_NO_REGISTER);
    add(step, EWI_OP_divide, EWI_NO_REGISTER, EWI_NO_REGISTER);
}

/* The boundary data must be those of `time`. */
static void add_rhs(struct ewi_step *step, const struct ewi_sizes *sizes, int source, double time, bool jump_sensor)
{
    if (ewi_has_sources(sizes))
        add(step, EWI_OP_source, source, EWI_NO_REGISTER)->time = time;
    if (jump_sensor)
        add(step, EWI_OP_jump_sensor, source, EWI_NO_REGISTER);
    add(step, EWI_OP_ghost, source, EWI_NO_REGISTER);
    add(step, EWI_OP_volume, source, EWI_NO_REGISTER);
    add(step, EWI_OP_surface, source, EWI_NO_REGISTER);
    add(step, EWI_OP_gather, source, EWI_NO_REGISTER);
}

/* The operations after which a stage may load a new state. */
static void add_limits(struct ewi_step *step, const struct ewi_sizes *sizes, bool last, int target)
{
    if (ewi_limiter_acts(sizes->limiter, last))
        add(step, EWI_OP_limit, target, target);
    if (sizes->positivity)
        add(step, EWI_OP_positivity, target, target);
}

static void add_stage(struct ewi_step *step, const struct ewi_sizes *sizes, int number, const double *weight)
{
    const struct ewi_stage *stage = &sizes->scheme->stage[number];
    int first = step->operations;
    bool last = number + 1 == sizes->scheme->stages, limits = ewi_limiter_acts(sizes->limiter, last);
    add_boundary(step, sizes, stage->time, EWI_QUANTITY_state);
    if (ewi_limiter_has_subcells(sizes->limiter))
        add(step, EWI_OP_subcells, stage->source, EWI_NO_REGISTER)->time = stage->time;
    if (sizes->outflow)
        add(step, EWI_OP_outflow, stage->source, EWI_NO_REGISTER)->weight = weight[number];
    add_rhs(step, sizes, stage->source, stage->time, limits && ewi_limiter_has_sensor(sizes->limiter));
    add(step, EWI_OP_update, stage->source, stage->target);
    if (limits && ewi_limiter_by_means(sizes->limiter))
        add_exchange(step, sizes, EWI_QUANTITY_means, stage->target);
    add_limits(step, sizes, last, stage->target);
    add_exchange(step, sizes, EWI_QUANTITY_state, stage->target);
    for (int k = first; k < step->operations; k++)
        step->operation[k].stage = number + 1;
}

static void add_stages(struct ewi_step *step, const struct ewi_sizes *sizes)
{
    double weight[EWI_MAX_STAGES];
    ewi_scheme_weights(sizes->scheme, weight);
    for (int k = 0; k < sizes->scheme->stages; k++)
        add_stage(step, sizes, k, weight);
}

static void add_step(struct ewi_step *step, const struct ewi_sizes *sizes)
{
    bool steady = sizes->watches_change;
    if (steady)
        add(step, EWI_OP_keep, 0, EWI_NO_REGISTER);
    if (sizes->levels == 1) {
        add_alpha(step, sizes);
        add_stages(step, sizes);
    } else {
        add(step, EWI_OP_instants, 0, 0);
    }
    if (steady) {
        add(step, EWI_OP_change, 0, EWI_NO_REGISTER);
        add_reduce(step, EWI_QUANTITY_change);
    }
    add(step, EWI_OP_end, EWI_NO_REGISTER, EWI_NO_REGISTER);
}

/* ---- levels of time steps (ewi_level_plan.h) ---- */

static void add_of(struct ewi_step *step, enum ewi_operation_kind kind, int source, int target, int elements)
{
    add(step, kind, source, target)->elements = elements;
}

/* Exchanges the ghost layer of the levels that a stage updates, or whose steps end. */
static void add_level_exchange(struct ewi_step *step, const struct ewi_sizes *sizes, enum ewi_quantity quantity,
                               int target, int elements)
{
    add_exchange(step, sizes, quantity, target);
    if (sizes->divided)
        step->operation[step->operations - 1].elements = elements;
}

/* alpha of elements whose steps begin. */
static void add_level_alpha(struct ewi_step *step, const struct ewi_sizes *sizes)
{
    int first = step->operations;
    add_alpha(step, sizes);
    for (int k = first; k < step->operations; k++)
        step->operation[k].elements = EWI_LIST_ACTIVE;
}

/* A new state waits for the end of its step; views, which have no step of their own, are limited with each stage. */
static void add_level_limits(struct ewi_step *step, const struct ewi_sizes *sizes, bool last, int target)
{
    bool limits = ewi_limiter_by_means(sizes->limiter);
    for (int elements = EWI_LIST_ACTIVE; elements <= EWI_LIST_VIEWS; elements++) {
        if (last && elements == EWI_LIST_ACTIVE)
            continue;
        if (limits)
            add_of(step, EWI_OP_limit, target, target, elements);
        if (sizes->positivity)
            add_of(step, EWI_OP_positivity, target, target, elements);
    }
}

static void add_level_stage(struct ewi_step *step, const struct ewi_sizes *sizes, int number, const double *weight)
{
    const struct ewi_scheme *scheme = sizes->scheme;
    const struct ewi_stage *stage = &scheme->stage[number];
    int first = step->operations, from = stage->source, none = EWI_NO_REGISTER;
    bool tries = ewi_level_tries(scheme, number), evaluates = ewi_level_evaluates(scheme, number);
    bool last = number + 1 == scheme->stages;
    if (tries)
        add_of(step, EWI_OP_trial, from, from, EWI_LIST_TRIALS);
    if (tries && sizes->positivity)
        add_of(step, EWI_OP_positivity, from, from, EWI_LIST_TRIALS);
    if (ewi_level_trials_need_rhs(scheme, number))
        add_level_exchange(step, sizes, EWI_QUANTITY_state, from, EWI_LIST_TRIALS);
    add_boundary(step, sizes, stage->time, EWI_QUANTITY_state);
    if (ewi_limiter_has_subcells(sizes->limiter))
        add_of(step, EWI_OP_subcells, from, none, EWI_LIST_ACTIVE);
    if (sizes->outflow) {
        add_of(step, EWI_OP_outflow, from, none, EWI_LIST_ACTIVE);
        step->operation[step->operations - 1].weight = weight[number];
    }
    if (ewi_has_sources(sizes))
        add_of(step, EWI_OP_source, from, none, EWI_LIST_ACTIVE);
    if (ewi_has_sources(sizes) && evaluates)
        add_of(step, EWI_OP_source, from, none, EWI_LIST_TRIALS);
    add_of(step, EWI_OP_ghost, from, none, EWI_LIST_ACTIVE);
    add_of(step, EWI_OP_volume, from, none, EWI_LIST_ACTIVE);
    add_of(step, EWI_OP_surface, from, none, EWI_LIST_ACTIVE);
    if (evaluates)
        add_of(step, EWI_OP_volume, from, none, EWI_LIST_TRIALS);
    if (tries)
        add_of(step, EWI_OP_surface, from, none, EWI_LIST_TRIALS);
    add_of(step, EWI_OP_gather, from, none, EWI_LIST_ACTIVE);
    add_of(step, EWI_OP_gather, from, none, EWI_LIST_VIEWS);
    if (tries)
        add_of(step, EWI_OP_gather, from, none, EWI_LIST_SUMS);
    if (evaluates)
        add_of(step, EWI_OP_gather, from, none, EWI_LIST_TRIALS);
    add_of(step, EWI_OP_update, from, stage->target, EWI_LIST_ACTIVE);
    add_of(step, EWI_OP_couple, from, stage->target, EWI_LIST_VIEWS);
    if (ewi_limiter_by_means(sizes->limiter))
        add_level_exchange(step, sizes, EWI_QUANTITY_means, stage->target, EWI_LIST_ACTIVE);
    add_level_limits(step, sizes, last, stage->target);
    if (!last)
        add_level_exchange(step, sizes, EWI_QUANTITY_state, stage->target, EWI_LIST_ACTIVE);
    for (int k = first; k < step->operations; k++) {
        step->operation[k].stage = number + 1;
        step->operation[k].time = stage->time;
    }
}

static void add_level_end(struct ewi_step *step, const struct ewi_sizes *sizes)
{
    bool limits = ewi_limiter_acts(sizes->limiter, true), sensor = limits && ewi_limiter_has_sensor(sizes->limiter);
    add_of(step, EWI_OP_close, 0, 0, EWI_LIST_ENDING);
    if (limits)
        add_level_exchange(step, sizes, sensor ? EWI_QUANTITY_state : EWI_QUANTITY_means, 0, EWI_LIST_ENDING);
    if (sensor)
        add_of(step, EWI_OP_jump_sensor, 0, EWI_NO_REGISTER, EWI_LIST_ENDING);
    if (limits)
        add_of(step, EWI_OP_limit, 0, 0, EWI_LIST_ENDING);
    if (sizes->positivity)
        add_of(step, EWI_OP_positivity, 0, 0, EWI_LIST_ENDING);
    add_of(step, EWI_OP_view, 0, 0, EWI_LIST_ENDING);
    add_level_exchange(step, sizes, EWI_QUANTITY_state, 0, EWI_LIST_ENDING);
}

static void add_instant(struct ewi_step *step, const struct ewi_sizes *sizes)
{
    const struct ewi_element_list list[] = {
        {"active", 0, 1, "active: the elements of levels whose steps begin at this instant"},
        {"views", 0, 1, "views: what active elements see of slower neighbours, and of themselves later"},
        {"trials", 0, 1, "trials: faster neighbours of active elements, as they would be after a longer step"},
        {"ending", 0, 1, "ending: the elements of levels whose steps end at the end of this instant"},
        {"interface", 0, 1, "interface: active elements with faster neighbours"},
        {"sums", 0, 1, "sums: interface elements, with the edges to their faster neighbours' trials"}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        step->list[step->lists++] = list[k];
    double weight[EWI_MAX_STAGES];
    ewi_scheme_weights(sizes->scheme, weight);
    add_level_alpha(step, sizes);
    if (ewi_bed_has(sizes->law))
        add_level_exchange(step, sizes, EWI_QUANTITY_room, 0, EWI_LIST_ACTIVE);
    for (int k = 0; k < sizes->scheme->stages; k++)
        add_level_stage(step, sizes, k, weight);
    add_level_end(step, sizes);
}

/* A set state has its ghost layer; limiting changes only the part's own elements. */
static void add_initial(struct ewi_step *step, const struct ewi_sizes *sizes)
{
    int first = step->operations;
    add_limits(step, sizes, false, 0);
    if (step->operations > first)
        add_exchange(step, sizes, EWI_QUANTITY_state, 0);
}

static struct ewi_operation_range range_from(const struct ewi_step *step, int first)
{
    return (struct ewi_operation_range){first, step->operations - first};
}

int ewi_step_add_list(struct ewi_step *step, const char *name, int first, int end)
{
    if (step->lists == EWI_MAX_ELEMENT_LISTS || end > EWI_MAX_CLASSES)
        return EWI_NO_LIST;
    step->list[step->lists] = (struct ewi_element_list){name, first, end, NULL};
    step->classes = end > step->classes ? end : step->classes;
    return step->lists++;
}

unsigned ewi_step_classes(const struct ewi_step *step, const struct ewi_operation *operation)
{
    const struct ewi_element_list *list = &step->list[operation->elements];
    int end = operation->elements == EWI_ALL_ELEMENTS ? step->classes : list->end;
    return (1u << end) - (1u << list->first);
}

bool ewi_step_has_last_class(const struct ewi_step *step, const struct ewi_operation *operation)
{
    return ewi_step_classes(step, operation) >> (step->classes - 1);
}

void ewi_step_make(const struct ewi_sizes *sizes, struct ewi_step *step)
{
    *step = (struct ewi_step){.operations = 0};
    ewi_step_add_list(step, "all", 0, 1);
    add_opening(step, sizes);
    step->opening = range_from(step, 0);
    add_step(step, sizes);
    step->step = range_from(step, 0);
    add_boundary(step, sizes, 0.0, EWI_QUANTITY_state);
    add_rhs(step, sizes, 0, 0.0, false);
    step->rhs = range_from(step, step->step.count);
    int first = step->operations;
    add_initial(step, sizes);
    step->initial = range_from(step, first);
    step->finalize = range_from(step, step->operations);
    if (sizes->levels != 1)
        add_instant(step, sizes);
    step->instant = range_from(step, step->finalize.first);
}
