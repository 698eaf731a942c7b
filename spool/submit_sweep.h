/* SPDX-License-Identifier: BSD-2-Clause */
/* "edgewise submit --sweep": jobs of one case with different settings. */
#ifndef EDGEWISE_SUBMIT_SWEEP_H
#define EDGEWISE_SUBMIT_SWEEP_H

#include "cases.h"

/*
 * Reads the options "KEY=VALUES" as a sweep over the case, as config/ reads the group `sweep` of a case. EX_OK, or an
 * exit code after error messages, the first of which is also in `error`.
 */
int submit_sweep_read(const struct cli_arguments *arguments, const struct cli_texts *options, const char *case_path,
                      ew_sweep **sweep, ew_error *error);
/* The sweep of the case's own group, or NULL. Reports no errors: reading the case does. */
ew_sweep *submit_sweep_find(const struct cli_arguments *arguments, const char *case_path);
/* Checks that jobs can differ in the sweep's keys. Returns what submit_sweep_read returns. */
int submit_sweep_check(const ew_sweep *sweep, const char *case_path, ew_error *error);
/*
 * Appends a member's settings to those of the command line; submit_sweep_free frees them. `own`: the case has a group
 * `sweep`, which its jobs must ignore.
 */
void submit_sweep_settings(const struct cli_arguments *all, const ew_sweep *sweep, bool own, int64_t member,
                           struct cli_arguments *arguments);
void submit_sweep_free(const struct cli_arguments *all, struct cli_arguments *arguments);
/* "CASE-0007"; `given` replaces the case's name. */
void submit_sweep_name(const ew_sweep *sweep, int64_t member, const char *given, char *name, size_t size);

#endif
