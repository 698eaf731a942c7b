/* The OpenMP backend: the time loop on the host's cores, by the paper's kernels or by the fused stage. */
#include "ewi_backend.h"
#include "ewi_clock.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_tiles.h"
#include "ewi_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { CHUNK = 64 }; /* elements or slots that a thread takes at once */

struct ewi_omp {
    ew_host host;
    struct ewi_plan *plan;
    const struct ewi_omp_level *level;
    const struct ewi_omp_kernels *kernels;
    bool fused;
    int threads;
    struct ewi_arguments arguments;
    double *state[EWI_MAX_REGISTERS];
    double *kept;        /* a right-hand side, if the scheme keeps one */
    double *before;      /* the state at the step's start, if a steady state is looked for */
    double *rhs_volume, *rhs_surface, *rhs; /* of the edgewise set; rhs_surface: all left contributions, then all right ones */
    struct ewi_tiles tiles; /* of the fused set */
    double *scratch;        /* [threads][tiles.scratch, padded] */
    double *rim[2];         /* traces of all tiles' rims: of the present state, and of the one that is made */
    const double *rim_of;   /* the register that rim[0] belongs to; NULL: none */
    size_t scratch_stride;
    double speed; /* the largest wave speed at the present state; < 0: not known */
    ew_kernel_profile *profile; /* of a call that times each kernel, otherwise NULL */
    int profiles;
};

enum { ELEMENTS_A_THREAD = 512 };

/* What was asked for, or what the machine offers. */
static int offered_threads(int asked)
{
#ifdef _OPENMP
    int most = omp_get_thread_limit() < EW_MAX_THREADS ? omp_get_thread_limit() : EW_MAX_THREADS;
    int count = asked > 0 ? asked : omp_get_max_threads();
    return count < most ? count : most;
#else
    (void)asked;
    return 1;
#endif
}

/* On small meshes fewer, since threads then wait more than they work. */
static int thread_count(const struct ewi_plan *plan, int asked)
{
    int useful = 1 + plan->mesh->elements / ELEMENTS_A_THREAD, offered = offered_threads(asked);
    return asked > 0 || offered < useful ? offered : useful;
}

static int this_thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* ---- timing each kernel ---- */

static double seconds(void)
{
#ifdef _OPENMP
    return omp_get_wtime();
#else
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}

static double begin_timing(const struct ewi_omp *omp)
{
    return omp->profile ? seconds() : 0.0;
}

static void end_timing(struct ewi_omp *omp, enum ewi_work_kind kind, const struct ewi_stage *stage, double begun)
{
    if (omp->profile)
        ewi_profile_add(omp->profile, &omp->profiles, kind, 1, seconds() - begun, ewi_work_of(omp->plan, kind, stage));
}

/* ---- creation ---- */

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
    char names[256] = "";
    for (size_t k = 0, length = 0; ewi_omp_level_at((int)k) && length < sizeof names; k++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", k > 0 ? ", " : "", ewi_omp_level_at((int)k)->name);
    return ewi_fail(error, EW_EINVAL, "there is no instruction level \"%s\" in this build; there are %s", name, names);
}

static int choose_kernels(struct ewi_omp *omp, const char *name, ew_error *error)
{
    bool tiled = omp->plan->width == EWI_TILE;
    omp->fused = name ? strcmp(name, "fused") == 0 : tiled;
    if (name && !omp->fused && strcmp(name, "edgewise") != 0)
        return ewi_fail(error, EW_EINVAL, "there is no kernel set \"%s\"; there are fused and edgewise", name);
    if (omp->fused && !tiled)
        return ewi_fail(error, EW_EINVAL, "the kernel set fused needs tiles of %d elements; leave out tile, or use edgewise",
                        EWI_TILE);
    omp->kernels = omp->level->kernels[omp->plan->basis->order - 1][omp->plan->law->number];
    return EW_OK;
}

static struct ewi_arguments arguments_of(const struct ewi_plan *plan)
{
    const struct ewi_grid *grid = plan->grid;
    return (struct ewi_arguments){
        .width = plan->width,
        .padded = grid->padded,
        .parameter = {plan->parameter[0], plan->parameter[1]},
        .flux = plan->flux,
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
        .volume_field = plan->volume_field,
        .edge_field = plan->edge_field,
        .speed_bound = plan->speed_bound,
    };
}

/* Zeroed, and each thread's part of the mesh in its own memory. */
static double *alloc_shared(const struct ewi_omp *omp, size_t doubles)
{
    double *array = ewi_alloc_untouched(&omp->host, doubles, sizeof *array);
    size_t part = doubles / (size_t)omp->threads + 1;
    if (!array)
        return NULL;
#pragma omp parallel for schedule(static) num_threads(omp->threads)
    for (int thread = 0; thread < omp->threads; thread++) {
        size_t first = part * (size_t)thread < doubles ? part * (size_t)thread : doubles;
        size_t count = first + part < doubles ? part : doubles - first;
        memset(array + first, 0, count * sizeof *array);
    }
    return array;
}

/* More than caches keep from one stage to the next: 32 MB, or 4 MB a thread. What a guest is told of its caches is often wrong. */
static bool exceeds_caches(const struct ewi_omp *omp)
{
    size_t megabytes = omp->threads > 8 ? 4 * (size_t)omp->threads : 32;
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
    if (plan->steady > 0.0)
        EWI_NEED(before, doubles);
    if (omp->fused) {
        omp->scratch_stride = (omp->tiles.scratch + 511) / 512 * 512 + 64; /* other threads' pages, another set of the cache */
        EWI_NEED(scratch, omp->scratch_stride * (size_t)omp->threads);
        EWI_NEED(rim[0], omp->tiles.rim);
        EWI_NEED(rim[1], omp->tiles.rim);
    } else {
        EWI_NEED(rhs_volume, doubles);
        EWI_NEED(rhs, doubles);
        EWI_NEED(rhs_surface, 2 * ewi_plan_slot_doubles(plan));
    }
#undef EWI_NEED
    return complete ? EW_OK
                    : ewi_fail(error, EW_ENOMEM, "there is no memory for %d arrays of %zu MB of the state of %d elements",
                               plan->scheme->registers, doubles * sizeof(double) >> 20, plan->grid->elements);
}

static void omp_destroy(void *instance)
{
    struct ewi_omp *omp = instance;
    if (!omp)
        return;
    ew_host host = omp->host;
    for (int k = 0; k < EWI_MAX_REGISTERS; k++)
        ewi_free(&host, omp->state[k]);
    ewi_tiles_destroy(&host, &omp->tiles);
    void *const arrays[] = {omp->kept, omp->before, omp->rhs_volume, omp->rhs_surface, omp->rhs,
                            omp->scratch, omp->rim[0], omp->rim[1], omp};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ewi_free(&host, arrays[k]);
}

static int omp_create(struct ewi_plan *plan, const struct ewi_backend_options *options, void **instance, ew_error *error)
{
    struct ewi_omp *omp = ewi_alloc(&plan->host, 1, sizeof *omp);
    int status = EW_OK;
    if (!omp)
        return ewi_fail(error, EW_ENOMEM, "there is no memory for the backend");
    omp->host = plan->host;
    omp->plan = plan;
    omp->speed = -1.0;
    omp->threads = thread_count(plan, options->threads);
    omp->arguments = arguments_of(plan);
    if (options->image)
        EWI_TRY(ewi_fail(error, EW_EINVAL, "the image \"%s\" is code for a GPU, and the backend omp has none; leave it out, or use cuda",
                         options->image));
    if (options->device != 0)
        EWI_TRY(ewi_fail(error, EW_EINVAL, "GPU number %d is asked for, and the backend omp has none; leave it out, or use cuda",
                         options->device));
    EWI_TRY(choose_level(omp, options->level, error));
    EWI_TRY(choose_kernels(omp, options->kernels, error));
    if (omp->fused)
        EWI_TRY(ewi_tiles_create(plan, omp->kernels, omp->threads, &omp->tiles, error));
    EWI_TRY(allocate(omp, error));
    omp->tiles.streams = exceeds_caches(omp);
    *instance = omp;
    omp = NULL;
out:
    omp_destroy(omp);
    return status;
}

static bool omp_usable(ew_error *error)
{
    (void)error;
    return true;
}

static const char *omp_level(int index, const char **description)
{
    const struct ewi_omp_level *level = ewi_omp_level_at(index);
    if (level)
        *description = level->runs_here() ? level->description : level->description_absent;
    return level ? level->name : NULL;
}

static const char *omp_image(int index, const char **description)
{
    (void)index, (void)description;
    return NULL;
}

static bool omp_device(int index, char *text, size_t size)
{
    (void)index, (void)text, (void)size;
    return false;
}

static const char *omp_kernel_set(int index)
{
    static const char *const sets[] = {"fused", "edgewise"};
    return index >= 0 && index < (int)(sizeof sets / sizeof *sets) ? sets[index] : NULL;
}

static void omp_describe(const void *instance, const char **kernels, char *device, size_t size)
{
    const struct ewi_omp *omp = instance;
    *kernels = omp->fused ? "fused" : "edgewise";
    snprintf(device, size, "%d thread%s, %s", omp->threads, omp->threads == 1 ? "" : "s", omp->level->name);
}

static size_t omp_bytes(const struct ewi_plan *plan, const struct ewi_backend_options *options, size_t *device)
{
    *device = 0;
    size_t arrays = (size_t)(plan->scheme->registers + plan->scheme->keeps + (plan->steady > 0.0));
    size_t bytes = arrays * ewi_plan_state_doubles(plan) * sizeof(double);
    if (options->kernels ? strcmp(options->kernels, "edgewise") == 0 : plan->width != EWI_TILE)
        return bytes + (2 * ewi_plan_state_doubles(plan) + 2 * ewi_plan_slot_doubles(plan)) * sizeof(double);
    /* Edges on the rim of a tile, about a fifth of all, are there twice. */
    size_t edges = (size_t)plan->mesh->edges * 6 / 5, fields = (size_t)(plan->basis->ne * plan->fields);
    bytes += edges * (2 * sizeof(int32_t) + (3 + fields) * sizeof(double));
    const struct ewi_omp_kernels *kernels = ewi_omp_level_at(0)->kernels[plan->basis->order - 1][plan->law->number];
    size_t trace = (size_t)(plan->basis->ne * kernels->components), traces = (size_t)kernels->tile * 3 * trace * 6 / 5;
    bytes += (size_t)plan->mesh->edges * 2 / 5 * (2 * trace * sizeof(double) + 2 * sizeof(int32_t));
    return bytes + (size_t)thread_count(plan, options->threads) * traces * sizeof(double);
}

/* ---- passes over the mesh ---- */

static void limit(struct ewi_omp *omp, double *state)
{
    int64_t padded = omp->plan->grid->padded;
    double begun = begin_timing(omp);
#pragma omp parallel for schedule(static) num_threads(omp->threads)
    for (int64_t first = 0; first < padded; first += CHUNK)
        omp->kernels->limit_c(&omp->arguments, state, first, first + CHUNK < padded ? first + CHUNK : padded);
    end_timing(omp, EWI_WORK_limit_c, NULL, begun);
}

/* A maximum has the same bits in any order; NaN wins. */
static double largest_speed(struct ewi_omp *omp, const double *state)
{
    int64_t padded = omp->plan->grid->padded, elements = omp->plan->grid->elements;
    double largest = 0.0, begun = begin_timing(omp);
    bool broken = false;
#pragma omp parallel for schedule(static) num_threads(omp->threads) reduction(max : largest) reduction(|| : broken)
    for (int64_t first = 0; first < padded; first += CHUNK) {
        int64_t last = first + CHUNK < padded ? first + CHUNK : padded;
        double speed = omp->kernels->speed(&omp->arguments, state, elements, first, last);
        broken = broken || isnan(speed);
        largest = speed > largest ? speed : largest;
    }
    end_timing(omp, EWI_WORK_time_step, NULL, begun);
    return broken ? NAN : largest;
}

static bool any_inadmissible(struct ewi_omp *omp, const double *state)
{
    int64_t padded = omp->plan->grid->padded, elements = omp->plan->grid->elements;
    bool broken = false;
    double begun = begin_timing(omp);
#pragma omp parallel for schedule(static) num_threads(omp->threads) reduction(|| : broken)
    for (int64_t first = 0; first < padded; first += CHUNK) {
        int64_t last = first + CHUNK < padded ? first + CHUNK : padded;
        broken = broken || omp->kernels->inadmissible(&omp->arguments, state, elements, first, last) >= 0;
    }
    end_timing(omp, EWI_WORK_admissible, NULL, begun);
    return broken;
}

static void keep_state(struct ewi_omp *omp)
{
    int64_t doubles = (int64_t)ewi_plan_state_doubles(omp->plan);
    const double *now = omp->state[0];
    double *before = omp->before;
#pragma omp parallel for schedule(static) num_threads(omp->threads)
    for (int64_t k = 0; k < doubles; k++)
        before[k] = now[k];
}

static double largest_change(struct ewi_omp *omp)
{
    int64_t padded = omp->plan->grid->padded, rows = omp->plan->rows;
    double largest = 0.0;
    const double *now = omp->state[0], *before = omp->before;
    /* Padded elements never change. */
#pragma omp parallel for schedule(static) num_threads(omp->threads) reduction(max : largest)
    for (int64_t k = 0; k < padded * rows; k++) {
        double change = fabs(now[k] - before[k]);
        largest = change > largest ? change : largest;
    }
    return largest;
}

/* Whether all given states are admissible at time t. */
static bool evaluate_boundaries(struct ewi_omp *omp, double t)
{
    struct ewi_plan *plan = omp->plan;
    double begun = begin_timing(omp);
    bool broken = false;
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        if (!plan->boundary[b].time_dependent)
            continue;
        const struct ewi_edge_group *group = &plan->grid->group[b];
        bool parallel = plan->boundary[b].state.formula && group->padded > CHUNK;
        (void)parallel;
#pragma omp parallel for schedule(static) num_threads(omp->threads) if (parallel) reduction(|| : broken)
        for (int32_t first = 0; first < group->padded; first += CHUNK) {
            int32_t count = group->padded - first < CHUNK ? group->padded - first : CHUNK;
            broken = !ewi_plan_evaluate_boundary(plan, group, group->first + first, count, t) || broken;
        }
    }
    end_timing(omp, EWI_WORK_boundary, NULL, begun);
    return !broken;
}

/* ---- one right-hand side and stage by the paper's kernels ---- */

/* The three kernels of a right-hand side, each to be called by all threads of a parallel region, which it does not wait for. */
static void evaluate_volume(const struct ewi_omp *omp, const double *state, double *volume)
{
    int64_t padded = omp->plan->grid->padded;
#pragma omp for schedule(static) nowait
    for (int64_t first = 0; first < padded; first += CHUNK)
        omp->kernels->eval_volume(&omp->arguments, state, volume, first, first + CHUNK < padded ? first + CHUNK : padded);
}

static void evaluate_surface(const struct ewi_omp *omp, const double *state, double *surface)
{
    const struct ewi_plan *plan = omp->plan;
    const struct ewi_grid *grid = plan->grid;
    double *right = surface + ewi_plan_slot_doubles(plan);
    for (int32_t g = 0; g < grid->groups; g++) {
        int64_t begin = grid->group[g].first, end = begin + grid->group[g].padded;
        int ghost = grid->group[g].boundary < 0 ? -1 : plan->boundary[grid->group[g].boundary].ghost;
#pragma omp for schedule(static) nowait
        for (int64_t first = begin; first < end; first += CHUNK)
            omp->kernels->eval_surface(&omp->arguments, state, ghost, surface, right, first,
                                       first + CHUNK < end ? first + CHUNK : end);
    }
}

static void gather_rhs(const struct ewi_omp *omp, const double *volume, const double *surface, double *rhs)
{
    int64_t padded = omp->plan->grid->padded, right_offset = (int64_t)ewi_plan_slot_doubles(omp->plan);
#pragma omp for schedule(static) nowait
    for (int64_t first = 0; first < padded; first += CHUNK)
        omp->kernels->eval_rhs(&omp->arguments, volume, surface, right_offset, rhs, first,
                               first + CHUNK < padded ? first + CHUNK : padded);
}

/* One right-hand side by the paper's three kernels; rhs NULL: only what it is the sum of. */
static void evaluate_rhs(struct ewi_omp *omp, const double *state, double *volume, double *surface, double *rhs)
{
#pragma omp parallel num_threads(omp->threads)
    {
        evaluate_volume(omp, state, volume);
        evaluate_surface(omp, state, surface);
#pragma omp barrier
        if (rhs)
            gather_rhs(omp, volume, surface, rhs);
    }
}

static void evaluate_rhs_timed(struct ewi_omp *omp, const double *state)
{
    double begun = begin_timing(omp);
#pragma omp parallel num_threads(omp->threads)
    evaluate_volume(omp, state, omp->rhs_volume);
    end_timing(omp, EWI_WORK_eval_volume, NULL, begun);
    begun = begin_timing(omp);
#pragma omp parallel num_threads(omp->threads)
    evaluate_surface(omp, state, omp->rhs_surface);
    end_timing(omp, EWI_WORK_eval_surface, NULL, begun);
    begun = begin_timing(omp);
#pragma omp parallel num_threads(omp->threads)
    gather_rhs(omp, omp->rhs_volume, omp->rhs_surface, omp->rhs);
    end_timing(omp, EWI_WORK_eval_rhs, NULL, begun);
}

static bool edgewise_stage(struct ewi_omp *omp, const struct ewi_stage *stage, const double *state, const struct ewi_update *update,
                           double *target)
{
    int64_t padded = omp->plan->grid->padded;
    if (omp->profile)
        evaluate_rhs_timed(omp, state);
    else
        evaluate_rhs(omp, state, omp->rhs_volume, omp->rhs_surface, omp->rhs);
    double begun = begin_timing(omp);
#pragma omp parallel for schedule(static) num_threads(omp->threads)
    for (int64_t first = 0; first < padded; first += CHUNK)
        omp->kernels->update(&omp->arguments, update, omp->rhs, target, first, first + CHUNK < padded ? first + CHUNK : padded);
    end_timing(omp, EWI_WORK_update, stage, begun);
    return !any_inadmissible(omp, target);
}

/* ---- the fused stage ---- */

/* The rims of a state that no stage has made: an initial one, or what a limiter left. */
static void know_rim(struct ewi_omp *omp, const double *state)
{
    if (omp->rim_of == state)
        return;
    int64_t padded = omp->plan->grid->padded;
#pragma omp parallel for schedule(static) num_threads(omp->threads)
    for (int64_t first = 0; first < padded; first += CHUNK)
        omp->kernels->rim(&omp->tiles, state, omp->rim[0], first, first + CHUNK < padded ? first + CHUNK : padded);
    omp->rim_of = state;
}

/* `rims`: whether to leave those of `target`, from which the next stage goes on as it is. */
static bool fused_stage(struct ewi_omp *omp, const struct ewi_stage *stage, const double *state, const struct ewi_update *update,
                        double *target, bool rims)
{
    bool broken = false;
    double begun = begin_timing(omp);
    know_rim(omp, state);
    double *rim = rims ? omp->rim[1] : NULL;
#pragma omp parallel for schedule(static) num_threads(omp->threads) reduction(|| : broken)
    for (int32_t tile = 0; tile < omp->tiles.count; tile++) {
        double *scratch = omp->scratch + omp->scratch_stride * (size_t)this_thread();
        int64_t first = omp->kernels->stage(&omp->arguments, &omp->tiles, state, omp->rim[0], update, target, rim,
                                            omp->plan->grid->elements, tile, scratch);
        broken = broken || first >= 0;
    }
    if (rim) {
        omp->rim[1] = omp->rim[0];
        omp->rim[0] = rim;
        omp->rim_of = target;
    } else if (omp->rim_of == target) {
        omp->rim_of = NULL;
    }
    end_timing(omp, EWI_WORK_stage, stage, begun);
    return !broken;
}

/* ---- steps ---- */

static struct ewi_update update_of(const struct ewi_omp *omp, const struct ewi_stage *stage, double dt)
{
    struct ewi_update update = {
        .step = stage->step * dt,
        .base = omp->state[0],
        .terms = stage->terms,
        .keep = stage->keeps ? omp->kept : NULL,
        .kept = stage->kept != 0.0 ? omp->kept : NULL,
        .kept_step = stage->kept * dt,
    };
    for (int k = 0; k < stage->terms; k++) {
        update.term[k] = omp->state[stage->term[k].from];
        update.weight[k] = stage->term[k].weight;
    }
    return update;
}

static double known_speed(struct ewi_omp *omp)
{
    if (!(omp->speed >= 0.0))
        omp->speed = largest_speed(omp, omp->state[0]);
    return omp->speed;
}

static int omp_time_step(void *instance, double *dt, struct ewi_progress *progress, ew_error *error)
{
    struct ewi_omp *omp = instance;
    struct ewi_clock clock = ewi_clock_start(omp->plan, progress, INFINITY, 1);
    clock.speed = known_speed(omp);
    return ewi_clock_first_step(&clock, omp->plan, omp->state[0], dt, progress, error);
}

/* Returns the register with the broken state, or NULL. */
static const double *one_step(struct ewi_omp *omp, struct ewi_clock *clock)
{
    const struct ewi_plan *plan = omp->plan;
    omp->speed = -1.0;
    if (omp->before)
        keep_state(omp);
    for (int k = 0; k < plan->scheme->stages; k++) {
        const struct ewi_stage *stage = &plan->scheme->stage[k];
        const double *source = omp->state[stage->source];
        double *target = omp->state[stage->target];
        struct ewi_update update = update_of(omp, stage, clock->step);
        bool given = !plan->time_dependent || evaluate_boundaries(omp, ewi_clock_stage_time(clock, stage->time));
        bool good = omp->fused ? fused_stage(omp, stage, source, &update, target, !plan->limited)
                               : edgewise_stage(omp, stage, source, &update, target);
        if (!given || !good) {
            clock->state = EWI_CLOCK_BROKEN;
            clock->stage = k + 1;
            return target;
        }
        if (plan->limited)
            limit(omp, target);
    }
    return NULL;
}

static int omp_advance(void *instance, double until, int64_t max_steps, struct ewi_progress *progress, ew_error *error)
{
    struct ewi_omp *omp = instance;
    struct ewi_clock clock = ewi_clock_start(omp->plan, progress, until, max_steps);
    const double *broken = NULL;
    while (clock.state == EWI_CLOCK_RUNNING) {
        if (clock.time < until && clock.steps < clock.last_step)
            clock.speed = known_speed(omp);
        ewi_clock_begin(&clock);
        if (clock.state != EWI_CLOCK_RUNNING)
            break;
        broken = one_step(omp, &clock);
        if (omp->before && !broken)
            clock.change = largest_change(omp);
        ewi_clock_end(&clock);
    }
    return ewi_clock_result(&clock, omp->plan, broken ? broken : omp->state[0], progress, error);
}

static int omp_residual(void *instance, double t, double *volume, double *surface, double *rhs, ew_error *error)
{
    struct ewi_omp *omp = instance;
    if (omp->fused && (volume || surface))
        return ewi_fail(error, EW_EINVAL, "the kernel set fused has no %s integrals of its own; the set edgewise has",
                        volume ? "volume" : "surface");
    if (omp->plan->time_dependent)
        evaluate_boundaries(omp, t);
    if (!omp->fused) {
        evaluate_rhs(omp, omp->state[0], volume ? volume : omp->rhs_volume, surface ? surface : omp->rhs_surface, rhs);
    } else if (rhs) {
        for (size_t k = 0; k < ewi_plan_state_doubles(omp->plan); k++)
            rhs[k] = -0.0; /* what changes no sum, not even one that is -0 */
        struct ewi_update update = {.step = 1.0, .base = rhs};
        fused_stage(omp, NULL, omp->state[0], &update, rhs, false);
    }
    return EW_OK;
}

static int omp_profile(void *instance, int64_t steps, struct ewi_progress *progress, ew_kernel_profile *kernel, int *kernels,
                       ew_error *error)
{
    struct ewi_omp *omp = instance;
    omp->profile = kernel;
    omp->profiles = 0;
    int status = omp_advance(omp, INFINITY, steps, progress, error);
    omp->profile = NULL;
    *kernels = omp->profiles;
    return status;
}

/* ---- what the machine can do ---- */

enum { COPY_ROUNDS = 4, FMA_ROUNDS = 3, FMA_STEPS = 1 << 14 };

/* Bytes a second, read and written: the best of a few rounds over arrays that no cache holds, each thread copying its part. */
static int measure_copy(const ew_host *host, int threads, double *rate, ew_error *error)
{
    size_t doubles = (size_t)1 << 25, part = doubles / (size_t)threads / 8 * 8;
    double *from = ewi_alloc(host, doubles, sizeof *from), *to = ewi_alloc(host, doubles, sizeof *to);
    *rate = 0.0;
    for (int round = 0; from && to && round < COPY_ROUNDS; round++) {
        double begun = seconds();
#pragma omp parallel num_threads(threads)
        memcpy(to + part * (size_t)this_thread(), from + part * (size_t)this_thread(), part * sizeof *to);
        double now = 2.0 * (double)(part * (size_t)threads * sizeof *to) / (seconds() - begun);
        *rate = now > *rate && round > 0 ? now : *rate; /* the first round finds its pages */
    }
    bool complete = from && to;
    ewi_free(host, from);
    ewi_free(host, to);
    return complete ? EW_OK
                    : ewi_fail(error, EW_ENOMEM, "there is no memory to measure its speed: it takes %zu MB", 2 * doubles * 8 >> 20);
}

static double measure_fma(const struct ewi_omp_level *level, int threads)
{
    double best = 0.0, sum = 0.0;
    (void)threads; /* a build without OpenMP has one */
    for (int round = 0; round < FMA_ROUNDS; round++) {
        double operations = 0.0, begun = seconds();
        while (seconds() - begun < 0.05) {
#pragma omp parallel num_threads(threads) reduction(+ : operations, sum)
            operations += level->fma_chains(FMA_STEPS, &sum);
        }
        double now = 2.0 * operations / (seconds() - begun);
        best = now > best ? now : best;
    }
    return isfinite(sum) ? best : NAN; /* so that nobody may leave the sums out */
}

static int omp_limits(const ew_host *host, const struct ewi_backend_options *options, ew_limits *limits, ew_error *error)
{
    struct ewi_omp omp = {.host = *host};
    int status = choose_level(&omp, options->level, error);
    if (status != EW_OK)
        return status;
    int threads = offered_threads(options->threads);
    *limits = (ew_limits){.tensor_flops_per_s = NAN};
    snprintf(limits->device, sizeof limits->device, "%d thread%s, %s", threads, threads == 1 ? "" : "s", omp.level->name);
    limits->flops_per_s = measure_fma(omp.level, threads);
    return measure_copy(host, threads, &limits->copy_bytes_per_s, error);
}

/* ---- the state ---- */

static int omp_set_state(void *instance, const double *state, bool limited, ew_error *error)
{
    struct ewi_omp *omp = instance;
    (void)error;
    memcpy(omp->state[0], state, ewi_plan_state_doubles(omp->plan) * sizeof *state);
    if (limited && omp->plan->limited)
        limit(omp, omp->state[0]);
    omp->speed = -1.0;
    omp->rim_of = NULL;
    return EW_OK;
}

static int omp_get_state(void *instance, double *state, ew_error *error)
{
    struct ewi_omp *omp = instance;
    (void)error;
    memcpy(state, omp->state[0], ewi_plan_state_doubles(omp->plan) * sizeof *state);
    return EW_OK;
}

static const double *omp_view_state(const void *instance)
{
    return ((const struct ewi_omp *)instance)->state[0];
}

const struct ewi_backend ewi_backend_omp = {
    .version = EWI_BACKEND_VERSION,
    .name = "omp",
#ifdef _OPENMP
    .description = "the host's cores, by OpenMP",
#else
    .description = "one of the host's cores; built without OpenMP",
#endif
    .usable = omp_usable,
    .level = omp_level,
    .image = omp_image,
    .device = omp_device,
    .kernel_set = omp_kernel_set,
    .create = omp_create,
    .destroy = omp_destroy,
    .describe = omp_describe,
    .bytes = omp_bytes,
    .set_state = omp_set_state,
    .get_state = omp_get_state,
    .view_state = omp_view_state,
    .time_step = omp_time_step,
    .advance = omp_advance,
    .residual = omp_residual,
    .profile = omp_profile,
    .limits = omp_limits,
};
