/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a case with the settings of a command line. */
#include "cases.h"

#include <string.h>

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

int cli_read_case(const struct cli_case *what, const ew_host *host, struct cli_report *report, ew_case **that,
                  ew_error *error)
{
    ew_case_options options = {.settings = what->settings,
                               .setting = (const char *const *)what->setting,
                               .setting_name = (const char *const *)what->setting_name,
                               .most_triangles = what->most_triangles,
                               .report = cli_report,
                               .report_context = report,
                               .confined = what->confined,
                               .named = what->named,
                               .named_context = what->named_context,
                               .admit = what->needs_room ? ew_run_admit : NULL,
                               .plan = what->plan};
    int status = ew_case_read(host, what->path, &options, that, error);
    if (status != EW_OK && report->count == 0)
        cli_error("%s", error->message);
    else if (status != EW_OK && report->count > 1)
        cli_error("%zu errors in %s", report->count, what->path);
    return status;
}
