/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A source by formulas: its values in the initial state, and how stiff it is there. An explicit scheme is stable only
 * if its steps are short against the rates of the source, the eigenvalues of dS/du, found by differences.
 */
#include "ewi_bed.h"
#include "ewi_bed_rows.h"
#include "ewi_diagnostics.h"
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_formula.h"
#include "ewi_host.h"
#include "ewi_parallel.h"
#include "ewi_plan_parts.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

#define STABLE_RATE 1.0    /* rate times step above which a run warns: schemes bear 2 and more, less for the flow */
#define DIFFERENCE 1e-7    /* of a variable's size */
#define LEAST_SIZE 1e-3    /* smallest size of a variable, relative to the largest one of its state */
enum { RAIN_TIMES = 32 };  /* at which rain is looked for after the start */
enum { SQUARINGS = 8 };    /* of a matrix for its eigenvalue: the norm of its 256th power */

/* A source at the volume points of one element. */
struct values {
    double x[EWI_MAX_NQ], y[EWI_MAX_NQ], u[EWI_MAX_NQ][EW_MAX_VARIABLES];
    bool counts[EWI_MAX_NQ]; /* the state is admissible there, or the source does not depend on it */
    double s[EW_MAX_VARIABLES * EWI_MAX_NQ];
};

struct scan {
    struct ewi_plan *plan;
    const double *state;
    double t;
    double *rate, *speed;  /* [elements], or NULL; rate < 0: the source is not finite in the element */
    double *rain;          /* [elements]: the largest source of the first variable from t to `end` */
    double end;
};

/* S at the points: s[m * EWI_MAX_NQ + q]. */
static void evaluate(const struct ewi_plan *plan, int32_t i, const struct values *at,
                     const double (*u)[EW_MAX_VARIABLES], double t, double *s)
{
    double w[EW_MAX_VARIABLES * EWI_MAX_NQ], primitive[EW_MAX_VARIABLES];
    for (int q = 0; q < plan->basis->nq; q++) {
        plan->law->primitive(ewi_plan_parameter(plan, i), u[q], primitive);
        for (int m = 0; m < plan->variables; m++)
            w[m * EWI_MAX_NQ + q] = primitive[m];
    }
    ewi_program_evaluate_all(plan->source.program, (size_t)plan->basis->nq, at->x, at->y, t, w, s, EWI_MAX_NQ);
}

static bool depends_on_state(const struct ewi_plan *plan)
{
    return plan->source.program->variables & EW_STATE;
}

static void evaluate_element(const struct scan *scan, int32_t i, struct values *at)
{
    const struct ewi_plan *plan = scan->plan;
    const struct ewi_basis *basis = plan->basis;
    struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
    ewi_points_in(&corner, basis->nq, basis->r, basis->s, at->x, at->y);
    for (int q = 0; q < basis->nq; q++) {
        ewi_value_at(plan, scan->state + ewi_layout_base(plan->width, plan->rows, i), basis->phi + q * basis->np,
                     at->u[q]);
        bool good = plan->law->admissible(ewi_plan_parameter(plan, i), at->u[q]);
        for (int m = 0; m < plan->variables; m++)
            good = good && isfinite(at->u[q][m]);
        at->counts[q] = good || !depends_on_state(plan);
    }
    evaluate(plan, i, at, (const double (*)[EW_MAX_VARIABLES])at->u, scan->t, at->s);
}

/* ---- values that are not finite ---- */

/* Returns the index in `s` of the first value of an element that is not finite, or -1. */
static int find_bad(const struct ewi_plan *plan, const struct values *at)
{
    for (int q = 0; q < plan->basis->nq; q++)
        for (int m = 0; m < plan->variables; m++)
            if (at->counts[q] && !isfinite(at->s[m * EWI_MAX_NQ + q]))
                return m * EWI_MAX_NQ + q;
    return -1;
}

/* Adds why a raster of the formulas has no value at point q. */
static void explain(const struct scan *scan, const struct values *at, int q, const double *primitive, char *text,
                    size_t size)
{
    char why[EWI_EXPLANATION];
    const ew_formula *formula = scan->plan->source.formula;
    if (size > 0 && ewi_formula_explain(formula, at->x[q], at->y[q], scan->t, primitive, why, sizeof why))
        ewi_snprintf(text, size, "; %s", why);
}

static void describe(const struct scan *scan, int32_t i, const struct values *at, int bad, char *text, size_t size)
{
    const struct ewi_plan *plan = scan->plan;
    const ew_law *law = plan->law->info;
    int variable = bad / EWI_MAX_NQ, q = bad % EWI_MAX_NQ;
    double value = at->s[bad], primitive[EW_MAX_VARIABLES];
    size_t length = (size_t)ewi_snprintf(
        text, size, "the source of %s is %g at (%g, %g), in element %d, t = %.10g",
        law->conserved[variable], isnan(value) ? NAN : value, at->x[q], at->y[q], plan->mesh->file_index[i], scan->t);
    plan->law->primitive(ewi_plan_parameter(plan, i), at->u[q], primitive);
    for (int m = 0; m < plan->variables && depends_on_state(plan) && length < size; m++)
        length += (size_t)ewi_snprintf(text + length, size - length, "%s%s = %g", m ? ", " : ", where ",
                                       law->primitive[m], primitive[m]);
    explain(scan, at, q, primitive, text + length, length < size ? size - length : 0);
}

bool ewi_plan_describe_bad_source(const struct ewi_plan *plan, const double *state, double t, char *text, size_t size)
{
    const struct scan scan = {.plan = (struct ewi_plan *)(uintptr_t)plan, .state = state, .t = t};
    struct values at;
    for (int32_t k = 0; plan->source.program && k < plan->mesh->elements; k++) {
        int32_t i = plan->mesh->order[k];
        evaluate_element(&scan, i, &at);
        int bad = find_bad(plan, &at);
        if (bad < 0)
            continue;
        describe(&scan, i, &at, bad, text, size);
        return true;
    }
    return false;
}

/* ---- rates ---- */

static void square(int n, double *matrix)
{
    double product[EW_MAX_VARIABLES * EW_MAX_VARIABLES] = {0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                product[i * n + j] += matrix[i * n + k] * matrix[k * n + j];
    memcpy(matrix, product, (size_t)(n * n) * sizeof *matrix);
}

static double norm(int n, const double *matrix)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(matrix[i * n + j]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* The largest |eigenvalue| as lim |A^k|^(1/k), which the variables' units do not change. */
static double spectral_radius(int n, double *matrix)
{
    double radius = 1.0, share = 1.0;
    for (int step = 0; step <= SQUARINGS; step++) {
        double size = norm(n, matrix);
        if (!(size > 0.0) || !isfinite(size))
            return size > 0.0 ? size : 0.0;
        radius *= pow(size, share);
        for (int k = 0; k < n * n; k++)
            matrix[k] /= size;
        square(n, matrix);
        share /= 2.0;
    }
    return radius;
}

/* The variables' steps for differences, from a state. */
static double step_of(const struct ewi_plan *plan, const double *u, int variable)
{
    double largest = 0.0;
    for (int m = 0; m < plan->variables; m++)
        largest = fmax(largest, fabs(u[m]));
    double size = fmax(fabs(u[variable]), LEAST_SIZE * largest);
    return DIFFERENCE * (size > 0.0 ? size : 1.0);
}

static double largest_rate(const struct scan *scan, int32_t i, const struct values *at)
{
    const struct ewi_plan *plan = scan->plan;
    int n = plan->variables;
    double jacobian[EWI_MAX_NQ][EW_MAX_VARIABLES * EW_MAX_VARIABLES], largest = 0.0;
    for (int k = 0; k < n; k++) {
        double u[EWI_MAX_NQ][EW_MAX_VARIABLES], s[EW_MAX_VARIABLES * EWI_MAX_NQ], step[EWI_MAX_NQ];
        memcpy(u, at->u, sizeof u);
        for (int q = 0; q < plan->basis->nq; q++) {
            step[q] = step_of(plan, u[q], k);
            u[q][k] += step[q];
        }
        evaluate(plan, i, at, (const double (*)[EW_MAX_VARIABLES])u, scan->t, s);
        for (int q = 0; q < plan->basis->nq; q++)
            for (int m = 0; m < n; m++)
                jacobian[q][m * n + k] = (s[m * EWI_MAX_NQ + q] - at->s[m * EWI_MAX_NQ + q]) / step[q];
    }
    for (int q = 0; q < plan->basis->nq; q++)
        if (at->counts[q])
            largest = fmax(largest, spectral_radius(n, jacobian[q]));
    return largest;
}

/* Returns the heaviest rain in an element over a bed, at equal intervals from t to the end of rain. */
static double heaviest_rain(const struct scan *scan, int32_t i, struct values *at)
{
    bool lasts = scan->plan->source.program->variables & EW_T && scan->end > scan->t && isfinite(scan->end);
    struct scan later = *scan;
    double most = 0.0;
    for (int k = 0; ewi_bed_has(scan->plan->law) && k <= (lasts ? RAIN_TIMES : 0); k++) {
        later.t = k == 0 ? scan->t : scan->t + k * ((scan->end - scan->t) / RAIN_TIMES);
        evaluate_element(&later, i, at);
        for (int q = 0; q < scan->plan->basis->nq; q++)
            most = at->s[q] > most && isfinite(at->s[q]) ? at->s[q] : most;
    }
    return most;
}

static void scan_elements(void *context, int64_t first, int64_t last)
{
    const struct scan *scan = context;
    struct values at;
    for (int32_t i = (int32_t)first; i < last; i++) {
        scan->rain[i] = heaviest_rain(scan, i, &at);
        evaluate_element(scan, i, &at);
        bool bad = find_bad(scan->plan, &at) >= 0;
        scan->rate[i] = bad ? -1.0 : depends_on_state(scan->plan) ? largest_rate(scan, i, &at) : 0.0;
        scan->speed[i] = ewi_step_speed(scan->plan, i);
    }
}

/* ---- the plan ---- */

static void report_bad(const struct scan *scan, struct ewi_diagnostics *diagnostics)
{
    const struct ewi_plan *plan = scan->plan;
    struct values at;
    char text[960];
    for (int32_t k = 0; k < plan->mesh->elements; k++) {
        int32_t i = plan->mesh->order[k];
        if (scan->rate[i] >= 0.0)
            continue;
        evaluate_element(scan, i, &at);
        int bad = find_bad(plan, &at);
        describe(scan, i, &at, bad, text, sizeof text);
        ewi_diagnose(diagnostics,
                     (ew_place){.member = "source", .variable = plan->law->info->conserved[bad / EWI_MAX_NQ]}, "%s",
                     text);
        return;
    }
}

/* An element's step over that of the smallest one. */
static double step_ratio(const struct ewi_plan *plan, int32_t i)
{
    return plan->step_ratio ? plan->step_ratio[i] : 1.0;
}

static void find_stiffness(struct scan *scan)
{
    struct ewi_plan *plan = scan->plan;
    double speed = plan->given_speed;
    int32_t stiffest = 0;
    for (int32_t i = 0; i < plan->mesh->elements; i++) {
        speed = fmax(speed, scan->speed[i]);
        if (scan->rate[i] * step_ratio(plan, i) > scan->rate[stiffest] * step_ratio(plan, stiffest))
            stiffest = i;
    }
    struct ewi_corners corner = ewi_corners_of(plan->mesh, stiffest);
    plan->source.rate = scan->rate[stiffest];
    plan->source.dt = plan->cfl * plan->mesh->info.smallest_diameter / (2 * plan->basis->order + 1) / speed;
    plan->source.dt *= step_ratio(plan, stiffest);
    plan->source.x = corner.x + (corner.xr + corner.xs) / 3.0;
    plan->source.y = corner.y + (corner.yr + corner.ys) / 3.0;
}

/*
 * Rain on dry ground: its waves are as fast as the step is long, dt sqrt(g rain dt) <= length, which a least speed says
 * from the start.
 */
static void bound_by_rain(struct scan *scan)
{
    struct ewi_plan *plan = scan->plan;
    double most = 0.0, length = plan->cfl * plan->mesh->info.smallest_diameter / (2 * plan->basis->order + 1);
    for (int32_t i = 0; i < plan->mesh->elements; i++)
        most = fmax(scan->rain[i], most);
    if (most > 0.0)
        plan->given_speed = fmax(plan->given_speed, cbrt(length * plan->parameter[EWI_BED_GRAVITY] * most));
}

static void fill_origins(struct ewi_plan *plan)
{
    for (int32_t i = 0; i < plan->mesh->elements; i++) {
        struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
        plan->source.origin[ewi_layout_index(EWI_TILE, 2, 0, i)] = corner.x;
        plan->source.origin[ewi_layout_index(EWI_TILE, 2, 1, i)] = corner.y;
    }
}

int ewi_source_fill(struct ewi_plan *plan, const ew_problem *problem, struct ewi_diagnostics *diagnostics,
                    ew_error *error)
{
    size_t elements = (size_t)plan->mesh->elements;
    struct scan scan = {.plan = plan, .state = plan->initial, .t = problem->time, .end = problem->source_end};
    int status = EW_OK;
    plan->source.formula = problem->source.formula;
    plan->source.program = ewi_formula_program(problem->source.formula);
    plan->source.origin = ewi_alloc(&plan->host, (size_t)plan->grid->padded, 2 * sizeof(double));
    scan.rate = ewi_alloc(&plan->host, elements, sizeof *scan.rate);
    scan.speed = ewi_alloc(&plan->host, elements, sizeof *scan.speed);
    scan.rain = ewi_alloc(&plan->host, elements, sizeof *scan.rain);
    if (!plan->source.origin || !scan.rate || !scan.speed || !scan.rain)
        EWI_TRY(ewi_fail(error, EW_ENOMEM, "not enough memory for the source: it takes %zu MB",
                         5 * elements * sizeof(double) >> 20));
    fill_origins(plan);
    ewi_parallel_shares(plan->mesh->elements, EWI_FEW, scan_elements, &scan);
    report_bad(&scan, diagnostics);
    bound_by_rain(&scan);
    find_stiffness(&scan);
out:
    ewi_free(&plan->host, scan.rate);
    ewi_free(&plan->host, scan.speed);
    ewi_free(&plan->host, scan.rain);
    return status;
}

void ewi_source_warn(const struct ewi_plan *plan)
{
    double rate = plan->source.rate * plan->source.dt;
    if (!plan->source.program || !(rate > STABLE_RATE))
        return;
    if (isinf(plan->source.dt))
        ewi_log(&plan->host, EW_LOG_WARNING,
                "no waves limit the time step, but the source, whose fastest rate is %.3g per unit of time near (%g, "
                "%g), needs steps of at most %.2g: write frames at such intervals",
                plan->source.rate, plan->source.x, plan->source.y, STABLE_RATE / plan->source.rate);
    else
        ewi_log(&plan->host, EW_LOG_WARNING,
                "the source is stiff near (%g, %g): its fastest rate, %.3g per unit of time, times the first step is "
                "%.3g, and explicit schemes are unstable above about 2; use a cfl of at most %.2g",
                plan->source.x, plan->source.y, plan->source.rate, rate, 0.95 * plan->cfl * STABLE_RATE / rate);
}
