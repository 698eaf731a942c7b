/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a case from its file to its summary. */
#include "cases.h"
#include "ewi_team.h"

#include <math.h>
#include <stdlib.h>
#include <sysexits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* The parts of a run. */
struct running {
    const struct cli_run *asked;
    struct cli_report report;
    ew_case *that;
    ew_case_info case_info;
    ew_mesh_info mesh;
    ew_plan *plan; /* until the solver owns it */
    ew_solver *solver;
    ew_solver_info solver_info;
    ew_run_levels levels;
    ew_run *run;
    double begun, setup; /* setup: seconds until ew_run_create returned */
    ew_error error;
};

/* True if this process has the run; false if it only works for rank 0. */
static bool leads(const struct running *running)
{
    return !running->asked->comm || ew_comm_rank(running->asked->comm) == 0;
}

static int admit(void *context, const char *path, ew_error *error)
{
    (void)context;
    return cli_crashes_hdf5(path, error) ? error->code : EW_OK;
}

/* Adds the size of mesh and plan to the available memory, because they are in memory already. */
static int check_room(struct running *running)
{
    ew_run_memory memory;
    if (running->asked->overcommit || ew_run_get_memory(&running->case_info.plan, ew_case_problem(running->that),
                                                        &running->mesh, &memory, NULL) != EW_OK)
        return EW_OK; /* creating the solver reports the error */
    if (running->asked->options.no_output)
        memory.output = memory.copies = 0;
    memory.available += memory.mesh + (double)ew_plan_bytes(running->plan);
    return ew_run_check_memory(&memory, &running->error);
}

/* Those that are known before the case is; 0: it says itself. */
static int parts_of(const struct cli_run *asked)
{
    return asked->comm ? ew_comm_size(asked->comm) : asked->devices > 1 ? asked->devices : 0;
}

/* cli_read_case prints the errors. */
static int read_case(struct running *running)
{
    struct cli_case what = running->asked->what;
    what.needs_room = !running->asked->overcommit;
    what.plan = &running->plan;
    what.parts = parts_of(running->asked);
    int status = cli_read_case(&what, &cli_host, &running->report, &running->that, &running->error);
    if (status != EW_OK)
        return cli_exit_code(status, EX_NOINPUT);
    ew_case_get_info(running->that, &running->case_info);
    ew_mesh_get_info(ew_case_mesh(running->that), &running->mesh);
    return EX_OK;
}

/* The case's problem on the requested devices. */
static ew_problem problem_of(const struct running *running)
{
    const struct cli_run *asked = running->asked;
    ew_problem problem = *ew_case_problem(running->that);
    problem.ensemble = asked->ensemble;
    problem.comm = asked->comm;
    problem.devices = asked->devices;
    problem.device_of_part = asked->device;
    if (!asked->comm && problem.parts < 2 && asked->devices > 1)
        problem.parts = asked->devices;
    if (asked->devices > 0)
        problem.device = asked->device[0];
    return problem;
}

static bool is_for_cores(const struct running *running, const ew_problem *problem)
{
    size_t bytes, on_device = 0;
    return ew_solver_memory_for(&running->mesh, problem, &bytes, &on_device, NULL) == EW_OK && on_device == 0;
}

/* A service's job gets its share of the cores. Members of an ensemble have one part. The results are the same. */
static void limit_parts(const struct running *running, ew_problem *problem)
{
    int threads = problem->threads > 1 ? problem->threads : 1;
    int most = problem->ensemble ? 1 : running->asked->most_threads / threads;
    most = most > 1 ? most : 1;
    if (running->asked->most_threads == 0 || problem->comm || problem->parts <= most ||
        (!problem->ensemble && !is_for_cores(running, problem)))
        return;
    cli_error("note: the case asks for %d parts, and the share of this job is %d; its results are the same",
              problem->parts, most);
    problem->parts = most;
}

static bool is_on_device(struct running *running)
{
    const char *backend = running->solver_info.backend;
    if (!running->asked->needs_device || ew_backend_has_devices(backend))
        return true;
    snprintf(running->error.message, sizeof running->error.message,
             "--device is for GPUs, and the case runs on the CPU (backend %s); leave it out, or take --backend cuda",
             backend);
    running->error.code = EW_EUNAVAILABLE;
    return false;
}

/* Ignores other ranks, whose hosts may have other GPUs. */
static bool has_devices(struct running *running)
{
    const struct cli_run *asked = running->asked;
    for (int k = 0; k < asked->devices && !asked->comm; k++)
        if (!cli_has_gpu("--devices", asked->device[k], &running->error))
            return false;
    return true;
}

/*
 * Returns freed memory to the system. A rank frees much memory once it has its part, and glibc would keep most of it.
 */
static void give_back_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static int make_run(struct running *running)
{
    ew_run_options options = running->asked->options;
    if (!options.stop)
        options.stop = cli_is_interrupted;
    options.admit = admit;
    ew_problem problem = problem_of(running);
    if (!has_devices(running))
        return EX_UNAVAILABLE;
    int status = check_room(running);
    limit_parts(running, &problem);
    if (status == EW_OK)
        status = ew_solver_of_plan(&running->plan, &problem, &running->solver, &running->error);
    if (status != EW_OK)
        return cli_exit_code(status, EX_IOERR);
    ew_solver_get_info(running->solver, &running->solver_info);
    ew_run_get_levels(&running->case_info.plan, running->solver, &running->levels);
    if (!is_on_device(running))
        return EX_UNAVAILABLE;
    if (running->solver_info.parts > 1)
        give_back_memory();
    if (running->asked->warns_of_state)
        status = ew_run_warn_of_state(&cli_host, &running->case_info.plan, &problem, running->solver,
                                      &running->error);
    if (status == EW_OK)
        status = ew_run_create(&cli_host, &running->case_info.plan, running->solver, &options, &running->run,
                               &running->error);
    return cli_exit_code(status, EX_NOINPUT);
}

/* Names the output that a failed run leaves. */
static void report_rest(const ew_run *run)
{
    ew_run_summary summary;
    ew_run_get_summary(run, &summary);
    if (summary.fields)
        cli_error("the output up to then, %lld frame%s%s, is in %s%s%s", (long long)summary.frames,
                  summary.frames == 1 ? "" : "s",
                  summary.ends_before_break ? ", the last one before the step that failed" : "",
                  summary.fields, summary.earlier ? "; an earlier result is still in " : "",
                  summary.earlier ? summary.earlier : "");
}

static int check_and_read(struct running *running)
{
    const ew_run_options *options = &running->asked->options;
    if (leads(running) && !options->no_output && ew_run_check_folder(options->folder, &running->error) != EW_OK)
        return cli_fail(EX_CANTCREAT, "%s", running->error.message);
    return read_case(running);
}

/* Continues only if all ranks can. */
static int agree(struct running *running, int code)
{
    ew_error *error = &running->error;
    if (!running->asked->comm)
        return code;
    int own = code == EX_OK ? EW_OK : error->code != EW_OK ? error->code : EW_ECONFIG;
    int status = ew_comm_agree(running->asked->comm, own, error);
    return status == EW_OK || code != EX_OK ? code : cli_fail(cli_exit_code(status, EX_NOINPUT), "%s", error->message);
}

/* Keeps only its part of mesh and plan. */
static int serve(struct running *running)
{
    ew_comm *comm = running->asked->comm;
    ew_problem problem = problem_of(running);
    if (ew_comm_divide(comm, &running->plan, NULL) == EW_OK) /* otherwise ew_comm_serve reports the error */
        ew_case_free_mesh(running->that);
    give_back_memory();
    return cli_exit_code(ew_comm_serve(comm, &running->plan, &problem, &running->error), EX_IOERR);
}

static int go(struct running *running)
{
    int code = agree(running, check_and_read(running));
    if (code != EX_OK)
        return code;
    if (!leads(running))
        return serve(running);
    code = make_run(running);
    if (code == EX_OK) {
        running->setup = ewi_seconds() - running->begun;
        code = cli_exit_code(ew_run_advance(running->run, INT64_MAX, &running->error), EX_IOERR);
        cli_progress_clear();
    }
    if (code != EX_OK)
        cli_error("%s", running->error.message);
    if (code != EX_OK && running->run)
        report_rest(running->run);
    return code;
}

/* If creating the run failed, the start time comes from the solver. */
static ew_run_summary summary_of(const struct running *running)
{
    ew_run_summary summary = {.time = NAN, .setup_seconds = NAN, .seconds = NAN, .output_seconds = NAN,
                              .closing_seconds = NAN, .rate = NAN};
    if (running->run) {
        ew_run_get_summary(running->run, &summary);
        summary.setup_seconds += running->setup;
    } else if (running->solver) {
        summary.time = ew_solver_time(running->solver);
        summary.steps = ew_solver_steps(running->solver);
        summary.seconds = summary.output_seconds = summary.closing_seconds = 0;
    }
    return summary;
}

/* The first of the reported errors, and how many more there are; the caller frees it. */
static char *errors_in_words(const struct cli_report *report)
{
    size_t more = report->count - 1;
    return more == 0 ? cli_copy(report->sentence[0])
                     : cli_format("%s (and %zu more error%s)", report->sentence[0], more, more == 1 ? "" : "s");
}

static void report_end(struct running *running, int code)
{
    char *errors = code != EX_OK && running->report.count > 0 ? errors_in_words(&running->report) : NULL;
    struct cli_summary summary = {.case_path = running->asked->what.path,
                                  .case_info = running->that ? &running->case_info : NULL,
                                  .mesh = running->that ? &running->mesh : NULL,
                                  .solver = running->solver ? &running->solver_info : NULL,
                                  .levels = running->levels,
                                  .run = summary_of(running),
                                  .total_seconds = ewi_seconds() - running->begun};
    if (!running->solver || ew_solver_time_step(running->solver, &summary.dt, NULL) != EW_OK)
        summary.dt = NAN;
    summary.stop = ew_run_end_name(code == EX_OK ? summary.run.end : EW_RUN_FAILED);
    if (code != EX_OK)
        summary.error = errors ? errors : running->error.code != 0 ? running->error.message : NULL;
    running->asked->end(running->asked->options.context, &summary, code, code == EX_OK ? EW_OK : running->error.code);
    free(errors);
}

static void end(struct running *running)
{
    ew_run_destroy(running->run);
    ew_solver_destroy(running->solver);
    ew_plan_destroy(running->plan);
    ew_case_destroy(running->that);
    cli_free_report(&running->report);
}

static void say_nothing(void *context, const char *sentence)
{
    (void)context, (void)sentence;
}

/* On ranks other than 0: takes part in every case that rank 0 runs. Rank 0 prints the sentences. */
static int follow(const struct cli_run *asked)
{
    int code = EX_OK;
    cli_hear(say_nothing, NULL);
    while (ew_comm_next(asked->comm)) {
        struct running running = {.asked = asked};
        code = go(&running);
        end(&running);
    }
    cli_hear(NULL, NULL);
    return code;
}

int cli_run_case(const struct cli_run *asked)
{
    if (!getenv("HDF5_USE_FILE_LOCKING"))
        cli_prepare_files();
    struct running running = {.asked = asked, .begun = ewi_seconds()};
    if (!leads(&running))
        return follow(asked);
    if (asked->comm)
        ew_comm_next(asked->comm);
    int code = go(&running);
    report_end(&running, code);
    end(&running);
    return code;
}
