/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the report of a job. Names and texts come from the submitter; fields and series from the run. */
#include "report.h"
#include "cli.h"
#include "edgewise-plot.h"
#include "ewi_error.h"
#include "client.h"
#include "ewi_text.h"
#include "html.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LARGEST_TEXT = 1 << 18, /* of a case */
    LARGEST_SUMMARY = 1 << 24,
    LARGEST_IMAGE = 1 << 24,
    LARGEST_SERIES = 1 << 25,
    MOST_CHARTS = 6,
    MOST_CURVES = 12,
    CHART_STRETCHES = 400, /* of a long curve; each shows its least and greatest value */
    WIDTH = 800,
    HEIGHT = 600,
    CHART_WIDTH = 640,
    CHART_HEIGHT = 320
};

#define ROUND_OFF 1e-16
#define CONSTANT 1e-10 /* relative to the largest value of the same kind: smaller changes are not drawn */
#define FAR 4 /* domain area relative to the window around the bodies: from here on, the window has its own picture */
/* Temporary files in the private folder. */
#define CHART_FILE ".chart.svg"
#define WHOLE_FILE ".whole.png"

struct writing {
    const struct report *report;
    FILE *file;
    const char *summary;  /* a JSON object; empty for a failed job */
    char *sentence;       /* why the job failed, or NULL */
};

/* Reads a text of a JSON object; false if it is missing or empty. */
static bool text_of(const char *object, const char *name, char *text, size_t size)
{
    text[0] = '\0';
    return object && cli_json_get_text(cli_json_member(object, name), text, size) && text[0];
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

static char *path_of(const struct report *report, const char *name)
{
    return cli_format("%s%s", report->output, name);
}

/* false: the file is missing or too large. */
static bool put_image(const struct writing *writing, const char *name, const char *type, const char *alternative)
{
    size_t length = 0;
    char *bytes = ewi_read_file(writing->report->private, name, LARGEST_IMAGE, &length);
    if (!bytes)
        return false;
    fputs("<img src=\"", writing->file);
    html_data(writing->file, type, bytes, length);
    html_put(writing->file, "\" alt=\"%s\"/>\n", alternative);
    free(bytes);
    return true;
}

static int draw(const struct report *report, const ew_results *results, const char *name, const double *window,
                ew_plot_shown *shown, ew_error *error)
{
    ew_results_info info;
    ew_results_get_info(results, &info);
    ew_plot plot = {.frame = info.frames - 1, .width = WIDTH, .height = HEIGHT, .supersample = 2, .threads = 1,
                    .palette = 1, .zoom = window != NULL};
    if (window)
        memcpy(plot.window, window, sizeof plot.window);
    char *path = path_of(report, name);
    int status = info.frames > 0 && info.fields > 0 ? ew_plot_write(results, &plot, path, shown, error) : EW_EINVAL;
    if (info.frames == 0 || info.fields == 0)
        snprintf(error->message, sizeof error->message, "the fields have no frame");
    free(path);
    return status;
}

static void put_figure(const struct writing *writing, const ew_results *results, const char *name, const char *what,
                       const ew_plot_shown *shown)
{
    ew_results_info info;
    char time[32], range[96];
    const char *words = NULL, *field = ew_results_field(results, 0, &words, NULL);
    ew_results_get_info(results, &info);
    snprintf(time, sizeof time, "%.6g", ew_results_time(results, info.frames - 1, NULL));
    snprintf(range, sizeof range, "%.4g to %.4g", shown->least, shown->greatest);
    char *caption = cli_format("%s at the time %s, from %s", words && words[0] ? words : field, time, range);
    fputs("<figure>\n", writing->file);
    (void)put_image(writing, name, "image/png", caption);
    html_put(writing->file, "<figcaption>%s: %s</figcaption>\n</figure>\n", what, caption);
    free(caption);
}

/* True if the bodies would be mere dots in a picture of the domain. */
static bool are_small(const ew_results *results, double window[4])
{
    ew_results_info info;
    ew_results_get_info(results, &info);
    return ew_plot_bodies(results, window, NULL) == EW_OK &&
           (info.xmax - info.xmin) * (info.ymax - info.ymin) >= FAR * (window[2] - window[0]) * (window[3] - window[1]);
}

static int put_figures(const struct writing *writing, const ew_results *results, ew_error *error)
{
    ew_plot_shown shown;
    double window[4];
    bool small = are_small(results, window);
    TRY(draw(writing->report, results, EWI_PICTURE_FILE, small ? window : NULL, &shown, error));
    put_figure(writing, results, EWI_PICTURE_FILE, small ? "Around the bodies" : "The last state", &shown);
    if (small && draw(writing->report, results, WHOLE_FILE, NULL, &shown, error) == EW_OK)
        put_figure(writing, results, WHOLE_FILE, "The whole domain", &shown);
    return EW_OK;
}

/* Writes pictures of the last frame. */
static void put_picture(const struct writing *writing)
{
    static const char *const endings[] = {"nc", "failed.nc"};
    const struct report *report = writing->report;
    char *name = cli_format("%s.%s", report->name, endings[writing->sentence != NULL]);
    ew_results *results = NULL;
    ew_error error;
    fputs("<section aria-labelledby=\"picture\">\n<h2 id=\"picture\">Picture</h2>\n", writing->file);
    if (!ewi_has_file(report->private, name)) {
        fputs("<p class=\"quiet\">There are no fields to draw.</p>\n", writing->file);
    } else {
        char *path = path_of(report, name);
        int status = ew_results_open(&cli_host, path, &results, &error);
        if (status == EW_OK)
            status = put_figures(writing, results, &error);
        if (status != EW_OK)
            html_put(writing->file, "<p>The fields cannot be drawn: %s</p>\n", error.message);
        ew_results_close(results);
        free(path);
    }
    fputs("</section>\n", writing->file);
    free(name);
}

/* ---- histories --------------------------------------------------------------------------------------------------- */

/* Finds the rows of the least and the greatest value in first .. end - 1, in ascending order. */
static void find_ends(const struct cli_table *table, int column, int64_t first, int64_t end, int64_t ends[2])
{
    int64_t least = first, greatest = first;
    for (int64_t row = first; row < end; row++) {
        double value = cli_table_at(table, row, column);
        if (value < cli_table_at(table, least, column) || isnan(cli_table_at(table, least, column)))
            least = row;
        if (value > cli_table_at(table, greatest, column) || isnan(cli_table_at(table, greatest, column)))
            greatest = row;
    }
    ends[0] = least < greatest ? least : greatest;
    ends[1] = least < greatest ? greatest : least;
}

static void add_point(const struct cli_table *table, int64_t row, int x, int y, double *place, ew_curve *curve)
{
    place[2 * CHART_STRETCHES + curve->points] = cli_table_at(table, row, y);
    place[curve->points++] = cli_table_at(table, row, x);
}

/* Samples a long curve by the extremes of each stretch. Free the result. */
static double *make_curve(const struct cli_table *table, int x, int y, ew_curve *curve)
{
    double *place = cli_allocate(4 * CHART_STRETCHES * sizeof *place);
    bool is_short = table->rows <= 2 * CHART_STRETCHES;
    int64_t stretches = is_short ? table->rows : CHART_STRETCHES;
    *curve = (ew_curve){.name = table->name[y], .x = place, .y = place + 2 * CHART_STRETCHES};
    for (int64_t k = 0; k < stretches; k++) {
        int64_t ends[2];
        find_ends(table, y, table->rows * k / stretches, table->rows * (k + 1) / stretches, ends);
        add_point(table, ends[0], x, y, place, curve);
        if (!is_short)
            add_point(table, ends[1], x, y, place, curve);
    }
    return place;
}

static void put_chart(const struct writing *writing, const struct cli_table *table, int x, const int *column, int count,
                      const char *what)
{
    ew_curve curve[MOST_CURVES];
    double *room[MOST_CURVES];
    ew_error error;
    char *path = path_of(writing->report, CHART_FILE);
    for (int k = 0; k < count; k++)
        room[k] = make_curve(table, x, column[k], &curve[k]);
    if (count == 1)
        curve[0].name = "";
    ew_chart chart = {.x_title = table->name[x], .y_title = what, .curves = count, .curve = curve,
                      .width = CHART_WIDTH, .height = CHART_HEIGHT};
    if (ew_chart_write(&cli_host, &chart, path, &error) == EW_OK) {
        char last[64];
        snprintf(last, sizeof last, "%.6g", cli_table_at(table, table->rows - 1, column[0]));
        char *words = cli_format("%s over %s; the last value of %s is %s", what, table->name[x],
                                 table->name[column[0]], last);
        fputs("<figure>\n", writing->file);
        (void)put_image(writing, CHART_FILE, "image/svg+xml", words);
        html_put(writing->file, "<figcaption>%s</figcaption>\n</figure>\n", words);
        free(words);
    } else {
        html_put(writing->file, "<p>%s cannot be drawn: %s</p>\n", what, error.message);
    }
    for (int k = 0; k < count; k++)
        free(room[k]);
    free(path);
}

static bool is_of_body(const char *name)
{
    return ewi_ends_in(name, "_lift") || ewi_ends_in(name, "_drag") || ewi_ends_in(name, "_moment_coefficient");
}

/* Forces are of one kind; so are columns whose names differ only in the last part, such as total_rho, total_rhou. */
static bool are_of_a_kind(const char *name, const char *other)
{
    const char *end = strrchr(name, '_');
    return is_of_body(name) ? is_of_body(other)
                            : strcmp(name, other) == 0 || (end && strncmp(name, other, (size_t)(end + 1 - name)) == 0);
}

static double magnitude_of(const struct cli_table *table, int column)
{
    int64_t ends[2];
    find_ends(table, column, 0, table->rows, ends);
    return fmax(fabs(cli_table_at(table, ends[0], column)), fabs(cli_table_at(table, ends[1], column)));
}

/*
 * True up to round-off, relative to the largest value of the kind: a force or total may be 0 by symmetry. All forces of
 * a gas at rest may be round-off; they are so relative to its totals.
 */
static bool is_constant(const struct cli_table *table, int column)
{
    int64_t ends[2];
    double least = 0;
    for (int k = 0; k < table->columns; k++) {
        bool is_total = is_of_body(table->name[column]) && strncmp(table->name[k], "total_", 6) == 0;
        double share = are_of_a_kind(table->name[column], table->name[k]) ? CONSTANT : is_total ? ROUND_OFF : 0;
        if (share > 0 && cli_table_has_numbers(table, k))
            least = fmax(least, share * magnitude_of(table, k));
    }
    find_ends(table, column, 0, table->rows, ends);
    return fabs(cli_table_at(table, ends[1], column) - cli_table_at(table, ends[0], column)) <= least;
}

/* Draws the coefficients of all bodies in one chart. */
static int put_forces_over_time(const struct writing *writing, const struct cli_table *table, int x)
{
    int column[MOST_CURVES], count = 0;
    for (int k = 0; k < table->columns && count < MOST_CURVES; k++)
        if (is_of_body(table->name[k]) && cli_table_has_numbers(table, k) && !is_constant(table, k))
            column[count++] = k;
    if (count > 0)
        put_chart(writing, table, x, column, count, "Drag, lift and moment");
    return count > 0;
}

static void put_constants(const struct writing *writing, const struct cli_table *table, int count, const int *column)
{
    char value[64];
    fputs(count > 0 ? "<p>Constant but for round-off:" : "", writing->file);
    for (int k = 0; k < count; k++) {
        snprintf(value, sizeof value, "%.10g", cli_table_at(table, table->rows - 1, column[k]));
        html_put(writing->file, "%s %s = %s", k > 0 ? "," : "", table->name[column[k]], value);
    }
    fputs(count > 0 ? ".</p>\n" : "", writing->file);
}

/* Draws the forces, then a chart for each other column. */
static void put_charts(const struct writing *writing, const struct cli_table *table, int x)
{
    int constant[MOST_CURVES], constants = 0, charts = put_forces_over_time(writing, table, x);
    for (int k = 0; k < table->columns; k++) {
        const char *name = table->name[k];
        if (k == x || strcmp(name, "step") == 0 || strcmp(name, "dt") == 0 || !cli_table_has_numbers(table, k))
            continue;
        if (is_constant(table, k) && constants < MOST_CURVES)
            constant[constants++] = k;
        else if (!is_constant(table, k) && !is_of_body(name) && charts++ < MOST_CHARTS)
            put_chart(writing, table, x, &k, 1, name);
    }
    put_constants(writing, table, constants, constant);
    if (charts > MOST_CHARTS)
        fputs("<p class=\"quiet\">The file has more columns; <code>edgewise plot</code> draws them.</p>\n",
              writing->file);
}

static void put_series(const struct writing *writing, const char *name)
{
    struct cli_table *table = cli_allocate(sizeof *table);
    char *path = path_of(writing->report, name);
    size_t length;
    char *small = ewi_read_file(writing->report->private, name, LARGEST_SERIES, &length);
    bool is_read = small && cli_table_read(table, path) == 0;
    int time = is_read ? cli_table_column(table, "time") : -1;
    if (time >= 0 && cli_table_has_numbers(table, time))
        put_charts(writing, table, time);
    else
        html_put(writing->file, "<p class=\"quiet\">%s has no numbers, or too many of them, to draw here; "
                                "<code>edgewise plot</code> draws it.</p>\n", name);
    cli_table_free(table);
    free(small);
    free(table);
    free(path);
}

static void put_histories(const struct writing *writing)
{
    static const char *const endings[] = {"series.csv", "series.failed.csv"};
    char *name = cli_format("%s.%s", writing->report->name, endings[writing->sentence != NULL]);
    fputs("<section aria-labelledby=\"histories\">\n<h2 id=\"histories\">Histories</h2>\n", writing->file);
    if (ewi_has_file(writing->report->private, name))
        put_series(writing, name);
    else
        html_put(writing->file, "<p class=\"quiet\">%s (<code>output.series</code>).</p>\n",
                 writing->sentence ? "There is no time series: the case asks for none, or the run did not get that far"
                                   : "The case asks for no time series");
    fputs("</section>\n", writing->file);
    free(name);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void begin_table(FILE *file, const char *caption, const char *const *head)
{
    html_put(file, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n<table>\n<caption>%s"
                   "</caption>\n", caption, caption);
    if (head) {
        fputs("<thead><tr>", file);
        for (; *head; head++)
            html_put(file, "<th scope=\"col\" class=\"number\">%s</th>", *head);
        fputs("</tr></thead>\n", file);
    }
    fputs("<tbody>\n", file);
}

static void end_table(FILE *file)
{
    fputs("</tbody>\n</table>\n</div>\n", file);
}

/* Writes a table of the law's numbers of forces, from number `first` on. */
static void put_force_table(const struct writing *writing, const char *caption, const char *const *head,
                            const ew_law *law, int first)
{
    const char *forces = cli_json_member(writing->summary, "forces"), *force = NULL, *part;
    char name[128];
    begin_table(writing->file, caption, head);
    while ((force = cli_json_each(forces, force, name, sizeof name))) {
        html_put(writing->file, "<tr><th scope=\"row\">%s</th>", name);
        for (int k = first; (part = ew_force_number(law, NULL, k, NULL)); k++)
            html_put_number(writing->file, "%.8g", cli_json_number_of(force, part));
        fputs("</tr>\n", writing->file);
    }
    end_table(writing->file);
}

static void put_forces(const struct writing *writing)
{
    static const char *const head[] = {"Body", "x", "y", "Drag", "Lift", "Moment", "Its coefficient", NULL};
    static const char *const viscous[] = {"Body", "Pressure drag", "Friction drag", "Pressure lift", "Friction lift",
                                          "Heat", NULL};
    char name[128] = "";
    int shared = 0;
    if (!cli_json_each(cli_json_member(writing->summary, "forces"), NULL, name, sizeof name))
        return;
    put_force_table(writing, "Forces on bodies, and their coefficients", head, NULL, 0);
    const char *text = cli_json_member(writing->summary, "law");
    const ew_law *law = text && cli_json_get_text(text, name, sizeof name) ? ew_law_find(name) : NULL;
    while (ew_force_number(NULL, NULL, shared, NULL))
        shared++;
    if (law && law->viscous)
        put_force_table(writing, "Pressure and friction, and heat into bodies", viscous, law, shared);
}

/* Errors are null if the exact solution is unknown. */
static bool has_numbers(const char *object)
{
    char name[128];
    const char *value = NULL;
    while (object && (value = cli_json_each(object, value, name, sizeof name)))
        if (isfinite(cli_json_number_of(object, name)))
            return true;
    return false;
}

static void put_norms(const struct writing *writing)
{
    enum { PARTS = 3 };
    static const char *const heads[PARTS] = {"Total", "L2 error", "Largest error"};
    static const char *const parts[PARTS] = {"total", "error_l2", "error_linf"};
    const char *totals = cli_json_member(writing->summary, "total"), *total = NULL;
    const char *head[PARTS + 2] = {"Variable"}, *object[PARTS];
    size_t columns = 0;
    char name[128];
    if (!cli_json_each(totals, NULL, name, sizeof name))
        return;
    for (size_t k = 0; k < PARTS; k++) {
        object[columns] = cli_json_member(writing->summary, parts[k]);
        if (has_numbers(object[columns]))
            head[++columns] = heads[k];
    }
    begin_table(writing->file, "Conserved variables of the last state", head);
    while ((total = cli_json_each(totals, total, name, sizeof name))) {
        html_put(writing->file, "<tr><th scope=\"row\">%s</th>", name);
        for (size_t k = 0; k < columns; k++)
            html_put_number(writing->file, "%.8g", cli_json_number_of(object[k], name));
        fputs("</tr>\n", writing->file);
    }
    end_table(writing->file);
}

static void put_results(const struct writing *writing)
{
    if (writing->sentence)
        return;
    fputs("<section aria-labelledby=\"results\">\n<h2 id=\"results\">Results</h2>\n", writing->file);
    put_forces(writing);
    put_norms(writing);
    fputs("</section>\n", writing->file);
}

/* The job's own settings, for example of a sweep, then the watcher's. Free `all`, and `own` by ewi_settings_free. */
static size_t read_settings(const struct report *report, struct ewi_settings *own, char ***all)
{
    *own = (struct ewi_settings){0};
    (void)ewi_settings_read(report->folder, own, NULL);
    *all = cli_allocate((own->count + report->settings + 1) * sizeof **all);
    for (size_t k = 0; k < own->count + report->settings; k++)
        (*all)[k] = k < own->count ? own->setting[k] : report->setting[k - own->count];
    return own->count + report->settings;
}

static void put_settings(const struct writing *writing)
{
    struct ewi_settings own;
    char **all;
    size_t count = read_settings(writing->report, &own, &all);
    if (count > 0) {
        fputs("<section aria-labelledby=\"settings\">\n<h2 id=\"settings\">Settings</h2>\n", writing->file);
        begin_table(writing->file, "Settings that override the case", NULL);
    }
    for (size_t k = 0; k < count; k++) {
        size_t key = strcspn(all[k], "=");
        if (strcmp(all[k], EWI_NO_SWEEP) == 0)
            continue;
        char *name = cli_format("%.*s", (int)key, all[k]);
        html_put(writing->file, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n", name,
                 all[k][key] ? all[k] + key + 1 : "");
        free(name);
    }
    if (count > 0) {
        end_table(writing->file);
        fputs("</section>\n", writing->file);
    }
    free(all);
    ewi_settings_free(&own);
}

/* Facts about the run: members of the summary, or of its object "job". */
static const struct fact {
    const char *words, *member, *format; /* format: of a number; NULL: the member is a text */
    bool of_job;
} facts[] = {
    {"Law", "law", NULL, false},
    {"Order", "order", "%.0f", false},
    {"Triangles", "elements", "%.0f", false},
    {"Time reached", "time", "%.8g", false},
    {"Steps", "steps", "%.0f", false},
    {"End", "stop", NULL, false},
    {"Backend", "backend", NULL, false},
    {"Device", "device", NULL, false},
    {"Host", "host", NULL, true},
    {"Waited in the queue, s", "queue_s", "%.3f", true},
    {"Last attempt, s", "run_s", "%.3f", true},
    {"Set-up, s", "setup_s", "%.3f", false},
    {"Time stepping, s", "wall_s", "%.3f", false},
    {"Waiting for files, s", "output_s", "%.3f", false},
    {"Rate, GDOF-stage/s", "gdof_stage_per_s", "%.4g", false},
    {"Attempts", "attempts", "%.0f", true},
    {"Interruptions", "interruptions", "%.0f", true},
};

static void put_fact(FILE *file, const char *object, const struct fact *fact)
{
    char text[512] = "";
    double value = cli_json_number_of(object, fact->member);
    if (!fact->format && !text_of(object, fact->member, text, sizeof text))
        return;
    if (fact->format && !isfinite(value))
        return;
    if (fact->format)
        snprintf(text, sizeof text, fact->format, value);
    html_put(file, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n", fact->words, text);
}

static void put_timing(const struct writing *writing)
{
    const char *of_job = cli_json_member(writing->summary, "job");
    fputs("<section aria-labelledby=\"timing\">\n<h2 id=\"timing\">Run and timing</h2>\n", writing->file);
    if (writing->sentence) {
        fputs("<p>The file <a href=\"" EWI_LOG_FILE "\">" EWI_LOG_FILE "</a> says what happened when.</p>\n"
              "</section>\n", writing->file);
        return;
    }
    begin_table(writing->file, "The run in numbers", NULL);
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
        put_fact(writing->file, facts[k].of_job ? of_job : writing->summary, &facts[k]);
    end_table(writing->file);
    fputs("</section>\n", writing->file);
}

/* ---- the case ---------------------------------------------------------------------------------------------------- */

/* Quotes a word for a shell if necessary. Free the result. */
static char *shell_word(const char *word)
{
    if (word[0] && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,/=+:@%")])
        return cli_copy(word);
    char *text = cli_allocate(4 * strlen(word) + 3), *end = text;
    *end++ = '\'';
    for (; *word; word++)
        if (*word == '\'') {
            memcpy(end, "'\\''", 4);
            end += 4;
        } else {
            *end++ = *word;
        }
    *end++ = '\'';
    return text;
}

static void put_command(FILE *file, const char *case_name, size_t settings, char *const *setting)
{
    char *word = shell_word(case_name);
    html_put(file, " %s", word);
    free(word);
    for (size_t k = 0; k < settings; k++) {
        word = shell_word(setting[k]);
        html_put(file, " \\\n    --set %s", word);
        free(word);
    }
}

static void put_case(const struct writing *writing, const char *case_name)
{
    size_t length;
    char *text = ewi_read_file(writing->report->folder, case_name, LARGEST_TEXT, &length);
    html_put(writing->file, "<section aria-labelledby=\"case\">\n<h2 id=\"case\">Case</h2>\n"
                            "<details open=\"open\"><summary>%s</summary>\n", case_name);
    if (text)
        html_put(writing->file, "<pre tabindex=\"0\">%s</pre>\n", text);
    else
        fputs("<p class=\"quiet\">The file cannot be shown here: it is missing or too large.</p>\n", writing->file);
    fputs("</details>\n</section>\n", writing->file);
    free(text);
}

static void put_reproduction(const struct writing *writing, const char *case_name)
{
    struct ewi_settings own;
    char hash[64], **all;
    size_t count = read_settings(writing->report, &own, &all);
    fputs("<section aria-labelledby=\"again\">\n<h2 id=\"again\">How to reproduce it</h2>\n"
          "<p>In a copy of the job&#39;s folder:</p>\n<pre tabindex=\"0\">edgewise run", writing->file);
    put_command(writing->file, case_name, count, all);
    html_put(writing->file, "</pre>\n<p>The job ran with edgewise %s.", ew_version());
    if (text_of(writing->summary, "state_hash", hash, sizeof hash))
        html_put(writing->file, " The hash of the last state is <code>%s</code>; <code>edgewise run</code> prints it, "
                                "and it is the same on every backend and for every number of threads.", hash);
    fputs("</p>\n</section>\n", writing->file);
    free(all);
    ewi_settings_free(&own);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void put_file(FILE *file, const char *name)
{
    char link[HTML_LINK];
    html_put(file, "<li><a href=\"%s\">%s</a></li>\n", html_link(name, link), name);
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Lists the case and the files that the run has written. */
static void put_files(const struct writing *writing, const char *case_name)
{
    enum { MOST = 64 };
    char *name[MOST];
    size_t count = 0;
    DIR *entries = ewi_open_entries(writing->report->private);
    for (const char *entry; count < MOST && (entry = ewi_next_entry(&entries));)
        if (entry[0] != '.' && strcmp(entry, EWI_REPORT_FILE) != 0 && !ewi_ends_in(entry, ".part"))
            name[count++] = cli_copy(entry);
    if (entries)
        closedir(entries);
    qsort(name, count, sizeof *name, compare_texts);
    fputs("<section aria-labelledby=\"files\">\n<h2 id=\"files\">Files</h2>\n<ul>\n", writing->file);
    if (case_name[0])
        put_file(writing->file, case_name);
    put_file(writing->file, EWI_LOG_FILE);
    for (size_t k = 0; k < count; k++) {
        put_file(writing->file, name[k]);
        free(name[k]);
    }
    fputs("</ul>\n</section>\n", writing->file);
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

static void put_head(const struct writing *writing)
{
    const struct report *report = writing->report;
    const char *of_job = cli_json_member(writing->summary, "job");
    char *title = cli_format("%s: %s", report->name, writing->sentence ? "failed" : "done");
    html_begin(writing->file, title, 0);
    html_put(writing->file, "<header>\n<h1><bdi>%s</bdi></h1>\n", report->name);
    if (writing->sentence)
        html_put(writing->file, "<p><span class=\"bad\">Failed</span>: %s</p>\n", writing->sentence);
    else
        fputs("<p><span class=\"good\">Done</span> at ", writing->file);
    if (!writing->sentence) {
        html_time(writing->file, cli_json_number_of(of_job, "ended"));
        fputs(".</p>\n", writing->file);
    }
    fputs("</header>\n<main>\n", writing->file);
    free(title);
}

static void put_report(const struct writing *writing)
{
    char case_name[EWI_NAME];
    ew_error error;
    put_head(writing);
    put_settings(writing);
    put_picture(writing);
    put_results(writing);
    put_histories(writing);
    put_timing(writing);
    if (ewi_job_case(writing->report->folder, case_name, &error) == EW_OK) {
        put_case(writing, case_name);
        put_reproduction(writing, case_name);
    } else {
        case_name[0] = '\0';
    }
    put_files(writing, case_name);
    fputs("</main>\n", writing->file);
    html_end(writing->file);
}

void report_write(const struct report *report)
{
    char *text = NULL, *summary = client_read_json(report->private, EWI_SUMMARY_FILE, LARGEST_SUMMARY);
    size_t length = 0;
    struct writing writing = {.report = report, .summary = summary ? summary : "{}",
                              .sentence = client_first_line(report->private, EWI_ERROR_FILE)};
    writing.file = open_memstream(&text, &length);
    if (writing.file) {
        put_report(&writing);
        int reason = fclose(writing.file) == 0
                         ? ewi_write_file(report->private, EWI_REPORT_FILE, text, length, false) : ENOMEM;
        if (reason != 0)
            cli_error("cannot write the report: %s", ewi_write_error(reason));
    }
    free(text);
    free(summary);
    free(writing.sentence);
}
