/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of a sweep: rows, the CSV and the JSON file, and the rows that a resumed sweep takes over. */
#include "ewi_file.h"
#include "ewi_text.h"
#include "sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

const char *const sweep_status_names[SWEEP_STATUSES] = {
    [SWEEP_WAITING] = "waiting", [SWEEP_DONE] = "done", [SWEEP_FAILED] = "failed", [SWEEP_STOPPED] = "stopped"};

/* ---- rows and columns -------------------------------------------------------------------------------------------- */

void sweep_table_begin(struct sweep_table *table, const ew_sweep *sweep, const char *case_path, const char *folder)
{
    *table = (struct sweep_table){.sweep = sweep, .case_path = case_path, .locked = -1};
    ew_sweep_get_info(sweep, &table->info);
    bool here = !folder || strcmp(folder, ".") == 0;
    const char *slash = here || folder[strlen(folder) - 1] == '/' ? "" : "/";
    char *start = cli_format("%s%s%s", here ? "" : folder, slash, table->info.name);
    table->csv = cli_format("%s.sweep.csv", start);
    table->json = cli_format("%s.sweep.json", start);
    table->lock = cli_format("%s.sweep.lock", start);
    free(start);
    table->row = cli_allocate((size_t)table->info.members * sizeof *table->row);
    for (int64_t m = 0; m < table->info.members; m++)
        table->row[m].time = table->row[m].seconds = NAN;
}

static void empty_row(struct sweep_row *row)
{
    free(row->end);
    free(row->sentence);
    free(row->column);
    free(row->value);
    *row = (struct sweep_row){.time = NAN, .seconds = NAN};
}

void sweep_table_end(struct sweep_table *table)
{
    for (int64_t m = 0; table->row && m < table->info.members; m++)
        empty_row(&table->row[m]);
    for (int k = 0; k < table->columns; k++)
        free(table->column[k]);
    free(table->column);
    free(table->row);
    if (table->lock && table->locked >= 0) {
        unlink(table->lock);
        close(table->locked);
    }
    free(table->csv);
    free(table->json);
    free(table->lock);
}

static int find_column(const struct sweep_table *table, const char *name)
{
    for (int k = 0; k < table->columns; k++)
        if (strcmp(table->column[k], name) == 0)
            return k;
    return -1;
}

int sweep_table_column(struct sweep_table *table, const char *name)
{
    int found = find_column(table, name);
    if (found >= 0)
        return found;
    table->column = cli_reallocate(table->column, (size_t)(table->columns + 1) * sizeof *table->column);
    table->column[table->columns] = cli_copy(name);
    return table->columns++;
}

void sweep_row_put(struct sweep_row *row, int column, double value)
{
    size_t count = (size_t)row->values + 1;
    row->column = cli_reallocate(row->column, count * sizeof *row->column);
    row->value = cli_reallocate(row->value, count * sizeof *row->value);
    row->column[row->values] = column;
    row->value[row->values++] = value;
}

static double value_of(const struct sweep_row *row, int column)
{
    for (int k = 0; k < row->values; k++)
        if (row->column[k] == column)
            return row->value[k];
    return NAN;
}

/* The value of a formula of constants, such as "pi/6"; NaN for any other text. */
static double number_of(const char *text)
{
    ew_formula *formula;
    double value = NAN;
    if (ew_formula_create(NULL, 1, &text, &formula, NULL) != EW_OK)
        return NAN;
    if (ew_formula_variables(formula) == 0)
        ew_formula_evaluate(formula, 1, NULL, NULL, 0.0, &value, 1);
    ew_formula_destroy(formula);
    return value;
}

/* A member's value of key k. */
static double number_of_key(const struct sweep_table *table, int64_t member, int k)
{
    char text[SWEEP_VALUE];
    double number;
    size_t length = ew_sweep_value(table->sweep, member, k, text, sizeof text, &number);
    return isnan(number) && length < sizeof text ? number_of(text) : number;
}

double sweep_table_number(const struct sweep_table *table, int64_t member, const char *name)
{
    const struct sweep_row *row = &table->row[member - 1];
    for (int k = 0; k < table->info.keys; k++)
        if (strcmp(ew_sweep_key(table->sweep, k), name) == 0)
            return number_of_key(table, member, k);
    return strcmp(name, "member") == 0   ? (double)member
           : strcmp(name, "time") == 0   ? row->time
           : strcmp(name, "steps") == 0  ? (double)row->steps
           : strcmp(name, "wall_s") == 0 ? row->seconds
                                         : value_of(row, find_column(table, name));
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static void put_csv_field(FILE *file, const char *text)
{
    fputc(',', file);
    ewi_csv_text(file, text ? text : "");
}

/* Leaves numbers empty in columns that a row lacks. */
static void put_csv_row(const struct sweep_table *table, int64_t member, double *room, FILE *file)
{
    const struct sweep_row *row = &table->row[member - 1];
    char text[SWEEP_VALUE];
    bool begun = row->status != SWEEP_WAITING;
    for (int k = 0; k < table->columns; k++)
        room[k] = NAN;
    for (int k = 0; k < row->values; k++)
        room[row->column[k]] = row->value[k];
    ew_sweep_name(table->sweep, member, text, sizeof text);
    fprintf(file, "%lld", (long long)member);
    put_csv_field(file, text);
    for (int k = 0; k < table->info.keys; k++) {
        ew_sweep_value(table->sweep, member, k, text, sizeof text, NULL);
        put_csv_field(file, text);
    }
    put_csv_field(file, sweep_status_names[row->status]);
    put_csv_field(file, row->end);
    cli_csv_number(file, row->time);
    cli_csv_number(file, begun && isfinite(row->time) ? (double)row->steps : NAN);
    for (int k = 0; k < table->columns; k++)
        cli_csv_number(file, room[k]);
    fprintf(file, row->has_hash ? ",%016llx" : ",", (unsigned long long)row->hash);
    cli_csv_number(file, row->seconds);
    put_csv_field(file, row->sentence);
    fputc('\n', file);
}

static void put_csv(const struct sweep_table *table, FILE *file)
{
    double *room = cli_allocate((size_t)table->columns * sizeof *room);
    fputs("member,name", file);
    for (int k = 0; k < table->info.keys; k++)
        put_csv_field(file, ew_sweep_key(table->sweep, k));
    fputs(",status,end,time,steps", file);
    for (int k = 0; k < table->columns; k++)
        put_csv_field(file, table->column[k]);
    fputs(",state_hash,wall_s,error\n", file);
    for (int64_t m = 1; m <= table->info.members; m++)
        put_csv_row(table, m, room, file);
    free(room);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void put_member(struct cli_json *json, const struct sweep_table *table, int64_t member)
{
    char text[SWEEP_VALUE];
    double number;
    ew_sweep_name(table->sweep, member, text, sizeof text);
    cli_json_integer(json, "member", member);
    cli_json_text(json, "name", text);
    for (int k = 0; k < table->info.keys; k++) {
        ew_sweep_value(table->sweep, member, k, text, sizeof text, &number);
        if (isnan(number))
            cli_json_text(json, ew_sweep_key(table->sweep, k), text);
        else
            cli_json_number(json, ew_sweep_key(table->sweep, k), number);
    }
}

/* Omits columns that a row lacks. */
static void put_json_row(struct cli_json *json, const struct sweep_table *table, int64_t member)
{
    const struct sweep_row *row = &table->row[member - 1];
    char hash[32];
    put_member(json, table, member);
    cli_json_text(json, "status", sweep_status_names[row->status]);
    cli_json_text(json, "end", row->end);
    cli_json_number(json, "time", row->time);
    cli_json_number(json, "steps", isfinite(row->time) ? (double)row->steps : NAN);
    for (int k = 0; k < row->values; k++)
        cli_json_number(json, table->column[row->column[k]], row->value[k]);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)row->hash);
    cli_json_text(json, "state_hash", row->has_hash ? hash : NULL);
    cli_json_number(json, "wall_s", row->seconds);
    cli_json_text(json, "error", row->sentence);
}

static void put_head(struct cli_json *json, const struct sweep_table *table)
{
    char hash[32];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)table->info.hash);
    cli_json_text(json, "case", table->case_path);
    cli_json_text(json, "error", NULL);
    cli_json_text(json, "case_hash", hash);
    cli_json_open(json, "keys", '[');
    for (int k = 0; k < table->info.keys; k++)
        cli_json_text(json, NULL, ew_sweep_key(table->sweep, k));
    cli_json_close(json, ']');
}

/* In a file, writes one row per line. */
static void put_rows(struct cli_json *json, const struct sweep_table *table, const char *name,
                     void (*put)(struct cli_json *json, const struct sweep_table *table, int64_t member))
{
    cli_json_open(json, name, '[');
    for (int64_t m = 1; m <= table->info.members; m++) {
        if (json->file != stdout)
            fputc('\n', json->file);
        cli_json_open(json, NULL, '{');
        put(json, table, m);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_json(const struct sweep_table *table, FILE *file)
{
    struct cli_json json = cli_json_begin(file);
    cli_json_text(&json, "version", ew_version());
    put_head(&json, table);
    cli_json_texts(&json, "columns", (size_t)table->columns, (const char *const *)table->column);
    put_rows(&json, table, "rows", put_json_row);
    cli_json_end(&json);
}

void sweep_print_members(const struct sweep_table *table, bool json)
{
    if (json) {
        struct cli_json object = cli_json_begin(stdout);
        put_head(&object, table);
        put_rows(&object, table, "members", put_member);
        cli_json_end(&object);
        return;
    }
    for (int64_t m = 1; m <= table->info.members; m++) {
        char name[SWEEP_NAME], values[2 * SWEEP_VALUE];
        ew_sweep_name(table->sweep, m, name, sizeof name);
        printf("%s  %s\n", name, cli_sweep_values(table->sweep, m, values, sizeof values));
    }
}

/* Returns `code`. */
__attribute__((format(printf, 3, 4))) static int refuse(ew_error *error, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return code;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* True if the file system has no locks, so that other sweeps cannot be locked out. */
static bool has_no_locks(int reason)
{
    return reason == ENOLCK || reason == ENOSYS || reason == ENOTSUP || reason == EOPNOTSUPP;
}

int sweep_table_lock(struct sweep_table *table, ew_error *error)
{
    int folder = ewi_open_folder(table->lock);
    table->locked = folder < 0 ? -1 : ewi_lock_file(folder, ewi_file_name(table->lock));
    int reason = table->locked < 0 ? errno : 0;
    if (folder >= 0)
        close(folder);
    if (reason == EWOULDBLOCK)
        return refuse(error, EX_CANTCREAT, "another sweep is writing %s; wait for it, or choose another folder by "
                      "--output", table->csv);
    return reason == 0 || has_no_locks(reason)
               ? EX_OK
               : refuse(error, EX_CANTCREAT, "cannot lock %s: %s; remove it, or choose another folder by --output",
                        table->lock, reason == ELOOP ? "there is a symbolic link of that name" : strerror(reason));
}

struct filling {
    const struct sweep_table *table;
    void (*put)(const struct sweep_table *table, FILE *file);
};

static int fill(void *context, int descriptor)
{
    const struct filling *filling = context;
    int copy = dup(descriptor);
    FILE *file = copy < 0 ? NULL : fdopen(copy, "w");
    if (!file) {
        int reason = errno;
        if (copy >= 0)
            close(copy);
        return reason;
    }
    errno = 0;
    filling->put(filling->table, file);
    int failed = ferror(file), reason = failed ? errno : 0;
    if (fclose(file) != 0 && reason == 0)
        reason = errno;
    return failed && reason == 0 ? EIO : reason;
}

static int write_one(const struct sweep_table *table, const char *path,
                     void (*put)(const struct sweep_table *table, FILE *file), ew_error *error)
{
    struct filling filling = {table, put};
    char *part = cli_format("%s.part", path);
    int folder = ewi_open_folder(path);
    int reason = folder < 0 ? errno
                            : ewi_replace_file(folder, ewi_file_name(part), ewi_file_name(path), false, fill, &filling);
    if (folder >= 0)
        close(folder);
    free(part);
    return reason == 0 ? EX_OK : refuse(error, EX_IOERR, "cannot write %s: %s", path, ewi_write_error(reason));
}

int sweep_table_write(const struct sweep_table *table, ew_error *error)
{
    int code = write_one(table, table->csv, put_csv, error);
    return code == EX_OK ? write_one(table, table->json, put_json, error) : code;
}

/* ---- resuming ---------------------------------------------------------------------------------------------------- */

/* Reads the whole file, which the caller frees; NULL: no such file, or *reason says why reading failed. */
static char *read_file(const char *path, int *reason)
{
    FILE *file = cli_open_file(path);
    size_t room = 65536, length = 0, got;
    *reason = file || errno == ENOENT ? 0 : errno;
    if (!file)
        return NULL;
    char *text = cli_allocate(room);
    while ((got = fread(text + length, 1, room - length - 1, file)) > 0) {
        length += got;
        if (length + 1 == room)
            text = cli_reallocate(text, room *= 2);
    }
    *reason = ferror(file) ? errno : 0;
    text[length] = '\0';
    fclose(file);
    return text;
}

/* True if the row has the member's values. */
static bool is_of_member(const struct sweep_table *table, const char *row, int64_t member)
{
    for (int k = 0; k < table->info.keys; k++) {
        char text[SWEEP_VALUE], before[SWEEP_VALUE];
        double number;
        const char *value = cli_json_member(row, ew_sweep_key(table->sweep, k));
        ew_sweep_value(table->sweep, member, k, text, sizeof text, &number);
        if (isnan(number) ? !cli_json_get_text(value, before, sizeof before) || strcmp(text, before) != 0
                          : cli_json_get_number(value) != number)
            return false;
    }
    return true;
}

static char *text_of(const char *row, const char *name)
{
    char text[SWEEP_VALUE];
    return cli_json_get_text(cli_json_member(row, name), text, sizeof text) ? cli_copy(text) : NULL;
}

static void take_row(struct sweep_table *table, const char *text, struct sweep_row *row)
{
    char *hash = text_of(text, "state_hash");
    row->status = SWEEP_DONE;
    row->earlier = true;
    row->end = text_of(text, "end");
    row->time = cli_json_get_number(cli_json_member(text, "time"));
    row->steps = (int64_t)cli_json_get_number(cli_json_member(text, "steps"));
    row->seconds = cli_json_get_number(cli_json_member(text, "wall_s"));
    row->has_hash = hash;
    row->hash = hash ? strtoull(hash, NULL, 16) : 0;
    free(hash);
    for (int k = 0; k < table->columns; k++) {
        const char *value = cli_json_member(text, table->column[k]);
        if (value)
            sweep_row_put(row, k, cli_json_get_number(value));
    }
}

/* True if the earlier sweep was over the same keys in the same order. */
static bool has_keys(const struct sweep_table *table, const char *text)
{
    char name[SWEEP_VALUE];
    const char *key = cli_json_first(cli_json_member(text, "keys"));
    int k = 0;
    for (; key && k < table->info.keys; key = cli_json_next(key), k++)
        if (!cli_json_get_text(key, name, sizeof name) || strcmp(name, ew_sweep_key(table->sweep, k)) != 0)
            return false;
    return !key && k == table->info.keys;
}

/*
 * A member's files are named by its number. Files of a member with other values must be neither kept nor resumed from.
 */
static int check_members(const struct sweep_table *table, const char *text, ew_error *error)
{
    char values[SWEEP_VALUE];
    if (!has_keys(table, text))
        return refuse(error, EX_CONFIG, "%s is the table of a sweep over other keys; choose another --output, or begin "
                      "again by --replace", table->json);
    const char *row = cli_json_first(cli_json_member(text, "rows"));
    for (; row; row = cli_json_next(row)) {
        double member = cli_json_get_number(cli_json_member(row, "member"));
        if (member >= 1 && member <= (double)table->info.members && !is_of_member(table, row, (int64_t)member))
            return refuse(error, EX_CONFIG,
                          "%s: member %.0f had other values than %s, so its files are not this member's; a sweep that "
                          "is resumed can only get members after the last one; choose another --output, or begin "
                          "again by --replace", table->json, member,
                          cli_sweep_values(table->sweep, (int64_t)member, values, sizeof values));
    }
    return EX_OK;
}

static void take_rows(struct sweep_table *table, const char *text)
{
    char name[SWEEP_VALUE];
    const char *column = cli_json_first(cli_json_member(text, "columns"));
    for (; column; column = cli_json_next(column))
        if (cli_json_get_text(column, name, sizeof name))
            sweep_table_column(table, name);
    const char *row = cli_json_first(cli_json_member(text, "rows"));
    for (; row; row = cli_json_next(row)) {
        double member = cli_json_get_number(cli_json_member(row, "member"));
        bool done = cli_json_get_text(cli_json_member(row, "status"), name, sizeof name) && strcmp(name, "done") == 0;
        if (done && member >= 1 && member <= (double)table->info.members)
            take_row(table, row, &table->row[(int64_t)member - 1]);
    }
}

/* True if the table has rows and all of these members failed before their first step: they left no results. */
static bool has_no_results(const char *text)
{
    char status[32];
    const char *row = text && cli_json_is_valid(text) ? cli_json_first(cli_json_member(text, "rows")) : NULL;
    bool none = row;
    for (; row && none; row = cli_json_next(row))
        none = cli_json_get_text(cli_json_member(row, "status"), status, sizeof status) &&
               strcmp(status, sweep_status_names[SWEEP_FAILED]) == 0 &&
               !(cli_json_get_number(cli_json_member(row, "steps")) > 0);
    return none;
}

/* The earlier sweep's table, which the caller frees; NULL: there is none with results, or *reason as in read_file. */
static char *read_results(const struct sweep_table *table, int *reason)
{
    char *text = read_file(table->json, reason);
    if (!has_no_results(text))
        return text;
    free(text);
    return NULL;
}

int sweep_table_is_new(const struct sweep_table *table, ew_error *error)
{
    int reason;
    char *text = read_file(table->json, &reason);
    bool counts = !has_no_results(text);
    free(text);
    if (!counts)
        return EX_OK;
    const char *there = access(table->json, F_OK) == 0  ? table->json
                        : access(table->csv, F_OK) == 0 ? table->csv
                                                        : NULL;
    return there ? refuse(error, EX_CANTCREAT, "%s is the table of an earlier sweep; continue it with --resume, "
                          "replace it and the files of its members by --replace, or choose another --output", there)
                 : EX_OK;
}

/* True if the row is of a member that this sweep lacks, and its fields exist; `name` is that of its files. */
static bool is_left(const struct sweep_table *table, const char *row, char name[SWEEP_NAME])
{
    if (!(cli_json_get_number(cli_json_member(row, "member")) > (double)table->info.members) ||
        !cli_json_get_text(cli_json_member(row, "name"), name, SWEEP_NAME))
        return false;
    size_t folder = strlen(table->json) - strlen(table->info.name) - strlen(".sweep.json");
    char *path = cli_format("%.*s%s.nc", (int)folder, table->json, name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

void sweep_table_tell_left(const struct sweep_table *table)
{
    char name[SWEEP_NAME], first[SWEEP_NAME] = "", last[SWEEP_NAME] = "";
    int reason, left = 0;
    char *text = read_file(table->json, &reason);
    const char *row = text && cli_json_is_valid(text) ? cli_json_first(cli_json_member(text, "rows")) : NULL;
    for (; row; row = cli_json_next(row))
        if (is_left(table, row, name))
            snprintf(left++ == 0 ? first : last, SWEEP_NAME, "%s", name);
    if (left > 0)
        cli_error("note: %s%s%s %s of an earlier sweep with more members; %s files stay", first, left > 1 ? " to " : "",
                  left > 1 ? last : "", left > 1 ? "are" : "is", left > 1 ? "their" : "its");
    free(text);
}

int sweep_table_resume(struct sweep_table *table, ew_error *error)
{
    char hash[32], before[32] = "";
    int reason, code = EX_OK;
    char *text = read_results(table, &reason);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)table->info.hash);
    if (reason)
        code = refuse(error, EX_NOINPUT, "cannot read %s: %s", table->json, ewi_open_error(reason));
    else if (text && (!cli_json_is_valid(text) ||
                      !cli_json_get_text(cli_json_member(text, "case_hash"), before, sizeof before)))
        code = refuse(error, EX_DATAERR, "%s is not the table of a sweep", table->json);
    else if (text && strcmp(hash, before) != 0)
        code = refuse(error, EX_CONFIG, "%s is the table of another case: settings outside the group \"sweep\" have "
                      "changed since then; choose another --output, or begin again by --replace", table->json);
    else if (text && (code = check_members(table, text, error)) == EX_OK)
        take_rows(table, text);
    free(text);
    return code;
}
