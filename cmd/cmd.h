/* SPDX-License-Identifier: BSD-2-Clause */
/* The subcommands, and functions that the readers of field files share. */
#ifndef EDGEWISE_CMD_H
#define EDGEWISE_CMD_H

#include "cases.h"

extern const struct cli_command cmd_run, cmd_check, cmd_compare, cmd_bench, cmd_study, cmd_mesh, cmd_plot, cmd_export,
    cmd_info;

/* ---- files of fields (frames.c) ---------------------------------------------------------------------------------- */

/*
 * Opens the operand, which must have frames unless `may_be_empty`, gives it to `work` and closes it. Returns the
 * command's exit code; sentences are then on stderr.
 */
int cmd_with_results(const struct cli_arguments *arguments, bool may_be_empty,
                     int (*work)(void *context, ew_results *results), void *context);
/* Prints why the library refused what the options asked for; returns the exit code. */
int cmd_results_failed(const ew_error *error);
/* --output or, without it, the results' name, in the current folder, with `suffix` in place of .nc. To be freed. */
char *cmd_output_name(const struct cli_arguments *arguments, const ew_results *results, const char *suffix);
/* The frame that --frame or --time chooses, by default the last one. EX_USAGE and a sentence if they are wrong. */
int cmd_choose_frame(const struct cli_command *command, const ew_results *results, const char *frame, const char *time,
                     int64_t *chosen, bool *all);
bool cmd_ends_with(const char *text, const char *end);
/* "NAME.png" becomes "NAME-0012.png"; to be freed. */
char *cmd_numbered(const char *name, int64_t frame);

#endif
