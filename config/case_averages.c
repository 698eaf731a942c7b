/* SPDX-License-Identifier: BSD-2-Clause */
/* output.averages: statistics over time, which other keys of output name like quantities. */
#include "ewi_case.h"
#include "ewi_text.h"

#include <string.h>

/* Collects averages in the order of the case. Those over the limit are counted but not kept. */
struct found {
    struct ewi_reader *reader;
    ew_average *average; /* [EW_MAX_AVERAGES] */
    int count;
};

enum { LONGEST_NAME = 512 };

static const char *description_of(const struct found *found, int output)
{
    const char *description = NULL;
    ew_problem_output(&found->reader->that->problem, output, &description);
    return description ? description : "";
}

/* Names "mean_p" and "covariance_u_v". */
static void add(struct found *found, ew_average average, const char *statistic, const char *meaning)
{
    const ew_problem *problem = &found->reader->that->problem;
    bool pair = average.statistic == EW_COVARIANCE;
    char text[LONGEST_NAME];
    if (found->count++ >= EW_MAX_AVERAGES)
        return;
    ewi_snprintf(text, sizeof text, "%s_%s%s%s", statistic, ew_problem_output(problem, average.output, NULL),
                 pair ? "_" : "", pair ? ew_problem_output(problem, average.other, NULL) : "");
    average.name = ewi_keep_text(found->reader, text);
    size_t length = ewi_append(text, sizeof text, 0, "%s %s%s%s", meaning, description_of(found, average.output),
                               pair ? " and " : "", pair ? description_of(found, average.other) : "");
    char digits[EWI_SHORTEST];
    if (average.statistic == EW_ARRIVAL)
        ewi_append(text, sizeof text, length, " exceeds %s", ewi_shortest(average.above, digits));
    average.description = ewi_keep_text(found->reader, text);
    found->average[found->count - 1] = average;
}

/* The numbers of a list's quantities; returns how many there are. */
static int read_names(struct found *found, const config_setting_t *group, const char *path, int **output)
{
    const config_setting_t *list = ewi_get(group, path);
    int length = list ? config_setting_length(list) : 0, count = 0;
    *output = ewi_keep(found->reader, (size_t)length, sizeof **output);
    for (int k = 0; *output && k < length; k++) {
        const config_setting_t *setting = config_setting_get_elem(list, (unsigned)k);
        int number = ewi_averaged_output(found->reader, setting, config_setting_get_string(setting));
        bool again = false;
        for (int i = 0; i < count; i++)
            again = again || (*output)[i] == number;
        if (again)
            ewi_issue(found->reader, setting, "\"%s\" is named twice in %s", config_setting_get_string(setting), path);
        else if (number >= 0)
            (*output)[count++] = number;
    }
    return count;
}

static void read_variables(struct found *found, const config_setting_t *group)
{
    int *output, covariances = 0, count = read_names(found, group, "output.averages.variables", &output);
    ewi_get_flag(group, "output.averages.covariances", &covariances);
    for (int k = 0; k < count; k++) {
        add(found, (ew_average){.statistic = EW_MEAN, .output = output[k]}, "mean", "mean over time of");
        add(found, (ew_average){.statistic = EW_VARIANCE, .output = output[k]}, "variance", "variance over time of");
    }
    for (int k = 0; covariances && k < count; k++)
        for (int i = k + 1; i < count; i++)
            add(found, (ew_average){.statistic = EW_COVARIANCE, .output = output[k], .other = output[i]}, "covariance",
                "covariance over time of");
    if (covariances && count < 2)
        ewi_issue(found->reader, ewi_get(group, "output.averages.covariances"), "output.averages.covariances needs two "
                  "quantities or more in output.averages.variables");
}

static void read_extrema(struct found *found, const config_setting_t *group)
{
    int *output, count = read_names(found, group, "output.averages.extrema", &output);
    for (int k = 0; k < count; k++) {
        add(found, (ew_average){.statistic = EW_MINIMUM, .output = output[k]}, "min", "minimum over time of");
        add(found, (ew_average){.statistic = EW_MAXIMUM, .output = output[k]}, "max", "maximum over time of");
    }
}

static void read_arrivals(struct found *found, const config_setting_t *group)
{
    const config_setting_t *arrivals = ewi_get(group, "output.averages.arrivals");
    for (int k = 0; arrivals && k < config_setting_length(arrivals); k++) {
        const config_setting_t *setting = config_setting_get_elem(arrivals, (unsigned)k);
        ew_average average = {.statistic = EW_ARRIVAL};
        average.output = ewi_averaged_output(found->reader, setting, config_setting_name(setting));
        bool good = ewi_type_fits(ewi_option_find("output.averages.arrivals.NAME"), setting) &&
                    ewi_constant(found->reader, setting, &average.above);
        if (good && average.output >= 0)
            add(found, average, "arrival", "time of the first sample at which");
    }
    if (arrivals && config_setting_length(arrivals) == 0)
        ewi_issue(found->reader, arrivals, "output.averages.arrivals is empty; give it a quantity and its threshold, "
                  "as in { p = 2.5; }");
}

static void read_from(struct ewi_reader *reader, const config_setting_t *group, ew_averages *averages)
{
    const ew_run_plan *plan = &reader->that->info.plan;
    averages->from = plan->start;
    if (!ewi_get_number(reader, group, "output.averages.from", &averages->from))
        return;
    if (averages->from >= plan->end)
        ewi_issue(reader, ewi_get(group, "output.averages.from"), "output.averages.from is %.16g; it must be before "
                  "the end, %.16g", averages->from, plan->end);
    else if (averages->from < plan->start)
        ewi_issue(reader, ewi_get(group, "output.averages.from"), "output.averages.from is %.16g; it must not be "
                  "before the start, %.16g", averages->from, plan->start);
}

void ewi_read_averages(struct ewi_reader *reader)
{
    const config_setting_t *group = ewi_get(ewi_get(reader->root, "output"), "output.averages");
    ew_averages averages = {.steps = 0};
    struct found found = {.reader = reader};
    if (!group || !reader->law)
        return;
    found.average = ewi_keep(reader, EW_MAX_AVERAGES, sizeof *found.average);
    if (!found.average)
        return;
    ewi_get_integer(reader, group, "output.averages.steps", &averages.steps);
    read_from(reader, group, &averages);
    size_t issues = reader->issue_count;
    read_variables(&found, group);
    read_extrema(&found, group);
    read_arrivals(&found, group);
    if (found.count == 0 && issues == reader->issue_count)
        ewi_issue(reader, group, "output.averages has nothing to average; give it variables, extrema or arrivals");
    if (found.count > EW_MAX_AVERAGES)
        ewi_issue(reader, group, "output.averages has %d averages; there can be %d: take fewer variables, or leave the "
                  "covariances out", found.count, EW_MAX_AVERAGES);
    averages.average = found.average;
    averages.count = found.count > EW_MAX_AVERAGES ? 0 : found.count;
    reader->that->problem.averages = averages;
}
