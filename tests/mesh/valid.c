/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the invariants of a mesh; for tests. */
#include "ewi_mesh_build.h"
#include "helpers.h"

#include <inttypes.h>

#define INVALID(...) (ewi_fail(error, EW_EINTERNAL, __VA_ARGS__), false)

/* Node on corner `corner` (taken modulo 3) of element i. */
static int32_t corner_of(const ew_mesh *mesh, int32_t i, int corner)
{
    return mesh->triangle[3 * (size_t)i + (size_t)corner % 3];
}

static bool elements_are_valid(const ew_mesh *mesh, ew_error *error)
{
    for (int32_t i = 0; i < mesh->elements; i++) {
        int32_t file = mesh->file_index[i];
        if (file < 0 || file >= mesh->elements || mesh->order[file] != i)
            return INVALID("element %" PRId32 ": the order is no permutation", i);
        for (int k = 0; k < 3; k++)
            if (corner_of(mesh, i, k) < 0 || corner_of(mesh, i, k) >= mesh->nodes)
                return INVALID("element %" PRId32 ": node %" PRId32 " does not exist", i, corner_of(mesh, i, k));
        if (!(ewi_mesh_det(mesh, i) > 0))
            return INVALID("element %" PRId32 " is not counter-clockwise", i);
    }
    return true;
}

static bool boundaries_are_valid(const ew_mesh *mesh, ew_error *error)
{
    int32_t next = 0;
    for (int32_t b = 0; b < mesh->boundaries; b++) {
        const struct ewi_mesh_boundary *boundary = &mesh->boundary[b];
        if (!boundary->name || !boundary->name[0])
            return INVALID("boundary %" PRId32 " has no name", b);
        if (boundary->first != next || boundary->count <= 0)
            return INVALID("boundary %" PRId32 " has edges %" PRId32 " and %" PRId32
                           " further, but should start at %" PRId32,
                           b, boundary->first, boundary->count, next);
        next += boundary->count;
        for (int32_t e = boundary->first; next <= mesh->edges && e < next; e++)
            if (mesh->right[e] != -1 - b || mesh->right_side[e] != 0)
                return INVALID("edge %" PRId32 " is in the group of boundary %" PRId32
                               ", but its right element is %" PRId32,
                               e, b, mesh->right[e]);
    }
    if (next != mesh->boundary_edges || next > mesh->edges)
        return INVALID("the boundaries have %" PRId32 " edges, not %" PRId32, next, mesh->boundary_edges);
    return true;
}

static bool is_element_and_side(const ew_mesh *mesh, int32_t e, int32_t element, int side)
{
    return element >= 0 && element < mesh->elements && side >= 0 && side <= 2 &&
           mesh->element_edge[3 * (size_t)element + (size_t)side] == e;
}

/* Edges of periodic boundaries have different nodes on their two sides; then the edge vectors must be opposite. */
static bool sides_are_opposite(const ew_mesh *mesh, int32_t e)
{
    int32_t left = mesh->left[e], right = mesh->right[e];
    int ls = mesh->left_side[e], rs = mesh->right_side[e];
    int32_t from = corner_of(mesh, left, ls), to = corner_of(mesh, left, ls + 1);
    int32_t right_from = corner_of(mesh, right, rs), right_to = corner_of(mesh, right, rs + 1);
    if (from == right_to && to == right_from)
        return true;
    const double *a = mesh->xy + 2 * (size_t)from, *b = mesh->xy + 2 * (size_t)to,
                 *c = mesh->xy + 2 * (size_t)right_from, *d = mesh->xy + 2 * (size_t)right_to;
    double x = b[0] - a[0], y = b[1] - a[1], sum_x = x + d[0] - c[0], sum_y = y + d[1] - c[1];
    return sum_x * sum_x + sum_y * sum_y <= 1e-6 * (x * x + y * y);
}

static bool edges_are_valid(const ew_mesh *mesh, ew_error *error)
{
    for (int32_t e = 0; e < mesh->edges; e++) {
        int32_t left = mesh->left[e], right = mesh->right[e];
        bool is_first = e == 0 || e == mesh->boundary_edges || (right < 0 && right != mesh->right[e - 1]);
        if (!is_element_and_side(mesh, e, left, mesh->left_side[e]))
            return INVALID("edge %" PRId32 ": its left element %" PRId32 " does not know it", e, left);
        if (!is_first &&
            (left < mesh->left[e - 1] || (left == mesh->left[e - 1] && mesh->left_side[e] <= mesh->left_side[e - 1])))
            return INVALID("edge %" PRId32 " is not in the order of left elements and sides", e);
        if ((right < 0) != (e < mesh->boundary_edges))
            return INVALID("edge %" PRId32 ": boundary edges do not come first", e);
        if (right < 0)
            continue;
        if (right <= left)
            return INVALID("edge %" PRId32 ": its left element %" PRId32 " does not have the lower number", e, left);
        if (!is_element_and_side(mesh, e, right, mesh->right_side[e]))
            return INVALID("edge %" PRId32 ": its right element %" PRId32 " does not know it", e, right);
        if (!sides_are_opposite(mesh, e))
            return INVALID("edge %" PRId32 ": elements %" PRId32 " and %" PRId32
                           " do not see it in opposite directions",
                           e, left, right);
    }
    return true;
}

bool mesh_is_valid(const ew_mesh *mesh, ew_error *error)
{
    int64_t sides = 3 * (int64_t)mesh->elements, of_edges = 2 * (int64_t)mesh->edges - mesh->boundary_edges;
    if (mesh->elements <= 0 || sides != of_edges)
        return INVALID("%" PRId32 " elements have %" PRId64 " sides, but the edges have %" PRId64, mesh->elements,
                       sides, of_edges);
    return elements_are_valid(mesh, error) && boundaries_are_valid(mesh, error) && edges_are_valid(mesh, error);
}
