/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of results: settings and values of summary.json for each job. No file of the spool is trusted. */
#include "ewi_text.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_SUMMARY = 1 << 20, MOST_OF_A_KIND = 1000, LONGEST_CELL = 1024 };

/* Columns that only some jobs have, in the order of their first appearance. */
struct columns {
    size_t count, missed;
    char **name;
};

struct row {
    const struct listing_job *job;
    const char *status;
    char *summary; /* valid JSON, or NULL */
    size_t settings, values;
    char **setting;  /* [settings]: values by column, or NULL */
    double *value;   /* [values] */
};

struct table {
    struct columns keys, values;
    size_t count;
    struct row *row;
};

static size_t column_of(struct columns *columns, const char *name)
{
    for (size_t k = 0; k < columns->count; k++)
        if (strcmp(columns->name[k], name) == 0)
            return k;
    if (columns->count == MOST_OF_A_KIND) {
        columns->missed++;
        return MOST_OF_A_KIND;
    }
    columns->name = cli_reallocate(columns->name, (columns->count + 1) * sizeof *columns->name);
    columns->name[columns->count] = cli_copy(name);
    return columns->count++;
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/* Removes the quotes of a text. */
static const char *unquoted(char *text)
{
    size_t length = strlen(text);
    if (length < 2 || text[0] != '"' || text[length - 1] != '"' || strchr(text, '\\'))
        return text;
    text[length - 1] = '\0';
    return text + 1;
}

static void put_setting(struct table *table, struct row *row, char *setting)
{
    char *equals = strchr(setting, '=');
    if (!equals)
        return;
    *equals = '\0';
    size_t column = column_of(&table->keys, ewi_trimmed(setting));
    if (column == MOST_OF_A_KIND)
        return;
    if (column >= row->settings) {
        row->setting = cli_reallocate(row->setting, (column + 1) * sizeof *row->setting);
        while (row->settings <= column)
            row->setting[row->settings++] = NULL;
    }
    free(row->setting[column]);
    row->setting[column] = cli_copy(unquoted(ewi_trimmed(equals + 1)));
}

static void read_settings(struct table *table, struct row *row, int folder)
{
    struct ewi_settings settings;
    if (ewi_settings_read(folder, &settings, NULL) != EW_OK)
        return;
    for (size_t k = 0; k < settings.count; k++)
        if (strcmp(settings.setting[k], EWI_NO_SWEEP) != 0)
            put_setting(table, row, settings.setting[k]);
    ewi_settings_free(&settings);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static void put_value(struct table *table, struct row *row, const char *name, double value)
{
    size_t column = column_of(&table->values, name);
    if (column == MOST_OF_A_KIND)
        return;
    if (column >= row->values) {
        row->value = cli_reallocate(row->value, (column + 1) * sizeof *row->value);
        while (row->values <= column)
            row->value[row->values++] = NAN;
    }
    row->value[column] = value;
}

/* Adds the members of a JSON object of numbers, as columns "WHAT_NAME". */
static void put_numbers(struct table *table, struct row *row, const char *what, const char *object)
{
    char name[128], column[300];
    const char *value = NULL;
    while ((value = cli_json_each(object, value, name, sizeof name))) {
        snprintf(column, sizeof column, "%s_%s", what, name);
        put_value(table, row, column, cli_json_get_number(value));
    }
}

static void put_forces(struct table *table, struct row *row, const char *forces)
{
    char body[128];
    const char *force = NULL;
    while ((force = cli_json_each(forces, force, body, sizeof body)))
        put_numbers(table, row, body, force);
}

static void read_summary(struct table *table, struct row *row, int folder)
{
    row->summary = client_read_json(folder, EWI_SUMMARY_FILE, LARGEST_SUMMARY);
    if (!row->summary)
        return;
    put_forces(table, row, cli_json_member(row->summary, "forces"));
    put_numbers(table, row, "error_l2", cli_json_member(row->summary, "error_l2"));
    put_numbers(table, row, "error_linf", cli_json_member(row->summary, "error_linf"));
    put_numbers(table, row, "total", cli_json_member(row->summary, "total"));
}

static void read_row(struct table *table, const struct listing *listing, int k, const struct listing_job *job)
{
    enum ewi_place place = listing_places[k].place;
    struct row *row = &table->row[table->count++];
    int folder = job->folder ? ewi_open_inside(listing->spool->place[place], job->name) : -1;
    *row = (struct row){.job = job, .status = listing_places[k].word};
    if (folder < 0)
        return;
    read_settings(table, row, folder);
    if (place == EWI_DONE)
        read_summary(table, row, folder);
    close(folder);
}

static int compare_rows(const void *left, const void *right)
{
    return strcmp(((const struct row *)left)->job->name, ((const struct row *)right)->job->name);
}

static void read_rows(struct table *table, const struct listing *listing)
{
    size_t all = 0;
    for (int k = 0; k < LISTING_PLACES; k++)
        all += listing->shown[listing_places[k].place];
    table->row = cli_allocate((all + 1) * sizeof *table->row);
    for (int k = 0; k < LISTING_PLACES; k++)
        for (size_t i = 0; i < listing->shown[listing_places[k].place]; i++)
            read_row(table, listing, k, &listing->job[listing_places[k].place][i]);
    qsort(table->row, table->count, sizeof *table->row, compare_rows);
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* Escapes control characters, as in all texts for terminals. */
static void print_text(const char *text)
{
    char *visible = cli_visible(text ? text : "");
    putchar(',');
    ewi_csv_text(stdout, visible);
    free(visible);
}

static void print_of(const char *object, const char *name)
{
    char text[LONGEST_CELL];
    cli_json_get_text(cli_json_member(object, name), text, sizeof text);
    print_text(text);
}

static void print_number_of(const char *object, const char *name)
{
    cli_csv_number(stdout, cli_json_number_of(object, name));
}

static void print_row(const struct table *table, const struct row *row)
{
    const char *summary = row->summary, *of_job = cli_json_member(summary, "job");
    const struct listing_job *job = row->job;
    bool failed = job->exit_code != 0;
    char *visible = cli_visible(job->name);
    ewi_csv_text(stdout, visible);
    free(visible);
    print_text(job->id);
    for (size_t k = 0; k < table->keys.count; k++)
        print_text(k < row->settings ? row->setting[k] : NULL);
    print_text(row->status);
    print_of(summary, "stop");
    print_number_of(summary, "time");
    print_number_of(summary, "steps");
    for (size_t k = 0; k < table->values.count; k++)
        cli_csv_number(stdout, k < row->values ? row->value[k] : NAN);
    print_of(summary, "state_hash");
    print_number_of(summary, "wall_s");
    cli_csv_number(stdout, job->submitted > 0 ? job->submitted : NAN);
    cli_csv_number(stdout, summary || !failed ? cli_json_number_of(of_job, "ended") : job->since); /* as on the page */
    print_of(of_job, "host");
    cli_csv_number(stdout, summary ? 0 : failed ? job->exit_code : NAN);
    print_text(job->sentence);
    putchar('\n');
}

void table_print(const struct listing *listing)
{
    struct table table = {0};
    read_rows(&table, listing);
    fputs("job,id", stdout);
    for (size_t k = 0; k < table.keys.count; k++)
        print_text(table.keys.name[k]);
    fputs(",status,end,time,steps", stdout);
    for (size_t k = 0; k < table.values.count; k++)
        print_text(table.values.name[k]);
    fputs(",state_hash,wall_s,submitted,ended,host,exit_code,error\n", stdout);
    for (size_t k = 0; k < table.count; k++)
        print_row(&table, &table.row[k]);
    if (table.keys.missed + table.values.missed > 0)
        cli_error("warning: the jobs have more settings or values than %d columns; %zu are not in the table",
                  MOST_OF_A_KIND, table.keys.missed + table.values.missed);
    for (size_t k = 0; k < table.count; k++) {
        for (size_t i = 0; i < table.row[k].settings; i++)
            free(table.row[k].setting[i]);
        free(table.row[k].setting);
        free(table.row[k].value);
        free(table.row[k].summary);
    }
    for (size_t k = 0; k < table.keys.count; k++)
        free(table.keys.name[k]);
    for (size_t k = 0; k < table.values.count; k++)
        free(table.values.name[k]);
    free(table.keys.name);
    free(table.values.name);
    free(table.row);
}
