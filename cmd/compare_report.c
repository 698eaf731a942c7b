/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints a comparison as a table with a line for every state and kernel, or as one JSON object. */
#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *const cmd_side_names[CMD_SIDES] = {[CMD_REFERENCE] = "reference", [CMD_WITH] = "with"};

static const char *ulp_text(uint64_t ulp, char *text, size_t size)
{
    if (ulp == CMD_ULP_NAN)
        snprintf(text, size, "NaN");
    else
        snprintf(text, size, "%" PRIu64, ulp);
    return text;
}

void cmd_compare_print_head(const struct compare *compare)
{
    cli_print_case(&compare->case_info, &compare->mesh_info);
    cli_print_scheme(&compare->side[CMD_REFERENCE].info, &compare->mesh_info, NULL);
    for (int s = 0; s < CMD_SIDES; s++) {
        const ew_solver_info *side = &compare->side[s].info;
        printf("  %-10s %s, %s kernels (%s)%s\n", cmd_side_names[s], side->backend, side->kernels, side->device,
               compare->side[s].problem.tile == -1 ? ", one tile of all elements" : "");
    }
    printf("\n  %-12s %9s %12s  %-8s %11s %9s  %s\n", "what", "step", "t", "variable", "words", "differ",
           "largest distance in ulp");
    fflush(stdout);
}

static void print_place(const struct cmd_compared *compared)
{
    const struct cmd_difference *difference = &compared->difference;
    char text[32];
    printf("  %s", ulp_text(difference->ulp, text, sizeof text));
    if (difference->differing == 0)
        return;
    printf(": %.17g and %.17g", difference->a, difference->b);
    if (compared->element >= 0)
        printf(" in element %lld at (%.6g, %.6g), j = %d", (long long)compared->element, compared->x, compared->y,
               compared->basis);
    if (compared->edge >= 0)
        printf(", edge %lld", (long long)compared->edge);
}

static void print_line(const struct cmd_record *record, const char *variable, size_t words, size_t differing)
{
    printf("  %-12s %9lld %12.6g  %-8s %11zu %9zu", record->what, (long long)record->step, record->time, variable,
           words, differing);
}

void cmd_compare_print_record(void *context, const struct cmd_record *record)
{
    (void)context;
    cli_progress_clear();
    if (record->sentence) {
        printf("  %-12s %9lld %12.6g  %s%s\n", record->what, (long long)record->step, record->time,
               record->one_sided ? "DIFFERS: " : "not compared: ", record->sentence);
    } else if (record->differing == 0) {
        print_line(record, "all", record->words, 0);
        printf("  0\n");
    }
    for (int k = 0; !record->sentence && record->differing > 0 && k < record->count; k++) {
        const struct cmd_compared *compared = &record->compared[k];
        print_line(record, compared->name, compared->difference.words, compared->difference.differing);
        print_place(compared);
        putchar('\n');
    }
    fflush(stdout);
}

static const struct cmd_record *first_different(const struct cmd_comparison *comparison)
{
    for (size_t k = 0; k < comparison->records; k++)
        if (comparison->record[k].differing > 0 || comparison->record[k].one_sided)
            return &comparison->record[k];
    return NULL;
}

static void print_verdict(const struct compare *compare)
{
    const struct cmd_comparison *comparison = &compare->comparison;
    const struct cmd_record *first = first_different(comparison);
    char text[32];
    if (!first) {
        printf("  same       no word of %zu differs, in %zu comparisons\n", comparison->words, comparison->compared);
        return;
    }
    printf("  DIFFERENT  %zu of %zu words, by at most %s ulp; first in %s of step %lld\n", comparison->differing,
           comparison->words, ulp_text(comparison->ulp, text, sizeof text), first->what, (long long)first->step);
    if (compare->admitted && cmd_comparison_passes(comparison, compare->admitted))
        printf("  accepted   within --ulp %" PRIu64 "\n", compare->ulp);
    if (strcmp(first->what, "state") == 0 && first->step > 1)
        printf("  next       edgewise compare %s --steps %lld --every 1, with the same options, finds the step\n",
               compare->arguments->common.case_path, (long long)first->step);
}

/* The sentence of an error, or NULL. */
static const char *error_of(const struct compare *compare)
{
    if (compare->report.count > 0)
        return compare->report.sentence[0];
    if (compare->error.code)
        return compare->error.message;
    return compare->stop && strcmp(compare->stop, "failed") == 0 ? compare->side[CMD_REFERENCE].error.message : NULL;
}

void cmd_compare_print_end(const struct compare *compare)
{
    const ew_solver *solver = compare->side[CMD_REFERENCE].solver;
    printf("\n  stopped    at t = %.9g after %lld steps: %s\n", ew_solver_time(solver),
           (long long)ew_solver_steps(solver), cli_stop_in_words(compare->stop, true));
    if (error_of(compare))
        printf("             %s\n", error_of(compare));
    print_verdict(compare);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void put_ulp(struct cli_json *json, const char *name, uint64_t ulp)
{
    if (ulp > INT64_MAX) /* a NaN on one side, or large numbers of opposite signs */
        cli_json_null(json, name);
    else
        cli_json_integer(json, name, (int64_t)ulp);
}

static void put_compared(struct cli_json *json, const struct cmd_compared *compared)
{
    const struct cmd_difference *difference = &compared->difference;
    cli_json_open(json, compared->name, '{');
    cli_json_integer(json, "words", (int64_t)difference->words);
    cli_json_integer(json, "differing", (int64_t)difference->differing);
    put_ulp(json, "ulp", difference->ulp);
    if (difference->differing > 0) {
        cli_json_number(json, "reference", difference->a);
        cli_json_number(json, "with", difference->b);
    }
    if (compared->element >= 0) {
        cli_json_integer(json, "element", compared->element);
        cli_json_number(json, "x", compared->x);
        cli_json_number(json, "y", compared->y);
        cli_json_integer(json, "basis", compared->basis);
    }
    if (compared->edge >= 0)
        cli_json_integer(json, "edge", compared->edge);
    cli_json_close(json, '}');
}

static void put_record(struct cli_json *json, const struct cmd_record *record)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "what", record->what);
    cli_json_integer(json, "step", record->step);
    cli_json_number(json, "time", record->time);
    cli_json_integer(json, "words", (int64_t)record->words);
    cli_json_integer(json, "differing", (int64_t)record->differing);
    put_ulp(json, "ulp", record->ulp);
    cli_json_bool(json, "one_sided", record->one_sided);
    cli_json_text(json, "sentence", record->sentence);
    cli_json_open(json, "variables", '{');
    for (int k = 0; k < record->count; k++)
        put_compared(json, &record->compared[k]);
    cli_json_close(json, '}');
    cli_json_close(json, '}');
}

static void put_side(struct cli_json *json, const char *name, const struct cmd_side *side)
{
    if (!side->solver) {
        cli_json_null(json, name);
        return;
    }
    cli_json_open(json, name, '{');
    cli_json_backend(json, &side->info);
    cli_json_integer(json, "tile", side->problem.tile == -1 ? -1 : 8);
    cli_json_close(json, '}');
}

void cmd_compare_print_json(const struct compare *compare)
{
    const struct cmd_comparison *comparison = &compare->comparison;
    const struct cmd_side *reference = &compare->side[CMD_REFERENCE];
    const ew_solver *solver = reference->solver;
    struct cli_json json = cli_json_begin(stdout);
    cli_json_text(&json, "case", compare->arguments->common.case_path);
    for (int s = 0; s < CMD_SIDES; s++)
        put_side(&json, cmd_side_names[s], &compare->side[s]);
    if (solver) {
        cli_json_scheme(&json, &reference->info);
        cli_json_integer(&json, "elements", compare->mesh_info.elements);
        cli_json_integer(&json, "edges", compare->mesh_info.edges);
    }
    cli_json_integer(&json, "steps", solver ? ew_solver_steps(solver) : 0);
    cli_json_number(&json, "time", solver ? ew_solver_time(solver) : NAN);
    cli_json_text(&json, "stop", compare->stop);
    cli_json_text(&json, "error", error_of(compare));
    bool compared = comparison->records > 0;
    cli_json_bool(&json, "same", compared && cmd_comparison_passes(comparison, NULL));
    cli_json_bool(&json, "accepted", compared && cmd_comparison_passes(comparison, compare->admitted));
    cli_json_integer(&json, "words", (int64_t)comparison->words);
    cli_json_integer(&json, "differing", (int64_t)comparison->differing);
    put_ulp(&json, "ulp", comparison->ulp);
    cli_json_open(&json, "comparisons", '[');
    for (size_t k = 0; k < comparison->records; k++)
        put_record(&json, &comparison->record[k]);
    cli_json_close(&json, ']');
    cli_json_end(&json);
}
