/* SPDX-License-Identifier: BSD-2-Clause */
/* A solver from creation to its end: its backend, how much memory it takes, its steps. */
#include "ewi_error.h"
#include "ewi_diagnostics.h"
#include "ewi_host.h"
#include "ewi_part.h"
#include "ewi_parts.h"
#include "ewi_solver.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

/* ---- choosing a backend ---- */

static bool is_automatic(const ew_problem *problem)
{
    return !problem->backend || strcmp(problem->backend, "auto") == 0;
}

/* Returns whether a backend has everything that is requested by name; if not, the error says what it lacks. */
static bool has_all(const struct ewi_backend *backend, const ew_problem *problem, ew_error *error)
{
    const char *description;
    bool has_images = backend->image && backend->image(0, &description);
    if (problem->level && !backend->level)
        ewi_fail(error, EW_EINVAL, "it has no instruction levels, and \"%s\" is asked for", problem->level);
    else if (problem->image && !has_images)
        ewi_fail(error, EW_EINVAL, "it has no images, and \"%s\" is asked for", problem->image);
    else if ((problem->device != 0 || problem->devices > 0) && !backend->device)
        ewi_fail(error, EW_EINVAL, "it has no GPUs, and number %d is asked for",
                 problem->devices > 0 ? problem->device_of_part[0] : problem->device);
    else
        return true;
    return false;
}

static bool is_usable(const struct ewi_backend *backend, ew_error *error)
{
    return !backend->usable || backend->usable(error);
}

/*
 * The first backend from number `first` on that can run here and has what is asked for; `choice` gets why others
 * cannot.
 */
static const struct ewi_backend *next_backend(const ew_problem *problem, int first, char *choice, size_t size)
{
    for (int k = first; ewi_backend_at(k); k++) {
        ew_error reason;
        const struct ewi_backend *backend = ewi_backend_at(k);
        if (has_all(backend, problem, &reason) && is_usable(backend, &reason))
            return backend;
        size_t length = strlen(choice);
        ewi_snprintf(choice + length, size - length, "%snot %s: %s", length ? "; " : "", backend->name, reason.message);
    }
    return NULL;
}

static int choose_backend(const ew_problem *problem, const struct ewi_backend **backend, ew_error *error)
{
    if (is_automatic(problem)) {
        char choice[512] = "";
        *backend = next_backend(problem, 0, choice, sizeof choice);
        return *backend ? EW_OK : ewi_fail(error, EW_EUNAVAILABLE, "no backend can run this here (%s)", choice);
    }
    *backend = ewi_backend_find(problem->backend);
    char names[128];
    if (!*backend)
        return ewi_fail(error, EW_EINVAL, "there is no backend \"%s\"; there are auto, %s", problem->backend,
                        ewi_choices_in_words(ewi_backend_choice, names, sizeof names));
    if (problem->devices > 0 && !(*backend)->device)
        return ewi_fail(error, EW_EINVAL, "a list of GPUs is given, and the backend %s has none", problem->backend);
    return is_usable(*backend, error) ? EW_OK : EW_EUNAVAILABLE;
}

static struct ewi_backend_options backend_options(const ew_problem *problem)
{
    return (struct ewi_backend_options){
        .level = problem->level, .image = problem->image, .threads = problem->threads, .device = problem->device};
}

/* ---- memory ---- */

static size_t memory_of(const struct ewi_backend *backend, const struct ewi_sizes *sizes, const ew_problem *problem,
                        size_t *device_bytes)
{
    struct ewi_backend_options options = backend_options(problem);
    size_t nodes = sizes->basis ? (size_t)sizes->padded * (size_t)sizes->basis->np : 0;
    size_t averages = nodes * (size_t)sizes->average_slots * sizeof(double);
    size_t bytes = ewi_plan_bytes(sizes) + averages + backend->bytes(sizes, &options, device_bytes);
    *device_bytes += backend->begin_averages ? averages : 0;
    return bytes;
}

int ew_solver_memory(const ew_mesh *mesh, const ew_problem *problem, size_t *bytes, size_t *device_bytes,
                     ew_error *error)
{
    EWI_REQUIRE(mesh, problem, bytes);
    return ew_solver_memory_for(&mesh->info, problem, bytes, device_bytes, error);
}

static int check_size(const ew_mesh_info *info, ew_error *error)
{
    if (info->elements < 1 || info->elements > EWI_MESH_MOST_TRIANGLES || info->nodes < 0 || info->nodes > INT32_MAX)
        return ewi_fail(
            error, EW_EINVAL, "the mesh has %lld triangles and %lld nodes; there can be 1 to %lld and 0 to %d",
            (long long)info->elements, (long long)info->nodes, (long long)EWI_MESH_MOST_TRIANGLES, INT32_MAX);
    if (info->edges < 0 || info->edges > 3 * info->elements || info->boundary_edges < 0 ||
        info->boundary_edges > info->edges || info->boundaries < 0 || info->boundaries > info->boundary_edges)
        return ewi_fail(error, EW_EINVAL,
                        "the mesh has %lld edges, %lld of them on %d boundaries, which %lld triangles cannot have",
                        (long long)info->edges, (long long)info->boundary_edges, info->boundaries,
                        (long long)info->elements);
    return EW_OK;
}

int ew_solver_memory_for(const ew_mesh_info *info, const ew_problem *problem, size_t *bytes, size_t *device_bytes,
                         ew_error *error)
{
    EWI_REQUIRE_AS(info, "mesh");
    EWI_REQUIRE(problem, bytes);
    struct ewi_diagnostics diagnostics = {.receiver = NULL};
    struct ewi_sizes sizes;
    const struct ewi_backend *backend;
    size_t on_device;
    TRY(check_size(info, error));
    TRY(choose_backend(problem, &backend, error));
    ewi_sizes_of_problem(problem, info, &sizes, &diagnostics);
    TRY(ewi_diagnostics_close(&diagnostics, error));
    *bytes = memory_of(backend, &sizes, problem, device_bytes ? device_bytes : &on_device);
    return EW_OK;
}

/* ---- creation ---- */

static int divide(ew_solver *solver, const ew_problem *problem, ew_error *error)
{
    TRY(ewi_parts_check(solver->plan, problem, solver->backend, error));
    solver->parts = problem->comm ? problem->comm->size : problem->parts;
    int32_t *cut;
    TRY(ewi_part_cut(solver->plan, solver->parts, &cut, error));
    solver->cut_edges = ewi_part_cut_edges(solver->plan->grid, cut, solver->parts);
    solver->imbalance = ewi_part_imbalance(solver->plan, cut, solver->parts);
    ewi_free(&solver->host, cut);
    return ewi_parts_create(solver->backend, solver->plan, problem, &solver->backend, &solver->instance, error);
}

static int create_instance(ew_solver *solver, const ew_problem *problem, struct ewi_backend_options *options,
                           ew_error *error)
{
    if (ewi_is_divided(problem))
        return divide(solver, problem, error);
    ew_ensemble *ensemble = problem->ensemble;
    solver->parts = 1;
    int status = ewi_ensemble_join(ensemble, solver->backend, options, error);
    if (status == EW_OK)
        status = solver->backend->create(solver->plan, options, &solver->instance, error);
    solver->ensemble = ensemble;
    solver->meets = status == EW_OK && options->ensemble && solver->backend->goes_along(solver->instance);
    return status;
}

/*
 * Makes an instance of the requested backend, or of the first one that can run here and accepts the case: a GPU that is
 * in use by others, or has too little memory, is skipped with a warning.
 */
static int make_instance(ew_solver *solver, const ew_problem *problem, ew_error *error)
{
    struct ewi_backend_options options = backend_options(problem);
    int status = choose_backend(problem, &solver->backend, error);
    if (status != EW_OK)
        return status;
    if (!is_automatic(problem))
        return create_instance(solver, problem, &options, error);
    ew_error reason;
    const struct ewi_backend *passed = NULL; /* told when there is another */
    for (int k = 0; (solver->backend = next_backend(problem, k, solver->choice, sizeof solver->choice)); k++) {
        if (passed)
            ewi_log(&solver->host, EW_LOG_WARNING, "the backend %s is not used: %s", passed->name, reason.message);
        while (ewi_backend_at(k) != solver->backend)
            k++;
        status = create_instance(solver, problem, &options, &reason);
        bool passable = ewi_backend_at(k + 1) &&
                        (status == EW_EUNAVAILABLE || status == EW_ENOMEM || status == EW_EDEVICE);
        if (!passable) {
            if (error && status != EW_OK)
                *error = reason;
            return status;
        }
        size_t length = strlen(solver->choice);
        ewi_snprintf(solver->choice + length, sizeof solver->choice - length, "%snot %s: %s", length ? "; " : "",
                     solver->backend->name, reason.message);
        passed = solver->backend;
    }
    return ewi_fail(error, EW_EUNAVAILABLE, "no backend can run this here (%s)", solver->choice);
}

int ew_solver_of_plan(ew_plan **plan, const ew_problem *problem, ew_solver **result, ew_error *error)
{
    EWI_REQUIRE(plan, *plan, problem);
    EWI_REQUIRE_AS(result, "solver");
    struct ewi_plan *own = *plan;
    int status;
    if (own->part)
        return ewi_fail(error, EW_EINVAL,
                        "the plan is that of a rank's part (ew_comm_divide), which ew_comm_serve takes");
    ew_solver *solver = ewi_alloc(&own->host, 1, sizeof *solver);
    if (!solver)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the solver");
    *solver = (ew_solver){.host = own->host,
                          .plan = own,
                          .exact = problem->exact,
                          .fine_errors = problem->fine_errors != 0,
                          .time = problem->time,
                          .dt = NAN,
                          .change = NAN};
    ewi_plan_warn(own);
    EWI_TRY(make_instance(solver, problem, error));
    EWI_TRY(solver->backend->set_state(solver->instance, own->initial, true, error));
    EWI_TRY(ewi_solver_clear_outflow(solver, error));
    EWI_TRY(ewi_solver_begin_averages(solver, error));
    solver->bytes = memory_of(solver->backend, &own->sizes, problem, &solver->device_bytes);
    ewi_free(&own->host, own->initial);
    own->initial = NULL;
    if (ewi_is_divided(problem))
        ewi_plan_shed(own);
    *result = solver;
    *plan = NULL;
    return EW_OK;
out:
    solver->plan = NULL; /* it stays the caller's */
    ew_solver_destroy(solver);
    return status;
}

int ew_solver_create(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, ew_solver **result,
                     ew_error *error)
{
    EWI_REQUIRE(mesh, problem);
    EWI_REQUIRE_AS(result, "solver");
    ew_plan *plan = NULL;
    int status = ew_problem_check(host, mesh, problem, &plan, error);
    if (status == EW_OK)
        status = ew_solver_of_plan(&plan, problem, result, error);
    ew_plan_destroy(plan);
    return status;
}

void ew_solver_destroy(ew_solver *solver)
{
    if (!solver)
        return;
    ew_host host = solver->host;
    if (solver->instance && solver->meets)
        ewi_ensemble_leave(solver->ensemble, solver->instance);
    if (solver->instance)
        solver->backend->destroy(solver->instance);
    if (!solver->is_snapshot)
        ew_plan_destroy(solver->plan);
    ewi_free(&host, solver->copy);
    ewi_free(&host, solver->activity);
    ewi_averages_destroy(&host, solver->averages);
    ewi_free(&host, solver);
}

/* ---- advancing ---- */

static int advance(ew_solver *solver, double until, int64_t max_steps, enum ew_stop *stop, ew_error *error)
{
    struct ewi_entrant entrant = {.instance = solver->instance, .until = until, .max_steps = max_steps,
                                  .progress = ewi_solver_start(solver)};
    if (solver->meets)
        ewi_ensemble_advance(solver->ensemble, &entrant);
    else
        entrant.status = solver->backend->advance(solver->instance, until, max_steps, &entrant.progress,
                                                  &entrant.error);
    if (error && entrant.status != EW_OK)
        *error = entrant.error;
    int status = ewi_solver_advanced(solver, entrant.status, &entrant.progress, error);
    if (status == EW_OK)
        *stop = entrant.progress.stop;
    return status;
}

/* To one sample of averages after the other. */
static int advance_and_sample(ew_solver *solver, double until, int64_t max_steps, enum ew_stop *stop, ew_error *error)
{
    do {
        int64_t before = solver->steps, steps = ewi_solver_steps_to_sample(solver);
        TRY(advance(solver, until, steps < max_steps ? steps : max_steps, stop, error));
        max_steps -= solver->steps - before;
        if (solver->steps - before == steps)
            TRY(ewi_solver_sample_averages(solver, error));
    } while (*stop == EW_STOP_STEPS && max_steps > 0);
    return EW_OK;
}

int ew_solver_advance(ew_solver *solver, double until, int64_t max_steps, enum ew_stop *stop, ew_error *error)
{
    enum ew_stop own;
    EWI_REQUIRE(solver);
    TRY(ewi_solver_may_advance(solver, until, max_steps, error));
    return (solver->averages ? advance_and_sample : advance)(solver, until, max_steps, stop ? stop : &own, error);
}

int ew_solver_profile(ew_solver *solver, int64_t steps, ew_kernel_profile *profile, int *profiles, ew_error *error)
{
    EWI_REQUIRE(solver, profile, profiles);
    if (steps < 1)
        return ewi_fail(error, EW_EINVAL, "the number of steps is %lld; it must be 1 or greater", (long long)steps);
    if (!solver->backend->profile)
        return ewi_fail(error, EW_EUNAVAILABLE, "the backend %s cannot time its kernels one by one",
                        solver->backend->name);
    struct ewi_progress progress = ewi_solver_start(solver);
    int status = solver->backend->profile(solver->instance, steps, &progress, profile, profiles, error);
    return ewi_solver_advanced(solver, status, &progress, error);
}

int ew_measure_limits(const ew_host *host, const ew_problem *problem, ew_limits *limits, ew_error *error)
{
    EWI_REQUIRE(problem, limits);
    ew_host own = ewi_host_or_default(host);
    const struct ewi_backend *backend;
    TRY(choose_backend(problem, &backend, error));
    if (!backend->limits)
        return ewi_fail(error, EW_EUNAVAILABLE, "what the machine of the backend %s can do cannot be measured",
                        backend->name);
    struct ewi_backend_options options = backend_options(problem);
    return backend->limits(&own, &options, limits, error);
}

void ew_solver_get_info(const ew_solver *solver, ew_solver_info *info)
{
    if (info)
        *info = (ew_solver_info){0};
    if (!info || !solver)
        return;
    const struct ewi_plan *plan = solver->plan;
    *info = (ew_solver_info){
        .mesh = plan->mesh,
        .law = plan->law->info,
        .parameter = plan->parameter,
        .has_exact = ewi_data_is_given(&solver->exact),
        .order = plan->basis->order,
        .basis = plan->basis->np,
        .stages = plan->scheme->stages,
        .flux = ewi_flux_choice(plan->flux).name,
        .limiter = plan->limiter ? plan->limiter->name : EW_DEFAULT_LIMITER,
        .limited = plan->limiter != NULL,
        .positivity = plan->positivity,
        .source = plan->has_source,
        .outflow = plan->outflow,
        .scheme = plan->scheme->name,
        .backend = solver->backend->name,
        .cfl = plan->cfl,
        .curve_share = plan->stable_cfl / plan->scheme->stable[plan->basis->order - 1],
        .local_step = plan->local_step,
        .levels_asked = plan->levels_asked,
        .steady = plan->steady,
        .steady_orders = plan->steady_orders,
        .bytes = solver->bytes,
        .device_bytes = solver->device_bytes + ewi_expected_bytes(solver),
        .parts = solver->parts,
        .cut_edges = solver->cut_edges,
        .imbalance = solver->imbalance,
    };
    memcpy(info->level_shortening, plan->level_shortening, sizeof info->level_shortening);
    info->step_levels = ew_plan_step_levels(plan, info->level_elements, &info->level_work);
    solver->backend->describe(solver->instance, &info->kernels, info->device, sizeof info->device);
    ewi_snprintf(info->choice, sizeof info->choice, "%s", solver->choice);
}
