/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates, compares and renames files within an open folder. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH, F_OFD_SETLK */
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
#include <sys/syscall.h>
#include <unistd.h>
#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

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

/* The folder's owner must be able to lock a file that root has made. */
static void give_to_owner(int folder, int descriptor)
{
    struct stat info;
    if (geteuid() == 0 && fstat(folder, &info) == 0 && info.st_uid != 0)
        (void)!fchown(descriptor, info.st_uid, (gid_t)-1);
}

int ewi_lock_file(int folder, const char *name)
{
    for (;;) {
        int descriptor = openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
        if (descriptor < 0)
            return -1;
        bool locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
        int reason = errno;
        if (locked && ewi_is_file(descriptor, folder, name)) {
            give_to_owner(folder, descriptor);
            return descriptor;
        }
        close(descriptor);
        errno = reason;
        if (!locked)
            return -1;
    }
}

/* ---- files of others --------------------------------------------------------------------------------------------- */

/* O_NONBLOCK: a pipe that nobody writes to must not make us wait. */
enum { TO_READ = O_RDONLY | O_CLOEXEC | O_NONBLOCK };

/* Closes it, with errno, unless it is a regular file. */
static int demand_regular(int descriptor)
{
    struct stat info;
    if (descriptor < 0)
        return -1;
    bool known = fstat(descriptor, &info) == 0;
    if (known && S_ISREG(info.st_mode))
        return descriptor;
    int reason = known ? EINVAL : errno;
    close(descriptor);
    errno = reason;
    return -1;
}

static bool leads_out(const char *path)
{
    for (const char *at = path; *at; at += strcspn(at, "/"), at += strspn(at, "/"))
        if (strcspn(at, "/") == 2 && at[0] == '.' && at[1] == '.')
            return true;
    return path[0] == '/';
}

/* O_DIRECTORY hides that it was a link. */
static int open_step(int folder, const char *name, int flags)
{
    struct stat info;
    int descriptor = openat(folder, name, flags | O_NOFOLLOW);
    if (descriptor < 0 && errno == ENOTDIR)
        errno = fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode) ? ELOOP : ENOTDIR;
    return descriptor;
}

/* One folder after another, for kernels and sandboxes without openat2. */
static int walk_below(int folder, const char *path)
{
    char name[NAME_MAX + 1] = "";
    int here = folder;
    for (bool last = false; !last;) {
        size_t length = strcspn(path, "/");
        last = path[length] == '\0';
        bool fits = length < sizeof name;
        memcpy(name, path, fits ? length : 0);
        name[fits ? length : 0] = '\0';
        int next = fits ? open_step(here, name, last ? TO_READ : O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
        int reason = fits ? errno : ENAMETOOLONG;
        if (here != folder)
            close(here);
        errno = reason;
        here = next;
        if (next < 0)
            break;
        path += length + strspn(path + length, "/");
    }
    return here;
}

/* EAGAIN is no reason to try again: the file's owner may hold a lease on it for as long as it likes. */
static int open_below(int folder, const char *path)
{
#ifdef SYS_openat2
    struct open_how how = {.flags = TO_READ | O_LARGEFILE, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    long descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (descriptor >= 0 || (errno != ENOSYS && errno != EPERM))
        return (int)descriptor;
#endif
    return walk_below(folder, path);
}

int ewi_open_below(int folder, const char *path)
{
    if (!leads_out(path))
        return demand_regular(open_below(folder, path));
    errno = EXDEV;
    return -1;
}

int ewi_open_beside(const char *beside, const char *path)
{
    int folder = ewi_open_folder(beside), file = folder < 0 ? -1 : ewi_open_below(folder, path), reason = errno;
    if (folder >= 0)
        close(folder);
    errno = reason;
    return file;
}

int ewi_open_regular(const char *path)
{
    return demand_regular(open(path, TO_READ));
}

const char *ewi_open_error(int number)
{
    switch (number) {
    case EXDEV:
        return "it is an absolute path, or leads out of the folder";
    case ELOOP:
        return "it is a link, or lies behind one";
    case EFBIG:
        return "it is too large";
    case EINVAL:
    case ENXIO: /* of sockets */
        return "it is not a regular file";
    default:
        return strerror(number);
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

/* 0, or errno. `command`: of locks that belong to the open file, and of those of a process for older kernels. */
static int lock_by(int descriptor, const int command[2], struct flock *lock)
{
    if (fcntl(descriptor, command[0], lock) == 0)
        return 0;
    return errno == EINVAL && fcntl(descriptor, command[1], lock) == 0 ? 0 : errno;
}

#ifdef F_OFD_SETLK
static const int to_lock[] = {F_OFD_SETLK, F_SETLK}, to_look[] = {F_OFD_GETLK, F_GETLK};
#else
static const int to_lock[] = {F_SETLK, F_SETLK}, to_look[] = {F_GETLK, F_GETLK};
#endif

int ewi_file_lock(int descriptor, short type)
{
    return lock_by(descriptor, to_lock, &(struct flock){.l_type = type, .l_whence = SEEK_SET});
}

bool ewi_is_write_locked(int descriptor)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return lock_by(descriptor, to_look, &lock) == 0 && lock.l_type != F_UNLCK;
}
