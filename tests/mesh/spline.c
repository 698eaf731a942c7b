/* SPDX-License-Identifier: BSD-2-Clause */
/* Curves through the nodes of boundaries: their normals, corners and ends, and the points of second-order meshes. */
#include "ewi_basis.h"
#include "ewi_plan.h"
#include "ewi_spline.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { MOST = 256 };

static ew_error error;

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* A ring of quadrilaterals, each cut in two, from an inner polygon to an outer one of `n` nodes; not closed: an arc. */
struct ring {
    int n;
    bool closed;
    void (*inner)(double t, double xy[2]); /* t: 0 .. 1 along it */
    double thickness;                      /* the outer polygon is the inner one, scaled */
    bool middles;                          /* of the inner polygon's edges */
};

static void circle(double t, double xy[2])
{
    xy[0] = cos(2 * PI * t);
    xy[1] = sin(2 * PI * t);
}

static int ring_edges; /* of the ring that is made */

/* Every third node is moved by a third of an edge. */
static void uneven(double t, double xy[2])
{
    long k = lround(t * ring_edges);
    circle(t + (k % 3 == 1) / (3.0 * ring_edges), xy);
}

/* Two lines and two half circles, a quarter of the edges each. */
static void stadium(double t, double xy[2])
{
    double part = fmod(4 * t, 1), angle = PI * (part - 0.5), sign = t < 0.5 ? 1 : -1;
    bool line = fmod(2 * t, 1) < 0.5;
    xy[0] = sign * (line ? 2 * part - 1 : 1 + cos(angle));
    xy[1] = sign * (line ? -1 : sin(angle));
}

static void ellipse(double t, double xy[2])
{
    xy[0] = 2 * cos(2 * PI * t);
    xy[1] = sin(2 * PI * t);
}

/* Two arcs of circles of radius 1 that meet at an angle of 120 degrees at (+-sin 60, 0). */
static void lens(double t, double xy[2])
{
    double sign = t < 0.5 ? 1 : -1, a = (t < 0.5 ? t : t - 0.5) * 2 * 2 * PI / 3 - PI / 3;
    xy[0] = -sign * sin(a);
    xy[1] = sign * (cos(a) - 0.5);
}

static const char *const names[] = {"wall", "outer", "end"};

static ew_mesh *make(const ew_mesh_data *data)
{
    ew_mesh *mesh = NULL;
    if (ew_mesh_create(NULL, data, &mesh, &error) != EW_OK)
        bail_out("%s", error.message);
    return mesh;
}

static void add_line(ew_mesh_data *data, int64_t a, int64_t b, int32_t name, const double *middle)
{
    memcpy((int64_t *)data->line + 2 * data->lines, (int64_t[2]){a, b}, 2 * sizeof a);
    ((double *)data->line_middle)[2 * data->lines] = middle ? middle[0] : NAN;
    ((double *)data->line_middle)[2 * data->lines + 1] = middle ? middle[1] : NAN;
    ((int32_t *)data->line_name)[data->lines++] = name;
}

static ew_mesh *make_ring(const struct ring *ring)
{
    static double xy[4 * MOST + 4], middle[8 * MOST];
    static int64_t triangle[6 * MOST], line[4 * MOST];
    static int32_t name[2 * MOST];
    int n = ring_edges = ring->n, nodes = n + !ring->closed;
    ew_mesh_data data = {.nodes = 2 * nodes, .xy = xy, .triangles = 2 * n, .triangle = triangle, .line = line,
                         .line_name = name, .line_middle = middle, .names = ring->closed ? 2 : 3, .name = names};
    for (int k = 0; k < nodes; k++) {
        ring->inner(fmod((double)k / n * (ring->closed ? 1 : 0.25), 1), xy + 4 * k);
        xy[4 * k + 2] = (1 + ring->thickness) * xy[4 * k];
        xy[4 * k + 3] = (1 + ring->thickness) * xy[4 * k + 1];
    }
    for (int k = 0; k < n; k++) {
        int64_t a = 2 * k, b = 2 * ((k + 1) % nodes);
        double half[2];
        ring->inner(fmod((k + 0.5) / n * (ring->closed ? 1 : 0.25), 1), half);
        memcpy(triangle + 6 * k, (int64_t[6]){a, a + 1, b, b, a + 1, b + 1}, 6 * sizeof *triangle);
        add_line(&data, a, b, 0, ring->middles ? half : NULL);
        add_line(&data, a + 1, b + 1, 1, NULL);
    }
    if (!ring->closed) {
        add_line(&data, 0, 1, 2, NULL);
        add_line(&data, 2 * n, 2 * n + 1, 2, NULL);
    }
    if (!ring->middles)
        data.line_middle = NULL;
    return make(&data);
}

/* ---- normals ----------------------------------------------------------------------------------------------------- */

static int32_t number_of(const ew_mesh *mesh, const char *name)
{
    int32_t k = 0;
    while (strcmp(ew_mesh_boundary(mesh, k, NULL), name) != 0)
        k++;
    return k;
}

/* The pieces of the boundary "wall", the first `count` of the result's. */
static struct ewi_bezier *pieces_of(const ew_mesh *mesh, double corner, ew_spline_info *info, int32_t *first,
                                    int32_t *count)
{
    double corners[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    ew_spline_info all[8];
    int32_t k = number_of(mesh, "wall");
    struct ewi_bezier *piece = calloc((size_t)mesh->boundary_edges, sizeof *piece);
    corners[k] = corner;
    if (ewi_spline_make(&mesh->host, mesh, corners, piece, all, &error) != EW_OK)
        bail_out("%s", error.message);
    *info = all[k];
    *first = mesh->boundary[k].first;
    *count = mesh->boundary[k].count;
    return piece;
}

/*
 * The greatest angle between the spline's normals and the curve's, (-dy, dx) of whose points `true_normal` gives, and
 * that of the edges' own normals.
 */
static double worst_normal(const ew_mesh *mesh, void (*true_normal)(const double *xy, double n[2]), double *straight)
{
    const struct ewi_basis *basis = ewi_basis_get(3);
    ew_spline_info info;
    int32_t first, count;
    struct ewi_bezier *piece = pieces_of(mesh, EWI_USUAL_CORNER, &info, &first, &count);
    double worst = 0;
    *straight = 0;
    for (int32_t e = first; e < first + count; e++)
        for (int q = 0; q < basis->ne; q++) {
            const struct ewi_bezier *p = &piece[e];
            double t = basis->edge_t[q], dx = p->to[0] - p->from[0], dy = p->to[1] - p->from[1], n[2], exact[2], height;
            ewi_spline_over(p, t, &height, n);
            double part = height / hypot(dx, dy);
            true_normal((double[2]){p->from[0] + t * dx + part * dy, p->from[1] + t * dy - part * dx}, exact);
            worst = fmax(worst, fabs(atan2(n[0] * exact[1] - n[1] * exact[0], n[0] * exact[0] + n[1] * exact[1])));
            *straight = fmax(*straight, fabs(atan2(dy * exact[1] + dx * exact[0], dy * exact[0] - dx * exact[1])));
        }
    free(piece);
    return worst;
}

static void inward(const double *xy, double n[2])
{
    n[0] = -xy[0];
    n[1] = -xy[1];
}

static void lens_normal(const double *xy, double n[2])
{
    double sign = xy[1] > 0 ? 1 : -1;
    n[0] = -xy[0];
    n[1] = -(xy[1] + 0.5 * sign);
}

static void stadium_normal(const double *xy, double n[2])
{
    n[0] = xy[0] > 1 ? 1 - xy[0] : xy[0] < -1 ? -1 - xy[0] : 0;
    n[1] = -xy[1];
}

static void check_order(const char *what, struct ring ring, void (*normal)(const double *xy, double n[2]), double least)
{
    double error_of[2], straight[2];
    for (int k = 0; k < 2; k++) {
        ew_mesh *mesh = make_ring(&ring);
        error_of[k] = worst_normal(mesh, normal, &straight[k]);
        ew_mesh_destroy(mesh);
        ring.n *= 2;
    }
    diag("%s: %.3g and %.3g degrees off, edges by %.3g and %.3g", what, error_of[0] * 180 / PI, error_of[1] * 180 / PI,
         straight[0] * 180 / PI, straight[1] * 180 / PI);
    ok(error_of[0] < 0.005 * straight[0], "%s: the normals are far better than the edges'", what);
    ok(log2(error_of[0] / error_of[1]) > least, "%s: and converge with order %g", what, least);
}

static void test_normals(void)
{
    const struct ring closed = {.n = 32, .closed = true, .inner = circle, .thickness = 0.3};
    check_order("a circle", closed, inward, 4.9);
    check_order("a circle with uneven edges", (struct ring){.n = 32, .closed = true, .inner = uneven, .thickness = 0.3},
                inward, 4.7);
    check_order("an arc", (struct ring){.n = 8, .inner = circle, .thickness = 0.3}, inward, 3.7);
    check_order("two arcs with corners", (struct ring){.n = 32, .closed = true, .inner = lens, .thickness = 0.3},
                lens_normal, 3.7);
    check_order("lines and arcs", (struct ring){.n = 64, .closed = true, .inner = stadium, .thickness = 0.3},
                stadium_normal, 3.7);
    check_order("a circle of second order", (struct ring){.n = 8, .closed = true, .inner = circle, .thickness = 0.3,
                                                          .middles = true}, inward, 4.9);
    check_order("uneven edges of second order", (struct ring){.n = 30, .closed = true, .inner = uneven,
                                                              .thickness = 0.3, .middles = true}, inward, 4.7);
}

static void toward_centre(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context;
    (void)t;
    for (size_t k = 0; k < 2 * n; k++)
        values[k] = k < n ? -x[k] : -y[k - n];
}

static void at_rest(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context;
    (void)x;
    (void)y;
    (void)t;
    for (size_t k = 0; k < 4 * n; k++)
        values[k] = k < n || k >= 3 * n;
}

static ew_plan *plan_of(const ew_mesh *mesh, ew_boundary wall, int order)
{
    wall.name = "wall";
    wall.kind = "wall";
    const ew_boundary boundary[] = {wall, {.name = "outer", .kind = "copy"}};
    const ew_problem problem = {.order = order, .initial.callback = at_rest, .boundaries = 2, .boundary = boundary};
    ew_plan *plan = NULL;
    if (ew_problem_check(NULL, mesh, &problem, &plan, &error) != EW_OK)
        bail_out("%s", error.message);
    return plan;
}

/* The greatest difference between the normals of two plans at real edges; *off: of the lengths from 1. */
static double normals_between(const ew_plan *a, const ew_plan *b, double *off)
{
    double most = 0;
    const struct ewi_edge_group *group = &a->grid->group[0];
    *off = 0;
    for (int32_t slot = group->first; slot < group->first + group->padded; slot++)
        for (int q = 0; q < a->basis->ne; q++) {
            size_t at = ewi_layout_index(EWI_TILE, 2 * a->basis->ne, 2 * q, slot);
            const double *n = a->normal + at, *m = b->normal + at;
            most = fmax(most, hypot(n[0] - m[0], n[EWI_TILE] - m[EWI_TILE]));
            *off = fmax(*off, fabs(hypot(n[0], n[EWI_TILE]) - 1));
        }
    return most;
}

static void test_plan(void)
{
    ew_mesh *mesh = make_ring(&(struct ring){.n = 36, .closed = true, .inner = circle, .thickness = 0.3});
    const ew_boundary_curve smooth = {.kind = EW_CURVE_SPLINE}, sharp = {.kind = EW_CURVE_SPLINE, .corner = 5};
    for (int order = 1; order <= EW_MAX_ORDER; order += 2) {
        double off, other;
        ew_plan *straight = plan_of(mesh, (ew_boundary){0}, order),
                *given = plan_of(mesh, (ew_boundary){.normal.callback = toward_centre}, order),
                *spline = plan_of(mesh, (ew_boundary){.curve = &smooth}, order),
                *cornered = plan_of(mesh, (ew_boundary){.curve = &sharp}, order);
        ok(normals_between(spline, given, &off) < 0.005 * normals_between(straight, given, &other) && off < 1e-15,
           "order %d: a wall with a spline has its normals, of length 1", order);
        ok(normals_between(cornered, straight, &off) < 1e-14, "order %d: where all nodes are corners, the edges'",
           order);
        ew_plan *const all[] = {straight, given, spline, cornered};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            ew_plan_destroy(all[k]);
    }
    ew_mesh_destroy(mesh);
}

/* ---- corners and ends -------------------------------------------------------------------------------------------- */

static void test_corners(void)
{
    const struct ring ring = {.n = 32, .closed = true, .inner = lens, .thickness = 0.3},
                      round = {.n = 32, .closed = true, .inner = circle, .thickness = 0.3},
                      arc = {.n = 8, .inner = circle, .thickness = 0.3}, coarse = {.n = 6, .closed = true, .inner =
                                                                                       circle, .thickness = 0.3};
    struct ring curved = coarse;
    ew_spline_info info;
    ew_mesh *sharp = make_ring(&ring), *smooth = make_ring(&round), *open = make_ring(&arc), *six = make_ring(&coarse);
    int32_t wall = number_of(sharp, "wall");
    ew_mesh_spline(sharp, wall, 0, &info, &error);
    ok(info.edges == 32 && info.corners == 2 && info.smooth == 30 && info.middles == 0, "a lens has two corners");
    ok(fabs(info.corner[0][1]) < 1e-12 && fabs(info.corner[1][1]) < 1e-12 &&
           fabs(info.corner[0][0] - info.corner[1][0]) > 0.5, "at its two ends");
    ew_mesh_spline(sharp, wall, 180, &info, &error);
    ok(info.corners == 0 && info.smooth == 32, "unless greater angles are none");
    ew_mesh_spline(sharp, wall, 1, &info, &error);
    ok(info.corners == 32 && info.smooth == 0, "and all its nodes are corners if smaller angles are");
    ew_mesh_spline(smooth, number_of(smooth, "wall"), 0, &info, &error);
    ok(info.corners == 0 && info.smooth == 32, "a circle has none");
    ew_mesh_spline(open, number_of(open, "wall"), 0, &info, &error);
    ok(info.corners == 0 && info.smooth == 7, "nor has an arc, whose ends are none");
    ew_mesh_spline(open, number_of(open, "end"), 0, &info, &error);
    ok(info.edges == 2 && info.corners == 0 && info.smooth == 0, "nor have two edges apart");
    ew_mesh_spline(six, number_of(six, "wall"), 0, &info, &error);
    ok(info.corners == 6, "a hexagon has six");
    ew_mesh *twelve = make_ring(&(struct ring){.n = 12, .closed = true, .inner = circle, .thickness = 0.3});
    ew_mesh_spline(twelve, number_of(twelve, "wall"), 30, &info, &error);
    is_int(info.corners, 0, "a regular dodecagon has none if angles of 30 degrees are none");
    ew_mesh_destroy(twelve);
    curved.middles = true;
    ew_mesh *second = make_ring(&curved);
    ew_mesh_spline(second, number_of(second, "wall"), 0, &info, &error);
    is_int(info.middles, 6, "the edges of second order are counted");
    ok(info.corners == 0 && info.smooth == 6, "and show that a hexagon is a circle");
    ew_mesh_spline(second, number_of(second, "wall"), 1, &info, &error);
    ok(info.corners == 6, "unless the greatest angle is smaller");
    ew_mesh *const all[] = {sharp, smooth, open, six, second};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        ew_mesh_destroy(all[k]);
}

static void test_straight(void)
{
    const struct ring coarse = {.n = 6, .closed = true, .inner = circle, .thickness = 0.3};
    ew_mesh *mesh = make_ring(&coarse);
    ew_spline_info info;
    int32_t first, count;
    double off = 0;
    struct ewi_bezier *piece = pieces_of(mesh, EWI_USUAL_CORNER, &info, &first, &count);
    for (int32_t e = first; e < first + count; e++)
        for (double t = 0; t <= 1; t += 0.25) {
            double n[2], dx = piece[e].to[0] - piece[e].from[0], dy = piece[e].to[1] - piece[e].from[1], height;
            ewi_spline_over(&piece[e], t, &height, n);
            off = fmax(off, fabs(atan2(dy * n[1] + dx * n[0], dy * n[0] - dx * n[1])));
        }
    ok(count == 6 && off < 1e-15, "an edge between corners is straight");
    free(piece);
    ew_mesh_destroy(mesh);
}

/* Two squares, each of two triangles, that touch at (1, 1): there are four edges of the wall at that node. */
static void test_touching(void)
{
    static const double xy[] = {0, 0, 1, 0, 1, 1, 0, 1, 2, 1, 2, 2, 1, 2};
    static const int64_t triangle[] = {0, 1, 2, 0, 2, 3, 2, 4, 5, 2, 5, 6},
                         line[] = {0, 1, 1, 2, 2, 3, 3, 0, 2, 4, 4, 5, 5, 6, 6, 2};
    static const int32_t name[8] = {0};
    ew_mesh *mesh = make(&(ew_mesh_data){.nodes = 7, .xy = xy, .triangles = 4, .triangle = triangle, .lines = 8,
                                         .line = line, .line_name = name, .names = 1, .name = names});
    ew_spline_info info;
    ew_mesh_spline(mesh, 0, 180, &info, &error);
    ok(info.corners == 2 && info.smooth == 6, "a node at which two parts of a boundary touch is a corner of both");
    ew_mesh_destroy(mesh);
}

/* A channel of one wave, whose ends are periodic, beginning at the phase `start`; wall: its bottom. */
static ew_mesh *make_channel(double start, bool joined)
{
    enum { N = 24 };
    static double xy[4 * (N + 1)];
    static int64_t triangle[6 * N], line[4 * N + 4];
    static int32_t name[2 * N + 2];
    static const char *const sides[] = {"wall", "top", "left", "right"};
    static const ew_periodic pair = {.first = "left", .second = "right", .dx = 1};
    ew_mesh_data data = {.nodes = 2 * (N + 1), .xy = xy, .triangles = 2 * N, .triangle = triangle, .line = line,
                         .line_name = name, .names = 4, .name = sides, .periodics = joined, .periodic = &pair,
                         .lines = 2 * N + 2};
    for (int k = 0; k <= N; k++) {
        double x = (double)k / N;
        memcpy(xy + 4 * k, (double[4]){x, 0.1 * sin(2 * PI * (fmod(x, 1) + start)), x, 1}, 4 * sizeof *xy);
    }
    for (int k = 0; k < N; k++) {
        int64_t a = 2 * k, b = a + 2;
        memcpy(triangle + 6 * k, (int64_t[6]){a, b, a + 1, b, b + 1, a + 1}, 6 * sizeof *triangle);
        memcpy(line + 4 * k, (int64_t[4]){a, b, a + 1, b + 1}, 4 * sizeof *line);
        name[2 * k] = 0, name[2 * k + 1] = 1;
    }
    memcpy(line + 4 * N, (int64_t[4]){0, 1, 2 * N, 2 * N + 1}, 4 * sizeof *line);
    name[2 * N] = 2, name[2 * N + 1] = 3;
    return make(&data);
}

/* The normal's slope at the wall's point x. */
static double slope_at(const ew_mesh *mesh, double x, ew_spline_info *info)
{
    int32_t first, count;
    struct ewi_bezier *piece = pieces_of(mesh, EWI_USUAL_CORNER, info, &first, &count);
    double n[2] = {NAN, NAN}, height;
    for (int32_t e = first; e < first + count; e++)
        if (x >= piece[e].from[0] && x < piece[e].to[0])
            ewi_spline_over(&piece[e], (x - piece[e].from[0]) / (piece[e].to[0] - piece[e].from[0]), &height, n);
    free(piece);
    return n[0] / n[1];
}

static void test_periodic(void)
{
    ew_mesh *whole = make_channel(0, true), *moved = make_channel(0.5, true), *open = make_channel(0, false);
    ew_spline_info info;
    double seam = slope_at(whole, 0.01, &info), middle = slope_at(moved, 0.51, &info),
           end = slope_at(open, 0.01, &info);
    is_close(seam, middle, 1e-14, "a curve continues across periodic boundaries");
    ok(fabs(end - middle) > 1e-9, "which one that ends there does not");
    ew_mesh_spline(whole, number_of(whole, "wall"), 0, &info, &error);
    is_int(info.smooth, 24, "and no node is an end");
    ew_mesh *const all[] = {whole, moved, open};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        ew_mesh_destroy(all[k]);
}

/* ---- second order ------------------------------------------------------------------------------------------------ */

static void test_middles(void)
{
    struct ring ring = {.n = 16, .closed = true, .inner = ellipse, .thickness = 0.3};
    ew_mesh *plain = make_ring(&ring), *second, *fine;
    ew_mesh_info info, other;
    ring.middles = true;
    second = make_ring(&ring);
    ew_mesh_get_info(plain, &info);
    ew_mesh_get_info(second, &other);
    ok(info.middles == 0 && other.middles == 16, "a mesh knows how many of its edges have a middle");
    ok(info.hash != other.hash && info.bytes < other.bytes, "and is another one by them");
    const ew_boundary_curve curve = {.boundary = "wall", .kind = EW_CURVE_SPLINE};
    if (ew_mesh_refine(NULL, second, 1, 1, &curve, &fine, &error) != EW_OK)
        bail_out("%s", error.message);
    double off = 0;
    for (int32_t i = second->nodes; i < fine->nodes; i++) {
        const double *xy = fine->xy + 2 * (size_t)i;
        double at = hypot(xy[0] / 2, xy[1]);
        off = at < 1.01 ? fmax(off, fabs(at - 1)) : off;
    }
    ok(off < 1e-15, "refining puts nodes onto them");
    ew_mesh_destroy(plain);
    ew_mesh_destroy(second);
    ew_mesh_destroy(fine);
}

static void test_refusals(void)
{
    static const double xy[] = {0, 0, 1, 0, 0, 1}, far[] = {0.5, INFINITY, NAN, NAN, 0, NAN};
    static const int64_t triangle[] = {0, 1, 2}, line[] = {0, 1, 1, 2, 2, 0};
    static const int32_t name[] = {0, 0, 0};
    ew_mesh_data data = {.nodes = 3, .xy = xy, .triangles = 1, .triangle = triangle, .lines = 3, .line = line,
                         .line_name = name, .names = 1, .name = names, .line_middle = far};
    ew_mesh *mesh = NULL;
    ew_spline_info info;
    is_int(ew_mesh_create(NULL, &data, &mesh, &error), EW_EMESH, "a middle that is not finite is refused");
    contains(error.message, "has a middle (0.5, inf)", "with a sentence");
    contains(error.message, "and 1 more defect", "as is one that has half of its coordinates");
    data.line_middle = NULL;
    mesh = make(&data);
    is_int(ew_mesh_spline(mesh, 1, 0, &info, &error), EW_EINVAL, "a spline of no boundary is refused");
    is_int(ew_mesh_spline(mesh, 0, 181, &info, &error), EW_EINVAL, "and an angle of more than 180 degrees");
    is_int(ew_mesh_spline(mesh, 0, NAN, &info, &error), EW_EINVAL, "and one that is no number");
    ew_mesh_destroy(mesh);
}

int main(void)
{
    test_normals();
    test_plan();
    test_corners();
    test_straight();
    test_touching();
    test_periodic();
    test_middles();
    test_refusals();
    return done_testing();
}
