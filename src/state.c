/* SPDX-License-Identifier: BSD-2-Clause */
/* A solver's state as others see it: coefficients in the order of the file, means, hash; and how it is set. */
#include "ewi_bed.h"
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_parallel.h"
#include "ewi_solver.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

int ewi_solver_view(ew_solver *solver, const double **state, ew_error *error)
{
    if (solver->backend->view_state)
        return solver->backend->view_state(solver->instance, state, error);
    if (!solver->copy)
        solver->copy = ewi_alloc(&solver->host, ewi_plan_state_doubles(solver->plan), sizeof *solver->copy);
    if (!solver->copy)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for a copy of the state");
    if (!solver->copied) {
        TRY(solver->backend->get_state(solver->instance, solver->copy, error));
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

static ew_state_view view_of(const struct ewi_plan *plan, const double *state)
{
    return (ew_state_view){
        .coefficients = state,
        .place = plan->mesh->order,
        .elements = plan->grid->elements,
        .tiles = plan->grid->padded / plan->width,
        .width = plan->width,
        .variables = plan->variables,
        .basis = plan->basis->np,
    };
}

int ew_solver_view_state(ew_solver *solver, ew_state_view *view, ew_error *error)
{
    EWI_REQUIRE(solver, view);
    if (!solver->backend->view_state)
        return ewi_fail(error, EW_EUNAVAILABLE,
                        "the state lies %s, where the host cannot see it; ew_solver_get_coefficients copies it",
                        solver->backend->view_device_state ? "in the memory of a GPU" : "in several parts");
    const double *state;
    int status = solver->backend->view_state(solver->instance, &state, error);
    if (status == EW_OK)
        *view = view_of(solver->plan, state);
    return status;
}

int ew_solver_view_device_state(ew_solver *solver, ew_state_view *view, int *device, ew_error *error)
{
    EWI_REQUIRE(solver, view, device);
    if (!solver->backend->view_device_state)
        return ewi_fail(error, EW_EUNAVAILABLE,
                        "the state lies in the memory of the host, not of a GPU; ew_solver_view_state shows it");
    const double *state;
    int status = solver->backend->view_device_state(solver->instance, &state, device, error);
    if (status == EW_OK)
        *view = view_of(solver->plan, state);
    return status;
}

int ew_solver_get_coefficients(ew_solver *solver, double *coefficients, ew_error *error)
{
    EWI_REQUIRE(solver, coefficients);
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
            return ewi_fail(error, EW_EINVAL, "coefficient %zu of element %zu is %g; coefficients must be finite",
                            k % rows, k / rows, coefficients[k]);
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
    ewi_fill_padding(plan, state);
}

int ew_solver_restore(ew_solver *solver, int order, const double *coefficients, const ew_moment *moment,
                      ew_error *error)
{
    EWI_REQUIRE(solver, coefficients, moment);
    EWI_REQUIRE_MOVING(solver);
    const struct ewi_plan *plan = solver->plan;
    const struct ewi_basis *basis = ewi_basis_get(order);
    if (!basis)
        return ewi_fail(error, EW_EINVAL, "the coefficients' order is %d; it must be from 1 to %d", order,
                        EW_MAX_ORDER);
    if (ewi_bed_has(plan->law) && order != plan->basis->order)
        return ewi_fail(error, EW_EINVAL,
                        "a state of order %d cannot be continued at order %d over a bed, which is part of the state",
                        order, plan->basis->order);
    TRY(check_coefficients(coefficients, (size_t)plan->grid->elements, (size_t)(plan->variables * basis->np), error));
    if (!isfinite(moment->time) || moment->steps < 0)
        return ewi_fail(error, EW_EINVAL, "time %g and step %lld cannot be set", moment->time,
                        (long long)moment->steps);
    if (!(moment->rate >= 0 && moment->rate <= moment->largest_rate && isfinite(moment->largest_rate)))
        return ewi_fail(error, EW_EINVAL, "a rate of change of %g, and %g as the largest one, cannot be set",
                        moment->rate, moment->largest_rate);
    if (moment->dt <= 0 || isinf(moment->dt) || moment->change < 0)
        return ewi_fail(error, EW_EINVAL,
                        "a last step of length %g that changed the state by %g cannot be set; NaN stands for none",
                        moment->dt, moment->change);
    double *state = ewi_alloc(&solver->host, ewi_plan_state_doubles(plan), sizeof *state);
    if (!state)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to set the state: it takes %zu MB",
                        ewi_plan_state_doubles(plan) * sizeof *state >> 20);
    from_file_order(plan, basis->np, coefficients, state);
    int status = ewi_solver_clear_outflow(solver, error);
    if (status == EW_OK)
        status = solver->backend->set_state(solver->instance, state, order != plan->basis->order, error);
    ewi_free(&solver->host, state);
    if (status != EW_OK)
        return status;
    solver->copied = solver->has_activity = false;
    solver->sampled = NULL;
    solver->time = moment->time;
    solver->steps = moment->steps;
    solver->dt = moment->dt;
    solver->change = moment->change;
    solver->rate = moment->rate;
    solver->largest_rate = moment->largest_rate;
    return ewi_solver_clear_averages(solver, error);
}

int ew_solver_set_coefficients(ew_solver *solver, const double *coefficients, double time, int64_t steps,
                               ew_error *error)
{
    EWI_REQUIRE(solver, coefficients);
    ew_moment moment = {.time = time, .dt = NAN, .change = NAN, .steps = steps};
    return ew_solver_restore(solver, solver->plan->basis->order, coefficients, &moment, error);
}

void ew_solver_moment(const ew_solver *solver, ew_moment *moment)
{
    if (moment)
        *moment = (ew_moment){.time = NAN, .dt = NAN, .change = NAN};
    if (moment && solver)
        *moment = (ew_moment){solver->time, solver->dt, solver->change, solver->steps, solver->rate,
                              solver->largest_rate};
}

static double first_coefficient(const struct ewi_plan *plan, const double *state, int32_t i, int m)
{
    return state[ewi_layout_index(plan->width, plan->rows, m * plan->basis->np, i)];
}

int ew_solver_get_means(ew_solver *solver, double *means, ew_error *error)
{
    EWI_REQUIRE(solver, means);
    const double *state;
    TRY(ewi_solver_view(solver, &state, error));
    const struct ewi_plan *plan = solver->plan;
    for (int32_t f = 0; f < plan->grid->elements; f++)
        for (int m = 0; m < plan->variables; m++)
            means[(size_t)f * (size_t)plan->variables + (size_t)m] =
                ewi_mean_of(plan->law, m, first_coefficient(plan, state, plan->mesh->order[f], m));
    return EW_OK;
}

/* ---- the hash ---- */

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0xff51afd7ed558ccdu;
    return h ^ h >> 32;
}

/*
 * So that what the last words differ in has reached every bit before elements are added (MurmurHash3's end, by Austin
 * Appleby).
 */
static uint64_t finish(uint64_t h)
{
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 33;
}

/* Hash of a tile: its elements form independent chains. */
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
    EWI_REQUIRE(solver, hash);
    const double *state;
    TRY(ewi_solver_view(solver, &state, error));
    struct hashing hashing = {.plan = solver->plan, .state = state};
    ewi_parallel_parts(0, (solver->plan->grid->elements + EWI_TILE - 1) / EWI_TILE, 512, hash_tiles, &hashing);
    *hash = hashing.sum;
    return EW_OK;
}
