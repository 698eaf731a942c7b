/* SPDX-License-Identifier: BSD-2-Clause */
/* Rasters from files: which format a file has. */
#include "ewi_raster_file.h"
#include "ewi_error.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { MAGIC = 8 };

/* Signatures of files that are not rasters, with advice for each. */
static const struct {
    const char *begins, *is;
} mistaken[] = {
    {"II*", "a TIFF; \"gdal_translate -of netCDF\" makes a netCDF file of a GeoTIFF"},
    {"MM", "a TIFF; \"gdal_translate -of netCDF\" makes a netCDF file of a GeoTIFF"},
    {"\211PNG", "a picture; \"gdal_translate -of AAIGrid -b 1\" makes an ESRI grid of it"},
    {"\377\330\377", "a picture; \"gdal_translate -of AAIGrid -b 1\" makes an ESRI grid of it"},
    {"GRIB", "a GRIB file; \"cdo -f nc copy\" makes a netCDF file of it"},
};

static bool is_netcdf(const char *magic)
{
    return memcmp(magic, "CDF", 3) == 0 || memcmp(magic, "\211HDF\r\n\032\n", MAGIC) == 0;
}

static int check_mistaken(const struct ewi_raster_source *source, const char *magic)
{
    for (size_t k = 0; k < sizeof mistaken / sizeof *mistaken; k++)
        if (memcmp(magic, mistaken[k].begins, strlen(mistaken[k].begins)) == 0)
            return ewi_fail(source->error, EW_EIO, "%.200s is %s", source->path, mistaken[k].is);
    return EW_OK;
}

static int read_format(const struct ewi_raster_source *source, struct ewi_raster_file *raster)
{
    char magic[MAGIC] = "";
    if (pread(source->file, magic, sizeof magic, 0) <= 0)
        return ewi_fail(source->error, EW_EIO, "%.200s is empty or cannot be read", source->path);
    if (is_netcdf(magic))
        return ewi_raster_netcdf_read(source, raster);
    TRY(check_mistaken(source, magic));
    return ewi_raster_esri_read(source, raster);
}

/* "dem.nc: z", by the file's own name. */
static int put_name(const struct ewi_raster_source *source, struct ewi_raster_file *raster)
{
    char name[600];
    ewi_snprintf(name, sizeof name, "%.300s%s%.250s", source->path, source->variable ? ": " : "",
                 source->variable ? source->variable : "");
    raster->data.name = ewi_arena_strdup(&raster->memory, name);
    return raster->data.name ? EW_OK : ewi_fail(source->error, EW_ENOMEM, "not enough memory for the raster %.200s",
                                                source->path);
}

int ewi_raster_file_read(const ew_host *host, int file, const char *path, const char *variable,
                         struct ewi_raster_file **raster, ew_error *error)
{
    const ew_host own = ewi_host_or_default(host);
    const struct ewi_raster_source source = {.file = file, .path = path, .variable = variable, .error = error};
    struct ewi_raster_file *made = ewi_alloc(&own, 1, sizeof *made);
    if (!made)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the raster %.200s", path);
    made->memory.host = own;
    int status = read_format(&source, made);
    if (status == EW_OK)
        status = put_name(&source, made);
    if (status == EW_OK)
        *raster = made;
    else
        ewi_raster_file_free(made);
    return status;
}

void ewi_raster_file_free(struct ewi_raster_file *raster)
{
    if (!raster)
        return;
    ew_host host = raster->memory.host;
    ewi_arena_free(&raster->memory);
    ewi_free(&host, raster);
}
