/* SPDX-License-Identifier: BSD-2-Clause */
/* Meshes from arrays and rectangles: what is accepted, what is refused and with which sentence, and the invariants. */
#include "ewi_host.h"
#include "ewi_mesh_build.h"
#include "helpers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is reported -------------------------------------------------------------------------------------------- */

struct reports {
    char text[16384];
    int count;
};

static void note(void *context, const char *sentence)
{
    struct reports *reports = context;
    size_t used = strlen(reports->text);
    snprintf(reports->text + used, sizeof reports->text - used, "%s\n", sentence);
    reports->count++;
}

/* ---- small meshes ------------------------------------------------------------------------------------------------ */

struct small {
    int64_t nodes, triangles, lines;
    int32_t names;
    double xy[16][2];
    int64_t triangle[16][3];
    int64_t line[32][2];
    int32_t line_name[32];
    const char *name[8];
};

/* The unit square: 3--2  with sides bottom, right, top, left and triangles 0 (below) and 1. */
static struct small square(void)
{
    return (struct small){
        .nodes = 4, .xy = {{0, 0}, {1, 0}, {1, 1}, {0, 1}},
        .triangles = 2, .triangle = {{0, 1, 2}, {0, 2, 3}},
        .lines = 4, .line = {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, .line_name = {0, 1, 2, 3},
        .names = 4, .name = {"bottom", "right", "top", "left"},
    };
}

static ew_mesh_data data_of(const struct small *small, struct reports *reports)
{
    return (ew_mesh_data){
        .nodes = small->nodes, .xy = &small->xy[0][0],
        .triangles = small->triangles, .triangle = &small->triangle[0][0],
        .lines = small->lines, .line = &small->line[0][0], .line_name = small->line_name,
        .names = small->names, .name = small->name,
        .report = note, .report_context = reports,
    };
}

static void is_refused(const struct small *small, const char *sentence, const char *what)
{
    struct reports reports = {0};
    ew_mesh_data data = data_of(small, &reports);
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    int code = ew_mesh_create(NULL, &data, &mesh, &error);
    is_int(code, EW_EMESH, "%s: refused", what);
    contains(reports.text, sentence, "%s: reported", what);
    ok(strlen(error.message) > 10 && error.code == code && !mesh, "%s: the error has a sentence", what);
    if (!strstr(reports.text, sentence))
        diag("%s", reports.text);
    ew_mesh_destroy(mesh);
}

static char warned[1024]; /* the warnings of the last mesh that was accepted */

static void keep_warning(void *context, int level, const char *sentence)
{
    (void)context;
    if (level == EW_LOG_WARNING)
        snprintf(warned + strlen(warned), sizeof warned - strlen(warned), "%s\n", sentence);
}

static ew_mesh *accepted(const ew_mesh_data *data, const char *what)
{
    const ew_host host = {.log = keep_warning};
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    warned[0] = '\0';
    int code = ew_mesh_create(&host, data, &mesh, &error);
    if (!ok(code == EW_OK, "%s: accepted", what)) {
        diag("%s", error.message);
        return NULL;
    }
    if (!ok(mesh_is_valid(mesh, &error), "%s: all invariants hold", what))
        diag("%s", error.message);
    return mesh;
}

/* ---- order and sorting ------------------------------------------------------------------------------------------- */

static void test_hilbert_curve(void)
{
    enum { BITS = 5, SIZE = 1 << BITS };
    struct ewi_hilbert hilbert;
    static int at[SIZE * SIZE][2];
    bool distinct = true, adjacent = true;
    ewi_hilbert_init(&hilbert);
    memset(at, -1, sizeof at);
    for (int x = 0; x < SIZE; x++) {
        for (int y = 0; y < SIZE; y++) {
            uint64_t position = ewi_hilbert_position(&hilbert, (uint32_t)x << (32 - BITS),
                                                     (uint32_t)y << (32 - BITS)) >>
                                (64 - 2 * BITS);
            distinct = distinct && at[position][0] == -1;
            at[position][0] = x;
            at[position][1] = y;
        }
    }
    for (int k = 1; k < SIZE * SIZE; k++)
        adjacent = adjacent && abs(at[k][0] - at[k - 1][0]) + abs(at[k][1] - at[k - 1][1]) == 1;
    ok(distinct, "every cell has its own place on the Hilbert curve");
    ok(adjacent, "cells that follow one another on the Hilbert curve are neighbours");
}

static uint64_t random_state = 20240229;

static uint64_t next_random(void)
{
    return splitmix64(&random_state);
}

static void test_sort(void)
{
    enum { COUNT = 3000 };
    static uint64_t key[COUNT];
    static int32_t index[COUNT];
    const ew_host host = ewi_host_or_default(NULL);
    bool sorted = true, stable = true, numbers = true;
    for (int k = 0; k < COUNT; k++) {
        key[k] = k % 2 ? next_random() : next_random() % 50 << 40;
        index[k] = k;
    }
    is_int(ewi_sort(&host, COUNT, key, index), EW_OK, "keys are sorted");
    for (int k = 1; k < COUNT; k++) {
        sorted = sorted && key[k - 1] <= key[k];
        stable = stable && (key[k - 1] < key[k] || index[k - 1] < index[k]);
    }
    ok(sorted, "sorted keys ascend");
    ok(stable, "equal keys keep their order");
    const double ascending[] = {-INFINITY, -1e300, -2, -1e-300, 0, 1e-300, 1, 2, 1e300, INFINITY};
    for (size_t k = 1; k < sizeof ascending / sizeof ascending[0]; k++)
        numbers = numbers && ewi_sort_key(ascending[k - 1]) < ewi_sort_key(ascending[k]);
    ok(numbers && ewi_sort_key(-0.0) == ewi_sort_key(0.0), "keys of numbers order as the numbers do");
}

/* ---- accepted meshes --------------------------------------------------------------------------------------------- */

static void test_square(void)
{
    struct small small = square();
    ew_mesh_data data = data_of(&small, NULL);
    ew_mesh *mesh = accepted(&data, "a square of two triangles");
    ew_mesh_info info;
    int64_t edges = 0, element = -1, triangle[6];
    int32_t boundary = -1;
    int side = -1;
    double xy[8];
    if (!mesh)
        return;
    ew_mesh_get_info(mesh, &info);
    is_int(info.nodes, 4, "a square has 4 nodes");
    is_int(info.elements, 2, "a square has 2 elements");
    is_int(info.edges, 5, "a square has 5 edges");
    is_int(info.boundary_edges, 4, "a square has 4 boundary edges");
    is_int(info.boundaries, 4, "a square has 4 boundaries");
    is_int(info.reoriented, 0, "no triangle was turned");
    is_close(info.area, 1, 1e-15, "the square's area is 1");
    is_close(info.smallest_diameter, 2 / (2 + sqrt(2)), 1e-15,
             "d_min is the inscribed circle's diameter, 4 areas over the perimeter");
    is_close(info.largest_diameter, info.smallest_diameter, 1e-15, "both triangles have the same inscribed circle");
    ok(info.xmin == 0 && info.ymin == 0 && info.xmax == 1 && info.ymax == 1, "the box around the square is known");
    is_str(ew_mesh_boundary(mesh, 2, &edges), "top", "boundaries keep the order of their names");
    is_int(edges, 1, "the top has one edge");
    ok(!ew_mesh_boundary(mesh, 4, NULL) && !ew_mesh_boundary(mesh, -1, NULL),
       "there is no boundary beyond the last one");
    is_int(ew_mesh_boundary_edge(mesh, 2, &element, &side, &boundary), EW_OK, "a boundary edge can be asked for");
    ok(element == 1 && side == 1 && boundary == 2, "the top edge is side 1 of element 1, in the file's numbers");
    is_int(ew_mesh_boundary_edge(mesh, 4, NULL, NULL, NULL), EW_EINVAL, "edges beyond the boundary's are refused");
    ew_mesh_get_nodes(mesh, xy);
    ew_mesh_get_triangles(mesh, triangle);
    ok(memcmp(xy, small.xy, sizeof xy) == 0, "nodes come back in file order");
    ok(memcmp(triangle, small.triangle, sizeof triangle) == 0, "triangles come back in file order");
    ew_mesh_destroy(mesh);
}

static void test_orientation(void)
{
    struct small small = square();
    small.triangle[0][1] = 2;
    small.triangle[0][2] = 1;
    ew_mesh_data data = data_of(&small, NULL);
    ew_mesh *mesh = accepted(&data, "a clockwise triangle");
    int64_t triangle[6] = {0};
    ew_mesh_info info = {0};
    if (!mesh)
        return;
    ew_mesh_get_info(mesh, &info);
    ew_mesh_get_triangles(mesh, triangle);
    is_int(info.reoriented, 1, "one triangle was turned");
    ok(triangle[0] == 0 && triangle[1] == 1 && triangle[2] == 2,
       "a clockwise triangle keeps its first node and exchanges the others");
    ew_mesh_destroy(mesh);
}

static void test_unused_nodes_and_inner_lines(void)
{
    struct small small = square();
    small.xy[small.nodes][0] = 7;
    small.xy[small.nodes++][1] = 7;
    small.line[4][0] = 0;
    small.line[4][1] = 2;
    small.line_name[4] = 4;
    small.line[5][0] = 1;
    small.line[5][1] = 3;
    small.line_name[5] = -1;
    small.lines = 6;
    small.name[small.names++] = "interface";
    ew_mesh_data data = data_of(&small, NULL);
    ew_mesh *mesh = accepted(&data, "an unused node, a named curve inside and a nameless line that is no edge");
    ew_mesh_info info = {0};
    if (!mesh)
        return;
    ew_mesh_get_info(mesh, &info);
    is_int(info.boundaries, 4, "a curve inside the mesh is no boundary");
    contains(warned, "\"interface\" is no boundary: its line lies inside the mesh", "a warning says so");
    is_int(info.nodes, 5, "nodes without triangles are kept");
    ok(info.xmax == 1, "nodes without triangles do not count for the extent");
    ew_mesh_destroy(mesh);
}

/* Adds a name of some sides of the square: bits 1 bottom, 2 right, 4 top, 8 left. */
static void add_group(struct small *small, const char *name, int sides)
{
    for (int side = 0; side < 4; side++) {
        if (!(sides & 1 << side))
            continue;
        memcpy(small->line[small->lines], small->line[side], sizeof small->line[side]);
        small->line_name[small->lines++] = small->names;
    }
    small->name[small->names++] = name;
}

/* The smallest group names an edge, in any order of the lines. */
static void test_nested_names(void)
{
    static const char *const expected[2][4] = {{"bottom", "right", "top", "left"}, {"walls", "all", "in", NULL}};
    for (int k = 0; k < 2; k++) {
        struct small small = square();
        if (k == 1) {
            small.lines = 4;
            memset(small.line_name, -1, sizeof small.line_name);
            small.names = 0;
            add_group(&small, "walls", 1 + 4 + 8);
            add_group(&small, "all", 15);
            add_group(&small, "in", 8);
        } else {
            add_group(&small, "all", 15);
        }
        ew_mesh_data data = data_of(&small, NULL);
        ew_mesh *mesh = accepted(&data, k ? "a group within a group within a group" : "a group of groups");
        for (int32_t b = 0; mesh && b < 4 && expected[k][b]; b++)
            is_str(ew_mesh_boundary(mesh, b, NULL), expected[k][b], "boundary %d of it", (int)b);
        contains(warned, k ? "edges of \"walls\" in a smaller group belong to that one: \"in\""
                           : "\"all\" is no boundary: each of its edges is in a smaller group, too, and belongs to that"
                             ": \"bottom\", \"right\", \"top\", \"left\"", "a warning tells it");
        ew_mesh_destroy(mesh);
    }
}

/* ---- refused meshes ---------------------------------------------------------------------------------------------- */

static void test_triangles_refused(void)
{
    struct small small = square();
    small.triangle[1][2] = 9;
    is_refused(&small, "triangle 1 (nodes 0, 2, 9) refers to node index 9, but there are 4 nodes",
               "a node that does not exist");
    small.triangle[1][2] = -1;
    is_refused(&small, "refers to node index -1", "a negative node");
    small.triangle[1][2] = 2;
    is_refused(&small, "triangle 1 (nodes 0, 2, 2) is degenerate: a node is given twice", "a node given twice");
    small = square();
    small.xy[3][0] = 0.5;
    small.xy[3][1] = 0.5;
    is_refused(&small, "triangle 1 (nodes 0, 2, 3) is degenerate: its area is 0", "a triangle without area");
    small.xy[3][1] = NAN;
    is_refused(&small, "node 3 (0.5, nan) has coordinates that are not finite", "a coordinate that is no number");
    small.xy[3][1] = -INFINITY;
    is_refused(&small, "node 3 (0.5, -inf) has coordinates", "an infinite coordinate");
    small = square();
    for (int k = 0; k < 4; k++) {
        small.xy[k][0] *= 1e-160;
        small.xy[k][1] *= 1e-160;
    }
    is_refused(&small, "triangle 0 (nodes 0, 1, 2) is too small to compute with: its edges are shorter than 1e-100",
               "areas that would vanish");
    small = square();
    small.triangles = 0;
    is_refused(&small, "the mesh has no triangles", "no triangles");
    small.triangles = ((int64_t)1 << 29) + 1;
    is_refused(&small, "at most 536870912 are possible", "too many triangles");
    small = square();
    small.nodes = INT32_MAX;
    is_refused(&small, "the mesh has 2147483647 nodes", "too many nodes");
}

static void test_overlaps_refused(void)
{
    struct small small = square();
    memcpy(small.triangle[2], (int64_t[]){2, 0, 1}, sizeof small.triangle[2]);
    small.triangles = 3;
    is_refused(&small, "triangle 2 (nodes 2, 0, 1) is a duplicate of triangle 0 (nodes 0, 1, 2)",
               "a triangle given twice");
    memcpy(small.triangle[2], (int64_t[]){2, 1, 0}, sizeof small.triangle[2]);
    is_refused(&small, "triangle 2 (nodes 2, 1, 0) is a duplicate of triangle 0",
               "a triangle given twice, once clockwise");

    small = square(); /* a third triangle on the diagonal */
    small.xy[4][0] = 0.5;
    small.xy[4][1] = 3;
    small.nodes = 5;
    memcpy(small.triangle[2], (int64_t[]){0, 2, 4}, sizeof small.triangle[2]);
    small.triangles = 3;
    is_refused(&small, "overlap: both lie on the same side of the edge from node 0 (0, 0) to node 2 (1, 1)",
               "an edge with three triangles");
    memcpy(small.triangle[1], small.triangle[2], sizeof small.triangle[2]);
    small.triangle[0][1] = 3;
    small.triangles = 2;
    is_refused(&small, "triangle 0 (nodes 0, 3, 2) and triangle 1 (nodes 0, 2, 4) overlap",
               "two triangles on one side of an edge");
}

static void test_names_refused(void)
{
    struct small small = square();
    small.lines = 3;
    small.names = 3;
    is_refused(&small,
               "the edge from node 3 (0, 1) to node 0 (0, 0) of triangle 1 has a triangle on one side only, but no "
               "boundary name",
               "a boundary edge without a name");
    small = square();
    small.line_name[3] = -1;
    is_refused(&small, "the boundary \"left\" has no edge", "a name without an edge");
    small = square();
    memcpy(small.line[4], (int64_t[]){1, 0}, sizeof small.line[4]);
    small.line_name[4] = 0;
    small.lines = 5;
    struct small crossing = square();
    add_group(&crossing, "all", 15);
    add_group(&crossing, "low", 1);
    is_refused(&crossing, "\"bottom\" and \"low\" name the same edges, and neither group is a smaller part of the",
               "two names for the same edges");
    crossing = square();
    add_group(&crossing, "horizontal", 1 + 4);
    add_group(&crossing, "lower", 1 + 2);
    is_refused(&crossing, "\"horizontal\" and \"lower\" name the same edges, and neither", "groups that cross");
    struct reports reports = {0};
    ew_mesh_data data = data_of(&small, &reports);
    ew_mesh_destroy(accepted(&data, "a line given twice with the same name"));
    memcpy(small.line[4], (int64_t[]){1, 3}, sizeof small.line[4]);
    is_refused(&small, "line 4 (nodes 1, 3), named \"bottom\", is no triangle's edge", "a named line that is no edge");
    memcpy(small.line[4], (int64_t[]){0, 2}, sizeof small.line[4]);
    is_refused(&small, "line 4 (nodes 0, 2), named \"bottom\", has a triangle on either side",
               "a boundary's name inside the mesh");
    memcpy(small.line[4], (int64_t[]){0, 4}, sizeof small.line[4]);
    is_refused(&small, "line 4 (nodes 0, 4) refers to node index 4", "a line with a node that does not exist");
    small = square();
    small.line_name[2] = 4;
    is_refused(&small, "line 2 (nodes 2, 3) has name number 4, but there are 4 names",
               "a line with a name that does not exist");
}

/* Two squares side by side; the right one has a node more on the common side. */
static struct small two_squares(void)
{
    return (struct small){
        .nodes = 7, .xy = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {1, 0.5}, {2, 0}, {2, 1}},
        .triangles = 5, .triangle = {{0, 1, 2}, {0, 2, 3}, {1, 5, 4}, {4, 5, 6}, {4, 6, 2}},
        .lines = 6, .line = {{0, 1}, {1, 5}, {5, 6}, {6, 2}, {2, 3}, {3, 0}},
        .names = 1, .name = {"wall"},
    };
}

static void test_touching_parts(void)
{
    struct small small = two_squares();
    struct reports reports = {0};
    ew_mesh_data data = data_of(&small, &reports);
    ew_mesh *mesh = NULL;
    is_refused(&small, "node 4 (1, 0.5) hangs on the edge from node 1 (1, 0) to node 2 (1, 1) of triangle 0",
               "a hanging node");
    ew_mesh_create(NULL, &data, &mesh, NULL);
    is_int(reports.count, 1, "a hanging node is one defect: the edges beside it need no sentence of their own");

    small = two_squares(); /* node 4 becomes a second node 1: a crack */
    small.xy[4][1] = 0;
    memcpy(small.triangle[2], (int64_t[]){4, 5, 6}, sizeof small.triangle[2]);
    memcpy(small.triangle[3], (int64_t[]){4, 6, 2}, sizeof small.triangle[3]);
    small.triangles = 4;
    small.line[1][0] = 4;
    is_refused(&small, "lies on the edge from node", "a crack");
    memset(&reports, 0, sizeof reports);
    data = data_of(&small, &reports);
    ew_mesh_create(NULL, &data, &mesh, NULL);
    if (!is_int(reports.count, 1, "a crack is one defect"))
        diag("%s", reports.text);
    memcpy(small.line[6], (int64_t[]){1, 2}, sizeof small.line[6]);
    memcpy(small.line[7], (int64_t[]){4, 2}, sizeof small.line[7]);
    small.line_name[6] = small.line_name[7] = 1;
    small.name[1] = "slit";
    small.names = 2;
    small.lines = 8;
    data = data_of(&small, &reports);
    mesh = accepted(&data, "a slit, both sides of which have names");
    ew_mesh_destroy(mesh);
}

/* Names for all edges of the common side: line 6 is the left square's, 7 and 8 the right one's. */
static struct small named_squares(void)
{
    struct small small = two_squares();
    memcpy(small.line[6], (int64_t[]){1, 2}, sizeof small.line[6]);
    memcpy(small.line[7], (int64_t[]){1, 4}, sizeof small.line[7]);
    memcpy(small.line[8], (int64_t[]){4, 2}, sizeof small.line[8]);
    small.line_name[6] = small.line_name[7] = small.line_name[8] = 1;
    small.name[1] = "between";
    small.names = 2;
    small.lines = 9;
    return small;
}

/* The right square with nodes 7 and 8 of its own where it had nodes 1 and 2. */
static struct small apart(void)
{
    struct small small = named_squares();
    memcpy(small.xy[7], (double[]){1, 0}, sizeof small.xy[7]);
    memcpy(small.xy[8], (double[]){1, 1}, sizeof small.xy[8]);
    small.nodes = 9;
    for (int64_t t = 2; t < 5; t++)
        for (int k = 0; k < 3; k++)
            small.triangle[t][k] += small.triangle[t][k] == 1 ? 6 : small.triangle[t][k] == 2 ? 6 : 0;
    small.line[1][0] = small.line[7][0] = 7;
    small.line[3][1] = small.line[8][1] = 8;
    return small;
}

static void accept_touching(struct small *small, const char *what)
{
    struct reports reports = {0};
    ew_mesh_data data = data_of(small, &reports);
    ew_mesh_destroy(accepted(&data, what));
    is_int(reports.count, 0, "%s: nothing is reported", what);
}

static void test_named_hanging(void)
{
    struct reports reports = {0};
    struct small small = named_squares();
    ew_mesh_data data = data_of(&small, &reports);
    ew_mesh *mesh = NULL;
    is_refused(
        &small,
        "node 4 (1, 0.5) hangs on the edge from node 1 (1, 0) to node 2 (1, 1) of triangle 0, and the edge from node ",
        "a hanging node whose edges all have names");
    ew_mesh_create(NULL, &data, &mesh, NULL);
    is_int(reports.count, 1, "it is one defect");

    small = apart();
    is_refused(&small, "node 4 (1, 0.5) hangs on the edge",
               "a slit whose sides have different nodes, even at its ends");
    for (int k = 4; k < 9; k++) /* node 4, the right square and its corners */
        small.xy[k][1] += 0.25;
    is_refused(&small, "hangs on the edge", "a slit whose sides are shifted along each other");
    for (int k = 4; k < 9; k++)
        small.xy[k][0] += 1e-3;
    accept_touching(&small, "a narrow gap");

    small = apart(); /* its left side becomes a corner that touches the left square's right one */
    for (int k = 7; k < 9; k++)
        small.xy[k][0] = 1.1;
    accept_touching(&small, "two parts of the domain that touch at a node inside an edge");
    small.xy[4][0] = 1.1; /* now all on one line, with the left square away */
    accept_touching(&small, "boundary edges on one line");
}

static void test_labels(void)
{
    struct small small = square();
    struct reports reports = {0};
    ew_mesh_data data = data_of(&small, &reports);
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    data.source = "square.msh";
    data.node_label = (int64_t[]){11, 12, 13, 14};
    data.triangle_label = (int64_t[]){21, 22};
    data.line_label = (int64_t[]){31, 32, 33, 34};
    data.lines = data.names = 2;
    is_int(ew_mesh_create(NULL, &data, &mesh, &error), EW_EMESH, "a mesh with the file's own numbers: refused");
    is_str(error.message,
           "square.msh: the edge from node 13 (1, 1) to node 14 (0, 1) of triangle 22 has a triangle on one side only, "
           "but no boundary name, like 1 other edge; put all curves of the boundary into physical groups, for example "
           "Physical Curve(\"wall\") = {1, 2};",
           "sentences name the file and use its own numbers");
    is_int(reports.count, 1, "a defect is reported");
}

static void test_arguments(void)
{
    struct small small = square();
    struct reports reports = {0};
    ew_mesh_data data = data_of(&small, &reports);
    ew_mesh *mesh = NULL;
    is_int(ew_mesh_create(NULL, NULL, &mesh, NULL), EW_EINVAL, "no data: refused");
    is_int(ew_mesh_create(NULL, &data, NULL, NULL), EW_EINVAL, "no place for the mesh: refused");
    data.line_name = NULL;
    is_int(ew_mesh_create(NULL, &data, &mesh, NULL), EW_EINVAL, "a missing array: refused");
    data = data_of(&small, &reports);
    data.lines = -1;
    is_int(ew_mesh_create(NULL, &data, &mesh, NULL), EW_EINVAL, "a negative count: refused");
    small.name[1] = "top";
    data = data_of(&small, &reports);
    is_int(ew_mesh_create(NULL, &data, &mesh, NULL), EW_EINVAL, "a name listed twice: refused");
    contains(reports.text, "the boundary name \"top\" is listed twice", "a name listed twice: reported");
    ew_mesh_destroy(NULL);
}

/* ---- rectangles -------------------------------------------------------------------------------------------------- */

static ew_rectangle rectangle_of(int32_t nx, int32_t ny, double jitter, uint64_t seed)
{
    static const ew_side_part bottom[] = {{"behind", 0, 1. / 6}, {"wedge", 1. / 6, 4}}, right = {"right", 0, 1},
                              top = {"top", 0, 4}, left = {"left", 0, 1};
    return (ew_rectangle){
        .x1 = 4, .y1 = 1, .nx = nx, .ny = ny, .jitter = jitter, .seed = seed,
        .side = {{2, bottom}, {1, &right}, {1, &top}, {1, &left}},
    };
}

static void test_rectangle(void)
{
    ew_rectangle rectangle = rectangle_of(24, 6, 0, 0);
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    ew_mesh_info info = {0};
    int64_t behind = 0, wedge = 0, top = 0;
    is_int(ew_mesh_rectangle(NULL, &rectangle, &mesh, &error), EW_OK, "a rectangle is made");
    ew_mesh_get_info(mesh, &info);
    ok(mesh_is_valid(mesh, &error), "a rectangle: all invariants hold");
    is_int(info.elements, 2 * 24 * 6, "a rectangle has two triangles a cell");
    is_int(info.boundary_edges, 60, "a rectangle has an edge a cell along its sides");
    is_close(info.area, 4, 1e-13, "a rectangle's area is right");
    is_str(ew_mesh_boundary(mesh, 0, &behind), "behind", "the bottom's first part is the first boundary");
    is_str(ew_mesh_boundary(mesh, 1, &wedge), "wedge", "the bottom's second part is the second one");
    is_str(ew_mesh_boundary(mesh, 3, &top), "top", "sides come in the order bottom, right, top, left");
    ok(behind == 1 && wedge == 23 && top == 24, "cells are dealt to the parts in proportion");
    int64_t element = -1;
    int side = -1;
    ew_mesh_boundary_edge(mesh, 0, &element, &side, NULL);
    int64_t *triangle = calloc((size_t)info.elements, 3 * sizeof *triangle);
    double *xy = calloc((size_t)info.nodes, 2 * sizeof *xy);
    ew_mesh_get_triangles(mesh, triangle);
    ew_mesh_get_nodes(mesh, xy);
    int64_t end = triangle[3 * element + (side + 1) % 3];
    ok(xy[2 * end] == 1. / 6 && xy[2 * end + 1] == 0, "a split point is a node, exactly");
    free(xy);
    free(triangle);
    ew_mesh_destroy(mesh);
}

static void rectangle_is_refused(const ew_rectangle *rectangle, const char *sentence, const char *what)
{
    struct reports reports = {0};
    ew_rectangle copy = *rectangle;
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    copy.report = note;
    copy.report_context = &reports;
    is_int(ew_mesh_rectangle(NULL, &copy, &mesh, &error), EW_EINVAL, "%s: refused", what);
    contains(error.message, sentence, "%s: told", what);
    contains(reports.text, sentence, "%s: reported", what);
}

static void test_rectangle_refused(void)
{
    static const ew_side_part gap[] = {{"a", 0, 1}, {"b", 1.5, 4}}, overlap[] = {{"a", 0, 2}, {"b", 1, 4}},
                              twice[] = {{"a", 0, 4}, {"b", 1, 2}}, beyond[] = {{"a", 0, 5}},
                              reversed[] = {{"a", 4, 0}}, unsorted[] = {{"b", 2, 4}, {"a", 0, 2}},
                              nameless[] = {{"", 0, 4}};
    ew_rectangle r = rectangle_of(8, 2, 0, 0);
    r.nx = 0;
    rectangle_is_refused(&r, "the rectangle has 0 by 2 cells", "no cells");
    r.nx = r.ny = 1 << 20;
    rectangle_is_refused(&r, "at most 536870912 are possible", "too many cells");
    r = rectangle_of(8, 2, 0.7, 0);
    rectangle_is_refused(&r, "the rectangle's jitter is 0.7", "too much jitter");
    r = rectangle_of(8, 2, 0, 0);
    r.x1 = r.x0;
    rectangle_is_refused(&r, "is empty", "an empty rectangle");
    r.x1 = 1e300;
    rectangle_is_refused(&r, "coordinates that are not finite numbers of at most 1e+30",
                         "a rectangle beyond all bounds");
    r = rectangle_of(8, 2, 0, 0);
    r.side[3].parts = 0;
    rectangle_is_refused(&r, "the rectangle's left side has no boundary name", "a side without a name");
    r = rectangle_of(8, 2, 0, 0);
    r.side[2].part = gap;
    r.side[2].parts = 2;
    rectangle_is_refused(
        &r, "the parts of the rectangle's top side do not cover it: no part starts at 1, but the side runs from 0 to 4",
        "a gap");
    r.side[2].part = overlap;
    rectangle_is_refused(&r, "no part starts at 2", "parts that overlap");
    r.side[2].part = twice;
    rectangle_is_refused(&r, "the parts of the rectangle's top side overlap", "a part within another");
    r.side[2].parts = 1;
    r.side[2].part = beyond;
    rectangle_is_refused(&r, "runs from 0 to 5, but the side only from 0 to 4", "a part beyond the side");
    r.side[2].part = reversed;
    rectangle_is_refused(&r, "its end must be greater than its start", "a reversed part");
    r.side[2].part = nameless;
    rectangle_is_refused(&r, "a part of the rectangle's top side has no name", "a part without a name");
    r = rectangle_of(1, 1, 0, 0);
    rectangle_is_refused(&r, "needs at least 2 cells in x, not 1", "more parts than cells");
    r = rectangle_of(8, 2, 0, 0);
    r.side[2].part = unsorted;
    r.side[2].parts = 2;
    ew_mesh *mesh = NULL;
    is_int(ew_mesh_rectangle(NULL, &r, &mesh, NULL), EW_OK, "parts may be given in any order");
    ew_mesh_destroy(mesh);
}

/* ---- periodic boundaries ----------------------------------------------------------------------------------------- */

static ew_rectangle box(int32_t nx, int32_t ny, int32_t periodics, const ew_periodic *periodic)
{
    static const ew_side_part bottom = {"bottom", 0, 4}, right = {"right", 0, 1}, top = {"top", 0, 4},
                              left = {"left", 0, 1};
    return (ew_rectangle){
        .x1 = 4, .y1 = 1, .nx = nx, .ny = ny, .jitter = 0.5, .seed = 5,
        .side = {{1, &bottom}, {1, &right}, {1, &top}, {1, &left}},
        .periodics = periodics, .periodic = periodic,
    };
}

static void test_periodic(void)
{
    const ew_periodic both[] = {{"left", "right", 4, 0, 0}, {"top", "bottom", 0, 0, 1}};
    for (int32_t pairs = 1; pairs <= 2; pairs++) {
        ew_rectangle r = box(9, 5, pairs, both);
        ew_mesh *mesh = NULL;
        ew_error error = {0};
        ew_mesh_info info = {0};
        if (!is_int(ew_mesh_rectangle(NULL, &r, &mesh, &error), EW_OK, "%d periodic pairs: accepted", (int)pairs)) {
            diag("%s", error.message);
            continue;
        }
        ew_mesh_get_info(mesh, &info);
        ok(mesh_is_valid(mesh, &error), "%d periodic pairs: all invariants hold", (int)pairs);
        is_int(info.boundaries, 4 - 2 * pairs, "%d periodic pairs: periodic boundaries are none any more", (int)pairs);
        is_int(info.boundary_edges, pairs == 1 ? 18 : 0, "%d periodic pairs: their edges are interior", (int)pairs);
        is_int(info.edges, 9 * 5 * 3 + (pairs == 1 ? 9 : 0), "%d periodic pairs: two edges become one", (int)pairs);
        ew_mesh_destroy(mesh);
    }
    ew_rectangle narrow = box(1, 1, 2, both);
    ew_mesh *mesh = NULL;
    is_int(ew_mesh_rectangle(NULL, &narrow, &mesh, NULL), EW_OK, "a doubly periodic rectangle of one cell: accepted");
    ok(mesh && mesh_is_valid(mesh, NULL), "a doubly periodic rectangle of one cell: all invariants hold");
    ew_mesh_destroy(mesh);
}

static void periodic_is_refused(int32_t count, const ew_periodic *periodic, const char *sentence, const char *what)
{
    struct reports reports = {0};
    ew_rectangle r = box(4, 4, count, periodic);
    ew_mesh *mesh = NULL;
    r.jitter = 0;
    r.report = note;
    r.report_context = &reports;
    is_int(ew_mesh_rectangle(NULL, &r, &mesh, NULL), EW_EMESH, "%s: refused", what);
    if (!contains(reports.text, sentence, "%s: reported", what))
        diag("%s", reports.text);
}

/* What is foretold of a rectangle is what it becomes. */
static void check_foretold(const ew_rectangle *rectangle, const char *what)
{
    ew_mesh *mesh;
    ew_mesh_info info, foretold = {0};
    ew_error error = {.message = ""};
    if (!ok(ew_mesh_rectangle(NULL, rectangle, &mesh, &error) == EW_OK, "%s: made", what)) {
        diag("%s", error.message);
        return;
    }
    ew_mesh_get_info(mesh, &info);
    is_int(ew_rectangle_info(NULL, rectangle, &foretold, &error), EW_OK, "%s: foretold", what);
    ok(foretold.nodes == info.nodes && foretold.elements == info.elements && foretold.edges == info.edges,
       "%s: the size is right", what);
    ok(foretold.boundary_edges == info.boundary_edges && foretold.boundaries == info.boundaries,
       "%s: so is the boundary's", what);
    is_int((int64_t)foretold.bytes, (int64_t)info.bytes, "%s: and the memory", what);
    is_close(foretold.area, info.area, 1e-12 * info.area, "%s: the area is right", what);
    is_close(foretold.smallest_diameter, info.smallest_diameter, 1e-12, "%s: the least diameter is right", what);
    is_close(foretold.largest_diameter, info.largest_diameter, 1e-12, "%s: the greatest diameter is right", what);
    ok(foretold.xmin == info.xmin && foretold.ymin == info.ymin && foretold.xmax == info.xmax &&
           foretold.ymax == info.ymax,
       "%s: so is the box", what);
    ew_mesh_destroy(mesh);
}

static void test_foretold(void)
{
    static const ew_side_part whole[4] = {{"bottom", 0, 2}, {"right", 0, 1}, {"top", 0, 2}, {"left", 0, 1}};
    static const ew_side_part parts[3] = {{"bottom", 0, 0.3}, {"middle", 0.3, 1.9}, {"bottom", 1.9, 2}};
    static const ew_periodic pairs[2] = {{"left", "right", 0, 0, 1}, {"bottom", "top", 0, 0, 1}};
    ew_rectangle r = {
        .x1 = 2, .y1 = 1, .nx = 7, .ny = 5, .side = {{1, &whole[0]}, {1, &whole[1]}, {1, &whole[2]}, {1, &whole[3]}}};
    check_foretold(&r, "a rectangle");
    r.periodics = 1;
    r.periodic = pairs;
    check_foretold(&r, "a tube");
    r.periodics = 2;
    check_foretold(&r, "a torus");
    r.periodics = 1;
    r.side[0].parts = 3;
    r.side[0].part = parts;
    check_foretold(&r, "a rectangle with parts");
    r.nx = 3;
    ew_error error;
    ew_mesh_info info;
    is_int(ew_rectangle_info(NULL, &r, &info, &error), EW_OK, "three parts fit three cells");
    r.nx = 2;
    is_int(ew_rectangle_info(NULL, &r, &info, &error), EW_EINVAL, "three parts do not fit two cells");
    r.nx = 20000;
    r.ny = 13000;
    is_int(ew_rectangle_info(NULL, &r, &info, &error), EW_OK, "a rectangle that nobody would make is foretold, too");
    is_int(info.elements, 520000000, "a rectangle that nobody would make: its size");
}

static void test_periodic_refused(void)
{
    periodic_is_refused(1, &(ew_periodic){"left", "rigth", 0, 0, 1},
                        "the periodic boundary \"rigth\" is not in the mesh; did you mean \"right\"?",
                        "a mistyped name");
    periodic_is_refused(1, &(ew_periodic){"left", "left", 0, 0, 1},
                        "the boundary \"left\" is a periodic pair with itself", "a pair with itself");
    periodic_is_refused(2, (ew_periodic[]){{"left", "right", 0, 0, 1}, {"right", "top", 0, 0, 1}},
                        "the boundary \"right\" is in two periodic pairs", "a name in two pairs");
    periodic_is_refused(1, &(ew_periodic){"left", "right", 3, 0, 0},
                        "the periodic boundaries \"left\" and \"right\", which is (3, 0) away, do not match: ",
                        "a wrong translation");
    periodic_is_refused(1, &(ew_periodic){"left", "right", NAN, 0, 0},
                        "the translation from \"left\" to \"right\" is not finite", "a translation that is no number");
    periodic_is_refused(1, &(ew_periodic){"left", "top", 0, 0, 1},
                        "edges have no partner, for example the edge from node", "boundaries of different shape");

    struct small small = square(); /* three edges against one */
    struct reports reports = {0};
    ew_mesh *mesh = NULL;
    small.line_name[1] = small.line_name[2] = 1;
    small.names = 4;
    small.name[2] = "left";
    small.line_name[3] = 2;
    small.names = 3;
    ew_mesh_data data = data_of(&small, &reports);
    data.periodics = 1;
    data.periodic = &(ew_periodic){"left", "right", 1, 0, 0};
    is_int(ew_mesh_create(NULL, &data, &mesh, NULL), EW_EMESH, "periodic boundaries of different length: refused");
    is_str(reports.text,
           "the periodic boundaries \"left\" and \"right\", which is (1, 0) away, do not match: 0 of 1 and 1 of 2 "
           "edges have no "
           "partner, for example the edge from node 2 (1, 1) to node 3 (0, 1) of triangle 1; the one must be the "
           "other, shifted\n",
           "periodic boundaries of different length: told in one sentence");
}

/* ---- random meshes ----------------------------------------------------------------------------------------------- */

/* A mesh as arrays, to be shuffled. */
struct arrays {
    ew_mesh_info info;
    double *xy;
    int64_t *triangle, *line;
    int32_t *line_name;
    const char *name[16];
};

static bool extract(const ew_mesh *mesh, struct arrays *a)
{
    ew_mesh_get_info(mesh, &a->info);
    a->xy = calloc((size_t)a->info.nodes, 2 * sizeof *a->xy);
    a->triangle = calloc((size_t)a->info.elements, 3 * sizeof *a->triangle);
    a->line = calloc((size_t)a->info.boundary_edges, 2 * sizeof *a->line);
    a->line_name = calloc((size_t)a->info.boundary_edges, sizeof *a->line_name);
    if (!a->xy || !a->triangle || !a->line || !a->line_name)
        return false;
    ew_mesh_get_nodes(mesh, a->xy);
    ew_mesh_get_triangles(mesh, a->triangle);
    for (int64_t e = 0; e < a->info.boundary_edges; e++) {
        int64_t element = 0;
        int side = 0;
        ew_mesh_boundary_edge(mesh, e, &element, &side, &a->line_name[e]);
        a->line[2 * e] = a->triangle[3 * element + side];
        a->line[2 * e + 1] = a->triangle[3 * element + (side + 1) % 3];
    }
    for (int32_t k = 0; k < a->info.boundaries; k++)
        a->name[k] = ew_mesh_boundary(mesh, k, NULL);
    return true;
}

static void free_arrays(struct arrays *a)
{
    free(a->xy);
    free(a->triangle);
    free(a->line);
    free(a->line_name);
}

static ew_mesh_data data_of_arrays(const struct arrays *a)
{
    return (ew_mesh_data){
        .nodes = a->info.nodes, .xy = a->xy, .triangles = a->info.elements, .triangle = a->triangle,
        .lines = a->info.boundary_edges, .line = a->line, .line_name = a->line_name, .names = a->info.boundaries,
        .name = a->name,
    };
}

static void swap_bytes(void *a, void *b, size_t size)
{
    char kept[64];
    memcpy(kept, a, size);
    memcpy(a, b, size);
    memcpy(b, kept, size);
}

static void shuffle_triangles_and_lines(struct arrays *a)
{
    for (int64_t i = a->info.elements - 1; i > 0; i--)
        swap_bytes(a->triangle + 3 * i, a->triangle + 3 * (next_random() % (uint64_t)(i + 1)), 3 * sizeof *a->triangle);
    for (int64_t i = a->info.boundary_edges - 1; i > 0; i--) {
        int64_t j = (int64_t)(next_random() % (uint64_t)(i + 1));
        swap_bytes(a->line + 2 * i, a->line + 2 * j, 2 * sizeof *a->line);
        swap_bytes(a->line_name + i, a->line_name + j, sizeof *a->line_name);
    }
}

static void shuffle_nodes(struct arrays *a)
{
    int64_t n = a->info.nodes, *to = calloc((size_t)n, sizeof *to);
    double *xy = calloc((size_t)n, 2 * sizeof *xy);
    for (int64_t i = 0; i < n; i++)
        to[i] = i;
    for (int64_t i = n - 1; i > 0; i--)
        swap_bytes(to + i, to + next_random() % (uint64_t)(i + 1), sizeof *to);
    for (int64_t i = 0; i < n; i++)
        memcpy(xy + 2 * to[i], a->xy + 2 * i, 2 * sizeof *xy);
    for (int64_t k = 0; k < 3 * a->info.elements; k++)
        a->triangle[k] = to[a->triangle[k]];
    for (int64_t k = 0; k < 2 * a->info.boundary_edges; k++)
        a->line[k] = to[a->line[k]];
    free(a->xy);
    free(to);
    a->xy = xy;
}

/* Rotates the corners of every triangle and turns some of them around. */
static int64_t rotate_corners(struct arrays *a)
{
    int64_t turned = 0;
    for (int64_t i = 0; i < a->info.elements; i++) {
        int64_t *node = a->triangle + 3 * i, kept[3];
        memcpy(kept, node, sizeof kept);
        uint64_t shift = next_random() % 3;
        for (uint64_t k = 0; k < 3; k++)
            node[k] = kept[(k + shift) % 3];
        if (next_random() % 4 == 0) {
            swap_bytes(node, node + 1, sizeof *node);
            turned++;
        }
    }
    return turned;
}

static bool same_connectivity(const ew_mesh *a, const ew_mesh *b)
{
    return a->elements == b->elements && a->edges == b->edges &&
           memcmp(a->left, b->left, (size_t)a->edges * sizeof *a->left) == 0 &&
           memcmp(a->right, b->right, (size_t)a->edges * sizeof *a->right) == 0 &&
           memcmp(a->left_side, b->left_side, (size_t)a->edges) == 0 &&
           memcmp(a->right_side, b->right_side, (size_t)a->edges) == 0;
}

static void test_random_mesh(uint64_t seed)
{
    ew_rectangle r = rectangle_of(7 + (int32_t)(seed % 5), 6, 0.69, seed);
    ew_mesh *mesh = NULL, *shuffled = NULL, *rotated = NULL;
    struct arrays arrays = {0};
    ew_error error = {0};
    bool whole = ew_mesh_rectangle(NULL, &r, &mesh, &error) == EW_OK && mesh_is_valid(mesh, &error) &&
                 extract(mesh, &arrays);
    if (!ok(whole, "seed %" PRIu64 ": a jittered rectangle is valid", seed)) {
        diag("%s", error.message);
        goto out;
    }
    is_close(arrays.info.area, 4, 1e-12, "seed %" PRIu64 ": no triangle overlaps another", seed);
    shuffle_nodes(&arrays);
    shuffle_triangles_and_lines(&arrays);
    ew_mesh_data data = data_of_arrays(&arrays);
    ok(ew_mesh_create(NULL, &data, &shuffled, &error) == EW_OK && mesh_is_valid(shuffled, &error),
       "seed %" PRIu64 ": with other numbers of nodes and triangles, it is valid", seed);
    ok(shuffled && same_connectivity(mesh, shuffled),
       "seed %" PRIu64 ": the order of elements and edges depends on the mesh alone", seed);
    int64_t turned = rotate_corners(&arrays);
    ok(ew_mesh_create(NULL, &data, &rotated, &error) == EW_OK && mesh_is_valid(rotated, &error),
       "seed %" PRIu64 ": with other corners first and clockwise triangles, it is valid", seed);
    ok(rotated && rotated->info.reoriented == turned && rotated->info.edges == mesh->info.edges &&
           fabs(rotated->info.smallest_diameter - mesh->info.smallest_diameter) < 1e-14 &&
           rotated->info.hash != shuffled->info.hash,
       "seed %" PRIu64 ": sizes are the same, the hash is another one", seed);
out:
    free_arrays(&arrays);
    ew_mesh_destroy(mesh);
    ew_mesh_destroy(shuffled);
    ew_mesh_destroy(rotated);
}

static void test_same_input(void)
{
    ew_rectangle r = rectangle_of(20, 20, 0.4, 7), other = rectangle_of(20, 20, 0.4, 8);
    ew_mesh *a = NULL, *b = NULL, *c = NULL;
    bool made = ew_mesh_rectangle(NULL, &r, &a, NULL) == EW_OK && ew_mesh_rectangle(NULL, &r, &b, NULL) == EW_OK &&
                ew_mesh_rectangle(NULL, &other, &c, NULL) == EW_OK;
    if (!ok(made, "three rectangles are made"))
        return;
    ok(same_connectivity(a, b) && a->info.hash == b->info.hash &&
           memcmp(a->triangle, b->triangle, 12 * (size_t)a->elements) == 0,
       "the same input gives the same mesh");
    ok(a->info.hash != c->info.hash, "another seed gives another mesh");
    int64_t ordered = 0, file = 0;
    for (int32_t e = a->boundary_edges; e < a->edges; e++) {
        ordered += a->right[e] - a->left[e] <= 8;
        file += llabs((long long)a->file_index[a->right[e]] - a->file_index[a->left[e]]) <= 8;
    }
    ok(ordered > file, "neighbours have nearer numbers than in the file");
    ew_mesh_destroy(a);
    ew_mesh_destroy(b);
    ew_mesh_destroy(c);
}

static void test_many_of_a_kind(void)
{
    ew_rectangle r = rectangle_of(20, 10, 0, 0);
    ew_mesh *mesh = NULL, *none = NULL;
    struct arrays arrays = {0};
    struct reports reports = {0};
    ew_error error = {0};
    if (!ok(ew_mesh_rectangle(NULL, &r, &mesh, NULL) == EW_OK && extract(mesh, &arrays),
            "a rectangle to take the names from"))
        return;
    ew_mesh_data data = data_of_arrays(&arrays);
    data.lines = data.names = 0;
    data.report = note;
    data.report_context = &reports;
    is_int(ew_mesh_create(NULL, &data, &none, &error), EW_EMESH, "a mesh without any names: refused");
    is_int(reports.count, 1, "one sentence tells of all edges without a name");
    contains(error.message, "but no boundary name, like 59 other edges", "... and how many they are");
    for (int t = 0; t < 15; t++)
        arrays.triangle[3 * t] = arrays.triangle[3 * t + 1];
    reports = (struct reports){0};
    is_int(ew_mesh_create(NULL, &data, &none, &error), EW_EMESH, "a mesh with a node twice in 15 triangles: refused");
    is_int(reports.count, 11, "ten of a kind are told, and how many more there are");
    contains(reports.text, "and 5 more triangles with a node given twice", "the others are counted");
    contains(error.message, "(and 14 more defects)", "the error counts all");
    free_arrays(&arrays);
    ew_mesh_destroy(mesh);
}

/* ---- invariants -------------------------------------------------------------------------------------------------- */

static void is_invalid(const ew_mesh *mesh, const char *sentence, const char *what)
{
    ew_error error = {0};
    ok(!mesh_is_valid(mesh, &error), "broken on purpose, %s: found", what);
    contains(error.message, sentence, "broken on purpose, %s: told", what);
}

static void test_invariants(void)
{
    ew_rectangle r = rectangle_of(6, 3, 0, 0);
    ew_mesh *mesh = NULL;
    if (!ok(ew_mesh_rectangle(NULL, &r, &mesh, NULL) == EW_OK, "a rectangle to break"))
        return;
    int32_t inner = mesh->boundary_edges + 3;
#define BROKEN(field, value, sentence)          \
    do {                                        \
        __typeof__(field) kept = field;         \
        field = value;                          \
        is_invalid(mesh, sentence, #field);     \
        field = kept;                           \
    } while (0)
    BROKEN(mesh->edges, mesh->edges - 1, "sides");
    BROKEN(mesh->order[3], mesh->order[4], "permutation");
    BROKEN(mesh->file_index[3], -1, "permutation");
    BROKEN(mesh->triangle[4], mesh->nodes, "does not exist");
    BROKEN(mesh->triangle[4], mesh->triangle[5], "counter-clockwise");
    BROKEN(mesh->boundary[1].first, 0, "should start");
    BROKEN(mesh->boundary[1].count, 0, "should start");
    BROKEN(mesh->right[1], -4, "group");
    BROKEN(mesh->right_side[1], 1, "group");
    BROKEN(mesh->right[inner], -1, "do not come first");
    BROKEN(mesh->right[inner], mesh->left[inner], "lower number");
    BROKEN(mesh->left_side[inner], (uint8_t)((mesh->left_side[inner] + 1) % 3), "does not know it");
    BROKEN(mesh->right_side[inner], (uint8_t)((mesh->right_side[inner] + 1) % 3), "does not know it");
    BROKEN(mesh->left[inner], mesh->elements, "does not know it");
    BROKEN(mesh->xy[0], mesh->xy[0] + 100, "counter-clockwise");
    ok(mesh_is_valid(mesh, NULL), "put together again, the mesh is valid");
    ew_mesh_destroy(mesh);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Lets each allocation fail in turn until the call ends as it does with enough memory. */
static void test_failing_allocations(int (*call)(const ew_host *host, ew_mesh **mesh, ew_error *error), int expected,
                                     const char *what)
{
    int64_t failures = 0, wrong = 0, leaks = 0;
    int code;
    do {
        struct memory memory = {.fail_at = failures + 1, .once = true};
        ew_host host = memory_host(&memory);
        ew_mesh *mesh = NULL;
        ew_error error = {0};
        code = call(&host, &mesh, &error);
        wrong += code != expected && (code != EW_ENOMEM || strlen(error.message) < 10 || mesh);
        ew_mesh_destroy(mesh);
        leaks += memory.blocks != 0;
        failures++;
    } while (code == EW_ENOMEM && failures < 1000);
    is_int(code, expected, "%s: succeeds or fails as it should with enough memory", what);
    ok(failures > 10, "%s: %" PRId64 " allocations failed in turn", what, failures - 1);
    is_int(wrong, 0, "%s: each failure is EW_ENOMEM with a sentence", what);
    is_int(leaks, 0, "%s: nothing is lost", what);
}

static int call_rectangle(const ew_host *host, ew_mesh **mesh, ew_error *error)
{
    const ew_periodic pair = {"left", "right", 0, 0, 1};
    ew_rectangle r = rectangle_of(5, 4, 0.3, 1);
    r.periodics = 1;
    r.periodic = &pair;
    return ew_mesh_rectangle(host, &r, mesh, error);
}

static int call_hanging(const ew_host *host, ew_mesh **mesh, ew_error *error)
{
    struct small small = two_squares();
    struct reports reports = {0};
    ew_mesh_data data = data_of(&small, &reports);
    return ew_mesh_create(host, &data, mesh, error);
}

static void test_memory(void)
{
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    ew_rectangle r = rectangle_of(200, 100, 0.1, 1);
    ew_mesh *mesh = NULL;
    ew_mesh_info info;
    if (!ok(ew_mesh_rectangle(&host, &r, &mesh, NULL) == EW_OK,
            "a mesh of 40,000 triangles is made with the host's allocator"))
        return;
    ew_mesh_get_info(mesh, &info);
    is_int((int64_t)info.bytes, (int64_t)memory.bytes, "a mesh knows how much memory it holds");
    ok(memory.bytes < 60 * (size_t)info.elements, "it holds less than 60 bytes a triangle");
    ok(memory.peak < 170 * (size_t)info.elements, "making it takes less than 170 bytes a triangle, input counted");
    diag("bytes a triangle: %.1f kept, %.1f at most, of which the rectangle's arrays are 32",
         (double)memory.bytes / (double)info.elements, (double)memory.peak / (double)info.elements);
    ew_mesh_destroy(mesh);
    is_int(memory.blocks, 0, "destroying it gives everything back");
}

int main(void)
{
    diag("random seed %" PRIu64, random_state);
    test_hilbert_curve();
    test_sort();
    test_square();
    test_orientation();
    test_unused_nodes_and_inner_lines();
    test_nested_names();
    test_triangles_refused();
    test_overlaps_refused();
    test_names_refused();
    test_touching_parts();
    test_named_hanging();
    test_labels();
    test_arguments();
    test_rectangle();
    test_rectangle_refused();
    test_periodic();
    test_foretold();
    test_periodic_refused();
    for (uint64_t seed = 1; seed <= 12; seed++)
        test_random_mesh(seed);
    test_same_input();
    test_many_of_a_kind();
    test_invariants();
    test_failing_allocations(call_rectangle, EW_OK, "a periodic rectangle");
    test_failing_allocations(call_hanging, EW_EMESH, "a mesh with a hanging node");
    test_memory();
    return done_testing();
}
