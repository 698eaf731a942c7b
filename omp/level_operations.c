/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of an instant of levels of time steps; ewi_level_operations.h says what the other functions do. */
#include "ewi_level_operations.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_level_subcells.h"
#include "ewi_plan.h"
#include "ewi_step_parameter.h"

/* ---- creation ---- */

int ewi_level_operations_create(struct ewi_omp *omp, ew_error *error)
{
    omp->whole = omp->plan;
    if (omp->plan->levels == 1)
        return EW_OK;
    TRY(ewi_level_plan_create(omp->whole, (struct ewi_level_room){EWI_TILE, EWI_TILE, EWI_CHUNK}, &omp->levels, error));
    omp->plan = omp->levels->plan;
    omp->whole_state = ewi_alloc(&omp->host, ewi_plan_state_doubles(omp->whole), sizeof(double));
    if (omp->whole->part)
        TRY(ewi_level_exchange_create(omp->whole, omp->levels, &omp->level_exchange, error));
    if (!omp->whole_state || !ewi_level_steps_create(&omp->level_steps, omp->levels, omp->level))
        return ewi_fail(error, EW_ENOMEM, "not enough memory for levels of time steps");
    return EW_OK;
}

int ewi_level_operations_tile(struct ewi_omp *omp, ew_error *error)
{
    struct ewi_tile_list list = {0, NULL};
    int status = ewi_level_tiles_create(omp->levels, omp->kernels->tile, ewi_team_size(omp->team), &omp->level_tiles,
                                        &list, error);
    if (status == EW_OK)
        status = ewi_tiles_create(omp->plan, omp->kernels, omp->team, &list, &omp->tiles, error);
    ewi_free(&omp->host, list.first);
    return status;
}

void ewi_level_clear_sources(struct ewi_omp *omp)
{
    int64_t rows = omp->plan->rows;
    for (int64_t i = omp->levels->moving; omp->sources && i < omp->plan->padded; i += EWI_TILE) {
        int64_t own = ewi_source_of(&omp->arguments, i);
        for (int64_t k = own * rows; own >= 0 && k < (own + EWI_TILE) * rows; k++)
            omp->sources[k] = -0.0;
    }
}

/* ---- data of boundaries, and sources ---- */

/* The time of an operation's stage in level k. */
static double level_time_of(const struct ewi_worker *worker, const struct ewi_operation *operation, int k)
{
    const struct ewi_level_steps *steps = &worker->omp->level_steps;
    double shortest = ewi_level_step(steps, worker->now.macro, 0);
    double begin = worker->clock.time + (double)worker->instant * shortest;
    return begin + operation->time * ewi_level_step(steps, worker->now.macro, k);
}

/*
 * The data of boundaries of active levels that depend on time, each level at its own times. Returns the bits of the
 * largest speed or, if data are not admissible, EWI_INADMISSIBLE minus the lowest level where they are not.
 */
static uint64_t evaluate_groups(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_plan *plan = worker->omp->plan;
    const struct ewi_level_plan *levels = worker->omp->levels;
    double own = 0.0;
    int failed = EW_MAX_STEP_LEVELS;
    for (int32_t g = 0; g < plan->grid->groups; g++) {
        const struct ewi_edge_group *group = &plan->grid->group[g];
        int level = levels->group[g].level;
        if (group->boundary < 0 || group->padded == 0 || !plan->boundary[group->boundary].time_dependent ||
            level > worker->now.top)
            continue;
        if (!ewi_evaluate_own_slots(worker, group, level_time_of(worker, operation, level), &own) && level < failed)
            failed = level;
    }
    return failed < EW_MAX_STEP_LEVELS ? (uint64_t)EWI_INADMISSIBLE - (uint64_t)failed : ewi_bits_of(own);
}

/* The first stage has what was evaluated for the length of its step. */
static void evaluate_boundaries(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    if (operation->stage > 1 || worker->instant > 0)
        ewi_take_given(worker, ewi_largest_of_all(worker, evaluate_groups(worker, operation)));
}

/* Each active level at its own time. */
static void evaluate_sources(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    enum ewi_level_kind kind = operation->elements == EWI_LIST_ACTIVE      ? EWI_LEVEL_OWN
                               : operation->elements == EWI_LIST_INTERFACE ? EWI_LEVEL_INTERFACE
                                                                           : EWI_LEVEL_TRIAL;
    for (int k = 0; k <= worker->now.top; k++)
        ewi_paper_source(&worker->paper, &omp->levels->level[k].list[kind], omp->state[operation->source],
                         level_time_of(worker, operation, k), omp->sources);
}

/* Waits, since boundary data and registers change after it. */
static void evaluate_outflow(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    for (int k = 0; k <= worker->now.top; k++)
        ewi_paper_outflow(&worker->paper, &omp->levels->level[k].boundary, omp->state[operation->source],
                          operation->weight * ewi_level_step(&omp->level_steps, worker->now.macro, k), omp->outflow);
    ewi_team_wait(worker->thread);
}

/* ---- stages ---- */

/* The traces of elements on the borders of tiles. Does not wait. */
static void make_borders(struct ewi_worker *worker, const struct ewi_listed *of, int source)
{
    const struct ewi_omp *omp = worker->omp;
#pragma omp for schedule(static) nowait
    for (int32_t n = 0; n < of->elements.count; n++)
        omp->kernels->border(&omp->arguments, &omp->tiles, omp->state[source], omp->level_border[source],
                             of->elements.range[n].first, of->elements.range[n].last);
}

/*
 * Makes the border traces that a stage reads and that do not exist yet. Limiters by means store those of all elements
 * that they limit; without such a limiter, stages store those of elements without faster neighbours. Views have new
 * states after each step.
 */
static void know_level_border(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    const struct ewi_level *top = &omp->levels->level[worker->now.top];
    int source = operation->source;
    bool known = worker->known.border_of == omp->state[source], limited = known && omp->tiles.due;
    if (!limited)
        make_borders(worker, known ? &top->coupled_active : &top->active, source);
    if (!limited || operation->stage == 1)
        make_borders(worker, &top->views, source);
    if (ewi_level_tries(omp->plan->scheme, operation->stage - 1))
        make_borders(worker, &top->trials, source);
    make_borders(worker, &top->ghosts, source);
    ewi_team_wait(worker->thread);
}

/* The right-hand side of a tile's elements, with their volume integrals. */
static void whole_rhs(struct ewi_worker *worker, const struct ewi_operation *operation,
                      const struct ewi_level_tile *tile)
{
    struct ewi_omp *omp = worker->omp;
    const struct ewi_limiting none = {.limiter = NULL};
    const struct ewi_update update = {.step = 1.0, .base = omp->rhs,
                                      .time = level_time_of(worker, operation, tile->level)};
    int64_t rows = omp->plan->rows, first = omp->tiles.first[tile->number], last = omp->tiles.first[tile->number + 1];
    for (int64_t k = first * rows; k < last * rows; k++)
        omp->rhs[k] = -0.0; /* leaves every sum unchanged, even one that is -0 */
    omp->kernels->stage(&omp->arguments, &omp->tiles, omp->state[operation->source],
                        omp->level_border[operation->source], &update, omp->rhs, NULL, &none, 0, tile->number,
                        omp->scratch + omp->scratch_stride * (size_t)worker->thread->number);
}

/* The right-hand side from edges only. A sum uses the state of the interface element to which it is added. */
static void edge_rhs(struct ewi_worker *worker, const struct ewi_operation *operation,
                     const struct ewi_level_tile *tile)
{
    struct ewi_omp *omp = worker->omp;
    const struct ewi_level *level = &omp->levels->level[tile->level];
    const double *state = omp->state[operation->source];
    if (tile->kind == EWI_LEVEL_SUM)
        state += ((int64_t)level->first[EWI_LEVEL_INTERFACE] - level->first[EWI_LEVEL_SUM]) * omp->plan->rows;
    omp->kernels->edge_rhs(&omp->arguments, &omp->tiles, state, omp->level_border[operation->source], omp->rhs,
                           tile->number, omp->scratch + omp->scratch_stride * (size_t)worker->thread->number);
}

/* Returns whether the new means are admissible. */
static bool stage_level(struct ewi_worker *worker, const struct ewi_operation *operation,
                        const struct ewi_level_tile *tile)
{
    struct ewi_omp *omp = worker->omp;
    const struct ewi_stage *stage = &omp->plan->scheme->stage[operation->stage - 1];
    const struct ewi_limiting with = {.limiter = omp->plan->limiter, .first = omp->first,
                                      .positive = (operation->on_store & EWI_OP_BIT(positivity)) != 0};
    double *border = omp->tiles.due ? NULL : omp->level_border[operation->target];
    struct ewi_update update =
        ewi_update_of(omp, stage, ewi_level_step(&omp->level_steps, worker->now.macro, tile->level));
    update.time = level_time_of(worker, operation, tile->level);
    return omp->kernels->stage(&omp->arguments, &omp->tiles, omp->state[operation->source],
                               omp->level_border[operation->source], &update, omp->state[operation->target], border,
                               &with, omp->plan->padded, tile->number,
                               omp->scratch + omp->scratch_stride * (size_t)worker->thread->number) < 0;
}

/*
 * New states of active elements without faster neighbours, each level with its own step; right-hand sides of
 * interface elements, of what active elements see, and of trials that this stage and the next one need.
 */
static void stage_levels(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    const struct ewi_scheme *scheme = omp->plan->scheme;
    bool tries = ewi_level_tries(scheme, operation->stage - 1);
    bool evaluates = ewi_level_evaluates(scheme, operation->stage - 1);
    int32_t end = omp->level_tiles.end[worker->now.top];
    struct ewi_share own = ewi_level_tiles_share(&omp->level_tiles, end, worker->thread->number, worker->thread->size);
    bool admissible = true;
    know_level_border(worker, operation);
    for (int64_t k = own.first; k < own.last; k++) {
        const struct ewi_level_tile *tile = &omp->level_tiles.tile[k];
        if (tile->kind == EWI_LEVEL_PLAIN)
            admissible = stage_level(worker, operation, tile) && admissible;
        else if (tile->kind == EWI_LEVEL_INTERFACE || (tile->kind == EWI_LEVEL_TRIAL && evaluates))
            whole_rhs(worker, operation, tile);
        else if (tile->kind == EWI_LEVEL_VIEW || (tile->kind == EWI_LEVEL_SUM && tries))
            edge_rhs(worker, operation, tile);
    }
    worker->known.border_of = omp->tiles.due ? NULL : omp->state[operation->target];
    ewi_end_stage(worker, operation, ewi_largest_of_all(worker, !admissible) == 0);
}

static void try_neighbours(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    ewi_level_trial(&worker->omp->level_steps, &worker->now, operation->stage);
    ewi_team_wait(worker->thread);
}

/* Elements without faster neighbours: each level by the scheme's own formula. Waits for their right-hand sides. */
static void update_levels(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    const struct ewi_stage *stage = &omp->plan->scheme->stage[operation->stage - 1];
    double *target = omp->state[operation->target];
    bool admissible = true;
    ewi_team_wait(worker->thread);
    for (int k = 0; k <= worker->now.top; k++) {
        const struct ewi_listed *of = &omp->levels->level[k].list[EWI_LEVEL_PLAIN];
        double step = ewi_level_step(&omp->level_steps, worker->now.macro, k);
        const struct ewi_update update = ewi_update_of(omp, stage, step);
        worker->arguments.parameter[EWI_STEP_PARAMETER] = step;
        ewi_paper_update(&worker->paper, of, &update, omp->rhs, target);
        admissible = ewi_paper_is_admissible(&worker->paper, of, target) && admissible;
    }
    worker->arguments.parameter[EWI_STEP_PARAMETER] = worker->now.macro;
    ewi_end_stage(worker, operation, ewi_largest_of_all(worker, !admissible) == 0);
}

/* Stores the means of interface elements and views, which no stage stores; waits for the other threads. */
static void keep_means(struct ewi_worker *worker, const double *state)
{
    const struct ewi_omp *omp = worker->omp;
    const struct ewi_level *top = &omp->levels->level[worker->now.top];
    int components = omp->tiles.components;
    ewi_level_means(&omp->level_steps, &top->coupled_active.elements, state, omp->first, components);
    ewi_level_means(&omp->level_steps, &top->views.elements, state, omp->first, components);
    ewi_team_wait(worker->thread);
}

/* All threads have evaluated the right-hand sides. */
static void couple_levels(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    const struct ewi_level_steps *steps = &omp->level_steps;
    bool last = operation->stage == omp->plan->scheme->stages;
    ewi_level_couple(steps, &worker->now, operation->stage);
    ewi_team_wait(worker->thread);
    if (steps->room) {
        ewi_level_update_over_bed(steps, &worker->now, &worker->paper, &worker->arguments, operation->stage);
        ewi_team_wait(worker->thread);
    }
    if (omp->tiles.due)
        keep_means(worker, omp->state[operation->target]);
    else if (last && ewi_limiter_by_means(omp->plan->limiter))
        ewi_level_spread_means(steps, &worker->now);
    bool admissible = ewi_level_is_admissible(steps, &worker->now, &worker->paper, operation->stage);
    ewi_end_stage(worker, operation, ewi_largest_of_all(worker, !admissible) == 0);
}

static void close_levels(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    (void)operation;
    ewi_level_close(&omp->level_steps, &worker->now);
    ewi_team_wait(worker->thread);
    if (!omp->tiles.due)
        return;
    ewi_level_means(&omp->level_steps, &omp->levels->level[worker->now.ending].coupled_active.elements, omp->state[0],
                    omp->first, omp->tiles.components);
    ewi_team_wait(worker->thread);
}

static void make_views(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    (void)operation;
    ewi_level_view(&worker->omp->level_steps, &worker->now);
    ewi_team_wait(worker->thread);
}

/* ---- parts ---- */

/* For limiters, as the means of own elements (couple_levels). */
static void keep_ghost_means(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    int top = operation->elements == EWI_LIST_ENDING ? worker->now.ending : worker->now.top;
    if (omp->tiles.due)
        ewi_level_means(&omp->level_steps, &omp->levels->level[top].ghosts.elements, omp->state[operation->target],
                        omp->first, omp->tiles.components);
    else if (operation->stage == omp->plan->scheme->stages)
        ewi_level_spread_ghosts(&omp->level_steps, &worker->now);
    ewi_team_wait(worker->thread);
}

/* Numbers of active elements. Caps on outflow change from level 1 on, those of views, too. */
static struct ewi_level_message numbers_of(const struct ewi_worker *worker, enum ewi_quantity quantity)
{
    const struct ewi_omp *omp = worker->omp;
    const struct ewi_subcells *a = &omp->subcells.arrays;
    int end = worker->now.top + 1;
    switch (quantity) {
    case EWI_QUANTITY_room:
        return (struct ewi_level_message){.levels = {1, {end, end}}, .number = omp->level_steps.room};
    case EWI_QUANTITY_own_alpha:
        return (struct ewi_level_message){.levels = {0, {end}}, .number = a->own + omp->plan->grid->padded};
    default: return (struct ewi_level_message){.levels = {0, {end}}, .number = a->alpha};
    }
}

/* Over a bed, each new state comes with its caps on outflow. */
static struct ewi_level_message message_of(const struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    if (operation->quantity != EWI_QUANTITY_state && operation->quantity != EWI_QUANTITY_means)
        return numbers_of(worker, operation->quantity);
    int level = operation->elements == EWI_LIST_ENDING ? worker->now.ending : worker->now.top;
    struct ewi_level_message message = {
        .levels = ewi_level_exchange_range(omp->levels->levels, operation->elements, level),
        .state = omp->state[operation->target]};
    if (operation->quantity == EWI_QUANTITY_state)
        message.number = omp->level_steps.room;
    return message;
}

void ewi_level_exchange_states(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    const struct ewi_level_message message = message_of(worker, operation);
    if (worker->thread->number == 0)
        ewi_level_exchange(omp->level_exchange, &message, worker->inadmissible == 0);
    ewi_team_wait(worker->thread);
    if (operation->quantity == EWI_QUANTITY_means)
        keep_ghost_means(worker, operation);
}

/* ---- limiters ---- */

static struct ewi_limiting level_limiting(const struct ewi_worker *worker, const struct ewi_operation *operation, int k)
{
    const struct ewi_omp *omp = worker->omp;
    return (struct ewi_limiting){.limiter = omp->plan->limiter, .sensor = omp->sensor,
                                 .step = ewi_level_step(&omp->level_steps, worker->now.macro, k),
                                 .positive = (operation->on_store & EWI_OP_BIT(positivity)) != 0};
}

/* Tiles of elements without faster neighbours. */
static void damp_tiles(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    double *scratch = omp->scratch + omp->scratch_stride * (size_t)worker->thread->number;
    int32_t end = omp->level_tiles.end[worker->now.ending];
    struct ewi_share own = ewi_level_tiles_share(&omp->level_tiles, end, worker->thread->number, worker->thread->size);
    for (int64_t k = own.first; k < own.last; k++) {
        const struct ewi_level_tile *tile = &omp->level_tiles.tile[k];
        struct ewi_limiting with = level_limiting(worker, operation, tile->level);
        if (tile->kind == EWI_LEVEL_PLAIN)
            omp->kernels->damp_tile(&omp->arguments, &omp->tiles, &with, omp->level_border[0], omp->state[0],
                                    tile->number, scratch);
    }
}

/*
 * Limits by the jumps at all edges of an element, including those to faster neighbours; each level with its own step.
 * Elements with faster neighbours have their sensor evaluated first; for all others, tiles evaluate it as they damp.
 */
static void damp_levels(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    const struct ewi_level *top = &omp->levels->level[worker->now.ending];
    struct ewi_arguments arguments = worker->arguments;
    const struct ewi_paper paper = {worker->paper.kernels, &arguments, worker->paper.plan};
    bool in_tiles = operation->on_load & EWI_OP_BIT(jump_sensor);
    arguments.side_slot = omp->levels->edge_slot;
    if (in_tiles) {
        make_borders(worker, &top->coupled_active, 0);
        make_borders(worker, &top->views, 0);
        make_borders(worker, &top->ghosts, 0);
        ewi_paper_jump_sensor(&worker->paper, &top->coupled_active, omp->state[0], omp->sensor);
    }
    ewi_team_wait(worker->thread);
    for (int k = 0; k <= worker->now.ending; k++) {
        struct ewi_limiting with = level_limiting(worker, operation, k);
        ewi_paper_limit(&paper, &omp->levels->level[k].list[in_tiles ? EWI_LEVEL_INTERFACE : EWI_LEVEL_OWN], &with,
                        omp->state[0]);
    }
    if (in_tiles)
        damp_tiles(worker, operation);
    worker->known.border_of = NULL;
    ewi_team_wait(worker->thread);
}

/* Limits by the cell means that stages and ends of steps stored in omp->first; stores the new state's border traces. */
static void limit_level_tiles(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    const struct ewi_ranges *of = &ewi_listed_of(worker, operation)->elements;
    const struct ewi_limiting with = {.limiter = omp->plan->limiter, .first = omp->first,
                                      .positive = (operation->on_store & EWI_OP_BIT(positivity)) != 0};
    double *state = omp->state[operation->target];
#pragma omp for schedule(static) nowait
    for (int32_t n = 0; n < of->count; n++)
        omp->kernels->limit_due(&omp->arguments, &omp->tiles, &with, false, state,
                                omp->level_border[operation->target], of->range[n].first / EWI_TILE,
                                of->range[n].last / EWI_TILE, NULL);
    if (operation->elements != EWI_LIST_VIEWS)
        worker->known.border_of = state;
    ewi_team_wait(worker->thread);
}

/* Interface elements and views have no border traces that stages store. */
static void end_pass(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    bool leaves_plain = operation->elements == EWI_LIST_INTERFACE || operation->elements == EWI_LIST_VIEWS;
    if (worker->known.border_of == worker->omp->state[operation->target] && !leaves_plain)
        worker->known.border_of = NULL;
    ewi_team_wait(worker->thread);
}

static void limit(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    if (omp->level_tiles.tile && omp->tiles.due) {
        limit_level_tiles(worker, operation);
        return;
    }
    if (operation->elements == EWI_LIST_ENDING && ewi_limiter_has_sensor(omp->plan->limiter)) {
        damp_levels(worker, operation);
        return;
    }
    const struct ewi_limiting with = {.limiter = omp->plan->limiter, .sensor = omp->sensor, .step = worker->clock.step,
                                      .positive = (operation->on_store & EWI_OP_BIT(positivity)) != 0};
    ewi_paper_limit(&worker->paper, ewi_listed_of(worker, operation), &with, omp->state[operation->target]);
    end_pass(worker, operation);
}

/* Over a bed, after a stage, of elements that are settled. */
static void find_rooms(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_level_steps *steps = &worker->omp->level_steps;
    if (!steps->room)
        return;
    if (operation->elements == EWI_LIST_ACTIVE)
        ewi_level_find_own_rooms(steps, &worker->now, &worker->paper, operation->stage);
    if (operation->elements == EWI_LIST_VIEWS)
        ewi_level_find_view_rooms(steps, &worker->now, &worker->paper, operation->stage);
    ewi_team_wait(worker->thread);
}

static void make_positive(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    ewi_paper_make_positive(&worker->paper, ewi_listed_of(worker, operation), worker->omp->state[operation->target]);
    end_pass(worker, operation);
    find_rooms(worker, operation);
}

ewi_performer *const ewi_level_operation[EWI_OP_COUNT] = {
    [EWI_OP_boundary] = evaluate_boundaries,
    [EWI_OP_sense] = ewi_level_sense,
    [EWI_OP_alpha] = ewi_level_find_alpha,
    [EWI_OP_divide] = ewi_level_divide,
    [EWI_OP_subcells] = ewi_level_evaluate_volumes,
    [EWI_OP_source] = evaluate_sources,
    [EWI_OP_outflow] = evaluate_outflow,
    [EWI_OP_update] = update_levels,
    [EWI_OP_stage] = stage_levels,
    [EWI_OP_limit] = limit,
    [EWI_OP_positivity] = make_positive,
    [EWI_OP_exchange] = ewi_level_exchange_states,
    [EWI_OP_trial] = try_neighbours,
    [EWI_OP_couple] = couple_levels,
    [EWI_OP_close] = close_levels,
    [EWI_OP_view] = make_views,
};

/* ---- before and after instants and macro steps ---- */

void ewi_level_begin_instant(struct ewi_worker *worker)
{
    const struct ewi_level_steps *steps = &worker->omp->level_steps;
    if (!steps->room)
        return;
    ewi_level_begin_rooms(steps, &worker->now, &worker->paper);
    ewi_team_wait(worker->thread);
}

void ewi_level_find_element(const struct ewi_omp *omp, struct ewi_progress *progress)
{
    if (progress->element < 0)
        return;
    progress->precedence = ewi_level_precedence(omp->levels, progress->element);
    progress->element = omp->levels->of[progress->element];
}

void ewi_level_find_place(const struct ewi_omp *omp, const struct ewi_level_break *at, struct ewi_progress *progress)
{
    int32_t element = progress->element;
    int level = at->failed_level >= 0 ? at->failed_level
                : element >= 0        ? ewi_level_of_steps(omp->levels, element)
                                      : 0;
    ewi_level_find_element(omp, progress);
    if (progress->stage < 1)
        return;
    const struct ewi_level_steps *steps = &omp->level_steps;
    double macro = at->macro, begin = (double)at->instant * ewi_level_step(steps, macro, 0);
    double time = omp->plan->scheme->stage[progress->stage - 1].time;
    progress->time = at->time + begin + time * ewi_level_step(steps, macro, level);
}

void ewi_level_give_state(const struct ewi_worker *worker)
{
    const struct ewi_omp *omp = worker->omp;
    struct ewi_share own = ewi_team_share(worker->thread, omp->whole->grid->connected);
    ewi_level_plan_give(omp->levels, omp->whole, omp->state[0], omp->whole_state, (int32_t)own.first,
                        (int32_t)own.last);
}

void ewi_level_share_state(struct ewi_omp *omp)
{
    ewi_level_plan_give(omp->levels, omp->whole, omp->state[0], omp->whole_state, 0, omp->whole->grid->connected);
    for (int k = 0; k < omp->plan->scheme->registers; k++)
        ewi_level_plan_take(omp->levels, omp->whole, omp->whole_state, omp->state[k]);
    if (omp->tiles.due)
        ewi_level_means(&omp->level_steps, &(struct ewi_ranges){1, &(struct ewi_range){0, omp->plan->padded}},
                        omp->state[0], omp->first, omp->tiles.components);
}

static double *whole_outflow(const struct ewi_omp *omp, ew_error *error)
{
    double *whole = ewi_alloc(&omp->host, ewi_outflow_doubles(&omp->whole->sizes), sizeof *whole);
    if (!whole)
        ewi_fail(error, EW_ENOMEM, "not enough memory for the flux through boundaries");
    return whole;
}

int ewi_level_get_outflow(const struct ewi_omp *omp, double *outflow, ew_error *error)
{
    double *whole = whole_outflow(omp, error);
    if (!whole)
        return EW_ENOMEM;
    ewi_level_plan_give_slots(omp->levels, omp->whole, omp->outflow, whole);
    ewi_outflow_pack(omp->whole, whole, outflow);
    ewi_free(&omp->host, whole);
    return EW_OK;
}

int ewi_level_set_outflow(const struct ewi_omp *omp, const double *outflow, ew_error *error)
{
    double *whole = whole_outflow(omp, error);
    if (!whole)
        return EW_ENOMEM;
    ewi_outflow_unpack(omp->whole, outflow, whole);
    ewi_level_plan_take_slots(omp->levels, omp->whole, whole, omp->outflow);
    ewi_free(&omp->host, whole);
    return EW_OK;
}
