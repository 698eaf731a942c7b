/* SPDX-License-Identifier: BSD-2-Clause */
/* "edgewise status" lists the jobs and watchers of a spool. */
#include "page.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

/* MOST_SHOWN: jobs of each state without --all */
enum { MOST_SHOWN = 20, LONGEST_LINE = 4096, WIDEST_NAME = 40, REFRESH_SECONDS = 1 };

struct status_arguments {
    struct cli_arguments common;
    const char *spool, *html;
    bool all, refresh, csv;
};

struct status {
    const struct status_arguments *arguments;
    struct ewi_spool spool;
};

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void put_watcher(struct cli_json *json, const struct client_watcher *watcher)
{
    cli_json_open(json, NULL, '{');
    cli_json_integer(json, "number", watcher->number);
    cli_json_bool(json, "alive", watcher->alive);
    cli_json_raw(json, "status", watcher->status);
    cli_json_close(json, '}');
}

static void put_line(struct cli_json *json, enum ewi_place place, const struct listing_job *job)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "job", job->name);
    cli_json_number(json, "since", job->since);
    if (place == EWI_NEW) {
        cli_json_integer(json, "priority", job->priority);
        cli_json_number(json, "not_before", job->not_before > 0 ? job->not_before : NAN);
        cli_json_bool(json, "waits_for_mesh", job->waits_for_mesh);
    }
    if (place == EWI_RUN) {
        cli_json_text(json, "host", job->host);
        cli_json_number(json, "fraction", job->fraction);
        cli_json_number(json, "time", job->time);
        cli_json_number(json, "step", job->step);
        cli_json_number(json, "gdof_stage_per_s", job->rate);
        cli_json_number(json, "left_s", job->left);
        cli_json_bool(json, "cancelled", job->cancelled);
    }
    if (place == EWI_NEW || place == EWI_RUN)
        cli_json_integer(json, "attempts", job->attempts);
    if (place == EWI_FAILED)
        cli_json_integer(json, "exit_code", job->exit_code);
    if (place == EWI_NEW || place == EWI_FAILED)
        cli_json_text(json, place == EWI_FAILED ? "error" : "reason", job->sentence);
    cli_json_close(json, '}');
}

static void print_json(const struct listing *listing)
{
    struct cli_json json = cli_json_begin(stdout);
    cli_json_text(&json, "spool", listing->spool->path);
    cli_json_number(&json, "time", ewi_now());
    cli_json_open(&json, "watchers", '[');
    for (size_t k = 0; k < listing->watcher_count; k++)
        put_watcher(&json, &listing->watchers[k]);
    cli_json_close(&json, ']');
    cli_json_open(&json, "count", '{');
    for (int k = 0; k < LISTING_PLACES; k++)
        cli_json_integer(&json, listing_places[k].word, (int64_t)listing_count(listing, listing_places[k].place));
    cli_json_bool(&json, "more_waiting", listing->queue->list.truncated);
    cli_json_close(&json, '}');
    for (int k = 0; k < LISTING_PLACES; k++) {
        cli_json_open(&json, listing_places[k].word, '[');
        for (size_t i = 0; i < listing->shown[listing_places[k].place]; i++)
            put_line(&json, listing_places[k].place, &listing->job[listing_places[k].place][i]);
        cli_json_close(&json, ']');
    }
    cli_json_end(&json);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static size_t terminal_width(void)
{
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
        return size.ws_col;
    return LONGEST_LINE;
}

/* Number of bytes that fill `columns` columns of a terminal, if each character takes one column. */
static size_t bytes_in(const char *text, size_t columns)
{
    size_t length = 0;
    for (; text[length]; length++)
        if (((unsigned char)text[length] & 0xc0) != 0x80 && columns-- == 0)
            break;
    return length;
}

static void print_line(const char *text)
{
    printf("%.*s\n", (int)bytes_in(text, terminal_width()), text);
}

static const char *age(double since, char *text, size_t size)
{
    return cli_duration(fmax(ewi_now() - since, 0), text, size);
}

static void print_watcher(const struct client_watcher *watcher)
{
    char line[LONGEST_LINE], since[32];
    struct listing_watcher is;
    if (!watcher->status) {
        print_line("watcher  starting: it has not reported yet");
        return;
    }
    listing_read_watcher(watcher, &is);
    if (watcher->alive)
        snprintf(line, sizeof line, "watcher  %s on %s, process %.0f, since %s: %d of %d workers busy%s%s", is.state,
                 is.host, is.pid, age(is.since, since, sizeof since), is.busy, is.workers, is.reason[0] ? "; " : "",
                 is.reason);
    else
        snprintf(line, sizeof line, "watcher  died on %s, process %.0f; last report %s ago", is.host, is.pid,
                 age(is.time, since, sizeof since));
    print_line(line);
}

static void print_job(const struct listing *listing, enum ewi_place place, const char *word,
                      const struct listing_job *job, int width)
{
    char text[LONGEST_LINE], name[CLIENT_SHOWN], note[2 * EWI_SENTENCE], since[32];
    client_shown(job->name, name);
    listing_describe(place, job, note, sizeof note);
    if (place == EWI_DONE)
        snprintf(note, sizeof note, "%.900s/%s/%.200s", listing->spool->path, ewi_place_name[EWI_DONE], name);
    for (char *at = note; *at; at++)
        *at = ewi_is_control(*at) ? ' ' : *at;
    int pad = width - (int)bytes_in(name, SIZE_MAX);
    char *settings = cli_visible(job->settings ? job->settings : "");
    snprintf(text, sizeof text, "%s%*s  %-8s %8s  %.900s%s%.2000s", name, pad > 0 ? pad : 0, "", word,
             age(job->since, since, sizeof since), settings, settings[0] && note[0] ? "; " : "", note);
    free(settings);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    print_line(text);
}

static int name_width(const struct listing *listing, int places)
{
    size_t width = sizeof "JOB" - 1;
    char name[CLIENT_SHOWN];
    for (int k = 0; k < places; k++)
        for (size_t i = 0; i < listing->shown[listing_places[k].place]; i++) {
            size_t length = strlen(client_shown(listing->job[listing_places[k].place][i].name, name));
            width = length > width && length <= WIDEST_NAME ? length : width;
        }
    return (int)width;
}

/* Without `all`, done jobs, which are the last ones, are only counted: they need no attention. */
static void print_table(const struct listing *listing, bool all)
{
    int listed = all ? LISTING_PLACES : LISTING_PLACES - 1, width = name_width(listing, listed), jobs = 0;
    printf("spool    %s\n", listing->spool->path);
    for (size_t k = 0; k < listing->watcher_count; k++)
        print_watcher(&listing->watchers[k]);
    if (listing->watcher_count == 0)
        printf("watcher  none; \"edgewise watch %s\" starts one\n", listing->spool->path);
    printf("jobs     ");
    for (int k = 0; k < LISTING_PLACES; k++) {
        enum ewi_place place = listing_places[k].place;
        printf("%s%zu%s %s", k > 0 ? ", " : "", listing_count(listing, place),
               place == EWI_NEW && listing->queue->list.truncated ? " or more" : "", listing_places[k].word);
    }
    printf("\n");
    for (int k = 0; k < LISTING_PLACES; k++) {
        enum ewi_place place = listing_places[k].place;
        size_t shown = k < listed ? listing->shown[place] : 0, hidden = listing_count(listing, place) - shown;
        for (size_t i = 0; i < shown; i++) {
            if (jobs++ == 0)
                printf("\n%-*s  %-8s %8s\n", width, "JOB", "STATE", "SINCE");
            print_job(listing, place, listing_places[k].word, &listing->job[place][i], width);
        }
        if (hidden > 0)
            printf("and %zu %s%s; --all lists them\n", hidden, k < listed ? "more " : "", listing_places[k].word);
    }
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* Most jobs listed of each state; 0: all. */
static size_t most_listed(const struct status_arguments *arguments)
{
    return arguments->all || arguments->csv ? 0 : arguments->html ? PAGE_JOBS : MOST_SHOWN;
}

static int show_listing(const struct status_arguments *arguments, const struct listing *listing)
{
    bool clears = arguments->refresh && isatty(STDOUT_FILENO);
    if (arguments->html)
        return page_write(listing, arguments->html, arguments->all);
    if (arguments->common.json) {
        print_json(listing);
        return EX_OK;
    }
    fputs(clears ? "\033[H\033[2J" : "", stdout);
    if (arguments->csv)
        table_print(listing);
    else
        print_table(listing, arguments->all);
    fputs(arguments->refresh && !clears ? "\n" : "", stdout);
    return EX_OK;
}

static int show(const struct status *status)
{
    struct listing listing;
    ew_error error;
    int code = EX_OK;
    if (listing_collect(&status->spool, NULL, most_listed(status->arguments), &listing, &error) == EW_OK)
        code = show_listing(status->arguments, &listing);
    else
        code = cli_fail(EX_NOINPUT, "%s", error.message);
    listing_free(&listing);
    return cli_finish_stdout(code);
}

static int show_status(struct cli_arguments *common)
{
    const struct status_arguments *arguments = (const struct status_arguments *)common;
    struct status status = {.arguments = arguments};
    if (arguments->spool && common->case_path)
        return cli_fail(EX_USAGE, "name the spool once: \"%s\" or --spool \"%s\".", common->case_path,
                        arguments->spool);
    if (common->json + arguments->csv + (arguments->html != NULL) > 1)
        return cli_misuse(&cmd_status, "--json, --csv and --html exclude each other.");
    int code = client_open_spool(common->case_path ? common->case_path : arguments->spool, &status.spool);
    if (code != EX_OK)
        return code;
    while ((code = show(&status)) == EX_OK && arguments->refresh)
        nanosleep(&(struct timespec){.tv_sec = REFRESH_SECONDS}, NULL);
    ewi_spool_close(&status.spool);
    return code;
}

#define ARGUMENTS struct status_arguments

static const struct cli_option options[] = {
    CLIENT_SPOOL_OPTION,
    CLI_FLAG_OPTION("all", all, "list all jobs, also those that are done, with the folders of their results"),
    CLI_FLAG_OPTION("watch", refresh, "print again every second"),
    CLI_JSON_OPTION("print one JSON object instead of the table"),
    CLI_FLAG_OPTION("csv", csv, "print the settings and results of all jobs as comma-separated values"),
    CLI_TEXT_OPTION("html", "FILE.html", html, "write a page for browsers instead of the table"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_status = {
    .name = "status",
    .operand = "SPOOL",
    .may_lack_operand = true,
    .summary = "List the jobs and watchers of a spool",
    .options = options,
    .size = sizeof(struct status_arguments),
    .run = show_status,
};
