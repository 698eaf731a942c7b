/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples of the state's polynomials: what fields are written from. */
#include "ewi_bed.h"
#include "ewi_error.h"
#include "ewi_formula.h"
#include "ewi_host.h"
#include "ewi_parallel.h"
#include "ewi_points.h"
#include "ewi_sampling.h"

#include <math.h>
#include <string.h>

/*
 * A row of an element is a cache line away from the next, and files have elements in another order: processors do not
 * see them coming.
 */
void ewi_gather_elements(const struct ewi_plan *plan, const double *state, int64_t f, int64_t last, double *c)
{
    enum { AHEAD = 2 * EWI_TILE };
    const double *base[EWI_TILE];
    for (int k = 0; k < EWI_TILE; k++) {
        int64_t own = f + k < last ? f + k : last - 1, later = f + k + AHEAD;
        base[k] = state + ewi_layout_base(plan->width, plan->rows, plan->mesh->order[own]);
        const double *next = state +
                             ewi_layout_base(plan->width, plan->rows, plan->mesh->order[later < last ? later : own]);
        for (int row = 0; row < plan->rows; row++)
            __builtin_prefetch(&next[row * plan->width]);
    }
    for (int row = 0; row < plan->rows; row++)
        for (int k = 0; k < EWI_TILE; k++)
            c[row * EWI_TILE + k] = base[k][row * plan->width];
}

const double *ewi_gather_parameters(const struct ewi_plan *plan, int64_t f, int64_t last, double *rows)
{
    for (int row = 0; row < plan->media; row++)
        for (int k = 0; k < EWI_TILE; k++)
            rows[row * EWI_TILE + k] =
                ewi_plan_parameter(plan, plan->mesh->order[f + k < last ? f + k : last - 1])[row * EWI_TILE];
    return plan->media ? rows : plan->parameter;
}

/* Basis functions and their derivatives at the points: phi, then d/dr, then d/ds, each [points][np]. */
int ewi_sampling_basis(const ew_solver *solver, struct ewi_sampling *sampling, ew_error *error)
{
    const struct ewi_basis *basis = solver->plan->basis;
    const double *rs = sampling->rs;
    int points = sampling->points;
    size_t np = (size_t)basis->np, count = (size_t)points * np;
    double *phi = sampling->phi = ewi_alloc(&solver->host, 3 * count, sizeof *phi);
    if (!phi)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to sample %d points", points);
    for (size_t k = 0; k < (size_t)points; k++) {
        ewi_basis_eval(basis->order, rs[2 * k], rs[2 * k + 1], phi + k * np);
        ewi_basis_eval_grad(basis->order, rs[2 * k], rs[2 * k + 1], phi + count + k * np, phi + 2 * count + k * np);
    }
    return EW_OK;
}

static int check_sampling(const ew_solver *solver, int64_t first, int64_t count, int points, const double *rs,
                          ew_error *error)
{
    int32_t elements = solver->plan->grid->elements;
    if (first < 0 || count < 0 || first > elements - count)
        return ewi_fail(error, EW_EINVAL, "%lld elements from number %lld on are asked for; the mesh has %d",
                        (long long)count, (long long)first, elements);
    if (points < 0)
        return ewi_fail(error, EW_EINVAL, "%d points are asked for", points);
    return points > 0 && !rs ? ewi_fail(error, EW_EINVAL, "%d points are asked for, but where they are is NULL", points)
                             : EW_OK;
}

/* A point, the parameters of the law there, and the state and its gradient in x and y. */
struct sample {
    const double *parameter;
    double x, y, activity, u[EW_MAX_VARIABLES], primitive[EW_MAX_VARIABLES], ux[EW_MAX_VARIABLES], uy[EW_MAX_VARIABLES];
    double limited[EW_MAX_VARIABLES]; /* u with the law's limit_point, from which it derives quantities */
};

enum { MOST_OUTPUTS = EW_MAX_OUTPUTS };

/* Transforms derivatives from the reference triangle; those of one variable are `stride` apart. */
static void turn_gradients(const struct ewi_plan *plan, int32_t i, const double *ur, const double *us, int stride,
                           struct sample *sample)
{
    double det = ewi_mesh_det(plan->mesh, i);
    struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
    for (int m = 0; m < plan->variables; m++) {
        sample->ux[m] = (corner.ys * ur[m * stride] - corner.yr * us[m * stride]) / det;
        sample->uy[m] = (corner.xr * us[m * stride] - corner.xs * ur[m * stride]) / det;
    }
}

static void add_gradients(const struct ewi_sampling *sampling, int32_t i, const double *base, const double *phi,
                          struct sample *sample)
{
    const struct ewi_plan *plan = sampling->plan;
    size_t stride = (size_t)sampling->points * (size_t)plan->basis->np;
    double ur[EW_MAX_VARIABLES] = {0}, us[EW_MAX_VARIABLES] = {0};
    ewi_value_at(plan, base, phi + stride, ur);
    ewi_value_at(plan, base, phi + 2 * stride, us);
    turn_gradients(plan, i, ur, us, 1, sample);
}

static void add_place(const struct ewi_sampling *sampling, int32_t i, int k, struct sample *sample)
{
    struct ewi_corners corner = ewi_corners_of(sampling->plan->mesh, i);
    ewi_points_in(&corner, 1, &sampling->rs[2 * k], &sampling->rs[2 * k + 1], &sample->x, &sample->y);
}

/* c: the element's rows, `width` apart */
static void add_limited(const struct ewi_plan *plan, const double *c, int64_t width, struct sample *sample)
{
    double mean[EW_MAX_VARIABLES];
    for (int m = 0; m < plan->variables; m++)
        mean[m] = EWI_SQRT2 * c[m * plan->basis->np * width];
    memcpy(sample->limited, sample->u, sizeof sample->u);
    plan->law->limit_point(sample->parameter, mean, sample->limited);
}

/* A quantity of the law. */
static double value_of(const struct ewi_plan *plan, const struct sample *sample, const struct ewi_output *output)
{
    switch (output->from) {
    case EWI_FROM_PRIMITIVE:
        return sample->primitive[output->index];
    case EWI_FROM_CONSERVED:
        return sample->u[output->index];
    case EWI_FROM_LIMITER:
        return sample->activity;
    default:
        return plan->law->derived(output->index, sample->parameter, sample->limited, sample->ux, sample->uy);
    }
}

/* A quantity by formula at samples that have all that it needs. */
static void evaluate_formula(const struct ewi_sampling *sampling, int number, int count, const struct sample *sample,
                             double value[EWI_TILE])
{
    const struct ewi_plan *plan = sampling->plan;
    const struct ewi_plan_quantity *quantity = &plan->quantity[number];
    double x[EWI_TILE], y[EWI_TILE], state[EW_MAX_OUTPUTS * EWI_TILE];
    for (int s = 0; s < quantity->used; s++)
        for (int k = 0; k < count; k++)
            state[quantity->use[s].number * EWI_TILE + k] = value_of(plan, &sample[k], &quantity->use[s].output);
    for (int k = 0; k < count; k++) {
        x[k] = sample[k].x;
        y[k] = sample[k].y;
    }
    ewi_program_evaluate_all(quantity->program, (size_t)count, x, y, sampling->time, state, value, EWI_TILE);
}

/* Output n at point k of element i, for which the sample is. */
static double evaluate_output(const struct ewi_sampling *sampling, int n, int32_t i, int k,
                              const struct sample *sample)
{
    const struct ewi_output *output = &sampling->output[n];
    double value[EWI_TILE];
    if (output->from == EWI_FROM_AVERAGE)
        return ewi_average_at(sampling->plan, sampling->averages, output->index, i, &sampling->rs[2 * k]);
    if (output->from != EWI_FROM_FORMULA)
        return value_of(sampling->plan, sample, output);
    evaluate_formula(sampling, output->index, 1, sample, value);
    return value[0];
}

/* All outputs at point k of element i. */
static void sample_at(const struct ewi_sampling *sampling, int32_t i, int k, double *value)
{
    const struct ewi_plan *plan = sampling->plan;
    const double *base = sampling->state + ewi_layout_base(plan->width, plan->rows, i);
    const double *phi = sampling->phi + (size_t)k * (size_t)plan->basis->np;
    struct sample sample;
    sample.parameter = ewi_plan_parameter(plan, i);
    ewi_value_at(plan, base, phi, sample.u);
    add_limited(plan, base, plan->width, &sample);
    if (sampling->gradients)
        add_gradients(sampling, i, base, phi, &sample);
    if (sampling->primitive)
        plan->law->primitive(sample.parameter, sample.limited, sample.primitive);
    if (sampling->formulas)
        add_place(sampling, i, k, &sample);
    sample.activity = sampling->activity ? sampling->activity[i] : 0;
    for (int n = 0; n < sampling->outputs; n++)
        value[n] = evaluate_output(sampling, n, i, k, &sample);
}

static void note_needs(struct ewi_sampling *sampling, const struct ewi_output *output)
{
    bool is_formula = output->from == EWI_FROM_FORMULA;
    sampling->formulas = sampling->formulas || is_formula;
    sampling->primitive = sampling->primitive || is_formula || output->from == EWI_FROM_PRIMITIVE;
    sampling->gradients = sampling->gradients || output->from == EWI_FROM_DERIVED ||
                          (is_formula && sampling->plan->quantity[output->index].gradients);
}

int ewi_sampling_choose(const ew_solver *solver, struct ewi_sampling *sampling, int outputs, const int *output,
                        ew_error *error)
{
    sampling->outputs = outputs;
    if (outputs < 0 || outputs > MOST_OUTPUTS)
        return ewi_fail(error, EW_EINVAL, "%d quantities are asked for; there are %d at most", outputs, MOST_OUTPUTS);
    if (outputs > 0 && !output)
        return ewi_fail(error, EW_EINVAL, "%d quantities are asked for, but which is NULL", outputs);
    for (int k = 0; k < outputs; k++) {
        TRY(ewi_solver_check_output(solver, output[k], error));
        ewi_plan_output(solver->plan, output[k], &sampling->output[k]);
        note_needs(sampling, &sampling->output[k]);
    }
    return EW_OK;
}

static int view_state(ew_solver *solver, struct ewi_sampling *sampling, ew_error *error)
{
    int status;
    sampling->time = solver->time;
    for (int k = 0; k < sampling->outputs; k++)
        if (sampling->output[k].from == EWI_FROM_LIMITER && !sampling->activity)
            EWI_TRY(ewi_solver_activity(solver, &sampling->activity, error));
        else if (sampling->output[k].from == EWI_FROM_AVERAGE && !sampling->averages)
            EWI_TRY(ewi_solver_view_averages(solver, &sampling->averages, error));
    status = ewi_solver_view(solver, &sampling->state, error);
out:
    return status;
}

/* sampling->phi is freed by whoever asked, whatever comes of it. */
static int begin_sampling(ew_solver *solver, int64_t first, int64_t count, const double *rs,
                          struct ewi_sampling *sampling, ew_error *error)
{
    int status;
    EWI_TRY(check_sampling(solver, first, count, sampling->points, rs, error));
    sampling->rs = rs;
    EWI_TRY(view_state(solver, sampling, error));
    status = ewi_sampling_basis(solver, sampling, error);
out:
    return status;
}

/* Elements `first` and on: values one after another, or in columns. */
struct range {
    const struct ewi_sampling *sampling;
    const int32_t *order;
    int64_t first, count;
    int points, outputs;
    double *values;
    void *const *columns, *const *means;
};

static void sample_outputs(void *context, int64_t from, int64_t to)
{
    const struct range *range = context;
    for (int64_t f = from; f < to; f++)
        for (int k = 0; k < range->points; k++)
            sample_at(range->sampling, range->order[range->first + f], k,
                      range->values + (f * range->points + k) * range->outputs);
}

static int sample_into(ew_solver *solver, struct ewi_sampling *sampling, int64_t first, int64_t count, const double *rs,
                       double *values, ew_error *error)
{
    int status = begin_sampling(solver, first, count, rs, sampling, error), points = sampling->points;
    struct range range = {.sampling = sampling, .order = solver->plan->mesh->order, .first = first, .points = points,
                          .outputs = sampling->outputs, .values = values};
    if (status == EW_OK)
        ewi_parallel_shares(count, EWI_FEW / (points > 0 ? points : 1), sample_outputs, &range);
    ewi_free(&solver->host, sampling->phi);
    return status;
}

int ew_solver_sample(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs, int primitive,
                     double *values, ew_error *error)
{
    EWI_REQUIRE(solver);
    if (count > 0 && points > 0)
        EWI_REQUIRE(values);
    const struct ewi_plan *plan = solver->plan;
    struct ewi_sampling sampling = {.plan = plan, .points = points, .outputs = plan->variables, .primitive = primitive};
    for (int m = 0; m < plan->variables; m++)
        sampling.output[m] = (struct ewi_output){primitive ? EWI_FROM_PRIMITIVE : EWI_FROM_CONSERVED, m};
    return sample_into(solver, &sampling, first, count, rs, values, error);
}

int ew_solver_sample_outputs(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs, int outputs,
                             const int *output, double *values, ew_error *error)
{
    EWI_REQUIRE(solver, values);
    struct ewi_sampling sampling = {.plan = solver->plan, .points = points};
    int status = ewi_sampling_choose(solver, &sampling, outputs, output, error);
    return status == EW_OK ? sample_into(solver, &sampling, first, count, rs, values, error) : status;
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

/* A point of EWI_TILE elements: the state, [variables][EWI_TILE], and what outputs need of the others. */
struct lanes {
    const double *u, *w, *ur, *us, *c; /* c: their coefficients */
};

static void take_sample(const struct ewi_sampling *sampling, int32_t i, int q, struct lanes known, int k,
                        struct sample *sample)
{
    const struct ewi_plan *plan = sampling->plan;
    sample->parameter = ewi_plan_parameter(plan, i);
    for (int m = 0; m < plan->variables; m++) {
        sample->u[m] = known.u[m * EWI_TILE + k];
        sample->primitive[m] = known.w ? known.w[m * EWI_TILE + k] : 0;
    }
    sample->activity = sampling->activity ? sampling->activity[i] : 0;
    if (sampling->gradients) {
        add_limited(plan, known.c + k, EWI_TILE, sample);
        turn_gradients(plan, i, known.ur + k, known.us + k, EWI_TILE, sample);
    }
    if (sampling->formulas)
        add_place(sampling, i, q, sample);
}

/* Output n, which is no variable, at point q of elements i[count]. */
static void evaluate_lanes(const struct ewi_sampling *sampling, int n, const int32_t *i, int count, int q,
                           struct lanes known, double value[EWI_TILE])
{
    const struct ewi_output *output = &sampling->output[n];
    struct sample sample[EWI_TILE];
    for (int k = 0; k < count; k++)
        take_sample(sampling, i[k], q, known, k, &sample[k]);
    if (output->from == EWI_FROM_FORMULA)
        evaluate_formula(sampling, output->index, count, sample, value);
    else
        for (int k = 0; k < count; k++)
            value[k] = evaluate_output(sampling, n, i[k], q, &sample[k]);
}

enum { POINTS_AT_ONCE = 16, ROWS_AT_ONCE = POINTS_AT_ONCE * EW_MAX_VARIABLES * EWI_TILE };

/* The state at some points of EWI_TILE elements, [points][variables][EWI_TILE]. */
struct known {
    const double *c; /* the coefficients */
    double u[ROWS_AT_ONCE], w[ROWS_AT_ONCE], ur[ROWS_AT_ONCE], us[ROWS_AT_ONCE];
};

/* Evaluates at points from .. from+points-1 all that the outputs need; parameter: of the law, in these elements. */
static void know(const struct ewi_sampling *sampling, const double *parameter, const double *c, int from, int points,
                 struct known *known)
{
    const struct ewi_plan *plan = sampling->plan;
    const struct ewi_points *kernels = ewi_points_of(plan->law->number);
    int np = plan->basis->np;
    const double *phi = sampling->phi + (size_t)(from * np);
    size_t table = (size_t)(sampling->points * np);
    known->c = c;
    kernels->values(parameter, np, points, phi, c, known->u, sampling->primitive ? known->w : NULL);
    if (!sampling->gradients)
        return;
    kernels->values(parameter, np, points, phi + table, c, known->ur, NULL);
    kernels->values(parameter, np, points, phi + 2 * table, c, known->us, NULL);
}

static struct lanes lanes_of(const struct ewi_sampling *sampling, const struct known *known, int q)
{
    int row = q * sampling->plan->variables * EWI_TILE;
    return (struct lanes){known->u + row, sampling->primitive ? known->w + row : NULL, known->ur + row,
                          known->us + row, known->c};
}

/* Output n, which is no variable, at some points of elements i[count]; the column begins with the first of them. */
static void put_others(const struct ewi_sampling *sampling, int n, const int32_t *i, int count, int from, int points,
                       const struct known *known, void *column)
{
    double value[EWI_TILE];
    for (int q = 0; q < points; q++) {
        evaluate_lanes(sampling, n, i, count, from + q, lanes_of(sampling, known, q), value);
        for (int k = 0; k < count; k++)
            put(place(column, k * sampling->points + q, sampling->single), &value[k], 1, 1, sampling->single);
    }
}

/* Output n at points from .. from+points-1. */
static void take_lanes(const struct ewi_sampling *sampling, int n, const int32_t *i, int count, int from, int points,
                       const struct known *known, double *value)
{
    const struct ewi_output *output = &sampling->output[n];
    bool given = output->from == EWI_FROM_PRIMITIVE || output->from == EWI_FROM_CONSERVED;
    memset(value, 0, (size_t)points * EWI_TILE * sizeof *value);
    for (int q = 0; q < points; q++, value += EWI_TILE) {
        struct lanes lanes = lanes_of(sampling, known, q);
        if (given)
            memcpy(value, (output->from == EWI_FROM_PRIMITIVE ? lanes.w : lanes.u) + output->index * EWI_TILE,
                   (size_t)count * sizeof *value);
        else
            evaluate_lanes(sampling, n, i, count, from + q, lanes, value);
    }
}

void ewi_sampling_tile(const struct ewi_sampling *sampling, const int32_t *i, int count, const double *c, double *value)
{
    struct known known;
    for (int from = 0; from < sampling->points; from += POINTS_AT_ONCE) {
        int rest = sampling->points - from, points = rest < POINTS_AT_ONCE ? rest : POINTS_AT_ONCE;
        know(sampling, ewi_plan_parameter(sampling->plan, i[0]), c, from, points, &known);
        for (int n = 0; n < sampling->outputs; n++)
            take_lanes(sampling, n, i, count, from, points, &known, value + (n * sampling->points + from) * EWI_TILE);
    }
}

/* EWI_TILE elements from number f on, some points at a time; numbers of columns count from element `first`. */
static void sample_tile(const struct ewi_sampling *sampling, int64_t f, int64_t first, int64_t last,
                        void *const *values, void *const *means)
{
    const struct ewi_plan *plan = sampling->plan;
    int np = plan->basis->np, variables = plan->variables;
    int64_t count = last - f < EWI_TILE ? last - f : EWI_TILE;
    bool single = sampling->single;
    double c[EW_MAX_VARIABLES * EWI_MAX_NP * EWI_TILE], rows[EW_MAX_PARAMETERS * EWI_TILE];
    const double *parameter = ewi_gather_parameters(plan, f, last, rows);
    struct known known;
    ewi_gather_elements(plan, sampling->state, f, last, c);
    for (int from = 0; from < sampling->points; from += POINTS_AT_ONCE) {
        int points = sampling->points - from < POINTS_AT_ONCE ? sampling->points - from : POINTS_AT_ONCE;
        int64_t at = (f - first) * sampling->points + from;
        know(sampling, parameter, c, from, points, &known);
        for (int n = 0; n < sampling->outputs; n++) {
            const struct ewi_output *output = &sampling->output[n];
            const double *row = output->from == EWI_FROM_PRIMITIVE ? known.w : known.u;
            if (output->from == EWI_FROM_PRIMITIVE || output->from == EWI_FROM_CONSERVED)
                for (int64_t k = 0; k < count; k++)
                    put(place(values[n], at + k * sampling->points, single), row + output->index * EWI_TILE + k,
                        variables * EWI_TILE, points, single);
            else
                put_others(sampling, n, &plan->mesh->order[f], (int)count, from, points, &known,
                           place(values[n], at, single));
        }
    }
    for (int m = 0; means && m < variables; m++) {
        double mean[EWI_TILE];
        for (int k = 0; k < EWI_TILE; k++)
            mean[k] = ewi_mean_of(plan->law, m, c[m * np * EWI_TILE + k]);
        put(place(means[m], f - first, single), mean, 1, count, single);
    }
}

static int check_columns(const struct ewi_plan *plan, int outputs, void *const *values, void *const *means,
                         ew_error *error)
{
    for (int n = 0; n < outputs; n++)
        if (!values || !values[n])
            return ewi_fail(error, EW_EINVAL, "the place for the values of quantity %d of %d is NULL", n, outputs);
    for (int m = 0; means && m < plan->variables; m++)
        if (!means[m])
            return ewi_fail(error, EW_EINVAL, "the place for the means of variable %d of %d is NULL", m,
                            plan->variables);
    return EW_OK;
}

static void sample_tiles(void *context, int64_t from, int64_t to)
{
    const struct range *range = context;
    for (int64_t tile = from; tile < to; tile++)
        sample_tile(range->sampling, range->first + tile * EWI_TILE, range->first, range->first + range->count,
                    range->columns, range->means);
}

int ew_solver_sample_columns(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs, int outputs,
                             const int *output, int single, void *const *values, void *const *means, ew_error *error)
{
    EWI_REQUIRE(solver);
    struct ewi_sampling sampling = {.plan = solver->plan, .points = points, .single = single != 0};
    struct range range = {.sampling = &sampling, .first = first, .count = count, .columns = values, .means = means};
    int status;
    EWI_TRY(ewi_sampling_choose(solver, &sampling, outputs, output, error));
    EWI_TRY(begin_sampling(solver, first, count, rs, &sampling, error));
    EWI_TRY(check_columns(solver->plan, outputs, values, means, error));
    ewi_parallel_parts(0, (count + EWI_TILE - 1) / EWI_TILE, 64, sample_tiles, &range);
out:
    ewi_free(&solver->host, sampling.phi);
    return status;
}

/* ---- points with elements of their own --------------------------------------------------------------------------- */

/* NaN where a point has no element. */
struct scattered {
    const struct ewi_sampling *sampling;
    const int32_t *order, *element;
    const double *rs;
    void *const *columns;
};

/* A point's own basis functions stand in for those of points that all elements share. */
static void sample_scattered(void *context, int64_t from, int64_t to)
{
    const struct scattered *scattered = context;
    struct ewi_sampling sampling = *scattered->sampling;
    double phi[3 * EWI_MAX_NP], value[MOST_OUTPUTS];
    int np = sampling.plan->basis->np, order = sampling.plan->basis->order;
    sampling.phi = phi;
    for (int64_t k = from; k < to; k++) {
        int32_t e = scattered->element[k];
        double r = scattered->rs[2 * k], s = scattered->rs[2 * k + 1];
        if (e >= 0) {
            ewi_basis_eval(order, r, s, phi);
            if (sampling.gradients)
                ewi_basis_eval_grad(order, r, s, phi + np, phi + 2 * np);
            sampling.rs = &scattered->rs[2 * k];
            sample_at(&sampling, scattered->order[e], 0, value);
        }
        for (int n = 0; n < sampling.outputs; n++) {
            if (e < 0 || isnan(value[n]))
                value[n] = NAN; /* whose bits processors do not agree on */
            put(place(scattered->columns[n], k, sampling.single), &value[n], 1, 1, sampling.single);
        }
    }
}

static int check_scattered(const ew_solver *solver, int64_t count, const int32_t *element, const double *rs,
                           ew_error *error)
{
    int32_t elements = solver->plan->grid->elements;
    if (count < 0)
        return ewi_fail(error, EW_EINVAL, "%lld points are asked for", (long long)count);
    if (count > 0 && (!element || !rs))
        return ewi_fail(error, EW_EINVAL, "%lld points are asked for, but where they are is NULL", (long long)count);
    for (int64_t k = 0; k < count; k++)
        if (element[k] >= elements)
            return ewi_fail(error, EW_EINVAL, "point %lld is to be in element %d; the mesh has %d", (long long)k,
                            element[k], elements);
    return EW_OK;
}

/* ---- quantities that do not vary --------------------------------------------------------------------------------- */

struct constant {
    const struct ewi_plan *plan;
    const struct ewi_program *program;
    const int32_t *element;
    const double *rs;
    void *values;
    bool single;
};

static void sample_constant(void *context, int64_t from, int64_t to)
{
    const struct constant *constant = context;
    const struct ewi_plan *plan = constant->plan;
    double x[EWI_TILE], y[EWI_TILE], value[EWI_TILE];
    for (int64_t first = from; first < to; first += EWI_TILE) {
        int count = to - first < EWI_TILE ? (int)(to - first) : EWI_TILE;
        for (int k = 0; k < count; k++) {
            const double *rs = &constant->rs[2 * (first + k)];
            int32_t e = constant->element[first + k];
            struct ewi_corners corner = ewi_corners_of(plan->mesh, plan->mesh->order[e < 0 ? 0 : e]);
            ewi_points_in(&corner, 1, &rs[0], &rs[1], &x[k], &y[k]);
        }
        ewi_program_evaluate_all(constant->program, (size_t)count, x, y, 0, NULL, value, EWI_TILE);
        for (int k = 0; k < count; k++)
            if (constant->element[first + k] < 0 || isnan(value[k]))
                value[k] = NAN; /* whose bits processors do not agree on */
        put(place(constant->values, first, constant->single), value, 1, count, constant->single);
    }
}

int ew_solver_sample_constant(const ew_solver *solver, int64_t count, const int32_t *element, const double *rs,
                              int output, int single, void *values, ew_error *error)
{
    EWI_REQUIRE(solver);
    TRY(ewi_solver_check_output(solver, output, error));
    if (ew_solver_output_varies(solver, output))
        return ewi_fail(error, EW_EINVAL, "the quantity %s varies: it cannot be sampled without the state",
                        ew_solver_output(solver, output, NULL));
    TRY(check_scattered(solver, count, element, rs, error));
    TRY(check_columns(solver->plan, 1, &values, NULL, error));
    const struct ewi_plan *plan = solver->plan;
    struct constant constant = {.plan = plan, .element = element, .rs = rs, .values = values, .single = single != 0,
                                .program = plan->quantity[output - ewi_law_outputs(plan->law->info)].program};
    ewi_parallel_shares(count, EWI_FEW, sample_constant, &constant);
    return EW_OK;
}

/* ---- points that may be expected --------------------------------------------------------------------------------- */

/* By the host: the rest of the outputs, whose columns are in `scattered`. */
static int sample_here(ew_solver *solver, int64_t count, struct ewi_sampling *sampling, struct scattered *scattered,
                       ew_error *error)
{
    int status = view_state(solver, sampling, error);
    if (status == EW_OK)
        ewi_parallel_shares(count, EWI_FEW, sample_scattered, scattered);
    return status;
}

/* Copies the values that the backend has sampled (expected.c); returns the remaining outputs, and their columns. */
static int take_samples(const struct ewi_expected *expected, const void *samples, int64_t at, int64_t count,
                        int outputs, const int *output, void *const *values, int *left, void **column)
{
    int rest = 0;
    size_t real = expected->single ? sizeof(float) : sizeof(double);
    for (int n = 0; n < outputs; n++) {
        int k = samples ? ewi_expected_output(expected, output[n]) : -1;
        if (k >= 0) {
            memcpy(values[n], (const char *)samples + (size_t)(k * expected->count + at) * real, (size_t)count * real);
            continue;
        }
        left[rest] = output[n];
        column[rest++] = values[n];
    }
    return rest;
}

int ew_solver_sample_points(ew_solver *solver, int64_t count, const int32_t *element, const double *rs, int outputs,
                            const int *output, int single, void *const *values, ew_error *error)
{
    EWI_REQUIRE(solver);
    struct ewi_sampling sampling = {.plan = solver->plan, .points = 1, .single = single != 0}, rest = sampling;
    void *column[MOST_OUTPUTS];
    struct scattered scattered = {&rest, solver->plan->mesh->order, element, rs, column};
    const void *samples;
    int64_t at = 0;
    int status, left[MOST_OUTPUTS];
    EWI_TRY(ewi_sampling_choose(solver, &sampling, outputs, output, error));
    EWI_TRY(check_scattered(solver, count, element, rs, error));
    EWI_TRY(check_columns(solver->plan, outputs, values, NULL, error));
    EWI_TRY(ewi_expected_samples(solver, count, element, rs, sampling.single, &samples, &at, error));
    int others = take_samples(&solver->expected, samples, at, count, outputs, output, values, left, column);
    EWI_TRY(ewi_sampling_choose(solver, &rest, others, left, error));
    if (others > 0)
        status = sample_here(solver, count, &rest, &scattered, error);
out:
    return status;
}
