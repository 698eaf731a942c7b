/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cubic splines through the nodes of boundaries, by the lengths of the edges. Only + - * / and square roots, and
 * edgewise's own arc tangent: the same bits on every machine.
 */
#include "ewi_spline.h"
#include "ewi_math.h"
#include "ewi_mesh_build.h"

#include <inttypes.h>
#include <string.h>

enum {
    SPLINE_SWEEPS = 64, /* each halves the error at least */
    END_NODES = 5,      /* whose polynomial gives the slope at an end */
    NEWTON_STEPS = 8    /* each squares it */
};

/* The boundary edges as they follow each other; -1: a corner or an end. */
struct chain {
    const ew_mesh *mesh;
    const double *corner; /* [boundaries] */
    struct ewi_bezier *piece;
    int32_t *next, *previous;
    double *length, *start, *end; /* start, end: [2] of each edge, d(x, y)/d(arc) at its ends */
};

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

static bool is_corner(const struct ewi_bezier *a, const struct ewi_bezier *b, double degrees)
{
    double ax = a->to[0] - a->from[0], ay = a->to[1] - a->from[1];
    double bx = b->to[0] - b->from[0], by = b->to[1] - b->from[1];
    return fabs(ewi_atan2(ax * by - ay * bx, ax * bx + ay * by)) * (180 / 3.14159265358979323846) > degrees;
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
        bool smooth = f >= 0 && !is_corner(&chain->piece[e], &chain->piece[f], chain->corner[boundary]);
        info[boundary].smooth += smooth;
        if (!smooth)
            note_corner(mesh, side_node(mesh, mesh->left[e], mesh->left_side[e], 1), &info[boundary]);
        chain->next[e] = smooth ? f : -1;
        if (smooth)
            chain->previous[f] = e;
    }
}

/* ---- slopes ------------------------------------------------------------------------------------------------------ */

static double divided(const struct chain *chain, int32_t e, int axis)
{
    return (chain->piece[e].to[axis] - chain->piece[e].from[axis]) / chain->length[e];
}

/*
 * At an end, the slope there of the polynomial through the END_NODES nodes next to it, or as many as there are, by
 * Newton's divided differences. Positions are sums of differences, since a curve may go on over a periodic boundary.
 */
static double end_slope(const struct chain *chain, int32_t e, const int32_t *onward, int axis)
{
    double sign = onward == chain->next ? 1 : -1, at[END_NODES] = {0}, value[END_NODES] = {0}, slope = 0, factor = 1;
    int nodes = 1;
    for (int32_t f = e; f >= 0 && nodes < END_NODES && (nodes == 1 || f != e); f = onward[f], nodes++) {
        at[nodes] = at[nodes - 1] + chain->length[f];
        value[nodes] = value[nodes - 1] + sign * (chain->piece[f].to[axis] - chain->piece[f].from[axis]);
    }
    for (int k = 1; k < nodes; k++) {
        for (int i = nodes - 1; i >= k; i--)
            value[i] = (value[i] - value[i - 1]) / (at[i] - at[i - k]);
        slope += factor * value[k];
        factor *= -at[k];
    }
    return sign * slope;
}

/* Makes the spline C2: Gauss-Seidel sweeps on the usual equations, which are diagonally dominant. */
static void smooth(struct chain *chain, int axis)
{
    int32_t edges = chain->mesh->boundary_edges;
    for (int sweep = 0; sweep < SPLINE_SWEEPS; sweep++)
        for (int32_t e = 0; e < edges; e++) {
            int32_t p = chain->previous[e];
            if (p < 0)
                continue;
            double h = chain->length[e], before = chain->length[p], after = chain->end[2 * e + axis];
            if (chain->next[e] >= 0)
                after = chain->start[2 * chain->next[e] + axis];
            double right = 3 * (h * divided(chain, p, axis) + before * divided(chain, e, axis));
            double value = (right - h * chain->start[2 * p + axis] - before * after) / (2 * (h + before));
            chain->start[2 * e + axis] = chain->end[2 * p + axis] = value;
        }
}

static void set_controls(struct chain *chain)
{
    int32_t edges = chain->mesh->boundary_edges;
    for (int axis = 0; axis < 2; axis++) {
        for (int32_t e = 0; e < edges; e++) {
            chain->start[2 * e + axis] =
                chain->previous[e] < 0 ? end_slope(chain, e, chain->next, axis) : divided(chain, e, axis);
            chain->end[2 * e + axis] =
                chain->next[e] < 0 ? end_slope(chain, e, chain->previous, axis) : divided(chain, e, axis);
        }
        smooth(chain, axis);
        for (int32_t e = 0; e < edges; e++) {
            struct ewi_bezier *piece = &chain->piece[e];
            piece->control[0][axis] = piece->from[axis] + chain->length[e] / 3 * chain->start[2 * e + axis];
            piece->control[1][axis] = piece->to[axis] - chain->length[e] / 3 * chain->end[2 * e + axis];
        }
    }
}

/* The parabola through from, the middle at half way, and to. */
static void set_parabolas(struct chain *chain)
{
    for (int32_t e = 0; e < chain->mesh->boundary_edges; e++)
        for (int axis = 0; has_middle(chain->mesh, e) && axis < 2; axis++) {
            struct ewi_bezier *piece = &chain->piece[e];
            double apex = 2 * chain->mesh->middle[2 * (size_t)e + (size_t)axis] -
                          0.5 * (piece->from[axis] + piece->to[axis]);
            piece->control[0][axis] = piece->from[axis] + 2 * (apex - piece->from[axis]) / 3;
            piece->control[1][axis] = piece->to[axis] + 2 * (apex - piece->to[axis]) / 3;
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
        double dx = piece->to[0] - piece->from[0], dy = piece->to[1] - piece->from[1];
        chain->length[e] = ewi_sqrt(dx * dx + dy * dy);
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
                          .start = ewi_scratch_alloc(&scratch, 2 * edges, sizeof *chain.start),
                          .end = ewi_scratch_alloc(&scratch, 2 * edges, sizeof *chain.end)};
    int32_t *same = ewi_scratch_alloc(&scratch, nodes, sizeof *same),
            *begins = ewi_scratch_alloc(&scratch, nodes, sizeof *begins);
    ew_spline_info *own = ewi_scratch_alloc(&scratch, (size_t)mesh->boundaries, sizeof *own);
    if (!scratch.failed) {
        set_ends(&chain);
        unite_nodes(mesh, same);
        count_edges(&chain, own);
        link_edges(&chain, same, begins, own);
        set_controls(&chain);
        set_parabolas(&chain);
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

/* ---- normals ----------------------------------------------------------------------------------------------------- */

/*
 * The parameter at which the piece stands over its edge's point `along`, by Newton's method for its coordinate along
 * the edge, which the control points make a cubic from 0 to 1. One that runs backwards somewhere has none: `along`.
 */
static double parameter_over(const double along, double c1, double c2)
{
    double s = along;
    for (int step = 0; step < NEWTON_STEPS; step++) {
        double r = 1 - s, slope = 3 * (r * r * c1 + 2 * r * s * (c2 - c1) + s * s * (1 - c2));
        if (!(slope > 0))
            return along;
        s -= (3 * r * s * (r * c1 + s * c2) + s * s * s - along) / slope;
    }
    return s >= 0 && s <= 1 ? s : along;
}

void ewi_spline_normal(const struct ewi_bezier *piece, double along, double normal[2])
{
    double dx = piece->to[0] - piece->from[0], dy = piece->to[1] - piece->from[1], square = dx * dx + dy * dy, c[2];
    for (int k = 0; k < 2; k++)
        c[k] = ((piece->control[k][0] - piece->from[0]) * dx + (piece->control[k][1] - piece->from[1]) * dy) / square;
    double s = parameter_over(along, c[0], c[1]), r = 1 - s, tangent[2];
    for (int axis = 0; axis < 2; axis++)
        tangent[axis] = r * r * (piece->control[0][axis] - piece->from[axis]) +
                        2 * r * s * (piece->control[1][axis] - piece->control[0][axis]) +
                        s * s * (piece->to[axis] - piece->control[1][axis]);
    normal[0] = tangent[1];
    normal[1] = -tangent[0];
}
