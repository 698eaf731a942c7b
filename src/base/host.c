/* SPDX-License-Identifier: BSD-2-Clause */
/* The host's allocator and log. */
#include "ewi_host.h"
#include "ewi_error.h"
#include "ewi_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define CACHE_LINE 64
#define LARGE_PAGE ((size_t)2 << 20)
#define LARGE (2 * LARGE_PAGE) /* bytes of an array from which on it is put into large pages */

static void *default_allocate(void *context, size_t alignment, size_t bytes)
{
    (void)context;
    if (bytes >= LARGE)
        alignment = LARGE_PAGE;
    size_t rounded = bytes + alignment - 1;
    if (rounded < bytes)
        return NULL;
    rounded = rounded / alignment * alignment;
    void *pointer = aligned_alloc(alignment, rounded);
#ifdef MADV_HUGEPAGE
    /*
     * Kernels read a dozen arrays at once, and small pages of so many are slow to find. Where there are no large ones,
     * nothing is lost.
     */
    if (pointer && bytes >= LARGE)
        madvise(pointer, rounded, MADV_HUGEPAGE);
#endif
    return pointer;
}

static void default_release(void *context, void *pointer)
{
    (void)context;
    free(pointer);
}

ew_host ewi_host_or_default(const ew_host *host)
{
    ew_host result = host ? *host : (ew_host){0};
    if (!result.allocate || !result.release) {
        result.allocate = default_allocate;
        result.release = default_release;
    }
    return result;
}

void *ewi_alloc_untouched(const ew_host *host, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - CACHE_LINE) / size)
        return NULL;
    size_t product = count * size, bytes = product > 0 ? product : 1;
    return host->allocate(host->context, CACHE_LINE, bytes);
}

void ewi_free(const ew_host *host, void *pointer)
{
    if (pointer)
        host->release(host->context, pointer);
}

void ewi_log(const ew_host *host, int level, const char *format, ...)
{
    if (!host->log)
        return;
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    ewi_vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    ewi_show_controls(sentence, sizeof sentence);
    host->log(host->context, level, sentence);
}

int ewi_fail(ew_error *error, int code, const char *format, ...)
{
    if (error) {
        error->code = code;
        va_list arguments;
        va_start(arguments, format);
        ewi_vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        ewi_show_controls(error->message, sizeof error->message);
    }
    return code;
}
