/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "edgewise cancel" ends jobs. It claims a job without an owner and moves it to failed/ like a watcher. If the job has
 * an owner, or the user may not claim jobs, it leaves a request in the job's folder and waits until the job has ended.
 * After a kill at any point, the job is where it was, or in run/, where a watcher adopts it.
 */
#include "client.h"
#include "ewi_error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_SECONDS 0.05
#define LOST_SECONDS 3.0    /* a job that is missing for longer has left the spool */
#define PATIENT_SECONDS 5.0 /* before we print what we are waiting for */

enum { EWI_ASKED = EWI_BUSY + 1 };

struct cancel_arguments {
    struct cli_arguments common;
    const char *spool;
};

struct cancel {
    const struct ewi_spool *spool;
    struct client_tracked job;
    double begun, seen; /* ewi_seconds; seen: when the job was last found */
    bool is_busy, has_told, has_asked;
    ew_error error;
};

/* Publishes a job that we have claimed: as failed, unless it has ended by itself. */
static int end_claimed(struct cancel *cancel, struct ewi_job *job)
{
    enum ewi_left left = ewi_job_left(job);
    int unsynced, status = left == EWI_LEFT_UNFINISHED ? ewi_job_begin(cancel->spool, job, &cancel->error) : EW_OK;
    if (status == EW_OK && left == EWI_LEFT_UNFINISHED) {
        char sentence[EWI_SENTENCE];
        ewi_job_describe_cancel(cancel->spool, job->name, ewi_now(), sentence);
        memcpy(job->record.reason, sentence, sizeof sentence);
        job->record.exit_code = EX_UNAVAILABLE;
        status = ewi_job_explain(job->private, sentence, &cancel->error);
        if (status == EW_OK)
            status = ewi_record_write(job->folder, &job->record, true, &cancel->error);
    }
    if (status == EW_OK)
        status = ewi_job_deliver(job->private, job->folder, &cancel->error);
    if (status == EW_OK)
        return ewi_publish(cancel->spool, job, left == EWI_LEFT_DONE ? EWI_DONE : EWI_FAILED, &unsynced,
                           &cancel->error);
    (void)ewi_put_back(cancel->spool, job, EWI_NEW, NULL);
    return status;
}

/* Makes watchers inspect a waiting job again. */
static void touch(struct cancel *cancel, int folder)
{
    if (!cancel->has_asked && folder >= 0)
        (void)futimens(folder, NULL);
    cancel->has_asked = true;
}

/* Creates the request, an empty file in the job's folder. */
static int leave_request(struct cancel *cancel)
{
    const struct client_found *found = &cancel->job.found;
    int folder = ewi_open_inside(cancel->spool->place[found->place], found->name);
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int file = folder < 0 ? -1 : openat(folder, EWI_CANCEL_FILE, flags, 0666);
    int reason = file < 0 && !(folder >= 0 && ewi_has_file(folder, EWI_CANCEL_FILE)) ? errno : 0;
    if (reason == 0)
        touch(cancel, folder);
    ewi_close(file);
    ewi_close(folder);
    if (reason == 0 || reason == ENOENT)
        return EW_OK;
    snprintf(cancel->error.message, sizeof cancel->error.message, "cannot make %s in its folder: %s", EWI_CANCEL_FILE,
             strerror(reason));
    return cancel->error.code = ewi_spool_write_code(reason);
}

/* Removes the request: the job may have ended before its owner saw it. */
static void take_request_back(const struct cancel *cancel)
{
    const struct client_found *found = &cancel->job.found;
    int folder = ewi_open_inside(cancel->spool->place[found->place], found->name);
    if (folder >= 0)
        unlinkat(folder, EWI_CANCEL_FILE, 0);
    ewi_close(folder);
}

static int wait_longer(struct cancel *cancel)
{
    char shown[CLIENT_SHOWN];
    if (!cancel->has_told && ewi_seconds() - cancel->begun > PATIENT_SECONDS) {
        cli_error("%s is in %s/; waiting for its watcher to end it", client_shown(cancel->job.found.name, shown),
                  ewi_place_name[cancel->job.found.place]);
        cancel->has_told = true;
    }
    return EWI_BUSY;
}

/* Tracks the folder in run/ that a watcher, or our own claim, has made of a dropped case. */
static bool track_in_run(struct cancel *cancel, const char *name)
{
    struct client_found found = {.place = EWI_RUN};
    memcpy(found.name, name, sizeof found.name);
    return client_begin_tracking(cancel->spool, &found, &cancel->job);
}

static int claim(struct cancel *cancel, struct ewi_job *job)
{
    const struct client_found *found = &cancel->job.found;
    return found->place == EWI_RUN ? ewi_adopt(cancel->spool, found->name, job, &cancel->error)
                                   : client_claim(cancel->spool, found, job, &cancel->error);
}

static bool may_claim(const struct ewi_spool *spool)
{
    return faccessat(spool->place[EWI_RUN], ".", W_OK, AT_EACCESS) == 0;
}

/* Requests the end of a job. A held job moves to new/, because watchers ignore hold/. EWI_ASKED: no watcher runs. */
static int ask_service(struct cancel *cancel)
{
    struct client_found *found = &cancel->job.found;
    if (!cancel->job.is_folder)
        return ewi_fail(&cancel->error, EW_ECREATE, "it is a file, so remove it: rm %.800s/%s/%.200s",
                        cancel->spool->path, ewi_place_name[found->place], found->name);
    int status = leave_request(cancel);
    if (status == EW_OK && found->place == EWI_HOLD) {
        char name[EWI_NAME];
        memcpy(name, found->name, sizeof name);
        status = ewi_spool_move(cancel->spool, EWI_HOLD, found->name, EWI_NEW, name, &cancel->error);
    }
    if (status != EW_OK)
        return status;
    return client_is_watched(cancel->spool) ? wait_longer(cancel) : EWI_ASKED;
}

/* EWI_BUSY: check again. */
static int end_or_ask(struct cancel *cancel)
{
    struct ewi_job job;
    if (!may_claim(cancel->spool))
        return ask_service(cancel);
    int status = claim(cancel, &job);
    if (status == EW_OK) {
        (void)track_in_run(cancel, job.name);
        status = end_claimed(cancel, &job);
        return status == EW_OK ? EWI_BUSY : status;
    }
    if (status == EWI_BUSY && cancel->job.found.place == EWI_RUN)
        status = leave_request(cancel);
    return status < 0 ? status : wait_longer(cancel);
}

/* EW_OK: it has ended; EWI_BUSY: check again; EWI_GONE: it has left the spool; EWI_ASKED: a watcher will end it. */
static int step(struct cancel *cancel)
{
    const struct client_found *found = &cancel->job.found;
    if (client_track(cancel->spool, &cancel->job)) {
        cancel->seen = ewi_seconds();
        return found->place == EWI_DONE || found->place == EWI_FAILED ? EW_OK : end_or_ask(cancel);
    }
    if (!cancel->job.is_folder) {
        char base[EWI_NAME], name[EWI_NAME];
        ewi_spool_clean_name(ewi_case_base(found->name, base), name);
        if (track_in_run(cancel, name))
            return EWI_BUSY;
    }
    return ewi_seconds() - cancel->seen > LOST_SECONDS ? EWI_GONE : wait_longer(cancel);
}

/* 0, or an exit code if the job ended before it could be cancelled. */
static int report_end(const struct cancel *cancel, bool quiet)
{
    static const char word[] = "cancelled ";
    const struct client_found *found = &cancel->job.found;
    char shown[CLIENT_SHOWN];
    client_shown(found->name, shown);
    if (found->place == EWI_DONE)
        return cli_fail(EX_TEMPFAIL, "%s cannot be cancelled: it is done", shown);
    int folder = ewi_open_inside(cancel->spool->place[EWI_FAILED], found->name);
    char *reason = folder < 0 ? NULL : client_first_line(folder, EWI_ERROR_FILE);
    ewi_close(folder);
    bool good = reason && strncmp(reason, word, sizeof word - 1) == 0;
    if (!good)
        cli_error("%s cannot be cancelled: it has failed: %s", shown, reason ? reason : "");
    else if (!quiet)
        printf("%s\n", shown);
    free(reason);
    return good ? EX_OK : EX_TEMPFAIL;
}

static int begin(struct cancel *cancel, const struct client_wanted *wanted, const char *operand)
{
    struct client_found found;
    *cancel = (struct cancel){.spool = wanted->spool, .begun = ewi_seconds(), .seen = ewi_seconds()};
    int code = client_find(wanted, operand, &found);
    if (code == EX_OK && !client_begin_tracking(wanted->spool, &found, &cancel->job))
        code = client_report_missing(wanted, found.name);
    cancel->is_busy = code == EX_OK;
    return code;
}

static int continue_one(struct cancel *cancel, bool quiet)
{
    char shown[CLIENT_SHOWN];
    int status = step(cancel);
    cancel->is_busy = status == EWI_BUSY;
    client_shown(cancel->job.found.name, shown);
    if (status == EWI_GONE)
        return cli_fail(EX_NOINPUT, "%s is no longer in the spool; somebody has taken it out", shown);
    if (status == EWI_ASKED)
        return cli_fail(EX_TEMPFAIL, "%s is not cancelled yet: no watcher runs, and the next one will end it", shown);
    if (status < 0)
        return cli_fail(cli_exit_code(status, EX_IOERR), "%s cannot be cancelled: %s", shown, cancel->error.message);
    if (cancel->is_busy)
        return EX_OK;
    take_request_back(cancel);
    return report_end(cancel, quiet);
}

/* Cancels all jobs at the same time: otherwise a waiting one would start when a running one has ended. */
static int cancel_all(const struct client_wanted *wanted, const struct cli_arguments *common)
{
    struct cancel *cancel = cli_allocate((common->operands + 1) * sizeof *cancel);
    int code = EX_OK;
    for (size_t k = 0; k < common->operands; k++) {
        int one = begin(&cancel[k], wanted, common->operand[k]);
        code = code == EX_OK ? one : code;
    }
    for (bool busy = true; busy;) {
        busy = false;
        for (size_t k = 0; k < common->operands; k++) {
            int one = cancel[k].is_busy ? continue_one(&cancel[k], common->quiet) : EX_OK;
            code = code == EX_OK ? one : code;
            busy = busy || cancel[k].is_busy;
        }
        if (busy)
            nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * PAUSE_SECONDS)}, NULL);
    }
    free(cancel);
    return code;
}

static int cancel_jobs(struct cli_arguments *common)
{
    static const enum ewi_place places[] = {EWI_RUN, EWI_NEW, EWI_HOLD};
    struct ewi_spool spool;
    int code = client_open_spool(((const struct cancel_arguments *)common)->spool, &spool);
    if (code != EX_OK)
        return code;
    const struct client_wanted wanted = {.spool = &spool, .place = places, .count = 3, .done = "cancelled"};
    code = cancel_all(&wanted, common);
    for (size_t k = 0; k < wanted.count; k++)
        (void)ewi_sync(spool.place[places[k]]); /* failed/ has already been synced */
    ewi_spool_close(&spool);
    return cli_finish_stdout(code);
}

#define ARGUMENTS struct cancel_arguments

const struct cli_command cmd_cancel = {
    .name = "cancel",
    .operand = "JOB...",
    .summary = "End waiting, held or running jobs",
    .text = "They go to failed/ with what they have written. Prints their names.",
    .options = (const struct cli_option[]){CLIENT_SPOOL_OPTION, CLI_QUIET_OPTION("print no names of jobs"),
                                           CLI_HELP_AND_END},
    .size = sizeof(struct cancel_arguments),
    .run = cancel_jobs,
};
