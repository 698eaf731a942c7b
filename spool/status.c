/* SPDX-License-Identifier: BSD-2-Clause */
/* "edgewise status" lists the jobs and watchers of a spool. */
#include "hand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

/* MOST_SHOWN: jobs of each state without --all */
enum { MOST_SHOWN = 20, LONGEST_LINE = 4096, WIDEST_NAME = 40, REFRESH_SECONDS = 1 };

/* A job of any state. */
struct line {
    const char *name;
    double since, not_before;
    int priority, attempts, exit_code;
    bool waits_for_mesh;
    char *sentence; /* or NULL */
    const char *host; /* of the watcher; NULL: not known */
    double fraction, time, step;
};

struct status_arguments {
    struct cli_arguments common;
    const char *spool;
    bool all, refresh;
};

struct status {
    const struct status_arguments *arguments;
    struct ewi_spool spool;
    struct hand_watcher *watchers;
    size_t watcher_count;
    struct ewi_queue queue;
    struct hand_list list[EWI_PLACES];
    struct line *line[EWI_PLACES];
    size_t shown[EWI_PLACES]; /* lines */
    char (*host)[256];        /* of each watcher */
};

static const struct {
    enum ewi_place place;
    const char *word;
} places[] = {{EWI_RUN, "running"}, {EWI_NEW, "waiting"}, {EWI_HOLD, "held"}, {EWI_FAILED, "failed"},
              {EWI_DONE, "done"}};

enum { PLACES = sizeof places / sizeof *places };

/* ---- collecting -------------------------------------------------------------------------------------------------- */

static void read_job(const struct status *status, enum ewi_place place, struct line *line)
{
    struct ewi_record record;
    int folder = ewi_open_inside(status->spool.place[place], line->name);
    if (folder < 0)
        return;
    ewi_record_read(folder, &record);
    line->attempts = record.attempts;
    line->exit_code = record.exit_code;
    if (place == EWI_FAILED)
        line->sentence = hand_first_line(folder, EWI_ERROR_FILE);
    else if (record.reason[0])
        line->sentence = cli_copy(record.reason);
    close(folder);
}

static int compare_times(const void *left, const void *right)
{
    double a = ((const struct hand_entry *)left)->changed, b = ((const struct hand_entry *)right)->changed;
    return (a < b) - (a > b);
}

static struct line *add_lines(struct status *status, enum ewi_place place, size_t count)
{
    status->shown[place] = status->arguments->all || count < MOST_SHOWN ? count : MOST_SHOWN;
    return status->line[place] = cli_allocate((count + 1) * sizeof *status->line[place]);
}

static void collect_place(struct status *status, enum ewi_place place)
{
    struct hand_list *list = &status->list[place];
    if (list->count > 0 && (place == EWI_DONE || place == EWI_FAILED))
        qsort(list->entry, list->count, sizeof *list->entry, compare_times);
    struct line *line = add_lines(status, place, list->count);
    for (size_t k = 0; k < status->shown[place]; k++, line++) {
        *line = (struct line){.name = list->entry[k].name, .since = list->entry[k].changed,
                              .fraction = NAN, .time = NAN, .step = NAN};
        if (list->entry[k].folder)
            read_job(status, place, line);
    }
}

/* The next job is last in the queue. */
static void collect_waiting(struct status *status)
{
    size_t all = status->queue.list.count;
    double clock = ewi_now() - ewi_seconds();
    struct line *line = add_lines(status, EWI_NEW, all);
    for (size_t k = 0; k < status->shown[EWI_NEW]; k++, line++) {
        const struct ewi_waiting *waiting = &status->queue.list.waiting[all - 1 - k];
        *line = (struct line){.name = waiting->name, .since = waiting->age, .priority = waiting->priority,
                              .not_before = waiting->not_before > 0 ? waiting->not_before + clock : 0,
                              .waits_for_mesh = waiting->waits_for_mesh};
        if (waiting->kind == EWI_FOLDER)
            read_job(status, EWI_NEW, line);
    }
}

static double number_of(const char *object, const char *name)
{
    return cli_json_get_number(cli_json_member(object, name));
}

static void note_progress(struct status *status, const char *worker, const char *host)
{
    char name[EWI_NAME];
    double started = number_of(worker, "started");
    if (!cli_json_get_text(cli_json_member(worker, "job"), name, sizeof name))
        return;
    for (struct line *line = status->line[EWI_RUN]; line < status->line[EWI_RUN] + status->shown[EWI_RUN]; line++)
        if (strcmp(line->name, name) == 0) {
            line->host = host;
            line->fraction = number_of(worker, "fraction");
            line->time = number_of(worker, "time");
            line->step = number_of(worker, "step");
            line->since = started > 0 ? started : line->since;
        }
}

/* Workers' progress, as their watchers report it. */
static void collect_progress(struct status *status)
{
    status->host = cli_allocate((status->watcher_count + 1) * sizeof *status->host);
    for (size_t k = 0; k < status->watcher_count; k++) {
        const char *object = status->watchers[k].status;
        if (!object || !status->watchers[k].alive)
            continue;
        cli_json_get_text(cli_json_member(object, "host"), status->host[k], sizeof status->host[k]);
        for (const char *worker = cli_json_first(cli_json_member(object, "workers")); worker;
             worker = cli_json_next(worker))
            note_progress(status, worker, status->host[k]);
    }
}

static int collect(struct status *status)
{
    ew_error error;
    status->watcher_count = hand_watchers(&status->spool, &status->watchers);
    int result = ewi_queue_create(&status->spool, &status->queue, &error);
    if (result == EW_OK)
        result = ewi_queue_scan(&status->queue, &error);
    for (int k = 0; k < PLACES && result == EW_OK; k++) {
        enum ewi_place place = places[k].place;
        if (place != EWI_NEW)
            result = hand_list(&status->spool, place, &status->list[place], &error);
        if (place != EWI_NEW && result == EW_OK)
            collect_place(status, place);
    }
    if (result != EW_OK)
        return cli_fail(EX_NOINPUT, "%s", error.message);
    ewi_queue_sort(&status->queue);
    collect_waiting(status);
    collect_progress(status);
    return EX_OK;
}

static void forget(struct status *status)
{
    for (int place = 0; place < EWI_PLACES; place++) {
        for (size_t k = 0; k < status->shown[place]; k++)
            free(status->line[place][k].sentence);
        free(status->line[place]);
        hand_free_list(&status->list[place]);
    }
    ewi_queue_destroy(&status->queue);
    hand_free_watchers(status->watchers, status->watcher_count);
    free(status->host);
    *status = (struct status){.arguments = status->arguments, .spool = status->spool};
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void put_watcher(struct cli_json *json, const struct hand_watcher *watcher)
{
    cli_json_open(json, NULL, '{');
    cli_json_integer(json, "number", watcher->number);
    cli_json_bool(json, "alive", watcher->alive);
    cli_json_raw(json, "status", watcher->status);
    cli_json_close(json, '}');
}

static void put_line(struct cli_json *json, enum ewi_place place, const struct line *line)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "job", line->name);
    cli_json_number(json, "since", line->since);
    if (place == EWI_NEW) {
        cli_json_integer(json, "priority", line->priority);
        cli_json_number(json, "not_before", line->not_before > 0 ? line->not_before : NAN);
        cli_json_bool(json, "waits_for_mesh", line->waits_for_mesh);
    }
    if (place == EWI_RUN) {
        cli_json_text(json, "host", line->host);
        cli_json_number(json, "fraction", line->fraction);
        cli_json_number(json, "time", line->time);
        cli_json_number(json, "step", line->step);
    }
    if (place == EWI_NEW || place == EWI_RUN)
        cli_json_integer(json, "attempts", line->attempts);
    if (place == EWI_FAILED)
        cli_json_integer(json, "exit_code", line->exit_code);
    if (place == EWI_NEW || place == EWI_FAILED)
        cli_json_text(json, place == EWI_FAILED ? "error" : "reason", line->sentence);
    cli_json_close(json, '}');
}

static size_t count_in(const struct status *status, enum ewi_place place)
{
    return place == EWI_NEW ? status->queue.list.count : status->list[place].count;
}

static void print_json(const struct status *status)
{
    struct cli_json json = cli_json_begin(stdout);
    cli_json_text(&json, "spool", status->spool.path);
    cli_json_number(&json, "time", ewi_now());
    cli_json_open(&json, "watchers", '[');
    for (size_t k = 0; k < status->watcher_count; k++)
        put_watcher(&json, &status->watchers[k]);
    cli_json_close(&json, ']');
    cli_json_open(&json, "count", '{');
    for (int k = 0; k < PLACES; k++)
        cli_json_integer(&json, places[k].word, (int64_t)count_in(status, places[k].place));
    cli_json_bool(&json, "more_waiting", status->queue.list.truncated);
    cli_json_close(&json, '}');
    for (int k = 0; k < PLACES; k++) {
        cli_json_open(&json, places[k].word, '[');
        for (size_t i = 0; i < status->shown[places[k].place]; i++)
            put_line(&json, places[k].place, &status->line[places[k].place][i]);
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

/* Bytes of the text that fill this many columns of a terminal, if each character takes one. */
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

static void print_watcher(const struct hand_watcher *watcher)
{
    char line[LONGEST_LINE], host[256] = "", state[64] = "", reason[EWI_SENTENCE] = "", since[32];
    const char *object = watcher->status;
    int busy = 0, workers = 0;
    if (!object) {
        print_line("watcher  starting: it has not reported yet");
        return;
    }
    cli_json_get_text(cli_json_member(object, "host"), host, sizeof host);
    cli_json_get_text(cli_json_member(object, "state"), state, sizeof state);
    cli_json_get_text(cli_json_member(object, "reason"), reason, sizeof reason);
    for (const char *worker = cli_json_first(cli_json_member(object, "workers")); worker;
         worker = cli_json_next(worker)) {
        char word[16];
        workers++;
        busy += cli_json_get_text(cli_json_member(worker, "state"), word, sizeof word) && strcmp(word, "busy") == 0;
    }
    double pid = number_of(object, "pid");
    if (watcher->alive)
        snprintf(line, sizeof line, "watcher  %s on %s, process %.0f, since %s: %d of %d workers busy%s%s", state, host,
                 pid, age(number_of(object, "since"), since, sizeof since), busy, workers, reason[0] ? "; " : "",
                 reason);
    else
        snprintf(line, sizeof line, "watcher  died on %s, process %.0f; last report %s ago", host, pid,
                 age(number_of(object, "time"), since, sizeof since));
    print_line(line);
}

static void describe(enum ewi_place place, const struct line *line, char *note, size_t size)
{
    double now = ewi_now();
    char left[32], fraction[32] = "", time[64] = "";
    note[0] = '\0';
    if (isfinite(line->fraction))
        snprintf(fraction, sizeof fraction, "%.0f %%, ", 100 * line->fraction);
    if (isfinite(line->time))
        snprintf(time, sizeof time, "t = %.4g, step %.0f, ", line->time, line->step);
    if (place == EWI_FAILED && line->sentence)
        snprintf(note, size, "%s", line->sentence);
    else if (place == EWI_RUN && line->host)
        snprintf(note, size, "%s%son %s", fraction, time, line->host);
    else if (place == EWI_RUN)
        snprintf(note, size, "its watcher has not reported on it yet");
    if (place != EWI_NEW)
        return;
    if (line->waits_for_mesh)
        snprintf(note, size, "its mesh is not there yet");
    else if (line->attempts > 0 && line->not_before > now)
        snprintf(note, size, "attempt %d in %s: %s", line->attempts + 1,
                 cli_duration(line->not_before - now, left, sizeof left), line->sentence ? line->sentence : "");
    else if (line->attempts > 0)
        snprintf(note, size, "attempt %d", line->attempts + 1);
    else if (line->priority != 0)
        snprintf(note, size, "priority %d", line->priority);
}

static void print_job(enum ewi_place place, const char *word, const struct line *line, int width)
{
    char text[LONGEST_LINE], name[HAND_SHOWN], note[2 * EWI_SENTENCE], since[32];
    hand_shown(line->name, name);
    describe(place, line, note, sizeof note);
    for (char *at = note; *at; at++)
        *at = ewi_is_control(*at) ? ' ' : *at;
    int pad = width - (int)bytes_in(name, SIZE_MAX);
    snprintf(text, sizeof text, "%s%*s  %-8s %8s  %.3000s", name, pad > 0 ? pad : 0, "", word,
             age(line->since, since, sizeof since), note);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    print_line(text);
}

static int name_width(const struct status *status)
{
    size_t width = sizeof "JOB" - 1;
    char name[HAND_SHOWN];
    for (int k = 0; k < PLACES - 1; k++)
        for (size_t i = 0; i < status->shown[places[k].place]; i++) {
            size_t length = strlen(hand_shown(status->line[places[k].place][i].name, name));
            width = length > width && length <= WIDEST_NAME ? length : width;
        }
    return (int)width;
}

/* Done jobs are only counted: they need nobody's attention. */
static void print_table(const struct status *status)
{
    int width = name_width(status), jobs = 0;
    printf("spool    %s\n", status->spool.path);
    for (size_t k = 0; k < status->watcher_count; k++)
        print_watcher(&status->watchers[k]);
    if (status->watcher_count == 0)
        printf("watcher  none; \"edgewise watch %s\" starts one\n", status->spool.path);
    printf("jobs     ");
    for (int k = 0; k < PLACES; k++)
        printf("%s%zu%s %s", k > 0 ? ", " : "", count_in(status, places[k].place),
               places[k].place == EWI_NEW && status->queue.list.truncated ? " or more" : "", places[k].word);
    printf("\n");
    for (int k = 0; k < PLACES - 1; k++) {
        size_t shown = status->shown[places[k].place], hidden = count_in(status, places[k].place) - shown;
        for (size_t i = 0; i < shown; i++) {
            if (jobs++ == 0)
                printf("\n%-*s  %-8s %8s\n", width, "JOB", "STATE", "SINCE");
            print_job(places[k].place, places[k].word, &status->line[places[k].place][i], width);
        }
        if (hidden > 0)
            printf("and %zu more %s; --all lists them\n", hidden, places[k].word);
    }
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int show(struct status *status)
{
    bool refreshes = status->arguments->refresh, terminal = isatty(STDOUT_FILENO);
    int code = collect(status);
    if (code == EX_OK && status->arguments->common.json) {
        print_json(status);
    } else if (code == EX_OK) {
        fputs(refreshes && terminal ? "\033[H\033[2J" : "", stdout);
        print_table(status);
        fputs(refreshes && !terminal ? "\n" : "", stdout);
    }
    forget(status);
    return cli_finish_stdout(code);
}

static int tell_status(struct cli_arguments *common)
{
    const struct status_arguments *arguments = (const struct status_arguments *)common;
    struct status status = {.arguments = arguments};
    if (arguments->spool && common->case_path)
        return cli_fail(EX_USAGE, "name the spool once: \"%s\" or --spool \"%s\".", common->case_path,
                        arguments->spool);
    int code = hand_open_spool(common->case_path ? common->case_path : arguments->spool, &status.spool);
    if (code != EX_OK)
        return code;
    while ((code = show(&status)) == EX_OK && arguments->refresh)
        nanosleep(&(struct timespec){.tv_sec = REFRESH_SECONDS}, NULL);
    ewi_spool_close(&status.spool);
    return code;
}

#define ARGUMENTS struct status_arguments

static const struct cli_option options[] = {
    HAND_SPOOL_OPTION,
    CLI_FLAG_OPTION("all", all, "list all jobs, not only twenty of each state"),
    CLI_FLAG_OPTION("watch", refresh, "print again every second"),
    CLI_JSON_OPTION("print one JSON object instead of the table"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_status = {
    .name = "status",
    .operand = "SPOOL",
    .may_lack_operand = true,
    .summary = "List the jobs and watchers of a spool",
    .options = options,
    .size = sizeof(struct status_arguments),
    .run = tell_status,
};
