/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The spool: a folder that is a queue. This is the protocol; edgewise-spool(7) tells it to those who write the other
 * side.
 *
 *   tmp/     whoever submits prepares a job's folder here; nobody else looks into it
 *   new/     jobs that wait: folders renamed into it, and case files NAME.cfg dropped into it, meshes beside them
 *   run/     jobs that a watcher has claimed; whose lock nobody holds was left behind by a dead watcher
 *   done/    jobs that ended well        failed/  jobs that did not, with error.txt
 *   hold/    jobs that wait for a person
 *   state/   what watchers tell (status.json, edgewise.prom), their locks, and jobs/, the private folders of jobs
 *
 * A job is a folder, and its name is the folder's. Names are never taken over: where a name is there already, the job
 * gets a suffix (".2" to ".9", then the time). Files of the service in a job's folder:
 *
 *   .job          the record, for people: attempts, times, priority, exit code; "key=value" lines, replaced atomically.
 *                 Of one that a submitter brings, only id, priority and submitted count
 *   .settings     "path.to.key=value" lines, in place of what the case says; those of the watcher come after them
 *   .lock         locked by whoever works at a claimed job; holds the token of its private folder
 *   log           what happened, for people; only appended to
 *   summary.json  of a job that is done
 *   error.txt     one sentence, of a job that has failed
 *
 * The private folder of a job, state/jobs/INODE, has the record that the service believes, what a run writes (fields,
 * restart files, time series) and, as the last file of an attempt, summary.json or error.txt: with one of these the job
 * has ended.
 *
 * What makes it safe:
 *
 *   1. All folders are on one file system. A job changes its state by one rename(2) of its folder, which never
 *      replaces anything. So a job is in exactly one place at every moment, whichever process is killed and whenever.
 *   2. new -> run is the claim: of two watchers, one gets ENOENT. The claim lasts as long as a flock(2) on .lock. The
 *      watcher and its worker (or the command run in place of one) share it, so it is free exactly when all of them
 *      are gone. A pid proves nothing, a lock does. Only the lock's holder moves or writes a folder in run/. Whoever
 *      gets the lock checks that run/NAME/.lock still is the file that was locked: another process may have published
 *      the job meanwhile.
 *   3. A job in run/ whose lock is free is adopted by the next scan of any watcher. summary.json or error.txt in its
 *      private folder says that only delivery and publication are missing; otherwise the job goes back to new/.
 *   4. Delivery moves what a run has left into the job's folder and brings all of it to the disk; done again, it goes
 *      on where it was killed. run -> done and run -> failed are the publication. It happens at most once, since
 *      run/NAME is gone then; execution happens at least once. The private folder is removed after it.
 *   5. A dropped NAME.cfg becomes a folder in state/intake, one at a time, under state/intake.lock: the folder is made,
 *      the case is moved into it, then its mesh is (or is linked, if another case in new/ names it, too), and the
 *      folder is renamed to run/NAME. A watcher may be killed after each of these steps. The next holder of the lock
 *      goes on where the folder shows that it stopped. Nothing is undone, so nothing can be lost in doing so.
 *   6. Input is only ever renamed. What is in a job's folder is not trusted: its worker looks it through before every
 *      attempt (only files and folders, within limits), our own files are opened without following links, cases are
 *      read confined to it, and nothing that a run resumes from lies there.
 *   7. A watcher does nothing that takes as long as a submitter likes: it renames, and opens files of a known size.
 *      Workers and other processes of its own do the rest.
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
    EWI_DEEPEST = 8,         /* folders within a job's folder */
    EWI_TOKEN = 33, /* 32 hexadecimal digits and a NUL */
    EWI_PRIVATE_NAME = 32,
    EWI_LARGEST_PEEK = 1 << 18,
    EWI_LARGEST_SETTINGS = 1 << 16
};

#define EWI_RECORD_FILE ".job"
#define EWI_SETTINGS_FILE ".settings"
#define EWI_LOCK_FILE ".lock"
#define EWI_LOG_FILE "log"
#define EWI_SUMMARY_FILE "summary.json"
#define EWI_ERROR_FILE "error.txt"
#define EWI_REFUSAL_FILE ".refused" /* in a folder that the service has made: why the job cannot be run, one line */
#define EWI_RUNNER_FILE ".runner" /* in the private folder: the lock of a command of --exec, */
#define EWI_SCRIPT_FILE ".run.sh" /* and what it runs; */
#define EWI_INPUTS_FILE ".inputs" /* a hash of the case and its settings, as the first attempt read them */

/* ---- the spool (spool.c) ----------------------------------------------------------------------------------------- */

struct ewi_spool {
    char *path;
    int root, place[EWI_PLACES]; /* descriptors of the folders */
};

/* `make`: makes what is missing. EW_EIO with a sentence: it is not a spool, or one that cannot be used. */
int ewi_spool_open(const char *path, bool make, struct ewi_spool *spool, ew_error *error);
void ewi_spool_close(struct ewi_spool *spool);

/*
 * Moves a job, or a file, from one place to another (the same one: renames it); it gets a suffix if the name is there.
 * `name` is the one wanted on entry, the one that it has at the end. EW_OK, or EW_EIO with errno set: ENOENT if it is
 * not there (any more).
 */
int ewi_spool_move(const struct ewi_spool *spool, enum ewi_place from, const char *old_name, enum ewi_place to,
                   char name[EWI_NAME], ew_error *error);

/* Whether a job may have this name. If not, `sentence` says why; ewi_spool_clean_name makes one that it may have. */
bool ewi_spool_good_name(const char *name, char sentence[EWI_SENTENCE]);
void ewi_spool_clean_name(const char *name, char clean[EWI_NAME]);

bool ewi_is_control(char letter);
bool ewi_ends_in(const char *name, const char *end); /* and has more before it */
bool ewi_is_case(const char *name);                  /* "*.cfg" */
/* The name without ".cfg" at its end, in `base`, which is returned. */
const char *ewi_case_base(const char *name, char base[EWI_NAME]);

/* ---- files (folders.c) ------------------------------------------------------------------------------------------- */

/* Closes a descriptor that is not negative, and keeps errno. */
void ewi_close(int descriptor);
/* A folder within another one, no link; a descriptor, or -1 with errno. */
int ewi_open_inside(int folder, const char *name);
/* The entries of an open folder, from the first one on; NULL with errno. */
DIR *ewi_open_entries(int folder);
/* The next entry but "." and "..", or NULL: then *entries is closed. *entries may be NULL. */
const char *ewi_next_entry(DIR **entries);

/* Whether a regular file has the name. */
bool ewi_has_file(int folder, const char *name);

/* rename(2) that fails with EEXIST where something is; 0, or -1 with errno. */
int ewi_rename_new(int from, const char *old_name, int to, const char *name);

/* Replaces a file by one rename: readers see the old text or the new one. `durable`: after fsync. 0, or errno. */
int ewi_write_file(int folder, const char *name, const char *text, size_t length, bool durable);

/*
 * The whole of a regular file of at most `most` bytes with a NUL behind it, to be freed; NULL: errno, EFBIG if it is
 * larger.
 */
char *ewi_read_file(int folder, const char *name, size_t most, size_t *length);

/* Brings the whole file system to the disk: one wait in place of one a file. false: it cannot be done, or failed. */
bool ewi_sync_all(int folder);

/*
 * One open file into another, empty one, with its holes; where the file system can, without copying a byte. 0, or
 * errno.
 */
int ewi_copy_bytes(int from, int to);

struct ewi_tree {
    int64_t files, bytes; /* files: with folders */
    double newest;        /* the last change of any file or folder, in seconds since 1970 */
};

struct ewi_limits {
    int64_t files, bytes; /* 0: none */
    int64_t free;         /* bytes that a copy must leave free */
};

enum ewi_walk_mode {
    /* EW_EINVAL with a sentence if something is neither file nor folder, lies too deep, or exceeds a limit */
    EWI_LOOK,
    EWI_FLUSH, /* begins to write what is not on the disk, without waiting: of the fsyncs that follow,
        the first then does it all */
    /* brings all files and folders to the disk; what is neither, which we cannot have written, is passed over */
    EWI_SYNC
};

/* Removes all in a folder, as far as it can be; takes over the descriptor. */
void ewi_remove_contents(int folder);

/* Goes through a folder and all below it; EW_EIO with a sentence if it cannot be read or written. */
int ewi_walk(int folder, const struct ewi_limits *limits, enum ewi_walk_mode mode, struct ewi_tree *tree,
             ew_error *error);

/* Brings a folder and all below it to the disk. */
int ewi_sync_tree(int folder, ew_error *error);

double ewi_now(void); /* seconds since 1970 */
double ewi_seconds_of(struct timespec time);

/* ---- records (record.c) ------------------------------------------------------------------------------------------ */

struct ewi_record {
    char id[64];          /* chosen by whoever submits; empty: none */
    char token[EWI_TOKEN]; /* of the private folder */
    int priority;         /* -99 .. 99; higher goes first */
    bool has_priority;
    double submitted;     /* when it came; 0: not known yet */
    double not_before;    /* 0: at once */
    double delay;         /* seconds from the last attempt to not_before */
    int attempts;         /* that ended in something that may pass */
    int lost;             /* claims whose watcher died */
    int interruptions;    /* by the end of a watcher */
    int exit_code;        /* of a failed job */
    char reason[EWI_SENTENCE]; /* why the last attempt ended as it did */
};

/* What is in place of a case's own settings: one "path.to.key=value" a line. No file: none. */
struct ewi_settings {
    char *text;
    size_t count;
    char **setting;
};
int ewi_settings_read(int folder, struct ewi_settings *settings, ew_error *error);
void ewi_settings_free(struct ewi_settings *settings);

/* A missing or damaged record is an empty one: nothing of it is needed to run the job. */
void ewi_record_read(int folder, struct ewi_record *record);
/* Of one that a submitter may have written, only what a submitter may say: id, priority, submitted. */
void ewi_record_read_submitted(int folder, struct ewi_record *record);
int ewi_record_write(int folder, const struct ewi_record *record, bool durable, ew_error *error);

/* ---- what a case names (peek.c) ---------------------------------------------------------------------------------- */

struct ewi_peek {
    char mesh[EWI_NAME]; /* the mesh file beside it that the case names; empty: none */
    bool no_mesh;        /* the file that it names is not called *.msh, so it may be another case */
    bool has_priority;
    int priority;
};

/*
 * Reads what the queue needs of a case, from EWI_LARGEST_PEEK bytes at most and without includes. A case that cannot be
 * read has neither; its worker reports why.
 */
void ewi_peek_case(int folder, const char *name, struct ewi_peek *peek);

/* A whole number from -99 to 99; if the text is none, *priority stays. */
bool ewi_read_priority(const char *text, int *priority);
/* Of "NAME@7": 7. */
bool ewi_name_priority(const char *name, int *priority);

/* ---- private folders (private.c) --------------------------------------------------------------------------------- */

/* "../../state/jobs/INODE", seen from the job's folder. */
void ewi_private_path(int folder, char path[EWI_PRIVATE_NAME + 16]);

/* `state`: the descriptor of state/, `folder`: of the job's folder. A descriptor, or -1 with errno. */
int ewi_private_open(int state, int folder);
int ewi_private_make(int state, int folder);

/* The same, and its record, if it belongs to this job; -1: the job has none. */
int ewi_private_of(int state, int folder, struct ewi_record *record);

/* Removes the private folder of a job that has ended. */
void ewi_private_drop(int state, int folder);

/* Removes those whose jobs are gone. Takes as long as there are files in them. */
void ewi_private_clean(const struct ewi_spool *spool);

void ewi_make_token(char token[EWI_TOKEN]);

/* ---- jobs (job.c) ------------------------------------------------------------------------------------------------ */

/* A claimed job; whoever has this may move and write its folder. */
struct ewi_job {
    char name[EWI_NAME];
    int folder, private, lock; /* descriptors; private: -1 before the first attempt */
    struct ewi_record record;
};

/* Results of claims beside EW_OK and errors. */
enum { EWI_GONE = 1, EWI_BUSY = 2 };

/*
 * Claims a job folder in new/; one with an error.txt has failed before and begins anew. EWI_GONE: another watcher has
 * it, or it is not there any more. An error leaves it where it is: in new/, or in run/ without a lock.
 */
int ewi_claim_folder(const struct ewi_spool *spool, const char *name, struct ewi_job *job, ew_error *error);

/*
 * The same for a case file in new/ (intake.c). `mesh`: a file in new/ that goes with it, or NULL; a shared one is
 * linked, so that other cases have it too. EWI_BUSY: another watcher is at it, or ewi_intake_recover is needed, since a
 * watcher was killed at it or the mesh has to be copied; try again soon.
 */
int ewi_claim_case(const struct ewi_spool *spool, const char *name, const char *mesh, bool shared, struct ewi_job *job,
                   ew_error *error);

/* Takes state/intake.lock: a descriptor, to be closed; -1: another one has it (EWOULDBLOCK), or errno. */
int ewi_intake_lock(const struct ewi_spool *spool);

/*
 * Completes the claim that is half-done, if there is one; the job then is in run/, to be adopted. It reads all cases in
 * new/ and may copy a mesh, so no watcher does it itself.
 */
bool ewi_intake_is_left(const struct ewi_spool *spool);
int ewi_intake_recover(const struct ewi_spool *spool, const struct ewi_limits *limits, ew_error *error);

/* Takes a job in run/ whose lock is free. EWI_GONE: it is not there; EWI_BUSY: it has an owner. */
int ewi_adopt(const struct ewi_spool *spool, const char *name, struct ewi_job *job, ew_error *error);

/* What an adopted job was left as. */
enum ewi_left { EWI_LEFT_UNFINISHED, EWI_LEFT_DONE, EWI_LEFT_FAILED };
enum ewi_left ewi_job_left(const struct ewi_job *job);

/* Makes the private folder. What a submitter has put in the places of results is put aside by the delivery. */
int ewi_job_begin(const struct ewi_spool *spool, struct ewi_job *job, ew_error *error);

/*
 * Who moves a job from failed/ back to new/ wants it tried as if it were new, and nothing but the rename is needed for
 * that. `private`: of the job, or -1.
 */
bool ewi_job_is_anew(int folder, int private);

/* The case file: case.cfg, or the only *.cfg. EW_EINVAL with a sentence for the submitter. */
int ewi_job_case(int folder, char name[EWI_NAME], ew_error *error);

/*
 * Why the service cannot run it, to be freed, or NULL; told once, so that whoever mends that can have it tried again.
 */
char *ewi_job_refusal(int folder);

/* Opens `log` to append, whatever a submitter put in its place; a descriptor, or -1. */
int ewi_job_log(int folder);

/* Writes error.txt into the private folder of a job that has begun. */
int ewi_job_explain(int private, const char *sentence, ew_error *error);

/*
 * Moves what a run has left from the private folder to the job's, writes summary.json or error.txt there, and brings
 * all of it to the disk: as long as a submitter makes it take, so not for a watcher. May be called again after it was
 * killed.
 */
int ewi_job_deliver(int private, int folder, ew_error *error);

/*
 * All of these end the claim, also when they fail; the job then stays in run/ and is adopted by the next scan.
 * `place`: EWI_NEW or EWI_HOLD; job->name becomes the name there.
 */
int ewi_put_back(const struct ewi_spool *spool, struct ewi_job *job, enum ewi_place place, ew_error *error);
/*
 * `place`: EWI_DONE or EWI_FAILED, of a job that was delivered; job->name becomes the name there. The caller has to
 * bring run/ to the disk, sooner or later: where a rename is no single transaction, both names might come back after a
 * loss of power.
 */
int ewi_publish(const struct ewi_spool *spool, struct ewi_job *job, enum ewi_place place, ew_error *error);
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

/* All errors are EW_EIO; then the draft is still to be discarded, except after ewi_draft_create and ewi_draft_send. */
int ewi_draft_create(const struct ewi_spool *spool, struct ewi_draft *draft, ew_error *error);
int ewi_draft_text(struct ewi_draft *draft, const char *name, const char *text, size_t length, ew_error *error);
/* `name` may have folders in it. */
int ewi_draft_copy(struct ewi_draft *draft, const char *name, int from, ew_error *error);
/* Brings all to the disk and moves the folder to new/; `name`: the one wanted, and at the end the one that it has. */
int ewi_draft_send(struct ewi_draft *draft, char name[EWI_NAME], ew_error *error);
void ewi_draft_discard(struct ewi_draft *draft);

/* Removes the drafts of submitters that died. */
void ewi_draft_clean(const struct ewi_spool *spool);

/* ---- what an entry of new/ is (look.c) --------------------------------------------------------------------------- */

/* An answer; it is sent from one process to another as it is. */
struct ewi_seen {
    char name[EWI_NAME];
    bool is_there, is_job, is_folder;
    bool is_odd;         /* neither file nor folder */
    bool late_mesh;      /* it was waited for in vain */
    bool waits_for_mesh; /* it is waited for */
    bool no_mesh;        /* the case names what is no mesh file */
    char mesh[EWI_NAME]; /* the file that a case needs beside it; empty: none */
    int priority;
    double age;          /* when it came, in seconds since 1970 */
    double wait;         /* seconds until it can be claimed */
    double quiet;        /* of a file that is no case: seconds since it changed */
    ino_t inode;
    double changed;      /* seconds since 1970 */
};

struct ewi_looker {
    const struct ewi_spool *spool;
    double settle, mesh_wait; /* seconds */
    double clock;             /* ewi_now() - ewi_seconds() at the start: whether the clock was set since */
    struct ewi_state *closed; /* files that were seen to be closed, so that they need not settle */
    size_t closed_count;
    struct ewi_state *seen;   /* what was seen, and when first */
    size_t seen_count;
};

int ewi_looker_create(const struct ewi_spool *spool, struct ewi_looker *looker, ew_error *error);
void ewi_looker_destroy(struct ewi_looker *looker);

/* `closed`: it was just closed by its writer, or moved there. */
void ewi_look(struct ewi_looker *looker, const char *name, bool closed, struct ewi_seen *seen);

/* ---- what waits (queue.c) ---------------------------------------------------------------------------------------- */

enum ewi_kind { EWI_FOLDER, EWI_CASE };

struct ewi_waiting {
    char *name; /* of the entry in new/ */
    char *mesh; /* the one that a case needs beside it, or NULL */
    enum ewi_kind kind;
    int priority;
    double age;          /* when it came, in seconds since 1970 */
    double not_before;   /* when it is to be looked at again, by ewi_seconds; 0: it can be claimed */
    bool late_mesh, waits_for_mesh, no_mesh; /* as in ewi_seen */
    bool shared_mesh;    /* another case in new/ names it, too */
    bool asked;          /* it is being looked at again */
};

struct ewi_list {
    struct ewi_waiting *waiting; /* sorted, the next one last, unless `unsorted` */
    size_t count, room;
    bool unsorted, truncated; /* truncated: only the first of them, since there are very many */
};

struct ewi_asked {
    char name[EWI_NAME];
    bool closed, scanned; /* scanned: it was found by a scan */
};

struct ewi_queue {
    struct ewi_looker looker;
    double before; /* jobs that came later are not looked at; INFINITY: all are */
    void (*tell)(void *context, const char *name, const char *sentence); /* about what is left alone; once each */
    void *context;
    struct ewi_list list, scanned; /* scanned: what a scan has found so far */
    struct ewi_asked *asked;       /* a ring */
    size_t asked_first, asked_count;
    bool lost;                     /* not all questions found room: it has to be scanned again */
    DIR *entries;                  /* of a scan, or NULL */
    bool scanned_all;
    struct ewi_stray *stray;
    size_t strays;
    struct ewi_told *told;
    size_t told_at;
};

int ewi_queue_create(const struct ewi_spool *spool, struct ewi_queue *queue, ew_error *error);
void ewi_queue_destroy(struct ewi_queue *queue);

/* Looks at everything in new/, itself; as long as it takes. */
int ewi_queue_scan(struct ewi_queue *queue, ew_error *error);

/* The same, in small parts: ewi_queue_go_on asks about the next entries. */
int ewi_queue_begin_scan(struct ewi_queue *queue, ew_error *error);
void ewi_queue_go_on(struct ewi_queue *queue);

/* One entry of new/ is to be looked at; `closed` as for ewi_look. */
void ewi_queue_consider(struct ewi_queue *queue, const char *name, bool closed);
/* The k-th entry that is to be looked at, or NULL. */
const struct ewi_asked *ewi_queue_asked(const struct ewi_queue *queue, size_t k);
/* The answer about the first of them. */
void ewi_queue_note(struct ewi_queue *queue, const struct ewi_seen *seen);

/* Whether something is to be said about a file in this state, or was said before. */
bool ewi_queue_tell_once(struct ewi_queue *queue, ino_t inode, double changed);

/* Puts what waits in order, the next one last. */
void ewi_queue_sort(struct ewi_queue *queue);
/* Takes the next job that can be claimed now out of the queue, or false. ewi_waiting_free frees its texts. */
bool ewi_queue_next(struct ewi_queue *queue, struct ewi_waiting *next);
void ewi_waiting_free(struct ewi_waiting *waiting);
/* When ewi_queue_next may have something again, by ewi_seconds; INFINITY: only after an event or an answer. */
double ewi_queue_when(const struct ewi_queue *queue);

#endif
