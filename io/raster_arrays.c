/* SPDX-License-Identifier: BSD-2-Clause */
/* The arrays of rasters from files. */
#include "ewi_raster_file.h"
#include "ewi_error.h"

int ewi_raster_file_allocate(const struct ewi_raster_source *source, struct ewi_raster_file *raster, double *axis[3],
                             double **values)
{
    ew_raster_data *data = &raster->data;
    double count = (double)data->columns * data->rows * (data->times > 0 ? data->times : 1);
    if (!(count <= EWI_MOST_RASTER_VALUES))
        return ewi_fail(source->error, EW_EIO, "%.200s is too large: it has %.0f values, and a raster at most %d; take "
                        "a part of it, or a coarser one", source->path, count, EWI_MOST_RASTER_VALUES);
    *values = ewi_arena_alloc(&raster->memory, (size_t)count, sizeof **values);
    const int32_t points[3] = {data->columns, data->rows, data->times};
    for (int d = 0; d < 3; d++)
        axis[d] = ewi_arena_alloc(&raster->memory, (size_t)points[d], sizeof **axis);
    if (raster->memory.lacks)
        return ewi_fail(source->error, EW_ENOMEM, "not enough memory for the raster %.200s of %.0f values",
                        source->path, count);
    data->x = axis[0];
    data->y = axis[1];
    data->t = axis[2];
    data->values = *values;
    return EW_OK;
}
