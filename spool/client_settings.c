/* SPDX-License-Identifier: BSD-2-Clause */
/* Changes the settings of jobs: from the options --set to the file .settings in a job's folder. */
#include "cases.h"
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>

int client_check_settings(const struct cli_arguments *arguments)
{
    for (size_t k = 0; k < arguments->settings; k++)
        if (strchr(arguments->setting[k], '\n'))
            return cli_fail(EX_USAGE, "%s: a job's setting cannot have a line break; write it into the case.",
                            arguments->setting_name[k]);
    return EX_OK;
}

/* Finds most errors without the case. */
int client_try_settings(const struct cli_arguments *arguments)
{
    static const char priority[] = "spool.priority=";
    ew_error error;
    const ew_case_options options = {.settings = arguments->settings,
                                     .setting = (const char *const *)arguments->setting,
                                     .setting_name = (const char *const *)arguments->setting_name};
    for (size_t k = 0; k < arguments->settings; k++)
        if (strncmp(arguments->setting[k], priority, sizeof priority - 1) == 0)
            return cli_fail(EX_USAGE, "%s: the queue does not see it; \"edgewise priority\" changes the priority.",
                            arguments->setting_name[k]);
    if (ew_case_check_settings(&cli_host, &options, &error) != EW_OK)
        return cli_fail(error.code == EW_ENOMEM ? EX_OSERR : EX_USAGE, "%s", error.message);
    return client_check_settings(arguments);
}

static bool is_same_key(const char *left, const char *right)
{
    size_t length = strcspn(left, "=");
    return strcspn(right, "=") == length && strncmp(left, right, length) == 0;
}

static bool is_replaced(const struct cli_arguments *arguments, const char *setting)
{
    for (size_t k = 0; k < arguments->settings; k++)
        if (is_same_key(arguments->setting[k], setting))
            return true;
    return false;
}

int client_set(int folder, const struct cli_arguments *arguments, ew_error *error)
{
    struct ewi_settings own;
    char *text = NULL;
    size_t length = 0;
    int reason = EIO, status = ewi_settings_read(folder, &own, error);
    if (status != EW_OK)
        return status;
    FILE *file = open_memstream(&text, &length);
    for (size_t k = 0; file && k < own.count; k++)
        if (!is_replaced(arguments, own.setting[k]))
            fprintf(file, "%s\n", own.setting[k]);
    for (size_t k = 0; file && k < arguments->settings; k++)
        fprintf(file, "%s\n", arguments->setting[k]);
    if (file && fclose(file) == 0)
        reason = length > EWI_LARGEST_SETTINGS ? EFBIG
                                               : ewi_write_file(folder, EWI_SETTINGS_FILE, text, length, true);
    if (reason != 0) {
        snprintf(error->message, sizeof error->message, "cannot write %s: %s", EWI_SETTINGS_FILE, strerror(reason));
        status = error->code = ewi_spool_write_code(reason);
    }
    free(text);
    ewi_settings_free(&own);
    return status;
}

/* True if somebody changed the case after the job had failed. */
static bool is_edited(int folder)
{
    char name[EWI_NAME];
    struct stat that, failure;
    return ewi_job_case(folder, name, NULL) == EW_OK && fstatat(folder, name, &that, AT_SYMLINK_NOFOLLOW) == 0 &&
           fstatat(folder, EWI_ERROR_FILE, &failure, AT_SYMLINK_NOFOLLOW) == 0 &&
           ewi_seconds_of(that.st_mtim) > ewi_seconds_of(failure.st_mtim);
}

void client_print_settings(int folder, const char *what)
{
    struct ewi_settings own;
    char *text = NULL;
    size_t length = 0;
    if (ewi_settings_read(folder, &own, NULL) != EW_OK)
        return;
    FILE *file = open_memstream(&text, &length);
    for (size_t k = 0; file && k < own.count; k++)
        if (strcmp(own.setting[k], EWI_NO_SWEEP) != 0)
            fprintf(file, "%s--set '%s'", ftell(file) > 0 ? " " : "", own.setting[k]);
    if (file && fclose(file) == 0 && length > 0)
        cli_error("%s: %.900s%s", what, text, length > 900 ? " ..." : "");
    free(text);
    ewi_settings_free(&own);
}

void client_warn_overridden(int folder, const char *name)
{
    char shown[CLIENT_SHOWN];
    if (!is_edited(folder))
        return;
    char *what = cli_format("%s: its file %s overrides the case that you edited, with", client_shown(name, shown),
                            EWI_SETTINGS_FILE);
    client_print_settings(folder, what);
    free(what);
}
