/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The queue: a list of the jobs in new/. It may be out of date; the folder is authoritative, and a claim may fail. The
 * list has the first MOST_WAITING jobs in order; a later scan finds the rest.
 *
 * ewi_queue_consider and scans add questions: names of entries to inspect. A watcher's scanner, or the caller itself
 * (see ewi_queue_scan), inspects each name of ewi_queue_question and answers by ewi_queue_answer, in the same order.
 */
#include "ewi_error.h"
#include "ewi_spool.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WAITING = 16384, REPORTED = 512, MOST_QUESTIONS = 4096, QUESTIONS_OF_SCAN = 256, MOST_STRAYS = 512 };

#define STRAY_WAITS 5.0 /* times mesh_wait: age at which we report a file that no case names */

struct ewi_reported {
    ino_t inode;
    double changed;
};

struct ewi_stray {
    struct ewi_reported file;
    char name[EWI_NAME];
};

int ewi_queue_create(const struct ewi_spool *spool, struct ewi_queue *queue, ew_error *error)
{
    *queue = (struct ewi_queue){.before = INFINITY};
    TRY(ewi_inspector_create(spool, &queue->inspector, error));
    queue->question = calloc(MOST_QUESTIONS, sizeof *queue->question);
    queue->reported = calloc(REPORTED, sizeof *queue->reported);
    queue->stray = calloc(MOST_STRAYS, sizeof *queue->stray);
    if (queue->question && queue->reported && queue->stray)
        return EW_OK;
    ewi_queue_destroy(queue);
    return ewi_fail(error, EW_ENOMEM, "not enough memory for the list of waiting jobs");
}

void ewi_waiting_free(struct ewi_waiting *waiting)
{
    free(waiting->name);
    free(waiting->mesh);
}

static void clear(struct ewi_list *list)
{
    for (size_t k = 0; k < list->count; k++)
        ewi_waiting_free(&list->waiting[k]);
    list->count = 0;
    list->truncated = false;
}

static void end_scan(struct ewi_queue *queue)
{
    if (queue->entries)
        closedir(queue->entries);
    queue->entries = NULL;
}

void ewi_queue_destroy(struct ewi_queue *queue)
{
    end_scan(queue);
    clear(&queue->list);
    clear(&queue->scanned);
    free(queue->list.waiting);
    free(queue->scanned.waiting);
    free(queue->question);
    free(queue->reported);
    free(queue->stray);
    ewi_inspector_destroy(&queue->inspector);
    *queue = (struct ewi_queue){0};
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* Orders the next job last. */
static int compare(const void *left, const void *right)
{
    const struct ewi_waiting *a = left, *b = right;
    if (a->cancelled != b->cancelled)
        return a->cancelled ? 1 : -1;
    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    if (a->age != b->age)
        return a->age > b->age ? -1 : 1;
    return strcmp(b->name, a->name);
}

static void sort(struct ewi_list *list)
{
    if (list->unsorted)
        qsort(list->waiting, list->count, sizeof *list->waiting, compare);
    list->unsorted = false;
}

void ewi_queue_sort(struct ewi_queue *queue)
{
    sort(&queue->list);
}

/* Leaves the later half to a later scan. */
static void truncate_list(struct ewi_list *list)
{
    sort(list);
    for (size_t k = 0; k < MOST_WAITING; k++)
        ewi_waiting_free(&list->waiting[k]);
    list->count -= MOST_WAITING;
    memmove(list->waiting, list->waiting + MOST_WAITING, list->count * sizeof *list->waiting);
    list->truncated = true;
}

/* Without memory, NULL: a later scan finds the job again. */
static struct ewi_waiting *add(struct ewi_list *list, const char *name)
{
    if (list->count == 2 * MOST_WAITING)
        truncate_list(list);
    if (list->count == list->room) {
        size_t room = 2 * list->room + 64;
        struct ewi_waiting *larger = realloc(list->waiting, room * sizeof *larger);
        list->waiting = larger ? larger : list->waiting;
        list->room = larger ? room : list->room;
    }
    char *copy = list->count < list->room ? strdup(name) : NULL;
    list->truncated = list->truncated || !copy;
    if (!copy)
        return NULL;
    list->waiting[list->count] = (struct ewi_waiting){.name = copy};
    list->unsorted = true;
    return &list->waiting[list->count++];
}

static struct ewi_waiting take_out(struct ewi_list *list, size_t k)
{
    struct ewi_waiting waiting = list->waiting[k];
    memmove(list->waiting + k, list->waiting + k + 1, (--list->count - k) * sizeof waiting);
    return waiting;
}

static void drop_name(struct ewi_list *list, const char *name)
{
    for (size_t k = list->count; k-- > 0;)
        if (strcmp(list->waiting[k].name, name) == 0) {
            struct ewi_waiting dropped = take_out(list, k);
            ewi_waiting_free(&dropped);
        }
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

static void ask(struct ewi_queue *queue, const char *name, bool closed, bool scanned)
{
    if (name[0] == '.')
        return;
    if (queue->question_count == MOST_QUESTIONS) {
        queue->lost = true;
        return;
    }
    size_t last = (queue->question_first + queue->question_count++) % MOST_QUESTIONS;
    struct ewi_question *question = &queue->question[last];
    *question = (struct ewi_question){.closed = closed, .scanned = scanned};
    snprintf(question->name, sizeof question->name, "%s", name);
}

void ewi_queue_consider(struct ewi_queue *queue, const char *name, bool closed)
{
    ask(queue, name, closed, false);
}

const struct ewi_question *ewi_queue_question(const struct ewi_queue *queue, size_t k)
{
    return k < queue->question_count ? &queue->question[(queue->question_first + k) % MOST_QUESTIONS] : NULL;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

bool ewi_queue_report_once(struct ewi_queue *queue, ino_t inode, double changed)
{
    for (size_t k = 0; k < REPORTED; k++)
        if (queue->reported[k].inode == inode && queue->reported[k].changed == changed)
            return false;
    queue->reported[queue->reported_at++ % REPORTED] = (struct ewi_reported){.inode = inode, .changed = changed};
    return true;
}

static void report(struct ewi_queue *queue, const char *name, struct ewi_reported file, const char *sentence)
{
    if (ewi_queue_report_once(queue, file.inode, file.changed) && queue->report)
        queue->report(queue->context, name, sentence);
}

static void note_job(struct ewi_queue *queue, struct ewi_list *list, const struct ewi_entry *entry)
{
    if (entry->age > queue->before)
        return;
    struct ewi_waiting *waiting = add(list, entry->name);
    if (!waiting)
        return;
    waiting->kind = entry->is_folder ? EWI_FOLDER : EWI_CASE;
    waiting->priority = entry->priority;
    waiting->age = entry->age;
    waiting->not_before = entry->wait > 0 ? ewi_seconds() + entry->wait : 0;
    waiting->late_mesh = entry->late_mesh;
    waiting->waits_for_mesh = entry->waits_for_mesh;
    waiting->no_mesh = entry->no_mesh;
    waiting->alone = entry->alone;
    waiting->cancelled = entry->cancelled;
    waiting->mesh = entry->mesh[0] ? strdup(entry->mesh) : NULL;
    if (entry->mesh[0] && !waiting->mesh)
        waiting->not_before = ewi_seconds() + 1.0;
}

/* Makes cases that wait for this mesh due at once. */
static void mesh_came(struct ewi_list *list, const char *name)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->waiting[k].mesh && list->waiting[k].not_before > 0 && strcmp(list->waiting[k].mesh, name) == 0)
            list->waiting[k].not_before = fmin(list->waiting[k].not_before, ewi_seconds());
}

static void note_stray(struct ewi_queue *queue, const struct ewi_entry *entry)
{
    if (entry->quiet < STRAY_WAITS * queue->inspector.mesh_wait || queue->strays == MOST_STRAYS)
        return;
    struct ewi_stray *stray = &queue->stray[queue->strays++];
    stray->file = (struct ewi_reported){.inode = entry->inode, .changed = entry->changed};
    memcpy(stray->name, entry->name, sizeof stray->name);
}

static void note_other(struct ewi_queue *queue, const struct ewi_entry *entry)
{
    if (entry->is_odd)
        report(queue, entry->name, (struct ewi_reported){.inode = entry->inode, .changed = entry->changed},
               "it is neither a file nor a folder and is left alone");
    else
        note_stray(queue, entry);
    mesh_came(&queue->list, entry->name);
    mesh_came(&queue->scanned, entry->name);
}

void ewi_queue_answer(struct ewi_queue *queue, const struct ewi_entry *entry)
{
    bool scanned = queue->question[queue->question_first].scanned;
    queue->question_first = (queue->question_first + 1) % MOST_QUESTIONS;
    queue->question_count--;
    if (!scanned) {
        drop_name(&queue->list, entry->name);
        drop_name(&queue->scanned, entry->name);
    }
    if (entry->is_job && (scanned || queue->entries))
        note_job(queue, &queue->scanned, entry);
    if (entry->is_job && !scanned)
        note_job(queue, &queue->list, entry);
    if (entry->exists && !entry->is_job)
        note_other(queue, entry);
}

/* ---- scanning ---------------------------------------------------------------------------------------------------- */

static bool is_named(const struct ewi_queue *queue, const char *mesh)
{
    for (size_t k = 0; k < queue->list.count; k++)
        if (queue->list.waiting[k].mesh && strcmp(queue->list.waiting[k].mesh, mesh) == 0)
            return true;
    return false;
}

/* Reports old files that no case names: a user may wonder why nothing happens. */
static void report_strays(struct ewi_queue *queue)
{
    for (size_t k = 0; k < queue->strays && !queue->list.truncated; k++)
        if (!is_named(queue, queue->stray[k].name))
            report(queue, queue->stray[k].name, queue->stray[k].file,
                   "no case in new/ names this file; it is left alone");
}

int ewi_queue_begin_scan(struct ewi_queue *queue, ew_error *error)
{
    end_scan(queue);
    queue->entries = ewi_open_entries(queue->inspector.spool->place[EWI_NEW]);
    if (!queue->entries)
        return ewi_fail(error, EW_EIO, "cannot read new/: %s", strerror(errno));
    clear(&queue->scanned);
    queue->strays = 0;
    queue->scanned_all = queue->lost = false;
    return EW_OK;
}

static void replace_list(struct ewi_queue *queue)
{
    struct ewi_list old = queue->list;
    queue->list = queue->scanned;
    queue->scanned = old;
    clear(&queue->scanned);
    end_scan(queue);
    report_strays(queue);
}

/* Ignores open questions of ewi_queue_consider; their answers are added to both lists. */
static bool scan_is_answered(const struct ewi_queue *queue)
{
    for (size_t k = 0; k < queue->question_count; k++)
        if (ewi_queue_question(queue, k)->scanned)
            return false;
    return true;
}

void ewi_queue_continue(struct ewi_queue *queue)
{
    if (!queue->entries)
        return;
    while (!queue->scanned_all && queue->question_count < QUESTIONS_OF_SCAN) {
        const struct dirent *entry = readdir(queue->entries);
        queue->scanned_all = !entry;
        if (entry)
            ask(queue, entry->d_name, false, true);
    }
    if (queue->scanned_all && scan_is_answered(queue))
        replace_list(queue);
}

int ewi_queue_scan(struct ewi_queue *queue, ew_error *error)
{
    struct ewi_entry entry;
    int status = ewi_queue_begin_scan(queue, error);
    while (status == EW_OK && queue->entries) {
        ewi_queue_continue(queue);
        for (const struct ewi_question *question; (question = ewi_queue_question(queue, 0));) {
            ewi_inspect(&queue->inspector, question->name, question->closed, &entry);
            ewi_queue_answer(queue, &entry);
        }
    }
    return status;
}

/* ---- taking ------------------------------------------------------------------------------------------------------ */

/* The next job, or NULL. Asks again about jobs that were incomplete when they were inspected. */
static struct ewi_waiting *find_next(struct ewi_queue *queue, bool alone)
{
    double now = ewi_seconds();
    sort(&queue->list);
    for (size_t k = queue->list.count; k-- > 0;) {
        struct ewi_waiting *waiting = &queue->list.waiting[k];
        if (waiting->not_before > now || waiting->pending)
            continue;
        if (waiting->not_before > 0) {
            waiting->pending = true;
            ask(queue, waiting->name, false, false);
        } else if (alone || !waiting->alone) {
            return waiting;
        }
    }
    return NULL;
}

bool ewi_queue_next_is_alone(struct ewi_queue *queue)
{
    const struct ewi_waiting *next = find_next(queue, true);
    return next && next->alone;
}

bool ewi_queue_next_is_cancelled(struct ewi_queue *queue)
{
    const struct ewi_waiting *next = find_next(queue, true);
    return next && next->cancelled;
}

bool ewi_queue_next(struct ewi_queue *queue, bool alone, struct ewi_waiting *next)
{
    const struct ewi_waiting *found = find_next(queue, alone);
    if (!found)
        return false;
    *next = take_out(&queue->list, (size_t)(found - queue->list.waiting));
    next->shared_mesh = next->mesh && is_named(queue, next->mesh);
    return true;
}

double ewi_queue_wake(const struct ewi_queue *queue, bool alone)
{
    double when = INFINITY;
    for (size_t k = 0; k < queue->list.count; k++) {
        const struct ewi_waiting *waiting = &queue->list.waiting[k];
        if (!waiting->pending && (alone || !waiting->alone || waiting->not_before > 0))
            when = fmin(when, waiting->not_before);
    }
    return when;
}
