/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds out what an entry of new/ is and whether it is complete. This reads what a submitter wrote, so a watcher does
 * it in a process of its own.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_SETLEASE */
#endif
#include "ewi_error.h"
#include "ewi_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOTED = 4096, MOST_LOOKED_AT = 1000 };

#define WRITER_SECONDS 0.25 /* between two looks at a file that somebody has open */
#define PAUSE_SECONDS 0.2   /* in which a writer that has closed a file does not open it again */
#define STEADY_SECONDS 1.0  /* if it is off by more, somebody has set the clock */

/* A file or folder as it was at some time. */
struct ewi_state {
    dev_t device;
    ino_t inode;
    off_t size;
    double changed;
    double since; /* ewi_seconds */
};

int ewi_looker_create(const struct ewi_spool *spool, struct ewi_looker *looker, ew_error *error)
{
    *looker = (struct ewi_looker){.spool = spool, .settle = 2.0, .mesh_wait = 60.0,
                                  .clock = ewi_now() - ewi_seconds()};
    looker->closed = calloc(NOTED, sizeof *looker->closed);
    looker->seen = calloc(NOTED, sizeof *looker->seen);
    if (looker->closed && looker->seen)
        return EW_OK;
    ewi_looker_destroy(looker);
    return ewi_fail(error, EW_ENOMEM, "there is no memory for the list of waiting jobs");
}

void ewi_looker_destroy(struct ewi_looker *looker)
{
    free(looker->closed);
    free(looker->seen);
    looker->closed = looker->seen = NULL;
}

/* ---- is it complete? --------------------------------------------------------------------------------------------- */

static struct ewi_state state_of(const struct stat *info, double changed)
{
    return (struct ewi_state){info->st_dev, info->st_ino, info->st_size, changed, ewi_seconds()};
}

/* The latest one first. */
static const struct ewi_state *find(const struct ewi_state *noted, size_t count, const struct ewi_state *state)
{
    for (size_t k = 0; k < NOTED && k < count; k++) {
        const struct ewi_state *other = &noted[(count - 1 - k) % NOTED];
        if (other->inode == state->inode && other->device == state->device && other->size == state->size &&
            other->changed == state->changed)
            return other;
    }
    return NULL;
}

static void note_closed(struct ewi_looker *looker, const struct stat *info)
{
    looker->closed[looker->closed_count++ % NOTED] = state_of(info, ewi_seconds_of(info->st_mtim));
}

static bool was_closed(const struct ewi_looker *looker, const struct stat *info)
{
    struct ewi_state state = state_of(info, ewi_seconds_of(info->st_mtim));
    return find(looker->closed, looker->closed_count, &state) != NULL;
}

/* Seconds since we first saw it in this state. */
static double seen_for(struct ewi_looker *looker, const struct stat *info, double changed)
{
    struct ewi_state state = state_of(info, changed);
    const struct ewi_state *first = find(looker->seen, looker->seen_count, &state);
    if (first)
        return state.since - first->since;
    looker->seen[looker->seen_count++ % NOTED] = state;
    return 0;
}

/* Seconds since it changed. If somebody has set the clock, files' times mean nothing, and only what we saw counts. */
static double quiet_for(struct ewi_looker *looker, const struct stat *info, double changed)
{
    double now = ewi_now(), seen = seen_for(looker, info, changed);
    bool steady = fabs(now - ewi_seconds() - looker->clock) < STEADY_SECONDS;
    return steady ? fmax(seen, now - changed) : seen;
}

/* The kernel refuses a read lease while someone has the file open for writing. Not all file systems have leases. */
static bool has_writer(int folder, const char *name)
{
    int file = ewi_open_below(folder, name);
    bool refused = file >= 0 && fcntl(file, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
    ewi_close(file);
    return refused;
}

/* Seconds after which to look at it again; 0: it is complete. */
static double file_incomplete(struct ewi_looker *looker, const char *name, const struct stat *info)
{
    double quiet = quiet_for(looker, info, fmax(ewi_seconds_of(info->st_mtim), ewi_seconds_of(info->st_ctim)));
    if (quiet < looker->settle && !was_closed(looker, info))
        return looker->settle - quiet;
    return has_writer(looker->spool->place[EWI_NEW], name) ? WRITER_SECONDS : 0;
}

/*
 * Some writers, such as shell scripts and file servers, open and close a file several times. The same, since its last
 * change, for a file that is complete otherwise; one that is not whole may be in such a writer's hands for longer.
 */
static double pause_left(struct ewi_looker *looker, const struct stat *info, bool is_whole)
{
    double needed = is_whole ? fmin(PAUSE_SECONDS, looker->settle) : looker->settle;
    return fmax(needed - quiet_for(looker, info, ewi_seconds_of(info->st_mtim)), 0);
}

/* Whether its last line is $End..., with some white space behind it. */
static bool is_whole_mesh(int folder, const char *name, const struct stat *info)
{
    char end[64] = "";
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    off_t length = info->st_size < (off_t)sizeof end - 1 ? info->st_size : (off_t)sizeof end - 1;
    bool read_it = file >= 0 && pread(file, end, (size_t)length, info->st_size - length) == length;
    ewi_close(file);
    const char *last = read_it ? strrchr(end, '$') : NULL;
    return last && strncmp(last, "$End", 4) == 0;
}

/* A folder that was made in new/, not renamed into it, is complete when nothing in it changes any more. */
static double folder_incomplete(struct ewi_looker *looker, int folder, const struct stat *info,
                                const struct ewi_record *record)
{
    double newest;
    struct ewi_limits limits = {.files = MOST_LOOKED_AT};
    bool came_back = ewi_has_file(folder, EWI_TOKEN_FILE); /* by a watcher, from run/ */
    if (came_back || was_closed(looker, info) || ewi_record_is_sealed(record, folder) ||
        ewi_walk(folder, &limits, EWI_LOOK, &newest, NULL) != EW_OK)
        return 0;
    return fmax(looker->settle - quiet_for(looker, info, newest), 0);
}

/* Seconds until the next attempt, however the clock was set since the last one. */
static double retry_wait(struct ewi_looker *looker, const struct stat *info, const struct ewi_record *record)
{
    if (record->not_before <= 0)
        return 0;
    double left = record->delay - seen_for(looker, info, record->not_before);
    return fmax(fmin(record->not_before - ewi_now(), left), 0);
}

/* ---- what it is -------------------------------------------------------------------------------------------------- */

static void set_priority(struct ewi_seen *seen, const char *name, const struct ewi_record *record,
                         const struct ewi_probe *probe)
{
    seen->priority = probe->has_priority ? probe->priority : 0;
    ewi_name_priority(name, &seen->priority);
    if (record && record->has_priority)
        seen->priority = record->priority;
}

/* Reads the record that the service believes; whether the job starts anew. */
static bool read_record(const struct ewi_looker *looker, int folder, struct ewi_record *record)
{
    struct ewi_record own;
    int private = ewi_private_of(looker->spool->place[EWI_STATE], folder, &own);
    bool again = ewi_job_is_anew(folder, private);
    ewi_record_read_submitted(folder, record);
    if (private >= 0) {
        *record = own;
        close(private);
    }
    return again;
}

static void look_at_folder(struct ewi_looker *looker, const struct stat *info, struct ewi_seen *seen)
{
    struct ewi_record record;
    struct ewi_probe probe = {0};
    char name[EWI_NAME], sentence[EWI_SENTENCE];
    seen->is_job = seen->is_folder = true;
    seen->age = ewi_seconds_of(info->st_ctim);
    int folder = ewi_open_inside(looker->spool->place[EWI_NEW], seen->name);
    if (folder < 0)
        return; /* the claim reports why */
    bool again = read_record(looker, folder, &record);
    if (ewi_job_case(folder, name, NULL) == EW_OK)
        ewi_probe_case(folder, name, &probe);
    seen->cancelled = ewi_job_is_cancelled(folder, sentence);
    if (!seen->cancelled)
        seen->wait = fmax(again ? 0 : retry_wait(looker, info, &record),
                          folder_incomplete(looker, folder, info, &record));
    close(folder);
    seen->alone = !seen->cancelled && !again && ewi_record_is_suspect(&record);
    if (record.submitted > 0 && !again)
        seen->age = record.submitted;
    set_priority(seen, seen->name, &record, &probe);
}

/* As file_incomplete. */
static double mesh_incomplete(struct ewi_looker *looker, const struct stat *info, struct ewi_seen *seen)
{
    struct stat mesh;
    int folder = looker->spool->place[EWI_NEW];
    if (fstatat(folder, seen->mesh, &mesh, AT_SYMLINK_NOFOLLOW) == 0)
        return S_ISREG(mesh.st_mode) ? fmax(file_incomplete(looker, seen->mesh, &mesh),
                                            pause_left(looker, &mesh, is_whole_mesh(folder, seen->mesh, &mesh)))
                                     : 0;
    double left = looker->mesh_wait - quiet_for(looker, info, ewi_seconds_of(info->st_ctim));
    seen->late_mesh = left <= 0;
    seen->waits_for_mesh = !seen->late_mesh;
    return fmax(left, 0);
}

static void look_at_case(struct ewi_looker *looker, const struct stat *info, struct ewi_seen *seen)
{
    struct ewi_probe probe;
    char base[EWI_NAME];
    seen->is_job = true;
    seen->age = ewi_seconds_of(info->st_ctim);
    seen->wait = file_incomplete(looker, seen->name, info);
    if (seen->wait > 0)
        return;
    ewi_probe_case(looker->spool->place[EWI_NEW], seen->name, &probe);
    set_priority(seen, ewi_case_base(seen->name, base), NULL, &probe);
    memcpy(seen->mesh, probe.mesh, sizeof seen->mesh);
    seen->no_mesh = probe.no_mesh;
    seen->wait = pause_left(looker, info, probe.is_whole);
    if (seen->wait <= 0 && seen->mesh[0])
        seen->wait = mesh_incomplete(looker, info, seen);
}

void ewi_look(struct ewi_looker *looker, const char *name, bool closed, struct ewi_seen *seen)
{
    struct stat info;
    *seen = (struct ewi_seen){.is_job = false};
    snprintf(seen->name, sizeof seen->name, "%s", name);
    if (fstatat(looker->spool->place[EWI_NEW], name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    seen->is_there = true;
    seen->inode = info.st_ino;
    seen->changed = ewi_seconds_of(info.st_ctim);
    if (closed)
        note_closed(looker, &info);
    if (S_ISDIR(info.st_mode))
        look_at_folder(looker, &info, seen);
    else if (S_ISREG(info.st_mode) && ewi_is_case(name))
        look_at_case(looker, &info, seen);
    else if (S_ISREG(info.st_mode))
        seen->quiet = quiet_for(looker, &info, seen->changed);
    else
        seen->is_odd = true;
}
