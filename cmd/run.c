/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise run: options in, cli_run_case, summary out. */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

struct run_arguments {
    struct cli_arguments common;
    const char *restart; /* a restart file, or "auto": the newest one, if any */
    const char *member, *devices;
    bool no_output;
};

struct showing {
    struct cli_progress progress; /* must be first: cli_show_progress takes its address for the whole */
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

/* Hides unused GPUs from the driver, which takes longer to start with each GPU that it sees. */
static void hide_gpus(const struct cli_arguments *arguments, const char *list)
{
    double number[CLI_MOST_DEVICES] = {0};
    int device[CLI_MOST_DEVICES], devices = list ? cli_read_numbers(list, 1, CLI_MOST_DEVICES, number) : 1;
    for (int k = 0; k < devices; k++)
        device[k] = number[k] >= 0 && number[k] < 65536 ? (int)number[k] : -1;
    if (!list)
        device[0] = cli_device_of(arguments);
    if (devices > 0)
        cli_hide_gpus(device, devices);
}

static int run_case(struct cli_arguments *arguments)
{
    const struct run_arguments *own = (const struct run_arguments *)arguments;
    struct showing showing = {.progress = {.quiet = arguments->quiet}, .arguments = arguments};
    struct cli_run run = {.what = cli_case_of(arguments),
                                .options = {.folder = arguments->output, .no_output = own->no_output,
                                            .restart = own->restart, .context = &showing,
                                            .progress = cli_show_progress},
                                .overcommit = arguments->overcommit,
                                .warns_of_state = true,
                                .end = show_end};
    run.what.member = cmd_number(own->member, 0);
    if (ew_comm_launched() < 2)
        hide_gpus(arguments, own->devices);
    int device[CLI_MOST_DEVICES], code = own->devices ? cli_read_devices(own->devices, device, &run.devices) : EX_OK;
    bool given = cli_gives_device(arguments);
    run.device = device;
    run.needs_device = given && ew_comm_launched() < 2;
    if (given && own->devices)
        return cli_fail(EX_USAGE, "--device and --devices exclude each other.");
    if (code == EX_OK && run.needs_device)
        code = cli_check_device(arguments);
    if (code != EX_OK)
        return code;
    ew_error error;
    if (ew_comm_launched() > 1 && ew_comm_create(&cli_host, &run.comm, &error) != EW_OK)
        return cli_fail(cli_exit_code(error.code, EX_IOERR), "%s", error.message);
    cli_catch_signals();
    code = cli_run_case(&run);
    ew_comm_destroy(run.comm);
    code = cli_finish_stdout(code);
    if (code == EX_IOERR)
        _Exit(code); /* HDF5 may crash in its atexit function after a failed write; all output is complete */
    if (code == EX_OK && showing.interrupted)
        cli_end_by_signal(cli_caught_signal());
    return code;
}

#define ARGUMENTS struct run_arguments

static const struct cli_option options[] = {
    CLI_BACKEND_OPTION,
    CLI_KEY_OPTION("kernels", "edgewise|fused", "backend.kernels", "set of kernels; the default is the backend's"),
    CLI_KEY_OPTION("level", "NAME", "backend.level",
                   "instruction level of the CPU kernels; the default is the best one"),
    CLI_THREADS_OPTION("threads of the backend omp; the default, 0, takes all"),
    CLI_DEVICE_OPTION,
    CLI_TEXT_OPTION("devices", "all|K,...", devices, "share the case among these GPUs, by their numbers"),
    CLI_KEY_OPTION("image", "native|sm_20", "backend.image", "code for the GPU; the default is the best one"),
    CLI_ORDER_OPTION,
    CLI_END_OPTION,
    CLI_STEPS_OPTION,
    CLI_SET_OPTION(CLI_ANY_KEY),
    CLI_TEXT_OPTION("output", "DIR", common.output, "folder for NAME.nc; the default is the current one"),
    CLI_TEXT_OPTION("restart", "FILE|auto", restart,
                    "resume from a restart file; auto takes the newest one, or starts if there is none"),
    CMD_MEMBER_OPTION("run this member of a sweep, from 1"),
    CLI_FLAG_OPTION("no-output", no_output, "compute and write no files"),
    CLI_OVERCOMMIT_OPTION,
    CLI_JSON_OPTION("print one JSON object instead of the summary"),
    CLI_QUIET_OPTION("print neither progress nor summary, only errors"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_run = {
    .name = "run",
    .operand = "CASE.cfg",
    .summary = "Run a case and write its fields",
    .text = "Control-C ends the run after the current step, with a frame of that state; a second one kills it.",
    .options = options,
    .size = sizeof(struct run_arguments),
    .run = run_case,
};
