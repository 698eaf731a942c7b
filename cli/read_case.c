/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a case with the settings of a command line. */
#include "cases.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

struct cli_case cli_case_of(const struct cli_arguments *arguments)
{
    return (struct cli_case){.path = arguments->case_path, .settings = arguments->settings,
                             .setting = arguments->setting,
                             .setting_name = arguments->setting_name};
}

char *cli_mesh_setting(const char *path)
{
    static const char start[] = "mesh=\"";
    char *setting = cli_allocate(2 * strlen(path) + sizeof start + 1), *end = setting + sizeof start - 1;
    memcpy(setting, start, sizeof start);
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            *end++ = '\\';
        *end++ = *path;
    }
    *end = '"';
    return setting;
}

static ew_case_options options_of(const struct cli_case *what, struct cli_report *report)
{
    return (ew_case_options){.settings = what->settings,
                             .setting = (const char *const *)what->setting,
                             .setting_name = (const char *const *)what->setting_name,
                             .most_triangles = what->most_triangles,
                             .report = cli_report,
                             .report_context = report,
                             .confined = what->confined,
                             .named = what->named,
                             .named_context = what->named_context,
                             .admit = what->needs_room ? ew_run_admit : NULL,
                             .plan = what->plan,
                             .meshes = what->meshes,
                             .member = what->member,
                             .parts = what->parts};
}

/* The library has reported all errors if it reached the case's contents. */
static int report_failure(const struct cli_case *what, const struct cli_report *report, int status, ew_error *error)
{
    if (status == EW_EIO && report->count == 0 && !what->confined)
        cli_add_other_file(what->path, ".cfg", error);
    if (status != EW_OK && report->count == 0)
        cli_error("%s", error->message);
    else if (status != EW_OK && report->count > 1)
        cli_error("%zu errors in %s", report->count, what->path);
    return status;
}

static int check_source(const struct cli_case *what, const ew_case *that, ew_error *error)
{
    ew_case_info info;
    ew_case_get_info(that, &info);
    if (!what->source || strcmp(what->source, info.source) == 0)
        return EW_OK;
    snprintf(error->message, sizeof error->message, "%s has changed since the first case was read", what->path);
    return error->code = EW_ECONFIG;
}

int cli_read_case(const struct cli_case *what, const ew_host *host, struct cli_report *report, ew_case **that,
                  ew_error *error)
{
    const ew_case_options options = options_of(what, report);
    int status = ew_case_read(host, what->path, &options, that, error);
    if (status == EW_OK && (status = check_source(what, *that, error)) != EW_OK) {
        ew_case_destroy(*that);
        *that = NULL;
    }
    return report_failure(what, report, status, error);
}

int cli_read_sweep(const struct cli_case *what, const ew_host *host, struct cli_report *report, ew_sweep **sweep,
                   ew_error *error)
{
    const ew_case_options options = options_of(what, report);
    return report_failure(what, report, ew_sweep_read(host, what->path, &options, sweep, error), error);
}

const char *cli_sweep_values(const ew_sweep *sweep, int64_t member, char *text, size_t size)
{
    char value[1024];
    const char *key;
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; (key = ew_sweep_key(sweep, k)) != NULL && length < size; k++) {
        ew_sweep_value(sweep, member, k, value, sizeof value, NULL);
        length += (size_t)snprintf(text + length, size - length, "%s%s=%s", k > 0 ? ", " : "", key, value);
    }
    return text;
}

int cli_share_threads(struct cli_arguments *arguments, int jobs)
{
    static const char key[] = "backend.threads=";
    char text[64];
    int cores = ew_thread_count(0, NULL, 0), threads = cores / jobs > 1 ? cores / jobs : 1;
    for (size_t k = 0; k < arguments->settings; k++)
        if (strncmp(arguments->setting[k], key, sizeof key - 1) == 0)
            return (int)strtol(arguments->setting[k] + sizeof key - 1, NULL, 10);
    snprintf(text, sizeof text, "%s%d", key, threads);
    cli_add_setting(arguments, text, text);
    return threads;
}

/* The value of the last option of that name; NULL: not given. */
static const char *given_value(const struct cli_arguments *arguments, const char *option)
{
    size_t length = strlen(option);
    for (size_t k = arguments->settings; k-- > 0;)
        if (strncmp(arguments->setting_name[k], option, length) == 0)
            return arguments->setting_name[k] + length;
    return NULL;
}

bool cli_gives_device(const struct cli_arguments *arguments)
{
    return given_value(arguments, "--device ") != NULL;
}

bool cli_has_gpu(const char *option, double device, ew_error *error)
{
    char unused[256];
    if (ew_device_describe((int)fmin(device, INT_MAX), unused, sizeof unused))
        return true;
    snprintf(error->message, sizeof error->message, "%s: there is no GPU %.0f here that edgewise can use%s", option,
             device, ew_device_describe(0, unused, sizeof unused) ? "" : ", nor any other; leave this out to take the "
             "cores, or see by --backend cuda why");
    error->code = EW_EUNAVAILABLE;
    return false;
}

int cli_check_gpu(const char *option, double device)
{
    ew_error error;
    return cli_has_gpu(option, device, &error) ? EX_OK : cli_fail(EX_UNAVAILABLE, "%s.", error.message);
}

int cli_check_device(const struct cli_arguments *arguments)
{
    const char *backend = given_value(arguments, "--backend ");
    if (backend && strcmp(backend, "omp") == 0)
        return cli_fail(EX_USAGE, "--backend omp is the CPU, and --device is for GPUs; leave out one of them.");
    return cli_check_gpu("--device", strtod(given_value(arguments, "--device "), NULL));
}

static int all_devices(int *device, int *devices)
{
    char unused[256];
    *devices = 0;
    while (*devices < CLI_MOST_DEVICES && ew_device_describe(*devices, unused, sizeof unused)) {
        device[*devices] = *devices;
        ++*devices;
    }
    return *devices > 0 ? EX_OK
                        : cli_fail(EX_UNAVAILABLE, "--devices all: this machine has no GPU that edgewise can use.");
}

int cli_read_devices(const char *text, int device[CLI_MOST_DEVICES], int *devices)
{
    double number[CLI_MOST_DEVICES];
    if (strcmp(text, "all") == 0)
        return all_devices(device, devices);
    *devices = cli_read_numbers(text, 1, CLI_MOST_DEVICES, number);
    bool good = *devices > 0;
    for (int k = 0; good && k < *devices; k++) {
        good = number[k] == floor(number[k]) && number[k] >= 0 && number[k] <= 65536;
        device[k] = good ? (int)number[k] : 0;
    }
    return good ? EX_OK : cli_fail(EX_USAGE, "--devices needs all, or numbers of GPUs, for example 0,1, not \"%s\".",
                                   text);
}
