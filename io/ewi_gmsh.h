/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gmsh meshes, .msh 2.2 and 4.1, ASCII and binary.
 *
 *   gmsh.c       the file: its sections in turn, and at the end the mesh
 *   gmsh_read.c  the sections of both versions: names, entities, nodes, elements
 *   gmsh_scan.c  tokens, numbers and errors with their places
 */
#ifndef EWI_GMSH_H
#define EWI_GMSH_H

#include "edgewise-case.h"
#include "ewi_host.h"
#include "ewi_try.h"

#include <stdbool.h>

/*
 * Reads a mesh from memory: text[bytes] must be 0. The text must come from ewi_alloc and is freed, also on failure.
 * `source` is its name in sentences.
 */
int ewi_gmsh_parse(const ew_host *host, const char *source, char *text, size_t bytes, const ew_mesh_data *options,
                   ew_mesh **mesh, ew_error *error);

/* As ew_gmsh_read does, from an open file; if it is negative, errno is why it could not be opened. */
int ewi_gmsh_read(const ew_host *host, int file, const char *path, const ew_mesh_data *data, ew_mesh **mesh,
                  ew_error *error);

/* ---- scanning ---------------------------------------------------------------------------------------------------- */

/* A place in the file. Numbers are tokens of a line in ASCII files and little or big endian words in binary ones. */
struct ewi_scan {
    const char *source, *begin, *at, *end; /* *end is 0 */
    bool binary, swapped;                  /* swapped: the file has the other byte order than this machine */
    ew_error *error;
};

/* Fail with EW_EMESH and "source:line: " or, in binary files, "source: byte n: " before the sentence. */
int ewi_scan_fail(const struct ewi_scan *scan, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The rest of the present line, which must be blank. */
int ewi_scan_end_line(struct ewi_scan *scan);
/* To the next character that is no white space. */
void ewi_scan_skip_space(struct ewi_scan *scan);

/* Numbers in text, in binary files as well; `what` is named if there is none. They do not go beyond the line. */
int ewi_scan_text_integer(struct ewi_scan *scan, const char *what, int64_t *value);
int ewi_scan_text_number(struct ewi_scan *scan, const char *what, double *value);

/* Numbers in text or binary words of 4, 8 and 8 bytes, as the file is. */
int ewi_scan_int(struct ewi_scan *scan, const char *what, int64_t *value);
int ewi_scan_size(struct ewi_scan *scan, const char *what, int64_t *value);
int ewi_scan_number(struct ewi_scan *scan, const char *what, double *value);
/* Start and end of a record, which in ASCII files is a line; nothing in binary ones. */
void ewi_scan_begin_record(struct ewi_scan *scan);
int ewi_scan_end_record(struct ewi_scan *scan);

/* Fails unless 0 <= count and that many records of at least `least` bytes are left in the file. */
int ewi_scan_check_count(const struct ewi_scan *scan, const char *at, int64_t count, size_t least, const char *what);

/* ---- what has been read ------------------------------------------------------------------------------------------ */

/* From numbers in the file to positions: numbers in a row, a table, or for sparse ones open addressing. */
struct ewi_gmsh_index {
    int64_t count, first, range;
    int32_t *table;  /* 1 + position; NULL if the numbers are in a row */
    bool is_hashed;  /* range is then the table's size, a power of two */
    const int64_t *label;
};

/* A physical group of curves, or a number of one without a name. */
struct ewi_gmsh_name {
    int64_t tag;
    char *text;
};

/* Curves of a 4.1 file and their physical groups. */
struct ewi_gmsh_curve {
    int32_t groups, first; /* in group[] */
};

struct ewi_gmsh {
    struct ewi_scan scan;
    const ew_host *host;
    bool is_41, has_nodes, has_elements, has_entities;

    int64_t nodes;
    double *xy, *z;
    int64_t *node_label;
    struct ewi_gmsh_index index;

    int64_t triangles, triangle_capacity;
    int64_t *triangle, *triangle_label;

    int64_t lines, line_capacity;
    int64_t *line, *line_label;
    int32_t *line_name; /* position in name[], or -1 */
    double *line_middle; /* [lines][2]: of second-order lines, otherwise NaN */
    bool *is_middle; /* [nodes]: of an edge of a second-order element; NULL: there are none */

    int32_t names, name_capacity;
    struct ewi_gmsh_name *name;
    const char **name_text; /* for the mesh */

    int32_t curves, groups, group_capacity;
    struct ewi_gmsh_curve *curve;
    int32_t *group; /* positions in name[], or -1 */
    struct ewi_gmsh_index curve_index;
    int64_t *curve_label;
};

/* Each reads a section's content, from the line after its name to just before its end. */
int ewi_gmsh_read_names(struct ewi_gmsh *gmsh);
int ewi_gmsh_read_entities(struct ewi_gmsh *gmsh);
int ewi_gmsh_read_nodes(struct ewi_gmsh *gmsh);
int ewi_gmsh_read_elements(struct ewi_gmsh *gmsh);

int ewi_gmsh_no_memory(const struct ewi_gmsh *gmsh);

#endif
