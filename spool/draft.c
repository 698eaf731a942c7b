/* SPDX-License-Identifier: BSD-2-Clause */
/* Drafts: folders that a submitter prepares in tmp/ and moves to new/ by one rename. */
#include "ewi_error.h"
#include "ewi_spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Prefixes of our names; other entries of tmp/ belong to others. */
static const char draft_prefix[] = "submit.", removed_prefix[] = "removed.";

/* Locked while the submitter lives. */
static const char draft_lock[] = ".submitting";

enum { NAMES_TRIED = 100, FOLDER_MODE = 0777 };

/* A draft is unlocked for a moment at its start and at its end. An older one without a lock is dead. */
#define UNLOCKED_SECONDS 600.0

static int failed(const char *what, const char *name, int reason, ew_error *error)
{
    if (reason == ENOSPC || reason == EDQUOT)
        return ewi_fail(error, EW_EIO, "cannot %s %.200s: the disk of the spool is full; nothing was submitted", what,
                        name);
    return ewi_fail(error, ewi_spool_write_code(reason), "cannot %s %.200s in the spool: %s; nothing was submitted",
                    what, name, strerror(reason));
}

/* In a group's spool, the watcher's user must be able to rename the folder, whatever the submitter's umask is. */
static mode_t folder_mode(const struct ewi_draft *draft)
{
    return (FOLDER_MODE & ~draft->umask) | (draft->shared ? 0070 : 0) | draft->set_group;
}

/* The watcher's user only reads files. */
static mode_t file_mode(const struct ewi_draft *draft)
{
    return draft->shared ? 0640 : 0666 & ~draft->umask;
}

/* ---- removing ---------------------------------------------------------------------------------------------------- */

void ewi_draft_discard(struct ewi_draft *draft)
{
    if (draft->folder >= 0) {
        ewi_remove_contents(draft->folder);
        unlinkat(draft->spool->place[EWI_TMP], draft->name, AT_REMOVEDIR);
    }
    ewi_close(draft->lock);
    draft->folder = draft->lock = -1;
}

/* True if the draft's submitter is dead. Until the caller closes *lock, no other process can take the draft. */
static bool is_dead(int folder, int *lock)
{
    struct stat info;
    *lock = openat(folder, draft_lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (*lock >= 0)
        return flock(*lock, LOCK_EX | LOCK_NB) == 0;
    if (errno != ENOENT || fstat(folder, &info) != 0)
        return false;
    return ewi_now() - ewi_seconds_of(info.st_ctim) > UNLOCKED_SECONDS;
}

static bool starts_with(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Renames the draft first, so that a suspended submitter cannot submit it half removed. */
static void remove_if_dead(int tmp, const char *name, bool own)
{
    char other[EWI_NAME];
    struct stat info;
    int lock = -1, folder = ewi_open_inside(tmp, name);
    if (folder < 0 || (own && (fstat(folder, &info) != 0 || info.st_uid != geteuid()))) {
        ewi_close(folder);
        return;
    }
    bool removed = starts_with(name, removed_prefix);
    snprintf(other, sizeof other, "%s%s", removed_prefix,
             name + (removed ? sizeof removed_prefix : sizeof draft_prefix) - 1);
    if (removed || (is_dead(folder, &lock) && ewi_rename_new(tmp, name, tmp, other) == 0)) {
        ewi_remove_contents(folder);
        unlinkat(tmp, other, AT_REMOVEDIR);
    } else {
        close(folder);
    }
    ewi_close(lock);
}

void ewi_draft_clean(const struct ewi_spool *spool, bool own)
{
    DIR *entries = ewi_open_entries(spool->place[EWI_TMP]);
    for (const char *name; (name = ewi_next_entry(&entries));)
        if (starts_with(name, draft_prefix) || starts_with(name, removed_prefix))
            remove_if_dead(spool->place[EWI_TMP], name, own);
}

int ewi_draft_remove(const struct ewi_spool *spool, enum ewi_place place, const char *name, ew_error *error)
{
    char other[EWI_NAME], token[EWI_TOKEN];
    int tmp = spool->place[EWI_TMP], folder = ewi_open_inside(spool->place[place], name);
    ewi_make_token(token);
    snprintf(other, sizeof other, "%s%s", removed_prefix, token);
    if (folder < 0 || ewi_rename_new(spool->place[place], name, tmp, other) != 0) {
        int reason = errno;
        ewi_close(folder);
        return reason == ENOENT ? EWI_GONE
                                : ewi_fail(error, ewi_spool_write_code(reason), "%s", strerror(reason));
    }
    ewi_remove_contents(folder);
    if (unlinkat(tmp, other, AT_REMOVEDIR) == 0 || errno == ENOENT)
        return EW_OK;
    return ewi_fail(error, EW_EIO, "some of its files are left in tmp/%s: %s", other, strerror(errno));
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Makes the folder and its lock file, still unlocked. 0, or errno. */
static int make_folder(struct ewi_draft *draft)
{
    struct timespec now;
    int tmp = draft->spool->place[EWI_TMP];
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(draft->name, sizeof draft->name, "%s%ld.%lld.%09ld", draft_prefix, (long)getpid(), (long long)now.tv_sec,
             now.tv_nsec);
    if (mkdirat(tmp, draft->name, 0700) != 0)
        return errno;
    draft->folder = ewi_open_inside(tmp, draft->name);
    if (draft->folder >= 0)
        draft->lock = openat(draft->folder, draft_lock, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    int reason = draft->lock >= 0 ? 0 : errno;
    if (draft->folder < 0)
        unlinkat(tmp, draft->name, AT_REMOVEDIR);
    return reason;
}

/*
 * Takes the lock. A watcher that finds the folder just before this believes that the submitter is dead: it then holds
 * the lock or has removed the folder. On file systems without locks, dead drafts must be removed manually.
 */
static bool is_ours(const struct ewi_draft *draft)
{
    if (flock(draft->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return ewi_is_file(draft->folder, draft->spool->place[EWI_TMP], draft->name);
}

int ewi_draft_create(const struct ewi_spool *spool, struct ewi_draft *draft, ew_error *error)
{
    struct stat info;
    *draft = (struct ewi_draft){.spool = spool, .folder = -1, .lock = -1};
    draft->umask = umask(0);
    umask(draft->umask);
    if (fstat(spool->place[EWI_NEW], &info) == 0 && info.st_mode & S_IWGRP) {
        draft->shared = true;
        draft->set_group = info.st_mode & S_ISGID;
    }
    for (int k = 0; k < NAMES_TRIED; k++) {
        int reason = make_folder(draft);
        if (reason == 0 && is_ours(draft))
            return EW_OK;
        if (reason != 0 && reason != EEXIST) {
            ewi_draft_discard(draft);
            return failed("make a folder in", "tmp/", reason, error);
        }
        ewi_close(draft->folder); /* the watcher removes it */
        ewi_close(draft->lock);
        draft->folder = draft->lock = -1;
    }
    return failed("make a folder in", "tmp/", EEXIST, error);
}

int ewi_draft_text(struct ewi_draft *draft, const char *name, const char *text, size_t length, ew_error *error)
{
    int reason = ewi_write_file(draft->folder, name, text, length, false);
    if (reason == 0 && fchmodat(draft->folder, name, file_mode(draft), 0) != 0)
        reason = errno;
    return reason == 0 ? EW_OK : failed("write", name, reason, error);
}

int ewi_draft_record(struct ewi_draft *draft, struct ewi_record *record, ew_error *error)
{
    ewi_record_seal(record, draft->folder);
    int status = ewi_record_write(draft->folder, record, true, error);
    if (status == EW_OK && fchmodat(draft->folder, EWI_RECORD_FILE, file_mode(draft), 0) != 0)
        status = failed("write", EWI_RECORD_FILE, errno, error);
    return status;
}

/* Makes the folders in `name`; *base is its last component. Returns the descriptor of the innermost folder, or -1. */
static int make_folders(const struct ewi_draft *draft, const char *name, const char **base)
{
    int folder = openat(draft->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (const char *slash; folder >= 0 && (slash = strchr(name, '/')); name = slash + strspn(slash, "/")) {
        char part[EWI_NAME];
        int made = -1, inner = -1;
        errno = ENAMETOOLONG;
        if (snprintf(part, sizeof part, "%.*s", (int)(slash - name), name) < EWI_NAME)
            made = mkdirat(folder, part, 0700);
        if (made == 0 || errno == EEXIST)
            inner = ewi_open_inside(folder, part);
        if (inner >= 0 && made == 0)
            (void)fchmod(inner, folder_mode(draft));
        ewi_close(folder);
        folder = inner;
    }
    *base = name;
    return folder;
}

int ewi_draft_copy(struct ewi_draft *draft, const char *name, int from, ew_error *error)
{
    const char *base;
    int folder = make_folders(draft, name, &base);
    int to = folder < 0 ? -1 : openat(folder, base, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    int reason = to < 0 ? errno : ewi_copy_bytes(from, to);
    if (reason == 0 && fchmod(to, file_mode(draft)) != 0)
        reason = errno;
    if (to >= 0 && close(to) != 0 && reason == 0)
        reason = errno;
    ewi_close(folder);
    return reason == 0 ? EW_OK : failed("write", name, reason, error);
}

/* Links by the descriptor, because the file's draft may have been submitted and moved since. */
bool ewi_draft_link(struct ewi_draft *draft, const char *name, int file)
{
    char path[64];
    const char *base;
    int folder = make_folders(draft, name, &base);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    bool good = folder >= 0 && linkat(AT_FDCWD, path, folder, base, AT_SYMLINK_FOLLOW) == 0;
    ewi_close(folder);
    return good;
}

int ewi_draft_open(const struct ewi_draft *draft, const char *name)
{
    return ewi_open_below(draft->folder, name);
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static int finish(struct ewi_draft *draft, ew_error *error)
{
    if (unlinkat(draft->folder, draft_lock, 0) != 0 ||
        fchmod(draft->folder, folder_mode(draft)) != 0)
        return failed("finish", draft->name, errno, error);
    return ewi_sync_tree(draft->folder, error);
}

int ewi_draft_send(struct ewi_draft *draft, char name[EWI_NAME], ew_error *error)
{
    const struct ewi_spool *spool = draft->spool;
    int status = finish(draft, error);
    if (status == EW_OK)
        status = ewi_spool_move(spool, EWI_TMP, draft->name, EWI_NEW, name, error) == EW_OK
                     ? EW_OK
                     : ewi_spool_write_code(errno);
    if (status != EW_OK) {
        ewi_draft_discard(draft);
        return status;
    }
    close(draft->folder);
    draft->folder = -1;
    ewi_draft_discard(draft);
    int reason = ewi_sync(spool->place[EWI_NEW]);
    if (reason == 0)
        reason = ewi_sync(spool->place[EWI_TMP]);
    if (reason != 0)
        return ewi_fail(error, EW_EIO, "the job new/%.200s is submitted, but may not survive a loss of power: %s", name,
                        strerror(reason));
    return EW_OK;
}
