/* SPDX-License-Identifier: BSD-2-Clause */
/* The values along a wall in a frame of NAME.nc as a table. Nothing in the file is trusted. */
#include "ewi_error.h"
#include "ewi_export.h"
#include "ewi_netcdf.h"
#include "ewi_output_file.h"
#include "ewi_results.h"
#include "ewi_text.h"
#include "ewi_walls.h"

#include <string.h>

enum { LONGEST_NAME = 256, MOST_WALLS = 64, COLUMNS = EWI_WALL_PLACES + EWI_WALL_VALUES };

struct table {
    const struct ew_results *results;
    const char *wall;
    int64_t frame;
    size_t points;
    int columns;
    const char *name[COLUMNS];
    double *column[COLUMNS]; /* [points] */
};

/* Finds the variable of a wall; false if the file has none of that shape. */
static bool find(const struct table *table, const char *quantity, int dimensions, int *variable, size_t *points)
{
    char name[LONGEST_NAME];
    int count, dimension[2];
    ewi_snprintf(name, sizeof name, EWI_WALL_PREFIX "%s_%s", table->wall, quantity);
    return nc_inq_varid(table->results->file, name, variable) == NC_NOERR &&
           nc_inq_varndims(table->results->file, *variable, &count) == NC_NOERR && count == dimensions &&
           nc_inq_vardimid(table->results->file, *variable, dimension) == NC_NOERR &&
           nc_inq_dimlen(table->results->file, dimension[count - 1], points) == NC_NOERR;
}

/* Reads a column, unless the file does not have it. */
static int add_column(struct table *table, struct ewi_arena *memory, const char *quantity, int dimensions,
                      ew_error *error)
{
    int variable;
    size_t points, start[2] = {dimensions == 2 ? (size_t)table->frame : 0, 0}, count[2];
    if (!find(table, quantity, dimensions, &variable, &points) || points != table->points)
        return EW_OK;
    count[0] = dimensions == 2 ? 1 : points;
    count[1] = points;
    double *column = ewi_arena_alloc(memory, points, sizeof *column);
    if (!column)
        return ewi_results_no_memory(table->results, error);
    int code = nc_get_vara_double(table->results->file, variable, start, count, column);
    if (code != NC_NOERR)
        return ewi_results_failure(table->results, code, quantity, error);
    table->name[table->columns] = quantity;
    table->column[table->columns++] = column;
    return EW_OK;
}

/* The sentence that lists the walls of the file. */
static int refuse(const struct table *table, ew_error *error)
{
    const size_t prefix = strlen(EWI_WALL_PREFIX), suffix = strlen("_arc");
    char name[MOST_WALLS][LONGEST_NAME], list[512];
    const char *names[MOST_WALLS];
    int variables, walls = 0;
    if (nc_inq_nvars(table->results->file, &variables) != NC_NOERR)
        variables = 0;
    for (int k = 0; k < variables && walls < MOST_WALLS; k++) {
        char text[NC_MAX_NAME + 1];
        if (nc_inq_varname(table->results->file, k, text) != NC_NOERR || !ewi_ends_in(text, "_arc") ||
            strncmp(text, EWI_WALL_PREFIX, prefix) != 0 || strlen(text) < prefix + suffix)
            continue;
        ewi_snprintf(name[walls], LONGEST_NAME, "%.*s", (int)(strlen(text) - prefix - suffix), text + prefix);
        names[walls] = name[walls];
        walls++;
    }
    if (walls == 0)
        return ewi_fail(error, EW_EINVAL, "%s has no values along walls; output.walls of a case writes them",
                        table->results->path);
    return ewi_fail(error, EW_EINVAL, "%s has no wall \"%s\"; it has %s", table->results->path, table->wall,
                    ewi_in_words(names, walls, list, sizeof list));
}

static int read_table(struct table *table, struct ewi_arena *memory, ew_error *error)
{
    int variable;
    if (!find(table, ewi_wall_place[0].name, 1, &variable, &table->points))
        return refuse(table, error);
    for (int k = 0; k < EWI_WALL_PLACES; k++)
        TRY(add_column(table, memory, ewi_wall_place[k].name, 1, error));
    for (int k = 0; k < EWI_WALL_VALUES; k++)
        TRY(add_column(table, memory, ewi_wall_value[k].name, 2, error));
    return EW_OK;
}

static int write_table(const struct table *table, const char *path, ew_error *error)
{
    struct ewi_output output;
    TRY(ewi_output_open(&table->results->host, path, &output, error));
    for (int k = 0; k < table->columns; k++)
        ewi_fprintf(output.file, "%s%s", k > 0 ? "," : "", table->name[k]);
    for (size_t row = 0; row < table->points; row++)
        for (int k = 0; k < table->columns; k++)
            ewi_fprintf(output.file, "%s%.17g", k > 0 ? "," : "\n", table->column[k][row]);
    putc('\n', output.file);
    return ewi_output_close(&output, EW_OK, error);
}

int ewi_walls_export(const struct ew_results *results, const char *wall, int64_t frame, const char *path,
                     ew_error *error)
{
    struct ewi_arena memory = {.host = results->host};
    struct table table = {.results = results, .wall = wall, .frame = frame};
    ewi_netcdf_begin();
    int status = read_table(&table, &memory, error);
    ewi_netcdf_end();
    if (status == EW_OK)
        status = write_table(&table, path, error);
    ewi_arena_free(&memory);
    return status;
}
