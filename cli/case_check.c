/* SPDX-License-Identifier: BSD-2-Clause */
/* Examines a case before it runs: its memory, its frames, and its first steps on its mesh or on a coarser one. */
#include "case_check.h"
#include "ewi_team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum {
    MOST_FRAMES = 1000000,
    MOST_TRIANGLES = 1 << 16, /* in a rectangle that is made only for the check */
    SAMPLE_STEPS = 20,        /* enough to see how the step length develops */
    MOST_ROUNDS = 100         /* of timed steps */
};
#define SAMPLE_WORK 1e8 /* unknowns times stages times steps: less than a second */
#define INSTANT_WORK 4e2 /* what an instant of levels of time steps takes besides, for each stage ... */
#define PART_WORK 1e4    /* ... and for each part; much less where each has a core */

#define TIMED_SECONDS 0.1 /* total of all rounds but the first */
#define LONGEST_STEP 2.0  /* limit for timing a step at all: its seconds by the guesses below */
#define THREAD_SPEED 3e7  /* unknowns times stages a second */
#define DEVICE_SPEED 1e9

/* A solver that samples steps. Where these take long, it has fewer levels of time steps than the case, or no parts. */
struct sampler {
    ew_solver *solver;
    int levels, parts;
    double length; /* of the case's whole steps, over that of the sampler's */
    bool is_timed; /* a step of the case's solver has been timed */
};

/*
 * The number of steps of the current length. Waves may become faster or slower, so this is an estimate. Between two
 * frames there is a whole number of steps. With levels of time steps, the first ones are shorter.
 */
static double estimate_steps(const struct case_check *check, double time)
{
    double left = check->case_info.plan.end - time, now = check->later_dt;
    double interval = (check->case_info.plan.end - check->problem->time) / (check->frames > 1 ? check->frames - 1 : 1);
    double steps = (double)check->sampled;
    if (left > 0 && now > 0)
        steps = fmax(steps, check->solver_info.step_levels - 1) +
                ceil(left / interval * ceil(interval / now * (1 - 1e-12)) * (1 - 1e-12));
    else if (left > 0)
        steps = NAN;
    return fmin(steps, check->case_info.plan.steps < INT64_MAX ? (double)check->case_info.plan.steps : INFINITY);
}

/* Counts frames one by one up to MOST_FRAMES; assumes that the rest have the same spacing. */
static void count_frames(struct case_check *check)
{
    double start = check->problem->time, time = start;
    int64_t counted = 1;
    for (; time < check->case_info.plan.end && counted < MOST_FRAMES; counted++) {
        double next = ew_run_plan_next_frame(&check->case_info.plan, time);
        if (!(next > time))
            break;
        time = next;
    }
    check->frames = (double)counted;
    check->frames_are_counted = counted < MOST_FRAMES;
    if (!check->frames_are_counted)
        check->frames +=
            ceil((check->case_info.plan.end - time) / (time - start) * (double)(counted - 1) * (1 - 1e-12));
    check->frame_bytes = ew_fields_frame_bytes(&check->case_info.plan, check->problem, &check->mesh_info, NULL);
    check->file_mesh_bytes = ew_fields_mesh_bytes(&check->case_info.plan, check->problem, &check->mesh_info);
}

/* Number of unknowns on the mesh of the check. */
static double unknowns_of(const struct case_check *check)
{
    const ew_solver_info *info = &check->solver_info;
    return (double)check->made.elements * info->basis * info->law->variables;
}

/* Unknowns times stages of a step with so many levels, in which small triangles take many steps, and parts. */
static double work_with(const struct case_check *check, int levels, int parts)
{
    const ew_solver_info *info = &check->solver_info;
    double elements = 0.0, unknowns = unknowns_of(check) / (double)check->made.elements;
    for (int k = 0; k < info->step_levels; k++)
        elements += ldexp((double)info->level_elements[k], k < levels - 1 ? levels - 1 - k : 0);
    double waits = INSTANT_WORK + (parts > 1 ? PART_WORK * parts : 0.0);
    return info->stages * (unknowns * elements + ldexp(waits, levels - 1));
}

static double work_of_step(const struct case_check *check)
{
    return work_with(check, check->solver_info.step_levels, check->solver_info.parts);
}

/* As many levels as the case has, or those of which some steps are not much work. */
static int levels_to_sample(const struct case_check *check, int parts)
{
    int all = check->solver_info.step_levels, levels = all;
    if (work_with(check, all, parts) <= SAMPLE_WORK)
        return all;
    while (levels > 1 && work_with(check, levels, parts) * SAMPLE_STEPS > SAMPLE_WORK)
        levels--;
    return work_with(check, levels, parts) * SAMPLE_STEPS <= SAMPLE_WORK ? levels : all;
}

static double work_of_sampler(const struct case_check *check, const struct sampler *sampler)
{
    return work_with(check, sampler->levels, sampler->parts);
}

/* The length of a whole step at the solver's state; the first steps with levels of time steps are shorter. */
static int find_length(ew_solver *solver, double *length, ew_error *error)
{
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    int status = ew_solver_time_step(solver, length, error);
    int64_t short_steps = info.step_levels - 1 - ew_solver_steps(solver);
    *length = ldexp(*length, short_steps > 0 ? (int)short_steps : 0);
    return status;
}

static void log_nothing(void *context, int level, const char *sentence)
{
    (void)context, (void)level, (void)sentence;
}

/* One step of a case that is too large for samples, unless it is far too large. */
static int64_t steps_to_time(const struct case_check *check)
{
    const ew_solver_info *info = &check->solver_info;
    double speed = DEVICE_SPEED;
    if (!ew_backend_has_devices(info->backend))
        speed = THREAD_SPEED * ew_thread_count(check->problem->threads, NULL, 0);
    return check->sampled > 0 ? check->sampled : work_of_step(check) <= LONGEST_STEP * speed;
}

/* Elements of the case's mesh over those of the check. */
static double larger_mesh(const struct case_check *check)
{
    return (double)check->mesh_info.elements / (double)check->made.elements;
}

/* Times a single step, unless it would take long. */
static void time_once(struct case_check *check, ew_solver *solver)
{
    double begun = ewi_seconds();
    if (steps_to_time(check) > 0 && ew_solver_advance(solver, check->case_info.plan.end, 1, NULL, NULL) == EW_OK)
        check->step_seconds = (ewi_seconds() - begun) * larger_mesh(check);
}

/* Replaces the case's solver, which has given the warnings already. */
static int make_sampler(struct case_check *check, ew_solver **solver, struct sampler *sampler)
{
    const ew_host quiet = {.log = log_nothing};
    ew_problem problem = *check->problem;
    problem.step_levels = sampler->levels;
    problem.parts = sampler->parts;
    ew_solver_destroy(*solver);
    *solver = NULL;
    int status = ew_solver_create(&quiet, check->mesh, &problem, solver, &check->error);
    sampler->solver = *solver;
    double whole = sampler->length;
    if (status == EW_OK)
        status = find_length(*solver, &sampler->length, &check->error);
    sampler->length = whole / sampler->length;
    return status;
}

/*
 * Parts take long to get a state, and to begin a round of steps, so that one of their steps must do. On GPUs the case
 * may need the memory of all of them.
 */
static int begin_sampler(struct case_check *check, ew_solver **solver, struct sampler *sampler)
{
    const ew_solver_info *info = &check->solver_info;
    int levels = levels_to_sample(check, info->parts);
    bool without_parts = info->parts > 1 && !ew_backend_has_devices(info->backend) &&
                         work_with(check, levels, info->parts) * SAMPLE_STEPS > SAMPLE_WORK;
    int parts = without_parts ? 1 : info->parts;
    if (without_parts)
        levels = levels_to_sample(check, parts);
    *sampler = (struct sampler){.solver = *solver, .levels = levels, .parts = parts, .is_timed = without_parts};
    int status = find_length(*solver, &sampler->length, &check->error);
    check->later_dt = sampler->length * check->scale;
    check->sampled_levels = levels;
    check->guesses_wall = levels < info->step_levels && !without_parts;
    if (without_parts && check->timed && status == EW_OK)
        time_once(check, *solver);
    if (status == EW_OK && (without_parts || levels < info->step_levels))
        return make_sampler(check, solver, sampler);
    sampler->length = 1;
    return status;
}

/* The first steps are often the longest, because waves are only starting. A coarser mesh has fewer, longer steps. */
static int sample_steps(struct case_check *check, const struct sampler *sampler)
{
    ew_solver *solver = sampler->solver;
    double work = work_of_sampler(check, sampler);
    int64_t most = work * SAMPLE_STEPS > SAMPLE_WORK ? (int64_t)(SAMPLE_WORK / work) : SAMPLE_STEPS;
    if (check->case_info.plan.steps < most)
        most = check->case_info.plan.steps;
    enum ew_stop stop;
    int status = EW_OK;
    while (status == EW_OK && ew_solver_steps(solver) < most && ew_solver_time(solver) < check->case_info.plan.end)
        status = ew_solver_advance(solver, ew_run_plan_next_frame(&check->case_info.plan, ew_solver_time(solver)), 1,
                                   &stop, &check->error);
    check->sampled = ew_solver_steps(solver);
    return status;
}

/* The length of a later step. The last step may have been cut at an output time, and a new state has had no step. */
static int ask_later_step(struct case_check *check, const struct sampler *sampler)
{
    ew_solver *solver = sampler->solver;
    double *state = cli_allocate((size_t)unknowns_of(check) * sizeof *state);
    int status = ew_solver_get_coefficients(solver, state, &check->error);
    if (status == EW_OK)
        status = ew_solver_set_coefficients(solver, state, ew_solver_time(solver), ew_solver_steps(solver),
                                            &check->error);
    free(state);
    if (status == EW_OK)
        status = find_length(solver, &check->later_dt, &check->error);
    check->later_dt *= sampler->length * check->scale;
    return status;
}

/*
 * Times the sampled steps again from the start, so nothing can fail that succeeded before. The first round warms up
 * threads and caches. It counts only if it is long enough to be the only one.
 */
static void time_steps(struct case_check *check, const struct sampler *sampler, const double *state)
{
    ew_solver *solver = sampler->solver;
    int64_t most = steps_to_time(check), steps = 0;
    double seconds = 0;
    enum ew_stop stop;
    for (int round = 0; most > 0 && round < MOST_ROUNDS && seconds < TIMED_SECONDS; round++) {
        if (round == 1)
            seconds = 0, steps = 0;
        if (ew_solver_set_coefficients(solver, state, check->problem->time, 0, NULL) != EW_OK)
            return;
        double begun = ewi_seconds();
        if (ew_solver_advance(solver, check->case_info.plan.end, most, &stop, NULL) != EW_OK)
            return;
        seconds += ewi_seconds() - begun;
        steps += ew_solver_steps(solver);
    }
    if (steps > 0)
        check->step_seconds = seconds / (double)steps * larger_mesh(check) * work_of_step(check) /
                              work_of_sampler(check, sampler);
}

/* The state at the start is kept for timing, if that is wanted. */
static int sample_and_time(struct case_check *check, const struct sampler *sampler)
{
    ew_solver *solver = sampler->solver;
    bool times = check->timed && !sampler->is_timed;
    double *start = times ? cli_allocate((size_t)unknowns_of(check) * sizeof *start) : NULL;
    int status = start ? ew_solver_get_coefficients(solver, start, &check->error) : EW_OK;
    if (status == EW_OK)
        status = sample_steps(check, sampler);
    if (status == EW_ESTATE && check->case_info.coarser) { /* the finer mesh may survive this */
        cli_error("warning: on a coarser mesh %s", check->error.message);
        check->sampled = 0;
        status = EW_OK;
    }
    if (status == EW_OK && check->sampled > 0)
        status = ask_later_step(check, sampler);
    if (check->case_info.coarser) /* the sampled steps had another length */
        check->steps = estimate_steps(check, check->problem->time + (double)check->sampled * check->later_dt);
    else
        check->steps = estimate_steps(check, ew_solver_time(solver));
    if (start && status == EW_OK)
        time_steps(check, sampler, start);
    free(start);
    return status;
}

/* Takes the length of steps from the solver, or from another one that takes its place. */
static int sample_case(struct case_check *check, ew_solver **solver)
{
    struct sampler sampler;
    int status = ew_solver_time_step(*solver, &check->dt, &check->error);
    if (status != EW_OK)
        return status;
    check->dt *= check->scale;
    if (check->elsewhere)
        return EW_OK;
    status = begin_sampler(check, solver, &sampler);
    return status == EW_OK ? sample_and_time(check, &sampler) : status;
}

static void warn(struct case_check *check, const char *sentence)
{
    struct cli_report *warnings = &check->warnings;
    cli_error("warning: %s", sentence);
    warnings->sentence = cli_reallocate(warnings->sentence, (warnings->count + 1) * sizeof *warnings->sentence);
    warnings->sentence[warnings->count++] = cli_copy(sentence);
}

static void warn_of(void *check, int level, const char *sentence)
{
    if (level >= EW_LOG_WARNING)
        warn(check, sentence);
}

const ew_boundary *cli_boundary_of(const ew_problem *problem, const char *name)
{
    for (size_t k = 0; k < problem->boundaries; k++)
        if (strcmp(problem->boundary[k].name, name) == 0)
            return &problem->boundary[k];
    return NULL;
}

/* Refuses what "run" would refuse, but only after the rest of the case was examined. */
static int check_room(struct case_check *check)
{
    int status = ew_run_check_memory(&check->memory, &check->error);
    check->too_large = status != EW_OK;
    return check->overcommit ? EW_OK : status;
}

/* Makes the solver if it fits in memory; the plan is in memory already. */
static int ask_solver(struct case_check *check, const ew_host *host, ew_plan **plan)
{
    size_t bytes = 0;
    int status =
        ew_run_get_memory(&check->case_info.plan, check->problem, &check->mesh_info, &check->memory, &check->error);
    if (status == EW_OK)
        status = ew_solver_memory(check->mesh, check->problem, &bytes, NULL, &check->error);
    if (status != EW_OK)
        return status;
    check->memory.available += (double)ew_plan_bytes(*plan);
    if ((double)bytes > check->memory.available)
        return EW_OK;
    ew_solver *solver = NULL;
    status = ew_solver_of_plan(plan, check->problem, &solver, &check->error);
    if (status != EW_OK)
        return status;
    ew_solver_get_info(solver, &check->solver_info);
    ew_run_get_levels(&check->case_info.plan, solver, &check->levels);
    if (!check->elsewhere)
        status = ew_run_warn_of_state(host, &check->case_info.plan, check->problem, solver, &check->error);
    if (status == EW_OK)
        status = sample_case(check, &solver);
    ew_solver_destroy(solver);
    check->has_solver = status == EW_OK;
    return status;
}

int cli_examine_case(struct case_check *check)
{
    struct cli_case what = check->what;
    /* With `elsewhere`, the case outlives `check`. */
    const ew_host host = check->elsewhere ? cli_host : (ew_host){.log = warn_of, .context = check};
    ew_plan *plan = NULL;
    what.most_triangles = MOST_TRIANGLES;
    what.plan = &plan;
    int status = cli_read_case(&what, &host, &check->report, &check->that, &check->error);
    if (status != EW_OK)
        return cli_exit_code(status, EX_NOINPUT);
    check->mesh = ew_case_mesh(check->that);
    check->problem = ew_case_problem(check->that);
    ew_case_get_info(check->that, &check->case_info);
    ew_case_mesh_info(check->that, &check->mesh_info);
    ew_mesh_get_info(check->mesh, &check->made);
    check->scale = check->mesh_info.smallest_diameter / check->made.smallest_diameter;
    count_frames(check);
    for (int k = 0; k < EW_MAX_FIELDS; k++)
        if (ew_plan_media(plan, k, &check->medium[k].least, &check->medium[k].greatest))
            check->has_media = true;
    status = ask_solver(check, &host, &plan);
    ew_plan_destroy(plan);
    if (check->elsewhere && (status == EW_EUNAVAILABLE || status == EW_EDEVICE || status == EW_ENOMEM))
        return EX_OK;
    if (status == EW_OK && !check->elsewhere)
        status = check_room(check);
    if (status != EW_OK)
        cli_error("%s", check->error.message);
    return cli_exit_code(status, EX_NOINPUT);
}

int cli_check_case(const struct cli_case *what, ew_case **that, ew_error *error)
{
    struct case_check check = {.what = *what, .memory.available = NAN, .dt = NAN, .steps = NAN, .elsewhere = true};
    int code = cli_examine_case(&check);
    *that = check.that;
    *error = check.error;
    cli_free_report(&check.report);
    return code;
}
