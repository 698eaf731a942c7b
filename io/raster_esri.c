/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ESRI ASCII grids (.asc): a header of keywords, in any order and case, and the values row by row from the top. The
 * lower left corner is that of the grid or of its first cell's centre; values are those at the centres of cells, and
 * the grid covers its cells.
 */
#include "ewi_mesh_file.h"
#include "ewi_raster_file.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

enum { COLUMNS, ROWS, X_CORNER, Y_CORNER, X_CENTRE, Y_CENTRE, SIZE, WIDTH, HEIGHT, NO_DATA, KEYS };

static const char *const keyword[KEYS] = {"ncols",     "nrows",    "xllcorner", "yllcorner", "xllcenter",
                                          "yllcenter", "cellsize", "dx",        "dy",        "nodata_value"};

struct header {
    double value[KEYS];
    bool given[KEYS];
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The number of the keyword at the scan's place, or KEYS. */
static int find_keyword(const struct ewi_scan *scan, size_t *length)
{
    *length = 0;
    while (is_letter(scan->at[*length]))
        ++*length;
    for (int k = 0; k < KEYS; k++)
        if (ewi_is_one_of(&keyword[k], 1, scan->at, *length))
            return k;
    return KEYS;
}

static bool is_nan(const struct ewi_scan *scan)
{
    static const char *const nan = "nan";
    return ewi_is_one_of(&nan, 1, scan->at, 3) && !is_letter(scan->at[3]);
}

static int read_value(struct ewi_scan *scan, const char *what, double *value)
{
    if (!is_nan(scan))
        return ewi_scan_text_number(scan, what, value);
    scan->at += 3;
    *value = NAN;
    return EW_OK;
}

static int read_header(struct ewi_scan *scan, struct header *header)
{
    for (;;) {
        size_t length;
        ewi_scan_skip_space(scan);
        int key = find_keyword(scan, &length);
        if (length == 0 || is_nan(scan))
            return EW_OK;
        if (key == KEYS)
            return ewi_scan_fail(scan, scan->at, "\"%.*s\" is no keyword of an ESRI grid, and the file is no netCDF "
                                 "file", length < 40 ? (int)length : 40, scan->at);
        if (header->given[key])
            return ewi_scan_fail(scan, scan->at, "%s is given twice", keyword[key]);
        header->given[key] = true;
        scan->at += length;
        ewi_scan_next(scan);
        TRY(read_value(scan, keyword[key], &header->value[key]));
        TRY(ewi_scan_end_line(scan));
    }
}

static int require(const struct ewi_scan *scan, const struct header *header, int key, int other)
{
    if (!header->given[key] && !header->given[other])
        return ewi_scan_fail(scan, scan->at, "the header of the ESRI grid lacks %s", keyword[key]);
    if (key != other && header->given[key] && header->given[other])
        return ewi_scan_fail(scan, scan->at, "the header of the ESRI grid has both %s and %s", keyword[key],
                             keyword[other]);
    return EW_OK;
}

/* The cells' width and height. */
static int find_cell(const struct ewi_scan *scan, const struct header *header, double cell[2])
{
    for (int d = 0; d < 2; d++) {
        TRY(require(scan, header, SIZE, WIDTH + d));
        int key = header->given[SIZE] ? SIZE : WIDTH + d;
        cell[d] = header->value[key];
        if (!(cell[d] > 0))
            return ewi_scan_fail(scan, scan->at, "%s is %g; it must be greater than 0", keyword[key], cell[d]);
    }
    return EW_OK;
}

static int check_header(const struct ewi_scan *scan, const struct header *header, ew_raster_data *data)
{
    for (int k = COLUMNS; k <= ROWS; k++) {
        double count = header->value[k];
        TRY(require(scan, header, k, k));
        if (!(count >= 1 && count <= EWI_MOST_RASTER_VALUES && count == floor(count)))
            return ewi_scan_fail(scan, scan->at, "%s is %.9g; it must be a whole number from 1 to %d", keyword[k],
                                 count, EWI_MOST_RASTER_VALUES);
    }
    data->columns = (int32_t)header->value[COLUMNS];
    data->rows = (int32_t)header->value[ROWS];
    TRY(require(scan, header, X_CORNER, X_CENTRE));
    TRY(require(scan, header, Y_CORNER, Y_CENTRE));
    /* every value has a digit, and a blank between it and the next one */
    double count = (double)data->columns * data->rows, room = ((double)(scan->end - scan->at) + 1) / 2;
    return count <= room ? EW_OK
                         : ewi_scan_fail(scan, scan->at, "there should be %.0f values, but only %td bytes follow",
                                         count, scan->end - scan->at);
}

/* The centres of cells, and the window of all cells. */
static void fill_axis(const struct header *header, int d, double cell, int32_t points, double *axis, double *window)
{
    bool corner = header->given[X_CORNER + d];
    double first = header->value[corner ? X_CORNER + d : X_CENTRE + d];
    for (int32_t k = 0; k < points; k++)
        axis[k] = first + (corner ? k + 0.5 : k) * cell;
    window[d] = corner ? first : first - 0.5 * cell;
    window[2 + d] = window[d] + points * cell;
}

static int read_values(struct ewi_scan *scan, const struct header *header, const ew_raster_data *data, double *values)
{
    bool has_gaps = header->given[NO_DATA];
    for (int32_t row = data->rows - 1; row >= 0; row--)
        for (int32_t column = 0; column < data->columns; column++) {
            double *value = &values[(int64_t)row * data->columns + column];
            ewi_scan_skip_space(scan);
            TRY(read_value(scan, "a value", value));
            if (has_gaps && *value == header->value[NO_DATA])
                *value = NAN;
        }
    ewi_scan_skip_space(scan);
    return scan->at == scan->end ? EW_OK
                                 : ewi_scan_fail(scan, scan->at, "the grid has more than ncols times nrows values");
}

static int parse(const struct ewi_raster_source *source, struct ewi_scan *scan, struct ewi_raster_file *raster)
{
    struct header header = {.given = {false}};
    double cell[2] = {0}, *axis[3], *values;
    ew_raster_data *data = &raster->data;
    if (source->variable && strcmp(source->variable, "z") != 0)
        return ewi_fail(source->error, EW_EIO, "%.200s is an ESRI grid, whose only variable is called z; it has no "
                        "variable \"%s\"", source->path, source->variable);
    TRY(read_header(scan, &header));
    TRY(check_header(scan, &header, data));
    TRY(find_cell(scan, &header, cell));
    TRY(ewi_raster_file_allocate(source, raster, axis, &values));
    fill_axis(&header, 0, cell[0], data->columns, axis[0], data->window);
    fill_axis(&header, 1, cell[1], data->rows, axis[1], data->window);
    return read_values(scan, &header, data, values);
}

int ewi_raster_esri_read(const struct ewi_raster_source *source, struct ewi_raster_file *raster)
{
    char *text = NULL;
    size_t bytes = 0;
    int status = ewi_scan_file(&raster->memory.host, source->file, source->path, &text, &bytes, source->error);
    if (status == EW_OK) {
        struct ewi_scan scan = {.source = source->path, .begin = text, .at = text, .end = text + bytes,
                                .error = source->error};
        status = parse(source, &scan, raster);
    }
    ewi_free(&raster->memory.host, text);
    return status;
}
