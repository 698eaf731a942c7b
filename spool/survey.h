/* SPDX-License-Identifier: BSD-2-Clause */
/* What is in a spool: its watchers, and the jobs of each state. For the table, the JSON and the pages of it. */
#ifndef EDGEWISE_SURVEY_H
#define EDGEWISE_SURVEY_H

#include "client.h"

/* A job of any state. Unknown numbers are NaN. */
struct survey_job {
    const char *name;
    char id[64]; /* empty: none */
    bool folder;
    double since, not_before, submitted; /* since 1970; 0: not known */
    int priority, attempts, exit_code;
    bool waits_for_mesh, cancelled; /* cancelled: its watcher is to end it */
    char *sentence;   /* or NULL */
    char *settings;   /* "let.alpha=3, order=2", the first ones if there are many; NULL: none */
    const char *host; /* of the watcher; NULL: not known */
    double fraction, time, step, rate, left;
};

struct survey {
    const struct ewi_spool *spool;
    struct client_watcher *watchers;
    size_t watcher_count;
    struct ewi_queue own, *queue;
    struct client_list list[EWI_PLACES]; /* of done and failed jobs, the latest first */
    struct survey_job *job[EWI_PLACES];
    size_t shown[EWI_PLACES]; /* jobs */
    bool has_settings[EWI_PLACES]; /* any of the jobs that are shown */
    char (*host)[256];        /* of each watcher */
};

enum { SURVEY_PLACES = 5 };
/* In the order in which they are shown. */
extern const struct survey_place {
    enum ewi_place place;
    const char *word;
} survey_places[SURVEY_PLACES];

/*
 * `queue`: what a watcher knows of new/, which is sorted here; NULL: this looks there, however long it takes. At most
 * `most` jobs of each state are read; 0: all. EW_EIO: free it nevertheless.
 */
int survey_collect(const struct ewi_spool *spool, struct ewi_queue *queue, size_t most, struct survey *survey,
                   ew_error *error);
void survey_free(struct survey *survey);
/* All jobs of a state, also those that are not shown. */
size_t survey_count(const struct survey *survey, enum ewi_place place);
/* What there is to say about a job, empty for one that is done. */
void survey_describe(enum ewi_place place, const struct survey_job *job, char *note, size_t size);

/* A watcher in words. */
struct survey_watcher {
    char host[256], state[64], reason[EWI_SENTENCE];
    int busy, workers;
    double pid, since, time;
};
void survey_read_watcher(const struct client_watcher *watcher, struct survey_watcher *words);

#endif
