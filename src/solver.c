/* SPDX-License-Identifier: BSD-2-Clause */
/* A solver from creation to its end: backend, initial state, steps, coefficients, hash. */
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_findings.h"
#include "ewi_host.h"
#include "ewi_parallel.h"
#include "ewi_solver.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* ---- choosing a backend ---- */

static bool is_automatic(const ew_problem *problem)
{
    return !problem->backend || strcmp(problem->backend, "auto") == 0;
}

/* Whether a backend has what is asked for by name; if not, the sentence says what it lacks. */
static bool has_all(const struct ewi_backend *backend, const ew_problem *problem, ew_error *error)
{
    const char *description, *name = NULL;
    for (int k = 0; problem->kernels && (name = backend->kernel_set(k)) && strcmp(name, problem->kernels) != 0;)
        k++;
    if (problem->kernels && !name)
        ewi_fail(error, EW_EINVAL, "it has no kernel set \"%s\"", problem->kernels);
    else if (problem->level && !backend->level(0, &description))
        ewi_fail(error, EW_EINVAL, "it has no instruction levels, and \"%s\" is asked for", problem->level);
    else if (problem->image && !backend->image(0, &description))
        ewi_fail(error, EW_EINVAL, "it has no images, and \"%s\" is asked for", problem->image);
    else if (problem->device != 0 && !backend->image(0, &description))
        ewi_fail(error, EW_EINVAL, "it has no GPUs, and number %d is asked for", problem->device);
    else
        return true;
    return false;
}

/* The first backend from number `first` on that can run here and has what is asked for; `choice` gets why others cannot. */
static const struct ewi_backend *next_backend(const ew_problem *problem, int first, char *choice, size_t size)
{
    for (int k = first; ewi_backend_at(k); k++) {
        ew_error reason;
        const struct ewi_backend *backend = ewi_backend_at(k);
        if (has_all(backend, problem, &reason) && backend->usable(&reason))
            return backend;
        size_t length = strlen(choice);
        snprintf(choice + length, size - length, "%snot %s: %s", length ? "; " : "", backend->name, reason.message);
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
                        ewi_list_in_words(EW_BACKENDS, names, sizeof names));
    return (*backend)->usable(error) ? EW_OK : EW_EUNAVAILABLE;
}

static struct ewi_backend_options backend_options(const ew_problem *problem)
{
    return (struct ewi_backend_options){.kernels = problem->kernels,
                                        .level = problem->level,
                                        .image = problem->image,
                                        .threads = problem->threads,
                                        .device = problem->device};
}

/* ---- the initial state ---- */

/* c_j = sum_q w_q phi_j(q) u(q) on one element (NUMERICS: L2 projection with the volume rule). */
static void project_element(const struct ewi_plan *plan, const ew_problem *problem, int32_t i, double *state,
                            struct ewi_bad_points *points)
{
    const struct ewi_basis *basis = plan->basis;
    int variables = plan->variables;
    double x[EWI_MAX_NF], y[EWI_MAX_NF], values[EWI_MAX_NF * EW_MAX_VARIABLES];
    double c[EW_MAX_VARIABLES * EWI_MAX_NP] = {0};
    struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
    ewi_points_in(&corner, basis->nq, basis->r, basis->s, x, y);
    ewi_data_evaluate(&problem->initial, (size_t)basis->nq, x, y, problem->time, values);
    for (int q = 0; q < basis->nq; q++) {
        double primitive[EW_MAX_VARIABLES], u[EW_MAX_VARIABLES];
        for (int m = 0; m < variables; m++)
            primitive[m] = values[m * basis->nq + q];
        plan->law->conserved(plan->parameter, primitive, u);
        if (!plan->law->admissible(plan->parameter, u))
            ewi_count_bad_point(points, x[q], y[q], primitive, variables);
        for (int m = 0; state && m < variables; m++)
            for (int j = 0; j < basis->np; j++)
                c[m * basis->np + j] += basis->project[q * basis->np + j] * u[m];
    }
    double *base = state ? state + ewi_layout_base(plan->width, plan->rows, i) : NULL;
    for (int row = 0; base && row < plan->rows; row++)
        base[row * plan->width] = c[row];
}

static void fill_padding(const struct ewi_plan *plan, double *state)
{
    double primitive[EW_MAX_VARIABLES], u[EW_MAX_VARIABLES];
    plan->law->rest(primitive);
    plan->law->conserved(plan->parameter, primitive, u);
    for (int32_t i = plan->grid->elements; i < plan->grid->padded; i++)
        for (int row = 0; row < plan->rows; row++)
            state[ewi_layout_index(plan->width, plan->rows, row, i)] =
                row % plan->basis->np == 0 ? u[row / plan->basis->np] / EWI_SQRT2 : 0.0;
}

struct projecting {
    const struct ewi_plan *plan;
    const ew_problem *problem;
    double *state;
    _Atomic int64_t bad, first; /* inadmissible points; the first element with one, in the file's order */
};

static void project_elements(void *context, int64_t first, int64_t last)
{
    struct projecting *projecting = context;
    const struct ewi_plan *plan = projecting->plan;
    for (int32_t i = (int32_t)first; i < last; i++) {
        struct ewi_bad_points own = {.bad = 0};
        project_element(plan, projecting->problem, i, projecting->state, &own);
        if (own.bad == 0)
            continue;
        atomic_fetch_add(&projecting->bad, own.bad);
        int64_t index = plan->mesh->file_index[i], known = atomic_load(&projecting->first);
        while (index < known && !atomic_compare_exchange_weak(&projecting->first, &known, index))
            ;
    }
}

/* The first point is that of the first element in the file's order, whatever the number of threads. */
void ewi_project_initial(const struct ewi_plan *plan, const ew_problem *problem, double *state,
                         struct ewi_bad_points *points)
{
    int32_t elements = plan->grid->elements;
    struct projecting all = {.plan = plan, .problem = problem, .state = state, .first = elements};
    ewi_parallel_shares(elements, problem->initial.formula ? EWI_FEW : elements, project_elements, &all);
    *points = (struct ewi_bad_points){.t = problem->time};
    if (all.bad > 0)
        project_element(plan, problem, plan->mesh->order[all.first], NULL, points);
    points->bad = all.bad;
    points->points = (int64_t)elements * plan->basis->nq;
    if (state)
        fill_padding(plan, state);
}

static void check_initial(const struct ewi_plan *plan, const ew_problem *problem, double *state, struct ewi_findings *findings)
{
    struct ewi_bad_points points;
    const ew_data *initial = &problem->initial;
    bool fits = initial->formula ? ew_formula_outputs(initial->formula) == plan->variables : initial->callback != NULL;
    if (!fits || !isfinite(problem->time))
        return;
    ewi_project_initial(plan, problem, state, &points);
    ewi_plan_report_states(plan, &points, (ew_place){.member = "initial"}, "the initial state", findings);
}

static int set_initial(ew_solver *solver, const ew_problem *problem, ew_error *error)
{
    double *state = ewi_alloc(&solver->host, ewi_plan_state_doubles(solver->plan), sizeof *state);
    if (!state)
        return ewi_fail(error, EW_ENOMEM, "there is no memory for the initial state: it takes %zu MB",
                        ewi_plan_state_doubles(solver->plan) * sizeof *state >> 20);
    struct ewi_findings findings = {.receiver = problem};
    check_initial(solver->plan, problem, state, &findings);
    int status = ewi_findings_close(&findings, error);
    if (status == EW_OK)
        status = solver->backend->set_state(solver->instance, state, true, error);
    ewi_free(&solver->host, state);
    return status;
}

/* ---- creation ---- */

static int memory_of(const struct ewi_backend *backend, const ew_mesh *mesh, const ew_problem *problem, size_t *bytes,
                     size_t *device_bytes, ew_error *error)
{
    int status = ewi_plan_bytes(mesh, problem, bytes, error);
    if (status != EW_OK)
        return status;
    const struct ewi_law *law = ewi_law_find(problem->law);
    struct ewi_grid grid = {.mesh = mesh, .elements = mesh->elements, .padded = (int32_t)ewi_layout_padded(mesh->elements)};
    grid.slots = mesh->edges + EWI_TILE * (mesh->boundaries + 1);
    grid.boundary_slots = (int32_t)ewi_layout_padded(mesh->boundary_edges) + EWI_TILE * mesh->boundaries;
    struct ewi_plan plan = {.mesh = mesh,
                            .grid = &grid,
                            .law = law,
                            .basis = ewi_basis_get(problem->order),
                            .scheme = ewi_scheme_find(problem->scheme),
                            .variables = law->info->variables,
                            .fields = law->info->fields,
                            .limited = ewi_limiter_find(problem->limiter) != ewi_limiter_find(NULL),
                            .width = problem->tile == -1 ? grid.padded : EWI_TILE,
                            .steady = problem->steady};
    plan.rows = plan.variables * plan.basis->np;
    struct ewi_backend_options options = backend_options(problem);
    *bytes += backend->bytes(&plan, &options, device_bytes);
    return EW_OK;
}

int ew_solver_memory(const ew_mesh *mesh, const ew_problem *problem, size_t *bytes, size_t *device_bytes, ew_error *error)
{
    EWI_REQUIRE(mesh);
    EWI_REQUIRE(problem);
    EWI_REQUIRE(bytes);
    const struct ewi_backend *backend;
    size_t on_device;
    int status = choose_backend(problem, &backend, error);
    if (status == EW_OK)
        status = memory_of(backend, mesh, problem, bytes, device_bytes ? device_bytes : &on_device, error);
    return status;
}

int ew_solver_memory_for(const ew_mesh_info *info, const ew_problem *problem, size_t *bytes, size_t *device_bytes, ew_error *error)
{
    EWI_REQUIRE(info);
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
    const ew_mesh mesh = {.nodes = (int32_t)info->nodes,
                          .elements = (int32_t)info->elements,
                          .edges = (int32_t)info->edges,
                          .boundary_edges = (int32_t)info->boundary_edges,
                          .boundaries = info->boundaries,
                          .info = *info};
    return ew_solver_memory(&mesh, problem, bytes, device_bytes, error);
}

/* If something is wrong, the initial state is looked at, too, so that all is told at once. */
static int make_plan(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, struct ewi_plan **plan, ew_error *error)
{
    struct ewi_findings findings = {.receiver = problem};
    int status = ewi_plan_create(host, mesh, problem, &findings, plan, error);
    if (status == EW_OK && findings.count > 0)
        check_initial(*plan, problem, NULL, &findings);
    return status == EW_OK ? ewi_findings_close(&findings, error) : status;
}

int ew_problem_check(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, ew_error *error)
{
    EWI_REQUIRE(mesh);
    EWI_REQUIRE(problem);
    struct ewi_findings findings = {.receiver = problem};
    struct ewi_plan *plan = NULL;
    ew_host silent = ewi_host_or_default(host);
    silent.log = NULL; /* what is odd, but no error, is told when a solver is made */
    int status = ewi_plan_create(&silent, mesh, problem, &findings, &plan, error);
    if (status == EW_OK)
        check_initial(plan, problem, NULL, &findings);
    ewi_plan_destroy(plan);
    return status == EW_OK ? ewi_findings_close(&findings, error) : status;
}

/*
 * Of the backend asked for; or else of the first one that can run here and takes the case: a GPU that is in use by others, or has
 * too little memory, is passed over with a warning.
 */
static int make_instance(ew_solver *solver, const ew_problem *problem, ew_error *error)
{
    struct ewi_backend_options options = backend_options(problem);
    int status = choose_backend(problem, &solver->backend, error);
    if (status != EW_OK)
        return status;
    if (!is_automatic(problem))
        return solver->backend->create(solver->plan, &options, &solver->instance, error);
    ew_error reason;
    const struct ewi_backend *passed = NULL; /* told when there is another */
    for (int k = 0; (solver->backend = next_backend(problem, k, solver->choice, sizeof solver->choice)); k++) {
        if (passed)
            ewi_log(&solver->host, EW_LOG_WARNING, "the backend %s is not used: %s", passed->name, reason.message);
        while (ewi_backend_at(k) != solver->backend)
            k++;
        status = solver->backend->create(solver->plan, &options, &solver->instance, &reason);
        bool passable = ewi_backend_at(k + 1) && (status == EW_EUNAVAILABLE || status == EW_ENOMEM || status == EW_EDEVICE);
        if (!passable) {
            if (error && status != EW_OK)
                *error = reason;
            return status;
        }
        size_t length = strlen(solver->choice);
        snprintf(solver->choice + length, sizeof solver->choice - length, "%snot %s: %s", length ? "; " : "", solver->backend->name,
                 reason.message);
        passed = solver->backend;
    }
    return ewi_fail(error, EW_EUNAVAILABLE, "no backend can run this here (%s)", solver->choice);
}

int ew_solver_create(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, ew_solver **result, ew_error *error)
{
    EWI_REQUIRE(mesh);
    EWI_REQUIRE(problem);
    EWI_REQUIRE(result);
    ew_host own = ewi_host_or_default(host);
    int status = EW_OK;
    ew_solver *solver = ewi_alloc(&own, 1, sizeof *solver);
    if (!solver)
        return ewi_fail(error, EW_ENOMEM, "there is no memory for the solver");
    *solver = (ew_solver){.host = own,
                          .mesh = mesh,
                          .exact = problem->exact,
                          .fine_errors = problem->fine_errors != 0,
                          .time = problem->time,
                          .dt = NAN,
                          .change = NAN};
    EWI_TRY(make_plan(&own, mesh, problem, &solver->plan, error));
    EWI_TRY(make_instance(solver, problem, error));
    EWI_TRY(memory_of(solver->backend, mesh, problem, &solver->bytes, &solver->device_bytes, error));
    EWI_TRY(set_initial(solver, problem, error));
    *result = solver;
    solver = NULL;
out:
    ew_solver_destroy(solver);
    return status;
}

void ew_solver_destroy(ew_solver *solver)
{
    if (!solver)
        return;
    ew_host host = solver->host;
    if (solver->instance)
        solver->backend->destroy(solver->instance);
    if (!solver->is_snapshot)
        ewi_plan_destroy(solver->plan);
    ewi_free(&host, solver->copy);
    ewi_free(&host, solver->activity);
    ewi_free(&host, solver);
}

/* ---- advancing ---- */

static bool ghost_of(const struct ewi_plan *plan, const char *kind, int *ghost)
{
    bool given;
    const char *wrong;
    return ewi_ghost_find(plan->law, &(ew_boundary){.name = "", .kind = kind}, ghost, &given, &wrong, NULL) == EW_OK;
}

/* The first boundary of kind "copy" that is met within about three elements of element i, or NULL. */
static const char *copy_near(const struct ewi_plan *plan, int32_t i)
{
    enum { MOST = 1 + 3 + 6 + 12 };
    const ew_mesh *mesh = plan->mesh;
    int32_t near[MOST] = {i};
    int ghost;
    if (!ghost_of(plan, "copy", &ghost))
        return NULL;
    for (int k = 0, count = 1; k < count; k++)
        for (int side = 0; side < 3; side++) {
            int32_t e = mesh->element_edge[3 * (size_t)near[k] + (size_t)side], right = mesh->right[e];
            if (right < 0 && plan->boundary[-1 - right].ghost == ghost)
                return mesh->boundary[-1 - right].name;
            if (right >= 0 && count < MOST)
                near[count++] = mesh->left[e] == near[k] ? right : mesh->left[e];
        }
    return NULL;
}

/* What helps most often comes first. */
static void advise(const struct ewi_plan *plan, int32_t element, char *text, size_t size)
{
    const char *copy = copy_near(plan, element);
    int ghost;
    int length = snprintf(text, size, "try %s",
                          plan->limited             ? ""
                          : plan->basis->order == 1 ? "the limiter barth-jespersen, "
                                                    : "the limiter barth-jespersen (which order 1 has), ");
    if (copy)
        length += snprintf(text + length, size - (size_t)length,
                           "kind \"%s\" for the boundary \"%.100s\", which is near (its kind \"copy\" is unstable "
                           "where the flow enters "
                           "or rests), ",
                           ghost_of(plan, "far", &ghost) ? "far" : "state", copy);
    snprintf(text + length, size - (size_t)length, "a smaller cfl or a finer mesh");
}

int ewi_solver_broken(const ew_solver *solver, const struct ewi_progress *progress, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    const ew_law *law = plan->law->info;
    char mean[256] = "", stage[64] = "", given[640], advice[400];
    size_t length = 0;
    for (int m = 0; m < plan->variables && length < sizeof mean; m++)
        length += (size_t)snprintf(mean + length, sizeof mean - length, "%s%s = %g", m ? ", " : "", law->conserved[m],
                                   isnan(progress->mean[m]) ? NAN : progress->mean[m]); /* a NaN's sign says nothing */
    if (progress->stage > 0)
        snprintf(stage, sizeof stage, ", stage %d of %d", progress->stage, plan->scheme->stages);
    if (progress->stage > 0 && ewi_plan_describe_bad_boundary(solver->plan, progress->time, given, sizeof given))
        return ewi_fail(error, EW_ESTATE, "%s; the run stopped in step %lld%s", given, (long long)progress->steps + 1, stage);
    if (progress->element < 0)
        return ewi_fail(error, EW_ESTATE, "a boundary's callback gave a state that is not admissible in step %lld%s, t = %.10g",
                        (long long)progress->steps + 1, stage, progress->time);
    struct ewi_corners corner = ewi_corners_of(plan->mesh, progress->element);
    bool finite = true;
    advise(plan, progress->element, advice, sizeof advice);
    for (int m = 0; m < plan->variables; m++)
        finite = finite && isfinite(progress->mean[m]);
    return ewi_fail(error, EW_ESTATE,
                    "the state became inadmissible in step %lld%s, t = %.10g, in element %d with the centroid (%.6g, %.6g): its "
                    "mean is %s; %s",
                    (long long)progress->steps + 1, stage, progress->time, plan->mesh->file_index[progress->element],
                    corner.x + (corner.xr + corner.xs) / 3.0, corner.y + (corner.yr + corner.ys) / 3.0, mean,
                    finite || progress->steps > 0
                        ? advice
                        : "the case's numbers are too large or too small to compute with: choose units in which they are nearer to 1");
}

static struct ewi_progress start_of(const ew_solver *solver)
{
    return (struct ewi_progress){
        .time = solver->time, .dt = solver->dt, .change = solver->change, .steps = solver->steps, .element = -1};
}

static int advanced(ew_solver *solver, int status, const struct ewi_progress *progress, ew_error *error)
{
    solver->copied = solver->has_activity = false;
    if (status != EW_OK && status != EW_ESTATE)
        return status;
    solver->time = progress->time;
    solver->steps = progress->steps;
    if (status == EW_ESTATE) /* where it broke, however the run was divided */
        return ewi_solver_broken(solver, progress, error);
    solver->dt = progress->dt;
    solver->change = progress->change;
    return EW_OK;
}

int ew_solver_advance(ew_solver *solver, double until, int64_t max_steps, enum ew_stop *stop, ew_error *error)
{
    EWI_REQUIRE(solver);
    if (isnan(until) || until < solver->time)
        return ewi_fail(error, EW_EINVAL, "the time to reach is %g; the solver is at %g", until, solver->time);
    if (max_steps < 0)
        return ewi_fail(error, EW_EINVAL, "the number of steps is %lld; it must be 0 or greater", (long long)max_steps);
    struct ewi_progress progress = start_of(solver);
    int status = solver->backend->advance(solver->instance, until, max_steps, &progress, error);
    status = advanced(solver, status, &progress, error);
    if (status == EW_OK && stop)
        *stop = progress.stop;
    return status;
}

int ew_solver_profile(ew_solver *solver, int64_t steps, ew_kernel_profile *profile, int *profiles, ew_error *error)
{
    EWI_REQUIRE(solver);
    EWI_REQUIRE(profile);
    EWI_REQUIRE(profiles);
    if (steps < 1)
        return ewi_fail(error, EW_EINVAL, "the number of steps is %lld; it must be 1 or greater", (long long)steps);
    if (!solver->backend->profile)
        return ewi_fail(error, EW_EUNAVAILABLE, "the backend %s cannot time its kernels one by one", solver->backend->name);
    struct ewi_progress progress = start_of(solver);
    int status = solver->backend->profile(solver->instance, steps, &progress, profile, profiles, error);
    return advanced(solver, status, &progress, error);
}

int ew_measure_limits(const ew_host *host, const ew_problem *problem, ew_limits *limits, ew_error *error)
{
    EWI_REQUIRE(problem);
    EWI_REQUIRE(limits);
    ew_host own = ewi_host_or_default(host);
    const struct ewi_backend *backend;
    int status = choose_backend(problem, &backend, error);
    if (status != EW_OK)
        return status;
    if (!backend->limits)
        return ewi_fail(error, EW_EUNAVAILABLE, "what the machine of the backend %s can do cannot be measured", backend->name);
    struct ewi_backend_options options = backend_options(problem);
    return backend->limits(&own, &options, limits, error);
}

double ew_solver_time(const ew_solver *solver)
{
    return solver->time;
}

int64_t ew_solver_steps(const ew_solver *solver)
{
    return solver->steps;
}

double ew_solver_change(const ew_solver *solver)
{
    return solver->change;
}

int ew_solver_time_step(ew_solver *solver, double *dt, ew_error *error)
{
    EWI_REQUIRE(solver);
    EWI_REQUIRE(dt);
    if (isfinite(solver->dt)) {
        *dt = solver->dt;
        return EW_OK;
    }
    struct ewi_progress progress = {.time = solver->time, .steps = solver->steps, .element = -1};
    int status = solver->backend->time_step(solver->instance, dt, &progress, error);
    return status == EW_ESTATE ? ewi_solver_broken(solver, &progress, error) : status;
}

void ew_solver_get_info(const ew_solver *solver, ew_solver_info *info)
{
    const struct ewi_plan *plan = solver->plan;
    *info = (ew_solver_info){
        .mesh = plan->mesh,
        .law = plan->law->info,
        .parameter = plan->parameter,
        .has_exact = ewi_data_is_given(&solver->exact),
        .order = plan->basis->order,
        .basis = plan->basis->np,
        .stages = plan->scheme->stages,
        .flux = ew_list_name(EW_FLUXES, plan->flux),
        .limiter = ew_list_name(EW_LIMITERS, plan->limited),
        .scheme = plan->scheme->name,
        .backend = solver->backend->name,
        .cfl = plan->cfl,
        .steady = plan->steady,
        .bytes = solver->bytes,
        .device_bytes = solver->device_bytes,
    };
    solver->backend->describe(solver->instance, &info->kernels, info->device, sizeof info->device);
    snprintf(info->choice, sizeof info->choice, "%s", solver->choice);
}

/* ---- reading and setting the state ---- */

int ewi_solver_view(ew_solver *solver, const double **state, ew_error *error)
{
    *state = solver->backend->view_state(solver->instance);
    if (*state)
        return solver->is_snapshot ? ewi_snapshot_wait(solver, error) : EW_OK;
    if (!solver->copy)
        solver->copy = ewi_alloc(&solver->host, ewi_plan_state_doubles(solver->plan), sizeof *solver->copy);
    if (!solver->copy)
        return ewi_fail(error, EW_ENOMEM, "there is no memory for a copy of the state");
    if (!solver->copied) {
        int status = solver->backend->get_state(solver->instance, solver->copy, error);
        if (status != EW_OK)
            return status;
        solver->copied = true;
    }
    *state = solver->copy;
    return EW_OK;
}

void ewi_solver_file_order(const struct ewi_plan *plan, const double *state, double *coefficients)
{
    size_t rows = (size_t)plan->rows;
    for (int32_t f = 0; f < plan->grid->elements; f++) {
        const double *base = state + ewi_layout_base(plan->width, plan->rows, plan->mesh->order[f]);
        for (size_t row = 0; row < rows; row++)
            coefficients[(size_t)f * rows + row] = base[(int64_t)row * plan->width];
    }
}

int ew_solver_get_coefficients(ew_solver *solver, double *coefficients, ew_error *error)
{
    EWI_REQUIRE(solver);
    EWI_REQUIRE(coefficients);
    const double *state;
    int status = ewi_solver_view(solver, &state, error);
    if (status == EW_OK)
        ewi_solver_file_order(solver->plan, state, coefficients);
    return status;
}

static int check_coefficients(const double *coefficients, size_t elements, size_t rows, ew_error *error)
{
    for (size_t k = 0; k < elements * rows; k++)
        if (!isfinite(coefficients[k]))
            return ewi_fail(error, EW_EINVAL, "coefficient %zu of element %zu is %g; coefficients must be finite", k % rows,
                            k / rows, coefficients[k]);
    return EW_OK;
}

/* np: basis functions that are given; those above the plan's are left out, those that are missing stay 0. */
static void from_file_order(const struct ewi_plan *plan, int np, const double *coefficients, double *state)
{
    int own = plan->basis->np, common = np < own ? np : own, rows = plan->variables * np;
    for (int32_t f = 0; f < plan->grid->elements; f++) {
        double *base = state + ewi_layout_base(plan->width, plan->rows, plan->mesh->order[f]);
        for (int m = 0; m < plan->variables; m++)
            for (int j = 0; j < common; j++)
                base[(m * own + j) * plan->width] = coefficients[(size_t)f * (size_t)rows + (size_t)(m * np + j)];
    }
    fill_padding(plan, state);
}

int ew_solver_restore(ew_solver *solver, int order, const double *coefficients, const ew_moment *moment, ew_error *error)
{
    EWI_REQUIRE(solver);
    EWI_REQUIRE(coefficients);
    EWI_REQUIRE(moment);
    const struct ewi_plan *plan = solver->plan;
    const struct ewi_basis *basis = ewi_basis_get(order);
    if (!basis)
        return ewi_fail(error, EW_EINVAL, "the coefficients' order is %d; it must be from 1 to %d", order, EW_MAX_ORDER);
    int status = check_coefficients(coefficients, (size_t)plan->grid->elements, (size_t)(plan->variables * basis->np), error);
    if (status != EW_OK)
        return status;
    if (!isfinite(moment->time) || moment->steps < 0)
        return ewi_fail(error, EW_EINVAL, "time %g and step %lld cannot be set", moment->time, (long long)moment->steps);
    if (moment->dt <= 0 || isinf(moment->dt) || moment->change < 0)
        return ewi_fail(error, EW_EINVAL,
                        "a last step of length %g that changed the state by %g cannot be set; NaN stands for none",
                        moment->dt, moment->change);
    double *state = ewi_alloc(&solver->host, ewi_plan_state_doubles(plan), sizeof *state);
    if (!state)
        return ewi_fail(error, EW_ENOMEM, "there is no memory to set the state: it takes %zu MB",
                        ewi_plan_state_doubles(plan) * sizeof *state >> 20);
    from_file_order(plan, basis->np, coefficients, state);
    status = solver->backend->set_state(solver->instance, state, order != plan->basis->order, error);
    ewi_free(&solver->host, state);
    if (status != EW_OK)
        return status;
    solver->copied = solver->has_activity = false;
    solver->time = moment->time;
    solver->steps = moment->steps;
    solver->dt = moment->dt;
    solver->change = moment->change;
    return EW_OK;
}

int ew_solver_set_coefficients(ew_solver *solver, const double *coefficients, double time, int64_t steps, ew_error *error)
{
    EWI_REQUIRE(solver);
    ew_moment moment = {.time = time, .dt = NAN, .change = NAN, .steps = steps};
    return ew_solver_restore(solver, solver->plan->basis->order, coefficients, &moment, error);
}

void ew_solver_moment(const ew_solver *solver, ew_moment *moment)
{
    *moment = (ew_moment){.time = solver->time, .dt = solver->dt, .change = solver->change, .steps = solver->steps};
}

static double mean_of(const struct ewi_plan *plan, const double *state, int32_t i, int m)
{
    return EWI_SQRT2 * state[ewi_layout_index(plan->width, plan->rows, m * plan->basis->np, i)];
}

int ew_solver_get_means(ew_solver *solver, double *means, ew_error *error)
{
    EWI_REQUIRE(solver);
    EWI_REQUIRE(means);
    const double *state;
    int status = ewi_solver_view(solver, &state, error);
    if (status != EW_OK)
        return status;
    const struct ewi_plan *plan = solver->plan;
    for (int32_t f = 0; f < plan->grid->elements; f++)
        for (int m = 0; m < plan->variables; m++)
            means[(size_t)f * (size_t)plan->variables + (size_t)m] = mean_of(plan, state, plan->mesh->order[f], m);
    return EW_OK;
}

/* ---- the hash ---- */

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0xff51afd7ed558ccdu;
    return h ^ h >> 32;
}

/* So that what the last words differ in has reached every bit before elements are added (MurmurHash3's end, by Austin Appleby). */
static uint64_t finish(uint64_t h)
{
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 33;
}

/* Of the elements of a tile, side by side: each is a chain. */
static uint64_t hash_tile(const struct ewi_plan *plan, const double *state, int32_t first)
{
    const double *base = state + ewi_layout_base(plan->width, plan->rows, first);
    int count = plan->grid->elements - first < EWI_TILE ? plan->grid->elements - first : EWI_TILE;
    uint64_t h[EWI_TILE], sum = 0;
    for (int k = 0; k < EWI_TILE; k++)
        h[k] = mix(0x9e3779b97f4a7c15u, k < count ? (uint64_t)plan->mesh->file_index[first + k] : 0);
    for (int row = 0; row < plan->rows; row++) {
        uint64_t word[EWI_TILE];
        memcpy(word, base + row * plan->width, sizeof word);
        for (int k = 0; k < EWI_TILE; k++)
            h[k] = mix(h[k], word[k]);
    }
    for (int k = 0; k < count; k++)
        sum += finish(h[k]);
    return sum;
}

struct hashing {
    const struct ewi_plan *plan;
    const double *state;
    _Atomic uint64_t sum;
};

static void hash_tiles(void *context, int64_t first, int64_t last)
{
    struct hashing *hashing = context;
    uint64_t sum = 0;
    for (int32_t tile = (int32_t)first; tile < last; tile++)
        sum += hash_tile(hashing->plan, hashing->state, tile * EWI_TILE);
    atomic_fetch_add(&hashing->sum, sum);
}

int ew_solver_hash(ew_solver *solver, uint64_t *hash, ew_error *error)
{
    EWI_REQUIRE(solver);
    EWI_REQUIRE(hash);
    const double *state;
    int status = ewi_solver_view(solver, &state, error);
    if (status != EW_OK)
        return status;
    struct hashing hashing = {.plan = solver->plan, .state = state};
    ewi_parallel_parts(0, (solver->plan->grid->elements + EWI_TILE - 1) / EWI_TILE, 512, hash_tiles, &hashing);
    *hash = hashing.sum;
    return EW_OK;
}
