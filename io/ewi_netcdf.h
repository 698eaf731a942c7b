/* SPDX-License-Identifier: BSD-2-Clause */
/* netCDF as all that read and write its files call it. */
#ifndef EWI_NETCDF_H
#define EWI_NETCDF_H

#include "edgewise-case.h"
#include "ewi_host.h"

#include <netcdf.h>
#include <stdbool.h>

/* netCDF and HDF5 are not safe for threads: whoever calls them does so between these two. */
void ewi_netcdf_begin(void);
void ewi_netcdf_end(void);

/*
 * nc_create, in place of what the file has, and nc_open of a file that we have opened. Where the system has names for
 * descriptors, netCDF gets that name. So it comes to this file, whatever it takes the path for (an address, a drive,
 * folders between backslashes), and whoever puts a link in its place. Elsewhere it gets the path.
 */
int ewi_netcdf_create(int descriptor, const char *path, int mode, int *file);
int ewi_netcdf_open(int descriptor, const char *path, int *file);

/*
 * Attributes, of which nothing is trusted; false if there is none of that name, kind and length. Those of numbers are
 * of the whole file, and of `type`, or, if that is NC_NAT, of any that has numbers.
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
