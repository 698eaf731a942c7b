/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates, compares and renames files within an open folder. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH */
#endif
#include "ewi_file.h"
#include "ewi_text.h"
#include "edgewise.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_PATH /* a folder that one may write to, but not list, is then refused */
#define O_PATH O_RDONLY
#endif

int ewi_sync(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

const char *ewi_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int ewi_open_folder(const char *path)
{
    char folder[PATH_MAX];
    size_t length = (size_t)(ewi_file_name(path) - path);
    if (length >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    ewi_snprintf(folder, sizeof folder, "%.*s", (int)length, path);
    return open(length > 0 ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Never removes a link or a folder of that name. */
static bool makes_way(int folder, const char *name)
{
    struct stat info;
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT;
    if (S_ISREG(info.st_mode))
        return unlinkat(folder, name, 0) == 0 || errno == ENOENT;
    errno = S_ISLNK(info.st_mode) ? ELOOP : EEXIST;
    return false;
}

int ewi_make_file(int folder, const char *name)
{
    int descriptor;
    do
        descriptor = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    while (descriptor < 0 && errno == EEXIST && makes_way(folder, name));
    return descriptor;
}

int ewi_lock_file(int folder, const char *name)
{
    for (;;) {
        int descriptor = openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (descriptor < 0)
            return -1;
        bool locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
        int reason = errno;
        if (locked && ewi_is_file(descriptor, folder, name))
            return descriptor;
        close(descriptor);
        errno = reason;
        if (!locked)
            return -1;
    }
}

bool ewi_is_file(int descriptor, int folder, const char *name)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Some file systems cannot sync a folder; that is not an error. */
int ewi_publish_file(int folder, const char *name, const char *final, bool durable)
{
    if (renameat(folder, name, folder, final) != 0)
        return errno;
    int descriptor = durable ? openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        ewi_sync(descriptor);
        close(descriptor);
    }
    return 0;
}

int ewi_replace_file(int folder, const char *temporary, const char *final, bool durable,
                     int (*fill)(void *context, int descriptor), void *context)
{
    int descriptor = ewi_make_file(folder, temporary), reason = descriptor < 0 ? errno : fill(context, descriptor);
    if (reason == 0 && durable)
        reason = ewi_sync(descriptor);
    if (descriptor >= 0 && close(descriptor) != 0 && reason == 0)
        reason = errno;
    if (reason == 0)
        reason = ewi_publish_file(folder, temporary, final, false);
    if (reason != 0 && descriptor >= 0)
        unlinkat(folder, temporary, 0);
    return reason;
}

int ewi_write_code(int number)
{
    return number == ENOSPC || number == EDQUOT ? EW_EFULL : EW_EIO;
}

const char *ewi_write_error(int number)
{
    switch (number) {
    case ENOSPC:
        return "the disk is full";
    case EDQUOT:
        return "the quota of disk space is used up";
    case EFBIG:
        return "the file has reached the limit on the size of files (ulimit -f)";
    default:
        return strerror(number);
    }
}
