/* SPDX-License-Identifier: BSD-2-Clause */
/* Files and folders: renames that replace nothing, atomic replacement of files, walks through folders. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* renameat2, copy_file_range */
#endif
#include "ewi_error.h"
#include "ewi_spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h> /* FICLONE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

double ewi_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return ewi_seconds_of(now);
}

double ewi_seconds_of(struct timespec time)
{
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void ewi_close(int descriptor)
{
    int reason = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = reason;
}

bool ewi_has_file(int folder, const char *name)
{
    struct stat info;
    return fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode);
}

int ewi_open_inside(int folder, const char *name)
{
    return openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

/* Takes over the descriptor. */
static DIR *open_descriptor(int descriptor)
{
    DIR *entries = descriptor < 0 ? NULL : fdopendir(descriptor);
    if (!entries)
        ewi_close(descriptor);
    return entries;
}

/* Opens the folder again, because a duplicate descriptor would share the position in it. */
DIR *ewi_open_entries(int folder)
{
    return open_descriptor(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

const char *ewi_next_entry(DIR **entries)
{
    const struct dirent *entry;
    while (*entries && (entry = readdir(*entries)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return entry->d_name;
    if (*entries)
        closedir(*entries);
    *entries = NULL;
    return NULL;
}

/* ---- renaming ---------------------------------------------------------------------------------------------------- */

/*
 * For file systems without RENAME_NOREPLACE. A link never replaces anything, and a folder can only replace an empty
 * one.
 */
static int rename_new_portably(int from, const char *old_name, int to, const char *name)
{
    struct stat info;
    if (fstatat(from, old_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return -1;
    if (S_ISDIR(info.st_mode)) {
        if (renameat(from, old_name, to, name) == 0)
            return 0;
        if (errno == ENOTDIR)
            errno = EEXIST;
        return -1;
    }
    if (linkat(from, old_name, to, name, 0) != 0)
        return -1;
    return unlinkat(from, old_name, 0);
}

int ewi_rename_new(int from, const char *old_name, int to, const char *name)
{
#ifdef RENAME_NOREPLACE
    if (renameat2(from, old_name, to, name, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
        return -1;
#endif
    return rename_new_portably(from, old_name, to, name);
}

/* ---- whole files ------------------------------------------------------------------------------------------------- */

bool ewi_sync_all(int folder)
{
    return syncfs(folder) == 0;
}

struct bytes {
    const char *text;
    size_t length;
};

/* 0, or errno. */
static int write_all(void *context, int file)
{
    const struct bytes *bytes = context;
    for (size_t done = 0; done < bytes->length;) {
        ssize_t written = write(file, bytes->text + done, bytes->length - done);
        if (written < 0 && errno != EINTR)
            return errno;
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

int ewi_write_file_as(int folder, const char *temporary, const char *name, const char *text, size_t length,
                      bool durable)
{
    return ewi_replace_file(folder, temporary, name, durable, write_all, &(struct bytes){text, length});
}

int ewi_write_file(int folder, const char *name, const char *text, size_t length, bool durable)
{
    char temporary[EWI_NAME + 16];
    snprintf(temporary, sizeof temporary, ".%s.%ld", name, (long)getpid());
    return ewi_write_file_as(folder, temporary, name, text, length, durable);
}

/* Copies in the kernel. 0, or errno, for example if the file system cannot. */
static int copy_quickly(int from, int to, off_t start, off_t end)
{
    for (loff_t here = start, there = start; here < end;) {
        ssize_t moved =
            copy_file_range(from, &here, to, &there, (size_t)(end - here < (1 << 30) ? end - here : 1 << 30), 0);
        if (moved <= 0)
            return moved == 0 ? EIO : errno;
    }
    return 0;
}

static int copy_part(int from, int to, off_t start, off_t end)
{
    char buffer[65536];
    if (copy_quickly(from, to, start, end) == 0)
        return 0;
    while (start < end) {
        size_t wanted = end - start < (off_t)sizeof buffer ? (size_t)(end - start) : sizeof buffer;
        ssize_t got = pread(from, buffer, wanted, start);
        if (got == 0)
            return 0; /* the file was truncated meanwhile */
        if (got < 0 && errno != EINTR)
            return errno;
        for (ssize_t done = 0, put; done < got; done += put)
            if ((put = pwrite(to, buffer + done, (size_t)(got - done), start + done)) < 0)
                return errno;
        start += got > 0 ? got : 0;
    }
    return 0;
}

/* Finds the next range of data at or after `start`: returns its start, or `size` if there is none. *end: its end. */
static off_t next_data(int file, off_t start, off_t size, off_t *end)
{
    *end = size;
    off_t data = lseek(file, start, SEEK_DATA);
    if (data < 0)
        return errno == ENXIO ? size : start;
    off_t hole = lseek(file, data, SEEK_HOLE);
    *end = hole > data && hole < size ? hole : size;
    return data;
}

int ewi_copy_bytes(int from, int to)
{
    struct stat info;
    if (fstat(from, &info) != 0)
        return errno;
    if (ioctl(to, FICLONE, from) == 0)
        return 0;
    if (ftruncate(to, info.st_size) != 0)
        return errno;
    int reason = 0;
    for (off_t end, start = next_data(from, 0, info.st_size, &end); start < info.st_size && reason == 0;
         start = next_data(from, end, info.st_size, &end))
        reason = copy_part(from, to, start, end);
    return reason;
}

static char *read_open_file(int file, size_t most, size_t *length)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return NULL;
    if ((uintmax_t)info.st_size > most) {
        errno = EFBIG;
        return NULL;
    }
    char *text = malloc((size_t)info.st_size + 1);
    ssize_t got = 1;
    for (*length = 0; text && got != 0 && *length < (size_t)info.st_size; *length += got > 0 ? (size_t)got : 0) {
        got = read(file, text + *length, (size_t)info.st_size - *length);
        if (got < 0 && errno != EINTR) {
            free(text);
            return NULL;
        }
    }
    if (text)
        text[*length] = '\0';
    return text;
}

char *ewi_read_file(int folder, const char *name, size_t most, size_t *length)
{
    int file = ewi_open_below(folder, name);
    char *text = file < 0 ? NULL : read_open_file(file, most, length);
    ewi_close(file);
    return text;
}

/* ---- walks ------------------------------------------------------------------------------------------------------- */

struct walk {
    const struct ewi_limits *limits;
    enum ewi_walk_mode mode;
    int64_t files, bytes; /* files: including folders */
    double newest;
    int depth;
    DIR *folder[EWI_DEEPEST + 1];
};

static double last_change(const struct stat *info)
{
    return fmax(ewi_seconds_of(info->st_mtim), ewi_seconds_of(info->st_ctim));
}

static int walk_failed(const char *name, ew_error *error)
{
    return ewi_fail(error, EW_EIO, "cannot read \"%.200s\" of the job: %s", name, strerror(errno));
}

/* Takes over the descriptor. */
static int enter(struct walk *walk, int descriptor, const char *name, ew_error *error)
{
    if (walk->depth > EWI_DEEPEST) {
        close(descriptor);
        return ewi_fail(error, EW_EINVAL, "the folder \"%.200s\" is too deep: a job can have %d levels", name,
                        EWI_DEEPEST);
    }
    DIR *folder = open_descriptor(descriptor);
    if (!folder)
        return walk_failed(name, error);
    walk->folder[walk->depth++] = folder;
    return EW_OK;
}

static int sync_file(enum ewi_walk_mode mode, int folder, const char *name, ew_error *error)
{
    int file = ewi_open_below(folder, name);
    if (file < 0 && errno == EACCES)
        return EW_OK; /* we cannot have written it */
    int reason = file < 0 ? errno : 0;
    if (file >= 0 && mode == EWI_FLUSH)
        (void)sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
    else if (file >= 0)
        reason = ewi_sync(file);
    ewi_close(file);
    return reason == 0 ? EW_OK : ewi_fail(error, EW_EIO, "cannot sync \"%.200s\" to disk: %s", name, strerror(reason));
}

/* Folders count like files: visiting them takes as long. */
static int count_entry(struct walk *walk, const struct stat *info, ew_error *error)
{
    const struct ewi_limits *limits = walk->limits;
    walk->files++;
    walk->bytes += S_ISREG(info->st_mode) ? info->st_size : 0;
    if (limits && limits->files > 0 && walk->files > limits->files)
        return ewi_fail(error, EW_EINVAL, "the job has more than the allowed %lld files and folders (--max-files)",
                        (long long)limits->files);
    if (limits && limits->bytes > 0 && walk->bytes > limits->bytes)
        return ewi_fail(error, EW_EINVAL, "the job has more than the allowed %lld bytes (--max-size)",
                        (long long)limits->bytes);
    return EW_OK;
}

static const char *kind_of(mode_t mode)
{
    return S_ISLNK(mode) ? "a link" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

static int visit_folder(struct walk *walk, int folder, const char *name, ew_error *error)
{
    int descriptor = ewi_open_inside(folder, name);
    if (walk->mode == EWI_CHECK || (descriptor >= 0 && walk->depth <= EWI_DEEPEST))
        return descriptor < 0 ? walk_failed(name, error) : enter(walk, descriptor, name, error);
    ewi_close(descriptor);
    return EW_OK;
}

static int visit(struct walk *walk, int folder, const char *name, ew_error *error)
{
    struct stat info;
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? EW_OK : walk_failed(name, error);
    bool is_folder = S_ISDIR(info.st_mode), is_file = S_ISREG(info.st_mode);
    walk->newest = fmax(walk->newest, last_change(&info));
    if (!is_folder && !is_file)
        return walk->mode != EWI_CHECK
                   ? EW_OK
                   : ewi_fail(error, EW_EINVAL, "\"%.200s\" is %s; a job can have only files and folders", name,
                              kind_of(info.st_mode));
    TRY(count_entry(walk, &info, error));
    if (is_folder)
        return visit_folder(walk, folder, name, error);
    return walk->mode != EWI_CHECK ? sync_file(walk->mode, folder, name, error) : EW_OK;
}

static int leave(struct walk *walk, ew_error *error)
{
    DIR *folder = walk->folder[--walk->depth];
    int reason = walk->mode == EWI_SYNC ? ewi_sync(dirfd(folder)) : 0;
    closedir(folder);
    return reason == 0 ? EW_OK : ewi_fail(error, EW_EIO, "cannot sync the job's folder to disk: %s", strerror(reason));
}

int ewi_walk(int folder, const struct ewi_limits *limits, enum ewi_walk_mode mode, double *newest, ew_error *error)
{
    struct walk walk = {.limits = limits, .mode = mode};
    struct stat info;
    if (fstat(folder, &info) != 0 || !(walk.folder[0] = ewi_open_entries(folder)))
        return walk_failed(".", error);
    walk.depth = 1;
    walk.newest = last_change(&info);
    int status = EW_OK;
    while (status == EW_OK && walk.depth > 0) {
        DIR *current = walk.folder[walk.depth - 1];
        errno = 0;
        const struct dirent *entry = readdir(current);
        if (!entry && errno)
            status = walk_failed(".", error);
        else if (!entry)
            status = leave(&walk, error);
        else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = visit(&walk, dirfd(current), entry->d_name, error);
    }
    while (walk.depth > 0)
        closedir(walk.folder[--walk.depth]);
    if (newest)
        *newest = walk.newest;
    return status;
}

int ewi_sync_tree(int folder, ew_error *error)
{
    int status = ewi_walk(folder, NULL, EWI_FLUSH, NULL, error);
    return status == EW_OK ? ewi_walk(folder, NULL, EWI_SYNC, NULL, error) : status;
}

/* ---- removing ---------------------------------------------------------------------------------------------------- */

/* Most entries in one removal, because somebody may create files as fast as we remove them. */
enum { MOST_TRIED = 1000000 };

/* Moves a folder that is too deep to the top. */
static bool raise_folder(int folder, const char *name, int top)
{
    static unsigned number;
    char other[32];
    snprintf(other, sizeof other, ".deep.%u", number++);
    return renameat(folder, name, top, other) == 0;
}

struct removal {
    int top, tried, depth;
    bool raised;
    DIR *folder[EWI_DEEPEST + 2];
    const char *name[EWI_DEEPEST + 2]; /* of each folder; valid until the next entry of its parent is read */
};

static void enter_or_raise(struct removal *removal, int folder, const char *name)
{
    int depth = removal->depth;
    if (depth > EWI_DEEPEST) {
        removal->raised = raise_folder(folder, name, removal->top) || removal->raised;
        return;
    }
    removal->name[depth] = name;
    removal->folder[depth] = open_descriptor(ewi_open_inside(folder, name));
    removal->depth += removal->folder[depth] ? 1 : 0;
}

/* Tries each entry once, and so skips those that we may not remove. */
static void remove_next(struct removal *removal)
{
    DIR **folder = &removal->folder[removal->depth - 1];
    const char *name = ewi_next_entry(folder);
    removal->tried++;
    if (!name && --removal->depth > 0)
        unlinkat(dirfd(folder[-1]), removal->name[removal->depth], AT_REMOVEDIR);
    else if (name && unlinkat(dirfd(*folder), name, 0) != 0 && unlinkat(dirfd(*folder), name, AT_REMOVEDIR) != 0)
        enter_or_raise(removal, dirfd(*folder), name);
}

void ewi_remove_contents(int folder)
{
    struct removal removal = {.top = folder, .raised = true};
    while (removal.raised && removal.tried < MOST_TRIED) {
        removal.raised = false;
        removal.folder[0] = ewi_open_entries(folder);
        removal.depth = removal.folder[0] ? 1 : 0;
        while (removal.depth > 0 && removal.tried < MOST_TRIED)
            remove_next(&removal);
    }
    while (removal.depth > 0)
        closedir(removal.folder[--removal.depth]);
    ewi_close(folder);
}
