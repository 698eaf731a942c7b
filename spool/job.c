/* SPDX-License-Identifier: BSD-2-Clause */
/* Jobs: claims, attempts, delivery and publication. */
#include "ewi_error.h"
#include "ewi_spool.h"
#include "ewi_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OLD_NAMES_TRIED = 100 };

/* ---- our own files in a folder that others have filled ----------------------------------------------------------- */

void ewi_job_put_aside(int folder, const char *name)
{
    char other[EWI_NAME], token[EWI_TOKEN];
    snprintf(other, sizeof other, "%.200s.old", name);
    bool taken = ewi_rename_new(folder, name, folder, other) != 0 && errno == EEXIST;
    for (int k = 2; taken && k < OLD_NAMES_TRIED; k++) {
        snprintf(other, sizeof other, "%.200s.old.%d", name, k);
        taken = ewi_rename_new(folder, name, folder, other) != 0 && errno == EEXIST;
    }
    if (!taken)
        return;
    ewi_make_token(token); /* for a name that cannot exist */
    snprintf(other, sizeof other, "%.200s.old.%s", name, token);
    (void)ewi_rename_new(folder, name, folder, other);
}

/* Opens a regular file without other hard links; -1 with errno: EEXIST if the name belongs to anything else. */
static int try_log(int folder)
{
    struct stat info;
    int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int file = openat(folder, EWI_LOG_FILE, flags, 0666);
    if (file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink <= 1)
        return file;
    if (file >= 0 || errno == EISDIR || errno == ELOOP || errno == ENXIO || errno == EACCES)
        errno = EEXIST;
    ewi_close(file);
    return -1;
}

int ewi_job_log(int folder, int *reason)
{
    int file = try_log(folder);
    if (file < 0 && errno == EEXIST) {
        ewi_job_put_aside(folder, EWI_LOG_FILE);
        file = try_log(folder);
    }
    *reason = file < 0 ? errno : 0;
    return file < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : file;
}

/* ---- claims ------------------------------------------------------------------------------------------------------ */

void ewi_job_release(struct ewi_job *job)
{
    ewi_close(job->lock);
    ewi_close(job->private);
    ewi_close(job->folder);
    job->lock = job->private = job->folder = -1;
}

static int claim_failed(const struct ewi_job *job, const char *what, int reason, ew_error *error)
{
    return ewi_fail(error, EW_EIO, "cannot %s run/%.200s: %s", what, job->name, strerror(reason));
}

/* Locks the job, and then checks that no other process has published it. */
static int take_lock(const struct ewi_spool *spool, struct ewi_job *job, ew_error *error)
{
    job->folder = ewi_open_inside(spool->place[EWI_RUN], job->name);
    if (job->folder < 0)
        return errno == ENOENT ? EWI_GONE : claim_failed(job, "open", errno, error);
    job->lock = ewi_private_lock(spool->place[EWI_STATE], job->folder);
    if (job->lock < 0)
        return errno == EWOULDBLOCK ? EWI_BUSY : claim_failed(job, "lock", errno, error);
    if (ewi_job_is_in_run(job->folder, job->name))
        return EW_OK;
    ewi_private_unlock(spool->place[EWI_STATE], job->folder);
    return EWI_GONE;
}

/* Submitters may change the priority of a waiting job. */
static void take_priority(int folder, struct ewi_record *record)
{
    struct ewi_record theirs;
    ewi_record_read_submitted(folder, &theirs);
    if (!theirs.has_priority)
        return;
    record->priority = theirs.priority;
    record->has_priority = true;
}

int ewi_private_of(int state, int folder, struct ewi_record *record)
{
    char token[EWI_TOKEN] = "";
    int file = ewi_open_below(folder, EWI_TOKEN_FILE);
    int private = file < 0 ? -1 : ewi_private_open(state, folder);
    bool has_token = private >= 0 && read(file, token, EWI_TOKEN - 1) == EWI_TOKEN - 1;
    ewi_close(file);
    if (private >= 0)
        ewi_record_read(private, record);
    if (has_token && strcmp(record->token, token) == 0) {
        take_priority(folder, record);
        return private;
    }
    ewi_close(private);
    return -1;
}

int ewi_adopt(const struct ewi_spool *spool, const char *name, struct ewi_job *job, ew_error *error)
{
    *job = (struct ewi_job){.folder = -1, .private = -1, .lock = -1};
    snprintf(job->name, sizeof job->name, "%s", name);
    int status = take_lock(spool, job, error);
    if (status != EW_OK) {
        ewi_job_release(job);
        return status;
    }
    job->private = ewi_private_of(spool->place[EWI_STATE], job->folder, &job->record);
    if (job->private < 0)
        ewi_record_read_submitted(job->folder, &job->record);
    return EW_OK;
}

bool ewi_job_starts_over(int folder, int private)
{
    return ewi_has_file(folder, EWI_ERROR_FILE) && (private < 0 || ewi_has_file(private, EWI_ERROR_FILE));
}

static void forget(struct ewi_job *job)
{
    ewi_close(job->private);
    job->private = -1;
    ewi_record_read_submitted(job->folder, &job->record);
    job->record.submitted = 0;
}

int ewi_claim_folder(const struct ewi_spool *spool, enum ewi_place from, const char *name, struct ewi_job *job,
                     ew_error *error)
{
    char run_name[EWI_NAME];
    struct stat info = {0};
    ewi_spool_clean_name(name, run_name);
    (void)fstatat(spool->place[from], name, &info, AT_SYMLINK_NOFOLLOW); /* its ctime: the claim changes it */
    int status = ewi_spool_move(spool, from, name, EWI_RUN, run_name, error);
    if (status != EW_OK)
        return errno == ENOENT ? EWI_GONE : status;
    status = ewi_adopt(spool, run_name, job, error);
    if (status == EW_OK && ewi_job_starts_over(job->folder, job->private))
        forget(job);
    if (status == EW_OK && job->record.submitted <= 0)
        job->record.submitted = ewi_seconds_of(info.st_ctim);
    return status == EWI_BUSY ? EWI_GONE : status;
}

/* ---- attempts ---------------------------------------------------------------------------------------------------- */

/*
 * Results appear by a rename but reach the disk later: after a power loss they may be empty, or zeros. An unreadable
 * file counts as a result: running the job again would not help.
 */
static bool has_result(int folder, const char *name, const char *end)
{
    size_t length;
    char *text = ewi_read_file(folder, name, SIZE_MAX - 1, &length);
    bool whole = text ? strlen(text) == length && ewi_ends_in(text, end) : errno != ENOENT;
    free(text);
    return whole;
}

enum ewi_left ewi_job_left(const struct ewi_job *job)
{
    if (job->private < 0)
        return EWI_LEFT_UNFINISHED;
    if (has_result(job->private, EWI_SUMMARY_FILE, "}\n"))
        return EWI_LEFT_DONE;
    return has_result(job->private, EWI_ERROR_FILE, "\n") ? EWI_LEFT_FAILED : EWI_LEFT_UNFINISHED;
}

static int put_result_aside(int folder, const char *name)
{
    struct stat info;
    ewi_job_put_aside(folder, name);
    return fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? EEXIST : 0;
}

/* Removes the remains of an earlier job with the same inode and makes a private folder. 0, or errno. */
static int make_private(const struct ewi_spool *spool, struct ewi_job *job)
{
    int state = spool->place[EWI_STATE];
    if (job->private >= 0)
        return 0;
    ewi_private_drop(state, job->folder);
    job->private = ewi_private_make(state, job->folder);
    if (job->private < 0)
        return errno;
    ewi_make_token(job->record.token);
    if (ewi_record_write(job->private, &job->record, false, NULL) != EW_OK)
        return errno;
    ewi_job_put_aside(job->folder, EWI_TOKEN_FILE);
    return ewi_write_file(job->folder, EWI_TOKEN_FILE, job->record.token, EWI_TOKEN - 1, false);
}

/* True if the job's own folder is the cause of the error, and not, for example, a full disk. */
static bool is_folder_error(int reason)
{
    static const int theirs[] = {EACCES, EPERM, EEXIST, ENOTEMPTY, EISDIR, ENOTDIR, ELOOP, EXDEV, ENAMETOOLONG};
    for (size_t k = 0; k < sizeof theirs / sizeof *theirs; k++)
        if (theirs[k] == reason)
            return true;
    return false;
}

int ewi_job_begin(const struct ewi_spool *spool, struct ewi_job *job, ew_error *error)
{
    int reason = make_private(spool, job);
    if (reason != 0 && job->private >= 0 && is_folder_error(reason))
        return ewi_fail(error, EW_ECREATE, "cannot make %s in the job's folder: %s; let the service write to it",
                        EWI_TOKEN_FILE, strerror(reason));
    if (reason != 0)
        return claim_failed(job, "make the private folder of", reason, error);
    /* Incomplete files, for example after a power loss: otherwise ewi_job_left would have found a result. */
    unlinkat(job->private, EWI_SUMMARY_FILE, 0);
    unlinkat(job->private, EWI_ERROR_FILE, 0);
    return EW_OK;
}

int ewi_job_case(int folder, char name[EWI_NAME], ew_error *error)
{
    char other[EWI_NAME] = "";
    snprintf(name, EWI_NAME, "case.cfg");
    if (ewi_has_file(folder, name))
        return EW_OK;
    name[0] = '\0';
    DIR *entries = ewi_open_entries(folder);
    if (!entries)
        return ewi_fail(error, EW_EIO, "cannot read the job's folder: %s", strerror(errno));
    for (const char *entry; (entry = ewi_next_entry(&entries));)
        if (entry[0] != '.' && ewi_is_case(entry) && ewi_has_file(folder, entry))
            snprintf(name[0] ? other : name, EWI_NAME, "%s", entry);
    if (other[0])
        return ewi_fail(error, EW_EINVAL,
                        "the job has two cases, \"%.200s\" and \"%.200s\"; call one of them case.cfg", name, other);
    if (!name[0])
        return ewi_fail(error, EW_EINVAL, "there is no case: the job's folder needs a file case.cfg");
    return EW_OK;
}

char *ewi_job_refusal(int folder)
{
    size_t length;
    char *text = ewi_read_file(folder, EWI_REFUSAL_FILE, EWI_SENTENCE - 1, &length);
    if (!text)
        return NULL;
    ewi_job_put_aside(folder, EWI_REFUSAL_FILE);
    text[strcspn(text, "\n")] = '\0';
    return text;
}

int ewi_job_explain(int private, const char *sentence, ew_error *error)
{
    char text[EWI_SENTENCE + 2];
    snprintf(text, sizeof text - 1, "%s", sentence);
    for (char *at = text; *at; at++)
        *at = *at == '\n' || *at == '\r' ? ' ' : *at;
    memcpy(text + strlen(text), "\n", 2);
    int reason = ewi_write_file(private, EWI_ERROR_FILE, text, strlen(text), false);
    return reason == 0 ? EW_OK : ewi_fail(error, EW_EIO, "cannot write %s: %s", EWI_ERROR_FILE, strerror(reason));
}

/* ---- delivery ---------------------------------------------------------------------------------------------------- */

/* Sets the group of the job's folder. No effect if the service's user is not a member of the group. */
static void give_to_group(int private, int folder, const char *name)
{
    struct stat group, file;
    if (fstat(folder, &group) == 0 && fstatat(private, name, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
        file.st_gid != group.st_gid)
        (void)!fchownat(private, name, (uid_t)-1, group.st_gid, AT_SYMLINK_NOFOLLOW);
}

/* Moves a file to the job's folder; a submitter's file of the same name is renamed first. 0, or errno. */
static int deliver_file(int private, int folder, const char *name)
{
    if (ewi_ends_in(name, ".part"))
        return unlinkat(private, name, 0) == 0 || errno == ENOENT ? 0 : errno;
    if (strcmp(name, EWI_REPORT_FILE) == 0 || strcmp(name, EWI_PICTURE_FILE) == 0)
        ewi_private_file_report(private, folder, name);
    give_to_group(private, folder, name);
    int failed = ewi_rename_new(private, name, folder, name);
    if (failed != 0 && errno == EEXIST) {
        ewi_job_put_aside(folder, name);
        failed = ewi_rename_new(private, name, folder, name);
    }
    return failed == 0 || errno == ENOENT ? 0 : errno;
}

static bool stays(const char *name)
{
    return name[0] == '.' || strcmp(name, EWI_SUMMARY_FILE) == 0 || strcmp(name, EWI_ERROR_FILE) == 0;
}

/* Moves all files that can be moved. 0, or the first errno, with the name of the file. */
static int deliver_files(int private, int folder, char failed[EWI_NAME])
{
    int reason = 0;
    for (int moved = 1; moved > 0 && reason == 0;) {
        DIR *entries = ewi_open_entries(private);
        moved = 0;
        if (!entries)
            return errno;
        for (const char *name; (name = ewi_next_entry(&entries));) {
            int wrong = stays(name) ? 0 : deliver_file(private, folder, name);
            if (wrong != 0 && reason == 0)
                snprintf(failed, EWI_NAME, "%s", name);
            reason = reason != 0 ? reason : wrong;
            moved += !stays(name);
        }
    }
    return reason;
}

/* Copies a result: the original marks the job as ended until it is published. 0, or errno. */
static int deliver_result(int private, int folder, const char *name)
{
    size_t length, there = 0;
    char *text = ewi_read_file(private, name, SIZE_MAX - 1, &length);
    int reason = text ? 0 : errno;
    if (reason == ENOENT) {
        (void)put_result_aside(folder, name); /* for example of an earlier failure */
        return 0;
    }
    char *old = text ? ewi_read_file(folder, name, length, &there) : NULL;
    if (text && !(old && there == length && memcmp(old, text, length) == 0)) {
        reason = put_result_aside(folder, name);
        if (reason == 0)
            reason = ewi_write_file(folder, name, text, length, false);
    }
    free(old);
    free(text);
    return reason;
}

/* Removes the failure of an earlier attempt from the record of a job that succeeded. */
static void forget_failure(int folder)
{
    struct ewi_record record;
    ewi_record_read(folder, &record);
    if (record.exit_code == 0 && !record.reason[0])
        return;
    record.exit_code = 0;
    record.reason[0] = '\0';
    (void)ewi_record_write(folder, &record, false, NULL); /* not essential: a full disk must not cost the result */
}

int ewi_job_deliver(int private, int folder, ew_error *error)
{
    static const char *const results[] = {EWI_SUMMARY_FILE, EWI_ERROR_FILE};
    char failed[EWI_NAME] = "the results";
    if (!ewi_has_file(private, EWI_SUMMARY_FILE) && !ewi_has_file(private, EWI_ERROR_FILE))
        return ewi_fail(error, EW_EIO, "the job has no result, or another process has published it");
    int reason = deliver_files(private, folder, failed);
    for (int k = 0; k < 2 && reason == 0; k++) {
        reason = deliver_result(private, folder, results[k]);
        snprintf(failed, sizeof failed, "%s", results[k]);
    }
    if (reason != 0)
        return ewi_fail(error, is_folder_error(reason) ? EW_ECREATE : EW_EIO,
                        "cannot move %.200s into the job's folder: %s%s", failed, strerror(reason),
                        is_folder_error(reason) ? "; let the service replace and rename what is there" : "");
    if (ewi_has_file(private, EWI_SUMMARY_FILE))
        forget_failure(folder);
    return ewi_sync_all(folder) ? EW_OK : ewi_sync_tree(folder, error);
}

int ewi_job_give_up(int private, int folder, const char *why, ew_error *error)
{
    char sentence[EWI_SENTENCE], failed[EWI_NAME];
    size_t length;
    char *own = ewi_read_file(private, EWI_ERROR_FILE, EWI_SENTENCE, &length);
    if (own)
        own[strcspn(own, "\n")] = '\0';
    bool told = own && strstr(own, why);
    snprintf(sentence, sizeof sentence, "%.500s%s%.480s", own ? own : "", own ? "; " : "", why);
    free(own);
    TRY(told ? EW_OK : ewi_job_explain(private, sentence, error));
    unlinkat(private, EWI_SUMMARY_FILE, 0);
    (void)deliver_files(private, folder, failed);
    (void)deliver_result(private, folder, EWI_SUMMARY_FILE);
    (void)deliver_result(private, folder, EWI_ERROR_FILE);
    return ewi_sync_all(folder) ? EW_OK : ewi_sync_tree(folder, error);
}

/* ---- ends -------------------------------------------------------------------------------------------------------- */

bool ewi_job_is_in_run(int folder, const char *name)
{
    struct stat ours, there;
    char path[EWI_NAME + 16];
    snprintf(path, sizeof path, "../../%s/%s", ewi_place_name[EWI_RUN], name);
    return fstat(folder, &ours) == 0 && fstatat(folder, path, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

void ewi_job_describe_cancel(const struct ewi_spool *spool, const char *name, double when, char sentence[EWI_SENTENCE])
{
    char text[64];
    time_t seconds = (time_t)when;
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(text, sizeof text, "%Y-%m-%d at %H:%M:%S", &parts);
    snprintf(sentence, EWI_SENTENCE, "cancelled on %s UTC; \"edgewise retry --spool %.300s %s\" starts it anew", text,
             spool->path, name);
}

bool ewi_job_is_cancelled(int folder, double *when)
{
    struct stat info;
    if (fstatat(folder, EWI_CANCEL_FILE, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode))
        return false;
    if (when)
        *when = ewi_seconds_of(info.st_mtim);
    return true;
}

bool ewi_job_is_wanted(int folder, const char *name)
{
    return ewi_job_is_in_run(folder, name) && !ewi_job_is_cancelled(folder, NULL);
}

static int move_job(const struct ewi_spool *spool, struct ewi_job *job, enum ewi_place place, ew_error *error)
{
    char name[EWI_NAME];
    memcpy(name, job->name, sizeof name);
    int status = ewi_spool_move(spool, EWI_RUN, job->name, place, name, error);
    if (status == EW_OK)
        memcpy(job->name, name, sizeof name);
    return status;
}

int ewi_put_back(const struct ewi_spool *spool, struct ewi_job *job, enum ewi_place place, ew_error *error)
{
    /* On a full disk both may fail; the job then starts from an older record or none, which is harmless. */
    if (make_private(spool, job) == 0)
        (void)ewi_record_write(job->private, &job->record, true, NULL);
    (void)ewi_record_write(job->folder, &job->record, false, NULL);
    int status = move_job(spool, job, place, error);
    if (status == EW_OK)
        ewi_private_unlock(spool->place[EWI_STATE], job->folder);
    ewi_job_release(job);
    return status;
}

int ewi_publish(const struct ewi_spool *spool, struct ewi_job *job, enum ewi_place place, int *unsynced,
                ew_error *error)
{
    unlinkat(job->folder, EWI_CANCEL_FILE, 0); /* before the rename: no request must survive the job's end */
    int status = move_job(spool, job, place, error);
    *unsynced = 0;
    if (status == EW_OK) {
        unlinkat(job->folder, EWI_TOKEN_FILE, 0);
        *unsynced = ewi_sync(spool->place[place]);
        ewi_private_drop(spool->place[EWI_STATE], job->folder);
        ewi_private_unlock(spool->place[EWI_STATE], job->folder);
    }
    ewi_job_release(job);
    return status;
}
