/* SPDX-License-Identifier: BSD-2-Clause */
/* A spool as a page: watchers, and the jobs of each state with their results. No file of the spool is trusted. */
#include "page.h"
#include "ewi_error.h"
#include "ewi_text.h"
#include "html.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_BYTES = 900000,       /* of a page; its lists end there */
    LARGEST_SUMMARY = 1 << 18,
    LARGEST_LINKED = 1 << 25,  /* picture or report */
    MOST_ENTRIES = 256,        /* read from a job's folder, */
    MOST_SORTED = 64,          /* sorted, */
    MOST_FILES = 12,           /* and linked */
    MOST_BODIES = 8
};

static const char *const titles[LISTING_PLACES] = {"Running", "Waiting", "Held", "Failed", "Done"};

static void put_text(FILE *file, const char *text)
{
    html_put(file, "<td class=\"text\">%s</td>", text ? text : "");
}

static void put_age(FILE *file, double seconds)
{
    char text[32] = "–";
    if (isfinite(seconds))
        cli_duration(fmax(seconds, 0), text, sizeof text);
    html_put(file, "<td class=\"number\">%s</td>", text);
}

/* ---- a job's folder ---------------------------------------------------------------------------------------------- */

/* True for the file that the service has published: somebody may have replaced it. */
static bool is_ours(const struct page *page, int folder, const char *name)
{
    struct stat info;
    return ewi_private_has_filed(page->listing->spool->place[EWI_STATE], folder, name) &&
           fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && info.st_size <= LARGEST_LINKED;
}

static void put_link(FILE *file, const struct page *page, enum ewi_place place, const char *job, const char *name,
                     const char *text)
{
    char folder[HTML_LINK], link[HTML_LINK];
    html_put(file, "<a href=\"%s%s/%s/%s\">%s</a>", page->base, ewi_place_name[place], html_link(job, folder),
             html_link(name, link), text);
}

/* Writes the job's name, linked to its report or folder, and its settings if any job of the list has some. */
static void put_job_name(FILE *file, const struct page *page, enum ewi_place place, const struct listing_job *job,
                         int folder)
{
    fputs("<th scope=\"row\"><bdi>", file);
    if (!job->folder)
        html_put(file, "%s", job->name);
    else
        put_link(file, page, place, job->name,
                 folder >= 0 && is_ours(page, folder, EWI_REPORT_FILE) ? EWI_REPORT_FILE : "", job->name);
    fputs("</bdi></th>", file);
    if (page->listing->has_settings[place])
        html_put(file, "<td class=\"settings\">%s</td>", job->settings ? job->settings : "");
}

/* Lists only files that browsers show as text or store: a submitter's HTML could deceive. */
static bool is_listed(int folder, const char *name)
{
    static const char *const endings[] = {".nc", ".csv", ".json", ".txt", ".cfg", ".msh"};
    bool good = strcmp(name, EWI_LOG_FILE) == 0;
    for (size_t k = 0; k < sizeof endings / sizeof *endings && !good; k++)
        good = ewi_ends_in(name, endings[k]);
    return good && name[0] != '.' && strlen(name) < EWI_NAME && ewi_has_file(folder, name);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(left, right);
}

static void put_files(FILE *file, const struct page *page, enum ewi_place place, const char *job, int folder)
{
    char name[MOST_SORTED][EWI_NAME];
    size_t count = 0, seen = 0;
    DIR *entries = folder < 0 ? NULL : ewi_open_entries(folder);
    fputs("<td><ul class=\"files\">", file);
    if (folder >= 0 && is_ours(page, folder, EWI_REPORT_FILE)) {
        fputs("<li>", file);
        put_link(file, page, place, job, EWI_REPORT_FILE, "report");
        fputs("</li>", file);
    }
    for (const char *entry; seen++ < MOST_ENTRIES && count < MOST_SORTED && (entry = ewi_next_entry(&entries));)
        if (is_listed(folder, entry))
            snprintf(name[count++], EWI_NAME, "%s", entry);
    if (entries)
        closedir(entries);
    qsort(name, count, sizeof *name, compare_names);
    for (size_t k = 0; k < count && k <= MOST_FILES; k++) {
        fputs("<li>", file);
        put_link(file, page, place, job, k < MOST_FILES ? name[k] : "", k < MOST_FILES ? name[k] : "more");
        fputs("</li>", file);
    }
    fputs("</ul></td>", file);
}

static void put_picture(FILE *file, const struct page *page, enum ewi_place place, const char *job, int folder)
{
    char link[HTML_LINK];
    if (folder < 0 || !is_ours(page, folder, EWI_PICTURE_FILE)) {
        fputs("<td class=\"quiet\">none</td>", file);
        return;
    }
    html_link(job, link);
    html_put(file, "<td><a href=\"%s%s/%s/" EWI_PICTURE_FILE "\"><img class=\"small\" loading=\"lazy\" "
                   "src=\"%s%s/%s/" EWI_PICTURE_FILE "\" alt=\"Picture of the last state of %s\"/></a></td>",
             page->base, ewi_place_name[place], link, page->base, ewi_place_name[place], link, job);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void put_running(FILE *file, const struct page *page, const struct listing_job *job)
{
    char share[32];
    put_job_name(file, page, EWI_RUN, job, -1);
    if (isfinite(job->fraction)) {
        snprintf(share, sizeof share, "%.4f", fmin(fmax(job->fraction, 0), 1));
        html_put(file, "<td class=\"fixed\"><progress max=\"1\" value=\"%s\" aria-label=\"Progress of %s\">"
                       "</progress> ", share, job->name);
        snprintf(share, sizeof share, "%.0f %%", 100 * job->fraction);
        html_put(file, "%s</td>", share);
    } else {
        html_put(file, "<td class=\"quiet\">%s</td>", job->host ? "no end is known" : "not reported yet");
    }
    html_put_number(file, "%.4g", job->time);
    html_put_number(file, "%.0f", job->step);
    html_put_number(file, "%.3g", job->rate);
    put_age(file, ewi_now() - job->since);
    put_age(file, job->left);
    html_put_number(file, "%.0f", job->attempts + 1);
    put_text(file, job->host);
}

static void put_waiting(FILE *file, const struct page *page, const struct listing_job *job)
{
    char note[2 * EWI_SENTENCE];
    put_job_name(file, page, EWI_NEW, job, -1);
    html_put_number(file, "%.0f", job->priority);
    put_age(file, ewi_now() - job->since);
    listing_describe(EWI_NEW, job, note, sizeof note);
    put_text(file, note);
}

static void put_held(FILE *file, const struct page *page, const struct listing_job *job)
{
    put_job_name(file, page, EWI_HOLD, job, -1);
    put_age(file, ewi_now() - job->since);
}

static void put_ended(FILE *file, double since)
{
    fputs("<td class=\"fixed\">", file);
    html_time(file, since);
    fputs("</td>", file);
}

static void put_failed(FILE *file, const struct page *page, const struct listing_job *job)
{
    int folder = ewi_open_inside(page->listing->spool->place[EWI_FAILED], job->name);
    put_job_name(file, page, EWI_FAILED, job, folder);
    put_ended(file, job->since);
    put_text(file, job->sentence ? job->sentence : "there is no error.txt");
    html_put_number(file, "%.0f", job->exit_code);
    put_picture(file, page, EWI_FAILED, job->name, folder);
    put_files(file, page, EWI_FAILED, job->name, folder);
    ewi_close(folder);
}

/* Writes the forces on bodies, then the errors, up to a limit. */
static void put_values(FILE *file, const char *summary)
{
    char name[128], text[96];
    const char *forces = cli_json_member(summary, "forces"), *errors = cli_json_member(summary, "error_l2");
    const char *value = NULL;
    int count = 0;
    fputs("<td><ul class=\"files\">", file);
    while (count < MOST_BODIES && (value = cli_json_each(forces, value, name, sizeof name))) {
        snprintf(text, sizeof text, "drag %.6g, lift %.6g", cli_json_number_of(value, "drag"),
                 cli_json_number_of(value, "lift"));
        html_put(file, "<li><bdi>%s</bdi>: %s</li>", name, text);
        count++;
    }
    for (value = NULL; count < MOST_BODIES && (value = cli_json_each(errors, value, name, sizeof name)); count++) {
        snprintf(text, sizeof text, "%.4g", cli_json_get_number(value));
        html_put(file, "<li>L2 error of %s: %s</li>", name, text);
    }
    fputs(count > 0 ? "</ul></td>" : "<li class=\"quiet\">none</li></ul></td>", file);
}

static void put_done(FILE *file, const struct page *page, const struct listing_job *job)
{
    char hash[64];
    int folder = ewi_open_inside(page->listing->spool->place[EWI_DONE], job->name);
    char *text = folder < 0 ? NULL : client_read_json(folder, EWI_SUMMARY_FILE, LARGEST_SUMMARY);
    const char *summary = text ? text : "{}";
    put_picture(file, page, EWI_DONE, job->name, folder);
    put_job_name(file, page, EWI_DONE, job, folder);
    put_ended(file, job->since);
    html_put_number(file, "%.4g", cli_json_number_of(summary, "time"));
    html_put_number(file, "%.0f", cli_json_number_of(summary, "steps"));
    html_put_number(file, "%.3g", cli_json_number_of(summary, "gdof_stage_per_s"));
    html_put_number(file, "%.3f", cli_json_number_of(summary, "wall_s"));
    put_values(file, summary);
    cli_json_get_text(cli_json_member(summary, "state_hash"), hash, sizeof hash);
    html_put(file, "<td class=\"fixed\"><code>%s</code></td>", hash);
    put_files(file, page, EWI_DONE, job->name, folder);
    free(text);
    ewi_close(folder);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

/* Captions and heads of columns; # marks a column of numbers. */
static const struct {
    const char *caption, *head[11];
    void (*put)(FILE *file, const struct page *page, const struct listing_job *job);
} tables[LISTING_PLACES] = {
    {"Jobs that run. Rates are in GDOF-stage/s.",
     {"Job", "Progress", "#Time", "#Step", "#Rate", "#Running for", "#Left, about", "#Attempt", "Host"}, put_running},
    {"Jobs in the order in which they will run.", {"Job", "#Priority", "#Waiting for", "Note"}, put_waiting},
    {"Jobs on hold.", {"Job", "#Held for"}, put_held},
    {"The latest first.", {"Job", "Failed", "Reason", "#Exit code", "Picture", "Files"}, put_failed},
    {"The latest first. Rates are in GDOF-stage/s.",
     {"Picture", "Job", "Done", "#Time", "#Steps", "#Rate", "#Seconds", "Forces or errors", "Hash of the state",
      "Files"}, put_done},
};

static void put_head(FILE *file, const struct page *page, int k)
{
    html_put(file, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"%s jobs\">\n<table>\n"
                   "<caption>%s</caption>\n<thead><tr>", titles[k], tables[k].caption);
    for (int c = 0; tables[k].head[c]; c++) {
        bool number = tables[k].head[c][0] == '#';
        fputs(number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">", file);
        html_put(file, "%s</th>", tables[k].head[c] + number);
        if (page->listing->has_settings[listing_places[k].place] && strcmp(tables[k].head[c], "Job") == 0)
            fputs("<th scope=\"col\">Settings</th>", file);
    }
    fputs("</tr></thead>\n<tbody>\n", file);
}

/* Returns the number of rows written. */
static size_t put_rows(FILE *file, const struct page *page, int k, off_t most)
{
    enum ewi_place place = listing_places[k].place;
    size_t row = 0;
    for (; row < page->listing->shown[place] && (page->all || ftello(file) < most); row++) {
        fputs("<tr>", file);
        tables[k].put(file, page, &page->listing->job[place][row]);
        fputs("</tr>\n", file);
    }
    return row;
}

static void put_list(FILE *file, const struct page *page, int k)
{
    enum ewi_place place = listing_places[k].place;
    size_t count = listing_count(page->listing, place);
    char text[64];
    snprintf(text, sizeof text, "%zu%s", count,
             place == EWI_NEW && page->listing->queue->list.truncated ? " or more" : "");
    html_put(file, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s: %s</h2>\n", listing_places[k].word,
             listing_places[k].word, titles[k], text);
    if (count == 0) {
        fputs("<p class=\"quiet\">None.</p>\n</section>\n", file);
        return;
    }
    put_head(file, page, k);
    /* Each list may fill its share of the page, and the space that earlier lists have not used. */
    size_t shown = put_rows(file, page, k, MOST_BYTES / LISTING_PLACES * (k + 1));
    fputs("</tbody>\n</table>\n</div>\n", file);
    snprintf(text, sizeof text, "%zu", count - shown);
    if (count > shown)
        html_put(file, "<p>And %s more, which <code>edgewise status --all</code> lists.</p>\n", text);
    fputs("</section>\n", file);
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static void put_watcher(FILE *file, const struct client_watcher *watcher)
{
    char pid[32], busy[64], since[32];
    struct listing_watcher is;
    if (!watcher->status) {
        fputs("<li>A watcher is starting; it has not reported yet.</li>\n", file);
        return;
    }
    listing_read_watcher(watcher, &is);
    snprintf(pid, sizeof pid, "%.0f", is.pid);
    snprintf(busy, sizeof busy, "%d of %d workers busy", is.busy, is.workers);
    double when = watcher->alive ? is.since : is.time;
    cli_duration(fmax(ewi_now() - when, 0), since, sizeof since);
    if (watcher->alive)
        html_put(file, "<li><span class=\"good\">%s</span> on %s, process %s, for %s: %s%s%s</li>\n", is.state, is.host,
                 pid, since, busy, is.reason[0] ? "; " : "", is.reason);
    else
        html_put(file, "<li><span class=\"bad\">Died</span> on %s, process %s; its last report is %s old.</li>\n",
                 is.host, pid, since);
}

static void put_watchers(FILE *file, const struct page *page)
{
    fputs("<section aria-labelledby=\"watchers\">\n<h2 id=\"watchers\">Watchers</h2>\n", file);
    if (page->listing->watcher_count == 0)
        html_put(file, "<p><span class=\"bad\">None</span>: no job runs until <code>edgewise watch %s</code> "
                 "starts.</p>\n", page->listing->spool->path);
    else
        fputs("<ul>\n", file);
    for (size_t k = 0; k < page->listing->watcher_count; k++)
        put_watcher(file, &page->listing->watchers[k]);
    fputs(page->listing->watcher_count > 0 ? "</ul>\n</section>\n" : "</section>\n", file);
}

static void put_counts(FILE *file, const struct page *page)
{
    fputs("<nav aria-label=\"Jobs by state\"><ul>\n", file);
    for (int k = 0; k < LISTING_PLACES; k++) {
        char count[32];
        snprintf(count, sizeof count, "%zu", listing_count(page->listing, listing_places[k].place));
        html_put(file, "<li><a href=\"#%s\">%s %s</a></li>\n", listing_places[k].word, count, listing_places[k].word);
    }
    fputs("</ul></nav>\n", file);
}

static void put_when(FILE *file, const struct page *page)
{
    char seconds[32], zone[32] = "";
    time_t now = time(NULL);
    struct tm parts;
    if (localtime_r(&now, &parts))
        strftime(zone, sizeof zone, "%Z", &parts);
    fputs("<p class=\"quiet\">As of ", file);
    html_time(file, ewi_now());
    html_put(file, " %s, as all times here.", zone);
    snprintf(seconds, sizeof seconds, "%.0f", page->refresh);
    if (page->sibling && page->refresh > 0)
        html_put(file, " This page reloads itself every %s s. <a href=\"%s\">Stop reloading</a>.", seconds,
                 page->sibling);
    else if (page->sibling)
        html_put(file, " <a href=\"%s\">Reload automatically</a>.", page->sibling);
    fputs("</p>\n", file);
}

static void put_page(FILE *file, const struct page *page)
{
    char *title = cli_format("Spool %s", page->listing->spool->path);
    html_begin(file, title, page->refresh);
    html_put(file, "<header>\n<h1>%s</h1>\n", title);
    put_when(file, page);
    put_counts(file, page);
    fputs("</header>\n<main>\n", file);
    put_watchers(file, page);
    for (int k = 0; k < LISTING_PLACES; k++)
        put_list(file, page, k);
    fputs("</main>\n", file);
    html_end(file);
    free(title);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* 0, or errno. `instance`: the watcher's number, 0: none. */
static int write_page(const struct page *page, int folder, const char *name, int instance)
{
    char temporary[64];
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file)
        return errno;
    put_page(file, page);
    snprintf(temporary, sizeof temporary, ".%.40s.%d", name, instance);
    int reason = fclose(file) != 0 ? errno
                 : instance > 0   ? ewi_write_file_as(folder, temporary, name, text, length, false)
                                   : ewi_write_file(folder, name, text, length, false);
    free(text);
    return reason;
}

int page_write_both(const struct ewi_spool *spool, struct ewi_queue *queue, int instance, double refresh,
                    ew_error *error)
{
    struct listing listing;
    int status = listing_collect(spool, queue, PAGE_JOBS, &listing, error), state = spool->place[EWI_STATE], reason = 0;
    struct page page = {.listing = &listing, .base = "../", .sibling = refresh > 0 ? PAGE_LIVE : NULL};
    if (status == EW_OK)
        reason = write_page(&page, state, PAGE_STILL, instance);
    page.sibling = PAGE_STILL;
    page.refresh = refresh;
    if (status == EW_OK && reason == 0 && refresh > 0)
        reason = write_page(&page, state, PAGE_LIVE, instance);
    listing_free(&listing);
    return reason == 0 ? status
                       : ewi_fail(error, EW_EIO, "cannot write %.200s/state/" PAGE_STILL ": %s", spool->path,
                                  ewi_write_error(reason));
}

/* The relative link from one folder to another, with a final slash. Both paths are absolute. Free the result. */
static char *link_between(const char *from, const char *to)
{
    size_t common = 0;
    for (size_t k = 0;; k++) {
        bool ends = (!from[k] || from[k] == '/') && (!to[k] || to[k] == '/');
        common = ends ? k : common;
        if (!from[k] || from[k] != to[k])
            break;
    }
    char *up = cli_copy(""), *rest = html_link_of_path(to[common] == '/' ? to + common + 1 : to + common);
    for (const char *at = from + common; *at; at++)
        if (*at == '/' && at[1]) {
            char *longer = cli_format("../%s", up);
            free(up);
            up = longer;
        }
    char *link = cli_format("%s%s%s", up, rest, rest[0] ? "/" : "");
    free(up);
    free(rest);
    return link;
}

int page_write(const struct listing *listing, const char *path, bool all)
{
    if (cli_check_replaced(path) != EX_OK)
        return EX_CANTCREAT;
    const char *name = ewi_file_name(path);
    char *parent = name == path ? cli_copy(".") : cli_format("%.*s", (int)(name - path), path);
    char *full = realpath(parent, NULL), *base = full ? link_between(full, listing->spool->path) : NULL;
    int folder = full && name[0] ? open(full, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int reason = folder >= 0 ? 0 : name[0] ? errno : EISDIR;
    if (reason == 0)
        reason = write_page(&(struct page){.listing = listing, .base = base, .all = all}, folder, name, 0);
    ewi_close(folder);
    free(base);
    free(full);
    free(parent);
    return reason == 0 ? EX_OK : cli_fail(EX_CANTCREAT, "cannot write the page %s: %s", path, ewi_write_error(reason));
}
