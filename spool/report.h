/* SPDX-License-Identifier: BSD-2-Clause */
/* The report of a job: a page and a picture. The worker writes it before the job is published. */
#ifndef EDGEWISE_REPORT_H
#define EDGEWISE_REPORT_H

#include "ewi_spool.h"

struct report {
    const char *name;      /* the job's */
    int folder, private;   /* descriptors */
    const char *output;    /* path of the private folder, with a slash at its end */
    size_t settings;       /* of the watcher, "path.to.key=value" */
    char *const *setting;
};

/*
 * Writes page and picture into the private folder, from the files there: summary.json or error.txt, fields, series.
 * Errors are printed on stderr; they do not affect the job.
 */
void report_write(const struct report *report);

#endif
