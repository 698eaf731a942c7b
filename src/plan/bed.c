/* SPDX-License-Identifier: BSD-2-Clause */
/* Water over a bed: the initial state and what the problem may not ask for. */
#include "ewi_bed.h"
#include "ewi_bed_rows.h"
#include "ewi_diagnostics.h"
#include "ewi_element.h"

#include <math.h>
#include <string.h>

#define PLACE(...) ((ew_place){.member = __VA_ARGS__})

enum { VARIABLES = EWI_BED_VARIABLES, MOST_BUCKETS = EWI_BED_MOST_BUCKETS, CUTS = 4 };

/* The default of law.dry over the largest mean depth. */
#define DRY_SHARE 1e-6

bool ewi_bed_has(const struct ewi_law *law)
{
    return law && strcmp(law->identifier, "shallow_water_bed") == 0;
}

/* ---- the problem ---- */

static void check_scheme(const struct ewi_sizes *sizes, struct ewi_diagnostics *diagnostics)
{
    const char *name = sizes->scheme ? sizes->scheme->name : "ssprk33";
    if (strcmp(name, "ssprk22") != 0 && strcmp(name, "ssprk33") != 0)
        ewi_diagnose(diagnostics, PLACE("scheme"),
                     "the scheme %s does not keep depths positive where a bed dries; take ssprk22 or ssprk33", name);
}

static void check_options(const struct ewi_sizes *sizes, const ew_problem *problem,
                          struct ewi_diagnostics *diagnostics)
{
    double order = sizes->parameter[EWI_BED_ORDER];
    if (ewi_limiter_by_means(sizes->limiter))
        ewi_diagnose(diagnostics, PLACE("limiter"),
                     "the limiter \"%s\" does not know a bed; take subcell, oscillation-free, or none",
                     sizes->limiter->name);
    if (problem->outflow)
        ewi_diagnose(diagnostics, PLACE("outflow"),
                     "outflow over a bed is not integrated yet; leave it out (output.series.fluxes)");
    for (size_t k = 0; problem->boundary && k < problem->boundaries; k++)
        if (problem->boundary[k].sponge_width > 0.0)
            ewi_diagnose(diagnostics, PLACE("sponge_width", .boundary = problem->boundary[k].name),
                         "boundary \"%s\": over a bed there are no sponges yet; leave it out",
                         problem->boundary[k].name);
    if (order != floor(order) || order > problem->order)
        ewi_diagnose(diagnostics, PLACE("parameter", .variable = "bed_order"),
                     "bed_order is %g; it can be an integer from 1 to the order, %d, or 0: the order", order,
                     problem->order);
}

void ewi_bed_choose(struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    if (!sizes->law || !ewi_bed_has(sizes->law))
        return;
    sizes->positivity = true;
    if (sizes->set == EWI_SET_fused)
        ewi_diagnose(diagnostics, PLACE("kernels"), "the kernels \"fused\" do not know a bed yet; take \"edgewise\", "
                     "or leave them out");
    sizes->set = EWI_SET_edgewise;
    check_scheme(sizes, diagnostics);
    check_options(sizes, problem, diagnostics);
}

/* ---- points of an element ---- */

struct buckets {
    int count;
    const double *phi[MOST_BUCKETS];
    double weight[MOST_BUCKETS], x[MOST_BUCKETS], y[MOST_BUCKETS];
    double w[VARIABLES * MOST_BUCKETS]; /* primitive variables, [variable][count] */
};

static void side_point(const struct ewi_basis *basis, int k, int e, double *r, double *s)
{
    double t = basis->edge_t[e];
    *r = k == 0 ? t : k == 1 ? 1.0 - t : 0.0;
    *s = k == 0 ? 0.0 : k == 1 ? t : 1.0 - t;
}

static void find_buckets(const struct ewi_plan *plan, const ew_data *data, double time, int32_t i, struct buckets *at)
{
    const struct ewi_basis *basis = plan->basis;
    const double *weight = ewi_bed_buckets(basis->order);
    struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
    at->count = basis->nq + 3 * basis->ne;
    for (int n = 0; n < at->count; n++) {
        int side = n - basis->nq, e = side >= 0 ? side % basis->ne : 0;
        double r, s;
        if (side < 0)
            r = basis->r[n], s = basis->s[n];
        else
            side_point(basis, side / basis->ne, e, &r, &s);
        at->phi[n] = side < 0 ? basis->phi + n * basis->np : basis->side + side * basis->np;
        at->weight[n] = weight[side < 0 ? n : basis->nq + e];
        ewi_points_in(&corner, 1, &r, &s, &at->x[n], &at->y[n]);
    }
    ewi_data_evaluate(data, (size_t)at->count, at->x, at->y, time, at->w);
}

/* The chain of kernels. */
static double chain(const double *phi, const double *c, int np)
{
    double u = 0.0;
    for (int j = 0; j < np; j++)
        u = fma(phi[j], c[j], u);
    return u;
}

/* Counts a bad point. Depth and surface follow from each other; the one that is not given is not shown. */
void ewi_bed_count_bad_point(struct ewi_bad_points *points, double x, double y, const double *given)
{
    double w[VARIABLES];
    memcpy(w, given, sizeof w);
    if (points->bad == 0)
        points->hidden = 1 << (w[0] == EWI_BED_BY_SURFACE ? 0 : 4);
    if (w[0] == EWI_BED_BY_SURFACE)
        w[0] = w[4] - w[3];
    ewi_count_bad_point(points, x, y, w, VARIABLES);
}

/* ---- the bed: its L2 projection, by the volume rule on CUTS^2 parts of the triangle ---- */

/* A point at which the bed is not a number. */
struct bad_bed {
    bool is_bad;
    double x, y, given[VARIABLES];
};

static void project_part(const struct ewi_plan *plan, const ew_data *data, double time,
                         const struct ewi_corners *corner, int a, int b, bool up, double *bed,
                         struct bad_bed *bad)
{
    const struct ewi_basis *basis = plan->basis;
    double r[EWI_MAX_NQ], s[EWI_MAX_NQ], x[EWI_MAX_NQ], y[EWI_MAX_NQ], w[VARIABLES * EWI_MAX_NQ];
    for (int q = 0; q < basis->nq; q++) {
        r[q] = (a + (up ? 1.0 - basis->r[q] : basis->r[q])) / CUTS;
        s[q] = (b + (up ? 1.0 - basis->s[q] : basis->s[q])) / CUTS;
    }
    ewi_points_in(corner, basis->nq, r, s, x, y);
    ewi_data_evaluate(data, (size_t)basis->nq, x, y, time, w);
    for (int q = 0; q < basis->nq; q++) {
        double phi[EWI_MAX_NP], value = basis->weight[q] / (CUTS * CUTS) * w[EWI_BED_BED * basis->nq + q];
        ewi_basis_eval(basis->order, r[q], s[q], phi);
        for (int j = 0; j < basis->np; j++)
            bed[j] += phi[j] * value;
        if (isfinite(value))
            continue;
        *bad = (struct bad_bed){.is_bad = true, .x = x[q], .y = y[q]};
        for (int m = 0; m < VARIABLES; m++)
            bad->given[m] = w[m * basis->nq + q];
    }
}

static void project_bed(const struct ewi_plan *plan, const ew_data *data, double time, int32_t i, double *bed,
                        struct bad_bed *bad)
{
    struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
    int order = (int)plan->parameter[EWI_BED_ORDER], np = order > 0 ? (order + 1) * (order + 2) / 2 : plan->basis->np;
    for (int a = 0; a < CUTS; a++)
        for (int b = 0; b < CUTS - a; b++) {
            project_part(plan, data, time, &corner, a, b, false, bed, bad);
            if (b < CUTS - a - 1)
                project_part(plan, data, time, &corner, a, b, true, bed, bad);
        }
    for (int j = np; j < plan->basis->np; j++)
        bed[j] = 0.0;
}

/* ---- the water ---- */

/* Projects an element that is wet in all buckets. Subtracts one level first, so that a constant surface stays exact. */
static void project_wet(const struct ewi_plan *plan, const struct buckets *at, const double *surface, const double *h,
                        double *c)
{
    const struct ewi_basis *basis = plan->basis;
    int np = basis->np;
    c[0] = surface[0] / EWI_SQRT2;
    for (int q = 0; q < basis->nq; q++)
        for (int j = 0; j < np; j++) {
            double weight = basis->project[q * np + j];
            c[j] += weight * (surface[q] - surface[0]);
            c[np + j] += weight * (h[q] * at->w[at->count + q]);
            c[2 * np + j] += weight * (h[q] * at->w[2 * at->count + q]);
        }
    c[EWI_BED_DEPTH * np] = -1.0; /* wet; its depth follows */
}

/* The linear surface that fits the wet part best, from one level. */
static void fit_surface(const struct buckets *at, const double *surface, const double *h, double *c)
{
    double a[3][3] = {{0}}, r[3] = {0}, level = 0.0;
    bool found = false;
    for (int n = 0; n < at->count; n++) {
        if (!(h[n] > 0.0))
            continue;
        level = found ? level : surface[n];
        found = true;
        for (int k = 0; k < 3; k++) {
            r[k] += 0.5 * at->weight[n] * at->phi[n][k] * (surface[n] - level);
            for (int l = 0; l < 3; l++)
                a[k][l] += 0.5 * at->weight[n] * at->phi[n][k] * at->phi[n][l];
        }
    }
    c[0] = level / EWI_SQRT2;
    if (!found)
        return;
    double stiff = 1e-6 + 1e-3 * (1.0 - a[0][0]), b1 = a[0][1] / a[0][0], b2 = a[0][2] / a[0][0];
    double d11 = a[1][1] - a[0][1] * b1 + stiff, d12 = a[1][2] - a[0][1] * b2, d22 = a[2][2] - a[0][2] * b2 + stiff;
    double r1 = r[1] - b1 * r[0], r2 = r[2] - b2 * r[0], det = d11 * d22 - d12 * d12;
    c[1] = (d22 * r1 - d12 * r2) / det;
    c[2] = (d11 * r2 - d12 * r1) / det;
    c[0] += (r[0] - a[0][1] * c[1] - a[0][2] * c[2]) / a[0][0];
}

/* Sums the volume in the kernels' order, so that a lake's level fits it exactly. */
static void project_partly_dry(const struct buckets *at, const double *surface, const double *h, int np, double *c)
{
    double volume = 0.0;
    for (int n = 0; n < at->count; n++) {
        double water = h[n] > 0.0 ? h[n] : 0.0, share = 0.5 * at->weight[n] * at->phi[n][0];
        volume = fma(at->weight[n], water, volume);
        c[np] += share * (water * at->w[at->count + n]);
        c[2 * np] += share * (water * at->w[2 * at->count + n]);
    }
    fit_surface(at, surface, h, c);
    c[EWI_BED_DEPTH * np] = volume;
}

static bool is_good(const struct ewi_plan *plan, const struct buckets *at, int n, double *primitive)
{
    double u[EW_MAX_VARIABLES];
    for (int m = 0; m < VARIABLES; m++)
        primitive[m] = at->w[m * at->count + n];
    plan->law->conserved(plan->parameter, primitive, u);
    return plan->law->admissible(plan->parameter, u);
}

void ewi_bed_project(const struct ewi_plan *plan, const ew_data *data, double time, int32_t i, double *c,
                     struct ewi_bad_points *points)
{
    struct buckets at;
    double surface[MOST_BUCKETS], h[MOST_BUCKETS], least = INFINITY, primitive[VARIABLES];
    int np = plan->basis->np;
    memset(c, 0, (size_t)plan->rows * sizeof *c);
    find_buckets(plan, data, time, i, &at);
    struct bad_bed bad = {.is_bad = false};
    project_bed(plan, data, time, i, c + EWI_BED_BED * np, &bad);
    for (int n = 0; n < at.count; n++) {
        double bed = chain(at.phi[n], c + EWI_BED_BED * np, np);
        if (!is_good(plan, &at, n, primitive))
        {
            ewi_bed_count_bad_point(points, at.x[n], at.y[n], primitive);
            bad.is_bad = false; /* one is enough */
        }
        surface[n] = primitive[0] >= 0.0 ? primitive[0] + bed : primitive[4];
        h[n] = primitive[0] >= 0.0 ? primitive[0] : surface[n] - bed;
        least = fmin(least, h[n]);
    }
    if (bad.is_bad)
        ewi_bed_count_bad_point(points, bad.x, bad.y, bad.given);
    if (least > 0.0)
        project_wet(plan, &at, surface, h, c);
    else
        project_partly_dry(&at, surface, h, np, c);
}

/* ---- dry ---- */

double ewi_bed_initial_depth(const struct ewi_plan *plan, int32_t i)
{
    const double *row = plan->initial + ewi_layout_base(plan->width, plan->rows, i);
    int64_t np = plan->basis->np * plan->width;
    double depth = row[EWI_BED_DEPTH * np];
    return depth < 0.0 ? EWI_SQRT2 * (row[0] - row[EWI_BED_BED * np]) : depth;
}

void ewi_bed_find_dry(struct ewi_plan *plan, struct ewi_diagnostics *diagnostics)
{
    double deepest = 0.0;
    if (plan->parameter[EWI_BED_DRY] > 0.0)
        return;
    for (int32_t i = 0; i < plan->grid->elements; i++)
        deepest = fmax(deepest, ewi_bed_initial_depth(plan, i));
    plan->parameter[EWI_BED_DRY] = DRY_SHARE * deepest;
    if (!(deepest > 0.0))
        ewi_diagnose(diagnostics, PLACE("parameter", .variable = "dry"),
                     "nothing is wet at the start, so that no depth says what is as good as dry; give dry, for example "
                     "1e-6 of the depths that will come");
}
