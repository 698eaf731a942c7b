/* SPDX-License-Identifier: BSD-2-Clause */
/* "edgewise submit --sweep": the jobs of one case that differ in some settings. */
#ifndef EDGEWISE_SUBMIT_SWEEP_H
#define EDGEWISE_SUBMIT_SWEEP_H

#include "cases.h"

/*
 * The sweep of the options "KEY=VALUES" over the case, as config/ reads the group `sweep` of a case. EX_OK, or the exit
 * code, a sentence on stderr and the first one in `error`.
 */
int submit_sweep_read(const struct cli_arguments *arguments, const struct cli_texts *options, const char *case_path,
                      ew_sweep **sweep, ew_error *error);
/* The sweep of the case's own group, or NULL. Reading the case tells what is wrong with it. */
ew_sweep *submit_sweep_find(const struct cli_arguments *arguments, const char *case_path);
/* Whether jobs can differ in its keys. The same results as of submit_sweep_read. */
int submit_sweep_check(const ew_sweep *sweep, const char *case_path, ew_error *error);
/*
 * The command line's settings and the member's; submit_sweep_free frees what is added. `own`: the case has a group of
 * its own, which its jobs do without.
 */
void submit_sweep_settings(const struct cli_arguments *all, const ew_sweep *sweep, bool own, int64_t member,
                           struct cli_arguments *arguments);
void submit_sweep_free(const struct cli_arguments *all, struct cli_arguments *arguments);
/* "CASE-0007", or with another name in place of the case's. */
void submit_sweep_name(const ew_sweep *sweep, int64_t member, const char *given, char *name, size_t size);

#endif
