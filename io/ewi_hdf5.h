/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HDF5 as data sets for training need it, which netCDF cannot write: scalar attributes, texts of any length, booleans.
 * Call these between ewi_netcdf_begin and ewi_netcdf_end, whose library it is. A failure is noted in the file; what is
 * called after it does nothing. Objects are HDF5's numbers.
 */
#ifndef EWI_HDF5_H
#define EWI_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ewi_hdf5 {
    int64_t file; /* -1: none is open */
    bool failed;
};

enum { EWI_HDF5_RANK = 5 };

/* A set of floats; `grows`: its first dimension may become another one. */
struct ewi_hdf5_shape {
    int rank;
    size_t size[EWI_HDF5_RANK], chunk[EWI_HDF5_RANK]; /* chunk[0] = 0: it lies in one piece */
    bool grows;
    int compression; /* 0 .. 9; of chunks */
    float fill;
};

/* Replaces the contents of a file that exists. */
void ewi_hdf5_create(struct ewi_hdf5 *hdf5, const char *path);
/* Brings all of it to the file. What has failed before must not be closed: HDF5 may crash. */
void ewi_hdf5_close(struct ewi_hdf5 *hdf5);

int64_t ewi_hdf5_group(struct ewi_hdf5 *hdf5, int64_t parent, const char *name);
void ewi_hdf5_end_group(struct ewi_hdf5 *hdf5, int64_t group);

/* Attributes; of several numbers or texts, one of a list. */
void ewi_hdf5_put_text(struct ewi_hdf5 *hdf5, int64_t object, const char *name, const char *text);
void ewi_hdf5_put_texts(struct ewi_hdf5 *hdf5, int64_t object, const char *name, size_t count,
                        const char *const *text);
void ewi_hdf5_put_number(struct ewi_hdf5 *hdf5, int64_t object, const char *name, double value);
void ewi_hdf5_put_integer(struct ewi_hdf5 *hdf5, int64_t object, const char *name, int64_t value);
void ewi_hdf5_put_bool(struct ewi_hdf5 *hdf5, int64_t object, const char *name, bool value);
void ewi_hdf5_put_bools(struct ewi_hdf5 *hdf5, int64_t object, const char *name, size_t count, const bool *value);

int64_t ewi_hdf5_set(struct ewi_hdf5 *hdf5, int64_t group, const char *name, const struct ewi_hdf5_shape *shape);
void ewi_hdf5_end_set(struct ewi_hdf5 *hdf5, int64_t set);
/* All of it; numbers are rounded to floats. */
void ewi_hdf5_write(struct ewi_hdf5 *hdf5, int64_t set, const double *value);
/* A part that begins at `start` and has the shape's rank. */
void ewi_hdf5_write_part(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *start, const size_t *count,
                         const float *value);
/*
 * The same of a whole chunk of a compressed set in two halves, the first of which any thread may call at any time:
 * `packed` is of ewi_hdf5_packed_room bytes and gets what the file has in the end, `bytes` of it; 0: it is not known
 * how, and ewi_hdf5_write_part does all of it.
 */
size_t ewi_hdf5_packed_room(size_t count);
size_t ewi_hdf5_pack(size_t count, const float *value, int compression, unsigned char *packed);
void ewi_hdf5_write_packed(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *start, size_t bytes,
                           const unsigned char *packed);
void ewi_hdf5_read_part(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *start, const size_t *count,
                        float *value);
void ewi_hdf5_resize(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *size);
/* A list of booleans, with its name; written at once. */
void ewi_hdf5_bools(struct ewi_hdf5 *hdf5, int64_t group, const char *name, size_t count, const bool *value);

#endif
