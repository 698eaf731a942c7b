/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A solver that stands still: the state as it was, on the plan of the solver that it was taken from. It has a backend
 * of its own, which knows nothing but that state.
 */
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_solver.h"

#include <string.h>

struct snapshot {
    ew_host host;
    size_t bytes, outflow_bytes;
    double *state;                     /* own memory, or that of `copy` */
    double *outflow;                   /* of boundary edges */
    void *copy;                        /* the backend's, of a state that lies elsewhere; or NULL */
    struct ewi_backend table;          /* its own, with the original's name */
    const struct ewi_backend *backend; /* the original's */
    const void *instance;
};

static void destroy(void *instance)
{
    struct snapshot *snapshot = instance;
    ew_host host = snapshot->host;
    if (snapshot->copy)
        snapshot->backend->copy_destroy(snapshot->copy);
    else
        ewi_free(&host, snapshot->state);
    ewi_free(&host, snapshot->outflow);
    ewi_free(&host, snapshot);
}

static void describe(const void *instance, const char **kernels, char *device, size_t size)
{
    const struct snapshot *snapshot = instance;
    snapshot->backend->describe(snapshot->instance, kernels, device, size);
}

static int wait_for(const struct snapshot *snapshot, ew_error *error)
{
    return snapshot->copy ? snapshot->backend->copy_wait(snapshot->copy, error) : EW_OK;
}

static int get_state(void *instance, double *state, ew_error *error)
{
    const struct snapshot *snapshot = instance;
    int status = wait_for(snapshot, error);
    if (status == EW_OK)
        memcpy(state, snapshot->state, snapshot->bytes);
    return status;
}

static int get_outflow(void *instance, double *outflow, ew_error *error)
{
    const struct snapshot *snapshot = instance;
    (void)error;
    memcpy(outflow, snapshot->outflow, snapshot->outflow_bytes);
    return EW_OK;
}

static int view_state(const void *instance, const double **state, ew_error *error)
{
    const struct snapshot *snapshot = instance;
    *state = snapshot->state;
    return wait_for(snapshot, error);
}

static int sample(void *instance, const void **values, ew_error *error)
{
    const struct snapshot *snapshot = instance;
    int status = wait_for(snapshot, error);
    *values = status == EW_OK && snapshot->copy ? snapshot->backend->copy_values(snapshot->copy) : NULL;
    return status;
}

static const struct ewi_backend still = {
    .destroy = destroy,
    .describe = describe,
    .get_state = get_state,
    .get_outflow = get_outflow,
    .view_state = view_state,
    .sample = sample,
};

static int take_memory(ew_solver *solver, struct snapshot *snapshot, ew_error *error)
{
    snapshot->outflow = ewi_alloc(&snapshot->host, snapshot->outflow_bytes, 1);
    if (!snapshot->outflow)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for a copy of the outflow");
    if (solver->backend->copy_create)
        return solver->backend->copy_create(solver->instance, &snapshot->copy, &snapshot->state, error);
    snapshot->state = ewi_alloc(&snapshot->host, snapshot->bytes, 1);
    return snapshot->state
               ? EW_OK
               : ewi_fail(error, EW_ENOMEM, "not enough memory for a copy of the state, which takes %zu MB",
                          snapshot->bytes >> 20);
}

/* Without memory there is no snapshot at all. */
static int create(ew_solver *solver, ew_solver **result, ew_error *error)
{
    const ew_host *host = &solver->host;
    struct snapshot *snapshot = ewi_alloc(host, 1, sizeof *snapshot);
    ew_solver *made = ewi_alloc(host, 1, sizeof *made);
    int status = EW_ENOMEM;
    if (snapshot && made) {
        *snapshot = (struct snapshot){.host = *host, .bytes = ewi_plan_state_doubles(solver->plan) * sizeof(double),
                                      .outflow_bytes = ewi_outflow_bytes(solver->plan),
                                      .backend = solver->backend, .instance = solver->instance};
        status = take_memory(solver, snapshot, error);
    } else {
        ewi_fail(error, EW_ENOMEM, "not enough memory for a copy of the state");
    }
    if (status != EW_OK) {
        ewi_free(host, snapshot ? snapshot->outflow : NULL);
        ewi_free(host, snapshot);
        ewi_free(host, made);
        return status;
    }
    *made = *solver;
    snapshot->table = still;
    snapshot->table.name = solver->backend->name;
    snapshot->table.description = solver->backend->description;
    made->backend = &snapshot->table;
    made->instance = snapshot;
    made->is_snapshot = true;
    made->ensemble = NULL;
    made->meets = false;
    made->copy = made->activity = NULL;
    made->copied = false;
    status = ewi_averages_create(solver, &made->averages, error);
    if (status == EW_OK)
        *result = made;
    else
        ew_solver_destroy(made);
    return status;
}

static int copy_activity(ew_solver *solver, ew_solver *snapshot, ew_error *error)
{
    const double *activity;
    size_t elements = (size_t)solver->plan->grid->elements;
    TRY(ewi_solver_activity(solver, &activity, error));
    if (!snapshot->activity)
        snapshot->activity = ewi_alloc(&solver->host, elements, sizeof *activity);
    if (!snapshot->activity)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for a copy of the limiter activity");
    memcpy(snapshot->activity, activity, elements * sizeof *activity);
    snapshot->has_activity = true;
    return EW_OK;
}

static int copy_state(ew_solver *solver, struct snapshot *snapshot, ew_error *error)
{
    if (snapshot->outflow_bytes > 0)
        TRY(solver->backend->get_outflow(solver->instance, snapshot->outflow, error));
    return snapshot->copy ? snapshot->backend->copy_start(snapshot->copy, error)
                          : solver->backend->get_state(solver->instance, snapshot->state, error);
}

int ew_solver_snapshot(ew_solver *solver, int outputs, const int *output, ew_solver **result, ew_error *error)
{
    EWI_REQUIRE(solver);
    EWI_REQUIRE_AS(result, "snapshot");
    if (solver->is_snapshot || (*result && (!(*result)->is_snapshot || (*result)->plan != solver->plan)))
        return ewi_fail(error, EW_EINVAL, "a snapshot is taken of a solver, and only again of the same one");
    if (outputs < 0 || outputs > EW_MAX_OUTPUTS || (outputs > 0 && !output))
        return ewi_fail(error, EW_EINVAL, "%d quantities are to be asked for%s", outputs,
                        outputs > 0 && !output ? ", but which is NULL" : "");
    for (int k = 0; k < outputs; k++)
        TRY(ewi_solver_check_output(solver, output[k], error));
    ew_solver *snapshot = *result;
    int status = snapshot ? EW_OK : create(solver, &snapshot, error);
    if (status != EW_OK)
        return status;
    snapshot->has_activity = false;
    status = ewi_averages_copy(solver, snapshot->averages, error);
    for (int k = 0; k < outputs && status == EW_OK; k++) {
        struct ewi_output of;
        ewi_plan_output(solver->plan, output[k], &of);
        if (of.from == EWI_FROM_LIMITER && !snapshot->has_activity)
            status = copy_activity(solver, snapshot, error);
    }
    if (status == EW_OK)
        status = copy_state(solver, snapshot->instance, error);
    snapshot->time = solver->time;
    snapshot->dt = solver->dt;
    snapshot->change = solver->change;
    snapshot->rate = solver->rate;
    snapshot->largest_rate = solver->largest_rate;
    snapshot->steps = solver->steps;
    snapshot->expected = solver->expected;
    snapshot->sampled = NULL;
    if (status != EW_OK && !*result)
        ew_solver_destroy(snapshot);
    else
        *result = snapshot;
    return status;
}
