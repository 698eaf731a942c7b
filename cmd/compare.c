/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise compare: compares two runs of one case. */
#include "compare.h"
#include "ewi_error.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

/* A sysexit that no other part of edgewise uses. */
#define EXIT_DIFFERENT EX_PROTOCOL

/* ---- preparation ------------------------------------------------------------------------------------------------- */

/* The first set of kernels other than this one. */
static const char *other_kernels(const char *kernels)
{
    int k = kernels && strcmp(ew_list_name(EW_KERNELS, 0), kernels) == 0;
    return ew_list_name(EW_KERNELS, k);
}

/* Chooses the GPU if there is one; otherwise the other set of kernels, and prints that no GPU is compared. */
static int choose_with(struct compare *compare, const ew_problem *of)
{
    struct cmd_side *side = &compare->side[CMD_WITH];
    size_t bytes;
    ew_error error;
    int code = cmd_side_parse(side, "with", "cuda", of);
    if (code != EX_OK)
        return code;
    int status = ew_solver_memory(ew_case_mesh(compare->that), &side->problem, &bytes, NULL, &error);
    if (status != EW_EUNAVAILABLE)
        return EX_OK; /* creating the solver reports any other error */
    cli_error("no GPU can be compared: %s", error.message);
    bool one_set = of->law && strcmp(of->law, "shallow-water-bed") == 0; /* whose kernels are those of one set */
    cli_error("comparing two %s of the backend omp instead; --with chooses another side",
              one_set ? "instruction sets" : "sets of kernels");
    char *words = one_set ? cli_copy("omp,edgewise,scalar")
                          : cli_format("omp,%s", other_kernels(compare->side[CMD_REFERENCE].problem.kernels));
    code = cmd_side_parse(side, "with", words, of);
    free(words);
    return code;
}

static int choose_sides(struct compare *compare)
{
    const struct compare_arguments *arguments = compare->arguments;
    const ew_problem *of = ew_case_problem(compare->that);
    const char *reference = arguments->reference ? arguments->reference : "omp,edgewise";
    int code = cmd_side_parse(&compare->side[CMD_REFERENCE], "reference", reference, of);
    if (code == EX_OK)
        code = arguments->with ? cmd_side_parse(&compare->side[CMD_WITH], "with", arguments->with, of)
                               : choose_with(compare, of);
    return code;
}

static int refuse_side(const struct compare *compare, int side, int status)
{
    return cli_fail(status, "--%s: %s", cmd_side_names[side], compare->error.message);
}

/* Both solvers and the comparison must fit in memory at once; memory of a GPU is not counted. */
static int check_memory(struct compare *compare)
{
    const ew_mesh *mesh = ew_case_mesh(compare->that);
    const ew_problem *problem = ew_case_problem(compare->that);
    const ew_law *law = ew_law_find(problem->law);
    double needed = (double)cmd_comparison_bytes(mesh, law->variables, problem->order),
           available = ew_available_memory();
    for (int s = 0; s < CMD_SIDES; s++) {
        size_t bytes = 0;
        int status = ew_solver_memory(mesh, &compare->side[s].problem, &bytes, NULL, &compare->error);
        if (status != EW_OK)
            return refuse_side(compare, s, status);
        needed += (double)bytes;
    }
    if (!(needed > available))
        return EW_OK;
    char needs[32], has[32];
    ewi_fail(&compare->error, EW_ENOMEM,
             "two solvers of this case take %s, but only %s are available; use a coarser mesh or a lower order",
             ewi_bytes_in_words(needed, needs, sizeof needs), ewi_bytes_in_words(available, has, sizeof has));
    return cli_fail(EW_ENOMEM, "%s", compare->error.message);
}

static int begin_run(struct compare *compare, int side)
{
    const ew_run_options options = {.no_output = 1, .halts_at_frames = side == CMD_REFERENCE,
                                    .stop = cli_is_interrupted,
                                    .progress = side == CMD_REFERENCE ? cli_show_progress : NULL,
                                    .context = &compare->progress};
    int status = ew_run_create(&cli_host, &compare->case_info.plan, compare->side[side].solver, &options,
                               &compare->side[side].run, &compare->error);
    return status == EW_OK ? EW_OK : refuse_side(compare, side, status);
}

static int make_solvers(struct compare *compare)
{
    const ew_mesh *mesh = ew_case_mesh(compare->that);
    int status = check_memory(compare);
    for (int s = 0; s < CMD_SIDES && status == EW_OK; s++) {
        struct cmd_side *side = &compare->side[s];
        status = ew_solver_create(&cli_host, mesh, &side->problem, &side->solver, &compare->error);
        if (status != EW_OK)
            return refuse_side(compare, s, status);
        ew_solver_get_info(side->solver, &side->info);
    }
    for (int s = 0; s < CMD_SIDES && status == EW_OK; s++)
        status = begin_run(compare, s);
    if (status == EW_OK)
        cmd_comparison_begin(&compare->comparison, mesh, compare->side[CMD_REFERENCE].solver,
                             compare->side[CMD_WITH].solver);
    return status;
}

/* Sides that were given in different words may still be the same. */
static void warn_of_same_sides(const struct compare *compare)
{
    const struct cmd_side *a = &compare->side[CMD_REFERENCE], *b = &compare->side[CMD_WITH];
    bool same = strcmp(a->info.backend, b->info.backend) == 0 && strcmp(a->info.kernels, b->info.kernels) == 0 &&
                strcmp(a->info.device, b->info.device) == 0 && a->info.parts == b->info.parts &&
                a->problem.threads == b->problem.threads && a->problem.device == b->problem.device &&
                a->problem.tile == b->problem.tile;
    if (same)
        cli_error("warning: both sides are %s, %s kernels (%s), so this only repeats a run; --with chooses another "
                  "side", a->info.backend, a->info.kernels, a->info.device);
}

/* Returns an exit code; the error is already on stderr. */
static int prepare(struct compare *compare)
{
    const struct cli_case what = cli_case_of(&compare->arguments->common);
    int status = cli_read_case(&what, &cli_host, &compare->report, &compare->that, &compare->error);
    if (status != EW_OK)
        return cli_exit_code(status, EX_NOINPUT);
    ew_case_get_info(compare->that, &compare->case_info);
    ew_mesh_get_info(ew_case_mesh(compare->that), &compare->mesh_info);
    int code = choose_sides(compare);
    if (code != EX_OK)
        return code;
    status = make_solvers(compare);
    if (status == EW_OK)
        warn_of_same_sides(compare);
    return cli_exit_code(status, EX_IOERR);
}

/* ---- time stepping ----------------------------------------------------------------------------------------------- */

/*
 * Advances a side by at most `steps`, where 0 only checks if it has ended. The reference also stops where a frame is
 * due.
 */
static int advance_side(struct compare *compare, struct cmd_side *side, int64_t steps)
{
    ew_run_summary summary;
    if (side->stop)
        return EW_OK;
    int status = ew_run_advance(side->run, steps > 0 ? steps : 1, &side->error);
    ew_run_get_summary(side->run, &summary);
    side->stop = summary.end == EW_RUN_GOES_ON ? NULL : ew_run_end_name(summary.end);
    if (status == EW_OK || status == EW_ESTATE)
        return EW_OK;
    compare->error = side->error;
    return status;
}

static int64_t next_target(const struct compare *compare)
{
    int64_t step = ew_solver_steps(compare->side[CMD_REFERENCE].solver), target = 1;
    if (compare->every > 0)
        return step > INT64_MAX - compare->every ? INT64_MAX : (step / compare->every + 1) * compare->every;
    while (target <= step)
        target *= 2;
    return target;
}

/*
 * Advances the reference, then the other side. A reference that fails does so in the step after its last complete one.
 */
static int advance_both(struct compare *compare)
{
    struct cmd_side *reference = &compare->side[CMD_REFERENCE], *with = &compare->side[CMD_WITH];
    int64_t begun = ew_solver_steps(reference->solver);
    TRY(advance_side(compare, reference, next_target(compare) - begun));
    bool failed = reference->stop && strcmp(reference->stop, "failed") == 0;
    int64_t step = ew_solver_steps(reference->solver) + (failed ? 1 : 0);
    return advance_side(compare, with, step - ew_solver_steps(with->solver));
}

static void describe_stop(const struct cmd_side *side, char *text, size_t size)
{
    long long steps = (long long)ew_solver_steps(side->solver);
    if (!side->stop)
        snprintf(text, size, "continues after step %lld", steps);
    else if (strcmp(side->stop, "failed") == 0)
        snprintf(text, size, "fails: %s", side->error.message);
    else
        snprintf(text, size, "ends after step %lld (%s)", steps, side->stop);
}

/* True if both sides stopped in the same way, or neither did. Otherwise records the difference. */
static bool stopped_alike(struct compare *compare)
{
    char text[CMD_SIDES][sizeof((ew_error *)NULL)->message + 64];
    for (int s = 0; s < CMD_SIDES; s++)
        describe_stop(&compare->side[s], text[s], sizeof text[s]);
    if (strcmp(text[CMD_REFERENCE], text[CMD_WITH]) == 0)
        return true;
    cmd_compare_one_sided(&compare->comparison, "stop", "the reference %s; the other side %s", text[CMD_REFERENCE],
                          text[CMD_WITH]);
    return false;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static int compare_to_end(struct compare *compare)
{
    int status = cmd_compare_states(&compare->comparison, &compare->error);
    if (status == EW_OK)
        status = cmd_compare_kernels(&compare->comparison, &compare->error);
    while (status == EW_OK && !compare->stop) {
        status = advance_both(compare);
        if (status != EW_OK)
            break;
        const char *stop = compare->side[CMD_REFERENCE].stop;
        if (cli_caught_signal())
            compare->stop = "interrupted";
        else if (!stopped_alike(compare))
            compare->stop = "one-sided";
        else if (!stop || strcmp(stop, "failed") != 0)
            status = cmd_compare_states(&compare->comparison, &compare->error);
        if (!compare->stop)
            compare->stop = stop;
    }
    bool at_end = compare->stop && (strcmp(compare->stop, "end") == 0 || strcmp(compare->stop, "steps") == 0 ||
                                    strcmp(compare->stop, "steady") == 0);
    if (status == EW_OK && at_end && ew_solver_steps(compare->side[CMD_REFERENCE].solver) > 0)
        status = cmd_compare_kernels(&compare->comparison, &compare->error);
    return status;
}

static int compare_loop(struct compare *compare)
{
    bool table = !compare->arguments->common.json && !compare->arguments->common.quiet;
    if (table) {
        compare->comparison.tell = cmd_compare_print_record;
        cmd_compare_print_head(compare);
    }
    cli_catch_signals();
    compare->progress.quiet = compare->arguments->common.quiet;
    int status = compare_to_end(compare);
    cli_progress_clear();
    if (status != EW_OK) {
        compare->error.code = status;
        compare->stop = "failed";
        return cli_fail(cli_exit_code(status, EX_IOERR), "%s", compare->error.message);
    }
    if (table)
        cmd_compare_print_end(compare);
    return cmd_comparison_passes(&compare->comparison, compare->admitted) ? EX_OK : EXIT_DIFFERENT;
}

static int compare_case(struct cli_arguments *arguments)
{
    const struct compare_arguments *own = (const struct compare_arguments *)arguments;
    struct compare compare = {.arguments = own,
                              .every = own->every ? strtoll(own->every, NULL, 10) : 0,
                              .ulp = own->ulp ? strtoull(own->ulp, NULL, 10) : 0};
    compare.admitted = own->ulp ? &compare.ulp : NULL;
    int code = cmd_refuse_ranks("make the whole comparison");
    code = code ? code : prepare(&compare);
    if (code == EX_OK)
        code = compare_loop(&compare);
    if (arguments->json && code != EX_USAGE)
        cmd_compare_print_json(&compare);
    code = cli_finish_stdout(code);
    bool interrupted = compare.stop && strcmp(compare.stop, "interrupted") == 0 && code != EX_IOERR;
    cmd_comparison_end(&compare.comparison);
    for (int s = 0; s < CMD_SIDES; s++) {
        ew_run_destroy(compare.side[s].run);
        ew_solver_destroy(compare.side[s].solver);
        free(compare.side[s].words);
    }
    ew_case_destroy(compare.that);
    cli_free_report(&compare.report);
    if (interrupted)
        cli_end_by_signal(cli_caught_signal());
    return code;
}

#define ARGUMENTS struct compare_arguments

static const struct cli_option options[] = {
    CLI_TEXT_OPTION("reference", "SIDE", reference, "the side to compare with; the default is omp,edgewise"),
    CLI_TEXT_OPTION("with", "SIDE", with,
                    "the side to compare; the default is cuda if it can be used, otherwise omp,fused"),
    CLI_WHOLE_OPTION("every", "N", every, 1, 0,
                     "compare states every N steps; the default is after steps 1, 2, 4, 8, ..."),
    CLI_WHOLE_OPTION("ulp", "N", ulp, 0, 0, "accept words that are at most N doubles apart"),
    CLI_ORDER_OPTION,
    CLI_END_OPTION,
    CLI_STEPS_OPTION,
    CLI_SET_OPTION(CLI_ANY_KEY),
    CLI_JSON_OPTION("print one JSON object instead of the table"),
    CLI_QUIET_OPTION("print neither progress nor table; the exit status has the result"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_compare = {
    .name = "compare",
    .operand = "CASE.cfg",
    .summary = "Run a case on two backends or sets of kernels and compare their bits",
    .text = "A SIDE is a list like omp,edgewise,avx2,threads=2,tile=-1 or cuda,fused,native,device=0.\n"
            "Writes no files. Exits 0 if no bit differs, and 76 if one does.",
    .options = options,
    .size = sizeof(struct compare_arguments),
    .run = compare_case,
};
