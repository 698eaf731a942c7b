/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks the outline of the mesh, its boundary edges. A boundary edge without a name is a defect. Its cause is often
 * not the missing name but two parts of the mesh that touch without sharing nodes, so we look for those: edges that lie
 * on each other (cracks) and nodes inside an edge (hanging nodes).
 *
 * Named edges may lie on each other: that makes a slit. But a node that hangs on a named edge is also a defect, if
 * another edge runs from it along that edge: most often the two sides of one edge were divided differently. A slit
 * whose sides do not match looks the same. A node that only touches an edge is accepted: two parts of the domain may
 * meet there.
 */
#include "ewi_mesh_advice.h"
#include "ewi_mesh_build.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SAME_PLACE 1e-6       /* of the shortest edge at a node, and of an edge's length for nodes that lie on it */
#define ALONG 1e-3            /* sine of the largest angle between edges that run along each other */
#define MOST_TESTS 200000000  /* then the search ends: only very many nodes at one place take so long */

enum { LEAF = 8, DEEPEST = 64 };

struct box {
    double low[2], high[2];
};

/* The boundary edges, their nodes with numbers of their own, and a tree over the nodes. */
struct outline {
    int32_t edges, nodes;
    int32_t *edge;          /* [edges] */
    int32_t *from, *to;     /* [edges]: nodes of the outline */
    int32_t *node;          /* [nodes]: nodes of the mesh */
    double *reach;          /* [nodes]: nearer nodes are at the same place */
    int32_t *place;         /* [nodes]: the first node at the same place */
    int32_t *hangs;         /* [nodes]: 1 + the edge that this place's node hangs on */
    uint8_t *told;          /* [nodes]: we reported that it hangs */
    uint8_t *near_unnamed;  /* [nodes]: the place is an end of an edge without a name */
    uint8_t *explained;     /* [edges]: part of a crack or next to a hanging node */
    int32_t *sorted;        /* [nodes]: along a Hilbert curve; each LEAF of them are a leaf of the tree */
    int32_t leaves;         /* a power of two */
    /* [2 leaves]: box k holds boxes 2 k and 2 k + 1; box 1 is the root, the last half are the leaves */
    struct box *box;
    int64_t tests;
    struct ewi_scratch scratch;
};

static void allocate_outline(struct outline *outline)
{
    size_t edges = (size_t)outline->edges;
    struct ewi_scratch *scratch = &outline->scratch;
    outline->edge = ewi_scratch_alloc(scratch, edges, sizeof *outline->edge);
    outline->from = ewi_scratch_alloc(scratch, edges, sizeof *outline->from);
    outline->to = ewi_scratch_alloc(scratch, edges, sizeof *outline->to);
    outline->explained = ewi_scratch_alloc(scratch, edges, sizeof *outline->explained);
    outline->node = ewi_scratch_alloc(scratch, 2 * edges, sizeof *outline->node);
    outline->reach = ewi_scratch_alloc(scratch, 2 * edges, sizeof *outline->reach);
    outline->place = ewi_scratch_alloc(scratch, 2 * edges, sizeof *outline->place);
    outline->hangs = ewi_scratch_alloc(scratch, 2 * edges, sizeof *outline->hangs);
    outline->near_unnamed = ewi_scratch_alloc(scratch, 2 * edges, sizeof *outline->near_unnamed);
    outline->told = ewi_scratch_alloc(scratch, 2 * edges, sizeof *outline->told);
    outline->sorted = ewi_scratch_alloc(scratch, 2 * edges, sizeof *outline->sorted);
}

static const double *place_of(const struct ewi_mesh_build *build, const struct outline *outline, int32_t node)
{
    return build->mesh->xy + 2 * (size_t)outline->node[node];
}

/* The outline's number of a node; `known` has 1 + number, or 0 for nodes not met before. */
static int32_t number_of(struct outline *outline, int32_t *known, int32_t node, double length)
{
    if (!known[node]) {
        outline->node[outline->nodes++] = node;
        known[node] = outline->nodes;
        outline->reach[outline->nodes - 1] = SAME_PLACE * length;
    }
    int32_t number = known[node] - 1;
    if (SAME_PLACE * length < outline->reach[number])
        outline->reach[number] = SAME_PLACE * length;
    return number;
}

static bool collect_outline(const struct ewi_mesh_build *build, struct outline *outline)
{
    int32_t *known = ewi_alloc(build->host, (size_t)build->mesh->nodes, sizeof *known), k = 0;
    if (!known)
        return false;
    for (int32_t e = 0; e < build->edges.count; e++) {
        if (build->edges.edge[e].right >= 0)
            continue;
        int32_t from = ewi_edge_from(build, e), to = ewi_edge_to(build, e);
        double length = ewi_distance(build->mesh->xy + 2 * (size_t)from, build->mesh->xy + 2 * (size_t)to);
        outline->edge[k] = e;
        outline->from[k] = number_of(outline, known, from, length);
        outline->to[k++] = number_of(outline, known, to, length);
    }
    ewi_free(build->host, known);
    return true;
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

struct place {
    const struct ewi_mesh_build *build;
    const struct outline *outline;
};

static void locate_node(const void *context, int32_t i, double xy[2])
{
    const struct place *place = context;
    memcpy(xy, place_of(place->build, place->outline, i), 2 * sizeof *xy);
}

static void extend(struct box *box, const double *low, const double *high)
{
    for (int axis = 0; axis < 2; axis++) {
        box->low[axis] = fmin(box->low[axis], low[axis]);
        box->high[axis] = fmax(box->high[axis], high[axis]);
    }
}

static int make_tree(const struct ewi_mesh_build *build, struct outline *outline)
{
    outline->leaves = 1;
    while ((int64_t)outline->leaves * LEAF < outline->nodes)
        outline->leaves *= 2;
    outline->box = ewi_scratch_alloc(&outline->scratch, 2 * (size_t)outline->leaves, sizeof *outline->box);
    if (!outline->box || ewi_sort_points(build, outline->nodes, locate_node, &(struct place){build, outline},
                                         outline->sorted) != EW_OK)
        return EW_ENOMEM;
    for (int32_t k = 0; k < 2 * outline->leaves; k++)
        outline->box[k] = (struct box){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int32_t i = 0; i < outline->nodes; i++) {
        const double *xy = place_of(build, outline, outline->sorted[i]);
        extend(&outline->box[outline->leaves + i / LEAF], xy, xy);
    }
    for (int32_t k = 2 * outline->leaves - 1; k > 1; k--)
        extend(&outline->box[k / 2], outline->box[k].low, outline->box[k].high);
    return EW_OK;
}

/* Finds the nodes that are nearer than `margin` to the line from a to b, and some others. */
struct search {
    const double *a, *b;
    double margin;
    int32_t at, end;         /* of `sorted`: a leaf */
    int32_t box[DEEPEST], boxes; /* to be looked into */
};

static struct search search_along(const double *a, const double *b, double margin)
{
    return (struct search){.a = a, .b = b, .margin = margin, .box = {1}, .boxes = 1};
}

/* Returns false if the box lies outside the line's box, or has all corners on one side of the line. */
static bool may_hold(const struct search *search, const struct box *box)
{
    const double *a = search->a, *b = search->b, margin = search->margin;
    for (int axis = 0; axis < 2; axis++)
        if (fmax(a[axis], b[axis]) + margin < box->low[axis] || fmin(a[axis], b[axis]) - margin > box->high[axis])
            return false;
    double x = b[0] - a[0], y = b[1] - a[1];
    double across = (0.5 * (box->low[0] + box->high[0]) - a[0]) * y - (0.5 * (box->low[1] + box->high[1]) - a[1]) * x;
    double width = 0.5 * (box->high[0] - box->low[0]) + margin, height = 0.5 * (box->high[1] - box->low[1]) + margin;
    return fabs(across) <= width * fabs(y) + height * fabs(x);
}

/* -1: there are no more. */
static int32_t next_node(struct outline *outline, struct search *search)
{
    while (search->at == search->end && search->boxes > 0) {
        int32_t k = search->box[--search->boxes];
        if (!may_hold(search, &outline->box[k]))
            continue;
        if (k < outline->leaves) {
            search->box[search->boxes++] = 2 * k + 1;
            search->box[search->boxes++] = 2 * k;
            continue;
        }
        search->at = (k - outline->leaves) * LEAF;
        search->end = search->at + LEAF < outline->nodes ? search->at + LEAF : outline->nodes;
    }
    if (search->at == search->end || outline->tests >= MOST_TESTS)
        return -1;
    outline->tests++;
    return outline->sorted[search->at++];
}

/* ---- nodes at the same place, cracks ----------------------------------------------------------------------------- */

/* The first node, in the outline's numbers, that is nearer than the reach. */
static int32_t first_at_place(const struct ewi_mesh_build *build, struct outline *outline, int32_t node)
{
    const double *xy = place_of(build, outline, node), reach = outline->reach[node];
    struct search search = search_along(xy, xy, reach);
    int32_t first = node;
    for (int32_t other; (other = next_node(outline, &search)) >= 0;) {
        const double *at = place_of(build, outline, other);
        if (other < first && hypot(at[0] - xy[0], at[1] - xy[1]) <= reach)
            first = other;
    }
    return first;
}

static void find_places(const struct ewi_mesh_build *build, struct outline *outline)
{
    for (int32_t i = 0; i < outline->nodes; i++) {
        int32_t first = first_at_place(build, outline, i);
        outline->place[i] = first < i ? outline->place[first] : i;
    }
    for (int32_t k = 0; k < outline->edges; k++) {
        if (build->edges.edge[outline->edge[k]].right != EWI_UNNAMED)
            continue;
        outline->near_unnamed[outline->place[outline->from[k]]] = 1;
        outline->near_unnamed[outline->place[outline->to[k]]] = 1;
    }
}

static void report_crack(struct ewi_mesh_build *build, struct outline *outline, int32_t a, int32_t b)
{
    int32_t e = outline->edge[a], f = outline->edge[b];
    if (build->edges.edge[e].right != EWI_UNNAMED && build->edges.edge[f].right != EWI_UNNAMED)
        return;
    outline->explained[a] = outline->explained[b] = 1;
    ewi_defect(&build->defects, EWI_DEFECT_CRACK,
               "%s lies on %s, but they do not share their nodes (a crack): make nodes at one place the same node, or "
               "name both edges",
               ewi_edge_words(build, e).text, ewi_edge_words(build, f).text);
}

static int report_cracks(struct ewi_mesh_build *build, struct outline *outline)
{
    uint64_t *key = ewi_scratch_alloc(&outline->scratch, (size_t)outline->edges, sizeof *key);
    int32_t *position = ewi_scratch_alloc(&outline->scratch, (size_t)outline->edges, sizeof *position);
    for (int32_t k = 0; position && k < outline->edges; k++) {
        uint64_t a = (uint64_t)outline->place[outline->from[k]], b = (uint64_t)outline->place[outline->to[k]];
        key[k] = a < b ? a << 32 | b : b << 32 | a;
        position[k] = k;
    }
    if (!position || ewi_sort(build->host, outline->edges, key, position) != EW_OK)
        return EW_ENOMEM;
    for (int32_t k = 0, first = 0; k < outline->edges; k++) {
        if (key[k] != key[first])
            first = k;
        if (k > first)
            report_crack(build, outline, position[first], position[k]);
    }
    return EW_OK;
}

/* ---- hanging nodes ----------------------------------------------------------------------------------------------- */

/* True if a node lies inside an edge, apart from its ends. */
static bool lies_on(const struct ewi_mesh_build *build, const struct outline *outline, int32_t node, int32_t k)
{
    int32_t from = outline->place[outline->from[k]], to = outline->place[outline->to[k]];
    if (node == from || node == to)
        return false;
    const double *a = place_of(build, outline, from), *b = place_of(build, outline, to),
                 *c = place_of(build, outline, node);
    double x = b[0] - a[0], y = b[1] - a[1], squared = x * x + y * y;
    double along = (c[0] - a[0]) * x + (c[1] - a[1]) * y, across = (c[1] - a[1]) * x - (c[0] - a[0]) * y;
    return along > 0 && along < squared && fabs(across) <= SAME_PLACE * squared;
}

static void test_hanging(struct ewi_mesh_build *build, struct outline *outline, int32_t k, int32_t node)
{
    bool unnamed = build->edges.edge[outline->edge[k]].right == EWI_UNNAMED;
    if (outline->place[node] != node || !lies_on(build, outline, node, k))
        return;
    outline->hangs[node] = 1 + k;
    if (!unnamed && !outline->near_unnamed[node])
        return;
    outline->told[node] = 1;
    if (unnamed)
        outline->explained[k] = 1;
    ewi_defect(&build->defects, EWI_DEFECT_HANGING,
               "%s hangs on %s: triangles on both sides of an edge must have the same nodes",
               ewi_node_words(build, outline->node[node]).text, ewi_edge_words(build, outline->edge[k]).text);
}

static void find_hanging_on(struct ewi_mesh_build *build, struct outline *outline, int32_t k)
{
    const double *a = place_of(build, outline, outline->from[k]), *b = place_of(build, outline, outline->to[k]);
    struct search search = search_along(a, b, 2 * SAME_PLACE * ewi_distance(a, b));
    for (int32_t node; (node = next_node(outline, &search)) >= 0;)
        test_hanging(build, outline, k, node);
}

/* True if edge k, which starts where a node hangs on edge `other` and ends at `end`, runs along that edge. */
static bool runs_along(const struct ewi_mesh_build *build, const struct outline *outline, int32_t k, int32_t end,
                       int32_t other)
{
    int32_t from = outline->place[outline->from[other]], to = outline->place[outline->to[other]];
    const double *a = place_of(build, outline, from), *b = place_of(build, outline, to);
    const double *c = place_of(build, outline, outline->from[k]), *d = place_of(build, outline, outline->to[k]);
    double x = b[0] - a[0], y = b[1] - a[1], s = d[0] - c[0], t = d[1] - c[1];
    return fabs(x * t - y * s) <= ALONG * hypot(x, y) * hypot(s, t) &&
           (end == from || end == to || lies_on(build, outline, end, other) || lies_on(build, outline, from, k) ||
            lies_on(build, outline, to, k));
}

/* Reports the nodes at the ends of edge k that hang on a named edge, unless they were reported before. */
static void report_overlap(struct ewi_mesh_build *build, struct outline *outline, int32_t k)
{
    const int32_t end[2] = {outline->place[outline->from[k]], outline->place[outline->to[k]]};
    for (int i = 0; i < 2; i++) {
        int32_t other = outline->hangs[end[i]] - 1;
        if (other < 0 || outline->told[end[i]] || !runs_along(build, outline, k, end[1 - i], other))
            continue;
        outline->told[end[i]] = 1;
        ewi_defect(
            &build->defects, EWI_DEFECT_HANGING,
            "%s hangs on %s, and %s lies along that: both sides of an edge, and of a slit, must have the same nodes",
            ewi_node_words(build, outline->node[end[i]]).text, ewi_edge_words(build, outline->edge[other]).text,
            ewi_edge_words(build, outline->edge[k]).text);
    }
}

static bool is_on(const struct outline *outline, int32_t place, int32_t k)
{
    return outline->hangs[place] == 1 + k || place == outline->place[outline->from[k]] ||
           place == outline->place[outline->to[k]];
}

/* Edges without a name that lie along an edge with hanging nodes need no sentence of their own. */
static void explain_by_hanging(struct outline *outline, int32_t k)
{
    int32_t from = outline->place[outline->from[k]], to = outline->place[outline->to[k]];
    int32_t hosts[2] = {outline->hangs[from] - 1, outline->hangs[to] - 1};
    for (int end = 0; end < 2; end++)
        if (hosts[end] >= 0 && is_on(outline, from, hosts[end]) && is_on(outline, to, hosts[end]))
            outline->explained[k] = 1;
}

/* One sentence for all of them, which usually are one forgotten curve. */
static void report_unnamed(struct ewi_mesh_build *build, struct outline *outline)
{
    int32_t unnamed = 0, first = 0;
    char others[64] = "";
    for (int32_t k = outline->edges; k-- > 0;) {
        int32_t e = outline->edge[k];
        explain_by_hanging(outline, k);
        if (build->edges.edge[e].right == EWI_UNNAMED && !outline->explained[k])
            unnamed++, first = e;
    }
    if (unnamed == 0)
        return;
    if (unnamed > 1)
        ewi_snprintf(others, sizeof others, ", like %" PRId32 " other edge%s", unnamed - 1,
                     unnamed == 2 ? "" : "s");
    ewi_defect(&build->defects, EWI_DEFECT_UNNAMED, "%s has a triangle on one side only, but no boundary name%s%s",
               ewi_edge_words(build, first).text, others,
               build->data->source ? "; put all curves of the boundary into physical groups, for example "
                                     EWI_ADVICE_GROUP : "");
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static int search(struct ewi_mesh_build *build, struct outline *outline)
{
    allocate_outline(outline);
    if (outline->scratch.failed || !collect_outline(build, outline) || make_tree(build, outline) != EW_OK)
        return EW_ENOMEM;
    find_places(build, outline);
    if (report_cracks(build, outline) != EW_OK)
        return EW_ENOMEM;
    for (int32_t k = 0; k < outline->edges; k++)
        find_hanging_on(build, outline, k);
    for (int32_t k = 0; k < outline->edges; k++)
        report_overlap(build, outline, k);
    if (outline->tests >= MOST_TESTS)
        ewi_log(build->host, EW_LOG_WARNING,
                "the search for cracks and hanging nodes ended early: the mesh has too many nodes at one place");
    report_unnamed(build, outline);
    return EW_OK;
}

int ewi_mesh_check_outline(struct ewi_mesh_build *build, ew_error *error)
{
    struct outline outline = {.scratch = {.host = build->host}};
    for (int32_t e = 0; e < build->edges.count; e++)
        outline.edges += build->edges.edge[e].right < 0;
    if (outline.edges == 0)
        return EW_OK;
    int status = search(build, &outline);
    ewi_scratch_free(&outline.scratch);
    if (status != EW_OK)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to check the boundary of the mesh");
    return EW_OK;
}
