/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The raster in NAME.nc: the polynomials at the centres of a regular grid's cells, in every frame. The element of each
 * centre is found once. Frames are evaluated and written in blocks of rows, by the same functions as slabs of elements
 * (fields_frame.c).
 */
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_host.h"
#include "ewi_text.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_size(int cells)
{
    return cells > 0 && cells <= EW_MOST_RASTER_CELLS;
}

void ewi_raster_shape(const ew_run_plan *plan, const ew_law *law, struct ewi_raster *raster)
{
    const ew_raster *asked = &plan->raster;
    *raster = (struct ewi_raster){.single = !asked->double_precision};
    if (!is_size(asked->cells[0]) || !is_size(asked->cells[1])) /* an unchecked plan, for an estimate */
        return;
    raster->columns = asked->cells[0];
    raster->rows = asked->cells[1];
    memcpy(raster->window, asked->window, sizeof raster->window);
    raster->real = raster->single ? sizeof(float) : sizeof(double);
    raster->outputs = ewi_plan_raster_outputs(plan, law, raster->output);
    ewi_divide(raster->rows, (int)raster->columns, plan->compression > 0, &raster->block, &raster->chunk);
}

void ewi_raster_divide(struct ewi_raster *raster, int (*varies)(const void *of, int index), const void *of)
{
    int constant[EWI_MOST_OUTPUTS], all = raster->outputs;
    raster->outputs = raster->constants = 0;
    for (int k = 0; k < all; k++)
        if (varies(of, raster->output[k]))
            raster->output[raster->outputs++] = raster->output[k];
        else
            constant[raster->constants++] = raster->output[k];
    memcpy(raster->output + raster->outputs, constant, (size_t)raster->constants * sizeof *constant);
}

int64_t ewi_raster_blocks(const struct ewi_raster *raster)
{
    return raster->columns > 0 ? (raster->rows + raster->block - 1) / raster->block : 0;
}

static int64_t rows_of(const struct ewi_raster *raster, int64_t block)
{
    int64_t left = raster->rows - block * raster->block;
    return left < raster->block ? left : raster->block;
}

size_t ewi_raster_block_bytes(const struct ewi_raster *raster)
{
    /* room for the values, for an axis, or for a row of any type from an earlier file */
    size_t most = raster->outputs > 0 ? (size_t)raster->outputs : 1;
    size_t values = (size_t)(raster->columns * raster->block) * most * raster->real;
    size_t line = (size_t)(raster->columns > raster->rows ? raster->columns : raster->rows) * sizeof(double);
    return values > line ? values : line;
}

double ewi_raster_frame_bytes(const struct ewi_raster *raster)
{
    return (double)raster->columns * (double)raster->rows * raster->outputs * (double)raster->real;
}

double ewi_raster_constant_bytes(const struct ewi_raster *raster)
{
    return (double)raster->columns * (double)raster->rows * raster->constants * (double)raster->real;
}

double ewi_raster_memory(const struct ewi_raster *raster)
{
    return (double)raster->columns * (double)raster->rows * (sizeof *raster->element + 2 * sizeof *raster->rs);
}

/* ---- the elements of the centres --------------------------------------------------------------------------------- */

/* The centre of cell k in direction d. */
static double centre(const struct ewi_raster *raster, int d, int64_t k)
{
    double from = raster->window[d], to = raster->window[2 + d];
    return from + ((double)k + 0.5) * ((to - from) / (double)(d == 0 ? raster->columns : raster->rows));
}

/* Cells first .. end - 1 of direction d include all centres in low .. high, and perhaps some more. */
static void cells_between(const struct ewi_raster *raster, int d, double low, double high, int64_t *first, int64_t *end)
{
    double cells = (double)(d == 0 ? raster->columns : raster->rows), from = raster->window[d];
    double per_length = cells / (raster->window[2 + d] - from);
    *first = (int64_t)fmin(fmax(floor((low - from) * per_length - 0.5), 0), cells);
    *end = (int64_t)fmin(fmax(ceil((high - from) * per_length + 0.5), 0), cells);
}

/*
 * Assigns centres to the element unless an earlier element has them. The slack exceeds the rounding error of r and s,
 * so a centre on an edge, or within rounding of it, is in at least one of the two elements.
 */
static void take_centres(struct ewi_raster *raster, int32_t element, const double *a, const double *b, const double *c)
{
    double xr = b[0] - a[0], xs = c[0] - a[0], yr = b[1] - a[1], ys = c[1] - a[1], det = xr * ys - xs * yr;
    double width = fmax(fmax(fabs(xr), fabs(xs)), fabs(xs - xr));
    double height = fmax(fmax(fabs(yr), fabs(ys)), fabs(ys - yr));
    double slack = 1e-12 + 16 * DBL_EPSILON * width * height / det;
    int64_t column, row, last_column, last_row;
    cells_between(raster, 0, fmin(fmin(a[0], b[0]), c[0]), fmax(fmax(a[0], b[0]), c[0]), &column, &last_column);
    cells_between(raster, 1, fmin(fmin(a[1], b[1]), c[1]), fmax(fmax(a[1], b[1]), c[1]), &row, &last_row);
    for (int64_t j = row; j < last_row; j++)
        for (int64_t i = column; i < last_column; i++) {
            double dx = centre(raster, 0, i) - a[0], dy = centre(raster, 1, j) - a[1];
            double r = (ys * dx - xs * dy) / det, s = (xr * dy - yr * dx) / det;
            int64_t k = j * raster->columns + i;
            if (raster->element[k] >= 0 || r < -slack || s < -slack || r + s > 1 + slack)
                continue;
            raster->element[k] = element;
            raster->rs[2 * k] = r;
            raster->rs[2 * k + 1] = s;
            raster->inside++;
        }
}

static void take_all(struct ewi_raster *raster, const ew_mesh_info *info, const double *xy, const int64_t *triangle)
{
    for (int64_t k = 0; k < raster->columns * raster->rows; k++)
        raster->element[k] = -1;
    for (int64_t e = 0; e < info->elements; e++)
        take_centres(raster, (int32_t)e, xy + 2 * triangle[3 * e], xy + 2 * triangle[3 * e + 1],
                     xy + 2 * triangle[3 * e + 2]);
}

int ewi_raster_locate(struct ewi_arena *memory, const ew_mesh *mesh, struct ewi_raster *raster, ew_error *error)
{
    if (raster->columns == 0)
        return EW_OK;
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    if (raster->window[2] == raster->window[0])
        memcpy(raster->window, (double[]){info.xmin, info.ymin, info.xmax, info.ymax}, sizeof raster->window);
    struct ewi_arena own = {.host = memory->host};
    size_t cells = (size_t)(raster->columns * raster->rows);
    raster->element = ewi_arena_alloc(memory, cells, sizeof *raster->element);
    raster->rs = ewi_arena_alloc(memory, 2 * cells, sizeof *raster->rs);
    double *xy = ewi_arena_alloc(&own, 2 * (size_t)info.nodes, sizeof *xy);
    int64_t *triangle = ewi_arena_alloc(&own, 3 * (size_t)info.elements, sizeof *triangle);
    bool lacks = own.lacks || memory->lacks;
    if (!lacks) {
        ew_mesh_get_nodes(mesh, xy);
        ew_mesh_get_triangles(mesh, triangle);
        take_all(raster, &info, xy, triangle);
    }
    ewi_arena_free(&own);
    if (lacks)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the raster of %lld x %lld cells; give it fewer",
                        (long long)raster->columns, (long long)raster->rows);
    return raster->inside > 0 ? EW_OK
                              : ewi_fail(error, EW_EINVAL, "no cell of the raster has its centre in the domain: "
                                         "give it another window or more cells");
}

/* ---- in the file ------------------------------------------------------------------------------------------------- */

/* Omits the attribute "axis", which CF reserves for longitude and latitude or a map projection. */
static int define_axis(struct ew_fields *fields, const char *name, int64_t cells, int *dimension,
                       int *number, ew_error *error)
{
    char long_name[64];
    ewi_snprintf(long_name, sizeof long_name, "%s at the centres of the raster's cells", name);
    NC_TRY(nc_def_dim(fields->file, name, (size_t)cells, dimension));
    NC_TRY(nc_def_var(fields->file, name, NC_DOUBLE, 1, dimension, number));
    NC_TRY(nc_def_var_chunking(fields->file, *number, NC_CONTIGUOUS, NULL));
    NC_TRY(ewi_netcdf_put_text(fields->file, *number, "long_name", long_name));
    NC_TRY(ewi_netcdf_put_text(fields->file, *number, "units", "1"));
    return EW_OK;
}

static int put_missing(struct ew_fields *fields, int number, ew_error *error)
{
    const float single = NAN;
    const double value = NAN;
    NC_TRY(nc_def_var_fill(fields->file, number, NC_NOFILL, NULL)); /* every value is written */
    if (fields->raster.single)
        NC_TRY(nc_put_att_float(fields->file, number, "_FillValue", NC_FLOAT, 1, &single));
    else
        NC_TRY(nc_put_att_double(fields->file, number, "_FillValue", NC_DOUBLE, 1, &value));
    return EW_OK;
}

/* Dimensions: time, y, x; constants lack the first. The cache has one byte; define_variable (fields.c) says why. */
static int define_values(struct ew_fields *fields, const ew_solver *solver, int k, const int *dimension,
                         ew_error *error)
{
    struct ewi_raster *raster = &fields->raster;
    int skipped = k < raster->outputs ? 0 : 1;
    const char *long_name, *output = ew_solver_output(solver, raster->output[k], &long_name);
    size_t chunk[3] = {1, (size_t)raster->chunk, (size_t)raster->columns};
    char name[NC_MAX_NAME + 1];
    ewi_snprintf(name, sizeof name, "raster_%s", output);
    NC_TRY(nc_def_var(fields->file, name, raster->single ? NC_FLOAT : NC_DOUBLE, 3 - skipped, dimension + skipped,
                      &raster->values[k]));
    NC_TRY(nc_def_var_chunking(fields->file, raster->values[k], NC_CHUNKED, chunk + skipped));
    NC_TRY(nc_set_var_chunk_cache(fields->file, raster->values[k], 1, 1, 1.0f));
    if (fields->compression > 0)
        NC_TRY(nc_def_var_deflate(fields->file, raster->values[k], 1, 1, fields->compression));
    TRY(put_missing(fields, raster->values[k], error));
    NC_TRY(ewi_netcdf_put_text(fields->file, raster->values[k], "long_name", long_name));
    NC_TRY(ewi_netcdf_put_text(fields->file, raster->values[k], "units", "1"));
    NC_TRY(ewi_netcdf_put_text(fields->file, raster->values[k], "coordinates", "y x"));
    return EW_OK;
}

int ewi_raster_define(struct ew_fields *fields, const ew_solver *solver, ew_error *error)
{
    struct ewi_raster *raster = &fields->raster;
    if (raster->columns == 0)
        return EW_OK;
    int dimension[3] = {fields->dimension_time};
    TRY(define_axis(fields, "y", raster->rows, &dimension[1], &raster->axis[1], error));
    TRY(define_axis(fields, "x", raster->columns, &dimension[2], &raster->axis[0], error));
    NC_TRY(nc_put_att_double(fields->file, NC_GLOBAL, EWI_RASTER_WINDOW, NC_DOUBLE, 4, raster->window));
    for (int k = 0; k < raster->outputs + raster->constants; k++)
        TRY(define_values(fields, solver, k, dimension, error));
    return EW_OK;
}

static int write_constant(struct ew_fields *fields, const ew_solver *solver, int k, ew_error *error)
{
    const struct ewi_raster *raster = &fields->raster;
    char *block = fields->buffer[0];
    for (int64_t number = 0; number < ewi_raster_blocks(raster); number++) {
        size_t start[2] = {(size_t)(number * raster->block), 0},
               count[2] = {(size_t)rows_of(raster, number), (size_t)raster->columns};
        int64_t first = number * raster->block * raster->columns;
        ewi_netcdf_end();
        int status = ew_solver_sample_constant(solver, rows_of(raster, number) * raster->columns,
                                               raster->element + first, raster->rs + 2 * first, raster->output[k],
                                               raster->single, block, error);
        ewi_netcdf_begin();
        TRY(status);
        NC_TRY(nc_put_vara(fields->file, raster->values[k], start, count, block));
    }
    return EW_OK;
}

int ewi_raster_write_axes(struct ew_fields *fields, const ew_solver *solver, ew_error *error)
{
    const struct ewi_raster *raster = &fields->raster;
    double *values = (double *)fields->buffer[0];
    for (int d = 0; d < 2 && raster->columns > 0; d++) {
        for (int64_t k = 0; k < (d == 0 ? raster->columns : raster->rows); k++)
            values[k] = centre(raster, d, k);
        NC_TRY(nc_put_var_double(fields->file, raster->axis[d], values));
    }
    for (int k = raster->outputs; k < raster->outputs + raster->constants; k++)
        TRY(write_constant(fields, solver, k, error));
    return EW_OK;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static void *place_of(const struct ewi_raster *raster, char *block, int k)
{
    return block + (size_t)k * (size_t)(raster->block * raster->columns) * raster->real;
}

int ew_fields_expect_raster(const ew_fields *fields, ew_solver *solver, ew_error *error)
{
    EWI_REQUIRE(fields, solver);
    TRY(ewi_origin_check(&fields->origin, solver, fields->target.path, error));
    const struct ewi_raster *raster = &fields->raster;
    return ew_solver_expect_points(solver, raster->columns * raster->rows, raster->element, raster->rs, raster->outputs,
                                   raster->output, raster->single, error);
}

double ew_fields_raster_bytes(const ew_run_plan *plan, const ew_law *law, int64_t elements, double *device)
{
    struct ewi_raster raster = {0};
    if (plan && law)
        ewi_raster_shape(plan, law, &raster);
    return ew_expected_points_bytes(law, elements, raster.columns * raster.rows, raster.outputs, raster.output,
                                    raster.single, device);
}

int ewi_raster_evaluate(const struct ewi_raster *raster, ew_solver *solver, int64_t number, char *block,
                        ew_error *error)
{
    void *values[EWI_MOST_OUTPUTS];
    int64_t first = number * raster->block * raster->columns;
    for (int k = 0; k < raster->outputs; k++)
        values[k] = place_of(raster, block, k);
    return ew_solver_sample_points(solver, rows_of(raster, number) * raster->columns, raster->element + first,
                                   raster->rs + 2 * first, raster->outputs, raster->output, raster->single, values,
                                   error);
}

int ewi_raster_write(struct ew_fields *fields, int64_t number, char *block, ew_error *error)
{
    const struct ewi_raster *raster = &fields->raster;
    size_t start[3] = {(size_t)fields->frames, (size_t)(number * raster->block), 0},
           count[3] = {1, (size_t)rows_of(raster, number), (size_t)raster->columns};
    for (int k = 0; k < raster->outputs; k++)
        NC_TRY(nc_put_vara(fields->file, raster->values[k], start, count, place_of(raster, block, k)));
    return EW_OK;
}
