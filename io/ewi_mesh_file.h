/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files of meshes. A format is a reader that fills tables of nodes, triangles, lines and names, and an entry in the
 * list of mesh_file.c, which makes the mesh from the tables.
 *
 *   mesh_file.c  the list of formats; from the tables to an ew_mesh
 *   mesh_scan.c  tokens, numbers and errors with their places
 *   quadrangles.c  their diagonals
 *   gmsh.c, gmsh_read.c, su2.c  readers
 */
#ifndef EWI_MESH_FILE_H
#define EWI_MESH_FILE_H

#include "edgewise-case.h"
#include "ewi_host.h"
#include "ewi_try.h"

#include <stdbool.h>

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

/* Past the end of the present line, whatever the rest of it is. */
void ewi_scan_skip_line(struct ewi_scan *scan);
/* The next character in the line that is no blank. */
const char *ewi_scan_next(struct ewi_scan *scan);

/* Read numbers as text, in binary files too, within the present line. The error names `what` if none follows. */
int ewi_scan_text_integer(struct ewi_scan *scan, const char *what, int64_t *value);
int ewi_scan_text_number(struct ewi_scan *scan, const char *what, double *value);

/* Numbers in text or binary words of 4, 8 and 8 bytes, as the file is. */
int ewi_scan_int(struct ewi_scan *scan, const char *what, int64_t *value);
int ewi_scan_size(struct ewi_scan *scan, const char *what, int64_t *value);
int ewi_scan_number(struct ewi_scan *scan, const char *what, double *value);
/* Passes over floating-point numbers that are not needed, whatever they are. */
int ewi_scan_skip_numbers(struct ewi_scan *scan, int count, const char *what);
/* Start and end of a record, which in ASCII files is a line; nothing in binary ones. */
void ewi_scan_begin_record(struct ewi_scan *scan);
int ewi_scan_end_record(struct ewi_scan *scan);

/* Fails unless 0 <= count and that many records of at least `least` bytes are left in the file. */
int ewi_scan_check_count(const struct ewi_scan *scan, const char *at, int64_t count, size_t least, const char *what);

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* A name of lines, or the number of a group that has no name. */
struct ewi_mesh_name {
    int64_t tag;
    char *text;
    bool optional; /* it may have no lines: the file does not say whether it names lines or surfaces */
};

struct ewi_mesh_file {
    struct ewi_scan scan;
    const ew_host *host;
    bool imports; /* quadrangles are split */

    int64_t nodes;
    double *xy, *z; /* z: NULL if all nodes are in one plane */
    int64_t *node_label;

    int64_t triangles, triangle_capacity;
    int64_t *triangle, *triangle_label;
    int32_t *triangle_group; /* a triangle may be listed once for each of its groups */
    bool many_groups;

    /* Quadrangle (a, b, c, d): first of its triangles (a, b, c) and (a, c, d), until the better diagonal is known. */
    int64_t quadrangles, quadrangle_capacity;
    int64_t *quadrangle;

    int64_t lines, line_capacity;
    int64_t *line, *line_label;
    int32_t *line_name; /* position in name[], or -1 */
    double *line_middle; /* [lines][2]: of second-order lines, otherwise NaN */
    bool *is_middle; /* [nodes]: of an edge of a second-order element; NULL: there are none */

    int32_t names, name_capacity;
    struct ewi_mesh_name *name;
    const char **name_text; /* for the mesh */
};

int ewi_file_no_memory(const struct ewi_mesh_file *file);
/* Grows an array of `count` members to room for `capacity`; makes room for one more member. */
int ewi_file_grow(const struct ewi_mesh_file *file, void **array, size_t size, int64_t count, int64_t capacity);
int ewi_file_grow_by_one(const struct ewi_mesh_file *file, void **array, size_t size, int32_t count,
                         int32_t *capacity);

int ewi_file_allocate_nodes(struct ewi_mesh_file *file, int64_t count);
int ewi_file_reserve_triangles(struct ewi_mesh_file *file, int64_t capacity);
int ewi_file_add_triangle(struct ewi_mesh_file *file, int64_t label, int64_t group, const int64_t *node);
int ewi_file_add_quadrangle(struct ewi_mesh_file *file, int64_t label, int64_t group, const int64_t *node);
/* Chooses the diagonals of all quadrangles. */
int ewi_file_split(const struct ewi_mesh_file *file);
/* middle: the node there, or -1; name: position in name[], or -1. */
int ewi_file_add_line(struct ewi_mesh_file *file, int64_t label, const int64_t *node, int64_t middle, int32_t name);

/* Position in name[] of the group with this number; added, with its number as its name, if it is not there. */
int ewi_file_group(struct ewi_mesh_file *file, int64_t tag, int32_t *position);
int ewi_file_set_name(struct ewi_mesh_file *file, int32_t position, const char *text, size_t length);

/* ---- formats ----------------------------------------------------------------------------------------------------- */

struct ewi_mesh_format {
    const char *name;
    bool (*is)(const struct ewi_scan *scan); /* whether a file that begins at scan->at is of this format */
    int (*read)(struct ewi_mesh_file *file);
};

extern const struct ewi_mesh_format ewi_gmsh_format, ewi_su2_format;

/*
 * Reads a mesh from memory: text[bytes] must be 0. The text must come from ewi_alloc and is freed, also on failure.
 * `source` is its name in sentences. A case reads Gmsh's files of triangles; if `imports` is true, the file may be of
 * any format in the list and have quadrangles.
 */
int ewi_mesh_parse(const ew_host *host, const char *source, char *text, size_t bytes, bool imports,
                   const ew_mesh_data *options, ew_mesh **mesh, ew_error *error);

/* As ew_gmsh_read or ew_mesh_import, from an open file; if it is negative, errno is why it could not be opened. */
int ewi_mesh_read(const ew_host *host, int file, const char *path, bool imports, const ew_mesh_data *data,
                  ew_mesh **mesh, ew_error *error);

#endif
