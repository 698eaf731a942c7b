/* SPDX-License-Identifier: BSD-2-Clause */
/* Points at which given data are not what they must be, in words. */
#include "ewi_bad_points.h"
#include "ewi_diagnostics.h"
#include "ewi_layout.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

void ewi_count_bad_point(struct ewi_bad_points *points, double x, double y, const double *values, int count)
{
    if (points->bad++ > 0)
        return;
    points->x = x;
    points->y = y;
    for (int k = 0; k < count; k++)
        points->primitive[k] = isnan(values[k]) ? NAN : values[k]; /* a NaN's sign says nothing */
}

/* Parameters for which a state is as admissible as for those of the place, which is not known. */
static const double *parameter_of(const struct ewi_sizes *sizes)
{
    static const double unit[] = {[0] = 1.0, [EWI_TILE] = 1.0};
    return sizes->media ? unit : sizes->parameter;
}

/* The one variable without which a state would be admissible, or -1. */
static int variable_to_blame(const struct ewi_sizes *sizes, const double *primitive)
{
    double rest[EW_MAX_VARIABLES] = {0};
    int blamed = -1;
    sizes->law->rest(rest);
    for (int m = 0; m < sizes->variables; m++) {
        double w[EW_MAX_VARIABLES] = {0}, u[EW_MAX_VARIABLES];
        for (int k = 0; k < sizes->variables; k++)
            w[k] = k == m ? rest[k] : primitive[k];
        sizes->law->conserved(parameter_of(sizes), w, u);
        if (!sizes->law->admissible(parameter_of(sizes), u))
            continue;
        if (blamed >= 0)
            return -1;
        blamed = m;
    }
    return blamed;
}

const char *ewi_bad_points_where(const struct ewi_bad_points *points, char *text, size_t size)
{
    if (points->bad == 1)
        ewi_snprintf(text, size, "at (%g, %g)", points->x, points->y);
    else if (points->bad == points->points)
        ewi_snprintf(text, size, "at all %lld points, for example (%g, %g)", (long long)points->bad,
                     points->x, points->y);
    else
        ewi_snprintf(text, size, "at %lld of %lld points, for example (%g, %g)", (long long)points->bad,
                     (long long)points->points, points->x, points->y);
    return text;
}

/* For a state that is admissible as given: the result of rounding its conserved variables. */
static void describe_loss(const struct ewi_sizes *sizes, const double *primitive, char *text, size_t size)
{
    const ew_law *law = sizes->law->info;
    double u[EW_MAX_VARIABLES] = {0}, back[EW_MAX_VARIABLES] = {0};
    for (int m = 0; m < sizes->variables; m++)
        if (!isfinite(primitive[m]) || (law->positive[m] && primitive[m] <= 0))
            return;
    sizes->law->conserved(parameter_of(sizes), primitive, u);
    sizes->law->primitive(parameter_of(sizes), u, back);
    for (int m = 0; m < sizes->variables; m++)
        if (law->positive[m] && !(back[m] > 0)) {
            ewi_snprintf(text, size, "; %s is lost in the rounding of the conserved variables, which give %g",
                         law->primitive[m], isnan(back[m]) ? NAN : back[m]);
            return;
        }
}

/* Advice for what a user of the law may mean by such a state. */
static const char *advice_on(const ew_law *law, const double *primitive)
{
    bool is_dry = strcmp(law->name, "shallow-water") == 0 && primitive[0] == 0;
    return is_dry ? "; for a dry bed use a small depth, for example 1e-6, and set positivity" : "";
}

/* Values with names of their own; "direction is (0, 1)" is one. */
static void describe_values(const struct ewi_bad_points *points, const char *what, char *text, size_t size)
{
    char at[160], values[256] = "", must[128] = "", why[EWI_EXPLANATION];
    const double *here = points->primitive;
    size_t length = 0;
    for (const ew_boundary_value *value = points->value; value->name && length < sizeof values; value++) {
        length += (size_t)ewi_snprintf(values + length, sizeof values - length, "%s%s is ",
                                       value == points->value ? "" : value[1].name ? ", " : " and ", value->name);
        if (length < sizeof values)
            length += (size_t)(value->outputs == 1
                                   ? ewi_snprintf(values + length, sizeof values - length, "%g", here[0])
                                   : ewi_snprintf(values + length, sizeof values - length, "(%g, %g)", here[0],
                                                  here[1]));
        here += value->outputs;
    }
    if (points->blamed >= 0)
        ewi_snprintf(must, sizeof must, "; %s must %s", points->value[points->blamed].name,
                     points->value[points->blamed].must);
    ewi_snprintf(text, size, "%s are not possible %s, t = %g: %s%s%s", what,
                 ewi_bad_points_where(points, at, sizeof at), points->t, values, must,
                 ewi_data_explain(points->data, points->x, points->y, points->t, why));
}

static const char *blamed_of(const struct ewi_sizes *sizes, const struct ewi_bad_points *points)
{
    int blamed = points->value ? points->blamed : variable_to_blame(sizes, points->primitive);
    return blamed < 0 ? NULL : points->value ? points->value[blamed].name : sizes->law->info->primitive[blamed];
}

void ewi_describe_states(const struct ewi_sizes *sizes, const struct ewi_bad_points *points, const char *what,
                         char *text, size_t size)
{
    if (points->value) {
        describe_values(points, what, text, size);
        return;
    }
    char at[160], values[256] = "", loss[128] = "", why[EWI_EXPLANATION];
    size_t length = 0;
    int last = sizes->variables - 1;
    while (points->hidden >> last & 1)
        last--;
    for (int m = 0; m <= last && length < sizeof values; m++)
        if (!(points->hidden >> m & 1))
            length += (size_t)ewi_snprintf(values + length, sizeof values - length, "%s%s is %g",
                                           length == 0 ? "" : m < last ? ", " : " and ",
                                           sizes->law->info->primitive[m], points->primitive[m]);
    describe_loss(sizes, points->primitive, loss, sizeof loss);
    ewi_snprintf(text, size, "%s is not admissible %s, t = %g: %s%s%s%s", what,
                 ewi_bad_points_where(points, at, sizeof at), points->t, values, loss,
                 advice_on(sizes->law->info, points->primitive),
                 ewi_data_explain(points->data, points->x, points->y, points->t, why));
}

void ewi_report_states(const struct ewi_sizes *sizes, const struct ewi_bad_points *points, ew_place place,
                       const char *what, struct ewi_diagnostics *diagnostics)
{
    char text[960];
    if (points->bad == 0)
        return;
    place.variable = blamed_of(sizes, points);
    ewi_describe_states(sizes, points, what, text, sizeof text);
    ewi_diagnose(diagnostics, place, "%s", text);
}

