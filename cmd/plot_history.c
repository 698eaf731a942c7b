/* SPDX-License-Identifier: BSD-2-Clause */
/* Histories: columns of one or several tables (series, sweeps, values along lines) as curves in one chart. */
#include "plot.h"
#include "ewi_file.h"

#include <math.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

enum { MOST_GROUPS = 24, WIDTH = 1200, HEIGHT = 600 };

struct history {
    const struct plot_arguments *given;
    size_t tables;
    struct cli_table *table;
    bool logarithmic;
    int wanted; /* columns to draw from each table */
    char **column;
    char *over;
    int curves;
    ew_curve *curve;
    char **name;
    double **room;
};

bool plot_is_table(const char *path)
{
    return path && (cmd_ends_with(path, ".csv") || cmd_ends_with(path, ".csv.part"));
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static void want(struct history *history, const char *name, size_t length)
{
    history->column = cli_reallocate(history->column, ((size_t)history->wanted + 1) * sizeof *history->column);
    history->column[history->wanted++] = cli_format("%.*s", (int)length, name);
}

/*
 * The column after the keys. The table of a sweep or of a spool's jobs has its keys before "steps", and results after
 * it.
 */
static int keys_end(const struct cli_table *table)
{
    int status = cli_table_column(table, "status");
    return status > 1 && cli_table_column(table, "steps") > status ? status : 0;
}

/* The first field's column in a table of values along a line, boundaries or a wall; 0: another table. */
static int fields_begin(const struct cli_table *table)
{
    bool curve = strcmp(table->name[0], "distance") == 0 || strcmp(table->name[0], "arc") == 0;
    int last = cli_table_column(table, "element");
    return !curve ? 0 : last >= 0 ? last + 1 : cli_table_column(table, "normal_y") + 1;
}

/* True if the column's numbers differ. `blanks`: a cell without a number differs from one with a number. */
static bool varies(const struct cli_table *table, int column, bool blanks)
{
    double first = NAN;
    bool has_blank = false;
    for (int64_t row = 0; row < table->rows; row++) {
        double value = table->value[row * table->columns + column];
        if (isfinite(first) && isfinite(value) && value != first)
            return true;
        first = isfinite(first) ? first : value;
        has_blank = has_blank || isnan(value);
    }
    return blanks && has_blank && isfinite(first);
}

/* The first key whose numbers differ, else the time, else the first column. */
static const char *choose_over(const struct cli_table *table)
{
    int time = cli_table_column(table, "time"), end = keys_end(table);
    for (int k = 2; k < end; k++)
        if (varies(table, k, false))
            return table->name[k];
    return end == 0 && time >= 0 && cli_table_has_numbers(table, time) ? "time" : table->name[0];
}

/* Whoever writes residuals wants to see them fall. A residual that is always 0 has no place on a logarithmic axis. */
static void choose_residuals(struct history *history)
{
    const struct cli_table *table = &history->table[0];
    for (int k = 0; k < table->columns; k++) {
        bool positive = false;
        for (int64_t row = 0; row < table->rows; row++)
            positive = positive || table->value[row * table->columns + k] > 0;
        if (positive && strncmp(table->name[k], "residual_", 9) == 0)
            want(history, table->name[k], strlen(table->name[k]));
    }
    history->logarithmic = history->wanted > 0;
}

/*
 * Chooses all fields along a line, or residuals, or bodies' drag and lift or, without any, the first column after step,
 * time and dt.
 */
static void choose_columns(struct history *history)
{
    const struct cli_table *table = &history->table[0];
    int first = keys_end(table) ? cli_table_column(table, "steps") + 1 : 0, field = fields_begin(table);
    for (int k = field; field > 0 && k < table->columns; k++)
        if (strcmp(table->name[k], history->over) != 0 && cli_table_has_numbers(table, k))
            want(history, table->name[k], strlen(table->name[k]));
    if (history->wanted == 0)
        choose_residuals(history);
    for (int k = 0; k < table->columns && !history->logarithmic; k++)
        if ((cmd_ends_with(table->name[k], "_lift") || cmd_ends_with(table->name[k], "_drag")) &&
            cli_table_has_numbers(table, k))
            want(history, table->name[k], strlen(table->name[k]));
    for (int k = first; k < table->columns && history->wanted == 0; k++)
        if (strcmp(table->name[k], history->over) != 0 && strcmp(table->name[k], "step") != 0 &&
            strcmp(table->name[k], "dt") != 0 && cli_table_has_numbers(table, k))
            want(history, table->name[k], strlen(table->name[k]));
}

static int read_columns(struct history *history)
{
    const struct plot_arguments *given = history->given;
    const struct cli_table *table = &history->table[0];
    history->over = cli_copy(given->over ? given->over : choose_over(table));
    if (!given->columns) {
        choose_columns(history);
        return history->wanted > 0 ? EX_OK : cli_fail(EX_DATAERR, "%s has no column of numbers to draw.", table->path);
    }
    for (const char *name = given->columns; name;) {
        size_t length = strcspn(name, ",");
        want(history, name, length);
        name = name[length] ? name + length + 1 : NULL;
    }
    return EX_OK;
}

/* The run's name, "foil" of "a/foil.series.csv". Returns its length. */
static int stem_of(const char *path, const char **base)
{
    *base = ewi_file_name(path);
    const char *end = strstr(*base, ".series.csv");
    return (int)(end ? (size_t)(end - *base) : strcspn(*base, "."));
}

/* True if another table has the same stem. */
static bool shares_stem(const struct history *history, const struct cli_table *table)
{
    const char *base, *other;
    int length = stem_of(table->path, &base);
    for (size_t t = 0; t < history->tables; t++)
        if (&history->table[t] != table && stem_of(history->table[t].path, &other) == length &&
            strncmp(base, other, (size_t)length) == 0)
            return true;
    return false;
}

/* "run: naca_lift", or the part of it that distinguishes the curves. */
static char *name_curve(const struct history *history, const struct cli_table *table, const char *column)
{
    const char *base;
    int length = stem_of(table->path, &base);
    if (shares_stem(history, table)) {
        base = table->path;
        length = (int)strlen(base);
    }
    if (history->tables == 1)
        return cli_copy(history->wanted > 1 ? column : "");
    return history->wanted > 1 ? cli_format("%.*s: %s", length, base, column) : cli_format("%.*s", length, base);
}

/* False, for example, for drawn values, whose points are not joined. */
static bool is_sorted(const double *value, int64_t count)
{
    bool up = true, down = true;
    double last = NAN;
    for (int64_t k = 0; k < count; k++) {
        up = up && !(value[k] <= last);
        down = down && !(value[k] >= last);
        last = isnan(value[k]) ? last : value[k];
    }
    return up || down;
}

/* True if two rows have the same keys except for x. */
static bool are_alike(const struct cli_table *table, int x, int64_t row, int64_t other)
{
    for (int k = 2; k < keys_end(table); k++) {
        double a = cli_table_at(table, row, k), b = cli_table_at(table, other, k);
        if (k != x && a != b && !(isnan(a) && isnan(b)))
            return false;
    }
    return true;
}

/*
 * Finds the first row of each curve. In a sweep over several keys, rows that differ only in x form a curve. Returns the
 * number of curves, or 1 if there would be more than `most`, or only one point per curve.
 */
static int find_groups(const struct cli_table *table, int x, int y, int most, int64_t first[MOST_GROUPS])
{
    int count = 0, points = 0;
    for (int64_t row = 0; row < table->rows; row++) {
        int k = 0;
        if (isnan(cli_table_at(table, row, x)) || isnan(cli_table_at(table, row, y)))
            continue;
        points++;
        while (k < count && !are_alike(table, x, row, first[k]))
            k++;
        if (k == most)
            return 1;
        if (k == count)
            first[count++] = row;
    }
    return count > 0 && (points > count || count == 1) ? count : 1;
}

/* "wing_lift, mach=0.3": the column, and the keys in which the curves differ. */
static char *name_group(const struct history *history, const struct cli_table *table, const char *column, int x,
                        int64_t first)
{
    char *name = name_curve(history, table, column);
    for (int k = 2; k < keys_end(table); k++) {
        double value = cli_table_at(table, first, k);
        const char *key = table->name[k];
        if (k == x || !varies(table, k, true))
            continue;
        key += strncmp(key, "let.", 4) == 0 ? 4 : 0;
        char *longer = isnan(value) ? cli_format("%s%s%s not set", name, name[0] ? ", " : "", key)
                                    : cli_format("%s%s%s=%.6g", name, name[0] ? ", " : "", key, value);
        free(name);
        name = longer;
    }
    return name;
}

static void add_points(struct history *history, const struct cli_table *table, int x, int y, const int64_t *first)
{
    int k = history->curves++, points = 0;
    size_t curves = (size_t)history->curves;
    history->curve = cli_reallocate(history->curve, curves * sizeof *history->curve);
    history->name = cli_reallocate(history->name, curves * sizeof *history->name);
    history->room = cli_reallocate(history->room, curves * sizeof *history->room);
    double *place = history->room[k] = cli_allocate(2 * (size_t)table->rows * sizeof *place);
    for (int64_t row = 0; row < table->rows; row++)
        if (!first || are_alike(table, x, row, *first)) {
            place[points] = cli_table_at(table, row, x);
            place[table->rows + points++] = cli_table_at(table, row, y);
        }
    history->name[k] = first ? name_group(history, table, table->name[y], x, *first)
                             : name_curve(history, table, table->name[y]);
    history->curve[k] = (ew_curve){.name = history->name[k], .points = points, .x = place, .y = place + table->rows,
                                   .apart = keys_end(table) && !is_sorted(place, points)};
}

static int add_curves(struct history *history, const struct cli_table *table, const char *column)
{
    int y = cli_table_column(table, column), x = cli_table_column(table, history->over);
    int64_t first[MOST_GROUPS];
    if (x < 0 || !cli_table_has_numbers(table, x))
        return cli_table_refuse(table, "--over", history->over);
    if (y < 0 || !cli_table_has_numbers(table, y))
        return cli_table_refuse(table, "--columns", column);
    int most = MOST_GROUPS / ((int)history->tables * history->wanted);
    int groups = keys_end(table) && most > 1 ? find_groups(table, x, y, most, first) : 1;
    for (int k = 0; k < groups; k++)
        add_points(history, table, x, y, groups > 1 ? &first[k] : NULL);
    return EX_OK;
}

static int make_curves(struct history *history)
{
    int code = read_columns(history);
    for (size_t t = 0; t < history->tables; t++)
        for (int k = 0; code == EX_OK && k < history->wanted; k++)
            code = add_curves(history, &history->table[t], history->column[k]);
    return code;
}

/* ---- the chart --------------------------------------------------------------------------------------------------- */

static int read_ranges(const struct plot_arguments *given, ew_chart *chart)
{
    double number[4];
    if (given->range && given->window)
        return cli_misuse(&cmd_plot, "--range and --window both set the y axis; give one of them.");
    if (given->range && cli_read_numbers(given->range, 2, 2, number) != 2)
        return cli_misuse(&cmd_plot, "--range %s is for colours; a curve takes --range LOW,HIGH.", given->range);
    if (given->window) {
        int code = plot_read_window(given->window, number);
        if (code)
            return code;
        chart->x_low = number[0];
        chart->x_high = number[2];
        number[0] = number[1];
        number[1] = number[3];
    }
    if (given->range || given->window) {
        chart->y_low = number[0];
        chart->y_high = number[1];
        if (number[0] == number[1])
            return cli_misuse(&cmd_plot, "--%s: the range %g,%g is empty.", given->range ? "range" : "window",
                              number[0], number[1]);
    }
    return 0;
}

/* Checks that some rows have both columns. Jobs of a spool, for example, may have only one of them. */
static int check_points(const struct history *history)
{
    const char *column = history->column[0], *path = history->table[0].path;
    for (int k = 0; k < history->curves; k++)
        for (int64_t i = 0; i < history->curve[k].points; i++)
            if (isfinite(history->curve[k].x[i]) && isfinite(history->curve[k].y[i]))
                return EX_OK;
    return cli_fail(EX_USAGE, "%s: no row has numbers of both \"%s\" and \"%s\"; --over takes another column.", path,
                    history->over, column);
}

/* The title from the fields next to a time series, or NULL. */
static char *title_of_case(const char *path)
{
    const char *end = strstr(path, ".series.csv");
    char *file = end ? cli_format("%.*s.nc", (int)(end - path), path) : NULL, *title = NULL;
    ew_results *results;
    ew_results_info info;
    if (file && access(file, R_OK) == 0 && ew_results_open(&cli_host, file, &results, NULL) == EW_OK) {
        ew_results_get_info(results, &info);
        title = info.title[0] ? cli_copy(info.title) : NULL;
        ew_results_close(results);
    }
    free(file);
    return title;
}

static char *title_of(const struct history *history)
{
    const char *path = history->table[0].path, *base = ewi_file_name(path);
    if (history->given->title || history->tables > 1)
        return cli_copy(history->given->title ? history->given->title : "");
    char *title = title_of_case(path);
    return title ? title : cli_format("%.*s", (int)strcspn(base, "."), base);
}

static int write_chart(struct history *history, const char *name)
{
    const struct plot_arguments *given = history->given;
    char *title = title_of(history);
    ew_chart chart = {.title = title, .x_title = history->over, .y_title = history->wanted == 1 ? history->column[0]
                      : NULL, .curves = history->curves, .curve = history->curve,
                      .logarithmic_y = given->log || history->logarithmic,
                      .falling_y = history->wanted == 1 && strcmp(history->column[0], "cp") == 0};
    ew_error error;
    int code = check_points(history);
    code = code ? code : read_ranges(given, &chart);
    code = code ? code : plot_read_pixels("width", given->width, EW_PLOT_LEAST, &chart.width);
    code = code ? code : plot_read_pixels("height", given->height, EW_PLOT_LEAST, &chart.height);
    chart.width = chart.width ? chart.width : WIDTH;
    chart.height = chart.height ? chart.height : HEIGHT;
    if (code == EX_OK && ew_chart_write(&cli_host, &chart, name, &error) != EW_OK)
        code = cmd_results_failed(&error);
    if (code == EX_OK && !given->common.quiet)
        printf("%s: %d curve%s over %s\n", name, history->curves, history->curves == 1 ? "" : "s", history->over);
    free(title);
    return code;
}

static void free_history(struct history *history)
{
    for (size_t t = 0; t < history->tables; t++)
        cli_table_free(&history->table[t]);
    for (int k = 0; k < history->wanted; k++)
        free(history->column[k]);
    for (int k = 0; k < history->curves; k++) {
        free(history->name[k]);
        free(history->room[k]);
    }
    free(history->column);
    free(history->curve);
    free(history->name);
    free(history->room);
    free(history->over);
    free(history->table);
}

static int list_columns(const struct history *history)
{
    for (size_t t = 0; t < history->tables; t++) {
        const struct cli_table *table = &history->table[t];
        printf("%s, %lld lines\n", table->path, (long long)table->rows);
        for (int k = 0; k < table->columns; k++)
            printf("  %s%s\n", table->name[k], cli_table_has_numbers(table, k) ? "" : " (no numbers)");
    }
    return EX_OK;
}

int plot_history(const struct plot_arguments *given)
{
    struct history *history = cli_allocate(sizeof *history);
    const char *base = ewi_file_name(given->common.case_path);
    char *name = given->common.output ? cli_copy(given->common.output)
                                      : cli_format("%.*s.png", (int)(strstr(base, ".csv") - base), base);
    int code = EX_OK;
    history->given = given;
    history->table = cli_allocate(given->common.operands * sizeof *history->table);
    for (size_t t = 0; code == EX_OK && t < given->common.operands; t++) {
        history->tables = t + 1;
        code = cli_table_read(&history->table[t], given->common.operand[t]);
    }
    if (code == EX_OK && given->list)
        code = list_columns(history);
    else {
        if (code == EX_OK && !plot_is_picture(name) && strncmp(name, "/dev/", 5) != 0)
            code = cli_misuse(&cmd_plot, "--output needs a name that ends in .png, .svg or .pdf, not \"%s\".", name);
        code = code ? code : cli_check_target(name);
        code = code ? code : make_curves(history);
        code = code ? code : write_chart(history, name);
    }
    free_history(history);
    free(history);
    free(name);
    return cli_finish_stdout(code);
}
