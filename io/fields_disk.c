/* SPDX-License-Identifier: BSD-2-Clause */
/* Room for fields on the disk, the sync of what is written, and the sentences when the disk or HDF5 fails. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fallocate */
#endif
#include "ewi_error.h"
#include "ewi_fields.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    SLAB_ELEMENTS = 65536,    /* most elements per write ... */
    SLAB_VALUES = 512 * 1024, /* ... and most values of one variable */
    CHUNK_VALUES = 1 << 27,   /* most values in a chunk: HDF5 counts its bytes in 32 bits */
    FULL_BELOW = 65536,       /* with fewer free bytes, a failed write means a full disk */
};

/* ---- failures ---------------------------------------------------------------------------------------------------- */

static bool disk_is_full(const struct ew_fields *fields)
{
    struct statvfs room;
    return fields->descriptor >= 0 && fstatvfs(fields->descriptor, &room) == 0 && room.f_blocks > 0 &&
           (double)room.f_bavail * (double)room.f_frsize < FULL_BELOW;
}

static bool is_of_disk(int number)
{
    static const int numbers[] = {ENOSPC, EDQUOT, EFBIG, EIO, EROFS, ESTALE};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (number == numbers[k])
            return true;
    return false;
}

/* HDF5 reports only that it failed. The cause is errno, if it survived, or else the disk. */
static int failed_for(const struct ew_fields *fields, int error_number, const char *otherwise, ew_error *error)
{
    int number = is_of_disk(error_number) ? error_number : disk_is_full(fields) ? ENOSPC : 0;
    return ewi_fail(error, ewi_write_code(number), "cannot write %s to %s: %s", fields->doing, fields->target.part,
                    number ? ewi_write_error(number) : otherwise);
}

int ewi_fields_failure(const struct ew_fields *fields, int error_number, ew_error *error)
{
    return failed_for(fields, error_number, strerror(error_number), error);
}

int ewi_fields_no_memory(const struct ew_fields *fields, ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory to write %s to %s", fields->doing, fields->target.part);
}

int ewi_netcdf_failure(struct ew_fields *fields, int code, int error_number, ew_error *error)
{
    fields->lost = true;
    if (code == NC_ENOMEM)
        return ewi_fields_no_memory(fields, error);
    /* netCDF returns errno unchanged, or turns it into EACCES. */
    const char *message = code > 0 ? strerror(code) : nc_strerror(code);
    return failed_for(fields, is_of_disk(error_number) ? error_number : code, message, error);
}

/* ---- room -------------------------------------------------------------------------------------------------------- */

/* Reserves blocks past the end of the file; HDF5 controls its length. */
static int allocate_blocks(int descriptor, off_t start, off_t bytes)
{
#ifdef FALLOC_FL_KEEP_SIZE
    return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, start, bytes) == 0 ? 0 : errno;
#else
    (void)descriptor, (void)start, (void)bytes;
    return ENOTSUP;
#endif
}

static bool has_no_room(int descriptor, double bytes)
{
    struct statvfs room;
    return fstatvfs(descriptor, &room) == 0 && room.f_blocks > 0 &&
           (double)room.f_bavail * (double)room.f_frsize < bytes;
}

/* Checks the limit first to spare the host a SIGXFSZ. */
int ewi_reserve_room(int descriptor, double bytes, bool *is_reserved)
{
    struct stat file;
    struct rlimit limit;
    if (fstat(descriptor, &file) != 0)
        return errno;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (double)file.st_size + bytes > (double)limit.rlim_cur)
        return EFBIG;
    int code = allocate_blocks(descriptor, file.st_size, (off_t)bytes);
    *is_reserved = code == 0;
    if (code == ENOSPC || code == EDQUOT || code == EFBIG || code == EIO)
        return code;
    return code != 0 && has_no_room(descriptor, bytes) ? ENOSPC : 0;
}

int ewi_fields_reserve(struct ew_fields *fields, double bytes, ew_error *error)
{
    int code = ewi_reserve_room(fields->descriptor, bytes, &fields->has_room);
    return code == 0 ? EW_OK : ewi_fields_failure(fields, code, error);
}

static int disk_failure(const struct ew_fields *fields, ew_error *error)
{
    int number = atomic_load(&fields->disk_error);
    return number == 0 ? EW_OK : ewi_fields_failure(fields, number, error);
}

static void sync_behind(void *context)
{
    struct ew_fields *fields = context;
    int number = ewi_sync(fields->descriptor);
    if (number != 0)
        atomic_store(&fields->disk_error, number);
}

int ewi_fields_to_disk(struct ew_fields *fields, ew_error *error)
{
    ewi_background_wait(&fields->disk);
    sync_behind(fields);
    return disk_failure(fields, error);
}

/* If the previous sync is still running, the next one includes this frame. */
int ewi_fields_begin_to_disk(struct ew_fields *fields, ew_error *error)
{
    if (!fields->has_room)
        return ewi_fields_to_disk(fields, error);
    ewi_background_start(&fields->disk, sync_behind, fields);
    return disk_failure(fields, error);
}

/* Slabs have equal sizes, so that the last chunk is not mostly empty. */
void ewi_divide(int64_t items, int values, bool compressed, int64_t *slab, int64_t *chunk)
{
    int64_t most = SLAB_VALUES / values < SLAB_ELEMENTS ? SLAB_VALUES / values : SLAB_ELEMENTS;
    int64_t slabs = (items + most - 1) / most;
    *slab = (items + slabs - 1) / slabs;
    int64_t together = compressed ? 1 : CHUNK_VALUES / (*slab * values);
    *chunk = together * *slab < items ? together * *slab : items;
}
