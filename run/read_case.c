/* SPDX-License-Identifier: BSD-2-Clause */
#include "run.h"

int cmd_read_case(const struct cli_arguments *arguments, const ew_host *host, struct cli_report *report, ew_case **that,
                  ew_error *error)
{
    ew_case_options options = {.settings = arguments->settings,
                               .setting = (const char *const *)arguments->setting,
                               .setting_name = (const char *const *)arguments->setting_name,
                               .most_triangles = arguments->most_triangles,
                               .report = cli_report,
                               .report_context = report,
                               .confined = arguments->confined,
                               .named = arguments->named,
                               .named_context = arguments->named_context,
                               .admit = arguments->needs_room ? cmd_admit : NULL};
    int status = ew_case_read(host, arguments->case_path, &options, that, error);
    if (status != EW_OK && report->count == 0)
        cli_error("%s", error->message);
    else if (status != EW_OK && report->count > 1)
        cli_error("%zu errors in %s", report->count, arguments->case_path);
    return status;
}
