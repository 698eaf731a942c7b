/* SPDX-License-Identifier: BSD-2-Clause */
/* The times of fields and restart files, and the quantities of fields and raster. */
#include "ewi_case.h"
#include "ewi_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_times(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static void read_times(struct ewi_reader *reader, const config_setting_t *group)
{
    const config_setting_t *list = ewi_get(group, "output.fields.at");
    size_t count = list ? (size_t)config_setting_length(list) : 0;
    double *at = ewi_keep(reader, count, sizeof *at);
    if (!list || !at || !ewi_get_numbers(reader, group, "output.fields.at", at))
        return;
    qsort(at, count, sizeof *at, compare_times);
    reader->that->info.plan.at = at;
    reader->that->info.plan.times = count;
}

/* The mean time between frames before the last one; 0: there are no more. */
static double mean_interval(const ew_run_plan *plan)
{
    double of_times = plan->times > 0 ? (plan->at[plan->times - 1] - plan->start) / (double)plan->times : 0.0;
    if (!(of_times > 0.0))
        return plan->every;
    return plan->every > 0.0 ? fmin(plan->every, of_times) : of_times;
}

/* A period below the rounding error of time would give endless frames at one time. A wrong end time is infinite. */
static void read_period(struct ewi_reader *reader, const config_setting_t *group, const char *path, double *period)
{
    const ew_case *that = reader->that;
    if (!ewi_get_number(reader, group, path, period))
        return;
    double latest = fmax(fabs(that->info.plan.start), fabs(that->info.plan.end));
    if (isfinite(latest) && latest + *period == latest) {
        ewi_issue(reader, ewi_get(group, path), "%s is %.16g, less than the rounding of times up to %.16g", path,
                  *period, latest);
        *period = 0.0;
    }
}

static bool has_output(const struct ewi_reader *reader, const char *name)
{
    const char *other;
    bool found = false;
    for (int k = 0; (other = ew_problem_output(&reader->that->problem, k, NULL)) != NULL; k++)
        found = found || strcmp(other, name) == 0;
    return found;
}

/* Covariances have their quantities in the order of output.averages.variables. */
static bool is_reversed(struct ewi_reader *reader, const config_setting_t *setting, const char *word)
{
    const char *pair = word + strlen("covariance_");
    char other[512];
    for (const char *split = strchr(pair, '_'); split; split = strchr(split + 1, '_')) {
        ewi_snprintf(other, sizeof other, "covariance_%s_%.*s", split + 1, (int)(split - pair), pair);
        if (has_output(reader, other)) {
            ewi_issue(reader, setting, "there is no quantity \"%s\"; did you mean \"%s\"?", word, other);
            return true;
        }
    }
    return false;
}

/* True if the name is that of an average that output.averages lacks; reports how to get it. */
static bool lacks_average(struct ewi_reader *reader, const config_setting_t *setting, const char *word)
{
    static const struct {
        const char *prefix, *key;
    } kinds[] = {{"mean_", "variables"}, {"variance_", "variables"}, {"min_", "extrema"}, {"max_", "extrema"},
                 {"arrival_", "arrivals"}};
    if (strncmp(word, "covariance_", strlen("covariance_")) == 0)
        return is_reversed(reader, setting, word);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t length = strlen(kinds[k].prefix);
        if (strncmp(word, kinds[k].prefix, length) == 0 && has_output(reader, word + length)) {
            ewi_issue(reader, setting, "there is no quantity \"%s\"; add \"%s\" to output.averages.%s", word,
                      word + length, kinds[k].key);
            return true;
        }
    }
    return false;
}

/* The number of a quantity; reports an unknown name and returns -1. */
static int output_number(struct ewi_reader *reader, const config_setting_t *setting, const char *word)
{
    const ew_problem *problem = &reader->that->problem;
    const char *names[EW_MAX_OUTPUTS];
    int count = 0;
    for (; count < EW_MAX_OUTPUTS && (names[count] = ew_problem_output(problem, count, NULL)) != NULL; count++)
        if (strcmp(names[count], word) == 0)
            return count;
    if (lacks_average(reader, setting, word))
        return -1;
    char rest[512];
    ewi_issue(reader, setting, "the law \"%s\" has no quantity \"%s\" to write%s%s", reader->law->name, word,
              problem->quantities > 0 ? ", nor has output.quantities" : "",
              ewi_alternatives(reader, "output.fields.variables", word, names, (size_t)count, rest, sizeof rest));
    return -1;
}

int ewi_averaged_output(struct ewi_reader *reader, const config_setting_t *setting, const char *word)
{
    int number = output_number(reader, setting, word);
    if (number < 0 || strcmp(word, "limiter") != 0)
        return number;
    ewi_issue(reader, setting, "\"limiter\" has no averages, since it is found only for states that are written; "
              "leave it out");
    return -1;
}

/* Number k of the quantities that are written if none are named: the primitive variables, and all averages. */
static int default_output(const struct ewi_reader *reader, int k)
{
    const ew_problem *problem = &reader->that->problem;
    int outputs = 0;
    if (k < reader->law->variables)
        return k;
    while (ew_problem_output(problem, outputs, NULL))
        outputs++;
    return outputs - problem->averages.count + k - reader->law->variables;
}

/* The quantities of a list of names, or the default ones. */
static void read_variables(struct ewi_reader *reader, const config_setting_t *list, const char *path, int *outputs,
                           const int **outputs_)
{
    int averages = reader->that->problem.averages.count;
    int count = list ? config_setting_length(list) : reader->law ? reader->law->variables + averages : 0;
    int *output = ewi_keep(reader, (size_t)count, sizeof *output);
    if (!output || !reader->law)
        return;
    *outputs_ = output;
    for (int k = 0; k < count; k++) {
        config_setting_t *setting = list ? config_setting_get_elem(list, (unsigned)k) : NULL;
        int number = list ? output_number(reader, setting, config_setting_get_string(setting))
                          : default_output(reader, k);
        bool again = false;
        for (int i = 0; i < *outputs; i++)
            again = again || output[i] == number;
        if (again)
            ewi_issue(reader, setting, "\"%s\" is named twice in %s", config_setting_get_string(setting), path);
        else if (number >= 0)
            output[(*outputs)++] = number;
    }
}

/* True if one of the cells from .. to has its centre in low .. high. */
static bool has_centre(double from, double to, double cells, double low, double high)
{
    double width = (to - from) / cells, first = ceil(fmax((low - from) / width - 0.5, 0));
    return first < cells && from + (first + 0.5) * width <= high;
}

/* cells: NULL, if the case does not give them as it should. */
static void read_window(struct ewi_reader *reader, const config_setting_t *group, const double cells[2],
                        double window[4])
{
    const char *path = "output.raster.window";
    ew_mesh_info mesh;
    double given[4];
    if (!ewi_get(group, path) || !ewi_get_numbers(reader, group, path, given))
        return;
    memcpy(window, given, sizeof given);
    if (!(window[2] > window[0] && window[3] > window[1])) {
        ewi_issue(reader, ewi_get(group, path), "output.raster.window is empty: x %.9g .. %.9g, y %.9g .. %.9g; write "
                  "[x0, y0, x1, y1] with x0 < x1 and y0 < y1", window[0], window[2], window[1], window[3]);
        return;
    }
    if (!isfinite(window[2] - window[0]) || !isfinite(window[3] - window[1])) {
        ewi_issue(reader, ewi_get(group, path), "output.raster.window, x %.9g .. %.9g, y %.9g .. %.9g, is wider than "
                  "the largest number", window[0], window[2], window[1], window[3]);
        return;
    }
    if (!reader->that->mesh)
        return;
    ew_mesh_get_info(reader->that->mesh, &mesh);
    bool outside = window[0] >= mesh.xmax || window[2] <= mesh.xmin || window[1] >= mesh.ymax || window[3] <= mesh.ymin;
    if (!outside && cells && !(has_centre(window[0], window[2], cells[0], mesh.xmin, mesh.xmax) &&
                               has_centre(window[1], window[3], cells[1], mesh.ymin, mesh.ymax)))
        ewi_issue(reader, ewi_get(group, path), "output.raster.window, x %.9g .. %.9g, y %.9g .. %.9g: no cell has its "
                  "centre in the mesh, which lies in x %.9g .. %.9g, y %.9g .. %.9g; give it another window or more "
                  "cells", window[0], window[2], window[1], window[3], mesh.xmin, mesh.xmax, mesh.ymin, mesh.ymax);
    if (outside)
        ewi_issue(reader, ewi_get(group, path), "output.raster.window, x %.9g .. %.9g, y %.9g .. %.9g, is outside the "
                  "mesh, which lies in x %.9g .. %.9g, y %.9g .. %.9g", window[0], window[2], window[1], window[3],
                  mesh.xmin, mesh.xmax, mesh.ymin, mesh.ymax);
}

void ewi_read_raster(struct ewi_reader *reader)
{
    const config_setting_t *group = ewi_get(ewi_get(reader->root, "output"), "output.raster");
    ew_raster *raster = &reader->that->info.plan.raster;
    double cells[2] = {0, 0};
    const char *precision = "single";
    if (!group)
        return;
    bool known = ewi_get_numbers(reader, group, "output.raster.cells", cells);
    for (int d = 0; d < 2 && known; d++)
        raster->cells[d] = (int)cells[d];
    read_window(reader, group, known ? cells : NULL, raster->window);
    const config_setting_t *list = ewi_get(group, "output.raster.variables");
    if (list)
        read_variables(reader, list, "output.raster.variables", &raster->outputs, &raster->output);
    ewi_get_text(reader, group, "output.raster.precision", &precision);
    raster->double_precision = strcmp(precision, "double") == 0;
    ewi_get_flag(group, "output.raster.only", &raster->only);
}

static void read_restart(struct ewi_reader *reader, const config_setting_t *group)
{
    ew_case_info *info = &reader->that->info;
    int64_t keep = 1;
    info->plan.restarts = group != NULL;
    ewi_get_integer(reader, group, "output.restart.keep", &keep);
    info->plan.restart_keep = (int)keep;
    if (!group)
        return;
    read_period(reader, group, "output.restart.every", &reader->that->info.plan.restart_every);
    ewi_get_integer(reader, group, "output.restart.steps", &info->plan.restart_steps);
}

void ewi_read_output(struct ewi_reader *reader)
{
    const config_setting_t *output = ewi_get(reader->root, "output"), *fields = ewi_get(output, "output.fields");
    int64_t subdivide = reader->that->problem.order, compression = 0;
    ewi_get_integer(reader, fields, "output.fields.subdivide", &subdivide);
    const char *precision = "double";
    ewi_get_text(reader, fields, "output.fields.precision", &precision);
    ewi_get_integer(reader, fields, "output.fields.compression", &compression);
    reader->that->info.plan.subdivide = (int)subdivide;
    reader->that->info.plan.compression = (int)compression;
    reader->that->info.plan.single = strcmp(precision, "single") == 0;
    if (fields) {
        read_period(reader, fields, "output.fields.every", &reader->that->info.plan.every);
        read_times(reader, fields);
    }
    ew_run_plan *plan = &reader->that->info.plan;
    reader->that->problem.output_interval = mean_interval(plan);
    read_variables(reader, ewi_get(fields, "output.fields.variables"), "output.fields.variables", &plan->outputs,
                   &plan->output);
    read_restart(reader, ewi_get(output, "output.restart"));
}
