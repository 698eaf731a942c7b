#include "ewi_curve.h"
#include "ewi_error.h"
#include "ewi_findings.h"
#include "ewi_host.h"
#include "ewi_points.h"
#include "ewi_solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SQRT2 0x1.6a09e667f3bcdp0

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
    if (!*backend)
        return ewi_fail(error, EW_EINVAL, "there is no backend \"%s\"; there are auto, cuda and omp", problem->backend);
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

/* ---- points of an element ---- */

struct corners {
    double x, y, xr, xs, yr, ys; /* x = x + xr r + xs s, y alike */
};

static struct corners corners_of(const ew_mesh *mesh, int32_t i)
{
    const int32_t *node = mesh->triangle + 3 * (size_t)i;
    const double *a = mesh->xy + 2 * (size_t)node[0], *b = mesh->xy + 2 * (size_t)node[1], *c = mesh->xy + 2 * (size_t)node[2];
    return (struct corners){a[0], a[1], b[0] - a[0], c[0] - a[0], b[1] - a[1], c[1] - a[1]};
}

static void points_of(const struct corners *corner, int points, const double *r, const double *s, double *x, double *y)
{
    for (int q = 0; q < points; q++) {
        x[q] = corner->x + corner->xr * r[q] + corner->xs * s[q];
        y[q] = corner->y + corner->yr * r[q] + corner->ys * s[q];
    }
}

/* ---- the initial state ---- */

enum { MAX_POINTS = (EW_MAX_ORDER + 3) * (EW_MAX_ORDER + 3) }; /* of the finer rule */

/* c_j = sum_q w_q phi_j(q) u(q) on one element (NUMERICS: L2 projection with the volume rule). */
static void project_element(const struct ewi_plan *plan, const ew_problem *problem, int32_t i, double *state,
                            struct ewi_bad_points *points)
{
    const struct ewi_basis *basis = plan->basis;
    int variables = plan->variables;
    double x[MAX_POINTS], y[MAX_POINTS], values[MAX_POINTS * EW_MAX_VARIABLES];
    double c[EW_MAX_VARIABLES * EWI_MAX_NP] = {0};
    struct corners corner = corners_of(plan->mesh, i);
    points_of(&corner, basis->nq, basis->r, basis->s, x, y);
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
                row % plan->basis->np == 0 ? u[row / plan->basis->np] / SQRT2 : 0.0;
}

/* The first point is that of the first element in the file's order, whatever the number of threads. */
void ewi_project_initial(const struct ewi_plan *plan, const ew_problem *problem, double *state, struct ewi_bad_points *points)
{
    int32_t elements = plan->grid->elements, first = elements;
    int64_t bad = 0;
    bool parallel = problem->initial.formula != NULL;
#pragma omp parallel for schedule(static) reduction(min : first) reduction(+ : bad) if (parallel)
    for (int32_t i = 0; i < elements; i++) {
        struct ewi_bad_points own = {.bad = 0};
        project_element(plan, problem, i, state, &own);
        bad += own.bad;
        if (own.bad > 0 && plan->mesh->file_index[i] < first)
            first = plan->mesh->file_index[i];
    }
    (void)parallel;
    *points = (struct ewi_bad_points){.t = problem->time};
    if (bad > 0)
        project_element(plan, problem, plan->mesh->order[first], NULL, points);
    points->bad = bad;
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
    const struct ewi_law *law = ewi_law_find(problem->law ? problem->law : "euler");
    struct ewi_grid grid = {.mesh = mesh, .elements = mesh->elements, .padded = (int32_t)ewi_layout_padded(mesh->elements)};
    grid.slots = mesh->edges + EWI_TILE * (mesh->boundaries + 1);
    grid.boundary_slots = (int32_t)ewi_layout_padded(mesh->boundary_edges) + EWI_TILE * mesh->boundaries;
    const char *scheme = problem->scheme ? problem->scheme : "rk4";
    struct ewi_plan plan = {.mesh = mesh,
                            .grid = &grid,
                            .law = law,
                            .basis = ewi_basis_get(problem->order),
                            .scheme = ewi_scheme_find(scheme),
                            .variables = law->info->variables,
                            .fields = law->info->fields,
                            .limited = problem->limiter && strcmp(problem->limiter, "none") != 0,
                            .width = problem->tile == -1 ? grid.padded : EWI_TILE,
                            .steady = problem->steady};
    plan.rows = plan.variables * plan.basis->np;
    struct ewi_backend_options options = backend_options(problem);
    *bytes += backend->bytes(&plan, &options, device_bytes);
    return EW_OK;
}

int ew_solver_memory(const ew_mesh *mesh, const ew_problem *problem, size_t *bytes, size_t *device_bytes, ew_error *error)
{
    const struct ewi_backend *backend;
    size_t on_device;
    int status = choose_backend(problem, &backend, error);
    if (status == EW_OK)
        status = memory_of(backend, mesh, problem, bytes, device_bytes ? device_bytes : &on_device, error);
    return status;
}

int ew_solver_memory_for(const ew_mesh_info *info, const ew_problem *problem, size_t *bytes, size_t *device_bytes, ew_error *error)
{
    if (info->elements > EWI_MESH_MOST_TRIANGLES || info->nodes > INT32_MAX)
        return ewi_fail(error, EW_EINVAL, "the mesh has %lld triangles and %lld nodes; there can be %lld and %d",
                        (long long)info->elements, (long long)info->nodes, (long long)EWI_MESH_MOST_TRIANGLES, INT32_MAX);
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
    struct ewi_findings findings = {.receiver = problem};
    struct ewi_plan *plan = NULL;
    int status = ewi_plan_create(host, mesh, problem, &findings, &plan, error);
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

int ewi_solver_broken(const ew_solver *solver, const struct ewi_progress *progress, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    const ew_law *law = plan->law->info;
    char mean[256] = "", stage[64] = "", given[640];
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
    struct corners corner = corners_of(plan->mesh, progress->element);
    bool finite = true;
    for (int m = 0; m < plan->variables; m++)
        finite = finite && isfinite(progress->mean[m]);
    return ewi_fail(error, EW_ESTATE,
                    "the state became inadmissible in step %lld%s, t = %.10g, in element %d with the centroid (%.6g, %.6g): its "
                    "mean is %s; %s",
                    (long long)progress->steps + 1, stage, progress->time, plan->mesh->file_index[progress->element],
                    corner.x + (corner.xr + corner.xs) / 3.0, corner.y + (corner.yr + corner.ys) / 3.0, mean,
                    finite || progress->steps > 0
                        ? "try a smaller cfl, a limiter, or a finer mesh"
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
        .law = plan->law->info,
        .order = plan->basis->order,
        .basis = plan->basis->np,
        .stages = plan->scheme->stages,
        .flux = ew_list_name(EW_FLUXES, plan->flux),
        .limiter = ew_list_name(EW_LIMITERS, plan->limited),
        .scheme = plan->scheme->name,
        .backend = solver->backend->name,
        .cfl = plan->cfl,
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
    const struct ewi_plan *plan = solver->plan;
    const struct ewi_basis *basis = ewi_basis_get(order);
    if (!basis)
        return ewi_fail(error, EW_EINVAL, "the coefficients' order is %d; it must be from 1 to %d", order, EW_MAX_ORDER);
    int status = check_coefficients(coefficients, (size_t)plan->grid->elements, (size_t)(plan->variables * basis->np), error);
    if (status != EW_OK)
        return status;
    if (!isfinite(moment->time) || moment->steps < 0)
        return ewi_fail(error, EW_EINVAL, "time %g and step %lld cannot be set", moment->time, (long long)moment->steps);
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
    ew_moment moment = {.time = time, .dt = NAN, .change = NAN, .steps = steps};
    return ew_solver_restore(solver, solver->plan->basis->order, coefficients, &moment, error);
}

void ew_solver_moment(const ew_solver *solver, ew_moment *moment)
{
    *moment = (ew_moment){.time = solver->time, .dt = solver->dt, .change = solver->change, .steps = solver->steps};
}

static double mean_of(const struct ewi_plan *plan, const double *state, int32_t i, int m)
{
    return SQRT2 * state[ewi_layout_index(plan->width, plan->rows, m * plan->basis->np, i)];
}

int ew_solver_get_means(ew_solver *solver, double *means, ew_error *error)
{
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

/*
 * EWI_TILE elements from number f of the file on, side by side: c[rows][EWI_TILE]; those behind `last` are the one before it. A row of an element
 * is a cache line away from the next, and files have elements in another order: processors do not see them coming.
 */
static void gather(const struct ewi_plan *plan, const double *state, int64_t f, int64_t last, double *c)
{
    enum { AHEAD = 2 * EWI_TILE };
    const double *base[EWI_TILE];
    for (int k = 0; k < EWI_TILE; k++) {
        int64_t own = f + k < last ? f + k : last - 1, later = f + k + AHEAD;
        base[k] = state + ewi_layout_base(plan->width, plan->rows, plan->mesh->order[own]);
        const double *next = state + ewi_layout_base(plan->width, plan->rows, plan->mesh->order[later < last ? later : own]);
        for (int row = 0; row < plan->rows; row++)
            __builtin_prefetch(&next[row * plan->width]);
    }
    for (int row = 0; row < plan->rows; row++)
        for (int k = 0; k < EWI_TILE; k++)
            c[row * EWI_TILE + k] = base[k][row * plan->width];
}

/* u_m at a point, from the basis functions there. */
static void value_at(const struct ewi_plan *plan, const double *base, const double *phi, double *u)
{
    int np = plan->basis->np;
    for (int m = 0; m < plan->variables; m++) {
        double sum = 0.0;
        for (int j = 0; j < np; j++)
            sum += phi[j] * base[(m * np + j) * plan->width];
        u[m] = sum;
    }
}

/* Basis functions and their derivatives at the points: phi, then d/dr, then d/ds, each [points][np]. */
static int evaluate_basis(ew_solver *solver, int points, const double *rs, double **phi, ew_error *error)
{
    const struct ewi_basis *basis = solver->plan->basis;
    size_t np = (size_t)basis->np, count = (size_t)points * np;
    *phi = ewi_alloc(&solver->host, 3 * count, sizeof **phi);
    if (!*phi)
        return ewi_fail(error, EW_ENOMEM, "there is no memory to sample %d points", points);
    for (size_t k = 0; k < (size_t)points; k++) {
        ewi_basis_eval(basis->order, rs[2 * k], rs[2 * k + 1], *phi + k * np);
        ewi_basis_eval_grad(basis->order, rs[2 * k], rs[2 * k + 1], *phi + count + k * np, *phi + 2 * count + k * np);
    }
    return EW_OK;
}

static int check_sampling(const ew_solver *solver, int64_t first, int64_t count, int points, ew_error *error)
{
    int32_t elements = solver->plan->grid->elements;
    if (first < 0 || count < 0 || first > elements - count)
        return ewi_fail(error, EW_EINVAL, "%lld elements from number %lld on are asked for; the mesh has %d", (long long)count,
                        (long long)first, elements);
    return points < 0 ? ewi_fail(error, EW_EINVAL, "%d points are asked for", points) : EW_OK;
}

int ew_solver_sample(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs, int primitive, double *values,
                     ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    const double *state;
    double *phi = NULL;
    int np = plan->basis->np, status;
    EWI_TRY(check_sampling(solver, first, count, points, error));
    EWI_TRY(ewi_solver_view(solver, &state, error));
    EWI_TRY(evaluate_basis(solver, points, rs, &phi, error));
#pragma omp parallel for schedule(static)
    for (int64_t f = first; f < first + count; f++) {
        const double *base = state + ewi_layout_base(plan->width, plan->rows, plan->mesh->order[f]);
        for (int k = 0; k < points; k++) {
            double u[EW_MAX_VARIABLES];
            double *value = values + ((f - first) * points + k) * plan->variables;
            value_at(plan, base, phi + (size_t)k * (size_t)np, u);
            if (primitive)
                plan->law->primitive(plan->parameter, u, value);
            else
                memcpy(value, u, (size_t)plan->variables * sizeof *value);
        }
    }
out:
    ewi_free(&solver->host, phi);
    return status;
}

/* Where quantities of ew_law_output come from. */
enum source { PRIMITIVE, CONSERVED, DERIVED, ACTIVITY };

struct output {
    enum source source;
    int index;
};

static bool find_output(const ew_law *law, int number, struct output *output)
{
    const char *name = ew_law_output(law, number, NULL);
    for (int m = 0; name && m < law->variables; m++)
        if (strcmp(name, number < law->variables ? law->primitive[m] : law->conserved[m]) == 0) {
            *output = (struct output){number < law->variables ? PRIMITIVE : CONSERVED, m};
            return true;
        }
    for (int k = 0; name && k < EW_MAX_DERIVED && law->derived[k]; k++)
        if (strcmp(name, law->derived[k]) == 0) {
            *output = (struct output){DERIVED, k};
            return true;
        }
    *output = (struct output){ACTIVITY, 0};
    return name != NULL;
}

/* The state and its gradient in x and y at a point. */
struct sample {
    double activity, u[EW_MAX_VARIABLES], primitive[EW_MAX_VARIABLES], ux[EW_MAX_VARIABLES], uy[EW_MAX_VARIABLES];
};

enum { MOST_OUTPUTS = 2 * EW_MAX_VARIABLES + EW_MAX_DERIVED + 1 };

/* What is sampled of every element. */
struct sampling {
    const struct ewi_plan *plan;
    const double *state, *activity; /* activity: NULL if it is not asked for */
    double *phi;                    /* [3][points][np]: the basis functions at the points, and their derivatives */
    int points, outputs;
    struct output output[MOST_OUTPUTS];
    bool gradients, primitive; /* whether they are asked for */
    bool single;               /* columns are of floats */
};

static void add_gradients(const struct sampling *sampling, int32_t i, const double *base, const double *phi, struct sample *sample)
{
    const struct ewi_plan *plan = sampling->plan;
    size_t stride = (size_t)sampling->points * (size_t)plan->basis->np;
    double ur[EW_MAX_VARIABLES] = {0}, us[EW_MAX_VARIABLES] = {0}, det = ewi_mesh_det(plan->mesh, i);
    struct corners corner = corners_of(plan->mesh, i);
    value_at(plan, base, phi + stride, ur);
    value_at(plan, base, phi + 2 * stride, us);
    for (int m = 0; m < plan->variables; m++) {
        sample->ux[m] = (corner.ys * ur[m] - corner.yr * us[m]) / det;
        sample->uy[m] = (corner.xr * us[m] - corner.xs * ur[m]) / det;
    }
}

static double value_of(const struct ewi_plan *plan, const struct sample *sample, const struct output *output)
{
    switch (output->source) {
    case PRIMITIVE:
        return sample->primitive[output->index];
    case CONSERVED:
        return sample->u[output->index];
    case ACTIVITY:
        return sample->activity;
    default:
        return plan->law->derived(output->index, plan->parameter, sample->u, sample->ux, sample->uy);
    }
}

/* All outputs at point k of element i. */
static void sample_at(const struct sampling *sampling, int32_t i, int k, double *value)
{
    const struct ewi_plan *plan = sampling->plan;
    const double *base = sampling->state + ewi_layout_base(plan->width, plan->rows, i);
    const double *phi = sampling->phi + (size_t)k * (size_t)plan->basis->np;
    struct sample sample;
    value_at(plan, base, phi, sample.u);
    if (sampling->gradients)
        add_gradients(sampling, i, base, phi, &sample);
    if (sampling->primitive)
        plan->law->primitive(plan->parameter, sample.u, sample.primitive);
    sample.activity = sampling->activity ? sampling->activity[i] : 0;
    for (int n = 0; n < sampling->outputs; n++)
        value[n] = value_of(plan, &sample, &sampling->output[n]);
}

/* sampling->phi is freed by whoever asked, whatever comes of it. */
static int begin_sampling(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs, int outputs,
                          const int *output, struct sampling *sampling, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    int status;
    *sampling = (struct sampling){.plan = plan, .points = points, .outputs = outputs};
    if (outputs < 0 || outputs > MOST_OUTPUTS)
        return ewi_fail(error, EW_EINVAL, "%d quantities are asked for; there are %d at most", outputs, MOST_OUTPUTS);
    for (int k = 0; k < outputs; k++) {
        if (!find_output(plan->law->info, output[k], &sampling->output[k]))
            return ewi_fail(error, EW_EINVAL, "the law \"%s\" has no quantity %d", plan->law->info->name, output[k]);
        sampling->gradients = sampling->gradients || sampling->output[k].source == DERIVED;
        sampling->primitive = sampling->primitive || sampling->output[k].source == PRIMITIVE;
    }
    EWI_TRY(check_sampling(solver, first, count, points, error));
    for (int k = 0; k < outputs; k++)
        if (sampling->output[k].source == ACTIVITY && !sampling->activity)
            EWI_TRY(ewi_solver_activity(solver, &sampling->activity, error));
    EWI_TRY(ewi_solver_view(solver, &sampling->state, error));
    status = evaluate_basis(solver, points, rs, &sampling->phi, error);
out:
    return status;
}

int ew_solver_sample_outputs(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs, int outputs,
                             const int *output, double *values, ew_error *error)
{
    struct sampling sampling;
    int status = begin_sampling(solver, first, count, points, rs, outputs, output, &sampling, error);
    const int32_t *order = solver->plan->mesh->order;
    if (status == EW_OK) {
#pragma omp parallel for schedule(static)
        for (int64_t f = first; f < first + count; f++)
            for (int k = 0; k < points; k++)
                sample_at(&sampling, order[f], k, values + ((f - first) * points + k) * outputs);
    }
    ewi_free(&solver->host, sampling.phi);
    return status;
}

/* Where a column of floats or doubles has number `at`. */
static void *place(void *column, int64_t at, bool single)
{
    return (char *)column + (size_t)at * (single ? sizeof(float) : sizeof(double));
}

/* values[k * stride], k < count, one after the other. */
static void put(void *column, const double *values, int stride, int64_t count, bool single)
{
    if (single)
        for (int64_t k = 0; k < count; k++)
            ((float *)column)[k] = (float)values[k * stride];
    else
        for (int64_t k = 0; k < count; k++)
            ((double *)column)[k] = values[k * stride];
}

/* Output n, which is no variable, at some points of elements i[count], of which u[points][variables][EWI_TILE] is known; the column begins with the first of them. */
static void put_others(const struct sampling *sampling, int n, const int32_t *i, int64_t count, int from, int points, const double *u, void *column)
{
    const struct ewi_plan *plan = sampling->plan;
    for (int64_t k = 0; k < count; k++)
        for (int q = 0; q < points; q++) {
            const double *base = sampling->state + ewi_layout_base(plan->width, plan->rows, i[k]);
            const double *phi = sampling->phi + (size_t)(from + q) * (size_t)plan->basis->np;
            struct sample sample = {.activity = sampling->activity ? sampling->activity[i[k]] : 0};
            for (int m = 0; m < plan->variables; m++)
                sample.u[m] = u[(q * plan->variables + m) * EWI_TILE + k];
            if (sampling->output[n].source == DERIVED)
                add_gradients(sampling, i[k], base, phi, &sample);
            double value = value_of(plan, &sample, &sampling->output[n]);
            put(place(column, k * sampling->points + q, sampling->single), &value, 1, 1, sampling->single);
        }
}

/* EWI_TILE elements from number f on, some points at a time; numbers of columns count from element `first`. */
static void sample_tile(const struct sampling *sampling, int64_t f, int64_t first, int64_t last, void *const *values, void *const *means)
{
    enum { POINTS = 16 };
    const struct ewi_plan *plan = sampling->plan;
    const struct ewi_points *kernels = ewi_points_of(plan->law->number);
    int np = plan->basis->np, variables = plan->variables;
    int64_t count = last - f < EWI_TILE ? last - f : EWI_TILE;
    bool single = sampling->single;
    double c[EW_MAX_VARIABLES * EWI_MAX_NP * EWI_TILE], u[POINTS * EW_MAX_VARIABLES * EWI_TILE], w[POINTS * EW_MAX_VARIABLES * EWI_TILE];
    gather(plan, sampling->state, f, last, c);
    for (int from = 0; from < sampling->points; from += POINTS) {
        int points = sampling->points - from < POINTS ? sampling->points - from : POINTS;
        int64_t at = (f - first) * sampling->points + from;
        kernels->values(plan->parameter, np, points, sampling->phi + (size_t)from * (size_t)np, c, u, sampling->primitive ? w : NULL);
        for (int n = 0; n < sampling->outputs; n++) {
            const struct output *output = &sampling->output[n];
            const double *known = (output->source == PRIMITIVE ? w : u) + output->index * EWI_TILE;
            if (output->source != PRIMITIVE && output->source != CONSERVED)
                put_others(sampling, n, &plan->mesh->order[f], count, from, points, u, place(values[n], at, single));
            else
                for (int64_t k = 0; k < count; k++)
                    put(place(values[n], at + k * sampling->points, single), known + k, variables * EWI_TILE, points, single);
        }
    }
    for (int m = 0; means && m < variables; m++) {
        double mean[EWI_TILE];
        for (int k = 0; k < EWI_TILE; k++)
            mean[k] = SQRT2 * c[m * np * EWI_TILE + k];
        put(place(means[m], f - first, single), mean, 1, count, single);
    }
}

int ew_solver_sample_columns(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs, int outputs,
                             const int *output, int single, void *const *values, void *const *means, ew_error *error)
{
    struct sampling sampling;
    int status = begin_sampling(solver, first, count, points, rs, outputs, output, &sampling, error);
    sampling.single = single != 0;
    if (status == EW_OK) {
#pragma omp parallel for schedule(dynamic, 64)
        for (int64_t f = first; f < first + count; f += EWI_TILE)
            sample_tile(&sampling, f, first, first + count, values, means);
    }
    ewi_free(&solver->host, sampling.phi);
    return status;
}

/* ---- boundary integrals ---- */

/* The given fields at edge point q of side k of element i. */
static void field_at(const struct ewi_plan *plan, int32_t i, int side, int q, double *field)
{
    int ne = plan->basis->ne, rows = 3 * ne * plan->fields;
    for (int n = 0; n < plan->fields; n++)
        field[n] = plan->edge_field[ewi_layout_index(EWI_TILE, rows, (side * ne + q) * plan->fields + n, i)];
}

/* Pressure of the polynomials of element i at rs of the reference triangle, which may be somewhat outside. */
static double pressure_at(const struct ewi_plan *plan, const double *base, const double *rs, int pressure)
{
    double phi[EWI_MAX_NP], u[EW_MAX_VARIABLES], w[EW_MAX_VARIABLES];
    ewi_basis_eval(plan->basis->order, rs[0], rs[1], phi);
    value_at(plan, base, phi, u);
    plan->law->primitive(plan->parameter, u, w);
    return w[pressure];
}

/*
 * The integral of p n along the true curve over an edge. Its normals are known at the edge's points, so that slope and height of
 * the curve over the edge are, too: an element of it is 1 / (N.n) as long as that of the edge below, with n the edge's normal.
 */
static void add_curve_force(const struct ewi_plan *plan, const double *base, int32_t edge, int32_t slot, double length,
                            const double *n, int pressure, double *force)
{
    const struct ewi_basis *basis = plan->basis;
    int ne = basis->ne, side = plan->mesh->left_side[edge];
    static const double corner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    const double *from = corner[side], *to = corner[(side + 1) % 3];
    int32_t i = plan->mesh->left[edge];
    const double *geometry = plan->grid->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    double xr = geometry[EWI_XR * EWI_TILE], xs = geometry[EWI_XS * EWI_TILE], yr = geometry[EWI_YR * EWI_TILE],
           ys = geometry[EWI_YS * EWI_TILE], det = xr * ys - xs * yr;
    double normal[EWI_MAX_NE][2], slope[EWI_MAX_NE], factor[EWI_MAX_NE];
    for (int q = 0; q < ne; q++) {
        const double *given = plan->normal + ewi_layout_index(EWI_TILE, 2 * ne, 2 * q, slot);
        normal[q][0] = given[0];
        normal[q][1] = given[EWI_TILE];
        slope[q] = ewi_curve_slope(n, normal[q]);
    }
    for (int q = 0; q < ne; q++) {
        double t = basis->edge_t[q], height = 0;
        ewi_curve_height(ne, basis->edge_t, basis->edge_weight, t, factor);
        for (int r = 0; r < ne; r++)
            height += factor[r] * slope[r];
        double dx = height * length * n[0], dy = height * length * n[1];
        const double rs[2] = {from[0] + t * (to[0] - from[0]) + (ys * dx - xs * dy) / det,
                              from[1] + t * (to[1] - from[1]) + (xr * dy - yr * dx) / det};
        double part = basis->edge_weight[q] * length * pressure_at(plan, base, rs, pressure) /
                      (normal[q][0] * n[0] + normal[q][1] * n[1]);
        force[0] += part * normal[q][0];
        force[1] += part * normal[q][1];
    }
}

static void add_edge(const struct ewi_plan *plan, const double *state, int32_t edge, int32_t slot, int pressure,
                     ew_boundary_integrals *integrals)
{
    const struct ewi_basis *basis = plan->basis;
    int32_t i = plan->mesh->left[edge];
    int side = plan->mesh->left_side[edge];
    const double *base = state + ewi_layout_base(plan->width, plan->rows, i);
    double x0, y0, x1, y1;
    ewi_mesh_side_point(plan->mesh, i, side, 0.0, &x0, &y0);
    ewi_mesh_side_point(plan->mesh, i, side, 1.0, &x1, &y1);
    double length = sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)), nx = (y1 - y0) / length, ny = (x0 - x1) / length;
    integrals->length += length;
    for (int q = 0; q < basis->ne; q++) {
        double u[EW_MAX_VARIABLES], w[EW_MAX_VARIABLES], flux[EW_MAX_VARIABLES], field[EW_MAX_FIELDS] = {0};
        double weight = basis->edge_weight[q] * length;
        value_at(plan, base, basis->side + (size_t)(side * basis->ne + q) * (size_t)basis->np, u);
        field_at(plan, i, side, q, field);
        plan->law->flux(plan->parameter, field, u, nx, ny, flux);
        plan->law->primitive(plan->parameter, u, w);
        for (int m = 0; m < plan->variables; m++)
            integrals->flux[m] += weight * flux[m];
        if (pressure >= 0 && slot < 0) {
            integrals->force[0] += weight * w[pressure] * nx;
            integrals->force[1] += weight * w[pressure] * ny;
        }
    }
    if (pressure >= 0 && slot >= 0)
        add_curve_force(plan, base, edge, slot, length, (double[2]){nx, ny}, pressure, integrals->force);
}

int ew_solver_boundary(ew_solver *solver, int32_t k, ew_boundary_integrals *integrals, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    const ew_law *law = plan->law->info;
    const double *state;
    if (k < 0 || k >= plan->mesh->boundaries)
        return ewi_fail(error, EW_EINVAL, "there is no boundary %d; the mesh has %d", k, plan->mesh->boundaries);
    int status = ewi_solver_view(solver, &state, error), pressure = -1;
    if (status != EW_OK)
        return status;
    for (int m = 0; law->pressure && m < plan->variables; m++)
        pressure = strcmp(law->primitive[m], law->pressure) == 0 ? m : pressure;
    *integrals = (ew_boundary_integrals){.force = {pressure < 0 ? NAN : 0.0, pressure < 0 ? NAN : 0.0}};
    const struct ewi_mesh_boundary *boundary = &plan->mesh->boundary[k];
    bool curved = plan->boundary[k].curved;
    for (int32_t e = 0; e < boundary->count; e++)
        add_edge(plan, state, boundary->first + e, curved ? plan->grid->group[k].first + e : -1, pressure, integrals);
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

int ew_solver_hash(ew_solver *solver, uint64_t *hash, ew_error *error)
{
    const double *state;
    int status = ewi_solver_view(solver, &state, error);
    if (status != EW_OK)
        return status;
    uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 512) reduction(+ : sum)
    for (int32_t first = 0; first < solver->plan->grid->elements; first += EWI_TILE)
        sum += hash_tile(solver->plan, state, first);
    *hash = sum;
    return EW_OK;
}

/* ---- norms ---- */

enum { BLOCK = 256 }; /* elements whose contributions are added one after the other; blocks are added by a binary tree */

struct sums {
    double square[EW_MAX_VARIABLES], largest[EW_MAX_VARIABLES], total[EW_MAX_VARIABLES];
    double min[EW_MAX_VARIABLES], max[EW_MAX_VARIABLES];
};

static double nan_max(double a, double b)
{
    return a > b || a != a ? a : b;
}

static double nan_min(double a, double b)
{
    return a < b || a != a ? a : b;
}

static void add_sums(struct sums *a, const struct sums *b, int variables)
{
    for (int m = 0; m < variables; m++) {
        a->square[m] += b->square[m];
        a->total[m] += b->total[m];
        a->largest[m] = nan_max(a->largest[m], b->largest[m]);
        a->min[m] = nan_min(a->min[m], b->min[m]);
        a->max[m] = nan_max(a->max[m], b->max[m]);
    }
}

static void add_errors(const ew_solver *solver, const struct corners *corner, const double *base, double det, struct sums *sum)
{
    const struct ewi_plan *plan = solver->plan;
    const struct ewi_basis *basis = plan->basis;
    bool fine = solver->fine_errors;
    int points = fine ? basis->nf : basis->nq, variables = plan->variables;
    const double *weight = fine ? basis->fine_weight : basis->weight, *phi = fine ? basis->fine_phi : basis->phi;
    double x[MAX_POINTS], y[MAX_POINTS], values[MAX_POINTS * EW_MAX_VARIABLES];
    points_of(corner, points, fine ? basis->fine_r : basis->r, fine ? basis->fine_s : basis->s, x, y);
    ewi_data_evaluate(&solver->exact, (size_t)points, x, y, solver->time, values);
    for (int q = 0; q < points; q++) {
        double primitive[EW_MAX_VARIABLES], exact[EW_MAX_VARIABLES], u[EW_MAX_VARIABLES];
        for (int m = 0; m < variables; m++)
            primitive[m] = values[m * points + q];
        plan->law->conserved(plan->parameter, primitive, exact);
        value_at(plan, base, phi + q * basis->np, u);
        for (int m = 0; m < variables; m++) {
            double difference = u[m] - exact[m];
            sum->square[m] += weight[q] * (difference * difference) * det;
            sum->largest[m] = nan_max(fabs(difference), sum->largest[m]);
        }
    }
}

/* EWI_TILE elements from number f on, those from `last` on left out: one after the other, as if each had been alone. */
static void add_tile(const ew_solver *solver, const double *state, int32_t f, int32_t last, struct sums *sum)
{
    const struct ewi_plan *plan = solver->plan;
    const struct ewi_basis *basis = plan->basis;
    double c[EW_MAX_VARIABLES * EWI_MAX_NP * EWI_TILE], min[EW_MAX_VARIABLES * EWI_TILE], max[EW_MAX_VARIABLES * EWI_TILE];
    gather(plan, state, f, last, c);
    ewi_points_of(plan->law->number)->extrema(plan->parameter, basis->np, basis->nq, basis->phi, c, min, max);
    for (int k = 0; k < EWI_TILE && f + k < last; k++) {
        int32_t i = plan->mesh->order[f + k];
        if (f + k + EWI_TILE < last)
            __builtin_prefetch(&plan->mesh->triangle[3 * (size_t)plan->mesh->order[f + k + EWI_TILE]]);
        struct corners corner = corners_of(plan->mesh, i);
        double det = corner.xr * corner.ys - corner.xs * corner.yr;
        for (int m = 0; m < plan->variables; m++) {
            sum->total[m] += SQRT2 * c[m * basis->np * EWI_TILE + k] * (0.5 * det);
            sum->min[m] = nan_min(min[m * EWI_TILE + k], sum->min[m]);
            sum->max[m] = nan_max(max[m * EWI_TILE + k], sum->max[m]);
        }
        if (ewi_data_is_given(&solver->exact))
            add_errors(solver, &corner, state + ewi_layout_base(plan->width, plan->rows, i), det, sum);
    }
}

static struct sums empty_sums(void)
{
    struct sums sum = {0};
    for (int m = 0; m < EW_MAX_VARIABLES; m++) {
        sum.min[m] = INFINITY;
        sum.max[m] = -INFINITY;
    }
    return sum;
}

int ew_solver_norms(ew_solver *solver, ew_norms *norms, ew_error *error)
{
    const double *state;
    int status = ewi_solver_view(solver, &state, error);
    if (status != EW_OK)
        return status;
    int32_t elements = solver->plan->grid->elements, blocks = (elements + BLOCK - 1) / BLOCK;
    struct sums *sum = ewi_alloc(&solver->host, (size_t)blocks, sizeof *sum);
    if (!sum)
        return ewi_fail(error, EW_ENOMEM, "there is no memory for the norms");
    bool parallel = !solver->exact.callback;
    (void)parallel;
#pragma omp parallel for schedule(dynamic, 4) if (parallel)
    for (int32_t b = 0; b < blocks; b++) {
        sum[b] = empty_sums();
        for (int32_t f = b * BLOCK, last = elements - f < BLOCK ? elements : f + BLOCK; f < last; f += EWI_TILE)
            add_tile(solver, state, f, last, &sum[b]);
    }
    for (int32_t step = 1; step < blocks; step *= 2)
        for (int32_t b = 0; b + step < blocks; b += 2 * step)
            add_sums(&sum[b], &sum[b + step], solver->plan->variables);

    *norms = (ew_norms){.has_errors = ewi_data_is_given(&solver->exact)};
    for (int m = 0; m < solver->plan->variables; m++) {
        norms->error_l2[m] = norms->has_errors ? sqrt(sum->square[m]) : NAN;
        norms->error_linf[m] = norms->has_errors ? sum->largest[m] : NAN;
        norms->total[m] = sum->total[m];
        norms->min[m] = sum->min[m];
        norms->max[m] = sum->max[m];
    }
    ewi_free(&solver->host, sum);
    return EW_OK;
}
