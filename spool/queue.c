/*
 * What waits in new/. The folder is the truth: what is here is a note of what was seen in it, and whoever claims finds out.
 * At most MOST_KEPT jobs are noted, the first ones in order; those behind them are found by a later scan.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_SETLEASE */
#endif
#include "ewi_error.h"
#include "ewi_spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_KEPT = 16384, CLOSED = 4096, TOLD = 512, MOST_LOOKED_AT = 1000 };

#define WRITER_SECONDS 0.25   /* between two looks at a file that somebody has open */
#define STRAY_WAITS 5.0       /* times mesh_wait: a file that no case names is mentioned */

struct ewi_closed {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec modified;
};

struct ewi_told {
    ino_t inode;
    struct timespec changed;
};

int ewi_queue_create(const struct ewi_spool *spool, struct ewi_queue *queue, ew_error *error)
{
    *queue = (struct ewi_queue){.spool = spool, .settle = 2.0, .mesh_wait = 60.0, .before = INFINITY};
    queue->closed = calloc(CLOSED, sizeof *queue->closed);
    queue->told = calloc(TOLD, sizeof *queue->told);
    if (queue->closed && queue->told)
        return EW_OK;
    ewi_queue_destroy(queue);
    return ewi_fail(error, EW_ENOMEM, "there is no memory for the list of what waits");
}

void ewi_waiting_free(struct ewi_waiting *waiting)
{
    free(waiting->name);
    free(waiting->mesh);
    waiting->name = waiting->mesh = NULL;
}

static void clear(struct ewi_queue *queue)
{
    for (size_t k = 0; k < queue->count; k++)
        ewi_waiting_free(&queue->waiting[k]);
    queue->count = 0;
    queue->truncated = false;
}

void ewi_queue_destroy(struct ewi_queue *queue)
{
    clear(queue);
    free(queue->waiting);
    free(queue->closed);
    free(queue->told);
    *queue = (struct ewi_queue){0};
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* The next one last. */
static int compare(const void *left, const void *right)
{
    const struct ewi_waiting *a = left, *b = right;
    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    if (a->age != b->age)
        return a->age > b->age ? -1 : 1;
    return strcmp(b->name, a->name);
}

void ewi_queue_sort(struct ewi_queue *queue)
{
    if (queue->unsorted)
        qsort(queue->waiting, queue->count, sizeof *queue->waiting, compare);
    queue->unsorted = false;
}

/* The later half is left to a later scan. */
static void truncate_queue(struct ewi_queue *queue)
{
    ewi_queue_sort(queue);
    for (size_t k = 0; k < MOST_KEPT; k++)
        ewi_waiting_free(&queue->waiting[k]);
    queue->count -= MOST_KEPT;
    memmove(queue->waiting, queue->waiting + MOST_KEPT, queue->count * sizeof *queue->waiting);
    queue->truncated = true;
}

/* NULL without memory: a later scan finds the job again. */
static struct ewi_waiting *add(struct ewi_queue *queue, const char *name)
{
    if (queue->count == 2 * MOST_KEPT)
        truncate_queue(queue);
    if (queue->count == queue->room) {
        size_t room = queue->room > 0 ? 2 * queue->room : 64;
        struct ewi_waiting *larger = realloc(queue->waiting, room * sizeof *larger);
        if (!larger)
            goto out;
        queue->waiting = larger;
        queue->room = room;
    }
    struct ewi_waiting *waiting = &queue->waiting[queue->count];
    *waiting = (struct ewi_waiting){.name = strdup(name)};
    if (!waiting->name)
        goto out;
    queue->count++;
    queue->unsorted = true;
    return waiting;
out:
    queue->truncated = true;
    return NULL;
}

static void drop(struct ewi_queue *queue, size_t k)
{
    ewi_waiting_free(&queue->waiting[k]);
    memmove(queue->waiting + k, queue->waiting + k + 1, (--queue->count - k) * sizeof *queue->waiting);
}

/* ---- is it complete? --------------------------------------------------------------------------------------------- */

static double seconds_of(struct timespec time)
{
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static void note_closed(struct ewi_queue *queue, const struct stat *info)
{
    queue->closed[queue->closed_at++ % CLOSED] = (struct ewi_closed){
        .device = info->st_dev, .inode = info->st_ino, .size = info->st_size, .modified = info->st_mtim};
}

static bool was_closed(const struct ewi_queue *queue, const struct stat *info)
{
    for (size_t k = 0; k < CLOSED && k < queue->closed_at; k++) {
        const struct ewi_closed *closed = &queue->closed[(queue->closed_at - 1 - k) % CLOSED];
        if (closed->inode == info->st_ino && closed->device == info->st_dev && closed->size == info->st_size &&
            same_time(closed->modified, info->st_mtim))
            return true;
    }
    return false;
}

/* A read lease is refused while someone has the file open for writing; where there are none, nobody knows. */
static bool has_writer(int folder, const char *name)
{
#ifdef F_SETLEASE
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    bool refused = fcntl(file, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
    close(file);
    return refused;
#else
    (void)folder, (void)name;
    return false;
#endif
}

/* When the file can be taken for complete: 0, now; or a later look is needed at that time. */
static double file_complete(const struct ewi_queue *queue, const char *name, const struct stat *info)
{
    double now = ewi_now(), newest = fmax(seconds_of(info->st_mtim), seconds_of(info->st_ctim));
    if (newest > now)
        newest = now; /* another host's clock */
    if (now - newest < queue->settle && !was_closed(queue, info))
        return newest + queue->settle;
    return has_writer(queue->spool->place[EWI_NEW], name) ? now + WRITER_SECONDS : 0;
}

/* A folder that was not renamed into new/ but made there has settled when nothing in it changes any more. */
static double folder_complete(const struct ewi_queue *queue, int folder, const struct stat *info)
{
    struct ewi_tree tree;
    struct ewi_limits limits = {.files = MOST_LOOKED_AT};
    struct stat lock;
    double now = ewi_now();
    bool came_back = fstatat(folder, EWI_LOCK_FILE, &lock, AT_SYMLINK_NOFOLLOW) == 0; /* by a watcher, from run/ */
    if (came_back || was_closed(queue, info) || ewi_walk(folder, &limits, EWI_LOOK, &tree, NULL) != EW_OK)
        return 0;
    return tree.newest <= now && now - tree.newest < queue->settle ? tree.newest + queue->settle : 0;
}

/* ---- what an entry is -------------------------------------------------------------------------------------------- */

static bool is_case(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".cfg") == 0;
}

static void set_priority(struct ewi_waiting *waiting, const char *name, const struct ewi_record *record,
                         const struct ewi_peek *peek)
{
    waiting->priority = peek->has_priority ? peek->priority : 0;
    ewi_name_priority(name, &waiting->priority);
    if (record && record->has_priority)
        waiting->priority = record->priority;
}

static void look_at_folder(const struct ewi_queue *queue, const struct stat *info, struct ewi_waiting *waiting)
{
    struct ewi_record record = {0};
    struct ewi_peek peek = {0};
    waiting->kind = EWI_FOLDER;
    int folder = openat(queue->spool->place[EWI_NEW], waiting->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (folder < 0)
        return; /* the claim will tell */
    ewi_record_read(folder, &record);
    char name[EWI_NAME];
    if (ewi_job_case(folder, name, NULL) == EW_OK)
        ewi_peek_case(folder, name, &peek);
    struct stat failure;
    bool again = fstatat(folder, EWI_ERROR_FILE, &failure, AT_SYMLINK_NOFOLLOW) == 0; /* see ewi_claim_folder */
    waiting->not_before = fmax(again ? 0 : record.not_before, folder_complete(queue, folder, info));
    close(folder);
    waiting->age = record.submitted > 0 && !again ? record.submitted : seconds_of(info->st_ctim);
    set_priority(waiting, waiting->name, &record, &peek);
}

/* When the mesh is there and complete, as file_complete. */
static double mesh_complete(const struct ewi_queue *queue, struct ewi_waiting *waiting, const struct stat *info)
{
    struct stat mesh;
    if (fstatat(queue->spool->place[EWI_NEW], waiting->mesh, &mesh, AT_SYMLINK_NOFOLLOW) == 0)
        return S_ISREG(mesh.st_mode) ? file_complete(queue, waiting->mesh, &mesh) : 0;
    waiting->mesh_until = fmin(seconds_of(info->st_ctim), ewi_now()) + queue->mesh_wait;
    waiting->late_mesh = ewi_now() >= waiting->mesh_until;
    return waiting->late_mesh ? 0 : waiting->mesh_until;
}

static void look_at_case(const struct ewi_queue *queue, const struct stat *info, struct ewi_waiting *waiting)
{
    struct ewi_peek peek;
    waiting->kind = EWI_CASE;
    waiting->age = seconds_of(info->st_ctim);
    waiting->not_before = file_complete(queue, waiting->name, info);
    if (waiting->not_before > 0)
        return;
    ewi_peek_case(queue->spool->place[EWI_NEW], waiting->name, &peek);
    char base[EWI_NAME];
    snprintf(base, sizeof base, "%.*s", (int)strlen(waiting->name) - 4, waiting->name);
    set_priority(waiting, base, NULL, &peek);
    if (!peek.mesh[0])
        return;
    waiting->mesh = strdup(peek.mesh);
    waiting->not_before = waiting->mesh ? mesh_complete(queue, waiting, info) : ewi_now() + 1.0;
}

static void tell_once(struct ewi_queue *queue, const char *name, const struct stat *info, const char *sentence)
{
    for (size_t k = 0; k < TOLD; k++)
        if (queue->told[k].inode == info->st_ino && same_time(queue->told[k].changed, info->st_ctim))
            return;
    queue->told[queue->told_at++ % TOLD] = (struct ewi_told){.inode = info->st_ino, .changed = info->st_ctim};
    if (queue->tell)
        queue->tell(queue->context, name, sentence);
}

/* The cases that wait for this mesh are looked at again at once. */
static void mesh_came(struct ewi_queue *queue, const char *name)
{
    for (size_t k = 0; k < queue->count; k++)
        if (queue->waiting[k].mesh && strcmp(queue->waiting[k].mesh, name) == 0)
            queue->waiting[k].not_before = fmin(queue->waiting[k].not_before, ewi_now());
}

/* Whether it is a job; then it is in the queue. */
static bool look_at(struct ewi_queue *queue, const char *name, const struct stat *info)
{
    bool folder = S_ISDIR(info->st_mode), file = S_ISREG(info->st_mode);
    if (!folder && !file)
        tell_once(queue, name, info, "it is neither a file nor a folder and is left alone");
    if (!folder && !(file && is_case(name)))
        return false;
    struct ewi_waiting *waiting = add(queue, name);
    if (waiting && folder)
        look_at_folder(queue, info, waiting);
    else if (waiting)
        look_at_case(queue, info, waiting);
    if (waiting && waiting->not_before <= ewi_now())
        waiting->not_before = 0;
    if (waiting && waiting->age > queue->before)
        drop(queue, queue->count - 1);
    return true;
}

static bool is_hidden(const char *name)
{
    return name[0] == '.';
}

void ewi_queue_consider(struct ewi_queue *queue, const char *name, bool closed)
{
    struct stat info;
    if (is_hidden(name))
        return;
    for (size_t k = queue->count; k-- > 0;)
        if (strcmp(queue->waiting[k].name, name) == 0)
            drop(queue, k);
    if (fstatat(queue->spool->place[EWI_NEW], name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    if (closed)
        note_closed(queue, &info);
    if (!look_at(queue, name, &info))
        mesh_came(queue, name);
}

/* ---- scanning ---------------------------------------------------------------------------------------------------- */

static bool is_named(const struct ewi_queue *queue, const char *mesh)
{
    for (size_t k = 0; k < queue->count; k++)
        if (queue->waiting[k].mesh && strcmp(queue->waiting[k].mesh, mesh) == 0)
            return true;
    return false;
}

/* Old files that no case names: somebody may wonder why nothing happens. */
static void mention_strays(struct ewi_queue *queue, DIR *entries)
{
    rewinddir(entries);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        struct stat info;
        if (is_hidden(entry->d_name) || is_case(entry->d_name) ||
            fstatat(dirfd(entries), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode) ||
            ewi_now() - seconds_of(info.st_ctim) < STRAY_WAITS * queue->mesh_wait || is_named(queue, entry->d_name))
            continue;
        tell_once(queue, entry->d_name, &info, "no case in new/ names this file; it is left alone");
    }
}

int ewi_queue_scan(struct ewi_queue *queue, ew_error *error)
{
    int copy = openat(queue->spool->place[EWI_NEW], ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    if (!entries) {
        int reason = errno;
        if (copy >= 0)
            close(copy);
        return ewi_fail(error, EW_EIO, "cannot read new/: %s", strerror(reason));
    }
    clear(queue);
    size_t others = 0;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        struct stat info;
        if (is_hidden(entry->d_name) || fstatat(dirfd(entries), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        others += !look_at(queue, entry->d_name, &info);
    }
    if (others > 0 && !queue->truncated)
        mention_strays(queue, entries);
    closedir(entries);
    return EW_OK;
}

/* ---- taking ------------------------------------------------------------------------------------------------------ */

static bool is_shared(const struct ewi_queue *queue, const char *mesh)
{
    return mesh && is_named(queue, mesh);
}

/* What was not complete when it was seen is looked at again before it is handed out. */
static bool was_delayed(const struct ewi_waiting *waiting)
{
    return waiting->not_before > 0;
}

bool ewi_queue_next(struct ewi_queue *queue, struct ewi_waiting *next)
{
    ewi_queue_sort(queue);
    double now = ewi_now();
    for (size_t k = queue->count; k-- > 0;) {
        struct ewi_waiting *waiting = &queue->waiting[k];
        if (waiting->not_before > now)
            continue;
        if (was_delayed(waiting)) {
            char name[EWI_NAME];
            snprintf(name, sizeof name, "%s", waiting->name);
            ewi_queue_consider(queue, name, false);
            ewi_queue_sort(queue);
            k = queue->count;
            now = ewi_now();
            if (k > 0)
                continue;
            break;
        }
        *next = *waiting;
        memmove(queue->waiting + k, queue->waiting + k + 1, (--queue->count - k) * sizeof *queue->waiting);
        next->shared_mesh = is_shared(queue, next->mesh);
        return true;
    }
    return false;
}

double ewi_queue_when(const struct ewi_queue *queue)
{
    double when = INFINITY;
    for (size_t k = 0; k < queue->count; k++)
        when = fmin(when, queue->waiting[k].not_before);
    return when;
}
