/* SPDX-License-Identifier: BSD-2-Clause */
/* The intake makes a job's folder of a case file in new/, one at a time. A watcher may be killed after each step. */
#include "ewi_error.h"
#include "ewi_spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char staging[] = "intake", staging_lock[] = "intake.lock", copying[] = ".mesh.part";

int ewi_intake_lock(const struct ewi_spool *spool)
{
    return ewi_lock_file(spool->place[EWI_STATE], staging_lock);
}

static int failed(const char *what, enum ewi_place place, const char *name, ew_error *error)
{
    return ewi_fail(error, EW_EIO, "cannot %s %s/%.200s: %s", what, ewi_place_name[place], name, strerror(errno));
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* A mesh that we may not read or take must not block later cases. */
static bool is_refusal(int reason)
{
    return reason == EACCES || reason == EPERM || reason == ENOENT || reason == ELOOP;
}

/* Writes the sentence to the job's folder: the job fails with it, and the intake continues. */
static void refuse(int folder, const char *sentence)
{
    (void)ewi_write_file(folder, EWI_REFUSAL_FILE, sentence, strlen(sentence), false);
}

/* True if the file's mode lets the case's owner read it, as a member of the case's group only. */
static bool may_read(const struct stat *owner, const struct stat *file)
{
    return owner->st_uid == file->st_uid || owner->st_uid == 0 || (file->st_mode & S_IROTH) ||
           ((file->st_mode & S_IRGRP) && owner->st_gid == file->st_gid);
}

/* 0: the mesh may be taken, or errno. *shared becomes true if it belongs to another user than the case. */
static int check_mesh(int folder, const char *case_name, int new_folder, const char *mesh, bool *shared)
{
    struct stat owner, file;
    if (fstatat(folder, case_name, &owner, AT_SYMLINK_NOFOLLOW) != 0 ||
        fstatat(new_folder, mesh, &file, AT_SYMLINK_NOFOLLOW) != 0)
        return errno;
    *shared = *shared || owner.st_uid != file.st_uid;
    if (may_read(&owner, &file))
        return 0;
    char sentence[EWI_SENTENCE];
    snprintf(sentence, sizeof sentence,
             "the mesh \"%.200s\" belongs to another user, and its mode does not let the case's owner read it; its "
             "owner can allow that with chmod a+r\n", mesh);
    refuse(folder, sentence);
    return EACCES;
}

/*
 * A missing mesh is not an error here: the worker reports it, with the case's line. A mesh that other cases need, or
 * of another user, is linked, which takes no time and no space. EWI_BUSY: a link is impossible, so the mesh must be
 * copied.
 */
static int take_mesh(const struct ewi_spool *spool, int folder, const char *case_name, const char *mesh, bool shared,
                     ew_error *error)
{
    int new_folder = spool->place[EWI_NEW];
    if (!mesh || !mesh[0] || ewi_has_file(folder, mesh) || !ewi_has_file(new_folder, mesh))
        return EW_OK;
    int reason = check_mesh(folder, case_name, new_folder, mesh, &shared);
    if (reason == 0 && shared)
        return linkat(new_folder, mesh, folder, mesh, 0) == 0 || errno == ENOENT ? EW_OK : EWI_BUSY;
    if (reason == 0 && ewi_rename_new(new_folder, mesh, folder, mesh) != 0)
        reason = errno;
    if (reason == 0 || is_refusal(reason))
        return EW_OK;
    errno = reason;
    return failed("take", EWI_NEW, mesh, error);
}

static int copy_from(void *from, int to)
{
    return ewi_copy_bytes(*(const int *)from, to);
}

/* Checks the size of the mesh and the space on the disk before anything is written. 0, or errno. */
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

/* May take long, so it runs in a helper. An error is written to the job's folder, and the intake continues. */
static int copy_mesh(const struct ewi_spool *spool, int folder, const char *mesh, const struct ewi_limits *limits)
{
    char sentence[EWI_SENTENCE];
    int from = ewi_open_below(spool->place[EWI_NEW], mesh);
    int reason = from < 0 ? errno : check_room(spool, from, limits);
    if (reason == 0) /* the copy appears by a rename, so it is never seen incomplete */
        reason = ewi_replace_file(folder, copying, mesh, true, copy_from, &from);
    ewi_close(from);
    if (reason == 0 || is_refusal(reason))
        return EW_OK;
    snprintf(sentence, sizeof sentence, "cannot copy the mesh \"%.200s\" into the job's folder: %s\n", mesh,
             reason == EFBIG    ? "it exceeds the limit on a job's size (--max-size)"
             : reason == ENOSPC ? "the disk of the spool has no room for it"
                                : ewi_open_error(reason));
    refuse(folder, sentence);
    return EW_OK;
}

/* ---- the folder -------------------------------------------------------------------------------------------------- */

/* Finds the first case in a folder that names the mesh (NULL: any case); false if there is none. */
static bool find_case(int folder, const char *mesh, char name[EWI_NAME])
{
    DIR *entries = ewi_open_entries(folder);
    bool found = false;
    for (const char *entry; !found && (entry = ewi_next_entry(&entries));) {
        struct ewi_probe probe = {0};
        if (!ewi_is_case(entry))
            continue;
        if (mesh)
            ewi_probe_case(folder, entry, &probe);
        found = !mesh || strcmp(probe.mesh, mesh) == 0;
        if (found)
            snprintf(name, EWI_NAME, "%s", entry);
    }
    if (entries)
        closedir(entries);
    return found;
}

/* Renames state/intake to run/NAME; `name` becomes the actual name. */
static int finish(const struct ewi_spool *spool, const char *case_name, char name[EWI_NAME], ew_error *error)
{
    char base[EWI_NAME];
    ewi_spool_clean_name(ewi_case_base(case_name, base), name);
    return ewi_spool_move(spool, EWI_STATE, staging, EWI_RUN, name, error);
}

/* The caller holds the lock. */
static int complete(const struct ewi_spool *spool, const struct ewi_limits *limits, ew_error *error)
{
    char case_name[EWI_NAME], name[EWI_NAME];
    int folder = ewi_open_inside(spool->place[EWI_STATE], staging);
    if (folder < 0)
        return errno == ENOENT ? EW_OK : failed("open", EWI_STATE, staging, error);
    int status = EW_OK;
    if (find_case(folder, NULL, case_name)) {
        struct ewi_probe probe;
        ewi_probe_case(folder, case_name, &probe);
        bool shared = probe.mesh[0] && find_case(spool->place[EWI_NEW], probe.mesh, name);
        status = take_mesh(spool, folder, case_name, probe.mesh, shared, error);
        if (status == EWI_BUSY)
            status = copy_mesh(spool, folder, probe.mesh, limits);
        if (status == EW_OK)
            status = finish(spool, case_name, name, error);
    } else {
        unlinkat(spool->place[EWI_STATE], staging, AT_REMOVEDIR); /* the case was not moved yet */
    }
    close(folder);
    return status;
}

/* EWI_BUSY: another watcher has the lock. */
static int take_intake_lock(const struct ewi_spool *spool, int *lock, ew_error *error)
{
    *lock = ewi_intake_lock(spool);
    if (*lock >= 0)
        return EW_OK;
    return errno == EWOULDBLOCK ? EWI_BUSY : failed("lock", EWI_STATE, staging_lock, error);
}

int ewi_intake_recover(const struct ewi_spool *spool, const struct ewi_limits *limits, ew_error *error)
{
    int lock, status = take_intake_lock(spool, &lock, error);
    if (status == EW_OK)
        status = complete(spool, limits, error);
    ewi_close(lock);
    return status;
}

bool ewi_intake_is_left(const struct ewi_spool *spool)
{
    struct stat info;
    return fstatat(spool->place[EWI_STATE], staging, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

static int stage(const struct ewi_spool *spool, enum ewi_place from, const char *case_name, const char *mesh,
                 bool shared, char name[EWI_NAME], ew_error *error)
{
    if (mkdirat(spool->place[EWI_STATE], staging, 0777) != 0 && errno != EEXIST)
        return failed("make", EWI_STATE, staging, error);
    int status, folder = ewi_open_inside(spool->place[EWI_STATE], staging);
    if (folder < 0)
        return failed("open", EWI_STATE, staging, error);
    if (ewi_rename_new(spool->place[from], case_name, folder, case_name) == 0) {
        status = take_mesh(spool, folder, case_name, mesh, shared, error);
        if (status == EW_OK)
            status = finish(spool, case_name, name, error);
    } else {
        int reason = errno; /* the caller needs it */
        status = errno == ENOENT ? EWI_GONE : failed("take", from, case_name, error);
        unlinkat(spool->place[EWI_STATE], staging, AT_REMOVEDIR);
        errno = reason;
    }
    ewi_close(folder);
    return status;
}

int ewi_claim_case(const struct ewi_spool *spool, enum ewi_place from, const char *case_name, const char *mesh,
                   bool shared, struct ewi_job *job, ew_error *error)
{
    char name[EWI_NAME];
    struct stat info;
    int lock, status = take_intake_lock(spool, &lock, error);
    if (status != EW_OK)
        return status;
    if (ewi_intake_is_left(spool))
        status = EWI_BUSY;
    else if (fstatat(spool->place[from], case_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        status = errno == ENOENT ? EWI_GONE : failed("look at", from, case_name, error);
    if (status == EW_OK)
        status = stage(spool, from, case_name, mesh, shared, name, error);
    close(lock);
    if (status != EW_OK)
        return status;
    status = ewi_adopt(spool, name, job, error);
    if (status == EW_OK && job->record.submitted <= 0)
        job->record.submitted = ewi_seconds_of(info.st_ctim);
    return status == EWI_BUSY ? EWI_GONE : status;
}
