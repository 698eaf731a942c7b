/* SPDX-License-Identifier: BSD-2-Clause */
/* Waits for the end of jobs, through all folders of the spool. */
#include "client.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sysexits.h>
#include <unistd.h>

#define POLL_SECONDS 1.0 /* inotify does not report all changes, for example on a network file system */
#define LOST_SECONDS 3.0 /* a job that is missing for longer has left the spool */
#define MISSING_POLL_SECONDS 0.05

/* ---- finding a job ----------------------------------------------------------------------------------------------- */

/* Compares ids: a name may be used again, an id may not. Updates the job's name and place. */
static bool is_it(const struct ewi_spool *spool, enum ewi_place place, const char *name, struct client_job *job)
{
    struct ewi_record record;
    int folder = ewi_open_inside(spool->place[place], name);
    if (folder < 0)
        return false;
    ewi_record_read(folder, &record);
    close(folder);
    if (strcmp(record.id, job->id) != 0)
        return false;
    if (name != job->name)
        snprintf(job->name, sizeof job->name, "%s", name);
    job->place = place;
    return true;
}

/* Searches a place: the job may have got a suffix on its way. */
static bool find_in(const struct ewi_spool *spool, enum ewi_place place, struct client_job *job)
{
    struct client_list list;
    ew_error error;
    bool found = false;
    (void)client_list(spool, place, &list, &error);
    for (size_t k = 0; k < list.count && !found; k++)
        found = list.entry[k].folder && strncmp(list.entry[k].name, job->name, strlen(job->name) / 2) == 0 &&
                is_it(spool, place, list.entry[k].name, job);
    client_free_list(&list);
    return found;
}

static bool find(const struct ewi_spool *spool, struct client_job *job)
{
    /* The order in which jobs move, so that we find a job that moves during the search. */
    static const enum ewi_place places[] = {EWI_NEW, EWI_HOLD, EWI_RUN, EWI_DONE, EWI_FAILED};
    enum { PLACES = sizeof places / sizeof *places };
    for (int p = 0; p < PLACES; p++)
        if (is_it(spool, places[p], job->name, job))
            return true;
    for (int p = 0; p < PLACES; p++)
        if (find_in(spool, places[p], job))
            return true;
    return false;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static void read_failure(const struct ewi_spool *spool, struct client_job *job)
{
    struct ewi_record record = {0};
    char *text = NULL;
    int folder = ewi_open_inside(spool->place[EWI_FAILED], job->name);
    if (folder >= 0) {
        ewi_record_read(folder, &record);
        text = client_first_line(folder, EWI_ERROR_FILE);
        close(folder);
    }
    job->exit_code = record.exit_code > 0 && record.exit_code < 256 ? record.exit_code : EX_SOFTWARE;
    snprintf(job->sentence, sizeof job->sentence, "%s", text && text[0] ? text : "its " EWI_ERROR_FILE " is empty");
    free(text);
}

static bool has_ended(const struct ewi_spool *spool, struct client_job *job)
{
    if (job->place == EWI_DONE)
        job->exit_code = EX_OK;
    else if (job->place == EWI_FAILED)
        read_failure(spool, job);
    return job->place == EWI_DONE || job->place == EWI_FAILED;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

struct waited {
    bool ended, held;
    double missing_since; /* 0: it was found */
};

/* true: the job has ended, or has left the spool. */
static bool check_end(const struct ewi_spool *spool, struct client_job *job, struct waited *waited)
{
    char shown[CLIENT_SHOWN];
    if (!find(spool, job)) {
        if (waited->missing_since == 0)
            waited->missing_since = ewi_seconds();
        job->gone = ewi_seconds() - waited->missing_since > LOST_SECONDS;
        if (job->gone) {
            job->exit_code = EX_UNAVAILABLE;
            snprintf(job->sentence, sizeof job->sentence, "it is no longer in the spool; somebody has taken it out");
        }
        return job->gone;
    }
    waited->missing_since = 0;
    if (job->place == EWI_HOLD && !waited->held)
        cli_error("%s is held; \"edgewise release --spool %s %s\" lets it run", client_shown(job->name, shown),
                  spool->path, shown);
    waited->held = job->place == EWI_HOLD;
    return has_ended(spool, job);
}

static int open_inotify(const struct ewi_spool *spool)
{
    int inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    for (enum ewi_place place = EWI_DONE; inotify >= 0 && place <= EWI_HOLD; place++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", spool->place[place]);
        (void)inotify_add_watch(inotify, path, IN_MOVED_TO | IN_ONLYDIR);
    }
    return inotify;
}

static void wait_for_change(int inotify, double seconds)
{
    char ignored[4096];
    struct pollfd polled = {.fd = inotify, .events = POLLIN};
    poll(&polled, 1, (int)(1000 * seconds));
    while (inotify >= 0 && read(inotify, ignored, sizeof ignored) > 0)
        ;
}

void client_wait(const struct ewi_spool *spool, struct client_job *job, size_t count,
                 void (*ended)(void *context, size_t k), void *context)
{
    struct waited *waited = cli_allocate((count + 1) * sizeof *waited);
    int inotify = open_inotify(spool);
    for (size_t left = count; left > 0;) {
        bool missing = false;
        for (size_t k = 0; k < count; k++) {
            if (waited[k].ended)
                continue;
            waited[k].ended = check_end(spool, &job[k], &waited[k]);
            missing = missing || (!waited[k].ended && waited[k].missing_since > 0);
            if (waited[k].ended) {
                left--;
                ended(context, k);
            }
        }
        if (left > 0)
            wait_for_change(inotify, missing ? MISSING_POLL_SECONDS : POLL_SECONDS);
    }
    ewi_close(inotify);
    free(waited);
}
