/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Refines a mesh: each triangle becomes four. The middle of a boundary edge moves onto the boundary's true curve; the
 * other middles stay on their edges. Splines are made once, through the nodes of the given mesh. Each edge keeps its
 * piece as a Bezier curve, which is halved with the edge, so refining twice halves the same curve twice.
 */
#include "ewi_basis.h"
#include "ewi_curve.h"
#include "ewi_data.h"
#include "ewi_mesh_build.h"
#include "ewi_spline.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define ON_CIRCLE 1e-4     /* of the radius: how far nodes may be off */
#define ON_NORMALS 0.02    /* of an edge: how far the curve of the normals may miss the edge's end */
enum { CURVE_SWEEPS = 60 };

/* A boundary edge's curve; control points only of splines. */
struct piece {
    const ew_boundary_curve *curve; /* NULL: straight */
    union {
        struct ewi_bezier bezier;
        struct {
            double from[2], control[2][2], to[2];
        };
    };
};

struct refining {
    const ew_host *host;
    const ew_mesh *coarse; /* of this level */
    size_t curves;
    const ew_boundary_curve *curve;
    struct piece *piece; /* [coarse->boundary_edges] */
    struct ewi_scratch scratch; /* of this level: */
    double *xy;
    int64_t *triangle, *line;
    int32_t *line_name;
    const char **name;
};

static int no_memory(const ew_mesh *mesh, ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory to refine a mesh of %d triangles", mesh->elements);
}

static const char *name_of(const ew_mesh *mesh, int32_t e)
{
    return mesh->boundary[-1 - mesh->right[e]].name;
}

static int32_t side_node(const ew_mesh *mesh, int32_t e, int end)
{
    return mesh->triangle[3 * (size_t)mesh->left[e] + (size_t)((mesh->left_side[e] + end) % 3)];
}

/* ---- splines ----------------------------------------------------------------------------------------------------- */

static double corner_of(const ew_boundary_curve *curve)
{
    return curve->corner > 0 ? curve->corner : EWI_USUAL_CORNER;
}

/* Each edge has its ends already. */
static int make_splines(struct refining *refining, ew_error *error)
{
    const ew_mesh *mesh = refining->coarse;
    struct ewi_scratch scratch = {.host = refining->host};
    double *corner = ewi_scratch_alloc(&scratch, (size_t)mesh->boundaries, sizeof *corner);
    ew_spline_info *info = ewi_scratch_alloc(&scratch, (size_t)mesh->boundaries, sizeof *info);
    struct ewi_bezier *made = ewi_scratch_alloc(&scratch, (size_t)mesh->boundary_edges, sizeof *made);
    int status = scratch.failed ? no_memory(mesh, error) : EW_OK;
    for (int32_t b = 0; status == EW_OK && b < mesh->boundaries; b++) {
        const ew_boundary_curve *curve = refining->piece[mesh->boundary[b].first].curve;
        corner[b] = curve && curve->kind == EW_CURVE_SPLINE ? corner_of(curve) : -1;
    }
    if (status == EW_OK)
        status = ewi_spline_make(refining->host, mesh, corner, made, info, error);
    for (int32_t b = 0; status == EW_OK && b < mesh->boundaries; b++)
        if (corner[b] >= 0)
            ewi_spline_warn(refining->host, mesh->boundary[b].name, corner[b], &info[b]);
    for (int32_t e = 0; status == EW_OK && e < mesh->boundary_edges; e++)
        refining->piece[e].bezier = made[e];
    ewi_scratch_free(&scratch);
    return status;
}

/* The middle, and the two halves by de Casteljau. */
static void halve(const struct piece *piece, struct piece half[2])
{
    half[0] = half[1] = *piece;
    for (int axis = 0; axis < 2; axis++) {
        double a = piece->from[axis], b = piece->control[0][axis], c = piece->control[1][axis], d = piece->to[axis];
        double ab = (a + b) / 2, bc = (b + c) / 2, cd = (c + d) / 2, left = (ab + bc) / 2, right = (bc + cd) / 2;
        half[0].control[0][axis] = ab;
        half[0].control[1][axis] = left;
        half[0].to[axis] = half[1].from[axis] = (left + right) / 2;
        half[1].control[0][axis] = right;
        half[1].control[1][axis] = cd;
    }
}

/* ---- circles and normals ----------------------------------------------------------------------------------------- */

static int circle_middle(const struct piece *piece, const char *name, double middle[2], ew_error *error)
{
    const ew_boundary_curve *curve = piece->curve;
    double x = 0.5 * (piece->from[0] + piece->to[0]) - curve->centre[0],
           y = 0.5 * (piece->from[1] + piece->to[1]) - curve->centre[1];
    double from = hypot(piece->from[0] - curve->centre[0], piece->from[1] - curve->centre[1]), distance = hypot(x, y);
    if (!(fabs(from - curve->radius) <= ON_CIRCLE * curve->radius))
        return ewi_fail(error, EW_EMESH,
                        "boundary \"%s\": its node (%.9g, %.9g) is not on the circle of radius %.9g around (%.9g, "
                        "%.9g), but at the distance %.9g from the centre",
                        name, piece->from[0], piece->from[1], curve->radius, curve->centre[0], curve->centre[1], from);
    if (!(distance > 1e-6 * curve->radius))
        return ewi_fail(error, EW_EMESH,
                        "boundary \"%s\": the edge from (%.9g, %.9g) to (%.9g, %.9g) passes through the circle's "
                        "centre; refine needs more than two edges around it",
                        name, piece->from[0], piece->from[1], piece->to[0], piece->to[1]);
    middle[0] = curve->centre[0] + curve->radius * (x / distance);
    middle[1] = curve->centre[1] + curve->radius * (y / distance);
    return EW_OK;
}

static int bad_normal(const struct piece *piece, const char *name, const char *what, ew_error *error)
{
    return ewi_fail(error, EW_EMESH,
                    "boundary \"%s\": over the edge from (%.9g, %.9g) to (%.9g, %.9g) the normals %s; keep the "
                    "boundary straight, or give its curve otherwise",
                    name, piece->from[0], piece->from[1], piece->to[0], piece->to[1], what);
}

/*
 * Finds the curve through both nodes that has these normals. Its slopes are needed at its own points, which are unknown
 * at first, so it takes some sweeps. Each reduces the error by about the edge's angle.
 */
static int normal_middle(const struct piece *piece, const char *name, double middle[2], ew_error *error)
{
    const struct ewi_basis *basis = ewi_basis_get(EWI_MAX_ORDER);
    int ne = basis->ne;
    double dx = piece->to[0] - piece->from[0], dy = piece->to[1] - piece->from[1], length = hypot(dx, dy);
    double n0[2] = {dy / length, -dx / length}, height[EWI_MAX_NE] = {0}, slope[EWI_MAX_NE], factor[EWI_MAX_NE],
           change = 1;
    for (int sweep = 0; sweep < CURVE_SWEEPS && change > 1e-15; sweep++) {
        for (int q = 0; q < ne; q++) {
            double t = basis->edge_t[q], n[2];
            double x = piece->from[0] + t * dx + height[q] * length * n0[0],
                   y = piece->from[1] + t * dy + height[q] * length * n0[1];
            ewi_data_evaluate(&piece->curve->normal, 1, &x, &y, 0.0, n);
            if (!(n[0] * n0[0] + n[1] * n0[1] > 0) || !isfinite(n[0]) || !isfinite(n[1]))
                return bad_normal(piece, name, "do not point outward everywhere", error);
            slope[q] = ewi_curve_slope(n0, n);
        }
        change = 0;
        for (int q = 0; q < ne; q++) {
            double now = 0;
            ewi_curve_height(ne, basis->edge_t, basis->edge_weight, basis->edge_t[q], factor);
            for (int r = 0; r < ne; r++)
                now += factor[r] * slope[r];
            change = fmax(change, fabs(now - height[q]));
            height[q] = now;
        }
    }
    double missed = 0, rise = 0;
    ewi_curve_height(ne, basis->edge_t, basis->edge_weight, 0.5, factor);
    for (int r = 0; r < ne; r++) {
        missed += basis->edge_weight[r] * slope[r];
        rise += factor[r] * slope[r];
    }
    if (!(fabs(missed) <= ON_NORMALS) || !(change < 1e-6))
        return bad_normal(piece, name, "are not those of a curve through the edge's nodes", error);
    middle[0] = 0.5 * (piece->from[0] + piece->to[0]) + rise * length * n0[0];
    middle[1] = 0.5 * (piece->from[1] + piece->to[1]) + rise * length * n0[1];
    return EW_OK;
}

/* The two halves of a boundary edge; the end of the first one is the middle. */
static int split_piece(const struct piece *piece, const char *name, struct piece half[2], ew_error *error)
{
    double middle[2] = {0.5 * (piece->from[0] + piece->to[0]), 0.5 * (piece->from[1] + piece->to[1])};
    int status = EW_OK;
    if (piece->curve && piece->curve->kind == EW_CURVE_SPLINE) {
        halve(piece, half);
        return EW_OK;
    }
    if (piece->curve && piece->curve->kind == EW_CURVE_CIRCLE)
        status = circle_middle(piece, name, middle, error);
    else if (piece->curve)
        status = normal_middle(piece, name, middle, error);
    half[0] = half[1] = *piece;
    memcpy(half[0].to, middle, sizeof middle);
    memcpy(half[1].from, middle, sizeof middle);
    return status;
}

/* ---- a level ----------------------------------------------------------------------------------------------------- */

/* Node nodes + e is the middle of edge e. */
static int place_nodes(struct refining *refining, struct piece *half, ew_error *error)
{
    const ew_mesh *mesh = refining->coarse;
    memcpy(refining->xy, mesh->xy, 2 * (size_t)mesh->nodes * sizeof *refining->xy);
    double *middle = refining->xy + 2 * (size_t)mesh->nodes;
    for (int32_t e = 0; e < mesh->edges; e++) {
        const double *a = mesh->xy + 2 * (size_t)side_node(mesh, e, 0),
                     *b = mesh->xy + 2 * (size_t)side_node(mesh, e, 1);
        middle[2 * e] = 0.5 * (a[0] + b[0]);
        middle[2 * e + 1] = 0.5 * (a[1] + b[1]);
    }
    for (int32_t e = 0; e < mesh->boundary_edges; e++) {
        TRY(split_piece(&refining->piece[e], name_of(mesh, e), half + 2 * (size_t)e, error));
        memcpy(middle + 2 * (size_t)e, half[2 * (size_t)e].to, 2 * sizeof *middle);
    }
    return EW_OK;
}

/* Three at the corners, each with its corner first, and the middle one. */
static int place_triangles(struct refining *refining, ew_error *error)
{
    const ew_mesh *mesh = refining->coarse;
    const double *xy = refining->xy;
    for (int32_t i = 0; i < mesh->elements; i++) {
        const int32_t *node = mesh->triangle + 3 * (size_t)i, *edge = mesh->element_edge + 3 * (size_t)i;
        int64_t middle[3], *four = refining->triangle + 12 * (size_t)mesh->file_index[i];
        for (int k = 0; k < 3; k++)
            middle[k] = (int64_t)mesh->nodes + edge[k];
        for (int k = 0; k < 3; k++)
            memcpy(four + 3 * k, (int64_t[3]){node[k], middle[k], middle[(k + 2) % 3]}, 3 * sizeof *four);
        memcpy(four + 9, middle, sizeof middle);
        for (int k = 0; k < 12; k += 3)
            if (!(ewi_determinant(xy + 2 * four[k], xy + 2 * four[k + 1], xy + 2 * four[k + 2]) > 0))
                return ewi_fail(error, EW_EMESH,
                                "refining would turn a part of the triangle at (%.9g, %.9g) inside out, since it moves "
                                "the boundary onto its curve: make the mesh finer there first",
                                xy[2 * node[0]], xy[2 * node[0] + 1]);
    }
    return EW_OK;
}

static void place_lines(struct refining *refining)
{
    const ew_mesh *mesh = refining->coarse;
    for (int32_t e = 0; e < mesh->boundary_edges; e++)
        for (int part = 0; part < 2; part++) {
            int64_t *line = refining->line + 4 * (size_t)e + 2 * part, middle = (int64_t)mesh->nodes + e;
            line[0] = part ? middle : side_node(mesh, e, 0);
            line[1] = part ? side_node(mesh, e, 1) : middle;
            refining->line_name[2 * (size_t)e + (size_t)part] = -1 - mesh->right[e];
        }
}

static bool allocate_level(struct refining *refining)
{
    const ew_mesh *mesh = refining->coarse;
    struct ewi_scratch *scratch = &refining->scratch;
    refining->xy = ewi_scratch_alloc(scratch, 2 * ((size_t)mesh->nodes + (size_t)mesh->edges), sizeof *refining->xy);
    refining->triangle = ewi_scratch_alloc(scratch, 12 * (size_t)mesh->elements, sizeof *refining->triangle);
    refining->line = ewi_scratch_alloc(scratch, 4 * (size_t)mesh->boundary_edges, sizeof *refining->line);
    refining->line_name = ewi_scratch_alloc(scratch, 2 * (size_t)mesh->boundary_edges, sizeof *refining->line_name);
    refining->name = ewi_scratch_alloc(scratch, (size_t)mesh->boundaries, sizeof *refining->name);
    return !scratch->failed;
}

/* The finer mesh has its own order of edges: the node in the middle of an old edge shows which half an edge is. */
static void hand_down(const struct refining *refining, const ew_mesh *fine, const struct piece *half,
                      struct piece *piece)
{
    int32_t nodes = refining->coarse->nodes;
    for (int32_t e = 0; e < fine->boundary_edges; e++) {
        int32_t from = side_node(fine, e, 0), to = side_node(fine, e, 1);
        piece[e] = to >= nodes ? half[2 * (size_t)(to - nodes)] : half[2 * (size_t)(from - nodes) + 1];
    }
}

static int refine_once(struct refining *refining, ew_mesh **fine, ew_error *error)
{
    const ew_mesh *mesh = refining->coarse;
    size_t lines = 2 * (size_t)mesh->boundary_edges;
    struct piece *piece = ewi_alloc(refining->host, lines, sizeof *piece),
                 *half = ewi_scratch_alloc(&refining->scratch, lines, sizeof *half);
    int status;
    EWI_TRY(piece && allocate_level(refining) ? EW_OK : no_memory(mesh, error));
    EWI_TRY(place_nodes(refining, half, error));
    EWI_TRY(place_triangles(refining, error));
    place_lines(refining);
    for (int32_t k = 0; k < mesh->boundaries; k++)
        refining->name[k] = mesh->boundary[k].name;
    ew_mesh_data data = {.nodes = (int64_t)mesh->nodes + mesh->edges,
                         .xy = refining->xy, .triangles = 4 * (int64_t)mesh->elements, .triangle = refining->triangle,
                         .lines = (int64_t)lines, .line = refining->line, .line_name = refining->line_name,
                         .names = mesh->boundaries, .name = refining->name};
    EWI_TRY(ew_mesh_create(refining->host, &data, fine, error));
    hand_down(refining, *fine, half, piece);
    ewi_free(refining->host, refining->piece);
    refining->piece = piece;
    piece = NULL;
out:
    ewi_scratch_free(&refining->scratch);
    ewi_free(refining->host, piece);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static int check_curve(const ew_boundary_curve *curve, ew_error *error)
{
    const char *name = curve->boundary;
    switch (curve->kind) {
    case EW_CURVE_NORMAL:
        if (!curve->normal.formula && !curve->normal.callback)
            return ewi_fail(error, EW_EINVAL, "boundary \"%s\": its curve needs normals, but there are none", name);
        if (curve->normal.formula && curve->normal.callback)
            return ewi_fail(error, EW_EINVAL,
                            "boundary \"%s\": the normal has both a formula and a callback; give one of them", name);
        if (curve->normal.formula && ew_formula_outputs(curve->normal.formula) != 2)
            return ewi_fail(error, EW_EINVAL, "boundary \"%s\": the normal has %d formulas; it needs 2", name,
                            ew_formula_outputs(curve->normal.formula));
        return EW_OK;
    case EW_CURVE_CIRCLE:
        if (!(curve->radius > 0 && isfinite(curve->radius)))
            return ewi_fail(error, EW_EINVAL, "boundary \"%s\": the circle's radius is %g; it must be greater than 0",
                            name, curve->radius);
        if (!isfinite(curve->centre[0]) || !isfinite(curve->centre[1]))
            return ewi_fail(error, EW_EINVAL, "boundary \"%s\": the circle's centre is (%g, %g); it must be finite",
                            name, curve->centre[0], curve->centre[1]);
        return EW_OK;
    case EW_CURVE_SPLINE:
        if (!(curve->corner >= 0 && curve->corner <= 180))
            return ewi_fail(error, EW_EINVAL,
                            "boundary \"%s\": the angle of a corner is %g degrees; it must be 0 to 180",
                            name, curve->corner);
        return EW_OK;
    }
    return ewi_fail(error, EW_EINVAL, "boundary \"%s\": there is no curve of kind %d", name, (int)curve->kind);
}

static int check_curves(const ew_mesh *mesh, size_t curves, const ew_boundary_curve *curve, ew_error *error)
{
    if (curves > 0 && !curve)
        return ewi_fail(error, EW_EINVAL, "there are %zu curves, but their array is NULL", curves);
    for (size_t c = 0; c < curves; c++) {
        int32_t k = 0;
        if (!curve[c].boundary)
            return ewi_fail(error, EW_EINVAL, "curve number %zu names no boundary", c);
        while (k < mesh->boundaries && strcmp(mesh->boundary[k].name, curve[c].boundary) != 0)
            k++;
        if (k == mesh->boundaries)
            return ewi_fail(error, EW_EINVAL, "a curve has the boundary \"%s\", which is not in the mesh",
                            curve[c].boundary);
        TRY(check_curve(&curve[c], error));
    }
    return EW_OK;
}

static int check_size(const ew_mesh *mesh, int times, ew_error *error)
{
    int64_t triangles = mesh->elements, nodes = mesh->nodes;
    if (times < 1)
        return ewi_fail(error, EW_EINVAL, "a mesh can be refined once or more, not %d times", times);
    for (int32_t e = 0; e < mesh->edges; e++)
        if (mesh->right[e] >= 0 && side_node(mesh, e, 1) !=
                mesh->triangle[3 * (size_t)mesh->right[e] + (size_t)mesh->right_side[e]])
            return ewi_fail(error, EW_EINVAL,
                            "a mesh with periodic boundaries cannot be refined; refine it before they are joined");
    for (int k = 0; k < times; k++) {
        triangles *= 4;
        nodes *= 4;
        if (triangles > EWI_MESH_MOST_TRIANGLES || nodes > EWI_MESH_MOST_NODES)
            return ewi_fail(error, EW_EINVAL,
                            "a mesh of %d triangles cannot be refined %d times: a mesh has at most %" PRId64,
                            mesh->elements, times, EWI_MESH_MOST_TRIANGLES);
    }
    return EW_OK;
}

static int begin(struct refining *refining, ew_error *error)
{
    const ew_mesh *mesh = refining->coarse;
    bool splines = false;
    refining->piece = ewi_alloc(refining->host, (size_t)mesh->boundary_edges, sizeof *refining->piece);
    if (!refining->piece)
        return no_memory(mesh, error);
    for (int32_t e = 0; e < mesh->boundary_edges; e++) {
        struct piece *piece = &refining->piece[e];
        memcpy(piece->from, mesh->xy + 2 * (size_t)side_node(mesh, e, 0), sizeof piece->from);
        memcpy(piece->to, mesh->xy + 2 * (size_t)side_node(mesh, e, 1), sizeof piece->to);
        for (size_t c = 0; c < refining->curves; c++)
            if (strcmp(refining->curve[c].boundary, name_of(mesh, e)) == 0)
                piece->curve = &refining->curve[c];
        splines = splines || (piece->curve && piece->curve->kind == EW_CURVE_SPLINE);
    }
    return splines ? make_splines(refining, error) : EW_OK;
}

int ew_mesh_refine(const ew_host *host, const ew_mesh *mesh, int times, size_t curves, const ew_boundary_curve *curve,
                   ew_mesh **result, ew_error *error)
{
    EWI_REQUIRE(mesh);
    EWI_REQUIRE_AS(result, "fine");
    int status;
    const ew_host own = ewi_host_or_default(host);
    struct refining refining = {.host = &own, .coarse = mesh, .curves = curves, .curve = curve,
                                .scratch = {.host = &own}};
    ew_mesh *made = NULL;
    EWI_TRY(check_curves(mesh, curves, curve, error));
    EWI_TRY(check_size(mesh, times, error));
    EWI_TRY(begin(&refining, error));
    for (int k = 0; k < times; k++) {
        ew_mesh *fine = NULL;
        EWI_TRY(refine_once(&refining, &fine, error));
        ew_mesh_destroy(made);
        refining.coarse = made = fine;
    }
    *result = made;
    made = NULL;
out:
    ew_mesh_destroy(made);
    ewi_free(&own, refining.piece);
    return status;
}
