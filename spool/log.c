/* SPDX-License-Identifier: BSD-2-Clause */
/* "edgewise log" prints the log of a job in any state, or follows it until the job ends. */
#include "client.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#define POLL_SECONDS 0.2
#define LOST_SECONDS 3.0 /* a job that is missing for longer has left the spool */

struct log_arguments {
    struct cli_arguments common;
    const char *spool;
    bool follow;
};

struct followed {
    const struct ewi_spool *spool;
    struct client_tracked job;
    int folder, file; /* descriptors, or -1 */
    double seen;      /* ewi_seconds: when the job was last found */
};

/* Prints untrusted text with escapes for control characters. */
static void print(const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++) {
        if (text[k] == '\n' || text[k] == '\t' || !ewi_is_control(text[k]))
            putchar(text[k]);
        else
            printf("\\x%02x", (unsigned char)text[k]);
    }
}

/* Prints the new part of the log. */
static void print_new_text(struct followed *followed)
{
    char text[16384];
    struct stat info;
    if (followed->file < 0 && followed->folder >= 0) {
        followed->file = openat(followed->folder, EWI_LOG_FILE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (followed->file >= 0 && (fstat(followed->file, &info) != 0 || !S_ISREG(info.st_mode))) {
            close(followed->file);
            followed->file = -1;
        }
    }
    for (ssize_t got; followed->file >= 0 && (got = read(followed->file, text, sizeof text)) > 0;)
        print(text, (size_t)got);
    fflush(stdout);
}

static void open_folder(struct followed *followed)
{
    const struct client_found *found = &followed->job.found;
    if (followed->folder < 0 && followed->job.is_folder)
        followed->folder = ewi_open_inside(followed->spool->place[found->place], found->name);
}

/* Finds the folder that a watcher has made of a dropped case. */
static void find_folder_of_case(struct followed *followed)
{
    static const enum ewi_place places[] = {EWI_RUN, EWI_NEW, EWI_HOLD, EWI_DONE, EWI_FAILED};
    char base[EWI_NAME];
    struct client_found found;
    ewi_case_base(followed->job.found.name, base);
    ewi_spool_clean_name(base, found.name);
    for (size_t k = 0; k < sizeof places / sizeof *places && !followed->job.is_folder; k++) {
        struct client_tracked job;
        found.place = places[k];
        if (client_begin_tracking(followed->spool, &found, &job) && job.is_folder)
            followed->job = job;
    }
}

/* Prints new lines. false: the job has ended or left the spool. */
static bool has_more(struct followed *followed)
{
    bool there = client_track(followed->spool, &followed->job);
    if (!there && !followed->job.is_folder)
        find_folder_of_case(followed);
    if (there)
        followed->seen = ewi_seconds();
    open_folder(followed);
    print_new_text(followed); /* after client_track: a job that has ended writes no more */
    enum ewi_place place = followed->job.found.place;
    return there ? place != EWI_DONE && place != EWI_FAILED : ewi_seconds() - followed->seen < LOST_SECONDS;
}

static void print_end(const struct followed *followed)
{
    const struct client_found *found = &followed->job.found;
    struct ewi_record record = {0};
    char shown[CLIENT_SHOWN];
    char *sentence = found->place == EWI_FAILED ? client_first_line(followed->folder, EWI_ERROR_FILE) : NULL;
    char *visible = cli_visible(sentence ? sentence : "it has no " EWI_ERROR_FILE);
    client_shown(found->name, shown);
    ewi_record_read(followed->folder, &record);
    if (found->place == EWI_DONE)
        printf("%s is done; its results are in %s/done/%s\n", shown, followed->spool->path, shown);
    else
        printf("%s has failed with exit code %d and is in %s/failed/%s: %s\n", shown, record.exit_code,
               followed->spool->path, shown, visible);
    free(visible);
    free(sentence);
}

static int show(struct followed *followed, bool follow)
{
    char shown[CLIENT_SHOWN];
    bool more = has_more(followed);
    while (follow && more) {
        nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * POLL_SECONDS)}, NULL);
        more = has_more(followed);
    }
    enum ewi_place place = followed->job.found.place;
    client_shown(followed->job.found.name, shown);
    if (follow && !client_track(followed->spool, &followed->job))
        return cli_fail(EX_NOINPUT, "%s is no longer in the spool; somebody has taken it out", shown);
    if (followed->folder >= 0 && (place == EWI_DONE || place == EWI_FAILED))
        print_end(followed);
    else if (followed->file < 0)
        return cli_fail(EX_NOINPUT, "%s has no log yet: it is in %s/%s", shown, ewi_place_name[place],
                        place == EWI_NEW ? "; --follow waits until it runs" : "");
    return EX_OK;
}

static int show_log(struct cli_arguments *common)
{
    static const enum ewi_place places[] = {EWI_RUN, EWI_NEW, EWI_HOLD, EWI_FAILED, EWI_DONE};
    const struct log_arguments *arguments = (const struct log_arguments *)common;
    struct ewi_spool spool;
    struct client_found found;
    int code = client_open_spool(arguments->spool, &spool);
    if (code != EX_OK)
        return code;
    const struct client_wanted wanted = {.spool = &spool, .place = places, .count = 5, .done = "shown", .first = true};
    struct followed followed = {.spool = &spool, .folder = -1, .file = -1, .seen = ewi_seconds()};
    code = client_find(&wanted, common->operand[0], &found);
    if (code == EX_OK && !client_begin_tracking(&spool, &found, &followed.job))
        code = client_report_missing(&wanted, found.name);
    if (code == EX_OK)
        code = show(&followed, arguments->follow);
    ewi_close(followed.file);
    ewi_close(followed.folder);
    ewi_spool_close(&spool);
    return cli_finish_stdout(code);
}

#define ARGUMENTS struct log_arguments

const struct cli_command cmd_log = {
    .name = "log",
    .operand = "JOB",
    .summary = "Print the log of a job",
    .text = "It may wait, run, be held or have ended; then how it ended follows. Of several jobs of one name, the one "
            "that runs is meant.",
    .options = (const struct cli_option[]){CLIENT_SPOOL_OPTION,
                                           CLI_FLAG_OPTION("follow", follow, "print what comes until the job ends"),
                                           CLI_HELP_AND_END},
    .size = sizeof(struct log_arguments),
    .run = show_log,
};
