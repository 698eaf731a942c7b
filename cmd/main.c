/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of subcommands, and the program's start. */
#define _GNU_SOURCE /* for affinities */
#include "cmd.h"
#include "ewi_text.h"
#include "service.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

static const struct cli_command *const commands[] = {
    &cmd_run, &cmd_check, &cmd_compare, &cmd_bench, &cmd_study, &cmd_sweep, &cmd_mesh, &cmd_plot, &cmd_export,
    &cmd_watch, &cmd_submit, &cmd_status, &cmd_retry, &cmd_hold, &cmd_release, &cmd_info, &cmd_help,
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
                  "\"edgewise --version\" prints the version.\n");
}

int cmd_unknown_word(const char *word)
{
    const char *names[COMMANDS + 2] = {"--help", "--version"};
    for (int k = 0; k < COMMANDS; k++)
        names[k + 2] = commands[k]->name;
    const char *nearest = ewi_nearest(word, names, COMMANDS + 2);
    const char *kind = word[0] == '-' ? "option" : "command";
    if (nearest)
        cli_error("there is no %s \"%s\"; did you mean \"%s\"?", kind, word, nearest);
    else
        cli_error("there is no %s \"%s\"; \"edgewise --help\" lists them all.", kind, word);
    return EX_USAGE;
}

static int run_command(const struct cli_command *command, int argc, char **argv)
{
    struct cli_arguments *arguments = cli_allocate(command->size);
    int code = cli_parse(command, argc, argv, arguments);
    if (code == EX_OK && arguments->help) {
        cli_print_help(command);
        code = cli_finish_stdout(EX_OK);
    } else if (code == EX_OK) {
        code = command->run(arguments);
    }
    cli_free_arguments(arguments);
    free(arguments);
    return code;
}

/* If standard files are closed, a file opened later must not take their place. Writing to these fails, as it should. */
static void occupy_standard_files(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO)
        close(descriptor);
}

const struct cli_command *cmd_find(const char *word)
{
    for (int k = 0; k < COMMANDS; k++)
        if (strcmp(word, commands[k]->name) == 0)
            return commands[k];
    return NULL;
}

/*
 * OpenMP's threads are as many as the solver's: it knows no cgroups, and its bookkeeping of a hundred thousand does not
 * fit a stack.
 */
static void count_threads(void)
{
#ifdef _OPENMP
    omp_set_num_threads(ew_thread_count(0, NULL, 0));
#endif
}

/*
 * OpenMP may have bound this thread to one of its places (OMP_PROC_BIND). The processes that watch and study start
 * would then have no more than that place, all of them; they get all places.
 */
static void leave_place(void)
{
#if defined(_OPENMP) && defined(__linux__)
    cpu_set_t all;
    int processor[CPU_SETSIZE];
    CPU_ZERO(&all);
    for (int place = 0; place < omp_get_num_places(); place++) {
        int count = omp_get_place_num_procs(place);
        if (count > CPU_SETSIZE)
            return;
        omp_get_place_proc_ids(place, processor);
        for (int k = 0; k < count; k++)
            CPU_SET(processor[k], &all);
    }
    if (CPU_COUNT(&all) > 0)
        sched_setaffinity(0, sizeof all, &all);
#endif
}

int main(int argc, char **argv)
{
    count_threads();
    const struct cli_command *command = argc > 1 ? cmd_find(argv[1]) : NULL;
    if (command == &cmd_watch || command == &cmd_study || command == &cmd_sweep)
        leave_place();
    occupy_standard_files();
    if (argc < 2) {
        cmd_print_usage(stderr);
        return EX_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, CMD_WORKER) == 0)
        return cmd_worker(argc - 2, argv + 2);
    if (strcmp(word, CMD_JOB) == 0)
        return cmd_job(argc - 2, argv + 2);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        cmd_print_usage(stdout);
        return cli_finish_stdout(EX_OK);
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 || strcmp(word, "-v") == 0) {
        printf("edgewise %s\n", ew_version());
        return cli_finish_stdout(EX_OK);
    }
    return command ? run_command(command, argc - 1, argv + 1) : cmd_unknown_word(word);
}
