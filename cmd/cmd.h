/* SPDX-License-Identifier: BSD-2-Clause */
/* The subcommands, and functions that the readers of field files share. */
#ifndef EDGEWISE_CMD_H
#define EDGEWISE_CMD_H

#include "cases.h"

#include <stdlib.h>
#include <sysexits.h>

extern const struct cli_command cmd_run, cmd_check, cmd_compare, cmd_bench, cmd_study, cmd_sweep, cmd_mesh, cmd_plot,
    cmd_export, cmd_series, cmd_info, cmd_help;

/* ---- commands.c -------------------------------------------------------------------------------------------------- */

const struct cli_command *cmd_find(const char *word); /* NULL: no such command */
void cmd_print_usage(FILE *file);
/* Suggests the nearest command or option; returns EX_USAGE. */
int cmd_unknown_word(const char *word);

/* ---- options ----------------------------------------------------------------------------------------------------- */

/* The integer argument of an option, or `without` if the option is not given. */
static inline int64_t cmd_number(const char *text, int64_t without)
{
    return text ? strtoll(text, NULL, 10) : without;
}
/* Refuses several ranks, which would all do the same thing: EX_USAGE and a sentence. */
static inline int cmd_refuse_ranks(const char *what)
{
    int ranks = ew_comm_launched();
    return ranks < 2 ? EX_OK
                     : cli_fail(EX_USAGE, "mpirun or another launcher has started %d processes, each of which would "
                                          "%s; start it without.", ranks, what);
}
#define CMD_MEMBER_OPTION(text_) CLI_WHOLE_OPTION("member", "N", member, 1, EW_MOST_MEMBERS, text_)

/* ---- pool.c ------------------------------------------------------------------------------------------------------ */

/*
 * Calls work(context, k) for k = 0 .. count-1, in this order, with `jobs` threads. After a result other than 0, no
 * further call begins. Returns the first such result, or 0. Signals go to the calling thread.
 */
int cmd_pool_run(int jobs, int64_t count, int (*work)(void *context, int64_t k), void *context);

/* ---- files of fields (frames.c) ---------------------------------------------------------------------------------- */

/*
 * Opens the operand, which must have frames unless `may_be_empty`, passes it to `work` and closes it. Returns the
 * command's exit code; sentences are then on stderr.
 */
int cmd_with_results(const struct cli_arguments *arguments, bool may_be_empty,
                     int (*work)(void *context, ew_results *results), void *context);
/* Prints the library's error about the options; returns the exit code. */
int cmd_results_failed(const ew_error *error);
/*
 * --output or, without it, the results' name in the current folder, with `suffix` in place of .nc. The caller frees it.
 */
char *cmd_output_name(const struct cli_arguments *arguments, const ew_results *results, const char *suffix);
/* Turns "wall,flap" of --boundary into "-wall-flap", a part of a file name, and NULL into ""; the caller frees it. */
char *cmd_boundary_suffix(const char *boundary);
/* Applies --reference, if it is not NULL; EX_USAGE and a sentence if it is wrong. */
int cmd_set_reference(const struct cli_command *command, ew_results *results, const char *reference);
#define CMD_BOUNDARY_OPTIONS(text_)                                                                      \
    CLI_TEXT_OPTION("boundary", "NAME[,NAME...]", boundary, text_),                                      \
    CLI_TEXT_OPTION("reference", "RHO,V,P", reference,                                                   \
                    "density, speed and pressure of the free stream, for the pressure coefficient cp")
/* The frame that --frame or --time chooses, by default the last one. EX_USAGE and a sentence if they are wrong. */
int cmd_choose_frame(const struct cli_command *command, const ew_results *results, const char *frame, const char *time,
                     int64_t *chosen, bool *all);
bool cmd_ends_with(const char *text, const char *end);
/* Turns "NAME.png" into "NAME-0012.png"; the caller frees it. */
char *cmd_numbered(const char *name, int64_t frame);

#endif
