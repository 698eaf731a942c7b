/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A job's private folder, state/jobs/INODE: its record, and the output of its run until the job ends. A submitter owns
 * the job's own folder and can change it at any time, so the service does not trust its contents.
 *
 * INODE is the inode of the job's folder, which no rename changes. Another job may later get the same inode: the same
 * token in .token and in the record proves that the private folder is this job's.
 *
 * The job's lock is state/jobs/INODE.lock. Other users cannot open it: anyone with an open file can lock it.
 */
#include "ewi_spool.h"
#include "ewi_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char jobs_folder[] = "jobs", reports_folder[] = "reports";
static const char dead_prefix[] = "dead.", lock_suffix[] = ".lock";

/* Least age of an orphan: a job may be moving, or may just have been claimed. */
#define ORPHANED_SECONDS 3600.0

static void private_name(int folder, char name[EWI_PRIVATE_NAME])
{
    struct stat info = {0};
    (void)fstat(folder, &info);
    snprintf(name, EWI_PRIVATE_NAME, "%s/%llx", jobs_folder, (unsigned long long)info.st_ino);
}

void ewi_private_path(int folder, char path[EWI_PRIVATE_NAME + 16])
{
    char name[EWI_PRIVATE_NAME];
    private_name(folder, name);
    snprintf(path, EWI_PRIVATE_NAME + 16, "../../%s/%s", ewi_place_name[EWI_STATE], name);
}

int ewi_private_open(int state, int folder)
{
    char name[EWI_PRIVATE_NAME];
    private_name(folder, name);
    return ewi_open_inside(state, name);
}

/* Makes state/jobs/ and gives it to the service's user, even if root runs this. */
static bool make_jobs(int state)
{
    struct stat info;
    if (mkdirat(state, jobs_folder, 0700) != 0)
        return errno == EEXIST;
    if (geteuid() == 0 && fstat(state, &info) == 0)
        (void)!fchownat(state, jobs_folder, info.st_uid, (gid_t)-1, AT_SYMLINK_NOFOLLOW);
    return true;
}

static void lock_name(int folder, char name[EWI_PRIVATE_NAME + sizeof lock_suffix])
{
    private_name(folder, name);
    memcpy(name + strlen(name), lock_suffix, sizeof lock_suffix);
}

int ewi_private_lock(int state, int folder)
{
    char name[EWI_PRIVATE_NAME + sizeof lock_suffix];
    lock_name(folder, name);
    return make_jobs(state) ? ewi_lock_file(state, name) : -1;
}

void ewi_private_unlock(int state, int folder)
{
    char name[EWI_PRIVATE_NAME + sizeof lock_suffix];
    lock_name(folder, name);
    unlinkat(state, name, 0);
}

int ewi_private_make(int state, int folder)
{
    char name[EWI_PRIVATE_NAME];
    private_name(folder, name);
    bool made = make_jobs(state) && (mkdirat(state, name, 0700) == 0 || errno == EEXIST);
    return made ? ewi_private_open(state, folder) : -1;
}

/* Random if the system provides random bytes; otherwise still unique within the spool. */
void ewi_make_token(char token[EWI_TOKEN])
{
    unsigned char bytes[(EWI_TOKEN - 1) / 2];
    int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (source < 0 || read(source, bytes, sizeof bytes) != (ssize_t)sizeof bytes)
        memcpy(bytes, (double[2]){ewi_now(), (double)getpid()}, sizeof bytes);
    ewi_close(source);
    for (size_t k = 0; k < sizeof bytes; k++)
        snprintf(token + 2 * k, 3, "%02x", bytes[k]);
}

/* Removes the files of a job that has ended. If others remain, ewi_private_clean removes the folder later. */
void ewi_private_drop(int state, int folder)
{
    static const char *const known[] = {EWI_RECORD_FILE, EWI_SUMMARY_FILE, EWI_ERROR_FILE,
                                        EWI_RUNNER_FILE, EWI_SCRIPT_FILE,  EWI_INPUTS_FILE};
    char name[EWI_PRIVATE_NAME], token[EWI_TOKEN], dead[EWI_PRIVATE_NAME + EWI_TOKEN];
    int private = ewi_private_open(state, folder);
    if (private < 0)
        return;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        unlinkat(private, known[k], 0);
    close(private);
    private_name(folder, name);
    if (unlinkat(state, name, AT_REMOVEDIR) == 0)
        return;
    ewi_make_token(token);
    snprintf(dead, sizeof dead, "%s/%s%s", jobs_folder, dead_prefix, token);
    (void)renameat(state, name, state, dead);
}

/* ---- partial output ---------------------------------------------------------------------------------------------- */

bool ewi_private_can_resume(int private)
{
    bool found = false;
    DIR *entries = ewi_open_entries(private);
    for (const char *name; !found && (name = ewi_next_entry(&entries));)
        found = strstr(name, ".restart-") && ewi_ends_in(name, ".nc");
    if (entries)
        closedir(entries);
    return found;
}

bool ewi_private_discard_partial(int state, int private)
{
    char token[EWI_TOKEN], dead[EWI_PRIVATE_NAME + EWI_TOKEN + 16];
    int discarded = 0;
    DIR *entries = ewi_private_can_resume(private) ? NULL : ewi_open_entries(private);
    ewi_make_token(token);
    for (const char *name; (name = ewi_next_entry(&entries));) {
        snprintf(dead, sizeof dead, "%s/%s%s.%d", jobs_folder, dead_prefix, token, discarded);
        discarded += ewi_ends_in(name, ".part") && renameat(private, name, state, dead) == 0;
    }
    return discarded > 0;
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

/* The name in state/reports/: the inode of the job's folder and the extension of the file. */
static void report_name(int folder, const char *name, char filed[EWI_PRIVATE_NAME + EWI_NAME])
{
    struct stat info = {0};
    (void)fstat(folder, &info);
    snprintf(filed, EWI_PRIVATE_NAME + EWI_NAME, "%s/%llx%s", reports_folder, (unsigned long long)info.st_ino,
             strrchr(name, '.'));
}

/* Errors are ignored: pages then do not link the file. Removes others' write permission. */
void ewi_private_file_report(int private, int folder, const char *name)
{
    char filed[EWI_PRIVATE_NAME + EWI_NAME];
    struct stat info;
    int state = openat(private, "../..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    report_name(folder, name, filed);
    if (state >= 0 && fstatat(private, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
        fchmodat(private, name, info.st_mode & 0755, 0) == 0) {
        (void)mkdirat(state, reports_folder, 0755);
        unlinkat(state, filed, 0); /* of an earlier job with the same inode */
        (void)!linkat(private, name, state, filed, 0);
    }
    ewi_close(state);
}

bool ewi_private_has_filed(int state, int folder, const char *name)
{
    char filed[EWI_PRIVATE_NAME + EWI_NAME];
    struct stat ours, there;
    report_name(folder, name, filed);
    return fstatat(state, filed, &ours, AT_SYMLINK_NOFOLLOW) == 0 &&
           fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

void ewi_private_clean_reports(const struct ewi_spool *spool)
{
    struct stat info;
    int reports = ewi_open_inside(spool->place[EWI_STATE], reports_folder);
    DIR *entries = reports < 0 ? NULL : ewi_open_entries(reports);
    for (const char *name; (name = ewi_next_entry(&entries));)
        if (fstatat(reports, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && info.st_nlink == 1)
            unlinkat(reports, name, 0);
    ewi_close(reports);
}

/* ---- orphans ----------------------------------------------------------------------------------------------------- */

static bool has_inode(int place, unsigned long long inode)
{
    DIR *entries = ewi_open_entries(place);
    bool found = !entries; /* unreadable: assume that the job exists */
    for (const struct dirent *entry; entries && !found && (entry = readdir(entries));)
        found = (unsigned long long)entry->d_ino == inode;
    if (entries)
        closedir(entries);
    return found;
}

static bool is_orphaned(const struct ewi_spool *spool, int jobs, const char *name)
{
    static const enum ewi_place places[] = {EWI_NEW, EWI_HOLD, EWI_RUN, EWI_NEW}; /* it may move during the search */
    char *end;
    struct stat info;
    unsigned long long inode = strtoull(name, &end, 16);
    if ((*end && strcmp(end, lock_suffix) != 0) || fstatat(jobs, name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        ewi_now() - (double)info.st_ctim.tv_sec < ORPHANED_SECONDS)
        return false;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (has_inode(spool->place[places[k]], inode))
            return false;
    return true;
}

void ewi_private_clean(const struct ewi_spool *spool)
{
    int jobs = ewi_open_inside(spool->place[EWI_STATE], jobs_folder);
    DIR *entries = jobs < 0 ? NULL : ewi_open_entries(jobs);
    for (const char *name; (name = ewi_next_entry(&entries));) {
        if (strncmp(name, dead_prefix, sizeof dead_prefix - 1) != 0 && !is_orphaned(spool, jobs, name))
            continue;
        if (unlinkat(jobs, name, 0) == 0)
            continue;
        ewi_remove_contents(ewi_open_inside(jobs, name));
        unlinkat(jobs, name, AT_REMOVEDIR);
    }
    ewi_close(jobs);
}
