/* SPDX-License-Identifier: BSD-2-Clause */
/* Publishes the service's state: status.json, a text file for Prometheus, systemd's status line. */
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum { CHOICES_TRIED = 1000 };

/* ---- locks of watchers ------------------------------------------------------------------------------------------- */

/*
 * Creates a lock file and locks it before others can open it. Everybody may test the lock, but only the service's user
 * can take it. 0, or errno.
 */
static int publish_lock(int state, int number, int *lock)
{
    char name[64], temporary[80];
    mode_t mask = umask(0);
    umask(mask);
    watch_lock_name(number, name);
    snprintf(temporary, sizeof temporary, ".%s", name);
    unlinkat(state, temporary, 0); /* left by a killed watcher */
    *lock = openat(state, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int reason = *lock < 0 ? errno : ewi_file_lock(*lock, F_WRLCK);
    if (reason == 0 && (fchmod(*lock, 0644 & ~mask) != 0 || renameat(state, temporary, state, name) != 0))
        reason = errno;
    if (reason != 0)
        ewi_close(*lock);
    return reason;
}

/* Takes a lock against watchers that start at the same time; -1 with errno. */
static int lock_choice(int state)
{
    int guard = -1;
    for (int k = 0; (guard = ewi_lock_file(state, "watch.lock")) < 0 && errno == EWOULDBLOCK && k < CHOICES_TRIED; k++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    return guard;
}

/* Takes the first free number. It is part of the names of the watcher's files. 0, or errno. */
int watch_choose_instance(struct watch *watch)
{
    int state = watch->spool.place[EWI_STATE], number = 1, guard = lock_choice(state);
    if (guard < 0)
        return errno;
    while (number <= MOST_WATCHERS && watch_is_alive(state, number))
        number++;
    watch->instance = number;
    int reason = number > MOST_WATCHERS ? EBUSY : publish_lock(state, number, &watch->instance_lock);
    close(guard);
    return reason;
}

/* ---- status ------------------------------------------------------------------------------------------------------ */

static const char *state_word(const struct watch *watch)
{
    return watch->stopping ? "stopping" : watch->paused_for[0] ? "paused" : watch->draining ? "draining" : "running";
}

/* Estimated seconds to the end of the job; NaN: unknown. */
static double time_left(const struct worker *worker)
{
    double done = worker->fraction - worker->first_fraction;
    return done > 0 ? (worker->reported - worker->first_reported) * (1 - worker->fraction) / done : NAN;
}

static void put_worker(struct cli_json *json, const struct worker *worker)
{
    static const char *const words[] = {[WORKER_ABSENT] = "absent", [WORKER_STARTING] = "starting",
                                        [WORKER_IDLE] = "idle", [WORKER_BUSY] = "busy"};
    bool busy = worker->state == WORKER_BUSY;
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "state", words[worker->state]);
    cli_json_integer(json, "pid", worker->pid);
    cli_json_text(json, "job", busy ? worker->job.name : NULL);
    cli_json_number(json, "started", busy ? worker->begun_at : NAN);
    cli_json_number(json, "attempt", busy ? worker->job.record.attempts + 1 : NAN);
    cli_json_number(json, "fraction", busy ? worker->fraction : NAN);
    cli_json_number(json, "time", busy ? worker->time : NAN);
    cli_json_number(json, "step", busy ? (double)worker->step : NAN);
    cli_json_number(json, "gdof_stage_per_s", busy ? 1e-9 * worker->rate : NAN);
    cli_json_number(json, "left_s", busy ? time_left(worker) : NAN);
    cli_json_close(json, '}');
}

static void put_status(FILE *file, const struct watch *watch)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    struct cli_json whole = cli_json_begin(file), *json = &whole;
    cli_json_text(json, "version", ew_version());
    cli_json_text(json, "host", host);
    cli_json_integer(json, "pid", (int64_t)getpid());
    cli_json_text(json, "spool", watch->spool.path);
    cli_json_text(json, "state", state_word(watch));
    cli_json_text(json, "reason", watch->paused_for[0] ? watch->paused_for : NULL);
    cli_json_number(json, "since", watch->since);
    cli_json_number(json, "time", ewi_now());
    cli_json_integer(json, "waiting", (int64_t)watch->queue.list.count);
    cli_json_bool(json, "more_waiting", watch->queue.list.truncated);
    cli_json_open(json, "count", '{');
    cli_json_integer(json, "done", watch->counts.done);
    cli_json_integer(json, "failed", watch->counts.failed);
    cli_json_integer(json, "retried", watch->counts.retried);
    cli_json_integer(json, "interrupted", watch->counts.interrupted);
    cli_json_integer(json, "adopted", watch->counts.adopted);
    cli_json_integer(json, "worker_deaths", watch->counts.deaths);
    cli_json_close(json, '}');
    cli_json_open(json, "workers", '[');
    for (int k = 0; k < watch->workers; k++)
        put_worker(json, &watch->worker[k]);
    cli_json_close(json, ']');
    cli_json_end(json);
}

static void put_metric(FILE *file, const char *name, const char *type, const char *help, double value)
{
    fprintf(file, "# HELP edgewise_spool_%s %s\n# TYPE edgewise_spool_%s %s\nedgewise_spool_%s %.17g\n", name, help,
            name, type, name, value);
}

static void put_metrics(FILE *file, const struct watch *watch)
{
    static const char *const result[] = {"done", "failed", "retried", "interrupted"};
    const struct watch_counts *counts = &watch->counts;
    const int64_t count[] = {counts->done, counts->failed, counts->retried, counts->interrupted};
    struct statvfs room;
    fprintf(file,
            "# HELP edgewise_spool_jobs_total Attempts that ended, by their result.\n"
            "# TYPE edgewise_spool_jobs_total counter\n");
    for (int k = 0; k < 4; k++)
        fprintf(file, "edgewise_spool_jobs_total{result=\"%s\"} %lld\n", result[k], (long long)count[k]);
    put_metric(file, "waiting", "gauge", "Jobs known to wait in new/.", (double)watch->queue.list.count);
    put_metric(file, "running", "gauge", "Jobs that run.", watch_busy_workers(watch));
    put_metric(file, "workers", "gauge", "Jobs that can run at a time (--jobs times --pack).",
               watch->workers);
    put_metric(file, "adopted_total", "counter", "Jobs taken over from watchers that died.", (double)counts->adopted);
    put_metric(file, "worker_deaths_total", "counter", "Workers that died.", (double)counts->deaths);
    put_metric(file, "run_seconds_total", "counter", "Run time of the jobs done, in seconds.", counts->run_seconds);
    put_metric(file, "queue_seconds_total", "counter", "Waiting time of the jobs done, in seconds.",
               counts->queue_seconds);
    put_metric(file, "paused", "gauge", "1 while no jobs are taken, for example because the disk is full.",
               watch->paused_for[0] != 0);
    put_metric(file, "longest_turn_seconds", "gauge", "Longest time that the watcher's loop was busy without a pause.",
               watch->longest_turn);
    put_metric(file, "start_time_seconds", "gauge", "When the watcher started.", watch->since);
    put_metric(file, "last_update_seconds", "gauge", "When this was written.", ewi_now());
    if (fstatvfs(watch->spool.root, &room) == 0)
        put_metric(file, "disk_free_bytes", "gauge", "Free bytes on the spool's file system.",
                   (double)room.f_bavail * (double)room.f_frsize);
}

/* Does not sync to disk: nobody needs these files after a power loss. Ignores errors: claims report a full disk. */
static void write_status_file(const struct watch *watch, const char *base, const char *extension,
                              void (*put)(FILE *file, const struct watch *watch))
{
    char *text = NULL, name[64];
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file)
        return;
    put(file, watch);
    watch_file_name(watch->instance, base, extension, name);
    if (fclose(file) == 0)
        (void)ewi_write_file(watch->spool.place[EWI_STATE], name, text, length, false);
    free(text);
}

void watch_write_status(struct watch *watch)
{
    write_status_file(watch, "status", "json", put_status);
    write_status_file(watch, "edgewise", "prom", put_metrics);
    char line[256];
    snprintf(line, sizeof line, "STATUS=%s: %d running, %zu waiting, %lld done, %lld failed", state_word(watch),
             watch_busy_workers(watch), watch->queue.list.count, (long long)watch->counts.done,
             (long long)watch->counts.failed);
    watch_notify(line);
    watch->status_changed = false;
    watch->page_changed = true;
}

void watch_remove_status(struct watch *watch)
{
    char name[64];
    watch_file_name(watch->instance, "status", "json", name);
    unlinkat(watch->spool.place[EWI_STATE], name, 0);
    watch_lock_name(watch->instance, name);
    unlinkat(watch->spool.place[EWI_STATE], name, 0);
    ewi_close(watch->instance_lock);
}
