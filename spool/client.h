/* SPDX-License-Identifier: BSD-2-Clause */
/* What the clients of a spool share: submit, status, retry and the others. They need no running watcher. */
#ifndef EDGEWISE_CLIENT_H
#define EDGEWISE_CLIENT_H

#include "cli.h"
#include "service.h"
#include "ewi_spool.h"

#define CLIENT_SPOOL_OPTION                                                                                           \
    CLI_TEXT_OPTION("spool", "SPOOL", spool,                                                                          \
                    "the spool; the default is $EDGEWISE_SPOOL, or the current folder if it is one")
/* Opens the spool of --spool (or NULL), of $EDGEWISE_SPOOL, or the current folder. 0, or the exit code. */
int client_open_spool(const char *path, struct ewi_spool *spool);

/* A job's name for a terminal, with escapes for control characters, in the caller's buffer. */
enum { CLIENT_SHOWN = 4 * EWI_NAME };
const char *client_shown(const char *name, char text[CLIENT_SHOWN]);

/* A whole file, if it is valid JSON, or NULL; to be freed. */
char *client_read_json(int folder, const char *name, size_t most);
/* The first line of a file, or NULL; to be freed. */
char *client_first_line(int folder, const char *name);

/* ---- what is in a place ------------------------------------------------------------------------------------------ */

struct client_entry {
    char *name;
    double changed; /* when it came there, in seconds since 1970 */
    bool folder;
};

struct client_list {
    size_t count;
    struct client_entry *entry;
};

/* Folders, and in new/ and hold/ case files; no hidden ones; sorted by name. An error leaves the list empty. */
int client_list(const struct ewi_spool *spool, enum ewi_place place, struct client_list *list, ew_error *error);
void client_free_list(struct client_list *list);

/* ---- the jobs that a user means (client_jobs.c) ------------------------------------------------------------------ */

/* Those that a command takes. */
struct client_wanted {
    const struct ewi_spool *spool;
    const enum ewi_place *place; /* where it looks for them, in this order */
    size_t count;
    const char *done; /* "held" */
    bool first;       /* of several jobs of one name take the first one */
};

struct client_found {
    enum ewi_place place;
    char name[EWI_NAME]; /* of the entry */
};

/* `operand`: a name, or a path in the spool. 0, or the exit code of an error, whose sentence is on stderr. */
int client_find(const struct client_wanted *wanted, const char *operand, struct client_found *found);
int client_say_missing(const struct client_wanted *wanted, const char *name);

/* A job is its folder, whatever name it has and wherever it is. */
struct client_tracked {
    struct client_found found;
    dev_t device;
    ino_t inode;
    bool is_folder; /* otherwise it is a case file, of which a watcher makes another folder */
};

/* false: it is not there. */
bool client_begin_tracking(const struct ewi_spool *spool, const struct client_found *found, struct client_tracked *job);
/* Notes where it is now; false: it is nowhere, or on its way. */
bool client_track(const struct ewi_spool *spool, struct client_tracked *job);

/* The mesh beside a dropped case, if it is there; NULL: none. */
const char *client_mesh_of(const struct ewi_spool *spool, const struct client_found *found, struct ewi_probe *probe);
/* Claims a job in new/ or hold/, with its mesh, as a watcher does: EW_OK, EWI_GONE, EWI_BUSY, or an error. */
int client_claim(const struct ewi_spool *spool, const struct client_found *found, struct ewi_job *job, ew_error *error);

/* ---- settings (client_settings.c) -------------------------------------------------------------------------------- */

/* Each is one line. 0, or a usage error. */
int client_check_settings(const struct cli_arguments *arguments);
/* Also, whether some case can have them. */
int client_try_settings(const struct cli_arguments *arguments);
/* Writes them into the job's .settings, in place of those that have the same keys. */
int client_set(int folder, const struct cli_arguments *arguments, ew_error *error);
/* Prints "WHAT: SETTINGS" if the folder has a .settings. */
void client_print_settings(int folder, const char *what);
/* Says which settings override the case of a failed job that somebody has edited. */
void client_warn_overridden(int folder, const char *name);

/* ---- watchers ---------------------------------------------------------------------------------------------------- */

struct client_watcher {
    int number;
    bool alive;
    char *status; /* valid JSON, or NULL */
};

/* Those that have a lock or a status file, to be freed. */
size_t client_watchers(const struct ewi_spool *spool, struct client_watcher **watchers);
void client_free_watchers(struct client_watcher *watchers, size_t count);
bool client_is_watched(const struct ewi_spool *spool);

/* ---- waiting for a job (wait.c) ---------------------------------------------------------------------------------- */

struct client_job {
    char name[EWI_NAME], id[64];
    enum ewi_place place; /* where we saw it last */
    bool gone;            /* somebody took it out of the spool */
    int exit_code;
    char sentence[EWI_SENTENCE]; /* why it failed */
};

/* Blocks until all jobs are in done/ or failed/, or gone. */
void client_wait(const struct ewi_spool *spool, struct client_job *job, size_t count,
                 void (*ended)(void *context, size_t k), void *context);

#endif
