/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd.h"
#include "writer.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum {
    MOST_FRAMES = 1000000,
    MOST_TRIANGLES = 1 << 16, /* of a rectangle that is made only to be looked at */
    SAMPLE_STEPS = 20         /* steps that are done to see how long they become */
};
#define SAMPLE_WORK 1e8 /* unknowns times stages times steps: less than a second */

/* What is to be said of a case; NaN and negative numbers are not known. */
struct check {
    const struct cmd_arguments *arguments;
    struct cmd_report report, warnings;
    ew_error error;
    ew_case *that;
    const ew_mesh *mesh;
    const ew_problem *problem;
    ew_case_info case_info;
    ew_mesh_info mesh_info;
    ew_solver_info solver_info;
    bool elsewhere;  /* the run will be on another machine */
    bool has_solver; /* solver_info and dt are known */
    bool too_large;  /* more memory is needed than there is */
    double scale;    /* diameter of the mesh's least triangle to that of the one that is looked at */
    double dt, later_dt, steps, available; /* later_dt: after `sampled` steps */
    int64_t sampled;
    size_t solver_bytes, device_bytes;
    bool frames_are_counted;
    double frames, file_mesh_bytes, frame_bytes, output_bytes, copy_bytes; /* in the file: the mesh, and a frame; memory for all output, and for one copy of the state */
};

/*
 * Steps of the length that they have now; waves may become faster or slower, so this is a guess. Between two frames there is a
 * whole number of steps.
 */
static double estimate_steps(const struct check *check, double time)
{
    double left = check->case_info.end - time, now = check->sampled > 0 ? check->later_dt : check->dt;
    double interval = (check->case_info.end - check->problem->time) / (check->frames > 1 ? check->frames - 1 : 1);
    double steps = (double)check->sampled;
    if (left > 0 && now > 0)
        steps += ceil(left / interval * ceil(interval / now * (1 - 1e-12)) * (1 - 1e-12));
    else if (left > 0)
        steps = NAN;
    return fmin(steps, check->case_info.steps < INT64_MAX ? (double)check->case_info.steps : INFINITY);
}

/*
 * Frames, and what they take: besides themselves, copies of the state that are not written yet, and what is evaluated of one. Beyond so
 * many frames that they need not be counted one by one, they are as far apart as those before.
 */
static void count_frames(struct check *check)
{
    double start = check->problem->time, time = start;
    int64_t counted = 1;
    for (; time < check->case_info.end && counted < MOST_FRAMES; counted++) {
        double next = ew_case_next_output(check->that, time);
        if (!(next > time))
            break;
        time = next;
    }
    check->frames = (double)counted;
    check->frames_are_counted = counted < MOST_FRAMES;
    if (!check->frames_are_counted)
        check->frames += ceil((check->case_info.end - time) / (time - start) * (double)(counted - 1) * (1 - 1e-12));
    check->frame_bytes = ew_fields_frame_bytes(check->that, NULL);
    check->file_mesh_bytes = ew_fields_mesh_bytes(check->that);
    check->output_bytes = cmd_writer_memory(check->that, &check->copy_bytes);
}

/* The first steps are often the longest: waves only begin to run. A coarser mesh has fewer, longer ones. */
static int sample_steps(struct check *check, ew_solver *solver)
{
    const ew_solver_info *info = &check->solver_info;
    ew_mesh_info mesh;
    ew_mesh_get_info(check->mesh, &mesh);
    double work = (double)mesh.elements * info->basis * info->law->variables * info->stages;
    int64_t most = work * SAMPLE_STEPS > SAMPLE_WORK ? (int64_t)(SAMPLE_WORK / work) : SAMPLE_STEPS;
    if (check->case_info.steps < most)
        most = check->case_info.steps;
    enum ew_stop stop;
    int status = EW_OK;
    while (status == EW_OK && ew_solver_steps(solver) < most && ew_solver_time(solver) < check->case_info.end)
        status = ew_solver_advance(solver, ew_case_next_output(check->that, ew_solver_time(solver)), 1, &stop, &check->error);
    check->sampled = ew_solver_steps(solver);
    return status;
}

/* How long the next step is; the last one may have been cut at an output time. A state that is set anew has had no step. */
static int ask_next_step(struct check *check, ew_solver *solver)
{
    const ew_solver_info *info = &check->solver_info;
    ew_mesh_info mesh;
    ew_mesh_get_info(check->mesh, &mesh);
    size_t count = (size_t)mesh.elements * (size_t)(info->basis * info->law->variables);
    double *state = cmd_allocate(count * sizeof *state);
    int status = ew_solver_get_coefficients(solver, state, &check->error);
    if (status == EW_OK)
        status = ew_solver_set_coefficients(solver, state, ew_solver_time(solver), ew_solver_steps(solver), &check->error);
    free(state);
    return status == EW_OK ? ew_solver_time_step(solver, &check->later_dt, &check->error) : status;
}

/* The solver itself says how long its steps are. */
static int look_ahead(struct check *check, ew_solver *solver)
{
    int status = ew_solver_time_step(solver, &check->dt, &check->error);
    if (status != EW_OK)
        return status;
    check->dt *= check->scale;
    if (check->elsewhere)
        return EW_OK;
    status = sample_steps(check, solver);
    if (status == EW_ESTATE && check->case_info.coarser) { /* which the finer one may survive */
        cmd_error("warning: on a coarser mesh %s", check->error.message);
        check->sampled = 0;
        status = EW_OK;
    }
    if (status == EW_OK && check->sampled > 0)
        status = ask_next_step(check, solver);
    check->later_dt *= check->scale;
    if (check->case_info.coarser) /* steps of another length have been done there */
        check->steps = estimate_steps(check, check->problem->time + (double)check->sampled * check->later_dt);
    else
        check->steps = estimate_steps(check, ew_solver_time(solver));
    return status;
}

static void warn(struct check *check, const char *sentence)
{
    struct cmd_report *warnings = &check->warnings;
    cmd_error("warning: %s", sentence);
    warnings->sentence = cmd_reallocate(warnings->sentence, (warnings->count + 1) * sizeof *warnings->sentence);
    warnings->sentence[warnings->count++] = cmd_copy(sentence);
}

static const char *kind_of(const ew_problem *problem, const char *name)
{
    for (size_t k = 0; k < problem->boundaries; k++)
        if (strcmp(problem->boundary[k].name, name) == 0)
            return problem->boundary[k].kind;
    return NULL;
}

/* A limiter takes off what grows at a boundary that only copies. */
static void look_at_copies(struct check *check, ew_solver *solver)
{
    const char *name, *kind;
    for (int32_t k = 0; (name = ew_mesh_boundary(check->mesh, k, NULL)) != NULL; k++) {
        char sentence[512];
        double share = 0;
        kind = kind_of(check->problem, name);
        if (!kind || strcmp(kind, "copy") != 0 || strcmp(check->solver_info.limiter, "none") != 0 ||
            ew_solver_inflow(solver, k, &share, &check->error) != EW_OK || !(share > 0))
            continue;
        snprintf(sentence, sizeof sentence,
                 "boundary \"%.100s\": at the start the flow enters or rests along %.3g %% of it, where kind \"copy\" "
                 "is unstable without a limiter; give it a state by another kind, for example \"far\"",
                 name, 100 * share);
        warn(check, sentence);
    }
}

/* As "run" would refuse it; what can be looked at is looked at all the same. */
static int check_room(struct check *check)
{
    double output = check->device_bytes > 0 ? cmd_writer_memory_without_copies(check->that) : check->output_bytes;
    int status = cmd_check_room((double)check->mesh_info.bytes, (double)check->solver_bytes, output, check->available, &check->error);
    check->too_large = status != EW_OK;
    return check->arguments->overcommit ? EW_OK : status;
}

/* It is made only if there is room for it. */
static int ask_solver(struct check *check)
{
    ew_host host = {.log = cmd_log};
    size_t bytes = 0;
    int status = ew_solver_memory_for(&check->mesh_info, check->problem, &check->solver_bytes, &check->device_bytes, &check->error);
    if (status == EW_OK)
        status = ew_solver_memory(check->mesh, check->problem, &bytes, NULL, &check->error);
    if (status != EW_OK)
        return status;
    check->available = cmd_available_memory();
    if ((double)bytes > check->available)
        return EW_OK;
    ew_solver *solver = NULL;
    status = ew_solver_create(&host, check->mesh, check->problem, &solver, &check->error);
    if (status != EW_OK)
        return status;
    ew_solver_get_info(solver, &check->solver_info);
    if (!check->elsewhere)
        look_at_copies(check, solver);
    status = look_ahead(check, solver);
    ew_solver_destroy(solver);
    check->has_solver = status == EW_OK;
    return status;
}

static int examine(struct check *check)
{
    ew_host host = {.log = cmd_log};
    struct cmd_arguments arguments = *check->arguments;
    arguments.most_triangles = MOST_TRIANGLES;
    int status = cmd_read_case(&arguments, &host, &check->report, &check->that, &check->error);
    if (status != EW_OK)
        return cmd_exit_code(status, EX_NOINPUT);
    check->mesh = ew_case_mesh(check->that);
    check->problem = ew_case_problem(check->that);
    ew_case_get_info(check->that, &check->case_info);
    ew_case_mesh_info(check->that, &check->mesh_info);
    ew_mesh_info made;
    ew_mesh_get_info(check->mesh, &made);
    check->scale = check->mesh_info.smallest_diameter / made.smallest_diameter;
    count_frames(check);
    status = ask_solver(check);
    if (check->elsewhere && (status == EW_EUNAVAILABLE || status == EW_EDEVICE || status == EW_ENOMEM))
        return EX_OK;
    if (status == EW_OK && !check->elsewhere)
        status = check_room(check);
    if (status != EW_OK)
        cmd_error("%s", check->error.message);
    return cmd_exit_code(status, EX_NOINPUT);
}

int cmd_check_case(const struct cmd_arguments *arguments, ew_case **that, ew_error *error)
{
    struct check check = {.arguments = arguments, .dt = NAN, .steps = NAN, .available = NAN, .elsewhere = true};
    int code = examine(&check);
    *that = check.that;
    *error = check.error;
    cmd_free_report(&check.report);
    return code;
}

static void print_mesh(const struct check *check)
{
    const ew_mesh_info *mesh = &check->mesh_info;
    ew_mesh_info made;
    printf("  mesh       %s: %lld elements, %lld edges, %lld nodes\n", check->case_info.mesh, (long long)mesh->elements,
           (long long)mesh->edges, (long long)mesh->nodes);
    printf("             x %.9g .. %.9g, y %.9g .. %.9g, area %.9g\n", mesh->xmin, mesh->xmax, mesh->ymin, mesh->ymax,
           mesh->area);
    printf("             inscribed circles: diameter %.4g .. %.4g\n", mesh->smallest_diameter, mesh->largest_diameter);
    if (mesh->reoriented > 0)
        printf("             %lld clockwise triangle%s turned\n", (long long)mesh->reoriented,
               mesh->reoriented == 1 ? " was" : "s were");
    int64_t edges;
    const char *name;
    for (int32_t k = 0; (name = ew_mesh_boundary(check->mesh, k, &edges)) != NULL; k++) {
        const char *kind = kind_of(check->problem, name);
        printf("  boundary   %s: %s", name, kind ? kind : "not given");
        if (!check->case_info.coarser)
            printf(", %lld edge%s", (long long)edges, edges == 1 ? "" : "s");
        putchar('\n');
    }
    if (check->case_info.coarser) {
        ew_mesh_get_info(check->mesh, &made);
        printf("  looked at  a coarser mesh of %lld elements, from which steps are estimated\n", (long long)made.elements);
    }
}

static void print_memory(const struct check *check)
{
    char mesh[32], solver[32], output[32], available[32];
    double total = (double)check->solver_bytes + (double)check->mesh_info.bytes + check->output_bytes;
    printf("  memory     mesh %s, solver %s, output %s: %.0f bytes", cmd_bytes((double)check->mesh_info.bytes, mesh, sizeof mesh),
           cmd_bytes((double)check->solver_bytes, solver, sizeof solver), cmd_bytes(check->output_bytes, output, sizeof output), total);
    if (!isnan(check->available))
        printf("; %s%s available", check->too_large ? "too much: only " : "",
               cmd_bytes(check->available, available, sizeof available));
    if (check->device_bytes > 0)
        printf("; %s on the GPU, and %s for frames if they are there", cmd_bytes((double)check->device_bytes, solver, sizeof solver),
               cmd_bytes(check->copy_bytes, output, sizeof output));
    putchar('\n');
}

static void print_solver(const struct check *check)
{
    const ew_solver_info *info = &check->solver_info;
    if (!check->has_solver) {
        printf("  time       not known: there is too little memory to make the solver\n");
        return;
    }
    double unknowns = (double)check->mesh_info.elements * info->basis * info->law->variables;
    printf("  scheme     %s, order %d, flux %s, limiter %s, %s, CFL %.4g, %.0f unknowns\n", info->law->name, info->order,
           info->flux, info->limiter, info->scheme, info->cfl, unknowns);
    printf("  backend    %s, %s kernels (%s)\n", info->backend, info->kernels, info->device);
    if (info->choice[0])
        printf("             %s\n", info->choice);
    printf("  time       from %.9g to %.9g; the first step is %.4g", check->problem->time, check->case_info.end, check->dt);
    if (check->steps <= (double)check->sampled)
        printf(", and there are %lld steps", (long long)check->sampled);
    else if (check->sampled > 0)
        printf(", number %lld is %.4g", (long long)check->sampled + 1, check->later_dt);
    if (isfinite(check->steps) && check->steps > (double)check->sampled)
        printf(check->steps < 1e15 ? ": about %.0f step%s if they stay so" : ": about %.3g step%s if they stay so", check->steps,
               check->steps == 1 ? "" : "s");
    if (check->problem->steady > 0)
        printf(", unless it is steady before");
    putchar('\n');
}

static void print_check(const struct check *check)
{
    const ew_case_info *info = &check->case_info;
    char mesh[32], frame[32], all[32];
    printf("%s\n", info->title && info->title[0] ? info->title : info->name);
    print_mesh(check);
    print_solver(check);
    print_memory(check);
    printf("  output     %s.nc, mesh %s and %s%.*g frames of %s: %s%s\n", info->name, cmd_bytes(check->file_mesh_bytes, mesh, sizeof mesh), check->frames_are_counted ? "" : "about ",
           check->frames < 1e15 ? 15 : 3, check->frames, cmd_bytes(check->frame_bytes, frame, sizeof frame),
           cmd_bytes(check->file_mesh_bytes + check->frame_bytes * check->frames, all, sizeof all),
           info->compression > 0 ? " before compression" : "");
    if (!check->too_large)
        printf("  next       edgewise run %s\n", check->arguments->case_path);
}

static void put_errors(struct cmd_json *json, const struct check *check, int code)
{
    cmd_json_open(json, "errors", '[');
    for (size_t k = 0; k < check->report.count; k++)
        cmd_json_text(json, NULL, check->report.sentence[k]);
    if (code != EX_OK && check->report.count == 0)
        cmd_json_text(json, NULL, check->error.message);
    cmd_json_close(json, ']');
}

static void put_warnings(struct cmd_json *json, const struct check *check)
{
    cmd_json_open(json, "warnings", '[');
    for (size_t k = 0; k < check->warnings.count; k++)
        cmd_json_text(json, NULL, check->warnings.sentence[k]);
    cmd_json_close(json, ']');
}

static void put_boundaries(struct cmd_json *json, const struct check *check)
{
    int64_t edges;
    const char *name;
    cmd_json_open(json, "boundaries", '[');
    for (int32_t k = 0; (name = ew_mesh_boundary(check->mesh, k, &edges)) != NULL; k++) {
        cmd_json_open(json, NULL, '{');
        cmd_json_text(json, "name", name);
        cmd_json_text(json, "kind", kind_of(check->problem, name));
        if (check->case_info.coarser)
            cmd_json_null(json, "edges");
        else
            cmd_json_integer(json, "edges", edges);
        cmd_json_close(json, '}');
    }
    cmd_json_close(json, ']');
}

static void put_case(struct cmd_json *json, const struct check *check)
{
    const ew_mesh_info *mesh = &check->mesh_info;
    cmd_json_text(json, "mesh", check->case_info.mesh);
    cmd_json_integer(json, "elements", mesh->elements);
    cmd_json_integer(json, "edges", mesh->edges);
    cmd_json_integer(json, "nodes", mesh->nodes);
    cmd_json_number(json, "area", mesh->area);
    cmd_json_number(json, "smallest_diameter", mesh->smallest_diameter);
    cmd_json_integer(json, "reoriented", mesh->reoriented);
    put_boundaries(json, check);
    cmd_json_integer(json, "mesh_bytes", (int64_t)mesh->bytes);
    cmd_json_integer(json, "solver_bytes", (int64_t)check->solver_bytes);
    cmd_json_integer(json, "device_bytes", (int64_t)check->device_bytes);
    cmd_json_integer(json, "output_bytes", (int64_t)check->output_bytes);
    cmd_json_number(json, "available_bytes", check->available);
    if (check->frames < 0x1p53)
        cmd_json_integer(json, "frames", (int64_t)check->frames);
    else
        cmd_json_number(json, "frames", check->frames);
    cmd_json_number(json, "frame_bytes", check->frame_bytes);
    cmd_json_number(json, "file_mesh_bytes", check->file_mesh_bytes);
    cmd_json_number(json, "start", check->problem->time);
    cmd_json_number(json, "end", check->case_info.end);
    ew_mesh_info made;
    ew_mesh_get_info(check->mesh, &made);
    cmd_json_integer(json, "sampled_elements", made.elements);
    cmd_json_integer(json, "sampled_steps", check->sampled);
    cmd_json_number(json, "dt", check->dt);
    cmd_json_number(json, "dt_sampled", check->later_dt);
    cmd_json_number(json, "steps_estimate", check->steps);
}

static void put_solver(struct cmd_json *json, const struct check *check)
{
    const ew_solver_info *info = &check->solver_info;
    cmd_json_text(json, "law", info->law->name);
    cmd_json_integer(json, "order", info->order);
    cmd_json_text(json, "flux", info->flux);
    cmd_json_text(json, "limiter", info->limiter);
    cmd_json_text(json, "scheme", info->scheme);
    cmd_json_number(json, "cfl", info->cfl);
    cmd_json_integer(json, "unknowns", check->mesh_info.elements * info->basis * info->law->variables);
    cmd_json_text(json, "backend", info->backend);
    cmd_json_text(json, "kernels", info->kernels);
    cmd_json_text(json, "device", info->device);
}

static void print_json(const struct check *check, int code)
{
    struct cmd_json json = {.file = stdout};
    cmd_json_open(&json, NULL, '{');
    cmd_json_text(&json, "case", check->arguments->case_path);
    cmd_json_bool(&json, "ok", code == EX_OK);
    put_errors(&json, check, code);
    put_warnings(&json, check);
    if (check->that)
        put_case(&json, check);
    if (check->has_solver)
        put_solver(&json, check);
    cmd_json_close(&json, '}');
    putchar('\n');
}

static int check_case(const struct cmd_arguments *arguments)
{
    struct check check = {.arguments = arguments, .dt = NAN, .later_dt = NAN, .steps = NAN, .available = NAN};
    int code = examine(&check);
    if (arguments->json)
        print_json(&check, code);
    else if (code == EX_OK || check.too_large)
        print_check(&check);
    ew_case_destroy(check.that);
    cmd_free_report(&check.report);
    cmd_free_report(&check.warnings);
    return cmd_finish_stdout(code);
}

static const struct cmd_option options[] = {
    CMD_BACKEND_OPTION,
    CMD_ORDER_OPTION,
    CMD_END_OPTION,
    CMD_STEPS_OPTION,
    CMD_SET_OPTION,
    CMD_OVERCOMMIT_OPTION,
    {.name = "json", .kind = CMD_FLAG, .member = offsetof(struct cmd_arguments, json),
     .text = "print one JSON object in place of the summary"},
    CMD_HELP_OPTION,
    {.name = NULL},
};

const struct cmd_command cmd_check = {
    .name = "check",
    .operand = "CASE.cfg",
    .summary = "Reads a case with all that it names and reports every error at once",
    .text = "Prints what a run would be: mesh, scheme, memory, how long time steps are. Writes nothing.",
    .options = options,
    .run = check_case,
};
