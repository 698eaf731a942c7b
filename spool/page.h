/* SPDX-License-Identifier: BSD-2-Clause */
/* A spool as a page for browsers. */
#ifndef EDGEWISE_PAGE_H
#define EDGEWISE_PAGE_H

#include "listing.h"

enum { PAGE_JOBS = 50 }; /* of each state, unless all are requested */

struct page {
    const struct listing *listing;
    const char *base;    /* link from the page's folder to the spool: "", or with a final slash */
    double refresh;      /* seconds; 0: the page does not reload itself */
    const char *sibling; /* link to the page with the other behaviour: reloading or not; NULL: none */
    bool all;            /* all jobs of the listing, without a limit on the page's size */
};


/*
 * Writes status.html and status.live.html in state/; the second one reloads itself. `queue` as for listing_collect;
 * `instance`: the watcher's number. Each file is replaced by one rename. EW_EIO with a sentence.
 */
#define PAGE_STILL "status.html"
#define PAGE_LIVE "status.live.html"
int page_write_both(const struct ewi_spool *spool, struct ewi_queue *queue, int instance, double refresh,
                    ew_error *error);

/* Writes the page to a file, with links from there to the spool. EX_OK, or an exit code after an error message. */
int page_write(const struct listing *listing, const char *path, bool all);

#endif
