/* SPDX-License-Identifier: BSD-2-Clause */
/* A problem on its mesh, checked and made ready once for whatever backend. */
#include "ewi_bed.h"
#include "ewi_error.h"
#include "ewi_diagnostics.h"
#include "ewi_ghosts.h"
#include "ewi_host.h"
#include "ewi_plan_parts.h"

#include <math.h>

static size_t boundary_doubles(const struct ewi_sizes *sizes)
{
    int curves = sizes->has_curves ? sizes->basis->np * (sizes->law->has_diffusion ? 3 : 1) : 0;
    int point = 4 + sizes->variables + curves;
    int edge = sizes->is_conservative ? 2 * sizes->basis->np : 0;
    return (size_t)sizes->boundary_slots * (size_t)(sizes->basis->ne * point + edge);
}

static size_t field_doubles(const struct ewi_sizes *sizes)
{
    size_t rows = (size_t)(ewi_volume_rows(sizes) + ewi_edge_rows(sizes));
    return (size_t)sizes->padded * (rows + (sizes->fields > 0) + !sizes->uniform_step + sizes->local_step +
                                     sizes->law->has_diffusion);
}

bool ewi_plan_replaces_traces(const struct ewi_plan *plan)
{
    for (int32_t b = 0; b < plan->mesh->boundaries; b++)
        if (ewi_ghost_replaces(plan->boundary[b].ghost))
            return true;
    return false;
}

static size_t sponge_doubles(const struct ewi_sizes *sizes)
{
    return (size_t)sizes->sponge_tiles * EWI_TILE * (size_t)(sizes->basis->nq + sizes->rows);
}

size_t ewi_plan_bytes(const struct ewi_sizes *sizes)
{
    size_t origins = sizes->has_source ? 2 * (size_t)sizes->padded : 0;
    return ewi_grid_bytes(sizes->padded, sizes->slots) +
           (boundary_doubles(sizes) + field_doubles(sizes) + sponge_doubles(sizes) + origins) * sizeof(double);
}

size_t ew_plan_bytes(const ew_plan *plan)
{
    if (!plan)
        return 0;
    return ewi_plan_bytes(&plan->sizes) + (plan->initial ? ewi_plan_state_doubles(plan) * sizeof(double) : 0);
}

static int allocate(struct ewi_plan *plan, ew_error *error)
{
    size_t slots = (size_t)plan->grid->boundary_slots, padded = (size_t)plan->grid->padded, real = sizeof(double);
    size_t ne = (size_t)plan->basis->ne;
    plan->point = ewi_alloc(&plan->host, slots * ne * 2, real);
    plan->normal = ewi_alloc(&plan->host, slots * ne * 2, real);
    plan->given = ewi_alloc(&plan->host, slots * ne * (size_t)plan->variables, real);
    plan->wall = plan->has_curves ? ewi_alloc(&plan->host, slots * ne * (size_t)plan->basis->np, real) : NULL;
    bool gradients = plan->has_curves && plan->law->has_diffusion;
    plan->wall_gradient = gradients ? ewi_alloc(&plan->host, slots * ne * 2 * (size_t)plan->basis->np, real) : NULL;
    plan->excess = plan->is_conservative ? ewi_alloc(&plan->host, slots * 2 * (size_t)plan->basis->np, real) : NULL;
    plan->volume_field = ewi_alloc(&plan->host, padded * (size_t)ewi_volume_rows(&plan->sizes), real);
    plan->edge_field = ewi_alloc(&plan->host, padded * (size_t)ewi_edge_rows(&plan->sizes), real);
    plan->speed_bound = ewi_alloc(&plan->host, plan->fields ? padded : 0, real);
    if (!plan->point || !plan->normal || !plan->given || (plan->has_curves && !plan->wall) ||
        (gradients && !plan->wall_gradient) ||
        (plan->is_conservative && !plan->excess) || !plan->volume_field || !plan->edge_field || !plan->speed_bound)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the boundary data and fields: they take %zu MB",
                        (boundary_doubles(&plan->sizes) + field_doubles(&plan->sizes)) * real >> 20);
    if (!plan->uniform_step && !(plan->width_ratio = ewi_alloc(&plan->host, padded, real)))
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the widths of the elements: they take %zu MB",
                        padded * real >> 20);
    if (plan->law->has_diffusion && !(plan->diffusion_rate = ewi_alloc(&plan->host, padded, real)))
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the elements' rates of diffusion: they take %zu MB",
                        padded * real >> 20);
    plan->initial = ewi_alloc(&plan->host, ewi_plan_state_doubles(plan), real);
    return plan->initial ? EW_OK
                         : ewi_fail(error, EW_ENOMEM, "not enough memory for the initial state: it takes %zu MB",
                                    ewi_plan_state_doubles(plan) * real >> 20);
}

/* Reports every error in one pass. */
static int fill(struct ewi_plan *plan, const ew_problem *problem, struct ewi_diagnostics *diagnostics, ew_error *error)
{
    struct ewi_bad_points initial = {.bad = 0};
    ewi_step_limits_fill(plan);
    if (plan->local_step && plan->width_ratio && !ewi_local_steps_fill(plan))
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the local steps of the elements");
    plan->contrast = 1.0;
    if (plan->media)
        ewi_media_fill(plan, &problem->field, diagnostics);
    else if (plan->fields && ewi_data_has_outputs(&problem->field, plan->fields) &&
             !(ewi_data_variables(&problem->field) & EW_T))
        ewi_given_fields_fill(plan, &problem->field, diagnostics);
    if (ewi_data_has_outputs(&problem->initial, plan->variables) && isfinite(problem->time))
        ewi_project_initial(plan, problem, plan->initial, &initial);
    if (ewi_bed_has(plan->law) && initial.points > 0 && initial.bad == 0)
        ewi_bed_find_dry(plan, diagnostics);
    TRY(ewi_step_levels_choose(plan, problem->output_interval, error));
    TRY(ewi_boundaries_fill(plan, problem, &initial, diagnostics, error));
    ewi_depth_choose_cfl(plan, problem);
    plan->start = problem->time;
    ewi_plan_find_most(plan);
    if (plan->has_sponge && isfinite(problem->time))
        TRY(ewi_sponge_fill(plan, problem->time, diagnostics, error));
    if (plan->has_source && initial.points > 0 && initial.bad == 0)
        TRY(ewi_source_fill(plan, problem, diagnostics, error));
    ewi_report_states(&plan->sizes, &initial, (ew_place){.member = "initial"}, "the initial state", diagnostics);
    return EW_OK;
}

static int make(struct ewi_plan *plan, const ew_problem *problem, struct ewi_diagnostics *diagnostics, ew_error *error)
{
    ewi_sizes_of_problem(problem, &plan->mesh->info, &plan->sizes, diagnostics);
    if (!plan->law)
        return EW_OK;
    plan->boundary = ewi_alloc(&plan->host, (size_t)plan->mesh->boundaries, sizeof *plan->boundary);
    if (!plan->boundary)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the boundaries");
    ewi_boundaries_choose(plan, problem, diagnostics);
    ewi_local_steps_check(plan, problem, diagnostics);
    if (!plan->basis)
        return EW_OK;
    TRY(ewi_grid_create(&plan->host, plan->mesh, &plan->grid, error));
    plan->slots = plan->grid->slots;
    plan->boundary_slots = plan->grid->boundary_slots;
    TRY(ewi_step_levels_find(plan, error));
    TRY(allocate(plan, error));
    TRY(fill(plan, problem, diagnostics, error));
    if (diagnostics->count > 0)
        return EW_OK;
    TRY(ewi_quantities_keep(plan, problem, error));
    TRY(ewi_averages_keep(plan, problem, error));
    ewi_gaps_warn(plan, problem);
    return EW_OK;
}

/* The least share of one level's stable Courant number that levels of time steps leave. */
#define LEVELS_SHARE 0.87

static void warn_of_cfl(const struct ewi_plan *plan)
{
    bool levels = plan->levels > 1, curves = plan->stable_cfl < plan->scheme->stable[plan->basis->order - 1];
    double stable = plan->stable_cfl * (levels ? LEVELS_SHARE : 1.0);
    if (plan->cfl > stable)
        ewi_log(&plan->host, EW_LOG_WARNING,
                "the Courant number is %g; the time scheme %s is stable to about %g at order %d%s%s%s: take a smaller "
                "cfl",
                plan->cfl, plan->scheme->name, stable, plan->basis->order, levels ? " with levels of time steps" : "",
                levels && curves ? " and" : "", curves ? " with these curves" : "");
}

void ewi_plan_warn(const struct ewi_plan *plan)
{
    warn_of_cfl(plan);
    ewi_depth_warn(plan);
    ewi_boundaries_warn(plan);
    ewi_wall_motion_warn(plan);
    ewi_source_warn(plan);
}

static int check_without_mesh(const ew_problem *problem, ew_error *error)
{
    struct ewi_diagnostics diagnostics = {.receiver = problem};
    struct ewi_sizes sizes;
    ewi_sizes_of_problem(problem, NULL, &sizes, &diagnostics);
    return ewi_diagnostics_close(&diagnostics, error);
}

int ew_problem_check(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, ew_plan **result,
                     ew_error *error)
{
    EWI_REQUIRE(problem);
    if (!mesh)
        return check_without_mesh(problem, error);
    struct ewi_diagnostics diagnostics = {.receiver = problem};
    ew_host own = ewi_host_or_default(host);
    struct ewi_plan *plan = ewi_alloc(&own, 1, sizeof *plan);
    if (!plan)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the plan");
    plan->host = own;
    plan->mesh = mesh;
    int status = make(plan, problem, &diagnostics, error);
    if (status == EW_OK)
        status = ewi_diagnostics_close(&diagnostics, error);
    if (status == EW_OK && result)
        *result = plan;
    else
        ew_plan_destroy(plan);
    return status;
}

void ewi_plan_shed(struct ewi_plan *plan)
{
    double **const arrays[] = {&plan->volume_field, &plan->speed_bound, &plan->width_ratio, &plan->diffusion_rate,
                               &plan->source.origin};
    ewi_grid_shed(plan->grid);
    for (size_t k = plan->media ? 1 : 0; k < sizeof arrays / sizeof *arrays; k++) {
        ewi_free(&plan->host, *arrays[k]);
        *arrays[k] = NULL;
    }
}

void ew_plan_destroy(ew_plan *plan)
{
    if (!plan)
        return;
    ew_host host = plan->host;
    ewi_grid_destroy(plan->grid);
    ewi_sponge_free(&host, &plan->sponge);
    if (plan->part)
        plan->destroy_part(&host, plan->part);
    void *const arrays[] = {plan->boundary, plan->point, plan->normal, plan->given, plan->wall, plan->wall_gradient,
                            plan->excess, plan->volume_field, plan->edge_field, plan->speed_bound, plan->width_ratio,
                            plan->diffusion_rate, plan->source.origin, plan->quantity, plan->averages.average,
                            plan->step_ratio, plan->level, plan->neighbour_levels, plan->element_class,
                            plan->initial, plan};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ewi_free(&host, arrays[k]);
}
