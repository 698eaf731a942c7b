/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rasters from netCDF files by the conventions CF and COARDS: a numeric variable of two dimensions with coordinates or,
 * with a time, of three, in any order. Dimensions of length 1 may be added.
 *
 * A value v is scale_factor v + add_offset; _FillValue, missing_value and what is outside valid_min, valid_max or
 * valid_range is missing. Coordinates may descend.
 */
#include "ewi_error.h"
#include "ewi_netcdf.h"
#include "ewi_raster_file.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { X, Y, T, AXES, MOST_MISSING = 16 };

static const char *const axis_name[AXES] = {"x", "y", "time"};

struct axis {
    int dimension; /* position in the variable's dimensions, or -1 */
    int variable;  /* of its coordinates */
    size_t points;
};

struct reading {
    const struct ewi_raster_source *source;
    struct ewi_raster_file *raster;
    int file, variable, dimensions, dimension[NC_MAX_VAR_DIMS];
    size_t length[NC_MAX_VAR_DIMS];
    struct axis axis[AXES];
};

static int fail(const struct reading *reading, int code)
{
    return ewi_fail(reading->source->error, code == NC_ENOMEM ? EW_ENOMEM : EW_EIO, "%.200s cannot be read: %s",
                    reading->source->path, code > 0 ? strerror(code) : nc_strerror(code));
}

#define NC(call)                             \
    do {                                     \
        int code_ = (call);                  \
        if (code_ != NC_NOERR)               \
            return fail(reading, code_);     \
    } while (0)

/* ---- the variable ------------------------------------------------------------------------------------------------ */

static bool is_numeric(nc_type type)
{
    return type != NC_CHAR && type <= NC_MAX_ATOMIC_TYPE && type != NC_STRING;
}

/* The names of the variables that may be rasters. */
static int list_variables(const struct reading *reading, char *text, size_t size)
{
    int count = 0;
    size_t length = 0;
    text[0] = '\0';
    NC(nc_inq_nvars(reading->file, &count));
    for (int k = 0; k < count && length < size; k++) {
        char name[NC_MAX_NAME + 1];
        int dimensions;
        nc_type type;
        NC(nc_inq_var(reading->file, k, name, &type, &dimensions, NULL, NULL));
        if (dimensions >= 2 && is_numeric(type))
            length += (size_t)ewi_snprintf(text + length, size - length, "%s%.80s", length > 0 ? ", " : "", name);
    }
    return EW_OK;
}

static int find_variable(struct reading *reading)
{
    const struct ewi_raster_source *source = reading->source;
    char names[400];
    nc_type type;
    if (source->variable && nc_inq_varid(reading->file, source->variable, &reading->variable) == NC_NOERR) {
        NC(nc_inq_var(reading->file, reading->variable, NULL, &type, &reading->dimensions, reading->dimension, NULL));
        return is_numeric(type) ? EW_OK
                                : ewi_fail(source->error, EW_EIO, "the variable \"%s\" of %.200s has no numbers",
                                           source->variable, source->path);
    }
    TRY(list_variables(reading, names, sizeof names));
    if (!names[0])
        return ewi_fail(source->error, EW_EIO, "%.200s has no variable of two dimensions", source->path);
    return source->variable ? ewi_fail(source->error, EW_EIO, "%.200s has no variable \"%s\"; it has %s", source->path,
                                       source->variable, names)
                            : ewi_fail(source->error, EW_EIO, "%.200s needs the name of a variable after its own; it "
                                       "has %s", source->path, names);
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static bool has_word(const struct reading *reading, int variable, const char *attribute, const char *const *words)
{
    char text[256];
    if (!ewi_netcdf_text(reading->file, variable, attribute, text, sizeof text))
        return false;
    for (; *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

/* The axis of a coordinate variable, by its name or attributes; AXES if neither tells. */
static int axis_of(const struct reading *reading, int variable, const char *dimension)
{
    static const char *const names[AXES][4] = {{"x", "lon", "longitude", "easting"},
                                               {"y", "lat", "latitude", "northing"},
                                               {"t", "time", "time", "time"}};
    static const char *const axis[AXES][2] = {{"X"}, {"Y"}, {"T"}};
    static const char *const standard[AXES][4] = {{"projection_x_coordinate", "longitude", "grid_longitude"},
                                                  {"projection_y_coordinate", "latitude", "grid_latitude"},
                                                  {"time"}};
    static const char *const degrees[2][5] = {{"degrees_east", "degree_east", "degreesE", "degrees_E"},
                                              {"degrees_north", "degree_north", "degreesN", "degrees_N"}};
    char units[256];
    for (int k = 0; k < AXES; k++)
        if (has_word(reading, variable, "axis", axis[k]) || has_word(reading, variable, "standard_name", standard[k]) ||
            (k < T && has_word(reading, variable, "units", degrees[k])) ||
            ewi_is_one_of(names[k], 4, dimension, strlen(dimension)))
            return k;
    bool is_time = ewi_netcdf_text(reading->file, variable, "units", units, sizeof units) && strstr(units, " since ");
    return is_time ? T : AXES;
}

static int name_dimension(const struct reading *reading, int k, char name[NC_MAX_NAME + 1])
{
    NC(nc_inq_dimname(reading->file, reading->dimension[k], name));
    return EW_OK;
}

/* The coordinates of dimension k: the variable of its name, with it as its only dimension. */
static int find_coordinates(const struct reading *reading, int k, const char *name, int *variable)
{
    const struct ewi_raster_source *source = reading->source;
    int dimensions = 0, dimension[NC_MAX_VAR_DIMS];
    nc_type type = NC_CHAR;
    if (nc_inq_varid(reading->file, name, variable) == NC_NOERR)
        NC(nc_inq_var(reading->file, *variable, NULL, &type, &dimensions, dimension, NULL));
    if (dimensions == 1 && dimension[0] == reading->dimension[k] && is_numeric(type))
        return EW_OK;
    *variable = -1;
    if (reading->length[k] == 1) /* perhaps a layer's number */
        return EW_OK;
    return ewi_fail(source->error, EW_EIO, "%.200s: the coordinates of %s must be one-dimensional: its dimension %s "
                    "needs a variable %s(%s) of numbers%s; regrid the file if its coordinates are curvilinear",
                    source->path, source->variable, name, name, name,
                    reading->dimensions > 2 ? ", or the length 1 if it is none of x, y and t" : "");
}

static bool is_taken(const struct reading *reading, int axis)
{
    return reading->axis[axis].dimension >= 0;
}

/* Assigns dimensions without a known axis: the last one is x, and the one before it y. */
static void take_others(struct reading *reading, const int *coordinates, const bool *named)
{
    int next = X;
    for (int k = reading->dimensions - 1; k >= 0; k--) {
        while (next < T && is_taken(reading, next))
            next++;
        if (!named[k] && coordinates[k] >= 0 && next < T)
            reading->axis[next] = (struct axis){k, coordinates[k], reading->length[k]};
    }
}

static int check_shape(const struct reading *reading)
{
    const struct ewi_raster_source *source = reading->source;
    char name[NC_MAX_NAME + 1];
    for (int k = 0; k < reading->dimensions; k++) {
        bool used = reading->length[k] == 1;
        for (int a = 0; a < AXES; a++)
            used = used || reading->axis[a].dimension == k;
        TRY(name_dimension(reading, k, name));
        if (!used)
            return ewi_fail(source->error, EW_EIO, "%.200s: the dimension %s of %s is neither x, y nor time; take one "
                            "of its %zu layers out", source->path, name, source->variable, reading->length[k]);
    }
    for (int a = X; a < T; a++)
        if (!is_taken(reading, a))
            return ewi_fail(source->error, EW_EIO, "%.200s: %s does not depend on %s", source->path, source->variable,
                            axis_name[a]);
    return EW_OK;
}

static int find_axes(struct reading *reading)
{
    int coordinates[NC_MAX_VAR_DIMS];
    bool named[NC_MAX_VAR_DIMS];
    for (int a = 0; a < AXES; a++)
        reading->axis[a].dimension = -1;
    for (int k = 0; k < reading->dimensions; k++) {
        NC(nc_inq_dimlen(reading->file, reading->dimension[k], &reading->length[k]));
        if (reading->length[k] == 0)
            return ewi_fail(reading->source->error, EW_EIO, "%.200s: %s has no values", reading->source->path,
                            reading->source->variable);
    }
    for (int k = 0; k < reading->dimensions; k++) {
        char name[NC_MAX_NAME + 1];
        TRY(name_dimension(reading, k, name));
        TRY(find_coordinates(reading, k, name, &coordinates[k]));
        int axis = coordinates[k] >= 0 ? axis_of(reading, coordinates[k], name) : AXES;
        named[k] = axis < AXES;
        if (named[k] && !is_taken(reading, axis))
            reading->axis[axis] = (struct axis){k, coordinates[k], reading->length[k]};
    }
    take_others(reading, coordinates, named);
    return check_shape(reading);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Scaling and missing values of a variable. */
struct packing {
    double scale, offset, low, high, missing[MOST_MISSING];
    int missings;
};

/* A numeric attribute of the variable, up to `most` numbers; returns how many. */
static int get_numbers(const struct reading *reading, int variable, const char *name, int most, double *values)
{
    nc_type type;
    size_t length;
    if (nc_inq_att(reading->file, variable, name, &type, &length) != NC_NOERR || !is_numeric(type) ||
        length > (size_t)most || nc_get_att_double(reading->file, variable, name, values) != NC_NOERR)
        return 0;
    return (int)length;
}

/* Sets *value to netCDF's default fill value of the type. Returns 1, or 0 for types without one. */
static int default_fill(nc_type type, double *value)
{
    *value = type == NC_DOUBLE  ? NC_FILL_DOUBLE
             : type == NC_FLOAT ? (double)NC_FILL_FLOAT
             : type == NC_SHORT ? NC_FILL_SHORT
                                : NC_FILL_INT;
    return type == NC_DOUBLE || type == NC_FLOAT || type == NC_SHORT || type == NC_INT;
}

static int get_packing(const struct reading *reading, int variable, struct packing *packing)
{
    double range[2];
    nc_type type;
    *packing = (struct packing){.scale = 1.0, .low = -INFINITY, .high = INFINITY};
    NC(nc_inq_vartype(reading->file, variable, &type));
    get_numbers(reading, variable, "scale_factor", 1, &packing->scale);
    get_numbers(reading, variable, "add_offset", 1, &packing->offset);
    get_numbers(reading, variable, "valid_min", 1, &packing->low);
    get_numbers(reading, variable, "valid_max", 1, &packing->high);
    if (get_numbers(reading, variable, "valid_range", 2, range) == 2) {
        packing->low = range[0];
        packing->high = range[1];
    }
    packing->missings = get_numbers(reading, variable, "_FillValue", 1, packing->missing);
    if (packing->missings == 0)
        packing->missings = default_fill(type, packing->missing);
    packing->missings += get_numbers(reading, variable, "missing_value", MOST_MISSING - 1,
                                     packing->missing + packing->missings);
    for (int k = 0; type == NC_FLOAT && k < packing->missings; k++)
        packing->missing[k] = (float)packing->missing[k]; /* as the values are */
    return EW_OK;
}

static double unpack(const struct packing *packing, double value)
{
    bool missing = !(value >= packing->low && value <= packing->high);
    for (int k = 0; k < packing->missings; k++)
        missing = missing || value == packing->missing[k];
    return missing ? NAN : packing->scale * value + packing->offset;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static int read_axis(const struct reading *reading, int a, double *values, bool *descends)
{
    const struct ewi_raster_source *source = reading->source;
    const struct axis *axis = &reading->axis[a];
    struct packing packing;
    char name[NC_MAX_NAME + 1];
    TRY(get_packing(reading, axis->variable, &packing));
    TRY(name_dimension(reading, axis->dimension, name));
    NC(nc_get_var_double(reading->file, axis->variable, values));
    for (size_t k = 0; k < axis->points; k++)
        values[k] = unpack(&packing, values[k]);
    *descends = axis->points > 1 && values[0] > values[axis->points - 1];
    for (size_t k = 0; k < axis->points; k++) {
        bool good = isfinite(values[k]) &&
                    (k == 0 || (*descends ? values[k] < values[k - 1] : values[k] > values[k - 1]));
        if (!good)
            return ewi_fail(source->error, EW_EIO, "%.200s: the coordinates %s must ascend or descend all the way; "
                            "number %zu is %.9g%s", source->path, name, k + 1, values[k],
                            isfinite(values[k]) ? ", which is not between its neighbours" : "");
    }
    for (size_t k = 0; *descends && 2 * k + 1 < axis->points; k++) {
        double other = values[axis->points - 1 - k];
        values[axis->points - 1 - k] = values[k];
        values[k] = other;
    }
    return EW_OK;
}

/* Finds the distance in the file's array between neighbours along each axis. */
static void find_strides(const struct reading *reading, int64_t stride[AXES])
{
    for (int a = 0; a < AXES; a++) {
        stride[a] = 0;
        if (!is_taken(reading, a))
            continue;
        stride[a] = 1;
        for (int k = reading->axis[a].dimension + 1; k < reading->dimensions; k++)
            stride[a] *= (int64_t)reading->length[k];
    }
}

/* Reorders values of the file to [times][rows][columns], with ascending axes. */
static void arrange(const struct reading *reading, const double *from, const bool *descends, double *values)
{
    int64_t stride[AXES], count[AXES], first = 0;
    find_strides(reading, stride);
    for (int a = 0; a < AXES; a++) {
        count[a] = is_taken(reading, a) ? (int64_t)reading->axis[a].points : 1;
        if (descends[a]) {
            first += (count[a] - 1) * stride[a];
            stride[a] = -stride[a];
        }
    }
    for (int64_t t = 0; t < count[T]; t++)
        for (int64_t y = 0; y < count[Y]; y++)
            for (int64_t x = 0; x < count[X]; x++)
                *values++ = from[first + t * stride[T] + y * stride[Y] + x * stride[X]];
}

/* True if the file has that order already. */
static bool is_arranged(const struct reading *reading, const bool *descends)
{
    bool ordered = reading->axis[Y].dimension < reading->axis[X].dimension &&
                   (!is_taken(reading, T) || reading->axis[T].dimension < reading->axis[Y].dimension);
    return ordered && !descends[X] && !descends[Y] && !descends[T];
}

static int read_values(const struct reading *reading, const bool *descends, double *values)
{
    const ew_raster_data *data = &reading->raster->data;
    size_t count = (size_t)data->columns * (size_t)data->rows * (size_t)(data->times > 0 ? data->times : 1);
    struct ewi_arena own = {.host = reading->raster->memory.host};
    struct packing packing;
    TRY(get_packing(reading, reading->variable, &packing));
    double *from = is_arranged(reading, descends) ? values : ewi_arena_alloc(&own, count, sizeof *from);
    int code = from ? nc_get_var_double(reading->file, reading->variable, from) : NC_ENOMEM;
    if (code == NC_NOERR && from != values)
        arrange(reading, from, descends, values);
    ewi_arena_free(&own);
    NC(code);
    for (size_t k = 0; k < count; k++)
        values[k] = unpack(&packing, values[k]);
    return EW_OK;
}

static int read_open(struct reading *reading)
{
    ew_raster_data *data = &reading->raster->data;
    double *axis[AXES], *values;
    bool descends[AXES] = {false};
    TRY(find_variable(reading));
    TRY(find_axes(reading));
    for (int a = 0; a < AXES; a++)
        if (reading->axis[a].points > EWI_MOST_RASTER_VALUES)
            return ewi_fail(reading->source->error, EW_EIO, "%.200s is too large: it has %zu points in %s, and a "
                            "raster at most %d values", reading->source->path, reading->axis[a].points, axis_name[a],
                            EWI_MOST_RASTER_VALUES);
    data->columns = (int32_t)reading->axis[X].points;
    data->rows = (int32_t)reading->axis[Y].points;
    data->times = (int32_t)reading->axis[T].points;
    TRY(ewi_raster_file_allocate(reading->source, reading->raster, axis, &values));
    for (int a = 0; a < AXES; a++)
        if (is_taken(reading, a))
            TRY(read_axis(reading, a, axis[a], &descends[a]));
    return read_values(reading, descends, values);
}

int ewi_raster_netcdf_read(const struct ewi_raster_source *source, struct ewi_raster_file *raster)
{
    struct reading made = {.source = source, .raster = raster}, *reading = &made;
    ewi_netcdf_begin();
    int code = ewi_netcdf_open(source->file, source->path, &reading->file), status;
    if (code == NC_NOERR) {
        status = read_open(reading);
        nc_close(reading->file);
    } else {
        status = fail(reading, code);
    }
    ewi_netcdf_end();
    return status;
}
