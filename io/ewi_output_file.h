/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams to a file that gets its name when it is complete: exports, meshes, pictures, tables. */
#ifndef EWI_OUTPUT_FILE_H
#define EWI_OUTPUT_FILE_H

#include "edgewise-case.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * A complete file is renamed and replaces a file or link of that name. A pipe, a device, or a link to one is written
 * directly.
 */
struct ewi_output {
    ew_host host;
    char *path, *part; /* part: empty if `path` is written directly */
    int folder;        /* descriptor of the folder of both, or -1 */
    FILE *file;
    bool is_nameless;
};
int ewi_output_open(const ew_host *host, const char *path, struct ewi_output *output, ew_error *error);
/*
 * Renames the file if `status` is EW_OK and all was written, otherwise removes it. A whole file that cannot be renamed
 * is kept under its temporary name. Returns `status` or this function's error.
 */
int ewi_output_close(struct ewi_output *output, int status, ew_error *error);
/* The error of a failed write. */
int ewi_output_failure(const struct ewi_output *output, int error_number, ew_error *error);

/* Writes a text as an attribute value in XML. */
void ewi_put_escaped(FILE *file, const char *text);

/* Reads up to `count` bytes from offset `at`. If it returns fewer, errno is the reason, or 0 at the end of the file. */
size_t ewi_read_bytes(int descriptor, off_t at, void *bytes, size_t count);

#endif
