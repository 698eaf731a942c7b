/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mesh files. A format is a reader, which fills tables of nodes, triangles, lines and names, and an entry in the list
 * of mesh_file.c, which makes the mesh from the tables.
 *
 * mesh_file.c  the list of formats; from the tables to an ew_mesh
 * mesh_scan.c  tokens, numbers and errors with their places
 * quadrangles.c  their diagonals
 * gmsh.c, gmsh_read.c, su2.c  readers
 */
#ifndef EWI_MESH_FILE_H
#define EWI_MESH_FILE_H

#include "edgewise-case.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <stdbool.h>

/* ---- scanning ---------------------------------------------------------------------------------------------------- */

/*
 * A position in the file. Numbers are tokens of a line in ASCII files, and little or big endian words in binary ones.
 */
struct ewi_scan {
    const char *source, *begin, *at, *end; /* *end is 0 */
    bool binary, swapped;                  /* swapped: the file's byte order differs from this machine's */
    ew_error *error;
};

/* Reads an open file into memory, to be freed also on failure; (*text)[*bytes] is 0. */
int ewi_scan_file(const ew_host *host, int file, const char *path, char **text, size_t *bytes, ew_error *error);

/* Fails with EW_EMESH. "source:line: " or, in binary files, "source: byte n: " precedes the sentence. */
int ewi_scan_fail(const struct ewi_scan *scan, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Requires that the rest of the current line is blank. */
int ewi_scan_end_line(struct ewi_scan *scan);
/* Moves to the next character that is not white space. */
void ewi_scan_skip_space(struct ewi_scan *scan);

/* Moves past the end of the current line and ignores the rest of it. */
void ewi_scan_skip_line(struct ewi_scan *scan);
/* The next character in the line that is not blank. */
const char *ewi_scan_next(struct ewi_scan *scan);

/* Read numbers as text, in binary files too, within the current line. If none follows, the error names `what`. */
int ewi_scan_text_integer(struct ewi_scan *scan, const char *what, int64_t *value);
int ewi_scan_text_number(struct ewi_scan *scan, const char *what, double *value);

/* Read numbers as text or as binary words of 4, 8 and 8 bytes, depending on the file. */
int ewi_scan_int(struct ewi_scan *scan, const char *what, int64_t *value);
int ewi_scan_size(struct ewi_scan *scan, const char *what, int64_t *value);
int ewi_scan_number(struct ewi_scan *scan, const char *what, double *value);
/* Skips floating-point numbers without checking them. */
int ewi_scan_skip_numbers(struct ewi_scan *scan, int count, const char *what);
/* Begin and end a record: a line in ASCII files, nothing in binary ones. */
void ewi_scan_begin_record(struct ewi_scan *scan);
int ewi_scan_end_record(struct ewi_scan *scan);

/* Fails unless 0 <= count and the rest of the file can hold that many records of at least `least` bytes. */
int ewi_scan_check_count(const struct ewi_scan *scan, const char *at, int64_t count, size_t least, const char *what);

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* The name of a boundary's lines, or the number of a group that has no name. */
struct ewi_mesh_name {
    int64_t tag;
    char *text;
    bool optional; /* may have no lines: the file does not say if it names lines or surfaces */
};

struct ewi_mesh_file {
    struct ewi_scan scan;
    const ew_host *host;
    bool imports; /* accepts all formats, and splits quadrangles */

    int64_t nodes;
    double *xy, *z; /* z: NULL if all nodes lie in one plane */
    int64_t *node_label;

    int64_t triangles, triangle_capacity;
    int64_t *triangle, *triangle_label;
    int32_t *triangle_group; /* a triangle may be listed once for each of its groups */
    bool many_groups;

    /*
     * First triangles of the quadrangles (a, b, c, d), split into (a, b, c) and (a, c, d) until the better diagonal is
     * known.
     */
    int64_t quadrangles, quadrangle_capacity;
    int64_t *quadrangle;

    int64_t lines, line_capacity;
    int64_t *line, *line_label;
    int32_t *line_name; /* position in name[], or -1 */
    double *line_middle; /* [lines][2]: the middle of a second-order line, otherwise NaN */
    bool *is_middle; /* [nodes]: the middle of a second-order element's edge; NULL: no such nodes */

    int32_t names, name_capacity;
    struct ewi_mesh_name *name;
    const char **name_text; /* as the mesh takes them */
};

int ewi_file_no_memory(const struct ewi_mesh_file *file);
/* Grows an array of `count` members to the given capacity, or by one member. */
int ewi_file_grow(const struct ewi_mesh_file *file, void **array, size_t size, int64_t count, int64_t capacity);
int ewi_file_grow_by_one(const struct ewi_mesh_file *file, void **array, size_t size, int32_t count,
                         int32_t *capacity);

int ewi_file_allocate_nodes(struct ewi_mesh_file *file, int64_t count);
int ewi_file_reserve_triangles(struct ewi_mesh_file *file, int64_t capacity);
int ewi_file_add_triangle(struct ewi_mesh_file *file, int64_t label, int64_t group, const int64_t *node);
int ewi_file_add_quadrangle(struct ewi_mesh_file *file, int64_t label, int64_t group, const int64_t *node);
/* Chooses the diagonals of all quadrangles. */
int ewi_file_split(const struct ewi_mesh_file *file);
/* Adds a line. middle: the node there, or -1; name: position in name[], or -1. */
int ewi_file_add_line(struct ewi_mesh_file *file, int64_t label, const int64_t *node, int64_t middle, int32_t name);

/* Position in name[] of the group with this number. A new group is added with its number as its name. */
int ewi_file_group(struct ewi_mesh_file *file, int64_t tag, int32_t *position);
int ewi_file_set_name(struct ewi_mesh_file *file, int32_t position, const char *text, size_t length);

/* ---- formats ----------------------------------------------------------------------------------------------------- */

struct ewi_mesh_format {
    const char *name;
    bool (*is)(const struct ewi_scan *scan); /* true if a file that begins at scan->at has this format */
    int (*read)(struct ewi_mesh_file *file);
};

extern const struct ewi_mesh_format ewi_gmsh_format, ewi_su2_format;

/*
 * Reads a mesh from memory. text[bytes] must be 0. The text must come from ewi_alloc and is freed, also on failure.
 * `source` is its name in sentences. A case reads Gmsh files of triangles only; with `imports`, the file may have any
 * listed format and contain quadrangles.
 */
int ewi_mesh_parse(const ew_host *host, const char *source, char *text, size_t bytes, bool imports,
                   const ew_mesh_data *options, ew_mesh **mesh, ew_error *error);

/*
 * Same as ew_gmsh_read or ew_mesh_import, for an open file. If `file` is negative, errno says why it could not be
 * opened.
 */
int ewi_mesh_read(const ew_host *host, int file, const char *path, bool imports, const ew_mesh_data *data,
                  ew_mesh **mesh, ew_error *error);

#endif
