/* SPDX-License-Identifier: BSD-2-Clause */
/* "edgewise watch": the service's loop, and the starts of its jobs. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* ppoll */
#endif
#include "watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sysexits.h>
#include <unistd.h>

#define RECOVER_SECONDS 10.0   /* between two searches for jobs of dead watchers */
#define STATUS_SECONDS 1.0     /* least time between two status files */
#define LAST_SCAN_SECONDS 0.3  /* after this idle time, a drained spool is left to other watchers */
#define BLIND_POLL_SECONDS 1.0 /* without inotify */
#define BUSY_SECONDS 0.005     /* while another watcher takes in a case */

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t stop_signals, drain_signals, reread_signals;

static void on_signal(int number)
{
    if (number == SIGTERM || number == SIGINT)
        stop_signals += cli_signal_counts();
    else if (number == SIGUSR1)
        drain_signals++;
    else if (number == SIGHUP)
        reread_signals++;
}

/* Blocks signals except while the loop waits; returns the mask for that. */
static sigset_t take_signals(void)
{
    static const int ours[] = {SIGTERM, SIGINT, SIGUSR1, SIGHUP, SIGCHLD};
    sigset_t blocked, before;
    sigemptyset(&blocked);
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++) {
        struct sigaction action = {.sa_handler = on_signal};
        sigaction(ours[k], &action, NULL);
        sigaddset(&blocked, ours[k]);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
        sigdelset(&before, ours[k]);
    return before;
}

/* ---- the spool itself -------------------------------------------------------------------------------------------- */

static void spool_is_gone(struct watch *watch, const char *folder)
{
    watch_event(WATCH_ERROR, "spool-gone", NULL, "spool=%s folder=%s", watch_quoted(watch->spool.path),
                watch_quoted(folder));
    watch->failed = true;
}

/* Stops if a folder was removed or replaced: our descriptor would stay valid, but nobody else sees that folder. */
static void check_spool(struct watch *watch)
{
    struct stat ours, there;
    for (int place = 0; place < EWI_PLACES && !watch->failed; place++) {
        const char *name = ewi_place_name[place];
        if (fstat(watch->spool.place[place], &ours) != 0 || fstatat(watch->spool.root, name, &there, 0) != 0 ||
            ours.st_dev != there.st_dev || ours.st_ino != there.st_ino)
            spool_is_gone(watch, name);
    }
}

/* ---- jobs of dead watchers --------------------------------------------------------------------------------------- */

/* Until an interrupted intake is completed, no other dropped case can be claimed. */
static void recover_intake(struct watch *watch)
{
    if (!ewi_intake_is_left(&watch->spool))
        return;
    if (!watch_has_helper(watch, HELPER_INTAKE))
        (void)watch_start_helper(watch, HELPER_INTAKE);
    watch->recover_at = ewi_seconds() + WATCH_YOUNG_SECONDS;
    watch->unsettled = true;
}

static void recover(struct watch *watch)
{
    watch->recover_at = ewi_seconds() + RECOVER_SECONDS;
    watch->unsettled = !watch_has_descriptors(); /* without descriptors, jobs cannot be opened */
    watch->others = 0;
    check_spool(watch);
    if (watch->unsettled)
        return;
    recover_intake(watch);
    DIR *entries = ewi_open_entries(watch->spool.place[EWI_RUN]);
    for (const char *name; (name = ewi_next_entry(&entries));)
        watch_adopt(watch, name);
}

/* ---- room for another job ---------------------------------------------------------------------------------------- */

static bool has_room(const struct watch *watch)
{
    struct statvfs room;
    return watch->settings.limits.free == 0 || fstatvfs(watch->spool.root, &room) != 0 || room.f_blocks == 0 ||
           (double)room.f_bavail * (double)room.f_frsize >= (double)watch->settings.limits.free;
}

static bool may_claim(struct watch *watch)
{
    if (watch->stopping || ewi_seconds() < watch->paused_until)
        return false;
    if (!has_room(watch)) {
        char sentence[128], bytes[32];
        snprintf(sentence, sizeof sentence, "less than %s are free on the spool's file system (--min-free)",
                 ewi_bytes_in_words((double)watch->settings.limits.free, bytes, sizeof bytes));
        watch_pause(watch, sentence);
        return false;
    }
    if (!watch_has_descriptors()) {
        watch_pause(watch, "the watcher has no free file descriptors for another job");
        return false;
    }
    if (watch->paused_for[0]) {
        watch->paused_for[0] = '\0';
        watch->status_changed = true;
        watch_event(WATCH_INFO, "resumed", NULL, "%s", "");
    }
    return true;
}

/* ---- claims ------------------------------------------------------------------------------------------------------ */

/* Checks the job's name and mesh; its worker checks the contents. Writes the reason for a refusal to `sentence`. */
static bool is_refused(const struct watch *watch, const struct ewi_waiting *waiting, char sentence[EWI_SENTENCE])
{
    char base[EWI_NAME];
    const char *name = waiting->kind == EWI_CASE ? ewi_case_base(waiting->name, base) : waiting->name;
    if (!ewi_spool_good_name(name, sentence))
        return true;
    if (waiting->no_mesh)
        snprintf(sentence, EWI_SENTENCE,
                 "the case names a mesh that is not a file *.msh; in new/, put such a mesh and its case into a folder");
    else if (waiting->late_mesh)
        snprintf(sentence, EWI_SENTENCE,
                 "the mesh \"%s\" did not come into new/ within %.6g s after its case (--mesh-wait)", waiting->mesh,
                 watch->settings.mesh_wait);
    return waiting->no_mesh || waiting->late_mesh;
}

static void begin(struct watch *watch, const struct ewi_waiting *waiting, struct ewi_job *job)
{
    char sentence[EWI_SENTENCE];
    ew_error error;
    watch->counts.claimed++;
    if (watch_end_if_over(watch, job))
        return;
    int status = ewi_job_begin(&watch->spool, job, &error);
    if (status == EW_ECREATE) {
        watch_job_refused(watch, job, EX_CANTCREAT, error.message);
    } else if (status != EW_OK) {
        watch_leave_behind(watch, job, error.message);
        watch_pause(watch, error.message);
    } else if (is_refused(watch, waiting, sentence)) {
        watch_job_refused(watch, job, EX_DATAERR, sentence);
    } else if (!watch_worker_for(watch, job)) { /* the record changed after the scanner read it */
        watch_job_waits(watch, job);
    } else {
        watch_event(WATCH_INFO, "started", job->name, "attempt=%d priority=%d wait_s=%.3f", job->record.attempts + 1,
                    waiting->priority, job->record.submitted > 0 ? fmax(ewi_now() - job->record.submitted, 0) : 0);
        watch_assign(watch, watch_worker_for(watch, job), job);
    }
}

/* Each scan finds the entries again that we may not rename; the log mentions them once. */
static bool is_first_report(struct watch *watch, const char *name, int reason)
{
    struct stat info;
    if ((reason != EACCES && reason != EPERM) ||
        fstatat(watch->spool.place[EWI_NEW], name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return true;
    return ewi_queue_report_once(&watch->queue, info.st_ino, ewi_seconds_of(info.st_ctim));
}

static void claim_failed(struct watch *watch, const struct ewi_waiting *waiting, int reason, const char *sentence)
{
    if (is_first_report(watch, waiting->name, reason))
        watch_event(WATCH_ERROR, "claim", waiting->name, "error=%s", watch_quoted(sentence));
    if (reason == ENOSPC || reason == EDQUOT || reason == EIO || reason == EROFS || reason == ENFILE)
        watch_pause(watch, sentence);
    watch->recover_at = fmin(watch->recover_at, ewi_seconds() + watch_first_pause(watch));
}

/* false: another intake is in progress; wait before the next claim. */
static bool claim(struct watch *watch, struct ewi_waiting *waiting)
{
    struct ewi_job job;
    ew_error error = {0};
    errno = 0;
    int status = waiting->kind == EWI_FOLDER
                     ? ewi_claim_folder(&watch->spool, EWI_NEW, waiting->name, &job, &error)
                     : ewi_claim_case(&watch->spool, EWI_NEW, waiting->name, waiting->mesh, waiting->shared_mesh, &job,
                                    &error);
    if (status == EWI_BUSY) {
        recover_intake(watch);
        ewi_queue_consider(&watch->queue, waiting->name, true);
    } else if (status < 0) {
        claim_failed(watch, waiting, errno, error.message);
    } else if (status == EW_OK) {
        if (waiting->mesh) /* a new link may have changed the file's ctime, but the file is complete */
            ewi_queue_consider(&watch->queue, waiting->mesh, true);
        begin(watch, waiting, &job);
    }
    return status != EWI_BUSY;
}

/* Begins a scan; the scanner inspects the entries while the loop continues. */
static void scan(struct watch *watch)
{
    ew_error error;
    double period = watch->inotify >= 0 ? watch->settings.poll : fmin(watch->settings.poll, BLIND_POLL_SECONDS);
    watch->scan_at = ewi_seconds() + period;
    if (watch->queue.entries)
        return;
    if (ewi_queue_begin_scan(&watch->queue, &error) != EW_OK)
        watch_event(WATCH_ERROR, "scan", NULL, "error=%s", watch_quoted(error.message));
    watch->status_changed = true;
}

static bool has_free_slot(const struct watch *watch)
{
    return watch_idle_worker(watch, false) || watch_idle_worker(watch, true);
}

/* A cancelled job needs no slot. */
static bool may_take(struct watch *watch)
{
    return (has_free_slot(watch) || ewi_queue_next_is_cancelled(&watch->queue)) && watch_may_deliver(watch) &&
           may_claim(watch);
}

/* A job that must run alone waits until a process is empty; jobs for other processes overtake it. */
static bool next_job(struct watch *watch, struct ewi_waiting *next)
{
    watch->reserves = watch->settings.pack > 1 && ewi_queue_next_is_alone(&watch->queue);
    return (has_free_slot(watch) || ewi_queue_next_is_cancelled(&watch->queue)) &&
           ewi_queue_next(&watch->queue, watch_idle_worker(watch, true) != NULL, next);
}

/* true: another watcher's intake prevented a claim. */
static bool take_jobs(struct watch *watch)
{
    struct ewi_waiting next;
    while (may_take(watch)) {
        if (!next_job(watch, &next)) {
            if (watch->queue.list.truncated && !watch->queue.entries)
                scan(watch);
            return false;
        }
        bool claimed = claim(watch, &next);
        ewi_waiting_free(&next);
        if (!claimed)
            return true;
    }
    return false;
}

/* ---- new/ -------------------------------------------------------------------------------------------------------- */

static void open_inotify(struct watch *watch)
{
    char path[64];
    watch->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    snprintf(path, sizeof path, "/proc/self/fd/%d", watch->spool.place[EWI_NEW]);
    if (watch->inotify >= 0)
        watch->new_watch = inotify_add_watch(watch->inotify, path,
                                             IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ATTRIB | IN_UNMOUNT |
                                                 IN_ONLYDIR);
    snprintf(path, sizeof path, "/proc/self/fd/%d", watch->spool.root);
    if (watch->new_watch >= 0) /* removal of new/ and the other folders */
        (void)inotify_add_watch(watch->inotify, path, IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR);
    if (watch->inotify >= 0 && watch->new_watch < 0) {
        close(watch->inotify);
        watch->inotify = -1;
    }
    if (watch->inotify < 0)
        watch_event(WATCH_WARNING, "no-inotify", NULL, "poll_s=%.1f", fmin(watch->settings.poll, BLIND_POLL_SECONDS));
}

static void read_events(struct watch *watch)
{
    char buffer[65536] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t got = read(watch->inotify, buffer, sizeof buffer);
    for (char *at = buffer; got > 0 && at < buffer + got;) {
        const struct inotify_event *event = (const struct inotify_event *)(void *)at;
        at += sizeof *event + event->len;
        if (event->mask & IN_Q_OVERFLOW) {
            watch->scan_at = 0;
        } else if (event->mask & IN_UNMOUNT) {
            spool_is_gone(watch, ewi_place_name[EWI_NEW]);
        } else if (event->wd != watch->new_watch) {
            check_spool(watch);
        } else if (event->len > 0) {
            ewi_queue_consider(&watch->queue, event->name, (event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) != 0);
        }
    }
    watch->status_changed = true;
}

static void report_stray(void *context, const char *name, const char *sentence)
{
    (void)context;
    watch_event(WATCH_WARNING, "left-alone", NULL, "file=%s reason=%s", watch_quoted(name), watch_quoted(sentence));
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static void use_settings(struct watch *watch)
{
    watch->settings = watch->options.settings;
    watch->settings.exec = watch->exec;
    watch->queue.inspector.settle = watch->settings.settle;
    watch->queue.inspector.mesh_wait = watch->settings.mesh_wait;
    watch_stop_scanner(watch); /* the next one inherits the settings */
}

/* Does not change the number or kind of processes. A file with an error has no effect. */
static void reread(struct watch *watch)
{
    struct watch_options options;
    struct watch_settings before = watch->settings;
    watch->scan_at = watch->recover_at = 0;
    watch_notify("RELOADING=1");
    if (watch_read_options(&watch->spool, watch->arguments, &options) == EX_OK) {
        options.settings.jobs = before.jobs;
        options.settings.pack = before.pack;
        watch_free_options(&watch->options);
        watch->options = options;
        use_settings(watch);
        watch_renew_workers(watch);
        watch_event(WATCH_INFO, "reread", NULL, "file=%s", watch_quoted(WATCH_OPTIONS_FILE));
    } else {
        watch_event(WATCH_ERROR, "reread", NULL, "error=%s", watch_quoted("there is an error in " WATCH_OPTIONS_FILE));
    }
    watch_notify("READY=1");
}

static void begin_stop(struct watch *watch)
{
    bool again = watch->stopping;
    watch->stopping = true;
    if (!again)
        watch->stop_until = ewi_seconds() + watch->settings.grace;
    watch_event(WATCH_INFO, again ? "stopping-at-once" : "stopping", NULL, "running=%d", watch_busy_workers(watch));
    watch_notify("STOPPING=1");
    watch_stop_workers(watch, again);
    watch->status_changed = true;
}

static void handle_signals(struct watch *watch)
{
    static sig_atomic_t stops, drains, rereads;
    if (stops != stop_signals || (watch->failed && !watch->stopping)) {
        stops = stop_signals;
        begin_stop(watch);
    }
    if (drains != drain_signals) {
        drains = drain_signals;
        watch->draining = true;
        watch->status_changed = true;
        watch_event(WATCH_INFO, "draining", NULL, "%s", "");
    }
    if (rereads != reread_signals) {
        rereads = reread_signals;
        reread(watch);
    }
}

/*
 * A spool is drained when no job waits and none of our processes works. Other watchers finish their own jobs, but one
 * of them may be about to die, so we check once more a little later.
 */
static bool is_drained(struct watch *watch)
{
    bool works = watch_busy_workers(watch) > 0 || watch_has_helper(watch, HELPER_DELIVER) ||
                 watch_has_helper(watch, HELPER_CLEAN);
    if (!watch->draining || watch->unsettled || works || watch->queue.list.count > 0 ||
         watch->queue.list.truncated || watch_is_asking(watch)) {
        watch->drained_at = 0;
        return false;
    }
    double now = ewi_seconds();
    if (watch->others > 0 && watch->drained_at <= 0) {
        watch->drained_at = now;
        watch->recover_at = fmin(watch->recover_at, now + LAST_SCAN_SECONDS);
    }
    return watch->others == 0 || now >= watch->drained_at + LAST_SCAN_SECONDS;
}

static bool is_finished(struct watch *watch)
{
    return watch->stopping ? watch_workers_gone(watch) && !watch_has_helper(watch, HELPER_DELIVER) : is_drained(watch);
}

static void sync_run(struct watch *watch)
{
    (void)ewi_sync(watch->spool.place[EWI_RUN]); /* done/ is safe even if this fails */
    watch->run_changed = false;
}

/* Performs all tasks that are due. */
static void tend(struct watch *watch)
{
    double now = ewi_seconds();
    watch_reap(watch);
    watch_reap_helpers(watch);
    watch_tend_scanner(watch);
    watch_tend_workers(watch);
    if (!watch->stopping && now >= watch->recover_at)
        recover(watch);
    if (!watch->stopping && now >= watch->scan_at)
        scan(watch);
    if (watch->stopping && now >= watch->stop_until) {
        watch->stop_until = INFINITY;
        watch_stop_workers(watch, true);
        watch_stop_helpers(watch);
    }
    if (watch->run_changed && now >= watch->sync_at)
        sync_run(watch);
    watch_tend_page(watch);
    if (now >= watch->watchdog_at) {
        watch_notify("WATCHDOG=1");
        watch->watchdog_at = now + watch_watchdog_seconds() / 3;
    }
}

static double next_wake(const struct watch *watch, bool others_are_busy)
{
    double now = ewi_seconds(), wake = fmin(watch_workers_wake(watch), watch->watchdog_at);
    if (watch->stopping)
        return fmin(wake, watch->stop_until);
    if (watch->failed)
        return now;
    wake = fmin(wake, fmin(fmin(watch->scan_at, watch->recover_at), watch_scanner_wake(watch)));
    if (watch->run_changed)
        wake = fmin(wake, watch->sync_at);
    if (watch->status_changed)
        wake = fmin(wake, watch->status_at);
    wake = fmin(wake, watch_page_wake(watch));
    if (others_are_busy)
        wake = fmin(wake, now + BUSY_SECONDS);
    else if (now < watch->paused_until)
        wake = fmin(wake, watch->paused_until);
    else if (has_free_slot(watch))
        wake = fmin(wake, ewi_queue_wake(&watch->queue, watch_idle_worker(watch, true) != NULL));
    return wake;
}

static void wait_for_events(struct watch *watch, const sigset_t *mask, double until)
{
    size_t count = 0;
    struct pollfd *polled = cli_allocate(((size_t)watch->workers + 2) * sizeof *polled);
    for (int k = 0; k < watch->workers; k++)
        polled[count++] = (struct pollfd){.fd = watch->worker[k].socket, .events = POLLIN};
    polled[count++] = (struct pollfd){.fd = watch->scanner.socket, .events = POLLIN};
    polled[count++] = (struct pollfd){.fd = watch->inotify, .events = POLLIN};
    if (watch->awake_since > 0)
        watch->longest_turn = fmax(watch->longest_turn, ewi_seconds() - watch->awake_since);
    double seconds = fmin(fmax(until - ewi_seconds(), 0), 3600);
    struct timespec timeout = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * fmod(seconds, 1.0))};
    int ready = ppoll(polled, (nfds_t)count, &timeout, mask);
    watch->awake_since = ewi_seconds();
    for (int k = 0; ready > 0 && k < watch->workers; k++)
        if (polled[k].revents)
            watch_read_reports(watch, &watch->worker[k]);
    if (ready > 0 && polled[count - 2].revents)
        watch_read_answers(watch);
    if (ready > 0 && polled[count - 1].revents)
        read_events(watch);
    free(polled);
}

static void write_status_if_due(struct watch *watch)
{
    double now = ewi_seconds();
    if (!watch->status_changed || now < watch->status_at)
        return;
    watch->status_at = now + STATUS_SECONDS;
    watch_write_status(watch);
}

static void loop(struct watch *watch, const sigset_t *mask)
{
    (void)watch_start_helper(watch, HELPER_CLEAN);
    recover(watch);
    scan(watch);
    if (watch->settings.once || watch->settings.drain)
        watch->draining = true;
    watch_notify("READY=1");
    for (;;) {
        tend(watch);
        bool busy = take_jobs(watch);
        watch_send_questions(watch);
        if (is_finished(watch))
            break;
        write_status_if_due(watch);
        wait_for_events(watch, mask, next_wake(watch, busy));
        handle_signals(watch);
    }
}

static int prepare(const struct watch_arguments *arguments, struct watch *watch)
{
    ew_error error;
    if (ewi_spool_open(arguments->common.case_path, arguments->init, &watch->spool, &error) != EW_OK ||
        ewi_queue_create(&watch->spool, &watch->queue, &error) != EW_OK)
        return cli_fail(error.code == EW_ECREATE ? EX_CANTCREAT : EX_NOINPUT, "%s", error.message);
    int code = watch_read_options(&watch->spool, arguments, &watch->options);
    if (code != EX_OK)
        return code;
    watch->arguments = arguments;
    if (watch->options.settings.exec)
        watch->exec = cli_copy(watch->options.settings.exec);
    use_settings(watch);
    code = watch_check_limits(&watch->settings);
    if (code != EX_OK)
        return code;
    watch->queue.report = report_stray;
    if (watch->settings.once)
        watch->queue.before = watch->since;
    int reason = watch_choose_instance(watch);
    if (reason == 0)
        return EX_OK;
    return cli_fail(EX_CANTCREAT,
                    "cannot lock a file in %s/state: %s; a spool needs a writable file system with locks",
                    watch->spool.path, strerror(reason));
}

static int watch_spool(struct cli_arguments *arguments)
{
    struct watch watch = {
        .inotify = -1, .instance_lock = -1, .since = ewi_now(), .stop_until = INFINITY, .scanner = {.socket = -1}};
    watch.spool.root = -1;
    umask(umask(0) | S_IWOTH); /* at most the service's group may write its files */
    int code = prepare((const struct watch_arguments *)arguments, &watch);
    if (code == EX_OK) {
        sigset_t mask = take_signals();
        watch.watchdog_at = watch_watchdog_seconds() > 0 ? 0 : INFINITY;
        watch_event(WATCH_INFO, "watching", NULL, "spool=%s jobs=%d pid=%ld version=%s", watch_quoted(watch.spool.path),
                    watch.settings.jobs, (long)getpid(), ew_version());
        open_inotify(&watch);
        watch_start_workers(&watch);
        loop(&watch, &mask);
        watch.stopping = true;
        watch_stop_workers(&watch, true);
        watch_stop_helpers(&watch);
        watch_stop_scanner(&watch);
        sync_run(&watch);
        watch_event(WATCH_INFO, "ended", NULL, "done=%lld failed=%lld", (long long)watch.counts.done,
                    (long long)watch.counts.failed);
        watch_write_status(&watch);
        watch_remove_status(&watch);
        watch_write_last_page(&watch);
        code = watch.failed ? EX_IOERR : EX_OK;
    }
    free(watch.worker);
    free(watch.stuck);
    if (watch.inotify >= 0)
        close(watch.inotify);
    ewi_queue_destroy(&watch.queue);
    watch_free_options(&watch.options);
    free(watch.exec);
    if (watch.spool.root >= 0)
        ewi_spool_close(&watch.spool);
    return code;
}

#define ARGUMENTS struct watch_arguments

static const struct cli_option options[] = {
    CLI_FLAG_OPTION("init", init, "make the folders of the spool that are missing"),
    CLI_FLAG_OPTION("once", once, "run the jobs that are there, with their retries, and stop"),
    CLI_FLAG_OPTION("drain", drain, "stop as soon as no job waits or runs"),
    CLI_WHOLE_OPTION("jobs", "N", jobs, 1, 1024,
                     "number of worker processes; the default is 1, or one for each GPU of --devices"),
    CLI_WHOLE_OPTION("pack", "N", pack, 1, MOST_PACKED,
                     "number of jobs that a worker runs at a time, as an ensemble; the default is 1"),
    CLI_TEXT_OPTION("devices", "all|K,...", devices, "spread the workers over these GPUs, by their numbers"),
    CLI_KEY_OPTION("backend", "auto|cuda|omp", "backend.name", "where to run, whatever the cases say"),
    CLI_DEVICE_OPTION,
    CLI_THREADS_OPTION("threads of a job on the CPU; the default divides the cores among the jobs"),
    CLI_SET_OPTION("set any key of every case; may be repeated"),
    CLI_WHOLE_OPTION("max-attempts", "N", max_attempts, 1, 1000,
                     "attempts at a job that fails for a reason that may pass; the default is 3"),
    CLI_TEXT_OPTION("retry-delay", "TIME", retry_delay,
                    "time before the second attempt, doubled for each further one; the default is 10"),
    CLI_TEXT_OPTION("timeout", "TIME", timeout,
                    "end a worker that completes no time step for this long; the default is 10m, 0 means never"),
    CLI_TEXT_OPTION("max-time", "TIME", max_time, "limit on the run time of a job; the default is no limit"),
    CLI_TEXT_OPTION("max-size", "BYTES", max_size, "limit on the total size of a job's files; the default is 64G"),
    CLI_WHOLE_OPTION("max-files", "N", max_files, 0, 1000000000,
                     "limit on the number of a job's files and folders; the default is 1000"),
    CLI_TEXT_OPTION("min-free", "BYTES", min_free,
                    "start no job while the file system has less free space; the default is 64M"),
    CLI_TEXT_OPTION("settle", "TIME", settle,
                    "time after which an unchanged file is complete, if its writer cannot be seen; the default is 2"),
    CLI_TEXT_OPTION("mesh-wait", "TIME", mesh_wait, "time within which a mesh must follow its case; the default is 60"),
    CLI_TEXT_OPTION("poll", "TIME", poll, "look at new/ at least this often; the default is 30"),
    CLI_TEXT_OPTION("grace", "TIME", grace,
                    "time for jobs to save their state after SIGTERM; the default is 60"),
    CLI_TEXT_OPTION("html", "none|status|reports", html,
                    "pages for browsers: of the spool, and with reports one of each job; the default is status"),
    CLI_TEXT_OPTION("reload", "TIME", reload, "time after which status.live.html reloads itself; the default is 10"),
    CLI_TEXT_OPTION("exec", "COMMAND", exec, "run each job by COMMAND SCRIPT, for example 'sbatch --wait'"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_watch = {
    .name = "watch",
    .operand = "SPOOL",
    .summary = "Run the jobs in a spool as a service",
    .text = "Results go to done/NAME/. A job that cannot be run goes to failed/NAME/, with the reason in error.txt.",
    .options = options,
    .size = sizeof(struct watch_arguments),
    .run = watch_spool,
};
