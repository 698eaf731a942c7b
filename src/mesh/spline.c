/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Splines of degree five through the nodes of boundaries, by the lengths along them. Only + - * / and square roots, and
 * edgewise's own arc tangent: the same bits on every machine.
 */
#include "ewi_spline.h"
#include "ewi_basis.h"
#include "ewi_math.h"
#include "ewi_mesh_build.h"

#include <inttypes.h>
#include <string.h>

enum {
    SIDE_NODES = 3,  /* on either side of a node, whose polynomial gives the derivatives there */
    END_NODES = 4,   /* on both sides together near an end */
    NEWTON_STEPS = 8 /* each squares the error */
};

#define JUMP 8.0      /* times as much as along the curve; 2 times is usual */
#define STRAIGHT 0.02 /* of the other side's curvature: less is a line's */
#define FOUND 1e-9    /* of an edge: how far a point may be from the one above its place */

/* The boundary edges as they follow each other; -1: a corner or an end. */
struct chain {
    const ew_mesh *mesh;
    const double *corner; /* [boundaries] */
    struct ewi_bezier *piece;
    int32_t *next, *previous;
    double *length, *half; /* of each edge, and of its part before its middle: along the chords or the curve */
};

/* A point of the curve and d(x, y)/ds there, by de Casteljau. */
static void bezier_at(const struct ewi_bezier *piece, double s, double point[2], double tangent[2])
{
    for (int axis = 0; axis < 2; axis++) {
        double b[6] = {piece->from[axis],       piece->control[0][axis], piece->control[1][axis],
                       piece->control[2][axis], piece->control[3][axis], piece->to[axis]};
        for (int level = 5; level > 1; level--)
            for (int k = 0; k < level; k++)
                b[k] += s * (b[k + 1] - b[k]);
        tangent[axis] = 5 * (b[1] - b[0]);
        point[axis] = b[0] + s * (b[1] - b[0]);
    }
}

static int no_memory(const ew_mesh *mesh, ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory for splines through %d boundary edges", mesh->boundary_edges);
}

static int32_t side_node(const ew_mesh *mesh, int32_t element, int side, int end)
{
    return mesh->triangle[3 * (size_t)element + (size_t)((side + end) % 3)];
}

static bool has_middle(const ew_mesh *mesh, int32_t e)
{
    return mesh->middle && isfinite(mesh->middle[2 * (size_t)e]);
}

/* Off the straight edge by more than coordinates are rounded when they are computed and written. */
static bool is_bent(const ew_mesh *mesh, int32_t e)
{
    if (!has_middle(mesh, e))
        return false;
    const double *a = mesh->xy + 2 * (size_t)side_node(mesh, mesh->left[e], mesh->left_side[e], 0);
    const double *b = mesh->xy + 2 * (size_t)side_node(mesh, mesh->left[e], mesh->left_side[e], 1);
    const double *m = mesh->middle + 2 * (size_t)e;
    double x = b[0] - a[0], y = b[1] - a[1], length = sqrt(x * x + y * y);
    double largest = fmax(fmax(fabs(a[0]), fabs(a[1])), fmax(fabs(b[0]), fabs(b[1])));
    return fabs(x * (m[1] - a[1]) - y * (m[0] - a[0])) > length * (1e-10 * length + 1e-15 * largest);
}

/* ---- which edge follows which ------------------------------------------------------------------------------------ */

/* The representative of nodes that periodic boundaries identify. */
static int32_t first_of(int32_t *same, int32_t node)
{
    while (same[node] != node)
        node = same[node] = same[same[node]];
    return node;
}

static void unite_nodes(const ew_mesh *mesh, int32_t *same)
{
    for (int32_t i = 0; i < mesh->nodes; i++)
        same[i] = i;
    for (int32_t e = mesh->boundary_edges; e < mesh->edges; e++)
        for (int end = 0; end < 2; end++) {
            int32_t a = first_of(same, side_node(mesh, mesh->left[e], mesh->left_side[e], end)),
                    b = first_of(same, side_node(mesh, mesh->right[e], mesh->right_side[e], 1 - end));
            same[a < b ? b : a] = a < b ? a : b;
        }
}

/* Along an edge at its begin or end: the tangent of the parabola through its middle or, without one, the edge. */
static void tangent_of(const ew_mesh *mesh, const struct ewi_bezier *piece, int32_t e, int end, double tangent[2])
{
    for (int axis = 0; axis < 2; axis++) {
        double a = piece->from[axis], b = piece->to[axis];
        double off = has_middle(mesh, e) ? mesh->middle[2 * (size_t)e + (size_t)axis] - 0.5 * (a + b) : 0;
        tangent[axis] = b - a + (end ? -4 : 4) * off;
    }
}

/* A polygon of equal angles, known to about 8 digits, has corners at all of its nodes or at none. */
static bool is_corner(const struct chain *chain, int32_t e, int32_t f, double degrees)
{
    double a[2], b[2];
    tangent_of(chain->mesh, &chain->piece[e], e, 1, a);
    tangent_of(chain->mesh, &chain->piece[f], f, 0, b);
    double angle = ewi_atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
    return fabs(angle) * (180 / 3.14159265358979323846) > degrees * (1 + 1e-7);
}

static void count_edges(const struct chain *chain, ew_spline_info *info)
{
    const ew_mesh *mesh = chain->mesh;
    for (int32_t e = 0; e < mesh->boundary_edges; e++) {
        info[-1 - mesh->right[e]].edges++;
        info[-1 - mesh->right[e]].middles += has_middle(mesh, e);
        info[-1 - mesh->right[e]].bent += is_bent(mesh, e);
    }
}

static void note_corner(const ew_mesh *mesh, int32_t node, ew_spline_info *info)
{
    for (int axis = 0; axis < 2 && info->corners < EW_CORNERS; axis++)
        info->corner[info->corners][axis] = mesh->xy[2 * (size_t)node + (size_t)axis];
    info->corners++;
}

/* If two boundary edges begin at a node, two parts of the boundary touch there: such a node is a corner. */
static void link_edges(struct chain *chain, int32_t *same, int32_t *begins, ew_spline_info *info)
{
    const ew_mesh *mesh = chain->mesh;
    for (int32_t e = 0; e < mesh->boundary_edges; e++) {
        int32_t node = first_of(same, side_node(mesh, mesh->left[e], mesh->left_side[e], 0));
        begins[node] = begins[node] == 0 ? e + 1 : -1;
        chain->next[e] = chain->previous[e] = -1;
    }
    for (int32_t e = 0; e < mesh->boundary_edges; e++) {
        int32_t node = first_of(same, side_node(mesh, mesh->left[e], mesh->left_side[e], 1));
        int32_t f = begins[node] - 1, boundary = -1 - mesh->right[e];
        if (chain->corner[boundary] < 0 || f == -1 || (f >= 0 && mesh->right[f] != mesh->right[e]))
            continue;
        bool smooth = f >= 0 && !is_corner(chain, e, f, chain->corner[boundary]);
        info[boundary].smooth += smooth;
        if (!smooth)
            note_corner(mesh, side_node(mesh, mesh->left[e], mesh->left_side[e], 1), &info[boundary]);
        chain->next[e] = smooth ? f : -1;
        if (smooth)
            chain->previous[f] = e;
    }
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

/* Nodes from edge e on, at most `most`; middles count. */
static int count_onward(const struct chain *chain, const int32_t *onward, int32_t e, int most)
{
    int count = 0;
    for (; e >= 0 && count < most; e = onward[e])
        count += 1 + has_middle(chain->mesh, e);
    return count < most ? count : most;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Adds up to `count` nodes along `onward` from edge e on, by sums of differences: it may cross periodic boundaries. */
static int add_nodes(const struct chain *chain, const int32_t *onward, int32_t e, int count, int axis, int nodes,
                     double *at, double *value)
{
    bool ahead = onward == chain->next;
    double sign = ahead ? 1 : -1, t = 0, x = 0;
    for (int last = nodes + count; nodes < last; e = onward[e]) {
        const struct ewi_bezier *piece = &chain->piece[e];
        if (has_middle(chain->mesh, e)) {
            double middle = chain->mesh->middle[2 * (size_t)e + (size_t)axis];
            at[nodes] = t + (ahead ? chain->half[e] : chain->half[e] - chain->length[e]);
            value[nodes++] = x + middle - (ahead ? piece->from[axis] : piece->to[axis]);
        }
        t += sign * chain->length[e];
        x += sign * (piece->to[axis] - piece->from[axis]);
        if (nodes < last) {
            at[nodes] = t;
            value[nodes++] = x;
        }
    }
    return nodes;
}

/* The signed curvature of the circle through three points. */
static double curvature(const double a[2], const double b[2], const double c[2])
{
    double x = b[0] - a[0], y = b[1] - a[1], u = c[0] - b[0], v = c[1] - b[1];
    return 2 * (x * v - y * u) / (ewi_chord_length(a, b) * ewi_chord_length(b, c) * ewi_chord_length(a, c));
}

/* Curvatures of the curve from a node onward, of its first three nodes and the three that begin with the second one. */
static bool curvatures(const struct chain *chain, const int32_t *onward, int32_t e, double value[2])
{
    double at[SIDE_NODES + 1], xy[2][SIDE_NODES + 1] = {{0}}, node[SIDE_NODES + 1][2];
    int count = count_onward(chain, onward, e, SIDE_NODES);
    for (int axis = 0; axis < 2; axis++)
        add_nodes(chain, onward, e, count, axis, 1, at, xy[axis]);
    for (int k = 0; k <= SIDE_NODES; k++)
        for (int axis = 0; axis < 2; axis++)
            node[k][axis] = xy[axis][k];
    value[0] = count < 2 ? 0 : curvature(node[0], node[1], node[2]);
    value[1] = count < 3 ? value[0] : curvature(node[1], node[2], node[3]);
    return count >= 2;
}

/*
 * True if the curve is straight on one side of the node after edge e, and its curvature jumps there: it differs far
 * more between the two sides than along either.
 */
static bool has_jump(const struct chain *chain, int32_t e)
{
    double ahead[2], back[2];
    if (!curvatures(chain, chain->next, chain->next[e], ahead) || !curvatures(chain, chain->previous, e, back))
        return false;
    double least = fmin(fabs(ahead[0]), fabs(back[0])), most = fmax(fabs(ahead[0]), fabs(back[0]));
    double change = fmax(fabs(ahead[1] - ahead[0]), fabs(back[1] - back[0]));
    return least < STRAIGHT * most && most > JUMP * change;
}

/* Ends curves where a line meets an arc: a polynomial across a jump of the curvature has errors of second order. */
static void cut_at_jumps(struct chain *chain, int32_t *jump)
{
    for (int32_t e = 0; e < chain->mesh->boundary_edges; e++)
        jump[e] = chain->next[e] >= 0 && has_jump(chain, e);
    for (int32_t e = 0; e < chain->mesh->boundary_edges; e++)
        if (jump[e]) {
            chain->previous[chain->next[e]] = -1;
            chain->next[e] = -1;
        }
}

/*
 * The two derivatives at a node, by the lengths, of the polynomial through it and some nodes on either side: Newton's
 * divided differences. before, after: the edges that meet there, or -1.
 */
static void derive(const struct chain *chain, int32_t before, int32_t after, int axis, double derivative[2])
{
    double at[SIDE_NODES + END_NODES + 1] = {0}, value[SIDE_NODES + END_NODES + 1] = {0}, p = 0;
    int back = count_onward(chain, chain->previous, before, SIDE_NODES);
    int ahead = count_onward(chain, chain->next, after, larger(SIDE_NODES, END_NODES - back));
    back = count_onward(chain, chain->previous, before, larger(SIDE_NODES, END_NODES - ahead));
    int nodes = add_nodes(chain, chain->next, after, ahead, axis, 1, at, value);
    nodes = add_nodes(chain, chain->previous, before, back, axis, nodes, at, value);
    for (int k = 1; k < nodes; k++)
        for (int i = nodes - 1; i >= k; i--)
            value[i] = (value[i] - value[i - 1]) / (at[i] - at[i - k]);
    derivative[0] = derivative[1] = 0;
    for (int k = nodes - 1; k >= 0; k--) {
        derivative[1] = 2 * derivative[0] - derivative[1] * at[k];
        derivative[0] = p - derivative[0] * at[k];
        p = value[k] - p * at[k];
    }
}

/* The piece with the derivatives of both ends. */
static void set_controls(struct chain *chain, int32_t e, int axis)
{
    struct ewi_bezier *piece = &chain->piece[e];
    double from[2], to[2], h = chain->length[e];
    derive(chain, chain->previous[e], e, axis, from);
    derive(chain, e, chain->next[e], axis, to);
    piece->control[0][axis] = piece->from[axis] + h / 5 * from[0];
    piece->control[1][axis] = piece->from[axis] + h / 5 * (2 * from[0] + h / 4 * from[1]);
    piece->control[2][axis] = piece->to[axis] - h / 5 * (2 * to[0] - h / 4 * to[1]);
    piece->control[3][axis] = piece->to[axis] - h / 5 * to[0];
}

static double length_until(const struct ewi_bezier *piece, double end)
{
    const struct ewi_basis *rule = ewi_basis_get(EWI_MAX_ORDER);
    double length = 0, point[2], tangent[2];
    for (int q = 0; q < rule->ne; q++) {
        bezier_at(piece, end * rule->edge_t[q], point, tangent);
        length += end * rule->edge_weight[q] * ewi_sqrt(tangent[0] * tangent[0] + tangent[1] * tangent[1]);
    }
    return length;
}

double ewi_spline_nearest(const struct ewi_bezier *piece, const double point[2])
{
    double s = 0.5, at[2], tangent[2];
    for (int step = 0; step < NEWTON_STEPS; step++) {
        bezier_at(piece, s, at, tangent);
        s -= ((at[0] - point[0]) * tangent[0] + (at[1] - point[1]) * tangent[1]) /
             (tangent[0] * tangent[0] + tangent[1] * tangent[1]);
        if (!(s >= 0.1 && s <= 0.9))
            s = 0.5;
    }
    return s;
}

/*
 * The lengths along the curve take the place of the chords'. By chords, nodes at irregular distances would cost two
 * orders of accuracy.
 */
static void measure_pieces(struct chain *chain)
{
    for (int32_t e = 0; e < chain->mesh->boundary_edges; e++) {
        const struct ewi_bezier *piece = &chain->piece[e];
        double middle = has_middle(chain->mesh, e) ? ewi_spline_nearest(piece, chain->mesh->middle + 2 * (size_t)e) : 0;
        chain->length[e] = length_until(piece, 1);
        chain->half[e] = length_until(piece, middle);
    }
}

static void set_pieces(struct chain *chain)
{
    for (int pass = 0; pass < 2; pass++) {
        if (pass > 0)
            measure_pieces(chain);
        for (int32_t e = 0; e < chain->mesh->boundary_edges; e++)
            for (int axis = 0; axis < 2; axis++)
                set_controls(chain, e, axis);
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void set_ends(struct chain *chain)
{
    const ew_mesh *mesh = chain->mesh;
    for (int32_t e = 0; e < mesh->boundary_edges; e++) {
        struct ewi_bezier *piece = &chain->piece[e];
        int32_t from = side_node(mesh, mesh->left[e], mesh->left_side[e], 0),
                to = side_node(mesh, mesh->left[e], mesh->left_side[e], 1);
        memcpy(piece->from, mesh->xy + 2 * (size_t)from, sizeof piece->from);
        memcpy(piece->to, mesh->xy + 2 * (size_t)to, sizeof piece->to);
        const double *middle = has_middle(mesh, e) ? mesh->middle + 2 * (size_t)e : piece->from;
        chain->half[e] = ewi_chord_length(piece->from, middle);
        chain->length[e] = chain->half[e] + ewi_chord_length(middle, piece->to);
    }
}

int ewi_spline_make(const ew_host *host, const ew_mesh *mesh, const double *corner, struct ewi_bezier *piece,
                    ew_spline_info *info, ew_error *error)
{
    struct ewi_scratch scratch = {.host = host};
    size_t edges = (size_t)mesh->boundary_edges, nodes = (size_t)mesh->nodes;
    struct chain chain = {.mesh = mesh,
                          .corner = corner,
                          .piece = piece,
                          .next = ewi_scratch_alloc(&scratch, edges, sizeof *chain.next),
                          .previous = ewi_scratch_alloc(&scratch, edges, sizeof *chain.previous),
                          .length = ewi_scratch_alloc(&scratch, edges, sizeof *chain.length),
                          .half = ewi_scratch_alloc(&scratch, edges, sizeof *chain.half)};
    int32_t *same = ewi_scratch_alloc(&scratch, nodes, sizeof *same),
            *begins = ewi_scratch_alloc(&scratch, nodes > edges ? nodes : edges, sizeof *begins);
    ew_spline_info *own = ewi_scratch_alloc(&scratch, (size_t)mesh->boundaries, sizeof *own);
    if (!scratch.failed) {
        set_ends(&chain);
        unite_nodes(mesh, same);
        count_edges(&chain, own);
        link_edges(&chain, same, begins, own);
        cut_at_jumps(&chain, begins);
        set_pieces(&chain);
    }
    if (!scratch.failed && info)
        memcpy(info, own, (size_t)mesh->boundaries * sizeof *info);
    ewi_scratch_free(&scratch);
    return scratch.failed ? no_memory(mesh, error) : EW_OK;
}

void ewi_spline_warn(const ew_host *host, const char *boundary, double corner, const ew_spline_info *info)
{
    if (info->middles < info->edges && info->smooth == 0 && info->corners > 0)
        ewi_log(host, EW_LOG_WARNING,
                "boundary \"%s\": its %" PRId64 " edges meet at more than %g degrees everywhere, so all nodes are "
                "corners and the edges stay straight; allow larger angles, or start with a finer mesh",
                boundary, info->edges, corner);
}

int ew_mesh_spline(const ew_mesh *mesh, int32_t k, double corner, ew_spline_info *info, ew_error *error)
{
    EWI_REQUIRE(mesh);
    EWI_REQUIRE(info);
    if (k < 0 || k >= mesh->boundaries)
        return ewi_fail(error, EW_EINVAL, "there is no boundary %d; the mesh has %d", k, mesh->boundaries);
    if (!(corner >= 0 && corner <= 180))
        return ewi_fail(error, EW_EINVAL, "boundary \"%s\": the angle of a corner is %g degrees; it must be 0 to 180",
                        mesh->boundary[k].name, corner);
    struct ewi_scratch scratch = {.host = &mesh->host};
    double *corners = ewi_scratch_alloc(&scratch, (size_t)mesh->boundaries, sizeof *corners);
    ew_spline_info *all = ewi_scratch_alloc(&scratch, (size_t)mesh->boundaries, sizeof *all);
    struct ewi_bezier *piece = ewi_scratch_alloc(&scratch, (size_t)mesh->boundary_edges, sizeof *piece);
    int status = scratch.failed ? no_memory(mesh, error) : EW_OK;
    for (int32_t b = 0; status == EW_OK && b < mesh->boundaries; b++)
        corners[b] = b != k ? -1 : corner > 0 ? corner : EWI_USUAL_CORNER;
    if (status == EW_OK)
        status = ewi_spline_make(&mesh->host, mesh, corners, piece, all, error);
    if (status == EW_OK)
        *info = all[k];
    ewi_scratch_free(&scratch);
    return status;
}

/* ---- over an edge ------------------------------------------------------------------------------------------------ */

/* The place where the piece is over its edge's point `along`, by Newton's method. */
bool ewi_spline_over(const struct ewi_bezier *piece, double along, double *height, double normal[2])
{
    double dx = piece->to[0] - piece->from[0], dy = piece->to[1] - piece->from[1], square = dx * dx + dy * dy;
    double s = along, point[2], tangent[2];
    for (int step = 0; step < NEWTON_STEPS; step++) {
        bezier_at(piece, s, point, tangent);
        double slope = tangent[0] * dx + tangent[1] * dy;
        double now = (point[0] - piece->from[0]) * dx + (point[1] - piece->from[1]) * dy;
        s -= slope > 0 ? (now - along * square) / slope : 0;
        if (!(slope > 0 && s >= 0 && s <= 1))
            s = along;
    }
    bezier_at(piece, s, point, tangent);
    *height = ((point[0] - piece->from[0]) * dy - (point[1] - piece->from[1]) * dx) / ewi_sqrt(square);
    normal[0] = tangent[1];
    normal[1] = -tangent[0];
    double missed = (point[0] - piece->from[0]) * dx + (point[1] - piece->from[1]) * dy - along * square;
    return fabs(missed) <= FOUND * square;
}
