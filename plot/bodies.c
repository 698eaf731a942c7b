/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the bodies of a mesh: the parts of its boundary that lie inside the domain. */
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_results.h"

#include "edgewise-plot.h"

#include <limits.h>
#include <math.h>
#include <netcdf.h>
#include <stdlib.h>

/* Limits the margin around distant bodies to this many times the largest body, or this share of all bodies together. */
#define LARGEST_MARGIN 2.0
#define LEAST_MARGIN 0.25

struct edge {
    int element, side;
    int part; /* another edge of the same part of the boundary, or this edge */
    double box[4];
};

struct end {
    double x, y;
    int edge;
};

struct boundary {
    const struct ew_results *results;
    struct ewi_arena memory;
    size_t edges;
    struct edge *edge; /* [edges], by element */
    struct end *end;   /* [2 edges], by place */
};

static int no_bodies(const struct boundary *boundary, ew_error *error)
{
    return ewi_fail(error, EW_EINVAL, "%s has no bodies: no part of the mesh's boundary lies inside of it",
                    boundary->results->path);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static int compare_edges(const void *left, const void *right)
{
    const struct edge *a = left, *b = right;
    return (a->element > b->element) - (a->element < b->element);
}

static int read_numbers(struct boundary *boundary, const char *name, int *numbers, ew_error *error)
{
    const size_t start = 0;
    int variable, dimensions = 1, code = nc_inq_varid(boundary->results->file, name, &variable);
    if (code == NC_NOERR)
        code = nc_inq_varndims(boundary->results->file, variable, &dimensions);
    if (code == NC_NOERR && dimensions != 1)
        code = NC_EBADDIM;
    if (code == NC_NOERR)
        code = nc_get_vara_int(boundary->results->file, variable, &start, &boundary->edges, numbers);
    return code == NC_NOERR ? EW_OK : ewi_results_failure(boundary->results, code, name, error);
}

/* Restart files and fully periodic domains have no boundary edges. */
static int read_edges(struct boundary *boundary, ew_error *error)
{
    const struct ew_results *results = boundary->results;
    int dimension;
    if (results->is_restart)
        return ewi_fail(error, EW_EINVAL, "%s is a restart file, which does not tell where bodies are; give the "
                        "window's corners", results->path);
    if (nc_inq_dimid(results->file, "n_boundary_edge", &dimension) != NC_NOERR)
        return no_bodies(boundary, error);
    if (nc_inq_dimlen(results->file, dimension, &boundary->edges) != NC_NOERR || boundary->edges > INT_MAX / 2)
        return ewi_fail(error, EW_EIO, "%s is damaged: its boundary cannot be read", results->path);
    int *numbers = ewi_arena_alloc(&boundary->memory, 2 * boundary->edges, sizeof *numbers);
    boundary->edge = ewi_arena_alloc(&boundary->memory, boundary->edges, sizeof *boundary->edge);
    boundary->end = ewi_arena_alloc(&boundary->memory, 2 * boundary->edges, sizeof *boundary->end);
    if (boundary->memory.lacks)
        return ewi_results_no_memory(results, error);
    TRY(read_numbers(boundary, "boundary_element", numbers, error));
    TRY(read_numbers(boundary, "boundary_side", numbers + boundary->edges, error));
    for (size_t k = 0; k < boundary->edges; k++) {
        struct edge *edge = &boundary->edge[k];
        *edge = (struct edge){.element = numbers[k], .side = numbers[boundary->edges + k]};
        if (edge->element < 0 || edge->element >= results->elements || edge->side < 0 || edge->side > 2)
            return ewi_fail(error, EW_EIO, "%s is damaged: boundary edge %zu is of no triangle", results->path, k);
    }
    qsort(boundary->edge, boundary->edges, sizeof *boundary->edge, compare_edges);
    return EW_OK;
}

static void place_edge(struct boundary *boundary, size_t k, const double corner[3][2])
{
    struct edge *edge = &boundary->edge[k];
    const double *a = corner[edge->side], *b = corner[(edge->side + 1) % 3];
    edge->part = (int)k;
    edge->box[0] = fmin(a[0], b[0]);
    edge->box[1] = fmin(a[1], b[1]);
    edge->box[2] = fmax(a[0], b[0]);
    edge->box[3] = fmax(a[1], b[1]);
    boundary->end[2 * k] = (struct end){a[0], a[1], (int)k};
    boundary->end[2 * k + 1] = (struct end){b[0], b[1], (int)k};
}

/* Reads slab by slab, because the file's chunks are compressed. */
static int place_edges(struct boundary *boundary, ew_error *error)
{
    const struct ew_results *results = boundary->results;
    double (*corner)[3][2] = ewi_arena_alloc(&boundary->memory, (size_t)results->slab, sizeof *corner);
    if (!corner)
        return ewi_results_no_memory(results, error);
    int64_t first = 0, count = 0;
    for (size_t k = 0; k < boundary->edges; k++) {
        int64_t element = boundary->edge[k].element;
        if (element >= first + count) {
            first = element / results->slab * results->slab;
            count = results->elements - first < results->slab ? results->elements - first : results->slab;
            TRY(ew_results_corners(results, first, count, &corner[0][0][0], error));
        }
        place_edge(boundary, k, (const double (*)[2])corner[element - first]);
    }
    return EW_OK;
}

/* ---- parts of the boundary --------------------------------------------------------------------------------------- */

static int part_of(struct boundary *boundary, int edge)
{
    while (boundary->edge[edge].part != edge)
        edge = boundary->edge[edge].part = boundary->edge[boundary->edge[edge].part].part;
    return edge;
}

static void widen(double box[4], const double other[4])
{
    for (int k = 0; k < 2; k++) {
        box[k] = fmin(box[k], other[k]);
        box[k + 2] = fmax(box[k + 2], other[k + 2]);
    }
}

static void join(struct boundary *boundary, int left, int right)
{
    left = part_of(boundary, left);
    right = part_of(boundary, right);
    if (left == right)
        return;
    widen(boundary->edge[left].box, boundary->edge[right].box);
    boundary->edge[right].part = left;
}

static int compare_ends(const void *left, const void *right)
{
    const struct end *a = left, *b = right;
    return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : (a->y > b->y) - (a->y < b->y);
}

/* Edges that share an end belong to one part. */
static void find_parts(struct boundary *boundary)
{
    struct end *end = boundary->end;
    qsort(end, 2 * boundary->edges, sizeof *end, compare_ends);
    for (size_t k = 1; k < 2 * boundary->edges; k++)
        if (compare_ends(&end[k - 1], &end[k]) == 0)
            join(boundary, end[k - 1].edge, end[k].edge);
}

/* A part that reaches the mesh's extent is the domain's outer boundary. */
static bool is_inside(const struct ew_results *results, const double box[4])
{
    return box[0] > results->xmin && box[1] > results->ymin && box[2] < results->xmax && box[3] < results->ymax;
}

static double longer_side(const double box[4])
{
    return fmax(box[2] - box[0], box[3] - box[1]);
}

/* The box around all bodies; *largest: the longer side of the largest one. */
static bool find_bodies(struct boundary *boundary, double box[4], double *largest)
{
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    *largest = 0;
    for (int k = 0; k < (int)boundary->edges; k++)
        if (part_of(boundary, k) == k && is_inside(boundary->results, boundary->edge[k].box)) {
            widen(box, boundary->edge[k].box);
            *largest = fmax(*largest, longer_side(boundary->edge[k].box));
        }
    return box[2] >= box[0];
}

int ew_plot_bodies(const ew_results *results, double window[4], ew_error *error)
{
    EWI_REQUIRE(results, window);
    struct boundary boundary = {.results = results, .memory.host = results->host};
    double box[4], largest;
    int status;
    EWI_TRY(read_edges(&boundary, error));
    EWI_TRY(place_edges(&boundary, error));
    find_parts(&boundary);
    if (!find_bodies(&boundary, box, &largest)) {
        status = no_bodies(&boundary, error);
        goto out;
    }
    double all = longer_side(box), room = fmax(fmin(all, LARGEST_MARGIN * largest), LEAST_MARGIN * all);
    window[0] = fmax(box[0] - room, results->xmin);
    window[1] = fmax(box[1] - room, results->ymin);
    window[2] = fmin(box[2] + room, results->xmax);
    window[3] = fmin(box[3] + room, results->ymax);
out:
    ewi_arena_free(&boundary.memory);
    return status;
}
