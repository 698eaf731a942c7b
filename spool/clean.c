/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "edgewise clean" removes jobs that ended long ago. One rename moves a job to tmp/, under a name that marks it for
 * removal. If we are killed, the next watcher, or "edgewise submit" of the job's user, finishes the work.
 */
#include "watch.h"
#include "client.h"

#include <string.h>
#include <sysexits.h>
#include <unistd.h>

struct clean_arguments {
    struct cli_arguments common;
    const char *older;
    bool failed, dry_run;
};

struct clean {
    const struct clean_arguments *arguments;
    struct ewi_spool spool;
    double before; /* seconds since 1970 */
    int code;
};

static void clean_job(struct clean *clean, enum ewi_place place, const char *name)
{
    char shown[CLIENT_SHOWN];
    ew_error error;
    int status = clean->arguments->dry_run ? EW_OK : ewi_draft_remove(&clean->spool, place, name, &error);
    client_shown(name, shown);
    if (status < 0)
        client_note(&clean->code, cli_fail(cli_exit_code(status, EX_IOERR), "%s/%s cannot be removed: %s",
                                           ewi_place_name[place], shown, error.message));
    else if (status == EW_OK && !clean->arguments->common.quiet)
        printf("%s/%s\n", ewi_place_name[place], shown);
}

static void clean_place(struct clean *clean, enum ewi_place place)
{
    struct client_list list;
    ew_error error;
    if (client_list(&clean->spool, place, &list, &error) != EW_OK)
        client_note(&clean->code, cli_fail(EX_NOINPUT, "%s", error.message));
    for (size_t k = 0; k < list.count; k++)
        if (list.entry[k].changed <= clean->before)
            clean_job(clean, place, list.entry[k].name);
    client_free_list(&list);
}

static int clean_spool(struct cli_arguments *common)
{
    const struct clean_arguments *arguments = (const struct clean_arguments *)common;
    struct clean clean = {.arguments = arguments};
    double age;
    if (!arguments->older)
        return cli_misuse(common->command, "\"clean\" needs the age of the jobs that it removes: --older 30d.");
    int code = watch_read_number("older", arguments->older, false, &age);
    if (code == EX_OK)
        code = client_open_spool(common->case_path, &clean.spool);
    if (code != EX_OK)
        return code;
    clean.before = ewi_now() - age;
    clean_place(&clean, EWI_DONE);
    if (arguments->failed)
        clean_place(&clean, EWI_FAILED);
    ewi_private_clean_reports(&clean.spool);
    ewi_spool_close(&clean.spool);
    return cli_finish_stdout(clean.code);
}

#define ARGUMENTS struct clean_arguments

const struct cli_command cmd_clean = {
    .name = "clean",
    .operand = "SPOOL",
    .may_lack_operand = true,
    .summary = "Remove old jobs from a spool",
    .text = "Removes jobs that are done, with their results. Prints their names.",
    .options = (const struct cli_option[]){
        CLI_TEXT_OPTION("older", "TIME", older, "those that ended this long ago, for example 30d or 12h"),
        CLI_FLAG_OPTION("failed", failed, "also jobs that have failed"),
        CLI_FLAG_OPTION("dry-run", dry_run, "only print what would be removed"),
        CLI_QUIET_OPTION("print no names of jobs"), CLI_HELP_AND_END},
    .size = sizeof(struct clean_arguments),
    .run = clean_spool,
};
