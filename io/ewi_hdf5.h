/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes HDF5 features that training data sets need and netCDF lacks: scalar attributes, texts of any length, booleans.
 *
 * Call these functions between ewi_netcdf_begin and ewi_netcdf_end, since both use one HDF5 library. A failure is
 * recorded in the file, and later calls do nothing. Objects are HDF5's numbers.
 */
#ifndef EWI_HDF5_H
#define EWI_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ewi_hdf5 {
    int64_t file; /* -1: no open file */
    bool failed;
};

enum { EWI_HDF5_RANK = 5 };

/* The shape of a data set of floats; `grows`: its first dimension may change. */
struct ewi_hdf5_shape {
    int rank;
    size_t size[EWI_HDF5_RANK], chunk[EWI_HDF5_RANK]; /* chunk[0] = 0: contiguous */
    bool grows;
    int compression; /* 0 .. 9; needs chunks */
    float fill;
};

/* Replaces the contents of an existing file. */
void ewi_hdf5_create(struct ewi_hdf5 *hdf5, const char *path);
/* Flushes and closes the file. Do not call it after a failure: HDF5 may crash. */
void ewi_hdf5_close(struct ewi_hdf5 *hdf5);

int64_t ewi_hdf5_group(struct ewi_hdf5 *hdf5, int64_t parent, const char *name);
void ewi_hdf5_end_group(struct ewi_hdf5 *hdf5, int64_t group);

/* Write attributes; several numbers or texts become one list. */
void ewi_hdf5_put_text(struct ewi_hdf5 *hdf5, int64_t object, const char *name, const char *text);
void ewi_hdf5_put_texts(struct ewi_hdf5 *hdf5, int64_t object, const char *name, size_t count,
                        const char *const *text);
void ewi_hdf5_put_number(struct ewi_hdf5 *hdf5, int64_t object, const char *name, double value);
void ewi_hdf5_put_integer(struct ewi_hdf5 *hdf5, int64_t object, const char *name, int64_t value);
void ewi_hdf5_put_bool(struct ewi_hdf5 *hdf5, int64_t object, const char *name, bool value);
void ewi_hdf5_put_bools(struct ewi_hdf5 *hdf5, int64_t object, const char *name, size_t count, const bool *value);

int64_t ewi_hdf5_set(struct ewi_hdf5 *hdf5, int64_t group, const char *name, const struct ewi_hdf5_shape *shape);
void ewi_hdf5_end_set(struct ewi_hdf5 *hdf5, int64_t set);
/* Writes the whole set; numbers are rounded to floats. */
void ewi_hdf5_write(struct ewi_hdf5 *hdf5, int64_t set, const double *value);
/* Writes a part that begins at `start`; `rank` is the set's. */
void ewi_hdf5_write_part(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *start, const size_t *count,
                         const float *value);
/*
 * Writes a whole chunk of a compressed set in two steps. ewi_hdf5_pack may be called by any thread at any time. It
 * fills `packed`, of ewi_hdf5_packed_room bytes, with the `bytes` bytes that the file will contain. If it returns 0,
 * this build cannot compress them, and ewi_hdf5_write_part does all the work.
 */
size_t ewi_hdf5_packed_room(size_t count);
size_t ewi_hdf5_pack(size_t count, const float *value, int compression, unsigned char *packed);
void ewi_hdf5_write_packed(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *start, size_t bytes,
                           const unsigned char *packed);
void ewi_hdf5_read_part(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *start, const size_t *count,
                        float *value);
void ewi_hdf5_resize(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *size);
/* Writes a list of booleans under this name. */
void ewi_hdf5_bools(struct ewi_hdf5 *hdf5, int64_t group, const char *name, size_t count, const bool *value);

#endif
