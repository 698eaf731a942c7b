/* SPDX-License-Identifier: BSD-2-Clause */
/* A listing of a spool: its watchers and the jobs of each state. Tables, JSON and pages print it. */
#ifndef EDGEWISE_LISTING_H
#define EDGEWISE_LISTING_H

#include "client.h"

/* A job in any state. Unknown numbers are NaN. */
struct listing_job {
    const char *name;
    char id[64]; /* empty: none */
    bool folder;
    double since, not_before, submitted; /* since 1970; 0: unknown */
    int priority, attempts, exit_code;
    bool waits_for_mesh, cancelled; /* cancelled: its watcher has not ended it yet */
    char *sentence;   /* or NULL */
    char *settings;   /* "let.alpha=3, order=2", possibly shortened; NULL: none */
    const char *host; /* of the watcher; NULL: unknown */
    double fraction, time, step, rate, left;
};

struct listing {
    const struct ewi_spool *spool;
    struct client_watcher *watchers;
    size_t watcher_count;
    struct ewi_queue own, *queue;
    struct client_list list[EWI_PLACES]; /* done and failed jobs: latest first */
    struct listing_job *job[EWI_PLACES]; /* [shown] */
    size_t shown[EWI_PLACES];
    bool has_settings[EWI_PLACES]; /* at least one shown job has settings */
    char (*host)[256];             /* [watcher_count] */
};

enum { LISTING_PLACES = 5 };
/* In display order. */
extern const struct listing_place {
    enum ewi_place place;
    const char *word;
} listing_places[LISTING_PLACES];

/*
 * `queue`: a watcher's queue, which this sorts; NULL: scans new/, which may take long. Reads at most `most` jobs of
 * each state; 0: all. After EW_EIO, free the listing nevertheless.
 */
int listing_collect(const struct ewi_spool *spool, struct ewi_queue *queue, size_t most, struct listing *listing,
                    ew_error *error);
void listing_free(struct listing *listing);
/* Number of jobs in a state, shown or not. */
size_t listing_count(const struct listing *listing, enum ewi_place place);
/* Writes a note for people about a job; empty if it is done. */
void listing_describe(enum ewi_place place, const struct listing_job *job, char *note, size_t size);

/* A watcher's status, parsed. */
struct listing_watcher {
    char host[256], state[64], reason[EWI_SENTENCE];
    int busy, workers;
    double pid, since, time;
};
void listing_read_watcher(const struct client_watcher *watcher, struct listing_watcher *words);

#endif
