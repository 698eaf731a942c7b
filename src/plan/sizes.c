/* SPDX-License-Identifier: BSD-2-Clause */
/* From a problem's words and numbers to its sizes: everything that follows from it without a mesh's arrays. */
#include "ewi_sizes.h"
#include "ewi_bed.h"
#include "ewi_error.h"
#include "ewi_formula.h"
#include "ewi_diagnostics.h"
#include "ewi_layout.h"
#include "ewi_limiting.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MOST_ORDERS 16 /* of magnitude; a double has no more digits */
#define PLACE(...) ((ew_place){.member = __VA_ARGS__})

#define EWI_KERNEL_SET_ROW(name, text) {#name, text},
static const struct ewi_choice kernel_sets[] = {EWI_KERNEL_SETS(EWI_KERNEL_SET_ROW)};

struct ewi_choice ewi_kernel_set_choice(int index)
{
    return index < (int)COUNT(kernel_sets) ? kernel_sets[index] : EWI_NO_CHOICE;
}

static void refuse_parameter(const ew_parameter *given, double above, struct ewi_diagnostics *diagnostics)
{
    bool from_zero = above < 0.0 && above > -1e-200; /* 0 is allowed, too */
    ewi_diagnose(diagnostics, PLACE("parameter", .variable = given->name), "%s is %g; it must be %s %g", given->name,
                 given->value, from_zero ? "at least" : "greater than", from_zero ? 0.0 : above);
}

static void set_parameter(struct ewi_sizes *sizes, const ew_parameter *given, struct ewi_diagnostics *diagnostics)
{
    const ew_law *info = sizes->law->info;
    ew_place place = {.member = "parameter", .variable = given->name};
    int k = 0;
    if (!given->name) {
        ewi_diagnose(diagnostics, place, "a parameter of the law \"%s\" has no name", info->name);
        return;
    }
    while (k < info->parameters && strcmp(info->parameter[k].name, given->name) != 0)
        k++;
    if (k == info->parameters)
        ewi_diagnose(diagnostics, place, "the law \"%s\" has no parameter \"%s\"", info->name, given->name);
    else if (!(given->value > info->parameter[k].above) || !isfinite(given->value))
        refuse_parameter(given, info->parameter[k].above, diagnostics);
    else
        sizes->parameter[k] = given->value;
}

/* Reports parameters that have no default and are not given. */
static void require_parameters(const struct ewi_sizes *sizes, const ew_problem *problem,
                               struct ewi_diagnostics *diagnostics)
{
    const ew_law *info = sizes->law->info;
    for (int k = 0; k < info->parameters; k++) {
        const char *name = info->parameter[k].name;
        bool given = !isnan(info->parameter[k].value);
        for (size_t i = 0; problem->parameter && i < problem->parameters && i < EW_MAX_PARAMETERS; i++)
            given = given || (problem->parameter[i].name && strcmp(problem->parameter[i].name, name) == 0);
        if (!given)
            ewi_diagnose(diagnostics, PLACE("parameter", .variable = name), "the law \"%s\" needs %s, the %s",
                         info->name, name, info->parameter[k].description);
    }
}

static void choose_law(struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    ew_error error;
    char names[256];
    sizes->law = ewi_law_find(problem->law);
    if (!sizes->law) {
        ewi_diagnose(diagnostics, PLACE("law"), "there is no law \"%s\"; there are %s", problem->law,
                     ewi_choices_in_words(ewi_law_choice, names, sizeof names));
        return;
    }
    if (ewi_data_is_given(&problem->field) && ewi_law_of_media(sizes->law))
        sizes->law = ewi_law_of_media(sizes->law);
    const ew_law *info = sizes->law->info;
    sizes->media = sizes->law->media;
    sizes->variables = info->variables;
    sizes->fields = info->fields;
    for (int k = 0; k < info->parameters; k++)
        sizes->parameter[k] = info->parameter[k].value;
    if (problem->parameters > EW_MAX_PARAMETERS || (problem->parameters > 0 && !problem->parameter))
        ewi_diagnose(diagnostics, PLACE("parameter"), "%zu parameters are said to be given%s; the law \"%s\" has %d",
                     problem->parameters, problem->parameter ? "" : ", but where is NULL", info->name,
                     info->parameters);
    else
        for (size_t i = 0; i < problem->parameters; i++)
            set_parameter(sizes, &problem->parameter[i], diagnostics);
    require_parameters(sizes, problem, diagnostics);
    if (ewi_flux_find(sizes->law, problem->flux, &sizes->flux, &error) != EW_OK)
        ewi_diagnose(diagnostics, PLACE("flux"), "%s", error.message);
}

static void choose_limiter(struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    char text[256];
    if (!ewi_limiter_find(problem->limiter, &sizes->limiter))
        ewi_diagnose(diagnostics, PLACE("limiter"), "there is no limiter \"%s\"; there are %s", problem->limiter,
                     ewi_choices_in_words(ewi_limiter_choice, text, sizeof text));
    else if (sizes->limiter && sizes->law && sizes->media)
        ewi_diagnose(diagnostics, PLACE("limiter"),
                     "the limiter \"%s\" compares the variables of neighbours, which differ where media do; leave it "
                     "out", sizes->limiter->name);
    else if (sizes->law && !ewi_bed_has(sizes->law) && sizes->law->jump_count == 0 &&
             !ewi_limiter_has_law(sizes->limiter, sizes->law))
        ewi_diagnose(diagnostics, PLACE("limiter"),
                     "the limiter \"%s\" is for nonlinear laws; the law \"%s\" is linear and has no shocks",
                     sizes->limiter->name, sizes->law->info->name);
    else if (sizes->limiter && !ewi_limiter_has_order(sizes->limiter, problem->order))
        ewi_diagnose(diagnostics, PLACE("limiter"), "the limiter \"%s\" is made for %s; the order is %d%s",
                     sizes->limiter->name, ewi_limiter_orders(sizes->limiter, text, sizeof text), problem->order,
                     ewi_limiter_has_subcells(sizes->limiter) ? ": take oscillation-free" : "");
    else if (sizes->law && ewi_bed_has(sizes->law)) /* bed.c */
        return;
    else if (sizes->law && !ewi_limiter_has_law(sizes->limiter, sizes->law))
        ewi_diagnose(diagnostics, PLACE("limiter"),
                     "the limiter \"%s\" does not know the law \"%s\"; take oscillation-free, or none",
                     sizes->limiter->name, sizes->law->info->name);
}

static void choose_positivity(struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    sizes->positivity = problem->positivity != 0;
    if (sizes->positivity && sizes->law && !sizes->law->has_positive && !ewi_bed_has(sizes->law))
        ewi_diagnose(diagnostics, PLACE("positivity"),
                     "positivity is set, but the law \"%s\" has nothing that must stay positive",
                     sizes->law->info->name);
    if (!sizes->law)
        return;
    double own = sizes->law->floor;
    /* The diffusivity of gas grows as its density falls, and steps follow that of means. */
    sizes->preserves_order = sizes->positivity && !sizes->limiter && problem->order > 1 && own > EWI_LOW_FLOOR &&
                             !sizes->law->has_diffusion;
    sizes->floor = sizes->preserves_order ? EWI_LOW_FLOOR : own;
}

static void choose_scheme(struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    sizes->basis = ewi_basis_get(problem->order);
    if (sizes->basis)
        sizes->rows = sizes->variables * sizes->basis->np;
    else
        ewi_diagnose(diagnostics, PLACE("order"), "the order is %d; it can be 1 to %d", problem->order, EW_MAX_ORDER);

    char names[256];
    sizes->scheme = ewi_scheme_find(problem->scheme);
    if (!sizes->scheme)
        ewi_diagnose(diagnostics, PLACE("scheme"), "there is no time scheme \"%s\"; there are %s", problem->scheme,
                     ewi_choices_in_words(ewi_scheme_choice, names, sizeof names));
    sizes->uniform_step = problem->uniform_step != 0;
    sizes->local_step = problem->local_step != 0;
    sizes->levels = problem->step_levels == 0 ? 1 : problem->step_levels;
    sizes->levels_asked = problem->step_levels;
    sizes->steady = problem->steady;
    sizes->steady_orders = problem->steady_orders;
    sizes->watches_change = problem->steady > 0.0 || problem->steady_orders > 0.0;
    if (!(problem->steady_orders >= 0.0 && problem->steady_orders <= MOST_ORDERS))
        ewi_diagnose(diagnostics, PLACE("steady_orders"),
                     "a steady state is %g orders of magnitude below the largest rate of change; it must be 0 to %d",
                     problem->steady_orders, MOST_ORDERS);
    if (!(problem->steady >= 0.0) || !isfinite(problem->steady))
        ewi_diagnose(diagnostics, PLACE("steady"), "the tolerance for a steady state is %g; it must be 0 or greater",
                     problem->steady);
}

double ewi_default_cfl(const struct ewi_sizes *sizes)
{
    bool positivity = sizes->positivity || ewi_limiter_has_sensor(sizes->limiter) ||
                      ewi_limiter_has_subcells(sizes->limiter);
    return ewi_scheme_cfl(sizes->scheme, sizes->basis->order, sizes->limiter, positivity);
}

/* Limiter and positivity must be known. */
static void choose_cfl(struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    sizes->cfl = problem->cfl;
    if (sizes->cfl == 0.0) /* an unknown scheme or order is error enough */
        sizes->cfl = sizes->scheme && sizes->basis ? ewi_default_cfl(sizes) : 1.0;
    if (!(sizes->cfl > 0.0) || !isfinite(sizes->cfl))
        ewi_diagnose(diagnostics, PLACE("cfl"), "the Courant number is %g; it must be greater than 0", sizes->cfl);
}

static void choose_layout(struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    if (problem->threads < 0 || problem->threads > EW_MAX_THREADS)
        ewi_diagnose(diagnostics, PLACE("threads"), "the number of threads is %d; it must be from 0 to %d",
                     problem->threads, EW_MAX_THREADS);
    if (problem->parts < 0 || problem->parts > EW_MAX_PARTS)
        ewi_diagnose(diagnostics, PLACE("parts"), "the number of parts is %d; it must be from 0 to %d", problem->parts,
                     EW_MAX_PARTS);
    if (problem->devices < 0 || problem->devices > EW_MAX_PARTS || (problem->devices > 0 && !problem->device_of_part))
        ewi_diagnose(diagnostics, PLACE("devices"), "%d GPUs are given for the parts; there can be 0 to %d, and "
                     "device_of_part has their numbers", problem->devices, EW_MAX_PARTS);
    if (problem->tile != 0 && problem->tile != EWI_TILE && problem->tile != -1)
        ewi_diagnose(diagnostics, PLACE("tile"), "the tile width is %d; it must be 0, %d or -1", problem->tile,
                     EWI_TILE);
    sizes->width = problem->tile == -1 ? sizes->padded : EWI_TILE;
}

static void choose_kernels(struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    char names[128];
    sizes->set = EWI_SET_BEST;
    if (!problem->kernels)
        return;
    sizes->set = (enum ewi_kernel_set)ewi_choice_find(ewi_kernel_set_choice, problem->kernels);
    if (sizes->set < 0)
        ewi_diagnose(diagnostics, PLACE("kernels"), "there is no kernel set \"%s\"; there are %s", problem->kernels,
                     ewi_choices_in_words(ewi_kernel_set_choice, names, sizeof names));
    else if (sizes->set == EWI_SET_fused && problem->tile == -1)
        ewi_diagnose(diagnostics, PLACE("tile"), "the tile width is -1, but the kernels \"fused\" need tiles of %d",
                     EWI_TILE);
}

static void check_level_scheme(const struct ewi_scheme *scheme, struct ewi_diagnostics *diagnostics)
{
    if (scheme->stages > EWI_MOST_LEVEL_STAGES)
        ewi_diagnose(diagnostics, PLACE("scheme"),
                     "levels of time steps need a scheme of at most %d stages, and %s has %d; take rk43 or ssprk33",
                     EWI_MOST_LEVEL_STAGES, scheme->name, scheme->stages);
    else if (!ewi_scheme_fits_levels(scheme))
        ewi_diagnose(diagnostics, PLACE("scheme"),
                     "the scheme \"%s\" has no levels of time steps so far: its stages have other weights than "
                     "those of the schemes that have; take rk43 or ssprk33",
                     scheme->name);
}

/* Refuses cases that have no levels of time steps so far. Call it after all choices. */
static void check_levels(struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    ew_place place = PLACE("step_levels");
    if (problem->step_levels < EW_STEP_LEVELS_AUTO || problem->step_levels > EW_MAX_STEP_LEVELS) {
        ewi_diagnose(diagnostics, place,
                     "the number of levels of time steps is %d; there can be 1 to %d, or %d: as many as pay",
                     problem->step_levels, EW_MAX_STEP_LEVELS, EW_STEP_LEVELS_AUTO);
        sizes->levels = 1; /* what remains is checked without */
    }
    if (sizes->levels == 1)
        return;
    if (problem->uniform_step)
        ewi_diagnose(diagnostics, place, "the steps are uniform, and have levels; leave one of these out");
    if (sizes->scheme && !ewi_bed_has(sizes->law)) /* all schemes of a bed have levels */
        check_level_scheme(sizes->scheme, diagnostics);
    if (problem->tile == -1)
        ewi_diagnose(diagnostics, PLACE("tile"), "levels of time steps need tiles of %d; leave the tile width out",
                     EWI_TILE);
}

static void check_field(const struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    const ew_law *law = sizes->law->info;
    if (sizes->fields == 0 && ewi_data_is_given(&problem->field))
        ewi_diagnose(diagnostics, PLACE("field"),
                     "the law \"%s\" has no given fields, but `field` is given; leave it out", law->name);
    if (sizes->fields == 0)
        return;
    if (!ewi_data_is_given(&problem->field))
        ewi_diagnose(diagnostics, PLACE("field"),
                     "the law \"%s\" needs %s and the other components as formulas of x and y", law->name,
                     law->field[0]);
    else if (ewi_data_variables(&problem->field) & EW_T)
        ewi_diagnose(diagnostics, PLACE("field"),
                     "%s depends on t; the fields of the law \"%s\" may depend on x and y only", law->field[0],
                     law->name);
    else
        ewi_check_outputs(&problem->field, sizes->fields, PLACE("field"), "the law's field", diagnostics);
}

static void check_states(const struct ewi_sizes *sizes, const ew_problem *problem,
                         struct ewi_diagnostics *diagnostics)
{
    if (!isfinite(problem->time))
        ewi_diagnose(diagnostics, PLACE("time"), "the time at the start is %g; it must be finite", problem->time);
    if (!ewi_data_is_given(&problem->initial))
        ewi_diagnose(diagnostics, PLACE("initial"), "there is no initial state");
    ewi_check_outputs(&problem->initial, sizes->variables, PLACE("initial"), "the initial state", diagnostics);
    ewi_check_outputs(&problem->exact, sizes->variables, PLACE("exact"), "the exact solution", diagnostics);
}

static void check_source(struct ewi_sizes *sizes, const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    if (!ewi_data_is_given(&problem->source))
        return;
    if (problem->source.callback) {
        ewi_diagnose(diagnostics, PLACE("source"), "the source is a callback; it must be a formula");
        return;
    }
    if (ew_formula_outputs(problem->source.formula) != sizes->variables) {
        ewi_diagnose(diagnostics, PLACE("source"), "the source has %d formulas; it must have %d",
                     ew_formula_outputs(problem->source.formula), sizes->variables);
        return;
    }
    const struct ewi_program *program = ewi_formula_program(problem->source.formula);
    if (program->states > sizes->variables) {
        ewi_diagnose(diagnostics, PLACE("source"), "the source uses variable %d of the local state; the law has %d",
                     program->states, sizes->variables);
        return;
    }
    sizes->has_source = true;
    sizes->source_instructions = (size_t)program->length;
    sizes->source_constants = (size_t)program->constants;
    sizes->source_rasters = (size_t)program->rasters;
    sizes->raster_bytes += ewi_program_raster_bytes(program);
}

static void count(struct ewi_sizes *sizes, const ew_mesh_info *mesh)
{
    sizes->elements = (int32_t)mesh->elements;
    sizes->padded = (int32_t)ewi_layout_padded(mesh->elements);
    sizes->edges = (int32_t)mesh->edges;
    sizes->slots = (int32_t)mesh->edges + EWI_TILE * (mesh->boundaries + 1);
    sizes->boundary_slots = (int32_t)ewi_layout_padded(mesh->boundary_edges) + EWI_TILE * mesh->boundaries;
}

/* Without a law there is nothing to compare the rest with. */
void ewi_sizes_of_problem(const ew_problem *problem, const ew_mesh_info *mesh, struct ewi_sizes *sizes,
                          struct ewi_diagnostics *diagnostics)
{
    *sizes = (struct ewi_sizes){.law = NULL};
    if (mesh)
        count(sizes, mesh);
    choose_law(sizes, problem, diagnostics);
    choose_scheme(sizes, problem, diagnostics);
    choose_limiter(sizes, problem, diagnostics);
    choose_positivity(sizes, problem, diagnostics);
    choose_kernels(sizes, problem, diagnostics);
    ewi_bed_choose(sizes, problem, diagnostics);
    choose_cfl(sizes, problem, diagnostics);
    choose_layout(sizes, problem, diagnostics);
    if (!sizes->law)
        return;
    check_field(sizes, problem, diagnostics);
    check_states(sizes, problem, diagnostics);
    check_source(sizes, problem, diagnostics);
    ewi_quantities_check(problem, diagnostics);
    ewi_averages_check(problem, diagnostics);
    sizes->average_slots = ewi_problem_average_slots(problem);
    bool has_array = problem->boundary && problem->boundaries <= INT32_MAX;
    for (size_t k = 0; has_array && k < problem->boundaries; k++) {
        sizes->has_curves = sizes->has_curves || problem->boundary[k].curve;
        sizes->is_conservative = sizes->is_conservative || problem->boundary[k].conservative;
        sizes->has_sponge = sizes->has_sponge || problem->boundary[k].sponge_width > 0.0;
    }
    sizes->outflow = problem->outflow != 0;
    sizes->sponge_tiles = sizes->has_sponge ? sizes->padded / EWI_TILE : 0;
    check_levels(sizes, problem, diagnostics);
}

size_t ewi_state_doubles(const struct ewi_sizes *sizes)
{
    return (size_t)sizes->padded * (size_t)sizes->rows;
}

size_t ewi_slot_doubles(const struct ewi_sizes *sizes)
{
    int64_t whole_tiles = (sizes->slots + sizes->width - 1) / sizes->width * sizes->width;
    return (size_t)whole_tiles * (size_t)sizes->rows;
}

size_t ewi_sponge_doubles(const struct ewi_sizes *sizes)
{
    return (size_t)sizes->sponge_tiles * EWI_TILE * (size_t)sizes->rows;
}

size_t ewi_source_doubles(const struct ewi_sizes *sizes)
{
    return sizes->has_source ? ewi_state_doubles(sizes) : ewi_sponge_doubles(sizes);
}

size_t ewi_outflow_doubles(const struct ewi_sizes *sizes)
{
    return sizes->outflow ? (size_t)sizes->boundary_slots * (size_t)sizes->variables : 0;
}
