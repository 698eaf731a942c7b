/* SPDX-License-Identifier: BSD-2-Clause */
/* Gmsh meshes: from the tables of a file to an ew_mesh. */
#include "ewi_gmsh.h"
#include "ewi_file.h"
#include "ewi_output_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLAT 1e-8 /* of the mesh's size: how much the third coordinate may vary */

/* ---- sections ---------------------------------------------------------------------------------------------------- */

/* "$MeshFormat": version, 0 (ASCII) or 1 (binary), size of a number; binary files then have the 4-byte number 1. */
static int read_format(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    double version = 0;
    int64_t binary = 0, size = 0, one = 0;
    ewi_scan_skip_space(scan);
    const char *at = scan->at;
    TRY(ewi_scan_text_number(scan, "the format's version", &version));
    TRY(ewi_scan_text_integer(scan, "0 (ASCII) or 1 (binary)", &binary));
    TRY(ewi_scan_text_integer(scan, "the size of a number", &size));
    TRY(ewi_scan_end_line(scan));
    gmsh->is_41 = version == 4.1;
    if (version != 2.2 && version != 4.1)
        return ewi_scan_fail(scan, at, "the format's version is %g, but only 2.2 and 4.1 are read; save the mesh with "
                             "Mesh.MshFileVersion = 4.1", version);
    if (binary < 0 || binary > 1)
        return ewi_scan_fail(scan, at, "the file's type is %" PRId64 ", but must be 0 (ASCII) or 1 (binary)", binary);
    if (size != 8)
        return ewi_scan_fail(scan, at, "numbers have %" PRId64 " bytes, but only files with 8 bytes are read", size);
    if (!binary)
        return EW_OK;
    scan->binary = true;
    at = scan->at;
    TRY(ewi_scan_int(scan, "the number 1 that marks the byte order", &one));
    if (one != 1 && one != 0x01000000)
        return ewi_scan_fail(scan, at, "the number that marks the byte order is %" PRId64 ", not 1", one);
    scan->swapped = one != 1;
    return EW_OK;
}

static bool is_named(const char *name, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

/* To "$End" and the section's name; the content may be binary. */
static int skip_section(struct ewi_scan *scan, const char *name, size_t length)
{
    const char *p = scan->at;
    while ((p = memchr(p, '$', (size_t)(scan->end - p)))) {
        if ((size_t)(scan->end - p) >= 4 + length && memcmp(p, "$End", 4) == 0 && memcmp(p + 4, name, length) == 0) {
            scan->at = p;
            return EW_OK;
        }
        p++;
    }
    return ewi_scan_fail(scan, name, "the section $%.*s has no end", (int)length, name);
}

static int read_content(struct ewi_gmsh *gmsh, const char *name, size_t length, bool *has_format)
{
    struct ewi_scan *scan = &gmsh->scan;
    if (is_named(name, length, "MeshFormat")) {
        if (*has_format)
            return ewi_scan_fail(scan, name, "there are two sections $MeshFormat");
        *has_format = true;
        return read_format(gmsh);
    }
    if (is_named(name, length, "Comments"))
        return skip_section(scan, name, length);
    if (!*has_format)
        return ewi_scan_fail(scan, name, "the section $%.*s comes before $MeshFormat", (int)length, name);
    if (is_named(name, length, "PhysicalNames"))
        return ewi_gmsh_read_names(gmsh);
    if (is_named(name, length, "Entities") && gmsh->is_41)
        return gmsh->has_entities ? ewi_scan_fail(scan, name, "there are two sections $Entities")
               : ewi_gmsh_read_entities(gmsh);
    if (is_named(name, length, "PartitionedEntities"))
        return ewi_scan_fail(scan, name, "the mesh is divided into partitions; save it without them (Mesh.NbPartitions "
                             "= 0 or gmsh -part 0)");
    if (is_named(name, length, "Nodes"))
        return ewi_gmsh_read_nodes(gmsh);
    if (is_named(name, length, "Elements"))
        return ewi_gmsh_read_elements(gmsh);
    return skip_section(scan, name, length);
}

static int check_end(struct ewi_scan *scan, const char *name, size_t length)
{
    ewi_scan_skip_space(scan);
    if ((size_t)(scan->end - scan->at) < 4 + length || memcmp(scan->at, "$End", 4) != 0 ||
        memcmp(scan->at + 4, name, length) != 0) {
        if (scan->at >= scan->end)
            return ewi_scan_fail(scan, scan->at, "the file ends where $End%.*s should be", (int)length, name);
        return ewi_scan_fail(scan, scan->at, "$End%.*s should be here: the section has more than it announced, or less",
                             (int)length, name);
    }
    scan->at += 4 + length;
    return ewi_scan_end_line(scan);
}

static int read_section(struct ewi_gmsh *gmsh, bool *has_format)
{
    struct ewi_scan *scan = &gmsh->scan;
    const char *name = scan->at + 1;
    size_t length = 0;
    if (*scan->at != '$')
        return ewi_scan_fail(scan, scan->at, *has_format ? "a section's name, such as $Nodes, should be here" : "this "
                             "is not a Gmsh mesh: it does not start with $MeshFormat");
    while ((name[length] >= 'A' && name[length] <= 'Z') || (name[length] >= 'a' && name[length] <= 'z'))
        length++;
    if (is_named(name, length, "NOD") || is_named(name, length, "NOE"))
        return ewi_scan_fail(scan, scan->at, "the format's version is 1, but only 2.2 and 4.1 are read; save the mesh "
                             "with Mesh.MshFileVersion = 4.1");
    scan->at = name + length;
    TRY(ewi_scan_end_line(scan));
    TRY(read_content(gmsh, name, length, has_format));
    return check_end(scan, name, length);
}

static int read_sections(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->scan;
    bool has_format = false;
    ewi_scan_skip_space(scan);
    if (scan->at >= scan->end)
        return ewi_scan_fail(scan, scan->at, "the file is empty");
    while (scan->at < scan->end) {
        TRY(read_section(gmsh, &has_format));
        ewi_scan_skip_space(scan);
    }
    if (!gmsh->has_nodes || !gmsh->has_elements)
        return ewi_scan_fail(scan, scan->at, "the file ends without a section %s",
                             gmsh->has_nodes ? "$Elements" : "$Nodes");
    return EW_OK;
}

/* ---- from the file's content to the mesh ------------------------------------------------------------------------- */

/* The mesh must lie in the plane of x and y, at any height. */
static int check_plane(const struct ewi_gmsh *gmsh)
{
    static const char *const plane[3] = {"y and z", "x and z", "x and y"};
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
    for (int64_t k = 0; k < 3 * gmsh->triangles; k++) {
        int64_t i = gmsh->triangle[k];
        const double xyz[3] = {gmsh->xy[2 * i], gmsh->xy[2 * i + 1], gmsh->z[i]};
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
        return ewi_fail(gmsh->scan.error, EW_EMESH, "%.300s: the mesh lies in the plane of %s; turn it into that of x "
                        "and y", gmsh->scan.source, plane[axis]);
    }
    return ewi_fail(gmsh->scan.error, EW_EMESH, "%.300s: the mesh is not plane: z runs from %g to %g",
                    gmsh->scan.source, low[2], high[2]);
}

static int check_content(const struct ewi_gmsh *gmsh)
{
    bool has_names = false;
    if (gmsh->triangles == 0)
        return ewi_fail(gmsh->scan.error, EW_EMESH, "%.300s: the file has no triangles; mesh it in two dimensions "
                        "(gmsh -2), and if there are physical groups, put the surface into one", gmsh->scan.source);
    for (int64_t l = 0; l < gmsh->lines && !has_names; l++)
        has_names = gmsh->line_name[l] >= 0;
    if (!has_names)
        return ewi_fail(gmsh->scan.error, EW_EMESH, "%.300s: the file has no named boundary: put the boundary's curves "
                        "into physical groups, for example Physical Curve(\"wall\") = {1, 2}", gmsh->scan.source);
    return check_plane(gmsh);
}

/* Groups with the same name are one boundary: lines get numbers of distinct names, in the order of the file. */
static int merge_names(struct ewi_gmsh *gmsh, int32_t *count)
{
    int32_t *merged = ewi_alloc(gmsh->host, (size_t)gmsh->names, sizeof *merged);
    gmsh->name_text = ewi_alloc(gmsh->host, (size_t)gmsh->names, sizeof *gmsh->name_text);
    *count = 0;
    if (!merged || !gmsh->name_text) {
        ewi_free(gmsh->host, merged);
        return ewi_gmsh_no_memory(gmsh);
    }
    for (int32_t k = 0; k < gmsh->names; k++) {
        for (merged[k] = 0; merged[k] < *count && strcmp(gmsh->name_text[merged[k]], gmsh->name[k].text) != 0;)
            merged[k]++;
        if (merged[k] == *count)
            gmsh->name_text[(*count)++] = gmsh->name[k].text;
    }
    for (int64_t l = 0; l < gmsh->lines; l++)
        if (gmsh->line_name[l] >= 0)
            gmsh->line_name[l] = merged[gmsh->line_name[l]];
    ewi_free(gmsh->host, merged);
    return EW_OK;
}

/* Elements are straight: nodes in the middles of edges, which no corner shares, are left out. */
static int drop_middles(struct ewi_gmsh *gmsh)
{
    int64_t kept = 0;
    int64_t *position = ewi_alloc(gmsh->host, (size_t)gmsh->nodes, sizeof *position);
    if (!position)
        return ewi_gmsh_no_memory(gmsh);
    for (int64_t k = 0; k < 3 * gmsh->triangles; k++)
        gmsh->is_middle[gmsh->triangle[k]] = false;
    for (int64_t k = 0; k < 2 * gmsh->lines; k++)
        gmsh->is_middle[gmsh->line[k]] = false;
    for (int64_t i = 0; i < gmsh->nodes; i++) {
        if (gmsh->is_middle[i])
            continue;
        position[i] = kept;
        gmsh->node_label[kept] = gmsh->node_label[i];
        memmove(gmsh->xy + 2 * kept++, gmsh->xy + 2 * i, 2 * sizeof *gmsh->xy);
    }
    gmsh->nodes = kept;
    for (int64_t k = 0; k < 3 * gmsh->triangles; k++)
        gmsh->triangle[k] = position[gmsh->triangle[k]];
    for (int64_t k = 0; k < 2 * gmsh->lines; k++)
        gmsh->line[k] = position[gmsh->line[k]];
    ewi_free(gmsh->host, position);
    return EW_OK;
}

static void free_gmsh(struct ewi_gmsh *gmsh)
{
    for (int32_t k = 0; k < gmsh->names; k++)
        ewi_free(gmsh->host, gmsh->name[k].text);
    void *const arrays[] = {gmsh->xy,   gmsh->z,          gmsh->node_label, gmsh->index.table, gmsh->triangle,
                            gmsh->line, gmsh->line_label, gmsh->line_name,  gmsh->name,        gmsh->triangle_label,
                            gmsh->curve, gmsh->group, gmsh->curve_index.table, gmsh->curve_label,
                            (void *)gmsh->name_text, gmsh->line_middle, gmsh->is_middle};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        ewi_free(gmsh->host, arrays[k]);
}

static int read_everything(struct ewi_gmsh *gmsh, const ew_mesh_data *options, ew_mesh_data *data)
{
    TRY(read_sections(gmsh));
    TRY(check_content(gmsh));
    TRY(merge_names(gmsh, &data->names));
    if (gmsh->is_middle)
        TRY(drop_middles(gmsh));
    *data = (ew_mesh_data){.nodes = gmsh->nodes, .xy = gmsh->xy, .node_label = gmsh->node_label,
                           .triangles = gmsh->triangles, .triangle = gmsh->triangle,
                           .triangle_label = gmsh->triangle_label, .lines = gmsh->lines, .line = gmsh->line,
                           .line_middle = gmsh->is_middle ? gmsh->line_middle : NULL,
                           .line_label = gmsh->line_label, .line_name = gmsh->line_name, .names = data->names,
                           .name = gmsh->name_text, .source = gmsh->scan.source};
    if (options) {
        data->periodics = options->periodics;
        data->periodic = options->periodic;
        data->report = options->report;
        data->report_context = options->report_context;
    }
    return EW_OK;
}

/* What the mesh is not made from: the most memory is needed while it is made. */
static void free_early(struct ewi_gmsh *gmsh, char *text)
{
    ewi_free(gmsh->host, text);
    ewi_free(gmsh->host, gmsh->z);
    ewi_free(gmsh->host, gmsh->index.table);
    gmsh->z = NULL;
    gmsh->index.table = NULL;
}

int ewi_gmsh_parse(const ew_host *host, const char *source, char *text, size_t bytes, const ew_mesh_data *options,
                   ew_mesh **mesh, ew_error *error)
{
    const ew_host own = ewi_host_or_default(host);
    ew_error found = {0};
    ew_mesh_data data = {0};
    struct ewi_gmsh gmsh = {.scan = {.source = source, .begin = text, .at = text, .end = text + bytes, .error = &found},
                            .host = &own};
    int status = read_everything(&gmsh, options, &data);
    free_early(&gmsh, text);
    if (status == EW_OK)
        status = ew_mesh_create(&own, &data, mesh, &found);
    else if (options && options->report)
        options->report(options->report_context, found.message);
    free_gmsh(&gmsh);
    if (status != EW_OK && error)
        *error = found;
    return status;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int read_error(const char *path, const char *reason, ew_error *error)
{
    return ewi_fail(error, EW_EIO, "%.300s cannot be read: %s", path, reason);
}

static int read_file(const ew_host *host, int file, const char *path, char **text, size_t *bytes, ew_error *error)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return read_error(path, strerror(errno), error);
    if (!(*text = ewi_alloc(host, (size_t)info.st_size + 1, 1)))
        return ewi_fail(error, EW_ENOMEM, "%.300s: not enough memory for its %jd bytes", path, (intmax_t)info.st_size);
    *bytes = ewi_read_bytes(file, 0, *text, (size_t)info.st_size); /* it may have become shorter */
    if (*bytes < (size_t)info.st_size && errno != 0)
        return read_error(path, strerror(errno), error);
    (*text)[*bytes] = '\0';
    return EW_OK;
}

int ewi_gmsh_read(const ew_host *host, int file, const char *path, const ew_mesh_data *data, ew_mesh **mesh,
                  ew_error *error)
{
    const ew_host own = ewi_host_or_default(host);
    ew_error found = {0};
    char *text = NULL;
    size_t bytes = 0;
    int status = file < 0 ? read_error(path, ewi_open_error(errno), &found)
                          : read_file(&own, file, path, &text, &bytes, &found);
    if (status == EW_OK)
        return ewi_gmsh_parse(&own, path, text, bytes, data, mesh, error);
    ewi_free(&own, text);
    if (data && data->report)
        data->report(data->report_context, found.message);
    if (error)
        *error = found;
    return status;
}

int ew_gmsh_read(const ew_host *host, const char *path, const ew_mesh_data *data, ew_mesh **mesh, ew_error *error)
{
    EWI_REQUIRE(path);
    EWI_REQUIRE(mesh);
    int file = ewi_open_regular(path);
    int status = ewi_gmsh_read(host, file, path, data, mesh, error);
    if (file >= 0)
        close(file);
    return status;
}
