/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands netCDF a file by its descriptor, one thread at a time. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT */
#endif
#include "ewi_netcdf.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Fields of several solvers may be written by several threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * HDF5 prints what fails to stderr, and each thread has to stop that for itself. netCDF does it in one thread and has
 * no function for others, so we look for HDF5's own in what is loaded.
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

void ewi_netcdf_begin(void)
{
    pthread_mutex_lock(&lock);
    silence_this_thread();
}

void ewi_netcdf_end(void)
{
    pthread_mutex_unlock(&lock);
}

/* HDF5 asks for the path behind a link, which may lead through folders that only others may enter. */
static bool leads_to(const char *name, int descriptor)
{
    char path[PATH_MAX];
    struct stat named, opened;
    return stat(name, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino && (realpath(name, path) || errno != EACCES);
}

enum { ROOM = PATH_MAX + sizeof "./" };

/* EINVAL for a path that netCDF would change; "./" before it keeps it from being an address. */
static int choose_name(int descriptor, const char *path, char name[ROOM])
{
    snprintf(name, ROOM, "/proc/self/fd/%d", descriptor);
    if (leads_to(name, descriptor))
        return NC_NOERR;
    int length = snprintf(name, ROOM, "%s%s", path[0] == '/' ? "" : "./", path);
    return length >= ROOM ? ENAMETOOLONG : strchr(name, '\\') ? EINVAL : NC_NOERR;
}

int ewi_netcdf_create(int descriptor, const char *path, int mode, int *file)
{
    char name[ROOM];
    int code = choose_name(descriptor, path, name);
    return code == NC_NOERR ? nc_create(name, mode | NC_CLOBBER, file) : code;
}

int ewi_netcdf_open(int descriptor, const char *path, int *file)
{
    char name[ROOM];
    int code = choose_name(descriptor, path, name);
    return code == NC_NOERR ? nc_open(name, NC_NOWRITE, file) : code;
}
