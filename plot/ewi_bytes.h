/* SPDX-License-Identifier: BSD-2-Clause */
/* A growing buffer of bytes, from which files are made. */
#ifndef EWI_BYTES_H
#define EWI_BYTES_H

#include "ewi_host.h"

#include <stdint.h>

struct ewi_bytes {
    ew_host host;
    uint8_t *at;
    size_t count, room;
    bool lacks; /* not enough memory for all bytes */
};

void ewi_bytes_free(struct ewi_bytes *bytes);
void ewi_bytes_add(struct ewi_bytes *bytes, const void *more, size_t count);
/* At most 511 bytes at a time. */
void ewi_bytes_print(struct ewi_bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ewi_bytes_add_big_endian(struct ewi_bytes *bytes, uint32_t value);
/* EW_ENOMEM if some bytes are missing. */
int ewi_bytes_write(const struct ewi_bytes *bytes, const char *path, ew_error *error);

#endif
