/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the sections of a Gmsh file, versions 2.0 to 2.2 and 4.1. */
#include "ewi_gmsh.h"
#include "ewi_mesh_advice.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <string.h>

#define MOST_TAGS 1000 /* per element */
#define MOST_ELEMENT_NODES 9

/* ---- numbers of nodes and curves --------------------------------------------------------------------------------- */

/* The slot of a number, or the empty slot for it. */
static uint64_t find_slot(const struct ewi_gmsh_index *index, int64_t label)
{
    uint64_t hash = (uint64_t)label * 0x9e3779b97f4a7c15u, last = (uint64_t)index->range - 1;
    uint64_t slot = (hash ^ hash >> 32) & last;
    while (index->table[slot] && index->label[index->table[slot] - 1] != label)
        slot = (slot + 1) & last;
    return slot;
}

static void measure_labels(struct ewi_gmsh_index *index, bool *in_a_row)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    *in_a_row = true;
    for (int64_t i = 0; i < index->count; i++) {
        int64_t label = index->label[i];
        *in_a_row = *in_a_row && (uint64_t)label - (uint64_t)index->label[0] == (uint64_t)i;
        low = label < low ? label : low;
        high = label > high ? label : high;
    }
    index->first = low;
    uint64_t range = (uint64_t)high - (uint64_t)low;
    index->is_hashed = range > (uint64_t)(8 * index->count + 1024);
    index->range = index->is_hashed ? 0 : (int64_t)range + 1;
}

/* Indexes the numbers of `what`, each of which must be unique; `at` is their position in the file. */
static int create_index(struct ewi_gmsh *gmsh, const char *at, const char *what, int64_t count, const int64_t *label,
                        struct ewi_gmsh_index *index)
{
    bool in_a_row;
    int64_t twice = -1;
    *index = (struct ewi_gmsh_index){.count = count, .label = label};
    if (count == 0)
        return EW_OK;
    measure_labels(index, &in_a_row);
    if (in_a_row)
        return EW_OK;
    if (index->is_hashed)
        for (index->range = 16; index->range < 2 * count;)
            index->range *= 2;
    index->table = ewi_alloc(gmsh->file->host, (size_t)index->range, sizeof *index->table);
    if (!index->table)
        return ewi_file_no_memory(gmsh->file);
    for (int64_t i = 0; i < count; i++) {
        uint64_t slot = index->is_hashed ? find_slot(index, label[i]) : (uint64_t)(label[i] - index->first);
        if (index->table[slot] && twice < 0)
            twice = label[i];
        index->table[slot] = (int32_t)i + 1;
    }
    return twice < 0 ? EW_OK : ewi_scan_fail(&gmsh->file->scan, at, "%s %" PRId64 " is listed twice", what, twice);
}

/* Position of a number, or -1. */
static int64_t find_label(const struct ewi_gmsh_index *index, int64_t label)
{
    if (index->table && index->is_hashed)
        return (int64_t)index->table[find_slot(index, label)] - 1;
    uint64_t offset = (uint64_t)label - (uint64_t)index->first;
    if (index->table)
        return offset < (uint64_t)index->range ? (int64_t)index->table[offset] - 1 : -1;
    return offset < (uint64_t)index->count ? (int64_t)offset : -1;
}

/* ---- heads of sections ------------------------------------------------------------------------------------------- */

/* Reads a line with the number of records, each of `least` bytes. */
static int read_count(struct ewi_scan *scan, const char *what, size_t least, int64_t *count)
{
    char number[64];
    ewi_snprintf(number, sizeof number, "the number of %s", what);
    ewi_scan_skip_space(scan);
    const char *at = scan->at;
    TRY(ewi_scan_text_integer(scan, number, count));
    TRY(ewi_scan_end_line(scan));
    return ewi_scan_check_count(scan, at, *count, least, what);
}

/*
 * 4.1: reads the number of blocks, one per entity, and of nodes or elements. Their lowest and highest numbers follow.
 */
static int read_counts_41(struct ewi_scan *scan, const char *what, size_t least, int64_t *blocks, int64_t *count)
{
    char entities[64], members[64];
    ewi_snprintf(entities, sizeof entities, "the number of entities with %s", what);
    ewi_snprintf(members, sizeof members, "the number of %s", what);
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(ewi_scan_size(scan, entities, blocks));
    TRY(ewi_scan_size(scan, members, count));
    if (scan->binary)
        TRY(ewi_scan_skip_numbers(scan, 2, "the lowest and the highest number"));
    else
        ewi_scan_skip_line(scan);
    TRY(ewi_scan_check_count(scan, at, *blocks, scan->binary ? 20 : 8, entities + strlen("the number of ")));
    return ewi_scan_check_count(scan, at, *count, least, what);
}

/* 4.1: reads a block's header: dimension and number of its entity, a third number, and the number of members. */
static int read_block_41(struct ewi_scan *scan, const char *third, const char *what, int64_t done, int64_t total,
                         int64_t number[4])
{
    char members[64];
    const char *at = scan->at;
    ewi_snprintf(members, sizeof members, "the number of the entity's %s", what);
    TRY(ewi_scan_int(scan, "the dimension of an entity", &number[0]));
    TRY(ewi_scan_int(scan, "the number of an entity", &number[1]));
    TRY(ewi_scan_int(scan, third, &number[2]));
    TRY(ewi_scan_size(scan, members, &number[3]));
    TRY(ewi_scan_end_record(scan));
    if (number[3] < 0 || number[3] > total - done)
        return ewi_scan_fail(scan, at, "an entity has %" PRId64 " %s, but only %" PRId64 " of the %" PRId64
                             " %s of the file are left", number[3], what, total - done, total, what);
    return EW_OK;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* A group is negative where a curve runs the other way, but Gmsh does not always keep the sign. */
static int take_group(struct ewi_gmsh *gmsh, int64_t tag, int32_t *position)
{
    return ewi_file_group(gmsh->file, tag < 0 ? -tag : tag, position);
}

/* Reads the text between the line's first and last quotation marks. */
static int read_quoted(struct ewi_gmsh *gmsh, const char **first, size_t *length)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    const char *line_end = ewi_scan_next(scan), *last;
    while (line_end < scan->end && *line_end != '\n')
        line_end++;
    for (last = line_end; last > scan->at && *last != '"'; last--)
        continue;
    if (*scan->at != '"' || last == scan->at)
        return ewi_scan_fail(scan, scan->at, "the name of a physical group must be in quotation marks");
    *first = scan->at + 1;
    *length = (size_t)(last - *first);
    if (*length == 0 || memchr(*first, '\0', *length))
        return ewi_scan_fail(scan, scan->at, "the name of a physical group is empty");
    scan->at = last + 1;
    return ewi_scan_end_line(scan);
}

/* In 2.0 the dimension may be missing, and then the group may or may not have curves. */
static int read_name(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t dimension = 0, tag = 0;
    const char *first = NULL;
    size_t length = 0;
    int32_t position = 0;
    ewi_scan_skip_space(scan);
    TRY(ewi_scan_text_integer(scan, "the dimension of a physical group", &dimension));
    bool has_dimension = !gmsh->is_20 || *ewi_scan_next(scan) != '"';
    if (has_dimension)
        TRY(ewi_scan_text_integer(scan, "the number of a physical group", &tag));
    else
        tag = dimension;
    TRY(read_quoted(gmsh, &first, &length));
    if (has_dimension && dimension != 1)
        return EW_OK;
    TRY(take_group(gmsh, tag, &position));
    gmsh->file->name[position].optional = !has_dimension;
    return ewi_file_set_name(gmsh->file, position, first, length);
}

int ewi_gmsh_read_names(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t count = 0;
    TRY(read_count(scan, "physical groups", 7, &count));
    for (int64_t k = 0; k < count; k++)
        TRY(read_name(gmsh));
    return EW_OK;
}

/* ---- entities (4.1): which physical groups a curve belongs to ---------------------------------------------------- */

/* Reads a counted list of 4-byte numbers and passes each to `take`, if given. */
static int read_list(struct ewi_gmsh *gmsh, const char *what, int (*take)(struct ewi_gmsh *gmsh, int64_t number))
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t count = 0, number = 0;
    const char *at = scan->at;
    TRY(ewi_scan_size(scan, "a count", &count));
    TRY(ewi_scan_check_count(scan, at, count, scan->binary ? 4 : 2, what));
    for (int64_t k = 0; k < count; k++) {
        TRY(ewi_scan_int(scan, "the number of an entity or a physical group", &number));
        if (take)
            TRY(take(gmsh, number));
    }
    return EW_OK;
}

/* Reads the parent entity of a part's entity, and the entity's parts. */
static int read_parent(struct ewi_gmsh *gmsh, int64_t *dimension)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t tag = 0;
    TRY(ewi_scan_int(scan, "the dimension of a parent entity", dimension));
    TRY(ewi_scan_int(scan, "the number of a parent entity", &tag));
    return read_list(gmsh, "parts", NULL);
}

static int read_point(struct ewi_gmsh *gmsh, bool of_part)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t tag = 0, parent = 0;
    ewi_scan_begin_record(scan);
    TRY(ewi_scan_int(scan, "a point's number", &tag));
    if (of_part)
        TRY(read_parent(gmsh, &parent));
    TRY(ewi_scan_skip_numbers(scan, 3, "a point's coordinate"));
    TRY(read_list(gmsh, "physical groups", NULL));
    return ewi_scan_end_record(scan);
}

static int take_group_of_curve(struct ewi_gmsh *gmsh, int64_t number)
{
    TRY(ewi_file_grow_by_one(gmsh->file, (void **)&gmsh->group, sizeof *gmsh->group, gmsh->groups,
                             &gmsh->group_capacity));
    gmsh->curve[gmsh->curves].groups++;
    return take_group(gmsh, number, &gmsh->group[gmsh->groups++]);
}

/* A curve between two parts has the groups of the surface that contains it. */
static int read_curve(struct ewi_gmsh *gmsh, bool of_part)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t parent = 1;
    ewi_scan_begin_record(scan);
    TRY(ewi_scan_int(scan, "a curve's number", &gmsh->curve_label[gmsh->curves]));
    if (of_part)
        TRY(read_parent(gmsh, &parent));
    TRY(ewi_scan_skip_numbers(scan, 6, "the box around a curve"));
    gmsh->curve[gmsh->curves].first = gmsh->groups;
    TRY(read_list(gmsh, "physical groups", parent == 1 ? take_group_of_curve : NULL));
    TRY(read_list(gmsh, "end points of a curve", NULL));
    TRY(ewi_scan_end_record(scan));
    gmsh->curves++;
    return EW_OK;
}

const char *ewi_gmsh_find_end(const struct ewi_scan *scan, const char *name, size_t length)
{
    for (const char *p = scan->at; (p = memchr(p, '$', (size_t)(scan->end - p))); p++)
        if ((size_t)(scan->end - p) >= 4 + length && memcmp(p, "$End", 4) == 0 && memcmp(p + 4, name, length) == 0)
            return p;
    return scan->end;
}

static int reserve_curves(struct ewi_gmsh *gmsh, int64_t more)
{
    if (more > INT32_MAX - gmsh->curves)
        return ewi_file_no_memory(gmsh->file);
    TRY(ewi_file_grow(gmsh->file, (void **)&gmsh->curve, sizeof *gmsh->curve, gmsh->curves, gmsh->curves + more));
    return ewi_file_grow(gmsh->file, (void **)&gmsh->curve_label, sizeof *gmsh->curve_label, gmsh->curves,
                         gmsh->curves + more);
}

/* Reads the number of parts, and a list of entities for ghost cells. */
static int read_parts(struct ewi_scan *scan, int64_t *parts)
{
    int64_t ghosts = 0, number = 0;
    ewi_scan_begin_record(scan);
    TRY(ewi_scan_size(scan, "the number of parts", parts));
    TRY(ewi_scan_end_record(scan));
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(ewi_scan_size(scan, "the number of entities with ghost cells", &ghosts));
    TRY(ewi_scan_end_record(scan));
    TRY(ewi_scan_check_count(scan, at, ghosts, scan->binary ? 8 : 4, "entities with ghost cells"));
    for (int64_t k = 0; k < ghosts; k++) {
        ewi_scan_begin_record(scan);
        TRY(ewi_scan_int(scan, "the number of an entity with ghost cells", &number));
        TRY(ewi_scan_int(scan, "the part of an entity with ghost cells", &number));
        TRY(ewi_scan_end_record(scan));
    }
    return EW_OK;
}

int ewi_gmsh_read_entities(struct ewi_gmsh *gmsh, bool of_parts)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    const char *name = of_parts ? "PartitionedEntities" : "Entities";
    int64_t count[4] = {0};
    if (of_parts)
        TRY(read_parts(scan, &gmsh->parts));
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    for (int dimension = 0; dimension < 4; dimension++)
        TRY(ewi_scan_size(scan, "the number of points, curves, surfaces or volumes", &count[dimension]));
    TRY(ewi_scan_end_record(scan));
    TRY(ewi_scan_check_count(scan, at, count[0], scan->binary ? 36 : 10, "points"));
    TRY(ewi_scan_check_count(scan, at, count[1], scan->binary ? 68 : 18, "curves"));
    for (int64_t k = 0; k < count[0]; k++)
        TRY(read_point(gmsh, of_parts));
    TRY(reserve_curves(gmsh, count[1]));
    for (int64_t k = 0; k < count[1]; k++)
        TRY(read_curve(gmsh, of_parts));
    ewi_free(gmsh->file->host, gmsh->curve_index.table);
    TRY(create_index(gmsh, at, "curve", gmsh->curves, gmsh->curve_label, &gmsh->curve_index));
    scan->at = ewi_gmsh_find_end(scan, name, strlen(name)); /* surfaces and volumes are not needed */
    if (of_parts && count[2] > gmsh->parts) /* a part has several surfaces, or there are several files */
        gmsh->parts = count[2];
    return EW_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static int read_coordinates(struct ewi_gmsh *gmsh, int64_t i)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    TRY(ewi_scan_number(scan, "a node's x-coordinate", &gmsh->file->xy[2 * i]));
    TRY(ewi_scan_number(scan, "a node's y-coordinate", &gmsh->file->xy[2 * i + 1]));
    return ewi_scan_number(scan, "a node's z-coordinate", &gmsh->file->z[i]);
}

/* Skips the parameters of a node in $ParametricNodes: its entity, and u on a curve, or u and v on a surface. */
static int skip_parameters(struct ewi_scan *scan)
{
    int64_t dimension = 0, tag = 0;
    const char *at = scan->at;
    TRY(ewi_scan_int(scan, "the dimension of a node's entity", &dimension));
    TRY(ewi_scan_int(scan, "the number of a node's entity", &tag));
    if (dimension < 0 || dimension > 3)
        return ewi_scan_fail(scan, at, "the entity of a node has dimension %" PRId64, dimension);
    return ewi_scan_skip_numbers(scan, dimension < 3 ? (int)dimension : 0, "a parametric coordinate");
}

static int read_nodes_22(struct ewi_gmsh *gmsh, bool parametric)
{
    struct ewi_mesh_file *file = gmsh->file;
    struct ewi_scan *scan = &file->scan;
    int64_t count = 0;
    TRY(read_count(scan, "nodes", scan->binary ? 28 : 8, &count));
    TRY(ewi_file_allocate_nodes(file, count));
    for (; file->nodes < count; file->nodes++) {
        ewi_scan_begin_record(scan);
        TRY(ewi_scan_int(scan, "a node's number", &file->node_label[file->nodes]));
        TRY(read_coordinates(gmsh, file->nodes));
        if (parametric)
            TRY(skip_parameters(scan));
        TRY(ewi_scan_end_record(scan));
    }
    return EW_OK;
}

/* Reads the nodes of one entity: all numbers, then all coordinates, with one to three more if they are parametric. */
static int read_node_block(struct ewi_gmsh *gmsh, int64_t total)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t head[4] = {0};
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(read_block_41(scan, "0 or 1 for parametric coordinates", "nodes", gmsh->file->nodes, total, head));
    int64_t dimension = head[0], parametric = head[2], count = head[3];
    if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1)
        return ewi_scan_fail(scan, at, "an entity has dimension %" PRId64 " and parametric coordinates %" PRId64,
                             dimension, parametric);
    for (int64_t k = 0; k < count; k++) {
        ewi_scan_begin_record(scan);
        TRY(ewi_scan_size(scan, "a node's number", &gmsh->file->node_label[gmsh->file->nodes + k]));
        TRY(ewi_scan_end_record(scan));
    }
    for (int64_t k = 0; k < count; k++) {
        ewi_scan_begin_record(scan);
        TRY(read_coordinates(gmsh, gmsh->file->nodes + k));
        TRY(ewi_scan_skip_numbers(scan, parametric ? (int)dimension : 0, "a parametric coordinate"));
        TRY(ewi_scan_end_record(scan));
    }
    gmsh->file->nodes += count;
    return EW_OK;
}

static int read_nodes_41(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t blocks = 0, count = 0;
    const char *at = scan->at;
    TRY(read_counts_41(scan, "nodes", scan->binary ? 32 : 8, &blocks, &count));
    TRY(ewi_file_allocate_nodes(gmsh->file, count));
    for (int64_t k = 0; k < blocks; k++)
        TRY(read_node_block(gmsh, count));
    if (gmsh->file->nodes < count)
        return ewi_scan_fail(scan, at, "there should be %" PRId64 " nodes, but the entities have %" PRId64, count,
                             gmsh->file->nodes);
    return EW_OK;
}

int ewi_gmsh_read_nodes(struct ewi_gmsh *gmsh, bool parametric)
{
    const char *at = gmsh->file->scan.at;
    if (gmsh->has_nodes)
        return ewi_scan_fail(&gmsh->file->scan, at, "there are two sections of nodes");
    TRY(gmsh->is_41 ? read_nodes_41(gmsh) : read_nodes_22(gmsh, parametric));
    gmsh->has_nodes = true;
    return create_index(gmsh, at, "node", gmsh->file->nodes, gmsh->file->node_label, &gmsh->index);
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/* Second-order elements list their corners first, then the middles of their edges. */
enum { LINE = 1, TRIANGLE, QUADRANGLE, SECOND_LINE = 8, SECOND_TRIANGLE, SECOND_QUADRANGLE, POINT = 15, EIGHT_NODES };

static const struct {
    int corners, nodes;
} shape[] = {
    [LINE] = {2, 2}, [TRIANGLE] = {3, 3}, [QUADRANGLE] = {4, 4}, [SECOND_LINE] = {2, 3}, [SECOND_TRIANGLE] = {3, 6},
    [SECOND_QUADRANGLE] = {4, 9}, [POINT] = {1, 1}, [EIGHT_NODES] = {4, 8},
};

/* The number of corners; 0: elements of this type are not read. */
static int corners_of(const struct ewi_gmsh *gmsh, int64_t type)
{
    int corners = type > 0 && type < (int64_t)(sizeof shape / sizeof *shape) ? shape[type].corners : 0;
    return corners == 4 && !gmsh->file->imports ? 0 : corners;
}

/* Gmsh's element types that edgewise does not support, and what to do about them. */
static const struct {
    int64_t type;
    const char *name, *advice;
} other_types[] = {
    {4, "tetrahedron", EWI_ADVICE_2D},
    {5, "hexahedron", EWI_ADVICE_2D},
    {6, "prism", EWI_ADVICE_2D},
    {7, "pyramid", EWI_ADVICE_2D},
    {20, "third-order triangle", EWI_ADVICE_ORDER},
    {21, "third-order triangle", EWI_ADVICE_ORDER},
    {22, "fourth-order triangle", EWI_ADVICE_ORDER},
    {23, "fourth-order triangle", EWI_ADVICE_ORDER},
    {24, "fifth-order triangle", EWI_ADVICE_ORDER},
    {25, "fifth-order triangle", EWI_ADVICE_ORDER},
    {26, "third-order line", EWI_ADVICE_ORDER},
    {27, "fourth-order line", EWI_ADVICE_ORDER},
    {28, "fifth-order line", EWI_ADVICE_ORDER},
};

static int fail_on_type(const struct ewi_scan *scan, const char *at, int64_t number, int64_t type)
{
    if (type == QUADRANGLE || type == SECOND_QUADRANGLE || type == EIGHT_NODES)
        return ewi_scan_fail(scan, at, "element %" PRId64 " is a quadrangle (type %" PRId64 "), but the mesh must have "
                             "triangles; to split the quadrangles: " EWI_ADVICE_CONVERT, number, type, scan->source);
    for (size_t k = 0; k < sizeof other_types / sizeof other_types[0]; k++)
        if (other_types[k].type == type)
            return ewi_scan_fail(scan, at, "element %" PRId64 " is a %s (type %" PRId64 "), but only triangles and "
                                 "lines of first and second order are read; mesh with: %s", number,
                                 other_types[k].name, type, other_types[k].advice);
    return ewi_scan_fail(scan, at, "element %" PRId64 " is of type %" PRId64 ", but only lines (1 and 8), triangles (2 "
                         "and 9) and points (15) are read", number, type);
}

/*
 * Reads the nodes of an element and finds their positions. `wide`: in binary files, numbers have 8 bytes instead of 4.
 */
static inline int read_element_nodes(struct ewi_gmsh *gmsh, int64_t label, int count, bool wide, int64_t *node)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    for (int k = 0; k < count; k++) {
        const char *at = scan->at;
        int64_t number = 0;
        TRY((wide ? ewi_scan_size : ewi_scan_int)(scan, "a node of an element", &number));
        node[k] = find_label(&gmsh->index, number);
        if (node[k] < 0)
            return ewi_scan_fail(scan, at, "element %" PRId64 " refers to node %" PRId64 ", which is not in the file",
                                 label, number);
    }
    return EW_OK;
}

static int mark_middles(struct ewi_mesh_file *file, int64_t type, const int64_t *node)
{
    if (shape[type].nodes == shape[type].corners)
        return EW_OK;
    if (!file->is_middle && !(file->is_middle = ewi_alloc(file->host, (size_t)file->nodes, sizeof *file->is_middle)))
        return ewi_file_no_memory(file);
    for (int k = shape[type].corners; k < shape[type].nodes; k++)
        file->is_middle[node[k]] = true;
    return EW_OK;
}

/* name: only for lines. */
static int add_element(struct ewi_mesh_file *file, int64_t label, int64_t type, int64_t group, int32_t name,
                       const int64_t *node)
{
    switch (shape[type].corners) {
    case 2: return ewi_file_add_line(file, label, node, type == SECOND_LINE ? node[2] : -1, name);
    case 3: return ewi_file_add_triangle(file, label, group, node);
    case 4: return ewi_file_add_quadrangle(file, label, group, node);
    default: return EW_OK;
    }
}

/* Reads the element's tags, the first of which is its physical group, and its nodes. */
static int read_element_22(struct ewi_gmsh *gmsh, int64_t label, int64_t type, int64_t tags)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t group = 0, tag = 0, node[MOST_ELEMENT_NODES];
    int32_t name = -1;
    for (int64_t k = 0; k < tags; k++) {
        TRY(ewi_scan_int(scan, "a tag of an element", &tag));
        group = k == 0 ? tag : group;
    }
    TRY(read_element_nodes(gmsh, label, shape[type].nodes, false, node));
    TRY(ewi_scan_end_record(scan));
    TRY(mark_middles(gmsh->file, type, node));
    if (shape[type].corners == 2 && group != 0)
        TRY(take_group(gmsh, group, &name));
    return add_element(gmsh->file, label, type, group, name, node);
}

static int check_tags(const struct ewi_scan *scan, const char *at, int64_t tags)
{
    bool good = tags >= 0 && tags <= MOST_TAGS;
    return good ? EW_OK : ewi_scan_fail(scan, at, "an element has %" PRId64 " tags", tags);
}

static int read_ascii_element_22(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t label = 0, type = 0, tags = 0;
    ewi_scan_skip_space(scan);
    const char *at = scan->at;
    TRY(ewi_scan_text_integer(scan, "an element's number", &label));
    TRY(ewi_scan_text_integer(scan, "an element's type", &type));
    if (!corners_of(gmsh, type))
        return fail_on_type(scan, at, label, type);
    TRY(ewi_scan_text_integer(scan, "the number of an element's tags", &tags));
    TRY(check_tags(scan, at, tags));
    return read_element_22(gmsh, label, type, tags);
}

/* Reads elements of one type with a common header. */
static int read_binary_block_22(struct ewi_gmsh *gmsh, int64_t left, int64_t *done)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t type = 0, count = 0, tags = 0, label = 0;
    const char *at = scan->at;
    TRY(ewi_scan_int(scan, "the type of elements", &type));
    TRY(ewi_scan_int(scan, "the number of elements of one type", &count));
    TRY(ewi_scan_int(scan, "the number of the elements' tags", &tags));
    TRY(check_tags(scan, at, tags));
    if (count < 1 || count > left)
        return ewi_scan_fail(scan, at, "a header announces %" PRId64 " elements, but %" PRId64 " of the file's are "
                             "left", count, left);
    for (int64_t k = 0; k < count; k++) {
        TRY(ewi_scan_int(scan, "an element's number", &label));
        if (!corners_of(gmsh, type))
            return fail_on_type(scan, at, label, type);
        TRY(read_element_22(gmsh, label, type, tags));
    }
    *done += count;
    return EW_OK;
}

static int read_elements_22(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t count = 0, done = 0;
    TRY(read_count(scan, "elements", scan->binary ? 8 : 7, &count));
    TRY(ewi_file_reserve_triangles(gmsh->file, count));
    while (scan->binary && done < count)
        TRY(read_binary_block_22(gmsh, count - done, &done));
    for (; done < count; done++)
        TRY(read_ascii_element_22(gmsh));
    return EW_OK;
}

/* The names of a curve's lines. Lines of a curve in two physical groups are added twice, which the mesh reports. */
static int names_of_curve(struct ewi_gmsh *gmsh, const char *at, int64_t curve, const int32_t **names, int32_t *count)
{
    static const int32_t nameless = -1;
    const struct ewi_scan *scan = &gmsh->file->scan;
    bool has_entities = gmsh->has_entities[0] || gmsh->has_entities[1];
    int64_t position = has_entities ? find_label(&gmsh->curve_index, curve) : -1;
    if (!has_entities)
        return ewi_scan_fail(scan, at, "there are lines on curve %" PRId64 ", but no $Entities section before them, "
                             "which tells the physical groups; save the mesh from Gmsh with its geometry, or as "
                             "version 2.2", curve);
    if (position < 0)
        return ewi_scan_fail(scan, at, "there are lines on curve %" PRId64 ", which $Entities does not list", curve);
    *count = gmsh->curve[position].groups;
    *names = *count > 0 ? gmsh->group + gmsh->curve[position].first : &nameless;
    *count = *count > 0 ? *count : 1;
    return EW_OK;
}

/* surface: that of the last block of triangles or quadrangles; surfaces: their number so far. */
static int read_element_block(struct ewi_gmsh *gmsh, int64_t total, int64_t *done, int64_t *surface,
                              int64_t *surfaces)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t head[4] = {0}, label = 0, node[MOST_ELEMENT_NODES];
    static const int32_t nameless = -1;
    const int32_t *names = &nameless;
    int32_t name_count = 1;
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(read_block_41(scan, "the type of elements", "elements", *done, total, head));
    int64_t type = head[2], count = head[3];
    int corners = corners_of(gmsh, type);
    if (corners == 2 && count > 0)
        TRY(names_of_curve(gmsh, at, head[1], &names, &name_count));
    if (corners >= 3 && count > 0) {
        *surfaces += *surface != head[1];
        *surface = head[1];
    }
    if (corners == 3)
        TRY(ewi_file_reserve_triangles(gmsh->file, gmsh->file->triangles + count));
    for (int64_t k = 0; k < count; k++) {
        ewi_scan_begin_record(scan);
        TRY(ewi_scan_size(scan, "an element's number", &label));
        if (!corners_of(gmsh, type))
            return fail_on_type(scan, at, label, type);
        TRY(read_element_nodes(gmsh, label, shape[type].nodes, true, node));
        TRY(ewi_scan_end_record(scan));
        TRY(mark_middles(gmsh->file, type, node));
        for (int32_t name = 0; name < name_count; name++)
            TRY(add_element(gmsh->file, label, type, 0, names[name], node));
    }
    *done += count;
    return EW_OK;
}

static int read_elements_41(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    int64_t blocks = 0, count = 0, done = 0, surface = INT64_MIN, surfaces = 0;
    const char *at = scan->at;
    TRY(read_counts_41(scan, "elements", scan->binary ? 16 : 4, &blocks, &count));
    for (int64_t k = 0; k < blocks; k++)
        TRY(read_element_block(gmsh, count, &done, &surface, &surfaces));
    if (done < count)
        return ewi_scan_fail(scan, at, "there should be %" PRId64 " elements, but the entities have %" PRId64, count,
                             done);
    if (surfaces < gmsh->parts)
        return ewi_scan_fail(scan, at, "the mesh is divided into %" PRId64 " parts, but the file has only %" PRId64
                             "; save all parts in one file: " EWI_ADVICE_ONE_FILE, gmsh->parts, surfaces);
    return EW_OK;
}

int ewi_gmsh_read_elements(struct ewi_gmsh *gmsh)
{
    if (gmsh->has_elements)
        return ewi_scan_fail(&gmsh->file->scan, gmsh->file->scan.at, "there are two sections of elements");
    if (!gmsh->has_nodes)
        return ewi_scan_fail(&gmsh->file->scan, gmsh->file->scan.at, "the section of elements must come after $Nodes");
    gmsh->has_elements = true;
    return gmsh->is_41 ? read_elements_41(gmsh) : read_elements_22(gmsh);
}
