/* SPDX-License-Identifier: BSD-2-Clause */
/* Finer meshes along curved boundaries, quality, and meshes written and read back. */
#include "edgewise-case.h"
#include "helpers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PI 3.14159265358979323846

static ew_error error;

static ew_mesh *made(int status, ew_mesh *const *mesh)
{
    must(status, &error);
    return *mesh;
}

static ew_mesh *read_annulus(void)
{
    const char *folder = getenv("srcdir");
    char path[4096];
    ew_mesh *mesh = NULL;
    snprintf(path, sizeof path, "%s/tests/meshes/annulus-A.msh", folder ? folder : ".");
    return made(ew_gmsh_read(NULL, path, NULL, &mesh, &error), &mesh);
}

/* The annulus' normals, as a case gives them. */
static void radial(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    double sign = *(const double *)context;
    (void)t;
    for (size_t k = 0; k < n; k++) {
        values[k] = sign * x[k];
        values[n + k] = sign * y[k];
    }
}

static double inward = -1, outward = 1;
static const ew_boundary_curve circles[] = {{.boundary = "inner", .kind = EW_CURVE_CIRCLE, .radius = 1},
                                   {.boundary = "outer", .kind = EW_CURVE_CIRCLE, .radius = 1.384}};
static const ew_boundary_curve normals[] = {
    {.boundary = "inner", .normal = {.callback = radial, .context = &inward, .variables = EW_X | EW_Y}},
    {.boundary = "outer", .normal = {.callback = radial, .context = &outward, .variables = EW_X | EW_Y}}};
static const ew_boundary_curve splines[] = {{.boundary = "inner", .kind = EW_CURVE_SPLINE},
                                            {.boundary = "outer", .kind = EW_CURVE_SPLINE}};

static ew_mesh *refined(const ew_mesh *mesh, int times, size_t curves, const ew_boundary_curve *curve)
{
    ew_mesh *fine = NULL;
    return made(ew_mesh_refine(NULL, mesh, times, curves, curve, &fine, &error), &fine);
}

static double area_of(const ew_mesh *mesh)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    return info.area;
}

/* The greatest distance of a boundary's nodes from the radius. */
static double distance_from(const ew_mesh *mesh, const char *name, double radius)
{
    ew_mesh_info info;
    double most = 0;
    ew_mesh_get_info(mesh, &info);
    double *xy = calloc(2 * (size_t)info.nodes, sizeof *xy);
    int64_t *triangle = calloc(3 * (size_t)info.elements, sizeof *triangle);
    ew_mesh_get_nodes(mesh, xy);
    ew_mesh_get_triangles(mesh, triangle);
    for (int64_t e = 0; e < info.boundary_edges; e++) {
        int64_t element;
        int side;
        int32_t boundary;
        ew_mesh_boundary_edge(mesh, e, &element, &side, &boundary);
        int64_t node = triangle[3 * element + side];
        if (strcmp(ew_mesh_boundary(mesh, boundary, NULL), name) == 0)
            most = fmax(most, fabs(hypot(xy[2 * node], xy[2 * node + 1]) - radius));
    }
    free(triangle);
    free(xy);
    return most;
}

static double greatest_difference(const ew_mesh *a, const ew_mesh *b)
{
    ew_mesh_info info, other;
    double most = 0;
    ew_mesh_get_info(a, &info);
    ew_mesh_get_info(b, &other);
    if (info.nodes != other.nodes || info.elements != other.elements)
        return INFINITY;
    double *xy = calloc(4 * (size_t)info.nodes, sizeof *xy), *second = xy + 2 * info.nodes;
    ew_mesh_get_nodes(a, xy);
    ew_mesh_get_nodes(b, second);
    for (int64_t k = 0; k < 2 * info.nodes; k++)
        most = fmax(most, fabs(xy[k] - second[k]));
    free(xy);
    return most;
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

static void test_curves(void)
{
    ew_mesh *mesh = read_annulus();
    double exact = PI / 4 * (1.384 * 1.384 - 1), before = exact - area_of(mesh);
    for (int times = 1; times <= 3; times++) {
        ew_mesh *fine = refined(mesh, times, 2, circles), *other = refined(mesh, times, 2, normals);
        double now = exact - area_of(fine);
        ok(distance_from(fine, "inner", 1) < 1e-15 && distance_from(fine, "outer", 1.384) < 1e-15,
           "refined %d times, all nodes are on their circles", times);
        is_close(before / now, 4, 0.06, "refined %d times, the area converges to the annulus', by four at a time",
                 times);
        ok(greatest_difference(fine, other) < 1e-14, "the curve of the normals is the circle");
        before = now;
        ew_mesh_destroy(other);
        ew_mesh_destroy(fine);
    }
    ew_mesh *straight = refined(mesh, 2, 0, NULL), *spline = refined(mesh, 1, 2, splines),
            *twice = refined(mesh, 2, 2, splines), *again = refined(spline, 1, 0, NULL),
            *steps = refined(spline, 1, 2, splines);
    is_close(area_of(straight), area_of(mesh), 1e-14, "without curves the domain stays the polygon");
    is_close(area_of(again), area_of(spline), 1e-14, "a curve is no property of a mesh");
    double off = distance_from(spline, "inner", 1);
    diag("the spline through %s misses the circle by %.2g, a chord by %.2g", "the inner arc's nodes", off,
         distance_from(straight, "inner", 1));
    ok(off < 1e-5 && distance_from(straight, "inner", 1) > 1e-3, "a spline through the nodes is near the true curve");
    ok(distance_from(twice, "inner", 1) < 1.5 * off, "and the finer mesh is on the same one");
    ok(distance_from(steps, "inner", 1) < 1.5 * off && greatest_difference(twice, steps) < 1e-4,
       "which is nearly that through the finer nodes");
    ew_mesh *const all[] = {mesh, straight, spline, twice, again, steps};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        ew_mesh_destroy(all[k]);
}

/* A closed curve, and one with corners: the polygon of n nodes around an ellipse, cut into a fan; and a square. */
static ew_mesh *fan(int n, bool square)
{
    double xy[2 * 65] = {0};
    int64_t triangle[3 * 64], line[2 * 64];
    int32_t name[64] = {0};
    const char *names[] = {"rim"};
    for (int k = 0; k < n; k++) {
        double x = cos(2 * PI * k / n), y = sin(2 * PI * k / n), scale = square ? 1 / fmax(fabs(x), fabs(y)) : 1;
        xy[2 * k + 2] = 2 * scale * x;
        xy[2 * k + 3] = scale * y;
        int64_t a = k + 1, b = (k + 1) % n + 1;
        memcpy(triangle + 3 * k, (int64_t[3]){0, a, b}, 3 * sizeof *triangle);
        memcpy(line + 2 * k, (int64_t[2]){a, b}, 2 * sizeof *line);
    }
    ew_mesh_data data = {.nodes = n + 1, .xy = xy, .triangles = n, .triangle = triangle, .lines = n, .line = line,
                         .line_name = name, .names = 1, .name = names};
    ew_mesh *mesh = NULL;
    return made(ew_mesh_create(NULL, &data, &mesh, &error), &mesh);
}

static void test_splines(void)
{
    const ew_boundary_curve rim = {.boundary = "rim", .kind = EW_CURVE_SPLINE};
    double missed[2];
    for (int k = 0; k < 2; k++) {
        ew_mesh *mesh = fan(k ? 64 : 32, false), *fine = refined(mesh, 4, 1, &rim);
        missed[k] = fabs(area_of(fine) - 2 * PI);
        ew_mesh *polygon = fan(k ? 64 : 32, false), *same = refined(polygon, 4, 0, NULL);
        diag("an ellipse of %d nodes: the area misses by %.3g, without a spline by %.3g", k ? 64 : 32, missed[k],
             fabs(area_of(same) - 2 * PI));
        ok(missed[k] < 0.02 * fabs(area_of(same) - 2 * PI), "a closed spline has no seam");
        ew_mesh *const all[] = {mesh, fine, polygon, same};
        for (int i = 0; i < 4; i++)
            ew_mesh_destroy(all[i]);
    }
    ew_mesh *square = fan(16, true), *fine = refined(square, 3, 1, &rim);
    is_close(area_of(fine), area_of(square), 1e-14, "a spline keeps corners, and straight lines between them");
    ew_boundary_curve round = rim;
    round.corner = 180;
    ew_mesh *rounded = refined(square, 1, 1, &round);
    ok(fabs(area_of(rounded) - area_of(square)) > 1e-3, "unless it is told that there are none");
    ew_mesh_destroy(rounded);
    ew_mesh_destroy(fine);
    ew_mesh_destroy(square);
}

/* ---- what stays -------------------------------------------------------------------------------------------------- */

static void test_numbers(void)
{
    ew_mesh *mesh = read_annulus(), *fine = refined(mesh, 1, 2, circles);
    ew_mesh_info info, finer;
    ew_mesh_get_info(mesh, &info);
    ew_mesh_get_info(fine, &finer);
    is_int(finer.elements, 4 * info.elements, "a triangle becomes four");
    is_int(finer.nodes, info.nodes + info.edges, "an edge gets a node");
    is_int(finer.edges, 2 * info.edges + 3 * info.elements, "an edge becomes two, and a triangle has three inside");
    bool names = finer.boundaries == info.boundaries, inside = true;
    for (int32_t k = 0; names && k < info.boundaries; k++) {
        int64_t before, after;
        names = strcmp(ew_mesh_boundary(mesh, k, &before), ew_mesh_boundary(fine, k, &after)) == 0 &&
                after == 2 * before;
    }
    ok(names, "boundaries keep their names and order and get twice the edges");
    double *xy = calloc(2 * (size_t)finer.nodes, sizeof *xy);
    int64_t *triangle = calloc(3 * (size_t)info.elements, sizeof *triangle),
            *four = calloc(3 * (size_t)finer.elements, sizeof *four);
    ew_mesh_get_nodes(fine, xy);
    ew_mesh_get_triangles(mesh, triangle);
    ew_mesh_get_triangles(fine, four);
    for (int64_t i = 0; i < info.elements; i++)
        for (int k = 0; k < 3; k++)
            inside = inside && four[12 * i + 3 * k] == triangle[3 * i + k] && four[12 * i + 9 + k] >= info.nodes;
    ok(inside, "triangle i becomes 4 i .. 4 i + 3, the first three at its corners");
    free(four);
    free(triangle);
    free(xy);
    ew_mesh_destroy(fine);
    ew_mesh_destroy(mesh);
}

static ew_mesh *make_rectangle(int32_t nx, int32_t ny, double jitter, int32_t periodics, const ew_periodic *periodic)
{
    static const ew_side_part part[4] = {
        {.name = "bottom", .to = 1}, {.name = "right", .to = 1}, {.name = "top", .to = 1}, {.name = "left", .to = 1}};
    ew_rectangle rectangle = {.x1 = 1, .y1 = 1, .nx = nx, .ny = ny, .jitter = jitter, .seed = 7, .periodics = periodics,
                              .periodic = periodic};
    for (int k = 0; k < 4; k++) {
        rectangle.side[k].parts = 1;
        rectangle.side[k].part = &part[k];
    }
    ew_mesh *mesh = NULL;
    return made(ew_mesh_rectangle(NULL, &rectangle, &mesh, &error), &mesh);
}

static void test_quality(void)
{
    ew_mesh *mesh = make_rectangle(2, 2, 0, 0, NULL);
    ew_mesh_quality quality;
    ew_mesh_get_quality(mesh, &quality);
    is_close(quality.smallest_angle, 45, 1e-12, "half a square has an angle of 45 degrees");
    is_close(quality.largest_angle, 90, 1e-12, "and one of 90");
    is_close(quality.mean_ratio, 2 * (sqrt(2) - 1), 1e-15, "its radius ratio is 2 (sqrt 2 - 1)");
    is_close(quality.shortest_edge, 0.5, 1e-15, "the shortest edge");
    is_close(quality.longest_edge, sqrt(0.5), 1e-15, "the longest edge");
    is_int(quality.angle[9] + quality.angle[8], 8, "all triangles are in the bins around 45 degrees");
    is_int(quality.ratio[8], 8, "and in that from 0.8 to 0.9");
    ew_mesh_destroy(mesh);
    mesh = fan(6, false);
    ew_mesh_get_quality(mesh, &quality);
    ok(quality.smallest_angle > 0 && quality.largest_angle < 180,
       "angles of other triangles are between 0 and 180 degrees");
    ew_mesh_destroy(mesh);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void refuse(const ew_mesh *mesh, int times, const ew_boundary_curve *curve, int code, const char *part,
                   const char *what)
{
    ew_mesh *fine = NULL;
    is_int(ew_mesh_refine(NULL, mesh, times, curve ? 1 : 0, curve, &fine, &error), code, "%s is refused", what);
    contains(error.message, part, "with a sentence");
    ok(fine == NULL, "and nothing is made");
}

static void test_refusals(void)
{
    static const ew_periodic pair = {.first = "left", .second = "right", .dx = 1};
    ew_mesh *mesh = read_annulus(), *joined = make_rectangle(3, 3, 0, 1, &pair),
            *thin = make_rectangle(1, 40, 0, 0, NULL);
    ew_boundary_curve curve = circles[0];
    refuse(mesh, 0, NULL, EW_EINVAL, "once or more", "no refinement");
    refuse(mesh, 20, NULL, EW_EINVAL, "a mesh has at most", "a mesh that would be too large");
    curve.boundary = "innner";
    refuse(mesh, 1, &curve, EW_EINVAL, "\"innner\", which is not in the mesh", "a curve of no boundary");
    curve = circles[0];
    curve.radius = -1;
    refuse(mesh, 1, &curve, EW_EINVAL, "must be greater than 0", "a circle without a radius");
    curve.radius = 1.1;
    refuse(mesh, 1, &curve, EW_EMESH, "is not on the circle of radius 1.1", "a circle that the nodes are not on");
    curve = normals[0];
    curve.normal.context = &outward;
    refuse(mesh, 1, &curve, EW_EMESH, "change both signs", "a normal that points inward");
    curve.boundary = "inflow";
    curve.normal.context = &inward;
    refuse(mesh, 1, &curve, EW_EMESH, "inflow", "normals of another curve");
    curve.normal.callback = NULL;
    refuse(mesh, 1, &curve, EW_EINVAL, "give it", "a curve of normals without normals");
    refuse(joined, 1, NULL, EW_EINVAL, "periodic boundaries", "a mesh whose periodic boundaries are joined");
    is_int(ew_gmsh_write(NULL, joined, EW_GMSH_41, 0, "/dev/null", &error), EW_EINVAL, "it is not written either");
    contains(error.message, "periodic", "with a sentence");
    curve = (ew_boundary_curve){.boundary = "left", .kind = EW_CURVE_CIRCLE, .centre = {0, 0.5}, .radius = 0.5};
    refuse(thin, 1, &curve, EW_EMESH, "is not on the circle", "a line that is said to be a circle");
    ew_mesh_destroy(thin);
    ew_mesh_destroy(joined);
    ew_mesh_destroy(mesh);
}

/* A boundary layer thinner than its arcs are high: moved nodes would cross the next line. */
static void test_inside_out(void)
{
    enum { N = 6 };
    double xy[4 * N];
    int64_t triangle[6 * N], line[4 * N];
    int32_t name[2 * N];
    const char *names[] = {"inner", "outer"};
    for (int k = 0; k < N; k++) {
        double x = cos(2 * PI * k / N), y = sin(2 * PI * k / N);
        int64_t a = 2 * k, b = 2 * k + 1, c = 2 * ((k + 1) % N), d = c + 1;
        memcpy(xy + 4 * k, (double[4]){x, y, 1.02 * x, 1.02 * y}, 4 * sizeof *xy);
        memcpy(triangle + 6 * k, (int64_t[6]){a, b, d, a, d, c}, 6 * sizeof *triangle);
        memcpy(line + 4 * k, (int64_t[4]){a, c, b, d}, 4 * sizeof *line);
        name[2 * k] = 0;
        name[2 * k + 1] = 1;
    }
    ew_mesh_data data = {.nodes = 2 * N,
                         .xy = xy, .triangles = 2 * N, .triangle = triangle, .lines = 2 * N, .line = line,
                         .line_name = name, .names = 2,
                         .name = names};
    ew_mesh *mesh = NULL;
    made(ew_mesh_create(NULL, &data, &mesh, &error), &mesh);
    refuse(mesh, 1, &circles[0], EW_EMESH, "inside out", "a curve that would turn a triangle inside out");
    ew_mesh_destroy(mesh);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void test_memory(void)
{
    struct memory memory = {0};
    const ew_host host = memory_host(&memory);
    ew_mesh *mesh = read_annulus(), *fine = NULL;
    int status = EW_ENOMEM, others = 0, failures = 0;
    for (long k = 0; status != EW_OK && k < 10000; k++) {
        memory_allow(&memory, k);
        status = ew_mesh_refine(&host, mesh, 2, 2, splines, &fine, &error);
        failures += status == EW_ENOMEM;
        others += (status != EW_OK && status != EW_ENOMEM) || (status != EW_OK && memory.blocks != 0);
    }
    ok(status == EW_OK && failures > 10, "refining fails %d times for want of memory, then it does not", failures);
    is_int(others, 0, "each time with that code, and nothing is lost");
    ew_mesh_destroy(fine);
    is_int(memory.blocks, 0, "nothing is lost in the end");
    ew_mesh_destroy(mesh);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static bool same_mesh(const ew_mesh *a, const ew_mesh *b)
{
    ew_mesh_info info, other;
    ew_mesh_get_info(a, &info);
    ew_mesh_get_info(b, &other);
    if (info.nodes != other.nodes || info.elements != other.elements || info.boundary_edges != other.boundary_edges)
        return false;
    size_t nodes = 2 * (size_t)info.nodes, corners = 3 * (size_t)info.elements;
    double *xy = calloc(2 * nodes, sizeof *xy);
    int64_t *triangle = calloc(2 * corners, sizeof *triangle);
    ew_mesh_get_nodes(a, xy);
    ew_mesh_get_nodes(b, xy + nodes);
    ew_mesh_get_triangles(a, triangle);
    ew_mesh_get_triangles(b, triangle + corners);
    bool same = memcmp(xy, xy + nodes, nodes * sizeof *xy) == 0 &&
                memcmp(triangle, triangle + corners, corners * sizeof *triangle) == 0;
    for (int64_t e = 0; e < info.boundary_edges; e++) {
        int64_t element[2];
        int side[2];
        int32_t boundary[2];
        ew_mesh_boundary_edge(a, e, &element[0], &side[0], &boundary[0]);
        ew_mesh_boundary_edge(b, e, &element[1], &side[1], &boundary[1]);
        same = same && element[0] == element[1] && side[0] == side[1] &&
               strcmp(ew_mesh_boundary(a, boundary[0], NULL), ew_mesh_boundary(b, boundary[1], NULL)) == 0;
    }
    free(triangle);
    free(xy);
    return same;
}

static void test_files(void)
{
    static const char path[] = "refine-test.msh";
    static const char *const word[] = {"2.2, ASCII", "2.2, binary", "4.1, ASCII", "4.1, binary"};
    ew_mesh *annulus = read_annulus(), *mesh[] = {refined(annulus, 1, 2, circles), make_rectangle(5, 3, 0.3, 0, NULL)};
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 4; k++) {
            ew_mesh *back = NULL;
            int status = ew_gmsh_write(NULL, mesh[m], k < 2 ? EW_GMSH_22 : EW_GMSH_41, k % 2, path, &error);
            is_int(status, EW_OK, "mesh %d is written as %s", m, word[k]);
            status = ew_gmsh_read(NULL, path, NULL, &back, &error);
            ok(status == EW_OK && same_mesh(mesh[m], back), "and read back with the same bits");
            ew_mesh_destroy(back);
        }
    unlink(path);
    is_int(ew_gmsh_write(NULL, mesh[0], EW_GMSH_41, 0, "no-such-folder/a.msh", &error), EW_EIO,
           "a folder that is not there");
    contains(error.message, "no-such-folder/a.msh", "is told by its name");
    if (access("/dev/full", W_OK) == 0) {
        is_int(ew_gmsh_write(NULL, mesh[0], EW_GMSH_41, 1, "/dev/full", &error), EW_EFULL, "a full disk is an error");
        contains(error.message, "the disk is full", "that says so");
    }
    ew_mesh_destroy(mesh[0]);
    ew_mesh_destroy(mesh[1]);
    ew_mesh_destroy(annulus);
}

int main(void)
{
    test_curves();
    test_splines();
    test_numbers();
    test_quality();
    test_refusals();
    test_inside_out();
    test_memory();
    test_files();
    return done_testing();
}
