/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files of netCDF changed by netCDF itself, so that its own reader is not what is tested: attributes of other types and
 * lengths, other names, dimensions and values, and small numbers of the header. The input says what.
 */
#ifndef FUZZ_NETCDF_H
#define FUZZ_NETCDF_H

#include "target.h"

enum { FUZZ_LARGEST_FILE = 1 << 17 };

struct fuzz_file {
    uint8_t bytes[FUZZ_LARGEST_FILE];
    size_t size;
};

/* Reads a file of the targets' folder. */
void fuzz_load(const char *name, struct fuzz_file *file);
/* Copies a file of netCDF into another one, in the classic format, whose bytes can be changed one by one. */
void fuzz_make_classic(const char *from, const char *to);
/* Writes the file, changed as the input says. Whether it still is one of netCDF, and not too large. */
bool fuzz_change(const struct fuzz_file *file, const char *name, const uint8_t *data, size_t size);

/* Seals a restart file anew, so that changes are read. */
bool fuzz_seal(const char *path);

#endif
