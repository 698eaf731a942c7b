/* SPDX-License-Identifier: BSD-2-Clause */
/* The output of each kernel for a state, in an order and a shape that do not depend on the backend. */
#include "ewi_kernel_output.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_solver.h"

#include <math.h>
#include <string.h>

#define EWI_KERNEL_OUTPUT_NUMBER(name, text) KERNEL_##name,
enum { EWI_KERNEL_OUTPUTS(EWI_KERNEL_OUTPUT_NUMBER) KERNELS };

#define EWI_KERNEL_OUTPUT_ROW(name, text) {#name, text},
static const struct ewi_choice kernels[] = {EWI_KERNEL_OUTPUTS(EWI_KERNEL_OUTPUT_ROW)};

struct ewi_choice ewi_kernel_output_choice(int index)
{
    return index < KERNELS ? kernels[index] : EWI_NO_CHOICE;
}

static int unknown(const char *name, ew_error *error)
{
    char names[256];
    return ewi_fail(error, EW_EINVAL, "there is no kernel \"%s\" whose output could be had; there are %s", name,
                    ewi_choices_in_words(ewi_kernel_output_choice, names, sizeof names));
}

int ew_solver_kernel_shape(const ew_solver *solver, const char *name, ew_kernel_shape *shape, ew_error *error)
{
    EWI_REQUIRE(solver);
    EWI_REQUIRE_AS(name, "kernel");
    EWI_REQUIRE(shape);
    const struct ewi_plan *plan = solver->plan;
    int kernel = ewi_choice_find(ewi_kernel_output_choice, name);
    if (kernel < 0)
        return unknown(name, error);
    *shape = (ew_kernel_shape){
        .items = plan->grid->elements, .parts = 1, .variables = plan->variables, .basis = plan->basis->np};
    if (kernel == KERNEL_eval_surface) {
        shape->items = plan->mesh->edges;
        shape->parts = 2;
    } else if (kernel == KERNEL_time_step) {
        *shape = (ew_kernel_shape){.items = 1, .parts = 1, .variables = 1, .basis = 1};
    }
    shape->count = (size_t)shape->items * (size_t)(shape->parts * shape->variables * shape->basis);
    return EW_OK;
}

/* The contributions of slots, [2][whole tiles of slots][rows] as backends have them, to those of edges. */
static void edge_order(const struct ewi_plan *plan, const double *surface, double *output)
{
    const struct ewi_grid *grid = plan->grid;
    size_t rows = (size_t)plan->rows, right = ewi_plan_slot_doubles(plan);
    for (int32_t g = 0; g < grid->groups; g++) {
        int32_t boundary = grid->group[g].boundary;
        int32_t edge = boundary < 0 ? plan->mesh->boundary_edges : plan->mesh->boundary[boundary].first;
        for (int32_t k = 0; k < grid->group[g].count; k++) {
            const double *base = surface + ewi_layout_base(plan->width, plan->rows, grid->group[g].first + k);
            double *out = output + 2 * rows * (size_t)(edge + k);
            for (size_t row = 0; row < rows; row++) {
                out[row] = base[(int64_t)row * plan->width];
                out[rows + row] = boundary < 0 ? base[right + (size_t)((int64_t)row * plan->width)] : 0.0;
            }
        }
    }
}

static int right_hand_side(ew_solver *solver, int kernel, double *output, ew_error *error)
{
    EWI_REQUIRE_MOVING(solver);
    const struct ewi_plan *plan = solver->plan;
    bool surface = kernel == KERNEL_eval_surface;
    size_t doubles = surface ? 2 * ewi_plan_slot_doubles(plan) : ewi_plan_state_doubles(plan);
    double *tiled = ewi_alloc(&solver->host, doubles, sizeof *tiled);
    if (!tiled)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the output of %s: it takes %zu MB",
                        ewi_kernel_output_choice(kernel).name, doubles * sizeof *tiled >> 20);
    int status = solver->backend->residual(solver->instance, solver->time, kernel == KERNEL_eval_volume ? tiled : NULL,
                                           surface ? tiled : NULL, kernel == KERNEL_eval_rhs ? tiled : NULL, error);
    if (status == EW_OK && kernel == KERNEL_eval_rhs)
        ewi_local_steps_undo(plan, tiled);
    if (status == EW_OK && surface)
        edge_order(plan, tiled, output);
    else if (status == EW_OK)
        ewi_solver_file_order(plan, tiled, output);
    ewi_free(&solver->host, tiled);
    return status;
}

static int one_step(ew_solver *solver, ew_error *error)
{
    struct ewi_progress progress = {
        .time = solver->time, .dt = NAN, .change = NAN, .steps = solver->steps, .element = -1};
    int status = solver->backend->advance(solver->instance, INFINITY, 1, &progress, error);
    return status == EW_ESTATE ? ewi_solver_inadmissible(solver, &progress, error) : status;
}

/* Changes the state, takes it, and puts the old one back. */
static int changed_state(ew_solver *solver, int kernel, double *output, ew_error *error)
{
    EWI_REQUIRE_MOVING(solver);
    const struct ewi_plan *plan = solver->plan;
    if (kernel == KERNEL_limit_c && !plan->limiter)
        return ewi_fail(error, EW_EINVAL, "the solver has no limiter, so there is no output of limit_c");
    if (kernel == KERNEL_limit_c && ewi_limiter_has_sensor(plan->limiter))
        return ewi_fail(error, EW_EINVAL,
                        "the limiter %s acts at the end of a step only, so there is no output of limit_c",
                        plan->limiter->name);
    size_t doubles = ewi_plan_state_doubles(plan);
    double *before = ewi_alloc(&solver->host, doubles, sizeof *before);
    double *after = ewi_alloc(&solver->host, doubles, sizeof *after);
    int status = EW_OK;
    if (!before || !after)
        EWI_TRY(ewi_fail(error, EW_ENOMEM, "not enough memory for the output of %s: it takes %zu MB",
                         ewi_kernel_output_choice(kernel).name, 2 * doubles * sizeof *after >> 20));
    EWI_TRY(solver->backend->get_state(solver->instance, before, error));
    status = kernel == KERNEL_limit_c ? solver->backend->set_state(solver->instance, before, true, error)
                                      : one_step(solver, error);
    if (status == EW_OK)
        status = solver->backend->get_state(solver->instance, after, error);
    int restored = solver->backend->set_state(solver->instance, before, false, status == EW_OK ? error : NULL);
    EWI_TRY(status != EW_OK ? status : restored);
    ewi_solver_file_order(plan, after, output);
out:
    ewi_free(&solver->host, before);
    ewi_free(&solver->host, after);
    return status;
}

int ew_solver_get_kernel_output(ew_solver *solver, const char *name, double *output, ew_error *error)
{
    EWI_REQUIRE(solver);
    EWI_REQUIRE_AS(name, "kernel");
    EWI_REQUIRE(output);
    int kernel = ewi_choice_find(ewi_kernel_output_choice, name);
    if (kernel < 0)
        return unknown(name, error);
    if (kernel == KERNEL_time_step)
        return ewi_solver_next_step(solver, output, error);
    return kernel <= KERNEL_eval_rhs ? right_hand_side(solver, kernel, output, error)
                                     : changed_state(solver, kernel, output, error);
}

int ew_solver_get_residual(ew_solver *solver, double *residual, ew_error *error)
{
    EWI_REQUIRE(solver, residual);
    return right_hand_side(solver, KERNEL_eval_rhs, residual, error);
}
