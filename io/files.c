/*
 * Files that get their name when they are whole. Until then they have none, where the system can do that, so that nothing of them is left
 * however the program ends; elsewhere they are called "path.PID.part".
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include "ewi_canvas.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(struct ewi_output *output)
{
    ewi_free(&output->host, output->part);
    ewi_free(&output->host, output->path);
    output->part = output->path = NULL;
    output->file = NULL;
}

enum { DESCRIPTOR_NAME = 32 };

static void name_descriptor(int descriptor, char name[DESCRIPTOR_NAME])
{
    snprintf(name, DESCRIPTOR_NAME, "/proc/self/fd/%d", descriptor);
}

/* A file without a name, to which one can be given later; or -1. */
static int open_nameless(const struct ewi_output *output)
{
#ifdef O_TMPFILE
    char name[DESCRIPTOR_NAME];
    struct stat there;
    if (lstat(output->part, &there) != 0 && errno != ENOENT)
        return -1; /* what is wrong with the name is to be told now */
    char *slash = strrchr(output->path, '/');
    if (slash)
        *slash = '\0';
    int descriptor = open(!slash ? "." : slash == output->path ? "/" : output->path, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (slash)
        *slash = '/';
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

/* For the moment until it gets its own name. */
static bool name_part(const struct ewi_output *output)
{
    char name[DESCRIPTOR_NAME];
    name_descriptor(fileno(output->file), name);
    unlink(output->part);
    return linkat(AT_FDCWD, name, AT_FDCWD, output->part, AT_SYMLINK_FOLLOW) == 0;
}

static int open_part(struct ewi_output *output, bool regular, ew_error *error)
{
    const char *name = regular ? output->part : output->path;
    bool device = strncmp(name, "/dev/", 5) == 0; /* /dev/stdout may be a file that others have written to */
    int flags = regular ? O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
                        : O_WRONLY | O_CLOEXEC | (device ? O_APPEND : O_TRUNC);
    int descriptor = regular ? open_nameless(output) : -1;
    output->is_nameless = descriptor >= 0;
    if (descriptor < 0)
        descriptor = open(name, flags, 0666);
    if (descriptor >= 0 && !(output->file = fdopen(descriptor, "wb"))) {
        int reason = errno;
        close(descriptor);
        if (regular && !output->is_nameless)
            unlink(name);
        errno = reason;
    }
    if (output->file)
        return EW_OK;
    if (errno == ENOMEM)
        return ewi_fail(error, EW_ENOMEM, "there is no memory to write %s", output->path);
    if (!regular)
        return ewi_fail(error, EW_EIO, "cannot write %s: %s", output->path, strerror(errno));
    const char *slash = strrchr(output->path, '/');
    int length = slash && slash > output->path ? (int)(slash - output->path) : 1;
    return ewi_fail(error, EW_EIO, "cannot create %s: no file can be made in the folder %.*s (%s); choose another name", output->path, length,
                    slash ? output->path : ".", strerror(errno));
}

int ewi_output_open(const ew_host *host, const char *path, struct ewi_output *output, ew_error *error)
{
    struct stat there;
    bool device = strncmp(path, "/dev/", 5) == 0, regular = !device && (lstat(path, &there) != 0 || S_ISREG(there.st_mode));
    size_t size = strlen(path) + sizeof ".4294967295.part";
    *output = (struct ewi_output){.host = *host, .path = ewi_strdup(host, path), .part = ewi_alloc(host, size, 1)};
    int status;
    if (!output->path || !output->part) {
        status = ewi_fail(error, EW_ENOMEM, "there is no memory to write %s", path);
    } else if (stat(path, &there) == 0 && S_ISDIR(there.st_mode)) {
        status = ewi_fail(error, EW_EIO, "cannot write %s: it is a folder", path);
    } else {
        snprintf(output->part, size, "%s.%u.part", path, (unsigned)getpid());
        status = open_part(output, regular, error);
    }
    if (status == EW_OK && !regular)
        output->part[0] = '\0';
    if (status != EW_OK)
        forget(output);
    return status;
}

int ewi_output_failure(const struct ewi_output *output, int error_number, ew_error *error)
{
    return ewi_fail(error, EW_EIO, "cannot write %s: %s", output->path,
                    error_number == ENOSPC ? "the disk is full"
                    : error_number         ? strerror(error_number)
                                           : "an earlier write failed");
}

int ewi_output_close(struct ewi_output *output, int status, ew_error *error)
{
    if (!output->file)
        return status;
    errno = 0;
    bool failed = fflush(output->file) != 0 || ferror(output->file);
    int reason = errno;
    if (status == EW_OK && !failed && output->is_nameless) {
        output->is_nameless = false;
        failed = !name_part(output);
        reason = errno;
    }
    if (fclose(output->file) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    if (status == EW_OK && failed)
        status = ewi_output_failure(output, reason, error);
    if (status == EW_OK && output->part[0] && rename(output->part, output->path) != 0)
        status = ewi_fail(error, EW_EIO, "cannot rename %s to %s: %s", output->part, output->path, strerror(errno));
    if (status != EW_OK && output->part[0] && !output->is_nameless)
        unlink(output->part);
    forget(output);
    return status;
}
