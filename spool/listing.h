/* SPDX-License-Identifier: BSD-2-Clause */
/* What is in a spool: its watchers, and the jobs of each state. For the table, the JSON and the pages of it. */
#ifndef EDGEWISE_LISTING_H
#define EDGEWISE_LISTING_H

#include "client.h"

/* A job of any state. Unknown numbers are NaN. */
struct listing_job {
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

struct listing {
    const struct ewi_spool *spool;
    struct client_watcher *watchers;
    size_t watcher_count;
    struct ewi_queue own, *queue;
    struct client_list list[EWI_PLACES]; /* of done and failed jobs, the latest first */
    struct listing_job *job[EWI_PLACES];
    size_t shown[EWI_PLACES]; /* jobs */
    bool has_settings[EWI_PLACES]; /* any of the jobs that are shown */
    char (*host)[256];        /* of each watcher */
};

enum { LISTING_PLACES = 5 };
/* In the order in which they are shown. */
extern const struct listing_place {
    enum ewi_place place;
    const char *word;
} listing_places[LISTING_PLACES];

/*
 * `queue`: what a watcher knows of new/, which is sorted here; NULL: this looks there, however long it takes. At most
 * `most` jobs of each state are read; 0: all. EW_EIO: free it nevertheless.
 */
int listing_collect(const struct ewi_spool *spool, struct ewi_queue *queue, size_t most, struct listing *listing,
                    ew_error *error);
void listing_free(struct listing *listing);
/* All jobs of a state, also those that are not shown. */
size_t listing_count(const struct listing *listing, enum ewi_place place);
/* What there is to say about a job, empty for one that is done. */
void listing_describe(enum ewi_place place, const struct listing_job *job, char *note, size_t size);

/* A watcher in words. */
struct listing_watcher {
    char host[256], state[64], reason[EWI_SENTENCE];
    int busy, workers;
    double pid, since, time;
};
void listing_read_watcher(const struct client_watcher *watcher, struct listing_watcher *words);

#endif
