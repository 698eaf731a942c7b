/* SPDX-License-Identifier: BSD-2-Clause */
/* The times of a run's frames and restart files, and checks of plans against solvers. */
#include "ewi_error.h"
#include "ewi_fields.h"

#include <math.h>
#include <string.h>

void ew_run_plan_init(ew_run_plan *plan)
{
    if (plan)
        *plan = (ew_run_plan){.name = "run", .end = INFINITY, .steps = INT64_MAX, .restart_keep = 1};
}

/* Multiple k of the period. If it differs from a given time or the end only by rounding, it is that time. */
static double multiple(const ew_run_plan *plan, double k)
{
    double time = plan->start + k * plan->every, slack = 1e-9 * plan->every;
    if (fabs(time - plan->end) <= slack)
        return plan->end;
    for (size_t i = 0; i < plan->times; i++)
        if (fabs(time - plan->at[i]) <= slack)
            return plan->at[i];
    return time;
}

double ew_run_plan_next_frame(const ew_run_plan *plan, double time)
{
    if (!plan)
        return NAN;
    double next = plan->end;
    for (size_t i = plan->times; i-- > 0;)
        if (plan->at[i] > time && plan->at[i] < next)
            next = plan->at[i];
    if (plan->every > 0.0 && time < next) {
        double k = floor((time - plan->start) / plan->every) - 1.0;
        k = k > 1.0 ? k : 1.0;
        while (multiple(plan, k) <= time)
            k += 1.0;
        next = fmin(next, multiple(plan, k));
    }
    return next;
}

/* A time that misses a multiple only by rounding counts as that multiple. */
double ew_run_plan_next_restart(const ew_run_plan *plan, double time)
{
    if (!plan)
        return NAN;
    if (!(plan->restart_every > 0.0))
        return INFINITY;
    double k = floor((time - plan->start) / plan->restart_every + 1e-9) + 1.0;
    return plan->start + (k > 1.0 ? k : 1.0) * plan->restart_every;
}

const char *ewi_title_of(const ew_run_plan *plan)
{
    return plan->title && plan->title[0] ? plan->title : plan->name;
}

int ewi_compare_plan(const ew_run_plan *plan, const char *before, ew_text_difference *difference, ew_error *error)
{
    *difference = (ew_text_difference){0};
    return plan->compare ? plan->compare(plan->context, before, difference, error) : EW_OK;
}

int ewi_plan_outputs(const ew_run_plan *plan, const ew_law *law, int output[EWI_MOST_OUTPUTS])
{
    int count = plan->outputs > 0 ? plan->outputs : law->variables;
    for (int k = 0; k < count; k++)
        output[k] = plan->outputs > 0 ? plan->output[k] : k;
    return count;
}

int ewi_plan_raster_outputs(const ew_run_plan *plan, const ew_law *law, int output[EWI_MOST_OUTPUTS])
{
    if (plan->raster.outputs == 0)
        return ewi_plan_outputs(plan, law, output);
    memcpy(output, plan->raster.output, (size_t)plan->raster.outputs * sizeof *output);
    return plan->raster.outputs;
}

/* ---- plans that programs make ------------------------------------------------------------------------------------ */

/* A bound for counts that have no other: no larger array can exist. */
#define IS_COUNT(count, array) \
    ((count) == 0 || ((count) > 0 && (array) && (uintmax_t)(count) <= PTRDIFF_MAX / sizeof *(array)))

static const char *solver_output_name(const void *solver, int index)
{
    return ew_solver_output(solver, index, NULL);
}

const char *ewi_problem_output_name(const void *problem, int index)
{
    return ew_problem_output(problem, index, NULL);
}

static int check_numbers(const char *whose, int outputs, const int *output, ewi_output_name *name, const void *of,
                         ew_error *error)
{
    if (outputs < 0 || outputs > EWI_MOST_OUTPUTS || (outputs > 0 && !output))
        return ewi_fail(error, EW_EINVAL, "the %s has %d outputs; there can be 0 to %d, and `output` has their "
                        "numbers", whose, outputs, EWI_MOST_OUTPUTS);
    for (int k = 0; k < outputs; k++)
        if (output[k] < 0 || !name(of, output[k]))
            return ewi_fail(error, EW_EINVAL, "output %d of the %s has the number %d, which ew_solver_output does "
                            "not know", k, whose, output[k]);
    for (int k = 0; k < outputs; k++)
        for (int m = 0; m < k; m++)
            if (output[m] == output[k])
                return ewi_fail(error, EW_EINVAL, "outputs %d and %d of the %s are both %s; give it once", m, k, whose,
                                name(of, output[k]));
    return EW_OK;
}

static bool is_empty(const ew_raster *raster)
{
    static const double none[4];
    return memcmp(raster->window, none, sizeof none) == 0 && raster->outputs == 0 && !raster->double_precision &&
           !raster->only;
}

int ewi_plan_check_raster(const ew_run_plan *plan, ewi_output_name *name, const void *of, ew_error *error)
{
    const ew_raster *raster = &plan->raster;
    const int *cells = raster->cells;
    const double *window = raster->window;
    if (cells[0] == 0 && cells[1] == 0 && is_empty(raster))
        return EW_OK;
    if (cells[0] < 1 || cells[1] < 1 || cells[0] > EW_MOST_RASTER_CELLS || cells[1] > EW_MOST_RASTER_CELLS)
        return ewi_fail(error, EW_EINVAL, "the plan's raster has %d x %d cells; there must be 1 to %d in x and in y, "
                        "or nothing at all for no raster", cells[0], cells[1], EW_MOST_RASTER_CELLS);
    TRY(check_numbers("plan's raster", raster->outputs, raster->output, name, of, error));
    if (window[0] == 0 && window[1] == 0 && window[2] == 0 && window[3] == 0)
        return EW_OK;
    if (!(window[2] > window[0] && window[3] > window[1] && isfinite(window[2] - window[0]) &&
          isfinite(window[3] - window[1])))
        return ewi_fail(error, EW_EINVAL, "the window of the plan's raster, %.9g .. %.9g in x and %.9g .. %.9g in y, "
                        "is empty or not finite", window[0], window[2], window[1], window[3]);
    return EW_OK;
}

int ewi_plan_check_compression(const ew_run_plan *plan, ew_error *error)
{
    return plan->compression < 0 || plan->compression > 9
               ? ewi_fail(error, EW_EINVAL, "the plan's compression is %d; it must be 0 to 9", plan->compression)
               : EW_OK;
}

static int check_outputs(const ew_run_plan *plan, const ew_solver *solver, ew_error *error)
{
    TRY(check_numbers("plan", plan->outputs, plan->output, solver_output_name, solver, error));
    TRY(ewi_plan_check_compression(plan, error));
    if (plan->subdivide < 0 || plan->subdivide > 100)
        return ewi_fail(error, EW_EINVAL, "the plan cuts each triangle into %d^2; it must be 1^2 to 100^2, or 0 for "
                        "the order", plan->subdivide);
    return EW_OK;
}

static int check_boundaries(const ew_mesh *mesh, int count, const int32_t *boundary, const char *what, ew_error *error)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    if (count < 0 || count > info.boundaries || (count > 0 && !boundary))
        return ewi_fail(error, EW_EINVAL, "%s: %d boundaries are given, or `boundary` is NULL; the mesh has %d", what,
                        count, info.boundaries);
    for (int k = 0; k < count; k++)
        if (boundary[k] < 0 || boundary[k] >= info.boundaries)
            return ewi_fail(error, EW_EINVAL, "%s: there is no boundary %d; the mesh has %d", what, boundary[k],
                            info.boundaries);
    return EW_OK;
}

int ewi_check_body(const ew_mesh *mesh, const ew_series_body *body, ew_error *error)
{
    const char *name = body->name ? body->name : "a body";
    const double *along = body->direction, *point = body->point;
    TRY(check_boundaries(mesh, body->boundaries, body->boundary, name, error));
    double scale = body->density * body->speed * body->speed * body->length * body->length;
    if (!(body->density > 0 && body->speed > 0 && body->length > 0 && scale > 0 && isfinite(scale)))
        return ewi_fail(error, EW_EINVAL, "%s: the density is %g, the speed %g and the length %g; they must be greater "
                        "than 0", name, body->density, body->speed, body->length);
    if (!(fabs(hypot(along[0], along[1]) - 1) < 1e-6))
        return ewi_fail(error, EW_EINVAL, "%s: the direction is (%g, %g); its length must be 1", name, along[0],
                        along[1]);
    if (!isfinite(point[0]) || !isfinite(point[1]))
        return ewi_fail(error, EW_EINVAL, "%s: the point of the moment is (%g, %g); it must be finite", name, point[0],
                        point[1]);
    return EW_OK;
}

static int check_wall(const ew_solver *solver, const ew_mesh *mesh, const ew_wall *wall, ew_error *error)
{
    TRY(check_boundaries(mesh, wall->boundaries, wall->boundary, wall->name, error));
    if (wall->boundaries < 1)
        return ewi_fail(error, EW_EINVAL, "%s: the wall has no boundary", wall->name);
    if (!isnan(wall->temperature) && !(wall->temperature > 0 && isfinite(wall->temperature)))
        return ewi_fail(error, EW_EINVAL, "%s: the temperature is %g; it must be greater than 0, or NaN for none",
                        wall->name, wall->temperature);
    double scale = wall->density * wall->speed * wall->speed;
    if (!(wall->density > 0 && wall->speed > 0 && wall->length > 0 && scale > 0 && isfinite(scale) &&
          isfinite(wall->length) && isfinite(wall->pressure)))
        return ewi_fail(error, EW_EINVAL, "%s: the density is %g, the speed %g, the length %g and the pressure %g; the "
                        "first three must be greater than 0, and all finite", wall->name, wall->density, wall->speed,
                        wall->length, wall->pressure);
    for (int k = 0; k < wall->boundaries; k++)
        TRY(ew_solver_wall_places(solver, wall->boundary[k], NULL, NULL, error));
    return EW_OK;
}

static int check_walls(const ew_run_plan *plan, const ew_solver *solver, const ew_mesh *mesh, ew_error *error)
{
    if (!IS_COUNT(plan->walls, plan->wall))
        return ewi_fail(error, EW_EINVAL, "the plan has %d walls, or they are not given", plan->walls);
    for (int k = 0; k < plan->walls; k++) {
        const char *name = plan->wall[k].name;
        if (!name || !name[0] || strchr(name, '/') || strlen(name) > EW_LONGEST_WALL_NAME)
            return ewi_fail(error, EW_EINVAL, "wall %d of the plan has no name, or one with a slash or more than %d "
                            "bytes", k, (int)EW_LONGEST_WALL_NAME);
        for (int i = 0; i < k; i++)
            if (strcmp(name, plan->wall[i].name) == 0)
                return ewi_fail(error, EW_EINVAL, "walls %d and %d of the plan are both called \"%s\"", i, k, name);
        TRY(check_wall(solver, mesh, &plan->wall[k], error));
    }
    return EW_OK;
}

static int check_series(const ew_run_plan *plan, const ew_mesh *mesh, ew_error *error)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    TRY(check_boundaries(mesh, plan->fluxes, plan->flux, "the plan's fluxes", error));
    if (!IS_COUNT(plan->probes, plan->probe) || !IS_COUNT(plan->bodies, plan->body))
        return ewi_fail(error, EW_EINVAL, "the plan has %d probes and %d bodies, or they are not given", plan->probes,
                        plan->bodies);
    for (int k = 0; k < plan->probes; k++)
        if (!plan->probe[k].name || plan->probe[k].element < 0 || plan->probe[k].element >= info.elements)
            return ewi_fail(error, EW_EINVAL, "probe %d of the plan has no name, or is in no element of the mesh", k);
    for (int k = 0; k < plan->bodies; k++) {
        if (!plan->body[k].name)
            return ewi_fail(error, EW_EINVAL, "body %d of the plan has no name", k);
        TRY(ewi_check_body(mesh, &plan->body[k], error));
    }
    return EW_OK;
}

static int check_times(const ew_run_plan *plan, ew_error *error)
{
    if (!isfinite(plan->start) || isnan(plan->end) || plan->steps < 0)
        return ewi_fail(error, EW_EINVAL, "the plan runs from t = %g to %g, for at most %lld steps; these must be "
                        "numbers", plan->start, plan->end, (long long)plan->steps);
    if (plan->end < plan->start)
        return ewi_fail(error, EW_EINVAL, "the plan ends at t = %.16g, before its start, %.16g", plan->end,
                        plan->start);
    if (!(plan->every >= 0) || !(plan->restart_every >= 0) || plan->restart_steps < 0 || plan->restart_keep < 0 ||
        plan->series_steps < 0)
        return ewi_fail(error, EW_EINVAL, "the plan's intervals must be 0 or greater: frames %g, restart files %g or "
                        "%lld steps, of which %d stay, a series' lines %lld steps", plan->every, plan->restart_every,
                        (long long)plan->restart_steps, plan->restart_keep, (long long)plan->series_steps);
    if (!IS_COUNT(plan->times, plan->at))
        return ewi_fail(error, EW_EINVAL, "the plan has %zu times of frames, or `at` is NULL", plan->times);
    for (size_t k = 0; k < plan->times; k++)
        if (!isfinite(plan->at[k]) || (k > 0 && plan->at[k] < plan->at[k - 1]))
            return ewi_fail(error, EW_EINVAL, "time %zu of the plan's frames is %g; times must be finite, and ascend",
                            k, plan->at[k]);
    return EW_OK;
}

struct ewi_origin ewi_origin_of(const ew_solver *solver)
{
    ew_solver_info info;
    ew_mesh_info mesh;
    ew_solver_get_info(solver, &info);
    ew_mesh_get_info(info.mesh, &mesh);
    return (struct ewi_origin){.law = info.law, .mesh = mesh.hash, .order = info.order};
}

int ewi_origin_check(const struct ewi_origin *origin, const ew_solver *solver, const char *path, ew_error *error)
{
    struct ewi_origin now = ewi_origin_of(solver);
    const char *other = now.mesh != origin->mesh     ? "mesh"
                        : now.law != origin->law     ? "law"
                        : now.order != origin->order ? "order"
                                                     : NULL;
    return other ? ewi_fail(error, EW_EINVAL, "cannot add to %s: this solver has another %s than the one that it was "
                            "begun with", path, other)
                 : EW_OK;
}

int ewi_plan_check(const ew_run_plan *plan, const ew_solver *solver, ew_error *error)
{
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    if (!plan->name || !plan->name[0])
        return ewi_fail(error, EW_EINVAL,
                        "the plan has no name for its files; ew_run_plan_init sets one");
    TRY(check_times(plan, error));
    TRY(check_outputs(plan, solver, error));
    TRY(ewi_plan_check_raster(plan, solver_output_name, solver, error));
    TRY(check_walls(plan, solver, info.mesh, error));
    return check_series(plan, info.mesh, error);
}
