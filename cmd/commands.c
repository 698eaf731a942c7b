/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of subcommands. */
#include "cmd.h"
#include "ewi_hints.h"
#include "ewi_text.h"
#include "service.h"

#include <string.h>
#include <sysexits.h>

static const struct cli_command *const commands[] = {
    &cmd_run, &cmd_check, &cmd_compare, &cmd_bench, &cmd_study, &cmd_sweep, &cmd_mesh, &cmd_plot, &cmd_export,
    &cmd_series,
    &cmd_watch, &cmd_submit, &cmd_status, &cmd_log, &cmd_priority, &cmd_retry, &cmd_hold, &cmd_release, &cmd_cancel,
    &cmd_clean, &cmd_info, &cmd_help,
};

enum { COMMANDS = sizeof commands / sizeof *commands };

void cmd_print_usage(FILE *file)
{
    fprintf(file, "usage: edgewise COMMAND [options] [FILE]\n\n"
                  "Solves two-dimensional hyperbolic conservation laws by the discontinuous Galerkin method.\n\n"
                  "commands:\n");
    for (int k = 0; k < COMMANDS; k++)
        fprintf(file, "  %-10s %s\n", commands[k]->name, commands[k]->summary);
    fprintf(file, "\n\"edgewise COMMAND --help\" lists the options of a command, and \"edgewise help COMMAND\" shows "
                  "its manual page.\n"
                  "\"edgewise help case\", \"help spool\", \"help cluster\" and \"help libedgewise\" show the "
                  "pages of case files,\nof the service, of batch systems and of the C library.\n"
                  "\"edgewise --version\" prints the version.\n");
}

int cmd_unknown_word(const char *word)
{
    const char *names[COMMANDS + 2] = {"--help", "--version"};
    for (int k = 0; k < COMMANDS; k++)
        names[k + 2] = commands[k]->name;
    const struct ewi_hint *hint = ewi_hint_find("command", NULL, word);
    const char *nearest = hint ? hint->instead : ewi_nearest(word, names, COMMANDS + 2);
    const char *kind = word[0] == '-' ? "option" : "command";
    if (nearest)
        cli_error("there is no %s \"%s\"; did you mean \"%s\"?", kind, word, nearest);
    else
        cli_error("there is no %s \"%s\"; \"edgewise --help\" lists them all.", kind, word);
    return EX_USAGE;
}

const struct cli_command *cmd_find(const char *word)
{
    for (int k = 0; k < COMMANDS; k++)
        if (strcmp(word, commands[k]->name) == 0)
            return commands[k];
    return NULL;
}
