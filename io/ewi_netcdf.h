/* SPDX-License-Identifier: BSD-2-Clause */
/* netCDF as all that read and write its files call it. */
#ifndef EWI_NETCDF_H
#define EWI_NETCDF_H

#include <netcdf.h>

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

#endif
