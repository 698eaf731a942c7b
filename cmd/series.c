/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise series: mean, amplitude and frequency of the columns of a time series. */
#include "cmd.h"

#include <math.h>
#include <string.h>
#include <sysexits.h>

struct series_arguments {
    struct cli_arguments common;
    const char *columns, *from, *to, *scale;
};

struct series {
    const struct series_arguments *given;
    struct cli_table table;
    double *time, *value;  /* [table.rows] */
    double from, to;
    double length, speed;  /* of the Strouhal number; NaN: none */
    struct cli_json json;
    int left_out; /* columns that lack a value */
};

static int read_number(const char *option, const char *text, double *number)
{
    if (text && cli_read_numbers(text, 1, 1, number) != 1)
        return cli_misuse(&cmd_series, "--%s needs a time, for example 12.5, not \"%s\".", option, text);
    return EX_OK;
}

static int read_options(struct series *series)
{
    const struct series_arguments *given = series->given;
    double number[2];
    series->from = -INFINITY;
    series->to = INFINITY;
    series->length = series->speed = NAN;
    int code = read_number("from", given->from, &series->from);
    code = code ? code : read_number("to", given->to, &series->to);
    if (code || !given->scale)
        return code;
    if (cli_read_numbers(given->scale, 2, 2, number) != 2 || !(number[0] > 0) || !(number[1] > 0))
        return cli_misuse(&cmd_series, "--scale needs a length and a speed, greater than 0, for example 1,0.2, not "
                          "\"%s\".", given->scale);
    series->length = number[0];
    series->speed = number[1];
    return EX_OK;
}

static void take_column(const struct series *series, int column, double *values)
{
    for (int64_t row = 0; row < series->table.rows; row++)
        values[row] = cli_table_at(&series->table, row, column);
}

static double strouhal(const struct series *series, const ew_oscillation *found)
{
    return found->frequency * series->length / series->speed;
}

static void print(const struct series *series, const char *name, const ew_oscillation *found)
{
    printf("%s: mean %.9g, standard deviation %.6g, least %.9g, greatest %.9g\n", name, found->mean, found->deviation,
           found->least, found->greatest);
    if (found->why) {
        printf("  no frequency: %s between t = %.6g and %.6g\n", found->why, found->from, found->to);
        return;
    }
    printf("  amplitude %.9g, frequency %.9g", found->amplitude, found->frequency);
    if (isfinite(series->length))
        printf(", Strouhal number %.9g", strouhal(series, found));
    printf("\n  %d periods from t = %.6g to %.6g, whose lengths differ by %.2g %%\n", found->periods, found->from,
           found->to, 100 * found->spread);
}

/* The first line in the interval at which the column has no finite value, or -1. */
static int64_t first_missing(const struct series *series, int column)
{
    for (int64_t row = 0; row < series->table.rows; row++)
        if (series->time[row] >= series->from && series->time[row] <= series->to &&
            !isfinite(cli_table_at(&series->table, row, column)))
            return row;
    return -1;
}

static void put(struct series *series, const char *name, const ew_oscillation *found)
{
    struct cli_json *json = &series->json;
    cli_json_open(json, name, '{');
    cli_json_number(json, "from", found->from);
    cli_json_number(json, "to", found->to);
    cli_json_number(json, "mean", found->mean);
    cli_json_number(json, "deviation", found->deviation);
    cli_json_number(json, "min", found->least);
    cli_json_number(json, "max", found->greatest);
    cli_json_integer(json, "periods", found->periods);
    cli_json_number(json, "frequency", found->frequency);
    cli_json_number(json, "amplitude", found->amplitude);
    cli_json_number(json, "spread", found->spread);
    cli_json_number(json, "strouhal", strouhal(series, found));
    cli_json_text(json, "no_frequency_because", found->why);
    cli_json_close(json, '}');
}

static int report(struct series *series, int column)
{
    const char *name = series->table.name[column];
    ew_oscillation found;
    ew_error error;
    take_column(series, column, series->value);
    if (ew_oscillation_measure((size_t)series->table.rows, series->time, series->value, series->from, series->to,
                               &found, &error) != EW_OK)
        return cli_fail(EX_DATAERR, "%s, column \"%s\": %s", series->table.path, name, error.message);
    if (series->given->common.json)
        put(series, name, &found);
    else
        print(series, name, &found);
    return EX_OK;
}

/* Says why the column is not measured, for lack of a value in this line. */
static void leave_out(struct series *series, int column, int64_t row)
{
    const char *name = series->table.name[column];
    char *why = cli_format("it has no value at t = %.9g", series->time[row]);
    if (series->given->common.json)
        put(series, name, &(ew_oscillation){.from = NAN, .to = NAN, .mean = NAN, .deviation = NAN, .least = NAN,
                                            .greatest = NAN, .frequency = NAN, .amplitude = NAN, .spread = NAN,
                                            .why = why});
    else
        printf("%s: left out: %s\n", name, why);
    free(why);
}

/* Reports the column unless a value is missing. */
static int report_complete(struct series *series, int column)
{
    int64_t row = first_missing(series, column);
    series->left_out += row >= 0;
    if (row < 0)
        return report(series, column);
    leave_out(series, column, row);
    return EX_OK;
}

/* Reports the named columns or, if it `checks`, only refuses names that are no columns of numbers. */
static int report_named(struct series *series, bool checks)
{
    int code = EX_OK;
    for (const char *names = series->given->columns; names && code == EX_OK;) {
        size_t length = strcspn(names, ",");
        char *name = cli_format("%.*s", (int)length, names);
        int column = cli_table_column(&series->table, name);
        if (!checks)
            code = report(series, column);
        else if (column < 0 || !cli_table_has_numbers(&series->table, column))
            code = cli_table_refuse(&series->table, "--columns", name);
        free(name);
        names = names[length] ? names + length + 1 : NULL;
    }
    return code;
}

/*
 * Reports the drag and lift of bodies or, without any, all columns but the step, the time and its step. One without a
 * value in some line does not keep the others from being reported.
 */
static int report_usual(struct series *series)
{
    const struct cli_table *table = &series->table;
    int code = EX_OK, forces = 0, usual = 0;
    for (int k = 0; k < table->columns; k++)
        forces += cmd_ends_with(table->name[k], "_lift") || cmd_ends_with(table->name[k], "_drag");
    for (int k = 0; k < table->columns && code == EX_OK; k++) {
        bool is_force = cmd_ends_with(table->name[k], "_lift") || cmd_ends_with(table->name[k], "_drag");
        bool is_count = strcmp(table->name[k], "step") == 0 || strcmp(table->name[k], "time") == 0 ||
                        strcmp(table->name[k], "dt") == 0;
        if (forces > 0 ? !is_force : is_count || !cli_table_has_numbers(table, k))
            continue;
        code = report_complete(series, k);
        usual++;
    }
    if (code == EX_OK && usual > 0 && series->left_out == usual)
        return cli_fail(EX_DATAERR, "%s: every column lacks a value somewhere; take an interval by --from and --to",
                        table->path);
    return code;
}

static int report_all(struct series *series)
{
    int time = cli_table_column(&series->table, "time");
    if (time < 0)
        return cli_fail(EX_DATAERR, "%s has no column \"time\": it is no time series.", series->table.path);
    series->time = cli_allocate((size_t)series->table.rows * sizeof *series->time);
    series->value = cli_allocate((size_t)series->table.rows * sizeof *series->value);
    take_column(series, time, series->time);
    int code = report_named(series, true); /* before anything is printed */
    if (code != EX_OK)
        return code;
    if (series->given->common.json)
        series->json = cli_json_begin(stdout);
    code = series->given->columns ? report_named(series, false) : report_usual(series);
    if (series->given->common.json)
        cli_json_end(&series->json);
    return code;
}

static int run(struct cli_arguments *arguments)
{
    struct series *series = cli_allocate(sizeof *series);
    series->given = (const struct series_arguments *)arguments;
    int code = read_options(series);
    code = code ? code : cli_table_read(&series->table, arguments->case_path);
    code = code ? code : report_all(series);
    cli_table_free(&series->table);
    free(series->time);
    free(series->value);
    free(series);
    return cli_finish_stdout(code);
}

#define ARGUMENTS struct series_arguments

static const struct cli_option options[] = {
    CLI_TEXT_OPTION("columns", "NAME,...", columns, "columns to report; default: drag and lift, or all"),
    CLI_TEXT_OPTION("from", "T", from, "leave out earlier lines, for example a transient"),
    CLI_TEXT_OPTION("to", "T", to, "leave out later lines"),
    CLI_TEXT_OPTION("scale", "LENGTH,SPEED", scale, "also print the Strouhal number, frequency LENGTH/SPEED"),
    CLI_JSON_OPTION("print JSON"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_series = {
    .name = "series",
    .operand = "FILE.csv",
    .summary = "Print mean, amplitude and frequency of the columns of a time series",
    .options = options,
    .size = sizeof(struct series_arguments),
    .run = run,
};
