/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A growing buffer of bytes, from which files are made. A lack of memory is noted, and reported when the file is
 * written.
 */
#include "ewi_bytes.h"
#include "ewi_error.h"
#include "ewi_output_file.h"
#include "ewi_text.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

void ewi_bytes_free(struct ewi_bytes *bytes)
{
    ewi_free(&bytes->host, bytes->at);
    *bytes = (struct ewi_bytes){.host = bytes->host};
}

/* Makes room for `count` more bytes; NULL: not enough memory. */
static uint8_t *make_room(struct ewi_bytes *bytes, size_t count)
{
    if (bytes->lacks || bytes->count + count <= bytes->room)
        return bytes->lacks ? NULL : bytes->at + bytes->count;
    size_t room = 2 * (bytes->count + count) + 1024;
    uint8_t *at = ewi_alloc_untouched(&bytes->host, room, 1);
    bytes->lacks = !at;
    if (!at)
        return NULL;
    if (bytes->count > 0)
        memcpy(at, bytes->at, bytes->count);
    ewi_free(&bytes->host, bytes->at);
    bytes->at = at;
    bytes->room = room;
    return at + bytes->count;
}

void ewi_bytes_add(struct ewi_bytes *bytes, const void *more, size_t count)
{
    uint8_t *at = count > 0 ? make_room(bytes, count) : NULL;
    if (!at)
        return;
    memcpy(at, more, count);
    bytes->count += count;
}

void ewi_bytes_print(struct ewi_bytes *bytes, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = ewi_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ewi_bytes_add(bytes, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

void ewi_bytes_add_big_endian(struct ewi_bytes *bytes, uint32_t value)
{
    const uint8_t byte[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    ewi_bytes_add(bytes, byte, sizeof byte);
}

int ewi_bytes_write(const struct ewi_bytes *bytes, const char *path, ew_error *error)
{
    struct ewi_output output;
    if (bytes->lacks)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to write %s", path);
    TRY(ewi_output_open(&bytes->host, path, &output, error));
    errno = 0;
    int status = EW_OK;
    if (fwrite(bytes->at, 1, bytes->count, output.file) != bytes->count)
        status = ewi_output_failure(&output, errno ? errno : EIO, error);
    return ewi_output_close(&output, status, error);
}
