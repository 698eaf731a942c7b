/* SPDX-License-Identifier: BSD-2-Clause */
/* From a problem's words and numbers to its outline: everything that can be said of it without a mesh's arrays. */
#include "ewi_outline.h"
#include "ewi_error.h"
#include "ewi_findings.h"
#include "ewi_layout.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PLACE(...) ((ew_place){.member = __VA_ARGS__})

static void set_parameter(struct ewi_outline *outline, const ew_parameter *given, struct ewi_findings *findings)
{
    const ew_law *info = outline->law->info;
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
        ewi_finding(findings, place, "%s is %g; it must be greater than %g", given->name, given->value,
                    info->parameter[k].above);
    else
        outline->parameter[k] = given->value;
}

static void choose_law(struct ewi_outline *outline, const ew_problem *problem, struct ewi_findings *findings)
{
    ew_error error;
    char names[256];
    outline->law = ewi_law_find(problem->law);
    if (!outline->law) {
        ewi_finding(findings, PLACE("law"), "there is no law \"%s\"; there are %s", problem->law,
                    ewi_list_in_words(EW_LAWS, names, sizeof names));
        return;
    }
    const ew_law *info = outline->law->info;
    outline->variables = info->variables;
    outline->fields = info->fields;
    for (int k = 0; k < info->parameters; k++)
        outline->parameter[k] = info->parameter[k].value;
    if (problem->parameters > COUNT(info->parameter) || (problem->parameters > 0 && !problem->parameter))
        ewi_finding(findings, PLACE("parameter"), "%zu parameters are said to be given%s; the law \"%s\" has %d",
                    problem->parameters, problem->parameter ? "" : ", but where is NULL", info->name, info->parameters);
    else
        for (size_t i = 0; i < problem->parameters; i++)
            set_parameter(outline, &problem->parameter[i], findings);
    if (ewi_flux_find(outline->law, problem->flux, &outline->flux, &error) != EW_OK)
        ewi_finding(findings, PLACE("flux"), "%s", error.message);
}

static void choose_limiter(struct ewi_outline *outline, const ew_problem *problem, struct ewi_findings *findings)
{
    char text[256];
    if (!ewi_limiter_find(problem->limiter, &outline->limiter))
        ewi_finding(findings, PLACE("limiter"), "there is no limiter \"%s\"; there are %s", problem->limiter,
                    ewi_list_in_words(EW_LIMITERS, text, sizeof text));
    else if (outline->limiter && !ewi_limiter_has_order(outline->limiter, problem->order))
        ewi_finding(findings, PLACE("limiter"), "the limiter \"%s\" is made for %s; the order is %d",
                    outline->limiter->name, ewi_limiter_orders(outline->limiter, text, sizeof text), problem->order);
    else if (outline->limiter && outline->limiter->kind == EWI_LIMITER_JUMP_SENSOR && outline->law &&
             outline->law->jump_count == 0)
        ewi_finding(findings, PLACE("limiter"),
                    "the limiter \"%s\" is for nonlinear laws; the law \"%s\" is linear and has no shocks",
                    outline->limiter->name, outline->law->info->name);
}

static void choose_positivity(struct ewi_outline *outline, const ew_problem *problem, struct ewi_findings *findings)
{
    outline->positivity = problem->positivity != 0;
    if (outline->positivity && outline->law && !outline->law->has_positive)
        ewi_finding(findings, PLACE("positivity"),
                    "positivity is set, but the law \"%s\" has nothing that must stay positive",
                    outline->law->info->name);
}

static void choose_scheme(struct ewi_outline *outline, const ew_problem *problem, struct ewi_findings *findings)
{
    outline->basis = ewi_basis_get(problem->order);
    if (outline->basis)
        outline->rows = outline->variables * outline->basis->np;
    else
        ewi_finding(findings, PLACE("order"), "the order is %d; it can be 1 to %d", problem->order, EW_MAX_ORDER);

    char names[256];
    outline->scheme = ewi_scheme_find(problem->scheme);
    if (!outline->scheme)
        ewi_finding(findings, PLACE("scheme"), "there is no time scheme \"%s\"; there are %s", problem->scheme,
                    ewi_list_in_words(EW_SCHEMES, names, sizeof names));
    outline->uniform_step = problem->uniform_step != 0;
    outline->steady = problem->steady;
    if (!(problem->steady >= 0.0) || !isfinite(problem->steady))
        ewi_finding(findings, PLACE("steady"), "the tolerance for a steady state is %g; it must be 0 or greater",
                    problem->steady);
}

/* What limiter and positivity there are must be known. */
static void choose_cfl(struct ewi_outline *outline, const ew_problem *problem, struct ewi_findings *findings)
{
    const struct ewi_limiter *limiter = outline->limiter;
    outline->cfl = problem->cfl;
    if (outline->cfl == 0.0) /* an unknown scheme or order is error enough */
        outline->cfl = outline->scheme && outline->basis
                           ? ewi_scheme_cfl(outline->scheme, problem->order, limiter,
                                            outline->positivity ||
                                            (limiter && limiter->kind == EWI_LIMITER_JUMP_SENSOR))
                           : 1.0;
    if (!(outline->cfl > 0.0) || !isfinite(outline->cfl))
        ewi_finding(findings, PLACE("cfl"), "the Courant number is %g; it must be greater than 0", outline->cfl);
}

static void choose_layout(struct ewi_outline *outline, const ew_problem *problem, struct ewi_findings *findings)
{
    if (problem->threads < 0 || problem->threads > EW_MAX_THREADS)
        ewi_finding(findings, PLACE("threads"), "the number of threads is %d; it must be from 0 to %d",
                    problem->threads, EW_MAX_THREADS);
    if (problem->parts < 0 || problem->parts > EW_MAX_PARTS)
        ewi_finding(findings, PLACE("parts"), "the number of parts is %d; it must be from 0 to %d", problem->parts,
                    EW_MAX_PARTS);
    if (problem->devices < 0 || problem->devices > EW_MAX_PARTS || (problem->devices > 0 && !problem->device_of_part))
        ewi_finding(findings, PLACE("devices"), "%d GPUs are given for the parts; there can be 0 to %d, and "
                    "device_of_part has their numbers", problem->devices, EW_MAX_PARTS);
    if (problem->tile != 0 && problem->tile != EWI_TILE && problem->tile != -1)
        ewi_finding(findings, PLACE("tile"), "the tile width is %d; it must be 0, %d or -1", problem->tile, EWI_TILE);
    outline->width = problem->tile == -1 ? outline->padded : EWI_TILE;
}

static void choose_kernels(struct ewi_outline *outline, const ew_problem *problem, struct ewi_findings *findings)
{
    char names[128];
    outline->set = EWI_SET_BEST;
    if (!problem->kernels)
        return;
    outline->set = (enum ewi_kernel_set)ewi_list_find(EW_KERNELS, problem->kernels);
    if (outline->set < 0)
        ewi_finding(findings, PLACE("kernels"), "there is no kernel set \"%s\"; there are %s", problem->kernels,
                    ewi_list_in_words(EW_KERNELS, names, sizeof names));
    else if (outline->set == EWI_SET_fused && problem->tile == -1)
        ewi_finding(findings, PLACE("tile"), "the tile width is -1, but the kernels \"fused\" need tiles of %d",
                    EWI_TILE);
}

static void check_field(const struct ewi_outline *outline, const ew_problem *problem, struct ewi_findings *findings)
{
    const ew_law *law = outline->law->info;
    if (outline->fields == 0 && ewi_data_is_given(&problem->field))
        ewi_finding(findings, PLACE("field"), "the law \"%s\" has no given fields, but `field` is given; leave it out",
                    law->name);
    if (outline->fields == 0)
        return;
    if (!ewi_data_is_given(&problem->field))
        ewi_finding(findings, PLACE("field"), "the law \"%s\" needs %s and the other components as formulas of x and y",
                    law->name, law->field[0]);
    else if (ewi_data_variables(&problem->field) & EW_T)
        ewi_finding(findings, PLACE("field"),
                    "%s depends on t; the fields of the law \"%s\" may depend on x and y only", law->field[0],
                    law->name);
    else
        ewi_check_outputs(&problem->field, outline->fields, PLACE("field"), "the law's field", findings);
}

static void check_states(const struct ewi_outline *outline, const ew_problem *problem, struct ewi_findings *findings)
{
    if (!isfinite(problem->time))
        ewi_finding(findings, PLACE("time"), "the time at the start is %g; it must be finite", problem->time);
    if (!ewi_data_is_given(&problem->initial))
        ewi_finding(findings, PLACE("initial"), "there is no initial state");
    ewi_check_outputs(&problem->initial, outline->variables, PLACE("initial"), "the initial state", findings);
    ewi_check_outputs(&problem->exact, outline->variables, PLACE("exact"), "the exact solution", findings);
}

static void count(struct ewi_outline *outline, const ew_mesh_info *mesh)
{
    outline->elements = (int32_t)mesh->elements;
    outline->padded = (int32_t)ewi_layout_padded(mesh->elements);
    outline->edges = (int32_t)mesh->edges;
    outline->slots = (int32_t)mesh->edges + EWI_TILE * (mesh->boundaries + 1);
    outline->boundary_slots = (int32_t)ewi_layout_padded(mesh->boundary_edges) + EWI_TILE * mesh->boundaries;
}

/* Without a law there is nothing to compare the rest with. */
void ewi_outline_problem(const ew_problem *problem, const ew_mesh_info *mesh, struct ewi_outline *outline,
                         struct ewi_findings *findings)
{
    *outline = (struct ewi_outline){.law = NULL};
    if (mesh)
        count(outline, mesh);
    choose_law(outline, problem, findings);
    choose_scheme(outline, problem, findings);
    choose_limiter(outline, problem, findings);
    choose_positivity(outline, problem, findings);
    choose_cfl(outline, problem, findings);
    choose_layout(outline, problem, findings);
    choose_kernels(outline, problem, findings);
    if (!outline->law)
        return;
    check_field(outline, problem, findings);
    check_states(outline, problem, findings);
}

size_t ewi_state_doubles(const struct ewi_outline *outline)
{
    return (size_t)outline->padded * (size_t)outline->rows;
}

size_t ewi_slot_doubles(const struct ewi_outline *outline)
{
    int64_t whole_tiles = (outline->slots + outline->width - 1) / outline->width * outline->width;
    return (size_t)whole_tiles * (size_t)outline->rows;
}
