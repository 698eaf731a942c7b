/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the sections of a Gmsh file, versions 2.2 and 4.1. */
#include "ewi_gmsh.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_NAMES 10000
#define MOST_TAGS 1000 /* of one element */
#define MOST_ELEMENT_NODES 6

int ewi_gmsh_no_memory(const struct ewi_gmsh *gmsh)
{
    return ewi_fail(gmsh->scan.error, EW_ENOMEM, "%.300s: not enough memory for the mesh; the file has %td bytes",
                    gmsh->scan.source, gmsh->scan.end - gmsh->scan.begin);
}

/* Grows an array of `count` members to room for `capacity`. */
static int grow(const struct ewi_gmsh *gmsh, void **array, size_t size, int64_t count, int64_t capacity)
{
    void *larger = ewi_alloc(gmsh->host, (size_t)capacity, size);
    if (!larger)
        return ewi_gmsh_no_memory(gmsh);
    if (count)
        memcpy(larger, *array, (size_t)count * size);
    ewi_free(gmsh->host, *array);
    *array = larger;
    return EW_OK;
}

/* Makes room for one more member. */
static int grow_by_one(const struct ewi_gmsh *gmsh, void **array, size_t size, int32_t count, int32_t *capacity)
{
    if (count < *capacity)
        return EW_OK;
    TRY(grow(gmsh, array, size, count, 2 * *capacity + 64));
    *capacity = 2 * *capacity + 64;
    return EW_OK;
}

/* ---- numbers of nodes and curves --------------------------------------------------------------------------------- */

/* Slot of a number, or the empty slot where it belongs. */
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

/* `what` has these numbers, each once; `at` is where they are in the file. */
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
    index->table = ewi_alloc(gmsh->host, (size_t)index->range, sizeof *index->table);
    if (!index->table)
        return ewi_gmsh_no_memory(gmsh);
    for (int64_t i = 0; i < count; i++) {
        uint64_t slot = index->is_hashed ? find_slot(index, label[i]) : (uint64_t)(label[i] - index->first);
        if (index->table[slot] && twice < 0)
            twice = label[i];
        index->table[slot] = (int32_t)i + 1;
    }
    return twice < 0 ? EW_OK : ewi_scan_fail(&gmsh->scan, at, "%s %" PRId64 " is listed twice", what, twice);
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

/* A line with the number of records, each of `least` bytes. */
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

/* In 4.1: the number of blocks, one an entity, and of nodes or elements. Their lowest and highest numbers follow. */
static int read_counts_41(struct ewi_scan *scan, const char *what, const char *one, size_t least, int64_t *blocks,
                          int64_t *count)
{
    char name[4][64];
    int64_t number[4] = {0};
    ewi_snprintf(name[0], sizeof name[0], "the number of entities with %s", what);
    ewi_snprintf(name[1], sizeof name[1], "the number of %s", what);
    ewi_snprintf(name[2], sizeof name[2], "the lowest number of %s", one);
    ewi_snprintf(name[3], sizeof name[3], "the highest number of %s", one);
    const char *at = scan->at;
    for (int k = 0; k < 4; k++)
        TRY(ewi_scan_size(scan, name[k], &number[k]));
    TRY(ewi_scan_end_record(scan));
    *blocks = number[0];
    *count = number[1];
    TRY(ewi_scan_check_count(scan, at, *blocks, scan->binary ? 20 : 8, name[0] + strlen("the number of ")));
    return ewi_scan_check_count(scan, at, *count, least, what);
}

/* Of a block in 4.1: dimension and number of its entity, a third number, and how many members the block has. */
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

/* Position of the physical group with this number in name[]; added, with its number as its name, if it is not there. */
static int name_of_group(struct ewi_gmsh *gmsh, int64_t tag, int32_t *position)
{
    char digits[24];
    for (*position = 0; *position < gmsh->names; ++*position)
        if (gmsh->name[*position].tag == tag)
            return EW_OK;
    if (gmsh->names == MOST_NAMES)
        return ewi_scan_fail(&gmsh->scan, gmsh->scan.at, "there are more than %d physical groups of curves",
                             MOST_NAMES);
    TRY(grow_by_one(gmsh, (void **)&gmsh->name, sizeof *gmsh->name, gmsh->names, &gmsh->name_capacity));
    ewi_snprintf(digits, sizeof digits, "%" PRId64, tag);
    char *text = ewi_strdup(gmsh->host, digits);
    if (!text)
        return ewi_gmsh_no_memory(gmsh);
    gmsh->name[gmsh->names] = (struct ewi_gmsh_name){.tag = tag, .text = text};
    gmsh->names++;
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
    ewi_scan_skip_space(scan);
    TRY(ewi_scan_text_integer(scan, "the dimension of a physical group", &dimension));
    TRY(ewi_scan_text_integer(scan, "the number of a physical group", &tag));
    TRY(read_quoted(gmsh, &first, &length));
    if (dimension != 1)
        return EW_OK;
    TRY(name_of_group(gmsh, tag, &position));
    char *text = ewi_alloc(gmsh->host, length + 1, 1);
    if (!text)
        return ewi_gmsh_no_memory(gmsh);
    memcpy(text, first, length);
    ewi_free(gmsh->host, gmsh->name[position].text);
    gmsh->name[position].text = text;
    return EW_OK;
}

int ewi_gmsh_read_names(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t count = 0;
    TRY(read_count(scan, "physical groups", 7, &count));
    for (int64_t k = 0; k < count; k++)
        TRY(read_name(gmsh));
    return EW_OK;
}

/* ---- entities (4.1): which physical groups a curve belongs to ---------------------------------------------------- */

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
    TRY(grow_by_one(gmsh, (void **)&gmsh->group, sizeof *gmsh->group, gmsh->groups, &gmsh->group_capacity));
    gmsh->curve[gmsh->curves].groups++;
    return name_of_group(gmsh, number < 0 ? -number : number, &gmsh->group[gmsh->groups++]);
}

static int read_curve(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    ewi_scan_begin_record(scan);
    TRY(ewi_scan_int(scan, "a curve's number", &gmsh->curve_label[gmsh->curves]));
    TRY(skip_numbers(scan, 6, "the box around a curve"));
    gmsh->curve[gmsh->curves].first = gmsh->groups;
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
    int64_t count[4] = {0};
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
    TRY(create_index(gmsh, at, "curve", gmsh->curves, gmsh->curve_label, &gmsh->curve_index));
    skip_other_entities(scan);
    gmsh->has_entities = true;
    return EW_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

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
    TRY(read_count(scan, "nodes", scan->binary ? 28 : 8, &count));
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
    int64_t head[4] = {0};
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(read_block_41(scan, "0 or 1 for parametric coordinates", "nodes", gmsh->nodes, total, head));
    int64_t dimension = head[0], parametric = head[2], count = head[3];
    if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1)
        return ewi_scan_fail(scan, at, "an entity has dimension %" PRId64 " and parametric coordinates %" PRId64,
                             dimension, parametric);
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
    int64_t blocks = 0, count = 0;
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(read_counts_41(scan, "nodes", "a node", scan->binary ? 32 : 8, &blocks, &count));
    TRY(allocate_nodes(gmsh, count));
    for (int64_t k = 0; k < blocks; k++)
        TRY(read_node_block(gmsh, count));
    if (gmsh->nodes < count)
        return ewi_scan_fail(scan, at, "there should be %" PRId64 " nodes, but the entities have %" PRId64, count,
                             gmsh->nodes);
    return EW_OK;
}

int ewi_gmsh_read_nodes(struct ewi_gmsh *gmsh)
{
    const char *at = gmsh->scan.at;
    if (gmsh->has_nodes)
        return ewi_scan_fail(&gmsh->scan, at, "there are two sections of nodes");
    TRY(gmsh->is_41 ? read_nodes_41(gmsh) : read_nodes_22(gmsh));
    gmsh->has_nodes = true;
    return create_index(gmsh, at, "node", gmsh->nodes, gmsh->node_label, &gmsh->index);
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/* Second-order ones have their corners first, then the middles of their edges. */
enum { LINE = 1, TRIANGLE = 2, SECOND_ORDER_LINE = 8, SECOND_ORDER_TRIANGLE = 9, POINT = 15 };

static bool is_line(int64_t type)
{
    return type == LINE || type == SECOND_ORDER_LINE;
}

static bool is_triangle(int64_t type)
{
    return type == TRIANGLE || type == SECOND_ORDER_TRIANGLE;
}

static int corners_of_type(int64_t type)
{
    return is_line(type) ? 2 : is_triangle(type) ? 3 : type == POINT;
}

static int nodes_of_type(int64_t type)
{
    bool has_middles = type == SECOND_ORDER_LINE || type == SECOND_ORDER_TRIANGLE;
    return corners_of_type(type) + (has_middles ? (is_line(type) ? 1 : 3) : 0);
}

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
    {10, "second-order quadrangle",
     "mesh with triangles only (Mesh.RecombineAll = 0) and order 1 (Mesh.ElementOrder = 1)"},
    {16, "second-order quadrangle",
     "mesh with triangles only (Mesh.RecombineAll = 0) and order 1 (Mesh.ElementOrder = 1)"},
    {20, "third-order triangle", "mesh with order 2 (Mesh.ElementOrder = 2)"},
    {21, "third-order triangle", "mesh with order 2 (Mesh.ElementOrder = 2)"},
    {22, "fourth-order triangle", "mesh with order 2 (Mesh.ElementOrder = 2)"},
    {23, "fourth-order triangle", "mesh with order 2 (Mesh.ElementOrder = 2)"},
    {24, "fifth-order triangle", "mesh with order 2 (Mesh.ElementOrder = 2)"},
    {25, "fifth-order triangle", "mesh with order 2 (Mesh.ElementOrder = 2)"},
    {26, "third-order line", "mesh with order 2 (Mesh.ElementOrder = 2)"},
    {27, "fourth-order line", "mesh with order 2 (Mesh.ElementOrder = 2)"},
    {28, "fifth-order line", "mesh with order 2 (Mesh.ElementOrder = 2)"},
};

static int fail_on_type(const struct ewi_scan *scan, const char *at, const char *element, int64_t number, int64_t type)
{
    for (size_t k = 0; k < sizeof other_types / sizeof other_types[0]; k++)
        if (other_types[k].type == type)
            return ewi_scan_fail(scan, at, "%s %" PRId64 " is a %s (type %" PRId64 "), but only triangles and lines "
                                 "of first and second order are read: %s", element, number, other_types[k].name, type,
                                 other_types[k].advice);
    return ewi_scan_fail(scan, at, "%s %" PRId64 " is of type %" PRId64 ", but only lines (1 and 8), triangles (2 "
                         "and 9) and points (15) are read", element, number, type);
}

static int reserve_triangles(struct ewi_gmsh *gmsh, int64_t capacity)
{
    if (capacity <= gmsh->triangle_capacity)
        return EW_OK;
    TRY(grow(gmsh, (void **)&gmsh->triangle, 3 * sizeof *gmsh->triangle, gmsh->triangles, capacity));
    TRY(grow(gmsh, (void **)&gmsh->triangle_label, sizeof *gmsh->triangle_label, gmsh->triangles, capacity));
    gmsh->triangle_capacity = capacity;
    return EW_OK;
}

static int reserve_lines(struct ewi_gmsh *gmsh, int64_t capacity)
{
    TRY(grow(gmsh, (void **)&gmsh->line, 2 * sizeof *gmsh->line, gmsh->lines, capacity));
    TRY(grow(gmsh, (void **)&gmsh->line_label, sizeof *gmsh->line_label, gmsh->lines, capacity));
    TRY(grow(gmsh, (void **)&gmsh->line_name, sizeof *gmsh->line_name, gmsh->lines, capacity));
    TRY(grow(gmsh, (void **)&gmsh->line_middle, 2 * sizeof *gmsh->line_middle, gmsh->lines, capacity));
    gmsh->line_capacity = capacity;
    return EW_OK;
}

/* node: as the file has them, with a third one in the middle if the type has it. */
static int add_line(struct ewi_gmsh *gmsh, int64_t label, int64_t type, const int64_t *node, int32_t name)
{
    if (gmsh->lines == gmsh->line_capacity)
        TRY(reserve_lines(gmsh, 2 * gmsh->line_capacity + 1024));
    memcpy(gmsh->line + 2 * gmsh->lines, node, 2 * sizeof *node);
    for (int axis = 0; axis < 2; axis++)
        gmsh->line_middle[2 * gmsh->lines + axis] = type == LINE ? NAN : gmsh->xy[2 * node[2] + axis];
    gmsh->line_label[gmsh->lines] = label;
    gmsh->line_name[gmsh->lines++] = name;
    return EW_OK;
}

static int add_triangle(struct ewi_gmsh *gmsh, int64_t label, const int64_t *node)
{
    if (gmsh->triangles == gmsh->triangle_capacity)
        TRY(reserve_triangles(gmsh, 2 * gmsh->triangle_capacity + 1024));
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
        TRY((wide ? ewi_scan_size : ewi_scan_int)(scan, "a node of an element", &number));
        node[k] = find_label(&gmsh->index, number);
        if (node[k] < 0)
            return ewi_scan_fail(scan, at, "element %" PRId64 " refers to node %" PRId64 ", which is not in the file",
                                 label, number);
    }
    return EW_OK;
}

static int mark_middles(struct ewi_gmsh *gmsh, int64_t type, const int64_t *node)
{
    if (nodes_of_type(type) == corners_of_type(type))
        return EW_OK;
    if (!gmsh->is_middle && !(gmsh->is_middle = ewi_alloc(gmsh->host, (size_t)gmsh->nodes, sizeof *gmsh->is_middle)))
        return ewi_gmsh_no_memory(gmsh);
    for (int k = corners_of_type(type); k < nodes_of_type(type); k++)
        gmsh->is_middle[node[k]] = true;
    return EW_OK;
}

/* The element's tags, the first of them its physical group; then its nodes. */
static int read_element_22(struct ewi_gmsh *gmsh, int64_t label, int64_t type, int64_t tags)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t group = 0, tag = 0, node[MOST_ELEMENT_NODES];
    int32_t name = -1;
    for (int64_t k = 0; k < tags; k++) {
        TRY(ewi_scan_int(scan, "a tag of an element", &tag));
        group = k == 0 ? tag : group;
    }
    TRY(read_element_nodes(gmsh, label, nodes_of_type(type), false, node));
    TRY(ewi_scan_end_record(scan));
    TRY(mark_middles(gmsh, type, node));
    if (is_triangle(type)) {
        TRY(add_triangle(gmsh, label, node));
    } else if (is_line(type)) {
        if (group != 0)
            TRY(name_of_group(gmsh, group, &name));
        TRY(add_line(gmsh, label, type, node, name));
    }
    return EW_OK;
}

static int check_tags(const struct ewi_scan *scan, const char *at, int64_t tags)
{
    bool good = tags >= 0 && tags <= MOST_TAGS;
    return good ? EW_OK : ewi_scan_fail(scan, at, "an element has %" PRId64 " tags", tags);
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
        return ewi_scan_fail(scan, at, "a header announces %" PRId64 " elements, but %" PRId64 " of the file's are "
                             "left", count, left);
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
    TRY(read_count(scan, "elements", scan->binary ? 8 : 7, &count));
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
    int64_t position = gmsh->has_entities ? find_label(&gmsh->curve_index, curve) : -1;
    if (!gmsh->has_entities)
        return ewi_scan_fail(&gmsh->scan, at, "there are lines on curve %" PRId64 ", but no $Entities section before "
                             "them, which tells the physical groups; save the mesh from Gmsh with its geometry, or as "
                             "version 2.2", curve);
    if (position < 0)
        return ewi_scan_fail(&gmsh->scan, at, "there are lines on curve %" PRId64 ", which $Entities does not list",
                             curve);
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
    int64_t head[4] = {0}, label = 0, node[MOST_ELEMENT_NODES];
    const int32_t *names = NULL;
    int32_t name_count = 0;
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(read_block_41(scan, "the type of elements", "elements", *done, total, head));
    int64_t type = head[2], count = head[3];
    if (is_line(type) && count > 0)
        TRY(names_of_curve(gmsh, at, head[1], &names, &name_count));
    if (is_triangle(type))
        TRY(reserve_triangles(gmsh, gmsh->triangles + count));
    for (int64_t k = 0; k < count; k++) {
        ewi_scan_begin_record(scan);
        TRY(ewi_scan_size(scan, "an element's number", &label));
        if (!nodes_of_type(type))
            return fail_on_type(scan, at, "element", label, type);
        TRY(read_element_nodes(gmsh, label, nodes_of_type(type), true, node));
        TRY(ewi_scan_end_record(scan));
        TRY(mark_middles(gmsh, type, node));
        if (is_triangle(type))
            TRY(add_triangle(gmsh, label, node));
        for (int32_t name = 0; name < name_count; name++)
            TRY(add_line(gmsh, label, type, node, names[name]));
    }
    *done += count;
    return EW_OK;
}

static int read_elements_41(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    int64_t blocks = 0, count = 0, done = 0;
    ewi_scan_begin_record(scan);
    const char *at = scan->at;
    TRY(read_counts_41(scan, "elements", "an element", scan->binary ? 16 : 4, &blocks, &count));
    for (int64_t k = 0; k < blocks; k++)
        TRY(read_element_block(gmsh, count, &done));
    if (done < count)
        return ewi_scan_fail(scan, at, "there should be %" PRId64 " elements, but the entities have %" PRId64, count,
                             done);
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
