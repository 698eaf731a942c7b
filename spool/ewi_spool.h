/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The spool: a folder that is a queue. This is its protocol; edgewise-spool(7) describes it to submitters.
 *
 *   tmp/     a submitter prepares a job's folder here; others ignore it
 *   new/     waiting jobs: folders renamed into it, and case files NAME.cfg dropped into it, with their meshes
 *   run/     jobs that a watcher has claimed; if a job's lock is free, its watcher died
 *   done/    jobs that succeeded         failed/  jobs that failed, with error.txt
 *   hold/    jobs on hold
 *   state/   the watchers' status (status.json, edgewise.prom), their locks, and jobs/, the private folders of jobs
 *
 * A job is a folder, and its name is the folder's. Names are not reused: if the name exists, the job gets a suffix
 * (".2" to ".9", then the time). Files of the service in a job's folder:
 *
 *   .job          the record, for people: attempts, times, priority, exit code; "key=value" lines, replaced atomically.
 *                 In a submitter's record, only id, priority and submitted count
 *   .settings     "path.to.key=value" lines, which override the case; the watcher's settings follow and override them
 *   .token        the token of its private folder
 *   .cancel       a request to end the job; an empty file
 *   log           a log for people; the service only appends to it
 *   summary.json  the results of a job that succeeded
 *   error.txt     one sentence: why the job failed
 *
 * The private folder of a job, state/jobs/INODE, has the record that the service trusts, the output of a run (fields,
 * restart files, time series) and, as the last file of an attempt, summary.json or error.txt: the job has ended. The
 * job's lock, state/jobs/INODE.lock, exists while a process works on the job. Only the service's user can enter
 * state/jobs/, because anyone who can open a file can lock it.
 *
 * Why no job is lost or published twice:
 *
 *   1. All folders are on one file system. A job changes its state by one rename(2) of its folder, which never replaces
 *      anything. So a job is in exactly one place at every moment, whichever process is killed.
 *   2. new -> run is the claim: if two watchers try, one gets ENOENT. The claim lasts as long as a flock(2) on its
 *      lock. The watcher and its worker (or the command that --exec runs) share the lock, so it is free exactly when
 *      all of them are gone. A lock proves that they live; a pid proves nothing. Only the lock's holder moves or writes
 *      a folder in run/. After taking the lock, a process checks that run/NAME is still the folder that it opened:
 *      another process may have published the job.
 *   3. The next scan of any watcher adopts a job in run/ whose lock is free. If its private folder has summary.json or
 *      error.txt, only delivery and publication are missing; otherwise the job goes back to new/.
 *   4. Delivery moves the output of a run into the job's folder and syncs it to disk; after a kill, it resumes.
 *      run -> done and run -> failed are the publication. It happens at most once, because run/NAME is then gone;
 *      execution happens at least once. The private folder is removed last.
 *   5. A dropped NAME.cfg becomes a folder in state/intake, one at a time, under state/intake.lock: make the folder,
 *      move the case into it, then its mesh (or link it, if another case in new/ also names it), and rename the folder
 *      to run/NAME. A watcher may be killed after each step. The folder shows where it stopped, and the next holder of
 *      the lock continues there. Nothing is undone, so undoing cannot lose anything.
 *   6. Input is only ever renamed. The contents of a job's folder are not trusted: its worker checks them before every
 *      attempt (only files and folders, within limits). Because they may change later, every file is opened below the
 *      folder's descriptor without following links (ewi_open_below), and the open file is what gets checked and read.
 *      No run resumes from a file there.
 *   7. A watcher does nothing whose duration a submitter controls: it renames, and opens files of limited size. Workers
 *      and helper processes do the rest.
 */
#ifndef EWI_SPOOL_H
#define EWI_SPOOL_H

#include "edgewise.h"
#include "ewi_file.h"
#include "ewi_team.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

enum ewi_place { EWI_TMP, EWI_NEW, EWI_RUN, EWI_DONE, EWI_FAILED, EWI_HOLD, EWI_STATE, EWI_PLACES };
extern const char *const ewi_place_name[EWI_PLACES];

enum {
    EWI_NAME = 256,          /* bytes of a name, with its NUL */
    EWI_LONGEST_NAME = 200,  /* bytes of a job's name; a suffix and ".nc.part" must fit behind it */
    EWI_SENTENCE = 1024,
    EWI_DEEPEST = 8,         /* levels of folders within a job's folder */
    EWI_TOKEN = 33,          /* 32 hexadecimal digits and a NUL */
    EWI_PRIVATE_NAME = 32,
    EWI_LARGEST_PROBE = 1 << 18,
    EWI_LARGEST_SETTINGS = 1 << 16
};

#define EWI_RECORD_FILE ".job"
#define EWI_SETTINGS_FILE ".settings"
#define EWI_TOKEN_FILE ".token"
#define EWI_LOG_FILE "log"
#define EWI_SUMMARY_FILE "summary.json"
#define EWI_ERROR_FILE "error.txt"
#define EWI_REPORT_FILE "report.html"
#define EWI_PICTURE_FILE "picture.png"
#define EWI_CANCEL_FILE ".cancel"   /* a request to end the job */
#define EWI_REFUSAL_FILE ".refused" /* one line: why the service could not take in the case */
/* In the private folder: */
#define EWI_RUNNER_FILE ".runner" /* lock of a job that --exec runs */
#define EWI_SCRIPT_FILE ".run.sh" /* script that --exec runs */
#define EWI_INPUTS_FILE ".inputs" /* a hash of the case and its settings, as the first attempt read them */

/* ---- the spool (spool.c) ----------------------------------------------------------------------------------------- */

struct ewi_spool {
    char *path;
    int root, place[EWI_PLACES]; /* descriptors of the folders */
};

/* `make`: creates missing folders. EW_EIO with a sentence: the folder is not a spool, or we cannot use it. */
int ewi_spool_open(const char *path, bool make, struct ewi_spool *spool, ew_error *error);
void ewi_spool_close(struct ewi_spool *spool);

/*
 * Moves a job, or a file, from one place to another (or renames it in place). `name` is the wanted name and, on return,
 * the actual one, with a suffix if the wanted name exists. EW_EIO sets errno: ENOENT if the job does not exist.
 */
int ewi_spool_move(const struct ewi_spool *spool, enum ewi_place from, const char *old_name, enum ewi_place to,
                   char name[EWI_NAME], ew_error *error);

/* Checks a job's name. If it is invalid, `sentence` says why; ewi_spool_clean_name makes a valid one. */
bool ewi_spool_good_name(const char *name, char sentence[EWI_SENTENCE]);
void ewi_spool_clean_name(const char *name, char clean[EWI_NAME]);

bool ewi_is_control(char letter);
bool ewi_is_case(const char *name);                  /* "*.cfg" */
/* Copies the name without a final ".cfg" to `base` and returns it. */
const char *ewi_case_base(const char *name, char base[EWI_NAME]);

/* ---- files (folders.c) ------------------------------------------------------------------------------------------- */

/* Closes a descriptor unless it is negative. Preserves errno. */
void ewi_close(int descriptor);
/* Opens a folder within another one without following links; -1 with errno. */
int ewi_open_inside(int folder, const char *name);
/* The entries of an open folder, from the start; NULL with errno. */
DIR *ewi_open_entries(int folder);
/* The next entry except "." and ".."; NULL at the end, with *entries closed. *entries may be NULL. */
const char *ewi_next_entry(DIR **entries);

/* True for a regular file only. */
bool ewi_has_file(int folder, const char *name);

/* rename(2), but fails with EEXIST if the new name exists; 0, or -1 with errno. */
int ewi_rename_new(int from, const char *old_name, int to, const char *name);

/* Replaces a file by one rename: readers see the old text or the new one. `durable`: fsyncs first. 0, or errno. */
int ewi_write_file(int folder, const char *name, const char *text, size_t length, bool durable);
/* Likewise, with a chosen temporary name. Replaces a temporary file that a killed process left. */
int ewi_write_file_as(int folder, const char *temporary, const char *name, const char *text, size_t length,
                      bool durable);

/* Reads a regular file of at most `most` bytes and appends a NUL; free the result. NULL with errno: EFBIG if larger. */
char *ewi_read_file(int folder, const char *name, size_t most, size_t *length);

/* Syncs the whole file system to disk: one wait instead of one for each file. false: it failed. */
bool ewi_sync_all(int folder);

/* Copies an open file into an empty one and preserves holes; clones it if the file system can. 0, or errno. */
int ewi_copy_bytes(int from, int to);

struct ewi_limits {
    int64_t files, bytes; /* 0: no limit */
    int64_t free;         /* bytes that a copy must leave free */
};

enum ewi_walk_mode {
    EWI_CHECK, /* EW_EINVAL with a sentence if an entry is neither file nor folder, is too deep or exceeds a limit */
    EWI_FLUSH, /* starts writing all files without waiting, so that the first fsync afterwards covers all of them */
    EWI_SYNC   /* syncs all files and folders to disk; skips other entries, which we cannot have written */
};

/* Removes the contents of a folder as far as possible, with bounded work. Closes the descriptor. */
void ewi_remove_contents(int folder);

/*
 * Walks a folder and everything below it. EW_EIO with a sentence: an entry cannot be read or written. *newest: the last
 * change of any file or folder, in seconds since 1970. `limits` and `newest` may be NULL.
 */
int ewi_walk(int folder, const struct ewi_limits *limits, enum ewi_walk_mode mode, double *newest, ew_error *error);

/* Syncs a folder and everything below it to disk. */
int ewi_sync_tree(int folder, ew_error *error);

double ewi_now(void); /* seconds since 1970 */
double ewi_seconds_of(struct timespec time);

/* ---- records (record.c) ------------------------------------------------------------------------------------------ */

struct ewi_record {
    char id[64];           /* chosen by the submitter; empty: none */
    char inode[24];        /* of the folder, if it was complete when it was renamed into new/; empty: unknown */
    char token[EWI_TOKEN]; /* of the private folder */
    int priority;          /* -99 .. 99; higher ones run first */
    bool has_priority;
    double submitted;  /* seconds since 1970; 0: unknown */
    double not_before; /* seconds since 1970; 0: at once */
    double delay;      /* seconds from the last attempt to not_before */
    int attempts;      /* failed attempts with a temporary cause */
    int lost;          /* claims whose watcher died */
    int interruptions; /* attempts that ended with their watcher */
    int exit_code;     /* of a failed job */
    char reason[EWI_SENTENCE]; /* why the last attempt ended */
};

/* Disables the group `sweep` of a case in the jobs of its sweep. Pages and tables do not show this setting. */
#define EWI_NO_SWEEP "sweep={}"

/* The settings that override the case: the lines "path.to.key=value" of .settings, which may be missing. */
struct ewi_settings {
    char *text;
    size_t count;
    char **setting;
};
int ewi_settings_read(int folder, struct ewi_settings *settings, ew_error *error);
void ewi_settings_free(struct ewi_settings *settings);
/* Converts an errno of reading an input: EW_EIO if it is temporary, otherwise EW_ECONFIG. */
int ewi_input_code(int reason);

/* A sealed record says that this folder, and not a copy of it, is complete. */
void ewi_record_seal(struct ewi_record *record, int folder);
bool ewi_record_is_sealed(const struct ewi_record *record, int folder);
/* True if an attempt failed, or a watcher or worker died. A suspect job shares no process with others. */
bool ewi_record_is_suspect(const struct ewi_record *record);
/* A missing or damaged record reads as an empty one: a job can run without it. */
void ewi_record_read(int folder, struct ewi_record *record);
/* Reads a record that a submitter may have written: only id, priority and submitted. */
void ewi_record_read_submitted(int folder, struct ewi_record *record);
int ewi_record_write(int folder, const struct ewi_record *record, bool durable, ew_error *error);

/* ---- probes of cases (probe.c) ----------------------------------------------------------------------------------- */

struct ewi_probe {
    char mesh[EWI_NAME]; /* mesh file in the case's own folder; empty: none */
    bool no_mesh;        /* the file that the case names is not *.msh: it may be another case */
    bool is_whole;       /* it parses and has the keys every case needs; its writer may still append to it */
    bool has_priority;
    int priority;
};

/*
 * Reads what the queue needs of a case: EWI_LARGEST_PROBE bytes at most, without includes. If a case cannot be read,
 * the result is empty, and the worker reports the error.
 */
void ewi_probe_case(int folder, const char *name, struct ewi_probe *probe);

/* Converts an errno of writing to a spool: EW_ECREATE without permission, EW_EFULL or EW_EIO. */
int ewi_spool_write_code(int reason);
/* Reads a whole number from -99 to 99; false for any other text, without a change of *priority. */
bool ewi_read_priority(const char *text, int *priority);
/* "NAME@7" has the priority 7. */
bool ewi_name_priority(const char *name, int *priority);

/* ---- private folders (private.c) --------------------------------------------------------------------------------- */

/* The path from the job's folder: "../../state/jobs/INODE". */
void ewi_private_path(int folder, char path[EWI_PRIVATE_NAME + 16]);

/* `state`: the descriptor of state/, `folder`: of the job's folder. A descriptor, or -1 with errno. */
int ewi_private_open(int state, int folder);
int ewi_private_make(int state, int folder);

/* Takes the job's lock; -1 with errno: EWOULDBLOCK if another process has it. The holder may remove the file. */
int ewi_private_lock(int state, int folder);
void ewi_private_unlock(int state, int folder);

/* Opens the job's private folder and reads its record; -1: the job has none. */
int ewi_private_of(int state, int folder, struct ewi_record *record);

/* Removes the private folder of a job that has ended. */
void ewi_private_drop(int state, int folder);

/* True if an attempt wrote a restart file. Without one, its output is of no use to the next attempt. */
bool ewi_private_can_resume(int private);

/*
 * Discards the unfinished files of a killed attempt, unless the job can resume: it may wait for a long time. true:
 * ewi_private_clean has something to remove.
 */
bool ewi_private_discard_partial(int state, int private);

/*
 * Pages link only reports and pictures that the service has published. Such a file has a second name in state/reports/,
 * where submitters cannot create files: ewi_private_file_report links it there before delivery.
 */
void ewi_private_file_report(int private, int folder, const char *name);
bool ewi_private_has_filed(int state, int folder, const char *name);
/* Removes the second names of removed jobs. */
void ewi_private_clean_reports(const struct ewi_spool *spool);

/* Removes the private folders of removed jobs, and discarded files. The time is proportional to their files. */
void ewi_private_clean(const struct ewi_spool *spool);

void ewi_make_token(char token[EWI_TOKEN]);

/* ---- jobs (job.c) ------------------------------------------------------------------------------------------------ */

/* A claimed job: its owner may move and write its folder. */
struct ewi_job {
    char name[EWI_NAME];
    int folder, private, lock; /* descriptors; private: -1 before the first attempt */
    struct ewi_record record;
};

/* Further results of claims. */
enum { EWI_GONE = 1, EWI_BUSY = 2 };

/*
 * Claims a job folder in `from`, which is EWI_NEW or EWI_HOLD. A folder with an error.txt has failed before; it starts
 * over. EWI_GONE: another watcher has claimed it, or somebody moved it. After an error the job is where it was, or in
 * run/ without a lock.
 */
int ewi_claim_folder(const struct ewi_spool *spool, enum ewi_place from, const char *name, struct ewi_job *job,
                     ew_error *error);

/*
 * Claims a case file in `from` (intake.c). `mesh`: its mesh file in new/, or NULL; a shared mesh is linked, so other
 * cases keep it. EWI_BUSY: try again soon. Either another watcher is taking in a case, or ewi_intake_recover is needed:
 * a watcher was killed, or the mesh must be copied.
 */
int ewi_claim_case(const struct ewi_spool *spool, enum ewi_place from, const char *name, const char *mesh, bool shared,
                   struct ewi_job *job, ew_error *error);

/* Takes state/intake.lock; -1 with errno: EWOULDBLOCK if another process has it. */
int ewi_intake_lock(const struct ewi_spool *spool);

/*
 * Completes an interrupted intake, if any, so that the job is in run/ for adoption. This reads all cases in new/ and
 * may copy a mesh, so watchers leave it to a helper process.
 */
bool ewi_intake_is_left(const struct ewi_spool *spool);
int ewi_intake_recover(const struct ewi_spool *spool, const struct ewi_limits *limits, ew_error *error);

/* Takes over a job in run/ whose lock is free. EWI_GONE: it does not exist; EWI_BUSY: it has an owner. */
int ewi_adopt(const struct ewi_spool *spool, const char *name, struct ewi_job *job, ew_error *error);

/* State of an adopted job. */
enum ewi_left { EWI_LEFT_UNFINISHED, EWI_LEFT_DONE, EWI_LEFT_FAILED };
enum ewi_left ewi_job_left(const struct ewi_job *job);

/* Makes the private folder. EW_ECREATE: it exists, but the token cannot be written to the job's own folder. */
int ewi_job_begin(const struct ewi_spool *spool, struct ewi_job *job, ew_error *error);

/* True if somebody moved the job from failed/ back to new/: it starts over. `private`: its private folder, or -1. */
bool ewi_job_starts_over(int folder, int private);

/* The case file: case.cfg, or the only *.cfg. EW_EINVAL with a sentence for the submitter. */
int ewi_job_case(int folder, char name[EWI_NAME], ew_error *error);

/* True if the folder is still run/NAME and nobody has cancelled the job. Owners check every WANTED_SECONDS. */
#define WANTED_SECONDS 0.5
bool ewi_job_is_wanted(int folder, const char *name);
bool ewi_job_is_in_run(int folder, const char *name);
/* *when (NULL: not wanted): in seconds since 1970. */
bool ewi_job_is_cancelled(int folder, double *when);
/* The sentence is for error.txt. */
void ewi_job_describe_cancel(const struct ewi_spool *spool, const char *name, double when,
                             char sentence[EWI_SENTENCE]);

/*
 * The reason why the service could not take in the case, or NULL; free it. Removes the reason, so that the next attempt
 * can succeed.
 */
char *ewi_job_refusal(int folder);

/*
 * Opens `log` for appending, and first renames any other object of that name. If that is impossible, opens /dev/null,
 * with the errno in `reason`.
 */
int ewi_job_log(int folder, int *reason);

/* Renames an earlier result or a submitter's object that has the name of one of our files. */
void ewi_job_put_aside(int folder, const char *name);

/* Writes error.txt into the private folder. */
int ewi_job_explain(int private, const char *sentence, ew_error *error);

/*
 * Moves the output of a run from the private folder to the job's, writes summary.json or error.txt there, and syncs all
 * of it to disk. A submitter controls how long this takes, so watchers leave it to others. After a kill, call it again.
 * EW_ECREATE: a file cannot be written to the job's own folder, perhaps never.
 */
int ewi_job_deliver(int private, int folder, ew_error *error);
/* Fails a job after EW_ECREATE: delivers the files that it can and appends `why` to error.txt. */
int ewi_job_give_up(int private, int folder, const char *why, ew_error *error);

/*
 * Both functions end the claim even if they fail: then the job stays in run/, and the next scan adopts it. job->name
 * becomes the name in `place`. ewi_put_back takes EWI_NEW or EWI_HOLD.
 */
int ewi_put_back(const struct ewi_spool *spool, struct ewi_job *job, enum ewi_place place, ew_error *error);
/*
 * Publishes a delivered job in EWI_DONE or EWI_FAILED. `unsynced`: 0, or errno if the job is published, but `place`
 * could not be synced to disk. The caller must sync run/ sooner or later: if a rename is not one transaction, both
 * names may come back after a power loss.
 */
int ewi_publish(const struct ewi_spool *spool, struct ewi_job *job, enum ewi_place place, int *unsynced,
                ew_error *error);
void ewi_job_release(struct ewi_job *job);

/* ---- drafts (draft.c) -------------------------------------------------------------------------------------------- */

/* A job's folder under construction in tmp/. */
struct ewi_draft {
    const struct ewi_spool *spool;
    char name[EWI_NAME];
    int folder, lock; /* descriptors */
    mode_t umask, set_group;
    bool shared; /* a group may submit to the spool */
};

/* All errors are EW_EIO. After one, discard the draft, unless ewi_draft_create or ewi_draft_send failed. */
int ewi_draft_create(const struct ewi_spool *spool, struct ewi_draft *draft, ew_error *error);
int ewi_draft_text(struct ewi_draft *draft, const char *name, const char *text, size_t length, ew_error *error);
int ewi_draft_record(struct ewi_draft *draft, struct ewi_record *record, ew_error *error);
/* `name` may contain folders. */
int ewi_draft_copy(struct ewi_draft *draft, const char *name, int from, ew_error *error);
/* Links a file of another draft of ours; false: copy it instead. `name` may contain folders. */
bool ewi_draft_link(struct ewi_draft *draft, const char *name, int file);
/* Opens a file of the draft; -1 with errno. */
int ewi_draft_open(const struct ewi_draft *draft, const char *name);
/* Syncs the draft to disk and moves it to new/. `name`: the wanted name and, on return, the actual one. */
int ewi_draft_send(struct ewi_draft *draft, char name[EWI_NAME], ew_error *error);
void ewi_draft_discard(struct ewi_draft *draft);

/* Removes a job that has ended, by way of tmp/. EWI_GONE: it does not exist. */
int ewi_draft_remove(const struct ewi_spool *spool, enum ewi_place place, const char *name, ew_error *error);

/* Removes the drafts of dead submitters and the remains of ewi_draft_remove. `own`: only folders of our user. */
void ewi_draft_clean(const struct ewi_spool *spool, bool own);

/* ---- entries of new/ (inspect.c) --------------------------------------------------------------------------------- */

/* The result of an inspection. A scanner sends it to the watcher. */
struct ewi_entry {
    char name[EWI_NAME];
    bool exists, is_job, is_folder;
    bool is_odd;         /* neither file nor folder */
    bool late_mesh;      /* the mesh did not arrive in time */
    bool waits_for_mesh;
    bool no_mesh;        /* as in ewi_probe */
    bool alone;          /* it must run alone, because its record is suspect */
    bool cancelled;      /* it will not run */
    char mesh[EWI_NAME]; /* the mesh file that a case needs in new/; empty: none */
    int priority;
    double age;          /* when it arrived, in seconds since 1970 */
    double wait;         /* seconds until it can be claimed */
    double quiet;        /* files other than cases: seconds since the last change */
    ino_t inode;
    double changed;      /* seconds since 1970 */
};

struct ewi_inspector {
    const struct ewi_spool *spool;
    double settle, mesh_wait; /* seconds */
    double clock;             /* ewi_now() - ewi_seconds() at the start; it changes if somebody sets the clock */
    struct ewi_state *closed; /* files closed by their writers: they need not settle */
    size_t closed_count;
    struct ewi_state *seen;   /* states of files, and when each was first seen */
    size_t seen_count;
};

int ewi_inspector_create(const struct ewi_spool *spool, struct ewi_inspector *inspector, ew_error *error);
void ewi_inspector_destroy(struct ewi_inspector *inspector);

/* `closed`: its writer has just closed it, or moved it to new/. */
void ewi_inspect(struct ewi_inspector *inspector, const char *name, bool closed, struct ewi_entry *entry);

/* ---- the queue (queue.c) ----------------------------------------------------------------------------------------- */

enum ewi_kind { EWI_FOLDER, EWI_CASE };

struct ewi_waiting {
    char *name; /* of the entry in new/ */
    char *mesh; /* the mesh file that a case needs in new/, or NULL */
    enum ewi_kind kind;
    int priority;
    double age;          /* when it arrived, in seconds since 1970 */
    double not_before;   /* when to inspect it again, by ewi_seconds; 0: it can be claimed */
    bool late_mesh, waits_for_mesh, no_mesh, alone, cancelled; /* as in ewi_entry */
    bool shared_mesh;    /* another case in new/ also names it */
    bool pending;        /* a question about it is open */
};

struct ewi_list {
    struct ewi_waiting *waiting; /* sorted, the next one last, unless `unsorted` */
    size_t count, room;
    bool unsorted, truncated; /* truncated: there are more jobs in new/ than in the list */
};

struct ewi_question {
    char name[EWI_NAME];
    bool closed, scanned; /* scanned: a scan found it */
};

struct ewi_queue {
    struct ewi_inspector inspector;
    double before; /* later jobs are ignored; INFINITY: none is */
    void (*report)(void *context, const char *name, const char *sentence); /* called once for each ignored file */
    void *context;
    struct ewi_list list, scanned; /* scanned: jobs found by the scan in progress */
    struct ewi_question *question; /* a ring buffer */
    size_t question_first, question_count;
    bool lost;                     /* the ring was full, so scan again */
    DIR *entries;                  /* of the scan in progress, or NULL */
    bool scanned_all;
    struct ewi_stray *stray;
    size_t strays;
    struct ewi_reported *reported; /* a ring buffer */
    size_t reported_at;
};

int ewi_queue_create(const struct ewi_spool *spool, struct ewi_queue *queue, ew_error *error);
void ewi_queue_destroy(struct ewi_queue *queue);

/* Inspects everything in new/, which may take long. */
int ewi_queue_scan(struct ewi_queue *queue, ew_error *error);

/* Scans in small steps: ewi_queue_continue asks about the next entries. */
int ewi_queue_begin_scan(struct ewi_queue *queue, ew_error *error);
void ewi_queue_continue(struct ewi_queue *queue);

/* Adds a question about an entry of new/; `closed` as for ewi_inspect. */
void ewi_queue_consider(struct ewi_queue *queue, const char *name, bool closed);
/* The k-th open question, or NULL. */
const struct ewi_question *ewi_queue_question(const struct ewi_queue *queue, size_t k);
/* The answer to the first open question. */
void ewi_queue_answer(struct ewi_queue *queue, const struct ewi_entry *entry);

/* true on the first call for a file in this state. */
bool ewi_queue_report_once(struct ewi_queue *queue, ino_t inode, double changed);

/* Sorts the list, the next job last. */
void ewi_queue_sort(struct ewi_queue *queue);
/*
 * Takes out the next job that can be claimed now, or returns false. ewi_waiting_free frees its texts. `alone`: accept a
 * job that must run alone.
 */
bool ewi_queue_next(struct ewi_queue *queue, bool alone, struct ewi_waiting *next);
bool ewi_queue_next_is_alone(struct ewi_queue *queue);
bool ewi_queue_next_is_cancelled(struct ewi_queue *queue);
void ewi_waiting_free(struct ewi_waiting *waiting);
/* When ewi_queue_next may find a job, by ewi_seconds; INFINITY: only after an event or an answer. */
double ewi_queue_wake(const struct ewi_queue *queue, bool alone);

#endif
