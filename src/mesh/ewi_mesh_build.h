/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files that make a mesh: the mesh in the making, the list of its defects, and sorting. */
#ifndef EWI_MESH_BUILD_H
#define EWI_MESH_BUILD_H

#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_math.h"
#include "ewi_mesh.h"

#include <math.h>
#include <pthread.h>

#define EWI_MESH_MOST_NODES ((int64_t)INT32_MAX - 1)
#define EWI_MESH_MOST_NAMES 10000

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Arrays that are freed together, EWI_SCRATCH_BLOCKS at most. */
enum { EWI_SCRATCH_BLOCKS = 24 };
struct ewi_scratch {
    const ew_host *host;
    void *block[EWI_SCRATCH_BLOCKS];
    int blocks;
    bool failed; /* not enough memory for one of them */
};

/* As ewi_alloc. */
void *ewi_scratch_alloc(struct ewi_scratch *scratch, size_t count, size_t size);
void ewi_scratch_free(struct ewi_scratch *scratch);

/* ---- geometry ---------------------------------------------------------------------------------------------------- */

static inline double ewi_distance(const double *a, const double *b)
{
    return hypot(b[0] - a[0], b[1] - a[1]);
}

/* The same bits on every machine, which hypot does not have. */
static inline double ewi_chord_length(const double *a, const double *b)
{
    double x = b[0] - a[0], y = b[1] - a[1];
    return ewi_sqrt(x * x + y * y);
}

/* Twice the area of a counter-clockwise triangle. */
static inline double ewi_determinant(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
}

/* ---- defects ----------------------------------------------------------------------------------------------------- */

/* Kinds of defects, and the words for further ones of a kind. */
#define EWI_DEFECTS(X)                                           \
    X(ARGUMENT, "arguments out of their range")                  \
    X(NODE, "nodes without usable coordinates")                  \
    X(INDEX, "triangles with nodes that do not exist")           \
    X(REPEATED, "triangles with a node given twice")             \
    X(DEGENERATE, "degenerate triangles")                        \
    X(DUPLICATE, "duplicate triangles")                          \
    X(OVERLAP, "pairs of triangles on one side of an edge")      \
    X(LINE, "lines that are no boundary edges")                  \
    X(TWO_NAMES, "pairs of names for the same edges")            \
    X(NAME, "names that fit no boundary")                        \
    X(CRACK, "pairs of edges along cracks")                      \
    X(HANGING, "hanging nodes")                                  \
    X(UNNAMED, "boundary edges without a name")                  \
    X(PERIODIC, "periodic boundaries that do not match")         \
    X(FILE, "errors in the file")

enum ewi_defect {
#define X(kind, plural) EWI_DEFECT_##kind,
    EWI_DEFECTS(X)
#undef X
    EWI_DEFECT_KINDS
};

/* Counts defects and passes the first ten of each kind to the receiver. */
struct ewi_defects {
    const char *source; /* put before every sentence; may be NULL */
    void (*report)(void *context, const char *sentence);
    void *context;
    int64_t total, of_kind[EWI_DEFECT_KINDS];
    char first[960];
};

void ewi_defect(struct ewi_defects *defects, enum ewi_defect kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports how many it did not pass on. EW_OK without defects, else `code` and the first sentence with their number. */
int ewi_defects_close(struct ewi_defects *defects, int code, ew_error *error);

/* ---- the mesh in the making -------------------------------------------------------------------------------------- */

/* Values of `right` that are no element. */
#define EWI_UNNAMED (-1)          /* a boundary edge that no line has named yet */
#define EWI_NAMED(name) (-2 - (name))
#define EWI_NAME_OF(right) (-2 - (right))
#define EWI_MERGED INT32_MIN      /* an edge that became one with its periodic partner */

/* Edges in the order of their left elements, then sides; chained by their lower node. */
struct ewi_edge {
    int32_t left, right;
    int32_t upper; /* the node with the higher number */
    int32_t next;  /* 1 + next edge with the same lower node; 0: none */
    uint8_t left_side, right_side;
};

struct ewi_edges {
    int32_t count, capacity;
    struct ewi_edge *edge; /* [capacity] */
    int32_t *head;         /* [nodes]: 1 + first edge with this lower node */
};

struct ewi_mesh_build {
    const ew_mesh_data *data;
    ew_mesh *mesh;
    const ew_host *host;  /* the mesh's copy */
    pthread_mutex_t lock; /* of mesh->info, for threads that add to it */
    struct ewi_defects defects;
    struct ewi_edges edges;
    int32_t *boundary_edges; /* [names]: of each name, before periodic boundaries are joined */
    int32_t *inner_lines;    /* [names]: lines of each name that are interior edges */
    int32_t warnings;        /* of names that are no boundaries */
    uint8_t *nested;         /* [names]: all edges have the names of smaller groups */
};

/* Ends of edge e, counter-clockwise around its left element. */
static inline int32_t ewi_edge_from(const struct ewi_mesh_build *build, int32_t e)
{
    return build->mesh->triangle[3 * (size_t)build->edges.edge[e].left + build->edges.edge[e].left_side];
}

static inline int32_t ewi_edge_to(const struct ewi_mesh_build *build, int32_t e)
{
    return build->mesh->triangle[3 * (size_t)build->edges.edge[e].left + (build->edges.edge[e].left_side + 1u) % 3];
}

/* The edge between two nodes, or -1. */
static inline int32_t ewi_mesh_find_edge(const struct ewi_edges *edges, int32_t a, int32_t b)
{
    int32_t lower = a < b ? a : b, upper = a < b ? b : a;
    for (int32_t e = edges->head[lower]; e > 0; e = edges->edge[e - 1].next)
        if (edges->edge[e - 1].upper == upper)
            return e - 1;
    return -1;
}

/* Returns whether the nodes of triangle or line i exist; adds a defect if not. */
bool ewi_mesh_has_nodes(struct ewi_mesh_build *build, enum ewi_defect kind, int64_t i, const int64_t *node, int count);

/* Gives boundary edges their names. */
int ewi_mesh_name_edges(struct ewi_mesh_build *build, ew_error *error);

/* Texts for sentences, by the file's own labels: "node 5 (0.1, 2)", "triangle 7 (nodes 5, 6, 7)". */
struct ewi_words {
    char text[400];
};

struct ewi_words ewi_node_words(const struct ewi_mesh_build *build, int64_t node);
struct ewi_words ewi_triangle_words(const struct ewi_mesh_build *build, int64_t triangle); /* in file order */
struct ewi_words ewi_line_words(const struct ewi_mesh_build *build, int64_t line);
struct ewi_words ewi_edge_words(const struct ewi_mesh_build *build, int32_t edge);

/* Reports cracks, hanging nodes, and every boundary edge without a name that these do not explain. */
int ewi_mesh_check_outline(struct ewi_mesh_build *build, ew_error *error);

/* Joins periodic boundaries edge by edge. */
int ewi_mesh_join_periodic(struct ewi_mesh_build *build, ew_error *error);

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* Sorts key[n] in ascending order and index[n] with it; equal keys keep their order. EW_ENOMEM: no room for copies. */
int ewi_sort(const ew_host *host, int32_t n, uint64_t *key, int32_t *index);

/* A key that sorts like the number; not for NaN. */
uint64_t ewi_sort_key(double number);

/* Position of the cell (x, y) of a grid of 2^32 by 2^32 cells along a Hilbert curve; the table is made once. */
struct ewi_hilbert {
    uint16_t step[4][256]; /* [orientation][four bits of x and of y]: eight bits of the position, next orientation */
};

void ewi_hilbert_init(struct ewi_hilbert *hilbert);
uint64_t ewi_hilbert_position(const struct ewi_hilbert *hilbert, uint32_t x, uint32_t y);

/* Fills index[n] with 0 .. n - 1, sorted by the places of the points along a Hilbert curve over the mesh. */
int ewi_sort_points(const struct ewi_mesh_build *build, int32_t n,
                    void (*locate)(const void *context, int32_t i, double xy[2]), const void *context, int32_t *index);

#endif
