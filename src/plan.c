/* SPDX-License-Identifier: BSD-2-Clause */
/* From a problem to a plan: choices checked, boundary points and given fields prepared. */
#include "ewi_plan.h"
#include "ewi_error.h"
#include "ewi_findings.h"
#include "ewi_host.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 64 }; /* points that are handed to a formula at once */

/* ---- data ---- */

static void check_outputs(const ew_data *data, int outputs, ew_place place, const char *what, struct ewi_findings *findings)
{
    if (data->formula && ew_formula_outputs(data->formula) != outputs)
        ewi_finding(findings, place, "%s has %d formulas; the law needs %d", what, ew_formula_outputs(data->formula), outputs);
}

static bool has_outputs(const ew_data *data, int outputs)
{
    return ewi_data_is_given(data) && (!data->formula || ew_formula_outputs(data->formula) == outputs);
}

/* ---- choices ---- */

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PLACE(...) ((ew_place){.member = __VA_ARGS__})

static void set_parameter(struct ewi_plan *plan, const ew_parameter *given, struct ewi_findings *findings)
{
    const ew_law *info = plan->law->info;
    ew_place place = {.member = "parameter", .variable = given->name};
    int k = 0;
    if (!given->name) {
        ewi_finding(findings, place, "a parameter of the law \"%s\" has no name", info->name);
        return;
    }
    while (k < info->parameters && strcmp(info->parameter[k].name, given->name) != 0)
        k++;
    if (k == info->parameters)
        ewi_finding(findings, place, "the law \"%s\" has no parameter \"%s\"", info->name, given->name);
    else if (!(given->value > info->parameter[k].above) || !isfinite(given->value))
        ewi_finding(findings, place, "%s is %g; it must be greater than %g", given->name, given->value, info->parameter[k].above);
    else
        plan->parameter[k] = given->value;
}

static void choose_law(struct ewi_plan *plan, const ew_problem *problem, struct ewi_findings *findings)
{
    ew_error error;
    char names[256];
    plan->law = ewi_law_find(problem->law);
    if (!plan->law) {
        ewi_finding(findings, PLACE("law"), "there is no law \"%s\"; there are %s", problem->law,
                    ewi_list_in_words(EW_LAWS, names, sizeof names));
        return;
    }
    const ew_law *info = plan->law->info;
    plan->variables = info->variables;
    plan->fields = info->fields;
    for (int k = 0; k < info->parameters; k++)
        plan->parameter[k] = info->parameter[k].value;
    if (problem->parameters > COUNT(info->parameter) || (problem->parameters > 0 && !problem->parameter))
        ewi_finding(findings, PLACE("parameter"), "%zu parameters are said to be given%s; the law \"%s\" has %d",
                    problem->parameters, problem->parameter ? "" : ", but where is NULL", info->name, info->parameters);
    else
        for (size_t i = 0; i < problem->parameters; i++)
            set_parameter(plan, &problem->parameter[i], findings);
    if (ewi_flux_find(plan->law, problem->flux, &plan->flux, &error) != EW_OK)
        ewi_finding(findings, PLACE("flux"), "%s", error.message);
}

static void choose_limiter(struct ewi_plan *plan, const ew_problem *problem, struct ewi_findings *findings)
{
    char names[256];
    int limiter = ewi_limiter_find(problem->limiter);
    plan->limited = limiter != ewi_limiter_find(NULL);
    if (limiter < 0)
        ewi_finding(findings, PLACE("limiter"), "there is no limiter \"%s\"; there are %s", problem->limiter,
                    ewi_list_in_words(EW_LIMITERS, names, sizeof names));
    else if (plan->limited && problem->order != 1)
        ewi_finding(findings, PLACE("limiter"), "the limiter %s is made for order 1; the order is %d",
                    ew_list_name(EW_LIMITERS, limiter), problem->order);
}

static void choose_scheme(struct ewi_plan *plan, const ew_problem *problem, struct ewi_findings *findings)
{
    plan->basis = ewi_basis_get(problem->order);
    if (plan->basis)
        plan->rows = plan->variables * plan->basis->np;
    else
        ewi_finding(findings, PLACE("order"), "the order is %d; it can be 1 to %d", problem->order, EW_MAX_ORDER);

    char names[256];
    plan->scheme = ewi_scheme_find(problem->scheme);
    if (!plan->scheme)
        ewi_finding(findings, PLACE("scheme"), "there is no time scheme \"%s\"; there are %s", problem->scheme,
                    ewi_list_in_words(EW_SCHEMES, names, sizeof names));
    plan->cfl = problem->cfl != 0.0 ? problem->cfl : plan->scheme ? plan->scheme->cfl : 1.0;
    if (!(plan->cfl > 0.0) || !isfinite(plan->cfl))
        ewi_finding(findings, PLACE("cfl"), "the Courant number is %g; it must be greater than 0", plan->cfl);
    plan->steady = problem->steady;
    if (!(problem->steady >= 0.0) || !isfinite(problem->steady))
        ewi_finding(findings, PLACE("steady"), "the tolerance for a steady state is %g; it must be 0 or greater", problem->steady);
}

static void choose_layout(struct ewi_plan *plan, const ew_problem *problem, struct ewi_findings *findings)
{
    if (problem->threads < 0 || problem->threads > EW_MAX_THREADS)
        ewi_finding(findings, PLACE("threads"), "the number of threads is %d; it must be from 0 to %d", problem->threads, EW_MAX_THREADS);
    if (problem->tile != 0 && problem->tile != EWI_TILE && problem->tile != -1)
        ewi_finding(findings, PLACE("tile"), "the tile width is %d; it can be %d, or -1 for all elements", problem->tile, EWI_TILE);
    plan->width = problem->tile == -1 ? ewi_layout_padded(plan->mesh->elements) : EWI_TILE;
}

/* ---- states that are given ---- */

/* The one variable without which a state would be admissible, or -1. */
static int variable_to_blame(const struct ewi_plan *plan, const double *primitive)
{
    double rest[EW_MAX_VARIABLES] = {0};
    int blamed = -1;
    plan->law->rest(rest);
    for (int m = 0; m < plan->variables; m++) {
        double w[EW_MAX_VARIABLES] = {0}, u[EW_MAX_VARIABLES];
        for (int k = 0; k < plan->variables; k++)
            w[k] = k == m ? rest[k] : primitive[k];
        plan->law->conserved(plan->parameter, w, u);
        if (!plan->law->admissible(plan->parameter, u))
            continue;
        if (blamed >= 0)
            return -1;
        blamed = m;
    }
    return blamed;
}

/* "at (0.5, 0)", "at 3 of 40 points, for example (0.5, 0)" */
static const char *where(const struct ewi_bad_points *points, char *text, size_t size)
{
    if (points->bad == 1)
        snprintf(text, size, "at (%g, %g)", points->x, points->y);
    else if (points->bad == points->points)
        snprintf(text, size, "at all %lld points, for example (%g, %g)", (long long)points->bad, points->x, points->y);
    else
        snprintf(text, size, "at %lld of %lld points, for example (%g, %g)", (long long)points->bad, (long long)points->points,
                 points->x, points->y);
    return text;
}

static void describe_states(const struct ewi_plan *plan, const struct ewi_bad_points *points, const char *what, char *text, size_t size)
{
    char at[160], values[256] = "";
    size_t length = 0;
    for (int m = 0; m < plan->variables && length < sizeof values; m++)
        length += (size_t)snprintf(values + length, sizeof values - length, "%s%s is %g",
                                   m == 0 ? "" : m + 1 < plan->variables ? ", " : " and ", plan->law->info->primitive[m],
                                   isnan(points->primitive[m]) ? NAN : points->primitive[m]); /* a NaN's sign says nothing */
    snprintf(text, size, "%s is not admissible %s, t = %g: %s", what, where(points, at, sizeof at), points->t, values);
}

void ewi_plan_report_states(const struct ewi_plan *plan, const struct ewi_bad_points *points, ew_place place, const char *what,
                            struct ewi_findings *findings)
{
    char text[640];
    int blamed = variable_to_blame(plan, points->primitive);
    if (points->bad == 0)
        return;
    place.variable = blamed < 0 ? NULL : plan->law->info->primitive[blamed];
    describe_states(plan, points, what, text, sizeof text);
    ewi_finding(findings, place, "%s", text);
}

/* ---- boundaries ---- */

static bool has_boundary_array(const ew_problem *problem)
{
    return problem->boundary && problem->boundaries <= INT32_MAX;
}

static const ew_boundary *boundary_named(const ew_problem *problem, const char *name)
{
    for (size_t k = 0; has_boundary_array(problem) && k < problem->boundaries; k++)
        if (problem->boundary[k].name && strcmp(problem->boundary[k].name, name) == 0)
            return &problem->boundary[k];
    return NULL;
}

static bool is_in_mesh(const ew_mesh *mesh, const char *name)
{
    for (int32_t b = 0; b < mesh->boundaries; b++)
        if (strcmp(mesh->boundary[b].name, name) == 0)
            return true;
    return false;
}

static void check_boundary_name(const ew_mesh *mesh, const ew_problem *problem, size_t k, struct ewi_findings *findings)
{
    const ew_boundary *boundary = &problem->boundary[k];
    const ew_place place = {.boundary = boundary->name};
    if (!boundary->name || !boundary->kind)
        ewi_finding(findings, place, "the condition for boundary \"%s\" has no %s", boundary->name ? boundary->name : "",
                    boundary->name ? "kind" : "name");
    else if (boundary_named(problem, boundary->name) != boundary)
        ewi_finding(findings, place, "there are two conditions for boundary \"%s\"", boundary->name);
    else if (!is_in_mesh(mesh, boundary->name))
        ewi_finding(findings, place, "boundary \"%s\" is not in the mesh", boundary->name);
}

static void check_boundary_names(const ew_mesh *mesh, const ew_problem *problem, struct ewi_findings *findings)
{
    if (problem->boundaries > 0 && !has_boundary_array(problem)) {
        ewi_finding(findings, PLACE("boundary"),
                    problem->boundary ? "%zu boundaries are said to be given; the mesh has %d"
                                      : "%zu boundaries are said to be given, but where is NULL",
                    problem->boundaries, mesh->boundaries);
        return;
    }
    for (size_t k = 0; k < problem->boundaries; k++)
        check_boundary_name(mesh, problem, k, findings);
    for (int32_t b = 0; b < mesh->boundaries; b++)
        if (!boundary_named(problem, mesh->boundary[b].name))
            ewi_finding(findings, PLACE("boundary"), "the mesh has a boundary \"%s\", for which there is no condition",
                        mesh->boundary[b].name);
}

static void choose_boundary(struct ewi_plan *plan, const ew_boundary *given, struct ewi_plan_boundary *boundary,
                            struct ewi_findings *findings)
{
    char what[160];
    const char *wrong;
    ew_error error;
    if (ewi_ghost_find(plan->law, given, &boundary->ghost, &boundary->given, &wrong, &error) != EW_OK) {
        ewi_finding(findings, PLACE(wrong, .boundary = given->name), "%s", error.message);
        return;
    }
    boundary->known = true;
    if (boundary->given && !ewi_data_is_given(&given->state))
        ewi_finding(findings, PLACE("state", .boundary = given->name), "boundary \"%s\" of kind \"%s\" needs a state", given->name,
                    given->kind);
    snprintf(what, sizeof what, "boundary \"%.100s\": the state", given->name);
    check_outputs(&given->state, plan->variables, PLACE("state", .boundary = given->name), what, findings);
    snprintf(what, sizeof what, "boundary \"%.100s\": the normal", given->name);
    check_outputs(&given->normal, 2, PLACE("normal", .boundary = given->name), what, findings);
    boundary->state = given->state;
    boundary->time_dependent = boundary->given && (ewi_data_variables(&given->state) & EW_T);
    plan->time_dependent = plan->time_dependent || boundary->time_dependent;
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

/* The cosine of the angle between a curve and its edges beyond which a normal is another curve's, more likely. */
#define USUAL_NORMAL 0.7071

/* Normals of the true curve, made unit vectors; they must point outward. */
static void fill_true_normals(struct ewi_plan *plan, const struct ewi_edge_group *group, const ew_boundary *given,
                              struct ewi_findings *findings)
{
    int ne = plan->basis->ne;
    const ew_place place = {.member = "normal", .boundary = given->name};
    struct ewi_bad_points none = {.points = (int64_t)group->count * ne}, inward = none, unusual = none;
    char at[160];
    for (int32_t slot = group->first; slot < group->first + group->padded; slot++)
        for (int e = 0; e < ne; e++) {
            double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            double *normal = plan->normal + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            double n[2];
            ewi_data_evaluate(&given->normal, 1, &point[0], &point[EWI_TILE], 0.0, n);
            double length = sqrt(n[0] * n[0] + n[1] * n[1]);
            bool has_direction = isfinite(length) && length != 0.0;
            double along = n[0] * normal[0] + n[1] * normal[EWI_TILE];
            if (has_direction && along > 0.0) {
                if (along < USUAL_NORMAL * length && slot < group->first + group->count)
                    ewi_count_bad_point(&unusual, point[0], point[EWI_TILE], n, 2);
                normal[0] = n[0] / length;
                normal[EWI_TILE] = n[1] / length;
            } else if (slot < group->first + group->count) {
                ewi_count_bad_point(has_direction ? &inward : &none, point[0], point[EWI_TILE], n, 2);
            }
        }
    if (none.bad > 0)
        ewi_finding(findings, place, "boundary \"%s\": the normal has no direction %s: it is (%g, %g)", given->name,
                    where(&none, at, sizeof at), none.primitive[0], none.primitive[1]);
    if (inward.bad > 0)
        ewi_finding(findings, place, "boundary \"%s\": the normal points into the domain %s: it is (%g, %g); it must point outward",
                    given->name, where(&inward, at, sizeof at), inward.primitive[0], inward.primitive[1]);
    if (unusual.bad > 0)
        ewi_log(&plan->host, EW_LOG_WARNING,
                "boundary \"%s\": the normal is more than 45 degrees off the edges' %s: it is (%g, %g); is it that of this boundary's curve?",
                given->name, where(&unusual, at, sizeof at), unusual.primitive[0], unusual.primitive[1]);
}

bool ewi_plan_evaluate_boundary(struct ewi_plan *plan, const struct ewi_edge_group *group, int32_t first, int32_t count, double t)
{
    bool good = true;
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
                good = plan->law->admissible(plan->parameter, conserved) && good;
                double *given = plan->given + ewi_layout_index(EWI_TILE, ne * variables, e * variables, slot);
                for (int m = 0; m < variables; m++)
                    given[m * EWI_TILE] = conserved[m];
            }
    }
    return good;
}

static void check_given_states(const struct ewi_plan *plan, const struct ewi_edge_group *group, double t,
                               struct ewi_bad_points *points)
{
    int ne = plan->basis->ne, variables = plan->variables;
    *points = (struct ewi_bad_points){.points = (int64_t)group->count * ne, .t = t};
    for (int32_t slot = group->first; slot < group->first + group->count; slot++)
        for (int e = 0; e < ne; e++) {
            double u[EW_MAX_VARIABLES], w[EW_MAX_VARIABLES];
            for (int m = 0; m < variables; m++)
                u[m] = plan->given[ewi_layout_index(EWI_TILE, ne * variables, e * variables + m, slot)];
            if (plan->law->admissible(plan->parameter, u))
                continue;
            const double *point = plan->point + ewi_layout_index(EWI_TILE, 2 * ne, 2 * e, slot);
            ewi_data_evaluate(&plan->boundary[group->boundary].state, 1, &point[0], &point[EWI_TILE], t, w);
            ewi_count_bad_point(points, point[0], point[EWI_TILE], w, variables);
        }
}

bool ewi_plan_describe_bad_boundary(struct ewi_plan *plan, double t, char *text, size_t size)
{
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        const struct ewi_edge_group *group = &plan->grid->group[b];
        struct ewi_bad_points points;
        char what[160];
        if (!plan->boundary[b].time_dependent || ewi_plan_evaluate_boundary(plan, group, group->first, group->padded, t))
            continue;
        check_given_states(plan, group, t, &points);
        snprintf(what, sizeof what, "boundary \"%.100s\": the given state", plan->mesh->boundary[b].name);
        describe_states(plan, &points, what, text, size);
        return true;
    }
    return false;
}

static bool is_same_data(const ew_data *a, const ew_data *b)
{
    return a->formula ? a->formula == b->formula : a->callback == b->callback && a->context == b->context && !b->formula;
}

static void fill_given_states(struct ewi_plan *plan, const ew_problem *problem, const struct ewi_edge_group *group,
                              const ew_boundary *given, struct ewi_findings *findings)
{
    struct ewi_bad_points points, initial = {.bad = 0};
    char what[160];
    ewi_plan_evaluate_boundary(plan, group, group->first, group->padded, problem->time);
    check_given_states(plan, group, problem->time, &points);
    if (points.bad > 0 && is_same_data(&given->state, &problem->initial))
        ewi_project_initial(plan, problem, NULL, &initial);
    if (initial.bad > 0)
        return; /* one cause, which is told once */
    snprintf(what, sizeof what, "boundary \"%.100s\": the given state", given->name);
    ewi_plan_report_states(plan, &points, PLACE("state", .boundary = given->name), what, findings);
}

static void fill_boundaries(struct ewi_plan *plan, const ew_problem *problem, struct ewi_findings *findings)
{
    for (int32_t b = 0; b < plan->mesh->boundaries; b++) {
        const struct ewi_edge_group *group = &plan->grid->group[b];
        const ew_boundary *given = boundary_named(problem, plan->mesh->boundary[b].name);
        fill_boundary_points(plan, group);
        if (!plan->boundary[b].known)
            continue;
        plan->boundary[b].curved = has_outputs(&given->normal, 2);
        if (plan->boundary[b].curved)
            fill_true_normals(plan, group, given, findings);
        if (plan->boundary[b].given && has_outputs(&given->state, plan->variables) && isfinite(problem->time))
            fill_given_states(plan, problem, group, given, findings);
    }
}

/* ---- given fields ---- */

static void field_at(const struct ewi_plan *plan, const ew_data *data, double x, double y, double *field,
                     struct ewi_bad_points *points)
{
    bool finite = true;
    ewi_data_evaluate(data, 1, &x, &y, 0.0, field);
    for (int f = 0; f < plan->fields; f++)
        finite = finite && isfinite(field[f]);
    points->points++;
    if (!finite)
        ewi_count_bad_point(points, x, y, field, plan->fields);
}

static double size_of(const double *field, int fields)
{
    double square = 0.0;
    for (int f = 0; f < fields; f++)
        square += field[f] * field[f];
    return sqrt(square);
}

static void fill_volume_field(struct ewi_plan *plan, const ew_data *data, int32_t i, struct ewi_bad_points *points)
{
    const struct ewi_basis *basis = plan->basis;
    const int32_t *node = plan->mesh->triangle + 3 * (size_t)i;
    const double *a = plan->mesh->xy + 2 * (size_t)node[0], *b = plan->mesh->xy + 2 * (size_t)node[1],
                 *c = plan->mesh->xy + 2 * (size_t)node[2];
    for (int q = 0; q < basis->nq; q++) {
        double r = basis->r[q], s = basis->s[q], field[EW_MAX_FIELDS];
        double x = a[0] + (b[0] - a[0]) * r + (c[0] - a[0]) * s, y = a[1] + (b[1] - a[1]) * r + (c[1] - a[1]) * s;
        field_at(plan, data, x, y, field, points);
        for (int f = 0; f < plan->fields; f++)
            plan->volume_field[ewi_layout_index(EWI_TILE, basis->nq * plan->fields, q * plan->fields + f, i)] = field[f];
        plan->speed_bound[i] = fmax(plan->speed_bound[i], size_of(field, plan->fields));
    }
}

/* Once per edge, on the left element, and in reverse to the right one, so that both have the same bits. */
static void fill_edge_field(struct ewi_plan *plan, const ew_data *data, int32_t slot, struct ewi_bad_points *points)
{
    const struct ewi_grid *grid = plan->grid;
    int ne = plan->basis->ne, rows = 3 * ne * plan->fields;
    int32_t left = grid->left[slot], right = grid->right[slot];
    for (int e = 0; e < ne; e++) {
        double x, y, field[EW_MAX_FIELDS];
        ewi_mesh_side_point(plan->mesh, left, grid->left_side[slot], plan->basis->edge_t[e], &x, &y);
        field_at(plan, data, x, y, field, points);
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
}

static void fill_fields(struct ewi_plan *plan, const ew_data *data, struct ewi_findings *findings)
{
    struct ewi_bad_points points = {0}, repeated = {0};
    const ew_law *law = plan->law->info;
    int wrong = 0;
    for (int32_t i = 0; i < plan->grid->elements; i++)
        fill_volume_field(plan, data, i, &points);
    for (int32_t g = 0; g < plan->grid->groups; g++)
        for (int32_t k = 0; k < plan->grid->group[g].padded; k++)
            fill_edge_field(plan, data, plan->grid->group[g].first + k, k < plan->grid->group[g].count ? &points : &repeated);
    if (points.bad == 0)
        return;
    while (wrong + 1 < plan->fields && isfinite(points.primitive[wrong]))
        wrong++;
    char at[160];
    ewi_finding(findings, PLACE("field", .variable = law->field[wrong]), "%s is %g %s; it must be finite", law->field[wrong],
                points.primitive[wrong], where(&points, at, sizeof at));
}

static void check_field(const struct ewi_plan *plan, const ew_problem *problem, struct ewi_findings *findings)
{
    if (plan->fields == 0)
        return;
    const ew_law *law = plan->law->info;
    if (!ewi_data_is_given(&problem->field))
        ewi_finding(findings, PLACE("field"), "the law \"%s\" needs %s and the other components as formulas of x and y", law->name,
                    law->field[0]);
    else if (ewi_data_variables(&problem->field) & EW_T)
        ewi_finding(findings, PLACE("field"), "%s depends on t; the fields of the law \"%s\" may depend on x and y only",
                    law->field[0], law->name);
    else
        check_outputs(&problem->field, plan->fields, PLACE("field"), "the law's field", findings);
}

/* ---- the plan ---- */

static void check_states(const struct ewi_plan *plan, const ew_problem *problem, struct ewi_findings *findings)
{
    if (!isfinite(problem->time))
        ewi_finding(findings, PLACE("time"), "the time at the start is %g; it must be finite", problem->time);
    if (!ewi_data_is_given(&problem->initial))
        ewi_finding(findings, PLACE("initial"), "there is no initial state");
    check_outputs(&problem->initial, plan->variables, PLACE("initial"), "the initial state", findings);
    check_outputs(&problem->exact, plan->variables, PLACE("exact"), "the exact solution", findings);
}

/* Without a law there is nothing to compare the rest with. */
static void choose(struct ewi_plan *plan, const ew_problem *problem, struct ewi_findings *findings)
{
    choose_law(plan, problem, findings);
    choose_scheme(plan, problem, findings);
    choose_limiter(plan, problem, findings);
    choose_layout(plan, problem, findings);
    if (!plan->law)
        return;
    check_field(plan, problem, findings);
    if (plan->mesh->boundary) /* a mesh of which only the size is known has no names */
        check_boundary_names(plan->mesh, problem, findings);
    check_states(plan, problem, findings);
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

int ewi_plan_create(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, struct ewi_findings *findings,
                    struct ewi_plan **result, ew_error *error)
{
    ew_host own = ewi_host_or_default(host);
    int status = EW_OK;
    struct ewi_plan *plan = ewi_alloc(&own, 1, sizeof *plan);
    if (!plan)
        return ewi_fail(error, EW_ENOMEM, "there is no memory for the solver");
    plan->host = own;
    plan->mesh = mesh;
    choose(plan, problem, findings);
    if (!plan->law || !plan->basis)
        EWI_TRY(ewi_findings_close(findings, error));
    plan->boundary = ewi_alloc(&own, (size_t)mesh->boundaries, sizeof *plan->boundary);
    if (!plan->boundary) {
        status = ewi_fail(error, EW_ENOMEM, "there is no memory for the boundaries");
        goto out;
    }
    for (int32_t b = 0; b < mesh->boundaries; b++) {
        const ew_boundary *given = boundary_named(problem, mesh->boundary[b].name);
        if (given && given->kind)
            choose_boundary(plan, given, &plan->boundary[b], findings);
    }
    EWI_TRY(ewi_grid_create(&own, mesh, &plan->grid, error));
    EWI_TRY(allocate(plan, error));
    fill_boundaries(plan, problem, findings);
    if (plan->fields && has_outputs(&problem->field, plan->fields) && !(ewi_data_variables(&problem->field) & EW_T))
        fill_fields(plan, &problem->field, findings);
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
    struct ewi_findings findings = {.receiver = NULL};
    choose(&plan, problem, &findings);
    int status = ewi_findings_close(&findings, error);
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
