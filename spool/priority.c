/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "edgewise priority" changes the priority of waiting or held jobs. It replaces the record in the job's folder by one
 * rename, and touches the folder, which makes watchers inspect it again. A dropped case has no record, so it is first
 * made a folder.
 */
#include "client.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

struct priority_arguments {
    struct cli_arguments common;
    const char *spool;
};

static const char gone[] = "gone"; /* another process has taken the job */

/* Restores the folder's mtime, so that it need not settle again. Other users than its owner can only touch it. */
static void touch(int folder, const struct stat *before)
{
    const struct timespec times[2] = {before->st_atim, before->st_mtim};
    if (futimens(folder, times) != 0)
        (void)futimens(folder, NULL);
}

/* NULL, `gone`, or the message in `error`. */
static const char *change_folder(const struct ewi_spool *spool, const struct client_found *found, int priority,
                                 ew_error *error)
{
    struct ewi_record record;
    struct client_tracked job;
    struct stat before;
    bool known = client_begin_tracking(spool, found, &job);
    int folder = known ? ewi_open_inside(spool->place[found->place], found->name) : -1;
    if (folder < 0 || fstat(folder, &before) != 0)
        return gone;
    ewi_record_read(folder, &record);
    record.priority = priority;
    record.has_priority = true;
    int status = ewi_record_write(folder, &record, true, error);
    if (status == EW_OK)
        touch(folder, &before);
    ewi_close(folder);
    if (status != EW_OK)
        return error->message;
    return client_track(spool, &job) && job.found.place == found->place ? NULL : gone;
}

static const char *change_case(const struct ewi_spool *spool, struct client_found *found, int priority, ew_error *error)
{
    struct ewi_job job;
    int status = client_claim(spool, found, &job, error);
    if (status != EW_OK)
        return status > 0 ? gone : error->message;
    job.record.priority = priority;
    job.record.has_priority = true;
    status = ewi_put_back(spool, &job, found->place, error);
    memcpy(found->name, job.name, sizeof found->name);
    return status == EW_OK ? NULL : error->message;
}

static int change(const struct client_wanted *wanted, const char *operand, int priority, bool quiet)
{
    struct client_found found;
    struct stat info;
    char shown[CLIENT_SHOWN];
    ew_error error;
    int code = client_find(wanted, operand, &found);
    if (code != EX_OK)
        return code;
    bool is_folder = fstatat(wanted->spool->place[found.place], found.name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
                     S_ISDIR(info.st_mode);
    const char *wrong = is_folder ? change_folder(wanted->spool, &found, priority, &error)
                                  : change_case(wanted->spool, &found, priority, &error);
    if (wrong == gone)
        return client_report_missing(wanted, found.name);
    client_shown(found.name, shown);
    if (wrong)
        return cli_fail(EX_IOERR, "%s cannot be %s: %s", shown, wanted->done, wrong);
    if (!quiet)
        printf("%s\n", shown);
    return EX_OK;
}

static int change_priorities(struct cli_arguments *common)
{
    static const enum ewi_place places[] = {EWI_NEW, EWI_HOLD};
    struct ewi_spool spool;
    int priority;
    const char *text = common->operand[common->operands - 1];
    if (common->operands < 2)
        return cli_misuse(common->command, "\"priority\" needs a job and a number: edgewise priority JOB... N.");
    if (!ewi_read_priority(text, &priority))
        return cli_fail(EX_USAGE, "a priority is a whole number from -99 to 99, not \"%s\".", text);
    int code = client_open_spool(((const struct priority_arguments *)common)->spool, &spool);
    if (code != EX_OK)
        return code;
    const struct client_wanted wanted = {.spool = &spool, .place = places, .count = 2, .done = "given a priority"};
    for (size_t k = 0; k + 1 < common->operands; k++) {
        int one = change(&wanted, common->operand[k], priority, common->quiet);
        code = code == EX_OK ? one : code;
    }
    ewi_spool_close(&spool);
    return cli_finish_stdout(code);
}

#define ARGUMENTS struct priority_arguments

const struct cli_command cmd_priority = {
    .name = "priority",
    .operand = "JOB... N",
    .summary = "Change the priority of waiting or held jobs",
    .text = "N is -99 to 99; jobs with a higher priority run first. Prints the names of the jobs.",
    .options = (const struct cli_option[]){CLIENT_SPOOL_OPTION, CLI_QUIET_OPTION("print no names of jobs"),
                                           CLI_HELP_AND_END},
    .size = sizeof(struct priority_arguments),
    .run = change_priorities,
};
