/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of boundary edges, from the lines of the input. A line inside the mesh names nothing. Where an edge has several
 * names, groups must be nested: the smallest one names the edge.
 */
#include "ewi_mesh_advice.h"
#include "ewi_mesh_build.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_WARNINGS = 10, NONE = -1, UNKNOWN = -2, TOLD = -3 };

static int no_memory(const struct ewi_mesh_build *build, ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory for the boundary names of a mesh of %" PRId64 " triangles",
                    build->data->triangles);
}

/* ---- names that are no boundaries -------------------------------------------------------------------------------- */

/* Warns that name k is no boundary; `advice` is for meshes of a file, with its name. */
static void warn_of_name(struct ewi_mesh_build *build, int32_t k, const char *why, const char *advice)
{
    const char *source = build->data->source;
    if (build->warnings++ < MOST_WARNINGS)
        ewi_log(build->host, EW_LOG_WARNING, "%.200s%s\"%.100s\" is no boundary: %s%s", source ? source : "",
                source ? ": " : "", build->data->name[k], why, source ? advice : "");
}

static void warn_of_inner(struct ewi_mesh_build *build, int32_t k)
{
    char advice[512];
    const char *why = build->inner_lines[k] == 1 ? "its line lies inside the mesh, with a triangle on either side"
                                                 : "its lines lie inside the mesh, with a triangle on either side";
    ewi_snprintf(advice, sizeof advice, "; to cut the mesh open along it, run \"" EWI_ADVICE_RUN "\" with this in "
                 "crack.geo, N being its physical group: " EWI_ADVICE_CRACK,
                 build->data->source ? build->data->source : "");
    warn_of_name(build, k, why, advice);
}

/* ---- edges with several names ------------------------------------------------------------------------------------ */

/* Groups of edges, by name. */
struct nesting {
    int64_t count;     /* of pairs of an edge and a name */
    uint64_t *key;     /* [count]: edge << 32 | name, later the name's rank */
    int32_t *position; /* [count], for sorting */
    int32_t *size;     /* [names]: edges */
    int32_t *by_rank, *rank; /* [names]: names by size, and the inverse */
    int32_t *around;   /* [names]: the next larger group that has all its edges, or NONE, UNKNOWN, TOLD */
};

static bool allocate(struct nesting *nesting, struct ewi_scratch *scratch, const ew_mesh_data *data)
{
    size_t lines = (size_t)data->lines, names = (size_t)data->names;
    nesting->key = ewi_scratch_alloc(scratch, lines > names ? lines : names, sizeof *nesting->key);
    nesting->position = ewi_scratch_alloc(scratch, lines, sizeof *nesting->position);
    nesting->size = ewi_scratch_alloc(scratch, names, sizeof *nesting->size);
    nesting->by_rank = ewi_scratch_alloc(scratch, names, sizeof *nesting->by_rank);
    nesting->rank = ewi_scratch_alloc(scratch, names, sizeof *nesting->rank);
    nesting->around = ewi_scratch_alloc(scratch, names, sizeof *nesting->around);
    return !scratch->failed;
}

/* All pairs of a boundary edge and a name, each once. */
static int collect_pairs(const struct ewi_mesh_build *build, struct nesting *nesting)
{
    const ew_mesh_data *data = build->data;
    int64_t count = 0;
    for (int64_t l = 0; l < data->lines; l++) {
        int32_t e = data->line_name[l] < 0 ? -1 : ewi_mesh_find_edge(&build->edges, (int32_t)data->line[2 * l],
                                                                     (int32_t)data->line[2 * l + 1]);
        if (e >= 0 && build->edges.edge[e].right < 0)
            nesting->key[count++] = (uint64_t)e << 32 | (uint64_t)data->line_name[l];
    }
    if (ewi_sort(build->host, (int32_t)count, nesting->key, nesting->position) != EW_OK)
        return EW_ENOMEM;
    for (int64_t i = 0; i < count; i++) {
        if (i > 0 && nesting->key[i] == nesting->key[i - 1])
            continue;
        nesting->size[(uint32_t)nesting->key[i]]++;
        nesting->key[nesting->count++] = nesting->key[i];
    }
    return EW_OK;
}

/* The pairs in the order of edges, then of the sizes of groups. */
static int sort_by_size(const struct ewi_mesh_build *build, struct nesting *nesting, uint64_t *size)
{
    int32_t names = build->data->names;
    for (int32_t k = 0; k < names; k++) {
        size[k] = (uint64_t)nesting->size[k];
        nesting->by_rank[k] = k;
        nesting->around[k] = UNKNOWN;
    }
    if (ewi_sort(build->host, names, size, nesting->by_rank) != EW_OK)
        return EW_ENOMEM;
    for (int32_t k = 0; k < names; k++)
        nesting->rank[nesting->by_rank[k]] = k;
    for (int64_t i = 0; i < nesting->count; i++)
        nesting->key[i] = (nesting->key[i] >> 32) << 32 | (uint64_t)nesting->rank[(uint32_t)nesting->key[i]];
    return ewi_sort(build->host, (int32_t)nesting->count, nesting->key, nesting->position);
}

/*
 * For an edge of group k, the next larger group is `next`: the same for all edges of k if the groups are nested. Where
 * two differ, the smaller one lacks an edge of k.
 */
static void see_next(struct ewi_mesh_build *build, struct nesting *nesting, int32_t k, int32_t next)
{
    int32_t before = nesting->around[k], other = next;
    bool good = before == UNKNOWN ? next == NONE || nesting->size[next] > nesting->size[k] : before == next;
    if (before == UNKNOWN)
        nesting->around[k] = next;
    if (good || before == TOLD)
        return;
    if (next == NONE || (before >= 0 && nesting->rank[before] < nesting->rank[next]))
        other = before;
    nesting->around[k] = TOLD;
    ewi_defect(&build->defects, EWI_DEFECT_TWO_NAMES, "\"%s\" and \"%s\" name the same edges, and neither group is a "
               "smaller part of the other: an edge has one boundary; take these edges out of one of the two groups",
               build->data->name[k], build->data->name[other]);
}

/* Each edge gets the name of its smallest group. */
static void name_by_smallest(struct ewi_mesh_build *build, struct nesting *nesting)
{
    memset(build->boundary_edges, 0, (size_t)build->data->names * sizeof *build->boundary_edges);
    for (int64_t i = 0; i < nesting->count; i++) {
        int32_t e = (int32_t)(nesting->key[i] >> 32), k = nesting->by_rank[(uint32_t)nesting->key[i]];
        bool is_first = i == 0 || nesting->key[i - 1] >> 32 != nesting->key[i] >> 32;
        bool is_last = i + 1 == nesting->count || nesting->key[i + 1] >> 32 != nesting->key[i] >> 32;
        see_next(build, nesting, k, is_last ? NONE : nesting->by_rank[(uint32_t)nesting->key[i + 1]]);
        if (!is_first)
            continue;
        build->edges.edge[e].right = EWI_NAMED(k);
        build->boundary_edges[k]++;
    }
}

/* The groups within group k, or the first ones. */
static void list_parts(const struct ewi_mesh_build *build, const struct nesting *nesting, int32_t k, char *text,
                       size_t size)
{
    size_t length = 0;
    for (int32_t part = 0; part < build->data->names && length + 1 < size; part++)
        if (nesting->around[part] == k)
            length += (size_t)ewi_snprintf(text + length, size - length, "%s\"%.60s\"", length > 0 ? ", " : "",
                                           build->data->name[part]);
}

/* Warns of names that smaller groups have replaced, everywhere or on some edges. */
static void tell_nesting(struct ewi_mesh_build *build, const struct nesting *nesting)
{
    for (int32_t k = 0; k < build->data->names; k++) {
        char parts[320] = "", why[512];
        if (build->boundary_edges[k] == nesting->size[k])
            continue;
        build->nested[k] = build->boundary_edges[k] == 0;
        if (build->defects.of_kind[EWI_DEFECT_TWO_NAMES] > 0)
            continue;
        list_parts(build, nesting, k, parts, sizeof parts);
        ewi_snprintf(why, sizeof why, "each of its edges is in a smaller group, too, and belongs to that: %s", parts);
        if (build->nested[k])
            warn_of_name(build, k, why, "");
        else if (build->warnings++ < MOST_WARNINGS)
            ewi_log(build->host, EW_LOG_WARNING, "edges of \"%.100s\" in a smaller group belong to that one: %s",
                    build->data->name[k], parts);
    }
}

static int resolve(struct ewi_mesh_build *build)
{
    struct nesting nesting = {0};
    struct ewi_scratch scratch = {.host = build->host};
    int status = EW_ENOMEM;
    uint64_t *size = ewi_scratch_alloc(&scratch, (size_t)build->data->names, sizeof *size);
    if (allocate(&nesting, &scratch, build->data) && (status = collect_pairs(build, &nesting)) == EW_OK &&
        (status = sort_by_size(build, &nesting, size)) == EW_OK) {
        name_by_smallest(build, &nesting);
        tell_nesting(build, &nesting);
    }
    ewi_scratch_free(&scratch);
    return status;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static bool is_usable_line(struct ewi_mesh_build *build, int64_t l)
{
    const ew_mesh_data *data = build->data;
    if (!ewi_mesh_has_nodes(build, EWI_DEFECT_LINE, l, data->line + 2 * l, 2))
        return false;
    if (data->line_name[l] >= -1 && data->line_name[l] < data->names)
        return true;
    ewi_defect(&build->defects, EWI_DEFECT_LINE, "%s has name number %" PRId32 ", but there are %" PRId32 " names",
               ewi_line_words(build, l).text, data->line_name[l], data->names);
    return false;
}

/* true: the edge has another name, too. */
static bool name_edge(struct ewi_mesh_build *build, int64_t l)
{
    const ew_mesh_data *data = build->data;
    int32_t name = data->line_name[l];
    int32_t e = ewi_mesh_find_edge(&build->edges, (int32_t)data->line[2 * l], (int32_t)data->line[2 * l + 1]);
    if (e < 0) {
        ewi_defect(&build->defects, EWI_DEFECT_LINE, "%s, named \"%s\", is no triangle's edge",
                   ewi_line_words(build, l).text, data->name[name]);
        return false;
    }
    int32_t *right = &build->edges.edge[e].right;
    if (*right >= 0)
        build->inner_lines[name]++;
    else if (*right == EWI_UNNAMED) {
        *right = EWI_NAMED(name);
        build->boundary_edges[name]++;
    }
    return *right <= EWI_NAMED(0) && *right != EWI_NAMED(name);
}

/* A name may belong to lines inside the domain, but not to such lines and a boundary. */
static void report_inner_lines(struct ewi_mesh_build *build)
{
    const ew_mesh_data *data = build->data;
    for (int64_t l = 0; l < data->lines; l++) {
        int32_t name = data->line_name[l];
        if (name < 0 || build->boundary_edges[name] == 0 || build->inner_lines[name] == 0)
            continue;
        int32_t e = ewi_mesh_find_edge(&build->edges, (int32_t)data->line[2 * l], (int32_t)data->line[2 * l + 1]);
        if (e >= 0 && build->edges.edge[e].right >= 0)
            ewi_defect(&build->defects, EWI_DEFECT_LINE,
                       "%s, named \"%s\", has a triangle on either side, but \"%s\" is also the name of boundary "
                       "edges; give the curve inside a group of its own",
                       ewi_line_words(build, l).text, data->name[name], data->name[name]);
    }
}

static void check_names_of_edges(struct ewi_mesh_build *build)
{
    const ew_mesh_data *data = build->data;
    bool mixed = false;
    for (int32_t k = 0; k < data->names; k++) {
        int32_t outer = build->boundary_edges[k], inner = build->inner_lines[k];
        mixed = mixed || (outer && inner);
        if (!outer && !inner && !build->nested[k])
            ewi_defect(&build->defects, EWI_DEFECT_NAME, "the boundary \"%s\" has no edge", data->name[k]);
        else if (!outer && !build->nested[k])
            warn_of_inner(build, k);
    }
    if (mixed)
        report_inner_lines(build);
}

int ewi_mesh_name_edges(struct ewi_mesh_build *build, ew_error *error)
{
    const ew_mesh_data *data = build->data;
    bool usable = true, overlap = false;
    build->boundary_edges = ewi_alloc(build->host, (size_t)data->names, sizeof *build->boundary_edges);
    build->inner_lines = ewi_alloc(build->host, (size_t)data->names, sizeof *build->inner_lines);
    build->nested = ewi_alloc(build->host, (size_t)data->names, sizeof *build->nested);
    if (!build->boundary_edges || !build->inner_lines || !build->nested)
        return no_memory(build, error);
    for (int64_t l = 0; l < data->lines; l++) {
        if (!is_usable_line(build, l))
            usable = false;
        else if (data->line_name[l] >= 0)
            overlap = name_edge(build, l) || overlap;
    }
    if (!usable)
        return ewi_defects_close(&build->defects, EW_EMESH, error);
    int status = overlap ? resolve(build) : EW_OK;
    if (status != EW_OK)
        return no_memory(build, error);
    check_names_of_edges(build);
    return EW_OK;
}
