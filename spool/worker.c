/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs jobs as "edgewise run" would, in their folders, and writes summary.json or error.txt. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MSG_CMSG_CLOEXEC, unshare */
#endif
#include "ewi_error.h"
#include "ewi_team.h"
#include "report.h"
#include "watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST_CASE = 64 << 20 };

struct worker_job {
    const struct worker_order *order;
    size_t settings; /* the watcher's */
    char **setting;
    int folder, private, socket;           /* socket: -1 for a command of --exec */
    int log;                               /* the job's log if the process has several jobs; -1: stderr is the log */
    int unlogged;                          /* errno: why the log cannot be written; 0: it can */
    ew_ensemble *ensemble;                 /* of the jobs of this process; NULL: it runs one job at a time */
    ew_meshes *meshes;                     /* cache of meshes for all jobs of the process; nullable */
    ew_comm *comm;                         /* of a command of --exec under mpirun; otherwise NULL */
    char output[EWI_PRIVATE_NAME + 20];    /* the private folder's path, with a final slash */
    double begun;                          /* since 1970 */
    bool unwanted;                         /* the job was cancelled or moved, so its run ends early */
    double check_at;                       /* ewi_seconds: when a command of --exec next checks `unwanted` */
    struct cli_log_pace pace;              /* of progress in the log */
    struct worker_report end;
};

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* Drops progress reports if the watcher is busy. */
static void report(int socket, const struct worker_report *message)
{
    int flags = MSG_NOSIGNAL | (message->kind == WORKER_PROGRESS ? MSG_DONTWAIT : 0);
    while (socket >= 0 && send(socket, message, sizeof *message, flags) < 0 && errno == EINTR)
        ;
}

/*
 * Receives an order with its two descriptors. false: the watcher has closed the socket or is gone. Ignores single
 * bytes: they asked an earlier job to end (must_stop).
 */
static bool receive(int socket, struct worker_order *order, int descriptor[2])
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec part = {.iov_base = order, .iov_len = sizeof *order};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t got;
    do
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got == 1 || (got < 0 && errno == EINTR && !cli_caught_signal()));
    const struct cmsghdr *header = got == (ssize_t)sizeof *order ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(2 * sizeof(int)))
        return false;
    memcpy(descriptor, CMSG_DATA(header), 2 * sizeof(int));
    return true;
}

/* ---- one job ----------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void log_line(const struct worker_job *job, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vdprintf(job->log >= 0 ? job->log : STDERR_FILENO, format, arguments);
    va_end(arguments);
}

/* The current time in the format of logs. */
static const char *stamp(char when[32])
{
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(when, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return when;
}

/* The log also shows how far a killed job got. */
static void report_progress(void *context, ew_run *run)
{
    struct worker_job *job = context;
    char when[32], words[384];
    ew_run_progress progress;
    ew_run_get_progress(run, &progress);
    report(job->socket, &(struct worker_report){.kind = WORKER_PROGRESS, .time = progress.time,
                                                .fraction = progress.fraction, .step = progress.steps,
                                                .rate = progress.rate});
    if (!cli_log_is_due(&job->pace, progress.fraction, ewi_seconds()))
        return;
    cli_progress_words(run, NAN, words, sizeof words);
    log_line(job, "%s %s\n", stamp(when), words);
}

/* Called between steps. The watcher asks a worker by a byte on the socket; a command of --exec checks its folder. */
static int must_stop(void *context)
{
    struct worker_job *job = context;
    char byte;
    if (job->socket >= 0) {
        job->unwanted = job->unwanted || recv(job->socket, &byte, 1, MSG_DONTWAIT) == 1;
    } else if (ewi_seconds() >= job->check_at) {
        job->unwanted = !ewi_job_is_wanted(job->folder, job->order->name);
        job->check_at = ewi_seconds() + WANTED_SECONDS;
    }
    return job->unwanted || cli_is_interrupted(NULL);
}

static void put_job(struct cli_json *json, const struct worker_job *job)
{
    const struct ewi_record *record = &job->order->record;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    cli_json_open(json, "job", '{');
    cli_json_text(json, "name", job->order->name);
    cli_json_text(json, "id", record->id[0] ? record->id : NULL);
    cli_json_number(json, "submitted", record->submitted > 0 ? record->submitted : NAN);
    cli_json_number(json, "started", job->begun);
    cli_json_number(json, "ended", ewi_now());
    cli_json_number(json, "queue_s", record->submitted > 0 ? fmax(job->begun - record->submitted, 0) : NAN);
    cli_json_number(json, "run_s", ewi_now() - job->begun);
    cli_json_integer(json, "attempts", record->attempts + 1);
    cli_json_integer(json, "interruptions", record->interruptions);
    cli_json_integer(json, "lost", record->lost);
    cli_json_text(json, "host", host);
    cli_json_close(json, '}');
}

static const char *base_name(const char *path)
{
    return path ? ewi_file_name(path) : NULL;
}

/* Names files as in the job's folder. */
static void put_summary(struct cli_json *json, const struct cli_summary *summary)
{
    struct cli_summary shown = *summary;
    const char **restart = cli_allocate((summary->run.restarts + 1) * sizeof *restart);
    for (size_t k = 0; k < summary->run.restarts; k++)
        restart[k] = base_name(summary->run.restart[k]);
    shown.run.fields = base_name(summary->run.fields);
    shown.run.series = base_name(summary->run.series);
    shown.run.resumed = base_name(summary->run.resumed);
    shown.run.restart = restart;
    cli_summary_put_json(json, &shown);
    free(restart);
}

/* 0, or errno. */
static int write_summary(const struct worker_job *job, const struct cli_summary *summary)
{
    char *text = NULL;
    size_t length = 0;
    struct cli_json json = {.file = open_memstream(&text, &length)};
    if (!json.file)
        return errno;
    cli_json_open(&json, NULL, '{');
    put_summary(&json, summary);
    put_job(&json, job);
    cli_json_close(&json, '}');
    fputc('\n', json.file);
    int reason = fclose(json.file) == 0 ? 0 : errno;
    if (reason == 0)
        reason = ewi_write_file(job->private, EWI_SUMMARY_FILE, text, length, false);
    free(text);
    return reason;
}

/* True if another attempt would fail in the same way. */
static bool is_final(int exit_code, int error)
{
    return exit_code == EX_CONFIG || exit_code == EX_DATAERR || exit_code == EX_NOINPUT || exit_code == EX_CANTCREAT ||
           (exit_code == EX_SOFTWARE && error == EW_ESTATE);
}

static void end_with(struct worker_job *job, enum worker_outcome outcome, int exit_code, const char *sentence)
{
    char *shown = cli_visible(sentence ? sentence : "");
    job->end.outcome = outcome;
    job->end.exit_code = exit_code;
    snprintf(job->end.sentence, sizeof job->end.sentence, "%s", shown);
    free(shown);
}

/* error.txt must say that there is no log. */
static void append_log_error(struct worker_job *job)
{
    size_t length = strlen(job->end.sentence);
    if (job->unlogged != 0)
        snprintf(job->end.sentence + length, sizeof job->end.sentence - length, " (its log cannot be written: %s)",
                 strerror(job->unlogged));
}

/* `sentence` may be job->end.sentence. */
static void fail(struct worker_job *job, int exit_code, const char *sentence)
{
    ew_error error;
    end_with(job, OUTCOME_FAILED, exit_code, sentence);
    append_log_error(job);
    if (ewi_job_explain(job->private, job->end.sentence, &error) != EW_OK)
        end_with(job, OUTCOME_RETRY, EX_IOERR, error.message);
}

/* Removes restart files that the case did not request: they only served interruptions. */
static void remove_restarts(const struct worker_job *job, const struct cli_summary *summary)
{
    for (size_t k = 0; k < summary->run.restarts && !summary->case_info->plan.restarts; k++)
        unlinkat(job->private, base_name(summary->run.restart[k]), 0);
}

static bool is_first(const struct ewi_record *record)
{
    return record->attempts == 0 && record->interruptions == 0 && record->lost == 0;
}

/* Removes the frames of earlier attempts after a complete run. */
static void remove_partial_fields(const struct worker_job *job)
{
    static const char *const endings[] = {"interrupted.nc", "failed.nc", "series.interrupted.csv", "series.failed.csv"};
    char name[EWI_NAME + 32];
    for (size_t k = 0; k < sizeof endings / sizeof *endings && !is_first(&job->order->record); k++) {
        snprintf(name, sizeof name, "%s.%s", job->order->name, endings[k]);
        unlinkat(job->private, name, 0);
    }
}

static void note_end(void *context, const struct cli_summary *summary, int exit_code, int error)
{
    struct worker_job *job = context;
    const char *sentence = summary->error ? summary->error : "the run ended without giving a reason";
    if (exit_code != EX_OK) {
        job->end.disk_full = error == EW_EFULL;
        job->end.device_lost = error == EW_EDEVICE;
        end_with(job, is_final(exit_code, error) ? OUTCOME_FAILED : OUTCOME_RETRY, exit_code, sentence);
    } else if (summary->run.end == EW_RUN_STOPPED) {
        end_with(job, OUTCOME_INTERRUPTED, EX_OK, job->unwanted ? NULL : "interrupted");
    } else {
        remove_restarts(job, summary);
        remove_partial_fields(job);
        int reason = write_summary(job, summary);
        job->end.disk_full = reason == ENOSPC || reason == EDQUOT;
        end_with(job, reason == 0 ? OUTCOME_DONE : OUTCOME_RETRY, reason == 0 ? EX_OK : EX_IOERR,
                 reason == 0 ? NULL : "cannot write summary.json");
    }
    /* HDF5 may be broken after a failed write, and the driver after the loss of its device. */
    job->end.leaves = job->end.outcome == OUTCOME_RETRY;
}

/* Adds a file of the job to the hash; false, with errno, if it cannot be read. Settings may be missing. */
static bool hash_file(int folder, const char *name, size_t most, uint64_t *hash)
{
    size_t length = 0;
    char *text = ewi_read_file(folder, name, most, &length);
    bool known = text || (errno == ENOENT && strcmp(name, EWI_SETTINGS_FILE) == 0);
    for (size_t k = 0; text && k < length; k++)
        *hash = (*hash ^ (unsigned char)text[k]) * 0x100000001b3u;
    *hash = (*hash ^ 0xff) * 0x100000001b3u;
    free(text);
    return known;
}

/* Removes the output of earlier attempts, but not the service's own files. */
static void remove_progress(int private)
{
    DIR *entries = ewi_open_entries(private);
    for (const char *name; (name = ewi_next_entry(&entries));)
        if (name[0] != '.')
            unlinkat(private, name, 0);
}

/* Removes the output of a job that filled the disk, unless the next attempt resumes from it. */
static void make_room(const struct worker_job *job)
{
    bool again = job->end.outcome == OUTCOME_RETRY && !job->order->last;
    if (again && job->end.disk_full && !ewi_private_can_resume(job->private))
        remove_progress(job->private);
}

/* `same`: earlier attempts ran the same case. The reader of restart files detects a changed mesh. */
static int compare_inputs(const struct worker_job *job, const char *case_name, bool *same, ew_error *error)
{
    char now[17];
    size_t length = 0;
    uint64_t hash = 0xcbf29ce484222325u;
    if (!hash_file(job->folder, case_name, LARGEST_CASE, &hash) ||
        !hash_file(job->folder, EWI_SETTINGS_FILE, EWI_LARGEST_SETTINGS, &hash))
        return ewi_fail(error, ewi_input_code(errno), "cannot read the case %s or its settings: %s", case_name,
                        ewi_open_error(errno));
    snprintf(now, sizeof now, "%016llx", (unsigned long long)hash);
    char *before = ewi_read_file(job->private, EWI_INPUTS_FILE, sizeof now, &length);
    *same = before && strcmp(before, now) == 0;
    if (before && !*same) {
        cli_error("the case has changed since the last attempt; the job starts anew");
        remove_progress(job->private);
    }
    if (!*same)
        (void)ewi_write_file(job->private, EWI_INPUTS_FILE, now, sizeof now - 1, false);
    free(before);
    return EW_OK;
}

/* The watcher's --threads, or its share of the cores (OMP_NUM_THREADS). 0: the watcher sets backend.parts. */
static int share_of(const struct worker_job *job)
{
    const char *threads = worker_setting("backend.threads", job->settings, job->setting);
    bool given = worker_setting("backend.parts", job->settings, job->setting) != NULL;
    int count = threads ? (int)strtol(threads, NULL, 10) : 0;
    return given && !job->ensemble ? 0 : ew_thread_count(count, NULL, 0);
}

/* If the job cannot resume from a restart file, it runs from the start. */
static int run_case(struct worker_job *job, const char *case_name, const struct cli_case *what, ew_error *error)
{
    bool same = false;
    char fields[EWI_NAME + sizeof job->output + 8];
    snprintf(fields, sizeof fields, "%s%s.nc", job->output, job->order->name);
    struct cli_run run = {.what = *what,
                          .options = {.folder = job->output, .fields = fields, .restart_is_optional = true,
                                      .context = job, .stop = must_stop, .progress = report_progress},
                          .ensemble = job->ensemble,
                          .most_threads = share_of(job),
                          .comm = job->comm,
                          .end = note_end};
    if (job->comm && ew_comm_rank(job->comm) > 0) {
        cli_run_case(&run);
        return EW_OK;
    }
    TRY(compare_inputs(job, case_name, &same, error));
    bool first = !same || is_first(&job->order->record);
    if (!first) {
        run.options.restart = "auto";
        cli_run_case(&run);
    }
    if (first || (job->end.outcome == OUTCOME_FAILED && job->end.exit_code != EX_SOFTWARE)) {
        run.options.restart = NULL;
        cli_run_case(&run);
    }
    if (job->end.outcome == OUTCOME_FAILED)
        fail(job, job->end.exit_code, job->end.sentence);
    make_room(job);
    return EW_OK;
}

/* Writes the sentence into the job's log and error.txt. */
static void refuse(struct worker_job *job, int exit_code, const char *sentence)
{
    cli_error("%s", sentence);
    fail(job, exit_code, sentence);
}

/* The watcher's settings follow the job's own and override them. */
static int try_with_settings(struct worker_job *job, const char *case_name, ew_error *error)
{
    struct ewi_settings own;
    TRY(ewi_settings_read(job->folder, &own, error));
    size_t count = own.count + job->settings;
    char **all = cli_allocate((count + 1) * sizeof *all), **name = cli_allocate((count + 1) * sizeof *name);
    for (size_t k = 0; k < count; k++) {
        all[k] = k < own.count ? own.setting[k] : job->setting[k - own.count];
        name[k] = cli_format("%s%s", k < own.count ? EWI_SETTINGS_FILE ": " : "watch --set ", all[k]);
    }
    struct cli_case what = {.path = case_name, .settings = count, .setting = all, .setting_name = name,
                            .confined = true, .meshes = job->meshes};
    int status = run_case(job, case_name, &what, error);
    for (size_t k = 0; k < count; k++)
        free(name[k]);
    free(name);
    free(all);
    ewi_settings_free(&own);
    return status;
}

static void run_with_settings(struct worker_job *job, const char *case_name)
{
    ew_error error;
    int status = try_with_settings(job, case_name, &error);
    if (status == EW_ECONFIG) {
        refuse(job, EX_CONFIG, error.message);
    } else if (status != EW_OK) {
        cli_error("%s", error.message);
        end_with(job, OUTCOME_RETRY, EX_OSERR, error.message);
    }
}

static bool has_ended(const struct worker_job *job)
{
    return job->end.outcome == OUTCOME_DONE || job->end.outcome == OUTCOME_FAILED;
}

/* Renames an older report, for example of a failed attempt, and writes a new one if requested. */
static void write_report(const struct worker_job *job)
{
    if (!has_ended(job))
        return;
    ewi_job_put_aside(job->folder, EWI_REPORT_FILE);
    ewi_job_put_aside(job->folder, EWI_PICTURE_FILE);
    if (job->order->report)
        report_write(&(struct report){.name = job->order->name, .folder = job->folder, .private = job->private,
                                      .output = job->output, .settings = job->settings, .setting = job->setting});
}

/* If this fails, the watcher delivers the results later. */
static void deliver(struct worker_job *job)
{
    ew_error error;
    bool ended = has_ended(job);
    job->end.delivered = ended && ewi_job_deliver(job->private, job->folder, &error) == EW_OK;
    if (ended && !job->end.delivered)
        cli_error("%s", error.message);
}

/* false: the job has no private folder of its own. */
static bool open_private(struct worker_job *job)
{
    struct ewi_record record;
    int state = openat(job->folder, "../../state", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    job->private = state < 0 ? -1 : ewi_private_of(state, job->folder, &record);
    ewi_private_path(job->folder, job->output);
    memcpy(job->output + strlen(job->output), "/", 2);
    cli_hide_folder(job->output); /* files have their names in the job's folder */
    ewi_close(state);
    return job->private >= 0;
}

/* Writes a message about a job to its log if the process has several jobs. */
static void write_to_log(void *context, const char *sentence)
{
    char *visible = cli_visible(sentence);
    log_line(context, "edgewise: %s\n", visible);
    free(visible);
}

static void note_in_log(const struct worker_job *job)
{
    char when[32], host[256] = "";
    gethostname(host, sizeof host - 1);
    log_line(job, "%s attempt %d on %s, process %ld, edgewise %s\n", stamp(when), job->order->record.attempts + 1, host,
             (long)getpid(), ew_version());
}

static void note_end_in_log(const struct worker_job *job)
{
    static const char *const words[] = {[OUTCOME_DONE] = "done", [OUTCOME_FAILED] = "failed",
                                        [OUTCOME_RETRY] = "to be tried again",
                                        [OUTCOME_INTERRUPTED] = "interrupted, to be resumed"};
    bool unwanted = job->unwanted && job->end.outcome == OUTCOME_INTERRUPTED;
    const char *how = unwanted ? "ended early: cancelled, moved or over its time," : words[job->end.outcome];
    log_line(job, "%s after %.3f s%s%s\n", how, ewi_now() - job->begun, job->end.sentence[0] ? ": " : "",
             job->end.sentence);
}

/* The current folder is the job's, so that messages name files like the submitter does. */
static void run_job(struct worker_job *job)
{
    char case_name[EWI_NAME];
    ew_error error;
    note_in_log(job);
    job->begun = ewi_now();
    char *refusal = ewi_job_refusal(job->folder);
    if (refusal)
        refuse(job, EX_IOERR, refusal);
    else if (ewi_walk(job->folder, &job->order->limits, EWI_CHECK, NULL, &error) != EW_OK)
        refuse(job, EX_DATAERR, error.message);
    else if (ewi_job_case(job->folder, case_name, &error) != EW_OK)
        refuse(job, EX_NOINPUT, error.message);
    else
        run_with_settings(job, case_name);
    if (job->end.outcome == OUTCOME_RETRY)
        append_log_error(job);
    free(refusal);
    write_report(job);
    deliver(job);
    note_end_in_log(job);
}

/* ---- the worker -------------------------------------------------------------------------------------------------- */

/* The watcher decides when we end. If it dies, we end, too: nobody would publish our results. */
static void depend_on_watcher(void)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cli_catch_signals();
}

/* Redirects stdout and stderr to the descriptor, if it is open, and closes it. */
static void direct_to(int file)
{
    if (file >= 0) {
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
        close(file);
    }
}

/* Redirects stderr to the job's log, for messages of libraries, too. Returns the previous stderr. */
static int redirect(struct worker_job *job)
{
    int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    direct_to(ewi_job_log(job->folder, &job->unlogged));
    return saved;
}

static void enter_and_run(struct worker_job *job)
{
    if (fchdir(job->folder) == 0 && open_private(job))
        run_job(job);
    else
        end_with(job, OUTCOME_RETRY, EX_OSERR, "the worker cannot enter the job's folder, or its private one");
    cli_hide_folder(NULL);
    ewi_close(job->private);
}

static void run_in_process(struct worker_job *job)
{
    int saved = redirect(job);
    enter_and_run(job);
    fflush(stdout);
    direct_to(saved);
    if (chdir("/") != 0)
        job->end.leaves = true;
}

/* The thread has its own current folder, and so have the threads that write files for it. */
static void run_in_thread(struct worker_job *job)
{
    job->log = ewi_job_log(job->folder, &job->unlogged);
    cli_hear(write_to_log, job);
    enter_and_run(job);
    cli_hear(NULL, NULL);
    ewi_close(job->log);
    if (chdir("/") != 0)
        job->end.leaves = true;
}

/* One slot of a worker (watch.h). */
struct slot {
    int socket;
    size_t settings;
    char **setting;
    ew_ensemble *ensemble;
    ew_meshes *meshes;
    pthread_t thread;
};

static void serve(const struct slot *slot)
{
    struct worker_order *order = cli_allocate(sizeof *order);
    int descriptor[2];
    struct worker_report end = {.kind = WORKER_READY};
    report(slot->socket, &end);
    while (!end.leaves && !cli_caught_signal() && receive(slot->socket, order, descriptor)) {
        order->name[sizeof order->name - 1] = '\0';
        struct worker_job job = {.order = order, .settings = slot->settings, .setting = slot->setting,
                                 .folder = descriptor[0], .private = -1, .socket = slot->socket, .log = -1,
                                 .ensemble = slot->ensemble, .meshes = slot->meshes,
                                 .end = {.kind = WORKER_END}};
        if (slot->ensemble)
            run_in_thread(&job);
        else
            run_in_process(&job);
        /* The claim ends when the watcher closes its own descriptors. */
        close(descriptor[0]);
        close(descriptor[1]);
        end = job.end;
        report(slot->socket, &end);
    }
    close(slot->socket);
    free(order);
}

static void *serve_in_thread(void *argument)
{
    const struct slot *slot = argument;
    if (unshare(CLONE_FS) == 0) {
        serve(slot);
    } else {
        cli_error("a thread of the worker cannot have a current folder of its own: %s", strerror(errno));
        close(slot->socket);
    }
    return NULL;
}

static void serve_all(int count, const struct slot *same)
{
    static struct slot slot[MOST_PACKED];
    int started = 0;
    for (; started < count; started++) {
        slot[started] = *same;
        slot[started].socket = WORKER_SOCKET + started;
        if (!ewi_thread_start(&slot[started].thread, serve_in_thread, &slot[started]))
            break;
    }
    for (int k = started; k < count; k++)
        close(WORKER_SOCKET + k);
    for (int k = 0; k < started; k++)
        pthread_join(slot[k].thread, NULL);
}

int cmd_worker(int argc, char **argv)
{
    int count = argc > 0 ? (int)strtol(argv[0], NULL, 10) : 0;
    struct slot slot = {.socket = WORKER_SOCKET, .settings = (size_t)(argc - 1), .setting = argv + 1};
    if (count < 1 || count > MOST_PACKED)
        return EX_USAGE;
    depend_on_watcher();
    if (count > 1 && ew_ensemble_create(NULL, &slot.ensemble, NULL) != EW_OK)
        return EX_OSERR;
    if (ew_meshes_create(&cli_host, &slot.meshes, NULL) != EW_OK)
        return EX_OSERR;
    worker_warm_up(slot.settings, slot.setting, slot.ensemble);
    if (slot.ensemble) {
        cli_prepare_files();
        serve_all(count, &slot);
    } else {
        serve(&slot);
    }
    _exit(EX_OK); /* HDF5 may crash in its atexit function after a failed write */
}

/* ---- the command of --exec --------------------------------------------------------------------------------------- */

/*
 * Takes the lock of the job's command. A command on another host may outlive its watcher; the next attempt waits for
 * its end, however long that takes, because both do the same work. false: the lock cannot be taken.
 */
static bool wait_to_be_alone(int private)
{
    struct stat info;
    for (;;) {
        int lock = openat(private, EWI_RUNNER_FILE, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (lock < 0)
            return false;
        if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
            cli_error("an earlier attempt of this job is still running; waiting for its end");
            while (flock(lock, LOCK_EX) != 0)
                if (errno != EINTR)
                    return false;
        }
        if (fstat(lock, &info) == 0 && info.st_nlink > 0)
            return true; /* the lock is held until the process ends */
        close(lock);
    }
}

static int run_first_rank(struct worker_job *job)
{
    if (!wait_to_be_alone(job->private))
        return cli_fail(EX_TEMPFAIL, "cannot lock %s in the job's private folder: %s", EWI_RUNNER_FILE,
                        strerror(errno));
    if (ewi_job_left(&(struct ewi_job){.private = job->private}) != EWI_LEFT_UNFINISHED)
        return cli_fail(EX_OK, "the earlier attempt has finished this job");
    cli_catch_signals();
    run_job(job);
    return has_ended(job) ? job->end.exit_code : EX_TEMPFAIL;
}

/* Runs a rank other than 0. It reports to rank 0 if it cannot read the job. */
static int run_other_rank(struct worker_job *job)
{
    char case_name[EWI_NAME];
    ew_error error;
    int status = ewi_job_case(job->folder, case_name, &error);
    if (status == EW_OK)
        status = try_with_settings(job, case_name, &error);
    while (status != EW_OK && ew_comm_next(job->comm))
        ew_comm_agree(job->comm, status, &error);
    return EX_OK;
}

static int run_in_ranks(struct worker_job *job)
{
    ew_error error;
    if (ew_comm_launched() > 1 && ew_comm_create(&cli_host, &job->comm, &error) != EW_OK)
        return cli_fail(EX_TEMPFAIL, "%s", error.message);
    bool leads = !job->comm || ew_comm_rank(job->comm) == 0;
    if (leads)
        (void)redirect(job);
    int code = leads ? run_first_rank(job) : run_other_rank(job);
    ew_comm_destroy(job->comm);
    if (leads)
        unlinkat(job->private, EWI_RUNNER_FILE, 0);
    return code;
}

int cmd_job(int argc, char **argv)
{
    static struct worker_order order;
    struct worker_job job = {.order = &order, .socket = -1, .log = -1, .end = {.kind = WORKER_END}};
    if (argc < 5 || strlen(argv[1]) >= sizeof order.name)
        return EX_USAGE;
    memcpy(order.name, argv[1], strlen(argv[1]) + 1);
    order.limits = (struct ewi_limits){.files = strtoll(argv[2], NULL, 10), .bytes = strtoll(argv[3], NULL, 10)};
    order.report = strcmp(argv[4], "report") == 0;
    job.folder = open(argv[0], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (job.folder < 0 || fchdir(job.folder) != 0 || !open_private(&job))
        return cli_fail(EX_TEMPFAIL, "cannot enter the job's folder %s, or its private one: %s", argv[0],
                        strerror(errno));
    ewi_record_read(job.private, &order.record);
    job.settings = (size_t)(argc - 5);
    job.setting = argv + 5;
    int code = run_in_ranks(&job);
    fflush(NULL);
    _exit(code);
}
