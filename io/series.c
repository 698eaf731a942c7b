/* SPDX-License-Identifier: BSD-2-Clause */
/* Time series as text. Each line is one write: readers see whole lines, and a killed run loses none. */
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_file.h"
#include "ewi_host.h"
#include "ewi_output_file.h"
#include "ewi_text.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ew_series {
    struct ewi_arena memory; /* for all members below */
    struct ewi_target target;
    char *name;
    char *source;   /* the file with the lines before a restart; empty: none */
    int64_t aside;  /* > 0: earlier runs' files are not replaced, but renamed as of before that step */
    bool superseded[EWI_PARTIALS]; /* the file of that word has no lines that this one lacks */
    int descriptor; /* of target.part, or -1 */
    bool owns_part, closed;
    int64_t last;   /* step of the last line, or -1 */
    const char *why; /* resumed run: why it has no earlier lines */
    const ew_run_plan *plan;
    int outputs, output[EWI_MOST_OUTPUTS]; /* per probe */
    const ew_mesh *mesh;
    const ew_law *law;
    struct ewi_origin origin;
    size_t room, length; /* room: of `line` */
    char *line;
    bool outflow;   /* the flux through boundaries is integrated over time */
    double *values; /* [outputs]: of one probe */
};

/* ---- lines ------------------------------------------------------------------------------------------------------- */

enum { COLUMN = 320 }; /* bound for the bytes of a column's name or number */

__attribute__((format(printf, 2, 3))) static void add(struct ew_series *series, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = ewi_vsnprintf(series->line + series->length, series->room - series->length, format, arguments);
    va_end(arguments);
    series->length += (size_t)length < series->room - series->length ? (size_t)length : series->room - series->length -
                      1;
}

static void add_number(struct ew_series *series, double value)
{
    add(series, ",%.17g", value);
}

/* A boundary's name may contain column separators. */
static void add_boundary(struct ew_series *series, const char *what, int32_t k)
{
    add(series, ",%s_", what);
    for (const char *c = ew_mesh_boundary(series->mesh, k, NULL); *c; c++)
        add(series, "%c", strchr(EWI_NOT_IN_COLUMNS, *c) ? '_' : *c);
}

static void add_boundaries(struct ew_series *series, const char *what)
{
    for (int k = 0; k < series->plan->fluxes; k++)
        for (int m = 0; m < series->law->variables; m++) {
            add_boundary(series, what, series->plan->flux[k]);
            add(series, "_%s", series->law->conserved[m]);
        }
}

static void make_header(struct ew_series *series, const ew_solver *solver)
{
    const ew_run_plan *plan = series->plan;
    const ew_law *law = series->law;
    series->length = 0;
    add(series, "step,time,dt");
    for (int m = 0; m < law->variables; m++)
        add(series, ",total_%s", law->conserved[m]);
    for (int m = 0; plan->series_residuals && m < law->variables; m++)
        add(series, ",residual_%s", law->conserved[m]);
    add_boundaries(series, "flux");
    if (series->outflow)
        add_boundaries(series, "outflow");
    for (int k = 0; k < plan->probes; k++)
        for (int n = 0; n < series->outputs; n++)
            add(series, ",%s_%s", plan->probe[k].name, ew_solver_output(solver, series->output[n], NULL));
    for (int k = 0; k < plan->bodies; k++) {
        const char *number;
        for (int n = 0; (number = ew_force_number(law, NULL, n, NULL)); n++)
            add(series, ",%s_%s", plan->body[k].name, number);
    }
    add(series, "\n");
}

static int add_totals(struct ew_series *series, ew_solver *solver, ew_error *error)
{
    ew_norms norms;
    TRY(ew_solver_norms(solver, &norms, error));
    for (int m = 0; m < series->law->variables; m++)
        add_number(series, norms.total[m]);
    return EW_OK;
}

struct residual {
    double *rate, *xy; /* [elements][variables][basis], [nodes][2] */
    int64_t *triangle; /* [elements][3] */
};

/*
 * Sums squares of coefficients, since the basis is orthonormal on the reference triangle. File order makes the sum
 * independent of the backend.
 */
static void add_squares(const struct residual *residual, int64_t e, int variables, int basis, double *square)
{
    const int64_t *node = residual->triangle + 3 * e;
    const double *a = residual->xy + 2 * node[0], *b = residual->xy + 2 * node[1], *c = residual->xy + 2 * node[2];
    double det = fabs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    for (int m = 0; m < variables; m++) {
        const double *rate = residual->rate + (e * variables + m) * basis;
        double sum = 0;
        for (int j = 0; j < basis; j++)
            sum += rate[j] * rate[j];
        square[m] += det * sum;
    }
}

int ew_series_residual(ew_solver *solver, double *norm, ew_error *error)
{
    EWI_REQUIRE(solver, norm);
    ew_solver_info info;
    ew_mesh_info mesh;
    ew_solver_get_info(solver, &info);
    ew_mesh_get_info(info.mesh, &mesh);
    const int variables = info.law->variables;
    double square[EW_MAX_VARIABLES] = {0};
    struct ewi_arena memory = {.host = ewi_host_or_default(NULL)};
    struct residual residual = {
        .rate = ewi_arena_alloc(&memory, (size_t)mesh.elements * (size_t)(variables * info.basis), sizeof(double)),
        .xy = ewi_arena_alloc(&memory, 2 * (size_t)mesh.nodes, sizeof(double)),
        .triangle = ewi_arena_alloc(&memory, 3 * (size_t)mesh.elements, sizeof(int64_t))};
    int status = memory.lacks ? ewi_fail(error, EW_ENOMEM, "not enough memory for the residuals")
                              : ew_solver_get_residual(solver, residual.rate, error);
    if (status == EW_OK) {
        ew_mesh_get_nodes(info.mesh, residual.xy);
        ew_mesh_get_triangles(info.mesh, residual.triangle);
        for (int64_t e = 0; e < mesh.elements; e++)
            add_squares(&residual, e, variables, info.basis, square);
        for (int m = 0; m < variables; m++)
            norm[m] = sqrt(square[m] / mesh.area);
    }
    ewi_arena_free(&memory);
    return status;
}

static int add_residuals(struct ew_series *series, ew_solver *solver, ew_error *error)
{
    double norm[EW_MAX_VARIABLES];
    if (!series->plan->series_residuals)
        return EW_OK;
    TRY(ew_series_residual(solver, norm, error));
    for (int m = 0; m < series->law->variables; m++)
        add_number(series, norm[m]);
    return EW_OK;
}

static int add_fluxes(struct ew_series *series, ew_solver *solver, ew_error *error)
{
    for (int k = 0; k < series->plan->fluxes; k++) {
        ew_boundary_integrals integrals;
        TRY(ew_solver_boundary(solver, series->plan->flux[k], &integrals, error));
        for (int m = 0; m < series->law->variables; m++)
            add_number(series, integrals.flux[m]);
    }
    return EW_OK;
}

static int add_outflows(struct ew_series *series, ew_solver *solver, ew_error *error)
{
    for (int k = 0; series->outflow && k < series->plan->fluxes; k++) {
        double outflow[EW_MAX_VARIABLES];
        TRY(ew_solver_outflow(solver, series->plan->flux[k], outflow, error));
        for (int m = 0; m < series->law->variables; m++)
            add_number(series, outflow[m]);
    }
    return EW_OK;
}

static int add_probes(struct ew_series *series, ew_solver *solver, ew_error *error)
{
    const ew_run_plan *plan = series->plan;
    for (int k = 0; k < plan->probes; k++) {
        const ew_series_probe *probe = &plan->probe[k];
        TRY(ew_solver_sample_outputs(solver, probe->element, 1, 1, probe->rs, series->outputs, series->output,
                                     series->values, error));
        for (int n = 0; n < series->outputs; n++)
            add_number(series, series->values[n]);
    }
    return EW_OK;
}

int ew_series_body_force(const ew_series_body *body, ew_solver *solver, ew_force *result, ew_error *error)
{
    EWI_REQUIRE(body, solver);
    EWI_REQUIRE_AS(result, "force");
    double x = 0, y = 0, moment = 0, friction[2] = {0, 0}, heat = 0;
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    TRY(ewi_check_body(info.mesh, body, error));
    for (int b = 0; b < body->boundaries; b++) {
        ew_boundary_integrals integrals;
        TRY(ew_solver_boundary(solver, body->boundary[b], &integrals, error));
        x += integrals.force[0];
        y += integrals.force[1];
        moment += integrals.moment;
        friction[0] += integrals.friction[0];
        friction[1] += integrals.friction[1];
        heat += integrals.heat;
    }
    moment -= body->point[0] * y - body->point[1] * x;
    double scale = 0.5 * body->density * body->speed * body->speed * body->length;
    const double *along = body->direction;
    *result = (ew_force){.force = {x, y}, .drag = (x * along[0] + y * along[1]) / scale,
                         .lift = (y * along[0] - x * along[1]) / scale, .moment = moment,
                         .moment_coefficient = moment / (scale * body->length), .drag_pressure = NAN,
                         .drag_friction = NAN, .lift_pressure = NAN, .lift_friction = NAN, .heat = NAN};
    if (!info.law->viscous)
        return EW_OK;
    result->drag_friction = (friction[0] * along[0] + friction[1] * along[1]) / scale;
    result->lift_friction = (friction[1] * along[0] - friction[0] * along[1]) / scale;
    result->drag_pressure = result->drag - result->drag_friction;
    result->lift_pressure = result->lift - result->lift_friction;
    result->heat = heat;
    return EW_OK;
}

const char *ew_force_number(const ew_law *law, const ew_force *force, int index, double *value)
{
    enum { SHARED = 6 }; /* numbers of laws without viscosity */
    static const ew_force zero;
    const ew_force *from = force ? force : &zero;
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"x", from->force[0]}, {"y", from->force[1]}, {"drag", from->drag}, {"lift", from->lift},
                   {"moment", from->moment}, {"moment_coefficient", from->moment_coefficient},
                   {"drag_pressure", from->drag_pressure}, {"drag_friction", from->drag_friction},
                   {"lift_pressure", from->lift_pressure}, {"lift_friction", from->lift_friction},
                   {"heat", from->heat}};
    int count = law && law->viscous ? (int)(sizeof numbers / sizeof *numbers) : SHARED;
    if (index < 0 || index >= count)
        return NULL;
    if (value)
        *value = numbers[index].value;
    return numbers[index].name;
}

static int add_forces(struct ew_series *series, ew_solver *solver, ew_error *error)
{
    for (int k = 0; k < series->plan->bodies; k++) {
        ew_force force;
        double value;
        TRY(ew_series_body_force(&series->plan->body[k], solver, &force, error));
        for (int n = 0; ew_force_number(series->law, &force, n, &value); n++)
            add_number(series, value);
    }
    return EW_OK;
}

static int write_failure(const struct ew_series *series, int number, ew_error *error)
{
    return ewi_fail(error, ewi_write_code(number), "cannot write the time series to %s: %s", series->target.part,
                    ewi_write_error(number));
}

/* Writes the text; truncates the file if only a part of it was written. */
static int put(struct ew_series *series, const char *text, size_t length, ew_error *error)
{
    off_t before = lseek(series->descriptor, 0, SEEK_END);
    for (size_t done = 0; done < length;) {
        ssize_t written = write(series->descriptor, text + done, length - done);
        if (written < 0 && errno != EINTR) {
            int number = errno;
            if (before < 0 || ftruncate(series->descriptor, before) != 0)
                series->closed = true;
            return write_failure(series, number, error);
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return EW_OK;
}

int ew_series_write(ew_series *series, ew_solver *solver, ew_error *error)
{
    EWI_REQUIRE(series, solver);
    double dt;
    TRY(ewi_origin_check(&series->origin, solver, series->target.path, error));
    if (series->closed)
        return ewi_fail(error, EW_EINVAL, "no line can be added to %s: it is closed", series->target.path);
    series->length = 0;
    TRY(ew_solver_time_step(solver, &dt, error));
    add(series, "%lld,%.17g,%.17g", (long long)ew_solver_steps(solver), ew_solver_time(solver), dt);
    TRY(add_totals(series, solver, error));
    TRY(add_residuals(series, solver, error));
    TRY(add_fluxes(series, solver, error));
    TRY(add_outflows(series, solver, error));
    TRY(add_probes(series, solver, error));
    TRY(add_forces(series, solver, error));
    add(series, "\n");
    TRY(put(series, series->line, series->length, error));
    series->last = ew_solver_steps(solver);
    return EW_OK;
}

/* ---- resuming ---------------------------------------------------------------------------------------------------- */

static char *read_file(const struct ew_series *series, const char *path, size_t *length)
{
    struct stat info;
    int descriptor = openat(series->target.folder, ewi_file_name(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return NULL;
    char *text = NULL;
    *length = 0;
    if (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode))
        text = ewi_alloc(&series->memory.host, (size_t)info.st_size + 1, 1);
    if (text)
        *length = ewi_read_bytes(descriptor, 0, text, (size_t)info.st_size);
    close(descriptor);
    return text;
}

/*
 * Moves the kept lines to the front: the header, the first line, and the plan's lines after it up to `step`. Returns
 * their length, or 0 if one is missing. The first line is at step 0, or at the step at which a run resumed without
 * lines.
 */
static size_t keep_lines(struct ew_series *series, char *text, size_t length, int64_t step)
{
    if (length < series->length || memcmp(text, series->line, series->length) != 0) {
        series->why = "have other columns";
        return 0;
    }
    size_t kept = series->length;
    int64_t due = -1, every = series->plan->series_steps;
    for (char *line = text + kept, *end; (end = memchr(line, '\n', length - (size_t)(line - text))) != NULL;
         line = end + 1) {
        char *comma;
        int64_t number = strtoll(line, &comma, 10);
        if (comma == line || *comma != ',' || number > step)
            break;
        if (due >= 0 && number > due)
            series->why = "have another output.series.steps";
        if (due >= 0 && number != due)
            continue;
        memmove(text + kept, line, (size_t)(end + 1 - line));
        kept += (size_t)(end + 1 - line);
        series->last = number;
        due = (number / every + 1) * every;
    }
    return due > step ? kept : 0;
}

/* Drops the line of a run's final state, which may not be in the plan. */
static size_t without_last_line(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == '\n')
        length--;
    while (length > 0 && text[length - 1] != '\n')
        length--;
    return length;
}

/* Notes files of earlier attempts whose lines are all in ours. A killed run may have resumed from them. */
static void note_superseded(struct ew_series *series, const char *text, size_t kept)
{
    for (int k = 0; k < EWI_PARTIALS; k++) {
        size_t length;
        ewi_target_name(&series->target, ewi_partial[k], series->name);
        char *other = read_file(series, series->name, &length);
        size_t common = other ? without_last_line(other, length) : 0;
        if (common <= series->length) /* at least the header */
            common = length;
        series->superseded[k] = other && common <= kept && memcmp(other, text, common) == 0;
        ewi_free(&series->memory.host, other);
    }
}

/* *text is NULL if there are no lines to keep. */
/* Names the k-th file that may have the lines; false: no more. A killed run's lines may be in NAME.before.csv. */
static bool name_source(struct ew_series *series, int k)
{
    const struct ewi_target *target = &series->target;
    char word[16] = "before";
    int before = k - EWI_PARTIALS - 1;
    if (k == 0 || before == 0)
        ewi_snprintf(series->source, ewi_target_room(target), "%s", k == 0 ? target->part : target->path);
    else if (before > 1)
        ewi_snprintf(word, sizeof word, "before.%d", before);
    if (k > 0 && before != 0)
        ewi_target_name(target, before < 0 ? ewi_partial[k - 1] : word, series->source);
    return before < 1 || (before < 1000 && ewi_target_has(target, series->source));
}

static void take_over(struct ew_series *series, int64_t step, char **text, size_t *kept)
{
    *text = NULL;
    for (int k = 0; name_source(series, k); k++) {
        size_t length;
        *text = read_file(series, series->source, &length);
        *kept = *text ? keep_lines(series, *text, length, step) : 0;
        if (*kept > 0) {
            note_superseded(series, *text, *kept);
            return;
        }
        ewi_free(&series->memory.host, *text);
        *text = NULL;
    }
    series->last = -1;
    series->source[0] = '\0';
}

/* Renames an earlier file whose lines are not kept: it may be the first part of a long run. */
static int make_way(struct ew_series *series, const char *path, ew_error *error)
{
    if (series->aside <= 0 || !ewi_target_has(&series->target, path))
        return EW_OK;
    char *name = ewi_target_aside(&series->memory, &series->target, series->aside);
    return name ? ewi_target_rename(&series->target, path, name, error)
                : ewi_no_memory_to_write(series->target.path, error);
}

static void log_aside(struct ew_series *series, int64_t step)
{
    const struct ewi_target *target = &series->target;
    const char *file = target->path, *there = ewi_target_has(target, target->part) ? target->part
                                              : ewi_target_has(target, file)       ? file
                                                                                   : NULL;
    char *name = there ? ewi_target_aside(&series->memory, target, step) : NULL;
    ewi_log(&series->memory.host, EW_LOG_WARNING, "the lines of %s up to step %lld %s; it will start there%s%s%s%s",
            file, (long long)step, series->why, name ? ", and what is now " : "", name ? there : "",
            name ? " becomes " : "", name ? name : "");
}

/* The new file replaces "path.part" only once it has the kept lines. */
static int fill_fresh(struct ew_series *series, const char *fresh, const char *text, size_t length, ew_error *error)
{
    TRY(put(series, text, length, error));
    TRY(make_way(series, series->target.part, error));
    if (ewi_sync(series->descriptor) != 0)
        return write_failure(series, errno, error);
    return ewi_target_rename(&series->target, fresh, series->target.part, error);
}

static int begin(struct ew_series *series, const char *text, size_t length, ew_error *error)
{
    size_t size = strlen(series->target.part) + sizeof ".new";
    char *fresh = ewi_arena_alloc(&series->memory, size, 1);
    if (!fresh)
        return ewi_no_memory_to_write(series->target.path, error);
    ewi_snprintf(fresh, size, "%s.new", series->target.part);
    const struct ewi_target *target = &series->target;
    series->descriptor = ewi_make_file(target->folder, ewi_file_name(fresh));
    int status = series->descriptor < 0 ? ewi_target_failed(fresh, errno, error) : EW_OK;
    if (status == EW_OK)
        status = fill_fresh(series, fresh, text, length, error);
    if (status != EW_OK && series->descriptor >= 0)
        ewi_target_remove(target, fresh);
    series->owns_part = status == EW_OK;
    return status;
}

/* ---- opening and closing ----------------------------------------------------------------------------------------- */

static int prepare(struct ew_series *series, const ew_solver *solver, const char *path, ew_error *error)
{
    const ew_run_plan *plan = series->plan;
    struct ewi_arena *memory = &series->memory;
    TRY(ewi_target_set(memory, path, &series->target, error));
    size_t columns = 4 + (size_t)series->law->variables * (size_t)(2 + 2 * plan->fluxes) + 4 * (size_t)plan->bodies +
                     (size_t)plan->probes * (size_t)series->outputs;
    series->room = COLUMN * columns;
    series->line = ewi_arena_alloc(memory, series->room, 1);
    series->values = ewi_arena_alloc(memory, (size_t)series->outputs, sizeof *series->values);
    series->name = ewi_arena_alloc(memory, ewi_target_room(&series->target), 1);
    series->source = ewi_arena_alloc(memory, ewi_target_room(&series->target), 1);
    if (memory->lacks)
        return ewi_no_memory_to_write(path, error);
    make_header(series, solver);
    return ewi_target_check(&series->target, series->name, error);
}

int ew_series_create(const ew_host *host, const char *path, const ew_run_plan *plan, const ew_solver *solver,
                     int64_t goes_on, ew_series **result, ew_error *error)
{
    EWI_REQUIRE(path, plan, solver);
    EWI_REQUIRE_AS(result, "series");
    int status;
    TRY(ewi_plan_check(plan, solver, error));
    size_t kept = 0;
    char *text = NULL;
    ew_host own = ewi_host_or_default(host);
    struct ew_series *series = ewi_alloc(&own, 1, sizeof *series);
    if (!series)
        return ewi_no_memory_to_write(path, error);
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    series->memory.host = own;
    series->descriptor = -1;
    series->last = -1;
    series->why = "are not there";
    series->plan = plan;
    series->mesh = info.mesh;
    series->law = info.law;
    series->outflow = info.outflow;
    series->origin = ewi_origin_of(solver);
    series->outputs = ewi_plan_outputs(plan, info.law, series->output);
    EWI_TRY(prepare(series, solver, path, error));
    if (goes_on >= 0)
        take_over(series, goes_on, &text, &kept);
    if (goes_on > 0 && !text) {
        series->aside = goes_on;
        log_aside(series, goes_on);
    }
    EWI_TRY(begin(series, text ? text : series->line, text ? kept : series->length, error));
    *result = series;
    series = NULL;
out:
    ewi_free(&own, text);
    ew_series_destroy(series);
    return status;
}

static int publish(struct ew_series *series, const char *status_text, ew_error *error)
{
    bool complete = ewi_target_end_name(&series->target, status_text, series->name);
    TRY(make_way(series, series->name, error));
    TRY(ewi_target_publish(&series->target, series->descriptor, series->name, error));
    if (complete && series->source[0] && strcmp(series->source, series->target.path) != 0)
        ewi_target_remove(&series->target, series->source);
    for (int k = 0; complete && k < EWI_PARTIALS; k++) {
        ewi_target_name(&series->target, ewi_partial[k], series->source);
        if (series->superseded[k])
            ewi_target_remove(&series->target, series->source);
    }
    return EW_OK;
}

int ew_series_close(ew_series *series, const char *status_text, ew_error *error)
{
    EWI_REQUIRE(series);
    EWI_REQUIRE_AS(status_text, "status");
    if (series->closed)
        return ewi_fail(error, EW_EINVAL, "cannot complete %s: it was closed before, or writing to it failed",
                        series->target.path);
    series->closed = true;
    if (ewi_sync(series->descriptor) != 0)
        return write_failure(series, errno, error);
    series->owns_part = false;
    int status = publish(series, status_text, error);
    return ewi_target_keep(&series->target, series->descriptor, series->name, status, error);
}

int64_t ew_series_last_step(const ew_series *series)
{
    return series ? series->last : -1;
}

const char *ew_series_path(const ew_series *series)
{
    if (!series)
        return NULL;
    return series->owns_part ? series->target.part : series->name;
}

void ew_series_destroy(ew_series *series)
{
    if (!series)
        return;
    if (series->owns_part)
        ewi_target_remove(&series->target, series->target.part);
    if (series->descriptor >= 0)
        close(series->descriptor);
    ew_host host = series->memory.host;
    ewi_target_close(&series->target);
    ewi_arena_free(&series->memory);
    ewi_free(&host, series);
}
