/* SPDX-License-Identifier: BSD-2-Clause */
/* Comma-separated values: writes fields of tables, and reads tables of numbers. */
#include "cases.h"
#include "ewi_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sysexits.h>

void cli_csv_number(FILE *file, double value)
{
    if (isfinite(value))
        fprintf(file, ",%.17g", value);
    else
        fputc(',', file);
}

/* Cuts the next field off the line, in place, without its quotes; NULL after the last one. */
static char *next_field(char **line)
{
    char *field = *line, *from = field, *to = field;
    bool quoted = field && *field == '"';
    if (!field)
        return NULL;
    for (from += quoted; *from && (quoted || *from != ','); from++) {
        if (quoted && *from == '"' && from[1] != '"')
            quoted = false;
        else
            *to++ = *from == '"' && from[1] == '"' ? *from++ : *from;
    }
    *line = *from == ',' ? from + 1 : NULL;
    *to = '\0';
    return field;
}

/* Reads a line without its end; false at the end of the file, or if the last line is incomplete. */
static bool read_line(FILE *file, char **line, size_t *room)
{
    ssize_t length = getline(line, room, file);
    if (length <= 0 || (*line)[length - 1] != '\n')
        return false;
    (*line)[length - 1] = '\0';
    if (length > 1 && (*line)[length - 2] == '\r')
        (*line)[length - 2] = '\0';
    return true;
}

static void read_header(struct cli_table *table, char *line)
{
    char *field;
    while (table->columns < CLI_MOST_COLUMNS && (field = next_field(&line)) != NULL)
        table->name[table->columns++] = cli_copy(field);
}

static void read_row(struct cli_table *table, char *line, int64_t *room)
{
    size_t columns = (size_t)table->columns;
    if (table->rows == *room) {
        *room = 2 * *room + 256;
        table->value = cli_reallocate(table->value, (size_t)*room * columns * sizeof *table->value);
    }
    for (size_t k = 0; k < columns; k++) {
        const char *field = next_field(&line);
        double number = NAN;
        bool is_number = field && cli_read_numbers(field, 1, 1, &number) == 1;
        table->value[(size_t)table->rows * columns + k] = is_number ? number : NAN;
    }
    table->rows++;
}

static int cannot_open(const char *path)
{
    ew_error error;
    snprintf(error.message, sizeof error.message, "cannot read %s: %s", path, ewi_open_error(errno));
    cli_add_other_file(path, ".csv", &error);
    return cli_fail(EX_NOINPUT, "%s", error.message);
}

int cli_table_read(struct cli_table *table, const char *path)
{
    char *line = NULL;
    size_t size = 0;
    int64_t room = 0;
    table->path = path;
    FILE *file = cli_open_file(path);
    if (!file)
        return cannot_open(path);
    if (read_line(file, &line, &size))
        read_header(table, line);
    while (table->columns > 0 && read_line(file, &line, &size))
        read_row(table, line, &room);
    free(line);
    int number = ferror(file) ? errno : 0;
    fclose(file);
    if (number)
        return cli_fail(EX_NOINPUT, "cannot read %s: %s", path, strerror(number));
    return table->rows > 0 ? EX_OK : cli_fail(EX_DATAERR, "%s has no lines of values yet.", path);
}

void cli_table_free(struct cli_table *table)
{
    for (int k = 0; k < table->columns; k++)
        free(table->name[k]);
    free(table->value);
}

bool cli_table_has_numbers(const struct cli_table *table, int column)
{
    for (int64_t row = 0; row < table->rows; row++)
        if (isfinite(table->value[row * table->columns + column]))
            return true;
    return false;
}

int cli_table_column(const struct cli_table *table, const char *name)
{
    int found = table->columns - 1;
    while (found >= 0 && strcmp(table->name[found], name) != 0)
        found--;
    return found;
}

const char *cli_table_guess(const struct cli_table *table, const char *word)
{
    const char *found = NULL;
    for (int k = 0; k < table->columns; k++) {
        size_t length = strlen(table->name[k]), rest = strlen(word) + 1;
        if (length <= rest || table->name[k][length - rest] != '_' || !cli_table_has_numbers(table, k) ||
            strcmp(table->name[k] + length - rest + 1, word) != 0)
            continue;
        if (found)
            return NULL;
        found = table->name[k];
    }
    return found;
}

int cli_table_refuse(const struct cli_table *table, const char *option, const char *name)
{
    const char *guess = cli_table_guess(table, name);
    if (guess)
        return cli_fail(EX_USAGE, "%s: %s has no numbers in a column \"%s\"; did you mean \"%s\"?", option, table->path,
                        name, guess);
    char *list = cli_copy("");
    for (int k = 0; k < table->columns; k++)
        if (cli_table_has_numbers(table, k)) {
            char *longer = cli_format("%s%s%s", list, list[0] ? ", " : "", table->name[k]);
            free(list);
            list = longer;
        }
    int code = cli_fail(EX_USAGE, "%s: %s has no numbers in a column \"%s\"; it has %s", option, table->path, name,
                        list);
    free(list);
    return code;
}
