/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise run: options in, cli_run_case, summary out. */
#include "cmd.h"

#include <stddef.h>
#include <stdlib.h>
#include <sysexits.h>

struct showing {
    struct cli_progress progress; /* comes first: cli_show_progress takes the whole for it */
    const struct cli_arguments *arguments;
    bool interrupted;
};

static void show_end(void *context, const struct cli_summary *summary, int code, int error)
{
    struct showing *showing = context;
    (void)error;
    showing->interrupted = code == EX_OK && summary->run.end == EW_RUN_STOPPED;
    if (showing->arguments->json)
        cli_summary_print_json(summary);
    else if (code == EX_OK && !showing->arguments->quiet)
        cli_summary_print(summary);
}

static int run_case(const struct cli_arguments *arguments)
{
    struct showing showing = {.progress = {.quiet = arguments->quiet}, .arguments = arguments};
    const struct cli_run run = {.what = cli_case_of(arguments),
                                .options = {.folder = arguments->output, .no_output = arguments->no_output,
                                            .restart = arguments->restart, .context = &showing,
                                            .progress = cli_show_progress},
                                .overcommit = arguments->overcommit,
                                .end = show_end};
    cli_catch_signals();
    int code = cli_finish_stdout(cli_run_case(&run));
    if (code == EX_IOERR)
        _Exit(code); /* HDF5 may crash in its atexit function after a failed write; all is written and said */
    if (code == EX_OK && showing.interrupted)
        cli_end_by_signal(cli_caught_signal());
    return code;
}

static const struct cli_option options[] = {
    CLI_BACKEND_OPTION,
    {.name = "kernels", .argument = "edgewise|fused", .kind = CLI_SETTING, .key = "backend.kernels",
     .text = "set of kernels; the default is the backend's"},
    {.name = "level", .argument = "NAME", .kind = CLI_SETTING, .key = "backend.level",
     .text = "instruction level of the CPU kernels; the default is the best one"},
    {.name = "threads", .argument = "N", .kind = CLI_SETTING, .key = "backend.threads", .whole = true,
     .most = EW_MAX_THREADS,
     .text = "threads of the backend omp; the default, 0, takes all"},
    {.name = "device", .argument = "N", .kind = CLI_SETTING, .key = "backend.device", .whole = true,
     .text = "number of the GPU, from 0"},
    {.name = "image", .argument = "native|sm_20", .kind = CLI_SETTING, .key = "backend.image",
     .text = "code for the GPU; the default is the best one"},
    CLI_ORDER_OPTION,
    CLI_END_OPTION,
    CLI_STEPS_OPTION,
    CLI_SET_OPTION,
    {.name = "output", .argument = "DIR", .kind = CLI_TEXT, .member = offsetof(struct cli_arguments, output),
     .text = "folder for NAME.nc; the default is the current one"},
    {.name = "restart", .argument = "FILE|auto", .kind = CLI_TEXT, .member = offsetof(struct cli_arguments, restart),
     .text = "resume from a restart file; auto takes the newest one, or starts if there is none"},
    {.name = "no-output", .kind = CLI_FLAG, .member = offsetof(struct cli_arguments, no_output),
     .text = "compute and write no files"},
    CLI_OVERCOMMIT_OPTION,
    {.name = "json", .kind = CLI_FLAG, .member = offsetof(struct cli_arguments, json),
     .text = "print one JSON object instead of the summary"},
    {.name = "quiet", .kind = CLI_FLAG, .member = offsetof(struct cli_arguments, quiet),
     .text = "print neither progress nor summary, only errors"},
    CLI_HELP_OPTION,
    {.name = NULL},
};

const struct cli_command cmd_run = {
    .name = "run",
    .operand = "CASE.cfg",
    .summary = "Run a case and write its fields",
    .text = "Control-C ends the run after the current step, with a frame of that state; a second one kills it.",
    .options = options,
    .run = run_case,
};
