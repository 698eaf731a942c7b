/* SPDX-License-Identifier: BSD-2-Clause */
/* The OpenMP backend: the time loop on the host's cores, by the paper's kernels or by the fused stage. */
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_level_operations.h"
#include "ewi_omp_bytes.h"
#include "ewi_parallel.h"
#include "ewi_part.h"
#include "ewi_plan.h"
#include "ewi_step_parameter.h"
#include "ewi_text.h"
#include "ewi_tiles.h"
#include "ewi_work.h"
#include "ewi_worker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ELEMENTS_A_THREAD = 512, ELEMENTS_A_MEMBER = 32768 };

/* On small meshes fewer, since threads then wait more than they work; in an ensemble others have work for them. */
static int thread_count(const struct ewi_sizes *sizes, const struct ewi_backend_options *options)
{
    int asked = options->threads, a_thread = options->in_ensemble ? ELEMENTS_A_MEMBER : ELEMENTS_A_THREAD;
    int useful = 1 + sizes->elements / a_thread, offered = ew_thread_count(asked, NULL, 0);
    return asked > 0 || offered < useful ? offered : useful;
}

/* With levels of time steps, those elements count that are active at an instant, on average. */
static int threads_of_plan(const struct ewi_plan *plan, const struct ewi_backend_options *options)
{
    struct ewi_sizes sizes = plan->sizes;
    double work;
    ew_plan_step_levels(plan, NULL, &work);
    sizes.elements = (int32_t)(sizes.elements * work);
    return thread_count(&sizes, options);
}

static void forget_speed(struct ewi_known *known)
{
    for (int k = 0; k < EWI_MAX_CLASSES; k++)
        known->speed[k] = -1.0;
}

/* ---- creation ---- */

/* Levels: the fused set's stages are of elements without faster neighbours. */
static bool is_fused_with_levels(const struct ewi_sizes *sizes)
{
    return sizes->levels != 1 && sizes->set != EWI_SET_edgewise;
}

static bool is_fused(const struct ewi_sizes *sizes)
{
    if (sizes->levels != 1)
        return false;
    return sizes->set == EWI_SET_BEST ? sizes->width == EWI_TILE : sizes->set == EWI_SET_fused;
}

static int choose_level(struct ewi_omp *omp, const char *name, ew_error *error)
{
    for (int k = 0; ewi_omp_level_at(k); k++) {
        const struct ewi_omp_level *level = ewi_omp_level_at(k);
        if (name && strcmp(name, level->name) != 0)
            continue;
        if (level->runs_here()) {
            omp->level = level;
            return EW_OK;
        }
        if (name)
            return ewi_fail(error, EW_EUNAVAILABLE, "this machine has no %s", level->description);
    }
    char names[256];
    return ewi_fail(error, EW_EINVAL, "there is no instruction level \"%s\" in this build; there are %s", name,
                    ewi_choices_in_words(ewi_level_choice, names, sizeof names));
}

static void choose_kernels(struct ewi_omp *omp)
{
    const struct ewi_plan *plan = omp->plan;
    omp->fused = is_fused(&plan->sizes);
    omp->kernels = ewi_omp_kernels_of(omp->level, plan->basis->order, plan->law->number);
}

static struct ewi_fusion omp_fusion(const struct ewi_sizes *sizes)
{
    bool fused = is_fused(sizes);
    if (is_fused_with_levels(sizes))
        return (struct ewi_fusion){.next_step = sizes->divided, .stages = true, .sources = true};
    return (struct ewi_fusion){.next_step = sizes->divided, .stages = fused, .limits = fused, .speed = fused,
                               .sources = fused};
}

/*
 * A pass of its own is for a profile, which times it; for a call that works with other threads than planned; and for a
 * part, which gets its neighbours' means after the stage.
 */
static void make_steps(struct ewi_omp *omp, const struct ewi_backend_options *options)
{
    const struct ewi_sizes *sizes = &omp->plan->sizes;
    struct ewi_fusion fusion = omp_fusion(sizes);
    ewi_step_make_fused(sizes, &fusion, &omp->step);
    fusion.limits = fusion.speed = false;
    ewi_step_make_fused(sizes, &fusion, &omp->passes);
    if (options->rewrite)
        options->rewrite(&omp->step), options->rewrite(&omp->passes);
}

static struct ewi_arguments arguments_of(const struct ewi_plan *plan)
{
    const struct ewi_grid *grid = plan->grid;
    struct ewi_arguments arguments = {
        .width = plan->width,
        .padded = grid->padded,
        .flux = plan->flux,
        .floor = plan->floor,
        .preserves_order = plan->preserves_order,
        .has_volumes = ewi_limiter_has_subcells(plan->limiter),
        .geometry = grid->geometry,
        .neighbour = grid->neighbour,
        .neighbour_side = grid->neighbour_side,
        .side_slot = grid->side_slot,
        .left = grid->left,
        .right = grid->right,
        .left_side = grid->left_side,
        .right_side = grid->right_side,
        .normal = plan->normal,
        .given = plan->given,
        .wall = plan->wall,
        .wall_gradient = plan->wall_gradient,
        .excess = plan->excess,
        .volume_field = plan->volume_field,
        .edge_field = plan->edge_field,
        .speed_bound = plan->speed_bound,
        .width_ratio = plan->width_ratio,
        .diffusion_rate = plan->diffusion_rate,
        .sponge = plan->sponge.number,
        .sponge_weight = plan->sponge.weight,
        .sponge_target = plan->sponge.target,
    };
    memcpy(arguments.parameter, plan->parameter, sizeof arguments.parameter);
    if (plan->source.program)
        arguments.source = (struct ewi_source){*plan->source.program, plan->source.origin};
    return arguments;
}

struct array {
    double *doubles;
    size_t count;
};

static void zero_share(struct ewi_thread *thread, void *context)
{
    const struct array *array = context;
    struct ewi_share own = ewi_team_share(thread, (int64_t)array->count);
    memset(array->doubles + own.first, 0, (size_t)(own.last - own.first) * sizeof *array->doubles);
}

/* Zeroed, and each thread's part of the mesh in its own memory. */
static double *alloc_shared(const struct ewi_omp *omp, size_t doubles)
{
    struct array array = {ewi_alloc_untouched(&omp->host, doubles, sizeof(double)), doubles};
    if (array.doubles)
        ewi_team_run(omp->team, zero_share, &array);
    return array.doubles;
}

/*
 * True if the state exceeds what caches keep from one stage to the next: 32 MB, or 4 MB per thread. A guest's
 * information on its caches is often wrong.
 */
static bool exceeds_caches(const struct ewi_omp *omp)
{
    size_t threads = (size_t)ewi_team_size(omp->team), megabytes = threads > 8 ? 4 * threads : 32;
    return (size_t)omp->plan->scheme->registers * ewi_plan_state_doubles(omp->plan) * sizeof(double) > megabytes << 20;
}

static int allocate(struct ewi_omp *omp, ew_error *error)
{
    const struct ewi_plan *plan = omp->plan;
    size_t doubles = ewi_plan_state_doubles(plan);
    bool complete = true;
#define EWI_NEED(member, count) complete = complete && (omp->member = alloc_shared(omp, count))
    for (int k = 0; k < plan->scheme->registers; k++)
        EWI_NEED(state[k], doubles);
    if (plan->scheme->keeps)
        EWI_NEED(kept, doubles);
    if (plan->watches_change)
        EWI_NEED(before, doubles);
    EWI_NEED(outflow, ewi_outflow_doubles(&plan->sizes));
    if (omp->fused || omp->level_tiles.tile) {
        /* other threads' pages, another set of the cache */
        omp->scratch_stride = (omp->tiles.scratch + 511) / 512 * 512 + 64;
        EWI_NEED(scratch, omp->scratch_stride * (size_t)ewi_team_size(omp->team));
    }
    for (int k = 0; omp->level_tiles.tile && k < plan->scheme->registers; k++)
        EWI_NEED(level_border[k], omp->tiles.border);
    if (omp->tiles.due)
        EWI_NEED(first, (size_t)(plan->grid->padded * omp->tiles.components));
    if (omp->fused) {
        EWI_NEED(known.border[0], omp->tiles.border);
        EWI_NEED(known.border[1], omp->tiles.border);
    } else {
        if (ewi_limiter_has_sensor(plan->limiter))
            EWI_NEED(sensor, 2 * (size_t)plan->grid->slots);
        EWI_NEED(rhs, doubles);
    }
    if (!omp->fused && !omp->level_tiles.tile) {
        EWI_NEED(sources, ewi_source_doubles(&plan->sizes));
        EWI_NEED(rhs_volume, doubles);
        EWI_NEED(rhs_surface, 2 * ewi_plan_slot_doubles(plan));
    }
#undef EWI_NEED
    return complete
               ? EW_OK
               : ewi_fail(error, EW_ENOMEM, "not enough memory for %d arrays of %zu MB of the state of %d elements",
                          plan->scheme->registers, doubles * sizeof(double) >> 20, plan->grid->elements);
}

static void omp_destroy(void *instance)
{
    struct ewi_omp *omp = instance;
    if (!omp)
        return;
    ew_host host = omp->host;
    omp_destroy(omp->plain);
    ewi_level_steps_destroy(&omp->level_steps);
    ewi_level_tiles_destroy(&host, &omp->level_tiles);
    ewi_level_exchange_destroy(omp->level_exchange);
    ewi_level_plan_destroy(omp->levels);
    for (int k = 0; k < EWI_MAX_REGISTERS; k++) {
        ewi_free(&host, omp->state[k]);
        ewi_free(&host, omp->level_border[k]);
    }
    ewi_tiles_destroy(&host, &omp->tiles);
    ewi_omp_subcells_destroy(&host, &omp->subcells);
    ewi_team_destroy(omp->team);
    ewi_element_lists_destroy(&host, &omp->lists);
    void *const arrays[] = {omp->kept, omp->before, omp->sensor, omp->rhs_volume, omp->rhs_surface, omp->rhs,
                            omp->sources, omp->outflow, omp->scratch, omp->first, omp->known.border[0],
                            omp->known.border[1], omp->whole_state, omp->plain_plan, omp};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ewi_free(&host, arrays[k]);
}

static int check_step(const struct ewi_omp *omp, const struct ewi_step *step, ew_error *error);

static int omp_create(struct ewi_plan *plan, const struct ewi_backend_options *options, void **instance,
                      ew_error *error)
{
    struct ewi_omp *omp = ewi_alloc(&plan->host, 1, sizeof *omp);
    int status = EW_OK;
    if (!omp)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the backend");
    omp->host = plan->host;
    omp->plan = plan;
    forget_speed(&omp->known);
    if (options->image)
        EWI_TRY(ewi_fail(error, EW_EINVAL,
                         "the image \"%s\" is code for a GPU, and the backend omp has none; leave it out, or use cuda",
                         options->image));
    if (options->device != 0)
        EWI_TRY(ewi_fail(error, EW_EINVAL,
                         "GPU number %d is asked for, and the backend omp has none; leave it out, or use cuda",
                         options->device));
    EWI_TRY(choose_level(omp, options->level, error));
    EWI_TRY(ewi_level_operations_create(omp, error));
    plan = omp->plan;
    omp->arguments = arguments_of(plan);
    omp->arguments.room = omp->level_steps.room;
    choose_kernels(omp);
    make_steps(omp, options);
    EWI_TRY(check_step(omp, &omp->step, error));
    EWI_TRY(check_step(omp, &omp->passes, error));
    omp->team = ewi_team_create(&omp->host, threads_of_plan(omp->whole, options));
    if (!omp->team)
        EWI_TRY(ewi_fail(error, EW_ENOMEM, "not enough memory for the backend's threads"));
    if (omp->fused)
        EWI_TRY(ewi_tiles_create(plan, omp->kernels, omp->team, NULL, &omp->tiles, error));
    if (omp->levels && is_fused_with_levels(&plan->sizes))
        EWI_TRY(ewi_level_operations_tile(omp, error));
    int32_t unit = omp->fused ? omp->tiles.size : EWI_TILE;
    if (!omp->levels)
        EWI_TRY(ewi_element_lists_create(plan, &omp->step, unit, EWI_CHUNK, &omp->lists, error));
    EWI_TRY(allocate(omp, error));
    if (omp->levels)
        ewi_level_clear_sources(omp);
    if (ewi_limiter_has_subcells(plan->limiter))
        EWI_TRY(ewi_omp_subcells_create(plan, ewi_team_size(omp->team), &omp->subcells, error));
    omp->arguments.subcells = omp->subcells.arrays;
    /* Levels: states that wait for a limiter have no room of their own. */
    omp->tiles.streams = exceeds_caches(omp) && !(omp->levels && omp->tiles.due);
    *instance = omp;
    omp = NULL;
out:
    omp_destroy(omp);
    return status;
}

static const char *omp_level(int index, const char **description)
{
    const struct ewi_omp_level *level = ewi_omp_level_at(index);
    if (level)
        *description = level->runs_here() ? level->description : level->description_absent;
    return level ? level->name : NULL;
}

static void omp_describe(const void *instance, const char **kernels, char *device, size_t size)
{
    const struct ewi_omp *omp = instance;
    bool fused = omp->fused || omp->level_tiles.tile;
    *kernels = ewi_kernel_set_choice(fused ? EWI_SET_fused : EWI_SET_edgewise).name;
    int threads = ewi_team_size(omp->team);
    ewi_snprintf(device, size, "%d thread%s, %s", threads, threads == 1 ? "" : "s", omp->level->name);
}

static size_t omp_bytes(const struct ewi_sizes *sizes, const struct ewi_backend_options *options, size_t *device)
{
    enum ewi_omp_kind kind = is_fused(sizes)               ? EWI_OMP_FUSED
                             : is_fused_with_levels(sizes) ? EWI_OMP_FUSED_LEVELS
                             : sizes->levels != 1          ? EWI_OMP_PAPER_LEVELS
                                                           : EWI_OMP_PAPER;
    *device = 0;
    return ewi_omp_bytes(sizes, kind, thread_count(sizes, options));
}

/* ---- passes over the mesh ---- */

static double begin_timing(const struct ewi_worker *worker)
{
    return worker->omp->profile ? ewi_seconds() : 0.0;
}

/*
 * A pass that is timed ends when all threads have done it. If an operation is divided into lists, the one with the last
 * class counts as the call.
 */
static void end_timing(struct ewi_worker *worker, const struct ewi_operation *operation, enum ewi_work_kind kind,
                       const struct ewi_stage *stage, double begun)
{
    struct ewi_omp *omp = worker->omp;
    struct ewi_work work = {0};
    if (!omp->profile)
        return;
    bool counts = ewi_step_has_last_class(&omp->step, operation);
    ewi_team_wait(worker->thread);
    if (counts)
        work = ewi_work_of(omp->plan, kind, stage);
    if (worker->thread->number == 0)
        ewi_profile_add(omp->profile, &omp->profiles, kind, counts, ewi_seconds() - begun, work);
}

/* The speeds in the classes of an operation are `speed`, which is of all of them; < 0: not known. */
static void set_speed(struct ewi_worker *worker, const struct ewi_operation *operation, double speed)
{
    for (int k = 0; k < EWI_MAX_CLASSES; k++)
        if (ewi_step_classes(&worker->omp->step, operation) >> k & 1)
            worker->known.speed[k] = speed;
}

static bool knows_speed(const struct ewi_worker *worker, const struct ewi_operation *operation)
{
    bool knows = true;
    for (int k = 0; k < EWI_MAX_CLASSES; k++)
        if (ewi_step_classes(&worker->omp->step, operation) >> k & 1)
            knows = knows && worker->known.speed[k] >= 0.0;
    return knows;
}

/* ... and of all parts, from what is the same for all threads of each. */
static uint64_t largest_of_parts(struct ewi_worker *worker, uint64_t value)
{
    const struct ewi_plan *plan = worker->omp->plan;
    if (!plan->part)
        return value;
    return ewi_largest_of_all(worker, worker->thread->number == 0 ? ewi_part_max(plan, value) : 0);
}

/* The ghost layer of a state that all threads have made, and its traces, if those of the state are known. */
static void exchange(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    const struct ewi_grid *grid = omp->plan->grid;
    if (omp->levels) {
        ewi_level_exchange_states(worker, operation);
        return;
    }
    if (operation->quantity == EWI_QUANTITY_own_alpha || operation->quantity == EWI_QUANTITY_alpha) {
        const struct ewi_subcells *a = &omp->subcells.arrays;
        if (worker->thread->number == 0)
            ewi_part_exchange_numbers(omp->plan, operation->quantity == EWI_QUANTITY_alpha ? a->alpha
                                                                                          : a->own + grid->padded);
        ewi_team_wait(worker->thread);
        return;
    }
    double *state = omp->state[operation->target];
    if (worker->thread->number == 0)
        ewi_part_exchange(omp->plan, state);
    ewi_team_wait(worker->thread);
    if (!omp->fused || worker->known.border_of != state)
        return;
    int32_t first = grid->elements / EWI_TILE, last = grid->padded / EWI_TILE;
    struct ewi_share own = ewi_team_share(worker->thread, last - first);
    omp->kernels->border(&omp->arguments, &omp->tiles, state, worker->known.border[0], (first + own.first) * EWI_TILE,
                         (first + own.last) * EWI_TILE);
    ewi_team_wait(worker->thread);
}

static void sense(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    double begun = begin_timing(worker);
    const double *state = worker->omp->state[operation->source];
    ewi_omp_sense(&worker->paper, worker->thread, ewi_listed_of(worker, operation), state);
    end_timing(worker, operation, EWI_WORK_jump_sensor, NULL, begun);
}

static void find_alpha(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    (void)operation;
    ewi_omp_find_alpha(&worker->paper, worker->thread);
}

static void divide(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    (void)operation;
    ewi_omp_divide(&worker->paper, worker->thread, &worker->omp->subcells);
}

static void take_volumes(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    double begun = begin_timing(worker);
    ewi_omp_evaluate_volumes(&worker->paper, worker->thread, worker->omp->state[operation->source]);
    end_timing(worker, operation, EWI_WORK_subcells, NULL, begun);
}

/* On all inner edges. Does not wait for other threads. */
static void eval_jump_sensor(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    double begun = begin_timing(worker);
    ewi_paper_jump_sensor(&worker->paper, ewi_listed_of(worker, operation), omp->state[operation->source], omp->sensor);
    end_timing(worker, operation, EWI_WORK_jump_sensor, NULL, begun);
}

/* All threads have limited, or made positive, the elements of a state. */
static void end_pass(struct ewi_worker *worker, const struct ewi_operation *operation, enum ewi_work_kind kind,
                     double begun)
{
    end_timing(worker, operation, kind, NULL, begun);
    if (worker->known.border_of == worker->omp->state[operation->target])
        worker->known.border_of = NULL;
    ewi_team_wait(worker->thread);
}

static void limit(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    struct ewi_limiting with = {.limiter = omp->plan->limiter, .sensor = omp->sensor, .step = worker->clock.step,
                                .positive = (operation->on_store & EWI_OP_BIT(positivity)) != 0};
    double begun = begin_timing(worker);
    ewi_paper_limit(&worker->paper, ewi_listed_of(worker, operation), &with, omp->state[operation->target]);
    end_pass(worker, operation, EWI_WORK_limit_c, begun);
}

static void make_positive(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    double begun = begin_timing(worker);
    ewi_paper_make_positive(&worker->paper, ewi_listed_of(worker, operation), omp->state[operation->target]);
    end_pass(worker, operation, EWI_WORK_positive, begun);
}

static void find_speed(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    if (knows_speed(worker, operation))
        return;
    double begun = begin_timing(worker);
    double own = ewi_paper_speed(&worker->paper, ewi_listed_of(worker, operation), omp->state[operation->source]);
    uint64_t bits = ewi_largest_of_all(worker, ewi_bits_of(own));
    end_timing(worker, operation, EWI_WORK_time_step, NULL, begun);
    set_speed(worker, operation, ewi_speed_of(bits));
}

/* Not waited for: the next stage leaves the present state as it is. */
static void keep(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    struct ewi_share own = ewi_team_share(worker->thread, (int64_t)ewi_plan_state_doubles(omp->plan));
    memcpy(omp->before + own.first, omp->state[operation->source] + own.first,
           (size_t)(own.last - own.first) * sizeof *omp->before);
}

static void find_change(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    const double *state = omp->state[operation->source];
    /* Padded elements never change. */
    struct ewi_share own = ewi_team_share(worker->thread, (int64_t)omp->plan->grid->padded * omp->plan->rows);
    double largest = 0.0;
    for (int64_t k = own.first; k < own.last; k++) {
        double change = fabs(state[k] - omp->before[k]);
        largest = change > largest ? change : largest;
    }
    worker->change = ewi_bits_of(largest);
}

/* The time of an operation; a step's end, if it is cut, is where the loop ends. */
static double time_of(const struct ewi_clock *clock, const struct ewi_operation *operation)
{
    bool ends = operation->stage == 0 && operation->time == 1.0;
    return ends && clock->cut ? clock->until : ewi_clock_stage_time(clock, operation->time);
}

/*
 * Evaluates the data of all boundaries that depend on time. Returns the bits of the largest speed, or EWI_INADMISSIBLE
 * if data are not admissible.
 */
static uint64_t evaluate_groups(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_plan *plan = worker->omp->plan;
    double own = 0.0, t = time_of(&worker->clock, operation);
    bool admissible = true;
    for (int32_t g = 0; g < plan->grid->groups; g++) {
        const struct ewi_edge_group *group = &plan->grid->group[g];
        if (group->boundary < 0 || group->padded == 0 || !plan->boundary[group->boundary].time_dependent)
            continue;
        admissible = ewi_evaluate_own_slots(worker, group, t, &own) && admissible;
    }
    return admissible ? ewi_bits_of(own) : (uint64_t)EWI_INADMISSIBLE;
}

/* The first stage has what was evaluated for the length of its step. */
static void evaluate_boundaries(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    if (operation->stage == 1)
        return;
    double begun = begin_timing(worker);
    uint64_t largest = ewi_largest_of_all(worker, evaluate_groups(worker, operation));
    end_timing(worker, operation, EWI_WORK_boundary, NULL, begun);
    ewi_take_given(worker, largest);
}

/* ---- one right-hand side and stage by the paper's kernels ---- */

/* Not waited for. */
static void evaluate_volume(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    double begun = begin_timing(worker);
    ewi_paper_volume(&worker->paper, ewi_listed_of(worker, operation), omp->state[operation->source], worker->volume);
    end_timing(worker, operation, EWI_WORK_eval_volume, NULL, begun);
}

/* Waits for the volume integrals, too. */
static void evaluate_surface(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    double begun = begin_timing(worker);
    ewi_paper_surface(&worker->paper, ewi_listed_of(worker, operation), omp->state[operation->source], worker->surface);
    end_timing(worker, operation, EWI_WORK_eval_surface, NULL, begun);
    ewi_team_wait(worker->thread);
}

/* Not waited for. */
static void evaluate_source(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    double begun = begin_timing(worker);
    ewi_paper_source(&worker->paper, ewi_listed_of(worker, operation), omp->state[operation->source],
                     time_of(&worker->clock, operation), omp->sources);
    end_timing(worker, operation, EWI_WORK_eval_source, NULL, begun);
}

/* Waits, since boundary data and registers change after it. */
static void evaluate_outflow(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    double begun = begin_timing(worker);
    ewi_paper_outflow(&worker->paper, ewi_listed_of(worker, operation), omp->state[operation->source],
                      operation->weight * worker->clock.step, omp->outflow);
    end_timing(worker, operation, EWI_WORK_eval_outflow, NULL, begun);
    ewi_team_wait(worker->thread);
}

/* Not waited for. */
static void gather_rhs(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    if (!worker->rhs)
        return;
    double begun = begin_timing(worker);
    ewi_paper_rhs(&worker->paper, ewi_listed_of(worker, operation), worker->volume, worker->surface, omp->sources,
                  worker->rhs);
    end_timing(worker, operation, EWI_WORK_eval_rhs, NULL, begun);
}

static void update_state(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    const struct ewi_stage *stage = &omp->plan->scheme->stage[operation->stage - 1];
    const struct ewi_update update = ewi_update_of(omp, stage, worker->clock.step);
    double *target = omp->state[operation->target], begun = begin_timing(worker);
    ewi_paper_update(&worker->paper, ewi_listed_of(worker, operation), &update, omp->rhs, target);
    end_timing(worker, operation, EWI_WORK_update, stage, begun);
    begun = begin_timing(worker);
    bool admissible = ewi_paper_is_admissible(&worker->paper, ewi_listed_of(worker, operation), target);
    end_timing(worker, operation, EWI_WORK_admissible, NULL, begun);
    if (operation->target == 0)
        set_speed(worker, operation, -1.0);
    ewi_end_stage(worker, operation, ewi_largest_of_all(worker, !admissible) == 0);
}

/* ---- the fused stage ---- */

/* Computes the border traces of a state that no stage wrote: an initial one, or one that a limiter changed. */
static void know_border(struct ewi_worker *worker, const double *state)
{
    struct ewi_omp *omp = worker->omp;
    if (worker->known.border_of == state)
        return;
    struct ewi_share own = ewi_own_elements(worker, omp->plan->grid->padded);
    omp->kernels->border(&omp->arguments, &omp->tiles, state, worker->known.border[0], own.first, own.last);
    ewi_team_wait(worker->thread);
    worker->known.border_of = state;
}

/*
 * The stage of one tile, and the largest wave speed of what it leaves if `ends`: it is then the last one of its step,
 * and the next one's length is known without another pass.
 */
static uint64_t tile_stage(const struct ewi_worker *worker, const double *state, const struct ewi_update *update,
                           double *target, double *border, const struct ewi_limiting *with, bool ends, int64_t tile)
{
    struct ewi_omp *omp = worker->omp;
    int64_t padded = omp->plan->grid->padded, first = tile * omp->tiles.size, last = first + omp->tiles.size;
    double *scratch = omp->scratch + omp->scratch_stride * (size_t)worker->thread->number;
    int64_t inadmissible = omp->kernels->stage(&worker->arguments, &omp->tiles, state, worker->known.border[0], update,
                                               target, border, with, omp->plan->grid->elements, (int32_t)tile, scratch);
    if (inadmissible >= 0)
        return (uint64_t)EWI_INADMISSIBLE;
    if (!ends)
        return 0;
    last = last < padded ? last : padded;
    return ewi_bits_of(omp->kernels->speed(&omp->arguments, target, omp->plan->grid->elements, first, last));
}

/*
 * This thread's tiles of a list, and of a limiter that waits what is due after each of them; what waits for other
 * threads' is due when all have done theirs. Such a limiter needs the list of all elements. Returns the largest of what
 * tile_stage does.
 */
static uint64_t own_tiles(struct ewi_worker *worker, const struct ewi_listed *of, const double *state,
                          const struct ewi_update *update, double *target, double *border,
                          const struct ewi_limiting *with, bool ends)
{
    struct ewi_omp *omp = worker->omp;
    const struct ewi_tiles *tiles = &omp->tiles;
    struct ewi_share own = ewi_team_share(worker->thread, of->units);
    int32_t groups = tiles->size / EWI_TILE, all = omp->plan->grid->padded / EWI_TILE;
    int32_t due = (int32_t)own.first * groups, end = (int32_t)own.last * groups;
    double *scratch = omp->scratch + omp->scratch_stride * (size_t)worker->thread->number;
    bool streams = ewi_streams(tiles, update, target);
    uint64_t largest = 0;
    for (int64_t k = own.first; k < own.last; k++) {
        uint64_t here = tile_stage(worker, state, update, target, border, with, ends, of->unit[k]);
        largest = here > largest ? here : largest;
        if (with->first) {
            omp->kernels->limit_due(&omp->arguments, tiles, with, streams, target, border, due, tiles->due_end[k],
                                    scratch);
            due = tiles->due_end[k];
        }
    }
    largest = ewi_largest_of_all(worker, largest);
    if (with->first) {
        end = end < all ? end : all;
        omp->kernels->limit_due(&omp->arguments, tiles, with, streams, target, border, due, end, scratch);
        ewi_team_wait(worker->thread);
    }
    return largest;
}

/* The update of a stage; outside of stages, a right-hand side by itself. */
static struct ewi_update stage_update(const struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_stage *stage = worker->omp->plan->scheme->stage;
    struct ewi_update update = {.step = 1.0, .base = worker->rhs};
    if (operation->stage > 0)
        update = ewi_update_of(worker->omp, &stage[operation->stage - 1], worker->clock.step);
    update.time = time_of(&worker->clock, operation);
    return update;
}

static struct ewi_limiting stage_limiting(const struct ewi_worker *worker, const struct ewi_operation *operation)
{
    bool limits = operation->on_store & EWI_OP_BIT(limit), jump_sensor = operation->on_load & EWI_OP_BIT(jump_sensor);
    return (struct ewi_limiting){.limiter = worker->omp->plan->limiter, .step = worker->clock.step,
                                 .jump_sensor = jump_sensor,
                                 .positive = (operation->on_store & EWI_OP_BIT(positivity)) != 0,
                                 .first = limits && !jump_sensor ? worker->omp->first : NULL};
}

/*
 * A state of which an operation has made its list's elements: once all are, the next stage uses their border traces,
 * unless something else is still to change it.
 */
static void take_border(struct ewi_worker *worker, const struct ewi_operation *operation, const double *target,
                        double *border)
{
    struct ewi_known *known = &worker->known;
    if (!border) {
        known->border_of = known->border_of == target ? NULL : known->border_of;
        return;
    }
    known->next |= ewi_step_classes(&worker->omp->step, operation);
    if (known->next + 1 != 1u << worker->omp->step.classes)
        return;
    known->next = 0;
    known->border[1] = known->border[0];
    known->border[0] = border;
    known->border_of = target;
}

static void fused_stage(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    const struct ewi_update update = stage_update(worker, operation);
    const struct ewi_limiting with = stage_limiting(worker, operation);
    const double *state = omp->state[operation->source];
    double *target = operation->stage == 0 ? worker->rhs : omp->state[operation->target];
    bool ends = operation->on_store & EWI_OP_BIT(speed);
    if (!target)
        return;
    double begun = begin_timing(worker);
    know_border(worker, state);
    double *border = operation->stage > 0 && operation->completes ? worker->known.border[1] : NULL;
    uint64_t largest = own_tiles(worker, ewi_listed_of(worker, operation), state, &update, target, border, &with, ends);
    take_border(worker, operation, target, border);
    if (operation->stage == 0)
        return;
    end_timing(worker, operation, EWI_WORK_stage, &omp->plan->scheme->stage[operation->stage - 1], begun);
    if (operation->target == 0)
        set_speed(worker, operation, ends ? ewi_speed_of(largest) : -1.0);
    ewi_end_stage(worker, operation, largest != (uint64_t)EWI_INADMISSIBLE);
}

/* ---- steps ---- */

static void reduce(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    if (operation->quantity == EWI_QUANTITY_change) {
        worker->clock.change = ewi_speed_of(largest_of_parts(worker, ewi_largest_of_all(worker, worker->change)));
        return;
    }
    uint64_t bits = 0;
    for (int k = 0; k < worker->omp->step.classes; k++)
        bits = ewi_bits_of(worker->known.speed[k]) > bits ? ewi_bits_of(worker->known.speed[k]) : bits;
    double known = ewi_speed_of(bits), speed = known < worker->given_speed ? worker->given_speed : known;
    ewi_clock_decide(&worker->clock, largest_of_parts(worker, ewi_clock_key(worker->inadmissible, speed)),
                     &worker->speed);
}

static void begin_step(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    (void)operation;
    ewi_clock_follow_speed(&worker->clock, worker->speed);
    ewi_clock_begin(&worker->clock);
    worker->arguments.parameter[EWI_STEP_PARAMETER] = worker->clock.step;
}

static void end_step(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    (void)operation;
    ewi_clock_end(&worker->clock);
}

static void take_instants(struct ewi_worker *worker, const struct ewi_operation *operation);

/* Without levels, and what they have in common. */
static ewi_performer *const performer[EWI_OP_COUNT] = {
    [EWI_OP_speed] = find_speed,
    [EWI_OP_boundary] = evaluate_boundaries,
    [EWI_OP_reduce] = reduce,
    [EWI_OP_begin] = begin_step,
    [EWI_OP_keep] = keep,
    [EWI_OP_jump_sensor] = eval_jump_sensor,
    [EWI_OP_sense] = sense,
    [EWI_OP_alpha] = find_alpha,
    [EWI_OP_divide] = divide,
    [EWI_OP_subcells] = take_volumes,
    [EWI_OP_volume] = evaluate_volume,
    [EWI_OP_surface] = evaluate_surface,
    [EWI_OP_source] = evaluate_source,
    [EWI_OP_outflow] = evaluate_outflow,
    [EWI_OP_gather] = gather_rhs,
    [EWI_OP_update] = update_state,
    [EWI_OP_stage] = fused_stage,
    [EWI_OP_limit] = limit,
    [EWI_OP_positivity] = make_positive,
    [EWI_OP_exchange] = exchange,
    [EWI_OP_instants] = take_instants,
    [EWI_OP_change] = find_change,
    [EWI_OP_end] = end_step,
};

/* The function of an operation; NULL if it has none. */
static ewi_performer *performer_of(const struct ewi_step *step, int number)
{
    enum ewi_operation_kind kind = step->operation[number].kind;
    bool at_instant = number >= step->instant.first && number < step->instant.first + step->instant.count;
    return at_instant && ewi_level_operation[kind] ? ewi_level_operation[kind] : performer[kind];
}

static int check_step(const struct ewi_omp *omp, const struct ewi_step *step, ew_error *error)
{
    for (int k = 0; k < step->operations; k++)
        if (!performer_of(step, k))
            return ewi_step_refuse(step, k, "the backend omp has no such operation", error);
    return ewi_step_check(&omp->plan->sizes, step, error);
}

static const struct ewi_step *step_for(const struct ewi_worker *worker)
{
    const struct ewi_omp *omp = worker->omp;
    bool in_tiles = omp->fused && !omp->profile && worker->thread->size == omp->tiles.threads;
    return in_tiles ? &omp->step : &omp->passes;
}

/* Steps until the clock stops; with an inadmissible state, does only the operations that other parts wait for. */
static void run(struct ewi_worker *worker, const struct ewi_step *step, struct ewi_operation_range range)
{
    for (int k = range.first; k < range.first + range.count && worker->clock.state == EWI_CLOCK_RUNNING; k++) {
        const struct ewi_operation *operation = &step->operation[k];
        if (worker->inadmissible == 0 || ewi_operation_is_collective(operation->kind))
            performer_of(step, k)(worker, operation);
    }
}

/* The instants of a macro step; of one that breaks off, `instant` is where. */
static void take_instants(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp *omp = worker->omp;
    const struct ewi_step *step = &omp->step;
    int levels = omp->levels->levels;
    (void)operation;
    worker->now = (struct ewi_level_moment){.macro = worker->clock.step, .state = omp->state, .rhs = omp->rhs};
    for (worker->instant = 0; worker->instant < (int64_t)1 << (levels - 1); worker->instant++) {
        worker->now.top = ewi_level_top(levels, worker->instant);
        worker->now.ending = ewi_level_top(levels, worker->instant + 1);
        ewi_level_begin_instant(worker);
        run(worker, step, step->instant);
        if (worker->clock.state != EWI_CLOCK_RUNNING)
            return;
    }
    worker->instant = 0;
    forget_speed(&worker->known);
}

/* ---- what a team is called for ---- */

struct call {
    struct ewi_omp *omp;
    void (*work)(struct ewi_worker *worker);
    struct ewi_clock clock;
    double *volume, *surface, *rhs; /* of a residual */
    int inadmissible;
    struct {
        struct ewi_known known;
        struct ewi_clock clock;
        int inadmissible, failed_level;
        int64_t instant;
    } end; /* of the calling thread; others may still read the clock above */
};

static void take_part(struct ewi_thread *thread, void *context)
{
    struct call *call = context;
    struct ewi_worker worker = {.omp = call->omp, .thread = thread, .known = call->omp->known, .clock = call->clock,
                        .volume = call->volume, .surface = call->surface, .rhs = call->rhs,
                        .arguments = call->omp->arguments, .failed_level = -1};
    worker.paper = (struct ewi_paper){call->omp->kernels, &worker.arguments, call->omp->plan};
    call->work(&worker);
    if (thread->number == 0) {
        call->end.known = worker.known;
        call->end.clock = worker.clock;
        call->end.inadmissible = worker.inadmissible;
        call->end.instant = worker.instant;
        call->end.failed_level = worker.failed_level;
    }
}

static void call_team(struct call *call)
{
    ewi_team_run(call->omp->team, take_part, call);
    call->omp->known = call->end.known;
    call->clock = call->end.clock;
    call->inadmissible = call->end.inadmissible;
}

/* A call with the time loop's arrays, and the clock at its start. */
static struct call call_for(struct ewi_omp *omp, void (*work)(struct ewi_worker *worker), struct ewi_clock clock)
{
    return (struct call){.omp = omp, .work = work, .clock = clock, .volume = omp->rhs_volume,
                         .surface = omp->rhs_surface, .rhs = omp->rhs};
}

static void open_step(struct ewi_worker *worker)
{
    const struct ewi_step *step = step_for(worker);
    run(worker, step, step->opening);
}

static int omp_time_step(void *instance, double *dt, struct ewi_progress *progress, ew_error *error)
{
    struct ewi_omp *omp = instance;
    struct call call = call_for(omp, open_step, ewi_clock_start(omp->plan, progress, INFINITY, 1));
    call_team(&call);
    int status = ewi_clock_first_step(&call.clock, omp->plan, omp->state[0], dt, progress, error);
    if (omp->levels && status == EW_ESTATE)
        ewi_level_find_element(omp, progress);
    return status;
}

static void take_steps(struct ewi_worker *worker)
{
    const struct ewi_step *step = step_for(worker);
    struct ewi_clock *clock = &worker->clock;
    if (ewi_clock_wants_step(clock) && step->opening.first != step->step.first)
        open_step(worker);
    while (clock->state == EWI_CLOCK_RUNNING)
        if (ewi_clock_wants_step(clock))
            run(worker, step, step->step);
        else
            ewi_clock_begin(clock); /* which ends the loop */
    if (worker->omp->levels)
        ewi_level_give_state(worker);
}

#define LOST_WINDOW 3.0 /* seconds of steps that are looked at */
#define LOST_SHARE 0.25

/* Once in a solver's life. */
static void warn_of_others(struct ewi_omp *omp)
{
    double lost = omp->warned || !omp->host.log ? 0.0 : ewi_team_lost(omp->team, LOST_WINDOW);
    if (lost < LOST_SHARE)
        return;
    omp->warned = true;
    ewi_log(&omp->host, EW_LOG_WARNING,
            "the solver's %d threads wait %.0f %% of the time for cores that others use; fewer threads, or fewer "
            "programs, may be faster",
            ewi_team_size(omp->team), 100.0 * lost);
}

static int omp_advance(void *instance, double until, int64_t max_steps, struct ewi_progress *progress, ew_error *error)
{
    struct ewi_omp *omp = instance;
    struct call call = call_for(omp, take_steps, ewi_clock_start(omp->plan, progress, until, max_steps));
    call.clock.speed = omp->speed;
    call_team(&call);
    warn_of_others(omp);
    bool inadmissible = call.clock.state == EWI_CLOCK_INADMISSIBLE && call.clock.stage > 0;
    bool of_another_part = inadmissible && call.clock.stage != call.inadmissible;
    struct ewi_level_break at = {call.clock.time, call.clock.step, call.end.instant, call.end.failed_level};
    if (inadmissible && omp->levels && omp->plan->part)
        of_another_part = !ewi_level_decode_break(omp, call.clock.stage, call.inadmissible, &at, &call.clock.stage);
    int of = inadmissible ? omp->plan->scheme->stage[call.clock.stage - 1].target : 0;
    int status = ewi_clock_result(&call.clock, omp->plan, of_another_part ? NULL : omp->state[of], progress, error);
    if (omp->levels && status == EW_ESTATE)
        ewi_level_find_place(omp, &at, progress);
    omp->speed = call.clock.speed;
    if (!omp->growth_warned)
        omp->growth_warned = ewi_clock_warn_of_growth(&omp->host, call.clock.growth);
    return status;
}

/* The residual of a state on its own has no finite volumes: the limiter subcell is off. */
static void find_residual(struct ewi_worker *worker)
{
    worker->arguments.subcells = (struct ewi_subcells){.jumps = NULL};
    run(worker, &worker->omp->passes, worker->omp->passes.rhs);
}

static int omp_set_state(void *instance, const double *state, bool limited, ew_error *error);

/* Right-hand sides of a case with levels are those of one without, which an instance of its own evaluates. */
static int make_plain(struct ewi_omp *omp, ew_error *error)
{
    const struct ewi_backend_options options = {.level = omp->level->name, .threads = ewi_team_size(omp->team)};
    void *plain;
    if (omp->plain)
        return EW_OK;
    if (!omp->plain_plan && !(omp->plain_plan = ewi_alloc(&omp->host, 1, sizeof *omp->plain_plan)))
        return ewi_fail(error, EW_ENOMEM, "not enough memory for right-hand sides");
    *omp->plain_plan = *omp->whole;
    omp->plain_plan->levels = 1;
    omp->plain_plan->set = EWI_SET_edgewise;
    TRY(omp_create(omp->plain_plan, &options, &plain, error));
    omp->plain = plain;
    return EW_OK;
}

static int omp_residual(void *instance, double t, double *volume, double *surface, double *rhs, ew_error *error)
{
    struct ewi_omp *omp = instance;
    if (omp->levels) {
        TRY(make_plain(omp, error));
        TRY(omp_set_state(omp->plain, omp->whole_state, false, error));
        return omp_residual(omp->plain, t, volume, surface, rhs, error);
    }
    if (omp->fused && (volume || surface))
        return ewi_fail(error, EW_EINVAL, "the kernel set fused has no %s integrals of its own; the set edgewise has",
                        volume ? "volume" : "surface");
    for (size_t k = 0; omp->fused && rhs && k < ewi_plan_state_doubles(omp->plan); k++)
        rhs[k] = -0.0; /* what changes no sum, not even one that is -0 */
    struct call call = {.omp = omp, .work = find_residual, .clock = {.time = t}, .rhs = rhs,
                        .volume = volume ? volume : omp->rhs_volume, .surface = surface ? surface : omp->rhs_surface};
    call_team(&call);
    return EW_OK;
}

static int omp_profile(void *instance, int64_t steps, struct ewi_progress *progress, ew_kernel_profile *kernel,
                       int *kernels, ew_error *error)
{
    struct ewi_omp *omp = instance;
    if (omp->levels)
        return ewi_fail(error, EW_EUNAVAILABLE,
                        "the kernels of levels of time steps cannot be timed one by one so far");
    omp->profile = kernel;
    omp->profiles = 0;
    int status = omp_advance(omp, INFINITY, steps, progress, error);
    omp->profile = NULL;
    *kernels = omp->profiles;
    return status;
}

/* ---- what the machine can do ---- */

enum { COPY_ROUNDS = 8, FMA_ROUNDS = 6, FMA_STEPS = 1 << 14 };
#define FMA_SECONDS 0.05
#define COPY_DOUBLES ((size_t)1 << 25) /* of an array, which no cache holds */

/* A team measures as it would step: all threads at once, each with its part of the arrays in its own memory. */
struct measured {
    const struct ewi_omp_level *level;
    double *from, *to;
    _Atomic int64_t operations, finite; /* finite: threads whose sums are, so that nobody may leave them out */
    double copy, fma; /* bytes, and fma, a second: the best of all rounds, the first of which warms up */
};

static void copy_share(struct ewi_thread *thread, struct measured *measured)
{
    struct ewi_share own = ewi_team_share(thread, (int64_t)COPY_DOUBLES);
    size_t bytes = (size_t)(own.last - own.first) * sizeof(double);
    memset(measured->from + own.first, 0, bytes);
    for (int round = 0; round < COPY_ROUNDS; round++) {
        ewi_team_wait(thread);
        double begun = ewi_seconds();
        memcpy(measured->to + own.first, measured->from + own.first, bytes);
        ewi_team_wait(thread);
        double rate = 2.0 * (double)(COPY_DOUBLES * sizeof(double)) / (ewi_seconds() - begun);
        if (thread->number == 0 && round > 0 && rate > measured->copy)
            measured->copy = rate;
    }
}

static void multiply_and_add(struct ewi_thread *thread, struct measured *measured)
{
    double sum = 0.0;
    int64_t before = 0;
    for (int round = 0; round < FMA_ROUNDS; round++) {
        double operations = 0.0, begun = ewi_seconds();
        while (ewi_seconds() - begun < FMA_SECONDS)
            operations += measured->level->fma_chains(FMA_STEPS, &sum);
        measured->operations += (int64_t)operations;
        ewi_team_wait(thread);
        double rate = 2.0 * (double)(measured->operations - before) / (ewi_seconds() - begun);
        before = measured->operations;
        if (thread->number == 0 && round > 0 && rate > measured->fma)
            measured->fma = rate;
        ewi_team_wait(thread);
    }
    measured->finite += isfinite(sum);
}

static void measure(struct ewi_thread *thread, void *context)
{
    multiply_and_add(thread, context);
    copy_share(thread, context);
}

static int omp_limits(const ew_host *host, const struct ewi_backend_options *options, ew_limits *limits,
                      ew_error *error)
{
    struct ewi_omp omp = {.host = *host};
    int status = choose_level(&omp, options->level, error);
    if (status != EW_OK)
        return status;
    struct measured measured = {.level = omp.level,
                                .from = ewi_alloc_untouched(host, COPY_DOUBLES, sizeof(double)),
                                .to = ewi_alloc_untouched(host, COPY_DOUBLES, sizeof(double))};
    struct ewi_team *team = ewi_team_create(host, ew_thread_count(options->threads, NULL, 0));
    bool complete = team && measured.from && measured.to;
    if (complete)
        ewi_team_run(team, measure, &measured);
    *limits = (ew_limits){.copy_bytes_per_s = measured.copy, .flops_per_s = measured.finite ? measured.fma : NAN,
                          .tensor_flops_per_s = NAN};
    int threads = team ? ewi_team_size(team) : 0;
    ewi_snprintf(limits->device, sizeof limits->device, "%d thread%s, %s", threads, threads == 1 ? "" : "s",
                 omp.level->name);
    ewi_team_destroy(team);
    ewi_free(host, measured.from);
    ewi_free(host, measured.to);
    return complete ? EW_OK
                    : ewi_fail(error, EW_ENOMEM, "not enough memory to measure its speed: it takes %zu MB",
                               2 * COPY_DOUBLES * sizeof(double) >> 20);
}

/* ---- the state ---- */

static void limit_present(struct ewi_worker *worker)
{
    worker->arguments.subcells = (struct ewi_subcells){.jumps = NULL};
    run(worker, &worker->omp->passes, worker->omp->passes.initial);
}

static int omp_set_state(void *instance, const double *state, bool limited, ew_error *error)
{
    struct ewi_omp *omp = instance;
    (void)error;
    if (omp->levels) {
        memcpy(omp->whole_state, state, ewi_plan_state_doubles(omp->whole) * sizeof *state);
        ewi_level_plan_take(omp->levels, omp->whole, state, omp->state[0]);
    } else {
        memcpy(omp->state[0], state, ewi_plan_state_doubles(omp->plan) * sizeof *state);
    }
    if (limited)
        call_team(&(struct call){.omp = omp, .work = limit_present});
    if (omp->levels)
        ewi_level_share_state(omp);
    forget_speed(&omp->known);
    omp->known.border_of = NULL;
    omp->known.next = 0;
    omp->speed = 0.0;
    return EW_OK;
}

static int omp_get_state(void *instance, double *state, ew_error *error)
{
    struct ewi_omp *omp = instance;
    (void)error;
    memcpy(state, omp->levels ? omp->whole_state : omp->state[0], ewi_plan_state_doubles(omp->whole) * sizeof *state);
    return EW_OK;
}

static int omp_view_state(const void *instance, const double **state, ew_error *error)
{
    const struct ewi_omp *omp = instance;
    (void)error;
    *state = omp->levels ? omp->whole_state : omp->state[0];
    return EW_OK;
}

static int omp_get_outflow(void *instance, double *outflow, ew_error *error)
{
    const struct ewi_omp *omp = instance;
    if (omp->levels)
        return ewi_level_get_outflow(omp, outflow, error);
    ewi_outflow_pack(omp->plan, omp->outflow, outflow);
    return EW_OK;
}

static int omp_set_outflow(void *instance, const double *outflow, ew_error *error)
{
    const struct ewi_omp *omp = instance;
    if (omp->levels)
        return ewi_level_set_outflow(omp, outflow, error);
    ewi_outflow_unpack(omp->plan, outflow, omp->outflow);
    return EW_OK;
}

/* ---- ensembles ---- */

static void advance_entrants(void *context, int64_t first, int64_t last)
{
    struct ewi_entrant *const *entrant = context;
    for (int64_t k = first; k < last; k++) {
        struct ewi_entrant *one = entrant[k];
        one->status = omp_advance(one->instance, one->until, one->max_steps, &one->progress, &one->error);
        one->stopped = true;
    }
}

static void advance_small(void *context, int64_t first, int64_t last)
{
    struct ewi_entrant *const *entrant = context;
    for (int64_t k = first; k < last; k++)
        if (ewi_team_size(((const struct ewi_omp *)entrant[k]->instance)->team) == 1)
            advance_entrants(context, k, k + 1);
}

/* Those of one thread are distributed over the threads, larger ones follow one after the other. */
static void omp_advance_together(void *ensemble, int members, struct ewi_entrant *const *member, int enough,
                                 bool (*calls)(void *context), void *context)
{
    (void)ensemble, (void)enough, (void)calls, (void)context;
    ewi_parallel_parts(0, members, 1, advance_small, (void *)(uintptr_t)member);
    for (int k = 0; k < members; k++)
        if (!member[k]->stopped)
            advance_entrants((void *)(uintptr_t)member, k, k + 1);
}

const struct ewi_backend ewi_backend_omp = {
    .name = "omp",
#ifdef _OPENMP
    .description = "the host's cores, by OpenMP",
#else
    .description = "one of the host's cores; built without OpenMP",
#endif
    .level = omp_level,
    .create = omp_create,
    .destroy = omp_destroy,
    .describe = omp_describe,
    .fusion = omp_fusion,
    .bytes = omp_bytes,
    .set_state = omp_set_state,
    .get_state = omp_get_state,
    .view_state = omp_view_state,
    .get_outflow = omp_get_outflow,
    .set_outflow = omp_set_outflow,
    .time_step = omp_time_step,
    .advance = omp_advance,
    .advance_together = omp_advance_together,
    .residual = omp_residual,
    .profile = omp_profile,
    .limits = omp_limits,
};
