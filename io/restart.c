/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Restart files: netCDF in its classic format with 64-bit data (CDF-5). netCDF writes that without HDF5 and returns an
 * error for every write that fails. A seal follows netCDF's data (restart_checksum.c).
 */
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_file.h"
#include "ewi_host.h"
#include "ewi_results.h"
#include "ewi_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT 1 /* increases with every change that an older reader would misread */
#define KIND "edgewise restart"

enum { TEXT = 256, SLAB_DOUBLES = 1 << 20, BOUNDARY_TEXT = 4096 };
enum { HASH = 17, MOST_RASTER_TEXT = 65536 }; /* HASH: with the blank behind it */

/* The head of a restart file, without coefficients and provenance. */
struct head {
    ew_restart_info info;
    int variables, basis;
    char law[TEXT];
    int64_t nodes, elements, boundary_edges;
    uint64_t mesh_hash;
    double box[4], area; /* xmin, ymin, xmax, ymax of the mesh */
    char boundaries[BOUNDARY_TEXT]; /* names, each followed by a line break */
};

/* ---- the head as written and as expected ------------------------------------------------------------------------- */

static void describe_mesh(const ew_mesh *mesh, struct head *head)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    head->nodes = info.nodes;
    head->elements = info.elements;
    head->boundary_edges = info.boundary_edges;
    head->mesh_hash = info.hash;
    memcpy(head->box, (double[]){info.xmin, info.ymin, info.xmax, info.ymax}, sizeof head->box);
    head->area = info.area;
    size_t length = 0;
    for (int32_t k = 0; ew_mesh_boundary(mesh, k, NULL) && length < sizeof head->boundaries; k++)
        length += (size_t)ewi_snprintf(head->boundaries + length, sizeof head->boundaries - length, "%s\n",
                                       ew_mesh_boundary(mesh, k, NULL));
}

static void describe(const ew_solver *solver, struct head *head)
{
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    *head = (struct head){.info.order = info.order, .variables = info.law->variables, .basis = info.basis};
    ewi_snprintf(head->law, sizeof head->law, "%s", info.law->name);
    describe_mesh(info.mesh, head);
}

static size_t coefficients_of(const struct head *head)
{
    return (size_t)head->elements * (size_t)head->variables * (size_t)head->basis;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

struct writing {
    const struct ewi_target *target;
    int descriptor, file, code, reason; /* the first failure: netCDF's code and errno */
};

/* Does nothing after the first failure. */
#define NOTE(call)                                                             \
    do {                                                                       \
        if (writing->code == NC_NOERR && (writing->code = (call)) != NC_NOERR) \
            writing->reason = errno;                                           \
    } while (0)

static void put_integer(struct writing *writing, const char *name, int64_t value)
{
    long long number = value;
    NOTE(nc_put_att_longlong(writing->file, NC_GLOBAL, name, NC_INT64, 1, &number));
}

static void put_head(struct writing *writing, const struct head *head)
{
    const ew_moment *moment = &head->info.moment;
    int file = writing->file;
    NOTE(ewi_netcdf_put_text(file, NC_GLOBAL, "kind", KIND));
    put_integer(writing, "format", FORMAT);
    NOTE(ewi_netcdf_put_number(file, "time", moment->time));
    put_integer(writing, "step", moment->steps);
    NOTE(ewi_netcdf_put_number(file, "dt_last", moment->dt));
    NOTE(ewi_netcdf_put_number(file, "change_last", moment->change));
    NOTE(ewi_netcdf_put_number(file, "rate_last", moment->rate));
    NOTE(ewi_netcdf_put_number(file, "rate_largest", moment->largest_rate));
    put_integer(writing, "order", head->info.order);
    NOTE(ewi_netcdf_put_hash(file, "state_hash", head->info.state_hash));
    put_integer(writing, "frames", head->info.frames);
    NOTE(ewi_netcdf_put_hash(file, "frame_hash", head->info.frame_hash));
    NOTE(ewi_netcdf_put_hash(file, "mesh_hash", head->mesh_hash));
    put_integer(writing, "mesh_nodes", head->nodes);
    put_integer(writing, "mesh_boundary_edges", head->boundary_edges);
    NOTE(nc_put_att_double(file, NC_GLOBAL, "mesh_box", NC_DOUBLE, 4, head->box));
    NOTE(ewi_netcdf_put_number(file, "mesh_area", head->area));
    NOTE(ewi_netcdf_put_text(file, NC_GLOBAL, "mesh_boundaries", head->boundaries));
}

static void put_coefficients(struct writing *writing, const struct head *head, int variable, const double *coefficients)
{
    size_t row = (size_t)head->variables * (size_t)head->basis, slab = SLAB_DOUBLES / row;
    size_t elements = (size_t)head->elements;
    for (size_t first = 0; first < elements && writing->code == NC_NOERR; first += slab) {
        size_t start[3] = {first, 0, 0};
        size_t count[3] = {elements - first < slab ? elements - first : slab, (size_t)head->variables,
                           (size_t)head->basis};
        NOTE(nc_put_vara_double(writing->file, variable, start, count, coefficients + first * row));
    }
}

/* Nodes and triangles, so that readers need no other file. */
struct mesh_arrays {
    double *xy;
    int64_t *triangle;
    int xy_variable, triangle_variable;
};

/* The outflow of boundary edges; NULL: it is not integrated. */
struct outflow {
    double *values; /* [boundary_edges][variables] */
    int variable;
};

static int get_outflow(struct ewi_arena *memory, ew_solver *solver, const struct head *head, struct outflow *outflow,
                       const char *path, ew_error *error)
{
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    if (!info.outflow || head->boundary_edges == 0)
        return EW_OK;
    outflow->values = ewi_arena_alloc(memory, (size_t)(head->boundary_edges * head->variables), sizeof(double));
    return outflow->values ? ew_solver_get_edge_outflow(solver, outflow->values, error)
                           : ewi_no_memory_to_write(path, error);
}

static void define_outflow(struct writing *writing, const struct head *head, struct outflow *outflow)
{
    static const char meaning[] = "flux through the boundaries' edges, integrated over time since the run's start";
    int edge, variable, file = writing->file;
    if (!outflow->values)
        return;
    NOTE(nc_def_dim(file, "boundary_edge", (size_t)head->boundary_edges, &edge));
    NOTE(nc_inq_dimid(file, "variable", &variable));
    NOTE(nc_def_var(file, "outflow", NC_DOUBLE, 2, (int[2]){edge, variable}, &outflow->variable));
    NOTE(nc_put_att_text(file, outflow->variable, "long_name", sizeof meaning - 1, meaning));
}

static int get_mesh(struct ewi_arena *memory, const ew_mesh *mesh, struct mesh_arrays *arrays, const char *path,
                    ew_error *error)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    arrays->xy = ewi_arena_alloc(memory, 2 * (size_t)info.nodes, sizeof *arrays->xy);
    arrays->triangle = ewi_arena_alloc(memory, 3 * (size_t)info.elements, sizeof *arrays->triangle);
    if (memory->lacks)
        return ewi_no_memory_to_write(path, error);
    ew_mesh_get_nodes(mesh, arrays->xy);
    ew_mesh_get_triangles(mesh, arrays->triangle);
    return EW_OK;
}

static void define_mesh(struct writing *writing, const struct head *head, struct mesh_arrays *arrays)
{
    static const char nodes[] = "coordinates of the nodes",
        triangles[] = "nodes of the triangles, from 0, counter-clockwise";
    int node, axis, corner, element, file = writing->file;
    NOTE(nc_def_dim(file, "node", (size_t)head->nodes, &node));
    NOTE(nc_def_dim(file, "axis", 2, &axis));
    NOTE(nc_def_dim(file, "corner", 3, &corner));
    NOTE(nc_inq_dimid(file, "element", &element));
    NOTE(nc_def_var(file, "node_xy", NC_DOUBLE, 2, (int[2]){node, axis}, &arrays->xy_variable));
    NOTE(nc_put_att_text(file, arrays->xy_variable, "long_name", sizeof nodes - 1, nodes));
    NOTE(nc_def_var(file, "triangle", NC_INT, 2, (int[2]){element, corner}, &arrays->triangle_variable));
    NOTE(nc_put_att_text(file, arrays->triangle_variable, "long_name", sizeof triangles - 1, triangles));
}

static void define_coefficients(struct writing *writing, const struct head *head, int *variable)
{
    static const char *const names[3] = {"element", "variable", "basis"};
    static const char meaning[] = "modal coefficients of the conserved variables, elements in the mesh file's order";
    const size_t sizes[3] = {(size_t)head->elements, (size_t)head->variables, (size_t)head->basis};
    int dimension[3] = {0}, file = writing->file, before;
    for (int k = 0; k < 3 && writing->code == NC_NOERR; k++)
        NOTE(nc_def_dim(file, names[k], sizes[k], &dimension[k]));
    NOTE(nc_def_var(file, "coefficient", NC_DOUBLE, 3, dimension, variable));
    NOTE(nc_put_att_text(file, *variable, "long_name", sizeof meaning - 1, meaning));
    NOTE(nc_set_fill(file, NC_NOFILL, &before));
}

/* All arrays of a restart file. */
struct content {
    const double *coefficients;
    struct mesh_arrays mesh;
    struct outflow outflow;
    struct ewi_restart_averages averages;
};

static void write_file(struct writing *writing, const struct head *head, struct content *content,
                       const ew_run_plan *plan, const ew_solver *solver)
{
    int variable = 0;
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    NOTE(ewi_netcdf_create(writing->descriptor, writing->target->part, NC_64BIT_DATA, &writing->file));
    if (writing->code != NC_NOERR)
        return;
    put_head(writing, head);
    NOTE(ewi_netcdf_put_text(writing->file, NC_GLOBAL, "title", ewi_title_of(plan)));
    NOTE(ewi_netcdf_put_provenance(writing->file, plan, &info));
    NOTE(ewi_netcdf_put_parameters(writing->file, &info));
    define_coefficients(writing, head, &variable);
    define_mesh(writing, head, &content->mesh);
    define_outflow(writing, head, &content->outflow);
    NOTE(ewi_restart_averages_define(writing->file, head->elements, &content->averages));
    NOTE(nc_enddef(writing->file));
    NOTE(nc_put_var_double(writing->file, content->mesh.xy_variable, content->mesh.xy));
    NOTE(nc_put_var_longlong(writing->file, content->mesh.triangle_variable,
                             (const long long *)content->mesh.triangle));
    if (content->outflow.values)
        NOTE(nc_put_var_double(writing->file, content->outflow.variable, content->outflow.values));
    NOTE(ewi_restart_averages_put(writing->file, &content->averages));
    put_coefficients(writing, head, variable, content->coefficients);
    int code = nc_close(writing->file);
    NOTE(code);
}

static int errno_of(const struct writing *writing)
{
    return writing->code > 0 ? writing->code : writing->reason;
}

static const char *reason_of(const struct writing *writing)
{
    int number = errno_of(writing);
    if (writing->code == NC_ENOMEM || number == ENOMEM)
        return "not enough memory";
    if (writing->code > 0 || number == ENOSPC || number == EDQUOT || number == EFBIG)
        return ewi_write_error(number);
    return nc_strerror(writing->code);
}

static int write_target(const struct ewi_target *target, const struct head *head, struct content *content,
                        const ew_run_plan *plan, const ew_solver *solver, ew_error *error)
{
    TRY(ewi_target_check(target, NULL, error));
    struct writing writing = {.target = target};
    writing.descriptor = ewi_make_file(target->folder, ewi_file_name(target->part));
    if (writing.descriptor < 0)
        return ewi_target_failed(target->part, errno, error);
    ewi_netcdf_begin();
    errno = 0;
    write_file(&writing, head, content, plan, solver);
    ewi_netcdf_end();
    int status = EW_OK;
    if (writing.code != NC_NOERR)
        status = ewi_fail(error, ewi_write_code(errno_of(&writing)), "cannot write %s: %s", target->part,
                          reason_of(&writing));
    if (status == EW_OK)
        status = ewi_seal(writing.descriptor, target->part, error);
    if (status != EW_OK)
        ewi_target_remove(target, target->part);
    else
        status = ewi_target_keep(target, writing.descriptor, NULL,
                                 ewi_target_publish(target, writing.descriptor, target->path, error), error);
    close(writing.descriptor);
    return status;
}

int ew_restart_write(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                     ew_fields *fields, ew_error *error)
{
    EWI_REQUIRE(path, plan, solver);
    int status;
    TRY(ewi_plan_check(plan, solver, error));
    if (fields)
        TRY(ewi_origin_check(&fields->origin, solver, path, error));
    struct ewi_arena memory = {.host = ewi_host_or_default(host)};
    struct ewi_target target = {0};
    struct head *head = ewi_arena_alloc(&memory, 1, sizeof *head);
    struct content content = {0};
    ew_solver_info info;
    if (!head)
        return ewi_no_memory_to_write(path, error);
    describe(solver, head);
    double *coefficients = ewi_arena_alloc(&memory, coefficients_of(head), sizeof *coefficients);
    if (!coefficients) {
        status = ewi_fail(error, EW_ENOMEM, "not enough memory to write %s: it takes %zu MB", path,
                          coefficients_of(head) * sizeof *coefficients >> 20);
        goto out;
    }
    EWI_TRY(ewi_target_set(&memory, path, &target, error));
    if (fields)
        EWI_TRY(ewi_fields_to_disk(fields, error));
    ew_solver_get_info(solver, &info);
    EWI_TRY(get_mesh(&memory, info.mesh, &content.mesh, path, error));
    EWI_TRY(get_outflow(&memory, solver, head, &content.outflow, path, error));
    EWI_TRY(ewi_restart_averages_get(&memory, solver, path, &content.averages, error));
    EWI_TRY(ew_solver_get_coefficients(solver, coefficients, error));
    EWI_TRY(ew_solver_hash(solver, &head->info.state_hash, error));
    ew_solver_moment(solver, &head->info.moment);
    head->info.frames = fields ? fields->frames : 0;
    head->info.frame_hash = fields ? fields->hash : 0;
    content.coefficients = coefficients;
    status = write_target(&target, head, &content, plan, solver, error);
out:
    ewi_target_close(&target);
    ewi_arena_free(&memory);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static int damaged(const struct ewi_reading *reading, const char *why)
{
    return ewi_fail(reading->error, EW_EIO, "the restart file %s is damaged: %s; use an earlier one", reading->path,
                    why);
}

static int no_memory(const struct ewi_reading *reading)
{
    return ewi_fail(reading->error, EW_ENOMEM, "not enough memory to read %s", reading->path);
}

static bool get_text(const struct ewi_reading *reading, const char *name, char *text, size_t size)
{
    return ewi_netcdf_text(reading->file, NC_GLOBAL, name, text, size);
}

static bool get_hash(const struct ewi_reading *reading, const char *name, uint64_t *hash)
{
    char text[TEXT], *end;
    if (!get_text(reading, name, text, sizeof text) || strlen(text) != 16)
        return false;
    *hash = strtoull(text, &end, 16);
    return *end == '\0';
}

static bool get_numbers(const struct ewi_reading *reading, const char *name, size_t count, double *values)
{
    return ewi_netcdf_numbers(reading->file, name, NC_DOUBLE, count, values);
}

static bool get_integer(const struct ewi_reading *reading, const char *name, int64_t *value)
{
    return ewi_netcdf_integer(reading->file, name, NC_INT64, value);
}

/* Finds the variable of that name, type and number of dimensions, and its sizes. */
static bool get_sizes(const struct ewi_reading *reading, const char *name, nc_type type, int dimensions, size_t *size,
                      int *variable)
{
    nc_type own;
    int count, dimension[NC_MAX_VAR_DIMS];
    if (nc_inq_varid(reading->file, name, variable) != NC_NOERR ||
        nc_inq_var(reading->file, *variable, NULL, &own, &count, dimension, NULL) != NC_NOERR || own != type ||
        count != dimensions)
        return false;
    for (int k = 0; k < dimensions; k++)
        if (nc_inq_dimlen(reading->file, dimension[k], &size[k]) != NC_NOERR || size[k] > INT32_MAX)
            return false;
    return true;
}

/* Reads the sizes of the coefficients, which complete the head. */
static bool get_shape(const struct ewi_reading *reading, struct head *head, int *variable)
{
    size_t size[3];
    if (!get_sizes(reading, "coefficient", NC_DOUBLE, 3, size, variable))
        return false;
    head->elements = (int64_t)size[0];
    head->variables = (int)size[1];
    head->basis = (int)size[2];
    int order = head->info.order;
    return order >= 1 && order <= EW_MAX_ORDER && head->basis == (order + 1) * (order + 2) / 2 &&
           head->variables >= 1 && head->variables <= EW_MAX_VARIABLES;
}

/* Rates of change; files of earlier versions have none. */
static bool get_rates(const struct ewi_reading *reading, ew_moment *moment)
{
    moment->rate = moment->largest_rate = 0.0;
    return nc_inq_att(reading->file, NC_GLOBAL, "rate_last", NULL, NULL) != NC_NOERR ||
           (get_numbers(reading, "rate_last", 1, &moment->rate) &&
            get_numbers(reading, "rate_largest", 1, &moment->largest_rate));
}

static bool get_head(const struct ewi_reading *reading, struct head *head, int *variable)
{
    ew_moment *moment = &head->info.moment;
    int64_t order = 0;
    bool good = get_numbers(reading, "time", 1, &moment->time) && get_integer(reading, "step", &moment->steps) &&
                get_numbers(reading, "dt_last", 1, &moment->dt) &&
                get_numbers(reading, "change_last", 1, &moment->change) &&
                get_rates(reading, moment) && get_integer(reading, "order", &order) &&
                get_text(reading, "law", head->law, sizeof head->law) &&
                get_hash(reading, "state_hash", &head->info.state_hash) &&
                get_integer(reading, "frames", &head->info.frames) &&
                get_hash(reading, "frame_hash", &head->info.frame_hash) &&
                get_hash(reading, "mesh_hash", &head->mesh_hash) && get_integer(reading, "mesh_nodes", &head->nodes) &&
                get_integer(reading, "mesh_boundary_edges", &head->boundary_edges) &&
                get_numbers(reading, "mesh_box", 4, head->box) && get_numbers(reading, "mesh_area", 1, &head->area) &&
                get_text(reading, "mesh_boundaries", head->boundaries, sizeof head->boundaries);
    head->info.order = order >= 1 && order <= EW_MAX_ORDER ? (int)order : 0;
    return good && get_shape(reading, head, variable);
}

static int check_kind(const struct ewi_reading *reading)
{
    char kind[TEXT] = "", version[TEXT] = "of an unknown version";
    int64_t format = 0;
    if (!get_text(reading, "kind", kind, sizeof kind) || strcmp(kind, KIND) != 0)
        return damaged(reading, "it does not say what it is");
    get_text(reading, "edgewise_version", version, sizeof version);
    if (!get_integer(reading, "format", &format) || format < 1)
        return damaged(reading, "its format is not known");
    if (format > FORMAT)
        return ewi_fail(reading->error, EW_EUNAVAILABLE, "the restart file %s is of format %lld, written by edgewise "
                        "%s; this is edgewise %s, which reads format %d at most: use that version or a newer one",
                        reading->path, (long long)format, version, ew_version(), FORMAT);
    return EW_OK;
}

static void put_in_line(const char *lines, char text[TEXT])
{
    size_t length = 0;
    for (; *lines && length + 1 < TEXT; lines++)
        if (*lines != '\n' || lines[1])
            text[length++] = *lines == '\n' ? ' ' : *lines;
    text[length] = '\0';
}

static int mesh_difference(const struct ewi_reading *reading, const struct head *file, const struct head *own)
{
    const char *path = reading->path;
    ew_error *error = reading->error;
    bool others = file->elements != own->elements;
    if (others || file->nodes != own->nodes)
        return ewi_fail(error, EW_EMESH, "the restart file %s belongs to another mesh: its mesh has %lld %s, the "
                        "case's has %lld", path, (long long)(others ? file->elements : file->nodes),
                        others ? "elements" : "nodes", (long long)(others ? own->elements : own->nodes));
    if (strcmp(file->boundaries, own->boundaries) != 0) {
        char names[2][TEXT];
        put_in_line(file->boundaries, names[0]);
        put_in_line(own->boundaries, names[1]);
        return ewi_fail(error, EW_EMESH, "the restart file %s belongs to another mesh: its boundaries are \"%s\", the "
                        "case's mesh has \"%s\"", path, names[0], names[1]);
    }
    if (memcmp(file->box, own->box, sizeof own->box) != 0)
        return ewi_fail(error, EW_EMESH, "the restart file %s belongs to another mesh: its mesh lies in x %.9g .. "
                        "%.9g, y %.9g .. %.9g, the case's in x %.9g .. %.9g, y %.9g .. %.9g", path, file->box[0],
                        file->box[2], file->box[1], file->box[3], own->box[0], own->box[2], own->box[1], own->box[3]);
    return ewi_fail(error, EW_EMESH, "the restart file %s belongs to another mesh: it has the same numbers of "
                    "elements and nodes, but other coordinates, triangles, boundary edges or another numbering (its "
                    "hash is %016llx, the case's mesh has %016llx)", path, (unsigned long long)file->mesh_hash,
                    (unsigned long long)own->mesh_hash);
}

static int check_head(const struct ewi_reading *reading, const struct head *file, const struct head *own)
{
    if (file->mesh_hash != own->mesh_hash || file->elements != own->elements)
        return mesh_difference(reading, file, own);
    if (strcmp(file->law, own->law) != 0)
        return ewi_fail(reading->error, EW_ECONFIG, "the restart file %s is of the law \"%s\"; the case's law is "
                        "\"%s\"", reading->path, file->law, own->law);
    if (file->variables != own->variables)
        return damaged(reading, "its variables are not those of the law");
    return EW_OK;
}

/* Compares the case texts, if the file has one. */
static int compare_texts(const struct ewi_reading *reading, const ew_run_plan *plan, ew_text_difference *difference)
{
    char *text;
    int code = ewi_netcdf_read_text(reading->memory, reading->file, "case_text", SIZE_MAX - 1, &text);
    *difference = (ew_text_difference){0};
    if (code == NC_ENOMEM)
        return no_memory(reading);
    if (code != NC_NOERR)
        return damaged(reading, "the case's text is missing");
    return text ? ewi_compare_plan(plan, text, difference, reading->error) : EW_OK;
}

/* The line of a raster (ew_run_plan.rasters) in a list; names are equal if all behind the hash is. */
static const char *find_raster(const char *lines, const char *name, size_t length)
{
    for (; *lines; lines = strchr(lines, '\n') ? strchr(lines, '\n') + 1 : lines + strlen(lines))
        if (strlen(lines) > HASH + length && strncmp(lines + HASH, name, length + 1) == 0)
            return lines;
    return NULL;
}

/* Appends the rasters that have changed since the file was written; returns the new length. */
static size_t list_rasters(const char *before, const char *now, char *text, size_t size, size_t length)
{
    for (const char *end; before && now && (end = strchr(now, '\n')) && length < size; now = end + 1) {
        const char *name = now + HASH, *was = find_raster(before, name, (size_t)(end - name));
        if (was && strncmp(was, now, HASH) != 0)
            length += (size_t)ewi_snprintf(text + length, size - length, ", raster %.*s, whose values have changed",
                                           (int)(end - name), name);
    }
    return length;
}

/* By default, the mesh decides how many there are, so the texts do not tell. Returns the new length of the list. */
static size_t list_levels(const struct ewi_reading *reading, const ew_solver_info *info, char *text, size_t size,
                          size_t length)
{
    double before;
    if (length < size && get_numbers(reading, "step_levels", 1, &before) && before != info->step_levels)
        length += (size_t)ewi_snprintf(text + length, size - length, ", levels of time steps %d (was %.9g)",
                                       info->step_levels, before);
    return length;
}

/* Lists the differences that affect the result in words; "" if there are none. */
static void list_differences(const struct ewi_reading *reading, const ew_run_plan *plan, const ew_solver *solver,
                             const struct head *file, const ew_text_difference *difference, char *list, size_t size)
{
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    const char *const words[][2] = {{"flux", info.flux}, {"limiter", info.limiter}, {"scheme", info.scheme}};
    char text[4 * TEXT] = "", was[TEXT];
    size_t length = 0;
    if (file->info.order != info.order)
        length += (size_t)ewi_snprintf(text, sizeof text, ", order %d (was %d)", info.order, file->info.order);
    for (size_t k = 0; k < 3 && length < sizeof text; k++)
        if (get_text(reading, words[k][0], was, sizeof was) && strcmp(was, words[k][1]) != 0)
            length += (size_t)ewi_snprintf(text + length, sizeof text - length, ", %s %s (was %s)", words[k][0],
                                           words[k][1], was);
    for (int k = -1; k < info.law->parameters && length < sizeof text; k++) {
        char name[TEXT];
        double value = k < 0 ? info.cfl : info.parameter[k], before;
        ewi_snprintf(name, sizeof name, "%s%s", k < 0 ? "" : "law_", k < 0 ? "cfl" : info.law->parameter[k].name);
        if (get_numbers(reading, name, 1, &before) && before != value)
            length += (size_t)ewi_snprintf(text + length, sizeof text - length, ", %s %.9g (was %.9g)",
                                           k < 0 ? name : name + 4, value, before);
    }
    length = list_levels(reading, &info, text, sizeof text, length);
    char *rasters = NULL;
    ewi_netcdf_read_text(reading->memory, reading->file, "rasters", MOST_RASTER_TEXT, &rasters);
    length = list_rasters(rasters, plan->rasters, text, sizeof text, length);
    ewi_snprintf(list, size, "%s%s%s", length > 0 ? text + 2 : "", length > 0 && difference->text[0] ? ", " : "",
                 difference->text);
}

static void log_differences(const struct ewi_reading *reading, const struct head *file, const char *list,
                            const ew_text_difference *difference)
{
    const ew_host *host = &reading->memory->host;
    if (!list[0])
        return;
    ewi_log(host, EW_LOG_WARNING, "the run resumes from %s with other settings: %s", reading->path, list);
    if (difference->initial)
        ewi_log(host, EW_LOG_WARNING, "the state and its time, t = %.9g, come from %s; initial and "
                "time.start do not apply", file->info.moment.time, reading->path);
}

static bool integrates_outflow(const ew_solver *solver, const struct head *head)
{
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    return info.outflow && head->boundary_edges > 0;
}

static void warn_of_outflow(const struct ewi_reading *reading, double time)
{
    ewi_log(&reading->memory->host, EW_LOG_WARNING,
            "%s has no integrals of the fluxes through boundaries; the columns \"outflow_...\" of the time series "
            "count from t = %.9g", reading->path, time);
}

/* *outflow is NULL if none is wanted, or the file has none: it is of an earlier version, or of a run without. */
static int read_outflow(const struct ewi_reading *reading, const ew_solver *solver, const struct head *head,
                        double **outflow)
{
    size_t size[2];
    int variable;
    *outflow = NULL;
    if (!integrates_outflow(solver, head) || nc_inq_varid(reading->file, "outflow", &variable) != NC_NOERR)
        return EW_OK;
    if (!get_sizes(reading, "outflow", NC_DOUBLE, 2, size, &variable) || size[0] != (size_t)head->boundary_edges ||
        size[1] != (size_t)head->variables)
        return damaged(reading, "the outflow through boundaries is not of its mesh and law");
    *outflow = ewi_arena_alloc(reading->memory, size[0] * size[1], sizeof **outflow);
    if (!*outflow)
        return no_memory(reading);
    int code = nc_get_var_double(reading->file, variable, *outflow);
    if (code != NC_NOERR)
        return damaged(reading, code > 0 ? strerror(code) : nc_strerror(code));
    for (size_t k = 0; k < size[0] * size[1]; k++)
        if (!isfinite((*outflow)[k]))
            return damaged(reading, "the outflow through boundaries is not finite");
    return EW_OK;
}

static int read_head(const struct ewi_reading *reading, struct head *head, int *variable)
{
    TRY(check_kind(reading));
    return get_head(reading, head, variable) ? EW_OK : damaged(reading, "a part of its head is missing or wrong");
}

int ewi_restart_from_file(const struct ewi_reading *reading, const ew_run_plan *plan, ew_solver *solver,
                          ew_restart_info *info)
{
    int variable = 0;
    struct head *head = ewi_arena_alloc(reading->memory, 2, sizeof *head);
    ew_text_difference difference;
    char list[4 * TEXT + sizeof difference.text];
    double *outflow;
    if (!head)
        return no_memory(reading);
    TRY(read_head(reading, head, &variable));
    describe(solver, head + 1);
    TRY(check_head(reading, head, head + 1));
    double *coefficients = ewi_arena_alloc(reading->memory, coefficients_of(head), sizeof *coefficients);
    if (!coefficients)
        return ewi_fail(reading->error, EW_ENOMEM, "not enough memory to read %s: it takes %zu MB", reading->path,
                        coefficients_of(head) * sizeof *coefficients >> 20);
    int code = nc_get_var_double(reading->file, variable, coefficients);
    if (code != NC_NOERR)
        return damaged(reading, code > 0 ? strerror(code) : nc_strerror(code));
    TRY(read_outflow(reading, solver, head + 1, &outflow));
    TRY(compare_texts(reading, plan, &difference));
    list_differences(reading, plan, solver, head, &difference, list, sizeof list);
    if (list[0]) { /* a state that was steady may not be with other settings */
        head->info.moment.change = NAN;
        head->info.moment.rate = head->info.moment.largest_rate = 0;
    }
    TRY(ew_solver_restore(solver, head->info.order, coefficients, &head->info.moment, reading->error));
    if (outflow)
        TRY(ew_solver_set_edge_outflow(solver, outflow, reading->error));
    else if (integrates_outflow(solver, head + 1))
        warn_of_outflow(reading, head->info.moment.time);
    TRY(ewi_restart_averages_read(reading, head[1].elements, solver));
    log_differences(reading, head, list, &difference);
    if (info)
        *info = head->info;
    return EW_OK;
}

/* ---- from a frame of NAME.nc ------------------------------------------------------------------------------------- */

/* Names and numbers that only restart files have are taken from the solver; the mesh's hash decides. */
static int describe_frame(const struct ewi_reading *reading, const struct ew_results *results, const struct head *own,
                          struct head *head)
{
    char text[17];
    *head = *own;
    head->elements = results->elements;
    head->basis = (results->order + 1) * (results->order + 2) / 2;
    memcpy(head->box, (double[]){results->xmin, results->ymin, results->xmax, results->ymax}, sizeof head->box);
    ewi_snprintf(head->law, sizeof head->law, "%s", results->law ? results->law->name : "unknown");
    if (!get_hash(reading, "mesh_hash", &head->mesh_hash) || results->order < 1 || results->order > EW_MAX_ORDER ||
        results->frames < 1 || !ewi_fields_read_hash(reading->file, (size_t)results->frames, text))
        return ewi_fail(reading->error, EW_EIO, "cannot resume from %s: it has no frame, or lacks attributes that "
                        "edgewise writes", reading->path);
    const int64_t last = results->frames - 1;
    head->info = (ew_restart_info){.moment = {.time = results->time[last], .steps = results->step[last], .dt = NAN,
                                              .change = NAN},
                                   .order = results->order, .frames = results->frames,
                                   .frame_hash = strtoull(text, NULL, 16)};
    head->info.state_hash = head->info.frame_hash; /* the run need not write this frame again */
    return EW_OK;
}

enum { LIST = 4 * TEXT + sizeof((ew_text_difference *)0)->text };

/* Call with netCDF's lock. */
static int compare_frame(const struct ewi_reading *reading, const struct ew_results *results, const ew_run_plan *plan,
                         const ew_solver *solver, struct head *head, ew_text_difference *difference, char list[LIST])
{
    describe(solver, head + 1);
    TRY(describe_frame(reading, results, head + 1, head));
    TRY(check_head(reading, head, head + 1));
    TRY(compare_texts(reading, plan, difference));
    list_differences(reading, plan, solver, head, difference, list, LIST);
    return EW_OK;
}

int ewi_restart_from_frame(const struct ewi_reading *reading, const struct ew_results *results, const ew_run_plan *plan,
                           ew_solver *solver, ew_restart_info *info)
{
    struct head *head = ewi_arena_alloc(reading->memory, 2, sizeof *head);
    ew_text_difference difference;
    char list[LIST];
    if (!head)
        return no_memory(reading);
    ewi_netcdf_begin();
    int status = compare_frame(reading, results, plan, solver, head, &difference, list);
    ewi_netcdf_end();
    if (status != EW_OK)
        return status;
    TRY(ewi_frame_check(results, results->law, reading->error));
    double *coefficients = ewi_arena_alloc(reading->memory, coefficients_of(head), sizeof *coefficients);
    if (!coefficients)
        return no_memory(reading);
    TRY(ewi_frame_coefficients(results, results->law, coefficients, reading->error));
    TRY(ew_solver_restore(solver, head->info.order, coefficients, &head->info.moment, reading->error));
    ewi_log(&reading->memory->host, EW_LOG_WARNING, "the run resumes from the last frame of %s, t = %.9g, whose state "
            "is exact only to rounding errors; restart files (output.restart) give the bits of an uninterrupted run",
            reading->path, head->info.moment.time);
    if (integrates_outflow(solver, head))
        warn_of_outflow(reading, head->info.moment.time);
    ewi_restart_averages_miss(reading, "has no averages", solver);
    log_differences(reading, head, list, &difference);
    if (info)
        *info = head->info;
    return EW_OK;
}

/* ---- the check --------------------------------------------------------------------------------------------------- */

static bool has_shape(const struct ewi_reading *reading, const char *name, nc_type type, int64_t first, size_t second,
                      int *variable)
{
    size_t size[2];
    return get_sizes(reading, name, type, 2, size, variable) && size[0] == (size_t)first && size[1] == second;
}

int ewi_restart_view(struct ewi_arena *memory, const char *path, int descriptor, int file,
                     struct ewi_restart_view *view, ew_error *error)
{
    struct ewi_reading reading = {.memory = memory, .path = path, .file = file, .error = error};
    struct head *head = ewi_arena_alloc(memory, 1, sizeof *head);
    if (!head)
        return no_memory(&reading);
    TRY(ewi_seal_check(descriptor, path, error));
    TRY(read_head(&reading, head, &view->coefficient));
    const ew_law *law = ew_law_find(head->law);
    *view = (struct ewi_restart_view){.info = head->info, .law = law, .elements = head->elements, .nodes = head->nodes,
                                      .basis = head->basis, .coefficient = view->coefficient};
    if (!law || law->variables != head->variables)
        return ewi_fail(error, EW_EUNAVAILABLE, "the restart file %s is of the law \"%s\", which edgewise %s does not "
                        "know", path, head->law, ew_version());
    if (head->elements < 1 || !has_shape(&reading, "node_xy", NC_DOUBLE, head->nodes, 2, &view->node_xy) ||
        !has_shape(&reading, "triangle", NC_INT, head->elements, 3, &view->triangle))
        return ewi_fail(error, EW_EUNAVAILABLE, "the restart file %s has no mesh: it was written by an earlier "
                        "edgewise; resume from it, and look at the fields in NAME.nc", path);
    return EW_OK;
}
