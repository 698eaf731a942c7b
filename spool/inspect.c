/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inspects the entries of new/: what they are, and whether they are complete. Entries are not trusted, so a watcher
 * leaves this to a scanner.
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

enum { NOTED = 4096, MOST_INSPECTED = 1000 };

#define WRITER_SECONDS 0.25 /* between two inspections of a file that is open for writing */
#define PAUSE_SECONDS 0.2   /* after a writer has closed a file: it may open it again */
#define STEADY_SECONDS 1.0  /* a larger difference shows that somebody has set the clock */

/* State of a file or folder at some time. */
struct ewi_state {
    dev_t device;
    ino_t inode;
    off_t size;
    double changed;
    double since; /* ewi_seconds */
};

int ewi_inspector_create(const struct ewi_spool *spool, struct ewi_inspector *inspector, ew_error *error)
{
    *inspector = (struct ewi_inspector){.spool = spool, .settle = 2.0, .mesh_wait = 60.0,
                                        .clock = ewi_now() - ewi_seconds()};
    inspector->closed = calloc(NOTED, sizeof *inspector->closed);
    inspector->seen = calloc(NOTED, sizeof *inspector->seen);
    if (inspector->closed && inspector->seen)
        return EW_OK;
    ewi_inspector_destroy(inspector);
    return ewi_fail(error, EW_ENOMEM, "not enough memory for the list of waiting jobs");
}

void ewi_inspector_destroy(struct ewi_inspector *inspector)
{
    free(inspector->closed);
    free(inspector->seen);
    inspector->closed = inspector->seen = NULL;
}

/* ---- completeness ------------------------------------------------------------------------------------------------ */

static struct ewi_state state_of(const struct stat *info, double changed)
{
    return (struct ewi_state){info->st_dev, info->st_ino, info->st_size, changed, ewi_seconds()};
}

/* Searches the latest states first. */
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

static void note_closed(struct ewi_inspector *inspector, const struct stat *info)
{
    inspector->closed[inspector->closed_count++ % NOTED] = state_of(info, ewi_seconds_of(info->st_mtim));
}

static bool was_closed(const struct ewi_inspector *inspector, const struct stat *info)
{
    struct ewi_state state = state_of(info, ewi_seconds_of(info->st_mtim));
    return find(inspector->closed, inspector->closed_count, &state) != NULL;
}

/* Seconds since we first saw the file in this state. */
static double seen_for(struct ewi_inspector *inspector, const struct stat *info, double changed)
{
    struct ewi_state state = state_of(info, changed);
    const struct ewi_state *first = find(inspector->seen, inspector->seen_count, &state);
    if (first)
        return state.since - first->since;
    inspector->seen[inspector->seen_count++ % NOTED] = state;
    return 0;
}

/* Seconds since the file changed. If somebody has set the clock, the times of files are ignored. */
static double quiet_for(struct ewi_inspector *inspector, const struct stat *info, double changed)
{
    double now = ewi_now(), seen = seen_for(inspector, info, changed);
    bool steady = fabs(now - ewi_seconds() - inspector->clock) < STEADY_SECONDS;
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

/* Seconds until the next inspection; 0: the file is complete. */
static double file_incomplete(struct ewi_inspector *inspector, const char *name, const struct stat *info)
{
    double quiet = quiet_for(inspector, info, fmax(ewi_seconds_of(info->st_mtim), ewi_seconds_of(info->st_ctim)));
    if (quiet < inspector->settle && !was_closed(inspector, info))
        return inspector->settle - quiet;
    return has_writer(inspector->spool->place[EWI_NEW], name) ? WRITER_SECONDS : 0;
}

/*
 * Seconds to wait in case the writer opens the file again: shell scripts and file servers open and close a file several
 * times. A file with incomplete contents gets more time.
 */
static double pause_left(struct ewi_inspector *inspector, const struct stat *info, bool is_whole)
{
    double needed = is_whole ? fmin(PAUSE_SECONDS, inspector->settle) : inspector->settle;
    return fmax(needed - quiet_for(inspector, info, ewi_seconds_of(info->st_mtim)), 0);
}

/* True if the last line is $End..., possibly followed by white space. */
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

/* A folder that was made in new/, not renamed into it, is complete when nothing in it has changed for a while. */
static double folder_incomplete(struct ewi_inspector *inspector, int folder, const struct stat *info,
                                const struct ewi_record *record)
{
    double newest;
    struct ewi_limits limits = {.files = MOST_INSPECTED};
    bool came_back = ewi_has_file(folder, EWI_TOKEN_FILE); /* a watcher moved it back from run/ */
    if (came_back || was_closed(inspector, info) || ewi_record_is_sealed(record, folder) ||
        ewi_walk(folder, &limits, EWI_CHECK, &newest, NULL) != EW_OK)
        return 0;
    return fmax(inspector->settle - quiet_for(inspector, info, newest), 0);
}

/* Seconds until the next attempt, even if the clock was set since the last one. */
static double retry_wait(struct ewi_inspector *inspector, const struct stat *info, const struct ewi_record *record)
{
    if (record->not_before <= 0)
        return 0;
    double left = record->delay - seen_for(inspector, info, record->not_before);
    return fmax(fmin(record->not_before - ewi_now(), left), 0);
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static void set_priority(struct ewi_entry *entry, const char *name, const struct ewi_record *record,
                         const struct ewi_probe *probe)
{
    entry->priority = probe->has_priority ? probe->priority : 0;
    ewi_name_priority(name, &entry->priority);
    if (record && record->has_priority)
        entry->priority = record->priority;
}

/* Reads the record that the service trusts. true: the job starts over. */
static bool read_record(const struct ewi_inspector *inspector, int folder, struct ewi_record *record)
{
    struct ewi_record own;
    int private = ewi_private_of(inspector->spool->place[EWI_STATE], folder, &own);
    bool again = ewi_job_starts_over(folder, private);
    ewi_record_read_submitted(folder, record);
    if (private >= 0) {
        *record = own;
        close(private);
    }
    return again;
}

static void inspect_folder(struct ewi_inspector *inspector, const struct stat *info, struct ewi_entry *entry)
{
    struct ewi_record record;
    struct ewi_probe probe = {0};
    char name[EWI_NAME];
    entry->is_job = entry->is_folder = true;
    entry->age = ewi_seconds_of(info->st_ctim);
    int folder = ewi_open_inside(inspector->spool->place[EWI_NEW], entry->name);
    if (folder < 0)
        return; /* the claim reports why */
    bool again = read_record(inspector, folder, &record);
    if (ewi_job_case(folder, name, NULL) == EW_OK)
        ewi_probe_case(folder, name, &probe);
    entry->cancelled = ewi_job_is_cancelled(folder, NULL);
    if (!entry->cancelled)
        entry->wait = fmax(again ? 0 : retry_wait(inspector, info, &record),
                           folder_incomplete(inspector, folder, info, &record));
    close(folder);
    entry->alone = !entry->cancelled && !again && ewi_record_is_suspect(&record);
    if (record.submitted > 0 && !again)
        entry->age = record.submitted;
    set_priority(entry, entry->name, &record, &probe);
}

/* Like file_incomplete, for the mesh of a case. */
static double mesh_incomplete(struct ewi_inspector *inspector, const struct stat *info, struct ewi_entry *entry)
{
    struct stat mesh;
    int folder = inspector->spool->place[EWI_NEW];
    if (fstatat(folder, entry->mesh, &mesh, AT_SYMLINK_NOFOLLOW) == 0)
        return S_ISREG(mesh.st_mode) ? fmax(file_incomplete(inspector, entry->mesh, &mesh),
                                            pause_left(inspector, &mesh, is_whole_mesh(folder, entry->mesh, &mesh)))
                                     : 0;
    double left = inspector->mesh_wait - quiet_for(inspector, info, ewi_seconds_of(info->st_ctim));
    entry->late_mesh = left <= 0;
    entry->waits_for_mesh = !entry->late_mesh;
    return fmax(left, 0);
}

static void inspect_case(struct ewi_inspector *inspector, const struct stat *info, struct ewi_entry *entry)
{
    struct ewi_probe probe;
    char base[EWI_NAME];
    entry->is_job = true;
    entry->age = ewi_seconds_of(info->st_ctim);
    entry->wait = file_incomplete(inspector, entry->name, info);
    if (entry->wait > 0)
        return;
    ewi_probe_case(inspector->spool->place[EWI_NEW], entry->name, &probe);
    set_priority(entry, ewi_case_base(entry->name, base), NULL, &probe);
    memcpy(entry->mesh, probe.mesh, sizeof entry->mesh);
    entry->no_mesh = probe.no_mesh;
    entry->wait = pause_left(inspector, info, probe.is_whole);
    if (entry->wait <= 0 && entry->mesh[0])
        entry->wait = mesh_incomplete(inspector, info, entry);
}

void ewi_inspect(struct ewi_inspector *inspector, const char *name, bool closed, struct ewi_entry *entry)
{
    struct stat info;
    *entry = (struct ewi_entry){.is_job = false};
    snprintf(entry->name, sizeof entry->name, "%s", name);
    if (fstatat(inspector->spool->place[EWI_NEW], name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    entry->exists = true;
    entry->inode = info.st_ino;
    entry->changed = ewi_seconds_of(info.st_ctim);
    if (closed)
        note_closed(inspector, &info);
    if (S_ISDIR(info.st_mode))
        inspect_folder(inspector, &info, entry);
    else if (S_ISREG(info.st_mode) && ewi_is_case(name))
        inspect_case(inspector, &info, entry);
    else if (S_ISREG(info.st_mode))
        entry->quiet = quiet_for(inspector, &info, entry->changed);
    else
        entry->is_odd = true;
}
