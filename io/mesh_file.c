/* SPDX-License-Identifier: BSD-2-Clause */
/* Mesh files: the list of formats, the tables that their readers fill, and the mesh made from the tables. */
#include "ewi_mesh_file.h"
#include "ewi_file.h"
#include "ewi_mesh_advice.h"
#include "ewi_output_file.h"
#include "ewi_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLAT 1e-8 /* relative to the mesh's size: allowed variation of the third coordinate */
#define MOST_NAMES 10000

/* A case reads the first format. */
static const struct ewi_mesh_format *const formats[] = {&ewi_gmsh_format, &ewi_su2_format};
enum { FORMATS = sizeof formats / sizeof formats[0] };

#define GEOMETRY "this is a Gmsh geometry in place of a mesh; " EWI_ADVICE_2D " makes one"

#define UNNAMED \
    ", which has no names of boundaries; save a Gmsh (.msh) or an SU2 mesh (.su2) with the program that made it"

/* Other kinds of files that users give as a mesh, by their first bytes. */
static const struct {
    const char *begins, *sentence;
} mistaken[] = {
    {"version https://git-lfs", "this is a pointer of Git LFS in place of the mesh; " EWI_ADVICE_LFS " fetches it"},
    {"(", "this is a Fluent mesh, whose name ends in .msh, too; save it as a Gmsh or an SU2 mesh with the program that "
          "made it"},
    {"# vtk DataFile", "this is a VTK file" UNNAMED},
    {"<VTKFile", "this is a VTK file" UNNAMED},
    {"<?xml", "this is an XML file, perhaps of VTK" UNNAMED},
    {"solid ", "this is an STL file" UNNAMED},
    {"//", GEOMETRY},
    {"SetFactory", GEOMETRY},
    {"Point(", GEOMETRY},
    {"\xff\xfe", "this file is in UTF-16; save it as UTF-8"},
    {"\xfe\xff", "this file is in UTF-16; save it as UTF-8"},
};

/* ---- memory ------------------------------------------------------------------------------------------------------ */

int ewi_file_no_memory(const struct ewi_mesh_file *file)
{
    return ewi_fail(file->scan.error, EW_ENOMEM, "%.300s: not enough memory for the mesh; the file has %td bytes",
                    file->scan.source, file->scan.end - file->scan.begin);
}

int ewi_file_grow(const struct ewi_mesh_file *file, void **array, size_t size, int64_t count, int64_t capacity)
{
    void *larger = ewi_alloc(file->host, (size_t)capacity, size);
    if (!larger)
        return ewi_file_no_memory(file);
    if (count)
        memcpy(larger, *array, (size_t)count * size);
    ewi_free(file->host, *array);
    *array = larger;
    return EW_OK;
}

int ewi_file_grow_by_one(const struct ewi_mesh_file *file, void **array, size_t size, int32_t count, int32_t *capacity)
{
    if (count < *capacity)
        return EW_OK;
    TRY(ewi_file_grow(file, array, size, count, 2 * *capacity + 64));
    *capacity = 2 * *capacity + 64;
    return EW_OK;
}

static void free_tables(struct ewi_mesh_file *file)
{
    for (int32_t k = 0; k < file->names; k++)
        ewi_free(file->host, file->name[k].text);
    void *const arrays[] = {file->xy, file->z, file->node_label, file->triangle, file->triangle_label,
                            file->triangle_group, file->quadrangle, file->line, file->line_label, file->line_name,
                            file->line_middle, file->is_middle, file->name, (void *)file->name_text};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        ewi_free(file->host, arrays[k]);
}

/* ---- filling the tables ------------------------------------------------------------------------------------------ */

int ewi_file_allocate_nodes(struct ewi_mesh_file *file, int64_t count)
{
    file->xy = ewi_alloc(file->host, (size_t)count, 2 * sizeof *file->xy);
    file->z = ewi_alloc(file->host, (size_t)count, sizeof *file->z);
    file->node_label = ewi_alloc(file->host, (size_t)count, sizeof *file->node_label);
    if (!file->xy || !file->z || !file->node_label || count > INT32_MAX - 1)
        return ewi_file_no_memory(file);
    return EW_OK;
}

int ewi_file_reserve_triangles(struct ewi_mesh_file *file, int64_t capacity)
{
    if (capacity <= file->triangle_capacity)
        return EW_OK;
    int64_t count = file->triangles;
    TRY(ewi_file_grow(file, (void **)&file->triangle, 3 * sizeof *file->triangle, count, capacity));
    TRY(ewi_file_grow(file, (void **)&file->triangle_label, sizeof *file->triangle_label, count, capacity));
    TRY(ewi_file_grow(file, (void **)&file->triangle_group, sizeof *file->triangle_group, count, capacity));
    file->triangle_capacity = capacity;
    return EW_OK;
}

int ewi_file_add_triangle(struct ewi_mesh_file *file, int64_t label, int64_t group, const int64_t *node)
{
    if (file->triangles == file->triangle_capacity)
        TRY(ewi_file_reserve_triangles(file, 2 * file->triangle_capacity + 1024));
    memcpy(file->triangle + 3 * file->triangles, node, 3 * sizeof *node);
    file->triangle_label[file->triangles] = label;
    file->triangle_group[file->triangles++] = (int32_t)group;
    file->many_groups = file->many_groups || (int32_t)group != file->triangle_group[0];
    return EW_OK;
}

int ewi_file_add_quadrangle(struct ewi_mesh_file *file, int64_t label, int64_t group, const int64_t *node)
{
    if (file->quadrangles == file->quadrangle_capacity) {
        int64_t capacity = 2 * file->quadrangle_capacity + 1024;
        TRY(ewi_file_grow(file, (void **)&file->quadrangle, sizeof *file->quadrangle, file->quadrangles, capacity));
        file->quadrangle_capacity = capacity;
    }
    file->quadrangle[file->quadrangles++] = file->triangles;
    TRY(ewi_file_add_triangle(file, label, group, node));
    return ewi_file_add_triangle(file, label, group, (const int64_t[3]){node[0], node[2], node[3]});
}

static int reserve_lines(struct ewi_mesh_file *file, int64_t capacity)
{
    int64_t count = file->lines;
    TRY(ewi_file_grow(file, (void **)&file->line, 2 * sizeof *file->line, count, capacity));
    TRY(ewi_file_grow(file, (void **)&file->line_label, sizeof *file->line_label, count, capacity));
    TRY(ewi_file_grow(file, (void **)&file->line_name, sizeof *file->line_name, count, capacity));
    TRY(ewi_file_grow(file, (void **)&file->line_middle, 2 * sizeof *file->line_middle, count, capacity));
    file->line_capacity = capacity;
    return EW_OK;
}

int ewi_file_add_line(struct ewi_mesh_file *file, int64_t label, const int64_t *node, int64_t middle, int32_t name)
{
    if (file->lines == file->line_capacity)
        TRY(reserve_lines(file, 2 * file->line_capacity + 1024));
    memcpy(file->line + 2 * file->lines, node, 2 * sizeof *node);
    for (int axis = 0; axis < 2; axis++)
        file->line_middle[2 * file->lines + axis] = middle < 0 ? NAN : file->xy[2 * middle + axis];
    file->line_label[file->lines] = label;
    file->line_name[file->lines++] = name;
    return EW_OK;
}

int ewi_file_group(struct ewi_mesh_file *file, int64_t tag, int32_t *position)
{
    char digits[24];
    for (*position = 0; *position < file->names; ++*position)
        if (file->name[*position].tag == tag)
            return EW_OK;
    if (file->names == MOST_NAMES)
        return ewi_scan_fail(&file->scan, file->scan.at, "there are more than %d groups of boundary lines", MOST_NAMES);
    TRY(ewi_file_grow_by_one(file, (void **)&file->name, sizeof *file->name, file->names, &file->name_capacity));
    ewi_snprintf(digits, sizeof digits, "%" PRId64, tag);
    char *text = ewi_strdup(file->host, digits);
    if (!text)
        return ewi_file_no_memory(file);
    file->name[file->names++] = (struct ewi_mesh_name){.tag = tag, .text = text};
    return EW_OK;
}

int ewi_file_set_name(struct ewi_mesh_file *file, int32_t position, const char *text, size_t length)
{
    char *copy = ewi_alloc(file->host, length + 1, 1);
    if (!copy)
        return ewi_file_no_memory(file);
    memcpy(copy, text, length);
    ewi_free(file->host, file->name[position].text);
    file->name[position].text = copy;
    return EW_OK;
}

/* ---- from the tables to the mesh --------------------------------------------------------------------------------- */

/* The mesh must lie in a plane parallel to x and y. */
static int check_plane(const struct ewi_mesh_file *file)
{
    static const char *const plane[3] = {"y and z", "x and z", "x and y"};
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
    for (int64_t k = 0; k < 3 * file->triangles; k++) {
        int64_t i = file->triangle[k];
        const double xyz[3] = {file->xy[2 * i], file->xy[2 * i + 1], file->z[i]};
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = xyz[axis] < low[axis] ? xyz[axis] : low[axis];
            high[axis] = xyz[axis] > high[axis] ? xyz[axis] : high[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++)
        size = fmax(size, high[axis] - low[axis]);
    for (int axis = 2; axis >= 0; axis--) {
        if (high[axis] - low[axis] > FLAT * size)
            continue;
        if (axis == 2)
            return EW_OK;
        return ewi_fail(file->scan.error, EW_EMESH, "%.300s: the mesh lies in the plane of %s; turn it into that of x "
                        "and y", file->scan.source, plane[axis]);
    }
    return ewi_fail(file->scan.error, EW_EMESH, "%.300s: the mesh is not plane: z varies by %.6g, from %.17g to %.17g, "
                    "but may vary by %.3g at most", file->scan.source, high[2] - low[2], low[2], high[2], FLAT * size);
}

/* ---- names, middle nodes, repeated triangles --------------------------------------------------------------------- */

/*
 * For each position, true if the name may be dropped because it has no line. The mesh checks the other boundaries
 * later.
 */
static bool *find_unused(const struct ewi_mesh_file *file)
{
    bool *unused = ewi_alloc(file->host, (size_t)file->names, sizeof *unused);
    for (int32_t k = 0; unused && k < file->names; k++)
        unused[k] = file->name[k].optional;
    for (int64_t l = 0; unused && l < file->lines; l++)
        if (file->line_name[l] >= 0)
            unused[file->line_name[l]] = false;
    return unused;
}

/* Groups with the same name are one boundary: lines get numbers of distinct names, in file order. */
static int merge_names(struct ewi_mesh_file *file, int32_t *count)
{
    bool *unused = find_unused(file);
    int32_t *merged = ewi_alloc(file->host, (size_t)file->names, sizeof *merged);
    file->name_text = ewi_alloc(file->host, (size_t)file->names, sizeof *file->name_text);
    *count = 0;
    bool lacks = !unused || !merged || !file->name_text;
    for (int32_t k = 0; !lacks && k < file->names; k++) {
        if (unused[k])
            continue;
        for (merged[k] = 0; merged[k] < *count && strcmp(file->name_text[merged[k]], file->name[k].text) != 0;)
            merged[k]++;
        if (merged[k] == *count)
            file->name_text[(*count)++] = file->name[k].text;
    }
    for (int64_t l = 0; !lacks && l < file->lines; l++)
        if (file->line_name[l] >= 0)
            file->line_name[l] = merged[file->line_name[l]];
    ewi_free(file->host, unused);
    ewi_free(file->host, merged);
    return lacks ? ewi_file_no_memory(file) : EW_OK;
}

/* Elements are straight, so nodes in the middle of edges that no corner shares are dropped. */
static int drop_middles(struct ewi_mesh_file *file)
{
    int64_t kept = 0;
    int64_t *position = ewi_alloc(file->host, (size_t)file->nodes, sizeof *position);
    if (!position)
        return ewi_file_no_memory(file);
    for (int64_t k = 0; k < 3 * file->triangles; k++)
        file->is_middle[file->triangle[k]] = false;
    for (int64_t k = 0; k < 2 * file->lines; k++)
        file->is_middle[file->line[k]] = false;
    for (int64_t i = 0; i < file->nodes; i++) {
        if (file->is_middle[i])
            continue;
        position[i] = kept;
        file->node_label[kept] = file->node_label[i];
        memmove(file->xy + 2 * kept++, file->xy + 2 * i, 2 * sizeof *file->xy);
    }
    file->nodes = kept;
    for (int64_t k = 0; k < 3 * file->triangles; k++)
        file->triangle[k] = position[file->triangle[k]];
    for (int64_t k = 0; k < 2 * file->lines; k++)
        file->line[k] = position[file->line[k]];
    ewi_free(file->host, position);
    return EW_OK;
}

static void sort_nodes(const int64_t *from, int64_t node[3])
{
    int64_t low = from[0] < from[1] ? from[0] : from[1], high = from[0] < from[1] ? from[1] : from[0];
    node[0] = from[2] < low ? from[2] : low;
    node[1] = from[2] < low ? low : from[2] < high ? from[2] : high;
    node[2] = from[2] < high ? high : from[2];
}

/* The slot of the first triangle with the nodes of triangle i, or the empty slot for i; table: 1 + triangle. */
static uint64_t find_triangle(const struct ewi_mesh_file *file, const int64_t *table, uint64_t last, int64_t i)
{
    int64_t node[3], other[3];
    sort_nodes(file->triangle + 3 * i, node);
    uint64_t hash = ((uint64_t)node[0] * 0x9e3779b97f4a7c15u + (uint64_t)node[1]) * 0xff51afd7ed558ccdu;
    hash = (hash ^ hash >> 32) + (uint64_t)node[2] * 0x9e3779b97f4a7c15u;
    uint64_t slot = (hash ^ hash >> 32) & last;
    for (; table[slot]; slot = (slot + 1) & last) {
        sort_nodes(file->triangle + 3 * (table[slot] - 1), other);
        if (memcmp(node, other, sizeof node) == 0)
            break;
    }
    return slot;
}

/*
 * MSH 2 lists a triangle once for each of its groups, so repeats in other groups are dropped. Within one group, they
 * are left for the mesh to report.
 */
static int drop_repeated(struct ewi_mesh_file *file)
{
    int64_t kept = 0, size = 16;
    if (!file->many_groups)
        return EW_OK;
    while (size < 2 * file->triangles)
        size *= 2;
    int64_t *table = ewi_alloc(file->host, (size_t)size, sizeof *table);
    if (!table)
        return ewi_file_no_memory(file);
    for (int64_t i = 0; i < file->triangles; i++) {
        memmove(file->triangle + 3 * kept, file->triangle + 3 * i, 3 * sizeof *file->triangle);
        file->triangle_label[kept] = file->triangle_label[i];
        file->triangle_group[kept] = file->triangle_group[i];
        uint64_t slot = find_triangle(file, table, (uint64_t)size - 1, kept);
        if (table[slot] && file->triangle_group[table[slot] - 1] != file->triangle_group[kept])
            continue;
        table[slot] = table[slot] ? table[slot] : kept + 1;
        kept++;
    }
    file->triangles = kept;
    ewi_free(file->host, table);
    return EW_OK;
}

static int read_tables(struct ewi_mesh_file *file, const struct ewi_mesh_format *format, const ew_mesh_data *options,
                       ew_mesh_data *data)
{
    TRY(format->read(file));
    if (file->z)
        TRY(check_plane(file));
    TRY(ewi_file_split(file));
    TRY(drop_repeated(file));
    TRY(merge_names(file, &data->names));
    if (file->is_middle)
        TRY(drop_middles(file));
    *data = (ew_mesh_data){.nodes = file->nodes, .xy = file->xy, .node_label = file->node_label,
                           .triangles = file->triangles, .triangle = file->triangle,
                           .triangle_label = file->triangle_label, .lines = file->lines, .line = file->line,
                           .line_middle = file->is_middle ? file->line_middle : NULL,
                           .line_label = file->line_label, .line_name = file->line_name, .names = data->names,
                           .name = file->name_text, .source = file->scan.source};
    if (options) {
        data->periodics = options->periodics;
        data->periodic = options->periodic;
        data->report = options->report;
        data->report_context = options->report_context;
    }
    return EW_OK;
}

/* ---- the format of a file ---------------------------------------------------------------------------------------- */

/* Lists the formats' names. */
static void list_formats(char *text, size_t size)
{
    size_t length = 0;
    for (size_t k = 0; k < FORMATS && length < size; k++)
        length += (size_t)ewi_snprintf(text + length, size - length, "%s%s", k > 0 ? ", " : "", formats[k]->name);
}

static int fail_on_format(const struct ewi_scan *scan, bool imports)
{
    char names[128];
    if (scan->at >= scan->end)
        return ewi_scan_fail(scan, scan->at, "the file is empty");
    for (size_t k = 0; k < sizeof mistaken / sizeof mistaken[0]; k++)
        if (strncmp(scan->at, mistaken[k].begins, strlen(mistaken[k].begins)) == 0)
            return ewi_scan_fail(scan, scan->at, "%s", mistaken[k].sentence);
    if (!imports)
        return ewi_scan_fail(scan, scan->at, "this is not a Gmsh mesh: it does not start with $MeshFormat");
    list_formats(names, sizeof names);
    return ewi_scan_fail(scan, scan->at, "this is a mesh of no format that is read: %s", names);
}

static int choose_format(struct ewi_mesh_file *file, const struct ewi_mesh_format **format)
{
    struct ewi_scan *scan = &file->scan;
    if (strncmp(scan->at, "\xef\xbb\xbf", 3) == 0) /* a byte-order mark */
        scan->at += 3;
    ewi_scan_skip_space(scan);
    for (size_t k = 0; k < FORMATS; k++) {
        *format = formats[k];
        if (!formats[k]->is(scan))
            continue;
        return k == 0 || file->imports ? EW_OK : ewi_scan_fail(scan, scan->at, "this is an %s mesh; what reads it: "
                                                               EWI_ADVICE_CONVERT, formats[k]->name, scan->source);
    }
    return fail_on_format(scan, file->imports);
}

/* Frees tables that the mesh is not made from, since making it needs the most memory. */
static void free_early(struct ewi_mesh_file *file, char *text)
{
    ewi_free(file->host, text);
    ewi_free(file->host, file->z);
    ewi_free(file->host, file->triangle_group);
    ewi_free(file->host, file->quadrangle);
    file->z = NULL;
    file->triangle_group = NULL;
    file->quadrangle = NULL;
}

int ewi_mesh_parse(const ew_host *host, const char *source, char *text, size_t bytes, bool imports,
                   const ew_mesh_data *options, ew_mesh **mesh, ew_error *error)
{
    const ew_host own = ewi_host_or_default(host);
    const struct ewi_mesh_format *format = NULL;
    ew_error found = {0};
    ew_mesh_data data = {0};
    struct ewi_mesh_file file = {
        .scan = {.source = source, .begin = text, .at = text, .end = text + bytes, .error = &found},
        .host = &own, .imports = imports};
    int status = choose_format(&file, &format);
    if (status == EW_OK)
        status = read_tables(&file, format, options, &data);
    free_early(&file, text);
    if (status == EW_OK)
        status = ew_mesh_create(&own, &data, mesh, &found);
    else if (options && options->report)
        options->report(options->report_context, found.message);
    free_tables(&file);
    if (status != EW_OK && error)
        *error = found;
    return status;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

int ewi_mesh_read(const ew_host *host, int file, const char *path, bool imports, const ew_mesh_data *data,
                  ew_mesh **mesh, ew_error *error)
{
    const ew_host own = ewi_host_or_default(host);
    ew_error found = {0};
    char *text = NULL;
    size_t bytes = 0;
    int status = file < 0 ? ewi_fail(&found, EW_EIO, "%.300s cannot be read: %s", path, ewi_open_error(errno))
                          : ewi_scan_file(&own, file, path, &text, &bytes, &found);
    if (status == EW_OK)
        return ewi_mesh_parse(&own, path, text, bytes, imports, data, mesh, error);
    ewi_free(&own, text);
    if (data && data->report)
        data->report(data->report_context, found.message);
    if (error)
        *error = found;
    return status;
}

static int read_path(const ew_host *host, const char *path, bool imports, const ew_mesh_data *data, ew_mesh **mesh,
                     ew_error *error)
{
    int file = ewi_open_regular(path);
    int status = ewi_mesh_read(host, file, path, imports, data, mesh, error);
    if (file >= 0)
        close(file);
    return status;
}

int ew_gmsh_read(const ew_host *host, const char *path, const ew_mesh_data *data, ew_mesh **mesh, ew_error *error)
{
    EWI_REQUIRE(path, mesh);
    return read_path(host, path, false, data, mesh, error);
}

int ew_mesh_import(const ew_host *host, const char *path, const ew_mesh_data *data, ew_mesh **mesh, ew_error *error)
{
    EWI_REQUIRE(path, mesh);
    return read_path(host, path, true, data, mesh, error);
}
