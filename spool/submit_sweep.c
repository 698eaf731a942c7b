/* SPDX-License-Identifier: BSD-2-Clause */
/* The settings of each job of a sweep. */
#include "submit_sweep.h"
#include "ewi_spool.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum { LONGEST_SETTING = 8192 };

static void add(struct cli_arguments *arguments, char *name, char *setting)
{
    arguments->setting[arguments->settings] = setting;
    arguments->setting_name[arguments->settings++] = name;
}

/* Copies the arguments with room for `more` further settings. */
static void copy_settings(const struct cli_arguments *all, int more, struct cli_arguments *arguments)
{
    size_t count = all->settings + (size_t)more + 1;
    *arguments = *all;
    arguments->settings = 0;
    arguments->setting = cli_allocate(count * sizeof *arguments->setting);
    arguments->setting_name = cli_allocate(count * sizeof *arguments->setting_name);
    for (size_t k = 0; k < all->settings; k++)
        add(arguments, all->setting_name[k], all->setting[k]);
}

void submit_sweep_free(const struct cli_arguments *all, struct cli_arguments *arguments)
{
    for (size_t k = all->settings; k < arguments->settings; k++) {
        free(arguments->setting[k]);
        free(arguments->setting_name[k]);
    }
    free(arguments->setting);
    free(arguments->setting_name);
}

static int refuse_spool_keys(const struct cli_texts *options, ew_error *error)
{
    for (size_t k = 0; k < options->count; k++)
        if (strncmp(options->text[k], "spool.", strlen("spool.")) == 0) {
            snprintf(error->message, sizeof error->message, "the spool treats the jobs of a sweep alike; --priority "
                     "is for all");
            return cli_fail(EX_USAGE, "--sweep %s: %s", options->text[k], error->message);
        }
    return EX_OK;
}

int submit_sweep_read(const struct cli_arguments *arguments, const struct cli_texts *options, const char *case_path,
                      ew_sweep **sweep, ew_error *error)
{
    struct cli_arguments given;
    struct cli_report report = {0};
    char *setting = NULL, *name = NULL;
    int code = refuse_spool_keys(options, error);
    code = code ? code : cli_sweep_setting(arguments, options, &name, &setting, error);
    if (code != EX_OK)
        return code;
    copy_settings(arguments, 1, &given);
    add(&given, name, setting);
    given.case_path = case_path;
    const struct cli_case what = cli_case_of(&given);
    int status = cli_read_sweep(&what, &cli_host, &report, sweep, error);
    cli_free_report(&report);
    submit_sweep_free(arguments, &given);
    return cli_exit_code(status, EX_NOINPUT);
}

ew_sweep *submit_sweep_find(const struct cli_arguments *arguments, const char *case_path)
{
    const ew_case_options options = {.settings = arguments->settings,
                                     .setting = (const char *const *)arguments->setting};
    ew_sweep *sweep = NULL;
    ew_sweep_info info = {0};
    if (ew_sweep_read(NULL, case_path, &options, &sweep, NULL) == EW_OK)
        ew_sweep_get_info(sweep, &info);
    if (info.members > 0)
        return sweep;
    ew_sweep_destroy(sweep);
    return NULL;
}

int submit_sweep_check(const ew_sweep *sweep, const char *case_path, ew_error *error)
{
    const char *key = NULL;
    for (int k = 0; (key = ew_sweep_key(sweep, k)); k++)
        if (strncmp(key, "spool.", strlen("spool.")) == 0)
            break;
    if (!key)
        return EX_OK;
    snprintf(error->message, sizeof error->message, "%s: the sweep is over \"%s\", but the spool treats the jobs of a "
             "sweep alike; --priority is for all", case_path, key);
    return cli_fail(EX_CONFIG, "%s", error->message);
}

void submit_sweep_settings(const struct cli_arguments *all, const ew_sweep *sweep, bool own, int64_t member,
                           struct cli_arguments *arguments)
{
    char setting[LONGEST_SETTING];
    ew_sweep_info info;
    ew_sweep_get_info(sweep, &info);
    copy_settings(all, info.keys + 1, arguments);
    if (own)
        add(arguments, cli_copy(EWI_NO_SWEEP), cli_copy(EWI_NO_SWEEP));
    for (int k = 0; k < info.keys; k++) {
        ew_sweep_setting(sweep, member, k, setting, sizeof setting);
        add(arguments, cli_format("--sweep %s", setting), cli_copy(setting));
    }
}

void submit_sweep_name(const ew_sweep *sweep, int64_t member, const char *given, char *name, size_t size)
{
    ew_sweep_info info;
    ew_sweep_get_info(sweep, &info);
    ew_sweep_name(sweep, member, name, size);
    if (given) {
        char *number = cli_copy(name + strlen(info.name));
        snprintf(name, size, "%s%s", given, number);
        free(number);
    }
}
