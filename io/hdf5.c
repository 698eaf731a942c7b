/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Implements ewi_hdf5.h with HDF5's own library. Booleans are stored as h5py stores them: enumerations of FALSE and
 * TRUE.
 */
#include "config.h"

#ifdef EWI_HAVE_HDF5
#include "ewi_hdf5.h"

#include <hdf5.h>
#include <string.h>
#ifdef EWI_HAVE_ZLIB
#include <zlib.h>
#endif

/* Records a negative result; true if nothing has failed so far. */
static bool note(struct ewi_hdf5 *hdf5, int64_t result)
{
    hdf5->failed = hdf5->failed || result < 0;
    return !hdf5->failed;
}

/* ---- types and spaces -------------------------------------------------------------------------------------------- */

static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static hid_t bool_type(void)
{
    hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
    const int8_t no = 0, yes = 1;
    H5Tenum_insert(type, "FALSE", &no);
    H5Tenum_insert(type, "TRUE", &yes);
    return type;
}

static hid_t space_of(int rank, const size_t *size, bool grows)
{
    hsize_t now[EWI_HDF5_RANK], most[EWI_HDF5_RANK];
    for (int d = 0; d < rank; d++) {
        now[d] = size[d];
        most[d] = grows && d == 0 ? H5S_UNLIMITED : size[d];
    }
    return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, now, most);
}

/* ---- the file and its groups ------------------------------------------------------------------------------------- */

void ewi_hdf5_create(struct ewi_hdf5 *hdf5, const char *path)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG); /* an abandoned file still has open sets */
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, false, true); /* our own lock on the file excludes another one */
#endif
    *hdf5 = (struct ewi_hdf5){.file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access)};
    H5Pclose(access);
    note(hdf5, hdf5->file);
}

void ewi_hdf5_close(struct ewi_hdf5 *hdf5)
{
    if (hdf5->file >= 0 && !hdf5->failed)
        note(hdf5, H5Fclose(hdf5->file));
    hdf5->file = -1;
}

int64_t ewi_hdf5_group(struct ewi_hdf5 *hdf5, int64_t parent, const char *name)
{
    hid_t group = hdf5->failed ? -1 : H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    note(hdf5, group);
    return group;
}

void ewi_hdf5_end_group(struct ewi_hdf5 *hdf5, int64_t group)
{
    if (!hdf5->failed)
        note(hdf5, H5Gclose(group));
}

/* ---- attributes, which close the type and the space -------------------------------------------------------------- */

static void put(struct ewi_hdf5 *hdf5, int64_t object, const char *name, hid_t type, hid_t space, const void *value)
{
    hid_t attribute = hdf5->failed ? -1 : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (note(hdf5, attribute)) {
        if (H5Sget_select_npoints(space) > 0)
            note(hdf5, H5Awrite(attribute, type, value));
        note(hdf5, H5Aclose(attribute));
    }
    H5Sclose(space);
    H5Tclose(type);
}

void ewi_hdf5_put_text(struct ewi_hdf5 *hdf5, int64_t object, const char *name, const char *text)
{
    put(hdf5, object, name, text_type(), H5Screate(H5S_SCALAR), &text);
}

void ewi_hdf5_put_texts(struct ewi_hdf5 *hdf5, int64_t object, const char *name, size_t count,
                        const char *const *text)
{
    put(hdf5, object, name, text_type(), space_of(1, &count, false), text);
}

void ewi_hdf5_put_number(struct ewi_hdf5 *hdf5, int64_t object, const char *name, double value)
{
    put(hdf5, object, name, H5Tcopy(H5T_NATIVE_DOUBLE), H5Screate(H5S_SCALAR), &value);
}

void ewi_hdf5_put_integer(struct ewi_hdf5 *hdf5, int64_t object, const char *name, int64_t value)
{
    put(hdf5, object, name, H5Tcopy(H5T_NATIVE_INT64), H5Screate(H5S_SCALAR), &value);
}

void ewi_hdf5_put_bool(struct ewi_hdf5 *hdf5, int64_t object, const char *name, bool value)
{
    const int8_t byte = value;
    put(hdf5, object, name, bool_type(), H5Screate(H5S_SCALAR), &byte);
}

void ewi_hdf5_put_bools(struct ewi_hdf5 *hdf5, int64_t object, const char *name, size_t count, const bool *value)
{
    int8_t byte[EWI_HDF5_RANK] = {0};
    for (size_t k = 0; k < count && k < EWI_HDF5_RANK; k++)
        byte[k] = value[k];
    put(hdf5, object, name, bool_type(), space_of(1, &count, false), byte);
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static hid_t set_properties(const struct ewi_hdf5_shape *shape)
{
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk[EWI_HDF5_RANK];
    for (int d = 0; d < shape->rank; d++)
        chunk[d] = shape->chunk[d];
    H5Pset_fill_value(properties, H5T_NATIVE_FLOAT, &shape->fill);
    if (shape->rank == 0 || shape->chunk[0] == 0)
        return properties;
    H5Pset_chunk(properties, shape->rank, chunk);
    H5Pset_fill_time(properties, H5D_FILL_TIME_IFSET);
    if (shape->compression > 0) {
        H5Pset_shuffle(properties);
        H5Pset_deflate(properties, (unsigned)shape->compression);
    }
    return properties;
}

int64_t ewi_hdf5_set(struct ewi_hdf5 *hdf5, int64_t group, const char *name, const struct ewi_hdf5_shape *shape)
{
    if (hdf5->failed)
        return -1;
    hid_t space = space_of(shape->rank, shape->size, shape->grows), properties = set_properties(shape);
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, 1, 1, 1.0); /* chunks are written once, as a whole */
    hid_t set = H5Dcreate2(group, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, access);
    H5Pclose(access);
    H5Pclose(properties);
    H5Sclose(space);
    note(hdf5, set);
    return set;
}

void ewi_hdf5_end_set(struct ewi_hdf5 *hdf5, int64_t set)
{
    if (!hdf5->failed)
        note(hdf5, H5Dclose(set));
}

void ewi_hdf5_write(struct ewi_hdf5 *hdf5, int64_t set, const double *value)
{
    if (!hdf5->failed)
        note(hdf5, H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value));
}

/* The dataspace of a part, selected within the set's; -1 on failure. */
static hid_t select_part(hid_t set, int rank, const size_t *start, const size_t *count)
{
    hsize_t first[EWI_HDF5_RANK], size[EWI_HDF5_RANK];
    for (int d = 0; d < rank; d++) {
        first[d] = start[d];
        size[d] = count[d];
    }
    hid_t space = H5Dget_space(set);
    if (space >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, size, NULL) >= 0)
        return space;
    if (space >= 0)
        H5Sclose(space);
    return -1;
}

void ewi_hdf5_write_part(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *start, const size_t *count,
                         const float *value)
{
    hid_t part = hdf5->failed ? -1 : select_part(set, rank, start, count);
    if (!note(hdf5, part))
        return;
    hid_t memory = space_of(rank, count, false);
    note(hdf5, H5Dwrite(set, H5T_NATIVE_FLOAT, memory, part, H5P_DEFAULT, value));
    H5Sclose(memory);
    H5Sclose(part);
}

/*
 * Compresses as the filters of set_properties do: the first bytes of all numbers, then all second bytes, and so on, by
 * zlib. The bytes are transposed in the second half of the room.
 */
#if defined(EWI_HAVE_ZLIB) && H5_VERSION_GE(1, 10, 3)
size_t ewi_hdf5_packed_room(size_t count)
{
    return compressBound((uLong)(count * sizeof(float))) + count * sizeof(float);
}

size_t ewi_hdf5_pack(size_t count, const float *value, int compression, unsigned char *packed)
{
    uLongf bytes = compressBound((uLong)(count * sizeof(float)));
    unsigned char *shuffled = packed + bytes;
    for (size_t k = 0; k < count; k++) {
        uint32_t bits;
        memcpy(&bits, &value[k], sizeof bits);
        for (size_t byte = 0; byte < sizeof bits; byte++)
            shuffled[byte * count + k] = (unsigned char)(bits >> 8 * byte);
    }
    return compress2(packed, &bytes, shuffled, (uLong)(count * sizeof(float)), compression) == Z_OK ? bytes : 0;
}

void ewi_hdf5_write_packed(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *start, size_t bytes,
                           const unsigned char *packed)
{
    hsize_t first[EWI_HDF5_RANK];
    for (int d = 0; d < rank; d++)
        first[d] = start[d];
    if (!hdf5->failed)
        note(hdf5, H5Dwrite_chunk(set, H5P_DEFAULT, 0, first, bytes, packed));
}
#else
size_t ewi_hdf5_packed_room(size_t count)
{
    (void)count;
    return 0;
}

size_t ewi_hdf5_pack(size_t count, const float *value, int compression, unsigned char *packed)
{
    (void)count, (void)value, (void)compression, (void)packed;
    return 0;
}

void ewi_hdf5_write_packed(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *start, size_t bytes,
                           const unsigned char *packed)
{
    (void)set, (void)rank, (void)start, (void)bytes, (void)packed;
    hdf5->failed = true;
}
#endif

void ewi_hdf5_read_part(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *start, const size_t *count,
                        float *value)
{
    hid_t part = hdf5->failed ? -1 : select_part(set, rank, start, count);
    if (!note(hdf5, part))
        return;
    hid_t memory = space_of(rank, count, false);
    note(hdf5, H5Dread(set, H5T_NATIVE_FLOAT, memory, part, H5P_DEFAULT, value));
    H5Sclose(memory);
    H5Sclose(part);
}

void ewi_hdf5_resize(struct ewi_hdf5 *hdf5, int64_t set, int rank, const size_t *size)
{
    hsize_t now[EWI_HDF5_RANK];
    for (int d = 0; d < rank; d++)
        now[d] = size[d];
    if (!hdf5->failed)
        note(hdf5, H5Dset_extent(set, now));
}

void ewi_hdf5_bools(struct ewi_hdf5 *hdf5, int64_t group, const char *name, size_t count, const bool *value)
{
    hid_t type = bool_type(), space = space_of(1, &count, false);
    hid_t set = hdf5->failed ? -1
                             : H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (note(hdf5, set)) {
        note(hdf5, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value)); /* a bool is a byte, 0 or 1 */
        note(hdf5, H5Dclose(set));
    }
    H5Sclose(space);
    H5Tclose(type);
}

_Static_assert(sizeof(bool) == 1, "a bool is a byte");
#else
typedef int ewi_hdf5_is_left_out; /* ISO C forbids an empty file */
#endif
