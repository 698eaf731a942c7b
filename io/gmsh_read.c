/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the sections of a Gmsh file, versions 2.2 and 4.1. */
#include "ewi_gmsh.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_NAMES 10000
#define MOST_TAGS 1000 /* of one element */

int ewi_gmsh_no_memory(const struct ewi_gmsh *gmsh)
{
    return ewi_fail(gmsh->scan.error, EW_ENOMEM, "%.300s: there is no memory for the mesh; the file has %td bytes", gmsh->scan.source,
                    gmsh->scan.end - gmsh->scan.begin);
}

/* Makes room for one more member, doubling the array. */
static bool grow(const ew_host *host, void **array, size_t size, int64_t count, int64_t capacity)
{
    void *larger = ewi_alloc(host, (size_t)capacity, size);
    if (!larger)
        return false;
    if (count)
        memcpy(larger, *array, (size_t)count * size);
    ewi_free(host, *array);
    *array = larger;
    return true;
}

/* ---- numbers of nodes and curves ---------------------------------------------------------------------------------- */

static uint64_t slot_of(const struct ewi_gmsh_index *index, int64_t label)
{
    uint64_t hash = (uint64_t)label * 0x9e3779b97f4a7c15u;
    return (hash ^ hash >> 32) & (uint64_t)(index->range - 1);
}

/* Slot of a number, or the empty slot where it belongs. */
static uint64_t find_slot(const struct ewi_gmsh_index *index, int64_t label)
{
    uint64_t slot = slot_of(index, label);
    while (index->table[slot] && index->label[index->table[slot] - 1] != label)
        slot = (slot + 1) & (uint64_t)(index->range - 1);
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

int ewi_gmsh_index_create(const ew_host *host, int64_t count, const int64_t *label, struct ewi_gmsh_index *index, int64_t *twice)
{
    bool in_a_row;
    *index = (struct ewi_gmsh_index){.count = count, .label = label};
    *twice = -1;
    if (count == 0)
        return EW_OK;
    measure_labels(index, &in_a_row);
    if (in_a_row)
        return EW_OK;
    if (index->is_hashed)
        for (index->range = 16; index->range < 2 * count;)
            index->range *= 2;
    index->table = ewi_alloc(host, (size_t)index->range, sizeof *index->table);
    if (!index->table)
        return EW_ENOMEM;
    for (int64_t i = 0; i < count; i++) {
        uint64_t slot = index->is_hashed ? find_slot(index, label[i]) : (uint64_t)(label[i] - index->first);
        if (index->table[slot] && *twice < 0)
            *twice = label[i];
        index->table[slot] = (int32_t)i + 1;
    }
    return EW_OK;
}

int64_t ewi_gmsh_index_find(const struct ewi_gmsh_index *index, int64_t label)
{
    if (index->table && index->is_hashed)
        return (int64_t)index->table[find_slot(index, label)] - 1;
    uint64_t offset = (uint64_t)label - (uint64_t)index->first;
    if (index->table)
        return offset < (uint64_t)index->range ? (int64_t)index->table[offset] - 1 : -1;
    return offset < (uint64_t)index->count ? (int64_t)offset : -1;
}

/* ---- names -------------------------------------------------------------------------------------------------------- */

/* Position of the physical group with this number in name[]; added, with its number as its name, if it is not there. */
static int name_of_group(struct ewi_gmsh *gmsh, int64_t tag, int32_t *position)
{
    char digits[24];
    for (int32_t k = 0; k < gmsh->names; k++) {
        if (gmsh->name[k].tag == tag) {
            *position = k;
            return EW_OK;
        }
    }
    if (gmsh->names == MOST_NAMES)
        return ewi_scan_fail(&gmsh->scan, gmsh->scan.at, "there are more than %d physical groups of curves", MOST_NAMES);
    if (gmsh->names == gmsh->name_capacity) {
        int32_t capacity = 2 * gmsh->name_capacity + 16;
        if (!grow(gmsh->host, (void **)&gmsh->name, sizeof *gmsh->name, gmsh->names, capacity))
            return ewi_gmsh_no_memory(gmsh);
        gmsh->name_capacity = capacity;
    }
    snprintf(digits, sizeof digits, "%" PRId64, tag);
    char *text = ewi_strdup(gmsh->host, digits);
    if (!text)
        return ewi_gmsh_no_memory(gmsh);
    gmsh->name[gmsh->names] = (struct ewi_gmsh_name){.tag = tag, .text = text};
    *position = gmsh->names++;
    return EW_OK;
}

/* What is between the line's first and last quotation marks. */
static int read_quoted(struct ewi_gmsh *gmsh, const char **first, size_t *length)
{
    struct ewi_scan *scan = &gmsh->scan;
    while (*scan->at == ' ' || *scan->at == '\t')
        scan->at++;
    const char *line_end = scan->at, *last;
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

static int read_name(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t dimension = 0, tag = 0;
    const char *first = NULL;
    size_t length = 0;
    int32_t position = 0;
    int status;
    ewi_scan_skip_space(scan);
    EWI_TRY(ewi_scan_text_integer(scan, "the dimension of a physical group", &dimension));
    EWI_TRY(ewi_scan_text_integer(scan, "the number of a physical group", &tag));
    EWI_TRY(read_quoted(gmsh, &first, &length));
    if (dimension != 1)
        goto out;
    EWI_TRY(name_of_group(gmsh, tag, &position));
    char *text = ewi_alloc(gmsh->host, length + 1, 1);
    if (!text) {
        status = ewi_gmsh_no_memory(gmsh);
        goto out;
    }
    memcpy(text, first, length);
    ewi_free(gmsh->host, gmsh->name[position].text);
    gmsh->name[position].text = text;
out:
    return status;
}

int ewi_gmsh_read_names(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t count = 0;
    ewi_scan_skip_space(scan);
    const char *at = scan->at;
    TRY(ewi_scan_text_integer(scan, "the number of physical groups", &count));
    TRY(ewi_scan_end_line(scan));
    TRY(ewi_scan_check_count(scan, at, count, 7, "physical groups"));
    for (int64_t k = 0; k < count; k++)
        TRY(read_name(gmsh));
    return EW_OK;
}

/* ---- entities (4.1): which physical groups a curve belongs to ------------------------------------------------------ */

static int skip_numbers(struct ewi_scan *scan, int count, const char *what)
{
    double number = 0;
    int status = EW_OK;
    for (int k = 0; k < count && status == EW_OK; k++)
        status = ewi_scan_number(scan, what, &number);
    return status;
}

/* A counted list of 4-byte numbers; each is passed on to `take`, if given. */
static int read_list(struct ewi_gmsh *gmsh, const char *what, int (*take)(struct ewi_gmsh *gmsh, int64_t number))
{
    struct ewi_scan *scan = &gmsh->scan;
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

static int read_point(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t tag = 0;
    ewi_scan_begin_record(scan);
    TRY(ewi_scan_int(scan, "a point's number", &tag));
    TRY(skip_numbers(scan, 3, "a point's coordinate"));
    TRY(read_list(gmsh, "physical groups", NULL));
    return ewi_scan_end_record(scan);
}

/* Groups are negative where the curve runs the other way. */
static int take_group(struct ewi_gmsh *gmsh, int64_t number)
{
    if (gmsh->groups == gmsh->group_capacity) {
        int32_t capacity = 2 * gmsh->group_capacity + 64;
        if (!grow(gmsh->host, (void **)&gmsh->group, sizeof *gmsh->group, gmsh->groups, capacity))
            return ewi_gmsh_no_memory(gmsh);
        gmsh->group_capacity = capacity;
    }
    gmsh->curve[gmsh->curves].groups++;
    return name_of_group(gmsh, number < 0 ? -number : number, &gmsh->group[gmsh->groups++]);
}

static int read_curve(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t tag = 0;
    ewi_scan_begin_record(scan);
    TRY(ewi_scan_int(scan, "a curve's number", &tag));
    TRY(skip_numbers(scan, 6, "the box around a curve"));
    gmsh->curve[gmsh->curves] = (struct ewi_gmsh_curve){.tag = tag, .first = gmsh->groups};
    gmsh->curve_label[gmsh->curves] = tag;
    TRY(read_list(gmsh, "physical groups", take_group));
    TRY(read_list(gmsh, "end points of a curve", NULL));
    TRY(ewi_scan_end_record(scan));
    gmsh->curves++;
    return EW_OK;
}

/* Surfaces and volumes are of no interest: goes to the end of the section. */
static void skip_other_entities(struct ewi_scan *scan)
{
    static const char end_name[] = "$EndEntities";
    const char *p = scan->at;
    while ((p = memchr(p, '$', (size_t)(scan->end - p))) && strncmp(p, end_name, sizeof end_name - 1) != 0)
        p++;
    scan->at = p ? p : scan->end;
}

int ewi_gmsh_read_entities(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t count[4] = {0}, twice = -1;
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    for (int dimension = 0; dimension < 4; dimension++)
        TRY(ewi_scan_size(scan, "the number of points, curves, surfaces or volumes", &count[dimension]));
    TRY(ewi_scan_end_record(scan));
    TRY(ewi_scan_check_count(scan, at, count[0], scan->binary ? 36 : 10, "points"));
    TRY(ewi_scan_check_count(scan, at, count[1], scan->binary ? 68 : 18, "curves"));
    for (int64_t k = 0; k < count[0]; k++)
        TRY(read_point(gmsh));
    gmsh->curve = ewi_alloc(gmsh->host, (size_t)count[1], sizeof *gmsh->curve);
    gmsh->curve_label = ewi_alloc(gmsh->host, (size_t)count[1], sizeof *gmsh->curve_label);
    if (!gmsh->curve || !gmsh->curve_label || count[1] > INT32_MAX)
        return ewi_gmsh_no_memory(gmsh);
    for (int64_t k = 0; k < count[1]; k++)
        TRY(read_curve(gmsh));
    if (ewi_gmsh_index_create(gmsh->host, gmsh->curves, gmsh->curve_label, &gmsh->curve_index, &twice) != EW_OK)
        return ewi_gmsh_no_memory(gmsh);
    if (twice >= 0)
        return ewi_scan_fail(scan, at, "curve %" PRId64 " is listed twice", twice);
    skip_other_entities(scan);
    gmsh->has_entities = true;
    return EW_OK;
}

/* ---- nodes -------------------------------------------------------------------------------------------------------- */

static int read_coordinates(struct ewi_gmsh *gmsh, int64_t i)
{
    struct ewi_scan *scan = &gmsh->scan;
    TRY(ewi_scan_number(scan, "a node's x-coordinate", &gmsh->xy[2 * i]));
    TRY(ewi_scan_number(scan, "a node's y-coordinate", &gmsh->xy[2 * i + 1]));
    return ewi_scan_number(scan, "a node's z-coordinate", &gmsh->z[i]);
}

static int allocate_nodes(struct ewi_gmsh *gmsh, int64_t count)
{
    gmsh->xy = ewi_alloc(gmsh->host, (size_t)count, 2 * sizeof *gmsh->xy);
    gmsh->z = ewi_alloc(gmsh->host, (size_t)count, sizeof *gmsh->z);
    gmsh->node_label = ewi_alloc(gmsh->host, (size_t)count, sizeof *gmsh->node_label);
    if (!gmsh->xy || !gmsh->z || !gmsh->node_label || count > INT32_MAX - 1)
        return ewi_gmsh_no_memory(gmsh);
    return EW_OK;
}

static int read_nodes_22(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t count = 0;
    ewi_scan_skip_space(scan);
    const char *at = scan->at;
    TRY(ewi_scan_text_integer(scan, "the number of nodes", &count));
    TRY(ewi_scan_end_line(scan));
    TRY(ewi_scan_check_count(scan, at, count, scan->binary ? 28 : 8, "nodes"));
    TRY(allocate_nodes(gmsh, count));
    for (; gmsh->nodes < count; gmsh->nodes++) {
        ewi_scan_begin_record(scan);
        TRY(ewi_scan_int(scan, "a node's number", &gmsh->node_label[gmsh->nodes]));
        TRY(read_coordinates(gmsh, gmsh->nodes));
        TRY(ewi_scan_end_record(scan));
    }
    return EW_OK;
}

/* Nodes of one entity: all numbers, then all coordinates, with one to three more if they are parametric. */
static int read_node_block(struct ewi_gmsh *gmsh, int64_t total)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t dimension = 0, entity = 0, parametric = 0, count = 0;
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(ewi_scan_int(scan, "the dimension of an entity", &dimension));
    TRY(ewi_scan_int(scan, "the number of an entity", &entity));
    TRY(ewi_scan_int(scan, "0 or 1 for parametric coordinates", &parametric));
    TRY(ewi_scan_size(scan, "the number of the entity's nodes", &count));
    TRY(ewi_scan_end_record(scan));
    if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1)
        return ewi_scan_fail(scan, at, "an entity has dimension %" PRId64 " and parametric coordinates %" PRId64, dimension, parametric);
    if (count < 0 || count > total - gmsh->nodes)
        return ewi_scan_fail(scan, at, "an entity has %" PRId64 " nodes, but only %" PRId64 " of the %" PRId64
                             " nodes of the file are left", count, total - gmsh->nodes, total);
    for (int64_t k = 0; k < count; k++) {
        ewi_scan_begin_record(scan);
        TRY(ewi_scan_size(scan, "a node's number", &gmsh->node_label[gmsh->nodes + k]));
        TRY(ewi_scan_end_record(scan));
    }
    for (int64_t k = 0; k < count; k++) {
        ewi_scan_begin_record(scan);
        TRY(read_coordinates(gmsh, gmsh->nodes + k));
        TRY(skip_numbers(scan, parametric ? (int)dimension : 0, "a parametric coordinate"));
        TRY(ewi_scan_end_record(scan));
    }
    gmsh->nodes += count;
    return EW_OK;
}

static int read_nodes_41(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t blocks = 0, count = 0, ignored = 0;
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(ewi_scan_size(scan, "the number of entities with nodes", &blocks));
    TRY(ewi_scan_size(scan, "the number of nodes", &count));
    TRY(ewi_scan_size(scan, "the lowest number of a node", &ignored));
    TRY(ewi_scan_size(scan, "the highest number of a node", &ignored));
    TRY(ewi_scan_end_record(scan));
    TRY(ewi_scan_check_count(scan, at, blocks, scan->binary ? 20 : 8, "entities with nodes"));
    TRY(ewi_scan_check_count(scan, at, count, scan->binary ? 32 : 8, "nodes"));
    TRY(allocate_nodes(gmsh, count));
    for (int64_t k = 0; k < blocks; k++)
        TRY(read_node_block(gmsh, count));
    if (gmsh->nodes < count)
        return ewi_scan_fail(scan, at, "there should be %" PRId64 " nodes, but the entities have %" PRId64, count, gmsh->nodes);
    return EW_OK;
}

int ewi_gmsh_read_nodes(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    const char *at = scan->at;
    int64_t twice = -1;
    if (gmsh->has_nodes)
        return ewi_scan_fail(scan, at, "there are two sections of nodes");
    TRY(gmsh->is_41 ? read_nodes_41(gmsh) : read_nodes_22(gmsh));
    if (ewi_gmsh_index_create(gmsh->host, gmsh->nodes, gmsh->node_label, &gmsh->index, &twice) != EW_OK)
        return ewi_gmsh_no_memory(gmsh);
    if (twice >= 0)
        return ewi_scan_fail(scan, at, "node %" PRId64 " is listed twice", twice);
    gmsh->has_nodes = true;
    return EW_OK;
}

/* ---- elements ----------------------------------------------------------------------------------------------------- */

enum { LINE = 1, TRIANGLE = 2, POINT = 15 };

/* Gmsh's types that meshes of edgewise cannot have, and what to do about them. */
static const struct {
    int64_t type;
    const char *name, *advice;
} other_types[] = {
    {3, "quadrangle", "mesh with triangles only (Mesh.RecombineAll = 0, no Recombine Surface)"},
    {4, "tetrahedron", "save a two-dimensional mesh (gmsh -2)"},
    {5, "hexahedron", "save a two-dimensional mesh (gmsh -2)"},
    {6, "prism", "save a two-dimensional mesh (gmsh -2)"},
    {7, "pyramid", "save a two-dimensional mesh (gmsh -2)"},
    {8, "second-order line", "mesh with order 1 (Mesh.ElementOrder = 1)"},
    {9, "second-order triangle", "mesh with order 1 (Mesh.ElementOrder = 1)"},
    {10, "second-order quadrangle", "mesh with triangles only (Mesh.RecombineAll = 0) and order 1 (Mesh.ElementOrder = 1)"},
    {16, "second-order quadrangle", "mesh with triangles only (Mesh.RecombineAll = 0) and order 1 (Mesh.ElementOrder = 1)"},
    {20, "third-order triangle", "mesh with order 1 (Mesh.ElementOrder = 1)"},
    {21, "third-order triangle", "mesh with order 1 (Mesh.ElementOrder = 1)"},
    {22, "fourth-order triangle", "mesh with order 1 (Mesh.ElementOrder = 1)"},
    {23, "fourth-order triangle", "mesh with order 1 (Mesh.ElementOrder = 1)"},
    {24, "fifth-order triangle", "mesh with order 1 (Mesh.ElementOrder = 1)"},
    {25, "fifth-order triangle", "mesh with order 1 (Mesh.ElementOrder = 1)"},
    {26, "third-order line", "mesh with order 1 (Mesh.ElementOrder = 1)"},
    {27, "fourth-order line", "mesh with order 1 (Mesh.ElementOrder = 1)"},
    {28, "fifth-order line", "mesh with order 1 (Mesh.ElementOrder = 1)"},
};

static int nodes_of_type(int64_t type)
{
    return type == LINE ? 2 : type == TRIANGLE ? 3 : type == POINT ? 1 : 0;
}

static int fail_on_type(const struct ewi_scan *scan, const char *at, const char *element, int64_t number, int64_t type)
{
    for (size_t k = 0; k < sizeof other_types / sizeof other_types[0]; k++)
        if (other_types[k].type == type)
            return ewi_scan_fail(scan, at, "%s %" PRId64 " is a %s (type %" PRId64 "), but only triangles and lines are read: %s", element,
                                 number, other_types[k].name, type, other_types[k].advice);
    return ewi_scan_fail(scan, at, "%s %" PRId64 " is of type %" PRId64 ", but only lines (1), triangles (2) and points (15) are read",
                         element, number, type);
}

static int reserve_triangles(struct ewi_gmsh *gmsh, int64_t capacity)
{
    if (capacity <= gmsh->triangle_capacity)
        return EW_OK;
    if (!grow(gmsh->host, (void **)&gmsh->triangle, 3 * sizeof *gmsh->triangle, gmsh->triangles, capacity) ||
        !grow(gmsh->host, (void **)&gmsh->triangle_label, sizeof *gmsh->triangle_label, gmsh->triangles, capacity))
        return ewi_gmsh_no_memory(gmsh);
    gmsh->triangle_capacity = capacity;
    return EW_OK;
}

static int reserve_lines(struct ewi_gmsh *gmsh, int64_t capacity)
{
    if (capacity <= gmsh->line_capacity)
        return EW_OK;
    if (!grow(gmsh->host, (void **)&gmsh->line, 2 * sizeof *gmsh->line, gmsh->lines, capacity) ||
        !grow(gmsh->host, (void **)&gmsh->line_label, sizeof *gmsh->line_label, gmsh->lines, capacity) ||
        !grow(gmsh->host, (void **)&gmsh->line_name, sizeof *gmsh->line_name, gmsh->lines, capacity))
        return ewi_gmsh_no_memory(gmsh);
    gmsh->line_capacity = capacity;
    return EW_OK;
}

static int add_line(struct ewi_gmsh *gmsh, int64_t label, const int64_t *node, int32_t name)
{
    if (gmsh->lines == gmsh->line_capacity && reserve_lines(gmsh, 2 * gmsh->line_capacity + 1024) != EW_OK)
        return EW_ENOMEM;
    gmsh->line[2 * gmsh->lines] = node[0];
    gmsh->line[2 * gmsh->lines + 1] = node[1];
    gmsh->line_label[gmsh->lines] = label;
    gmsh->line_name[gmsh->lines++] = name;
    return EW_OK;
}

static int add_triangle(struct ewi_gmsh *gmsh, int64_t label, const int64_t *node)
{
    if (gmsh->triangles == gmsh->triangle_capacity && reserve_triangles(gmsh, 2 * gmsh->triangle_capacity + 1024) != EW_OK)
        return EW_ENOMEM;
    memcpy(gmsh->triangle + 3 * gmsh->triangles, node, 3 * sizeof *node);
    gmsh->triangle_label[gmsh->triangles++] = label;
    return EW_OK;
}

/* The nodes of an element, as positions. `wide`: numbers have 8 bytes in binary files, otherwise 4. */
static inline int read_element_nodes(struct ewi_gmsh *gmsh, int64_t label, int count, bool wide, int64_t *node)
{
    struct ewi_scan *scan = &gmsh->scan;
    for (int k = 0; k < count; k++) {
        const char *at = scan->at;
        int64_t number = 0;
        TRY(wide ? ewi_scan_size(scan, "a node of an element", &number) : ewi_scan_int(scan, "a node of an element", &number));
        node[k] = ewi_gmsh_index_find(&gmsh->index, number);
        if (node[k] < 0)
            return ewi_scan_fail(scan, at, "element %" PRId64 " refers to node %" PRId64 ", which is not in the file", label, number);
    }
    return EW_OK;
}

/* The element's tags, of which the first is the physical group; then its nodes. */
static int read_element_22(struct ewi_gmsh *gmsh, int64_t label, int64_t type, int64_t tags)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t group = 0, tag = 0, node[3];
    int32_t name = -1;
    for (int64_t k = 0; k < tags; k++) {
        TRY(ewi_scan_int(scan, "a tag of an element", &tag));
        group = k == 0 ? tag : group;
    }
    TRY(read_element_nodes(gmsh, label, nodes_of_type(type), false, node));
    TRY(ewi_scan_end_record(scan));
    if (type == TRIANGLE) {
        TRY(add_triangle(gmsh, label, node));
    } else if (type == LINE) {
        if (group != 0)
            TRY(name_of_group(gmsh, group, &name));
        TRY(add_line(gmsh, label, node, name));
    }
    return EW_OK;
}

static int check_tags(const struct ewi_scan *scan, const char *at, int64_t tags)
{
    if (tags < 0 || tags > MOST_TAGS)
        return ewi_scan_fail(scan, at, "an element has %" PRId64 " tags", tags);
    return EW_OK;
}

static int read_ascii_element_22(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t label = 0, type = 0, tags = 0;
    ewi_scan_skip_space(scan);
    const char *at = scan->at;
    TRY(ewi_scan_text_integer(scan, "an element's number", &label));
    TRY(ewi_scan_text_integer(scan, "an element's type", &type));
    if (!nodes_of_type(type))
        return fail_on_type(scan, at, "element", label, type);
    TRY(ewi_scan_text_integer(scan, "the number of an element's tags", &tags));
    TRY(check_tags(scan, at, tags));
    return read_element_22(gmsh, label, type, tags);
}

/* Elements of one type, with a common header. */
static int read_binary_block_22(struct ewi_gmsh *gmsh, int64_t left, int64_t *done)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t type = 0, count = 0, tags = 0, label = 0;
    const char *at = scan->at;
    TRY(ewi_scan_int(scan, "the type of elements", &type));
    TRY(ewi_scan_int(scan, "the number of elements of one type", &count));
    TRY(ewi_scan_int(scan, "the number of the elements' tags", &tags));
    TRY(check_tags(scan, at, tags));
    if (count < 1 || count > left)
        return ewi_scan_fail(scan, at, "a header announces %" PRId64 " elements, but %" PRId64 " of the file's are left", count, left);
    for (int64_t k = 0; k < count; k++) {
        TRY(ewi_scan_int(scan, "an element's number", &label));
        if (!nodes_of_type(type))
            return fail_on_type(scan, at, "element", label, type);
        TRY(read_element_22(gmsh, label, type, tags));
    }
    *done += count;
    return EW_OK;
}

static int read_elements_22(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t count = 0, done = 0;
    ewi_scan_skip_space(scan);
    const char *at = scan->at;
    TRY(ewi_scan_text_integer(scan, "the number of elements", &count));
    TRY(ewi_scan_end_line(scan));
    TRY(ewi_scan_check_count(scan, at, count, scan->binary ? 8 : 7, "elements"));
    TRY(reserve_triangles(gmsh, count));
    while (scan->binary && done < count)
        TRY(read_binary_block_22(gmsh, count - done, &done));
    for (; done < count; done++)
        TRY(read_ascii_element_22(gmsh));
    return EW_OK;
}

/* Names of a curve's lines: lines of a curve in two physical groups are given twice, which the mesh reports. */
static int names_of_curve(struct ewi_gmsh *gmsh, const char *at, int64_t curve, const int32_t **names, int32_t *count)
{
    static const int32_t nameless = -1;
    int64_t position = gmsh->has_entities ? ewi_gmsh_index_find(&gmsh->curve_index, curve) : -1;
    if (!gmsh->has_entities)
        return ewi_scan_fail(&gmsh->scan, at, "there are lines on curve %" PRId64
                             ", but no $Entities section before them, which tells the physical groups; save the mesh from Gmsh with its geometry, or as version 2.2",
                             curve);
    if (position < 0)
        return ewi_scan_fail(&gmsh->scan, at, "there are lines on curve %" PRId64 ", which $Entities does not list", curve);
    *count = gmsh->curve[position].groups;
    *names = gmsh->group + gmsh->curve[position].first;
    if (*count == 0) {
        *count = 1;
        *names = &nameless;
    }
    return EW_OK;
}

static int read_element_block(struct ewi_gmsh *gmsh, int64_t total, int64_t *done)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t dimension = 0, entity = 0, type = 0, count = 0, label = 0, node[3];
    const int32_t *names = NULL;
    int32_t name_count = 0;
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(ewi_scan_int(scan, "the dimension of an entity", &dimension));
    TRY(ewi_scan_int(scan, "the number of an entity", &entity));
    TRY(ewi_scan_int(scan, "the type of elements", &type));
    TRY(ewi_scan_size(scan, "the number of the entity's elements", &count));
    TRY(ewi_scan_end_record(scan));
    if (count < 0 || count > total - *done)
        return ewi_scan_fail(scan, at, "an entity has %" PRId64 " elements, but only %" PRId64 " of the %" PRId64
                             " elements of the file are left", count, total - *done, total);
    if (type == LINE && count > 0)
        TRY(names_of_curve(gmsh, at, entity, &names, &name_count));
    if (type == TRIANGLE)
        TRY(reserve_triangles(gmsh, gmsh->triangles + count));
    for (int64_t k = 0; k < count; k++) {
        ewi_scan_begin_record(scan);
        TRY(ewi_scan_size(scan, "an element's number", &label));
        if (!nodes_of_type(type))
            return fail_on_type(scan, at, "element", label, type);
        TRY(read_element_nodes(gmsh, label, nodes_of_type(type), true, node));
        TRY(ewi_scan_end_record(scan));
        if (type == TRIANGLE)
            TRY(add_triangle(gmsh, label, node));
        for (int32_t name = 0; name < name_count; name++)
            TRY(add_line(gmsh, label, node, names[name]));
    }
    *done += count;
    return EW_OK;
}

static int read_elements_41(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t blocks = 0, count = 0, ignored = 0, done = 0;
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(ewi_scan_size(scan, "the number of entities with elements", &blocks));
    TRY(ewi_scan_size(scan, "the number of elements", &count));
    TRY(ewi_scan_size(scan, "the lowest number of an element", &ignored));
    TRY(ewi_scan_size(scan, "the highest number of an element", &ignored));
    TRY(ewi_scan_end_record(scan));
    TRY(ewi_scan_check_count(scan, at, blocks, scan->binary ? 20 : 8, "entities with elements"));
    TRY(ewi_scan_check_count(scan, at, count, scan->binary ? 16 : 4, "elements"));
    for (int64_t k = 0; k < blocks; k++)
        TRY(read_element_block(gmsh, count, &done));
    if (done < count)
        return ewi_scan_fail(scan, at, "there should be %" PRId64 " elements, but the entities have %" PRId64, count, done);
    return EW_OK;
}

int ewi_gmsh_read_elements(struct ewi_gmsh *gmsh)
{
    if (gmsh->has_elements)
        return ewi_scan_fail(&gmsh->scan, gmsh->scan.at, "there are two sections of elements");
    if (!gmsh->has_nodes)
        return ewi_scan_fail(&gmsh->scan, gmsh->scan.at, "the section of elements must come after $Nodes");
    gmsh->has_elements = true;
    return gmsh->is_41 ? read_elements_41(gmsh) : read_elements_22(gmsh);
}
