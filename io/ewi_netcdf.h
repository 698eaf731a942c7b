/* SPDX-License-Identifier: BSD-2-Clause */
/* All calls that open or create netCDF files, and their attributes. */
#ifndef EWI_NETCDF_H
#define EWI_NETCDF_H

#include "edgewise-case.h"
#include "ewi_host.h"

#include <limits.h>
#include <netcdf.h>
#include <stdbool.h>

/* netCDF and HDF5 are not thread-safe: call them only between these two. */
void ewi_netcdf_begin(void);
void ewi_netcdf_end(void);

/*
 * nc_create, which replaces the file's contents, and nc_open for a file that we have already opened. Where the system
 * names descriptors, netCDF gets that name. It then opens this very file, even if the path looks like an address or a
 * drive, or has backslashes, or if someone has put a link in its place. Elsewhere netCDF gets the path.
 */
enum { EWI_NETCDF_NAME = PATH_MAX + sizeof "./" };
/* The name for netCDF. Returns 0, EINVAL for a path that netCDF would change, or another errno. */
int ewi_netcdf_name(int descriptor, const char *path, char name[EWI_NETCDF_NAME]);
int ewi_netcdf_create(int descriptor, const char *path, int mode, int *file);
/* NC_EDIMSIZE: the file announces more values than a file of its size can hold. So readers need not check. */
int ewi_netcdf_open(int descriptor, const char *path, int *file);

/*
 * Read attributes, without trusting them; false if no attribute has that name, type and length. Numbers are attributes
 * of the whole file. Their type is `type`, or any numeric type if that is NC_NAT.
 */
bool ewi_netcdf_text(int file, int variable, const char *name, char *text, size_t size);
bool ewi_netcdf_numbers(int file, const char *name, nc_type type, size_t count, double *values);
bool ewi_netcdf_integer(int file, const char *name, nc_type type, int64_t *value);
/* Reads a text attribute of the file; NULL if it has none of at most this length. Returns netCDF's code. */
int ewi_netcdf_read_text(struct ewi_arena *memory, int file, const char *name, size_t most, char **text);

/* The following functions write attributes and return netCDF's code. A text that is NULL is skipped. */
int ewi_netcdf_put_text(int file, int variable, const char *name, const char *text);
int ewi_netcdf_put_hash(int file, const char *name, uint64_t hash);
int ewi_netcdf_put_number(int file, const char *name, double value);
/* Writes the file's provenance (version, backend, case, law, methods), the law's parameters and the CFL number. */
int ewi_netcdf_put_provenance(int file, const ew_run_plan *plan, const ew_solver_info *info);
int ewi_netcdf_put_parameters(int file, const ew_solver_info *info);

/*
 * Attributes of the variable "boundary": for each boundary, as numbered in flag_values, the reference values of its
 * body; NaN: unknown.
 */
enum { EWI_REFERENCES = 3 };
extern const char *const ewi_reference[EWI_REFERENCES];

/* An attribute of fields that are linear between nodes, and its value. */
#define EWI_INTERPOLATION "interpolation"
#define EWI_LINEAR "linear"

#endif
