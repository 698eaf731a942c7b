/* SPDX-License-Identifier: BSD-2-Clause */
/* How all files call netCDF. */
#ifndef EWI_NETCDF_H
#define EWI_NETCDF_H

#include "edgewise-case.h"
#include "ewi_host.h"

#include <limits.h>
#include <netcdf.h>
#include <stdbool.h>

/* netCDF and HDF5 are not thread-safe: call them between these two only. */
void ewi_netcdf_begin(void);
void ewi_netcdf_end(void);

/*
 * nc_create, which replaces the file's contents, and nc_open, both of a file that we have opened. Where descriptors
 * have names, netCDF gets that name. It then opens this very file, even if the path looks like an address or a drive,
 * has backslashes, or if someone puts a link in its place. Elsewhere netCDF gets the path.
 */
enum { EWI_NETCDF_NAME = PATH_MAX + sizeof "./" };
/* That name; EINVAL for a path that netCDF would change, or another errno. */
int ewi_netcdf_name(int descriptor, const char *path, char name[EWI_NETCDF_NAME]);
int ewi_netcdf_create(int descriptor, const char *path, int mode, int *file);
/* NC_EDIMSIZE: it announces more values than a file of its size can have, so no reader needs to ask. */
int ewi_netcdf_open(int descriptor, const char *path, int *file);

/*
 * Attributes, none of which is trusted; false if there is none of that name, type and length. Numbers are attributes of
 * the whole file; their type is `type`, or any numeric one if that is NC_NAT.
 */
bool ewi_netcdf_text(int file, int variable, const char *name, char *text, size_t size);
bool ewi_netcdf_numbers(int file, const char *name, nc_type type, size_t count, double *values);
bool ewi_netcdf_integer(int file, const char *name, nc_type type, int64_t *value);
/* A text of the whole file; NULL if there is none of at most this length. Returns netCDF's code. */
int ewi_netcdf_read_text(struct ewi_arena *memory, int file, const char *name, size_t most, char **text);

/* What follows writes attributes and returns netCDF's code. A text that is NULL is left out. */
int ewi_netcdf_put_text(int file, int variable, const char *name, const char *text);
int ewi_netcdf_put_hash(int file, const char *name, uint64_t hash);
int ewi_netcdf_put_number(int file, const char *name, double value);
/* Where a file comes from: version, backend, case, law and methods; and the law's parameters, with the CFL number. */
int ewi_netcdf_put_provenance(int file, const ew_run_plan *plan, const ew_solver_info *info);
int ewi_netcdf_put_parameters(int file, const ew_solver_info *info);

#endif
