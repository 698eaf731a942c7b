/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that the readers of field files share: opening, choosing a frame, naming outputs. */
#include "cmd.h"
#include "ewi_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

int cmd_with_results(const struct cli_arguments *arguments, bool may_be_empty,
                     int (*work)(void *context, ew_results *results), void *context)
{
    ew_results *results = NULL;
    ew_results_info info;
    ew_error error;
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0); /* a run may still be writing the file; reading it is safe */
    if (cli_open_results(arguments->case_path, &results, &error) != EW_OK)
        return cli_fail(cli_exit_code(error.code, EX_NOINPUT), "%s", error.message);
    ew_results_get_info(results, &info);
    int code = info.frames > 0 || may_be_empty ? work(context, results)
                                               : cli_fail(EX_DATAERR, "%s has no frames yet.", info.path);
    ew_results_close(results);
    return cli_finish_stdout(code);
}

/* An argument that the library calls invalid came from an option. */
int cmd_results_failed(const ew_error *error)
{
    cli_error("%s", error->message);
    return error->code == EW_EINVAL ? EX_USAGE : cli_exit_code(error->code, EX_IOERR);
}

char *cmd_output_name(const struct cli_arguments *arguments, const ew_results *results, const char *suffix)
{
    ew_results_info info;
    ew_results_get_info(results, &info);
    if (arguments->output)
        return cli_copy(arguments->output);
    const char *base = ewi_file_name(info.path);
    return cli_format("%.*s%s", (int)strlen(base) - (cmd_ends_with(base, ".nc") ? 3 : 0), base, suffix);
}

char *cmd_boundary_suffix(const char *boundary)
{
    char *suffix = boundary ? cli_format("-%s", boundary) : cli_copy("");
    for (char *c = suffix; *c; c++)
        *c = *c == ',' ? '-' : strchr("/ \t", *c) ? '_' : *c;
    return suffix;
}

int cmd_set_reference(const struct cli_command *command, ew_results *results, const char *reference)
{
    double number[3];
    ew_error error;
    if (!reference)
        return EX_OK;
    if (cli_read_numbers(reference, 3, 3, number) != 3)
        return cli_misuse(command, "--reference needs density, speed and pressure, for example 1,0.8,0.714, not "
                          "\"%s\".", reference);
    int status = ew_results_set_reference(results, number[0], number[1], number[2], &error);
    return status == EW_OK ? EX_OK : cmd_results_failed(&error);
}

int cmd_choose_frame(const struct cli_command *command, const ew_results *results, const char *frame, const char *time,
                     int64_t *chosen, bool *all)
{
    ew_results_info info;
    double number;
    ew_results_get_info(results, &info);
    if (frame && time)
        return cli_misuse(command, "--frame and --time both choose a frame; give one of them.");
    if (time && cli_read_numbers(time, 1, 1, &number) != 1)
        return cli_misuse(command, "--time needs a number, not \"%s\".", time);
    *chosen = time ? ew_results_nearest(results, number) : info.frames - 1;
    *all = frame && strcmp(frame, "all") == 0;
    if (!frame || *all || strcmp(frame, "last") == 0)
        return EX_OK;
    if (cli_read_numbers(frame, 1, 1, &number) != 1 || number < 0 || number != floor(number))
        return cli_misuse(command, "--frame needs a number from 0, last or all, not \"%s\".", frame);
    *chosen = (int64_t)fmin(number, 1e15);
    return EX_OK;
}

bool cmd_ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

char *cmd_numbered(const char *name, int64_t frame)
{
    const char *dot = strrchr(ewi_file_name(name), '.');
    size_t length = dot ? (size_t)(dot - name) : strlen(name);
    return cli_format("%.*s-%04lld%s", (int)length, name, (long long)frame, name + length);
}
