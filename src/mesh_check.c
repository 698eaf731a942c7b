/*
 * Boundary edges without a name. The cause is often not the missing name but two parts of the mesh that touch without
 * sharing nodes, so those are looked for: edges that lie on each other (cracks) and nodes inside an edge (hanging nodes).
 * Named edges may lie on each other: that is how a slit is made. All of this is skipped if every edge has a name.
 */
#include "ewi_mesh_build.h"

#include <math.h>
#include <string.h>

#define SAME_PLACE 1e-6       /* of the shortest edge at a node, and of an edge's length for nodes that lie on it */
#define MOST_TESTS 200000000  /* then the search ends: it explains, but is not needed to reject the mesh */

/* The boundary edges and their nodes, which have numbers of their own here, and a grid of cells over the nodes. */
struct outline {
    int32_t edges, nodes;
    int32_t *edge;          /* [edges] */
    int32_t *from, *to;     /* [edges]: nodes of the outline */
    int32_t *node;          /* [nodes]: nodes of the mesh */
    double *reach;          /* [nodes]: nearer nodes are at the same place */
    int32_t *place;         /* [nodes]: the first node at the same place */
    int32_t *hangs;         /* [nodes]: 1 + position of the edge that the node of this place hangs on */
    uint8_t *near_unnamed;  /* [nodes]: the place is an end of an edge without a name */
    uint8_t *explained;     /* [edges]: part of a crack or beside a hanging node */
    int32_t columns, rows;
    double x, y, cell;      /* corner of the grid and size of its square cells */
    int32_t *start, *member; /* nodes of cell k: member[start[k]] .. member[start[k + 1] - 1] */
    int64_t tests;
};

static void free_outline(const ew_host *host, struct outline *outline)
{
    void *const arrays[] = {outline->edge,  outline->from,         outline->to,        outline->node,  outline->reach, outline->place,
                            outline->hangs, outline->near_unnamed, outline->explained, outline->start, outline->member};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        ewi_free(host, arrays[k]);
}

static bool allocate_outline(const ew_host *host, struct outline *outline)
{
    size_t edges = (size_t)outline->edges;
    outline->edge = ewi_alloc(host, edges, sizeof *outline->edge);
    outline->from = ewi_alloc(host, edges, sizeof *outline->from);
    outline->to = ewi_alloc(host, edges, sizeof *outline->to);
    outline->explained = ewi_alloc(host, edges, sizeof *outline->explained);
    outline->node = ewi_alloc(host, 2 * edges, sizeof *outline->node);
    outline->reach = ewi_alloc(host, 2 * edges, sizeof *outline->reach);
    outline->place = ewi_alloc(host, 2 * edges, sizeof *outline->place);
    outline->hangs = ewi_alloc(host, 2 * edges, sizeof *outline->hangs);
    outline->near_unnamed = ewi_alloc(host, 2 * edges, sizeof *outline->near_unnamed);
    outline->start = ewi_alloc(host, 2 * edges + 2, sizeof *outline->start);
    outline->member = ewi_alloc(host, 2 * edges, sizeof *outline->member);
    return outline->edge && outline->from && outline->to && outline->explained && outline->node && outline->reach &&
           outline->place && outline->hangs && outline->near_unnamed && outline->start && outline->member;
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
        if (build->edges.right[e] >= 0)
            continue;
        int32_t from = ewi_edge_from(build, e), to = ewi_edge_to(build, e);
        const double *a = build->mesh->xy + 2 * (size_t)from, *b = build->mesh->xy + 2 * (size_t)to;
        double length = hypot(b[0] - a[0], b[1] - a[1]);
        outline->edge[k] = e;
        outline->from[k] = number_of(outline, known, from, length);
        outline->to[k++] = number_of(outline, known, to, length);
    }
    ewi_free(build->host, known);
    return true;
}

/* ---- the grid ----------------------------------------------------------------------------------------------------- */

static int32_t clamped_cell(double distance, double cell, int32_t cells)
{
    double position = distance / cell;
    if (!(position > 0))
        return 0;
    return position < cells ? (int32_t)position : cells - 1;
}

static int32_t cell_at(const struct outline *outline, const double *xy)
{
    return clamped_cell(xy[1] - outline->y, outline->cell, outline->rows) * outline->columns +
           clamped_cell(xy[0] - outline->x, outline->cell, outline->columns);
}

/* As many cells as nodes, more or less, and never more than twice as many. */
static void size_grid(const struct ewi_mesh_build *build, struct outline *outline)
{
    const ew_mesh_info *info = &build->mesh->info;
    double width = info->xmax - info->xmin, height = info->ymax - info->ymin;
    int64_t most = outline->edges < INT32_MAX / 4 ? 2 * (int64_t)outline->edges : INT32_MAX / 2;
    outline->x = info->xmin;
    outline->y = info->ymin;
    outline->cell = fmax(sqrt(width * (height / outline->nodes)), fmax(width, height) / outline->nodes);
    outline->columns = (int32_t)(width / outline->cell) + 1;
    outline->rows = (int32_t)(height / outline->cell) + 1;
    while ((int64_t)outline->columns * outline->rows > most) { /* rounding, or very few nodes */
        outline->cell *= 1.5;
        outline->columns = (int32_t)(width / outline->cell) + 1;
        outline->rows = (int32_t)(height / outline->cell) + 1;
    }
}

static void fill_grid(const struct ewi_mesh_build *build, struct outline *outline)
{
    size_grid(build, outline);
    int32_t cells = outline->columns * outline->rows;
    for (int32_t i = 0; i < outline->nodes; i++)
        outline->start[cell_at(outline, place_of(build, outline, i)) + 1]++;
    for (int32_t k = 0; k < cells; k++)
        outline->start[k + 1] += outline->start[k];
    for (int32_t i = outline->nodes - 1; i >= 0; i--) /* fills each cell from its end, found through the next one's start */
        outline->member[--outline->start[cell_at(outline, place_of(build, outline, i)) + 1]] = i;
    for (int32_t k = 0; k < cells; k++) /* every start has moved down to that of the cell before it */
        outline->start[k] = outline->start[k + 1];
    outline->start[cells] = outline->nodes;
}

/* ---- nodes at the same place, cracks ------------------------------------------------------------------------------ */

/* The first node, in the outline's numbers, that is nearer than the reach. */
static int32_t first_at_place(const struct ewi_mesh_build *build, struct outline *outline, int32_t node)
{
    const double *xy = place_of(build, outline, node), reach = outline->reach[node];
    int32_t first = node;
    double low[2] = {xy[0] - reach, xy[1] - reach}, high[2] = {xy[0] + reach, xy[1] + reach};
    int32_t low_cell = cell_at(outline, low), high_cell = cell_at(outline, high);
    for (int32_t row = low_cell / outline->columns; row <= high_cell / outline->columns; row++) {
        for (int32_t column = low_cell % outline->columns; column <= high_cell % outline->columns; column++) {
            int32_t cell = row * outline->columns + column;
            for (int32_t k = outline->start[cell]; k < outline->start[cell + 1] && outline->tests < MOST_TESTS; k++) {
                int32_t other = outline->member[k];
                const double *at = place_of(build, outline, other);
                outline->tests++;
                if (other < first && hypot(at[0] - xy[0], at[1] - xy[1]) <= reach)
                    first = other;
            }
        }
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
        if (build->edges.right[outline->edge[k]] != EWI_UNNAMED)
            continue;
        outline->near_unnamed[outline->place[outline->from[k]]] = 1;
        outline->near_unnamed[outline->place[outline->to[k]]] = 1;
    }
}

static void report_crack(struct ewi_mesh_build *build, struct outline *outline, int32_t a, int32_t b)
{
    int32_t e = outline->edge[a], f = outline->edge[b];
    if (build->edges.right[e] != EWI_UNNAMED && build->edges.right[f] != EWI_UNNAMED)
        return;
    outline->explained[a] = outline->explained[b] = 1;
    ewi_defect(&build->defects, EWI_DEFECT_CRACK,
               "%s lies on %s, but they do not share their nodes (a crack): make nodes at one place the same node, or name both edges",
               ewi_edge_words(build, e).text, ewi_edge_words(build, f).text);
}

static int report_cracks(struct ewi_mesh_build *build, struct outline *outline)
{
    int status = EW_ENOMEM;
    uint64_t *key = ewi_alloc(build->host, (size_t)outline->edges, sizeof *key);
    int32_t *position = ewi_alloc(build->host, (size_t)outline->edges, sizeof *position);
    if (!key || !position)
        goto out;
    for (int32_t k = 0; k < outline->edges; k++) {
        uint64_t a = (uint64_t)outline->place[outline->from[k]], b = (uint64_t)outline->place[outline->to[k]];
        key[k] = a < b ? a << 32 | b : b << 32 | a;
        position[k] = k;
    }
    EWI_TRY(ewi_sort(build->host, outline->edges, key, position));
    for (int32_t k = 0, first = 0; k < outline->edges; k++) {
        if (key[k] != key[first])
            first = k;
        if (k > first)
            report_crack(build, outline, position[first], position[k]);
    }
out:
    ewi_free(build->host, position);
    ewi_free(build->host, key);
    return status;
}

/* ---- hanging nodes ------------------------------------------------------------------------------------------------ */

static void test_hanging(struct ewi_mesh_build *build, struct outline *outline, int32_t k, int32_t node)
{
    int32_t from = outline->place[outline->from[k]], to = outline->place[outline->to[k]];
    bool unnamed = build->edges.right[outline->edge[k]] == EWI_UNNAMED;
    outline->tests++;
    if (outline->place[node] != node || node == from || node == to || !(unnamed || outline->near_unnamed[node]))
        return;
    const double *a = place_of(build, outline, from), *b = place_of(build, outline, to), *c = place_of(build, outline, node);
    double x = b[0] - a[0], y = b[1] - a[1], squared = x * x + y * y;
    double along = (c[0] - a[0]) * x + (c[1] - a[1]) * y, across = (c[1] - a[1]) * x - (c[0] - a[0]) * y;
    if (!(along > 0 && along < squared && fabs(across) <= SAME_PLACE * squared))
        return;
    outline->hangs[node] = 1 + k;
    if (unnamed)
        outline->explained[k] = 1;
    ewi_defect(&build->defects, EWI_DEFECT_HANGING, "%s hangs on %s: triangles on both sides of an edge must have the same nodes",
               ewi_node_words(build, outline->node[node]).text, ewi_edge_words(build, outline->edge[k]).text);
}

/* Tests the nodes of the cells that edge k crosses, row by row. */
static void find_hanging_on(struct ewi_mesh_build *build, struct outline *outline, int32_t k)
{
    const double *a = place_of(build, outline, outline->from[k]), *b = place_of(build, outline, outline->to[k]);
    const double *low = a[1] < b[1] ? a : b, *high = a[1] < b[1] ? b : a;
    double rise = high[1] - low[1], run = high[0] - low[0], margin = SAME_PLACE * (fabs(rise) + fabs(run));
    int32_t first = clamped_cell(low[1] - margin - outline->y, outline->cell, outline->rows);
    int32_t last = clamped_cell(high[1] + margin - outline->y, outline->cell, outline->rows);
    for (int32_t row = first; row <= last && outline->tests < MOST_TESTS; row++) {
        double bottom = (outline->y + row * outline->cell - margin - low[1]) / rise, top = bottom + (outline->cell + 2 * margin) / rise;
        if (!(rise > margin)) {
            bottom = 0;
            top = 1;
        }
        double x0 = low[0] + run * fmin(fmax(bottom, 0), 1), x1 = low[0] + run * fmin(fmax(top, 0), 1);
        int32_t left = clamped_cell(fmin(x0, x1) - margin - outline->x, outline->cell, outline->columns);
        int32_t right = clamped_cell(fmax(x0, x1) + margin - outline->x, outline->cell, outline->columns);
        outline->tests += right - left;
        for (int32_t m = outline->start[row * outline->columns + left]; m < outline->start[row * outline->columns + right + 1]; m++)
            test_hanging(build, outline, k, outline->member[m]);
    }
}

static bool is_on(const struct outline *outline, int32_t place, int32_t k)
{
    return outline->hangs[place] == 1 + k || place == outline->place[outline->from[k]] || place == outline->place[outline->to[k]];
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

/* ---- all of it ---------------------------------------------------------------------------------------------------- */

static int search(struct ewi_mesh_build *build, struct outline *outline)
{
    if (!allocate_outline(build->host, outline) || !collect_outline(build, outline))
        return EW_ENOMEM;
    fill_grid(build, outline);
    find_places(build, outline);
    if (report_cracks(build, outline) != EW_OK)
        return EW_ENOMEM;
    for (int32_t k = 0; k < outline->edges; k++)
        find_hanging_on(build, outline, k);
    if (outline->tests >= MOST_TESTS)
        ewi_log(build->host, EW_LOG_WARNING, "the search for cracks and hanging nodes ended early: the mesh has too many boundary edges");
    for (int32_t k = 0; k < outline->edges; k++) {
        int32_t e = outline->edge[k];
        explain_by_hanging(outline, k);
        if (build->edges.right[e] == EWI_UNNAMED && !outline->explained[k])
            ewi_defect(&build->defects, EWI_DEFECT_UNNAMED, "%s has a triangle on one side only, but no boundary name",
                       ewi_edge_words(build, e).text);
    }
    return EW_OK;
}

int ewi_mesh_check_unnamed(struct ewi_mesh_build *build, ew_error *error)
{
    struct outline outline = {0};
    int32_t unnamed = 0;
    for (int32_t e = 0; e < build->edges.count; e++) {
        outline.edges += build->edges.right[e] < 0;
        unnamed += build->edges.right[e] == EWI_UNNAMED;
    }
    if (!unnamed)
        return EW_OK;
    int status = search(build, &outline);
    free_outline(build->host, &outline);
    if (status != EW_OK)
        return ewi_fail(error, EW_ENOMEM, "there is no memory to check the boundary of the mesh");
    return EW_OK;
}
