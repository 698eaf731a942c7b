/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The service. One process, the watcher, claims jobs, hands them to workers and publishes the results. It never reads a
 * mesh or takes a time step. Workers are processes of their own: a job that kills one only costs itself an attempt, and
 * each worker keeps its device warm from job to job. A worker may run several jobs at a time, as an ensemble: if it
 * dies, all of them go back, and each runs by itself before it is blamed.
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

enum watch_html { HTML_NONE, HTML_STATUS, HTML_REPORTS }; /* each with those before */

struct watch_settings {
    enum watch_html html;
    double reload; /* seconds; 0: no page reloads itself */
    int jobs, pack; /* worker processes, and jobs that each runs at a time */
    int max_attempts;
    double timeout, max_time; /* seconds; 0: no limit */
    double retry_delay, settle, mesh_wait, poll, grace;
    struct ewi_limits limits;
    const char *exec; /* NULL: workers of our own */
    bool once, drain;
    size_t settings; /* "path.to.key=value", of every case */
    char **setting;
    int devices; /* GPUs, over which workers are spread; 0: as the cases say */
    int device[CLI_MOST_DEVICES];
};

/*
 * The file watch.conf in the spool may also set options, as lines "name = value"; the command line overrides them. 0,
 * or the exit code of a usage error, whose sentence is on stderr.
 */
#define WATCH_OPTIONS_FILE "watch.conf"
struct watch_options {
    char **word; /* of the file, NULL-terminated */
    struct watch_arguments all; /* of both; texts point into the words and the command line */
    struct watch_settings settings;
};
int watch_read_options(const struct ewi_spool *spool, const struct watch_arguments *arguments,
                       struct watch_options *options);
void watch_free_options(struct watch_options *options);
/* "30", "5m", "64M" of an option; NULL leaves the value. 0, or a usage error. */
int watch_read_number(const char *option, const char *text, bool bytes, double *value);

/* ---- limits (watch_limits.c) ------------------------------------------------------------------------------------- */

/*
 * Raises the limit on descriptors, for workers, too; corrects the settings where the system cannot do something. 0, or
 * the exit code of an error whose sentence is on stderr.
 */
int watch_check_limits(struct watch_settings *settings);
/* In a child, for a program that is not ours. */
void watch_restore_limits(void);
/* Whether a claim can open what it must. */
bool watch_has_descriptors(void);

/* ---- events (watch_events.c) ------------------------------------------------------------------------------------- */

/* Writes one line to stderr: time=... level=... event=... job=... and the format's key=value pairs. */
enum watch_level { WATCH_INFO, WATCH_WARNING, WATCH_ERROR };
void watch_event(enum watch_level level, const char *event, const char *job, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The text in quotation marks, with escapes, in one of four buffers that take turns. */
const char *watch_quoted(const char *text);

/* Sends systemd, if it started us, a message such as "READY=1". */
void watch_notify(const char *message);
/* How often systemd wants a sign of life, in seconds, or 0. */
double watch_watchdog_seconds(void);

/* ---- workers (worker.c) ------------------------------------------------------------------------------------------ */

enum { WORKER_SOCKET = 3 }; /* the worker's descriptor of the first socket; the others follow */

/* What a watcher sends, with the descriptors of the job's folder and lock. */
struct worker_order {
    char name[EWI_NAME];
    struct ewi_record record;
    struct ewi_limits limits;
    double claimed; /* seconds since 1970 */
    bool report;    /* it writes one */
    bool last;      /* after this attempt there is none */
};

enum worker_report_kind { WORKER_READY, WORKER_PROGRESS, WORKER_END };
enum worker_outcome {
    OUTCOME_DONE,        /* summary.json is written */
    OUTCOME_FAILED,      /* error.txt is written */
    OUTCOME_RETRY,       /* failed for a reason that may pass */
    OUTCOME_INTERRUPTED, /* by SIGTERM */
};
struct worker_report {
    enum worker_report_kind kind;
    double time, fraction, rate; /* rate: as in ew_run_progress */
    int64_t step;
    /* Of WORKER_END: */
    enum worker_outcome outcome;
    bool delivered; /* the results are in the job's folder and on the disk */
    bool leaves;    /* the worker ends, since its device or libraries may be broken */
    bool disk_full, device_lost; /* the reason for a retry */
    int exit_code;
    char sentence[EWI_SENTENCE];
};

/* The value that the last of the settings gives the key, or NULL (worker_warm.c). */
const char *worker_setting(const char *key, size_t settings, char *const *setting);
/* Makes a GPU's context, if jobs will have one, and keeps it (worker_warm.c). ensemble: that of the jobs, or NULL. */
void worker_warm_up(size_t settings, char *const *setting, ew_ensemble *ensemble);

/* ---- helpers (watch_helpers.c) ----------------------------------------------------------------------------------- */

/*
 * Work outside the workers whose time a submitter controls, in processes of its own: delivering results if the worker
 * could not, completing a killed watcher's intake, cleaning up, the page of the spool.
 */
enum helper_kind { HELPER_NONE, HELPER_DELIVER, HELPER_INTAKE, HELPER_CLEAN, HELPER_PAGE };
struct helper {
    enum helper_kind kind;
    pid_t pid;
    double begun; /* ewi_seconds */
    /* Of HELPER_DELIVER: */
    struct ewi_job job;
    bool last; /* if its folder refuses the results, the job has failed */
    bool done;
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
/* Why a job is ended. SILENT: its process is, so nobody knows which of its jobs is the cause. */
enum worker_kill { KILL_NOT, KILL_HUNG, KILL_TOO_LONG, KILL_SILENT, KILL_STOPPING };

/*
 * A place for a job. settings.pack of them in a row are threads of one process, each with a socket of its own; a thread
 * that leaves waits for the others' jobs to end.
 */
struct worker {
    enum worker_state state;
    pid_t pid;  /* 0: none, or the thread has left it */
    int socket; /* or -1 */
    bool alone; /* while it is busy, its process gets no other job */
    struct ewi_job job;
    double begun, reported; /* ewi_seconds: start of the job or of the process; last report */
    double begun_at;     /* start of the job, in seconds since 1970 */
    double time, fraction, rate;
    double first_fraction, first_reported; /* of the first report on the job */
    int64_t step;
    enum worker_kill kill;
    double asked_until;  /* ewi_seconds: time for a job that was asked to end; 0: it was not */
    double kill_at;      /* of the first place of a process that was asked to end: ewi_seconds; otherwise 0 */
    bool killed;         /* the same */
    bool leaves, old;    /* old: end it when it is idle */
    double absent_until; /* ewi_seconds */
    int early_deaths;    /* in succession, before it was ready */
};

/* A job in run/ that we cannot adopt, deliver or publish: we try again less and less often. */
struct stuck {
    ino_t inode;
    int tries;
    double until; /* ewi_seconds */
};
enum { MOST_STUCK = 256 };

struct watch_counts {
    int64_t claimed, done, failed, retried, interrupted, adopted, deaths;
    double run_seconds, queue_seconds; /* of done jobs */
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
    struct stuck stuck[MOST_STUCK];
    size_t stuck_at;
    struct watch_counts counts;
    int inotify, new_watch;
    int instance; /* 1 for the first watcher of the spool, 2, ... */
    int instance_lock;
    double since;                                            /* 1970 */
    double scan_at, recover_at, wanted_at, status_at, watchdog_at; /* ewi_seconds */
    double paused_until, pause; /* ewi_seconds; how long the last pause was */
    char paused_for[EWI_SENTENCE]; /* empty: it is not paused */
    bool reserves; /* a process gets no job, since the next one must run alone */
    bool draining, stopping, status_changed, run_changed; /* run_changed: sync run/ to disk, */
    double sync_at;    /* at this time, by ewi_seconds */
    bool page_changed; /* the page of the spool is older than status.json */
    double page_at;    /* ewi_seconds: not before */
    double stop_until; /* ewi_seconds */
    bool unsettled;    /* run/ may have jobs to adopt soon */
    int others;        /* jobs in run/ that have another owner */
    double drained_at; /* ewi_seconds: since then there is nothing to do; 0: there is */
    bool failed;       /* it cannot continue */
    double awake_since, longest_turn; /* ewi_seconds; the longest time from one wait to the next */
};

/* watch_workers.c */
void watch_start_workers(struct watch *watch);
void watch_stop_workers(struct watch *watch, bool at_once);
bool watch_workers_gone(const struct watch *watch);
/* `alone`: for a job that shares no process with others. */
struct worker *watch_idle_worker(const struct watch *watch, bool alone);
/* For this job: one that has failed before gets a process that runs nothing else. NULL: there is none now. */
struct worker *watch_worker_for(struct watch *watch, const struct ewi_job *job);
int watch_busy_workers(const struct watch *watch);
/* Restarts workers for new settings: idle ones now, busy ones after their job. */
void watch_renew_workers(struct watch *watch);
/* Starts missing workers and ends those that hang; watch_workers_wake: when to do it next, by ewi_seconds. */
void watch_tend_workers(struct watch *watch);
double watch_workers_wake(const struct watch *watch);
/* Hands a job over; if this fails, the job is interrupted. */
void watch_assign(struct watch *watch, struct worker *worker, struct ewi_job *job);
/* Reads a worker's reports, or notices its end. */
void watch_read_reports(struct watch *watch, struct worker *worker);
/* Notices the end of commands of --exec. */
void watch_reap(struct watch *watch);

/* watch.c: how a job ends. All take over the job's descriptors. */
void watch_job_done(struct watch *watch, struct ewi_job *job, double seconds, bool delivered);
void watch_job_failed(struct watch *watch, struct ewi_job *job, int exit_code, const char *sentence,
                      bool delivered); /* it has an error.txt */
/* Leaves the job in run/ without a lock; a later look adopts it. */
void watch_leave_behind(struct watch *watch, struct ewi_job *job, const char *sentence);
void watch_job_refused(struct watch *watch, struct ewi_job *job, int exit_code, const char *sentence); /* it has none */
void watch_job_retry(struct watch *watch, struct ewi_job *job, int exit_code, const char *sentence);
void watch_job_interrupted(struct watch *watch, struct ewi_job *job);
/* Back into the queue, since there is no worker for it now. */
void watch_job_waits(struct watch *watch, struct ewi_job *job);
void watch_pause(struct watch *watch, const char *sentence);

/* watch_helpers.c */
/* Takes over the job's descriptors. Without a free place, or a process, it leaves the job behind. */
void watch_deliver(struct watch *watch, struct ewi_job *job, const struct helper *how);
/* false: there is no free place, or no process. */
bool watch_start_helper(struct watch *watch, enum helper_kind kind);
bool watch_has_helper(const struct watch *watch, enum helper_kind kind);
bool watch_may_deliver(const struct watch *watch); /* a place is free */
void watch_reap_helpers(struct watch *watch);
void watch_stop_helpers(struct watch *watch);
/* Has the page of the spool written if it is due; watch_page_wake: when to do it next, by ewi_seconds. */
void watch_tend_page(struct watch *watch);
double watch_page_wake(const struct watch *watch);
/* Waits for the last page, but not for long. */
void watch_write_last_page(struct watch *watch);
bool watch_is_delivering(const struct watch *watch, const char *name);

/* watch_scanner.c */
/* Sends the queue's questions, and continues a scan. */
void watch_send_questions(struct watch *watch);
void watch_read_answers(struct watch *watch);
/* Ends a scanner that hangs; watch_scanner_wake: when to do it next, by ewi_seconds. */
void watch_tend_scanner(struct watch *watch);
double watch_scanner_wake(const struct watch *watch);
void watch_stop_scanner(struct watch *watch);
bool watch_is_asking(const struct watch *watch);

/* watch_workers.c */
/* Kills a process of the watcher; returns its wait status. */
int watch_end_process(pid_t pid);
/* A new process of the watcher calls this first. It then ends with the watcher. */
void watch_in_helper(const struct watch *watch);

/* watch_status.c */
int watch_choose_instance(struct watch *watch);
void watch_write_status(struct watch *watch);
void watch_remove_status(struct watch *watch);

#endif
