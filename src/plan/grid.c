/* SPDX-License-Identifier: BSD-2-Clause */
/* The mesh as kernels want it: geometry, neighbours, edges sorted by kind, padded. */
#include "ewi_grid.h"
#include "ewi_basis.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_parallel.h"

#include <math.h>

void ewi_mesh_side_point(const ew_mesh *mesh, int32_t element, int side, double along, double *x, double *y)
{
    const int32_t *node = mesh->triangle + 3 * (size_t)element;
    const double *from = mesh->xy + 2 * (size_t)node[side], *to = mesh->xy + 2 * (size_t)node[(side + 1) % 3];
    *x = from[0] + along * (to[0] - from[0]);
    *y = from[1] + along * (to[1] - from[1]);
}

/* dx, dy along side k of an element, counter-clockwise; the outward normal times the length is (dy, -dx). */
static void side_vector(const ew_mesh *mesh, int32_t element, int side, double *dx, double *dy)
{
    const int32_t *node = mesh->triangle + 3 * (size_t)element;
    const double *from = mesh->xy + 2 * (size_t)node[side], *to = mesh->xy + 2 * (size_t)node[(side + 1) % 3];
    *dx = to[0] - from[0];
    *dy = to[1] - from[1];
}

static void set_geometry(struct ewi_grid *grid, int32_t i, int row, double value)
{
    grid->geometry[ewi_layout_index(EWI_TILE, EWI_GEOMETRY, row, i)] = value;
}

static void fill_triangle(struct ewi_grid *grid, int32_t i)
{
    if (i >= grid->connected) {
        static const double unit[EWI_GEOMETRY] = {[EWI_XR] = 1, [EWI_YS] = 1,
                                                  [EWI_SIDES] = 0, -1, 1, 1, 1, 0x1.6a09e667f3bcdp0, -1, 0, 1};
        for (int row = 0; row < EWI_GEOMETRY; row++)
            set_geometry(grid, i, row, unit[row]);
        return;
    }
    double dx[3], dy[3];
    for (int k = 0; k < 3; k++)
        side_vector(grid->mesh, i, k, &dx[k], &dy[k]);
    double xr = dx[0], yr = dy[0], xs = -dx[2], ys = -dy[2];
    set_geometry(grid, i, EWI_XR, xr);
    set_geometry(grid, i, EWI_XS, xs);
    set_geometry(grid, i, EWI_YR, yr);
    set_geometry(grid, i, EWI_YS, ys);
    set_geometry(grid, i, EWI_INVERSE_DET, 1.0 / (xr * ys - xs * yr));
}

/*
 * One edge's normal and length, computed on the left element's side and written to both elements (order of operations,
 * item 3).
 */
static void fill_edge_geometry(struct ewi_grid *grid, int32_t edge)
{
    const ew_mesh *mesh = grid->mesh;
    double dx, dy;
    side_vector(mesh, mesh->left[edge], mesh->left_side[edge], &dx, &dy);
    double length = sqrt(dx * dx + dy * dy);
    int32_t row = EWI_SIDES + 3 * mesh->left_side[edge];
    set_geometry(grid, mesh->left[edge], row, dy);
    set_geometry(grid, mesh->left[edge], row + 1, -dx);
    set_geometry(grid, mesh->left[edge], row + 2, length);
    if (mesh->right[edge] < 0)
        return;
    row = EWI_SIDES + 3 * mesh->right_side[edge];
    set_geometry(grid, mesh->right[edge], row, dy);
    set_geometry(grid, mesh->right[edge], row + 1, -dx);
    set_geometry(grid, mesh->right[edge], row + 2, -length);
}

static void fill_slot(struct ewi_grid *grid, int32_t slot, int32_t edge)
{
    const ew_mesh *mesh = grid->mesh;
    bool inner = mesh->right[edge] >= 0;
    grid->left[slot] = mesh->left[edge];
    grid->left_side[slot] = mesh->left_side[edge];
    grid->right[slot] = inner ? mesh->right[edge] : mesh->left[edge];
    grid->right_side[slot] = inner ? mesh->right_side[edge] : mesh->left_side[edge];
}

void ewi_grid_connect(struct ewi_grid *grid, int32_t slot)
{
    size_t left = (size_t)grid->left_side[slot] * (size_t)grid->padded + (size_t)grid->left[slot];
    size_t right = (size_t)grid->right_side[slot] * (size_t)grid->padded + (size_t)grid->right[slot];
    /* The right one first: on a boundary both are the same side, which is a left one. */
    grid->side_slot[right] = 2 * slot + 1;
    grid->side_slot[left] = 2 * slot;
    grid->neighbour[right] = grid->left[slot];
    grid->neighbour_side[right] = grid->left_side[slot];
    grid->neighbour[left] = grid->right[slot];
    grid->neighbour_side[left] = grid->right_side[slot];
}

struct filling {
    struct ewi_grid *grid;
    int32_t slot, first, count; /* of a group */
};

/* A side of an element has one slot: no two threads write to the same place. */
static void fill_group(void *context, int64_t from, int64_t to)
{
    const struct filling *group = context;
    for (int32_t k = (int32_t)from; k < to; k++) {
        fill_slot(group->grid, group->slot + k, group->first + (k < group->count ? k : group->count - 1));
        if (k < group->count)
            ewi_grid_connect(group->grid, group->slot + k);
    }
}

static void fill_groups(struct ewi_grid *grid)
{
    const ew_mesh *mesh = grid->mesh;
    int32_t slot = 0;
    for (int32_t g = 0; g < grid->groups; g++) {
        bool inner = g == mesh->boundaries;
        int32_t first = inner ? mesh->boundary_edges : mesh->boundary[g].first;
        int32_t count = inner ? mesh->edges - mesh->boundary_edges : mesh->boundary[g].count;
        int32_t padded = (int32_t)ewi_layout_padded(count);
        grid->group[g] = (struct ewi_edge_group){inner ? -1 : g, slot, count, padded};
        ewi_parallel_shares(padded, EWI_MANY, fill_group, &(struct filling){grid, slot, first, count});
        slot += padded;
    }
}

static void count_slots(struct ewi_grid *grid)
{
    const ew_mesh *mesh = grid->mesh;
    grid->groups = mesh->boundaries + 1;
    for (int32_t b = 0; b < mesh->boundaries; b++)
        grid->boundary_slots += (int32_t)ewi_layout_padded(mesh->boundary[b].count);
    grid->slots = grid->boundary_slots + (int32_t)ewi_layout_padded(mesh->edges - mesh->boundary_edges);
}

static void fill_triangles(void *grid, int64_t first, int64_t last)
{
    for (int32_t i = (int32_t)first; i < last; i++)
        fill_triangle(grid, i);
}

static void fill_edges(void *grid, int64_t first, int64_t last)
{
    for (int32_t e = (int32_t)first; e < last; e++)
        fill_edge_geometry(grid, e);
}

int ewi_grid_allocate(const ew_host *host, const struct ewi_grid *shape, struct ewi_grid **result, ew_error *error)
{
    struct ewi_grid *grid = ewi_alloc(host, 1, sizeof *grid);
    if (!grid)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the grid");
    *grid = *shape;
    grid->host = *host;
    size_t padded = (size_t)grid->padded, slots = (size_t)grid->slots;
    grid->geometry = ewi_alloc(host, padded * EWI_GEOMETRY, sizeof *grid->geometry);
    grid->neighbour = ewi_alloc(host, padded * 3, sizeof *grid->neighbour);
    grid->neighbour_side = ewi_alloc(host, padded * 3, sizeof *grid->neighbour_side);
    grid->side_slot = ewi_alloc(host, padded * 3, sizeof *grid->side_slot);
    grid->group = ewi_alloc(host, (size_t)grid->groups, sizeof *grid->group);
    grid->left = ewi_alloc(host, slots, sizeof *grid->left);
    grid->right = ewi_alloc(host, slots, sizeof *grid->right);
    grid->left_side = ewi_alloc(host, slots, sizeof *grid->left_side);
    grid->right_side = ewi_alloc(host, slots, sizeof *grid->right_side);
    if (!grid->geometry || !grid->neighbour || !grid->neighbour_side || !grid->side_slot || !grid->group ||
        !grid->left || !grid->right || !grid->left_side || !grid->right_side) {
        ewi_fail(error, EW_ENOMEM, "not enough memory for the grid of %d elements: it takes %zu MB", grid->connected,
                 ewi_grid_bytes(grid->padded, grid->slots) >> 20);
        ewi_grid_destroy(grid);
        return EW_ENOMEM;
    }
    *result = grid;
    return EW_OK;
}

void ewi_grid_fill_padding(struct ewi_grid *grid)
{
    for (int32_t i = grid->connected; i < grid->padded; i++) {
        fill_triangle(grid, i);
        for (int k = 0; k < 3; k++) {
            size_t side = (size_t)k * (size_t)grid->padded + (size_t)i;
            grid->neighbour[side] = i;
            grid->neighbour_side[side] = (uint8_t)k;
        }
    }
}

int ewi_grid_create(const ew_host *host, const ew_mesh *mesh, struct ewi_grid **result, ew_error *error)
{
    ew_host own = ewi_host_or_default(host);
    struct ewi_grid shape = {.mesh = mesh, .elements = mesh->elements, .connected = mesh->elements,
                             .padded = (int32_t)ewi_layout_padded(mesh->elements)};
    count_slots(&shape);
    TRY(ewi_grid_allocate(&own, &shape, result, error));
    struct ewi_grid *grid = *result;
    ewi_parallel_shares(grid->padded, EWI_MANY, fill_triangles, grid);
    ewi_parallel_shares(mesh->edges, EWI_MANY, fill_edges, grid);
    ewi_grid_fill_padding(grid);
    fill_groups(grid);
    return EW_OK;
}

void ewi_grid_shed(struct ewi_grid *grid)
{
    void *const arrays[] = {grid->geometry, grid->neighbour, grid->neighbour_side, grid->side_slot,
                            grid->left,     grid->right,     grid->left_side,      grid->right_side};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ewi_free(&grid->host, arrays[k]);
    grid->geometry = NULL;
    grid->neighbour = grid->side_slot = grid->left = grid->right = NULL;
    grid->neighbour_side = grid->left_side = grid->right_side = NULL;
}

void ewi_grid_destroy(struct ewi_grid *grid)
{
    if (!grid)
        return;
    ew_host host = grid->host;
    ewi_grid_shed(grid);
    ewi_free(&host, grid->group);
    ewi_free(&host, grid);
}

/* 1/det J from an element's map: unlike the geometry's, not 0 in a part's ghost layer. */
static double inverse_det(const struct ewi_grid *grid, int32_t element)
{
    const double *map = grid->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, element);
    return 1.0 / (map[EWI_XR * EWI_TILE] * map[EWI_YS * EWI_TILE] - map[EWI_XS * EWI_TILE] * map[EWI_YR * EWI_TILE]);
}

double ewi_grid_penalty(const struct ewi_grid *grid, int order, int32_t left, int32_t right)
{
    return ewi_penalty(order) * (inverse_det(grid, left) + inverse_det(grid, right));
}

size_t ewi_grid_bytes(int64_t padded, int64_t slots)
{
    return (size_t)padded * (EWI_GEOMETRY * sizeof(double) + 3 * (2 * sizeof(int32_t) + 1)) +
           (size_t)slots * (2 * sizeof(int32_t) + 2);
}
