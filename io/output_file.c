/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files that get their name when they are complete. Where the system supports it, they have no name until then, so
 * nothing is left of them however the program ends. Elsewhere they are called "path.PID-NUMBER.part".
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include "ewi_output_file.h"
#include "ewi_error.h"
#include "ewi_file.h"
#include "ewi_host.h"
#include "ewi_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(struct ewi_output *output)
{
    if (output->folder >= 0)
        close(output->folder);
    ewi_free(&output->host, output->part);
    ewi_free(&output->host, output->path);
    *output = (struct ewi_output){.host = output->host, .folder = -1};
}

enum { DESCRIPTOR_NAME = 32 };

static void name_descriptor(int descriptor, char name[DESCRIPTOR_NAME])
{
    ewi_snprintf(name, DESCRIPTOR_NAME, "/proc/self/fd/%d", descriptor);
}

/* Opens a file without a name, which can get one later; -1 on failure. */
static int open_nameless(const struct ewi_output *output)
{
#ifdef O_TMPFILE
    char name[DESCRIPTOR_NAME];
    struct stat there;
    if (fstatat(output->folder, ewi_file_name(output->part), &there, AT_SYMLINK_NOFOLLOW) != 0 && errno != ENOENT)
        return -1; /* report a bad name now */
    int descriptor = openat(output->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return -1;
    name_descriptor(descriptor, name);
    if (access(name, F_OK) == 0)
        return descriptor;
    close(descriptor);
#else
    (void)output;
#endif
    return -1;
}

/* Gives the file a temporary name. */
static bool name_part(const struct ewi_output *output)
{
    char name[DESCRIPTOR_NAME];
    const char *part = ewi_file_name(output->part);
    name_descriptor(fileno(output->file), name);
    unlinkat(output->folder, part, 0);
    return linkat(AT_FDCWD, name, output->folder, part, AT_SYMLINK_FOLLOW) == 0;
}

/* Opens the file without a name or, failing that, as `part`. */
static int open_new(struct ewi_output *output)
{
    output->folder = ewi_open_folder(output->path);
    int descriptor = output->folder < 0 ? -1 : open_nameless(output);
    output->is_nameless = descriptor >= 0;
    if (descriptor >= 0 || output->folder < 0)
        return descriptor;
    return ewi_make_file(output->folder, ewi_file_name(output->part));
}

static bool is_device(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0;
}

/*
 * /dev/stdout may be a file that others have written to. Under any other name, a file that has become regular is
 * refused.
 */
static int open_as_it_is(const char *path)
{
    struct stat there;
    int descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor < 0 || is_device(path) || (fstat(descriptor, &there) == 0 && !S_ISREG(there.st_mode)))
        return descriptor;
    close(descriptor);
    errno = EBUSY;
    return -1;
}

static int open_failed(const struct ewi_output *output, int number, ew_error *error)
{
    if (number == ENOMEM)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to write %s", output->path);
    if (!output->part[0])
        return ewi_fail(error, EW_EIO, "cannot write %s: %s", output->path, strerror(number));
    const char *slash = strrchr(output->path, '/');
    int length = slash && slash > output->path ? (int)(slash - output->path) : 1;
    return ewi_fail(error, EW_EIO, "cannot create %s: no file can be made in the folder %.*s (%s); choose another name",
                    output->path, length, slash ? output->path : ".", strerror(number));
}

static int open_file(struct ewi_output *output, ew_error *error)
{
    int descriptor = output->part[0] ? open_new(output) : open_as_it_is(output->path);
    if (descriptor >= 0 && (output->file = fdopen(descriptor, "wb")) != NULL)
        return EW_OK;
    int number = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (descriptor >= 0 && output->part[0] && !output->is_nameless)
        unlinkat(output->folder, ewi_file_name(output->part), 0);
    return open_failed(output, number, error);
}

int ewi_output_open(const ew_host *host, const char *path, struct ewi_output *output, ew_error *error)
{
    struct stat there;
    static atomic_uint files; /* several threads may write a file of the same name */
    size_t size = strlen(path) + sizeof ".4294967295-4294967295.part";
    *output = (struct ewi_output){
        .host = *host, .path = ewi_strdup(host, path), .part = ewi_alloc(host, size, 1), .folder = -1};
    bool exists = stat(path, &there) == 0, makes_file = !is_device(path) && (!exists || S_ISREG(there.st_mode));
    int status;
    if (output->part && makes_file)
        ewi_snprintf(output->part, size, "%s.%u-%u.part", path, (unsigned)getpid(), atomic_fetch_add(&files, 1));
    if (!output->path || !output->part)
        status = ewi_fail(error, EW_ENOMEM, "not enough memory to write %s", path);
    else if (exists && S_ISDIR(there.st_mode))
        status = ewi_fail(error, EW_EIO, "cannot write %s: it is a folder", path);
    else
        status = open_file(output, error);
    if (status != EW_OK)
        forget(output);
    return status;
}

int ewi_output_failure(const struct ewi_output *output, int error_number, ew_error *error)
{
    return ewi_fail(error, ewi_write_code(error_number), "cannot write %s: %s", output->path,
                    error_number ? ewi_write_error(error_number) : "an earlier write failed");
}

int ewi_output_close(struct ewi_output *output, int status, ew_error *error)
{
    if (!output->file)
        return status;
    errno = 0;
    bool failed = fflush(output->file) != 0 || ferror(output->file);
    if (status == EW_OK && !failed && output->is_nameless) {
        failed = !name_part(output);
        output->is_nameless = false;
    }
    int reason = errno;
    if (fclose(output->file) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    if (status == EW_OK && failed)
        status = ewi_output_failure(output, reason, error);
    const char *part = ewi_file_name(output->part);
    if (status != EW_OK && *part && !output->is_nameless)
        unlinkat(output->folder, part, 0);
    reason = status == EW_OK && *part ? ewi_publish_file(output->folder, part, ewi_file_name(output->path), false) : 0;
    if (reason != 0)
        status = ewi_fail(error, EW_EIO, "cannot rename %s to %s: %s; the file is whole under its present name",
                          output->part, output->path, strerror(reason));
    forget(output);
    return status;
}

size_t ewi_read_bytes(int descriptor, off_t at, void *bytes, size_t count)
{
    size_t done = 0, most = (size_t)1 << 30; /* the most that some systems read at once */
    while (done < count) {
        ssize_t got = pread(descriptor, (char *)bytes + done, count - done < most ? count - done : most,
                            at + (off_t)done);
        if (got == 0)
            errno = 0;
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        done += got > 0 ? (size_t)got : 0;
    }
    return done;
}

/* Escapes the only three control characters that XML allows; unescaped, readers would take them for blanks. */
void ewi_put_escaped(FILE *file, const char *text)
{
    for (; *text; text++)
        if (strchr("&<\"\t\n\r", *text))
            ewi_fprintf(file, "&#%d;", *text);
        else
            putc((unsigned char)*text < ' ' ? '?' : *text, file);
}
