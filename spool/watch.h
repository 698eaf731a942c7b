/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The service. One process, the watcher, claims jobs, assigns them to workers and publishes the results. It never reads
 * a mesh or takes a time step. Workers are separate processes: a job that kills its worker only loses an attempt, and a
 * worker keeps its device warm from job to job. A worker may run several jobs at a time, as an ensemble: if it dies,
 * all of them return to the queue, and each runs alone before it is blamed.
 */
#ifndef EDGEWISE_WATCH_H
#define EDGEWISE_WATCH_H

#include "cases.h"
#include "service.h"
#include "ewi_spool.h"

#include <sys/types.h>

/* ---- settings (watch_options.c) ---------------------------------------------------------------------------------- */

struct watch_arguments {
    struct cli_arguments common;
    bool init, once, drain;
    const char *jobs, *timeout, *max_time, *max_attempts, *retry_delay, *max_size, *max_files, *min_free, *settle,
        *mesh_wait, *poll, *grace, *exec, *pack, *devices, *html, *reload;
};

enum { MOST_PACKED = 256 };

enum watch_html { HTML_NONE, HTML_STATUS, HTML_REPORTS }; /* each includes the previous ones */

struct watch_settings {
    enum watch_html html;
    double reload; /* seconds; 0: no page reloads itself */
    int jobs, pack; /* worker processes, and jobs that each of them runs at a time */
    int max_attempts;
    double timeout, max_time; /* seconds; 0: no limit */
    double retry_delay, settle, mesh_wait, poll, grace;
    struct ewi_limits limits;
    const char *exec; /* NULL: built-in workers */
    bool once, drain;
    size_t settings; /* "path.to.key=value", for every case */
    char **setting;
    int devices; /* GPUs that the workers share; 0: as the cases say */
    int device[CLI_MOST_DEVICES];
};

/*
 * The file watch.conf in the spool may set options, too, as lines "name = value"; the command line overrides them. 0,
 * or the exit code of a usage error after an error message.
 */
#define WATCH_OPTIONS_FILE "watch.conf"
struct watch_options {
    char **word; /* words of the file, NULL-terminated */
    struct watch_arguments all; /* of file and command line; texts point into them */
    struct watch_settings settings;
};
int watch_read_options(const struct ewi_spool *spool, const struct watch_arguments *arguments,
                       struct watch_options *options);
void watch_free_options(struct watch_options *options);
/* Reads "30", "5m" or "64M"; NULL leaves the value unchanged. 0, or a usage error. */
int watch_read_number(const char *option, const char *text, bool bytes, double *value);

/* ---- limits (watch_limits.c) ------------------------------------------------------------------------------------- */

/*
 * Raises the limit on descriptors, which workers inherit, and adapts the settings to the system. 0, or an exit code
 * after an error message.
 */
int watch_check_limits(struct watch_settings *settings);
/* Undoes this in a child that runs another program. */
void watch_restore_limits(void);
/* True if enough descriptors are free for a claim. */
bool watch_has_descriptors(void);

/* ---- events (watch_events.c) ------------------------------------------------------------------------------------- */

/* Writes one line to stderr: time=... level=... event=... job=... and the format's key=value pairs. */
enum watch_level { WATCH_INFO, WATCH_WARNING, WATCH_ERROR };
void watch_event(enum watch_level level, const char *event, const char *job, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The text in quotation marks, with escapes. The result is valid until the fourth next call. */
const char *watch_quoted(const char *text);

/* Sends a message such as "READY=1" to systemd if it started us. */
void watch_notify(const char *message);
/* systemd's watchdog interval, or 0. */
double watch_watchdog_seconds(void);

/* ---- workers (worker.c) ------------------------------------------------------------------------------------------ */

enum { WORKER_SOCKET = 3 }; /* the worker's first socket; the others follow */

/* A job sent to a worker, with the descriptors of its folder and lock. */
struct worker_order {
    char name[EWI_NAME];
    struct ewi_record record;
    struct ewi_limits limits;
    double claimed; /* seconds since 1970 */
    bool report;    /* write a report */
    bool last;      /* this is the last attempt */
};

enum worker_report_kind { WORKER_READY, WORKER_PROGRESS, WORKER_END };
enum worker_outcome {
    OUTCOME_DONE,        /* summary.json is written */
    OUTCOME_FAILED,      /* error.txt is written */
    OUTCOME_RETRY,       /* failed for a temporary reason */
    OUTCOME_INTERRUPTED, /* by SIGTERM */
};
struct worker_report {
    enum worker_report_kind kind;
    double time, fraction, rate; /* rate: as in ew_run_progress */
    int64_t step;
    /* WORKER_END only: */
    enum worker_outcome outcome;
    bool delivered; /* the results are in the job's folder and on disk */
    bool leaves;    /* the worker ends because its device or libraries may be broken */
    bool disk_full, device_lost; /* reasons for a retry */
    int exit_code;
    char sentence[EWI_SENTENCE];
};

/* The key's value in the last setting that has it, or NULL (worker_warm.c). */
const char *worker_setting(const char *key, size_t settings, char *const *setting);
/* Creates a GPU context and keeps it, if jobs will use one (worker_warm.c). `ensemble`: of the jobs, or NULL. */
void worker_warm_up(size_t settings, char *const *setting, ew_ensemble *ensemble);

/* ---- helpers (watch_helpers.c) ----------------------------------------------------------------------------------- */

/*
 * Helpers are processes for slow work of the watcher: delivering results if the worker could not, completing the intake
 * of a killed watcher, cleaning up, writing the page of the spool. Submitters control how long this takes.
 */
enum helper_kind { HELPER_NONE, HELPER_DELIVER, HELPER_INTAKE, HELPER_CLEAN, HELPER_PAGE };
struct helper {
    enum helper_kind kind;
    pid_t pid;
    double begun; /* ewi_seconds */
    /* HELPER_DELIVER only: */
    struct ewi_job job;
    bool last; /* last try: if the job's folder refuses the results, the job has failed */
    bool done, quiet; /* quiet: the log has enough of its errors */
    int exit_code; /* of a failed job */
    double seconds;
};
enum { MOST_HELPERS = 16 };

/* ---- the scanner (watch_scanner.c) ------------------------------------------------------------------------------- */

/* An entry of new/ that has killed or stalled two scanners in succession. */
struct deadly {
    ino_t inode;
    char name[EWI_NAME];
};
enum { MOST_DEADLY = 64 };

struct scanner {
    pid_t pid;                     /* 0: none */
    int socket;                    /* or -1 */
    size_t sent, entries;          /* questions sent and not answered; entries inspected so far */
    double answered, absent_until; /* ewi_seconds; answered: the last answer */
    char suspect[EWI_NAME];        /* the entry that may have killed the last scanner */
    struct deadly deadly[MOST_DEADLY];
    size_t deadly_count;           /* since the start; the array has the last ones */
};

/* ---- the watcher ------------------------------------------------------------------------------------------------- */

enum worker_state { WORKER_ABSENT, WORKER_STARTING, WORKER_IDLE, WORKER_BUSY };
/* Why a job is ended. KILL_SILENT: its whole process hangs, and the job that caused it is unknown. */
enum worker_kill { KILL_NOT, KILL_HUNG, KILL_TOO_LONG, KILL_SILENT, KILL_STOPPING };

/*
 * A slot for a job. settings.pack consecutive slots are the threads of one process, each with its own socket. A thread
 * that leaves waits until the jobs of the others have ended.
 */
struct worker {
    enum worker_state state;
    pid_t pid;  /* 0: none, or the thread has left the process */
    int socket; /* or -1 */
    bool alone; /* its job must not share the process */
    struct ewi_job job;
    double begun, reported; /* ewi_seconds: start of the job or of the process; last report */
    double begun_at;     /* start of the job, in seconds since 1970 */
    double time, fraction, rate;
    double first_fraction, first_reported; /* of the first report on the job */
    int64_t step;
    enum worker_kill kill;
    double asked_until;  /* ewi_seconds: deadline of a job that was asked to end; 0: it was not */
    double kill_at;      /* first slot only, ewi_seconds: when to kill the process; 0: never */
    bool killed;         /* first slot only */
    bool leaves, old;    /* old: end the worker when it is idle */
    double absent_until; /* ewi_seconds */
    int early_deaths;    /* consecutive deaths before it was ready */
};

/* A job in run/ that we cannot adopt, deliver or publish. We retry with growing delays. */
struct stuck {
    ino_t inode;
    int tries;
    double delay, until; /* of the next try; ewi_seconds */
};

struct watch_counts {
    int64_t claimed, done, failed, retried, interrupted, adopted, deaths;
    double run_seconds, queue_seconds; /* sums over done jobs */
};

struct watch {
    const struct watch_arguments *arguments; /* of the command line */
    struct watch_options options;
    struct watch_settings settings;
    char *exec; /* our copy of the option */
    struct ewi_spool spool;
    struct ewi_queue queue;
    struct worker *worker; /* [workers]: settings.jobs times settings.pack */
    int workers;
    struct helper helper[MOST_HELPERS];
    struct scanner scanner;
    struct stuck *stuck; /* [stuck_count], by inode */
    size_t stuck_count, stuck_room;
    struct watch_counts counts;
    int inotify, new_watch;
    int instance; /* 1 for the first watcher of the spool, 2, ... */
    int instance_lock;
    double since;                                            /* 1970 */
    double scan_at, recover_at, wanted_at, status_at, watchdog_at; /* ewi_seconds */
    double paused_until, pause; /* ewi_seconds; how long the last pause was */
    char paused_for[EWI_SENTENCE]; /* the reason; empty: not paused */
    bool reserves; /* one process is emptied for a job that must run alone */
    bool draining, stopping, status_changed;
    bool run_changed;  /* run/ must be synced to disk, */
    double sync_at;    /* at this time, by ewi_seconds */
    bool page_changed; /* the page of the spool is older than status.json */
    double page_at;    /* ewi_seconds: write the page no earlier */
    double stop_until; /* ewi_seconds */
    bool unsettled;    /* run/ may have jobs to adopt soon */
    int others;        /* jobs in run/ that have another owner */
    double drained_at; /* ewi_seconds: idle since then; 0: busy */
    bool failed;       /* it cannot continue */
    double awake_since, longest_turn; /* ewi_seconds; the longest time between two waits */
};

/* watch_workers.c */
void watch_start_workers(struct watch *watch);
void watch_stop_workers(struct watch *watch, bool at_once);
bool watch_workers_gone(const struct watch *watch);
/* An idle slot, or NULL. `alone`: in a process without other jobs. */
struct worker *watch_idle_worker(const struct watch *watch, bool alone);
/* An idle slot for this job, or NULL. A suspect job gets a process without other jobs. */
struct worker *watch_worker_for(struct watch *watch, const struct ewi_job *job);
int watch_busy_workers(const struct watch *watch);
/* Restarts workers for new settings: idle ones now, busy ones after their job. */
void watch_renew_workers(struct watch *watch);
/* Starts missing workers and ends hanging ones. watch_workers_wake: when to call this next, by ewi_seconds. */
void watch_tend_workers(struct watch *watch);
double watch_workers_wake(const struct watch *watch);
/* Gives the job to the worker; on failure, the job is interrupted. */
void watch_assign(struct watch *watch, struct worker *worker, struct ewi_job *job);
/* Reads a worker's reports, or handles its end. */
void watch_read_reports(struct watch *watch, struct worker *worker);
/* Handles the end of commands of --exec. */
void watch_reap(struct watch *watch);

#define WATCH_YOUNG_SECONDS 0.1 /* a younger claim may not have its lock yet */

/*
 * watch_jobs.c: the ends of jobs. Functions that get a job take over its descriptors; watch_end_if_over only if it
 * returns true.
 */
/* Adopts a job in run/ whose watcher is dead: publishes it if it has ended, or returns it to the queue. */
void watch_adopt(struct watch *watch, const char *name);
/* If the job has ended, was cancelled or moved away, publishes, ends or drops it, and returns true. */
bool watch_end_if_over(struct watch *watch, struct ewi_job *job);
void watch_job_done(struct watch *watch, struct ewi_job *job, double seconds, bool delivered);
void watch_job_failed(struct watch *watch, struct ewi_job *job, int exit_code, const char *sentence,
                      bool delivered); /* it has an error.txt */
/* Reaps helpers that have ended, and ends the jobs whose results they delivered. */
void watch_reap_helpers(struct watch *watch);
/* Leaves the job in run/ without a lock; a later scan adopts it. */
void watch_leave_behind(struct watch *watch, struct ewi_job *job, const char *sentence);
void watch_job_refused(struct watch *watch, struct ewi_job *job, int exit_code, const char *sentence); /* it has none */
void watch_job_retry(struct watch *watch, struct ewi_job *job, int exit_code, const char *sentence);
void watch_job_interrupted(struct watch *watch, struct ewi_job *job);
/* Returns the job to the queue because no worker is free for it. */
void watch_job_waits(struct watch *watch, struct ewi_job *job);
/* Claims no job for a while. Each pause is longer than the previous one, until a job succeeds. */
void watch_pause(struct watch *watch, const char *sentence);
/* The shortest pause, in seconds. */
double watch_first_pause(const struct watch *watch);

/* watch_helpers.c */
/* A new process of the watcher calls this first. It then handles signals by default. */
void watch_in_child(void);
/* The same for a helper process or scanner. It then ends with the watcher. */
void watch_in_helper(const struct watch *watch);
/* Kills a process of the watcher; returns its wait status. */
int watch_end_process(pid_t pid);
/* Takes over the job's descriptors. false: all slots are in use, or the process cannot be started. */
bool watch_deliver(struct watch *watch, const struct ewi_job *job, const struct helper *how);
/* false: all slots are in use, or the process cannot be started. */
bool watch_start_helper(struct watch *watch, enum helper_kind kind);
bool watch_has_helper(const struct watch *watch, enum helper_kind kind);
bool watch_may_deliver(const struct watch *watch); /* a slot is free */
/* Frees the slot of a helper that has ended, and gives its exit code. false: none has ended. */
bool watch_reap_helper(struct watch *watch, struct helper *ended, int *code);
void watch_stop_helpers(struct watch *watch);
/* Starts writing the page of the spool if it is due. watch_page_wake: when to call this next, by ewi_seconds. */
void watch_tend_page(struct watch *watch);
double watch_page_wake(const struct watch *watch);
/* Writes the last page and waits for it, within a limit. */
void watch_write_last_page(struct watch *watch);
bool watch_is_delivering(const struct watch *watch, const char *name);

/* watch_stuck.c */
/* NULL: the job is not stuck. Valid until the next call of watch_note_stuck or watch_drop_stuck. */
struct stuck *watch_find_stuck(const struct watch *watch, ino_t inode);
/* Counts a try that failed; each delay is twice the one before. */
const struct stuck *watch_note_stuck(struct watch *watch, ino_t inode, double first_delay);
void watch_drop_stuck(struct watch *watch, ino_t inode);
/* True if the log has the errors of so many tries that it needs no more. */
bool watch_is_quiet(const struct watch *watch, ino_t inode);

/* watch_scanner.c */
/* Sends the queue's questions, and continues a scan. */
void watch_send_questions(struct watch *watch);
void watch_read_answers(struct watch *watch);
/* Ends a hanging scanner. watch_scanner_wake: when to call this next, by ewi_seconds. */
void watch_tend_scanner(struct watch *watch);
double watch_scanner_wake(const struct watch *watch);
void watch_stop_scanner(struct watch *watch);
bool watch_is_asking(const struct watch *watch);

/* watch_status.c */
int watch_choose_instance(struct watch *watch);
void watch_write_status(struct watch *watch);
void watch_remove_status(struct watch *watch);

#endif
