/* SPDX-License-Identifier: BSD-2-Clause */
/* Averages of a problem: which quantities are sampled, and where their statistics accumulate. */
#include "ewi_diagnostics.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_plan_parts.h"

#include <math.h>
#include <string.h>

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static bool is_averaged(const ew_problem *problem, int output)
{
    const char *name = output >= 0 ? ew_problem_output(problem, output, NULL) : NULL;
    return name && strcmp(name, "limiter") != 0 && output < ewi_problem_quantities(problem);
}

static void check_average(const ew_problem *problem, int k, struct ewi_diagnostics *diagnostics)
{
    const ew_average *average = &problem->averages.average[k];
    ew_place place = {.member = "averages", .variable = average->name};
    bool pair = average->statistic == EW_COVARIANCE;
    ewi_check_output_name(problem, ewi_problem_quantities(problem) + k, place, diagnostics);
    if ((int)average->statistic < EW_MEAN || average->statistic > EW_ARRIVAL)
        ewi_diagnose(diagnostics, place, "there is no statistic %d", (int)average->statistic);
    else if (!is_averaged(problem, average->output) || (pair && !is_averaged(problem, average->other)))
        ewi_diagnose(diagnostics, place, "averages are of quantities of the law, except \"limiter\", or by formula, "
                     "but not of number %d",
                     is_averaged(problem, average->output) ? average->other : average->output);
    else if (average->statistic == EW_ARRIVAL && !isfinite(average->above))
        ewi_diagnose(diagnostics, place, "the threshold of an arrival is %g; it must be finite", average->above);
}

/* The samples that the first `count` averages need; at most so many are listed. */
static int find_samples(const ew_averages *averages, int count, int sample[EWI_AVERAGE_SAMPLES + 1])
{
    int samples = 0;
    for (int k = 0; k < 2 * count && samples <= EWI_AVERAGE_SAMPLES; k++) {
        const ew_average *average = &averages->average[k / 2];
        int output = k % 2 ? average->other : average->output, i = 0;
        if (k % 2 && average->statistic != EW_COVARIANCE)
            continue;
        while (i < samples && sample[i] != output)
            i++;
        sample[i] = output;
        samples += i == samples;
    }
    return samples;
}

static void check_times(const ew_averages *averages, struct ewi_diagnostics *diagnostics)
{
    if (averages->steps < 1)
        ewi_diagnose(diagnostics, (ew_place){.member = "averages", .variable = "steps"}, "averages are sampled every "
                     "%lld steps; it must be 1 or greater", (long long)averages->steps);
    if (!isfinite(averages->from))
        ewi_diagnose(diagnostics, (ew_place){.member = "averages", .variable = "from"}, "averages begin at t = %g; it "
                     "must be finite", averages->from);
}

void ewi_averages_check(const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    const ew_averages *averages = &problem->averages;
    ew_place place = {.member = "averages"};
    int sample[EWI_AVERAGE_SAMPLES + 1];
    if (averages->count == 0)
        return;
    if (averages->count < 0 || averages->count > EW_MAX_AVERAGES || !averages->average) {
        ewi_diagnose(diagnostics, place, "%d averages are given%s; there can be 0 to %d", averages->count,
                     averages->average ? "" : ", but where is NULL", EW_MAX_AVERAGES);
        return;
    }
    check_times(averages, diagnostics);
    if (problem->quantities < 0 || problem->quantities > EW_MAX_QUANTITIES)
        return; /* without them, numbers of averages mean nothing */
    for (int k = 0; k < averages->count; k++)
        check_average(problem, k, diagnostics);
    if (find_samples(averages, averages->count, sample) > EWI_AVERAGE_SAMPLES)
        ewi_diagnose(diagnostics, place, "averages are of more than %d quantities; take fewer", EWI_AVERAGE_SAMPLES);
}

/* As if all samples needed their means. */
int ewi_problem_average_slots(const ew_problem *problem)
{
    const ew_averages *averages = &problem->averages;
    int sample[EWI_AVERAGE_SAMPLES + 1], slots = 0;
    if (averages->count <= 0 || averages->count > EW_MAX_AVERAGES || !averages->average)
        return 0;
    for (int k = 0; k < averages->count; k++)
        slots += averages->average[k].statistic != EW_MEAN;
    return slots + find_samples(averages, averages->count, sample);
}

/* ---- in a plan --------------------------------------------------------------------------------------------------- */

static bool needs_mean(enum ew_statistic statistic)
{
    return statistic == EW_MEAN || statistic == EW_VARIANCE || statistic == EW_COVARIANCE;
}

static int number_of(const struct ewi_plan_averages *own, int output)
{
    int k = 0;
    while (own->sample[k] != output)
        k++;
    return k;
}

static void add_mean(struct ewi_plan_averages *own, int sample)
{
    if (own->mean[sample] < 0)
        own->mean[sample] = own->slots++;
}

static void choose_slot(struct ewi_plan_averages *own, const ew_average *given, struct ewi_plan_average *average)
{
    average->statistic = given->statistic;
    average->above = given->above;
    average->a = average->b = number_of(own, given->output);
    if (given->statistic == EW_COVARIANCE)
        average->b = number_of(own, given->other);
    if (needs_mean(given->statistic)) {
        add_mean(own, average->a);
        add_mean(own, average->b);
    }
    average->slot = given->statistic == EW_MEAN ? own->mean[average->a] : own->slots++;
}

/* One piece of memory, with the texts at its end. */
int ewi_averages_keep(struct ewi_plan *plan, const ew_problem *problem, ew_error *error)
{
    const ew_averages *given = &problem->averages;
    struct ewi_plan_averages *own = &plan->averages;
    size_t bytes = 0, count = (size_t)given->count;
    int sample[EWI_AVERAGE_SAMPLES + 1];
    if (count == 0)
        return EW_OK;
    for (size_t k = 0; k < count; k++)
        bytes += ewi_text_bytes(given->average[k].name) + ewi_text_bytes(given->average[k].description);
    struct ewi_plan_average *average = ewi_alloc(&plan->host, 1, count * sizeof *average + bytes);
    if (!average)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the averages");
    char *room = (char *)(average + count);
    *own = (struct ewi_plan_averages){.from = given->from, .steps = given->steps, .count = given->count,
                                      .samples = find_samples(given, given->count, sample), .average = average};
    for (int k = 0; k < own->samples; k++) {
        own->sample[k] = sample[k];
        own->mean[k] = -1;
    }
    for (size_t k = 0; k < count; k++) {
        average[k].name = ewi_keep_text_in(&room, given->average[k].name);
        average[k].description = ewi_keep_text_in(&room, given->average[k].description);
        if (!average[k].description)
            average[k].description = average[k].name;
        choose_slot(own, &given->average[k], &average[k]);
    }
    return EW_OK;
}

size_t ewi_average_doubles(const struct ewi_plan *plan)
{
    return (size_t)plan->grid->padded * (size_t)(plan->basis->np * plan->averages.slots);
}
