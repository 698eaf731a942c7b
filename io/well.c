/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rasters of many runs in one HDF5 file with the layout of The Well, a collection of data sets for training: fields
 * [trajectory][frame][x][y], vectors with a last index of two, scalars that do not change with time as
 * [trajectory][x][y], and the parameters of each trajectory as scalars.
 *
 * A run's raster comes from its NAME.nc once that is complete. The first member defines the properties that all must
 * share. The file is written as "path.part" and renamed when it is complete. Only one thread at a time calls HDF5, but
 * several threads may transpose and compress members at once.
 */
#include "config.h"
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_file.h"
#include "ewi_hdf5.h"
#include "ewi_host.h"
#include "ewi_text.h"

#ifdef EWI_HAVE_HDF5
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_VARIABLES = EWI_MOST_OUTPUTS, NAME = 128, METADATA = 512 * 1024 };

/* A variable of the rasters, named without their prefix. */
struct variable {
    char name[NAME], long_name[NAME];
    bool varies; /* with time */
};

/* A scalar, or a vector of two variables. */
struct field {
    char name[NAME];
    int components, variable[2];
    bool varies;
    int64_t set;
};

enum side { SIDE_OPEN, SIDE_WALL, SIDE_PERIODIC };

struct ew_well {
    struct ewi_arena memory;
    struct ewi_target target;
    int descriptor;
    struct ewi_hdf5 hdf5;
    const char *name;
    int compression;
    const ew_law *law;
    enum side side[2][2]; /* [x, y][low, high] */
    int64_t members, added;
    bool *has;            /* [members] */
    int values;           /* number of keys, but for those of the law's parameters, and of these */
    int *key;             /* [values - law->parameters]: the keys, as numbers of the caller's */
    const char **value_name;
    double *value;        /* [members][values] */
    /* The properties of the first member: */
    size_t frames, size[2]; /* frames = 0: no member yet */
    double *time, *axis[2];
    int variables, fields;
    struct variable variable[MOST_VARIABLES];
    struct field field[MOST_VARIABLES];
    int64_t group[3]; /* groups of scalars, vectors, tensors */
    int64_t mask;     /* a set, or -1: all cells of all members are in the domain */
};

static int no_memory(const struct ew_well *well, ew_error *error)
{
    return ewi_no_memory_to_write(well->target.part, error);
}

static int hdf5_failed(const struct ew_well *well, int number, ew_error *error)
{
    return ewi_fail(error, ewi_write_code(number), "cannot write %s: %s", well->target.part,
                    number ? ewi_write_error(number) : "HDF5 has failed");
}

static int check_hdf5(const struct ew_well *well, ew_error *error)
{
    return well->hdf5.failed ? hdf5_failed(well, errno, error) : EW_OK;
}

/* ---- the sides of the window ------------------------------------------------------------------------------------- */

struct looking {
    const ew_mesh *mesh;
    const ew_problem *problem;
    const double *xy;
    const int64_t *triangle;
};

static bool is_wall(const struct looking *looking, int32_t boundary)
{
    const char *name = ew_mesh_boundary(looking->mesh, boundary, NULL);
    for (size_t k = 0; k < looking->problem->boundaries; k++) {
        const ew_boundary *that = &looking->problem->boundary[k];
        if (strcmp(that->name, name) == 0)
            return that->kind && (strcmp(that->kind, "wall") == 0 || strcmp(that->kind, "no-slip") == 0 ||
                                  strcmp(that->kind, "symmetry") == 0);
    }
    return false;
}

/* True if side k of the element lies on the line where coordinate d is `extreme`. */
static bool lies_on(const struct looking *looking, int64_t element, int k, int d, double extreme, double slack)
{
    const int64_t *corner = looking->triangle + 3 * element;
    return fabs(looking->xy[2 * corner[k] + d] - extreme) <= slack &&
           fabs(looking->xy[2 * corner[(k + 1) % 3] + d] - extreme) <= slack;
}

/*
 * The kind of the domain's side where coordinate d is `extreme`. If triangles end there without a boundary, the side is
 * periodic.
 */
static enum side side_at(const struct looking *looking, int d, double extreme, double slack)
{
    ew_mesh_info info;
    bool ends = false, bounded = false, walls = true;
    ew_mesh_get_info(looking->mesh, &info);
    for (int64_t e = 0; e < 3 * info.elements && !ends; e++)
        ends = lies_on(looking, e / 3, (int)(e % 3), d, extreme, slack);
    for (int64_t e = 0; e < info.boundary_edges; e++) {
        int64_t element;
        int side;
        int32_t boundary;
        ew_mesh_boundary_edge(looking->mesh, e, &element, &side, &boundary);
        if (!lies_on(looking, element, side, d, extreme, slack))
            continue;
        bounded = true;
        walls = walls && is_wall(looking, boundary);
    }
    return !ends ? SIDE_OPEN : !bounded ? SIDE_PERIODIC : walls ? SIDE_WALL : SIDE_OPEN;
}

static int find_sides(struct ew_well *well, const ew_run_plan *plan, const ew_mesh *mesh, const ew_problem *problem,
                      ew_error *error)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    const double extent[4] = {info.xmin, info.ymin, info.xmax, info.ymax};
    const double *window = plan->raster.window[2] > plan->raster.window[0] ? plan->raster.window : extent;
    struct ewi_arena own = {.host = well->memory.host};
    double *xy = ewi_arena_alloc(&own, 2 * (size_t)info.nodes, sizeof *xy);
    int64_t *triangle = ewi_arena_alloc(&own, 3 * (size_t)info.elements, sizeof *triangle);
    bool lacks = own.lacks;
    if (!lacks) {
        ew_mesh_get_nodes(mesh, xy);
        ew_mesh_get_triangles(mesh, triangle);
    }
    const struct looking looking = {mesh, problem, xy, triangle};
    for (int k = 0; k < 4 && !lacks; k++) {
        double slack = 1e-9 * (extent[2 + k % 2] - extent[k % 2]);
        if (fabs(window[k] - extent[k]) <= slack)
            well->side[k % 2][k / 2] = side_at(&looking, k % 2, extent[k], slack);
    }
    ewi_arena_free(&own);
    return lacks ? no_memory(well, error) : EW_OK;
}

/* ---- contents written once: with netCDF's lock ------------------------------------------------------------------- */

static void put_varying(struct ewi_hdf5 *hdf5, int64_t object, bool by_sample, bool by_time)
{
    ewi_hdf5_put_bool(hdf5, object, "sample_varying", by_sample);
    ewi_hdf5_put_bool(hdf5, object, "time_varying", by_time);
}

static void put_axis(struct ewi_hdf5 *hdf5, int64_t group, const char *name, size_t count, const double *value)
{
    int64_t set = ewi_hdf5_set(hdf5, group, name, &(struct ewi_hdf5_shape){.rank = 1, .size = {count}});
    ewi_hdf5_write(hdf5, set, value);
    put_varying(hdf5, set, false, false);
    ewi_hdf5_end_set(hdf5, set);
}

static void put_dimensions(struct ew_well *well)
{
    static const char *const names[] = {"x", "y"};
    int64_t group = ewi_hdf5_group(&well->hdf5, well->hdf5.file, "dimensions");
    ewi_hdf5_put_texts(&well->hdf5, group, "spatial_dims", 2, names);
    put_axis(&well->hdf5, group, "time", well->frames, well->time);
    for (int d = 0; d < 2; d++)
        put_axis(&well->hdf5, group, names[d], well->size[d], well->axis[d]);
    ewi_hdf5_end_group(&well->hdf5, group);
}

/* Writes one kind of boundary at the ends of an axis that have it. */
static void put_boundary(struct ew_well *well, int64_t parent, int d, enum side side, bool *mask)
{
    static const char *const kinds[] = {"open", "wall", "periodic"}, *const types[] = {"OPEN", "WALL", "PERIODIC"},
                             *const axes[] = {"x", "y"};
    const enum side *own = well->side[d];
    char name[32];
    if (own[0] != side && own[1] != side)
        return;
    memset(mask, 0, well->size[d]);
    mask[0] = own[0] == side;
    mask[well->size[d] - 1] = own[1] == side || (well->size[d] == 1 && mask[0]);
    ewi_snprintf(name, sizeof name, "%s_%s", axes[d], kinds[side]);
    int64_t group = ewi_hdf5_group(&well->hdf5, parent, name);
    ewi_hdf5_put_texts(&well->hdf5, group, "associated_dims", 1, &axes[d]);
    ewi_hdf5_put_texts(&well->hdf5, group, "associated_fields", 0, NULL);
    ewi_hdf5_put_text(&well->hdf5, group, "bc_type", types[side]);
    put_varying(&well->hdf5, group, false, false);
    ewi_hdf5_bools(&well->hdf5, group, "mask", well->size[d], mask);
    ewi_hdf5_end_group(&well->hdf5, group);
}

static int put_boundaries(struct ew_well *well, ew_error *error)
{
    size_t most = well->size[0] > well->size[1] ? well->size[0] : well->size[1];
    bool *mask = ewi_alloc(&well->memory.host, most, sizeof *mask);
    if (!mask)
        return no_memory(well, error);
    int64_t group = ewi_hdf5_group(&well->hdf5, well->hdf5.file, "boundary_conditions");
    for (int d = 0; d < 2; d++)
        for (int side = SIDE_OPEN; side <= SIDE_PERIODIC; side++)
            put_boundary(well, group, d, (enum side)side, mask);
    ewi_hdf5_end_group(&well->hdf5, group);
    ewi_free(&well->memory.host, mask);
    return EW_OK;
}

/* Scalars that vary: [trajectory][frame][x][y]. Those that do not, which all constants are, lack the frame. */
static int rank_of(const struct field *field)
{
    return !field->varies ? 3 : field->components > 1 ? 5 : 4;
}

static void define_field(struct ew_well *well, struct field *field)
{
    struct ewi_hdf5_shape shape = {.rank = rank_of(field),
                                   .size = {(size_t)well->members, well->frames, well->size[0], well->size[1], 2},
                                   .chunk = {1, 1, well->size[0], well->size[1], 2},
                                   .grows = true,
                                   .compression = well->compression};
    if (!field->varies) {
        memmove(&shape.size[1], &shape.size[2], 2 * sizeof *shape.size);
        memmove(&shape.chunk[1], &shape.chunk[2], 2 * sizeof *shape.chunk);
    }
    static const bool both[] = {true, true};
    field->set = ewi_hdf5_set(&well->hdf5, well->group[field->components - 1], field->name, &shape);
    ewi_hdf5_put_bools(&well->hdf5, field->set, "dim_varying", 2, both);
    put_varying(&well->hdf5, field->set, true, field->varies);
}

static int define_all(struct ew_well *well, ew_error *error)
{
    static const char *const names[] = {"t0_fields", "t1_fields", "t2_fields"};
    put_dimensions(well);
    TRY(put_boundaries(well, error));
    for (int k = 0; k < 3; k++)
        well->group[k] = ewi_hdf5_group(&well->hdf5, well->hdf5.file, names[k]);
    for (int k = 0; k < well->fields; k++)
        define_field(well, &well->field[k]);
    return check_hdf5(well, error);
}

/* ---- a member's file: with netCDF's lock ------------------------------------------------------------------------- */

struct source {
    struct ew_well *well;
    const char *path;
    int file; /* netCDF's number, or -1 */
    int number[MOST_VARIABLES];
    struct ewi_arena memory;
    float *value, *image; /* one frame: [y][x] as read, [x][y][component] as written */
    unsigned char *packed; /* the image compressed, or NULL */
};

static int cannot_read(const struct source *source, int code, ew_error *error)
{
    return ewi_fail(error, EW_EIO, "cannot read the raster in %s: %s", source->path,
                    code > 0 ? strerror(code) : nc_strerror(code));
}

#define READ(call)                                        \
    do {                                                  \
        int code_ = (call);                               \
        if (code_ != NC_NOERR)                            \
            return cannot_read(source, code_, error);     \
    } while (0)

/* The length of a one-dimensional variable; its values, if there is room for them. */
static int read_line(const struct source *source, const char *name, size_t *count, double *value, ew_error *error)
{
    int number, dimensions, dimension[NC_MAX_VAR_DIMS];
    READ(nc_inq_varid(source->file, name, &number));
    READ(nc_inq_varndims(source->file, number, &dimensions));
    if (dimensions != 1)
        return cannot_read(source, NC_EVARSIZE, error);
    READ(nc_inq_vardimid(source->file, number, dimension));
    READ(nc_inq_dimlen(source->file, dimension[0], count));
    if (value)
        READ(nc_get_var_double(source->file, number, value));
    return EW_OK;
}

static int take_line(const struct source *source, const char *name, size_t *count, double **value, ew_error *error)
{
    TRY(read_line(source, name, count, NULL, error));
    *value = ewi_arena_alloc(&source->well->memory, *count > 0 ? *count : 1, sizeof **value);
    return *value ? read_line(source, name, count, *value, error) : no_memory(source->well, error);
}

/* True if the variable has one value for each frame and cell, not only for each cell. */
static int read_varies(const struct source *source, int number, bool *varies, ew_error *error)
{
    int dimensions;
    READ(nc_inq_varndims(source->file, number, &dimensions));
    *varies = dimensions != 2;
    return EW_OK;
}

/* Finds the variables "raster_NAME", in file order. */
static int take_variables(const struct source *source, ew_error *error)
{
    static const char prefix[] = "raster_";
    struct ew_well *well = source->well;
    int count;
    READ(nc_inq_nvars(source->file, &count));
    for (int k = 0; k < count && well->variables < MOST_VARIABLES; k++) {
        char name[NC_MAX_NAME + 1];
        struct variable *variable = &well->variable[well->variables];
        READ(nc_inq_varname(source->file, k, name));
        if (strncmp(name, prefix, sizeof prefix - 1) != 0)
            continue;
        ewi_snprintf(variable->name, sizeof variable->name, "%.*s", NAME - 1, name + sizeof prefix - 1);
        if (!ewi_netcdf_text(source->file, k, "long_name", variable->long_name, sizeof variable->long_name))
            variable->long_name[0] = '\0';
        TRY(read_varies(source, k, &variable->varies, error));
        well->variables++;
    }
    return EW_OK;
}

/* "momentum density, x-component" and "momentum density, y-component" are the vector momentum_density. */
static int partner_of(const struct ew_well *well, int k, char *name)
{
    static const char x[] = ", x-component", y[] = ", y-component";
    const char *text = well->variable[k].long_name;
    if (!ewi_ends_in(text, x) || !well->variable[k].varies)
        return -1;
    size_t length = strlen(text) - strlen(x);
    for (int other = 0; other < well->variables; other++) {
        const char *its = well->variable[other].long_name;
        if (strncmp(its, text, length) != 0 || strcmp(its + length, y) != 0 || !well->variable[other].varies)
            continue;
        ewi_snprintf(name, NAME, "%.*s", (int)length, text);
        for (char *c = name; *c; c++)
            *c = *c == ' ' ? '_' : *c;
        return other;
    }
    return -1;
}

static void choose_fields(struct ew_well *well)
{
    bool taken[MOST_VARIABLES] = {false};
    for (int k = 0; k < well->variables; k++) {
        struct field field = {.components = 1, .variable = {k}, .varies = well->variable[k].varies, .set = -1};
        int other = partner_of(well, k, field.name);
        if (taken[k])
            continue;
        if (other >= 0 && !taken[other]) {
            field.components = 2;
            field.variable[1] = other;
            taken[other] = true;
        } else {
            memcpy(field.name, well->variable[k].name, NAME);
        }
        taken[k] = true;
        well->field[well->fields++] = field;
    }
    /* this component came before its vector's x component */
    for (int k = 0; k < well->fields; k++)
        for (int other = 0; other < k; other++)
            if (well->field[k].components > 1 && well->field[other].components == 1 &&
                well->field[other].variable[0] == well->field[k].variable[1])
                well->field[other] = well->field[--well->fields];
}

static int take_first(const struct source *source, ew_error *error)
{
    struct ew_well *well = source->well;
    size_t frames;
    well->variables = well->fields = 0;
    TRY(take_variables(source, error));
    if (well->variables == 0)
        return ewi_fail(error, EW_EINVAL, "%s has no raster", source->path);
    TRY(take_line(source, "x", &well->size[0], &well->axis[0], error));
    TRY(take_line(source, "y", &well->size[1], &well->axis[1], error));
    TRY(take_line(source, "time", &frames, &well->time, error));
    if (frames == 0 || well->size[0] == 0 || well->size[1] == 0)
        return ewi_fail(error, EW_EINVAL, "%s has no frames of a raster", source->path);
    choose_fields(well);
    well->frames = frames;
    return define_all(well, error);
}

static int differs(const struct source *source, const char *what, ew_error *error)
{
    return ewi_fail(error, EW_EINVAL, "%s has another %s than the members before it, and they must share it to be one "
                    "data set", source->path, what);
}

static int check_line(const struct source *source, const char *name, const char *what, size_t wanted,
                      const double *expected, ew_error *error)
{
    size_t count;
    TRY(read_line(source, name, &count, NULL, error));
    if (count != wanted)
        return differs(source, what, error);
    double *value = ewi_alloc(&source->well->memory.host, count, sizeof *value);
    int status = value ? read_line(source, name, &count, value, error) : no_memory(source->well, error);
    if (status == EW_OK && memcmp(value, expected, count * sizeof *value) != 0)
        status = differs(source, what, error);
    ewi_free(&source->well->memory.host, value);
    return status;
}

static int check_lengths(const struct source *source, int number, bool varies, ew_error *error)
{
    const struct ew_well *well = source->well;
    const size_t wanted[3] = {well->frames, well->size[1], well->size[0]};
    int dimensions, dimension[NC_MAX_VAR_DIMS], first = varies ? 0 : 1;
    READ(nc_inq_varndims(source->file, number, &dimensions));
    READ(nc_inq_vardimid(source->file, number, dimension));
    for (int k = first; k < 3; k++) {
        size_t length = 0;
        if (dimensions == 3 - first)
            READ(nc_inq_dimlen(source->file, dimension[k - first], &length));
        if (length != wanted[k])
            return cannot_read(source, NC_EVARSIZE, error);
    }
    return EW_OK;
}

static int find_variables(struct source *source, ew_error *error)
{
    const struct ew_well *well = source->well;
    for (int k = 0; k < well->variables; k++) {
        char name[NAME + 8];
        bool varies = true;
        ewi_snprintf(name, sizeof name, "raster_%s", well->variable[k].name);
        if (nc_inq_varid(source->file, name, &source->number[k]) != NC_NOERR)
            return differs(source, "choice of variables", error);
        TRY(read_varies(source, source->number[k], &varies, error));
        if (varies != well->variable[k].varies)
            return differs(source, "choice of variables that change with time", error);
        TRY(check_lengths(source, source->number[k], varies, error));
    }
    return EW_OK;
}

/* Checks the properties that all members must share, and finds the numbers of variables. */
static int check_source(struct source *source, ew_error *error)
{
    const struct ew_well *well = source->well;
    TRY(check_line(source, "x", "grid", well->size[0], well->axis[0], error));
    TRY(check_line(source, "y", "grid", well->size[1], well->axis[1], error));
    TRY(check_line(source, "time", "choice of frames", well->frames, well->time, error));
    return find_variables(source, error);
}

static int read_parameters(const struct source *source, double *value, ew_error *error)
{
    const ew_law *law = source->well->law;
    for (int k = 0; k < law->parameters; k++) {
        char name[64];
        ewi_snprintf(name, sizeof name, "law_%s", law->parameter[k].name);
        if (!ewi_netcdf_numbers(source->file, name, NC_DOUBLE, 1, &value[k]))
            return cannot_read(source, NC_ENOTATT, error);
    }
    return EW_OK;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static int read_frame(const struct source *source, int k, size_t frame, ew_error *error)
{
    const size_t start[3] = {frame, 0, 0}, count[3] = {1, source->well->size[1], source->well->size[0]};
    int skipped = source->well->variable[k].varies ? 0 : 1;
    ewi_netcdf_begin();
    int code = nc_get_vara_float(source->file, source->number[k], start + skipped, count + skipped, source->value);
    ewi_netcdf_end();
    return code == NC_NOERR ? EW_OK : cannot_read(source, code, error);
}

/* Transposes a component into the image; cells outside the domain are 0. Square tiles stay in the cache. */
static void turn(const struct source *source, int component, int components)
{
    enum { SQUARE = 16 };
    size_t columns = source->well->size[0], rows = source->well->size[1];
    for (size_t i0 = 0; i0 < columns; i0 += SQUARE)
        for (size_t j0 = 0; j0 < rows; j0 += SQUARE)
            for (size_t i = i0; i < columns && i < i0 + SQUARE; i++)
                for (size_t j = j0; j < rows && j < j0 + SQUARE; j++) {
                    float value = source->value[j * columns + i];
                    source->image[(i * rows + j) * (size_t)components + (size_t)component] = isnan(value) ? 0 : value;
                }
}

static int write_image(const struct source *source, const struct field *field, int64_t member, size_t frame,
                       ew_error *error)
{
    struct ew_well *well = source->well;
    const size_t start[5] = {(size_t)member, frame, 0, 0, 0}, constant[3] = {1, well->size[0], well->size[1]},
                 count[5] = {1, 1, well->size[0], well->size[1], 2};
    int rank = rank_of(field);
    size_t values = well->size[0] * well->size[1] * (size_t)field->components;
    size_t bytes = source->packed ? ewi_hdf5_pack(values, source->image, well->compression, source->packed) : 0;
    ewi_netcdf_begin();
    errno = 0;
    if (bytes > 0)
        ewi_hdf5_write_packed(&well->hdf5, field->set, rank, start, bytes, source->packed);
    else
        ewi_hdf5_write_part(&well->hdf5, field->set, rank, start, field->varies ? count : constant,
                            source->image);
    int status = check_hdf5(well, error);
    ewi_netcdf_end();
    return status;
}

/* Creates the set at the first member with cells outside the domain. Without an image, all cells are inside. */
static void write_mask(const struct source *source, int64_t member)
{
    struct ew_well *well = source->well;
    static const bool both[] = {true, true};
    const size_t start[3] = {(size_t)member, 0, 0}, count[3] = {1, well->size[0], well->size[1]};
    if (well->mask < 0) {
        struct ewi_hdf5_shape shape = {.rank = 3, .size = {(size_t)well->members, well->size[0], well->size[1]},
                                       .chunk = {1, well->size[0], well->size[1]}, .grows = true, .fill = 1,
                                       .compression = well->compression};
        well->mask = ewi_hdf5_set(&well->hdf5, well->group[0], "mask", &shape);
        ewi_hdf5_put_bools(&well->hdf5, well->mask, "dim_varying", 2, both);
        put_varying(&well->hdf5, well->mask, true, false);
    }
    ewi_hdf5_write_part(&well->hdf5, well->mask, 3, start, count, source->image);
}

/* Call after reading a first frame, whose values are still in place. */
static int add_mask(const struct source *source, int64_t member, ew_error *error)
{
    size_t columns = source->well->size[0], rows = source->well->size[1], outside = 0;
    for (size_t i = 0; i < columns; i++)
        for (size_t j = 0; j < rows; j++) {
            bool is_outside = isnan(source->value[j * columns + i]);
            source->image[i * rows + j] = !is_outside;
            outside += is_outside;
        }
    if (outside == 0)
        return EW_OK;
    ewi_netcdf_begin();
    errno = 0;
    write_mask(source, member);
    int status = check_hdf5(source->well, error);
    ewi_netcdf_end();
    return status;
}

static int add_field(const struct source *source, const struct field *field, int64_t member, bool masks,
                     ew_error *error)
{
    for (size_t frame = 0; frame < (field->varies ? source->well->frames : 1); frame++) {
        for (int c = 0; c < field->components; c++) {
            TRY(read_frame(source, field->variable[c], frame, error));
            if (masks && frame == 0 && c == 0)
                TRY(add_mask(source, member, error));
            turn(source, c, field->components);
        }
        TRY(write_image(source, field, member, frame, error));
    }
    return EW_OK;
}

static int add_fields(struct source *source, int64_t member, ew_error *error)
{
    struct ew_well *well = source->well;
    size_t cells = well->size[0] * well->size[1];
    source->value = ewi_arena_alloc(&source->memory, cells, sizeof *source->value);
    source->image = ewi_arena_alloc(&source->memory, 2 * cells, sizeof *source->image);
    size_t room = well->compression > 0 ? ewi_hdf5_packed_room(2 * cells) : 0;
    source->packed = room > 0 ? ewi_arena_alloc(&source->memory, room, 1) : NULL;
    if (source->memory.lacks)
        return no_memory(well, error);
    int number = ewi_reserve_room(well->descriptor,
                                  (double)cells * (double)well->frames * well->variables * sizeof(float) + METADATA,
                                  &(bool){false});
    if (number != 0)
        return hdf5_failed(well, number, error);
    for (int k = 0; k < well->fields; k++)
        TRY(add_field(source, &well->field[k], member, k == 0, error));
    return EW_OK;
}

/* Call with netCDF's lock. */
static int open_source(struct source *source, int descriptor, double *parameter, ew_error *error)
{
    READ(ewi_netcdf_open(descriptor, source->path, &source->file));
    if (source->well->frames == 0)
        TRY(take_first(source, error));
    TRY(check_source(source, error));
    return read_parameters(source, parameter, error);
}

static int add_source(struct source *source, int64_t member, const double *value, ew_error *error)
{
    struct ew_well *well = source->well;
    int kept = well->values - well->law->parameters;
    double parameter[EW_MAX_PARAMETERS];
    int descriptor = ewi_open_regular(source->path);
    if (descriptor < 0)
        return ewi_fail(error, EW_EIO, "cannot open %s: %s", source->path, ewi_open_error(errno));
    ewi_netcdf_begin();
    errno = 0;
    int status = open_source(source, descriptor, parameter, error);
    ewi_netcdf_end();
    if (status == EW_OK)
        status = add_fields(source, member, error);
    ewi_netcdf_begin();
    if (source->file >= 0)
        nc_close(source->file);
    if (status == EW_OK) {
        double *own = well->value + (size_t)member * (size_t)well->values;
        for (int k = 0; k < kept; k++)
            own[k] = value[well->key[k]];
        memcpy(own + kept, parameter, (size_t)well->law->parameters * sizeof *own);
        well->has[member] = true;
        well->added++;
    }
    ewi_netcdf_end();
    close(descriptor);
    return status;
}

int ew_well_add(ew_well *well, int64_t member, const char *fields, const double *value, ew_error *error)
{
    EWI_REQUIRE(well, fields);
    if (member < 0 || member >= well->members || well->has[member])
        return ewi_fail(error, EW_EINVAL, "trajectory %lld is not one of %lld, or it has been added", (long long)member,
                        (long long)well->members);
    if (well->values > well->law->parameters)
        EWI_REQUIRE(value);
    if (well->hdf5.failed || well->hdf5.file < 0)
        return ewi_fail(error, EW_EINVAL, "nothing can be added to %s: it was closed, or writing to it failed",
                        well->target.path);
    struct source source = {.well = well, .path = fields, .file = -1, .memory = {.host = well->memory.host}};
    int status = add_source(&source, member, value, error);
    ewi_arena_free(&source.memory);
    return status;
}

/* ---- the end: with netCDF's lock --------------------------------------------------------------------------------- */

/* Moves the data of one field; the image has room for the largest. */
static void move(struct ew_well *well, int64_t set, int rank, const size_t *count, int64_t from, int64_t to,
                 float *image)
{
    size_t start[EWI_HDF5_RANK] = {0};
    for (size_t frame = 0; frame < (rank > 3 ? well->frames : 1); frame++) {
        start[1] = rank > 3 ? frame : 0;
        start[0] = (size_t)from;
        ewi_hdf5_read_part(&well->hdf5, set, rank, start, count, image);
        start[0] = (size_t)to;
        ewi_hdf5_write_part(&well->hdf5, set, rank, start, count, image);
    }
}

/* Closes the gaps that missing members left. */
static void close_set(struct ew_well *well, int64_t set, int rank, float *image)
{
    const size_t count[EWI_HDF5_RANK] = {1, rank > 3 ? 1 : well->size[0], rank > 3 ? well->size[0] : well->size[1],
                                         well->size[1], 2};
    size_t size[EWI_HDF5_RANK] = {(size_t)well->added, rank > 3 ? well->frames : well->size[0],
                                  rank > 3 ? well->size[0] : well->size[1], well->size[1], 2};
    int64_t to = 0;
    for (int64_t from = 0; from < well->members; from++) {
        if (well->has[from] && to < from)
            move(well, set, rank, count, from, to, image);
        to += well->has[from];
    }
    if (well->added < well->members)
        ewi_hdf5_resize(&well->hdf5, set, rank, size);
    ewi_hdf5_end_set(&well->hdf5, set);
}

static int close_fields(struct ew_well *well, ew_error *error)
{
    const char *names[3][MOST_VARIABLES + 1];
    size_t count[3] = {0, 0, 0};
    float *image = ewi_alloc(&well->memory.host, 2 * well->size[0] * well->size[1], sizeof *image);
    if (!image)
        return no_memory(well, error);
    for (int k = 0; k < well->fields; k++) {
        int order = well->field[k].components - 1;
        close_set(well, well->field[k].set, rank_of(&well->field[k]), image);
        names[order][count[order]++] = well->field[k].name;
    }
    if (well->mask >= 0) {
        close_set(well, well->mask, 3, image);
        names[0][count[0]++] = "mask";
    }
    for (int k = 0; k < 3; k++) {
        ewi_hdf5_put_texts(&well->hdf5, well->group[k], "field_names", count[k], names[k]);
        ewi_hdf5_end_group(&well->hdf5, well->group[k]);
    }
    ewi_free(&well->memory.host, image);
    return EW_OK;
}

/* Collects value k of the added members, in order; returns true if all are equal. */
static bool collect(const struct ew_well *well, int k, double *line)
{
    bool same = true;
    int64_t count = 0;
    for (int64_t m = 0; m < well->members; m++) {
        if (!well->has[m])
            continue;
        line[count] = well->value[m * well->values + k];
        same = same && line[count] == line[0];
        count++;
    }
    return same;
}

/* Numbers that are equal for all members are also attributes of the file. */
static int put_scalars(struct ew_well *well, ew_error *error)
{
    double *line = ewi_alloc(&well->memory.host, (size_t)well->added, sizeof *line);
    const char **common = ewi_alloc(&well->memory.host, (size_t)well->values + 1, sizeof *common);
    size_t commons = 0;
    int64_t group = line && common ? ewi_hdf5_group(&well->hdf5, well->hdf5.file, "scalars") : -1;
    for (int k = 0; line && common && k < well->values; k++) {
        bool same = collect(well, k, line);
        int64_t set = ewi_hdf5_set(&well->hdf5, group, well->value_name[k],
                                   &(struct ewi_hdf5_shape){.rank = same ? 0 : 1, .size = {(size_t)well->added}});
        ewi_hdf5_write(&well->hdf5, set, line);
        put_varying(&well->hdf5, set, !same, false);
        ewi_hdf5_end_set(&well->hdf5, set);
        if (same) {
            ewi_hdf5_put_number(&well->hdf5, well->hdf5.file, well->value_name[k], line[0]);
            common[commons++] = well->value_name[k];
        }
    }
    if (group >= 0) {
        ewi_hdf5_put_texts(&well->hdf5, group, "field_names", (size_t)well->values, well->value_name);
        ewi_hdf5_end_group(&well->hdf5, group);
        ewi_hdf5_put_texts(&well->hdf5, well->hdf5.file, "simulation_parameters", commons, common);
    }
    bool lacks = !line || !common;
    ewi_free(&well->memory.host, common);
    ewi_free(&well->memory.host, line);
    return lacks ? no_memory(well, error) : EW_OK;
}

static int finish(struct ew_well *well, ew_error *error)
{
    char source[64];
    ewi_snprintf(source, sizeof source, "edgewise %s", ew_version());
    TRY(close_fields(well, error));
    TRY(put_scalars(well, error));
    ewi_hdf5_put_text(&well->hdf5, well->hdf5.file, "dataset_name", well->name);
    ewi_hdf5_put_text(&well->hdf5, well->hdf5.file, "grid_type", "cartesian");
    ewi_hdf5_put_integer(&well->hdf5, well->hdf5.file, "n_spatial_dims", 2);
    ewi_hdf5_put_integer(&well->hdf5, well->hdf5.file, "n_trajectories", well->added);
    ewi_hdf5_put_text(&well->hdf5, well->hdf5.file, "source", source);
    ewi_hdf5_close(&well->hdf5);
    return check_hdf5(well, error);
}

int ew_well_close(ew_well *well, ew_error *error)
{
    EWI_REQUIRE(well);
    struct stat whole;
    if (well->hdf5.failed || well->hdf5.file < 0 || well->added == 0)
        return ewi_fail(error, EW_EINVAL, "%s does not become a file: %s", well->target.path,
                        well->hdf5.failed ? "writing to it failed"
                        : well->added > 0 ? "it was closed before" : "it has no trajectories");
    ewi_netcdf_begin();
    errno = 0;
    int status = finish(well, error);
    ewi_netcdf_end();
    TRY(status);
    /* releases the reserve */
    if (fstat(well->descriptor, &whole) == 0 && ftruncate(well->descriptor, whole.st_size) != 0)
        return hdf5_failed(well, errno, error);
    int number = ewi_sync(well->descriptor);
    if (number != 0)
        return hdf5_failed(well, number, error);
    status = ewi_target_publish(&well->target, well->descriptor, well->target.path, error);
    status = ewi_target_keep(&well->target, well->descriptor, NULL, status, error);
    close(well->descriptor);
    well->descriptor = -1;
    return status;
}

/* ---- begin and abandon ------------------------------------------------------------------------------------------- */

/* True for "law.gamma" and the like, which the law's parameters have already. */
static bool is_parameter(const ew_law *law, const char *key)
{
    for (int k = 0; k < law->parameters; k++)
        if (strncmp(key, "law.", 4) == 0 && strcmp(key + 4, law->parameter[k].name) == 0)
            return true;
    return false;
}

static int copy_names(struct ew_well *well, int keys, const char *const *key, ew_error *error)
{
    int kept = 0;
    well->key = ewi_arena_alloc(&well->memory, (size_t)keys + 1, sizeof *well->key);
    for (int k = 0; !well->memory.lacks && k < keys; k++)
        if (!is_parameter(well->law, key[k]))
            well->key[kept++] = k;
    well->values = kept + well->law->parameters;
    well->value_name = ewi_arena_alloc(&well->memory, (size_t)well->values + 1, sizeof *well->value_name);
    well->value = ewi_arena_alloc(&well->memory, (size_t)well->members * (size_t)well->values + 1,
                                  sizeof *well->value);
    well->has = ewi_arena_alloc(&well->memory, (size_t)well->members, sizeof *well->has);
    for (int k = 0; !well->memory.lacks && k < well->values; k++)
        well->value_name[k] = ewi_arena_strdup(&well->memory, k < kept ? key[well->key[k]]
                                                                       : well->law->parameter[k - kept].name);
    return well->memory.lacks ? no_memory(well, error) : EW_OK;
}

static int create_part(struct ew_well *well, ew_error *error)
{
    const struct ewi_target *target = &well->target;
    TRY(ewi_target_check(target, NULL, error));
    TRY(ewi_target_claim(target, &well->descriptor, error));
    char name[EWI_NETCDF_NAME];
    ewi_netcdf_begin();
    int number = ewi_netcdf_name(well->descriptor, target->part, name);
    if (number == 0)
        ewi_hdf5_create(&well->hdf5, name);
    int status = number ? ewi_target_failed(target->part, number, error) : check_hdf5(well, error);
    ewi_netcdf_end();
    return status == EW_OK ? ewi_target_lock(target, well->descriptor, error) : status;
}

static int begin(struct ew_well *well, const char *path, const ew_run_plan *plan, const ew_mesh *mesh,
                 const ew_problem *problem, int keys, const char *const *key, ew_error *error)
{
    TRY(ewi_target_set(&well->memory, path, &well->target, error));
    well->name = ewi_arena_strdup(&well->memory, plan->name);
    if (well->memory.lacks)
        return no_memory(well, error);
    TRY(copy_names(well, keys, key, error));
    TRY(find_sides(well, plan, mesh, problem, error));
    return create_part(well, error);
}

static int check_given(const ew_run_plan *plan, const ew_problem *problem, int64_t members, int keys,
                       const char *const *key, ew_error *error)
{
    if (!ew_law_find(problem->law) || members < 1 || members > EW_MOST_MEMBERS || !plan->name)
        return ewi_fail(error, EW_EINVAL, "a data set needs a law, a name, and 1 to %d members", (int)EW_MOST_MEMBERS);
    if (keys < 0 || keys > EW_MOST_KEYS || (keys > 0 && !key))
        return ewi_fail(error, EW_EINVAL, "a data set cannot have %d keys; it can have 0 to %d, and their names", keys,
                        (int)EW_MOST_KEYS);
    for (int k = 0; k < keys; k++)
        if (!key[k])
            return ewi_fail(error, EW_EINVAL, "key %d of the data set has no name", k);
    if (plan->raster.cells[0] == 0)
        return ewi_fail(error, EW_EINVAL, "a data set is made of rasters, and the case has no output.raster");
    TRY(ewi_plan_check_compression(plan, error));
    return ewi_plan_check_raster(plan, ewi_problem_output_name, problem, error);
}

int ew_well_create(const ew_host *host, const char *path, const ew_run_plan *plan, const ew_mesh *mesh,
                   const ew_problem *problem, int64_t members, int keys, const char *const *key, ew_well **result,
                   ew_error *error)
{
    EWI_REQUIRE(path, plan, mesh, problem);
    EWI_REQUIRE_AS(result, "well");
    const ew_law *law = ew_law_find(problem->law);
    TRY(check_given(plan, problem, members, keys, key, error));
    ew_host own = ewi_host_or_default(host);
    struct ew_well *well = ewi_alloc(&own, 1, sizeof *well);
    if (!well)
        return ewi_no_memory_to_write(path, error);
    *well = (struct ew_well){.memory = {.host = own}, .target = {.folder = -1}, .descriptor = -1,
                             .hdf5 = {.file = -1}, .law = law, .compression = plan->compression, .members = members,
                             .mask = -1};
    int status = begin(well, path, plan, mesh, problem, keys, key, error);
    if (status != EW_OK)
        ew_well_destroy(well);
    else
        *result = well;
    return status;
}

/* Closing after a failure may crash in HDF5. Truncating the file frees its room at once. */
void ew_well_destroy(ew_well *well)
{
    if (!well)
        return;
    if (well->descriptor >= 0) {
        if (ewi_is_file(well->descriptor, well->target.folder, ewi_file_name(well->target.part)))
            ewi_target_remove(&well->target, well->target.part);
        ewi_netcdf_begin();
        ewi_hdf5_close(&well->hdf5);
        ewi_netcdf_end();
        if (ftruncate(well->descriptor, 0) != 0)
            ewi_log(&well->memory.host, EW_LOG_WARNING, "cannot give back the room of %s: %s", well->target.part,
                    strerror(errno));
        close(well->descriptor);
    }
    ew_host host = well->memory.host;
    ewi_target_close(&well->target);
    ewi_arena_free(&well->memory);
    ewi_free(&host, well);
}

#else

int ew_well_create(const ew_host *host, const char *path, const ew_run_plan *plan, const ew_mesh *mesh,
                   const ew_problem *problem, int64_t members, int keys, const char *const *key, ew_well **result,
                   ew_error *error)
{
    (void)host, (void)plan, (void)mesh, (void)problem, (void)members, (void)keys, (void)key, (void)result;
    return ewi_fail(error, EW_EUNAVAILABLE, "%s cannot be written: this edgewise is built without HDF5", path);
}

int ew_well_add(ew_well *well, int64_t member, const char *fields, const double *value, ew_error *error)
{
    (void)well, (void)member, (void)fields, (void)value;
    return ewi_fail(error, EW_EUNAVAILABLE, "this edgewise is built without HDF5");
}

int ew_well_close(ew_well *well, ew_error *error)
{
    (void)well;
    return ewi_fail(error, EW_EUNAVAILABLE, "this edgewise is built without HDF5");
}

void ew_well_destroy(ew_well *well)
{
    (void)well;
}
#endif
