/* SPDX-License-Identifier: BSD-2-Clause */
/* A run from its first state to its last: steps, frames, restart files, the time series, and the reason of its end. */
#include "ewi_error.h"
#include "ewi_pace.h"
#include "ewi_run.h"
#include "ewi_team.h"
#include "ewi_text.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEASURE_TIMES 100.0 /* least ratio of the time between two measurements of the state to the time of one */

/* A measurement of the state, for progress reports. */
struct measured {
    double value[EW_MAX_VARIABLES];
    double at, seconds; /* time by ewi_seconds, and how long it took; 0: not yet */
};

struct ew_run {
    ew_host host;
    const ew_run_plan *plan;
    ew_run_options options;
    ew_solver *solver;
    ew_solver_info info;
    int64_t elements;
    ew_fields *fields;
    struct ewi_frame_writer *writer; /* writes the fields */
    ew_series *series;
    struct ewi_restarts restarts;
    ew_run_summary summary; /* filled in as the run proceeds */
    bool begun, has_broken, has_warned; /* has_warned: of growth */
    char *target;      /* path of the fields */
    int stem;          /* length of the path without .nc */
    char *series_path; /* path of the time series */
    char *fields_name, *series_name; /* final names, once published */
    ew_force *force;   /* [plan->bodies] */
    double created, start;
    int64_t chunk, last_frame, last_line; /* last_frame, last_line: steps */
    int64_t earlier_frames;               /* kept when the run resumed */
    struct measured least, residual;      /* by ew_solver_get_least, ew_series_residual */
    int64_t first_step;
    double broken_at;     /* time and steps at which the state broke */
    int64_t broken_after;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int no_memory(ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory for the run");
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

/* Names NAME.nc and, next to it, NAME.series.csv. */
static int name_files(struct ew_run *run, ew_error *error)
{
    char *file = ewi_run_text(&run->host, "%s.nc", run->plan->name);
    if (!file)
        return no_memory(error);
    run->target = run->options.fields ? ewi_strdup(&run->host, run->options.fields)
                                      : ewi_path_in(&run->host, run->options.folder, file);
    ewi_free(&run->host, file);
    if (!run->target)
        return no_memory(error);
    run->stem = (int)strlen(run->target) - (ewi_ends_in(run->target, ".nc") ? 3 : 0);
    run->series_path = ewi_run_text(&run->host, "%.*s.series.csv", run->stem, run->target);
    return run->series_path ? EW_OK : no_memory(error);
}

int ew_run_check_folder(const char *folder, ew_error *error)
{
    struct stat info;
    folder = folder ? folder : ".";
    if (stat(folder, &info) != 0)
        return ewi_fail(error, EW_ECREATE, "cannot write to the folder \"%s\": %s; make it first, or choose another",
                        folder, strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return ewi_fail(error, EW_ECREATE, "cannot write to \"%s\": it is not a folder", folder);
    if (access(folder, W_OK | X_OK) != 0)
        return ewi_fail(error, EW_ECREATE, "cannot write to the folder \"%s\": %s; choose another", folder,
                        strerror(errno));
    return EW_OK;
}

static int check_target(const struct ew_run *run, ew_error *error)
{
    struct stat info;
    if (stat(run->target, &info) == 0 && !S_ISREG(info.st_mode))
        return ewi_fail(error, EW_ECREATE, "cannot write \"%s\": it exists and is not a file",
                        run->target);
    return ew_run_check_folder(run->options.folder, error);
}

int ew_run_create(const ew_host *host, const ew_run_plan *plan, ew_solver *solver, const ew_run_options *options,
                  ew_run **result, ew_error *error)
{
    EWI_REQUIRE(plan, solver);
    EWI_REQUIRE_AS(result, "run");
    if (!plan->name || !plan->name[0])
        return ewi_fail(error, EW_EINVAL,
                        "the plan has no name, and its files need one; ew_run_plan_init sets it");
    const ew_host own = ewi_host_or_default(host);
    struct ew_run *run = ewi_alloc(&own, 1, sizeof *run);
    if (!run)
        return no_memory(error);
    *run = (struct ew_run){.host = own, .plan = plan, .options = options ? *options : (ew_run_options){0},
                           .solver = solver, .created = ewi_seconds(), .start = ew_solver_time(solver), .chunk = 1,
                           .last_frame = -1,
                           .last_line = -1,
                           .summary = {.setup_seconds = NAN, .seconds = 0, .output_seconds = 0, .closing_seconds = 0}};
    ew_solver_get_info(solver, &run->info);
    ew_mesh_info mesh;
    ew_mesh_get_info(run->info.mesh, &mesh);
    run->elements = mesh.elements;
    int status;
    EWI_TRY(name_files(run, error));
    if (!run->options.no_output)
        EWI_TRY(check_target(run, error));
    run->restarts = (struct ewi_restarts){.host = &run->host, .plan = plan, .options = &run->options,
                                          .target = run->target, .solver = solver};
    status = ewi_restarts_begin(&run->restarts, error);
    run->first_step = ew_solver_steps(solver);
out:
    if (status != EW_OK) {
        ew_run_destroy(run);
        return status;
    }
    *result = run;
    return EW_OK;
}

void ew_run_destroy(ew_run *run)
{
    if (!run)
        return;
    ewi_frame_writer_destroy(run->writer);
    ew_fields_destroy(run->fields);
    ew_series_destroy(run->series);
    if (run->restarts.host)
        ewi_restarts_end(&run->restarts);
    ew_host host = run->host;
    void *const texts[] = {run->force, run->target, run->series_path, run->fields_name, run->series_name};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        ewi_free(&host, texts[k]);
    ewi_free(&host, run);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* The host must admit each file that a resumed run may open. */
static int admit_earlier(const struct ew_run *run, ew_error *error)
{
    static const char *const suffixes[] = {".nc", ".nc.part", ".interrupted.nc", ".failed.nc"};
    int status = EW_OK;
    for (size_t k = 0; run->options.admit && k < sizeof suffixes / sizeof *suffixes && status == EW_OK; k++) {
        char *path = ewi_run_text(&run->host, "%.*s%s", run->stem, run->target, suffixes[k]);
        if (!path)
            return no_memory(error);
        if (access(path, R_OK) == 0)
            status = run->options.admit(run->options.context, path, error);
        ewi_free(&run->host, path);
    }
    return status;
}

/* A resumed run appends to the fields that it finds, which may have a frame of the current step. */
static int open_fields(struct ew_run *run, ew_error *error)
{
    const ew_restart_info *from = &run->restarts.info;
    if (!run->restarts.from)
        return ew_fields_create(&run->host, run->target, run->plan, run->solver, &run->fields, error);
    int status = admit_earlier(run, error);
    if (status == EW_OK)
        status = ew_fields_resume(&run->host, run->target, run->plan, run->solver, from, &run->fields,
                                  &run->earlier_frames, error);
    run->summary.frames = run->earlier_frames;
    if (status == EW_OK && run->earlier_frames > 0 && from->frame_hash == from->state_hash)
        run->last_frame = run->first_step;
    return status;
}

static int open_files(struct ew_run *run, ew_error *error)
{
    int status;
    if (run->options.no_output)
        return EW_OK;
    EWI_TRY(open_fields(run, error));
    EWI_TRY(ewi_frame_writer_create(&run->host, run->fields, run->plan, run->solver, &run->writer, error));
    if (run->plan->series_steps > 0)
        EWI_TRY(ew_series_create(&run->host, run->series_path, run->plan, run->solver,
                                 run->restarts.from ? run->first_step : -1, &run->series, error));
    status = run->restarts.from ? EW_OK : ewi_restarts_put_aside(&run->restarts, error);
out:
    return status;
}

/* At most one frame per step. */
static int write_frame(struct ew_run *run, ew_error *error)
{
    int64_t step = ew_solver_steps(run->solver);
    if (!run->fields || run->last_frame == step)
        return EW_OK;
    double begun = ewi_seconds();
    int status = ewi_frame_writer_write(run->writer, run->solver, error);
    run->summary.output_seconds += ewi_seconds() - begun;
    if (status == EW_OK) {
        run->summary.frames++;
        run->last_frame = step;
    }
    return status;
}

/* Restart files record the number of frames written before them. */
static int write_restart(struct ew_run *run, ew_error *error)
{
    double begun = ewi_seconds();
    int status = run->writer ? ewi_frame_writer_wait(run->writer, error) : EW_OK;
    if (status == EW_OK)
        status = ewi_restarts_write(&run->restarts, run->fields, error);
    run->summary.output_seconds += ewi_seconds() - begun;
    return status;
}

/* Writes a line after every plan->series_steps steps, however the run is divided, and one at the end. */
static int write_line(struct ew_run *run, bool due, ew_error *error)
{
    int64_t step = ew_solver_steps(run->solver);
    if (!run->series || run->last_line == step || (!due && step % run->plan->series_steps != 0))
        return EW_OK;
    double begun = ewi_seconds();
    int status = ew_series_write(run->series, run->solver, error);
    run->summary.output_seconds += ewi_seconds() - begun;
    run->last_line = step;
    return status;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static double rate(const struct ew_run *run)
{
    double unknowns = (double)run->elements * run->info.basis * run->info.law->variables;
    double of_level = ldexp(run->info.level_work, run->info.step_levels - 1); /* in a step; 1 for one level */
    double evaluations = of_level * run->info.stages * (double)(ew_solver_steps(run->solver) - run->first_step);
    return run->summary.seconds > 0 ? unknowns * evaluations / run->summary.seconds : NAN;
}

/* By time or by steps, whichever has progressed further. */
static double fraction_done(const struct ew_run *run)
{
    double length = run->plan->end - run->start, fraction = NAN;
    if (isfinite(length) && length > 0)
        fraction = (ew_solver_time(run->solver) - run->start) / length;
    if (run->plan->steps < INT64_MAX && run->plan->steps > 0)
        fraction = fmax(fraction, (double)ew_solver_steps(run->solver) / (double)run->plan->steps);
    return isnan(fraction) ? fraction : fmin(fmax(fraction, 0), 1);
}

void ew_run_get_progress(const ew_run *run, ew_run_progress *progress)
{
    if (progress)
        *progress = (ew_run_progress){.fraction = NAN, .time = NAN, .dt = NAN, .rate = NAN};
    if (!progress || !run)
        return;
    *progress = (ew_run_progress){.fraction = fraction_done(run), .time = ew_solver_time(run->solver),
                                  .steps = ew_solver_steps(run->solver), .rate = rate(run)};
    if (ew_solver_time_step(run->solver, &progress->dt, NULL) != EW_OK)
        progress->dt = NAN;
}

static void measure(struct ew_run *run, struct measured *measured,
                    int (*values)(ew_solver *solver, double *value, ew_error *error), double *result)
{
    double now = ewi_seconds();
    int variables = run->info.law->variables;
    if (now - measured->at >= MEASURE_TIMES * measured->seconds) {
        if (values(run->solver, measured->value, NULL) != EW_OK)
            for (int m = 0; m < variables; m++)
                measured->value[m] = NAN;
        measured->at = ewi_seconds();
        measured->seconds = measured->at - now;
    }
    memcpy(result, measured->value, (size_t)variables * sizeof *result);
}

void ew_run_get_least(ew_run *run, double *least)
{
    if (run && least)
        measure(run, &run->least, ew_solver_get_least, least);
}

/* Only on request, because a residual costs a stage of a step. */
static bool wants_residual(const struct ew_run *run)
{
    return run->info.steady > 0 || run->info.steady_orders > 0 || run->plan->series_residuals;
}

void ew_run_get_residual(ew_run *run, double *residual)
{
    if (!run || !residual)
        return;
    if (wants_residual(run))
        measure(run, &run->residual, ew_series_residual, residual);
    for (int m = 0; !wants_residual(run) && m < run->info.law->variables; m++)
        residual[m] = NAN;
}

ew_solver *ew_run_solver(const ew_run *run)
{
    return run ? run->solver : NULL;
}

static int64_t steps_to_line(const struct ew_run *run)
{
    int64_t every = run->series ? run->plan->series_steps : INT64_MAX;
    return every - ew_solver_steps(run->solver) % every;
}

/*
 * The next frame's time. A run that is resumed may have ended at a time that differs from a frame's only by rounding;
 * that frame is then written already.
 */
static double next_stop(const struct ew_run *run)
{
    double time = ew_solver_time(run->solver), next = ew_run_plan_next_frame(run->plan, time);
    bool resumes = run->restarts.from && ew_solver_steps(run->solver) == run->first_step;
    return resumes && next - time <= 1e-9 * run->plan->every ? ew_run_plan_next_frame(run->plan, next) : next;
}

static int advance_piece(struct ew_run *run, int64_t last, enum ew_stop *stop, ew_error *error)
{
    int64_t before = ew_solver_steps(run->solver), left = last - before;
    left = smaller(left, smaller(ewi_restarts_steps_left(&run->restarts), steps_to_line(run)));
    double begun = ewi_seconds(), until = next_stop(run);
    int status = ew_solver_advance(run->solver, until, smaller(run->chunk, left), stop, error);
    double seconds = ewi_seconds() - begun;
    run->summary.seconds += seconds;
    if (status == EW_OK)
        run->chunk = ewi_next_chunk(run->chunk, ew_solver_steps(run->solver) - before, seconds);
    return status;
}

/* True if the plan has a frame at the current time. */
static bool frame_is_due(const struct ew_run *run)
{
    double time = ew_solver_time(run->solver);
    return time == run->plan->start || time == ew_run_plan_next_frame(run->plan, nextafter(time, -INFINITY));
}

static bool can_break(const ew_law *law)
{
    bool can = false;
    for (int m = 0; m < law->variables; m++)
        can = can || law->positive[m];
    return can;
}

/*
 * Warns once, about a written frame or, if `now`, the current state. A linear law's run never breaks, so there it is an
 * error.
 */
static int check_growth(struct ew_run *run, bool now, ew_error *error)
{
    ew_error grown;
    if (run->has_warned)
        return EW_OK;
    run->has_warned = (run->writer && ewi_frame_writer_has_grown(run->writer, &grown)) ||
                      (now && ew_solver_check_growth(run->solver, &grown) == EW_ESTATE);
    if (run->has_warned && !can_break(run->info.law))
        return ewi_fail(error, EW_ESTATE, "%s", grown.message);
    if (run->has_warned)
        ewi_log(&run->host, EW_LOG_WARNING, "%s", grown.message);
    return EW_OK;
}

/* The reason to end before the next step, if there is one. */
static enum ew_run_end reason_to_end(const struct ew_run *run)
{
    if (ew_solver_is_steady(run->solver))
        return EW_RUN_STEADY;
    if (ew_solver_time(run->solver) >= run->plan->end)
        return EW_RUN_AT_END;
    if (ew_solver_steps(run->solver) >= run->plan->steps)
        return EW_RUN_AT_STEPS;
    return run->options.stop && run->options.stop(run->options.context) ? EW_RUN_STOPPED : EW_RUN_GOES_ON;
}

/* Files start with the state at which the run starts. */
static int write_first(struct ew_run *run, ew_error *error)
{
    bool begins_series = run->series && ew_series_last_step(run->series) < 0;
    int status = frame_is_due(run) || run->summary.frames == 0 ? write_frame(run, error) : EW_OK;
    if (run->series)
        run->last_line = ew_series_last_step(run->series);
    return status == EW_OK && begins_series ? write_line(run, true, error) : status;
}

/* Steps end at the times of frames even without output, which must not change the result. */
static int advance_to(struct ew_run *run, int64_t last, ew_error *error)
{
    int status = EW_OK;
    bool halts = false;
    while (status == EW_OK && !halts && ew_solver_steps(run->solver) < last &&
           (run->summary.end = reason_to_end(run)) == EW_RUN_GOES_ON) {
        enum ew_stop stop;
        if (run->writer)
            ewi_frame_writer_keep(run->writer, run->solver);
        status = advance_piece(run, smaller(last, run->plan->steps), &stop, error);
        if (status != EW_OK)
            break;
        if (run->options.progress)
            run->options.progress(run->options.context, run);
        status = write_line(run, false, error);
        if (status == EW_OK && stop == EW_STOP_TIME)
            status = write_frame(run, error);
        bool restarts = ewi_restarts_due(&run->restarts);
        if (status == EW_OK)
            status = check_growth(run, restarts, error);
        if (status == EW_OK && restarts)
            status = write_restart(run, error);
        if (status == EW_OK && run->writer)
            status = ewi_frame_writer_check(run->writer, error);
        halts = run->options.halts_at_frames && stop == EW_STOP_TIME;
    }
    if (status == EW_OK && run->summary.end == EW_RUN_GOES_ON)
        run->summary.end = reason_to_end(run);
    return status;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

/*
 * A run that leaves older restart files must also write one of its end: otherwise "--restart auto" would repeat steps.
 */
static bool ends_with_restart(const struct ew_run *run)
{
    return run->plan->restarts || run->summary.end == EW_RUN_STOPPED ||
           (run->restarts.kept_count > 0 && !run->options.restart_is_optional);
}

/*
 * A restart file counts the frames before it. A frame that is not in the plan is written after the restart file, so
 * that a resumed run drops it.
 */
static int write_last(struct ew_run *run, ew_error *error)
{
    int status = frame_is_due(run) ? write_frame(run, error) : EW_OK;
    if (status == EW_OK)
        status = write_line(run, true, error);
    if (status == EW_OK && ends_with_restart(run))
        status = write_restart(run, error);
    return status == EW_OK ? write_frame(run, error) : status;
}

static int close_fields(struct ew_run *run, const char *how, ew_error *error)
{
    if (!run->fields)
        return EW_OK;
    int status = ew_fields_close(run->fields, how, error);
    if (status == EW_OK)
        run->summary.fields = run->fields_name = ewi_strdup(&run->host, ew_fields_path(run->fields));
    return status;
}

static int close_series(struct ew_run *run, const char *how, ew_error *error)
{
    if (!run->series)
        return EW_OK;
    int status = ew_series_close(run->series, how, error);
    if (status == EW_OK)
        run->summary.series = run->series_name = ewi_strdup(&run->host, ew_series_path(run->series));
    return status;
}

/* Norms of the state. The solver guarantees finite means, but not finite slopes. */
static int measure_norms(struct ew_run *run, ew_error *error)
{
    ew_norms *norms = &run->summary.norms;
    const ew_law *law = run->info.law;
    int status = ew_solver_norms(run->solver, norms, error);
    for (int m = 0; status == EW_OK && m < law->variables; m++)
        if (!isfinite(norms->total[m]) || !isfinite(norms->min[m]) || !isfinite(norms->max[m]))
            status = ewi_fail(error, EW_ESTATE, "%s is not finite in the state after step %lld, t = %.10g",
                              law->primitive[m], (long long)ew_solver_steps(run->solver), ew_solver_time(run->solver));
    return status;
}

/* Hash, residual and forces of the last state. */
static int measure_end(struct ew_run *run, ew_error *error)
{
    int status = ew_solver_hash(run->solver, &run->summary.hash, error);
    if (status == EW_OK && wants_residual(run))
        status = ew_series_residual(run->solver, run->summary.residual, error);
    run->force = ewi_alloc(&run->host, (size_t)run->plan->bodies, sizeof *run->force);
    if (!run->force)
        return no_memory(error);
    run->summary.force = run->force;
    for (int k = 0; k < run->plan->bodies && status == EW_OK; k++)
        status = ew_series_body_force(&run->plan->body[k], run->solver, &run->force[k], error);
    run->summary.has_last = status == EW_OK;
    run->summary.has_residual = status == EW_OK && wants_residual(run);
    run->summary.orders_fallen = ew_solver_orders_fallen(run->solver);
    return status;
}

/* Averages are NaN unless the run has taken a sample. */
static void warn_of_averages(const struct ew_run *run)
{
    ew_averages_info averages;
    ew_solver_averages_info(run->solver, &averages);
    if (averages.count > 0 && averages.duration == 0.0 && run->summary.end != EW_RUN_STOPPED)
        ewi_log(&run->host, EW_LOG_WARNING,
                "the averages have no sample and are NaN: the run ended after step %lld, t = %.10g, and samples are "
                "due after steps whose number is a multiple of %lld, from t = %.10g on",
                (long long)ew_solver_steps(run->solver), ew_solver_time(run->solver), (long long)averages.steps,
                averages.from);
}

/* The last state is finite, so errors are NaN where the exact solution is. */
static void warn_of_errors(const struct ew_run *run)
{
    bool is_nan = false;
    for (int m = 0; m < run->info.law->variables; m++)
        is_nan = is_nan || isnan(run->summary.norms.error_l2[m]);
    if (run->info.has_exact && is_nan)
        ewi_log(&run->host, EW_LOG_WARNING,
                "the errors are NaN, because the exact solution is NaN at some points at t = %.10g",
                ew_solver_time(run->solver));
}

static int end_well(struct ew_run *run, ew_error *error)
{
    warn_of_averages(run);
    warn_of_errors(run);
    const char *how = run->summary.end == EW_RUN_STOPPED ? "interrupted" : "complete";
    double begun = ewi_seconds();
    int status = run->writer ? ewi_frame_writer_wait(run->writer, error) : EW_OK;
    if (status == EW_OK)
        status = close_fields(run, how, error);
    if (status == EW_OK)
        status = close_series(run, how, error);
    run->summary.closing_seconds = ewi_seconds() - begun;
    run->summary.output_seconds += run->summary.closing_seconds;
    return status == EW_OK ? measure_end(run, error) : status;
}

/* ---- a run that breaks ------------------------------------------------------------------------------------------- */

/* Repeats the steps from the newest copy of the state, which gives the same bits. */
static int go_back(struct ew_run *run, ew_error *error)
{
    int status = ewi_frame_writer_go_back(run->writer, run->solver, error);
    while (status == EW_OK && ew_solver_steps(run->solver) < run->broken_after) {
        if (run->options.stop && run->options.stop(run->options.context))
            return ewi_fail(error, EW_EINVAL, "it was interrupted while repeating the steps");
        status = ew_solver_advance(run->solver, next_stop(run),
                                   smaller(run->chunk, run->broken_after - ew_solver_steps(run->solver)), NULL, error);
    }
    return status;
}

/*
 * Writes a frame of the state before the step that broke. The solver's own state is then useless, whichever backend and
 * stage broke.
 */
static void write_last_admissible(struct ew_run *run)
{
    ew_error why;
    if (run->last_frame == run->broken_after)
        return;
    int status = go_back(run, &why);
    if (status == EW_OK)
        status = measure_norms(run, &why);
    if (status == EW_OK)
        status = write_frame(run, &why);
    if (status == EW_OK)
        status = ewi_frame_writer_wait(run->writer, &why);
    if (status != EW_OK)
        ewi_log(&run->host, EW_LOG_WARNING, "there is no frame of the state before the step that broke: %s",
                why.message);
}

/* Keeps the frames before a failure of the state or of the disk. */
static void close_failed(struct ew_run *run, int status, const char *why)
{
    char how[sizeof((ew_error *)0)->message + 16];
    ew_error later;
    if (run->summary.frames == 0 ||
        (status != EW_ESTATE && status != EW_EIO && status != EW_EFULL && status != EW_ECREATE))
        return;
    ewi_snprintf(how, sizeof how, "failed: %s", why);
    int closed = close_fields(run, how, &later);
    if (closed != EW_OK && closed != EW_EINVAL) /* the writing failure has already been reported */
        ewi_log(&run->host, EW_LOG_WARNING, "%s", later.message);
    run->summary.ends_before_break = closed == EW_OK && status == EW_ESTATE && run->last_frame == run->broken_after;
    if (run->fields_name && strcmp(run->fields_name, run->target) != 0 && access(run->target, F_OK) == 0)
        run->summary.earlier = run->target;
    close_series(run, how, NULL);
}

static int fail(struct ew_run *run, int status, const ew_error *error)
{
    ew_error later;
    run->summary.end = EW_RUN_FAILED;
    run->has_broken = status == EW_ESTATE;
    run->broken_at = ew_solver_time(run->solver);
    run->broken_after = ew_solver_steps(run->solver);
    if (run->writer) {
        if (ewi_frame_writer_wait(run->writer, &later) != EW_OK && strcmp(later.message, error->message) != 0)
            ewi_log(&run->host, EW_LOG_WARNING, "%s", later.message);
        if (status == EW_ESTATE && ewi_frame_writer_check(run->writer, &later) == EW_OK)
            write_last_admissible(run);
        check_growth(run, false, NULL);
        run->summary.frames = run->earlier_frames + ewi_frame_writer_frames(run->writer);
    }
    close_failed(run, status, error->message);
    return status;
}

int ew_run_advance(ew_run *run, int64_t steps, ew_error *error)
{
    EWI_REQUIRE(run);
    ew_error own;
    if (steps < 1)
        return ewi_fail(error, EW_EINVAL, "cannot advance a run by %lld steps; the number must be at least 1",
                        (long long)steps);
    if (run->summary.end != EW_RUN_GOES_ON)
        return ewi_fail(error, EW_EINVAL, "the run has ended");
    bool begins = !run->begun;
    int status = begins ? open_files(run, error) : EW_OK;
    if (status != EW_OK) {
        run->summary.end = EW_RUN_FAILED;
        return status;
    }
    if (begins)
        run->summary.setup_seconds = ewi_seconds() - run->created;
    run->begun = true;
    if (begins)
        status = write_first(run, &own);
    int64_t before = ew_solver_steps(run->solver), last = steps < INT64_MAX - before ? before + steps : INT64_MAX;
    if (status == EW_OK)
        status = advance_to(run, last, &own);
    if (status == EW_OK && run->summary.end != EW_RUN_GOES_ON) {
        status = measure_norms(run, &own);
        if (status == EW_OK)
            status = check_growth(run, true, &own);
        if (status == EW_OK)
            status = write_last(run, &own);
        if (status == EW_OK)
            status = end_well(run, &own);
    }
    if (status == EW_OK)
        return EW_OK;
    if (error)
        *error = own;
    return fail(run, status, &own);
}

void ew_run_get_summary(const ew_run *run, ew_run_summary *summary)
{
    if (summary)
        *summary = (ew_run_summary){0};
    if (!summary || !run)
        return;
    *summary = run->summary;
    summary->time = run->has_broken ? run->broken_at : ew_solver_time(run->solver);
    summary->steps = run->has_broken ? run->broken_after : ew_solver_steps(run->solver);
    summary->rate = rate(run);
    summary->resumed = run->restarts.from;
    summary->restarts = run->restarts.kept_count;
    summary->restart = (const char *const *)run->restarts.kept;
}

const char *ew_run_end_name(enum ew_run_end end)
{
    static const char *const names[] = {"running", "end", "steps", "steady", "interrupted", "failed"};
    return end >= 0 && (size_t)end < sizeof names / sizeof *names ? names[end] : NULL;
}
