#include "ewi_plan.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <math.h>
#include <string.h>

enum { BATCH = 64 }; /* points that are handed to a formula at once */

/* ---- data ---- */

bool ewi_data_is_given(const ew_data *data)
{
    return data->formula || data->callback;
}

unsigned ewi_data_variables(const ew_data *data)
{
    return data->formula ? ew_formula_variables(data->formula) : data->callback ? data->variables : 0;
}

void ewi_data_evaluate(const ew_data *data, size_t n, const double *x, const double *y, double t, double *values)
{
    if (data->formula)
        ew_formula_evaluate(data->formula, n, x, y, t, values, n);
    else
        data->callback(data->context, n, x, y, t, values);
}

static int check_outputs(const ew_data *data, int outputs, const char *what, ew_error *error)
{
    if (data->formula && ew_formula_outputs(data->formula) != outputs)
        return ewi_fail(error, EW_EINVAL, "%s has %d formulas; the law needs %d", what, ew_formula_outputs(data->formula),
                        outputs);
    return EW_OK;
}

/* ---- choices ---- */

static int choose_law(struct ewi_plan *plan, const ew_problem *problem, ew_error *error)
{
    const char *name = problem->law ? problem->law : "euler";
    plan->law = ewi_law_find(name);
    if (!plan->law)
        return ewi_fail(error, EW_EINVAL, "there is no law \"%s\"; there are euler and others: see edgewise info", name);
    const ew_law *info = plan->law->info;
    plan->variables = info->variables;
    plan->fields = info->fields;
    for (int k = 0; k < info->parameters; k++)
        plan->parameter[k] = info->parameter[k].value;
    for (size_t i = 0; i < problem->parameters; i++) {
        int k = 0;
        while (k < info->parameters && strcmp(info->parameter[k].name, problem->parameter[i].name) != 0)
            k++;
        if (k == info->parameters)
            return ewi_fail(error, EW_EINVAL, "the law \"%s\" has no parameter \"%s\"", name, problem->parameter[i].name);
        double value = problem->parameter[i].value;
        if (!(value > info->parameter[k].above) || !isfinite(value))
            return ewi_fail(error, EW_EINVAL, "%s is %g; it must be greater than %g", info->parameter[k].name, value,
                            info->parameter[k].above);
        plan->parameter[k] = value;
    }
    return ewi_flux_find(plan->law, problem->flux ? problem->flux : "llf", &plan->flux, error);
}

static int choose_scheme(struct ewi_plan *plan, const ew_problem *problem, ew_error *error)
{
    plan->basis = ewi_basis_get(problem->order);
    if (!plan->basis)
        return ewi_fail(error, EW_EINVAL, "the order is %d; it can be 1 to %d", problem->order, EW_MAX_ORDER);
    plan->rows = plan->variables * plan->basis->np;

    const char *scheme = problem->scheme ? problem->scheme : "rk4";
    plan->scheme = ewi_scheme_find(scheme);
    if (!plan->scheme)
        return ewi_fail(error, EW_EINVAL, "there is no time scheme \"%s\"; there are rk2, rk4, ssprk22, ssprk33 and ssprk54",
                        scheme);
    plan->cfl = problem->cfl != 0.0 ? problem->cfl : plan->scheme->cfl;
    if (!(plan->cfl > 0.0) || !isfinite(plan->cfl))
        return ewi_fail(error, EW_EINVAL, "the Courant number is %g; it must be greater than 0", plan->cfl);
    if (!(problem->steady >= 0.0) || !isfinite(problem->steady))
        return ewi_fail(error, EW_EINVAL, "the tolerance for a steady state is %g; it must be 0 or greater", problem->steady);
    plan->steady = problem->steady;

    const char *limiter = problem->limiter ? problem->limiter : "none";
    plan->limited = strcmp(limiter, "none") != 0;
    if (plan->limited && strcmp(limiter, "barth-jespersen") != 0)
        return ewi_fail(error, EW_EINVAL, "there is no limiter \"%s\"; there are none and barth-jespersen", limiter);
    if (plan->limited && problem->order != 1)
        return ewi_fail(error, EW_EINVAL, "the limiter barth-jespersen is made for order 1; the order is %d", problem->order);
    return EW_OK;
}

static int choose_layout(struct ewi_plan *plan, const ew_problem *problem, ew_error *error)
{
    if (problem->threads < 0)
        return ewi_fail(error, EW_EINVAL, "the number of threads is %d; it must be 0 or greater", problem->threads);
    if (problem->tile != 0 && problem->tile != EWI_TILE && problem->tile != -1)
        return ewi_fail(error, EW_EINVAL, "the tile width is %d; it can be %d, or -1 for all elements", problem->tile, EWI_TILE);
    plan->width = problem->tile == -1 ? ewi_layout_padded(plan->mesh->elements) : EWI_TILE;
    return EW_OK;
}

/* ---- boundaries ---- */

static const ew_boundary *boundary_named(const ew_problem *problem, const char *name)
{
    for (size_t k = 0; k < problem->boundaries; k++)
        if (strcmp(problem->boundary[k].name, name) == 0)
            return &problem->boundary[k];
    return NULL;
}

static int check_boundary_names(const ew_mesh *mesh, const ew_problem *problem, ew_error *error)
{
    if (problem->boundaries > 0 && !problem->boundary)
        return ewi_fail(error, EW_EINVAL, "%zu boundaries are said to be given, but where is NULL", problem->boundaries);
    for (size_t k = 0; k < problem->boundaries; k++) {
        bool found = false;
        if (!problem->boundary[k].name || !problem->boundary[k].kind)
            return ewi_fail(error, EW_EINVAL, "the condition for boundary \"%s\" has no %s",
                            problem->boundary[k].name ? problem->boundary[k].name : "",
                            problem->boundary[k].name ? "kind" : "name");
        if (boundary_named(problem, problem->boundary[k].name) != &problem->boundary[k])
            return ewi_fail(error, EW_EINVAL, "there are two conditions for boundary \"%s\"", problem->boundary[k].name);
        for (int32_t b = 0; b < mesh->boundaries; b++)
            found = found || strcmp(mesh->boundary[b].name, problem->boundary[k].name) == 0;
        if (!found)
            return ewi_fail(error, EW_EINVAL, "boundary \"%s\" is not in the mesh", problem->boundary[k].name);
    }
    for (int32_t b = 0; b < mesh->boundaries; b++)
        if (!boundary_named(problem, mesh->boundary[b].name))
            return ewi_fail(error, EW_EINVAL, "the mesh has a boundary \"%s\", for which there is no condition",
                            mesh->boundary[b].name);
    return EW_OK;
}

static int choose_boundary(struct ewi_plan *plan, const ew_boundary *given, struct ewi_plan_boundary *boundary, ew_error *error)
{
    int status = ewi_ghost_find(plan->law, given, &boundary->ghost, &boundary->given, error);
    if (status != EW_OK)
        return status;
    if (boundary->given && !ewi_data_is_given(&given->state))
        return ewi_fail(error, EW_EINVAL, "boundary \"%s\" of kind \"%s\" needs a state", given->name, given->kind);
    status = check_outputs(&given->state, plan->variables, "the state", error);
    if (status == EW_OK)
        status = check_outputs(&given->normal, 2, "the normal", error);
    if (status != EW_OK)
        ewi_context(error, status, "boundary \"%s\"", given->name);
    boundary->state = given->state;
    boundary->time_dependent = boundary->given && (ewi_data_variables(&given->state) & EW_T);
    plan->time_dependent = plan->time_dependent || boundary->time_dependent;
    return status;
}

/* Coordinates of the points of one boundary's edges, and the edges' own unit normals. */
static void fill_boundary_points(struct ewi_plan *plan, const struct ewi_edge_group *group)
{
    const struct ewi_grid *grid = plan->grid;
    int ne = plan->basis->ne;
    for (int32_t slot = group->first; slot < group->first + group->padded; slot++) {
        int32_t element = grid->left[slot];
        int side = grid->left_side[slot];
        const double *geometry = grid->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, element);
        double nx = geometry[(EWI_SIDES + 3 * side) * EWI_TILE], ny = geometry[(EWI_SIDES + 3 * side + 1) * EWI_TILE];
        double length = fabs(geometry[(EWI_SIDES + 3 * side + 2) * EWI_TILE]);
        for (int e = 0; e < ne; e++) {
            double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            ewi_mesh_side_point(grid->mesh, element, side, plan->basis->edge_t[e], &point[0], &point[EWI_TILE]);
            normal[0] = nx / length;
            normal[EWI_TILE] = ny / length;
        }
    }
}

/* Normals of the true curve, made unit vectors; they must point outward. */
static int fill_true_normals(struct ewi_plan *plan, const struct ewi_edge_group *group, const ew_boundary *given, ew_error *error)
{
    int ne = plan->basis->ne;
    for (int32_t slot = group->first; slot < group->first + group->padded; slot++)
        for (int e = 0; e < ne; e++) {
            double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            double n[2];
            ewi_data_evaluate(&given->normal, 1, &point[0], &point[EWI_TILE], 0.0, n);
            double length = sqrt(n[0] * n[0] + n[1] * n[1]);
            if (!isfinite(length) || length == 0.0)
                return ewi_fail(error, EW_EINVAL, "boundary \"%s\": the normal at (%g, %g) is (%g, %g), which has no direction",
                                given->name, point[0], point[EWI_TILE], n[0], n[1]);
            if (!(n[0] * normal[0] + n[1] * normal[EWI_TILE] > 0.0))
                return ewi_fail(error, EW_EINVAL,
                                "boundary \"%s\": the normal (%g, %g) at (%g, %g) points into the domain; it must point outward",
                                given->name, n[0], n[1], point[0], point[EWI_TILE]);
            normal[0] = n[0] / length;
            normal[EWI_TILE] = n[1] / length;
        }
    return EW_OK;
}

void ewi_plan_evaluate_boundary(struct ewi_plan *plan, const struct ewi_edge_group *group, int32_t first, int32_t count, double t)
{
    const ew_data *state = &plan->boundary[group->boundary].state;
    int ne = plan->basis->ne, variables = plan->variables;
    double x[BATCH], y[BATCH], values[BATCH * EW_MAX_VARIABLES];
    int32_t slots = BATCH / ne; /* so many slots fill a batch */
    for (int32_t begin = first; begin < first + count; begin += slots) {
        int32_t some = first + count - begin < slots ? first + count - begin : slots;
        size_t n = 0;
        for (int32_t slot = begin; slot < begin + some; slot++)
            for (int e = 0; e < ne; e++, n++) {
                const double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
                x[n] = point[0];
                y[n] = point[EWI_TILE];
            }
        ewi_data_evaluate(state, n, x, y, t, values);
        size_t i = 0;
        for (int32_t slot = begin; slot < begin + some; slot++)
            for (int e = 0; e < ne; e++, i++) {
                double primitive[EW_MAX_VARIABLES] = {0}, conserved[EW_MAX_VARIABLES];
                for (int m = 0; m < variables; m++)
                    primitive[m] = values[(size_t)m * n + i];
                plan->law->conserved(plan->parameter, primitive, conserved);
                double *given = plan->given + ewi_layout_index(EWI_TILE, ne * variables, e * variables, slot);
                for (int m = 0; m < variables; m++)
                    given[m * EWI_TILE] = conserved[m];
            }
    }
}

static int check_given_states(const struct ewi_plan *plan, const struct ewi_edge_group *group, double t, ew_error *error)
{
    int ne = plan->basis->ne, variables = plan->variables;
    for (int32_t slot = group->first; slot < group->first + group->count; slot++)
        for (int e = 0; e < ne; e++) {
            double u[EW_MAX_VARIABLES];
            for (int m = 0; m < variables; m++)
                u[m] = plan->given[ewi_layout_index(EWI_TILE, ne * variables, e * variables + m, slot)];
            const double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            double w[EW_MAX_VARIABLES];
            plan->law->primitive(plan->parameter, u, w);
            if (!plan->law->admissible(plan->parameter, u))
                return ewi_fail(error, EW_EINVAL,
                                "boundary \"%s\": the given state at (%g, %g), t = %g, is not admissible: %s is %g and %s is %g",
                                plan->mesh->boundary[group->boundary].name, point[0], point[EWI_TILE], t,
                                plan->law->info->primitive[0], w[0], plan->law->info->primitive[variables - 1], w[variables - 1]);
        }
    return EW_OK;
}

static int fill_boundaries(struct ewi_plan *plan, const ew_problem *problem, ew_error *error)
{
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        const struct ewi_edge_group *group = &plan->grid->group[b];
        const ew_boundary *given = boundary_named(problem, plan->mesh->boundary[b].name);
        fill_boundary_points(plan, group);
        if (ewi_data_is_given(&given->normal)) {
            int status = fill_true_normals(plan, group, given, error);
            if (status != EW_OK)
                return status;
        }
        if (plan->boundary[b].given) {
            ewi_plan_evaluate_boundary(plan, group, group->first, group->padded, problem->time);
            int status = check_given_states(plan, group, problem->time, error);
            if (status != EW_OK)
                return status;
        }
    }
    return EW_OK;
}

/* ---- given fields ---- */

static int field_at(const struct ewi_plan *plan, const ew_data *data, double x, double y, double *field, ew_error *error)
{
    ewi_data_evaluate(data, 1, &x, &y, 0.0, field);
    for (int f = 0; f < plan->fields; f++)
        if (!isfinite(field[f]))
            return ewi_fail(error, EW_EINVAL, "%s is %g at (%g, %g)", plan->law->info->field[f], field[f], x, y);
    return EW_OK;
}

static double size_of(const double *field, int fields)
{
    double square = 0.0;
    for (int f = 0; f < fields; f++)
        square += field[f] * field[f];
    return sqrt(square);
}

static int fill_volume_field(struct ewi_plan *plan, const ew_data *data, int32_t i, ew_error *error)
{
    const struct ewi_basis *basis = plan->basis;
    const int32_t *node = plan->mesh->triangle + 3 * (size_t)i;
    const double *a = plan->mesh->xy + 2 * (size_t)node[0], *b = plan->mesh->xy + 2 * (size_t)node[1],
                 *c = plan->mesh->xy + 2 * (size_t)node[2];
    for (int q = 0; q < basis->nq; q++) {
        double r = basis->r[q], s = basis->s[q], field[EW_MAX_FIELDS];
        double x = a[0] + (b[0] - a[0]) * r + (c[0] - a[0]) * s, y = a[1] + (b[1] - a[1]) * r + (c[1] - a[1]) * s;
        int status = field_at(plan, data, x, y, field, error);
        if (status != EW_OK)
            return status;
        for (int f = 0; f < plan->fields; f++)
            plan->volume_field[ewi_layout_index(EWI_TILE, basis->nq * plan->fields, q * plan->fields + f, i)] = field[f];
        plan->speed_bound[i] = fmax(plan->speed_bound[i], size_of(field, plan->fields));
    }
    return EW_OK;
}

/* Once per edge, on the left element, and in reverse to the right one, so that both have the same bits. */
static int fill_edge_field(struct ewi_plan *plan, const ew_data *data, int32_t slot, ew_error *error)
{
    const struct ewi_grid *grid = plan->grid;
    int ne = plan->basis->ne, rows = 3 * ne * plan->fields;
    int32_t left = grid->left[slot], right = grid->right[slot];
    for (int e = 0; e < ne; e++) {
        double x, y, field[EW_MAX_FIELDS];
        ewi_mesh_side_point(plan->mesh, left, grid->left_side[slot], plan->basis->edge_t[e], &x, &y);
        int status = field_at(plan, data, x, y, field, error);
        if (status != EW_OK)
            return status;
        double size = size_of(field, plan->fields);
        for (int f = 0; f < plan->fields; f++) {
            int reverse = (grid->right_side[slot] * ne + ne - 1 - e) * plan->fields + f;
            int own = (grid->left_side[slot] * ne + e) * plan->fields + f;
            if (slot >= grid->boundary_slots)
                plan->edge_field[ewi_layout_index(EWI_TILE, rows, reverse, right)] = field[f];
            plan->edge_field[ewi_layout_index(EWI_TILE, rows, own, left)] = field[f];
        }
        plan->speed_bound[left] = fmax(plan->speed_bound[left], size);
        plan->speed_bound[right] = fmax(plan->speed_bound[right], size);
    }
    return EW_OK;
}

static int fill_fields(struct ewi_plan *plan, const ew_data *data, ew_error *error)
{
    int status = EW_OK;
    for (int32_t i = 0; i < plan->grid->elements && status == EW_OK; i++)
        status = fill_volume_field(plan, data, i, error);
    for (int32_t slot = 0; slot < plan->grid->slots && status == EW_OK; slot++)
        status = fill_edge_field(plan, data, slot, error);
    return status;
}

static int check_field(const struct ewi_plan *plan, const ew_problem *problem, ew_error *error)
{
    if (plan->fields == 0)
        return EW_OK;
    if (!ewi_data_is_given(&problem->field))
        return ewi_fail(error, EW_EINVAL, "the law \"%s\" needs %s and the other components as formulas of x and y",
                        plan->law->info->name, plan->law->info->field[0]);
    if (ewi_data_variables(&problem->field) & EW_T)
        return ewi_fail(error, EW_EINVAL, "%s depends on t; the fields of the law \"%s\" may depend on x and y only",
                        plan->law->info->field[0], plan->law->info->name);
    return check_outputs(&problem->field, plan->fields, "the law's field", error);
}

/* ---- the plan ---- */

static int choose(struct ewi_plan *plan, const ew_problem *problem, ew_error *error)
{
    int status;
    EWI_TRY(choose_law(plan, problem, error));
    EWI_TRY(choose_scheme(plan, problem, error));
    EWI_TRY(choose_layout(plan, problem, error));
    EWI_TRY(check_field(plan, problem, error));
    EWI_TRY(check_boundary_names(plan->mesh, problem, error));
    if (!isfinite(problem->time))
        return ewi_fail(error, EW_EINVAL, "the time at the start is %g; it must be finite", problem->time);
    if (!ewi_data_is_given(&problem->initial))
        return ewi_fail(error, EW_EINVAL, "there is no initial state");
    EWI_TRY(check_outputs(&problem->initial, plan->variables, "the initial state", error));
    EWI_TRY(check_outputs(&problem->exact, plan->variables, "the exact solution", error));
out:
    return status;
}

static size_t boundary_doubles(const struct ewi_plan *plan, size_t slots)
{
    return slots * (size_t)plan->basis->ne * (size_t)(4 + plan->variables);
}

static size_t field_doubles(const struct ewi_plan *plan, size_t padded)
{
    return padded * (size_t)((plan->basis->nq + 3 * plan->basis->ne) * plan->fields) + padded;
}

static int allocate(struct ewi_plan *plan, ew_error *error)
{
    size_t slots = (size_t)plan->grid->boundary_slots, padded = (size_t)plan->grid->padded, real = sizeof(double);
    size_t ne = (size_t)plan->basis->ne, nq = (size_t)plan->basis->nq, fields = (size_t)plan->fields;
    plan->point = ewi_alloc(&plan->host, slots * ne * 2, real);
    plan->normal = ewi_alloc(&plan->host, slots * ne * 2, real);
    plan->given = ewi_alloc(&plan->host, slots * ne * (size_t)plan->variables, real);
    plan->volume_field = ewi_alloc(&plan->host, padded * nq * fields, real);
    plan->edge_field = ewi_alloc(&plan->host, padded * 3 * ne * fields, real);
    plan->speed_bound = ewi_alloc(&plan->host, fields ? padded : 0, real);
    if (!plan->point || !plan->normal || !plan->given || !plan->volume_field || !plan->edge_field || !plan->speed_bound)
        return ewi_fail(error, EW_ENOMEM, "there is no memory for the boundary data and fields: they take %zu MB",
                        (boundary_doubles(plan, slots) + field_doubles(plan, padded)) * real >> 20);
    return EW_OK;
}

int ewi_plan_create(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, struct ewi_plan **result, ew_error *error)
{
    ew_host own = ewi_host_or_default(host);
    int status = EW_OK;
    struct ewi_plan *plan = ewi_alloc(&own, 1, sizeof *plan);
    if (!plan)
        return ewi_fail(error, EW_ENOMEM, "there is no memory for the solver");
    plan->host = own;
    plan->mesh = mesh;
    EWI_TRY(choose(plan, problem, error));
    plan->boundary = ewi_alloc(&own, (size_t)mesh->boundaries, sizeof *plan->boundary);
    if (!plan->boundary) {
        status = ewi_fail(error, EW_ENOMEM, "there is no memory for the boundaries");
        goto out;
    }
    for (int32_t b = 0; b < mesh->boundaries; b++)
        EWI_TRY(choose_boundary(plan, boundary_named(problem, mesh->boundary[b].name), &plan->boundary[b], error));
    EWI_TRY(ewi_grid_create(&own, mesh, &plan->grid, error));
    EWI_TRY(allocate(plan, error));
    EWI_TRY(fill_boundaries(plan, problem, error));
    if (plan->fields)
        EWI_TRY(fill_fields(plan, &problem->field, error));
    *result = plan;
    plan = NULL;
out:
    ewi_plan_destroy(plan);
    return status;
}

void ewi_plan_destroy(struct ewi_plan *plan)
{
    if (!plan)
        return;
    ew_host host = plan->host;
    ewi_grid_destroy(plan->grid);
    void *const arrays[] = {plan->boundary,     plan->point,      plan->normal, plan->given,
                            plan->volume_field, plan->edge_field, plan->speed_bound, plan};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ewi_free(&host, arrays[k]);
}

int ewi_plan_bytes(const ew_mesh *mesh, const ew_problem *problem, size_t *bytes, ew_error *error)
{
    struct ewi_plan plan = {.mesh = mesh};
    int status = choose(&plan, problem, error);
    if (status != EW_OK)
        return status;
    size_t slots = (size_t)mesh->boundary_edges + (size_t)(EWI_TILE * mesh->boundaries);
    size_t fields = plan.fields ? field_doubles(&plan, (size_t)ewi_layout_padded(mesh->elements)) : 0;
    *bytes = ewi_grid_bytes(mesh) + (boundary_doubles(&plan, slots) + fields) * sizeof(double);
    return EW_OK;
}

size_t ewi_plan_state_doubles(const struct ewi_plan *plan)
{
    return (size_t)plan->grid->padded * (size_t)plan->rows;
}

size_t ewi_plan_slot_doubles(const struct ewi_plan *plan)
{
    int64_t whole_tiles = (plan->grid->slots + plan->width - 1) / plan->width * plan->width;
    return (size_t)whole_tiles * (size_t)plan->rows;
}
