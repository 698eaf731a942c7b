/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The mesh in the form in which kernels read it: arrays in tiles of EWI_TILE elements, sides and edges padded to whole
 * vectors. Padded elements repeat a unit triangle at rest that is its own neighbour; their inverse determinant is 0, so
 * they never change.
 */
#ifndef EWI_GRID_H
#define EWI_GRID_H

#include "ewi_layout.h"
#include "ewi_mesh.h"

/* Rows of the geometry of an element, x = x0 + xr r + xs s, y = y0 + yr r + ys s. */
enum {
    EWI_XR,
    EWI_XS,
    EWI_YR,
    EWI_YS,
    EWI_INVERSE_DET,
    /* of each side: the normal of its edge times the edge's length, and that length, negative on the right element */
    EWI_SIDES,
    EWI_GEOMETRY = EWI_SIDES + 9
};

/*
 * Edges of one boundary, or all inner ones, from slot `first`; padded to a whole number of tiles by repeating the last
 * one.
 */
struct ewi_edge_group {
    int32_t boundary; /* -1: inner edges */
    int32_t first, count, padded;
};

struct ewi_grid {
    ew_host host;
    const ew_mesh *mesh;
    /*
     * connected: elements and, in a part, its ghost layer, which has only the edges that it shares with elements
     * (ewi_part.h)
     */
    int32_t elements, connected, padded, slots, boundary_slots, groups;
    int32_t edge_slots;      /* slots from here on are of sides without an edge; 0: no side is */
    double *geometry;        /* tiles of EWI_GEOMETRY rows, over padded elements */
    int32_t *neighbour;      /* [3][padded]: the element behind side k; the element itself on boundaries */
    uint8_t *neighbour_side; /* [3][padded] */
    int32_t *side_slot;      /* [3][padded]: twice the edge's slot, plus 1 on its right element */
    struct ewi_edge_group *group; /* [groups], boundaries first */
    int32_t *left, *right;   /* [slots]; right of a boundary edge: its left element */
    uint8_t *left_side, *right_side; /* [slots] */
};

int ewi_grid_create(const ew_host *host, const ew_mesh *mesh, struct ewi_grid **grid, ew_error *error);
void ewi_grid_destroy(struct ewi_grid *grid);
/* Frees all arrays but `group`: they can be had again from the mesh. */
void ewi_grid_shed(struct ewi_grid *grid);
/* The two ends of that, for a grid that is filled from another one: memory for this shape, and the padded elements. */
int ewi_grid_allocate(const ew_host *host, const struct ewi_grid *shape, struct ewi_grid **grid, ew_error *error);
void ewi_grid_fill_padding(struct ewi_grid *grid);
/* ... and each slot: its two elements learn of each other and of it, by its sides. */
void ewi_grid_connect(struct ewi_grid *grid, int32_t slot);
size_t ewi_grid_bytes(int64_t padded, int64_t slots);

/* The penalty of the edge between two elements (kernels/diffusion.h). */
double ewi_grid_penalty(const struct ewi_grid *grid, int order, int32_t left, int32_t right);

/* The point at parameter `along` (0..1) on side k of element i, counter-clockwise. */
void ewi_mesh_side_point(const ew_mesh *mesh, int32_t element, int side, double along, double *x, double *y);

#endif
