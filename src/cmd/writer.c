/*
 * Frames are written by a thread of their own, from a copy of the state, while the run goes on. There is one copy: the next frame
 * waits for the one before, so that memory and delay are bounded.
 */
#include "writer.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

struct cmd_writer {
    ew_fields *fields;
    ew_case_info info;
    ew_solver *snapshot;
    pthread_t thread;
    bool has_thread, spares_cores;
    pthread_mutex_t lock; /* of what follows; fields and snapshot are the thread's while it is busy */
    pthread_cond_t changed;
    bool busy, stops;
    int64_t frames; /* that are written */
    int status;     /* of the first failure; nothing is written after it */
    ew_error error;
};

/* Where the cores are the solver's, what samples the polynomials is to use but one. */
static void *write_frames(void *context)
{
    struct cmd_writer *writer = context;
#ifdef _OPENMP
    if (writer->spares_cores)
        omp_set_num_threads(1);
#endif
    pthread_mutex_lock(&writer->lock);
    while (!writer->stops) {
        if (!writer->busy) {
            pthread_cond_wait(&writer->changed, &writer->lock);
            continue;
        }
        ew_error error = {0};
        pthread_mutex_unlock(&writer->lock);
        int status = ew_fields_write(writer->fields, writer->snapshot, &error);
        pthread_mutex_lock(&writer->lock);
        writer->frames += status == EW_OK;
        writer->status = status;
        writer->error = error;
        writer->busy = false;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

/* Signals are the main thread's. */
static bool start_thread(struct cmd_writer *writer)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    writer->has_thread = pthread_create(&writer->thread, NULL, write_frames, writer) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return writer->has_thread;
}

struct cmd_writer *cmd_writer_create(ew_fields *fields, const ew_case *that, const ew_solver *solver)
{
    struct cmd_writer *writer = cmd_allocate(sizeof *writer);
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    *writer = (struct cmd_writer){.fields = fields, .spares_cores = strcmp(info.backend, "omp") == 0, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    ew_case_get_info(that, &writer->info);
    return writer;
}

int cmd_writer_wait(struct cmd_writer *writer, ew_error *error)
{
    pthread_mutex_lock(&writer->lock);
    while (writer->busy)
        pthread_cond_wait(&writer->changed, &writer->lock);
    int status = writer->status;
    if (status != EW_OK)
        *error = writer->error;
    pthread_mutex_unlock(&writer->lock);
    return status;
}

int cmd_writer_check(struct cmd_writer *writer, ew_error *error)
{
    pthread_mutex_lock(&writer->lock);
    int status = writer->busy ? EW_OK : writer->status;
    if (status != EW_OK)
        *error = writer->error;
    pthread_mutex_unlock(&writer->lock);
    return status;
}

/* Where there is no memory for the copy, or no thread to be had, the run waits for the frame. */
static int write_here(struct cmd_writer *writer, ew_solver *solver, ew_error *error)
{
    int status = ew_fields_write(writer->fields, solver, error);
    writer->frames += status == EW_OK;
    writer->status = status;
    writer->error = *error;
    return status;
}

int cmd_writer_write(struct cmd_writer *writer, ew_solver *solver, ew_error *error)
{
    int status = cmd_writer_wait(writer, error);
    if (status != EW_OK)
        return status;
    status = ew_solver_snapshot(solver, writer->info.outputs, writer->info.output, &writer->snapshot, error);
    if (status == EW_ENOMEM || (status == EW_OK && !writer->has_thread && !start_thread(writer)))
        return write_here(writer, solver, error);
    if (status != EW_OK)
        return status;
    pthread_mutex_lock(&writer->lock);
    writer->busy = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    return EW_OK;
}

int64_t cmd_writer_frames(struct cmd_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    int64_t frames = writer->frames;
    pthread_mutex_unlock(&writer->lock);
    return frames;
}

void cmd_writer_destroy(struct cmd_writer *writer)
{
    if (!writer)
        return;
    pthread_mutex_lock(&writer->lock);
    while (writer->busy)
        pthread_cond_wait(&writer->changed, &writer->lock);
    writer->stops = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    if (writer->has_thread)
        pthread_join(writer->thread, NULL);
    ew_solver_destroy(writer->snapshot);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}
