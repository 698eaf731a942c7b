/* SPDX-License-Identifier: BSD-2-Clause */
/* Variables of a law and other quantities that may be written: conversions and names. */
#include "ewi_laws.h"
#include "ewi_medium.h"

#include <math.h>
#include <string.h>

typedef void conversion(const double *parameter, const double *from, double *to);

/* The argument `parameter` of the law's functions; with media, an element's rows for these fields. */
static const double *parameter_of(const struct ewi_law *law, const double *parameter, double *rows)
{
    double coefficient[EWI_MEDIUM_ROWS] = {0};
    if (!law->media || !parameter)
        return parameter;
    ewi_law_coefficients(law, parameter, coefficient);
    ewi_medium_rows(coefficient, rows);
    return rows;
}

static bool lacks_parameters(const struct ewi_law *law, const double *parameter)
{
    return !parameter && (law->info->parameters > 0 || law->media);
}

static void convert(const struct ewi_law *law, conversion *change, const double *parameter, size_t count,
                    const double *from, double *to)
{
    double rows[EWI_MEDIUM_ROWS * EWI_TILE];
    if (!law || !from || !to || lacks_parameters(law, parameter))
        return;
    parameter = parameter_of(law, parameter, rows);
    size_t variables = (size_t)law->info->variables;
    for (size_t i = 0; i < count; i++) {
        double state[EW_MAX_VARIABLES];
        memcpy(state, from + i * variables, variables * sizeof *state);
        change(parameter, state, to + i * variables);
    }
}

void ew_law_conserved(const ew_law *law, const double *parameter, size_t count, const double *primitive,
                      double *conserved)
{
    const struct ewi_law *own = law ? ewi_law_find(law->name) : NULL;
    convert(own, own ? own->conserved : NULL, parameter, count, primitive, conserved);
}

void ew_law_primitive(const ew_law *law, const double *parameter, size_t count, const double *conserved,
                      double *primitive)
{
    const struct ewi_law *own = law ? ewi_law_find(law->name) : NULL;
    convert(own, own ? own->primitive : NULL, parameter, count, conserved, primitive);
}

void ew_law_limit_points(const ew_law *law, const double *parameter, const double *mean, size_t count,
                         double *conserved)
{
    const struct ewi_law *own = law ? ewi_law_find(law->name) : NULL;
    double rows[EWI_MEDIUM_ROWS * EWI_TILE];
    if (!own || !mean || !conserved || lacks_parameters(own, parameter))
        return;
    parameter = parameter_of(own, parameter, rows);
    for (size_t i = 0; i < count; i++)
        own->limit_point(parameter, mean, conserved + i * (size_t)own->info->variables);
}

void ew_law_derived(const ew_law *law, const double *parameter, int which, size_t count, const double *conserved,
                    const double *gradient, double *values)
{
    const struct ewi_law *own = law ? ewi_law_find(law->name) : NULL;
    double rows[EWI_MEDIUM_ROWS * EWI_TILE];
    if (!own || !conserved || !values || lacks_parameters(own, parameter))
        return;
    parameter = parameter_of(own, parameter, rows);
    size_t variables = (size_t)own->info->variables;
    for (size_t i = 0; i < count; i++) {
        double ux[EW_MAX_VARIABLES], uy[EW_MAX_VARIABLES];
        for (size_t m = 0; m < variables; m++) {
            ux[m] = gradient ? gradient[2 * (i * variables + m)] : (double)NAN;
            uy[m] = gradient ? gradient[2 * (i * variables + m) + 1] : (double)NAN;
        }
        values[i] = own->derived(which, parameter, conserved + i * variables, ux, uy);
    }
}

/* True if the law has a primitive variable of that name, too. */
static bool is_primitive(const ew_law *law, const char *name)
{
    for (int m = 0; m < law->variables; m++)
        if (strcmp(law->primitive[m], name) == 0)
            return true;
    return false;
}

bool ewi_output_find(const ew_law *law, int index, struct ewi_output *output)
{
    *output = (struct ewi_output){EWI_FROM_PRIMITIVE, index};
    if (index < law->variables)
        return index >= 0;
    int k = index - law->variables, derived = 0;
    for (int m = 0; m < law->variables; m++) {
        *output = (struct ewi_output){EWI_FROM_CONSERVED, m};
        if (!is_primitive(law, law->conserved[m]) && k-- == 0)
            return true;
    }
    while (derived < EW_MAX_DERIVED && law->derived[derived])
        derived++;
    *output = (struct ewi_output){k < derived ? EWI_FROM_DERIVED : EWI_FROM_LIMITER, k};
    return k <= derived;
}

int ewi_law_outputs(const ew_law *law)
{
    int count = 0;
    while (ew_law_output(law, count, NULL))
        count++;
    return count;
}

const char *ew_law_output(const ew_law *law, int index, const char **long_name)
{
    struct ewi_output output;
    const char *own, **text = long_name ? long_name : &own;
    *text = NULL;
    if (!law || !ewi_output_find(law, index, &output))
        return NULL;
    switch (output.from) {
    case EWI_FROM_PRIMITIVE:
        *text = law->primitive_long[output.index];
        return law->primitive[output.index];
    case EWI_FROM_CONSERVED:
        *text = law->conserved_long[output.index];
        return law->conserved[output.index];
    case EWI_FROM_DERIVED:
        *text = law->derived_long[output.index];
        return law->derived[output.index];
    default:
        *text = "share of the slopes that the limiter removes";
        return "limiter";
    }
}
