/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Periodic boundaries: every edge of the first, moved by the pair's translation, is an edge of the second with the
 * opposite direction. The two become one interior edge.
 */
#include "ewi_mesh_advice.h"
#include "ewi_mesh_build.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NEAR 1e-4 /* of an edge's length: partners' ends may be this far apart */

/* The edges of one boundary, sorted by the midpoints' coordinate along `axis`, the longer side of their box. */
struct side {
    const char *name;
    int32_t count;
    int32_t *edge;
    uint64_t *key;
    int axis;
    double centre[2]; /* of the box */
};

static const double *end_of(const struct ewi_mesh_build *build, int32_t e, bool at_start)
{
    return build->mesh->xy + 2 * (size_t)(at_start ? ewi_edge_from(build, e) : ewi_edge_to(build, e));
}

static double middle(const struct ewi_mesh_build *build, int32_t e, int axis)
{
    return 0.5 * (end_of(build, e, true)[axis] + end_of(build, e, false)[axis]);
}

static void measure_side(const struct ewi_mesh_build *build, struct side *side)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int32_t k = 0; k < 2 * side->count; k++) {
        const double *xy = end_of(build, side->edge[k / 2], k % 2);
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], xy[axis]);
            high[axis] = fmax(high[axis], xy[axis]);
        }
    }
    side->axis = high[1] - low[1] > high[0] - low[0];
    for (int axis = 0; axis < 2; axis++)
        side->centre[axis] = 0.5 * (low[axis] + high[axis]);
}

static int make_side(const struct ewi_mesh_build *build, int32_t name, struct ewi_scratch *scratch, struct side *side)
{
    side->name = build->data->name[name];
    side->edge = ewi_scratch_alloc(scratch, (size_t)build->boundary_edges[name], sizeof *side->edge);
    side->key = ewi_scratch_alloc(scratch, (size_t)build->boundary_edges[name], sizeof *side->key);
    if (scratch->failed)
        return EW_ENOMEM;
    for (int32_t e = 0; e < build->edges.count; e++)
        if (build->edges.edge[e].right == EWI_NAMED(name))
            side->edge[side->count++] = e;
    measure_side(build, side);
    for (int32_t k = 0; k < side->count; k++)
        side->key[k] = ewi_sort_key(middle(build, side->edge[k], side->axis));
    return ewi_sort(build->host, side->count, side->key, side->edge);
}

/* ---- matching ---------------------------------------------------------------------------------------------------- */

static bool is_lonely(const struct ewi_mesh_build *build, int32_t e)
{
    return build->edges.edge[e].right < 0 && build->edges.edge[e].right != EWI_MERGED;
}

static bool is_near(const double *a, const double *move, const double *b, double reach)
{
    return hypot(a[0] + move[0] - b[0], a[1] + move[1] - b[1]) <= reach;
}

static int32_t first_at_least(const struct side *side, uint64_t key)
{
    int32_t low = 0, high = side->count;
    while (low < high) {
        int32_t half = low + (high - low) / 2;
        if (side->key[half] < key)
            low = half + 1;
        else
            high = half;
    }
    return low;
}

/* The edge of `second` where edge e comes to lie when moved, or -1. */
static int32_t partner_of(const struct ewi_mesh_build *build, int32_t e, const struct side *second, const double *move)
{
    const double *from = end_of(build, e, true), *to = end_of(build, e, false);
    double size = fabs(from[0]) + fabs(from[1]) + fabs(move[0]) + fabs(move[1]);
    double reach = NEAR * ewi_distance(from, to) + 1e-14 * size;
    double target = middle(build, e, second->axis) + move[second->axis];
    uint64_t last = ewi_sort_key(target + reach);
    for (int32_t k = first_at_least(second, ewi_sort_key(target - reach)); k < second->count && second->key[k] <= last;
         k++) {
        int32_t other = second->edge[k];
        if (is_lonely(build, other) && build->edges.edge[other].left != build->edges.edge[e].left &&
            is_near(from, move, end_of(build, other, false), reach) &&
            is_near(to, move, end_of(build, other, true), reach))
            return other;
    }
    return -1;
}

/* Keeps the edge with the lower left element; edges are in that order. */
static void merge(struct ewi_edges *edges, int32_t e, int32_t other)
{
    int32_t kept = e < other ? e : other, gone = e < other ? other : e;
    edges->edge[kept].right = edges->edge[gone].left;
    edges->edge[kept].right_side = edges->edge[gone].left_side;
    edges->edge[gone].right = EWI_MERGED;
}

static int32_t count_lonely(const struct ewi_mesh_build *build, const struct side *side, int32_t *first)
{
    int32_t lonely = 0;
    for (int32_t k = 0; k < side->count; k++)
        if (is_lonely(build, side->edge[k]) && lonely++ == 0 && *first < 0)
            *first = side->edge[k];
    return lonely;
}

/* One message for the pair, even if many of its edges have no partner. */
static void report_lonely(struct ewi_mesh_build *build, const ew_periodic *pair, const struct side *first,
                          const struct side *second, const double *move)
{
    int32_t example = -1, here = count_lonely(build, first, &example), there = count_lonely(build, second, &example);
    char advice[384] = "; the one must be the other, shifted";
    if (!pair->automatic && here == first->count && there == second->count)
        ewi_snprintf(advice, sizeof advice, "; leave the translation out, or correct it");
    else if (build->data->source)
        ewi_snprintf(advice, sizeof advice, "; Gmsh makes them alike, N being the curve of \"%.60s\" and M that of "
                     "\"%.60s\": " EWI_ADVICE_PERIODIC, second->name, first->name, move[0], move[1]);
    ewi_defect(&build->defects, EWI_DEFECT_PERIODIC,
               "the periodic boundaries \"%s\" and \"%s\", which is (%g, %g) away, do not match: %" PRId32
               " of %" PRId32 " and %" PRId32 " of %" PRId32 " edges have no partner, for example %s%s",
               first->name, second->name, move[0], move[1], here, first->count, there, second->count,
               ewi_edge_words(build, example).text, advice);
}

static int join(struct ewi_mesh_build *build, const ew_periodic *pair, int32_t first_name, int32_t second_name)
{
    struct side first = {0}, second = {0};
    struct ewi_scratch scratch = {.host = build->host};
    int status;
    EWI_TRY(make_side(build, first_name, &scratch, &first));
    EWI_TRY(make_side(build, second_name, &scratch, &second));
    double move[2] = {pair->dx, pair->dy};
    for (int axis = 0; pair->automatic && axis < 2; axis++)
        move[axis] = second.centre[axis] - first.centre[axis];
    int32_t joined = 0;
    for (int32_t k = 0; k < first.count; k++) {
        int32_t other = partner_of(build, first.edge[k], &second, move);
        if (other >= 0)
            merge(&build->edges, first.edge[k], other);
        joined += other >= 0;
    }
    if (joined < first.count || joined < second.count)
        report_lonely(build, pair, &first, &second, move);
out:
    ewi_scratch_free(&scratch);
    return status;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Number of the name, or -1 with a report. */
static int32_t find_name(struct ewi_mesh_build *build, const char *name)
{
    const ew_mesh_data *data = build->data;
    for (int32_t k = 0; name && k < data->names; k++)
        if (strcmp(data->name[k], name) == 0)
            return k;
    const char *near = name ? ewi_nearest(name, data->name, (size_t)data->names) : NULL;
    ewi_defect(&build->defects, EWI_DEFECT_NAME, "the periodic boundary \"%s\" is not in the mesh%s%s%s",
               name ? name : "", near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return -1;
}

static bool is_free(struct ewi_mesh_build *build, uint8_t *used, int32_t name)
{
    if (used[name])
        ewi_defect(&build->defects, EWI_DEFECT_NAME, "the boundary \"%s\" is in two periodic pairs",
                   build->data->name[name]);
    else if (build->nested[name] || (build->boundary_edges[name] == 0 && build->inner_lines[name] > 0))
        ewi_defect(&build->defects, EWI_DEFECT_NAME, "\"%s\" is no boundary and cannot be periodic: its edges %s",
                   build->data->name[name], build->nested[name] ? "belong to smaller groups" : "lie inside the mesh");
    bool result = !used[name] && build->boundary_edges[name] > 0;
    used[name] = 1;
    return result;
}

static int join_pair(struct ewi_mesh_build *build, uint8_t *used, const ew_periodic *pair)
{
    int32_t first = find_name(build, pair->first), second = find_name(build, pair->second);
    if (first < 0 || second < 0)
        return EW_OK;
    if (first == second) {
        ewi_defect(&build->defects, EWI_DEFECT_NAME, "the boundary \"%s\" is a periodic pair with itself", pair->first);
        return EW_OK;
    }
    if (!pair->automatic && !(fabs(pair->dx) < INFINITY && fabs(pair->dy) < INFINITY)) {
        ewi_defect(&build->defects, EWI_DEFECT_NAME, "the translation from \"%s\" to \"%s\" is not finite", pair->first,
                   pair->second);
        return EW_OK;
    }
    bool first_free = is_free(build, used, first), second_free = is_free(build, used, second);
    return first_free && second_free ? join(build, pair, first, second) : EW_OK;
}

int ewi_mesh_join_periodic(struct ewi_mesh_build *build, ew_error *error)
{
    const ew_mesh_data *data = build->data;
    int status = EW_OK;
    if (!data->periodics)
        return EW_OK;
    uint8_t *used = ewi_alloc(build->host, (size_t)data->names, sizeof *used);
    if (!used)
        status = EW_ENOMEM;
    for (int32_t k = 0; status == EW_OK && k < data->periodics; k++)
        status = join_pair(build, used, &data->periodic[k]);
    ewi_free(build->host, used);
    return status == EW_OK ? EW_OK : ewi_fail(error, status, "not enough memory to match periodic boundaries");
}
