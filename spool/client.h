/* SPDX-License-Identifier: BSD-2-Clause */
/* Common parts of the clients of a spool: submit, status, retry and the others. They need no running watcher. */
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

/* Copies a job's name for a terminal to the caller's buffer, with escapes for control characters. */
enum { CLIENT_SHOWN = 4 * EWI_NAME };
const char *client_shown(const char *name, char text[CLIENT_SHOWN]);

/* Reads a file of valid JSON; NULL if it is not. Free the result. */
char *client_read_json(int folder, const char *name, size_t most);
/* Reads the first line of a file, or NULL. Free the result. */
char *client_first_line(int folder, const char *name);
/* Keeps the first exit code that is not 0. */
void client_note(int *first, int code);

/* ---- entries of a place ------------------------------------------------------------------------------------------ */

struct client_entry {
    char *name;
    double changed; /* when it entered the place, in seconds since 1970 */
    bool folder;
};

struct client_list {
    size_t count;
    struct client_entry *entry;
};

/* Lists visible folders, and case files in new/ and hold/, sorted by name. An error leaves the list empty. */
int client_list(const struct ewi_spool *spool, enum ewi_place place, struct client_list *list, ew_error *error);
void client_free_list(struct client_list *list);

/* ---- jobs by name (client_jobs.c) -------------------------------------------------------------------------------- */

/* The jobs that a command accepts. */
struct client_wanted {
    const struct ewi_spool *spool;
    const enum ewi_place *place; /* places to search, in this order */
    size_t count;
    const char *done; /* the command's participle, such as "held" */
    bool first;       /* take the first job of this name; otherwise several are an error */
};

struct client_found {
    enum ewi_place place;
    char name[EWI_NAME]; /* the entry's */
};

/* `operand`: a name, or a path in the spool. 0, or an exit code after an error message. */
int client_find(const struct client_wanted *wanted, const char *operand, struct client_found *found);
int client_report_missing(const struct client_wanted *wanted, const char *name);

/* A job is identified by its folder's inode; its name and place may change. */
struct client_tracked {
    struct client_found found;
    dev_t device;
    ino_t inode;
    bool is_folder; /* false: a case file, for which a watcher will make a folder */
};

/* false: it does not exist. */
bool client_begin_tracking(const struct ewi_spool *spool, const struct client_found *found, struct client_tracked *job);
/* Updates the job's place and name. false: the job is gone, or between two places. */
bool client_track(const struct ewi_spool *spool, struct client_tracked *job);

/* The mesh file in new/ of a dropped case; NULL: none. */
const char *client_mesh_of(const struct ewi_spool *spool, const struct client_found *found, struct ewi_probe *probe);
/* Claims a job in new/ or hold/, with its mesh, like a watcher. EW_OK, EWI_GONE, EWI_BUSY, or an error. */
int client_claim(const struct ewi_spool *spool, const struct client_found *found, struct ewi_job *job, ew_error *error);

/* ---- settings (client_settings.c) -------------------------------------------------------------------------------- */

/* Checks that each setting is one line. 0, or a usage error. */
int client_check_settings(const struct cli_arguments *arguments);
/* Likewise, and that a case can have the settings. */
int client_try_settings(const struct cli_arguments *arguments);
/* Writes the settings into the job's .settings; they replace those with the same keys. */
int client_set(int folder, const struct cli_arguments *arguments, ew_error *error);
/* Prints "WHAT: SETTINGS" on stderr if the folder has a .settings. */
void client_print_settings(int folder, const char *what);
/* Prints the settings that override an edited case of a failed job. */
void client_warn_overridden(int folder, const char *name);

/* ---- watchers ---------------------------------------------------------------------------------------------------- */

struct client_watcher {
    int number;
    bool alive;
    char *status; /* valid JSON, or NULL */
};

/* The watchers that have a lock or a status file; free them with client_free_watchers. */
size_t client_watchers(const struct ewi_spool *spool, struct client_watcher **watchers);
void client_free_watchers(struct client_watcher *watchers, size_t count);
bool client_is_watched(const struct ewi_spool *spool);

/* ---- waiting for a job (wait.c) ---------------------------------------------------------------------------------- */

struct client_job {
    char name[EWI_NAME], id[64];
    enum ewi_place place; /* where it was last seen */
    bool gone;            /* removed from the spool by somebody */
    int exit_code;
    char sentence[EWI_SENTENCE]; /* why it failed */
};

/* Blocks until all jobs are in done/ or failed/, or gone. Calls `ended` for each. */
void client_wait(const struct ewi_spool *spool, struct client_job *job, size_t count,
                 void (*ended)(void *context, size_t k), void *context);

#endif
