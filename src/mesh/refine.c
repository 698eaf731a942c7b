/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Refines a mesh: each triangle becomes four. The middle of a boundary edge moves onto the boundary's true curve; the
 * other middles stay on their edges. Splines are made once, through the nodes of the given mesh. Each edge keeps its
 * piece as a Bezier curve, which is halved with the edge, so refining twice halves the same curve twice.
 */
#include "ewi_curve.h"
#include "ewi_mesh_build.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct refining {
    const ew_host *host;
    const ew_mesh *coarse; /* of this level */
    size_t curves;
    const ew_boundary_curve *curve;
    struct ewi_arc *arc; /* [coarse->boundary_edges]; no curve: straight */
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
        const ew_boundary_curve *curve = refining->arc[mesh->boundary[b].first].curve;
        bool is_spline = curve && curve->kind == EW_CURVE_SPLINE;
        corner[b] = !is_spline ? -1 : curve->corner > 0 ? curve->corner : EWI_USUAL_CORNER;
    }
    if (status == EW_OK)
        status = ewi_spline_make(refining->host, mesh, corner, made, info, error);
    for (int32_t b = 0; status == EW_OK && b < mesh->boundaries; b++)
        if (corner[b] >= 0)
            ewi_spline_warn(refining->host, mesh->boundary[b].name, corner[b], &info[b]);
    for (int32_t e = 0; status == EW_OK && e < mesh->boundary_edges; e++)
        refining->arc[e].piece = made[e];
    ewi_scratch_free(&scratch);
    return status;
}

/* The two parts of a spline before and after s, by de Casteljau. */
static void halve(const struct ewi_arc *arc, double s, struct ewi_arc half[2])
{
    enum { LAST = 5 };
    double first[LAST + 1][2], second[LAST + 1][2];
    memcpy(second, &arc->piece, sizeof second);
    for (int level = 0; level <= LAST; level++) {
        memcpy(first[level], second[0], sizeof first[level]);
        for (int k = 0; k < LAST - level; k++)
            for (int axis = 0; axis < 2; axis++)
                second[k][axis] = (1 - s) * second[k][axis] + s * second[k + 1][axis];
    }
    half[0] = half[1] = *arc;
    memcpy(&half[0].piece, first, sizeof first);
    memcpy(&half[1].piece, second, sizeof second);
}

/* A spline at the middle of a second-order edge, which it misses by little: moved there, both parts keep their form. */
static void split_at(const struct ewi_arc *arc, const double middle[2], struct ewi_arc half[2])
{
    struct ewi_bezier *a = &half[0].piece, *b = &half[1].piece;
    halve(arc, ewi_spline_nearest(&arc->piece, middle), half);
    for (int axis = 0; axis < 2; axis++) {
        double off = middle[axis] - a->to[axis];
        for (int k = 0; k < 2; k++) {
            a->control[2 + k][axis] += off;
            b->control[k][axis] += off;
        }
        a->to[axis] = b->from[axis] = middle[axis];
    }
}

/* The two halves of a boundary edge; the end of the first one is the middle. given: that of a second-order edge. */
static int split_arc(const struct ewi_arc *arc, const double *given, struct ewi_arc half[2], ew_error *error)
{
    const double *from = arc->piece.from, *to = arc->piece.to, middle = 0.5;
    double height = 0, n[1][2];
    if (arc->curve && arc->curve->kind == EW_CURVE_SPLINE) {
        if (given && isfinite(given[0]))
            split_at(arc, given, half);
        else
            halve(arc, 0.5, half);
        return EW_OK;
    }
    int status = arc->curve ? ewi_curve_over(arc, 1, &middle, &height, n, error) : EW_OK;
    double share = height / ewi_chord_length(from, to);
    double place[2] = {0.5 * (from[0] + to[0]) + share * (to[1] - from[1]),
                       0.5 * (from[1] + to[1]) - share * (to[0] - from[0])};
    half[0] = half[1] = *arc;
    memcpy(half[0].piece.to, place, sizeof place);
    memcpy(half[1].piece.from, place, sizeof place);
    return status;
}

/* ---- a level ----------------------------------------------------------------------------------------------------- */

/* Node nodes + e is the middle of edge e. */
static int place_nodes(struct refining *refining, struct ewi_arc *half, ew_error *error)
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
        const double *given = mesh->middle ? mesh->middle + 2 * (size_t)e : NULL;
        TRY(split_arc(&refining->arc[e], given, half + 2 * (size_t)e, error));
        memcpy(middle + 2 * (size_t)e, half[2 * (size_t)e].piece.to, 2 * sizeof *middle);
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
static void hand_down(const struct refining *refining, const ew_mesh *fine, const struct ewi_arc *half,
                      struct ewi_arc *arc)
{
    int32_t nodes = refining->coarse->nodes;
    for (int32_t e = 0; e < fine->boundary_edges; e++) {
        int32_t from = side_node(fine, e, 0), to = side_node(fine, e, 1);
        arc[e] = to >= nodes ? half[2 * (size_t)(to - nodes)] : half[2 * (size_t)(from - nodes) + 1];
    }
}

static int refine_once(struct refining *refining, ew_mesh **fine, ew_error *error)
{
    const ew_mesh *mesh = refining->coarse;
    size_t lines = 2 * (size_t)mesh->boundary_edges;
    struct ewi_arc *arc = ewi_alloc(refining->host, lines, sizeof *arc),
                 *half = ewi_scratch_alloc(&refining->scratch, lines, sizeof *half);
    int status;
    EWI_TRY(arc && allocate_level(refining) ? EW_OK : no_memory(mesh, error));
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
    hand_down(refining, *fine, half, arc);
    ewi_free(refining->host, refining->arc);
    refining->arc = arc;
    arc = NULL;
out:
    ewi_scratch_free(&refining->scratch);
    ewi_free(refining->host, arc);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

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
        TRY(ewi_curve_check(&curve[c], curve[c].boundary, error));
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
    refining->arc = ewi_alloc(refining->host, (size_t)mesh->boundary_edges, sizeof *refining->arc);
    if (!refining->arc)
        return no_memory(mesh, error);
    for (int32_t e = 0; e < mesh->boundary_edges; e++) {
        struct ewi_arc *arc = &refining->arc[e];
        memcpy(arc->piece.from, mesh->xy + 2 * (size_t)side_node(mesh, e, 0), sizeof arc->piece.from);
        memcpy(arc->piece.to, mesh->xy + 2 * (size_t)side_node(mesh, e, 1), sizeof arc->piece.to);
        for (size_t c = 0; c < refining->curves; c++)
            if (strcmp(refining->curve[c].boundary, name_of(mesh, e)) == 0)
                *arc = (struct ewi_arc){&refining->curve[c], refining->curve[c].boundary, arc->piece};
        splines = splines || (arc->curve && arc->curve->kind == EW_CURVE_SPLINE);
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
    ewi_free(&own, refining.arc);
    return status;
}
