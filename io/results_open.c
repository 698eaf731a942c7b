/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens NAME.nc and checks that its contents fit together. Nothing in the file is trusted. */
#include "ewi_results.h"
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_file.h"
#include "ewi_hints.h"
#include "ewi_host.h"
#include "ewi_lattice.h"
#include "ewi_text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLAB_VALUES = 512 * 1024, MOST_SUBDIVIDE = 100, LONGEST_TEXT = 65536 };

/* A few relative rounding errors of data recovered from double or single precision. */
static const double DOUBLE_ROUNDING = 1e-13, SINGLE_ROUNDING = 1e-6;

static int damaged(const struct ew_results *results, ew_error *error, const char *what)
{
    return ewi_fail(error, EW_EIO, "%s is damaged, or was changed by another program: %s", results->path, what);
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

/* EW_OK and NULL if there is no such text. */
static int get_text(struct ew_results *results, const char *name, char **text, ew_error *error)
{
    int code = ewi_netcdf_read_text(&results->memory, results->file, name, LONGEST_TEXT, text);
    return code == NC_NOERR ? EW_OK : ewi_results_failure(results, code, name, error);
}

/* Reads a short text attribute of a variable: truncated if it is too long, empty if the attribute is missing. */
static void get_short_text(const struct ew_results *results, int variable, const char *name, char *text, size_t size)
{
    char whole[1024];
    bool there = ewi_netcdf_text(results->file, variable, name, whole, sizeof whole);
    ewi_snprintf(text, size, "%.*s", (int)size - 1, there ? whole : "");
}

/* Reads a number from `least` to `most`. */
static bool get_int(const struct ew_results *results, const char *name, int least, int most, int *value)
{
    int64_t number;
    bool good = ewi_netcdf_integer(results->file, name, NC_NAT, &number) && number >= least && number <= most;
    *value = good ? (int)number : 0;
    return good;
}

static bool get_dimension(const struct ew_results *results, const char *name, int *number, size_t *length)
{
    return nc_inq_dimid(results->file, name, number) == NC_NOERR &&
           nc_inq_dimlen(results->file, *number, length) == NC_NOERR;
}

/* ---- the kind of file -------------------------------------------------------------------------------------------- */

static int open_file(struct ew_results *results, ew_error *error)
{
    struct stat file;
    results->descriptor = ewi_open_regular(results->path);
    if (results->descriptor < 0 || fstat(results->descriptor, &file) != 0)
        return ewi_fail(error, EW_EIO, "cannot read %s: %s", results->path, ewi_open_error(errno));
    if (file.st_size == 0)
        return ewi_fail(error, EW_EIO, "%s is empty", results->path);
    int code = ewi_netcdf_open(results->descriptor, results->path, &results->file);
    if (code == NC_NOERR)
        return EW_OK;
    results->file = -1;
    if (code == NC_ENOMEM)
        return ewi_results_no_memory(results, error);
    if (code == NC_ENOTNC)
        return ewi_fail(error, EW_EIO, "%s is not a netCDF file; edgewise writes its fields to NAME.nc", results->path);
    if (code > 0)
        return ewi_fail(error, EW_EIO, "cannot read %s: %s", results->path, strerror(code));
    if (code == NC_EDIMSIZE)
        return ewi_fail(error, EW_EIO, "%s is damaged: it announces more values than a file of its size can have",
                        results->path);
    return ewi_fail(error, EW_EIO, "%s is damaged or cut short (%s)", results->path, nc_strerror(code));
}

static int check_format(struct ew_results *results, ew_error *error)
{
    int format;
    char kind[64];
    get_short_text(results, NC_GLOBAL, "kind", kind, sizeof kind);
    results->is_restart = strcmp(kind, "edgewise restart") == 0;
    if (results->is_restart)
        return EW_OK;
    if (!get_int(results, "edgewise_format", INT_MIN, INT_MAX, &format)) {
        char *source;
        TRY(get_text(results, "source", &source, error));
        return ewi_fail(error, EW_EIO, "%s does not have the fields of an edgewise run: it has no attribute "
                        "edgewise_format (source: %s)", results->path, source ? source : "not said");
    }
    if (format > EWI_FIELDS_FORMAT)
        return ewi_fail(error, EW_EUNAVAILABLE, "%s was written by edgewise %s in format %d, but this is edgewise %s, "
                        "which knows formats up to %d: use the newer one", results->path,
                        results->version ? results->version : "of a later version", format, ew_version(),
                        EWI_FIELDS_FORMAT);
    return format >= 1 ? EW_OK : damaged(results, error, "edgewise_format is less than 1");
}

static int read_head(struct ew_results *results, ew_error *error)
{
    char *law;
    TRY(get_text(results, "edgewise_version", &results->version, error));
    TRY(check_format(results, error));
    TRY(get_text(results, "title", &results->title, error));
    TRY(get_text(results, "case_name", &results->case_name, error));
    TRY(get_text(results, "status", &results->status, error));
    if (results->is_restart)
        return EW_OK;
    TRY(get_text(results, "law", &law, error));
    results->law = law ? ew_law_find(law) : NULL;
    if (!get_int(results, "order", 0, MOST_SUBDIVIDE, &results->order))
        return damaged(results, error, "its attribute order is missing or wrong");
    if (!get_int(results, "subdivide", 1, MOST_SUBDIVIDE, &results->subdivide))
        return damaged(results, error, "its attribute subdivide is missing or wrong");
    return EW_OK;
}

/* ---- the mesh and the frames ------------------------------------------------------------------------------------- */

static bool has_shape(const struct ew_results *results, int variable, int dimensions, int first, int second)
{
    int count, ids[NC_MAX_VAR_DIMS];
    nc_type type;
    return nc_inq_varndims(results->file, variable, &count) == NC_NOERR && count == dimensions &&
           nc_inq_vardimid(results->file, variable, ids) == NC_NOERR && ids[0] == first &&
           (dimensions < 2 || ids[1] == second) && nc_inq_vartype(results->file, variable, &type) == NC_NOERR &&
           type <= NC_MAX_ATOMIC_TYPE && type != NC_CHAR && type != NC_STRING;
}

static int64_t smaller_slab(const struct ew_results *results)
{
    int64_t most = SLAB_VALUES / results->points > 1 ? SLAB_VALUES / results->points : 1;
    return most < results->elements ? most : results->elements;
}

/* A slab has the elements of a chunk, so that no chunk is decompressed twice. */
static void choose_slab(struct ew_results *results)
{
    int storage;
    size_t chunk[2];
    results->slab = smaller_slab(results);
    if (results->has_state && nc_inq_var_chunking(results->file, results->state[0], &storage, chunk) == NC_NOERR &&
        storage == NC_CHUNKED && chunk[1] >= (size_t)results->points && chunk[1] <= SLAB_VALUES)
        results->slab = (int64_t)(chunk[1] / (size_t)results->points);
    if (results->slab > results->elements)
        results->slab = results->elements;
}

static int read_shape(struct ew_results *results, int *node, int *face, ew_error *error)
{
    size_t nodes, faces;
    int s = results->subdivide;
    results->points = (s + 1) * (s + 2) / 2;
    results->faces = s * s;
    if (!get_dimension(results, "n_node", node, &nodes) || !get_dimension(results, "n_face", face, &faces))
        return damaged(results, error, "it has no dimensions n_node and n_face");
    if (nodes == 0 || nodes % (size_t)results->points || nodes > INT64_MAX / 64 ||
        nodes / (size_t)results->points * (size_t)results->faces != faces)
        return damaged(results, error, "n_node and n_face do not fit its attribute subdivide");
    results->elements = (int64_t)(nodes / (size_t)results->points);
    if (nc_inq_varid(results->file, "mesh_node_x", &results->node_x) != NC_NOERR ||
        nc_inq_varid(results->file, "mesh_node_y", &results->node_y) != NC_NOERR ||
        !has_shape(results, results->node_x, 1, *node, 0) || !has_shape(results, results->node_y, 1, *node, 0))
        return damaged(results, error, "its coordinates mesh_node_x and mesh_node_y are missing or not as they should "
                       "be");
    return EW_OK;
}

/* A frame that a running or killed run has not finished has no time. */
static int read_times(struct ew_results *results, int time, size_t length, ew_error *error)
{
    int variable, code;
    if (length > INT64_MAX / 64 || nc_inq_varid(results->file, "time", &variable) != NC_NOERR ||
        !has_shape(results, variable, 1, time, 0))
        return damaged(results, error, "its variable time is missing or not as it should be");
    results->time = ewi_arena_alloc(&results->memory, length, sizeof *results->time);
    results->step = ewi_arena_alloc(&results->memory, length, sizeof *results->step);
    if (!results->time || !results->step)
        return ewi_results_no_memory(results, error);
    size_t start = 0;
    if (length > 0 && (code = nc_get_vara_double(results->file, variable, &start, &length, results->time)) != NC_NOERR)
        return ewi_results_failure(results, code, "time", error);
    if (nc_inq_varid(results->file, "step", &variable) == NC_NOERR && has_shape(results, variable, 1, time, 0) &&
        length > 0) {
        long long *step = ewi_alloc(&results->host, length, sizeof *step);
        if (!step)
            return ewi_results_no_memory(results, error);
        code = nc_get_vara_longlong(results->file, variable, &start, &length, step);
        for (size_t k = 0; k < length; k++)
            results->step[k] = step[k];
        ewi_free(&results->host, step);
        if (code != NC_NOERR)
            return ewi_results_failure(results, code, "step", error);
    }
    while (length > 0 && (!isfinite(results->time[length - 1]) || results->time[length - 1] == NC_FILL_DOUBLE))
        length--;
    results->frames = (int64_t)length;
    return EW_OK;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static struct ewi_field *add_field(struct ew_results *results, const char *name, int variable, enum ewi_field_kind kind)
{
    struct ewi_field *field = &results->field[results->fields++];
    *field = (struct ewi_field){.kind = kind, .variable = variable};
    ewi_snprintf(field->name, sizeof field->name, "%.*s", (int)sizeof field->name - 1, name);
    if (variable >= 0) {
        get_short_text(results, variable, "long_name", field->long_name, sizeof field->long_name);
        get_short_text(results, variable, "units", field->units, sizeof field->units);
    }
    if (field->long_name[0] == '\0')
        ewi_snprintf(field->long_name, sizeof field->long_name, "%s", field->name);
    if (strcmp(field->units, "1") == 0)
        field->units[0] = '\0';
    return field;
}

static struct ewi_field *field_of_name(const struct ew_results *results, const char *name)
{
    for (int k = 0; k < results->fields; k++)
        if (strcmp(results->field[k].name, name) == 0)
            return &results->field[k];
    return NULL;
}

static bool get_parameters(struct ew_results *results)
{
    const ew_law *law = results->law;
    bool good = true;
    for (int k = 0; good && k < law->parameters; k++) {
        char name[64];
        ewi_snprintf(name, sizeof name, "law_%s", law->parameter[k].name);
        good = ewi_netcdf_numbers(results->file, name, NC_NAT, 1, &results->parameter[k]) &&
               results->parameter[k] > law->parameter[k].above;
    }
    return good;
}

/* The state is known if the law, its parameters and all primitive variables are; a file does not have media. */
static void find_state(struct ew_results *results)
{
    const ew_law *law = results->law;
    results->has_state = law && !law->media;
    for (int m = 0; law && m < law->variables; m++) {
        const struct ewi_field *field = field_of_name(results, law->primitive[m]);
        results->has_state = results->has_state && field && field->kind == EWI_FIELD_NODES;
        results->state[m] = field ? field->variable : -1;
    }
    results->has_state = results->has_state && get_parameters(results);
}

/* Adds a conserved variable that the file does not have under its name. */
static void add_conserved(struct ew_results *results, int m)
{
    struct ewi_field *field = add_field(results, results->law->conserved[m], -1, EWI_FIELD_STATE);
    ewi_snprintf(field->long_name, sizeof field->long_name, "%s", results->law->conserved_long[m]);
    field->component = m;
}

/* Adds quantities that follow from the state and are not in the file. */
static void add_derived(struct ew_results *results)
{
    const ew_law *law = results->law;
    for (int k = 0; k < EW_MAX_DERIVED && law->derived[k]; k++) {
        if (field_of_name(results, law->derived[k]))
            continue;
        struct ewi_field *field = add_field(results, law->derived[k], -1, EWI_FIELD_STATE);
        ewi_snprintf(field->long_name, sizeof field->long_name, "%s", law->derived_long[k]);
        field->component = k;
        field->derived = true;
    }
}

static void add_state_fields(struct ew_results *results)
{
    const ew_law *law = results->law;
    for (int m = 0; m < law->variables; m++) {
        struct ewi_field *field = field_of_name(results, law->primitive[m]);
        bool same = strcmp(law->primitive[m], law->conserved[m]) == 0;
        field->kind = same ? EWI_FIELD_NODES : EWI_FIELD_STATE;
        field->exact = same;
        field->primitive = true;
        field->component = m;
    }
    for (int m = 0; m < law->variables; m++) {
        struct ewi_field *field = field_of_name(results, law->conserved[m]);
        if (!field)
            add_conserved(results, m);
        else if (field->kind == EWI_FIELD_NODES)
            field->exact = true;
    }
    add_derived(results);
}

static bool is_linear(int file, int variable)
{
    char text[32];
    return ewi_netcdf_text(file, variable, EWI_INTERPOLATION, text, sizeof text) && strcmp(text, EWI_LINEAR) == 0;
}

static void classify(struct ew_results *results, int variable, int time, int node, int face, int element)
{
    char name[NC_MAX_NAME + 1];
    nc_type type;
    if (nc_inq_varname(results->file, variable, name) != NC_NOERR ||
        nc_inq_vartype(results->file, variable, &type) != NC_NOERR || strlen(name) >= sizeof results->field->name)
        return;
    if (has_shape(results, variable, 2, time, node)) {
        add_field(results, name, variable, EWI_FIELD_NODES)->linear = is_linear(results->file, variable);
        results->single = results->single || type == NC_FLOAT;
        if (results->single)
            results->rounding = SINGLE_ROUNDING;
    } else if (has_shape(results, variable, 2, time, face))
        add_field(results, name, variable, EWI_FIELD_FACES)->faces = results->faces;
    else if (element >= 0 && has_shape(results, variable, 2, time, element))
        add_field(results, name, variable, EWI_FIELD_FACES)->faces = 1;
}

static int read_fields(struct ew_results *results, int time, int node, int face, ew_error *error)
{
    int variables, element;
    size_t elements;
    int code = nc_inq_nvars(results->file, &variables);
    if (code != NC_NOERR)
        return ewi_results_failure(results, code, "its list of variables", error);
    if (!get_dimension(results, "n_element", &element, &elements) || elements != (size_t)results->elements)
        element = -1;
    results->field = ewi_arena_alloc(&results->memory, (size_t)variables + EW_MAX_VARIABLES + EW_MAX_DERIVED + 1,
                                     sizeof *results->field);
    if (!results->field)
        return ewi_results_no_memory(results, error);
    for (int k = 0; k < variables; k++)
        classify(results, k, time, node, face, element);
    find_state(results);
    if (results->has_state)
        add_state_fields(results);
    if (results->fields > 0)
        return EW_OK;
    return nc_inq_attid(results->file, NC_GLOBAL, EWI_RASTER_WINDOW, &variables) == NC_NOERR
               ? ewi_fail(error, EW_EIO, "%s has no values at nodes, only a raster: its case says \"only\" in "
                          "output.raster; run it without that to plot or export the fields, or to resume from them",
                          results->path)
               : damaged(results, error, "it has no field at nodes or triangles");
}

static int make_fits(struct ew_results *results, ew_error *error)
{
    int s = results->subdivide, plain = s < EW_MAX_ORDER ? s : EW_MAX_ORDER,
        p = results->order > 0 ? results->order : 1;
    TRY(ewi_fit_create(&results->memory, s, plain < p ? plain : p, &results->exact, error));
    return ewi_fit_create(&results->memory, s, plain, &results->plain, error);
}

/* ---- opening and closing ----------------------------------------------------------------------------------------- */

static int find_extent(struct ew_results *results, ew_error *error)
{
    double *xy = ewi_alloc(&results->host, 6 * (size_t)results->slab, sizeof *xy);
    int status = xy ? EW_OK : ewi_results_no_memory(results, error);
    results->xmin = results->ymin = INFINITY;
    results->xmax = results->ymax = -INFINITY;
    for (int64_t first = 0; status == EW_OK && first < results->elements; first += results->slab) {
        int64_t count = results->elements - first < results->slab ? results->elements - first : results->slab;
        status = ew_results_corners(results, first, count, xy, error);
        for (int64_t k = 0; status == EW_OK && k < 3 * count; k++) {
            results->xmin = fmin(results->xmin, xy[2 * k]);
            results->xmax = fmax(results->xmax, xy[2 * k]);
            results->ymin = fmin(results->ymin, xy[2 * k + 1]);
            results->ymax = fmax(results->ymax, xy[2 * k + 1]);
        }
    }
    ewi_free(&results->host, xy);
    if (status == EW_OK && !(results->xmax > results->xmin && results->ymax > results->ymin))
        status = damaged(results, error, "its mesh has no area");
    return status;
}

/* ---- restart files ----------------------------------------------------------------------------------------------- */

/* Files do not contain media, so a case with media has only its conserved variables here. */
static void add_restart_fields(struct ew_results *results)
{
    const ew_law *law = results->law;
    for (int m = 0; !law->media && m < law->variables; m++) {
        struct ewi_field *field = add_field(results, law->primitive[m], -1, EWI_FIELD_STATE);
        ewi_snprintf(field->long_name, sizeof field->long_name, "%s", law->primitive_long[m]);
        field->component = m;
        field->primitive = strcmp(law->primitive[m], law->conserved[m]) != 0;
        field->variable = results->coefficient;
    }
    for (int m = 0; m < law->variables; m++)
        if (!field_of_name(results, law->conserved[m]))
            add_conserved(results, m);
    if (!law->media)
        add_derived(results);
}

static int read_restart_mesh(struct ew_results *results, int variable, ew_error *error)
{
    results->xy = ewi_arena_alloc(&results->memory, 2 * (size_t)results->nodes, sizeof *results->xy);
    if (!results->xy)
        return ewi_results_no_memory(results, error);
    int code = nc_get_var_double(results->file, variable, results->xy);
    return code == NC_NOERR ? EW_OK : ewi_results_failure(results, code, "the mesh", error);
}

static int evaluate_lattice(struct ew_results *results, ew_error *error)
{
    double rs[2 * EWI_MOST_TERMS];
    ewi_lattice_nodes(results->order, rs);
    results->phi = ewi_arena_alloc(&results->memory, (size_t)(results->points * results->points), sizeof *results->phi);
    return results->phi ? ew_basis_values(results->order, results->points, rs, results->phi)
           : ewi_results_no_memory(results, error);
}

/* Reads the state as one frame, as if its values had been written at the lattice of its own degree. */
static int read_restart(struct ew_results *results, ew_error *error)
{
    struct ewi_restart_view view;
    TRY(ewi_restart_view(&results->memory, results->path, results->descriptor, results->file, &view, error));
    results->law = view.law;
    results->elements = view.elements;
    results->nodes = view.nodes;
    results->coefficient = view.coefficient;
    results->triangle = view.triangle;
    results->order = results->subdivide = view.info.order;
    results->points = view.basis;
    results->faces = results->order * results->order;
    results->has_state = true;
    results->slab = smaller_slab(results);
    results->frames = 1;
    results->time = ewi_arena_alloc(&results->memory, 1, sizeof *results->time);
    results->step = ewi_arena_alloc(&results->memory, 1, sizeof *results->step);
    results->field =
        ewi_arena_alloc(&results->memory, 2 * EW_MAX_VARIABLES + EW_MAX_DERIVED + 1, sizeof *results->field);
    if (!results->time || !results->step || !results->field)
        return ewi_results_no_memory(results, error);
    results->time[0] = view.info.moment.time;
    results->step[0] = view.info.moment.steps;
    if (!get_parameters(results))
        return damaged(results, error, "a parameter of its law is missing or wrong");
    add_restart_fields(results);
    TRY(read_restart_mesh(results, view.node_xy, error));
    TRY(evaluate_lattice(results, error));
    return make_fits(results, error);
}

static int read_all(struct ew_results *results, ew_error *error)
{
    int node, face, time;
    size_t frames;
    TRY(open_file(results, error));
    TRY(read_head(results, error));
    if (results->is_restart)
        return read_restart(results, error);
    TRY(read_shape(results, &node, &face, error));
    if (!get_dimension(results, "time", &time, &frames))
        return damaged(results, error, "it has no dimension time");
    TRY(read_times(results, time, frames, error));
    TRY(read_fields(results, time, node, face, error));
    TRY(ewi_results_read_boundaries(results, error));
    choose_slab(results);
    return make_fits(results, error);
}

int ew_results_open(const ew_host *host, const char *path, ew_results **results_, ew_error *error)
{
    EWI_REQUIRE(path);
    EWI_REQUIRE_AS(results_, "results");
    ew_host own = ewi_host_or_default(host);
    struct ew_results *results = ewi_alloc(&own, 1, sizeof *results);
    if (!results)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to read %s", path);
    results->host = own;
    results->descriptor = results->file = -1;
    results->rounding = DOUBLE_ROUNDING;
    results->memory.host = own;
    results->path = ewi_arena_strdup(&results->memory, path);
    int status = results->path ? EW_OK : ewi_fail(error, EW_ENOMEM, "not enough memory to read %s", path);
    if (status == EW_OK) {
        ewi_netcdf_begin();
        status = read_all(results, error);
        ewi_netcdf_end();
    }
    if (status == EW_OK)
        status = find_extent(results, error);
    if (status != EW_OK) {
        ew_results_close(results);
        return status;
    }
    *results_ = results;
    return EW_OK;
}

double ew_results_end(const ew_host *host, const char *path)
{
    struct ew_results results = {.host = ewi_host_or_default(host), .path = (char *)path, .descriptor = -1, .file = -1};
    results.memory.host = results.host;
    int time;
    size_t frames;
    double end = NAN;
    ewi_netcdf_begin();
    if (path && open_file(&results, NULL) == EW_OK && check_format(&results, NULL) == EW_OK && !results.is_restart &&
        get_dimension(&results, "time", &time, &frames) && read_times(&results, time, frames, NULL) == EW_OK &&
        results.frames > 0)
        end = results.time[results.frames - 1];
    if (results.file >= 0)
        nc_close(results.file);
    ewi_netcdf_end();
    if (results.descriptor >= 0)
        close(results.descriptor);
    ewi_arena_free(&results.memory);
    return end;
}

void ew_results_close(ew_results *results)
{
    if (!results)
        return;
    if (results->file >= 0) {
        ewi_netcdf_begin();
        nc_close(results->file);
        ewi_netcdf_end();
    }
    if (results->descriptor >= 0)
        close(results->descriptor);
    ew_host host = results->host;
    ewi_arena_free(&results->memory);
    ewi_free(&host, results);
}
