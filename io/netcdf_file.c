/* SPDX-License-Identifier: BSD-2-Clause */
/* Passes files to netCDF by descriptor, one thread at a time. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT */
#endif
#include "ewi_netcdf.h"
#include "ewi_text.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *const ewi_reference[EWI_REFERENCES] = {"reference_density", "reference_speed", "reference_pressure"};

/* Several threads may write fields of several solvers. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * HDF5 prints failures to stderr, and each thread must turn that off for itself. netCDF does so in one thread only, so
 * we look up HDF5's own function among the loaded libraries.
 */
static void silence_this_thread(void)
{
    static _Thread_local bool done;
    int (*set_auto)(int64_t stack, void *function, void *context) =
        done ? NULL : (int (*)(int64_t, void *, void *))(uintptr_t)dlsym(RTLD_DEFAULT, "H5Eset_auto2");
    if (set_auto)
        set_auto(0, NULL, NULL);
    done = true;
}

void ewi_netcdf_end(void)
{
    pthread_mutex_unlock(&lock);
}

static void lock_libraries(void)
{
    pthread_mutex_lock(&lock);
}

/*
 * fork waits until no thread is inside the libraries, because the child may try to open a file. This is installed
 * before any thread can fork while another one makes its first call.
 */
__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(lock_libraries, ewi_netcdf_end, ewi_netcdf_end);
}

void ewi_netcdf_begin(void)
{
    lock_libraries();
    silence_this_thread();
}

/* HDF5 resolves the link, whose path may lead through folders that this user cannot enter. */
static bool leads_to(const char *name, int descriptor)
{
    char path[PATH_MAX];
    struct stat named, opened;
    return stat(name, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino && (realpath(name, path) || errno != EACCES);
}

/* A leading "./" keeps netCDF from taking a path for an address. */
int ewi_netcdf_name(int descriptor, const char *path, char name[EWI_NETCDF_NAME])
{
    ewi_snprintf(name, EWI_NETCDF_NAME, "/proc/self/fd/%d", descriptor);
    if (leads_to(name, descriptor))
        return NC_NOERR;
    int length = ewi_snprintf(name, EWI_NETCDF_NAME, "%s%s", path[0] == '/' ? "" : "./", path);
    return length >= EWI_NETCDF_NAME ? ENAMETOOLONG : strchr(name, '\\') ? EINVAL : NC_NOERR;
}

int ewi_netcdf_create(int descriptor, const char *path, int mode, int *file)
{
    char name[EWI_NETCDF_NAME];
    int code = ewi_netcdf_name(descriptor, path, name);
    return code == NC_NOERR ? nc_create(name, mode | NC_CLOBBER, file) : code;
}

/* Deflate, the filter of our files, expands one byte to at most this many. */
enum { MOST_INFLATED = 1032 };

/* NC_EDIMSIZE: the variable has more than `most` bytes. */
static int check_variable(int file, int variable, double most)
{
    nc_type type;
    int dimensions, dimension[NC_MAX_VAR_DIMS];
    size_t length = 0;
    int code = nc_inq_var(file, variable, NULL, &type, &dimensions, dimension, NULL);
    if (code == NC_NOERR)
        code = nc_inq_type(file, type, NULL, &length);
    double bytes = (double)length;
    for (int k = 0; code == NC_NOERR && k < dimensions; k++) {
        code = nc_inq_dimlen(file, dimension[k], &length);
        bytes *= (double)length;
    }
    return code != NC_NOERR || bytes <= most ? code : NC_EDIMSIZE;
}

static int check_dimension(int file, int dimension, double most)
{
    size_t length;
    int code = nc_inq_dimlen(file, dimension, &length);
    return code != NC_NOERR || (double)length <= most ? code : NC_EDIMSIZE;
}

/* Values that were never written take no room in the file, but do take memory in readers. */
static int check_sizes(int file, int descriptor)
{
    struct stat info;
    int variables = 0, dimensions = 0, dimension[NC_MAX_DIMS];
    int code = fstat(descriptor, &info) == 0 ? nc_inq_nvars(file, &variables) : errno;
    double most = (double)MOST_INFLATED * (double)info.st_size;
    if (code == NC_NOERR)
        code = nc_inq_ndims(file, &dimensions);
    if (code == NC_NOERR)
        code = dimensions <= NC_MAX_DIMS ? nc_inq_dimids(file, &dimensions, dimension, 0) : NC_EMAXDIMS;
    for (int k = 0; code == NC_NOERR && k < dimensions; k++)
        code = check_dimension(file, dimension[k], most);
    for (int k = 0; code == NC_NOERR && k < variables; k++)
        code = check_variable(file, k, most);
    return code;
}

int ewi_netcdf_open(int descriptor, const char *path, int *file)
{
    char name[EWI_NETCDF_NAME];
    int code = ewi_netcdf_name(descriptor, path, name);
    if (code != NC_NOERR || (code = nc_open(name, NC_NOWRITE, file)) != NC_NOERR)
        return code;
    code = check_sizes(*file, descriptor);
    if (code != NC_NOERR)
        nc_close(*file);
    return code;
}

bool ewi_netcdf_text(int file, int variable, const char *name, char *text, size_t size)
{
    nc_type type;
    size_t length;
    if (nc_inq_att(file, variable, name, &type, &length) != NC_NOERR || type != NC_CHAR || length >= size)
        return false;
    text[length] = '\0';
    return nc_get_att_text(file, variable, name, text) == NC_NOERR;
}

static bool has_numbers(int file, const char *name, nc_type wanted, size_t count)
{
    nc_type type;
    size_t length;
    return nc_inq_att(file, NC_GLOBAL, name, &type, &length) == NC_NOERR && length == count && type != NC_CHAR &&
           (wanted == NC_NAT || type == wanted);
}

bool ewi_netcdf_numbers(int file, const char *name, nc_type type, size_t count, double *values)
{
    return has_numbers(file, name, type, count) && nc_get_att_double(file, NC_GLOBAL, name, values) == NC_NOERR;
}

bool ewi_netcdf_integer(int file, const char *name, nc_type type, int64_t *value)
{
    long long number = 0;
    bool good = has_numbers(file, name, type, 1) && nc_get_att_longlong(file, NC_GLOBAL, name, &number) == NC_NOERR;
    *value = number;
    return good;
}

int ewi_netcdf_read_text(struct ewi_arena *memory, int file, const char *name, size_t most, char **text)
{
    nc_type type;
    size_t length;
    *text = NULL;
    if (nc_inq_att(file, NC_GLOBAL, name, &type, &length) != NC_NOERR || type != NC_CHAR || length > most)
        return NC_NOERR;
    *text = ewi_arena_alloc(memory, length + 1, 1);
    return *text ? nc_get_att_text(file, NC_GLOBAL, name, *text) : NC_ENOMEM;
}

int ewi_netcdf_put_text(int file, int variable, const char *name, const char *text)
{
    return text ? nc_put_att_text(file, variable, name, strlen(text), text) : NC_NOERR;
}

int ewi_netcdf_put_hash(int file, const char *name, uint64_t hash)
{
    char digits[17];
    ewi_snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    return ewi_netcdf_put_text(file, NC_GLOBAL, name, digits);
}

int ewi_netcdf_put_number(int file, const char *name, double value)
{
    return nc_put_att_double(file, NC_GLOBAL, name, NC_DOUBLE, 1, &value);
}

int ewi_netcdf_put_provenance(int file, const ew_run_plan *plan, const ew_solver_info *info)
{
    const char *const texts[][2] = {
        {"edgewise_version", ew_version()}, {"backend", info->backend}, {"kernels", info->kernels},
        {"device", info->device},           {"case_name", plan->name},  {"case_text", plan->text},
        {"mesh_file", plan->mesh},          {"law", info->law->name},   {"flux", info->flux},
        {"limiter", info->limiter},         {"scheme", info->scheme},   {"rasters", plan->rasters},
    };
    int code = NC_NOERR;
    for (size_t k = 0; k < sizeof texts / sizeof *texts && code == NC_NOERR; k++)
        code = ewi_netcdf_put_text(file, NC_GLOBAL, texts[k][0], texts[k][1]);
    return code;
}

int ewi_netcdf_put_parameters(int file, const ew_solver_info *info)
{
    int code = ewi_netcdf_put_number(file, "cfl", info->cfl);
    if (code == NC_NOERR)
        code = ewi_netcdf_put_number(file, "step_levels", info->step_levels);
    for (int k = 0; k < info->law->parameters && code == NC_NOERR; k++) {
        char name[64];
        ewi_snprintf(name, sizeof name, "law_%s", info->law->parameter[k].name);
        code = ewi_netcdf_put_number(file, name, info->parameter[k]);
    }
    return code;
}
