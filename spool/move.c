/* SPDX-License-Identifier: BSD-2-Clause */
/* "edgewise retry", "hold" and "release" move a job to another folder by one rename: of several that try, one does. */
#include "hand.h"
#include "ewi_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <time.h>

enum { CLAIMS_TRIED = 400, CASE_SUFFIXES = 1000 };

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

__attribute__((format(printf, 3, 4))) static void complain(struct move *move, int code, const char *format, ...)
{
    char sentence[2 * EWI_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    cli_error("%s", sentence);
    if (move->code == EX_OK)
        move->code = code;
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* A case file keeps its ".cfg" when it gets a suffix. 0, or -1 with errno. */
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

/* Whether the mesh that the case names is there; *shared: another case in new/ also names it. */
static bool has_mesh(const struct move *move, const char *name, struct ewi_peek *peek, bool *shared)
{
    int new_folder = move->spool.place[EWI_NEW];
    struct hand_list list;
    struct stat info;
    ew_error error;
    ewi_peek_case(new_folder, name, peek);
    if (!peek->mesh[0] || fstatat(new_folder, peek->mesh, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        hand_list(&move->spool, EWI_NEW, &list, &error) != EW_OK)
        return false;
    *shared = false;
    for (size_t k = 0; k < list.count && !*shared; k++) {
        struct ewi_peek other;
        if (list.entry[k].folder || strcmp(list.entry[k].name, name) == 0)
            continue;
        ewi_peek_case(new_folder, list.entry[k].name, &other);
        *shared = strcmp(other.mesh, peek->mesh) == 0;
    }
    hand_free_list(&list);
    return true;
}

/*
 * Holds a dropped case with its mesh: otherwise the mesh would go with the next case that names it. We claim the case
 * as a watcher would, which makes it a folder. If we are killed in between, a watcher puts it back.
 */
static int hold_with_mesh(const struct move *move, char name[EWI_NAME], const struct ewi_peek *peek, bool shared,
                          ew_error *error)
{
    static const struct timespec pause = {.tv_nsec = 5000000};
    struct ewi_job job;
    int status = EWI_BUSY;
    for (int k = 0; status == EWI_BUSY && k < CLAIMS_TRIED; k++) {
        status = ewi_claim_case(&move->spool, name, peek->mesh, shared, &job, error);
        if (status == EWI_BUSY && ewi_intake_recover(&move->spool, &(struct ewi_limits){0}, NULL) == EWI_BUSY)
            nanosleep(&pause, NULL);
    }
    if (status > 0)
        errno = status == EWI_GONE ? ENOENT : EBUSY;
    if (status != EW_OK)
        return -1;
    status = ewi_put_back(&move->spool, &job, EWI_HOLD, error);
    memcpy(name, job.name, EWI_NAME);
    return status == EW_OK ? 0 : -1;
}

/* 0, or -1 with errno. `name`: its name here, and on return its name there. */
static int move_entry(const struct move *move, char name[EWI_NAME])
{
    struct stat info;
    struct ewi_peek peek;
    bool shared;
    ew_error error;
    char old_name[EWI_NAME];
    snprintf(old_name, sizeof old_name, "%s", name);
    if (fstatat(move->spool.place[move->from], name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return -1;
    if (S_ISDIR(info.st_mode))
        return ewi_spool_move(&move->spool, move->from, old_name, move->to, name, &error) == EW_OK ? 0 : -1;
    if (!S_ISREG(info.st_mode) || !ewi_is_case(name)) {
        errno = ENOENT;
        return -1;
    }
    if (move->to == EWI_HOLD && has_mesh(move, name, &peek, &shared))
        return hold_with_mesh(move, name, &peek, shared, &error);
    return move_file(move, old_name, name);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static bool is_in(const struct move *move, enum ewi_place place, const char *name)
{
    struct stat info;
    return fstatat(move->spool.place[place], name, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Shells complete a name to "failed/wave/", which means wave if we take jobs from failed/; false: another place. */
static bool plain_name(const struct move *move, const char *operand, char name[EWI_NAME])
{
    size_t length = strlen(operand);
    while (length > 1 && operand[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && operand[start - 1] != '/')
        start--;
    if (length - start >= EWI_NAME - sizeof ".cfg")
        return false;
    snprintf(name, EWI_NAME, "%.*s", (int)(length - start), operand + start);
    if (name[0] == '.')
        return false;
    if (start == 0)
        return true;
    const char *place = ewi_place_name[move->from];
    size_t size = strlen(place), end = start - 1;
    return end >= size && strncmp(operand + end - size, place, size) == 0 &&
           (end == size || operand[end - size - 1] == '/');
}

/* "run/ and done/": jobs in different folders may share a name. False: it is in none. */
static bool find_places(const struct move *move, const char *name, char *places, size_t size)
{
    static const enum ewi_place of_jobs[] = {EWI_RUN, EWI_NEW, EWI_HOLD, EWI_FAILED, EWI_DONE};
    size_t length = 0;
    for (size_t k = 0; k < sizeof of_jobs / sizeof *of_jobs; k++)
        if (is_in(move, of_jobs[k], name))
            length += (size_t)snprintf(places + length, size - length, "%s%s/", length > 0 ? " and " : "",
                                       ewi_place_name[of_jobs[k]]);
    return length > 0;
}

static const char *nearest_in(const struct hand_list *list, const char *name)
{
    const char **names = cli_allocate((list->count + 1) * sizeof *names);
    for (size_t k = 0; k < list->count; k++)
        names[k] = list->entry[k].name;
    const char *nearest = ewi_nearest(name, names, list->count);
    free(names);
    return nearest;
}

static void say_missing(struct move *move, const char *name)
{
    char shown[HAND_SHOWN], near[HAND_SHOWN], places[64];
    struct hand_list list;
    ew_error error;
    const char *place = ewi_place_name[move->from];
    hand_shown(name, shown);
    if (find_places(move, name, places, sizeof places)) {
        complain(move, EX_TEMPFAIL, "%s cannot be %s: it is in %s, and only jobs in %s/ can be", shown, move->done,
                 places, place);
        return;
    }
    (void)hand_list(&move->spool, move->from, &list, &error);
    const char *nearest = nearest_in(&list, name);
    if (nearest)
        complain(move, EX_NOINPUT, "there is no job \"%s\" in %s/; did you mean \"%s\"?", shown, place,
                 hand_shown(nearest, near));
    else
        complain(move, EX_NOINPUT, "there is no job \"%s\" in %s/%s", shown, place,
                 list.count == 0 ? ", which is empty" : "; \"edgewise status\" lists the jobs");
    hand_free_list(&list);
}

static void move_one(struct move *move, const char *entry, bool may_be_gone)
{
    char name[EWI_NAME], shown[HAND_SHOWN];
    snprintf(name, sizeof name, "%s", entry);
    if (move_entry(move, name) == 0) {
        if (!move->arguments->common.quiet)
            printf("%s\n", hand_shown(name, shown));
    } else if (errno != ENOENT) {
        int code = cli_exit_code(ewi_spool_write_code(errno), EX_IOERR);
        complain(move, code, "%s cannot be %s: %s", hand_shown(entry, shown), move->done, strerror(errno));
    } else if (!may_be_gone) {
        say_missing(move, entry);
    }
}

static void move_named(struct move *move, const char *operand)
{
    char name[EWI_NAME], shown[HAND_SHOWN];
    if (!plain_name(move, operand, name)) {
        complain(move, EX_NOINPUT, "\"%s\" is not in %s/; only jobs there can be %s", hand_shown(operand, shown),
                 ewi_place_name[move->from], move->done);
        return;
    }
    size_t length = strlen(name);
    snprintf(name + length, sizeof name - length, "%s", is_in(move, move->from, name) ? "" : ".cfg");
    if (!is_in(move, move->from, name))
        name[length] = '\0';
    move_one(move, name, false);
}

/* ---- the commands ------------------------------------------------------------------------------------------------ */

static void move_all(struct move *move)
{
    struct hand_list list;
    ew_error error;
    if (hand_list(&move->spool, move->from, &list, &error) != EW_OK) {
        complain(move, EX_NOINPUT, "%s", error.message);
        return;
    }
    for (size_t k = 0; k < list.count; k++)
        move_one(move, list.entry[k].name, true);
    hand_free_list(&list);
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
    int code = hand_open_spool(arguments->spool, &move.spool);
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
        complain(&move, EX_IOERR, "cannot sync %s/ to disk: %s", ewi_place_name[move.to], strerror(reason));
    ewi_spool_close(&move.spool);
    return cli_finish_stdout(move.code);
}

#define ARGUMENTS struct move_arguments
#define COMMAND(name_, summary_, text_, all_)                                                                         \
    const struct cli_command cmd_##name_ = {                                                                          \
        .name = #name_,                                                                                               \
        .operand = "JOB...",                                                                                          \
        .may_lack_operand = true,                                                                                     \
        .summary = summary_,                                                                                          \
        .text = text_,                                                                                                \
        .options = (const struct cli_option[]){HAND_SPOOL_OPTION, CLI_FLAG_OPTION("all", all, all_),                  \
                                               CLI_QUIET_OPTION("print no names of jobs"), CLI_HELP_AND_END},         \
        .size = sizeof(struct move_arguments),                                                                        \
        .run = move_jobs,                                                                                             \
    }

COMMAND(retry, "Put failed jobs back into the queue",
        "They start anew, as if they had just been submitted. Prints their names.", "all failed jobs");
COMMAND(hold, "Keep waiting jobs from running",
        "A running job is left alone. Prints the names of the jobs that it holds.", "all waiting jobs");
COMMAND(release, "Put held jobs back into the queue", "Prints their names.", "all held jobs");
