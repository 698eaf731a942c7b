/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes a mesh from arrays: elements, edges, boundaries. */
#include "ewi_mesh_build.h"
#include "ewi_parallel.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/*
 * Memory per triangle (a triangle has half a node and 1.5 edges): 55 bytes kept; 88 at most while it is made, beside
 * what was given. A triangle is degenerate if its area is at most DEGENERATE times the square of its longest edge: its
 * angles would drown in rounding errors.
 */
#define DEGENERATE 1e-12
#define SHORTEST_EDGE 1e-100 /* squares must not vanish */

static int no_memory(ew_error *error, int64_t triangles)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory to prepare a mesh of %" PRId64 " triangles", triangles);
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static bool has_all_arrays(const ew_mesh_data *data)
{
    return (data->nodes == 0 || data->xy) && (data->triangles == 0 || data->triangle) &&
           (data->lines == 0 || (data->line && data->line_name)) && (data->names == 0 || data->name) &&
           (data->periodics == 0 || data->periodic);
}

static void check_names(struct ewi_mesh_build *build)
{
    const ew_mesh_data *data = build->data;
    for (int32_t k = 0; k < data->names; k++) {
        if (!data->name[k] || !data->name[k][0])
            ewi_defect(&build->defects, EWI_DEFECT_ARGUMENT, "boundary name number %" PRId32 " is empty", k);
        for (int32_t other = 0; other < k; other++)
            if (data->name[k] && data->name[other] && strcmp(data->name[k], data->name[other]) == 0)
                ewi_defect(&build->defects, EWI_DEFECT_ARGUMENT, "the boundary name \"%s\" is listed twice",
                           data->name[k]);
    }
}

static void check_count(struct ewi_mesh_build *build, const char *what, int64_t count, int64_t most)
{
    if (count > most)
        ewi_defect(&build->defects, EWI_DEFECT_ARGUMENT, "the mesh has %" PRId64 " %s; at most %" PRId64
                   " are possible", count, what, most);
}

static int check_arguments(struct ewi_mesh_build *build, ew_error *error)
{
    const ew_mesh_data *data = build->data;
    struct ewi_defects *defects = &build->defects;
    if (data->nodes < 0 || data->triangles < 0 || data->lines < 0 || data->names < 0 || data->periodics < 0)
        ewi_defect(defects, EWI_DEFECT_ARGUMENT,
                   "a number of nodes, triangles, lines, names or periodic pairs is negative");
    else if (!has_all_arrays(data))
        ewi_defect(defects, EWI_DEFECT_ARGUMENT,
                   "an array of nodes, triangles, lines, names or periodic pairs is missing");
    else if (data->names > EWI_MESH_MOST_NAMES || data->periodics > EWI_MESH_MOST_NAMES)
        ewi_defect(defects, EWI_DEFECT_ARGUMENT, "the mesh has %" PRId32 " boundary names and %" PRId32
                   " periodic pairs; %d are possible", data->names, data->periodics, EWI_MESH_MOST_NAMES);
    else
        check_names(build);
    if (defects->total)
        return ewi_defects_close(defects, EW_EINVAL, error);

    if (data->triangles == 0)
        ewi_defect(defects, EWI_DEFECT_ARGUMENT, "the mesh has no triangles");
    check_count(build, "triangles", data->triangles, EWI_MESH_MOST_TRIANGLES);
    check_count(build, "lines", data->lines, 3 * EWI_MESH_MOST_TRIANGLES);
    check_count(build, "nodes", data->nodes, EWI_MESH_MOST_NODES);
    return ewi_defects_close(defects, EW_EMESH, error);
}

/* A line has both coordinates of its middle or none. */
static void check_middles(struct ewi_mesh_build *build)
{
    const ew_mesh_data *data = build->data;
    for (int64_t l = 0; data->line_middle && l < data->lines; l++) {
        const double *xy = data->line_middle + 2 * l;
        bool good = fabs(xy[0]) <= EWI_MESH_LARGEST_COORDINATE && fabs(xy[1]) <= EWI_MESH_LARGEST_COORDINATE;
        if (!good && !(isnan(xy[0]) && isnan(xy[1])))
            ewi_defect(&build->defects, EWI_DEFECT_LINE, "%s has a middle (%g, %g) whose coordinates are not finite "
                       "numbers of at most %g", ewi_line_words(build, l).text, xy[0], xy[1],
                       EWI_MESH_LARGEST_COORDINATE);
    }
}

/* ---- nodes and triangles ----------------------------------------------------------------------------------------- */

static void check_nodes(struct ewi_mesh_build *build)
{
    const ew_mesh_data *data = build->data;
    for (int64_t i = 0; i < data->nodes; i++) {
        const double *xy = data->xy + 2 * i;
        if (fabs(xy[0]) <= EWI_MESH_LARGEST_COORDINATE && fabs(xy[1]) <= EWI_MESH_LARGEST_COORDINATE)
            continue;
        ewi_defect(&build->defects, EWI_DEFECT_NODE, "%s has coordinates that are not finite numbers of at most %g",
                   ewi_node_words(build, i).text, EWI_MESH_LARGEST_COORDINATE);
    }
}

static double squared_distance(const double *a, const double *b)
{
    double dx = b[0] - a[0], dy = b[1] - a[1];
    return dx * dx + dy * dy;
}

static void extend_box(ew_mesh_info *info, const double *xy)
{
    info->xmin = xy[0] < info->xmin ? xy[0] : info->xmin;
    info->xmax = xy[0] > info->xmax ? xy[0] : info->xmax;
    info->ymin = xy[1] < info->ymin ? xy[1] : info->ymin;
    info->ymax = xy[1] > info->ymax ? xy[1] : info->ymax;
}

static bool has_usable_nodes(struct ewi_mesh_build *build, int64_t i)
{
    const int64_t *node = build->data->triangle + 3 * i;
    if (!ewi_mesh_has_nodes(build, EWI_DEFECT_INDEX, i, node, 3))
        return false;
    if (node[0] != node[1] && node[1] != node[2] && node[2] != node[0])
        return true;
    ewi_defect(&build->defects, EWI_DEFECT_REPEATED, "%s is degenerate: a node is given twice",
               ewi_triangle_words(build, i).text);
    return false;
}

/* Areas, orientation, extent. We check all triangles before we change any, so messages come in file order. */
static void check_triangles(struct ewi_mesh_build *build)
{
    const double *xy = build->data->xy;
    ew_mesh_info *info = &build->mesh->info;
    info->xmin = info->ymin = INFINITY;
    info->xmax = info->ymax = -INFINITY;
    for (int64_t i = 0; i < build->data->triangles; i++) {
        if (!has_usable_nodes(build, i))
            continue;
        const int64_t *node = build->data->triangle + 3 * i;
        const double *a = xy + 2 * node[0], *b = xy + 2 * node[1], *c = xy + 2 * node[2];
        double det = ewi_determinant(a, b, c),
               longest = fmax(fmax(squared_distance(a, b), squared_distance(b, c)), squared_distance(c, a));
        if (longest < SHORTEST_EDGE * SHORTEST_EDGE)
            ewi_defect(&build->defects, EWI_DEFECT_DEGENERATE,
                       "%s is too small to compute with: its edges are shorter than %g; choose another unit of length",
                       ewi_triangle_words(build, i).text, SHORTEST_EDGE);
        else if (!(fabs(det) > 2 * DEGENERATE * longest))
            ewi_defect(&build->defects, EWI_DEFECT_DEGENERATE,
                       "%s is degenerate: its area is %g, with a longest edge of %g at (%g, %g)",
                       ewi_triangle_words(build, i).text, 0.5 * fabs(det), sqrt(longest), a[0], a[1]);
        info->reoriented += det < 0;
        info->area += 0.5 * fabs(det);
        extend_box(info, a);
        extend_box(info, b);
        extend_box(info, c);
    }
}

static void locate_centroid(const void *context, int32_t i, double xy[2])
{
    const ew_mesh_data *data = context;
    const int64_t *node = data->triangle + 3 * (size_t)i;
    for (int axis = 0; axis < 2; axis++)
        xy[axis] = (data->xy[2 * node[0] + axis] + data->xy[2 * node[1] + axis] + data->xy[2 * node[2] + axis]) / 3;
}

/* Triangles in their new order, counter-clockwise. */
static void place_triangles(void *context, int64_t first, int64_t last)
{
    const struct ewi_mesh_build *build = context;
    ew_mesh *mesh = build->mesh;
    for (int32_t i = (int32_t)first; i < last; i++) {
        const int64_t *from = build->data->triangle + 3 * (size_t)mesh->file_index[i];
        int32_t *node = mesh->triangle + 3 * (size_t)i;
        mesh->order[mesh->file_index[i]] = i;
        for (int k = 0; k < 3; k++)
            node[k] = (int32_t)from[k];
        if (ewi_mesh_det(mesh, i) < 0) {
            node[1] = (int32_t)from[2];
            node[2] = (int32_t)from[1];
        }
    }
}

static int prepare_elements(struct ewi_mesh_build *build, ew_error *error)
{
    ew_mesh *mesh = build->mesh;
    check_nodes(build);
    check_middles(build);
    check_triangles(build);
    if (build->defects.total)
        return ewi_defects_close(&build->defects, EW_EMESH, error);
    mesh->nodes = (int32_t)build->data->nodes;
    mesh->elements = (int32_t)build->data->triangles;
    mesh->file_index = ewi_alloc(build->host, (size_t)mesh->elements, sizeof *mesh->file_index);
    /* Along a Hilbert curve through the centroids; equal positions keep the order of the file. */
    if (!mesh->file_index ||
        ewi_sort_points(build, mesh->elements, locate_centroid, build->data, mesh->file_index) != EW_OK)
        return no_memory(error, mesh->elements);
    mesh->xy = ewi_alloc(build->host, (size_t)mesh->nodes, 2 * sizeof *mesh->xy);
    mesh->triangle = ewi_alloc(build->host, (size_t)mesh->elements, 3 * sizeof *mesh->triangle);
    mesh->order = ewi_alloc(build->host, (size_t)mesh->elements, sizeof *mesh->order);
    if (!mesh->xy || !mesh->triangle || !mesh->order)
        return no_memory(error, mesh->elements);
    memcpy(mesh->xy, build->data->xy, (size_t)mesh->nodes * 2 * sizeof *mesh->xy);
    ewi_parallel_shares(mesh->elements, EWI_MANY, place_triangles, build);
    return EW_OK;
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static bool grow_edges(const ew_host *host, struct ewi_edges *edges, int32_t capacity)
{
    struct ewi_edge *larger = ewi_alloc(host, (size_t)capacity, sizeof *larger);
    if (!larger)
        return false;
    if (edges->count)
        memcpy(larger, edges->edge, (size_t)edges->count * sizeof *larger);
    ewi_free(host, edges->edge);
    edges->edge = larger;
    edges->capacity = capacity;
    return true;
}

/* If all boundary edges have names, there are (3 triangles + lines) / 2 edges at most. Only broken meshes have more. */
static int32_t likely_edges(const ew_mesh_data *data)
{
    int64_t most = 3 * data->triangles;
    return (int32_t)((most + (data->lines < most ? data->lines : most) + 1) / 2);
}

static bool add_edge(struct ewi_mesh_build *build, int32_t element, int side, int32_t a, int32_t b)
{
    struct ewi_edges *edges = &build->edges;
    if (edges->count == edges->capacity) {
        int64_t more = (int64_t)edges->capacity + edges->capacity / 4 + 16, most = 3 * (int64_t)build->mesh->elements;
        if (!grow_edges(build->host, edges, (int32_t)(more < most ? more : most)))
            return false;
    }
    int32_t lower = a < b ? a : b;
    edges->edge[edges->count++] = (struct ewi_edge){.left = element, .left_side = (uint8_t)side, .right = EWI_UNNAMED,
                                                    .upper = a < b ? b : a, .next = edges->head[lower]};
    edges->head[lower] = edges->count;
    return true;
}

static int32_t opposite_node(const ew_mesh *mesh, int32_t element, int side)
{
    return mesh->triangle[3 * (size_t)element + (size_t)(side + 2) % 3];
}

/* Two triangles on one side of an edge: duplicates, or triangles that overlap. */
static void report_overlap(struct ewi_mesh_build *build, int32_t e, int32_t element, int side, int32_t other,
                           int other_side)
{
    const ew_mesh *mesh = build->mesh;
    int32_t apex = opposite_node(mesh, element, side), a = ewi_edge_from(build, e), b = ewi_edge_to(build, e);
    int32_t one = mesh->file_index[element], two = mesh->file_index[other];
    int32_t early = one < two ? one : two, late = one < two ? two : one;
    if (opposite_node(mesh, other, other_side) != apex)
        ewi_defect(&build->defects, EWI_DEFECT_OVERLAP,
                   "%s and %s overlap: both lie on the same side of the edge from %s to %s%s",
                   ewi_triangle_words(build, early).text, ewi_triangle_words(build, late).text,
                   ewi_node_words(build, a).text, ewi_node_words(build, b).text,
                   build->edges.edge[e].right >= 0 ? ", which has three triangles" : "");
    else if (apex > a && apex > b) /* of the three edges, only one reports it */
        ewi_defect(&build->defects, EWI_DEFECT_DUPLICATE, "%s is a duplicate of %s",
                   ewi_triangle_words(build, late).text, ewi_triangle_words(build, early).text);
}

/* Gives edge e its second element, which must run along it in the opposite direction. */
static void close_edge(struct ewi_mesh_build *build, int32_t e, int32_t element, int side, int32_t from)
{
    struct ewi_edges *edges = &build->edges;
    if (ewi_edge_from(build, e) == from) {
        report_overlap(build, e, element, side, edges->edge[e].left, edges->edge[e].left_side);
    } else if (edges->edge[e].right >= 0) {
        report_overlap(build, e, element, side, edges->edge[e].right, edges->edge[e].right_side);
    } else {
        edges->edge[e].right = element;
        edges->edge[e].right_side = (uint8_t)side;
    }
}

/* Goes through the elements in order, so that edges are in the order of their left elements, then sides. */
static int find_edges(struct ewi_mesh_build *build, ew_error *error)
{
    const ew_mesh *mesh = build->mesh;
    struct ewi_edges *edges = &build->edges;
    edges->head = ewi_alloc(build->host, (size_t)mesh->nodes, sizeof *edges->head);
    if (!edges->head || !grow_edges(build->host, edges, likely_edges(build->data)))
        return no_memory(error, mesh->elements);
    for (int32_t i = 0; i < mesh->elements; i++) {
        const int32_t *node = mesh->triangle + 3 * (size_t)i;
        for (int side = 0; side < 3; side++) {
            int32_t from = node[side], to = node[(side + 1) % 3], e = ewi_mesh_find_edge(edges, from, to);
            if (e >= 0)
                close_edge(build, e, i, side, from);
            else if (!add_edge(build, i, side, from, to))
                return no_memory(error, mesh->elements);
        }
    }
    return EW_OK;
}

/* ---- the finished mesh ------------------------------------------------------------------------------------------- */

/* Numbers the boundaries in the order of their names and counts their edges; those of periodic ones are gone. */
static int number_boundaries(struct ewi_mesh_build *build, int32_t *boundary_of_name)
{
    ew_mesh *mesh = build->mesh;
    const struct ewi_edges *edges = &build->edges;
    int32_t *count = build->boundary_edges, names = build->data->names;
    memset(count, 0, (size_t)names * sizeof *count);
    for (int32_t e = 0; e < edges->count; e++) {
        mesh->edges += edges->edge[e].right != EWI_MERGED;
        if (edges->edge[e].right <= EWI_NAMED(0) && edges->edge[e].right != EWI_MERGED)
            count[EWI_NAME_OF(edges->edge[e].right)]++;
    }
    mesh->boundary = ewi_alloc(build->host, (size_t)names, sizeof *mesh->boundary);
    if (!mesh->boundary)
        return EW_ENOMEM;
    for (int32_t k = 0; k < names; k++) {
        if (!count[k])
            continue;
        struct ewi_mesh_boundary *boundary = &mesh->boundary[mesh->boundaries];
        boundary_of_name[k] = mesh->boundaries++;
        boundary->first = mesh->boundary_edges;
        boundary->name = ewi_strdup(build->host, build->data->name[k]);
        if (!boundary->name)
            return EW_ENOMEM;
        mesh->boundary_edges += count[k];
    }
    return EW_OK;
}

static bool allocate_edges(ew_mesh *mesh)
{
    size_t edges = (size_t)mesh->edges;
    mesh->left = ewi_alloc(&mesh->host, edges, sizeof *mesh->left);
    mesh->right = ewi_alloc(&mesh->host, edges, sizeof *mesh->right);
    mesh->left_side = ewi_alloc(&mesh->host, edges, sizeof *mesh->left_side);
    mesh->right_side = ewi_alloc(&mesh->host, edges, sizeof *mesh->right_side);
    mesh->element_edge = ewi_alloc(&mesh->host, (size_t)mesh->elements, 3 * sizeof *mesh->element_edge);
    return mesh->left && mesh->right && mesh->left_side && mesh->right_side && mesh->element_edge;
}

/* Boundary edges first, by boundary; each group stays in the order of the left elements. */
static void place_edges(struct ewi_mesh_build *build, const int32_t *boundary_of_name)
{
    ew_mesh *mesh = build->mesh;
    const struct ewi_edges *edges = &build->edges;
    int32_t inner = mesh->boundary_edges;
    for (int32_t from = 0; from < edges->count; from++) {
        int32_t right = edges->edge[from].right, to;
        if (right == EWI_MERGED)
            continue;
        if (right >= 0) {
            to = inner++;
            mesh->right[to] = right;
            mesh->right_side[to] = edges->edge[from].right_side;
            mesh->element_edge[3 * (size_t)right + mesh->right_side[to]] = to;
        } else {
            int32_t boundary = boundary_of_name[EWI_NAME_OF(right)];
            to = mesh->boundary[boundary].first + mesh->boundary[boundary].count++;
            mesh->right[to] = -1 - boundary;
        }
        mesh->left[to] = edges->edge[from].left;
        mesh->left_side[to] = edges->edge[from].left_side;
        mesh->element_edge[3 * (size_t)mesh->left[to] + mesh->left_side[to]] = to;
    }
}

static int prepare_edges(struct ewi_mesh_build *build, ew_error *error)
{
    int status = EW_ENOMEM;
    int32_t *boundary_of_name = ewi_alloc(build->host, (size_t)build->data->names, sizeof *boundary_of_name);
    if (boundary_of_name)
        status = number_boundaries(build, boundary_of_name);
    if (status == EW_OK)
        status = allocate_edges(build->mesh) ? EW_OK : EW_ENOMEM;
    if (status == EW_OK)
        place_edges(build, boundary_of_name);
    ewi_free(build->host, boundary_of_name);
    return status == EW_OK ? EW_OK : no_memory(error, build->mesh->elements);
}

/* The middles of boundary edges; the edges in the making and those of the mesh have the same elements and sides. */
static int place_middles(struct ewi_mesh_build *build, ew_error *error)
{
    const ew_mesh_data *data = build->data;
    ew_mesh *mesh = build->mesh;
    if (!data->line_middle)
        return EW_OK;
    mesh->middle = ewi_alloc(build->host, (size_t)mesh->boundary_edges, 2 * sizeof *mesh->middle);
    if (!mesh->middle)
        return no_memory(error, mesh->elements);
    for (int32_t k = 0; k < 2 * mesh->boundary_edges; k++)
        mesh->middle[k] = NAN;
    for (int64_t l = 0; l < data->lines; l++) {
        int32_t made = ewi_mesh_find_edge(&build->edges, (int32_t)data->line[2 * l], (int32_t)data->line[2 * l + 1]);
        if (made < 0 || data->line_name[l] < 0 || isnan(data->line_middle[2 * l]))
            continue;
        const struct ewi_edge *edge = &build->edges.edge[made];
        int32_t e = mesh->element_edge[3 * (size_t)edge->left + edge->left_side];
        if (e < mesh->boundary_edges)
            memcpy(mesh->middle + 2 * (size_t)e, data->line_middle + 2 * l, 2 * sizeof *mesh->middle);
    }
    for (int32_t e = 0; e < mesh->boundary_edges; e++)
        mesh->info.middles += isfinite(mesh->middle[2 * (size_t)e]);
    return EW_OK;
}

/* ---- facts about the mesh ---------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 32;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = mix(hash, (unsigned char)*text);
    return mix(hash, 256);
}

static uint64_t mix_number(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return mix(hash, bits);
}

/* Hash of the input in its order: a state belongs to a mesh with the same hash. */
static uint64_t hash_of(const ew_mesh_data *data)
{
    uint64_t hash = mix(mix(mix(0x9e3779b97f4a7c15u, (uint64_t)data->nodes), (uint64_t)data->triangles),
                        (uint64_t)data->lines);
    for (int64_t k = 0; k < 2 * data->nodes; k++)
        hash = mix_number(hash, data->xy[k]);
    for (int64_t k = 0; k < 3 * data->triangles; k++)
        hash = mix(hash, (uint64_t)data->triangle[k]);
    for (int64_t l = 0; l < data->lines; l++)
        hash = mix(mix(mix(hash, (uint64_t)data->line[2 * l]), (uint64_t)data->line[2 * l + 1]),
                   (uint64_t)data->line_name[l]);
    for (int32_t k = 0; k < data->names; k++)
        hash = mix_text(hash, data->name[k]);
    for (int32_t k = 0; k < data->periodics; k++)
        hash = mix_text(mix_text(hash, data->periodic[k].first), data->periodic[k].second);
    for (int64_t k = 0; data->line_middle && k < 2 * data->lines; k++)
        hash = mix_number(hash, data->line_middle[k]);
    return hash;
}

size_t ewi_mesh_bytes(int64_t nodes, int64_t elements, int64_t edges, int32_t boundaries)
{
    const ew_mesh *mesh = NULL; /* for its types */
    size_t bytes = sizeof *mesh + (size_t)boundaries * sizeof *mesh->boundary + (size_t)nodes * 2 * sizeof *mesh->xy;
    bytes += (size_t)elements * (3 * sizeof *mesh->triangle + sizeof *mesh->file_index + sizeof *mesh->order +
                                 3 * sizeof *mesh->element_edge);
    return bytes + (size_t)edges *
                       (sizeof *mesh->left + sizeof *mesh->right + sizeof *mesh->left_side + sizeof *mesh->right_side);
}

static size_t bytes_of(const ew_mesh *mesh)
{
    size_t bytes = ewi_mesh_bytes(mesh->nodes, mesh->elements, mesh->edges, mesh->boundaries);
    bytes += mesh->middle ? (size_t)mesh->boundary_edges * 2 * sizeof *mesh->middle : 0;
    for (int32_t k = 0; k < mesh->boundaries; k++)
        bytes += strlen(mesh->boundary[k].name) + 1;
    return bytes;
}

static void measure_diameters(void *context, int64_t first, int64_t last)
{
    struct ewi_mesh_build *build = context;
    ew_mesh_info *info = &build->mesh->info;
    double smallest = INFINITY, largest = 0;
    for (int32_t i = (int32_t)first; i < last; i++) {
        double diameter = ewi_mesh_inscribed_diameter(build->mesh, i);
        smallest = fmin(smallest, diameter);
        largest = fmax(largest, diameter);
    }
    pthread_mutex_lock(&build->lock);
    info->smallest_diameter = fmin(info->smallest_diameter, smallest);
    info->largest_diameter = fmax(info->largest_diameter, largest);
    pthread_mutex_unlock(&build->lock);
}

static void fill_info(struct ewi_mesh_build *build)
{
    ew_mesh *mesh = build->mesh;
    ew_mesh_info *info = &mesh->info;
    info->nodes = mesh->nodes;
    info->elements = mesh->elements;
    info->edges = mesh->edges;
    info->boundary_edges = mesh->boundary_edges;
    info->boundaries = mesh->boundaries;
    info->smallest_diameter = INFINITY;
    info->largest_diameter = 0;
    ewi_parallel_shares(mesh->elements, EWI_MANY, measure_diameters, build);
    info->hash = hash_of(build->data);
    info->bytes = bytes_of(mesh);
    ewi_log(build->host, EW_LOG_DEBUG,
            "the mesh has %" PRId64 " triangles and %" PRId64 " edges; %" PRId64 " triangles were turned",
            info->elements, info->edges, info->reoriented);
}

/* ---- create and destroy ------------------------------------------------------------------------------------------ */

static int build_mesh(struct ewi_mesh_build *build, ew_error *error)
{
    TRY(check_arguments(build, error));
    TRY(prepare_elements(build, error));
    TRY(find_edges(build, error));
    TRY(ewi_mesh_name_edges(build, error));
    TRY(ewi_mesh_check_outline(build, error));
    TRY(ewi_mesh_join_periodic(build, error));
    TRY(ewi_defects_close(&build->defects, EW_EMESH, error));
    TRY(prepare_edges(build, error));
    TRY(place_middles(build, error));
    fill_info(build);
    return EW_OK;
}

int ew_mesh_create(const ew_host *host, const ew_mesh_data *data, ew_mesh **mesh, ew_error *error)
{
    EWI_REQUIRE(data, mesh);
    const ew_host own = ewi_host_or_default(host);
    struct ewi_mesh_build build = {
        .data = data,
        .mesh = ewi_alloc(&own, 1, sizeof *build.mesh),
        .host = &own,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .defects = {.source = data->source, .report = data->report, .context = data->report_context},
    };
    if (!build.mesh)
        return no_memory(error, data->triangles);
    build.mesh->host = own;
    int status = build_mesh(&build, error);
    ewi_free(&own, build.edges.edge);
    ewi_free(&own, build.edges.head);
    ewi_free(&own, build.boundary_edges);
    ewi_free(&own, build.inner_lines);
    ewi_free(&own, build.nested);
    if (status == EW_OK)
        *mesh = build.mesh;
    else
        ew_mesh_destroy(build.mesh);
    return status;
}

void ew_mesh_destroy(ew_mesh *mesh)
{
    if (!mesh)
        return;
    const ew_host host = mesh->host;
    for (int32_t k = 0; k < mesh->boundaries; k++)
        ewi_free(&host, mesh->boundary[k].name);
    void *const arrays[] = {mesh->xy,    mesh->triangle, mesh->file_index, mesh->order,      mesh->element_edge,
                            mesh->left,  mesh->right,    mesh->left_side,  mesh->right_side, mesh->boundary,
                            mesh->middle};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        ewi_free(&host, arrays[k]);
    ewi_free(&host, mesh);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

double ewi_mesh_det(const ew_mesh *mesh, int32_t i)
{
    const int32_t *node = mesh->triangle + 3 * (size_t)i;
    return ewi_determinant(mesh->xy + 2 * (size_t)node[0], mesh->xy + 2 * (size_t)node[1],
                           mesh->xy + 2 * (size_t)node[2]);
}

/* The radius is twice the area over the perimeter. */
double ewi_mesh_inscribed_diameter(const ew_mesh *mesh, int32_t i)
{
    const int32_t *node = mesh->triangle + 3 * (size_t)i;
    const double *a = mesh->xy + 2 * (size_t)node[0], *b = mesh->xy + 2 * (size_t)node[1],
                 *c = mesh->xy + 2 * (size_t)node[2];
    double perimeter = sqrt(squared_distance(a, b)) + sqrt(squared_distance(b, c)) + sqrt(squared_distance(c, a));
    return 2 * ewi_determinant(a, b, c) / perimeter;
}

void ew_mesh_get_info(const ew_mesh *mesh, ew_mesh_info *info)
{
    if (info)
        *info = mesh ? mesh->info : (ew_mesh_info){0};
}

const char *ew_mesh_boundary(const ew_mesh *mesh, int32_t k, int64_t *edges)
{
    if (!mesh || k < 0 || k >= mesh->boundaries)
        return NULL;
    if (edges)
        *edges = mesh->boundary[k].count;
    return mesh->boundary[k].name;
}

void ew_mesh_get_nodes(const ew_mesh *mesh, double *xy)
{
    if (mesh && xy)
        memcpy(xy, mesh->xy, (size_t)mesh->nodes * 2 * sizeof *xy);
}

void ew_mesh_get_triangles(const ew_mesh *mesh, int64_t *triangle)
{
    for (int32_t i = 0; mesh && triangle && i < mesh->elements; i++)
        for (int k = 0; k < 3; k++)
            triangle[3 * (size_t)mesh->file_index[i] + (size_t)k] = mesh->triangle[3 * (size_t)i + (size_t)k];
}

int ew_mesh_boundary_edge(const ew_mesh *mesh, int64_t e, int64_t *element, int *side, int32_t *boundary)
{
    if (!mesh || e < 0 || e >= mesh->boundary_edges)
        return EW_EINVAL;
    if (element)
        *element = mesh->file_index[mesh->left[e]];
    if (side)
        *side = mesh->left_side[e];
    if (boundary)
        *boundary = -1 - mesh->right[e];
    return EW_OK;
}

int ew_mesh_edge(const ew_mesh *mesh, int64_t e, int64_t element[2], int side[2])
{
    if (!mesh || !element || !side || e < 0 || e >= mesh->edges)
        return EW_EINVAL;
    bool inner = mesh->right[e] >= 0;
    element[0] = mesh->file_index[mesh->left[e]];
    element[1] = inner ? mesh->file_index[mesh->right[e]] : -1;
    side[0] = mesh->left_side[e];
    side[1] = inner ? mesh->right_side[e] : -1;
    return EW_OK;
}
