/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rasters from files, for formulas.
 *
 * raster_file.c    the formats
 * raster_arrays.c  memory, which all of them need
 * raster_esri.c    ESRI ASCII grids
 * raster_netcdf.c  variables of netCDF files
 */
#ifndef EWI_RASTER_FILE_H
#define EWI_RASTER_FILE_H

#include "edgewise.h"
#include "ewi_host.h"

enum { EWI_MOST_RASTER_VALUES = 1 << 27 }; /* 1 GiB */

struct ewi_raster_file {
    ew_raster_data data;
    struct ewi_arena memory; /* of its arrays and name */
};

/*
 * Reads a raster from an open file, by its contents a netCDF file or an ESRI grid. `variable` may be NULL for an ESRI
 * grid. `path` is its name in sentences and in data.name.
 */
int ewi_raster_file_read(const ew_host *host, int file, const char *path, const char *variable,
                    struct ewi_raster_file **raster, ew_error *error);
void ewi_raster_file_free(struct ewi_raster_file *raster);

/* ---- for the formats --------------------------------------------------------------------------------------------- */

struct ewi_raster_source {
    int file;
    const char *path, *variable; /* variable: NULL if none is named */
    ew_error *error;
};

/* Allocates `axis` and `values` for the raster's sizes. Fails if it is too large or memory is short. */
int ewi_raster_file_allocate(const struct ewi_raster_source *source, struct ewi_raster_file *raster, double *axis[3],
                        double **values);
int ewi_raster_esri_read(const struct ewi_raster_source *source, struct ewi_raster_file *raster);
int ewi_raster_netcdf_read(const struct ewi_raster_source *source, struct ewi_raster_file *raster);

#endif
