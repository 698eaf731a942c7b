/* SPDX-License-Identifier: BSD-2-Clause */
/* The data set of a sweep: the rasters of its members in one file, each added when the member is done. */
#include "sweep.h"

#include <math.h>
#include <string.h>
#include <sysexits.h>

char *sweep_fields_path(const struct sweep *sweep, int64_t member)
{
    const struct sweep_table *table = &sweep->table;
    char name[SWEEP_NAME];
    ew_sweep_name(table->sweep, member, name, sizeof name);
    size_t folder = strlen(table->csv) - strlen(table->info.name) - strlen(".sweep.csv");
    return cli_format("%.*s%s.nc", (int)folder, table->csv, name);
}

static double number_of(const struct sweep_table *table, int64_t member, int key)
{
    double number = NAN;
    ew_sweep_value(table->sweep, member, key, NULL, 0, &number);
    return number;
}

static bool has_numbers(const struct sweep_table *table, int key)
{
    for (int64_t m = 1; m <= table->info.members; m++)
        if (!isfinite(number_of(table, m, key)))
            return false;
    return true;
}

int sweep_well_begin(struct sweep *sweep, const ew_case *that)
{
    const struct sweep_table *table = &sweep->table;
    const char **name = cli_allocate(((size_t)table->info.keys + 1) * sizeof *name);
    sweep->well_key = cli_allocate(((size_t)table->info.keys + 1) * sizeof *sweep->well_key);
    for (int k = 0; k < table->info.keys; k++)
        if (has_numbers(table, k)) {
            name[sweep->well_keys] = ew_sweep_key(table->sweep, k);
            sweep->well_key[sweep->well_keys++] = k;
        }
    ew_run_plan plan = *ew_case_plan(that);
    plan.name = table->info.name;
    int status = ew_well_create(&cli_host, sweep->well_path, &plan, ew_case_mesh(that), ew_case_problem(that),
                                table->info.members, sweep->well_keys, name, &sweep->well, &sweep->error);
    free(name);
    return status;
}

static int add(struct sweep *sweep, int64_t member, const char *path, ew_error *error)
{
    double *value = cli_allocate(((size_t)sweep->well_keys + 1) * sizeof *value);
    for (int k = 0; k < sweep->well_keys; k++)
        value[k] = number_of(&sweep->table, member, sweep->well_key[k]);
    int status = ew_well_add(sweep->well, member - 1, path, value, error);
    free(value);
    return status;
}

void sweep_well_add(struct sweep *sweep, int64_t member)
{
    ew_error error;
    if (!sweep->well)
        return;
    char *path = sweep_fields_path(sweep, member);
    int status = add(sweep, member, path, &error);
    free(path);
    if (status == EW_OK)
        return;
    pthread_mutex_lock(&sweep->lock);
    bool news = cli_is_new(&sweep->told, error.message);
    sweep->well_failed = true;
    pthread_mutex_unlock(&sweep->lock);
    if (news)
        cli_error("%s", error.message);
}

void sweep_well_add_earlier(struct sweep *sweep)
{
    for (int64_t m = 1; m <= sweep->table.info.members && sweep->well && !cli_caught_signal(); m++)
        if (sweep->table.row[m - 1].status == SWEEP_DONE)
            sweep_well_add(sweep, m);
}

int sweep_well_end(struct sweep *sweep)
{
    ew_error error = {0};
    bool rest = sweep->counts[SWEEP_STOPPED] + sweep->counts[SWEEP_WAITING] > 0;
    int code = EX_OK;
    if (sweep->well && rest)
        cli_error("members are still to run; --resume with --well writes %s", sweep->well_path);
    else if (sweep->well && ew_well_close(sweep->well, &error) != EW_OK)
        code = cli_fail(cli_exit_code(error.code, EX_IOERR), "%s", error.message);
    if (code != EX_OK || rest || !sweep->well)
        sweep->well_path = NULL;
    ew_well_destroy(sweep->well);
    sweep->well = NULL;
    return code == EX_OK && sweep->well_failed ? EX_DATAERR : code;
}
