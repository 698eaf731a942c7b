/* SPDX-License-Identifier: BSD-2-Clause */
/* Averages in restart files: the sums, and a description of them. A run with the same description continues them. */
#include "ewi_fields.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

enum { LINE = 2048 };

/* "steps 10, from 0", and a line for each average with its name and description. */
static void describe(const ew_solver *solver, const ew_averages_info *info, char *text, size_t size)
{
    size_t length = (size_t)ewi_snprintf(text, size, "steps %lld, from %.17g", (long long)info->steps, info->from);
    for (int k = 0; k < info->count && length < size; k++) {
        const char *description, *name = ew_solver_output(solver, info->first + k, &description);
        length += (size_t)ewi_snprintf(text + length, size - length, "\n%s: %s", name, description);
    }
}

/* Allocates the values and the description; leaves them NULL without averages. */
static bool allocate(struct ewi_arena *memory, const ew_solver *solver, struct ewi_restart_averages *averages)
{
    size_t size;
    ew_solver_averages_info(solver, &averages->info);
    averages->values = NULL;
    if (averages->info.count == 0)
        return true;
    size = (size_t)(averages->info.count + 1) * LINE;
    averages->values = ewi_arena_alloc(memory, averages->info.values, sizeof *averages->values);
    averages->meaning = ewi_arena_alloc(memory, size, 1);
    if (averages->meaning)
        describe(solver, &averages->info, averages->meaning, size);
    return !memory->lacks;
}

int ewi_restart_averages_get(struct ewi_arena *memory, ew_solver *solver, const char *path,
                             struct ewi_restart_averages *averages, ew_error *error)
{
    if (!allocate(memory, solver, averages))
        return ewi_no_memory_to_write(path, error);
    return averages->values ? ew_solver_get_averages(solver, averages->values, error) : EW_OK;
}

/* Returns netCDF's code, as the next one does. */
int ewi_restart_averages_define(int file, int64_t elements, struct ewi_restart_averages *averages)
{
    int element, sum, code = NC_NOERR;
    if (!averages->values)
        return NC_NOERR;
    const double moment[2] = {averages->info.duration, averages->info.last};
    if ((code = nc_inq_dimid(file, "element", &element)) == NC_NOERR &&
        (code = nc_def_dim(file, "average_sum", averages->info.values / (size_t)elements, &sum)) == NC_NOERR &&
        (code = nc_def_var(file, "averages", NC_DOUBLE, 2, (int[2]){element, sum}, &averages->variable)) == NC_NOERR &&
        (code = ewi_netcdf_put_text(file, averages->variable, "meaning", averages->meaning)) == NC_NOERR)
        code = nc_put_att_double(file, NC_GLOBAL, "averages_moment", NC_DOUBLE, 2, moment);
    return code;
}

int ewi_restart_averages_put(int file, const struct ewi_restart_averages *averages)
{
    return averages->values ? nc_put_var_double(file, averages->variable, averages->values) : NC_NOERR;
}

static bool is_the_same(int file, int64_t elements, const struct ewi_restart_averages *averages, double moment[2],
                        char *text)
{
    int count, dimension[NC_MAX_VAR_DIMS], variable = averages->variable;
    size_t size[2], length;
    nc_type type;
    return nc_inq_var(file, variable, NULL, &type, &count, dimension, NULL) == NC_NOERR && type == NC_DOUBLE &&
           count == 2 && nc_inq_dimlen(file, dimension[0], &size[0]) == NC_NOERR && size[0] == (size_t)elements &&
           nc_inq_dimlen(file, dimension[1], &size[1]) == NC_NOERR && size[1] == averages->info.values / size[0] &&
           nc_inq_attlen(file, variable, "meaning", &length) == NC_NOERR && length == strlen(averages->meaning) &&
           nc_get_att_text(file, variable, "meaning", text) == NC_NOERR &&
           memcmp(text, averages->meaning, length) == 0 &&
           ewi_netcdf_numbers(file, "averages_moment", NC_DOUBLE, 2, moment) && moment[0] >= 0 && isfinite(moment[0]) &&
           isfinite(moment[1]);
}

void ewi_restart_averages_miss(const struct ewi_reading *reading, const char *why, const ew_solver *solver)
{
    ew_averages_info info;
    ew_solver_averages_info(solver, &info);
    if (info.count > 0)
        ewi_log(&reading->memory->host, EW_LOG_WARNING, "%s %s; the averages begin anew at t = %.9g", reading->path,
                why, info.last);
}

int ewi_restart_averages_read(const struct ewi_reading *reading, int64_t elements, ew_solver *solver)
{
    struct ewi_restart_averages averages;
    double moment[2];
    if (!allocate(reading->memory, solver, &averages))
        return ewi_fail(reading->error, EW_ENOMEM, "not enough memory to read the averages of %s", reading->path);
    if (!averages.values)
        return EW_OK;
    char *text = ewi_arena_alloc(reading->memory, strlen(averages.meaning) + 1, 1);
    if (!text)
        return ewi_fail(reading->error, EW_ENOMEM, "not enough memory to read the averages of %s", reading->path);
    if (nc_inq_varid(reading->file, "averages", &averages.variable) != NC_NOERR)
        ewi_restart_averages_miss(reading, "has no averages", solver);
    else if (!is_the_same(reading->file, elements, &averages, moment, text))
        ewi_restart_averages_miss(reading, "has averages of other quantities, times or order", solver);
    else if (nc_get_var_double(reading->file, averages.variable, averages.values) != NC_NOERR)
        return ewi_fail(reading->error, EW_EIO, "the restart file %s is damaged: its averages cannot be read; use an "
                        "earlier one", reading->path);
    else
        return ew_solver_set_averages(solver, averages.values, moment[0], moment[1], reading->error);
    return EW_OK;
}
