/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares two solvers word by word: their states, and the outputs of each kernel for one state. */
#include "compare.h"
#include "ewi_error.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- two arrays -------------------------------------------------------------------------------------------------- */

#define SIGN 0x8000000000000000u

static uint64_t word_of(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* Maps doubles to integers that increase with the value, by one from each double to the next. */
static uint64_t rank(double value)
{
    uint64_t word = word_of(value);
    return word & SIGN ? SIGN - (word & ~SIGN) : SIGN + word;
}

uint64_t cmd_ulp_distance(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? 0 : CMD_ULP_NAN;
    uint64_t from = rank(a), to = rank(b);
    return from < to ? to - from : from - to;
}

static void add_word(struct cmd_difference *difference, double a, double b, size_t index)
{
    if (word_of(a) == word_of(b) || (isnan(a) && isnan(b)))
        return;
    uint64_t ulp = cmd_ulp_distance(a, b);
    if (difference->differing++ == 0 || ulp > difference->ulp) {
        difference->ulp = ulp;
        difference->index = index;
        difference->a = a;
        difference->b = b;
    }
}

void cmd_compare_words(const double *a, const double *b, size_t items, int variables, int basis,
                       struct cmd_difference *difference)
{
    size_t functions = (size_t)basis, rows = (size_t)variables * functions;
    for (int m = 0; m < variables; m++)
        difference[m] = (struct cmd_difference){.words = items * functions};
    if (memcmp(a, b, items * rows * sizeof *a) == 0)
        return;
    for (size_t k = 0; k < items * rows; k++)
        add_word(&difference[k % rows / functions], a[k], b[k], k);
}

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

static size_t state_words(const ew_mesh *mesh, int variables, int order)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    return (size_t)info.elements * (size_t)(variables * (order + 1) * (order + 2) / 2);
}

/* The surface integrals of all edges are the largest array. */
static size_t most_words(const ew_mesh *mesh, int variables, int order)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    return 2 * (size_t)info.edges * (size_t)(variables * (order + 1) * (order + 2) / 2);
}

/* The library needs one more such array for a kernel's output; one more state restores the other side. */
size_t cmd_comparison_bytes(const ew_mesh *mesh, int variables, int order)
{
    return (3 * most_words(mesh, variables, order) + 2 * state_words(mesh, variables, order)) * sizeof(double);
}

void cmd_comparison_begin(struct cmd_comparison *comparison, const ew_mesh *mesh, ew_solver *reference, ew_solver *with)
{
    ew_solver_info info;
    ew_solver_get_info(reference, &info);
    size_t words = most_words(mesh, info.law->variables, info.order);
    *comparison = (struct cmd_comparison){.mesh = mesh, .solver = {reference, with}};
    for (int s = 0; s < CMD_SIDES; s++)
        comparison->word[s] = cli_allocate(words * sizeof(double));
}

void cmd_comparison_end(struct cmd_comparison *comparison)
{
    for (size_t k = 0; k < comparison->records; k++)
        free(comparison->record[k].sentence);
    free(comparison->record);
    for (int s = 0; s < CMD_SIDES; s++)
        free(comparison->word[s]);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static struct cmd_record begin_record(const struct cmd_comparison *comparison, const char *what)
{
    const ew_solver *reference = comparison->solver[CMD_REFERENCE];
    return (struct cmd_record){.what = what, .step = ew_solver_steps(reference), .time = ew_solver_time(reference)};
}

static void add_record(struct cmd_comparison *comparison, const struct cmd_record *record)
{
    size_t count = comparison->records;
    /* capacity doubles: at 1, 2, 4, ... */
    if ((count & (count - 1)) == 0)
        comparison->record = cli_reallocate(comparison->record, (count > 0 ? 2 * count : 1) * sizeof *record);
    comparison->record[comparison->records++] = *record;
    comparison->compared += record->words > 0;
    comparison->words += record->words;
    comparison->differing += record->differing;
    comparison->one_sided += record->one_sided;
    comparison->ulp = record->ulp > comparison->ulp ? record->ulp : comparison->ulp;
    if (comparison->tell)
        comparison->tell(comparison->context, record);
}

static void add_compared(struct cmd_record *record, const struct cmd_compared *compared)
{
    record->compared[record->count++] = *compared;
    record->words += compared->difference.words;
    record->differing += compared->difference.differing;
    record->ulp = compared->difference.ulp > record->ulp ? compared->difference.ulp : record->ulp;
}

static char *sentence_of(const char *format, va_list arguments)
{
    char text[2 * sizeof((ew_error *)NULL)->message + 256];
    vsnprintf(text, sizeof text, format, arguments);
    return cli_copy(text);
}

void cmd_compare_one_sided(struct cmd_comparison *comparison, const char *what, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct cmd_record record = begin_record(comparison, what);
    record.sentence = sentence_of(format, arguments);
    record.one_sided = true;
    va_end(arguments);
    add_record(comparison, &record);
}

/* ---- places of words --------------------------------------------------------------------------------------------- */

/* Averages x and y over the element's corners. */
static void centroid(const struct cmd_comparison *comparison, struct cmd_compared *compared)
{
    ew_mesh_info info;
    ew_mesh_get_info(comparison->mesh, &info);
    double *xy = cli_allocate(2 * (size_t)info.nodes * sizeof *xy);
    int64_t *triangle = cli_allocate(3 * (size_t)info.elements * sizeof *triangle);
    ew_mesh_get_nodes(comparison->mesh, xy);
    ew_mesh_get_triangles(comparison->mesh, triangle);
    for (int k = 0; k < 3; k++) {
        compared->x += xy[2 * triangle[3 * compared->element + k]] / 3;
        compared->y += xy[2 * triangle[3 * compared->element + k] + 1] / 3;
    }
    free(xy);
    free(triangle);
}

/* edges: the items are edges, else elements. */
static void find_place(const struct cmd_comparison *comparison, const ew_kernel_shape *shape, bool edges,
                       struct cmd_compared *compared)
{
    size_t index = compared->difference.index, rows = (size_t)(shape->variables * shape->basis);
    int64_t item = (int64_t)(index / rows / (size_t)shape->parts), element[2];
    int part = (int)(index / rows % (size_t)shape->parts), side[2];
    compared->element = compared->edge = -1;
    compared->x = compared->y = 0.0;
    compared->basis = (int)(index % (size_t)shape->basis);
    if (compared->difference.differing == 0 || shape->items == 1)
        return;
    compared->element = item;
    if (edges && ew_mesh_edge(comparison->mesh, item, element, side) == EW_OK) {
        compared->edge = item;
        compared->element = element[part] >= 0 ? element[part] : element[0];
    }
    centroid(comparison, compared);
}

/* Compares the two arrays in comparison->word. */
static void compare_arrays(const struct cmd_comparison *comparison, const ew_kernel_shape *shape, bool edges,
                           const char *const *names, struct cmd_record *record)
{
    struct cmd_difference difference[EW_MAX_VARIABLES];
    cmd_compare_words(comparison->word[CMD_REFERENCE], comparison->word[CMD_WITH],
                      (size_t)shape->items * (size_t)shape->parts, shape->variables, shape->basis, difference);
    for (int m = 0; m < shape->variables; m++) {
        struct cmd_compared compared = {.name = names[m], .difference = difference[m]};
        find_place(comparison, shape, edges, &compared);
        add_compared(record, &compared);
    }
}

static void compare_numbers(const char *name, double a, double b, struct cmd_record *record)
{
    struct cmd_compared compared = {.name = name, .element = -1, .edge = -1};
    cmd_compare_words(&a, &b, 1, 1, 1, &compared.difference);
    add_compared(record, &compared);
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

static int get_states(struct cmd_comparison *comparison, ew_error *error)
{
    int status = EW_OK;
    for (int s = 0; s < CMD_SIDES && status == EW_OK; s++)
        status = ew_solver_get_coefficients(comparison->solver[s], comparison->word[s], error);
    return status;
}

/* The fluxes through boundary edges, integrated over time. */
static int compare_outflow(struct cmd_comparison *comparison, const ew_solver_info *info, ew_error *error)
{
    struct cmd_record record = begin_record(comparison, "outflow");
    ew_mesh_info mesh;
    ew_mesh_get_info(comparison->mesh, &mesh);
    ew_kernel_shape shape = {
        .items = mesh.boundary_edges, .parts = 1, .variables = info->law->variables, .basis = 1};
    for (int s = 0; s < CMD_SIDES; s++)
        TRY(ew_solver_get_edge_outflow(comparison->solver[s], comparison->word[s], error));
    compare_arrays(comparison, &shape, true, info->law->conserved, &record);
    add_record(comparison, &record);
    return EW_OK;
}

int cmd_compare_states(struct cmd_comparison *comparison, ew_error *error)
{
    ew_solver *const *solver = comparison->solver;
    struct cmd_record record = begin_record(comparison, "state");
    ew_solver_info info;
    ew_kernel_shape shape;
    ew_solver_get_info(solver[CMD_REFERENCE], &info);
    TRY(ew_solver_kernel_shape(solver[CMD_REFERENCE], "update", &shape, error));
    TRY(get_states(comparison, error));
    compare_arrays(comparison, &shape, false, info.law->conserved, &record);
    compare_numbers("t", ew_solver_time(solver[CMD_REFERENCE]), ew_solver_time(solver[CMD_WITH]), &record);
    add_record(comparison, &record);
    return info.outflow ? compare_outflow(comparison, &info, error) : EW_OK;
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

/* A side refuses outputs that its set of kernels lacks. If the state breaks, it must break on both sides. */
static int compare_kernel(struct cmd_comparison *comparison, const char *kernel, ew_error *error)
{
    static const char *const dt[] = {"dt"};
    ew_solver_info info;
    ew_kernel_shape shape;
    ew_error why[CMD_SIDES];
    int status[CMD_SIDES];
    ew_solver_get_info(comparison->solver[CMD_REFERENCE], &info);
    int shaped = ew_solver_kernel_shape(comparison->solver[CMD_REFERENCE], kernel, &shape, error);
    if (shaped != EW_OK)
        return shaped;
    for (int s = 0; s < CMD_SIDES; s++) {
        status[s] = ew_solver_get_kernel_output(comparison->solver[s], kernel, comparison->word[s], &why[s]);
        if (status[s] != EW_OK && status[s] != EW_EINVAL && status[s] != EW_ESTATE) {
            if (error)
                *error = why[s];
            return status[s];
        }
    }
    bool refused = status[CMD_REFERENCE] == EW_EINVAL || status[CMD_WITH] == EW_EINVAL;
    if (refused && comparison->passes > 0)
        return EW_OK; /* already recorded */
    struct cmd_record record = begin_record(comparison, kernel);
    if (status[CMD_REFERENCE] == EW_OK && status[CMD_WITH] == EW_OK) {
        compare_arrays(comparison, &shape, shape.parts == 2, shape.items == 1 ? dt : info.law->conserved, &record);
    } else {
        int which = status[CMD_REFERENCE] != EW_OK ? CMD_REFERENCE : CMD_WITH;
        bool both = status[CMD_REFERENCE] != EW_OK && status[CMD_WITH] != EW_OK;
        record.one_sided = status[which] == EW_ESTATE && !(both && strcmp(why[0].message, why[1].message) == 0);
        record.sentence = cli_copy(why[which].message);
    }
    add_record(comparison, &record);
    return EW_OK;
}

static int compare_each_kernel(struct cmd_comparison *comparison, ew_error *error)
{
    int status = EW_OK;
    const char *name;
    ew_solver_info info;
    ew_solver_get_info(comparison->solver[CMD_REFERENCE], &info);
    for (int k = 0; (name = ew_list_name(EW_KERNEL_OUTPUTS, k)) && status == EW_OK; k++)
        if (strcmp(name, "limit_c") != 0 || info.limited)
            status = compare_kernel(comparison, name, error);
    comparison->passes++;
    return status;
}

int cmd_compare_kernels(struct cmd_comparison *comparison, ew_error *error)
{
    ew_solver *reference = comparison->solver[CMD_REFERENCE], *with = comparison->solver[CMD_WITH];
    ew_solver_info info;
    ew_solver_get_info(reference, &info);
    double time = ew_solver_time(with), other_time = ew_solver_time(reference);
    int64_t steps = ew_solver_steps(with);
    size_t bytes = state_words(comparison->mesh, info.law->variables, info.order) * sizeof(double);
    TRY(get_states(comparison, error));
    if (memcmp(comparison->word[CMD_REFERENCE], comparison->word[CMD_WITH], bytes) == 0 && time == other_time)
        return compare_each_kernel(comparison, error);
    double *own = memcpy(cli_allocate(bytes), comparison->word[CMD_WITH], bytes);
    int status = ew_solver_set_coefficients(with, comparison->word[CMD_REFERENCE], other_time, steps, error);
    if (status == EW_OK)
        status = compare_each_kernel(comparison, error);
    int restored = ew_solver_set_coefficients(with, own, time, steps, status == EW_OK ? error : NULL);
    free(own);
    return status != EW_OK ? status : restored;
}

bool cmd_comparison_passes(const struct cmd_comparison *comparison, const uint64_t *ulp)
{
    if (comparison->one_sided > 0)
        return false;
    return ulp ? comparison->ulp <= *ulp && comparison->ulp != CMD_ULP_NAN : comparison->differing == 0;
}
