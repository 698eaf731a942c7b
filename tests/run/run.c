/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs as library calls: in one piece, in several, stopped and resumed, and with every allocation failing in turn. */
#include "edgewise-case.h"
#include "helpers.h"
#include "flows.h"

#include <dirent.h>
#include <inttypes.h>
#include <unistd.h>

static void wave(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)t;
    for (size_t i = 0; i < n; i++) {
        values[i] = 1 + 0.1 * sin(6 * x[i]) * cos(5 * y[i]);
        values[n + i] = values[2 * n + i] = 0.2;
        values[3 * n + i] = 1;
    }
}

static int make_solver(const ew_host *host, const ew_mesh *mesh, ew_solver **solver, ew_error *error)
{
    static const ew_boundary boundary[] = {
        {.name = "bottom", .kind = "wall"}, {.name = "right", .kind = "wall"}, {.name = "top", .kind = "wall"},
        {.name = "left", .kind = "wall"}};
    const ew_problem problem = {.order = 2, .initial = {.callback = wave, .variables = EW_X | EW_Y}, .boundaries = 4,
                                .boundary = boundary, .threads = 1};
    return ew_solver_create(host, mesh, &problem, solver, error);
}

static ew_run_plan plan_of(const char *name)
{
    ew_run_plan plan;
    ew_run_plan_init(&plan);
    plan.name = name;
    plan.end = 0.05;
    plan.every = 0.02;
    plan.series_steps = 1;
    plan.restarts = 1;
    return plan;
}

static void empty_folder(void)
{
    DIR *folder = opendir(".");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlink(entry->d_name);
    if (folder)
        closedir(folder);
}

/* Counts the calls of `stop` down to the one that stops the run. */
static int stop_after(void *context)
{
    return (*(int *)context)-- <= 0;
}

static void count_calls(void *context, ew_run *run)
{
    ew_run_progress progress;
    double least[EW_MAX_VARIABLES];
    ew_run_get_progress(run, &progress);
    ew_run_get_least(run, least);
    *(int *)context += progress.fraction >= 0 && progress.fraction <= 1 && progress.dt > 0 &&
                       ew_solver_time(ew_run_solver(run)) == progress.time && least[0] > 0.8 && least[0] < 1 &&
                       isnan(least[1]) && isnan(least[2]) && least[3] > 0.8 && least[3] < 1.01;
}

struct result {
    ew_run_summary summary;
    int status;
    ew_error error;
    char fields[64]; /* summary.fields, which the run owns */
};

static struct result run_in_pieces(const ew_mesh *mesh, const ew_run_plan *plan, const ew_run_options *options,
                                   int64_t steps)
{
    struct result result = {.error = {0}};
    ew_solver *solver = NULL;
    ew_run *run = NULL;
    result.status = make_solver(NULL, mesh, &solver, &result.error);
    if (result.status == EW_OK)
        result.status = ew_run_create(NULL, plan, solver, options, &run, &result.error);
    while (result.status == EW_OK && result.summary.end == EW_RUN_GOES_ON) {
        result.status = ew_run_advance(run, steps, &result.error);
        ew_run_get_summary(run, &result.summary);
    }
    if (run) {
        is_int(ew_run_advance(run, 1, NULL), EW_EINVAL, "a run that has ended does not advance");
        ok(!result.summary.fields || access(result.summary.fields, F_OK) == 0, "the fields are where the summary says");
        ok(!result.summary.series || access(result.summary.series, F_OK) == 0, "and so is the time series");
    }
    snprintf(result.fields, sizeof result.fields, "%s", result.summary.fields ? result.summary.fields : "");
    ew_run_destroy(run);
    ew_solver_destroy(solver);
    return result;
}

static void check_pieces(const ew_mesh *mesh)
{
    const ew_run_plan plan = plan_of("wave");
    int calls = 0;
    const ew_run_options watched = {.context = &calls, .progress = count_calls};
    struct result whole = run_in_pieces(mesh, &plan, &watched, INT64_MAX);
    is_int(whole.status, EW_OK, "a run to its end%s%s", whole.error.message[0] ? ": " : "", whole.error.message);
    is_str(ew_run_end_name(whole.summary.end), "end", "its end is the final time");
    is_int(whole.summary.frames, 4, "a frame of the start, two on the way, and one of the end");
    ok(whole.summary.has_last && whole.summary.time == 0.05, "the summary has the last state's norms");
    is_int(whole.summary.restarts, 1, "and its restart file");
    ok(calls > 0, "progress was reported, with the smallest density and pressure");
    empty_folder();
    struct result pieces = run_in_pieces(mesh, &plan, NULL, 1);
    ok(pieces.summary.hash == whole.summary.hash && pieces.summary.frames == whole.summary.frames,
       "step by step it is the same run");
    empty_folder();
    const ew_run_options none = {.no_output = 1};
    struct result quiet = run_in_pieces(mesh, &plan, &none, 3);
    ok(quiet.summary.hash == whole.summary.hash && !quiet.summary.fields, "without output it is the same, too");
    ok(access("wave.nc", F_OK) != 0 && access("wave.series.csv", F_OK) != 0, "... and writes nothing");
}

static void check_stop(const ew_mesh *mesh)
{
    const ew_run_plan plan = plan_of("wave");
    empty_folder();
    struct result whole = run_in_pieces(mesh, &plan, NULL, INT64_MAX);
    empty_folder();
    int left = 3;
    const ew_run_options stopped = {.context = &left, .stop = stop_after};
    struct result part = run_in_pieces(mesh, &plan, &stopped, INT64_MAX);
    is_str(ew_run_end_name(part.summary.end), "interrupted", "a run that is stopped");
    is_str(part.fields, "wave.interrupted.nc", "leaves what it has under a name that says so");
    const ew_run_options again = {.restart = "auto"};
    struct result rest = run_in_pieces(mesh, &plan, &again, INT64_MAX);
    ok(rest.summary.resumed != NULL, "it is gone on with");
    ok(rest.summary.hash == whole.summary.hash && rest.summary.frames == whole.summary.frames,
       "and ends as one that was not stopped");
    const ew_run_options missing = {.restart = "nothing.nc"};
    struct result refused = run_in_pieces(mesh, &plan, &missing, INT64_MAX);
    is_int(refused.status, EW_EIO, "a restart file that is not there");
    empty_folder();
    ew_run_plan bare = plan;
    bare.restarts = 0;
    run_in_pieces(mesh, &bare, NULL, INT64_MAX);
    refused = run_in_pieces(mesh, &bare, &again, INT64_MAX);
    is_int(refused.status, EW_ECREATE, "\"auto\" without a restart file does not replace a finished result");
    const ew_run_options optional = {.restart = "auto", .restart_is_optional = 1};
    rest = run_in_pieces(mesh, &bare, &optional, INT64_MAX);
    ok(rest.status == EW_OK && rest.summary.hash == whole.summary.hash, "... unless the file is optional");
    const ew_run_options nowhere = {.folder = "nowhere"};
    refused = run_in_pieces(mesh, &plan, &nowhere, INT64_MAX);
    is_int(refused.status, EW_ECREATE, "a folder that is not there");
    contains(refused.error.message, "nowhere", "... which the sentence names");
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int run_once(const ew_host *host, const ew_mesh *mesh, const ew_run_plan *plan, const char *restart,
                    ew_error *error)
{
    const ew_run_options options = {.restart = restart};
    ew_solver *solver = NULL;
    ew_run *run = NULL;
    int status = make_solver(host, mesh, &solver, error);
    if (status == EW_OK)
        status = ew_run_create(host, plan, solver, &options, &run, error);
    if (status == EW_OK)
        status = ew_run_advance(run, INT64_MAX, error);
    ew_run_destroy(run);
    ew_solver_destroy(solver);
    return status;
}

static void check_memory(const ew_mesh *mesh, const char *restart)
{
    struct memory memory = {0};
    const ew_host host = memory_host(&memory);
    ew_run_plan plan = plan_of("wave");
    plan.end = 0.02;
    empty_folder();
    ew_error error = {0};
    run_once(NULL, mesh, &plan, NULL, &error);
    is_int(run_once(&host, mesh, &plan, restart, &error), EW_OK, "%s: it works", restart ? restart : "a new run");
    long all = memory.calls, wrong = 0, leaks = 0, whole = 0;
    for (long k = 1; k <= all; k++) {
        memory = (struct memory){.fail_at = k, .once = true};
        error.message[0] = '\0';
        int status = run_once(&host, mesh, &plan, restart, &error);
        whole += status == EW_OK; /* the allocation that failed was optional */
        wrong += status != EW_OK && (status != EW_ENOMEM || !error.message[0]);
        leaks += memory.blocks != 0;
    }
    ok(whole < all && wrong == 0, "... of %ld allocations that fail, %ld are reported as too little memory", all,
       all - whole);
    is_int(leaks, 0, "... and nothing leaks");
}

int main(void)
{
    char folder[] = "/tmp/edgewise-run.XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        bail_out("no temporary folder");
    ew_mesh *mesh = box((struct box){.nx = 5, .ny = 4, .width = 1.0, .height = 1.0, .jitter = 0.1});
    check_pieces(mesh);
    check_stop(mesh);
    check_memory(mesh, NULL);
    check_memory(mesh, "auto");
    empty_folder();
    ew_mesh_destroy(mesh);
    if (chdir("/") == 0)
        rmdir(folder);
    return done_testing();
}
