/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fields as netCDF-4 files with the CF and UGRID conventions.
 *
 * Every element is cut into subdivide^2 triangles on (s+1)(s+2)/2 nodes of its own, so that jumps between elements
 * survive. Elements are in file order. They are sampled and written in slabs, which bounds the memory. A chunk of a
 * compressed file is a slab. Otherwise it is a variable's whole frame, which HDF5 writes directly from our buffers.
 *
 * The file is written as "path.part" and renamed to `path` when it is complete. A separate descriptor on "path.part"
 * holds a lock against a second writer and syncs the data, which netCDF never does.
 *
 * A frame survives a kill, and readers see it, once HDF5 has flushed it. Its disk blocks are reserved before the write,
 * so the run need not wait for the disk: a background thread syncs the data. If a file system cannot reserve blocks, a
 * full disk shows only at the sync, so every frame waits for its sync.
 */
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_host.h"
#include "ewi_lattice.h"
#include "ewi_text.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SERIES_CHUNK = 256,       /* frames per chunk of a variable with one value a frame */
    METADATA = 512 * 1024,    /* bound for the bytes of HDF5's own records of a frame ... */
    METADATA_CHUNK = 128,     /* ... plus this many for every chunk */
    HASH_DIGITS = 16
};

/* ---- room -------------------------------------------------------------------------------------------------------- */

static double pieces(const struct ew_fields *fields, int64_t piece)
{
    return (double)((fields->elements + piece - 1) / piece);
}

/* Bytes of HDF5's records. The mesh is written in slabs, a frame in chunks, which are at least as large. */
static double records(const struct ew_fields *fields, int variables)
{
    return METADATA + METADATA_CHUNK * pieces(fields, fields->slab) * variables;
}

/* The same of variables of a raster with so many bytes of values. */
static double chunked_bytes(const struct ewi_raster *raster, double bytes, int variables)
{
    if (raster->columns == 0)
        return 0;
    double chunks = (double)((raster->rows + raster->chunk - 1) / raster->chunk);
    return bytes * chunks * (double)raster->chunk / (double)raster->rows + METADATA_CHUNK * chunks * variables;
}

/* An upper bound: uncompressed, with a full last chunk. */
static double frame_bytes(const struct ew_fields *fields)
{
    double elements = pieces(fields, fields->chunk) * (double)fields->chunk;
    return elements * (fields->outputs * fields->points + fields->means) * (double)fields->real +
           records(fields, fields->outputs + fields->means) +
           chunked_bytes(&fields->raster, ewi_raster_frame_bytes(&fields->raster), fields->raster.outputs) +
           ewi_walls_frame_bytes(&fields->walls) + METADATA_CHUNK * EWI_WALL_VALUES * fields->walls.count;
}

int ewi_fields_reserve_frame(struct ew_fields *fields, ew_error *error)
{
    return ewi_fields_reserve(fields, frame_bytes(fields) + METADATA, error); /* METADATA: to complete the file */
}

static double element_bytes(const struct ew_fields *fields)
{
    return 2.0 * fields->points * sizeof(double) + 3.0 * fields->triangles * sizeof(int64_t);
}

static double mesh_bytes(const struct ew_fields *fields, const ew_mesh_info *mesh, const char *case_text)
{
    double slabs = pieces(fields, fields->slab);
    return slabs * (double)fields->slab * element_bytes(fields) + 3.0 * sizeof(int) * (double)mesh->boundary_edges +
           (case_text ? (double)strlen(case_text) : 0) + records(fields, 6) + METADATA +
           (double)(fields->raster.columns + fields->raster.rows) * sizeof(double) +
           chunked_bytes(&fields->raster, ewi_raster_constant_bytes(&fields->raster), fields->raster.constants) +
           ewi_walls_place_bytes(&fields->walls);
}

/* ---- definitions ------------------------------------------------------------------------------------------------- */

static int put_int(const struct ew_fields *fields, int variable, const char *name, int value)
{
    return nc_put_att_int(fields->file, variable, name, NC_INT, 1, &value);
}

static int define_provenance(struct ew_fields *fields, const ew_run_plan *plan, const ew_solver *solver,
                             ew_error *error)
{
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    ew_mesh_info mesh;
    ew_mesh_get_info(info.mesh, &mesh);
    int file = fields->file;
    char source[64], history[512];
    ewi_snprintf(source, sizeof source, "edgewise %s", ew_version());
    ewi_snprintf(history, sizeof history, "%s: run of the case %s", source, plan->name); /* no date: equal files */
    NC_TRY(ewi_netcdf_put_text(file, NC_GLOBAL, "Conventions", "CF-1.9 UGRID-1.0"));
    NC_TRY(ewi_netcdf_put_text(file, NC_GLOBAL, "title", ewi_title_of(plan)));
    NC_TRY(ewi_netcdf_put_text(file, NC_GLOBAL, "source", source));
    NC_TRY(ewi_netcdf_put_text(file, NC_GLOBAL, "history", history));
    NC_TRY(ewi_netcdf_put_text(file, NC_GLOBAL, "status", "running"));
    NC_TRY(ewi_netcdf_put_provenance(file, plan, &info));
    NC_TRY(ewi_netcdf_put_hash(file, "mesh_hash", mesh.hash));
    NC_TRY(put_int(fields, NC_GLOBAL, "edgewise_format", EWI_FIELDS_FORMAT));
    NC_TRY(put_int(fields, NC_GLOBAL, "order", info.order));
    NC_TRY(put_int(fields, NC_GLOBAL, "subdivide", fields->subdivide));
    NC_TRY(ewi_netcdf_put_parameters(file, &info));
    return EW_OK;
}

struct variable {
    const char *prefix, *name, *suffix; /* the variable's name is the three together */
    const char *role, *long_name;       /* long_name: "role long_name" */
    nc_type type;
    int dimensions, dimension[2];
    size_t chunk[2];
    const char *location; /* UGRID's "node" or "face", or NULL */
    bool is_linear;       /* between nodes */
};

/*
 * Variables that are written once and completely need no fill values. They need no chunk cache either. It gets one
 * byte, because netCDF takes 0 for the default, with which HDF5 copies every chunk of up to 16 MB. Variables that never
 * change and are not compressed need no chunks. An unfinished frame has no time, so its values may be anything.
 */
static int define_variable(struct ew_fields *fields, const struct variable *variable, int *number, ew_error *error)
{
    char name[NC_MAX_NAME + 1], long_name[256];
    ewi_snprintf(name, sizeof name, "%s%s%s", variable->prefix ? variable->prefix : "", variable->name,
                 variable->suffix ? variable->suffix : "");
    ewi_snprintf(long_name, sizeof long_name, "%s%s", variable->role ? variable->role : "", variable->long_name);

    bool series = variable->dimension[0] == fields->dimension_time;
    bool large = !series || (variable->dimensions > 1 && variable->type != NC_CHAR);
    NC_TRY(nc_def_var(fields->file, name, variable->type, variable->dimensions, variable->dimension, number));
    if (!series && fields->compression == 0) {
        NC_TRY(nc_def_var_chunking(fields->file, *number, NC_CONTIGUOUS, NULL));
        NC_TRY(nc_def_var_fill(fields->file, *number, NC_NOFILL, NULL));
    } else {
        NC_TRY(nc_def_var_chunking(fields->file, *number, NC_CHUNKED, variable->chunk));
    }
    if (large && fields->compression > 0)
        NC_TRY(nc_def_var_deflate(fields->file, *number, 1, 1, fields->compression));
    if (series && large) {
        NC_TRY(nc_set_var_chunk_cache(fields->file, *number, 1, 1, 1.0f));
        NC_TRY(nc_def_var_fill(fields->file, *number, NC_NOFILL, NULL));
    }

    NC_TRY(ewi_netcdf_put_text(fields->file, *number, "long_name", long_name));
    if (variable->type == NC_DOUBLE || variable->type == NC_FLOAT)
        NC_TRY(ewi_netcdf_put_text(fields->file, *number, "units", "1"));
    if (variable->location) {
        NC_TRY(ewi_netcdf_put_text(fields->file, *number, "mesh", "mesh"));
        NC_TRY(ewi_netcdf_put_text(fields->file, *number, "location", variable->location));
        if (strcmp(variable->location, "node") == 0)
            NC_TRY(ewi_netcdf_put_text(fields->file, *number, "coordinates", "mesh_node_x mesh_node_y"));
        if (variable->is_linear)
            NC_TRY(ewi_netcdf_put_text(fields->file, *number, EWI_INTERPOLATION, EWI_LINEAR));
    }
    return EW_OK;
}

static int define_dimensions(struct ew_fields *fields, ew_error *error)
{
    size_t elements = (size_t)fields->elements;
    NC_TRY(nc_def_dim(fields->file, "time", NC_UNLIMITED, &fields->dimension_time));
    NC_TRY(nc_def_dim(fields->file, "n_node", elements * (size_t)fields->points, &fields->dimension_node));
    NC_TRY(nc_def_dim(fields->file, "n_face", elements * (size_t)fields->triangles, &fields->dimension_face));
    fields->dimension_element = fields->dimension_face;
    if (fields->subdivide > 1)
        NC_TRY(nc_def_dim(fields->file, "n_element", elements, &fields->dimension_element));
    return EW_OK;
}

static int define_mesh(struct ew_fields *fields, ew_error *error)
{
    int mesh, three;
    NC_TRY(nc_def_dim(fields->file, "n_face_node", 3, &three));
    NC_TRY(nc_def_var(fields->file, "mesh", NC_INT, 0, NULL, &mesh));
    NC_TRY(ewi_netcdf_put_text(fields->file, mesh, "cf_role", "mesh_topology"));
    NC_TRY(ewi_netcdf_put_text(fields->file, mesh, "long_name",
                               "triangles with nodes of their own: jumps between elements are kept"));
    NC_TRY(put_int(fields, mesh, "topology_dimension", 2));
    NC_TRY(ewi_netcdf_put_text(fields->file, mesh, "node_coordinates", "mesh_node_x mesh_node_y"));
    NC_TRY(ewi_netcdf_put_text(fields->file, mesh, "node_dimension", "n_node"));
    NC_TRY(ewi_netcdf_put_text(fields->file, mesh, "face_node_connectivity", "mesh_face_nodes"));
    NC_TRY(ewi_netcdf_put_text(fields->file, mesh, "face_dimension", "n_face"));

    size_t slab = (size_t)fields->slab, node_chunk = slab * (size_t)fields->points;
    struct variable node = {.name = "mesh_node_x", .long_name = "x", .type = NC_DOUBLE, .dimensions = 1,
                            .dimension = {fields->dimension_node}, .chunk = {node_chunk}};
    TRY(define_variable(fields, &node, &fields->node_x, error));
    NC_TRY(ewi_netcdf_put_text(fields->file, fields->node_x, "standard_name", "projection_x_coordinate"));
    node.name = "mesh_node_y";
    node.long_name = "y";
    TRY(define_variable(fields, &node, &fields->node_y, error));
    NC_TRY(ewi_netcdf_put_text(fields->file, fields->node_y, "standard_name", "projection_y_coordinate"));

    bool wide = (double)fields->elements * fields->points > INT32_MAX;
    struct variable faces = {.name = "mesh_face_nodes", .long_name = "nodes of every triangle, counter-clockwise",
                             .type = wide ? NC_INT64 : NC_INT, .dimensions = 2,
                             .dimension = {fields->dimension_face, three},
                             .chunk = {slab * (size_t)fields->triangles, 3}};
    TRY(define_variable(fields, &faces, &fields->face_nodes, error));
    NC_TRY(ewi_netcdf_put_text(fields->file, fields->face_nodes, "cf_role", "face_node_connectivity"));
    NC_TRY(put_int(fields, fields->face_nodes, "start_index", 0));
    if (fields->subdivide > 1) {
        char comment[160];
        ewi_snprintf(comment, sizeof comment, "face i belongs to element i / %d, node i to element i / %d, in the mesh "
                     "file's order", fields->triangles, fields->points);
        NC_TRY(ewi_netcdf_put_text(fields->file, mesh, "comment", comment));
    }
    return EW_OK;
}

/* Meanings are separated by blanks, so a blank in a name becomes "_". */
static void append_meaning(char *meanings, size_t size, const char *name)
{
    size_t length = strlen(meanings);
    if (length > 0 && length + 1 < size)
        meanings[length++] = ' ';
    for (; *name && length + 1 < size; name++)
        meanings[length++] = *name == ' ' || *name == '\t' ? '_' : *name;
    meanings[length] = '\0';
}

static int put_boundary_names(struct ew_fields *fields, const ew_mesh *mesh, int boundaries, ew_error *error)
{
    size_t size = 1;
    for (int k = 0; k < boundaries; k++)
        size += strlen(ew_mesh_boundary(mesh, k, NULL)) + 1;
    char *meanings = ewi_arena_alloc(&fields->memory, size, 1);
    int *numbers = ewi_arena_alloc(&fields->memory, (size_t)boundaries, sizeof *numbers);
    if (fields->memory.lacks)
        return ewi_fields_no_memory(fields, error);
    for (int k = 0; k < boundaries; k++) {
        numbers[k] = k;
        append_meaning(meanings, size, ew_mesh_boundary(mesh, k, NULL));
    }
    NC_TRY(ewi_netcdf_put_text(fields->file, fields->boundary, "flag_meanings", meanings));
    NC_TRY(nc_put_att_int(fields->file, fields->boundary, "flag_values", NC_INT, (size_t)boundaries, numbers));
    return EW_OK;
}

/* A pressure of 0 is unset where pressure must be positive. */
static double reference_pressure(const ew_law *law, const ew_series_body *body)
{
    for (int m = 0; m < law->variables; m++)
        if (law->pressure && strcmp(law->primitive[m], law->pressure) == 0 && law->positive[m] && !(body->pressure > 0))
            return NAN;
    return body->pressure;
}

/* Writes the bodies' reference values, from which readers compute the pressure coefficient. */
static int put_references(struct ew_fields *fields, const ew_run_plan *plan, int boundaries, ew_error *error)
{
    size_t count = (size_t)boundaries;
    double *value = ewi_arena_alloc(&fields->memory, EWI_REFERENCES * count, sizeof *value);
    if (!value)
        return ewi_fields_no_memory(fields, error);
    for (size_t k = 0; k < EWI_REFERENCES * count; k++)
        value[k] = NAN;
    for (int i = 0; i < plan->bodies; i++) {
        const ew_series_body *body = plan->body + i;
        for (int k = 0; k < body->boundaries; k++) {
            double *at = value + body->boundary[k];
            at[0] = body->density;
            at[count] = body->speed;
            at[2 * count] = reference_pressure(fields->law, body);
        }
    }
    for (size_t i = 0; i < EWI_REFERENCES && plan->bodies > 0; i++)
        NC_TRY(nc_put_att_double(fields->file, fields->boundary, ewi_reference[i], NC_DOUBLE, count,
                                 value + i * count));
    return EW_OK;
}

/* A fully periodic domain has none of these variables. */
static int define_boundary(struct ew_fields *fields, const ew_run_plan *plan, const ew_mesh *mesh,
                           const ew_mesh_info *info, ew_error *error)
{
    if (info->boundary_edges == 0)
        return EW_OK;
    int edges;
    NC_TRY(nc_def_dim(fields->file, "n_boundary_edge", (size_t)info->boundary_edges, &edges));
    struct variable variable = {.type = NC_INT, .dimensions = 1, .dimension = {edges},
                                .chunk = {(size_t)info->boundary_edges}};
    variable.name = "boundary_element";
    variable.long_name = "element of the boundary edge, from 0, in the mesh file's order";
    TRY(define_variable(fields, &variable, &fields->boundary_element, error));
    variable.name = "boundary_side";
    variable.long_name = "side of the element: 0, 1, 2 start at its corner 0, 1, 2, counter-clockwise";
    TRY(define_variable(fields, &variable, &fields->boundary_side, error));
    variable.name = "boundary";
    variable.long_name = "the mesh's boundary that the edge belongs to";
    TRY(define_variable(fields, &variable, &fields->boundary, error));
    TRY(put_boundary_names(fields, mesh, info->boundaries, error));
    return put_references(fields, plan, info->boundaries, error);
}

static int define_series(struct ew_fields *fields, const char *prefix, const char *role, int *numbers, ew_error *error)
{
    for (int m = 0; m < fields->variables; m++) {
        struct variable series = {.prefix = prefix, .name = fields->law->conserved[m], .role = role,
                                  .long_name = fields->law->conserved_long[m], .type = NC_DOUBLE, .dimensions = 1,
                                  .dimension = {fields->dimension_time}, .chunk = {SERIES_CHUNK}};
        TRY(define_variable(fields, &series, &numbers[m], error));
    }
    return EW_OK;
}

static int define_frames(struct ew_fields *fields, const ew_solver *solver, ew_error *error)
{
    struct variable time = {.name = "time", .long_name = "time", .type = NC_DOUBLE, .dimensions = 1,
                            .dimension = {fields->dimension_time}, .chunk = {SERIES_CHUNK}};
    TRY(define_variable(fields, &time, &fields->time, error));
    time.name = "step";
    time.long_name = "number of time steps done";
    time.type = NC_INT64;
    TRY(define_variable(fields, &time, &fields->step, error));

    struct variable hash = {.name = "state_hash", .long_name = "hash of the state: equal hashes, equal bits",
                            .type = NC_CHAR, .dimensions = 2, .chunk = {SERIES_CHUNK, HASH_DIGITS}};
    hash.dimension[0] = fields->dimension_time;
    NC_TRY(nc_def_dim(fields->file, "n_hash_digit", HASH_DIGITS, &hash.dimension[1]));
    TRY(define_variable(fields, &hash, &fields->state_hash, error));

    const ew_law *law = fields->law;
    nc_type real = fields->single ? NC_FLOAT : NC_DOUBLE;
    for (int k = 0; k < fields->outputs; k++) {
        struct variable node = {.type = real, .dimensions = 2,
                                .dimension = {fields->dimension_time, fields->dimension_node},
                                .chunk = {1, (size_t)fields->chunk * (size_t)fields->points}, .location = "node"};
        node.name = ew_solver_output(solver, fields->output[k], &node.long_name);
        node.is_linear = ew_solver_output_is_linear(solver, fields->output[k]);
        TRY(define_variable(fields, &node, &fields->node[k], error));
    }
    for (int m = 0; m < fields->means; m++) {
        struct variable mean = {.name = law->conserved[m], .suffix = "_mean", .role = "element mean of ",
                                .long_name = law->conserved_long[m], .type = real, .dimensions = 2,
                                .dimension = {fields->dimension_time, fields->dimension_element},
                                .chunk = {1, (size_t)fields->chunk},
                                .location = fields->subdivide == 1 ? "face" : NULL};
        TRY(define_variable(fields, &mean, &fields->mean[m], error));
    }
    TRY(ewi_raster_define(fields, solver, error));
    TRY(ewi_walls_define(fields, error));
    TRY(define_series(fields, "total_", "integral of ", fields->total, error));
    if (fields->has_errors) {
        TRY(define_series(fields, "error_l2_", "L2 norm of the error of ", fields->error_l2, error));
        TRY(define_series(fields, "error_linf_", "largest error of ", fields->error_linf, error));
    }
    return EW_OK;
}

/* ---- the mesh ---------------------------------------------------------------------------------------------------- */

/* Corners come out exactly, since their weights are 0 and 1. */
static int write_coordinates(struct ew_fields *fields, int variable, const double *xy, const int64_t *triangle,
                             ew_error *error)
{
    double *column = (double *)fields->buffer[0];
    for (int64_t first = 0; first < fields->elements; first += fields->slab) {
        int64_t count = ewi_slab_count(fields, first / fields->slab);
        for (int64_t e = 0; e < count; e++) {
            const int64_t *node = &triangle[3 * (first + e)];
            for (int k = 0; k < fields->points; k++) {
                double r = fields->rs[2 * k], s = fields->rs[2 * k + 1];
                column[e * fields->points + k] =
                    (1 - r - s) * xy[2 * node[0]] + r * xy[2 * node[1]] + s * xy[2 * node[2]];
            }
        }
        size_t start = (size_t)(first * fields->points), length = (size_t)(count * fields->points);
        NC_TRY(nc_put_vara_double(fields->file, variable, &start, &length, column));
    }
    return EW_OK;
}

static int write_face_nodes(struct ew_fields *fields, const int *corner, long long *nodes, ew_error *error)
{
    int corners = 3 * fields->triangles;
    for (int64_t first = 0; first < fields->elements; first += fields->slab) {
        int64_t count = ewi_slab_count(fields, first / fields->slab);
        for (int64_t e = 0; e < count; e++)
            for (int k = 0; k < corners; k++)
                nodes[e * corners + k] = (first + e) * fields->points + corner[k];
        size_t start[2] = {(size_t)(first * fields->triangles), 0},
            length[2] = {(size_t)(count * fields->triangles), 3};
        NC_TRY(nc_put_vara_longlong(fields->file, fields->face_nodes, start, length, nodes));
    }
    return EW_OK;
}

static int write_mesh(struct ew_fields *fields, const ew_mesh *mesh, const ew_mesh_info *info, ew_error *error)
{
    int status;
    struct ewi_arena memory = {.host = fields->memory.host};
    size_t corners = 3 * (size_t)fields->triangles;
    double *xy = ewi_arena_alloc(&memory, 2 * (size_t)info->nodes, sizeof *xy);
    int64_t *triangle = ewi_arena_alloc(&memory, 3 * (size_t)info->elements, sizeof *triangle);
    int *corner = ewi_arena_alloc(&memory, corners, sizeof *corner);
    long long *nodes = ewi_arena_alloc(&memory, corners * (size_t)fields->slab, sizeof *nodes);
    EWI_TRY(memory.lacks ? ewi_fields_no_memory(fields, error) : EW_OK);
    ew_mesh_get_nodes(mesh, xy);
    ew_mesh_get_triangles(mesh, triangle);
    ewi_lattice_triangles(fields->subdivide, corner);
    EWI_TRY(write_coordinates(fields, fields->node_x, xy, triangle, error));
    EWI_TRY(write_coordinates(fields, fields->node_y, xy + 1, triangle, error));
    EWI_TRY(write_face_nodes(fields, corner, nodes, error));
out:
    ewi_arena_free(&memory);
    return status;
}

static int put_edges(struct ew_fields *fields, const int *element, const int *side, const int *boundary,
                     ew_error *error)
{
    NC_TRY(nc_put_var_int(fields->file, fields->boundary_element, element));
    NC_TRY(nc_put_var_int(fields->file, fields->boundary_side, side));
    NC_TRY(nc_put_var_int(fields->file, fields->boundary, boundary));
    return EW_OK;
}

static int write_boundary(struct ew_fields *fields, const ew_mesh *mesh, const ew_mesh_info *info, ew_error *error)
{
    if (info->boundary_edges == 0)
        return EW_OK;
    size_t edges = (size_t)info->boundary_edges;
    int *numbers = ewi_alloc(&fields->memory.host, 3 * edges, sizeof *numbers);
    if (!numbers)
        return ewi_fields_no_memory(fields, error);
    int *element = numbers, *side = numbers + edges, *boundary = numbers + 2 * edges;
    for (size_t e = 0; e < edges; e++) {
        int64_t number = 0;
        int32_t name = 0;
        ew_mesh_boundary_edge(mesh, (int64_t)e, &number, &side[e], &name);
        element[e] = (int)number;
        boundary[e] = name;
    }
    int status = put_edges(fields, element, side, boundary, error);
    ewi_free(&fields->memory.host, numbers);
    return status;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* Writes the buffer without conversion: the file has its type. */
static int write_slab(struct ew_fields *fields, int64_t number, char *slab, ew_error *error)
{
    size_t first = (size_t)(number * fields->slab), count = (size_t)ewi_slab_count(fields, number),
        points = (size_t)fields->points;
    size_t start[2] = {(size_t)fields->frames, first * points}, length[2] = {1, count * points};
    for (int k = 0; k < fields->outputs; k++)
        NC_TRY(nc_put_vara(fields->file, fields->node[k], start, length, ewi_slab_nodes(fields, slab, k)));
    start[1] = first;
    length[1] = count;
    for (int m = 0; m < fields->means; m++)
        NC_TRY(nc_put_vara(fields->file, fields->mean[m], start, length, ewi_slab_means(fields, slab, m)));
    return EW_OK;
}

/* Releases netCDF's lock while it evaluates a slab. */
static int write_slabs(struct ew_fields *fields, ew_error *error)
{
    int64_t nodes = ewi_node_slabs(fields);
    int status = EW_OK;
    for (int64_t k = 0; k < ewi_slab_total(fields) && status == EW_OK; k++) {
        char *slab;
        TRY(ewi_frame_values_get(fields, k, &slab, error));
        ewi_netcdf_begin();
        status = k < nodes ? write_slab(fields, k, slab, error) : ewi_raster_write(fields, k - nodes, slab, error);
        ewi_netcdf_end();
    }
    return status;
}

static int write_series(struct ew_fields *fields, const ew_solver *solver, const ew_norms *norms, uint64_t hash,
                        ew_error *error)
{
    size_t at = (size_t)fields->frames, digit[2] = {at, 0}, digits[2] = {1, HASH_DIGITS};
    char text[HASH_DIGITS + 1];
    ewi_snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    NC_TRY(nc_put_vara_text(fields->file, fields->state_hash, digit, digits, text));
    double time = ew_solver_time(solver);
    long long step = ew_solver_steps(solver);
    NC_TRY(nc_put_var1_double(fields->file, fields->time, &at, &time));
    NC_TRY(nc_put_var1_longlong(fields->file, fields->step, &at, &step));
    TRY(ewi_walls_write(fields, error));
    for (int m = 0; m < fields->variables; m++) {
        NC_TRY(nc_put_var1_double(fields->file, fields->total[m], &at, &norms->total[m]));
        if (fields->has_errors) {
            NC_TRY(nc_put_var1_double(fields->file, fields->error_l2[m], &at, &norms->error_l2[m]));
            NC_TRY(nc_put_var1_double(fields->file, fields->error_linf[m], &at, &norms->error_linf[m]));
        }
    }
    return EW_OK;
}

static int end_frame(struct ew_fields *fields, const ew_solver *solver, const ew_norms *norms, uint64_t hash,
                     ew_error *error)
{
    TRY(write_series(fields, solver, norms, hash, error));
    NC_TRY(nc_sync(fields->file));
    return EW_OK;
}

/* The time comes last: it marks the frame as complete. */
static int write_frame(struct ew_fields *fields, ew_solver *solver, const ew_norms *norms, uint64_t hash,
                       ew_error *error)
{
    TRY(write_slabs(fields, error));
    TRY(ewi_walls_evaluate(&fields->walls, solver, error));
    ewi_frame_values_end(fields);
    ewi_netcdf_begin();
    int status = end_frame(fields, solver, norms, hash, error);
    ewi_netcdf_end();
    return status == EW_OK ? ewi_fields_begin_to_disk(fields, error) : status;
}

static int write_next(struct ew_fields *fields, ew_solver *solver, ew_error *error)
{
    /* These may fail without harm, so they come first. */
    ew_norms norms;
    uint64_t hash;
    ewi_snprintf(fields->doing, sizeof fields->doing, "frame %lld (t = %.6g)", (long long)fields->frames,
                 ew_solver_time(solver));
    TRY(ewi_fields_reserve_frame(fields, error));
    TRY(ewi_frame_values_begin(fields, solver, &norms, &hash, error));
    int status = write_frame(fields, solver, &norms, hash, error);
    if (status == EW_OK) {
        fields->frames++;
        fields->hash = hash;
    } else {
        fields->broken = true;
    }
    return status;
}

int ew_fields_write(ew_fields *fields, ew_solver *solver, ew_error *error)
{
    EWI_REQUIRE(fields, solver);
    TRY(ewi_origin_check(&fields->origin, solver, fields->target.path, error));
    int status = EW_EINVAL;
    if (fields->broken || fields->file < 0)
        ewi_fail(error, EW_EINVAL, "no frame can be added to %s: it was closed, or writing to it failed",
                 fields->target.path);
    else
        status = write_next(fields, solver, error);
    if (status != EW_OK)
        ewi_frame_values_fail(fields);
    return status;
}

void ew_fields_expect(ew_fields *fields, ew_solver *snapshot)
{
    if (fields && snapshot)
        ewi_frame_values_expect(fields, snapshot);
}

/* ---- opening and closing ----------------------------------------------------------------------------------------- */

static int claim_part(struct ew_fields *fields, ew_error *error)
{
    TRY(ewi_target_check(&fields->target, fields->name, error));
    TRY(ewi_target_claim(&fields->target, &fields->descriptor, error));
    fields->owns_part = true;
    return EW_OK;
}

/* Returns fields that have their shape and nothing else. */
static struct ew_fields shape_of(const ew_run_plan *plan, const ew_law *law, int order, int64_t elements)
{
    struct ew_fields fields = {
        .law = law, .variables = law->variables, .elements = elements, .file = -1, .descriptor = -1};
    int s = plan->subdivide > 0 ? plan->subdivide : order;
    ewi_raster_shape(plan, law, &fields.raster);
    bool only = fields.raster.columns > 0 && plan->raster.only;
    fields.outputs = only ? 0 : ewi_plan_outputs(plan, law, fields.output);
    fields.means = only ? 0 : law->variables;
    fields.subdivide = s;
    fields.points = (s + 1) * (s + 2) / 2;
    fields.triangles = s * s;
    fields.single = plan->single != 0;
    fields.real = fields.single ? sizeof(float) : sizeof(double);
    fields.compression = plan->compression;
    ewi_divide(elements, fields.points, fields.compression > 0, &fields.slab, &fields.chunk);
    return fields;
}

static int varies_in_problem(const void *problem, int index)
{
    return ew_problem_output_varies(problem, index);
}

static int varies_in_solver(const void *solver, int index)
{
    return ew_solver_output_varies(solver, index);
}

/* The shape for a problem that has no solver yet. Errors in the problem are reported elsewhere. */
static struct ew_fields shape_of_problem(const ew_run_plan *plan, const ew_problem *problem, const ew_mesh_info *mesh)
{
    const ew_law *law = ew_law_find(problem->law);
    struct ew_fields fields = shape_of(plan, law ? law : ew_law_find(NULL), problem->order > 0 ? problem->order : 1,
                                       mesh->elements);
    ewi_raster_divide(&fields.raster, varies_in_problem, problem);
    return fields;
}

double ew_fields_frame_bytes(const ew_run_plan *plan, const ew_problem *problem, const ew_mesh_info *mesh,
                             double *memory)
{
    if (memory)
        *memory = NAN;
    if (!plan || !problem || !mesh)
        return NAN;
    struct ew_fields fields = shape_of_problem(plan, problem, mesh);
    if (memory)
        *memory = (double)(EWI_SLABS * ewi_slab_bytes(&fields)) + ewi_raster_memory(&fields.raster);
    return (double)fields.elements * (fields.outputs * fields.points + fields.means) * (double)fields.real +
           ewi_raster_frame_bytes(&fields.raster);
}

double ew_fields_mesh_bytes(const ew_run_plan *plan, const ew_problem *problem, const ew_mesh_info *mesh)
{
    if (!plan || !problem || !mesh)
        return NAN;
    struct ew_fields fields = shape_of_problem(plan, problem, mesh);
    return (double)fields.elements * element_bytes(&fields) + 3.0 * sizeof(int) * (double)mesh->boundary_edges +
           ewi_raster_constant_bytes(&fields.raster);
}

static int allocate_buffers(struct ew_fields *fields, ew_error *error)
{
    struct ewi_arena *memory = &fields->memory;
    fields->name = ewi_arena_alloc(memory, ewi_target_room(&fields->target), 1);
    fields->rs = ewi_arena_alloc(memory, 2 * (size_t)fields->points, sizeof(double));
    for (int k = 0; k < EWI_SLABS; k++)
        fields->buffer[k] = ewi_arena_alloc(memory, ewi_slab_bytes(fields), 1);
    return memory->lacks ? ewi_no_memory_to_write(fields->target.path, error) : EW_OK;
}

/* On network file systems our lock keeps HDF5 from taking its own; then HDF5's lock replaces ours. */
static int make_netcdf(struct ew_fields *fields, ew_error *error)
{
    const struct ewi_target *target = &fields->target;
    int code = ewi_netcdf_create(fields->descriptor, target->part, NC_NETCDF4, &fields->file), number = 0;
    bool yields = code != NC_NOERR;
    if (yields) {
        ewi_target_unlock(fields->descriptor);
        errno = 0;
        code = ewi_netcdf_create(fields->descriptor, target->part, NC_NETCDF4, &fields->file);
        number = errno;
    }
    int status = ewi_target_lock(target, fields->descriptor, yields ? NULL : error);
    fields->owns_part = status == EW_OK || (yields && code == NC_NOERR);
    if (code != NC_NOERR)
        return ewi_netcdf_failure(fields, code, number, error);
    return fields->owns_part ? EW_OK : status;
}

static int create_file(struct ew_fields *fields, const ew_run_plan *plan, const ew_solver *solver, ew_error *error)
{
    ew_solver_info solver_info;
    ew_solver_get_info(solver, &solver_info);
    const ew_mesh *mesh = solver_info.mesh;
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    ewi_snprintf(fields->doing, sizeof fields->doing, "the mesh");
    double bytes = mesh_bytes(fields, &info, plan->text);
    TRY(ewi_fields_reserve(fields, bytes, error));
    TRY(make_netcdf(fields, error));
    TRY(ewi_fields_reserve(fields, bytes, error));
    TRY(define_dimensions(fields, error));
    TRY(define_provenance(fields, plan, solver, error));
    TRY(define_mesh(fields, error));
    TRY(define_boundary(fields, plan, mesh, &info, error));
    TRY(define_frames(fields, solver, error));
    NC_TRY(nc_enddef(fields->file));
    TRY(write_mesh(fields, mesh, &info, error));
    TRY(write_boundary(fields, mesh, &info, error));
    TRY(ewi_raster_write_axes(fields, solver, error));
    TRY(ewi_walls_write_places(fields, solver, error));
    NC_TRY(nc_sync(fields->file));
    return ewi_fields_begin_to_disk(fields, error);
}

int ewi_fields_allocate(const ew_host *host, const char *path, const ew_run_plan *plan, const ew_solver *solver,
                        struct ew_fields **fields_, ew_error *error)
{
    int status;
    TRY(ewi_plan_check(plan, solver, error));
    ew_host own = ewi_host_or_default(host);
    struct ew_fields *fields = ewi_alloc(&own, 1, sizeof *fields);
    if (!fields)
        return ewi_no_memory_to_write(path, error);
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    ew_mesh_info mesh;
    ew_mesh_get_info(info.mesh, &mesh);
    *fields = shape_of(plan, info.law, info.order, mesh.elements);
    ewi_raster_divide(&fields->raster, varies_in_solver, solver);
    fields->origin = ewi_origin_of(solver);
    fields->has_errors = info.has_exact;
    fields->memory.host = own;
    ewi_background_init(&fields->disk);
    ewi_frame_values_init(&fields->evaluation);
    EWI_TRY(ewi_target_set(&fields->memory, path, &fields->target, error));
    EWI_TRY(allocate_buffers(fields, error));
    EWI_TRY(ewi_raster_locate(&fields->memory, info.mesh, &fields->raster, error));
    EWI_TRY(ewi_walls_create(&fields->memory, plan, solver, &fields->walls, error));
    ewi_lattice_nodes(fields->subdivide, fields->rs);
out:
    if (status != EW_OK) {
        ew_fields_destroy(fields);
        return status;
    }
    *fields_ = fields;
    return EW_OK;
}

int ewi_fields_begin(struct ew_fields *fields, const ew_run_plan *plan, const ew_solver *solver, ew_error *error)
{
    TRY(claim_part(fields, error));
    return create_file(fields, plan, solver, error);
}

static int finish_file(struct ew_fields *fields, const char *status_text, ew_error *error)
{
    ewi_snprintf(fields->doing, sizeof fields->doing, "the end");
    TRY(ewi_fields_reserve(fields, METADATA, error));
    NC_TRY(ewi_netcdf_put_text(fields->file, NC_GLOBAL, "status", status_text));
    if (fields->frames > 0)
        NC_TRY(ewi_netcdf_put_hash(fields->file, "state_hash", fields->hash));
    int file = fields->file;
    fields->file = -1; /* invalid whatever nc_close returns */
    NC_TRY(nc_close(file));
    return EW_OK;
}

static int give_back_rest(struct ew_fields *fields, ew_error *error)
{
    struct stat whole;
    bool given = fstat(fields->descriptor, &whole) != 0 || ftruncate(fields->descriptor, whole.st_size) == 0;
    return given ? EW_OK : ewi_fields_failure(fields, errno, error);
}

/* Once a resumed run's own file is complete, it no longer needs the earlier one. */
static int publish(struct ew_fields *fields, const char *status_text, ew_error *error)
{
    const struct ewi_target *target = &fields->target;
    bool complete = ewi_target_end_name(target, status_text, fields->name);
    if (complete && fields->aside && ewi_target_has(target, target->path))
        TRY(ewi_target_rename(target, target->path, fields->aside, error));
    TRY(ewi_target_publish(target, fields->descriptor, fields->name, error));
    if (fields->before && strcmp(fields->before, fields->name) != 0)
        ewi_target_remove(target, fields->before);
    for (int k = 0; complete && k < EWI_PARTIALS; k++)
        if (fields->superseded[k])
            ewi_target_remove(target, fields->superseded[k]);
    return EW_OK;
}

int ew_fields_close(ew_fields *fields, const char *status_text, ew_error *error)
{
    EWI_REQUIRE(fields);
    EWI_REQUIRE_AS(status_text, "status");
    if (fields->broken || fields->file < 0)
        return ewi_fail(error, EW_EINVAL, "cannot complete %s: it was closed before, or writing to it failed",
                        fields->target.path);
    fields->broken = true;
    ewi_netcdf_begin();
    int status = finish_file(fields, status_text, error);
    ewi_netcdf_end();
    TRY(status);
    TRY(give_back_rest(fields, error));
    TRY(ewi_fields_to_disk(fields, error)); /* without netCDF's lock */
    fields->owns_part = false;
    status = publish(fields, status_text, error);
    return ewi_target_keep(&fields->target, fields->descriptor, fields->name, status, error);
}

const char *ew_fields_path(const ew_fields *fields)
{
    if (!fields)
        return NULL;
    return fields->owns_part ? fields->target.part : fields->name;
}

/*
 * Removes a file that failed or was not closed. After a failure of netCDF itself, its handle is abandoned: closing
 * would write again and may crash in HDF5. Truncating the file frees its room at once.
 */
static void abandon_file(struct ew_fields *fields)
{
    if (fields->owns_part) {
        ewi_target_remove(&fields->target, fields->target.part);
        if (ftruncate(fields->descriptor, 0) != 0)
            ewi_log(&fields->memory.host, EW_LOG_WARNING, "cannot give back the room of %s: %s", fields->target.part,
                    strerror(errno));
    }
    if (fields->file >= 0 && !fields->lost) {
        ewi_netcdf_begin();
        nc_abort(fields->file);
        ewi_netcdf_end();
    }
}

void ew_fields_destroy(ew_fields *fields)
{
    if (!fields)
        return;
    ewi_frame_values_destroy(&fields->evaluation);
    ewi_background_end(&fields->disk);
    abandon_file(fields);
    if (fields->descriptor >= 0)
        close(fields->descriptor);
    ew_host host = fields->memory.host;
    ewi_target_close(&fields->target);
    ewi_arena_free(&fields->memory);
    ewi_free(&host, fields);
}
