/* SPDX-License-Identifier: BSD-2-Clause */
/* The ends of a watcher's jobs, retries, and jobs that it adopts from dead watchers. */
#include "client.h"
#include "watch.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>

#define SYNC_SECONDS 1.0 /* most time from a publication to the sync of run/ */
#define SOON_SECONDS 1.0 /* before a job that must run alone asks for a worker again */
#define LONGEST_RETRY_DELAY 3600.0
#define LONGEST_FIRST_PAUSE 2.0
#define LONGEST_PAUSE 60.0

enum {
    LOSSES_AN_ATTEMPT = 10, /* this many deaths of watchers count as one attempt of a job */
    DELIVERIES_TRIED = 5,   /* tries before a job fails because its own folder refuses the results */
    TRIES_WAITED_FOR = 6    /* tries for which a draining watcher waits for a stuck job */
};

/* ---- pauses ------------------------------------------------------------------------------------------------------ */

/* A user who wants short delays before retries also wants short pauses. */
double watch_first_pause(const struct watch *watch)
{
    return fmin(fmax(watch->settings.retry_delay, 0.01), LONGEST_FIRST_PAUSE);
}

void watch_pause(struct watch *watch, const char *sentence)
{
    if (!watch->paused_for[0])
        watch_event(WATCH_ERROR, "paused", NULL, "reason=%s", watch_quoted(sentence));
    snprintf(watch->paused_for, sizeof watch->paused_for, "%s", sentence);
    watch->pause = fmin(fmax(2 * watch->pause, watch_first_pause(watch)), LONGEST_PAUSE);
    watch->paused_until = ewi_seconds() + watch->pause;
    watch->status_changed = true;
}

/* ---- ends -------------------------------------------------------------------------------------------------------- */

static void wait_for_stuck(struct watch *watch, const struct stuck *stuck)
{
    /* one search for all that are due soon */
    watch->recover_at = fmin(watch->recover_at, fmax(stuck->until, ewi_seconds() + WATCH_YOUNG_SECONDS));
    watch->unsettled = watch->unsettled || stuck->tries < TRIES_WAITED_FOR;
}

static void left_behind(struct watch *watch, ino_t inode, const char *name, const char *event, const char *sentence)
{
    bool quiet = watch_is_quiet(watch, inode);
    const struct stuck *stuck = watch_note_stuck(watch, inode, watch_first_pause(watch));
    if (!quiet)
        watch_event(WATCH_ERROR, event, name, "again_s=%.1f error=%s", stuck->delay, watch_quoted(sentence));
    wait_for_stuck(watch, stuck);
}

static ino_t inode_of(int folder)
{
    struct stat info;
    return folder >= 0 && fstat(folder, &info) == 0 ? info.st_ino : 0;
}

void watch_leave_behind(struct watch *watch, struct ewi_job *job, const char *sentence)
{
    ino_t inode = inode_of(job->folder);
    ewi_job_release(job);
    left_behind(watch, inode, job->name, "left-behind", sentence);
}

/* Gives up a job whose folder somebody moved out of run/. The job resumes if it returns to new/. */
static bool drop_gone(struct watch *watch, struct ewi_job *job)
{
    if (ewi_job_is_in_run(job->folder, job->name))
        return false;
    watch_event(WATCH_WARNING, "gone", job->name, "reason=%s",
                watch_quoted("somebody took its folder out of run/"));
    if (job->private >= 0)
        (void)ewi_record_write(job->private, &job->record, false, NULL);
    ewi_private_unlock(watch->spool.place[EWI_STATE], job->folder);
    ewi_job_release(job);
    watch->status_changed = true;
    return true;
}

/* job->name becomes the published name; job->record remains valid. */
static bool publish(struct watch *watch, struct ewi_job *job, enum ewi_place place)
{
    ew_error error;
    ino_t inode = inode_of(job->folder);
    int unsynced;
    if (drop_gone(watch, job))
        return false;
    bool good = ewi_publish(&watch->spool, job, place, &unsynced, &error) == EW_OK;
    if (good)
        watch_drop_stuck(watch, inode); /* another job may get the inode */
    else
        left_behind(watch, inode, job->name, "left-behind", error.message);
    if (unsynced != 0)
        watch_event(WATCH_ERROR, "unsynced", job->name, "place=%s error=%s", ewi_place_name[place],
                    watch_quoted(strerror(unsynced)));
    watch->status_changed = true;
    if (!watch->run_changed)
        watch->sync_at = ewi_seconds() + SYNC_SECONDS;
    watch->run_changed = true;
    return good;
}

static void deliver(struct watch *watch, struct ewi_job *job, const struct helper *how)
{
    struct helper helper = *how;
    ino_t inode = inode_of(job->folder);
    const struct stuck *stuck = watch_find_stuck(watch, inode);
    helper.last = stuck && stuck->tries + 1 >= DELIVERIES_TRIED;
    helper.quiet = watch_is_quiet(watch, inode);
    if (!watch_deliver(watch, job, &helper))
        watch_leave_behind(watch, job, "cannot start a process to move its results into its folder");
}

void watch_job_done(struct watch *watch, struct ewi_job *job, double seconds, bool delivered)
{
    double queued = job->record.submitted > 0 ? fmax(ewi_now() - seconds - job->record.submitted, 0) : 0;
    if (!delivered) {
        deliver(watch, job, &(struct helper){.done = true, .seconds = seconds});
        return;
    }
    if (!publish(watch, job, EWI_DONE))
        return;
    watch->counts.done++;
    watch->pause = 0;
    watch->counts.run_seconds += seconds;
    watch->counts.queue_seconds += queued;
    watch_event(WATCH_INFO, "done", job->name, "attempt=%d queue_s=%.3f run_s=%.3f", job->record.attempts + 1, queued,
                seconds);
}

void watch_job_failed(struct watch *watch, struct ewi_job *job, int exit_code, const char *sentence, bool delivered)
{
    size_t length;
    char *written = sentence || delivered ? NULL : ewi_read_file(job->private, EWI_ERROR_FILE, EWI_SENTENCE, &length);
    if (written) { /* by a worker that ended without a report, such as a command of --exec */
        written[strcspn(written, "\n")] = '\0';
        sentence = written;
    }
    if (sentence)
        snprintf(job->record.reason, sizeof job->record.reason, "%s", sentence);
    if (sentence || job->record.exit_code != exit_code) {
        job->record.exit_code = exit_code;
        (void)ewi_record_write(job->private, &job->record, false, NULL); /* only error.txt must be there */
        (void)ewi_record_write(job->folder, &job->record, false, NULL);
    }
    free(written);
    if (!delivered) {
        deliver(watch, job, &(struct helper){.exit_code = exit_code});
        return;
    }
    if (!publish(watch, job, EWI_FAILED))
        return;
    watch->counts.failed++;
    watch_event(WATCH_WARNING, "failed", job->name, "exit_code=%d reason=%s", exit_code,
                watch_quoted(job->record.reason));
}

static void end_delivered(struct watch *watch, struct helper *helper, int code)
{
    if (code == EX_CANTCREAT && helper->last) {
        char *sentence = client_first_line(helper->job.private, EWI_ERROR_FILE);
        watch_job_failed(watch, &helper->job, helper->done ? EX_CANTCREAT : helper->exit_code, sentence, true);
        free(sentence);
    } else if (code != EX_OK)
        watch_leave_behind(watch, &helper->job, "its results cannot be moved into its folder");
    else if (helper->done)
        watch_job_done(watch, &helper->job, helper->seconds, true);
    else
        watch_job_failed(watch, &helper->job, helper->exit_code, NULL, true);
}

void watch_reap_helpers(struct watch *watch)
{
    struct helper ended;
    int code;
    while (watch_reap_helper(watch, &ended, &code))
        if (ended.kind == HELPER_DELIVER)
            end_delivered(watch, &ended, code);
}

void watch_job_refused(struct watch *watch, struct ewi_job *job, int exit_code, const char *sentence)
{
    ew_error error;
    if (ewi_job_explain(job->private, sentence, &error) == EW_OK)
        watch_job_failed(watch, job, exit_code, sentence, false);
    else
        watch_leave_behind(watch, job, error.message);
}

/* Prepares the end of a job. If its own folder refuses the token, the job cannot run, but it can end. */
static bool can_end(struct watch *watch, struct ewi_job *job)
{
    ew_error error;
    int status = ewi_job_begin(&watch->spool, job, &error);
    if (status == EW_OK || status == EW_ECREATE)
        return true;
    watch_leave_behind(watch, job, error.message);
    return false;
}

/* Ends a cancelled job, and gives up one that somebody moved out of run/. false: the job shall run. */
static bool end_unwanted(struct watch *watch, struct ewi_job *job)
{
    char sentence[EWI_SENTENCE];
    double when;
    if (drop_gone(watch, job))
        return true;
    if (!ewi_job_is_cancelled(job->folder, &when))
        return false;
    ewi_job_describe_cancel(&watch->spool, job->name, when, sentence);
    if (can_end(watch, job))
        watch_job_refused(watch, job, EX_UNAVAILABLE, sentence);
    return true;
}

static void requeue(struct watch *watch, struct ewi_job *job, const char *event, const char *sentence)
{
    if (end_unwanted(watch, job))
        return;
    ew_error error;
    double delay = job->record.not_before > 0 ? fmax(job->record.not_before - ewi_now(), 0) : 0;
    ino_t inode = inode_of(job->folder);
    if (sentence)
        snprintf(job->record.reason, sizeof job->record.reason, "%s", sentence);
    watch->status_changed = true;
    if (ewi_put_back(&watch->spool, job, EWI_NEW, &error) != EW_OK) {
        left_behind(watch, inode, job->name, "left-behind", error.message);
        return;
    }
    watch_event(sentence ? WATCH_WARNING : WATCH_INFO, event, job->name, "attempts=%d delay_s=%.1f reason=%s",
                job->record.attempts, delay, watch_quoted(sentence ? sentence : ""));
    ewi_queue_consider(&watch->queue, job->name, true);
}

void watch_job_retry(struct watch *watch, struct ewi_job *job, int exit_code, const char *sentence)
{
    struct ewi_record *record = &job->record;
    char whole[EWI_SENTENCE];
    if (end_unwanted(watch, job))
        return;
    record->attempts++;
    watch->counts.retried++;
    if (record->attempts >= watch->settings.max_attempts) {
        snprintf(whole, sizeof whole, "%.900s (attempt %d, the last one)", sentence, record->attempts);
        watch_job_refused(watch, job, exit_code, whole);
        return;
    }
    double delay = watch->settings.retry_delay * pow(2.0, fmin(record->attempts - 1, 30));
    record->delay = fmin(delay, LONGEST_RETRY_DELAY);
    record->not_before = ewi_now() + record->delay;
    requeue(watch, job, "retry", sentence);
}

void watch_job_waits(struct watch *watch, struct ewi_job *job)
{
    job->record.not_before = ewi_now() + SOON_SECONDS;
    requeue(watch, job, "waits", NULL);
}

void watch_job_interrupted(struct watch *watch, struct ewi_job *job)
{
    job->record.interruptions++;
    job->record.not_before = job->record.delay = 0;
    watch->counts.interrupted++;
    requeue(watch, job, "interrupted", NULL);
}

/* ---- jobs of dead watchers --------------------------------------------------------------------------------------- */

/* Publishes a job that has ended. */
static bool publish_ended(struct watch *watch, struct ewi_job *job, enum ewi_left left)
{
    if (left == EWI_LEFT_DONE)
        watch_job_done(watch, job, 0, false);
    else if (left == EWI_LEFT_FAILED)
        watch_job_failed(watch, job, job->record.exit_code ? job->record.exit_code : EX_SOFTWARE, NULL, false);
    return left != EWI_LEFT_UNFINISHED;
}

bool watch_end_if_over(struct watch *watch, struct ewi_job *job)
{
    return publish_ended(watch, job, ewi_job_left(job)) || end_unwanted(watch, job);
}

static void requeue_lost(struct watch *watch, struct ewi_job *job)
{
    char sentence[EWI_SENTENCE];
    if (++job->record.lost <= LOSSES_AN_ATTEMPT * watch->settings.max_attempts) {
        requeue(watch, job, "requeued", NULL);
        return;
    }
    snprintf(sentence, sizeof sentence, "its watchers died %d times; the job may be the cause", job->record.lost);
    if (can_end(watch, job))
        watch_job_refused(watch, job, EX_TEMPFAIL, sentence);
}

static void resolve_adopted(struct watch *watch, struct ewi_job *job)
{
    enum ewi_left left = ewi_job_left(job);
    watch->counts.adopted++;
    if (!watch_is_quiet(watch, inode_of(job->folder)))
        watch_event(WATCH_WARNING, "adopted", job->name, "left=%s",
                    left == EWI_LEFT_DONE ? "done" : left == EWI_LEFT_FAILED ? "failed" : "unfinished");
    if (!publish_ended(watch, job, left))
        requeue_lost(watch, job);
}

static bool is_ours(const struct watch *watch, const char *name)
{
    for (int k = 0; k < watch->workers; k++)
        if (watch->worker[k].state == WORKER_BUSY && strcmp(watch->worker[k].job.name, name) == 0)
            return true;
    return watch_is_delivering(watch, name);
}

void watch_adopt(struct watch *watch, const char *name)
{
    struct stat info;
    struct ewi_job job;
    ew_error error;
    if (name[0] == '.' || is_ours(watch, name) ||
        fstatat(watch->spool.place[EWI_RUN], name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(info.st_mode))
        return;
    const struct stuck *stuck = watch_find_stuck(watch, info.st_ino);
    if (stuck && ewi_seconds() < stuck->until) {
        wait_for_stuck(watch, stuck);
        return;
    }
    double age = ewi_now() - ewi_seconds_of(info.st_ctim);
    if ((age >= 0 && age < WATCH_YOUNG_SECONDS) || !watch_may_deliver(watch)) {
        watch->recover_at = fmin(watch->recover_at, ewi_seconds() + WATCH_YOUNG_SECONDS);
        watch->unsettled = true;
        return;
    }
    int status = ewi_adopt(&watch->spool, name, &job, &error);
    watch->others += status == EWI_BUSY;
    if (status == EW_OK)
        resolve_adopted(watch, &job);
    else if (status < 0)
        left_behind(watch, info.st_ino, name, "adopt", error.message);
}
