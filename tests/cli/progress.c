/* SPDX-License-Identifier: BSD-2-Clause */
/* The times of a log's progress lines, and their words. */
#include "cli.h"
#include "flows.h"

#include <math.h>
#include <string.h>

static void check_pace(void)
{
    struct cli_log_pace pace = {0};
    ok(!cli_log_is_due(&pace, 0.31, 1000), "the start of a run, or of its rest, is no progress");
    ok(!cli_log_is_due(&pace, 0.55, 1059), "a log gets no line within a minute, though tenths are done");
    ok(cli_log_is_due(&pace, 0.55, 1060), "... and one after it");
    ok(!cli_log_is_due(&pace, 0.59, 5000), "a log gets no line within a tenth, though minutes pass");
    ok(cli_log_is_due(&pace, 0.6, 5000), "... and one after it");
    ok(!cli_log_is_due(&pace, 0.7, 5059), "the next one is a minute later");
    struct cli_log_pace endless = {0};
    ok(!cli_log_is_due(&endless, NAN, 1000) && !cli_log_is_due(&endless, NAN, 1059) &&
           cli_log_is_due(&endless, NAN, 1060) && cli_log_is_due(&endless, NAN, 1120),
       "a run without an end gets a line a minute");
}

static void words_of(const ew_mesh *mesh, const char *law, const char *const *state, char *words, size_t size,
                     double steady)
{
    static const ew_boundary boundary[] = {{.name = "bottom", .kind = "copy"}, {.name = "right", .kind = "copy"},
                                           {.name = "top", .kind = "copy"}, {.name = "left", .kind = "copy"}};
    ew_formula *initial = formula(ew_law_find(law)->variables, state);
    const ew_problem problem = {.law = law, .order = 1, .initial = {.formula = initial}, .boundaries = 4,
                                .boundary = boundary, .threads = 1, .steady = steady};
    const ew_run_options options = {.no_output = 1};
    ew_run_plan plan;
    ew_solver *solver;
    ew_run *run;
    ew_error error;
    ew_run_plan_init(&plan);
    plan.end = 1;
    if (ew_solver_create(NULL, mesh, &problem, &solver, &error) != EW_OK ||
        ew_run_create(NULL, &plan, solver, &options, &run, &error) != EW_OK)
        bail_out("%s", error.message);
    cli_progress_words(run, 12.4, words, size);
    ew_run_destroy(run);
    ew_solver_destroy(solver);
    ew_formula_destroy(initial);
}

static void check_words(void)
{
    static const char *const gas[] = {"0.5", "0", "0", "0.25"}, *const water[] = {"0.125", "0", "0"},
                             *const sound[] = {"0", "0", "0"};
    ew_mesh *mesh = box((struct box){.nx = 2, .ny = 2, .width = 1.0, .height = 1.0});
    char words[256];
    words_of(mesh, "euler", gas, words, sizeof words, 0);
    contains(words, "time=0 step=0 dt=", "progress in words");
    contains(words, " percent=0.0 min_rho=0.5 min_p=0.25 gdof_stage_per_s=",
             "... has the smallest density and pressure");
    contains(words, " left_s=12", "... and the seconds left");
    words_of(mesh, "euler", gas, words, sizeof words, 1e-9);
    contains(words, " min_p=0.25 residual_rho=0 residual_rho_u=", "a run that looks for a steady state has residuals");
    words_of(mesh, "shallow-water", water, words, sizeof words, 0);
    contains(words, " percent=0.0 min_h=0.125 gdof", "of water it has the smallest depth");
    words_of(mesh, "acoustics", sound, words, sizeof words, 0);
    contains(words, " percent=0.0 gdof", "of sound nothing, for nothing must stay positive");
    ew_mesh_destroy(mesh);
}

int main(void)
{
    check_pace();
    check_words();
    return done_testing();
}
