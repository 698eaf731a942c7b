/* SPDX-License-Identifier: BSD-2-Clause */
/* "edgewise retry", "hold" and "release" move a job by one rename, so only one of several processes can succeed. */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

enum { CASE_SUFFIXES = 1000 };

struct move_arguments {
    struct cli_arguments common;
    const char *spool;
    bool all;
};

struct move {
    const struct move_arguments *arguments;
    struct ewi_spool spool;
    enum ewi_place from, to;
    const char *done; /* "held" */
    int code;
};

static struct client_wanted wanted_by(const struct move *move)
{
    return (struct client_wanted){.spool = &move->spool, .place = &move->from, .count = 1, .done = move->done};
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* Moves a case file. A suffix is inserted before ".cfg". 0, or -1 with errno. */
static int move_file(const struct move *move, const char *old_name, char name[EWI_NAME])
{
    for (int k = 2; k <= CASE_SUFFIXES; k++) {
        if (ewi_rename_new(move->spool.place[move->from], old_name, move->spool.place[move->to], name) == 0)
            return 0;
        if (errno != EEXIST)
            break;
        snprintf(name, EWI_NAME, "%.*s.%d.cfg", (int)strlen(old_name) - 4, old_name, k);
    }
    return -1;
}

/* Holds a dropped case together with its mesh: otherwise the next case that names the mesh would take it. */
static int hold_with_mesh(const struct move *move, const struct client_found *found, char name[EWI_NAME],
                          ew_error *error)
{
    struct ewi_job job;
    int status = client_claim(&move->spool, found, &job, error);
    if (status > 0)
        errno = status == EWI_GONE ? ENOENT : EBUSY;
    if (status != EW_OK)
        return -1;
    status = ewi_put_back(&move->spool, &job, EWI_HOLD, error);
    memcpy(name, job.name, EWI_NAME);
    return status == EW_OK ? 0 : -1;
}

/* Removes an old cancel request and writes new settings before the job moves, so that a watcher sees both. */
static int prepare_retry(const struct move *move, const char *name, ew_error *error)
{
    const struct cli_arguments *arguments = &move->arguments->common;
    int status = EW_OK, folder = ewi_open_inside(move->spool.place[EWI_FAILED], name);
    if (folder < 0)
        return EW_OK; /* the move reports the error */
    unlinkat(folder, EWI_CANCEL_FILE, 0);
    if (arguments->settings > 0)
        status = client_set(folder, arguments, error);
    if (status == EW_OK)
        client_warn_overridden(folder, name);
    close(folder);
    return status;
}

/* 0, or -1 with errno. `name`: the current name and, on return, the new one. */
static int move_entry(const struct move *move, char name[EWI_NAME])
{
    struct stat info;
    struct ewi_probe probe;
    ew_error error;
    struct client_found found = {.place = move->from};
    snprintf(found.name, sizeof found.name, "%s", name);
    if (fstatat(move->spool.place[move->from], name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return -1;
    if (S_ISDIR(info.st_mode))
        return ewi_spool_move(&move->spool, move->from, found.name, move->to, name, &error) == EW_OK ? 0 : -1;
    if (!S_ISREG(info.st_mode) || !ewi_is_case(name)) {
        errno = ENOENT;
        return -1;
    }
    if (move->to == EWI_HOLD && client_mesh_of(&move->spool, &found, &probe))
        return hold_with_mesh(move, &found, name, &error);
    return move_file(move, found.name, name);
}

/* In a group's spool only the service may take jobs out of failed/. */
static bool may_retry(struct move *move, const char *name)
{
    char shown[CLIENT_SHOWN], case_name[EWI_NAME];
    int failed = move->spool.place[EWI_FAILED], folder = ewi_open_inside(failed, name);
    bool may = folder < 0 || faccessat(failed, ".", W_OK, AT_EACCESS) == 0;
    if (!may && ewi_job_case(folder, case_name, NULL) != EW_OK)
        memcpy(case_name, "case.cfg", sizeof "case.cfg");
    if (!may)
        client_note(&move->code,
                    cli_fail(EX_CANTCREAT, "%s cannot be retried: only the service's user may take jobs out of "
                             "failed/; submit it again with \"edgewise submit --spool %s %s/failed/%s/%s\"",
                             client_shown(name, shown), move->spool.path, move->spool.path, shown, case_name));
    ewi_close(folder);
    return may;
}

static void move_one(struct move *move, const char *entry, bool may_be_gone)
{
    char name[EWI_NAME], shown[CLIENT_SHOWN];
    ew_error error;
    snprintf(name, sizeof name, "%s", entry);
    if (move->from == EWI_FAILED && !may_retry(move, name))
        return;
    int status = move->from == EWI_FAILED ? prepare_retry(move, name, &error) : EW_OK;
    if (status != EW_OK) {
        client_note(&move->code, cli_fail(cli_exit_code(status, EX_IOERR), "%s cannot be %s: %s",
                                          client_shown(entry, shown), move->done, error.message));
    } else if (move_entry(move, name) == 0) {
        if (!move->arguments->common.quiet)
            printf("%s\n", client_shown(name, shown));
    } else if (errno != ENOENT) {
        int code = cli_exit_code(ewi_spool_write_code(errno), EX_IOERR);
        client_note(&move->code, cli_fail(code, "%s cannot be %s: %s", client_shown(entry, shown), move->done,
                                          strerror(errno)));
    } else if (!may_be_gone) {
        struct client_wanted wanted = wanted_by(move);
        client_note(&move->code, client_report_missing(&wanted, entry));
    }
}

static void move_named(struct move *move, const char *operand)
{
    struct client_wanted wanted = wanted_by(move);
    struct client_found found;
    int code = client_find(&wanted, operand, &found);
    if (code == EX_OK)
        move_one(move, found.name, false);
    client_note(&move->code, code);
}

/* ---- the commands ------------------------------------------------------------------------------------------------ */

static void move_all(struct move *move)
{
    struct client_list list;
    ew_error error;
    if (client_list(&move->spool, move->from, &list, &error) != EW_OK) {
        client_note(&move->code, cli_fail(EX_NOINPUT, "%s", error.message));
        return;
    }
    for (size_t k = 0; k < list.count; k++)
        move_one(move, list.entry[k].name, true);
    client_free_list(&list);
}

static int move_jobs(struct cli_arguments *common)
{
    static const struct {
        const struct cli_command *command;
        enum ewi_place from, to;
        const char *done;
    } ways[] = {{&cmd_retry, EWI_FAILED, EWI_NEW, "retried"},
                {&cmd_hold, EWI_NEW, EWI_HOLD, "held"},
                {&cmd_release, EWI_HOLD, EWI_NEW, "released"}};
    const struct move_arguments *arguments = (const struct move_arguments *)common;
    struct move move = {.arguments = arguments};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        if (ways[k].command == common->command) {
            move.from = ways[k].from;
            move.to = ways[k].to;
            move.done = ways[k].done;
        }
    size_t operands = arguments->common.operands;
    if (arguments->all && operands > 0)
        return cli_fail(EX_USAGE, "give --all or names of jobs, not both.");
    if (!arguments->all && operands == 0)
        return cli_fail(EX_USAGE, "which job? Give its name, or --all.");
    int code = client_try_settings(common);
    if (code == EX_OK)
        code = client_open_spool(arguments->spool, &move.spool);
    if (code != EX_OK)
        return code;
    for (size_t k = 0; k < operands; k++)
        move_named(&move, arguments->common.operand[k]);
    if (arguments->all)
        move_all(&move);
    int reason = ewi_sync(move.spool.place[move.to]);
    if (reason == 0)
        reason = ewi_sync(move.spool.place[move.from]);
    if (reason != 0)
        client_note(&move.code, cli_fail(EX_IOERR, "cannot sync %s/ to disk: %s", ewi_place_name[move.to],
                                         strerror(reason)));
    ewi_spool_close(&move.spool);
    return cli_finish_stdout(move.code);
}

#define ARGUMENTS struct move_arguments
#define COMMAND(name_, summary_, text_, ...)                                                                          \
    const struct cli_command cmd_##name_ = {                                                                          \
        .name = #name_,                                                                                               \
        .operand = "JOB...",                                                                                          \
        .may_lack_operand = true,                                                                                     \
        .summary = summary_,                                                                                          \
        .text = text_,                                                                                                \
        .options = (const struct cli_option[]){CLIENT_SPOOL_OPTION, __VA_ARGS__,                                      \
                                               CLI_QUIET_OPTION("print no names of jobs"), CLI_HELP_AND_END},         \
        .size = sizeof(struct move_arguments),                                                                        \
        .run = move_jobs,                                                                                             \
    }

COMMAND(retry, "Put failed jobs back into the queue",
        "They start anew, as if they had just been submitted. Prints their names.",
        CLI_FLAG_OPTION("all", all, "all failed jobs"),
        CLI_SET_OPTION("override this key of their cases, in their files .settings; may be repeated"));
COMMAND(hold, "Keep waiting jobs from running",
        "A running job is left alone. Prints the names of the jobs that it holds.",
        CLI_FLAG_OPTION("all", all, "all waiting jobs"));
COMMAND(release, "Put held jobs back into the queue", "Prints their names.",
        CLI_FLAG_OPTION("all", all, "all held jobs"));
