/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's start. */
#define _GNU_SOURCE /* for CPU affinities */
#include "cmd.h"
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

/*
 * Opens standard files that are closed, so that no later file takes their place. Writing to these fails, as it should.
 */
static void occupy_standard_files(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO)
        close(descriptor);
}

/*
 * Limits OpenMP's threads to the solver's number: OpenMP ignores cgroups, and its bookkeeping of a hundred thousand
 * threads overflows a stack.
 */
static void count_threads(void)
{
#ifdef _OPENMP
    omp_set_num_threads(ew_thread_count(0, NULL, 0));
#endif
}

/*
 * Frees this thread from the place that OpenMP may have bound it to (OMP_PROC_BIND). Otherwise all processes that watch
 * and study start would share that one place. Now they get all places.
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
    cli_end_as_process_1();
    /*
     * netCDF reads .ncrc, .daprc and .dodsrc of the current folder, which in a job is a stranger's: a link there would
     * show files of this user in the log, and a FIFO would hang the run.
     */
    setenv("NCRCENV_IGNORE", "1", 1);
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
    if (strcmp(word, CLI_OPEN_FIRST) == 0 && argc == 3)
        return cli_open_first(argv[2]);
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
