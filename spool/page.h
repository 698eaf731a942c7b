/* SPDX-License-Identifier: BSD-2-Clause */
/* A spool as a page for browsers. */
#ifndef EDGEWISE_PAGE_H
#define EDGEWISE_PAGE_H

#include "listing.h"

enum { PAGE_JOBS = 50 }; /* of each state, unless all are asked for */

struct page {
    const struct listing *listing;
    const char *base;    /* link from the page's folder to the spool, "" or with a slash at its end */
    double refresh;      /* seconds; 0: the page does not reload itself */
    const char *sibling; /* the page that reloads itself, or the one that does not; NULL: there is none */
    bool all;            /* as many jobs as the listing has, however large the page becomes */
};

void page_put(FILE *file, const struct page *page);

/*
 * status.html and status.live.html in state/, which differ in that the second one reloads itself. `queue` as for
 * listing_collect, `instance`: the watcher's number. Each is replaced by one rename. EW_EIO with a sentence.
 */
#define PAGE_STILL "status.html"
#define PAGE_LIVE "status.live.html"
int page_write_both(const struct ewi_spool *spool, struct ewi_queue *queue, int instance, double refresh,
                    ew_error *error);

/* The page as a file of that path, with links from there to the spool. EX_OK, or the exit code and a sentence. */
int page_write(const struct listing *listing, const char *path, bool all);

#endif
