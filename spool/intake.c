/* SPDX-License-Identifier: BSD-2-Clause */
/* How a case file in new/ becomes a job's folder, one at a time; each step may be the last one of a killed watcher. */
#include "ewi_error.h"
#include "ewi_spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char staging[] = "intake", staging_lock[] = "intake.lock", copying[] = ".mesh.part";

int ewi_intake_lock(const struct ewi_spool *spool)
{
    int lock = openat(spool->place[EWI_STATE], staging_lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (lock < 0)
        return -1;
    if (flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    int reason = errno;
    close(lock);
    errno = reason;
    return -1;
}

static int failed(const char *what, const char *name, ew_error *error)
{
    return ewi_fail(error, EW_EIO, "cannot %s new/%.200s: %s", what, name, strerror(errno));
}

static int state_failed(const char *what, const char *name, ew_error *error)
{
    return ewi_fail(error, EW_EIO, "cannot %s state/%s: %s", what, name, strerror(errno));
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* That a mesh may not be read or taken must not keep the cases behind it waiting. */
static bool is_refusal(int reason)
{
    return reason == EACCES || reason == EPERM || reason == ENOENT || reason == ELOOP;
}

static bool has_mesh(const struct ewi_spool *spool, int folder, const char *mesh)
{
    struct stat info;
    if (!mesh || !mesh[0] || fstatat(folder, mesh, &info, AT_SYMLINK_NOFOLLOW) == 0)
        return true;
    return fstatat(spool->place[EWI_NEW], mesh, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode);
}

/*
 * A mesh that is not to be had is no error here: the worker will say so, with the case's line. One that others need,
 * too, gets a second name, which takes no time and no room; EWI_BUSY: here it has to be copied.
 */
static int take_mesh(const struct ewi_spool *spool, int folder, const char *mesh, bool shared, ew_error *error)
{
    if (has_mesh(spool, folder, mesh))
        return EW_OK;
    if (shared)
        return linkat(spool->place[EWI_NEW], mesh, folder, mesh, 0) == 0 || errno == ENOENT ? EW_OK : EWI_BUSY;
    if (ewi_rename_new(spool->place[EWI_NEW], mesh, folder, mesh) == 0 || is_refusal(errno))
        return EW_OK;
    return failed("take", mesh, error);
}

static int copy_from(void *from, int to)
{
    return ewi_copy_bytes(*(const int *)from, to);
}

/* Whether there is room for it, before a byte is written. 0, or errno. */
static int check_room(const struct ewi_spool *spool, int from, const struct ewi_limits *limits)
{
    struct stat info;
    struct statvfs room;
    if (fstat(from, &info) != 0)
        return errno;
    if (limits->bytes > 0 && info.st_size > limits->bytes)
        return EFBIG;
    bool full = fstatvfs(spool->root, &room) == 0 && room.f_blocks > 0 &&
                (double)room.f_bavail * (double)room.f_frsize < 512.0 * (double)info.st_blocks + (double)limits->free;
    return full ? ENOSPC : 0;
}

/*
 * As long as the mesh is large, so not in a watcher. What went wrong is told in the job's folder: the case is not kept
 * waiting.
 */
static int copy_mesh(const struct ewi_spool *spool, int folder, const char *mesh, const struct ewi_limits *limits)
{
    char sentence[EWI_SENTENCE];
    int from = openat(spool->place[EWI_NEW], mesh, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    int reason = from < 0 ? errno : check_room(spool, from, limits);
    if (reason == 0) /* a copy appears by a rename, so that a half-copied mesh is none */
        reason = ewi_replace_file(folder, copying, mesh, true, copy_from, &from);
    if (from >= 0)
        close(from);
    if (reason == 0 || is_refusal(reason))
        return EW_OK;
    int length = snprintf(sentence, sizeof sentence,
                          "cannot copy the mesh \"%.200s\", which other cases also name: %s\n", mesh,
                          reason == EFBIG    ? "it is larger than a job may be (--max-size)"
                          : reason == ENOSPC ? "the disk of the spool has no room for it"
                                             : strerror(reason));
    (void)ewi_write_file(folder, EWI_REFUSAL_FILE, sentence, (size_t)length, false);
    return EW_OK;
}

/* ---- the folder -------------------------------------------------------------------------------------------------- */

/* The first case in a folder that names the mesh (NULL: any case); false if there is none. */
static bool find_case(int folder, const char *mesh, char name[EWI_NAME])
{
    DIR *entries = ewi_open_entries(folder);
    bool found = false;
    for (const struct dirent *entry; entries && !found && (entry = readdir(entries));) {
        struct ewi_peek peek = {0};
        if (!ewi_is_case(entry->d_name))
            continue;
        if (mesh)
            ewi_peek_case(folder, entry->d_name, &peek);
        found = !mesh || strcmp(peek.mesh, mesh) == 0;
        if (found)
            snprintf(name, EWI_NAME, "%s", entry->d_name);
    }
    if (entries)
        closedir(entries);
    return found;
}

/* state/intake -> run/NAME; `name` becomes the one in run/. */
static int finish(const struct ewi_spool *spool, const char *case_name, char name[EWI_NAME], ew_error *error)
{
    char base[EWI_NAME];
    snprintf(base, sizeof base, "%s", case_name);
    base[strlen(base) - 4] = '\0';
    ewi_spool_clean_name(base, name);
    return ewi_spool_move(spool, EWI_STATE, staging, EWI_RUN, name, error);
}

/* The caller has the lock. `name`: that of the job in run/, empty if there was nothing to complete. */
static int complete(const struct ewi_spool *spool, const struct ewi_limits *limits, char name[EWI_NAME],
                    ew_error *error)
{
    char case_name[EWI_NAME], other[EWI_NAME];
    name[0] = '\0';
    int folder = ewi_open_inside(spool->place[EWI_STATE], staging);
    if (folder < 0)
        return errno == ENOENT ? EW_OK : state_failed("open", staging, error);
    int status = EW_OK;
    if (find_case(folder, NULL, case_name)) {
        struct ewi_peek peek;
        ewi_peek_case(folder, case_name, &peek);
        bool shared = peek.mesh[0] && find_case(spool->place[EWI_NEW], peek.mesh, other);
        status = take_mesh(spool, folder, peek.mesh, shared, error);
        if (status == EWI_BUSY)
            status = copy_mesh(spool, folder, peek.mesh, limits);
        if (status == EW_OK)
            status = finish(spool, case_name, name, error);
    } else {
        unlinkat(spool->place[EWI_STATE], staging, AT_REMOVEDIR); /* nothing has come into it */
    }
    close(folder);
    return status;
}

/* EWI_BUSY: another one has the lock. */
static int take_turn(const struct ewi_spool *spool, int *lock, ew_error *error)
{
    *lock = ewi_intake_lock(spool);
    if (*lock >= 0)
        return EW_OK;
    return errno == EWOULDBLOCK ? EWI_BUSY : state_failed("lock", staging_lock, error);
}

int ewi_intake_recover(const struct ewi_spool *spool, const struct ewi_limits *limits, ew_error *error)
{
    char name[EWI_NAME];
    int lock, status = take_turn(spool, &lock, error);
    if (status != EW_OK)
        return status;
    status = complete(spool, limits, name, error);
    close(lock);
    return status;
}

bool ewi_intake_is_left(const struct ewi_spool *spool)
{
    struct stat info;
    return fstatat(spool->place[EWI_STATE], staging, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

static int stage(const struct ewi_spool *spool, const char *case_name, const char *mesh, bool shared,
                 char name[EWI_NAME], ew_error *error)
{
    if (mkdirat(spool->place[EWI_STATE], staging, 0777) != 0 && errno != EEXIST)
        return state_failed("make", staging, error);
    int folder = ewi_open_inside(spool->place[EWI_STATE], staging);
    if (folder < 0)
        return state_failed("open", staging, error);
    int status = EW_OK;
    if (ewi_rename_new(spool->place[EWI_NEW], case_name, folder, case_name) != 0)
        status = errno == ENOENT ? EWI_GONE : failed("take", case_name, error);
    int reason = errno;
    if (status != EW_OK)
        unlinkat(spool->place[EWI_STATE], staging, AT_REMOVEDIR);
    errno = reason; /* the caller's */
    if (status == EW_OK)
        status = take_mesh(spool, folder, mesh, shared, error);
    if (status == EW_OK)
        status = finish(spool, case_name, name, error);
    close(folder);
    return status;
}

int ewi_claim_case(const struct ewi_spool *spool, const char *case_name, const char *mesh, bool shared,
                   struct ewi_job *job, ew_error *error)
{
    char name[EWI_NAME];
    struct stat info;
    int lock, status = take_turn(spool, &lock, error);
    if (status != EW_OK)
        return status;
    if (ewi_intake_is_left(spool))
        status = EWI_BUSY;
    else if (fstatat(spool->place[EWI_NEW], case_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        status = errno == ENOENT ? EWI_GONE : failed("look at", case_name, error);
    if (status == EW_OK)
        status = stage(spool, case_name, mesh, shared, name, error);
    close(lock);
    if (status != EW_OK)
        return status;
    status = ewi_adopt(spool, name, job, error);
    if (status == EW_OK && job->record.submitted <= 0)
        job->record.submitted = ewi_seconds_of(info.st_ctim);
    return status == EWI_BUSY ? EWI_GONE : status;
}
