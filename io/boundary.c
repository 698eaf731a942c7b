/* SPDX-License-Identifier: BSD-2-Clause */
/* The boundaries of NAME.nc: names, reference values, and edges in order. Nothing in the file is trusted. */
#include "ewi_chains.h"
#include "ewi_error.h"
#include "ewi_netcdf.h"
#include "ewi_trace.h"
#include "ewi_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 20 }; /* bytes of all names */

/* ---- reference values -------------------------------------------------------------------------------------------- */

int ew_results_set_reference(ew_results *results, double density, double speed, double pressure, ew_error *error)
{
    EWI_REQUIRE(results);
    int from, to;
    if (!results->law || !results->law->pressure)
        return ewi_fail(error, EW_EINVAL, "%s has no pressure, of which reference values would make a coefficient",
                        results->path);
    double scale = 2 / (density * speed * speed);
    if (!(density > 0) || !(speed > 0) || !isfinite(scale) || !(scale > 0) || !isfinite(pressure))
        return ewi_fail(error, EW_EINVAL, "the reference density and speed, %g and %g, must be greater than 0, and the "
                        "pressure, %g, a finite number", density, speed, pressure);
    TRY(ew_results_find(results, results->law->pressure, &from, error));
    if (ew_results_find(results, EWI_PRESSURE_COEFFICIENT, &to, NULL) != EW_OK)
        to = results->fields++;
    struct ewi_field *field = &results->field[to];
    *field = results->field[from];
    ewi_snprintf(field->name, sizeof field->name, "%s", EWI_PRESSURE_COEFFICIENT);
    ewi_snprintf(field->long_name, sizeof field->long_name, "pressure coefficient");
    field->units[0] = '\0';
    field->shift = pressure;
    field->scale = scale;
    return EW_OK;
}

/* Sets the reference values if all bodies agree on them. */
static void read_references(struct ew_results *results, int variable, double *value)
{
    double reference[EWI_REFERENCES];
    size_t length, boundaries = (size_t)results->boundaries;
    for (int i = 0; i < EWI_REFERENCES; i++) {
        reference[i] = NAN;
        if (nc_inq_attlen(results->file, variable, ewi_reference[i], &length) != NC_NOERR || length != boundaries ||
            nc_get_att_double(results->file, variable, ewi_reference[i], value) != NC_NOERR)
            return;
        for (size_t k = 0; k < boundaries; k++) {
            if (!isnan(value[k]) && !isnan(reference[i]) && value[k] != reference[i])
                return;
            reference[i] = isnan(value[k]) ? reference[i] : value[k];
        }
    }
    ew_results_set_reference(results, reference[0], reference[1], reference[2], NULL);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Finds the variable that holds the boundary of each edge; false if the file has none. */
static bool find_variable(const struct ew_results *results, int *variable)
{
    return !results->is_restart && nc_inq_varid(results->file, "boundary", variable) == NC_NOERR;
}

int ewi_results_read_boundaries(struct ew_results *results, ew_error *error)
{
    int variable;
    size_t length;
    if (!find_variable(results, &variable) ||
        nc_inq_attlen(results->file, variable, "flag_meanings", &length) != NC_NOERR || length > LONGEST)
        return EW_OK;
    char *names = ewi_arena_alloc(&results->memory, length + 1, 1);
    results->boundary = ewi_arena_alloc(&results->memory, length / 2 + 1, sizeof *results->boundary);
    if (!names || !results->boundary)
        return ewi_results_no_memory(results, error);
    if (!ewi_netcdf_text(results->file, variable, "flag_meanings", names, length + 1))
        return EW_OK;
    char *rest;
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        results->boundary[results->boundaries++] = name;
    double *value = ewi_arena_alloc(&results->memory, (size_t)results->boundaries, sizeof *value);
    if (!value)
        return ewi_results_no_memory(results, error);
    read_references(results, variable, value);
    return EW_OK;
}

const char *ew_results_boundary(const ew_results *results, int k)
{
    return results && k >= 0 && k < results->boundaries ? results->boundary[k] : NULL;
}

/* A file has _ where a name has blanks. */
static bool is_called(const char *boundary, const char *name, size_t length)
{
    if (strlen(boundary) != length)
        return false;
    for (size_t k = 0; k < length; k++)
        if (boundary[k] != (name[k] == ' ' || name[k] == '\t' ? '_' : name[k]))
            return false;
    return true;
}

static int find_boundary(const struct ew_results *results, const char *name, size_t length, int *number,
                         ew_error *error)
{
    for (*number = 0; *number < results->boundaries; ++*number)
        if (is_called(results->boundary[*number], name, length))
            return EW_OK;
    char list[256];
    return ewi_fail(error, EW_EINVAL, "%s has no boundary \"%.*s\"; it has %s", results->path, (int)length, name,
                    ewi_in_words((const char *const *)results->boundary, results->boundaries, list, sizeof list));
}

/* Sets chosen[boundaries] to true for each boundary among the names. */
static int choose(const struct ew_results *results, const char *names, bool *chosen, ew_error *error)
{
    for (const char *name = names; name;) {
        size_t length = strcspn(name, ",");
        int number;
        TRY(find_boundary(results, name, length, &number, error));
        if (chosen[number])
            return ewi_fail(error, EW_EINVAL, "boundary \"%.*s\" is named twice", (int)length, name);
        chosen[number] = true;
        name = name[length] ? name + length + 1 : NULL;
    }
    return EW_OK;
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

/* An element has at most three edges. */
static int count_edges(const struct ew_results *results, size_t *edges, ew_error *error)
{
    int dimension;
    if (nc_inq_dimid(results->file, "n_boundary_edge", &dimension) == NC_NOERR &&
        nc_inq_dimlen(results->file, dimension, edges) == NC_NOERR && *edges <= 3 * (uint64_t)results->elements)
        return EW_OK;
    return ewi_fail(error, EW_EIO, "%s is damaged: its number of boundary edges is wrong", results->path);
}

static int read_numbers(const struct ew_results *results, const char *name, size_t edges, int *number, ew_error *error)
{
    int variable, dimensions, code = nc_inq_varid(results->file, name, &variable);
    code = code == NC_NOERR ? nc_inq_varndims(results->file, variable, &dimensions) : code;
    code = code == NC_NOERR && dimensions != 1 ? NC_EBADDIM : code;
    const size_t first = 0;
    code = code == NC_NOERR ? nc_get_vara_int(results->file, variable, &first, &edges, number) : code;
    return code == NC_NOERR ? EW_OK : ewi_results_failure(results, code, name, error);
}

static int keep_chosen(const struct ew_results *results, const bool *chosen, size_t edges, const int *number,
                       struct ewi_chains *all, ew_error *error)
{
    const int *element = number, *side = number + edges, *boundary = number + 2 * edges;
    for (size_t k = 0; k < edges; k++) {
        if (boundary[k] < 0 || boundary[k] >= results->boundaries || element[k] < 0 ||
            element[k] >= results->elements || side[k] < 0 || side[k] > 2)
            return ewi_fail(error, EW_EIO, "%s is damaged: boundary edge %zu is no side of an element", results->path,
                            k);
        if (chosen[boundary[k]])
            all->edge[all->count++] =
                (struct ewi_chain_edge){.element = element[k], .side = side[k], .boundary = boundary[k]};
    }
    return EW_OK;
}

static int read_edges(const struct ew_results *results, const bool *chosen, struct ewi_chains *all, ew_error *error)
{
    static const char *const name[3] = {"boundary_element", "boundary_side", "boundary"};
    size_t edges;
    ewi_netcdf_begin();
    int status = count_edges(results, &edges, error);
    int *number = status == EW_OK ? ewi_arena_alloc(&all->memory, 3 * edges, sizeof *number) : NULL;
    if (status == EW_OK && !number)
        status = ewi_results_no_memory(results, error);
    for (size_t k = 0; status == EW_OK && k < 3; k++)
        status = read_numbers(results, name[k], edges, number + k * edges, error);
    ewi_netcdf_end();
    TRY(status);
    all->edge = ewi_arena_alloc(&all->memory, edges, sizeof *all->edge);
    all->start = ewi_arena_alloc(&all->memory, edges, sizeof *all->start);
    return all->memory.lacks ? ewi_results_no_memory(results, error)
                             : keep_chosen(results, chosen, edges, number, all, error);
}

static int read_corners(const struct ew_results *results, struct ewi_chains *all, ew_error *error)
{
    double *xy = ewi_arena_alloc(&all->memory, 6 * (size_t)results->slab, sizeof *xy);
    if (!xy)
        return ewi_results_no_memory(results, error);
    for (int64_t first = 0; first < results->elements; first += results->slab) {
        int64_t count = results->elements - first < results->slab ? results->elements - first : results->slab;
        TRY(ew_results_corners(results, first, count, xy, error));
        for (struct ewi_chain_edge *edge = all->edge; edge < all->edge + all->count; edge++) {
            if (edge->element < first || edge->element >= first + count)
                continue;
            const double *corner = xy + 6 * (edge->element - first);
            memcpy(edge->from, corner + 2 * edge->side, sizeof edge->from);
            memcpy(edge->to, corner + 2 * ((edge->side + 1) % 3), sizeof edge->to);
        }
    }
    return EW_OK;
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

struct tracing {
    struct ewi_trace *trace;
    int points; /* of an edge */
    double arc;
};

/* Adds the points of an edge, with its ends. */
static int add_edge(void *context, const struct ewi_chain_edge *edge, ew_error *error)
{
    struct tracing *tracing = context;
    struct ewi_trace *trace = tracing->trace;
    struct ewi_point *point;
    const int points = tracing->points;
    const struct ewi_segment segment = {.element = edge->element, .points = points,
                                        .boundary = trace->results->boundary[edge->boundary]};
    TRY(ewi_trace_add(trace, &segment, &point, error));
    double dx = edge->to[0] - edge->from[0], dy = edge->to[1] - edge->from[1], length = hypot(dx, dy);
    for (int k = 0; k < points; k++) {
        double share = (double)k / (points - 1);
        point[k] = (struct ewi_point){tracing->arc + share * length, edge->from[0] + share * dx,
                                      edge->from[1] + share * dy};
    }
    tracing->arc += length;
    trace->x_low = fmin(trace->x_low, fmin(edge->from[0], edge->to[0]));
    trace->x_high = fmax(trace->x_high, fmax(edge->from[0], edge->to[0]));
    return EW_OK;
}

/* Points of an edge: its two ends if all fields are linear, otherwise two more for each degree. */
static int points_of(const struct ewi_trace *trace)
{
    const struct ew_results *results = trace->results;
    int degree = results->order > results->subdivide ? results->order : results->subdivide;
    for (int k = 0; k < trace->fields; k++)
        if (!ewi_field_is_linear(results, &results->field[trace->field[k]]))
            return 2 * degree + 1;
    return 2;
}

int ewi_trace_add_boundaries(struct ewi_trace *trace, const char *names, ew_error *error)
{
    const struct ew_results *results = trace->results;
    struct ewi_chains all = {.memory.host = results->host};
    int status;
    if (results->boundaries == 0)
        return ewi_fail(error, EW_EINVAL, "%s has no boundaries%s", results->path,
                        results->is_restart ? ": it is a restart file, which does not name them; NAME.nc does"
                                            : ": its mesh is periodic, or an old edgewise wrote it");
    bool *chosen = ewi_arena_alloc(&all.memory, (size_t)results->boundaries, sizeof *chosen);
    EWI_TRY(chosen ? choose(results, names, chosen, error) : ewi_results_no_memory(results, error));
    EWI_TRY(read_edges(results, chosen, &all, error));
    EWI_TRY(read_corners(results, &all, error));
    trace->x_low = INFINITY;
    trace->x_high = -INFINITY;
    EWI_TRY(ewi_chains_visit(&all, add_edge, &(struct tracing){trace, points_of(trace), 0}, error));
    if (all.count == 0)
        status = ewi_fail(error, EW_EINVAL, "boundary \"%s\" of %s has no edges", names, results->path);
out:
    ewi_arena_free(&all.memory);
    return status;
}
