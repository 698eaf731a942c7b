/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thread writes frames from copies of the state while the run continues; the next frame is evaluated while one is
 * written. The number of copies is small, which bounds memory and delay: if all are queued, the run waits.
 */
#include "ewi_error.h"
#include "ewi_run.h"
#include "ewi_team.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* A few copies help if the speed of writing varies; more do not help if writing is slower than the run. */
enum { MOST_COPIES = 4, MOST_COPIES_BYTES = 256 << 20 };

/* Fields and raster together have each quantity once. */
enum { MOST_OUTPUTS = EW_MAX_OUTPUTS };

/*
 * Seconds between two copies that are kept in case the run breaks, and the least ratio of that time to the copy's own.
 */
#define KEEP_SECONDS 10.0
#define KEEP_TIMES 100.0

struct ewi_frame_writer {
    ew_host host;
    ew_fields *fields;
    ew_solver *solver; /* expects the raster of the copies */
    size_t coefficients; /* per state */
    size_t outflows;     /* of boundary edges; 0: not integrated */
    int order;
    const ew_run_plan *plan;
    int outputs, output[MOST_OUTPUTS]; /* quantities that copies evaluate: numbers for ew_law_output */
    ew_solver *snapshot[MOST_COPIES];
    int copies; /* limit */
    int newest; /* index of the newest snapshot, or -1 */
    double taken, seconds; /* time of the newest copy, and how long keeping one took */
    pthread_t thread;
    bool has_thread, spares_cores;
    /* Guards the members below. While a frame waits, the thread owns the fields and the queued snapshots. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int queue[MOST_COPIES], waiting; /* indices of snapshots to be written; the first is being written */
    bool stops;
    int64_t frames; /* number of frames written */
    bool has_grown; /* ew_solver_check_growth rejected a frame ... */
    ew_error grown; /* ... with this sentence */
    int status;     /* the first failure; nothing is written after it */
    ew_error error;
};

static int write_fields(struct ewi_frame_writer *writer, ew_solver *solver, ew_error *error)
{
    ew_error grown;
    int status = ew_fields_write(writer->fields, solver, error);
    bool has_grown = status == EW_OK && ew_solver_check_growth(solver, &grown) == EW_ESTATE;
    pthread_mutex_lock(&writer->lock);
    if (has_grown && !writer->has_grown)
        writer->grown = grown;
    writer->has_grown = writer->has_grown || has_grown;
    pthread_mutex_unlock(&writer->lock);
    return status;
}

/* If the solver runs on the cores, only one of them evaluates polynomials. */
static void *write_frames(void *context)
{
    struct ewi_frame_writer *writer = context;
#ifdef _OPENMP
    if (writer->spares_cores)
        omp_set_num_threads(1);
#endif
    pthread_mutex_lock(&writer->lock);
    while (!writer->stops) {
        if (writer->waiting == 0) {
            pthread_cond_wait(&writer->changed, &writer->lock);
            continue;
        }
        ew_error error = {0};
        ew_solver *snapshot = writer->snapshot[writer->queue[0]];
        int status = writer->status;
        pthread_mutex_unlock(&writer->lock);
        if (status == EW_OK)
            status = write_fields(writer, snapshot, &error);
        pthread_mutex_lock(&writer->lock);
        writer->frames += status == EW_OK;
        if (writer->status == EW_OK)
            writer->error = error;
        writer->status = status;
        memmove(writer->queue, writer->queue + 1, sizeof writer->queue - sizeof *writer->queue);
        writer->waiting--;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

int ewi_frame_copies(double bytes)
{
    double fit = bytes > 0 ? MOST_COPIES_BYTES / bytes : MOST_COPIES;
    return fit < 1 ? 1 : fit < MOST_COPIES ? (int)fit : MOST_COPIES;
}

/*
 * Locking the memory that a GPU copies to takes a good part of the time between two frames, so the first copies are
 * allocated before the first step. If memory is short, the first frame reports it.
 */
static void take_memory(struct ewi_frame_writer *writer, ew_solver *solver)
{
    bool has_many = ew_run_plan_next_frame(writer->plan, ew_solver_time(solver)) < writer->plan->end;
    for (int k = 0; k < (has_many ? 2 : 1) && k < writer->copies; k++)
        if (ew_solver_snapshot(solver, 0, NULL, &writer->snapshot[k], NULL) != EW_OK)
            return;
}

static void add_outputs(struct ewi_frame_writer *writer, int outputs, const int *output)
{
    for (int k = 0; k < outputs; k++) {
        bool is_new = true;
        for (int i = 0; i < writer->outputs; i++)
            is_new = is_new && writer->output[i] != output[k];
        if (is_new)
            writer->output[writer->outputs++] = output[k];
    }
}

int ewi_frame_writer_create(const ew_host *host, ew_fields *fields, const ew_run_plan *plan, ew_solver *solver,
                            struct ewi_frame_writer **result, ew_error *error)
{
    struct ewi_frame_writer *writer = ewi_alloc(host, 1, sizeof *writer);
    if (!writer)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to write frames");
    ew_solver_info info;
    ew_mesh_info mesh;
    ew_averages_info averages;
    ew_solver_get_info(solver, &info);
    ew_mesh_get_info(info.mesh, &mesh);
    ew_solver_averages_info(solver, &averages);
    *writer =
        (struct ewi_frame_writer){.host = *host, .fields = fields, .plan = plan, .newest = -1,
                                  .outflows = info.outflow ? (size_t)(mesh.boundary_edges * info.law->variables) : 0,
                                  .coefficients = (size_t)mesh.elements * (size_t)(info.basis * info.law->variables),
                                  .order = info.order, .spares_cores = !ew_backend_has_devices(info.backend),
                                  .lock = PTHREAD_MUTEX_INITIALIZER,
                                  .changed = PTHREAD_COND_INITIALIZER};
    add_outputs(writer, plan->outputs, plan->output);
    add_outputs(writer, plan->raster.outputs, plan->raster.output);
    double raster = writer->spares_cores ? 0 : ew_fields_raster_bytes(plan, info.law, mesh.elements, NULL);
    writer->copies = ewi_frame_copies((double)((writer->coefficients + averages.values) * sizeof(double)) + raster);
    int status = ew_fields_expect_raster(fields, solver, error);
    if (status != EW_OK) {
        ewi_free(host, writer);
        return status;
    }
    writer->solver = solver;
    take_memory(writer, solver);
    *result = writer;
    return EW_OK;
}

/* Waits until at most `waiting` frames are queued. */
static int wait_for(struct ewi_frame_writer *writer, int waiting, ew_error *error)
{
    pthread_mutex_lock(&writer->lock);
    while (writer->waiting > waiting)
        pthread_cond_wait(&writer->changed, &writer->lock);
    int status = writer->status;
    if (status != EW_OK)
        *error = writer->error;
    pthread_mutex_unlock(&writer->lock);
    return status;
}

int ewi_frame_writer_wait(struct ewi_frame_writer *writer, ew_error *error)
{
    return wait_for(writer, 0, error);
}

int ewi_frame_writer_check(struct ewi_frame_writer *writer, ew_error *error)
{
    return wait_for(writer, MOST_COPIES, error);
}

/* Without memory for a copy, or without a thread, the run writes the frame itself. */
static int write_here(struct ewi_frame_writer *writer, ew_solver *solver, ew_error *error)
{
    int status = write_fields(writer, solver, error);
    writer->frames += status == EW_OK;
    writer->status = status;
    writer->error = *error;
    return status;
}

static bool is_queued(const struct ewi_frame_writer *writer, int number)
{
    for (int k = 0; k < writer->waiting; k++)
        if (writer->queue[k] == number)
            return true;
    return false;
}

/* Finds a snapshot that is not queued, preferably one with memory. Waits for it unless writing has failed. */
static int free_snapshot(struct ewi_frame_writer *writer, int *number, ew_error *error)
{
    pthread_mutex_lock(&writer->lock);
    while (writer->waiting >= writer->copies && writer->status == EW_OK)
        pthread_cond_wait(&writer->changed, &writer->lock);
    int status = writer->status;
    if (status != EW_OK)
        *error = writer->error;
    for (*number = 0; status == EW_OK && is_queued(writer, *number); ++*number)
        continue;
    pthread_mutex_unlock(&writer->lock);
    return status;
}

/* If there is not enough memory for another copy, the current number becomes the limit. */
static int take_snapshot(struct ewi_frame_writer *writer, ew_solver *solver, int *number, ew_error *error)
{
    TRY(free_snapshot(writer, number, error));
    int status = ew_solver_snapshot(solver, writer->outputs, writer->output, &writer->snapshot[*number], error);
    writer->newest = status == EW_OK ? *number : writer->newest == *number ? -1 : writer->newest;
    writer->taken = ewi_seconds();
    if (status != EW_ENOMEM || *number == 0)
        return status;
    writer->copies = *number;
    return take_snapshot(writer, solver, number, error);
}

void ewi_frame_writer_keep(struct ewi_frame_writer *writer, ew_solver *solver)
{
    int number;
    double now = ewi_seconds();
    if (writer->newest >= 0 && now - writer->taken < fmax(KEEP_SECONDS, KEEP_TIMES * writer->seconds))
        return;
    pthread_mutex_lock(&writer->lock);
    bool full = writer->waiting >= writer->copies;
    pthread_mutex_unlock(&writer->lock);
    if (full || free_snapshot(writer, &number, &(ew_error){0}) != EW_OK)
        return;
    bool taken = ew_solver_snapshot(solver, 0, NULL, &writer->snapshot[number], NULL) == EW_OK;
    writer->newest = taken ? number : writer->newest == number ? -1 : writer->newest;
    writer->taken = ewi_seconds();
    writer->seconds = writer->taken - now;
}

int ewi_frame_writer_go_back(struct ewi_frame_writer *writer, ew_solver *solver, ew_error *error)
{
    if (writer->newest < 0)
        return ewi_fail(error, EW_EINVAL, "not enough memory to keep an earlier state");
    ew_solver *snapshot = writer->snapshot[writer->newest];
    double *coefficients = ewi_alloc(&writer->host, writer->coefficients, sizeof *coefficients);
    double *outflow = ewi_alloc(&writer->host, writer->outflows, sizeof *outflow);
    ew_averages_info averages;
    ew_solver_averages_info(snapshot, &averages);
    double *sums = ewi_alloc(&writer->host, averages.values, sizeof *sums);
    ew_moment moment;
    int status = coefficients && outflow && sums
                     ? ew_solver_get_coefficients(snapshot, coefficients, error)
                     : ewi_fail(error, EW_ENOMEM, "not enough memory to go back to an earlier state");
    ew_solver_moment(snapshot, &moment);
    if (status == EW_OK)
        status = ew_solver_restore(solver, writer->order, coefficients, &moment, error);
    if (status == EW_OK && writer->outflows > 0)
        status = ew_solver_get_edge_outflow(snapshot, outflow, error);
    if (status == EW_OK && writer->outflows > 0)
        status = ew_solver_set_edge_outflow(solver, outflow, error);
    if (status == EW_OK && averages.count > 0)
        status = ew_solver_get_averages(snapshot, sums, error);
    if (status == EW_OK && averages.count > 0)
        status = ew_solver_set_averages(solver, sums, averages.duration, averages.last, error);
    ewi_free(&writer->host, sums);
    ewi_free(&writer->host, coefficients);
    ewi_free(&writer->host, outflow);
    return status;
}

int ewi_frame_writer_write(struct ewi_frame_writer *writer, ew_solver *solver, ew_error *error)
{
    int number, status = take_snapshot(writer, solver, &number, error);
    if (status == EW_ENOMEM) {
        status = ewi_frame_writer_wait(writer, error);
        return status == EW_OK ? write_here(writer, solver, error) : status;
    }
    if (status != EW_OK)
        return status;
    writer->has_thread = writer->has_thread || ewi_thread_start(&writer->thread, write_frames, writer);
    if (!writer->has_thread)
        return write_here(writer, solver, error);
    if (!writer->spares_cores) /* otherwise the writer's thread does all the work */
        ew_fields_expect(writer->fields, writer->snapshot[number]);
    pthread_mutex_lock(&writer->lock);
    writer->queue[writer->waiting++] = number;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    return EW_OK;
}

bool ewi_frame_writer_has_grown(struct ewi_frame_writer *writer, ew_error *grown)
{
    pthread_mutex_lock(&writer->lock);
    bool has_grown = writer->has_grown;
    if (has_grown)
        *grown = writer->grown;
    pthread_mutex_unlock(&writer->lock);
    return has_grown;
}

int64_t ewi_frame_writer_frames(struct ewi_frame_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    int64_t frames = writer->frames;
    pthread_mutex_unlock(&writer->lock);
    return frames;
}

void ewi_frame_writer_destroy(struct ewi_frame_writer *writer)
{
    if (!writer)
        return;
    ewi_frame_writer_wait(writer, &(ew_error){0});
    pthread_mutex_lock(&writer->lock);
    writer->stops = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    if (writer->has_thread)
        pthread_join(writer->thread, NULL);
    for (int k = 0; k < MOST_COPIES; k++)
        ew_solver_destroy(writer->snapshot[k]);
    ew_solver_expect_points(writer->solver, 0, NULL, NULL, 0, NULL, 0, NULL);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->lock);
    ew_host host = writer->host;
    ewi_free(&host, writer);
}
