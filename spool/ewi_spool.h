/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The spool: a folder that is a queue. This is its protocol; edgewise-spool(7) describes it to submitters.
 *
 *   tmp/     a submitter prepares a job's folder here; nobody else looks into it
 *   new/     jobs that wait: folders renamed into it, and case files NAME.cfg dropped into it, with meshes beside them
 *   run/     jobs that a watcher has claimed; a dead watcher left those whose lock is free
 *   done/    jobs that ended well        failed/  jobs that did not, with error.txt
 *   hold/    jobs that wait for a person
 *   state/   the watchers' status (status.json, edgewise.prom), their locks, and jobs/, the private folders of jobs
 *
 * A job is a folder, and its name is the folder's. No job takes over a name: if the name exists, the job gets a suffix
 * (".2" to ".9", then the time). Files of the service in a job's folder:
 *
 *   .job          the record, for people: attempts, times, priority, exit code; "key=value" lines, replaced atomically.
 *                 In a submitter's record, only id, priority and submitted count
 *   .settings     "path.to.key=value" lines, which override the case; the watcher's settings follow and override them
 *   .token        the token of its private folder
 *   .cancel       somebody wants the job to end; an empty file
 *   log           what happened, for people; only appended to
 *   summary.json  of a done job
 *   error.txt     one sentence, of a failed job
 *
 * The private folder of a job, state/jobs/INODE, has the record that the service believes, the output of a run (fields,
 * restart files, time series) and, as the last file of an attempt, summary.json or error.txt: the job has ended. Beside
 * it is the job's lock, state/jobs/INODE.lock, while somebody works at the job. Only the service's user can enter
 * state/jobs/, since whoever can open a file can lock it.
 *
 * What makes it safe:
 *
 *   1. All folders are on one file system. A job changes its state by one rename(2) of its folder, which never replaces
 *      anything. So a job is in exactly one place at every moment, whichever process is killed.
 *   2. new -> run is the claim: of two watchers, one gets ENOENT. The claim lasts as long as a flock(2) on its lock.
 *      The watcher and its worker (or the command that --exec runs) share it, so it is free exactly when all of them
 *      are gone. A lock proves that they live; a pid proves nothing. Only the lock's holder moves or writes a folder
 *      in run/. After it gets the lock, a process checks that run/NAME still is the folder that it opened: another one
 *      may have published the job.
 *   3. The next scan of any watcher adopts a job in run/ whose lock is free. If its private folder has summary.json or
 *      error.txt, only delivery and publication are missing; otherwise the job goes back to new/.
 *   4. Delivery moves the output of a run into the job's folder and syncs it to disk; after a kill, it continues where
 *      it was. run -> done and run -> failed are the publication. It happens at most once, since run/NAME is gone then;
 *      execution happens at least once. The private folder is removed last.
 *   5. A dropped NAME.cfg becomes a folder in state/intake, one at a time, under state/intake.lock: make the folder,
 *      move the case into it, then its mesh (or link it, if another case in new/ also names it), and rename the folder
 *      to run/NAME. A watcher may be killed after each step. The folder shows where it stopped, and the next holder of
 *      the lock continues there. Nothing is undone, so undoing cannot lose anything.
 *   6. Input is only ever renamed. The contents of a job's folder are not trusted: its worker checks them before every
 *      attempt (only files and folders, within limits). Since they may change after that, every file is opened below
 *      the folder's descriptor without following links (ewi_open_below), and what is judged and read is the open file.
 *      No run resumes from a file there.
 *   7. A watcher does nothing whose time a submitter controls: it renames, and opens files of limited size. Workers and
 *      other processes of its own do the rest.
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
    EWI_NAME = 256,          /* bytes of a name with its NUL, and room for it */
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
#define EWI_CANCEL_FILE ".cancel"   /* somebody wants the job to end */
#define EWI_REFUSAL_FILE ".refused" /* in a folder that the service has made: why the job cannot be run, one line */
/* In the private folder: */
#define EWI_RUNNER_FILE ".runner" /* the lock of a command of --exec */
#define EWI_SCRIPT_FILE ".run.sh" /* the script that it runs */
#define EWI_INPUTS_FILE ".inputs" /* a hash of the case and its settings, as the first attempt read them */

/* ---- the spool (spool.c) ----------------------------------------------------------------------------------------- */

struct ewi_spool {
    char *path;
    int root, place[EWI_PLACES]; /* descriptors of the folders */
};

/* `make`: makes missing folders. EW_EIO with a sentence: it is not a spool, or we cannot use it. */
int ewi_spool_open(const char *path, bool make, struct ewi_spool *spool, ew_error *error);
void ewi_spool_close(struct ewi_spool *spool);

/*
 * Moves a job, or a file, from one place to another (or renames it in place). `name` is the wanted name, and on return
 * the one that it got, with a suffix if the wanted one exists. EW_EIO sets errno: ENOENT if the job is not there.
 */
int ewi_spool_move(const struct ewi_spool *spool, enum ewi_place from, const char *old_name, enum ewi_place to,
                   char name[EWI_NAME], ew_error *error);

/* Whether a job may have this name. If not, `sentence` says why; ewi_spool_clean_name makes a name that it may have. */
bool ewi_spool_good_name(const char *name, char sentence[EWI_SENTENCE]);
void ewi_spool_clean_name(const char *name, char clean[EWI_NAME]);

bool ewi_is_control(char letter);
bool ewi_ends_in(const char *name, const char *end); /* with more before it */
bool ewi_is_case(const char *name);                  /* "*.cfg" */
/* The name without ".cfg" at its end, in `base`, which is returned. */
const char *ewi_case_base(const char *name, char base[EWI_NAME]);

/* ---- files (folders.c) ------------------------------------------------------------------------------------------- */

/* Closes a descriptor that is not negative, and keeps errno. */
void ewi_close(int descriptor);
/* Opens a folder within another one, but no link; -1 with errno. */
int ewi_open_inside(int folder, const char *name);
/* The entries of an open folder, from the first one on; NULL with errno. */
DIR *ewi_open_entries(int folder);
/* The next entry but "." and "..", or NULL: then *entries is closed. *entries may be NULL. */
const char *ewi_next_entry(DIR **entries);

/* Whether a regular file has the name. */
bool ewi_has_file(int folder, const char *name);

/* rename(2), but fails with EEXIST if the new name exists; 0, or -1 with errno. */
int ewi_rename_new(int from, const char *old_name, int to, const char *name);

/* Replaces a file by one rename: readers see the old text or the new one. `durable`: after fsync. 0, or errno. */
int ewi_write_file(int folder, const char *name, const char *text, size_t length, bool durable);
/* With this name until it is whole; what a killed process has left there is replaced. */
int ewi_write_file_as(int folder, const char *temporary, const char *name, const char *text, size_t length,
                      bool durable);

/* Reads a regular file of at most `most` bytes and appends a NUL; to be freed. NULL with errno: EFBIG if larger. */
char *ewi_read_file(int folder, const char *name, size_t most, size_t *length);

/* Syncs the whole file system to disk, with one wait instead of one for each file. false: it failed. */
bool ewi_sync_all(int folder);

/* Copies an open file into an empty one, with its holes; if the file system can, as a clone. 0, or errno. */
int ewi_copy_bytes(int from, int to);

struct ewi_limits {
    int64_t files, bytes; /* 0: none */
    int64_t free;         /* bytes that a copy must leave free */
};

enum ewi_walk_mode {
    EWI_CHECK, /* EW_EINVAL with a sentence if an entry is neither file nor folder, is too deep or exceeds a limit */
    EWI_FLUSH, /* starts to write all files without waiting: the first fsync that follows then does all the work */
    EWI_SYNC   /* syncs all files and folders to disk; skips everything else, which we cannot have written */
};

/* Removes as much as it can from a folder, with bounded work, and closes the descriptor. */
void ewi_remove_contents(int folder);

/*
 * Goes through a folder and everything below it; EW_EIO with a sentence if it cannot read or write something. *newest:
 * the last change of any file or folder, in seconds since 1970. `limits` and `newest` may be NULL.
 */
int ewi_walk(int folder, const struct ewi_limits *limits, enum ewi_walk_mode mode, double *newest, ew_error *error);

/* Syncs a folder and everything below it to disk. */
int ewi_sync_tree(int folder, ew_error *error);

double ewi_now(void); /* seconds since 1970 */
double ewi_seconds_of(struct timespec time);

/* ---- records (record.c) ------------------------------------------------------------------------------------------ */

struct ewi_record {
    char id[64];           /* the submitter's choice; empty: none */
    char inode[24];        /* of the folder, if it was whole when it was renamed into new/; empty: not known */
    char token[EWI_TOKEN]; /* of the private folder */
    int priority;          /* -99 .. 99; higher goes first */
    bool has_priority;
    double submitted;  /* when it came; 0: not known yet */
    double not_before; /* 0: at once */
    double delay;      /* seconds from the last attempt to not_before */
    int attempts;      /* those that failed for a reason that may pass */
    int lost;          /* claims whose watcher died */
    int interruptions; /* by the end of a watcher */
    int exit_code;     /* of a failed job */
    char reason[EWI_SENTENCE]; /* for the end of the last attempt */
};

/* A setting of the jobs of a sweep whose case has a group for it; others follow. No page or table shows it. */
#define EWI_NO_SWEEP "sweep={}"

/* Settings that override the case, one "path.to.key=value" in each line of .settings. No file: none. */
struct ewi_settings {
    char *text;
    size_t count;
    char **setting;
};
int ewi_settings_read(int folder, struct ewi_settings *settings, ew_error *error);
void ewi_settings_free(struct ewi_settings *settings);
/* For an errno of reading an input: EW_EIO if it may pass, otherwise EW_ECONFIG. */
int ewi_input_code(int reason);

/* Writes into the record that the folder is whole; whether a record says so of this folder, and not of its copy. */
void ewi_record_seal(struct ewi_record *record, int folder);
bool ewi_record_is_sealed(const struct ewi_record *record, int folder);
/* Whether an attempt failed, or a watcher or worker died: then the job shares no process with others. */
bool ewi_record_is_suspect(const struct ewi_record *record);
/* A missing or damaged record reads as an empty one: a job can run without it. */
void ewi_record_read(int folder, struct ewi_record *record);
/* Reads a record that a submitter may have written: only id, priority and submitted. */
void ewi_record_read_submitted(int folder, struct ewi_record *record);
int ewi_record_write(int folder, const struct ewi_record *record, bool durable, ew_error *error);

/* ---- what a case names (probe.c) --------------------------------------------------------------------------------- */

struct ewi_probe {
    char mesh[EWI_NAME]; /* the mesh file beside it that the case names; empty: none */
    bool no_mesh;        /* the file that it names is not called *.msh, so it may be another case */
    bool is_whole;       /* it can be parsed and has the keys that no case lacks; its writer may still go on */
    bool has_priority;
    int priority;
};

/*
 * Reads what the queue needs of a case: EWI_LARGEST_PROBE bytes at most, without includes. If a case cannot be read,
 * the result is empty, and the worker reports the error.
 */
void ewi_probe_case(int folder, const char *name, struct ewi_probe *probe);

/* Reads a whole number from -99 to 99; false: the text is none, and *priority stays. */
/* What an errno of writing in a spool is: EW_ECREATE if one may not write there, EW_EFULL or EW_EIO. */
int ewi_spool_write_code(int reason);
bool ewi_read_priority(const char *text, int *priority);
/* "NAME@7" has the priority 7. */
bool ewi_name_priority(const char *name, int *priority);

/* ---- private folders (private.c) --------------------------------------------------------------------------------- */

/* The path from the job's folder: "../../state/jobs/INODE". */
void ewi_private_path(int folder, char path[EWI_PRIVATE_NAME + 16]);

/* `state`: the descriptor of state/, `folder`: of the job's folder. A descriptor, or -1 with errno. */
int ewi_private_open(int state, int folder);
int ewi_private_make(int state, int folder);

/* Takes the job's lock; -1 with errno: EWOULDBLOCK if another process has it. Who has it may remove its file. */
int ewi_private_lock(int state, int folder);
void ewi_private_unlock(int state, int folder);

/* Opens it and reads its record, if it belongs to this job; -1: the job has none. */
int ewi_private_of(int state, int folder, struct ewi_record *record);

/* Removes the private folder of a job that has ended. */
void ewi_private_drop(int state, int folder);

/* Whether an attempt wrote a restart file. Without one, its output is of no use to the next. */
bool ewi_private_can_resume(int private);

/*
 * Takes the unfinished files of a killed attempt away from a job that cannot resume, since it may wait for long. true:
 * ewi_private_clean has something to remove.
 */
bool ewi_private_discard_partial(int state, int private);

/*
 * Pages link only reports and pictures that the service has published. Such a file has a second name in state/reports/,
 * where no submitter can put one: file_report gives it that name before it leaves the private folder.
 */
void ewi_private_file_report(int private, int folder, const char *name);
bool ewi_private_has_filed(int state, int folder, const char *name);
/* Removes the second names of those whose jobs are gone. */
void ewi_private_clean_reports(const struct ewi_spool *spool);

/* Removes those whose jobs are gone, and what was shed. This takes time in proportion to their files. */
void ewi_private_clean(const struct ewi_spool *spool);

void ewi_make_token(char token[EWI_TOKEN]);

/* ---- jobs (job.c) ------------------------------------------------------------------------------------------------ */

/* A claimed job: its owner may move and write its folder. */
struct ewi_job {
    char name[EWI_NAME];
    int folder, private, lock; /* descriptors; private: -1 before the first attempt */
    struct ewi_record record;
};

/* Results of claims beside EW_OK and errors. */
enum { EWI_GONE = 1, EWI_BUSY = 2 };

/*
 * Claims a job folder in `from`, which is EWI_NEW or EWI_HOLD; one with an error.txt has failed before and starts anew.
 * EWI_GONE: another watcher has it, or somebody moved it. After an error the job is where it was, or in run/ without a
 * lock.
 */
int ewi_claim_folder(const struct ewi_spool *spool, enum ewi_place from, const char *name, struct ewi_job *job,
                     ew_error *error);

/*
 * Claims a case file in `from` (intake.c). `mesh`: the file in new/ that goes with it, or NULL; a shared one is linked,
 * so other cases keep it. EWI_BUSY: try again soon. Another watcher takes in a case, or ewi_intake_recover is needed:
 * a watcher was killed, or the mesh must be copied.
 */
int ewi_claim_case(const struct ewi_spool *spool, enum ewi_place from, const char *name, const char *mesh, bool shared,
                   struct ewi_job *job, ew_error *error);

/* Takes state/intake.lock; -1 with errno: EWOULDBLOCK if another process has it. */
int ewi_intake_lock(const struct ewi_spool *spool);

/*
 * Completes a half-done claim, if there is one, so the job is in run/ for adoption. This reads all cases in new/ and
 * may copy a mesh, so no watcher does it itself.
 */
bool ewi_intake_is_left(const struct ewi_spool *spool);
int ewi_intake_recover(const struct ewi_spool *spool, const struct ewi_limits *limits, ew_error *error);

/* Takes a job in run/ whose lock is free. EWI_GONE: it is not there; EWI_BUSY: it has an owner. */
int ewi_adopt(const struct ewi_spool *spool, const char *name, struct ewi_job *job, ew_error *error);

/* What an adopted job was left as. */
enum ewi_left { EWI_LEFT_UNFINISHED, EWI_LEFT_DONE, EWI_LEFT_FAILED };
enum ewi_left ewi_job_left(const struct ewi_job *job);

/* Makes the private folder. EW_ECREATE: it is made, but the job's own folder refuses the token. */
int ewi_job_begin(const struct ewi_spool *spool, struct ewi_job *job, ew_error *error);

/* Whether somebody moved the job from failed/ back to new/: then it starts anew. `private`: of the job, or -1. */
bool ewi_job_starts_over(int folder, int private);

/* The case file: case.cfg, or the only *.cfg. EW_EINVAL with a sentence for the submitter. */
int ewi_job_case(int folder, char name[EWI_NAME], ew_error *error);

/*
 * Whether the folder still is run/NAME and nobody has cancelled the job. Who works at a job looks every WANTED_SECONDS.
 */
#define WANTED_SECONDS 0.5
bool ewi_job_is_wanted(int folder, const char *name);
bool ewi_job_is_in_run(int folder, const char *name);
/* Whether somebody has cancelled the job. The sentence, for error.txt, says when. */
bool ewi_job_is_cancelled(int folder, char sentence[EWI_SENTENCE]);
/* That it was cancelled at this time, in seconds since 1970. */
void ewi_job_say_cancelled(double when, char sentence[EWI_SENTENCE]);

/* Why the service cannot run it, to be freed, or NULL. This removes the reason, so the next attempt can succeed. */
char *ewi_job_refusal(int folder);

/*
 * Opens `log` to append, even if a submitter put something else in its place. If that is impossible, opens /dev/null,
 * with the errno in `reason`.
 */
int ewi_job_log(int folder, int *reason);

/* Renames what takes the place of one of our files: an earlier result, or something from a submitter. */
void ewi_job_put_aside(int folder, const char *name);

/* Writes error.txt into the private folder. */
int ewi_job_explain(int private, const char *sentence, ew_error *error);

/*
 * Moves the output of a run from the private folder to the job's, writes summary.json or error.txt there, and syncs all
 * of it to disk. A submitter controls how long this takes, so no watcher does it. After a kill, call it again.
 * EW_ECREATE: the job's own folder refuses a file, and may do so for ever.
 */
int ewi_job_deliver(int private, int folder, ew_error *error);
/* Delivers what can be delivered of such a job, which has failed: `why` becomes part of its error.txt. */
int ewi_job_give_up(int private, int folder, const char *why, ew_error *error);

/*
 * These end the claim even if they fail: then the job stays in run/, and the next scan adopts it. job->name becomes the
 * name in `place`, which is EWI_NEW or EWI_HOLD for the first one.
 */
int ewi_put_back(const struct ewi_spool *spool, struct ewi_job *job, enum ewi_place place, ew_error *error);
/*
 * For delivered jobs; `place`: EWI_DONE or EWI_FAILED. `unsynced`: 0, or errno if the job is published, but `place`
 * could not be synced to disk. The caller must sync run/ sooner or later: if a rename is not one transaction, both
 * names may come back after a power loss.
 */
int ewi_publish(const struct ewi_spool *spool, struct ewi_job *job, enum ewi_place place, int *unsynced,
                ew_error *error);
void ewi_job_release(struct ewi_job *job);

/* ---- drafts (draft.c) -------------------------------------------------------------------------------------------- */

/* A job's folder in tmp/ while it is made. */
struct ewi_draft {
    const struct ewi_spool *spool;
    char name[EWI_NAME];
    int folder, lock; /* descriptors */
    mode_t umask, set_group;
    bool shared; /* the spool is a group's */
};

/* All errors are EW_EIO. After one, discard the draft, unless ewi_draft_create or ewi_draft_send failed. */
int ewi_draft_create(const struct ewi_spool *spool, struct ewi_draft *draft, ew_error *error);
int ewi_draft_text(struct ewi_draft *draft, const char *name, const char *text, size_t length, ew_error *error);
int ewi_draft_record(struct ewi_draft *draft, struct ewi_record *record, ew_error *error);
/* `name` may contain folders. */
int ewi_draft_copy(struct ewi_draft *draft, const char *name, int from, ew_error *error);
/* Gives a file of another draft of ours a second name; false: copy it. `name` may contain folders. */
bool ewi_draft_link(struct ewi_draft *draft, const char *name, int file);
/* Opens a file of the draft; -1 with errno. */
int ewi_draft_open(const struct ewi_draft *draft, const char *name);
/* Syncs the draft to disk and moves it to new/; `name`: the wanted name, and on return the one that it got. */
int ewi_draft_send(struct ewi_draft *draft, char name[EWI_NAME], ew_error *error);
void ewi_draft_discard(struct ewi_draft *draft);

/* Removes a job that has ended, by way of tmp/. EWI_GONE: it is not there. */
int ewi_draft_remove(const struct ewi_spool *spool, enum ewi_place place, const char *name, ew_error *error);

/* Removes the drafts of submitters that died, and what ewi_draft_remove has left. `own`: only folders of our user. */
void ewi_draft_clean(const struct ewi_spool *spool, bool own);

/* ---- entries of new/ (inspect.c) --------------------------------------------------------------------------------- */

/* What an entry is. Processes send it to each other as it is. */
struct ewi_entry {
    char name[EWI_NAME];
    bool exists, is_job, is_folder;
    bool is_odd;         /* neither file nor folder */
    bool late_mesh;      /* the mesh did not come in time */
    bool waits_for_mesh;
    bool no_mesh;        /* as in ewi_probe */
    bool alone;          /* its record is suspect */
    bool cancelled;      /* it need not run */
    char mesh[EWI_NAME]; /* the file that a case needs beside it; empty: none */
    int priority;
    double age;          /* when it came, in seconds since 1970 */
    double wait;         /* seconds until it can be claimed */
    double quiet;        /* of a file that is no case: seconds since it changed */
    ino_t inode;
    double changed;      /* seconds since 1970 */
};

struct ewi_inspector {
    const struct ewi_spool *spool;
    double settle, mesh_wait; /* seconds */
    double clock;             /* ewi_now() - ewi_seconds() at the start, which shows if somebody sets the clock */
    struct ewi_state *closed; /* files that their writers closed, so they need not settle */
    size_t closed_count;
    struct ewi_state *seen;   /* what we saw, and when first */
    size_t seen_count;
};

int ewi_inspector_create(const struct ewi_spool *spool, struct ewi_inspector *inspector, ew_error *error);
void ewi_inspector_destroy(struct ewi_inspector *inspector);

/* `closed`: its writer just closed it, or moved it there. */
void ewi_inspect(struct ewi_inspector *inspector, const char *name, bool closed, struct ewi_entry *entry);

/* ---- the queue (queue.c) ----------------------------------------------------------------------------------------- */

enum ewi_kind { EWI_FOLDER, EWI_CASE };

struct ewi_waiting {
    char *name; /* of the entry in new/ */
    char *mesh; /* the file that a case needs beside it, or NULL */
    enum ewi_kind kind;
    int priority;
    double age;          /* when it came, in seconds since 1970 */
    double not_before;   /* when to look at it again, by ewi_seconds; 0: it can be claimed */
    bool late_mesh, waits_for_mesh, no_mesh, alone, cancelled; /* as in ewi_entry */
    bool shared_mesh;    /* another case in new/ also names it */
    bool pending;        /* a question about it is open */
};

struct ewi_list {
    struct ewi_waiting *waiting; /* sorted, the next one last, unless `unsorted` */
    size_t count, room;
    bool unsorted, truncated; /* truncated: there are too many, so these are only the first */
};

struct ewi_question {
    char name[EWI_NAME];
    bool closed, scanned; /* scanned: a scan found it */
};

struct ewi_queue {
    struct ewi_inspector inspector;
    double before; /* jobs that came later do not count; INFINITY: all do */
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

/* Looks at everything in new/, however long it takes. */
int ewi_queue_scan(struct ewi_queue *queue, ew_error *error);

/* Does so in small parts: ewi_queue_continue asks about the next entries. */
int ewi_queue_begin_scan(struct ewi_queue *queue, ew_error *error);
void ewi_queue_continue(struct ewi_queue *queue);

/* Asks about an entry of new/; `closed` as for ewi_inspect. */
void ewi_queue_consider(struct ewi_queue *queue, const char *name, bool closed);
/* The k-th open question, or NULL. */
const struct ewi_question *ewi_queue_question(const struct ewi_queue *queue, size_t k);
/* The answer to the first open question. */
void ewi_queue_answer(struct ewi_queue *queue, const struct ewi_entry *entry);

/* true the first time that it is called for a file in this state. */
bool ewi_queue_report_once(struct ewi_queue *queue, ino_t inode, double changed);

/* Sorts the list, the next job last. */
void ewi_queue_sort(struct ewi_queue *queue);
/*
 * Takes out the next job that can be claimed now, or returns false. ewi_waiting_free frees its texts. `alone`: it may
 * be one that must run alone.
 */
bool ewi_queue_next(struct ewi_queue *queue, bool alone, struct ewi_waiting *next);
bool ewi_queue_next_is_alone(struct ewi_queue *queue);
bool ewi_queue_next_is_cancelled(struct ewi_queue *queue);
void ewi_waiting_free(struct ewi_waiting *waiting);
/* When ewi_queue_next may have a job again, by ewi_seconds; INFINITY: only after an event or an answer. */
double ewi_queue_wake(const struct ewi_queue *queue, bool alone);

#endif
