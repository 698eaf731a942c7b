/* SPDX-License-Identifier: BSD-2-Clause */
/* A run resumes from a restart file, or from the last frame of NAME.nc. */
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_file.h"
#include "ewi_host.h"
#include "ewi_results.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool is_hdf5(int descriptor)
{
    static const char magic[] = "\211HDF\r\n\032\n";
    char begin[sizeof magic - 1];
    return pread(descriptor, begin, sizeof begin, 0) == (ssize_t)sizeof begin &&
           memcmp(begin, magic, sizeof begin) == 0;
}

static int read_fields(struct ewi_reading *reading, const ew_run_plan *plan, ew_solver *solver, ew_restart_info *info)
{
    ew_results *results;
    TRY(ew_results_open(&reading->memory->host, reading->path, &results, reading->error));
    reading->file = results->file;
    int status = ewi_restart_from_frame(reading, results, plan, solver, info);
    ew_results_close(results);
    return status;
}

/* netCDF trusts its input, so it gets only files with a valid checksum. */
int ew_restart_read(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                    ew_restart_info *info, ew_error *error)
{
    EWI_REQUIRE(path, plan, solver);
    struct ewi_arena memory = {.host = ewi_host_or_default(host)};
    struct ewi_reading reading = {.memory = &memory, .path = path, .error = error};
    int descriptor = ewi_open_regular(path);
    if (descriptor < 0)
        return ewi_fail(error, EW_EIO, "cannot read the restart file %s: %s", path, ewi_open_error(errno));
    int status, code;
    if (is_hdf5(descriptor)) {
        status = read_fields(&reading, plan, solver, info);
        goto out;
    }
    EWI_TRY(ewi_seal_check(descriptor, path, error));
    ewi_netcdf_begin();
    code = ewi_netcdf_open(descriptor, path, &reading.file);
    if (code == NC_NOERR) {
        status = ewi_restart_from_file(&reading, plan, solver, info);
        nc_close(reading.file);
    } else {
        status = ewi_fail(error, EW_EIO, "cannot open the restart file %s: %s", path,
                          code > 0 ? strerror(code) : nc_strerror(code));
    }
    ewi_netcdf_end();
out:
    close(descriptor);
    ewi_arena_free(&memory);
    return status;
}
