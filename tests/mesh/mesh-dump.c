/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a Gmsh file's mesh is, in lines that do not depend on the order or the last digits of what the file says:
 * counts, edges of each boundary, and a hash of all triangles' and named edges' coordinates, rounded to 1e-9. mesh-dump
 * FILE
 */
#include "edgewise-case.h"
#include "ewi_mesh.h"
#include "helpers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 32;
}

static uint64_t hash_of_node(const double *xy)
{
    return mix(mix(1, (uint64_t)llround(xy[0] * 1e9)), (uint64_t)llround(xy[1] * 1e9));
}

static uint64_t hash_of_text(const char *text)
{
    uint64_t hash = 2;
    for (; *text; text++)
        hash = mix(hash, (unsigned char)*text);
    return hash;
}

/* Sums, so that the order has no influence; each term is mixed once more. */
static uint64_t hash_of_mesh(const ew_mesh *mesh, const double *xy, const int64_t *triangle)
{
    uint64_t hash = 0;
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    for (int64_t i = 0; i < info.elements; i++) {
        uint64_t corners = 0;
        for (int k = 0; k < 3; k++)
            corners += hash_of_node(xy + 2 * triangle[3 * i + k]);
        hash += mix(3, corners);
    }
    for (int64_t e = 0; e < info.boundary_edges; e++) {
        int64_t element = 0;
        int side = 0;
        int32_t boundary = 0;
        ew_mesh_boundary_edge(mesh, e, &element, &side, &boundary);
        uint64_t ends = hash_of_node(xy + 2 * triangle[3 * element + side]) +
                        hash_of_node(xy + 2 * triangle[3 * element + (side + 1) % 3]);
        hash += mix(hash_of_text(ew_mesh_boundary(mesh, boundary, NULL)), ends);
    }
    return hash;
}

static int dump(const ew_mesh *mesh)
{
    ew_mesh_info info;
    int64_t edges = 0;
    ew_mesh_get_info(mesh, &info);
    double *xy = calloc((size_t)info.nodes + 1, 2 * sizeof *xy);
    int64_t *triangle = calloc((size_t)info.elements, 3 * sizeof *triangle);
    if (!xy || !triangle) {
        free(xy);
        free(triangle);
        return EXIT_FAILURE;
    }
    ew_mesh_get_nodes(mesh, xy);
    ew_mesh_get_triangles(mesh, triangle);
    printf("elements %" PRId64 "\nedges %" PRId64 "\nboundary_edges %" PRId64 "\n", info.elements, info.edges,
           info.boundary_edges);
    for (int32_t k = 0; ew_mesh_boundary(mesh, k, &edges); k++)
        printf("boundary %s %" PRId64 "\n", ew_mesh_boundary(mesh, k, NULL), edges);
    printf("middles %" PRId64 "\n", info.middles);
    printf("area %.9g\nd_min %.9g\nhash %016" PRIx64 "\n", info.area, info.smallest_diameter,
           hash_of_mesh(mesh, xy, triangle));
    free(xy);
    free(triangle);
    return EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    if (count != 2) {
        fprintf(stderr, "usage: mesh-dump FILE\n");
        return EXIT_FAILURE;
    }
    if (ew_gmsh_read(NULL, arguments[1], NULL, &mesh, &error) != EW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    if (!mesh_is_valid(mesh, &error)) {
        fprintf(stderr, "invalid: %s\n", error.message);
        return EXIT_FAILURE;
    }
    int status = dump(mesh);
    ew_mesh_destroy(mesh);
    return status;
}
