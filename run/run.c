/* SPDX-License-Identifier: BSD-2-Clause */
#include "run.h"
#include "frame_writer.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

struct run {
    const struct cli_arguments *arguments;
    const struct cmd_run_watcher *watcher; /* or NULL */
    struct cli_report report;
    struct cli_progress progress;
    ew_case *that;
    ew_solver *solver;
    ew_fields *fields;
    struct cmd_writer *writer; /* of the fields */
    ew_series *series;
    struct cmd_restart restart;
    ew_case_info case_info;
    ew_mesh_info mesh_info;
    ew_solver_info solver_info;
    ew_norms norms;
    uint64_t hash;
    ew_force *force; /* [case_info.plan.bodies] */
    double broken_at;   /* time at which the state broke; NaN: it did not */
    int64_t broken_after; /* steps */
    bool has_end; /* norms, hash and forces are those of the end */
    char *output; /* path of the fields, once they are published */
    char *target; /* path that they are to have */
    char *series_output; /* path of the time series, once it is published */
    double begun, seconds, start;
    double setup_seconds;  /* from the start of the command to its first step */
    double output_seconds, closing_seconds; /* that the run has waited for its output, of these when all steps were done */
    int64_t chunk, frames, last_frame; /* last_frame: the step of it */
    int64_t earlier_frames;            /* taken over by a run that goes on */
    int64_t first_step;                /* of this command */
    int64_t last_line;                 /* step of the last line of the time series */
    const char *stop;
    ew_error error;
};

static int interrupted_by;

/* ---- preparation --------------------------------------------------------------------------------------------------- */

/* What only the command can know to be wrong, said as the library would. */
__attribute__((format(printf, 2, 3))) static int refuse_output(struct run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->error.message, sizeof run->error.message, format, arguments);
    va_end(arguments);
    run->error.code = EW_EIO;
    cli_error("%s", run->error.message);
    return EX_CANTCREAT;
}

static int check_folder(struct run *run, const char *folder)
{
    struct stat info;
    if (stat(folder, &info) != 0)
        return refuse_output(run, "cannot write to the folder \"%s\": %s; make it first, or choose another with --output",
                             folder, strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return refuse_output(run, "cannot write to \"%s\": it is not a folder; choose one with --output", folder);
    if (access(folder, W_OK | X_OK) != 0)
        return refuse_output(run, "cannot write to the folder \"%s\": %s; choose another with --output", folder,
                             strerror(errno));
    return EX_OK;
}

static int choose_target(struct run *run)
{
    const char *folder = run->arguments->output ? run->arguments->output : ".";
    bool here = strcmp(folder, ".") == 0;
    size_t length = strlen(folder) + strlen(run->case_info.plan.name) + sizeof "/.nc";
    const char *slash = here || folder[strlen(folder) - 1] == '/' ? "" : "/";
    if (run->arguments->fields_path) {
        run->target = cli_copy(run->arguments->fields_path);
    } else {
        run->target = cli_allocate(length);
        snprintf(run->target, length, "%s%s%s.nc", here ? "" : folder, slash, run->case_info.plan.name);
    }
    struct stat info;
    if (stat(run->target, &info) == 0 && !S_ISREG(info.st_mode))
        return refuse_output(run, "cannot write \"%s\": there is something of that name that is not a file", run->target);
    return EX_OK;
}

/* Of the files that a run may go on with none is to end the process. */
static int check_earlier_fields(struct run *run)
{
    static const char *const suffixes[] = {"nc", "nc.part", "interrupted.nc", "failed.nc"};
    size_t size = strlen(run->target) + sizeof "interrupted.nc";
    char *path = cli_allocate(size);
    bool crashes = false;
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes && !crashes; k++) {
        snprintf(path, size, "%.*s%s", (int)(strlen(run->target) - strlen("nc")), run->target, suffixes[k]);
        crashes = access(path, R_OK) == 0 && cmd_crashes_hdf5(path, &run->error);
    }
    free(path);
    return crashes ? run->error.code : EW_OK;
}

/* A run that goes on continues the fields that it finds; where it does may have a frame there already. */
static int open_fields(struct run *run, const ew_host *host)
{
    const ew_restart_info *from = &run->restart.info;
    if (!run->restart.from)
        return ew_fields_create(host, run->target, &run->case_info.plan, run->solver, &run->fields, &run->error);
    int status = check_earlier_fields(run);
    if (status != EW_OK)
        return status;
    status = ew_fields_resume(host, run->target, &run->case_info.plan, run->solver, from, &run->fields, &run->frames,
                              &run->error);
    run->earlier_frames = run->frames;
    if (status == EW_OK && run->frames > 0 && from->frame_hash == from->state_hash)
        run->last_frame = run->first_step;
    return status;
}

/* NAME.series.csv beside NAME.nc. */
static int open_series(struct run *run, const ew_host *host)
{
    if (run->case_info.plan.series_steps == 0)
        return EW_OK;
    size_t length = strlen(run->target), size = length + sizeof ".series.csv";
    char *path = cli_allocate(size);
    if (length > 3 && strcmp(run->target + length - 3, ".nc") == 0)
        length -= 3;
    snprintf(path, size, "%.*s.series.csv", (int)length, run->target);
    int status = ew_series_create(host, path, &run->case_info.plan, run->solver, run->restart.from ? run->first_step : -1,
                                  &run->series, &run->error);
    free(path);
    return status;
}

/* The mesh is made, and no longer in what is available; what there was to it was seen before. */
static int check_room(struct run *run)
{
    size_t solver = 0, on_device = 0;
    double output = 0, copy;
    if (run->arguments->overcommit ||
        ew_solver_memory(ew_case_mesh(run->that), ew_case_problem(run->that), &solver, &on_device, NULL) != EW_OK)
        return EW_OK; /* what is wrong is told when the solver is made */
    if (!run->arguments->no_output)
        output = on_device > 0 ? cmd_writer_memory_without_copies(run->that) : cmd_writer_memory(run->that, &copy);
    double mesh = (double)run->mesh_info.bytes;
    return cmd_check_room(mesh, (double)solver, output, cmd_available_memory() + mesh, &run->error);
}

/* With an exit code: the error is on stderr already. */
static int prepare(struct run *run)
{
    const struct cli_arguments *arguments = run->arguments;
    ew_host host = {.log = cli_log};
    bool writes = !arguments->no_output;
    int code = writes ? check_folder(run, arguments->output ? arguments->output : ".") : EX_OK;
    if (code != EX_OK)
        return code;
    struct cli_arguments reading = *arguments;
    reading.needs_room = !arguments->overcommit;
    int status = cmd_read_case(&reading, &host, &run->report, &run->that, &run->error);
    if (status != EW_OK)
        return cli_exit_code(status, EX_NOINPUT);
    ew_case_get_info(run->that, &run->case_info);
    ew_mesh_get_info(ew_case_mesh(run->that), &run->mesh_info);
    if (writes && (code = choose_target(run)) != EX_OK)
        return code;
    status = check_room(run);
    if (status == EW_OK)
        status = ew_solver_create(&host, ew_case_mesh(run->that), ew_case_problem(run->that), &run->solver, &run->error);
    code = cli_exit_code(status, EX_IOERR);
    if (status == EW_OK) {
        ew_solver_get_info(run->solver, &run->solver_info);
        run->start = ew_solver_time(run->solver);
        run->restart = (struct cmd_restart){.plan = &run->case_info.plan, .solver = run->solver, .writes = writes,
                                            .folder = arguments->output ? arguments->output : "."};
        status = cmd_restart_begin(&run->restart, arguments->restart, &run->error);
        code = cli_exit_code(status, EX_NOINPUT);
        run->first_step = ew_solver_steps(run->solver);
    }
    if (status == EW_OK) {
        cmd_catch_signals();
        if (writes)
            status = open_fields(run, &host);
        if (run->fields)
            run->writer = cmd_writer_create(run->fields, &run->case_info.plan, run->solver);
        if (writes && status == EW_OK)
            status = open_series(run, &host);
        if (writes && status == EW_OK && !run->restart.from)
            status = cmd_restart_put_aside(&run->restart, &run->error);
        code = cli_exit_code(status, EX_IOERR);
    }
    if (status != EW_OK)
        cli_error("%s", run->error.message);
    return code;
}

/* ---- the loop ------------------------------------------------------------------------------------------------------ */

static double rate(const struct run *run)
{
    const ew_solver_info *info = &run->solver_info;
    double unknowns = (double)run->mesh_info.elements * info->basis * info->law->variables;
    double evaluations = (double)info->stages * (double)(ew_solver_steps(run->solver) - run->first_step);
    return run->seconds > 0 ? unknowns * evaluations / run->seconds / 1e9 : NAN;
}

/* Time or steps: whichever will end the run first. */
static double fraction_done(const struct run *run)
{
    double length = run->case_info.plan.end - run->start, fraction = NAN;
    if (isfinite(length) && length > 0)
        fraction = (ew_solver_time(run->solver) - run->start) / length;
    if (run->case_info.plan.steps < INT64_MAX && run->case_info.plan.steps > 0)
        fraction = fmax(fraction, (double)ew_solver_steps(run->solver) / (double)run->case_info.plan.steps);
    return isnan(fraction) ? fraction : fmin(fmax(fraction, 0), 1);
}

static void show_progress(struct run *run)
{
    bool watched = run->watcher && run->watcher->progress;
    if (!watched && !cli_progress_due(&run->progress))
        return;
    struct cli_progress_state state = {.fraction = fraction_done(run), .time = ew_solver_time(run->solver),
                                       .step = ew_solver_steps(run->solver), .gdof_stage_per_s = rate(run)};
    if (ew_solver_time_step(run->solver, &state.dt, NULL) != EW_OK)
        state.dt = NAN;
    if (watched)
        run->watcher->progress(run->watcher->context, &state);
    else
        cli_progress_show(&run->progress, &state);
}

/* One frame of a step is enough. */
static int write_frame(struct run *run)
{
    int64_t step = ew_solver_steps(run->solver);
    if (!run->fields || run->last_frame == step)
        return EW_OK;
    double begun = cli_seconds();
    int status = cmd_writer_write(run->writer, run->solver, &run->error);
    run->output_seconds += cli_seconds() - begun;
    if (status == EW_OK) {
        run->frames++;
        run->last_frame = step;
    }
    return status;
}

/* Restart files tell how many frames were written before them. */
static int write_restart(struct run *run)
{
    double begun = cli_seconds();
    int status = run->writer ? cmd_writer_wait(run->writer, &run->error) : EW_OK;
    if (status == EW_OK)
        status = cmd_restart_write(&run->restart, run->fields, &run->error);
    run->output_seconds += cli_seconds() - begun;
    return status;
}

/* A line after every so many steps, whatever the division of the run, and one of the end. */
static int write_line(struct run *run, bool due)
{
    int64_t step = ew_solver_steps(run->solver);
    if (!run->series || run->last_line == step || (!due && step % run->case_info.plan.series_steps != 0))
        return EW_OK;
    double begun = cli_seconds();
    int status = ew_series_write(run->series, run->solver, &run->error);
    run->output_seconds += cli_seconds() - begun;
    run->last_line = step;
    return status;
}

static int64_t steps_to_line(const struct run *run)
{
    int64_t every = run->series ? run->case_info.plan.series_steps : INT64_MAX;
    return every - ew_solver_steps(run->solver) % every;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int advance_chunk(struct run *run, double until, enum ew_stop *stop)
{
    int64_t before = ew_solver_steps(run->solver), left = run->case_info.plan.steps - before;
    left = smaller(left, smaller(cmd_restart_steps_left(&run->restart), steps_to_line(run)));
    double begun = cli_seconds();
    int status = ew_solver_advance(run->solver, until, run->chunk < left ? run->chunk : left, stop, &run->error);
    double seconds = cli_seconds() - begun;
    run->seconds += seconds;
    if (status == EW_OK)
        run->chunk = cmd_next_chunk(run->chunk, ew_solver_steps(run->solver) - before, seconds);
    return status;
}

/* Whether a frame is due at the present time by the case's plan, however the run came here. */
static bool frame_is_due(const struct run *run)
{
    double time = ew_solver_time(run->solver);
    return time == ew_case_problem(run->that)->time || time == ew_run_plan_next_frame(&run->case_info.plan, nextafter(time, -INFINITY));
}

static const char by_signal[] = "interrupted";

/* What ends the run before the next step, or NULL. */
static const char *reason_to_stop(const struct run *run)
{
    double steady = ew_case_problem(run->that)->steady;
    if (steady > 0 && ew_solver_change(run->solver) <= steady)
        return "steady";
    if (ew_solver_time(run->solver) >= run->case_info.plan.end)
        return "end";
    if (ew_solver_steps(run->solver) >= run->case_info.plan.steps)
        return "steps";
    return cmd_caught_signal() ? by_signal : NULL;
}

/*
 * The frame of a state at which a run that goes on will not have one belongs behind the restart file, which counts the frames
 * before it.
 */
static int write_last(struct run *run)
{
    bool interrupted = run->stop == by_signal, restart = run->restart.asked || interrupted;
    int status = EW_OK;
    if (interrupted)
        interrupted_by = cmd_caught_signal();
    if (frame_is_due(run))
        status = write_frame(run);
    if (status == EW_OK)
        status = write_line(run, true);
    if (status == EW_OK && restart)
        status = write_restart(run);
    return status == EW_OK ? write_frame(run) : status;
}

/* Steps are cut at output times even when no output is asked for: it must not change the result. Files begin with the state that they begin at. */
static int advance_to_end(struct run *run)
{
    bool begins_fields = run->frames == 0, begins_series = run->series && ew_series_last_step(run->series) < 0;
    int status = frame_is_due(run) || begins_fields ? write_frame(run) : EW_OK;
    if (run->series)
        run->last_line = ew_series_last_step(run->series);
    if (status == EW_OK && begins_series)
        status = write_line(run, true);
    while (status == EW_OK && (run->stop = reason_to_stop(run)) == NULL) {
        enum ew_stop stop;
        if (run->writer)
            cmd_writer_keep(run->writer, run->solver);
        status = advance_chunk(run, ew_run_plan_next_frame(&run->case_info.plan, ew_solver_time(run->solver)), &stop);
        if (status != EW_OK)
            break;
        show_progress(run);
        status = write_line(run, false);
        if (status == EW_OK && stop == EW_STOP_TIME)
            status = write_frame(run);
        if (status == EW_OK && cmd_restart_due(&run->restart))
            status = write_restart(run);
        if (status == EW_OK && run->writer)
            status = cmd_writer_check(run->writer, &run->error);
    }
    return status == EW_OK ? write_last(run) : status;
}

/* ---- the end ------------------------------------------------------------------------------------------------------- */

static int close_series(struct run *run, const char *status_text, ew_error *error)
{
    if (!run->series)
        return EW_OK;
    int status = ew_series_close(run->series, status_text, error);
    if (status == EW_OK)
        run->series_output = cli_copy(ew_series_path(run->series));
    return status;
}

static int close_fields(struct run *run, const char *status_text)
{
    if (!run->fields)
        return EW_OK;
    ew_error error;
    int status = ew_fields_close(run->fields, status_text, &error);
    if (status == EW_OK)
        run->output = cli_copy(ew_fields_path(run->fields));
    else
        run->error = error;
    return status;
}

/* The same steps from the newest copy of the state make the same bits. A signal ends it. */
static int go_back(struct run *run, ew_error *error)
{
    int status = cmd_writer_go_back(run->writer, run->solver, error);
    while (status == EW_OK && ew_solver_steps(run->solver) < run->broken_after && !cmd_caught_signal())
        status = ew_solver_advance(run->solver, ew_run_plan_next_frame(&run->case_info.plan, ew_solver_time(run->solver)),
                                   smaller(run->chunk, run->broken_after - ew_solver_steps(run->solver)), NULL, error);
    if (status == EW_OK && ew_solver_steps(run->solver) < run->broken_after) {
        snprintf(error->message, sizeof error->message, "it was interrupted on the way there");
        return EW_EINVAL;
    }
    return status;
}

static int check_finite(struct run *run, ew_error *error)
{
    ew_norms norms;
    int status = ew_solver_norms(run->solver, &norms, error);
    for (int m = 0; status == EW_OK && m < run->solver_info.law->variables; m++)
        if (!isfinite(norms.total[m])) {
            snprintf(error->message, sizeof error->message, "%s is not finite in it",
                     run->solver_info.law->conserved[m]);
            status = EW_ESTATE;
        }
    return status;
}

/*
 * Of the state at the start of the step that broke: what the solver holds is of no use, whatever backend and stage it
 * broke in.
 */
static void write_last_admissible(struct run *run)
{
    ew_error why = run->error;
    run->broken_at = ew_solver_time(run->solver);
    run->broken_after = ew_solver_steps(run->solver);
    if (run->last_frame == run->broken_after)
        return;
    int status = go_back(run, &run->error);
    if (status == EW_OK)
        status = check_finite(run, &run->error);
    if (status == EW_OK)
        status = write_frame(run);
    if (status == EW_OK)
        status = cmd_writer_wait(run->writer, &run->error);
    if (status != EW_OK)
        cli_error("there is no frame of the state before the step that broke: %s", run->error.message);
    run->error = why;
}

/* A state that is no longer admissible has no norms; the frames before it, or before the disk was full, are kept. */
static int end_failed(struct run *run, int status)
{
    char text[sizeof run->error.message + 16];
    ew_error later;
    run->stop = "failed";
    cli_error("%s", run->error.message);
    if (run->writer) {
        if (cmd_writer_wait(run->writer, &later) != EW_OK && strcmp(later.message, run->error.message) != 0)
            cli_error("%s", later.message);
        if (status == EW_ESTATE && cmd_writer_check(run->writer, &later) == EW_OK)
            write_last_admissible(run);
        run->frames = run->earlier_frames + cmd_writer_frames(run->writer);
    }
    if ((status == EW_ESTATE || status == EW_EIO || status == EW_ECREATE) && run->frames > 0) {
        ew_error why = run->error;
        snprintf(text, sizeof text, "failed: %s", why.message);
        int closed = close_fields(run, text);
        bool has_last = status == EW_ESTATE && run->last_frame == run->broken_after;
        bool earlier = run->output && strcmp(run->output, run->target) != 0 && access(run->target, F_OK) == 0;
        if (closed != EW_OK && closed != EW_EINVAL) /* writing to a broken file was told before */
            cli_error("%s", run->error.message);
        else if (run->output)
            cli_error("what was written before, %lld frame%s%s, is in %s%s%s", (long long)run->frames,
                      run->frames == 1 ? "" : "s",
                      has_last ? ", the last one of the state before the step that broke" : "", run->output,
                      earlier ? "; an earlier result is still in " : "", earlier ? run->target : "");
        close_series(run, text, NULL);
        run->error = why;
    }
    return cli_exit_code(status, EX_IOERR);
}

static int end_well(struct run *run)
{
    const char *how = run->stop == by_signal ? by_signal : "complete";
    double begun = cli_seconds();
    int status = run->writer ? cmd_writer_wait(run->writer, &run->error) : EW_OK;
    if (status == EW_OK)
        status = close_fields(run, how);
    if (status == EW_OK)
        status = close_series(run, how, &run->error);
    run->closing_seconds = cli_seconds() - begun;
    run->output_seconds += run->closing_seconds;
    if (status == EW_OK)
        status = ew_solver_norms(run->solver, &run->norms, &run->error);
    if (status == EW_OK)
        status = ew_solver_hash(run->solver, &run->hash, &run->error);
    run->force = cli_allocate((size_t)(run->case_info.plan.bodies + 1) * sizeof *run->force);
    for (int k = 0; k < run->case_info.plan.bodies && status == EW_OK; k++)
        status = ew_series_body_force(&run->case_info.plan.body[k], run->solver, &run->force[k], &run->error);
    run->has_end = status == EW_OK;
    return status;
}

static int run_loop(struct run *run)
{
    cli_progress_start(&run->progress, run->arguments->quiet, fraction_done(run));
    int status = advance_to_end(run);
    cli_progress_clear();
    if (status == EW_OK)
        status = end_well(run);
    return status == EW_OK ? EX_OK : end_failed(run, status);
}

static void tell_end(struct run *run, int code)
{
    struct cmd_summary summary = {.case_path = run->arguments->case_path, .stop = run->stop, .time = NAN, .dt = NAN,
                                  .setup_seconds = run->setup_seconds, .seconds = NAN, .output_seconds = NAN, .closing_seconds = NAN, .gdof_stage_per_s = NAN, .output = run->output, .frames = run->frames,
                                  .total_seconds = cli_seconds() - run->begun};
    if (code != EX_OK) {
        summary.stop = "failed";
        summary.error = run->report.count > 0 ? run->report.sentence[0] : run->error.code ? run->error.message : NULL;
    }
    if (run->that) {
        summary.case_info = &run->case_info;
        summary.mesh = &run->mesh_info;
    }
    if (run->solver) {
        summary.solver = &run->solver_info;
        summary.time = isnan(run->broken_at) ? ew_solver_time(run->solver) : run->broken_at;
        summary.steps = isnan(run->broken_at) ? ew_solver_steps(run->solver) : run->broken_after;
        summary.seconds = run->seconds;
        summary.output_seconds = run->output_seconds;
        summary.closing_seconds = run->closing_seconds;
        summary.gdof_stage_per_s = rate(run);
        if (ew_solver_time_step(run->solver, &summary.dt, NULL) != EW_OK)
            summary.dt = NAN;
    }
    summary.series = run->series_output;
    summary.resumed = run->restart.from;
    summary.restarts = run->restart.kept_count;
    summary.restart = run->restart.kept;
    summary.norms = run->has_end ? &run->norms : NULL;
    summary.hash = run->has_end ? &run->hash : NULL;
    summary.force = run->has_end ? run->force : NULL;
    if (run->watcher && run->watcher->end)
        run->watcher->end(run->watcher->context, &summary, code, code == EX_OK ? EW_OK : run->error.code);
    else if (run->arguments->json)
        cmd_summary_print_json(&summary);
    else if (code == EX_OK && !run->arguments->quiet)
        cmd_summary_print(&summary);
}

int cmd_interrupted_by(void)
{
    return interrupted_by;
}

int cmd_run_case(const struct cli_arguments *arguments, const struct cmd_run_watcher *watcher)
{
    /* Our own lock keeps a second writer away; HDF5's would keep readers away during the run. */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    struct run run = {.arguments = arguments, .watcher = watcher, .begun = cli_seconds(), .chunk = 1, .broken_at = NAN,
                      .last_frame = -1, .last_line = -1};
    int code = prepare(&run);
    run.setup_seconds = code == EX_OK ? cli_seconds() - run.begun : NAN;
    if (code == EX_OK)
        code = run_loop(&run);
    cmd_writer_destroy(run.writer);
    ew_fields_destroy(run.fields);
    ew_series_destroy(run.series);
    tell_end(&run, code);
    cmd_restart_free(&run.restart);
    ew_solver_destroy(run.solver);
    ew_case_destroy(run.that);
    cli_free_report(&run.report);
    free(run.force);
    free(run.target);
    free(run.output);
    free(run.series_output);
    return code;
}
