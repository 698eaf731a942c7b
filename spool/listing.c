/* SPDX-License-Identifier: BSD-2-Clause */
/* Collects the jobs and watchers of a spool. No file in it is trusted. */
#include "listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SETTINGS = 8, LONGEST_SETTING = 100 };

const struct listing_place listing_places[LISTING_PLACES] = {
    {EWI_RUN, "running"}, {EWI_NEW, "waiting"}, {EWI_HOLD, "held"}, {EWI_FAILED, "failed"}, {EWI_DONE, "done"}};

static char *append_setting(char *text, const char *setting, int number)
{
    const char *comma = text ? ", " : "", *before = text ? text : "";
    bool is_long = strlen(setting) > LONGEST_SETTING;
    char *longer = number < MOST_SETTINGS
                       ? cli_format("%s%s%.*s%s", before, comma, LONGEST_SETTING, setting, is_long ? "..." : "")
                       : cli_format("%s, ...", before);
    free(text);
    return longer;
}

/* Reads the first settings of a job and shortens long ones: the file is not trusted. NULL: it has none. */
static char *read_settings(int folder)
{
    struct ewi_settings settings;
    char *text = NULL;
    int count = 0;
    if (ewi_settings_read(folder, &settings, NULL) != EW_OK)
        return NULL;
    for (size_t k = 0; k < settings.count && count <= MOST_SETTINGS; k++)
        if (strcmp(settings.setting[k], EWI_NO_SWEEP) != 0)
            text = append_setting(text, settings.setting[k], count++);
    ewi_settings_free(&settings);
    return text;
}

static void read_job(struct listing *listing, enum ewi_place place, struct listing_job *job)
{
    struct ewi_record record;
    int folder = ewi_open_inside(listing->spool->place[place], job->name);
    if (folder < 0)
        return;
    ewi_record_read(folder, &record);
    job->attempts = record.attempts;
    job->exit_code = record.exit_code;
    job->submitted = record.submitted;
    memcpy(job->id, record.id, sizeof job->id);
    if (place == EWI_FAILED)
        job->sentence = client_first_line(folder, EWI_ERROR_FILE);
    else if (record.reason[0])
        job->sentence = cli_copy(record.reason);
    job->cancelled = (place == EWI_RUN || place == EWI_NEW) && ewi_job_is_cancelled(folder, NULL);
    job->settings = read_settings(folder);
    listing->has_settings[place] = listing->has_settings[place] || job->settings;
    close(folder);
}

static int compare_times(const void *left, const void *right)
{
    double a = ((const struct client_entry *)left)->changed, b = ((const struct client_entry *)right)->changed;
    return (a < b) - (a > b);
}

static struct listing_job *add_jobs(struct listing *listing, enum ewi_place place, size_t count, size_t most)
{
    listing->shown[place] = most == 0 || count < most ? count : most;
    return listing->job[place] = cli_allocate((count + 1) * sizeof *listing->job[place]);
}

static void collect_place(struct listing *listing, enum ewi_place place, size_t most)
{
    struct client_list *list = &listing->list[place];
    if (list->count > 0 && (place == EWI_DONE || place == EWI_FAILED))
        qsort(list->entry, list->count, sizeof *list->entry, compare_times);
    struct listing_job *job = add_jobs(listing, place, list->count, most);
    for (size_t k = 0; k < listing->shown[place]; k++, job++) {
        *job = (struct listing_job){.name = list->entry[k].name, .since = list->entry[k].changed,
                                    .folder = list->entry[k].folder, .fraction = NAN, .time = NAN, .step = NAN,
                                    .rate = NAN, .left = NAN};
        if (list->entry[k].folder)
            read_job(listing, place, job);
    }
}

/* Adds the waiting jobs in the order in which they will run. The next job is last in the queue. */
static void collect_waiting(struct listing *listing, size_t most)
{
    size_t all = listing->queue->list.count;
    double clock = ewi_now() - ewi_seconds();
    struct listing_job *job = add_jobs(listing, EWI_NEW, all, most);
    for (size_t k = 0; k < listing->shown[EWI_NEW]; k++, job++) {
        const struct ewi_waiting *waiting = &listing->queue->list.waiting[all - 1 - k];
        *job = (struct listing_job){.name = waiting->name, .since = waiting->age, .priority = waiting->priority,
                                    .not_before = waiting->not_before > 0 ? waiting->not_before + clock : 0,
                                    .waits_for_mesh = waiting->waits_for_mesh,
                                    .folder = waiting->kind == EWI_FOLDER};
        if (waiting->kind == EWI_FOLDER)
            read_job(listing, EWI_NEW, job);
    }
}

static void note_progress(struct listing *listing, const char *worker, const char *host)
{
    char name[EWI_NAME];
    double started = cli_json_number_of(worker, "started");
    if (!cli_json_get_text(cli_json_member(worker, "job"), name, sizeof name))
        return;
    for (struct listing_job *job = listing->job[EWI_RUN]; job < listing->job[EWI_RUN] + listing->shown[EWI_RUN]; job++)
        if (strcmp(job->name, name) == 0) {
            job->host = host;
            job->fraction = cli_json_number_of(worker, "fraction");
            job->time = cli_json_number_of(worker, "time");
            job->step = cli_json_number_of(worker, "step");
            job->rate = cli_json_number_of(worker, "gdof_stage_per_s");
            job->left = cli_json_number_of(worker, "left_s");
            job->since = started > 0 ? started : job->since;
        }
}

/* Adds the progress that the watchers report. */
static void collect_progress(struct listing *listing)
{
    listing->host = cli_allocate((listing->watcher_count + 1) * sizeof *listing->host);
    for (size_t k = 0; k < listing->watcher_count; k++) {
        const char *object = listing->watchers[k].status;
        if (!object || !listing->watchers[k].alive)
            continue;
        cli_json_get_text(cli_json_member(object, "host"), listing->host[k], sizeof listing->host[k]);
        for (const char *worker = cli_json_first(cli_json_member(object, "workers")); worker;
             worker = cli_json_next(worker))
            note_progress(listing, worker, listing->host[k]);
    }
}

static int collect_places(struct listing *listing, size_t most, ew_error *error)
{
    int result = EW_OK;
    for (int k = 0; k < LISTING_PLACES && result == EW_OK; k++) {
        enum ewi_place place = listing_places[k].place;
        if (place == EWI_NEW)
            continue;
        result = client_list(listing->spool, place, &listing->list[place], error);
        if (result == EW_OK)
            collect_place(listing, place, most);
    }
    return result;
}

int listing_collect(const struct ewi_spool *spool, struct ewi_queue *queue, size_t most, struct listing *listing,
                    ew_error *error)
{
    int result = EW_OK;
    *listing = (struct listing){.spool = spool, .queue = queue ? queue : &listing->own};
    listing->watcher_count = client_watchers(spool, &listing->watchers);
    if (!queue && (result = ewi_queue_create(spool, &listing->own, error)) == EW_OK)
        result = ewi_queue_scan(&listing->own, error);
    if (result == EW_OK)
        result = collect_places(listing, most, error);
    if (result != EW_OK)
        return result;
    ewi_queue_sort(listing->queue);
    collect_waiting(listing, most);
    collect_progress(listing);
    return EW_OK;
}

void listing_free(struct listing *listing)
{
    for (int place = 0; place < EWI_PLACES; place++) {
        for (size_t k = 0; k < listing->shown[place]; k++) {
            free(listing->job[place][k].sentence);
            free(listing->job[place][k].settings);
        }
        free(listing->job[place]);
        client_free_list(&listing->list[place]);
    }
    if (listing->queue == &listing->own)
        ewi_queue_destroy(&listing->own);
    client_free_watchers(listing->watchers, listing->watcher_count);
    free(listing->host);
}

size_t listing_count(const struct listing *listing, enum ewi_place place)
{
    return place == EWI_NEW ? listing->queue->list.count : listing->list[place].count;
}

void listing_describe(enum ewi_place place, const struct listing_job *job, char *note, size_t size)
{
    double now = ewi_now();
    char left[32], fraction[32] = "", time[64] = "";
    note[0] = '\0';
    if (isfinite(job->fraction))
        snprintf(fraction, sizeof fraction, "%.0f %%, ", 100 * job->fraction);
    if (isfinite(job->time))
        snprintf(time, sizeof time, "t = %.4g, step %.0f, ", job->time, job->step);
    if (place == EWI_FAILED && job->sentence)
        snprintf(note, size, "%s", job->sentence);
    else if (job->cancelled)
        snprintf(note, size, "%s%sto be cancelled", fraction, time);
    else if (place == EWI_RUN && job->host)
        snprintf(note, size, "%s%son %s", fraction, time, job->host);
    else if (place == EWI_RUN)
        snprintf(note, size, "its watcher has not reported on it yet");
    if (place != EWI_NEW || job->cancelled)
        return;
    if (job->waits_for_mesh)
        snprintf(note, size, "its mesh is not there yet");
    else if (job->attempts > 0 && job->not_before > now)
        snprintf(note, size, "attempt %d in %s: %s", job->attempts + 1,
                 cli_duration(job->not_before - now, left, sizeof left), job->sentence ? job->sentence : "");
    else if (job->attempts > 0)
        snprintf(note, size, "attempt %d", job->attempts + 1);
    else if (job->priority != 0)
        snprintf(note, size, "priority %d", job->priority);
}

void listing_read_watcher(const struct client_watcher *watcher, struct listing_watcher *words)
{
    const char *object = watcher->status;
    *words = (struct listing_watcher){.pid = cli_json_number_of(object, "pid"),
                                      .since = cli_json_number_of(object, "since"),
                                      .time = cli_json_number_of(object, "time")};
    cli_json_get_text(cli_json_member(object, "host"), words->host, sizeof words->host);
    cli_json_get_text(cli_json_member(object, "state"), words->state, sizeof words->state);
    cli_json_get_text(cli_json_member(object, "reason"), words->reason, sizeof words->reason);
    for (const char *worker = cli_json_first(cli_json_member(object, "workers")); worker;
         worker = cli_json_next(worker)) {
        char word[16];
        words->workers++;
        words->busy += cli_json_get_text(cli_json_member(worker, "state"), word, sizeof word) &&
                       strcmp(word, "busy") == 0;
    }
}
