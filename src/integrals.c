/* SPDX-License-Identifier: BSD-2-Clause */
/* Integrals over the domain and its boundary: totals, errors, extrema, flow and forces. */
#include "ewi_bed.h"
#include "ewi_bed_rows.h"
#include "ewi_data.h"
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_parallel.h"
#include "ewi_points.h"
#include "ewi_solver.h"

#include <math.h>
#include <string.h>

/* ---- boundary integrals ---- */

/* The given fields at edge point q of side k of element i on the boundary, or its medium on both sides. */
static void field_at(const struct ewi_plan *plan, int32_t i, int side, int q, double *field)
{
    int ne = plan->basis->ne, rows = ewi_edge_rows(&plan->sizes);
    for (int n = 0; n < 2 * plan->media; n++)
        field[n] = ewi_plan_parameter(plan, i)[n % plan->media * EWI_TILE];
    for (int n = 0; rows > 0 && n < plan->fields; n++)
        field[n] = plan->edge_field[ewi_layout_index(EWI_TILE, rows, (side * ne + q) * plan->fields + n, i)];
}

/* Adds a force at (x, y), and its moment about (0, 0). */
static void add_force(ew_boundary_integrals *integrals, double x, double y, double force_x, double force_y)
{
    integrals->force[0] += force_x;
    integrals->force[1] += force_y;
    integrals->moment += x * force_y - y * force_x;
}

/* Adds the viscous part of the force on a wall, and the heat through it. */
static void add_friction(ew_boundary_integrals *integrals, double weight, const struct ewi_boundary_flux *through)
{
    integrals->friction[0] += weight * through->viscous[1];
    integrals->friction[1] += weight * through->viscous[2];
    integrals->heat += weight * through->heat;
}

/*
 * Edge number k of boundary b. The force on a wall is the flux of momentum, variables 1 and 2 of laws with a pressure;
 * elsewhere the flow itself may carry momentum through the edge, and it is that of the pressure.
 */
static void add_edge(const ew_solver *solver, const double *state, int32_t b, int32_t k, int pressure,
                     ew_boundary_integrals *integrals)
{
    const struct ewi_plan *plan = solver->plan;
    const struct ewi_basis *basis = plan->basis;
    const ew_law *law = plan->law->info;
    int32_t edge = plan->mesh->boundary[b].first + k, slot = plan->grid->group[b].first + k;
    bool is_wall = ewi_ghost_is_wall(plan->boundary[b].ghost);
    int32_t i = plan->mesh->left[edge];
    int side = plan->mesh->left_side[edge];
    const double *base = state + ewi_layout_base(plan->width, plan->rows, i);
    double x0, y0, x1, y1;
    ewi_mesh_side_point(plan->mesh, i, side, 0.0, &x0, &y0);
    ewi_mesh_side_point(plan->mesh, i, side, 1.0, &x1, &y1);
    double length = sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)), nx = (y1 - y0) / length,
           ny = (x0 - x1) / length;
    integrals->length += length;
    for (int q = 0; q < basis->ne; q++) {
        double u[EW_MAX_VARIABLES], w[EW_MAX_VARIABLES], field[2 * EW_MAX_FIELDS] = {0};
        struct ewi_boundary_flux through;
        double weight = basis->edge_weight[q] * length, x, y;
        ewi_mesh_side_point(plan->mesh, i, side, basis->edge_t[q], &x, &y);
        ewi_value_at(plan, base, basis->side + (size_t)(side * basis->ne + q) * (size_t)basis->np, u);
        field_at(plan, i, side, q, field);
        ewi_boundary_flux(plan, b, slot, q, solver->time, base, field, nx, ny, &through);
        plan->law->primitive(ewi_plan_parameter(plan, i), u, w);
        for (int m = 0; m < plan->variables; m++)
            integrals->flux[m] += weight * through.flux[m];
        if (pressure >= 0 && is_wall)
            add_force(integrals, x, y, weight * through.flux[1], weight * through.flux[2]);
        else if (pressure >= 0)
            add_force(integrals, x, y, weight * w[pressure] * nx, weight * w[pressure] * ny);
        if (is_wall && law->viscous)
            add_friction(integrals, weight, &through);
    }
}

int ew_solver_boundary(ew_solver *solver, int32_t k, ew_boundary_integrals *integrals, ew_error *error)
{
    EWI_REQUIRE(solver, integrals);
    const struct ewi_plan *plan = solver->plan;
    const double *state;
    if (k < 0 || k >= plan->mesh->boundaries)
        return ewi_fail(error, EW_EINVAL, "there is no boundary %d; the mesh has %d", k, plan->mesh->boundaries);
    int status = ewi_solver_view(solver, &state, error), pressure = ewi_law_pressure(plan->law->info);
    if (status != EW_OK)
        return status;
    double none = pressure < 0 ? NAN : 0.0;
    *integrals = (ew_boundary_integrals){.force = {none, none}, .moment = none};
    for (int32_t e = 0; e < plan->mesh->boundary[k].count; e++)
        add_edge(solver, state, k, e, pressure, integrals);
    return EW_OK;
}

/* ---- where waves enter ---- */

#define NO_WAVE 1e-3         /* of the largest wave speed: slower ones are rounding, or flow along the boundary */
#define DIFFERENCE 1e-6      /* of a variable, to find derivatives by */
#define SMALL 1e-9           /* of the largest variable: a smaller one is as good as 0 */

/* Step for the derivative by variable m. */
static double difference(const double *u, int variables, int m)
{
    double largest = 0;
    for (int k = 0; k < variables; k++)
        largest = fmax(largest, fabs(u[k]));
    double size = fabs(u[m]) > SMALL * largest ? fabs(u[m]) : largest;
    return DIFFERENCE * (size > 0 ? size : 1);
}

/*
 * The characteristic speeds along a normal are the eigenvalues of the flux's derivative. Two traces give their mean and
 * variance. In every law the slowest and the fastest speed are equally far from the mean, and all others equal it; then
 * the variance gives them. A law for which this does not hold needs its own function.
 */
static bool waves_enter(const struct ewi_plan *plan, double bound, const double *field, const double *u, double nx,
                        double ny)
{
    double a[EW_MAX_VARIABLES][EW_MAX_VARIABLES], mean = 0, square = 0;
    int n = ewi_bed_has(plan->law) ? EWI_BED_BED : plan->variables; /* bed and depth have no waves of their own */
    for (int k = 0; k < n; k++) {
        double w[EW_MAX_VARIABLES], more[EW_MAX_VARIABLES], less[EW_MAX_VARIABLES], h = difference(u, n, k);
        memcpy(w, u, sizeof w);
        w[k] = u[k] + h;
        plan->law->flux(plan->parameter, field, w, nx, ny, more);
        w[k] = u[k] - h;
        plan->law->flux(plan->parameter, field, w, nx, ny, less);
        for (int m = 0; m < n; m++)
            a[m][k] = (more[m] - less[m]) / (2 * h);
    }
    for (int m = 0; m < n; m++) {
        mean += a[m][m] / n;
        for (int k = 0; k < n; k++)
            square += a[m][k] * a[k][m] / n;
    }
    double slowest = mean - sqrt(fmax(square - mean * mean, 0) * n / 2);
    return slowest < -NO_WAVE * plan->law->speed(plan->parameter, u, bound);
}

int ew_solver_inflow(ew_solver *solver, int32_t k, double *share, ew_error *error)
{
    EWI_REQUIRE(solver, share);
    const struct ewi_plan *plan = solver->plan;
    const struct ewi_basis *basis = plan->basis;
    const double *state;
    if (k < 0 || k >= plan->mesh->boundaries)
        return ewi_fail(error, EW_EINVAL, "there is no boundary %d; the mesh has %d", k, plan->mesh->boundaries);
    int status = ewi_solver_view(solver, &state, error);
    double whole = 0, part = 0;
    const struct ewi_mesh_boundary *boundary = &plan->mesh->boundary[k];
    for (int32_t e = boundary->first; status == EW_OK && e < boundary->first + boundary->count; e++) {
        int32_t i = plan->mesh->left[e];
        int side = plan->mesh->left_side[e];
        double x0, y0, x1, y1;
        ewi_mesh_side_point(plan->mesh, i, side, 0.0, &x0, &y0);
        ewi_mesh_side_point(plan->mesh, i, side, 1.0, &x1, &y1);
        double length = hypot(x1 - x0, y1 - y0);
        for (int q = 0; q < basis->ne; q++) {
            double u[EW_MAX_VARIABLES] = {0}, field[2 * EW_MAX_FIELDS] = {0};
            ewi_value_at(plan, state + ewi_layout_base(plan->width, plan->rows, i),
                         basis->side + (size_t)(side * basis->ne + q) * (size_t)basis->np, u);
            field_at(plan, i, side, q, field);
            whole += basis->edge_weight[q] * length;
            double bound = plan->media ? field[0] * field[1] : hypot(field[0], field[1]); /* media: v z */
            if (waves_enter(plan, bound, field, u, (y1 - y0) / length, (x0 - x1) / length))
                part += basis->edge_weight[q] * length;
        }
    }
    if (status == EW_OK)
        *share = part / whole;
    return status;
}

/* ---- norms ---- */

/* elements whose contributions are added one after the other; blocks are added by a binary tree */
enum { BLOCK = 256 };

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

/* Over a bed, errors are those of the water at the point: of depths, and of discharges of partly dry elements, too. */
static void water_at_point(const struct ewi_plan *plan, double *u)
{
    double w[EW_MAX_VARIABLES];
    if (!ewi_bed_has(plan->law))
        return;
    plan->law->primitive(plan->parameter, u, w);
    u[EWI_BED_SURFACE] = w[4];
    u[EWI_BED_X] = w[0] * w[1];
    u[EWI_BED_Y] = w[0] * w[2];
    u[EWI_BED_DEPTH] = w[0];
}

static void add_errors(const ew_solver *solver, const double *parameter, const struct ewi_corners *corner,
                       const double *base, double det, struct sums *sum)
{
    const struct ewi_plan *plan = solver->plan;
    const struct ewi_basis *basis = plan->basis;
    bool fine = solver->fine_errors;
    int points = fine ? basis->nf : basis->nq, variables = plan->variables;
    const double *weight = fine ? basis->fine_weight : basis->weight, *phi = fine ? basis->fine_phi : basis->phi;
    double x[EWI_MAX_NF], y[EWI_MAX_NF], values[EWI_MAX_NF * EW_MAX_VARIABLES];
    ewi_points_in(corner, points, fine ? basis->fine_r : basis->r, fine ? basis->fine_s : basis->s, x, y);
    ewi_data_evaluate(&solver->exact, (size_t)points, x, y, solver->time, values);
    for (int q = 0; q < points; q++) {
        double primitive[EW_MAX_VARIABLES], exact[EW_MAX_VARIABLES], u[EW_MAX_VARIABLES];
        for (int m = 0; m < variables; m++)
            primitive[m] = values[m * points + q];
        plan->law->conserved(parameter, primitive, exact);
        ewi_value_at(plan, base, phi + q * basis->np, u);
        water_at_point(plan, u);
        water_at_point(plan, exact);
        for (int m = 0; m < variables; m++) {
            double difference = u[m] - exact[m];
            sum->square[m] += weight[q] * (difference * difference) * det;
            sum->largest[m] = nan_max(fabs(difference), sum->largest[m]);
        }
    }
}

/* EWI_TILE elements from number f on, those from `last` on left out: one after the other, as if each had been alone. */
static void add_tile(const ew_solver *solver, const double *state, bool has_errors, int32_t f, int32_t last,
                     struct sums *sum)
{
    const struct ewi_plan *plan = solver->plan;
    const struct ewi_basis *basis = plan->basis;
    double c[EW_MAX_VARIABLES * EWI_MAX_NP * EWI_TILE], min[EW_MAX_VARIABLES * EWI_TILE],
        max[EW_MAX_VARIABLES * EWI_TILE], rows[EW_MAX_PARAMETERS * EWI_TILE];
    ewi_gather_elements(plan, state, f, last, c);
    const double *parameter = ewi_gather_parameters(plan, f, last, rows);
    ewi_points_of(plan->law->number)->extrema(parameter, basis->np, basis->nq, basis->phi, c, min, max);
    for (int k = 0; k < EWI_TILE && f + k < last; k++) {
        int32_t i = plan->mesh->order[f + k];
        if (f + k + EWI_TILE < last)
            __builtin_prefetch(&plan->mesh->triangle[3 * (size_t)plan->mesh->order[f + k + EWI_TILE]]);
        struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
        double det = corner.xr * corner.ys - corner.xs * corner.yr;
        for (int m = 0; m < plan->variables; m++) {
            sum->total[m] += ewi_mean_of(plan->law, m, c[m * basis->np * EWI_TILE + k]) * (0.5 * det);
            sum->min[m] = nan_min(min[m * EWI_TILE + k], sum->min[m]);
            sum->max[m] = nan_max(max[m * EWI_TILE + k], sum->max[m]);
        }
        if (has_errors)
            add_errors(solver, ewi_plan_parameter(plan, i), &corner,
                       state + ewi_layout_base(plan->width, plan->rows, i), det, sum);
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

struct summing {
    const ew_solver *solver;
    const double *state;
    bool has_errors;
    struct sums *sum;
};

static void sum_blocks(void *context, int64_t first, int64_t last)
{
    const struct summing *summing = context;
    int32_t elements = summing->solver->plan->grid->elements;
    for (int32_t b = (int32_t)first; b < last; b++) {
        struct sums *sum = &summing->sum[b];
        *sum = empty_sums();
        for (int32_t f = b * BLOCK, end = elements - f < BLOCK ? elements : f + BLOCK; f < end; f += EWI_TILE)
            add_tile(summing->solver, summing->state, summing->has_errors, f, end, sum);
    }
}

static int sum_all(ew_solver *solver, bool has_errors, struct sums *all, ew_error *error)
{
    struct summing summing = {.solver = solver, .has_errors = has_errors};
    TRY(ewi_solver_view(solver, &summing.state, error));
    int32_t elements = solver->plan->grid->elements, blocks = (elements + BLOCK - 1) / BLOCK;
    struct sums *sum = summing.sum = ewi_alloc(&solver->host, (size_t)blocks, sizeof *sum);
    if (!sum)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the norms");
    ewi_parallel_parts(has_errors && solver->exact.callback ? 1 : 0, blocks, 4, sum_blocks, &summing);
    for (int32_t step = 1; step < blocks; step *= 2)
        for (int32_t b = 0; b + step < blocks; b += 2 * step)
            add_sums(&sum[b], &sum[b + step], solver->plan->variables);
    *all = sum[0];
    ewi_free(&solver->host, sum);
    return EW_OK;
}

int ew_solver_norms(ew_solver *solver, ew_norms *norms, ew_error *error)
{
    EWI_REQUIRE(solver, norms);
    struct sums sum;
    bool has_errors = ewi_data_is_given(&solver->exact);
    TRY(sum_all(solver, has_errors, &sum, error));
    *norms = (ew_norms){.has_errors = has_errors};
    for (int m = 0; m < solver->plan->variables; m++) {
        norms->error_l2[m] = has_errors ? sqrt(sum.square[m]) : NAN;
        norms->error_linf[m] = has_errors ? sum.largest[m] : NAN;
        norms->total[m] = sum.total[m];
        norms->min[m] = sum.min[m];
        norms->max[m] = sum.max[m];
    }
    return EW_OK;
}

int ew_solver_get_least(ew_solver *solver, double *least, ew_error *error)
{
    EWI_REQUIRE(solver, least);
    const ew_law *law = solver->plan->law->info;
    struct sums sum = {0};
    int status = solver->plan->law->has_positive ? sum_all(solver, false, &sum, error) : EW_OK;
    for (int m = 0; status == EW_OK && m < law->variables; m++)
        least[m] = law->positive[m] ? sum.min[m] : NAN;
    return status;
}
